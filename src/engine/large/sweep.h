// The load of a large world passed down, as lanes/sweep.h does it in small ones: from the top level
// down each patch is solved as if what it rests on stood still, and that is then handed the whole
// impulse.
#ifndef CRI_LARGE_SWEEP_H
#define CRI_LARGE_SWEEP_H

#include "engine/large/solve.h"

// A bundle in the sweep: its two ends as they are now, with what stands still as it stands, and the
// impulses that they will be handed.
typedef struct passing {
    cri_lanes3 velocity[2], swing[2];
    cri_lanes mass[2], lift[2];  // inverse; 0 of what stands still
    cri_mask moves[2];           // it does not stand still
    cri_lanes3 given, turned[2]; // impulse, and swings
} passing;

// What stands still has a share of its own velocity along the normal, and of the common one across
// it, by mass.
static inline void stand_still(const cri_large *w, const bundle *s, const both *d, passing *p)
{
    cri_lanes stands[2][8], sum = d->speed[0][3] + d->speed[1][3];
    gather(w->rests, CRI_SPEED_ROW, &s->movers[0], stands[0]);
    gather(w->rests, CRI_SPEED_ROW, &s->movers[1], stands[1]);
    cri_lanes inverse = 1.0f / lanes_max(sum, cri_lanes_all(TINY));
    const cri_lanes share[2] = {d->speed[1][3] * inverse, d->speed[0][3] * inverse};
    cri_lanes3 common = cri_lanes3_scale(share[0], three_of(stands[0]));
    common = cri_lanes3_mad(common, share[1], three_of(stands[1]));
    common = cri_lanes3_mad(common, -cri_lanes3_dot(common, s->normal), s->normal);
    for (int k = 0; k < 2; k++) {
        cri_lanes along = cri_lanes3_dot(three_of(stands[k]), s->normal) * share[k];
        cri_lanes3 v = cri_lanes3_mad(common, along, s->normal);
        cri_lanes3 swing = cri_lanes3_scale(share[k], three_of(&stands[k][4]));
        p->velocity[k] = cri_lanes3_pick(p->moves[k], p->velocity[k], v);
        p->swing[k] = cri_lanes3_pick(p->moves[k], p->swing[k], swing);
    }
}

static inline passing begin_passing(const cri_large *w, const bundle *s, const both *d)
{
    passing p = {.given = cri_lanes3_zero(), .turned = {cri_lanes3_zero(), cri_lanes3_zero()}};
    for (int k = 0; k < 2; k++) {
        p.velocity[k] = three_of(d->speed[k]);
        p.swing[k] = three_of(&d->speed[k][4]);
        p.moves[k] = ~mask_of(s->still[k]);
        p.mass[k] = cri_lanes_keep(p.moves[k], d->speed[k][3]);
        p.lift[k] = cri_lanes_keep(p.moves[k], d->speed[k][7]);
    }
    if (s->still[0] | s->still[1]) {
        stand_still(w, s, d, &p);
    }
    return p;
}

// Impulses with their moments, to all that does not stand still now, and to all in the end.
INLINE void hand(passing *p, cri_lanes3 impulse, const cri_lanes3 turns[2])
{
    for (int k = 0; k < 2; k++) {
        float sign = k ? 1 : -1;
        p->velocity[k].x = p->velocity[k].x + p->mass[k] * impulse.x * sign;
        p->velocity[k].y = p->velocity[k].y + p->mass[k] * impulse.y * sign;
        p->velocity[k].z = p->velocity[k].z + p->lift[k] * impulse.z * sign;
        p->swing[k] = cri_lanes3_add(p->swing[k], cri_lanes3_keep(p->moves[k], turns[k]));
        p->turned[k] = cri_lanes3_add(p->turned[k], turns[k]);
    }
    p->given = cri_lanes3_add(p->given, impulse);
}

INLINE cri_lanes mass_along(const passing *p, cri_lanes3 a, cri_lanes3 b)
{
    cri_lanes mass = p->mass[0] + p->mass[1], lift = p->lift[0] + p->lift[1];
    return mass * (a.x * b.x + a.y * b.y) + lift * (a.z * b.z);
}

// Points in the sweep, seen from their mean: how they part there, and what pressing them gives.
typedef struct pressed {
    tilt part;
    cri_lanes k[6];
    cri_lanes u[CRI_LARGE_POINTS], v[CRI_LARGE_POINTS];
    cri_mask on[CRI_LARGE_POINTS];
    pressing all;
} pressed;

static inline void see_points(const bundle *s, const passing *p, pressed *q)
{
    const bed *b = &s->bed;
    cri_lanes zero = cri_lanes_all(0);
    find_response(s, b->u, b->v, p->moves, mass_along(p, s->normal, s->normal), q->k);
    cri_lanes3 between = cri_lanes3_sub(p->velocity[1], p->velocity[0]);
    q->part = (tilt){cri_lanes3_dot(s->normal, between), zero, zero};
    for (int k = 0; k < 2; k++) {
        add_swing(&q->part, &s->ends[k], p->swing[k]);
    }
    q->part.speed = speed_at(q->part, b->u, b->v);
    for (int i = 0; i < CRI_LARGE_POINTS; i++) {
        q->on[i] = is_on(&s->points[i]);
        q->u[i] = cri_lanes_keep(q->on[i], s->points[i].u - b->u);
        q->v[i] = cri_lanes_keep(q->on[i], s->points[i].v - b->v);
    }
    q->all = no_pressing();
}

// How much the points miss their targets: an even part, and slopes along u and v (least squares).
static inline void miss_on(const bundle *s, const pressed *q, cri_lanes out[3])
{
    const cri_lanes *spread = s->bed.spread;
    cri_lanes sum[3] = {cri_lanes_all(0), cri_lanes_all(0), cri_lanes_all(0)};
    for (int i = 0; i < CRI_LARGE_POINTS; i++) {
        cri_lanes speed = speed_at(q->part, q->u[i], q->v[i]);
        cri_lanes r = cri_lanes_keep(q->on[i], speed - s->points[i].target);
        sum[0] = sum[0] + r, sum[1] = sum[1] + q->u[i] * r, sum[2] = sum[2] + q->v[i] * r;
    }
    out[0] = spread[0] * sum[0];
    out[1] = spread[1] * sum[1] + spread[2] * sum[2];
    out[2] = spread[2] * sum[1] + spread[3] * sum[2];
}

// The pressure that makes up for it: an even part, and slopes. Returns the lanes in which there is
// one: what turns about one axis alone, an upright, makes the matrix singular but for rounding.
static inline cri_mask even_pressure(const bundle *s, const cri_lanes m[6], const cri_lanes a[3],
                                     cri_lanes x[3])
{
    const cri_lanes *spread = s->bed.spread;
    cri_lanes c00 = m[3] * m[5] - m[4] * m[4], c01 = m[2] * m[4] - m[1] * m[5];
    cri_lanes c02 = m[1] * m[4] - m[2] * m[3], det = m[0] * c00 + m[1] * c01 + m[2] * c02;
    cri_lanes c11 = m[0] * m[5] - m[2] * m[2], c12 = m[1] * m[2] - m[0] * m[4];
    cri_lanes c22 = m[0] * m[3] - m[1] * m[1];
    cri_mask sound = is_less(m[0] * m[3] * m[5] * 1e-5f, det);
    det = cri_lanes_keep(sound, -1.0f / cri_lanes_pick(sound, det, cri_lanes_all(1)));
    cri_lanes y0 = (c00 * a[0] + c01 * a[1] + c02 * a[2]) * det;
    cri_lanes y1 = (c01 * a[0] + c11 * a[1] + c12 * a[2]) * det;
    cri_lanes y2 = (c02 * a[0] + c12 * a[1] + c22 * a[2]) * det;
    x[0] = spread[0] * y0;
    x[1] = spread[1] * y1 + spread[2] * y2;
    x[2] = spread[2] * y1 + spread[3] * y2;
    return sound;
}

// All points at once, by a pressure that varies evenly over the patch; left out where that would
// pull. As press_evenly and invert_patch of small worlds.
static inline void press_evenly_on(bundle *s, pressed *q, cri_mask lanes)
{
    cri_lanes miss[3], x[3], changes[CRI_LARGE_POINTS];
    miss_on(s, q, miss);
    cri_mask pushes = lanes & even_pressure(s, q->k, miss, x);
    for (int i = 0; i < CRI_LARGE_POINTS; i++) {
        changes[i] = x[0] + x[1] * q->u[i] + x[2] * q->v[i];
        cri_lanes impulse = s->points[i].impulse + changes[i];
        pushes = pushes & ~(q->on[i] & is_less(impulse, cri_lanes_all(0)));
    }
    for (int i = 0; i < CRI_LARGE_POINTS; i++) {
        cri_lanes change = cri_lanes_keep(q->on[i] & pushes, changes[i]);
        s->points[i].impulse = s->points[i].impulse + change;
        add_pressing(&q->all, change, q->u[i], q->v[i]);
    }
    const pressing *all = &q->all;
    const cri_lanes *k = q->k;
    q->part.speed = q->part.speed + (k[0] * all->sum + k[1] * all->u + k[2] * all->v);
    q->part.u = q->part.u + (k[1] * all->sum + k[3] * all->u + k[4] * all->v);
    q->part.v = q->part.v + (k[2] * all->sum + k[4] * all->u + k[5] * all->v);
}

// Point by point; returns the load.
static inline cri_lanes press_each(bundle *s, pressed *q, cri_mask lanes)
{
    cri_lanes load = cri_lanes_all(0);
    for (int i = 0; i < CRI_LARGE_POINTS; i++) {
        stud *p = &s->points[i];
        tilt t = respond(q->k, q->u[i], q->v[i]);
        cri_lanes mobile = speed_at(t, q->u[i], q->v[i]);
        cri_lanes now = speed_at(q->part, q->u[i], q->v[i]);
        cri_lanes impulse = normal_impulse(p->impulse, p->target - now, invert(mobile, q->on[i]));
        impulse = cri_lanes_pick(lanes, impulse, p->impulse);
        cri_lanes change = impulse - p->impulse;
        p->impulse = impulse;
        load = load + impulse;
        add_pressing(&q->all, change, q->u[i], q->v[i]);
        q->part.speed = q->part.speed + change * t.speed;
        q->part.u = q->part.u + change * t.u;
        q->part.v = q->part.v + change * t.v;
    }
    return load;
}

// Points along the normal; returns the load.
static inline cri_lanes press_passing(bundle *s, passing *p, cri_mask lanes)
{
    pressed q;
    see_points(s, p, &q);
    press_evenly_on(s, &q, lanes);
    cri_lanes load = press_each(s, &q, lanes);
    cri_lanes3 turns[2];
    for (int k = 0; k < 2; k++) {
        const axle *x = &s->ends[k];
        turns[k] = pressed_turn(x, x->u + s->bed.u, x->v + s->bed.v, q.all);
    }
    hand(p, cri_lanes3_scale(q.all.sum, s->normal), turns);
    return load;
}

// What a unit of one row gives along another, by turning.
INLINE cri_lanes turn_along(const passing *p, const cri_lanes3 one[2], const cri_lanes3 two[2])
{
    return cri_lanes_keep(p->moves[0], cri_lanes3_dot(one[0], two[0])) +
           cri_lanes_keep(p->moves[1], cri_lanes3_dot(one[1], two[1]));
}

INLINE cri_lanes speed_of_row(const passing *p, cri_lanes3 along, const cri_lanes3 turns[2])
{
    return cri_lanes3_dot(along, cri_lanes3_sub(p->velocity[1], p->velocity[0])) +
           (cri_lanes3_dot(turns[0], p->swing[0]) + cri_lanes3_dot(turns[1], p->swing[1]));
}

// Friction of the patch, with what stands still left out of its mobilities.
static inline void rub_passing(bundle *s, passing *p, cri_mask lanes, cri_lanes load)
{
    rub r = s->rub;
    cri_lanes3 across = across_in(s);
    const cri_lanes3 one[2] = {slide_turn(&s->ends[0]), slide_turn(&s->ends[1])};
    const cri_lanes3 two[2] = {across_turn(&s->ends[0]), across_turn(&s->ends[1])};
    const cri_lanes k[3] = {mass_along(p, s->slide, s->slide) + turn_along(p, one, one),
                            mass_along(p, s->slide, across) + turn_along(p, one, two),
                            mass_along(p, across, across) + turn_along(p, two, two)};
    set_block(&r, k);
    cri_lanes speeds[2] = {speed_of_row(p, s->slide, one), speed_of_row(p, across, two)};
    cri_lanes changes[2];
    for (int i = 0; i < 2 && s->is_rare; i++) {
        speeds[i] = speeds[i] + s->rare.base[i];
    }
    rub_patch(&r, speeds, load, changes);
    changes[0] = cri_lanes_keep(lanes, changes[0]), changes[1] = cri_lanes_keep(lanes, changes[1]);
    s->rub.impulse[0] = s->rub.impulse[0] + changes[0];
    s->rub.impulse[1] = s->rub.impulse[1] + changes[1];
    cri_lanes3 turns[2];
    for (int end = 0; end < 2; end++) {
        turns[end] = cri_lanes3_mad(cri_lanes3_scale(changes[0], one[end]), changes[1], two[end]);
    }
    hand(p, cri_lanes3_mad(cri_lanes3_scale(changes[0], s->slide), changes[1], across), turns);
}

static inline void pass_bundle(const cri_large *w, bundle *s, cri_large_pass how)
{
    cri_mask alone = mask_of(s->alone), lanes = how.first ? cri_mask_all(-1) : ~alone;
    cri_mask slips = how.last ? ~alone : how.first ? alone : cri_mask_all(0);
    if (!cri_mask_any(lanes)) {
        return;
    }
    both d = take_both(w, s);
    passing p = begin_passing(w, s, &d);
    cri_lanes load = press_passing(s, &p, lanes);
    if (cri_mask_any(slips)) {
        rub_passing(s, &p, slips, load);
    }
    push_both(&d, p.given);
    for (int k = 0; k < 2; k++) {
        d.speed[k][4] = d.speed[k][4] + p.turned[k].x;
        d.speed[k][5] = d.speed[k][5] + p.turned[k].y;
        d.speed[k][6] = d.speed[k][6] + p.turned[k].z;
    }
    give_both(w, s, &d);
}

static void pass_lots(cri_large *w, int first, int end, cri_large_pass how)
{
    for (int i = first * PARTS; i < end * PARTS; i++) {
        pass_bundle(w, bundle_at(w, i), how);
    }
}

#endif
