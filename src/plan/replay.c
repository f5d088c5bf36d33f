// Replay: a plan's decisions, and the engine, give all its states again.
#include "plan/plan.h"
#include "plan/planner.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

#include "base/report.h"
#include "scene/evaluate.h"

cr_status cri_replay_create(const cri_replay_def *def, cri_replay *replay, cr_report *report)
{
    const cr_model *model = def->model;
    *replay = (cri_replay){.model = model,
                           .free_tactics = def->def->free_tactics,
                           .show = def->show,
                           .context = def->context};
    // At least one of each: calloc(0) may return NULL.
    replay->state = cr_state_create(model);
    replay->next = cr_state_create(model);
    replay->actions = calloc((size_t)model->moving_count + 1, sizeof *replay->actions);
    replay->contacts = calloc((size_t)model->contact_max + 1, sizeof *replay->contacts);
    if (!replay->state || !replay->next || !replay->actions || !replay->contacts) {
        return cri_fail_memory(report);
    }
    cr_status status = cri_events_create(model, &replay->events, report);
    if (status != CR_OK) {
        return status;
    }
    return cr_engine_create(def->library, def->def->engine, model, &replay->engine, report);
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
    return cri_fail(report, CR_ERR_REPLAY, (cri_place){0}, "the plan does not replay: at %.3f s %s",
                    cr_state_time(replay->model, replay->state), why);
}

static void show_state(cri_replay *replay, const cr_step *step)
{
    if (replay->show) {
        bool has_events = step && !replay->retraces;
        if (has_events) {
            cri_events_step(&replay->events, replay->state, step->contacts, step->contact_count);
        }
        cr_replay_step seen = {
            .model = replay->model,
            .state = replay->state,
            .actions = step ? step->actions : NULL,
            .contacts = replay->contacts,
            .contact_count = step ? step->contact_count : 0,
            .events = replay->events.items,
            .event_count = has_events ? replay->events.count : 0,
            .score = cri_score_of(replay->model, replay->state),
            .branch = replay->branch,
        };
        replay->stopped = !replay->show(&seen, replay->context);
    }
}

// One step, with the decisions of the source.
static cr_status replay_step(cri_replay *replay, const cri_source *source, cr_report *report)
{
    if (!cri_act(replay->model, replay->state, replay->free_tactics, source, replay->actions)) {
        return fail_at(replay, report, "a Skill ends it");
    }
    cr_step step = {.from = replay->state,
                    .actions = replay->actions,
                    .to = replay->next,
                    .contacts = replay->contacts};
    cr_engine_step(replay->engine, &step, 1);
    if (!step.alive) {
        return fail_at(replay, report, "the world blows up");
    }
    const cri_rule *rule = cri_broken_rule(replay->model, replay->next);
    if (rule) {
        char why[200];
        snprintf(why, sizeof why, "it breaks the rule %s", rule->text);
        return fail_at(replay, report, why);
    }
    cr_state *before = replay->state;
    replay->state = replay->next;
    replay->next = before;
    show_state(replay, &step);
    return CR_OK;
}

static cr_status replay_steps(cri_replay *replay, cri_source source, int64_t steps,
                              cr_report *report)
{
    cr_status status = CR_OK;
    for (int64_t i = 0; i < steps && status == CR_OK && !replay->stopped; i++) {
        status = replay_step(replay, &source, report);
        source = (cri_source){0}; // only the first step decides
    }
    return status;
}

cr_status cri_replay_branch(cri_replay *replay, const cri_plan_branch *branch, cr_report *report)
{
    cri_source source = {.choices = branch->choices, .choice_count = branch->choice_count};
    return replay_steps(replay, source, branch->steps, report);
}

static cr_status check_hash(const cri_replay *replay, const cri_plan_branch *branch, int index,
                            cr_report *report)
{
    uint64_t hash = cr_state_hash(replay->model, replay->state);
    if (hash == branch->hash) {
        return CR_OK;
    }
    return cri_fail(report, CR_ERR_REPLAY, (cri_place){0},
                    "the plan does not replay: branch %d ends in state %016" PRIx64
                    ", recorded was %016" PRIx64,
                    index, hash, branch->hash);
}

cr_status cr_plan_replay(const cr_plan *plan, int solution, cr_replay_function show, void *context,
                         cr_report *report)
{
    const cri_plan_solution *s = &plan->solutions[solution];
    cri_replay replay;
    cri_replay_def def = {plan->model, plan->library, &plan->def, show, context};
    cr_status status = cri_replay_create(&def, &replay, report);
    if (status == CR_OK) {
        show_state(&replay, NULL);
    }
    for (int i = 0; i < s->info.branches && status == CR_OK && !replay.stopped; i++) {
        replay.branch = i;
        status = cri_replay_branch(&replay, &s->branches[i], report);
        if (status == CR_OK && !replay.stopped) {
            status = check_hash(&replay, &s->branches[i], i, report);
        }
    }
    if (status == CR_OK && !replay.stopped && s->info.goal &&
        !cri_goal_reached(plan->model, replay.state)) {
        status = fail_at(&replay, report, "the goal is not reached");
    }
    cri_replay_free(&replay);
    return status;
}

cr_status cr_planner_retrace(const cr_planner *planner, cr_replay_function show, void *context,
                             cr_report *report)
{
    const cri_tree *tree = &planner->tree;
    cri_replay replay;
    cri_replay_def def = {planner->model, planner->library, &planner->def, show, context};
    cr_status status = cri_replay_create(&def, &replay, report);
    replay.retraces = true;
    for (int32_t b = 1; b < tree->count && status == CR_OK && !replay.stopped; b++) {
        const cri_tree_branch *branch = &tree->branches[b];
        cr_rng rng = cr_rng_make(planner->def.seed, CR_RNG_ATTEMPT, (uint64_t)branch->attempt);
        cri_sample sample = cri_draw_sample(planner->model, &rng);
        cr_state_copy(planner->model, replay.state, cri_tree_state(tree, branch->parent));
        replay.branch = b;
        show_state(&replay, NULL);
        cri_source source = {.rng = &rng, .sample = &sample};
        status = replay_steps(&replay, source, branch->steps, report);
    }
    cri_replay_free(&replay);
    return status;
}
