// Worlds of balls, robots and boards, for tests and benchmarks of the lanes engine.
#ifndef TESTS_FIELD_H
#define TESTS_FIELD_H

#include "world.h"

// Floor and four boards around a field.
static inline void field_boards(world *w, int material, double length, double width)
{
    world_add(w, plane_of(), material, (cr_body){0});
    for (int i = 0; i < 2; i++) {
        double side = i ? 1 : -1;
        world_add(w, box_of(length + 0.1, 0.05, 0.16), material,
                  (cr_body){.pose = pose_at(0, side * (width / 2 + 0.025), 0.08)});
        world_add(w, box_of(0.05, width, 0.16), material,
                  (cr_body){.pose = pose_at(side * (length / 2 + 0.025), 0, 0.08)});
    }
}

static inline int field_ball(world *w, int material, cr_vec3 place, cr_vec3 velocity)
{
    return world_add(w, sphere_of(0.0215), material,
                     (cr_body){.kind = CR_KIND_PASSIVE,
                               .mass = 0.046,
                               .linear_damping = 0.15,
                               .angular_damping = 0.2,
                               .pose = pose_at(place.x, place.y, place.z),
                               .velocity = velocity});
}

static inline int field_robot(world *w, cr_shape shape, int material, double x, double y)
{
    return world_add(w, shape, material,
                     (cr_body){.kind = CR_KIND_CONTROLLED,
                               .upright = true,
                               .mass = 2.5,
                               .linear_damping = 0.2,
                               .pose = pose_at(x, y, 0.08)});
}

// Something of every shape and class that the lanes take, close together.
static inline void crowded_field(world *w, cr_vec2 outline[ROBOT_POINTS])
{
    static const cr_vec2 wedge[] = {{-0.2, -0.15}, {0.25, -0.15}, {-0.2, 0.2}};
    int m = world_material(w, 0.3, 0.4, 0.6), cloth = world_material(w, 0.2, 0.2, 0.8);
    w->materials[cloth].rolling = 0.02;
    w->materials[cloth].spinning = 0.05;
    field_boards(w, cloth, 2, 1.6);
    cr_quat tilt = cri_quat_axis(cri_vec3(0, 1, 0), 0.3);
    world_add(w, box_of(0.4, 0.3, 0.05), m, (cr_body){.pose = {{0.6, -0.6, 0.03}, tilt}});
    world_add(w, prism_of(wedge, 3, 0.3), m, (cr_body){.pose = pose_at(-0.7, -0.5, 0.1)});
    world_add(w, cylinder_of(0.1, 0.2), m, (cr_body){.pose = pose_at(-0.6, 0.5, 0.1)});
    world_add(w, sphere_of(0.08), m, (cr_body){.pose = pose_at(0.7, 0.5, 0)});
    for (int i = 0; i < 4; i++) {
        field_ball(w, i % 2 ? m : cloth, cri_vec3(0.15 * i - 0.3, 0.05, 0.03 + 0.05 * i),
                   cri_vec3(4 - 2 * i, 1 + i, 0));
    }
    const cr_shape robots[] = {prism_of(robot_outline(outline), ROBOT_POINTS, 0.15),
                               cylinder_of(0.09, 0.15), box_of(0.16, 0.2, 0.15)};
    for (int i = 0; i < 3; i++) {
        field_robot(w, robots[i], m, 0.3 * i - 0.2, -0.3);
    }
    world_add(w, box_of(0.5, 0.03, 0.1), m,
              (cr_body){.kind = CR_KIND_FOREIGN, .driven = true, .pose = pose_at(0.1, 0.45, 0.06)});
    world_finish(w);
}

// Drives every robot to and fro and turns the bar.
static inline void crowded_actions(const cr_model *model, cr_action *actions, cr_rng *rng)
{
    for (int slot = 0; slot < model->moving_count; slot++) {
        const cr_body *body = &model->bodies[model->moving[slot]];
        actions[slot] = (cr_action){0};
        if (body->driven) {
            actions[slot].spin.z = 6;
        } else if (body->upright) {
            actions[slot].force.x = cr_rng_uniform(rng, -40, 40);
            actions[slot].force.y = cr_rng_uniform(rng, -40, 40);
            actions[slot].torque.z = cr_rng_uniform(rng, -0.3, 0.3);
        } else if (cr_rng_uniform(rng, 0, 1) < 0.02) {
            // One draw a statement: the order of arguments is the compiler's choice.
            actions[slot].impulse.x = cr_rng_uniform(rng, -0.3, 0.3);
            actions[slot].impulse.y = cr_rng_uniform(rng, -0.3, 0.3);
            actions[slot].impulse.z = 0.005;
        }
    }
}

#endif
