// carom bench: plan a scene with many seeds, as a table.
#include "bench.h"

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

static void csv_begin(const bench_table *table)
{
    (void)table;
    printf("seed,select,engine,outcome,nodes,steps,attempts,seconds,select_seconds,"
           "behavior_seconds,engine_seconds,tree\n");
}

static void csv_row(const bench_run *run)
{
    const cr_planner_stats *s = &run->stats;
    printf("%llu,%s,%s,%s,%lld,%lld,%lld,%.6f,%.6f,%.6f,%.6f,%016llx\n",
           (unsigned long long)run->def.seed, cr_select_name(run->def.select), run->def.engine,
           cr_outcome_name(run->outcome), (long long)s->nodes, (long long)s->steps,
           (long long)s->attempts, s->seconds, s->select_seconds, s->behavior_seconds,
           s->engine_seconds, (unsigned long long)s->tree_hash);
    fflush(stdout);
}

static const bench_format bench_csv = {"csv", csv_begin, csv_row, NULL};

// What was found must replay; with a folder, it is also written there.
static cr_status keep_plan(const cr_planner *planner, const char *folder, bench_run *run,
                           cr_report *report)
{
    cr_plan *plan = NULL;
    cr_status status = cr_plan_create(planner, run->outcome, &plan, report);
    for (int i = 0; plan && status == CR_OK && i < cr_plan_solution_count(plan); i++) {
        status = cr_plan_replay(plan, i, NULL, NULL, report);
    }
    if (plan) {
        run->has_plan = true;
        run->replayed = status == CR_OK;
        run->solution = cr_plan_solution(plan, 0);
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

// One search, as one more run of the table.
static cr_status bench_one(bench_table *table, const cr_planner_def *def, const char *folder,
                           cr_report *report)
{
    cr_planner *planner = NULL;
    cr_status status = cr_planner_create(table->model, NULL, def, &planner, report);
    if (status == CR_OK) {
        bench_run *run = &table->runs[table->count++];
        *run = (bench_run){.def = *def, .outcome = grow(planner, table->limit)};
        run->stats = cr_planner_get_stats(planner);
        run->branches = cr_planner_branch_count(planner) - 1;
        status = keep_plan(planner, folder, run, report);
    }
    cr_planner_destroy(planner);
    return status;
}

// Room for one more run.
static bool reserve(bench_table *table)
{
    if (table->count < table->capacity) {
        return true;
    }
    int capacity = table->capacity * 2 + 16;
    bench_run *runs = realloc(table->runs, (size_t)capacity * sizeof *runs);
    if (runs) {
        table->runs = runs;
        table->capacity = capacity;
    }
    return runs != NULL;
}

// One search a seed. Returns -1 or an exit code.
static int bench_seeds(bench_table *table, cr_planner_def *def, const char *folder,
                       const bench_format *format)
{
    sums all = {0};
    progress bar = {0};
    cr_report report = {0};
    cr_status status = CR_OK;
    for (int64_t seed = table->first_seed;
         seed <= table->last_seed && status == CR_OK && !stop_asked(NULL); seed++) {
        def->seed = (uint64_t)seed;
        int before = table->count;
        status = reserve(table) ? bench_one(table, def, folder, &report) : CR_ERR_MEMORY;
        if (table->count > before) {
            const bench_run *run = &table->runs[before];
            add(&all, &run->stats, run->outcome);
            if (format->row) {
                format->row(run);
            }
        }
        if (progress_due(&bar)) {
            progress_show(&bar, "%d of %lld searches, %d solved", all.runs,
                          (long long)(table->last_seed - table->first_seed + 1), all.solved);
        }
    }
    progress_end(&bar);
    print_summary(&all);
    return report_print(status, &report);
}

static int bench(bench_table *table, cr_planner_def *def, const char *folder,
                 const bench_format *format)
{
    table->began = now_seconds();
    if (format->begin) {
        format->begin(table);
    }
    int code = bench_seeds(table, def, folder, format);
    if (format->end) {
        format->end(table);
    }
    free(table->runs);
    return code;
}

static int on_format(const char *value, void *context)
{
    static const bench_format *const formats[] = {&bench_csv, &bench_ompl};
    for (size_t i = 0; i < sizeof formats / sizeof formats[0]; i++) {
        if (strcmp(value, formats[i]->name) == 0) {
            *(const bench_format **)context = formats[i];
            return 0;
        }
    }
    fprintf(stderr, "carom: --format must be csv or ompl, got \"%s\"\n", value);
    return EXIT_USAGE;
}

int command_bench(int argc, char **argv)
{
    search asked = {0};
    range seeds = {1, 10};
    const char *folder = NULL;
    const bench_format *format = &bench_csv;
    option_row rows[SEARCH_OPTIONS + 3];
    int count = search_options(&asked, rows);
    rows[count++] =
        (option_row){0, "seeds", "A-B",   OPTION_CALL, &seeds, "seeds to plan with (default 1-10)",
                     0, 0,       on_range};
    rows[count++] = (option_row){
        0, "plans", "FOLDER", OPTION_TEXT, &folder, "write each plan there", 0, 0, NULL};
    rows[count++] =
        (option_row){0,           "format", "csv|ompl",
                     OPTION_CALL, &format,  "a table, or OMPL's benchmark log (default csv)",
                     0,           0,        on_format};
    usage how = {"carom bench SCENE --seeds A-B [options]",
                 "Plan a scene once for each seed. A table on stdout, a summary on stderr. Every "
                 "plan\n"
                 "that is found is replayed; one that does not replay ends the run.",
                 rows,
                 count,
                 1,
                 1};
    search_scene scene;
    int code = search_begin(&asked, &how, argc, argv, &scene);
    if (code >= 0) {
        return code;
    }
    bench_table table = {.model = scene.model,
                         .first_seed = seeds.first,
                         .last_seed = seeds.last,
                         .limit = asked.seconds};
    code = bench(&table, &scene.def, folder, format);
    cr_model_destroy(scene.model);
    return code;
}
