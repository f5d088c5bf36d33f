// What a rack does to the ball that strikes it: engines and substeps against impacts computed in
// turn, from event to event. Not a test.
//     build/bench/bench_break scenes/pool/break.yaml [breaks]
// The events know no cloth, whose friction takes a few percent of the energy in two steps.
#include <stdio.h>

#include "behavior/behavior.h"
#include "rollout.h"

enum { BALLS = 16, STEPS = 2 };

// Balls by slot; the first is the cue ball.
typedef struct rack {
    double radius, mass, restitution, friction;
    cr_body_state balls[BALLS];
} rack;

typedef struct sums {
    double energy, forward, aside2; // of all balls; speeds of the cue ball
} sums;

// ---------------------------------------------------------------------------------------------
// From event to event.

// When two balls touch, or later than t.
static double touch_time(const rack *r, int a, int b, double t)
{
    cr_vec3 d = cri_sub(r->balls[b].position, r->balls[a].position);
    cr_vec3 v = cri_sub(r->balls[b].velocity, r->balls[a].velocity);
    double closing = cri_dot(d, v), gap2 = cri_dot(d, d) - 4 * r->radius * r->radius;
    double root = closing * closing - cri_dot(v, v) * gap2;
    if (closing >= 0 || root < 0) {
        return t + 1;
    }
    return fmax(gap2, 0) / (-closing + sqrt(root));
}

// Newton's restitution, Coulomb's friction; the table keeps balls from rising.
static void strike(const rack *r, cr_body_state *a, cr_body_state *b)
{
    cr_vec3 n = cri_unit(cri_sub(b->position, a->position), cri_vec3(1, 0, 0));
    cr_vec3 turn = cri_cross(cri_scale(r->radius, cri_add(a->spin, b->spin)), n);
    cr_vec3 slip = cri_sub(cri_sub(b->velocity, a->velocity), turn);
    double closing = cri_dot(slip, n), press = -(1 + r->restitution) * closing * r->mass / 2;
    cr_vec3 across = cri_mad(slip, -closing, n);
    double rub = fmin(r->friction * press, cri_length(across) * r->mass / 7);
    cr_vec3 impulse = cri_mad(cri_scale(press, n), -rub, cri_unit(across, cri_vec3(0, 0, 0)));
    cr_vec3 twist = cri_scale(-2.5 / (r->mass * r->radius), cri_cross(n, impulse));
    a->velocity = cri_mad(a->velocity, -1 / r->mass, impulse);
    b->velocity = cri_mad(b->velocity, 1 / r->mass, impulse);
    a->velocity.z = b->velocity.z = 0;
    a->spin = cri_add(a->spin, twist);
    b->spin = cri_add(b->spin, twist);
}

static void run_events(rack *r, double left)
{
    while (left > 0) {
        double first = left;
        int one = -1, two = -1;
        for (int i = 0; i < BALLS * BALLS; i++) {
            double t = i / BALLS < i % BALLS ? touch_time(r, i / BALLS, i % BALLS, left) : left;
            if (t < first) {
                first = t, one = i / BALLS, two = i % BALLS;
            }
        }
        for (int i = 0; i < BALLS; i++) {
            r->balls[i].position = cri_mad(r->balls[i].position, first, r->balls[i].velocity);
        }
        if (one >= 0) {
            strike(r, &r->balls[one], &r->balls[two]);
        }
        left -= first;
    }
}

// ---------------------------------------------------------------------------------------------

// The cue ball 1 cm before the first ball, at 6 to 10 m/s, up to most of a radius beside it.
static void start(const cr_model *model, cr_state *state, int number)
{
    cr_rng rng = cr_rng_make(3, CR_RNG_USER, (uint64_t)number);
    cr_state_start(model, state);
    cr_body_state *balls = cri_bodies(model, state);
    double radius = model->bodies[model->moving[0]].radius;
    balls[0].position = balls[1].position;
    balls[0].position.x -= 2 * radius + 0.01;
    balls[0].position.y += cr_rng_uniform(&rng, -0.8 * radius, 0.8 * radius);
    balls[0].velocity = cri_vec3(cr_rng_uniform(&rng, 6, 10), 0, 0);
}

static rack rack_of(const cr_model *model, const cr_state *state)
{
    const cr_body *ball = &model->bodies[model->moving[0]];
    int material = ball->parts[0].material;
    const cr_meeting *m = &model->meetings[material * model->material_count + material];
    rack r = {.radius = ball->radius,
              .mass = ball->mass,
              .restitution = m->restitution,
              .friction = m->friction};
    memcpy(r.balls, cri_bodies_const(model, state), sizeof r.balls);
    return r;
}

static void add(sums *s, const rack *r)
{
    for (int i = 0; i < BALLS; i++) {
        s->energy += r->mass / 2 * cri_dot(r->balls[i].velocity, r->balls[i].velocity);
    }
    s->forward += r->balls[0].velocity.x;
    s->aside2 += r->balls[0].velocity.y * r->balls[0].velocity.y;
}

static void print(const char *name, int substeps, const sums *s, int breaks)
{
    printf("| %s | ", name);
    if (substeps > 0) {
        printf("1/%d s", 60 * substeps);
    }
    printf(" | %.2f | %.2f | %.2f |\n", s->energy / breaks, s->forward / breaks,
           sqrt(s->aside2 / breaks));
}

static void measure_engine(const cr_model *base, const cr_engine_type *type, int substeps,
                           int breaks)
{
    sums s = {0};
    roller r;
    roller_open(&r, base, type, substeps);
    for (int i = 0; i < breaks; i++) {
        start(base, r.state, i);
        for (int k = 0; k < STEPS; k++) {
            cr_step step = {
                .from = r.state, .to = r.state, .actions = r.actions, .contacts = r.contacts};
            type->step(r.engine, &step, 1);
        }
        rack after = rack_of(base, r.state);
        add(&s, &after);
    }
    print(type->name, substeps, &s, breaks);
    roller_close(&r);
}

static void measure_events(const cr_model *model, int breaks)
{
    sums s = {0};
    cr_state *state = cr_state_create(model);
    assert_true(state);
    for (int i = 0; i < breaks; i++) {
        start(model, state, i);
        rack r = rack_of(model, state);
        run_events(&r, STEPS * model->dt);
        add(&s, &r);
    }
    print("events", 0, &s, breaks);
    free(state);
}

int main(int argc, char **argv)
{
    int breaks = argc > 2 ? atoi(argv[2]) : 300;
    cr_scene *scene = NULL;
    cr_model *model = NULL;
    if (argc < 2 || cr_scene_read(argv[1], &scene, NULL) != CR_OK ||
        cr_model_create(scene, NULL, 0, &model, NULL) != CR_OK || model->moving_count != BALLS) {
        printf("needs a scene with %d balls\n", BALLS);
        return 1;
    }
    printf("| %d breaks, after %d steps | substep | energy, J | cue ball forward, m/s | aside, rms "
           "|\n|---|---|---:|---:|---:|\n",
           breaks, STEPS);
    for (int substeps = 4; substeps <= 16; substeps *= 4) {
        measure_engine(model, &cri_engine_ode, substeps, breaks);
        measure_engine(model, &cri_engine_lanes, substeps, breaks);
    }
    measure_events(model, breaks);
    cr_model_destroy(model);
    cr_scene_destroy(scene);
    return 0;
}
