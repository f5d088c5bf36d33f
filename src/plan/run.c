// Running branches: act, step, validate, until the next decision.
//
// A worker takes as many lanes as its engine steps at once, those that are behind first, and runs
// them for a few steps, or until a branch ends or one that waited can be kept. Which worker runs a
// lane changes nothing, because a branch depends on its parent's state and its own random stream
// alone.
#include "plan/planner.h"

#include <math.h>
#include <string.h>
#include <time.h>

#include "behavior/behavior.h"
#include "scene/evaluate.h"

double cri_seconds(void)
{
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (double)now.tv_sec + (double)now.tv_nsec * 1e-9;
}

static void open_branch(const cr_planner *planner, cri_attempt *attempt)
{
    const cr_model *model = planner->model;
    cr_state_copy(model, attempt->state, cri_tree_state(&planner->tree, attempt->parent));
    attempt->ending = CRI_END_NONE;
    attempt->steps = attempt->kept = attempt->best_step = 0;
    attempt->best_score = -HUGE_VAL;
}

static void copy_tactics(const cr_model *model, cr_state *to, const cr_state *from)
{
    size_t offset = model->tactics_offset;
    memcpy((char *)to + offset, (const char *)from + offset, model->state_size - offset);
}

// Fill the lane's actions from the Tactics. A Skill may end the branch here; what the Tactics did
// at this step is then undone, because the branch ends in the state before it.
static void act(const cr_planner *planner, cri_lane *lane)
{
    cri_attempt *attempt = &lane->attempt;
    cri_source source = {.rng = &attempt->rng, .sample = &attempt->sample};
    copy_tactics(planner->model, lane->next, attempt->state);
    if (!cri_act(planner->model, attempt->state, planner->def.free_tactics, &source,
                 lane->actions)) {
        copy_tactics(planner->model, attempt->state, lane->next);
        attempt->ending = CRI_END_FINAL;
    }
}

// Where the branch stands after a step that broke no rule.
static cri_ending judge(const cr_planner *planner, const cri_attempt *attempt)
{
    const cr_model *model = planner->model;
    const cr_state *state = attempt->state;
    if (cri_goal_reached(model, state)) {
        return CRI_END_GOAL;
    }
    if (state->step >= planner->horizon_steps || attempt->steps >= planner->def.longest) {
        return CRI_END_FINAL;
    }
    if (cri_is_decision(model, state, planner->def.free_tactics)) {
        return CRI_END_DECISION;
    }
    return attempt->steps >= attempt->steps_left ? CRI_END_CUT : CRI_END_NONE;
}

static void note_score(const cr_model *model, cri_attempt *attempt)
{
    if (model->has_score) {
        double score = cri_score_of(model, attempt->state);
        if (score > attempt->best_score) {
            attempt->best_score = score;
            attempt->best_step = attempt->steps;
        }
    }
}

// Look at what the engine made of the lane's step.
static void advance(const cr_planner *planner, cri_lane *lane, const cr_step *step)
{
    cri_attempt *attempt = &lane->attempt;
    attempt->steps++;
    if (!step->alive) {
        attempt->ending = CRI_END_ENGINE;
        attempt->fault = step->fault;
        attempt->fault_body = step->fault_body;
    } else if (cri_broken_rule(planner->model, lane->next)) {
        attempt->ending = CRI_END_RULE;
    } else {
        cr_state *before = attempt->state;
        attempt->state = lane->next;
        lane->next = before;
        attempt->kept = attempt->steps;
        note_score(planner->model, attempt);
        attempt->ending = judge(planner, attempt);
    }
}

// Steps that a worker goes on with its lanes before it looks for others that have fallen behind.
enum { TURN = 4 };

// Put the worker's lanes back, with the ticks that they have run.
static void put_back(cri_worker *worker, int ticks)
{
    for (int i = 0; i < worker->lane_count; i++) {
        cri_entry *entry = &worker->planner->board[worker->lanes[i] - worker->planner->lanes];
        bool ended = worker->lanes[i]->attempt.ending != CRI_END_NONE;
        entry->phase = ended ? CRI_LANE_ENDED : CRI_LANE_READY;
        entry->clock += ticks;
    }
    worker->lane_count = 0;
}

static bool is_own(const cri_worker *worker, const cri_entry *entry)
{
    return &worker->planner->pool.workers[entry->worker] == worker;
}

// How many lanes the worker may take: an even share, so that no worker falls behind. Finds out as
// well which of its branches waits.
static int plan_turn(cri_worker *worker)
{
    const cr_planner *planner = worker->planner;
    int workers = planner->pool.count, runnable = 0;
    worker->due = INT64_MAX;
    for (int i = 0; i < planner->def.round; i++) {
        const cri_entry *entry = &planner->board[i];
        runnable += entry->phase == CRI_LANE_READY || entry->phase == CRI_LANE_RUNNING;
        if (entry->phase == CRI_LANE_ENDED && is_own(worker, entry)) {
            worker->due = entry->clock < worker->due ? entry->clock : worker->due;
        }
    }
    int share = (runnable + workers - 1) / workers;
    return share < worker->lane_max ? share : worker->lane_max;
}

// The order in which a worker takes lanes: those that are behind first. A lane that another worker
// ran has its memory elsewhere: it must be so many ticks farther behind.
static int64_t order_of(const cri_worker *worker, int lane)
{
    enum { FARTHER = 16 };
    const cri_entry *entry = &worker->planner->board[lane];
    return entry->clock + (is_own(worker, entry) ? 0 : FARTHER);
}

// Put a lane into its place among the first `count`, of which there may be `most`.
static int insert_lane(cri_worker *worker, int lane, int count, int most)
{
    int64_t order = order_of(worker, lane);
    int *lanes = worker->numbers;
    int at = count < most ? count++ : most;
    for (; at > 0 && order_of(worker, lanes[at - 1]) > order; at--) {
        if (at < most) {
            lanes[at] = lanes[at - 1];
        }
    }
    if (at < most) {
        lanes[at] = lane;
    }
    return count;
}

// Take the lanes whose turn it is.
static void take_lanes(cri_worker *worker)
{
    cr_planner *planner = worker->planner;
    int most = plan_turn(worker);
    int ready = 0, count = 0;
    for (int i = 0; i < planner->def.round; i++) {
        if (planner->board[i].phase == CRI_LANE_READY) {
            ready++;
            count = insert_lane(worker, i, count, most);
        }
    }
    int64_t behind = INT64_MAX;
    for (int i = 0; i < count; i++) {
        int lane = worker->numbers[i];
        int64_t clock = planner->board[lane].clock;
        behind = clock < behind ? clock : behind;
        planner->board[lane].phase = CRI_LANE_RUNNING;
        planner->board[lane].worker = (int)(worker - planner->pool.workers);
        worker->lanes[i] = &planner->lanes[lane];
    }
    worker->lane_count = count;
    atomic_store(&worker->behind, behind);
    if (ready > count) {
        cri_pool_wake(&planner->pool);
    }
}

// Change the worker's lanes for those whose turn it is, waiting for them if there are none. False
// once the search pauses.
static bool change_lanes(cri_worker *worker, int ticks)
{
    cr_planner *planner = worker->planner;
    cri_pool *pool = &planner->pool;
    cri_pool_lock(pool);
    put_back(worker, ticks);
    cri_planner_tend(planner);
    while (!atomic_load(&pool->paused)) {
        take_lanes(worker);
        if (worker->lane_count > 0) {
            break;
        }
        cri_pool_wait(pool);
    }
    pthread_mutex_unlock(&pool->lock);
    for (int i = 0; i < worker->lane_count; i++) {
        cri_lane *lane = worker->lanes[i];
        if (lane->fresh) {
            open_branch(planner, &lane->attempt);
            lane->fresh = false;
        }
    }
    return worker->lane_count > 0;
}

// Fill the batch from the Tactics of all lanes; returns how many are to be stepped.
static int act_all(cri_worker *worker)
{
    int count = 0;
    for (int i = 0; i < worker->lane_count; i++) {
        cri_lane *lane = worker->lanes[i];
        act(worker->planner, lane);
        if (lane->attempt.ending == CRI_END_NONE) {
            worker->lanes[i] = worker->lanes[count];
            worker->lanes[count] = lane;
            worker->batch[count++] =
                (cr_step){.from = lane->attempt.state, .actions = lane->actions, .to = lane->next};
        }
    }
    return count;
}

// Take the worker's lanes one step further; true if a branch has ended.
static bool step_lanes(cri_worker *worker)
{
    double t0 = cri_seconds();
    int count = act_all(worker);
    double t1 = cri_seconds();
    cr_engine_step(worker->engine, worker->batch, count);
    double t2 = cri_seconds();
    bool ended = count < worker->lane_count;
    for (int i = 0; i < count; i++) {
        advance(worker->planner, worker->lanes[i], &worker->batch[i]);
        ended |= worker->lanes[i]->attempt.ending != CRI_END_NONE;
    }
    double t3 = cri_seconds();
    worker->behavior_seconds += t1 - t0 + t3 - t2;
    worker->engine_seconds += t2 - t1;
    return ended;
}

// Has the branch that waits no more to wait for, as all workers have come as far? It is then kept
// under the lock, and until then the lock is left alone.
static bool is_due(const cri_worker *worker)
{
    const cri_pool *pool = &worker->planner->pool;
    bool due = worker->due < INT64_MAX;
    for (int i = 0; i < pool->count && due; i++) {
        due = atomic_load(&pool->workers[i].behind) >= worker->due;
    }
    return due;
}

void cri_worker_run(cri_worker *worker)
{
    int ticks = 0;
    while (change_lanes(worker, ticks)) {
        bool change = false;
        for (ticks = 0; ticks < TURN && !change; ticks++) {
            change = step_lanes(worker);
            if (!change) {
                atomic_fetch_add(&worker->behind, 1);
                change = is_due(worker);
            }
        }
        if (worker == &worker->planner->pool.workers[0]) {
            cri_ask_slice(worker->planner);
        }
    }
}
