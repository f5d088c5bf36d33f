// carom export: a plan as a page, an animation, a drawing or a table.
#include "terminal/json.h"
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
    return path && is_plan_file(path) ? output_try(path) : output_try_playback(path);
}

static cr_status export_plan(const cr_plan *plan, const cr_planner *planner, const char *path,
                             cr_report *report)
{
    cr_playback *playback = NULL;
    cr_status status = cr_plan_playback(plan, planner, &playback, report);
    if (status == CR_OK) {
        status = cr_playback_write(playback, path, report);
    }
    cr_playback_destroy(playback);
    return status;
}

int plan_write(const cr_plan *plan, const cr_planner *planner, const char *path)
{
    cr_report report = {0};
    cr_status status = is_plan_file(path) ? cr_plan_write(plan, path, &report)
                                          : export_plan(plan, planner, path, &report);
    if (status != CR_OK) {
        return report_print(status, &report);
    }
    if (json_wanted()) {
        json_text("wrote", path);
    } else {
        printf("wrote %s\n", shown(path));
    }
    return EXIT_DONE;
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

static int export(const char *const words[2], const cr_library *library, bool no_tree)
{
    cr_report report = {0};
    cr_plan *plan = NULL;
    cr_planner *planner = NULL;
    cr_status status = cr_plan_read(words[0], library, &plan, &report);
    if (status != CR_OK) {
        return report_print(status, &report);
    }
    int code = is_page(words[1]) && !no_tree ? regrow(plan, &planner) : -1;
    if (code < 0) {
        code = plan_write(plan, planner, words[1]);
    }
    cr_planner_destroy(planner);
    cr_plan_destroy(plan);
    return code;
}

int command_export(int argc, char **argv)
{
    bool no_tree = false;
    cr_library *library = NULL;
    const option_row rows[] = {
        {0, "no-tree", NULL, OPTION_FLAG, &no_tree, "leave the search tree out of a page", 0, 0,
         NULL},
        load_option(&library),
    };
    usage how = {
        "carom export PLAN FILE [options]",
        "Turn a plan into something to look at. The ending of FILE says what:\n"
        "  .html           one page with everything, to open in a browser\n"
        "  .glb            an animation, for Blender and others\n"
        "  .svg            a drawing from above, for papers\n"
        "  .csv            states; .actions.csv, .contacts.csv, .skills.csv, .channels.csv: these\n"
        "Times, events and digits are the same everywhere: docs/viewer.md.",
        rows,
        2,
        2,
        2};
    const char *words[2];
    load_words read = {&library, words, 0};
    int code = load_options(&how, argc, argv, &read);
    if (code >= 0) {
        return code;
    }
    code = output_try_playback(words[1]);
    code = code >= 0 ? code : export(words, library, no_tree);
    cr_library_destroy(library);
    return code;
}
