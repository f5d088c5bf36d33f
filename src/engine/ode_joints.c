#include "engine/ode_joints.h"

#include <string.h>

#include "base/vec.h"

// A stop is this much before the limit, so that what was put back to it counts as there.
static const double STOP_MARGIN = 1e-9;

static void set_pose(dBodyID body, cr_pose pose)
{
    const cr_vec3 x = pose.position;
    const cr_quat q = pose.rotation;
    dBodySetPosition(body, x.x, x.y, x.z);
    dBodySetQuaternion(body, (const dQuaternion){q.w, q.x, q.y, q.z});
}

// Driven bodies that a joint holds are kinematic bodies.
static void add_drivers(cri_ode_joints *o)
{
    const cr_model *model = o->base->model;
    for (int i = 0; i < 2 * model->joint_count; i++) {
        int body = model->joints[i / 2].bodies[i % 2];
        if (body >= 0 && model->bodies[body].driven && !o->bodies[body]) {
            o->bodies[body] = dBodyCreate(o->world);
            dBodySetKinematic(o->bodies[body]);
            dBodySetGravityMode(o->bodies[body], 0);
            dBodyDisable(o->bodies[body]);
        }
    }
}

static dJointID create(dWorldID world, cr_joint_kind kind)
{
    switch (kind) {
    case CR_JOINT_HINGE:
        return dJointCreateHinge(world, 0);
    case CR_JOINT_SLIDER:
        return dJointCreateSlider(world, 0);
    case CR_JOINT_BALL:
        return dJointCreateBall(world, 0);
    case CR_JOINT_WELD:
        return dJointCreateFixed(world, 0);
    case CR_JOINT_ROPE:
        break;
    }
    return NULL;
}

static void place(const cri_ode_joints *o, const cr_joint *j, dJointID joint)
{
    cr_pose at = j->frames[0];
    if (j->bodies[0] >= 0) {
        at = cri_pose_mul(o->base->model->bodies[j->bodies[0]].pose, at);
    }
    cr_vec3 p = at.position, axis = cri_rotate(at.rotation, cri_vec3(0, 0, 1));
    switch (j->kind) {
    case CR_JOINT_HINGE:
        dJointSetHingeAnchor(joint, p.x, p.y, p.z);
        dJointSetHingeAxis(joint, axis.x, axis.y, axis.z);
        break;
    case CR_JOINT_SLIDER:
        dJointSetSliderAxis(joint, axis.x, axis.y, axis.z);
        break;
    case CR_JOINT_BALL:
        dJointSetBallAnchor(joint, p.x, p.y, p.z);
        break;
    case CR_JOINT_WELD:
        dJointSetFixed(joint);
        break;
    case CR_JOINT_ROPE:
        break;
    }
}

static void set_param(const cri_ode_joint *o, cr_joint_kind kind, int param, double value)
{
    if (kind == CR_JOINT_HINGE) {
        dJointSetHingeParam(o->joint, param, value);
    } else {
        dJointSetSliderParam(o->joint, param, value);
    }
}

// ODE has its stops within a turn; a limit beyond is left to world.c.
static void set_stops(const cr_joint *j, const cri_ode_joint *o)
{
    double most = j->kind == CR_JOINT_HINGE ? 3 : 1e9;
    double low = (o->sign > 0 ? j->low : -j->high) + STOP_MARGIN;
    double high = (o->sign > 0 ? j->high : -j->low) - STOP_MARGIN;
    if (j->limited && low > -most) {
        set_param(o, j->kind, dParamLoStop, low);
    }
    if (j->limited && high < most) {
        set_param(o, j->kind, dParamHiStop, high);
    }
    set_param(o, j->kind, dParamStopERP, 0);
}

static void make_joint(cri_ode_joints *o, int index)
{
    const cr_joint *j = &o->base->model->joints[index];
    cri_ode_joint *made = &o->joints[index];
    dBodyID ends[2];
    for (int i = 0; i < 2; i++) {
        ends[i] = j->bodies[i] < 0 ? NULL : o->bodies[j->bodies[i]];
        if (ends[i]) {
            set_pose(ends[i], o->base->model->bodies[j->bodies[i]].pose);
        }
    }
    made->joint = create(o->world, j->kind);
    if (!made->joint) {
        return;
    }
    // ODE measures its first body from its second.
    made->sign = ends[1] ? 1 : -1;
    dJointAttach(made->joint, ends[1] ? ends[1] : ends[0], ends[1] ? ends[0] : NULL);
    place(o, j, made->joint);
    dJointSetFeedback(made->joint, &made->feedback);
    if (j->kind == CR_JOINT_HINGE || j->kind == CR_JOINT_SLIDER) {
        set_stops(j, made);
    } else if (j->kind == CR_JOINT_BALL) {
        made->rub = dJointCreateAMotor(o->world, 0);
        dJointAttach(made->rub, ends[1] ? ends[1] : ends[0], ends[1] ? ends[0] : NULL);
        dJointSetAMotorMode(made->rub, dAMotorUser);
        dJointSetAMotorNumAxes(made->rub, 3);
        for (int k = 0; k < 3; k++) {
            dJointSetAMotorAxis(made->rub, k, 0, k == 0, k == 1, k == 2);
        }
    }
}

bool cri_ode_joints_make(cri_ode_joints *o, cri_world *base, dWorldID world, dBodyID const *bodies)
{
    const cr_model *model = base->model;
    size_t count = (size_t)model->body_count, joints = (size_t)model->joint_count;
    *o = (cri_ode_joints){.base = base, .world = world};
    o->bodies = cri_arena_alloc(&base->arena, count, sizeof *o->bodies);
    o->joints = cri_arena_alloc(&base->arena, joints, sizeof *o->joints);
    if (!o->bodies || !o->joints) {
        return false;
    }
    memcpy(o->bodies, bodies, count * sizeof *bodies);
    add_drivers(o);
    for (int i = 0; i < model->joint_count; i++) {
        make_joint(o, i);
    }
    if (model->joint_count > 0) {
        dWorldSetERP(world, 0);
    }
    return true;
}

// ---------------------------------------------------------------------------------------------

static cr_pose frame_of(const cri_ode_joints *o, const cr_joint *j, int end)
{
    return j->bodies[end] < 0 ? j->frames[end]
                              : cri_pose_mul(o->base->rigids[j->bodies[end]].pose, j->frames[end]);
}

// A contact without friction on the line of the rope pulls both ends along it.
static void pull(cri_ode_joints *o, int index, dJointGroupID group, double t)
{
    const cr_joint *j = &o->base->model->joints[index];
    cri_ode_joint *rope = &o->joints[index];
    cr_pose from = frame_of(o, j, 0), to = frame_of(o, j, 1);
    cr_vec3 way = cri_sub(to.position, from.position);
    double length = cri_length(way);
    rope->taut = length > 1e-6;
    if (!rope->taut) {
        return;
    }
    dBodyID ends[2];
    for (int i = 0; i < 2; i++) {
        ends[i] = j->bodies[i] < 0 ? NULL : o->bodies[j->bodies[i]];
    }
    cr_vec3 normal = cri_scale((ends[1] ? -1 : 1) / length, way), at = to.position;
    dContact c = {.surface = {.mode = dContactMotionN, .motionN = -(j->length - length) / t}};
    c.geom.pos[0] = at.x, c.geom.pos[1] = at.y, c.geom.pos[2] = at.z;
    c.geom.normal[0] = normal.x, c.geom.normal[1] = normal.y, c.geom.normal[2] = normal.z;
    dJointID joint = dJointCreateContact(o->world, group, &c);
    dJointAttach(joint, ends[1] ? ends[1] : ends[0], ends[1] ? ends[0] : NULL);
    dJointSetFeedback(joint, &rope->rope_feedback);
}

static void drive(const cri_ode_joints *o, int index)
{
    const cr_joint *j = &o->base->model->joints[index];
    const cri_ode_joint *made = &o->joints[index];
    const cr_joint_numbers *n = cri_joints_numbers(o->base, index);
    bool motor = n->motor_force > 0;
    if (j->kind == CR_JOINT_HINGE || j->kind == CR_JOINT_SLIDER) {
        set_param(made, j->kind, dParamVel, motor ? made->sign * n->motor_speed : 0);
        set_param(made, j->kind, dParamFMax, motor ? n->motor_force : n->friction);
    }
    for (int k = 0; k < 3 && made->rub; k++) {
        dJointSetAMotorParam(made->rub, dParamFMax1 + k * dParamGroup, n->friction);
    }
}

static void enable(dJointID joint, bool on)
{
    if (joint && on) {
        dJointEnable(joint);
    } else if (joint) {
        dJointDisable(joint);
    }
}

void cri_ode_joint_rest(cri_ode_joints *o, int index)
{
    enable(o->joints[index].joint, false);
    enable(o->joints[index].rub, false);
}

void cri_ode_joint_ready(cri_ode_joints *o, int index, dJointGroupID group, double t)
{
    enable(o->joints[index].joint, true);
    enable(o->joints[index].rub, true);
    if (o->base->model->joints[index].kind == CR_JOINT_ROPE) {
        pull(o, index, group, t);
    } else {
        drive(o, index);
    }
}

static cr_vec3 from_ode(const dReal *v)
{
    return cri_vec3(v[0], v[1], v[2]);
}

void cri_ode_joint_feel(cri_ode_joints *o, int index, double t)
{
    const cr_joint *j = &o->base->model->joints[index];
    const cri_ode_joint *made = &o->joints[index];
    const dJointFeedback *felt = made->joint ? &made->feedback : &made->rope_feedback;
    if (!cri_joints_hold(o->base, index) || (!made->joint && !made->taut)) {
        return;
    }
    int end = j->bodies[1] >= 0 && o->bodies[j->bodies[1]] ? 1 : 0;
    cr_vec3 force = from_ode(felt->f1), torque = from_ode(felt->t1);
    cr_vec3 at = frame_of(o, j, end).position;
    cr_vec3 lever = cri_sub(at, o->base->rigids[j->bodies[end]].pose.position);
    torque = cri_sub(torque, cri_cross(lever, force));
    cr_vec3 axis = cri_rotate(frame_of(o, j, 0).rotation, cri_vec3(0, 0, 1));
    if (j->kind == CR_JOINT_HINGE) { // motors and stops work along what is free
        torque = cri_mad(torque, -cri_dot(torque, axis), axis);
    } else if (j->kind == CR_JOINT_SLIDER) {
        force = cri_mad(force, -cri_dot(force, axis), axis);
    }
    cri_joints_feel(o->base, index, cri_scale(t, force), cri_scale(t, torque));
}
