// carom bench: plan a scene with many seeds, as a table.
#include "bench.h"
#include "portfolio.h"

#include "cluster/wire.h"
#include "terminal/json.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

// Sums over all searches, for the summary.
typedef struct sums {
    int runs, solved;
    double nodes, nodes2, steps, steps2, seconds, seconds2;
    int drawn, refused; // variations
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

// How much of what was drawn had to be drawn again.
static void print_varied(const sums *s, double share)
{
    if (s->drawn > 0) {
        fprintf(stderr, "varied by %g%%: %d of %d draws were refused (%.0f%%)\n", 100 * share,
                s->refused, s->drawn, 100.0 * s->refused / s->drawn);
    }
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
    cr_slice slice = {.seconds = seconds * share, .stop = cluster_stop};
    cr_outcome outcome = cr_planner_grow(planner, &slice);
    return outcome == CR_OUTCOME_GROWING ? CR_OUTCOME_SECONDS : outcome;
}

// ---------------------------------------------------------------------------------------------
// Searches are shared by all processes; their results come back as words.

#define FIELD(kind, name)                                                                          \
    {                                                                                              \
        kind, offsetof(bench_run, name)                                                            \
    }
static const wire_row fields[] = {
    FIELD(WIRE_INT, outcome),
    FIELD(WIRE_COUNT, branches),
    FIELD(WIRE_FLAG, has_plan),
    FIELD(WIRE_FLAG, replayed),
    FIELD(WIRE_INT, left_out),
    FIELD(WIRE_COUNT, stats.nodes),
    FIELD(WIRE_COUNT, stats.decisions),
    FIELD(WIRE_COUNT, stats.steps),
    FIELD(WIRE_COUNT, stats.attempts),
    FIELD(WIRE_INT, stats.solutions),
    FIELD(WIRE_NUMBER, stats.best_score),
    FIELD(WIRE_NUMBER, stats.seconds),
    FIELD(WIRE_NUMBER, stats.select_seconds),
    FIELD(WIRE_NUMBER, stats.behavior_seconds),
    FIELD(WIRE_NUMBER, stats.engine_seconds),
    FIELD(WIRE_HASH, stats.tree_hash),
    FIELD(WIRE_SIZE, stats.bytes),
    FIELD(WIRE_FLAG, solution.goal),
    FIELD(WIRE_NUMBER, solution.seconds),
    FIELD(WIRE_NUMBER, solution.score),
    FIELD(WIRE_NUMBER, solution.turning),
    FIELD(WIRE_INT, solution.contacts),
    FIELD(WIRE_INT, solution.branches),
    FIELD(WIRE_INT, drawn),
    FIELD(WIRE_INT, refused),
};
enum { FIELD_COUNT = sizeof fields / sizeof fields[0] };

enum { BENCH_OPTIONS = 6 };

typedef struct bench_work {
    bench_table *table;
    const bench_format *format;
    const char *path; // of the journal, or NULL
    journal journal;
    sums all;
    int64_t racers; // seeds of a race, of which a row is the winner; 0: a row a seed
    winner_by winner;
    const search *asked;
    const search_scene *scene;
} bench_work;

static uint64_t seed_of(const bench_table *table, int64_t unit)
{
    return (uint64_t)(table->seeds.first + unit);
}

// The model of a search: that of the table, or one of a variation by the search's seed, which
// *own is then.
static cr_status model_of(const bench_table *table, bench_run *run, cr_model **own,
                          cr_report *report)
{
    if (!search_varies_each(table->asked)) {
        return CR_OK;
    }
    cr_scene *varied = NULL;
    cr_vary_stats stats;
    cr_status status = search_vary(table->asked, cr_model_scene(table->model), run->def.seed,
                                   &varied, &stats, report);
    if (status == CR_OK) {
        status = cr_model_create(varied, table->asked->library, cr_model_start(table->model), own,
                                 report);
    }
    run->drawn = stats.drawn;
    run->refused = stats.refused;
    cr_scene_destroy(varied);
    return status;
}

// One search.
static int run_seed(int64_t unit, FILE *result, void *context)
{
    const bench_table *table = ((const bench_work *)context)->table;
    cr_report report = {0};
    cr_planner *planner = NULL;
    cr_model *own = NULL;
    double begin = now_seconds();
    bench_run run = {.def = *table->def};
    run.def.seed = seed_of(table, unit);
    cr_status status = model_of(table, &run, &own, &report);
    if (status == CR_OK) {
        status = cr_planner_create(own ? own : table->model, &run.def, &planner, &report);
    }
    int code = status == CR_OK ? CLUSTER_ON : report_print(status, &report);
    if (status == CR_OK) {
        run.outcome = grow(planner, table->limit);
        run.stats = cr_planner_get_stats(planner);
        run.branches = cr_planner_branch_count(planner) - 1;
        code = run.outcome == CR_OUTCOME_STOPPED ? CLUSTER_CUT
                                                 : keep_plan(table, planner, begin, &run);
        wire_print(result, fields, FIELD_COUNT, &run);
    }
    cr_planner_destroy(planner);
    cr_model_destroy(own);
    return code;
}

static bool recall_seed(int64_t unit, cluster_result *result, void *context)
{
    return journal_recall(&((bench_work *)context)->journal, unit, result);
}

static int keep_seed(int64_t unit, cluster_result result, void *context)
{
    return journal_keep(&((bench_work *)context)->journal, unit, result);
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

// One more row of the table.
static int add_row(bench_work *work, const bench_run *run)
{
    bench_table *table = work->table;
    if (!reserve(table)) {
        return EXIT_INTERNAL;
    }
    table->runs[table->count++] = *run;
    add(&work->all, &run->stats, run->outcome);
    work->all.drawn += run->drawn;
    work->all.refused += run->refused;
    if (work->format->row) {
        work->format->row(run);
    }
    return stdout_good() ? CLUSTER_ON : CLUSTER_ENOUGH;
}

static int take_seed(int64_t unit, cluster_result result, void *context)
{
    bench_work *work = context;
    const char *at = result.text;
    bench_run run = {.def = *work->table->def};
    run.def.seed = seed_of(work->table, unit);
    if (!wire_read(&at, fields, FIELD_COUNT, &run)) {
        fprintf(stderr, "carom: the result of seed %llu cannot be read\n",
                (unsigned long long)run.def.seed);
        return EXIT_FILE;
    }
    return add_row(work, &run);
}

static void say_solved(char *text, size_t size, void *context)
{
    snprintf(text, size, ", %d solved", ((const bench_work *)context)->all.solved);
}

// A search a seed. Returns what cluster_run does.
static int bench_seeds(bench_work *work)
{
    return cluster_run(&(cluster_work){.count = bench_wanted(work->table),
                                       .what = "searches",
                                       .run = run_seed,
                                       .recall = recall_seed,
                                       .keep = keep_seed,
                                       .take = take_seed,
                                       .say = say_solved,
                                       .context = work});
}

// A race, as a row with what its winner came to; with a folder, its plan is written there.
static int add_race(bench_work *work, const portfolio_result *race)
{
    bench_run run = {.def = *work->table->def,
                     .outcome = race->winner.counts.outcome,
                     .stats = race->winner.counts.stats,
                     .branches = race->winner.counts.branches};
    run.def.seed = race->winner.seed;
    if (race->length > 0 && work->table->folder) {
        char path[1200];
        cr_report report = {0};
        plan_path(work->table, run.def.seed, path);
        cr_status status = cr_file_write(path, race->text, race->length, &report);
        if (status != CR_OK) {
            return report_print(status, &report);
        }
    }
    return add_row(work, &run);
}

// A portfolio after the other, each over all processes; the last may have fewer seeds.
static int bench_races(bench_work *work)
{
    int code = CLUSTER_ON;
    for (int64_t seed = work->table->seeds.first;
         seed <= work->table->seeds.last && code == CLUSTER_ON; seed += work->racers) {
        int64_t last = seed + work->racers - 1;
        last = last < work->table->seeds.last ? last : work->table->seeds.last;
        portfolio_def def = {.seeds = {seed, last}, .by = work->winner};
        portfolio_result race;
        search asked = *work->asked;
        asked.begin = now_seconds(); // --seconds are those of a race
        code = portfolio_run(&def, &asked, work->scene, &race);
        code = code == CLUSTER_ON && race.code == CLUSTER_CUT ? CLUSTER_CUT : code;
        if (code == CLUSTER_ON && cluster_leads()) {
            code = add_race(work, &race);
        }
        free(race.text);
    }
    return code;
}

// All rows, and the summary. Returns -1 or an exit code.
static int bench_rows(bench_work *work)
{
    int code = CLUSTER_ENOUGH;
    if (stdout_good()) { // the headings have arrived
        code = work->racers > 0 ? bench_races(work) : bench_seeds(work);
    }
    work->table->interrupted = code == CLUSTER_CUT;
    if (stdout_good()) {
        print_summary(&work->all);
        print_varied(&work->all, work->asked->vary);
    }
    return code < 0 ? -1 : code;
}

static int bench(bench_work *work)
{
    bench_table *table = work->table;
    const bench_format *format = work->format;
    table->began = now_seconds();
    if (format->begin) {
        format->begin(table);
    }
    int code = bench_rows(work);
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
    plan_path(table, (uint64_t)table->seeds.first, path);
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

// What does not go together. Returns -1 or an exit code.
static int check_options(const bench_work *work)
{
    if (work->racers == 0 && work->winner != WINNER_STEPS) {
        fprintf(stderr, "carom: --winner goes with --portfolio\n");
        return EXIT_USAGE;
    }
    if (work->racers > 0 && work->path) {
        fprintf(stderr, "carom: --journal is for searches, not for the races of a --portfolio\n");
        return EXIT_USAGE;
    }
    if (work->racers > 0 && search_varies_each(work->asked)) {
        fprintf(stderr, "carom: the seeds of a --portfolio race on one scene: --vary needs a "
                        "--vary-seed there\n");
        return EXIT_USAGE;
    }
    return -1;
}

// The options beside those of a search.
static int bench_options(bench_work *work, option_row *rows)
{
    bench_table *table = work->table;
    const option_row own[] = {
        {0, "seeds", "A-B", OPTION_CALL, &table->seeds, "seeds to plan with (default 1-10)", 0, 0,
         on_seed_range},
        {0, "plans", "FOLDER", OPTION_TEXT, &table->folder, "write each plan there", 0, 0, NULL},
        {0, "format", "csv|ompl", OPTION_CALL, &work->format,
         "a table, or OMPL's benchmark log (default csv)", 0, 0, on_format},
        {0, "portfolio", "N", OPTION_INT, &work->racers,
         "a row is the winner of N seeds that race over all processes", 1, 1e6, NULL},
        portfolio_winner_option(&work->winner),
        journal_option(&work->path),
    };
    memcpy(rows, own, sizeof own);
    return BENCH_OPTIONS;
}

static int run_bench(bench_work *work)
{
    int code = choose_format(&work->format);
    code = code >= 0 ? code : check_options(work);
    code = code >= 0 ? code : try_folder(work->table);
    code = code >= 0
               ? code
               : search_journal(&work->journal, work->path, work->scene, bench_wanted(work->table));
    return code >= 0 ? code : journal_close(&work->journal, bench(work));
}

int command_bench(int argc, char **argv)
{
    search asked = {.vary_each = true};
    search_scene scene;
    bench_table table = {.seeds = {1, 10}, .def = &scene.def, .asked = &asked};
    bench_work work = {.table = &table, .asked = &asked, .scene = &scene};
    option_row rows[SEARCH_OPTIONS + BENCH_OPTIONS];
    int count = search_options(&asked, rows);
    count += bench_options(&work, rows + count);
    usage how = {
        "carom bench SCENE --seeds A-B [options]",
        "Plan a scene once for each seed. A table on stdout, a summary on stderr. Every "
        "plan\n"
        "that is found is replayed; one that does not replay ends the run. With --vary each\n"
        "search has a variation of the scene, drawn by its seed.",
        rows,
        count,
        1,
        1};
    int code = search_begin(&asked, &how, argc, argv, &scene);
    if (code >= 0) {
        return code;
    }
    table.model = scene.model;
    table.limit = asked.seconds;
    code = run_bench(&work);
    search_end(&asked, &scene);
    return code;
}
