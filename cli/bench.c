// carom bench: plan a scene with many seeds, as a table.
#include "search.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef struct range {
    int64_t first, last;
} range;

static int on_range(const char *value, void *context)
{
    range *r = context;
    char *end = NULL;
    long long first = strtoll(value, &end, 10), last = first;
    if (end != value && *end == '-') {
        const char *second = end + 1;
        last = strtoll(second, &end, 10);
        end = end == second ? NULL : end;
    }
    if (end == value || !end || *end || first < 0 || last < first || last - first > 1000000) {
        fprintf(stderr, "carom: a range is wanted, as 1-100, got \"%s\"\n", value);
        return EXIT_USAGE;
    }
    *r = (range){first, last};
    return 0;
}

// Sums over all searches, for the summary.
typedef struct sums {
    int runs, solved;
    double nodes, nodes2, steps, steps2, seconds, seconds2;
} sums;

static void add(sums *s, const cr_planner_stats *stats, cr_outcome outcome)
{
    double nodes = (double)stats->nodes, steps = (double)stats->steps;
    s->runs++;
    s->solved += outcome == CR_OUTCOME_SOLVED;
    s->nodes += nodes;
    s->nodes2 += nodes * nodes;
    s->steps += steps;
    s->steps2 += steps * steps;
    s->seconds += stats->seconds;
    s->seconds2 += stats->seconds * stats->seconds;
}

static double deviation(double sum, double squares, int n)
{
    double variance = n > 1 ? (squares - sum * sum / n) / (n - 1) : 0;
    return variance > 0 ? sqrt(variance) : 0;
}

static void print_summary(const sums *s)
{
    int n = s->runs > 0 ? s->runs : 1;
    fprintf(stderr,
            "%d of %d solved (%.0f%%); nodes %.0f ± %.0f, steps %.0f ± %.0f, time %.3f ± %.3f s\n",
            s->solved, s->runs, 100.0 * s->solved / n, s->nodes / n,
            deviation(s->nodes, s->nodes2, s->runs), s->steps / n,
            deviation(s->steps, s->steps2, s->runs), s->seconds / n,
            deviation(s->seconds, s->seconds2, s->runs));
}

static void print_row(const cr_planner *planner, cr_outcome outcome)
{
    cr_planner_stats s = cr_planner_get_stats(planner);
    const cr_planner_def *def = cr_planner_get_def(planner);
    printf("%llu,%s,%s,%s,%lld,%lld,%lld,%.6f,%.6f,%.6f,%.6f,%016llx\n",
           (unsigned long long)def->seed, cr_select_name(def->select), def->engine,
           cr_outcome_name(outcome), (long long)s.nodes, (long long)s.steps, (long long)s.attempts,
           s.seconds, s.select_seconds, s.behavior_seconds, s.engine_seconds,
           (unsigned long long)s.tree_hash);
    fflush(stdout);
}

// What was found must replay; with a folder, it is also written there.
static cr_status keep_plan(const cr_planner *planner, cr_outcome outcome, const char *folder,
                           cr_report *report)
{
    cr_plan *plan = NULL;
    cr_status status = cr_plan_create(planner, outcome, &plan, report);
    for (int i = 0; plan && status == CR_OK && i < cr_plan_solution_count(plan); i++) {
        status = cr_plan_replay(plan, i, NULL, NULL, report);
    }
    if (plan && status == CR_OK && folder) {
        char path[1024];
        snprintf(path, sizeof path, "%s/%s-%llu.plan.json", folder,
                 cr_scene_name(cr_model_scene(cr_plan_model(plan))),
                 (unsigned long long)cr_planner_get_def(planner)->seed);
        status = cr_plan_write(plan, path, report);
    }
    cr_plan_destroy(plan);
    return status;
}

static cr_outcome grow(cr_planner *planner, double seconds)
{
    cr_slice slice = {.seconds = seconds, .stop = stop_asked};
    cr_outcome outcome = cr_planner_grow(planner, &slice);
    return outcome == CR_OUTCOME_GROWING ? CR_OUTCOME_SECONDS : outcome;
}

// One search. Returns -1 or an exit code.
static int bench_one(const cr_model *model, const cr_planner_def *def, double seconds,
                     const char *folder, sums *all)
{
    cr_report report = {0};
    cr_planner *planner = NULL;
    cr_status status = cr_planner_create(model, NULL, def, &planner, &report);
    if (status == CR_OK) {
        cr_outcome outcome = grow(planner, seconds);
        cr_planner_stats stats = cr_planner_get_stats(planner);
        print_row(planner, outcome);
        add(all, &stats, outcome);
        status = keep_plan(planner, outcome, folder, &report);
    }
    cr_planner_destroy(planner);
    return status == CR_OK ? -1 : report_print(status, &report);
}

static int bench(const cr_model *model, cr_planner_def *def, range seeds, double seconds,
                 const char *folder)
{
    sums all = {0};
    progress bar = {0};
    int code = -1;
    printf("seed,select,engine,outcome,nodes,steps,attempts,seconds,select_seconds,"
           "behavior_seconds,engine_seconds,tree\n");
    for (int64_t seed = seeds.first; seed <= seeds.last && code < 0 && !stop_asked(NULL); seed++) {
        def->seed = (uint64_t)seed;
        code = bench_one(model, def, seconds, folder, &all);
        if (progress_due(&bar)) {
            progress_show(&bar, "%d of %lld searches, %d solved", all.runs,
                          (long long)(seeds.last - seeds.first + 1), all.solved);
        }
    }
    progress_end(&bar);
    print_summary(&all);
    return code < 0 ? EXIT_DONE : code;
}

int command_bench(int argc, char **argv)
{
    search asked = {0};
    range seeds = {1, 10};
    const char *folder = NULL;
    option_row rows[SEARCH_OPTIONS + 2];
    int count = search_options(&asked, rows);
    rows[count++] =
        (option_row){0, "seeds", "A-B",   OPTION_CALL, &seeds, "seeds to plan with (default 1-10)",
                     0, 0,       on_range};
    rows[count++] = (option_row){
        0, "plans", "FOLDER", OPTION_TEXT, &folder, "write each plan there", 0, 0, NULL};
    usage how = {"carom bench SCENE --seeds A-B [options]",
                 "Plan a scene once for each seed. A table (CSV) on stdout, a summary on stderr. "
                 "Every plan\n"
                 "that is found is replayed; one that does not replay ends the run.",
                 rows,
                 count,
                 1,
                 1};
    const char *word;
    int words;
    int code = options_read(&how, argc, argv, &word, &words);
    if (code >= 0) {
        return code;
    }
    cr_model *model = NULL;
    cr_planner_def def;
    code = search_load(&asked, word, &model, &def);
    if (code >= 0) {
        return code;
    }
    code = bench(model, &def, seeds, asked.seconds, folder);
    cr_model_destroy(model);
    return code;
}
