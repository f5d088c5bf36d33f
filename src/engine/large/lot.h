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
    cri_lanes target, rest; // m/s; rest: once bodies have moved, of a point that is shut
} stud;

// Friction at work.
typedef struct rub {
    cri_lanes base[3];        // speeds along slide and across and about the normal of a driven end
    cri_lanes block[3], slip; // inverse mobilities
    cri_lanes twist_yield, arm;
    cri_lanes lean[2]; // speeds along slide and across that a unit of twist gives
    cri_lanes hold[2]; // inverse coefficients
    cri_lanes impulse[2], twist;
} rub;

// What only the sweep needs: the mean of the points, from the middle; inverse moments of the points
// about it (count, uu, uv, vv); which end stands still, and which patch carries alone.
typedef struct bed {
    cri_lanes u, v;
    cri_lanes spread[4];
    cri_mask still[2], alone;
} bed;

// Two of four points, the first before the second.
static const int TWO[CRI_LARGE_POINTS][CRI_LARGE_POINTS] = {
    {0, 0, 1, 2}, {0, 0, 3, 4}, {0, 0, 0, 5}};

typedef struct bundle {
    rows pairs, movers[2];
    unsigned pushed[2]; // lanes whose ends are
    cri_lanes3 normal, slide, across;
    axle ends[2];
    stud points[CRI_LARGE_POINTS];
    cri_lanes cross[6]; // the speed at a point that a unit at another gives: see TWO
    rub rub;
    cri_lanes hit;     // s: when it bounces in this substep
    cri_mask bounces;  // it does
    cri_lanes feature; // as found
    bed bed;
} bundle;

INLINE bundle *bundle_at(const cri_large *w, int lot)
{
    return (bundle *)w->bundles + lot * (CRI_LOT / CRI_LANES);
}

#endif
