// Conformance of engines: impacts against closed forms, and nothing passes through anything.
#include "engines.h"

// ---------------------------------------------------------------------------------------------
// Two spheres.

typedef struct impact {
    double mass_a, mass_b, restitution, speed, offset; // offset: of the centers across the motion
} impact;

// Ball a flies along x at ball b; returns with both after the impact.
static void strike(const cr_engine_type *type, impact i, cr_body_state out[2], double *impulse)
{
    const double r = 0.02;
    world w = world_make();
    w.model.gravity = cri_vec3(0, 0, 0);
    int m = world_material(&w, 0, 0, i.restitution);
    int a = world_add(&w, sphere_of(r), m,
                      (cr_body){.kind = CR_KIND_PASSIVE,
                                .mass = i.mass_a,
                                .pose = pose_at(-0.1, 0, 0),
                                .velocity = {i.speed, 0, 0}});
    int b = world_add(
        &w, sphere_of(r), m,
        (cr_body){.kind = CR_KIND_PASSIVE, .mass = i.mass_b, .pose = pose_at(0, i.offset, 0)});
    world_finish(&w);
    bench run = bench_open(&w, type);
    *impulse = 0;
    for (int k = 0; k < 40; k++) {
        bench_run(&run, 1);
        const cr_contact *c = bench_contact(&run, a, b);
        *impulse += c ? c->impulse : 0;
    }
    out[0] = *bench_body(&run, a);
    out[1] = *bench_body(&run, b);
    bench_close(&run);
    world_free(&w);
}

static void check_strike(const cr_engine_type *type, impact i)
{
    cr_body_state s[2];
    double impulse;
    strike(type, i, s, &impulse);
    double sine = i.offset / 0.04, cosine = sqrt(1 - sine * sine);
    double j = (1 + i.restitution) * i.speed * cosine / (1 / i.mass_a + 1 / i.mass_b);
    // The impact may be seen 0.01 mm early, which turns the normal by 0.01 / 40 tan(angle), at most
    // 3e-4.
    double a_tolerance = 1e-3 * j / i.mass_a, b_tolerance = 1e-3 * j / i.mass_b;
    assert_near(s[0].velocity.x, i.speed - j * cosine / i.mass_a, a_tolerance);
    assert_near(s[0].velocity.y, -j * sine / i.mass_a, a_tolerance);
    assert_near(s[1].velocity.x, j * cosine / i.mass_b, b_tolerance);
    assert_near(s[1].velocity.y, j * sine / i.mass_b, b_tolerance);
    assert_near(impulse, j, 1e-3 * j);
    // Momentum is kept to rounding.
    assert_near(i.mass_a * s[0].velocity.x + i.mass_b * s[1].velocity.x, i.mass_a * i.speed, 1e-12);
    assert_near(i.mass_a * s[0].velocity.y + i.mass_b * s[1].velocity.y, 0, 1e-12);
}

static void test_spheres_collide(void **state)
{
    const double restitutions[] = {0, 0.3, 0.84, 1}, ratios[] = {0.1, 1, 10};
    const double offsets[] = {0, 0.01, 0.03}, speeds[] = {0.2, 1, 6};
    for (int k = 0; k < 4 * 3 * 3 * 3; k++) {
        check_strike(*state, (impact){.mass_a = 0.05,
                                      .mass_b = 0.05 * ratios[k % 3],
                                      .restitution = restitutions[k / 27],
                                      .offset = offsets[k / 3 % 3],
                                      .speed = speeds[k / 9 % 3]});
    }
}

// A row of balls that do not touch, 0.02 to 0.6 mm apart: each impact is over before the next
// begins. Of a speed v a ball hands on v (1 + e) / 2 and keeps v (1 - e) / 2.
static void check_row(const cr_engine_type *type, double gap, double speed)
{
    enum { BALLS = 6 };
    const double r = 0.028, e = 0.95;
    world w = world_make();
    w.model.gravity = cri_vec3(0, 0, 0);
    int m = world_material(&w, 0, 0, e), balls[BALLS];
    for (int i = 0; i < BALLS; i++) {
        double x = i == 0 ? -0.1 : (i - 1) * (2 * r + gap);
        cr_body ball = {.kind = CR_KIND_PASSIVE, .mass = 0.17, .pose = pose_at(x, 0, 0)};
        ball.velocity.x = i == 0 ? speed : 0;
        balls[i] = world_add(&w, sphere_of(r), m, ball);
    }
    world_finish(&w);
    bench run = bench_open(&w, type);
    bench_run(&run, (int)(60 * 0.1 / speed) + 2);
    // Those behind meet again later and slower; the first of them is away.
    double away = speed;
    for (int i = 1; i < BALLS; i++) {
        away *= (1 + e) / 2;
    }
    assert_near(bench_body(&run, balls[BALLS - 1])->velocity.x, away, 1e-4 * speed);
    double sum = 0;
    for (int i = 0; i < BALLS; i++) {
        double v = bench_body(&run, balls[i])->velocity.x;
        assert_true(v >= -1e-6 * speed);
        sum += v;
    }
    assert_near(sum, speed, 1e-5 * speed);
    bench_close(&run);
    world_free(&w);
}

static void test_row_of_spheres(void **state)
{
    const double gaps[] = {2e-5, 1e-4, 4e-4, 6e-4}, speeds[] = {1, 4, 10};
    for (int k = 0; k < 4 * 3; k++) {
        check_row(*state, gaps[k % 4], speeds[k / 4]);
    }
}

// ---------------------------------------------------------------------------------------------
// A sphere against a board, with friction.

typedef struct bounce {
    double along, against; // speeds along the board and into it
    double spin;           // about the axis that rolls along
    double friction, restitution, heading;
} bounce;

// Closed form: the normal impulse is m (1 + e) v; friction is mu times that, but stops when the
// surface of the ball no longer slips, which takes 2/7 of the slip.
static void check_bounce(const cr_engine_type *type, bounce b)
{
    const double r = 0.0215, m = 0.046;
    world w = world_make();
    w.model.gravity = cri_vec3(0, 0, 0);
    int material = world_material(&w, b.friction, b.friction, b.restitution);
    cr_vec3 along = {cri_cos(b.heading), cri_sin(b.heading), 0}, side = {-along.y, along.x, 0};
    int board =
        world_add(&w, box_of(4, 4, 0.02), material, (cr_body){.pose = pose_at(0, 0, -0.01)});
    cr_vec3 velocity = cri_mad(cri_vec3(0, 0, -b.against), b.along, along);
    int ball = world_add(&w, sphere_of(r), material,
                         (cr_body){.kind = CR_KIND_PASSIVE,
                                   .mass = m,
                                   .pose = pose_at(0, 0, 0.1),
                                   .velocity = velocity,
                                   .spin = cri_scale(b.spin, side)});
    world_finish(&w);
    bench run = bench_open(&w, type);
    double impulse = 0;
    for (int i = 0; i < 30; i++) {
        bench_run(&run, 1);
        const cr_contact *c = bench_contact(&run, board, ball);
        impulse += c ? c->impulse : 0;
    }
    const cr_body_state *s = bench_body(&run, ball);
    double slip = b.along - b.spin * r, most = b.friction * (1 + b.restitution) * b.against;
    double change = cri_clamp(slip * 2 / 7, -most, most);
    // Exact for one impact but for the solver's softness, 1e-7 of its impulse.
    double tolerance = 1e-5;
    assert_near(cri_dot(s->velocity, along), b.along - change, tolerance);
    assert_near(cri_dot(s->velocity, side), 0, tolerance);
    assert_near(s->velocity.z, b.restitution * b.against, tolerance);
    assert_near(cri_dot(s->spin, side), b.spin + 2.5 * change / r, tolerance / r);
    assert_near(impulse, m * (1 + b.restitution) * b.against, m * tolerance);
    bench_close(&run);
    world_free(&w);
}

static void test_bounce_with_friction(void **state)
{
    const double slips[] = {0, 0.5, 4}, spins[] = {0, 60, -200}, frictions[] = {0.05, 0.2, 1};
    for (int k = 0; k < 3 * 3 * 3 * 2; k++) {
        check_bounce(*state, (bounce){.along = slips[k % 3],
                                      .against = k % 2 ? 1 : 3,
                                      .spin = spins[k / 3 % 3],
                                      .friction = frictions[k / 9 % 3],
                                      .restitution = k / 27 ? 0.84 : 0.4,
                                      .heading = 0.3 * k});
    }
}

// Dropped on the floor, a ball comes back to e^2 of its height.
static void test_bounce_height(void **state)
{
    const double r = 0.02, drop = 0.5;
    world w = world_make();
    int material = world_material(&w, 0.3, 0.3, 0.8);
    world_add(&w, plane_of(), material, (cr_body){0});
    int ball = world_add(
        &w, sphere_of(r), material,
        (cr_body){.kind = CR_KIND_PASSIVE, .mass = 0.05, .pose = pose_at(0, 0, r + drop)});
    world_finish(&w);
    bench b = bench_open(&w, *state);
    bench_run(&b, 22); // past the impact at 0.319 s
    double highest = 0;
    for (int i = 0; i < 28; i++) { // to 0.83 s; the top is at 0.575 s
        bench_run(&b, 1);
        highest = fmax(highest, bench_body(&b, ball)->position.z - r);
    }
    // Between two steps the top can be missed by g dt^2 / 8 = 0.34 mm, and in the rest of the
    // substep of the impact g h^2 / 2 = 0.09 mm are lost.
    assert_near(highest, 0.64 * drop, 5e-4);
    bench_run(&b, 600);
    // At rest for good, neither sunk nor hovering.
    assert_near(bench_body(&b, ball)->position.z, r, 2e-5);
    assert_near(cri_length(bench_body(&b, ball)->velocity), 0, 1e-6);
    bench_close(&b);
    world_free(&w);
}

// ---------------------------------------------------------------------------------------------
// Nothing passes through.

static void test_fast_ball_does_not_tunnel(void **state)
{
    world w = world_make();
    int m = world_material(&w, 0.2, 0.2, 0.5);
    w.model.gravity = cri_vec3(0, 0, 0);
    int ball = world_add(&w, sphere_of(0.0215), m,
                         (cr_body){.kind = CR_KIND_PASSIVE, .mass = 0.046, .velocity = {15, 0, 0}});
    world_add(&w, box_of(0.02, 1, 1), m, (cr_body){.pose = pose_at(1, 0, 0)});
    world_finish(&w);
    bench b = bench_open(&w, *state);
    for (int i = 0; i < 1000; i++) {
        cr_state_start(b.model, b.state);
        bench_body(&b, ball)->position.x = 0.25 * i / 1000; // a step is 0.25 m
        bench_run(&b, 6);
        const cr_body_state *s = bench_body(&b, ball);
        assert_near(s->velocity.x, -7.5, 1e-5);
        assert_true(s->position.x < 1 - 0.01 - 0.0215);
    }
    bench_close(&b);
    world_free(&w);
}

// The same for two parts of one body and from an angle, with the floor below.
static void test_fast_ball_stays_in_a_corner(void **state)
{
    world w = world_make();
    int m = world_material(&w, 0.2, 0.2, 0.9);
    world_add(&w, plane_of(), m, (cr_body){0});
    const double walls[4][4] = {
        {1, 0, 0.02, 2}, {-1, 0, 0.02, 2}, {0, 1, 2, 0.02}, {0, -1, 2, 0.02}};
    for (int i = 0; i < 4; i++) {
        world_add(&w, box_of(walls[i][2], walls[i][3], 1), m,
                  (cr_body){.pose = pose_at(walls[i][0], walls[i][1], 0.5)});
    }
    int ball =
        world_add(&w, sphere_of(0.0215), m,
                  (cr_body){.kind = CR_KIND_PASSIVE, .mass = 0.046, .pose = pose_at(0, 0, 0.0215)});
    world_finish(&w);
    bench b = bench_open(&w, *state);
    for (int i = 0; i < 60; i++) {
        double angle = 2 * CRI_PI * i / 60 + 0.01;
        cr_state_start(b.model, b.state);
        bench_body(&b, ball)->velocity = cri_vec3(14 * cri_cos(angle), 14 * cri_sin(angle), -1);
        for (int k = 0; k < 60; k++) {
            bench_run(&b, 1);
            cr_vec3 p = bench_body(&b, ball)->position;
            // A hundredth of a millimetre of overlap is allowed, a wall's thickness is not.
            assert_true(fabs(p.x) < 0.99 - 0.0215 + 1e-4 && fabs(p.y) < 0.99 - 0.0215 + 1e-4);
            assert_true(p.z > 0.0215 - 1e-4);
        }
    }
    bench_close(&b);
    world_free(&w);
}

static void test_turning_bar_lets_nothing_through(void **state)
{
    const double half = 0.5, r = 0.0215;
    world w = world_make();
    int m = world_material(&w, 0.2, 0.2, 0.6);
    w.model.gravity = cri_vec3(0, 0, 0);
    int ball = world_add(&w, sphere_of(r), m, (cr_body){.kind = CR_KIND_PASSIVE, .mass = 0.046});
    int bar = world_add(&w, box_of(2 * half, 0.01, 0.1), m,
                        (cr_body){.kind = CR_KIND_FOREIGN, .driven = true});
    world_finish(&w);
    bench b = bench_open(&w, *state);
    bench_action(&b, bar)->spin.z = 15;
    int hits = 0;
    for (int i = 0; i < 200; i++) {
        double angle = 2 * CRI_PI * i / 200, aim = 0.35 * cri_sin(7.0 * i);
        cr_state_start(b.model, b.state);
        cr_vec3 from = {cri_cos(angle), cri_sin(angle), 0}, side = {-from.y, from.x, 0};
        bench_body(&b, ball)->position = cri_mad(cri_scale(0.8, from), aim, side);
        bench_body(&b, ball)->velocity = cri_scale(-15, from);
        cr_vec3 last = {0, 0, 0};
        for (int k = 0; k < 12; k++) {
            bench_run(&b, 1);
            hits += b.contact_count;
            cr_body_state *s = bench_body(&b, bar);
            cr_vec3 p =
                cri_pose_local((cr_pose){s->position, s->rotation}, bench_body(&b, ball)->position);
            bool beside = fabs(p.x) < half - 0.3 && fabs(last.x) < half - 0.3;
            // From one side to the other in one step, without going round an end: in a step the
            // ball goes 0.25 m and the bar's end as much.
            assert_false(k > 0 && beside && p.y * last.y < 0);
            // Nor into it: a ball that slides outwards at 5 m/s needs 150 m/s2, which is 1.3 mm a
            // substep that only the next one sees.
            assert_false(fabs(p.x) < half - 0.01 && fabs(p.y) < 0.005 + r / 2);
            last = p;
        }
    }
    assert_true(hits > 100);
    bench_close(&b);
    world_free(&w);
}

// Fast boxes have no sweep, but are seen coming.
static void test_boxes_stop_at_walls(void **state)
{
    world w = world_make();
    int m = world_material(&w, 0.2, 0.2, 0);
    w.model.gravity = cri_vec3(0, 0, 0);
    int box = world_add(&w, box_of(0.1, 0.1, 0.1), m,
                        (cr_body){.kind = CR_KIND_PASSIVE, .mass = 1, .velocity = {4, 0, 0}});
    world_add(&w, box_of(0.1, 1, 1), m, (cr_body){.pose = pose_at(0.5, 0, 0)});
    world_finish(&w);
    bench b = bench_open(&w, *state);
    for (int i = 0; i < 50; i++) {
        cr_state_start(b.model, b.state);
        bench_body(&b, box)->position.x = 0.0013 * i;
        for (int k = 0; k < 20; k++) {
            bench_run(&b, 1);
            assert_true(bench_body(&b, box)->position.x < 0.4 + 1e-6);
        }
        assert_near(bench_body(&b, box)->position.x, 0.4, 1e-4);
        assert_near(cri_length(bench_body(&b, box)->velocity), 0, 1e-5);
    }
    bench_close(&b);
    world_free(&w);
}

// ---------------------------------------------------------------------------------------------
// Robots and bars.

// A golf ball hits the flat front of an upright robot, `offset` beside its middle.
static void check_robot(const cr_engine_type *type, double offset, double restitution)
{
    const double mass = 2.5, m = 0.046, v = 6;
    cr_vec2 outline[ROBOT_POINTS];
    world w = world_make();
    int smooth = world_material(&w, 0, 0, restitution);
    world_add(&w, plane_of(), smooth, (cr_body){0});
    int robot = world_add(&w, prism_of(robot_outline(outline), ROBOT_POINTS, 0.15), smooth,
                          (cr_body){.kind = CR_KIND_CONTROLLED,
                                    .upright = true,
                                    .mass = mass,
                                    .pose = pose_at(0, 0, 0.08)});
    int ball = world_add(&w, sphere_of(0.0215), smooth,
                         (cr_body){.kind = CR_KIND_PASSIVE,
                                   .mass = m,
                                   .pose = pose_at(0.4, offset, 0.0215),
                                   .velocity = {-v, 0, 0}});
    world_finish(&w);
    bench b = bench_open(&w, type);
    bench_run(&b, 12);
    const cr_body_state *s = bench_body(&b, robot), *g = bench_body(&b, ball);
    double inertia = w.bodies[robot].inertia.z;
    double j = (1 + restitution) * v / (1 / m + 1 / mass + offset * offset / inertia);
    // One impact, exact but for the solver's softness.
    assert_near(s->velocity.x, -j / mass, 1e-6);
    assert_near(s->velocity.y, 0, 1e-9);
    assert_near(s->spin.z, offset * j / inertia, 1e-5);
    assert_near(g->velocity.x, j / m - v, 1e-5);
    // Upright is exact.
    assert_near(s->position.z, 0.08, 0);
    assert_near(s->velocity.z, 0, 0);
    assert_near(fabs(s->spin.x) + fabs(s->spin.y), 0, 0);
    assert_near(fabs(s->rotation.x) + fabs(s->rotation.y), 0, 0);
    bench_close(&b);
    world_free(&w);
}

static void test_robot_hit_by_ball(void **state)
{
    const double offsets[] = {0, 0.02, -0.04}, restitutions[] = {0.1, 0.7};
    for (int i = 0; i < 6; i++) {
        check_robot(*state, offsets[i % 3], restitutions[i / 3]);
    }
}

static void test_robots_collide(void **state)
{
    cr_vec2 outline[ROBOT_POINTS];
    world w = world_make();
    int m = world_material(&w, 0.3, 0.3, 0.2);
    cr_shape shape = prism_of(robot_outline(outline), ROBOT_POINTS, 0.15);
    int a = world_add(&w, shape, m,
                      (cr_body){.kind = CR_KIND_CONTROLLED,
                                .upright = true,
                                .mass = 2.5,
                                .pose = pose_at(-0.5, 0, 0.08),
                                .velocity = {2, 0, 0}});
    int b = world_add(
        &w, shape, m,
        (cr_body){
            .kind = CR_KIND_FOREIGN, .upright = true, .mass = 2.5, .pose = pose_at(0, 0, 0.08)});
    world_finish(&w);
    bench run = bench_open(&w, *state);
    bench_run(&run, 40);
    // Front edge against round back: a central impact up to the outline's corners.
    assert_near(bench_body(&run, a)->velocity.x, 0.8, 0.02);
    assert_near(bench_body(&run, b)->velocity.x, 1.2, 0.02);
    bench_close(&run);
    world_free(&w);
}

static void test_driven_bar_pushes_ball(void **state)
{
    const double restitutions[] = {0, 0.5};
    for (int i = 0; i < 2; i++) {
        world w = world_make();
        int m = world_material(&w, 0, 0, restitutions[i]);
        world_add(&w, plane_of(), m, (cr_body){0});
        int ball = world_add(
            &w, sphere_of(0.02), m,
            (cr_body){.kind = CR_KIND_PASSIVE, .mass = 0.05, .pose = pose_at(0.2, 0, 0.02)});
        int bar = world_add(
            &w, box_of(0.02, 1, 0.1), m,
            (cr_body){.kind = CR_KIND_FOREIGN, .driven = true, .pose = pose_at(0, 0, 0.06)});
        world_finish(&w);
        bench b = bench_open(&w, *state);
        bench_action(&b, bar)->velocity.x = 1;
        bench_run(&b, 60);
        assert_near(bench_body(&b, ball)->velocity.x, 1 + restitutions[i], 1e-5);
        assert_near(bench_body(&b, ball)->velocity.y, 0, 1e-9);
        assert_near(bench_body(&b, bar)->position.x, 1, 1e-12);
        bench_close(&b);
        world_free(&w);
    }
}

// A moving surface drags with friction: a ball on a driven belt rolls up to 2/7 of its speed.
static void test_driven_belt_drags_ball(void **state)
{
    world w = world_make();
    int m = world_material(&w, 0.5, 0.5, 0);
    int belt =
        world_add(&w, box_of(8, 1, 0.1), m,
                  (cr_body){.kind = CR_KIND_FOREIGN, .driven = true, .pose = pose_at(0, 0, -0.05)});
    int ball =
        world_add(&w, sphere_of(0.02), m,
                  (cr_body){.kind = CR_KIND_PASSIVE, .mass = 0.05, .pose = pose_at(0, 0, 0.02)});
    world_finish(&w);
    bench b = bench_open(&w, *state);
    bench_action(&b, belt)->velocity.x = 1;
    bench_run(&b, 60);
    assert_near(bench_body(&b, ball)->velocity.x, 2.0 / 7, 1e-4);
    assert_near(bench_body(&b, ball)->spin.y, (2.0 / 7 - 1) / 0.02, 1e-2);
    bench_close(&b);
    world_free(&w);
}

static void test_pushed_foreign_body_reacts(void **state)
{
    world w = world_make();
    int m = world_material(&w, 0, 0, 0);
    int foe = world_add(
        &w, cylinder_of(0.09, 0.15), m,
        (cr_body){
            .kind = CR_KIND_FOREIGN, .upright = true, .mass = 2, .pose = pose_at(0, 0, 0.08)});
    world_add(&w, box_of(0.1, 1, 0.3), m, (cr_body){.pose = pose_at(0.5, 0, 0.15)});
    world_finish(&w);
    bench b = bench_open(&w, *state);
    bench_action(&b, foe)->force.x = 4;
    bench_run(&b, 30);
    assert_near(bench_body(&b, foe)->velocity.x, 1, 1e-9);
    bench_run(&b, 60);
    // Stopped by the wall, still pressing.
    assert_near(bench_body(&b, foe)->velocity.x, 0, 1e-6);
    assert_near(bench_body(&b, foe)->position.x, 0.45 - 0.09, 2e-5);
    assert_near(bench_contact(&b, foe, foe + 1)->impulse, 4.0 / 60, 1e-6);
    bench_close(&b);
    world_free(&w);
}

// Boxes and cylinders that meet face to face, one of them at rest, wherever in a substep
// they meet: v1' = (1 - e) v / 2, v2' = (1 + e) v / 2.
static void test_free_bodies_bounce(void **state)
{
    const double v = 2, e = 0.6;
    const cr_shape shapes[] = {box_of(0.1, 0.1, 0.2), cylinder_of(0.05, 0.38)};
    for (int k = 0; k < 32; k++) {
        world w = world_make();
        w.model.gravity = cri_vec3(0, 0, 0);
        w.model.substeps = k < 16 ? 4 : 16;
        int m = world_material(&w, 0, 0, e);
        cr_body one = {.kind = CR_KIND_PASSIVE, .mass = 1.5, .velocity = {v, 0, 0}}, two = one;
        two.velocity = cri_vec3(0, 0, 0);
        two.pose = pose_at(0.15 + 0.00123 * (k % 16), 0, 0);
        one.pose = pose_at(0, 0, 0);
        int a = world_add(&w, shapes[k % 2], m, one), b = world_add(&w, shapes[k % 2], m, two);
        world_finish(&w);
        bench run = bench_open(&w, *state);
        bench_run(&run, 8);
        assert_near(bench_body(&run, a)->velocity.x, (1 - e) * v / 2, 1e-3);
        assert_near(bench_body(&run, b)->velocity.x, (1 + e) * v / 2, 1e-3);
        assert_near(cri_length(bench_body(&run, b)->spin), 0, 1e-3);
        bench_close(&run);
        world_free(&w);
    }
}

int main(void)
{
    struct CMUnitTest tests[] = {
        cmocka_unit_test(test_spheres_collide),
        cmocka_unit_test(test_row_of_spheres),
        cmocka_unit_test(test_bounce_with_friction),
        cmocka_unit_test(test_bounce_height),
        cmocka_unit_test(test_fast_ball_does_not_tunnel),
        cmocka_unit_test(test_fast_ball_stays_in_a_corner),
        cmocka_unit_test(test_turning_bar_lets_nothing_through),
        cmocka_unit_test(test_boxes_stop_at_walls),
        cmocka_unit_test(test_robot_hit_by_ball),
        cmocka_unit_test(test_robots_collide),
        cmocka_unit_test(test_driven_bar_pushes_ball),
        cmocka_unit_test(test_driven_belt_drags_ball),
        cmocka_unit_test(test_pushed_foreign_body_reacts),
        cmocka_unit_test(test_free_bodies_bounce),
    };
    return RUN_FOR_ENGINES(tests);
}
