// Shapes against shapes: distances, contacts, sweeps. No engine, no state; poses in, numbers out.
#ifndef CRI_GEOM_H
#define CRI_GEOM_H

#include "base/vec.h"
#include "carom/model.h"

// A nearest point on a shape's surface.
typedef struct cri_nearest {
    double distance; // m; negative inside
    cr_vec3 point;   // on the surface, world frame
    cr_vec3 normal; // unit, out of the shape, world frame; points from the shape to the query point
                    // when outside
} cri_nearest;

// The signed distance from a shape at a pose to a point, exact for every shape. Ties (the middle of
// a box) are broken by a fixed order of faces.
cri_nearest cri_shape_nearest(const cr_shape *shape, cr_pose pose, cr_vec3 point);

// A point where two shapes touch.
typedef struct cri_touch {
    cr_vec3 point;  // midway between the two surfaces
    cr_vec3 normal; // unit, from a to b
    double depth;   // m; > 0: they overlap by that much along the normal; < 0: a gap of that width
} cri_touch;

enum { CRI_TOUCH_MAX = 8 };

// The contact points (the manifold) of two shapes whose surfaces overlap or are nearer than margin.
// Returns how many (at most CRI_TOUCH_MAX), in an order that depends on the input alone. Plane
// against plane: none.
int cri_collide(const cr_shape *a, cr_pose pose_a, const cr_shape *b, cr_pose pose_b, double margin,
                cri_touch touches[CRI_TOUCH_MAX]);

// The radius of the smallest sphere about the origin of the shape's frame, moved by pose, that
// holds it.
double cri_shape_radius(const cr_shape *shape, cr_pose pose);

// How far its surface is from its inside, at most: from its middle to the nearest of its faces. A
// plane has no other side.
double cri_shape_thin(const cr_shape *shape);

// How far the shape reaches along a direction (unit, world frame): max of dot(direction, p) over
// its points p.
double cri_shape_support(const cr_shape *shape, cr_pose pose, cr_vec3 direction);

// Volume, centre and diagonal inertia of a shape of density 1 about its own centre, in its own
// frame. Planes: all zero.
typedef struct cri_mass {
    double volume;
    cr_vec3 center;
    cr_vec3 inertia;
} cri_mass;
cri_mass cri_shape_mass(const cr_shape *shape);

// Movement of a body over a short time: where it is and how it goes on.
typedef struct cri_motion {
    cr_pose pose;
    cr_vec3 velocity, spin;
} cri_motion;

// The first time in [0, duration] at which a sphere that starts at center with the given velocity
// comes within `gap` of the shape (given in the frame of the moving body `of` by its pose `part`),
// or duration if it does not. A sphere that starts nearer than gap is not a new impact: duration.
// Conservative advancement; never late by more than 1e-7 s.
double cri_sweep_sphere(cr_vec3 center, double radius, cr_vec3 velocity, const cr_shape *shape,
                        cr_pose part, cri_motion of, double gap, double duration);

#endif
