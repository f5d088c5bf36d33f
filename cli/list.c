// carom list: scenes, Skills, conditions and parameters, each from the table that checks it.
#include "search.h"

#include <glob.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static int list_scenes(const char *word)
{
    (void)word;
    char pattern[1024];
    glob_t found = {0};
    snprintf(pattern, sizeof pattern, "%s/*/*.yaml", scene_folder());
    if (glob(pattern, 0, NULL, &found) != 0) {
        fprintf(stderr, "carom: no scenes in %s; $CAROM_SCENES may name another folder\n",
                shown(scene_folder()));
        return EXIT_FILE;
    }
    int code = EXIT_DONE;
    for (size_t i = 0; i < found.gl_pathc; i++) {
        cr_scene *scene = NULL;
        const char *path = found.gl_pathv[i] + strlen(scene_folder()) + 1;
        cr_report report = {0};
        cr_status status = cr_scene_read(found.gl_pathv[i], &scene, &report);
        if (status == CR_OK) {
            found.gl_pathv[i][strlen(found.gl_pathv[i]) - 5] = 0; // without .yaml
            printf("%-28s %s\n", shown(path), shown(cr_scene_about(scene)));
        } else {
            code = report_print(status, &report);
        }
        cr_scene_destroy(scene);
    }
    globfree(&found);
    return code;
}

static void print_param(const cr_param *p)
{
    static const char *const sorts[] = {"number", "place", "body", "region", "thing", "choice"};
    char range[64] = "";
    if (p->type == CR_PARAM_NUMBER && (p->min != 0 || p->max != 0)) {
        snprintf(range, sizeof range, ", %g to %g", p->min, p->max);
    }
    printf("    %-10s %s%s%s%s: %s%s%s\n", p->name, sorts[p->type], p->unit[0] ? ", " : "", p->unit,
           range, p->about, p->fallback ? "; default " : " (required)",
           p->fallback ? p->fallback : "");
}

const char *skill_bodies(const cr_skill_type *type)
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

static int list_skills(const char *word)
{
    (void)word;
    for (int i = 0; i < cr_library_skill_count(NULL); i++) {
        const cr_skill_type *type = cr_library_skill(NULL, i);
        printf("%s: %s%s\n", type->name, type->about, skill_bodies(type));
        for (int p = 0; p < type->param_count; p++) {
            print_param(&type->params[p]);
        }
    }
    return EXIT_DONE;
}

static int list_conditions(const char *word)
{
    (void)word;
    for (int i = 0; i < cr_library_condition_count(NULL); i++) {
        const cr_condition_type *type = cr_library_condition(NULL, i);
        printf("%s: [", type->name);
        for (int p = 0; p < type->param_count; p++) {
            printf("%s%s", p ? ", " : "", type->params[p].name);
        }
        printf("]: %s\n", type->about);
        for (int p = 0; p < type->param_count; p++) {
            print_param(&type->params[p]);
        }
    }
    printf("all: [...], any: [...], not: ...: combine conditions\n"
           "skill: [tactic, skill]: a Tactic is in that Skill\n");
    return EXIT_DONE;
}

static int list_scene_parameters(const char *word)
{
    char *path = scene_find(word);
    cr_report report = {0};
    cr_scene *scene = NULL;
    cr_status status = path ? cr_scene_read(path, &scene, &report) : CR_ERR_MEMORY;
    free(path);
    if (status != CR_OK) {
        return report_print(status, &report);
    }
    for (int i = 0; i < cr_scene_parameter_count(scene); i++) {
        printf("%-14s %s, of the scene\n", shown(cr_scene_parameter_name(scene, i)),
               shown(cr_scene_parameter_text(scene, i)));
    }
    cr_scene_destroy(scene);
    return EXIT_DONE;
}

static int list_parameters(const char *word)
{
    for (int i = 0; i < cr_parameter_count(); i++) {
        const cr_parameter *p = cr_parameter_at(i);
        char range[80];
        snprintf(range, sizeof range, "%g to %g %s", p->min, p->max, p->unit);
        bool number = strcmp(p->type, "number") == 0 || strcmp(p->type, "count") == 0;
        printf("%-14s %s (%s): %s; default %s\n", p->name, p->type, number ? range : p->unit,
               p->about, p->fallback);
    }
    return word ? list_scene_parameters(word) : EXIT_DONE;
}

int command_list(int argc, char **argv)
{
    static const struct {
        const char *name;
        int (*list)(const char *word);
        void (*markdown)(void); // NULL: there is none
    } lists[] = {{"scenes", list_scenes, NULL},
                 {"skills", list_skills, reference_skills},
                 {"conditions", list_conditions, reference_conditions},
                 {"parameters", list_parameters, NULL},
                 {"tactics", list_tactics, NULL}};
    bool markdown = false;
    const option_row rows[] = {
        {0, "markdown", NULL, OPTION_FLAG, &markdown, "skills and conditions: as in docs/skills.md",
         0, 0, NULL},
    };
    usage how = {
        "carom list scenes|skills|conditions|parameters|tactics [SCENE] [options]",
        "What there is. `parameters SCENE` also lists the scene's own; `tactics SCENE` draws its\n"
        "Tactics as an SVG picture.",
        rows,
        1,
        1,
        2};
    const char *words[2] = {NULL, NULL};
    int count;
    int code = options_read(&how, argc, argv, words, &count);
    if (code >= 0) {
        return code;
    }
    for (size_t i = 0; i < sizeof lists / sizeof lists[0]; i++) {
        if (strcmp(words[0], lists[i].name) == 0 && !markdown) {
            return lists[i].list(count > 1 ? words[1] : NULL);
        }
        if (strcmp(words[0], lists[i].name) == 0 && lists[i].markdown) {
            lists[i].markdown();
            return EXIT_DONE;
        }
    }
    fprintf(stderr, "carom: cannot list \"%s\"%s\nusage: %s\n", shown(words[0]),
            markdown ? " as markdown" : "", how.line);
    return EXIT_USAGE;
}
