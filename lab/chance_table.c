// What plans are worth against the luck of foreign Tactics: what was predicted when the plan was
// made, and what came of executing it with draws that neither the search nor the prediction has
// seen.
#include "lab/side_tables.h"

#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>

#include "lab/statistics.h"
#include "terminal/scenes.h"

enum { PLANS = 20, QUICK_PLANS = 2, EXECUTIONS = 200 };

// A plan, and how often it holds.
typedef struct worth {
    cr_robustness predicted;
    int reached; // of EXECUTIONS
} worth;

// Those of one way to deal with chance, summed up.
typedef struct worths {
    int plans, agree, in_interval;
    int predicted, reached;
} worths;

static int predict(const cr_model *model, const cr_planner_def *def, cr_robustness *result)
{
    cr_report report = {0};
    cr_planner *planner = NULL;
    cr_plan *plan = NULL;
    cr_status status = cr_planner_create(model, def, &planner, &report);
    if (status == CR_OK) {
        cr_outcome outcome = cr_planner_grow(planner, NULL);
        status = cr_plan_create(planner, outcome, &plan, &report);
    }
    *result = (cr_robustness){0};
    if (status == CR_OK && plan && cr_plan_solution(plan, 0).goal) {
        cr_robust_def luck = cr_luck_def();
        luck.truth.seed = def->seed;
        status = cr_plan_try(plan, 0, &luck, result, &report);
    }
    cr_plan_destroy(plan);
    cr_planner_destroy(planner);
    return status == CR_OK ? -1 : report_print(status, &report);
}

// The same search finds the same plan; the world it is executed in draws anew.
static int execute(const cr_model *model, const cr_planner_def *def, int *reached)
{
    cr_report report = {0};
    cr_status status = CR_OK;
    for (int i = 0; i < EXECUTIONS && status == CR_OK && goes_on(); i++) {
        cr_run_result result;
        cr_run_def run = cr_default_run_def(model);
        run.planner = *def;
        run.truth = cr_exact_truth_def();
        run.truth.engine = def->engine;
        run.truth.seed = def->seed * 7919 + 500000 + (uint64_t)i;
        status = cr_run_execute(model, &run, NULL, &result, &report);
        *reached += result.goal;
    }
    return status == CR_OK ? -1 : report_print(status, &report);
}

static void print_worth(FILE *file, const char *chance, uint64_t seed, const worth *w)
{
    const cr_robustness *r = &w->predicted;
    bounds e = share_bounds(w->reached, EXECUTIONS);
    fprintf(file, "%s,%llu,%d,%d,%.4f,%.4f,%d,%d,%.4f,%.4f,%.4f\n", chance,
            (unsigned long long)seed, r->futures, r->held, r->low, r->high, EXECUTIONS, w->reached,
            e.low, e.high, same_share(r->held, r->futures, w->reached, EXECUTIONS));
}

static void add_worth(worths *all, const worth *w)
{
    const cr_robustness *r = &w->predicted;
    double share = (double)w->reached / EXECUTIONS;
    all->plans++;
    all->predicted += r->held;
    all->reached += w->reached;
    all->in_interval += share >= r->low && share <= r->high;
    all->agree += same_share(r->held, r->futures, w->reached, EXECUTIONS) >= 0.05;
}

static void print_worths(const char *chance, const worths *all)
{
    int futures = all->plans * EXECUTIONS;
    bounds p = share_bounds(all->predicted, futures), e = share_bounds(all->reached, futures);
    printf("| %s | %d | %s | %.1f%% (%.1f-%.1f) | %.1f%% (%.1f-%.1f) | %d | %d |\n", chance,
           all->plans, chance[0] == 'p' ? "100%" : "-",
           futures ? 100.0 * all->predicted / futures : 0, 100 * p.low, 100 * p.high,
           futures ? 100.0 * all->reached / futures : 0, 100 * e.low, 100 * e.high,
           all->in_interval, all->agree);
}

static int run_plans(const cr_model *model, cr_chance chance, int plans, FILE *csv)
{
    const char *name = chance == CR_CHANCE_NATURE ? "nature" : "planner";
    worths all = {0};
    int code = -1;
    for (int seed = 1; seed <= plans && code < 0 && goes_on(); seed++) {
        worth w = {0};
        cr_planner_def def = cr_model_planner_def(model);
        def.chance = chance;
        def.seed = (uint64_t)seed;
        def.threads = 1;
        code = predict(model, &def, &w.predicted);
        bool found = code < 0 && w.predicted.futures > 0;
        code = found ? execute(model, &def, &w.reached) : code;
        if (found && code < 0 && goes_on()) {
            print_worth(csv, name, def.seed, &w);
            add_worth(&all, &w);
        }
    }
    print_worths(name, &all);
    return code;
}

static int run_both(const cr_model *model, int plans, FILE *csv)
{
    fprintf(csv, "chance,seed,futures,held,low,high,executions,reached,reached_low,reached_high,"
                 "same_share\n");
    printf("| chance | plans | claimed | predicted with other draws (95%%) | executed (95%%) | "
           "executed within the predicted interval | p at least 0.05 |\n"
           "|---|---|---|---|---|---|---|\n");
    int code = run_plans(model, CR_CHANCE_NATURE, plans, csv);
    return code < 0 ? run_plans(model, CR_CHANCE_PLANNER, plans, csv) : code;
}

int chance_table(const run_tables_def *def)
{
    cr_report report = {0};
    cr_scene *scene = NULL;
    cr_model *model = NULL;
    char *found = scene_find("soccer/penalty"), path[1000];
    cr_status status = found ? cr_scene_read(found, &scene, &report) : CR_ERR_MEMORY;
    status = status == CR_OK ? cr_model_create(scene, NULL, 0, &model, &report) : status;
    int code = status == CR_OK ? -1 : report_print(status, &report);
    outfile csv;
    mkdir(def->folder, 0777); // it may be there
    snprintf(path, sizeof path, "%s/chance.csv", def->folder);
    FILE *file = code < 0 ? outfile_open(&csv, path) : NULL;
    if (file) {
        int plans = def->trials > 0 ? (int)def->trials : def->quick ? QUICK_PLANS : PLANS;
        code = run_both(model, plans, file);
        int closed = outfile_close(&csv);
        code = code >= 0 ? code : closed;
    } else {
        code = code >= 0 ? code : EXIT_INTERNAL;
    }
    cr_model_destroy(model);
    cr_scene_destroy(scene);
    free(found);
    if (code < 0 && stop_asked(NULL)) {
        return interrupted("the plans that are whole are in %s", shown(path));
    }
    return code < 0 ? EXIT_DONE : code;
}
