// Hulls and capsules against each other and against boxes, cylinders and prisms.
//
// Each is a core, a polyhedron or, of a capsule, a line, with a radius around it. What is sought is
// the direction n, from a to b, along which the two are farthest apart (the separating axis):
//
//     gap(n) = n . d - reach of a along n - reach of b along -n,     d: from a to b
//
// It is the normal of a face of one of them, or, where the cores are apart, the way between their
// nearest points (GJK; Gilbert, Johnson and Keerthi 1988), or, where they overlap, across an edge
// of each. A direction that is not the best one gives a gap that is too small, never one that is
// too large.
//
// The contact points are then those of two faces that look at each other, seen along n.
#include "geom/hull.h"
#include "geom/shape.h"

// Another kind of direction is taken where it is better by this much: contacts are not to flicker.
static const double SLACK = 1e-6; // m
// Where edges meet, points lie right on the border of a face: so far beyond it they count.
static const double BORDER = 1e-7; // m
static const double NEAR = 1e-6;   // m: cores nearer than this have no way between them
enum { PASSES_MAX = 32 };

typedef struct body {
    const cr_hull *hull; // NULL: a line along z
    double half, radius;
    cr_pose pose;
} body;

typedef struct pair {
    body a, b;
    cr_vec3 d;
    cr_vec3 normal; // the best so far
    double gap;
    bool met;     // it is the way to one point of b, from a's place:
    cr_vec3 spot; // without its radius
} pair;

// ---------------------------------------------------------------------------------------------
// Reaches.

// The corner of a core that is farthest along a direction, from the body's place.
static cr_vec3 outermost(const body *p, cr_vec3 direction)
{
    cr_vec3 d = cri_unrotate(p->pose.rotation, direction), best = {0, 0, 0};
    if (!p->hull) {
        best.z = d.z < 0 ? -p->half : p->half;
    } else {
        double most = -HUGE_VAL;
        for (int i = 0; i < p->hull->corner_count; i++) {
            double along = cri_dot(p->hull->corners[i], d);
            if (along > most) {
                most = along;
                best = p->hull->corners[i];
            }
        }
    }
    return cri_rotate(p->pose.rotation, best);
}

static double reach(const body *p, cr_vec3 n)
{
    return cri_dot(outermost(p, n), n) + p->radius;
}

static double gap_along(const pair *p, cr_vec3 n)
{
    return cri_dot(p->d, n) - reach(&p->a, n) - reach(&p->b, cri_neg(n));
}

// Returns whether it is better by that much, and taken.
static bool try_normal(pair *p, cr_vec3 n, double slack)
{
    double gap = gap_along(p, n);
    bool better = gap > p->gap + slack;
    if (better) {
        p->gap = gap;
        p->normal = n;
        p->met = false;
    }
    return better;
}

// The same, for the way to a point of b.
static void try_spot(pair *p, cr_vec3 n, cr_vec3 spot)
{
    if (try_normal(p, n, SLACK)) {
        p->met = true;
        p->spot = spot;
    }
}

// sign: 1 for a, whose normals look at b; -1 for b.
static void try_faces(pair *p, const body *of, double sign)
{
    pair best = *p;
    best.gap = -HUGE_VAL;
    for (int f = 0; of->hull && f < of->hull->face_count; f++) {
        cr_vec3 n = cri_rotate(of->pose.rotation, of->hull->faces[f].normal);
        try_normal(&best, cri_scale(sign, n), SLACK);
    }
    if (best.gap > p->gap + SLACK) {
        *p = best;
    }
}

// ---------------------------------------------------------------------------------------------
// The way between two cores.

// A corner of the difference of the cores, and the corner of b that it comes from.
typedef struct corner {
    cr_vec3 at, on_b;
} corner;

// Up to three corners, and the nearest point to the origin between them.
typedef struct simplex {
    corner corners[3];
    corner nearest;
    double square; // of its length
} simplex;

static corner difference(const pair *p, cr_vec3 n)
{
    cr_vec3 b = cri_add(p->d, outermost(&p->b, cri_neg(n)));
    return (corner){cri_sub(b, outermost(&p->a, n)), b};
}

// The point with these shares of three corners.
static void keep_nearer(simplex *s, const corner c[3], double j, double k)
{
    cr_vec3 at = cri_mad(cri_scale(1 - j - k, c[0].at), j, c[1].at);
    at = cri_mad(at, k, c[2].at);
    double square = cri_dot(at, at);
    if (square < s->square) {
        cr_vec3 b = cri_mad(cri_scale(1 - j - k, c[0].on_b), j, c[1].on_b);
        *s = (simplex){{c[0], c[1], c[2]}, {at, cri_mad(b, k, c[2].on_b)}, square};
    }
}

static void try_line(simplex *s, corner w, corner to)
{
    cr_vec3 e = cri_sub(to.at, w.at);
    double length = cri_dot(e, e);
    double share = length > 0 ? cri_clamp(-cri_dot(w.at, e) / length, 0, 1) : 0;
    keep_nearer(s, (const corner[3]){w, to, to}, share, 0);
}

// The inside of a triangle: where the foot of the origin has positive shares of all corners.
static void try_triangle(simplex *s, corner w, corner i, corner j)
{
    cr_vec3 n = cri_cross(cri_sub(i.at, w.at), cri_sub(j.at, w.at));
    double area = cri_dot(n, n), of_w = cri_dot(n, cri_cross(i.at, j.at));
    double of_i = cri_dot(n, cri_cross(j.at, w.at)), of_j = cri_dot(n, cri_cross(w.at, i.at));
    if (of_w >= 0 && of_i >= 0 && of_j >= 0 && area > 1e-30) {
        keep_nearer(s, (const corner[3]){w, i, j}, of_i / area, of_j / area);
    }
}

// Whether the origin lies in the tetrahedron of a simplex and one more corner.
static bool holds_origin(const simplex *s, cr_vec3 w)
{
    cr_vec3 i = s->corners[0].at, j = s->corners[1].at, k = s->corners[2].at;
    double top = cri_dot(i, cri_cross(j, k)), one = -cri_dot(w, cri_cross(j, k));
    double two = -cri_dot(i, cri_cross(w, k)), three = -cri_dot(i, cri_cross(j, w));
    double all = top + one + two + three;
    return all != 0 && top * all >= 0 && one * all >= 0 && two * all >= 0 && three * all >= 0;
}

// The unit vector from the nearest point of a's core to that of b's, and that point; false where
// they overlap.
static bool way_between(const pair *p, cr_vec3 *n, cr_vec3 *spot)
{
    corner first = difference(p, p->normal);
    simplex s = {{first, first, first}, first, cri_dot(first.at, first.at)};
    for (int pass = 0; pass < PASSES_MAX; pass++) {
        if (s.square < NEAR * NEAR) {
            return false;
        }
        corner w = difference(p, s.nearest.at);
        simplex before = s;
        if (s.square - cri_dot(s.nearest.at, w.at) <= 1e-12 * s.square) {
            break;
        }
        if (holds_origin(&s, w.at)) {
            return false;
        }
        s.square = HUGE_VAL;
        for (int k = 0; k < 3; k++) {
            try_line(&s, w, before.corners[k]);
            try_triangle(&s, w, before.corners[k], before.corners[(k + 1) % 3]);
        }
        if (s.square >= before.square) {
            s = before;
            break;
        }
    }
    *n = cri_scale(1 / sqrt(s.square), s.nearest.at);
    *spot = s.nearest.on_b;
    return true;
}

// ---------------------------------------------------------------------------------------------
// Edges that cross.

// An edge from a corner, from a's place.
typedef struct edge {
    cr_vec3 from, along;
} edge;

// Each edge once, out of the two faces that have it. Returns how many.
static int list_edges(const body *p, cr_vec3 at, edge *edges)
{
    int count = 0;
    if (!p->hull) {
        cr_vec3 axis = cri_rotate(p->pose.rotation, cri_vec3(0, 0, 1));
        edges[0] = (edge){at, axis};
        return 1;
    }
    for (int f = 0; f < p->hull->face_count; f++) {
        const cr_hull_face *face = &p->hull->faces[f];
        const int *ring = &p->hull->ring[face->first];
        for (int i = 0; i < face->count; i++) {
            int from = ring[i], to = ring[i + 1 < face->count ? i + 1 : 0];
            if (from < to) {
                cr_vec3 c = p->hull->corners[from], d = p->hull->corners[to];
                edges[count++] = (edge){cri_add(at, cri_rotate(p->pose.rotation, c)),
                                        cri_rotate(p->pose.rotation, cri_sub(d, c))};
            }
        }
    }
    return count;
}

// The point of b's edge that is nearest to the line of a's.
static cr_vec3 crossing(const edge *a, const edge *b)
{
    cr_vec3 u = a->along, v = b->along, d = cri_sub(b->from, a->from);
    double uu = cri_dot(u, u), uv = cri_dot(u, v), vv = cri_dot(v, v);
    double share = (uv * cri_dot(u, d) - uu * cri_dot(v, d)) / (uu * vv - uv * uv);
    return cri_mad(b->from, share, v);
}

// Two edges are no nearer to each other than their bodies: few need a closer look. Those that are
// farther apart than the bodies are not the outermost ones.
static void try_crossing(pair *p, cr_vec3 n, const edge *a, const edge *b)
{
    double apart = cri_dot(n, cri_sub(b->from, a->from)) - p->a.radius - p->b.radius;
    if (apart > p->gap + SLACK && apart - gap_along(p, n) < 1e-9) {
        try_spot(p, n, crossing(a, b));
    }
}

static void try_edges(pair *p)
{
    edge a[CR_HULL_MAX_RING / 2], b[CR_HULL_MAX_RING / 2];
    int count_a = list_edges(&p->a, cri_vec3(0, 0, 0), a), count_b = list_edges(&p->b, p->d, b);
    for (int i = 0; i < count_a; i++) {
        for (int j = 0; j < count_b; j++) {
            cr_vec3 n = cri_cross(a[i].along, b[j].along);
            double length = cri_length(n);
            double apart = cri_dot(n, cri_sub(b[j].from, a[i].from));
            double side = apart < 0 ? -1 : 1;
            if (length * length <=
                1e-12 * cri_dot(a[i].along, a[i].along) * cri_dot(b[j].along, b[j].along)) {
                continue; // parallel: the faces say it all
            }
            // Where they overlap, the edges are on the far sides of each other.
            for (int k = 0; k < 2; k++, side = -side) {
                try_crossing(p, cri_scale(side / length, n), &a[i], &b[j]);
            }
        }
    }
}

// ---------------------------------------------------------------------------------------------
// Points.

enum { RING_MAX = CR_HULL_MAX_CORNERS, CUT_MAX = 2 * RING_MAX };

// A polygon, or a line of two points; from a's place.
typedef struct outline {
    int count;
    cr_vec3 points[CUT_MAX];
    cr_vec3 normal;
} outline;

static int facing(const body *p, cr_vec3 n)
{
    int best = 0;
    double most = -HUGE_VAL;
    cr_vec3 d = cri_unrotate(p->pose.rotation, n);
    for (int f = 0; f < p->hull->face_count; f++) {
        double along = cri_dot(p->hull->faces[f].normal, d);
        if (along > most + 1e-9) {
            most = along, best = f;
        }
    }
    return best;
}

// What a body shows along n: a face, or the side of a capsule.
static void show(const body *p, cr_vec3 at, cr_vec3 n, outline *out)
{
    cr_vec3 around = cri_mad(at, p->radius, n);
    if (!p->hull) {
        cr_vec3 end = cri_rotate(p->pose.rotation, cri_vec3(0, 0, p->half));
        out->count = 2;
        out->points[0] = cri_add(around, end), out->points[1] = cri_sub(around, end);
        out->normal = n;
        return;
    }
    const cr_hull_face *f = &p->hull->faces[facing(p, n)];
    out->count = f->count;
    out->normal = cri_rotate(p->pose.rotation, f->normal);
    for (int i = 0; i < f->count; i++) {
        cr_vec3 own = p->hull->corners[p->hull->ring[f->first + i]];
        out->points[i] = cri_add(around, cri_rotate(p->pose.rotation, own));
    }
}

// Cut away what lies in front of a plane with a unit normal (Sutherland and Hodgman). A line stays
// a line.
static void cut(outline *p, cr_vec3 point, cr_vec3 normal)
{
    outline out = {.count = 0, .normal = p->normal};
    int sides = p->count == 2 ? 1 : p->count;
    for (int i = 0; i < p->count && out.count + 2 <= CUT_MAX; i++) {
        cr_vec3 from = p->points[i], to = p->points[i + 1 < p->count ? i + 1 : 0];
        double d0 = cri_dot(normal, cri_sub(from, point)) - BORDER;
        double d1 = cri_dot(normal, cri_sub(to, point)) - BORDER;
        if (d0 <= 0) {
            out.points[out.count++] = from;
        }
        if (i < sides && ((d0 < 0 && d1 > 0) || (d0 > 0 && d1 < 0))) {
            out.points[out.count++] = cri_mad(from, d0 / (d0 - d1), cri_sub(to, from));
        }
    }
    *p = out;
}

// The points of one outline in front of the other, the face, seen along n; from the face to it.
static void land(const outline *face, outline *other, cr_vec3 n, double margin, cri_candidates *set)
{
    double cosine = cri_dot(face->normal, n);
    for (int i = 0; i < face->count && other->count > 0; i++) {
        cr_vec3 from = face->points[i], to = face->points[i + 1 < face->count ? i + 1 : 0];
        cr_vec3 side = cri_cross(cri_sub(to, from), n);
        cut(other, from, cri_unit(side, side));
    }
    for (int i = 0; i < other->count; i++) {
        double gap =
            cri_dot(face->normal, cri_sub(other->points[i], face->points[0])) / fmax(cosine, 0.1);
        if (gap <= margin) {
            cri_candidate_add(set, other->points[i], n, gap);
        }
    }
}

// Where no point is as near as the two are, the one that they are nearest at, or the outermost
// corner of b.
static void keep_nearest(const pair *p, cri_candidates *set)
{
    double least = HUGE_VAL;
    for (int i = 0; i < set->count; i++) {
        least = fmin(least, -set->touches[i].depth);
    }
    if (least > p->gap + 1e-4) {
        cr_vec3 spot = p->met ? p->spot : cri_add(p->d, outermost(&p->b, cri_neg(p->normal)));
        cri_candidate_add(set, cri_mad(spot, -p->b.radius, p->normal), p->normal, p->gap);
    }
}

// Two lines with a radius: those that lie along each other touch at two points.
static void cross_lines(const pair *p, double margin, cri_candidates *set)
{
    cr_vec3 u = cri_rotate(p->a.pose.rotation, cri_vec3(0, 0, 1));
    cr_vec3 v = cri_rotate(p->b.pose.rotation, cri_vec3(0, 0, 1));
    double c = cri_dot(u, v), x = cri_dot(p->d, u), y = cri_dot(p->d, v), across = 1 - c * c;
    double ends[2] = {-p->b.half, p->b.half};
    if (across > 1e-4) {
        ends[0] = ends[1] = (c * x - y) / across;
    } else {
        // The part of b beside a.
        for (int i = 0; i < 2; i++) {
            double on_a = cri_clamp(x + c * ends[i], -p->a.half, p->a.half);
            ends[i] = c * (on_a - x);
        }
    }
    for (int i = 0; i < 2; i++) {
        double on_b = cri_clamp(ends[i], -p->b.half, p->b.half);
        double on_a = cri_clamp(x + c * on_b, -p->a.half, p->a.half);
        on_b = cri_clamp(c * on_a - y, -p->b.half, p->b.half);
        cr_vec3 b = cri_mad(p->d, on_b, v), way = cri_mad(b, -on_a, u);
        cr_vec3 n = cri_unit(way, p->normal);
        double gap = cri_length(way) - p->a.radius - p->b.radius;
        if (gap <= margin) {
            cri_candidate_add(set, cri_mad(b, -p->b.radius, n), n, gap);
        }
    }
}

static void swap_sides(cri_candidates *set)
{
    for (int i = 0; i < set->count; i++) {
        set->touches[i].normal = cri_neg(set->touches[i].normal);
    }
}

static void find_points(const pair *p, double margin, cri_candidates *set)
{
    outline a, b;
    cr_vec3 o = {0, 0, 0}, back = cri_neg(p->normal);
    show(&p->a, o, p->normal, &a);
    show(&p->b, p->d, back, &b);
    bool first =
        !p->b.hull || (p->a.hull && cri_dot(a.normal, p->normal) >= cri_dot(b.normal, back) - 1e-6);
    if (first) {
        land(&a, &b, p->normal, margin, set);
    } else {
        land(&b, &a, back, margin, set);
        swap_sides(set);
    }
    keep_nearest(p, set);
}

// ---------------------------------------------------------------------------------------------

static body body_of(const cr_shape *shape, cr_pose pose, cr_hull *made)
{
    bool round = shape->kind == CR_SHAPE_CAPSULE;
    return (body){.hull = round ? NULL : cri_shape_hull(shape, made),
                  .half = shape->half.z,
                  .radius = round ? shape->radius : 0,
                  .pose = pose};
}

// The normal and the gap of two bodies.
static void separate(pair *p, double margin)
{
    cr_vec3 n, spot;
    try_faces(p, &p->a, 1);
    try_faces(p, &p->b, -1);
    if (p->gap > margin) {
        return;
    }
    if (way_between(p, &n, &spot)) {
        try_spot(p, n, spot);
    } else {
        try_edges(p);
    }
}

int cri_collide_convex(const cr_shape *a, cr_pose pose_a, const cr_shape *b, cr_pose pose_b,
                       double margin, cri_touch touches[CRI_TOUCH_MAX])
{
    cr_hull made[2];
    pair p = {.a = body_of(a, pose_a, &made[0]), .b = body_of(b, pose_b, &made[1])};
    p.d = cri_sub(pose_b.position, pose_a.position);
    p.normal = cri_unit(p.d, cri_vec3(0, 0, 1));
    p.gap = gap_along(&p, p.normal);
    cri_candidates set = {.count = 0};
    if (!p.a.hull && !p.b.hull) {
        cross_lines(&p, margin, &set);
    } else {
        separate(&p, margin);
        if (p.gap > margin) {
            return 0;
        }
        find_points(&p, margin, &set);
    }
    int count = cri_candidates_reduce(&set, touches);
    for (int i = 0; i < count; i++) {
        touches[i].point = cri_add(touches[i].point, pose_a.position);
    }
    return count;
}
