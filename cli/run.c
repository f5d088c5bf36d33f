// carom run: execute plans in a true world that differs from the planned one.
#include "terminal/json.h"
#include "run_film.h"
#include "lab/runs.h"
#include "lab/statistics.h"
#include "search.h"

#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define DEGREE 0.017453292519943295

// ---------------------------------------------------------------------------------------------
// What is asked for.

// The disturbances by name; angles are given in degrees.
typedef struct disturbance {
    const char *name;
    size_t offset;
    double unit;
} disturbance;

#define ROW(field, unit)                                                                           \
    {                                                                                              \
#field, offsetof(cr_truth_def, field), unit                                                \
    }
static const disturbance disturbances[] = {
    ROW(position, 1),   ROW(angle, DEGREE),    ROW(velocity, 1),    ROW(latency, 1),
    ROW(kick_speed, 1), ROW(kick_aim, DEGREE), ROW(drive, 1),       ROW(slip, 1),
    ROW(rate, 1),       ROW(numbers, 1),       ROW(uncertainty, 1),
};
#undef ROW

enum { DISTURBANCES = sizeof disturbances / sizeof disturbances[0] };

typedef struct request {
    search asked;
    double disturb[DISTURBANCES]; // as asked for; < 0: not
    const char *strategy, *follow, *engine, *output, *searches;
    double interval, seconds, realtime, uncertainty, trust, watch, think, wait;
    int64_t trials, futures;
    bool exact, no_abort;
} request;

// How many attempts each search of a run made: what a search that the clock ended is repeated by.
typedef struct searches {
    int64_t *attempts;
    int count, room;
} searches;

static bool add_search(searches *list, int64_t attempts)
{
    if (list->count == list->room) {
        int room = 2 * list->room + 64;
        int64_t *more = realloc(list->attempts, (size_t)room * sizeof *more);
        if (!more) {
            return false;
        }
        list->attempts = more;
        list->room = room;
    }
    list->attempts[list->count++] = attempts;
    return true;
}

// --searches 64,120,...
static int read_searches(const char *text, searches *list)
{
    for (const char *at = text; at && *at;) {
        char *end = NULL;
        long long value = strtoll(at, &end, 10);
        if (end == at || (*end && *end != ',') || value < 0 || !add_search(list, value)) {
            fprintf(stderr, "carom: --searches wants numbers with commas between, got \"%s\"\n",
                    shown(text));
            return EXIT_USAGE;
        }
        at = *end ? end + 1 : end;
    }
    return -1;
}

static double *disturbance_of(cr_truth_def *def, const disturbance *row)
{
    return (double *)(void *)((char *)def + row->offset);
}

// --disturb name=value
static int on_disturb(const char *text, void *context)
{
    request *ask = context;
    const char *equals = strchr(text, '='), *names[DISTURBANCES];
    size_t length = equals ? (size_t)(equals - text) : 0;
    char *end = NULL;
    double value = equals ? strtod(equals + 1, &end) : 0;
    for (int i = 0; i < DISTURBANCES && equals; i++) {
        const disturbance *row = &disturbances[i];
        names[i] = row->name;
        if (strlen(row->name) == length && strncmp(row->name, text, length) == 0) {
            if (end == equals + 1 || *end || !(value >= 0)) {
                fprintf(stderr, "carom: --disturb %s wants a number >= 0, got \"%s\"\n", row->name,
                        shown(equals + 1));
                return EXIT_USAGE;
            }
            ask->disturb[i] = value * row->unit;
            return 0;
        }
    }
    if (!equals) {
        fprintf(stderr, "carom: --disturb wants name=value, got \"%s\"\n", shown(text));
        return EXIT_USAGE;
    }
    char word[64];
    snprintf(word, sizeof word, "%.*s", (int)length, text);
    fprintf(stderr, "carom: there is no disturbance \"%s\"", shown(word));
    print_suggestion(word, names, DISTURBANCES);
    return EXIT_USAGE;
}

static int choose_strategy(const request *ask, cr_strategy *strategy)
{
    for (int i = CR_STRATEGY_ACTIONS; i <= CR_STRATEGY_STATES; i++) {
        if (!ask->strategy || strcmp(ask->strategy, cr_strategy_name((cr_strategy)i)) == 0) {
            *strategy = ask->strategy ? (cr_strategy)i : CR_STRATEGY_STATES;
            return -1;
        }
    }
    fprintf(stderr, "carom: --strategy is actions or states, got \"%s\"\n", shown(ask->strategy));
    return EXIT_USAGE;
}

static int choose_follow(const request *ask, cr_follow *follow)
{
    for (int i = CR_FOLLOW_COLD; i <= CR_FOLLOW_TREE && ask->follow; i++) {
        if (strcmp(ask->follow, cr_follow_name((cr_follow)i)) == 0) {
            *follow = (cr_follow)i;
            return -1;
        }
    }
    if (ask->follow) {
        fprintf(stderr, "carom: --follow is cold, choices or tree, got \"%s\"\n",
                shown(ask->follow));
    }
    return ask->follow ? EXIT_USAGE : -1;
}

// What the truth is computed with where nothing is said: the engine that the plan was not.
static const char *other_engine(const char *engine)
{
    return strcmp(engine, "ode") == 0 ? "lanes" : "ode";
}

static int make_def(const request *ask, const search_scene *scene, cr_run_def *def)
{
    *def = cr_default_run_def(scene->model);
    def->planner = scene->def;
    def->truth = ask->exact ? cr_exact_truth_def() : cr_default_truth_def();
    for (int i = 0; i < DISTURBANCES; i++) {
        if (ask->disturb[i] >= 0) {
            *disturbance_of(&def->truth, &disturbances[i]) = ask->disturb[i];
        }
    }
    def->truth.engine = ask->engine ? ask->engine : other_engine(scene->def.engine);
    if (ask->uncertainty >= 0) {
        def->truth.uncertainty = ask->uncertainty;
    }
    def->interval = ask->interval;
    def->seconds = ask->seconds;
    def->deadline = ask->realtime / 1000;
    def->trust = ask->trust;
    def->watch = ask->watch;
    def->think = ask->think;
    def->wait = ask->wait;
    def->abort = !ask->no_abort;
    def->futures = (int)search_futures(&ask->asked, ask->futures);
    int code = choose_follow(ask, &def->follow);
    return code >= 0 ? code : choose_strategy(ask, &def->strategy);
}

// ---------------------------------------------------------------------------------------------
// What comes of it.

// A number with as few digits as it takes to read the same again.
static const char *print_number(double value, char text[32])
{
    snprintf(text, 32, "%.15g", value);
    if (strtod(text, NULL) != value) {
        snprintf(text, 32, "%.17g", value);
    }
    return text;
}

// The line that makes the same runs again.
static void write_repeat(const request *ask, const search_scene *scene, const cr_run_def *def,
                         char *line, size_t size)
{
    cr_plan *plan = NULL;
    cr_simulate_def how = cr_default_simulate_def();
    how.seconds = cr_model_dt(scene->model);
    cr_plan_simulate(scene->model, &scene->def, &how, &plan, NULL);
    const char *options = plan ? cr_plan_repeat_options(plan) : "";
    const char *cut = strstr(options, " --seconds ");
    int length = cut ? (int)(cut - options) : (int)strlen(options);
    char number[32], other[32];
    int n = snprintf(line, size, "carom run %s%.*s --strategy %s --truth %s --interval %s",
                     shown_word(scene->word), length, options, cr_strategy_name(def->strategy),
                     def->truth.engine, print_number(def->interval, number));
    cr_plan_destroy(plan);
    cr_truth_def usual = cr_default_truth_def(), is = def->truth;
    for (int i = 0; i < DISTURBANCES && n > 0 && (size_t)n < size; i++) {
        double value = *disturbance_of(&is, &disturbances[i]);
        if (value != *disturbance_of(&usual, &disturbances[i])) {
            n += snprintf(line + n, size - (size_t)n, " --disturb %s=%s", disturbances[i].name,
                          print_number(value / disturbances[i].unit, number));
        }
    }
    const struct {
        const char *name;
        double value;
    } more[] = {{"watch", def->watch}, {"think", def->think}, {"wait", def->wait}};
    for (int i = 0; i < 3 && n > 0 && (size_t)n < size; i++) {
        if (more[i].value > 0) {
            n += snprintf(line + n, size - (size_t)n, " --%s %s", more[i].name,
                          print_number(more[i].value, number));
        }
    }
    if (n > 0 && (size_t)n < size) {
        snprintf(line + n, size - (size_t)n,
                 " --follow %s --seconds %s --trust %s --trials %lld --robust %d%s",
                 cr_follow_name(def->follow), print_number(def->seconds, number),
                 print_number(def->trust, other), (long long)ask->trials, def->futures,
                 def->abort ? "" : " --no-abort");
    }
}

// Of one trial that the clock ended searches of, what each of them made.
static char *add_searches(char *line, const searches *made)
{
    size_t length = strlen(line), room = length + 32 + 21 * (size_t)made->count;
    char *text = realloc(line, room);
    if (!text) {
        return line;
    }
    for (int i = 0; i < made->count; i++) {
        length += (size_t)snprintf(text + length, room - length, "%s%lld",
                                   i == 0 ? " --searches " : ",", (long long)made->attempts[i]);
    }
    return text;
}

static void print_repeat(const request *ask, const search_scene *scene, const cr_run_def *def,
                         const searches *made)
{
    enum { ROOM = 4096 };
    bool by_clock = def->deadline > 0 || def->attempts, alone = ask->trials == 1;
    char *line = malloc(ROOM);
    if (!line) {
        return;
    }
    write_repeat(ask, scene, def, line, ROOM);
    if (by_clock && alone) {
        line = add_searches(line, made);
    } else if (by_clock) {
        snprintf(line, ROOM, "a run of --trials 1 only: its line says what the clock allowed");
    }
    if (json_wanted()) {
        json_text("repeat", line);
    } else {
        printf("repeat: %s\n", line);
    }
    free(line);
}

static void print_trial(int64_t trial, const cr_run_result *r)
{
    if (json_wanted()) {
        json_open(NULL, JSON_OBJECT);
        json_count("trial", trial);
        json_flag("goal", r->goal);
        json_text("rule", r->rule);
        json_flag("blown", r->blown);
        json_number("seconds", r->seconds);
        json_count("plannings", r->plannings);
        json_count("solved", r->solved);
        json_count("rerooted", r->rerooted);
        json_count("pinned", r->pinned);
        json_count("helpless", r->helpless);
        json_count("intervals", r->intervals);
        json_count("collided", r->collided);
        json_count("collisions", r->collisions);
        json_count("planner_steps", r->planner_steps);
        json_count("planner_attempts", r->planner_attempts);
        json_count("solved_steps", r->solved_steps);
        json_count("ranking_steps", r->ranking_steps);
        json_count("futures", r->futures);
        json_count("held", r->held);
        json_number("planner_seconds", r->planner_seconds);
        json_number("waited", r->waited);
        json_number("turning", r->turning);
        json_number("moving", r->moving);
        json_hash("hash", r->hash);
        json_close();
        return;
    }
    printf("trial %lld: %s after %.3f s, %d plannings (%d solved, %d without a plan), %lld steps "
           "planned, %d collisions, hash %016llx\n",
           (long long)trial, r->goal ? "goal reached" : (r->blown ? "blew up" : "goal not reached"),
           r->seconds, r->plannings, r->solved, r->helpless, (long long)r->planner_steps,
           r->collisions, (unsigned long long)r->hash);
    if (r->rule) {
        printf("  breaks the rule %s\n", shown(r->rule));
    }
}

static void print_share(const char *key, const char *words, int64_t count, int64_t of)
{
    bounds i = share_bounds(count, of);
    if (json_wanted()) {
        json_open(key, JSON_OBJECT);
        json_count("count", count);
        json_count("of", of);
        json_number("low", i.low);
        json_number("high", i.high);
        json_close();
        return;
    }
    printf("%s: %lld of %lld, %.1f%% (95%%: %.1f to %.1f)\n", words, (long long)count,
           (long long)of, 100 * (double)count / (double)of, 100 * i.low, 100 * i.high);
}

static void print_totals(const run_totals *t)
{
    print_share("reached", "goal reached", t->reached, t->trials);
    print_share("clean", "and no rule broken", t->clean, t->trials);
    if (t->futures > 0) {
        print_share("predicted", "as predicted from disturbed futures", t->held, t->futures);
    }
    if (t->intervals > 0) {
        print_share("collided", "intervals with a collision", t->collided, t->intervals);
    }
    double n = (double)t->trials;
    if (json_wanted()) {
        json_number("steps_a_trial", (double)t->planner_steps / n);
        json_number("planner_seconds_a_trial", t->planner_seconds / n);
        return;
    }
    printf("planning: %.0f steps and %.3f s a trial\n", (double)t->planner_steps / n,
           t->planner_seconds / n);
}

// ---------------------------------------------------------------------------------------------
// Trials.

// Who looks on.
typedef struct witness {
    run_film *film; // or NULL
    searches *made;
} witness;

static bool look(const cr_run_frame *frame, void *context)
{
    const witness *w = context;
    bool goes = !stop_asked(NULL);
    goes &= frame->attempts < 0 || add_search(w->made, frame->attempts);
    return (w->film ? film_run_frame(w->film, frame) : true) && goes;
}

static int run_trial(const request *ask, const search_scene *scene, cr_run_def *def, int64_t trial,
                     run_totals *totals, searches *made)
{
    cr_report report = {0};
    cr_run_result result = {0};
    run_film *film = ask->output && trial == 1 ? film_run_open(scene->model) : NULL;
    def->planner.seed = scene->def.seed + (uint64_t)trial - 1;
    def->truth.seed = def->planner.seed;
    witness w = {film, made};
    made->count = 0;
    def->show = look;
    def->context = &w;
    cr_status status = cr_run_execute(scene->model, def, NULL, &result, &report);
    if (status != CR_OK) {
        film_run_close(film, NULL);
        return report_print(status, &report);
    }
    int code = film_run_close(film, result.stopped ? NULL : ask->output);
    if (result.stopped) {
        return code > EXIT_DONE ? code : interrupted("in trial %lld", (long long)trial);
    }
    run_totals_add(totals, &result);
    print_trial(trial, &result);
    return code > EXIT_DONE ? code : -1;
}

static int run_trials(const request *ask, const search_scene *scene, const searches *told,
                      searches *made)
{
    cr_run_def def;
    run_totals totals = {0};
    progress bar = {0};
    int code = make_def(ask, scene, &def);
    def.attempts = told->attempts;
    def.attempts_count = told->count;
    code = code >= 0 ? code : output_try_playback(ask->output);
    if (json_wanted() && code < 0) {
        json_text("scene", cr_scene_name(cr_model_scene(scene->model)));
        json_open("trials", JSON_LIST);
    }
    for (int64_t i = 1; i <= ask->trials && code < 0 && goes_on(); i++) {
        if (progress_due(&bar)) {
            progress_show(&bar, "trial %lld of %lld", (long long)i, (long long)ask->trials);
        }
        code = run_trial(ask, scene, &def, i, &totals, made);
    }
    progress_end(&bar);
    if (code >= 0 || totals.trials == 0) {
        return code >= 0 ? code : EXIT_PART;
    }
    if (json_wanted()) {
        json_close();
    }
    print_totals(&totals);
    print_repeat(ask, scene, &def, made);
    return totals.reached == totals.trials ? EXIT_DONE : EXIT_PART;
}

// Of a search's options all but its time: the time here is the world's.
static int choose_options(request *ask, option_row rows[SEARCH_OPTIONS])
{
    option_row all[SEARCH_OPTIONS];
    int count = search_options(&ask->asked, all), kept = 0;
    for (int i = 0; i < count; i++) {
        if (strcmp(all[i].name, "seconds") != 0) {
            rows[kept++] = all[i];
        }
    }
    return kept;
}

enum { OWN_OPTIONS = 18 };

static void own_options(request *ask, option_row rows[OWN_OPTIONS])
{
    const option_row own[OWN_OPTIONS] = {
        {0, "strategy", "actions|states", OPTION_TEXT, &ask->strategy,
         "what of a plan is executed (default: states, by a controller)", 0, 0, NULL},
        {0, "interval", "S", OPTION_NUMBER, &ask->interval,
         "plan again after S seconds; 0: one plan, to its end (default)", 0, 1e6, NULL},
        {0, "follow", "cold|choices|tree", OPTION_TEXT, &ask->follow,
         "how a search follows the one before: from nothing (default), its choices first, its tree",
         0, 0, NULL},
        {0, "robust", "N", OPTION_INT, &ask->futures,
         "of the --solutions, execute the one that holds in most of N disturbed futures", 0, 1e6,
         NULL},
        {0, "seconds", "S", OPTION_NUMBER, &ask->seconds,
         "most that the world runs for (default: the horizon)", 0, 1e6, NULL},
        {0, "realtime", "MS", OPTION_NUMBER, &ask->realtime,
         "milliseconds that a search may take; how far each came is in the line that repeats the "
         "run",
         0, 1e6, NULL},
        {0, "searches", "N,N,...", OPTION_TEXT, &ask->searches,
         "attempts that each search makes, as a run with --realtime printed them", 0, 0, NULL},
        {0, "truth", "ENGINE", OPTION_TEXT, &ask->engine,
         "engine of the true world (default: the other one)", 0, 0, NULL},
        {0, "uncertainty", "U", OPTION_NUMBER, &ask->uncertainty,
         "0 to 1: how far foreign bodies stray", 0, 1, NULL},
        {0, "disturb", "NAME=VALUE", OPTION_CALL, ask,
         "position m, angle deg, velocity m/s, latency s, kick_speed, kick_aim deg, drive, slip, "
         "rate, numbers, uncertainty",
         0, 0, on_disturb},
        {0, "exact", NULL, OPTION_FLAG, &ask->exact, "no disturbance but those that are named", 0,
         0, NULL},
        {0, "trust", "T", OPTION_NUMBER, &ask->trust,
         "0 to 1: weight of what is seen against what was predicted (default 0.3)", 0, 1, NULL},
        {0, "watch", "S", OPTION_NUMBER, &ask->watch,
         "look for S seconds before the first search (default 0)", 0, 1e4, NULL},
        {0, "think", "S", OPTION_NUMBER, &ask->think,
         "seconds of the world that the first search takes (default 0)", 0, 1e4, NULL},
        {0, "wait", "S", OPTION_NUMBER, &ask->wait,
         "begin the first plan when, within S seconds, the world comes round to its start", 0, 1e4,
         NULL},
        {0, "no-abort", NULL, OPTION_FLAG, &ask->no_abort,
         "go on with the plan after a broken rule", 0, 0, NULL},
        {0, "trials", "N", OPTION_INT, &ask->trials, "runs, each with seeds of its own (default 1)",
         1, 1e6, NULL},
        {'o', "output", "FILE", OPTION_TEXT, &ask->output,
         "write the first run, with its plans: .html, .glb, .svg, .csv", 0, 0, NULL},
    };
    memcpy(rows, own, sizeof own);
}

int command_run(int argc, char **argv)
{
    request ask = {.asked.ranks_robust = true, .uncertainty = -1, .trust = 0.3, .trials = 1};
    for (int i = 0; i < DISTURBANCES; i++) {
        ask.disturb[i] = -1;
    }
    option_row rows[SEARCH_OPTIONS + OWN_OPTIONS];
    int count = choose_options(&ask, rows);
    own_options(&ask, rows + count);
    usage how = {"carom run SCENE [options]",
                 "Execute plans in a world that does not obey: another engine, kicks that deviate, "
                 "foreign bodies\n"
                 "that stray, and a view of it that is late and noisy. Budgets count steps, so a "
                 "run repeats.",
                 rows,
                 count + OWN_OPTIONS,
                 1,
                 1};
    search_scene scene;
    int code = search_begin(&ask.asked, &how, argc, argv, &scene);
    if (code >= 0) {
        return code;
    }
    searches told = {0}, made = {0};
    code = read_searches(ask.searches, &told);
    code = code >= 0 ? code : run_trials(&ask, &scene, &told, &made);
    free(told.attempts);
    free(made.attempts);
    search_end(&ask.asked, &scene);
    return code;
}
