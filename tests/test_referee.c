// The referee (bench/bare_ode.h) is worth believing: what it says of single bodies agrees with
// closed forms. Tolerances are those of ODE's substeps: it meets overlaps and pushes them out.
#include "bare_ode.h"
#include "scenes.h"
#include "world.h"

static void step_all(bench *b, int steps)
{
    for (int i = 0; i < steps; i++) {
        bench_step(b);
        assert_true(b->alive);
    }
}

static cr_body free_body(double mass, cr_pose pose)
{
    return (cr_body){.kind = CR_KIND_PASSIVE, .mass = mass, .pose = pose};
}

// Semi-implicit Euler: z = -g h^2 n (n + 1) / 2.
static void things_fall(void **state)
{
    world w = world_make();
    int ball = world_add(&w, sphere_of(0.1), 0, free_body(1, pose_at(0, 0, 10)));
    world_finish(&w);
    bench b = bench_open(&w, *state);
    step_all(&b, 60);
    assert_near(bench_body(&b, ball)->position.z, 10 - 9.81 * 240.0 * 241 / 2 / (240 * 240), 1e-9);
    bench_close(&b);
    world_free(&w);
}

// Every shape comes to rest at its half height: planes, hulls and cylinders are where they should
// be, and turned planes too.
static void shapes_lie_on_planes(void **state)
{
    static const cr_vec2 outline[] = {{0.1, 0.1}, {-0.1, 0.1}, {-0.1, -0.1}, {0.1, -0.1}};
    cr_hull hull;
    const cr_shape shapes[] = {sphere_of(0.1), box_of(0.2, 0.3, 0.2), cylinder_of(0.1, 0.2),
                               prism_of(outline, 4, 0.2), box_hull_of(0.2, 0.3, 0.2, &hull)};
    for (size_t i = 0; i < sizeof shapes / sizeof *shapes; i++) {
        world w = world_make();
        int m = world_material(&w, 0.5, 0.5, 0);
        world_add(&w, plane_of(), m, (cr_body){0});
        // A second plane at a right angle, behind x = -0.5.
        world_add(
            &w, plane_of(), m,
            (cr_body){.pose = {{-0.5, 0, 0}, {0, 0.70710678118654757, 0, 0.70710678118654757}}});
        int body = world_add(&w, shapes[i], m, free_body(1, pose_at(0, 0, 0.12)));
        world_finish(&w);
        bench b = bench_open(&w, *state);
        step_all(&b, 120);
        assert_near(bench_body(&b, body)->position.z, 0.1, 1e-3);
        assert_near(cri_length(bench_body(&b, body)->velocity), 0, 1e-3);
        bench_body(&b, body)->velocity = cri_vec3(-4, 0, 0);
        step_all(&b, 60);
        assert_true(bench_body(&b, body)->position.x > -0.41);
        bench_close(&b);
        world_free(&w);
    }
}

// A box slides v^2 / (2 mu g), straight in any direction.
static void boxes_slide_straight(void **state)
{
    const double v = 2, mu = 0.4, angle = CRI_PI / 8;
    world w = world_make();
    int m = world_material(&w, mu, mu, 0);
    world_add(&w, plane_of(), m, (cr_body){0});
    cr_body body = free_body(1, pose_at(0, 0, 0.025));
    body.velocity = cri_vec3(v * cos(angle), v * sin(angle), 0);
    int box = world_add(&w, box_of(0.2, 0.2, 0.05), m, body);
    world_finish(&w);
    bench b = bench_open(&w, *state);
    step_all(&b, 120);
    cr_vec3 at = bench_body(&b, box)->position;
    assert_near(sqrt(at.x * at.x + at.y * at.y), v * v / (2 * mu * 9.81), 0.02);
    assert_near(atan2(at.y, at.x), angle, 0.01);
    bench_close(&b);
    world_free(&w);
}

// A ball that is struck slides until it rolls, at 5/7 of its speed; one that rolls slows by
// rolling g, in any direction.
static void balls_slide_and_roll(void **state)
{
    const double v = 1.5, g = 9.81, r = 0.028;
    for (int rolls = 0; rolls < 2; rolls++) {
        world w = world_make();
        int m = world_material(&w, 0.2, 0.2, 0);
        w.materials[m].rolling = rolls ? 0.02 : 0;
        world_add(&w, plane_of(), m, (cr_body){0});
        cr_body body = free_body(0.17, pose_at(0, 0, r));
        body.velocity = cri_vec3(v * 0.8, v * 0.6, 0);
        body.spin = rolls ? cri_vec3(-v * 0.6 / r, v * 0.8 / r, 0) : cri_vec3(0, 0, 0);
        int ball = world_add(&w, sphere_of(r), m, body);
        world_finish(&w);
        bench b = bench_open(&w, *state);
        step_all(&b, 120);
        cr_vec3 now = bench_body(&b, ball)->velocity;
        assert_near(cri_length(now), rolls ? v - 2 * 0.02 * g : 5 * v / 7, 0.005);
        assert_near(atan2(now.y, now.x), atan2(0.6, 0.8), 0.005);
        bench_close(&b);
        world_free(&w);
    }
}

// A ball bounces off a hull as off a wall, and momentum is kept: v' = -e v where the other is
// heavy.
static void balls_bounce_off_hulls(void **state)
{
    cr_vec2 points[ROBOT_POINTS];
    world w = world_make();
    w.model.gravity = cri_vec3(0, 0, 0);
    int m = world_material(&w, 0, 0, 0.5);
    int robot = world_add(
        &w, prism_of(robot_outline(points), ROBOT_POINTS, 0.15), m,
        (cr_body){
            .kind = CR_KIND_PASSIVE, .mass = 1, .upright = true, .pose = pose_at(0, 0, 0.075)});
    cr_body body = free_body(0.1, pose_at(0.3, 0, 0.05));
    body.velocity = cri_vec3(-2, 0, 0);
    int ball = world_add(&w, sphere_of(0.02), m, body);
    world_finish(&w);
    bench b = bench_open(&w, *state);
    step_all(&b, 30);
    // v_robot = m (1 + e) v / (m + M), v_ball = v - M (1 + e) v / (m + M)
    assert_near(bench_body(&b, robot)->velocity.x, -0.1 * 1.5 * 2 / 1.1, 1e-3);
    assert_near(bench_body(&b, ball)->velocity.x, -2 + 1 * 1.5 * 2 / 1.1, 1e-3);
    bench_close(&b);
    world_free(&w);
}

// A driven plate carries a box along, moves as it is told, and turns about its axis.
static void driven_bodies_go_their_way(void **state)
{
    world w = world_make();
    int m = world_material(&w, 0.5, 0.5, 0);
    int plate =
        world_add(&w, box_of(1, 1, 0.1), m,
                  (cr_body){.kind = CR_KIND_FOREIGN, .driven = true, .pose = pose_at(0, 0, 0.5)});
    int box = world_add(&w, box_of(0.1, 0.1, 0.1), m, free_body(1, pose_at(0, 0, 0.6)));
    world_finish(&w);
    bench b = bench_open(&w, *state);
    bench_action(&b, plate)->velocity = cri_vec3(0.3, 0, 0);
    bench_action(&b, plate)->spin = cri_vec3(0, 0, 0.5);
    step_all(&b, 60);
    assert_near(bench_body(&b, plate)->position.x, 0.3, 1e-9);
    assert_near(bench_body(&b, plate)->rotation.z, sin(0.25), 1e-9);
    assert_near(bench_body(&b, box)->position.x, 0.3, 0.01);
    assert_near(bench_body(&b, box)->position.z, 0.6, 1e-3);
    bench_close(&b);
    world_free(&w);
}

// Impulses, forces and damping: v = (J / m) exp(-c t); then F / (m c) (1 - exp(-c t)) on top.
static void actions_act(void **state)
{
    world w = world_make();
    w.model.gravity = cri_vec3(0, 0, 0);
    cr_body body = free_body(2, pose_at(0, 0, 1));
    body.linear_damping = 0.5;
    int box = world_add(&w, box_of(0.1, 0.1, 0.1), 0, body);
    world_finish(&w);
    bench b = bench_open(&w, *state);
    bench_action(&b, box)->impulse = cri_vec3(4, 0, 0);
    step_all(&b, 1);
    *bench_action(&b, box) = (cr_action){.force = {0, 1, 0}};
    step_all(&b, 59);
    assert_near(bench_body(&b, box)->velocity.x, 2 * exp(-0.5), 1e-9);
    double held = 59.0 / 60;
    assert_near(bench_body(&b, box)->velocity.y, 1 - exp(-0.5 * held), 2e-3);
    bench_close(&b);
    world_free(&w);
}

// The fastest that a body gets, across z, in so many steps.
static double peak_speed(bench *b, int body, int steps)
{
    double most = 0;
    for (int i = 0; i < steps; i++) {
        step_all(b, 1);
        cr_vec3 v = bench_body(b, body)->velocity;
        most = fmax(most, sqrt(v.x * v.x + v.y * v.y));
    }
    return most;
}

// A world of short steps with a floor, a body on it and a ball of half a kilo that flies at it. The
// three have materials of their own. What the referee is held to here, lanes is held to as well.
typedef struct blow {
    cr_shape shape;
    double floor, body, ball; // friction; that of two is the mean
    cr_vec3 from, velocity;   // of the ball
} blow;

static double speed_after(const cr_engine_type *type, const blow *how, double mass)
{
    world w = world_make();
    w.model.dt = 1.0 / 960;
    w.model.substeps = 1;
    int floor = world_material(&w, how->floor, how->floor, 0.5);
    int own = world_material(&w, how->body, how->body, 0.5);
    int rubber = world_material(&w, how->ball, how->ball, 0.5);
    world_add(&w, plane_of(), floor, (cr_body){0});
    int struck = world_add(&w, how->shape, own, free_body(mass, pose_at(0, 0, how->shape.half.z)));
    cr_body ball = free_body(0.5, pose_at(how->from.x, how->from.y, how->from.z));
    ball.velocity = how->velocity;
    world_add(&w, sphere_of(0.05), rubber, ball);
    world_finish(&w);
    bench b = bench_open(&w, type);
    double speed = peak_speed(&b, struck, 40);
    bench_close(&b);
    world_free(&w);
    return speed;
}

// A ball comes down on a plate, aslant: it presses with N = m (1 + e) v and drags the plate along
// by the friction of the two, and the floor holds it by theirs, against the way it will go, which
// nobody knows before: M V = (friction with the ball - friction with the floor) N in all
// directions. A pyramid about x and y holds by up to 1.41 times as much, and V is 0.26 at 45
// degrees instead of 0.33.
static void blows_meet_cones(void **state)
{
    for (int i = 0; *state == &bare_engine_cones && i < 5; i++) {
        double angle = i * CRI_PI / 8;
        cr_vec3 v = cri_vec3(8 * cos(angle), 8 * sin(angle), -2);
        double down = sqrt(2 * 2 + 2 * 9.81 * 0.04); // when it has fallen so far
        blow how = {box_of(0.6, 0.6, 0.1), 0.1, 0.1, 0.5, .velocity = v};
        how.from = cri_vec3(-0.02 * v.x, -0.02 * v.y, 0.15 + 0.04);
        assert_near(speed_after(*state, &how, 1), (0.3 - 0.1) * 0.5 * 1.5 * down, 0.01);
        assert_near(speed_after(&cri_engine_lanes, &how, 1), (0.3 - 0.1) * 0.5 * 1.5 * down, 0.01);
    }
}

// A ball that strikes the side of a crate and goes down presses it onto the floor, which holds it
// by more than without that: N = (1 + e) v / (1 / m + (1 - floor ball) / M), M V = N (1 - floor
// ball), with the products of the two frictions. dWorldStep bounds friction by the load that there
// is without friction, and has V = 1.2 instead of 1.05.
static void blows_press(void **state)
{
    if (*state == &bare_engine_step) {
        return;
    }
    const double rest = 1 - 0.5 * 0.3, n = 1.5 * 4 / (1 / 0.5 + rest / 2);
    blow how = {box_of(0.4, 0.4, 0.2), 0.8, 0.2, 0.4, .velocity = {4, 0, -9}};
    how.from = cri_vec3(-0.2 - 0.05 - 0.02, 0, 0.1 + 0.045);
    assert_near(speed_after(*state, &how, 2), n * rest / 2, 0.03);
    assert_near(speed_after(&cri_engine_lanes, &how, 2), n * rest / 2, 0.01);
}

// Two bodies without gravity or friction, the first of which flies at the other at 2 m/s along x;
// all of it is turned about z by an angle. The blow goes past their middles by levers, upwards.
typedef struct meeting {
    cr_shape shapes[2];
    double masses[2], levers[2];
    cr_vec3 from;
    cr_quat rotation; // of the second
} meeting;

// After it: how fast they go along, how the second turns about what is level and across, and what
// it does besides.
typedef struct parting {
    double first, second, spin, aside;
} parting;

static world meeting_world(const meeting *how, double angle, int bodies[2])
{
    cr_quat turn = {0, 0, sin(angle / 2), cos(angle / 2)};
    world w = world_make();
    w.model.gravity = cri_vec3(0, 0, 0);
    int m = world_material(&w, 0, 0, 0.6);
    cr_body one = free_body(how->masses[0], (cr_pose){cri_rotate(turn, how->from), turn}), two;
    one.velocity = cri_rotate(turn, cri_vec3(2, 0, 0));
    two = free_body(how->masses[1], (cr_pose){{0, 0, 0}, cri_quat_mul(turn, how->rotation)});
    bodies[0] = world_add(&w, how->shapes[0], m, one);
    bodies[1] = world_add(&w, how->shapes[1], m, two);
    world_finish(&w);
    return w;
}

static parting part(const cr_engine_type *type, const meeting *how, double angle)
{
    int bodies[2];
    world w = meeting_world(how, angle, bodies);
    bench b = bench_open(&w, type);
    step_all(&b, 6);
    const cr_body_state *one = bench_body(&b, bodies[0]), *two = bench_body(&b, bodies[1]);
    cr_vec3 along = cri_vec3(cos(angle), sin(angle), 0), across = cri_vec3(-along.y, along.x, 0);
    parting p = {cri_dot(one->velocity, along), cri_dot(two->velocity, along),
                 cri_dot(two->spin, across), 0};
    p.aside = fmax(cri_length(cri_mad(two->velocity, -p.second, along)),
                   0.1 * cri_length(cri_mad(two->spin, -p.spin, across)));
    bench_close(&b);
    world_free(&w);
    return p;
}

static double pin_inertia(double mass)
{
    return mass * (3 * 0.05 * 0.05 + 0.38 * 0.38) / 12; // about what is across its axis
}

// J = (1 + e) v / (1 / m + 1 / M + l^2 / I + L^2 / I'). ODE's cylinders touch in one point at an
// end of their line: with that alone they part with 0.47 of their speed, and turn.
static void cylinders_part(void **state)
{
    const cr_shape pin = cylinder_of(0.05, 0.38), plate = box_of(0.1, 0.5, 0.5);
    const cr_quat upright = {0, 0, 0, 1}, aslant = {sin(0.5), 0, 0, cos(0.5)};
    const cr_quat level = {sqrt(0.5), 0, 0, sqrt(0.5)}, ahead = {0, sqrt(0.5), 0, sqrt(0.5)};
    const meeting all[] = {
        {{pin, pin}, {1.5, 1.5}, {0, 0}, {-0.15, 0, 0}, upright}, // side by side
        {{pin, pin}, {1.5, 3}, {0, 0}, {-0.15, 0, 0}, upright},
        {{cylinder_of(0.05, 0.2), pin}, {1.5, 1.5}, {0, 0}, {-0.15, 0, 0}, upright},
        {{pin, pin}, {1.5, 1.5}, {0, 0}, {-0.15, 0, 0}, aslant}, // crosswise
        {{pin, pin}, {1.5, 1.5}, {0.1, 0}, {-0.15, 0, -0.1}, level},
        {{sphere_of(0.108), pin}, {6, 1.5}, {0, -0.08}, {-0.2, 0, -0.08}, upright},
        {{capsule_of(0.05, 0.3), pin}, {2, 1.5}, {0, 0}, {-0.15, 0, 0}, upright},
        {{plate, pin}, {2, 1.5}, {0, 0}, {-0.15, 0, 0}, upright},
        {{plate, pin}, {2, 1.5}, {0, 0}, {-0.15, 0, 0}, level},
        {{plate, pin}, {2, 1.5}, {0, 0}, {-0.3, 0, 0}, ahead}, // with its end
    };
    for (size_t i = 0; *state == &bare_engine_cones && i < sizeof all / sizeof *all; i++) {
        const meeting *how = &all[i];
        double one = how->masses[0], two = how->masses[1], l = how->levers[0], k = how->levers[1];
        double j =
            1.6 * 2 / (1 / one + 1 / two + l * l / pin_inertia(one) + k * k / pin_inertia(two));
        for (int n = 0; n < 5; n++) {
            parting p = part(*state, how, 0.3 * n);
            assert_near(p.first, 2 - j / one, 2e-3);
            assert_near(p.second, j / two, 2e-3);
            assert_near(p.spin, k * j / pin_inertia(two), 0.1);
            assert_near(p.aside, 0, 0.05);
        }
    }
}

// Two pins of which one leans by 0.02 meet with their lower ends, then with the upper ones, and so
// on until both part. At an end each blow changes its speed by (1 + e) of it, and that of the other
// end by the share (1 / m - l^2 / I) / (1 / m + l^2 / I) of that. dCollide does not see the lower
// ends before the middles meet.
static void pins_meet_end_by_end(void **state)
{
    const cr_shape pin = cylinder_of(0.05, 0.38);
    const double turn = 0.19 * 0.19 / pin_inertia(1.5), share = (1 / 1.5 - turn) / (1 / 1.5 + turn);
    const meeting how = {
        {pin, pin}, {1.5, 1.5}, {0, 0}, {-0.1123, 0, 0}, {0, sin(0.01), 0, cos(0.01)}};
    double ends[2] = {-2, -2};
    for (int k = 0; ends[k] < 0; k = !k) {
        double change = -1.6 * ends[k];
        ends[k] += change;
        ends[!k] += share * change;
    }
    for (int i = 0; *state == &bare_engine_cones && i < 2; i++) {
        int bodies[2];
        world w = meeting_world(&how, 0, bodies);
        w.model.substeps = 16;
        bench b = bench_open(&w, i ? &cri_engine_lanes : &bare_engine_cones);
        step_all(&b, 1);
        const cr_body_state *one = bench_body(&b, bodies[0]), *two = bench_body(&b, bodies[1]);
        double speed = two->velocity.x - one->velocity.x, spin = two->spin.y - one->spin.y;
        assert_near(speed, (ends[0] + ends[1]) / 2, 0.02);
        assert_near(0.19 * spin, (ends[1] - ends[0]) / 2, 0.05);
        bench_close(&b);
        world_free(&w);
    }
}

// A pin that comes down on its side springs up at e of its speed, and stays level.
static void pins_fall_on_their_side(void **state)
{
    for (int n = 0; *state == &bare_engine_cones && n < 5; n++) {
        world w = world_make();
        w.model.gravity = cri_vec3(0, 0, 0);
        int m = world_material(&w, 0, 0, 0.6);
        world_add(&w, plane_of(), m, (cr_body){0});
        cr_quat turn = {0, 0, sin(0.15 * n), cos(0.15 * n)};
        cr_quat level = cri_quat_mul(turn, (cr_quat){sqrt(0.5), 0, 0, sqrt(0.5)});
        cr_body body = free_body(1.5, (cr_pose){{0, 0, 0.103}, level});
        body.velocity = cri_vec3(0, 0, -2);
        int pin = world_add(&w, cylinder_of(0.05, 0.38), m, body);
        world_finish(&w);
        bench b = bench_open(&w, *state);
        step_all(&b, 6);
        assert_near(bench_body(&b, pin)->velocity.z, 1.2, 2e-3);
        assert_near(cri_length(bench_body(&b, pin)->spin), 0, 0.1);
        bench_close(&b);
        world_free(&w);
    }
}

// All parts of a body collide, at their places: a T stands on its lower part.
static void all_parts_collide(void **state)
{
    world w = world_make();
    int m = world_material(&w, 0.5, 0.5, 0);
    world_add(&w, plane_of(), m, (cr_body){0});
    int body = world_add(&w, box_of(0.4, 0.4, 0.1), m, free_body(1, pose_at(0, 0, 0.35)));
    cr_part parts[2] = {w.parts[body], w.parts[body]};
    parts[1].shape = box_of(0.2, 0.2, 0.2);
    parts[1].pose = pose_at(0, 0, -0.15);
    w.bodies[body].parts = parts;
    w.bodies[body].part_count = 2;
    world_finish(&w);
    bench b = bench_open(&w, *state);
    step_all(&b, 120);
    assert_near(bench_body(&b, body)->position.z, 0.25, 1e-3);
    bench_close(&b);
    world_free(&w);
}

// The same step gives the same bits after any history; the weight of a box is what its contact
// carries; a mask lets it through.
static void steps_are_pure(void **state)
{
    world w = world_make();
    int m = world_material(&w, 0.5, 0.5, 0);
    int floor = world_add(&w, plane_of(), m, (cr_body){0});
    int box = world_add(&w, box_of(0.2, 0.2, 0.2), m, free_body(3, pose_at(0, 0, 0.1)));
    world_wish(&w, floor, box, true);
    world_finish(&w);
    bench b = bench_open(&w, *state), other = bench_open(&w, *state);
    step_all(&b, 60);
    const cr_contact *c = bench_contact(&b, floor, box);
    assert_non_null(c);
    assert_near(c->impulse, 3 * 9.81 / 60, 1e-3);
    assert_near(c->normal.z, 1, 1e-9);
    assert_true(cri_state_touched(&w.model, b.state, floor, box));
    cr_state_copy(&w.model, other.state, b.state);
    step_all(&b, 1);
    step_all(&other, 1);
    assert_memory_equal(b.state, other.state, cr_state_size(&w.model));
    const uint64_t nothing = 0;
    b.mask = &nothing;
    step_all(&b, 60);
    assert_near(bench_body(&b, box)->position.z, 0.1 - 9.81 / 2, 0.05);
    bench_close(&b);
    bench_close(&other);
    world_free(&w);
}

// The scenes of free bodies begin at rest: nothing falls before it is touched. (dWorldStep is let
// off: its pivoting stops at the ties of a tower of equal crates, which then sinks.)
static void blocks_stand_until_they_are_touched(void **state)
{
    static const char *const names[] = {"blocks/crate", "blocks/dominoes", "blocks/domino-run",
                                        "blocks/pins", "blocks/tower"};
    const cr_engine_type *type = *state;
    for (size_t i = 0; type != &bare_engine_step && i < sizeof names / sizeof *names; i++) {
        cr_model *model = load_scene(names[i], NULL);
        assert_non_null(model);
        void *engine = NULL;
        cr_state *now = cr_state_create(model), *start = cr_state_create(model);
        cr_action *actions = calloc((size_t)model->moving_count, sizeof *actions);
        assert_int_equal(type->create(model, &engine, NULL), CR_OK);
        cr_step step = {.from = now, .to = now, .actions = actions};
        for (int k = 0; k < 30; k++) {
            type->step(engine, &step, 1);
        }
        for (int slot = 0; slot < model->moving_count; slot++) {
            cr_vec3 way = cri_sub(cri_bodies(model, now)[slot].position,
                                  cri_bodies(model, start)[slot].position);
            assert_near(cri_length(way), 0, 2e-3);
        }
        type->destroy(engine);
        free(now);
        free(start);
        free(actions);
        cr_model_destroy(model);
    }
}

// A double pendulum, from level: the engine of the library agrees with ODE's own joints at substeps
// eight times finer, which lose less than theirs.
static void joints_agree(void **state)
{
    static const char text[] =
        "bodies:\n"
        "  upper: {kind: passive, shape: {box: [1, 0.05, 0.05]}, mass: 1, at: [0.5, 0, 3]}\n"
        "  lower: {kind: passive, shape: {box: [1, 0.05, 0.05]}, mass: 1, at: [1.5, 0, 3]}\n"
        "  weight: {kind: passive, shape: {sphere: 0.1}, mass: 1, at: [0.6, 2, 3]}\n"
        "joints:\n"
        "  shoulder: {hinge: [world, upper], at: [0, 0, 3], axis: [0, 1, 0]}\n"
        "  elbow: {hinge: [upper, lower], at: [1, 0, 3], axis: [0, 1, 0]}\n"
        "  rope: {rope: [world, weight], from: [0, 2, 3], length: 1}\n";
    const cr_engine_type *types[2] = {*state, &cri_engine_lanes};
    cr_vec3 ends[2][2];
    for (int i = 0; i < 2; i++) {
        cr_model *model = load_text(text);
        assert_non_null(model);
        model->substeps = i ? 4 : 32;
        void *engine = NULL;
        cr_state *now = cr_state_create(model);
        cr_action actions[3] = {{.force = {0, 0, 0}}};
        assert_int_equal(types[i]->create(model, &engine, NULL), CR_OK);
        cr_step step = {.from = now, .to = now, .actions = actions};
        for (int k = 0; k < 60; k++) {
            types[i]->step(engine, &step, 1);
            assert_true(step.alive);
        }
        ends[i][0] = cri_bodies(model, now)[1].position;
        ends[i][1] = cri_bodies(model, now)[2].position;
        types[i]->destroy(engine);
        free(now);
        cr_model_destroy(model);
    }
    assert_near(cri_length(cri_sub(ends[0][0], ends[1][0])), 0, 0.03);
    assert_near(cri_length(cri_sub(ends[0][1], ends[1][1])), 0, 0.03);
}

int main(void)
{
    static const cr_engine_type *const types[] = {&bare_engine_cones, &bare_engine_quick,
                                                  &bare_engine_step};
    struct CMUnitTest tests[] = {cmocka_unit_test(things_fall),
                                 cmocka_unit_test(shapes_lie_on_planes),
                                 cmocka_unit_test(boxes_slide_straight),
                                 cmocka_unit_test(balls_slide_and_roll),
                                 cmocka_unit_test(balls_bounce_off_hulls),
                                 cmocka_unit_test(driven_bodies_go_their_way),
                                 cmocka_unit_test(actions_act),
                                 cmocka_unit_test(blows_meet_cones),
                                 cmocka_unit_test(blows_press),
                                 cmocka_unit_test(cylinders_part),
                                 cmocka_unit_test(pins_meet_end_by_end),
                                 cmocka_unit_test(pins_fall_on_their_side),
                                 cmocka_unit_test(all_parts_collide),
                                 cmocka_unit_test(steps_are_pure),
                                 cmocka_unit_test(joints_agree),
                                 cmocka_unit_test(blocks_stand_until_they_are_touched)};
    int failed = 0;
    for (int i = 0; i < 3; i++) {
        for (size_t k = 0; k < sizeof tests / sizeof *tests; k++) {
            memcpy(&tests[k].initial_state, &types[i], sizeof types[i]);
        }
        print_message("%s\n", types[i]->name);
        failed += cmocka_run_group_tests(tests, NULL, NULL);
    }
    return failed;
}
