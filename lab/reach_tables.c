// The experiments of seed 004 as tables: table 1, the sweep over 600 settings of the cache, the
// data of figures 3 and 4; published values beside ours.
//
// A test is 100 book relocations in a row. All ways to sample solve a task one after the other,
// each with a planner and a cache of its own, so that whatever slows the machine slows all of them.
// The speed-up of a way is the effort of plain sampling over its own, summed over a test.
#include "lab/reach_tables.h"

#include <math.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>

#include "cluster/journal.h"
#include "cluster/wire.h"
#include "terminal/terminal.h"

enum { TASKS = 100, WAYS_MAX = 4 };

// A way to sample.
typedef struct way {
    const char *name;
    bool cached, flexed;
    cr_cache_def cache;
} way;

typedef struct effort {
    double iterations, samples, seconds;
    int solved;
} effort;

// What all tests need.
typedef struct lab {
    cr_arm *arm;
    cr_reach *plain, *flexed;
    journal journal;
    int64_t first; // the journal's unit of the next part's first test
    cr_report report;
} lab;

// A test's results: one row of efforts for each way, summed or task by task.
typedef struct test {
    effort sums[WAYS_MAX];
    double seconds[WAYS_MAX][TASKS];
} test;

static cr_status open_lab(lab *l)
{
    cr_reach_def def = cr_default_reach_def();
    def.smooth = 0;
    def.stop = cluster_stop;
    cr_status status = cr_arm_create_human(&l->arm, &l->report);
    if (status == CR_OK) {
        status = cr_reach_create(&def, &l->plain, &l->report);
    }
    def.flexed = true;
    return status == CR_OK ? cr_reach_create(&def, &l->flexed, &l->report) : status;
}

static void close_lab(lab *l)
{
    cr_reach_destroy(l->plain);
    cr_reach_destroy(l->flexed);
    cr_arm_destroy(l->arm);
}

// Said in a table that has fewer tests than asked for; the ones that were cut are not in it.
static void print_cut(int code, int done, int wanted)
{
    if (code == CLUSTER_CUT && done < wanted) {
        printf("\nInterrupted: %d of %d.\n", done, wanted);
    }
}

static cr_status solve_task(lab *l, const way *w, cr_cache *cache, const cr_reach_task *task,
                            uint64_t seed, effort *sum)
{
    cr_reach_result result;
    cr_status status =
        cr_reach_plan(w->flexed ? l->flexed : l->plain, task, seed, cache, &result, &l->report);
    sum->iterations += (double)result.iterations;
    sum->samples += (double)result.samples;
    sum->seconds += result.seconds;
    sum->solved += result.outcome == CR_OUTCOME_SOLVED;
    return status;
}

static cr_status make_caches(lab *l, const way *ways, int count, cr_cache **caches)
{
    cr_status status = CR_OK;
    for (int k = 0; k < count && status == CR_OK; k++) {
        if (ways[k].cached) {
            status = cr_cache_create(l->arm, &ways[k].cache, &caches[k], &l->report);
        }
    }
    return status;
}

static cr_status run_test(lab *l, const way *ways, int count, uint64_t seed, test *t)
{
    cr_reach_tasks *tasks = NULL;
    cr_cache *caches[WAYS_MAX] = {NULL};
    *t = (test){0};
    cr_status status = make_caches(l, ways, count, caches);
    if (status == CR_OK) {
        status = cr_books_create(l->arm, seed, TASKS, &tasks, &l->report);
    }
    for (int i = 0; i < TASKS && status == CR_OK && !cluster_stop(NULL); i++) {
        for (int k = 0; k < count && status == CR_OK; k++) {
            double before = t->sums[k].seconds;
            status = solve_task(l, &ways[k], caches[k], cr_reach_task_at(tasks, i), (uint64_t)i,
                                &t->sums[k]);
            t->seconds[k][i] = t->sums[k].seconds - before;
        }
    }
    for (int k = 0; k < count; k++) {
        cr_cache_destroy(caches[k]);
    }
    cr_reach_tasks_destroy(tasks);
    return status;
}

// ---------------------------------------------------------------------------------------------
// Parts: several tests that are shared by all processes.

typedef struct part {
    lab *lab;
    const char *what;
    int count;     // tests
    int step;      // test k is setting k * step of the sweep
    uint64_t seed; // of the first test
    // The ways of a test; returns how many there are.
    int (*ways)(int index, way *ways);
    // Add a test to the sums, in order.
    void (*add)(const test *t, int ways, void *sums);
    void *sums;
} part;

static const wire_row effort_rows[] = {
    {WIRE_NUMBER, offsetof(effort, iterations)},
    {WIRE_NUMBER, offsetof(effort, samples)},
    {WIRE_NUMBER, offsetof(effort, seconds)},
    {WIRE_INT, offsetof(effort, solved)},
};
static const wire_row number_row = {WIRE_NUMBER, 0};

static void print_test(FILE *file, const test *t, int ways)
{
    for (int k = 0; k < ways; k++) {
        wire_print(file, effort_rows, 4, &t->sums[k]);
        for (int i = 0; i < TASKS; i++) {
            wire_print(file, &number_row, 1, &t->seconds[k][i]);
        }
    }
}

static bool read_test(const char *at, test *t, int ways)
{
    bool good = true;
    *t = (test){0};
    for (int k = 0; k < ways && good; k++) {
        good = wire_read(&at, effort_rows, 4, &t->sums[k]);
        for (int i = 0; i < TASKS && good; i++) {
            good = wire_read(&at, &number_row, 1, &t->seconds[k][i]);
        }
    }
    return good;
}

static int run_unit(int64_t unit, FILE *result, void *context)
{
    const part *p = context;
    int index = (int)unit * p->step;
    way ways[WAYS_MAX];
    test t;
    int count = p->ways(index, ways);
    cr_status status = run_test(p->lab, ways, count, p->seed + (uint64_t)index, &t);
    if (status != CR_OK) {
        return report_print(status, &p->lab->report);
    }
    print_test(result, &t, count);
    return cluster_stop(NULL) ? CLUSTER_CUT : CLUSTER_ON;
}

static bool recall_unit(int64_t unit, cluster_result *result, void *context)
{
    const part *p = context;
    return journal_recall(&p->lab->journal, p->lab->first + unit, result);
}

static int keep_unit(int64_t unit, cluster_result result, void *context)
{
    const part *p = context;
    return journal_keep(&p->lab->journal, p->lab->first + unit, result);
}

static int take_unit(int64_t unit, cluster_result result, void *context)
{
    const part *p = context;
    way ways[WAYS_MAX];
    test t;
    int count = p->ways((int)unit * p->step, ways);
    if (!read_test(result.text, &t, count)) {
        fprintf(stderr, "carom: the result of test %d cannot be read\n", (int)unit);
        return EXIT_FILE;
    }
    p->add(&t, count, p->sums);
    return CLUSTER_ON;
}

// Run the tests of a part. Returns what cluster_run does.
static int run_part(part *p)
{
    int code = cluster_run(&(cluster_work){.count = p->count,
                                           .what = p->what,
                                           .run = run_unit,
                                           .recall = recall_unit,
                                           .keep = keep_unit,
                                           .take = take_unit,
                                           .context = p});
    p->lab->first += p->count;
    return code;
}

// ---------------------------------------------------------------------------------------------
// Speed-ups and their spread.

typedef struct spread {
    int count;
    double sum, squares, least, most;
} spread;

static void spread_add(spread *s, double value)
{
    s->least = s->count == 0 || value < s->least ? value : s->least;
    s->most = s->count == 0 || value > s->most ? value : s->most;
    s->sum += value;
    s->squares += value * value;
    s->count++;
}

static double spread_mean(const spread *s)
{
    return s->sum / s->count;
}

// Half the width of the 95% interval of the mean.
static double spread_error(const spread *s)
{
    double mean = spread_mean(s), n = s->count;
    double variance = (s->squares / n - mean * mean) * n / (n > 1 ? n - 1 : 1);
    return 1.96 * sqrt(fmax(variance, 0) / n);
}

typedef enum measure { ITERATIONS, SAMPLES, SECONDS, MEASURES } measure;

static const char *const measure_names[] = {"iterations", "samples", "time"};

static double effort_of(const effort *e, measure m)
{
    return m == ITERATIONS ? e->iterations : m == SAMPLES ? e->samples : e->seconds;
}

static double speed_up(const test *t, int from, int way_index, measure m)
{
    return effort_of(&t->sums[from], m) / fmax(effort_of(&t->sums[way_index], m), 1e-12);
}

static void print_spread(const char *name, const char *what, const spread *s)
{
    double mean = spread_mean(s), error = spread_error(s);
    printf("| %s | %s | %.2f | %.2f | %.2f | %.3f |\n", name, what, s->least, s->most, mean,
           mean - error);
}

static const cr_cache_def published[2] = {
    {CR_CACHE_PAPER, 80, 0.8, 1.0 / 3},
    {CR_CACHE_PAPER, 120, 0.8, 1.0 / 3},
};

// Plain sampling, a cache of table 1, our cache: the hand-made heuristic is a way of its own.
static int table_ways(int index, way *ways)
{
    (void)index;
    ways[0] = (way){.name = "plain"};
    ways[1] = (way){.name = "n=80 p=0.8 r=1/3", .cached = true, .cache = published[0]};
    ways[2] = (way){.name = "bred", .cached = true, .cache = cr_default_cache_def(CR_CACHE_BRED)};
    ways[3] = (way){.name = "elbow flexed", .flexed = true};
    return 4;
}

// The other cache of table 1.
static int wide_ways(int index, way *ways)
{
    (void)index;
    ways[0] = (way){.name = "plain"};
    ways[1] = (way){.name = "n=120 p=0.8 r=1/3", .cached = true, .cache = published[1]};
    return 2;
}

typedef struct table {
    spread ways[WAYS_MAX][MEASURES]; // over plain sampling
    spread better[MEASURES];         // ours over the published one
    int solved[WAYS_MAX], tasks;
} table;

static void table_add(const test *t, int ways, void *context)
{
    table *sums = context;
    sums->tasks += TASKS;
    for (int k = 0; k < ways; k++) {
        sums->solved[k] += t->sums[k].solved;
        for (measure m = ITERATIONS; m < MEASURES; m++) {
            spread_add(&sums->ways[k][m], speed_up(t, 0, k, m));
        }
    }
    for (measure m = ITERATIONS; m < MEASURES && ways > 2; m++) {
        spread_add(&sums->better[m], speed_up(t, 1, 2, m));
    }
}

static void print_way(const way *w, const spread *measures)
{
    for (measure m = ITERATIONS; m < MEASURES; m++) {
        print_spread(w->name, measure_names[m], &measures[m]);
    }
}

static void print_solved(const table *sums, const way *ways, int count)
{
    printf("\nSolved:");
    for (int k = 0; k < count; k++) {
        printf(" %s %d of %d%s", ways[k].name, sums->solved[k], sums->tasks,
               k + 1 < count ? "," : ".\n");
    }
}

static void print_published(int tests)
{
    printf("\n## Table 1: speed-up over plain sampling, %d tests of %d tasks\n\n", tests, TASKS);
    printf(
        "| sampling | in | min | max | average | lower 95%% bound |\n|---|---|---|---|---|---|\n");
    printf("| n=80 p=0.8 r=1/3, published | time | 1.08 | 1.53 | 1.28 | |\n");
    printf("| n=120 p=0.8 r=1/3, published | time | 1.07 | 1.54 | 1.25 | |\n");
    printf("| elbow flexed, published | time | | | up to 1.6 | |\n");
}

static int print_table_1(lab *l, uint64_t seed, int tests)
{
    way ways[WAYS_MAX], second[WAYS_MAX];
    table sums = {0}, wide = {0};
    int count = table_ways(0, ways);
    wide_ways(0, second);
    part narrow = {l, "tests", tests, 1, seed, table_ways, table_add, &sums};
    part other = {l, "tests of the second cache", tests, 1, seed, wide_ways, table_add, &wide};
    int code = run_part(&narrow);
    code = code == CLUSTER_ON ? run_part(&other) : code;
    if (code >= 0 || sums.tasks == 0) {
        return code;
    }
    print_published(tests);
    for (int k = 1; k < count; k++) {
        print_way(&ways[k], sums.ways[k]);
    }
    if (wide.tasks > 0) {
        print_way(&second[1], wide.ways[1]);
    }
    print_way(&(way){.name = "bred over n=80"}, sums.better);
    print_solved(&sums, ways, count);
    print_cut(code, (sums.tasks + wide.tasks) / TASKS, 2 * tests);
    return code;
}

// ---------------------------------------------------------------------------------------------
// 600 combinations, one test each.

typedef struct sweep {
    spread speed[MEASURES];
    int below[MEASURES];
} sweep;

// Setting i of 600.
static int sweep_ways(int i, way *ways)
{
    cr_cache_def def = {CR_CACHE_PAPER, 20 * (1 + i % 20), 0.5 + 0.1 * (i / 20 % 5),
                        1.0 / (1 + i / 100)};
    ways[0] = (way){.name = "plain"};
    ways[1] = (way){.name = "cache", .cached = true, .cache = def};
    return 2;
}

static void sweep_add(const test *t, int ways, void *context)
{
    sweep *s = context;
    (void)ways;
    for (measure m = ITERATIONS; m < MEASURES; m++) {
        double value = speed_up(t, 0, 1, m);
        spread_add(&s->speed[m], value);
        s->below[m] += value < 1;
    }
}

static void print_sweep(const sweep *s)
{
    printf("\n## %d settings: n = 20 .. 400, p = 0.5 .. 0.9, r = 1 .. 1/6, a test each\n\n",
           s->speed[0].count);
    printf("| | in | mean | best | worst | below 1 |\n|---|---|---|---|---|---|\n");
    printf("| published | time | 1.19 | about 1.50 | | 2 of 600 |\n");
    for (measure m = ITERATIONS; m < MEASURES; m++) {
        printf("| ours | %s | %.2f | %.2f | %.2f | %d of %d |\n", measure_names[m],
               spread_mean(&s->speed[m]), s->speed[m].most, s->speed[m].least, s->below[m],
               s->speed[m].count);
    }
}

static int run_sweep(lab *l, uint64_t seed, int step)
{
    sweep s = {0};
    int count = (600 + step - 1) / step;
    part settings = {l, "settings", count, step, seed, sweep_ways, sweep_add, &s};
    int code = run_part(&settings);
    if (code < 0 && s.speed[0].count) {
        print_sweep(&s);
        print_cut(code, s.speed[0].count, count);
    }
    return code;
}

// ---------------------------------------------------------------------------------------------
// Figures 3 and 4: one test, task by task and summed up.

static int write_figure(const char *path, const test *t)
{
    outfile out;
    FILE *file = outfile_open(&out, path);
    if (!file) {
        return EXIT_INTERNAL;
    }
    fprintf(file, "task,plain_s,cache_s,bred_s,plain_sum_s,cache_sum_s,bred_sum_s\n");
    double sums[3] = {0};
    for (int i = 0; i < TASKS; i++) {
        for (int k = 0; k < 3; k++) {
            sums[k] += t->seconds[k][i];
        }
        fprintf(file, "%d,%.6f,%.6f,%.6f,%.6f,%.6f,%.6f\n", i + 1, t->seconds[0][i],
                t->seconds[1][i], t->seconds[2][i], sums[0], sums[1], sums[2]);
    }
    return outfile_close(&out);
}

static void print_figures(const test *t)
{
    printf("\n## Figures 3 and 4: one test, n=200 p=0.9 r=1/6, processor time in ms\n\n");
    printf("| tasks | plain, mean | cache, mean | bred, mean | plain, sum | cache, sum | bred, sum "
           "|\n");
    printf("|---|---|---|---|---|---|---|\n");
    double sums[3] = {0}, last[3] = {0};
    for (int i = 0; i < TASKS; i++) {
        for (int k = 0; k < 3; k++) {
            sums[k] += 1e3 * t->seconds[k][i];
        }
        if (i % 10 == 9) {
            printf("| %d-%d | %.2f | %.2f | %.2f | %.1f | %.1f | %.1f |\n", i - 8, i + 1,
                   (sums[0] - last[0]) / 10, (sums[1] - last[1]) / 10, (sums[2] - last[2]) / 10,
                   sums[0], sums[1], sums[2]);
            for (int k = 0; k < 3; k++) {
                last[k] = sums[k];
            }
        }
    }
    printf("\nGain over the test: %.2f (published 1.36); bred %.2f.\n", sums[0] / sums[1],
           sums[0] / sums[2]);
}

static int figure_ways(int index, way *ways)
{
    (void)index;
    ways[0] = (way){.name = "plain"};
    ways[1] = (way){.cached = true, .cache = {CR_CACHE_PAPER, 200, 0.9, 1.0 / 6}};
    ways[2] = (way){.cached = true, .cache = cr_default_cache_def(CR_CACHE_BRED)};
    return 3;
}

static void figure_add(const test *t, int ways, void *context)
{
    (void)ways;
    *(test *)context = *t;
}

static int run_figures(lab *l, uint64_t seed, const char *path)
{
    test t = {0};
    part one = {l, "tests of the figures", 1, 1, seed, figure_ways, figure_add, &t};
    int code = run_part(&one);
    if (code != CLUSTER_ON || !cluster_leads()) {
        return code;
    }
    print_figures(&t);
    return path ? write_figure(path, &t) : CLUSTER_ON;
}

// The parts, in order. Returns what cluster_run does.
static int print_parts(lab *l, const reach_tables_def *def)
{
    uint64_t seed = def->seed * 100000;
    printf("# Sampling caches (carom reach --tables%s --seed %llu)\n", def->quick ? " --quick" : "",
           (unsigned long long)def->seed);
    int code = print_table_1(l, seed, def->quick ? 10 : 100);
    if (code == CLUSTER_ON && stdout_good()) {
        code = run_sweep(l, seed + 10000, def->quick ? 10 : 1);
    }
    return code == CLUSTER_ON && stdout_good() ? run_figures(l, seed + 20000, def->figure) : code;
}

// With the journal, which has units for all parts.
static int print_all(lab *l, const reach_tables_def *def)
{
    char *work = journal_work(def->word_count, def->words, 0);
    const char *path = cluster_leads() ? def->journal : NULL;
    int code = work ? journal_open(&l->journal, path, work, 2 * 100 + 600 + 1) : EXIT_INTERNAL;
    free(work);
    if (code >= 0) {
        return code;
    }
    code = print_parts(l, def);
    if (code == CLUSTER_CUT) {
        printf("\nInterrupted: the rest is missing.\n");
        code = interrupted("the tables are not whole");
    }
    return journal_close(&l->journal, code < 0 ? EXIT_DONE : code);
}

int reach_tables(const reach_tables_def *def)
{
    lab l = {0};
    cr_status status = open_lab(&l);
    int code = status == CR_OK ? print_all(&l, def) : report_print(status, &l.report);
    close_lab(&l);
    return code;
}
