// A course: a model made ready for the stepper, in floats. It holds what no step changes, shared by
// all worlds: the solids (parts of bodies other than balls), the movers (bodies with a slot, in its
// order), and the meets, one for each two parts that may touch, sorted by pair.
//
// A course has five classes of bodies: fixed ones, driven ones and uprights, which turn about z
// only, balls, and free ones: everything else that moves, in any attitude. Models whose driven or
// upright bodies have tilted boxes, cylinders or prisms, or with hundreds of free ones, have no
// course. Which class a body is of, and all else that a course decides, depends on what a scene is,
// not on its numbers: these may be others in each world (scene/numbers.h), and a course holds the
// model's own beside the rest.
#ifndef CRI_COURSE_H
#define CRI_COURSE_H

#include "scene/numbers.h"

typedef enum cri_class { CRI_FIXED, CRI_DRIVEN, CRI_UPRIGHT, CRI_BALL, CRI_FREE } cri_class;

typedef struct cri_mover {
    int body, slot;
    cri_class class;
    cri_weight weight; // with the model's own numbers
    float thin;        // free: of the thinnest of its solids
    float radius;      // around its center
    float gravity[3];  // m/s2, the model's own
} cri_mover;

// A side of a prism's outline: the points p with normal p = offset, from <= across p <= to, where
// across is the normal turned left.
typedef struct cri_side {
    float x, y, offset, from, to;
} cri_side;

// The outline of a level box or prism, counter-clockwise, in the frame of its mover; of a fixed one
// from its place, with the axes of the world. Rows, so that several sides are looked at at once,
// padded with sides that nothing is in front of.
enum { CRI_OUTLINE_ROOM = CR_PRISM_MAX_POINTS };
typedef struct cri_outline {
    int count;
    // Radii of circles about the frame's middle, with the outline between them; the middle may be
    // outside: inner is -outer then.
    float inner, outer;
    float x[CRI_OUTLINE_ROOM], y[CRI_OUTLINE_ROOM]; // corners
    // Side i goes from corner i to the next: inside is normal p < offset.
    float normal_x[CRI_OUTLINE_ROOM], normal_y[CRI_OUTLINE_ROOM], offset[CRI_OUTLINE_ROOM];
} cri_outline;

// A face of a polytope: its edges are edges[first] ..., counter-clockwise seen from outside.
typedef struct cri_face {
    float normal[3], offset;
    int first, count;
} cri_face;

// An edge of a face: from a corner along a unit vector. out: across it in the face, away from it.
typedef struct cri_edge {
    float from[3], along[3], out[3], length;
} cri_edge;

// A convex polyhedron: a box, prism or hull, in its own frame. Only courses with free bodies have
// those of boxes and prisms.
typedef struct cri_polytope {
    int corner_count, face_count;
    float inner, outer; // radii of spheres about the frame's origin, with the surface between them;
                        // the origin may be outside: inner is -outer then
    float middle[3];    // of its corners
    float (*corners)[3];
    cri_face *faces;
    cri_edge *edges;
} cri_polytope;

// A part of a body that is no ball, in the frame of its mover, or of the world if fixed.
typedef struct cri_solid {
    const cr_shape *shape;
    cr_pose pose;
    int mover;      // index, or -1 if fixed
    bool level;     // its z axis is up
    bool floor;     // a plane with the axes of the world
    float place[3]; // of its frame
    float turn[9];  // rows: its axes
    float half[3], radius;
    int side_count;
    const cri_side *sides;
    const cri_outline *outline; // NULL: round or tilted
    const cri_polytope *polytope;
    float middle[3], extent[3]; // fixed: a box around it
    float reach;                // mover: radius of a circle about the mover's axis around it;
                                // free: of a sphere about its center
    float thin;                 // how far its surface is from its inside, at most; planes: much
} cri_solid;

typedef enum cri_meet_kind {
    CRI_MEET_SOLID, // a solid and a ball, in this order
    CRI_MEET_BALLS, // two balls
    CRI_MEET_FLAT,  // two solids, neither of a free body
    CRI_MEET_FREE,  // two solids, one or both of free bodies
} cri_meet_kind;

// How the points of two solids are found where one is free.
typedef enum cri_finder {
    CRI_FIND_ON_PLANE,
    CRI_FIND_BOXES,
    CRI_FIND_CONVEX,
    // Those of the kinds below are looked for in packs: see lanes/pack.h.
    CRI_FIND_CYLINDERS,
    CRI_FIND_BOX_CYLINDER, // in this order
    CRI_FIND_CYLINDER_BOX,
    CRI_FINDERS,
} cri_finder;

typedef struct cri_meet {
    cri_meet_kind kind;
    cri_finder finder;
    int pair;
    int movers[2]; // indices, or -1 if fixed
    int solids[2]; // -1: a ball
    cri_class classes[2];
    bool swapped; // movers[0] is the pair's b
    bool silent;
    bool grained;
    float grain[3]; // in the frame of the solid's mover, unit
    int grain_side; // whose
    int manner;     // index into the course's manners
    cri_manner own; // with the model's own numbers
    // A ball, no upright takes part, and friction is the same in all directions: the speed that a
    // unit of impulse makes along and across the normal is always the same, and the two do not mix.
    bool plain;
    // With the model's own numbers:
    float mobility, cross_mobility; // that speed, as far as balls make it
    float yield, cross_yield;       // plain: its inverse, the effective mass
} cri_meet;

// How far the two of a meet are apart at least, seen from above: what it takes to leave most meets
// out (the broad phase).
typedef struct cri_bound {
    int movers[2];              // indices; the second is -1 if fixed, and both if there is no bound
    float middle[2], extent[2]; // fixed: a box around it
    float reach;                // m, of circles about the movers' axes, with the margin of contacts
} cri_bound;

// A free body that stands still: one box or cylinder about its center.
typedef struct cri_still {
    int slot;
    bool round;    // a cylinder
    float turn[9]; // rows: its axes, in the frame of the body
    float half[3], radius;
    float reach; // m, of a sphere about its center
} cri_still;

// What such a body may meet: a fixed solid, a mover, or another that stands still. The other two
// are -1.
typedef struct cri_beside {
    int still, pair;
    bool first; // it is the pair's a
    bool silent;
    int solid, mover, other;
} cri_beside;

typedef struct cri_course {
    const cr_model *model;
    cri_arena arena;
    float h;          // s, of a substep
    bool has_upright; // robots can hold a ball between them
    bool has_free;    // some body is free: everything is solved in patches, see lanes/patch.h
    int mover_count, solid_count, meet_count;
    int point_max; // contact points that a world can have
    cri_mover *movers;
    cri_solid *solids;
    cri_meet *meets;
    cri_bound *bounds; // by meet
    bool *swapped;     // by pair: its meets begin with its b
    cr_numbers *own;   // the model's own numbers
    bool own_fit;      // they are fit for steppers
    int *manners;      // the meetings (material_count x material_count) that can happen
    int manner_count;
    // The same model for worlds in which all free bodies stand still, a course in which nothing is
    // free: they are among its stills rather than its movers. NULL: some are not of that kind.
    struct cri_course *calm;
    int still_count, beside_count;
    cri_still *stills;
    cri_beside *beside;
} cri_course;

// True if the model has a course.
bool cri_course_fits(const cr_model *model);

// Make the course of a model that has one. On failure the course is empty.
cr_status cri_course_init(cri_course *course, const cr_model *model, cr_report *report);
void cri_course_free(cri_course *course);

#endif
