// Running branches: act, step, validate, until the next decision.
//
// A worker runs the runners that it has taken for a few steps, or until a branch ends or one that
// waited can be kept. No lock is held: nobody else touches these runners, and of the tree only the
// states of branches are read that were kept before, which never change.
#include "plan/planner.h"

#include <assert.h>
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
    attempt->rule = NULL;
    attempt->fault = CR_FAULT_NONE;
    attempt->fault_body = -1;
}

static void copy_tactics(const cr_model *model, cr_state *to, const cr_state *from)
{
    size_t offset = model->tactics_offset;
    memcpy((char *)to + offset, (const char *)from + offset, model->state_size - offset);
}

// Fill the runner's actions from the Tactics. A Skill may end the branch here; what the Tactics did
// at this step is then undone, because the branch ends in the state before it.
static void act(const cr_planner *planner, cri_runner *runner, cri_steering *steering)
{
    cri_attempt *attempt = &runner->attempt;
    cri_source source = {.rng = &attempt->rng,
                         .sample = &attempt->sample,
                         .acts = cri_acting(planner->model, &planner->def)};
    copy_tactics(planner->model, runner->next, attempt->state);
    if (!cri_act_later(planner->model, attempt->state, planner->def.free_tactics, &source,
                       runner->actions, steering)) {
        copy_tactics(planner->model, attempt->state, runner->next);
        attempt->ending = CRI_END_FINAL;
    } else if (source.acts) {
        cri_coast(planner->model, attempt->state, runner->actions);
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
    if (state->step >= planner->end_step) {
        return CRI_END_FINAL;
    }
    if (cri_may_grow(model, &planner->def, state)) {
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

// Look at what the engine made of the runner's step.
static void advance(const cr_planner *planner, cri_runner *runner, const cr_step *step)
{
    cri_attempt *attempt = &runner->attempt;
    const cri_rule *broken = NULL;
    attempt->steps++;
    if (!step->alive) {
        attempt->ending = CRI_END_ENGINE;
        attempt->fault = step->fault;
        attempt->fault_body = step->fault_body;
    } else if ((broken = cri_broken_rule(planner->model, runner->next))) {
        attempt->ending = CRI_END_RULE;
        attempt->rule = broken->text;
    } else {
        cr_state *before = attempt->state;
        attempt->state = runner->next;
        runner->next = before;
        attempt->kept = attempt->steps;
        cri_time_out(planner->model, &planner->def, attempt->steps, attempt->state);
        note_score(planner->model, attempt);
        attempt->ending = judge(planner, attempt);
    }
}

// Fill the batch from the Tactics of all runners; returns how many are to be stepped.
static int act_all(cri_worker *worker)
{
    cri_steering steering;
    int count = 0;
    cri_steering_open(&steering, worker->planner->model);
    for (int i = 0; i < worker->runner_count; i++) {
        cri_runner *runner = worker->runners[i];
        act(worker->planner, runner, &steering);
        if (runner->attempt.ending == CRI_END_NONE) {
            worker->runners[i] = worker->runners[count];
            worker->runners[count] = runner;
            worker->batch[count++] =
                (cr_step){.from = runner->attempt.state,
                          .actions = runner->actions,
                          .mask = cri_root_mask(&worker->planner->root, runner->attempt.state),
                          .to = runner->next};
        }
    }
    cri_steering_finish(&steering);
    return count;
}

// Take the worker's runners one step further; true if a branch has ended. now: the time, before and
// after it.
static bool step_runners(cri_worker *worker, double *now)
{
    double t0 = *now;
    int count = act_all(worker);
    assert(count <= worker->runner_count);
    double t1 = cri_seconds();
    cr_engine_step(worker->engine, worker->batch, count);
    double t2 = cri_seconds();
    bool ended = count < worker->runner_count;
    for (int i = 0; i < count; i++) {
        worker->runners[i]->contacts = worker->batch[i].contact_count;
        advance(worker->planner, worker->runners[i], &worker->batch[i]);
        ended |= worker->runners[i]->attempt.ending != CRI_END_NONE;
    }
    double t3 = *now = cri_seconds();
    worker->behavior_seconds += t1 - t0 + t3 - t2;
    worker->engine_seconds += t2 - t1;
    return ended;
}

// Has the branch that waits no more to wait for, as all workers have come as far? It is then kept
// under the lock, and until then the lock is left alone.
static bool is_due(const cri_worker *worker)
{
    const cri_crew *crew = &worker->planner->crew;
    bool due = worker->due < INT64_MAX;
    for (int i = 0; i < crew->count && due; i++) {
        due = atomic_load(&crew->workers[i].behind) >= worker->due;
    }
    return due;
}

static void open_branches(cri_worker *worker)
{
    for (int i = 0; i < worker->runner_count; i++) {
        cri_runner *runner = worker->runners[i];
        if (runner->fresh) {
            open_branch(worker->planner, &runner->attempt);
            runner->fresh = false;
            runner->contacts = 0; // not known
        }
        assert(runner->attempt.ending == CRI_END_NONE);
    }
}

// What touches what in a runner's world: the first pairs that somebody asks about, then how many
// there are in all.
static uint64_t touches_of(const cri_worker *worker, const cri_runner *runner)
{
    const cr_model *model = worker->planner->model;
    bool watches = model->watched_count > 0;
    uint64_t asked = watches ? cri_touched_const(model, runner->attempt.state)[0] : 0;
    return (asked << 8) + (uint64_t)runner->contacts;
}

// Worlds in which the same bodies touch come into the same batch: a contact that one of them has is
// solved for all. It saves time and changes no result.
static void sort_runners(cri_worker *worker)
{
    for (int i = 0; i < worker->runner_count && worker->runner_count > worker->lanes; i++) {
        cri_runner *runner = worker->runners[i];
        runner->touches = touches_of(worker, runner);
        int at = i;
        for (; at > 0 && worker->runners[at - 1]->touches > runner->touches; at--) {
            worker->runners[at] = worker->runners[at - 1];
        }
        worker->runners[at] = runner;
    }
}

void cri_run(cri_worker *worker)
{
    // Steps that a worker goes on with its runners before it looks for others that have fallen
    // behind.
    enum { TURN = 4 };
    double begin = cri_seconds(), now = begin;
    bool change = false;
    open_branches(worker);
    sort_runners(worker);
    for (worker->ticks = 0; worker->ticks < TURN && !change; worker->ticks++) {
        change = step_runners(worker, &now);
        if (!change) {
            atomic_fetch_add(&worker->behind, 1);
            change = is_due(worker);
        }
    }
    worker->turn_seconds = now - begin;
    cri_ask_slice(worker);
}
