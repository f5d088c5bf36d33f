// The worlds that benchmarks run: built by hand, so that engines are measured without a planner
// around them.
#ifndef TESTS_COURSES_H
#define TESTS_COURSES_H

#include "field.h"

typedef struct course_def {
    const char *name;
    void (*make)(world *w);
} course_def;

// A field with eight boards, a robot that drives to and fro, and a ball.
static inline void make_minigolf(world *w)
{
    static cr_vec2 outline[ROBOT_POINTS];
    int rough = world_material(w, 0.2, 0.2, 0.7);
    world_add(w, plane_of(), rough, (cr_body){0});
    for (int i = 0; i < 8; i++) {
        double angle = CRI_PI * i / 4;
        cr_pose pose = {{1.5 * cri_cos(angle), 1.5 * cri_sin(angle), 0.05},
                        cri_quat_heading(angle)};
        world_add(w, box_of(0.05, 1.3, 0.1), rough, (cr_body){.pose = pose});
    }
    field_ball(w, rough, cri_vec3(0.3, 0, 0.0215), cri_vec3(2, 1, 0));
    field_robot(w, prism_of(robot_outline(outline), ROBOT_POINTS, 0.15), rough, -0.5, 0);
}

// A ball and four robots on a walled field with two goals.
static inline void make_soccer(world *w)
{
    static cr_vec2 outline[ROBOT_POINTS];
    int m = world_material(w, 0.3, 0.3, 0.5);
    field_boards(w, m, 6, 4);
    for (int i = 0; i < 4; i++) {
        double x = i / 2 ? 2.9 : -2.9, y = i % 2 ? 0.36 : -0.36;
        world_add(w, box_of(0.2, 0.02, 0.16), m, (cr_body){.pose = pose_at(x, y, 0.08)});
    }
    field_ball(w, m, cri_vec3(0, 0, 0.0215), cri_vec3(3, 0.5, 0));
    for (int i = 0; i < 4; i++) {
        field_robot(w, prism_of(robot_outline(outline), ROBOT_POINTS, 0.15), m, 0.5 * i - 0.8,
                    0.3 * (i % 2) - 0.2);
    }
}

// Fifteen balls in a rack and a cue ball on a table with four cushions.
static inline void make_pool(world *w)
{
    const double r = 0.028;
    int cloth = world_material(w, 0.2, 0.2, 0.5), ivory = world_material(w, 0.05, 0.05, 0.95);
    w->materials[cloth].rolling = 0.02;
    field_boards(w, cloth, 2.54, 1.27);
    cr_body ball = {.kind = CR_KIND_PASSIVE, .mass = 0.17, .angular_damping = 0.1};
    ball.pose = pose_at(-0.6, 0.01, r);
    ball.velocity = cri_vec3(5, 0, 0);
    world_add(w, sphere_of(r), ivory, ball);
    ball.velocity = cri_vec3(0, 0, 0);
    for (int row = 0; row < 5; row++) {
        for (int i = 0; i <= row; i++) {
            ball.pose = pose_at(0.6 + row * 1.74 * r, (2 * i - row) * 1.004 * r, r);
            world_add(w, sphere_of(r), ivory, ball);
        }
    }
}

static const course_def COURSES[] = {
    {"minigolf", make_minigolf}, {"soccer", make_soccer}, {"pool", make_pool}};
enum { COURSE_COUNT = sizeof COURSES / sizeof *COURSES, EPISODE = 240 };

// Every episode and every world begins a little different.
static inline void begin_episode(const cr_model *model, cr_state *state, int number)
{
    cr_rng rng = cr_rng_make(5, CR_RNG_USER, (uint64_t)number);
    cr_state_start(model, state);
    cr_body_state *bodies = cri_bodies(model, state);
    for (int slot = 0; slot < model->moving_count; slot++) {
        if (cri_dot(bodies[slot].velocity, bodies[slot].velocity) > 0) {
            bodies[slot].velocity.x *= cr_rng_uniform(&rng, 0.7, 1.3);
            bodies[slot].velocity.y += cr_rng_uniform(&rng, -0.3, 0.3);
        }
    }
}

// Robots drive to and fro, each to its own beat.
static inline cr_vec3 drive(int slot, int step)
{
    int beat = 50 + 10 * slot;
    return cri_vec3(step / beat % 2 ? -6 : 6, step / (beat + 15) % 2 ? -4 : 4, 0);
}

#endif
