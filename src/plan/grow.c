// The planner's loop (003, algorithms 4 and 8), which every worker runs until the search pauses:
//
//   select     the source of an attempt, from the tree as it stands
//   run        its branch: run.c
//   keep       what it brought
//
// A round of runners runs attempts side by side. Each runner has a clock that counts its steps in
// ticks, and the search behaves as if all runners took their steps at once, tick by tick:
//
//   tick       0     1     2     3     4     5     6
//   runner 0   |---- A ----|-------- D ------|------      A ends at 2: kept first
//   runner 1   |------- B -------|------ E --------       B and C end at 3: the lower runner first
//   runner 2   |------- C -------|- F -|-----------       F, selected last of these, ends at 4
//
//   kept       A at 2, B at 3, C at 3, F at 4, D at 5
//
// Workers run their runners ahead of each other. Three invariants keep the clocks true:
//
// 1. What is kept first. Branches are kept in the order of (tick of their end, runner), and a
//    runner selects at the very tick at which its branch was kept. So an attempt's number, the tree
//    that it is selected from and the limits it meets follow from that order alone.
// 2. Why threads change nothing but time. A branch depends on its parent's state and on its own
//    random stream; a step does not depend on its neighbours in a batch. So neither who
//    takes a runner, nor when, nor with which others can be seen in what it brings; and 1 does not
//    know who came back first.
// 3. Why a branch may be kept. Its (tick, runner) is before that of every other runner: one that
//    has ended is at its end, one that has not can end at the next tick of its clock at the
//    earliest.
//    For runners that run, `behind`, which only grows, stands for clocks that are at least as far.
//    What is selected at a tick ends after it, so nothing that comes later belongs before.
//
// A branch is kept whole or not at all, so there is nothing to roll back (algorithm 7).
#include "plan/planner.h"

#include <assert.h>

#include "scene/evaluate.h"

// ---------------------------------------------------------------------------------------------
// Select.

// A root without a choice leads to one future only.
static bool has_one_future(const cri_tree *tree)
{
    return tree->count == 1 && tree->branches[0].ended;
}

static bool can_select(const cr_planner *planner)
{
    bool used_up = has_one_future(&planner->tree) && planner->selected > 0;
    return !used_up && cri_tree_candidates(&planner->tree) > 0;
}

// Choose the source of the runner's next attempt.
static void select_source(cr_planner *planner, cri_runner *runner)
{
    cri_attempt *attempt = &runner->attempt;
    uint64_t number = (uint64_t)(planner->numbered + ++planner->selected);
    cr_rng rng = cr_rng_make(planner->def.seed, CR_RNG_SELECT, number);
    attempt->leads = planner->lead.at < planner->lead.count && planner->lead.from >= 0;
    attempt->number = attempt->leads ? planner->lead.attempts[planner->lead.at] : (int64_t)number;
    attempt->rng = cr_rng_make(planner->def.seed, CR_RNG_ATTEMPT, (uint64_t)attempt->number);
    attempt->sample = cri_draw_sample(planner->model, &attempt->rng);
    attempt->parent = attempt->leads
                          ? planner->lead.from
                          : cri_selection_choose(&planner->selection, &attempt->sample, &rng);
    planner->lead.from = attempt->leads ? -1 : planner->lead.from;
    attempt->steps_left = planner->step_limit - planner->stats.steps;
    assert(attempt->steps_left > 0);
    cri_tree_pick(&planner->tree, attempt->parent);
    runner->fresh = true;
}

void cri_planner_select(cr_planner *planner, int64_t tick)
{
    double begin = cri_seconds();
    cri_selection_update(&planner->selection);
    for (int i = 0; i < planner->def.round && can_select(planner); i++) {
        cri_entry *entry = &planner->board[i];
        if (entry->phase == CRI_RUNNER_FREE) {
            select_source(planner, &planner->runners[i]);
            entry->phase = CRI_RUNNER_READY;
            entry->clock = tick;
        }
    }
    planner->stats.select_seconds += cri_seconds() - begin;
    cri_crew_wake(&planner->crew);
}

// ---------------------------------------------------------------------------------------------
// Keep.

static bool is_kept(const cr_planner *planner, const cri_attempt *attempt)
{
    bool dead = attempt->ending == CRI_END_RULE || attempt->ending == CRI_END_ENGINE;
    return attempt->kept > 0 && (!dead || planner->def.keep_dead);
}

// Allocates nothing: a list that is full keeps every second of its items.
static void note_death(cri_deaths *deaths, const cr_death *death)
{
    deaths->last = *death;
    if (deaths->seen++ % deaths->every != 0) {
        return;
    }
    if (deaths->count == CR_DEATHS_MAX) {
        for (int64_t i = 0; i < CR_DEATHS_MAX / 2; i++) {
            deaths->items[i] = deaths->items[2 * i];
        }
        deaths->count = CR_DEATHS_MAX / 2;
        deaths->every *= 2;
    }
    deaths->items[deaths->count++] = *death;
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
        note_death(&planner->deaths, &(cr_death){.parent = attempt->parent,
                                                 .attempt = attempt->number,
                                                 .steps = rule ? attempt->steps : attempt->kept,
                                                 .branches = planner->tree.count,
                                                 .rule = attempt->rule,
                                                 .fault = attempt->fault,
                                                 .fault_body = attempt->fault_body});
    }
}

// Add an attempt's branch to the tree, and return it.
static int32_t keep_branch(cr_planner *planner, const cri_attempt *attempt)
{
    cr_planner_stats *stats = &planner->stats;
    bool goal = attempt->ending == CRI_END_GOAL;
    int32_t branch = cri_tree_add(&planner->tree, &(cri_new_branch){
                                                      .parent = attempt->parent,
                                                      .attempt = attempt->number,
                                                      .steps = attempt->kept,
                                                      .ended = attempt->ending != CRI_END_DECISION,
                                                      .goal = goal,
                                                      .cut = attempt->ending == CRI_END_CUT,
                                                      .end = attempt->state,
                                                  });
    if (attempt->ending == CRI_END_DECISION) {
        cri_selection_add(&planner->selection, branch);
    }
    if (attempt->best_score > stats->best_score) {
        stats->best_score = attempt->best_score;
        planner->best_branch = branch;
        planner->best_step = attempt->best_step;
    }
    if (goal) {
        assert(stats->solutions < planner->def.solutions);
        planner->solutions[stats->solutions++] = branch;
    }
    return branch;
}

// Which limit the search has come to, if any.
static cr_outcome limit_reached(const cr_planner *planner)
{
    const cr_planner_stats *stats = &planner->stats;
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

// The next choice is tried where this one led to, if that is a decision.
static void lead_on(cri_lead *lead, const cri_attempt *attempt, int32_t branch)
{
    bool on = branch >= 0 && attempt->ending == CRI_END_DECISION;
    lead->at = on ? lead->at + 1 : lead->count;
    lead->from = branch;
}

// Take in one attempt. Limits apply in the order of keeping: what goes over one is not taken.
static cr_outcome keep_attempt(cr_planner *planner, const cri_attempt *attempt)
{
    cr_planner_stats *stats = &planner->stats;
    int64_t steps = attempt->steps > 0 ? attempt->steps : 1; // a try that goes nowhere costs one
    assert(attempt->ending != CRI_END_NONE && attempt->kept <= attempt->steps);
    if (stats->steps + steps > planner->step_limit || attempt->ending == CRI_END_CUT) {
        return CR_OUTCOME_STEPS;
    }
    int32_t branch = -1;
    if (is_kept(planner, attempt)) {
        if (planner->tree.node_count + attempt->kept > planner->def.nodes) {
            return CR_OUTCOME_FULL;
        }
        branch = keep_branch(planner, attempt);
    }
    cri_tree_unpick(&planner->tree, attempt->parent);
    cri_selection_kept(&planner->selection, attempt->parent, branch);
    if (attempt->leads) {
        lead_on(&planner->lead, attempt, branch);
    }
    count_ending(planner, attempt);
    stats->steps += steps;
    stats->attempts++;
    return limit_reached(planner);
}

// A scene with a score and no goal cannot be solved, only searched: its natural end is the best.
static cr_outcome final_outcome(const cr_planner *planner, cr_outcome outcome)
{
    bool best = !planner->model->has_goal && planner->model->has_score;
    return best && planner->best_branch >= 0 ? CR_OUTCOME_BEST : outcome;
}

// Keep what the runner's attempt brought, and free the runner. False if the search ends here.
static bool keep(cr_planner *planner, int runner)
{
    cri_entry *entry = &planner->board[runner];
    assert(entry->phase == CRI_RUNNER_ENDED);
    assert(entry->clock >= planner->tick); // invariant 1
    planner->tick = entry->clock;
    cr_outcome outcome = keep_attempt(planner, &planner->runners[runner].attempt);
    if (outcome != CR_OUTCOME_GROWING) {
        planner->outcome = final_outcome(planner, outcome);
        return false;
    }
    entry->phase = CRI_RUNNER_FREE;
    return true;
}

// ---------------------------------------------------------------------------------------------
// What is kept next.

// The first tick at which a runner may end, or has ended.
static int64_t end_of(const cr_planner *planner, const cri_entry *entry)
{
    switch (entry->phase) {
    case CRI_RUNNER_FREE:
        return INT64_MAX;
    case CRI_RUNNER_READY:
        return entry->clock + 1;
    case CRI_RUNNER_RUNNING:
        return atomic_load(&planner->crew.workers[entry->worker].behind) + 1;
    case CRI_RUNNER_ENDED:
        break;
    }
    return entry->clock;
}

// The runner whose branch is to be kept next, or -1 if that is not known yet (invariant 3). Strict:
// of several at the same tick the first.
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
    return first >= 0 && planner->board[first].phase == CRI_RUNNER_ENDED ? first : -1;
}

// Pause the crew where the search is over, or its slice.
static void pause_at_end(cr_planner *planner)
{
    bool under_way = planner->selected > planner->stats.attempts;
    if (planner->outcome == CR_OUTCOME_GROWING && !under_way) {
        planner->outcome = final_outcome(planner, CR_OUTCOME_EXHAUSTED);
    }
    if (planner->outcome != CR_OUTCOME_GROWING || planner->stats.attempts >= planner->pause_at) {
        cri_crew_pause(&planner->crew);
    }
}

// ---------------------------------------------------------------------------------------------
// The loop. The lock is held but while branches run.

void cri_grow(cri_worker *worker)
{
    cr_planner *planner = worker->planner;
    cri_crew *crew = &planner->crew;
    cri_crew_lock(crew);
    while (!atomic_load(&crew->paused)) {
        int runner = next_to_keep(planner);
        if (runner >= 0) {
            if (keep(planner, runner)) {
                cri_planner_select(planner, planner->tick);
            }
            pause_at_end(planner);
        } else if (cri_crew_is_unasked(worker)) {
            cri_crew_hold(worker);
        } else if (cri_runners_take(worker)) {
            cri_crew_unlock(crew);
            cri_run(worker);
            cri_crew_lock(crew);
            cri_runners_return(worker);
        } else {
            cri_crew_rest(worker);
        }
    }
    cri_crew_unlock(crew);
}
