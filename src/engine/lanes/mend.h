// What a step left, mended before it is stored: overlaps of bodies that were fast, and energy that
// came from nowhere.
//
// Points are found for where bodies go straight on. One that turns fast, or is thrown off by a
// blow, may end a substep in another that had no point there, or another one. The next substep sees
// that and takes them apart; the last of a step leaves it to whoever looks at the state. So
// overlaps that are deeper than MEND_DEPTH are taken away at once, by small displacements that give
// the points of a world the gaps that they ask for (Gauss-Seidel over displacements instead of
// velocities, by mass as impulses do it).
//
// To take bodies apart lifts some of them, here and in each substep, and rounds of impulses end
// before all is settled: a world that nothing acts on may have more energy after a step than before
// it. Bodies that met something then lose the difference from their speeds.
#ifndef CRI_LANES_MEND_H
#define CRI_LANES_MEND_H

#include "engine/lanes/pile.h"

#define MEND_DEPTH 3e-4f // m
// Slower bodies do not get that deep in a substep.
#define MEND_WAY 1e-4f // m
enum { MEND_ROUNDS = 8 };

// Paces by what bodies have now, and no leashes: neither what a piece predicted nor whom it listed
// is of use, for lanes are done at different times.
static inline void set_last_paces(batch *w)
{
    for (int i = 0; i < w->course->mover_count; i++) {
        body *b = &w->bodies[i];
        b->pace = cri_lanes3_length(b->velocity) +
                  cri_lanes3_length(b->spin) * w->course->movers[i].radius;
        b->leash = cri_lanes_all(0);
    }
}

// The lanes in which the two of a meet move fast.
static inline cri_mask moves_fast(const batch *w, const cri_meet *m)
{
    return is_less(cri_lanes_all(MEND_WAY / w->course->h), both_paces(w, m));
}

// Points of free bodies as they lie, in these lanes: of those that move fast and overlap too much,
// or of all.
static inline void find_lying(batch *w, cri_mask lanes, bool all)
{
    w->point_count = 0;
    w->run = lanes;
    w->margin = all ? FREE_MARGIN : -MEND_DEPTH;
    find_encounters(w);
    for (int k = 0; k < w->neighbour_count; k++) {
        const cri_meet *m = &w->course->meets[w->neighbours[k]];
        if (!meets_free(w, m)) {
            continue;
        }
        cri_mask where = all ? lanes : lanes & moves_fast(w, m);
        // Those that are packed come one after the other.
        if (!is_packed(m) && !cri_mask_any(where)) {
            continue;
        }
        int first = w->point_count;
        find_free_points(w, w->neighbours[k]);
        for (int i = first; i < w->point_count; i++) {
            w->points[i].solve = w->points[i].solve & where;
        }
    }
}

static inline cri_mask find_deep(const batch *w)
{
    cri_mask deep = cri_mask_all(0);
    for (int i = 0; i < w->point_count; i++) {
        const point *p = &w->points[i];
        deep = deep | (p->solve & is_less(p->gap, cri_lanes_all(-MEND_DEPTH)));
    }
    return deep;
}

// A unit of push at a point turns its two by these, and gives it that much more gap.
static inline void ready_point(const batch *w, point *p)
{
    cri_lanes sum = cri_lanes_all(0);
    for (int k = 0; k < 2; k++) {
        p->levers[k] = cri_lanes3_zero();
        int mover = p->meet->movers[k];
        if (mover < 0) {
            continue;
        }
        const heft *h = &w->hefts[mover];
        cri_lanes3 lever = cri_lanes3_sub(p->place, w->bodies[mover].place);
        cri_lanes3 twist = cri_lanes3_cross(lever, p->normal);
        p->levers[k] = sym_mul(&h->inertia, twist);
        sum = sum + cri_lanes3_dot(p->normal, times3(h->mass, p->normal)) +
              cri_lanes3_dot(twist, p->levers[k]);
    }
    p->yield[0] = invert(sum, p->solve);
    p->impulse = cri_lanes_all(0);
}

// Displacements are kept where velocities of a solve are: velocity, and swing for the turn.
static inline void part_point(batch *w, point *p)
{
    cri_lanes gap = p->gap;
    for (int k = 0; k < 2; k++) {
        if (p->meet->movers[k] >= 0) {
            const motion *m = &w->motions[p->meet->movers[k]];
            cri_lanes3 lever = cri_lanes3_sub(p->place, w->bodies[p->meet->movers[k]].place);
            cri_lanes3 way = cri_lanes3_add(m->velocity, cri_lanes3_cross(m->swing, lever));
            gap = gap + cri_lanes3_dot(way, p->normal) * (k ? 1.0f : -1.0f);
        }
    }
    cri_lanes push = p->impulse - gap * p->yield[0];
    push = cri_lanes_keep(p->solve, lanes_max(push, cri_lanes_all(0)));
    cri_lanes change = push - p->impulse;
    p->impulse = push;
    for (int k = 0; k < 2; k++) {
        if (p->meet->movers[k] >= 0) {
            motion *m = &w->motions[p->meet->movers[k]];
            cri_lanes by = k ? change : -change;
            cri_lanes3 way = times3(w->hefts[p->meet->movers[k]].mass, p->normal);
            m->velocity = cri_lanes3_mad(m->velocity, by, way);
            m->swing = cri_lanes3_mad(m->swing, by, p->levers[k]);
        }
    }
}

static inline void displace(batch *w, int slot)
{
    body *b = &w->bodies[slot];
    const motion *m = &w->motions[slot];
    cri_mask turns = is_less(cri_lanes_all(0), cri_lanes3_dot(m->swing, m->swing));
    cri_lanes3 half = cri_lanes3_scale(cri_lanes_all(0.5f), m->swing);
    cri_lanes turn[4] = {half.x, half.y, half.z, cri_lanes_all(1)}, q[4];
    quat_mul(turn, b->rotation, q);
    for (int k = 0; k < 4; k++) {
        b->rotation[k] = cri_lanes_pick(turns, q[k], b->rotation[k]);
    }
    b->turned = cri_lanes3_add(b->turned, m->swing);
    b->way = cri_lanes3_add(b->way, m->velocity);
    b->place = cri_lanes3_add(b->start, b->way);
    set_heft(w, slot);
}

// In lanes whose worlds have gone their way.
static inline void mend_overlaps(batch *w, cri_mask lanes)
{
    w->left = w->t = cri_lanes_all(0);
    w->run = lanes;
    set_last_paces(w);
    list_neighbours(w, w->left);
    set_stances(w);
    find_lying(w, lanes, false);
    cri_mask deep = find_deep(w);
    if (cri_mask_any(deep)) {
        find_lying(w, deep, true);
        for (int i = 0; i < w->course->mover_count; i++) {
            w->motions[i].velocity = w->motions[i].swing = cri_lanes3_zero();
        }
        for (int i = 0; i < w->point_count; i++) {
            ready_point(w, &w->points[i]);
        }
        for (int i = 0; i < MEND_ROUNDS * w->point_count; i++) {
            part_point(w, &w->points[i % w->point_count]);
        }
        for (int i = 0; i < w->course->mover_count; i++) {
            displace(w, i);
        }
    }
    w->run = cri_mask_all(0);
}

// ---------------------------------------------------------------------------------------------
// Energy.

static inline cri_lanes kinetic_energy(const batch *w, int slot)
{
    const weight *m = weight_of(w, slot);
    const body *b = &w->bodies[slot];
    cri_lanes sum = cri_lanes3_dot(b->velocity, b->velocity) * m->mass;
    if (!is_free(w, slot)) {
        return (sum + cri_lanes3_dot(b->spin, b->spin) * m->inertia) * 0.5f;
    }
    for (int k = 0; k < 3; k++) {
        cri_lanes spin = cri_lanes3_dot(w->hefts[slot].axes[k], b->spin);
        sum = sum + spin * spin * m->inertias[k];
    }
    return sum * 0.5f;
}

INLINE cri_mask is_zero(cri_lanes3 v)
{
    return ~is_less(cri_lanes_all(0), cri_lanes_abs(v.x) + cri_lanes_abs(v.y) + cri_lanes_abs(v.z));
}

// As a step begins: the energy, and the lanes in which nothing but weight acts.
static inline void note_energy(batch *w)
{
    w->energy_start = cri_lanes_all(0);
    w->passive = cri_mask_all(-1);
    for (int i = 0; i < w->course->mover_count; i++) {
        body *b = &w->bodies[i];
        b->touched = cri_mask_all(0);
        if (w->course->movers[i].class == CRI_DRIVEN) {
            w->passive = w->passive & is_zero(b->velocity) & is_zero(b->spin);
            continue;
        }
        w->energy_start = w->energy_start + kinetic_energy(w, i);
        w->passive =
            w->passive & is_zero(cri_lanes3_sub(b->push, gravity_of(w, i))) & is_zero(b->twist);
    }
}

static inline void mend_energy(batch *w)
{
    cri_lanes gain = -w->energy_start, met = cri_lanes_all(0), mass = met;
    for (int i = 0; i < w->course->mover_count; i++) {
        const body *b = &w->bodies[i];
        if (w->course->movers[i].class != CRI_DRIVEN) {
            cri_lanes kinetic = kinetic_energy(w, i), own = in_lanes(weight_of(w, i)->mass);
            gain = gain + kinetic - cri_lanes3_dot(gravity_of(w, i), b->way) * own;
            met = met + cri_lanes_keep(b->touched, kinetic);
            mass = mass + own;
        }
    }
    cri_mask wrong = w->passive & is_less(mass * GAIN_MAX, gain);
    if (!cri_mask_any(wrong)) {
        return;
    }
    cri_lanes left = 1.0f - gain / lanes_max(met, gain), one = cri_lanes_all(1);
    left = cri_lanes_sqrt(lanes_max(left, cri_lanes_all(0)));
    for (int i = 0; i < w->course->mover_count; i++) {
        body *b = &w->bodies[i];
        if (w->course->movers[i].class != CRI_DRIVEN) {
            cri_lanes keep = cri_lanes_pick(wrong & b->touched, left, one);
            b->velocity = cri_lanes3_scale(keep, b->velocity);
            b->spin = cri_lanes3_scale(keep, b->spin);
        }
    }
}

#endif
