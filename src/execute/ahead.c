// What lies ahead of what is believed: touches that nothing can prevent, and the moment at which a
// periodic world comes round (003, 7.4.2).
#include "execute/execute.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/report.h"
#include "base/trig.h"
#include "base/vec.h"
#include "scene/evaluate.h"

static size_t mask_words(const cr_model *model)
{
    return ((size_t)model->pair_count + 63) / 64;
}

cr_status cri_ahead_create(const cr_model *model, cri_ahead *ahead, cr_report *report)
{
    *ahead = (cri_ahead){.model = model};
    ahead->state = cr_state_create(model);
    ahead->still = calloc((size_t)model->moving_count + 1, sizeof *ahead->still);
    ahead->contacts = calloc((size_t)cr_model_contact_max(model) + 1, sizeof *ahead->contacts);
    ahead->mask = calloc(mask_words(model) + 1, sizeof *ahead->mask);
    ahead->brakes = calloc((size_t)model->moving_count + 1, sizeof *ahead->brakes);
    bool made = ahead->state && ahead->still && ahead->brakes && ahead->contacts && ahead->mask;
    return made ? CR_OK : cri_fail_memory(report);
}

void cri_ahead_free(cri_ahead *ahead)
{
    free(ahead->state);
    free(ahead->still);
    free(ahead->brakes);
    free(ahead->contacts);
    free(ahead->mask);
}

// ---------------------------------------------------------------------------------------------
// Touches.

static bool is_detail(const cr_model *model, const cr_contact *contact)
{
    cr_kind a = model->bodies[contact->a].kind, b = model->bodies[contact->b].kind;
    cr_kind other = a == CR_KIND_CONTROLLED ? b : a;
    return (a == CR_KIND_CONTROLLED || b == CR_KIND_CONTROLLED) &&
           (other == CR_KIND_FOREIGN || other == CR_KIND_PASSIVE);
}

// One step of braking; true if a rule is broken after it.
static bool brake(cri_ahead *ahead, cri_belief *belief, const cr_state *root, cr_step *step)
{
    cr_state_copy(ahead->model, ahead->state, root);
    cri_brake(ahead->model, root, ahead->brakes);
    cri_belief_act(belief, ahead->state, ahead->brakes);
    *step = (cr_step){.from = ahead->state,
                      .actions = belief->actions,
                      .mask = step->mask,
                      .to = ahead->state,
                      .contacts = ahead->contacts};
    cr_engine_step(belief->engine, step, 1);
    return step->alive && cri_broken_rule(ahead->model, ahead->state);
}

const uint64_t *cri_ahead_pinned(cri_ahead *ahead, cri_belief *belief, const cr_state *root)
{
    const cr_model *model = ahead->model;
    cr_step step = {0};
    if (!brake(ahead, belief, root, &step)) {
        return NULL;
    }
    memset(ahead->mask, 0xff, mask_words(model) * sizeof *ahead->mask);
    for (int i = 0; i < step.contact_count; i++) {
        const cr_contact *c = &ahead->contacts[i];
        int pair = is_detail(model, c) ? cr_model_pair(model, c->a, c->b) : -1;
        if (pair >= 0) {
            ahead->mask[pair / 64] &= ~((uint64_t)1 << (pair % 64));
        }
    }
    step.mask = ahead->mask;
    return brake(ahead, belief, root, &step) ? NULL : ahead->mask;
}

// ---------------------------------------------------------------------------------------------
// Waiting.

// How far foreign bodies are from where another state has them: m, a turn counting as the way of
// what is farthest out.
static double distance(const cr_model *model, const cr_state *a, const cr_state *b)
{
    double sum = 0;
    for (int slot = 0; slot < model->moving_count; slot++) {
        const cr_body *body = &model->bodies[model->moving[slot]];
        if (body->kind != CR_KIND_FOREIGN) {
            continue;
        }
        const cr_body_state *one = &cri_bodies_const(model, a)[slot];
        const cr_body_state *two = &cri_bodies_const(model, b)[slot];
        double turn = cri_wrap(cri_heading(one->rotation) - cri_heading(two->rotation));
        sum += cri_length(cri_sub(one->position, two->position)) + body->radius * fabs(turn);
    }
    return sum;
}

int64_t cri_ahead_meet(cri_ahead *ahead, cri_belief *belief, const cr_state *state, int64_t most)
{
    const cr_model *model = ahead->model;
    cr_state_copy(model, ahead->state, belief->now);
    double nearest = distance(model, ahead->state, state);
    int64_t best = 0;
    for (int64_t i = 1; i <= most; i++) {
        cri_belief_predict(belief, ahead->state, ahead->still);
        double now = distance(model, ahead->state, state);
        if (now < nearest) { // strict: of equal moments the first
            nearest = now;
            best = i;
        }
    }
    return best;
}
