// Roll-outs of a scene's own Tactics with any engine: an attempt of the planner that never ends at
// a decision.
#ifndef TESTS_PLAYER_H
#define TESTS_PLAYER_H

#include "behavior/behavior.h"
#include "scene/evaluate.h"
#include "scene/memory.h"
#include "world.h"

typedef enum outcome { OUTCOME_NONE, OUTCOME_GOAL, OUTCOME_RULE } outcome;

typedef struct player {
    cr_model model; // a copy of the scene's, but for the substeps
    cr_planner_def def;
    const cr_engine_type *type;
    void *engine;
    cr_state *state, *next;
    cr_action *actions;
    cr_contact *contacts;
    int contact_count; // of the last step
    cr_rng rng;
    cr_sample sample;
} player;

// finer: substeps against those of the scene.
static inline void player_open(player *p, const cr_model *model, const cr_engine_type *type,
                               int finer)
{
    *p = (player){.model = *model, .def = cr_model_planner_def(model), .type = type};
    p->model.substeps *= finer;
    assert_int_equal(type->create(&p->model, &p->engine, NULL), CR_OK);
    p->state = cr_state_create(model);
    p->next = cr_state_create(model);
    p->actions = calloc((size_t)model->moving_count, sizeof *p->actions);
    p->contacts = calloc((size_t)model->contact_max + 1, sizeof *p->contacts);
    assert_true(p->state && p->next && p->actions && p->contacts);
}

static inline void player_close(player *p)
{
    p->type->destroy(p->engine);
    free(p->state);
    free(p->next);
    free(p->actions);
    free(p->contacts);
}

static inline void player_start(player *p, int number)
{
    p->rng = cr_rng_make(17, CR_RNG_USER, (uint64_t)number);
    p->sample = cri_draw_sample(&p->model, &p->rng);
    cr_state_start(&p->model, p->state);
}

// Let the Tactics act: p->actions are those of the next step. False: a Skill ends the roll-out.
static inline bool player_act(player *p)
{
    cri_source source = {.rng = &p->rng, .sample = &p->sample};
    if (cri_is_decision(&p->model, p->state, p->def.free_tactics, false)) {
        p->sample = cri_draw_sample(&p->model, &p->rng);
    }
    return cri_act(&p->model, p->state, p->def.free_tactics, &source, p->actions);
}

// Step; p->state is then the next state. False: the world blew up.
static inline bool player_step(player *p)
{
    cr_step step = {
        .from = p->state, .to = p->next, .actions = p->actions, .contacts = p->contacts};
    p->type->step(p->engine, &step, 1);
    p->contact_count = step.contact_count;
    cr_state *before = p->state;
    p->state = p->next;
    p->next = before;
    if (step.alive) {
        cri_remember(&p->model, p->state); // as cr_engine_step does
    }
    return step.alive;
}

static inline outcome player_play(player *p, int number)
{
    player_start(p, number);
    while ((double)p->state->step * p->model.dt < p->def.horizon) {
        if (!player_act(p)) {
            return OUTCOME_NONE;
        }
        if (!player_step(p) || cri_broken_rule(&p->model, p->state)) {
            return OUTCOME_RULE;
        }
        if (cri_goal_reached(&p->model, p->state)) {
            return OUTCOME_GOAL;
        }
    }
    return OUTCOME_NONE;
}

#endif
