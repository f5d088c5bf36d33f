// The lanes engine agrees with ODE, as an engine and bare: over open-loop roll-outs with at most
// two bounces the median distance of the balls is at most 1 cm, or what ODE itself changes with
// finer substeps. The engine ode shares our collision and movement, bare ODE nothing.
#include "bare_ode.h"
#include "rollout.h"

static void lanes_agree_with(const cr_engine_type *other, double most)
{
    for (int i = 0; i < COURSE_COUNT; i++) {
        world w = world_make();
        COURSES[i].make(&w);
        world_finish(&w);
        int rollouts = w.model.moving_count > 8 ? 20 : 200;
        agreement a = compare_engines(&w.model, other, rollouts);
        assert_int_equal(a.count, rollouts);
        assert_near(a.error, 0, fmax(most, a.spread));
        world_free(&w);
    }
}

static void test_lanes_agree_with_ode(void **state)
{
    (void)state;
    lanes_agree_with(&cri_engine_ode, 0.01);
}

// Twice as far: in pool a ball leaves a cushion of bare ODE at another speed, with any substep (see
// docs/engines.md, The referee).
static void test_lanes_agree_with_bare_ode(void **state)
{
    (void)state;
    lanes_agree_with(&bare_engine_quick, 0.02);
}

// Where they differ: a wall strikes a ball that rolls away from it, slower. The ball's back goes
// up, so the wall's friction presses it onto the floor, and the floor's friction holds it back:
//
//     m (v' - v) = N - floor's mu * wall's mu * N,   v' = V + e (V - v)
//
// ODE takes the load of the floor from a solution without friction, which has none.
static void test_a_struck_ball_is_pressed_onto_the_floor(void **state)
{
    (void)state;
    const double r = 0.0215, mass = 0.046, v = 1.5, wall = 2, mu = 0.2, e = 0.5;
    world w = world_make();
    int m = world_material(&w, mu, mu, e);
    world_add(&w, plane_of(), m, (cr_body){0});
    int plate = world_add(
        &w, box_of(0.1, 0.4, 0.2), m,
        (cr_body){.kind = CR_KIND_FOREIGN, .driven = true, .pose = pose_at(-0.055 - r, 0, 0.12)});
    int ball = world_add(&w, sphere_of(r), m,
                         (cr_body){.kind = CR_KIND_PASSIVE,
                                   .mass = mass,
                                   .pose = pose_at(0, 0, r),
                                   .velocity = {v, 0, 0},
                                   .spin = {0, v / r, 0}});
    world_finish(&w);
    bench b = bench_open(&w, &cri_engine_lanes);
    bench_action(&b, plate)->velocity = cri_vec3(wall, 0, 0);
    bench_run(&b, 1);
    const cr_contact *c = bench_contact(&b, plate, ball);
    assert_non_null(c);
    // The weight adds some friction of the floor.
    assert_near(c->impulse, mass * (1 + e) * (wall - v) / (1 - mu * mu), 5e-4);
    bench_close(&b);
    world_free(&w);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_lanes_agree_with_ode),
        cmocka_unit_test(test_lanes_agree_with_bare_ode),
        cmocka_unit_test(test_a_struck_ball_is_pressed_onto_the_floor)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
