// Every public function with an index asserts it. A row of the table below calls one with one of
// its indices, for values that are there and values that are not; and every parameter that the
// public headers declare as an int or as one of our enums must have its row.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <glob.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>
#include <cmocka.h>

#include "base/file.h"
#include "carom/carom.h"
#include "plan/planner.h"
#include "scene/model.h"

// ---------------------------------------------------------------------------------------------
// One of everything that is indexed.

typedef struct world {
    cr_library *library;
    cr_scene *scene;
    cr_model *model;
    cr_state *state;
    cr_planner *planner;
    cr_plan *plan;
    cr_engine *engine;
    cr_numbers *numbers;
    cr_arm *arm, *human;
    cr_reach_tasks *tasks;
    cr_recording *recording;
    cr_fit *fit;
    cr_tuning *tuning;
    cr_skill_call skill;
    cr_condition_call condition;
    cr_select_call select;
    cr_action actions[4];
    double q[CR_ARM_MAX_DOFS];
} world;

// The rows of both tables, in order: number, place (Skills) or thing (conditions), body, region,
// choice.
enum { NUMBER, PLACE, BODY, REGION, CHOICE, THING, JOINT, PARAM_COUNT };

static const cr_param params[] = {
    {.name = "size", .type = CR_PARAM_NUMBER, .unit = "m", .fallback = "1"},
    {.name = "where", .type = CR_PARAM_PLACE, .unit = "", .fallback = "[0, 0]"},
    {.name = "who", .type = CR_PARAM_BODY, .unit = "", .fallback = "ball"},
    {.name = "area", .type = CR_PARAM_REGION, .unit = "", .fallback = "yard"},
    {.name = "side", .type = CR_PARAM_CHOICE, .unit = "left|right", .fallback = "left"},
    {.name = "what", .type = CR_PARAM_THING, .unit = "", .fallback = "ball"},
    {.name = "hold", .type = CR_PARAM_JOINT, .unit = "", .fallback = "rope"},
};

static cr_skill_result rest(const cr_skill_call *call)
{
    (void)call;
    return CR_SKILL_IS_DONE;
}

static bool never(const cr_condition_call *call)
{
    (void)call;
    return false;
}

static const cr_skill_type probe = {.name = "probe",
                                    .about = "a Skill with parameters of all sorts",
                                    .param_count = PARAM_COUNT,
                                    .params = params,
                                    .act = rest,
                                    .asks_touch = true};

static const cr_condition_type test = {.name = "test",
                                       .about = "a condition with parameters of all sorts",
                                       .param_count = PARAM_COUNT,
                                       .params = params,
                                       .holds = never,
                                       .asks_touch = true};

static cr_status add_nothing(cr_library *library, cr_report *report)
{
    (void)library;
    (void)report;
    return CR_OK;
}

static const cr_extension nothing = {
    CR_EXTENSION_MARK, CR_VERSION_MAJOR, CR_VERSION_MINOR, "nothing", "1", add_nothing};

static const char scene_text[] =
    "parameters: {far: 1, wide: 2}\n"
    "materials: {m: {friction: 0.3, restitution: 0.3}}\n"
    "bodies:\n"
    "  floor: {kind: static, shape: {plane: [0, 0, 1]}, material: m}\n"
    "  ball: {kind: controlled, shape: {sphere: 0.1}, mass: 1, material: m, at: [far, 0, 1]}\n"
    "  stone: {kind: passive, shape: {sphere: 0.1}, mass: 1, material: m, at: [far, 2, 1]}\n"
    "joints: {rope: {rope: [world, stone], from: [far, 2, 1.5]}}\n"
    "regions: {yard: {box: [2, 2]}, pit: {sphere: 1}}\n"
    "tactics:\n"
    "  t: {controls: ball, start: a, skills: {a: {do: probe, who: stone},\n"
    "      b: {do: wait, seconds: {uniform: [0, far]}}}, next: {a: {a: 1, b: 2}, b: {a: 1}}}\n"
    "goal: {any: [{test: [1, [0, 0], stone, yard, left, pit, rope]}, {after: 0.1}]}\n";

static void good(cr_status status, const cr_report *report)
{
    if (status != CR_OK) {
        char text[640];
        fail_msg("%s", cr_error_print(&report->errors[0], text, sizeof text));
    }
}

static void make_search(world *w, cr_report *report)
{
    good(cr_scene_read_text(scene_text, strlen(scene_text), "t", &w->scene, report), report);
    good(cr_scene_set(w->scene, "far", "1.5", report), report);
    good(cr_scene_set(w->scene, "nodes", "1000", report), report);
    good(cr_model_create(w->scene, w->library, 0, &w->model, report), report);
    cr_planner_def def = cr_model_planner_def(w->model);
    def.threads = 1;
    def.round = 2;
    def.mu = 1e-3; // broad: leaves are left
    good(cr_planner_create(w->model, &def, &w->planner, report), report);
    good(cr_plan_create(w->planner, cr_planner_grow(w->planner, NULL), &w->plan, report), report);
    good(cr_engine_create(w->model, cr_library_engine(w->library, 0)->name, &w->engine, report),
         report);
    w->state = cr_state_create(w->model);
    assert_non_null(w->state);
}

static void make_arms(world *w, cr_report *report)
{
    static const char urdf[] =
        "<robot name='r'><link name='a'/><link name='b'/><joint name='turn' type='revolute'>"
        "<parent link='a'/><child link='b'/><limit lower='-2' upper='2'/></joint></robot>";
    cr_arm_text text = {.urdf = urdf, .urdf_length = sizeof urdf - 1, .urdf_name = "r"};
    good(cr_arm_parse(&text, &w->arm, report), report);
    good(cr_arm_create_human(&w->human, report), report);
    good(cr_books_create(w->human, 1, 2, &w->tasks, report), report);
}

// A recording of two samples, and a fit of one number to it.
static void make_fit(world *w, cr_report *report)
{
    static const char text[] = "time,body,x,y\n0,stone,0,2\n0.1,stone,0.1,2\n";
    static const cr_recording *all[1];
    good(cr_recording_read_text(w->model, text, sizeof text - 1, "t", &w->recording, report),
         report);
    all[0] = w->recording;
    cr_fit_def def = cr_default_fit_def();
    def.threads = 1;
    good(cr_fit_create(w->model, all, 1, &def, &w->fit, report), report);
    good(cr_fit_add(w->fit, "m.friction", report), report);
}

// A scene with a weight that could change, not tuned.
static void make_tuning(world *w, cr_report *report)
{
    static const char text[] =
        "bodies: {ball: {kind: controlled, shape: {sphere: 0.1}, mass: 1, at: [0, 0, 1]}}\n"
        "tactics: {t: {controls: ball, start: a, skills: {a: {do: wait, seconds: 0.1}, b: {do: "
        "stand}},\n  next: {a: {a: 1, b: 2}}}}\n"
        "goal: {after: 0.2}\nplan: {nodes: 1000, horizon: 1}\n";
    cr_scene *scene = NULL;
    cr_tune_def def = cr_default_tune_def();
    def.runs = def.held_out = 1;
    def.candidates = 0;
    good(cr_scene_read_text(text, sizeof text - 1, "t", &scene, report), report);
    good(cr_tune_run(scene, &def, &w->tuning, report), report);
    cr_scene_destroy(scene);
}

static int make_world(void **state)
{
    static world w;
    cr_report report = {0};
    w = (world){.library = cr_library_create()};
    good(cr_library_add_skill(w.library, &probe, &report), &report);
    good(cr_library_add_condition(w.library, &test, &report), &report);
    good(cr_library_add_extension(w.library, &nothing, &report), &report);
    make_search(&w, &report);
    make_arms(&w, &report);
    make_fit(&w, &report);
    make_tuning(&w, &report);
    w.planner->deaths.count = 2; // as if two attempts had died
    cri_tree *tree = &w.planner->tree;
    w.select = w.planner->selection.call;
    w.select.leaf_count = tree->leaf_count;
    w.select.inner_count = tree->inner_count;
    good(cr_numbers_create(w.model, &w.numbers, &report), &report);
    w.skill = (cr_skill_call){.model = w.model,
                              .state = w.state,
                              .actions = w.actions,
                              .values = w.model->tactics[0].skills[0].values,
                              .value_count = PARAM_COUNT};
    w.condition = (cr_condition_call){w.model, w.state, w.model->goal.children[0].values,
                                      w.model->goal.children[0].type->param_count};
    *state = &w;
    return 0;
}

static int free_world(void **state)
{
    world *w = *state;
    cr_reach_tasks_destroy(w->tasks);
    cr_arm_destroy(w->human);
    cr_arm_destroy(w->arm);
    cr_tuning_destroy(w->tuning);
    cr_fit_destroy(w->fit);
    cr_recording_destroy(w->recording);
    free(w->state);
    cr_engine_destroy(w->engine);
    cr_numbers_destroy(w->numbers);
    cr_plan_destroy(w->plan);
    cr_planner_destroy(w->planner);
    cr_model_destroy(w->model);
    cr_scene_destroy(w->scene);
    cr_library_destroy(w->library);
    return 0;
}

// ---------------------------------------------------------------------------------------------
// The table: function, parameter, what it is, how many there are, one that is there, and the call.

typedef enum sort {
    INDEX,     // from 0 to below the count
    FROM_ZERO, // a count, or an index into a list that ends with NULL: below 0 is a bug
    ANY,       // every value has an answer or an error
} sort;

#define MODEL     w->model
#define BODIES    cr_model_body_count(MODEL)
#define MATERIALS cr_model_material_count(MODEL)
#define SKILLS    cr_model_tactic(MODEL, 0)->skill_count
#define BRANCHES  (int)cr_planner_branch_count(w->planner)
#define DEATHS    (int)cr_planner_death_count(w->planner)
#define SOLUTIONS cr_plan_solution_count(w->plan)
#define TASK      cr_reach_task_at(w->tasks, 0)

#define VALUE(function, row) X(function, param, INDEX, PARAM_COUNT, row, function(&w->skill, i))
#define ASKED(function, row) X(function, param, INDEX, PARAM_COUNT, row, function(&w->condition, i))
#define TOUCH(function, from)                                                                      \
    X(function, a, INDEX, BODIES, 1, function(from, i, 2))                                         \
    X(function, b, INDEX, BODIES, 1, function(from, 2, i))
#define NAMED(function, type, p) X(function, p, ANY, 1, 0, function((type)i))

#define BASE_ROWS                                                                                  \
    NAMED(cr_status_name, cr_status, status)                                                       \
    X(cr_report_fail, status, ANY, 1, 0, cr_report_fail(NULL, (cr_status)i, "no"))                 \
    X(cr_nearest_word, count, FROM_ZERO, 1, 0,                                                     \
      cr_nearest_word("a", (const char *const[]){"b"}, i))                                         \
    NAMED(cr_strategy_name, cr_strategy, strategy)                                                 \
    NAMED(cr_follow_name, cr_follow, follow)                                                       \
    X(cr_rng_make, domain, ANY, 1, 0, cr_rng_make(1, (cr_rng_domain)i, 0))

#define SCENE_ROWS                                                                                 \
    X(cr_scene_setting_name, index, INDEX, cr_scene_setting_count(w->scene), 0,                    \
      cr_scene_setting_name(w->scene, i))                                                          \
    X(cr_scene_setting_value, index, INDEX, cr_scene_setting_count(w->scene), 0,                   \
      cr_scene_setting_value(w->scene, i))                                                         \
    X(cr_scene_parameter_name, index, INDEX, cr_scene_parameter_count(w->scene), 0,                \
      cr_scene_parameter_name(w->scene, i))                                                        \
    X(cr_scene_parameter_text, index, INDEX, cr_scene_parameter_count(w->scene), 0,                \
      cr_scene_parameter_text(w->scene, i))                                                        \
    X(cr_library_skill, index, INDEX, cr_library_skill_count(w->library), 0,                       \
      cr_library_skill(w->library, i))                                                             \
    X(cr_library_condition, index, INDEX, cr_library_condition_count(NULL), 0,                     \
      cr_library_condition(NULL, i))                                                               \
    X(cr_library_quantity, index, INDEX, cr_library_quantity_count(NULL), 0,                       \
      cr_library_quantity(NULL, i))                                                                \
    X(cr_library_select, index, INDEX, cr_library_select_count(NULL), 0,                           \
      cr_library_select(NULL, i))                                                                  \
    X(cr_library_rank, index, INDEX, cr_library_rank_count(NULL), 0, cr_library_rank(NULL, i))     \
    X(cr_library_extension, index, INDEX, cr_library_extension_count(w->library), 0,               \
      cr_library_extension(w->library, i))                                                         \
    X(cr_library_extension_path, index, INDEX, cr_library_extension_count(w->library), 0,          \
      cr_library_extension_path(w->library, i))                                                    \
    X(cr_library_engine, index, INDEX, cr_library_engine_count(NULL), 0,                           \
      cr_library_engine(NULL, i))                                                                  \
    X(cr_parameter_words, index, INDEX, cr_parameter_count(), 0,                                   \
      cr_parameter_words(i, NULL, (char[80]){0}, 80))                                              \
    X(cr_parameter_at, index, INDEX, cr_parameter_count(), 0, cr_parameter_at(i))

#define MODEL_ROWS                                                                                 \
    X(cr_model_create, start, ANY, 1, 0,                                                           \
      cr_model_create(w->scene, w->library, i, &(cr_model *){NULL}, NULL))                         \
    X(cr_model_body, body, INDEX, BODIES, 0, cr_model_body(MODEL, i))                              \
    X(cr_model_moving_body, slot, INDEX, cr_model_moving_count(MODEL), 0,                          \
      cr_model_moving_body(MODEL, i))                                                              \
    X(cr_model_material, material, INDEX, cr_model_material_count(MODEL), 0,                       \
      cr_model_material(MODEL, i))                                                                 \
    X(cr_model_joint, joint, INDEX, 1, 0, cr_model_joint(MODEL, i))                                \
    X(cr_joint_kind_name, kind, INDEX, CR_JOINT_ROPE + 1, 0, cr_joint_kind_name((cr_joint_kind)i)) \
    X(cr_state_joint_broken, joint, INDEX, 1, 0, cr_state_joint_broken(MODEL, w->state, i))        \
    X(cr_state_joint_way, joint, INDEX, 1, 0, cr_state_joint_way(MODEL, w->state, i))              \
    X(cr_numbers_joint, joint, INDEX, 1, 0, cr_numbers_joint(w->numbers, i))                       \
    X(cr_numbers_set_joint, joint, INDEX, 1, 0,                                                    \
      cr_numbers_set_joint(w->numbers, i, &(cr_joint_numbers){0}, NULL))                           \
    X(cr_model_region, region, INDEX, cr_model_region_count(MODEL), 0, cr_model_region(MODEL, i))  \
    X(cr_model_region_is_goal, region, INDEX, cr_model_region_count(MODEL), 0,                     \
      cr_model_region_is_goal(MODEL, i))                                                           \
    X(cr_finish_name, finish, INDEX, CR_FINISH_COUNT, 0, cr_finish_name((cr_finish)i))             \
    X(cr_model_tactic, tactic, INDEX, cr_model_tactic_count(MODEL), 0, cr_model_tactic(MODEL, i))  \
    X(cr_model_skill_name, tactic, INDEX, 1, 0, cr_model_skill_name(MODEL, i, 0))                  \
    X(cr_model_skill_name, skill, INDEX, SKILLS, 0, cr_model_skill_name(MODEL, 0, i))              \
    X(cr_model_skill_does, tactic, INDEX, 1, 0, cr_model_skill_does(MODEL, i, 0))                  \
    X(cr_model_skill_does, skill, INDEX, SKILLS, 0, cr_model_skill_does(MODEL, 0, i))              \
    X(cr_model_transition_count, tactic, INDEX, 1, 0, cr_model_transition_count(MODEL, i, 0))      \
    X(cr_model_transition_count, skill, INDEX, SKILLS, 0, cr_model_transition_count(MODEL, 0, i))  \
    X(cr_model_transition, tactic, INDEX, 1, 0, cr_model_transition(MODEL, i, 0, 0))               \
    X(cr_model_transition, skill, INDEX, SKILLS, 0, cr_model_transition(MODEL, 0, i, 0))           \
    X(cr_model_transition, index, INDEX, 2, 0, cr_model_transition(MODEL, 0, 0, i))                \
    TOUCH(cr_model_pair, MODEL)                                                                    \
    X(cr_model_pair_info, pair, INDEX, cr_model_pair_count(MODEL), 0,                              \
      cr_model_pair_info(MODEL, i))                                                                \
    X(cr_model_meeting, a, INDEX, cr_model_material_count(MODEL), 0,                               \
      cr_model_meeting(MODEL, i, 0))                                                               \
    X(cr_model_meeting, b, INDEX, cr_model_material_count(MODEL), 0,                               \
      cr_model_meeting(MODEL, 0, i))                                                               \
    X(cr_state_set_touched, pair, INDEX, cr_model_pair_count(MODEL), 0,                            \
      (cr_state_set_touched(MODEL, w->state, i), 0))                                               \
    X(cr_state_touched, pair, INDEX, cr_model_pair_count(MODEL), 0,                                \
      cr_state_touched(MODEL, w->state, i))                                                        \
    X(cr_state_pose, body, INDEX, BODIES, 0, cr_state_pose(MODEL, w->state, i))                    \
    X(cr_state_velocity, body, INDEX, BODIES, 0, cr_state_velocity(MODEL, w->state, i))            \
    X(cr_state_spin, body, INDEX, BODIES, 0, cr_state_spin(MODEL, w->state, i))                    \
    X(cr_state_set_pose, body, INDEX, BODIES, 1,                                                   \
      cr_state_set_pose(MODEL, w->state, i, cr_state_pose(MODEL, w->state, 1)))                    \
    X(cr_state_set_velocity, body, INDEX, BODIES, 1,                                               \
      cr_state_set_velocity(MODEL, w->state, i, (cr_vec3){0}, (cr_vec3){0}))                       \
    X(cr_numbers_body, body, INDEX, BODIES, 1, cr_numbers_body(w->numbers, i))                     \
    X(cr_numbers_set_body, body, INDEX, BODIES, 1,                                                 \
      cr_numbers_set_body(w->numbers, i, &(cr_body_numbers){0}, NULL))                             \
    X(cr_numbers_set_mass, body, INDEX, BODIES, 1, cr_numbers_set_mass(w->numbers, i, 1, NULL))    \
    X(cr_numbers_kick, body, INDEX, BODIES, 1, cr_numbers_kick(w->numbers, i))                     \
    X(cr_numbers_set_kick, body, INDEX, BODIES, 1,                                                 \
      cr_numbers_set_kick(w->numbers, i, (cr_kick_numbers){0}, NULL))                              \
    X(cr_numbers_material, material, INDEX, MATERIALS, 0, cr_numbers_material(w->numbers, i))      \
    X(cr_numbers_set_material, material, INDEX, MATERIALS, 0,                                      \
      cr_numbers_set_material(w->numbers, i, &(cr_material){0}, NULL))                             \
    X(cr_numbers_pair, a, INDEX, MATERIALS, 0, cr_numbers_pair(w->numbers, i, 0))                  \
    X(cr_numbers_pair, b, INDEX, MATERIALS, 0, cr_numbers_pair(w->numbers, 0, i))                  \
    X(cr_numbers_set_pair, a, INDEX, MATERIALS, 0,                                                 \
      cr_numbers_set_pair(w->numbers, i, 0, &(cr_material){0}, NULL))                              \
    X(cr_numbers_set_pair, b, INDEX, MATERIALS, 0,                                                 \
      cr_numbers_set_pair(w->numbers, 0, i, &(cr_material){0}, NULL))                              \
    X(cr_state_heading, body, INDEX, BODIES, 0, cr_state_heading(MODEL, w->state, i))              \
    X(cr_state_tactic, tactic, INDEX, 1, 0, cr_state_tactic(MODEL, w->state, i))                   \
    X(cr_state_tactic_const, tactic, INDEX, 1, 0, cr_state_tactic_const(MODEL, w->state, i))       \
    X(cr_state_variables, tactic, INDEX, 1, 0, cr_state_variables(MODEL, w->state, i, &(int){0}))

#define CALL_ROWS                                                                                  \
    VALUE(cr_skill_number, NUMBER)                                                                 \
    VALUE(cr_skill_place, PLACE)                                                                   \
    VALUE(cr_skill_body, BODY)                                                                     \
    VALUE(cr_skill_region, REGION)                                                                 \
    VALUE(cr_skill_choice, CHOICE)                                                                 \
    TOUCH(cr_skill_touched, &w->skill)                                                             \
    X(cr_skill_action, body, INDEX, BODIES, 1, cr_skill_action(&w->skill, i))                      \
    ASKED(cr_condition_number, NUMBER)                                                             \
    ASKED(cr_condition_place, PLACE)                                                               \
    ASKED(cr_condition_body, BODY)                                                                 \
    ASKED(cr_condition_region, REGION)                                                             \
    ASKED(cr_condition_choice, CHOICE)                                                             \
    ASKED(cr_condition_joint, JOINT)                                                               \
    ASKED(cr_condition_where, THING)                                                               \
    TOUCH(cr_condition_touched, &w->condition)

#define SELECT_ROWS                                                                                \
    X(cr_select_leaf, i, INDEX, (int)w->select.leaf_count, 0, cr_select_leaf(&w->select, i))       \
    X(cr_select_inner, i, INDEX, (int)w->select.inner_count, 0, cr_select_inner(&w->select, i))    \
    X(cr_select_branch, branch, INDEX, BRANCHES, 0, cr_select_branch(&w->select, i))               \
    X(cr_select_state, branch, INDEX, BRANCHES, 0, cr_select_state(&w->select, i))

#define PLAN_ROWS                                                                                  \
    X(cr_engine_step, count, FROM_ZERO, 1, 0, cr_engine_step(w->engine, NULL, i))                  \
    X(cr_engine_set_threads, threads, FROM_ZERO, 2, 1, cr_engine_set_threads(w->engine, i))        \
    NAMED(cr_outcome_name, cr_outcome, outcome)                                                    \
    X(cr_fault_name, fault, INDEX, CR_FAULT_SOLVER + 1, 0, cr_fault_name((cr_fault)i))             \
    X(cr_fault_about, fault, INDEX, CR_FAULT_SOLVER + 1, 0, cr_fault_about((cr_fault)i))           \
    X(cr_end_name, end, INDEX, CR_END_OPEN + 1, 0, cr_end_name((cr_end)i))                         \
    X(cr_planner_branch, branch, INDEX, BRANCHES, 0, cr_planner_branch(w->planner, i))             \
    X(cr_planner_death, death, INDEX, DEATHS, 0, cr_planner_death(w->planner, i))                  \
    X(cr_planner_state, branch, INDEX, BRANCHES, 0, cr_planner_state(w->planner, i))               \
    X(cr_plan_try, solution, INDEX, SOLUTIONS, 0,                                                  \
      cr_plan_try(w->plan, i, &(cr_robust_def){.futures = 1}, &(cr_robustness){0}, NULL))          \
    X(cr_planner_reroot, branch, INDEX, BRANCHES, 0, cr_planner_reroot(w->planner, i, NULL))       \
    X(cr_plan_create, outcome, ANY, 1, 0,                                                          \
      cr_plan_create(w->planner, (cr_outcome)i, &(cr_plan *){NULL}, NULL))                         \
    X(cr_plan_create_within, outcome, ANY, 1, 0,                                                   \
      cr_plan_create_within(w->planner, (cr_outcome)i, 0, &(cr_plan *){NULL}, NULL))               \
    X(cr_plan_create_prefix, outcome, ANY, 1, 0,                                                   \
      cr_plan_create_prefix(w->planner, (cr_outcome)i, 1, &(cr_plan *){NULL}, NULL))               \
    X(cr_plan_create_prefix, steps, FROM_ZERO, 2, 1,                                               \
      cr_plan_create_prefix(w->planner, CR_OUTCOME_STOPPED, i, &(cr_plan *){NULL}, NULL))          \
    X(cr_planner_best, step, FROM_ZERO, 2, 1, cr_planner_best(w->planner, i))                      \
    X(cr_plan_create_failed, outcome, ANY, 1, 0,                                                   \
      cr_plan_create_failed(w->planner, (cr_outcome)i, &(cr_plan *){NULL}, NULL))                  \
    X(cr_plan_print_end, solution, INDEX, SOLUTIONS, 0,                                            \
      cr_plan_print_end(w->plan, i, (char[400]){0}, 400))                                          \
    X(cr_plan_solution, solution, INDEX, SOLUTIONS, 0, cr_plan_solution(w->plan, i))               \
    X(cr_plan_worth, solution, INDEX, SOLUTIONS, 0, cr_plan_worth(w->plan, i))                     \
    X(cr_plan_replay, solution, INDEX, SOLUTIONS, 0, cr_plan_replay(w->plan, i, NULL, NULL, NULL))

#define DRIVE_ROWS                                                                                 \
    X(cr_track_name, index, FROM_ZERO, 1, 0, cr_track_name(i))                                     \
    X(cr_track_about, index, FROM_ZERO, 1, 0, cr_track_about(i))                                   \
    X(cr_move_tree_name, tree, INDEX, CR_MOVE_TREE_AUTO + 1, 0,                                    \
      cr_move_tree_name((cr_move_tree)i))                                                          \
    X(cr_guess_name, guess, INDEX, CR_GUESS_LINE + 1, 0, cr_guess_name((cr_guess)i))               \
    X(cr_drive_end_name, end, INDEX, CR_DRIVE_TIMEOUT + 1, 0, cr_drive_end_name((cr_drive_end)i))

#define REACH_ROWS                                                                                 \
    X(cr_arm_dof_at, dof, INDEX, cr_arm_dof_count(w->arm), 0, cr_arm_dof_at(w->arm, i))            \
    X(cr_arm_link_name, link, INDEX, cr_arm_link_count(w->arm), 0, cr_arm_link_name(w->arm, i))    \
    X(cr_arm_link_pose, link, INDEX, cr_arm_link_count(w->arm), 0,                                 \
      cr_arm_link_pose(w->arm, w->q, i))                                                           \
    X(cr_reach_task_at, index, INDEX, cr_reach_task_count(w->tasks), 0,                            \
      cr_reach_task_at(w->tasks, i))                                                               \
    X(cr_books_create, count, FROM_ZERO, 1, 0,                                                     \
      cr_books_create(w->human, 1, i, &(cr_reach_tasks *){NULL}, NULL))                            \
    NAMED(cr_default_cache_def, cr_cache_kind, kind)                                               \
    X(cr_reach_verify, count, FROM_ZERO, 1, 0, cr_reach_verify(TASK, NULL, i, 0.1))                \
    X(cr_reach_playback, count, ANY, 1, 0,                                                         \
      cr_reach_playback(TASK, NULL, i, "t", &(cr_playback *){NULL}, NULL))

#define VALUES ((double[]){0.3})
#define SHOT   (&(cr_shot){.body = 2, .velocity = {1, 0, 0}})
#define FIT_ROWS                                                                                   \
    X(cr_recording_sample, sample, INDEX, 2, 0, cr_recording_sample(w->recording, i))              \
    X(cr_shot_set, ball, INDEX, BODIES, 2, cr_shot_set(MODEL, "rolls", i, 0, NULL, 0))             \
    X(cr_shot_set, bar, INDEX, BODIES, 0, cr_shot_set(MODEL, "rolls", 2, i, NULL, 0))              \
    X(cr_shot_set, room, FROM_ZERO, 1, 0, cr_shot_set(MODEL, "rolls", 2, 0, NULL, i))              \
    X(cr_shot_record, index, FROM_ZERO, 1, 0,                                                      \
      cr_shot_record(MODEL, SHOT, i, &(cr_record_def){.rate = 60, .seconds = 0.1},                 \
                     &(cr_recording *){NULL}, NULL))                                               \
    X(cr_fit_create, count, FROM_ZERO, 1, 0,                                                       \
      cr_fit_create(MODEL, NULL, i, &(cr_fit_def){.velocity = 1}, &(cr_fit *){NULL}, NULL))        \
    X(cr_fit_parameter_at, parameter, INDEX, 1, 0, cr_fit_parameter_at(w->fit, i))                 \
    X(cr_fit_evaluate, candidates, FROM_ZERO, 1, 0,                                                \
      cr_fit_evaluate(w->fit, VALUES, i, &(cr_fit_error){0}, NULL))                                \
    X(cr_fit_points, recording, INDEX, 1, 0,                                                       \
      cr_fit_points(w->fit, i, VALUES, (cr_fit_point[2]){{0}}))                                    \
    X(cr_tuning_parameter, parameter, INDEX, 2, 0, cr_tuning_parameter(w->tuning, i))

#define COMMA ,
#define ALL_ROWS                                                                                   \
    BASE_ROWS SCENE_ROWS MODEL_ROWS CALL_ROWS SELECT_ROWS PLAN_ROWS DRIVE_ROWS REACH_ROWS FIT_ROWS

#define X(function, param, sort, count, there, call)                                               \
    static void call_##function##_##param(world *w, int i)                                         \
    {                                                                                              \
        (void)w;                                                                                   \
        (void)(call);                                                                              \
    }                                                                                              \
    static int count_##function##_##param(const world *w)                                          \
    {                                                                                              \
        (void)w;                                                                                   \
        return count;                                                                              \
    }
ALL_ROWS
#undef X

typedef struct row {
    const char *function, *param;
    sort sort;
    int (*count)(const world *w);
    int there;
    void (*call)(world *w, int value);
} row;

static const row rows[] = {
#define X(function, param, sort, count, there, call)                                               \
    {#function, #param, sort, count_##function##_##param, there, call_##function##_##param},
    ALL_ROWS
#undef X
};

enum { ROW_COUNT = sizeof rows / sizeof rows[0] };

// ---------------------------------------------------------------------------------------------
// The calls, each in a process of its own.

static bool aborts(const row *r, world *w, int value)
{
    fflush(NULL);
    pid_t child = fork();
    assert_true(child >= 0);
    if (child == 0) {
        signal(SIGABRT, SIG_DFL);
        (void)!freopen("/dev/null", "w", stderr);
        r->call(w, value);
        _exit(0);
    }
    int status;
    assert_int_equal(waitpid(child, &status, 0), child);
    bool done = WIFEXITED(status) && WEXITSTATUS(status) == 0;
    if (!done && !(WIFSIGNALED(status) && WTERMSIG(status) == SIGABRT)) {
        fail_msg("%s: %s = %d is no assert: status %x", r->function, r->param, value,
                 (unsigned)status);
    }
    return !done;
}

static void expect(const row *r, world *w, int value, bool assert)
{
    if (aborts(r, w, value) != assert) {
        fail_msg("%s: %s = %d must %s", r->function, r->param, value,
                 assert ? "be an assert" : "be allowed");
    }
}

static void what_is_not_there_is_an_assert(void **state)
{
    world *w = *state;
    for (int k = 0; k < ROW_COUNT; k++) {
        const row *r = &rows[k];
        int count = r->count(w);
        expect(r, w, r->there, false);
        expect(r, w, -1, r->sort != ANY);
        expect(r, w, INT32_MIN, r->sort != ANY);
        if (r->sort == INDEX) {
            expect(r, w, count, true);
            expect(r, w, INT32_MAX, true);
        }
    }
}

// ---------------------------------------------------------------------------------------------
// The headers.

// All public headers as one text, without comments.
static cri_text read_headers(void)
{
    cri_text all = {0};
    glob_t files;
    assert_int_equal(glob(CAROM_INCLUDE "/carom/*.h", 0, NULL, &files), 0);
    for (size_t f = 0; f < files.gl_pathc; f++) {
        char *text;
        size_t length;
        assert_int_equal(cri_file_read(files.gl_pathv[f], 1 << 20, &text, &length, NULL), CR_OK);
        for (char *line = text; *line;) {
            size_t whole = strcspn(line, "\n"), code = whole;
            char *comment = strstr(line, "//");
            code = comment && comment < line + whole ? (size_t)(comment - line) : whole;
            cri_text_add(&all, "%.*s ", (int)code, line[0] == '#' ? "" : line);
            line += whole + (line[whole] == '\n');
        }
        free(text);
    }
    globfree(&files);
    return all;
}

// True if the word begins a type whose values may be out of range: an int, or one of our enums.
static bool is_countable(const char *headers, const char *type)
{
    char definition[120];
    snprintf(definition, sizeof definition, "typedef enum %s {", type);
    return strcmp(type, "int") == 0 || strcmp(type, "int64_t") == 0 ||
           strstr(headers, definition) != NULL;
}

static bool has_row(const char *function, const char *param)
{
    for (int k = 0; k < ROW_COUNT; k++) {
        if (strcmp(rows[k].function, function) == 0 && strcmp(rows[k].param, param) == 0) {
            return true;
        }
    }
    return false;
}

// One declaration, from behind CR_API to its semicolon; how many of its parameters are countable.
static int check_declaration(const char *headers, const char *at)
{
    char function[100], type[100], param[100];
    int count = 0;
    const char *open = at + strcspn(at, "(;"), *name = open;
    while (name > at && name[-1] != ' ' && name[-1] != '*') {
        name--;
    }
    snprintf(function, sizeof function, "%.*s", (int)(open - name), name);
    for (const char *p = open; *p != ';' && *p != ')'; p += strcspn(p, ",;)")) {
        p += 1 + strspn(p + 1, " ");
        if (sscanf(p, "%99[a-z0-9_] %99[a-z0-9_]", type, param) == 2 &&
            is_countable(headers, type)) {
            count++;
            if (!has_row(function, param)) {
                fail_msg("%s: the parameter \"%s\" has no row in this test", function, param);
            }
        }
    }
    return count;
}

static void every_index_has_its_row(void **state)
{
    (void)state;
    cri_text headers = read_headers();
    int count = 0, functions = 0;
    for (const char *at = headers.data; (at = strstr(at, "CR_API ")); functions++) {
        at += strlen("CR_API ");
        count += check_declaration(headers.data, at);
    }
    assert_true(functions > 150);
    assert_int_equal(count, ROW_COUNT); // no row is left of a function that is gone
    cri_text_free(&headers);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_index_has_its_row),
        cmocka_unit_test(what_is_not_there_is_an_assert),
    };
    return cmocka_run_group_tests(tests, make_world, free_world);
}
