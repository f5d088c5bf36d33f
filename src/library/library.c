// The library: three lists of pointers. The built-in types are const tables; a library of one's own
// starts with copies of their pointers.
#include "carom/library.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

#include "base/report.h"
#include "library/built_in.h"
#include "scene/keys.h"
#include "scene/lookup.h"

// A growing list of pointers to types.
typedef struct type_list {
    const void **items;
    int count, capacity;
} type_list;

struct cr_library {
    type_list skills, conditions, engines;
};

static bool add(type_list *list, const void *type)
{
    if (list->count == list->capacity) {
        int capacity = list->capacity ? 2 * list->capacity : 32;
        const void **items = realloc(list->items, (size_t)capacity * sizeof *items);
        if (!items) {
            return false;
        }
        list->items = items;
        list->capacity = capacity;
    }
    list->items[list->count++] = type;
    return true;
}

static bool add_built_in(cr_library *library)
{
    bool good = true;
    for (int i = 0; good && cri_built_in_skills[i]; i++) {
        good = add(&library->skills, cri_built_in_skills[i]);
    }
    for (int i = 0; good && cri_built_in_conditions[i]; i++) {
        good = add(&library->conditions, cri_built_in_conditions[i]);
    }
    for (int i = 0; good && cri_built_in_engines[i]; i++) {
        good = add(&library->engines, cri_built_in_engines[i]);
    }
    return good;
}

cr_library *cr_library_create(void)
{
    cr_library *library = calloc(1, sizeof *library);
    if (library && !add_built_in(library)) {
        cr_library_destroy(library);
        return NULL;
    }
    return library;
}

void cr_library_destroy(cr_library *library)
{
    if (library) {
        free(library->skills.items);
        free(library->conditions.items);
        free(library->engines.items);
        free(library);
    }
}

// ---------------------------------------------------------------------------------------------
// Queries.

int cr_library_skill_count(const cr_library *library)
{
    int count = 0;
    while (!library && cri_built_in_skills[count]) {
        count++;
    }
    return library ? library->skills.count : count;
}

const cr_skill_type *cr_library_skill(const cr_library *library, int index)
{
    assert(index >= 0 && index < cr_library_skill_count(library));
    return library ? library->skills.items[index] : cri_built_in_skills[index];
}

int cr_library_condition_count(const cr_library *library)
{
    int count = 0;
    while (!library && cri_built_in_conditions[count]) {
        count++;
    }
    return library ? library->conditions.count : count;
}

const cr_condition_type *cr_library_condition(const cr_library *library, int index)
{
    assert(index >= 0 && index < cr_library_condition_count(library));
    return library ? library->conditions.items[index] : cri_built_in_conditions[index];
}

int cr_library_engine_count(const cr_library *library)
{
    int count = 0;
    while (!library && cri_built_in_engines[count]) {
        count++;
    }
    return library ? library->engines.count : count;
}

const cr_engine_type *cr_library_engine(const cr_library *library, int index)
{
    assert(index >= 0 && index < cr_library_engine_count(library));
    return library ? library->engines.items[index] : cri_built_in_engines[index];
}

// ---------------------------------------------------------------------------------------------
// Registration.

static cr_status fail_taken(cr_report *report, const char *sort, const char *name)
{
    return cri_fail(report, CR_ERR_NAME, (cri_place){0}, "%s \"%s\": the name is taken", sort,
                    name);
}

static cr_status check_params(cr_report *report, const char *sort, const char *name, int count,
                              const cr_param *params)
{
    if (count < 0 || count > CR_PARAMS_MAX) {
        return cri_fail(report, CR_ERR_RANGE, (cri_place){0},
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
            return cri_fail(report, CR_ERR_NAME, (cri_place){0},
                            "%s \"%s\": the name of parameter \"%s\" is taken", sort, name,
                            params[i].name);
        }
    }
    return CR_OK;
}

cr_status cr_library_add_skill(cr_library *library, const cr_skill_type *type, cr_report *report)
{
    if (cri_find_skill(library, type->name, NULL)) {
        return fail_taken(report, "skill", type->name);
    }
    if (type->variables < 0 || type->variables > CR_SKILL_VARIABLES_MAX) {
        return cri_fail(report, CR_ERR_RANGE, (cri_place){0},
                        "skill \"%s\": variables must be 0 to %d, got %d", type->name,
                        CR_SKILL_VARIABLES_MAX, type->variables);
    }
    cr_status status = check_params(report, "skill", type->name, type->param_count, type->params);
    if (status != CR_OK) {
        return status;
    }
    return add(&library->skills, type) ? CR_OK : cri_fail_memory(report);
}

cr_status cr_library_add_condition(cr_library *library, const cr_condition_type *type,
                                   cr_report *report)
{
    bool taken = cri_find_condition(library, type->name, NULL) != NULL;
    for (int i = 0; i < cri_keys_logic.count; i++) {
        taken = taken || strcmp(cri_keys_logic.rows[i].name, type->name) == 0;
    }
    if (taken) {
        return fail_taken(report, "condition", type->name);
    }
    cr_status status =
        check_params(report, "condition", type->name, type->param_count, type->params);
    if (status != CR_OK) {
        return status;
    }
    return add(&library->conditions, type) ? CR_OK : cri_fail_memory(report);
}

cr_status cr_library_add_engine(cr_library *library, const cr_engine_type *type, cr_report *report)
{
    if (cri_find_engine(library, type->name, NULL)) {
        return fail_taken(report, "engine", type->name);
    }
    if (type->lanes < 1) {
        return cri_fail(report, CR_ERR_RANGE, (cri_place){0},
                        "engine \"%s\": lanes must be >= 1, got %d", type->name, type->lanes);
    }
    return add(&library->engines, type) ? CR_OK : cri_fail_memory(report);
}
