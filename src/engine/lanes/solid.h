// The distance from points to a solid, as cri_shape_nearest, in lanes.
#ifndef CRI_LANES_SOLID_H
#define CRI_LANES_SOLID_H

#include "engine/lanes/world.h"

// Join the distance to an outline with that to the caps.
static inline nearest join(cri_lanes flat, cri_lanes x, cri_lanes y, cri_lanes z, float half)
{
    cri_lanes zero = cri_lanes_all(0), one = cri_lanes_all(1);
    cri_lanes tall = cri_lanes_abs(z) - half;
    cri_lanes f = lanes_max(flat, zero), c = lanes_max(tall, zero);
    cri_lanes rim = cri_lanes_sqrt(f * f + c * c);
    cri_mask flat_first = ~is_less(flat, tall);
    cri_mask outside = is_less(zero, f) & is_less(zero, c);
    cri_lanes share = one / cri_lanes_pick(outside, rim, one);
    cri_lanes level = cri_lanes_pick(outside, f * share, cri_lanes_keep(flat_first, one));
    cri_lanes up = cri_lanes_pick(outside, c * share, cri_lanes_keep(~flat_first, one));
    return (nearest){cri_lanes_pick(outside, rim, lanes_max(flat, tall)),
                     {x * level, y * level, cri_lanes_signed(up, z)}};
}

static inline nearest near_box(const float half[3], cri_lanes3 p)
{
    cri_lanes zero = cri_lanes_all(0), one = cri_lanes_all(1);
    cri_lanes dx = cri_lanes_abs(p.x) - half[0], dy = cri_lanes_abs(p.y) - half[1];
    cri_lanes ox = lanes_max(dx, zero), oy = lanes_max(dy, zero);
    cri_lanes corner = cri_lanes_sqrt(ox * ox + oy * oy);
    cri_mask x_first = ~is_less(dx, dy), outside = is_less(zero, ox) & is_less(zero, oy);
    cri_lanes share = one / cri_lanes_pick(outside, corner, one);
    cri_lanes x = cri_lanes_pick(outside, ox * share, cri_lanes_keep(x_first, one));
    cri_lanes y = cri_lanes_pick(outside, oy * share, cri_lanes_keep(~x_first, one));
    cri_lanes flat = cri_lanes_pick(outside, corner, lanes_max(dx, dy));
    return join(flat, cri_lanes_signed(x, p.x), cri_lanes_signed(y, p.y), p.z, half[2]);
}

static inline nearest near_cylinder(const cri_solid *s, cri_lanes3 p)
{
    cri_lanes one = cri_lanes_all(1);
    cri_lanes rho = cri_lanes_sqrt(p.x * p.x + p.y * p.y);
    cri_mask off = is_less(cri_lanes_all(1e-9f), rho);
    cri_lanes share = one / cri_lanes_pick(off, rho, one);
    return join(rho - s->radius, cri_lanes_pick(off, p.x * share, one),
                cri_lanes_keep(off, p.y * share), p.z, s->half[2]);
}

// The side whose line is farthest from the point holds the nearest point, or one of its ends is.
static inline nearest near_prism(const cri_solid *s, cri_lanes3 p)
{
    cri_lanes one = cri_lanes_all(1);
    cri_lanes best = cri_lanes_all(-1e30f), x = one, y = one, from = one, to = one;
    for (int i = 0; i < s->side_count; i++) {
        const cri_side *side = &s->sides[i];
        cri_lanes d = p.x * side->x + p.y * side->y - side->offset;
        cri_mask better = is_less(best, d);
        best = cri_lanes_pick(better, d, best);
        x = cri_lanes_pick(better, cri_lanes_all(side->x), x);
        y = cri_lanes_pick(better, cri_lanes_all(side->y), y);
        from = cri_lanes_pick(better, cri_lanes_all(side->from), from);
        to = cri_lanes_pick(better, cri_lanes_all(side->to), to);
    }
    cri_lanes along = p.y * x - p.x * y;
    cri_lanes over = along - lanes_min(lanes_max(along, from), to);
    cri_mask corner = is_less(cri_lanes_all(0), best) & is_less(cri_lanes_all(0), over * over);
    cri_lanes length = cri_lanes_sqrt(best * best + over * over);
    cri_lanes share = one / cri_lanes_pick(corner, length, one);
    cri_lanes nx = cri_lanes_pick(corner, (best * x - over * y) * share, x);
    cri_lanes ny = cri_lanes_pick(corner, (best * y + over * x) * share, y);
    return join(cri_lanes_pick(corner, length, best), nx, ny, p.z, s->half[2]);
}

static inline nearest near_sphere(float radius, cri_lanes3 p)
{
    cri_lanes one = cri_lanes_all(1), length = cri_lanes3_length(p);
    cri_mask off = is_less(cri_lanes_all(1e-9f), length);
    cri_lanes share = one / cri_lanes_pick(off, length, one);
    cri_lanes3 up = {cri_lanes_all(0), cri_lanes_all(0), one};
    return (nearest){length - radius, cri_lanes3_pick(off, cri_lanes3_scale(share, p), up)};
}

// A capsule; a point of its axis has all directions across it to choose from.
static inline nearest near_capsule(const cri_solid *s, cri_lanes3 p)
{
    cri_lanes one = cri_lanes_all(1), zero = cri_lanes_all(0), half = cri_lanes_all(s->half[2]);
    p.z = p.z - lanes_min(lanes_max(p.z, -half), half);
    cri_lanes length = cri_lanes3_length(p);
    cri_mask off = is_less(cri_lanes_all(1e-9f), length);
    cri_lanes share = one / cri_lanes_pick(off, length, one);
    cri_lanes3 aside = {one, zero, zero};
    return (nearest){length - s->radius, cri_lanes3_pick(off, cri_lanes3_scale(share, p), aside)};
}

// How far a point is in front of a face.
static inline cri_lanes before_face(const cri_face *f, cri_lanes3 p)
{
    return p.x * f->normal[0] + p.y * f->normal[1] + p.z * f->normal[2] - f->offset;
}

// The way to a point from the nearest point of a face's border, where it is shorter than the best
// so far. Returns the lanes in which the point is right above the face.
static inline cri_mask near_border(const cri_edge *edges, int count, cri_lanes3 p, cri_mask lanes,
                                   nearest *best)
{
    cri_mask above = lanes;
    cri_lanes zero = cri_lanes_all(0);
    for (int i = 0; i < count; i++) {
        const cri_edge *e = &edges[i];
        cri_lanes3 d = {p.x - e->from[0], p.y - e->from[1], p.z - e->from[2]};
        above = above & ~is_less(zero, d.x * e->out[0] + d.y * e->out[1] + d.z * e->out[2]);
        cri_lanes t = d.x * e->along[0] + d.y * e->along[1] + d.z * e->along[2];
        t = lanes_min(lanes_max(t, zero), cri_lanes_all(e->length));
        d = cri_lanes3_of(d.x - t * e->along[0], d.y - t * e->along[1], d.z - t * e->along[2]);
        cri_lanes square = cri_lanes3_dot(d, d);
        cri_mask nearer = lanes & is_less(square, best->distance);
        best->distance = cri_lanes_pick(nearer, square, best->distance);
        best->normal = cri_lanes3_pick(nearer, d, best->normal);
    }
    return above;
}

// As cri_hull_nearest.
static inline nearest near_hull(const cri_solid *s, cri_lanes3 p)
{
    const cri_polytope *h = s->polytope;
    cri_lanes zero = cri_lanes_all(0), one = cri_lanes_all(1);
    nearest out = {cri_lanes_all(-1e30f), {one, zero, zero}};
    nearest way = {cri_lanes_all(1e30f), cri_lanes3_zero()};
    cri_mask above = cri_mask_all(0);
    for (int f = 0; f < h->face_count; f++) {
        const cri_face *face = &h->faces[f];
        cri_lanes d = before_face(face, p);
        cri_mask better = is_less(out.distance, d) & ~above, front = is_less(zero, d) & ~above;
        if (cri_mask_any(front)) {
            cri_mask here = near_border(&h->edges[face->first], face->count, p, front, &way);
            better = better | here;
            above = above | here;
        }
        cri_lanes3 normal = {zero + face->normal[0], zero + face->normal[1],
                             zero + face->normal[2]};
        out.distance = cri_lanes_pick(better, d, out.distance);
        out.normal = cri_lanes3_pick(better, normal, out.normal);
    }
    cri_lanes beside = cri_lanes_sqrt(way.distance);
    cri_mask aside = is_less(zero, out.distance) & ~above & is_less(cri_lanes_all(1e-7f), beside);
    cri_lanes share = one / cri_lanes_pick(aside, beside, one);
    return (nearest){cri_lanes_pick(aside, beside, out.distance),
                     cri_lanes3_pick(aside, cri_lanes3_scale(share, way.normal), out.normal)};
}

// In the solid's own frame.
static inline nearest near_shape(const cri_solid *s, cri_lanes3 p)
{
    switch (s->shape->kind) {
    case CR_SHAPE_PLANE:
        return (nearest){p.z, {cri_lanes_all(0), cri_lanes_all(0), cri_lanes_all(1)}};
    case CR_SHAPE_SPHERE:
        return near_sphere(s->radius, p);
    case CR_SHAPE_BOX:
        return near_box(s->half, p);
    case CR_SHAPE_CYLINDER:
        return near_cylinder(s, p);
    case CR_SHAPE_PRISM:
        return near_prism(s, p);
    case CR_SHAPE_CAPSULE:
        return near_capsule(s, p);
    case CR_SHAPE_HULL:
        return near_hull(s, p);
    }
    return (nearest){cri_lanes_all(1e30f), p};
}

// In the frame of the solid's mover, or of the world.
static inline nearest near_solid(const cri_solid *s, cri_lanes3 p)
{
    const float *m = s->turn;
    if (s->floor) {
        return (nearest){p.z - s->place[2], {cri_lanes_all(0), cri_lanes_all(0), cri_lanes_all(1)}};
    }
    cri_lanes x = p.x - s->place[0], y = p.y - s->place[1], z = p.z - s->place[2];
    if (s->level) {
        nearest n = near_shape(s, cri_lanes3_of(m[0] * x + m[1] * y, m[3] * x + m[4] * y, z));
        n.normal = cri_lanes3_of(m[0] * n.normal.x + m[3] * n.normal.y,
                                 m[1] * n.normal.x + m[4] * n.normal.y, n.normal.z);
        return n;
    }
    nearest n =
        near_shape(s, cri_lanes3_of(m[0] * x + m[1] * y + m[2] * z, m[3] * x + m[4] * y + m[5] * z,
                                    m[6] * x + m[7] * y + m[8] * z));
    cri_lanes3 l = n.normal;
    n.normal =
        cri_lanes3_of(m[0] * l.x + m[3] * l.y + m[6] * l.z, m[1] * l.x + m[4] * l.y + m[7] * l.z,
                      m[2] * l.x + m[5] * l.y + m[8] * l.z);
    return n;
}

// Where a mover's frame is: its center and heading.
typedef struct frame {
    cri_lanes3 place;
    cri_lanes cos, sin;
} frame;

static inline nearest near_moving(const cri_solid *s, frame f, cri_lanes3 p)
{
    cri_lanes3 d = cri_lanes3_sub(p, f.place);
    nearest n =
        near_solid(s, cri_lanes3_of(f.cos * d.x + f.sin * d.y, f.cos * d.y - f.sin * d.x, d.z));
    cri_lanes x = n.normal.x, y = n.normal.y;
    n.normal.x = f.cos * x - f.sin * y;
    n.normal.y = f.sin * x + f.cos * y;
    return n;
}

#endif
