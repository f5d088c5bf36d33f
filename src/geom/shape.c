// Single shapes: nearest points, extents, masses.
//
// Hulls: see hull.c. Box, cylinder and prism are one case: the signed distance to the outline
// (flat) and the distance to the caps (tall) are joined. Outside of both, the nearest point is on a
// rim; inside of both, it is on the nearer of the two, the outline first on a tie.
#include "geom/shape.h"

#include <assert.h>

#include "base/trig.h"
#include "geom/hull.h"

// cos and sin of 0, 15, ... 345 degrees.
#define C15 0.96592582628906828675
#define S15 0.25881904510252076235
#define C30 0.86602540378443864676
#define C45 0.70710678118654752440
static const cr_vec2 CIRCLE[CRI_CIRCLE_SIDES] = {
    {1, 0},  {C15, S15},   {C30, 0.5},   {C45, C45},   {0.5, C30},   {S15, C15},
    {0, 1},  {-S15, C15},  {-0.5, C30},  {-C45, C45},  {-C30, 0.5},  {-C15, S15},
    {-1, 0}, {-C15, -S15}, {-C30, -0.5}, {-C45, -C45}, {-0.5, -C30}, {-S15, -C15},
    {0, -1}, {S15, -C15},  {0.5, -C30},  {C45, -C45},  {C30, -0.5},  {C15, -S15},
};
// The polygon lies half inside, half outside of the circle: (1 + 1 / cos(7.5 deg)) / 2.
#define CIRCLE_SCALE 1.0043144802900765

// ---------------------------------------------------------------------------------------------
// Outlines.

static cri_flat circle_nearest(double radius, double x, double y)
{
    double rho = sqrt(x * x + y * y);
    if (rho < 1e-12) {
        return (cri_flat){-radius, {1, 0}};
    }
    return (cri_flat){rho - radius, {x / rho, y / rho}};
}

static cri_flat rectangle_nearest(double half_x, double half_y, double x, double y)
{
    double dx = fabs(x) - half_x, dy = fabs(y) - half_y;
    double sx = x < 0 ? -1 : 1, sy = y < 0 ? -1 : 1;
    if (dx > 0 && dy > 0) {
        double d = sqrt(dx * dx + dy * dy);
        return (cri_flat){d, {sx * dx / d, sy * dy / d}};
    }
    if (dx >= dy) {
        return (cri_flat){dx, {sx, 0}};
    }
    return (cri_flat){dy, {0, sy}};
}

// Inside of a convex polygon: the nearest of its edges' lines.
static cri_flat polygon_inside(const cr_vec2 *points, int count, double x, double y)
{
    cri_flat best = {-HUGE_VAL, {1, 0}};
    for (int i = 0; i < count; i++) {
        cr_vec2 a = points[i], b = points[i + 1 < count ? i + 1 : 0];
        double ex = b.x - a.x, ey = b.y - a.y, s = 1 / sqrt(ex * ex + ey * ey);
        double d = s * (ey * (x - a.x) - ex * (y - a.y));
        if (d > best.distance) {
            best = (cri_flat){d, {s * ey, -s * ex}};
        }
    }
    return best;
}

static cri_flat polygon_nearest(const cr_vec2 *points, int count, double x, double y)
{
    bool inside = true;
    double best = HUGE_VAL, best_x = 0, best_y = 0;
    for (int i = 0; i < count; i++) {
        cr_vec2 a = points[i], b = points[i + 1 < count ? i + 1 : 0];
        double ex = b.x - a.x, ey = b.y - a.y, px = x - a.x, py = y - a.y;
        if (ey * px - ex * py <= 0) {
            continue; // behind this edge
        }
        inside = false;
        double u = cri_clamp((px * ex + py * ey) / (ex * ex + ey * ey), 0, 1);
        double dx = px - u * ex, dy = py - u * ey, d2 = dx * dx + dy * dy;
        if (d2 < best) {
            best = d2, best_x = dx, best_y = dy;
        }
    }
    double distance = sqrt(best);
    if (inside || distance < 1e-12) {
        return polygon_inside(points, count, x, y);
    }
    return (cri_flat){distance, {best_x / distance, best_y / distance}};
}

cri_flat cri_outline_nearest(const cr_shape *shape, double x, double y)
{
    switch (shape->kind) {
    case CR_SHAPE_BOX:
        return rectangle_nearest(shape->half.x, shape->half.y, x, y);
    case CR_SHAPE_PRISM:
        return polygon_nearest(shape->points, shape->point_count, x, y);
    case CR_SHAPE_CYLINDER:
    case CR_SHAPE_SPHERE:
    case CR_SHAPE_PLANE:
    case CR_SHAPE_CAPSULE:
    case CR_SHAPE_HULL:
        break;
    }
    return circle_nearest(shape->radius, x, y);
}

int cri_outline_polygon(const cr_shape *shape, cr_vec2 *points)
{
    if (shape->kind == CR_SHAPE_BOX) {
        double x = shape->half.x, y = shape->half.y;
        points[0] = (cr_vec2){x, y}, points[1] = (cr_vec2){-x, y};
        points[2] = (cr_vec2){-x, -y}, points[3] = (cr_vec2){x, -y};
        return 4;
    }
    if (shape->kind == CR_SHAPE_CYLINDER) {
        double r = shape->radius * CIRCLE_SCALE;
        for (int i = 0; i < CRI_CIRCLE_SIDES; i++) {
            points[i] = (cr_vec2){r * CIRCLE[i].x, r * CIRCLE[i].y};
        }
        return CRI_CIRCLE_SIDES;
    }
    assert(shape->kind == CR_SHAPE_PRISM && shape->point_count <= CRI_OUTLINE_MAX);
    for (int i = 0; i < shape->point_count; i++) {
        points[i] = shape->points[i];
    }
    return shape->point_count;
}

// ---------------------------------------------------------------------------------------------
// Nearest points.

static cri_nearest outlined_nearest(const cr_shape *shape, cr_vec3 p)
{
    cri_flat flat = cri_outline_nearest(shape, p.x, p.y);
    double tall = fabs(p.z) - shape->half.z, up = p.z < 0 ? -1 : 1;
    if (flat.distance > 0 && tall > 0) {
        double d = sqrt(flat.distance * flat.distance + tall * tall), s = flat.distance / d;
        return (cri_nearest){.distance = d,
                             .normal = {s * flat.normal.x, s * flat.normal.y, up * tall / d}};
    }
    if (flat.distance >= tall) {
        return (cri_nearest){.distance = flat.distance,
                             .normal = {flat.normal.x, flat.normal.y, 0}};
    }
    return (cri_nearest){.distance = tall, .normal = {0, 0, up}};
}

static cri_nearest sphere_nearest(double radius, cr_vec3 p)
{
    return (cri_nearest){.distance = cri_length(p) - radius,
                         .normal = cri_unit(p, cri_vec3(0, 0, 1))};
}

// A point of its axis has all directions across it to choose from.
static cri_nearest capsule_nearest(const cr_shape *shape, cr_vec3 p)
{
    double z = cri_clamp(p.z, -shape->half.z, shape->half.z);
    cr_vec3 d = {p.x, p.y, p.z - z};
    return (cri_nearest){.distance = cri_length(d) - shape->radius,
                         .normal = cri_unit(d, cri_vec3(1, 0, 0))};
}

// In the shape's own frame.
static cri_nearest local_nearest(const cr_shape *shape, cr_vec3 p)
{
    switch (shape->kind) {
    case CR_SHAPE_CAPSULE:
        return capsule_nearest(shape, p);
    case CR_SHAPE_HULL:
        return cri_hull_nearest(shape->hull, p);
    case CR_SHAPE_PLANE:
    case CR_SHAPE_SPHERE:
    case CR_SHAPE_BOX:
    case CR_SHAPE_CYLINDER:
    case CR_SHAPE_PRISM:
        break;
    }
    return outlined_nearest(shape, p);
}

cri_nearest cri_shape_nearest(const cr_shape *shape, cr_pose pose, cr_vec3 point)
{
    cri_nearest near = {0};
    if (shape->kind == CR_SHAPE_SPHERE) {
        near = sphere_nearest(shape->radius, cri_sub(point, pose.position));
    } else if (shape->kind == CR_SHAPE_PLANE) {
        near.normal = cri_rotate(pose.rotation, cri_vec3(0, 0, 1));
        near.distance = cri_dot(near.normal, cri_sub(point, pose.position));
    } else {
        near = local_nearest(shape, cri_pose_local(pose, point));
        near.normal = cri_rotate(pose.rotation, near.normal);
    }
    near.point = cri_mad(point, -near.distance, near.normal);
    return near;
}

// ---------------------------------------------------------------------------------------------
// Extents.

// From a point of the shape's own frame.
static double outlined_radius(const cr_shape *shape, cr_vec3 o)
{
    double tall = fabs(o.z) + shape->half.z;
    double flat2 = 0;
    if (shape->kind == CR_SHAPE_CYLINDER) {
        double rho = sqrt(o.x * o.x + o.y * o.y) + shape->radius;
        flat2 = rho * rho;
    } else {
        cr_vec2 points[CRI_OUTLINE_MAX];
        int count = cri_outline_polygon(shape, points);
        for (int i = 0; i < count; i++) {
            double dx = points[i].x - o.x, dy = points[i].y - o.y;
            flat2 = fmax(flat2, dx * dx + dy * dy);
        }
    }
    return sqrt(flat2 + tall * tall);
}

static double hull_radius(const cr_hull *hull, cr_vec3 o)
{
    double radius = 0;
    for (int i = 0; i < hull->corner_count; i++) {
        radius = fmax(radius, cri_length(cri_sub(hull->corners[i], o)));
    }
    return radius;
}

// No outline is thinner than its area over its length.
static double thin_outline(const cr_shape *shape)
{
    double area = 0, length = 0;
    for (int i = 0; i < shape->point_count; i++) {
        cr_vec2 a = shape->points[i], b = shape->points[(i + 1) % shape->point_count];
        area += (a.x * b.y - a.y * b.x) / 2;
        length += sqrt((b.x - a.x) * (b.x - a.x) + (b.y - a.y) * (b.y - a.y));
    }
    return area / length;
}

static double thin_hull(const cr_hull *hull)
{
    double thin = HUGE_VAL;
    for (int i = 0; i < hull->face_count; i++) {
        thin = fmin(thin, hull->faces[i].offset);
    }
    return fmax(thin, 0);
}

double cri_shape_thin(const cr_shape *shape)
{
    switch (shape->kind) {
    case CR_SHAPE_PLANE:
        return 1e9; // finite, to be multiplied
    case CR_SHAPE_SPHERE:
    case CR_SHAPE_CAPSULE:
        return shape->radius;
    case CR_SHAPE_BOX:
        return fmin(fmin(shape->half.x, shape->half.y), shape->half.z);
    case CR_SHAPE_CYLINDER:
        return fmin(shape->radius, shape->half.z);
    case CR_SHAPE_PRISM:
        return fmin(thin_outline(shape), shape->half.z);
    case CR_SHAPE_HULL:
        return thin_hull(shape->hull);
    }
    return 0;
}

double cri_shape_radius(const cr_shape *shape, cr_pose pose)
{
    cr_vec3 o = cri_pose_local(pose, cri_vec3(0, 0, 0));
    switch (shape->kind) {
    case CR_SHAPE_PLANE:
        return HUGE_VAL;
    case CR_SHAPE_SPHERE:
        return cri_length(pose.position) + shape->radius;
    case CR_SHAPE_CAPSULE:
        o.z = fabs(o.z) + shape->half.z;
        return cri_length(o) + shape->radius;
    case CR_SHAPE_HULL:
        return hull_radius(shape->hull, o);
    case CR_SHAPE_BOX:
    case CR_SHAPE_CYLINDER:
    case CR_SHAPE_PRISM:
        break;
    }
    return outlined_radius(shape, o);
}

static double outline_support(const cr_shape *shape, double x, double y)
{
    if (shape->kind == CR_SHAPE_BOX) {
        return fabs(x) * shape->half.x + fabs(y) * shape->half.y;
    }
    if (shape->kind == CR_SHAPE_CYLINDER) {
        return sqrt(x * x + y * y) * shape->radius;
    }
    double best = -HUGE_VAL;
    for (int i = 0; i < shape->point_count; i++) {
        best = fmax(best, x * shape->points[i].x + y * shape->points[i].y);
    }
    return best;
}

static double hull_support(const cr_hull *hull, cr_vec3 d)
{
    double best = -HUGE_VAL;
    for (int i = 0; i < hull->corner_count; i++) {
        best = fmax(best, cri_dot(hull->corners[i], d));
    }
    return best;
}

double cri_shape_support(const cr_shape *shape, cr_pose pose, cr_vec3 direction)
{
    double center = cri_dot(pose.position, direction);
    cr_vec3 d = cri_unrotate(pose.rotation, direction);
    switch (shape->kind) {
    case CR_SHAPE_PLANE:
        return d.z > 1 - 1e-12 ? center : HUGE_VAL;
    case CR_SHAPE_SPHERE:
        return center + shape->radius;
    case CR_SHAPE_CAPSULE:
        return center + fabs(d.z) * shape->half.z + shape->radius;
    case CR_SHAPE_HULL:
        return center + hull_support(shape->hull, d);
    case CR_SHAPE_BOX:
    case CR_SHAPE_CYLINDER:
    case CR_SHAPE_PRISM:
        break;
    }
    return center + outline_support(shape, d.x, d.y) + fabs(d.z) * shape->half.z;
}

// ---------------------------------------------------------------------------------------------
// Masses.

static cri_mass cuboid_mass(cr_vec3 h)
{
    double v = 8 * h.x * h.y * h.z;
    return (cri_mass){.volume = v,
                      .inertia = {v * (h.y * h.y + h.z * h.z) / 3, v * (h.x * h.x + h.z * h.z) / 3,
                                  v * (h.x * h.x + h.y * h.y) / 3}};
}

static cri_mass cylinder_mass(double r, double h)
{

    double v = CRI_PI * r * r * 2 * h, side = v * (r * r / 4 + h * h / 3);
    return (cri_mass){.volume = v, .inertia = {side, side, v * r * r / 2}};
}

// Sums over the triangles between the origin and each edge.
static cri_mass prism_mass(const cr_shape *shape)
{
    double area = 0, x = 0, y = 0, xx = 0, yy = 0;
    for (int i = 0; i < shape->point_count; i++) {
        cr_vec2 a = shape->points[i], b = shape->points[i + 1 < shape->point_count ? i + 1 : 0];
        double cross = a.x * b.y - b.x * a.y;
        area += cross / 2;
        x += cross * (a.x + b.x) / 6;
        y += cross * (a.y + b.y) / 6;
        xx += cross * (a.x * a.x + a.x * b.x + b.x * b.x) / 12;
        yy += cross * (a.y * a.y + a.y * b.y + b.y * b.y) / 12;
    }
    double tall = 2 * shape->half.z, v = area * tall, zz = v * tall * tall / 12;
    x /= area, y /= area;
    xx = (xx - area * x * x) * tall, yy = (yy - area * y * y) * tall;
    return (cri_mass){v, {x, y, 0}, {yy + zz, xx + zz, xx + yy}};
}

// A cylinder and two half balls: a half ball's second moment about its flat side's middle is a
// ball's, and its centre is 3/8 of the radius away from it.
static cri_mass capsule_mass(double r, double h)
{
    cri_mass m = cylinder_mass(r, h);
    double ends = 4 * CRI_PI * r * r * r / 3;
    double side = ends * (2 * r * r / 5 + h * h + 2 * h * 3 * r / 8);
    m.volume += ends;
    m.inertia.x += side, m.inertia.y += side;
    m.inertia.z += ends * 2 * r * r / 5;
    return m;
}

cri_mass cri_shape_mass(const cr_shape *shape)
{

    double r = shape->radius;
    switch (shape->kind) {
    case CR_SHAPE_PLANE:
        break;
    case CR_SHAPE_SPHERE: {
        double v = 4 * CRI_PI * r * r * r / 3, i = 2 * v * r * r / 5;
        return (cri_mass){.volume = v, .inertia = {i, i, i}};
    }
    case CR_SHAPE_BOX:
        return cuboid_mass(shape->half);
    case CR_SHAPE_CYLINDER:
        return cylinder_mass(r, shape->half.z);
    case CR_SHAPE_PRISM:
        return prism_mass(shape);
    case CR_SHAPE_CAPSULE:
        return capsule_mass(r, shape->half.z);
    case CR_SHAPE_HULL:
        return cri_hull_mass(shape->hull);
    }
    return (cri_mass){0};
}
