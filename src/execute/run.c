// The run (003, algorithm 16): look, plan, execute a while, again. Planning takes no time of the
// world: it happens within a frame (figure 7.5); the latency stands for what it takes.
#include "execute/execute.h"

#include <assert.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/hash.h"
#include "base/report.h"
#include "base/trig.h"
#include "base/vec.h"
#include "plan/plan.h"

// How long a world is watched after the end of the only plan: balls still roll.
static const double PATIENCE = 2; // s

// Where a search finds nothing, bodies brake so long before the next one.
static const double RETRY = 0.1; // s

// A body that moves so many times faster than it can drive is on no way that it could be on.
static const double FLUNG = 10;

typedef struct run {
    const cr_model *model;
    const cr_run_def *def;
    cr_run_result *result;
    cr_planner *planner;
    cr_truth *truth;
    cri_belief belief;
    cri_ahead ahead;
    cri_track track;
    cr_plan *plan; // the one under way, or NULL
    cr_action *actions;
    cr_state *root;
    int64_t end_step, interval; // steps
    int64_t since;              // steps since the last search
    int64_t begin;              // step of the world that the first search is made at
    int64_t hold;               // steps that the plan under way still waits for
    int64_t attempts;           // of the search of this frame; -1: there is none
    bool due;                   // a search is to be made, whatever the plan says
    bool collided;              // in this interval
    const char *rule;           // broken by the present state
    int body;                   // whose way is measured, or -1
    cr_vec3 way;                // its last direction; zero: it did not move yet
} run;

const char *cr_strategy_name(cr_strategy strategy)
{
    switch (strategy) {
    case CR_STRATEGY_ACTIONS:
        return "actions";
    case CR_STRATEGY_STATES:
        return "states";
    }
    return "unknown";
}

const char *cr_follow_name(cr_follow follow)
{
    switch (follow) {
    case CR_FOLLOW_COLD:
        return "cold";
    case CR_FOLLOW_CHOICES:
        return "choices";
    case CR_FOLLOW_TREE:
        return "tree";
    }
    return "unknown";
}

cr_run_def cr_default_run_def(const cr_model *model)
{
    return (cr_run_def){.planner = cr_model_planner_def(model),
                        .truth = cr_default_truth_def(),
                        .strategy = CR_STRATEGY_STATES,
                        .near = 0.02,
                        .trust = 0.3,
                        .abort = true};
}

static int64_t steps_of(const cr_model *model, double seconds)
{
    return (int64_t)(seconds / model->dt + 0.5);
}

// A plan that does nothing is none.
static bool is_plan(const cr_plan *plan)
{
    return plan && cr_plan_solution(plan, 0).steps > 0;
}

// ---------------------------------------------------------------------------------------------
// Following the search before.

// The branch of the plan that its step `at` lies in, counting from 0; *left: steps of it that are
// still to come. Behind the last one: the number of branches.
static int branch_at(const run *r, int64_t at, int64_t *left)
{
    const cri_plan_solution *solution = &r->plan->solutions[0];
    int branch = 0;
    int64_t end = 0;
    *left = 0;
    for (; branch < solution->info.branches; branch++) {
        end += solution->branches[branch].steps;
        if (end > at) {
            *left = end - at;
            return branch;
        }
    }
    return branch;
}

// True if a branch of the plan is the first of its attempt: others begin where foreign Tactics
// drew.
static bool is_first(const run *r, int branch)
{
    const cri_plan_branch *b = &r->plan->solutions[0].branches[branch];
    return branch == 0 || b->attempt != b[-1].attempt;
}

// True at the plan's decisions.
static bool is_decision(const run *r)
{
    int64_t left = 0;
    int branch = branch_at(r, r->track.at, &left);
    return branch < r->plan->solutions[0].info.branches && is_first(r, branch) &&
           left == r->plan->solutions[0].branches[branch].steps;
}

static bool is_near(const cr_body_state *a, const cr_body_state *b, double near)
{
    double turn = cri_wrap(cri_heading(a->rotation) - cri_heading(b->rotation));
    return cri_length(cri_sub(a->position, b->position)) <= near && fabs(turn) <= near &&
           cri_length(cri_sub(a->velocity, b->velocity)) <= 10 * near &&
           fabs(a->spin.z - b->spin.z) <= 10 * near;
}

// True if the world is believed to be where the plan has it. How a ball turns does not matter.
static bool is_on_track(const run *r)
{
    const cr_model *model = r->model;
    const cr_body_state *now = cri_bodies_const(model, r->belief.now);
    const cr_body_state *planned = cri_bodies_const(model, cri_track_state(&r->track, r->track.at));
    bool near = true;
    for (int slot = 0; slot < model->moving_count && near; slot++) {
        cr_body_state seen = now[slot];
        if (model->bodies[model->moving[slot]].kind == CR_KIND_PASSIVE) {
            seen.rotation = planned[slot].rotation;
            seen.spin = planned[slot].spin;
        }
        near = is_near(&seen, &planned[slot], r->def->near);
    }
    return near;
}

// The branch of the tree that the plan has come to the end of.
static int64_t find_branch(const run *r, int count)
{
    int64_t at = 0, branches = cr_planner_branch_count(r->planner);
    for (int k = 0; k < count; k++) {
        int64_t attempt = r->plan->solutions[0].branches[k].attempt, b = at + 1;
        if (!is_first(r, k)) {
            continue;
        }
        while (b < branches && (cr_planner_branch(r->planner, b).parent != at ||
                                cr_planner_branch(r->planner, b).attempt != attempt)) {
            b++;
        }
        at = b < branches ? b : 0;
    }
    return at;
}

// Keep the tree below the decision that was reached; false if it is not to be had.
static bool reroot(run *r)
{
    if (r->def->follow != CR_FOLLOW_TREE || !is_plan(r->plan) || !cri_track_goes_on(&r->track) ||
        !is_decision(r) || !is_on_track(r)) {
        return false;
    }
    int64_t left = 0, branch = find_branch(r, branch_at(r, r->track.at, &left));
    bool kept = branch > 0 && cr_planner_reroot(r->planner, branch, NULL) == CR_OK;
    r->result->rerooted += kept;
    return kept;
}

// Restart at what is believed; false if nothing can be searched from there: it breaks a rule.
static bool restart(run *r)
{
    int64_t first[CR_ROOT_FIRST_MAX], left = 0;
    cr_root root = {.state = r->root, .first = first};
    root.mask = cri_ahead_pinned(&r->ahead, &r->belief, r->root);
    r->result->pinned += root.mask != NULL;
    if (r->def->follow != CR_FOLLOW_COLD && is_plan(r->plan)) {
        const cri_plan_solution *solution = &r->plan->solutions[0];
        for (int b = branch_at(r, r->track.at, &left);
             b < solution->info.branches && root.first_count < CR_ROOT_FIRST_MAX; b++) {
            if (root.first_count == 0 || is_first(r, b)) {
                first[root.first_count++] = solution->branches[b].attempt;
            }
        }
    }
    return cr_planner_restart(r->planner, &root, NULL) == CR_OK;
}

// ---------------------------------------------------------------------------------------------
// Planning.

// The root of a search: what is believed, with the Tactics of controlled bodies at their beginning.
static void set_root(run *r)
{
    const cr_model *model = r->model;
    const cr_state *start = (const cr_state *)(const void *)model->start_state;
    cr_state_copy(model, r->root, r->belief.now);
    for (int i = 0; i < model->tactic_count; i++) {
        if (model->steered[i]) {
            size_t bytes =
                sizeof(cr_tactic_state) + (size_t)model->tactics[i].variable_count * sizeof(double);
            memcpy(cri_tactic_state(model, r->root, i), cri_tactic_state_const(model, start, i),
                   bytes);
        }
    }
}

// Where so many attempts leave the root alone in the tree, all further ones would: it touches what
// it must not.
enum { HOPELESS = 64 };

static cr_outcome grow(run *r)
{
    const cr_run_def *def = r->def;
    int index = r->result->plannings - 1;
    if (def->attempts && index < def->attempts_count) {
        cr_slice told = {.attempts = def->attempts[index]};
        bool any = told.attempts > 0; // a clock may leave no time for a single one
        return any ? cr_planner_grow(r->planner, &told) : CR_OUTCOME_GROWING;
    }
    cr_slice slice = {.attempts = HOPELESS, .seconds = def->deadline};
    cr_outcome outcome = cr_planner_grow(r->planner, &slice);
    cr_planner_stats stats = cr_planner_get_stats(r->planner);
    bool late = def->deadline > 0 && stats.seconds >= def->deadline;
    if (outcome == CR_OUTCOME_GROWING && stats.nodes > 1 && !late) {
        slice.attempts = 0;
        slice.seconds = def->deadline > 0 ? def->deadline - stats.seconds : 0;
        outcome = cr_planner_grow(r->planner, &slice);
    }
    return outcome;
}

// Search from where the world is; false if that cannot be.
static bool search(run *r, cr_outcome *outcome)
{
    if (!reroot(r) && !restart(r)) {
        return false;
    }
    *outcome = grow(r);
    cr_planner_stats stats = cr_planner_get_stats(r->planner);
    r->attempts = stats.attempts;
    r->result->planner_steps += stats.steps;
    r->result->planner_attempts += stats.attempts;
    r->result->planner_seconds += stats.seconds;
    r->result->solved_steps += *outcome == CR_OUTCOME_SOLVED ? stats.steps : 0;
    return true;
}

// Of several solutions the one that holds most often. The true world's seed is not known, nor its
// engine; how well the root is, is.
static cr_status rank(run *r, cr_report *report)
{
    const cr_run_def *def = r->def;
    double watched = r->result->plannings == 1 ? def->watch / r->model->dt : 1;
    cr_robust_def robust = {.truth = def->truth,
                            .strategy = def->strategy,
                            .futures = def->futures,
                            .root = 1 / sqrt(cri_clamp(watched, 1, 60))};
    robust.truth.engine = NULL;
    robust.truth.seed = def->planner.seed;
    int count = cr_plan_solution_count(r->plan);
    cr_robustness *results = calloc((size_t)count, sizeof *results);
    if (!results) {
        return cri_fail_memory(report);
    }
    cr_status status = cr_plan_rank_robust(r->plan, &robust, results, report);
    for (int i = 0; i < count; i++) {
        r->result->ranking_steps += results[i].steps;
    }
    r->result->futures += status == CR_OK ? results[0].futures : 0;
    r->result->held += status == CR_OK ? results[0].held : 0;
    free(results);
    return status;
}

// A search that finds nothing belongs to the interval before it: bodies brake for a tenth of a
// second then, and were that an interval, whoever finds less would seem to collide in fewer.
static void begin_interval(run *r)
{
    if (r->track.length > 0 || r->result->plannings == 1) {
        r->result->intervals++;
        r->collided = false;
    }
}

static cr_status make_plan(run *r, cr_report *report)
{
    cr_outcome outcome = CR_OUTCOME_GROWING;
    cr_status status = CR_OK;
    cr_plan *last = r->plan;
    r->since = r->hold = 0;
    r->due = false;
    r->result->plannings++;
    r->attempts = 0;
    set_root(r);
    bool searched = search(r, &outcome);
    r->plan = NULL;
    r->track.at = r->track.length = 0;
    cr_plan_destroy(last);
    if (searched) {
        status = cr_plan_create(r->planner, outcome, &r->plan, report);
    }
    if (status == CR_OK && is_plan(r->plan) && r->def->futures > 0) {
        status = rank(r, report);
    }
    if (status == CR_OK && is_plan(r->plan)) {
        status = cri_track_take(&r->track, r->plan, 0, report);
        r->hold = r->result->plannings == 1 ? steps_of(r->model, r->def->think) : 0;
        r->result->solved += cr_plan_solution(r->plan, 0).goal;
    } else {
        r->result->helpless++;
    }
    begin_interval(r);
    return status;
}

// Whether this frame begins with a search: at the beginning, after an interval, at the end of a
// plan, after a collision. Without an interval there is one search only. Whoever keeps the tree
// waits for a decision.
static bool wants_plan(const run *r)
{
    if (r->result->plannings == 0) {
        return cr_truth_state(r->truth)->step >= r->begin;
    }
    if (r->due || r->hold > 0) {
        return r->due;
    }
    if (r->track.length == 0 && (double)r->since * r->model->dt < RETRY) {
        return false;
    }
    if (r->interval == 0 || (r->since < r->interval && cri_track_goes_on(&r->track))) {
        return false;
    }
    bool waits = r->def->follow == CR_FOLLOW_TREE && cri_track_goes_on(&r->track);
    return !waits || is_decision(r);
}

// ---------------------------------------------------------------------------------------------
// Waiting: the first plan takes a while to think out, and then the world should be as it was.

// Once thought out: how long still? What is believed gets better meanwhile, so it is asked again a
// quarter of a second before the end.
static void wait_on(run *r)
{
    int64_t thought = steps_of(r->model, r->def->think), most = steps_of(r->model, r->def->wait);
    int64_t soon = steps_of(r->model, 0.25);
    const cr_state *root = cri_track_state(&r->track, 0);
    if (r->track.length == 0 || r->result->plannings != 1 || most == 0) {
        return;
    }
    if (r->since == thought) {
        r->hold = cri_ahead_meet(&r->ahead, &r->belief, root, most);
    } else if (r->since > thought && r->hold == soon) {
        r->hold = cri_ahead_meet(&r->ahead, &r->belief, root, 2 * soon);
    }
}

// ---------------------------------------------------------------------------------------------
// Executing.

static void choose_actions(run *r, cr_command *command)
{
    const cr_model *model = r->model;
    command->actions = r->actions;
    if (!cri_track_goes_on(&r->track) || r->hold > 0) {
        cri_brake(model, r->belief.now, r->actions);
        command->meant = command->next = cr_truth_state(r->truth);
        return;
    }
    int64_t at = r->track.at;
    memcpy(r->actions, cri_track_actions(&r->track, at),
           (size_t)model->moving_count * sizeof *r->actions);
    if (r->def->strategy == CR_STRATEGY_STATES) {
        cri_control(&r->track, r->belief.now, r->actions);
    }
    command->meant = cri_track_state(&r->track, at);
    command->next = cri_track_state(&r->track, at + 1);
}

static void measure_way(run *r)
{
    if (r->body < 0) {
        return;
    }
    cr_vec3 way = cr_state_velocity(r->model, cr_truth_state(r->truth), r->body);
    if (cri_length(way) < 0.05) {
        return; // it stands, more or less: no direction
    }
    double turn = cri_wrap(cri_atan2(way.y, way.x) - cri_atan2(r->way.y, r->way.x));
    r->result->turning += cri_length(r->way) > 0 ? fabs(turn) : 0;
    r->result->moving += r->model->dt;
    r->way = way;
}

// A body that is caught between two that nothing stops is flung out of the world.
static bool is_flung(const run *r)
{
    if (r->body < 0) {
        return false;
    }
    double top = r->model->bodies[r->body].limits.speed;
    cr_vec3 v = cr_state_velocity(r->model, cr_truth_state(r->truth), r->body);
    return top > 0 && cri_length(v) > FLUNG * top;
}

// How the true world stands. A rule that stays broken is one collision.
static void judge(run *r)
{
    cr_run_result *result = r->result;
    const cr_state *state = cr_truth_state(r->truth);
    const char *rule = cr_truth_rule(r->truth);
    if (rule && !r->rule) {
        result->collisions++;
        result->collided += !r->collided;
        result->rule = result->rule ? result->rule : rule;
        r->collided = true;
        r->due = r->def->abort && r->interval > 0;
    }
    r->rule = rule;
    result->goal = cr_truth_goal(r->truth);
    result->blown = is_flung(r);
    result->hash = cri_hash_word(result->hash, cr_state_hash(r->model, state));
    measure_way(r);
}

static void show(run *r, const cr_action *actions)
{
    if (!r->def->show) {
        return;
    }
    bool on = r->track.length > 0;
    cr_run_frame frame = {
        .model = r->model,
        .truth = cr_truth_state(r->truth),
        .believed = r->belief.now,
        .planned = on ? cri_track_state(&r->track, r->track.at) : NULL,
        .actions = actions,
        .plan = r->since == 0 && is_plan(r->plan) ? r->plan : NULL,
        .attempts = r->attempts,
        .rule = r->rule,
        .goal = r->result->goal,
    };
    r->result->stopped = !r->def->show(&frame, r->def->context);
}

static cr_status run_frame(run *r, cr_report *report)
{
    r->attempts = -1;
    cr_status status = wants_plan(r) ? make_plan(r, report) : CR_OK;
    if (status != CR_OK) {
        return status;
    }
    cr_command command = {0};
    wait_on(r);
    choose_actions(r, &command);
    show(r, r->actions);
    r->result->blown = !cr_truth_step(r->truth, &command);
    if (!r->result->blown) {
        cri_belief_step(&r->belief, r->actions, r->truth);
        r->result->waited += r->hold > 0 ? r->model->dt : 0;
        r->track.at += cri_track_goes_on(&r->track) && r->hold == 0;
        r->hold -= r->hold > 0;
        r->since++;
        r->result->steps++;
        judge(r);
    }
    return CR_OK;
}

// One plan is executed to its end, and then the world has a while to come to its own.
static bool is_over(const run *r)
{
    const cr_run_result *result = r->result;
    double over = (double)(r->since - r->track.length) * r->model->dt - result->waited;
    bool late = r->interval == 0 && result->plannings > 0 && over >= PATIENCE;
    return result->goal || result->stopped || result->blown || late ||
           cr_truth_state(r->truth)->step >= r->end_step;
}

static cr_status run_all(run *r, cr_report *report)
{
    cr_status status = CR_OK;
    judge(r);
    while (status == CR_OK && !is_over(r)) {
        status = run_frame(r, report);
    }
    if (status == CR_OK && !r->result->stopped) {
        r->attempts = -1;
        r->since += r->since == 0; // no plan begins in the last frame
        show(r, NULL);
    }
    r->result->seconds = (double)r->result->steps * r->model->dt;
    return status;
}

// ---------------------------------------------------------------------------------------------
// Setting up.

static int first_controlled(const cr_model *model)
{
    for (int slot = 0; slot < model->moving_count; slot++) {
        if (model->bodies[model->moving[slot]].kind == CR_KIND_CONTROLLED) {
            return model->moving[slot];
        }
    }
    return -1;
}

static cr_status check(const cr_run_def *def, cr_report *report)
{
    const struct {
        const char *name;
        double value, most;
    } rows[] = {{"interval", def->interval, 1e6}, {"deadline", def->deadline, 1e6},
                {"seconds", def->seconds, 1e6},   {"trust", def->trust, 1},
                {"watch", def->watch, 1e4},       {"think", def->think, 1e4},
                {"wait", def->wait, 1e4},         {"near", def->near, 1e6}};
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        if (!(rows[i].value >= 0 && rows[i].value <= rows[i].most)) {
            return cri_fail(report, CR_ERR_RANGE, (cri_location){0},
                            "the run's %s must be 0 to %g, got %g", rows[i].name, rows[i].most,
                            rows[i].value);
        }
    }
    return CR_OK;
}

static cr_status open_run(run *r, const cr_state *start, cr_report *report)
{
    const cr_model *model = r->model;
    const cr_run_def *def = r->def;
    cr_status status = check(def, report);
    const cr_model *world = def->world ? def->world : model;
    status =
        status == CR_OK ? cr_truth_create(world, &def->truth, start, &r->truth, report) : status;
    status =
        status == CR_OK ? cr_planner_create(model, &def->planner, &r->planner, report) : status;
    if (status == CR_OK) {
        int64_t longest = steps_of(model, def->planner.horizon) + def->planner.longest + 1;
        status = cri_track_create(model, longest, &r->track, report);
    }
    if (status == CR_OK) {
        status = cri_belief_create(r->truth, def, model, &r->belief, report);
    }
    status = status == CR_OK ? cri_ahead_create(model, &r->ahead, report) : status;
    r->root = cr_state_create(model);
    r->actions = calloc((size_t)model->moving_count + 1, sizeof *r->actions);
    bool made = r->root && r->actions;
    return status == CR_OK && !made ? cri_fail_memory(report) : status;
}

static void close_run(run *r)
{
    cr_plan_destroy(r->plan);
    cr_planner_destroy(r->planner);
    cr_truth_destroy(r->truth);
    cri_belief_free(&r->belief);
    cri_ahead_free(&r->ahead);
    cri_track_free(&r->track);
    free(r->actions);
    free(r->root);
}

cr_status cr_run_execute(const cr_model *model, const cr_run_def *def, const cr_state *start,
                         cr_run_result *result, cr_report *report)
{
    *result = (cr_run_result){0};
    run r = {.model = model, .def = def, .result = result, .body = first_controlled(model)};
    cr_status status = open_run(&r, start, report);
    if (status == CR_OK) {
        double seconds = def->seconds > 0 ? def->seconds : def->planner.horizon;
        r.interval =
            def->interval > 0 ? (int64_t)fmax(1, (double)steps_of(model, def->interval)) : 0;
        r.begin = cr_truth_state(r.truth)->step + steps_of(model, def->watch);
        r.end_step = r.begin + steps_of(model, seconds + def->think + def->wait);
        status = run_all(&r, report);
    }
    close_run(&r);
    return status;
}
