// Robust plans: each solution is tried in many disturbed futures, stepped side by side in the
// engine's lanes.
#include "execute/execute.h"

#include <assert.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/report.h"
#include "plan/plan.h"

// What is left of an observation's noise when each new one is weighted with 0.3: its variance times
// 0.3 / (2 - 0.3).
static const double FILTERED = 0.42;

// After the plan's end a world has a while to come to its own.
static const double PATIENCE = 1; // s

// One future.
typedef struct future {
    cr_truth *truth;
    cr_rng rng; // of what is seen
    cr_action *actions;
    cr_command command;
} future;

typedef struct trial {
    const cr_model *model;
    const cr_robust_def *def;
    cr_truth_def noise; // of what is seen, filtered
    int from, count;    // futures: from .. from + count - 1 of the def's
    cr_engine *engine;
    cri_track track;
    cr_state *seen;
    future *futures;
    cr_step *steps;
    int *alive; // futures that go on
    int alive_count, held;
    int64_t done; // steps
} trial;

cr_robust_def cr_default_robust_def(void)
{
    cr_robust_def def = {
        .truth = cr_default_truth_def(), .strategy = CR_STRATEGY_STATES, .futures = 100, .root = 1};
    def.truth.latency = 0;
    return def;
}

cr_robust_def cr_luck_def(void)
{
    return (cr_robust_def){
        .truth = cr_exact_truth_def(), .strategy = CR_STRATEGY_STATES, .futures = 200};
}

// ---------------------------------------------------------------------------------------------
// Making the futures.

static cr_truth_def truth_of(const cr_robust_def *def, int index)
{
    cr_truth_def truth = def->truth;
    truth.latency = 0;
    truth.seed = def->truth.seed * 1000003 + (uint64_t)index;
    return truth;
}

// The root is what was seen: the world is beside it by what a camera errs.
static cr_status make_future(trial *t, int index, const cr_state *root, cr_report *report)
{
    future *f = &t->futures[index];
    cr_truth_def def = truth_of(t->def, t->from + index);
    f->rng = cr_rng_make(def.seed, CR_RNG_TRUTH, UINT64_MAX);
    f->actions = calloc((size_t)t->model->moving_count + 1, sizeof *f->actions);
    cr_state_copy(t->model, t->seen, root);
    cr_truth_def misread = def;
    misread.position *= t->def->root;
    misread.angle *= t->def->root;
    misread.velocity *= t->def->root;
    cri_truth_blur(&misread, t->model, t->seen, &f->rng);
    t->alive[index] = index;
    return f->actions ? cr_truth_create(t->model, &def, t->seen, &f->truth, report)
                      : cri_fail_memory(report);
}

static cr_status open_trial(trial *t, const cr_plan *plan, int solution, cr_report *report)
{
    size_t count = (size_t)t->count;
    t->seen = cr_state_create(t->model);
    t->futures = calloc(count, sizeof *t->futures);
    t->steps = calloc(count, sizeof *t->steps);
    t->alive = calloc(count, sizeof *t->alive);
    const char *engine = t->def->truth.engine ? t->def->truth.engine : plan->def.engine;
    cr_status status = cr_engine_create(t->model, engine, &t->engine, report);
    bool made = t->seen && t->futures && t->steps && t->alive;
    status = status == CR_OK && !made ? cri_fail_memory(report) : status;
    if (status == CR_OK) {
        int64_t steps = cr_plan_solution(plan, solution).steps;
        status = cri_track_create(t->model, steps + 1, &t->track, report);
    }
    status = status == CR_OK ? cri_track_take(&t->track, plan, solution, report) : status;
    for (int i = 0; i < t->count && status == CR_OK; i++) {
        status = make_future(t, i, cr_plan_root(plan).state, report);
    }
    t->alive_count = t->count;
    return status;
}

static void close_trial(trial *t)
{
    for (int i = 0; t->futures && i < t->count; i++) {
        cr_truth_destroy(t->futures[i].truth);
        free(t->futures[i].actions);
    }
    cr_engine_destroy(t->engine);
    cri_track_free(&t->track);
    free(t->seen);
    free(t->futures);
    free(t->steps);
    free(t->alive);
}

// ---------------------------------------------------------------------------------------------
// Running them.

// Only the bodies that are steered look: what is drawn for others would be for nobody.
static void look(trial *t, future *f)
{
    for (int slot = 0; slot < t->model->moving_count; slot++) {
        if (cri_is_steered(&t->model->bodies[t->model->moving[slot]])) {
            cri_truth_blur_body(&t->noise, t->model, t->seen, slot, &f->rng);
        }
    }
}

static void command(trial *t, future *f)
{
    const cr_model *model = t->model;
    const cr_state *state = cr_truth_state(f->truth);
    bool on = cri_track_goes_on(&t->track);
    cr_state_copy(model, t->seen, state);
    look(t, f);
    f->command = (cr_command){f->actions, state, state};
    if (!on) {
        cri_brake(model, t->seen, f->actions);
        return;
    }
    memcpy(f->actions, cri_track_actions(&t->track, t->track.at),
           (size_t)model->moving_count * sizeof *f->actions);
    if (t->def->strategy == CR_STRATEGY_STATES) {
        cri_control(&t->track, t->seen, f->actions);
    }
    f->command.meant = cri_track_state(&t->track, t->track.at);
    f->command.next = cri_track_state(&t->track, t->track.at + 1);
}

// One step of all that go on; those that reach the goal or break a rule go out.
static void step_all(trial *t)
{
    for (int i = 0; i < t->alive_count; i++) {
        future *f = &t->futures[t->alive[i]];
        command(t, f);
        t->steps[i] = cri_truth_begin(f->truth, &f->command);
    }
    cr_engine_step(t->engine, t->steps, t->alive_count);
    t->done += t->alive_count;
    int count = 0;
    for (int i = 0; i < t->alive_count; i++) {
        future *f = &t->futures[t->alive[i]];
        bool good = cri_truth_end(f->truth, &f->command, &t->steps[i]) && !cr_truth_rule(f->truth);
        bool goal = good && cr_truth_goal(f->truth);
        t->held += goal;
        if (good && !goal) {
            t->alive[count++] = t->alive[i];
        }
    }
    t->alive_count = count;
    t->track.at += cri_track_goes_on(&t->track);
}

// Wilson, 1927.
static cr_robustness rate(int held, int futures)
{
    const double z = 1.959963984540054;
    double n = futures, p = held / n, wide = 1 + z * z / n;
    double middle = (p + z * z / (2 * n)) / wide;
    double half = z / wide * sqrt(p * (1 - p) / n + z * z / (4 * n * n));
    return (cr_robustness){.futures = futures,
                           .held = held,
                           .low = held == 0 ? 0 : middle - half,
                           .high = held == futures ? 1 : middle + half};
}

static cr_status check(const cr_robust_def *def, cr_report *report)
{
    if (def->futures < 1 || def->futures > 1000000) {
        return cri_fail(report, CR_ERR_RANGE, (cri_location){0},
                        "futures must be 1 to 1000000, got %d", def->futures);
    }
    return CR_OK;
}

// Futures `from` and on of the def's, added to what came of those before.
static cr_status try_from(const cr_plan *plan, int solution, const cr_robust_def *def, int from,
                          cr_robustness *result, cr_report *report)
{
    trial t = {.model = plan->model, .def = def, .noise = def->truth, .from = from};
    t.count = def->futures - from;
    t.noise.position *= FILTERED;
    t.noise.angle *= FILTERED;
    t.noise.velocity *= FILTERED;
    cr_status status = open_trial(&t, plan, solution, report);
    if (status == CR_OK) {
        int64_t patience = (int64_t)(PATIENCE / plan->model->dt), before = result->steps;
        for (int64_t i = 0; i < t.track.length + patience && t.alive_count > 0; i++) {
            step_all(&t);
        }
        *result = rate(result->held + t.held, def->futures);
        result->steps = before + t.done;
    }
    close_trial(&t);
    return status;
}

cr_status cr_plan_try(const cr_plan *plan, int solution, const cr_robust_def *def,
                      cr_robustness *result, cr_report *report)
{
    assert(solution >= 0 && solution < cr_plan_solution_count(plan));
    *result = (cr_robustness){0};
    cr_status status = check(def, report);
    return status == CR_OK ? try_from(plan, solution, def, 0, result, report) : status;
}

// ---------------------------------------------------------------------------------------------
// Ranking. Of many solutions most are soon seen to be bad: all are tried in a fifth of the futures,
// the better third of them in half, and the better third of these in all.

enum { SCREEN_SOLUTIONS = 6, SCREEN_LEAST = 10, SCREEN_KEEP = 3, ROUNDS = 3 };
static const double SHARES[ROUNDS] = {0.2, 0.5, 1};

// How often it holds; of equal shares the one that more futures tell of.
static bool is_better(const cr_robustness *a, const cr_robustness *b)
{
    int64_t left = (int64_t)a->held * b->futures, right = (int64_t)b->held * a->futures;
    return left != right ? left > right : a->futures > b->futures;
}

// Strict: equal ones stay in order.
static void order(cr_plan *plan, cr_robustness *rates, int count)
{
    for (int i = 1; i < count; i++) {
        cri_plan_solution solution = plan->solutions[i];
        cr_robustness one = rates[i];
        int at = i;
        for (; at > 0 && is_better(&one, &rates[at - 1]); at--) {
            plan->solutions[at] = plan->solutions[at - 1];
            rates[at] = rates[at - 1];
        }
        plan->solutions[at] = solution;
        rates[at] = one;
    }
}

// Take the first `count` solutions on to so many futures, and order them.
static cr_status try_all(cr_plan *plan, cr_robust_def def, int count, cr_robustness *rates,
                         cr_report *report)
{
    cr_status status = CR_OK;
    for (int i = 0; i < count && status == CR_OK; i++) {
        status = try_from(plan, i, &def, rates[i].futures, &rates[i], report);
    }
    if (status == CR_OK) {
        order(plan, rates, count);
    }
    return status;
}

static cr_status rank(cr_plan *plan, const cr_robust_def *def, cr_robustness *rates,
                      cr_report *report)
{
    int left = plan->solution_count;
    cr_status status = CR_OK;
    bool screens = left >= SCREEN_SOLUTIONS && SHARES[0] * def->futures >= SCREEN_LEAST;
    for (int i = screens ? 0 : ROUNDS - 1; i < ROUNDS && status == CR_OK; i++) {
        cr_robust_def some = *def;
        some.futures = (int)(SHARES[i] * def->futures);
        status = try_all(plan, some, left, rates, report);
        left = (left + SCREEN_KEEP - 1) / SCREEN_KEEP;
    }
    return status;
}

cr_status cr_plan_rank_robust(cr_plan *plan, const cr_robust_def *def, cr_robustness *results,
                              cr_report *report)
{
    int count = plan->solution_count;
    cr_status status = check(def, report);
    cr_robustness *rates = calloc((size_t)count, sizeof *rates);
    status = status == CR_OK && !rates ? cri_fail_memory(report) : status;
    status = status == CR_OK ? rank(plan, def, rates, report) : status;
    if (results && status == CR_OK) {
        memcpy(results, rates, (size_t)count * sizeof *results);
    }
    free(rates);
    return status;
}
