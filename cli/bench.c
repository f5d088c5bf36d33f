// carom bench: plan a scene with many seeds, as a table.
#include "bench.h"

#include "terminal/json.h"

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
        fprintf(stderr, "carom: a range is wanted, as 1-100, got \"%s\"\n", shown(value));
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
           (unsigned long long)run->def.seed, run->def.select, run->def.engine,
           cr_outcome_name(run->outcome), (long long)s->nodes, (long long)s->steps,
           (long long)s->attempts, s->seconds, s->select_seconds, s->behavior_seconds,
           s->engine_seconds, (unsigned long long)s->tree_hash);
    fflush(stdout);
}

static void csv_end(const bench_table *table)
{
    if (table->interrupted) {
        printf("# interrupted: %d of %lld searches\n", table->count,
               (long long)bench_wanted(table));
    }
}

static const bench_format bench_csv = {"csv", csv_begin, csv_row, csv_end};

// Where the plan of a seed is written. The scene's name is a stranger's: what could lead out of the
// folder, or be no part of a name, is left out of it.
static void plan_path(const bench_table *table, uint64_t seed, char path[1200])
{
    char name[64];
    const char *given = cr_scene_name(cr_model_scene(table->model));
    size_t length = 0;
    for (; given[length] && length < sizeof name - 1; length++) {
        char c = given[length];
        bool plain = (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') ||
                     c == '-' || c == '_' || (c == '.' && length > 0);
        name[length] = plain ? c : '_';
    }
    name[length] = 0;
    snprintf(path, 1200, "%s/%s-%llu.plan.json", table->folder, length > 0 ? name : "scene",
             (unsigned long long)seed);
}

static double time_left(const bench_table *table, double begin)
{
    return table->limit > 0 ? fmax(begin + table->limit - now_seconds(), 1e-3) : 0;
}

// Step through the plan's solutions again, as far as there is time.
static cr_status replay_all(const bench_table *table, const cr_plan *plan, double begin,
                            bench_run *run, cr_report *report)
{
    cr_status status = CR_OK;
    int count = cr_plan_solution_count(plan), done = 0;
    while (status == CR_OK && done < count &&
           (done == 0 || table->limit <= 0 || now_seconds() < begin + table->limit)) {
        status = cr_plan_replay(plan, done++, NULL, NULL, report);
    }
    run->left_out = count - done + cr_plan_left_out(plan);
    run->replayed = status == CR_OK;
    return status;
}

// What was found must replay; with a folder, it is also written there. Returns -1 or an exit code.
static int keep_plan(const bench_table *table, const cr_planner *planner, double begin,
                     bench_run *run)
{
    cr_plan *plan = NULL;
    cr_report report = {0};
    cr_status status =
        cr_plan_create_within(planner, run->outcome, time_left(table, begin), &plan, &report);
    if (plan) {
        run->has_plan = true;
        run->solution = cr_plan_solution(plan, 0);
        status = replay_all(table, plan, begin, run, &report);
    }
    int code = status == CR_OK ? -1 : report_own(status, &report);
    if (plan && code < 0 && table->folder) {
        char path[1200];
        plan_path(table, run->def.seed, path);
        status = cr_plan_write(plan, path, &report);
        code = status == CR_OK ? -1 : report_print(status, &report);
    }
    cr_plan_destroy(plan);
    return code;
}

// Where several solutions are wanted, a quarter of the time is for ranking and replaying them.
static cr_outcome grow(cr_planner *planner, double seconds)
{
    double share = cr_planner_get_def(planner)->solutions > 1 ? 0.75 : 1;
    cr_slice slice = {.seconds = seconds * share, .stop = stop_asked};
    cr_outcome outcome = cr_planner_grow(planner, &slice);
    return outcome == CR_OUTCOME_GROWING ? CR_OUTCOME_SECONDS : outcome;
}

// One search, as one more run of the table unless it was cut. Returns -1 or an exit code.
static int bench_one(bench_table *table, const cr_planner_def *def)
{
    cr_report report = {0};
    cr_planner *planner = NULL;
    double begin = now_seconds();
    cr_status status = cr_planner_create(table->model, def, &planner, &report);
    int code = status == CR_OK ? -1 : report_print(status, &report);
    if (code < 0) {
        bench_run *run = &table->runs[table->count];
        *run = (bench_run){.def = *def, .outcome = grow(planner, table->limit)};
        run->stats = cr_planner_get_stats(planner);
        run->branches = cr_planner_branch_count(planner) - 1;
        table->interrupted = run->outcome == CR_OUTCOME_STOPPED;
        code = table->interrupted ? -1 : keep_plan(table, planner, begin, run);
        table->count += !table->interrupted;
    }
    cr_planner_destroy(planner);
    return code;
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

static int left_out(const bench_table *table)
{
    int count = 0;
    for (int i = 0; i < table->count; i++) {
        count += table->runs[i].left_out;
    }
    return count;
}

// One search a seed, and the summary. Returns -1 or an exit code.
static int bench_seeds(bench_table *table, cr_planner_def *def, const bench_format *format)
{
    sums all = {0};
    progress bar = {0};
    int code = -1;
    for (int64_t seed = table->first_seed;
         seed <= table->last_seed && code < 0 && !table->interrupted && stdout_good(); seed++) {
        def->seed = (uint64_t)seed;
        int before = table->count;
        code = reserve(table) ? bench_one(table, def) : EXIT_INTERNAL;
        if (table->count > before) {
            const bench_run *run = &table->runs[before];
            add(&all, &run->stats, run->outcome);
            if (format->row) {
                format->row(run);
            }
        }
        if (progress_due(&bar)) {
            progress_show(&bar, "%d of %lld searches, %d solved", all.runs,
                          (long long)bench_wanted(table), all.solved);
        }
        table->interrupted |= stop_asked(NULL) && seed < table->last_seed;
    }
    progress_end(&bar);
    if (stdout_good()) {
        print_summary(&all);
    }
    return code;
}

static int bench(bench_table *table, cr_planner_def *def, const bench_format *format)
{
    table->began = now_seconds();
    if (format->begin) {
        format->begin(table);
    }
    int code = bench_seeds(table, def, format);
    if (format->end) {
        format->end(table);
    }
    if (left_out(table) > 0) {
        fprintf(stderr, "carom: there was no time to replay %d solutions\n", left_out(table));
    }
    if (table->interrupted && code < 0) {
        code = interrupted("%d of %lld searches are in the table", table->count,
                           (long long)bench_wanted(table));
    }
    free(table->runs);
    return code < 0 ? EXIT_DONE : code;
}

// The folder for the plans, tried with the name of the first.
static int try_folder(const bench_table *table)
{
    char path[1200];
    if (!table->folder) {
        return -1;
    }
    plan_path(table, (uint64_t)table->first_seed, path);
    return output_try(path);
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
    fprintf(stderr, "carom: --format must be csv or ompl, got \"%s\"\n", shown(value));
    return EXIT_USAGE;
}

// The format that was asked for, NULL for none, or the default. Returns -1 or an exit code.
static int choose_format(const bench_format **format)
{
    if (json_wanted() && *format) {
        fprintf(stderr, "carom: --json and --format are two formats\n");
        return EXIT_USAGE;
    }
    if (!*format) {
        *format = json_wanted() ? &bench_json : &bench_csv;
    }
    return -1;
}

int command_bench(int argc, char **argv)
{
    search asked = {0};
    range seeds = {1, 10};
    const char *folder = NULL;
    const bench_format *format = NULL;
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
                         .limit = asked.seconds,
                         .folder = folder};
    code = choose_format(&format);
    code = code >= 0 ? code : try_folder(&table);
    code = code >= 0 ? code : bench(&table, &scene.def, format);
    search_end(&asked, &scene);
    return code;
}
