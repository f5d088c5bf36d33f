// Impulses of a large world: rounds over its lots. See large/lot.h for the rows that they share.
#ifndef CRI_LARGE_SOLVE_H
#define CRI_LARGE_SOLVE_H

#include "engine/large/prepare.h"

// The two ends of a bundle while it is visited.
typedef struct both {
    cri_lanes speed[2][8]; // rows: velocity, inverse mass, swing, inverse mass along z
} both;

INLINE both take_both(const cri_large *w, const bundle *s)
{
    both d;
    gather(w->speeds, CRI_SPEED_ROW, &s->movers[0], d.speed[0]);
    gather(w->speeds, CRI_SPEED_ROW, &s->movers[1], d.speed[1]);
    return d;
}

// Into the rows of what is pushed: what is not may be another's too.
INLINE void give_both(const cri_large *w, const bundle *s, const both *d)
{
    for (int k = 0; k < 2; k++) {
        scatter(w->speeds, CRI_SPEED_ROW, &s->movers[k], s->pushed[k], d->speed[k]);
    }
}

// An impulse without its moment.
INLINE void push_both(both *d, cri_lanes3 impulse)
{
    cri_lanes *a = d->speed[0], *b = d->speed[1];
    a[0] = a[0] - a[3] * impulse.x, b[0] = b[0] + b[3] * impulse.x;
    a[1] = a[1] - a[3] * impulse.y, b[1] = b[1] + b[3] * impulse.y;
    a[2] = a[2] - a[7] * impulse.z, b[2] = b[2] + b[7] * impulse.z;
}

INLINE cri_lanes3 velocity_between(const both *d)
{
    return cri_lanes3_sub(three_of(d->speed[1]), three_of(d->speed[0]));
}

// A point that presses is shut when bodies have moved; others still have a part of their gap.
INLINE cri_lanes goal_at_rest(const bundle *s, int i)
{
    const stud *p = &s->points[i];
    cri_lanes goal = s->is_rare ? s->rare.rest[i] : cri_lanes_all(0);
    cri_mask shut = is_less(cri_lanes_all(0), p->impulse);
    return cri_lanes_pick(shut, goal, lanes_min(p->target, goal));
}

// Impulses along the normal: their sum, and their sums with places along slide and across.
typedef struct pressing {
    cri_lanes sum, u, v;
} pressing;

INLINE void add_pressing(pressing *p, cri_lanes impulse, cri_lanes u, cri_lanes v)
{
    p->sum = p->sum + impulse;
    p->u = p->u + impulse * u;
    p->v = p->v + impulse * v;
}

INLINE pressing no_pressing(void)
{
    cri_lanes zero = cri_lanes_all(0);
    return (pressing){zero, zero, zero};
}

// What they give to an end, about a place that lies (u, v) from its center.
INLINE cri_lanes3 pressed_turn(const axle *x, cri_lanes u, cri_lanes v, pressing p)
{
    return cri_lanes3_mad(cri_lanes3_scale(p.sum * v + p.v, x->about[SLIDE]), -(p.sum * u + p.u),
                          x->about[ACROSS]);
}

// Friction and a twist at the middle.
INLINE cri_lanes3 rubbed_turn(const axle *x, const cri_lanes drag[2], cri_lanes twist)
{
    cri_lanes3 turn = cri_lanes3_scale(twist - x->v * drag[0] + x->u * drag[1], x->about[NORMAL]);
    turn = cri_lanes3_mad(turn, x->depth * drag[0], x->about[ACROSS]);
    return cri_lanes3_mad(turn, -(x->depth * drag[1]), x->about[SLIDE]);
}

// Impulses of all points: their changes. `load`: their sum.
INLINE pressing press_points(bundle *s, const both *d, const cri_lanes3 swing[2], bool relax,
                             cri_lanes *load)
{
    cri_lanes zero = cri_lanes_all(0), now[CRI_LARGE_POINTS];
    tilt t = {cri_lanes3_dot(s->normal, velocity_between(d)), zero, zero};
    add_swing(&t, &s->ends[0], swing[0]);
    add_swing(&t, &s->ends[1], swing[1]);
    pressing all = no_pressing();
    *load = zero;
    for (int i = 0; i < CRI_LARGE_POINTS; i++) {
        now[i] = speed_at(t, s->points[i].u, s->points[i].v);
    }
    for (int i = 0; i < CRI_LARGE_POINTS; i++) {
        stud *p = &s->points[i];
        cri_lanes goal = relax ? goal_at_rest(s, i) : p->target;
        cri_lanes impulse = normal_impulse(p->impulse, goal - now[i], p->yield);
        cri_lanes change = impulse - p->impulse;
        p->impulse = impulse;
        for (int n = i + 1; n < CRI_LARGE_POINTS; n++) {
            now[n] = now[n] + s->cross[TWO[i][n]] * change;
        }
        add_pressing(&all, change, p->u, p->v);
        *load = *load + impulse;
    }
    return all;
}

// Friction in two directions: changes of its impulses.
INLINE void rub_patch(rub *r, const cri_lanes speeds[2], cri_lanes load, cri_lanes changes[2])
{
    cri_lanes one = r->impulse[0] - (r->block[0] * speeds[0] + r->block[1] * speeds[1]);
    cri_lanes two = r->impulse[1] - (r->block[1] * speeds[0] + r->block[2] * speeds[1]);
    cri_lanes x = one * r->hold[0], y = two * r->hold[1];
    cri_mask slips = is_less(load * load, x * x + y * y);
    if (cri_mask_any(slips)) {
        cri_lanes a = r->impulse[0] - r->slip * speeds[0], b = r->impulse[1] - r->slip * speeds[1];
        x = a * r->hold[0], y = b * r->hold[1];
        cri_lanes share = cone_share(load, x, y);
        one = cri_lanes_pick(slips, a * share, one);
        two = cri_lanes_pick(slips, b * share, two);
    }
    changes[0] = one - r->impulse[0], changes[1] = two - r->impulse[1];
    r->impulse[0] = one, r->impulse[1] = two;
}

// The twist about the normal: its change.
INLINE cri_lanes twist_patch(rub *r, cri_lanes speed, cri_lanes load)
{
    cri_lanes most = load * r->arm;
    cri_lanes twist = lanes_max(lanes_min(r->twist - speed * r->twist_yield, most), -most);
    cri_lanes change = twist - r->twist;
    r->twist = twist;
    return change;
}

// How a patch slips at the middle: along slide and across, and about the normal.
INLINE void find_slip(const bundle *s, cri_lanes3 sideways, const both *d,
                      const cri_lanes3 swing[2], cri_lanes out[3])
{
    cri_lanes3 slip = velocity_between(d);
    out[0] = cri_lanes3_dot(slip, s->slide);
    out[1] = cri_lanes3_dot(slip, sideways);
    out[2] = cri_lanes_all(0);
    for (int k = 0; k < 3 && s->is_rare; k++) {
        out[k] = out[k] + s->rare.base[k];
    }
    for (int end = 0; end < 2; end++) {
        const axle *x = &s->ends[end];
        cri_lanes slide = cri_lanes3_dot(x->about[SLIDE], swing[end]);
        cri_lanes across = cri_lanes3_dot(x->about[ACROSS], swing[end]);
        cri_lanes twist = cri_lanes3_dot(x->about[NORMAL], swing[end]);
        out[0] = out[0] + (x->depth * across - x->v * twist);
        out[1] = out[1] + (x->u * twist - x->depth * slide);
        out[2] = out[2] + twist;
    }
}

INLINE void visit_bundle(const cri_large *w, bundle *s, bool relax)
{
    both d = take_both(w, s);
    rub *r = &s->rub;
    cri_lanes3 across = across_in(s);
    cri_lanes3 swing[2] = {three_of(&d.speed[0][4]), three_of(&d.speed[1][4])};
    cri_lanes load, changes[2], speeds[3];
    pressing all = press_points(s, &d, swing, relax, &load);
    push_both(&d, cri_lanes3_scale(all.sum, s->normal));
    for (int k = 0; k < 2; k++) {
        const axle *x = &s->ends[k];
        swing[k] = cri_lanes3_add(swing[k], pressed_turn(x, x->u, x->v, all));
    }
    find_slip(s, across, &d, swing, speeds);
    cri_lanes twist = twist_patch(r, speeds[2], load);
    speeds[0] = speeds[0] + r->lean[0] * twist;
    speeds[1] = speeds[1] + r->lean[1] * twist;
    rub_patch(r, speeds, load, changes);
    push_both(&d, cri_lanes3_mad(cri_lanes3_scale(changes[0], s->slide), changes[1], across));
    for (int k = 0; k < 2; k++) {
        swing[k] = cri_lanes3_add(swing[k], rubbed_turn(&s->ends[k], changes, twist));
        d.speed[k][4] = swing[k].x, d.speed[k][5] = swing[k].y, d.speed[k][6] = swing[k].z;
    }
    give_both(w, s, &d);
}

static void visit_lots(cri_large *w, int first, int end)
{
    for (int i = first * PARTS; i < end * PARTS; i++) {
        visit_bundle(w, bundle_at(w, i), false);
    }
}

// Give the impulses that patches begin with.
INLINE void recall_bundle(const cri_large *w, const bundle *s)
{
    both d = take_both(w, s);
    const rub *r = &s->rub;
    pressing all = no_pressing();
    for (int i = 0; i < CRI_LARGE_POINTS; i++) {
        add_pressing(&all, s->points[i].impulse, s->points[i].u, s->points[i].v);
    }
    cri_lanes3 push = cri_lanes3_scale(all.sum, s->normal);
    push = cri_lanes3_mad(push, r->impulse[0], s->slide);
    push_both(&d, cri_lanes3_mad(push, r->impulse[1], across_in(s)));
    for (int k = 0; k < 2; k++) {
        const axle *x = &s->ends[k];
        cri_lanes3 turn =
            cri_lanes3_add(pressed_turn(x, x->u, x->v, all), rubbed_turn(x, r->impulse, r->twist));
        d.speed[k][4] = d.speed[k][4] + turn.x;
        d.speed[k][5] = d.speed[k][5] + turn.y;
        d.speed[k][6] = d.speed[k][6] + turn.z;
    }
    give_both(w, s, &d);
}

// Have the rows of patches that come soon on their way: they lie all over a large world.
INLINE void fetch_rows(const cri_large *w, const int *patches)
{
    for (int i = 0; i < CRI_LANES; i++) {
        size_t pair = (size_t)patches[i];
        __builtin_prefetch(&w->found[pair * CRI_FOUND_ROW]);
        __builtin_prefetch(&w->arms[pair * CRI_ARMS_ROW]);
        __builtin_prefetch(&w->arms[(pair + 1) * CRI_ARMS_ROW - 1]);
        __builtin_prefetch(&w->kept[pair * CRI_KEPT_ROW]);
        __builtin_prefetch(&w->pairs[pair]);
    }
}

INLINE const int *patches_of(const cri_large *w, int index)
{
    return &w->lots[index / PARTS].patches[index % PARTS * CRI_LANES];
}

INLINE void open_bundles(cri_large *w, int first, int end, bool recalls)
{
    for (int i = first * PARTS; i < end * PARTS; i++) {
        bundle *s = bundle_at(w, i);
        fetch_rows(w, patches_of(w, i + SOON < end * PARTS ? i + SOON : i));
        prepare_bundle(w, s, patches_of(w, i));
        if (recalls) {
            recall_bundle(w, s);
        }
    }
}

// What patches ask for follows from predicted speeds, which lie apart from those that change here:
// lots may be made first, in any order, or one by one.
static void prepare(cri_large *w, int first, int end)
{
    open_bundles(w, first, end, false);
}

static void recall(cri_large *w, int first, int end)
{
    for (int i = first * PARTS; i < end * PARTS; i++) {
        recall_bundle(w, bundle_at(w, i));
    }
}

static void open_lots(cri_large *w, int first, int end)
{
    open_bundles(w, first, end, true);
}

// When bodies are struck: they go on as before until then.
static inline void note_late(cri_large *w, const bundle *s)
{
    cri_lanes sum = cri_lanes_all(0);
    for (int i = 0; i < CRI_LARGE_POINTS; i++) {
        sum = sum + s->points[i].impulse;
    }
    cri_lanes share = s->rare.hit * (1 / w->h);
    unsigned bits = cri_mask_bits(s->rare.bounces & is_less(cri_lanes_all(0), sum) &
                                  is_less(share, cri_lanes_all(1)));
    for (int i = 0; bits >> i; i++) {
        for (int k = 0; k < 2 && ((bits >> i) & 1); k++) {
            float *late = &w->b.late[s->movers[k].of[i]];
            float when = cri_lanes_get(&share, i);
            if ((s->pushed[k] >> i) & 1) {
                *late = *late > 0 && *late < when ? *late : when;
            }
        }
    }
}

// After the solve, before the move: who is struck when.
static void strike(cri_large *w, int first, int end)
{
    for (int i = first * PARTS; i < end * PARTS; i++) {
        if (bundle_at(w, i)->is_rare) {
            note_late(w, bundle_at(w, i));
        }
    }
}

// Keep the impulses for the next substep, and for what is reported.
static inline void keep_bundle(const cri_large *w, const bundle *s)
{
    cri_lanes zero = cri_lanes_all(0), load = zero, one[8];
    cri_lanes3 drag = cri_lanes3_scale(s->rub.impulse[0], s->slide);
    drag = cri_lanes3_mad(drag, s->rub.impulse[1], across_in(s));
    for (int i = 0; i < CRI_LARGE_POINTS; i++) {
        one[i] = s->points[i].impulse;
        load = load + one[i];
    }
    // The twist as a share of the most that it can be.
    cri_lanes most = lanes_max(load * s->rub.arm, cri_lanes_all(TINY));
    one[4] = drag.x, one[5] = drag.y, one[6] = drag.z, one[7] = s->rub.twist / most;
    scatter(w->kept, CRI_KEPT_ROW, &s->pairs, s->there, one);
    unsigned met = s->apart & cri_mask_bits(is_less(zero, load));
    for (int i = 0; met >> i; i++) {
        if ((met >> i) & 1) {
            w->pairs[s->pairs.of[i]].touched = true;
        }
    }
}

// A round without undoing overlaps, after the move; what presses then is kept.
static void relax_lots(cri_large *w, int first, int end)
{
    for (int i = first * PARTS; i < end * PARTS; i++) {
        bundle *s = bundle_at(w, i);
        for (int k = 0; k < CRI_LANES; k++) {
            __builtin_prefetch(&w->kept[(size_t)s->pairs.of[k] * CRI_KEPT_ROW], 1);
        }
        visit_bundle(w, s, true);
        keep_bundle(w, s);
    }
}

#endif
