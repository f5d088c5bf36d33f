// Levels: how far above the ground a body rests, who carries whom, and the order of visits that
// follows. See lanes/patch.h.
#ifndef CRI_LANES_LEVEL_H
#define CRI_LANES_LEVEL_H

#include "engine/lanes/patch.h"

static inline bool is_ground(const batch *w, int mover)
{
    return mover == w->course->mover_count || w->course->movers[mover].class == CRI_DRIVEN ||
           w->course->movers[mover].class == CRI_UPRIGHT;
}

// Which end of a patch is below the other, and whether they touch.
static inline void find_lean(const batch *w, patch *s)
{
    cri_lanes up = cri_lanes3_dot(s->normal, up_of(w));
    s->below[0] = is_less(cri_lanes_all(SUPPORT_COS), up);
    s->below[1] = is_less(up, cri_lanes_all(-SUPPORT_COS));
    s->touches = cri_mask_all(0);
    for (int i = s->first; i < s->first + s->count; i++) {
        const point *p = &w->points[i];
        s->touches = s->touches | (p->solve & is_less(p->gap, cri_lanes_all(SUPPORT_GAP)));
    }
    // The ground rests on nothing.
    for (int i = 0; i < 2; i++) {
        s->below[i] = s->below[i] & cri_mask_all(is_ground(w, s->movers[1 - i]) ? 0 : -1);
    }
}

// What rests on something supported is supported, a level higher. Returns the lanes that changed.
static inline cri_mask lift(batch *w, const patch *s)
{
    cri_mask changed = cri_mask_all(0);
    for (int i = 0; i < 2; i++) {
        const rest *lower = &w->rests[s->movers[i]];
        rest *upper = &w->rests[s->movers[1 - i]];
        cri_mask bears = s->touches & s->below[i] & lower->supported;
        if (!cri_mask_any(bears)) {
            continue;
        }
        cri_lanes level = lanes_min(lower->level + 1.0f, cri_lanes_all(LEVEL_MAX));
        cri_mask higher = bears & (is_less(upper->level, level) | ~upper->supported);
        upper->level = cri_lanes_pick(higher, lanes_max(level, upper->level), upper->level);
        upper->supported = upper->supported | higher;
        changed = changed | higher;
    }
    return changed;
}

static inline void find_levels(batch *w)
{
    int movers = w->course->mover_count;
    for (int i = 0; i <= movers; i++) {
        w->rests[i].supported = cri_mask_all(is_ground(w, i) ? -1 : 0);
        w->rests[i].carries = cri_mask_all(0);
        w->rests[i].level = w->rests[i].supports = cri_lanes_all(0);
    }
    bool any = true;
    for (int round = 0; round <= movers && any; round++) {
        any = false;
        for (int i = 0; i < w->patch_count; i++) {
            any = cri_mask_any(lift(w, &w->patches[i])) || any;
        }
    }
}

// The lanes in which an end of a patch is caught between the other, which is much heavier, and
// something that does not give way: rounds alone would press it through that.
static inline cri_mask is_caught(const batch *w, const patch *s, int end)
{
    int mover = s->movers[end];
    if (s->ends != BOTH_ENDS || is_ground(w, mover)) {
        return cri_mask_all(0);
    }
    cri_lanes mass = in_lanes(weight_of(w, mover)->mass);
    cri_mask heavy = is_less(mass * HEAVY, in_lanes(weight_of(w, s->movers[1 - end])->mass));
    cri_mask pressed = s->on & s->touches & heavy, caught = cri_mask_all(0);
    for (int i = 0; i < w->patch_count && cri_mask_any(pressed); i++) {
        const patch *wall = &w->patches[i];
        if (wall->ends == BOTH_ENDS || (wall->movers[0] != mover && wall->movers[1] != mover)) {
            continue;
        }
        cri_lanes along = cri_lanes3_dot(wall->normal, s->normal);
        along = (wall->movers[0] == mover) == (end == 0) ? along : -along;
        caught = caught | (wall->touches & is_less(along, cri_lanes_all(-SUPPORT_COS)));
    }
    return pressed & caught;
}

// Who carries whom: what a supported body carries is solved as if that stood still.
static inline void find_carriers(batch *w)
{
    for (int i = 0; i < w->patch_count; i++) {
        patch *s = &w->patches[i];
        rest *a = &w->rests[s->movers[0]], *b = &w->rests[s->movers[1]];
        cri_mask on_a = s->below[0] & a->supported, on_b = s->below[1] & b->supported;
        s->level = cri_lanes_pick(on_a, b->level,
                                  cri_lanes_pick(on_b, a->level, lanes_max(a->level, b->level)));
        cri_mask caught_a = is_caught(w, s, 0) & ~on_a & ~on_b;
        cri_mask caught_b = is_caught(w, s, 1) & ~on_a & ~on_b;
        s->level = cri_lanes_pick(caught_a, a->level + 1.0f, s->level);
        s->level = cri_lanes_pick(caught_b, b->level + 1.0f, s->level);
        s->still[0] = (cri_mask_all(is_ground(w, s->movers[0]) ? 0 : -1) & on_a) | caught_a;
        s->still[1] = (cri_mask_all(is_ground(w, s->movers[1]) ? 0 : -1) & on_b) | caught_b;
        a->carries = a->carries | (s->on & s->still[0]);
        b->carries = b->carries | (s->on & s->still[1]);
        b->supports = b->supports + cri_lanes_keep(s->on & on_a, cri_lanes_all(1));
        a->supports = a->supports + cri_lanes_keep(s->on & on_b, cri_lanes_all(1));
    }
    for (int i = 0; i < w->patch_count; i++) {
        patch *s = &w->patches[i];
        const rest *a = &w->rests[s->movers[0]], *b = &w->rests[s->movers[1]];
        cri_mask on_a = s->below[0] & a->supported, on_b = s->below[1] & b->supported;
        // One that carries nothing is solved like one that carries alone.
        cri_lanes count = cri_lanes_pick(on_b, a->supports, cri_lanes_all(1));
        s->alone = is_less(cri_lanes_pick(on_a, b->supports, count), cri_lanes_all(1.5f));
    }
}

// The lanes in which the sweep visits a patch: something rests on one of the two.
static inline void find_swept(const batch *w, patch *s)
{
    cri_mask carries = w->rests[s->movers[0]].carries | w->rests[s->movers[1]].carries;
    s->swept = s->on & w->run & carries;
    s->stands = is_less(lanes_max(w->rests[s->movers[0]].pace, w->rests[s->movers[1]].pace),
                        cri_lanes_all(SLOW));
}

// Visits from the top level down, in the order of patches.
static inline void list_visits(batch *w)
{
    cri_lanes top = cri_lanes_all(0);
    for (int i = 0; i < w->patch_count; i++) {
        patch *s = &w->patches[i];
        find_swept(w, s);
        top = lanes_max(top, cri_lanes_keep(s->swept, s->level));
    }
    w->visit_count = 0;
    for (float level = -cri_lanes_least(-top); level >= 0; level--) {
        for (int i = 0; i < w->patch_count; i++) {
            patch *s = &w->patches[i];
            cri_mask lanes = s->swept & is_same(s->level, cri_lanes_all(level));
            if (cri_mask_any(lanes)) {
                w->visits[w->visit_count++] = (visit){s, lanes, level};
            }
        }
    }
}

#endif
