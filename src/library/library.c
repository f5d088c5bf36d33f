// The library: for each sort of type the const table of what is built in, and behind it a list of
// what was added. So a library that is not there, NULL, is one to which nothing was added.
#include "library/library.h"

#include <assert.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include "base/report.h"
#include "carom/carom.h"
#include "scene/keys.h"

bool cri_list_add(cri_list *list, const void *item)
{
    if (list->count == list->capacity) {
        int capacity = list->capacity ? 2 * list->capacity : 8;
        const void **items = realloc(list->items, (size_t)capacity * sizeof *items);
        if (!items) {
            return false;
        }
        list->items = items;
        list->capacity = capacity;
    }
    list->items[list->count++] = item;
    return true;
}

cr_library *cr_library_create(void)
{
    return calloc(1, sizeof(cr_library));
}

void cr_library_destroy(cr_library *library)
{
    if (library) {
        for (int i = 0; i < CRI_SORT_COUNT; i++) {
            free(library->added[i].items);
        }
        for (int i = 0; i < library->loaded.count; i++) {
            cri_loaded_free((cri_loaded *)(uintptr_t)library->loaded.items[i]);
        }
        free(library->loaded.items);
        free(library);
    }
}

void cri_library_cut(cr_library *library, const int counts[CRI_SORT_COUNT])
{
    for (int i = 0; i < CRI_SORT_COUNT; i++) {
        assert(counts[i] <= library->added[i].count);
        library->added[i].count = counts[i];
    }
}

// ---------------------------------------------------------------------------------------------
// Queries.

static int type_count(const cr_library *library, cri_sort sort)
{
    return cri_built_in[sort].count + (library ? library->added[sort].count : 0);
}

static const void *type_at(const cr_library *library, cri_sort sort, int index)
{
    assert(index >= 0 && index < type_count(library, sort));
    int built_in = cri_built_in[sort].count;
    return index < built_in ? cri_built_in[sort].types[index]
                            : library->added[sort].items[index - built_in];
}

// A macro, because the sorts of types differ in nothing but their name here.
#define QUERIES(sort, SORT)                                                                        \
    int cr_library_##sort##_count(const cr_library *library)                                       \
    {                                                                                              \
        return type_count(library, CRI_SORT_##SORT);                                               \
    }                                                                                              \
    const cr_##sort##_type *cr_library_##sort(const cr_library *library, int index)                \
    {                                                                                              \
        return type_at(library, CRI_SORT_##SORT, index);                                           \
    }                                                                                              \
    static_assert(offsetof(cr_##sort##_type, name) == 0, "every type begins with its name");

QUERIES(skill, SKILL)
QUERIES(condition, CONDITION)
QUERIES(quantity, QUANTITY)
QUERIES(select, SELECT)
QUERIES(rank, RANK)
QUERIES(engine, ENGINE)

// ---------------------------------------------------------------------------------------------
// Registration.

static const char *sort_word(cri_sort sort)
{
    static const char *const words[] = {
        [CRI_SORT_SKILL] = "skill",       [CRI_SORT_CONDITION] = "condition",
        [CRI_SORT_QUANTITY] = "quantity", [CRI_SORT_SELECT] = "select",
        [CRI_SORT_RANK] = "rank",         [CRI_SORT_ENGINE] = "engine"};
    return words[sort];
}

// Names stand in scenes, plans, options and tables: this keeps them one word everywhere.
static bool is_name(const char *name)
{
    enum { NAME_MAX_LENGTH = 40 };
    static const char letters[] = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ_";
    size_t length = strlen(name);
    size_t good = strspn(name, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ_0123456789");
    return length > 0 && length <= NAME_MAX_LENGTH && good == length && strchr(letters, name[0]);
}

static bool is_taken(const cr_library *library, cri_sort sort, const char *name)
{
    bool taken = false;
    for (int i = 0; i < type_count(library, sort); i++) {
        const char *const *other = type_at(library, sort, i); // a type begins with its name
        taken = taken || strcmp(*other, name) == 0;
    }
    for (int i = 0; sort == CRI_SORT_CONDITION && i < cri_keys_logic.count; i++) {
        taken = taken || strcmp(cri_keys_logic.rows[i].name, name) == 0;
    }
    return taken;
}

static cr_status add_type(cr_library *library, cri_sort sort, const void *type, cr_report *report)
{
    const char *name = *(const char *const *)type;
    if (!is_name(name)) {
        return cri_fail(report, CR_ERR_NAME, (cri_location){0},
                        "%s \"%.80s\": a name is a letter and up to 39 letters, digits and _",
                        sort_word(sort), name);
    }
    if (is_taken(library, sort, name)) {
        return cri_fail(report, CR_ERR_NAME, (cri_location){0}, "%s \"%s\": the name is taken",
                        sort_word(sort), name);
    }
    return cri_list_add(&library->added[sort], type) ? CR_OK : cri_fail_memory(report);
}

static cr_status check_params(cr_report *report, const char *sort, const char *name, int count,
                              const cr_param *params)
{
    if (count < 0 || count > CR_PARAMS_MAX) {
        return cri_fail(report, CR_ERR_RANGE, (cri_location){0},
                        "%s \"%s\": must have 0 to %d parameters, got %d", sort, name,
                        CR_PARAMS_MAX, count);
    }
    for (int i = 0; i < count; i++) {
        // `do` names the Skill itself in a scene.
        bool taken = strcmp(params[i].name, "do") == 0;
        for (int j = 0; j < i; j++) {
            taken = taken || strcmp(params[i].name, params[j].name) == 0;
        }
        if (taken) {
            return cri_fail(report, CR_ERR_NAME, (cri_location){0},
                            "%s \"%s\": the name of parameter \"%s\" is taken", sort, name,
                            params[i].name);
        }
    }
    return CR_OK;
}

cr_status cr_library_add_skill(cr_library *library, const cr_skill_type *type, cr_report *report)
{
    assert(type->act);
    if (type->variables < 0 || type->variables > CR_SKILL_VARIABLES_MAX) {
        return cri_fail(report, CR_ERR_RANGE, (cri_location){0},
                        "skill \"%s\": variables must be 0 to %d, got %d", type->name,
                        CR_SKILL_VARIABLES_MAX, type->variables);
    }
    cr_status status = check_params(report, "skill", type->name, type->param_count, type->params);
    return status == CR_OK ? add_type(library, CRI_SORT_SKILL, type, report) : status;
}

cr_status cr_library_add_condition(cr_library *library, const cr_condition_type *type,
                                   cr_report *report)
{
    assert(type->holds);
    cr_status status =
        check_params(report, "condition", type->name, type->param_count, type->params);
    return status == CR_OK ? add_type(library, CRI_SORT_CONDITION, type, report) : status;
}

cr_status cr_library_add_quantity(cr_library *library, const cr_quantity_type *type,
                                  cr_report *report)
{
    assert(type->value);
    cr_status status =
        check_params(report, "quantity", type->name, type->param_count, type->params);
    return status == CR_OK ? add_type(library, CRI_SORT_QUANTITY, type, report) : status;
}

cr_status cr_library_add_select(cr_library *library, const cr_select_type *type, cr_report *report)
{
    assert(type->choose && !type->create == !type->destroy);
    return add_type(library, CRI_SORT_SELECT, type, report);
}

cr_status cr_library_add_rank(cr_library *library, const cr_rank_type *type, cr_report *report)
{
    assert(type->worth && !type->measure == !type->measures);
    if (type->measures < 0 || type->measures > CR_RANK_MEASURES_MAX) {
        return cri_fail(report, CR_ERR_RANGE, (cri_location){0},
                        "rank \"%s\": measures must be 0 to %d, got %d", type->name,
                        CR_RANK_MEASURES_MAX, type->measures);
    }
    return add_type(library, CRI_SORT_RANK, type, report);
}

cr_status cr_library_add_engine(cr_library *library, const cr_engine_type *type, cr_report *report)
{
    assert(type->create && type->destroy && type->step);
    if (type->lanes < 1) {
        return cri_fail(report, CR_ERR_RANGE, (cri_location){0},
                        "engine \"%s\": lanes must be >= 1, got %d", type->name, type->lanes);
    }
    return add_type(library, CRI_SORT_ENGINE, type, report);
}
