#include "bare_ode.h"

#include <ode/ode.h>
#include <stdlib.h>

#include "base/vec.h"

struct bare_ode {
    const cr_model *model;
    bool quick;
    dWorldID world;
    dSpaceID space;
    dJointGroupID joints;
    dBodyID bodies[64]; // by slot
    bool upright[64];
};

static dGeomID make_geom(bare_ode *b, const cr_shape *s)
{
    switch (s->kind) {
    case CR_SHAPE_PLANE:
        return dCreatePlane(b->space, 0, 0, 1, 0);
    case CR_SHAPE_SPHERE:
        return dCreateSphere(b->space, s->radius);
    case CR_SHAPE_BOX:
        return dCreateBox(b->space, 2 * s->half.x, 2 * s->half.y, 2 * s->half.z);
    case CR_SHAPE_CYLINDER:
        return dCreateCylinder(b->space, s->radius, 2 * s->half.z);
    case CR_SHAPE_PRISM:
        return dCreateCylinder(b->space, 0.09, 2 * s->half.z);
    }
    return NULL;
}

static void make_body(bare_ode *b, const cr_body *body, dGeomID geom)
{
    dBodyID made = b->bodies[body->slot] = dBodyCreate(b->world);
    dMass mass;
    double x = body->inertia.x, y = body->inertia.y, z = body->inertia.z;
    if (body->upright) {
        x = y = 1e6 * z;
        dBodySetGravityMode(made, 0);
    }
    dMassSetParameters(&mass, body->mass, 0, 0, 0, x, y, z, 0, 0, 0);
    dBodySetMass(made, &mass);
    dBodySetLinearDamping(made, body->linear_damping * b->model->dt / b->model->substeps);
    dBodySetAngularDamping(made, body->angular_damping * b->model->dt / b->model->substeps);
    dGeomSetBody(geom, made);
    b->upright[body->slot] = body->upright;
}

bare_ode *bare_create(const cr_model *model, bool quick)
{
    bare_ode *b = calloc(1, sizeof *b);
    if (!b || model->moving_count > 64) {
        abort();
    }
    dInitODE2(0);
    dAllocateODEDataForThread((unsigned)dAllocateMaskAll);
    b->model = model;
    b->quick = quick;
    b->world = dWorldCreate();
    b->space = dSimpleSpaceCreate(0);
    b->joints = dJointGroupCreate(0);
    dWorldSetGravity(b->world, model->gravity.x, model->gravity.y, model->gravity.z);
    for (int i = 0; i < model->body_count; i++) {
        const cr_body *body = &model->bodies[i];
        dGeomID geom = make_geom(b, &body->parts[0].shape);
        dGeomSetData(geom, &model->bodies[i]);
        // Fixed bodies do not meet each other.
        dGeomSetCategoryBits(geom, body->slot < 0 ? 1 : 2);
        dGeomSetCollideBits(geom, body->slot < 0 ? 2 : 3);
        cr_quat q = body->pose.rotation;
        if (body->slot >= 0) {
            make_body(b, body, geom);
        } else if (body->parts[0].shape.kind != CR_SHAPE_PLANE) {
            dGeomSetPosition(geom, body->pose.position.x, body->pose.position.y,
                             body->pose.position.z);
            dGeomSetQuaternion(geom, (const dQuaternion){q.w, q.x, q.y, q.z});
        }
    }
    return b;
}

void bare_destroy(bare_ode *b)
{
    dJointGroupDestroy(b->joints);
    dSpaceDestroy(b->space);
    dWorldDestroy(b->world);
    dCloseODE();
    free(b);
}

void bare_set(bare_ode *b, const cr_body_state *states)
{
    for (int slot = 0; slot < b->model->moving_count; slot++) {
        const cr_body_state *s = &states[slot];
        dBodyID body = b->bodies[slot];
        dBodySetPosition(body, s->position.x, s->position.y, s->position.z);
        dBodySetQuaternion(
            body, (const dQuaternion){s->rotation.w, s->rotation.x, s->rotation.y, s->rotation.z});
        dBodySetLinearVel(body, s->velocity.x, s->velocity.y, s->velocity.z);
        dBodySetAngularVel(body, s->spin.x, s->spin.y, s->spin.z);
    }
}

// dNearCallback of dSpaceCollide.
static void meet(void *data, dGeomID one, dGeomID two)
{
    bare_ode *b = data;
    dBodyID first = dGeomGetBody(one), second = dGeomGetBody(two);
    const cr_body *a = dGeomGetData(one), *c = dGeomGetData(two);
    if ((!first && !second) || (a->upright && c->parts[0].shape.kind == CR_SHAPE_PLANE) ||
        (c->upright && a->parts[0].shape.kind == CR_SHAPE_PLANE)) {
        return;
    }
    const cr_meeting *how =
        &b->model->meetings[a->parts[0].material * b->model->material_count + c->parts[0].material];
    dContact contacts[4];
    int count = dCollide(one, two, 4, &contacts[0].geom, sizeof *contacts);
    for (int i = 0; i < count; i++) {
        contacts[i].surface.mode = dContactBounce | dContactApprox1;
        contacts[i].surface.mu = how->friction;
        contacts[i].surface.bounce = how->restitution;
        contacts[i].surface.bounce_vel = 0.05;
        dJointID joint = dJointCreateContact(b->world, b->joints, &contacts[i]);
        dJointAttach(joint, first, second);
    }
}

void bare_step(bare_ode *b, const cr_vec3 *forces)
{
    double h = b->model->dt / b->model->substeps;
    for (int i = 0; i < b->model->substeps; i++) {
        for (int slot = 0; slot < b->model->moving_count; slot++) {
            dBodyAddForce(b->bodies[slot], forces[slot].x, forces[slot].y, forces[slot].z);
        }
        dSpaceCollide(b->space, b, meet);
        if (b->quick) {
            dWorldQuickStep(b->world, h);
        } else {
            dWorldStep(b->world, h);
        }
        dJointGroupEmpty(b->joints);
    }
}

cr_vec3 bare_place(const bare_ode *b, int slot)
{
    const dReal *p = dBodyGetPosition(b->bodies[slot]);
    return cri_vec3(p[0], p[1], p[2]);
}
