// The world of a planning scene: named frames, and objects made of boxes, cylinders and spheres.
//
//     world --frame_id--> header --pose--> object --primitive_poses--> shape
#include "reach/moveit_read.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/vec.h"

static const cr_pose identity = {{0, 0, 0}, {0, 0, 0, 1}};

static const char *keep(cri_moveit *r, const char *text)
{
    const char *kept = cri_arena_text(&r->tasks->arena, text, strlen(text));
    return kept ? kept : "";
}

static bool same_pose(cr_pose a, cr_pose b)
{
    cr_quat d = cri_quat_mul(cri_quat_conj(a.rotation), b.rotation);
    return cri_length(cri_sub(a.position, b.position)) < 1e-6 &&
           fabs(d.x) + fabs(d.y) + fabs(d.z) < 1e-6;
}

// ---------------------------------------------------------------------------------------------
// Frames.

static cr_pose link_pose(const cri_moveit *r, const cri_moveit_state *state, int link)
{
    return cri_pose_mul(state->base, cr_arm_link_pose(r->arm, state->q, link));
}

// The robot as the scene has it; what the scene does not say is as at the start.
static cri_moveit_state scene_state(const cri_moveit *r)
{
    cri_moveit_state state = r->start;
    for (int d = 0; d < r->arm->dof_count; d++) {
        state.q[d] = r->state.places[d].line > 0 ? r->state.q[d] : state.q[d];
    }
    state.base = r->state.based ? r->state.base : state.base;
    return state;
}

static cr_pose link_frame(const cri_moveit *r, int link, const cri_node *node)
{
    cri_moveit_state state = scene_state(r);
    cr_pose pose = link_pose(r, &state, link);
    if (!same_pose(pose, link_pose(r, &r->start, link))) {
        cri_warn(r->report, cri_moveit_place(r, node),
                 "frame \"%.80s\" is where the scene's robot_state has that link; at the start it "
                 "is elsewhere",
                 r->arm->links[link].name);
    }
    return pose;
}

// The frame that everything is planned in.
static bool is_world(const cri_moveit *r, const char *name)
{
    return !*name || (r->arm->base_frame && strcmp(name, r->arm->base_frame) == 0);
}

static const cri_moveit_object *find_object(const cri_moveit *r, const char *name)
{
    for (int i = 0; i < r->object_count; i++) {
        if (!r->objects[i].gone && strcmp(r->objects[i].name, name) == 0) {
            return &r->objects[i];
        }
    }
    return NULL;
}

static const cri_moveit_frame *find_frame(const cri_moveit *r, const char *name)
{
    for (int i = 0; i < r->frame_count; i++) {
        if (strcmp(r->frames[i].name, name) == 0) {
            return &r->frames[i];
        }
    }
    return NULL;
}

static bool unknown_frame(cri_moveit *r, const char *name, const cri_node *node)
{
    cri_suggestion near = {.word = name};
    cri_suggest(&near, "world");
    for (int i = 0; i < r->arm->link_count; i++) {
        cri_suggest(&near, r->arm->links[i].name);
    }
    for (int i = 0; i < r->frame_count; i++) {
        cri_suggest(&near, r->frames[i].name);
    }
    char hint[160];
    return cri_moveit_fail(r, CR_ERR_NAME, node, "unknown frame \"%.80s\"%s", name,
                           cri_suggestion_print(&near, hint, sizeof hint));
}

// In MoveIt's order: the robot, objects, fixed frames.
static bool resolve_frame(cri_moveit *r, const char *name, const cri_node *node, cr_pose *pose)
{
    name += name[0] == '/';
    int link = cr_arm_find_link(r->arm, name);
    const cri_moveit_object *object = find_object(r, name);
    const cri_moveit_frame *frame = find_frame(r, name);
    *pose = identity;
    if (is_world(r, name)) {
        return true;
    }
    if (link >= 0) {
        *pose = link_frame(r, link, node);
    } else if (object) {
        *pose = object->pose;
    } else if (frame) {
        *pose = frame->pose;
    } else if (strcmp(name, "world") != 0) {
        return unknown_frame(r, name, node);
    }
    return true;
}

// child_frame_id is the frame that everything is planned in, header.frame_id the one that is
// placed in it: MoveIt's reading, which is not that of tf.
static bool check_child(cri_moveit *r, const cri_node *node, const char *child)
{
    child += child[0] == '/';
    bool root = strcmp(child, r->arm->links[0].name) == 0 && same_pose(r->start.base, identity);
    return is_world(r, child) || root || strcmp(child, "world") == 0 ||
           cri_moveit_fail(r, CR_ERR_NAME, node,
                           "fixed_frame_transforms: child_frame_id must be the frame that is "
                           "planned in (\"%.80s\"), got \"%.80s\"",
                           r->arm->base_frame ? r->arm->base_frame : r->arm->links[0].name, child);
}

static bool add_frame(cri_moveit *r, const cri_node *node, const char *name, cr_pose pose)
{
    name += name[0] == '/';
    int link = cr_arm_find_link(r->arm, name);
    cri_moveit_state state = scene_state(r);
    cr_pose there = link >= 0 ? link_pose(r, &state, link) : identity;
    if (link >= 0 || is_world(r, name)) {
        return same_pose(pose, there) ||
               cri_moveit_fail(
                   r, CR_ERR_NAME, node,
                   "fixed_frame_transforms: \"%.80s\" stands elsewhere; where the robot "
                   "stands is given under robot_state: multi_dof_joint_state:",
                   *name ? name : "world");
    }
    if (find_frame(r, name)) {
        return cri_moveit_fail(r, CR_ERR_NAME, node, "frame \"%.80s\" is given twice", name);
    }
    if (r->frame_count == CRI_MOVEIT_FRAMES_MAX) {
        return cri_moveit_fail(r, CR_ERR_RANGE, node, "at most %d frames are supported",
                               CRI_MOVEIT_FRAMES_MAX);
    }
    r->frames[r->frame_count++] = (cri_moveit_frame){keep(r, name), pose};
    return true;
}

static bool read_frame(cri_moveit *r, const cri_node *node)
{
    const char *name, *child;
    cr_pose pose;
    return cri_moveit_frame_id(r, node, &name) &&
           cri_moveit_text_of(r, cri_node_get(node, "child_frame_id"), "child_frame_id", &child) &&
           cri_moveit_transform(r, cri_node_get(node, "transform"), &pose) &&
           check_child(r, node, child) && add_frame(r, node, name, pose);
}

static bool read_frames(cri_moveit *r)
{
    const cri_node *list = cri_node_get(r->scene, "fixed_frame_transforms");
    int count;
    if (!cri_moveit_list(r, list, "fixed_frame_transforms", &count)) {
        return false;
    }
    for (int i = 0; i < count; i++) {
        if (!read_frame(r, &list->items[i])) {
            return false;
        }
    }
    return true;
}

// ---------------------------------------------------------------------------------------------
// Shapes.

// The kinds by name and by number, and how many sizes each has.
static const struct {
    const char *name;
    int sizes;
} kinds[] = {{"", 0}, {"box", 3}, {"sphere", 1}, {"cylinder", 2}, {"cone", 2}, {"prism", 1}};

enum { BOX = 1, SPHERE, CYLINDER, CONE, KINDS = 6 };

// 0 after an error.
static int read_kind(cri_moveit *r, const cri_node *node)
{
    const cri_node *type = cri_node_get(node, "type");
    int64_t number;
    int kind =
        type && cri_node_integer(type, &number) && number > 0 && number < KINDS ? (int)number : 0;
    for (int i = 1; i < KINDS && type && type->kind == CRI_NODE_SCALAR && !kind; i++) {
        kind = cri_word_alike(type->text, kinds[i].name) ? i : 0;
    }
    if (kind >= CONE) {
        cri_moveit_fail(r, CR_ERR_NAME, type,
                        "shape \"%s\" is not supported; there are box, sphere and cylinder",
                        kinds[kind].name);
        return 0;
    }
    if (!kind) {
        char text[60];
        cri_moveit_fail(r, CR_ERR_NAME, type ? type : node,
                        "unknown shape \"%s\"; there are box, sphere and cylinder (1, 2, 3)",
                        type ? cri_node_print(type, text, sizeof text) : "");
    }
    return kind;
}

// As many sizes as the shape has; more of them have no effect.
static bool read_sizes(cri_moveit *r, const cri_node *node, int kind, double *sizes)
{
    const cri_node *list = cri_node_get(node, "dimensions");
    int count, needed = kinds[kind].sizes;
    if (!cri_moveit_list(r, list, "dimensions", &count)) {
        return false;
    }
    bool good = count >= needed;
    for (int i = 0; i < needed && good; i++) {
        good = cri_node_number(&list->items[i], &sizes[i]) && fabs(sizes[i]) < 1e6;
    }
    if (!good) {
        char text[80];
        return cri_moveit_fail(r, CR_ERR_TYPE, list ? list : node,
                               "dimensions must be %d numbers below 1e6, got %s", needed,
                               list ? cri_node_print(list, text, sizeof text) : "nothing");
    }
    for (int i = 0; i < needed; i++) {
        if (!(sizes[i] > 0)) {
            return cri_moveit_fail(r, CR_ERR_RANGE, list, "dimensions must be > 0, got %g",
                                   sizes[i]);
        }
    }
    for (int i = needed; i < count; i++) {
        if (!cri_field_blank(&list->items[i])) {
            cri_warn(r->report, cri_moveit_place(r, &list->items[i]),
                     "a %s has %d dimensions; more have no effect", kinds[kind].name, needed);
            break;
        }
    }
    return true;
}

static bool read_shape(cri_moveit *r, const cri_node *node, cr_shape *shape)
{
    int kind = read_kind(r, node);
    double d[3];
    if (!kind || !read_sizes(r, node, kind, d)) {
        return false;
    }
    *shape = (cr_shape){0};
    if (kind == BOX) {
        shape->kind = CR_SHAPE_BOX;
        shape->half = cri_vec3(d[0] / 2, d[1] / 2, d[2] / 2);
    } else if (kind == CYLINDER) {
        shape->kind = CR_SHAPE_CYLINDER;
        shape->half.z = d[0] / 2;
        shape->radius = d[1];
    } else {
        shape->kind = CR_SHAPE_SPHERE;
        shape->radius = d[0];
    }
    return true;
}

// ---------------------------------------------------------------------------------------------
// Objects.

typedef enum operation { ADD, REMOVE, APPEND, MOVE } operation;

static bool read_operation(cri_moveit *r, const cri_node *node, operation *op)
{
    static const char *const words[] = {"add", "remove", "append", "move"};
    static const char *const numbers[] = {"0", "1", "2", "3"};
    *op = ADD;
    if (!node || cri_node_is_null(node)) {
        return true;
    }
    for (int i = ADD; i <= MOVE && node->kind == CRI_NODE_SCALAR; i++) {
        if (cri_word_alike(node->text, words[i]) || strcmp(node->text, numbers[i]) == 0) {
            *op = (operation)i;
            return true;
        }
    }
    char text[60];
    return cri_moveit_fail(r, CR_ERR_NAME, node,
                           "operation must be add, remove, append or move (0 to 3), got %s",
                           cri_node_print(node, text, sizeof text));
}

// An object as its mapping gives it.
typedef struct reading {
    const cri_node *node, *shapes, *poses;
    int shape_count, pose_count;
    const char *id;
    cr_pose pose; // in the world
} reading;

static bool read_header(cri_moveit *r, const cri_node *node, reading *o)
{
    const char *frame;
    cr_pose origin, pose;
    *o = (reading){.node = node,
                   .shapes = cri_node_get(node, "primitives"),
                   .poses = cri_node_get(node, "primitive_poses")};
    if (node->kind != CRI_NODE_MAP) {
        return cri_moveit_fail(r, CR_ERR_TYPE, node, "a collision object must be a mapping, got %s",
                               cri_node_sort(node));
    }
    if (!cri_moveit_text_of(r, cri_node_get(node, "id"), "id", &o->id) ||
        !cri_moveit_list(r, o->shapes, "primitives", &o->shape_count) ||
        !cri_moveit_list(r, o->poses, "primitive_poses", &o->pose_count) ||
        !cri_moveit_frame_id(r, node, &frame) ||
        !resolve_frame(r, frame, cri_node_get(node, "header"), &origin) ||
        !cri_moveit_pose(r, cri_node_get(node, "pose"), &pose)) {
        return false;
    }
    o->pose = cri_pose_mul(origin, pose);
    return true;
}

// Shapes without a pose stand in the object's origin.
static bool add_pieces(cri_moveit *r, const reading *o, int object)
{
    if (o->shape_count == 0 || o->shape_count < o->pose_count) {
        return cri_moveit_fail(r, CR_ERR_TYPE, o->node,
                               "object \"%.80s\" needs primitives, and not more primitive_poses "
                               "than these; got %d and %d",
                               r->objects[object].name, o->shape_count, o->pose_count);
    }
    for (int i = 0; i < o->shape_count; i++) {
        cri_moveit_piece piece = {.object = object};
        if (!read_shape(r, &o->shapes->items[i], &piece.shape) ||
            !cri_moveit_pose(r, i < o->pose_count ? &o->poses->items[i] : NULL, &piece.pose)) {
            return false;
        }
        if (r->piece_count == CRI_MOVEIT_PIECES_MAX) {
            return cri_moveit_fail(r, CR_ERR_RANGE, o->node, "at most %d obstacles are supported",
                                   CRI_MOVEIT_PIECES_MAX);
        }
        r->pieces[r->piece_count++] = piece;
    }
    return true;
}

// What is appended stands in the object as it is, whatever pose comes along.
static bool append_pieces(cri_moveit *r, const reading *o, int object)
{
    bool posed = !cri_field_blank(cri_node_get(o->node, "pose"));
    if (posed && !same_pose(o->pose, r->objects[object].pose)) {
        cri_warn(r->report, cri_moveit_place(r, cri_node_get(o->node, "pose")),
                 "object \"%.80s\" keeps its pose: that of what is appended has no effect", o->id);
    }
    return add_pieces(r, o, object);
}

static bool add_object(cri_moveit *r, const reading *o)
{
    r->objects[r->object_count] =
        (cri_moveit_object){.name = *o->id ? keep(r, o->id) : "object", .pose = o->pose};
    return add_pieces(r, o, r->object_count++);
}

// An empty id removes all.
static void remove_object(cri_moveit *r, const reading *o)
{
    bool found = !*o->id;
    for (int i = 0; i < r->object_count; i++) {
        bool meant = !*o->id || strcmp(r->objects[i].name, o->id) == 0;
        found = found || (meant && !r->objects[i].gone);
        r->objects[i].gone = r->objects[i].gone || meant;
    }
    if (!found) {
        cri_warn(r->report, cri_moveit_place(r, o->node),
                 "object \"%.80s\" is not there and cannot be removed", o->id);
    }
}

static bool move_pieces(cri_moveit *r, const reading *o, int object)
{
    int count = 0;
    for (int i = 0; i < r->piece_count; i++) {
        if (r->pieces[i].object != object) {
            continue;
        }
        if (count < o->pose_count &&
            !cri_moveit_pose(r, &o->poses->items[count], &r->pieces[i].pose)) {
            return false;
        }
        count++;
    }
    return o->pose_count == 0 || o->pose_count == count ||
           cri_moveit_fail(
               r, CR_ERR_TYPE, o->node,
               "moving object \"%.80s\" needs as many primitive_poses as it has shapes, "
               "%d, got %d",
               o->id, count, o->pose_count);
}

static bool move_object(cri_moveit *r, const reading *o, int object)
{
    if (o->shape_count > 0) {
        return cri_moveit_fail(r, CR_ERR_TYPE, o->shapes,
                               "object \"%.80s\" is moved: its shapes cannot be given again",
                               o->id);
    }
    r->objects[object].pose = o->pose;
    return move_pieces(r, o, object);
}

static bool read_object(cri_moveit *r, const cri_node *node)
{
    reading o;
    operation op;
    if (!read_header(r, node, &o) || !read_operation(r, cri_node_get(node, "operation"), &op)) {
        return false;
    }
    const cri_moveit_object *there = *o.id ? find_object(r, o.id) : NULL;
    int object = there ? (int)(there - r->objects) : -1;
    switch (op) {
    case ADD:
        if (object >= 0) {
            r->objects[object].gone = true;
            cri_warn(r->report, cri_moveit_place(r, node),
                     "object \"%.80s\" is added again: this one takes its place", o.id);
        }
        return add_object(r, &o);
    case REMOVE:
        remove_object(r, &o);
        return true;
    case APPEND:
        return object >= 0 ? append_pieces(r, &o, object) : add_object(r, &o);
    case MOVE:
        return object >= 0
                   ? move_object(r, &o, object)
                   : cri_moveit_fail(r, CR_ERR_NAME, node,
                                     "object \"%.80s\" is not there and cannot be moved", o.id);
    }
    return false;
}

// Room for the objects of a list and all their shapes.
static bool reserve(cri_moveit *r, const cri_node *list, int count)
{
    size_t pieces = 0;
    for (int i = 0; i < count; i++) {
        const cri_node *shapes = cri_node_get(&list->items[i], "primitives");
        pieces += shapes && shapes->kind == CRI_NODE_LIST ? (size_t)shapes->count : 0;
    }
    r->objects = calloc((size_t)count + 1, sizeof *r->objects);
    r->pieces = calloc(pieces + 1, sizeof *r->pieces);
    if (!r->objects || !r->pieces) {
        r->status = cri_fail_memory(r->report);
    }
    return r->objects && r->pieces;
}

void cri_moveit_read_world(cri_moveit *r)
{
    r->file = r->scene_file;
    const cri_node *list = cri_node_get(cri_node_get(r->scene, "world"), "collision_objects");
    int count;
    if (!cri_moveit_list(r, list, "collision_objects", &count) || !reserve(r, list, count) ||
        !read_frames(r)) {
        return;
    }
    for (int i = 0; i < count && read_object(r, &list->items[i]); i++) {
    }
}
