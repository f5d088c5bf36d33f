// How two convex solids are apart, in lanes: boxes, prisms, hulls, cylinders, capsules and balls.
//
// One of the two, a polytope or a cylinder, is the base, and all is seen in its frame: its own
// corners and faces are then the same numbers in all lanes. The method is that of geom/convex.c:
//
//     gap(n) = least n . p of the other's points - largest n . p of the base's,
//
// compared for the faces of both, and for the way between the nearest points of their cores (GJK),
// which is where edges and round sides meet. A capsule is its line, with a radius. Where there is
// no radius, cores are a tenth smaller than the solids: faces and edges stay parallel to what they
// were, so that n stays right where things overlap by less than a tenth of how thin they are.
// Deeper overlaps are left to faces. Any direction gives a gap that is true or too small, so to
// stop early is safe.
#ifndef CRI_LANES_HULL_H
#define CRI_LANES_HULL_H

#include "engine/lanes/pack.h"

#define CORE_SHARE 0.9f
#define CORE_LEAST 1e-5f // m: nearer cores have no way between them
#define CORE_CLOSE 1e-5f // the square of the way is known to this share
// Faces of two that look at each other like this are all that matters.
#define FLUSH_COS 0.99995f
enum { CORE_PASSES = 14 };

typedef enum core_kind { CORE_POLYTOPE, CORE_TUBE, CORE_LINE } core_kind;

static inline core_kind core_of(const cri_solid *s)
{
    bool line = s->shape->kind == CR_SHAPE_CAPSULE || s->shape->kind == CR_SHAPE_SPHERE;
    return line ? CORE_LINE : s->shape->kind == CR_SHAPE_CYLINDER ? CORE_TUBE : CORE_POLYTOPE;
}

// A solid seen from the frame of another.
typedef struct seen {
    const cri_solid *solid;
    core_kind kind;
    cri_lanes3 place, axes[3];
    cri_lanes3 corners[CR_HULL_MAX_CORNERS]; // polytopes
} seen;

// Two solids at work. Normals look from the base to the other, in the base's frame.
typedef struct meeting {
    const stance *at[2]; // base, other
    const cri_solid *base;
    core_kind kind;
    seen other;
    cri_lanes3 normal; // the best so far
    cri_lanes gap;
    cri_lanes margin; // those farther apart are of no interest
    cri_mask lanes;
    cri_mask between;  // the normal is the way between cores
    cri_mask by_other; // it is that of a face of the other
    float radius;      // around the other's core
} meeting;

INLINE cri_lanes3 into_frame(const stance *at, cri_lanes3 v)
{
    return cri_lanes3_of(cri_lanes3_dot(v, at->axes[0]), cri_lanes3_dot(v, at->axes[1]),
                         cri_lanes3_dot(v, at->axes[2]));
}

INLINE cri_lanes3 out_of(const cri_lanes3 axes[3], cri_lanes3 v)
{
    cri_lanes3 out = cri_lanes3_scale(v.x, axes[0]);
    out = cri_lanes3_mad(out, v.y, axes[1]);
    return cri_lanes3_mad(out, v.z, axes[2]);
}

INLINE cri_lanes dot_all(cri_lanes3 a, const float b[3])
{
    return a.x * b[0] + a.y * b[1] + a.z * b[2];
}

static inline void look_from(const stance *from, const stance *at, const cri_solid *s, seen *out)
{
    out->solid = s;
    out->kind = core_of(s);
    out->place = into_frame(from, cri_lanes3_sub(at->place, from->place));
    for (int k = 0; k < 3; k++) {
        out->axes[k] = into_frame(from, at->axes[k]);
    }
    for (int i = 0; out->kind == CORE_POLYTOPE && i < s->polytope->corner_count; i++) {
        const float *c = s->polytope->corners[i];
        cri_lanes3 p = {
            out->place.x + (c[0] * out->axes[0].x + c[1] * out->axes[1].x + c[2] * out->axes[2].x),
            out->place.y + (c[0] * out->axes[0].y + c[1] * out->axes[1].y + c[2] * out->axes[2].y),
            out->place.z + (c[0] * out->axes[0].z + c[1] * out->axes[1].z + c[2] * out->axes[2].z)};
        out->corners[i] = p;
    }
}

// ---------------------------------------------------------------------------------------------
// Reaches.

// How far a cylinder or line reaches from its middle along n, given the cosine to its axis.
static inline cri_lanes round_reach(const cri_solid *s, cri_lanes cosine)
{
    cri_lanes reach = cri_lanes_abs(cosine) * s->half[2];
    if (core_of(s) == CORE_LINE) {
        return reach + s->radius;
    }
    return reach + s->radius * cri_lanes_sqrt(lanes_max(1.0f - cosine * cosine, cri_lanes_all(0)));
}

static inline cri_lanes base_reach(const cri_solid *s, cri_lanes3 n)
{
    if (!s->polytope) {
        return round_reach(s, n.z);
    }
    cri_lanes most = cri_lanes_all(-FAR);
    for (int i = 0; i < s->polytope->corner_count; i++) {
        most = lanes_max(most, dot_all(n, s->polytope->corners[i]));
    }
    return most;
}

// The least of n . p over the other's points.
static inline cri_lanes other_least(const seen *o, cri_lanes3 n)
{
    if (o->kind != CORE_POLYTOPE) {
        return cri_lanes3_dot(n, o->place) - round_reach(o->solid, cri_lanes3_dot(n, o->axes[2]));
    }
    cri_lanes least = cri_lanes_all(FAR);
    for (int i = 0; i < o->solid->polytope->corner_count; i++) {
        least = lanes_min(least, cri_lanes3_dot(n, o->corners[i]));
    }
    return least;
}

// The same for a face of the base, whose normal is the same in all lanes.
static inline cri_lanes least_before(const seen *o, const float n[3])
{
    if (o->kind != CORE_POLYTOPE) {
        return dot_all(o->place, n) - round_reach(o->solid, dot_all(o->axes[2], n));
    }
    cri_lanes least = cri_lanes_all(FAR);
    for (int i = 0; i < o->solid->polytope->corner_count; i++) {
        least = lanes_min(least, dot_all(o->corners[i], n));
    }
    return least;
}

// ---------------------------------------------------------------------------------------------
// Faces.

// The face of a polytope that another solid is farthest in front of, seen in the polytope's frame.
typedef struct front {
    cri_lanes gap;
    cri_lanes3 normal;
} front;

// No face can be the one that shows less than the best does for sure.
static inline cri_lanes sure_gap(const cri_polytope *p, const seen *o, float outer)
{
    cri_lanes top = cri_lanes_all(-FAR);
    for (int f = 0; f < p->face_count; f++) {
        top = lanes_max(top, before_face(&p->faces[f], o->place));
    }
    return top - outer;
}

static inline front farthest_face(const cri_polytope *p, const seen *o)
{
    bool flat = o->kind == CORE_POLYTOPE;
    float round = o->solid->radius;
    float outer = flat ? o->solid->polytope->outer : round + o->solid->half[2];
    float inner = flat ? o->solid->polytope->inner : fminf(round, o->solid->half[2]);
    inner = o->kind == CORE_LINE ? round : inner;
    cri_lanes zero = cri_lanes_all(0), sure = sure_gap(p, o, outer) - 1e-5f;
    front best = {cri_lanes_all(-FAR), {zero, zero, zero + 1.0f}};
    for (int f = 0; f < p->face_count; f++) {
        const cri_face *face = &p->faces[f];
        cri_lanes most = before_face(face, o->place) - inner;
        cri_mask may = is_less(sure, most) & is_less(best.gap, most);
        if (!cri_mask_any(may)) {
            continue;
        }
        cri_lanes gap = least_before(o, face->normal) - face->offset;
        cri_mask better = may & is_less(best.gap + FACE_SLACK, gap);
        cri_lanes3 n = {zero + face->normal[0], zero + face->normal[1], zero + face->normal[2]};
        best.gap = cri_lanes_pick(better, gap, best.gap);
        best.normal = cri_lanes3_pick(better, n, best.normal);
    }
    return best;
}

static inline void try_gap(meeting *m, cri_lanes3 n, cri_lanes gap, cri_mask better)
{
    m->gap = cri_lanes_pick(better, gap, m->gap);
    m->normal = cri_lanes3_pick(better, n, m->normal);
}

static inline cri_lanes gap_along(const meeting *m, cri_lanes3 n)
{
    return other_least(&m->other, n) - base_reach(m->base, n);
}

// A direction of length 0 is none.
static inline void try_along(meeting *m, cri_lanes3 n, float slack)
{
    cri_lanes gap = gap_along(m, n);
    try_gap(m, n, gap,
            is_less(cri_lanes_all(0.5f), cri_lanes3_dot(n, n)) & is_less(m->gap + slack, gap));
}

// The base: its faces, or the caps and the side of a cylinder.
static inline void try_base(meeting *m)
{
    cri_lanes zero = cri_lanes_all(0), one = cri_lanes_all(1);
    if (m->kind == CORE_POLYTOPE) {
        front f = farthest_face(m->base->polytope, &m->other);
        m->gap = f.gap;
        m->normal = f.normal;
        return;
    }
    cri_lanes3 up = {zero, zero, cri_lanes_pick(is_less(m->other.place.z, zero), -one, one)};
    m->gap = gap_along(m, up);
    m->normal = up;
    try_along(m, unit_or_zero(cri_lanes3_of(m->other.place.x, m->other.place.y, zero)),
              CLIMB_SLACK);
}

// The other: its faces, seen from its own frame, or a cylinder's caps and side.
static inline void try_other(meeting *m)
{
    if (m->other.kind == CORE_POLYTOPE) {
        seen base;
        look_from(m->at[1], m->at[0], m->base, &base);
        front f = farthest_face(m->other.solid->polytope, &base);
        cri_mask better = is_less(m->gap + SIDE_SLACK, f.gap);
        try_gap(m, opposite(out_of(m->other.axes, f.normal)), f.gap, better);
        m->by_other = better;
    } else if (m->other.kind == CORE_TUBE) {
        cri_lanes3 axis = m->other.axes[2];
        cri_lanes side = sign_of(cri_lanes3_dot(axis, m->other.place));
        try_along(m, cri_lanes3_scale(side, axis), SIDE_SLACK);
        try_along(m, unit_or_zero(across_of(m->other.place, axis)), CLIMB_SLACK);
    }
}

// ---------------------------------------------------------------------------------------------
// The way between two cores.

// A point of a core: an outermost one of the solid, moved towards the solid's middle. Beside a line
// cores keep their size: its radius keeps them apart.
INLINE cri_lanes3 shrink(const meeting *m, cri_lanes3 p, cri_lanes3 middle)
{
    float share = m->other.kind == CORE_LINE ? 1 : CORE_SHARE;
    return cri_lanes3_mad(cri_lanes3_scale(cri_lanes_all(1 - share), middle), cri_lanes_all(share),
                          p);
}

// The outermost point along n of a cylinder with its middle at the origin.
static inline cri_lanes3 tube_point(const cri_solid *s, cri_lanes3 axis, cri_lanes3 n)
{
    cri_lanes m = cri_lanes3_dot(n, axis);
    cri_lanes3 out = unit_or_zero(across_of(n, axis));
    return cri_lanes3_mad(cri_lanes3_scale(cri_lanes_all(s->radius), out), sign_of(m) * s->half[2],
                          axis);
}

static inline cri_lanes3 base_point(const meeting *m, cri_lanes3 n)
{
    const cri_polytope *p = m->base->polytope;
    cri_lanes zero = cri_lanes_all(0), most = cri_lanes_all(-FAR);
    cri_lanes3 best = cri_lanes3_zero();
    if (!p) {
        cri_lanes3 up = {zero, zero, zero + 1.0f};
        return shrink(m, tube_point(m->base, up, n), best);
    }
    for (int i = 0; i < p->corner_count; i++) {
        const float *c = p->corners[i];
        cri_lanes along = dot_all(n, c);
        cri_mask better = is_less(most, along);
        most = cri_lanes_pick(better, along, most);
        best = cri_lanes3_pick(better, cri_lanes3_of(zero + c[0], zero + c[1], zero + c[2]), best);
    }
    return shrink(m, best, lanes3_all(p->middle));
}

// The other's outermost point against n: a corner, or a point of a cylinder or line.
static inline cri_lanes3 other_point(const seen *o, cri_lanes3 n)
{
    if (o->kind == CORE_TUBE) {
        return cri_lanes3_add(o->place, tube_point(o->solid, o->axes[2], opposite(n)));
    }
    if (o->kind == CORE_LINE) {
        cri_lanes side = sign_of(cri_lanes3_dot(n, o->axes[2]));
        return cri_lanes3_mad(o->place, side * -o->solid->half[2], o->axes[2]);
    }
    cri_lanes least = cri_lanes_all(FAR);
    cri_lanes3 best = o->place;
    for (int i = 0; i < o->solid->polytope->corner_count; i++) {
        cri_lanes along = cri_lanes3_dot(n, o->corners[i]);
        cri_mask better = is_less(along, least);
        least = cri_lanes_pick(better, along, least);
        best = cri_lanes3_pick(better, o->corners[i], best);
    }
    return best;
}

static inline cri_lanes3 other_middle(const seen *o)
{
    if (o->kind != CORE_POLYTOPE) {
        return o->place;
    }
    return cri_lanes3_add(o->place, out_of(o->axes, lanes3_all(o->solid->polytope->middle)));
}

// A corner of the difference of the cores.
static inline cri_lanes3 difference(const meeting *m, cri_lanes3 middle, cri_lanes3 n)
{
    return cri_lanes3_sub(shrink(m, other_point(&m->other, n), middle), base_point(m, n));
}

// Up to three corners of the difference, and its nearest point to the origin.
typedef struct simplex {
    cri_lanes3 corners[3], nearest;
    cri_lanes square;
} simplex;

INLINE void keep_nearer(simplex *s, cri_lanes3 foot, cri_mask sound, const cri_lanes3 corners[3])
{
    cri_lanes square = cri_lanes3_dot(foot, foot);
    cri_mask nearer = sound & is_less(square, s->square);
    s->square = cri_lanes_pick(nearer, square, s->square);
    s->nearest = cri_lanes3_pick(nearer, foot, s->nearest);
    for (int k = 0; k < 3; k++) {
        s->corners[k] = cri_lanes3_pick(nearer, corners[k], s->corners[k]);
    }
}

static inline void try_line(simplex *s, cri_lanes3 w, cri_lanes3 to)
{
    cri_lanes3 e = cri_lanes3_sub(to, w);
    cri_lanes length = lanes_max(cri_lanes3_dot(e, e), cri_lanes_all(1e-20f));
    cri_lanes share = -cri_lanes3_dot(w, e) / length;
    share = lanes_min(lanes_max(share, cri_lanes_all(0)), cri_lanes_all(1));
    const cri_lanes3 corners[3] = {w, to, to};
    keep_nearer(s, cri_lanes3_mad(w, share, e), cri_mask_all(-1), corners);
}

// The inside of a triangle: where the foot of the origin has positive shares of all corners.
static inline void try_triangle(simplex *s, cri_lanes3 w, cri_lanes3 i, cri_lanes3 j)
{
    cri_lanes3 n = cri_lanes3_cross(cri_lanes3_sub(i, w), cri_lanes3_sub(j, w));
    cri_lanes area = cri_lanes3_dot(n, n), zero = cri_lanes_all(0), least = zero + 1e-18f;
    cri_mask inside = is_less(least, area) &
                      ~is_less(cri_lanes3_dot(n, cri_lanes3_cross(i, j)), zero) &
                      ~is_less(cri_lanes3_dot(n, cri_lanes3_cross(j, w)), zero) &
                      ~is_less(cri_lanes3_dot(n, cri_lanes3_cross(w, i)), zero);
    cri_lanes3 foot = cri_lanes3_scale(cri_lanes3_dot(n, w) / lanes_max(area, least), n);
    const cri_lanes3 corners[3] = {w, i, j};
    keep_nearer(s, foot, inside, corners);
}

// The lanes in which the origin lies in the tetrahedron of a simplex and one more corner.
static inline cri_mask holds_origin(const simplex *s, cri_lanes3 w)
{
    const cri_lanes3 *c = s->corners;
    cri_lanes3 across = cri_lanes3_cross(c[1], c[2]);
    cri_lanes top = cri_lanes3_dot(c[0], across), one = -cri_lanes3_dot(w, across);
    cri_lanes two = -cri_lanes3_dot(c[0], cri_lanes3_cross(w, c[2]));
    cri_lanes three = -cri_lanes3_dot(c[0], cri_lanes3_cross(c[1], w));
    cri_lanes all = top + one + two + three, zero = cri_lanes_all(0);
    return is_less(zero, all * all) & ~is_less(top * all, zero) & ~is_less(one * all, zero) &
           ~is_less(two * all, zero) & ~is_less(three * all, zero);
}

// One more corner; returns the lanes that came nearer.
static inline cri_mask add_corner(simplex *s, cri_lanes3 w, cri_mask going)
{
    simplex next = {.nearest = s->nearest, .square = cri_lanes_all(FAR)};
    for (int k = 0; k < 3; k++) {
        next.corners[k] = s->corners[k];
    }
    for (int k = 0; k < 3; k++) {
        try_line(&next, w, s->corners[k]);
        try_triangle(&next, w, s->corners[k], s->corners[k == 2 ? 0 : k + 1]);
    }
    cri_mask nearer = going & is_less(next.square, s->square);
    s->square = cri_lanes_pick(nearer, next.square, s->square);
    s->nearest = cri_lanes3_pick(nearer, next.nearest, s->nearest);
    for (int k = 0; k < 3; k++) {
        s->corners[k] = cri_lanes3_pick(nearer, next.corners[k], s->corners[k]);
    }
    return nearer;
}

// The lanes, of those given, in which the cores are apart, and the way from the base's to the
// other's.
static inline cri_mask way_between(const meeting *m, cri_mask lanes, cri_lanes3 *way)
{
    cri_lanes3 middle = other_middle(&m->other), w = difference(m, middle, m->normal);
    simplex s = {{w, w, w}, w, cri_lanes3_dot(w, w)};
    cri_lanes least = cri_lanes_all(CORE_LEAST * CORE_LEAST);
    cri_mask going = lanes, deep = cri_mask_all(0);
    for (int pass = 0; pass < CORE_PASSES; pass++) {
        deep = deep | (going & is_less(s.square, least));
        going = going & ~deep;
        if (!cri_mask_any(going)) {
            break;
        }
        w = difference(m, middle, s.nearest);
        cri_lanes gain = s.square - cri_lanes3_dot(s.nearest, w);
        going = going & is_less(s.square * CORE_CLOSE, gain);
        cri_mask held = going & holds_origin(&s, w);
        deep = deep | held;
        going = add_corner(&s, w, going & ~held);
    }
    *way = unit_or_zero(
        cri_lanes3_scale(1.0f / cri_lanes_sqrt(lanes_max(s.square, least)), s.nearest));
    return lanes & ~deep;
}

// ---------------------------------------------------------------------------------------------

INLINE cri_mask within_margin(const meeting *m)
{
    return m->lanes & is_less(m->gap, m->margin);
}

// How much the face of a polytope that looks most along a direction of its frame does so.
static inline cri_lanes most_facing(const cri_polytope *p, cri_lanes3 n)
{
    cri_lanes most = cri_lanes_all(-1);
    for (int f = 0; f < p->face_count; f++) {
        most = lanes_max(most, dot_all(n, p->faces[f].normal));
    }
    return most;
}

// The lanes in which a face of each looks at the other.
static inline cri_mask flush(const meeting *m)
{
    if (m->kind != CORE_POLYTOPE || m->other.kind != CORE_POLYTOPE) {
        return cri_mask_all(0);
    }
    cri_lanes3 back = opposite(m->normal);
    cri_lanes3 own_back = cri_lanes3_of(cri_lanes3_dot(back, m->other.axes[0]),
                                        cri_lanes3_dot(back, m->other.axes[1]),
                                        cri_lanes3_dot(back, m->other.axes[2]));
    cri_lanes one = most_facing(m->base->polytope, m->normal);
    cri_lanes two = most_facing(m->other.solid->polytope, own_back);
    return is_less(cri_lanes_all(FLUSH_COS), lanes_min(one, two));
}

static inline void try_between(meeting *m)
{
    cri_lanes3 way;
    cri_mask lanes = within_margin(m) & ~flush(m);
    if (!cri_mask_any(lanes)) {
        return;
    }
    lanes = way_between(m, lanes, &way);
    if (!cri_mask_any(lanes)) {
        return;
    }
    cri_lanes gap = gap_along(m, way);
    cri_lanes rather = lanes_max(m->gap * 0.95f, m->gap * 1.05f) + EDGE_SLACK;
    bool round = m->kind != CORE_POLYTOPE || m->other.kind != CORE_POLYTOPE;
    rather = round ? m->gap + 0.1f * CLIMB_SLACK : rather;
    m->between = lanes & is_less(rather, gap);
    m->by_other = m->by_other & ~m->between;
    try_gap(m, way, gap, m->between);
}

// The lanes in which the two are within the margin of each other; the normal and the gap.
static inline cri_mask separate(meeting *m)
{
    m->between = m->by_other = cri_mask_all(0);
    try_base(m);
    if (!cri_mask_any(within_margin(m))) {
        return within_margin(m);
    }
    try_other(m);
    try_between(m);
    return within_margin(m);
}

#endif
