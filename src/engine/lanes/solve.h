// What is asked of contact points, and sequential impulses that give it to them, in lanes. See
// contact_kernel.h for the formulas.
//
// A ball's contact point lies straight below its center, so an impulse J along a normal n changes
//
//     velocity by J / m,   spin by -r / I  n x J      (both ends of a contact: n and J turn around)
//
// and an upright body's by J / m in the plane and (lever x J).z / I about z.
#ifndef CRI_LANES_SOLVE_H
#define CRI_LANES_SOLVE_H

#include "engine/lanes/meet.h"

// Passes end when no impulse changes a speed by more than this: 0.4 um in a substep of 1/240 s, no
// more than floats resolve of a gap.
#define ENOUGH 1e-4f // m/s
// Every third pass is followed by a leap, of at most so many passes at once.
#define LEAP     3
#define LEAP_MAX 20.0f
enum { SOLVE_PASSES_MAX = 40 };

INLINE cri_lanes3 velocity_at(const batch *w, int mover, cri_lanes3 place, bool next)
{
    if (mover < 0) {
        return cri_lanes3_zero();
    }
    const body *b = &w->bodies[mover];
    cri_lanes3 v = next ? b->next_velocity : b->velocity, s = next ? b->next_spin : b->spin;
    cri_lanes3 lever = cri_lanes3_sub(place, b->place);
    if (w->course->movers[mover].class >= CRI_BALL) { // or free
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

// Of another meet: the velocity of one side, as velocity_at.
INLINE cri_lanes3 tied_velocity(const point *p, int side, bool next)
{
    const body *b = p->ends[side];
    if (!b) {
        return cri_lanes3_zero();
    }
    const cri_lanes3 *lever = &p->levers[side];
    cri_lanes3 v = next ? b->next_velocity : b->velocity, s = next ? b->next_spin : b->spin;
    if (p->meet->classes[side] == CRI_BALL) {
        return cri_lanes3_add(v, cri_lanes3_cross(s, *lever));
    }
    v.x = v.x - s.z * lever->y;
    v.y = v.y + s.z * lever->x;
    return v;
}

INLINE cri_lanes3 tied_slip(const point *p, bool next)
{
    return cri_lanes3_sub(tied_velocity(p, 1, next), tied_velocity(p, 0, next));
}

static inline void find_ends(const batch *w, point *p)
{
    for (int i = 0; i < 2; i++) {
        int mover = p->meet->movers[i];
        p->ends[i] = mover < 0 ? NULL : &w->bodies[mover];
        if (p->ends[i]) {
            p->levers[i] = cri_lanes3_sub(p->place, p->ends[i]->place);
        }
    }
}

INLINE cri_lanes3 slip_of(const batch *w, const point *p, bool next)
{
    return p->meet->plain ? plain_slip(w, p, next) : tied_slip(p, next);
}

// ---------------------------------------------------------------------------------------------
// Asking.

static inline cri_mask will_bounce(const batch *w, const point *p, cri_lanes closing,
                                   cri_lanes fastest)
{
    quantity back = manner_of(w, p->meet)->restitution;
    cri_mask springs = cri_mask_all(0);
    if (is_some(back)) {
        springs = where_some(back) & shuts(p->gap, fastest, w->t);
    }
    return bounces(p->gap, closing, springs);
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

// A direction in a mover's frame, in the world.
static inline cri_lanes3 in_world(const batch *w, int mover, cri_lanes3 g)
{
    const body *b = &w->bodies[mover];
    if (is_free(w, mover)) {
        const cri_lanes3 *axes = w->hefts[mover].axes;
        cri_lanes3 v = cri_lanes3_mad(cri_lanes3_scale(g.x, axes[0]), g.y, axes[1]);
        return cri_lanes3_mad(v, g.z, axes[2]);
    }
    return cri_lanes3_of(b->cos * g.x - b->sin * g.y, b->sin * g.x + b->cos * g.y, g.z);
}

// A grain lays the directions of friction: one coefficient along it, one across.
static inline void follow_grain(const batch *w, point *p)
{
    const cri_meet *m = p->meet;
    cri_lanes3 g = {cri_lanes_all(m->grain[0]), cri_lanes_all(m->grain[1]),
                    cri_lanes_all(m->grain[2])};
    int mover = m->movers[m->grain_side];
    if (mover >= 0) {
        g = in_world(w, mover, g);
    }
    cri_lanes3 level = cri_lanes3_mad(g, -cri_lanes3_dot(g, p->normal), p->normal);
    cri_mask laid = is_less(cri_lanes_all(GRAIN_MIN), cri_lanes3_length(level));
    p->slide = cri_lanes3_pick(laid, unit_across(g, p->normal, cri_lanes_all(GRAIN_MIN)), p->slide);
    p->grip[0] = cri_lanes_pick(laid, in_lanes(manner_of(w, m)->along), p->grip[0]);
}

// Three directions and the arms of impulses along them about an upright's axis.
typedef struct grip_frame {
    cri_lanes3 along[3];
    cri_lanes arm[3];
} grip_frame;

// The speed along j that a unit of impulse along i makes.
INLINE cri_lanes upright_mobility(const weight *m, const grip_frame *f, int i, int j)
{
    const cri_lanes3 *one = &f->along[i], *two = &f->along[j];
    return (one->x * two->x + one->y * two->y) * m->inverse_mass +
           f->arm[i] * f->arm[j] * m->inverse_inertia;
}

// The speed that a unit of impulse makes along and across the normal, as far as balls make it.
INLINE void ball_mobility(const batch *w, const cri_meet *m, cri_lanes *along, cri_lanes *across)
{
#ifdef OWN_NUMBERS
    *along = *across = cri_lanes_all(0);
    for (int i = 0; i < 2; i++) {
        if (is_ball(w, m->movers[i])) {
            *along = *along + weight_of(w, m->movers[i])->inverse_mass;
            *across = *across + weight_of(w, m->movers[i])->cross_mobility;
        }
    }
#else
    (void)w;
    *along = cri_lanes_all(m->mobility);
    *across = cri_lanes_all(m->cross_mobility);
#endif
}

// Mobilities, their inverses and what ties friction to the normal. Balls make the same speed along
// all directions but the normal.
static inline void set_mobilities(const batch *w, point *p)
{
    grip_frame f = {.along = {p->normal, p->slide, p->across}};
    ball_mobility(w, p->meet, &p->mobility[0], &p->mobility[1]);
    p->mobility[2] = p->mobility[1];
    p->tie[0] = p->tie[1] = cri_lanes_all(0);
    for (int i = 0; i < 2; i++) {
        if (p->meet->classes[i] != CRI_UPRIGHT) {
            continue;
        }
        const weight *m = weight_of(w, p->meet->movers[i]);
        const cri_lanes3 *lever = &p->levers[i];
        for (int k = 0; k < 3; k++) {
            f.arm[k] = lever->x * f.along[k].y - lever->y * f.along[k].x;
            p->mobility[k] = p->mobility[k] + upright_mobility(m, &f, k, k);
        }
        p->tie[0] = p->tie[0] + upright_mobility(m, &f, 0, 1);
        p->tie[1] = p->tie[1] + upright_mobility(m, &f, 0, 2);
    }
    for (int k = 0; k < 3; k++) {
        cri_lanes m = p->mobility[k];
        cri_mask moves = is_less(cri_lanes_all(1e-9f), m);
        p->yield[k] = cri_lanes_keep(moves, cri_lanes_all(1) / cri_lanes_pick(moves, m, m + 1.0f));
    }
}

// The coefficient that holds at this slip.
static inline cri_lanes friction_of(const manner *m, const point *p, cri_lanes3 slip,
                                    cri_lanes closing)
{
    cri_lanes3 level = cri_lanes3_mad(slip, -closing, p->normal);
    return holding(level, in_lanes(m->static_friction), in_lanes(m->friction));
}

// Directions of friction for points that are not plain.
static inline void lay_out_friction(const batch *w, point *p, cri_lanes3 next)
{
    cri_lanes speed = cri_lanes_abs(cri_lanes3_dot(next, p->normal)), least = cri_lanes_all(1e-9f);
    p->slide = unit_across(next, p->normal, speed * 1e-6f + 1e-6f);
    p->grip[0] = p->grip[1] = p->friction;
    if (p->meet->grained) {
        follow_grain(w, p);
    }
    p->across = cri_lanes3_cross(p->normal, p->slide);
    set_mobilities(w, p);
    for (int i = 0; i < 2; i++) {
        p->grip[i] = 1.0f / lanes_max(p->grip[i], least);
        p->rub[i] = p->rubbed[i] = cri_lanes_all(0);
    }
}

#ifdef OWN_NUMBERS

static inline void set_plain_mobility(const batch *w, point *p)
{
    ball_mobility(w, p->meet, &p->mobility[0], &p->mobility[1]);
    p->yield[0] = 1.0f / p->mobility[0];
    p->yield[1] = 1.0f / p->mobility[1];
}

// Of a plain meet, along the normal (0) and across it (1).
static inline quantity plain_mobility(const point *p, int across)
{
    return p->mobility[across];
}

static inline quantity plain_yield(const point *p, int across)
{
    return p->yield[across];
}

#else

static inline void set_plain_mobility(const batch *w, point *p)
{
    (void)w, (void)p; // the course knows it
}

static inline quantity plain_mobility(const point *p, int across)
{
    return across ? p->meet->cross_mobility : p->meet->mobility;
}

static inline quantity plain_yield(const point *p, int across)
{
    return across ? p->meet->cross_yield : p->meet->yield;
}

#endif

INLINE void ask(const batch *w, point *p)
{
    const manner *how = manner_of(w, p->meet);
    if (p->meet->plain && p->meet->movers[0] >= 0) {
        p->surface = velocity_at(w, p->meet->movers[0], p->place, true);
    }
    if (!p->meet->plain) {
        find_ends(w, p);
    }
    cri_lanes3 now = slip_of(w, p, false), next = slip_of(w, p, true);
    cri_lanes closing = cri_lanes3_dot(now, p->normal);
    cri_lanes next_closing = cri_lanes3_dot(next, p->normal);
    cri_lanes undo = cri_lanes_all(OVERLAP_SHARE / w->course->h);
    p->target = gap_target(p->gap, w->rate, REAL(SLOP), undo, REAL(PUSH_OUT_MAX));
    // The impact comes first, then forces act for the rest of the piece.
    cri_lanes back = rebound(closing, next_closing - closing, in_lanes(how->restitution));
    cri_mask bounce = will_bounce(w, p, closing, lanes_min(closing, next_closing));
    p->bounce = bounce;
    p->target = cri_lanes_pick(bounce, lanes_max(p->target, back), p->target);
    p->impulse = cri_lanes_all(0);
    p->drag = cri_lanes3_zero();
    p->friction = friction_of(how, p, now, closing);
    if (p->meet->plain) {
        set_plain_mobility(w, p);
    } else {
        lay_out_friction(w, p, next);
    }
}

// ---------------------------------------------------------------------------------------------
// Giving.

INLINE void push_ball(batch *w, int mover, float sign, cri_lanes3 impulse, cri_lanes3 turn)
{
    const weight *m = weight_of(w, mover);
    body *b = &w->bodies[mover];
    float radius = w->course->movers[mover].radius;
    b->next_velocity = cri_lanes3_mad(b->next_velocity, in_lanes(sign * m->inverse_mass), impulse);
    b->next_spin = cri_lanes3_mad(b->next_spin, in_lanes(-radius * m->inverse_inertia), turn);
}

INLINE void push_upright(body *b, const weight *m, float sign, cri_lanes3 impulse,
                         const cri_lanes3 *lever)
{
    quantity share = sign * m->inverse_mass;
    b->next_velocity.x = b->next_velocity.x + impulse.x * share;
    b->next_velocity.y = b->next_velocity.y + impulse.y * share;
    b->next_spin.z = b->next_spin.z +
                     (lever->x * impulse.y - lever->y * impulse.x) * (sign * m->inverse_inertia);
}

// Along the normal.
INLINE void press(point *p, cri_lanes speed, cri_lanes yield, cri_mask lanes)
{
    cri_lanes impulse = normal_impulse(p->impulse, p->target - speed, yield);
    p->change = cri_lanes_keep(lanes, impulse - p->impulse);
    p->impulse = p->impulse + p->change;
}

// Let the balls feel the changes of a point's impulses.
INLINE void push_plain(batch *w, const point *p)
{
    const int *movers = p->meet->movers;
    cri_lanes3 impulse = cri_lanes3_mad(p->dragged, p->change, p->normal);
    cri_lanes3 turn = cri_lanes3_cross(p->normal, p->dragged);
    push_ball(w, movers[1], 1, impulse, turn);
    if (p->meet->kind == CRI_MEET_BALLS) {
        push_ball(w, movers[0], -1, impulse, turn);
    }
}

// One visit of a point, in some lanes. In a plain meet the impulse along the normal changes no slip
// across it.
static inline void visit_plain(batch *w, point *p, cri_mask lanes)
{
    cri_lanes3 slip = plain_slip(w, p, true);
    cri_lanes speed = cri_lanes3_dot(slip, p->normal);
    press(p, speed, in_lanes(plain_yield(p, 0)), lanes);
    cri_lanes3 level = cri_lanes3_mad(slip, -speed, p->normal);
    cri_lanes3 drag = cri_lanes3_mad(p->drag, in_lanes(-plain_yield(p, 1)), level);
    cri_lanes share = share_of(p->friction * p->impulse, cri_lanes3_length(drag));
    p->dragged = cri_lanes3_keep(lanes, cri_lanes3_sub(cri_lanes3_scale(share, drag), p->drag));
    p->drag = cri_lanes3_add(p->drag, p->dragged);
    push_plain(w, p);
}

// The same where directions differ.
static inline void push_tied(batch *w, const point *p)
{
    cri_lanes3 impulse = cri_lanes3_scale(p->change, p->normal);
    impulse = cri_lanes3_mad(impulse, p->rubbed[0], p->slide);
    impulse = cri_lanes3_mad(impulse, p->rubbed[1], p->across);
    // normal x slide = across, normal x across = -slide
    cri_lanes3 turn =
        cri_lanes3_mad(cri_lanes3_scale(p->rubbed[0], p->across), -p->rubbed[1], p->slide);
    for (int i = 0; i < 2; i++) {
        int mover = p->meet->movers[i];
        if (p->meet->classes[i] == CRI_BALL) {
            push_ball(w, mover, i ? 1 : -1, impulse, turn);
        } else if (p->meet->classes[i] == CRI_UPRIGHT) {
            push_upright(p->ends[i], weight_of(w, mover), i ? 1 : -1, impulse, &p->levers[i]);
        }
    }
}

static inline void visit_tied(batch *w, point *p, cri_mask lanes)
{
    cri_lanes3 slip = tied_slip(p, true);
    press(p, cri_lanes3_dot(slip, p->normal), p->yield[0], lanes);
    cri_lanes slide = cri_lanes3_dot(slip, p->slide) + p->change * p->tie[0];
    cri_lanes across = cri_lanes3_dot(slip, p->across) + p->change * p->tie[1];
    slide = p->rub[0] - slide * p->yield[1];
    across = p->rub[1] - across * p->yield[2];
    cri_lanes x = slide * p->grip[0], y = across * p->grip[1];
    cri_lanes share = cone_share(p->impulse, x, y);
    p->rubbed[0] = cri_lanes_keep(lanes, slide * share - p->rub[0]);
    p->rubbed[1] = cri_lanes_keep(lanes, across * share - p->rub[1]);
    p->rub[0] = p->rub[0] + p->rubbed[0];
    p->rub[1] = p->rub[1] + p->rubbed[1];
    push_tied(w, p);
}

// The largest change of a speed by the last visit.
static inline cri_lanes change_of(const point *p)
{
    if (p->meet->plain) {
        cri_lanes most = lanes_max(cri_lanes_abs(p->dragged.x), cri_lanes_abs(p->dragged.y));
        most = lanes_max(most, cri_lanes_abs(p->dragged.z)) * plain_mobility(p, 1);
        return lanes_max(cri_lanes_abs(p->change) * plain_mobility(p, 0), most);
    }
    cri_lanes most = lanes_max(cri_lanes_abs(p->rubbed[0]), cri_lanes_abs(p->rubbed[1]));
    return lanes_max(cri_lanes_abs(p->change) * p->mobility[0], most * p->mobility[1]);
}

static inline bool is_pushed(const batch *w, int mover)
{
    return mover >= 0 && w->course->movers[mover].class != CRI_DRIVEN;
}

static inline bool pushes_side(const cri_meet *m, int side)
{
    return m->classes[side] > CRI_DRIVEN;
}

static inline void count_points(batch *w)
{
    for (int i = 0; i < w->course->mover_count; i++) {
        w->bodies[i].solved = w->bodies[i].crowded = cri_mask_all(0);
    }
    for (int i = 0; i < w->point_count; i++) {
        const point *p = &w->points[i];
        for (int k = 0; k < 2; k++) {
            if (pushes_side(p->meet, k)) {
                body *b = &w->bodies[p->meet->movers[k]];
                b->crowded = b->crowded | (p->solve & b->solved);
                b->solved = b->solved | p->solve;
            }
        }
    }
}

// The lanes in which a point needs more than one pass: others share a body with it, or an upright
// takes part, whose turning ties normal and friction.
static inline void find_ties(batch *w)
{
    count_points(w);
    for (int i = 0; i < w->point_count; i++) {
        point *p = &w->points[i];
        cri_mask tied = cri_mask_all(p->meet->plain ? 0 : -1);
        for (int k = 0; k < 2; k++) {
            if (pushes_side(p->meet, k)) {
                tied = tied | w->bodies[p->meet->movers[k]].crowded;
            }
        }
        p->tied = p->solve & tied;
    }
}

// One pass in the lanes given. Returns the largest change of a speed.
static inline cri_lanes visit_all(batch *w, cri_mask lanes, bool first)
{
    cri_lanes moved = cri_lanes_all(0);
    for (int i = 0; i < w->point_count; i++) {
        point *p = &w->points[i];
        cri_mask mine = lanes & (first ? p->solve : p->tied);
        if (!cri_mask_any(mine)) {
            continue;
        }
        if (p->meet->plain) {
            visit_plain(w, p, mine);
        } else {
            visit_tied(w, p, mine);
        }
        if (cri_mask_any(p->tied)) {
            moved = lanes_max(moved, cri_lanes_keep(p->tied, change_of(p)));
        }
    }
    return moved;
}

// Changes shrink by the same share from pass to pass, by little where a ball is jammed between
// heavy robots: take what the passes to come would add at once. The next pass sets right what
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
        cri_lanes share = cri_lanes_keep(p->tied, rest);
        if (!cri_mask_any(shrinks & p->tied)) {
            continue;
        }
        p->change = lanes_max(p->change * share, -p->impulse);
        p->impulse = p->impulse + p->change;
        if (p->meet->plain) {
            p->dragged = cri_lanes3_scale(share, p->dragged);
            p->drag = cri_lanes3_add(p->drag, p->dragged);
            push_plain(w, p);
        } else {
            for (int k = 0; k < 2; k++) {
                p->rubbed[k] = p->rubbed[k] * share;
                p->rub[k] = p->rub[k] + p->rubbed[k];
            }
            push_tied(w, p);
        }
    }
}

// The number of a point among those of its meet.
static inline int number_of(const batch *w, int i)
{
    int number = 0;
    while (number < i && w->points[i - number - 1].meet == w->points[i].meet) {
        number++;
    }
    return number;
}

// Start where the last piece of this step ended (a warm start): a ball that is dribbled is pressed
// alike from piece to piece. Lanes in which a point was not there, or bounced, start from nothing.
// Among balls alone it would not pay.
static inline void recall_pressures(batch *w)
{
    for (int i = 0; i < w->point_count && w->course->has_upright; i++) {
        point *p = &w->points[i];
        cri_mask lanes = p->tied & ~p->bounce;
        if (!cri_mask_any(lanes)) {
            continue;
        }
        int meet = (int)(p->meet - w->course->meets), k = number_of(w, i);
        if (w->pressed[meet] != w->piece - 1 || k >= PRESSURES) {
            continue;
        }
        const pressure *l = &w->pressures[meet];
        cri_lanes t = cri_lanes_keep(lanes, w->t);
        p->change = p->impulse = l->press[k] * t;
        cri_lanes3 drag = cri_lanes3_scale(t, l->drag[k]);
        if (p->meet->plain) {
            drag = cri_lanes3_mad(drag, -cri_lanes3_dot(drag, p->normal), p->normal);
            p->drag = p->dragged = drag;
            push_plain(w, p);
        } else {
            p->rub[0] = p->rubbed[0] = cri_lanes3_dot(drag, p->slide);
            p->rub[1] = p->rubbed[1] = cri_lanes3_dot(drag, p->across);
            push_tied(w, p);
        }
    }
}

static inline void keep_pressures(batch *w)
{
    for (int i = 0; i < w->point_count && w->course->has_upright; i++) {
        const point *p = &w->points[i];
        if (!cri_mask_any(p->tied)) {
            continue;
        }
        int meet = (int)(p->meet - w->course->meets), k = number_of(w, i);
        if (k >= PRESSURES) {
            continue;
        }
        pressure *l = &w->pressures[meet];
        for (int j = 0; j < PRESSURES && w->pressed[meet] != w->piece; j++) {
            l->press[j] = cri_lanes_all(0);
            l->drag[j] = cri_lanes3_zero();
        }
        w->pressed[meet] = w->piece;
        cri_lanes rate = cri_lanes_keep(p->tied & ~p->bounce, w->rate);
        l->press[k] = cri_lanes_keep(p->tied, p->impulse) * rate;
        cri_lanes3 drag = p->drag;
        if (!p->meet->plain) {
            drag = cri_lanes3_mad(cri_lanes3_scale(p->rub[0], p->slide), p->rub[1], p->across);
        }
        l->drag[k] = cri_lanes3_scale(rate, cri_lanes3_keep(p->tied, drag));
    }
}

// What the passes to come would change is too little: they shrink like these two.
static inline cri_mask is_enough(cri_lanes moved, cri_lanes moved_before)
{
    cri_lanes enough = cri_lanes_all(ENOUGH);
    return ~is_less(enough, moved) | is_less(moved * moved, (moved_before - moved) * ENOUGH);
}

static inline void solve_passes(batch *w)
{
    cri_mask busy = w->run;
    cri_lanes moved_before = cri_lanes_all(0);
    find_ties(w);
    recall_pressures(w);
    for (int pass = 0; pass < SOLVE_PASSES_MAX && cri_mask_any(busy); pass++) {
        cri_lanes moved = visit_all(w, busy, pass == 0);
        busy = busy & ~is_enough(moved, moved_before);
        bool leaps = pass % LEAP == LEAP - 1;
        if (leaps) {
            leap(w, busy, moved, moved_before);
        }
        moved_before = leaps ? cri_lanes_all(0) : moved;
    }
}

// ---------------------------------------------------------------------------------------------
// Rolling and spinning resistance: see roll.c.

static inline void resist(batch *w, const point *p, int side)
{
    const weight *m = weight_of(w, p->meet->movers[side]);
    const manner *how = manner_of(w, p->meet);
    float radius = w->course->movers[p->meet->movers[side]].radius;
    body *ball = &w->bodies[p->meet->movers[side]];
    int other = p->meet->movers[1 - side];
    cri_lanes3 spin = ball->next_spin;
    if (other >= 0) {
        spin = cri_lanes3_sub(spin, w->bodies[other].next_spin);
    }
    cri_lanes lever = rolling_lever(cri_lanes_all(radius),
                                    in_lanes(m->inertia * m->inverse_mass / (radius * radius)));
    cri_lanes load = p->impulse * m->inverse_inertia;
    cri_lanes3 change =
        resistance(spin, p->normal, load * (how->rolling * lever), load * (how->spinning * radius));
    cri_mask loaded = p->solve & is_less(cri_lanes_all(0), p->impulse);
    loaded = loaded & (where_some(how->rolling) | where_some(how->spinning));
    ball->next_spin =
        cri_lanes3_pick(loaded, cri_lanes3_add(ball->next_spin, change), ball->next_spin);
}

static inline void resist_rolling(batch *w)
{
    for (int i = 0; i < w->point_count; i++) {
        const point *p = &w->points[i];
        const manner *how = manner_of(w, p->meet);
        for (int side = 0; side < 2; side++) {
            if ((is_some(how->rolling) || is_some(how->spinning)) &&
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
        cri_mask pushed = p->solve & is_less(cri_lanes_all(0), p->impulse);
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
    w->rate = 1.0f / cri_lanes_pick(w->run, w->t, cri_lanes_all(1));
    for (int i = 0; i < w->point_count; i++) {
        if (cri_mask_any(w->points[i].solve)) {
            ask(w, &w->points[i]);
        }
    }
    solve_passes(w);
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
        if (p->meet->solids[1] < 0 || p->meet->silent) {
            continue;
        }
        cri_lanes closing = closing_of(w, p, false);
        cri_lanes fastest = lanes_min(closing, closing_of(w, p, true));
        cri_mask lanes = may_cut & p->solve & is_less(cri_lanes_all(MARGIN), p->gap) &
                         will_bounce(w, p, closing, fastest);
        cri_lanes meet = impact_time(p->gap, cri_lanes_pick(lanes, -fastest, cri_lanes_all(1)));
        first = cri_lanes_pick(lanes, lanes_min(first, meet), first);
    }
    return first;
}

#endif
