// The ODE engine: contact points are solved by the Open Dynamics Engine.
//
// ODE is used for one thing, the linear complementarity problem of the contact points. Collision
// detection, forces, damping and movement are ours (world.h), because ODE's own would break
// purity: all poses and velocities are written before each solve, and nothing is read but the
// velocities and the impulses. Bodies that cannot be pushed are not in ODE's world: a point on one
// is a contact with the environment whose surface moves. What a point asks for is the target speed
// `motionN`; ODE's bounce, penetration and damping terms stay unused.
//
// Friction is a cone: the first friction direction lies along the slip, and its limit is the
// coefficient times the normal force.
//
// ODE keeps process-wide state: its initialisation and QuickStep's random generator. Both are
// guarded by one mutex, the only mutable globals of the library.
#include "engine/engine.h"

#include <ode/ode.h>
#include <pthread.h>
#include <stdarg.h>
#include <stdlib.h>

#include "base/report.h"
#include "engine/ode_joints.h"
#include "engine/world.h"

// dWorldStep is exact but takes time with the cube of the points that hang together (an island);
// islands with more points than this go to QuickStep, which iterates.
enum { EXACT_POINTS_MAX = 48, QUICK_ROUNDS = 40 };
// Softness of a point against its bodies' inverse masses. Four points under a box are one too many
// to be determined; this decides how they share, and costs 1e-7 of an impulse.
static const double SOFTNESS = 1e-7;
// Points of a body at rest all ask for the same, and dWorldStep's pivoting stops at such ties ("LCP
// internal error"; a stack of boxes falls through itself). Targets that differ by this much have
// none.
static const double TIE_BREAK = 1e-9; // m/s
// A solve failed if a point closes faster than it may by this much. QuickStep then tries again.
static const double MISS_MAX = 1e-3; // m/s
// Inertia of upright bodies about x and y against that about z: the solver may not tilt them.
static const double STIFFNESS = 1e6;

typedef struct ode_world {
    cri_world base;
    dThreadingImplementationID threading;
    dWorldID world;
    dJointGroupID joints;
    dBodyID *bodies;          // by body; NULL where it cannot be pushed
    dJointFeedback *feedback; // by point
    int *islands;             // by body: another body of its island, or itself at the root
    int *island_points;       // by root
    cri_ode_joints held;      // what joints hold
} ode_world;

typedef enum method { EXACT, QUICK } method;

// ---------------------------------------------------------------------------------------------
// The library's life.

// The one mutable global of the library. ODE is a library of globals: this guards its start, its
// end and QuickStep.
static struct {
    pthread_mutex_t mutex;
    int users; // worlds; ODE is closed with the last
} ode_lock = {PTHREAD_MUTEX_INITIALIZER, 0};

static void keep_silent(int number, const char *format, va_list arguments)
{
    (void)number, (void)format, (void)arguments;
}

static bool enter_ode(void)
{
    pthread_mutex_lock(&ode_lock.mutex);
    bool ready = ode_lock.users > 0 || dInitODE2(0);
    if (ready && ode_lock.users++ == 0) {
        dSetMessageHandler(keep_silent);
        dSetErrorHandler(keep_silent);
        dSetDebugHandler(keep_silent);
    }
    pthread_mutex_unlock(&ode_lock.mutex);
    return ready;
}

// Every thread that steps a world needs data of its own; a second call is cheap.
static void enter_thread(void)
{
    dAllocateODEDataForThread((unsigned)dAllocateMaskAll);
}

static void leave_ode(void)
{
    pthread_mutex_lock(&ode_lock.mutex);
    if (--ode_lock.users == 0) {
        dCloseODE();
    }
    pthread_mutex_unlock(&ode_lock.mutex);
}

// ---------------------------------------------------------------------------------------------
// A world's life.

static void free_ode(ode_world *w)
{
    if (w->joints) {
        dJointGroupDestroy(w->joints);
    }
    if (w->world) {
        dWorldDestroy(w->world);
    }
    if (w->threading) {
        dThreadingFreeImplementation(w->threading);
    }
}

static void ode_destroy(void *world)
{
    ode_world *w = world;
    if (w) {
        enter_thread();
        free_ode(w);
        cri_world_free(&w->base);
        free(w);
        leave_ode();
    }
}

static void set_mass(ode_world *w, int index, const cr_body_numbers *numbers)
{
    dMass mass;
    double x = numbers->inertia.x, y = numbers->inertia.y, z = numbers->inertia.z;
    if (w->base.model->bodies[index].upright) {
        x = y = STIFFNESS * z;
    }
    dMassSetParameters(&mass, numbers->mass, 0, 0, 0, x, y, z, 0, 0, 0);
    dBodySetMass(w->bodies[index], &mass);
}

static void make_body(ode_world *w, int index)
{
    dBodyID b = dBodyCreate(w->world);
    dBodySetGravityMode(b, 0);
    dBodySetGyroscopicMode(b, 0);
    dBodySetAutoDisableFlag(b, 0);
    w->bodies[index] = b;
    set_mass(w, index, &w->base.rigids[index].numbers);
}

static bool make_ode(ode_world *w)
{
    const cr_model *model = w->base.model;
    w->bodies = cri_arena_alloc(&w->base.arena, (size_t)model->body_count, sizeof *w->bodies);
    w->feedback = cri_arena_alloc(&w->base.arena, (size_t)w->base.point_max, sizeof *w->feedback);
    w->islands = cri_arena_alloc(&w->base.arena, (size_t)model->body_count, sizeof(int));
    w->island_points = cri_arena_alloc(&w->base.arena, (size_t)model->body_count, sizeof(int));
    w->threading = dThreadingAllocateSelfThreadedImplementation();
    w->world = dWorldCreate();
    w->joints = dJointGroupCreate(0);
    if (!w->bodies || !w->feedback || !w->islands || !w->island_points || !w->threading ||
        !w->world || !w->joints) {
        return false;
    }
    dWorldSetStepThreadingImplementation(
        w->world, dThreadingImplementationGetFunctions(w->threading), w->threading);
    dWorldSetQuickStepNumIterations(w->world, QUICK_ROUNDS);
    for (int i = 0; i < model->body_count; i++) {
        if (w->base.rigids[i].pushed) {
            make_body(w, i);
        }
    }
    return cri_ode_joints_make(&w->held, &w->base, w->world, w->bodies);
}

static bool solve(cri_world *base, double t);

static cr_status ode_create(const cr_model *model, void **world, cr_report *report)
{
    *world = NULL;
    ode_world *w = calloc(1, sizeof *w);
    if (!w || !enter_ode()) {
        free(w);
        return cri_fail_memory(report);
    }
    enter_thread();
    cr_status status = cri_world_init(&w->base, model, report);
    if (status == CR_OK && !make_ode(w)) {
        status = cri_fail_memory(report);
    }
    if (status != CR_OK) {
        ode_destroy(w);
        return status;
    }
    w->base.solve = solve;
    *world = w;
    return CR_OK;
}

// ---------------------------------------------------------------------------------------------
// Solving.

static int root_of(ode_world *w, int body)
{
    while (w->islands[body] != body) {
        body = w->islands[body] = w->islands[w->islands[body]];
    }
    return body;
}

// A body of the point that can be pushed.
static int pushed_body(const ode_world *w, const cri_point *p)
{
    return w->bodies[p->a] ? p->a : p->b;
}

// A body of the joint that can be pushed, or -1: it is broken.
static int held_body(const ode_world *w, int joint)
{
    const int *bodies = w->base.model->joints[joint].bodies;
    int body = bodies[0] >= 0 && w->bodies[bodies[0]] ? bodies[0] : bodies[1];
    return cri_joints_hold(&w->base, joint) ? body : -1;
}

// A joint counts as two points: it has up to six rows, and they have three.
static void join_held(ode_world *w)
{
    for (int i = 0; i < w->base.model->joint_count; i++) {
        const int *bodies = w->base.model->joints[i].bodies;
        if (held_body(w, i) >= 0 && bodies[0] >= 0 && bodies[1] >= 0 && w->bodies[bodies[0]] &&
            w->bodies[bodies[1]]) {
            w->islands[root_of(w, bodies[1])] = root_of(w, bodies[0]);
        }
    }
}

// Join bodies that push each other; what cannot be pushed joins nothing.
static void find_islands(ode_world *w)
{
    for (int i = 0; i < w->base.model->body_count; i++) {
        w->islands[i] = i;
        w->island_points[i] = 0;
    }
    for (int i = 0; i < w->base.point_count; i++) {
        const cri_point *p = &w->base.points[i];
        if (!p->silent && w->bodies[p->a] && w->bodies[p->b]) {
            w->islands[root_of(w, p->b)] = root_of(w, p->a);
        }
    }
    join_held(w);
    for (int i = 0; i < w->base.model->joint_count; i++) {
        if (held_body(w, i) >= 0) {
            w->island_points[root_of(w, held_body(w, i))] += 2;
        }
    }
    for (int i = 0; i < w->base.point_count; i++) {
        const cri_point *p = &w->base.points[i];
        if (!p->silent) {
            w->island_points[root_of(w, pushed_body(w, p))]++;
        }
    }
}

// True if the island of a body is to be solved that way.
static bool is_for(ode_world *w, int body, method how)
{
    int count = w->island_points[root_of(w, body)];
    return how == (count <= EXACT_POINTS_MAX ? EXACT : QUICK);
}

// True if the point is.
static bool goes_to(ode_world *w, const cri_point *p, method how)
{
    return !p->silent && is_for(w, pushed_body(w, p), how);
}

// True if the joint is.
static bool holds_in(ode_world *w, int joint, method how)
{
    int body = held_body(w, joint);
    return body >= 0 && is_for(w, body, how);
}

static void write_body(ode_world *w, dBodyID body, int index)
{
    if (!body || dBodyIsEnabled(body)) {
        return;
    }
    const cri_rigid *r = &w->base.rigids[index];
    const cr_vec3 x = r->pose.position, v = r->next_velocity, s = r->next_spin;
    const cr_quat q = r->pose.rotation;
    dBodyEnable(body);
    dBodySetPosition(body, x.x, x.y, x.z);
    dBodySetQuaternion(body, (const dQuaternion){q.w, q.x, q.y, q.z});
    dBodySetLinearVel(body, v.x, v.y, v.z);
    dBodySetAngularVel(body, s.x, s.y, s.z);
}

// Only bodies with points or joints to be solved that way take part.
static void write_bodies(ode_world *w, method how)
{
    for (int slot = 0; slot < w->base.model->moving_count; slot++) {
        dBodyID body = w->held.bodies[w->base.model->moving[slot]];
        if (body) {
            dBodyDisable(body);
        }
    }
    for (int i = 0; i < w->base.point_count; i++) {
        const cri_point *p = &w->base.points[i];
        for (int side = 0; side < 2 && goes_to(w, p, how); side++) {
            int index = side ? p->b : p->a;
            write_body(w, w->bodies[index], index);
        }
    }
    for (int i = 0; i < w->base.model->joint_count; i++) {
        for (int side = 0; side < 2 && holds_in(w, i, how); side++) {
            int index = w->base.model->joints[i].bodies[side];
            write_body(w, index < 0 ? NULL : w->held.bodies[index], index);
        }
    }
}

static void to_ode(cr_vec3 v, dReal *out)
{
    out[0] = v.x, out[1] = v.y, out[2] = v.z, out[3] = 0;
}

static cr_vec3 from_ode(const dReal *v)
{
    return cri_vec3(v[0], v[1], v[2]);
}

static double tie_break(const ode_world *w, const cri_point *p)
{
    return w->base.point_count == 1 ? 0 : TIE_BREAK * (double)(1 + (p - w->base.points) * 7 % 11);
}

// The point as seen by its first body that can be pushed; its normal points into that body.
static void make_joint(ode_world *w, const cri_point *p, double t, dJointFeedback *feedback)
{
    bool first = w->bodies[p->a] != NULL, both = first && w->bodies[p->b];
    const cri_rigid *ra = &w->base.rigids[p->a], *rb = &w->base.rigids[p->b];
    cr_vec3 normal = first ? cri_neg(p->normal) : p->normal;
    cr_vec3 second = cri_cross(normal, p->slide);
    cr_vec3 surface = {0, 0, 0}; // of the body that cannot be pushed
    if (!both) {
        surface = cri_next_velocity_at(first ? rb : ra, p->point);
    }
    double soft = SOFTNESS * (ra->inverse_mass + rb->inverse_mass) * t;
    dContact c = {
        .surface = {.mode = dContactFDir1 | dContactApprox1_1 | dContactApprox1_2 | dContactMu2 |
                            dContactMotionN | dContactMotion1 | dContactMotion2 | dContactSoftCFM |
                            dContactSlip1 | dContactSlip2,
                    .mu = p->friction,
                    .mu2 = p->across,
                    .motionN = p->target - tie_break(w, p) + cri_dot(normal, surface),
                    .motion1 = cri_dot(p->slide, surface),
                    .motion2 = cri_dot(second, surface),
                    .soft_cfm = soft,
                    .slip1 = soft,
                    .slip2 = soft},
    };
    to_ode(p->point, c.geom.pos);
    to_ode(normal, c.geom.normal);
    to_ode(p->slide, c.fdir1);
    dJointID joint = dJointCreateContact(w->world, w->joints, &c);
    dJointAttach(joint, first ? w->bodies[p->a] : w->bodies[p->b], both ? w->bodies[p->b] : NULL);
    dJointSetFeedback(joint, feedback);
}

static bool quick_step(ode_world *w, double t)
{
    pthread_mutex_lock(&ode_lock.mutex);
    dRandSetSeed(1);
    bool done = dWorldQuickStep(w->world, t);
    pthread_mutex_unlock(&ode_lock.mutex);
    return done;
}

// As ODE has it after its step.
static cr_vec3 solved_velocity_at(const ode_world *w, int index, cr_vec3 point)
{
    const cri_rigid *r = &w->base.rigids[index];
    dBodyID body = w->bodies[index];
    if (!body) {
        return cri_next_velocity_at(r, point);
    }
    cr_vec3 lever = cri_sub(point, r->pose.position);
    return cri_add(from_ode(dBodyGetLinearVel(body)),
                   cri_cross(from_ode(dBodyGetAngularVel(body)), lever));
}

// Islands in which a point did not get what it asked for go to QuickStep. Written so that a NaN
// fails.
static void give_up_failed(ode_world *w)
{
    for (int i = 0; i < w->base.point_count; i++) {
        const cri_point *p = &w->base.points[i];
        if (!goes_to(w, p, EXACT)) {
            continue;
        }
        cr_vec3 slip =
            cri_sub(solved_velocity_at(w, p->b, p->point), solved_velocity_at(w, p->a, p->point));
        if (!(cri_dot(slip, p->normal) >= p->target - MISS_MAX)) {
            w->island_points[root_of(w, pushed_body(w, p))] = EXACT_POINTS_MAX + 1;
        }
    }
}

static void read_body(ode_world *w, int index)
{
    if (w->bodies[index]) {
        cri_rigid *r = &w->base.rigids[index];
        r->next_velocity = from_ode(dBodyGetLinearVel(w->bodies[index]));
        r->next_spin = from_ode(dBodyGetAngularVel(w->bodies[index]));
    }
}

static void read_results(ode_world *w, double t, method how)
{
    for (int i = 0; i < w->base.point_count; i++) {
        cri_point *p = &w->base.points[i];
        if (goes_to(w, p, how)) {
            double along = cri_dot(from_ode(w->feedback[i].f1), p->normal) * t;
            p->impulse = fmax(0, w->bodies[p->a] ? -along : along);
            read_body(w, p->a);
            read_body(w, p->b);
        }
    }
    for (int i = 0; i < w->base.model->joint_count; i++) {
        for (int side = 0; side < 2 && holds_in(w, i, how); side++) {
            int index = w->base.model->joints[i].bodies[side];
            if (index >= 0) {
                read_body(w, index);
            }
        }
        if (holds_in(w, i, how)) {
            cri_ode_joint_feel(&w->held, i, t);
        }
    }
}

// Solve the points that go that way.
static bool run(ode_world *w, double t, method how)
{
    bool any = false;
    write_bodies(w, how);
    for (int i = 0; i < w->base.point_count; i++) {
        if (goes_to(w, &w->base.points[i], how)) {
            make_joint(w, &w->base.points[i], t, &w->feedback[i]);
            any = true;
        }
    }
    for (int i = 0; i < w->base.model->joint_count; i++) {
        if (holds_in(w, i, how)) {
            cri_ode_joint_ready(&w->held, i, w->joints, t);
            any = true;
        } else {
            cri_ode_joint_rest(&w->held, i);
        }
    }
    bool done = !any || (how == EXACT ? dWorldStep(w->world, t) : quick_step(w, t));
    dJointGroupEmpty(w->joints);
    if (any && done && how == EXACT) {
        give_up_failed(w);
    }
    if (any && done) {
        read_results(w, t, how);
    }
    return done;
}

static bool solve(cri_world *base, double t)
{
    ode_world *w = (ode_world *)(void *)base;
    if (base->joints) {
        cri_joints_prepare(base, t);
        cri_joints_swing(base, t);
    }
    find_islands(w);
    return run(w, t, EXACT) && run(w, t, QUICK);
}

// ---------------------------------------------------------------------------------------------

// The masses of a block, or of the model, for ODE's bodies.
static void set_masses(ode_world *w, const cr_numbers *numbers)
{
    const cr_model *model = w->base.model;
    for (int i = 0; i < model->body_count; i++) {
        if (w->bodies[i]) {
            cr_body_numbers own = cri_body_numbers(&model->bodies[i]);
            set_mass(w, i, numbers ? &numbers->bodies[i] : &own);
        }
    }
}

static void ode_step(void *world, cr_step *steps, int count)
{
    ode_world *w = world;
    enter_thread();
    for (int i = 0; i < count; i++) {
        if (steps[i].numbers || w->base.numbers) {
            set_masses(w, steps[i].numbers);
        }
        cri_world_step(&w->base, &steps[i]);
    }
}

const cr_engine_type cri_engine_ode = {
    .name = "ode",
    .about = "contacts solved by the Open Dynamics Engine",
    .lanes = 1,
    .takes_numbers = true,
    .takes_joints = true,
    .create = ode_create,
    .destroy = ode_destroy,
    .step = ode_step,
};
