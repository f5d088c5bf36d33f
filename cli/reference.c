// Skills and conditions as a page of markdown, from the tables that read and check them.
#include "search.h"

#include <stdio.h>

static void print_range(const cr_param *p)
{
    static const char *const sorts[] = {"number", "place", "body", "region", "thing", "word"};
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

void reference_skills(void)
{
    printf(
        "# Skills and conditions\n\n"
        "Made by `carom list skills --markdown` and `carom list conditions --markdown`, from the\n"
        "tables that read and check scenes. [scene-format.md](scene-format.md) says how Skills\n"
        "and conditions stand in a scene, and what a number and a place may be. A *pushable* body\n"
        "is one that forces can move, other than the Skill's own.\n\n"
        "## Skills\n\n");
    for (int i = 0; i < cr_library_skill_count(NULL); i++) {
        const cr_skill_type *type = cr_library_skill(NULL, i);
        printf("### `%s`\n\n%s%s.\n\n", type->name, type->about, skill_bodies(type));
        print_params(type->params, type->param_count);
    }
}

void reference_conditions(void)
{
    printf(
        "## Conditions\n\n"
        "Their values stand in a list, in the order of the table. `all: [...]`, `any: [...]` and\n"
        "`not: ...` combine them; `skill: [tactic, skill]` holds while a Tactic is in that "
        "Skill.\n\n");
    for (int i = 0; i < cr_library_condition_count(NULL); i++) {
        const cr_condition_type *type = cr_library_condition(NULL, i);
        printf("### `%s: [", type->name);
        for (int p = 0; p < type->param_count; p++) {
            printf("%s%s", p ? ", " : "", type->params[p].name);
        }
        printf("]`\n\n%s.\n\n", type->about);
        print_params(type->params, type->param_count);
    }
}
