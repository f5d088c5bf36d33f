// carom reach: arms among shelves. Book relocations of the built-in human, or a robot arm from
// files.
#include "cluster/journal.h"
#include "commands.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "lab/reach_tables.h"

enum { MAX_OPTIONS = 32 };

typedef struct settings {
    bool books, flexed, scalar, bred, tables, quick;
    int64_t tasks, seed, seeds, smooth, iterations, show;
    double seconds, epsilon;
    const char *cache, *cache_file, *urdf, *srdf, *scene, *request, *target, *method, *metric;
    const char *output, *journal;
    int argc; // as given
    char **argv;
} settings;

// What a run works with.
typedef struct session {
    const settings *set;
    cr_arm *arm;
    cr_reach_tasks *tasks;
    cr_reach *reach;
    cr_cache *cache;
    bool written; // the output
    cr_report report;
} session;

static int usage_problem(const char *message, const char *value)
{
    fprintf(stderr, "carom: %s, got \"%s\"\n", message, shown(value));
    return EXIT_USAGE;
}

// --cache n,p,r
static int read_cache_def(const settings *set, cr_cache_def *def)
{
    *def = cr_default_cache_def(set->bred ? CR_CACHE_BRED : CR_CACHE_PAPER);
    if (!set->cache) {
        return -1;
    }
    char *end;
    def->size = (int)strtol(set->cache, &end, 10);
    def->share = *end == ',' ? strtod(end + 1, &end) : -1;
    def->update = *end == ',' ? strtod(end + 1, &end) : -1;
    if (*end == '/') {
        double divisor = strtod(end + 1, &end);
        def->update = divisor >= 1 ? def->update / divisor : -1;
    }
    bool good = *end == 0 && def->size > 0 && def->share >= 0 && def->update >= 0;
    return good ? -1 : usage_problem("--cache must be n,p,r as in 80,0.8,1/3", set->cache);
}

static int choose_method(const settings *set, cr_reach_def *def)
{
    if (set->method) {
        bool step = strcmp(set->method, "step") == 0;
        if (!step && strcmp(set->method, "connect") != 0) {
            return usage_problem("--method must be step or connect", set->method);
        }
        def->method = step ? CR_REACH_STEP : CR_REACH_CONNECT;
    }
    if (set->metric) {
        bool places = strcmp(set->metric, "places") == 0;
        if (!places && strcmp(set->metric, "angles") != 0) {
            return usage_problem("--metric must be places or angles", set->metric);
        }
        def->metric = places ? CR_REACH_PLACES : CR_REACH_ANGLES;
    }
    return -1;
}

static int make_reach_def(const settings *set, cr_reach_def *def)
{
    *def = set->urdf ? cr_quick_reach_def() : cr_default_reach_def();
    def->flexed = set->flexed;
    def->scalar = set->scalar;
    def->seconds = set->seconds;
    def->iterations = set->iterations;
    def->smooth = set->smooth >= 0 ? (int)set->smooth : def->smooth;
    def->epsilon = set->epsilon > 0 ? set->epsilon : def->epsilon;
    def->stop = stop_asked;
    return choose_method(set, def);
}

// ---------------------------------------------------------------------------------------------
// Solving.

typedef struct totals {
    int count, solved, held;
    int64_t iterations, checks;
    double seconds, smooth_seconds, clearance;
} totals;

static void add_result(totals *sum, const cr_reach_task *task, const cr_reach_result *result)
{
    sum->count++;
    sum->iterations += result->iterations;
    sum->checks += result->checks;
    sum->seconds += result->seconds;
    sum->smooth_seconds += result->smooth_seconds;
    if (result->outcome != CR_OUTCOME_SOLVED) {
        return;
    }
    cr_reach_proof proof = cr_reach_verify(task, result->path, result->count, 0.005);
    sum->solved++;
    sum->held += proof.holds;
    sum->clearance = proof.clearance < sum->clearance ? proof.clearance : sum->clearance;
    if (!proof.holds) {
        fprintf(stderr, "carom: %s: the path does not hold: %s\n", shown(task->name),
                shown(proof.text));
    }
}

static void print_totals(const totals *sum)
{
    double n = sum->count > 0 ? sum->count : 1;
    printf(
        "solved %d of %d; %d of them held in an independent dense test, least clearance %.2f mm\n",
        sum->solved, sum->count, sum->held, 1e3 * (sum->solved ? sum->clearance : 0));
    printf("mean: %.1f iterations, %.0f checks, %.3f ms to search, %.3f ms to smooth and prove\n",
           (double)sum->iterations / n, (double)sum->checks / n, 1e3 * sum->seconds / n,
           1e3 * sum->smooth_seconds / n);
}

static int write_output(session *s, const cr_reach_task *task, const cr_reach_result *result)
{
    cr_playback *playback;
    cr_status status =
        cr_reach_playback(task, result->path, result->count, task->name, &playback, &s->report);
    if (status == CR_OK) {
        status = cr_playback_write(playback, s->set->output, &s->report);
        cr_playback_destroy(playback);
    }
    if (status != CR_OK) {
        return report_print(status, &s->report);
    }
    fprintf(stderr, "wrote %s\n", shown(s->set->output));
    s->written = true;
    return EXIT_DONE;
}

static int solve_one(session *s, int index, uint64_t seed, totals *sum)
{
    const cr_reach_task *task = cr_reach_task_at(s->tasks, index);
    cr_reach_result result;
    cr_status status = cr_reach_plan(s->reach, task, seed, s->cache, &result, &s->report);
    if (status != CR_OK) {
        return report_print(status, &s->report);
    }
    if (result.outcome == CR_OUTCOME_STOPPED) {
        return EXIT_INTERRUPTED; // what was cut does not count
    }
    add_result(sum, task, &result);
    bool show = s->set->output && sum->count == s->set->show;
    if (show && result.outcome == CR_OUTCOME_SOLVED) {
        return write_output(s, task, &result);
    }
    return EXIT_DONE;
}

// What the tasks that were solved come to, and whether that is all that was asked for.
static int judge(const session *s, const totals *sum, int64_t wanted, int code)
{
    print_totals(sum);
    if (s->set->output && !s->written) {
        fprintf(stderr, "carom: %s is not written: task %lld was not solved\n",
                shown(s->set->output), (long long)s->set->show);
        code = code == EXIT_DONE ? EXIT_PART : code;
    }
    if (code == EXIT_INTERRUPTED) {
        printf("interrupted: %d of %lld tasks\n", sum->count, (long long)wanted);
        return interrupted("%d of %lld tasks were tried", sum->count, (long long)wanted);
    }
    return sum->solved == sum->count && sum->held == sum->solved ? code : EXIT_PART;
}

// Every task once; with --seeds, the first task that many times.
static int solve_all(session *s)
{
    totals sum = {.clearance = 1e9};
    progress bar = {0};
    int count = cr_reach_task_count(s->tasks), code = EXIT_DONE;
    int64_t wanted = count * s->set->seeds;
    for (int64_t k = 0; k < wanted && code == EXIT_DONE; k++) {
        if (progress_due(&bar)) {
            progress_show(&bar, "%d tasks, %d solved", sum.count, sum.solved);
        }
        code = stop_asked(NULL)
                   ? EXIT_INTERRUPTED
                   : solve_one(s, (int)(k % count), (uint64_t)(s->set->seed + k), &sum);
    }
    progress_end(&bar);
    return code == EXIT_DONE || code == EXIT_INTERRUPTED ? judge(s, &sum, wanted, code) : code;
}

// ---------------------------------------------------------------------------------------------

// --target x,y,z[,qx,qy,qz,qw]: the goal is where the tip gets there.
static int set_target(session *s)
{
    double v[7] = {0, 0, 0, 0, 0, 0, 1};
    char rest;
    int count = sscanf(s->set->target, "%lf,%lf,%lf,%lf,%lf,%lf,%lf%c", &v[0], &v[1], &v[2], &v[3],
                       &v[4], &v[5], &v[6], &rest);
    if (count != 3 && count != 7) {
        return usage_problem("--target must be x,y,z or x,y,z,qx,qy,qz,qw", s->set->target);
    }
    cr_status status =
        cr_reach_tasks_aim(s->tasks, (cr_pose){{v[0], v[1], v[2]}, {v[3], v[4], v[5], v[6]}},
                           count == 7, (uint64_t)s->set->seed, &s->report);
    return status == CR_OK ? EXIT_DONE : report_print(status, &s->report);
}

static int make_tasks(session *s)
{
    const settings *set = s->set;
    cr_status status = set->urdf ? cr_arm_read(set->urdf, set->srdf, &s->arm, &s->report)
                                 : cr_arm_create_human(&s->arm, &s->report);
    if (status == CR_OK) {
        status = set->urdf ? cr_moveit_read(s->arm, set->scene, set->request, &s->tasks, &s->report)
                           : cr_books_create(s->arm, (uint64_t)set->seed, (int)set->tasks,
                                             &s->tasks, &s->report);
    }
    int code = report_print(status, &s->report);
    return code == EXIT_DONE && set->target ? set_target(s) : code;
}

static cr_status open_cache(session *s, const cr_cache_def *def)
{
    const char *file = s->set->cache_file;
    FILE *there = file ? fopen(file, "rb") : NULL;
    if (there) {
        fclose(there);
        return cr_cache_read(s->arm, file, &s->cache, &s->report);
    }
    if (file || s->set->cache || s->set->bred) {
        return cr_cache_create(s->arm, def, &s->cache, &s->report);
    }
    return CR_OK;
}

static int make_planner(session *s)
{
    cr_reach_def def;
    cr_cache_def cache_def;
    int code = make_reach_def(s->set, &def);
    code = code < 0 ? read_cache_def(s->set, &cache_def) : code;
    if (code >= 0) {
        return code;
    }
    cr_status status = cr_reach_create(&def, &s->reach, &s->report);
    if (status == CR_OK) {
        status = open_cache(s, &cache_def);
    }
    return status == CR_OK ? EXIT_DONE : report_print(status, &s->report);
}

// The line that repeats the run, as it was given.
static void print_repeat(const settings *set)
{
    fprintf(stderr, "again: carom");
    for (int i = 0; i < set->argc; i++) {
        fprintf(stderr, " %s", shown_word(set->argv[i]));
    }
    fprintf(stderr, "\n");
}

static int run(const settings *set)
{
    session s = {.set = set};
    int code = make_tasks(&s);
    code = code == EXIT_DONE ? make_planner(&s) : code;
    if (code == EXIT_DONE) {
        code = solve_all(&s);
        print_repeat(set);
    }
    bool solved = code == EXIT_DONE || code == EXIT_PART || code == EXIT_INTERRUPTED;
    if (s.cache && set->cache_file && solved) {
        cr_status status = cr_cache_write(s.cache, set->cache_file, &s.report);
        code = status == CR_OK ? code : report_print(status, &s.report);
    }
    cr_reach_destroy(s.reach);
    cr_cache_destroy(s.cache);
    cr_reach_tasks_destroy(s.tasks);
    cr_arm_destroy(s.arm);
    return code;
}

// What is solved and what comes out.
static int add_task_options(settings *set, option_row *rows)
{
    const option_row options[] = {
        {0, "books", NULL, OPTION_FLAG, &set->books, "move books with the built-in human arm", 0, 0,
         0},
        {'n', "tasks", "N", OPTION_INT, &set->tasks, "random relocations (default 1)", 1, 100000,
         0},
        {0, "urdf", "FILE", OPTION_TEXT, &set->urdf, "a robot arm", 0, 0, 0},
        {0, "srdf", "FILE", OPTION_TEXT, &set->srdf, "its allowed collisions, groups, base", 0, 0,
         0},
        {0, "scene", "FILE", OPTION_TEXT, &set->scene, "MoveIt planning scene", 0, 0, 0},
        {0, "request", "FILE", OPTION_TEXT, &set->request, "MoveIt motion plan request", 0, 0, 0},
        {0, "target", "x,y,z[,q]", OPTION_TEXT, &set->target, "where the tip has to go instead", 0,
         0, 0},
        {'s', "seed", "N", OPTION_INT, &set->seed, "names the random streams (default 1)", 0, 1e15,
         0},
        {0, "seeds", "N", OPTION_INT, &set->seeds, "solve each task that often (default 1)", 1, 1e6,
         0},
        {0, "tables", NULL, OPTION_FLAG, &set->tables, "the experiments, beside published values",
         0, 0, 0},
        {0, "quick", NULL, OPTION_FLAG, &set->quick, "a tenth of the experiments", 0, 0, 0},
        journal_option(&set->journal),
        {0, "show", "N", OPTION_INT, &set->show, "which solution -o writes (default 1)", 1, 1e9, 0},
        {'o', "output", "FILE", OPTION_TEXT, &set->output, ".html, .glb, .csv or .svg", 0, 0, 0},
    };
    memcpy(rows, options, sizeof options);
    return (int)(sizeof options / sizeof options[0]);
}

// How it is solved.
static int add_planner_options(settings *set, option_row *rows)
{
    const option_row options[] = {
        {0, "cache", "n,p,r", OPTION_TEXT, &set->cache, "sampling cache, as 80,0.8,1/3", 0, 0, 0},
        {0, "bred", NULL, OPTION_FLAG, &set->bred, "our cache: steps that left ends like these", 0,
         0, 0},
        {0, "cache-file", "FILE", OPTION_TEXT, &set->cache_file,
         "read it if there, write it at the end", 0, 0, 0},
        {0, "flexed", NULL, OPTION_FLAG, &set->flexed, "sample with the elbow nearly flexed", 0, 0,
         0},
        {0, "method", "WORD", OPTION_TEXT, &set->method, "step (books) or connect (robots)", 0, 0,
         0},
        {0, "metric", "WORD", OPTION_TEXT, &set->metric, "places (books) or angles (robots)", 0, 0,
         0},
        {0, "epsilon", "X", OPTION_NUMBER, &set->epsilon, "length of a step in the metric", 1e-3,
         100, 0},
        {0, "smooth", "N", OPTION_INT, &set->smooth, "linearisation steps; 0: none", 0, 1e6, 0},
        {0, "seconds", "X", OPTION_NUMBER, &set->seconds, "limit for a task (default 5)", 1e-3, 1e6,
         0},
        {0, "iterations", "N", OPTION_INT, &set->iterations, "limit for a task", 0, 1e12, 0},
        {0, "scalar", NULL, OPTION_FLAG, &set->scalar, "check one configuration at a time", 0, 0,
         0},
    };
    memcpy(rows, options, sizeof options);
    return (int)(sizeof options / sizeof options[0]);
}

// Which of the ways to use it is meant.
static int choose_run(const settings *set, const usage *how)
{
    const char *problem = NULL;
    if (set->tables) {
        int code = cluster_leads() ? output_try(set->output) : -1;
        reach_tables_def def = {.seed = (uint64_t)set->seed,
                                .quick = set->quick,
                                .figure = set->output,
                                .journal = set->journal,
                                .word_count = set->argc,
                                .words = set->argv};
        return code >= 0 ? code : reach_tables(&def);
    }
    if (!cluster_leads()) {
        return EXIT_DONE; // the rest is not shared
    }
    if (set->journal) {
        problem = "--journal goes with --tables";
    } else if (set->books == (set->urdf != NULL)) {
        problem = "either --books or --urdf is needed";
    } else if (set->urdf && !set->scene) {
        problem = "--urdf needs a --scene";
    }
    if (problem) {
        fprintf(stderr, "carom: %s\nusage: %s\n", problem, how->line);
        return EXIT_USAGE;
    }
    int code = output_try_playback(set->output);
    code = code >= 0 ? code : output_try(set->cache_file);
    return code >= 0 ? code : run(set);
}

int command_reach(int argc, char **argv)
{
    settings set = {.tasks = 1,
                    .seed = 1,
                    .seeds = 1,
                    .smooth = -1,
                    .show = 1,
                    .seconds = 5,
                    .argc = argc,
                    .argv = argv};
    option_row rows[MAX_OPTIONS];
    int count = add_task_options(&set, rows);
    count += add_planner_options(&set, rows + count);
    const usage how = {
        .line =
            "carom reach --books | --urdf R --srdf S --scene F --request G | --tables [options]",
        .about =
            "Plan reaching motions of an arm with two trees that grow together. Files of robots "
            "and MoveIt mean what MoveIt means by them: what has no effect is warned about, "
            "what cannot be done is refused with its line.",
        .options = rows,
        .option_count = count,
    };
    int words, code = options_read(&how, argc, argv, NULL, &words);
    return code >= 0 ? code : choose_run(&set, &how);
}
