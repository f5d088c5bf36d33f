// Impulses of a large world: lots of eight patches that share no body. See large.h for what differs
// from small worlds, and lanes/patch.h for swings: a row of an end tells both how fast a point is
// and what a unit of impulse does.
//
//     normal    one row a point: its impulse is never negative
//     friction  two directions and a twist about the normal, at the middle of the points, weighed
//               by how near they are. While the patch sticks the two are solved together (a 2 by 2
//               block); when it slips, with one mobility for all directions. The most that the
//               twist can hold is friction times load times the mean distance of points from the
//               middle.
//
// All rows of a patch follow from three of each end, about slide, across and the normal, and from
// where its middle lies, seen along these: a lever (u, v, depth) turns a unit
//
//     along the normal   into   v about slide - u about across
//     along slide               depth about across - v about the normal
//     along across              u about the normal - depth about slide
//
// so a lot at work is three quarters of what it would be with a row for each point: most of what a
// large world waits for is memory.
#ifndef CRI_LARGE_LOT_H
#define CRI_LARGE_LOT_H

#include "engine/lanes/patch.h"
#include "engine/large/rows.h"

enum { SLIDE, ACROSS, NORMAL };

// An end of a patch: swings that a unit of moment about the three directions gives, of the first
// the other way; and its lever to the middle.
typedef struct axle {
    cri_lanes3 about[3];
    cri_lanes u, v, depth;
} axle;

// A point at work.
typedef struct stud {
    cri_lanes u, v; // from the middle
    cri_lanes yield, impulse;
    cri_lanes target; // m/s
} stud;

// Friction at work.
typedef struct rub {
    cri_lanes block[3], slip; // inverse mobilities
    cri_lanes twist_yield, arm;
    cri_lanes lean[2]; // speeds along slide and across that a unit of twist gives
    cri_lanes hold[2]; // inverse coefficients
    cri_lanes impulse[2], twist;
} rub;

// What only the sweep needs: the mean of the points, from the middle; inverse moments of the points
// about it (count, uu, uv, vv).
typedef struct bed {
    cri_lanes u, v;
    cri_lanes spread[4];
} bed;

// What few patches have: something bounces, or an end is driven and turns.
typedef struct rare {
    cri_lanes rest[CRI_LARGE_POINTS]; // m/s: what is asked once bodies have moved, where it is shut
    cri_lanes base[3]; // speeds along slide and across and about the normal of a driven end
    cri_lanes hit;     // s: when it bounces in this substep
    cri_mask bounces;  // it does
} rare;

// Two of four points, the first before the second.
static const int TWO[CRI_LARGE_POINTS][CRI_LARGE_POINTS] = {
    {0, 0, 1, 2}, {0, 0, 3, 4}, {0, 0, 0, 5}};

typedef struct bundle {
    rows pairs, movers[2];
    unsigned there;           // lanes that are patches
    unsigned pushed[2];       // lanes whose ends are
    unsigned still[2], alone; // which end stands still in the sweep, and which patch carries alone
    unsigned apart;           // which touch if they press
    bool is_rare;             // in some lane; else there is nothing in `rare`
    cri_lanes3 normal, slide;
    axle ends[2];
    stud points[CRI_LARGE_POINTS];
    cri_lanes cross[6]; // the speed at a point that a unit at another gives: see TWO
    rub rub;
    bed bed;
    rare rare;
} bundle;

INLINE cri_mask mask_of(unsigned bits)
{
#if CRI_LANES == 1
    return bits & 1 ? -1 : 0;
#else
    const cri_mask each = {1, 2, 4, 8, 16, 32, 64, 128};
    return (cri_mask_all((int32_t)bits) & each) != 0;
#endif
}

// The third direction is not worth its place in memory.
INLINE cri_lanes3 across_in(const bundle *s)
{
    return cri_lanes3_cross(s->normal, s->slide);
}

// Bundles that a lot is.
enum { PARTS = CRI_LOT / CRI_LANES };

INLINE bundle *bundle_at(const cri_large *w, int index)
{
    return (bundle *)w->bundles + index;
}

#endif
