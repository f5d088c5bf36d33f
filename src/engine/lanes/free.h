// Free bodies in lanes: attitude, inertia, and how they turn when nothing pushes them.
//
//         axes[2]
//            |   axes[1]         a body's own axes, in the world: the columns of its rotation
//            matrix. |  /                About them its inertia is diagonal. | /
//            +------- axes[0]    spin = sum over k of  axes[k] (axes[k] . momentum) / inertia[k]
//
// A body that tumbles keeps its angular momentum, not its spin. Its motion is split into turns
// about its own axes, each of which is exact: half a turn about x, half about y, a whole one about
// z, and back (symmetric or Strang splitting; Dullweber, Leimkuhler and McLachlan 1997). The
// momentum in the world stays what it is, to rounding; the energy swings by (angle of a substep)^2
// / 12 and does not drift.
#ifndef CRI_LANES_FREE_H
#define CRI_LANES_FREE_H

#include "engine/lanes/solid.h"

INLINE cri_lanes3 lanes3_all(const float v[3])
{
    return cri_lanes3_of(cri_lanes_all(v[0]), cri_lanes_all(v[1]), cri_lanes_all(v[2]));
}

// A symmetric matrix times a vector.
INLINE cri_lanes3 sym_mul(const sym *m, cri_lanes3 v)
{
    return cri_lanes3_of(m->xx * v.x + m->xy * v.y + m->xz * v.z,
                         m->xy * v.x + m->yy * v.y + m->yz * v.z,
                         m->xz * v.x + m->yz * v.y + m->zz * v.z);
}

INLINE cri_lanes3 times3(cri_lanes3 a, cri_lanes3 b)
{
    return cri_lanes3_of(a.x * b.x, a.y * b.y, a.z * b.z);
}

// ---------------------------------------------------------------------------------------------
// Attitude.

static inline void axes_of(const cri_lanes q[4], cri_lanes3 axes[3])
{
    cri_lanes x = q[0], y = q[1], z = q[2], w = q[3], one = cri_lanes_all(1);
    // By its length, so that the axes are perpendicular units however it is rounded.
    cri_lanes two = 2.0f / (x * x + y * y + z * z + w * w + 1e-30f);
    axes[0] =
        cri_lanes3_of(one - two * (y * y + z * z), two * (x * y + w * z), two * (x * z - w * y));
    axes[1] =
        cri_lanes3_of(two * (x * y - w * z), one - two * (x * x + z * z), two * (y * z + w * x));
    axes[2] =
        cri_lanes3_of(two * (x * z + w * y), two * (y * z - w * x), one - two * (x * x + y * y));
}

// sum of scale[k] axes[k] axes[k]^T
static inline sym spread(const cri_lanes3 a[3], const cri_lanes scale[3])
{
    cri_lanes3 x = cri_lanes3_scale(scale[0], a[0]), y = cri_lanes3_scale(scale[1], a[1]);
    cri_lanes3 z = cri_lanes3_scale(scale[2], a[2]);
    return (sym){.xx = x.x * a[0].x + y.x * a[1].x + z.x * a[2].x,
                 .yy = x.y * a[0].y + y.y * a[1].y + z.y * a[2].y,
                 .zz = x.z * a[0].z + y.z * a[1].z + z.z * a[2].z,
                 .xy = x.x * a[0].y + y.x * a[1].y + z.x * a[2].y,
                 .xz = x.x * a[0].z + y.x * a[1].z + z.x * a[2].z,
                 .yz = x.y * a[0].z + y.y * a[1].z + z.y * a[2].z};
}

// What an impulse moves: of a free body after each turn, of the others once a step.
static inline void set_heft(batch *w, int slot)
{
    const weight *m = weight_of(w, slot);
    const body *b = &w->bodies[slot];
    heft *h = &w->hefts[slot];
    cri_lanes mass = in_lanes(m->inverse_mass), zero = cri_lanes_all(0);
    cri_lanes inertia = in_lanes(m->inverse_inertia);
    const cri_lanes inertias[3] = {in_lanes(m->inverse_inertias[0]),
                                   in_lanes(m->inverse_inertias[1]),
                                   in_lanes(m->inverse_inertias[2])};
    *h = (heft){.mass = {mass, mass, mass}};
    switch (w->course->movers[slot].class) {
    case CRI_FIXED:
    case CRI_DRIVEN:
        h->mass = cri_lanes3_zero();
        break;
    case CRI_UPRIGHT:
        h->mass.z = zero;
        h->inertia.zz = inertia;
        break;
    case CRI_BALL:
        h->inertia.xx = h->inertia.yy = h->inertia.zz = inertia;
        break;
    case CRI_FREE:
        axes_of(b->rotation, h->axes);
        h->inertia = spread(h->axes, inertias);
        break;
    }
}

// Where a solid is and how it lies.
static inline stance stance_of(const batch *w, const cri_solid *s)
{
    cri_lanes3 own[3] = {lanes3_all(&s->turn[0]), lanes3_all(&s->turn[3]), lanes3_all(&s->turn[6])};
    stance at = {lanes3_all(s->place), {own[0], own[1], own[2]}};
    if (s->mover < 0) {
        return at;
    }
    const body *b = &w->bodies[s->mover];
    cri_lanes zero = cri_lanes_all(0), one = cri_lanes_all(1);
    cri_lanes3 level[3] = {{b->cos, b->sin, zero}, {-b->sin, b->cos, zero}, {zero, zero, one}};
    const cri_lanes3 *axes = is_free(w, s->mover) ? w->hefts[s->mover].axes : level;
    for (int k = 0; k < 3; k++) {
        cri_lanes3 v = cri_lanes3_scale(own[k].x, axes[0]);
        v = cri_lanes3_mad(v, own[k].y, axes[1]);
        at.axes[k] = cri_lanes3_mad(v, own[k].z, axes[2]);
    }
    cri_lanes3 lever = cri_lanes3_scale(cri_lanes_all(s->place[0]), axes[0]);
    lever = cri_lanes3_mad(lever, cri_lanes_all(s->place[1]), axes[1]);
    lever = cri_lanes3_mad(lever, cri_lanes_all(s->place[2]), axes[2]);
    at.place = cri_lanes3_add(b->place, lever);
    return at;
}

// Of all that moves; the rest stays where it was when the step began.
static inline void set_stances(batch *w)
{
    for (int i = 0; i < w->course->solid_count; i++) {
        const cri_solid *s = &w->course->solids[i];
        if (s->mover >= 0 || w->piece == 0) {
            w->stances[i] = stance_of(w, s);
        }
    }
}

// What is left of a speed that was stopped is next to nothing, and its square less than a float
// holds without taking long over it.
INLINE cri_lanes3 settle(cri_lanes3 v)
{
    cri_lanes least = cri_lanes_all(LEAST);
    v.x = cri_lanes_keep(is_less(least, cri_lanes_abs(v.x)), v.x);
    v.y = cri_lanes_keep(is_less(least, cri_lanes_abs(v.y)), v.y);
    v.z = cri_lanes_keep(is_less(least, cri_lanes_abs(v.z)), v.z);
    return v;
}

// ---------------------------------------------------------------------------------------------
// Turning.

// b turned by a: the product of two quaternions.
INLINE void quat_mul(const cri_lanes a[4], const cri_lanes b[4], cri_lanes out[4])
{
    cri_lanes x = a[3] * b[0] + a[0] * b[3] + a[1] * b[2] - a[2] * b[1];
    cri_lanes y = a[3] * b[1] - a[0] * b[2] + a[1] * b[3] + a[2] * b[0];
    cri_lanes z = a[3] * b[2] + a[0] * b[1] - a[1] * b[0] + a[2] * b[3];
    cri_lanes s = a[3] * b[3] - a[0] * b[0] - a[1] * b[1] - a[2] * b[2];
    out[0] = x, out[1] = y, out[2] = z, out[3] = s;
}

// A fast body turns a quarter of a radian in a substep: in so many parts. One that can turn no more
// than one of these does so at once.
enum { TURNS = 4 };
#define TURN_MAX 0.08f // rad

INLINE cri_lanes square_of(const cri_lanes m[3])
{
    return m[0] * m[0] + m[1] * m[1] + m[2] * m[2];
}

// Whether a body with this square of its momentum turns in several parts. By its momentum, which
// stays while its spin sways: to change parts would let energy drift.
INLINE cri_mask turns_fast(cri_lanes square, const cri_lanes rates[3], cri_lanes t)
{
    cri_lanes most = lanes_max(lanes_max(rates[0], rates[1]), rates[2]);
    return is_less(cri_lanes_all(TURN_MAX), cri_lanes_sqrt(square) * most * t);
}

// Turns change no length; their rounding does, always the same way. The share of the momentum that
// it took, and what makes an attitude one again.
INLINE cri_lanes lost_share(cri_lanes before, const cri_lanes m[3])
{
    return (before - square_of(m)) * 0.5f / lanes_max(before, cri_lanes_all(1e-30f));
}

INLINE cri_lanes unit_scale(const cri_lanes q[4])
{
    return 1.0f / cri_lanes_sqrt(q[0] * q[0] + q[1] * q[1] + q[2] * q[2] + q[3] * q[3] + 1e-30f);
}

// A turn at work. Its first rows are what changes, those up to `before` what a part takes.
typedef struct turning {
    cri_lanes q[4], m[3]; // attitude, and momentum in the body's frame
    cri_lanes rate[3], t; // inverse inertias; s, of a part
    cri_lanes before;     // the momentum's square
    cri_mask turns, fast; // fast: in several parts
} turning;

enum {
    TURNED_ROWS = offsetof(turning, rate) / sizeof(cri_lanes),
    TURNING_ROWS = offsetof(turning, before) / sizeof(cri_lanes)
};

static inline void begin_turn(batch *w, int slot, cri_lanes t)
{
    const weight *mover = weight_of(w, slot);
    const body *b = &w->bodies[slot];
    turning *a = &w->turnings[slot];
    // To turn by nothing rounds, too: a lane that is done stays as it is.
    a->turns = is_less(cri_lanes_all(0), t);
    memcpy(a->q, b->rotation, sizeof a->q);
    cri_lanes *m = a->m, *rate = a->rate;
    for (int k = 0; k < 3; k++) {
        m[k] = cri_lanes3_dot(w->hefts[slot].axes[k], b->next_spin) * mover->inertias[k];
        rate[k] = in_lanes(mover->inverse_inertias[k]);
    }
    a->before = square_of(m);
    a->fast = turns_fast(a->before, rate, t);
    a->t = cri_lanes_pick(a->fast, t * (1.0f / TURNS), t);
    turn_part(rate, a->t, a->q, m);
}

static inline void end_turn(batch *w, int slot)
{
    const weight *mover = weight_of(w, slot);
    body *b = &w->bodies[slot];
    const heft *h = &w->hefts[slot];
    const turning *a = &w->turnings[slot];
    const cri_lanes *q = a->q, *m = a->m;
    cri_lanes lost = lost_share(a->before, m), scale = unit_scale(q);
    for (int k = 0; k < 4; k++) {
        b->rotation[k] = cri_lanes_pick(a->turns, q[k] * scale, b->rotation[k]);
    }
    set_heft(w, slot);
    // Divided by what it was multiplied with: an inverse that is rounded would add up.
    cri_lanes3 spin = cri_lanes3_scale(m[0] / mover->inertias[0], h->axes[0]);
    spin = cri_lanes3_mad(spin, m[1] / mover->inertias[1], h->axes[1]);
    spin = cri_lanes3_mad(spin, m[2] / mover->inertias[2], h->axes[2]);
    b->next_spin = cri_lanes3_pick(a->turns, cri_lanes3_mad(spin, lost, spin), b->next_spin);
}

// Bodies of any worlds that have more parts to turn, side by side: few are fast at a time.
typedef struct turning_pack {
    int count;
    turning *of[CRI_LANES];
    int lane[CRI_LANES];
    turning all;
} turning_pack;

static inline void empty_turns(turning_pack *p)
{
    turning *a = &p->all;
    for (int i = 1; i < TURNS; i++) {
        turn_part(a->rate, a->t, a->q, a->m);
    }
    for (int i = 0; i < p->count; i++) {
        copy_lane(p->of[i], p->lane[i], a, i, TURNED_ROWS);
    }
    p->count = 0;
}

static inline void turn_fast(batch *w)
{
    turning_pack p = {0};
    for (int slot = 0; slot < w->course->mover_count; slot++) {
        turning *a = &w->turnings[slot];
        unsigned fast = is_free(w, slot) ? cri_mask_bits(a->fast) : 0;
        for (; fast; fast &= fast - 1) {
            p.of[p.count] = a;
            p.lane[p.count] = __builtin_ctz(fast);
            copy_lane(&p.all, p.count, a, p.lane[p.count], TURNING_ROWS);
            if (++p.count == CRI_LANES) {
                empty_turns(&p);
            }
        }
    }
    if (p.count > 0) {
        empty_turns(&p);
    }
}

// The turn of a body that is struck in this piece: first by the spin that it had.
static inline void turn_late(batch *w, int slot, cri_lanes t)
{
    body *b = &w->bodies[slot];
    cri_mask late = is_less(cri_lanes_all(0), b->late);
    if (cri_mask_any(late)) {
        cri_lanes3 half = cri_lanes3_scale(t * b->late * 0.5f, b->spin);
        cri_lanes zero = cri_lanes_all(0), turn[4] = {half.x, half.y, half.z, zero + 1.0f}, q[4];
        quat_mul(turn, b->rotation, q);
        for (int k = 0; k < 4; k++) {
            b->rotation[k] = cri_lanes_pick(late, q[k], b->rotation[k]);
        }
        axes_of(b->rotation, w->hefts[slot].axes);
        t = cri_lanes_pick(late, t * (1.0f - b->late), t);
    }
    begin_turn(w, slot, t);
}

static inline void end_turns(batch *w)
{
    turn_fast(w);
    for (int slot = 0; slot < w->course->mover_count; slot++) {
        if (is_free(w, slot)) {
            end_turn(w, slot);
        }
    }
}

// ---------------------------------------------------------------------------------------------
// Distances.

// v turned by a rotation vector (Rodrigues).
static inline cri_lanes3 turned_by(cri_lanes3 v, cri_lanes3 by)
{
    cri_lanes angle = cri_lanes3_length(by), one = cri_lanes_all(1);
    cri_mask turns = is_less(cri_lanes_all(1e-9f), angle);
    cri_sincos sc = cri_lanes_sincos(angle);
    cri_lanes3 k = cri_lanes3_scale(one / cri_lanes_pick(turns, angle, one), by);
    cri_lanes3 out = cri_lanes3_scale(sc.cos, v);
    out = cri_lanes3_mad(out, sc.sin, cri_lanes3_cross(k, v));
    out = cri_lanes3_mad(out, (one - sc.cos) * cri_lanes3_dot(k, v), k);
    return cri_lanes3_pick(turns, out, v);
}

// The distance from a point to a solid of a free body whose center is `d` away from it.
static inline nearest near_free(const cri_solid *s, const cri_lanes3 axes[3], cri_lanes3 d)
{
    nearest n = near_solid(s, cri_lanes3_of(cri_lanes3_dot(axes[0], d), cri_lanes3_dot(axes[1], d),
                                            cri_lanes3_dot(axes[2], d)));
    cri_lanes3 normal = cri_lanes3_scale(n.normal.x, axes[0]);
    normal = cri_lanes3_mad(normal, n.normal.y, axes[1]);
    n.normal = cri_lanes3_mad(normal, n.normal.z, axes[2]);
    return n;
}

#endif
