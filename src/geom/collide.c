// Contacts of two shapes: the dispatch, spheres and planes. The pair is brought into the order
// plane, sphere, box, cylinder, prism, capsule, hull, so that each combination is written once.
#include "geom/shape.h"

// ---------------------------------------------------------------------------------------------
// Candidates.

void cri_candidate_add(cri_candidates *set, cr_vec3 point, cr_vec3 normal, double gap)
{
    cr_vec3 middle = cri_mad(point, -gap / 2, normal);
    for (int i = 0; i < set->count; i++) {
        cr_vec3 d = cri_sub(set->touches[i].point, middle);
        if (cri_dot(d, d) < 1e-10) {
            return;
        }
    }
    if (set->count < CRI_CANDIDATE_MAX) {
        set->touches[set->count++] = (cri_touch){middle, normal, -gap};
    }
}

static int deepest(const cri_candidates *set)
{
    int best = 0;
    for (int i = 1; i < set->count; i++) {
        if (set->touches[i].depth > set->touches[best].depth) {
            best = i;
        }
    }
    return best;
}

int cri_candidates_reduce(const cri_candidates *set, cri_touch touches[CRI_TOUCH_MAX])
{
    bool kept[CRI_CANDIDATE_MAX] = {false};
    double apart[CRI_CANDIDATE_MAX]; // squared distance to the nearest one kept
    int next = set->count > 0 ? deepest(set) : -1;
    for (int i = 0; i < set->count; i++) {
        apart[i] = HUGE_VAL;
    }
    for (int n = 0; n < CRI_TOUCH_MAX && next >= 0; n++) {
        int last = next;
        kept[last] = true;
        next = -1;
        for (int i = 0; i < set->count; i++) {
            cr_vec3 d = cri_sub(set->touches[i].point, set->touches[last].point);
            double d2 = cri_dot(d, d);
            apart[i] = d2 < apart[i] ? d2 : apart[i];
            if (!kept[i] && (next < 0 || apart[i] > apart[next])) {
                next = i;
            }
        }
    }
    int count = 0;
    for (int i = 0; i < set->count; i++) {
        if (kept[i]) {
            touches[count++] = set->touches[i];
        }
    }
    return count;
}

// ---------------------------------------------------------------------------------------------
// Spheres and planes.

// b is a sphere.
static int collide_sphere(const cr_shape *a, cr_pose pose_a, const cr_shape *b, cr_pose pose_b,
                          double margin, cri_touch *touches)
{
    cri_nearest near = cri_shape_nearest(a, pose_a, pose_b.position);
    double gap = near.distance - b->radius;
    if (gap > margin) {
        return 0;
    }
    touches[0] = (cri_touch){cri_mad(near.point, gap / 2, near.normal), near.normal, -gap};
    return 1;
}

// A plane as a point on it and its normal.
typedef struct plane {
    cr_vec3 point, normal;
} plane;

static void add_above(cri_candidates *set, plane ground, cr_vec3 point, double margin)
{
    double gap = cri_dot(ground.normal, cri_sub(point, ground.point));
    if (gap <= margin) {
        cri_candidate_add(set, point, ground.normal, gap);
    }
}

// Eight points of the lower rim, the lowest first, and the lowest of the upper one.
static void add_rims(cri_candidates *set, plane ground, const cr_shape *shape, cr_pose pose,
                     double margin)
{
    cr_vec3 down = cri_unrotate(pose.rotation, cri_neg(ground.normal));
    double z = down.z < 0 ? -shape->half.z : shape->half.z;
    cr_vec3 u = cri_unit(cri_vec3(down.x, down.y, 0), cri_vec3(1, 0, 0));
    const double half = 0.70710678118654752440;
    const cr_vec2 turns[8] = {{1, 0},  {half, half},   {0, 1},  {-half, half},
                              {-1, 0}, {-half, -half}, {0, -1}, {half, -half}};
    for (int i = 0; i < 8; i++) {
        double x = u.x * turns[i].x - u.y * turns[i].y, y = u.y * turns[i].x + u.x * turns[i].y;
        cr_vec3 local = {shape->radius * x, shape->radius * y, z};
        add_above(set, ground, cri_pose_point(pose, local), margin);
    }
    cr_vec3 other = {shape->radius * u.x, shape->radius * u.y, -z};
    add_above(set, ground, cri_pose_point(pose, other), margin);
}

static void add_corners(cri_candidates *set, plane ground, const cr_shape *shape, cr_pose pose,
                        double margin)
{
    cr_vec2 points[CRI_OUTLINE_MAX];
    int count = cri_outline_polygon(shape, points);
    for (int i = 0; i < 2 * count; i++) {
        double z = i < count ? -shape->half.z : shape->half.z;
        cr_vec3 local = {points[i % count].x, points[i % count].y, z};
        add_above(set, ground, cri_pose_point(pose, local), margin);
    }
}

// The lowest points of the two round ends of a capsule.
static void add_ends(cri_candidates *set, plane ground, const cr_shape *shape, cr_pose pose,
                     double margin)
{
    for (int i = -1; i <= 1; i += 2) {
        cr_vec3 end = cri_pose_point(pose, cri_vec3(0, 0, i * shape->half.z));
        add_above(set, ground, cri_mad(end, -shape->radius, ground.normal), margin);
    }
}

// a is a plane, b is neither plane nor sphere.
static int collide_plane(cr_pose pose_a, const cr_shape *b, cr_pose pose_b, double margin,
                         cri_touch *touches)
{
    plane ground = {pose_a.position, cri_rotate(pose_a.rotation, cri_vec3(0, 0, 1))};
    cri_candidates set = {.count = 0};
    if (b->kind == CR_SHAPE_CYLINDER) {
        add_rims(&set, ground, b, pose_b, margin);
    } else if (b->kind == CR_SHAPE_CAPSULE) {
        add_ends(&set, ground, b, pose_b, margin);
    } else if (b->kind == CR_SHAPE_HULL) {
        for (int i = 0; i < b->hull->corner_count; i++) {
            add_above(&set, ground, cri_pose_point(pose_b, b->hull->corners[i]), margin);
        }
    } else {
        add_corners(&set, ground, b, pose_b, margin);
    }
    return cri_candidates_reduce(&set, touches);
}

// ---------------------------------------------------------------------------------------------

static int flip(cri_touch *touches, int count)
{
    for (int i = 0; i < count; i++) {
        touches[i].normal = cri_neg(touches[i].normal);
    }
    return count;
}

int cri_collide(const cr_shape *a, cr_pose pose_a, const cr_shape *b, cr_pose pose_b, double margin,
                cri_touch touches[CRI_TOUCH_MAX])
{
    if (a->kind > b->kind) {
        return flip(touches, cri_collide(b, pose_b, a, pose_a, margin, touches));
    }
    if (b->kind == CR_SHAPE_PLANE) {
        return 0;
    }
    if (b->kind == CR_SHAPE_SPHERE) {
        return collide_sphere(a, pose_a, b, pose_b, margin, touches);
    }
    if (a->kind == CR_SHAPE_SPHERE) {
        return flip(touches, collide_sphere(b, pose_b, a, pose_a, margin, touches));
    }
    if (a->kind == CR_SHAPE_PLANE) {
        return collide_plane(pose_a, b, pose_b, margin, touches);
    }
    if (b->kind == CR_SHAPE_CAPSULE || b->kind == CR_SHAPE_HULL) {
        return cri_collide_convex(a, pose_a, b, pose_b, margin, touches);
    }
    return cri_collide_outlined(a, pose_a, b, pose_b, margin, touches);
}
