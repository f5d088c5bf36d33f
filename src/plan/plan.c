// Taking a plan from a search: walk the parents, note what was decided, and replay it once, so that
// no plan leaves here that does not replay.
#include "plan/plan.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

#include "base/file.h"
#include "plan/planner.h"
#include "scene/evaluate.h"
#include "scene/parameters.h"

// What the Tactics decided at the beginning of a branch: the attempt's stream gives it again.
static cr_status find_choices(cr_plan *plan, const cr_state *parent, cri_plan_branch *branch,
                              cr_state *scratch, cr_action *actions)
{
    const cr_model *model = plan->model;
    cr_rng rng = cr_rng_make(plan->def.seed, CR_RNG_ATTEMPT, (uint64_t)branch->attempt);
    branch->sample = cri_draw_sample(model, &rng);
    branch->choices =
        cri_arena_alloc(&plan->arena, (size_t)model->tactic_count, sizeof *branch->choices);
    if (!branch->choices) {
        return CR_ERR_MEMORY;
    }
    cr_state_copy(model, scratch, parent);
    cri_source source = {.rng = &rng, .sample = &branch->sample};
    cri_act(model, scratch, plan->def.free_tactics, &source, actions);
    for (int i = 0; i < model->tactic_count; i++) {
        if (!cri_tactic_decides(model, parent, i, plan->def.free_tactics)) {
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

// The branches from the start to the given one; the last is cut to `steps` of its own.
static cr_status trace(cr_plan *plan, const cri_tree *tree, int32_t last, int64_t steps,
                       cri_plan_solution *solution)
{
    int count = 0;
    for (int32_t b = last; tree->branches[b].parent >= 0; b = tree->branches[b].parent) {
        count++;
    }
    solution->info.branches = count;
    solution->attempt = tree->branches[last].attempt;
    solution->branches = cri_arena_alloc(&plan->arena, (size_t)count, sizeof *solution->branches);
    cr_state *scratch = cr_state_create(plan->model);
    cr_action *actions = calloc((size_t)plan->model->moving_count + 1, sizeof *actions);
    cr_status status = solution->branches && scratch && actions ? CR_OK : CR_ERR_MEMORY;
    for (int32_t b = last; count > 0 && status == CR_OK; b = tree->branches[b].parent) {
        cri_plan_branch *branch = &solution->branches[--count];
        branch->attempt = tree->branches[b].attempt;
        branch->steps = b == last ? steps : tree->branches[b].steps;
        status = find_choices(plan, cri_tree_state(tree, tree->branches[b].parent), branch, scratch,
                              actions);
    }
    free(scratch);
    free(actions);
    return status;
}

// Step through all branches, and note the hash at the end of each.
static cr_status step_through(cri_replay *replay, cri_plan_solution *solution, cr_report *report)
{
    cr_status status = CR_OK;
    for (int i = 0; i < solution->info.branches && status == CR_OK; i++) {
        cri_plan_branch *branch = &solution->branches[i];
        status = cri_replay_branch(replay, branch, report);
        branch->hash = cr_state_hash(replay->model, replay->state);
        solution->info.steps += branch->steps;
    }
    solution->info.seconds = (double)solution->info.steps * replay->model->dt;
    solution->info.score = cri_score_of(replay->model, replay->state);
    solution->info.hash = cr_state_hash(replay->model, replay->state);
    return status;
}

// Replay the solution once, measure it, and compare its end with the tree's own state where it has
// one.
static cr_status seal(const cr_plan *plan, const cri_tree *tree, int32_t last,
                      cri_plan_solution *solution, cr_report *report)
{
    cri_replay replay;
    cri_replay_def def = {plan->model, plan->library, &plan->def, NULL, NULL};
    cr_status status = cri_replay_create(&def, &replay, report);
    if (status == CR_OK) {
        status = step_through(&replay, solution, report);
    }
    solution->info.turning = replay.measure.turning;
    solution->info.contacts = replay.measure.contacts;
    bool whole = solution->info.steps == tree->branches[last].depth;
    if (status == CR_OK && whole &&
        solution->info.hash != cr_state_hash(plan->model, cri_tree_state(tree, last))) {
        status = cri_fail(report, CR_ERR_REPLAY, (cri_place){0},
                          "the solution of attempt %jd does not replay to the tree's state",
                          (intmax_t)solution->attempt);
    }
    cri_replay_free(&replay);
    return status;
}

static void add_argument(cri_text *text, const char *name, const char *value)
{
    bool plain = value[0] && !value[strspn(value, "0123456789.+-_:abcdefghijklmnopqrstuvwxyz"
                                                  "ABCDEFGHIJKLMNOPQRSTUVWXYZ")];
    const char *quote = plain ? "" : "'";
    cri_text_add(text, " --set %s%s=%s%s", quote, name, value, quote);
}

// The arguments that make the plan again. A search that was ended by the clock or by hand is
// repeated by its attempts.
static cr_status make_repeat(cr_plan *plan)
{
    const cr_scene *scene = plan->model->scene;
    cri_text text = {0};
    cri_text_add(&text, "%s", cr_scene_name(scene));
    if (plan->model->start > 0) {
        cri_text_add(&text, " --start %d", plan->model->start);
    }
    for (int i = 0; i < cr_scene_setting_count(scene); i++) {
        if (cri_parameter_find(cr_scene_setting_name(scene, i), NULL) < 0) {
            add_argument(&text, cr_scene_setting_name(scene, i), cr_scene_setting_value(scene, i));
        }
    }
    cr_planner_def def = plan->def;
    if (plan->outcome == CR_OUTCOME_SECONDS || plan->outcome == CR_OUTCOME_STOPPED) {
        def.attempts = plan->attempts;
    }
    for (int i = 0; i < cr_parameter_count(); i++) {
        char value[64];
        cri_parameter_print(&def, i, value, sizeof value);
        const cr_parameter *row = cr_parameter_at(i);
        if (strcmp(row->name, "threads") != 0 && strcmp(value, row->fallback) != 0) {
            add_argument(&text, row->name, value);
        }
    }
    plan->repeat = text.failed ? NULL : cri_arena_text(&plan->arena, text.data, text.length);
    cri_text_free(&text);
    return plan->repeat ? CR_OK : CR_ERR_MEMORY;
}

static cr_status fill(cr_plan *plan, const cr_planner *planner, cr_report *report)
{
    bool best = planner->stats.solutions == 0;
    plan->solution_count = best ? 1 : planner->stats.solutions;
    plan->solutions =
        cri_arena_alloc(&plan->arena, (size_t)plan->solution_count, sizeof *plan->solutions);
    if (!plan->solutions || make_repeat(plan) != CR_OK) {
        return cri_fail_memory(report);
    }
    for (int i = 0; i < plan->solution_count; i++) {
        cri_plan_solution *solution = &plan->solutions[i];
        int32_t last = best ? planner->best_branch : planner->solutions[i];
        int64_t steps = best ? planner->best_step : planner->tree.branches[last].steps;
        solution->info.goal = !best;
        if (trace(plan, &planner->tree, last, steps, solution) != CR_OK) {
            return cri_fail_memory(report);
        }
        cr_status status = seal(plan, &planner->tree, last, solution, report);
        if (status != CR_OK) {
            return status;
        }
    }
    cri_rank(plan->solutions, plan->solution_count, &plan->def);
    return CR_OK;
}

cr_status cr_plan_create(const cr_planner *planner, cr_outcome outcome, cr_plan **plan,
                         cr_report *report)
{
    *plan = NULL;
    if (planner->stats.solutions == 0 && planner->best_branch < 0) {
        return CR_OK;
    }
    cr_plan *p = calloc(1, sizeof *p);
    if (!p) {
        return cri_fail_memory(report);
    }
    p->model = planner->model;
    p->library = planner->library;
    p->def = planner->def;
    p->outcome = outcome;
    p->nodes = planner->tree.node_count;
    p->steps = planner->stats.steps;
    p->attempts = planner->stats.attempts;
    p->tree_hash = planner->tree.hash;
    cr_status status = fill(p, planner, report);
    if (status != CR_OK) {
        cr_plan_destroy(p);
        return status;
    }
    *plan = p;
    return CR_OK;
}

void cr_plan_destroy(cr_plan *plan)
{
    if (plan) {
        cr_model_destroy(plan->owned);
        cri_arena_free(&plan->arena);
        free(plan);
    }
}

int cr_plan_solution_count(const cr_plan *plan)
{
    return plan->solution_count;
}

cr_solution cr_plan_solution(const cr_plan *plan, int solution)
{
    assert(solution >= 0 && solution < plan->solution_count);
    return plan->solutions[solution].info;
}

const cr_model *cr_plan_model(const cr_plan *plan)
{
    return plan->model;
}

const cr_planner_def *cr_plan_def(const cr_plan *plan)
{
    return &plan->def;
}

int64_t cr_plan_attempts(const cr_plan *plan)
{
    return plan->attempts;
}

const char *cr_plan_repeat(const cr_plan *plan)
{
    return plan->repeat;
}
