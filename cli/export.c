// carom export: a plan as a page, an animation, a drawing or a table.
#include "terminal/json.h"
#include "film.h"
#include "search.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static bool ends_with(const char *path, const char *ending)
{
    size_t length = strlen(path), end = strlen(ending);
    return length >= end && strcmp(path + length - end, ending) == 0;
}

bool is_plan_file(const char *path)
{
    return ends_with(path, ".json");
}

bool is_page(const char *path)
{
    return ends_with(path, ".html");
}

int plan_output_try(const char *path)
{
    if (is_film(path)) {
        film how = film_default();
        return film_try(path, &how);
    }
    return path && is_plan_file(path) ? output_try(path) : output_try_playback(path);
}

// Report a file that was written; code as of film_of.
static int say_written(int code, const char *path)
{
    if (code >= 0) {
        return code;
    }
    if (json_wanted()) {
        json_text("wrote", path);
    } else {
        printf("wrote %s\n", shown(path));
    }
    return EXIT_DONE;
}

static int export_plan(const cr_plan *plan, const cr_planner *planner, const char *path,
                       const film *how)
{
    cr_report report = {0};
    cr_playback *playback = NULL;
    cr_status status = cr_plan_playback(plan, planner, &playback, &report);
    int code = -1;
    if (status == CR_OK && is_film(path)) {
        code = film_of(playback, path, how);
    } else if (status == CR_OK) {
        status = cr_playback_write(playback, path, &report);
    }
    cr_playback_destroy(playback);
    return say_written(status == CR_OK ? code : report_print(status, &report), path);
}

int plan_write(const cr_plan *plan, const cr_planner *planner, const char *path)
{
    film how = film_default();
    if (!is_plan_file(path)) {
        return export_plan(plan, planner, path, &how);
    }
    cr_report report = {0};
    cr_status status = cr_plan_write(plan, path, &report);
    return say_written(status == CR_OK ? -1 : report_print(status, &report), path);
}

// Grow the plan's tree again: the same attempts give the same tree. A simulation has none, and no
// attempt would be no limit.
static int regrow(const cr_plan *plan, cr_planner **planner)
{
    cr_report report = {0};
    cr_planner_def def = *cr_plan_def(plan);
    def.attempts = cr_plan_attempts(plan);
    if (def.attempts == 0 || cr_plan_outcome(plan) == CR_OUTCOME_SIMULATED) {
        return -1;
    }
    cr_root root = cr_plan_root(plan);
    cr_status status = cr_planner_create(cr_plan_model(plan), &def, planner, &report);
    status = status == CR_OK ? cr_planner_restart(*planner, &root, &report) : status;
    if (status != CR_OK) {
        return report_print(status, &report);
    }
    cr_slice slice = {.stop = stop_asked};
    bool stopped = cr_planner_grow(*planner, &slice) == CR_OUTCOME_STOPPED;
    return stopped ? interrupted("nothing was written") : -1;
}

// What is asked for.
typedef struct request {
    const char *words[2]; // from, to
    cr_library *library;
    bool no_tree;
    film film;
} request;

static int export(const request *ask)
{
    const char *to = ask->words[1];
    cr_report report = {0};
    cr_plan *plan = NULL;
    cr_planner *planner = NULL;
    cr_status status = cr_plan_read(ask->words[0], ask->library, &plan, &report);
    if (status != CR_OK) {
        return report_print(status, &report);
    }
    bool tree = is_page(to) ? !ask->no_tree : is_film(to) && ask->film.tree;
    int code = tree ? regrow(plan, &planner) : -1;
    if (code < 0) {
        code = export_plan(plan, planner, to, &ask->film);
    }
    cr_planner_destroy(planner);
    cr_plan_destroy(plan);
    return code;
}

static int try_and_export(const request *ask)
{
    const char *to = ask->words[1];
    int code = is_film(to) ? film_try(to, &ask->film) : output_try_playback(to);
    if (code < 0 && is_page(ask->words[0]) && is_film(to)) {
        return say_written(film_write(ask->words[0], to, &ask->film), to);
    }
    return code >= 0 ? code : export(ask);
}

static const char about[] =
    "Turn a plan into something to look at. The ending of FILE says what:\n"
    "  .html           one page with everything, to open in a browser\n"
    "  .mp4 .webm .gif a film, .png a picture: made with chromium and ffmpeg\n"
    "  .glb            an animation, for Blender and others\n"
    "  .svg            a drawing from above, for papers\n"
    "  .csv            states; .actions.csv, .contacts.csv, .skills.csv, .channels.csv: these\n"
    "A page (.html) may stand for the plan where a film or picture is made: of a drive, say.\n"
    "Times, events and digits are the same everywhere: docs/viewer.md.";

int command_export(int argc, char **argv)
{
    request ask = {.film = film_default()};
    film *f = &ask.film;
    const option_row rows[] = {
        {0, "no-tree", NULL, OPTION_FLAG, &ask.no_tree, "leave the search tree out of a page", 0, 0,
         NULL},
        {0, "size", "WxH", OPTION_TEXT, &f->size, "of a film or picture, in pixels", 0, 0, NULL},
        {0, "fps", "N", OPTION_INT, &f->fps, "frames a second of a film", 1, 120, NULL},
        {0, "speed", "X", OPTION_NUMBER, &f->speed, "of a film; 0.5: half as fast", 0.01, 100,
         NULL},
        {0, "at", "S", OPTION_NUMBER, &f->at, "second of a picture", 0, 1e6, NULL},
        {0, "camera", "C", OPTION_TEXT, &f->camera, "free, follow, ride, eyes, around or top", 0, 0,
         NULL},
        {0, "tint", "T", OPTION_TEXT, &f->tint, "of the paths: body, speed, slip or skill", 0, 0,
         NULL},
        {0, "slow", NULL, OPTION_FLAG, &f->slow, "slow motion at contacts", 0, 0, NULL},
        {0, "tree", NULL, OPTION_FLAG, &f->tree, "grow the search tree in a film", 0, 0, NULL},
        {0, "dark", NULL, OPTION_FLAG, &f->dark, "a dark film", 0, 0, NULL},
        load_option(&ask.library),
    };
    usage how = {"carom export PLAN FILE [options]", about, rows,
                 sizeof rows / sizeof rows[0],       2,     2};
    load_words read = {&ask.library, ask.words, 0};
    int code = load_options(&how, argc, argv, &read);
    if (code >= 0) {
        return code;
    }
    code = try_and_export(&ask);
    cr_library_destroy(ask.library);
    return code;
}
