// carom plan: search a scene for a plan.
#include "search.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static void show_progress(progress *bar, const cr_planner_stats *stats, const cr_planner_def *def)
{
    char best[40] = "";
    if (stats->best_score > -HUGE_VAL) {
        snprintf(best, sizeof best, ", best %.4g", stats->best_score);
    }
    double rate = stats->seconds > 0 ? (double)stats->nodes / stats->seconds : 0;
    progress_show(bar, "%lld of %lld nodes, %.0f nodes/s, %lld attempts, %d found%s",
                  (long long)stats->nodes, (long long)def->nodes, rate, (long long)stats->attempts,
                  stats->solutions, best);
}

// Grow until something ends it, showing how it goes.
static cr_outcome grow(cr_planner *planner, double seconds)
{
    progress bar = {0};
    double begin = now_seconds();
    for (;;) {
        double left = seconds > 0 ? begin + seconds - now_seconds() : 1e9;
        if (left <= 0) {
            progress_end(&bar);
            return CR_OUTCOME_SECONDS;
        }
        cr_slice slice = {.seconds = left < 0.1 ? left : 0.1, .stop = stop_asked};
        cr_outcome outcome = cr_planner_grow(planner, &slice);
        if (outcome != CR_OUTCOME_GROWING) {
            progress_end(&bar);
            return outcome;
        }
        if (progress_due(&bar)) {
            cr_planner_stats stats = cr_planner_get_stats(planner);
            show_progress(&bar, &stats, cr_planner_get_def(planner));
        }
    }
}

static void print_counts(const cr_planner *planner, cr_outcome outcome)
{
    cr_planner_stats s = cr_planner_get_stats(planner);
    printf("%s: %lld nodes, %lld steps, %lld attempts in %.3f s (%.0f nodes/s)\n",
           cr_outcome_name(outcome), (long long)s.nodes, (long long)s.steps, (long long)s.attempts,
           s.seconds, s.seconds > 0 ? (double)s.nodes / s.seconds : 0);
    printf("branches: %lld kept, %lld ended, %lld broke a rule, %lld blew up\n",
           (long long)cr_planner_branch_count(planner) - 1, (long long)s.ended,
           (long long)s.dead_rule, (long long)s.dead_engine);
}

static void print_solutions(const cr_plan *plan)
{
    int count = cr_plan_solution_count(plan);
    for (int i = 0; i < count; i++) {
        cr_solution s = cr_plan_solution(plan, i);
        printf("%s %d: %.3f s, %lld steps in %d branches, score %.4g, turning %.0f deg, "
               "%d contacts, hash %016llx\n",
               s.goal ? "solution" : "best so far (the goal is not reached)", i + 1, s.seconds,
               (long long)s.steps, s.branches, s.score, s.turning * 57.29577951308232, s.contacts,
               (unsigned long long)s.hash);
    }
}

// A plan file, or something to look at, by the path's ending.
static int write_plan(const cr_plan *plan, const cr_planner *planner, const char *path)
{
    size_t length = strlen(path);
    if (length < 5 || strcmp(path + length - 5, ".json") != 0) {
        return export_plan(plan, planner, path);
    }
    cr_report report = {0};
    cr_status status = cr_plan_write(plan, path, &report);
    if (status == CR_OK) {
        printf("wrote %s\n", path);
    }
    return report_print(status, &report);
}

// What the search has come to, written and said, in this order: a reader of stdout that goes away
// early must not cost the file. Returns the exit code.
static int finish(const cr_planner *planner, cr_outcome outcome, const char *scene,
                  const char *path)
{
    cr_report report = {0};
    cr_plan *plan = NULL;
    cr_status status = cr_plan_create(planner, outcome, &plan, &report);
    int code = status == CR_OK ? EXIT_DONE : report_print(status, &report);
    if (plan && path) {
        code = write_plan(plan, planner, path);
    }
    print_counts(planner, outcome);
    if (!plan) {
        printf("no plan within the budget; try another --seed, or more --nodes\n");
        return code != EXIT_DONE ? code : EXIT_NO_PLAN;
    }
    print_solutions(plan);
    bool reached = cr_plan_solution(plan, 0).goal || outcome == CR_OUTCOME_BEST;
    const char *options = strchr(cr_plan_repeat(plan), ' ');
    printf("repeat: carom plan %s%s\n", scene, options ? options : "");
    cr_plan_destroy(plan);
    return code != EXIT_DONE ? code : (reached ? EXIT_DONE : EXIT_NO_PLAN);
}

int command_plan(int argc, char **argv)
{
    search asked = {0};
    const char *output = NULL;
    option_row rows[SEARCH_OPTIONS + 1];
    int count = search_options(&asked, rows);
    rows[count++] = (option_row){
        'o',         "output", "FILE",
        OPTION_TEXT, &output,  "write the plan to FILE: .json, or .html, .glb, .svg, .csv",
        0,           0,        NULL};
    usage how = {"carom plan SCENE [options]",
                 "Search a scene for a plan: a future that reaches the goal and breaks no rule. "
                 "SCENE is a file,\n"
                 "or the name of a scene that came with carom (`carom list scenes`).",
                 rows,
                 count,
                 1,
                 1};
    search_scene scene;
    int code = search_begin(&asked, &how, argc, argv, &scene);
    if (code >= 0) {
        return code;
    }
    cr_report report = {0};
    cr_planner *planner = NULL;
    cr_status status = search_planner(&scene, &planner, &report);
    code = report_print(status, &report);
    if (status == CR_OK) {
        code = finish(planner, grow(planner, asked.seconds), scene.word, output);
    }
    cr_planner_destroy(planner);
    cr_model_destroy(scene.model);
    return code;
}
