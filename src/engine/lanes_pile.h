// A whole solve where a body is free: patches, sweep, rounds, the guard of its energy, and what is
// remembered from piece to piece of a step.
#ifndef CRI_LANES_PILE_H
#define CRI_LANES_PILE_H

#include "engine/lanes_sweep.h"

// ---------------------------------------------------------------------------------------------
// Guard: contacts take energy from bodies that move freely, or leave it.

static inline cri_lanes kinetic(const batch *w)
{
    cri_lanes sum = cri_lanes_all(0);
    for (int i = 0; i < w->course->mover_count; i++) {
        const weight *m = weight_of(w, i);
        const cri_class class = w->course->movers[i].class;
        const body *b = &w->bodies[i];
        if (class == CRI_DRIVEN) {
            continue;
        }
        sum = sum + cri_lanes3_dot(b->next_velocity, b->next_velocity) * (0.5f * m->mass);
        for (int k = 0; k < 3 && class == CRI_FREE; k++) {
            cri_lanes about = cri_lanes3_dot(w->hefts[i].axes[k], b->next_spin);
            sum = sum + about * about * (0.5f * m->inertias[k]);
        }
        if (class == CRI_BALL || class == CRI_UPRIGHT) {
            sum = sum + cri_lanes3_dot(b->next_spin, b->next_spin) * (0.5f / m->inverse_inertia);
        }
    }
    return sum;
}

static inline cri_lanes moving_mass(const batch *w)
{
    cri_lanes sum = cri_lanes_all(0);
    for (int i = 0; i < w->course->mover_count; i++) {
        sum = sum + weight_of(w, i)->mass;
    }
    return sum;
}

static inline void note_velocities(batch *w)
{
    for (int i = 0; i < w->course->mover_count; i++) {
        w->rests[i].free_velocity = w->bodies[i].next_velocity;
        w->rests[i].free_spin = w->bodies[i].next_spin;
    }
}

// Back to the velocities noted, in the lanes that have more energy than they may. Returns them.
static inline cri_mask undo_gains(batch *w)
{
    cri_mask wrong = w->run & is_less(w->energy_max, kinetic(w));
    for (int i = 0; i < w->course->mover_count && cri_mask_any(wrong); i++) {
        body *b = &w->bodies[i];
        b->next_velocity = cri_lanes3_pick(wrong, w->rests[i].free_velocity, b->next_velocity);
        b->next_spin = cri_lanes3_pick(wrong, w->rests[i].free_spin, b->next_spin);
    }
    return wrong;
}

// Where the solve gained energy: again from free motion, by rounds alone.
static inline void guard(batch *w)
{
    cri_mask wrong = undo_gains(w);
    if (!cri_mask_any(wrong)) {
        return;
    }
    for (int i = 0; i < w->point_count; i++) {
        grip *g = &w->grips[i];
        g->impulse = cri_lanes_keep(~wrong, g->impulse);
        g->rub[0] = cri_lanes_keep(~wrong, g->rub[0]);
        g->rub[1] = cri_lanes_keep(~wrong, g->rub[1]);
    }
    go_round(w, wrong, GUARD_ROUNDS);
}

// ---------------------------------------------------------------------------------------------
// Memory within a step.

static inline cri_lanes feature_of(const patch *s, const point *p, int number)
{
    return s->meet->kind == CRI_MEET_FREE ? p->feature : cri_lanes_all((float)number);
}

static inline void recall(batch *w, const patch *s)
{
    int meet = (int)(s->meet - w->course->meets);
    const memory *old = &w->memories[meet];
    if (w->pressed[meet] != w->piece - 1) {
        return;
    }
    duo d = load_duo(w, s);
    for (int i = 0; i < s->count; i++) {
        const point *p = &w->points[s->first + i];
        grip *g = &w->grips[s->first + i];
        cri_lanes feature = feature_of(s, p, i), press = cri_lanes_all(0);
        cri_lanes3 drag = cri_lanes3_zero();
        for (int k = 0; k < old->count; k++) {
            cri_mask same = old->on[k] & is_same(old->feature[k], feature);
            press = cri_lanes_pick(same, old->press[k], press);
            drag = cri_lanes3_pick(same, old->drag[k], drag);
        }
        cri_lanes t = cri_lanes_keep(g->on & ~p->bounce & w->run, w->t);
        g->impulse = press * t;
        g->rub[0] = cri_lanes3_dot(drag, s->slide) * t;
        g->rub[1] = cri_lanes3_dot(drag, s->across) * t;
        cri_lanes3 impulse = cri_lanes3_scale(g->impulse, s->normal);
        impulse = cri_lanes3_mad(impulse, g->rub[0], s->slide);
        impulse = cri_lanes3_mad(impulse, g->rub[1], s->across);
        give_to(&d, 1, cri_lanes_all(1), impulse, cri_lanes3_cross(g->lever[1], impulse));
        give_to(&d, 0, cri_lanes_all(-1), impulse, cri_lanes3_cross(g->lever[0], impulse));
    }
    store_duo(w, s, &d);
}

static inline void keep_patches(batch *w)
{
    for (int i = 0; i < w->patch_count; i++) {
        const patch *s = &w->patches[i];
        int meet = (int)(s->meet - w->course->meets);
        memory *m = &w->memories[meet];
        w->pressed[meet] = w->piece;
        m->count = s->count;
        for (int k = 0; k < s->count; k++) {
            const point *p = &w->points[s->first + k];
            const grip *g = &w->grips[s->first + k];
            m->on[k] = g->on & ~p->bounce & w->run;
            m->feature[k] = feature_of(s, p, k);
            cri_lanes rate = cri_lanes_keep(m->on[k], w->rate);
            m->press[k] = g->impulse * rate;
            cri_lanes3 drag = cri_lanes3_scale(g->rub[0] * rate, s->slide);
            m->drag[k] = cri_lanes3_mad(drag, g->rub[1] * rate, s->across);
        }
    }
}

// ---------------------------------------------------------------------------------------------

static inline void prepare_patches(batch *w)
{
    list_patches(w);
    for (int i = 0; i < w->patch_count; i++) {
        lay_patch(w, &w->patches[i]);
        find_lean(w, &w->patches[i]);
    }
    find_levels(w);
    find_carriers(w);
    list_visits(w);
    for (int i = 0; i < w->patch_count; i++) {
        patch *s = &w->patches[i];
        for (int k = s->first; k < s->first + s->count; k++) {
            make_grip(w, s, &w->points[k], &w->grips[k]);
        }
        spread_patch(w, s);
        invert_patch(w, s);
        ask_patch(w, s);
    }
}

static inline void tell_points(batch *w)
{
    for (int i = 0; i < w->point_count; i++) {
        w->points[i].impulse = cri_lanes_keep(w->grips[i].on, w->grips[i].impulse);
    }
}

// Change the predicted velocities so that the points get what they ask for.
static inline void solve_patches(batch *w)
{
    w->rate = 1.0f / cri_lanes_pick(w->run, w->t, cri_lanes_all(1));
    prepare_patches(w);
    set_rests(w);
    note_velocities(w);
    w->energy_max = kinetic(w) * GUARD_SHARE + GUARD_SPEED * moving_mass(w);
    for (int i = 0; i < w->patch_count; i++) {
        recall(w, &w->patches[i]);
    }
    sweep_down(w);
    go_round(w, w->run, PATCH_ROUNDS_MAX);
    guard(w);
    tell_points(w);
    note_met(w);
}

// After the move: the same without undoing overlaps.
static inline void relax_patches(batch *w)
{
    for (int i = 0; i < w->patch_count; i++) {
        const patch *s = &w->patches[i];
        for (int k = s->first; k < s->first + s->count; k++) {
            grip *g = &w->grips[k];
            const point *p = &w->points[k];
            cri_lanes gap = p->gap + p->went;
            cri_lanes target = lanes_min(-gap * w->rate, cri_lanes_all(0));
            g->target = lanes_max(target, p->target);
        }
    }
    note_velocities(w);
    sweep_down(w);
    go_round(w, w->run, RELAX_ROUNDS);
    undo_gains(w);
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
