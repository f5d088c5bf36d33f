// Places that follow from others: the ghost ball and the mirror, against their closed forms and
// against what balls do in a world without friction.
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <cmocka.h>

#include "base/vec.h"
#include "scene/evaluate.h"
#include "texts.h"

static const char table[] =
    "gravity: 0\n"
    "materials: {ivory: {friction: 0, restitution: 1}}\n"
    "bodies:\n"
    "  a: {kind: controlled, shape: {sphere: %.17g}, mass: 1, material: ivory, at: [%.17g, %.17g, "
    "%.17g]}\n"
    "  b: {kind: controlled, shape: {sphere: %.17g}, mass: 1, material: ivory, at: [%.17g, %.17g, "
    "%.17g]}\n"
    "  c: {kind: passive, shape: {sphere: 0.05}, mass: 1, material: ivory, at: [9, 9, 0.05]}\n"
    "  wall: {kind: static, shape: {box: [4, 0.2, 1]}, material: ivory, at: [0, 2.1], heading: "
    "%.17g}\n"
    "regions: {spot: {cylinder: {radius: 0.1}, at: [%.17g, %.17g]}}\n"
    "tactics:\n"
    "  player:\n"
    "    controls: a\n"
    "    skills: {shot: {do: strike, at: %s, speed: 1}, roll: {do: idle}}\n"
    "    next: {shot: {roll: 1}}\n"
    "plan: {horizon: 10}\n";

typedef struct layout {
    double a[4], b[4], spot[2], heading; // radius, x, y, z; radius, x, y, z
} layout;

static cr_model *compile_layout(const layout *l, const char *place)
{
    char text[2000];
    snprintf(text, sizeof text, table, l->a[0], l->a[1], l->a[2], l->a[3], l->b[0], l->b[1],
             l->b[2], l->b[3], l->heading, l->spot[0], l->spot[1], place);
    return compile_start(text, NULL, 0);
}

// The first parameter of strike, in the start state.
static cr_vec3 aim_of(const cr_model *model, cr_rng *rng)
{
    const cri_value *value = &model->tactics[0].skills[0].values[0];
    const cr_state *state = (const cr_state *)(const void *)model->start_state;
    return cri_draw_place(model, &value->place, state, NULL, rng);
}

static layout draw_layout(cr_rng *rng)
{
    layout l = {.a = {cr_rng_uniform(rng, 0.02, 0.06), cr_rng_uniform(rng, -1.5, -0.8),
                      cr_rng_uniform(rng, -0.5, 0.5), 0},
                .b = {cr_rng_uniform(rng, 0.02, 0.06), cr_rng_uniform(rng, -0.3, 0.3),
                      cr_rng_uniform(rng, -0.5, 0.5), 0},
                .spot = {cr_rng_uniform(rng, 0.8, 1.5), cr_rng_uniform(rng, -0.5, 0.5)}};
    l.a[3] = l.a[0], l.b[3] = l.b[0]; // both on the ground
    return l;
}

// The middles are a + b apart in space, the ghost stands as high as the ball does, and from above
// spot, ball and ghost are in line, in that order.
static void test_ghost_is_where_it_is(void **state)
{
    (void)state;
    cr_rng rng = cr_rng_make(1, CR_RNG_USER, 0);
    for (int i = 0; i < 200; i++) {
        layout l = draw_layout(&rng);
        cr_model *model = compile_layout(&l, "{ghost: b, toward: {center: spot}}");
        cr_vec3 ghost = aim_of(model, NULL), b = model->bodies[1].pose.position;
        cr_vec3 to_spot = cri_vec3(l.spot[0] - b.x, l.spot[1] - b.y, 0);
        cr_vec3 to_ghost = cri_vec3(ghost.x - b.x, ghost.y - b.y, 0);
        assert_true(fabs(cri_length(cri_sub(ghost, b)) - (l.a[0] + l.b[0])) < 1e-9);
        assert_true(fabs(ghost.z - l.a[0]) < 1e-9);
        double cosine = cri_dot(to_spot, to_ghost) / cri_length(to_spot) / cri_length(to_ghost);
        assert_true(cosine < -1 + 1e-12);
        cr_model_destroy(model);
    }
}

// The numbers that trick-shot had before it could aim, worked out by hand.
static void test_chain_of_ghosts(void **state)
{
    (void)state;
    const double r = 0.028575;
    layout l = {{r, 0.6, -0.08, r}, {r, 1.03, -0.46, r}, {1.27, -0.635}, 0};
    cr_model *model = compile_layout(&l, "{ghost: b, toward: {center: spot}}");
    cr_vec3 last = aim_of(model, NULL);
    assert_true(fabs(last.x - 0.9838) < 1e-4 && fabs(last.y + 0.4263) < 1e-4);
    cr_model_destroy(model);
    model = compile_layout(&l, "{ghost: a, with: c, toward: {ghost: b, toward: {center: spot}}}");
    cr_vec3 first = aim_of(model, NULL);
    double sum = r + 0.05, height = 0.05 - r, apart = sqrt(sum * sum - height * height);
    double x = last.x - 0.6, y = last.y + 0.08, length = sqrt(x * x + y * y);
    assert_true(fabs(first.x - (0.6 - apart * x / length)) < 1e-9);
    assert_true(fabs(first.y - (-0.08 - apart * y / length)) < 1e-9);
    cr_model_destroy(model);
}

// A world is stepped until ball b moves, or until it comes nowhere.
static cr_plan *play(const cr_model *model)
{
    cr_planner_def def = cr_model_planner_def(model);
    cr_simulate_def how = cr_default_simulate_def();
    how.seconds = 9;
    cr_plan *plan = NULL;
    cr_report report = {0};
    assert_int_equal(cr_plan_simulate(model, &def, &how, &plan, &report), CR_OK);
    return plan;
}

typedef struct watch {
    const cr_model *model;
    int body;
    cr_vec3 target;
    double nearest;
} watch;

static bool look(const cr_replay_step *step, void *context)
{
    watch *w = context;
    cr_vec3 at = cri_thing_position(w->model, step->state, w->body);
    cr_vec3 away = cri_vec3(at.x - w->target.x, at.y - w->target.y, 0);
    w->nearest = fmin(w->nearest, cri_length(away));
    return true;
}

// How near a body comes to the spot in the future of its layout.
static double nearest_to_spot(const layout *l, const char *place, int body)
{
    cr_model *model = compile_layout(l, place);
    cr_plan *plan = play(model);
    cr_report report = {0};
    watch w = {model, body, cri_vec3(l->spot[0], l->spot[1], 0), HUGE_VAL};
    cr_plan_replay(plan, 0, look, &w, &report);
    cr_plan_destroy(plan);
    cr_model_destroy(model);
    return w.nearest;
}

// Balls of one size without friction: who is met at the ghost goes to the spot. A step is 1/60 s at
// less than 1 m/s, so the nearest state may be 8 mm before or behind it.
static void test_the_ball_goes_there(void **state)
{
    (void)state;
    cr_rng rng = cr_rng_make(2, CR_RNG_USER, 0);
    for (int i = 0; i < 20; i++) {
        layout l = draw_layout(&rng);
        l.b[0] = l.b[3] = l.a[3] = l.a[0];
        assert_true(nearest_to_spot(&l, "{ghost: b, toward: {center: spot}}", 1) < 0.02);
    }
}

// ---------------------------------------------------------------------------------------------
// Mirrors.

// As far behind the side as the place is before it, and straight behind.
static const struct {
    layout l;
    const char *place;
    double x, y;
} images[] = {
    {{{0.05, -1, 0, 0.05}, {0.05, 1, 0, 0.05}, {1, 0.5}, 0},
     "{mirror: {center: spot}, in: wall}",
     1,
     3.5},
    {{{0.05, -1, 0, 0.05}, {0.05, 1, 0, 0.05}, {1, 0.5}, 0},
     "{mirror: {center: spot}, in: wall, with: a}",
     1,
     3.4},
    {{{0.05, -1, 0, 0.05}, {0.05, 1, 0, 0.05}, {1, 3}, 0},
     "{mirror: {center: spot}, in: wall}",
     1,
     1.4}, // from behind
    {{{0.05, -1, 0, 0.05}, {0.05, 1, 0, 0.05}, {-5, 2.1}, 0},
     "{mirror: {center: spot}, in: wall}",
     1,
     2.1}, // its end
    {{{0.05, -1, 0, 0.05}, {0.05, 1, 0, 0.05}, {1, 2.1}, 1.5707963267948966},
     "{mirror: {center: spot}, in: wall}",
     -0.8,
     2.1}, // turned
    {{{0.05, -1, 0, 0.05}, {0.05, 1, 0, 0.05}, {1, 0.5}, 0},
     "{mirror: {mirror: {center: spot}, in: wall}, in: wall}",
     1,
     0.9}, // there and back: off the far side
};

static void test_mirror_image(void **state)
{
    (void)state;
    for (size_t i = 0; i < sizeof images / sizeof images[0]; i++) {
        cr_model *model = compile_layout(&images[i].l, images[i].place);
        cr_vec3 image = aim_of(model, NULL);
        if (!(fabs(image.x - images[i].x) < 1e-9 && fabs(image.y - images[i].y) < 1e-9)) {
            print_error("%s: %.12g %.12g\n", images[i].place, image.x, image.y);
            fail();
        }
        cr_model_destroy(model);
    }
}

static void test_the_ball_comes_off_the_wall(void **state)
{
    (void)state;
    cr_rng rng = cr_rng_make(3, CR_RNG_USER, 0);
    for (int i = 0; i < 10; i++) {
        layout l = draw_layout(&rng);
        l.b[2] = -1.5; // out of the way
        l.spot[1] = cr_rng_uniform(&rng, 0.8, 1.2);
        l.a[2] = cr_rng_uniform(&rng, 0.8, 1.2);
        assert_true(nearest_to_spot(&l, "{mirror: {center: spot}, in: wall, with: a}", 0) < 0.02);
    }
}

// ---------------------------------------------------------------------------------------------
// Draws and refusals.

// A spread is drawn evenly in its disc, a ghost of what is drawn is drawn, others are not.
static void test_what_is_drawn(void **state)
{
    (void)state;
    static const struct {
        const char *place;
        int doubles;
    } rows[] = {
        {"{ghost: b, toward: {center: spot}}", 0},
        {"{ghost: b, toward: {center: spot}, spread: 0}", 0},
        {"{ghost: b, toward: {region: spot}}", 3},
        {"{ghost: b, toward: {center: spot}, spread: 0.1}", 3},
        {"{ghost: b, toward: {ghost: c, toward: {region: spot}}}", 3},
        {"{mirror: {body: c}, in: wall}", 0},
        {"{mirror: {around: c, distance: 1}, in: wall}", 3},
        {"{center: spot, offset: [1, 2]}", 0},
    };
    const layout l = {{0.05, -1, 0, 0.05}, {0.05, 1, 0, 0.05}, {2, 0}, 0};
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        cr_model *model = compile_layout(&l, rows[i].place);
        assert_int_equal(model->tactics[0].skills[0].drawn_count, rows[i].doubles);
        cr_model_destroy(model);
    }
    cr_model *model = compile_layout(&l, "{ghost: b, toward: {center: spot}, spread: 0.1}");
    cr_rng rng = cr_rng_make(4, CR_RNG_USER, 0);
    int inner = 0;
    for (int i = 0; i < 1000; i++) {
        cr_vec3 at = aim_of(model, &rng);
        double away = cri_length(cri_sub(at, cri_vec3(0.9, 0, 0.05)));
        assert_true(away <= 0.1);
        inner += away < 0.1 * sqrt(0.5);
    }
    assert_true(abs(inner - 500) < 78); // 4.9 sigma
    cr_model_destroy(model);
    model = compile_layout(&l, "{center: spot, offset: [1, 2]}");
    cr_vec3 at = aim_of(model, NULL);
    assert_true(at.x == 3 && at.y == 2 && at.z == 0);
    cr_model_destroy(model);
}

static void test_refusals(void **state)
{
    (void)state;
    static const struct {
        const char *place, *error;
    } rows[] = {
        {"{ghost: b}", "key \"toward\" is missing beside \"ghost\""},
        {"{mirror: [0, 0]}", "key \"in\" is missing beside \"mirror\""},
        {"{around: b}", "key \"distance\" is missing beside \"around\""},
        {"{body: b, toward: [0, 0]}", "\"toward\" goes with \"ghost\""},
        {"{region: spot, spread: 1}", "\"spread\" goes with \"ghost\" or \"mirror\""},
        {"{region: spot, offset: [1, 1]}", "\"offset\" goes with \"body\" or \"center\""},
        {"{ghost: wall, toward: [0, 0]}", "ghost must be a ball, \"wall\" is no sphere"},
        {"{ghost: b, with: wall, toward: [0, 0]}", "with must be a ball, \"wall\" is no sphere"},
        {"{ghost: a, toward: [0, 0]}", "ghost: \"a\" cannot meet itself"},
        {"{ghost: b, toward: {ghost: b, toward: [0, 0]}}", "ghost: \"b\" cannot meet itself"},
        {"{ghost: b, toward: {body: b}}", "toward must not be where \"b\" is itself"},
        {"{mirror: [0, 0], in: b}", "in must be a static box, \"b\" is none"},
        {"{ghost: b, toward: [0, 0], spread: -1}", "spread must be at least 0, got -1"},
        {"{ghost: b, mirror: [0, 0]}", "at must have one of \"body\", \"center\", \"region\", "
                                       "\"around\", \"ghost\", \"mirror\""},
    };
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        char text[2000], errors[4000];
        snprintf(text, sizeof text, table, 0.05, -1.0, 0.0, 0.05, 0.05, 1.0, 0.0, 0.05, 0.0, 2.0,
                 0.0, rows[i].place);
        text_errors(text, strlen(text), errors, sizeof errors);
        if (!strstr(errors, rows[i].error)) {
            print_error("%s\n--- expected\n%s\n--- got\n%s", rows[i].place, rows[i].error, errors);
            fail();
        }
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_ghost_is_where_it_is),
        cmocka_unit_test(test_chain_of_ghosts),
        cmocka_unit_test(test_the_ball_goes_there),
        cmocka_unit_test(test_mirror_image),
        cmocka_unit_test(test_the_ball_comes_off_the_wall),
        cmocka_unit_test(test_what_is_drawn),
        cmocka_unit_test(test_refusals),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
