// Capsules and hulls in engines, held to closed forms, and in scene files.
#include <stdio.h>

#include "carom/carom.h"
#include "scene/scene.h"
#include "world.h"

static cr_body free_body(double mass, cr_pose pose)
{
    return (cr_body){.kind = CR_KIND_PASSIVE, .mass = mass, .pose = pose};
}

// ---------------------------------------------------------------------------------------------
// Closed forms.

// Lying across a slope it rolls with a = g sin / (1 + I / (m r^2)), as every round thing.
static void capsules_roll_down_slopes(void **state)
{
    const double slope = 0.2, r = 0.05;
    world w = world_make();
    int m = world_material(&w, 0.8, 0.8, 0);
    cr_quat tilt = cri_quat_axis(cri_vec3(0, 1, 0), slope);
    cr_vec3 normal = cri_rotate(tilt, cri_vec3(0, 0, 1)),
            down = cri_rotate(tilt, cri_vec3(1, 0, 0));
    world_add(&w, plane_of(), m, (cr_body){.pose = {{0, 0, 0}, tilt}});
    cr_pose at = {cri_scale(r, normal), cri_quat_axis(cri_vec3(1, 0, 0), CRI_PI / 2)};
    int body = world_add(&w, capsule_of(r, 0.2), m, free_body(2, at));
    world_finish(&w);
    bench b = bench_open(&w, *state);
    bench_run(&b, 60);
    double inertia = w.bodies[body].inertia.z / (2 * r * r);
    double expected = 9.81 * cri_sin(slope) / (1 + inertia) / 2;
    cr_vec3 way = cri_sub(bench_body(&b, body)->position, at.position);
    assert_near(cri_dot(way, down) / expected, 1, 0.01);
    assert_near(cri_dot(way, normal), 0, 1e-4);
    assert_near(bench_body(&b, body)->spin.y, 2 * expected / r, 0.02 * 2 * expected / r);
    bench_close(&b);
    world_free(&w);
}

// A tall block on its edge, a little off balance, that cannot slip: an inverted pendulum. From rest
// the angle off balance grows as cosh(t sqrt(m g R / I)), I about the edge.
static void hulls_tip_over_edges(void **state)
{
    const double wide = 0.1, tall = 0.4, off = 0.02;
    cr_hull hull;
    world w = world_make();
    int m = world_material(&w, 5, 5, 0);
    world_add(&w, plane_of(), m, (cr_body){0});
    // Balanced it leans by the angle of its diagonal.
    double lean = cri_atan2(wide, tall) + off, lever = sqrt(wide * wide + tall * tall) / 2;
    cr_pose at = {{lever * cri_sin(off), 0, lever * cri_cos(off)},
                  cri_quat_axis(cri_vec3(0, 1, 0), lean)};
    int body = world_add(&w, box_hull_of(wide, 0.2, tall, &hull), m, free_body(1, at));
    world_finish(&w);
    bench b = bench_open(&w, *state);
    bench_run(&b, 24);
    double inertia = w.bodies[body].inertia.y + lever * lever, t = 24.0 / 60;
    double grown = off * cosh(t * sqrt(9.81 * lever / inertia));
    cr_vec3 p = bench_body(&b, body)->position;
    assert_near(cri_atan2(p.x, p.z) / grown, 1, 0.03);
    assert_near(sqrt(p.x * p.x + p.z * p.z), lever, 1e-3);
    bench_close(&b);
    world_free(&w);
}

// Hulls on hulls, a capsule in the valley of two boxes, and stones: from the second second on
// nothing moves.
static void things_come_to_rest(void **state)
{
    enum { COUNT = 7 };
    cr_hull hulls[COUNT];
    int bodies[COUNT];
    cr_vec3 before[COUNT];
    world w = world_make();
    int m = world_material(&w, 0.6, 0.6, 0);
    world_add(&w, plane_of(), m, (cr_body){0});
    for (int i = 0; i < 4; i++) {
        bodies[i] = world_add(&w, box_hull_of(0.2, 0.2, 0.1, &hulls[i]), m,
                              free_body(1, pose_at(0, 0, 0.05 + 0.1 * i)));
    }
    bodies[4] = world_add(&w, stone_of(0.1, &hulls[4]), m, free_body(1, pose_at(1, 0, 0.1)));
    world_add(&w, box_of(0.1, 0.4, 0.2), m, (cr_body){.pose = pose_at(-1, 0, 0.1)});
    world_add(&w, box_of(0.1, 0.4, 0.2), m, (cr_body){.pose = pose_at(-0.85, 0, 0.1)});
    cr_pose lies = {{-0.925, 0, 0.24}, cri_quat_axis(cri_vec3(1, 0, 0), CRI_PI / 2)};
    bodies[5] = world_add(&w, capsule_of(0.04, 0.2), m, free_body(1, lies));
    bodies[6] = world_add(&w, stone_of(0.08, &hulls[6]), m, free_body(1, pose_at(0, 1, 0.1)));
    world_finish(&w);
    bench b = bench_open(&w, *state);
    bench_run(&b, 120);
    for (int i = 0; i < COUNT; i++) {
        before[i] = bench_body(&b, bodies[i])->position;
    }
    bench_run(&b, 60);
    for (int i = 0; i < COUNT; i++) {
        cr_vec3 now = bench_body(&b, bodies[i])->position;
        assert_near(cri_length(cri_sub(now, before[i])), 0, 1e-3);
    }
    for (int i = 0; i < 4; i++) {
        assert_near(bench_body(&b, bodies[i])->position.z, 0.05 + 0.1 * i, 1e-3);
    }
    // Two edges of boxes, 0.05 apart, under a round of 0.04: up by sqrt(0.04^2 - 0.025^2).
    assert_near(bench_body(&b, bodies[5])->position.z, 0.2 + sqrt(0.04 * 0.04 - 0.025 * 0.025),
                1e-3);
    bench_close(&b);
    world_free(&w);
}

// A ball that falls on a corner, an edge or a side of what stands fast leaves it along the normal
// there: without friction and with restitution 1 the normal is the change of its velocity.
static void balls_bounce_off_hulls(void **state)
{
    cr_rng rng = cr_rng_make(8, CR_RNG_USER, 0);
    for (int i = 0; i < 40; i++) {
        cr_hull hull;
        cr_shape shape = i % 2 ? capsule_of(0.06, 0.1) : stone_of(0.15, &hull);
        world w = world_make();
        w.model.gravity = cri_vec3(0, 0, 0);
        int m = world_material(&w, 0, 0, 1);
        cr_pose turned = {
            {0, 0, 0},
            cri_quat_axis(cri_unit(cri_vec3(cr_rng_normal(&rng, 0, 1), 1, 0.5), cri_vec3(1, 0, 0)),
                          cr_rng_uniform(&rng, 0, 6))};
        world_add(&w, shape, m, (cr_body){.pose = turned});
        int ball = world_add(&w, sphere_of(0.02), m,
                             free_body(1, pose_at(0.03 * cr_rng_unit(&rng), 0.02, 0.5)));
        w.bodies[ball].velocity = cri_vec3(0, 0, -2);
        world_finish(&w);
        bench b = bench_open(&w, *state);
        bench_run(&b, 30);
        cr_body_state *s = bench_body(&b, ball);
        cr_vec3 change = cri_sub(s->velocity, cri_vec3(0, 0, -2));
        cr_vec3 n = cri_unit(change, cri_vec3(0, 0, 1));
        assert_near(cri_length(s->velocity), 2, 1e-3);
        assert_true(cri_length(change) > 0.1);
        // Back to where it met: one radius off the surface, along the same normal.
        cri_nearest near = {.distance = HUGE_VAL};
        for (int k = 0; k < 4000 && near.distance > 0.02 + 2e-4; k++) {
            cr_vec3 p = cri_mad(s->position, -k * 1.25e-4, s->velocity);
            near = cri_shape_nearest(&shape, turned, p);
        }
        assert_near(near.distance, 0.02, 4e-4);
        assert_true(cri_dot(near.normal, n) > 0.999);
        bench_close(&b);
        world_free(&w);
    }
}

// ---------------------------------------------------------------------------------------------
// Scene files.

static cr_model *compile(cr_scene *scene, cr_report *report)
{
    cr_model *model = NULL;
    cr_model_create(scene, NULL, 0, &model, report);
    return model;
}

static void write_file(const char *path, const char *text)
{
    FILE *file = fopen(path, "w");
    assert_non_null(file);
    assert_true(fputs(text, file) >= 0);
    assert_int_equal(fclose(file), 0);
}

static const char *const CUBE = "v 0 0 0\nv 10 0 0\nv 0 10 0\nv 0 0 10\nv 10 10 0\nv 10 0 10\n"
                                "v 0 10 10\nv 10 10 10\nv 5 5 5\nf 1 2 3\n";

// A file's hull is part of the scene's text: what is made of the text alone is the same.
static void files_become_points(void **state)
{
    (void)state;
    write_file("hulls-cube.obj", CUBE);
    write_file("hulls-scene.yaml",
               "bodies:\n"
               "  a: {kind: passive, mass: 3, shape: {hull: {file: hulls-cube.obj, scale: 0.01}}}\n"
               "  b: {kind: static, at: [1, 1], parts: [{shape: {hull: {scale: 0.01, file: "
               "\"hulls-cube.obj\"}}}]}\n");
    cr_scene *scene, *alone;
    assert_int_equal(cr_scene_read("hulls-scene.yaml", &scene, NULL), CR_OK);
    remove("hulls-cube.obj");
    remove("hulls-scene.yaml");
    size_t length;
    const char *text = cr_scene_text(scene, &length);
    assert_null(strstr(text, "hulls-cube"));
    assert_int_equal(cr_scene_read_text(text, length, "alone", &alone, NULL), CR_OK);
    cr_model *one = compile(scene, NULL), *two = compile(alone, NULL);
    assert_true(one && two);
    for (int i = 0; i < 2; i++) {
        const cr_shape *a = &cr_model_body(one, i)->parts[0].shape;
        const cr_shape *b = &cr_model_body(two, i)->parts[0].shape;
        assert_int_equal(a->kind, CR_SHAPE_HULL);
        assert_int_equal(a->hull->corner_count, 8);
        assert_int_equal(a->hull->face_count, 6);
        assert_memory_equal(a->hull, b->hull, sizeof *a->hull);
    }
    // A cube of 0.1 m, with its own corner at `at`.
    assert_near(cr_model_body(one, 0)->inertia.x, 3 * 0.01 / 6, 1e-12);
    assert_near(cr_model_body(one, 0)->pose.position.x, 0.05, 1e-12);
    assert_near(cr_model_body(one, 1)->pose.position.y, 1.05, 1e-12);
    cr_model_destroy(one);
    cr_model_destroy(two);
    cr_scene_destroy(scene);
    cr_scene_destroy(alone);
}

// Messages name the places of the file that was read, also behind points that took a file's place.
static void places_stay_where_they_were(void **state)
{
    (void)state;
    write_file("hulls-cube.obj", CUBE);
    write_file("hulls-scene.yaml",
               "bodies:\n"
               "  a: {kind: passive, shape: {hull: {file: hulls-cube.obj}}, mass: -1}\n");
    cr_scene *scene;
    cr_report report = {0};
    assert_int_equal(cr_scene_read("hulls-scene.yaml", &scene, NULL), CR_OK);
    assert_null(compile(scene, &report));
    assert_int_equal(report.count, 1);
    assert_int_equal(report.errors[0].line, 2);
    assert_int_equal(report.errors[0].column, 67);
    cr_scene_destroy(scene);
    remove("hulls-cube.obj");
    remove("hulls-scene.yaml");
}

typedef struct bad_shape {
    const char *shape;
    int column;
    const char *message;
} bad_shape;

static void bad_shapes_are_refused(void **state)
{
    (void)state;
    static const bad_shape cases[] = {
        {"{capsule: {radius: 0.1}}", 24, "length"},
        {"{capsule: {radius: -0.1, length: 1}}", 33, "radius must be > 0"},
        {"{capsule: 3}", 24, "mapping"},
        {"{hull: {points: [[0, 0, 0], [1, 0, 0], [0, 1, 0]]}}", 30, "4"},
        {"{hull: {points: [[0, 0, 0], [1, 0, 0], [0, 1, 0], [1, 1, 0]]}}", 30, "volume"},
        {"{hull: {points: [[0, 0, 0], [1, 0], [0, 1, 0], [1, 1, 1]]}}", 42, "a point"},
        {"{hull: {points: [[0, 0, 0], [1, 0, 0], [0, 1, 0], [1e7, 1, 1]]}}", 64, "within 1e6 m"},
        {"{hull: {scale: 2}}", 21, "either \"points\" or \"file\""},
        {"{hull: {file: a.obj}}", 28, "no folder"},
        {"{hull: {points: [[0, 0, 0], [1, 0, 0], [0, 1, 0], [0, 0, 1]], scale: 0}}", 83, "scale"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        char text[400];
        cr_scene *scene;
        cr_report report = {0};
        int length = snprintf(text, sizeof text, "bodies:\n  a: {shape: %s, kind: static}\n",
                              cases[i].shape);
        assert_int_equal(cr_scene_read_text(text, (size_t)length, "t", &scene, NULL), CR_OK);
        assert_null(compile(scene, &report));
        assert_true(report.count > 0);
        if (report.errors[0].column != cases[i].column ||
            !strstr(report.errors[0].message, cases[i].message)) {
            fail_msg("%s: column %d: %s", cases[i].shape, report.errors[0].column,
                     report.errors[0].message);
        }
        cr_scene_destroy(scene);
    }
}

static void bad_files_are_refused(void **state)
{
    (void)state;
    static const char *const texts[][2] = {{"v 0 0 0\nv 1 0 0\nv 0 1 0\nv 1 1 0\n", "volume"},
                                           {"v 0 0\n", "three numbers"},
                                           {"v 1e9 0 0\n", "below 1e6"},
                                           {"", "no points"}};
    for (size_t i = 0; i < sizeof texts / sizeof *texts; i++) {
        write_file("hulls-bad.obj", texts[i][0]);
        write_file("hulls-scene.yaml",
                   "bodies:\n  a: {kind: static, shape: {hull: {file: hulls-bad.obj}}}\n");
        cr_scene *scene;
        cr_report report = {0};
        assert_int_not_equal(cr_scene_read("hulls-scene.yaml", &scene, &report), CR_OK);
        assert_null(scene);
        assert_int_equal(report.count, 1);
        assert_int_equal(report.errors[0].line, 2);
        assert_int_equal(report.errors[0].column, 42);
        assert_non_null(strstr(report.errors[0].message, texts[i][1]));
    }
    remove("hulls-bad.obj");
    remove("hulls-scene.yaml");
}

#define FOR_ENGINE(test, engine) cmocka_unit_test_prestate(test, (void *)(uintptr_t) & (engine))

int main(void)
{
    const struct CMUnitTest tests[] = {
        FOR_ENGINE(capsules_roll_down_slopes, cri_engine_lanes),
        FOR_ENGINE(capsules_roll_down_slopes, cri_engine_ode),
        FOR_ENGINE(hulls_tip_over_edges, cri_engine_lanes),
        FOR_ENGINE(hulls_tip_over_edges, cri_engine_ode),
        FOR_ENGINE(things_come_to_rest, cri_engine_lanes),
        FOR_ENGINE(things_come_to_rest, cri_engine_ode),
        FOR_ENGINE(balls_bounce_off_hulls, cri_engine_lanes),
        FOR_ENGINE(balls_bounce_off_hulls, cri_engine_ode),
        cmocka_unit_test(files_become_points),
        cmocka_unit_test(places_stay_where_they_were),
        cmocka_unit_test(bad_shapes_are_refused),
        cmocka_unit_test(bad_files_are_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
