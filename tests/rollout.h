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
    int slot;               // of the body whose way is compared
    int bounces;            // of that body, but for the floor
    unsigned char *touched; // by body: 1 if it touched in the last step, 2 in this one
} roller;

static inline bool is_ball(const cr_body *body)
{
    return body->parts[0].shape.kind == CR_SHAPE_SPHERE && !body->driven;
}

// The first ball, or the first robot where there is none; -1: neither.
static inline int compared_slot(const cr_model *model)
{
    int found = -1;
    for (int slot = model->moving_count - 1; slot >= 0; slot--) {
        const cr_body *body = &model->bodies[model->moving[slot]];
        bool ball_found = found >= 0 && is_ball(&model->bodies[model->moving[found]]);
        if (!body->driven && (is_ball(body) || !ball_found)) {
            found = slot;
        }
    }
    return found;
}

static inline void roller_open(roller *r, const cr_model *model, const cr_engine_type *type,
                               int substeps)
{
    *r = (roller){.type = type, .model = *model, .slot = compared_slot(model)};
    r->model.substeps = substeps;
    assert_int_equal(type->create(&r->model, &r->engine, NULL), CR_OK);
    r->state = cr_state_create(model);
    r->actions = calloc((size_t)model->moving_count, sizeof *r->actions);
    r->contacts = calloc((size_t)model->contact_max + 1, sizeof *r->contacts);
    r->touched = calloc((size_t)model->body_count, 1);
    assert_true(r->state && r->actions && r->contacts && r->touched);
}

static inline void roller_close(roller *r)
{
    r->type->destroy(r->engine);
    free(r->state);
    free(r->actions);
    free(r->contacts);
    free(r->touched);
}

// A heading: every other one toward a body that is near, so that there is something to bounce off.
static inline double draw_heading(const roller *r, int number, cr_rng *rng)
{
    double any = cr_rng_uniform(rng, -CRI_PI, CRI_PI);
    cr_vec3 from = cri_bodies(&r->model, r->state)[r->slot].position;
    for (int i = 0; i < r->model.body_count && number % 2; i++) {
        const cr_body *body = &r->model.bodies[cr_rng_index(rng, (uint64_t)r->model.body_count)];
        double x = body->pose.position.x - from.x, y = body->pose.position.y - from.y;
        double away = sqrt(x * x + y * y);
        if (body->parts[0].shape.kind != CR_SHAPE_PLANE && away > 0.05 && away < 1.5) {
            return cri_atan2(y, x) + cr_rng_uniform(rng, -0.1, 0.1);
        }
    }
    return any;
}

// The body starts anew, a robot at the pace of one; the rest as in the model.
static inline void roller_start(roller *r, int number)
{
    cr_rng rng = cr_rng_make(11, CR_RNG_USER, (uint64_t)number);
    cr_state_start(&r->model, r->state);
    bool upright = r->model.bodies[r->model.moving[r->slot]].upright;
    double speed = cr_rng_uniform(&rng, 0.5, upright ? 1.5 : 3);
    double heading = draw_heading(r, number, &rng);
    cri_bodies(&r->model, r->state)[r->slot].velocity =
        cri_vec3(speed * cri_cos(heading), speed * cri_sin(heading), 0);
}

// A bounce begins: the body touches something from the side that it did not touch before.
static inline void count_bounces(roller *r, const cr_step *step)
{
    int body = r->model.moving[r->slot];
    for (int k = 0; k < step->contact_count; k++) {
        const cr_contact *c = &step->contacts[k];
        if ((c->a == body || c->b == body) && c->impulse > 0 && fabs(c->normal.z) < 0.7) {
            r->touched[c->a == body ? c->b : c->a] |= 2;
        }
    }
    for (int i = 0; i < r->model.body_count; i++) {
        r->bounces += r->touched[i] == 2;
        r->touched[i] >>= 1;
    }
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

// Where the body is after so many steps.
static inline cr_vec3 roll(roller *r, int number, int steps)
{
    roller_start(r, number);
    r->bounces = 0;
    memset(r->touched, 0, (size_t)r->model.body_count);
    for (int i = 0; i < steps; i++) {
        roller_act(r, i);
        cr_step step = {
            .from = r->state, .to = r->state, .actions = r->actions, .contacts = r->contacts};
        r->type->step(r->engine, &step, 1);
        assert_true(step.alive);
        count_bounces(r, &step);
    }
    return cri_bodies(&r->model, r->state)[r->slot].position;
}

typedef struct agreement {
    int count;            // roll-outs with at most two bounces
    int bounced;          // of these, with one or two
    int tried;            // roll-outs in all
    double error, spread; // m, medians: lanes against the other; that at 1/240 s against 1/960 s
    double error_most;    // m, the 90th percentile
    double spread_most;
} agreement;

static inline int by_size(const void *a, const void *b)
{
    const double *x = a, *y = b;
    return (*x > *y) - (*x < *y);
}

// The engine lanes against another.
static inline agreement compare_engines(const cr_model *model, const cr_engine_type *with,
                                        int rollouts)
{
    static double errors[ROLLOUTS_MAX], spreads[ROLLOUTS_MAX];
    agreement a = {0};
    if (compared_slot(model) < 0) {
        return a;
    }
    roller other, fine, lanes;
    roller_open(&other, model, with, model->substeps);
    roller_open(&fine, model, with, 4 * model->substeps);
    roller_open(&lanes, model, &cri_engine_lanes, model->substeps);
    for (int i = 0; a.count < rollouts && i < 20 * rollouts; i++) {
        cr_vec3 place = roll(&other, i, ROLLOUT_STEPS);
        a.tried++;
        if (other.bounces <= 2) {
            a.bounced += other.bounces > 0;
            cr_vec3 there = roll(&lanes, i, ROLLOUT_STEPS);
            errors[a.count] = cri_length(cri_sub(place, there));
            there = roll(&fine, i, ROLLOUT_STEPS);
            spreads[a.count++] = cri_length(cri_sub(place, there));
        }
    }
    qsort(errors, (size_t)a.count, sizeof *errors, by_size);
    qsort(spreads, (size_t)a.count, sizeof *spreads, by_size);
    a.error = errors[a.count / 2];
    a.spread = spreads[a.count / 2];
    a.error_most = errors[a.count * 9 / 10];
    a.spread_most = spreads[a.count * 9 / 10];
    roller_close(&other);
    roller_close(&fine);
    roller_close(&lanes);
    return a;
}

#endif
