// A world at work: what every engine does alike, so that engines differ in one function only, the
// solver.
//
//     step     load the state, apply impulses, run the substeps, store
//     substep  run pieces until its time is used up; a piece ends where a ball meets something
//     piece    predict velocities by forces and damping
//              shorten the piece to the first impact of a swept ball
//              find the contact points and what each asks for
//              shorten it again to the first bounce among them
//              solve: change the predicted velocities so that the points get it   <- the engine
//              sweep again with these, shorten and solve once more if need be
//              move
//              put joints together and turn velocities along (joints/kernel.h)
//     substep  what joints cannot hold breaks
//
// Bodies without impulse in a piece move on the parabola of their forces; the others move with the
// solved velocity. Everything in here is rebuilt from the state at each step: it is scratch, not
// memory.
#ifndef CRI_WORLD_H
#define CRI_WORLD_H

#include "geom/geom.h"
#include "scene/model.h"
#include "scene/numbers.h"

// A world beyond these, along any axis, has blown up: a kilometre a second, a thousand turns of a
// small gear, a hundred kilometres.
#define CRI_SPEED_MAX 1e3 // m/s
#define CRI_SPIN_MAX  1e5 // rad/s
#define CRI_PLACE_MAX 1e5 // m

// A body at work, by body index.
typedef struct cri_rigid {
    const cr_body *body;
    bool pushed;  // forces and contacts change its velocity
    bool ball;    // one sphere about its center of mass: swept
    bool tumbles; // its inertia differs by axis
    bool met;     // an impulse reached it in this piece
    cr_pose pose;
    cr_vec3 velocity, spin;           // at the start of the piece
    cr_vec3 next_velocity, next_spin; // at its end: predicted, then solved
    cr_vec3 offset;                   // m/s: it moves with next_velocity less this
    cr_vec3 push;                     // m/s2, from gravity and the action's force
    cr_vec3 torque;                   // N m, from the action
    cr_body_numbers numbers;          // of the present step
    double inverse_mass;
    cr_vec3 inverse_inertia;  // in the body's frame; 0 about x and y for upright bodies
    double decay, spin_decay; // of damping over a whole substep
    double pace;              // no point of it moves faster in this piece
    double free;              // balls: when in this piece the next impact comes
    cr_vec3 low, high;        // a box around it
    const cr_pose *parts;     // poses of its parts, in the world
} cri_rigid;

// A contact point and what is asked of it.
typedef struct cri_point {
    int pair, a, b;
    cr_vec3 point, normal; // from a to b
    double gap;            // negative: overlap
    const cr_meeting *meeting;
    bool silent;     // reported only
    cr_vec3 grain;   // direction with a friction of its own; 0: none
    cr_vec3 slide;   // unit, across the normal, along the grain or else the expected slip of b on a
    double friction; // coefficient that holds now along slide
    double across;   // coefficient that holds now across slide and normal
    double target;   // m/s: the least speed of separation after the solve
    double impulse;  // out: N s along the normal
} cri_point;

// A pair that may meet.
typedef struct cri_near {
    int pair, a, b;
    bool responds;
    bool swept; // there is a ball in it
} cri_near;

typedef struct cri_joints cri_joints; // joints.c

typedef struct cri_world {
    const cr_model *model;
    const cr_numbers *numbers; // of the present step; NULL: the model's
    cr_vec3 gravity;
    const cr_meeting *meetings;
    // The engine's part: change next_velocity and next_spin of pushed bodies and set the impulse of
    // every point that is not silent, for a piece of t seconds. False if that failed.
    bool (*solve)(struct cri_world *world, double t);
    cri_arena arena;
    cri_rigid *rigids;
    cr_pose *part_poses;
    // Pairs that may meet in a piece, in order: all of them, or in a large model those that are
    // near (meet.c).
    int near_count, near_max;
    cri_near *near;
    bool any_swept;
    struct cri_world_sieve *sieve; // of a large model
    int point_count, point_max;
    cri_point *points;
    const uint64_t *mask;
    cri_joints *joints; // NULL: none
    // What the step reports.
    cr_contact *contacts; // the caller's, or
    cr_contact *unasked;
    int contact_count;
    int table_size, *contact_table; // by a hash of the pair: index into contacts, or -1
    int *contact_pair;              // by contact
    double *contact_best;           // by contact: the largest impulse of one piece
    cr_fault fault;                 // why the world is given up
    int fault_body;
} cri_world;

// Prepare a world; the engine sets `solve`. On failure the world is empty.
cr_status cri_world_init(cri_world *world, const cr_model *model, cr_report *report);
void cri_world_free(cri_world *world);

// One step of one world, as cr_engine_type.step.
void cri_world_step(cri_world *world, cr_step *step);

// Give a world up, for what is wrong with a body. Returns false.
bool cri_world_fail(cri_world *world, cr_fault fault, int body);

// List the pairs, all at once or with room for those that are near. False: no memory. (meet.c)
bool cri_near_init(cri_world *world);

// Fill points for a piece of t seconds; false if there are too many: the world is given up.
// (meet.c)
bool cri_find_points(cri_world *world, double t);

// What is asked of each point in a piece of t seconds. (meet.c)
void cri_ask_points(cri_world *world, double t);

// After a solve: rolling and spinning resistance slow the spins of balls. (roll.c)
void cri_resist_rolling(cri_world *world);

// The first time in the piece at which a ball meets something, or t. Sets `free` of balls.
// (meet.c)
double cri_first_impact(cri_world *world, double t);

// The first time in the piece at which a point with a wide gap closes and bounces, or t. (meet.c)
double cri_first_bounce(const cri_world *world, double t);

// Add the points that touch to the contacts. (record.c)
void cri_record_points(cri_world *world);

// Sort the contacts, set the touched bits. (record.c)
void cri_record_finish(cri_world *world, cr_state *to);

// The velocity of a point of a body at the start and at the end of the piece.
static inline cr_vec3 cri_velocity_at(const cri_rigid *r, cr_vec3 point)
{
    return cri_add(r->velocity, cri_cross(r->spin, cri_sub(point, r->pose.position)));
}

static inline cr_vec3 cri_next_velocity_at(const cri_rigid *r, cr_vec3 point)
{
    return cri_add(r->next_velocity, cri_cross(r->next_spin, cri_sub(point, r->pose.position)));
}

// The mean velocity of its center over the piece: forces alone make it a parabola.
static inline cr_vec3 cri_mean_velocity(const cri_rigid *r)
{
    return r->met || !r->pushed ? cri_sub(r->next_velocity, r->offset)
                                : cri_scale(0.5, cri_add(r->velocity, r->next_velocity));
}

// An angular impulse, world frame, to a change of spin.
static inline cr_vec3 cri_turn_by(const cri_rigid *r, cr_vec3 twist)
{
    cr_vec3 t = cri_unrotate(r->pose.rotation, twist);
    cr_vec3 w = {r->inverse_inertia.x * t.x, r->inverse_inertia.y * t.y,
                 r->inverse_inertia.z * t.z};
    return cri_rotate(r->pose.rotation, w);
}

#endif
