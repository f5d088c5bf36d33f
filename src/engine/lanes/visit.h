// One visit of a patch: what is asked of its points, and the impulses that give it to them. See
// lanes/patch.h for its six rows.
#ifndef CRI_LANES_VISIT_H
#define CRI_LANES_VISIT_H

#include "engine/lanes/level.h"

// ---------------------------------------------------------------------------------------------
// Asking.

// How the second end moves past the first at a point. The ground does not.
INLINE cri_lanes3 lever_speed(const body *b, cri_lanes3 at, bool next)
{
    cri_lanes3 spin = next ? b->next_spin : b->spin;
    return cri_lanes3_add(next ? b->next_velocity : b->velocity, cri_lanes3_cross(spin, at));
}

INLINE cri_lanes3 lever_slip(const batch *w, const patch *s, const cri_lanes3 at[2], bool next)
{
    int ground = w->course->mover_count;
    const body *a = &w->bodies[s->movers[0]], *b = &w->bodies[s->movers[1]];
    if (s->movers[0] == ground) {
        return lever_speed(b, at[1], next);
    }
    if (s->movers[1] == ground) {
        return cri_lanes3_scale(cri_lanes_all(-1), lever_speed(a, at[0], next));
    }
    return cri_lanes3_sub(lever_speed(b, at[1], next), lever_speed(a, at[0], next));
}

// The speed that a bounce leaves at the end of the piece: the impact is at its time, and forces act
// before and after it.
static inline cri_lanes bounce_target(const batch *w, const point *p, cri_lanes closing,
                                      cri_lanes next_closing)
{
    cri_lanes share = p->hit * w->rate, change = next_closing - closing;
    return rebound(closing + change * share, change * (1.0f - share),
                   in_lanes(manner_of(w, p->meet)->restitution));
}

// Whether a point bounces, when, and what that asks for. Balls know when they hit.
INLINE void ask_bounce(const batch *w, point *p, cri_lanes closing, cri_lanes next_closing)
{
    cri_lanes fastest = lanes_min(closing, next_closing);
    bool solids = p->meet->solids[1] >= 0;
    p->bounce = will_bounce(w, p, closing, fastest);
    p->target = cri_lanes_all(-FAR);
    p->hit = solids ? cri_lanes_all(0) : p->hit;
    if (!cri_mask_any(p->bounce)) {
        return;
    }
    if (solids) {
        p->hit = cri_lanes_keep(p->bounce, hit_time(p->gap, fastest, w->t));
    }
    cri_lanes target = bounce_target(w, p, closing, next_closing);
    p->target = cri_lanes_pick(p->bounce, target, p->target);
}

// The coefficients that hold: a patch sticks where all of its points do.
static inline void set_hold(const batch *w, patch *s, cri_lanes friction)
{
    cri_lanes least = cri_lanes_all(1e-9f), along = friction;
    if (s->meet->grained) {
        point grained = {.meet = s->meet, .normal = s->normal, .slide = s->slide};
        grained.grip[0] = friction;
        follow_grain(w, &grained);
        along = grained.grip[0];
    }
    s->hold[0] = 1.0f / lanes_max(along, least);
    s->hold[1] = 1.0f / lanes_max(friction, least);
}

static inline void ask_patch(batch *w, patch *s, const levers *l)
{
    cri_lanes friction = cri_lanes_all(FAR), undo = cri_lanes_all(UNDO_SHARE / w->course->h);
    s->enough =
        (w->rests[s->movers[0]].pace + w->rests[s->movers[1]].pace) * ENOUGH_SHARE + PATCH_ENOUGH;
    for (int i = s->first; i < s->first + s->count; i++) {
        point *p = &w->points[i];
        grip *g = &w->grips[i];
        const cri_lanes3 *at = l->of[i - s->first];
        cri_lanes3 now = lever_slip(w, s, at, false), next = lever_slip(w, s, at, true);
        cri_lanes closing = cri_lanes3_dot(now, p->normal);
        cri_lanes next_closing = cri_lanes3_dot(next, p->normal);
        ask_bounce(w, p, closing, next_closing);
        cri_lanes least = gap_target(p->gap, w->rate, REAL(0), undo, REAL(UNDO_MAX));
        g->target = lanes_max(least, p->target);
        g->impulse = cri_lanes_keep(~w->fresh, g->impulse);
        p->friction = friction_of(manner_of(w, s->meet), p, now, closing);
        friction = cri_lanes_pick(g->on, lanes_min(friction, p->friction), friction);
    }
    set_hold(w, s, friction);
    s->slips = s->slips & ~w->fresh;
    s->twist = cri_lanes_keep(~w->fresh, s->twist);
    for (int k = 0; k < 3; k++) {
        s->rub[k] = cri_lanes_keep(~w->fresh, s->rub[k]);
    }
}

// How a mover stands in the sweep.
static inline void set_rests(batch *w)
{
    for (int i = 0; i < w->course->mover_count; i++) {
        const body *b = &w->bodies[i];
        float radius = w->course->movers[i].radius;
        rest *r = &w->rests[i];
        cri_lanes fast = cri_lanes3_dot(b->velocity, b->velocity) +
                         cri_lanes3_dot(b->spin, b->spin) * (radius * radius);
        cri_lanes share = standing_share(fast);
        r->pace = cri_lanes_sqrt(fast);
        r->velocity = cri_lanes3_scale(share, b->velocity);
        r->swing = cri_lanes3_scale(share, sym_mul(&w->motions[i].root, b->spin));
    }
}

// ---------------------------------------------------------------------------------------------
// The two of a patch.

// The two of a patch as they are seen: they themselves, or as they stand.
typedef struct duo {
    const cri_lanes3 *velocity[2], *swing[2];
} duo;

INLINE duo see_duo(const batch *w, const patch *s)
{
    const motion *a = &w->motions[s->movers[0]], *b = &w->motions[s->movers[1]];
    return (duo){{&a->velocity, &b->velocity}, {&a->swing, &b->swing}};
}

// The six speeds of the second end, seen from the first.
INLINE void patch_speeds(const patch *s, const duo *d, ends which, cri_lanes x[ROWS])
{
    cri_lanes3 way = which == BOTH_ENDS   ? cri_lanes3_sub(*d->velocity[1], *d->velocity[0])
                     : which == FIRST_END ? cri_lanes3_scale(cri_lanes_all(-1), *d->velocity[0])
                                          : *d->velocity[1];
    for (int k = 0; k < ROWS; k++) {
        cri_lanes first = cri_lanes_all(0), second = first;
        if (which != SECOND_END) {
            first = cri_lanes3_dot(s->turn[0][k], *d->swing[0]);
        }
        if (which != FIRST_END) {
            second = cri_lanes3_dot(s->turn[1][k], *d->swing[1]);
        }
        x[k] = which == BOTH_ENDS ? first + second : which == FIRST_END ? first : second;
    }
    x[0] = x[0] + cri_lanes3_dot(s->normal, way);
    x[3] = x[3] + cri_lanes3_dot(s->slide, way);
    x[4] = x[4] + cri_lanes3_dot(s->across, way);
    if (which != BOTH_ENDS && s->driven) {
        for (int k = 0; k < ROWS; k++) {
            x[k] = x[k] + s->base[k];
        }
    }
}

// Let the ends feel six impulses.
INLINE void give_patch(batch *w, const patch *s, ends which, const cri_lanes y[ROWS])
{
    cri_lanes3 sum = cri_lanes3_scale(y[0], s->normal);
    sum = cri_lanes3_mad(sum, y[3], s->slide);
    sum = cri_lanes3_mad(sum, y[4], s->across);
    for (int i = 0; i < 2; i++) {
        if (which == (i ? FIRST_END : SECOND_END)) {
            continue;
        }
        motion *m = &w->motions[s->movers[i]];
        cri_lanes3 push = times3(m->mass, sum), swing = m->swing;
        m->velocity = i ? cri_lanes3_add(m->velocity, push) : cri_lanes3_sub(m->velocity, push);
        for (int k = 0; k < ROWS; k++) {
            swing = cri_lanes3_mad(swing, y[k], s->turn[i][k]);
        }
        m->swing = swing;
    }
}

// ---------------------------------------------------------------------------------------------
// Along the normal.

// The sum over points, one after the other: a lane may have none at any of these places, depending
// on where others have theirs.
INLINE cri_lanes sum_points(const cri_lanes *a, int count)
{
    cri_lanes sum = cri_lanes_all(0);
    for (int i = 0; i < count; i++) {
        sum = i == 0 ? a[0] : sum + a[i];
    }
    return sum;
}

// What impulses along the normal at points are together: along it, tilt and roll.
INLINE void add_up(const patch *s, int count, const cri_lanes *impulses, cri_lanes out[3])
{
    cri_lanes tilt[CRI_TOUCH_MAX], roll[CRI_TOUCH_MAX];
    for (int i = 0; i < count; i++) {
        tilt[i] = s->grips[i].u * impulses[i];
        roll[i] = s->grips[i].v * impulses[i];
    }
    out[0] = sum_points(impulses, count);
    out[1] = sum_points(tilt, count);
    out[2] = sum_points(roll, count);
}

// How much slower than they should points part, at these speeds along the normal.
INLINE void find_misses(const patch *s, int count, const cri_lanes x[3], cri_lanes *miss)
{
    for (int i = 0; i < count; i++) {
        const grip *g = &s->grips[i];
        miss[i] = cri_lanes_keep(g->on, g->target - (x[0] + g->u * x[1] + g->v * x[2]));
    }
}

// All points at once, by a pressure that varies evenly over the patch (least squares); left out
// where that would pull. Returns the lanes in which points ask for more.
INLINE cri_mask press_evenly(const patch *s, int count, const cri_lanes m[6],
                             const cri_lanes even[6], cri_mask lanes, cri_lanes *miss,
                             cri_lanes y[3])
{
    cri_lanes zero = cri_lanes_all(0), sum[3], field[3], change[CRI_TOUCH_MAX];
    cri_mask pushes = lanes;
    add_up(s, count, miss, sum);
    times_sym(even, sum, field);
    for (int i = 0; i < count; i++) {
        const grip *g = &s->grips[i];
        change[i] = field[0] + field[1] * g->u + field[2] * g->v;
        pushes = pushes & ~(g->on & is_less(g->impulse + change[i], zero));
    }
    for (int i = 0; i < count; i++) {
        grip *g = &s->grips[i];
        change[i] = cri_lanes_keep(g->on & pushes, change[i]);
        g->impulse = g->impulse + change[i];
    }
    cri_lanes given[3], most = zero;
    add_up(s, count, change, sum);
    times_sym(m, sum, given);
    for (int k = 0; k < 3; k++) {
        y[k] = y[k] + sum[k];
    }
    for (int i = 0; i < count; i++) {
        const grip *g = &s->grips[i];
        miss[i] = miss[i] - (given[0] + g->u * given[1] + g->v * given[2]);
        most = lanes_max(most, cri_lanes_keep(g->on, miss[i]));
    }
    return lanes & (~pushes | is_less(s->enough, most));
}

// One point after the other, once: where a body rests on several patches, to take all of its weight
// with one of them, and then with the next, would not come to an end.
INLINE void press_each(const patch *s, int count, const cri_lanes m[6], cri_mask lanes,
                       cri_lanes *miss, cri_lanes y[3])
{
    cri_lanes least = m[0] * 1e-3f + 1e-12f, sum[3], change[CRI_TOUCH_MAX];
    cri_lanes yields[CRI_TOUCH_MAX], gives[CRI_TOUCH_MAX][3];
    for (int i = 0; i < count; i++) {
        const grip *g = &s->grips[i];
        cri_lanes *c = gives[i];
        c[0] = m[0] + g->u * m[1] + g->v * m[2];
        c[1] = m[1] + g->u * m[3] + g->v * m[4];
        c[2] = m[2] + g->u * m[4] + g->v * m[5];
        yields[i] = 1.0f / lanes_max(c[0] + g->u * c[1] + g->v * c[2], least);
    }
    for (int i = 0; i < count; i++) {
        grip *g = &s->grips[i];
        cri_lanes impulse = normal_impulse(g->impulse, miss[i], yields[i]);
        change[i] = cri_lanes_keep(g->on & lanes, impulse - g->impulse);
        g->impulse = g->impulse + change[i];
        for (int j = i + 1; j < count; j++) {
            const grip *o = &s->grips[j];
            cri_lanes at = gives[i][0] + o->u * gives[i][1] + o->v * gives[i][2];
            miss[j] = miss[j] - at * change[i];
        }
    }
    add_up(s, count, change, sum);
    for (int k = 0; k < 3; k++) {
        y[k] = y[k] + sum[k];
    }
}

// Impulses that give points what they ask for at these speeds along the normal.
INLINE void press_points(const patch *s, int count, const cri_lanes m[6], const cri_lanes even[6],
                         cri_mask lanes, const cri_lanes x[3], cri_lanes y[3])
{
    cri_lanes miss[CRI_TOUCH_MAX];
    find_misses(s, count, x, miss);
    cri_mask left = press_evenly(s, count, m, even, lanes, miss, y);
    if (cri_mask_any(left)) {
        press_each(s, count, m, left, miss, y);
    }
}

// ---------------------------------------------------------------------------------------------
// Friction.

// The load of a patch: how much, its centre, and how far it is from there (root mean square, and no
// less than ARM_MIN, for the sake of dividing by it).
#define ARM_MIN 1e-5f // m
typedef struct bearing {
    cri_lanes sum, u, v, arm;
} bearing;

INLINE bearing load_on(const patch *s, int count)
{
    cri_lanes load[CRI_TOUCH_MAX], away[CRI_TOUCH_MAX], sum[3];
    for (int i = 0; i < count; i++) {
        const grip *g = &s->grips[i];
        load[i] = g->impulse;
        away[i] = g->impulse * (g->u * g->u + g->v * g->v);
    }
    add_up(s, count, load, sum);
    cri_lanes share = 1.0f / lanes_max(sum[0], cri_lanes_all(TINY));
    share = cri_lanes_keep(s->twists, share);
    bearing l = {.sum = sum[0], .u = sum[1] * share, .v = sum[2] * share};
    cri_lanes square = sum_points(away, count) * share - (l.u * l.u + l.v * l.v);
    l.arm = cri_lanes_sqrt(lanes_max(square, cri_lanes_all(ARM_MIN * ARM_MIN)));
    return l;
}

// Whether friction can be as large as this. `twist`: its torque about the centre over the arm.
INLINE cri_mask can_hold(const patch *s, const bearing *l, const cri_lanes rub[3], cri_lanes *twist)
{
    *twist = (rub[2] - (l->u * rub[1] - l->v * rub[0])) / l->arm;
    cri_lanes x = rub[0] * s->hold[0], y = rub[1] * s->hold[1], z = *twist * s->hold[1];
    return ~is_less(l->sum * l->sum, x * x + y * y + z * z);
}

// Friction that slips: along the slip at the centre of the load, as much as that allows. Returns
// the lanes in which there is as much as can be. It begins with the twist of the last visit, seen
// from the centre that the load has now: the torque that it was then may be more than a load on one
// point can have, and would leave nothing for the slip.
INLINE cri_mask slip_patch(const patch *s, const ease *e, const bearing *l, const cri_lanes x[3],
                           cri_lanes rub[3], cri_lanes *twist)
{
    const cri_lanes *k = e->rub;
    cri_lanes arm = l->arm;
    cri_lanes k0 = k[0] + l->v * (l->v * k[5] - k[2] * 2.0f);
    cri_lanes k1 = k[1] + l->u * k[2] - l->v * (k[4] + l->u * k[5]);
    cri_lanes k2 = k[3] + l->u * (l->u * k[5] + k[4] * 2.0f), half = (k0 - k2) * 0.5f;
    cri_lanes most = (k0 + k2) * 0.5f + cri_lanes_sqrt(half * half + k1 * k1);
    cri_lanes yield = invert(lanes_max(most, arm * arm * k[5]), cri_mask_all(-1));
    cri_lanes one = s->rub[0] - yield * (x[0] - l->v * x[2]);
    cri_lanes two = s->rub[1] - yield * (x[1] + l->u * x[2]);
    cri_lanes three = cri_lanes_keep(s->twists, s->twist - yield * arm * x[2]);
    cri_lanes a = one * s->hold[0], b = two * s->hold[1], c = three * s->hold[1];
    cri_lanes length = cri_lanes_sqrt(a * a + b * b + c * c), share = share_of(l->sum, length);
    rub[0] = one * share, rub[1] = two * share;
    *twist = three * share;
    rub[2] = *twist * arm + (l->u * rub[1] - l->v * rub[0]);
    return ~is_less(length, l->sum);
}

// ---------------------------------------------------------------------------------------------
// Visits.

typedef enum rubs { WITHOUT_FRICTION, WITH_FRICTION } rubs;

// The slip that impulses along the normal leave.
INLINE void slip_after(const ease *e, const cri_lanes x[ROWS], const cri_lanes y[3],
                       cri_lanes out[3])
{
    for (int k = 0; k < 3; k++) {
        out[k] = x[3 + k] + (e->tie[0][k] * y[0] + e->tie[1][k] * y[1] + e->tie[2][k] * y[2]);
    }
}

// Take the impulses of points back, in some lanes.
INLINE void take_back(const patch *s, int count, const cri_lanes *was, cri_mask lanes)
{
    for (int i = 0; i < count; i++) {
        grip *g = &s->grips[i];
        g->impulse = cri_lanes_pick(lanes, was[i], g->impulse);
    }
}

// Impulses of a patch at these speeds, in some lanes: y is what they change by.
INLINE void solve_points(patch *s, int count, const ease *e, const cri_lanes x[ROWS],
                         cri_mask lanes, rubs how, cri_lanes y[ROWS])
{
    cri_mask sticks = lanes & ~s->slips & cri_mask_all(how == WITH_FRICTION ? -1 : 0);
    cri_lanes m[6], even[6], z[3], was[CRI_TOUCH_MAX], slip[3], rub[3], twist;
    for (int k = 0; k < 6; k++) {
        m[k] = cri_lanes_pick(sticks, e->held[k], e->press[k]);
        even[k] = cri_lanes_pick(sticks, e->held_even[k], e->even[k]);
        y[k] = cri_lanes_all(0);
    }
    for (int k = 0; k < 3; k++) {
        cri_lanes back = e->back[k][0] * x[3] + e->back[k][1] * x[4] + e->back[k][2] * x[5];
        z[k] = x[k] - cri_lanes_keep(sticks, back);
    }
    for (int i = 0; i < count; i++) {
        was[i] = s->grips[i].impulse;
    }
    press_points(s, count, m, even, lanes, z, y);
    if (how == WITHOUT_FRICTION) {
        return;
    }
    bearing l = load_on(s, count);
    slip_after(e, x, y, slip);
    times_sym(e->stick, slip, rub);
    for (int k = 0; k < 3; k++) {
        rub[k] = s->rub[k] - rub[k];
    }
    cri_mask held = sticks & can_hold(s, &l, rub, &twist), fails = sticks & ~held;
    if (cri_mask_any(fails)) {
        take_back(s, count, was, fails);
        for (int k = 0; k < 3; k++) {
            y[k] = cri_lanes_keep(~fails, y[k]);
            z[k] = x[k];
        }
        press_points(s, count, e->press, e->even, fails, z, y);
        l = load_on(s, count);
        slip_after(e, x, y, slip);
    }
    s->slips = s->slips & ~lanes;
    if (cri_mask_any(lanes & ~held)) {
        cri_lanes slides[3], slid;
        cri_mask most = slip_patch(s, e, &l, slip, slides, &slid);
        twist = cri_lanes_pick(held, twist, slid);
        s->slips = s->slips | (lanes & ~held & most);
        for (int k = 0; k < 3; k++) {
            rub[k] = cri_lanes_pick(held, rub[k], slides[k]);
        }
    }
    for (int k = 0; k < 3; k++) {
        y[3 + k] = cri_lanes_keep(lanes, rub[k] - s->rub[k]);
        s->rub[k] = s->rub[k] + y[3 + k];
    }
    s->twist = cri_lanes_pick(lanes, twist, s->twist);
}

// Patches have four points, one or two, rarely three, and loops over as many are laid out flat. All
// are functions of their own, which all visits share: together they fit into the cache for
// instructions.
#define SOLVE_FLAT(name, count)                                                                    \
    static __attribute__((noinline)) void name(patch *s, const ease *e, const cri_lanes x[ROWS],   \
                                               cri_mask lanes, rubs how, cri_lanes y[ROWS])        \
    {                                                                                              \
        solve_points(s, count, e, x, lanes, how, y);                                               \
    }

SOLVE_FLAT(solve_one, 1)
SOLVE_FLAT(solve_two, 2)
SOLVE_FLAT(solve_four, 4)
SOLVE_FLAT(solve_some, s->count)

INLINE void solve_patch(patch *s, const ease *e, const cri_lanes x[ROWS], cri_mask lanes, rubs how,
                        cri_lanes y[ROWS])
{
    switch (s->count) {
    case 1:
        solve_one(s, e, x, lanes, how, y);
        break;
    case 2:
        solve_two(s, e, x, lanes, how, y);
        break;
    case 4:
        solve_four(s, e, x, lanes, how, y);
        break;
    default:
        solve_some(s, e, x, lanes, how, y);
    }
}

// The largest change of a speed.
INLINE cri_lanes most_moved(const patch *s, const ease *e, const cri_lanes y[ROWS])
{
    cri_lanes press = lanes_max(cri_lanes_abs(y[1]) * e->press[3] * s->size[0],
                                cri_lanes_abs(y[2]) * e->press[5] * s->size[1]);
    cri_lanes rub = lanes_max(cri_lanes_abs(y[3]) * e->rub[0], cri_lanes_abs(y[4]) * e->rub[3]);
    cri_lanes yaw = cri_lanes_abs(y[5]) * e->rub[5] * lanes_max(s->size[0], s->size[1]);
    press = lanes_max(press, cri_lanes_abs(y[0]) * e->press[0]);
    return lanes_max(press, lanes_max(rub, yaw));
}

// The lanes in which a point presses, or has to at these speeds. In others a patch does nothing:
// what is near without touching, most of all.
INLINE cri_mask is_pressed(const patch *s, const cri_lanes x[3])
{
    cri_mask pressed = cri_mask_all(0);
    for (int i = 0; i < s->count; i++) {
        const grip *g = &s->grips[i];
        cri_mask slow = is_less(x[0] + g->u * x[1] + g->v * x[2], g->target);
        pressed = pressed | (g->on & (slow | is_less(cri_lanes_all(0), g->impulse)));
    }
    return pressed;
}

// One visit with true masses. Returns the largest change of a speed.
INLINE cri_lanes visit_ends(batch *w, patch *s, cri_mask lanes, rubs how, ends which)
{
    duo d = see_duo(w, s);
    cri_lanes x[ROWS], y[ROWS];
    patch_speeds(s, &d, which, x);
    lanes = lanes & is_pressed(s, x);
    if (!cri_mask_any(lanes)) {
        return cri_lanes_all(0);
    }
    const ease *e = real_ease(w, s);
    solve_patch(s, e, x, lanes, how, y);
    give_patch(w, s, which, y);
    return most_moved(s, e, y);
}

static inline cri_lanes visit_patch(batch *w, patch *s, cri_mask lanes, rubs how)
{
    switch (s->ends) {
    case BOTH_ENDS:
        return visit_ends(w, s, lanes, how, BOTH_ENDS);
    case FIRST_END:
        return visit_ends(w, s, lanes, how, FIRST_END);
    case SECOND_END:
        return visit_ends(w, s, lanes, how, SECOND_END);
    }
    return cri_lanes_all(0);
}

#endif
