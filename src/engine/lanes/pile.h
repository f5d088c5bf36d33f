// A whole solve where a body is free: patches, sweep, rounds, and the guard of its energy.
#ifndef CRI_LANES_PILE_H
#define CRI_LANES_PILE_H

#include "engine/lanes/sweep.h"

// ---------------------------------------------------------------------------------------------
// Guard: contacts take energy from bodies that move freely, or leave it.

static inline cri_lanes kinetic_of(const motion *m)
{
    return (cri_lanes3_dot(m->velocity, m->velocity) * m->weight +
            cri_lanes3_dot(m->swing, m->swing)) *
           0.5f;
}

static inline cri_lanes kinetic(const batch *w)
{
    cri_lanes sum = cri_lanes_all(0);
    for (int i = 0; i < w->course->mover_count; i++) {
        sum = sum + kinetic_of(&w->motions[i]);
    }
    return sum;
}

static inline cri_lanes moving_mass(const batch *w)
{
    cri_lanes sum = cri_lanes_all(0);
    for (int i = 0; i < w->course->mover_count; i++) {
        sum = sum + w->motions[i].weight;
    }
    return sum;
}

// Back to the velocities before the solve, in those lanes that have more energy than they may.
// Returns them.
static inline cri_mask undo_gains(batch *w, cri_mask lanes)
{
    cri_mask wrong = lanes & is_less(w->energy_max, kinetic(w));
    for (int i = 0; i < w->course->mover_count && cri_mask_any(wrong); i++) {
        motion *m = &w->motions[i];
        m->velocity = cri_lanes3_pick(wrong, m->free_velocity, m->velocity);
        m->swing = cri_lanes3_pick(wrong, m->free_swing, m->swing);
    }
    return wrong;
}

// Where the solve gained energy: again from free motion, by rounds alone.
static inline void guard(batch *w)
{
    cri_mask wrong = undo_gains(w, w->run & w->fresh);
    if (!cri_mask_any(wrong)) {
        return;
    }
    for (int i = 0; i < w->point_count; i++) {
        w->grips[i].impulse = cri_lanes_keep(~wrong, w->grips[i].impulse);
    }
    for (int i = 0; i < w->patch_count; i++) {
        patch *s = &w->patches[i];
        begin_rounds(s, wrong);
        s->slips = s->slips & ~wrong;
        s->twist = cri_lanes_keep(~wrong, s->twist);
        for (int k = 0; k < 3; k++) {
            s->rub[k] = cri_lanes_keep(~wrong, s->rub[k]);
        }
    }
    go_round(w, wrong, GUARD_ROUNDS);
}

// Contacts of bodies that nothing drives take energy, and never give it. What friction and rounds
// that end early leave on top, a percent at most, is taken from all that met something: where two
// rest on each other, or part, they do so when both are slower by the same share, too.
static inline void shed_gains(batch *w)
{
    cri_lanes met = cri_lanes_all(1e-12f), over = kinetic(w) - w->energy_free;
    cri_mask wrong = w->run & is_less(cri_lanes_all(0), over);
    for (int i = 0; i < w->course->mover_count; i++) {
        if (is_ground(w, i) || !cri_mask_any(wrong)) {
            return;
        }
        met = met + cri_lanes_keep(w->bodies[i].met, kinetic_of(&w->motions[i]));
    }
    cri_lanes share = cri_lanes_sqrt(lanes_max(1.0f - over / met, cri_lanes_all(0)));
    for (int i = 0; i < w->course->mover_count; i++) {
        motion *m = &w->motions[i];
        cri_lanes keep = cri_lanes_pick(wrong & w->bodies[i].met, share, cri_lanes_all(1));
        m->velocity = cri_lanes3_scale(keep, m->velocity);
        m->swing = cri_lanes3_scale(keep, m->swing);
    }
}

// ---------------------------------------------------------------------------------------------

// How a mover answers to impulses.
static inline void make_motion(const batch *w, int slot)
{
    const weight *own = weight_of(w, slot);
    const heft *h = &w->hefts[slot];
    motion *m = &w->motions[slot];
    m->mass = h->mass;
    m->weight = in_lanes(own->mass);
    m->root = m->unroot = (sym){0};
    cri_lanes root[3], unroot[3];
    switch (w->course->movers[slot].class) {
    case CRI_FIXED:
    case CRI_DRIVEN:
        return;
    case CRI_UPRIGHT:
        m->unroot.zz = cri_lanes_sqrt(h->inertia.zz);
        m->root.zz = 1.0f / m->unroot.zz;
        return;
    case CRI_BALL:
        m->unroot.xx = m->unroot.yy = m->unroot.zz = cri_lanes_sqrt(h->inertia.zz);
        m->root.xx = m->root.yy = m->root.zz = 1.0f / m->unroot.zz;
        return;
    case CRI_FREE:
        for (int k = 0; k < 3; k++) {
            root[k] = cri_lanes_sqrt(in_lanes(own->inertias[k]));
            unroot[k] = 1.0f / root[k];
        }
        m->root = spread(h->axes, root);
        m->unroot = spread(h->axes, unroot);
        return;
    }
}

// In the lanes given; others have what a solve left them.
static inline void load_motions(batch *w, cri_mask lanes)
{
    for (int i = 0; i < w->course->mover_count; i++) {
        motion *m = &w->motions[i];
        m->free_velocity = w->bodies[i].next_velocity;
        m->free_swing = sym_mul(&m->root, w->bodies[i].next_spin);
        m->velocity = cri_lanes3_pick(lanes, m->free_velocity, m->velocity);
        m->swing = cri_lanes3_pick(lanes, m->free_swing, m->swing);
    }
}

// What was not pushed keeps its spin to the bit.
static inline void store_motions(batch *w)
{
    for (int i = 0; i < w->course->mover_count; i++) {
        const motion *m = &w->motions[i];
        body *b = &w->bodies[i];
        if (!is_immovable(w, i)) {
            cri_lanes3 change = cri_lanes3_sub(m->swing, m->free_swing);
            b->next_velocity = m->velocity;
            b->next_spin = cri_lanes3_add(b->next_spin, sym_mul(&m->unroot, change));
        }
    }
}

// Where some lanes are solved once more, patches that have none of them are as they were.
static inline bool is_fresh(const batch *w, const patch *s)
{
    return cri_mask_any(s->near & w->fresh) || !cri_mask_any(~w->fresh);
}

static inline void prepare_patches(batch *w)
{
    levers l;
    list_patches(w);
    for (int i = 0; i < w->patch_count; i++) {
        patch *s = &w->patches[i];
        if (is_fresh(w, s)) {
            lay_patch(w, s);
            find_lean(w, s);
        }
    }
    find_levels(w);
    find_carriers(w);
    list_visits(w);
    for (int i = 0; i < w->patch_count; i++) {
        patch *s = &w->patches[i];
        if (is_fresh(w, s)) {
            make_patch(w, s, &l);
            ask_patch(w, s, &l);
        }
    }
}

static inline void tell_points(batch *w)
{
    for (int i = 0; i < w->point_count; i++) {
        w->points[i].impulse = cri_lanes_keep(w->grips[i].on, w->grips[i].impulse);
    }
}

// What a ball would meet after the end of a piece that has become shorter.
static inline void leave_out_late(batch *w)
{
    for (int i = 0; i < w->point_count; i++) {
        point *p = &w->points[i];
        if (p->meet->solids[1] < 0) {
            cri_mask later = is_less(cri_lanes_all(0), p->hit) & ~is_less(p->hit, w->t);
            p->solve = p->solve & ~later;
        }
    }
}

// What pushes a body that is struck, or is pushed by it, waits as well: so many bodies away.
enum { WAITS = 3 };
#define WAIT_GAP 2e-5f // m

static inline void wait_for(batch *w, const patch *s)
{
    if (s->ends != BOTH_ENDS) {
        return;
    }
    body *a = &w->bodies[s->movers[0]], *b = &w->bodies[s->movers[1]];
    cri_mask pushes = cri_mask_all(0);
    for (int i = s->first; i < s->first + s->count; i++) {
        const point *p = &w->points[i];
        pushes = pushes | (p->solve & is_less(cri_lanes_all(0), p->impulse));
    }
    cri_lanes first = lanes_min(a->late, b->late);
    a->late = cri_lanes_pick(pushes & ~a->struck, first, a->late);
    b->late = cri_lanes_pick(pushes & ~b->struck, first, b->late);
}

// When bodies are struck: they go on as before until then.
static inline void strike(batch *w, const point *p)
{
    cri_mask struck =
        p->solve & is_less(cri_lanes_all(0), p->hit) & is_less(cri_lanes_all(0), p->impulse);
    for (int k = 0; k < 2 && cri_mask_any(struck); k++) {
        if (is_pushed(w, p->meet->movers[k])) {
            body *b = &w->bodies[p->meet->movers[k]];
            b->struck = b->struck | struck;
            b->late = lanes_min(b->late, cri_lanes_pick(struck, p->hit, w->t));
        }
    }
}

// Nor does it wait for so long that it runs into something. Of the two of a point the one goes on
// as before until e, the other until f >= e (0: it does not wait). Their gap then closes at three
// rates, and may be used up neither at e, nor at f, nor at the end of the piece:
//
//     0 ---- old, old ---- e ---- new, old ---- f ---- new, new ---- t
//
// A wait that is too long becomes shorter; without any the solve keeps all gaps open.
typedef struct gap_rates {
    cri_lanes old[2], next[2]; // m/s, how fast each of the two opens the gap
} gap_rates;

static inline gap_rates rates_of(const batch *w, const point *p)
{
    gap_rates r;
    for (int k = 0; k < 2; k++) {
        int mover = p->meet->movers[k];
        r.old[k] = r.next[k] = cri_lanes_all(0);
        if (mover >= 0) {
            const body *b = &w->bodies[mover];
            cri_lanes3 n = cri_lanes3_scale(cri_lanes_all(k ? 1 : -1), p->normal);
            cri_lanes3 turn = cri_lanes3_cross(cri_lanes3_sub(p->place, b->place), n);
            r.old[k] = cri_lanes3_dot(b->velocity, n) + cri_lanes3_dot(b->spin, turn);
            r.next[k] = cri_lanes3_dot(b->next_velocity, n) + cri_lanes3_dot(b->next_spin, turn);
        }
    }
    return r;
}

// How long a gap lasts at a rate.
INLINE cri_lanes lasts(cri_lanes gap, cri_lanes rate)
{
    return lanes_max(gap, cri_lanes_all(0)) / lanes_max(-rate, cri_lanes_all(1e-6f));
}

static inline cri_lanes wait_of(const batch *w, int mover)
{
    cri_lanes zero = cri_lanes_all(0);
    return mover < 0 ? zero
                     : cri_lanes_keep(is_less(w->bodies[mover].late, w->t), w->bodies[mover].late);
}

static inline void end_wait(batch *w, const point *p)
{
    const int *movers = p->meet->movers;
    cri_lanes wait[2] = {wait_of(w, movers[0]), wait_of(w, movers[1])};
    cri_mask waits = p->solve & is_less(cri_lanes_all(0), wait[0] + wait[1]);
    if (!cri_mask_any(waits)) {
        return;
    }
    gap_rates r = rates_of(w, p);
    cri_mask swap = is_less(wait[1], wait[0]);
    cri_lanes e = lanes_min(wait[0], wait[1]), f = lanes_max(wait[0], wait[1]);
    cri_lanes gap = lanes_max(p->gap, cri_lanes_all(0)) + WAIT_GAP, first = r.old[0] + r.old[1];
    cri_lanes second = cri_lanes_pick(swap, r.old[0] + r.next[1], r.next[0] + r.old[1]);
    cri_lanes last = r.next[0] + r.next[1];
    e = lanes_min(e, lasts(gap, first));
    gap = gap + first * e;
    f = e + lanes_min(f - e, lasts(gap, second));
    // What is left at the end.
    gap = gap + second * (f - e) + last * (w->t - f);
    f = lanes_max(f - lasts(-gap, second - last), e);
    for (int k = 0; k < 2; k++) {
        if (is_pushed(w, movers[k])) {
            body *b = &w->bodies[movers[k]];
            cri_mask later = k ? ~swap : swap;
            b->late = cri_lanes_pick(waits & is_less(b->late, w->t), cri_lanes_pick(later, f, e),
                                     b->late);
        }
    }
}

static inline void note_late(batch *w)
{
    cri_mask any = cri_mask_all(0);
    for (int i = 0; i < w->course->mover_count; i++) {
        w->bodies[i].late = w->t;
        w->bodies[i].struck = cri_mask_all(0);
    }
    for (int i = 0; i < w->point_count; i++) {
        strike(w, &w->points[i]);
    }
    for (int i = 0; i < w->course->mover_count; i++) {
        any = any | w->bodies[i].struck;
    }
    for (int i = 0; i < WAITS * w->patch_count && cri_mask_any(any); i++) {
        wait_for(w, &w->patches[i % w->patch_count]);
    }
    for (int i = 0; i < w->point_count && cri_mask_any(any); i++) {
        end_wait(w, &w->points[i]);
    }
    for (int i = 0; i < w->course->mover_count; i++) {
        body *b = &w->bodies[i];
        b->late = cri_lanes_keep(w->run & is_less(b->late, w->t), b->late * w->rate);
    }
}

// Change the predicted velocities so that the points get what they ask for. Lanes that are not
// fresh have been solved in this piece: their impulses and motions stay what they are.
static inline void solve_patches(batch *w)
{
    w->rate = 1.0f / cri_lanes_pick(w->run, w->t, cri_lanes_all(1));
    leave_out_late(w);
    for (int i = 0; i < w->course->mover_count; i++) {
        make_motion(w, i);
    }
    set_rests(w);
    prepare_patches(w);
    load_motions(w, w->fresh);
    w->energy_free = cri_lanes_pick(w->fresh, kinetic(w), w->energy_free);
    w->energy_max = w->energy_free * GUARD_SHARE + moving_mass(w) * GUARD_SPEED;
    sweep_down(w, w->run & w->fresh);
    for (int i = 0; i < w->patch_count; i++) {
        begin_rounds(&w->patches[i], cri_mask_all(-1));
    }
    go_round(w, w->run & w->fresh, PATCH_ROUNDS_MAX);
    go_on(w);
    guard(w);
    store_motions(w);
    tell_points(w);
    note_met(w);
    for (int i = 0; i < w->course->mover_count; i++) {
        body *b = &w->bodies[i];
        b->touched = b->touched | (b->met & w->run);
    }
    note_late(w);
}

// What is asked of a point after the move, at this speed: not to close by more than the gap that is
// left. One that will bounce is left alone until it does; to be slowed down before would take the
// bounce away.
static inline cri_lanes rest_target(const batch *w, const patch *s, const point *p, cri_lanes speed)
{
    cri_lanes gap = p->gap + p->went, target = lanes_min(-gap * w->rate, cri_lanes_all(0));
    quantity back = manner_of(w, s->meet)->restitution;
    if (is_some(back)) {
        cri_mask bounces = where_some(back) & is_less(cri_lanes_all(0), gap) &
                           is_less(speed, cri_lanes_all(-BOUNCE_MIN));
        target = cri_lanes_pick(bounces, cri_lanes_all(-FAR), target);
    }
    return lanes_max(target, p->target);
}

// What is left of undoing overlaps, this many times what is enough in a round, may stay.
#define RELAX_ENOUGH 4.0f

// Ask the points of a patch anew. Returns the lanes in which they do not have it: a point that
// presses is faster, or another slower.
static inline cri_mask ask_again(batch *w, const patch *s)
{
    cri_mask differs = cri_mask_all(0);
    cri_lanes x[ROWS], enough = s->enough * RELAX_ENOUGH;
    duo d = see_duo(w, s);
    patch_speeds(s, &d, s->ends, x);
    for (int k = s->first; k < s->first + s->count; k++) {
        grip *g = &w->grips[k];
        cri_lanes speed = x[0] + g->u * x[1] + g->v * x[2];
        g->target = rest_target(w, s, &w->points[k], speed);
        cri_mask presses = is_less(cri_lanes_all(0), g->impulse);
        cri_mask more = presses & is_less(g->target + enough, speed);
        differs = differs | (g->on & (more | is_less(speed + enough, g->target)));
    }
    return differs & w->run;
}

// After the move: the same without undoing overlaps, where that makes a difference. What stands
// has its load passed down anew.
static inline void relax_patches(batch *w)
{
    cri_mask anew = cri_mask_all(0), any = anew;
    load_motions(w, cri_mask_all(-1));
    for (int i = 0; i < w->patch_count; i++) {
        patch *s = &w->patches[i];
        begin_rounds(s, ask_again(w, s));
        any = any | s->busy;
        anew = anew | (s->busy & s->swept & s->stands);
    }
    if (cri_mask_any(anew)) {
        sweep_down(w, anew);
        for (int i = 0; i < w->patch_count; i++) {
            w->patches[i].busy = w->patches[i].busy | anew;
        }
    }
    if (cri_mask_any(any)) {
        go_round(w, any, RELAX_ROUNDS);
        undo_gains(w, w->run);
    }
    shed_gains(w);
    store_motions(w);
    tell_points(w);
}

// How far the gaps of points open in this piece, before the bodies move.
static inline void note_way(batch *w)
{
    for (int i = 0; i < w->point_count; i++) {
        point *p = &w->points[i];
        const int *movers = p->meet->movers;
        cri_lanes3 way = cri_lanes3_zero();
        for (int k = 0; k < 2; k++) {
            if (movers[k] >= 0) {
                const body *b = &w->bodies[movers[k]];
                cri_lanes3 lever = cri_lanes3_sub(p->place, b->place);
                cri_lanes3 v =
                    cri_lanes3_add(mean_velocity(b), cri_lanes3_cross(b->next_spin, lever));
                way = cri_lanes3_mad(way, cri_lanes_all(k ? 1 : -1), v);
            }
        }
        p->went = cri_lanes3_dot(way, p->normal) * w->t;
    }
}

#endif
