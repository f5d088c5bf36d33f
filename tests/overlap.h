// How deep two convex shapes are inside each other, worked out from nothing but their extents along
// directions: no code of the engines' collision. Slow, and sure.
//
// The depth is the shortest way that takes them apart: the least, over all directions d, of
//
//     f(d) = max of d . p over the points p of a  -  min of d . q over the points q of b
//
// Any direction is a bound from above, and one with f <= 0 a proof that they are apart. Two
// polyhedra have the least at a normal of a face or at a product of two edges; rounds are searched
// around the best of these.
#ifndef TESTS_OVERLAP_H
#define TESTS_OVERLAP_H

#include "scene/model.h"

// The depth in m; 0 where they do not overlap. Plane against plane: 0.
double overlap_depth(const cr_shape *a, cr_pose pose_a, const cr_shape *b, cr_pose pose_b);

// The deepest overlap of any pair of parts of a world that may collide.
double overlap_deepest(const cr_model *model, const cr_state *state);

#endif
