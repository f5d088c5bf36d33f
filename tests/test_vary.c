// Varied scenes: what belongs together stays together, nothing goes farther than the share allows,
// nothing overlaps that did not, and the same seed gives the same text.
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <glob.h>
#include <cmocka.h>

#include "base/vec.h"
#include "scene/groups.h"
#include "scenes.h"
#include "texts.h"

static cr_scene *read_text(const char *text)
{
    cr_report report = {0};
    cr_scene *scene = NULL;
    assert_int_equal(cr_scene_read_text(text, strlen(text), "t.yaml", &scene, &report), CR_OK);
    return scene;
}

static cr_scene *read_file(const char *path)
{
    cr_report report = {0};
    cr_scene *scene = NULL;
    assert_int_equal(cr_scene_read(path, &scene, &report), CR_OK);
    return scene;
}

static cr_model *compile_scene(const cr_scene *scene)
{
    cr_report report = {0};
    cr_model *model = NULL;
    char text[640];
    if (cr_model_create(scene, NULL, 0, &model, &report) != CR_OK) {
        print_error("%s\n%s\n", cr_error_print(&report.errors[0], text, sizeof text),
                    cr_scene_text(scene, NULL));
        fail();
    }
    return model;
}

static cr_scene *vary(const cr_scene *scene, double share, uint64_t seed, cr_vary_stats *stats)
{
    cr_report report = {0};
    cr_scene *varied = NULL;
    cr_vary_def def = {share, seed};
    cr_status status = cr_scene_vary(scene, NULL, &def, &varied, stats, &report);
    char text[640];
    if (status != CR_OK) {
        print_error("%s\n", cr_error_print(&report.errors[0], text, sizeof text));
    }
    assert_int_equal(status, CR_OK);
    return varied;
}

// ---------------------------------------------------------------------------------------------
// Every scene that comes with carom.

static cr_vec3 place_of(const cr_model *model, int thing)
{
    return thing < model->body_count ? model->bodies[thing].pose.position
                                     : model->regions[thing - model->body_count].pose.position;
}

static double width_of(const cr_model *model, int thing)
{
    return cri_thing_support(model, thing, cri_vec3(1, 0, 0)) +
           cri_thing_support(model, thing, cri_vec3(-1, 0, 0));
}

// The factor of a group, by the width of its first thing.
static double factor_of(const cr_model *before, const cr_model *after, const cri_groups *groups,
                        int group)
{
    for (int i = 0; i < groups->thing_count; i++) {
        if (groups->of[i] == group) {
            return width_of(after, i) / width_of(before, i);
        }
    }
    return 0;
}

// All things of a group go where one move and one factor take them.
static void check_group(const cr_model *before, const cr_model *after, const cri_groups *g,
                        int group, double share)
{
    const cri_bundle *item = &g->items[group];
    double factor = factor_of(before, after, g, group);
    assert_true(factor > 1 - share - 1e-6 && factor < 1 + share + 1e-6);
    cr_vec3 move = {0, 0, 0};
    bool known = false;
    for (int i = 0; i < g->thing_count; i++) {
        if (g->of[i] != group) {
            continue;
        }
        cr_vec3 from = cri_sub(place_of(before, i), item->middle);
        cr_vec3 to = cri_sub(place_of(after, i), item->middle);
        cr_vec3 moved = cri_vec3(to.x - factor * from.x, to.y - factor * from.y, 0);
        assert_true(!known || cri_length(cri_sub(moved, move)) < 1e-5);
        assert_true(fabs(width_of(after, i) - factor * width_of(before, i)) < 1e-5);
        move = moved;
        known = true;
    }
    assert_true(cri_length(move) < (item->ground ? 0 : g->reach) + 1e-5);
}

// A joint holds its bodies at the same points of them, which have become larger or smaller.
static void check_joints(const cr_model *before, const cr_model *after, const cri_groups *g)
{
    for (int i = 0; i < 2 * before->joint_count; i++) {
        const cr_joint *old = &before->joints[i / 2], *new = &after->joints[i / 2];
        int body = old->bodies[i % 2], group = body >= 0 ? g->of[body] : -1;
        if (group < 0 || g->items[group].ground) {
            continue;
        }
        double factor = factor_of(before, after, g, group);
        cr_vec3 want = cri_scale(factor, old->frames[i % 2].position);
        assert_true(cri_length(cri_sub(new->frames[i % 2].position, want)) < 1e-5);
        assert_true(fabs(new->length - factor * old->length) < 1e-5);
    }
}

static void check_planes(const cr_model *before, const cr_model *after, const cri_groups *g)
{
    for (int i = 0; i < g->thing_count; i++) {
        assert_true(g->of[i] >= 0 ||
                    cri_length(cri_sub(place_of(before, i), place_of(after, i))) == 0);
    }
}

static void check_variation(const cr_scene *scene, const cr_model *before, const cri_groups *g,
                            double share, uint64_t seed)
{
    cr_vary_stats stats;
    cr_scene *varied = vary(scene, share, seed, &stats), *again = vary(scene, share, seed, NULL);
    assert_string_equal(cr_scene_text(varied, NULL), cr_scene_text(again, NULL));
    assert_string_not_equal(cr_scene_text(varied, NULL), cr_scene_text(scene, NULL));
    assert_true(stats.reach == g->reach && stats.groups == g->count);
    assert_int_equal(stats.refused, stats.drawn - 1);
    cr_vary_def def;
    assert_true(cr_scene_varied(varied, &def) && def.share == share && def.seed == seed);
    cr_model *after = compile_scene(varied);
    for (int i = 0; i < g->count; i++) {
        check_group(before, after, g, i, share);
    }
    check_planes(before, after, g);
    check_joints(before, after, g);
    assert_false(cri_groups_overlap(after, g, 0.001));
    cr_model_destroy(after);
    cr_scene_destroy(varied);
    cr_scene_destroy(again);
}

static void check_refusal(const cr_scene *scene, const char *why)
{
    cr_scene *varied = NULL;
    cr_vary_def def = {.share = 0.05, .seed = 1};
    cr_report report = {0};
    assert_int_equal(cr_scene_vary(scene, NULL, &def, &varied, NULL, &report), CR_ERR_TYPE);
    assert_null(varied);
    assert_non_null(strstr(report.errors[0].message, why));
}

static void test_every_scene(void **state)
{
    (void)state;
    static const double shares[] = {0.001, 0.05, 0.1};
    glob_t found;
    assert_int_equal(glob(CAROM_SCENES "/*/*.yaml", 0, NULL, &found), 0);
    assert_true(found.gl_pathc > 20);
    for (size_t i = 0; i < found.gl_pathc; i++) {
        cr_scene *scene = read_file(found.gl_pathv[i]);
        cr_model *model = compile_scene(scene);
        uint64_t count = sizeof shares / sizeof shares[0];
        if (model->cells_count > 0) {
            check_refusal(scene, "picture");
            count = 0;
        }
        for (uint64_t k = 0; k < count; k++) {
            cri_arena arena = {0};
            cri_groups groups;
            assert_true(cri_groups_find(model, shares[k], &arena, &groups));
            check_variation(scene, model, &groups, shares[k], 1 + k);
            cri_arena_free(&arena);
        }
        cr_model_destroy(model);
        cr_scene_destroy(scene);
    }
    globfree(&found);
}

static void test_zero_is_the_scene(void **state)
{
    (void)state;
    cr_scene *scene = read_file(CAROM_SCENES "/minigolf/gate.yaml");
    cr_vary_stats stats;
    cr_scene *same = vary(scene, 0, 7, &stats);
    cr_vary_def def;
    assert_string_equal(cr_scene_text(scene, NULL), cr_scene_text(same, NULL));
    assert_true(stats.drawn == 0 && !cr_scene_varied(same, &def));
    cr_scene_destroy(same);
    cr_scene_destroy(scene);
}

// ---------------------------------------------------------------------------------------------
// What belongs together.

static int find_thing(const cr_model *model, const char *name)
{
    int body = cr_model_find_body(model, name), region = cr_model_find_region(model, name);
    assert_true(body >= 0 || region >= 0);
    return body >= 0 ? body : model->body_count + region;
}

static const struct {
    const char *scene, *a, *b;
    bool together;
} pairs[] = {
    {"minigolf/windmill", "ball", "robot", true}, // one stroke, from the tee
    {"minigolf/windmill", "ball", "tee", true},
    {"minigolf/windmill", "hole", "hole_left", true},
    {"minigolf/windmill", "hole_left", "hole_back", true},
    {"minigolf/windmill", "north", "east", true},
    {"minigolf/windmill", "north", "course", true},
    {"minigolf/windmill", "windmill", "course", false}, // though it stands in the middle
    {"minigolf/windmill", "hole", "north", false},
    {"minigolf/windmill", "ball", "windmill", false},
    {"minigolf/gate", "aim", "hole", true},      // the same middle
    {"minigolf/gate", "aim", "windmill", false}, // which touches its edge
    {"navigation/maze", "wall_1", "north", true},
    {"navigation/maze", "post_1", "wall_1", false},
    {"navigation/maze", "goal", "room", false},
    {"navigation/hallway", "post_3", "lane_3", true},
    {"navigation/hallway", "post_3", "post_4", false},
    {"pool/trick-shot", "bed", "rail_nw", true},
    {"pool/trick-shot", "frame_n", "rail_nw", true}, // both bound the table
    {"pool/trick-shot", "cue", "bed", false},        // to lie on it is not to touch it
    {"pool/trick-shot", "pocket", "bed", true},
    {"pool/trick-shot", "stripe1", "stripe3", false},
    {"pool/break", "ball1", "ball15", true}, // the rack
    {"pool/break", "ball1", "cue", false},
    {"pool/double", "yellow", "blue", true}, // nearer than a move
    {"soccer/attack-1v3", "goal", "net", true},
    {"soccer/attack-1v3", "goalie", "defender", false},
    {"soccer/flat-only", "attacker", "ball", true},
    {"blocks/tower", "c1", "c9", true},
    {"blocks/tower", "c1", "foot", true},
    {"blocks/tower", "ball", "c1", false},
    {"blocks/domino-run", "d1", "d50", true},
    {"blocks/dominoes", "d1", "d2", false}, // a move is shorter than their gap
};

static void test_what_belongs_together(void **state)
{
    (void)state;
    for (size_t i = 0; i < sizeof pairs / sizeof pairs[0]; i++) {
        cr_model *model = load_scene(pairs[i].scene, NULL);
        cri_arena arena = {0};
        cri_groups g;
        assert_true(cri_groups_find(model, 0.05, &arena, &g));
        int a = g.of[find_thing(model, pairs[i].a)], b = g.of[find_thing(model, pairs[i].b)];
        if ((a == b) != pairs[i].together) {
            print_error("%s: %s and %s\n", pairs[i].scene, pairs[i].a, pairs[i].b);
            fail();
        }
        cri_arena_free(&arena);
        cr_model_destroy(model);
    }
}

// ---------------------------------------------------------------------------------------------
// Draws.

static const char yard[] = "bodies:\n"
                           "  ball: {kind: passive, shape: {sphere: 0.1}, mass: 1, at: [1, 2]}\n"
                           "regions:\n"
                           "  yard: {box: [20, 10]}\n";

// Evenly over the disc and over the sizes: half of the moves are longer than sqrt(1/2) of the
// longest, a quarter goes into each quarter, half of the sizes are larger. 4.9 sigma of 400 draws.
static void test_draws_cover_the_range(void **state)
{
    (void)state;
    enum { DRAWS = 400 };
    const double reach = 0.05 * 10, slack = 4.9 * sqrt(DRAWS / 4.0);
    int quarters[4] = {0}, far = 0, large = 0;
    double farthest = 0, least = 2, most = 0;
    cr_scene *scene = read_text(yard);
    for (uint64_t seed = 1; seed <= DRAWS; seed++) {
        cr_scene *varied = vary(scene, 0.05, seed, NULL);
        cr_model *model = compile_scene(varied);
        cr_vec3 at = model->bodies[0].pose.position;
        double x = at.x - 1, y = at.y - 2, length = sqrt(x * x + y * y);
        double factor = model->bodies[0].radius / 0.1;
        quarters[(x > 0) + 2 * (y > 0)]++;
        far += length > reach * sqrt(0.5);
        large += factor > 1;
        farthest = fmax(farthest, length);
        least = fmin(least, factor), most = fmax(most, factor);
        assert_true(fabs(at.z - model->bodies[0].radius) < 1e-9); // it still rests on the ground
        cr_model_destroy(model);
        cr_scene_destroy(varied);
    }
    cr_scene_destroy(scene);
    for (int i = 0; i < 4; i++) {
        assert_true(fabs(quarters[i] - DRAWS / 4.0) < slack);
    }
    assert_true(fabs(far - DRAWS / 2.0) < slack && fabs(large - DRAWS / 2.0) < slack);
    assert_true(farthest <= reach + 1e-8 && farthest > 0.97 * reach);
    assert_true(least >= 0.95 - 1e-8 && least < 0.955 && most <= 1.05 + 1e-8 && most > 1.045);
}

// Two boxes with 2 cm between them, in a yard of 1 m: moves of 10 cm bring them into each other in
// some draws, which are drawn again.
static void test_refused_draws(void **state)
{
    (void)state;
    static const char text[] =
        "bodies:\n"
        "  a: {kind: static, shape: {box: [0.1, 0.4, 0.1]}, at: [-0.06, 0]}\n"
        "  b: {kind: static, shape: {box: [0.1, 0.4, 0.1]}, at: [0.06, 0]}\n"
        "  ball: {kind: passive, shape: {sphere: 0.02}, mass: 1, at: [0.46, 0.46]}\n"
        "regions: {yard: {box: [1, 1]}}\n";
    int refused = 0, drawn = 0;
    cr_scene *scene = read_text(text);
    for (uint64_t seed = 1; seed <= 60; seed++) {
        cr_vary_stats stats;
        cr_scene *varied = vary(scene, 0.1, seed, &stats);
        cr_model *model = compile_scene(varied);
        double gap = model->bodies[1].pose.position.x - model->bodies[0].pose.position.x -
                     model->bodies[0].parts[0].shape.half.x -
                     model->bodies[1].parts[0].shape.half.x;
        double apart = fabs(model->bodies[1].pose.position.y - model->bodies[0].pose.position.y);
        assert_true(gap > -0.001 || apart > 0.3);
        cr_vec3 ball = model->bodies[2].pose.position;
        assert_true(fmax(fabs(ball.x), fabs(ball.y)) + model->bodies[2].radius <= 0.5 * 1.1 + 1e-9);
        refused += stats.refused, drawn += stats.drawn;
        cr_model_destroy(model);
        cr_scene_destroy(varied);
    }
    cr_scene_destroy(scene);
    assert_true(refused > 10 && drawn == refused + 60);
}

// A rule that the start just keeps, and that about every move breaks.
static void test_nothing_fits(void **state)
{
    (void)state;
    static const char text[] =
        "bodies:\n"
        "  a: {kind: passive, shape: {sphere: 0.1}, mass: 1, at: [-4, 0]}\n"
        "  b: {kind: passive, shape: {sphere: 0.1}, mass: 1, at: [4, 0]}\n"
        "regions: {yard: {box: [20, 10]}}\n"
        "rules: [{always: {near: [a, b, 8]}}, {never: {near: [a, b, 7.999999]}}]\n";
    cr_scene *scene = read_text(text);
    cr_vary_def def = {0.05, 1};
    cr_report report = {0};
    cr_scene *varied = NULL;
    assert_int_equal(cr_scene_vary(scene, NULL, &def, &varied, NULL, &report), CR_ERR_RANGE);
    assert_null(varied);
    assert_string_equal(report.errors[0].message,
                        "no variation by 0.05 fits: all of 1000 draws were refused");
    cr_scene_destroy(scene);
}

// ---------------------------------------------------------------------------------------------
// Texts.

// A place that is not written, a body of many lines, and JSON.
static void test_ways_to_write_it(void **state)
{
    (void)state;
    static const char *const texts[] = {
        "bodies: {ball: {kind: passive, shape: {sphere: 0.1}, mass: 1}}\n"
        "regions: {yard: {box: [4, 2]}}\n",
        "bodies:\n"
        "  ball:\n"
        "    kind: passive\n"
        "    parts:\n"
        "      - shape: {sphere: 0.1} # round\n"
        "        at: [0, 0, 0]\n"
        "    mass: 1\n"
        "regions:\n"
        "  yard:\n"
        "    box: [4, 2]\n",
        "{\"bodies\": {\"ball\": {\"kind\": \"passive\", \"shape\": {\"sphere\": 0.1}, "
        "\"mass\": 1}}, \"regions\": {\"yard\": {\"box\": [4, 2]}}}",
    };
    cr_vec3 at = {0, 0, 0};
    for (size_t i = 0; i < sizeof texts / sizeof texts[0]; i++) {
        cr_scene *scene = read_text(texts[i]), *varied = vary(scene, 0.05, 3, NULL);
        cr_model *model = compile_scene(varied);
        cr_vec3 now = model->bodies[0].pose.position;
        assert_true(i == 0 ? fabs(now.x) + fabs(now.y) > 0.001
                           : cri_length(cri_sub(now, at)) < 1e-8);
        at = now;
        cr_model_destroy(model);
        cr_scene_destroy(varied);
        cr_scene_destroy(scene);
    }
}

// Parameters still count, comments stay, and settings are those of the scene.
static void test_parameters_still_count(void **state)
{
    (void)state;
    cr_report report = {0};
    cr_scene *scene = read_file(CAROM_SCENES "/minigolf/gate.yaml");
    cr_scene *near = vary(scene, 0.05, 3, NULL), *far = vary(scene, 0.05, 3, NULL);
    assert_int_equal(cr_scene_set(far, "distance", "2.4", &report), CR_OK);
    cr_model *a = compile_scene(near), *b = compile_scene(far);
    int hole = cr_model_find_region(a, "hole");
    double factor = a->regions[hole].shape.half.x / 0.15;
    assert_true(fabs(b->regions[hole].pose.position.x - a->regions[hole].pose.position.x -
                     0.5 * factor) < 1e-6);
    assert_non_null(strstr(cr_scene_text(near, NULL), "# m, from the ball to the hole"));
    assert_int_equal(cr_scene_set(scene, "distance", "2.4", &report), CR_OK);
    cr_scene *set = vary(scene, 0.05, 3, NULL);
    assert_string_equal(cr_scene_setting_value(set, 0), "2.4");
    cr_model_destroy(a);
    cr_model_destroy(b);
    cr_scene_destroy(near);
    cr_scene_destroy(far);
    cr_scene_destroy(set);
    cr_scene_destroy(scene);
}

// ---------------------------------------------------------------------------------------------
// Refusals.

static void expect_refusal(const cr_scene *scene, cr_vary_def def, const char *message)
{
    cr_report report = {0};
    cr_scene *varied = NULL;
    assert_int_equal(cr_scene_vary(scene, NULL, &def, &varied, NULL, &report), CR_ERR_RANGE);
    assert_null(varied);
    assert_int_equal(report.count, 1);
    assert_string_equal(report.errors[0].message, message);
}

static void test_refusals(void **state)
{
    (void)state;
    cr_scene *scene = read_text(yard);
    expect_refusal(scene, (cr_vary_def){-0.01, 1},
                   "the share to vary by must be 0 to 0.5, got -0.01");
    expect_refusal(scene, (cr_vary_def){2, 1}, "the share to vary by must be 0 to 0.5, got 2");
    cr_report report = {0};
    cr_scene *none = NULL;
    cr_vary_def nan = {NAN, 1};
    assert_int_equal(cr_scene_vary(scene, NULL, &nan, &none, NULL, &report), CR_ERR_RANGE);
    expect_refusal(scene, (cr_vary_def){0.05, UINT64_MAX},
                   "the seed to vary by must be at most 2^53");
    cr_scene *varied = vary(scene, 0.05, 3, NULL), *same = vary(varied, 0.05, 3, NULL);
    assert_string_equal(cr_scene_text(varied, NULL), cr_scene_text(same, NULL));
    expect_refusal(varied, (cr_vary_def){0.05, 4},
                   "the scene is varied already, by 0.05 with seed 3");
    cr_scene_destroy(same);
    cr_scene_destroy(varied);
    cr_scene_destroy(scene);
    expect_errors("varied: {share: 2, seed: 1}\nbodies: {}\n",
                  "t.yaml:1:17: varied: share must be at most 0.5, got 2\n");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_every_scene),
        cmocka_unit_test(test_zero_is_the_scene),
        cmocka_unit_test(test_what_belongs_together),
        cmocka_unit_test(test_draws_cover_the_range),
        cmocka_unit_test(test_refused_draws),
        cmocka_unit_test(test_nothing_fits),
        cmocka_unit_test(test_ways_to_write_it),
        cmocka_unit_test(test_parameters_still_count),
        cmocka_unit_test(test_refusals),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
