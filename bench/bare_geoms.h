// Shapes as ODE's geoms, and where two of them meet: its own collision alone.
#ifndef BENCH_BARE_GEOMS_H
#define BENCH_BARE_GEOMS_H

#include <ode/ode.h>

#include "scene/model.h"

// A hull as dCreateConvex wants it; ODE keeps pointers into it.
typedef struct bare_hull bare_hull;

// Hulls and prisms need one, which lives as long as the geom and is freed by free(). NULL: the
// shape needs none.
bare_hull *bare_hull_create(const cr_shape *shape);

// pose: of planes alone, which have their place from the start. space: 0 for none.
dGeomID bare_geom_create(dSpaceID space, const cr_shape *shape, cr_pose pose, bare_hull *hull);

// dCollide, up to max points, and what it does not see: the other points where it has one alone of
// a line or a face that two geoms share, and cylinders side by side whose ends touch before their
// middles. twin: a geom of second's shape in no space, which is moved about.
int bare_collide(dGeomID first, dGeomID second, dGeomID twin, int max, dContactGeom *points,
                 int stride);

#endif
