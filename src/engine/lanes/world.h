// Inside of the stepper: a batch of worlds at work. Its files, each included once a stepper:
//
//     lanes/world.h   what there is
//     lanes/solid.h   distances from balls to solids
//     lanes/free.h    free bodies: attitude, inertia, turning
//     lanes/flat.h    contact points of two solids that stand upright
//     lanes/box.h     contact points of boxes and planes in any attitude
//     lanes/round.h   those of cylinders
//     lanes/pack.h    meets of many worlds in the lanes of one look
//     lanes/hull.h    how polytopes and capsules are apart
//     lanes/land.h    their contact points
//     lanes/meet.h    contact points of balls, and sweeps
//     lanes/solve.h   what is asked of points, and impulses
//     lanes/patch.h   the same where a body is free: patches, the points of two parts
//     lanes/level.h   who rests on whom
//     lanes/visit.h   one visit of a patch
//     lanes/sweep.h   the load passed down, and rounds
//     lanes/pile.h    the whole solve
//     lanes/record.h  what a step reports
//     lanes/still.h   free bodies that stand still
//     lanes/load.h    states and actions become lanes
//     lanes/step.h    load, pieces, store
//
// The method is that of world.h, with one difference: each lane has a clock of its own. A lane
// whose piece is cut by an impact goes on with the rest of its substep while its neighbours begin
// their next one, so a batch takes as many pieces as its busiest world.
//
// A world may have numbers of its own. A stepper is compiled with OWN_NUMBERS, where each lane has
// its own masses, coefficients and gravity, or without it, where all have the model's:
//
//                      without                            with OWN_NUMBERS
//     quantity         float                              cri_lanes
//     weight_of(w, i)  in the course's movers             in w->weights, by mover
//     manner_of(w, m)  in the course's meets              in w->manners
//
// What is written with these means the same in both, operation by operation, so a lane has the bits
// of a course that was made with its numbers.
#ifndef CRI_LANES_WORLD_H
#define CRI_LANES_WORLD_H

#include <stddef.h>

#define REAL_IN_LANES
#include "base/real.h"
#include "base/vec.h"
#include "engine/contact_kernel.h"
#include "engine/lanes/stepper.h"
#include "engine/world.h"

// A moving body. The state proper is 13 floats; the rest is scratch.
typedef struct body {
    cri_lanes3 place; // start + way
    cri_lanes3 velocity, spin;
    cri_lanes rotation[4]; // x, y, z, w at the start of the step; uprights and driven: z, w now
    cri_lanes3 start, way; // since the start of the step: smaller numbers round less
    cri_lanes3 turned;     // since then, rad
    cri_lanes cos, sin;    // of the heading
    cri_lanes3 next_velocity, next_spin;
    cri_lanes3 push, twist;   // m/s2, rad/s2
    cri_lanes pace;           // no point of it moves faster in this piece
    cri_lanes free;           // balls and free bodies: s, until the next impact in this piece
    cri_lanes sure;           // free: m, what it meets on so long a way has been looked for
    cri_lanes late;           // where a body is free: the share of the piece before it is struck
    cri_mask struck;          // the same: it is struck in this piece
    cri_mask met;             // an impulse reached it in this piece
    cri_mask touched;         // where a body is free: one did in this step
    cri_mask solved, crowded; // one point to be solved is on it; more than one
    cri_lanes leash;          // how far it may go before the neighbours are listed anew
    cri_lanes gone;           // how far it went since, at most
    cri_lanes path, room;     // m: how far in this step; and until it is near to what stands still
} body;

typedef struct point {
    const cri_meet *meet;
    cri_mask near;            // the lanes that have this point
    cri_mask solve;           // of these, where it takes part in the solve
    cri_mask tied;            // of these, where it needs more than one pass
    cri_mask bounce;          // where it bounces
    cri_lanes3 place, normal; // from the first mover to the second
    cri_lanes gap;
    cri_lanes target;          // m/s, of separation
    cri_lanes impulse, change; // along the normal, and by the last visit
    cri_lanes went;            // free: m, how far its gap opened in this piece
    cri_lanes hit;             // free: s, when it is struck in this piece
    cri_lanes3 lever;          // free: from the center of the meet's (first) free body

    // Plain meets: friction is a vector across the normal.
    cri_lanes friction;       // the coefficient that holds
    cri_lanes3 drag, dragged; // impulse, and its change by the last visit
    cri_lanes3 surface;       // with a driven body: its velocity there

    // Other meets: friction is laid out along slide and across. (Plain ones have the mobility along
    // the normal and across it here, and its inverse, where lanes have numbers of their own.)
    struct body *ends[2]; // the movers; NULL: fixed
    cri_lanes3 slide, across;
    cri_lanes3 levers[2]; // from the centers of the movers
    cri_lanes mobility[3],
        yield[3];                // of normal, slide, across: speed for a unit of impulse; inverse
    cri_lanes tie[2];            // speed along slide and across for a unit along the normal
    cri_lanes grip[2];           // inverse of the coefficients that hold
    cri_lanes rub[2], rubbed[2]; // impulses, and their changes by the last visit
} point;

// A symmetric matrix.
typedef struct sym {
    cri_lanes xx, yy, zz, xy, xz, yz;
} sym;

// How a mover answers to impulses; only where the course has free bodies.
typedef struct heft {
    cri_lanes3 axes[3]; // free: its own
    cri_lanes3 mass;    // inverse, by direction: an upright is not moved along z
    sym inertia;        // inverse
} heft;

// Where a solid is, and its axes.
typedef struct stance {
    cri_lanes3 place, axes[3];
} stance;

// The distance to a solid, and the direction away from it.
typedef struct nearest {
    cri_lanes distance;
    cri_lanes3 normal;
} nearest;

// What pressed on a meet's first points in the last piece: N. A start for the next solve.
enum { PRESSURES = 2 };
typedef struct pressure {
    cri_lanes press[PRESSURES];
    cri_lanes3 drag[PRESSURES];
} pressure;

// What is known of a meet in this piece.
typedef struct sight {
    cri_mask held;  // its point takes part in the solve: no sweep
    cri_mask spans; // free: it has several points
    nearest gap;    // where it is seen
    bool seen;
    // Balls, where a body is free:
    cri_mask near;     // it has a point
    cri_lanes hit;     // s, when it meets in this piece, or its end
    cri_lanes3 normal; // there
} sight;

// What is to be reported of a pair.
typedef struct record {
    cri_mask touched;
    cri_lanes impulse, best;
    cri_lanes3 place, normal;
} record;

#ifdef OWN_NUMBERS

typedef cri_lanes quantity;

// As cri_weight, cri_manner and cri_gravity, a world a lane.
typedef struct weight {
    cri_lanes mass, inverse_mass, inertia, inverse_inertia, damping, spin_damping;
    union {
        cri_lanes cross_mobility, floor_friction;
    };
    cri_lanes unfit;
    cri_lanes inertias[3], inverse_inertias[3];
    cri_lanes spare[2];
} weight;

typedef struct manner {
    cri_lanes friction, static_friction, restitution, rolling, spinning, along;
    cri_lanes spare[2];
} manner;

typedef struct pull {
    cri_lanes3 gravity, up;
    cri_lanes spare[2];
} pull;

#else

typedef float quantity;
typedef cri_weight weight;
typedef cri_manner manner;

#endif

typedef struct batch {
    const cri_course *course;
#ifdef OWN_NUMBERS
    weight *weights; // by mover
    manner *manners; // by the course's
    pull pull;
#endif
    body *bodies;        // by mover
    sight *sights;       // by meet
    pressure *pressures; // by meet
    int *pressed;        // by meet: the piece that its pressures are of, or none that was
    int piece;
    // Meets that may come near while all bodies are on their leashes, in order.
    int *neighbours;
    int neighbour_count;
    unsigned char *is_neighbour; // by meet
    point *points;
    int point_count, point_max;
    // Where the course has free bodies:
    heft *hefts;              // by mover
    struct turning *turnings; // by mover
    stance *stances;          // by solid
    struct encounter *encounters;
    int encounter_count, encounter_next;
    struct patch *patches;
    struct grip *grips; // by point
    struct visit *visits;
    struct motion *motions; // by mover
    struct rest *rests;     // by mover
    int patch_count, visit_count;
    cri_lanes energy_max, energy_free; // J: what a solve may leave; before it
    cri_lanes energy_start;            // J: that of motion as the step began
    cri_mask passive;                  // nothing but weight acts
    cri_mask fresh; // what is solved: all, or the lanes whose piece became shorter since

    struct stand *stands; // bodies that stand still

    record *records; // by pair
    bool reports;    // contacts are asked for in some lane
    float margin;    // m: solids that are no nearer are not looked at closely
    cri_mask *open;  // by pair, or NULL: all
    int *touched;    // pairs with a record in this step
    int touched_count;
    unsigned char *is_touched; // by pair
    cri_lanes left;            // s, of the substep
    cri_lanes t;               // s, of the piece
    cri_lanes rate;            // 1/t
    cri_lanes substep, cuts;
    cri_mask run;  // the lanes whose step is not over
    cri_mask lost; // points ran out of room: the world is refused
} batch;

static inline cri_mask is_less(cri_lanes a, cri_lanes b)
{
    return cri_lanes_less(a, b);
}

static inline cri_lanes lanes_min(cri_lanes a, cri_lanes b)
{
    return cri_lanes_min(a, b);
}

static inline cri_lanes lanes_max(cri_lanes a, cri_lanes b)
{
    return cri_lanes_max(a, b);
}

// Whether some body of the course is free. Courses without one have steppers of their own, compiled
// without what only free bodies need: see the end of lanes/step.h.
static inline bool has_free(const cri_course *course)
{
#ifdef STEPPER
    return course->has_free;
#else
    (void)course;
    return false;
#endif
}

// One lane of so many rows to a lane of others.
static inline void copy_lane(void *to, int lane, const void *from, int from_lane, int rows)
{
    cri_lanes *out = to;
    const cri_lanes *in = from;
    for (int i = 0; i < rows; i++) {
        cri_lanes_set(&out[i], lane, cri_lanes_get(&in[i], from_lane));
    }
}

// ---------------------------------------------------------------------------------------------
// Numbers.

#ifdef OWN_NUMBERS

static inline cri_lanes in_lanes(quantity value)
{
    return value;
}

// Whether it is more than 0 in some lane, and then in which.
static inline bool is_some(quantity value)
{
    return cri_mask_any(is_less(cri_lanes_all(0), value));
}

static inline cri_mask where_some(quantity value)
{
    return is_less(cri_lanes_all(0), value);
}

static inline const weight *weight_of(const batch *w, int mover)
{
    return &w->weights[mover];
}

static inline const manner *manner_of(const batch *w, const cri_meet *meet)
{
    return &w->manners[meet->manner];
}

static inline cri_lanes3 gravity_of(const batch *w, int mover)
{
    return w->course->movers[mover].class >= CRI_BALL ? w->pull.gravity : cri_lanes3_zero();
}

static inline cri_lanes3 up_of(const batch *w)
{
    return w->pull.up;
}

// How heavy things are on a level floor, m/s2.
static inline cri_lanes load_of(const batch *w)
{
    return cri_lanes_max(-w->pull.gravity.z, cri_lanes_all(0));
}

#else

static inline cri_lanes in_lanes(quantity value)
{
    return cri_lanes_all(value);
}

static inline bool is_some(quantity value)
{
    return value > 0;
}

static inline cri_mask where_some(quantity value)
{
    (void)value;
    return cri_mask_all(-1);
}

static inline const weight *weight_of(const batch *w, int mover)
{
    return &w->course->movers[mover].weight;
}

static inline const manner *manner_of(const batch *w, const cri_meet *meet)
{
    (void)w;
    return &meet->own;
}

static inline cri_lanes3 gravity_of(const batch *w, int mover)
{
    const float *g = w->course->movers[mover].gravity;
    return (cri_lanes3){cri_lanes_all(g[0]), cri_lanes_all(g[1]), cri_lanes_all(g[2])};
}

static inline cri_lanes3 up_of(const batch *w)
{
    const float *up = w->course->own->pull.up;
    return (cri_lanes3){cri_lanes_all(up[0]), cri_lanes_all(up[1]), cri_lanes_all(up[2])};
}

static inline cri_lanes load_of(const batch *w)
{
    return cri_lanes_max(cri_lanes_all(-w->course->own->pull.gravity[2]), cri_lanes_all(0));
}

#endif

// ---------------------------------------------------------------------------------------------

static inline bool is_free(const batch *w, int mover)
{
    return has_free(w->course) && mover >= 0 && w->course->movers[mover].class == CRI_FREE;
}

// Two solids one of which is free.
static inline bool meets_free(const batch *w, const cri_meet *m)
{
    return has_free(w->course) && m->kind == CRI_MEET_FREE;
}

// How fast the two of a meet can close in on each other.
static inline cri_lanes both_paces(const batch *w, const cri_meet *m)
{
    cri_lanes pace = cri_lanes_all(0);
    for (int i = 0; i < 2; i++) {
        pace = m->movers[i] < 0 ? pace : pace + w->bodies[m->movers[i]].pace;
    }
    return pace;
}

static inline bool is_ball(const batch *w, int mover)
{
    return mover >= 0 && w->course->movers[mover].class == CRI_BALL;
}

static inline cri_mask open_of(const batch *w, const cri_meet *meet)
{
    return w->open ? w->run & w->open[meet->pair] : w->run;
}

// The mean velocity of its center over the piece: forces alone make it a parabola.
static inline cri_lanes3 mean_velocity(const body *b)
{
    cri_lanes3 mean =
        cri_lanes3_scale(cri_lanes_all(0.5f), cri_lanes3_add(b->velocity, b->next_velocity));
    cri_lanes3 met = b->next_velocity;
#ifdef STEPPER
    met = cri_lanes3_mad(met, b->late, cri_lanes3_sub(b->velocity, b->next_velocity));
#endif
    return cri_lanes3_pick(b->met, met, mean);
}

#endif
