// carom export: a plan as a page, an animation, a drawing or a table.
#include "search.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

int export_plan(const cr_plan *plan, const cr_planner *planner, const char *path)
{
    cr_report report = {0};
    cr_playback *playback = NULL;
    cr_status status = cr_plan_playback(plan, planner, &playback, &report);
    if (status == CR_OK) {
        status = cr_playback_write(playback, path, &report);
    }
    cr_playback_destroy(playback);
    if (status != CR_OK) {
        return report_print(status, &report);
    }
    printf("wrote %s\n", path);
    return EXIT_DONE;
}

// Grow the plan's tree again: the same attempts give the same tree.
static int regrow(const cr_plan *plan, cr_planner **planner)
{
    cr_report report = {0};
    cr_planner_def def = *cr_plan_def(plan);
    def.attempts = cr_plan_attempts(plan);
    cr_status status = cr_planner_create(cr_plan_model(plan), NULL, &def, planner, &report);
    if (status != CR_OK) {
        return report_print(status, &report);
    }
    cr_slice slice = {.stop = stop_asked};
    cr_planner_grow(*planner, &slice);
    return -1;
}

int command_export(int argc, char **argv)
{
    bool no_tree = false;
    const option_row rows[] = {
        {0, "no-tree", NULL, OPTION_FLAG, &no_tree, "leave the search tree out of a page", 0, 0,
         NULL},
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
        1,
        2,
        2};
    const char *words[2];
    int count;
    int code = options_read(&how, argc, argv, words, &count);
    if (code >= 0) {
        return code;
    }
    cr_report report = {0};
    cr_plan *plan = NULL;
    cr_planner *planner = NULL;
    cr_status status = cr_plan_read(words[0], NULL, &plan, &report);
    if (status != CR_OK) {
        return report_print(status, &report);
    }
    size_t length = strlen(words[1]);
    bool page = length > 5 && strcmp(words[1] + length - 5, ".html") == 0;
    code = page && !no_tree ? regrow(plan, &planner) : -1;
    if (code < 0) {
        code = export_plan(plan, planner, words[1]);
    }
    cr_planner_destroy(planner);
    cr_plan_destroy(plan);
    return code;
}
