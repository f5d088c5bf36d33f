// Convex hulls of points, with at most CR_HULL_MAX_CORNERS corners.
#ifndef CRI_HULL_H
#define CRI_HULL_H

#include <stddef.h>

#include "geom/geom.h"

// The convex hull of finite points. Where it would have more corners than there is room for, those
// are taken that lie farthest out, one after the other: the hull is then inside of the true one.
// Fails with CR_ERR_RANGE where the points lie in a plane, or nearly, and with CR_ERR_MEMORY.
cr_status cri_hull_make(const cr_vec3 *points, size_t count, cr_hull *hull);

// Move a hull into the frame of its centre of mass and principal axes, and return the pose of that
// frame in the one before. Axes that are principal already stay as they are.
cr_pose cri_hull_settle(cr_hull *hull);

// Half the size of a box about the origin, along the axes, that holds it.
cr_vec3 cri_hull_half(const cr_hull *hull);

// A hull as a shape.
cr_shape cri_hull_shape(const cr_hull *hull);

// A box, prism, hull, or a cylinder as a prism of CRI_CIRCLE_SIDES sides, as a hull: the shape's
// own, or `made`.
const cr_hull *cri_shape_hull(const cr_shape *shape, cr_hull *made);

// Volume, centre and inertia of a hull of density 1.
cri_mass cri_hull_mass(const cr_hull *hull);

// The nearest point of a hull, in its own frame.
cri_nearest cri_hull_nearest(const cr_hull *hull, cr_vec3 point);

#endif
