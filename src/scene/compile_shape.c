// Shapes of bodies: spheres, boxes, cylinders, prisms, capsules, hulls and planes.
#include "scene/compile.h"

#include <math.h>

#include "base/trig.h"
#include "base/vec.h"
#include "geom/hull.h"

enum { SIDES_DEFAULT = 16, HULL_POINTS_MAX = 1000 };

static bool read_box(cri_compiler *c, const cri_node *node, cr_shape *shape)
{
    if (!cri_read_list(c, node, "box", 3, 3)) {
        return false;
    }
    double size[3];
    bool good = true;
    for (int i = 0; i < 3; i++) {
        good = cri_read_number(c, &node->items[i], "box size", &cri_range_length, &size[i]) && good;
    }
    if (good) {
        shape->half = (cr_vec3){size[0] / 2, size[1] / 2, size[2] / 2};
    }
    return good;
}

static bool read_height(cri_compiler *c, const cri_node *node, cr_shape *shape)
{
    double height;
    if (!node || !cri_read_number(c, node, "height", &cri_range_length, &height)) {
        return false;
    }
    shape->half.z = height / 2;
    return true;
}

static bool read_cylinder(cri_compiler *c, const cri_node *node, cr_shape *shape)
{
    const cri_node *values[CRI_CYLINDER_COUNT];
    bool good = cri_read_map(c, node, &cri_keys_cylinder, values);
    const cri_node *radius = values[CRI_CYLINDER_RADIUS];
    good =
        radius && cri_read_number(c, radius, "radius", &cri_range_length, &shape->radius) && good;
    good = read_height(c, values[CRI_CYLINDER_HEIGHT], shape) && good;
    shape->half.x = shape->half.y = shape->radius;
    return good;
}

// The turn that brings z onto a unit normal, by the half-way quaternion.
static cr_quat turn_z_onto(cr_vec3 normal)
{
    if (normal.z < -0.999999999) {
        return (cr_quat){1, 0, 0, 0};
    }
    return cri_quat_unit((cr_quat){-normal.y, normal.x, 0, 1 + normal.z});
}

static bool read_plane(cri_compiler *c, const cri_node *node, cr_quat *rotation)
{
    cr_vec3 normal;
    if (!cri_read_vector(c, node, "plane", 3, NULL, &normal)) {
        return false;
    }
    if (cri_length(normal) < 1e-6) {
        return cri_compile_fail(c, CR_ERR_RANGE, node, "plane: the normal must not be zero");
    }
    *rotation = turn_z_onto(cri_unit(normal, normal));
    return true;
}

// ---------------------------------------------------------------------------------------------
// Prisms.

static double turn(cr_vec2 a, cr_vec2 b, cr_vec2 p)
{
    return (b.x - a.x) * (p.y - a.y) - (b.y - a.y) * (p.x - a.x);
}

static double area(const cr_vec2 *p, int count)
{
    double sum = 0;
    for (int i = 1; i + 1 < count; i++) {
        sum += turn(p[0], p[i], p[i + 1]) / 2;
    }
    return sum;
}

static void reverse(cr_vec2 *p, int count)
{
    for (int i = 0, j = count - 1; i < j; i++, j--) {
        cr_vec2 swap = p[i];
        p[i] = p[j];
        p[j] = swap;
    }
}

static bool turns_left(cr_vec2 a, cr_vec2 b, cr_vec2 p)
{
    double dx = b.x - a.x, dy = b.y - a.y;
    return turn(a, b, p) > 1e-9 * sqrt(dx * dx + dy * dy);
}

// The first corner where the outline does not turn left, or, for a star that turns left at every
// corner but more than once round, one that lies on the wrong side of an edge; or -1.
static int find_dent(const cr_vec2 *p, int count)
{
    for (int i = 0; i < count; i++) {
        if (!turns_left(p[(i + count - 1) % count], p[i], p[(i + 1) % count])) {
            return i;
        }
    }
    for (int i = 0; i < count; i++) {
        for (int k = 2; k < count; k++) {
            int j = (i + k) % count;
            if (!turns_left(p[i], p[(i + 1) % count], p[j])) {
                return j;
            }
        }
    }
    return -1;
}

static bool read_points(cri_compiler *c, const cri_node *node, cr_vec2 *points, int *count)
{
    if (!cri_read_list(c, node, "points", 3, CR_PRISM_MAX_POINTS)) {
        return false;
    }
    for (int i = 0; i < node->count; i++) {
        cr_vec3 point;
        if (!cri_read_list(c, &node->items[i], "a point", 2, 2) ||
            !cri_read_vector(c, &node->items[i], "a point", 2, NULL, &point)) {
            return false;
        }
        points[i] = (cr_vec2){point.x, point.y};
    }
    *count = node->count;
    bool clockwise = area(points, *count) < 0;
    if (clockwise) {
        reverse(points, *count);
    }
    int dent = find_dent(points, *count);
    if (dent >= 0) {
        int at = clockwise ? *count - 1 - dent : dent;
        return cri_compile_fail(c, CR_ERR_RANGE, &node->items[at],
                                "points must be the corners of a convex outline, got a dent or a "
                                "straight run at (%g, %g)",
                                points[dent].x, points[dent].y);
    }
    return true;
}

// A circle, cut off in front where x = front: the arc from one end of the cut to the other.
static bool read_round(cri_compiler *c, const cri_node *const *values, cr_vec2 *points, int *count)
{
    double radius = 0, front = 0;
    int sides = SIDES_DEFAULT;
    const cri_node *cut = values[CRI_PRISM_FRONT], *number = values[CRI_PRISM_SIDES];
    bool good = cri_read_number(c, values[CRI_PRISM_RADIUS], "radius", &cri_range_length, &radius);
    if (number) {
        good = cri_read_count(c, number, "sides", 3, CR_PRISM_MAX_POINTS - 1, &sides) && good;
    }
    double half_cut = 0;
    if (good && cut) {
        cri_range range = {-0.95 * radius, 0.999 * radius, false};
        good = cri_read_number(c, cut, "front", &range, &front);
        half_cut = cri_atan2(sqrt(radius * radius - front * front), front);
    }
    if (!good) {
        return false;
    }
    *count = cut ? sides + 1 : sides;
    for (int i = 0; i < *count; i++) {
        double angle = half_cut + (2 * CRI_PI - 2 * half_cut) * i / sides;
        points[i] = (cr_vec2){radius * cri_cos(angle), radius * cri_sin(angle)};
    }
    return true;
}

static bool check_prism_keys(cri_compiler *c, const cri_node *node, const cri_node *const *values)
{
    bool round = values[CRI_PRISM_RADIUS] != NULL;
    if (round == (values[CRI_PRISM_POINTS] != NULL)) {
        return cri_compile_fail(c, CR_ERR_NAME, node,
                                "a prism must have either \"points\" or \"radius\"");
    }
    const cri_node *stray =
        values[CRI_PRISM_FRONT] ? values[CRI_PRISM_FRONT] : values[CRI_PRISM_SIDES];
    if (!round && stray) {
        return cri_compile_fail(c, CR_ERR_NAME, stray,
                                "\"front\" and \"sides\" go with \"radius\", not with \"points\"");
    }
    return true;
}

static bool read_prism(cri_compiler *c, const cri_node *node, cr_shape *shape)
{
    const cri_node *values[CRI_PRISM_COUNT];
    bool good = cri_read_map(c, node, &cri_keys_prism, values);
    if (node->kind != CRI_NODE_MAP || !check_prism_keys(c, node, values)) {
        return false;
    }
    cr_vec2 *points = cri_compile_alloc(c, CR_PRISM_MAX_POINTS, sizeof *points);
    if (!points) {
        return false;
    }
    good = (values[CRI_PRISM_POINTS]
                ? read_points(c, values[CRI_PRISM_POINTS], points, &shape->point_count)
                : read_round(c, values, points, &shape->point_count)) &&
           good;
    shape->points = points;
    return read_height(c, values[CRI_PRISM_HEIGHT], shape) && good;
}

// ---------------------------------------------------------------------------------------------
// Capsules and hulls.

static bool read_capsule(cri_compiler *c, const cri_node *node, cr_shape *shape)
{
    const cri_node *values[CRI_CAPSULE_COUNT];
    double length;
    bool good = cri_read_map(c, node, &cri_keys_capsule, values);
    const cri_node *radius = values[CRI_CAPSULE_RADIUS], *straight = values[CRI_CAPSULE_LENGTH];
    good =
        radius && cri_read_number(c, radius, "radius", &cri_range_length, &shape->radius) && good;
    if (!straight || !cri_read_number(c, straight, "length", &cri_range_length, &length)) {
        return false;
    }
    shape->half = (cr_vec3){shape->radius, shape->radius, length / 2};
    return good;
}

static bool read_corners(cri_compiler *c, const cri_node *node, double scale, cr_vec3 *points)
{
    bool good = true;
    for (int i = 0; i < node->count; i++) {
        good = cri_read_list(c, &node->items[i], "a point", 3, 3) &&
               cri_read_vector(c, &node->items[i], "a point", 3, NULL, &points[i]) && good;
        points[i] = cri_scale(scale, points[i]);
        double size = cri_length(points[i]);
        if (good && !(size < 1e6)) {
            return cri_compile_fail(c, CR_ERR_RANGE, &node->items[i],
                                    "a point must lie within 1e6 m of the origin, got %g m", size);
        }
    }
    return good;
}

// The shape has the hull's own frame: that of its centre of mass and principal axes.
static bool make_hull(cri_compiler *c, const cri_node *node, const cr_vec3 *points, cr_shape *shape,
                      cr_pose *pose)
{
    cr_hull *hull = cri_compile_alloc(c, 1, sizeof *hull);
    if (!hull) {
        return false;
    }
    cr_status status = cri_hull_make(points, (size_t)node->count, hull);
    if (status == CR_ERR_MEMORY) {
        return cri_compile_fail(c, CR_ERR_MEMORY, node, "memory ran out");
    }
    if (status != CR_OK) {
        return cri_compile_fail(c, CR_ERR_RANGE, node,
                                "a hull must have a volume, got %d points in a plane", node->count);
    }
    *pose = cri_hull_settle(hull);
    *shape = cri_hull_shape(hull);
    return true;
}

// Where a scene is read from a file, its `file:` has become `points:` (scene/hulls.c).
static bool check_hull_keys(cri_compiler *c, const cri_node *node, const cri_node *const *values)
{
    if (values[CRI_HULL_FILE] && !values[CRI_HULL_POINTS]) {
        return cri_compile_fail(c, CR_ERR_FILE, values[CRI_HULL_FILE],
                                "a scene that is no file has no folder to look for \"file\" in; "
                                "give \"points\"");
    }
    if (values[CRI_HULL_FILE] || !values[CRI_HULL_POINTS]) {
        return cri_compile_fail(c, CR_ERR_NAME, node,
                                "a hull must have either \"points\" or \"file\"");
    }
    return true;
}

static bool read_hull(cri_compiler *c, const cri_node *node, cr_shape *shape, cr_pose *pose)
{
    const cri_node *values[CRI_HULL_COUNT];
    bool good = cri_read_map(c, node, &cri_keys_hull, values);
    double scale = 1;
    if (node->kind != CRI_NODE_MAP || !check_hull_keys(c, node, values)) {
        return false;
    }
    if (values[CRI_HULL_SCALE]) {
        good =
            cri_read_number(c, values[CRI_HULL_SCALE], "scale", &cri_range_length, &scale) && good;
    }
    const cri_node *list = values[CRI_HULL_POINTS];
    if (!good || !cri_read_list(c, list, "points", 4, HULL_POINTS_MAX)) {
        return false;
    }
    cr_vec3 *points = cri_compile_alloc(c, (size_t)list->count, sizeof *points);
    return points && read_corners(c, list, scale, points) &&
           make_hull(c, list, points, shape, pose);
}

bool cri_compile_shape(cri_compiler *c, const cri_node *node, cr_shape *shape, cr_pose *pose)
{
    const cri_node *value = NULL;
    int row = cri_read_choice(c, node, &cri_keys_shape, &value);
    if (row < 0) {
        return false;
    }
    *shape = (cr_shape){.kind = (cr_shape_kind)row};
    switch (shape->kind) {
    case CR_SHAPE_PLANE:
        return read_plane(c, value, &pose->rotation);
    case CR_SHAPE_SPHERE:
        return cri_read_number(c, value, "sphere radius", &cri_range_length, &shape->radius);
    case CR_SHAPE_BOX:
        return read_box(c, value, shape);
    case CR_SHAPE_CYLINDER:
        return read_cylinder(c, value, shape);
    case CR_SHAPE_PRISM:
        return read_prism(c, value, shape);
    case CR_SHAPE_CAPSULE:
        return read_capsule(c, value, shape);
    case CR_SHAPE_HULL:
        return read_hull(c, value, shape, pose);
    }
    return false;
}
