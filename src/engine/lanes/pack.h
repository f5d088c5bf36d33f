// Meets that are looked at closely in packs. Worlds of a batch have different bodies near each
// other, so most lanes of one meet are idle. A pack has a world's meet in each lane:
//
//     first look         lanes at work        pack
//     meet 3  [ . . x . . . . . ]  - - ->  [ x                 meet 3, lane 2
//     meet 7  [ x . . . . x . . ]  - - ->    x x               meet 7, lanes 0 and 5
//     meet 9  [ . . x . . . . x ]  - - ->        x x . . . ]   meet 9, lanes 2 and 7
//
// Every operation works on each lane by itself, so a meet gets the same bits in any pack.
#ifndef CRI_LANES_PACK_H
#define CRI_LANES_PACK_H

#include "engine/lanes/round.h"

// A meet of a cylinder that the first look could not leave out.
typedef struct encounter {
    int meet;
    cri_mask lanes; // may be near; after the closer look: are
    cri_lanes margin;
    manifold found;
} encounter;

typedef struct pack {
    int count;
    encounter *of[CRI_LANES];
    int lane[CRI_LANES];
    stance at[2];
    search search;
} pack;

// The numbers in them, a row of lanes each. A feature is of no use here.
enum {
    STANCE_ROWS = sizeof(stance) / sizeof(cri_lanes),
    FOUND_ROWS = offsetof(manifold, feature) / sizeof(cri_lanes)
};

static inline bool is_packed(const cri_meet *m)
{
    return m->finder >= CRI_FIND_CYLINDERS;
}

// Which of the two is a box, or -1.
static inline int box_side(cri_finder finder)
{
    return finder == CRI_FIND_CYLINDERS ? -1 : finder == CRI_FIND_BOX_CYLINDER ? 0 : 1;
}

static inline search search_of(const batch *w, const encounter *e)
{
    const cri_meet *m = &w->course->meets[e->meet];
    search s = {.box = box_side(m->finder), .margin = e->margin, .lanes = e->lanes};
    for (int i = 0; i < 2; i++) {
        const cri_solid *solid = &w->course->solids[m->solids[i]];
        s.at[i] = &w->stances[m->solids[i]];
        s.radius[i] = cri_lanes_all(solid->radius);
        for (int k = 0; k < 3; k++) {
            s.half[i][k] = cri_lanes_all(solid->half[k]);
        }
    }
    return s;
}

// The lanes in which the two may be within the margin of each other.
static inline cri_mask may_be_near(const batch *w, const cri_meet *m, cri_lanes margin)
{
    int box = box_side(m->finder);
    cri_mask lanes = open_of(w, m) & free_near(w, m, margin);
    if (!cri_mask_any(lanes)) {
        return lanes;
    }
    int one = m->solids[box == 1 ? 1 : 0], two = m->solids[box == 1 ? 0 : 1];
    const stance *a = &w->stances[one], *b = &w->stances[two];
    const cri_solid *first = &w->course->solids[one], *second = &w->course->solids[two];
    cri_lanes gap =
        box < 0 ? glance_at_cylinders(a, b, first, second) : glance_at_box(a, b, first, second);
    return lanes & is_less(gap, margin + LOOK_SLACK);
}

static inline void look_at(batch *w, int index)
{
    const cri_meet *m = &w->course->meets[index];
    cri_lanes margin = free_margin(w, m);
    cri_mask lanes = may_be_near(w, m, margin);
    if (cri_mask_any(lanes)) {
        encounter *e = &w->encounters[w->encounter_count++];
        e->meet = index;
        e->lanes = lanes;
        e->margin = margin;
    }
}

static inline void put_in_pack(const batch *w, pack *p, encounter *e, int lane)
{
    const cri_meet *m = &w->course->meets[e->meet];
    search *s = &p->search;
    int to = p->count++;
    p->of[to] = e;
    p->lane[to] = lane;
    for (int i = 0; i < 2; i++) {
        const cri_solid *solid = &w->course->solids[m->solids[i]];
        copy_lane(&p->at[i], to, &w->stances[m->solids[i]], lane, STANCE_ROWS);
        cri_lanes_set(&s->radius[i], to, solid->radius);
        for (int k = 0; k < 3; k++) {
            cri_lanes_set(&s->half[i][k], to, solid->half[k]);
        }
    }
    copy_lane(&s->margin, to, &e->margin, lane, 1);
    cri_mask_set(&s->lanes, to, -1);
}

static inline void empty_pack(pack *p)
{
    manifold found;
    search *s = &p->search;
    unsigned near = cri_mask_bits(meet_round(s, &found));
    for (; near; near &= near - 1) {
        int from = __builtin_ctz(near);
        encounter *e = p->of[from];
        if (!cri_mask_any(e->lanes)) {
            e->found = (manifold){0};
        }
        copy_lane(&e->found, p->lane[from], &found, from, FOUND_ROWS);
        cri_mask_set(&e->lanes, p->lane[from], -1);
    }
    p->count = 0;
    s->lanes = cri_mask_all(0);
}

// One that is at work in most lanes needs no pack.
static inline bool fills_lanes(unsigned lanes)
{
    return CRI_LANES == 1 || 4 * __builtin_popcount(lanes) > 3 * CRI_LANES;
}

// Those of one kind.
static inline void look_closely(batch *w, cri_finder finder)
{
    pack p = {.search = {.at = {&p.at[0], &p.at[1]}, .box = box_side(finder)}};
    for (int i = 0; i < w->encounter_count; i++) {
        encounter *e = &w->encounters[i];
        if (w->course->meets[e->meet].finder != finder) {
            continue;
        }
        unsigned lanes = cri_mask_bits(e->lanes);
        if (fills_lanes(lanes)) {
            search s = search_of(w, e);
            e->lanes = meet_round(&s, &e->found);
            continue;
        }
        e->lanes = cri_mask_all(0);
        for (; lanes; lanes &= lanes - 1) {
            put_in_pack(w, &p, e, __builtin_ctz(lanes));
            if (p.count == CRI_LANES) {
                empty_pack(&p);
            }
        }
    }
    if (CRI_LANES > 1 && p.count > 0) {
        empty_pack(&p);
    }
}

// Of all neighbours, before their points are put in order.
static inline void find_encounters(batch *w)
{
    bool any[CRI_FINDERS] = {false};
    w->encounter_count = w->encounter_next = 0;
    for (int k = 0; k < w->neighbour_count; k++) {
        const cri_meet *m = &w->course->meets[w->neighbours[k]];
        if (meets_free(w, m) && is_packed(m)) {
            look_at(w, w->neighbours[k]);
            any[m->finder] = true;
        }
    }
    for (cri_finder f = CRI_FIND_CYLINDERS; f < CRI_FINDERS; f++) {
        if (any[f]) {
            look_closely(w, f);
        }
    }
}

// The points of the next neighbour that is packed.
static inline void put_encounter(batch *w, int index)
{
    const cri_meet *m = &w->course->meets[index];
    const encounter *e = &w->encounters[w->encounter_next];
    if (w->encounter_next == w->encounter_count || e->meet != index) {
        return;
    }
    w->encounter_next++;
    if (cri_mask_any(e->lanes)) {
        int from = m->solids[m->finder == CRI_FIND_CYLINDER_BOX ? 1 : 0];
        put_manifold(w, index, from, &e->found, e->lanes, e->margin);
    }
}

#endif
