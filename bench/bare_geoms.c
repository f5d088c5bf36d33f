// ODE's traps that this file steps around: a convex keeps pointers to its points, and its polygons
// must turn counter-clockwise seen from outside; of all pairs of curved shapes and hulls dCollide
// gives one point (0.16.2; libccd), wherever on a shared line or face that may be.
#include "bare_geoms.h"

#include <stdlib.h>
#include <string.h>

#include "base/vec.h"

// How far a geom is turned about the point that it touches another in, to see where else it does.
static const double TURN = 0.01;
// Points as near as this, against the size of the smaller geom, are one.
static const double SAME = 0.1;
// 1 - cos of the axes of cylinders that are taken for parallel. dCollide's own is 1e-3.
static const double NEAR_PARALLEL = 1.1e-3;

// Of a prism: bottom and top, then a side for each chord.
struct bare_hull {
    dReal points[3 * CR_HULL_MAX_CORNERS];
    dReal planes[4 * CR_HULL_MAX_FACES];
    unsigned polygons[CR_HULL_MAX_FACES + CR_HULL_MAX_RING];
    unsigned face_count, point_count;
};

// ---------------------------------------------------------------------------------------------
// Shapes.

static void set_point(bare_hull *h, int index, double x, double y, double z)
{
    h->points[3 * index] = x;
    h->points[3 * index + 1] = y;
    h->points[3 * index + 2] = z;
}

static void set_plane(bare_hull *h, int index, cr_vec3 normal, double distance)
{
    dReal *plane = &h->planes[4 * index];
    plane[0] = normal.x, plane[1] = normal.y, plane[2] = normal.z, plane[3] = distance;
}

// Corner i of the outline is point i at the bottom and point n + i at the top.
static void fill_prism(bare_hull *h, const cr_shape *s)
{
    unsigned n = (unsigned)s->point_count, *polygon = h->polygons;
    set_plane(h, 0, cri_vec3(0, 0, -1), s->half.z);
    set_plane(h, 1, cri_vec3(0, 0, 1), s->half.z);
    *polygon++ = n;
    for (unsigned i = 0; i < n; i++) {
        *polygon++ = n - 1 - i;
    }
    *polygon++ = n;
    for (unsigned i = 0; i < n; i++) {
        *polygon++ = n + i;
    }
    for (unsigned i = 0; i < n; i++) {
        unsigned next = (i + 1) % n;
        cr_vec2 from = s->points[i], to = s->points[next];
        cr_vec3 out = cri_unit(cri_vec3(to.y - from.y, from.x - to.x, 0), cri_vec3(1, 0, 0));
        set_point(h, (int)i, from.x, from.y, -s->half.z);
        set_point(h, (int)(n + i), from.x, from.y, s->half.z);
        set_plane(h, (int)i + 2, out, out.x * from.x + out.y * from.y);
        const unsigned side[] = {4, i, next, n + next, n + i};
        memcpy(polygon, side, sizeof side);
        polygon += 5;
    }
    h->face_count = n + 2;
    h->point_count = 2 * n;
}

static void fill_hull(bare_hull *h, const cr_hull *from)
{
    unsigned *polygon = h->polygons;
    for (int i = 0; i < from->corner_count; i++) {
        set_point(h, i, from->corners[i].x, from->corners[i].y, from->corners[i].z);
    }
    for (int f = 0; f < from->face_count; f++) {
        const cr_hull_face *face = &from->faces[f];
        set_plane(h, f, face->normal, face->offset);
        *polygon++ = (unsigned)face->count;
        for (int i = 0; i < face->count; i++) {
            *polygon++ = (unsigned)from->ring[face->first + i];
        }
    }
    h->face_count = (unsigned)from->face_count;
    h->point_count = (unsigned)from->corner_count;
}

bare_hull *bare_hull_create(const cr_shape *shape)
{
    if (shape->kind != CR_SHAPE_PRISM && shape->kind != CR_SHAPE_HULL) {
        return NULL;
    }
    bare_hull *h = calloc(1, sizeof *h);
    if (!h) {
        abort();
    }
    if (shape->kind == CR_SHAPE_PRISM) {
        fill_prism(h, shape);
    } else {
        fill_hull(h, shape->hull);
    }
    return h;
}

dGeomID bare_geom_create(dSpaceID space, const cr_shape *s, cr_pose pose, bare_hull *h)
{
    cr_vec3 up = cri_rotate(pose.rotation, cri_vec3(0, 0, 1));
    switch (s->kind) {
    case CR_SHAPE_PLANE:
        return dCreatePlane(space, up.x, up.y, up.z, cri_dot(up, pose.position));
    case CR_SHAPE_SPHERE:
        return dCreateSphere(space, s->radius);
    case CR_SHAPE_BOX:
        return dCreateBox(space, 2 * s->half.x, 2 * s->half.y, 2 * s->half.z);
    case CR_SHAPE_CYLINDER:
        return dCreateCylinder(space, s->radius, 2 * s->half.z);
    case CR_SHAPE_CAPSULE:
        return dCreateCapsule(space, s->radius, 2 * s->half.z);
    case CR_SHAPE_PRISM:
    case CR_SHAPE_HULL:
        return dCreateConvex(space, h->planes, h->face_count, h->points, h->point_count,
                             h->polygons);
    }
    return NULL;
}

// ---------------------------------------------------------------------------------------------
// Points. Where dCollide has one alone, the second geom is turned by next to nothing about it, to
// four sides in turn; the end of a shared line or the edge of a shared face that then goes in
// deepest is a point as well, put back to where it was, if it lay within the first.

static cr_vec3 from_ode(const dReal *v)
{
    return cri_vec3(v[0], v[1], v[2]);
}

// turn: by which the twin is turned from the geom's place, about the point.
static void put_twin(dGeomID twin, dGeomID geom, cr_quat turn, cr_vec3 point)
{
    dQuaternion q;
    dGeomGetQuaternion(geom, q);
    cr_vec3 lever = cri_sub(from_ode(dGeomGetPosition(geom)), point);
    cr_vec3 at = cri_add(point, cri_rotate(turn, lever));
    cr_quat to = cri_quat_mul(turn, (cr_quat){q[1], q[2], q[3], q[0]});
    dGeomSetPosition(twin, at.x, at.y, at.z);
    dGeomSetQuaternion(twin, (const dQuaternion){to.w, to.x, to.y, to.z});
}

// The point that the turned twin has, where it was before; false: none, or outside.
static bool find_point(dGeomID first, dGeomID twin, cr_quat turn, const dContactGeom *about,
                       dContactGeom *found)
{
    if (dCollide(first, twin, 1, found, sizeof *found) < 1) {
        return false;
    }
    // ODE's normal points into the first, and its point lies halfway between the two surfaces.
    cr_vec3 point = from_ode(about->pos), normal = from_ode(about->normal);
    cr_vec3 half = cri_scale(found->depth / 2, from_ode(found->normal));
    cr_vec3 mine = cri_sub(from_ode(found->pos), half), other = cri_add(from_ode(found->pos), half);
    other = cri_add(point, cri_rotate(cri_quat_conj(turn), cri_sub(other, point)));
    cr_vec3 middle = cri_scale(0.5, cri_add(mine, other));
    *found = *about;
    found->depth = cri_dot(normal, cri_sub(other, mine));
    found->pos[0] = middle.x, found->pos[1] = middle.y, found->pos[2] = middle.z;
    return found->depth > 0;
}

static dContactGeom *point_at(dContactGeom *points, int stride, int index)
{
    return (dContactGeom *)((char *)points + (ptrdiff_t)stride * index);
}

static double size_of(dGeomID geom)
{
    dReal box[6];
    dGeomGetAABB(geom, box);
    return fmax(fmax(box[1] - box[0], box[3] - box[2]), box[5] - box[4]);
}

static bool is_new(dContactGeom *points, int stride, int count, const dContactGeom *found)
{
    double same = SAME * fmin(size_of(found->g1), size_of(found->g2));
    for (int i = 0; i < count; i++) {
        cr_vec3 at = from_ode(point_at(points, stride, i)->pos);
        if (cri_length(cri_sub(at, from_ode(found->pos))) < same) {
            return false;
        }
    }
    return true;
}

// ---------------------------------------------------------------------------------------------
// Cylinders side by side. Where their axes are within 0.045 rad of each other dCollide has nothing
// before the middles are as near as the radii. The ends of two pins are up to 4 mm deep in each
// other by then, and what undoes that is faster the shorter the substep is.

typedef struct rod {
    cr_vec3 middle, axis;
    double radius, half;
} rod;

static rod rod_of(dGeomID geom)
{
    const dReal *r = dGeomGetRotation(geom);
    dReal radius, length;
    dGeomCylinderGetParams(geom, &radius, &length);
    return (rod){from_ode(dGeomGetPosition(geom)), cri_vec3(r[2], r[6], r[10]), radius, length / 2};
}

// Between the axes of the two, at an end of one; from the second to the first.
static cr_vec3 gap_at(const rod *end, const rod *other, double along, bool first)
{
    cr_vec3 way = cri_sub(cri_mad(end->middle, along, end->axis), other->middle);
    way = cri_mad(way, -cri_dot(way, other->axis), other->axis);
    return cri_scale(first ? 1 : -1, way);
}

// A point at each end of the line that they share; where they cross between the two, by so small an
// angle, they are nearer by less than 0.4 mm. Returns their count; -1: not side by side.
static int collide_side_by_side(dGeomID first, dGeomID second, dContactGeom *points, int stride)
{
    rod a = rod_of(first), b = rod_of(second);
    cr_vec3 d = cri_sub(b.middle, a.middle);
    double cosine = cri_dot(a.axis, b.axis), offset = cri_dot(d, a.axis);
    double length = fmin(a.half, offset + b.half) - fmax(-a.half, offset - b.half);
    double beside = cri_length(cri_mad(d, -offset, a.axis)), reach = a.radius + b.radius;
    if (1 - fabs(cosine) > NEAR_PARALLEL || length < reach - beside) {
        return -1;
    }
    int count = 0;
    for (int side = -1; side <= 1; side += 2) {
        bool own = side * (offset + side * b.half) > a.half; // the first ends before the second
        const rod *end = own ? &a : &b;
        double along = own ? side * a.half : side * (cosine < 0 ? -b.half : b.half);
        cr_vec3 gap = gap_at(end, own ? &b : &a, along, own);
        double depth = reach - cri_length(gap);
        if (depth > 0) {
            cr_vec3 n = cri_unit(gap, cri_vec3(1, 0, 0));
            double out = own ? depth / 2 - a.radius : b.radius - depth / 2;
            cr_vec3 at = cri_mad(cri_mad(end->middle, along, end->axis), out, n);
            dContactGeom *p = point_at(points, stride, count++);
            *p = (dContactGeom){.pos = {at.x, at.y, at.z},
                                .normal = {n.x, n.y, n.z},
                                .depth = depth,
                                .g1 = first,
                                .g2 = second,
                                .side1 = -1,
                                .side2 = -1};
        }
    }
    return count;
}

// ---------------------------------------------------------------------------------------------

// Spheres and planes have one point with anything round.
static bool may_share(dGeomID geom)
{
    return dGeomGetClass(geom) != dSphereClass && dGeomGetClass(geom) != dPlaneClass;
}

int bare_collide(dGeomID first, dGeomID second, dGeomID twin, int max, dContactGeom *points,
                 int stride)
{
    bool rods = dGeomGetClass(first) == dCylinderClass && dGeomGetClass(second) == dCylinderClass;
    int count = rods && max > 1 ? collide_side_by_side(first, second, points, stride) : -1;
    if (count >= 0) {
        return count;
    }
    count = dCollide(first, second, max, points, stride);
    if (count != 1 || !may_share(first) || !may_share(second)) {
        return count;
    }
    dContactGeom about = *points;
    cr_vec3 point = from_ode(about.pos), normal = from_ode(about.normal);
    cr_vec3 side = cri_unit(
        cri_cross(normal, fabs(normal.x) < 0.7 ? cri_vec3(1, 0, 0) : cri_vec3(0, 1, 0)), normal);
    for (int i = 0; i < 4 && count < max; i++) {
        cr_vec3 half = cri_scale(TURN / 2, side);
        cr_quat turn = {half.x, half.y, half.z, sqrt(1 - TURN * TURN / 4)};
        put_twin(twin, second, turn, point);
        dContactGeom found;
        if (find_point(first, twin, turn, &about, &found) &&
            is_new(points, stride, count, &found)) {
            *point_at(points, stride, count++) = found;
        }
        side = cri_cross(normal, side); // a quarter on
    }
    return count;
}
