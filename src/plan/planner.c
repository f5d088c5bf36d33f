// A planner's life: made, grown slice by slice, asked, freed. The loop itself is grow.c.
#include "plan/planner.h"

#include <assert.h>
#include <math.h>
#include <stdlib.h>
#include <unistd.h>

#include "base/report.h"
#include "behavior/behavior.h"
#include "scene/evaluate.h"

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
        cri_selection_add(&planner->selection, 0);
    }
    if (status == CR_OK) {
        status = make_lanes(planner, report);
    }
    if (status == CR_OK) {
        cri_planner_select(planner, 0);
        status = cri_pool_create(planner, thread_count(def), report);
    }
    if (status == CR_OK) {
        look_at_start(planner);
    }
    return status;
}

cr_status cr_planner_create(const cr_model *model, const cr_planner_def *def, cr_planner **planner,
                            cr_report *report)
{
    *planner = NULL;
    cr_status status = cri_planner_check(model, def, report);
    if (status != CR_OK) {
        return status;
    }
    cr_planner *p = calloc(1, sizeof *p);
    if (!p) {
        return cri_fail_memory(report);
    }
    p->model = model;
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
// Growing, slice by slice.

void cri_ask_slice(cr_planner *planner)
{
    const cr_slice *slice = planner->slice;
    planner->stopped = slice->stop && slice->stop(slice->context);
    double seconds = slice->seconds > 0 ? cri_seconds() - planner->slice_begin : 0;
    if (planner->stopped || (slice->seconds > 0 && seconds >= slice->seconds)) {
        cri_pool_lock(&planner->pool);
        cri_pool_pause(&planner->pool);
        cri_pool_unlock(&planner->pool);
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
