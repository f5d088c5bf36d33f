// ODE's traps that this file steps around: it prints and aborts unless handlers are set;
// QuickStep's random generator is global to the process and is seeded before each step of the
// referee; two geoms of one body collide like any others. Those of its collision: bare_geoms.c.
#include "bare_ode.h"

#include <stdlib.h>
#include <string.h>

#include "bare_geoms.h"
#include "base/vec.h"

enum { QUICK_ITERATIONS = 20, CONE_ITERATIONS = 100 };
// ODE has up to eight points of an end of a cylinder on a box, and the first four of them lie on
// one half of it.
enum { CONE_CONTACTS = 8 };
// A substep is solved at most so often until friction lies in its cone.
enum { CONE_PASSES = 4 };
// Slower slips may be what iterations left over.
static const double SLIP_SURE = 0.02; // m/s
// Friction may be so much more than its cone allows before a substep is solved again, and slip so
// much askew (6 degrees).
static const double CONE_SLACK = 1.02, ASKEW = 0.1;
// Inertia of upright bodies about x and y against that about z.
static const double STIFFNESS = 1e6;
// Slower impacts do not bounce: a body at rest gains 0.04 m/s a substep of 1/240 s before the
// floor takes it away.
static const double BOUNCE_MIN = 0.05; // m/s
// Slower slips have no direction.
static const double SLIP_MIN = 1e-3; // m/s

// What a geom is of.
typedef struct owner {
    int body;
    const cr_part *part;
    bare_hull *hull; // prisms and hulls
    dGeomID twin;    // for bare_collide; NULL: points as dCollide has them
} owner;

// A contact point of a substep.
typedef struct touch {
    dContact contact;
    int slots[2]; // of the two; -1: fixed
    int pair;
    bool grained, aimed; // aimed: friction along the slip that the last pass left, and none across
    dJointFeedback load; // of the last pass
} touch;

// What a substep began with.
typedef struct origin {
    cr_body_state state;
    dVector3 force, torque;
} origin;

struct bare_ode {
    const cr_model *model;
    bare_def def;
    dWorldID world;
    dSpaceID space;
    dJointGroupID joints;
    dBodyID *bodies; // by slot
    owner *owners;   // by geom
    int geom_count;
    double substep;
    dJointID *held; // by joint; NULL: a rope
    dJointFeedback *loads;
    bool *broken;
    touch *touches; // of the present substep
    int touch_count, touch_max;

    // Only the referee has these.
    const uint64_t *mask;
    cr_contact *contacts; // by pair; NULL: not asked for
    bool *touching;       // by pair
    origin *origins;      // by slot; NULL: no cones
};

bare_def bare_default_def(void)
{
    return (bare_def){.solver = BARE_QUICK, .space = BARE_SIMPLE, .contacts = BARE_CONTACTS};
}

static void keep_silent(int number, const char *format, va_list arguments)
{
    (void)number, (void)format, (void)arguments;
}

static void *reserve(size_t count, size_t size)
{
    void *block = calloc(count + 1, size);
    if (!block) {
        abort();
    }
    return block;
}

// ---------------------------------------------------------------------------------------------
// Geoms.

// Fixed geoms meet moving ones alone.
static void make_geom(bare_ode *b, int index, const cr_part *part)
{
    const cr_body *body = &b->model->bodies[index];
    owner *o = &b->owners[b->geom_count++];
    *o = (owner){.body = index, .part = part};
    cr_pose pose = body->slot < 0 ? cri_pose_mul(body->pose, part->pose) : part->pose;
    o->hull = bare_hull_create(&part->shape);
    o->twin = b->def.cones ? bare_geom_create(NULL, &part->shape, pose, o->hull) : NULL;
    dGeomID geom = bare_geom_create(b->space, &part->shape, pose, o->hull);
    dGeomSetData(geom, o);
    dGeomSetCategoryBits(geom, body->slot < 0 ? 1 : 2);
    dGeomSetCollideBits(geom, body->slot < 0 ? 2 : 3);
    const dQuaternion q = {pose.rotation.w, pose.rotation.x, pose.rotation.y, pose.rotation.z};
    if (body->slot >= 0) {
        dGeomSetBody(geom, b->bodies[body->slot]);
        dGeomSetOffsetPosition(geom, pose.position.x, pose.position.y, pose.position.z);
        dGeomSetOffsetQuaternion(geom, q);
    } else if (part->shape.kind != CR_SHAPE_PLANE) {
        dGeomSetPosition(geom, pose.position.x, pose.position.y, pose.position.z);
        dGeomSetQuaternion(geom, q);
    }
}

// ---------------------------------------------------------------------------------------------
// A world's life.

static void make_body(bare_ode *b, const cr_body *body)
{
    dBodyID made = b->bodies[body->slot] = dBodyCreate(b->world);
    dBodySetAutoDisableFlag(made, 0);
    if (body->driven) {
        dBodySetKinematic(made);
        dBodySetFiniteRotationMode(made, 1);
        return;
    }
    dMass mass;
    double x = body->inertia.x, y = body->inertia.y, z = body->inertia.z;
    if (body->upright) {
        x = y = STIFFNESS * z;
        dBodySetGravityMode(made, 0);
    }
    dMassSetParameters(&mass, body->mass, 0, 0, 0, x, y, z, 0, 0, 0);
    dBodySetMass(made, &mass);
}

static void make_bodies(bare_ode *b)
{
    int geoms = 0;
    for (int i = 0; i < b->model->body_count; i++) {
        geoms += b->model->bodies[i].part_count;
    }
    b->owners = reserve((size_t)geoms, sizeof *b->owners);
    b->bodies = reserve((size_t)b->model->moving_count, sizeof *b->bodies);
    for (int i = 0; i < b->model->body_count; i++) {
        const cr_body *body = &b->model->bodies[i];
        if (body->slot >= 0) {
            make_body(b, body);
        }
        for (int k = 0; k < body->part_count; k++) {
            make_geom(b, i, &body->parts[k]);
        }
    }
}

// ---------------------------------------------------------------------------------------------
// Joints: ODE's own, with its correction of errors and its stops.

static dBodyID end_of(const bare_ode *b, int body)
{
    int slot = body < 0 ? -1 : b->model->bodies[body].slot;
    return slot < 0 ? NULL : b->bodies[slot];
}

static cr_pose start_of(const bare_ode *b, const cr_joint *j, int end)
{
    int body = j->bodies[end];
    return body < 0 ? j->frames[end] : cri_pose_mul(b->model->bodies[body].pose, j->frames[end]);
}

// ODE measures its first body from its second.
static void attach(const bare_ode *b, const cr_joint *j, dJointID joint)
{
    dBodyID first = end_of(b, j->bodies[0]), second = end_of(b, j->bodies[1]);
    dJointAttach(joint, second ? second : first, second ? first : NULL);
}

static dJointID make_hinge(const bare_ode *b, const cr_joint *j)
{
    dJointID joint = dJointCreateHinge(b->world, 0);
    cr_pose at = start_of(b, j, 0);
    cr_vec3 axis = cri_rotate(at.rotation, cri_vec3(0, 0, end_of(b, j->bodies[1]) ? 1 : -1));
    const cr_joint_numbers *n = &j->numbers;
    attach(b, j, joint);
    dJointSetHingeAnchor(joint, at.position.x, at.position.y, at.position.z);
    dJointSetHingeAxis(joint, axis.x, axis.y, axis.z);
    if (j->limited) {
        dJointSetHingeParam(joint, dParamLoStop, j->low);
        dJointSetHingeParam(joint, dParamHiStop, j->high);
    }
    dJointSetHingeParam(joint, dParamVel, n->motor_force > 0 ? n->motor_speed : 0);
    dJointSetHingeParam(joint, dParamFMax, n->motor_force > 0 ? n->motor_force : n->friction);
    return joint;
}

static dJointID make_slider(const bare_ode *b, const cr_joint *j)
{
    dJointID joint = dJointCreateSlider(b->world, 0);
    cr_vec3 axis =
        cri_rotate(start_of(b, j, 0).rotation, cri_vec3(0, 0, end_of(b, j->bodies[1]) ? 1 : -1));
    const cr_joint_numbers *n = &j->numbers;
    attach(b, j, joint);
    dJointSetSliderAxis(joint, axis.x, axis.y, axis.z);
    if (j->limited) {
        dJointSetSliderParam(joint, dParamLoStop, j->low);
        dJointSetSliderParam(joint, dParamHiStop, j->high);
    }
    dJointSetSliderParam(joint, dParamVel, n->motor_force > 0 ? n->motor_speed : 0);
    dJointSetSliderParam(joint, dParamFMax, n->motor_force > 0 ? n->motor_force : n->friction);
    return joint;
}

static dJointID make_point(const bare_ode *b, const cr_joint *j)
{
    bool ball = j->kind == CR_JOINT_BALL;
    dJointID joint = ball ? dJointCreateBall(b->world, 0) : dJointCreateFixed(b->world, 0);
    cr_vec3 at = start_of(b, j, 0).position;
    attach(b, j, joint);
    if (ball) {
        dJointSetBallAnchor(joint, at.x, at.y, at.z);
    } else {
        dJointSetFixed(joint);
    }
    return joint;
}

static void make_joints(bare_ode *b)
{
    size_t count = (size_t)b->model->joint_count;
    b->held = reserve(count, sizeof *b->held);
    b->loads = reserve(count, sizeof *b->loads);
    b->broken = reserve(count, sizeof *b->broken);
    for (int slot = 0; slot < b->model->moving_count; slot++) { // joints are made where they start
        const cr_pose at = b->model->bodies[b->model->moving[slot]].pose;
        const cr_quat q = at.rotation;
        dBodySetPosition(b->bodies[slot], at.position.x, at.position.y, at.position.z);
        dBodySetQuaternion(b->bodies[slot], (const dQuaternion){q.w, q.x, q.y, q.z});
    }
    for (int i = 0; i < b->model->joint_count; i++) {
        const cr_joint *j = &b->model->joints[i];
        if (j->kind == CR_JOINT_ROPE) {
            continue;
        }
        b->held[i] = j->kind == CR_JOINT_HINGE    ? make_hinge(b, j)
                     : j->kind == CR_JOINT_SLIDER ? make_slider(b, j)
                                                  : make_point(b, j);
        dJointSetFeedback(b->held[i], &b->loads[i]);
    }
}

// Where a joint holds one of its bodies now.
static cr_vec3 hold_of(const bare_ode *b, const cr_joint *j, int end)
{
    dBodyID body = end_of(b, j->bodies[end]);
    if (!body) {
        return start_of(b, j, end).position;
    }
    cr_vec3 p = j->frames[end].position;
    dVector3 out;
    dBodyGetRelPointPos(body, p.x, p.y, p.z, out);
    return cri_vec3(out[0], out[1], out[2]);
}

// A rope that is too long is a contact that is too deep.
static void pull_rope(bare_ode *b, int joint)
{
    const cr_joint *j = &b->model->joints[joint];
    cr_vec3 at = hold_of(b, j, 1), way = cri_sub(at, hold_of(b, j, 0));
    double length = cri_length(way);
    if (length <= j->length) {
        return;
    }
    cr_vec3 n = cri_scale((end_of(b, j->bodies[1]) ? -1 : 1) / length, way);
    dContact c = {.geom = {.pos = {at.x, at.y, at.z},
                           .normal = {n.x, n.y, n.z},
                           .depth = length - j->length}};
    dJointID pull = dJointCreateContact(b->world, b->joints, &c);
    attach(b, j, pull);
    dJointSetFeedback(pull, &b->loads[joint]);
}

static void ready_joints(bare_ode *b)
{
    memset(b->loads, 0, (size_t)b->model->joint_count * sizeof *b->loads);
    for (int i = 0; i < b->model->joint_count; i++) {
        if (!b->held[i]) {
            if (!b->broken[i]) {
                pull_rope(b, i);
            }
        } else if (b->broken[i]) {
            dJointDisable(b->held[i]);
        } else {
            dJointEnable(b->held[i]);
        }
    }
}

static void break_joints(bare_ode *b)
{
    for (int i = 0; i < b->model->joint_count; i++) {
        const dReal *f = b->loads[i].f1;
        double force = sqrt(f[0] * f[0] + f[1] * f[1] + f[2] * f[2]);
        b->broken[i] = b->broken[i] || force > b->model->joints[i].numbers.breaking_force;
    }
}

// ---------------------------------------------------------------------------------------------

bare_ode *bare_create(const cr_model *model, const bare_def *def)
{
    bare_ode *b = reserve(1, sizeof *b);
    dInitODE2(0);
    dAllocateODEDataForThread((unsigned)dAllocateMaskAll);
    dSetMessageHandler(keep_silent);
    b->model = model;
    b->def = *def;
    b->world = dWorldCreate();
    b->space = def->space == BARE_HASH ? dHashSpaceCreate(0) : dSimpleSpaceCreate(0);
    b->joints = dJointGroupCreate(0);
    b->substep = model->dt / model->substeps;
    dWorldSetGravity(b->world, model->gravity.x, model->gravity.y, model->gravity.z);
    dWorldSetQuickStepNumIterations(b->world, def->iterations ? def->iterations : QUICK_ITERATIONS);
    make_bodies(b);
    make_joints(b);
    if (def->cones) {
        b->origins = reserve((size_t)model->moving_count, sizeof *b->origins);
    }
    return b;
}

void bare_destroy(bare_ode *b)
{
    dJointGroupDestroy(b->joints);
    for (int i = 0; i < b->geom_count; i++) {
        if (b->owners[i].twin) {
            dGeomDestroy(b->owners[i].twin);
        }
    }
    dSpaceDestroy(b->space);
    dWorldDestroy(b->world);
    dCloseODE();
    for (int i = 0; i < b->geom_count; i++) {
        free(b->owners[i].hull);
    }
    free(b->held);
    free(b->loads);
    free(b->broken);
    free(b->owners);
    free(b->bodies);
    free(b->contacts);
    free(b->touching);
    free(b->origins);
    free(b->touches);
    free(b);
}

// ---------------------------------------------------------------------------------------------
// States.

static cr_vec3 from_ode(const dReal *v)
{
    return cri_vec3(v[0], v[1], v[2]);
}

static void set_body(dBodyID body, const cr_body_state *s)
{
    dBodySetPosition(body, s->position.x, s->position.y, s->position.z);
    dBodySetQuaternion(
        body, (const dQuaternion){s->rotation.w, s->rotation.x, s->rotation.y, s->rotation.z});
    dBodySetLinearVel(body, s->velocity.x, s->velocity.y, s->velocity.z);
    dBodySetAngularVel(body, s->spin.x, s->spin.y, s->spin.z);
}

static cr_body_state get_body(dBodyID body)
{
    const dReal *q = dBodyGetQuaternion(body);
    return (cr_body_state){from_ode(dBodyGetPosition(body)),
                           {q[1], q[2], q[3], q[0]},
                           from_ode(dBodyGetLinearVel(body)),
                           from_ode(dBodyGetAngularVel(body))};
}

void bare_set(bare_ode *b, const cr_body_state *states)
{
    for (int slot = 0; slot < b->model->moving_count; slot++) {
        set_body(b->bodies[slot], &states[slot]);
    }
}

void bare_get(const bare_ode *b, cr_body_state *states)
{
    for (int slot = 0; slot < b->model->moving_count; slot++) {
        states[slot] = get_body(b->bodies[slot]);
    }
}

// ---------------------------------------------------------------------------------------------
// Contacts.

static cr_vec3 velocity_at(dBodyID body, const dReal *point)
{
    dVector3 v = {0, 0, 0};
    if (body) {
        dBodyGetPointVel(body, point[0], point[1], point[2], v);
    }
    return from_ode(v);
}

static void to_ode(cr_vec3 v, dReal *out)
{
    out[0] = v.x, out[1] = v.y, out[2] = v.z, out[3] = 0;
}

static cr_vec3 level_with(cr_vec3 normal, cr_vec3 v)
{
    return cri_mad(v, -cri_dot(v, normal), normal);
}

// How the middle of one body goes past that of the other.
static cr_vec3 pass_by(dBodyID first, dBodyID second)
{
    cr_vec3 v = first ? from_ode(dBodyGetLinearVel(first)) : cri_vec3(0, 0, 0);
    return second ? cri_sub(v, from_ode(dBodyGetLinearVel(second))) : v;
}

// The first friction direction along the slip: ODE's pyramid is then a cone where things slide.
// What does not slide may roll; the pyramid of rolling resistance lies along that.
static void aim_friction(dContact *c, dBodyID first, dBodyID second)
{
    cr_vec3 normal = from_ode(c->geom.normal);
    cr_vec3 slip = cri_sub(velocity_at(first, c->geom.pos), velocity_at(second, c->geom.pos));
    cr_vec3 along = level_with(normal, slip);
    if (cri_length(along) < SLIP_MIN) {
        along = level_with(normal, pass_by(first, second));
    }
    if (cri_length(along) > 1e-9) {
        to_ode(cri_unit(along, along), c->fdir1);
        c->surface.mode |= dContactFDir1;
    }
}

// Along the grain of a part's material, in the world; zero where it has none.
static cr_vec3 grain_of(const bare_ode *b, dGeomID geom)
{
    const owner *o = dGeomGetData(geom);
    cr_vec3 grain = b->model->materials[o->part->material].grain;
    if (cri_dot(grain, grain) == 0) {
        return grain;
    }
    dQuaternion q;
    dGeomGetQuaternion(geom, q);
    return cri_rotate((cr_quat){q[1], q[2], q[3], q[0]}, grain);
}

// Where a surface has a grain, that lays the friction directions. Returns whether it has one.
static bool follow_grain(const bare_ode *b, dContact *c, const cr_meeting *how)
{
    cr_vec3 grain = grain_of(b, c->geom.g1), normal = from_ode(c->geom.normal);
    if (cri_dot(grain, grain) == 0) {
        grain = grain_of(b, c->geom.g2);
    }
    grain = level_with(normal, grain);
    bool grained = cri_length(grain) > 1e-3;
    if (grained) {
        to_ode(cri_unit(grain, grain), c->fdir1);
        c->surface.mode |= dContactFDir1 | dContactMu2;
        c->surface.mu = how->along;
        c->surface.mu2 = how->friction;
    }
    return grained;
}

// Balls, bodies of one sphere, also roll and spin against a resistance.
static double ball_radius(const bare_ode *b, const owner *o)
{
    bool ball = b->model->bodies[o->body].part_count == 1 && o->part->shape.kind == CR_SHAPE_SPHERE;
    return ball ? o->part->shape.radius : 0;
}

static void set_surface(const bare_ode *b, touch *t, const owner *one, const owner *two)
{
    dContact *c = &t->contact;
    const cr_meeting *how =
        &b->model->meetings[one->part->material * b->model->material_count + two->part->material];
    double radius = fmax(ball_radius(b, one), ball_radius(b, two));
    c->surface.mode = dContactBounce | dContactApprox1;
    c->surface.mu = how->friction;
    c->surface.bounce = how->restitution;
    c->surface.bounce_vel = BOUNCE_MIN;
    if (radius > 0 && (how->rolling > 0 || how->spinning > 0)) {
        c->surface.mode |= dContactRolling;
        // ODE's is a torque; that on a ball which rolls, of inertia 2/5 m r^2, slows it by
        // 5/7 rho g / r.
        c->surface.rho = c->surface.rho2 = 1.4 * how->rolling * radius;
        c->surface.rhoN = how->spinning * radius;
    }
    aim_friction(c, dGeomGetBody(c->geom.g1), dGeomGetBody(c->geom.g2));
    t->grained = follow_grain(b, c, how);
}

static touch *add_touch(bare_ode *b)
{
    if (b->touch_count == b->touch_max) {
        b->touch_max = 2 * b->touch_max + 64;
        b->touches = realloc(b->touches, (size_t)b->touch_max * sizeof *b->touches);
        if (!b->touches) {
            abort();
        }
    }
    return &b->touches[b->touch_count++];
}

static void report_point(bare_ode *b, const dContact *c, int pair, const owner *one)
{
    cri_pair of = cri_pair_at(b->model, pair);
    bool turned = one->body != of.a;
    if (!b->touching[pair]) {
        b->touching[pair] = true;
        b->contacts[pair] =
            (cr_contact){.a = of.a,
                         .b = of.b,
                         .point = from_ode(c->geom.pos),
                         // ODE's points into the first body.
                         .normal = cri_scale(turned ? 1 : -1, from_ode(c->geom.normal))};
    }
}

// True if the two do not meet: fixed, one body, kept apart by the scene, or upright on a plane.
static bool passes(const bare_ode *b, const owner *one, const owner *two, int pair)
{
    const cr_body *a = &b->model->bodies[one->body], *c = &b->model->bodies[two->body];
    return pair < 0 || (b->mask && !(b->mask[pair / 64] >> pair % 64 & 1)) ||
           (a->upright && two->part->shape.kind == CR_SHAPE_PLANE) ||
           (c->upright && one->part->shape.kind == CR_SHAPE_PLANE);
}

// dNearCallback of dSpaceCollide.
static void meet(void *data, dGeomID first, dGeomID second)
{
    bare_ode *b = data;
    const owner *one = dGeomGetData(first), *two = dGeomGetData(second);
    int pair = cr_model_pair(b->model, one->body, two->body);
    if (passes(b, one, two, pair)) {
        return;
    }
    dContact contacts[BARE_CONTACTS_MAX];
    dContactGeom *points = &contacts[0].geom;
    int max = b->def.contacts, stride = sizeof *contacts;
    int count = two->twin ? bare_collide(first, second, two->twin, max, points, stride)
                          : dCollide(first, second, max, points, stride);
    for (int i = 0; i < count; i++) {
        if (b->contacts) {
            report_point(b, &contacts[i], pair, one);
        }
        if (cri_pair_at(b->model, pair).responds) {
            touch *t = add_touch(b);
            *t = (touch){
                .contact = contacts[i],
                .slots = {b->model->bodies[one->body].slot, b->model->bodies[two->body].slot},
                .pair = pair};
            set_surface(b, t, one, two);
        }
    }
}

static void join_touches(bare_ode *b)
{
    for (int i = 0; i < b->touch_count; i++) {
        touch *t = &b->touches[i];
        dJointID joint = dJointCreateContact(b->world, b->joints, &t->contact);
        dJointAttach(joint, dGeomGetBody(t->contact.geom.g1), dGeomGetBody(t->contact.geom.g2));
        if (b->contacts || b->origins) {
            dJointSetFeedback(joint, &t->load);
        }
    }
}

// ---------------------------------------------------------------------------------------------
// Cones. ODE bounds friction along each of two axes. Coulomb's law is met where the first lies
// along the slip that is left in the end; in an impact on a body at rest nobody knows that slip
// before. So the substep is solved, and where friction came out beyond its cone it is solved again
// from its start with the axis along the slip that was left, and no friction across it.

static void note_origins(bare_ode *b)
{
    for (int slot = 0; slot < b->model->moving_count; slot++) {
        dBodyID body = b->bodies[slot];
        origin *o = &b->origins[slot];
        o->state = get_body(body);
        memcpy(o->force, dBodyGetForce(body), sizeof o->force);
        memcpy(o->torque, dBodyGetTorque(body), sizeof o->torque);
    }
}

static void go_back(bare_ode *b)
{
    for (int slot = 0; slot < b->model->moving_count; slot++) {
        dBodyID body = b->bodies[slot];
        const origin *o = &b->origins[slot];
        set_body(body, &o->state);
        dBodySetForce(body, o->force[0], o->force[1], o->force[2]);
        dBodySetTorque(body, o->torque[0], o->torque[1], o->torque[2]);
    }
}

// As the solver left it, where the body was.
static cr_vec3 solved_velocity(const bare_ode *b, int slot, cr_vec3 point)
{
    if (slot < 0) {
        return cri_vec3(0, 0, 0);
    }
    cr_vec3 lever = cri_sub(point, b->origins[slot].state.position);
    cr_vec3 spin = from_ode(dBodyGetAngularVel(b->bodies[slot]));
    return cri_add(from_ode(dBodyGetLinearVel(b->bodies[slot])), cri_cross(spin, lever));
}

// Friction along one direction alone, or along both axes again.
static void aim(touch *t, cr_vec3 along)
{
    dContact *c = &t->contact;
    t->aimed = cri_length(along) > 0;
    c->surface.mode |= dContactMu2;
    c->surface.mu2 = t->aimed ? 0 : c->surface.mu;
    if (t->aimed) {
        c->surface.mode |= dContactFDir1;
        to_ode(cri_unit(along, along), c->fdir1);
    }
}

// Returns whether the point has to be solved again.
static bool aim_again(const bare_ode *b, touch *t)
{
    const dContact *c = &t->contact;
    cr_vec3 normal = from_ode(c->geom.normal), at = from_ode(c->geom.pos);
    cr_vec3 slip = level_with(
        normal, cri_sub(solved_velocity(b, t->slots[0], at), solved_velocity(b, t->slots[1], at)));
    cr_vec3 push = from_ode(t->load.f1), rub = level_with(normal, push);
    double speed = cri_length(slip), across = cri_length(cri_cross(slip, from_ode(c->fdir1)));
    bool slips = speed > SLIP_SURE, askew = t->aimed && slips && across > ASKEW * speed;
    bool beyond = cri_length(rub) > CONE_SLACK * c->surface.mu * fabs(cri_dot(push, normal));
    if (t->grained || !(askew || beyond)) {
        if (t->aimed && !slips) {
            aim(t, cri_vec3(0, 0, 0));
        }
        return false;
    }
    aim(t, slips ? slip : rub);
    return true;
}

static bool is_in_cones(const bare_ode *b)
{
    bool all = true;
    for (int i = 0; i < b->touch_count; i++) {
        all = !aim_again(b, &b->touches[i]) && all;
    }
    return all;
}

// ---------------------------------------------------------------------------------------------
// Steps.

// Impulses act at the start of a step; driven bodies take their velocity.
static void begin_step(bare_ode *b, const cr_action *actions)
{
    for (int slot = 0; slot < b->model->moving_count; slot++) {
        const cr_action *a = &actions[slot];
        dBodyID body = b->bodies[slot];
        if (b->model->bodies[b->model->moving[slot]].driven) {
            dBodySetLinearVel(body, a->velocity.x, a->velocity.y, a->velocity.z);
            dBodySetAngularVel(body, a->spin.x, a->spin.y, a->spin.z);
            dBodySetFiniteRotationAxis(body, a->spin.x, a->spin.y, a->spin.z);
            continue;
        }
        double k = 1 / b->substep; // a force over the first substep is an impulse
        dBodyAddForce(body, k * a->impulse.x, k * a->impulse.y, k * a->impulse.z);
        dBodyAddTorque(body, k * a->twist.x, k * a->twist.y, k * a->twist.z);
    }
}

static void push(bare_ode *b, const cr_action *actions)
{
    for (int slot = 0; slot < b->model->moving_count; slot++) {
        const cr_action *a = &actions[slot];
        if (!b->model->bodies[b->model->moving[slot]].driven) {
            dBodyAddForce(b->bodies[slot], a->force.x, a->force.y, a->force.z);
            dBodyAddTorque(b->bodies[slot], a->torque.x, a->torque.y, a->torque.z);
        }
    }
}

// However large the inertia, contacts tilt an upright body by next to nothing, which adds up; and
// our engine takes a robot that tilts at all for one that is falling over.
static void stand_up(dBodyID moved)
{
    const dReal *q = dBodyGetQuaternion(moved); // w, x, y, z
    dQuaternion level = {q[0], 0, 0, q[3]};
    dBodySetQuaternion(moved, level);
}

// Damping; and what an upright body cannot do is undone: it keeps its height, and turns about z.
static void end_substep(bare_ode *b)
{
    for (int slot = 0; slot < b->model->moving_count; slot++) {
        const cr_body *body = &b->model->bodies[b->model->moving[slot]];
        dBodyID moved = b->bodies[slot];
        bool damped = body->linear_damping > 0 || body->angular_damping > 0;
        if (body->driven || !(damped || body->upright)) {
            continue;
        }
        double slow = exp(-body->linear_damping * b->substep);
        double calm = exp(-body->angular_damping * b->substep);
        const dReal *v = dBodyGetLinearVel(moved), *s = dBodyGetAngularVel(moved);
        double level = body->upright ? 0 : 1;
        if (body->upright) {
            const dReal *p = dBodyGetPosition(moved);
            dBodySetPosition(moved, p[0], p[1], p[2] - b->substep * v[2]);
            stand_up(moved);
        }
        dBodySetLinearVel(moved, slow * v[0], slow * v[1], level * slow * v[2]);
        dBodySetAngularVel(moved, level * calm * s[0], level * calm * s[1], calm * s[2]);
    }
}

// Add what the joints of a substep carried to the contacts of the step.
static void collect_impulses(bare_ode *b)
{
    for (int i = 0; i < b->touch_count && b->contacts; i++) {
        const touch *t = &b->touches[i];
        cr_contact *c = &b->contacts[t->pair];
        c->impulse += fabs(cri_dot(from_ode(t->load.f1), c->normal)) * b->substep;
    }
}

static void solve(bare_ode *b)
{
    ready_joints(b);
    join_touches(b);
    if (b->def.solver == BARE_QUICK) {
        dWorldQuickStep(b->world, b->substep);
    } else {
        dWorldStep(b->world, b->substep);
    }
}

static void solve_cones(bare_ode *b)
{
    note_origins(b);
    solve(b);
    for (int pass = 1; pass < CONE_PASSES && !is_in_cones(b); pass++) {
        go_back(b);
        dJointGroupEmpty(b->joints);
        solve(b);
    }
}

static void substep(bare_ode *b, const cr_action *actions)
{
    push(b, actions);
    b->touch_count = 0;
    dSpaceCollide(b->space, b, meet);
    if (b->origins) {
        solve_cones(b);
    } else {
        solve(b);
    }
    collect_impulses(b);
    break_joints(b);
    dJointGroupEmpty(b->joints);
    end_substep(b);
}

void bare_step(bare_ode *b, const cr_action *actions)
{
    begin_step(b, actions);
    for (int i = 0; i < b->model->substeps; i++) {
        substep(b, actions);
    }
}

// ---------------------------------------------------------------------------------------------
// The referee.

static cr_status create_referee(const cr_model *model, const bare_def *def, void **world)
{
    bare_ode *b = bare_create(model, def);
    b->contacts = reserve((size_t)model->pair_count, sizeof *b->contacts);
    b->touching = reserve((size_t)model->pair_count, sizeof *b->touching);
    *world = b;
    return CR_OK;
}

static cr_status create_cones(const cr_model *model, void **world, cr_report *report)
{
    (void)report;
    bare_def def = bare_default_def();
    def.cones = true;
    def.contacts = CONE_CONTACTS;
    def.iterations = CONE_ITERATIONS;
    return create_referee(model, &def, world);
}

static cr_status create_quick(const cr_model *model, void **world, cr_report *report)
{
    (void)report;
    bare_def def = bare_default_def();
    return create_referee(model, &def, world);
}

static cr_status create_step(const cr_model *model, void **world, cr_report *report)
{
    (void)report;
    bare_def def = bare_default_def();
    def.solver = BARE_STEP;
    return create_referee(model, &def, world);
}

static void destroy_referee(void *world)
{
    if (world) {
        bare_destroy(world);
    }
}

static void set_touched(const bare_ode *b, cr_state *state)
{
    uint64_t *bits = cri_touched(b->model, state);
    memset(bits, 0, ((size_t)b->model->watched_count + 63) / 64 * sizeof *bits);
    for (int i = 0; i < b->model->pair_count; i++) {
        int bit = cri_pair_at(b->model, i).watched;
        if (bit >= 0 && b->touching[i]) {
            bits[bit / 64] |= (uint64_t)1 << bit % 64;
        }
    }
}

static void write_contacts(const bare_ode *b, cr_step *step)
{
    step->contact_count = 0;
    for (int i = 0; i < b->model->pair_count; i++) {
        if (b->touching[i] && step->contacts) {
            step->contacts[step->contact_count] = b->contacts[i];
        }
        step->contact_count += b->touching[i];
    }
}

static bool is_finite(const bare_ode *b, const cr_body_state *states)
{
    for (int slot = 0; slot < b->model->moving_count; slot++) {
        const cr_body_state *s = &states[slot];
        if (!cri_finite3(s->position) || !cri_finite3(s->velocity) || !cri_finite3(s->spin)) {
            return false;
        }
    }
    return true;
}

static void step_referee(void *world, cr_step *steps, int count)
{
    bare_ode *b = world;
    for (int i = 0; i < count; i++) {
        cr_step *step = &steps[i];
        if (step->to != step->from) {
            cr_state_copy(b->model, step->to, step->from);
        }
        cr_body_state *states = cri_bodies(b->model, step->to);
        memset(b->touching, 0, (size_t)b->model->pair_count * sizeof *b->touching);
        b->mask = step->mask;
        bare_set(b, states);
        cr_joint_state *joints = cri_joint_states(b->model, step->to);
        for (int k = 0; k < b->model->joint_count; k++) {
            b->broken[k] = joints[k].broken;
        }
        dRandSetSeed(1);
        bare_step(b, step->actions);
        bare_get(b, states);
        for (int k = 0; k < b->model->joint_count; k++) {
            joints[k].broken = b->broken[k];
        }
        step->alive = is_finite(b, states);
        step->to->step++;
        set_touched(b, step->to);
        write_contacts(b, step);
    }
}

const cr_engine_type bare_engine_cones = {.name = "referee",
                                          .about = "bare ODE, QuickStep, friction cones",
                                          .lanes = 1,
                                          .takes_joints = true,
                                          .create = create_cones,
                                          .destroy = destroy_referee,
                                          .step = step_referee};
const cr_engine_type bare_engine_quick = {.name = "referee, QuickStep",
                                          .about = "bare ODE, QuickStep",
                                          .lanes = 1,
                                          .takes_joints = true,
                                          .create = create_quick,
                                          .destroy = destroy_referee,
                                          .step = step_referee};
const cr_engine_type bare_engine_step = {.name = "referee, Step",
                                         .about = "bare ODE, dWorldStep",
                                         .lanes = 1,
                                         .takes_joints = true,
                                         .create = create_step,
                                         .destroy = destroy_referee,
                                         .step = step_referee};
