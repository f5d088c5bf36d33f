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

static cr_status make_runner(cr_planner *planner, cri_runner *runner, cr_report *report)
{
    const cr_model *model = planner->model;
    cri_arena *arena = &planner->arena;
    runner->actions = cri_arena_alloc(arena, (size_t)model->moving_count, sizeof *runner->actions);
    runner->next = cri_arena_alloc(arena, 1, model->state_size);
    runner->attempt.state = cri_arena_alloc(arena, 1, model->state_size);
    const void *gap = cri_arena_alloc(arena, 1, sizeof(cri_gap));
    bool made = runner->actions && runner->next && runner->attempt.state && gap;
    return made ? CR_OK : cri_fail_memory(report);
}

static cr_status make_runners(cr_planner *planner, cr_report *report)
{
    cri_arena *arena = &planner->arena;
    planner->runners = cri_arena_alloc(arena, (size_t)planner->def.round, sizeof *planner->runners);
    planner->board = cri_arena_alloc(arena, (size_t)planner->def.round, sizeof *planner->board);
    planner->solutions =
        cri_arena_alloc(arena, (size_t)planner->def.solutions, sizeof *planner->solutions);
    planner->deaths.items = cri_arena_alloc(arena, CR_DEATHS_MAX, sizeof *planner->deaths.items);
    if (!planner->runners || !planner->board || !planner->solutions || !planner->deaths.items) {
        return cri_fail_memory(report);
    }
    cr_status status = CR_OK;
    for (int i = 0; i < planner->def.round && status == CR_OK; i++) {
        status = make_runner(planner, &planner->runners[i], report);
    }
    return status;
}

// Set aside all that a search needs, so that neither growing nor restarting allocates, but for what
// a select of its own keeps.
static cr_status make_room(cr_planner *planner, cr_report *report)
{
    const cr_planner_def *def = &planner->def;
    cr_status status = cri_tree_create(planner->model, def->nodes, &planner->tree, report);
    if (status == CR_OK) {
        status = cri_selection_create(&planner->selection, &planner->tree, def, report);
    }
    if (status == CR_OK &&
        cri_root_create(planner->model, &planner->arena, &planner->root) != CR_OK) {
        status = cri_fail_memory(report);
    }
    if (status == CR_OK) {
        status = make_runners(planner, report);
    }
    return status == CR_OK ? cri_crew_create(planner, thread_count(def), report) : status;
}

// ---------------------------------------------------------------------------------------------
// Starting.

// The root itself may already be the goal.
static void look_at_root(cr_planner *planner)
{
    const cr_model *model = planner->model;
    if (model->has_score) {
        planner->stats.best_score = cri_score_of(model, planner->root.state);
        planner->best_branch = 0;
    }
    if (cri_goal_reached(model, planner->root.state)) {
        planner->solutions[planner->stats.solutions++] = 0;
        planner->outcome = CR_OUTCOME_SOLVED;
    }
}

// As if nothing had been grown yet.
void cri_planner_forget(cr_planner *planner)
{
    for (int i = 0; i < planner->def.round; i++) {
        planner->board[i] = (cri_entry){.phase = CRI_RUNNER_FREE};
    }
    for (int i = 0; i < planner->crew.count; i++) {
        cri_worker *worker = &planner->crew.workers[i];
        assert(worker->runner_count == 0);
        worker->behavior_seconds = worker->engine_seconds = 0;
    }
    planner->selected = planner->tick = 0;
    planner->lead = (cri_lead){0};
    planner->stats = (cr_planner_stats){.best_score = -HUGE_VAL, .fault_body = -1};
    planner->outcome = CR_OUTCOME_GROWING;
    planner->best_branch = -1;
    planner->best_step = 0;
    planner->deaths = (cri_deaths){.items = planner->deaths.items, .every = 1};
}

// Note which choices are tried first. Other attempts have other numbers than theirs.
static void set_lead(cr_planner *planner, const cr_root *root)
{
    cri_lead *lead = &planner->lead;
    planner->numbered = 0;
    for (int i = 0; i < root->first_count && i < CR_ROOT_FIRST_MAX; i++) {
        lead->attempts[lead->count++] = root->first[i];
        planner->numbered = root->first[i] > planner->numbered ? root->first[i] : planner->numbered;
    }
}

// Begin at the planner's root. No worker runs, but they may look whether there is work.
static void start(cr_planner *planner, const cr_root *from)
{
    const cr_state *root = planner->root.state;
    bool decision = cri_may_grow(planner->model, &planner->def, root);
    cri_crew_lock(&planner->crew);
    cri_planner_forget(planner);
    set_lead(planner, from);
    planner->end_step = root->step + cri_horizon_steps(planner->model, &planner->def);
    cri_tree_restart(&planner->tree, root, decision);
    if (decision) {
        cri_selection_add(&planner->selection, 0);
    }
    cri_planner_select(planner, 0);
    look_at_root(planner);
    cri_crew_unlock(&planner->crew);
}

// The root with the level of detail of the settings, where it has none of its own.
static cr_root with_detail(const cr_planner *planner, const cr_root *from)
{
    cr_root root = *from;
    if (!root.mask && planner->def.t_lod > 0) {
        root.mask = planner->model->far_mask;
        root.t_lod = planner->def.t_lod;
    }
    return root;
}

cr_status cr_planner_restart(cr_planner *planner, const cr_root *root, cr_report *report)
{
    const cr_root scene_start = cr_default_root();
    const cr_root given = with_detail(planner, root ? root : &scene_start), *from = &given;
    cr_status status = cri_root_check(planner->model, from, report);
    status = status == CR_OK ? cri_check_rules(planner->model, from->state, report) : status;
    status = status == CR_OK ? cri_selection_restart(&planner->selection, report) : status;
    if (status == CR_OK) {
        cri_root_set(planner->model, &planner->root, from);
        start(planner, from);
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
    p->step_limit = def->steps > 0 ? def->steps : 2 * def->nodes;
    status = make_room(p, report);
    if (status != CR_OK) {
        cr_planner_destroy(p);
        return status;
    }
    const cr_root scene_start = cr_default_root(), root = with_detail(p, &scene_start);
    cri_root_set(model, &p->root, &root);
    start(p, &root);
    *planner = p;
    return CR_OK;
}

void cr_planner_destroy(cr_planner *planner)
{
    if (planner) {
        cri_crew_free(&planner->crew);
        cri_selection_free(&planner->selection);
        cri_tree_free(&planner->tree);
        cri_arena_free(&planner->arena);
        free(planner);
    }
}

// ---------------------------------------------------------------------------------------------
// Growing, slice by slice.

void cri_ask_slice(const cri_worker *worker)
{
    cr_planner *planner = worker->planner;
    const cr_slice *slice = planner->slice;
    bool stopped = false;
    if (worker == planner->crew.workers) {
        stopped = planner->stopped = slice->stop && slice->stop(slice->context);
        cri_crew_asked(&planner->crew);
    }
    double seconds = slice->seconds > 0 ? cri_seconds() - planner->slice_begin : 0;
    if (stopped || (slice->seconds > 0 && seconds >= slice->seconds)) {
        cri_crew_lock(&planner->crew);
        cri_crew_pause(&planner->crew);
        cri_crew_unlock(&planner->crew);
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
        cri_crew_run(&planner->crew);
    }
    assert(planner->outcome != CR_OUTCOME_GROWING || planner->selected > planner->stats.attempts);
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
    for (int i = 0; i < planner->crew.count; i++) {
        stats.behavior_seconds += planner->crew.workers[i].behavior_seconds;
        stats.engine_seconds += planner->crew.workers[i].engine_seconds;
    }
    return stats;
}

cr_root cr_planner_root(const cr_planner *planner)
{
    return cri_root_view(planner->model, &planner->root);
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
    return cri_tree_branch_at(&planner->tree, branch);
}

static int32_t best_end(const cr_planner *planner)
{
    int32_t best = planner->stats.solutions > 0 ? planner->solutions[0] : planner->best_branch;
    double best_score = -HUGE_VAL;
    for (int i = 0; i < planner->stats.solutions; i++) {
        int32_t branch = planner->solutions[i];
        double score = cri_score_of(planner->model, cri_tree_state(&planner->tree, branch));
        if (score > best_score) { // strict: of equal ones the first
            best = branch;
            best_score = score;
        }
    }
    return best;
}

int64_t cr_planner_best(const cr_planner *planner, int64_t step)
{
    assert(step >= 1);
    const cri_tree_branch *branches = planner->tree.branches;
    int32_t at = best_end(planner);
    while (at > 0 && branches[branches[at].parent].depth >= step) {
        at = branches[at].parent;
    }
    return at > 0 ? at : -1;
}

int64_t cr_planner_death_count(const cr_planner *planner)
{
    return planner->deaths.count;
}

cr_death cr_planner_death(const cr_planner *planner, int64_t death)
{
    assert(death >= 0 && death < planner->deaths.count);
    return planner->deaths.items[death];
}

const cr_state *cr_planner_state(const cr_planner *planner, int64_t branch)
{
    assert(branch >= 0 && branch < planner->tree.count);
    return cri_tree_state(&planner->tree, branch);
}
