// What is in the library as a page of markdown, from the tables that read and check them.
#include "list.h"

#include <stdio.h>
#include <string.h>

static void print_range(const cr_param *p)
{
    static const char *const sorts[] = {"number", "place", "body", "region",
                                        "thing",  "word",  "joint"};
    printf("%s", sorts[p->type]);
    if (p->type == CR_PARAM_CHOICE) {
        printf(": `");
        for (const char *c = p->unit; *c; c++) {
            if (*c == '|') {
                printf("`, `");
            } else {
                putchar(*c);
            }
        }
        printf("`");
        return;
    }
    printf("%s%s", p->unit[0] ? ", " : "", p->unit);
    if (p->type == CR_PARAM_NUMBER && (p->min != 0 || p->max != 0)) {
        printf(", %g to %g", p->min, p->max);
    }
}

static void print_params(const cr_param *params, int count)
{
    if (count == 0) {
        printf("No parameters.\n\n");
        return;
    }
    printf("| parameter | value | default | |\n|---|---|---|---|\n");
    for (int i = 0; i < count; i++) {
        const cr_param *p = &params[i];
        printf("| `%s` | ", p->name);
        print_range(p);
        const char *quote = p->fallback ? "`" : "";
        printf(" | %s%s%s | %s |\n", quote, p->fallback ? p->fallback : "required", quote,
               p->about);
    }
    printf("\n");
}

// What stands before the things of a sort.
static const char *heading(const char *sort)
{
    static const struct {
        const char *sort, *text;
    } rows[] = {
        {"skills",
         "# What scenes can name\n\n"
         "Made by `carom list skills --markdown`, and the same for conditions, quantities, "
         "selects,\n"
         "ranks and engines, from the tables that read and check scenes.\n"
         "[scene-format.md](scene-format.md) says how they stand in a scene, and what a number "
         "and\n"
         "a place may be. A *pushable* body is one that forces can move, other than the Skill's\n"
         "own. [adding.md](adding.md) says how to add to them.\n\n"
         "## Skills\n\n"},
        {"conditions",
         "## Conditions\n\n"
         "Their values stand in a list, in the order of the table. `all: [...]`, `any: [...]` and\n"
         "`not: ...` combine them, `count: {of: [...], least: n, most: m}` counts them, and\n"
         "`once: ...`, `stays: [..., seconds]` and `times: [..., n]` look back;\n"
         "`skill: [tactic, skill]` holds while a Tactic is in that Skill. Instead of a list,\n"
         "`{each: crowd, is: ...}` says the same of every member of a crowd.\n\n"},
        {"quantities",
         "## Quantities\n\n"
         "What a `ramp` of a score may be of. Their values stand as those of conditions do.\n\n"},
        {"selects",
         "## Selects\n\nHow the decision to grow from is chosen: `select` in `plan:`.\n\n"},
        {"ranks",
         "## Ranks\n\nWhat makes one solution better than another: `rank` in `plan:`.\n\n"},
        {"engines", "## Engines\n\nWhat computes steps: `engine` in `plan:`.\n\n"},
    };
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        if (strcmp(rows[i].sort, sort) == 0) {
            return rows[i].text;
        }
    }
    return "";
}

static void print_plain(const list_sort *sort, const cr_library *library)
{
    printf("| name | |\n|---|---|\n");
    for (int i = 0; i < sort->count(library); i++) {
        listed type = sort->at(library, i);
        printf("| `%s` | %s |\n", type.name, type.about);
    }
    printf("\n");
}

void reference(const list_sort *sort, const cr_library *library)
{
    printf("%s", heading(sort->name));
    if (sort->style == LIST_PLAIN) {
        print_plain(sort, library);
        return;
    }
    for (int i = 0; i < sort->count(library); i++) {
        listed type = sort->at(library, i);
        printf("### `%s", type.name);
        if (sort->style == LIST_VALUES) {
            print_values(&type);
        }
        bool unit = type.unit && type.unit[0];
        printf("`\n\n%s%s%s%s.\n\n", type.about, type.more, unit ? ", in " : "",
               unit ? type.unit : "");
        print_params(type.params, type.param_count);
    }
}
