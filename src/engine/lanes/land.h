// Contact points of polytopes, capsules and balls, in lanes: two rings that look at each other,
// seen along the normal that lanes/hull.h finds.
//
//       v                      the reference ring, a face, has an inner side for each edge. Edges
//       of |  ..incident..        the other ring, the incident one, are cut by all of them; what is
//     +-:---------+  :         left of each edge has two ends (Cyrus and Beck), and corners of the
//     | :         |  :         reference that the incident ring covers are points, too. Of all
//     | :.........|..:         these the outermost four along the diagonals of u and v are kept.
//     +-----------+ --> u
//
// Rings are picked in each lane by itself; lanes with fewer corners than others repeat their last.
#ifndef CRI_LANES_LAND_H
#define CRI_LANES_LAND_H

#include "engine/lanes/hull.h"

enum { RING = CR_HULL_MAX_CORNERS };

// A face, or what stands for one, in the base's frame.
typedef struct ring {
    int count; // the most of all lanes
    cri_lanes3 corners[RING];
    cri_lanes3 normal; // out of its solid
    cri_lanes offset;  // of its plane
    cri_mask flat;     // it is a face
    cri_lanes number;
} ring;

// A ring seen along the normal: where its corners are across it, and how high.
typedef struct shadow {
    cri_lanes u[RING], v[RING], high[RING];
} shadow;

// Two rings: from the reference to the incident one along `up`.
typedef struct landing_site {
    int count[2]; // corners of the reference, of the incident ring
    shadow reference, incident;
    cri_lanes3 u, v, up;
    cri_lanes3 reference_normal, incident_normal;
    cri_lanes reference_offset, incident_offset;
    cri_lanes slant[2]; // 1 / (normal . up)
    cri_mask covers;    // the incident ring has an inside
    cri_mask of_other;  // the reference is the other's
    cri_lanes limit;    // gaps beyond are of no interest
} landing_site;

// The best four points so far.
typedef struct picks {
    cri_lanes score[CORNERS], u[CORNERS], v[CORNERS], gap[CORNERS];
    cri_mask on[CORNERS];
} picks;

// ---------------------------------------------------------------------------------------------
// Rings.

// The face that looks most along n, an index a lane. Both are in the polytope's frame.
static inline cri_lanes face_along(const cri_polytope *p, cri_lanes3 n)
{
    cri_lanes best = cri_lanes_all(-2), number = cri_lanes_all(0);
    for (int f = 0; f < p->face_count; f++) {
        cri_lanes along = dot_all(n, p->faces[f].normal);
        cri_mask better = is_less(best + FACE_SLACK, along);
        best = cri_lanes_pick(better, along, best);
        number = cri_lanes_pick(better, cri_lanes_all((float)f), number);
    }
    return number;
}

static inline void set_lane3(cri_lanes3 *v, int lane, const float from[3])
{
    cri_lanes_set(&v->x, lane, from[0]);
    cri_lanes_set(&v->y, lane, from[1]);
    cri_lanes_set(&v->z, lane, from[2]);
}

// A face of a polytope in each lane, in the polytope's frame.
static inline void gather_face(const cri_polytope *p, cri_lanes number, ring *out)
{
    out->count = 0;
    out->number = number;
    out->flat = cri_mask_all(-1);
    for (int lane = 0; lane < CRI_LANES; lane++) {
        const cri_face *f = &p->faces[(int)cri_lanes_get(&number, lane)];
        out->count = f->count > out->count ? f->count : out->count;
        set_lane3(&out->normal, lane, f->normal);
        cri_lanes_set(&out->offset, lane, f->offset);
    }
    for (int lane = 0; lane < CRI_LANES; lane++) {
        const cri_face *f = &p->faces[(int)cri_lanes_get(&number, lane)];
        for (int i = 0; i < out->count; i++) {
            const cri_edge *e = &p->edges[f->first + (i < f->count ? i : f->count - 1)];
            set_lane3(&out->corners[i], lane, e->from);
        }
    }
}

// The cap of a cylinder about the origin, as a square, or a line along its side.
static inline void tube_ring(const cri_solid *s, cri_lanes3 n, cri_lanes3 toward, ring *out)
{
    cri_lanes zero = cri_lanes_all(0), one = cri_lanes_all(1);
    tube t = {{zero, zero, one}, {one, zero, zero}, zero + s->radius, zero + s->half[2]};
    box_face f = tube_face(t, n, toward);
    cri_lanes3 middle = cri_lanes3_scale(f.depth, f.normal);
    cri_lanes3 u = cri_lanes3_scale(f.half_u, f.u), v = cri_lanes3_scale(f.half_v, f.v);
    out->count = 4;
    out->corners[0] = cri_lanes3_add(middle, cri_lanes3_add(u, v));
    out->corners[1] = cri_lanes3_add(middle, cri_lanes3_sub(v, u));
    out->corners[2] = cri_lanes3_sub(middle, cri_lanes3_add(u, v));
    out->corners[3] = cri_lanes3_add(middle, cri_lanes3_sub(u, v));
    out->normal = f.normal;
    out->offset = f.depth;
    out->flat = shows_cap(t, n);
    out->number = cri_lanes_keep(out->flat, one);
}

static inline void base_ring(const meeting *m, ring *out)
{
    if (m->kind == CORE_POLYTOPE) {
        gather_face(m->base->polytope, face_along(m->base->polytope, m->normal), out);
    } else {
        tube_ring(m->base, m->normal, m->other.place, out);
    }
}

// What a cylinder shows: see foremost in lanes/round.h.
static inline void other_tube_ring(const seen *o, cri_lanes3 back, ring *out)
{
    tube t = {o->axes[2], o->axes[0], cri_lanes_all(o->solid->radius),
              cri_lanes_all(o->solid->half[2])};
    outline shown = foremost(t, back, o->axes[0]);
    cri_lanes3 middle = cri_lanes3_add(o->place, shown.middle);
    cri_lanes3 one = shown.one, two = shown.two;
    out->count = 4;
    out->corners[0] = cri_lanes3_add(middle, cri_lanes3_add(one, two));
    out->corners[1] = cri_lanes3_add(middle, cri_lanes3_sub(two, one));
    out->corners[2] = cri_lanes3_sub(middle, cri_lanes3_add(one, two));
    out->corners[3] = cri_lanes3_add(middle, cri_lanes3_sub(one, two));
    cri_lanes side = sign_of(cri_lanes3_dot(back, t.axis));
    out->normal = cri_lanes3_pick(shown.cap, cri_lanes3_scale(side, t.axis), back);
    out->offset = cri_lanes3_dot(out->normal, middle);
    out->flat = shown.cap;
    out->number = cri_lanes_keep(shown.cap, cri_lanes_all(1));
}

static inline void other_ring(const meeting *m, ring *out)
{
    const seen *o = &m->other;
    cri_lanes3 back = opposite(m->normal);
    if (o->kind == CORE_TUBE) {
        other_tube_ring(o, back, out);
        return;
    }
    if (o->kind == CORE_LINE) {
        cri_lanes3 middle = cri_lanes3_mad(o->place, cri_lanes_all(o->solid->radius), back);
        cri_lanes3 end = cri_lanes3_scale(cri_lanes_all(o->solid->half[2]), o->axes[2]);
        out->count = 2;
        out->corners[0] = cri_lanes3_add(middle, end);
        out->corners[1] = cri_lanes3_sub(middle, end);
        out->normal = back;
        out->offset = cri_lanes3_dot(back, middle);
        out->flat = cri_mask_all(0);
        out->number = cri_lanes_all(0);
        return;
    }
    cri_lanes3 own =
        cri_lanes3_of(cri_lanes3_dot(back, o->axes[0]), cri_lanes3_dot(back, o->axes[1]),
                      cri_lanes3_dot(back, o->axes[2]));
    gather_face(o->solid->polytope, face_along(o->solid->polytope, own), out);
    out->normal = out_of(o->axes, out->normal);
    out->offset = out->offset + cri_lanes3_dot(out->normal, o->place);
    for (int i = 0; i < out->count; i++) {
        out->corners[i] = cri_lanes3_add(o->place, out_of(o->axes, out->corners[i]));
    }
}

// ---------------------------------------------------------------------------------------------
// Shadows.

// Corner i of a ring, or its last.
INLINE cri_lanes3 corner_of(const ring *r, int i)
{
    return r->corners[i < r->count ? i : r->count - 1];
}

static inline void cast_shadow(const landing_site *l, const ring *yes, const ring *no, int count,
                               shadow *out)
{
    for (int i = 0; i < count; i++) {
        cri_lanes3 p = cri_lanes3_pick(l->of_other, corner_of(yes, i), corner_of(no, i));
        out->u[i] = cri_lanes3_dot(p, l->u);
        out->v[i] = cri_lanes3_dot(p, l->v);
        out->high[i] = cri_lanes3_dot(p, l->up);
    }
}

INLINE cri_lanes slant_of(cri_lanes cosine)
{
    return 1.0f / lanes_max(cosine, cri_lanes_all(0.1f));
}

// u lies along the reference's first edge: what is picked along the diagonals stays the same.
static inline void set_basis(landing_site *l, const ring *base, const ring *other)
{
    cri_lanes3 first = cri_lanes3_pick(l->of_other, other->corners[0], base->corners[0]);
    cri_lanes3 second = cri_lanes3_pick(l->of_other, corner_of(other, 1), base->corners[1]);
    cri_lanes3 edge = across_of(cri_lanes3_sub(second, first), l->up);
    cri_lanes length = cri_lanes3_length(edge), one = cri_lanes_all(1);
    cri_mask some = is_less(cri_lanes_all(1e-5f), length);
    l->u = cri_lanes3_scale(1.0f / cri_lanes_pick(some, length, one), edge);
    l->v = cri_lanes3_cross(l->up, l->u);
}

static inline void site_of(const meeting *m, const ring *base, const ring *other, landing_site *l)
{
    cri_lanes by_base = cri_lanes3_dot(base->normal, m->normal);
    cri_lanes by_other = -cri_lanes3_dot(other->normal, m->normal);
    l->of_other = m->other.kind == CORE_POLYTOPE ? m->by_other | is_less(by_base + 1e-3f, by_other)
                                                 : cri_mask_all(0);
    l->up = cri_lanes3_pick(l->of_other, opposite(m->normal), m->normal);
    l->reference_normal = cri_lanes3_pick(l->of_other, other->normal, base->normal);
    l->incident_normal = cri_lanes3_pick(l->of_other, base->normal, other->normal);
    l->reference_offset = cri_lanes_pick(l->of_other, other->offset, base->offset);
    l->incident_offset = cri_lanes_pick(l->of_other, base->offset, other->offset);
    l->covers = (l->of_other & base->flat) | (~l->of_other & other->flat);
    l->slant[0] = slant_of(cri_lanes3_dot(l->reference_normal, l->up));
    l->slant[1] = slant_of(-cri_lanes3_dot(l->incident_normal, l->up));
    l->limit = m->margin;
    set_basis(l, base, other);
    bool swaps = cri_mask_any(l->of_other), stays = cri_mask_any(~l->of_other);
    int base_count = base->count, other_count = other->count;
    l->count[0] = swaps && stays ? (base_count > other_count ? base_count : other_count)
                  : swaps        ? other_count
                                 : base_count;
    l->count[1] = swaps && stays ? l->count[0] : swaps ? base_count : other_count;
    cast_shadow(l, other, base, l->count[0], &l->reference);
    cast_shadow(l, base, other, l->count[1], &l->incident);
}

// How high the reference's plane is at a place.
static inline cri_lanes floor_at(const landing_site *l, cri_lanes u, cri_lanes v)
{
    return (l->reference_offset - u * cri_lanes3_dot(l->reference_normal, l->u) -
            v * cri_lanes3_dot(l->reference_normal, l->v)) *
           l->slant[0];
}

// How high the incident ring's plane is.
static inline cri_lanes ceiling_at(const landing_site *l, cri_lanes u, cri_lanes v)
{
    return (u * cri_lanes3_dot(l->incident_normal, l->u) +
            v * cri_lanes3_dot(l->incident_normal, l->v) - l->incident_offset) *
           l->slant[1];
}

// ---------------------------------------------------------------------------------------------
// Cutting.

static inline picks no_points(void)
{
    picks none;
    for (int i = 0; i < CORNERS; i++) {
        none.score[i] = cri_lanes_all(-1e29f);
        none.u[i] = none.v[i] = none.gap[i] = cri_lanes_all(0);
        none.on[i] = cri_mask_all(0);
    }
    return none;
}

// Farther out along a diagonal, deeper ones rather.
static inline void offer(picks *best, cri_lanes u, cri_lanes v, cri_lanes gap, cri_mask on)
{
    for (int i = 0; i < CORNERS; i++) {
        cri_lanes score =
            u * (i & 1 ? 1.0f : -1.0f) + v * (i & 2 ? 1.0f : -1.0f) - gap * REACH_SHARE;
        cri_mask better = on & is_less(best->score[i] + 1e-5f, score);
        best->score[i] = cri_lanes_pick(better, score, best->score[i]);
        best->u[i] = cri_lanes_pick(better, u, best->u[i]);
        best->v[i] = cri_lanes_pick(better, v, best->v[i]);
        best->gap[i] = cri_lanes_pick(better, gap, best->gap[i]);
        best->on[i] = best->on[i] | better;
    }
}

// The inner side of edge i of a shadow: the direction away from it, and where it is. The edge of a
// corner that repeats has no length and no side.
typedef struct cut_line {
    cri_lanes x, y, offset;
} cut_line;

static inline cut_line side_of(const shadow *s, int i, int count)
{
    int next = i + 1 < count ? i + 1 : 0;
    cri_lanes x = s->u[next] - s->u[i], y = s->v[next] - s->v[i];
    cri_lanes length = cri_lanes_sqrt(x * x + y * y), one = cri_lanes_all(1);
    cri_mask some = is_less(cri_lanes_all(1e-6f), length);
    cri_lanes share = cri_lanes_keep(some, 1.0f / cri_lanes_pick(some, length, one));
    cri_lanes nx = y * share, ny = -(x * share);
    return (cut_line){nx, ny, nx * s->u[i] + ny * s->v[i]};
}

// Where each edge of the incident ring begins and ends within the reference.
typedef struct cuts {
    cri_lanes from[RING], to[RING];
} cuts;

static inline void cut_edges(const landing_site *l, cuts *c)
{
    cri_lanes zero = cri_lanes_all(0), one = cri_lanes_all(1), out[RING];
    const shadow *s = &l->incident;
    int count = l->count[1];
    for (int k = 0; k < count; k++) {
        c->from[k] = zero, c->to[k] = one;
    }
    for (int i = 0; i < l->count[0]; i++) {
        cut_line cut = side_of(&l->reference, i, l->count[0]);
        for (int k = 0; k < count; k++) {
            out[k] = s->u[k] * cut.x + s->v[k] * cut.y - cut.offset - BORDER;
        }
        for (int k = 0; k < count; k++) {
            cri_lanes a = out[k], b = out[k + 1 < count ? k + 1 : 0], way = a - b;
            cri_lanes at = a * inverse(way);
            cri_mask leaves = is_less(zero, b), comes = is_less(zero, a);
            c->from[k] = cri_lanes_pick(comes, lanes_max(c->from[k], at), c->from[k]);
            c->to[k] = cri_lanes_pick(leaves, lanes_min(c->to[k], at), c->to[k]);
            // Both ends beyond one side: nothing is left.
            c->from[k] = cri_lanes_pick(comes & leaves, zero + 2.0f, c->from[k]);
        }
    }
}

static inline void offer_edges(const landing_site *l, const cuts *c, picks *best)
{
    const shadow *s = &l->incident;
    for (int k = 0; k < l->count[1]; k++) {
        int next = k + 1 < l->count[1] ? k + 1 : 0;
        cri_mask on = ~is_less(c->to[k] + 1e-5f, c->from[k]);
        if (!cri_mask_any(on)) {
            continue;
        }
        cri_lanes x = s->u[next] - s->u[k], y = s->v[next] - s->v[k];
        cri_lanes rise = s->high[next] - s->high[k];
        for (int end = 0; end < 2; end++) {
            cri_lanes share = end ? c->to[k] : c->from[k];
            cri_lanes u = s->u[k] + share * x, v = s->v[k] + share * y;
            cri_lanes gap = s->high[k] + share * rise - floor_at(l, u, v);
            offer(best, u, v, gap, on & is_less(gap, l->limit));
        }
    }
}

// Corners of the reference that the incident ring covers: seen along `up` it turns the other way.
static inline void offer_covered(const landing_site *l, picks *best)
{
    cri_mask on[RING];
    for (int i = 0; i < l->count[0]; i++) {
        on[i] = l->covers;
    }
    for (int k = 0; k < l->count[1]; k++) {
        cut_line cut = side_of(&l->incident, k, l->count[1]);
        for (int i = 0; i < l->count[0]; i++) {
            cri_lanes in = l->reference.u[i] * cut.x + l->reference.v[i] * cut.y - cut.offset;
            on[i] = on[i] & ~is_less(in, cri_lanes_all(-1e-5f));
        }
    }
    for (int i = 0; i < l->count[0]; i++) {
        if (cri_mask_any(on[i])) {
            cri_lanes u = l->reference.u[i], v = l->reference.v[i];
            cri_lanes gap = ceiling_at(l, u, v) - l->reference.high[i];
            offer(best, u, v, gap, on[i] & is_less(gap, l->limit));
        }
    }
}

// ---------------------------------------------------------------------------------------------
// Points.

// The lanes in which a point is as near as the two are.
static inline cri_mask has_nearest(const picks *best, cri_lanes gap)
{
    cri_mask sure = cri_mask_all(0);
    for (int i = 0; i < CORNERS; i++) {
        sure = sure | (best->on[i] & is_less(best->gap[i], gap + SURE_SLACK));
    }
    return sure;
}

// A point that must not be missing: see keep_in_last.
static inline void keep_also(picks *best, cri_mask lanes, cri_lanes u, cri_lanes v, cri_lanes gap)
{
    manifold m;
    memcpy(m.on, best->on, sizeof m.on);
    memcpy(m.gap, best->gap, sizeof m.gap);
    keep_in_last(lanes, u, v, gap, best->u, best->v, &m);
    memcpy(best->on, m.on, sizeof m.on);
    memcpy(best->gap, m.gap, sizeof m.gap);
}

// Where no point is as near as the two are, the other's foremost one: of two that overlap, or where
// the normal is the way to it.
static inline void keep_other_point(const meeting *m, const landing_site *l, picks *best)
{
    cri_mask sure = has_nearest(best, m->gap) | ~(m->between | is_less(m->gap, cri_lanes_all(0)));
    if (cri_mask_any(~sure & m->lanes)) {
        cri_lanes3 p = other_point(&m->other, m->normal);
        keep_also(best, ~sure & m->lanes, cri_lanes3_dot(p, l->u), cri_lanes3_dot(p, l->v), m->gap);
    }
}

// One that stands for two diagonals counts once.
static inline void leave_out_twins(picks *best)
{
    for (int i = 1; i < CORNERS; i++) {
        for (int k = 0; k < i; k++) {
            cri_lanes du = best->u[i] - best->u[k], dv = best->v[i] - best->v[k];
            best->on[i] =
                best->on[i] & ~(best->on[k] & is_less(du * du + dv * dv, cri_lanes_all(1e-8f)));
        }
    }
}

// Midway between the surfaces, from the base's middle, in the world.
static inline cri_lanes3 place_of(const meeting *m, const landing_site *l, const picks *best, int i)
{
    cri_lanes u = best->u[i], v = best->v[i];
    cri_lanes3 p = cri_lanes3_mad(cri_lanes3_scale(u, l->u), v, l->v);
    p = cri_lanes3_mad(p, floor_at(l, u, v) + best->gap[i] * 0.5f, l->up);
    return out_of(m->at[0]->axes, p);
}

static inline void land_rings(const meeting *m, manifold *out)
{
    ring base, other;
    landing_site l;
    cuts c;
    picks best = no_points();
    base_ring(m, &base);
    other_ring(m, &other);
    site_of(m, &base, &other, &l);
    cut_edges(&l, &c);
    offer_edges(&l, &c, &best);
    offer_covered(&l, &best);
    leave_out_twins(&best);
    keep_other_point(m, &l, &best);
    for (int i = 0; i < CORNERS; i++) {
        out->on[i] = best.on[i];
        out->gap[i] = best.gap[i];
        out->place[i] = place_of(m, &l, &best, i);
    }
    out->normal = out_of(m->at[0]->axes, m->normal);
    out->apart = m->gap;
    out->feature =
        base.number + other.number * 128.0f + cri_lanes_keep(l.of_other, cri_lanes_all(16384));
}

// ---------------------------------------------------------------------------------------------
// Two lines with a radius.

// Capsules and balls: two that lie along each other touch at two points.
static inline void cross_lines(const meeting *m, manifold *out)
{
    const seen *o = &m->other;
    cri_lanes zero = cri_lanes_all(0), one = cri_lanes_all(1), half = zero + m->base->half[2];
    cri_lanes half_b = zero + o->solid->half[2];
    cri_lanes3 d = o->place, v = o->axes[2];
    cri_lanes c = v.z, y = cri_lanes3_dot(d, v), across = one - c * c;
    cri_mask crossed = is_less(zero + 1e-4f, across);
    cri_lanes meet = (c * d.z - y) / cri_lanes_pick(crossed, across, one);
    for (int i = 0; i < CORNERS; i++) {
        cri_lanes end = i % 2 ? half_b : -half_b;
        end = c * (clamped(d.z + c * end, half) - d.z);
        cri_lanes on_b = clamped(cri_lanes_pick(crossed, meet, end), half_b);
        cri_lanes on_a = clamped(d.z + c * on_b, half);
        on_b = clamped(c * on_a - y, half_b);
        cri_lanes3 way = cri_lanes3_mad(d, on_b, v);
        way.z = way.z - on_a;
        cri_lanes length = cri_lanes3_length(way);
        cri_mask some = is_less(zero + 1e-7f, length);
        cri_lanes3 aside = {one, zero, zero};
        cri_lanes3 n = cri_lanes3_scale(one / cri_lanes_pick(some, length, one), way);
        n = cri_lanes3_pick(some, n, aside);
        out->gap[i] = length - (m->base->radius + o->solid->radius);
        cri_lanes3 p = cri_lanes3_scale(m->base->radius + out->gap[i] * 0.5f, n);
        p.z = p.z + on_a;
        out->place[i] = out_of(m->at[0]->axes, p);
        out->on[i] = i == 0 ? cri_mask_all(-1) : i == 1 ? ~crossed : cri_mask_all(0);
        out->normal = i == 0 ? out_of(m->at[0]->axes, n) : out->normal;
    }
    out->apart = lanes_min(out->gap[0], cri_lanes_pick(crossed, out->gap[0], out->gap[1]));
    out->feature = zero;
}

// ---------------------------------------------------------------------------------------------
// On planes.

// The lowest points of a capsule's ends.
static inline void line_on_plane(const cri_solid *plane, const stance *at, const cri_solid *s,
                                 manifold *out)
{
    cri_lanes3 n = lanes3_all(&plane->turn[6]);
    cri_lanes height = cri_lanes3_dot(n, cri_lanes3_sub(at->place, lanes3_all(plane->place)));
    out->normal = n;
    out->feature = cri_lanes_all(0);
    for (int i = 0; i < CORNERS; i++) {
        cri_lanes3 r =
            cri_lanes3_scale(cri_lanes_all(i % 2 ? s->half[2] : -s->half[2]), at->axes[2]);
        r = cri_lanes3_mad(r, cri_lanes_all(-s->radius), n);
        out->gap[i] = height + cri_lanes3_dot(n, r);
        out->place[i] = cri_lanes3_mad(r, out->gap[i] * -0.5f, n);
        out->on[i] = cri_mask_all(i < (s->half[2] > 0 ? 2 : 1) ? -1 : 0);
    }
    out->apart = lanes_min(out->gap[0], out->gap[1]);
}

// A direction across n that turns with a solid; n is in its frame.
static inline cri_lanes3 any_across(cri_lanes3 n)
{
    cri_lanes zero = cri_lanes_all(0), one = cri_lanes_all(1);
    cri_mask along_x = is_less(zero + 0.8f, cri_lanes_abs(n.x));
    cri_lanes3 aside = {cri_lanes_keep(~along_x, one), cri_lanes_keep(along_x, one), zero};
    return unit_or_zero(across_of(aside, n));
}

// Of a polytope's corners the outermost four along the diagonals, and the lowest.
static inline void polytope_on_plane(const cri_solid *plane, const stance *at, const cri_solid *s,
                                     cri_lanes margin, manifold *out)
{
    const cri_polytope *p = s->polytope;
    cri_lanes3 world = lanes3_all(&plane->turn[6]), n = into_frame(at, world);
    cri_lanes3 u = any_across(n), v = cri_lanes3_cross(n, u), lowest = cri_lanes3_zero();
    cri_lanes height = cri_lanes3_dot(world, cri_lanes3_sub(at->place, lanes3_all(plane->place)));
    picks best = no_points();
    out->apart = cri_lanes_all(FAR);
    for (int i = 0; i < p->corner_count; i++) {
        const float *c = p->corners[i];
        cri_lanes gap = height + dot_all(n, c);
        cri_mask lower = is_less(gap, out->apart);
        out->apart = cri_lanes_pick(lower, gap, out->apart);
        lowest = cri_lanes3_pick(lower, lanes3_all(c), lowest);
        offer(&best, dot_all(u, c), dot_all(v, c), gap, is_less(gap, margin));
    }
    leave_out_twins(&best);
    keep_also(&best, ~has_nearest(&best, out->apart), cri_lanes3_dot(lowest, u),
              cri_lanes3_dot(lowest, v), out->apart);
    for (int i = 0; i < CORNERS; i++) {
        cri_lanes3 r = cri_lanes3_mad(cri_lanes3_scale(best.u[i], u), best.v[i], v);
        r = cri_lanes3_mad(r, best.gap[i] * 0.5f - height, n);
        out->place[i] = out_of(at->axes, r);
        out->gap[i] = best.gap[i];
        out->on[i] = best.on[i];
    }
    out->normal = world;
    out->feature = face_along(p, opposite(n));
}

// ---------------------------------------------------------------------------------------------
// Meets.

// A plane and something on it.
static inline void find_on_plane(batch *w, int index, cri_mask lanes, cri_lanes margin)
{
    const cri_meet *m = &w->course->meets[index];
    int plane = w->course->solids[m->solids[0]].shape->kind == CR_SHAPE_PLANE ? 0 : 1;
    const cri_solid *ground = &w->course->solids[m->solids[plane]];
    const cri_solid *s = &w->course->solids[m->solids[1 - plane]];
    const stance *at = &w->stances[m->solids[1 - plane]];
    manifold found;
    if (s->shape->kind == CR_SHAPE_BOX) {
        box_on_plane(ground, at, s->half, &found);
    } else if (s->shape->kind == CR_SHAPE_CYLINDER) {
        cylinder_on_plane(ground, at, s, margin, &found);
    } else if (core_of(s) == CORE_LINE) {
        line_on_plane(ground, at, s, &found);
    } else {
        polytope_on_plane(ground, at, s, margin, &found);
    }
    found.normal = cri_lanes3_scale(cri_lanes_all(plane ? -1 : 1), found.normal);
    put_manifold(w, index, m->solids[1 - plane], &found, lanes, margin);
}

// The solid that is the base: a polytope rather than a cylinder, and that rather than a line.
static inline int base_side(const batch *w, const cri_meet *m)
{
    core_kind one = core_of(&w->course->solids[m->solids[0]]);
    core_kind two = core_of(&w->course->solids[m->solids[1]]);
    return one <= two ? 0 : 1;
}

static inline void find_convex(batch *w, int index, cri_mask lanes, cri_lanes margin)
{
    const cri_meet *meet = &w->course->meets[index];
    int base = base_side(w, meet), from = meet->solids[base], to = meet->solids[1 - base];
    meeting m = {.at = {&w->stances[from], &w->stances[to]},
                 .base = &w->course->solids[from],
                 .kind = core_of(&w->course->solids[from]),
                 .margin = margin,
                 .lanes = lanes};
    manifold found;
    look_from(m.at[0], m.at[1], &w->course->solids[to], &m.other);
    if (m.kind == CORE_LINE) {
        cross_lines(&m, &found);
        lanes = lanes & is_less(found.apart, margin);
    } else {
        lanes = m.lanes = separate(&m);
        if (cri_mask_any(lanes)) {
            land_rings(&m, &found);
        }
    }
    if (cri_mask_any(lanes)) {
        found.normal = cri_lanes3_scale(cri_lanes_all(base ? -1 : 1), found.normal);
        put_manifold(w, index, from, &found, lanes, margin);
    }
}

static inline void find_free_points(batch *w, int index)
{
    const cri_meet *m = &w->course->meets[index];
    w->sights[index].gap.distance = cri_lanes_all(FAR);
    w->sights[index].held = w->sights[index].spans = cri_mask_all(0);
    if (is_packed(m)) {
        put_encounter(w, index);
        return;
    }
    cri_lanes margin = free_margin(w, m);
    cri_mask lanes = open_of(w, m) & free_near(w, m, margin);
    if (!cri_mask_any(lanes)) {
        return;
    }
    if (m->finder == CRI_FIND_ON_PLANE) {
        find_on_plane(w, index, lanes, margin);
    } else if (m->finder == CRI_FIND_BOXES) {
        find_boxes(w, index, lanes, margin);
    } else {
        find_convex(w, index, lanes, margin);
    }
}

#endif
