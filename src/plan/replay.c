// Replay: a plan's decisions, and the engine, give all its states again.
#include "plan/plan.h"
#include "plan/planner.h"

#include <assert.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/file.h"
#include "base/report.h"
#include "scene/evaluate.h"

cr_status cri_replay_create(const cri_replay_def *def, cri_replay *replay, cr_report *report)
{
    const cr_model *model = def->model;
    *replay = (cri_replay){.model = model,
                           .root = def->root,
                           .def = def->def,
                           .show = def->show,
                           .context = def->context,
                           .fault_body = -1};
    // At least one of each: calloc(0) may return NULL.
    replay->state = cr_state_create(model);
    replay->next = cr_state_create(model);
    replay->actions = calloc((size_t)model->moving_count + 1, sizeof *replay->actions);
    replay->contacts = calloc((size_t)model->contact_max + 1, sizeof *replay->contacts);
    if (!replay->state || !replay->next || !replay->actions || !replay->contacts) {
        return cri_fail_memory(report);
    }
    cr_state_copy(model, replay->state, def->root->state);
    replay->measure = cri_measure_begin(model);
    cr_status status = cri_events_create(model, def->root->state->step, &replay->events, report);
    if (status != CR_OK) {
        return status;
    }
    return cr_engine_create(model, def->def->engine, &replay->engine, report);
}

void cri_replay_free(cri_replay *replay)
{
    cr_engine_destroy(replay->engine);
    free(replay->state);
    free(replay->next);
    free(replay->actions);
    free(replay->contacts);
    cri_events_free(&replay->events);
}

static cr_status fail_at(const cri_replay *replay, cr_report *report, const char *why)
{
    return cri_fail(
        report, CR_ERR_REPLAY, (cri_location){0}, "the plan does not replay: at %.3f s %s",
        (double)(replay->state->step - replay->root->state->step) * replay->model->dt, why);
}

static cr_status fail_rule(const cri_replay *replay, const char *does, const char *rule,
                           cr_report *report)
{
    char why[320];
    snprintf(why, sizeof why, "%s the rule %s", does, rule);
    return fail_at(replay, report, why);
}

// more: what is wrong with that.
static cr_status fail_blown(const cri_replay *replay, const char *more, cr_report *report)
{
    char why[CRI_FAULT_TEXT + 80], text[CRI_FAULT_TEXT];
    snprintf(why, sizeof why, "the world blows up%s%s",
             cri_fault_print(replay->model, replay->fault, replay->fault_body, text), more);
    return fail_at(replay, report, why);
}

// The rule that the state breaks, or NULL. The first one is noted.
static const cri_rule *look_at_rules(cri_replay *replay)
{
    const cri_rule *rule = cri_broken_rule(replay->model, replay->state);
    if (rule && !replay->broken) {
        replay->broken = rule;
        replay->broken_step = replay->steps;
    }
    return rule;
}

// Measure the state that was reached, and show it; step: what led to it, NULL at the beginning.
static void show_state(cri_replay *replay, const cr_step *step, const cri_rule *rule)
{
    bool measures = step && !replay->retraces;
    if (measures) {
        cri_events_step(&replay->events, replay->state, step->contacts, step->contact_count);
    }
    cr_replay_step seen = {
        .model = replay->model,
        .state = replay->state,
        .actions = step ? step->actions : NULL,
        .contacts = replay->contacts,
        .contact_count = step ? step->contact_count : 0,
        .events = replay->events.items,
        .event_count = measures ? replay->events.count : 0,
        .score = cri_score_of(replay->model, replay->state),
        .branch = replay->branch,
        .goal = cri_goal_reached(replay->model, replay->state),
        .rule = rule ? rule->text : NULL,
    };
    if (measures) {
        cri_measure_step(&replay->measure, &seen);
    }
    replay->stopped = replay->show && !replay->show(&seen, replay->context);
}

void cri_replay_start(cri_replay *replay)
{
    show_state(replay, NULL, look_at_rules(replay));
}

void cri_replay_attempt(cri_replay *replay, int64_t attempt)
{
    if (attempt != replay->attempt) {
        replay->attempt = attempt;
        replay->since = 0;
    }
}

cr_end cri_replay_step(cri_replay *replay, const cri_source *source)
{
    cri_source one = *source;
    one.acts = cri_acting(replay->model, replay->def);
    if (!cri_act(replay->model, replay->state, replay->def->free_tactics, &one, replay->actions)) {
        return CR_END_SKILL;
    }
    if (one.acts) {
        cri_coast(replay->model, replay->state, replay->actions);
    }
    cr_step step = {.from = replay->state,
                    .actions = replay->actions,
                    .mask = cri_root_mask(replay->root, replay->state),
                    .to = replay->next,
                    .contacts = replay->contacts};
    cr_engine_step(replay->engine, &step, 1);
    replay->fault = step.fault;
    replay->fault_body = step.fault_body;
    if (!step.alive) {
        return CR_END_ENGINE;
    }
    cr_state *before = replay->state;
    replay->state = replay->next;
    replay->next = before;
    replay->steps++;
    cri_time_out(replay->model, replay->def, ++replay->since, replay->state);
    const cri_rule *rule = look_at_rules(replay);
    show_state(replay, &step, rule);
    return rule ? CR_END_RULE : CR_END_OPEN;
}

// A branch goes on behind every one of its steps.
static cr_status check_step(const cri_replay *replay, cr_end end, cr_report *report)
{
    if (end == CR_END_OPEN || (end == CR_END_RULE && replay->notes_rules)) {
        return CR_OK;
    }
    if (end == CR_END_RULE) {
        return fail_rule(replay, "it breaks", replay->broken->text, report);
    }
    if (end == CR_END_SKILL) {
        return fail_at(replay, report, "a Skill ends it");
    }
    return fail_blown(replay, "", report);
}

static cri_source recorded(const cri_plan_branch *branch)
{
    return (cri_source){.choices = branch->choices, .choice_count = branch->choice_count};
}

static bool decides(const cri_replay *replay)
{
    const cr_planner_def *def = replay->def;
    return cri_is_decision(replay->model, replay->state, def->free_tactics,
                           def->predict == CR_PREDICT_LINEAR);
}

static cr_status replay_steps(cri_replay *replay, cri_source source, int64_t steps,
                              cr_report *report)
{
    cr_status status = CR_OK;
    for (int64_t i = 0; i < steps && status == CR_OK && !replay->stopped; i++) {
        if (i > 0 && !source.rng && decides(replay)) {
            return fail_at(replay, report, "a Tactic decides within a branch");
        }
        status = check_step(replay, cri_replay_step(replay, &source), report);
        source.choice_count = 0; // only the first step has any
    }
    return status;
}

cr_status cri_replay_on(cri_replay *replay, cri_plan_branch *branch, int64_t most,
                        cr_report *report)
{
    cri_source source = recorded(branch);
    cr_status status = CR_OK;
    cri_replay_attempt(replay, branch->attempt);
    for (branch->steps = 0; branch->steps < most && status == CR_OK; branch->steps++) {
        if (branch->steps > 0 && decides(replay)) {
            break;
        }
        status = check_step(replay, cri_replay_step(replay, &source), report);
        source.choice_count = 0;
    }
    return status;
}

static const cri_choice *choice_of(const cri_plan_branch *branch, int tactic)
{
    for (int i = 0; i < branch->choice_count; i++) {
        if (branch->choices[i].tactic == tactic) {
            return &branch->choices[i];
        }
    }
    return NULL;
}

// Who has a choice decides, nobody else, and only what is possible: no choice goes unused.
static cr_status check_choices(const cri_replay *replay, const cri_plan_branch *branch,
                               cr_report *report)
{
    const cr_model *model = replay->model;
    for (int i = 0; i < model->tactic_count; i++) {
        const cri_choice *choice = choice_of(branch, i);
        bool free = replay->def->free_tactics;
        bool has_to =
            cri_tactic_decides(model, replay->state, i, free) && cri_acts(model, replay->def, i);
        bool may = !choice || cri_tactic_may_choose(model, replay->state, i, choice->skill, free);
        if (has_to != (choice != NULL) || !may) {
            char why[200];
            snprintf(why, sizeof why, "Tactic \"%s\" %s", model->tactics[i].info.name,
                     !has_to   ? "decides, but has no choice"
                     : !choice ? "has a choice, but does not decide"
                               : "chooses a Skill that it cannot go to");
            return fail_at(replay, report, why);
        }
    }
    return CR_OK;
}

cr_status cri_replay_branch(cri_replay *replay, const cri_plan_branch *branch, cr_report *report)
{
    cri_replay_attempt(replay, branch->attempt);
    cr_status status = check_choices(replay, branch, report);
    return status == CR_OK ? replay_steps(replay, recorded(branch), branch->steps, report) : status;
}

static cr_status check_hash(const cri_replay *replay, uint64_t recorded, const char *where,
                            cr_report *report)
{
    uint64_t hash = cr_state_hash(replay->model, replay->state);
    if (hash == recorded) {
        return CR_OK;
    }
    return cri_fail(report, CR_ERR_REPLAY, (cri_location){0},
                    "the plan does not replay: %s ends in state %016" PRIx64
                    ", recorded was %016" PRIx64,
                    where, hash, recorded);
}

static cr_status check_branch(const cri_replay *replay, const cri_plan_branch *branch, int index,
                              cr_report *report)
{
    char where[32];
    snprintf(where, sizeof where, "branch %d", index);
    return check_hash(replay, branch->hash, where, report);
}

// All that the plan says of a solution is so at its end.
static cr_status check_claims(const cri_replay *replay, const cr_solution *says, cr_report *report)
{
    const cr_model *model = replay->model;
    const struct {
        const char *name;
        double said, found;
    } claims[] = {{"seconds", says->seconds, (double)says->steps * model->dt},
                  {"score", says->score, cri_score_of(model, replay->state)},
                  {"turning", says->turning, replay->measure.turning},
                  {"contacts", says->contacts, replay->measure.contacts}};
    for (size_t i = 0; i < sizeof claims / sizeof claims[0]; i++) {
        if (claims[i].said != claims[i].found) {
            char said[40], found[40];
            cri_number_print(claims[i].said, said, sizeof said);
            cri_number_print(claims[i].found, found, sizeof found);
            return cri_fail(report, CR_ERR_REPLAY, (cri_location){0},
                            "the plan does not replay: its \"%s\" is %s, recorded was %s",
                            claims[i].name, found, said);
        }
    }
    return check_hash(replay, says->hash, "it", report);
}

// A rule is broken where the solution says so, and nowhere before.
static cr_status check_rules(const cri_replay *replay, const cr_solution *info, cr_report *report)
{
    const char *broken = replay->broken ? replay->broken->text : NULL;
    if (!info->rule && !broken) {
        return CR_OK;
    }
    if (!broken) {
        return fail_rule(replay, "it keeps", info->rule, report);
    }
    bool said =
        info->rule && strcmp(broken, info->rule) == 0 && replay->broken_step == info->broken_step;
    return said ? CR_OK : fail_rule(replay, "it has broken", broken, report);
}

// The step after the last one must end it in the way that was recorded.
static cr_status check_last(cri_replay *replay, const cri_plan_solution *solution,
                            cr_report *report)
{
    cri_source source = {0};
    int count = solution->info.branches;
    if (count > 0 && solution->branches[count - 1].steps == 0) {
        source = recorded(&solution->branches[count - 1]);
    }
    replay->show = NULL;
    const cr_solution *says = &solution->info;
    bool skill = says->end == CR_END_SKILL;
    if (cri_replay_step(replay, &source) != says->end) {
        return fail_at(replay, report, skill ? "no Skill ends it" : "the world does not blow up");
    }
    bool other = replay->fault != says->fault || replay->fault_body != says->fault_body;
    if (!skill && says->fault != CR_FAULT_NONE && other) {
        return fail_blown(replay, ", not as it says", report);
    }
    return CR_OK;
}

cr_status cri_replay_end(cri_replay *replay, const cri_plan_solution *solution, cr_report *report)
{
    const cr_solution *info = &solution->info;
    if (info->goal && !cri_goal_reached(replay->model, replay->state)) {
        return fail_at(replay, report, "the goal is not reached");
    }
    cr_status status = check_rules(replay, info, report);
    status = status == CR_OK ? check_claims(replay, info, report) : status;
    bool ends = info->end == CR_END_SKILL || info->end == CR_END_ENGINE;
    return status == CR_OK && ends ? check_last(replay, solution, report) : status;
}

cr_status cr_plan_replay(const cr_plan *plan, int solution, cr_replay_function show, void *context,
                         cr_report *report)
{
    assert(solution >= 0 && solution < plan->solution_count);
    const cri_plan_solution *s = &plan->solutions[solution];
    cri_replay replay;
    cri_replay_def def = {plan->model, &plan->def, &plan->root, show, context};
    cr_status status = cri_replay_create(&def, &replay, report);
    if (status == CR_OK) {
        replay.notes_rules = s->info.rule != NULL;
        cri_replay_start(&replay);
    }
    for (int i = 0; i < s->info.branches && status == CR_OK && !replay.stopped; i++) {
        replay.branch = i;
        status = cri_replay_branch(&replay, &s->branches[i], report);
        if (status == CR_OK && !replay.stopped) {
            status = check_branch(&replay, &s->branches[i], i, report);
        }
    }
    if (status == CR_OK && !replay.stopped) {
        status = cri_replay_end(&replay, s, report);
    }
    cri_replay_free(&replay);
    return status;
}

// An attempt's stream leads from the end of a branch to where it came before.
static cr_status retrace(cri_replay *replay, const cr_planner *planner, const cri_trail *trail,
                         cr_report *report)
{
    cr_sample sample;
    cr_rng rng = cri_attempt_stream(planner->model, &planner->def, trail->attempt, &sample);
    cri_replay_attempt(replay, trail->attempt);
    cr_state_copy(planner->model, replay->state, cri_tree_state(&planner->tree, trail->parent));
    show_state(replay, NULL, NULL);
    cri_source source = {.rng = &rng, .sample = &sample};
    return replay_steps(replay, source, trail->steps, report);
}

cr_status cr_planner_retrace(const cr_planner *planner, cr_replay_function show, void *context,
                             cr_report *report)
{
    const cri_tree *tree = &planner->tree;
    assert(tree->count > 0);
    cri_replay replay;
    cri_replay_def def = {planner->model, &planner->def, &planner->root, show, context};
    cr_status status = cri_replay_create(&def, &replay, report);
    replay.retraces = true;
    for (int32_t b = 1; b < tree->count && status == CR_OK && !replay.stopped; b++) {
        const cri_tree_branch *branch = &tree->branches[b];
        replay.branch = b;
        cri_trail trail = {branch->parent, branch->attempt, branch->steps};
        status = retrace(&replay, planner, &trail, report);
    }
    cri_replay_free(&replay);
    return status;
}

cr_status cr_planner_retrace_deaths(const cr_planner *planner, cr_replay_function show,
                                    void *context, cr_report *report)
{
    const cri_deaths *deaths = &planner->deaths;
    cri_replay replay;
    cri_replay_def def = {planner->model, &planner->def, &planner->root, show, context};
    cr_status status = cri_replay_create(&def, &replay, report);
    replay.retraces = replay.notes_rules = true;
    for (int64_t d = 0; d < deaths->count && status == CR_OK && !replay.stopped; d++) {
        const cr_death *death = &deaths->items[d];
        replay.branch = d;
        cri_trail trail = {(int32_t)death->parent, death->attempt, death->steps};
        status = retrace(&replay, planner, &trail, report);
    }
    cri_replay_free(&replay);
    return status;
}
