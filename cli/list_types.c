// carom list, for what is in the library: Skills, conditions, quantities, selects, ranks, engines,
// as text, as JSON and as the markdown of docs/skills.md, from the tables that read and check
// scenes.
#include "list.h"

#include <stdio.h>
#include <string.h>

#include "terminal/json.h"

// ---------------------------------------------------------------------------------------------
// What there is of each sort.

static const char *skill_bodies(const cr_skill_type *type)
{
    switch (type->bodies) {
    case CR_FOR_MOVING:
        return "";
    case CR_FOR_DRIVEN:
        return " (driven bodies only)";
    case CR_FOR_PUSHED:
        return " (not for driven bodies)";
    }
    return "";
}

static listed skill_at(const cr_library *library, int index)
{
    const cr_skill_type *type = cr_library_skill(library, index);
    return (listed){type->name, type->about,       skill_bodies(type),
                    NULL,       type->param_count, type->params};
}

static listed condition_at(const cr_library *library, int index)
{
    const cr_condition_type *type = cr_library_condition(library, index);
    return (listed){type->name, type->about, "", NULL, type->param_count, type->params};
}

static listed quantity_at(const cr_library *library, int index)
{
    const cr_quantity_type *type = cr_library_quantity(library, index);
    return (listed){type->name, type->about, "", type->unit, type->param_count, type->params};
}

static listed select_at(const cr_library *library, int index)
{
    const cr_select_type *type = cr_library_select(library, index);
    return (listed){.name = type->name, .about = type->about, .more = ""};
}

static listed rank_at(const cr_library *library, int index)
{
    const cr_rank_type *type = cr_library_rank(library, index);
    return (listed){.name = type->name, .about = type->about, .more = ""};
}

static listed engine_at(const cr_library *library, int index)
{
    const cr_engine_type *type = cr_library_engine(library, index);
    return (listed){.name = type->name, .about = type->about, .more = ""};
}

static const list_sort sorts[] = {
    {"skills", LIST_NAMED, cr_library_skill_count, skill_at},
    {"conditions", LIST_VALUES, cr_library_condition_count, condition_at},
    {"quantities", LIST_VALUES, cr_library_quantity_count, quantity_at},
    {"selects", LIST_PLAIN, cr_library_select_count, select_at},
    {"ranks", LIST_PLAIN, cr_library_rank_count, rank_at},
    {"engines", LIST_PLAIN, cr_library_engine_count, engine_at},
};

static const list_sort *find_sort(const char *name)
{
    const list_sort *sort = sorts;
    while (strcmp(sort->name, name) != 0) {
        sort++;
    }
    return sort;
}

// ---------------------------------------------------------------------------------------------
// Text and JSON.

const char *param_sort(cr_param_type type)
{
    static const char *const words[] = {"number", "place",  "body", "region",
                                        "thing",  "choice", "joint"};
    return words[type];
}

static void print_param(const cr_param *p)
{
    char range[64] = "";
    if (p->type == CR_PARAM_NUMBER && (p->min != 0 || p->max != 0)) {
        snprintf(range, sizeof range, ", %g to %g", p->min, p->max);
    }
    printf("    %-10s %s%s%s%s: %s%s%s\n", p->name, param_sort(p->type), p->unit[0] ? ", " : "",
           p->unit, range, p->about, p->fallback ? "; default " : " (required)",
           p->fallback ? p->fallback : "");
}

void print_values(const listed *type)
{
    for (int i = 0; i < type->param_count; i++) {
        printf("%s%s%s", i ? ", " : ": [", type->params[i].name,
               i + 1 < type->param_count ? "" : "]");
    }
}

static void print_type(const list_sort *sort, const listed *type)
{
    printf("%s", type->name);
    if (sort->style == LIST_VALUES) {
        print_values(type);
    }
    bool unit = type->unit && type->unit[0];
    printf(": %s%s%s%s\n", type->about, type->more, unit ? ", " : "", unit ? type->unit : "");
    for (int p = 0; p < type->param_count; p++) {
        print_param(&type->params[p]);
    }
}

static void json_type(const list_sort *sort, const listed *type)
{
    json_open(NULL, JSON_OBJECT);
    json_text("name", type->name);
    json_text("about", type->about);
    if (type->unit) {
        json_text("unit", type->unit);
    }
    if (sort->style != LIST_PLAIN) {
        json_params(type->params, type->param_count);
    }
    json_close();
}

int list_types(const list_ask *ask)
{
    const list_sort *sort = find_sort(ask->what);
    if (ask->markdown) {
        reference(sort, ask->library);
        return EXIT_DONE;
    }
    if (json_wanted()) {
        json_open(sort->name, JSON_LIST);
    }
    for (int i = 0; i < sort->count(ask->library); i++) {
        listed type = sort->at(ask->library, i);
        if (json_wanted()) {
            json_type(sort, &type);
        } else {
            print_type(sort, &type);
        }
    }
    if (json_wanted()) {
        json_close();
    } else if (strcmp(sort->name, "conditions") == 0) {
        printf(
            "all: [...], any: [...], not: ...: combine conditions\n"
            "count: {of: [...], least: n, most: m}: so many of them hold\n"
            "once: condition, once: [condition, tactic]: it has held (since its Skill began)\n"
            "stays: [condition, seconds]: it has held for so long\n"
            "times: [condition, n], times: [condition, n, tactic]: it has begun to hold so often\n"
            "skill: [tactic, skill]: a Tactic is in that Skill\n"
            "{each: crowd, is: ...} in place of a list: said of every member\n");
    }
    return EXIT_DONE;
}
