// The true world: undisturbed it is the planned one, bit for bit; each disturbance does what its
// field says, in the amount that it says; and all of it repeats.
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <cmocka.h>

#include "scenes.h"

// ---------------------------------------------------------------------------------------------
// A plan's steps, as commands.

enum { SCRIPT_MAX = 3601 }; // a minute, the longest horizon

typedef struct script {
    const cr_model *model;
    int count;
    cr_state *states[SCRIPT_MAX];
    cr_action *actions[SCRIPT_MAX];
} script;

static bool note(const cr_replay_step *step, void *context)
{
    script *s = context;
    assert_true(s->count < SCRIPT_MAX - 1);
    if (step->actions) {
        size_t bytes = (size_t)cr_model_moving_count(s->model) * sizeof *step->actions;
        s->actions[s->count - 1] = malloc(bytes);
        memcpy(s->actions[s->count - 1], step->actions, bytes);
    }
    s->states[s->count] = cr_state_create(s->model);
    cr_state_copy(s->model, s->states[s->count++], step->state);
    return true;
}

static script write_script(const cr_model *model)
{
    script s = {.model = model};
    cr_planner_def def = cr_model_planner_def(model);
    cr_planner *planner = NULL;
    cr_plan *plan = NULL;
    assert_int_equal(cr_planner_create(model, &def, &planner, NULL), CR_OK);
    cr_outcome outcome = cr_planner_grow(planner, NULL);
    assert_int_equal(cr_plan_create(planner, outcome, &plan, NULL), CR_OK);
    assert_int_equal(cr_plan_replay(plan, 0, note, &s, NULL), CR_OK);
    cr_plan_destroy(plan);
    cr_planner_destroy(planner);
    return s;
}

static void free_script(script *s)
{
    for (int i = 0; i < s->count; i++) {
        free(s->states[i]);
        free(s->actions[i]);
    }
}

static cr_truth *make_truth(const cr_model *model, const cr_truth_def *def)
{
    cr_truth *truth = NULL;
    assert_int_equal(cr_truth_create(model, def, NULL, &truth, NULL), CR_OK);
    return truth;
}

// Play the whole script; returns the hash of the last state.
static uint64_t play(const script *s, const cr_truth_def *def)
{
    cr_truth *truth = make_truth(s->model, def);
    for (int i = 0; i + 1 < s->count; i++) {
        cr_command command = {s->actions[i], s->states[i], s->states[i + 1]};
        assert_true(cr_truth_step(truth, &command));
    }
    uint64_t hash = cr_state_hash(s->model, cr_truth_state(truth));
    cr_truth_destroy(truth);
    return hash;
}

// ---------------------------------------------------------------------------------------------

static void undisturbed_it_is_the_planned_world(void **state)
{
    (void)state;
    static const char *const scenes[] = {"minigolf/windmill", "minigolf/bank", "navigation/maze"};
    for (int i = 0; i < 3; i++) {
        cr_model *model = load_scene(scenes[i], NULL);
        script s = write_script(model);
        cr_truth_def def = cr_exact_truth_def();
        def.engine = cr_model_planner_def(model).engine;
        uint64_t planned = cr_state_hash(model, s.states[s.count - 1]);
        assert_int_equal(play(&s, &def), planned);
        def.engine = strcmp(def.engine, "ode") == 0 ? "lanes" : "ode";
        assert_int_not_equal(play(&s, &def), planned);
        free_script(&s);
        cr_model_destroy(model);
    }
}

// Every field of a def makes another future; the same seed the same one.
static void each_disturbance_is_felt_and_repeats(void **state)
{
    (void)state;
    cr_model *model = load_scene("minigolf/windmill", NULL);
    script s = write_script(model);
    uint64_t seen[7] = {0};
    for (int i = 0; i < 7; i++) {
        cr_truth_def def = cr_exact_truth_def();
        double *const fields[] = {&def.numbers, &def.kick_speed, &def.kick_aim,   &def.drive,
                                  &def.rate,    &def.velocity,   &def.uncertainty};
        *fields[i] = 0.05;
        seen[i] = play(&s, &def);
        assert_int_equal(play(&s, &def), seen[i]);
        def.seed = 2;
        bool acts = fields[i] != &def.velocity; // which is only seen
        assert_int_equal(play(&s, &def) != seen[i], acts);
        for (int k = 0; k < i; k++) {
            assert_int_not_equal(seen[i], seen[k]);
        }
    }
    free_script(&s);
    cr_model_destroy(model);
}

// ---------------------------------------------------------------------------------------------
// Amounts.

static const char field[] =
    "name: field\n"
    "bodies:\n"
    "  ground: {kind: static, shape: {plane: [0, 0, 1]}, at: [0, 0, 0]}\n"
    "  ball: {kind: passive, shape: {sphere: 0.02}, mass: 0.05, at: [0.13, 0]}\n"
    "  robot: {kind: controlled, shape: {cylinder: {radius: 0.09, height: 0.1}}, mass: 2, "
    "upright: true, at: [0, 0]}\n"
    "  bar: {kind: foreign, motion: driven, shape: {box: [0.4, 0.04, 0.1]}, at: [3, 3]}\n"
    "  post: {kind: foreign, motion: driven, shape: {cylinder: {radius: 0.1, height: 0.2}}, "
    "at: [-3, 0]}\n"
    "tactics:\n"
    "  mill: {controls: bar, start: spin, skills: {spin: {do: spin, rate: 2}}}\n"
    "  guard: {controls: post, start: swing, skills: {swing: {do: oscillate, move: [0, 1, 0], "
    "period: 4}}}\n"
    "  idle: {controls: robot, start: stand, skills: {stand: {do: stand}}}\n"
    "goal: {near: [ball, robot, 0.01]}\n";

static void seen_with_the_noise_that_it_says(void **state)
{
    (void)state;
    cr_model *model = load_text(field);
    cr_truth_def def = cr_exact_truth_def();
    def.position = 0.002;
    def.angle = 0.01;
    enum { SEEDS = 2000 };
    double x2 = 0, turn2 = 0, z = 0;
    int ball = cr_model_find_body(model, "ball");
    cr_state *seen = cr_state_create(model);
    for (def.seed = 1; def.seed <= SEEDS; def.seed++) {
        cr_truth *truth = make_truth(model, &def);
        cr_truth_observe(truth, seen);
        cr_pose pose = cr_state_pose(model, seen, ball);
        x2 += (pose.position.x - 0.13) * (pose.position.x - 0.13);
        z = fmax(z, fabs(pose.position.z - 0.02));
        double turn = cr_state_heading(model, seen, ball);
        turn2 += turn * turn;
        cr_truth_destroy(truth);
    }
    // The deviation of N draws deviates by 1 / sqrt(2 N), 1.6%: four of these.
    assert_true(fabs(sqrt(x2 / SEEDS) / 0.002 - 1) < 0.064);
    assert_true(fabs(sqrt(turn2 / SEEDS) / 0.01 - 1) < 0.064);
    assert_true(z < 1e-12); // a camera looks down
    free(seen);
    cr_model_destroy(model);
}

static void step_idle(cr_truth *truth, const cr_action *actions)
{
    cr_command idle = {actions, cr_truth_state(truth), cr_truth_state(truth)};
    assert_true(cr_truth_step(truth, &idle));
}

// With 100 ms at 60 steps a second, six steps pass before something is seen.
static void seen_as_late_as_it_says(void **state)
{
    (void)state;
    cr_model *model = load_text(field);
    cr_truth_def def = cr_exact_truth_def();
    def.latency = 0.1;
    cr_truth *truth = make_truth(model, &def);
    cr_state *seen = cr_state_create(model);
    cr_action *actions = calloc((size_t)cr_model_moving_count(model), sizeof *actions);
    int bar = cr_model_find_body(model, "bar");
    for (int step = 0; step < 20; step++) {
        int past = step > 6 ? step - 6 : 0;
        cr_truth_observe(truth, seen);
        assert_int_equal(seen->step, past);
        double heading = remainder(2 * past / 60.0, 8 * atan(1));
        assert_true(fabs(cr_state_heading(model, seen, bar) - heading) < 1e-5);
        step_idle(truth, actions);
    }
    free(actions);
    free(seen);
    cr_truth_destroy(truth);
    cr_model_destroy(model);
}

// Kick the ball along x once; returns its velocity after the step.
static cr_vec3 kick(const cr_model *model, const cr_truth_def *def, double x, double heading)
{
    cr_state *meant = cr_state_create(model), *turned = cr_state_create(model);
    int robot = cr_model_find_body(model, "robot"), ball = cr_model_find_body(model, "ball");
    cr_pose pose = {{x, 0, cr_state_pose(model, meant, robot).position.z},
                    {0, 0, sin(heading / 2), cos(heading / 2)}};
    cr_state_set_pose(model, turned, robot, pose);
    cr_truth *truth = NULL;
    assert_int_equal(cr_truth_create(model, def, turned, &truth, NULL), CR_OK);
    cr_action *actions = calloc((size_t)cr_model_moving_count(model), sizeof *actions);
    actions[cr_model_body(model, ball)->slot].impulse.x = 0.05 * 2; // 2 m/s
    cr_command command = {actions, meant, meant};
    assert_true(cr_truth_step(truth, &command));
    cr_vec3 velocity = cr_state_velocity(model, cr_truth_state(truth), ball);
    cr_truth_destroy(truth);
    free(actions);
    free(meant);
    free(turned);
    return velocity;
}

// A kick goes where the robot looks, not where the plan had it look; and from too far it misses.
static void a_kick_is_given_by_its_kicker(void **state)
{
    (void)state;
    cr_model *model = load_text(field);
    cr_truth_def def = cr_exact_truth_def();
    for (double heading = -0.5; heading <= 0.5; heading += 0.25) {
        cr_vec3 v = kick(model, &def, 0, heading);
        assert_true(fabs(atan2(v.y, v.x) - heading) < 1e-6);
    }
    assert_true(kick(model, &def, 0, 1).x == 0);     // it looks past the ball
    assert_true(kick(model, &def, 0.0, 0).x > 1.8);  // 2 cm from the ball
    assert_true(kick(model, &def, -0.02, 0).x == 0); // 4 cm: out of reach
    cr_model_destroy(model);
}

static void kicks_deviate_as_it_says(void **state)
{
    (void)state;
    cr_model *model = load_text(field);
    cr_truth_def def = cr_exact_truth_def();
    double plain = kick(model, &def, 0, 0).x;
    def.kick_speed = 0.03;
    def.kick_aim = 0.01;
    enum { SEEDS = 2000 };
    double speed2 = 0, aim2 = 0;
    for (def.seed = 1; def.seed <= SEEDS; def.seed++) {
        cr_vec3 v = kick(model, &def, 0, 0);
        double speed = sqrt(v.x * v.x + v.y * v.y) / plain - 1, aim = atan2(v.y, v.x);
        speed2 += speed * speed;
        aim2 += aim * aim;
    }
    assert_true(fabs(sqrt(speed2 / SEEDS) / 0.03 - 1) < 0.08); // friction is not in proportion
    assert_true(fabs(sqrt(aim2 / SEEDS) / 0.01 - 1) < 0.064);
    cr_model_destroy(model);
}

// How far the post is from where its Tactic would have it after so many steps, along x.
static double stray(const cr_model *model, const cr_truth_def *def, int steps)
{
    cr_truth *truth = make_truth(model, def);
    cr_action *actions = calloc((size_t)cr_model_moving_count(model), sizeof *actions);
    for (int i = 0; i < steps; i++) {
        step_idle(truth, actions);
    }
    int post = cr_model_find_body(model, "post");
    double x = cr_state_pose(model, cr_truth_state(truth), post).position.x + 3;
    free(actions);
    cr_truth_destroy(truth);
    return x;
}

// Straying begins slowly, grows with the uncertainty, and comes to an end: 0.35 s of the top speed,
// pi / 2 m/s.
static void foreign_bodies_stray(void **state)
{
    (void)state;
    cr_model *model = load_text(field);
    enum { SEEDS = 400 };
    double at[3][2] = {{0}};
    static const double uncertainty[] = {0, 0.5, 1};
    for (int u = 0; u < 3; u++) {
        for (uint64_t seed = 1; seed <= SEEDS; seed++) {
            cr_truth_def def = cr_exact_truth_def();
            def.seed = seed;
            def.engine = "lanes";
            def.uncertainty = uncertainty[u];
            double soon = stray(model, &def, 6), late = stray(model, &def, 300);
            at[u][0] += soon * soon / SEEDS;
            at[u][1] += late * late / SEEDS;
        }
    }
    double limit = 0.5 * sqrt(0.5) * 2 * atan(1);
    assert_true(at[0][0] == 0 && at[0][1] == 0);
    assert_true(sqrt(at[2][0]) < 0.1);
    assert_true(fabs(sqrt(at[2][1]) / limit - 1) < 0.15);
    assert_true(fabs(sqrt(at[1][1]) / limit - 0.5) < 0.075);
    cr_model_destroy(model);
}

static void nonsense_is_refused(void **state)
{
    (void)state;
    cr_model *model = load_text(field);
    for (int i = 0; i < 4; i++) {
        cr_truth_def def = cr_default_truth_def();
        double *const fields[] = {&def.position, &def.latency, &def.uncertainty, &def.kick_speed};
        const double values[] = {-1, NAN, 1.5, HUGE_VAL};
        *fields[i] = values[i];
        cr_truth *truth = NULL;
        cr_report report = {0};
        assert_int_equal(cr_truth_create(model, &def, NULL, &truth, &report), CR_ERR_RANGE);
        assert_null(truth);
        assert_non_null(strstr(report.errors[0].message, "truth's"));
    }
    cr_truth_def def = cr_default_truth_def();
    def.engine = "none";
    cr_truth *truth = NULL;
    assert_int_equal(cr_truth_create(model, &def, NULL, &truth, NULL), CR_ERR_NAME);
    cr_model_destroy(model);
}

// A puck that slides to rest: v^2 / (2 mu g), whatever its mass is.
static double slide(const cr_model *model, const cr_truth_def *def)
{
    cr_truth *truth = make_truth(model, def);
    cr_action *actions = calloc((size_t)cr_model_moving_count(model), sizeof *actions);
    for (int step = 0; step < 60; step++) {
        step_idle(truth, actions);
    }
    double x =
        cr_state_pose(model, cr_truth_state(truth), cr_model_find_body(model, "puck")).position.x;
    free(actions);
    cr_truth_destroy(truth);
    return x;
}

static void other_numbers_are_those_of_the_floor_too(void **state)
{
    (void)state;
    cr_model *model = load_text(
        "name: ice\n"
        "bodies:\n"
        "  puck: {kind: controlled, upright: true, shape: {cylinder: {radius: 0.1, height: 0.1}},\n"
        "         mass: 2, floor_friction: 0.3, at: [0, 0], velocity: [1, 0, 0]}\n");
    cr_truth_def def = cr_exact_truth_def();
    enum { SEEDS = 200 };
    const double exact = 1 / (2 * 0.3 * 9.81);
    assert_true(fabs(slide(model, &def) / exact - 1) < 0.01);
    double sum2 = 0;
    def.numbers = 0.05;
    for (def.seed = 1; def.seed <= SEEDS; def.seed++) {
        double off = exact / slide(model, &def) - 1; // of the friction
        sum2 += off * off;
    }
    assert_true(fabs(sqrt(sum2 / SEEDS) / 0.05 - 1) < 4 / sqrt(2 * SEEDS));
    cr_model_destroy(model);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(other_numbers_are_those_of_the_floor_too),
        cmocka_unit_test(undisturbed_it_is_the_planned_world),
        cmocka_unit_test(each_disturbance_is_felt_and_repeats),
        cmocka_unit_test(seen_with_the_noise_that_it_says),
        cmocka_unit_test(seen_as_late_as_it_says),
        cmocka_unit_test(a_kick_is_given_by_its_kicker),
        cmocka_unit_test(kicks_deviate_as_it_says),
        cmocka_unit_test(foreign_bodies_stray),
        cmocka_unit_test(nonsense_is_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
