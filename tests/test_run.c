// Runs: they repeat, in the exact world they are the plan, the controller keeps to the plan where
// actions alone do not, and searches come when they should.
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <cmocka.h>

#include "scenes.h"

static cr_run_result execute(const cr_model *model, const cr_run_def *def)
{
    cr_run_result result;
    assert_int_equal(cr_run_execute(model, def, NULL, &result, NULL), CR_OK);
    return result;
}

static cr_run_def exact_def(const cr_model *model)
{
    cr_run_def def = cr_default_run_def(model);
    def.truth = cr_exact_truth_def();
    def.truth.engine = def.planner.engine;
    def.planner.threads = 1;
    return def;
}

static void runs_repeat(void **state)
{
    (void)state;
    static const char *const scenes[] = {"minigolf/windmill", "navigation/maze"};
    for (int i = 0; i < 2; i++) {
        cr_model *model = load_scene(scenes[i], NULL);
        cr_run_def def = cr_default_run_def(model);
        def.truth.uncertainty = 0.5;
        def.interval = 0.5;
        def.seconds = 2;
        def.planner.steps = 4000;
        def.planner.threads = 1;
        cr_run_result one = execute(model, &def), two = execute(model, &def);
        def.planner.threads = 3;
        cr_run_result three = execute(model, &def);
        assert_int_equal(one.hash, two.hash);
        assert_int_equal(one.hash, three.hash);
        assert_int_equal(one.planner_steps, three.planner_steps);
        def.truth.seed++;
        assert_int_not_equal(execute(model, &def).hash, one.hash);
        cr_model_destroy(model);
    }
}

// ---------------------------------------------------------------------------------------------
// In a world that obeys.

typedef struct witness {
    double off; // m, the farthest that the robot was from the plan
    int64_t frames;
    int64_t plan_steps;
    int64_t searched[200]; // frames with a search
    int64_t attempts[200];
    int count;
} witness;

static bool look(const cr_run_frame *frame, void *context)
{
    witness *w = context;
    int robot = cr_model_find_body(frame->model, "robot");
    if (frame->planned) {
        cr_vec3 is = cr_state_pose(frame->model, frame->truth, robot).position;
        cr_vec3 meant = cr_state_pose(frame->model, frame->planned, robot).position;
        w->off = fmax(w->off, hypot(is.x - meant.x, is.y - meant.y));
    }
    if (frame->plan) {
        w->plan_steps = cr_plan_solution(frame->plan, 0).steps;
    }
    if (frame->attempts >= 0 && w->count < 200) {
        w->attempts[w->count] = frame->attempts;
        w->searched[w->count++] = w->frames;
    }
    w->frames++;
    return true;
}

static void an_exact_run_is_the_plan(void **state)
{
    (void)state;
    static const char *const scenes[] = {"minigolf/bank", "minigolf/windmill", "navigation/maze"};
    for (int i = 0; i < 3; i++) {
        for (int strategy = CR_STRATEGY_ACTIONS; strategy <= CR_STRATEGY_STATES; strategy++) {
            cr_model *model = load_scene(scenes[i], NULL);
            cr_run_def def = exact_def(model);
            witness w = {0};
            def.strategy = (cr_strategy)strategy;
            def.show = look;
            def.context = &w;
            cr_run_result result = execute(model, &def);
            assert_true(result.goal);
            assert_null(result.rule);
            assert_int_equal(result.steps, w.plan_steps);
            assert_int_equal(w.frames, result.steps + 1);
            assert_int_equal(result.plannings, 1);
            assert_int_equal(result.solved, 1);
            assert_true(w.off < 1e-6);
            cr_model_destroy(model);
        }
    }
}

// A late view alone changes nothing where all is predicted rightly.
static void what_is_predicted_makes_up_for_latency(void **state)
{
    (void)state;
    cr_model *model = load_scene("navigation/maze", NULL);
    cr_run_def def = exact_def(model);
    witness w = {0};
    def.truth.latency = 0.2;
    def.show = look;
    def.context = &w;
    cr_run_result result = execute(model, &def);
    assert_true(result.goal && !result.rule);
    assert_true(w.off < 1e-3);
    cr_model_destroy(model);
}

// ---------------------------------------------------------------------------------------------
// In one that does not.

// A drive that is out of tune by a tenth: actions alone end far off, the controller does not.
static void the_controller_keeps_to_the_plan(void **state)
{
    (void)state;
    cr_model *model = load_scene("minigolf/windmill", NULL);
    double off[2] = {0};
    for (int strategy = CR_STRATEGY_ACTIONS; strategy <= CR_STRATEGY_STATES; strategy++) {
        for (uint64_t seed = 1; seed <= 10; seed++) {
            cr_run_def def = exact_def(model);
            witness w = {0};
            def.truth.drive = 0.1;
            def.truth.latency = 0.1;
            def.truth.seed = seed;
            def.strategy = (cr_strategy)strategy;
            def.show = look;
            def.context = &w;
            execute(model, &def);
            off[strategy] += w.off / 10;
        }
    }
    assert_true(off[CR_STRATEGY_ACTIONS] > 0.01);
    assert_true(off[CR_STRATEGY_STATES] < off[CR_STRATEGY_ACTIONS] / 2);
    cr_model_destroy(model);
}

// ---------------------------------------------------------------------------------------------
// When searches come.

static void searches_come_at_intervals(void **state)
{
    (void)state;
    cr_model *model = load_scene("navigation/maze", NULL);
    cr_run_def def = exact_def(model);
    witness w = {0};
    def.interval = 0.25;
    def.seconds = 2;
    def.show = look;
    def.context = &w;
    cr_run_result result = execute(model, &def);
    assert_int_equal(result.plannings, 8);
    assert_int_equal(w.count, 8);
    for (int i = 0; i < w.count; i++) {
        assert_int_equal(w.searched[i], 15 * i);
    }
    cr_model_destroy(model);
}

// A plan may be shorter than the interval: the next search comes with its end. Here the horizon
// makes it so.
static void a_short_plan_is_followed_at_once(void **state)
{
    (void)state;
    static const char *const settings[] = {"horizon", "0.5", NULL};
    cr_model *model = load_scene("navigation/maze", settings);
    cr_run_def def = exact_def(model);
    witness w = {0};
    def.planner.steps = 2000;
    def.interval = 5;
    def.seconds = 3;
    def.show = look;
    def.context = &w;
    cr_run_result result = execute(model, &def);
    assert_true(result.plannings >= 6);
    for (int i = 1; i < w.count; i++) {
        assert_true(w.searched[i] - w.searched[i - 1] <= 30);
    }
    cr_model_destroy(model);
}

// A search that a clock ended is repeated by its attempts, and so is the whole run.
static void a_run_against_the_clock_repeats_by_attempts(void **state)
{
    (void)state;
    cr_model *model = load_scene("navigation/maze", NULL);
    cr_run_def def = cr_default_run_def(model);
    witness w = {0};
    def.planner.threads = 2;
    def.interval = 0.5;
    def.deadline = 0.002;
    def.seconds = 3;
    def.show = look;
    def.context = &w;
    cr_run_result timed = execute(model, &def);
    assert_int_equal(w.count, timed.plannings);
    def.deadline = 0;
    def.attempts = w.attempts;
    def.attempts_count = w.count;
    witness again = {0};
    def.context = &again;
    assert_int_equal(execute(model, &def).hash, timed.hash);
    cr_model_destroy(model);
}

// In a world that obeys, the first search is the only one: each further one finds its solution in
// the tree that was kept. Where foreign bodies stray, choices are tried first, and less is searched
// than from nothing.
static void a_search_goes_on_from_the_one_before(void **state)
{
    (void)state;
    cr_model *model = load_scene("navigation/maze", NULL);
    int64_t steps[3] = {0};
    for (int follow = CR_FOLLOW_COLD; follow <= CR_FOLLOW_TREE; follow++) {
        cr_run_def def = exact_def(model);
        def.follow = (cr_follow)follow;
        def.interval = 1;
        def.seconds = 8;
        cr_run_result result = execute(model, &def);
        assert_true(result.plannings > 3);
        bool tree = follow == CR_FOLLOW_TREE;
        assert_int_equal(result.rerooted, tree ? result.plannings - 1 : 0);
        steps[follow] = result.planner_steps;
    }
    assert_true(steps[CR_FOLLOW_TREE] < steps[CR_FOLLOW_COLD] / 2);
    assert_true(steps[CR_FOLLOW_CHOICES] != steps[CR_FOLLOW_COLD]);
    cr_model_destroy(model);
}

typedef struct crash {
    bool broken; // in the frame before
    int searched, not_searched;
} crash;

// Frames in which a rule begins to be broken: with a search, and without.
static bool look_at_crashes(const cr_run_frame *frame, void *context)
{
    crash *c = context;
    if (frame->rule && !c->broken && frame->actions) {
        c->searched += frame->attempts >= 0;
        c->not_searched += frame->attempts < 0;
    }
    c->broken = frame->rule;
    return true;
}

// Posts that stray run into the robot: with `abort`, that itself brings the next search.
static void a_collision_brings_a_search(void **state)
{
    (void)state;
    cr_model *model = load_scene("navigation/maze", NULL);
    for (int abort = 0; abort < 2; abort++) {
        crash c = {0};
        for (uint64_t seed = 1; seed <= 3; seed++) {
            cr_run_def def = cr_default_run_def(model);
            def.planner.threads = 1;
            def.planner.seed = def.truth.seed = seed;
            def.truth.uncertainty = 1;
            def.interval = 5;
            def.seconds = 20;
            def.abort = abort;
            def.show = look_at_crashes;
            def.context = &c;
            execute(model, &def);
        }
        assert_true(c.searched + c.not_searched > 0);
        assert_true(abort ? c.not_searched == 0 : c.not_searched > 0);
    }
    cr_model_destroy(model);
}

// ---------------------------------------------------------------------------------------------
// Before the plan begins.

// A bar that must not be touched turns on while the plan is thought out. In a world that obeys, a
// plan that begins when the bar has come round holds; one that begins at once meets another bar.
static void a_periodic_world_comes_round(void **state)
{
    (void)state;
    cr_model *model = load_scene("minigolf/gate", NULL);
    int held = 0, held_at_once = 0, trials = 6;
    for (int seed = 1; seed <= trials; seed++) {
        cr_run_def def = exact_def(model);
        def.planner.seed = (uint64_t)seed;
        def.watch = 0.5;
        def.think = 1.25; // a quarter of a turn
        cr_run_result at_once = execute(model, &def);
        def.wait = 5;
        cr_run_result waits = execute(model, &def);
        if (waits.solved == 0) {
            continue;
        }
        // A whole turn: what was thought, and the rest of the five seconds.
        assert_true(fabs(waits.waited - 5) < 0.05);
        assert_true(fabs(at_once.waited - 1.25) < 1e-9);
        assert_true(waits.goal && !waits.rule);
        held++;
        held_at_once += at_once.goal && !at_once.rule;
    }
    assert_true(held >= 4);
    assert_true(held_at_once < held);
    cr_model_destroy(model);
}

// The true world may have other parameters than the one that is planned with: a bar that turns
// faster than it was thought to.
static void the_world_may_have_other_parameters(void **state)
{
    (void)state;
    cr_model *model = load_scene("minigolf/gate", NULL);
    cr_model *fast = load_scene("minigolf/gate", (const char *const[]){"period", "2", NULL});
    cr_run_def def = exact_def(model);
    uint64_t same = execute(model, &def).hash;
    def.world = model;
    assert_int_equal(execute(model, &def).hash, same);
    def.world = fast;
    assert_int_not_equal(execute(model, &def).hash, same);
    cr_model_destroy(fast);
    cr_model_destroy(model);
}

// A robot that stands in the way of a post is touched whatever it does; it plans all the same.
static void a_search_begins_in_a_touch(void **state)
{
    (void)state;
    cr_model *model = load_scene("navigation/hallway", NULL);
    cr_state *start = cr_state_create(model);
    int robot = cr_model_find_body(model, "robot"), post = cr_model_find_body(model, "post_2");
    cr_pose pose = cr_state_pose(model, start, robot);
    pose.position.x = cr_state_pose(model, start, post).position.x - 0.17; // 1 cm into it
    pose.position.y = cr_state_pose(model, start, post).position.y;
    cr_state_set_pose(model, start, robot, pose);
    cr_run_def def = exact_def(model);
    def.interval = 0.5;
    cr_run_result result;
    assert_int_equal(cr_run_execute(model, &def, start, &result, NULL), CR_OK);
    assert_true(result.pinned >= 1);
    assert_true(result.goal);
    free(start);
    cr_model_destroy(model);
}

// A hall in which posts rush about: some searches find nothing, and the interval before goes on.
static void intervals_are_those_of_plans(void **state)
{
    (void)state;
    cr_model *model = load_scene("navigation/hallway", NULL);
    cr_run_def def = cr_default_run_def(model);
    int helpless = 0;
    def.planner.round = 1;
    def.planner.threads = 1;
    def.planner.steps = 4000;
    def.interval = 0.5;
    def.truth.uncertainty = 1;
    for (def.truth.seed = 1; def.truth.seed <= 3; def.truth.seed++) {
        cr_run_result result = execute(model, &def);
        int made = result.plannings - result.helpless;
        assert_true(result.intervals == made || result.intervals == made + 1); // the first
        assert_true(result.collided <= result.intervals);
        helpless += result.helpless;
    }
    assert_true(helpless > 0);
    cr_model_destroy(model);
}

// Faster than ten times what it can drive: nothing is planned for what has left the world.
static void what_is_flung_out_ends_the_run(void **state)
{
    (void)state;
    for (int flung = 0; flung < 2; flung++) {
        char text[600];
        snprintf(text, sizeof text,
                 "name: shot\n"
                 "bodies:\n"
                 "  robot: {kind: controlled, upright: true, mass: 2, at: [0, 0], velocity: [%d, "
                 "0, 0],\n"
                 "          shape: {cylinder: {radius: 0.09, height: 0.1}}, limits: {speed: 2}}\n"
                 "regions: {far: {box: [1, 1], at: [90, 90]}}\n"
                 "tactics: {idle: {controls: robot, start: stand, skills: {stand: {do: stand}}}}\n"
                 "goal: {inside: [robot, far]}\n"
                 "plan: {nodes: 100, horizon: 1}\n",
                 flung ? 21 : 19);
        cr_model *model = load_text(text);
        cr_run_def def = exact_def(model);
        def.seconds = 1;
        cr_run_result result = execute(model, &def);
        assert_int_equal(result.blown, flung);
        assert_int_equal(result.plannings > 0, !flung);
        cr_model_destroy(model);
    }
}

static bool stop_soon(const cr_run_frame *frame, void *context)
{
    (void)context;
    return frame->truth->step < 10;
}

static void runs_end_when_told(void **state)
{
    (void)state;
    cr_model *model = load_scene("minigolf/bank", NULL);
    cr_run_def def = exact_def(model);
    def.show = stop_soon;
    cr_run_result result = execute(model, &def);
    assert_true(result.stopped);
    assert_int_equal(result.steps, 11); // the step of the frame that was shown is made
    def.show = NULL;
    def.seconds = 0.5;
    assert_int_equal(execute(model, &def).steps, 30);
    def.trust = 2;
    cr_report report = {0};
    assert_int_equal(cr_run_execute(model, &def, NULL, &result, &report), CR_ERR_RANGE);
    cr_model_destroy(model);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(runs_repeat),
        cmocka_unit_test(an_exact_run_is_the_plan),
        cmocka_unit_test(what_is_predicted_makes_up_for_latency),
        cmocka_unit_test(the_controller_keeps_to_the_plan),
        cmocka_unit_test(searches_come_at_intervals),
        cmocka_unit_test(a_short_plan_is_followed_at_once),
        cmocka_unit_test(a_run_against_the_clock_repeats_by_attempts),
        cmocka_unit_test(a_search_goes_on_from_the_one_before),
        cmocka_unit_test(a_collision_brings_a_search),
        cmocka_unit_test(a_periodic_world_comes_round),
        cmocka_unit_test(the_world_may_have_other_parameters),
        cmocka_unit_test(a_search_begins_in_a_touch),
        cmocka_unit_test(runs_end_when_told),
        cmocka_unit_test(intervals_are_those_of_plans),
        cmocka_unit_test(what_is_flung_out_ends_the_run),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
