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

// How the second end moves past the first at a point.
static inline cri_lanes3 lever_slip(const batch *w, const patch *s, const cri_lanes3 at[2],
                                    bool next)
{
    cri_lanes3 slip = cri_lanes3_zero();
    for (int i = 0; i < 2; i++) {
        const body *b = &w->bodies[s->movers[i]];
        cri_lanes3 spin = next ? b->next_spin : b->spin;
        cri_lanes3 v =
            cri_lanes3_add(next ? b->next_velocity : b->velocity, cri_lanes3_cross(spin, at[i]));
        slip = i ? cri_lanes3_sub(v, slip) : v;
    }
    return slip;
}

// The speed that a bounce leaves at the end of the piece: the impact is at its time, and forces act
// before and after it.
static inline cri_lanes bounce_target(const batch *w, const point *p, cri_lanes closing,
                                      cri_lanes next_closing)
{
    cri_lanes share = p->hit * w->rate, change = next_closing - closing;
    return change * (1.0f - share) -
           (closing + change * share) * manner_of(w, p->meet)->restitution;
}

static inline void ask_patch(batch *w, patch *s, const levers *l)
{
    s->enough =
        (w->rests[s->movers[0]].pace + w->rests[s->movers[1]].pace) * ENOUGH_SHARE + PATCH_ENOUGH;
    for (int i = s->first; i < s->first + s->count; i++) {
        point *p = &w->points[i];
        grip *g = &w->grips[i];
        const cri_lanes3 *at = l->of[i - s->first];
        cri_lanes3 now = lever_slip(w, s, at, false), next = lever_slip(w, s, at, true);
        cri_lanes closing = cri_lanes3_dot(now, p->normal);
        cri_lanes next_closing = cri_lanes3_dot(next, p->normal);
        p->closing = closing;
        p->bounce = bounces(w, p, closing, lanes_min(closing, next_closing));
        if (s->meet->solids[1] >= 0) {
            cri_lanes fastest = lanes_min(lanes_min(closing, next_closing), cri_lanes_all(-1e-3f));
            cri_lanes hit = lanes_max(p->gap, cri_lanes_all(0)) / -fastest;
            p->hit = cri_lanes_keep(p->bounce, lanes_min(hit, w->t));
        }
        p->target = cri_lanes_pick(p->bounce, bounce_target(w, p, closing, next_closing),
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
        r->pace = cri_lanes_sqrt(fast);
        r->velocity = cri_lanes3_scale(share, b->velocity);
        r->swing = cri_lanes3_scale(share, sym_mul(&w->motions[i].root, b->spin));
    }
}

// ---------------------------------------------------------------------------------------------
// Giving.

// The two of a patch while it is visited.
typedef struct duo {
    cri_lanes3 velocity[2], swing[2], mass[2];
} duo;

INLINE duo load_duo(const batch *w, const patch *s)
{
    const motion *a = &w->motions[s->movers[0]], *b = &w->motions[s->movers[1]];
    return (duo){{a->velocity, b->velocity}, {a->swing, b->swing}, {a->mass, b->mass}};
}

INLINE void store_end(batch *w, const patch *s, const duo *d, int i)
{
    w->motions[s->movers[i]].velocity = d->velocity[i];
    w->motions[s->movers[i]].swing = d->swing[i];
}

INLINE void store_duo(batch *w, const patch *s, const duo *d, ends which)
{
    if (which != SECOND_END) {
        store_end(w, s, d, 0);
    }
    if (which != FIRST_END) {
        store_end(w, s, d, 1);
    }
}

// The speed of the second end, seen from the first, along a direction with these rows.
INLINE cri_lanes speed_along(const duo *d, cri_lanes3 along, const cri_lanes3 turns[2], ends which)
{
    switch (which) {
    case BOTH_ENDS:
        return cri_lanes3_dot(along, cri_lanes3_sub(d->velocity[1], d->velocity[0])) +
               (cri_lanes3_dot(turns[1], d->swing[1]) + cri_lanes3_dot(turns[0], d->swing[0]));
    case FIRST_END:
        return cri_lanes3_dot(turns[0], d->swing[0]) - cri_lanes3_dot(along, d->velocity[0]);
    case SECOND_END:
        return cri_lanes3_dot(turns[1], d->swing[1]) + cri_lanes3_dot(along, d->velocity[1]);
    }
    return cri_lanes_all(0);
}

// Along the normal, slide and across, at a point.
INLINE void point_speeds(const patch *s, const duo *d, const grip *g, ends which, cri_lanes out[3])
{
    const cri_lanes3 along[3] = {s->normal, s->slide, s->across};
    for (int k = 0; k < 3; k++) {
        const cri_lanes3 turns[2] = {g->turn[0][k], g->turn[1][k]};
        out[k] = speed_along(d, along[k], turns, which);
    }
    if (which != BOTH_ENDS && s->driven) {
        for (int k = 0; k < 3; k++) {
            out[k] = out[k] + g->base[k];
        }
    }
}

// Let an end feel impulses along three directions with these rows.
INLINE void give_end(duo *d, int i, const cri_lanes3 along[3], const cri_lanes3 turn[3],
                     const cri_lanes impulses[3])
{
    cri_lanes3 sum = cri_lanes3_scale(impulses[0], along[0]), swing = d->swing[i];
    sum = cri_lanes3_mad(sum, impulses[1], along[1]);
    sum = times3(d->mass[i], cri_lanes3_mad(sum, impulses[2], along[2]));
    d->velocity[i] = i ? cri_lanes3_add(d->velocity[i], sum) : cri_lanes3_sub(d->velocity[i], sum);
    for (int k = 0; k < 3; k++) {
        swing = cri_lanes3_mad(swing, impulses[k], turn[k]);
    }
    d->swing[i] = swing;
}

INLINE void give_point(const patch *s, duo *d, const grip *g, ends which,
                       const cri_lanes impulses[3])
{
    const cri_lanes3 along[3] = {s->normal, s->slide, s->across};
    if (which != SECOND_END) {
        give_end(d, 0, along, g->turn[0], impulses);
    }
    if (which != FIRST_END) {
        give_end(d, 1, along, g->turn[1], impulses);
    }
}

// The change of a point's impulse along the normal, in some lanes.
INLINE cri_lanes press_grip(grip *g, const yields *y, cri_lanes speed, cri_mask lanes)
{
    cri_lanes impulse = lanes_max(g->impulse + (g->target - speed) * y->normal, cri_lanes_all(0));
    cri_lanes change = cri_lanes_keep(lanes, impulse - g->impulse);
    g->impulse = g->impulse + change;
    return change;
}

// Friction that slips: with one mobility for all directions, as much as the load allows.
static inline void slip_grip(const grip *g, const yields *y, const cri_lanes speeds[2],
                             cri_lanes rub[2])
{
    cri_lanes one = g->rub[0] - y->slip * speeds[0], two = g->rub[1] - y->slip * speeds[1];
    cri_lanes x = one * g->hold[0], z = two * g->hold[1];
    cri_lanes share = share_of(g->impulse, cri_lanes_sqrt(x * x + z * z));
    rub[0] = one * share, rub[1] = two * share;
}

// The change of its friction. speeds: along slide and across.
INLINE void rub_grip(grip *g, const yields *y, const cri_lanes speeds[2], cri_mask lanes,
                     cri_lanes changes[2])
{
    cri_lanes one = g->rub[0] - (y->block[0] * speeds[0] + y->block[1] * speeds[1]);
    cri_lanes two = g->rub[1] - (y->block[1] * speeds[0] + y->block[2] * speeds[1]);
    cri_lanes x = one * g->hold[0], z = two * g->hold[1];
    cri_mask loaded = is_less(cri_lanes_all(0), g->impulse);
    cri_mask slips = is_less(g->impulse * g->impulse, x * x + z * z);
    one = cri_lanes_keep(loaded, one), two = cri_lanes_keep(loaded, two);
    if (cri_mask_any(slips & loaded & lanes)) {
        cri_lanes rub[2];
        slip_grip(g, y, speeds, rub);
        one = cri_lanes_pick(slips & loaded, rub[0], one);
        two = cri_lanes_pick(slips & loaded, rub[1], two);
    }
    changes[0] = cri_lanes_keep(lanes, one - g->rub[0]);
    changes[1] = cri_lanes_keep(lanes, two - g->rub[1]);
    g->rub[0] = g->rub[0] + changes[0];
    g->rub[1] = g->rub[1] + changes[1];
}

typedef enum rubs { WITHOUT_FRICTION, WITH_FRICTION } rubs;

// What a point's impulses change by: along the normal, slide and across.
INLINE void change_grip(grip *g, const yields *y, const cri_lanes speeds[3], cri_mask lanes,
                        rubs how, cri_lanes changes[3])
{
    changes[0] = press_grip(g, y, speeds[0], lanes);
    changes[1] = changes[2] = cri_lanes_all(0);
    if (how == WITH_FRICTION) {
        const cri_lanes across[2] = {speeds[1] + changes[0] * y->tie[0],
                                     speeds[2] + changes[0] * y->tie[1]};
        rub_grip(g, y, across, lanes, &changes[1]);
    }
}

INLINE cri_lanes most_of(const cri_lanes changes[3])
{
    cri_lanes most = lanes_max(cri_lanes_abs(changes[0]), cri_lanes_abs(changes[1]));
    return lanes_max(most, cri_lanes_abs(changes[2]));
}

// One visit of all points with true masses. Returns the largest change of a speed.
INLINE cri_lanes visit_ends(batch *w, const patch *s, cri_mask lanes, rubs how, ends which)
{
    duo d = load_duo(w, s);
    cri_lanes moved = cri_lanes_all(0);
    for (int i = s->first; i < s->first + s->count; i++) {
        grip *g = &w->grips[i];
        if (!cri_mask_any(g->on & lanes)) {
            continue;
        }
        cri_lanes speeds[3], changes[3];
        point_speeds(s, &d, g, which, speeds);
        change_grip(g, &g->real, speeds, lanes, how, changes);
        give_point(s, &d, g, which, changes);
        moved = lanes_max(moved, most_of(changes) * g->mobility);
    }
    store_duo(w, s, &d, which);
    return moved;
}

INLINE cri_lanes visit_patch(batch *w, const patch *s, cri_mask lanes, rubs how)
{
    switch (s->ends) {
    case BOTH_ENDS:
        return visit_ends(w, s, lanes, how, BOTH_ENDS);
    case FIRST_END:
        return visit_ends(w, s, lanes, how, FIRST_END);
    case SECOND_END:
        return visit_ends(w, s, lanes, how, SECOND_END);
    }
    return cri_lanes_all(0);
}

#endif
