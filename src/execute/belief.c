// What is believed of the world now. See execute.h.
#include "execute/execute.h"

#include <stdlib.h>
#include <string.h>

#include "base/report.h"
#include "base/trig.h"
#include "base/vec.h"
#include "behavior/behavior.h"
#include "plan/growth.h"
#include "scene/evaluate.h"

static cr_status make_room(cri_belief *belief, cr_report *report)
{
    const cr_model *model = belief->model;
    size_t commands = ((size_t)belief->late + 1) * ((size_t)model->moving_count + 1);
    belief->acts = calloc((size_t)model->tactic_count + 1, sizeof *belief->acts);
    belief->past = calloc(commands, sizeof *belief->past);
    belief->actions = calloc((size_t)model->moving_count + 1, sizeof *belief->actions);
    belief->rests = calloc((size_t)model->moving_count + 1, sizeof *belief->rests);
    belief->seen = cr_state_create(model);
    belief->now = cr_state_create(model);
    belief->observed = cr_state_create(model);
    bool made = belief->acts && belief->past && belief->actions && belief->rests && belief->seen &&
                belief->now && belief->observed;
    return made ? CR_OK : cri_fail_memory(report);
}

cr_status cri_belief_create(const cr_truth *truth, const cr_run_def *def, const cr_model *model,
                            cri_belief *belief, cr_report *report)
{
    *belief = (cri_belief){
        .model = model, .trust = def->trust, .linear = def->planner.predict == CR_PREDICT_LINEAR};
    belief->late = (int)(def->truth.latency / model->dt + 0.5);
    belief->rng = cr_rng_make(def->planner.seed, CR_RNG_TRUTH, UINT64_MAX);
    cr_status status = make_room(belief, report);
    if (status != CR_OK) {
        return status;
    }
    for (int i = 0; i < model->tactic_count; i++) {
        belief->acts[i] = !belief->linear && !model->steered[i];
    }
    cr_state_copy(model, belief->seen, cr_truth_state(truth)); // what foreign Tactics begin with
    cr_state_clear_touched(model, belief->seen);
    cr_truth_observe(truth, belief->seen);
    cr_state_copy(model, belief->now, belief->seen);
    return cr_engine_create(model, def->planner.engine, &belief->engine, report);
}

void cri_belief_free(cri_belief *belief)
{
    cr_engine_destroy(belief->engine);
    free(belief->acts);
    free(belief->past);
    free(belief->actions);
    free(belief->rests);
    free(belief->seen);
    free(belief->now);
    free(belief->observed);
}

static cr_action *command_at(const cri_belief *belief, int index)
{
    return belief->past + (size_t)index * (size_t)belief->model->moving_count;
}

void cri_belief_act(cri_belief *belief, cr_state *state, const cr_action *command)
{
    const cr_model *model = belief->model;
    cr_sample sample = cri_draw_sample(model, &belief->rng);
    cri_source source = {.rng = &belief->rng, .sample = &sample, .acts = belief->acts};
    cri_act(model, state, false, &source, belief->actions);
    if (belief->linear) {
        cri_coast(model, state, belief->actions);
    }
    for (int slot = 0; slot < model->moving_count; slot++) {
        if (model->bodies[model->moving[slot]].kind != CR_KIND_FOREIGN) {
            belief->actions[slot] = command[slot];
        }
    }
}

// A world that blows up stands still: nothing better is known of it.
void cri_belief_predict(cri_belief *belief, cr_state *state, const cr_action *command)
{
    int64_t step = state->step;
    cri_belief_act(belief, state, command);
    cr_step one = {.from = state, .actions = belief->actions, .to = belief->observed};
    cr_engine_step(belief->engine, &one, 1);
    if (one.alive) {
        cr_state_copy(belief->model, state, belief->observed);
    }
    state->step = step + 1;
}

static void blend_body(cr_body_state *body, const cr_body_state *seen, double trust)
{
    body->position = cri_mad(body->position, trust, cri_sub(seen->position, body->position));
    body->velocity = cri_mad(body->velocity, trust, cri_sub(seen->velocity, body->velocity));
    body->spin = cri_mad(body->spin, trust, cri_sub(seen->spin, body->spin));
    double turn = cri_wrap(cri_heading(seen->rotation) - cri_heading(body->rotation));
    body->rotation = cri_quat_mul(cri_quat_heading(trust * turn), body->rotation);
}

// A body that lies still is seen better the longer it does: the mean of up to a second of frames.
// What is seen far from where it should lie was moved by somebody.
static double weigh(cri_belief *belief, int slot, const cr_body_state *body,
                    const cr_body_state *seen)
{
    const double slow = 0.01, far = 0.02; // m/s and rad/s; m
    const int most = 60;
    int *rests = &belief->rests[slot];
    bool rests_now = cri_length(body->velocity) < slow && cri_length(body->spin) < slow &&
                     cri_length(cri_sub(seen->position, body->position)) < far;
    *rests = rests_now && *rests < most ? *rests + 1 : (rests_now ? most : 0);
    double mean = 1 / (double)(*rests + 1);
    return rests_now && mean < belief->trust ? mean : belief->trust;
}

// The oldest command has become visible: predict what it led to, and look.
static void look(cri_belief *belief, const cr_truth *truth)
{
    const cr_model *model = belief->model;
    cri_belief_predict(belief, belief->seen, command_at(belief, 0));
    cr_truth_observe(truth, belief->observed);
    for (int slot = 0; slot < model->moving_count; slot++) {
        cr_body_state *body = &cri_bodies(model, belief->seen)[slot];
        const cr_body_state *seen = &cri_bodies_const(model, belief->observed)[slot];
        blend_body(body, seen, weigh(belief, slot, body, seen));
    }
    cr_state_clear_touched(model, belief->seen);
    belief->sent--;
    memmove(command_at(belief, 0), command_at(belief, 1),
            (size_t)belief->sent * (size_t)model->moving_count * sizeof *belief->past);
}

void cri_belief_step(cri_belief *belief, const cr_action *actions, const cr_truth *truth)
{
    const cr_model *model = belief->model;
    memcpy(command_at(belief, belief->sent++), actions,
           (size_t)model->moving_count * sizeof *actions);
    if (belief->sent > belief->late) {
        look(belief, truth);
    }
    cr_state_copy(model, belief->now, belief->seen);
    for (int i = 0; i < belief->sent; i++) {
        cri_belief_predict(belief, belief->now, command_at(belief, i));
    }
    cr_state_clear_touched(model, belief->now);
}
