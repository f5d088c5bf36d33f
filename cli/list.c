// carom list: scenes, parameters and what is in the library (list_types.c).
#include "list.h"
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

static int list_scenes(const list_ask *ask)
{
    (void)ask;
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

static void print_parameters(const cr_library *library)
{
    for (int i = 0; i < cr_parameter_count(); i++) {
        const cr_parameter *p = cr_parameter_at(i);
        char text[400];
        if (!cr_parameter_words(i, library, text, sizeof text)[0]) {
            snprintf(text, sizeof text, "%g to %g %s", p->min, p->max, p->unit);
        }
        printf("%-14s %s (%s): %s; default %s\n", p->name, p->type, text, p->about, p->fallback);
    }
}

static int list_parameters(const list_ask *ask)
{
    if (json_wanted()) {
        json_parameters(ask->library);
    } else {
        print_parameters(ask->library);
    }
    return ask->word ? list_scene_parameters(ask->word) : EXIT_DONE;
}

// One thing that can be listed.
typedef struct list_row {
    const char *name;
    int (*list)(const list_ask *ask);
    bool markdown, json; // it can be that too
} list_row;

// The row of that name; NULL after a message.
static const list_row *find_list(const char *name)
{
    static const list_row rows[] = {
        {"scenes", list_scenes, false, true},   {"skills", list_types, true, true},
        {"conditions", list_types, true, true}, {"quantities", list_types, true, true},
        {"selects", list_types, true, true},    {"ranks", list_types, true, true},
        {"engines", list_types, true, true},    {"parameters", list_parameters, false, true},
        {"tactics", list_tactics, false, false}};
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

static int list(const usage *how, const list_ask *ask)
{
    const list_row *row = find_list(ask->what);
    if (!row) {
        fprintf(stderr, "usage: %s\n", how->line);
        return EXIT_USAGE;
    }
    bool unknown = ask->markdown ? !row->markdown || json_wanted() : json_wanted() && !row->json;
    if (unknown) {
        fprintf(stderr, "carom: cannot list %s as %s\n", row->name,
                ask->markdown ? "markdown" : "JSON");
        return EXIT_USAGE;
    }
    return row->list(ask);
}

int command_list(int argc, char **argv)
{
    list_ask ask = {0};
    const option_row rows[] = {
        {0, "markdown", NULL, OPTION_FLAG, &ask.markdown,
         "what is in the library: as in docs/skills.md", 0, 0, NULL},
        load_option(&ask.library),
        json_option(),
    };
    usage how = {
        "carom list scenes|skills|conditions|quantities|selects|ranks|engines|parameters|tactics "
        "[SCENE] [options]",
        "What there is. `parameters SCENE` also lists the scene's own; `tactics SCENE` draws its\n"
        "Tactics as an SVG picture.",
        rows,
        3,
        1,
        2};
    const char *words[2] = {NULL, NULL};
    load_words read = {&ask.library, words, 0};
    int code = load_options(&how, argc, argv, &read);
    if (code >= 0) {
        return code;
    }
    ask.what = words[0];
    ask.word = words[1];
    code = list(&how, &ask);
    cr_library_destroy(ask.library);
    return code;
}
