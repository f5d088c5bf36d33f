// Conditions, scores and draws on states: what holds when, and how draws are spread.
#include "texts.h"

#include <math.h>
#include <stdlib.h>

#include "base/trig.h"
#include "base/vec.h"
#include "scene/evaluate.h"

static const char field[] =
    "bodies:\n"
    "  floor: {kind: static, shape: {plane: [0, 0, 1]}}\n"
    "  ball: {kind: passive, shape: {sphere: 0.1}, mass: 1, at: [0, 0]}\n"
    "  robot: {kind: controlled, shape: {cylinder: {radius: 0.1, height: 0.2}}, mass: 2,\n"
    "          upright: true, at: [2, 0], heading: 180 deg}\n"
    "  post: {kind: static, shape: {box: [0.2, 0.2, 1]}, at: [1, 0.5]}\n"
    "regions:\n"
    "  hole: {box: [1, 1, 0.5], at: [4, 0]}\n"
    "  disc: {cylinder: {radius: 2}, at: [1, 1]}\n"
    "  cloud: {sphere: 3, at: [0, 0, 5]}\n"
    "  strip: {box: [4, 1], at: [0, 0], heading: 45 deg}\n"
    "sample: {body: ball, region: disc, goal: hole, goal_share: 0.25, heading: {uniform: [0, 1]}}\n"
    "tactics:\n"
    "  t:\n"
    "    controls: robot\n"
    "    skills:\n"
    "      go: {do: drive_to, place: {around: ball, distance: {uniform: [1, 2]}}}\n"
    "      kick: {do: kick, ball: ball, at: {region: cloud}, speed: {normal: [1, 3]}}\n"
    "      turn: {do: turn, by: sample, seconds: {choose: [1, 2, 4]}}\n"
    "      way: {do: drive_to, place: sample, speed: {normal: [0.5, 0]}}\n"
    "      to: {do: drive_to, place: {body: ball, offset: [0, 1]}}\n"
    "      home: {do: drive_to, place: {center: hole}}\n";

// A field with one condition as its goal, score or rule.
typedef struct world {
    cr_model *model;
    cr_state *state;
} world;

static world make(const char *more)
{
    char text[4000];
    snprintf(text, sizeof text, "%s%s\n", field, more);
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

static bool holds_at(const char *condition, cr_vec3 ball, cr_vec3 velocity)
{
    char text[400];
    snprintf(text, sizeof text, "goal: %s", condition);
    world w = make(text);
    body(w, "ball")->position = ball;
    body(w, "ball")->velocity = velocity;
    bool holds = cri_goal_reached(w.model, w.state);
    end(w);
    return holds;
}

static bool holds(const char *condition, double x, double y)
{
    return holds_at(condition, (cr_vec3){x, y, 0.1}, (cr_vec3){0, 0, 0});
}

static void places(void **state)
{
    (void)state;
    assert_true(holds("{inside: [ball, hole]}", 3.6, 0.4));
    assert_false(holds("{inside: [ball, hole]}", 3.4, 0));
    assert_false(holds_at("{inside: [ball, hole]}", (cr_vec3){4, 0, 0.6}, (cr_vec3){0, 0, 0}));
    assert_true(holds("{near: [ball, robot, 1]}", 1, 0));
    assert_false(holds("{near: [ball, robot, 1]}", 0.99, 0));
    assert_true(holds("{near: [hole, ball, 0.3]}", 4.1, 0));
}

static void motions(void **state)
{
    (void)state;
    cr_vec3 at = {0, 0, 0.1}, moving = {0.3, 0.4, 0};
    assert_true(holds_at("{speed: [ball, below, 0.51]}", at, moving));
    assert_false(holds_at("{speed: [ball, below, 0.5]}", at, moving));
    assert_true(holds_at("{speed: [ball, above, 0.49]}", at, moving));
    assert_false(holds_at("{still: ball}", at, moving));
    assert_true(holds("{still: [ball]}", 0, 0));
    assert_true(holds("{still: post}", 0, 0));
}

static void still_asks_for_spin(void **state)
{
    (void)state;
    world w = make("goal: {still: ball}");
    assert_true(cri_goal_reached(w.model, w.state));
    body(w, "ball")->spin.z = 0.1;
    assert_false(cri_goal_reached(w.model, w.state));
    end(w);
}

// The step whose time is nearest to the seconds is the first at which it holds.
static void time_passes(void **state)
{
    (void)state;
    world w = make("goal: {after: 3}");
    for (int64_t step = 0; step < 400; step++) {
        w.state->step = step;
        assert_int_equal(cri_goal_reached(w.model, w.state), step >= 180);
    }
    end(w);
}

static void lines_of_sight(void **state)
{
    (void)state;
    // The post is 0.4 away from the line between ball and robot.
    assert_true(holds("{clear_line: [ball, robot, 0.7]}", 0, 0));
    assert_false(holds("{clear_line: [ball, robot, 0.9]}", 0, 0));
    // Behind the post.
    assert_false(holds("{clear_line: [ball, robot, 0]}", 0.1, 0.9));
    assert_true(holds("{clear_line: [ball, hole, 0.2]}", 2.5, 1));
    // The robot stands between ball and hole.
    assert_false(holds("{clear_line: [ball, hole, 0.1]}", 0, 0));
    assert_true(holds("{clear_line: [ball, ball, 0.1]}", 0, 0));
}

// The edge of a corridor is where the distance says, for many widths and angles: the post is a box,
// so the nearest distance of the line is known in closed form for lines along x.
static void corridors_are_exact(void **state)
{
    (void)state;
    for (int i = 0; i < 50; i++) {
        char condition[80];
        double y = -0.3 + i * 0.01, width = 2 * (0.4 - y) - 0.0002;
        snprintf(condition, sizeof condition, "{clear_line: [ball, a, %.9g]}", width);
        for (int wider = 0; wider < 2; wider++) {
            char text[400];
            snprintf(text, sizeof text, "regions: {a: {sphere: 1, at: [3, %.9g, 0.1]}}\n", y);
            snprintf(condition, sizeof condition, "{clear_line: [ball, a, %.9g]}",
                     width + wider * 0.0004);
            char scene[1000];
            snprintf(scene, sizeof scene,
                     "bodies:\n"
                     "  ball: {kind: passive, shape: {sphere: 0.1}, mass: 1, at: [-2, %.9g]}\n"
                     "  post: {kind: static, shape: {box: [0.2, 0.2, 1]}, at: [1, 0.5]}\n"
                     "%sgoal: %s\n",
                     y, text, condition);
            cr_model *model = compile_text(scene);
            cr_state *start = cr_state_create(model);
            assert_int_equal(cri_goal_reached(model, start), wider == 0);
            free(start);
            cr_model_destroy(model);
        }
    }
}

static void headings(void **state)
{
    (void)state;
    assert_true(holds("{facing: [robot, ball, 1 deg]}", 0, 0));
    assert_true(holds("{facing: [robot, ball, 46 deg]}", 1, 1));
    assert_false(holds("{facing: [robot, ball, 44 deg]}", 1, -1));
    assert_false(holds("{facing: [robot, ball, 90 deg]}", 3, 0));
}

static void touches(void **state)
{
    (void)state;
    world w =
        make("rules: [{never: {touch: [robot, ball]}}, {always: {not: {touch: [post, ball]}}}]");
    assert_null(cri_broken_rule(w.model, w.state));
    for (int i = 0; i < 2; i++) {
        int other = cr_model_find_body(w.model, i == 0 ? "robot" : "post");
        int ball = cr_model_find_body(w.model, "ball");
        int bit = w.model->pairs[cr_model_pair(w.model, ball, other)].watched;
        assert_true(bit >= 0);
        cri_touched(w.model, w.state)[0] = (uint64_t)1 << bit;
        const cri_rule *rule = cri_broken_rule(w.model, w.state);
        assert_ptr_equal(rule, &w.model->rules[i]);
    }
    assert_string_equal(w.model->rules[1].text, "always {not: {touch: [post, ball]}}");
    end(w);
}

static void logic(void **state)
{
    (void)state;
    assert_true(holds("{all: [{still: ball}, {near: [ball, post, 9]}]}", 0, 0));
    assert_false(holds("{all: [{still: ball}, {near: [ball, post, 0.1]}]}", 0, 0));
    assert_true(holds("{any: [{inside: [ball, hole]}, {still: ball}]}", 0, 0));
    assert_false(holds("{any: [{inside: [ball, hole]}, {after: 9}]}", 0, 0));
    assert_true(holds("{not: {inside: [ball, hole]}}", 0, 0));
    world w = make("goal: {skill: [t, turn]}");
    assert_false(cri_goal_reached(w.model, w.state));
    cr_state_tactic(w.model, w.state, 0)->skill = 2;
    assert_true(cri_goal_reached(w.model, w.state));
    end(w);
}

static double score(const char *text, cr_vec3 at, cr_vec3 velocity, int64_t step)
{
    char line[400];
    snprintf(line, sizeof line, "score: %s", text);
    world w = make(line);
    body(w, "ball")->position = at;
    body(w, "ball")->velocity = velocity;
    w.state->step = step;
    double result = cri_score_of(w.model, w.state);
    end(w);
    return result;
}

static void scores(void **state)
{
    (void)state;
    cr_vec3 at = {3, 0, 0.25}, v = {3, 0, 4};
    assert_true(score("2 * 3", at, v, 0) == 6);
    expect_close(score("{ramp: {of: {distance: [ball, hole]}, from: 4, to: 0}}", at, v, 0), 0.75,
                 1e-12);
    assert_true(score("{ramp: {of: {distance: [ball, hole]}, from: 0.5, to: 0}}", at, v, 0) == 0);
    assert_true(score("{ramp: {of: {distance: [ball, hole]}, from: 0, to: 0.5}}", at, v, 0) == 1);
    expect_close(score("{ramp: {of: {speed: ball}, from: 0, to: 10}}", at, v, 0), 0.5, 1e-12);
    expect_close(score("{ramp: {of: {height: ball}, from: 0, to: 1}}", at, v, 0), 0.25, 1e-12);
    expect_close(score("{ramp: {of: time, from: 0, to: 2}}", at, v, 60), 0.5, 1e-12);
    assert_true(score("{when: {inside: [ball, hole]}}", at, v, 0) == 0);
    assert_true(score("{add: [1, {when: {not: {inside: [ball, hole]}}}, -3]}", at, v, 0) == -1);
    expect_close(
        score("{multiply: [4, {ramp: {of: {speed: ball}, from: 0, to: 10}}, 0.5]}", at, v, 0), 1,
        1e-12);
}

static void nothing_asked(void **state)
{
    (void)state;
    world w = make("");
    assert_false(cri_goal_reached(w.model, w.state));
    assert_null(cri_broken_rule(w.model, w.state));
    assert_true(cri_score_of(w.model, w.state) == 0);
    end(w);
    cr_model *bare = compile_text("bodies: {}\n");
    cr_rng rng = cr_rng_make(1, CR_RNG_USER, 0);
    cr_sample sample = cri_draw_sample(bare, &rng);
    assert_true(sample.place.x == 0 && sample.heading == 0);
    cr_model_destroy(bare);
}

// ---------------------------------------------------------------------------------------------
// Draws. Tolerances are five standard errors or more; streams are fixed, so nothing here is chance.

enum { DRAWS = 40000 };

static void regions_are_drawn_evenly(void **state)
{
    (void)state;
    world w = make("");
    cr_rng rng = cr_rng_make(3, CR_RNG_USER, 0);
    for (int r = 0; r < 4; r++) {
        const cr_region *region = cr_model_region(w.model, r);
        cr_vec3 sum = {0, 0, 0}, squares = {0, 0, 0};
        for (int i = 0; i < DRAWS; i++) {
            cr_vec3 point = cri_draw_region(region, &rng);
            assert_true(cr_region_contains(region, point));
            cr_vec3 p = cri_pose_local(region->pose, point);
            sum = cri_add(sum, p);
            squares = cri_add(squares, (cr_vec3){p.x * p.x, p.y * p.y, p.z * p.z});
        }
        // Mean square along an axis: half^2 / 3 of a box, r^2 / 4 of a disc, r^2 / 5 of a ball.
        const cr_shape *s = &region->shape;
        double rr = s->radius * s->radius;
        cr_vec3 want = r == 1   ? (cr_vec3){rr / 4, rr / 4, 0}
                       : r == 2 ? (cr_vec3){rr / 5, rr / 5, rr / 5}
                                : (cr_vec3){s->half.x * s->half.x / 3, s->half.y * s->half.y / 3,
                                            isfinite(s->half.z) ? s->half.z * s->half.z / 3 : 0};
        expect_close(sum.x / DRAWS, 0, 0.03);
        expect_close(sum.y / DRAWS, 0, 0.03);
        expect_close(squares.x / DRAWS / want.x, 1, 0.03);
        expect_close(squares.y / DRAWS / want.y, 1, 0.03);
        if (want.z > 0) {
            expect_close(squares.z / DRAWS / want.z, 1, 0.03);
        } else {
            assert_true(squares.z == 0);
        }
    }
    end(w);
}

static void samples_go_to_the_goal_as_often_as_asked(void **state)
{
    (void)state;
    world w = make("");
    cr_rng rng = cr_rng_make(4, CR_RNG_USER, 0);
    int goal = 0;
    double heading = 0;
    for (int i = 0; i < DRAWS; i++) {
        cr_sample sample = cri_draw_sample(w.model, &rng);
        bool in_goal = cr_region_contains(cr_model_region(w.model, 0), sample.place);
        assert_true(in_goal || cr_region_contains(cr_model_region(w.model, 1), sample.place));
        goal += in_goal;
        heading += sample.heading;
        assert_true(sample.heading >= 0 && sample.heading < 1);
    }
    expect_close((double)goal / DRAWS, 0.25, 0.012);
    expect_close(heading / DRAWS, 0.5, 0.01);
    end(w);
}

static void draw(world w, int skill, const cr_sample *sample, cr_rng *rng, double *drawn)
{
    cri_draw_values(w.model, &w.model->tactics[0].skills[skill], w.state, sample, rng, drawn);
}

static void values_are_drawn_as_written(void **state)
{
    (void)state;
    world w = make("");
    body(w, "ball")->position = (cr_vec3){5, 6, 0.1};
    cr_rng rng = cr_rng_make(5, CR_RNG_USER, 0);
    cr_sample sample = {{7, 8, 9}, 0.5};
    double drawn[8], distance = 0, cosine = 0, speed = 0;
    int counts[5] = {0};
    for (int i = 0; i < DRAWS; i++) {
        draw(w, 0, &sample, &rng, drawn);
        double dx = drawn[0] - 5, dy = drawn[1] - 6, d = sqrt(dx * dx + dy * dy);
        assert_true(d >= 1 - 1e-9 && d <= 2 + 1e-9 && drawn[2] == 0.1);
        distance += d;
        cosine += dx / d;
        draw(w, 1, &sample, &rng, drawn);
        assert_true(cr_region_contains(cr_model_region(w.model, 2),
                                       (cr_vec3){drawn[0], drawn[1], drawn[2]}));
        // A normal with mean 1 and deviation 3, kept to the parameter's range from 0 to 50.
        assert_true(drawn[3] >= 0 && drawn[3] <= 50);
        speed += drawn[3];
        draw(w, 2, &sample, &rng, drawn);
        assert_true(drawn[0] == 0.5);
        counts[(int)drawn[1]]++;
        draw(w, 3, &sample, &rng, drawn);
        assert_true(drawn[0] == 7 && drawn[1] == 8 && drawn[2] == 9 && drawn[3] == 0.5);
    }
    expect_close(distance / DRAWS, 1.5, 0.01);
    expect_close(cosine / DRAWS, 0, 0.02);
    // Mean of the bell above 0: m + s phi(m/s) / Phi(m/s) = 1 + 3 * 0.3774 / 0.6306.
    expect_close(speed / DRAWS, 2.795, 0.06);
    expect_close(counts[1] / (double)DRAWS, 1.0 / 3, 0.012);
    expect_close(counts[2] / (double)DRAWS, 1.0 / 3, 0.012);
    expect_close(counts[4] / (double)DRAWS, 1.0 / 3, 0.012);
    end(w);
}

// What is not drawn follows the state; what was drawn stays.
static void values_now(void **state)
{
    (void)state;
    world w = make("");
    const cri_skill *skills = w.model->tactics[0].skills;
    assert_int_equal(skills[4].drawn_count, 0);
    body(w, "ball")->position = (cr_vec3){5, 6, 0.1};
    cr_vec3 place = cri_value_place(w.model, w.state, &skills[4].values[0], NULL);
    assert_true(place.x == 5 && place.y == 7 && place.z == 0.1);
    place = cri_value_place(w.model, w.state, &skills[5].values[0], NULL);
    assert_true(place.x == 4 && place.y == 0 && place.z == 0.25);
    const double drawn[4] = {1, 2, 3, 4};
    place = cri_value_place(w.model, w.state, &skills[1].values[1], drawn);
    assert_true(place.x == 1 && place.z == 3);
    assert_true(cri_value_number(&skills[1].values[2], drawn) == 4);
    end(w);
}

static void same_stream_same_draws(void **state)
{
    (void)state;
    world a = make(""), b = make("");
    for (uint64_t k = 0; k < 100; k++) {
        cr_rng one = cr_rng_make(9, CR_RNG_ATTEMPT, k), two = one, other = one;
        other.key[1]++;
        cr_sample s = cri_draw_sample(a.model, &one), t = cri_draw_sample(b.model, &two);
        assert_memory_equal(&s, &t, sizeof s);
        double x[8] = {0}, y[8] = {0}, z[8] = {0};
        draw(a, 1, &s, &one, x);
        draw(b, 1, &t, &two, y);
        draw(b, 1, &t, &other, z);
        assert_memory_equal(x, y, sizeof x);
        assert_memory_not_equal(x, z, sizeof x);
    }
    end(a);
    end(b);
}

// ---------------------------------------------------------------------------------------------
// Starts.

static const char starts[] =
    "bodies:\n"
    "  floor: {kind: static, shape: {plane: [0, 0, 1]}}\n"
    "  a: {kind: passive, shape: {box: [0.4, 0.2, 0.2]}, mass: 1, at: [5, 0]}\n"
    "  b: {kind: passive, shape: {sphere: 0.1}, mass: 1, at: [6, 0, 0.5]}\n"
    "  c: {kind: static, shape: {box: [0.1, 0.1, 0.1]}, at: [7, 0]}\n"
    "regions: {room: {box: [1, 1], at: [0, 0]}, air: {box: [1, 1, 1], at: [0, 0, 2]}}\n"
    "start:\n"
    "  a: {at: {region: room}, heading: {uniform: [0, 360 deg]}, velocity: [{uniform: [1, 2]}, "
    "0]}\n"
    "  b: {at: {region: air}}\n"
    "  c: {at: {around: a, distance: 0.3}}\n";

static void starts_are_drawn(void **state)
{
    (void)state;
    uint64_t seen = 0;
    for (int n = 1; n <= 40; n++) {
        cr_model *m = compile_start(starts, NULL, n), *again = compile_start(starts, NULL, n);
        cr_state *s = cr_state_create(m), *t = cr_state_create(again);
        uint64_t hash = cr_state_hash(m, s);
        assert_true(hash == cr_state_hash(again, t) && hash != seen);
        seen = hash;
        const cr_body_state *bodies = cr_state_bodies(m, s);
        // a stays on the ground, b is where its region is, c keeps its distance from a.
        assert_true(fabs(bodies[0].position.x) <= 0.5 && fabs(bodies[0].position.y) <= 0.5);
        expect_close(bodies[0].position.z, 0.1, 1e-12);
        assert_true(bodies[0].velocity.x >= 1 && bodies[0].velocity.x < 2);
        assert_true(bodies[1].position.z >= 1.5 && bodies[1].position.z <= 2.5);
        cr_vec3 c = cr_state_pose(m, s, 3).position;
        expect_close(c.z, 0.05, 1e-12);
        double dx = c.x - bodies[0].position.x, dy = c.y - bodies[0].position.y;
        expect_close(sqrt(dx * dx + dy * dy), 0.3, 1e-12);
        assert_int_equal(cr_model_start(m), n);
        free(s);
        free(t);
        cr_model_destroy(m);
        cr_model_destroy(again);
    }
}

static void start_errors(void **state)
{
    (void)state;
    static const char crowded[] = "bodies:\n"
                                  "  a: {kind: passive, shape: {sphere: 1}, mass: 1, at: [5, 0]}\n"
                                  "  b: {kind: passive, shape: {sphere: 1}, mass: 1, at: [0, 0]}\n"
                                  "start:\n"
                                  "  a: {at: [0, 0.5]}\n";
    cr_report report = {0};
    cr_scene *scene = NULL;
    cr_model *model = NULL;
    char line[640];
    assert_int_equal(cr_scene_read_text(crowded, strlen(crowded), "t.yaml", &scene, NULL), CR_OK);
    assert_int_equal(cr_model_create(scene, NULL, 0, &model, &report), CR_OK);
    cr_model_destroy(model);
    assert_int_equal(cr_model_create(scene, NULL, 7, &model, &report), CR_ERR_RANGE);
    assert_string_equal(
        cr_error_print(&report.errors[0], line, sizeof line),
        "t.yaml:5:3: start 7: bodies must not overlap, but do in all of 1000 draws");
    assert_int_equal(cr_model_create(scene, NULL, -1, &model, &report), CR_ERR_RANGE);
    assert_string_equal(cr_error_print(&report.errors[1], line, sizeof line),
                        "t.yaml: start must be at least 0, got -1");
    cr_scene_destroy(scene);
    assert_int_equal(cr_scene_read_text("bodies: {}", 10, "t.yaml", &scene, NULL), CR_OK);
    assert_int_equal(cr_model_create(scene, NULL, 1, &model, &report), CR_ERR_NAME);
    assert_string_equal(cr_error_print(&report.errors[2], line, sizeof line),
                        "t.yaml: the scene has no \"start:\", so start must be 0, got 1");
    cr_scene_destroy(scene);
    expect_errors("bodies:\n"
                  "  a: {kind: static, shape: {sphere: 1}}\n"
                  "start:\n"
                  "  a: {at: sample, hading: 1, velocity: [1, 1]}\n"
                  "  b: {at: [1]}\n",
                  "t.yaml:4:11: start of \"a\": at must not be the sample: there is none here\n"
                  "t.yaml:4:19: start of \"a\": unknown key \"hading\"; did you mean \"heading\"?\n"
                  "t.yaml:4:40: start of \"a\": a static body has no velocity and no spin\n"
                  "t.yaml:5:3: start: unknown body \"b\"; did you mean \"a\"?\n"
                  "t.yaml:5:11: start of \"b\": at must have 2 to 3 values, got 1\n");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(places),
        cmocka_unit_test(motions),
        cmocka_unit_test(still_asks_for_spin),
        cmocka_unit_test(time_passes),
        cmocka_unit_test(lines_of_sight),
        cmocka_unit_test(corridors_are_exact),
        cmocka_unit_test(headings),
        cmocka_unit_test(touches),
        cmocka_unit_test(logic),
        cmocka_unit_test(scores),
        cmocka_unit_test(nothing_asked),
        cmocka_unit_test(regions_are_drawn_evenly),
        cmocka_unit_test(samples_go_to_the_goal_as_often_as_asked),
        cmocka_unit_test(values_are_drawn_as_written),
        cmocka_unit_test(values_now),
        cmocka_unit_test(same_stream_same_draws),
        cmocka_unit_test(starts_are_drawn),
        cmocka_unit_test(start_errors),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
