// From a branch of the tree back to the root by its parents, and forth again in a replay: what was
// decided on the way is noted, so that no plan leaves here that does not replay.
#include "plan/plan.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

#include "base/file.h"
#include "plan/planner.h"
#include "scene/evaluate.h"
#include "scene/lookup.h"

cr_rng cri_attempt_stream(const cr_model *model, const cr_planner_def *def, int64_t attempt,
                          cr_sample *sample)
{
    cr_rng rng = cr_rng_make(def->seed, CR_RNG_ATTEMPT, (uint64_t)attempt);
    *sample = cri_draw_sample(model, &rng);
    return rng;
}

cr_status cri_find_choices(cr_plan *plan, const cr_state *parent, cr_rng *rng,
                           cri_plan_branch *branch, cr_state *scratch, cr_action *actions)
{
    const cr_model *model = plan->model;
    branch->choices =
        cri_arena_alloc(&plan->arena, (size_t)model->tactic_count, sizeof *branch->choices);
    if (!branch->choices) {
        return CR_ERR_MEMORY;
    }
    cr_state_copy(model, scratch, parent);
    cri_source source = {
        .rng = rng, .sample = &branch->sample, .acts = cri_acting(model, &plan->def)};
    cri_act(model, scratch, plan->def.free_tactics, &source, actions);
    for (int i = 0; i < model->tactic_count; i++) {
        if (!cri_tactic_decides(model, parent, i, plan->def.free_tactics) ||
            !cri_acts(model, &plan->def, i)) {
            continue;
        }
        int skill = cri_tactic_state(model, scratch, i)->skill;
        size_t count = (size_t)model->tactics[i].skills[skill].drawn_count;
        double *drawn = cri_arena_alloc(&plan->arena, count, sizeof *drawn);
        if (!drawn) {
            return CR_ERR_MEMORY;
        }
        memcpy(drawn, cri_variables(model, scratch, i), count * sizeof *drawn);
        branch->choices[branch->choice_count++] = (cri_choice){i, skill, drawn};
    }
    return CR_OK;
}

// ---------------------------------------------------------------------------------------------
// The branches of a plan, as they become known.

cri_plan_branch *cri_branches_add(cri_branches *list)
{
    if (list->count == list->capacity) {
        int capacity = list->capacity > 0 ? 2 * list->capacity : 16;
        cri_plan_branch *items = realloc(list->items, (size_t)capacity * sizeof *items);
        if (!items) {
            return NULL;
        }
        list->items = items;
        list->capacity = capacity;
    }
    cri_plan_branch *branch = &list->items[list->count++];
    *branch = (cri_plan_branch){0};
    return branch;
}

cr_status cri_branches_give(const cri_branches *list, cr_plan *plan, cri_plan_solution *solution)
{
    size_t count = (size_t)list->count;
    solution->branches = cri_arena_alloc(&plan->arena, count, sizeof *solution->branches);
    if (!solution->branches) {
        return CR_ERR_MEMORY;
    }
    for (size_t i = 0; i < count; i++) {
        solution->branches[i] = list->items[i];
    }
    solution->info.branches = list->count;
    return CR_OK;
}

// ---------------------------------------------------------------------------------------------
// Running it again.

typedef struct tracing {
    cr_plan *plan;
    cri_replay replay;
    cri_trail *spans; // branches of the tree, from the root on
    int span_count;
    cri_branches branches; // of the plan: more where somebody draws within a branch of the tree
    cr_state *scratch;
    cr_action *actions;
} tracing;

static int trail_length(const cri_tree *tree, const cri_trail *trail)
{
    int count = trail->parent >= 0;
    for (int32_t b = trail->parent; b > 0; b = tree->branches[b].parent) {
        count++;
    }
    return count;
}

static cr_status open_tracing(tracing *t, const cri_tree *tree, const cri_trail *trail,
                              cr_report *report)
{
    const cr_model *model = t->plan->model;
    assert(trail->parent < tree->count);
    t->span_count = trail_length(tree, trail);
    t->spans = calloc((size_t)t->span_count + 1, sizeof *t->spans);
    t->scratch = cr_state_create(model);
    t->actions = calloc((size_t)model->moving_count + 1, sizeof *t->actions);
    cri_replay_def def = {model, &t->plan->def, &t->plan->root, NULL, NULL};
    cr_status status = cri_replay_create(&def, &t->replay, report);
    if (!t->spans || !t->scratch || !t->actions) {
        return cri_fail_memory(report);
    }
    cri_trail at = *trail;
    for (int i = t->span_count - 1; i >= 0; i--) {
        const cri_tree_branch *parent = &tree->branches[at.parent];
        assert(at.parent >= 0 && at.attempt > 0);
        t->spans[i] = at;
        at = (cri_trail){parent->parent, parent->attempt, parent->steps};
    }
    return status;
}

static void close_tracing(tracing *t)
{
    cri_replay_free(&t->replay);
    free(t->spans);
    free(t->branches.items);
    free(t->scratch);
    free(t->actions);
}

// One branch of the plan, of at most so many steps.
static cr_status trace_branch(tracing *t, int64_t attempt, int64_t most, cr_rng *rng,
                              const cr_sample *sample, cr_report *report)
{
    cri_plan_branch *branch = cri_branches_add(&t->branches);
    if (!branch) {
        return cri_fail_memory(report);
    }
    branch->attempt = attempt;
    branch->sample = *sample;
    if (cri_find_choices(t->plan, t->replay.state, rng, branch, t->scratch, t->actions) != CR_OK) {
        return cri_fail_memory(report);
    }
    cr_status status = cri_replay_on(&t->replay, branch, most, report);
    branch->hash = cr_state_hash(t->plan->model, t->replay.state);
    return status;
}

// One branch of the tree.
static cr_status trace_span(tracing *t, const cri_trail *span, cr_report *report)
{
    cr_sample sample;
    cr_rng rng = cri_attempt_stream(t->plan->model, &t->plan->def, span->attempt, &sample);
    int64_t begin = t->replay.steps;
    cr_status status = CR_OK;
    do {
        int64_t left = span->steps - (t->replay.steps - begin);
        status = trace_branch(t, span->attempt, left, &rng, &sample, report);
    } while (status == CR_OK && t->replay.steps - begin < span->steps);
    return status;
}

static cr_status trace_all(tracing *t, const cri_trail *trail, cri_plan_solution *solution,
                           cr_report *report)
{
    cri_replay *replay = &t->replay;
    cr_status status = CR_OK;
    for (int i = 0; i < t->span_count && status == CR_OK; i++) {
        status = trace_span(t, &t->spans[i], report);
    }
    solution->attempt = trail->attempt;
    solution->info.steps = replay->steps;
    solution->info.seconds = (double)replay->steps * replay->model->dt;
    solution->info.score = cri_score_of(replay->model, replay->state);
    solution->info.hash = cr_state_hash(replay->model, replay->state);
    solution->info.turning = replay->measure.turning;
    solution->info.contacts = replay->measure.contacts;
    if (replay->broken) {
        solution->info.rule = replay->broken->text;
        solution->info.broken_step = replay->broken_step;
    }
    memcpy(solution->measures, replay->measure.values, sizeof solution->measures);
    return status;
}

cr_status cri_plan_trace(cr_plan *plan, const cri_tree *tree, const cri_trail *trail,
                         cri_plan_solution *solution, cr_report *report)
{
    tracing t = {.plan = plan};
    cr_status status = open_tracing(&t, tree, trail, report);
    if (status == CR_OK) {
        t.replay.notes_rules = solution->info.end == CR_END_RULE;
        t.replay.measure.rank = cri_find_rank(plan->model->library, plan->def.rank, NULL);
        status = trace_all(&t, trail, solution, report);
    }
    if (status == CR_OK && cri_branches_give(&t.branches, plan, solution) != CR_OK) {
        status = cri_fail_memory(report);
    }
    status = status == CR_OK ? cri_replay_end(&t.replay, solution, report) : status;
    solution->info.fault = t.replay.fault;
    solution->info.fault_body = t.replay.fault_body;
    close_tracing(&t);
    return status;
}
