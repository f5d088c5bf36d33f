// Words of scenes that look back or lean, against what is known in closed form: how long, how
// often, how far.
#include "texts.h"

#include <math.h>
#include <stdlib.h>

#include "base/trig.h"
#include "base/vec.h"
#include "behavior/behavior.h"
#include "scene/calls.h"
#include "scene/memory.h"

static const char bodies[] =
    "bodies:\n"
    "  floor: {kind: static, shape: {plane: [0, 0, 1]}}\n"
    "  ball: {kind: passive, shape: {sphere: 0.1}, mass: 1, at: [0, 0]}\n"
    "  pin: {kind: passive, shape: {cylinder: {radius: 0.1, height: 1}}, mass: 1, at: [2, 0]}\n"
    "  bar: {kind: passive, shape: {box: [1, 0.1, 0.1]}, mass: 1, at: [3, 2, 1],\n"
    "        rotation: [0, 0.70710678118654752, 0, 0.70710678118654752]}\n"
    "  robot: {kind: controlled, shape: {cylinder: {radius: 0.1, height: 0.2}}, mass: 2,\n"
    "          upright: true, at: [-2, 0]}\n"
    "regions: {hole: {box: [1, 1], at: [4, 0]}}\n"
    "tactics:\n"
    "  t: {controls: robot, skills: {a: {do: stand}, b: {do: stand}},\n"
    "      next: {a: {b: {when: {after: 1}}}, b: {a: {when: {after: 2}}}}}\n";

typedef struct world {
    cr_model *model;
    cr_state *state;
} world;

static world make(const char *goal)
{
    char text[4000];
    snprintf(text, sizeof text, "%sgoal: %s\n", bodies, goal);
    cr_model *model = compile_text(text);
    cr_state *state = cr_state_create(model);
    assert_non_null(state);
    return (world){model, state};
}

static void end(world w)
{
    free(w.state);
    cr_model_destroy(w.model);
}

static cr_body_state *body(world w, const char *name)
{
    int slot = cr_model_body(w.model, cr_model_find_body(w.model, name))->slot;
    return &cr_state_bodies(w.model, w.state)[slot];
}

// A step in which the ball is in the hole, or is not.
static bool pass(world w, bool in)
{
    body(w, "ball")->position = in ? (cr_vec3){4, 0, 0.1} : (cr_vec3){0, 0, 0.1};
    w.state->step++;
    cri_remember(w.model, w.state);
    return cri_goal_reached(w.model, w.state);
}

// ---------------------------------------------------------------------------------------------
// Memories.

// A condition that begins to hold at one state has held for t at the state whose time is nearest
// to t later, and at none before; once it does not hold, all begins anew.
static void stays_for_a_time(void **state)
{
    (void)state;
    static const double seconds[] = {0, 1 / 60.0, 0.1, 0.25, 0.49, 0.5, 1.017};
    for (size_t i = 0; i < sizeof seconds / sizeof seconds[0]; i++) {
        char goal[200];
        snprintf(goal, sizeof goal, "{stays: [{inside: [ball, hole]}, %.17g]}", seconds[i]);
        world w = make(goal);
        int needed = (int)floor(seconds[i] * 60 + 0.5);
        for (int run = 0; run < 3; run++) {
            assert_false(pass(w, false));
            for (int step = 0; step < needed + 5; step++) {
                assert_int_equal(pass(w, true), step >= needed);
            }
        }
        // It is bounded: states that are alike but for how long have the same hash.
        uint64_t hash = 0;
        for (int step = 0; step < 20; step++) {
            pass(w, true);
            w.state->step = 7;
            assert_true(step == 0 || hash == cr_state_hash(w.model, w.state));
            hash = cr_state_hash(w.model, w.state);
        }
        end(w);
    }
}

// What holds at the start counts from there.
static void the_start_is_remembered(void **state)
{
    (void)state;
    world w = make("{stays: [{not: {inside: [ball, hole]}}, 0.05]}");
    assert_false(cri_goal_reached(w.model, w.state));
    assert_false(pass(w, false));
    assert_false(pass(w, false));
    assert_true(pass(w, false));
    end(w);
    w = make("{once: {not: {inside: [ball, hole]}}}");
    assert_true(cri_goal_reached(w.model, w.state));
    end(w);
}

static void once_is_for_ever(void **state)
{
    (void)state;
    world w = make("{once: {inside: [ball, hole]}}");
    for (int step = 0; step < 40; step++) {
        assert_int_equal(pass(w, step == 13 || step == 14), step >= 13);
    }
    end(w);
}

// It is counted how often it begins, not how long it lasts.
static void times_are_counted(void **state)
{
    (void)state;
    for (int times = 1; times <= 4; times++) {
        char goal[200];
        snprintf(goal, sizeof goal, "{times: [{inside: [ball, hole]}, %d]}", times);
        world w = make(goal);
        for (int step = 0; step < 60; step++) {
            // In at 5 .. 7, 15 .. 17, ...: the n-th time at 10 n - 5.
            bool reached = pass(w, step % 10 >= 5 && step % 10 < 8);
            assert_int_equal(reached, step >= 10 * times - 5);
        }
        end(w);
    }
}

// Entering a Skill is where `since` begins; what holds on has not begun again.
static void skills_make_forget(void **state)
{
    (void)state;
    world once = make("{once: [{inside: [ball, hole]}, t]}");
    world times = make("{times: [{inside: [ball, hole]}, 1, t]}");
    assert_true(once.model->tactics[0].awaited && times.model->tactics[0].awaited);
    assert_true(pass(once, true) && pass(times, true));
    cri_forget(once.model, once.state, 0);
    cri_forget(times.model, times.state, 0);
    assert_false(cri_goal_reached(once.model, once.state));
    assert_false(cri_goal_reached(times.model, times.state));
    assert_true(pass(once, true));
    assert_false(pass(times, true));
    assert_false(pass(times, false));
    assert_true(pass(times, true));
    end(once);
    end(times);
}

// The same through Tactics and an engine: a's Skill ends after 1 s, b's after 2 s, and each ends
// what was remembered.
static void tactics_make_forget(void **state)
{
    (void)state;
    world w = make("{once: [{inside: [ball, hole]}, t]}");
    cr_engine *engine;
    assert_int_equal(cr_engine_create(w.model, "lanes", &engine, NULL), CR_OK);
    cr_action actions[8];
    cri_source source = {0};
    for (int step = 0; step < 100; step++) {
        body(w, "ball")->position.x = step == 20 || step == 80 ? 4 : 0;
        assert_true(cri_act(w.model, w.state, false, &source, actions));
        cr_step one = {.from = w.state, .to = w.state, .actions = actions};
        cr_engine_step(engine, &one, 1);
        assert_true(one.alive);
        // The Skill b is entered at the state of 1 s, and the next one is the first that counts.
        bool expected = (step >= 20 && step < 60) || step >= 80;
        assert_int_equal(cri_goal_reached(w.model, w.state), expected);
    }
    cr_engine_destroy(engine);
    end(w);
}

// Inner memories are brought up to date before those around them.
static void memories_nest(void **state)
{
    (void)state;
    world w = make("{once: {stays: [{inside: [ball, hole]}, 0.05]}}");
    for (int step = 0; step < 30; step++) {
        assert_int_equal(pass(w, step >= 4 && step < 8), step >= 7);
    }
    end(w);
}

// A step is a pure function of the state, memories and all: alone, beside others, in place.
static void batches_change_nothing(void **state)
{
    (void)state;
    enum { WORLDS = 11, STEPS = 40 };
    world w = make("{any: [{stays: [{inside: [ball, hole]}, 0.2]}, {times: [{touches: ball}, 3]},"
                   " {once: {speed: [ball, above, 3]}}]}");
    size_t size = cr_state_size(w.model);
    char *alone = malloc(WORLDS * size), *beside = malloc(WORLDS * size);
    cr_action *actions = calloc(16 * WORLDS, sizeof *actions);
    cr_engine *engine;
    assert_true(alone && beside && actions);
    assert_int_equal(cr_engine_create(w.model, "lanes", &engine, NULL), CR_OK);
    for (int i = 0; i < WORLDS; i++) {
        cr_state_start(w.model, w.state);
        body(w, "ball")->velocity = (cr_vec3){0.7 * i, 0, 0};
        memcpy(alone + (size_t)i * size, w.state, size);
        memcpy(beside + (size_t)i * size, w.state, size);
    }
    for (int step = 0; step < STEPS; step++) {
        cr_step batch[WORLDS];
        for (int i = 0; i < WORLDS; i++) {
            cr_state *one = (cr_state *)(void *)(alone + (size_t)i * size);
            cr_state *other = (cr_state *)(void *)(beside + (size_t)i * size);
            cr_step single = {.from = one, .to = w.state, .actions = &actions[16 * i]};
            cr_engine_step(engine, &single, 1);
            memcpy(one, w.state, size);
            batch[i] = (cr_step){.from = other, .to = other, .actions = &actions[16 * i]};
        }
        cr_engine_step(engine, batch, WORLDS);
        assert_memory_equal(alone, beside, WORLDS * size);
    }
    cr_engine_destroy(engine);
    free(alone);
    free(beside);
    free(actions);
    end(w);
}

// A plan whose root remembers says what, is read back to the same bits, and replays; what no
// memory can be is refused.
static void plans_carry_memories(void **state)
{
    (void)state;
    char text[4000];
    snprintf(text, sizeof text,
             "%sgoal: {all: [{once: {inside: [ball, hole]}}, {stays: [{still: robot}, 0.1]},"
             " {after: 0.3}]}\n",
             bodies);
    cr_model *model = compile_text(text);
    world w = {model, cr_state_create(model)};
    pass(w, true);
    pass(w, false);
    cr_planner_def def = cr_model_planner_def(model);
    cr_planner *planner = NULL;
    cr_plan *plan = NULL, *again = NULL;
    char *printed = NULL, *reprinted = NULL;
    size_t length;
    cr_root root = {.state = w.state};
    assert_int_equal(cr_planner_create(model, &def, &planner, NULL), CR_OK);
    assert_int_equal(cr_planner_restart(planner, &root, NULL), CR_OK);
    assert_int_equal(cr_plan_create(planner, cr_planner_grow(planner, NULL), &plan, NULL), CR_OK);
    assert_int_equal(cr_plan_print(plan, &printed, &length, NULL), CR_OK);
    char *memory = strstr(printed, "\"memory\": [1, 3]");
    assert_non_null(memory);
    assert_int_equal(cr_plan_read_text(printed, length, "p", NULL, &again, NULL), CR_OK);
    assert_int_equal(cr_plan_replay(again, 0, NULL, NULL, NULL), CR_OK);
    assert_int_equal(cr_plan_print(again, &reprinted, &length, NULL), CR_OK);
    assert_string_equal(printed, reprinted);
    cr_plan_destroy(again);
    static const char *const wrong[] = {"[1, 9]", "[2, 3]", "[1,-3]", "[1 , ]", "[0, 3]"};
    for (size_t i = 0; i < sizeof wrong / sizeof wrong[0]; i++) {
        memcpy(memory + strlen("\"memory\": "), wrong[i], strlen(wrong[i]));
        assert_int_not_equal(cr_plan_read_text(printed, length, "p", NULL, &again, NULL), CR_OK);
    }
    free(printed);
    free(reprinted);
    cr_plan_destroy(plan);
    cr_planner_destroy(planner);
    end(w);
}

// ---------------------------------------------------------------------------------------------
// Counts.

static void counts(void **state)
{
    (void)state;
    static const char of[] = "of: [{inside: [ball, hole]}, {inside: [pin, hole]}, "
                             "{inside: [robot, hole]}]";
    for (int least = 0; least <= 3; least++) {
        for (int most = least; most <= 3; most++) {
            char goal[400];
            snprintf(goal, sizeof goal, "{count: {%s, least: %d, most: %d}}", of, least, most);
            if (least == 0 && most == 3) {
                continue; // always holds, and is refused
            }
            world w = make(goal);
            for (int in = 0; in < 8; in++) {
                static const char *const names[] = {"ball", "pin", "robot"};
                int count = 0;
                for (int i = 0; i < 3; i++) {
                    body(w, names[i])->position.x = (in >> i) & 1 ? 4 : 0;
                    body(w, names[i])->position.y = 0;
                    count += (in >> i) & 1;
                }
                bool expected = count >= least && count <= most;
                assert_int_equal(cri_goal_reached(w.model, w.state), expected);
            }
            end(w);
        }
    }
}

// ---------------------------------------------------------------------------------------------
// Tilt.

// Turned by an angle about any level axis, and then about z: the tilt is the angle. The bar is
// written with a rotation, so it leans where it has left that.
static void tilts_are_angles(void **state)
{
    (void)state;
    world w = make("{fallen: pin}");
    static const char *const names[] = {"pin", "bar"};
    for (int i = 0; i < 2; i++) {
        int index = cr_model_find_body(w.model, names[i]);
        cr_quat base = w.model->bodies[index].pose.rotation;
        for (int degrees = 0; degrees <= 180; degrees += 5) {
            for (int around = 0; around < 360; around += 45) {
                double a = degrees * CRI_PI / 360, b = around * CRI_PI / 180;
                cr_quat lean = {sin(a) * cos(b), sin(a) * sin(b), 0, cos(a)};
                cr_quat turned = cri_quat_mul(cri_quat_heading(b / 3), cri_quat_mul(lean, base));
                body(w, names[i])->rotation = turned;
                expect_close(cri_tilt(w.model, w.state, index), degrees * CRI_PI / 180, 2e-8);
                if (i == 0 && degrees != 45) {
                    assert_int_equal(cri_goal_reached(w.model, w.state), degrees > 45);
                }
            }
        }
    }
    end(w);
}

static void tilt_has_sides(void **state)
{
    (void)state;
    world above = make("{tilt: [pin, above, 30 deg]}"),
          below = make("{tilt: [pin, below, 30 deg]}");
    for (int degrees = 0; degrees < 90; degrees += 7) {
        double half = degrees * CRI_PI / 360;
        body(above, "pin")->rotation = (cr_quat){sin(half), 0, 0, cos(half)};
        body(below, "pin")->rotation = (cr_quat){sin(half), 0, 0, cos(half)};
        assert_int_equal(cri_goal_reached(above.model, above.state), degrees > 30);
        assert_int_equal(cri_goal_reached(below.model, below.state), degrees < 30);
    }
    end(above);
    end(below);
}

// ---------------------------------------------------------------------------------------------
// Touches of anything: every pair of the body but with planes, and no other.

static void touches_of_anything(void **state)
{
    (void)state;
    world w = make("{touches: ball}");
    int ball = cr_model_find_body(w.model, "ball"), watched = 0;
    for (int i = 0; i < w.model->pair_count; i++) {
        const cri_pair *pair = &w.model->pairs[i];
        bool own = pair->a == ball || pair->b == ball;
        bool plane = cri_is_plane(&w.model->bodies[pair->a]);
        assert_int_equal(pair->watched >= 0, own && !plane);
        watched += pair->watched >= 0;
        cr_state_clear_touched(w.model, w.state);
        cr_state_set_touched(w.model, w.state, i);
        assert_int_equal(cri_goal_reached(w.model, w.state), own && !plane);
    }
    assert_int_equal(watched, 3); // pin, bar, robot
    end(w);
}

// ---------------------------------------------------------------------------------------------
// Lob.

// Thrown at an angle e, a body is v sin(e) t - g t^2 / 2 higher after t, and v cos(e) t farther.
static void lobs_fly(void **state)
{
    (void)state;
    for (int degrees = 15; degrees <= 75; degrees += 30) {
        char text[1000];
        snprintf(text, sizeof text,
                 "bodies:\n"
                 "  b: {kind: controlled, shape: {box: [0.1, 0.2, 0.3]}, mass: 3, at: [1, 1, 2]}\n"
                 "tactics:\n"
                 "  t: {controls: b, skills: {throw: {do: lob, at: [4, 5], speed: 6,\n"
                 "      elevation: %d deg}, fly: {do: idle}}, next: {throw: {fly: 1}}}\n",
                 degrees);
        cr_model *model = compile_text(text);
        cr_state *now = cr_state_create(model);
        cr_engine *engine;
        assert_int_equal(cr_engine_create(model, "lanes", &engine, NULL), CR_OK);
        cr_action action;
        cri_source source = {0};
        double e = degrees * CRI_PI / 180, v = 6;
        for (int step = 1; step <= 60; step++) {
            assert_true(cri_act(model, now, false, &source, &action));
            cr_step one = {.from = now, .to = now, .actions = &action};
            cr_engine_step(engine, &one, 1);
            double t = step / 60.0;
            cr_vec3 at = cr_state_bodies(model, now)[0].position;
            expect_close(at.x, 1 + 0.6 * v * cos(e) * t, 1e-5);
            expect_close(at.y, 1 + 0.8 * v * cos(e) * t, 1e-5);
            // The engine's substeps are a part of the parabola away: g t h / 2 at most.
            expect_close(at.z, 2 + v * sin(e) * t - 9.81 * t * t / 2, 9.81 * t / 480 + 1e-5);
        }
        cr_engine_destroy(engine);
        free(now);
        cr_model_destroy(model);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(stays_for_a_time),     cmocka_unit_test(the_start_is_remembered),
        cmocka_unit_test(once_is_for_ever),     cmocka_unit_test(times_are_counted),
        cmocka_unit_test(skills_make_forget),   cmocka_unit_test(tactics_make_forget),
        cmocka_unit_test(memories_nest),        cmocka_unit_test(batches_change_nothing),
        cmocka_unit_test(plans_carry_memories), cmocka_unit_test(counts),
        cmocka_unit_test(tilts_are_angles),     cmocka_unit_test(tilt_has_sides),
        cmocka_unit_test(touches_of_anything),  cmocka_unit_test(lobs_fly),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
