// The distance from points to a solid, as cri_shape_nearest, in lanes.
#ifndef CRI_LANES_SOLID_H
#define CRI_LANES_SOLID_H

#include "engine/lanes_world.h"

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
    }
    return (nearest){cri_lanes_all(1e30f), p};
}

// In the frame of the solid's mover, or of the world.
static inline nearest near_solid(const cri_solid *s, cri_lanes3 p)
{
    const float *m = s->turn;
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
