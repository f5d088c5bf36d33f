// Worlds in every place: what crosses the range of the float stepper, begins beyond it, or stands
// on something, moves as if nothing were there to cross.
#include "engines.h"

// The stepper's range is 64 m; so is nothing else.
static const double PLACES[] = {0, 63.9, -63.9, 64, 66, -500, 12345, -99000};
enum { PLACE_COUNT = sizeof PLACES / sizeof *PLACES };

static void run_in_place_and_out(bench *b, bench *other, int steps)
{
    for (int i = 0; i < steps; i++) {
        cr_step step = {.from = b->state, .to = other->state, .actions = b->actions};
        b->type->step(b->engine, &step, 1);
        assert_true(step.alive);
        bench_step(b);
        assert_true(b->alive);
        assert_memory_equal(b->state, other->state, cr_state_size(b->model));
    }
}

// A ball flies through 10 m in a second.
static void test_flight_crosses_any_place(void **state)
{
    for (int i = 0; i < PLACE_COUNT; i++) {
        world w = world_make();
        int ball = world_add(&w, sphere_of(0.02), 0,
                             (cr_body){.kind = CR_KIND_PASSIVE,
                                       .mass = 0.05,
                                       .pose = pose_at(PLACES[i] - 5, 3, 10),
                                       .velocity = {10, 0, 0}});
        world_finish(&w);
        bench b = bench_open(&w, *state), out = bench_open(&w, *state);
        run_in_place_and_out(&b, &out, 60);
        // Floats resolve 4 um of a way of 10 m in steps of 0.17 m.
        assert_near(bench_body(&b, ball)->position.x, PLACES[i] + 5, 1e-5);
        assert_near(bench_body(&b, ball)->position.z, 10 - 9.81 / 2, 1e-4);
        bench_close(&b);
        bench_close(&out);
        world_free(&w);
    }
}

// It comes back from a wall that stands anywhere, along a floor.
static void test_bounce_at_any_place(void **state)
{
    for (int i = 0; i < PLACE_COUNT; i++) {
        world w = world_make();
        int lively = world_material(&w, 0, 0, 1);
        world_add(&w, plane_of(), 0, (cr_body){0});
        world_add(&w, box_of(1, 2, 2), lively, (cr_body){.pose = pose_at(PLACES[i] + 1.5, 0, 0)});
        int ball = world_add(&w, sphere_of(0.02), lively,
                             (cr_body){.kind = CR_KIND_PASSIVE,
                                       .mass = 0.05,
                                       .pose = pose_at(PLACES[i] - 1.02, 0, 0.02),
                                       .velocity = {4, 0, 0}});
        world_finish(&w);
        bench b = bench_open(&w, *state), out = bench_open(&w, *state);
        run_in_place_and_out(&b, &out, 60);
        // 2 m to the wall and 2 m back.
        assert_near(bench_body(&b, ball)->position.x, PLACES[i] - 1.02, 1e-3);
        assert_near(bench_body(&b, ball)->velocity.x, -4, 1e-3);
        bench_close(&b);
        bench_close(&out);
        world_free(&w);
    }
}

// Two robots on a slab as wide as both, with eight points each: one is pushed, one is left alone.
static void test_robots_drive_on_a_slab(void **state)
{
    for (int i = 0; i < PLACE_COUNT; i++) {
        world w = world_make();
        cr_vec2 outline[ROBOT_POINTS];
        int rough = world_material(&w, 0.3, 0.3, 0.3);
        world_add(&w, box_of(4, 4, 0.1), rough, (cr_body){.pose = pose_at(PLACES[i], 0, -0.05)});
        int robots[2];
        for (int k = 0; k < 2; k++) {
            robots[k] = world_add(&w, prism_of(robot_outline(outline), ROBOT_POINTS, 0.15), rough,
                                  (cr_body){.kind = CR_KIND_CONTROLLED,
                                            .upright = true,
                                            .mass = 2.5,
                                            .pose = pose_at(PLACES[i], k, 0.075)});
        }
        world_finish(&w);
        bench b = bench_open(&w, *state), out = bench_open(&w, *state);
        cr_vec3 start = bench_body(&b, robots[1])->position;
        double from = bench_body(&b, robots[0])->position.x;
        bench_action(&b, robots[0])->force.x = 2.5;
        run_in_place_and_out(&b, &out, 60);
        assert_near(bench_body(&b, robots[0])->position.x, from + 0.5, 1e-3);
        assert_near(bench_body(&b, robots[1])->position.x, start.x, 1e-9);
        assert_non_null(bench_contact(&b, 0, robots[0]));
        bench_close(&b);
        bench_close(&out);
        world_free(&w);
    }
}

// More neighbours than any heap has: none is lost, and nobody dies of them.
static void test_many_tiles_carry_a_slab(void **state)
{
    enum { SIDE = 12 };
    world w = world_make();
    for (int i = 0; i < SIDE * SIDE; i++) {
        double x = 0.1 * (i % SIDE) - 0.55, y = 0.1 * (i / SIDE) - 0.55; // NOLINT: whole rows
        world_add(&w, box_of(0.099, 0.099, 0.1), 0, (cr_body){.pose = pose_at(x, y, -0.05)});
    }
    int slab =
        world_add(&w, box_of(1.19, 1.19, 0.05), 0,
                  (cr_body){.kind = CR_KIND_PASSIVE, .mass = 1, .pose = pose_at(0, 0, 0.025)});
    world_finish(&w);
    bench b = bench_open(&w, *state);
    bench_run(&b, 4);
    assert_int_equal(b.contact_count, SIDE * SIDE);
    assert_near(bench_body(&b, slab)->position.z, 0.025, 1e-4);
    bench_close(&b);
    world_free(&w);
}

int main(void)
{
    struct CMUnitTest tests[] = {
        cmocka_unit_test(test_flight_crosses_any_place),
        cmocka_unit_test(test_bounce_at_any_place),
        cmocka_unit_test(test_robots_drive_on_a_slab),
        cmocka_unit_test(test_many_tiles_carry_a_slab),
    };
    return RUN_FOR_ENGINES(tests);
}
