// The sweep that passes the load down, and the rounds with true masses that follow. See
// lanes/patch.h for the method.
#ifndef CRI_LANES_SWEEP_H
#define CRI_LANES_SWEEP_H

#include "engine/lanes/visit.h"

// The two of a patch with what stands still as it stands.
typedef struct posed {
    cri_lanes3 velocity[2], swing[2];
} posed;

// What stands still has a share of its own velocity along the normal, and of the common one across
// it, by mass.
static inline void stand_still(const batch *w, const patch *s, posed *out)
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
        const motion *m = &w->motions[s->movers[i]];
        out->velocity[i] = cri_lanes3_pick(s->still[i], velocity, m->velocity);
        out->swing[i] = cri_lanes3_pick(s->still[i], swing, m->swing);
    }
}

// Solve a patch as if what it rests on stood still; that is then handed the whole impulse.
static inline void pass_still(batch *w, patch *s, cri_mask lanes, rubs how)
{
    posed p;
    cri_lanes x[ROWS], y[ROWS];
    stand_still(w, s, &p);
    const duo d = {{&p.velocity[0], &p.velocity[1]}, {&p.swing[0], &p.swing[1]}};
    patch_speeds(s, &d, BOTH_ENDS, x);
    lanes = lanes & is_pressed(s, x);
    if (cri_mask_any(lanes)) {
        solve_patch(s, resting_ease(w, s), x, lanes, how, y);
        give_patch(w, s, BOTH_ENDS, y);
    }
}

static inline void pass_down(batch *w, patch *s, cri_mask lanes, rubs how)
{
    if (s->rests && cri_mask_any((s->still[0] | s->still[1]) & lanes)) {
        pass_still(w, s, lanes, how);
    } else {
        visit_patch(w, s, lanes, how);
    }
}

// The visits first .. end - 1, of one level, of bodies that rest on several: they share the load.
static inline void share_load(batch *w, cri_mask where, int first, int end)
{
    for (int round = 0; round < SHARED_ROUNDS; round++) {
        rubs how = round + 1 < SHARED_ROUNDS ? WITHOUT_FRICTION : WITH_FRICTION;
        for (int i = first; i < end; i++) {
            const visit *v = &w->visits[i];
            cri_mask lanes = v->lanes & where & ~v->patch->alone;
            if (cri_mask_any(lanes)) {
                pass_down(w, v->patch, lanes, how);
            }
        }
    }
}

static inline void sweep_down(batch *w, cri_mask where)
{
    for (int first = 0; first < w->visit_count;) {
        int end = first;
        cri_mask shared = cri_mask_all(0);
        for (; end < w->visit_count && w->visits[end].level == w->visits[first].level; end++) {
            const visit *v = &w->visits[end];
            cri_mask lanes = v->lanes & where & v->patch->alone;
            shared = shared | (v->lanes & where & ~v->patch->alone);
            if (cri_mask_any(lanes)) {
                pass_down(w, v->patch, lanes, WITH_FRICTION);
            }
        }
        if (cri_mask_any(shared)) {
            share_load(w, where, first, end);
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

// Before rounds, when no body has a visit to its count.
static inline void begin_rounds(patch *s, cri_mask busy)
{
    s->busy = busy;
    s->seen[0] = s->seen[1] = s->moved = cri_lanes_all(0);
}

static inline void visit_due(batch *w, patch *s, cri_mask lanes)
{
    cri_lanes moved = visit_patch(w, s, lanes, WITH_FRICTION);
    cri_mask changed = lanes & is_less(s->enough, moved);
    s->moved = cri_lanes_pick(lanes, moved, s->moved);
    s->busy = (s->busy & ~lanes) | changed;
    for (int i = 0; i < 2; i++) {
        motion *m = &w->motions[s->movers[i]];
        if (has_end(s, i)) {
            m->count = m->count + cri_lanes_keep(changed, cri_lanes_all(1));
        }
        s->seen[i] = cri_lanes_pick(lanes, m->count, s->seen[i]);
    }
}

// A round's visit of a patch, where it is due. Returns whether it is anywhere.
static inline bool visit_if_due(batch *w, patch *s, cri_mask lanes)
{
    lanes = lanes & is_due(w, s);
    bool any = cri_mask_any(lanes);
    if (any) {
        visit_due(w, s, lanes);
    }
    return any;
}

// One round with true masses, in the lanes given: what stands and carries from the top down, then
// the rest, each once for all lanes. Returns whether anything was due.
static inline bool go_once(batch *w, cri_mask lanes)
{
    bool any = false;
    for (int i = 0; i < w->visit_count; i++) {
        patch *s = w->visits[i].patch;
        any = visit_if_due(w, s, w->visits[i].lanes & lanes & s->stands) || any;
    }
    for (int i = 0; i < w->patch_count; i++) {
        patch *s = &w->patches[i];
        any = visit_if_due(w, s, s->on & lanes & ~(s->swept & s->stands)) || any;
    }
    return any;
}

// Rounds in the lanes given, of those that run, until nothing is due.
static inline void go_round(batch *w, cri_mask lanes, int rounds)
{
    for (int i = 0; i <= w->course->mover_count; i++) {
        w->motions[i].count = cri_lanes_all(0);
    }
    bool any = true;
    for (int round = 0; round < rounds && any; round++) {
        any = go_once(w, lanes);
    }
}

static inline cri_mask is_unsettled(const batch *w)
{
    cri_mask unsettled = cri_mask_all(0);
    for (int i = 0; i < w->patch_count; i++) {
        const patch *s = &w->patches[i];
        unsettled = unsettled | (s->on & is_less(cri_lanes_all(UNSETTLED), s->moved));
    }
    return unsettled & w->run & w->fresh;
}

// More rounds, in the lanes that need them.
static inline void go_on(batch *w)
{
    cri_mask lanes = is_unsettled(w);
    for (int round = 0; round < UNSETTLED_ROUNDS && cri_mask_any(lanes); round++) {
        go_once(w, lanes);
        lanes = lanes & is_unsettled(w);
    }
}

#endif
