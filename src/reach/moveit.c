// MoveIt's YAML: a planning scene (boxes, cylinders, spheres) and a motion plan request (start and
// goal joint values) make one task.
//
// Only what shapes the task is read; other keys are MoveIt's own business. A robot base that is not
// at the world's origin, meshes and planes, attached objects and goals other than joint values are
// refused with their place, for leaving them out would change the task.
#include "reach/task.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/file.h"
#include "base/vec.h"
#include "reach/moveit.h"
#include "scene/node.h"

enum { FILE_MAX = 16 << 20, NODES_MAX = 1000000, DEPTH_MAX = 24, OBSTACLES_MAX = 10000 };

typedef struct reader {
    const cr_arm *arm;
    cr_reach_tasks *tasks;
    cr_reach_task *task;
    cr_obstacle *obstacles;
    const char *file;
    cr_report *report;
    cr_status status; // of the first error
} reader;

static void fail(reader *r, cr_status status, const cri_node *node, const char *message,
                 const char *what)
{
    cri_place place = {r->file, node ? node->line : 0, node ? node->column : 0};
    cri_fail(r->report, status, place, message, what);
    r->status = r->status == CR_OK ? status : r->status;
}

// A list of exactly count finite numbers under a key.
static bool numbers(reader *r, const cri_node *map, const char *key, double *values, int count)
{
    const cri_node *list = cri_node_get(map, key), *at = list ? list : map;
    bool good = list && list->kind == CRI_NODE_LIST && list->count == count;
    for (int i = 0; i < count && good; i++) {
        good = cri_node_number(&list->items[i], &values[i]) && fabs(values[i]) < 1e6;
    }
    if (!good) {
        char text[80];
        cri_place place = {r->file, at->line, at->column};
        cri_fail(r->report, CR_ERR_TYPE, place, "%s must be %d numbers below 1e6, got %s", key,
                 count, list ? cri_node_print(list, text, sizeof text) : "nothing");
        r->status = CR_ERR_TYPE;
    }
    return good;
}

static bool is_list(const cri_node *node)
{
    return node && node->kind == CRI_NODE_LIST;
}

// ---------------------------------------------------------------------------------------------
// The scene.

static bool read_pose(reader *r, const cri_node *node, cr_pose *pose)
{
    double p[3], q[4];
    if (!numbers(r, node, "position", p, 3) || !numbers(r, node, "orientation", q, 4)) {
        return false;
    }
    double norm = sqrt(q[0] * q[0] + q[1] * q[1] + q[2] * q[2] + q[3] * q[3]);
    if (!(norm > 0.5 && norm < 2)) {
        fail(r, CR_ERR_RANGE, node, "%s must be a unit quaternion x, y, z, w", "orientation");
        return false;
    }
    *pose = (cr_pose){{p[0], p[1], p[2]}, {q[0] / norm, q[1] / norm, q[2] / norm, q[3] / norm}};
    return true;
}

static bool positive(reader *r, const cri_node *node, const double *values, int count)
{
    for (int i = 0; i < count; i++) {
        if (!(values[i] > 0)) {
            fail(r, CR_ERR_RANGE, node, "%s must be > 0", "dimensions");
            return false;
        }
    }
    return true;
}

static bool read_shape(reader *r, const cri_node *node, cr_shape *shape)
{
    const cri_node *type = cri_node_get(node, "type");
    double d[3];
    if (cri_node_is(type, "box")) {
        bool good = numbers(r, node, "dimensions", d, 3) && positive(r, node, d, 3);
        *shape = (cr_shape){.kind = CR_SHAPE_BOX};
        shape->half = good ? cri_vec3(d[0] / 2, d[1] / 2, d[2] / 2) : shape->half;
        return good;
    }
    if (cri_node_is(type, "cylinder")) {
        bool good = numbers(r, node, "dimensions", d, 2) && positive(r, node, d, 2);
        *shape = (cr_shape){.kind = CR_SHAPE_CYLINDER};
        shape->half.z = good ? d[0] / 2 : 0;
        shape->radius = good ? d[1] : 0;
        return good;
    }
    if (cri_node_is(type, "sphere")) {
        bool good = numbers(r, node, "dimensions", d, 1) && positive(r, node, d, 1);
        *shape = (cr_shape){.kind = CR_SHAPE_SPHERE, .radius = good ? d[0] : 0};
        return good;
    }
    char text[60];
    fail(r, CR_ERR_NAME, type ? type : node,
         "unknown shape \"%s\"; there are box, cylinder and sphere",
         type ? cri_node_print(type, text, sizeof text) : "");
    return false;
}

// Nothing under the key, or an empty list.
static bool absent(reader *r, const cri_node *map, const char *key)
{
    const cri_node *node = cri_node_get(map, key);
    if (!node || cri_node_is_null(node) || (is_list(node) && node->count == 0)) {
        return true;
    }
    fail(r, CR_ERR_TYPE, node, "\"%s\" are not supported", key);
    return false;
}

static void add_obstacle(reader *r, const char *name, cr_shape shape, cr_pose pose)
{
    r->obstacles[r->task->obstacle_count++] = (cr_obstacle){
        .name = name,
        .shape = shape,
        .pose = pose,
        .color = shape.kind == CR_SHAPE_BOX ? 0xb08a5a : 0x9fb4c7,
    };
}

static bool read_object(reader *r, const cri_node *object)
{
    const cri_node *id = cri_node_get(object, "id");
    const cri_node *shapes = cri_node_get(object, "primitives");
    const cri_node *poses = cri_node_get(object, "primitive_poses");
    if (!absent(r, object, "meshes") || !absent(r, object, "planes")) {
        return false;
    }
    if (!is_list(shapes) || !is_list(poses) || shapes->count != poses->count) {
        fail(r, CR_ERR_TYPE, object, "a collision object needs as many primitives as %s",
             "primitive_poses");
        return false;
    }
    bool named = id && id->kind == CRI_NODE_SCALAR;
    const char *name =
        named ? cri_arena_text(&r->tasks->arena, id->text, (size_t)id->count) : "object";
    for (int i = 0; i < shapes->count; i++) {
        cr_shape shape;
        cr_pose pose;
        if (!read_shape(r, &shapes->items[i], &shape) || !read_pose(r, &poses->items[i], &pose)) {
            return false;
        }
        if (r->task->obstacle_count == OBSTACLES_MAX) {
            fail(r, CR_ERR_RANGE, object, "at most %s obstacles are supported", "10000");
            return false;
        }
        add_obstacle(r, name ? name : "object", shape, pose);
    }
    return true;
}

// The frame that the robot stands in: only the identity is known.
static bool check_base(reader *r, const cri_node *state)
{
    const cri_node *multi = cri_node_get(state, "multi_dof_joint_state");
    const cri_node *list = cri_node_get(multi, "transforms");
    for (int i = 0; is_list(list) && i < list->count; i++) {
        double t[3], q[4];
        if (!numbers(r, &list->items[i], "translation", t, 3) ||
            !numbers(r, &list->items[i], "rotation", q, 4)) {
            return false;
        }
        double off = fabs(t[0]) + fabs(t[1]) + fabs(t[2]) + fabs(q[0]) + fabs(q[1]) + fabs(q[2]);
        if (off > 1e-9) {
            fail(r, CR_ERR_RANGE, &list->items[i], "the robot must stand in the world's origin%s",
                 "");
            return false;
        }
    }
    return true;
}

static void read_scene(reader *r, const cri_node *root)
{
    const cri_node *objects = cri_node_get(cri_node_get(root, "world"), "collision_objects");
    const cri_node *state = cri_node_get(root, "robot_state");
    if (!is_list(objects)) {
        fail(r, CR_ERR_NAME, root, "a planning scene needs world: collision_objects:, a list%s",
             "");
        return;
    }
    if (!check_base(r, state) || !absent(r, state, "attached_collision_objects")) {
        return;
    }
    for (int i = 0; i < objects->count && read_object(r, &objects->items[i]); i++) {
    }
}

// ---------------------------------------------------------------------------------------------
// The request.

// A joint's value: joints that the arm does not move (fixed fingers) are passed over.
static void set_joint(const reader *r, const cri_node *name, double value, double *q, bool *set)
{
    int dof = name->kind == CRI_NODE_SCALAR ? cr_arm_find_dof(r->arm, name->text) : -1;
    if (dof >= 0) {
        q[dof] = value;
        set[dof] = true;
    }
}

static void need_all(reader *r, const cri_node *at, const bool *set, const char *message)
{
    for (int d = 0; d < r->arm->dof_count && r->status == CR_OK; d++) {
        if (!set[d]) {
            fail(r, CR_ERR_NAME, at, message, r->arm->dofs[d].name);
        }
    }
}

static void read_start(reader *r, const cri_node *root)
{
    const cri_node *state = cri_node_get(cri_node_get(root, "start_state"), "joint_state");
    const cri_node *names = cri_node_get(state, "name"), *values = cri_node_get(state, "position");
    bool set[CR_ARM_MAX_DOFS] = {false};
    if (!is_list(names) || !is_list(values) || names->count != values->count) {
        fail(r, CR_ERR_TYPE, state ? state : root,
             "start_state: joint_state: needs lists name and position of the same length%s", "");
        return;
    }
    for (int i = 0; i < names->count; i++) {
        double value;
        if (!cri_node_number(&values->items[i], &value) || !(fabs(value) < 1e6)) {
            fail(r, CR_ERR_TYPE, &values->items[i], "a joint's %s must be a number", "position");
            return;
        }
        set_joint(r, &names->items[i], value, r->task->start, set);
    }
    need_all(r, names, set, "the start has no value for joint \"%.80s\"");
    memcpy(r->task->goal, r->task->start, sizeof r->task->goal);
}

static void read_goal(reader *r, const cri_node *root)
{
    const cri_node *goals = cri_node_get(root, "goal_constraints");
    const cri_node *first = is_list(goals) && goals->count ? &goals->items[0] : NULL;
    const cri_node *joints = cri_node_get(first, "joint_constraints");
    bool set[CR_ARM_MAX_DOFS] = {false};
    if (!absent(r, first, "position_constraints") || !absent(r, first, "orientation_constraints")) {
        return;
    }
    if (!is_list(joints) || joints->count == 0) {
        fail(r, CR_ERR_NAME, first ? first : root,
             "goal_constraints: needs joint_constraints:, a list%s", "");
        return;
    }
    for (int i = 0; i < joints->count; i++) {
        const cri_node *name = cri_node_get(&joints->items[i], "joint_name");
        const cri_node *position = cri_node_get(&joints->items[i], "position");
        double value;
        if (!name || !position || !cri_node_number(position, &value) || !(fabs(value) < 1e6)) {
            fail(r, CR_ERR_TYPE, &joints->items[i],
                 "a joint constraint needs joint_name and position, a number%s", "");
            return;
        }
        if (name->kind != CRI_NODE_SCALAR || cr_arm_find_dof(r->arm, name->text) < 0) {
            fail(r, CR_ERR_NAME, name,
                 "the goal names a joint that the arm has not or does not move%s", "");
            return;
        }
        set_joint(r, name, value, r->task->goal, set);
    }
}

static void read_request(reader *r, const cri_node *root)
{
    if (check_base(r, cri_node_get(root, "start_state"))) {
        read_start(r, root);
    }
    if (r->status == CR_OK) {
        read_goal(r, root);
    }
}

// ---------------------------------------------------------------------------------------------

// One text through one of the readers above.
static void read_text(reader *r, cri_moveit_text text, void (*read)(reader *, const cri_node *))
{
    cri_arena arena = {0};
    const cri_node *root = NULL;
    cri_node_source source = {text.text, text.length, text.name, DEPTH_MAX, NODES_MAX};
    r->file = text.name;
    cr_status status = cri_node_read(&source, &arena, &root, r->report);
    if (status == CR_OK) {
        read(r, root);
    } else if (r->status == CR_OK) {
        r->status = status;
    }
    cri_arena_free(&arena);
}

static void keep_obstacles(reader *r)
{
    size_t count = (size_t)r->task->obstacle_count;
    cr_obstacle *copy = cri_arena_alloc(&r->tasks->arena, count + 1, sizeof *copy);
    r->task->obstacles = copy;
    if (copy) {
        memcpy(copy, r->obstacles, count * sizeof *copy);
        r->tasks->count = 1;
    } else {
        r->status = cri_fail_memory(r->report);
    }
}

cr_status cri_moveit_parse(const cr_arm *arm, cri_moveit_text scene, cri_moveit_text request,
                           cr_reach_tasks **result, cr_report *report)
{
    *result = NULL;
    reader r = {.arm = arm, .report = report, .tasks = cri_tasks_new(1)};
    r.obstacles = calloc(OBSTACLES_MAX, sizeof *r.obstacles);
    if (!r.tasks || !r.obstacles) {
        free(r.obstacles);
        cr_reach_tasks_destroy(r.tasks);
        return cri_fail_memory(report);
    }
    r.task = &r.tasks->tasks[0];
    *r.task = (cr_reach_task){.arm = arm, .name = "reach"};
    cr_arm_rest(arm, r.task->start);
    cr_arm_rest(arm, r.task->goal);
    read_text(&r, scene, read_scene);
    if (request.text) {
        read_text(&r, request, read_request);
    }
    if (r.status == CR_OK) {
        keep_obstacles(&r);
    }
    free(r.obstacles);
    if (r.status != CR_OK) {
        cr_reach_tasks_destroy(r.tasks);
        return r.status;
    }
    *result = r.tasks;
    return CR_OK;
}

cr_status cr_moveit_read(const cr_arm *arm, const char *scene, const char *request,
                         cr_reach_tasks **tasks, cr_report *report)
{
    char *texts[2] = {NULL, NULL};
    cri_moveit_text a = {.name = scene}, b = {.name = request};
    *tasks = NULL;
    cr_status status = cri_file_read(scene, FILE_MAX, &texts[0], &a.length, report);
    if (status == CR_OK && request) {
        status = cri_file_read(request, FILE_MAX, &texts[1], &b.length, report);
    }
    if (status == CR_OK) {
        a.text = texts[0];
        b.text = texts[1];
        status = cri_moveit_parse(arm, a, b, tasks, report);
    }
    free(texts[0]);
    free(texts[1]);
    return status;
}
