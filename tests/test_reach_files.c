// URDF, SRDF and MoveIt files: what is wrong is named with its place; the Panda of the reference
// data loads and plans.
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
#include "reach/arm.h"
#include "reach/moveit.h"

// A two-joint arm: pole, arm, hand, with a ball in the hand.
#define HEAD "<robot name='two'><link name='pole'/><link name='arm'/>"
#define HAND                                                                                       \
    "<link name='hand'><collision><geometry><sphere radius='0.1'/></geometry></collision></link>"
#define TURN                                                                                       \
    "<joint name='turn' type='revolute'><parent link='pole'/><child link='arm'/>"                  \
    "<axis xyz='0 0 1'/><limit lower='-2' upper='2'/></joint>"
#define PUSH                                                                                       \
    "<joint name='push' type='prismatic'><parent link='arm'/><child link='hand'/>"                 \
    "<origin xyz='0.5 0 0'/><axis xyz='1 0 0'/><limit lower='0' upper='0.4'/></joint>"
#define TWO_JOINTS HEAD HAND TURN PUSH "</robot>"

static cr_status parse(const char *urdf, const char *srdf, cr_arm **arm, cr_report *report)
{
    cr_arm_text text = {urdf, srdf, strlen(urdf), srdf ? strlen(srdf) : 0, "t.urdf", "t.srdf"};
    return cr_arm_parse(&text, arm, report);
}

// The first error must hold the words, and have a place.
static void expect_error(const char *urdf, const char *srdf, const char *words)
{
    cr_arm *arm;
    cr_report report = {0};
    assert_int_not_equal(parse(urdf, srdf, &arm, &report), CR_OK);
    assert_null(arm);
    assert_true(report.count > 0);
    if (!strstr(report.errors[0].message, words)) {
        fail_msg("\"%s\" does not say \"%s\"", report.errors[0].message, words);
    }
    assert_true(report.errors[0].line > 0);
}

static void test_small_arm_moves(void **state)
{
    (void)state;
    cr_arm *arm;
    assert_int_equal(parse(TWO_JOINTS, NULL, &arm, NULL), CR_OK);
    assert_int_equal(cr_arm_dof_count(arm), 2);
    assert_string_equal(cr_arm_link_name(arm, cr_arm_tip(arm)), "hand");
    const double q[2] = {1.5707963267948966, 0.25};
    cr_vec3 p = cr_arm_link_pose(arm, q, cr_arm_tip(arm)).position;
    assert_true(cri_length(cri_sub(p, cri_vec3(0, 0.75, 0))) < 1e-12);
    cr_arm_destroy(arm);
}

static void test_mimic_follows(void **state)
{
    (void)state;
    cr_arm *arm;
    const char *urdf = HEAD HAND TURN
        "<joint name='follow' type='revolute'><parent link='arm'/><child link='hand'/>"
        "<origin xyz='1 0 0'/><axis xyz='0 0 1'/><mimic joint='turn' multiplier='-1'/></joint>"
        "<link name='tip'/><joint name='end' type='fixed'><parent link='hand'/><child link='tip'/>"
        "<origin xyz='1 0 0'/></joint></robot>";
    assert_int_equal(parse(urdf, NULL, &arm, NULL), CR_OK);
    assert_int_equal(cr_arm_dof_count(arm), 1);
    const double q[1] = {1.0};
    cr_vec3 p = cr_arm_link_pose(arm, q, cr_arm_tip(arm)).position;
    assert_true(cri_length(cri_sub(p, cri_vec3(1 + cos(1.0), sin(1.0), 0))) < 1e-12);
    cr_arm_destroy(arm);
}

static void test_bad_robots_are_named(void **state)
{
    (void)state;
    static const char *const cases[][2] = {
        {"<robot", "not well-formed"},
        {"<!DOCTYPE r [<!ENTITY a 'b'>]><robot name='&a;'/>", "document type"},
        {"<cat/>", "starts with <robot>"},
        {"<robot name='x'/>", "no links"},
        {HEAD "</robot>", "both have no parent"},
        {HEAD HAND TURN PUSH "<link name='arm'/></robot>", "two links \"arm\""},
        {HEAD HAND TURN PUSH "<joint name='back' type='fixed'><parent link='hand'/><child "
                             "link='pole'/></joint></robot>",
         "make a loop"},
        {HEAD HAND TURN PUSH
         "<link name='a'/><link name='b'/><joint name='p' type='fixed'><parent link='a'/><child "
         "link='b'/></joint><joint name='q' type='fixed'><parent link='b'/><child "
         "link='a'/></joint></robot>",
         "make a loop"},
        {HEAD HAND TURN PUSH "<joint name='more' type='fixed'><parent link='pole'/><child "
                             "link='hand'/></joint></robot>",
         "two parents"},
        {HEAD HAND TURN
         "<joint name='push' type='prismatic'><parent link='arm'/><child link='hand'/><limit "
         "lower='1' upper='-1'/></joint></robot>",
         "lower <= upper, got 1 and -1"},
        {HEAD HAND TURN "<joint name='push' type='prismatic'><parent link='arm'/><child "
                        "link='hand'/></joint></robot>",
         "needs a <limit>"},
        {HEAD HAND TURN "<joint name='push' type='floating'><parent link='arm'/><child "
                        "link='hand'/></joint></robot>",
         "type must be revolute"},
        {HEAD HAND TURN
         "<joint name='push' type='fixed'><parent link='arn'/><child link='hand'/></joint></robot>",
         "did you mean \"arm\""},
        {HEAD
         "<link name='hand'><collision><geometry><blob size='1'/></geometry></collision></link>"
         "</robot>",
         "<blob>: unknown shape"},
        {HEAD "<link name='hand'><collision><geometry><mesh filename='no/such.stl'/></geometry>"
              "</collision></link></robot>",
         "no/such.stl\" is not there"},
        {HEAD "<link name='hand'><collision><geometry><sphere "
              "radius='-1'/></geometry></collision></link></robot>",
         "radius must be > 0, got -1"},
        {HEAD "<link name='hand'><collision><geometry><box "
              "size='1 2'/></geometry></collision></link></robot>",
         "size must be 3 numbers"},
        {HEAD "<link name='hand'><collision/></link></robot>", "needs a <geometry>"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        expect_error(cases[i][0], NULL, cases[i][1]);
    }
}

static void test_meshes_become_boxes(void **state)
{
    (void)state;
    FILE *file = fopen("test_reach_mesh.obj", "w");
    fputs("# a flat box\nv 0 0 0\nv 2 1 0.5\nf 1 1 2\n", file);
    fclose(file);
    cr_arm *arm;
    const char *urdf = HEAD "<link name='hand'><collision><geometry><mesh "
                            "filename='package://test_reach_mesh.obj' "
                            "scale='1 1 2'/></geometry></collision></link>" TURN PUSH "</robot>";
    assert_int_equal(parse(urdf, NULL, &arm, NULL), CR_OK);
    assert_int_equal(arm->solids[0].kind, CRI_SOLID_BOX);
    assert_true(cri_length(cri_sub(arm->solids[0].half, cri_vec3(1, 0.5, 0.5))) < 1e-12);
    cr_arm_destroy(arm);
    remove("test_reach_mesh.obj");
}

static void test_large_files_are_refused(void **state)
{
    (void)state;
    const char *path = "test_reach_large.urdf";
    FILE *file = fopen(path, "w");
    fseek(file, (50 << 20) - 1, SEEK_SET); // sparse
    fputc(0, file);
    fclose(file);
    cr_arm *arm;
    cr_report report = {0};
    assert_int_not_equal(cr_arm_read(path, NULL, &arm, &report), CR_OK);
    assert_null(arm);
    assert_int_equal(report.count, 1);
    remove(path);
}

// ---------------------------------------------------------------------------------------------

#define BOX                                                                                        \
    "world: {collision_objects: [{id: wall, primitives: [{type: box, dimensions: [0.2, 0.2, "      \
    "1]}], "                                                                                       \
    "primitive_poses: [{position: [0.7, 0, 0], orientation: [0, 0, 0, 1]}]}]}\n"
#define REQUEST                                                                                    \
    "start_state: {joint_state: {name: [turn, push], position: [-1, 0.1]}}\n"                      \
    "goal_constraints: [{joint_constraints: [{joint_name: turn, position: 1}]}]\n"

static cr_status read_task(const cr_arm *arm, const char *scene, const char *request,
                           cr_reach_tasks **tasks, cr_report *report)
{
    cri_moveit_text a = {scene, strlen(scene), "s.yaml"};
    cri_moveit_text b = {request, request ? strlen(request) : 0, "r.yaml"};
    return cri_moveit_parse(arm, a, b, tasks, report);
}

static void test_moveit_task(void **state)
{
    (void)state;
    cr_arm *arm;
    cr_reach_tasks *tasks;
    assert_int_equal(parse(TWO_JOINTS, NULL, &arm, NULL), CR_OK);
    assert_int_equal(read_task(arm, BOX, REQUEST, &tasks, NULL), CR_OK);
    const cr_reach_task *task = cr_reach_task_at(tasks, 0);
    assert_int_equal(task->obstacle_count, 1);
    assert_string_equal(task->obstacles[0].name, "wall");
    assert_true(task->goal[0] == 1 && task->goal[1] == 0.1); // the second joint keeps its start
    cr_reach_def def = cr_quick_reach_def();
    def.seconds = 0;
    def.iterations = 10000;
    cr_reach *reach;
    cr_reach_result r;
    assert_int_equal(cr_reach_create(&def, &reach, NULL), CR_OK);
    assert_int_equal(cr_reach_plan(reach, task, 1, NULL, &r, NULL), CR_OK);
    // The wall reaches from 0.6 to 0.8 and the hand cannot get below 0.5: there is no way.
    assert_int_equal(r.outcome, CR_OUTCOME_ATTEMPTS);
    assert_int_equal(r.count, 0);
    cr_reach_destroy(reach);
    cr_reach_tasks_destroy(tasks);
    cr_arm_destroy(arm);
}

static void expect_task_error(const cr_arm *arm, const char *scene, const char *request,
                              const char *words)
{
    cr_reach_tasks *tasks;
    cr_report report = {0};
    assert_int_not_equal(read_task(arm, scene, request, &tasks, &report), CR_OK);
    assert_null(tasks);
    if (!strstr(report.errors[0].message, words)) {
        fail_msg("\"%s\" does not say \"%s\"", report.errors[0].message, words);
    }
    assert_true(report.errors[0].line > 0);
}

static void test_bad_tasks_are_named(void **state)
{
    (void)state;
    cr_arm *arm;
    assert_int_equal(parse(TWO_JOINTS, NULL, &arm, NULL), CR_OK);
    expect_task_error(arm, "a: 1\n", NULL, "unknown key \"a\"");
    expect_task_error(arm,
                      "world: {collision_objects: [{primitives: [{type: cube, dimensions: [1]}], "
                      "primitive_poses: [{}]}]}\n",
                      NULL, "unknown shape \"cube\"");
    expect_task_error(arm,
                      "world: {collision_objects: [{primitives: [{type: box, dimensions: [1, 2, "
                      "-3]}], primitive_poses: [{}]}]}\n",
                      NULL, "dimensions must be > 0");
    expect_task_error(arm,
                      "world: {collision_objects: [{primitives: [{type: box, dimensions: [1, 2, "
                      ".nan]}], primitive_poses: [{}]}]}\n",
                      NULL, "dimensions must be 3 numbers");
    expect_task_error(arm, "world: {collision_objects: [{meshes: [1]}]}\n", NULL, "not supported");
    expect_task_error(arm, BOX, "start_state: {}\n", "joint_constraints");
    expect_task_error(arm, BOX, "start_state: {joint_state: {name: [turn], position: []}}\n",
                      "same length, got 1 and 0");
    expect_task_error(
        arm, BOX,
        "start_state: {joint_state: {name: [turn, push], position: [0, 0]}}\n"
        "goal_constraints: [{joint_constraints: [{joint_name: nose, position: 1}]}]\n",
        "a joint that the arm has not");
    cr_arm_destroy(arm);
}

static void test_numeric_ik(void **state)
{
    (void)state;
    cr_arm *arm;
    cr_reach_tasks *tasks;
    assert_int_equal(parse(TWO_JOINTS, NULL, &arm, NULL), CR_OK);
    assert_int_equal(read_task(arm, "world: {collision_objects: []}\n", REQUEST, &tasks, NULL),
                     CR_OK);
    double q[CR_ARM_MAX_DOFS] = {0.7, 0.3};
    cr_pose target = cr_arm_link_pose(arm, q, cr_arm_tip(arm));
    assert_int_equal(cr_arm_solve(cr_reach_task_at(tasks, 0), target, 1, q), CR_IK_FOUND);
    assert_true(fabs(q[0] - 0.7) < 1e-4 && fabs(q[1] - 0.3) < 1e-4);
    cr_report report = {0};
    target.position.x = 9;
    assert_int_equal(cr_reach_tasks_aim(tasks, target, true, 1, &report), CR_ERR_RANGE);
    assert_non_null(strstr(report.errors[0].message, "out of reach"));
    cr_reach_tasks_destroy(tasks);
    cr_arm_destroy(arm);
}

// ---------------------------------------------------------------------------------------------

static void plan_problem(const cr_arm *arm, cr_reach *reach, const char *folder, int problem)
{
    char scene[512], request[512];
    snprintf(scene, sizeof scene, "%s/arm/bookshelf_small_panda/scene%04d.yaml", folder, problem);
    snprintf(request, sizeof request, "%s/arm/bookshelf_small_panda/request%04d.yaml", folder,
             problem);
    cr_reach_tasks *tasks;
    cr_report report = {0};
    if (cr_moveit_read(arm, scene, request, &tasks, &report) != CR_OK) {
        fail_msg("%s", report.errors[0].message);
    }
    const cr_reach_task *task = cr_reach_task_at(tasks, 0);
    for (uint64_t seed = 0; seed < 3; seed++) {
        cr_reach_result r;
        assert_int_equal(cr_reach_plan(reach, task, seed, NULL, &r, NULL), CR_OK);
        assert_int_equal(r.outcome, CR_OUTCOME_SOLVED);
        cr_reach_proof proof = cr_reach_verify(task, r.path, r.count, 0.02);
        if (!proof.holds) {
            fail_msg("problem %d: %s", problem, proof.text);
        }
    }
    cr_reach_tasks_destroy(tasks);
}

static void test_panda(void **state)
{
    (void)state;
    const char *folder = getenv("CAROM_REFERENCE");
    if (!folder || !*folder) {
        print_message("CAROM_REFERENCE is not set: the Panda's problems are skipped\n");
        return;
    }
    char urdf[512], srdf[512];
    snprintf(urdf, sizeof urdf, "%s/arm/panda_spherized.urdf", folder);
    snprintf(srdf, sizeof srdf, "%s/arm/panda.srdf", folder);
    cr_arm *arm;
    assert_int_equal(cr_arm_read(urdf, srdf, &arm, NULL), CR_OK);
    assert_int_equal(cr_arm_dof_count(arm), 7);
    assert_string_equal(cr_arm_link_name(arm, cr_arm_tip(arm)), "panda_link8");
    cr_reach_def def = cr_quick_reach_def();
    def.seconds = 0;
    def.iterations = 200000;
    cr_reach *reach;
    assert_int_equal(cr_reach_create(&def, &reach, NULL), CR_OK);
    for (int problem = 1; problem <= 40; problem++) {
        plan_problem(arm, reach, folder, problem);
    }
    cr_reach_destroy(reach);
    cr_arm_destroy(arm);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_small_arm_moves),
        cmocka_unit_test(test_mimic_follows),
        cmocka_unit_test(test_bad_robots_are_named),
        cmocka_unit_test(test_meshes_become_boxes),
        cmocka_unit_test(test_large_files_are_refused),
        cmocka_unit_test(test_moveit_task),
        cmocka_unit_test(test_bad_tasks_are_named),
        cmocka_unit_test(test_numeric_ik),
        cmocka_unit_test(test_panda),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
