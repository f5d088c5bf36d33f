// Open-loop roll-outs: one start, one list of actions, several engines and substeps. How far apart
// do they end?
#ifndef TESTS_ROLLOUT_H
#define TESTS_ROLLOUT_H

#include "courses.h"

enum { ROLLOUT_STEPS = 120, ROLLOUTS_MAX = 1000 };

// An engine at work on a model with a number of substeps of its own.
typedef struct roller {
    const cr_engine_type *type;
    void *engine;
    cr_model model; // a copy of the world's, but for the substeps
    cr_state *state;
    cr_action *actions;
    cr_contact *contacts;
    int ball;    // slot whose way is compared
    int bounces; // of that ball, with anything but planes
} roller;

static inline int first_ball(const cr_model *model)
{
    for (int slot = 0; slot < model->moving_count; slot++) {
        const cr_body *body = &model->bodies[model->moving[slot]];
        if (body->parts[0].shape.kind == CR_SHAPE_SPHERE && !body->driven) {
            return slot;
        }
    }
    return -1;
}

static inline void roller_open(roller *r, const cr_model *model, const cr_engine_type *type,
                               int substeps)
{
    *r = (roller){.type = type, .model = *model, .ball = first_ball(model)};
    r->model.substeps = substeps;
    assert_int_equal(type->create(&r->model, &r->engine, NULL), CR_OK);
    r->state = cr_state_create(model);
    r->actions = calloc((size_t)model->moving_count, sizeof *r->actions);
    r->contacts = calloc((size_t)model->contact_max + 1, sizeof *r->contacts);
    assert_true(r->state && r->actions && r->contacts);
}

static inline void roller_close(roller *r)
{
    r->type->destroy(r->engine);
    free(r->state);
    free(r->actions);
    free(r->contacts);
}

// The ball starts anew in a random direction; the rest as in the model.
static inline void roller_start(roller *r, int number)
{
    cr_rng rng = cr_rng_make(11, CR_RNG_USER, (uint64_t)number);
    cr_state_start(&r->model, r->state);
    cr_body_state *ball = &cri_bodies(&r->model, r->state)[r->ball];
    double heading = cr_rng_uniform(&rng, -CRI_PI, CRI_PI);
    double speed = cr_rng_uniform(&rng, 0.5, 3);
    if (!r->model.bodies[r->model.moving[r->ball]].upright) {
        ball->velocity = cri_vec3(speed * cri_cos(heading), speed * cri_sin(heading), 0);
    }
}

static inline bool is_plane_body(const cr_model *model, int body)
{
    return model->bodies[body].parts[0].shape.kind == CR_SHAPE_PLANE;
}

static inline bool bounces(const roller *r, const cr_contact *c)
{
    int ball = r->model.moving[r->ball];
    return c->impulse > 0 && (c->a == ball || c->b == ball) &&
           !is_plane_body(&r->model, c->a == ball ? c->b : c->a);
}

// Robots drive to and fro, driven bodies turn.
static inline void roller_act(roller *r, int step)
{
    for (int slot = 0; slot < r->model.moving_count; slot++) {
        const cr_body *body = &r->model.bodies[r->model.moving[slot]];
        r->actions[slot] = (cr_action){0};
        if (body->driven) {
            r->actions[slot].spin.z = 1.25;
        } else if (body->upright) {
            r->actions[slot].force = cri_scale(0.5, drive(slot, step));
        }
    }
}

// Where the ball is after so many steps.
static inline cr_vec3 roll(roller *r, int number, int steps)
{
    roller_start(r, number);
    r->bounces = 0;
    for (int i = 0; i < steps; i++) {
        roller_act(r, i);
        cr_step step = {
            .from = r->state, .to = r->state, .actions = r->actions, .contacts = r->contacts};
        r->type->step(r->engine, &step, 1);
        assert_true(step.alive);
        for (int k = 0; k < step.contact_count; k++) {
            r->bounces += bounces(r, &r->contacts[k]);
        }
    }
    return cri_bodies(&r->model, r->state)[r->ball].position;
}

typedef struct agreement {
    int count;            // roll-outs with at most two bounces
    double error, spread; // m, medians: lanes against ODE; ODE at 1/240 s against 1/960 s
    double error_most;    // m, the 90th percentile
    double spread_most;
} agreement;

static inline int by_size(const void *a, const void *b)
{
    const double *x = a, *y = b;
    return (*x > *y) - (*x < *y);
}

static inline agreement compare_engines(const cr_model *model, int rollouts)
{
    static double errors[ROLLOUTS_MAX], spreads[ROLLOUTS_MAX];
    agreement a = {0};
    if (first_ball(model) < 0) {
        return a;
    }
    roller ode, fine, lanes;
    roller_open(&ode, model, &cri_engine_ode, model->substeps);
    roller_open(&fine, model, &cri_engine_ode, 4 * model->substeps);
    roller_open(&lanes, model, &cri_engine_lanes, model->substeps);
    for (int i = 0; a.count < rollouts && i < 10 * rollouts; i++) {
        cr_vec3 place = roll(&ode, i, ROLLOUT_STEPS);
        if (ode.bounces <= 2) {
            cr_vec3 other = roll(&lanes, i, ROLLOUT_STEPS);
            errors[a.count] = cri_length(cri_sub(place, other));
            other = roll(&fine, i, ROLLOUT_STEPS);
            spreads[a.count++] = cri_length(cri_sub(place, other));
        }
    }
    qsort(errors, (size_t)a.count, sizeof *errors, by_size);
    qsort(spreads, (size_t)a.count, sizeof *spreads, by_size);
    a.error = errors[a.count / 2];
    a.spread = spreads[a.count / 2];
    a.error_most = errors[a.count * 9 / 10];
    a.spread_most = spreads[a.count * 9 / 10];
    roller_close(&ode);
    roller_close(&fine);
    roller_close(&lanes);
    return a;
}

#endif
