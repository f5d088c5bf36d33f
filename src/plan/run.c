// Running branches: act, step, validate, until the next decision.
//
// A worker keeps its lanes full: as soon as a branch ends, the lane takes the next attempt of the
// round. Which worker or lane runs a branch changes nothing, because a branch depends on its
// parent's state and its own random stream alone.
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
    cri_attempt *attempt = lane->attempt;
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
    return attempt->steps >= planner->steps_left ? CRI_END_CUT : CRI_END_NONE;
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
    cri_attempt *attempt = lane->attempt;
    attempt->steps++;
    if (!step->alive) {
        attempt->ending = CRI_END_ENGINE;
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

// A lower attempt that solves the problem makes the later ones of its round worthless.
static void note_winner(cri_pool *pool, const cri_attempt *attempt)
{
    if (attempt->ending != CRI_END_GOAL) {
        return;
    }
    long long winner = atomic_load(&pool->winner);
    while (attempt->number < winner &&
           !atomic_compare_exchange_weak(&pool->winner, &winner, attempt->number)) {
    }
}

static bool is_beaten(const cri_worker *worker, const cri_attempt *attempt)
{
    const cr_planner *planner = worker->planner;
    return planner->def.solutions == 1 && attempt->number > atomic_load(&planner->pool.winner);
}

// Give free lanes new attempts; returns how many lanes are in use.
static int refill(cri_worker *worker, int count)
{
    cr_planner *planner = worker->planner;
    while (count < worker->lane_count) {
        int i = atomic_fetch_add(&planner->pool.next, 1);
        if (i >= planner->round_count) {
            break;
        }
        open_branch(planner, &planner->attempts[i]);
        worker->lanes[count++].attempt = &planner->attempts[i];
    }
    return count;
}

// Close up the lanes whose branches have ended.
static int drop_ended(cri_worker *worker, int count)
{
    int kept = 0;
    for (int i = 0; i < count; i++) {
        cri_attempt *attempt = worker->lanes[i].attempt;
        note_winner(&worker->planner->pool, attempt);
        if (attempt->ending == CRI_END_NONE && is_beaten(worker, attempt)) {
            attempt->ending = CRI_END_CUT;
        }
        if (attempt->ending == CRI_END_NONE) {
            cri_lane lane = worker->lanes[kept];
            worker->lanes[kept++] = worker->lanes[i];
            worker->lanes[i] = lane;
        }
    }
    return kept;
}

static void step_lanes(cri_worker *worker, int count)
{
    for (int i = 0; i < count; i++) {
        const cri_lane *lane = &worker->lanes[i];
        worker->batch[i] = (cr_step){.from = lane->attempt->state,
                                     .actions = lane->actions,
                                     .to = lane->next,
                                     .contacts = lane->contacts};
    }
    cr_engine_step(worker->engine, worker->batch, count);
}

void cri_worker_run(cri_worker *worker)
{
    int count = 0;
    while ((count = refill(worker, count)) > 0) {
        double t0 = cri_seconds();
        for (int i = 0; i < count; i++) {
            act(worker->planner, &worker->lanes[i]);
        }
        count = drop_ended(worker, count);
        double t1 = cri_seconds();
        step_lanes(worker, count);
        double t2 = cri_seconds();
        for (int i = 0; i < count; i++) {
            advance(worker->planner, &worker->lanes[i], &worker->batch[i]);
        }
        count = drop_ended(worker, count);
        double t3 = cri_seconds();
        worker->behavior_seconds += t1 - t0 + t3 - t2;
        worker->engine_seconds += t2 - t1;
    }
}
