// Joints: which two bodies, where, what they may do, and what breaks them.
//
// A file places a joint in the world, with all bodies where the file has them. The model keeps it
// in the frames of its two bodies, so that it goes with them.
#include "scene/compile.h"

#include <math.h>
#include <string.h>

#include "base/vec.h"

static const cri_range force_range = {0, 1e9, true};

// What each kind may have beside the two bodies, by row of the table.
static const char *const kinds_of[CRI_JOINT_KEY_COUNT] = {
    [CRI_JOINT_KEY_AT] = "hinge|slider|ball|weld",
    [CRI_JOINT_KEY_AXIS] = "hinge|slider",
    [CRI_JOINT_KEY_FROM] = "rope",
    [CRI_JOINT_KEY_TO] = "rope",
    [CRI_JOINT_KEY_LENGTH] = "rope",
    [CRI_JOINT_KEY_LIMITS] = "hinge|slider",
    [CRI_JOINT_KEY_FRICTION] = "hinge|slider|ball",
    [CRI_JOINT_KEY_MOTOR] = "hinge|slider",
};

// A joint while it is read.
typedef struct reading {
    cr_joint *joint;
    const cri_node *node;
    const cri_node *values[CRI_JOINT_KEY_COUNT];
    cr_vec3 at[2], axis; // in the world
} reading;

static bool is_among(const char *words, const char *word)
{
    size_t length = strlen(word);
    for (const char *at = strstr(words, word); at; at = strstr(at + 1, word)) {
        if ((at == words || at[-1] == '|') && (at[length] == 0 || at[length] == '|')) {
            return true;
        }
    }
    return false;
}

// ---------------------------------------------------------------------------------------------
// Which two.

// -1 is the world, unless a body has that name.
static bool read_end(cri_compiler *c, const cri_node *node, const char *what, int *body)
{
    *body = -1;
    if (node->kind == CRI_NODE_SCALAR && strcmp(node->text, "world") == 0 &&
        cr_model_find_body(c->model, "world") < 0) {
        return true;
    }
    *body = cri_read_body(c, node, what);
    return *body >= 0;
}

static bool is_pushed(const cri_compiler *c, int body)
{
    return body >= 0 && c->model->bodies[body].kind != CR_KIND_STATIC &&
           !c->model->bodies[body].driven;
}

static bool read_ends(cri_compiler *c, reading *r, const cri_node *node, const char *what)
{
    int *bodies = r->joint->bodies;
    if (!cri_read_list(c, node, what, 2, 2)) {
        return false;
    }
    bool first = read_end(c, &node->items[0], what, &bodies[0]);
    if (!read_end(c, &node->items[1], what, &bodies[1]) || !first) {
        return false;
    }
    if (bodies[0] == bodies[1]) {
        return cri_compile_fail(c, CR_ERR_NAME, node, "%s: \"%s\" stands here twice", what,
                                bodies[0] < 0 ? "world" : c->model->bodies[bodies[0]].name);
    }
    if (!is_pushed(c, bodies[0]) && !is_pushed(c, bodies[1])) {
        return cri_compile_fail(c, CR_ERR_TYPE, node,
                                "%s: forces must move one of the two: neither static nor driven",
                                what);
    }
    return true;
}

static bool read_kind(cri_compiler *c, reading *r)
{
    int kind = -1, count = 0;
    for (int i = CRI_JOINT_KEY_HINGE; i <= CRI_JOINT_KEY_ROPE; i++) {
        kind = r->values[i] ? i : kind;
        count += r->values[i] != NULL;
    }
    if (count != 1) {
        return cri_compile_fail(c, CR_ERR_NAME, r->node,
                                "a joint must have one of \"hinge\", \"slider\", \"ball\", "
                                "\"weld\", \"rope\", got %d",
                                count);
    }
    r->joint->kind = (cr_joint_kind)kind;
    const char *name = cr_joint_kind_name(r->joint->kind);
    bool good = read_ends(c, r, r->values[kind], name);
    for (int i = CRI_JOINT_KEY_AT; i < CRI_JOINT_KEY_COUNT; i++) {
        if (r->values[i] && kinds_of[i] && !is_among(kinds_of[i], name)) {
            good = cri_compile_fail(c, CR_ERR_TYPE, r->values[i], "a %s has no \"%s\"", name,
                                    cri_keys_joint.rows[i].name);
        }
    }
    return good;
}

// ---------------------------------------------------------------------------------------------
// Where.

static cr_pose pose_of(const cri_compiler *c, int body)
{
    return body < 0 ? (cr_pose){{0, 0, 0}, {0, 0, 0, 1}} : c->model->bodies[body].pose;
}

// The rotation that takes z to a unit vector, the short way.
static cr_quat turn_to(cr_vec3 axis)
{
    if (axis.z < -0.999999) {
        return (cr_quat){1, 0, 0, 0};
    }
    return cri_quat_unit((cr_quat){-axis.y, axis.x, 0, 1 + axis.z});
}

static bool read_axis(cri_compiler *c, reading *r)
{
    const cri_node *node = r->values[CRI_JOINT_KEY_AXIS];
    r->axis = cri_vec3(0, 0, 1);
    if (r->joint->kind != CR_JOINT_HINGE && r->joint->kind != CR_JOINT_SLIDER) {
        return true;
    }
    if (!node) {
        return cri_compile_fail(c, CR_ERR_NAME, r->node, "key \"axis\" is missing in a %s",
                                cr_joint_kind_name(r->joint->kind));
    }
    if (!cri_read_vector(c, node, "axis", 3, NULL, &r->axis)) {
        return false;
    }
    if (cri_length(r->axis) < 1e-9) {
        return cri_compile_fail(c, CR_ERR_RANGE, node, "axis must not be all zero");
    }
    r->axis = cri_unit(r->axis, cri_vec3(0, 0, 1));
    return true;
}

// A slider and a weld hold wherever they are: where the second body is, unless it is said. A rope
// is tied to the middles.
static bool read_place(cri_compiler *c, reading *r)
{
    const cri_node *at = r->values[CRI_JOINT_KEY_AT];
    const cri_node *ties[2] = {r->values[CRI_JOINT_KEY_FROM], r->values[CRI_JOINT_KEY_TO]};
    cr_joint_kind kind = r->joint->kind;
    int second = r->joint->bodies[1] >= 0 ? 1 : 0;
    r->at[0] = r->at[1] = pose_of(c, r->joint->bodies[second]).position;
    if (kind == CR_JOINT_ROPE) {
        bool good = true;
        for (int i = 0; i < 2; i++) {
            r->at[i] = pose_of(c, r->joint->bodies[i]).position;
            if (ties[i]) {
                good = cri_read_vector(c, ties[i], i ? "to" : "from", 3, NULL, &r->at[i]) && good;
            } else if (r->joint->bodies[i] < 0) {
                good = cri_compile_fail(c, CR_ERR_NAME, r->node,
                                        "key \"%s\" is missing in a rope to the world",
                                        i ? "to" : "from");
            }
        }
        return good;
    }
    if (!at && (kind == CR_JOINT_HINGE || kind == CR_JOINT_BALL)) {
        return cri_compile_fail(c, CR_ERR_NAME, r->node, "key \"at\" is missing in a %s",
                                cr_joint_kind_name(kind));
    }
    bool good = !at || cri_read_vector(c, at, "at", 3, NULL, &r->at[0]);
    r->at[1] = r->at[0];
    return good;
}

static void give_frames(cri_compiler *c, reading *r)
{
    for (int i = 0; i < 2; i++) {
        cr_pose body = pose_of(c, r->joint->bodies[i]);
        r->joint->frames[i].position = cri_pose_local(body, r->at[i]);
        r->joint->frames[i].rotation = cri_quat_mul(cri_quat_conj(body.rotation), turn_to(r->axis));
    }
}

static void read_length(cri_compiler *c, reading *r)
{
    const cri_node *node = r->values[CRI_JOINT_KEY_LENGTH];
    if (r->joint->kind != CR_JOINT_ROPE) {
        return;
    }
    double apart = cri_length(cri_sub(r->at[1], r->at[0]));
    r->joint->length = apart;
    if (node) {
        cri_read_number(c, node, "length", &cri_range_length, &r->joint->length);
    }
    if (node && r->joint->length < apart - 1e-6) {
        cri_compile_fail(c, CR_ERR_RANGE, node,
                         "length must reach from end to end, %g m at the start, got %g", apart,
                         r->joint->length);
    } else if (!node && apart < 1e-6) {
        cri_compile_fail(c, CR_ERR_NAME, r->node,
                         "key \"length\" is missing in a rope whose ends are at one place");
    }
}

// ---------------------------------------------------------------------------------------------
// What it may do.

static void read_limits(cri_compiler *c, reading *r)
{
    static const cri_range range = {-1e6, 1e6, false};
    const cri_node *node = r->values[CRI_JOINT_KEY_LIMITS];
    double low, high;
    if (!node || !cri_read_list(c, node, "limits", 2, 2) ||
        !cri_read_number(c, &node->items[0], "limits", &range, &low) ||
        !cri_read_number(c, &node->items[1], "limits", &range, &high)) {
        return;
    }
    if (!(low <= 0 && high >= 0 && low < high)) {
        cri_compile_fail(c, CR_ERR_RANGE, node,
                         "limits must be [low, high] with low <= 0 <= high: 0 is the start, got "
                         "[%g, %g]",
                         low, high);
        return;
    }
    r->joint->limited = true;
    r->joint->low = low;
    r->joint->high = high;
}

static void read_motor(cri_compiler *c, reading *r)
{
    static const cri_range speeds = {-1e5, 1e5, false};
    const cri_node *node = r->values[CRI_JOINT_KEY_MOTOR], *values[CRI_MOTOR_COUNT];
    bool hinge = r->joint->kind == CR_JOINT_HINGE;
    int own = hinge ? CRI_MOTOR_TORQUE : CRI_MOTOR_FORCE;
    int other = hinge ? CRI_MOTOR_FORCE : CRI_MOTOR_TORQUE;
    cr_joint_numbers *n = &r->joint->numbers;
    if (!cri_read_map(c, node, &cri_keys_motor, values)) {
        return;
    }
    cri_read_number(c, values[CRI_MOTOR_SPEED], "speed", &speeds, &n->motor_speed);
    if (values[other] || !values[own]) {
        cri_compile_fail(c, CR_ERR_NAME, node, "the motor of a %s has a speed and a \"%s\"",
                         cr_joint_kind_name(r->joint->kind), cri_keys_motor.rows[own].name);
        return;
    }
    cri_read_number(c, values[own], cri_keys_motor.rows[own].name, &force_range, &n->motor_force);
}

static void read_breaks(cri_compiler *c, reading *r)
{
    const cri_node *node = r->values[CRI_JOINT_KEY_BREAKS], *values[CRI_BREAK_COUNT];
    cr_joint_numbers *n = &r->joint->numbers;
    if (node->kind == CRI_NODE_SCALAR) {
        cri_read_number(c, node, "breaks", &force_range, &n->breaking_force);
        return;
    }
    if (!cri_read_map(c, node, &cri_keys_break, values)) {
        return;
    }
    const cri_node *force = values[CRI_BREAK_FORCE], *torque = values[CRI_BREAK_TORQUE];
    if (!force && !torque) {
        cri_compile_fail(c, CR_ERR_NAME, node, "breaks must have a \"force\" or a \"torque\"");
    }
    if (force) {
        cri_read_number(c, force, "force", &force_range, &n->breaking_force);
    }
    if (torque && (r->joint->kind == CR_JOINT_ROPE || r->joint->kind == CR_JOINT_BALL)) {
        cri_compile_fail(c, CR_ERR_TYPE, torque, "a %s holds no torque that could break it",
                         cr_joint_kind_name(r->joint->kind));
    } else if (torque) {
        cri_read_number(c, torque, "torque", &force_range, &n->breaking_torque);
    }
}

static void read_numbers(cri_compiler *c, reading *r)
{
    const cri_node *friction = r->values[CRI_JOINT_KEY_FRICTION];
    const cri_node *motor = r->values[CRI_JOINT_KEY_MOTOR];
    r->joint->numbers = (cr_joint_numbers){.breaking_force = HUGE_VAL, .breaking_torque = HUGE_VAL};
    if (friction && motor) {
        cri_compile_fail(c, CR_ERR_NAME, friction,
                         "\"friction\" and \"motor\" exclude each other: a motor holds its speed");
    }
    if (friction) {
        cri_read_number(c, friction, "friction", &cri_range_not_negative,
                        &r->joint->numbers.friction);
    }
    if (motor) {
        read_motor(c, r);
    }
    if (r->values[CRI_JOINT_KEY_BREAKS]) {
        read_breaks(c, r);
    }
}

// ---------------------------------------------------------------------------------------------

static void read_joint(cri_compiler *c, const cri_node *node, cr_joint *joint)
{
    reading r = {.joint = joint, .node = node};
    cri_compile_subject(c, "joint \"%s\"", joint->name);
    if (!cri_read_map(c, node, &cri_keys_joint, r.values) || !read_kind(c, &r)) {
        return;
    }
    bool axis = read_axis(c, &r);
    if (read_place(c, &r) && axis) {
        give_frames(c, &r);
        read_length(c, &r);
    }
    read_limits(c, &r);
    read_numbers(c, &r);
    bool collide = joint->kind == CR_JOINT_ROPE;
    if (r.values[CRI_JOINT_KEY_COLLIDE]) {
        cri_read_flag(c, r.values[CRI_JOINT_KEY_COLLIDE], "collide", &collide);
    }
    if (!collide && joint->bodies[0] >= 0 && joint->bodies[1] >= 0) {
        cri_wish(c, (cri_pair_wish){joint->bodies[0], joint->bodies[1], false}, NULL);
    }
}

void cri_compile_joints(cri_compiler *c)
{
    const cri_node *node = c->top[CRI_TOP_JOINTS];
    if (!node || !cri_read_names(c, node, "joints", CRI_JOINTS_MAX)) {
        return;
    }
    if (node->count > 0 && c->model->body_count > CRI_JOINED_MAX) {
        cri_compile_fail(c, CR_ERR_RANGE, node, "a scene with joints has at most %d bodies, got %d",
                         CRI_JOINED_MAX, c->model->body_count);
        return;
    }
    cr_model *model = c->model;
    model->joints = cri_compile_alloc(c, (size_t)node->count, sizeof *model->joints);
    if (!model->joints) {
        return;
    }
    model->joint_count = node->count;
    for (int i = 0; i < node->count; i++) {
        model->joints[i] =
            (cr_joint){.name = cri_node_key(node, i)->text,
                       .bodies = {-1, -1},
                       .frames = {{{0, 0, 0}, {0, 0, 0, 1}}, {{0, 0, 0}, {0, 0, 0, 1}}}};
    }
    for (int i = 0; i < node->count; i++) {
        read_joint(c, cri_node_value(node, i), &model->joints[i]);
    }
    cri_compile_subject(c, "%s", "");
}

int cri_read_joint(cri_compiler *c, const cri_node *node, const char *what, const char *kind)
{
    if (node->kind != CRI_NODE_SCALAR || cri_node_is_null(node)) {
        cri_compile_fail(c, CR_ERR_TYPE, node, "%s must be the name of a joint, got %s", what,
                         cri_node_sort(node));
        return -1;
    }
    int joint = cr_model_find_joint(c->model, node->text);
    cri_suggestion suggestion = {.word = node->text};
    for (int i = 0; joint < 0 && i < c->model->joint_count; i++) {
        cri_suggest(&suggestion, c->model->joints[i].name);
    }
    if (joint < 0) {
        cri_compile_unknown(c, node, "joint", &suggestion);
        return -1;
    }
    const char *own = cr_joint_kind_name(c->model->joints[joint].kind);
    if (kind[0] && strcmp(kind, own) != 0) {
        cri_compile_fail(c, CR_ERR_TYPE, node, "%s must be a %s, and \"%s\" is a %s", what, kind,
                         node->text, own);
        return -1;
    }
    return joint;
}
