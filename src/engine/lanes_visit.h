// One visit of a patch: what is asked of its points, and the impulses that give it to them. See
// lanes_patch.h for the three rows of a point.
#ifndef CRI_LANES_VISIT_H
#define CRI_LANES_VISIT_H

#include "engine/lanes_level.h"

// ---------------------------------------------------------------------------------------------
// Asking.

// m/s of separation that undoes an overlap, or lets a gap close and no more.
static inline cri_lanes undo(const batch *w, cri_lanes gap)
{
    cri_lanes apart = lanes_min(gap * (-OVERLAP_SHARE / w->course->h), cri_lanes_all(UNDO_MAX));
    return cri_lanes_pick(is_less(gap, cri_lanes_all(0)), apart, -gap * w->rate);
}

static inline void ask_patch(batch *w, const patch *s)
{
    for (int i = s->first; i < s->first + s->count; i++) {
        point *p = &w->points[i];
        grip *g = &w->grips[i];
        cri_lanes3 now = tied_slip(w, p, false), next = tied_slip(w, p, true);
        cri_lanes closing = cri_lanes3_dot(now, p->normal);
        cri_lanes next_closing = cri_lanes3_dot(next, p->normal);
        p->bounce = bounces(w, p, closing, lanes_min(closing, next_closing));
        // The impact comes first, then forces act for the rest of the piece.
        p->target = cri_lanes_pick(
            p->bounce, (next_closing - closing) - closing * manner_of(w, s->meet)->restitution,
            cri_lanes_all(-FAR));
        g->target = lanes_max(undo(w, p->gap), p->target);
        p->friction = friction_of(manner_of(w, s->meet), p, now, closing);
        cri_lanes least = cri_lanes_all(1e-9f), along = p->friction;
        if (s->meet->grained) {
            cri_lanes3 laid = s->slide;
            point grained = {.meet = s->meet, .normal = p->normal, .slide = laid};
            grained.grip[0] = p->friction;
            follow_grain(w, &grained);
            along = grained.grip[0];
        }
        g->hold[0] = 1.0f / lanes_max(along, least);
        g->hold[1] = 1.0f / lanes_max(p->friction, least);
        g->impulse = g->rub[0] = g->rub[1] = cri_lanes_all(0);
    }
}

// How a mover stands in the sweep.
static inline void set_rests(batch *w)
{
    for (int i = 0; i < w->course->mover_count; i++) {
        const body *b = &w->bodies[i];
        float radius = w->course->movers[i].radius;
        rest *r = &w->rests[i];
        cri_lanes fast = cri_lanes3_dot(b->velocity, b->velocity) +
                         cri_lanes3_dot(b->spin, b->spin) * (radius * radius);
        cri_lanes share = fast / (fast + SLOW * SLOW);
        r->velocity = cri_lanes3_scale(share, b->velocity);
        r->spin = cri_lanes3_scale(share, b->spin);
    }
}

// ---------------------------------------------------------------------------------------------
// Giving.

// The two of a patch while it is visited.
typedef struct duo {
    cri_lanes3 velocity[2], spin[2];
    const heft *hefts[2];
} duo;

INLINE duo load_duo(const batch *w, const patch *s)
{
    const body *a = &w->bodies[s->movers[0]], *b = &w->bodies[s->movers[1]];
    return (duo){{a->next_velocity, b->next_velocity},
                 {a->next_spin, b->next_spin},
                 {&w->hefts[s->movers[0]], &w->hefts[s->movers[1]]}};
}

INLINE void store_duo(batch *w, const patch *s, const duo *d)
{
    for (int i = 0; i < 2; i++) {
        if (s->movers[i] < w->course->mover_count) {
            w->bodies[s->movers[i]].next_velocity = d->velocity[i];
            w->bodies[s->movers[i]].next_spin = d->spin[i];
        }
    }
}

INLINE cri_lanes3 duo_slip(const duo *d, const grip *g)
{
    cri_lanes3 second = cri_lanes3_add(d->velocity[1], cri_lanes3_cross(d->spin[1], g->lever[1]));
    cri_lanes3 first = cri_lanes3_add(d->velocity[0], cri_lanes3_cross(d->spin[0], g->lever[0]));
    return cri_lanes3_sub(second, first);
}

// What the two get by one visit: an impulse, and its turn about each.
typedef struct gift {
    cri_lanes3 impulse, twist[2];
} gift;

INLINE void give_to(duo *d, int i, cri_lanes sign, cri_lanes3 impulse, cri_lanes3 twist)
{
    const heft *h = d->hefts[i];
    d->velocity[i] = cri_lanes3_mad(d->velocity[i], sign, times3(h->mass, impulse));
    d->spin[i] = cri_lanes3_mad(d->spin[i], sign, sym_mul(&h->inertia, twist));
}

// The change of a point's impulse along the normal, in some lanes.
INLINE cri_lanes press_grip(grip *g, const yields *y, cri_lanes speed, cri_mask lanes)
{
    cri_lanes impulse = lanes_max(g->impulse + (g->target - speed) * y->normal, cri_lanes_all(0));
    cri_lanes change = cri_lanes_keep(lanes, impulse - g->impulse);
    g->impulse = g->impulse + change;
    return change;
}

// The change of its friction, as a vector. speeds: along slide and across.
INLINE cri_lanes3 rub_grip(const patch *s, grip *g, const yields *y, const cri_lanes speeds[2],
                           cri_mask lanes)
{
    cri_lanes one = g->rub[0] - (y->block[0] * speeds[0] + y->block[1] * speeds[1]);
    cri_lanes two = g->rub[1] - (y->block[1] * speeds[0] + y->block[2] * speeds[1]);
    cri_lanes x = one * g->hold[0], z = two * g->hold[1];
    cri_mask sticks = ~is_less(g->impulse * g->impulse, x * x + z * z);
    cri_lanes slip_one = g->rub[0] - y->slip * speeds[0],
              slip_two = g->rub[1] - y->slip * speeds[1];
    x = slip_one * g->hold[0], z = slip_two * g->hold[1];
    cri_lanes share = share_of(g->impulse, cri_lanes_sqrt(x * x + z * z));
    one = cri_lanes_pick(sticks, one, slip_one * share);
    two = cri_lanes_pick(sticks, two, slip_two * share);
    cri_lanes d_one = cri_lanes_keep(lanes, one - g->rub[0]);
    cri_lanes d_two = cri_lanes_keep(lanes, two - g->rub[1]);
    g->rub[0] = g->rub[0] + d_one;
    g->rub[1] = g->rub[1] + d_two;
    return cri_lanes3_mad(cri_lanes3_scale(d_one, s->slide), d_two, s->across);
}

INLINE cri_lanes3 end_velocity(const duo *d, const grip *g, int i)
{
    return cri_lanes3_add(d->velocity[i], cri_lanes3_cross(d->spin[i], g->lever[i]));
}

// duo_slip where an end may be ground.
INLINE cri_lanes3 ends_slip(const duo *d, const grip *g, ends which)
{
    switch (which) {
    case BOTH_ENDS:
        return duo_slip(d, g);
    case FIRST_END:
        return cri_lanes3_sub(cri_lanes3_zero(), end_velocity(d, g, 0));
    case SECOND_END:
        return end_velocity(d, g, 1);
    }
    return cri_lanes3_zero();
}

// One visit with true masses. Returns the largest change of a speed.
INLINE cri_lanes visit_ends(batch *w, const patch *s, cri_mask lanes, ends which)
{
    duo d = load_duo(w, s);
    cri_lanes moved = cri_lanes_all(0), one = cri_lanes_all(1);
    for (int i = s->first; i < s->first + s->count; i++) {
        grip *g = &w->grips[i];
        if (!cri_mask_any(g->on & lanes)) {
            continue;
        }
        const yields *y = &g->real;
        cri_lanes3 slip = ends_slip(&d, g, which);
        cri_lanes change = press_grip(g, y, cri_lanes3_dot(slip, s->normal), lanes);
        cri_lanes speeds[2] = {cri_lanes3_dot(slip, s->slide) + change * y->tie[0],
                               cri_lanes3_dot(slip, s->across) + change * y->tie[1]};
        cri_lanes3 rubbed = rub_grip(s, g, y, speeds, lanes);
        cri_lanes3 impulse = cri_lanes3_mad(rubbed, change, s->normal);
        if (which != FIRST_END) {
            give_to(&d, 1, one, impulse, cri_lanes3_cross(g->lever[1], impulse));
        }
        if (which != SECOND_END) {
            give_to(&d, 0, -one, impulse, cri_lanes3_cross(g->lever[0], impulse));
        }
        cri_lanes most = lanes_max(cri_lanes_abs(impulse.x), cri_lanes_abs(impulse.y));
        most = lanes_max(most, cri_lanes_abs(impulse.z));
        moved = lanes_max(moved, most * g->mobility);
    }
    store_duo(w, s, &d);
    return moved;
}

static inline cri_lanes visit_patch(batch *w, const patch *s, cri_mask lanes)
{
    switch (s->ends) {
    case BOTH_ENDS:
        return visit_ends(w, s, lanes, BOTH_ENDS);
    case FIRST_END:
        return visit_ends(w, s, lanes, FIRST_END);
    case SECOND_END:
        return visit_ends(w, s, lanes, SECOND_END);
    }
    return cri_lanes_all(0);
}

#endif
