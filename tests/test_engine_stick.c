// Static friction holds, dynamic friction brakes: bodies whose two coefficients differ slide with
// the one and stick with the other, on every path through an engine (balls on the ground, balls
// that meet, robots along a wall, boxes).
#include "engines.h"

static const double G = 9.81;
static const double DYNAMIC = 0.2, STATIC = 0.5;

// A ball launched without spin slides until its speed is 5/7 of the first: by then it has slid
// for 2 v / (7 mu g), whatever would hold it at rest.
static void test_a_ball_slides_with_dynamic_friction(void **state)
{
    const double v = 2, r = 0.03, sliding = 2 * v / (7 * DYNAMIC * G); // 0.29 s
    world w = world_make();
    int m = world_material(&w, DYNAMIC, STATIC, 0);
    world_add(&w, plane_of(), m, (cr_body){0});
    int ball = world_add(&w, sphere_of(r), m,
                         (cr_body){.kind = CR_KIND_PASSIVE,
                                   .mass = 0.2,
                                   .pose = pose_at(0, 0, r),
                                   .velocity = {0.6 * v, 0.8 * v, 0}});
    world_finish(&w);
    bench b = bench_open(&w, *state);
    for (int i = 1; i <= 40; i++) {
        bench_run(&b, 1);
        double t = i / 60.0, speed = t < sliding ? v - DYNAMIC * G * t : v * 5 / 7;
        // The substep in which it begins to roll is treated as a whole: mu g h / 2.
        assert_near(cri_length(bench_body(&b, ball)->velocity), speed, STATIC * G / 480 + 1e-4);
    }
    bench_close(&b);
    world_free(&w);
}

// A ball that rolls down a slope from rest needs friction of 2/7 of the slope's tangent: more than
// dynamic friction gives, less than static friction. It rolls with 5/7 of g sin.
static void test_a_ball_rolls_with_static_friction(void **state)
{
    const double angle = 0.8, r = 0.03; // 2/7 tan = 0.294
    world w = world_make();
    int m = world_material(&w, DYNAMIC, STATIC, 0);
    cr_quat tilt = cri_quat_axis(cri_vec3(0, 1, 0), angle);
    world_add(&w, plane_of(), m, (cr_body){.pose = {{0, 0, 0}, tilt}});
    int ball = world_add(
        &w, sphere_of(r), m,
        (cr_body){.kind = CR_KIND_PASSIVE,
                  .mass = 0.2,
                  .pose = {cri_scale(r, cri_rotate(tilt, cri_vec3(0, 0, 1))), {0, 0, 0, 1}}});
    world_finish(&w);
    bench b = bench_open(&w, *state);
    bench_run(&b, 30);
    const cr_body_state *s = bench_body(&b, ball);
    assert_near(cri_length(s->velocity), 0.5 * G * cri_sin(angle) * 5 / 7, 1e-3);
    assert_near(cri_length(s->velocity), r * cri_length(s->spin), 1e-3); // no slip
    bench_close(&b);
    world_free(&w);
}

// A robot that is pressed against a wall with 4 N; returns its speed along the wall after half a
// second with a force along it.
static double along_the_wall(const cr_engine_type *type, double speed, double force)
{
    world w = world_make();
    int m = world_material(&w, DYNAMIC, STATIC, 0);
    world_add(&w, box_of(20, 0.1, 0.3), m, (cr_body){.pose = pose_at(0, 0.05 + 0.08, 0.1)});
    int robot = world_add(&w, box_of(0.16, 0.16, 0.15), m,
                          (cr_body){.kind = CR_KIND_CONTROLLED,
                                    .upright = true,
                                    .mass = 2,
                                    .pose = pose_at(0, 0, 0.1),
                                    .velocity = {speed, 0, 0}});
    world_finish(&w);
    bench b = bench_open(&w, type);
    for (int i = 0; i < 30; i++) {
        *bench_action(&b, robot) = (cr_action){.force = {force, 4, 0}};
        bench_run(&b, 1);
    }
    double end = bench_body(&b, robot)->velocity.x;
    bench_close(&b);
    world_free(&w);
    return end;
}

// The wall takes 0.2 x 4 N from what slides, and holds what stands against 0.5 x 4 N.
static void test_a_robot_slides_and_sticks_at_a_wall(void **state)
{
    const double brake = DYNAMIC * 4 / 2, time = 0.5;
    assert_near(along_the_wall(*state, 1, 0), 1 - brake * time, 2e-3);
    assert_near(along_the_wall(*state, 1, 1.6), 1 + (0.8 - brake) * time, 2e-3);
    assert_near(along_the_wall(*state, 0, 1.6), 0, 1e-3); // more than dynamic friction, held
    assert_true(along_the_wall(*state, 0, 2.6) > 0.2);    // more than static friction
}

// A box on the ground, pulled by a force of so many times its weight; its speed after half a
// second.
static double pulled_box(const cr_engine_type *type, double speed, double pull)
{
    world w = world_make();
    int m = world_material(&w, DYNAMIC, STATIC, 0);
    world_add(&w, plane_of(), m, (cr_body){0});
    int box = world_add(&w, box_of(0.4, 0.4, 0.04), m,
                        (cr_body){.kind = CR_KIND_PASSIVE,
                                  .mass = 1,
                                  .pose = pose_at(0, 0, 0.02),
                                  .velocity = {speed, 0, 0}});
    world_finish(&w);
    bench b = bench_open(&w, type);
    for (int i = 0; i < 30; i++) {
        *bench_action(&b, box) = (cr_action){.force = {pull * G, 0, 0}};
        bench_run(&b, 1);
    }
    double end = bench_body(&b, box)->velocity.x;
    bench_close(&b);
    world_free(&w);
    return end;
}

static void test_a_box_slides_and_sticks(void **state)
{
    assert_near(pulled_box(*state, 2, 0), 2 - DYNAMIC * G * 0.5, 2e-3);
    assert_near(pulled_box(*state, 2, 0.3), 2 + (0.3 - DYNAMIC) * G * 0.5, 2e-3);
    assert_near(pulled_box(*state, 0, 0.4), 0, 1e-3);
    assert_true(pulled_box(*state, 0, 0.6) > 1);
}

// A ball that hits a board aslant and slips all through the impact is rubbed by dynamic friction
// times what the board gives across.
static void test_an_impact_rubs_with_dynamic_friction(void **state)
{
    const double r = 0.03, bounce = 0.5, along = 5, across = 1;
    world w = world_make();
    int m = world_material(&w, DYNAMIC, STATIC, bounce);
    w.model.gravity = cri_vec3(0, 0, 0);
    world_add(&w, box_of(4, 0.1, 1), m, (cr_body){.pose = pose_at(0, 0.2, 0)});
    int ball =
        world_add(&w, sphere_of(r), m,
                  (cr_body){.kind = CR_KIND_PASSIVE, .mass = 0.2, .velocity = {along, across, 0}});
    world_finish(&w);
    bench b = bench_open(&w, *state);
    bench_run(&b, 30);
    const cr_body_state *s = bench_body(&b, ball);
    assert_near(s->velocity.y, -bounce * across, 1e-4);
    // Full slip: 2/7 of 5 m/s would be needed to stop it, 0.3 m/s are there.
    assert_near(s->velocity.x, along - DYNAMIC * (1 + bounce) * across, 1e-4);
    bench_close(&b);
    world_free(&w);
}

int main(void)
{
    struct CMUnitTest tests[] = {
        cmocka_unit_test(test_a_ball_slides_with_dynamic_friction),
        cmocka_unit_test(test_a_ball_rolls_with_static_friction),
        cmocka_unit_test(test_a_robot_slides_and_sticks_at_a_wall),
        cmocka_unit_test(test_a_box_slides_and_sticks),
        cmocka_unit_test(test_an_impact_rubs_with_dynamic_friction),
    };
    return RUN_FOR_ENGINES(tests);
}
