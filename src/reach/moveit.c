// MoveIt's YAML: a planning scene (boxes, cylinders, spheres) and a motion plan request (start and
// goal joint values) make one task. The files mean what MoveIt means by them; what cannot be done
// is refused with its place, and what has no effect is named in a warning.
#include "reach/moveit.h"

#include <stdlib.h>
#include <string.h>

#include "base/file.h"
#include "base/vec.h"
#include "reach/moveit_read.h"
#include "reach/variant.h"

enum { FILE_MAX = 16 << 20, NODES_MAX = 1000000, DEPTH_MAX = 24 };

cr_arm *cri_moveit_own_arm(cri_moveit *r)
{
    if (!r->own) {
        r->own = cri_arm_copy(r->arm, &r->tasks->arena);
        if (!r->own) {
            r->status = cri_fail_memory(r->report);
        }
    }
    return r->own;
}

// ---------------------------------------------------------------------------------------------
// From the files to a task.

static void check_model(cri_moveit *r)
{
    const char *name;
    bool diff;
    const cri_node *model = cri_node_get(r->scene, "robot_model_name");
    const cri_node *is_diff = cri_node_get(r->scene, "is_diff");
    r->file = r->scene_file;
    if (!cri_moveit_text_of(r, model, "robot_model_name", &name) ||
        !cri_moveit_flag(r, is_diff, "is_diff", &diff)) {
        return;
    }
    if (*name && strcmp(name, r->arm->name) != 0) {
        cri_warn(r->report, cri_moveit_place(r, model),
                 "the scene is for robot \"%.80s\", the robot at hand is \"%.80s\"", name,
                 r->arm->name);
    }
    if (diff) {
        cri_warn(r->report, cri_moveit_place(r, is_diff),
                 "is_diff has no effect: the scene is taken as the whole of it");
    }
}

static void set_obstacles(cri_moveit *r)
{
    cr_obstacle *obstacles =
        cri_arena_alloc(&r->tasks->arena, (size_t)r->piece_count + 1, sizeof *obstacles);
    if (!obstacles) {
        r->status = cri_fail_memory(r->report);
        return;
    }
    r->task->obstacles = obstacles;
    for (int i = 0; i < r->piece_count; i++) {
        const cri_moveit_piece *piece = &r->pieces[i];
        const cri_moveit_object *object = &r->objects[piece->object];
        if (!object->gone) {
            obstacles[r->task->obstacle_count++] = (cr_obstacle){
                .name = object->name,
                .shape = piece->shape,
                .pose = cri_pose_mul(object->pose, piece->pose),
                .color = piece->shape.kind == CR_SHAPE_BOX ? 0xb08a5a : 0x9fb4c7,
            };
        }
    }
}

static bool is_origin(cr_pose pose)
{
    cr_quat q = pose.rotation;
    return cri_length(pose.position) == 0 && q.x == 0 && q.y == 0 && q.z == 0;
}

// Only what differs makes the task's own arm.
static void set_arm(cri_moveit *r)
{
    bool stands = !is_origin(r->start.base);
    cr_arm *own = stands || r->held ? cri_moveit_own_arm(r) : r->own;
    if (!own) {
        return;
    }
    if (stands) {
        cri_arm_stand(own, r->start.base);
    }
    for (int d = 0; d < own->dof_count; d++) {
        if (r->held >> d & 1) {
            cri_arm_hold(own, d, r->start.q[d]);
        }
    }
    cri_arm_seal(own);
    r->task->arm = own;
}

static void read_task(cri_moveit *r)
{
    check_model(r);
    cri_moveit_read_states(r);
    if (r->status == CR_OK) {
        cri_moveit_read_world(r);
    }
    if (r->status == CR_OK) {
        cri_moveit_read_pairs(r);
    }
    if (r->status == CR_OK) {
        set_obstacles(r);
        set_arm(r);
    }
    memcpy(r->task->start, r->start.q, sizeof r->task->start);
    memcpy(r->task->goal, r->goal.q, sizeof r->task->goal);
    r->tasks->count = 1;
}

// ---------------------------------------------------------------------------------------------

// Read a text and check its keys; NULL after errors.
static const cri_node *read_root(cri_moveit *r, cri_moveit_text text, const cri_field *fields,
                                 cri_arena *arena)
{
    const cri_node *root = NULL;
    cri_node_source source = {text.text, text.length, text.name, DEPTH_MAX, NODES_MAX, NULL, 0};
    cr_status status = cri_node_read(&source, arena, &root, r->report);
    if (status == CR_OK) {
        status = cri_fields_check(root, text.name, fields, r->report);
    }
    if (status != CR_OK && r->status == CR_OK) {
        r->status = status;
    }
    return root;
}

static void parse_both(cri_moveit *r, cri_moveit_text scene, cri_moveit_text request)
{
    cri_arena arena = {0};
    r->scene_file = scene.name;
    r->request_file = request.name;
    r->scene = read_root(r, scene, cri_moveit_scene_fields, &arena);
    if (request.text) {
        r->request = read_root(r, request, cri_moveit_request_fields, &arena);
    }
    if (r->status == CR_OK) {
        read_task(r);
    }
    cri_arena_free(&arena);
}

static cri_moveit *new_reader(const cr_arm *arm, cr_report *report)
{
    cri_moveit *r = calloc(1, sizeof *r);
    if (!r) {
        return NULL;
    }
    *r = (cri_moveit){.arm = arm, .report = report, .tasks = cri_tasks_new(1)};
    if (r->tasks) {
        r->task = &r->tasks->tasks[0];
        *r->task = (cr_reach_task){.arm = arm, .name = "reach"};
    }
    return r;
}

cr_status cri_moveit_parse(const cr_arm *arm, cri_moveit_text scene, cri_moveit_text request,
                           cr_reach_tasks **result, cr_report *report)
{
    *result = NULL;
    cri_moveit *r = new_reader(arm, report);
    if (!r) {
        return cri_fail_memory(report);
    }
    if (r->tasks) {
        parse_both(r, scene, request);
    } else {
        r->status = cri_fail_memory(report);
    }
    cr_status status = r->status;
    if (status == CR_OK) {
        *result = r->tasks;
    } else {
        cr_reach_tasks_destroy(r->tasks);
    }
    free(r->objects);
    free(r->pieces);
    free(r);
    return status;
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
