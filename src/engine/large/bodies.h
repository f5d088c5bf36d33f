// Bodies of a large world, eight at a time: predicted, moved, turned.
#ifndef CRI_LARGE_BODIES_H
#define CRI_LARGE_BODIES_H

#include "engine/large/rows.h"

INLINE cri_lanes3 damped(cri_lanes3 v, cri_lanes damping, float t)
{
    cri_mask some = is_less(cri_lanes_all(0), damping);
    return cri_lanes3_pick(some, cri_lanes3_mad(v, -loss_of(damping * t), v), v);
}

// How a body lies and answers to impulses.
typedef struct lie {
    cri_lanes rotation[4];
    cri_lanes3 axes[3];
    sym root, unroot;
} lie;

INLINE lie lie_of(const cri_large *w, int at)
{
    lie l;
    cri_lanes root[3], unroot[3];
    for (int k = 0; k < 4; k++) {
        l.rotation[k] = cri_lanes_load(&w->b.rotation[k][at]);
    }
    for (int k = 0; k < 3; k++) {
        root[k] = cri_lanes_load(&w->b.roots[k][at]);
        unroot[k] = cri_lanes_load(&w->b.unroots[k][at]);
    }
    axes_of(l.rotation, l.axes);
    l.root = spread(l.axes, root);
    l.unroot = spread(l.axes, unroot);
    return l;
}

// A torque becomes a change of spin: unroot is a root of the inverse of the inertia.
INLINE cri_lanes3 turn_by(const lie *l, cri_lanes3 twist)
{
    return sym_mul(&l->unroot, sym_mul(&l->unroot, twist));
}

// Friction of an upright on its floor.
static inline void brake_upright(const cri_large *w, int at, cri_lanes3 *v, cri_lanes3 *spin)
{
    cri_lanes most = cri_lanes_load(&w->b.brake[at]) * w->h;
    cri_mask where = is_less(cri_lanes_all(0), most);
    if (!cri_mask_any(where)) {
        return;
    }
    cri_lanes reach2 = cri_lanes_load(&w->b.reach2[at]);
    cri_lanes3 slid = *v;
    cri_lanes turned = spin->z;
    brake_foot(&slid, &turned, turned * turned * reach2, most);
    *v = cri_lanes3_pick(where, slid, *v);
    spin->z = cri_lanes_pick(where, turned, spin->z);
}

// The rows that patches and solids read.
static inline void tell_body(const cri_large *w, int at, const lie *l)
{
    cri_lanes mass = cri_lanes_load(&w->b.inverse_mass[at]), none = cri_lanes_all(0);
    cri_lanes lift = cri_lanes_load(&w->b.lift_mass[at]);
    cri_lanes3 place = load3(w->b.place, at), v = load3(w->b.velocity, at);
    cri_lanes3 spin = load3(w->b.spin, at), next = load3(w->b.next_velocity, at);
    cri_lanes3 swing = load3(w->b.swing, at);
    cri_mask pushed = load_mask(w->b.pushed, at);
    const sym *u = &l->unroot;
    mass = cri_lanes_keep(pushed, mass), lift = cri_lanes_keep(pushed, lift);
    const cri_lanes speed[8] = {next.x, next.y, next.z, mass, swing.x, swing.y, swing.z, lift};
    spread_rows(w->speeds, CRI_SPEED_ROW, at, speed);
    const cri_lanes one[8] = {cri_lanes_keep(pushed, u->xx),
                              cri_lanes_keep(pushed, u->yy),
                              cri_lanes_keep(pushed, u->zz),
                              cri_lanes_keep(pushed, u->xy),
                              cri_lanes_keep(pushed, u->xz),
                              cri_lanes_keep(pushed, u->yz),
                              mass,
                              lift};
    spread_rows(w->body_rows, CRI_BODY_ROW, at, one);
    const cri_lanes two[8] = {place.x, place.y, place.z, cri_lanes_load(&w->b.stir[at]),
                              v.x,     v.y,     v.z,     swing.z};
    spread_rows(w->body_rows + 8, CRI_BODY_ROW, at, two);
    const cri_lanes three[8] = {spin.x, spin.y, spin.z, next.x, next.y, next.z, swing.x, swing.y};
    spread_rows(w->body_rows + 16, CRI_BODY_ROW, at, three);
    const cri_lanes3 *a = l->axes;
    const cri_lanes four[8] = {place.x, place.y, place.z, a[0].x, a[0].y, a[0].z, a[1].x, a[1].y};
    const cri_lanes five[8] = {a[1].z, a[2].x, a[2].y, a[2].z, none, none, none, none};
    spread_rows(w->axes_rows, CRI_STANCE_ROW, at, four);
    spread_rows(w->axes_rows + 8, CRI_STANCE_ROW, at, five);
}

// Velocities at the end of the substep if nothing is in the way.
static inline void predict_eight(cri_large *w, int at)
{
    const cri_large_bodies *b = &w->b;
    lie l = lie_of(w, at);
    cri_mask pushed = load_mask(b->pushed, at);
    cri_lanes3 v = load3(b->velocity, at), spin = load3(b->spin, at);
    cri_lanes3 next = damped(v, cri_lanes_load(&b->damping[at]), w->h);
    cri_lanes3 next_spin = damped(spin, cri_lanes_load(&b->spin_damping[at]), w->h);
    next = cri_lanes3_mad(next, cri_lanes_all(w->h), load3(b->push, at));
    next_spin = cri_lanes3_mad(next_spin, cri_lanes_all(w->h), turn_by(&l, load3(b->twist, at)));
    brake_upright(w, at, &next, &next_spin);
    next = cri_lanes3_pick(pushed, next, v);
    next_spin = cri_lanes3_pick(pushed, next_spin, spin);
    store3(b->next_velocity, at, next);
    store3(b->next_spin, at, next_spin);
    store3(b->swing, at, cri_lanes3_keep(pushed, sym_mul(&l.root, next_spin)));
    cri_lanes turn = lanes_max(cri_lanes3_length(spin), cri_lanes3_length(next_spin));
    turn = turn * cri_lanes_load(&b->radius[at]);
    cri_lanes_store(&b->stir[at], turn + cri_lanes3_length(cri_lanes3_sub(next, v)));
    cri_lanes_store(&b->late[at], cri_lanes_all(0));
    cri_lanes_store(&b->hold[at], cri_lanes_all(1));
    tell_body(w, at, &l);
    // How it stands in the sweep: see lanes/patch.h.
    cri_lanes radius = cri_lanes_load(&b->radius[at]), none = cri_lanes_all(0);
    cri_lanes fast = cri_lanes3_dot(v, v) + cri_lanes3_dot(spin, spin) * radius * radius;
    cri_lanes share = standing_share(fast);
    cri_lanes3 slow = cri_lanes3_scale(share, v);
    cri_lanes3 swing = cri_lanes3_scale(share, sym_mul(&l.root, spin));
    const cri_lanes stands[8] = {slow.x, slow.y, slow.z, none, swing.x, swing.y, swing.z, none};
    spread_rows(w->rests, CRI_SPEED_ROW, at, stands);
}

static void predict(cri_large *w, int first, int end)
{
    for (int at = first * CRI_LOT; at < end * CRI_LOT; at += CRI_LANES) {
        predict_eight(w, at);
    }
}

// ---------------------------------------------------------------------------------------------
// Solids.

// How far the edges of a box reach along an axis of the world.
INLINE cri_lanes along_axis(const solid_seen *s, int k)
{
    const cri_lanes3 *a = s->at.axes;
    cri_lanes x = k == 0 ? a[0].x : k == 1 ? a[0].y : a[0].z;
    cri_lanes y = k == 0 ? a[1].x : k == 1 ? a[1].y : a[1].z;
    cri_lanes z = k == 0 ? a[2].x : k == 1 ? a[2].y : a[2].z;
    return cri_lanes_abs(x) * s->half[0] + cri_lanes_abs(y) * s->half[1] +
           cri_lanes_abs(z) * s->half[2];
}

// The box about a solid and where it may go in this substep, and what else tells whether two are
// near. A box reaches as far along an axis as its edges do, and one whose middle is that of its
// body stays within the sphere about it however fast it spins. What is fixed has its box already.
static inline void put_near(cri_large *w, int at, const rows *own, const rows *of,
                            const solid_seen *s)
{
    cri_lanes p[8], n[8], box[8], zero = cri_lanes_all(0);
    gather(w->body_rows + 8, CRI_BODY_ROW, of, p);
    gather(w->body_rows + 16, CRI_BODY_ROW, of, n);
    cri_lanes3 v = three_of(&p[4]);
    cri_lanes reach = cri_lanes_load(&w->reaches[at]), stir = p[3];
    cri_lanes change = cri_lanes3_length(cri_lanes3_sub(three_of(&n[3]), v)) * w->h;
    cri_lanes turn = lanes_max(stir * w->h - change, zero);
    cri_mask sharp = is_less(zero, cri_lanes_load(&w->sharp[at]));
    cri_mask whole = is_less(zero, cri_lanes_load(&w->whole[at]));
    cri_mask fixed = cri_mask_all(0);
    const cri_lanes middle[3] = {s->at.place.x, s->at.place.y, s->at.place.z};
    const cri_lanes way[3] = {v.x * w->h, v.y * w->h, v.z * w->h};
    for (int k = 0; k < 3; k++) {
        cri_lanes far = along_axis(s, k);
        far = cri_lanes_pick(sharp, far, reach) + turn;
        far = cri_lanes_pick(whole, lanes_min(far, reach), far) + (change + 0.5f * CRI_SEE);
        box[k] = middle[k] - far + lanes_min(way[k], zero);
        box[3 + k] = middle[k] + far + lanes_max(way[k], zero);
    }
    for (int i = 0; i < CRI_LANES; i++) {
        cri_mask_set(&fixed, i, of->of[i] == w->body_count ? -1 : 0);
    }
    if (cri_mask_any(fixed)) {
        cri_lanes was[8];
        gather(w->near_rows, CRI_NEAR_ROW, own, was);
        for (int k = 0; k < 6; k++) {
            box[k] = cri_lanes_pick(fixed, was[k], box[k]);
        }
    }
    box[6] = reach, box[7] = stir;
    const cri_lanes others[8] = {
        middle[0], middle[1], middle[2], v.x, v.y, v.z, cri_lanes_keep(fixed, cri_lanes_all(1)),
        zero};
    spread_rows(w->near_rows, CRI_NEAR_ROW, at, box);
    spread_rows(w->near_rows + 8, CRI_NEAR_ROW, at, others);
}

static inline void stand_eight(cri_large *w, int at)
{
    rows own, of;
    cri_lanes one[8], two[8], m[8], n[8];
    for (int i = 0; i < CRI_LANES; i++) {
        own.of[i] = at + i;
        of.of[i] = w->solid_movers[at + i];
    }
    gather(w->solid_rows, CRI_STANCE_ROW, &own, one);
    gather(w->solid_rows + 8, CRI_STANCE_ROW, &own, two);
    gather(w->axes_rows, CRI_STANCE_ROW, &of, m);
    gather(w->axes_rows + 8, CRI_STANCE_ROW, &of, n);
    const cri_lanes3 axes[3] = {three_of(&m[3]), cri_lanes3_of(m[6], m[7], n[0]), three_of(&n[1])};
    const cri_lanes3 turn[3] = {cri_lanes3_of(one[7], two[0], two[1]), three_of(&two[2]),
                                three_of(&two[5])};
    cri_lanes3 out[3], lever = cri_lanes3_scale(one[0], axes[0]);
    lever = cri_lanes3_mad(lever, one[1], axes[1]);
    lever = cri_lanes3_mad(lever, one[2], axes[2]);
    for (int k = 0; k < 3; k++) {
        out[k] = cri_lanes3_scale(turn[k].x, axes[0]);
        out[k] = cri_lanes3_mad(out[k], turn[k].y, axes[1]);
        out[k] = cri_lanes3_mad(out[k], turn[k].z, axes[2]);
    }
    const cri_lanes first[8] = {m[0] + lever.x, m[1] + lever.y, m[2] + lever.z, one[3],
                                one[4],         one[5],         one[6],         out[0].x};
    const cri_lanes second[8] = {out[0].y, out[0].z, out[1].x, out[1].y,
                                 out[1].z, out[2].x, out[2].y, out[2].z};
    spread_rows(w->stances, CRI_STANCE_ROW, at, first);
    spread_rows(w->stances + 8, CRI_STANCE_ROW, at, second);
    const solid_seen s = {
        {three_of(first), {out[0], out[1], out[2]}}, {one[3], one[4], one[5]}, one[6]};
    put_near(w, at, &own, &of, &s);
}

static void stand(cri_large *w, int first, int end)
{
    for (int at = first * CRI_LOT; at < end * CRI_LOT; at += CRI_LANES) {
        stand_eight(w, at);
    }
}

// ---------------------------------------------------------------------------------------------
// Moving.

// Velocities once a piece is solved: swings are roots of inertia times spins.
typedef struct solved_motion {
    cri_lanes3 velocity, spin;
} solved_motion;

static inline solved_motion solved_of(const cri_large *w, int at)
{
    rows own;
    cri_lanes speed[8], unroot[8];
    for (int i = 0; i < CRI_LANES; i++) {
        own.of[i] = at + i;
    }
    gather(w->speeds, CRI_SPEED_ROW, &own, speed);
    gather(w->body_rows, CRI_BODY_ROW, &own, unroot);
    sym u = sym_of(unroot);
    cri_lanes3 change = cri_lanes3_sub(three_of(&speed[4]), load3(w->b.swing, at));
    return (solved_motion){three_of(speed),
                           cri_lanes3_add(load3(w->b.next_spin, at), sym_mul(&u, change))};
}

// How fast bodies go another way than was looked for, once the piece is solved: points of them turn
// about their center, and what strikes that takes it off its straight way.
static void pace(cri_large *w, int first, int end)
{
    const cri_large_bodies *b = &w->b;
    for (int at = first * CRI_LOT; at < end * CRI_LOT; at += CRI_LANES) {
        solved_motion m = solved_of(w, at);
        cri_lanes3 change = cri_lanes3_sub(m.velocity, load3(b->velocity, at));
        cri_lanes after = 1.0f - cri_lanes_load(&b->late[at]);
        cri_lanes_store(&b->pace[at], cri_lanes3_length(m.spin) * cri_lanes_load(&b->radius[at]) +
                                          cri_lanes3_length(change) * after);
    }
}

// What turns by more than this in a part of TURNS has more of them, up to PARTS_MAX times as many:
// of a thin rod that tumbles, whose moments differ by hundreds, coarser ones make one that spins.
#define PART_ANGLE 0.125f // rad
enum { PARTS_MAX = 16 };

// Parts of a turn: 1, TURNS, or as many times that as are worth it.
INLINE cri_lanes count_parts(cri_lanes spin, cri_lanes t, cri_mask fast)
{
    cri_lanes times = lanes_min(spin * t * (1 / (TURNS * PART_ANGLE)), cri_lanes_all(PARTS_MAX));
    cri_lanes parts = cri_lanes_all(TURNS);
    for (int i = 1; i < PARTS_MAX && cri_mask_any(is_less(cri_lanes_all((float)i), times)); i++) {
        cri_mask more = is_less(cri_lanes_all((float)i), times);
        parts = cri_lanes_pick(more, cri_lanes_all((float)((i + 1) * TURNS)), parts);
    }
    return cri_lanes_pick(fast, parts, cri_lanes_all(1));
}

// The other parts of a turn, in the lanes that have them.
static inline void turn_on(const cri_lanes rate[3], cri_lanes t, cri_lanes parts, cri_lanes q[4],
                           cri_lanes m[3])
{
    cri_lanes q_on[4], m_on[3];
    memcpy(q_on, q, sizeof q_on);
    memcpy(m_on, m, sizeof m_on);
    for (int i = 1; i < TURNS * PARTS_MAX; i++) {
        cri_mask lanes = is_less(cri_lanes_all((float)i), parts);
        if (!cri_mask_any(lanes)) {
            break;
        }
        turn_part(rate, t, q_on, m_on);
        for (int k = 0; k < 4; k++) {
            q[k] = cri_lanes_pick(lanes, q_on[k], q[k]);
        }
        for (int k = 0; k < 3; k++) {
            m[k] = cri_lanes_pick(lanes, m_on[k], m[k]);
        }
    }
}

// Nothing spins up on its own: what a turn gains beyond the sway of its parts is taken back.
#define SWAY 1.1f

INLINE cri_lanes spin_energy(const cri_lanes rate[3], const cri_lanes m[3])
{
    return m[0] * m[0] * rate[0] + m[1] * m[1] * rate[1] + m[2] * m[2] * rate[2];
}

// Returns the share of the momentum that is left.
INLINE cri_lanes calm_turn(const cri_lanes rate[3], cri_lanes before, cri_mask fast, cri_lanes m[3])
{
    cri_lanes after = spin_energy(rate, m), one = cri_lanes_all(1);
    cri_mask wild = fast & is_less(before * SWAY, after);
    cri_lanes share = cri_lanes_sqrt(before / cri_lanes_pick(wild, after, one));
    share = cri_lanes_pick(wild, share, one);
    m[0] = m[0] * share, m[1] = m[1] * share, m[2] = m[2] * share;
    return share;
}

// Turn by a spin for t seconds, as begin_turn and end_turn in lanes/free.h do; the momentum about
// the body's own axes turns with it. Driven bodies have moments of 1: their spin stays.
static inline void turn_eight(cri_large *w, int at, const lie *l, cri_lanes t, cri_lanes3 *spin)
{
    const cri_large_bodies *b = &w->b;
    cri_lanes m[3], q[4], rate[3], inertias[3], tiny = cri_lanes_all(1e-30f);
    memcpy(q, l->rotation, sizeof q);
    for (int k = 0; k < 3; k++) {
        inertias[k] = cri_lanes_load(&b->inertias[k][at]);
        m[k] = cri_lanes3_dot(l->axes[k], *spin) * inertias[k];
        rate[k] = cri_lanes_load(&b->inverse_inertias[k][at]);
    }
    cri_lanes before = square_of(m);
    cri_mask fast = turns_fast(before, rate, t);
    cri_mask turns = is_less(cri_lanes_all(0), before);
    if (cri_mask_any(fast)) {
        cri_lanes parts = count_parts(cri_lanes3_length(*spin), t, fast);
        cri_lanes energy = spin_energy(rate, m), part = t / parts;
        turn_part(rate, part, q, m);
        turn_on(rate, part, parts, q, m);
        cri_lanes share = calm_turn(rate, energy, fast, m);
        before = before * share * share;
    } else {
        turn_part(rate, t, q, m);
    }
    cri_lanes lost = lost_share(before, m), scale = unit_scale(q);
    cri_lanes3 axes[3], turned = cri_lanes3_zero();
    for (int k = 0; k < 4; k++) {
        q[k] = cri_lanes_pick(turns, q[k] * scale, l->rotation[k]);
        cri_lanes_store(&b->rotation[k][at], q[k]);
    }
    axes_of(q, axes);
    for (int k = 0; k < 3; k++) {
        turned = cri_lanes3_mad(turned, m[k] / lanes_max(inertias[k], tiny), axes[k]);
    }
    *spin = cri_lanes3_pick(turns, cri_lanes3_mad(turned, lost, turned), *spin);
}

// Until it is struck a body turns on as before.
static inline lie turn_before(const cri_large *w, int at, const lie *l, cri_lanes late)
{
    lie out = *l;
    cri_mask waits = is_less(cri_lanes_all(0), late);
    if (cri_mask_any(waits)) {
        cri_lanes3 half = cri_lanes3_scale(late * (0.5f * w->h), load3(w->b.spin, at));
        cri_lanes turn[4] = {half.x, half.y, half.z, cri_lanes_all(1)}, q[4];
        quat_mul(turn, l->rotation, q);
        for (int k = 0; k < 4; k++) {
            out.rotation[k] = cri_lanes_pick(waits, q[k], l->rotation[k]);
        }
        axes_of(out.rotation, out.axes);
    }
    return out;
}

// Where bodies stop before the piece is over: the way until then, and the share of it in which they
// turn as they do after they were struck. What stands for the rest of the piece is not made faster
// by forces in that time: falling without coming down would gain energy.
static inline void hold_eight(const cri_large *w, int at, cri_lanes late, cri_lanes3 *way,
                              cri_lanes3 *next, cri_lanes *turns)
{
    cri_lanes hold = cri_lanes_load(&w->b.hold[at]), before = lanes_min(late, hold);
    cri_mask held = is_less(hold, cri_lanes_all(1));
    cri_lanes3 push = load3(w->b.push, at), went;
    went = cri_lanes3_scale(before * w->h, load3(w->b.velocity, at));
    went = cri_lanes3_mad(went, (hold - before) * w->h, *next);
    *way = cri_lanes3_pick(held, went, *way);
    *turns = cri_lanes_pick(held, hold - before, *turns);
    cri_lanes idle = (1.0f - hold) * w->h;
    cri_mask gains = is_less(idle * cri_lanes3_dot(push, push), cri_lanes3_dot(*next, push)) & held;
    *next = cri_lanes3_pick(gains, cri_lanes3_mad(*next, -idle, push), *next);
}

static inline void move_eight(cri_large *w, int at)
{
    const cri_large_bodies *b = &w->b;
    lie l = lie_of(w, at);
    rows own;
    cri_lanes speed[8], h = cri_lanes_all(w->h);
    for (int i = 0; i < CRI_LANES; i++) {
        own.of[i] = at + i;
    }
    gather(w->speeds, CRI_SPEED_ROW, &own, speed);
    cri_mask pushed = load_mask(b->pushed, at);
    cri_lanes late = cri_lanes_load(&b->late[at]);
    cri_lanes3 v = load3(b->velocity, at), free = load3(b->next_velocity, at);
    cri_lanes3 next = three_of(speed), swing = load3(b->swing, at);
    cri_lanes3 change = cri_lanes3_sub(three_of(&speed[4]), swing),
               push = cri_lanes3_sub(next, free);
    // What no impulse reached goes on the parabola of its forces.
    cri_mask met =
        is_less(cri_lanes_all(0), cri_lanes3_dot(push, push) + cri_lanes3_dot(change, change));
    cri_lanes3 mean = cri_lanes3_scale(cri_lanes_all(0.5f), cri_lanes3_add(v, next));
    mean = cri_lanes3_pick(met, cri_lanes3_mad(next, late, cri_lanes3_sub(v, next)), mean);
    cri_lanes3 way = cri_lanes3_scale(h, mean);
    cri_lanes turns = 1.0f - late;
    if (w->holds) {
        hold_eight(w, at, late, &way, &next, &turns);
        late = lanes_min(late, cri_lanes_load(&b->hold[at]));
        speed[0] = next.x, speed[1] = next.y, speed[2] = next.z;
    }
    cri_lanes3 spin = load3(b->next_spin, at);
    spin = cri_lanes3_add(spin, cri_lanes3_keep(pushed, sym_mul(&l.unroot, change)));
    cri_lanes3 sum = cri_lanes3_add(load3(b->way, at), way);
    store3(b->way, at, sum);
    store3(b->place, at, cri_lanes3_add(load3(b->start, at), sum));
    lie then = turn_before(w, at, &l, late);
    turn_eight(w, at, &then, h * turns, &spin);
    // What relaxes begins with these.
    swing = cri_lanes3_keep(pushed, sym_mul(&l.root, spin));
    store3(b->next_velocity, at, next);
    store3(b->next_spin, at, spin);
    store3(b->swing, at, swing);
    speed[4] = swing.x, speed[5] = swing.y, speed[6] = swing.z;
    scatter(w->speeds, CRI_SPEED_ROW, &own, ALL_LANES, speed);
}

static void move(cri_large *w, int first, int end)
{
    for (int at = first * CRI_LOT; at < end * CRI_LOT; at += CRI_LANES) {
        move_eight(w, at);
    }
}

// The velocities that are left when all is relaxed. What was not pushed keeps its spin to the bit.
static void take(cri_large *w, int first, int end)
{
    for (int at = first * CRI_LOT; at < end * CRI_LOT; at += CRI_LANES) {
        solved_motion m = solved_of(w, at);
        store3(w->b.velocity, at, settle(m.velocity));
        store3(w->b.spin, at, settle(m.spin));
    }
}

#endif
