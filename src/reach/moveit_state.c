// Where the robot is at the start and at the goal, and which of its joints are planned.
//
// As in MoveIt, the request's start state lies over the scene's robot state, and that over every
// joint's default: 0, or the middle of limits that do not hold it.
#include "reach/moveit_read.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/trig.h"
#include "base/vec.h"

// A value this far outside of a limit is a rounding of it.
static const double rounding = 1e-3; // rad, m

static bool is_given(const cri_moveit_state *state, int dof)
{
    return state->places[dof].line > 0;
}

// ---------------------------------------------------------------------------------------------
// Joints.

// Joints of a list that have no effect: how many, and the first.
typedef struct strangers {
    int count;
    const cri_node *first;
} strangers;

static void add_stranger(strangers *s, const cri_node *name)
{
    s->first = s->count == 0 ? name : s->first;
    s->count++;
}

static void warn_of_strangers(const cri_moveit *r, const strangers *s, const char *what)
{
    if (s->count == 0) {
        return;
    }
    char more[40] = "";
    if (s->count > 1) {
        snprintf(more, sizeof more, " (and %d more)", s->count - 1);
    }
    cri_warn(r->report, cri_moveit_place(r, s->first), "without effect: joint \"%.80s\"%s, %s",
             s->first->text, more, what);
}

static double wrap_turns(const cri_joint *joint, double value)
{
    return joint->endless && fabs(value) > CRI_PI ? cri_wrap(value) : value;
}

// Two values for one joint: one of them would be ignored.
static bool set_value(cri_moveit *r, cri_moveit_state *state, const cri_joint *joint, double value,
                      const cri_node *node)
{
    int dof = joint->dof;
    uint32_t bit = (uint32_t)1 << dof;
    if (state->read & bit) {
        return cri_moveit_fail(r, CR_ERR_NAME, node, "joint \"%.80s\" has two values", joint->name);
    }
    state->read |= bit;
    state->q[dof] = wrap_turns(joint, value);
    state->places[dof] = cri_moveit_place(r, node);
    return true;
}

// The joints of the base are given elsewhere.
static bool is_base_variable(const cr_arm *arm, const char *name)
{
    size_t length = arm->base_joint ? strlen(arm->base_joint) : 0;
    return length && strncmp(name, arm->base_joint, length) == 0 && name[length] == '/';
}

// One name and value of a joint state.
static bool read_joint(cri_moveit *r, cri_moveit_state *state, const cri_node *name,
                       const cri_node *position, strangers *unknown)
{
    double value;
    const char *text;
    if (!cri_moveit_text_of(r, name, "a joint's name", &text) ||
        !cri_moveit_number(r, position, "a joint's position", &value)) {
        return false;
    }
    if (is_base_variable(r->arm, text)) {
        return cri_moveit_fail(r, CR_ERR_NAME, name,
                               "\"%.80s\": give the base under multi_dof_joint_state", text);
    }
    int index = cri_arm_find_joint(r->arm, text);
    if (index < 0) {
        add_stranger(unknown, name);
        return true;
    }
    const cri_joint *joint = &r->arm->joints[index];
    return joint->dof < 0 || joint->follows || set_value(r, state, joint, value, position);
}

// Values of joints that do not move by themselves must be those that they have anyway.
static void check_followers(const cri_moveit *r, const cri_moveit_state *state,
                            const cri_node *names, const cri_node *positions)
{
    strangers fixed = {0}, following = {0};
    for (int i = 0; i < names->count; i++) {
        int index = cri_arm_find_joint(r->arm, names->items[i].text);
        const cri_joint *joint = index >= 0 ? &r->arm->joints[index] : NULL;
        double value = 0;
        cri_node_number(&positions->items[i], &value);
        if (joint && joint->dof < 0 && fabs(value) > rounding) {
            add_stranger(&fixed, &names->items[i]);
        } else if (joint && joint->follows &&
                   fabs(value - joint->scale * state->q[joint->dof] - joint->offset) > rounding) {
            add_stranger(&following, &names->items[i]);
        }
    }
    warn_of_strangers(r, &fixed, "fixed, with a value other than 0");
    warn_of_strangers(r, &following, "which follows another, with a value of its own");
}

static bool read_joint_state(cri_moveit *r, const cri_node *node, cri_moveit_state *state)
{
    const cri_node *names = cri_node_get(node, "name"), *values = cri_node_get(node, "position");
    int name_count, value_count;
    if (!cri_moveit_list(r, names, "name", &name_count) ||
        !cri_moveit_list(r, values, "position", &value_count)) {
        return false;
    }
    if (name_count != value_count) {
        return cri_moveit_fail(
            r, CR_ERR_TYPE, node,
            "joint_state: name and position must be of the same length, got %d and %d", name_count,
            value_count);
    }
    strangers unknown = {0};
    for (int i = 0; i < name_count; i++) {
        if (!read_joint(r, state, &names->items[i], &values->items[i], &unknown)) {
            return false;
        }
    }
    warn_of_strangers(r, &unknown, "which the robot has not");
    if (name_count > 0) {
        check_followers(r, state, names, values);
    }
    return true;
}

// ---------------------------------------------------------------------------------------------
// The base.

static bool is_identity(cr_pose pose)
{
    cr_quat q = pose.rotation;
    return cri_length(pose.position) < 1e-9 && fabs(q.x) + fabs(q.y) + fabs(q.z) < 1e-9;
}

static bool is_planar(cr_pose pose)
{
    return fabs(pose.position.z) < 1e-9 && fabs(pose.rotation.x) + fabs(pose.rotation.y) < 1e-9;
}

// Whether the virtual joint can have that value.
static bool check_base(cri_moveit *r, const cri_node *node, const char *name, cr_pose pose)
{
    const cr_arm *arm = r->arm;
    switch (arm->base) {
    case CRI_BASE_UNKNOWN:
        cri_warn(r->report, cri_moveit_place(r, node),
                 "the robot has no virtual joint \"%.80s\" (that is for an SRDF to say); it is "
                 "taken as the one to the root",
                 name);
        return true;
    case CRI_BASE_FIXED:
        return cri_moveit_fail(r, CR_ERR_RANGE, node,
                               "the virtual joint \"%.80s\" is fixed: the robot stands in the "
                               "origin of \"%.80s\"",
                               name, arm->base_frame);
    case CRI_BASE_PLANAR:
        return is_planar(pose) ||
               cri_moveit_fail(r, CR_ERR_RANGE, node,
                               "the virtual joint \"%.80s\" is planar: it moves along x and y and "
                               "turns about z",
                               name);
    case CRI_BASE_FLOATING:
        return true;
    }
    return true;
}

static bool read_base(cri_moveit *r, const cri_node *name, const cri_node *transform,
                      cri_moveit_state *state)
{
    const char *text;
    cr_pose pose;
    if (!cri_moveit_text_of(r, name, "a joint's name", &text) ||
        !cri_moveit_transform(r, transform, &pose)) {
        return false;
    }
    bool known = r->arm->base == CRI_BASE_UNKNOWN || strcmp(text, r->arm->base_joint) == 0;
    if (!known) {
        return cri_moveit_fail(r, CR_ERR_NAME, name,
                               "no virtual joint \"%.80s\"; the SRDF has \"%.80s\"", text,
                               r->arm->base_joint);
    }
    if (!is_identity(pose) && !check_base(r, transform, text, pose)) {
        return false;
    }
    if (state->based) {
        return cri_moveit_fail(r, CR_ERR_NAME, name, "the base is given twice: \"%.80s\"", text);
    }
    state->based = true;
    state->base = pose;
    return true;
}

// The frame that bases are given in must be that of the world.
static bool check_base_frame(cri_moveit *r, const cri_node *node)
{
    const char *frame;
    if (!cri_moveit_frame_id(r, node, &frame)) {
        return false;
    }
    frame += frame[0] == '/';
    bool world = !*frame || strcmp(frame, "world") == 0 ||
                 (r->arm->base_frame && strcmp(frame, r->arm->base_frame) == 0) ||
                 (!r->arm->base_frame && strcmp(frame, r->arm->links[0].name) == 0);
    return world || cri_moveit_fail(r, CR_ERR_NAME, node,
                                    "multi_dof_joint_state: frame_id must be the world's, got "
                                    "\"%.80s\"",
                                    frame);
}

static bool read_multi_dof(cri_moveit *r, const cri_node *node, cri_moveit_state *state)
{
    const cri_node *names = cri_node_get(node, "joint_names");
    const cri_node *transforms = cri_node_get(node, "transforms");
    int name_count, transform_count;
    if (!cri_moveit_list(r, names, "joint_names", &name_count) ||
        !cri_moveit_list(r, transforms, "transforms", &transform_count)) {
        return false;
    }
    if (name_count != transform_count) {
        return cri_moveit_fail(r, CR_ERR_TYPE, node,
                               "multi_dof_joint_state: joint_names and transforms must be of the "
                               "same length, got %d and %d",
                               name_count, transform_count);
    }
    if (name_count > 0 && !check_base_frame(r, node)) {
        return false;
    }
    for (int i = 0; i < name_count; i++) {
        if (!read_base(r, &names->items[i], &transforms->items[i], state)) {
            return false;
        }
    }
    return true;
}

static bool read_state(cri_moveit *r, const cri_node *node, cri_moveit_state *state)
{
    bool diff;
    state->based = false;
    state->read = 0;
    return cri_moveit_flag(r, cri_node_get(node, "is_diff"), "is_diff", &diff) &&
           read_multi_dof(r, cri_node_get(node, "multi_dof_joint_state"), state) &&
           read_joint_state(r, cri_node_get(node, "joint_state"), state);
}

// ---------------------------------------------------------------------------------------------
// Limits.

// Bring a value that is a rounding outside of its limits, or as far as a goal's tolerance allows,
// to the limit. below and above: how far it may be lowered and raised.
static bool settle(cri_moveit *r, int dof, cri_moveit_state *state, double below, double above)
{
    const cr_arm_dof *limits = &r->arm->dofs[dof];
    const char *end = state == &r->goal ? "goal" : "start";
    double value = state->q[dof], kept = cri_clamp(value, limits->low, limits->high);
    if (kept == value) {
        return true;
    }
    int digits = cri_digits_apart(value, limits->low, limits->high);
    if (value - kept > fmax(below, rounding) || kept - value > fmax(above, rounding)) {
        cri_fail(r->report, CR_ERR_RANGE, state->places[dof],
                 "the %s is out of limits: joint \"%.80s\" must be from %.*g to %.*g, got %.*g",
                 end, limits->name, digits, limits->low, digits, limits->high, digits, value);
        r->status = CR_ERR_RANGE;
        return false;
    }
    cri_warn(r->report, state->places[dof],
             "the %s of joint \"%.80s\" is taken to its limit: %.*g, not %.*g", end, limits->name,
             digits, kept, digits, value);
    state->q[dof] = kept;
    return true;
}

// ---------------------------------------------------------------------------------------------
// Start and goal.

static double default_value(const cr_arm_dof *dof)
{
    return dof->low <= 0 && dof->high >= 0 ? 0 : 0.5 * (dof->low + dof->high);
}

static void set_defaults(cri_moveit *r)
{
    r->state = (cri_moveit_state){.base = {{0, 0, 0}, {0, 0, 0, 1}}};
    for (int d = 0; d < r->arm->dof_count; d++) {
        r->state.q[d] = default_value(&r->arm->dofs[d]);
    }
}

// Without a request the arm starts at rest: a scene's state is often nothing but zeros.
static void start_at_rest(cri_moveit *r)
{
    cr_arm_rest(r->arm, r->start.q);
    int moved = -1;
    for (int d = r->arm->dof_count - 1; d >= 0; d--) {
        bool differs = is_given(&r->state, d) && fabs(r->start.q[d] - r->state.q[d]) > rounding;
        moved = differs ? d : moved;
    }
    if (moved >= 0) {
        cri_warn(r->report, r->state.places[moved],
                 "without a request the arm starts at rest, joint \"%.80s\" at %g; the scene's "
                 "robot_state says %g",
                 r->arm->dofs[moved].name, r->start.q[moved], r->state.q[moved]);
    }
}

static void warn_of_defaults(const cri_moveit *r)
{
    int count = 0, first = 0;
    for (int d = r->arm->dof_count - 1; d >= 0; d--) {
        if (!is_given(&r->start, d)) {
            count++;
            first = d;
        }
    }
    if (count == 0) {
        return;
    }
    const cri_node *node = cri_node_get(r->request, "start_state");
    char more[40] = "";
    if (count > 1) {
        snprintf(more, sizeof more, " and %d more", count - 1);
    }
    cri_warn(r->report, cri_moveit_place(r, node ? node : r->request),
             "the start has no value for joint \"%.80s\"%s: the default is taken (%g)",
             r->arm->dofs[first].name, more, r->start.q[first]);
}

static void read_start(cri_moveit *r)
{
    r->start = r->state;
    if (r->request) {
        r->file = r->request_file;
        bool based = r->state.based;
        if (!read_state(r, cri_node_get(r->request, "start_state"), &r->start)) {
            return;
        }
        r->start.based = r->start.based || based;
        warn_of_defaults(r);
    } else {
        start_at_rest(r);
    }
    for (int d = 0; d < r->arm->dof_count; d++) {
        settle(r, d, &r->start, 0, 0);
    }
}

static bool read_tolerance(cri_moveit *r, const cri_node *map, const char *key, double *value)
{
    const cri_node *node = cri_node_get(map, key);
    *value = 0;
    if (node && !cri_moveit_number(r, node, key, value)) {
        return false;
    }
    return *value >= 0 ||
           cri_moveit_fail(r, CR_ERR_RANGE, node, "%s must be >= 0, got %g", key, *value);
}

// A tolerance is kept by going where it is about.
static bool read_constraint(cri_moveit *r, const cri_node *node)
{
    const cri_node *name = cri_node_get(node, "joint_name");
    const cri_node *position = cri_node_get(node, "position");
    double value, below, above;
    const char *text;
    if (!name || !position) {
        return cri_moveit_fail(r, CR_ERR_TYPE, node,
                               "a joint constraint needs joint_name and position");
    }
    if (!cri_moveit_text_of(r, name, "joint_name", &text) ||
        !cri_moveit_number(r, position, "position", &value) ||
        !read_tolerance(r, node, "tolerance_below", &below) ||
        !read_tolerance(r, node, "tolerance_above", &above)) {
        return false;
    }
    int index = cri_arm_find_joint(r->arm, text);
    const cri_joint *joint = index >= 0 ? &r->arm->joints[index] : NULL;
    if (!joint || joint->dof < 0 || joint->follows) {
        return cri_moveit_fail(
            r, CR_ERR_NAME, name,
            "the goal names a joint that the arm has not or does not move: \"%.80s\"", text);
    }
    return set_value(r, &r->goal, joint, value, position) &&
           settle(r, joint->dof, &r->goal, below, above);
}

static void read_goal(cri_moveit *r)
{
    const cri_node *goals = cri_node_get(r->request, "goal_constraints");
    int goal_count, joint_count;
    if (!cri_moveit_list(r, goals, "goal_constraints", &goal_count)) {
        return;
    }
    if (goal_count > 1) {
        cri_moveit_fail(r, CR_ERR_TYPE, &goals->items[1],
                        "goal_constraints: goals after the first are not supported");
        return;
    }
    const cri_node *joints =
        goal_count ? cri_node_get(&goals->items[0], "joint_constraints") : NULL;
    if (!cri_moveit_list(r, joints, "joint_constraints", &joint_count)) {
        return;
    }
    if (joint_count == 0) {
        cri_moveit_fail(r, CR_ERR_NAME, goals ? goals : r->request,
                        "goal_constraints: needs joint_constraints:, a list");
        return;
    }
    for (int i = 0; i < joint_count && read_constraint(r, &joints->items[i]); i++) {
    }
}

// ---------------------------------------------------------------------------------------------
// Groups.

static uint32_t all_dofs(const cr_arm *arm)
{
    return (uint32_t)(((uint64_t)1 << arm->dof_count) - 1);
}

// The joints of the request's group; all of them where no groups are known. 0 after an error.
static uint32_t group_dofs(cri_moveit *r, const cri_node *node)
{
    const char *name;
    if (!cri_moveit_text_of(r, node, "group_name", &name) || !*name) {
        return all_dofs(r->arm);
    }
    if (r->arm->group_count == 0) {
        cri_warn(r->report, cri_moveit_place(r, node),
                 "group \"%.80s\" has no effect: the robot has no groups (they are for an SRDF to "
                 "say), so all joints are planned",
                 name);
        return all_dofs(r->arm);
    }
    int index = cri_arm_find_group(r->arm, name);
    if (index >= 0) {
        const cri_joint_group *group = &r->arm->groups[index];
        cr_arm *own = group->tip >= 0 && group->tip != r->arm->tip ? cri_moveit_own_arm(r) : NULL;
        if (own) {
            own->tip = group->tip;
        }
        return group->dofs;
    }
    cri_suggestion near = {.word = name};
    for (int i = 0; i < r->arm->group_count; i++) {
        cri_suggest(&near, r->arm->groups[i].name);
    }
    char hint[160];
    cri_moveit_fail(r, CR_ERR_NAME, node, "the robot has no group \"%.80s\"%s", name,
                    cri_suggestion_print(&near, hint, sizeof hint));
    return 0;
}

// Joints that are not planned keep their start.
static void hold_joints(cri_moveit *r)
{
    const cri_node *node = cri_node_get(r->request, "group_name");
    uint32_t planned = group_dofs(r, node) & ~r->arm->passive;
    if (r->status == CR_OK && planned == 0) {
        cri_moveit_fail(r, CR_ERR_RANGE, node ? node : r->scene,
                        "no joint of the group moves by itself");
    }
    for (int d = 0; d < r->arm->dof_count && r->status == CR_OK; d++) {
        if (planned >> d & 1) {
            continue;
        }
        if (fabs(r->goal.q[d] - r->start.q[d]) > 1e-6) {
            cri_fail(r->report, CR_ERR_RANGE, r->goal.places[d],
                     "joint \"%.80s\" is not planned (it is passive or outside of the group), so "
                     "it cannot get from %g to %g",
                     r->arm->dofs[d].name, r->start.q[d], r->goal.q[d]);
            r->status = CR_ERR_RANGE;
        }
        r->goal.q[d] = r->start.q[d];
        r->held |= (uint32_t)1 << d;
    }
}

void cri_moveit_read_states(cri_moveit *r)
{
    set_defaults(r);
    r->file = r->scene_file;
    if (!read_state(r, cri_node_get(r->scene, "robot_state"), &r->state)) {
        return;
    }
    read_start(r);
    r->goal = r->start;
    if (r->request && r->status == CR_OK) {
        r->goal.read = 0;
        read_goal(r);
    }
    if (r->status == CR_OK) {
        hold_joints(r);
    }
}
