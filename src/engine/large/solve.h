// Impulses of a large world: lots of eight patches that share no body. See large.h for what differs
// from small worlds, and lanes/patch.h for swings: a row of an end tells both how fast a point is
// and what a unit of impulse does.
//
//     normal    one row a point: its impulse is never negative
//     friction  two directions and a twist about the normal, at the middle of the points, weighed
//     by
//               how near they are. While the patch sticks the two are solved together (a 2 by 2
//               block); when it slips, with one mobility for all directions. The most that the
//               twist can hold is friction times load times the mean distance of points from the
//               middle.
#ifndef CRI_LARGE_SOLVE_H
#define CRI_LARGE_SOLVE_H

#include "engine/lanes/patch.h"
#include "engine/large/rows.h"

// A point at work.
typedef struct stud {
    cri_lanes3 turn[2];
    cri_lanes yield, impulse;
    cri_lanes target, rest; // m/s; rest: once bodies have moved, of a point that is shut
} stud;

// Friction at work.
typedef struct rub {
    cri_lanes3 turn[2][2], twist_turn[2];
    cri_lanes base[3];        // speeds along slide and across and about the normal of a driven end
    cri_lanes block[3], slip; // inverse mobilities
    cri_lanes twist_yield, arm;
    cri_lanes hold[2]; // inverse coefficients
    cri_lanes impulse[2], twist;
} rub;

typedef struct bundle {
    rows pairs, movers[2];
    int point_count;
    unsigned pushed[2]; // lanes whose ends are
    cri_lanes3 normal, slide, across;
    cri_lanes mass; // the speed that a unit along the normal gives, without turning
    stud points[CRI_LARGE_POINTS];
    rub rub;
    cri_lanes hit;     // s: when it bounces in this substep
    cri_mask bounces;  // it does
    cri_lanes feature; // as found
} bundle;

// What only the sweep needs: where points lie about their middle, and rows of pressures that grow
// along slide and across.
typedef struct bed {
    cri_lanes u[CRI_LARGE_POINTS], v[CRI_LARGE_POINTS];
    cri_lanes3 turn[2][3];
    cri_lanes spread[4]; // inverse moments of the points: count, uu, uv, vv
    cri_mask on[CRI_LARGE_POINTS];
    cri_mask still[2], alone;
} bed;

INLINE bed *bed_at(const cri_large *w, const bundle *s)
{
    return (bed *)w->spots + (s - (const bundle *)w->bundles);
}

INLINE bundle *bundle_at(const cri_large *w, int lot)
{
    return (bundle *)w->bundles + lot * (CRI_LOT / CRI_LANES);
}

// ---------------------------------------------------------------------------------------------
// Preparing.

// A patch while it is made.
typedef struct making {
    body_seen ends[2];
    cri_lanes3 next[2], swing[2]; // predicted
    cri_lanes3 apart;             // from the center of the first to that of the second
    cri_lanes gap[CRI_LARGE_POINTS];
    cri_lanes3 lever[CRI_LARGE_POINTS]; // of the second
    cri_mask on[CRI_LARGE_POINTS];
    cri_lanes share[CRI_LARGE_POINTS]; // of the middle, and of the guess
    cri_lanes3 middle;                 // lever of the second
    cri_lanes friction, static_friction, restitution, along;
} making;

INLINE cri_lanes3 times_mass(const body_seen *s, cri_lanes3 v)
{
    return cri_lanes3_of(s->mass * v.x, s->mass * v.y, s->lift_mass * v.z);
}

INLINE cri_lanes3 first_lever(const making *m, cri_lanes3 lever)
{
    return cri_lanes3_add(lever, m->apart);
}

// The swing that a unit of impulse along a direction gives to an end.
INLINE cri_lanes3 end_turn(const making *m, int end, cri_lanes3 lever, cri_lanes3 along)
{
    cri_lanes3 r = end ? lever : first_lever(m, lever);
    cri_lanes3 turn = sym_mul(&m->ends[end].unroot, cri_lanes3_cross(r, along));
    return end ? turn : cri_lanes3_scale(cri_lanes_all(-1), turn);
}

static inline void load_making(const cri_large *w, bundle *s, making *m)
{
    cri_lanes one[8], two[8], three[8], speed[8], how[8];
    rows manners;
    gather(w->found, CRI_FOUND_ROW, &s->pairs, one);
    gather(w->found + 8, CRI_FOUND_ROW, &s->pairs, two);
    gather(w->found + 16, CRI_FOUND_ROW, &s->pairs, three);
    s->normal = three_of(one);
    s->feature = one[3];
    const cri_lanes3 arms[CRI_LARGE_POINTS] = {three_of(two), three_of(&two[3]),
                                               cri_lanes3_of(two[6], two[7], three[0]),
                                               three_of(&three[1])};
    for (int i = 0; i < CRI_LARGE_POINTS; i++) {
        m->gap[i] = one[4 + i];
        m->on[i] = is_less(one[4 + i], cri_lanes_all(0.5f * CRI_NO_POINT));
        m->lever[i] = arms[i];
    }
    for (int k = 0; k < 2; k++) {
        m->ends[k] = see_body(w, &s->movers[k]);
        gather(w->speeds, CRI_SPEED_ROW, &s->movers[k], speed);
        m->next[k] = three_of(speed);
        m->swing[k] = three_of(&speed[4]);
        s->pushed[k] = cri_mask_bits(is_less(cri_lanes_all(0), m->ends[k].mass));
    }
    m->apart = cri_lanes3_sub(m->ends[1].place, m->ends[0].place);
    for (int i = 0; i < CRI_LANES; i++) {
        manners.of[i] = w->pairs[s->pairs.of[i]].manner;
    }
    gather(&w->numbers->manners[0].friction, sizeof(cri_manner) / sizeof(float), &manners, how);
    m->friction = how[0], m->static_friction = how[1], m->restitution = how[2], m->along = how[5];
}

// Shares of the points by how near they are, and their middle.
#define NEARNESS 1e-4f // m

static inline void find_shares(making *m)
{
    cri_lanes least = cri_lanes_all(CRI_NO_POINT), sum = cri_lanes_all(1e-20f);
    for (int i = 0; i < CRI_LARGE_POINTS; i++) {
        least = lanes_min(least, m->gap[i]);
    }
    for (int i = 0; i < CRI_LARGE_POINTS; i++) {
        cri_lanes near = NEARNESS / (m->gap[i] - least + NEARNESS);
        m->share[i] = cri_lanes_keep(m->on[i], near * near);
        sum = sum + m->share[i];
    }
    m->middle = cri_lanes3_zero();
    for (int i = 0; i < CRI_LARGE_POINTS; i++) {
        m->share[i] = m->share[i] / sum;
        m->middle = cri_lanes3_mad(m->middle, m->share[i], m->lever[i]);
    }
}

// Two directions across the normal (Duff and others 2017), or along a grain.
static inline void lay_bundle(const cri_large *w, bundle *s, const making *m)
{
    cri_lanes3 n = s->normal;
    cri_lanes one = cri_lanes_all(1), sign = sign_of(n.z), a = -1.0f / (sign + n.z);
    cri_lanes b = n.x * n.y * a;
    s->slide = cri_lanes3_of(one + sign * n.x * n.x * a, sign * b, -(sign * n.x));
    cri_lanes3 slip = cri_lanes3_sub(
        cri_lanes3_add(m->ends[1].velocity, cri_lanes3_cross(m->ends[1].spin, m->middle)),
        cri_lanes3_add(m->ends[0].velocity,
                       cri_lanes3_cross(m->ends[0].spin, first_lever(m, m->middle))));
    slip = cri_lanes3_mad(slip, -cri_lanes3_dot(slip, n), n);
    cri_mask sticks = is_less(cri_lanes3_dot(slip, slip), cri_lanes_all(STICK_SPEED * STICK_SPEED));
    cri_lanes hold = cri_lanes_pick(sticks, m->static_friction, m->friction), least = one * 1e-9f;
    cri_lanes along = hold;
    cri_lanes3 grain = cri_lanes3_zero();
    bool any = false;
    for (int i = 0; i < CRI_LANES; i++) {
        if (w->pairs[s->pairs.of[i]].grained) {
            cr_vec3 g = cri_large_grain(w, &w->pairs[s->pairs.of[i]]);
            cri_lanes_set(&grain.x, i, (float)g.x);
            cri_lanes_set(&grain.y, i, (float)g.y);
            cri_lanes_set(&grain.z, i, (float)g.z);
            any = true;
        }
    }
    if (any) {
        cri_lanes3 level = cri_lanes3_mad(grain, -cri_lanes3_dot(grain, n), n);
        cri_lanes length = cri_lanes3_length(level);
        cri_mask laid = is_less(cri_lanes_all(1e-3f), length);
        level = cri_lanes3_scale(1.0f / cri_lanes_pick(laid, length, one), level);
        s->slide = cri_lanes3_pick(laid, level, s->slide);
        along = cri_lanes_pick(laid, m->along, hold);
    }
    s->across = cri_lanes3_cross(n, s->slide);
    s->rub.hold[0] = 1.0f / lanes_max(along, least);
    s->rub.hold[1] = 1.0f / lanes_max(hold, least);
}

// What a driven end's spin adds to the speeds of friction.
static inline void add_base(rub *r, const bundle *s, const making *m, int end)
{
    const body_seen *e = &m->ends[end];
    if (cri_mask_any(e->driven)) {
        cri_lanes3 lever = end ? m->middle : first_lever(m, m->middle);
        cri_lanes3 w = cri_lanes3_keep(e->driven, e->spin);
        w = cri_lanes3_scale(cri_lanes_all(end ? 1 : -1), w);
        cri_lanes3 v = cri_lanes3_cross(w, lever);
        r->base[0] = r->base[0] + cri_lanes3_dot(v, s->slide);
        r->base[1] = r->base[1] + cri_lanes3_dot(v, s->across);
        r->base[2] = r->base[2] + cri_lanes3_dot(w, s->normal);
    }
}

// The most that a twist holds, over the load: the mean distance of points from their middle, over
// the coefficient across the slide.
static inline void set_arm(rub *r, const making *m)
{
    r->arm = cri_lanes_all(0);
    for (int i = 0; i < CRI_LARGE_POINTS; i++) {
        cri_lanes3 d = cri_lanes3_sub(m->lever[i], m->middle);
        r->arm = r->arm + m->share[i] * cri_lanes3_length(d);
    }
    r->arm = cri_lanes_keep(is_less(r->hold[1], cri_lanes_all(1e8f)), r->arm / r->hold[1]);
}

// Rows and mobilities of friction.
static inline void make_rub(bundle *s, const making *m)
{
    rub *r = &s->rub;
    const cri_lanes3 along[2] = {s->slide, s->across};
    cri_lanes k[3] = {cri_lanes_all(0), cri_lanes_all(0), cri_lanes_all(0)}, spin = k[0];
    cri_mask all = cri_mask_all(-1);
    r->base[0] = r->base[1] = r->base[2] = cri_lanes_all(0);
    for (int end = 0; end < 2; end++) {
        const body_seen *e = &m->ends[end];
        const cri_lanes3 *turn = r->turn[end];
        for (int d = 0; d < 2; d++) {
            r->turn[end][d] = end_turn(m, end, m->middle, along[d]);
        }
        cri_lanes3 one = times_mass(e, along[0]), two = times_mass(e, along[1]);
        k[0] = k[0] + cri_lanes3_dot(along[0], one) + cri_lanes3_dot(turn[0], turn[0]);
        k[1] = k[1] + cri_lanes3_dot(along[0], two) + cri_lanes3_dot(turn[0], turn[1]);
        k[2] = k[2] + cri_lanes3_dot(along[1], two) + cri_lanes3_dot(turn[1], turn[1]);
        cri_lanes3 twist = sym_mul(&e->unroot, s->normal);
        r->twist_turn[end] = cri_lanes3_scale(cri_lanes_all(end ? 1 : -1), twist);
        spin = spin + cri_lanes3_dot(twist, twist);
        add_base(r, s, m, end);
    }
    cri_lanes half = (k[0] - k[2]) * 0.5f, det = invert(k[0] * k[2] - k[1] * k[1], all);
    cri_lanes most = (k[0] + k[2]) * 0.5f + cri_lanes_sqrt(half * half + k[1] * k[1]);
    r->block[0] = k[2] * det, r->block[1] = -(k[1] * det), r->block[2] = k[0] * det;
    r->slip = invert(most, all);
    r->twist_yield = invert(spin, all);
    set_arm(r, m);
}

// m/s of separation that undoes an overlap, or lets a gap close and no more.
INLINE cri_lanes undo_gap(const cri_large *w, cri_lanes gap)
{
    float rate = 1 / w->h;
    cri_lanes apart = lanes_min(gap * (-OVERLAP_SHARE * rate), cri_lanes_all(UNDO_MAX));
    return cri_lanes_pick(is_less(gap, cri_lanes_all(0)), apart, -gap * rate);
}

// What is asked of a point: as ask_patch in lanes/visit.h.
static inline void ask_point(const cri_large *w, bundle *s, const making *m, int i)
{
    stud *p = &s->points[i];
    cri_lanes now = cri_lanes_all(0), base = now, zero = now;
    for (int end = 0; end < 2; end++) {
        const body_seen *e = &m->ends[end];
        cri_lanes3 lever = end ? m->lever[i] : first_lever(m, m->lever[i]);
        cri_lanes turn = cri_lanes3_dot(s->normal, cri_lanes3_cross(e->spin, lever));
        cri_lanes speed = cri_lanes3_dot(s->normal, e->velocity) + turn;
        now = end ? now + speed : now - speed;
        turn = cri_lanes_keep(e->driven, turn);
        base = end ? base + turn : base - turn;
    }
    cri_lanes next = cri_lanes3_dot(s->normal, cri_lanes3_sub(m->next[1], m->next[0])) + base;
    next = next + cri_lanes3_dot(p->turn[0], m->swing[0]) + cri_lanes3_dot(p->turn[1], m->swing[1]);
    cri_lanes fastest = lanes_min(now, next), gap = m->gap[i];
    cri_mask there = is_less(gap, cri_lanes_all(1.5f * IMPACT_GAP));
    there = there | (is_less(zero, m->restitution) & is_less(gap + fastest * w->h, zero));
    cri_mask bounce = m->on[i] & there & is_less(now, cri_lanes_all(-BOUNCE_MIN));
    cri_lanes hit = lanes_max(gap, zero) / -lanes_min(fastest, cri_lanes_all(-1e-3f));
    hit = lanes_min(hit, cri_lanes_all(w->h));
    cri_lanes share = hit * (1 / w->h), change = next - now;
    cri_lanes back = change * (1.0f - share) - (now + change * share) * m->restitution;
    back = cri_lanes_pick(bounce, back, cri_lanes_all(-FAR));
    s->hit = cri_lanes_pick(bounce & is_less(zero, gap), lanes_min(s->hit, hit), s->hit);
    s->bounces = s->bounces | bounce;
    p->target = lanes_max(undo_gap(w, gap), back) - base;
    p->rest = lanes_max(zero, back) - base;
    p->target = cri_lanes_pick(m->on[i], p->target, cri_lanes_all(-FAR));
    p->rest = cri_lanes_pick(m->on[i], p->rest, cri_lanes_all(-FAR));
}

// The impulses that it begins with: those of the last substep, point by point where these are the
// same, else by their shares.
static inline void recall_points(const cri_large *w, bundle *s, const making *m)
{
    cri_lanes one[8], two[8], sum;
    gather(w->kept, CRI_KEPT_ROW, &s->pairs, one);
    gather(w->kept + 8, CRI_KEPT_ROW, &s->pairs, two);
    sum = one[0] + one[1] + one[2] + one[3];
    cri_mask same = is_same(two[0], s->feature), lasts = is_less(two[1], cri_lanes_all(0.5f));
    for (int i = 0; i < CRI_LARGE_POINTS; i++) {
        cri_lanes impulse = cri_lanes_pick(same, one[i], sum * m->share[i]);
        s->points[i].impulse = cri_lanes_keep(m->on[i] & lasts, impulse);
    }
    cri_lanes3 drag = cri_lanes3_keep(lasts, three_of(&one[4]));
    s->rub.impulse[0] = cri_lanes3_dot(drag, s->slide);
    s->rub.impulse[1] = cri_lanes3_dot(drag, s->across);
    s->rub.twist = cri_lanes_keep(lasts, one[7] * (sum * s->rub.arm));
}

// As spread_patch in lanes/patch.h.
static inline void make_bed(const cri_large *w, const bundle *s, const making *m)
{
    bed *b = bed_at(w, s);
    cri_lanes count = cri_lanes_all(1e-6f), uu = cri_lanes_all(0), uv = uu, vv = uu;
    cri_lanes3 middle = cri_lanes3_zero();
    for (int i = 0; i < CRI_LARGE_POINTS; i++) {
        b->on[i] = m->on[i];
        count = count + cri_lanes_keep(m->on[i], cri_lanes_all(1));
        middle = cri_lanes3_add(middle, cri_lanes3_keep(m->on[i], m->lever[i]));
    }
    b->spread[0] = 1.0f / count;
    middle = cri_lanes3_scale(b->spread[0], middle);
    for (int i = 0; i < CRI_LARGE_POINTS; i++) {
        cri_lanes3 r = cri_lanes3_sub(m->lever[i], middle);
        b->u[i] = cri_lanes_keep(m->on[i], cri_lanes3_dot(r, s->slide));
        b->v[i] = cri_lanes_keep(m->on[i], cri_lanes3_dot(r, s->across));
        uu = uu + b->u[i] * b->u[i];
        uv = uv + b->u[i] * b->v[i];
        vv = vv + b->v[i] * b->v[i];
    }
    cri_lanes least = (uu + vv) * 1e-3f + 1e-9f;
    uu = uu + least, vv = vv + least;
    cri_lanes det = 1.0f / (uu * vv - uv * uv);
    b->spread[1] = vv * det, b->spread[2] = -(uv * det), b->spread[3] = uu * det;
    for (int end = 0; end < 2; end++) {
        cri_lanes sign = cri_lanes_all(end ? 1 : -1);
        const sym *unroot = &m->ends[end].unroot;
        b->turn[end][0] = end_turn(m, end, middle, s->normal);
        b->turn[end][1] = cri_lanes3_scale(-sign, sym_mul(unroot, s->across));
        b->turn[end][2] = cri_lanes3_scale(sign, sym_mul(unroot, s->slide));
    }
    for (int i = 0; i < CRI_LANES; i++) {
        const cri_large_pair *p = &w->pairs[s->pairs.of[i]];
        cri_mask_set(&b->still[0], i, p->still[0] ? -1 : 0);
        cri_mask_set(&b->still[1], i, p->still[1] ? -1 : 0);
        cri_mask_set(&b->alone, i, p->alone ? -1 : 0);
    }
}

static inline void prepare_bundle(const cri_large *w, bundle *s)
{
    making m;
    load_making(w, s, &m);
    find_shares(&m);
    lay_bundle(w, s, &m);
    make_rub(s, &m);
    s->mass = cri_lanes3_dot(s->normal, times_mass(&m.ends[0], s->normal)) +
              cri_lanes3_dot(s->normal, times_mass(&m.ends[1], s->normal));
    s->hit = cri_lanes_all(w->h);
    s->bounces = cri_mask_all(0);
    s->point_count = 0;
    for (int i = 0; i < CRI_LARGE_POINTS; i++) {
        stud *p = &s->points[i];
        p->turn[0] = end_turn(&m, 0, m.lever[i], s->normal);
        p->turn[1] = end_turn(&m, 1, m.lever[i], s->normal);
        cri_lanes mobile = s->mass + cri_lanes3_dot(p->turn[0], p->turn[0]) +
                           cri_lanes3_dot(p->turn[1], p->turn[1]);
        p->yield = invert(mobile, m.on[i]);
        ask_point(w, s, &m, i);
        if (cri_mask_any(m.on[i])) {
            s->point_count = i + 1;
        }
    }
    recall_points(w, s, &m);
    make_bed(w, s, &m);
}

static void prepare(cri_large *w, int first, int end)
{
    for (int lot = first; lot < end; lot++) {
        w->struck[lot] = false;
        for (int part = 0; part < CRI_LOT / CRI_LANES; part++) {
            bundle *s = bundle_at(w, lot) + part;
            for (int i = 0; i < CRI_LANES; i++) {
                int pair = w->lots[lot].patches[part * CRI_LANES + i];
                s->pairs.of[i] = pair;
                s->movers[0].of[i] = w->pairs[pair].movers[0];
                s->movers[1].of[i] = w->pairs[pair].movers[1];
            }
            prepare_bundle(w, s);
            w->struck[lot] = w->struck[lot] || cri_mask_any(s->bounces);
        }
    }
}

// ---------------------------------------------------------------------------------------------
// Giving.

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
        cri_lanes m[8];
        memcpy(m, d->speed[k], sizeof m);
#if CRI_LANES > 1
        cri_lanes_transpose(m);
        for (int i = 0; i < 8; i++) {
            if ((s->pushed[k] >> i) & 1) {
                cri_lanes_store(&w->speeds[(size_t)s->movers[k].of[i] * CRI_SPEED_ROW], m[i]);
            }
        }
#else
        if (s->pushed[k]) {
            memcpy(&w->speeds[(size_t)s->movers[k].of[0] * CRI_SPEED_ROW], m, sizeof m);
        }
#endif
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

INLINE cri_lanes swing_along(const cri_lanes3 swing[2], cri_lanes3 one, cri_lanes3 two)
{
    return cri_lanes3_dot(one, swing[0]) + cri_lanes3_dot(two, swing[1]);
}

// A point that presses is shut when bodies have moved; others still have a part of their gap.
INLINE cri_lanes goal_at_rest(const stud *p)
{
    cri_mask shut = is_less(cri_lanes_all(0), p->impulse);
    return cri_lanes_pick(shut, p->rest, lanes_min(p->target, p->rest));
}

// Impulses along the normal; returns their sum's change.
INLINE cri_lanes press_points(bundle *s, const both *d, cri_lanes3 swing[2], bool relax,
                              cri_lanes *load)
{
    cri_lanes speed = cri_lanes3_dot(s->normal, velocity_between(d)), sum = cri_lanes_all(0);
    *load = sum;
    for (int i = 0; i < s->point_count; i++) {
        stud *p = &s->points[i];
        cri_lanes now = speed + swing_along(swing, p->turn[0], p->turn[1]);
        cri_lanes goal = relax ? goal_at_rest(p) : p->target;
        cri_lanes impulse = lanes_max(p->impulse + (goal - now) * p->yield, cri_lanes_all(0));
        cri_lanes change = impulse - p->impulse;
        p->impulse = impulse;
        speed = speed + s->mass * change;
        swing[0] = cri_lanes3_mad(swing[0], change, p->turn[0]);
        swing[1] = cri_lanes3_mad(swing[1], change, p->turn[1]);
        sum = sum + change;
        *load = *load + impulse;
    }
    return sum;
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
        cri_lanes share = share_of(load, cri_lanes_sqrt(x * x + y * y));
        one = cri_lanes_pick(slips, a * share, one);
        two = cri_lanes_pick(slips, b * share, two);
    }
    changes[0] = one - r->impulse[0], changes[1] = two - r->impulse[1];
    r->impulse[0] = one, r->impulse[1] = two;
}

INLINE void twist_patch(rub *r, cri_lanes3 swing[2], cri_lanes load)
{
    cri_lanes speed = swing_along(swing, r->twist_turn[0], r->twist_turn[1]) + r->base[2];
    cri_lanes most = load * r->arm;
    cri_lanes twist = lanes_max(lanes_min(r->twist - speed * r->twist_yield, most), -most);
    cri_lanes change = twist - r->twist;
    r->twist = twist;
    swing[0] = cri_lanes3_mad(swing[0], change, r->twist_turn[0]);
    swing[1] = cri_lanes3_mad(swing[1], change, r->twist_turn[1]);
}

INLINE void visit_bundle(const cri_large *w, bundle *s, bool relax)
{
    both d = take_both(w, s);
    rub *r = &s->rub;
    cri_lanes3 swing[2] = {three_of(&d.speed[0][4]), three_of(&d.speed[1][4])};
    cri_lanes load, changes[2], push = press_points(s, &d, swing, relax, &load);
    push_both(&d, cri_lanes3_scale(push, s->normal));
    twist_patch(r, swing, load);
    cri_lanes3 slip = velocity_between(&d);
    const cri_lanes speeds[2] = {cri_lanes3_dot(slip, s->slide) +
                                     swing_along(swing, r->turn[0][0], r->turn[1][0]) + r->base[0],
                                 cri_lanes3_dot(slip, s->across) +
                                     swing_along(swing, r->turn[0][1], r->turn[1][1]) + r->base[1]};
    rub_patch(r, speeds, load, changes);
    push_both(&d, cri_lanes3_mad(cri_lanes3_scale(changes[0], s->slide), changes[1], s->across));
    for (int k = 0; k < 2; k++) {
        swing[k] = cri_lanes3_mad(swing[k], changes[0], r->turn[k][0]);
        swing[k] = cri_lanes3_mad(swing[k], changes[1], r->turn[k][1]);
        d.speed[k][4] = swing[k].x, d.speed[k][5] = swing[k].y, d.speed[k][6] = swing[k].z;
    }
    give_both(w, s, &d);
}

static void visit_lots(cri_large *w, int first, int end)
{
    bundle *s = bundle_at(w, first), *last = bundle_at(w, end);
    for (; s < last; s++) {
        visit_bundle(w, s, false);
    }
}

// Give the impulses that patches begin with.
static void recall(cri_large *w, int first, int end)
{
    bundle *s = bundle_at(w, first), *last = bundle_at(w, end);
    for (; s < last; s++) {
        both d = take_both(w, s);
        const rub *r = &s->rub;
        cri_lanes sum = cri_lanes_all(0);
        cri_lanes3 swing[2] = {three_of(&d.speed[0][4]), three_of(&d.speed[1][4])};
        for (int i = 0; i < s->point_count; i++) {
            cri_lanes impulse = s->points[i].impulse;
            sum = sum + impulse;
            swing[0] = cri_lanes3_mad(swing[0], impulse, s->points[i].turn[0]);
            swing[1] = cri_lanes3_mad(swing[1], impulse, s->points[i].turn[1]);
        }
        cri_lanes3 push = cri_lanes3_scale(sum, s->normal);
        push = cri_lanes3_mad(push, r->impulse[0], s->slide);
        push_both(&d, cri_lanes3_mad(push, r->impulse[1], s->across));
        for (int k = 0; k < 2; k++) {
            swing[k] = cri_lanes3_mad(swing[k], r->impulse[0], r->turn[k][0]);
            swing[k] = cri_lanes3_mad(swing[k], r->impulse[1], r->turn[k][1]);
            swing[k] = cri_lanes3_mad(swing[k], r->twist, r->twist_turn[k]);
            d.speed[k][4] = swing[k].x, d.speed[k][5] = swing[k].y, d.speed[k][6] = swing[k].z;
        }
        give_both(w, s, &d);
    }
}

// When bodies are struck: they go on as before until then.
static inline void note_late(cri_large *w, const bundle *s)
{
    cri_lanes sum = cri_lanes_all(0);
    for (int i = 0; i < s->point_count; i++) {
        sum = sum + s->points[i].impulse;
    }
    cri_lanes share = s->hit * (1 / w->h);
    unsigned bits = cri_mask_bits(s->bounces & is_less(cri_lanes_all(0), sum) &
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
    for (int lot = first; lot < end; lot++) {
        for (int part = 0; part < CRI_LOT / CRI_LANES && w->struck[lot]; part++) {
            note_late(w, bundle_at(w, lot) + part);
        }
    }
}

// Keep the impulses for the next substep, and for what is reported.
static inline void keep_bundle(const cri_large *w, const bundle *s)
{
    int count = 0; // lanes without a patch come last
    while (count < CRI_LANES && s->pairs.of[count] < w->pair_count) {
        count++;
    }
    cri_lanes zero = cri_lanes_all(0), load = zero, one[8], two[8];
    cri_lanes3 drag = cri_lanes3_scale(s->rub.impulse[0], s->slide);
    drag = cri_lanes3_mad(drag, s->rub.impulse[1], s->across);
    for (int i = 0; i < CRI_LARGE_POINTS; i++) {
        one[i] = i < s->point_count ? s->points[i].impulse : zero;
        load = load + one[i];
    }
    // The twist as a share of the most that it can be.
    cri_lanes most = lanes_max(load * s->rub.arm, cri_lanes_all(1e-20f));
    one[4] = drag.x, one[5] = drag.y, one[6] = drag.z, one[7] = s->rub.twist / most;
    two[0] = s->feature, two[1] = cri_lanes_keep(s->bounces, cri_lanes_all(1));
    two[2] = two[3] = two[4] = two[5] = two[6] = two[7] = zero;
    if (count > 0) {
        scatter(w->kept, CRI_KEPT_ROW, &s->pairs, count, one);
        scatter(w->kept + 8, CRI_KEPT_ROW, &s->pairs, count, two);
    }
}

// A round without undoing overlaps, after the move; what presses then is kept.
static void relax_lots(cri_large *w, int first, int end)
{
    bundle *s = bundle_at(w, first), *last = bundle_at(w, end);
    for (; s < last; s++) {
        visit_bundle(w, s, true);
        keep_bundle(w, s);
    }
}

#endif
