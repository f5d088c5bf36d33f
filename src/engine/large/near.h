// Which pairs of a large world may have points in this substep, eight pairs at a time. Rows of
// solids hold all that it takes: a pair is one of many, and each look elsewhere a cache line.
#ifndef CRI_LARGE_NEAR_H
#define CRI_LARGE_NEAR_H

#include "engine/large/rows.h"

// A solid as it is seen here: the two blocks of its row.
typedef struct near_seen {
    cri_lanes box[8], at[8];
} near_seen;

INLINE cri_mask boxes_meet(const cri_lanes one[8], const cri_lanes two[8])
{
    cri_mask meet = cri_mask_all(-1);
    for (int k = 0; k < 3; k++) {
        meet = meet & ~is_less(two[3 + k], one[k]) & ~is_less(one[3 + k], two[k]);
    }
    return meet;
}

// Spheres about the two, or the second and a fixed box, and how they move.
INLINE cri_mask are_near(const cri_large *w, const near_seen *a, const near_seen *b)
{
    cri_lanes zero = cri_lanes_all(0), sum = zero;
    cri_lanes3 between = cri_lanes3_sub(three_of(&b->at[3]), three_of(&a->at[3]));
    cri_lanes margin = (cri_lanes3_length(between) + a->box[7] + b->box[7]) * w->h + CRI_SEE;
    cri_mask fixed = is_less(zero, a->at[6]);
    for (int k = 0; k < 3; k++) {
        cri_lanes outside = lanes_max(a->box[k] - b->at[k], b->at[k] - a->box[3 + k]);
        cri_lanes d = cri_lanes_pick(fixed, lanes_max(outside, zero), b->at[k] - a->at[k]);
        sum = sum + d * d;
    }
    cri_lanes within = margin + b->box[6] + cri_lanes_keep(~fixed, a->box[6]);
    return is_less(sum, within * within);
}

static inline unsigned find_near(const cri_large *w, const rows solids[2])
{
    near_seen a, b;
    gather(w->near_rows, CRI_NEAR_ROW, &solids[0], a.box);
    gather(w->near_rows, CRI_NEAR_ROW, &solids[1], b.box);
    cri_mask near = boxes_meet(a.box, b.box);
    if (cri_mask_any(near)) {
        gather(w->near_rows + 8, CRI_NEAR_ROW, &solids[0], a.at);
        gather(w->near_rows + 8, CRI_NEAR_ROW, &solids[1], b.at);
        near = near & are_near(w, &a, &b);
    }
    return cri_mask_bits(near);
}

// Pairs from `at` on: their solids, which of them were near, and which are with planes, by bits.
typedef struct eight_pairs {
    rows solids[2];
    unsigned near, planes;
} eight_pairs;

INLINE eight_pairs take_pairs(const cri_large *w, int at, int count)
{
    eight_pairs e = {.near = 0, .planes = 0};
    for (int i = 0; i < CRI_LANES; i++) {
        const cri_large_pair *p = &w->pairs[at + (i < count ? i : 0)];
        e.solids[0].of[i] = p->solids[0];
        e.solids[1].of[i] = p->solids[1];
        e.near |= (unsigned)p->near << i;
        e.planes |= (unsigned)(i < count && p->solids[0] < w->plane_count) << i;
    }
    return e;
}

// Pairs, by eights. What is no longer near is forgotten, and what is not written stays in the
// caches of all threads.
static void mark_near(cri_large *w, int first, int end)
{
    end = end * CRI_LOT < w->pair_count ? end * CRI_LOT : w->pair_count;
    for (int at = first * CRI_LOT; at < end; at += CRI_LANES) {
        int count = end - at < CRI_LANES ? end - at : CRI_LANES;
        eight_pairs e = take_pairs(w, at, count);
        unsigned near = find_near(w, e.solids) & ~e.planes;
        for (int i = 0; e.planes >> i; i++) {
            near |= (unsigned)(((e.planes >> i) & 1) && cri_large_near_plane(w, at + i)) << i;
        }
        unsigned changed = (near ^ e.near) & ((1u << count) - 1);
        for (int i = 0; changed >> i; i++) {
            if ((changed >> i) & 1) {
                w->pairs[at + i].near = (near >> i) & 1;
            }
            if ((changed & e.near) >> i & 1) {
                cri_large_forget(w, at + i);
            }
        }
    }
}

#endif
