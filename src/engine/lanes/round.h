// Contact points of cylinders with boxes and with each other, in any attitude, in lanes.
//
//     gap(n) = n d - reach of the first along n - reach of the second      d: from first to second
//
// is how far two convex solids are apart along a direction n, and what is sought is its maximum
// over all n (the separating axis). Where flat and straight features meet, n is one of a few: a
// face of the box, an axis, or across an axis and an edge. A rim is round: with an edge n lies on
// the circle of directions across the edge, with a side on that across the axis, and with another
// rim it is anywhere. There the maximum is climbed to from the best direction known, by Newton's
// method. Any direction gives a gap that is true or too small, so to stop early is safe.
//
//     rim and edge     n across the edge        side and edge    n across axis and edge
//     rim and side     n across the axis        side and corner  n across the axis
//     rim and rim      any n                    cap or face      n is its normal
//
// Points are then those of two faces seen along n: the box's face that looks most along it, and of
// a cylinder a square in the cap, with a corner where the cap is lowest, or a line along its side.
#ifndef CRI_LANES_ROUND_H
#define CRI_LANES_ROUND_H

#include "engine/lanes/box.h"

// A direction that is climbed to is taken if it is better by this much: contacts are not to flicker
// between a face and its edge.
#define CLIMB_SLACK 1e-4f // m
#define CLIMB_MAX   0.35f // rad a pass
#define CLIMB_LEAST 1e-3f // rad: a smaller turn gains less than a micrometre
enum { CLIMB_PASSES = 3 };
// A cylinder touches with its cap where its axis is within 45 degrees of the normal.
#define CAP_COS 0.70710678f
// A cap that is tilted by more than this has a lowest point.
#define CAP_TILT 3e-3f // rad
// How far points may lie beside a face: where edges meet sides they lie right on its border.
#define BORDER 2e-4f // m

// Two solids, at least one of them a cylinder; in each lane two of its own (lanes/pack.h).
typedef struct search {
    const stance *at[2];
    cri_lanes half[2][3], radius[2];
    int box; // the one that is a box, or -1
    cri_lanes3 d;
    cri_lanes3 normal; // the best so far, from the first to the second
    cri_lanes gap;
    cri_lanes margin; // those farther apart are of no interest
    cri_mask lanes;
} search;

static inline cri_lanes3 unit_or_zero(cri_lanes3 v)
{
    cri_lanes length = cri_lanes3_length(v);
    cri_mask some = is_less(cri_lanes_all(1e-3f), length);
    cri_lanes scale = cri_lanes_keep(some, 1.0f / cri_lanes_pick(some, length, cri_lanes_all(1)));
    return cri_lanes3_scale(scale, v);
}

// The part of v across a unit vector.
INLINE cri_lanes3 across_of(cri_lanes3 v, cri_lanes3 axis)
{
    return cri_lanes3_mad(v, -cri_lanes3_dot(v, axis), axis);
}

// How far along n a direction lies from a cylinder's axis: sine, no less than a little.
INLINE cri_lanes sine_of(cri_lanes cosine)
{
    return cri_lanes_sqrt(lanes_max(1.0f - cosine * cosine, cri_lanes_all(4e-4f)));
}

static inline cri_lanes reach_along(const search *s, int i, cri_lanes3 n)
{
    const stance *at = s->at[i];
    const cri_lanes *half = s->half[i];
    cri_lanes m = cri_lanes3_dot(n, at->axes[2]);
    if (i != s->box) {
        cri_lanes sine = cri_lanes_sqrt(lanes_max(1.0f - m * m, cri_lanes_all(0)));
        return sine * s->radius[i] + cri_lanes_abs(m) * half[2];
    }
    return cri_lanes_abs(cri_lanes3_dot(n, at->axes[0])) * half[0] +
           cri_lanes_abs(cri_lanes3_dot(n, at->axes[1])) * half[1] + cri_lanes_abs(m) * half[2];
}

// A direction of length 0 is none.
static inline void try_normal(search *s, cri_lanes3 n, float slack)
{
    cri_lanes along = cri_lanes3_dot(n, s->d);
    cri_lanes gap = cri_lanes_abs(along) - reach_along(s, 0, n) - reach_along(s, 1, n);
    cri_mask better =
        is_less(cri_lanes_all(0.5f), cri_lanes3_dot(n, n)) & is_less(s->gap + slack, gap);
    s->gap = cri_lanes_pick(better, gap, s->gap);
    s->normal = cri_lanes3_pick(better, cri_lanes3_scale(sign_of(along), n), s->normal);
}

// A cylinder, in each lane one of its own.
typedef struct tube {
    cri_lanes3 axis, side; // side: any direction across the axis that turns with it
    cri_lanes radius, half;
} tube;

INLINE tube tube_of(const search *s, int i)
{
    return (tube){s->at[i]->axes[2], s->at[i]->axes[0], s->radius[i], s->half[i][2]};
}

INLINE tube pick_tube(cri_mask mask, tube yes, tube no)
{
    return (tube){
        cri_lanes3_pick(mask, yes.axis, no.axis), cri_lanes3_pick(mask, yes.side, no.side),
        cri_lanes_pick(mask, yes.radius, no.radius), cri_lanes_pick(mask, yes.half, no.half)};
}

// Its point that is farthest along n, from its middle.
static inline cri_lanes3 rim_point(tube t, cri_lanes3 n)
{
    cri_lanes m = cri_lanes3_dot(n, t.axis);
    cri_lanes3 out = cri_lanes3_scale(t.radius / sine_of(m), across_of(n, t.axis));
    return cri_lanes3_mad(out, sign_of(m) * t.half, t.axis);
}

INLINE cri_lanes3 opposite(cri_lanes3 v)
{
    return cri_lanes3_scale(cri_lanes_all(-1), v);
}

// ---------------------------------------------------------------------------------------------
// Climbing.

// The corner of a box that is farthest along n; of two that are as far, the one nearer to `other`.
static inline cri_lanes3 box_corner(const search *s, int i, cri_lanes3 n, cri_lanes3 other)
{
    const stance *at = s->at[i];
    cri_lanes3 out = cri_lanes3_zero();
    for (int k = 0; k < 3; k++) {
        cri_lanes m = cri_lanes3_dot(n, at->axes[k]);
        cri_mask even = is_less(cri_lanes_abs(m), cri_lanes_all(1e-3f));
        m = cri_lanes_pick(even, cri_lanes3_dot(other, at->axes[k]), m);
        out = cri_lanes3_mad(out, sign_of(m) * s->half[i][k], at->axes[k]);
    }
    return out;
}

// From the outermost point of the first to that of the second: the slope of the gap.
static inline cri_lanes3 slope_of(const search *s, cri_lanes3 n)
{
    if (s->box == 1) {
        cri_lanes3 way = cri_lanes3_sub(s->d, rim_point(tube_of(s, 0), n));
        return cri_lanes3_add(way, box_corner(s, 1, opposite(n), opposite(way)));
    }
    cri_lanes3 way = cri_lanes3_add(s->d, rim_point(tube_of(s, 1), opposite(n)));
    if (s->box == 0) {
        return cri_lanes3_sub(way, box_corner(s, 0, n, way));
    }
    return cri_lanes3_sub(way, rim_point(tube_of(s, 0), n));
}

// How much a cylinder's reach bends, along two directions across n: r / sin^3 (u x n . t)^2.
static inline void add_bend(const search *s, int i, const cri_lanes3 n, const cri_lanes3 t[2],
                            cri_lanes bend[3])
{
    if (i == s->box) {
        return;
    }
    cri_lanes sine = sine_of(cri_lanes3_dot(n, s->at[i]->axes[2]));
    cri_lanes3 e = cri_lanes3_cross(s->at[i]->axes[2], n);
    cri_lanes a = cri_lanes3_dot(e, t[0]), b = cri_lanes3_dot(e, t[1]);
    cri_lanes scale = s->radius[i] / (sine * sine * sine);
    bend[0] = bend[0] + scale * a * a;
    bend[1] = bend[1] + scale * a * b;
    bend[2] = bend[2] + scale * b * b;
}

INLINE cri_lanes limited(cri_lanes angle)
{
    return lanes_min(lanes_max(angle, cri_lanes_all(-CLIMB_MAX)), cri_lanes_all(CLIMB_MAX));
}

static inline cri_lanes3 turned_to(cri_lanes3 n, cri_lanes3 by)
{
    return unit_or_zero(cri_lanes3_add(n, by));
}

// The lanes in which they may still be within the margin of each other.
INLINE cri_mask may_touch(const search *s)
{
    return s->lanes & is_less(s->gap, s->margin);
}

// Along the circle of directions across an axis. A lane whose direction is found stays there.
static inline void climb_across(search *s, cri_lanes3 axis)
{
    cri_lanes3 start = unit_or_zero(across_of(s->d, axis));
    cri_lanes3 near = across_of(s->normal, axis);
    cri_mask clear = is_less(cri_lanes_all(0.3f), cri_lanes3_length(near));
    cri_lanes3 n = cri_lanes3_pick(clear, unit_or_zero(near), start);
    cri_mask going = cri_mask_all(-1);
    for (int pass = 0; pass < CLIMB_PASSES && cri_mask_any(going & may_touch(s)); pass++) {
        cri_lanes3 t[2] = {cri_lanes3_cross(axis, n), axis}, slope = slope_of(s, n);
        cri_lanes bend[3] = {cri_lanes3_dot(n, slope), cri_lanes_all(0), cri_lanes_all(0)};
        for (int i = 0; i < 2; i++) {
            add_bend(s, i, n, t, bend);
        }
        cri_lanes turn = cri_lanes3_dot(slope, t[0]) / lanes_max(bend[0], cri_lanes_all(1e-3f));
        cri_lanes3 next = turned_to(n, cri_lanes3_scale(limited(turn), t[0]));
        n = cri_lanes3_pick(going, next, n);
        going = going & is_less(cri_lanes_all(CLIMB_LEAST), cri_lanes_abs(turn));
        try_normal(s, n, CLIMB_SLACK);
    }
}

// In all directions: two rims.
static inline void climb_anywhere(search *s)
{
    cri_lanes3 n = s->normal;
    cri_mask going = cri_mask_all(-1);
    for (int pass = 0; pass < CLIMB_PASSES && cri_mask_any(going & may_touch(s)); pass++) {
        cri_lanes3 t[2], slope = slope_of(s, n);
        cri_mask flat = is_less(cri_lanes_abs(n.x), cri_lanes_all(0.7f));
        cri_lanes one = cri_lanes_all(1);
        cri_lanes3 aside = {cri_lanes_keep(flat, one), cri_lanes_keep(~flat, one),
                            cri_lanes_all(0)};
        t[0] = unit_or_zero(cri_lanes3_cross(n, aside));
        t[1] = cri_lanes3_cross(n, t[0]);
        cri_lanes least = lanes_max(cri_lanes3_dot(n, slope), cri_lanes_all(0)) + 1e-3f;
        cri_lanes bend[3] = {least, cri_lanes_all(0), least};
        for (int i = 0; i < 2; i++) {
            add_bend(s, i, n, t, bend);
        }
        cri_lanes x = cri_lanes3_dot(slope, t[0]), y = cri_lanes3_dot(slope, t[1]);
        cri_lanes share = 1.0f / (bend[0] * bend[2] - bend[1] * bend[1]);
        cri_lanes one_way = limited((bend[2] * x - bend[1] * y) * share);
        cri_lanes other_way = limited((bend[0] * y - bend[1] * x) * share);
        cri_lanes3 by = cri_lanes3_mad(cri_lanes3_scale(one_way, t[0]), other_way, t[1]);
        n = cri_lanes3_pick(going, turned_to(n, by), n);
        going = going & is_less(cri_lanes_all(CLIMB_LEAST),
                                cri_lanes_abs(one_way) + cri_lanes_abs(other_way));
        try_normal(s, n, CLIMB_SLACK);
    }
}

// The normal and the gap where they may touch.
static inline void search_cylinder_box(search *s)
{
    const stance *b = s->at[s->box], *c = s->at[1 - s->box];
    for (int k = 0; k < 3; k++) {
        try_normal(s, b->axes[k], k ? FACE_SLACK : 0);
    }
    try_normal(s, c->axes[2], SIDE_SLACK);
    try_normal(s, unit_or_zero(across_of(s->d, c->axes[2])), CLIMB_SLACK);
    if (!cri_mask_any(may_touch(s))) {
        return;
    }
    for (int k = 0; k < 3; k++) {
        try_normal(s, unit_or_zero(cri_lanes3_cross(c->axes[2], b->axes[k])), CLIMB_SLACK);
    }
    climb_across(s, c->axes[2]);
    for (int k = 0; k < 3; k++) {
        climb_across(s, b->axes[k]);
    }
}

static inline void search_cylinders(search *s)
{
    cri_lanes3 u = s->at[0]->axes[2], v = s->at[1]->axes[2];
    try_normal(s, u, 0);
    try_normal(s, v, FACE_SLACK);
    try_normal(s, unit_or_zero(across_of(s->d, u)), CLIMB_SLACK);
    if (!cri_mask_any(may_touch(s))) {
        return;
    }
    try_normal(s, unit_or_zero(cri_lanes3_cross(u, v)), CLIMB_SLACK);
    climb_across(s, u);
    climb_across(s, v);
    climb_anywhere(s);
}

// ---------------------------------------------------------------------------------------------
// Points.

// The part of a cylinder that is foremost along a direction, from its middle: a parallelogram with
// its middle and half edges.
typedef struct outline {
    cri_lanes3 middle, one, two;
    cri_mask cap;
} outline;

INLINE cri_mask shows_cap(tube t, cri_lanes3 n)
{
    return is_less(cri_lanes_all(CAP_COS), cri_lanes_abs(cri_lanes3_dot(n, t.axis)));
}

// Where the cap looks right along n, its square has its sides along `aside`: four points are picked
// along the diagonals, and with a corner there no two of them are as good.
static inline outline foremost(tube t, cri_lanes3 n, cri_lanes3 aside)
{
    cri_lanes3 low = across_of(n, t.axis), own = unit_or_zero(across_of(aside, t.axis));
    own = cri_lanes3_scale(cri_lanes_all(CAP_COS),
                           cri_lanes3_add(own, cri_lanes3_cross(t.axis, own)));
    low = cri_lanes3_pick(is_less(cri_lanes_all(CAP_TILT), cri_lanes3_length(low)),
                          unit_or_zero(low), own);
    cri_lanes3 beside = cri_lanes3_cross(t.axis, low);
    cri_mask cap = shows_cap(t, n);
    cri_lanes end = t.half * sign_of(cri_lanes3_dot(n, t.axis));
    cri_lanes3 one = cri_lanes3_scale(t.radius * 0.5f, cri_lanes3_add(low, beside));
    cri_lanes3 two = cri_lanes3_scale(t.radius * 0.5f, cri_lanes3_sub(low, beside));
    return (outline){
        cri_lanes3_pick(cap, cri_lanes3_scale(end, t.axis), cri_lanes3_scale(t.radius, low)),
        cri_lanes3_pick(cap, one, cri_lanes3_scale(t.half, t.axis)), cri_lanes3_keep(cap, two),
        cap};
}

// The foremost edge of a solid: a box's, or the line along a cylinder's side that ends in the
// foremost point of its rim. No length: that point.
typedef struct edge_line {
    cri_lanes3 middle, along;
    cri_lanes half;
} edge_line;

// A cylinder's side counts where its axis is within 17 degrees across n; else its rim.
#define SIDE_COS 0.3f

static inline edge_line tube_line(tube t, cri_lanes3 n)
{
    cri_lanes3 end = rim_point(t, n), back = cri_lanes3_scale(t.half, t.axis);
    cri_lanes m = cri_lanes3_dot(n, t.axis);
    cri_mask lies = is_less(cri_lanes_abs(m), cri_lanes_all(SIDE_COS));
    cri_lanes3 middle = cri_lanes3_mad(end, -sign_of(m), back);
    return (edge_line){cri_lanes3_pick(lies, middle, end), t.axis, cri_lanes_keep(lies, t.half)};
}

// Of a box the edge most across n at its foremost corner. Of edges that are as far, those of a face
// that looks along n, the one that is nearest to a place.
#define EVEN_COS 0.05f
static inline edge_line box_line(const stance *at, const cri_lanes half[3], cri_lanes3 n,
                                 cri_lanes3 place)
{
    cri_lanes least = cri_lanes_all(FAR);
    edge_line e = {cri_lanes3_zero(), at->axes[0], least};
    cri_lanes3 lift = e.middle;
    for (int k = 0; k < 3; k++) {
        cri_lanes m = cri_lanes3_dot(n, at->axes[k]), out = cri_lanes3_dot(place, at->axes[k]);
        cri_mask even = is_less(cri_lanes_abs(m), cri_lanes_all(EVEN_COS));
        cri_lanes side = sign_of(cri_lanes_pick(even, out, m)) * half[k];
        cri_lanes lean =
            cri_lanes_pick(even, cri_lanes_abs(out) / half[k] * 1e-3f, cri_lanes_abs(m));
        cri_lanes3 way = cri_lanes3_scale(side, at->axes[k]);
        cri_mask across = is_less(lean, least);
        least = cri_lanes_pick(across, lean, least);
        e.along = cri_lanes3_pick(across, at->axes[k], e.along);
        e.half = cri_lanes_pick(across, half[k], e.half);
        lift = cri_lanes3_pick(across, way, lift);
        e.middle = cri_lanes3_add(e.middle, way);
    }
    e.middle = cri_lanes3_sub(e.middle, lift);
    return e;
}

INLINE cri_lanes clamped(cri_lanes a, cri_lanes most)
{
    return lanes_min(lanes_max(a, -most), most);
}

// The point of b that is nearest to a (Ericson 2005, 5.1.9); of lines along each other one of many.
static inline cri_lanes3 nearest_on(const edge_line *a, const edge_line *b)
{
    cri_lanes3 d = cri_lanes3_sub(b->middle, a->middle);
    cri_lanes c = cri_lanes3_dot(a->along, b->along), x = cri_lanes3_dot(d, a->along);
    cri_lanes y = cri_lanes3_dot(d, b->along),
              across = lanes_max(1.0f - c * c, cri_lanes_all(1e-3f));
    cri_lanes on_a = clamped((x - c * y) / across, a->half);
    cri_lanes on_b = clamped(c * on_a - y, b->half);
    on_a = clamped(x + c * on_b, a->half);
    on_b = clamped(c * on_a - y, b->half);
    return cri_lanes3_mad(b->middle, on_b, b->along);
}

// Where an edge crosses the rim of a cylinder's cap, on the side that is foremost along n; one that
// ends within the rim: its end.
static inline cri_lanes3 cross_rim(tube t, cri_lanes3 n, cri_lanes3 at, const edge_line *e)
{
    cri_lanes3 a = across_of(e->along, t.axis),
               d = across_of(cri_lanes3_sub(e->middle, at), t.axis);
    cri_lanes aa = lanes_max(cri_lanes3_dot(a, a), cri_lanes_all(1e-6f)), ad = cri_lanes3_dot(a, d);
    cri_lanes square = ad * ad - aa * (cri_lanes3_dot(d, d) - t.radius * t.radius);
    cri_lanes way = cri_lanes_sqrt(lanes_max(square, cri_lanes_all(0)));
    cri_lanes on = (way * sign_of(cri_lanes3_dot(a, n)) - ad) / aa;
    return cri_lanes3_mad(e->middle, clamped(on, e->half), e->along);
}

// Two that meet: a face, and of the other what comes down on it. All is seen from the middle of the
// face's solid; n looks from there to the other, d leads to it.
typedef struct landing {
    cri_lanes3 n, d;
    cri_lanes gap;
    box_face face;
    outline other;
    cri_mask lanes;
    // Whose face it is, a box or (NULL) a cylinder, and the cylinder that comes down on it.
    const stance *box;
    const cri_lanes *half;
    tube base, tube;
} landing;

// A place or a way (depth 0) seen along n: where on the face, and how far from it.
static inline void see_along(const landing *l, cri_lanes3 v, cri_lanes depth, cri_lanes out[3])
{
    // The face looks most along n of all, so the two are within 55 degrees of each other.
    cri_lanes cosine = lanes_max(cri_lanes3_dot(l->n, l->face.normal), cri_lanes_all(0.3f));
    cri_lanes way = (cri_lanes3_dot(v, l->face.normal) - depth) / cosine;
    cri_lanes3 on = cri_lanes3_mad(v, -way, l->n);
    out[0] = cri_lanes3_dot(on, l->face.u);
    out[1] = cri_lanes3_dot(on, l->face.v);
    out[2] = way;
}

// Where the foremost edges of the two are nearest, or where one crosses the rim of a cap.
static inline cri_lanes3 foremost_place(const landing *l)
{
    cri_lanes3 back = opposite(l->n);
    edge_line other = tube_line(l->tube, back), own;
    other.middle = cri_lanes3_add(other.middle, l->d);
    if (l->box) {
        own = box_line(l->box, l->half, l->n, cri_lanes3_add(l->d, rim_point(l->tube, back)));
        return cri_lanes3_pick(shows_cap(l->tube, back), cross_rim(l->tube, back, l->d, &own),
                               nearest_on(&other, &own));
    }
    own = tube_line(l->base, l->n);
    return cri_lanes3_pick(shows_cap(l->base, l->n),
                           cross_rim(l->base, l->n, cri_lanes3_zero(), &other),
                           nearest_on(&other, &own));
}

// The foremost place where no point is as near as the two are.
static inline void keep_foremost(const landing *l, cri_lanes u[CORNERS], cri_lanes v[CORNERS],
                                 manifold *out)
{
    cri_lanes at[3];
    cri_mask unsure = l->lanes & ~has_gap(out, l->gap + SURE_SLACK);
    if (cri_mask_any(unsure)) {
        see_along(l, foremost_place(l), l->face.depth, at);
        keep_in_last(unsure, at[0], at[1], l->gap, u, v, out);
    }
}

static inline void land(const landing *l, cri_lanes margin, manifold *out)
{
    box_face f = l->face;
    incident in;
    candidates c;
    cri_lanes u[CORNERS], v[CORNERS], zero = cri_lanes_all(0);
    see_along(l, cri_lanes3_add(l->d, l->other.middle), f.depth, in.middle);
    see_along(l, l->other.one, zero, in.one);
    see_along(l, l->other.two, zero, in.two);
    f.half_u = f.half_u + BORDER, f.half_v = f.half_v + BORDER;
    clip_face(&c, &in, &f);
    for (int k = 0; k < CANDIDATES; k++) {
        c.on[k] = c.on[k] & is_less(c.gap[k], margin);
    }
    pick_four(&c, u, v, out);
    keep_foremost(l, u, v, out);
    for (int i = 0; i < CORNERS; i++) {
        cri_lanes3 at = cri_lanes3_mad(cri_lanes3_scale(f.depth, f.normal), u[i], f.u);
        out->place[i] = cri_lanes3_mad(cri_lanes3_mad(at, v[i], f.v), out->gap[i] * 0.5f, l->n);
    }
    out->apart = l->gap;
}

// ---------------------------------------------------------------------------------------------
// Meets.

// A first look: how far two are apart along a few of the directions that a search begins with, from
// the cosines between their axes alone. Where that is more than the margin and LOOK_SLACK, which is
// more than any of the slacks and rounding, the search finds as much.
#define LOOK_SLACK 1e-3f // m

// The reach of a cylinder along a direction with this cosine to its axis.
INLINE cri_lanes reach_at(cri_lanes cosine, const cri_solid *s)
{
    cri_lanes sine = cri_lanes_sqrt(lanes_max(1.0f - cosine * cosine, cri_lanes_all(0)));
    return sine * s->radius + cri_lanes_abs(cosine) * s->half[2];
}

static inline cri_lanes glance_at_cylinders(const stance *a, const stance *b, const cri_solid *one,
                                            const cri_solid *two)
{
    cri_lanes3 d = cri_lanes3_sub(b->place, a->place), u = a->axes[2], v = b->axes[2];
    cri_lanes x = cri_lanes3_dot(d, u), y = cri_lanes3_dot(d, v), c = cri_lanes3_dot(u, v);
    cri_lanes gap = cri_lanes_abs(x) - (reach_at(c, two) + one->half[2]);
    gap = lanes_max(gap, cri_lanes_abs(y) - (reach_at(c, one) + two->half[2]));
    // From the axis of the first right to the middle of the second.
    cri_lanes aside = cri_lanes_sqrt(
        lanes_max(cri_lanes3_dot(d, d) - x * x, cri_lanes_all(LOOK_SLACK * LOOK_SLACK)));
    return lanes_max(gap, aside - (reach_at((y - x * c) / aside, two) + one->radius));
}

static inline cri_lanes glance_at_box(const stance *box, const stance *can, const cri_solid *b,
                                      const cri_solid *c)
{
    cri_lanes3 d = cri_lanes3_sub(can->place, box->place);
    cri_lanes gap = cri_lanes_all(-FAR), reach = cri_lanes_all(c->half[2]);
    for (int k = 0; k < 3; k++) {
        cri_lanes along = cri_lanes3_dot(d, box->axes[k]);
        cri_lanes cosine = cri_lanes3_dot(can->axes[2], box->axes[k]);
        gap = lanes_max(gap, cri_lanes_abs(along) - (reach_at(cosine, c) + b->half[k]));
        reach = reach + cri_lanes_abs(cosine) * b->half[k];
    }
    return lanes_max(gap, cri_lanes_abs(cri_lanes3_dot(d, can->axes[2])) - reach);
}

static inline void land_cylinder_box(const search *s, cri_mask lanes, manifold *found)
{
    int box = s->box;
    tube t = tube_of(s, 1 - box);
    landing l = {box ? opposite(s->normal) : s->normal, box ? opposite(s->d) : s->d, .gap = s->gap};
    l.face = facing(s->at[box]->axes, s->half[box], l.n, &found->feature);
    l.other = foremost(t, opposite(l.n), l.face.u);
    l.lanes = lanes, l.tube = t, l.box = s->at[box], l.half = s->half[box];
    land(&l, s->margin, found);
    found->normal = s->normal;
}

// The cap of a cylinder, or a line along its side, as a face. A cap is a square about it, two sides
// of which look at the other, so that what overhangs tips over the rim; where that stands right
// above, the square stays where it is.
static inline box_face tube_face(tube t, cri_lanes3 n, cri_lanes3 d)
{
    cri_lanes3 out = unit_or_zero(across_of(n, t.axis)), along = across_of(d, t.axis);
    cri_mask cap = shows_cap(t, n);
    cri_lanes3 end = cri_lanes3_scale(sign_of(cri_lanes3_dot(n, t.axis)), t.axis);
    cri_mask aside = is_less(t.radius * 0.2f, cri_lanes3_length(along));
    along = cri_lanes3_pick(aside, unit_or_zero(along), t.side);
    box_face f = {.normal = cri_lanes3_pick(cap, end, out),
                  .u = cri_lanes3_pick(cap, along, t.axis),
                  .depth = cri_lanes_pick(cap, t.half, t.radius),
                  .half_u = cri_lanes_pick(cap, t.radius, t.half),
                  .half_v = cri_lanes_keep(cap, t.radius)};
    f.v = cri_lanes3_cross(f.normal, f.u);
    return f;
}

// The one that shows its cap is the face, the first if both do or none.
static inline void land_cylinders(const search *s, cri_mask lanes, manifold *found)
{
    tube a = tube_of(s, 0), b = tube_of(s, 1);
    cri_mask second = shows_cap(b, s->normal) & ~shows_cap(a, s->normal);
    tube base = pick_tube(second, b, a), other = pick_tube(second, a, b);
    landing l = {.n = cri_lanes3_pick(second, opposite(s->normal), s->normal),
                 .d = cri_lanes3_pick(second, opposite(s->d), s->d),
                 .gap = s->gap};
    l.face = tube_face(base, l.n, l.d);
    l.other = foremost(other, opposite(l.n), l.face.u);
    l.lanes = lanes, l.tube = other, l.base = base;
    land(&l, s->margin, found);
    for (int i = 0; i < CORNERS; i++) {
        found->place[i] = cri_lanes3_add(found->place[i], cri_lanes3_keep(second, s->d));
    }
    found->normal = s->normal;
}

// The lanes in which they are within the margin of each other, and where. Points are seen from the
// box, or from the first.
static inline cri_mask meet_round(search *s, manifold *found)
{
    s->d = cri_lanes3_sub(s->at[1]->place, s->at[0]->place);
    s->normal = s->at[0]->axes[2];
    s->gap = cri_lanes_all(-FAR);
    if (s->box < 0) {
        search_cylinders(s);
    } else {
        search_cylinder_box(s);
    }
    cri_mask near = may_touch(s);
    if (cri_mask_any(near) && s->box < 0) {
        land_cylinders(s, near, found);
    } else if (cri_mask_any(near)) {
        land_cylinder_box(s, near, found);
    }
    return near;
}

#endif
