// What is asked of contact points, and sequential impulses that give it to them, in lanes. See
// meet.c and impulses.c.
//
// A ball's contact point lies straight below its center, so an impulse J along a normal n changes
//
//     velocity by J / m,   spin by -r / I  n x J      (both ends of a contact: n and J turn around)
//
// and an upright body's by J / m in the plane and (lever x J).z / I about z.
#ifndef CRI_LANES_SOLVE_H
#define CRI_LANES_SOLVE_H

#include "engine/lanes_meet.h"

// Rounds end when no impulse of a round changes a speed by more than this: some roundings of the
// speeds at which things collide.
#define ENOUGH 1e-5f // m/s
// Every third round is followed by a leap, of at most so many rounds at once.
#define LEAP     3
#define LEAP_MAX 20.0f
enum { SOLVE_ROUNDS_MAX = 40 };

INLINE cri_lanes3 velocity_at(const batch *w, int mover, cri_lanes3 place, bool next)
{
    if (mover < 0) {
        return cri_lanes3_zero();
    }
    const body *b = &w->bodies[mover];
    cri_lanes3 v = next ? b->next_velocity : b->velocity, s = next ? b->next_spin : b->spin;
    cri_lanes3 lever = cri_lanes3_sub(place, b->place);
    if (w->course->movers[mover].class == CRI_BALL) {
        return cri_lanes3_add(v, cri_lanes3_cross(s, lever));
    }
    v.x = v.x - s.z * lever.y;
    v.y = v.y + s.z * lever.x;
    return v;
}

// Of a plain meet. Both balls' spins add up where they touch:
// slip = v2 - v1 - (r1 w1 + r2 w2) x n.
INLINE cri_lanes3 plain_slip(const batch *w, const point *p, bool next)
{
    const int *movers = p->meet->movers;
    const body *ball = &w->bodies[movers[1]];
    float radius = w->course->movers[movers[1]].radius;
    cri_lanes3 v = next ? ball->next_velocity : ball->velocity;
    cri_lanes3 turn = cri_lanes3_scale(cri_lanes_all(radius), next ? ball->next_spin : ball->spin);
    if (p->meet->kind == CRI_MEET_BALLS) {
        const body *other = &w->bodies[movers[0]];
        radius = w->course->movers[movers[0]].radius;
        v = cri_lanes3_sub(v, next ? other->next_velocity : other->velocity);
        turn = cri_lanes3_mad(turn, cri_lanes_all(radius), next ? other->next_spin : other->spin);
    } else if (movers[0] >= 0) {
        v = cri_lanes3_sub(v, p->surface);
    }
    return cri_lanes3_sub(v, cri_lanes3_cross(turn, p->normal));
}

static inline cri_lanes3 tied_slip(const batch *w, const point *p, bool next)
{
    return cri_lanes3_sub(velocity_at(w, p->meet->movers[1], p->place, next),
                          velocity_at(w, p->meet->movers[0], p->place, next));
}

INLINE cri_lanes3 slip_of(const batch *w, const point *p, bool next)
{
    return p->meet->plain ? plain_slip(w, p, next) : tied_slip(w, p, next);
}

// ---------------------------------------------------------------------------------------------
// Asking.

// Speed of separation that undoes an overlap, or lets a gap close and no more.
static inline cri_lanes gap_target(const batch *w, cri_lanes gap)
{
    cri_lanes zero = cri_lanes_all(0), t = cri_lanes_pick(w->run, w->t, cri_lanes_all(1));
    cri_lanes apart =
        lanes_min((-gap - SLOP) * (OVERLAP_SHARE / w->course->h), cri_lanes_all(PUSH_OUT_MAX));
    return cri_lanes_pick(is_less(gap, zero), lanes_max(apart, zero), -gap / t);
}

static inline cri_mask bounces(const batch *w, const point *p, cri_lanes closing, cri_lanes fastest)
{
    cri_mask there = is_less(p->gap, cri_lanes_all(1.5f * IMPACT_GAP));
    if (p->meet->restitution > 0) {
        there = there | is_less(p->gap + fastest * w->t, cri_lanes_all(0));
    }
    return there & is_less(closing, cri_lanes_all(-BOUNCE_MIN));
}

// The part of v across the normal as a unit vector; any such vector where v has next to none.
static inline cri_lanes3 unit_across(cri_lanes3 v, cri_lanes3 n, cri_lanes least)
{
    cri_lanes one = cri_lanes_all(1), zero = cri_lanes_all(0);
    cri_mask flat = is_less(cri_lanes_abs(n.x), cri_lanes_all(0.7f));
    cri_lanes3 aside = {cri_lanes_keep(flat, one), cri_lanes_keep(~flat, one), zero};
    cri_lanes3 side = cri_lanes3_cross(n, aside);
    cri_lanes3 slip = cri_lanes3_mad(v, -cri_lanes3_dot(v, n), n);
    cri_mask clear = is_less(least, cri_lanes3_length(slip));
    slip = cri_lanes3_pick(clear, slip, side);
    cri_lanes length = cri_lanes3_length(slip);
    length = cri_lanes_pick(is_less(zero, length), length, one);
    slip = cri_lanes3_scale(one / length, slip);
    // Where the slip is small against the speed of closing, rounding has tilted it.
    return cri_lanes3_mad(slip, -cri_lanes3_dot(slip, n), n);
}

// A grain lays the directions of friction: one coefficient along it, one across.
static inline void follow_grain(const batch *w, point *p)
{
    const cri_meet *m = p->meet;
    cri_lanes3 g = {cri_lanes_all(m->grain[0]), cri_lanes_all(m->grain[1]),
                    cri_lanes_all(m->grain[2])};
    int mover = m->movers[m->grain_side];
    if (mover >= 0) {
        const body *b = &w->bodies[mover];
        g = cri_lanes3_of(b->cos * g.x - b->sin * g.y, b->sin * g.x + b->cos * g.y, g.z);
    }
    cri_lanes3 level = cri_lanes3_mad(g, -cri_lanes3_dot(g, p->normal), p->normal);
    cri_mask laid = is_less(cri_lanes_all(1e-3f), cri_lanes3_length(level));
    p->slide = cri_lanes3_pick(laid, unit_across(g, p->normal, cri_lanes_all(1e-3f)), p->slide);
    p->friction = cri_lanes_pick(laid, cri_lanes_all(m->along), p->friction);
}

// The speed along `two` that a unit of impulse along `one` makes; uprights only.
static inline cri_lanes tied_mobility(const batch *w, const point *p, cri_lanes3 one,
                                      cri_lanes3 two)
{
    cri_lanes sum = cri_lanes_all(0);
    for (int i = 0; i < 2; i++) {
        int mover = p->meet->movers[i];
        if (mover < 0 || w->course->movers[mover].class != CRI_UPRIGHT) {
            continue;
        }
        const cri_mover *m = &w->course->movers[mover];
        cri_lanes3 lever = cri_lanes3_sub(p->place, w->bodies[mover].place);
        sum = sum + (one.x * two.x + one.y * two.y) * m->inverse_mass +
              (lever.x * one.y - lever.y * one.x) * (lever.x * two.y - lever.y * two.x) *
                  m->inverse_inertia;
    }
    return sum;
}

static inline void set_yield(const batch *w, point *p, int row, cri_lanes3 along)
{
    float balls = row > 0 ? p->meet->cross_mobility : p->meet->mobility;
    p->impulse[row] = cri_lanes_all(0);
    p->mobility[row] = cri_lanes_all(balls);
    if (p->meet->plain) {
        p->yield[row] = cri_lanes_all(1 / balls);
        return;
    }
    cri_lanes m = p->mobility[row] = p->mobility[row] + tied_mobility(w, p, along, along);
    cri_mask moves = is_less(cri_lanes_all(1e-9f), m);
    p->yield[row] = cri_lanes_keep(moves, cri_lanes_all(1) / cri_lanes_pick(moves, m, m + 1.0f));
}

static inline bool has_friction(const cri_meet *m)
{
    return m->friction > 0 || m->static_friction > 0 || (m->grained && m->along > 0);
}

static inline void ask_friction(const batch *w, point *p, cri_lanes3 now, cri_lanes3 next)
{
    const cri_meet *m = p->meet;
    cri_lanes closing = cri_lanes3_dot(now, p->normal);
    cri_lanes speed = cri_lanes_abs(cri_lanes3_dot(next, p->normal));
    cri_lanes3 slip = cri_lanes3_mad(now, -closing, p->normal);
    cri_mask sticks = is_less(cri_lanes3_dot(slip, slip), cri_lanes_all(STICK_SPEED * STICK_SPEED));
    p->slide = unit_across(next, p->normal, speed * 1e-6f + 1e-6f);
    p->friction =
        cri_lanes_pick(sticks, cri_lanes_all(m->static_friction), cri_lanes_all(m->friction));
    p->cross_friction = p->friction;
    if (m->grained) {
        follow_grain(w, p);
    }
    p->across = cri_lanes3_cross(p->normal, p->slide);
    cri_lanes least = cri_lanes_all(1e-9f);
    p->friction = 1.0f / lanes_max(p->friction, least);
    p->cross_friction = 1.0f / lanes_max(p->cross_friction, least);
    set_yield(w, p, 1, p->slide);
    set_yield(w, p, 2, p->across);
    if (!m->plain) {
        p->tie[0] = tied_mobility(w, p, p->normal, p->slide);
        p->tie[1] = tied_mobility(w, p, p->normal, p->across);
    }
}

static inline void ask(const batch *w, point *p)
{
    if (p->meet->plain) {
        p->surface = velocity_at(w, p->meet->movers[0], p->place, true);
    }
    cri_lanes3 now = slip_of(w, p, false), next = slip_of(w, p, true);
    cri_lanes closing = cri_lanes3_dot(now, p->normal);
    cri_lanes next_closing = cri_lanes3_dot(next, p->normal);
    p->target = gap_target(w, p->gap);
    // The impact comes first, then forces act for the rest of the piece.
    cri_lanes back = (next_closing - closing) - closing * p->meet->restitution;
    cri_mask bounce = bounces(w, p, closing, lanes_min(closing, next_closing));
    p->target = cri_lanes_pick(bounce, lanes_max(p->target, back), p->target);
    set_yield(w, p, 0, p->normal);
    if (has_friction(p->meet)) {
        ask_friction(w, p, now, next);
    }
}

// ---------------------------------------------------------------------------------------------
// Giving.

INLINE void push_ball(body *b, const cri_mover *m, float sign, cri_lanes3 impulse, cri_lanes3 turn)
{
    b->next_velocity =
        cri_lanes3_mad(b->next_velocity, cri_lanes_all(sign * m->inverse_mass), impulse);
    b->next_spin =
        cri_lanes3_mad(b->next_spin, cri_lanes_all(-m->radius * m->inverse_inertia), turn);
}

INLINE void push_upright(body *b, const cri_mover *m, float sign, cri_lanes3 impulse,
                         cri_lanes3 place)
{
    float share = sign * m->inverse_mass;
    cri_lanes3 lever = cri_lanes3_sub(place, b->place);
    b->next_velocity.x = b->next_velocity.x + impulse.x * share;
    b->next_velocity.y = b->next_velocity.y + impulse.y * share;
    b->next_spin.z =
        b->next_spin.z + (lever.x * impulse.y - lever.y * impulse.x) * (sign * m->inverse_inertia);
}

// Let both bodies feel the change of a point's impulse.
INLINE void push(batch *w, const point *p)
{
    cri_lanes3 impulse = cri_lanes3_scale(p->change[0], p->normal), turn = cri_lanes3_zero();
    if (has_friction(p->meet)) {
        impulse = cri_lanes3_mad(impulse, p->change[1], p->slide);
        impulse = cri_lanes3_mad(impulse, p->change[2], p->across);
        // normal x slide = across, normal x across = -slide
        turn = cri_lanes3_mad(cri_lanes3_scale(p->change[1], p->across), -p->change[2], p->slide);
    }
    for (int i = 0; i < 2; i++) {
        int mover = p->meet->movers[i];
        const cri_mover *m = &w->course->movers[mover];
        if (mover >= 0 && m->class == CRI_BALL) {
            push_ball(&w->bodies[mover], m, i ? 1 : -1, impulse, turn);
        } else if (mover >= 0 && m->class == CRI_UPRIGHT) {
            push_upright(&w->bodies[mover], m, i ? 1 : -1, impulse, p->place);
        }
    }
}

// The changes of a point's impulse that its slip asks for; the point has them then.
INLINE void press(point *p, cri_lanes speed, cri_mask lanes)
{
    cri_lanes impulse =
        lanes_max(p->impulse[0] + (p->target - speed) * p->yield[0], cri_lanes_all(0));
    p->change[0] = cri_lanes_keep(lanes, impulse - p->impulse[0]);
    p->impulse[0] = p->impulse[0] + p->change[0];
}

INLINE void rub(point *p, cri_lanes slide, cri_lanes across, cri_mask lanes)
{
    cri_lanes one = p->impulse[1] - slide * p->yield[1];
    cri_lanes two = p->impulse[2] - across * p->yield[2];
    cri_lanes x = one * p->friction, y = two * p->cross_friction;
    cri_lanes length = cri_lanes_sqrt(x * x + y * y), most = p->impulse[0];
    cri_mask slips = is_less(most, length);
    cri_lanes share = cri_lanes_pick(slips, most / cri_lanes_pick(slips, length, cri_lanes_all(1)),
                                     cri_lanes_all(1));
    p->change[1] = cri_lanes_keep(lanes, one * share - p->impulse[1]);
    p->change[2] = cri_lanes_keep(lanes, two * share - p->impulse[2]);
    p->impulse[1] = p->impulse[1] + p->change[1];
    p->impulse[2] = p->impulse[2] + p->change[2];
}

// One visit of a point, in some lanes. Returns the largest change of a speed.
static inline cri_lanes visit(batch *w, point *p, cri_mask lanes)
{
    cri_lanes3 slip = slip_of(w, p, true);
    press(p, cri_lanes3_dot(slip, p->normal), lanes);
    cri_lanes change = cri_lanes_abs(p->change[0]) * p->mobility[0];
    if (has_friction(p->meet)) {
        cri_lanes slide = cri_lanes3_dot(slip, p->slide), across = cri_lanes3_dot(slip, p->across);
        if (!p->meet->plain) {
            slide = slide + p->change[0] * p->tie[0];
            across = across + p->change[0] * p->tie[1];
        }
        rub(p, slide, across, lanes);
        cri_lanes more = lanes_max(cri_lanes_abs(p->change[1]), cri_lanes_abs(p->change[2]));
        change = lanes_max(change, more * p->mobility[1]);
    }
    push(w, p);
    return change;
}

static inline bool is_pushed(const batch *w, int mover)
{
    return mover >= 0 && w->course->movers[mover].class != CRI_DRIVEN;
}

static inline void count_points(batch *w)
{
    for (int i = 0; i < w->course->mover_count; i++) {
        w->bodies[i].solved = w->bodies[i].crowded = cri_mask_all(0);
    }
    for (int i = 0; i < w->point_count; i++) {
        const point *p = &w->points[i];
        for (int k = 0; k < 2; k++) {
            if (is_pushed(w, p->meet->movers[k])) {
                body *b = &w->bodies[p->meet->movers[k]];
                b->crowded = b->crowded | (p->solve & b->solved);
                b->solved = b->solved | p->solve;
            }
        }
    }
}

// The lanes in which a point needs more than one round: others share a body with it, or an upright
// takes part, whose turning ties normal and friction.
static inline void find_ties(batch *w)
{
    count_points(w);
    for (int i = 0; i < w->point_count; i++) {
        point *p = &w->points[i];
        cri_mask tied = cri_mask_all(p->meet->plain ? 0 : -1);
        for (int k = 0; k < 2; k++) {
            if (is_pushed(w, p->meet->movers[k])) {
                tied = tied | w->bodies[p->meet->movers[k]].crowded;
            }
        }
        p->tied = p->solve & tied;
    }
}

// One round in the lanes given. Returns the largest change of a speed.
static inline cri_lanes visit_all(batch *w, cri_mask lanes, bool first)
{
    cri_lanes moved = cri_lanes_all(0);
    for (int i = 0; i < w->point_count; i++) {
        point *p = &w->points[i];
        cri_mask mine = lanes & (first ? p->solve : p->tied);
        if (cri_mask_any(mine)) {
            moved = lanes_max(moved, cri_lanes_keep(p->tied, visit(w, p, mine)));
        }
    }
    return moved;
}

// Changes shrink by the same share from round to round, by little where a ball is jammed between
// heavy robots: take what the rounds to come would add at once. The next round sets right what
// goes too far.
static inline void leap(batch *w, cri_mask lanes, cri_lanes moved, cri_lanes moved_before)
{
    cri_lanes one = cri_lanes_all(1), least = cri_lanes_all(1e-9f);
    cri_lanes ratio = moved / lanes_max(moved_before, least);
    cri_mask shrinks = lanes & is_less(ratio, one);
    cri_lanes rest = ratio / cri_lanes_pick(shrinks, one - ratio, one);
    rest = cri_lanes_keep(shrinks, lanes_min(rest, cri_lanes_all(LEAP_MAX)));
    for (int i = 0; i < w->point_count; i++) {
        point *p = &w->points[i];
        if (!cri_mask_any(shrinks & p->tied)) {
            continue;
        }
        for (int k = 0; k < (has_friction(p->meet) ? 3 : 1); k++) {
            p->change[k] = cri_lanes_keep(p->tied, p->change[k] * rest);
        }
        p->change[0] = lanes_max(p->change[0], -p->impulse[0]);
        for (int k = 0; k < (has_friction(p->meet) ? 3 : 1); k++) {
            p->impulse[k] = p->impulse[k] + p->change[k];
        }
        push(w, p);
    }
}

static inline void solve_rounds(batch *w)
{
    cri_mask busy = w->run;
    cri_lanes moved_before = cri_lanes_all(0);
    find_ties(w);
    for (int round = 0; round < SOLVE_ROUNDS_MAX && cri_mask_any(busy); round++) {
        cri_lanes moved = visit_all(w, busy, round == 0);
        busy = busy & is_less(cri_lanes_all(ENOUGH), moved);
        if (round % LEAP == LEAP - 1) {
            leap(w, busy, moved, moved_before);
        }
        moved_before = moved;
    }
}

// ---------------------------------------------------------------------------------------------
// Rolling and spinning resistance: see roll.c.

// The change of spin that a torque impulse of at most `most` makes; it only brakes.
static inline cri_lanes3 brake(cri_lanes3 spin, cri_lanes most)
{
    cri_lanes one = cri_lanes_all(1), rate = cri_lanes3_length(spin);
    cri_mask stops = ~is_less(most, rate);
    cri_lanes share = cri_lanes_pick(stops, one, most / cri_lanes_pick(stops, one, rate));
    return cri_lanes3_scale(-share, spin);
}

static inline void resist(batch *w, const point *p, int side)
{
    const cri_mover *m = &w->course->movers[p->meet->movers[side]];
    body *ball = &w->bodies[p->meet->movers[side]];
    int other = p->meet->movers[1 - side];
    cri_lanes3 spin = ball->next_spin;
    if (other >= 0) {
        spin = cri_lanes3_sub(spin, w->bodies[other].next_spin);
    }
    cri_lanes3 about = cri_lanes3_scale(cri_lanes3_dot(spin, p->normal), p->normal);
    cri_lanes3 roll = cri_lanes3_sub(spin, about);
    float lever = m->radius * (1 + m->inertia * m->inverse_mass / (m->radius * m->radius));
    cri_lanes load = p->impulse[0] * m->inverse_inertia;
    cri_lanes3 change = brake(roll, load * (p->meet->rolling * lever));
    change = cri_lanes3_add(change, brake(about, load * (p->meet->spinning * m->radius)));
    cri_mask loaded = p->solve & is_less(cri_lanes_all(0), p->impulse[0]);
    ball->next_spin =
        cri_lanes3_pick(loaded, cri_lanes3_add(ball->next_spin, change), ball->next_spin);
}

static inline void resist_rolling(batch *w)
{
    for (int i = 0; i < w->point_count; i++) {
        const point *p = &w->points[i];
        for (int side = 0; side < 2; side++) {
            if ((p->meet->rolling > 0 || p->meet->spinning > 0) &&
                is_ball(w, p->meet->movers[side])) {
                resist(w, p, side);
            }
        }
    }
}

// ---------------------------------------------------------------------------------------------

static inline void note_met(batch *w)
{
    for (int i = 0; i < w->point_count; i++) {
        const point *p = &w->points[i];
        cri_mask pushed = p->solve & is_less(cri_lanes_all(0), p->impulse[0]);
        for (int k = 0; k < 2; k++) {
            if (p->meet->movers[k] >= 0) {
                body *b = &w->bodies[p->meet->movers[k]];
                b->met = b->met | pushed;
            }
        }
    }
}

// Change the predicted velocities so that the points get what they ask for.
static inline void solve(batch *w)
{
    for (int i = 0; i < w->point_count; i++) {
        ask(w, &w->points[i]);
    }
    solve_rounds(w);
    resist_rolling(w);
    note_met(w);
}

// The first time in the piece at which a point with a wide gap closes and bounces, or t.
static inline cri_lanes first_bounce(const batch *w)
{
    cri_lanes first = w->t;
    cri_mask may_cut = is_less(w->cuts, cri_lanes_all(BOUNCE_CUTS_MAX));
    for (int i = 0; i < w->point_count; i++) {
        const point *p = &w->points[i];
        if (p->meet->kind != CRI_MEET_FLAT || p->meet->silent) {
            continue;
        }
        cri_lanes closing = closing_of(w, p, false);
        cri_lanes fastest = lanes_min(closing, closing_of(w, p, true));
        cri_mask lanes = may_cut & p->solve & is_less(cri_lanes_all(MARGIN), p->gap) &
                         bounces(w, p, closing, fastest);
        cri_lanes meet = (p->gap - IMPACT_GAP) / cri_lanes_pick(lanes, -fastest, cri_lanes_all(1));
        first = cri_lanes_pick(lanes, lanes_min(first, meet), first);
    }
    return first;
}

#endif
