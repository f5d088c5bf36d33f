// The planner's loop (003, algorithms 4 and 8):
//
//   select     the source of an attempt, from the tree as it stands
//   run        its branch, on any thread: run.c
//   keep       what it brought
//
// A round of lanes runs side by side, a step a tick. What ends at a tick is kept before anything
// that ends later, and the lane then selects its next attempt, whenever the threads get there:
// threads change nothing but time. A branch is kept whole or not at all, so there is nothing to
// roll back (algorithm 7).
#include "plan/planner.h"

#include <assert.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/report.h"
#include "behavior/behavior.h"
#include "scene/evaluate.h"
#include "scene/parameters.h"

// ---------------------------------------------------------------------------------------------
// The loop.

// A start without a choice leads to one future only.
static bool has_one_future(const cri_tree *tree)
{
    return tree->count == 1 && tree->branches[0].ended;
}

static bool can_select(const cr_planner *planner)
{
    bool used_up = has_one_future(&planner->tree) && planner->selected > 0;
    return !used_up && cri_tree_candidates(&planner->tree) > 0;
}

// Choose the source of the lane's next attempt.
static void select_next(cr_planner *planner, cri_lane *lane)
{
    cri_attempt *attempt = &lane->attempt;
    uint64_t number = (uint64_t)++planner->selected;
    cr_rng rng = cr_rng_make(planner->def.seed, CR_RNG_SELECT, number);
    attempt->number = (int64_t)number;
    attempt->rng = cr_rng_make(planner->def.seed, CR_RNG_ATTEMPT, number);
    attempt->sample = cri_draw_sample(planner->model, &attempt->rng);
    attempt->parent = planner->select(&planner->selection, &attempt->sample, &rng);
    attempt->steps_left = planner->step_limit - planner->stats.steps;
    cri_tree_pick(&planner->tree, attempt->parent);
    lane->fresh = true;
}

// Select for all lanes that are free, as far as there is something to grow from. Their clocks go on
// from this tick.
static void fill_lanes(cr_planner *planner, int64_t tick)
{
    double begin = cri_seconds();
    cri_selection_update(&planner->selection);
    for (int i = 0; i < planner->def.round && can_select(planner); i++) {
        cri_entry *entry = &planner->board[i];
        if (entry->phase == CRI_LANE_FREE) {
            select_next(planner, &planner->lanes[i]);
            entry->phase = CRI_LANE_READY;
            entry->clock = tick;
        }
    }
    planner->stats.select_seconds += cri_seconds() - begin;
    cri_pool_wake(&planner->pool);
}

static bool is_kept(const cr_planner *planner, const cri_attempt *attempt)
{
    bool dead = attempt->ending == CRI_END_RULE || attempt->ending == CRI_END_ENGINE;
    return attempt->kept > 0 && (!dead || planner->def.keep_dead);
}

static void count_ending(cr_planner *planner, const cri_attempt *attempt)
{
    cr_planner_stats *stats = &planner->stats;
    bool rule = attempt->ending == CRI_END_RULE, engine = attempt->ending == CRI_END_ENGINE;
    stats->dead_rule += rule;
    stats->dead_engine += engine;
    stats->ended += attempt->ending == CRI_END_FINAL;
    if (engine) {
        stats->fault = attempt->fault;
        stats->fault_body = attempt->fault_body;
    }
    if (rule || engine) {
        planner->dead = (cri_dead){.attempt = attempt->number,
                                   .parent = attempt->parent,
                                   .steps = rule ? attempt->steps : attempt->kept,
                                   .rule = rule};
    }
}

// Let rrt find the decision at the end of a branch.
static void add_neighbor(cr_planner *planner, int32_t branch)
{
    const cr_model *model = planner->model;
    cri_neighbors *neighbors = &planner->selection.neighbors;
    if (neighbors->capacity > 0) {
        int slot = model->bodies[model->sampling.body].slot;
        const cr_state *state = cri_tree_state(&planner->tree, branch);
        cri_neighbors_add(neighbors, &cri_bodies_const(model, state)[slot], branch);
    }
}

// Add an attempt's branch to the tree.
static void keep_branch(cr_planner *planner, const cri_attempt *attempt)
{
    cr_planner_stats *stats = &planner->stats;
    bool goal = attempt->ending == CRI_END_GOAL;
    int32_t branch = cri_tree_add(&planner->tree, &(cri_new_branch){
                                                      .parent = attempt->parent,
                                                      .attempt = attempt->number,
                                                      .steps = attempt->kept,
                                                      .ended = attempt->ending != CRI_END_DECISION,
                                                      .goal = goal,
                                                      .end = attempt->state,
                                                  });
    if (attempt->ending == CRI_END_DECISION) {
        add_neighbor(planner, branch);
    }
    if (attempt->best_score > stats->best_score) {
        stats->best_score = attempt->best_score;
        planner->best_branch = branch;
        planner->best_step = attempt->best_step;
    }
    if (goal) {
        planner->solutions[stats->solutions++] = branch;
    }
}

// Take in one attempt. Limits apply in attempt order: what goes over one is not taken.
static cr_outcome keep_attempt(cr_planner *planner, const cri_attempt *attempt)
{
    cr_planner_stats *stats = &planner->stats;
    int64_t steps = attempt->steps > 0 ? attempt->steps : 1; // a try that goes nowhere costs one
    if (stats->steps + steps > planner->step_limit || attempt->ending == CRI_END_CUT) {
        return CR_OUTCOME_STEPS;
    }
    if (is_kept(planner, attempt)) {
        if (planner->tree.node_count + attempt->kept > planner->def.nodes) {
            return CR_OUTCOME_FULL;
        }
        keep_branch(planner, attempt);
    }
    cri_tree_unpick(&planner->tree, attempt->parent);
    count_ending(planner, attempt);
    stats->steps += steps;
    stats->attempts++;
    if (stats->solutions >= planner->def.solutions) {
        return CR_OUTCOME_SOLVED;
    }
    if (planner->def.attempts > 0 && stats->attempts >= planner->def.attempts) {
        return CR_OUTCOME_ATTEMPTS;
    }
    if (planner->tree.node_count >= planner->def.nodes) {
        return CR_OUTCOME_FULL;
    }
    return stats->steps >= planner->step_limit ? CR_OUTCOME_STEPS : CR_OUTCOME_GROWING;
}

// A scene with a score and no goal cannot be solved, only searched: its natural end is the best.
static cr_outcome final_outcome(const cr_planner *planner, cr_outcome outcome)
{
    bool best = !planner->model->has_goal && planner->model->has_score;
    return best && planner->best_branch >= 0 ? CR_OUTCOME_BEST : outcome;
}

// The first tick at which a lane may end, or has ended.
static int64_t end_of(const cr_planner *planner, const cri_entry *entry)
{
    switch (entry->phase) {
    case CRI_LANE_FREE:
        return INT64_MAX;
    case CRI_LANE_READY:
        return entry->clock + 1;
    case CRI_LANE_RUNNING:
        return atomic_load(&planner->pool.workers[entry->worker].behind) + 1;
    case CRI_LANE_ENDED:
        break;
    }
    return entry->clock;
}

// The lane whose branch is to be kept next, or -1 if that is not known yet: the one that ended
// first, of several at the same tick the first, provided that no other may still end before it.
static int next_to_keep(const cr_planner *planner)
{
    int first = -1;
    int64_t first_end = INT64_MAX;
    for (int i = 0; i < planner->def.round; i++) {
        int64_t end = end_of(planner, &planner->board[i]);
        if (end < first_end) {
            first = i;
            first_end = end;
        }
    }
    return first >= 0 && planner->board[first].phase == CRI_LANE_ENDED ? first : -1;
}

static cr_outcome keep_next(cr_planner *planner, int lane)
{
    cr_outcome outcome = keep_attempt(planner, &planner->lanes[lane].attempt);
    if (outcome == CR_OUTCOME_GROWING) {
        planner->board[lane].phase = CRI_LANE_FREE;
        fill_lanes(planner, planner->board[lane].clock);
        bool over = planner->stats.attempts == planner->selected; // nothing is under way
        outcome = over ? CR_OUTCOME_EXHAUSTED : CR_OUTCOME_GROWING;
    }
    return outcome;
}

void cri_planner_tend(cr_planner *planner)
{
    int lane = -1;
    while (!atomic_load(&planner->pool.paused) && (lane = next_to_keep(planner)) >= 0) {
        cr_outcome outcome = keep_next(planner, lane);
        if (outcome != CR_OUTCOME_GROWING) {
            planner->outcome = final_outcome(planner, outcome);
        }
        if (outcome != CR_OUTCOME_GROWING || planner->stats.attempts >= planner->pause_at) {
            cri_pool_pause(&planner->pool);
        }
    }
}

void cri_ask_slice(cr_planner *planner)
{
    const cr_slice *slice = planner->slice;
    planner->stopped = slice->stop && slice->stop(slice->context);
    double seconds = slice->seconds > 0 ? cri_seconds() - planner->slice_begin : 0;
    if (planner->stopped || (slice->seconds > 0 && seconds >= slice->seconds)) {
        pthread_mutex_lock(&planner->pool.lock);
        cri_pool_pause(&planner->pool);
        pthread_mutex_unlock(&planner->pool.lock);
    }
}

cr_outcome cr_planner_grow(cr_planner *planner, const cr_slice *slice)
{
    static const cr_slice whole = {0};
    planner->slice = slice ? slice : &whole;
    planner->slice_begin = cri_seconds();
    planner->stopped = false;
    planner->pause_at = planner->slice->attempts > 0
                            ? planner->stats.attempts + planner->slice->attempts
                            : INT64_MAX;
    if (planner->outcome == CR_OUTCOME_GROWING) {
        cri_pool_run(&planner->pool);
    }
    planner->stats.seconds += cri_seconds() - planner->slice_begin;
    bool stopped = planner->outcome == CR_OUTCOME_GROWING && planner->stopped;
    return stopped ? CR_OUTCOME_STOPPED : planner->outcome;
}

// ---------------------------------------------------------------------------------------------
// Making a planner.

static int thread_count(const cr_planner_def *def)
{
    long cores = sysconf(_SC_NPROCESSORS_ONLN);
    int threads = def->threads > 0 ? def->threads : (int)(cores > 0 ? cores : 1);
    return threads < def->round ? threads : def->round;
}

static cr_status make_lane(cr_planner *planner, cri_lane *lane, cr_report *report)
{
    const cr_model *model = planner->model;
    cri_arena *arena = &planner->arena;
    lane->actions = cri_arena_alloc(arena, (size_t)model->moving_count, sizeof *lane->actions);
    lane->next = cri_arena_alloc(arena, 1, model->state_size);
    lane->attempt.state = cri_arena_alloc(arena, 1, model->state_size);
    const void *gap = cri_arena_alloc(arena, 1, sizeof(cri_gap));
    bool made = lane->actions && lane->next && lane->attempt.state && gap;
    return made ? CR_OK : cri_fail_memory(report);
}

static cr_status make_lanes(cr_planner *planner, cr_report *report)
{
    cri_arena *arena = &planner->arena;
    planner->lanes = cri_arena_alloc(arena, (size_t)planner->def.round, sizeof *planner->lanes);
    planner->board = cri_arena_alloc(arena, (size_t)planner->def.round, sizeof *planner->board);
    planner->solutions =
        cri_arena_alloc(arena, (size_t)planner->def.solutions, sizeof *planner->solutions);
    if (!planner->lanes || !planner->board || !planner->solutions) {
        return cri_fail_memory(report);
    }
    cr_status status = CR_OK;
    for (int i = 0; i < planner->def.round && status == CR_OK; i++) {
        status = make_lane(planner, &planner->lanes[i], report);
    }
    return status;
}

// The start itself may already be the goal.
static void look_at_start(cr_planner *planner)
{
    const cr_model *model = planner->model;
    const cr_state *start = cri_tree_state(&planner->tree, 0);
    if (model->has_score) {
        planner->stats.best_score = cri_score_of(model, start);
        planner->best_branch = 0;
    }
    if (cri_goal_reached(model, start)) {
        planner->solutions[planner->stats.solutions++] = 0;
        planner->outcome = CR_OUTCOME_SOLVED;
    }
}

static cr_status prepare(cr_planner *planner, cr_report *report)
{
    const cr_planner_def *def = &planner->def;
    const cr_state *start = (const cr_state *)(const void *)planner->model->start_state;
    bool decision = cri_is_decision(planner->model, start, def->free_tactics);
    planner->step_limit = def->steps > 0 ? def->steps : 2 * def->nodes;
    planner->horizon_steps = cri_horizon_steps(planner->model, def);
    planner->select = cri_select_find(def->select);
    planner->selection =
        (cri_selection){.model = planner->model, .def = &planner->def, .tree = &planner->tree};
    cr_status status =
        cri_tree_create(planner->model, def->nodes, decision, &planner->tree, report);
    if (status == CR_OK && cri_select_samples(def->select) && planner->model->sampling.present) {
        status = cri_neighbors_create(&planner->selection.neighbors, planner->model, def->nodes);
        status = status == CR_OK ? CR_OK : cri_fail_memory(report);
    }
    if (status == CR_OK && decision) {
        add_neighbor(planner, 0);
    }
    if (status == CR_OK) {
        status = make_lanes(planner, report);
    }
    if (status == CR_OK) {
        fill_lanes(planner, 0);
        status = cri_pool_create(planner, thread_count(def), report);
    }
    if (status == CR_OK) {
        look_at_start(planner);
    }
    return status;
}

cr_status cr_planner_create(const cr_model *model, const cr_library *library,
                            const cr_planner_def *def, cr_planner **planner, cr_report *report)
{
    *planner = NULL;
    cr_status status = cri_planner_check(model, library, def, report);
    if (status != CR_OK) {
        return status;
    }
    cr_planner *p = calloc(1, sizeof *p);
    if (!p) {
        return cri_fail_memory(report);
    }
    p->model = model;
    p->library = library;
    p->def = *def;
    p->best_branch = -1;
    p->stats.best_score = -HUGE_VAL;
    p->stats.fault_body = -1;
    status = prepare(p, report);
    if (status != CR_OK) {
        cr_planner_destroy(p);
        return status;
    }
    *planner = p;
    return CR_OK;
}

void cr_planner_destroy(cr_planner *planner)
{
    if (planner) {
        cri_pool_free(&planner->pool);
        cri_neighbors_free(&planner->selection.neighbors);
        cri_tree_free(&planner->tree);
        cri_arena_free(&planner->arena);
        free(planner);
    }
}

// ---------------------------------------------------------------------------------------------
// Queries.

const char *cr_outcome_name(cr_outcome outcome)
{
    switch (outcome) {
    case CR_OUTCOME_GROWING:
        return "growing";
    case CR_OUTCOME_SOLVED:
        return "solved";
    case CR_OUTCOME_BEST:
        return "best";
    case CR_OUTCOME_FULL:
        return "full";
    case CR_OUTCOME_STEPS:
        return "steps";
    case CR_OUTCOME_ATTEMPTS:
        return "attempts";
    case CR_OUTCOME_EXHAUSTED:
        return "exhausted";
    case CR_OUTCOME_SECONDS:
        return "seconds";
    case CR_OUTCOME_STOPPED:
        return "stopped";
    case CR_OUTCOME_SIMULATED:
        return "simulated";
    }
    return "unknown";
}

cr_planner_stats cr_planner_get_stats(const cr_planner *planner)
{
    cr_planner_stats stats = planner->stats;
    stats.nodes = planner->tree.node_count;
    stats.decisions = cri_tree_candidates(&planner->tree);
    stats.tree_hash = planner->tree.hash;
    stats.bytes = cri_tree_bytes(&planner->tree);
    for (int i = 0; i < planner->pool.count; i++) {
        stats.behavior_seconds += planner->pool.workers[i].behavior_seconds;
        stats.engine_seconds += planner->pool.workers[i].engine_seconds;
    }
    return stats;
}

const cr_planner_def *cr_planner_get_def(const cr_planner *planner)
{
    return &planner->def;
}

int64_t cr_planner_branch_count(const cr_planner *planner)
{
    return planner->tree.count;
}

cr_branch cr_planner_branch(const cr_planner *planner, int64_t branch)
{
    assert(branch >= 0 && branch < planner->tree.count);
    const cri_tree_branch *b = &planner->tree.branches[branch];
    return (cr_branch){.parent = b->parent,
                       .attempt = b->attempt,
                       .steps = b->steps,
                       .depth = b->depth,
                       .ended = b->ended,
                       .goal = b->goal};
}

const cr_state *cr_planner_state(const cr_planner *planner, int64_t branch)
{
    assert(branch >= 0 && branch < planner->tree.count);
    return cri_tree_state(&planner->tree, branch);
}
