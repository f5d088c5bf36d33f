// Scenes: what a text is compiled to, and every sort of error with its place and its words.
#include "texts.h"

#include <math.h>
#include <stdlib.h>

#include "base/file.h"
#include "base/vec.h"
#include "scene/keys.h"
#include "scene/model.h"
#include "plan/parameters.h"

// Six lines that most tests below build on.
#define BASE                                                                                       \
    "bodies:\n"                                                                                    \
    "  floor: {kind: static, shape: {plane: [0, 0, 1]}}\n"                                         \
    "  ball: {kind: passive, shape: {sphere: 0.1}, mass: 1, at: [0, 0]}\n"                         \
    "  robot: {kind: controlled, shape: {cylinder: {radius: 0.1, height: 0.2}}, mass: 2,\n"        \
    "          upright: true, at: [1, 0]}\n"                                                       \
    "regions: {hole: {box: [1, 1], at: [0, 0]}}\n"

static const char windmill[] =
    "name: windmill\n"
    "about: past the sails\n"
    "parameters: {rate: 72 deg, reach: 0.6}\n"
    "gravity: 9.8\n"
    "dt: 1 / 50\n"
    "substeps: 3\n"
    "materials:\n"
    "  golf: {friction: 0.1, restitution: 0.84, damping: {linear: 0.15, angular: 0.19}}\n"
    "  wood: {friction: 0.3, static_friction: 0.5, restitution: 0.6}\n"
    "pairs: [{between: [golf, wood], restitution: 0.7}]\n"
    "bodies:\n"
    "  ground: {kind: static, shape: {plane: [0, 0, 1]}, material: wood}\n"
    "  ball: {kind: passive, shape: {sphere: 0.02}, mass: 0.05, material: golf, at: [-1.6, -0.5],\n"
    "         velocity: [1, 0]}\n"
    "  robot: {kind: controlled, shape: {prism: {radius: 0.09, front: 0.07, height: 0.15}},\n"
    "          mass: 2.5, upright: true, at: [-1.9, -0.5], heading: 90 deg,\n"
    "          limits: {speed: 1.5}, color: '#102030'}\n"
    "  mill: {kind: foreign, shape: {box: [2 * reach, 0.06, 0.1]}, ignore: [ground], color: red}\n"
    "regions: {hole: {box: [0.3, 0.3, 0.1], at: [1.7, -0.7]}, course: {cylinder: {radius: 2}}}\n"
    "sample: {body: ball, region: course, goal: hole, goal_share: 0.25}\n"
    "tactics:\n"
    "  sails: {controls: mill, skills: {spin: {do: spin, rate: rate}}}\n"
    "  putt:\n"
    "    controls: robot\n"
    "    start: wait\n"
    "    skills:\n"
    "      shot: {do: kick, ball: ball, at: {region: course}, speed: {uniform: [1, 7]}}\n"
    "      wait: {do: wait, seconds: {uniform: [0, 5]}}\n"
    "      done: {do: end}\n"
    "    next:\n"
    "      wait: {shot: 2, wait: {when: {near: [robot, ball, 0.5]}, weight: 0.5}}\n"
    "      shot: {done: {when: {skill: [sails, spin]}}}\n"
    "goal: {all: [{inside: [ball, hole]}, {speed: [ball, below, 0.5]}]}\n"
    "rules: [{never: {touch: [robot, mill]}}]\n"
    "score: {ramp: {of: {distance: [ball, hole]}, from: 4, to: 0}}\n"
    "plan: {mu: 7, nodes: 100 * 10, select: rrt, keep_dead: true}\n";

static void general_values(void **state)
{
    (void)state;
    cr_model *m = compile_text(windmill);
    assert_string_equal(cr_scene_name(cr_model_scene(m)), "windmill");
    assert_string_equal(cr_scene_about(cr_model_scene(m)), "past the sails");
    assert_true(cr_model_gravity(m).z == -9.8);
    assert_true(cr_model_dt(m) == 1.0 / 50);
    assert_int_equal(cr_model_substeps(m), 3);
    assert_int_equal(cr_model_body_count(m), 4);
    assert_int_equal(cr_model_moving_count(m), 3);
    assert_true(cr_model_has_goal(m) && cr_model_has_score(m));
    cr_planner_def def = cr_model_planner_def(m);
    assert_string_equal(def.engine, "lanes");
    assert_true(def.mu == 7 && def.nodes == 1000 && strcmp(def.select, "rrt") == 0 &&
                def.keep_dead);
    assert_true(def.bgt_share == 0.5 && def.seed == 1 && def.steps == 0 && def.attempts == 0);
    assert_true(def.horizon == 20 && def.longest == 2000 && def.round == 18);
    assert_true(def.solutions == 1 && !def.free_tactics && def.threads == 0);
    cr_model_destroy(m);
}

static void materials_and_pairs(void **state)
{
    (void)state;
    cr_model *m = compile_text(windmill);
    assert_int_equal(cr_model_material_count(m), 3);
    assert_string_equal(cr_model_material(m, 0)->name, "default");
    assert_true(cr_model_material(m, 1)->static_friction == 0.1);
    assert_true(cr_model_material(m, 2)->static_friction == 0.5);
    const cr_meeting *golf_wood = &m->meetings[1 * 3 + 2];
    expect_close(golf_wood->friction, 0.2, 1e-15);
    expect_close(golf_wood->static_friction, 0.3, 1e-15);
    assert_true(golf_wood->restitution == 0.7 && m->meetings[2 * 3 + 1].restitution == 0.7);
    const cr_body *ball = cr_model_body(m, 1);
    assert_true(ball->linear_damping == 0.15 && ball->angular_damping == 0.19);
    assert_true(cr_model_body(m, 2)->linear_damping == 0);
    cr_model_destroy(m);
}

static void bodies(void **state)
{
    (void)state;
    cr_model *m = compile_text(windmill);
    const cr_body *ball = cr_model_body(m, cr_model_find_body(m, "ball"));
    assert_int_equal(ball->kind, CR_KIND_PASSIVE);
    expect_close(ball->pose.position.z, 0.02, 1e-15);
    expect_close(ball->inertia.x, 0.4 * 0.05 * 0.02 * 0.02, 1e-18);
    assert_true(ball->velocity.x == 1 && ball->velocity.z == 0);
    const cr_body *robot = cr_model_body(m, 2);
    assert_true(robot->upright && robot->color == 0x102030);
    assert_true(robot->limits.speed == 1.5 && robot->limits.acceleration == 3);
    assert_int_equal(robot->parts[0].shape.point_count, 17);
    const cr_body *mill = cr_model_body(m, 3);
    assert_true(mill->driven && mill->mass == 0 && mill->parts[0].shape.half.x == 0.6);
    assert_int_equal(mill->color, 0xd03b3b);
    // The driven mill ignores the ground; an upright robot has no floor contact.
    assert_int_equal(cr_model_pair(m, 0, 3), -1);
    assert_int_equal(cr_model_pair(m, 0, 2), -1);
    assert_true(cr_model_pair(m, 0, 1) >= 0);
    assert_true(m->pairs[cr_model_pair(m, 3, 2)].watched >= 0);
    cr_model_destroy(m);
}

// A disc cut off in front weighs less there, so its centre of mass lies behind; `at` is where the
// full disc's axis is, and the front edge is where the file says.
static void frames(void **state)
{
    (void)state;
    cr_model *m = compile_text(windmill);
    const cr_body *robot = cr_model_body(m, 2);
    const cr_part *part = &robot->parts[0];
    assert_true(part->pose.position.x > 0.001);
    cr_vec3 axis = cri_pose_point(robot->pose, part->pose.position);
    expect_close(axis.x, -1.9, 1e-12);
    expect_close(axis.y, -0.5, 1e-12);
    double front = 0;
    for (int i = 0; i < part->shape.point_count; i++) {
        front = fmax(front, part->shape.points[i].x);
    }
    expect_close(front, 0.07, 1e-12);
    // Turned by 90 degrees, the front points along y.
    cr_vec3 ahead = cri_rotate(robot->pose.rotation, cri_vec3(1, 0, 0));
    expect_close(ahead.y, 1, 1e-12);
    cr_model_destroy(m);
}

// Two unit cubes side by side: inertia of a 2 x 1 x 1 box.
static void parts(void **state)
{
    (void)state;
    cr_model *m = compile_text(
        "bodies:\n"
        "  two: {kind: passive, mass: 12, at: [5, 0], rotation: [0, 1, 0, 1], parts: [\n"
        "    {name: left, shape: {box: [1, 1, 1]}, at: [0, 0]},\n"
        "    {name: right, shape: {box: [1, 1, 1]}, at: [1, 0], heading: 90 deg}]}\n");
    const cr_body *two = cr_model_body(m, 0);
    assert_int_equal(two->part_count, 2);
    assert_string_equal(two->parts[1].name, "right");
    expect_close(two->parts[0].pose.position.x, -0.5, 1e-12);
    expect_close(two->inertia.x, 12.0 / 12 * 2, 1e-12);
    expect_close(two->inertia.y, 12.0 / 12 * 5, 1e-12);
    expect_close(two->inertia.z, 12.0 / 12 * 5, 1e-12);
    // Stood on end it is two high, and x points down: the origin of the file is near the top.
    expect_close(two->pose.position.x, 5, 1e-12);
    expect_close(two->pose.position.z, 1, 1e-12);
    expect_close(two->radius, sqrt(1 + 0.25 + 0.25), 1e-12);
    cr_model_destroy(m);
}

static void centre_of_mass_can_be_given(void **state)
{
    (void)state;
    cr_model *m = compile_text("bodies:\n"
                               "  a: {kind: passive, mass: 2, shape: {box: [1, 1, 1]}, center: "
                               "[0.25, 0, -0.25], at: [1, 2, 3]}\n");
    const cr_body *a = cr_model_body(m, 0);
    expect_close(a->pose.position.x, 1.25, 1e-12);
    expect_close(a->pose.position.z, 2.75, 1e-12);
    expect_close(a->parts[0].pose.position.z, 0.25, 1e-12);
    expect_close(a->inertia.x, 2.0 / 6 + 2 * 0.0625, 1e-12);
    cr_model_destroy(m);
}

static void planes_and_prisms(void **state)
{
    (void)state;
    cr_model *m = compile_text(
        "bodies:\n"
        "  wall: {kind: static, shape: {plane: [2, 0, 0]}, at: [-3, 0, 0]}\n"
        "  wedge: {kind: static, shape: {prism: {points: [[0, 0], [0, 3], [3, 0]], height: 2}}}\n"
        "  round: {kind: static, shape: {prism: {radius: 1, height: 1, sides: 6}}}\n");
    const cr_part *wall = &cr_model_body(m, 0)->parts[0];
    cr_vec3 normal = cri_rotate(wall->pose.rotation, cri_vec3(0, 0, 1));
    expect_close(normal.x, 1, 1e-12);
    // Clockwise corners are turned round; the body's frame is at the centroid.
    const cr_part *wedge = &cr_model_body(m, 1)->parts[0];
    assert_true(wedge->shape.points[0].x == 3 && wedge->shape.points[1].y == 3);
    expect_close(cr_model_body(m, 1)->pose.position.x, 1, 1e-12);
    expect_close(cr_model_body(m, 1)->pose.position.z, 1, 1e-12);
    assert_int_equal(cr_model_body(m, 2)->parts[0].shape.point_count, 6);
    cr_model_destroy(m);
}

static void regions(void **state)
{
    (void)state;
    cr_model *m = compile_text("bodies: {}\n"
                               "regions:\n"
                               "  a: {box: [2, 2, 0.5], at: [1, 1]}\n"
                               "  b: {box: [2, 1], at: [0, 0], heading: 90 deg}\n"
                               "  c: {cylinder: {radius: 1, height: 4}, at: [0, 0, 0]}\n"
                               "  d: {sphere: 2, at: [0, 0]}\n");
    const cr_region *a = cr_model_region(m, 0), *b = cr_model_region(m, 1);
    expect_close(a->pose.position.z, 0.25, 1e-15);
    assert_true(b->shape.half.z == HUGE_VAL);
    assert_true(cr_region_contains(b, (cr_vec3){0.4, 0.9, 1e6}));
    assert_false(cr_region_contains(b, (cr_vec3){0.9, 0.4, 0}));
    assert_true(cr_region_contains(cr_model_region(m, 2), (cr_vec3){0.9, 0, -1.9}));
    assert_true(cr_model_region(m, 3)->pose.position.z == 2);
    cr_model_destroy(m);
}

static void tactics(void **state)
{
    (void)state;
    cr_model *m = compile_text(windmill);
    assert_int_equal(cr_model_tactic_count(m), 2);
    const cri_tactic *putt = &m->tactics[1];
    assert_string_equal(putt->info.name, "putt");
    assert_int_equal(putt->info.body, 2);
    assert_string_equal(cr_model_skill_name(m, 1, putt->info.start), "wait");
    const cri_skill *shot = &putt->skills[0], *wait = &putt->skills[1];
    assert_string_equal(shot->type->name, "kick");
    // A place and a number are drawn.
    assert_int_equal(shot->drawn_count, 4);
    assert_int_equal(wait->drawn_count, 1);
    assert_int_equal(putt->variable_count, 4 + shot->type->variables);
    assert_int_equal(wait->transition_count, 2);
    assert_true(wait->transitions[0].to == 0 && wait->transitions[0].weight == 2);
    assert_null(wait->transitions[0].condition);
    assert_true(wait->transitions[1].to == 1 && wait->transitions[1].weight == 0.5);
    assert_non_null(wait->transitions[1].condition);
    expect_close(m->tactics[0].skills[0].values[0].number.a, 1.2566370614359172, 1e-15);
    assert_string_equal(m->rules[0].text, "never {touch: [robot, mill]}");
    cr_model_destroy(m);
}

// ---------------------------------------------------------------------------------------------
// The scene as an object.

static void settings(void **state)
{
    (void)state;
    cr_report report = {0};
    cr_scene *scene = NULL;
    cr_model *m = NULL;
    assert_int_equal(cr_scene_read_text(windmill, strlen(windmill), "golf/w.yaml", &scene, &report),
                     CR_OK);
    assert_int_equal(cr_scene_parameter_count(scene), 2);
    assert_string_equal(cr_scene_parameter_name(scene, 0), "rate");
    assert_string_equal(cr_scene_parameter_text(scene, 0), "72 deg");
    assert_int_equal(cr_scene_set(scene, "reach", "0.4", &report), CR_OK);
    assert_int_equal(cr_scene_set(scene, "mu", "3", &report), CR_OK);
    assert_int_equal(cr_scene_set(scene, "reach", "0.25 * 2", &report), CR_OK);
    assert_int_equal(cr_scene_setting_count(scene), 2);
    assert_string_equal(cr_scene_setting_name(scene, 0), "reach");
    assert_string_equal(cr_scene_setting_value(scene, 0), "0.25 * 2");
    assert_int_equal(cr_model_create(scene, NULL, 0, &m, &report), CR_OK);
    assert_int_equal(report.count, 0);
    // The model has a copy of its own.
    cr_scene_destroy(scene);
    assert_true(cr_model_body(m, 3)->parts[0].shape.half.x == 0.5);
    assert_true(cr_model_planner_def(m).mu == 3);
    assert_string_equal(cr_scene_setting_value(cr_model_scene(m), 1), "3");
    assert_string_equal(cr_scene_path(cr_model_scene(m)), "golf/w.yaml");
    size_t length;
    assert_string_equal(cr_scene_text(cr_model_scene(m), &length), windmill);
    assert_int_equal(length, strlen(windmill));
    cr_model_destroy(m);
}

static void expect_setting_error(const char *name, const char *value, const char *message)
{
    cr_report report = {0};
    cr_scene *scene = NULL;
    cr_model *m = NULL;
    assert_int_equal(cr_scene_read_text(windmill, strlen(windmill), "w.yaml", &scene, &report),
                     CR_OK);
    cr_status status = cr_scene_set(scene, name, value, &report);
    if (status == CR_OK) {
        status = cr_model_create(scene, NULL, 0, &m, &report);
    }
    assert_int_not_equal(status, CR_OK);
    char line[640];
    assert_string_equal(cr_error_print(&report.errors[0], line, sizeof line), message);
    cr_scene_destroy(scene);
}

static void setting_errors(void **state)
{
    (void)state;
    expect_setting_error("rech", "1",
                         "w.yaml: unknown parameter \"rech\"; did you mean \"reach\"?");
    expect_setting_error("nods", "1",
                         "w.yaml: unknown parameter \"nods\"; did you mean \"nodes\"?");
    expect_setting_error("mu", "-1", "setting: mu must be at least 1e-09, got -1");
    expect_setting_error("select", "best",
                         "setting: unknown select \"best\"; did you mean \"bgt\"?");
    expect_setting_error("reach", "far", "setting: reach must be a number: unknown name \"far\"");
    expect_setting_error("reach", "", "setting: reach must be a number, got nothing");
}

static void names_without_name(void **state)
{
    (void)state;
    cr_scene *scene = NULL;
    assert_int_equal(cr_scene_read_text("bodies: {}", 10, "a/b/bank.shot.yaml", &scene, NULL),
                     CR_OK);
    assert_string_equal(cr_scene_name(scene), "bank.shot");
    assert_string_equal(cr_scene_about(scene), "");
    cr_scene_destroy(scene);
}

static void json_is_accepted(void **state)
{
    (void)state;
    cr_model *m = compile_text("{\"name\": \"j\", \"bodies\": {\"a\": {\"kind\": \"static\",\n"
                               "\"shape\": {\"box\": [1, 2.5e-1, 3]}}}}");
    assert_string_equal(cr_scene_name(cr_model_scene(m)), "j");
    assert_true(cr_model_body(m, 0)->parts[0].shape.half.y == 0.125);
    cr_model_destroy(m);
}

static void parameter_table(void **state)
{
    (void)state;
    cr_model *m = compile_text("bodies: {}\n");
    cr_planner_def def = cr_model_planner_def(m);
    for (int i = 0; i < cr_parameter_count(); i++) {
        char text[64];
        assert_string_equal(cri_parameter_print(&def, i, text, sizeof text),
                            cr_parameter_at(i)->fallback);
    }
    assert_int_equal(cri_planner_def_check(&def, NULL, NULL), CR_OK);
    def.mu = NAN;
    def.round = 0;
    def.engine = "none";
    cr_report report = {0};
    assert_int_not_equal(cri_planner_def_check(&def, NULL, &report), CR_OK);
    assert_int_equal(report.count, 3);
    assert_string_equal(report.errors[0].message, "unknown engine \"none\"");
    assert_string_equal(report.errors[2].message, "round must be from 1 to 1024, got 0");
    cr_model_destroy(m);
}

// ---------------------------------------------------------------------------------------------
// The library.

static cr_skill_result jump(const cr_skill_call *call)
{
    (void)call;
    return CR_SKILL_IS_DONE;
}

static bool always(const cr_condition_call *call)
{
    (void)call;
    return true;
}

static void library(void **state)
{
    (void)state;
    static const cr_param params[] = {
        {"height", CR_PARAM_NUMBER, "m", 0, 10, "{uniform: [1, 2]}", "how high"},
        {"place", CR_PARAM_PLACE, "", 0, 0, "[1, 2]", "where"},
        {"way", CR_PARAM_CHOICE, "up|down", 0, 0, "down", "which way"},
    };
    static const cr_skill_type skill = {
        .name = "jump", .about = "", .param_count = 3, .params = params, .act = jump};
    static const cr_condition_type condition = {.name = "happy", .about = "", .holds = always};
    static const cr_condition_type taken = {.name = "not", .about = "", .holds = always};
    cr_report report = {0};
    cr_library *lib = cr_library_create();
    assert_non_null(lib);
    assert_int_equal(cr_library_skill_count(lib), cr_library_skill_count(NULL));
    assert_int_equal(cr_library_add_skill(lib, &skill, &report), CR_OK);
    assert_int_equal(cr_library_add_condition(lib, &condition, &report), CR_OK);
    assert_int_equal(cr_library_skill_count(lib), cr_library_skill_count(NULL) + 1);
    assert_int_equal(cr_library_add_skill(lib, &skill, &report), CR_ERR_NAME);
    assert_string_equal(report.errors[0].message, "skill \"jump\": the name is taken");
    assert_int_equal(cr_library_add_condition(lib, &taken, &report), CR_ERR_NAME);
    const char *text = BASE "tactics: {t: {controls: robot, skills: {a: {do: jump}}}}\n"
                            "goal: {happy: []}\n";
    cr_model *m = compile_start(text, lib, 0);
    const cri_skill *a = &m->tactics[0].skills[0];
    assert_int_equal(a->drawn_count, 1);
    assert_int_equal(a->values[0].number.kind, CRI_NUMBER_UNIFORM);
    assert_true(a->values[1].place.point.y == 2 && a->values[2].index == 1);
    cr_model_destroy(m);
    cr_library_destroy(lib);
    expect_errors(text, "t.yaml:7:49: tactic \"t\", skill \"a\": unknown Skill type \"jump\"\n"
                        "t.yaml:8:8: goal: unknown condition \"happy\"\n");
}

// ---------------------------------------------------------------------------------------------
// Errors.

static void key_errors(void **state)
{
    (void)state;
    expect_errors(BASE "goals: {after: 1}\n",
                  "t.yaml:7:1: unknown key \"goals\"; did you mean \"goal\"?\n");
    expect_errors("name: a\n", "t.yaml:1:1: key \"bodies\" is missing in the scene\n");
    expect_errors("bodies:\n  a: {kind: passive, shape: {sphere: 1}, masss: 1}\n",
                  "t.yaml:2:6: body \"a\": key \"mass\" is missing; a passive body must have one\n"
                  "t.yaml:2:42: body \"a\": unknown key \"masss\"; did you mean \"mass\"?\n");
    expect_errors(
        "bodies: {1a: {kind: static, shape: {sphere: 1}}}\n",
        "t.yaml:1:10: bodies: a name is a letter and up to 62 letters, digits, - _ and ., "
        "got \"1a\"\n");
    expect_errors("bodies: {a: {kind: static, shape: {sphere: 1}}}\nregions: {a: {sphere: 1}}\n",
                  "t.yaml:2:14: region \"a\": a body has the same name\n");
    expect_errors("bodies: 3\nname: [1]\nabout:\ngravity: [1]\ndt: 2\nsubsteps: 1.5\n",
                  "t.yaml:1:9: bodies must be a mapping, got a word or number\n"
                  "t.yaml:2:7: name must be a text, got a list\n"
                  "t.yaml:3:1: about must be a text, got nothing\n"
                  "t.yaml:4:10: gravity must have 3 values, got 1\n"
                  "t.yaml:5:5: dt must be at most 1, got 2\n"
                  "t.yaml:6:11: substeps must be a whole number, got 1.5\n");
}

static void body_errors(void **state)
{
    (void)state;
    expect_errors(
        "bodies:\n"
        "  a: {kind: pasive, shape: {sphere: 0.1}}\n"
        "  b: {kind: static}\n"
        "  c: {kind: static, shape: {ball: 1}, mass: 3}\n"
        "  d: {kind: static, shape: {box: [1, 1]}, parts: []}\n"
        "  e: {kind: passive, shape: {plane: [0, 0, 1]}, mass: 1, motion: driven}\n"
        "  f: {kind: foreign, motion: pulled, shape: {sphere: 1}, color: rd}\n"
        "  g: {kind: passive, mass: 1, shape: {sphere: 1}, upright: yes, ignore: [g, h]}\n"
        "  i: {kind: controlled, mass: 1, shape: {sphere: 1}, upright: true, velocity: [0, 0, 1],\n"
        "      rotation: [1, 0, 0, 1], spin: [1, 0, 0]}\n"
        "  j: {kind: static, shape: {sphere: 1}, heading: 1, rotation: [0, 0, 0, 1]}\n"
        "  k: {kind: static, shape: {sphere: 1}, material: glue, limits: {sped: 1}}\n"
        "  l: 3\n",
        "t.yaml:2:13: body \"a\": kind must be one of static|passive|controlled|foreign, got "
        "\"pasive\"\n"
        "t.yaml:3:6: body \"b\": a body must have either \"shape\" or \"parts\"\n"
        "t.yaml:4:29: body \"c\": unknown key \"ball\"; did you mean \"hull\"?\n"
        "t.yaml:4:45: body \"c\": a static body has no mass\n"
        "t.yaml:5:6: body \"d\": a body must have either \"shape\" or \"parts\"\n"
        "t.yaml:6:29: body \"e\": a plane must be part of a static body\n"
        "t.yaml:6:66: body \"e\": \"motion\" is for foreign bodies only\n"
        "t.yaml:7:30: body \"f\": motion must be one of driven|pushed, got \"pulled\"\n"
        "t.yaml:7:65: body \"f\": unknown color \"rd\"; did you mean \"red\"?\n"
        "t.yaml:8:60: body \"g\": upright must be one of false|true, got \"yes\"\n"
        "t.yaml:8:74: body \"g\": a body cannot ignore itself\n"
        "t.yaml:8:77: body \"g\": unknown body \"h\"; did you mean \"a\"?\n"
        "t.yaml:9:79: body \"i\": velocity of an upright body must have z = 0, got 1\n"
        "t.yaml:10:17: body \"i\": rotation of an upright body must be about z\n"
        "t.yaml:10:37: body \"i\": spin of an upright body must have x = y = 0\n"
        "t.yaml:11:63: body \"j\": \"heading\" and \"rotation\" exclude each other\n"
        "t.yaml:12:51: body \"k\": unknown material \"glue\"\n"
        "t.yaml:12:66: body \"k\": unknown key \"sped\"; did you mean \"speed\"?\n"
        "t.yaml:13:6: body \"l\": a body must be a mapping, got a word or number\n");
}

static void floor_friction_errors(void **state)
{
    (void)state;
    expect_errors(
        "bodies:\n"
        "  m: {kind: passive, mass: 1, shape: {sphere: 1}, floor_friction: 0.2}\n"
        "  n: {kind: foreign, shape: {sphere: 1}, at: [9, 0], upright: true, floor_friction: 0.2}\n"
        "  o: {kind: passive, mass: 1, shape: {sphere: 1}, at: [0, 9], upright: true,\n"
        "      floor_friction: -1}\n",
        "t.yaml:2:67: body \"m\": \"floor_friction\" is for upright bodies that forces move; "
        "others "
        "have the friction of their material\n"
        "t.yaml:3:85: body \"n\": \"floor_friction\" is for upright bodies that forces move; "
        "others "
        "have the friction of their material\n"
        "t.yaml:5:23: body \"o\": floor_friction must be at least 0, got -1\n");
}

static void shape_errors(void **state)
{
    (void)state;
    expect_errors(
        "bodies:\n"
        "  a: {kind: static, shape: {sphere: 1, box: [1, 1, 1]}}\n"
        "  b: {kind: static, shape: {prism: {points: [[0, 0], [1, 0], [0.4, 0.4], [0, 1]], height: "
        "1}}}\n"
        "  c: {kind: static, shape: {prism: {height: 1}}}\n"
        "  d: {kind: static, shape: {prism: {radius: 1, front: 2, height: 0}}}\n"
        "  e: {kind: static, shape: {cylinder: {radius: 1}}}\n"
        "  f: {kind: static, shape: {plane: [0, 0, 0]}}\n"
        "  g: {kind: static, parts: [{shape: {plane: [0, 0, 1]}}, {shape: {sphere: 1}}]}\n"
        "  h: {kind: static, shape: {prism: {points: [[0, 0], [1, 0]], height: 1, sides: 3}}}\n"
        // A star turns left at every corner, but twice round.
        "  i: {kind: static, shape: {prism: {points: [[0, 3], [-2, -3], [3, 1], [-3, 1], [2, -3]], "
        "height: 1}}}\n",
        "t.yaml:2:28: body \"a\": a shape must be a mapping with one key of plane, sphere, box, "
        "cylinder, prism, capsule, hull, got a mapping\n"
        "t.yaml:3:62: body \"b\": points must be the corners of a convex outline, got a dent or a "
        "straight run at (0.4, 0.4)\n"
        "t.yaml:4:36: body \"c\": a prism must have either \"points\" or \"radius\"\n"
        "t.yaml:5:55: body \"d\": front must be at most 0.999, got 2\n"
        "t.yaml:5:66: body \"d\": height must be > 0, got 0\n"
        "t.yaml:6:39: body \"e\": key \"height\" is missing in a cylinder\n"
        "t.yaml:7:36: body \"f\": plane: the normal must not be zero\n"
        "t.yaml:8:37: body \"g\": a plane must be the only part of its body\n"
        "t.yaml:9:81: body \"h\": \"front\" and \"sides\" go with \"radius\", not with \"points\"\n"
        "t.yaml:10:72: body \"i\": points must be the corners of a convex outline, got a dent or a "
        "straight run at (-3, 1)\n");
}

static void material_errors(void **state)
{
    (void)state;
    expect_errors("materials: {ice: {friction: -1, restitution: 2}, mud: {frction: 1}}\n"
                  "pairs:\n"
                  "- {between: [ice, mut], friction: 1}\n"
                  "- {between: [ice]}\n"
                  "- {between: [ice, mud], friction: 1}\n"
                  "- {between: [mud, ice], friction: 1}\n"
                  "- {friction: 1}\n"
                  "bodies: {}\n",
                  "t.yaml:1:29: material \"ice\": friction must be at least 0, got -1\n"
                  "t.yaml:1:46: material \"ice\": restitution must be at most 1, got 2\n"
                  "t.yaml:1:56: material \"mud\": unknown key \"frction\"; did you mean "
                  "\"friction\"?\n"
                  "t.yaml:3:19: pairs: unknown material \"mut\"; did you mean \"mud\"?\n"
                  "t.yaml:4:13: pairs: between must have 2 values, got 1\n"
                  "t.yaml:6:3: pairs: the pair \"mud\", \"ice\" stands here twice\n"
                  "t.yaml:7:3: pairs: key \"between\" is missing in a pair\n");
}

static void grain_and_resistance(void **state)
{
    (void)state;
    cr_model *m = compile_text("materials:\n"
                               "  cloth: {friction: 0.2, rolling: 0.02, spinning: 0.01}\n"
                               "  bar: {friction: 0.8, grain: {along: [0, 0, 2], friction: 0.1}}\n"
                               "pairs: [{between: [bar, bar], grain_friction: 0.3, rolling: 0.5}]\n"
                               "bodies: {ball: {kind: passive, mass: 1, shape: {sphere: 1}}}\n");
    assert_non_null(m);
    const cr_meeting *across = &m->meetings[1 * m->material_count + 2];
    expect_close(across->friction, 0.5, 1e-15);
    expect_close(across->along, 0.15, 1e-15); // the grain's 0.1 and the cloth's 0.2
    expect_close(across->rolling, 0.01, 1e-15);
    expect_close(across->spinning, 0.005, 1e-15);
    const cr_meeting *same = &m->meetings[2 * m->material_count + 2];
    expect_close(same->along, 0.3, 1e-15);
    expect_close(same->rolling, 0.5, 1e-15);
    expect_close(cr_model_material(m, 2)->grain.z, 1, 1e-15);
    cr_model_destroy(m);
    expect_errors("materials: {bar: {grain: {along: [0, 0, 0], friction: 1}, rolling: -1}}\n"
                  "bodies: {}\n",
                  "t.yaml:1:34: material \"bar\": along must not be zero\n"
                  "t.yaml:1:68: material \"bar\": rolling must be at least 0, got -1\n");
}

static void value_errors(void **state)
{
    (void)state;
    expect_errors(
        BASE "sample: {body: ball, region: hole, goal: hole}\n"
             "tactics:\n"
             "  t:\n"
             "    controls: robot\n"
             "    skills:\n"
             "      a: {do: drive_to, place: ball}\n"
             "      b: {do: wait, seconds: {uniform: [5, 1]}}\n"
             "      c: {do: turn, by: sample}\n"
             "      d: {do: drive_to, place: {around: ball}}\n"
             "      e: {do: drive_to, place: {body: ball, region: hole}}\n"
             "      f: {do: drive_to, place: [1, 2, 3, 4]}\n"
             "      g: {do: wait, seconds: {normal: [1, -1]}}\n"
             "      h: {do: wait, seconds: {choose: []}}\n"
             "      i: {do: wait, seconds: -1}\n"
             "      j: {do: drive_to, place: {center: hol}}\n"
             "      k: {do: drive_to, place: {region: hole, distance: 1}}\n"
             "      l: {do: drive_to, place: sample, look: away}\n",
        "t.yaml:7:42: sample: \"goal\" and \"goal_share\" go together\n"
        "t.yaml:12:32: tactic \"t\", skill \"a\": place must be a place ([x, y], {body: ...}, "
        "{region: ...}, ... or sample), got \"ball\"; did you mean {body: ball}?\n"
        "t.yaml:13:40: tactic \"t\", skill \"b\": uniform must go upwards, got [5, 1]\n"
        "t.yaml:14:25: tactic \"t\", skill \"c\": by: the scene's \"sample:\" must have a "
        "\"heading\"\n"
        "t.yaml:15:32: tactic \"t\", skill \"d\": key \"distance\" is missing beside \"around\"\n"
        "t.yaml:16:32: tactic \"t\", skill \"e\": place must have one of \"body\", \"center\", "
        "\"region\", \"around\", \"ghost\", \"mirror\"\n"
        "t.yaml:17:32: tactic \"t\", skill \"f\": place must have 2 to 3 values, got 4\n"
        "t.yaml:18:43: tactic \"t\", skill \"g\": deviation must be at least 0, got -1\n"
        "t.yaml:19:39: tactic \"t\", skill \"h\": choose must have 1 to 10000 values, got 0\n"
        "t.yaml:20:30: tactic \"t\", skill \"i\": seconds must be at least 0, got -1\n"
        "t.yaml:21:41: tactic \"t\", skill \"j\": unknown region \"hol\"; did you mean \"hole\"?\n"
        "t.yaml:22:57: tactic \"t\", skill \"k\": \"distance\" goes with \"around\"\n"
        "t.yaml:23:46: tactic \"t\", skill \"l\": look must be one of ahead|keep, got \"away\"\n");
    expect_errors(BASE
                  "sample: {region: hole, metric: near, deceleration: 0, velocity: [1, 2, 3]}\n",
                  "t.yaml:7:32: sample: metric must be one of time|distance, got \"near\"\n"
                  "t.yaml:7:52: sample: deceleration must be > 0, got 0\n"
                  "t.yaml:7:65: sample: velocity must have z = 0\n");
    expect_errors(BASE "sample: {region: hole, metric: distance, velocity: [1, 2]}\n",
                  "t.yaml:7:52: sample: \"deceleration\" and \"velocity\" go with \"metric: "
                  "time\"\n");
    expect_errors("bodies: {ball: {kind: passive, shape: {sphere: 0.1}, mass: 1}}\n"
                  "regions: {hole: {box: [1, 1]}}\n"
                  "sample: {region: hole}\n",
                  "t.yaml:3:9: sample: key \"body\" is missing, and there is not one controlled "
                  "body but 0\n");
    expect_errors(BASE
                  "tactics: {t: {controls: robot, skills: {a: {do: drive_to, place: sample}}}}\n",
                  "t.yaml:7:66: tactic \"t\", skill \"a\": place: the scene must have a "
                  "\"sample:\"\n");
}

static void tactic_errors(void **state)
{
    (void)state;
    expect_errors(
        BASE "tactics:\n"
             "  t:\n"
             "    controls: robot\n"
             "    start: wat\n"
             "    skills:\n"
             "      wait: {do: wait, secnds: 3}\n"
             "      go: {do: drive_too}\n"
             "      no: {place: 1}\n"
             "    next:\n"
             "      wait: {goo: 1, go: {when: {after: x}, wieght: 2}, wait: -1}\n"
             "      wai: {go: 1}\n"
             "  u: {controls: robot, skills: {s: {do: stand}}}\n"
             "  v: {controls: floor, skills: {s: {do: stand}}}\n"
             "  w: {skills: {}}\n"
             "  x: {controls: ball, skills: {s: {do: stand}}}\n",
        "t.yaml:10:12: tactic \"t\", start: unknown Skill \"wat\"; did you mean \"wait\"?\n"
        "t.yaml:12:13: tactic \"t\", skill \"wait\": parameter \"seconds\" is missing; \"wait\" "
        "must "
        "have it\n"
        "t.yaml:12:24: tactic \"t\", skill \"wait\": unknown parameter \"secnds\"; did you mean "
        "\"seconds\"?\n"
        "t.yaml:13:16: tactic \"t\", skill \"go\": unknown Skill type \"drive_too\"; did you mean "
        "\"drive_to\"?\n"
        "t.yaml:14:11: tactic \"t\", skill \"no\": key \"do\" is missing in a Skill\n"
        "t.yaml:16:14: tactic \"t\", after \"wait\": unknown Skill \"goo\"; did you mean \"go\"?\n"
        "t.yaml:16:41: tactic \"t\", after \"wait\": seconds must be a number: unknown name \"x\"\n"
        "t.yaml:16:45: tactic \"t\", after \"wait\": unknown key \"wieght\"; did you mean "
        "\"weight\"?\n"
        "t.yaml:16:63: tactic \"t\", after \"wait\": weight must be at least 0, got -1\n"
        "t.yaml:17:7: tactic \"t\", next: unknown Skill \"wai\"; did you mean \"wait\"?\n"
        "t.yaml:18:17: tactic \"u\": body \"robot\" is controlled by \"t\" already\n"
        "t.yaml:19:17: tactic \"v\": controls must be a body that moves, got static \"floor\"\n"
        "t.yaml:20:6: tactic \"w\": key \"controls\" is missing in a Tactic\n"
        "t.yaml:20:15: tactic \"w\": skills must be at least one, got none\n");
}

static void condition_errors(void **state)
{
    (void)state;
    expect_errors(
        BASE "goal: {inside: [bal, hole]}\n"
             "rules:\n"
             "- never: {touch: [robot, rbot]}\n"
             "- nevr: 3\n"
             "- never: {insde: [ball, hole]}\n"
             "- always: {inside: [ball]}\n"
             "- never: {near: [ball, hole, {uniform: [1, 2]}]}\n"
             "- never: {all: []}\n"
             "- never: {not: {speed: [ball, bellow, 1]}}\n"
             "- never: {skill: [t, s]}\n"
             "- never: {touch: [ball, ball]}\n"
             "- never: {after: 1, still: ball}\n"
             "- never: 3\n"
             "score: {add: [{ramp: {of: time, from: 1, to: 1}}, {mult: []}, {when: 3}, 7,\n"
             "  {ramp: {of: {distance: [ball, hol]}, from: 1, to: 2}}]}\n",
        "t.yaml:7:17: goal: unknown body \"bal\"; did you mean \"ball\"?\n"
        "t.yaml:9:26: rule 1: unknown body \"rbot\"; did you mean \"robot\"?\n"
        "t.yaml:10:3: rule 2: unknown key \"nevr\"; did you mean \"never\"?\n"
        "t.yaml:11:11: rule 3: unknown condition \"insde\"; did you mean \"inside\"?\n"
        "t.yaml:12:20: rule 4: inside must have the values [body, region], got 1 of them\n"
        "t.yaml:13:30: rule 5: distance must be constant: nothing is drawn here\n"
        "t.yaml:14:16: rule 6: all must have 1 to 10000 values, got 0\n"
        "t.yaml:15:31: rule 7: side must be one of below|above, got \"bellow\"\n"
        "t.yaml:16:19: rule 8: unknown Tactic \"t\"\n"
        "t.yaml:17:18: rule 9: touch: a body does not touch itself\n"
        "t.yaml:18:10: rule 10: a condition must be a mapping with one key, as {near: [a, "
        "b, 1]}, got a mapping with more or less\n"
        "t.yaml:19:10: rule 11: a condition must be a mapping with one key, as {near: [a, "
        "b, 1]}, got a word or number\n"
        "t.yaml:20:46: score: to must differ from \"from\", got 1 twice\n"
        "t.yaml:20:52: score: unknown key \"mult\"\n"
        "t.yaml:20:70: score: a condition must be a mapping with one key, as {near: [a, b, "
        "1]}, got a word or number\n"
        "t.yaml:21:33: score: unknown body or region \"hol\"; did you mean \"hole\"?\n");
    expect_errors(BASE "rules: [{never: {touch: [robot, floor]}}]\n",
                  "t.yaml:7:25: bodies \"robot\" and \"floor\" never touch: both are static, one "
                  "ignores the other, a joint holds them, or one is upright and the other a "
                  "plane\n");
}

static void plan_errors(void **state)
{
    (void)state;
    expect_errors(
        BASE "plan: {select: bgtt, mu: -3, nodes: 1.5, nods: 3, engine: odd, keep_dead: maybe,\n"
             "  round: 2000}\n",
        "t.yaml:7:16: plan: unknown select \"bgtt\"; did you mean \"bgt\"?\n"
        "t.yaml:7:26: plan: mu must be at least 1e-09, got -3\n"
        "t.yaml:7:37: plan: nodes must be a whole number, got 1.5\n"
        "t.yaml:7:42: plan: unknown key \"nods\"; did you mean \"nodes\"?\n"
        "t.yaml:7:59: plan: unknown engine \"odd\"; did you mean \"ode\"?\n"
        "t.yaml:7:75: plan: keep_dead must be one of false|true, got \"maybe\"\n"
        "t.yaml:8:10: plan: round must be at most 1024, got 2000\n");
}

static void parameter_errors(void **state)
{
    (void)state;
    expect_errors("parameters: {a: 1, b: a * 2, c: d, mu: 3, pi: 3, 'x-y': 2, e: [1], sample: 1}\n"
                  "bodies:\n"
                  "  s: {kind: static, shape: {sphere: b + c + 1 deg}}\n",
                  "t.yaml:1:33: parameters: c must be a number: unknown name \"d\"; did you mean "
                  "\"a\"?\n"
                  "t.yaml:1:36: parameters: the planner has a parameter \"mu\"; choose another "
                  "name\n"
                  "t.yaml:1:43: parameters: a parameter's name is a letter and up to 62 letters, "
                  "digits and _, and not pi, deg or sample, got \"pi\"\n"
                  "t.yaml:1:50: parameters: a parameter's name is a letter and up to 62 letters, "
                  "digits and _, and not pi, deg or sample, got \"x-y\"\n"
                  "t.yaml:1:63: parameters: e must be a number, got a list\n"
                  "t.yaml:1:68: parameters: a parameter's name is a letter and up to 62 letters, "
                  "digits and _, and not pi, deg or sample, got \"sample\"\n");
}

static void overlap_errors(void **state)
{
    (void)state;
    expect_errors("bodies:\n"
                  "  floor: {kind: static, shape: {plane: [0, 0, 1]}}\n"
                  "  a: {kind: passive, shape: {sphere: 0.1}, mass: 1, at: [0, 0]}\n"
                  "  b: {kind: passive, shape: {sphere: 0.1}, mass: 1, at: [0.15, 0]}\n"
                  "  c: {kind: passive, shape: {sphere: 0.1}, mass: 1, at: [3, 0, 0.05]}\n"
                  // Half a millimetre is let pass, and so are bodies that ignore each other.
                  "  d: {kind: passive, shape: {sphere: 0.1}, mass: 1, at: [5, 0, 0.0995]}\n"
                  "  e: {kind: passive, shape: {sphere: 0.1}, mass: 1, at: [5, 0], ignore: [d]}\n",
                  "t.yaml:4:3: bodies \"a\" and \"b\" must not overlap at the start, got 0.05 m\n"
                  "t.yaml:5:3: bodies \"floor\" and \"c\" must not overlap at the start, got 0.05 "
                  "m\n");
}

// ---------------------------------------------------------------------------------------------
// Decor.

#define DRESSED                                                                                    \
    "bodies:\n"                                                                                    \
    "  floor: {kind: static, shape: {plane: [0, 0, 1]}}\n"                                         \
    "  mill: {kind: foreign, shape: {box: [2, 0.1, 0.1]}, center: [0.5, 0, 0], at: [0, 0]}\n"

static void decor_errors(void **state)
{
    (void)state;
    expect_errors(
        DRESSED "decor:\n"
                "  bodies: {flor: wood, mill: wod, floor: {number: 100}}\n",
        "t.yaml:5:12: decor of body \"flor\": unknown body \"flor\"; did you mean \"floor\"?\n"
        "t.yaml:5:30: decor of body \"mill\": finish must be one of "
        "plain|carpet|grass|cloth|wood|asphalt|concrete|metal|rubber|gloss|striped|golf|net|robot|"
        "car|pin|hidden, got \"wod\"\n"
        "t.yaml:5:42: decor of body \"floor\": key \"finish\" is missing in a body's looks\n"
        "t.yaml:5:51: decor of body \"floor\": number must be at most 99, got 100\n");
    expect_errors(
        DRESSED "decor:\n"
                "  marks:\n"
                "    - {disk: 1}\n"
                "    - {disc: 0, at: [[0, 0], [1]]}\n"
                "    - {disc: 1, box: [1, 1]}\n"
                "    - {line: [[0, 0]], at: [0, 0]}\n"
                "    - {circle: 1, arc: [0], finish: wood, on: mil}\n"
                "    - {block: [1, 1], closed: true, width: 1}\n"
                "  lamps: []\n",
        "t.yaml:6:8: mark 1: unknown key \"disk\"; did you mean \"disc\"?\n"
        "t.yaml:7:14: mark 2: disc must be > 0, got 0\n"
        "t.yaml:7:30: mark 2: at must have 2 to 3 values, got 1\n"
        "t.yaml:8:7: mark 3: a mark needs one of line, box, circle, disc, patch, block and post, "
        "got 2 of them\n"
        "t.yaml:9:14: mark 4: line must have 2 to 2000 values, got 1\n"
        "t.yaml:9:28: mark 4: \"at\" has no effect on a line\n"
        "t.yaml:10:24: mark 5: arc must have 2 values, got 1\n"
        "t.yaml:10:37: mark 5: \"finish\" has no effect on a circle\n"
        "t.yaml:10:47: mark 5: unknown body \"mil\"; did you mean \"mill\"?\n"
        "t.yaml:11:15: mark 6: block must have 3 values, got 2\n"
        "t.yaml:11:31: mark 6: \"closed\" has no effect on a block\n"
        "t.yaml:11:44: mark 6: \"width\" has no effect on a block\n"
        "t.yaml:12:3: decor: unknown key \"lamps\"\n");
}

// Places on a body are given in its own frame, and kept from its centre of mass.
static void decor_is_read(void **state)
{
    (void)state;
    cr_model *model =
        compile_text(DRESSED "decor:\n"
                             "  bodies: {floor: grass, mill: {finish: wood, number: 7}}\n"
                             "  marks:\n"
                             "    - {line: [[0, 0], [1, 2, 3]], closed: true, width: 0.1}\n"
                             "    - {post: [0.1, 2], on: mill, at: [1, 0, 0.25]}\n"
                             "    - {disc: 0.5, at: [[1, 2], [3, 4, 5]], color: black}\n"
                             "    - {circle: 2, arc: [0, 90 deg], heading: pi}\n");
    const cr_decor *decor = cr_model_decor(model);
    assert_int_equal(decor->dress_count, 2);
    assert_int_equal(decor->dresses[0].finish, CR_FINISH_GRASS);
    assert_int_equal(decor->dresses[1].number, 7);
    assert_int_equal(decor->mark_count, 5);
    const cr_mark *line = &decor->marks[0], *post = &decor->marks[1], *disc = &decor->marks[3],
                  *arc = &decor->marks[4];
    assert_true(line->kind == CR_MARK_LINE && line->closed && line->point_count == 2);
    assert_true(line->points[1].z == 3 && line->width == 0.1);
    assert_true(post->body == 1 && post->at.x == 0.5 && post->at.z == 0.25 && post->size.y == 2);
    assert_true(disc->at.z == 5 && disc->color == 0x202020 && disc->size.x == 0.5);
    assert_true(arc->to > 1.57 && arc->to < 1.58 && arc->heading > 3.14);
    cr_model_destroy(model);
}

// Dressing a scene changes no state.
static void decor_changes_nothing(void **state)
{
    (void)state;
    cr_model *bare = compile_text(DRESSED);
    cr_model *dressed = compile_text(DRESSED "decor: {marks: [{post: [1, 1], at: [0, 0]}]}\n");
    assert_int_equal(cr_model_body_count(bare), cr_model_body_count(dressed));
    cr_state *a = cr_state_create(bare), *b = cr_state_create(dressed);
    assert_true(cr_state_hash(bare, a) == cr_state_hash(dressed, b));
    free(a);
    free(b);
    cr_model_destroy(bare);
    cr_model_destroy(dressed);
}

static bool mentions(const char *text, const char *word)
{
    char quoted[80];
    snprintf(quoted, sizeof quoted, "`%s`", word);
    return strstr(text, quoted) != NULL;
}

// Every key, condition and parameter stands in the format's page.
static void everything_is_documented(void **state)
{
    (void)state;
    char *page = NULL;
    size_t length;
    assert_int_equal(
        cri_file_read(CAROM_SCENES "/../docs/scene-format.md", 1 << 20, &page, &length, NULL),
        CR_OK);
    for (int t = 0; cri_key_tables[t]; t++) {
        for (int i = 0; i < cri_key_tables[t]->count; i++) {
            if (!mentions(page, cri_key_tables[t]->rows[i].name)) {
                fail_msg("key %s of %s", cri_key_tables[t]->rows[i].name, cri_key_tables[t]->what);
            }
        }
    }
    for (int i = 0; i < cr_library_condition_count(NULL); i++) {
        assert_true(mentions(page, cr_library_condition(NULL, i)->name));
    }
    for (int i = 0; i < cr_parameter_count(); i++) {
        assert_true(mentions(page, cr_parameter_at(i)->name));
    }
    free(page);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(general_values),
        cmocka_unit_test(materials_and_pairs),
        cmocka_unit_test(bodies),
        cmocka_unit_test(frames),
        cmocka_unit_test(parts),
        cmocka_unit_test(centre_of_mass_can_be_given),
        cmocka_unit_test(planes_and_prisms),
        cmocka_unit_test(regions),
        cmocka_unit_test(tactics),
        cmocka_unit_test(settings),
        cmocka_unit_test(setting_errors),
        cmocka_unit_test(names_without_name),
        cmocka_unit_test(json_is_accepted),
        cmocka_unit_test(parameter_table),
        cmocka_unit_test(library),
        cmocka_unit_test(key_errors),
        cmocka_unit_test(body_errors),
        cmocka_unit_test(floor_friction_errors),
        cmocka_unit_test(shape_errors),
        cmocka_unit_test(material_errors),
        cmocka_unit_test(grain_and_resistance),
        cmocka_unit_test(value_errors),
        cmocka_unit_test(tactic_errors),
        cmocka_unit_test(condition_errors),
        cmocka_unit_test(plan_errors),
        cmocka_unit_test(parameter_errors),
        cmocka_unit_test(overlap_errors),
        cmocka_unit_test(decor_errors),
        cmocka_unit_test(decor_is_read),
        cmocka_unit_test(decor_changes_nothing),
        cmocka_unit_test(everything_is_documented),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
