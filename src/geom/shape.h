// Inside of geom: what its files share. Boxes, cylinders and prisms are outlines in the xy plane of
// their own frame (a circle, a rectangle, a polygon), drawn out along z by half.z.
#ifndef CRI_SHAPE_H
#define CRI_SHAPE_H

#include "geom/geom.h"

// The nearest point of an outline in its own plane.
typedef struct cri_flat {
    double distance; // negative inside
    cr_vec2 normal;  // unit, out of the outline
} cri_flat;

cri_flat cri_outline_nearest(const cr_shape *shape, double x, double y);

// Sides of the polygon that stands in for a circle where a polyhedron is needed.
enum { CRI_CIRCLE_SIDES = 24, CRI_OUTLINE_MAX = CR_PRISM_MAX_POINTS };

// The outline as a polygon, counter-clockwise; points has room for CRI_OUTLINE_MAX. Returns how
// many.
int cri_outline_polygon(const cr_shape *shape, cr_vec2 *points);

// Contacts gathered before they are reduced to what the caller has room for.
enum { CRI_CANDIDATE_MAX = 4 * CRI_OUTLINE_MAX };
typedef struct cri_candidates {
    int count;
    cri_touch touches[CRI_CANDIDATE_MAX];
} cri_candidates;

// Add a point on the surface of b whose gap to the surface of a, along the normal from a to b, is
// given; points nearer than 10 um to an earlier one are left out.
void cri_candidate_add(cri_candidates *set, cr_vec3 point, cr_vec3 normal, double gap);

// Keep the deepest, then always the one that is farthest from those kept; the order stays.
int cri_candidates_reduce(const cri_candidates *set, cri_touch touches[CRI_TOUCH_MAX]);

// Two outlined shapes: boxes, cylinders, prisms.
int cri_collide_outlined(const cr_shape *a, cr_pose pose_a, const cr_shape *b, cr_pose pose_b,
                         double margin, cri_touch touches[CRI_TOUCH_MAX]);

// The same when their z axes are parallel: a problem in the plane.
int cri_collide_parallel(const cr_shape *a, cr_pose pose_a, const cr_shape *b, cr_pose pose_b,
                         double margin, cri_touch touches[CRI_TOUCH_MAX]);

// Two of which one is a hull or a capsule, and none a plane or a sphere.
int cri_collide_convex(const cr_shape *a, cr_pose pose_a, const cr_shape *b, cr_pose pose_b,
                       double margin, cri_touch touches[CRI_TOUCH_MAX]);

#endif
