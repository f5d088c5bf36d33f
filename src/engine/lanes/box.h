// Contact points of free bodies (contact manifolds), in lanes: boxes on planes and on boxes in any
// attitude. Cylinders: see lanes/round.h; all other shapes: lanes/hull.h and lanes/land.h.
//
//      separating axes (SAT)          clipping                      four points
//
//        +-----+   the axis with      incident    ___                 o-------o   the outermost
//        |  b  |   the largest        face      _/   \_               |       |   along the four
//        +--+--+   separation: a      - - - - -/- - - -\- - -         |       |   diagonals of the
//     +-----+---+  face of a or b,    reference face of the other     o-------o   reference face,
//     |    a    |  or across two      box, the sides of which cut                 deeper ones first
//     +---------+  edges              the incident one
//
// Nothing here depends on another lane: all choices are masks. Choices that rounding could flip, a
// face for an edge or one face for another, go to the earlier one unless the later is better by
// more than a tenth of a millimetre: contacts that flicker would never come to rest.
#ifndef CRI_LANES_BOX_H
#define CRI_LANES_BOX_H

#include "engine/lanes/flat.h"
#include "engine/lanes/free.h"

// Contact points are looked for within what the bodies move in the piece and this. Less than they
// move would let them overlap before they are seen.
#define FREE_MARGIN 4e-3f // m
// Another face, or a pair of edges, is taken if it is better by this much.
#define FACE_SLACK 1e-4f // m
#define SIDE_SLACK 5e-4f // m
#define EDGE_SLACK 5e-4f // m
// Points say where boxes meet if one of them is as near as the boxes are, to this.
#define SURE_GAP 1e-3f // m
#define FAR      1e30f
// A manifold has a point that is as near as the two are, to this.
#define SURE_SLACK 1e-4f // m
// Of two points the one that is nearer to touching is picked, unless the other is farther out along
// a diagonal by more than this times the difference of their gaps.
#ifndef REACH_SHARE // large worlds have one of their own
#define REACH_SHARE 8.0f
#endif
// Whether edges that meet beside a face are a point more of it, or the only one: see find_edges.
#ifndef JOIN_EDGES // large worlds do
#define JOIN_EDGES false
#endif

enum { CANDIDATES = 12, CORNERS = 4 };

// Points of one meet, by lane.
typedef struct manifold {
    cri_mask on[CORNERS];
    cri_lanes gap[CORNERS];
    // Midway between the surfaces, from the middle of the first solid, or of what lies on a plane:
    // far from the origin a place in the world is coarser than the lever of a cylinder that lies
    // still.
    cri_lanes3 place[CORNERS];
    cri_lanes3 normal; // from the first to the second
    cri_lanes apart;   // separation along it
    cri_lanes feature; // which faces or edges they are of
} manifold;

INLINE cri_lanes sign_of(cri_lanes a)
{
    // By comparing: the sign of a zero may depend on other lanes.
    return cri_lanes_pick(is_less(a, cri_lanes_all(0)), cri_lanes_all(-1), cri_lanes_all(1));
}

// One of three, by two masks; neither is set: the first.
INLINE cri_lanes pick_one(cri_mask second, cri_mask third, const cri_lanes v[3])
{
    return cri_lanes_pick(third, v[2], cri_lanes_pick(second, v[1], v[0]));
}

INLINE cri_lanes3 pick_axis(cri_mask second, cri_mask third, const cri_lanes3 v[3])
{
    return cri_lanes3_pick(third, v[2], cri_lanes3_pick(second, v[1], v[0]));
}

// A face of a box: its normal and the two directions along it.
typedef struct box_face {
    cri_lanes3 normal, u, v;
    cri_lanes depth, half_u, half_v; // depth: of the face from the box's middle
} box_face;

// The face along axis 0, 1 (second) or 2 (third), on the positive side.
static inline box_face face_of(cri_mask second, cri_mask third, const cri_lanes3 axes[3],
                               const cri_lanes half[3])
{
    const cri_lanes3 u[3] = {axes[1], axes[2], axes[0]}, v[3] = {axes[2], axes[0], axes[1]};
    const cri_lanes hu[3] = {half[1], half[2], half[0]}, hv[3] = {half[2], half[0], half[1]};
    return (box_face){pick_axis(second, third, axes), pick_axis(second, third, u),
                      pick_axis(second, third, v),    pick_one(second, third, half),
                      pick_one(second, third, hu),    pick_one(second, third, hv)};
}

// The face that looks most along a direction, on that side.
static inline box_face facing(const cri_lanes3 axes[3], const cri_lanes half[3], cri_lanes3 along,
                              cri_lanes *number)
{
    cri_lanes k[3], zero = cri_lanes_all(0);
    for (int i = 0; i < 3; i++) {
        k[i] = cri_lanes3_dot(along, axes[i]);
    }
    cri_mask second = is_less(cri_lanes_abs(k[0]) + FACE_SLACK, cri_lanes_abs(k[1]));
    cri_lanes best = cri_lanes_pick(second, k[1], k[0]);
    cri_mask third = is_less(cri_lanes_abs(best) + FACE_SLACK, cri_lanes_abs(k[2]));
    best = cri_lanes_pick(third, k[2], best);
    box_face f = face_of(second, third, axes, half);
    f.normal = cri_lanes3_scale(sign_of(best), f.normal);
    cri_lanes index = cri_lanes_pick(third, zero + 2.0f, cri_lanes_keep(second, zero + 1.0f));
    *number = index * 2.0f + cri_lanes_keep(is_less(best, zero), zero + 1.0f);
    return f;
}

// ---------------------------------------------------------------------------------------------
// A box on a plane: the corners of the face that looks down most.

// The plane through `base` with the normal n.
static inline void box_on_ground(cri_lanes3 n, cri_lanes3 base, const stance *at,
                                 const cri_lanes halves[3], manifold *out)
{
    box_face f = facing(at->axes, halves, cri_lanes3_scale(cri_lanes_all(-1), n), &out->feature);
    cri_lanes height = cri_lanes3_dot(n, cri_lanes3_sub(at->place, base));
    out->apart = height;
    for (int k = 0; k < 3; k++) {
        out->apart = out->apart - halves[k] * cri_lanes_abs(cri_lanes3_dot(n, at->axes[k]));
    }
    out->normal = n;
    for (int i = 0; i < CORNERS; i++) {
        cri_lanes3 r = cri_lanes3_scale(f.depth, f.normal);
        r = cri_lanes3_mad(r, i & 1 ? f.half_u : -f.half_u, f.u);
        r = cri_lanes3_mad(r, i & 2 ? f.half_v : -f.half_v, f.v);
        out->gap[i] = height + cri_lanes3_dot(n, r);
        out->place[i] = cri_lanes3_mad(r, out->gap[i] * -0.5f, n);
        out->on[i] = cri_mask_all(-1);
    }
}

static inline void box_on_plane(const cri_solid *plane, const stance *at, const float half[3],
                                manifold *out)
{
    const cri_lanes halves[3] = {cri_lanes_all(half[0]), cri_lanes_all(half[1]),
                                 cri_lanes_all(half[2])};
    box_on_ground(lanes3_all(&plane->turn[6]), lanes3_all(plane->place), at, halves, out);
}

// ---------------------------------------------------------------------------------------------
// Cylinders.

// Where the two beside the lowest point of a rim are, as the tangent of half their angle from it. A
// cap that stands has them at 90 degrees. One that leans rolls on its rim, and would sink in
// between: they are where the rim is RIM_GAP higher than its lowest point,
//
//     r lean (1 - cos a) = RIM_GAP,   tan^2(a/2) = (1 - cos a) / (1 + cos a),
//
// but no nearer than a spin about the axis turns the rim in this piece: points move along a
// tangent, and one at an angle a would be taken to reach the floor after half of it.
#define RIM_GAP 1e-3f // m
INLINE cri_lanes rim_angle(float radius, cri_lanes lean, cri_lanes margin)
{
    cri_lanes one = cri_lanes_all(1), q = RIM_GAP / lanes_max(lean * radius, one * RIM_GAP);
    cri_lanes least = (margin - FREE_MARGIN) * (1.2f / radius);
    return lanes_min(lanes_max(cri_lanes_sqrt(q / (2.0f - q)), least), one);
}

// A cylinder on a plane: the lowest point of the lower rim, those beside it, and the one opposite
// or, where it lies rather than stands, the lowest of the other rim.
static inline void cylinder_on_plane(const cri_solid *plane, const stance *at, const cri_solid *s,
                                     cri_lanes margin, manifold *out)
{
    cri_lanes3 n = lanes3_all(&plane->turn[6]), axis = at->axes[2];
    cri_lanes up = cri_lanes3_dot(n, axis), zero = cri_lanes_all(0), half = zero + s->half[2];
    axis = cri_lanes3_scale(-sign_of(up), axis);
    cri_lanes3 down = cri_lanes3_mad(n, -cri_lanes3_dot(n, axis), axis);
    cri_lanes length = cri_lanes3_length(down);
    cri_mask tilted = is_less(zero + 1e-4f, length);
    cri_lanes3 lowest = cri_lanes3_scale(-1.0f / cri_lanes_pick(tilted, length, zero + 1.0f), down);
    lowest = cri_lanes3_scale(zero + s->radius, cri_lanes3_pick(tilted, lowest, at->axes[0]));
    cri_lanes3 beside = cri_lanes3_cross(axis, lowest), end = cri_lanes3_scale(half, axis);
    cri_mask lies = is_less(cri_lanes_abs(up), zero + 0.5f);
    cri_lanes side = cri_lanes_pick(lies, zero + 1.0f, zero - 1.0f);
    cri_lanes tan = cri_lanes_pick(lies, zero + 1.0f, rim_angle(s->radius, length, margin));
    cri_lanes share = 1.0f / (tan * tan + 1.0f);
    cri_lanes3 near = cri_lanes3_mad(end, (1.0f - tan * tan) * share, lowest);
    beside = cri_lanes3_scale(tan * share * 2.0f, beside);
    const cri_lanes3 corners[CORNERS] = {
        cri_lanes3_add(end, lowest), cri_lanes3_add(near, beside), cri_lanes3_sub(near, beside),
        cri_lanes3_mad(cri_lanes3_scale(-side, end), side, lowest)};
    cri_lanes height = cri_lanes3_dot(n, cri_lanes3_sub(at->place, lanes3_all(plane->place)));
    out->normal = n;
    out->feature = cri_lanes_pick(is_less(up, zero), zero + 1.0f, zero);
    out->feature = out->feature + cri_lanes_keep(lies, zero + 2.0f);
    for (int i = 0; i < CORNERS; i++) {
        out->gap[i] = height + cri_lanes3_dot(n, corners[i]);
        out->place[i] = cri_lanes3_mad(corners[i], out->gap[i] * -0.5f, n);
        out->on[i] = cri_mask_all(-1);
    }
    out->apart = out->gap[0];
}

// ---------------------------------------------------------------------------------------------
// Two boxes: axes.

typedef struct box_pair {
    const stance *a, *b;
    cri_lanes half_a[3], half_b[3];
    cri_lanes3 d;                      // from a to b
    cri_lanes turn[3][3], steep[3][3]; // axes of a times axes of b, and without sign
    cri_lanes along_a[3], along_b[3];  // d along the axes
    cri_lanes face, face_gap;          // 0-2: of a, 3-5: of b
    cri_lanes edge_a, edge_b, edge_gap;
    cri_mask by_edge; // the edges are farther apart than the faces
} box_pair;

static inline void compare_axes(box_pair *p)
{
    for (int i = 0; i < 3; i++) {
        p->along_a[i] = cri_lanes3_dot(p->d, p->a->axes[i]);
        p->along_b[i] = cri_lanes3_dot(p->d, p->b->axes[i]);
        for (int j = 0; j < 3; j++) {
            p->turn[i][j] = cri_lanes3_dot(p->a->axes[i], p->b->axes[j]);
            p->steep[i][j] = cri_lanes_abs(p->turn[i][j]);
        }
    }
}

INLINE void try_face(box_pair *p, float number, cri_lanes gap, float slack)
{
    cri_mask better = is_less(p->face_gap + slack, gap);
    p->face_gap = cri_lanes_pick(better, gap, p->face_gap);
    p->face = cri_lanes_pick(better, cri_lanes_all(number), p->face);
}

static inline void try_faces(box_pair *p)
{
    const cri_lanes *a = p->half_a, *b = p->half_b;
    p->face_gap = cri_lanes_all(-FAR);
    p->face = cri_lanes_all(0);
    for (int i = 0; i < 3; i++) {
        cri_lanes reach = p->steep[i][0] * b[0] + p->steep[i][1] * b[1] + p->steep[i][2] * b[2];
        try_face(p, (float)i, cri_lanes_abs(p->along_a[i]) - a[i] - reach, FACE_SLACK);
    }
    for (int j = 0; j < 3; j++) {
        cri_lanes reach = p->steep[0][j] * a[0] + p->steep[1][j] * a[1] + p->steep[2][j] * a[2];
        try_face(p, (float)(3 + j), cri_lanes_abs(p->along_b[j]) - b[j] - reach,
                 j ? FACE_SLACK : SIDE_SLACK);
    }
}

// The separation along the cross product of an edge of each, over its length; none if they are
// parallel.
INLINE cri_lanes edge_gap(const box_pair *p, int i, int j)
{
    int i1 = (i + 1) % 3, i2 = (i + 2) % 3, j1 = (j + 1) % 3, j2 = (j + 2) % 3;
    cri_lanes across = 1.0f - p->turn[i][j] * p->turn[i][j], least = cri_lanes_all(1e-3f);
    cri_lanes apart =
        cri_lanes_abs(p->along_a[i2] * p->turn[i1][j] - p->along_a[i1] * p->turn[i2][j]);
    apart = apart - (p->steep[i2][j] * p->half_a[i1] + p->steep[i1][j] * p->half_a[i2]);
    apart = apart - (p->steep[i][j2] * p->half_b[j1] + p->steep[i][j1] * p->half_b[j2]);
    return cri_lanes_pick(is_less(least, across), apart / cri_lanes_sqrt(lanes_max(across, least)),
                          cri_lanes_all(-FAR));
}

static inline void try_edges(box_pair *p)
{
    p->edge_gap = cri_lanes_all(-FAR);
    p->edge_a = p->edge_b = cri_lanes_all(0);
    for (int i = 0; i < 3; i++) {
        for (int j = 0; j < 3; j++) {
            cri_lanes gap = edge_gap(p, i, j);
            cri_mask better = is_less(p->edge_gap, gap);
            p->edge_gap = cri_lanes_pick(better, gap, p->edge_gap);
            p->edge_a = cri_lanes_pick(better, cri_lanes_all((float)i), p->edge_a);
            p->edge_b = cri_lanes_pick(better, cri_lanes_all((float)j), p->edge_b);
        }
    }
    cri_lanes rather = lanes_max(p->face_gap * 0.95f, p->face_gap * 1.05f) + EDGE_SLACK;
    p->by_edge = is_less(rather, p->edge_gap);
}

// ---------------------------------------------------------------------------------------------
// Two boxes: faces.

// The incident face as seen from the reference face: its middle and half edges, along u, v and the
// normal.
typedef struct incident {
    cri_lanes middle[3], one[3], two[3];
} incident;

typedef struct candidates {
    cri_lanes u[CANDIDATES], v[CANDIDATES], gap[CANDIDATES];
    cri_mask on[CANDIDATES];
} candidates;

INLINE void add_candidate(candidates *c, int i, const cri_lanes at[3], cri_mask on)
{
    c->u[i] = at[0], c->v[i] = at[1], c->gap[i] = at[2], c->on[i] = on;
}

// 1/a, as large as need be where a is next to nothing.
INLINE cri_lanes inverse(cri_lanes a)
{
    return sign_of(a) / lanes_max(cri_lanes_abs(a), cri_lanes_all(1e-7f));
}

// The part of an edge of the incident face, from -way to +way about `middle`, in front of the
// reference face: its two ends (Liang and Barsky).
static inline void clip_edge(candidates *c, int first, const cri_lanes middle[3],
                             const cri_lanes way[3], const box_face *f)
{
    cri_lanes iu = inverse(way[0]), iv = inverse(way[1]), one = cri_lanes_all(1);
    cri_lanes a = (-f->half_u - middle[0]) * iu, b = (f->half_u - middle[0]) * iu;
    cri_lanes d = (-f->half_v - middle[1]) * iv, e = (f->half_v - middle[1]) * iv;
    cri_lanes from = lanes_max(lanes_max(lanes_min(a, b), lanes_min(d, e)), -one);
    cri_lanes to = lanes_min(lanes_min(lanes_max(a, b), lanes_max(d, e)), one);
    cri_mask on = ~is_less(to + 1e-5f, from);
    cri_lanes start[3], end[3];
    for (int k = 0; k < 3; k++) {
        start[k] = middle[k] + from * way[k];
        end[k] = middle[k] + to * way[k];
    }
    add_candidate(c, first, start, on);
    add_candidate(c, first + 1, end, on);
}

// Corners of the reference face that the incident face covers.
static inline void add_covered(candidates *c, int first, const incident *in, const box_face *f)
{
    cri_lanes det = in->one[0] * in->two[1] - in->one[1] * in->two[0],
              most = cri_lanes_all(1.0001f);
    cri_mask wide = is_less(cri_lanes_all(1e-9f), cri_lanes_abs(det));
    cri_lanes share = 1.0f / cri_lanes_pick(wide, det, cri_lanes_all(1));
    for (int i = 0; i < CORNERS; i++) {
        cri_lanes u = i & 1 ? f->half_u : -f->half_u, v = i & 2 ? f->half_v : -f->half_v;
        cri_lanes du = u - in->middle[0], dv = v - in->middle[1];
        cri_lanes s = (du * in->two[1] - dv * in->two[0]) * share;
        cri_lanes t = (dv * in->one[0] - du * in->one[1]) * share;
        cri_lanes at[3] = {u, v, in->middle[2] + s * in->one[2] + t * in->two[2]};
        add_candidate(c, first + i, at,
                      wide & ~is_less(most, cri_lanes_abs(s)) & ~is_less(most, cri_lanes_abs(t)));
    }
}

static inline void clip_face(candidates *c, const incident *in, const box_face *f)
{
    for (int side = 0; side < 2; side++) {
        float sign = side ? 1 : -1;
        cri_lanes along_one[3], along_two[3];
        for (int k = 0; k < 3; k++) {
            along_one[k] = in->middle[k] + in->two[k] * sign;
            along_two[k] = in->middle[k] + in->one[k] * sign;
        }
        clip_edge(c, 2 * side, along_one, in->one, f);
        clip_edge(c, 4 + 2 * side, along_two, in->two, f);
    }
    add_covered(c, 8, in, f);
}

// The lanes in which a point is nearer than this.
static inline cri_mask has_gap(const manifold *m, cri_lanes gap)
{
    cri_mask sure = cri_mask_all(0);
    for (int i = 0; i < CORNERS; i++) {
        sure = sure | (m->on[i] & is_less(m->gap[i], gap));
    }
    return sure;
}

// The lanes in which each place is the one to give up: a point that is not there, or the farthest.
// Returns how far it is.
static inline cri_lanes find_last(const manifold *m, cri_mask lanes, cri_mask here[CORNERS])
{
    cri_lanes gaps[CORNERS], most = cri_lanes_all(-FAR);
    for (int i = 0; i < CORNERS; i++) {
        gaps[i] = cri_lanes_pick(m->on[i], m->gap[i], cri_lanes_all(FAR));
        most = lanes_max(most, gaps[i]);
    }
    for (int i = 0; i < CORNERS; i++) {
        here[i] = lanes & ~is_less(gaps[i], most);
        lanes = lanes & ~here[i];
    }
    return most;
}

// A point that must not be missing takes the place of none, or of the one that is farthest away.
static inline void keep_in_last(cri_mask lanes, cri_lanes at_u, cri_lanes at_v, cri_lanes gap,
                                cri_lanes u[CORNERS], cri_lanes v[CORNERS], manifold *out)
{
    cri_mask here[CORNERS];
    find_last(out, lanes, here);
    for (int i = 0; i < CORNERS; i++) {
        u[i] = cri_lanes_pick(here[i], at_u, u[i]);
        v[i] = cri_lanes_pick(here[i], at_v, v[i]);
        out->gap[i] = cri_lanes_pick(here[i], gap, out->gap[i]);
        out->on[i] = out->on[i] | here[i];
    }
}

// Four of the candidates: the outermost along the diagonals of the face, deeper ones rather. One
// that stands for two diagonals counts once.
static inline void pick_four(const candidates *c, cri_lanes u[CORNERS], cri_lanes v[CORNERS],
                             manifold *out)
{
    for (int i = 0; i < CORNERS; i++) {
        float su = i & 1 ? 1 : -1, sv = i & 2 ? 1 : -1;
        cri_lanes best = cri_lanes_all(-1e29f);
        cri_mask on = cri_mask_all(0);
        u[i] = v[i] = out->gap[i] = cri_lanes_all(0);
        for (int k = 0; k < CANDIDATES; k++) {
            cri_lanes score = c->u[k] * su + c->v[k] * sv - c->gap[k] * REACH_SHARE;
            cri_mask better = c->on[k] & is_less(best + 1e-5f, score);
            best = cri_lanes_pick(better, score, best);
            u[i] = cri_lanes_pick(better, c->u[k], u[i]);
            v[i] = cri_lanes_pick(better, c->v[k], v[i]);
            out->gap[i] = cri_lanes_pick(better, c->gap[k], out->gap[i]);
            on = on | better;
        }
        for (int k = 0; k < i; k++) {
            cri_lanes du = u[i] - u[k], dv = v[i] - v[k];
            on = on & ~(out->on[k] & is_less(du * du + dv * dv, cri_lanes_all(1e-8f)));
        }
        out->on[i] = on;
    }
}

// The reference face, of a or of b, and the box that comes down on it.
typedef struct reference {
    box_face face;
    cri_mask of_b;
    cri_lanes back;      // 1, or -1 where it is of b: its normal points to a
    cri_lanes side;      // of the box that it is on
    cri_lanes3 d;        // from the middle of its box to that of the other
    cri_lanes3 other[3]; // axes
    cri_lanes half[3];   // of the other
} reference;

static inline reference reference_of(const box_pair *p)
{
    reference r = {.of_b = is_less(cri_lanes_all(2.5f), p->face)};
    cri_lanes number = p->face - cri_lanes_keep(r.of_b, cri_lanes_all(3)), half[3];
    cri_lanes3 mine[3];
    for (int i = 0; i < 3; i++) {
        cri_lanes a = p->half_a[i], b = p->half_b[i];
        mine[i] = cri_lanes3_pick(r.of_b, p->b->axes[i], p->a->axes[i]);
        r.other[i] = cri_lanes3_pick(r.of_b, p->a->axes[i], p->b->axes[i]);
        half[i] = cri_lanes_pick(r.of_b, b, a);
        r.half[i] = cri_lanes_pick(r.of_b, a, b);
    }
    r.back = cri_lanes_pick(r.of_b, cri_lanes_all(-1), cri_lanes_all(1));
    r.d = cri_lanes3_scale(r.back, p->d);
    r.face = face_of(is_less(cri_lanes_all(0.5f), number), is_less(cri_lanes_all(1.5f), number),
                     mine, half);
    r.side = sign_of(cri_lanes3_dot(r.face.normal, r.d));
    r.face.normal = cri_lanes3_scale(r.side, r.face.normal);
    return r;
}

// Where clipping leaves nothing of two boxes that overlap, the deepest corner of the other one: its
// gap is that of the faces.
static inline void keep_deepest(const box_pair *p, const reference *r, cri_lanes u[CORNERS],
                                cri_lanes v[CORNERS], manifold *out)
{
    cri_mask none = ~(out->on[0] | out->on[1] | out->on[2] | out->on[3]) & ~p->by_edge;
    none = none & is_less(p->face_gap, cri_lanes_all(0));
    cri_lanes3 corner = r->d;
    for (int k = 0; k < 3; k++) {
        cri_lanes side = sign_of(cri_lanes3_dot(r->other[k], r->face.normal));
        corner = cri_lanes3_mad(corner, -(side * r->half[k]), r->other[k]);
    }
    u[0] = cri_lanes_pick(none, cri_lanes3_dot(corner, r->face.u), u[0]);
    v[0] = cri_lanes_pick(none, cri_lanes3_dot(corner, r->face.v), v[0]);
    out->gap[0] = cri_lanes_pick(none, p->face_gap, out->gap[0]);
    out->on[0] = out->on[0] | none;
}

// The incident face of the other box.
static inline incident see_incident(const reference *r)
{
    const box_face *f = &r->face;
    cri_lanes number;
    box_face other =
        facing(r->other, r->half, cri_lanes3_scale(cri_lanes_all(-1), f->normal), &number);
    cri_lanes3 middle = cri_lanes3_mad(r->d, other.depth, other.normal);
    cri_lanes3 one = cri_lanes3_scale(other.half_u, other.u);
    cri_lanes3 two = cri_lanes3_scale(other.half_v, other.v);
    return (incident){
        {cri_lanes3_dot(middle, f->u), cri_lanes3_dot(middle, f->v),
         cri_lanes3_dot(middle, f->normal) - f->depth},
        {cri_lanes3_dot(one, f->u), cri_lanes3_dot(one, f->v), cri_lanes3_dot(one, f->normal)},
        {cri_lanes3_dot(two, f->u), cri_lanes3_dot(two, f->v), cri_lanes3_dot(two, f->normal)}};
}

static inline void face_points(const box_pair *p, cri_lanes margin, manifold *out)
{
    reference r = reference_of(p);
    const box_face *f = &r.face;
    incident in = see_incident(&r);
    candidates c;
    clip_face(&c, &in, f);
    for (int k = 0; k < CANDIDATES; k++) {
        c.on[k] = c.on[k] & is_less(c.gap[k], margin);
    }
    cri_lanes u[CORNERS], v[CORNERS];
    pick_four(&c, u, v, out);
    keep_deepest(p, &r, u, v, out);
    cri_lanes3 origin = cri_lanes3_keep(r.of_b, p->d);
    for (int i = 0; i < CORNERS; i++) {
        cri_lanes3 at = cri_lanes3_mad(origin, f->depth + out->gap[i] * 0.5f, f->normal);
        out->place[i] = cri_lanes3_mad(cri_lanes3_mad(at, u[i], f->u), v[i], f->v);
    }
    out->normal = cri_lanes3_scale(r.back, f->normal);
    out->apart = p->face_gap;
    out->feature = p->face * 2.0f + r.side + 10.0f;
}

// ---------------------------------------------------------------------------------------------
// Two boxes: edges.

// A point of the outermost edge of a box along a direction, parallel to one of its axes; from its
// middle.
static inline cri_lanes3 edge_middle(const stance *at, const cri_lanes half[3], cri_lanes edge,
                                     cri_lanes3 along)
{
    cri_lanes3 p = cri_lanes3_zero();
    for (int k = 0; k < 3; k++) {
        cri_mask own = is_less(cri_lanes_abs(edge - (float)k), cri_lanes_all(0.5f));
        cri_lanes way = sign_of(cri_lanes3_dot(at->axes[k], along)) * half[k];
        p = cri_lanes3_mad(p, cri_lanes_keep(~own, way), at->axes[k]);
    }
    return p;
}

// Where two edges are nearest, and the direction across both.
typedef struct edges {
    cri_lanes3 normal, place;
} edges;

static inline edges meet_edges(const box_pair *p)
{
    cri_lanes half = cri_lanes_all(0.5f), most = cri_lanes_all(1.5f);
    cri_lanes3 a = pick_axis(is_less(half, p->edge_a), is_less(most, p->edge_a), p->a->axes);
    cri_lanes3 b = pick_axis(is_less(half, p->edge_b), is_less(most, p->edge_b), p->b->axes);
    cri_lanes3 n = cri_lanes3_cross(a, b);
    n = cri_lanes3_scale(1.0f / lanes_max(cri_lanes3_length(n), cri_lanes_all(1e-4f)), n);
    n = cri_lanes3_scale(sign_of(cri_lanes3_dot(n, p->d)), n);
    cri_lanes3 on_a = edge_middle(p->a, p->half_a, p->edge_a, n);
    cri_lanes3 on_b =
        edge_middle(p->b, p->half_b, p->edge_b, cri_lanes3_scale(cri_lanes_all(-1), n));
    on_b = cri_lanes3_add(on_b, p->d);
    // The nearest points of two lines.
    cri_lanes3 d = cri_lanes3_sub(on_b, on_a);
    cri_lanes c = cri_lanes3_dot(a, b), x = cri_lanes3_dot(d, a), y = cri_lanes3_dot(d, b);
    cri_lanes share = 1.0f / lanes_max(1.0f - c * c, cri_lanes_all(1e-3f));
    on_a = cri_lanes3_mad(on_a, (x - c * y) * share, a);
    on_b = cri_lanes3_mad(on_b, (c * x - y) * share, b);
    return (edges){n, cri_lanes3_scale(half, cri_lanes3_add(on_a, on_b))};
}

static inline void edge_point(const box_pair *p, const edges *e, manifold *out)
{
    out->normal = cri_lanes3_pick(p->by_edge, e->normal, out->normal);
    out->place[0] = cri_lanes3_pick(p->by_edge, e->place, out->place[0]);
    out->gap[0] = cri_lanes_pick(p->by_edge, p->edge_gap, out->gap[0]);
    out->on[0] = out->on[0] | p->by_edge;
    out->apart = cri_lanes_pick(p->by_edge, p->edge_gap, out->apart);
    out->feature = cri_lanes_pick(p->by_edge, p->edge_a * 3.0f + p->edge_b + 50.0f, out->feature);
}

// One more point, in the place of none or of the one that is farthest away, if that is farther.
static inline void add_point(cri_mask lanes, cri_lanes3 place, cri_lanes gap, manifold *m)
{
    cri_mask here[CORNERS], farther = is_less(gap, find_last(m, lanes, here));
    for (int i = 0; i < CORNERS; i++) {
        here[i] = here[i] & farther;
        m->place[i] = cri_lanes3_pick(here[i], place, m->place[i]);
        m->gap[i] = cri_lanes_pick(here[i], gap, m->gap[i]);
        m->on[i] = m->on[i] | here[i];
    }
}

// Where no point of two faces is as near as the boxes are, they meet elsewhere: an edge of one is
// inside the other beside its face. Then the two edges along whose product they overlap least meet.
#define UNSURE_GAP 2e-4f // m
// Edges that are joined are a point more of the faces if they meet about along their normal.
#define ALIKE_COS 0.98f

// A point of edges that joins those of faces has a gap that is larger by EDGE_SHIFT, and stays
// while it is no farther than EDGE_BAND behind the nearest of them: one that came and went where it
// bears a load would kick a heap that wants to rest.
#define EDGE_SHIFT 1e-4f // m
#define EDGE_BAND  5e-4f // m

static inline cri_lanes joined_gap(const box_pair *p)
{
    cri_lanes beyond = lanes_max(p->face_gap - p->edge_gap, cri_lanes_all(0));
    return lanes_max(p->face_gap, p->edge_gap) + lanes_min(beyond, cri_lanes_all(EDGE_SHIFT)) +
           EDGE_SHIFT;
}

static inline void find_edges(box_pair *p, cri_mask lanes, manifold *m)
{
    cri_lanes least = cri_lanes_all(FAR), apart = lanes_max(p->face_gap, p->edge_gap);
    for (int i = 0; i < CORNERS; i++) {
        least = cri_lanes_pick(m->on[i], lanes_min(least, m->gap[i]), least);
    }
    cri_lanes gap = JOIN_EDGES ? joined_gap(p) : apart + UNSURE_GAP;
    cri_mask nearer = is_less(gap, JOIN_EDGES ? least + EDGE_BAND : least);
    lanes = lanes & is_less(cri_lanes_all(-0.5f * FAR), p->edge_gap);
    if (!cri_mask_any(lanes & (nearer | p->by_edge))) {
        return;
    }
    edges e = meet_edges(p);
    if (JOIN_EDGES) {
        cri_mask alike = is_less(cri_lanes_all(ALIKE_COS), cri_lanes3_dot(e.normal, m->normal));
        add_point(lanes & nearer & alike, e.place, gap, m);
        lanes = lanes & ~alike;
    }
    p->by_edge = lanes & (p->by_edge | is_less(apart + UNSURE_GAP, least));
    for (int i = 0; i < CORNERS; i++) {
        m->on[i] = m->on[i] & ~p->by_edge;
    }
    edge_point(p, &e, m);
}

// The lanes given in which two boxes come within the margin; their points.
static inline cri_mask box_on_box(box_pair *p, cri_lanes margin, cri_mask lanes, manifold *out)
{
    p->d = cri_lanes3_sub(p->b->place, p->a->place);
    compare_axes(p);
    try_faces(p);
    lanes = lanes & is_less(p->face_gap, margin);
    if (!cri_mask_any(lanes)) {
        return lanes;
    }
    try_edges(p);
    lanes = lanes & is_less(p->edge_gap, margin);
    if (!cri_mask_any(lanes)) {
        return lanes;
    }
    face_points(p, margin, out);
    find_edges(p, lanes, out);
    return lanes;
}

// ---------------------------------------------------------------------------------------------
// Meets.

// How near two solids are to be seen: as far as they move in the piece, and a little more.
static inline cri_lanes free_margin(const batch *w, const cri_meet *m)
{
    return both_paces(w, m) * w->left + w->margin;
}

// No more than the distance from a place to a fixed solid.
static inline cri_lanes fixed_bound(const cri_solid *s, cri_lanes3 p)
{
    cri_lanes x = cri_lanes_abs(p.x - s->middle[0]) - s->extent[0];
    cri_lanes y = cri_lanes_abs(p.y - s->middle[1]) - s->extent[1];
    cri_lanes z = cri_lanes_abs(p.z - s->middle[2]) - s->extent[2];
    return lanes_max(lanes_max(x, y), z);
}

// The radius of a sphere about its mover's center that holds a solid.
static inline float ball_around(const batch *w, const cri_solid *s)
{
    const cri_mover *m = &w->course->movers[s->mover];
    return m->class == CRI_FREE ? s->reach : m->radius;
}

// The lanes in which two solids may be nearer to each other than the margin.
static inline cri_mask free_near(const batch *w, const cri_meet *m, cri_lanes margin)
{
    const cri_solid *a = &w->course->solids[m->solids[0]], *b = &w->course->solids[m->solids[1]];
    if (a->mover >= 0 && b->mover >= 0) {
        cri_lanes within = margin + (ball_around(w, a) + ball_around(w, b));
        cri_lanes3 d = cri_lanes3_sub(w->bodies[a->mover].place, w->bodies[b->mover].place);
        return is_less(cri_lanes3_dot(d, d), within * within);
    }
    const cri_solid *fixed = a->mover < 0 ? a : b, *moving = a->mover < 0 ? b : a;
    cri_lanes3 p = w->bodies[moving->mover].place;
    cri_lanes within = margin + moving->reach;
    if (fixed->shape->kind == CR_SHAPE_PLANE) {
        cri_lanes3 from = cri_lanes3_sub(p, lanes3_all(fixed->place));
        return is_less(cri_lanes3_dot(from, lanes3_all(&fixed->turn[6])), within);
    }
    return is_less(fixed_bound(fixed, p), within);
}

// The side of a meet whose levers its points have.
static inline int lever_side(const batch *w, const cri_meet *m)
{
    return is_free(w, m->movers[0]) ? 0 : 1;
}

// From the middle of one of the meet's solids to the center of its free body.
static inline cri_lanes3 lever_of(const batch *w, const cri_meet *m, int solid, cri_lanes3 place)
{
    const body *b = &w->bodies[m->movers[lever_side(w, m)]];
    return cri_lanes3_add(place, cri_lanes3_sub(w->stances[solid].place, b->place));
}

// The points of a manifold become points of the batch. Its places are seen from a solid.
static inline void put_manifold(batch *w, int index, int from, const manifold *found,
                                cri_mask lanes, cri_lanes margin)
{
    sight *known = &w->sights[index];
    const cri_meet *m = &w->course->meets[index];
    known->gap.distance = cri_lanes_pick(lanes, found->apart, known->gap.distance);
    known->gap.normal = cri_lanes3_pick(lanes, found->normal, known->gap.normal);
    cri_mask some = cri_mask_all(0);
    for (int i = 0; i < CORNERS; i++) {
        cri_mask near = lanes & found->on[i] & is_less(found->gap[i], margin);
        known->held = known->held | (near & is_less(found->gap[i], found->apart + SURE_GAP));
        known->spans = known->spans | (some & near);
        some = some | near;
        if (!cri_mask_any(near)) {
            continue;
        }
        point *p = new_point(w, m);
        p->near = p->solve = near;
        p->hit = cri_lanes_all(0);
        p->lever = lever_of(w, m, from, found->place[i]);
        p->place = cri_lanes3_add(w->bodies[m->movers[lever_side(w, m)]].place, p->lever);
        p->normal = found->normal;
        p->gap = found->gap[i];
    }
}

static inline void find_boxes(batch *w, int index, cri_mask lanes, cri_lanes margin)
{
    const cri_meet *m = &w->course->meets[index];
    const float *one = w->course->solids[m->solids[0]].half;
    const float *two = w->course->solids[m->solids[1]].half;
    box_pair p = {.a = &w->stances[m->solids[0]], .b = &w->stances[m->solids[1]]};
    for (int k = 0; k < 3; k++) {
        p.half_a[k] = cri_lanes_all(one[k]), p.half_b[k] = cri_lanes_all(two[k]);
    }
    manifold found;
    lanes = box_on_box(&p, margin, lanes, &found);
    if (cri_mask_any(lanes)) {
        put_manifold(w, index, m->solids[0], &found, lanes, margin);
    }
}

#endif
