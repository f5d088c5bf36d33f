// MoveIt files mean what MoveIt means by them: every key is honoured, named as without effect or
// refused; what nobody knows is found in every mapping.
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
#include "carom/carom.h"
#include "reach/moveit.h"

// A crane: a post that turns, a boom that slides out of it, a hook that follows nobody.
static const char urdf[] =
    "<robot name='crane'><link name='foot'/>"
    "<link name='post'><collision><origin xyz='0 0 0.5'/><geometry><cylinder radius='0.05' "
    "length='1'/></geometry></collision></link>"
    "<link name='boom'><collision><geometry><sphere radius='0.1'/></geometry></collision></link>"
    "<link name='hook'><collision><geometry><sphere radius='0.05'/></geometry></collision></link>"
    "<link name='plate'><collision><geometry><sphere radius='0.03'/></geometry></collision></link>"
    "<joint name='turn' type='revolute'><parent link='foot'/><child link='post'/>"
    "<axis xyz='0 0 1'/><limit lower='-3.14159' upper='3.14159'/></joint>"
    "<joint name='push' type='prismatic'><parent link='post'/><child link='boom'/>"
    "<origin xyz='0.5 0 1'/><axis xyz='1 0 0'/><limit lower='0.1' upper='0.4'/></joint>"
    "<joint name='spin' type='continuous'><parent link='boom'/><child link='hook'/>"
    "<origin xyz='0 0 -0.3'/><axis xyz='0 0 1'/></joint>"
    "<joint name='bolt' type='fixed'><parent link='hook'/><child link='plate'/>"
    "<origin xyz='0.1 0 0'/></joint></robot>";

static const char srdf[] =
    "<robot name='crane'><group name='all'><chain base_link='foot' tip_link='plate'/></group>"
    "<group name='arm'><joint name='turn'/><joint name='push'/></group>"
    "<group name='none'><joint name='bolt'/></group>"
    "<virtual_joint name='ground' type='floating' parent_frame='world' child_link='foot'/>"
    "<disable_collisions link1='post' link2='boom'/></robot>";

static cr_arm *make_arm(const char *semantics)
{
    cr_arm *arm;
    cr_report report = {0};
    cr_arm_text text = {urdf,         semantics,   strlen(urdf), semantics ? strlen(semantics) : 0,
                        "crane.urdf", "crane.srdf"};
    if (cr_arm_parse(&text, &arm, &report) != CR_OK) {
        fail_msg("%s", report.errors[0].message);
    }
    assert_int_equal(report.warning_count, 0);
    return arm;
}

#define BALL     "primitives: [{type: sphere, dimensions: [0.1]}]"
#define FAR_BALL "primitive_poses: [{position: [3, 0, 0]}]"
#define GOAL     "goal_constraints: [{joint_constraints: [{joint_name: turn, position: 1}]}]"
#define START    "start_state: {joint_state: {name: [turn, push, spin], position: [0, 0.2, 0]}}"
#define REQUEST  START "\n" GOAL "\n"
#define SCENE    "world: {collision_objects: [{id: b, " BALL ", " FAR_BALL "}]}\n"

static cr_status read_pair(const cr_arm *arm, const char *scene, const char *request,
                           cr_reach_tasks **tasks, cr_report *report)
{
    *report = (cr_report){0};
    cri_moveit_text a = {scene, strlen(scene), "s.yaml"};
    cri_moveit_text b = {request, request ? strlen(request) : 0, "r.yaml"};
    return cri_moveit_parse(arm, a, b, tasks, report);
}

static cr_reach_tasks *must_read(const cr_arm *arm, const char *scene, const char *request)
{
    cr_reach_tasks *tasks;
    cr_report report;
    if (read_pair(arm, scene, request, &tasks, &report) != CR_OK) {
        fail_msg("%s: %s", scene, report.errors[0].message);
    }
    return tasks;
}

// True if an error or warning with a place holds the words.
static bool says(const cr_report *report, const char *words)
{
    for (int i = 0; i < report->count && i < CR_REPORT_MAX; i++) {
        if (strstr(report->errors[i].message, words) && report->errors[i].line > 0) {
            return true;
        }
    }
    for (int i = 0; i < report->warning_count && i < CR_REPORT_MAX; i++) {
        if (strstr(report->warnings[i].message, words) && report->warnings[i].line > 0) {
            return true;
        }
    }
    return false;
}

// ---------------------------------------------------------------------------------------------
// The table of keys.

typedef enum answer { FINE, WARNS, REFUSES } answer;

typedef struct row {
    answer answer;
    const char *text;  // beside the usual scene or request
    const char *words; // of the message
} row;

static const row scene_rows[] = {
    {FINE, "name: any", 0},
    {FINE, "robot_model_name: crane", 0},
    {WARNS, "robot_model_name: digger", "\"digger\""},
    {WARNS, "is_diff: true", "is_diff"},
    {FINE, "is_diff: false", 0},
    {WARNS, "object_colors: [{id: b, color: {r: 1, g: 0, b: 0, a: 1}}]", "object_colors"},
    {REFUSES, "robot_state: {attached_collision_objects: [{link_name: hook}]}",
     "attached_collision_objects"},
    {FINE, "robot_state: {attached_collision_objects: []}", 0},
    {WARNS, "robot_state: {joint_state: {name: [turn], position: [0], velocity: [1]}}",
     "joint_state.velocity"},
    {WARNS, "robot_state: {joint_state: {name: [nose], position: [0]}}", "\"nose\""},
    {WARNS, "robot_state: {joint_state: {name: [bolt], position: [1]}}", "\"bolt\""},
    {FINE, "robot_state: {joint_state: {name: [bolt], position: [0]}}", 0},
    {REFUSES, "robot_state: {joint_state: {name: [turn], position: []}}", "same length"},
    {REFUSES, "robot_state: {joint_state: {name: [turn, turn], position: [0, 1]}}", "two values"},
    {REFUSES, "robot_state: {joint_state: {name: [ground/x], position: [1]}}", "ground/x"},
    {REFUSES,
     "robot_state: {multi_dof_joint_state: {joint_names: [sky], transforms: [{translation: [0, 0, "
     "1]}]}}",
     "\"sky\""},
    {REFUSES,
     "robot_state: {multi_dof_joint_state: {header: {frame_id: moon}, joint_names: [ground], "
     "transforms: [{translation: [0, 0, 1]}]}}",
     "\"moon\""},
    {FINE, "fixed_frame_transforms: [{child_frame_id: world, transform: {rotation: [0, 0, 0, 1]}}]",
     0},
    {REFUSES,
     "fixed_frame_transforms: [{header: {frame_id: world}, child_frame_id: moon, transform: {}}]",
     "\"moon\""},
    {REFUSES,
     "fixed_frame_transforms: [{header: {frame_id: foot}, child_frame_id: world, transform: "
     "{translation: [1, 0, 0]}}]",
     "\"foot\" stands elsewhere"},
    {WARNS,
     "allowed_collision_matrix: {entry_names: [post, boom], entry_values: [[false, false], [false, "
     "false]]}",
     "\"post\" and \"boom\"; they stay allowed"},
    {WARNS,
     "allowed_collision_matrix: {entry_names: [post, hook, boom], entry_values: [[0, 1, 1], [1, 0, "
     "0], [1, 0, 0]]}",
     "\"post\" and \"hook\"; they are allowed"},
    {WARNS,
     "allowed_collision_matrix: {entry_names: [post, boom, nose], entry_values: [{enabled: [false, "
     "true, false]}, {enabled: [true, false, false]}, {enabled: [false, false, false]}]}",
     "\"nose\""},
    {WARNS,
     "allowed_collision_matrix: {entry_names: [post, boom, b], entry_values: [[0, 1, 1], [1, 0, 0],"
     " [1, 0, 0]]}",
     "kept clear of object \"b\""},
    {WARNS, "allowed_collision_matrix: {default_entry_names: [hook], default_entry_values: [true]}",
     "\"post\" and \"hook\"; they are allowed"},
    {REFUSES, "allowed_collision_matrix: {entry_names: [post], entry_values: []}", "rows"},
    {REFUSES, "allowed_collision_matrix: {entry_names: [post], entry_values: [[maybe]]}",
     "true or false"},
    {FINE, "link_padding: [{link_name: hook, padding: 0.01}]", 0},
    {WARNS, "link_padding: [{link_name: nose, padding: 0.01}]", "\"nose\""},
    {REFUSES, "link_padding: [{link_name: hook, padding: -1}]", "padding must be at least 0"},
    {FINE, "link_scale: [{link_name: hook, scale: 1.1}]", 0},
    {REFUSES, "link_scale: [{link_name: hook, scale: 0.5}]", "scale must be at least 1"},
};

static const row request_rows[] = {
    {FINE, "group_name: all", 0},
    {FINE, "group_name: ''", 0},
    {REFUSES, "group_name: none", "no joint of the group"},
    {REFUSES, "group_name: al", "did you mean \"all\""},
    {REFUSES, "path_constraints: {joint_constraints: [{joint_name: turn, position: 1}]}",
     "joint_constraints"},
    {REFUSES, "path_constraints: {orientation_constraints: [{link_name: hook}]}",
     "orientation_constraints"},
    {FINE, "path_constraints: {name: '', joint_constraints: []}", 0},
    {REFUSES, "trajectory_constraints: {constraints: [{name: x}]}", "constraints"},
    {FINE, "trajectory_constraints: {constraints: []}", 0},
    {REFUSES, "reference_trajectories: [{joint_trajectory: []}, 1]", "reference_trajectories"},
    {WARNS, "planner_id: RRT", "planner_id"},
    {WARNS, "pipeline_id: ompl", "pipeline_id"},
    {WARNS, "num_planning_attempts: 4", "num_planning_attempts"},
    {WARNS, "allowed_planning_time: 5.0", "allowed_planning_time"},
    {WARNS, "max_velocity_scaling_factor: 0.1", "max_velocity_scaling_factor"},
    {FINE, "max_velocity_scaling_factor: 0", 0},
    {WARNS, "max_acceleration_scaling_factor: 0.1", "max_acceleration_scaling_factor"},
    {WARNS, "max_cartesian_speed: 0.1", "max_cartesian_speed"},
    {WARNS, "cartesian_speed_limited_link: hook", "cartesian_speed_limited_link"},
    {WARNS, "workspace_parameters: {min_corner: [-1, -1, -1], max_corner: [1, 1, 1]}",
     "workspace_parameters"},
};

// Fields of the one object, instead of its shapes.
static const row object_rows[] = {
    {FINE, BALL ", primitive_poses: [{position: {x: 3, y: 0, z: 0}, orientation: {w: 1}}]", 0},
    {FINE, BALL ", pose: {position: [3, 0, 0]}", 0},
    {FINE, BALL ", header: {seq: 1, stamp: {sec: 1, nanosec: 2}, frame_id: /world}, " FAR_BALL, 0},
    {FINE, BALL ", header: {frame_id: foot}, " FAR_BALL, 0},
    {REFUSES, BALL ", header: {frame_id: fot}, " FAR_BALL, "did you mean \"foot\""},
    {WARNS, BALL ", primitive_poses: [{position: [3, 0, 0], orientation: [0, 0, 0, 0]}]",
     "no rotation"},
    {REFUSES, BALL ", primitive_poses: [{position: [3, 0]}]", "position must be 3 numbers"},
    {REFUSES, BALL ", primitive_poses: [{}, {}]", "primitive_poses"},
    {REFUSES, "id: x", "needs primitives"},
    {FINE, "primitives: [{type: 1, dimensions: [1, 1, 1]}], " FAR_BALL, 0},
    {FINE, "primitives: [{type: 2, dimensions: [1]}], " FAR_BALL, 0},
    {FINE, "primitives: [{type: 3, dimensions: [1, 1]}], " FAR_BALL, 0},
    {REFUSES, "primitives: [{type: 4, dimensions: [1, 1]}], " FAR_BALL, "\"cone\""},
    {REFUSES, "primitives: [{type: 5, dimensions: [1]}], " FAR_BALL, "\"prism\""},
    {REFUSES, "primitives: [{type: 6, dimensions: [1]}], " FAR_BALL, "unknown shape"},
    {FINE, "primitives: [{type: BOX, dimensions: [1, 1, 1]}], " FAR_BALL, 0},
    {WARNS, "primitives: [{type: sphere, dimensions: [1, 2]}], " FAR_BALL, "1 dimensions"},
    {REFUSES, "primitives: [{type: box, dimensions: [1, 2]}], " FAR_BALL, "3 numbers"},
    {REFUSES, BALL ", meshes: [{triangles: [], vertices: [[1, 2, 3]]}]", "meshes"},
    {REFUSES, BALL ", planes: [{coef: [0, 0, 1, 0]}]", "planes"},
    {WARNS, BALL ", " FAR_BALL ", type: {key: can, db: ''}", "type.key"},
    {WARNS, BALL ", " FAR_BALL ", subframe_names: [tip], subframe_poses: [{}]", "subframe_names"},
    {FINE, BALL ", " FAR_BALL ", operation: 0", 0},
    {FINE, BALL ", " FAR_BALL ", operation: ADD", 0},
    {REFUSES, "operation: move", "cannot be moved"},
    {WARNS, "id: x, operation: '1'", "cannot be removed"},
    {REFUSES, BALL ", operation: 7", "operation must be"},
};

static void expect_row(const cr_arm *arm, const row *r, const char *scene, const char *request)
{
    cr_reach_tasks *tasks;
    cr_report report;
    cr_status status = read_pair(arm, scene, request, &tasks, &report);
    if ((status == CR_OK) != (r->answer != REFUSES)) {
        fail_msg("%s: %s", r->text, report.count ? report.errors[0].message : "is accepted");
    }
    if (r->answer == FINE && report.warning_count) {
        fail_msg("%s: %s", r->text, report.warnings[0].message);
    }
    if (r->answer != FINE && !says(&report, r->words)) {
        const cr_error *first = r->answer == WARNS ? report.warnings : report.errors;
        fail_msg("%s: \"%s\" does not say \"%s\"", r->text, first->message, r->words);
    }
    cr_reach_tasks_destroy(tasks);
}

static void test_every_key_has_an_answer(void **state)
{
    (void)state;
    cr_arm *arm = make_arm(srdf);
    char text[2048];
    for (size_t i = 0; i < sizeof scene_rows / sizeof scene_rows[0]; i++) {
        snprintf(text, sizeof text, "%s%s\n", SCENE, scene_rows[i].text);
        expect_row(arm, &scene_rows[i], text, REQUEST);
    }
    for (size_t i = 0; i < sizeof request_rows / sizeof request_rows[0]; i++) {
        snprintf(text, sizeof text, "%s%s\n", REQUEST, request_rows[i].text);
        expect_row(arm, &request_rows[i], SCENE, text);
    }
    for (size_t i = 0; i < sizeof object_rows / sizeof object_rows[0]; i++) {
        snprintf(text, sizeof text, "world: {collision_objects: [{%s}]}\n", object_rows[i].text);
        expect_row(arm, &object_rows[i], text, REQUEST);
    }
    static const row octomaps[] = {
        {FINE, "octomap: {origin: {orientation: {w: 1}}, octomap: {id: OcTree, data: []}}", 0},
        {REFUSES, "octomap: {octomap: {resolution: 0.1, data: [1, 2, 3]}}", "octomaps"},
    };
    for (size_t i = 0; i < sizeof octomaps / sizeof octomaps[0]; i++) {
        snprintf(text, sizeof text, "world: {collision_objects: [], %s}\n", octomaps[i].text);
        expect_row(arm, &octomaps[i], text, REQUEST);
    }
    cr_arm_destroy(arm);
}

static void test_goals(void **state)
{
    (void)state;
    static const row rows[] = {
        {FINE,
         "[{name: x, joint_constraints: [{joint_name: turn, position: 1, tolerance_above: "
         "0.1, tolerance_below: 0.1, weight: 0.5}]}]",
         0},
        {REFUSES,
         "[{joint_constraints: [{joint_name: turn, position: 1}]}, {joint_constraints: "
         "[{joint_name: turn, position: 2}]}]",
         "goals after the first"},
        {REFUSES, "[{joint_constraints: [{joint_name: turn, position: 1, tolerance_above: -1}]}]",
         "tolerance_above must be >= 0"},
        {REFUSES, "[{position_constraints: [{link_name: hook}]}]", "position_constraints"},
        {REFUSES, "[{orientation_constraints: [{link_name: hook}]}]", "orientation_constraints"},
        {REFUSES, "[{visibility_constraints: [{target_radius: 1}]}]", "visibility_constraints"},
        {REFUSES, "[{joint_constraints: [{joint_name: bolt, position: 1}]}]", "\"bolt\""},
        {REFUSES, "[{joint_constraints: [{joint_name: nose, position: 1}]}]", "\"nose\""},
        {REFUSES,
         "[{joint_constraints: [{joint_name: turn, position: 1}, {joint_name: turn, position: "
         "2}]}]",
         "two values"},
        {REFUSES, "[]", "joint_constraints"},
    };
    cr_arm *arm = make_arm(srdf);
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        char text[1024];
        snprintf(text, sizeof text, START "\ngoal_constraints: %s\n", rows[i].text);
        expect_row(arm, &rows[i], SCENE, text);
    }
    cr_arm_destroy(arm);
}

// ---------------------------------------------------------------------------------------------
// Unknown keys.

#define POSE   "{position: {x: 3, y: 0, z: 0}, orientation: {x: 0, y: 0, z: 0, w: 1}}"
#define HEADER "header: {seq: 1, stamp: {secs: 0, nsecs: 0}, frame_id: world}"

// Every mapping of the two messages, in flow style.
static const char whole_scene[] =
    "{name: n, robot_model_name: crane, is_diff: false, robot_state: {joint_state: {" HEADER
    ", name: [turn], position: [0], velocity: [], effort: []}, multi_dof_joint_state: {" HEADER
    ", joint_names: [ground], transforms: [{translation: {x: 0, y: 0, z: 0}, rotation: {x: 0, y: "
    "0, z: 0, w: 1}}], twist: [{linear: {x: 0}, angular: {x: 0}}], wrench: [{force: {x: 0}, "
    "torque: {x: 0}}]}, attached_collision_objects: [], is_diff: false}, fixed_frame_transforms: "
    "[{header: {frame_id: table}, child_frame_id: world, transform: {translation: {x: 1, y: 0, z: "
    "0}, rotation: {x: 0, y: 0, z: 0, w: 1}}}], allowed_collision_matrix: {entry_names: [post, "
    "boom], entry_values: [{enabled: [false, true]}, {enabled: [true, false]}], "
    "default_entry_names: [], default_entry_values: []}, link_padding: [{link_name: hook, padding: "
    "0.01}], link_scale: [{link_name: hook, scale: 1}], object_colors: [{id: b, color: {r: 1, g: "
    "1, b: 1, a: 1}}], world: {collision_objects: [{" HEADER ", id: b, pose: " POSE
    ", type: {key: '', db: ''}, primitives: [{type: box, dimensions: [1, 1, 1]}], primitive_poses: "
    "[" POSE "], subframe_names: [], subframe_poses: [" POSE "], operation: 0}], octomap: {" HEADER
    ", origin: " POSE ", octomap: {" HEADER ", binary: true, id: '', resolution: 0, data: []}}}}\n";

static const char whole_request[] =
    "{workspace_parameters: {" HEADER ", min_corner: {x: -1, y: 0, z: 0}, max_corner: {x: 1, y: 0, "
    "z: 0}}, start_state: {joint_state: {name: [turn, push, spin], position: [0, 0.2, 0]}, "
    "is_diff: false}, goal_constraints: [{name: g, joint_constraints: [{joint_name: turn, "
    "position: 1, tolerance_above: 0.1, tolerance_below: 0.1, weight: 1}], position_constraints: "
    "[], orientation_constraints: [], visibility_constraints: []}], path_constraints: {name: '', "
    "joint_constraints: [], position_constraints: []}, trajectory_constraints: {constraints: []}, "
    "group_name: all, planner_id: x, num_planning_attempts: 1, allowed_planning_time: 1, "
    "max_velocity_scaling_factor: 1, max_acceleration_scaling_factor: 1}\n";

static void expect_reported(const cr_arm *arm, const char *scene, const char *request,
                            const char *words)
{
    cr_reach_tasks *tasks;
    cr_report report;
    assert_int_not_equal(read_pair(arm, scene, request, &tasks, &report), CR_OK);
    if (!says(&report, words)) {
        fail_msg("\"%s\" does not say \"%s\"", report.errors[0].message, words);
    }
}

// Put an unknown key into each mapping of a text; at says which text it is.
static int plant_everywhere(const cr_arm *arm, const char *text, bool scene)
{
    int count = 0;
    for (const char *at = strchr(text, '{'); at; at = strchr(at + 1, '{')) {
        char planted[8192];
        snprintf(planted, sizeof planted, "%.*szzz_key: 1, %s", (int)(at + 1 - text), text, at + 1);
        expect_reported(arm, scene ? planted : whole_scene, scene ? whole_request : planted,
                        "zzz_key");
        count++;
    }
    return count;
}

// Misspell each key that has a word's length: none is passed over.
static int misspell_everywhere(const cr_arm *arm, const char *text, bool scene)
{
    int count = 0;
    for (const char *at = strchr(text, ':'); at; at = strchr(at + 1, ':')) {
        const char *from = at;
        while (strchr("abcdefghijklmnopqrstuvwxyz_", from[-1])) {
            from--;
        }
        if (at - from < 4) {
            continue;
        }
        char wrong[8192], words[80];
        snprintf(wrong, sizeof wrong, "%.*szq%s", (int)(at - text), text, at);
        snprintf(words, sizeof words, "unknown key \"%.*szq\"", (int)(at - from), from);
        expect_reported(arm, scene ? wrong : whole_scene, scene ? whole_request : wrong, words);
        count++;
    }
    return count;
}

static void test_unknown_keys_are_found_everywhere(void **state)
{
    (void)state;
    cr_arm *arm = make_arm(srdf);
    cr_reach_tasks_destroy(must_read(arm, whole_scene, whole_request));
    assert_int_equal(plant_everywhere(arm, whole_scene, true), 53);
    assert_int_equal(plant_everywhere(arm, whole_request, false), 12);
    assert_true(misspell_everywhere(arm, whole_scene, true) > 60);
    assert_true(misspell_everywhere(arm, whole_request, false) > 30);
    cr_arm_destroy(arm);
}

// ---------------------------------------------------------------------------------------------
// What the keys do.

static cr_pose random_pose(cr_rng *rng, double size)
{
    cr_quat q = {cr_rng_normal(rng, 0, 1), cr_rng_normal(rng, 0, 1), cr_rng_normal(rng, 0, 1),
                 cr_rng_normal(rng, 0, 1)};
    cr_vec3 p = {cr_rng_uniform(rng, -size, size), cr_rng_uniform(rng, -size, size),
                 cr_rng_uniform(rng, -size, size)};
    return (cr_pose){p, cri_quat_unit(q)};
}

static const char *print_pose(cr_pose p, char *text)
{
    snprintf(text, 300,
             "{position: [%.17g, %.17g, %.17g], orientation: {x: %.17g, y: %.17g, z: %.17g, w: "
             "%.17g}}",
             p.position.x, p.position.y, p.position.z, p.rotation.x, p.rotation.y, p.rotation.z,
             p.rotation.w);
    return text;
}

static void expect_pose(cr_pose a, cr_pose b)
{
    cr_quat d = cri_quat_mul(cri_quat_conj(a.rotation), b.rotation);
    assert_true(cri_length(cri_sub(a.position, b.position)) < 1e-12);
    assert_true(fabs(d.x) + fabs(d.y) + fabs(d.z) < 1e-12);
}

// A box of the usual size with these fields.
static cr_reach_tasks *read_box(const cr_arm *arm, const char *fields, const char *others)
{
    char text[4096];
    snprintf(text, sizeof text,
             "%sworld: {collision_objects: [{id: b, primitives: [{type: box, dimensions: [0.3, "
             "0.2, 0.1]}], %s}]}\n",
             others, fields);
    return must_read(arm, text, REQUEST);
}

static cr_reach *make_planner(void)
{
    cr_reach_def def = cr_quick_reach_def();
    def.seconds = 0;
    def.iterations = 20000;
    cr_reach *reach;
    assert_int_equal(cr_reach_create(&def, &reach, NULL), CR_OK);
    return reach;
}

// Both tasks are invalid, unsolved or solved alike, and a path of the one holds in the other.
static bool same_answer(cr_reach *reach, const cr_reach_task *a, const cr_reach_task *b)
{
    cr_reach_result r, s;
    cr_status status = cr_reach_plan(reach, b, 1, NULL, &s, NULL);
    cr_outcome outcome = status == CR_OK ? s.outcome : CR_OUTCOME_STOPPED;
    assert_int_equal(cr_reach_plan(reach, a, 1, NULL, &r, NULL), status);
    if (status != CR_OK) {
        return false;
    }
    assert_int_equal(r.outcome, outcome);
    if (outcome == CR_OUTCOME_SOLVED) {
        cr_reach_proof proof = cr_reach_verify(b, r.path, r.count, 0.01);
        if (!proof.holds) {
            fail_msg("%s", proof.text);
        }
    }
    return outcome == CR_OUTCOME_SOLVED;
}

// A shape moved by its object's pose, by its own, by both, or by a frame is in the same place.
static void test_poses_compose(void **state)
{
    (void)state;
    cr_arm *arm = make_arm(srdf);
    cr_reach *reach = make_planner();
    cr_rng rng = cr_rng_make(3, CR_RNG_USER, 0);
    int solved = 0;
    for (int i = 0; i < 40; i++) {
        cr_pose outer = random_pose(&rng, 0.8), inner = random_pose(&rng, 0.3);
        cr_pose whole = cri_pose_mul(outer, inner);
        char o[300], n[300], w[300], text[4][1024], frame[1024];
        print_pose(outer, o), print_pose(inner, n), print_pose(whole, w);
        snprintf(text[0], 1024, "primitive_poses: [%s]", w);
        snprintf(text[1], 1024, "pose: %s", w);
        snprintf(text[2], 1024, "pose: %s, primitive_poses: [%s]", o, n);
        snprintf(text[3], 1024, "header: {frame_id: table}, primitive_poses: [%s]", n);
        char *p = o; // the frame's transform has other words for the same
        snprintf(frame, sizeof frame,
                 "fixed_frame_transforms: [{header: {frame_id: table}, child_frame_id: world, "
                 "transform: {translation: %.*s, rotation: %s}]\n",
                 (int)(strstr(p, ", orientation") - strchr(p, '[')), strchr(p, '['),
                 strstr(p, "orientation: ") + strlen("orientation: "));
        cr_reach_tasks *tasks[4];
        for (int k = 0; k < 4; k++) {
            tasks[k] = read_box(arm, text[k], k == 3 ? frame : "");
            expect_pose(cr_reach_task_at(tasks[k], 0)->obstacles[0].pose, whole);
        }
        for (int k = 1; k < 4; k++) {
            solved +=
                same_answer(reach, cr_reach_task_at(tasks[0], 0), cr_reach_task_at(tasks[k], 0));
        }
        for (int k = 0; k < 4; k++) {
            cr_reach_tasks_destroy(tasks[k]);
        }
    }
    assert_true(solved > 30);
    cr_reach_destroy(reach);
    cr_arm_destroy(arm);
}

// A frame that is not there is missed by its name, and what it may have meant is one of all frames:
// the world, links, and those of the scene, be it the first or the last.
static void test_unknown_frames_get_a_suggestion(void **state)
{
    (void)state;
    static const char *const rows[][2] = {
        {"wurld", "world"}, {"hock", "hook"}, {"tabel", "table"}, {"shelv", "shelf"}};
    cr_arm *arm = make_arm(srdf);
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        char scene[800], want[80];
        snprintf(scene, sizeof scene,
                 "fixed_frame_transforms: [{header: {frame_id: table}, child_frame_id: world, "
                 "transform: {translation: [1, 0, 0]}}, {header: {frame_id: shelf}, "
                 "child_frame_id: world, transform: {translation: [2, 0, 0]}}]\n"
                 "world: {collision_objects: [{id: b, header: {frame_id: %s}, " BALL ", " FAR_BALL
                 "}]}\n",
                 rows[i][0]);
        snprintf(want, sizeof want, "unknown frame \"%s\"; did you mean \"%s\"?", rows[i][0],
                 rows[i][1]);
        cr_reach_tasks *tasks = NULL;
        cr_report report;
        assert_int_equal(read_pair(arm, scene, REQUEST, &tasks, &report), CR_ERR_NAME);
        assert_non_null(strstr(report.errors[0].message, want));
    }
    cr_arm_destroy(arm);
}

// An object in a link's frame is where the scene's state has the link, else where the start has it.
static void test_link_frames(void **state)
{
    (void)state;
    cr_arm *arm = make_arm(srdf);
    static const double q[] = {0, 0.2, 0}, other[] = {1, 0.2, 0};
    cr_reach_tasks *tasks =
        read_box(arm, "header: {frame_id: hook}, pose: {position: [2, 0, 0]}", "");
    cr_pose at = cr_arm_link_pose(arm, q, cr_arm_find_link(arm, "hook"));
    expect_pose(cr_reach_task_at(tasks, 0)->obstacles[0].pose,
                cri_pose_mul(at, (cr_pose){{2, 0, 0}, {0, 0, 0, 1}}));
    cr_reach_tasks_destroy(tasks);
    const char *scene = "robot_state: {joint_state: {name: [turn], position: [1]}}\n"
                        "world: {collision_objects: [{id: b, header: {frame_id: hook}, " BALL
                        ", pose: {position: [2, 0, 0]}}, {id: c, header: {frame_id: b}, " BALL
                        ", pose: {position: [0, 0, 1]}}]}\n";
    cr_report report;
    assert_int_equal(read_pair(arm, scene, REQUEST, &tasks, &report), CR_OK);
    assert_true(says(&report, "at the start it is elsewhere"));
    at = cri_pose_mul(cr_arm_link_pose(arm, other, cr_arm_find_link(arm, "hook")),
                      (cr_pose){{2, 0, 0}, {0, 0, 0, 1}});
    expect_pose(cr_reach_task_at(tasks, 0)->obstacles[0].pose, at);
    expect_pose(cr_reach_task_at(tasks, 0)->obstacles[1].pose,
                cri_pose_mul(at, (cr_pose){{0, 0, 1}, {0, 0, 0, 1}}));
    cr_reach_tasks_destroy(tasks);
    cr_arm_destroy(arm);
}

// The robot and all around it moved alike: the same problem.
static void test_base_moves(void **state)
{
    (void)state;
    cr_arm *arm = make_arm(srdf), *bare = make_arm(NULL);
    cr_reach *reach = make_planner();
    cr_rng rng = cr_rng_make(4, CR_RNG_USER, 0);
    int solved = 0;
    for (int i = 0; i < 30; i++) {
        cr_pose base = random_pose(&rng, 5), box = random_pose(&rng, 0.9);
        char b[300], w[300], fields[1024], state_text[1024];
        snprintf(fields, sizeof fields, "pose: %s", print_pose(box, b));
        cr_reach_tasks *here = read_box(arm, fields, "");
        snprintf(fields, sizeof fields, "pose: %s", print_pose(cri_pose_mul(base, box), w));
        print_pose(base, b);
        snprintf(state_text, sizeof state_text,
                 "robot_state: {multi_dof_joint_state: {joint_names: [ground], transforms: "
                 "[{translation: %.*s, rotation: %s]}}\n",
                 (int)(strstr(b, ", orientation") - strchr(b, '[')), strchr(b, '['),
                 strstr(b, "orientation: ") + strlen("orientation: "));
        cr_reach_tasks *there = read_box(arm, fields, state_text);
        cr_reach_tasks *taken = read_box(bare, fields, state_text); // without a virtual joint
        const cr_reach_task *a = cr_reach_task_at(here, 0), *c = cr_reach_task_at(there, 0);
        assert_ptr_equal(a->arm, arm);
        assert_ptr_not_equal(c->arm, arm);
        for (int link = 0; link < cr_arm_link_count(arm); link++) {
            cr_pose moved = cri_pose_mul(base, cr_arm_link_pose(arm, a->goal, link));
            cr_pose stands = cr_arm_link_pose(c->arm, a->goal, link);
            assert_true(cri_length(cri_sub(moved.position, stands.position)) < 1e-12);
            stands = cr_arm_link_pose(cr_reach_task_at(taken, 0)->arm, a->goal, link);
            assert_true(cri_length(cri_sub(moved.position, stands.position)) < 1e-12);
        }
        solved += same_answer(reach, a, c);
        cr_reach_tasks_destroy(here);
        cr_reach_tasks_destroy(there);
        cr_reach_tasks_destroy(taken);
    }
    assert_true(solved > 10);
    cr_reach_destroy(reach);
    cr_arm_destroy(arm);
    cr_arm_destroy(bare);
}

static void test_kinds_of_bases(void **state)
{
    (void)state;
    static const struct {
        const char *type, *transform, *words; // words: of the error, or NULL
    } rows[] = {
        {"fixed", "{translation: [0, 0, 0]}", NULL},
        {"fixed", "{translation: [0, 0, 0.1]}", "is fixed"},
        {"planar", "{translation: [1, 2, 0], rotation: [0, 0, 0.6, 0.8]}", NULL},
        {"planar", "{translation: [1, 2, 3]}", "is planar"},
        {"floating", "{translation: [1, 2, 3], rotation: [0.6, 0, 0, 0.8]}", NULL},
    };
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        char semantics[1024], scene[1024];
        snprintf(semantics, sizeof semantics,
                 "<robot name='crane'><virtual_joint name='ground' type='%s' parent_frame='odom' "
                 "child_link='foot'/></robot>",
                 rows[i].type);
        snprintf(scene, sizeof scene,
                 "robot_state: {multi_dof_joint_state: {header: {frame_id: odom}, joint_names: "
                 "[ground], transforms: [%s]}}\n",
                 rows[i].transform);
        cr_arm *arm = make_arm(semantics);
        row r = {rows[i].words ? REFUSES : FINE, scene, rows[i].words};
        expect_row(arm, &r, scene, REQUEST);
        cr_arm_destroy(arm);
    }
}

// Padding keeps obstacles away and changes nothing between links.
static void test_padding(void **state)
{
    (void)state;
    cr_arm *arm = make_arm(srdf);
    cr_reach *reach = make_planner();
    // The hook's ball ends at z = 0.65; the box below ends at 0.62.
    const char *box = "pose: {position: [0.7, 0, 0.57]}";
    static const struct {
        const char *text;
        bool clear;
    } rows[] = {
        {"", true},
        {"link_padding: [{link_name: hook, padding: 0.02}]\n", true},
        {"link_padding: [{link_name: hook, padding: 0.04}]\n", false},
        {"link_padding: [{link_name: boom, padding: 0.04}]\n", true},
        {"link_scale: [{link_name: hook, scale: 1.5}]\n", true},
        {"link_scale: [{link_name: hook, scale: 1.7}]\n", false},
        // Padded by so much, post and hook would touch.
        {"link_padding: [{link_name: post, padding: 0.6}]\n", false},
        {"link_padding: [{link_name: plate, padding: 0.6}]\n", false},
    };
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        cr_reach_tasks *tasks = read_box(arm, box, rows[i].text);
        const cr_reach_task *task = cr_reach_task_at(tasks, 0);
        assert_int_equal(cr_reach_task_check(task, NULL) == CR_OK, rows[i].clear);
        assert_int_equal(cr_reach_verify(task, task->start, 1, 0.1).clearance > 0, rows[i].clear);
        cr_reach_tasks_destroy(tasks);
    }
    cr_reach_tasks *tasks = must_read(
        arm, "link_padding: [{link_name: plate, padding: 0.6}, {link_name: post, padding: 0.6}]\n",
        REQUEST);
    assert_int_equal(cr_reach_task_check(cr_reach_task_at(tasks, 0), NULL), CR_OK);
    cr_reach_tasks_destroy(tasks);
    cr_reach_destroy(reach);
    cr_arm_destroy(arm);
}

// A pair that the scene allows no longer counts; others still do.
static void test_pairs_are_added(void **state)
{
    (void)state;
    static const char *const bare = "<robot name='crane'/>";
    static const char *const matrices[] = {
        "{}",
        "{entry_names: [post, boom], entry_values: [[0, 1], [1, 0]]}",
        "{entry_names: [boom, hook], entry_values: [[0, 1], [1, 0]]}",
        "{default_entry_names: [post], default_entry_values: [true]}",
        "{default_entry_names: [post, boom], default_entry_values: [true, false]}",
    };
    static const bool clear[] = {false, true, false, true, false};
    // Pulled in, the boom's ball reaches into the post.
    const char *request = "start_state: {joint_state: {name: [turn, push, spin], position: [0, "
                          "0.13, 0]}}\n" GOAL "\n";
    char text[2048];
    char *thick = strdup(urdf);
    memcpy(strstr(thick, "0.5 0 1"), "0.0 0 1", 7);
    cr_arm_text source = {thick, bare, strlen(thick), strlen(bare), "a.urdf", "a.srdf"};
    cr_arm *arm;
    assert_int_equal(cr_arm_parse(&source, &arm, NULL), CR_OK);
    for (size_t i = 0; i < sizeof matrices / sizeof matrices[0]; i++) {
        snprintf(text, sizeof text, "allowed_collision_matrix: %s\n", matrices[i]);
        cr_reach_tasks *tasks = must_read(arm, text, request);
        cr_report report = {0};
        cr_status status = cr_reach_task_check(cr_reach_task_at(tasks, 0), &report);
        assert_int_equal(status == CR_OK, clear[i]);
        if (!clear[i]) {
            assert_non_null(strstr(report.errors[0].message, "touch"));
        }
        cr_reach_tasks_destroy(tasks);
    }
    cr_arm_destroy(arm);
    free(thick);
}

// Joints outside of the group keep their start.
static void test_groups_hold_other_joints(void **state)
{
    (void)state;
    cr_arm *arm = make_arm(srdf);
    cr_reach *reach = make_planner();
    cr_reach_tasks *tasks = must_read(arm, SCENE, REQUEST "group_name: arm\n");
    const cr_reach_task *task = cr_reach_task_at(tasks, 0);
    cr_reach_result r;
    cr_cache_def def = cr_default_cache_def(CR_CACHE_PAPER);
    cr_cache *cache;
    assert_int_equal(cr_cache_create(arm, &def, &cache, NULL), CR_OK);
    for (uint64_t seed = 0; seed < 5; seed++) {
        assert_int_equal(cr_reach_plan(reach, task, seed, cache, &r, NULL), CR_OK);
        assert_int_equal(r.outcome, CR_OUTCOME_SOLVED);
        for (int i = 0; i < r.count; i++) {
            assert_true(fabs(r.path[3 * i + 2] - task->start[2]) < 1e-6);
        }
    }
    cr_cache_destroy(cache);
    cr_reach_tasks_destroy(tasks);
    cr_report report;
    const char *request = START "\ngoal_constraints: [{joint_constraints: [{joint_name: spin, "
                                "position: 1}]}]\ngroup_name: arm\n";
    assert_int_not_equal(read_pair(arm, SCENE, request, &tasks, &report), CR_OK);
    assert_true(says(&report, "\"spin\" is not planned"));
    cr_reach_destroy(reach);
    cr_arm_destroy(arm);
}

// Values a rounding outside of the limits are taken to them; others are printed apart.
static void test_limits(void **state)
{
    (void)state;
    static const struct {
        const char *joint, *value;
        double kept; // or the error's words
        const char *words;
        answer answer;
    } rows[] = {
        {"turn", "-3.1415926", -3.14159, "-3.14159, not -3.141593", WARNS},
        {"turn", "3.1416", 3.14159, "limit", WARNS},
        {"turn", "3.14159", 3.14159, 0, FINE},
        {"turn", "3.1427", 0, "from -3.14159 to 3.14159, got 3.1427", REFUSES},
        {"push", "0.099999999", 0.1, "limit: 0.1, not 0.099999999", WARNS},
        {"push", "0.098", 0, "got 0.098", REFUSES},
        {"spin", "4", 4 - 6.283185307179586, 0, FINE},
        {"spin", "-100", -100 + 16 * 6.283185307179586, 0, FINE},
    };
    cr_arm *arm = make_arm(srdf);
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        char request[512];
        snprintf(request, sizeof request,
                 START "\ngoal_constraints: [{joint_constraints: [{joint_name: %s, position: "
                       "%s}]}]\n",
                 rows[i].joint, rows[i].value);
        row r = {rows[i].answer, rows[i].value, rows[i].words};
        expect_row(arm, &r, SCENE, request);
        if (rows[i].answer != REFUSES) {
            cr_reach_tasks *tasks = must_read(arm, SCENE, request);
            double goal = cr_reach_task_at(tasks, 0)->goal[cr_arm_find_dof(arm, rows[i].joint)];
            assert_true(fabs(goal - rows[i].kept) < 1e-9);
            cr_reach_tasks_destroy(tasks);
        }
    }
    cr_arm_destroy(arm);
}

// The request's start lies over the scene's state, and that over the defaults.
static void test_starts_are_filled_up(void **state)
{
    (void)state;
    static const struct {
        const char *scene, *request;
        double start[3];
    } rows[] = {
        {"", REQUEST, {0, 0.2, 0}},
        {"", GOAL "\n", {0, 0.25, 0}}, // push: the middle, for its limits do not hold 0
        {"robot_state: {joint_state: {name: [push], position: [0.3]}}\n", GOAL "\n", {0, 0.3, 0}},
        {"robot_state: {joint_state: {name: [push, spin], position: [0.3, 1]}}\n",
         "start_state: {joint_state: {name: [spin], position: [2]}}\n" GOAL "\n",
         {0, 0.3, 2}},
        {"robot_state: {joint_state: {name: [spin], position: [1]}}\n", NULL, {0, 0.25, 0}},
    };
    cr_arm *arm = make_arm(srdf);
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        char scene[512];
        snprintf(scene, sizeof scene, "%s%s", rows[i].scene, SCENE);
        cr_reach_tasks *tasks = must_read(arm, scene, rows[i].request);
        const cr_reach_task *task = cr_reach_task_at(tasks, 0);
        for (int d = 0; d < 3; d++) {
            assert_true(fabs(task->start[d] - rows[i].start[d]) < 1e-12);
        }
        cr_reach_tasks_destroy(tasks);
    }
    cr_report report;
    cr_reach_tasks *tasks;
    assert_int_equal(read_pair(arm, SCENE, GOAL "\n", &tasks, &report), CR_OK);
    assert_true(says(&report, "no value for joint \"turn\" and 2 more"));
    cr_reach_tasks_destroy(tasks);
    const char *scene = "robot_state: {joint_state: {name: [spin], position: [1]}}\n";
    assert_int_equal(read_pair(arm, scene, NULL, &tasks, &report), CR_OK);
    assert_true(says(&report, "starts at rest, joint \"spin\" at 0"));
    cr_reach_tasks_destroy(tasks);
    cr_arm_destroy(arm);
}

// Objects are added, replaced, appended to, moved and removed, in the order of the list.
static void test_operations(void **state)
{
    (void)state;
#define AT(x) "pose: {position: [" #x ", 0, 0]}"
    static const struct {
        const char *objects;
        int count;
        double x[3];
    } rows[] = {
        {"{id: b, " BALL ", " AT(1) "}, {id: c, " BALL ", " AT(2) "}", 2, {1, 2}},
        {"{id: b, " BALL ", " AT(1) "}, {id: b, " BALL ", " AT(2) "}", 1, {2}},
        {"{" BALL ", " AT(1) "}, {" BALL ", " AT(2) "}", 2, {1, 2}},
        {"{id: b, " BALL ", " AT(1) "}, {id: b, operation: remove}", 0, {0}},
        {"{id: b, " BALL ", " AT(1) "}, {id: c, " BALL ", " AT(2) "}, {operation: 1}", 0, {0}},
        {"{id: b, " BALL ", " AT(1) "}, {id: b, operation: 2, " BALL
                                    ", primitive_poses: [{position: [5, 0, 0]}]}",
         2,
         {1, 6}},
        {"{id: b, " BALL ", " AT(1) "}, {id: b, operation: MOVE, " AT(7) "}", 1, {7}},
        {"{id: b, " BALL
         ", " AT(1) "}, {id: b, operation: 3, " AT(7) ", primitive_poses: [{position: [1, 0, 0]}]}",
         1,
         {8}},
    };
    cr_arm *arm = make_arm(srdf);
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        char scene[1024];
        snprintf(scene, sizeof scene, "world: {collision_objects: [%s]}\n", rows[i].objects);
        cr_reach_tasks *tasks = must_read(arm, scene, REQUEST);
        const cr_reach_task *task = cr_reach_task_at(tasks, 0);
        assert_int_equal(task->obstacle_count, rows[i].count);
        for (int k = 0; k < rows[i].count; k++) {
            assert_true(task->obstacles[k].pose.position.x == rows[i].x[k]);
        }
        cr_reach_tasks_destroy(tasks);
    }
    cr_arm_destroy(arm);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_every_key_has_an_answer),
        cmocka_unit_test(test_goals),
        cmocka_unit_test(test_unknown_keys_are_found_everywhere),
        cmocka_unit_test(test_poses_compose),
        cmocka_unit_test(test_unknown_frames_get_a_suggestion),
        cmocka_unit_test(test_link_frames),
        cmocka_unit_test(test_base_moves),
        cmocka_unit_test(test_kinds_of_bases),
        cmocka_unit_test(test_padding),
        cmocka_unit_test(test_pairs_are_added),
        cmocka_unit_test(test_groups_hold_other_joints),
        cmocka_unit_test(test_limits),
        cmocka_unit_test(test_starts_are_filled_up),
        cmocka_unit_test(test_operations),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
