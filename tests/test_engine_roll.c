// Conformance of engines: rolling and spinning resistance of balls, and friction with a grain.
#include "engines.h"

static const double G = 9.81;

// A floor and a ball on it, with the given resistances.
static int make_table(world *w, double rolling, double spinning, cr_body ball)
{
    int m = world_material(w, 0.2, 0.2, 0.5);
    w->materials[m].rolling = rolling;
    w->materials[m].spinning = spinning;
    world_add(w, plane_of(), m, (cr_body){0});
    ball.kind = CR_KIND_PASSIVE;
    ball.mass = 0.17;
    ball.pose = pose_at(0, 0, 0.0286);
    int index = world_add(w, sphere_of(0.0286), m, ball);
    world_finish(w);
    return index;
}

// A ball that rolls slows by rolling * g, keeps rolling, and stops for good.
static void rolling_slows_by_coefficient_times_g(void **state)
{
    const double v = 1, rolling = 0.05, r = 0.0286;
    world w = world_make();
    int ball = make_table(
        &w, rolling, 0,
        (cr_body){.velocity = {0.6 * v, 0.8 * v, 0}, .spin = {-0.8 * v / r, 0.6 * v / r, 0}});
    bench b = bench_open(&w, *state);
    const cr_body_state *s = bench_body(&b, ball);
    for (int i = 1; i <= 60; i++) {
        bench_run(&b, 1);
        double speed = v - rolling * G * i / 60;
        assert_near(cri_length(s->velocity), speed, 4e-3); // a substep late: rolling g / 240
        assert_near(cri_length(s->spin) * r, speed, 8e-3);
    }
    bench_run(&b, 90); // at rest after 2.04 s
    assert_near(cri_length(s->velocity), 0, 1e-6);
    double way = cri_length(cri_vec3(s->position.x, s->position.y, 0));
    assert_near(way, v * v / (2 * rolling * G), 0.01);
    assert_near(0.8 * s->position.x - 0.6 * s->position.y, 0, 1e-6); // straight
    cr_vec3 rest = s->position;
    bench_run(&b, 60);
    assert_near(cri_length(cri_sub(s->position, rest)), 0, 1e-6);
    bench_close(&b);
    world_free(&w);
}

// A ball that spins on the spot loses 5/2 spinning g / r each second and does not move.
static void spinning_slows_about_the_normal_only(void **state)
{
    const double spinning = 0.0127, r = 0.0286, rate = 2.5 * spinning * G / r; // 10.9 rad/s2
    world w = world_make();
    int ball = make_table(&w, 0, spinning, (cr_body){.spin = {0, 0, 20}});
    bench b = bench_open(&w, *state);
    const cr_body_state *s = bench_body(&b, ball);
    bench_run(&b, 60);
    assert_near(s->spin.z, 20 - rate, 0.01 * rate);
    assert_near(cri_length(s->velocity), 0, 1e-6);
    bench_run(&b, 60);
    assert_near(s->spin.z, 0, 1e-6);
    bench_close(&b);
    world_free(&w);
}

static void no_resistance_by_default(void **state)
{
    world w = world_make();
    int ball = make_table(&w, 0, 0, (cr_body){.velocity = {1, 0, 0}, .spin = {0, 1 / 0.0286, 5}});
    bench b = bench_open(&w, *state);
    bench_run(&b, 120);
    assert_near(bench_body(&b, ball)->velocity.x, 1, 1e-5);
    assert_near(bench_body(&b, ball)->spin.z, 5, 1e-5);
    bench_close(&b);
    world_free(&w);
}

// A slab launched on a floor whose grain runs along x.
static double slide_on_grain(const cr_engine_type *type, cr_vec3 velocity)
{
    world w = world_make();
    int plain = world_material(&w, 0.4, 0.4, 0), grained = world_material(&w, 0.4, 0.4, 0);
    w.materials[grained].grain = cri_vec3(1, 0, 0);
    w.materials[grained].grain_friction = 0.0;
    world_add(&w, plane_of(), grained, (cr_body){0});
    int slab = world_add(&w, box_of(0.2, 0.2, 0.02), plain,
                         (cr_body){.kind = CR_KIND_PASSIVE,
                                   .mass = 0.5,
                                   .pose = pose_at(0, 0, 0.01),
                                   .velocity = velocity});
    world_finish(&w);
    bench b = bench_open(&w, type);
    bench_run(&b, 15);
    double speed = cri_length(bench_body(&b, slab)->velocity);
    bench_close(&b);
    world_free(&w);
    return speed;
}

// Along the grain the mean of 0 and 0.4 holds, across it 0.4.
static void grain_has_its_own_friction(void **state)
{
    assert_near(slide_on_grain(*state, cri_vec3(2, 0, 0)), 2 - 0.2 * G * 0.25, 0.01);
    assert_near(slide_on_grain(*state, cri_vec3(-2, 0, 0)), 2 - 0.2 * G * 0.25, 0.01);
    assert_near(slide_on_grain(*state, cri_vec3(0, 2, 0)), 2 - 0.4 * G * 0.25, 0.01);
}

int main(void)
{
    struct CMUnitTest tests[] = {
        cmocka_unit_test(rolling_slows_by_coefficient_times_g),
        cmocka_unit_test(spinning_slows_about_the_normal_only),
        cmocka_unit_test(no_resistance_by_default),
        cmocka_unit_test(grain_has_its_own_friction),
    };
    return RUN_FOR_ENGINES(tests);
}
