// Worlds built by hand, for tests of engines: no scene file needed.
//
//     world w = world_make();
//     int ball = world_add(&w, sphere_of(0.02), (cr_body){.mass = 0.05, ...});
//     world_finish(&w);
//     bench b = bench_open(&w, type);  ... bench_run(&b, 60); ... bench_close(&b);
//     world_free(&w);
#ifndef TESTS_WORLD_H
#define TESTS_WORLD_H

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <cmocka.h>

#include "base/trig.h"
#include "base/vec.h"
#include "engine/engine.h"
#include "geom/hull.h"

enum { WORLD_BODIES = 4096, WORLD_MATERIALS = 8, WORLD_WISHES = 16 };

typedef struct world {
    cr_model model;
    cr_body *bodies;
    cr_part *parts; // one a body
    cr_material *materials; // not within: a world is passed on by value
    cri_pair_wish wishes[WORLD_WISHES];
    int wish_count;
} world;

// dt 1/60 in 4 substeps, earth's gravity, no bodies, material 0 without friction or bounce.
static inline world world_make(void)
{
    world w = {.bodies = calloc(WORLD_BODIES, sizeof(cr_body)),
               .parts = calloc(WORLD_BODIES, sizeof(cr_part)),
               .materials = calloc(WORLD_MATERIALS, sizeof(cr_material))};
    assert_non_null(w.bodies);
    assert_non_null(w.parts);
    assert_non_null(w.materials);
    w.model.dt = 1.0 / 60;
    w.model.substeps = 4;
    w.model.gravity = cri_vec3(0, 0, -9.81);
    w.model.material_count = 1;
    w.materials[0].name = "smooth";
    return w;
}

static inline int world_material(world *w, double friction, double static_friction,
                                 double restitution)
{
    w->materials[w->model.material_count] = (cr_material){.name = "made",
                                                          .friction = friction,
                                                          .static_friction = static_friction,
                                                          .restitution = restitution};
    return w->model.material_count++;
}

static inline cr_pose pose_at(double x, double y, double z)
{
    return (cr_pose){{x, y, z}, {0, 0, 0, 1}};
}

static inline cr_shape plane_of(void)
{
    return (cr_shape){.kind = CR_SHAPE_PLANE};
}

static inline cr_shape sphere_of(double radius)
{
    return (cr_shape){.kind = CR_SHAPE_SPHERE, .radius = radius};
}

static inline cr_shape box_of(double x, double y, double z)
{
    return (cr_shape){.kind = CR_SHAPE_BOX, .half = {x / 2, y / 2, z / 2}};
}

static inline cr_shape cylinder_of(double radius, double height)
{
    return (cr_shape){.kind = CR_SHAPE_CYLINDER, .radius = radius, .half = {0, 0, height / 2}};
}

static inline cr_shape capsule_of(double radius, double length)
{
    return (cr_shape){.kind = CR_SHAPE_CAPSULE, .radius = radius, .half = {0, 0, length / 2}};
}

// The convex hull of points, about its centre of mass, made where the caller has room for it.
static inline cr_shape hull_of(const cr_vec3 *points, int count, cr_hull *into)
{
    assert_int_equal(cri_hull_make(points, (size_t)count, into), CR_OK);
    cri_hull_settle(into);
    return cri_hull_shape(into);
}

static inline cr_shape box_hull_of(double x, double y, double z, cr_hull *into)
{
    cr_vec3 points[8];
    for (int i = 0; i < 8; i++) {
        points[i] =
            cri_vec3(i & 1 ? x / 2 : -x / 2, i & 2 ? y / 2 : -y / 2, i & 4 ? z / 2 : -z / 2);
    }
    return hull_of(points, 8, into);
}

// A chipped stone of nine corners, about 2 size across.
static inline cr_shape stone_of(double size, cr_hull *into)
{
    static const cr_vec3 corners[] = {{1, 0.1, 0.2},    {-0.9, 0.3, 0.1},   {0.2, 0.8, -0.3},
                                      {-0.1, -0.7, 0},  {0.3, 0.2, 0.6},    {0.1, -0.2, -0.6},
                                      {-0.5, 0.5, 0.4}, {0.6, -0.5, -0.25}, {-0.6, -0.4, -0.35}};
    cr_vec3 points[9];
    for (int i = 0; i < 9; i++) {
        points[i] = cri_scale(size, corners[i]);
    }
    return hull_of(points, 9, into);
}

static inline cr_shape prism_of(const cr_vec2 *points, int count, double height)
{
    return (cr_shape){
        .kind = CR_SHAPE_PRISM, .half = {0, 0, height / 2}, .point_count = count, .points = points};
}

// The outline of a small soccer robot: radius 0.09, cut off in front (x) at 0.07. Made once by
// cos and sin of the angles from acos(0.07 / 0.09) on, round the back, in 16 equal turns.
enum { ROBOT_POINTS = 17 };
static inline const cr_vec2 *robot_outline(cr_vec2 points[ROBOT_POINTS])
{
    double from = cri_atan2(sqrt(0.09 * 0.09 - 0.07 * 0.07), 0.07), all = 2 * (CRI_PI - from);
    for (int i = 0; i < ROBOT_POINTS; i++) {
        double angle = from + all * i / (ROBOT_POINTS - 1);
        points[i] = (cr_vec2){0.09 * cri_cos(angle), 0.09 * cri_sin(angle)};
    }
    return points;
}

// Add a body of one part. The template gives kind (static is 0), mass, pose, velocity and so on;
// inertia follows from shape and mass as in the scene compiler. part_material 0 is smooth.
static inline int world_add(world *w, cr_shape shape, int part_material, cr_body body)
{
    int index = w->model.body_count++;
    assert_true(index < WORLD_BODIES);
    cri_mass mass = cri_shape_mass(&shape);
    w->parts[index] =
        (cr_part){shape, pose_at(-mass.center.x, -mass.center.y, 0), part_material, ""};
    body.name = "body";
    body.part_count = 1;
    body.parts = &w->parts[index];
    if (body.pose.rotation.w == 0 && body.pose.rotation.x == 0 && body.pose.rotation.y == 0 &&
        body.pose.rotation.z == 0) {
        body.pose.rotation.w = 1;
    }
    if (body.mass > 0) {
        body.inertia = cri_scale(body.mass / mass.volume, mass.inertia);
    }
    w->bodies[index] = body;
    return index;
}

static inline void world_wish(world *w, int a, int b, bool watch)
{
    w->wishes[w->wish_count++] = (cri_pair_wish){a, b, watch};
}

static inline void world_finish(world *w)
{
    w->model.bodies = w->bodies;
    w->model.materials = w->materials;
    assert_int_equal(cri_model_finish(&w->model, w->wishes, w->wish_count, NULL), CR_OK);
}

static inline void world_free(world *w)
{
    cri_arena_free(&w->model.arena);
    free(w->bodies);
    free(w->parts);
    free(w->materials);
}

// ---------------------------------------------------------------------------------------------
// A world on the bench: one state, one engine.

typedef struct bench {
    const cr_model *model;
    const cr_engine_type *type;
    void *engine;
    cr_state *state;
    cr_action *actions;
    cr_contact *contacts;
    const uint64_t *mask;
    const cr_numbers *numbers;
    int contact_count;
    bool alive;
    cr_fault fault;
    int fault_body;
} bench;

static inline bench bench_open(world *w, const cr_engine_type *type)
{
    bench b = {.model = &w->model, .type = type, .alive = true};
    assert_int_equal(type->create(b.model, &b.engine, NULL), CR_OK);
    b.state = cr_state_create(b.model);
    b.actions = calloc((size_t)b.model->moving_count + 1, sizeof *b.actions);
    b.contacts = calloc((size_t)b.model->contact_max + 1, sizeof *b.contacts);
    assert_true(b.state && b.actions && b.contacts);
    return b;
}

static inline void bench_step(bench *b)
{
    cr_step step = {.from = b->state,
                    .to = b->state,
                    .actions = b->actions,
                    .mask = b->mask,
                    .numbers = b->numbers,
                    .contacts = b->contacts};
    b->type->step(b->engine, &step, 1);
    b->contact_count = step.contact_count;
    b->alive = step.alive;
    b->fault = step.fault;
    b->fault_body = step.fault_body;
}

static inline void bench_run(bench *b, int steps)
{
    for (int i = 0; i < steps; i++) {
        bench_step(b);
        assert_true(b->alive);
    }
}

static inline cr_body_state *bench_body(bench *b, int body)
{
    return &cri_bodies(b->model, b->state)[b->model->bodies[body].slot];
}

static inline cr_action *bench_action(bench *b, int body)
{
    return &b->actions[b->model->bodies[body].slot];
}

// The contact of a pair in the last step, or NULL.
static inline const cr_contact *bench_contact(const bench *b, int first, int second)
{
    for (int i = 0; i < b->contact_count; i++) {
        if (b->contacts[i].a == first && b->contacts[i].b == second) {
            return &b->contacts[i];
        }
    }
    return NULL;
}

static inline void bench_close(bench *b)
{
    b->type->destroy(b->engine);
    free(b->state);
    free(b->actions);
    free(b->contacts);
}

// What rounding an engine is allowed, against the larger of 1 and the value expected: engines that
// compute in float set it. Where a test asks for 0 it gets 0.
static inline double *near_slack(void)
{
    static double slack;
    return &slack;
}

#define assert_near(value, expected, tolerance)                                                    \
    do {                                                                                           \
        double value_ = (value), expected_ = (expected), tolerance_ = (tolerance);                 \
        if (tolerance_ > 0) {                                                                      \
            tolerance_ = fmax(tolerance_, *near_slack() * fmax(1, fabs(expected_)));               \
        }                                                                                          \
        if (!(fabs(value_ - expected_) <= tolerance_)) {                                           \
            fail_msg("%s is %.9g, expected %.9g within %g", #value, value_, expected_,             \
                     tolerance_);                                                                  \
        }                                                                                          \
    } while (0)

#endif
