// Contact points of a large world, eight pairs at a time.
#ifndef CRI_LARGE_FIND_H
#define CRI_LARGE_FIND_H

#include "engine/lanes/box.h"
#include "engine/large/rows.h"

// Eight pairs, which of them there are, and their two bodies.
typedef struct eight {
    rows pairs, solids[2], movers[2];
    int count;
    cri_lanes margin;  // points farther away are of no interest
    cri_lanes3 center; // of the second body
} eight;

INLINE eight take_eight(const cri_large *w, cri_large_kind kind, int at)
{
    eight e = {.count = w->near_count[kind] - at};
    e.count = e.count < CRI_LANES ? e.count : CRI_LANES;
    for (int i = 0; i < CRI_LANES; i++) {
        int pair = w->near[kind][at + (i < e.count ? i : 0)];
        e.pairs.of[i] = pair;
        for (int k = 0; k < 2; k++) {
            e.solids[k].of[i] = w->pairs[pair].solids[k];
            e.movers[k].of[i] = w->pairs[pair].movers[k];
        }
    }
    cri_lanes one[8], two[8];
    gather(w->body_rows + 8, CRI_BODY_ROW, &e.movers[0], one);
    gather(w->body_rows + 8, CRI_BODY_ROW, &e.movers[1], two);
    cri_lanes3 between = cri_lanes3_sub(three_of(&two[4]), three_of(&one[4]));
    e.margin = (one[3] + two[3] + cri_lanes3_length(between)) * w->h + CRI_SEE;
    e.center = three_of(two);
    return e;
}

// Places of points are seen from `from`.
INLINE void put_found(const cri_large *w, const eight *e, const manifold *m, cri_mask lanes,
                      cri_lanes3 from)
{
    cri_lanes none = cri_lanes_all(CRI_NO_POINT), gap[CORNERS];
    cri_mask any = cri_mask_all(0);
    cri_lanes3 shift = cri_lanes3_sub(from, e->center), at[CORNERS];
    for (int i = 0; i < CORNERS; i++) {
        cri_mask near = lanes & m->on[i] & is_less(m->gap[i], e->margin);
        any = any | near;
        gap[i] = cri_lanes_pick(near, m->gap[i], none);
        at[i] = cri_lanes3_keep(near, cri_lanes3_add(m->place[i], shift));
    }
    const cri_lanes one[8] = {m->normal.x, m->normal.y, m->normal.z, m->feature,
                              gap[0],      gap[1],      gap[2],      gap[3]};
    const cri_lanes two[8] = {at[0].x, at[0].y, at[0].z, at[1].x,
                              at[1].y, at[1].z, at[2].x, at[2].y};
    const cri_lanes three[8] = {two[4], two[5], two[6], two[7], at[2].z, at[3].x, at[3].y, at[3].z};
    // Nobody looks at the arms of what has no points.
    unsigned all = (1u << e->count) - 1, some = all & cri_mask_bits(any);
    scatter(w->found, CRI_FOUND_ROW, &e->pairs, all, one);
    scatter(w->arms, CRI_ARMS_ROW, &e->pairs, some, two);
    scatter(w->arms + 4, CRI_ARMS_ROW, &e->pairs, some, three);
}

static inline void find_boxes_at(const cri_large *w, int at)
{
    eight e = take_eight(w, CRI_LARGE_BOXES, at);
    solid_seen a = see_solid(w, &e.solids[0]), b = see_solid(w, &e.solids[1]);
    box_pair p = {.a = &a.at, .b = &b.at};
    manifold m;
    memcpy(p.half_a, a.half, sizeof p.half_a);
    memcpy(p.half_b, b.half, sizeof p.half_b);
    for (int i = 0; i < CORNERS; i++) {
        m.on[i] = cri_mask_all(0);
        m.gap[i] = cri_lanes_all(0);
        m.place[i] = cri_lanes3_zero();
    }
    m.normal = cri_lanes3_zero();
    m.feature = cri_lanes_all(0);
    cri_mask lanes = box_on_box(&p, e.margin, cri_mask_all(-1), &m);
    put_found(w, &e, &m, lanes, a.at.place);
}

static inline void find_box_on_plane(const cri_large *w, int at)
{
    eight e = take_eight(w, CRI_LARGE_PLANE_BOX, at);
    solid_seen a = see_solid(w, &e.solids[0]), b = see_solid(w, &e.solids[1]);
    manifold m;
    box_on_ground(a.at.axes[2], a.at.place, &b.at, b.half, &m);
    put_found(w, &e, &m, cri_mask_all(-1), b.at.place);
}

// One point, on the surface of the ball: the lever of friction is its radius. `at`: the ball.
INLINE void put_ball(const cri_large *w, const eight *e, const solid_seen *ball, cri_lanes3 normal,
                     cri_lanes gap)
{
    manifold m = {.normal = normal, .feature = cri_lanes_all(0)};
    for (int i = 0; i < CORNERS; i++) {
        m.on[i] = cri_mask_all(i ? 0 : -1);
        m.gap[i] = gap;
        m.place[i] = cri_lanes3_zero();
    }
    m.place[0] = cri_lanes3_scale(-ball->radius, normal);
    put_found(w, e, &m, cri_mask_all(-1), ball->at.place);
}

static inline void find_ball_on_plane(const cri_large *w, int at)
{
    eight e = take_eight(w, CRI_LARGE_PLANE_BALL, at);
    solid_seen a = see_solid(w, &e.solids[0]), b = see_solid(w, &e.solids[1]);
    cri_lanes3 n = a.at.axes[2];
    cri_lanes gap = cri_lanes3_dot(n, cri_lanes3_sub(b.at.place, a.at.place)) - b.radius;
    put_ball(w, &e, &b, n, gap);
}

static inline void find_balls(const cri_large *w, int at)
{
    eight e = take_eight(w, CRI_LARGE_BALLS, at);
    solid_seen a = see_solid(w, &e.solids[0]), b = see_solid(w, &e.solids[1]);
    cri_lanes3 d = cri_lanes3_sub(b.at.place, a.at.place);
    cri_lanes length = cri_lanes3_length(d), zero = cri_lanes_all(0);
    cri_mask apart = is_less(cri_lanes_all(1e-9f), length);
    cri_lanes3 n = cri_lanes3_scale(1.0f / cri_lanes_pick(apart, length, cri_lanes_all(1)), d);
    n = cri_lanes3_pick(apart, n, cri_lanes3_of(zero, zero, cri_lanes_all(1)));
    put_ball(w, &e, &b, n, length - (a.radius + b.radius));
}

static inline void find_ball_on_box(const cri_large *w, int at)
{
    eight e = take_eight(w, CRI_LARGE_BOX_BALL, at);
    solid_seen a = see_solid(w, &e.solids[0]), b = see_solid(w, &e.solids[1]);
    cri_lanes3 d = cri_lanes3_sub(b.at.place, a.at.place), out = cri_lanes3_zero();
    cri_lanes inside = cri_lanes_all(-FAR);
    cri_lanes3 face = cri_lanes3_zero();
    for (int k = 0; k < 3; k++) {
        cri_lanes along = cri_lanes3_dot(a.at.axes[k], d), half = a.half[k];
        cri_lanes beyond = along - lanes_max(lanes_min(along, half), -half);
        out = cri_lanes3_mad(out, beyond, a.at.axes[k]);
        cri_lanes depth = cri_lanes_abs(along) - half;
        cri_mask nearer = is_less(inside, depth);
        inside = cri_lanes_pick(nearer, depth, inside);
        face = cri_lanes3_pick(nearer, cri_lanes3_scale(sign_of(along), a.at.axes[k]), face);
    }
    cri_lanes length = cri_lanes3_length(out);
    cri_mask outside = is_less(cri_lanes_all(1e-7f), length);
    cri_lanes3 n = cri_lanes3_scale(1.0f / cri_lanes_pick(outside, length, cri_lanes_all(1)), out);
    put_ball(w, &e, &b, cri_lanes3_pick(outside, n, face),
             cri_lanes_pick(outside, length, inside) - b.radius);
}

// Have the rows of pairs that come soon on their way.
INLINE void fetch_pairs(const cri_large *w, cri_large_kind kind, int at)
{
    for (int i = at; i < at + CRI_LANES && i < w->near_count[kind]; i++) {
        size_t pair = (size_t)w->near[kind][i];
        const cri_large_pair *p = &w->pairs[pair];
        __builtin_prefetch(&w->stances[(size_t)p->solids[0] * CRI_STANCE_ROW]);
        __builtin_prefetch(&w->stances[(size_t)p->solids[1] * CRI_STANCE_ROW]);
        __builtin_prefetch(&w->body_rows[(size_t)p->movers[0] * CRI_BODY_ROW + 8]);
        __builtin_prefetch(&w->body_rows[(size_t)p->movers[1] * CRI_BODY_ROW + 8]);
        __builtin_prefetch(&w->found[pair * CRI_FOUND_ROW], 1);
        __builtin_prefetch(&w->arms[pair * CRI_ARMS_ROW], 1);
    }
}

// Near pairs of a kind, eights first .. end - 1.
static void find(cri_large *w, cri_large_kind kind, int first, int end)
{
    static void (*const by_kind[CRI_LARGE_OTHER])(const cri_large *, int) = {
        [CRI_LARGE_BOXES] = find_boxes_at,
        [CRI_LARGE_PLANE_BOX] = find_box_on_plane,
        [CRI_LARGE_PLANE_BALL] = find_ball_on_plane,
        [CRI_LARGE_BOX_BALL] = find_ball_on_box,
        [CRI_LARGE_BALLS] = find_balls,
    };
    for (int at = first * CRI_LOT; at < end * CRI_LOT && at < w->near_count[kind];
         at += CRI_LANES) {
        fetch_pairs(w, kind, at + SOON * CRI_LANES);
        by_kind[kind](w, at);
    }
}

#endif
