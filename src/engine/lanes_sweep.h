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
    const quantity share[2] = {a->mass / (a->mass + b->mass), b->mass / (a->mass + b->mass)};
    cri_lanes3 common = cri_lanes3_scale(in_lanes(share[0]), rests[0]->velocity);
    common = cri_lanes3_mad(common, in_lanes(share[1]), rests[1]->velocity);
    common = cri_lanes3_mad(common, -cri_lanes3_dot(common, s->normal), s->normal);
    for (int i = 0; i < 2; i++) {
        cri_lanes along = cri_lanes3_dot(rests[i]->velocity, s->normal) * share[i];
        cri_lanes3 velocity = cri_lanes3_mad(common, along, s->normal);
        cri_lanes3 swing = cri_lanes3_scale(in_lanes(share[i]), rests[i]->swing);
        d->velocity[i] = cri_lanes3_pick(s->still[i], velocity, d->velocity[i]);
        d->swing[i] = cri_lanes3_pick(s->still[i], swing, d->swing[i]);
    }
}

// How much the points miss their targets, as an even part and slopes along u and v: the least
// squares.
INLINE void missing(const batch *w, const patch *s, const duo *d, ends which, cri_lanes out[3])
{
    const cri_lanes3 rows[3][2] = {{s->turn[0][0], s->turn[1][0]},
                                   {s->turn[0][1], s->turn[1][1]},
                                   {s->turn[0][2], s->turn[1][2]}};
    cri_lanes3 none = cri_lanes3_zero();
    cri_lanes speed = speed_along(d, s->normal, rows[0], which);
    cri_lanes tilt = speed_along(d, none, rows[1], which);
    cri_lanes roll = speed_along(d, none, rows[2], which);
    cri_lanes sum[3] = {cri_lanes_all(0), cri_lanes_all(0), cri_lanes_all(0)};
    for (int i = s->first; i < s->first + s->count; i++) {
        const grip *g = &w->grips[i];
        const spot *at = &w->spots[i];
        cri_lanes r = speed + at->u * tilt + at->v * roll - g->target;
        if (which != BOTH_ENDS && s->driven) {
            r = r + g->base[0];
        }
        r = cri_lanes_keep(g->on, r);
        sum[0] = sum[0] + r;
        sum[1] = sum[1] + at->u * r;
        sum[2] = sum[2] + at->v * r;
    }
    out[0] = s->spread[0] * sum[0];
    out[1] = s->spread[1] * sum[1] + s->spread[2] * sum[2];
    out[2] = s->spread[2] * sum[1] + s->spread[3] * sum[2];
}

// All points at once, by a pressure that varies evenly over the patch; left out where that would
// pull. Sets the force and its moments along u and v.
INLINE void press_evenly(batch *w, const patch *s, const cri_lanes miss[3], cri_mask lanes,
                         cri_lanes out[3])
{
    const cri_lanes *k = s->inverse, *a = miss;
    cri_lanes zero = cri_lanes_all(0);
    cri_lanes y0 = -(k[0] * a[0] + k[1] * a[1] + k[2] * a[2]);
    cri_lanes y1 = -(k[1] * a[0] + k[3] * a[1] + k[4] * a[2]);
    cri_lanes y2 = -(k[2] * a[0] + k[4] * a[1] + k[5] * a[2]);
    cri_lanes x0 = s->spread[0] * y0, x1 = s->spread[1] * y1 + s->spread[2] * y2;
    cri_lanes x2 = s->spread[2] * y1 + s->spread[3] * y2;
    cri_mask pushes = lanes;
    for (int i = s->first; i < s->first + s->count; i++) {
        const grip *g = &w->grips[i];
        const spot *at = &w->spots[i];
        pushes = pushes & ~(g->on & is_less(g->impulse + x0 + x1 * at->u + x2 * at->v, zero));
    }
    out[0] = out[1] = out[2] = zero;
    for (int i = s->first; i < s->first + s->count; i++) {
        grip *g = &w->grips[i];
        const spot *at = &w->spots[i];
        cri_lanes change = cri_lanes_keep(g->on & pushes, x0 + x1 * at->u + x2 * at->v);
        g->impulse = g->impulse + change;
        out[0] = out[0] + change;
        out[1] = out[1] + change * at->u;
        out[2] = out[2] + change * at->v;
    }
}

// A patch of which no end stands still.
INLINE void pass_plain(batch *w, const patch *s, cri_mask lanes, rubs how, ends which)
{
    duo d = load_duo(w, s);
    const cri_lanes3 along[3] = {s->normal, cri_lanes3_zero(), cri_lanes3_zero()};
    cri_lanes miss[3], press[3];
    missing(w, s, &d, which, miss);
    press_evenly(w, s, miss, lanes, press);
    if (which != SECOND_END) {
        give_end(&d, 0, along, s->turn[0], press);
    }
    if (which != FIRST_END) {
        give_end(&d, 1, along, s->turn[1], press);
    }
    store_duo(w, s, &d, which);
    visit_ends(w, s, lanes, how, which);
}

// The two of a patch as they are in the sweep, and as they will be: what stands still gets its
// impulses at the end.
typedef struct handover {
    duo now, later;
    bool moves[2], stands[2]; // in some lane
} handover;

INLINE void give_still(const patch *s, handover *p, const cri_lanes3 along[3],
                       const cri_lanes3 turn[2][3], const cri_lanes impulses[3])
{
    for (int i = 0; i < 2; i++) {
        cri_lanes now[3], later[3];
        for (int k = 0; k < 3; k++) {
            now[k] = cri_lanes_keep(~s->still[i], impulses[k]);
            later[k] = cri_lanes_keep(s->still[i], impulses[k]);
        }
        if (p->moves[i]) {
            give_end(&p->now, i, along, turn[i], now);
        }
        if (p->stands[i]) {
            give_end(&p->later, i, along, turn[i], later);
        }
    }
}

// Solve a patch as if what it rests on stood still, then hand that the whole impulse.
static inline void pass_still(batch *w, const patch *s, cri_mask lanes, rubs how)
{
    handover p = {.now = load_duo(w, s)};
    p.later = p.now;
    for (int i = 0; i < 2; i++) {
        p.moves[i] = cri_mask_any(~s->still[i] & lanes);
        p.stands[i] = cri_mask_any(s->still[i] & lanes);
    }
    const cri_lanes3 along[3] = {s->normal, s->slide, s->across};
    const cri_lanes3 normal[3] = {s->normal, cri_lanes3_zero(), cri_lanes3_zero()};
    cri_lanes miss[3], changes[3], speeds[3];
    stand_still(w, s, &p.now);
    missing(w, s, &p.now, BOTH_ENDS, miss);
    press_evenly(w, s, miss, lanes, changes);
    give_still(s, &p, normal, s->turn, changes);
    for (int i = s->first; i < s->first + s->count; i++) {
        grip *g = &w->grips[i];
        if (cri_mask_any(g->on & lanes)) {
            const grip *held = g;
            point_speeds(s, &p.now, g, BOTH_ENDS, speeds);
            change_grip(g, &w->spots[i].resting, speeds, lanes, how, changes);
            give_still(s, &p, along, held->turn, changes);
        }
    }
    for (int i = 0; i < 2; i++) {
        p.now.velocity[i] = cri_lanes3_pick(s->still[i], p.later.velocity[i], p.now.velocity[i]);
        p.now.swing[i] = cri_lanes3_pick(s->still[i], p.later.swing[i], p.now.swing[i]);
    }
    store_duo(w, s, &p.now, BOTH_ENDS);
}

static inline void pass_down(batch *w, const patch *s, cri_mask lanes, rubs how)
{
    switch (s->ends) {
    case BOTH_ENDS:
        if (cri_mask_any((s->still[0] | s->still[1]) & lanes)) {
            pass_still(w, s, lanes, how);
        } else {
            pass_plain(w, s, lanes, how, BOTH_ENDS);
        }
        return;
    case FIRST_END:
        pass_plain(w, s, lanes, how, FIRST_END);
        return;
    case SECOND_END:
        pass_plain(w, s, lanes, how, SECOND_END);
        return;
    }
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
    return s->busy | ~is_same(s->seen[0], w->motions[s->movers[0]].count) |
           ~is_same(s->seen[1], w->motions[s->movers[1]].count);
}

static inline void visit_due(batch *w, patch *s, cri_mask lanes)
{
    cri_mask changed = lanes & is_less(s->enough, visit_patch(w, s, lanes, WITH_FRICTION));
    s->busy = (s->busy & ~lanes) | changed;
    for (int i = 0; i < 2; i++) {
        motion *m = &w->motions[s->movers[i]];
        if (has_end(s, i)) {
            m->count = m->count + cri_lanes_keep(changed, cri_lanes_all(1));
        }
        s->seen[i] = cri_lanes_pick(lanes, m->count, s->seen[i]);
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
