// Two outlined shapes in any attitude, as convex polyhedra: the separating axis theorem, then the
// clipping of one face against the other, or the crossing of two edges.
//
// A polyhedron is a ring of corners, drawn out by `up` and -up. Faces: 0 .. count-1 are its sides
// (side i between corners i and i+1), count is the upper cap, count+1 the lower one. Edge
// directions: 0 .. count-1 along the ring, count along `up`. An outline that is symmetric about its
// center (box, cylinder) has each edge direction twice; only the first half is tried.
#include "geom/shape.h"

typedef struct solid {
    cr_vec3 center, up; // up: half the height along z
    cr_vec3 axis;       // unit, along up
    int count;
    int distinct;                   // edge directions of the ring
    cr_vec3 ring[CRI_OUTLINE_MAX];  // corners in the middle plane, from the center
    cr_vec3 sides[CRI_OUTLINE_MAX]; // unit normals
} solid;

// A face as a polygon.
typedef struct face {
    int count;
    cr_vec3 points[4 * CRI_OUTLINE_MAX];
} face;

// The best axis so far.
typedef struct axis {
    double separation;
    cr_vec3 normal;     // from a to b
    int face_a, face_b; // the face that it is the normal of, or -1
    int edge_a, edge_b;
} axis;

static void make_solid(const cr_shape *shape, cr_pose pose, solid *s)
{
    cr_vec2 points[CRI_OUTLINE_MAX];
    s->count = cri_outline_polygon(shape, points);
    s->distinct = shape->kind == CR_SHAPE_PRISM ? s->count : s->count / 2;
    s->center = pose.position;
    s->axis = cri_rotate(pose.rotation, cri_vec3(0, 0, 1));
    s->up = cri_scale(shape->half.z, s->axis);
    cr_vec3 x = cri_rotate(pose.rotation, cri_vec3(1, 0, 0)), y = cri_cross(s->axis, x);
    for (int i = 0; i < s->count; i++) {
        cr_vec2 p = points[i], q = points[i + 1 < s->count ? i + 1 : 0];
        double ex = q.x - p.x, ey = q.y - p.y, scale = 1 / sqrt(ex * ex + ey * ey);
        s->ring[i] = cri_mad(cri_scale(p.x, x), p.y, y);
        s->sides[i] = cri_mad(cri_scale(scale * ey, x), -scale * ex, y);
    }
}

// How far it reaches along a direction, from its center.
static double reach(const solid *s, cr_vec3 d)
{
    double most = -HUGE_VAL;
    for (int i = 0; i < s->count; i++) {
        double along = cri_dot(s->ring[i], d);
        most = along > most ? along : most;
    }
    return most + fabs(cri_dot(s->up, d));
}

static cr_vec3 face_normal(const solid *s, int f)
{
    return f < s->count ? s->sides[f] : (f == s->count ? s->axis : cri_neg(s->axis));
}

// The distance of a face's plane from the center.
static double face_offset(const solid *s, int f)
{
    return f < s->count ? cri_dot(s->sides[f], s->ring[f]) : cri_dot(s->up, s->axis);
}

// ---------------------------------------------------------------------------------------------
// Edges.

typedef struct segment {
    cr_vec3 from, direction;
    double length;
} segment;

static cr_vec3 edge_direction(const solid *s, int e)
{
    return e == s->count ? s->axis : cri_cross(s->axis, s->sides[e]);
}

static cr_vec3 ring_point(const solid *s, int i, double up)
{
    cr_vec3 middle = cri_add(s->center, s->ring[i < s->count ? i : i - s->count]);
    return cri_mad(middle, up, s->up);
}

static int outer_corner(const solid *s, cr_vec3 n)
{
    int best = 0;
    for (int i = 1; i < s->count; i++) {
        if (cri_dot(s->ring[i], n) > cri_dot(s->ring[best], n)) {
            best = i;
        }
    }
    return best;
}

// The edge with that direction that reaches farthest along n.
static segment outer_edge(const solid *s, int e, cr_vec3 n)
{
    if (e == s->count) {
        return (segment){ring_point(s, outer_corner(s, n), -1), s->axis, 2 * cri_length(s->up)};
    }
    double up = cri_dot(s->up, n) < 0 ? -1 : 1;
    int twin = s->distinct < s->count ? e + s->distinct : e;
    int best = cri_dot(s->sides[twin], n) > cri_dot(s->sides[e], n) ? twin : e;
    cr_vec3 from = ring_point(s, best, up), to = ring_point(s, best + 1, up);
    return (segment){from, edge_direction(s, best), cri_length(cri_sub(to, from))};
}

// The crossing of the two edges, as a point on b.
static void edge_contact(const solid *a, const solid *b, const axis *best, cri_candidates *set)
{
    segment p = outer_edge(a, best->edge_a, best->normal);
    segment q = outer_edge(b, best->edge_b, cri_neg(best->normal));
    cr_vec3 r = cri_sub(q.from, p.from);
    double c = cri_dot(p.direction, q.direction);
    double u = (c * cri_dot(p.direction, r) - cri_dot(q.direction, r)) / (1 - c * c);
    u = cri_clamp(u, 0, q.length);
    cri_candidate_add(set, cri_mad(q.from, u, q.direction), best->normal, best->separation);
}

// ---------------------------------------------------------------------------------------------
// Axes.

// The face of p that q is farthest in front of, where that beats the best so far by `bias`.
static int try_faces(const solid *p, const solid *q, double bias, axis *best)
{
    cr_vec3 d = cri_sub(q->center, p->center);
    int found = -1;
    for (int f = 0; f < p->count + 2; f++) {
        cr_vec3 n = face_normal(p, f);
        double s = cri_dot(n, d) - face_offset(p, f) - reach(q, cri_neg(n));
        if (s > best->separation + (found < 0 ? bias : 0)) {
            best->separation = s, best->normal = n, found = f;
        }
    }
    return found;
}

static int edge_slot(const solid *s, int k)
{
    return k == s->distinct ? s->count : k;
}

// True if no corner reaches farther along n than this edge. The best axis of all is always one of
// such edges or of a face; others would put the contact where nothing touches.
static bool is_outermost(const solid *s, int e, cr_vec3 n)
{
    cr_vec3 from = cri_sub(outer_edge(s, e, n).from, s->center);
    return cri_dot(from, n) > reach(s, n) - 1e-9;
}

static void try_edge_pair(const solid *a, int ea, const solid *b, int eb, double bias, axis *best)
{
    cr_vec3 cross = cri_cross(edge_direction(a, ea), edge_direction(b, eb));
    double length = cri_length(cross);
    if (length < 1e-6) {
        return; // parallel: the faces say it all
    }
    cr_vec3 n = cri_scale(1 / length, cross), d = cri_sub(b->center, a->center);
    for (int side = 0; side < 2; side++, n = cri_neg(n)) {
        double s = cri_dot(n, d) - reach(a, n) - reach(b, cri_neg(n));
        if (s > best->separation + (best->edge_a < 0 ? bias : 0) && is_outermost(a, ea, n) &&
            is_outermost(b, eb, cri_neg(n))) {
            *best = (axis){s, n, -1, -1, ea, eb};
        }
    }
}

static axis best_axis(const solid *a, const solid *b, double margin)
{
    // Faces win over edges, and a's over b's, unless the other is better by this much: a choice
    // that flips with rounding would make contacts flicker.
    const double bias = 1e-6;
    axis best = {.separation = -HUGE_VAL, .face_b = -1, .edge_a = -1, .edge_b = -1};
    best.face_a = try_faces(a, b, 0, &best);
    int other = try_faces(b, a, bias, &best);
    if (other >= 0) {
        best.face_a = -1, best.face_b = other, best.normal = cri_neg(best.normal);
    }
    for (int i = 0; i <= a->distinct && best.separation <= margin; i++) {
        for (int j = 0; j <= b->distinct && best.separation <= margin; j++) {
            try_edge_pair(a, edge_slot(a, i), b, edge_slot(b, j), bias, &best);
        }
    }
    return best;
}

// ---------------------------------------------------------------------------------------------
// Faces.

// Counter-clockwise seen from outside.
static void make_face(const solid *s, int f, face *out)
{
    if (f < s->count) {
        out->count = 4;
        out->points[0] = ring_point(s, f, -1), out->points[1] = ring_point(s, f + 1, -1);
        out->points[2] = ring_point(s, f + 1, 1), out->points[3] = ring_point(s, f, 1);
        return;
    }
    bool upper = f == s->count;
    out->count = s->count;
    for (int i = 0; i < s->count; i++) {
        out->points[upper ? i : s->count - 1 - i] = ring_point(s, i, upper ? 1 : -1);
    }
}

static int facing(const solid *s, cr_vec3 normal)
{
    int best = 0;
    double least = HUGE_VAL;
    for (int f = 0; f < s->count + 2; f++) {
        double d = cri_dot(face_normal(s, f), normal);
        if (d < least) {
            least = d, best = f;
        }
    }
    return best;
}

static void clip(face *p, cr_vec3 point, cr_vec3 normal)
{
    face out = {.count = 0};
    for (int i = 0; i < p->count && out.count + 2 <= 4 * CRI_OUTLINE_MAX; i++) {
        cr_vec3 from = p->points[i], to = p->points[i + 1 < p->count ? i + 1 : 0];
        double d0 = cri_dot(normal, cri_sub(from, point));
        double d1 = cri_dot(normal, cri_sub(to, point));
        if (d0 <= 0) {
            out.points[out.count++] = from;
        }
        if ((d0 < 0 && d1 > 0) || (d0 > 0 && d1 < 0)) {
            out.points[out.count++] = cri_mad(from, d0 / (d0 - d1), cri_sub(to, from));
        }
    }
    p->count = out.count;
    for (int i = 0; i < out.count; i++) {
        p->points[i] = out.points[i];
    }
}

// q against face f of p; normals point from p to q.
static void face_contacts(const solid *p, int f, const solid *q, double margin, cri_candidates *set)
{
    face reference, incident;
    cr_vec3 n = face_normal(p, f);
    make_face(p, f, &reference);
    make_face(q, facing(q, n), &incident);
    for (int i = 0; i < reference.count && incident.count > 0; i++) {
        cr_vec3 from = reference.points[i];
        cr_vec3 to = reference.points[i + 1 < reference.count ? i + 1 : 0];
        clip(&incident, from, cri_cross(cri_sub(to, from), n));
    }
    for (int i = 0; i < incident.count; i++) {
        double gap = cri_dot(n, cri_sub(incident.points[i], reference.points[0]));
        if (gap <= margin) {
            cri_candidate_add(set, incident.points[i], n, gap);
        }
    }
    // Where two solids that overlap leave nothing after clipping: the deepest corner.
    cr_vec3 m = cri_neg(n);
    cr_vec3 last = ring_point(q, outer_corner(q, m), cri_dot(q->up, m) < 0 ? -1 : 1);
    double gap = cri_dot(n, cri_sub(last, reference.points[0]));
    if (set->count == 0 && gap < 0) {
        cri_candidate_add(set, last, n, gap);
    }
}

static void swap_sides(cri_candidates *set)
{
    for (int i = 0; i < set->count; i++) {
        set->touches[i].normal = cri_neg(set->touches[i].normal);
    }
}

// ---------------------------------------------------------------------------------------------

static int collide_solids(const solid *a, const solid *b, double margin, cri_touch *touches)
{
    axis best = best_axis(a, b, margin);
    if (best.separation > margin) {
        return 0;
    }
    cri_candidates set = {.count = 0};
    if (best.edge_a >= 0) {
        edge_contact(a, b, &best, &set);
    } else if (best.face_a >= 0) {
        face_contacts(a, best.face_a, b, margin, &set);
    } else {
        face_contacts(b, best.face_b, a, margin, &set);
        swap_sides(&set);
    }
    return cri_candidates_reduce(&set, touches);
}

int cri_collide_outlined(const cr_shape *a, cr_pose pose_a, const cr_shape *b, cr_pose pose_b,
                         double margin, cri_touch touches[CRI_TOUCH_MAX])
{
    cr_vec3 up_a = cri_rotate(pose_a.rotation, cri_vec3(0, 0, 1));
    cr_vec3 up_b = cri_rotate(pose_b.rotation, cri_vec3(0, 0, 1));
    // A tilt of 1e-6 moves the end of a 10 cm body by 0.1 um.
    if (fabs(cri_dot(up_a, up_b)) > 1 - 5e-13) {
        return cri_collide_parallel(a, pose_a, b, pose_b, margin, touches);
    }
    solid sa, sb;
    make_solid(a, pose_a, &sa);
    make_solid(b, pose_b, &sb);
    return collide_solids(&sa, &sb, margin, touches);
}
