// carom list: scenes, Skills, conditions and parameters, each from the table that checks it.
#include "search.h"

#include "terminal/json.h"

#include <glob.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

// Print a scene that came with carom; returns an exit code.
static int list_scene(char *path)
{
    cr_scene *scene = NULL;
    cr_report report = {0};
    cr_status status = cr_scene_read(path, &scene, &report);
    if (status != CR_OK) {
        return report_print(status, &report);
    }
    char name[256];
    const char *end = path + strlen(scene_folder()) + 1;
    snprintf(name, sizeof name, "%.*s", (int)(strlen(end) - strlen(".yaml")), end);
    if (json_wanted()) {
        json_scene(name, path, scene);
    } else {
        printf("%-28s %s\n", shown(name), shown(cr_scene_about(scene)));
    }
    cr_scene_destroy(scene);
    return EXIT_DONE;
}

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
    if (json_wanted()) {
        json_open("scenes", JSON_LIST);
    }
    for (size_t i = 0; i < found.gl_pathc; i++) {
        int one = list_scene(found.gl_pathv[i]);
        code = one > code ? one : code;
    }
    if (json_wanted()) {
        json_close();
    }
    globfree(&found);
    return code;
}

const char *param_sort(cr_param_type type)
{
    static const char *const sorts[] = {"number", "place", "body", "region", "thing", "choice"};
    return sorts[type];
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
    if (json_wanted()) {
        json_skills();
        return EXIT_DONE;
    }
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
    if (json_wanted()) {
        json_conditions();
        return EXIT_DONE;
    }
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
        return scene_refuse(word, status, &report);
    }
    if (json_wanted()) {
        json_scene_parameters(scene);
    }
    for (int i = 0; i < cr_scene_parameter_count(scene) && !json_wanted(); i++) {
        printf("%-14s %s, of the scene\n", shown(cr_scene_parameter_name(scene, i)),
               shown(cr_scene_parameter_text(scene, i)));
    }
    cr_scene_destroy(scene);
    return EXIT_DONE;
}

static void print_parameters(void)
{
    for (int i = 0; i < cr_parameter_count(); i++) {
        const cr_parameter *p = cr_parameter_at(i);
        char range[80];
        snprintf(range, sizeof range, "%g to %g %s", p->min, p->max, p->unit);
        bool number = strcmp(p->type, "number") == 0 || strcmp(p->type, "count") == 0;
        printf("%-14s %s (%s): %s; default %s\n", p->name, p->type, number ? range : p->unit,
               p->about, p->fallback);
    }
}

static int list_parameters(const char *word)
{
    if (json_wanted()) {
        json_parameters();
    } else {
        print_parameters();
    }
    return word ? list_scene_parameters(word) : EXIT_DONE;
}

// One thing that can be listed.
typedef struct list_row {
    const char *name;
    int (*list)(const char *word);
    void (*markdown)(void); // NULL: there is none
    bool json;              // it can be that too
} list_row;

// The row of that name; NULL after a message.
static const list_row *find_list(const char *name)
{
    static const list_row rows[] = {{"scenes", list_scenes, NULL, true},
                                    {"skills", list_skills, reference_skills, true},
                                    {"conditions", list_conditions, reference_conditions, true},
                                    {"parameters", list_parameters, NULL, true},
                                    {"tactics", list_tactics, NULL, false}};
    enum { COUNT = sizeof rows / sizeof rows[0] };
    const char *names[COUNT];
    for (int i = 0; i < COUNT; i++) {
        names[i] = rows[i].name;
        if (strcmp(name, rows[i].name) == 0) {
            return &rows[i];
        }
    }
    fprintf(stderr, "carom: cannot list \"%s\"", shown(name));
    print_suggestion(name, names, COUNT);
    return NULL;
}

int command_list(int argc, char **argv)
{
    bool markdown = false;
    const option_row rows[] = {
        {0, "markdown", NULL, OPTION_FLAG, &markdown, "skills and conditions: as in docs/skills.md",
         0, 0, NULL},
        json_option(),
    };
    usage how = {
        "carom list scenes|skills|conditions|parameters|tactics [SCENE] [options]",
        "What there is. `parameters SCENE` also lists the scene's own; `tactics SCENE` draws its\n"
        "Tactics as an SVG picture.",
        rows,
        2,
        1,
        2};
    const char *words[2] = {NULL, NULL};
    int count;
    int code = options_read(&how, argc, argv, words, &count);
    if (code >= 0) {
        return code;
    }
    const list_row *row = find_list(words[0]);
    if (!row) {
        fprintf(stderr, "usage: %s\n", how.line);
        return EXIT_USAGE;
    }
    if ((markdown && (!row->markdown || json_wanted())) || (json_wanted() && !row->json)) {
        fprintf(stderr, "carom: cannot list %s as %s\n", row->name, markdown ? "markdown" : "JSON");
        return EXIT_USAGE;
    }
    if (markdown) {
        row->markdown();
        return EXIT_DONE;
    }
    return row->list(words[1]);
}
