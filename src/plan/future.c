// Futures that are no solution: the one that a search without a solution shows, one that is
// simulated by seed, and how futures end.
#include "plan/plan.h"

#include <assert.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "base/file.h"
#include "base/number.h"
#include "plan/planner.h"
#include "scene/evaluate.h"
#include "plan/parameters.h"

// ---------------------------------------------------------------------------------------------
// How a future ends.

const char *cr_end_name(cr_end end)
{
    static const char *const names[] = {"goal",  "best",    "rule", "engine",
                                        "skill", "horizon", "open"};
    assert((int)end >= 0 && end <= CR_END_OPEN);
    return names[end];
}

static const char *end_words(const cr_plan *plan, cr_end end)
{
    switch (end) {
    case CR_END_GOAL:
        return "goal reached";
    case CR_END_BEST:
        return plan->model->has_goal ? "goal not reached" : "the best found";
    case CR_END_RULE:
        break;
    case CR_END_ENGINE:
        return "failed: the world blows up";
    case CR_END_SKILL:
        return "ended by a Skill";
    case CR_END_TIME:
        return "ended by its time";
    case CR_END_OPEN:
        return "not at its end";
    }
    return "failed";
}

const char *cri_fault_print(const cr_model *model, cr_fault fault, int body,
                            char text[CRI_FAULT_TEXT])
{
    text[0] = 0;
    if (fault != CR_FAULT_NONE && body >= 0) {
        snprintf(text, CRI_FAULT_TEXT, ": body \"%.100s\" %s", model->bodies[body].name,
                 cr_fault_about(fault));
    } else if (fault != CR_FAULT_NONE) {
        snprintf(text, CRI_FAULT_TEXT, ": a body %s", cr_fault_about(fault));
    }
    return text;
}

// The step that blows up is the one after the last.
static const char *print_blown(const cr_plan *plan, const cr_solution *info, char *text,
                               size_t size)
{
    char why[CRI_FAULT_TEXT];
    cri_format(text, size, "%s%s at %.3f s", end_words(plan, CR_END_ENGINE),
               cri_fault_print(plan->model, info->fault, info->fault_body, why),
               (double)(info->steps + 1) * plan->model->dt);
    return text;
}

const char *cr_plan_print_end(const cr_plan *plan, int solution, char *text, size_t size)
{
    assert(solution >= 0 && solution < plan->solution_count);
    assert(solution >= 0 && solution < plan->solution_count);
    const cr_solution *info = &plan->solutions[solution].info;
    char blown[CRI_FAULT_TEXT + 80];
    const char *words = info->end == CR_END_ENGINE ? print_blown(plan, info, blown, sizeof blown)
                                                   : end_words(plan, info->end);
    bool missed = plan->model->has_goal && !info->goal && info->end >= CR_END_SKILL;
    if (info->rule) {
        cri_format(text, size, "%s%sfailed: breaks the rule %s at %.3f s",
                   info->end == CR_END_RULE ? "" : words, info->end == CR_END_RULE ? "" : "; ",
                   info->rule, (double)info->broken_step * plan->model->dt);
    } else {
        snprintf(text, size, "%s%s", words, missed ? ", goal not reached" : "");
    }
    return text;
}

// ---------------------------------------------------------------------------------------------
// The future that a search without a solution shows.

// Of the kept branches the one that ends with the best score (0 without scores), of equal ones the
// longest, of equally long ones the first; -1 if there is none.
static int32_t best_end(const cr_planner *planner)
{
    const cri_tree *tree = &planner->tree;
    int32_t best = -1;
    double best_score = 0;
    for (int32_t b = 1; b < tree->count; b++) {
        double score = cri_score_of(planner->model, cri_tree_state(tree, b));
        bool longer = best >= 0 && tree->branches[b].depth > tree->branches[best].depth;
        if (best < 0 || score > best_score || (score == best_score && longer)) {
            best = b;
            best_score = score;
        }
    }
    return best;
}

// How a kept branch ends that reaches no goal. What was kept of a dead one could go on.
static cr_end end_of_branch(const cr_planner *planner, int32_t branch)
{
    const cri_tree_branch *b = &planner->tree.branches[branch];
    if (cri_tree_state(&planner->tree, branch)->step >= planner->end_step) {
        return CR_END_TIME;
    }
    bool skill = b->ended && !b->cut && !planner->def.keep_dead;
    return skill ? CR_END_SKILL : CR_END_OPEN;
}

static cr_status show_branch(cr_plan *plan, const cr_planner *planner, int32_t branch,
                             cr_report *report)
{
    const cri_tree_branch *b = &planner->tree.branches[branch];
    cri_trail trail = {b->parent, b->attempt, b->steps};
    plan->solutions[0].info.end = end_of_branch(planner, branch);
    return cri_plan_trace(plan, &planner->tree, &trail, &plan->solutions[0], report);
}

// The attempt's stream leads to where it died again.
static cr_status show_dead(cr_plan *plan, const cr_planner *planner, cr_report *report)
{
    const cr_death *dead = &planner->deaths.last;
    cri_trail trail = {(int32_t)dead->parent, dead->attempt, dead->steps};
    plan->solutions[0].info.end = dead->rule ? CR_END_RULE : CR_END_ENGINE;
    return cri_plan_trace(plan, &planner->tree, &trail, &plan->solutions[0], report);
}

static cr_status simulate(cr_plan *plan, const cr_simulate_def *how, cr_report *report);

// Where no attempt came to an end, the first one is run to its own.
static cr_status show_future(cr_plan *plan, const cr_planner *planner, cr_report *report)
{
    bool scored = planner->model->has_score;
    int32_t branch = scored || planner->deaths.last.attempt == 0 ? best_end(planner) : -1;
    if (branch >= 0) {
        return show_branch(plan, planner, branch, report);
    }
    if (planner->deaths.last.attempt > 0) {
        return show_dead(plan, planner, report);
    }
    return simulate(plan, &(cr_simulate_def){0}, report);
}

// Room for one future, and the line that repeats the search.
static cr_status make_one(cr_plan *plan)
{
    plan->solution_count = 1;
    plan->solutions = cri_arena_alloc(&plan->arena, 1, sizeof *plan->solutions);
    return plan->solutions ? cri_plan_repeat(plan, "") : CR_ERR_MEMORY;
}

static cr_status show_failed(cr_plan *plan, const cr_planner *planner, cr_report *report)
{
    return make_one(plan) == CR_OK ? show_future(plan, planner, report) : cri_fail_memory(report);
}

cr_status cr_plan_create_failed(const cr_planner *planner, cr_outcome outcome, cr_plan **plan,
                                cr_report *report)
{
    *plan = NULL;
    bool better = planner->best_branch > 0 && planner->best_step > 0;
    if (planner->stats.solutions > 0 || better) {
        return cr_plan_create(planner, outcome, plan, report);
    }
    cr_status status = cri_plan_begin(planner, outcome, plan);
    status = status == CR_OK ? show_failed(*plan, planner, report) : cri_fail_memory(report);
    if (status != CR_OK) {
        cr_plan_destroy(*plan);
        *plan = NULL;
    }
    return status;
}

// ---------------------------------------------------------------------------------------------
// The beginning of the best future.

// The branch is the last of the prefix: it is cut where the prefix ends, if that is before its own
// end, or where it scores best, if it is the last of a future that is no solution.
static cr_status show_prefix(cr_plan *plan, const cr_planner *planner, int32_t branch,
                             int64_t steps, cr_report *report)
{
    const cri_tree_branch *b = &planner->tree.branches[branch];
    cri_plan_solution *solution = &plan->solutions[0];
    bool best = planner->stats.solutions == 0 && branch == planner->best_branch;
    int64_t all = best ? planner->best_step : b->steps, left = steps - (b->depth - b->steps);
    cri_trail trail = {b->parent, b->attempt, left < all ? left : all};
    bool goal = b->goal && left >= all;
    solution->info.goal = goal;
    solution->info.end = goal ? CR_END_GOAL : (best && left >= all ? CR_END_BEST : CR_END_OPEN);
    return cri_plan_trace(plan, &planner->tree, &trail, solution, report);
}

cr_status cr_plan_create_prefix(const cr_planner *planner, cr_outcome outcome, int64_t steps,
                                cr_plan **plan, cr_report *report)
{
    *plan = NULL;
    int64_t branch = cr_planner_best(planner, steps);
    if (branch < 0) {
        return CR_OK;
    }
    cr_status status = cri_plan_begin(planner, outcome, plan);
    status = status == CR_OK ? make_one(*plan) : status;
    status = status == CR_OK ? show_prefix(*plan, planner, (int32_t)branch, steps, report)
                             : cri_fail_memory(report);
    if (status != CR_OK) {
        cr_plan_destroy(*plan);
        *plan = NULL;
    }
    return status;
}

// ---------------------------------------------------------------------------------------------
// One future by seed.

typedef struct simulation {
    cr_plan *plan;
    const cr_simulate_def *how;
    int64_t most; // steps
    bool stopped; // by how->stop
    cri_replay replay;
    cr_state *before; // the state before the present step
    cr_action *actions;
    cri_branches branches;
} simulation;

// Where the future stands after a step. A broken rule comes before a reached goal, as in a search.
static cr_end judge(simulation *s, cr_end step)
{
    const cr_model *model = s->plan->model;
    if (step == CR_END_RULE && !s->how->past_rule) {
        return CR_END_RULE;
    }
    if (!s->how->past_goal && cri_goal_reached(model, s->replay.state)) {
        return CR_END_GOAL;
    }
    s->stopped = s->how->stop && s->how->stop(s->how->context);
    return s->replay.steps >= s->most ? CR_END_TIME : CR_END_OPEN;
}

// Run a branch to the next decision, which is CR_END_OPEN, or to the end of all.
static cr_end run_branch(simulation *s, cri_plan_branch *branch)
{
    const cr_model *model = s->plan->model;
    cri_replay *replay = &s->replay;
    cri_source source = {.choices = branch->choices, .choice_count = branch->choice_count};
    cr_end end = CR_END_OPEN;
    do {
        cr_state_copy(model, s->before, replay->state);
        end = cri_replay_step(replay, &source);
        if (end == CR_END_SKILL || end == CR_END_ENGINE) {
            cr_state_copy(model, replay->state, s->before); // as if nobody had acted
            return end;
        }
        branch->steps++;
        end = judge(s, end);
        source = (cri_source){0};
    } while (end == CR_END_OPEN && !s->stopped &&
             !cri_is_decision(model, replay->state, replay->def->free_tactics,
                              replay->def->predict == CR_PREDICT_LINEAR));
    return end;
}

// Each branch is an attempt of its own, with its own draws.
static cr_status open_branch(simulation *s, cri_plan_branch *branch)
{
    branch->attempt = s->branches.count;
    cri_replay_attempt(&s->replay, branch->attempt);
    cr_rng rng =
        cri_attempt_stream(s->plan->model, &s->plan->def, branch->attempt, &branch->sample);
    return cri_find_choices(s->plan, s->replay.state, &rng, branch, s->before, s->actions);
}

// Branch after branch.
static cr_status run_all(simulation *s, cr_end *end)
{
    const cr_model *model = s->plan->model;
    while (*end == CR_END_OPEN && !s->stopped) {
        cri_plan_branch *branch = cri_branches_add(&s->branches);
        if (!branch || open_branch(s, branch) != CR_OK) {
            return CR_ERR_MEMORY;
        }
        *end = run_branch(s, branch);
        branch->hash = cr_state_hash(model, s->replay.state);
    }
    return CR_OK;
}

// How it stands before the first step: the start, too, may break a rule or be the goal.
static cr_end look_at_start(simulation *s)
{
    cri_replay_start(&s->replay);
    return judge(s, s->replay.broken ? CR_END_RULE : CR_END_OPEN);
}

static cr_status note_future(simulation *s, cr_end end)
{
    cr_plan *plan = s->plan;
    const cri_replay *replay = &s->replay;
    cri_plan_solution *solution = &plan->solutions[0];
    solution->attempt = s->branches.count;
    solution->info = (cr_solution){
        .goal = cri_goal_reached(plan->model, replay->state),
        .steps = replay->steps,
        .seconds = (double)replay->steps * plan->model->dt,
        .score = cri_score_of(plan->model, replay->state),
        .turning = replay->measure.turning,
        .contacts = replay->measure.contacts,
        .hash = cr_state_hash(plan->model, replay->state),
        .end = end,
        .rule = replay->broken ? replay->broken->text : NULL,
        .broken_step = replay->broken_step,
        .fault = replay->fault,
        .fault_body = replay->fault_body,
    };
    return cri_branches_give(&s->branches, plan, solution);
}

static cr_status open_simulation(simulation *s, cr_report *report)
{
    const cr_plan *plan = s->plan;
    cri_replay_def def = {plan->model, &plan->def, &plan->root, NULL, NULL};
    s->before = cr_state_create(plan->model);
    s->actions = calloc((size_t)plan->model->moving_count + 1, sizeof *s->actions);
    cr_status status = cri_replay_create(&def, &s->replay, report);
    s->replay.notes_rules = true;
    bool made = s->before && s->actions;
    return status == CR_OK && !made ? cri_fail_memory(report) : status;
}

static void close_simulation(simulation *s)
{
    cri_replay_free(&s->replay);
    free(s->before);
    free(s->actions);
    free(s->branches.items);
}

// Fill the plan's one solution.
static cr_status simulate(cr_plan *plan, const cr_simulate_def *how, cr_report *report)
{
    double seconds = how->seconds > 0 ? how->seconds : plan->def.horizon;
    double steps = floor(seconds / plan->model->dt + 0.5);
    if (steps > CRI_PLAN_STEPS_MAX) {
        return cri_fail(report, CR_ERR_RANGE, (cri_location){0},
                        "%g s are %.0f steps; a future has at most %d", seconds, steps,
                        CRI_PLAN_STEPS_MAX);
    }
    simulation s = {.plan = plan, .how = how, .most = (int64_t)steps};
    cr_status status = open_simulation(&s, report);
    if (status == CR_OK) {
        cr_end end = look_at_start(&s);
        status = run_all(&s, &end);
        status = status == CR_OK ? note_future(&s, end) : status;
        status = status == CR_OK ? CR_OK : cri_fail_memory(report);
    }
    close_simulation(&s);
    return status;
}

cr_simulate_def cr_default_simulate_def(void)
{
    return (cr_simulate_def){0};
}

// What is special about it; one that was stopped is repeated by how far it came.
static void add_special(cri_text *text, const cr_plan *plan, const cr_simulate_def *how)
{
    const cr_solution *info = &plan->solutions[0].info;
    bool stopped = info->end == CR_END_OPEN;
    if (how->seconds > 0 || stopped) {
        cri_text_add(text, " --seconds ");
        cri_text_add_number(text, stopped ? info->seconds : how->seconds);
    }
    if (how->past_goal || how->past_rule) {
        cri_text_add(text, " --until %s",
                     !how->past_goal ? "goal" : (how->past_rule ? "horizon" : "rule"));
    }
}

static cr_status fill_simulated(cr_plan *plan, const cr_simulate_def *how, cr_report *report)
{
    cr_status status = simulate(plan, how, report);
    if (status != CR_OK) {
        return status;
    }
    const cr_solution *info = &plan->solutions[0].info;
    plan->nodes = info->steps + 1;
    plan->steps = info->steps;
    plan->attempts = info->branches;
    cri_text more = {0};
    cri_text_add(&more, "%s", "");
    add_special(&more, plan, how);
    status = more.failed ? CR_ERR_MEMORY : cri_plan_repeat(plan, more.data);
    cri_text_free(&more);
    return status == CR_OK ? CR_OK : cri_fail_memory(report);
}

cr_status cr_plan_simulate(const cr_model *model, const cr_planner_def *def,
                           const cr_simulate_def *how, cr_plan **plan, cr_report *report)
{
    *plan = NULL;
    cr_status status = cri_planner_def_check(def, model->library, report);
    status = status == CR_OK ? cri_root_check(model, &how->root, report) : status;
    if (status != CR_OK) {
        return status;
    }
    cr_plan *p = calloc(1, sizeof *p);
    if (!p) {
        return cri_fail_memory(report);
    }
    p->model = model;
    p->def = *def;
    p->outcome = CR_OUTCOME_SIMULATED;
    p->solution_count = 1;
    p->solutions = cri_arena_alloc(&p->arena, 1, sizeof *p->solutions);
    bool made = p->solutions && cri_root_create(model, &p->arena, &p->root) == CR_OK;
    if (made) {
        cri_root_set(model, &p->root, &how->root);
    }
    status = made ? fill_simulated(p, how, report) : cri_fail_memory(report);
    if (status != CR_OK) {
        cr_plan_destroy(p);
        return status;
    }
    *plan = p;
    return CR_OK;
}
