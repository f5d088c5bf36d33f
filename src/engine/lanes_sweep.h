// The sweep that passes the load down, and the rounds with true masses that follow. See
// lanes_patch.h for the method.
#ifndef CRI_LANES_SWEEP_H
#define CRI_LANES_SWEEP_H

#include "engine/lanes_visit.h"

// What stands still has a share of its own velocity along the normal, and of the common one across
// it, by mass.
static inline void stand_still(const batch *w, const patch *s, duo *d)
{
    const weight *a = weight_of(w, s->movers[0]), *b = weight_of(w, s->movers[1]);
    const rest *rests[2] = {&w->rests[s->movers[0]], &w->rests[s->movers[1]]};
    if (!cri_mask_any(s->still[0] | s->still[1])) {
        return;
    }
    const quantity share[2] = {a->mass / (a->mass + b->mass), b->mass / (a->mass + b->mass)};
    cri_lanes3 common = cri_lanes3_scale(in_lanes(share[0]), rests[0]->velocity);
    common = cri_lanes3_mad(common, in_lanes(share[1]), rests[1]->velocity);
    common = cri_lanes3_mad(common, -cri_lanes3_dot(common, s->normal), s->normal);
    for (int i = 0; i < 2; i++) {
        cri_lanes along = cri_lanes3_dot(rests[i]->velocity, s->normal) * share[i];
        cri_lanes3 velocity = cri_lanes3_mad(common, along, s->normal);
        cri_lanes3 spin = cri_lanes3_scale(in_lanes(share[i]), rests[i]->spin);
        d->velocity[i] = cri_lanes3_pick(s->still[i], velocity, d->velocity[i]);
        d->spin[i] = cri_lanes3_pick(s->still[i], spin, d->spin[i]);
    }
}

// A gift to what does not stand still; the rest is handed over at the end.
INLINE void give_gift(const patch *s, duo *d, const gift *g)
{
    cri_lanes one = cri_lanes_all(1);
    give_to(d, 1, cri_lanes_keep(~s->still[1], one), g->impulse, g->twist[1]);
    give_to(d, 0, cri_lanes_keep(~s->still[0], -one), g->impulse, g->twist[0]);
}

INLINE void add_gift(gift *sum, const gift *g)
{
    sum->impulse = cri_lanes3_add(sum->impulse, g->impulse);
    sum->twist[0] = cri_lanes3_add(sum->twist[0], g->twist[0]);
    sum->twist[1] = cri_lanes3_add(sum->twist[1], g->twist[1]);
}

// How much the points miss their targets, as an even part and slopes along u and v: the least
// squares.
static inline void missing(const batch *w, const patch *s, const duo *d, cri_lanes out[3])
{
    cri_lanes3 about = cri_lanes3_scale(cri_lanes_all(-1), s->across);
    cri_lanes3 spin = cri_lanes3_sub(d->spin[1], d->spin[0]);
    cri_lanes speed = cri_lanes3_dot(s->normal, cri_lanes3_sub(d->velocity[1], d->velocity[0])) +
                      cri_lanes3_dot(s->arm[1], d->spin[1]) - cri_lanes3_dot(s->arm[0], d->spin[0]);
    cri_lanes tilt = cri_lanes3_dot(about, spin), roll = cri_lanes3_dot(s->slide, spin);
    cri_lanes sum[3] = {cri_lanes_all(0), cri_lanes_all(0), cri_lanes_all(0)};
    for (int i = s->first; i < s->first + s->count; i++) {
        const grip *g = &w->grips[i];
        cri_lanes r = cri_lanes_keep(g->on, speed + g->u * tilt + g->v * roll - g->target);
        sum[0] = sum[0] + r;
        sum[1] = sum[1] + g->u * r;
        sum[2] = sum[2] + g->v * r;
    }
    out[0] = s->spread[0] * sum[0];
    out[1] = s->spread[1] * sum[1] + s->spread[2] * sum[2];
    out[2] = s->spread[2] * sum[1] + s->spread[3] * sum[2];
}

// All points at once, by a pressure that varies evenly over the patch; left out where that would
// pull.
static inline gift press_evenly(batch *w, const patch *s, const duo *d, cri_mask lanes)
{
    const cri_lanes *k = s->inverse;
    cri_lanes a[3], zero = cri_lanes_all(0);
    missing(w, s, d, a);
    cri_lanes y0 = -(k[0] * a[0] + k[1] * a[1] + k[2] * a[2]);
    cri_lanes y1 = -(k[1] * a[0] + k[3] * a[1] + k[4] * a[2]);
    cri_lanes y2 = -(k[2] * a[0] + k[4] * a[1] + k[5] * a[2]);
    cri_lanes x0 = s->spread[0] * y0, x1 = s->spread[1] * y1 + s->spread[2] * y2;
    cri_lanes x2 = s->spread[2] * y1 + s->spread[3] * y2;
    cri_mask pushes = lanes;
    for (int i = s->first; i < s->first + s->count; i++) {
        const grip *g = &w->grips[i];
        pushes = pushes & ~(g->on & is_less(g->impulse + x0 + x1 * g->u + x2 * g->v, zero));
    }
    cri_lanes force = zero, about_u = zero, about_v = zero;
    for (int i = s->first; i < s->first + s->count; i++) {
        grip *g = &w->grips[i];
        cri_lanes change = cri_lanes_keep(g->on & pushes, x0 + x1 * g->u + x2 * g->v);
        g->impulse = g->impulse + change;
        force = force + change;
        about_u = about_u + change * g->u;
        about_v = about_v + change * g->v;
    }
    cri_lanes3 turn = cri_lanes3_mad(cri_lanes3_scale(-about_u, s->across), about_v, s->slide);
    return (gift){cri_lanes3_scale(force, s->normal),
                  {cri_lanes3_mad(turn, force, s->arm[0]), cri_lanes3_mad(turn, force, s->arm[1])}};
}

typedef enum rubs { WITHOUT_FRICTION, WITH_FRICTION } rubs;

static inline gift give_point(const patch *s, duo *d, grip *g, cri_mask lanes, rubs how)
{
    const yields *y = &g->resting;
    cri_lanes3 slip = duo_slip(d, g);
    cri_lanes change = press_grip(g, y, cri_lanes3_dot(slip, s->normal), lanes);
    cri_lanes3 impulse = cri_lanes3_scale(change, s->normal);
    if (how == WITH_FRICTION) {
        cri_lanes speeds[2] = {cri_lanes3_dot(slip, s->slide) + change * y->tie[0],
                               cri_lanes3_dot(slip, s->across) + change * y->tie[1]};
        impulse = cri_lanes3_add(impulse, rub_grip(s, g, y, speeds, lanes));
    }
    gift given = {impulse,
                  {cri_lanes3_cross(g->lever[0], impulse), cri_lanes3_cross(g->lever[1], impulse)}};
    give_gift(s, d, &given);
    return given;
}

// Solve a patch as if what it rests on stood still, then hand that the whole impulse.
static inline void pass_down(batch *w, const patch *s, cri_mask lanes, rubs how)
{
    const duo before = load_duo(w, s);
    duo d = before;
    gift sum = {cri_lanes3_zero(), {cri_lanes3_zero(), cri_lanes3_zero()}};
    stand_still(w, s, &d);
    gift given = press_evenly(w, s, &d, lanes);
    give_gift(s, &d, &given);
    add_gift(&sum, &given);
    for (int i = s->first; i < s->first + s->count; i++) {
        if (cri_mask_any(w->grips[i].on & lanes)) {
            given = give_point(s, &d, &w->grips[i], lanes, how);
            add_gift(&sum, &given);
        }
    }
    duo after = before;
    give_to(&after, 1, cri_lanes_all(1), sum.impulse, sum.twist[1]);
    give_to(&after, 0, cri_lanes_all(-1), sum.impulse, sum.twist[0]);
    for (int i = 0; i < 2; i++) {
        d.velocity[i] = cri_lanes3_pick(s->still[i], after.velocity[i], d.velocity[i]);
        d.spin[i] = cri_lanes3_pick(s->still[i], after.spin[i], d.spin[i]);
    }
    store_duo(w, s, &d);
}

// The visits first .. end - 1, of one level, of bodies that rest on several: they share the load.
static inline void share_load(batch *w, int first, int end)
{
    for (int round = 0; round < SHARED_ROUNDS; round++) {
        rubs how = round + 1 < SHARED_ROUNDS ? WITHOUT_FRICTION : WITH_FRICTION;
        for (int i = first; i < end; i++) {
            const visit *v = &w->visits[i];
            cri_mask lanes = v->lanes & ~v->patch->alone;
            if (cri_mask_any(lanes)) {
                pass_down(w, v->patch, lanes, how);
            }
        }
    }
}

static inline void sweep_down(batch *w)
{
    for (int first = 0; first < w->visit_count;) {
        int end = first;
        cri_mask shared = cri_mask_all(0);
        for (; end < w->visit_count && w->visits[end].level == w->visits[first].level; end++) {
            const visit *v = &w->visits[end];
            cri_mask lanes = v->lanes & v->patch->alone;
            shared = shared | (v->lanes & ~v->patch->alone);
            if (cri_mask_any(lanes)) {
                pass_down(w, v->patch, lanes, WITH_FRICTION);
            }
        }
        if (cri_mask_any(shared)) {
            share_load(w, first, end);
        }
        first = end;
    }
}

// A patch is due where its last visit changed something, or another has changed one of its two
// since.
static inline cri_mask is_due(const batch *w, const patch *s)
{
    return s->busy | ~is_same(s->seen[0], w->rests[s->movers[0]].count) |
           ~is_same(s->seen[1], w->rests[s->movers[1]].count);
}

static inline void visit_due(batch *w, patch *s, cri_mask lanes)
{
    cri_mask changed = lanes & is_less(cri_lanes_all(PATCH_ENOUGH), visit_patch(w, s, lanes));
    s->busy = (s->busy & ~lanes) | changed;
    for (int i = 0; i < 2; i++) {
        rest *r = &w->rests[s->movers[i]];
        if (s->movers[i] < w->course->mover_count) {
            r->count = r->count + cri_lanes_keep(changed, cri_lanes_all(1));
        }
        s->seen[i] = cri_lanes_pick(lanes, r->count, s->seen[i]);
    }
}

// Rounds with true masses, in the lanes given, until nothing is due.
static inline void go_round(batch *w, cri_mask lanes, int rounds)
{
    for (int i = 0; i < w->patch_count; i++) {
        w->patches[i].busy = cri_mask_all(-1);
    }
    bool any = true;
    for (int round = 0; round < rounds && any; round++) {
        any = false;
        for (int i = 0; i < w->visit_count; i++) {
            const visit *v = &w->visits[i];
            cri_mask mine = v->lanes & lanes & is_due(w, v->patch);
            if (cri_mask_any(mine)) {
                visit_due(w, v->patch, mine);
                any = true;
            }
        }
    }
}

#endif
