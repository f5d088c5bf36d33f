// The numbers of the contact method, each of them once: for one world in double (meet.c, world.c),
// for many in lanes (lanes/) and for a large one (large/). contact_kernel.h has the formulas.
//
// They are written in double. Where a file works in lanes (base/real.h) they are rounded to floats;
// others that compute with floats say (float) where they use one.
//
// What stands elsewhere belongs to one solver alone: when passes and rounds end (impulses.c,
// lanes/solve.h, lanes/patch.h), which depends on what a float or a double resolves.
#ifndef CRI_CONTACT_H
#define CRI_CONTACT_H

#include "base/real.h"

// ---------------------------------------------------------------------------------------------
// Finding points.

// Contact points are looked for within this distance. A body that is not swept moves less in a
// substep.
#define MARGIN NUMBER(5e-4) // m
// Bodies that are faster are looked for within what they move, but no farther: beyond, shapes are
// too coarse a guide to where they will meet.
#define MARGIN_MAX NUMBER(0.05) // m
// A ball that moves less against another body, in one piece, is not swept: MARGIN sees it coming.
#define SWEEP_MIN NUMBER(2.5e-4) // m
// How near to its impact a sweep ends: wide enough to be met in spite of the overshoot of sweeps,
// narrow enough to turn the normal of a grazing impact by no more than 1e-3.
#define IMPACT_GAP NUMBER(1e-5) // m
// What is nearer has arrived: sweeps overshoot by less than half of their gap.
#define THERE (NUMBER(1.5) * IMPACT_GAP) // m
// What is so near touches, and is reported: well above the gap at which a sweep ends, and below
// what a picture shows.
#define TOUCH_GAP NUMBER(1e-4) // m

// ---------------------------------------------------------------------------------------------
// Pieces of a substep.

// A substep is cut at most this often; after that balls stop where they meet something until the
// next substep. Two balls that bounce between walls need one cut a bounce.
enum { CUTS_MAX = 8 };
// Of these, so many may be for bodies that are not balls.
enum { BOUNCE_CUTS_MAX = 2 };
// No piece is shorter: a ball at 15 m/s goes 15 um in it, less than the gap of its impacts.
#define PIECE_MIN NUMBER(1e-6) // s

// Free bodies that move farther in a piece than this share of how thin the two are together could
// pass through each other: they are held back before they overlap by half of it, also where pieces
// may not become shorter.
#define THIN_SHARE NUMBER(0.5)
// Where they overlap by as much as they may, they go on by this share of it.
#define LITTLE_MORE NUMBER(0.1)
// Their pieces end this near to each other.
#define NEAR_GAP NUMBER(2.5e-4) // m

// ---------------------------------------------------------------------------------------------
// What is asked of a point.

// Slower impacts do not bounce (the restitution threshold), or nothing would come to rest. Gravity
// gives a ball 4 cm/s in a substep of 1/240 s.
#define BOUNCE_MIN NUMBER(0.03) // m/s
// Where a gap closes slower than this, it is taken to close so fast: when it is shut is told by a
// division.
#define CLOSING_MIN NUMBER(1e-3) // m/s

// Overlaps go by a share each substep (Baumgarte stabilisation). Without a relaxation after the
// move, speeds that undo them last: the share is small, less than SLOP stays, and PUSH_OUT_MAX
// keeps bodies from being thrown apart.
#define OVERLAP_SHARE NUMBER(0.2)
#define SLOP          NUMBER(1e-5) // m
#define PUSH_OUT_MAX  NUMBER(0.5)  // m/s
// Where a body is free there is one (lanes/patch.h): all of an overlap goes, for a slop would sink
// and cycle, no faster than UNDO_MAX. In small worlds by UNDO_SHARE, for a small one lets what
// rolls or is pressed sink in faster than it comes out; a large pile, which is held in many places
// at once, by OVERLAP_SHARE.
#define UNDO_SHARE NUMBER(0.8)
#define UNDO_MAX   NUMBER(2.0) // m/s

// ---------------------------------------------------------------------------------------------
// Friction.

// Below this slip static friction holds.
#define STICK_SPEED NUMBER(0.01) // m/s
// A grain that lies so much along the normal has no direction across it: of a unit, what is across.
#define GRAIN_MIN NUMBER(1e-3)
// Less than this is nothing to divide by: of a slip, an impulse, a load.
#define TINY NUMBER(1e-20)
// Of an upright on its floor: the square of how far its foot reaches from its middle is this share
// of inertia over mass. See brake_foot in contact_kernel.h.
#define FLOOR_SHARE NUMBER(8.0 / 9)

// ---------------------------------------------------------------------------------------------
// Loads.

// A patch supports what is above if its normal is within 66 degrees of up and it is this near.
#define SUPPORT_COS NUMBER(0.4)
#define SUPPORT_GAP NUMBER(1e-3) // m
// What presses a body against something fixed is carried by it if it is so many times as heavy.
#define HEAVY NUMBER(4.0)
// Bodies slower than this count as standing in the sweep.
#define SLOW NUMBER(0.2) // m/s
// Where a body rests on several, its patches share the load: so many rounds along the normals, the
// last with friction. Friction before that would build arches that are not there.
enum { SHARED_ROUNDS = 3 };

// ---------------------------------------------------------------------------------------------
// The end of a step.

// What a step of a world that nothing acts on may gain for each kg.
#define GAIN_MAX NUMBER(1e-6) // J

// ---------------------------------------------------------------------------------------------
// Floats.

// Beyond this place a float is coarser than the gaps of contacts: the world is refused.
#define FLOAT_PLACE_MAX NUMBER(64.0) // m
// Less of a speed is none.
#define LEAST NUMBER(1e-12) // m/s, rad/s

#endif
