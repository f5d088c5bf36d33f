// Patches of a large world made ready: what lots at work begin a substep with.
#ifndef CRI_LARGE_PREPARE_H
#define CRI_LARGE_PREPARE_H

#include "engine/large/lot.h"

// A patch while it is made.
typedef struct making {
    body_seen ends[2];
    cri_lanes3 apart; // from the center of the first to that of the second
    cri_lanes gap[CRI_LARGE_POINTS];
    cri_lanes3 lever[CRI_LARGE_POINTS]; // of the second
    cri_mask on[CRI_LARGE_POINTS];
    cri_lanes share[CRI_LARGE_POINTS]; // of the middle, and of the guess
    cri_lanes3 middle;                 // lever of the second
    cri_lanes3 across;
    cri_lanes friction, static_friction, restitution, along;
    cri_lanes feature;
} making;

INLINE cri_lanes3 times_mass(const body_seen *s, cri_lanes3 v)
{
    return cri_lanes3_of(s->mass * v.x, s->mass * v.y, s->lift_mass * v.z);
}

INLINE cri_lanes3 first_lever(const making *m, cri_lanes3 lever)
{
    return cri_lanes3_add(lever, m->apart);
}

static inline void load_making(const cri_large *w, bundle *s, making *m)
{
    cri_lanes one[8], two[8], three[8], how[8];
    rows manners;
    gather(w->found, CRI_FOUND_ROW, &s->pairs, one);
    gather(w->arms, CRI_ARMS_ROW, &s->pairs, two);
    gather(w->arms + 4, CRI_ARMS_ROW, &s->pairs, three);
    s->normal = three_of(one);
    m->feature = one[3];
    const cri_lanes3 arms[CRI_LARGE_POINTS] = {three_of(two), three_of(&two[3]),
                                               cri_lanes3_of(two[6], two[7], three[4]),
                                               three_of(&three[5])};
    for (int i = 0; i < CRI_LARGE_POINTS; i++) {
        m->gap[i] = one[4 + i];
        m->on[i] = is_less(one[4 + i], cri_lanes_all(0.5f * CRI_NO_POINT));
        m->lever[i] = arms[i];
    }
    for (int k = 0; k < 2; k++) {
        m->ends[k] = see_body(w, &s->movers[k]);
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
    cri_lanes least = cri_lanes_all(CRI_NO_POINT), sum = cri_lanes_all(TINY);
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
static inline void lay_bundle(const cri_large *w, bundle *s, making *m)
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
    cri_lanes hold = holding(slip, m->static_friction, m->friction), least = one * 1e-9f;
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
        cri_mask laid = is_less(cri_lanes_all(GRAIN_MIN), length);
        level = cri_lanes3_scale(1.0f / cri_lanes_pick(laid, length, one), level);
        s->slide = cri_lanes3_pick(laid, level, s->slide);
        along = cri_lanes_pick(laid, m->along, hold);
    }
    m->across = across_in(s);
    s->rub.hold[0] = 1.0f / lanes_max(along, least);
    s->rub.hold[1] = 1.0f / lanes_max(hold, least);
}

// What a driven end's spin adds to the speeds of friction.
static inline void add_base(const bundle *s, const making *m, int end, rare *r)
{
    const body_seen *e = &m->ends[end];
    if (cri_mask_any(e->driven)) {
        cri_lanes3 lever = end ? m->middle : first_lever(m, m->middle);
        cri_lanes3 w = cri_lanes3_keep(e->driven, e->spin);
        w = cri_lanes3_scale(cri_lanes_all(end ? 1 : -1), w);
        cri_lanes3 v = cri_lanes3_cross(w, lever);
        r->base[0] = r->base[0] + cri_lanes3_dot(v, s->slide);
        r->base[1] = r->base[1] + cri_lanes3_dot(v, m->across);
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

static inline void set_axle(bundle *s, const making *m, int end)
{
    axle *x = &s->ends[end];
    cri_lanes3 lever = end ? m->middle : first_lever(m, m->middle);
    const cri_lanes3 along[3] = {s->slide, m->across, s->normal};
    for (int k = 0; k < 3; k++) {
        cri_lanes3 turn = sym_mul(&m->ends[end].unroot, along[k]);
        x->about[k] = end ? turn : cri_lanes3_scale(cri_lanes_all(-1), turn);
    }
    x->u = cri_lanes3_dot(lever, s->slide);
    x->v = cri_lanes3_dot(lever, m->across);
    x->depth = cri_lanes3_dot(lever, s->normal);
}

// Rows of friction at the middle.
INLINE cri_lanes3 slide_turn(const axle *x)
{
    return cri_lanes3_mad(cri_lanes3_scale(x->depth, x->about[ACROSS]), -x->v, x->about[NORMAL]);
}

INLINE cri_lanes3 across_turn(const axle *x)
{
    return cri_lanes3_mad(cri_lanes3_scale(x->u, x->about[NORMAL]), -x->depth, x->about[SLIDE]);
}

// How much a unit along two directions gives along them: the inverse, and the most of any.
INLINE void set_block(rub *r, const cri_lanes k[3])
{
    cri_mask all = cri_mask_all(-1);
    cri_lanes half = (k[0] - k[2]) * 0.5f, det = invert(k[0] * k[2] - k[1] * k[1], all);
    cri_lanes most = (k[0] + k[2]) * 0.5f + cri_lanes_sqrt(half * half + k[1] * k[1]);
    r->block[0] = k[2] * det, r->block[1] = -(k[1] * det), r->block[2] = k[0] * det;
    r->slip = invert(most, all);
}

// Mobilities of friction.
static inline void make_rub(bundle *s, const making *m)
{
    rub *r = &s->rub;
    cri_lanes zero = cri_lanes_all(0), k[3] = {zero, zero, zero}, spin = zero;
    r->lean[0] = r->lean[1] = zero;
    for (int end = 0; end < 2; end++) {
        const body_seen *e = &m->ends[end];
        const axle *x = &s->ends[end];
        cri_lanes3 turn[2] = {slide_turn(x), across_turn(x)}, twist = x->about[NORMAL];
        cri_lanes3 one = times_mass(e, s->slide), two = times_mass(e, m->across);
        k[0] = k[0] + cri_lanes3_dot(s->slide, one) + cri_lanes3_dot(turn[0], turn[0]);
        k[1] = k[1] + cri_lanes3_dot(s->slide, two) + cri_lanes3_dot(turn[0], turn[1]);
        k[2] = k[2] + cri_lanes3_dot(m->across, two) + cri_lanes3_dot(turn[1], turn[1]);
        r->lean[0] = r->lean[0] + cri_lanes3_dot(turn[0], twist);
        r->lean[1] = r->lean[1] + cri_lanes3_dot(turn[1], twist);
        spin = spin + cri_lanes3_dot(twist, twist);
    }
    set_block(r, k);
    r->twist_yield = invert(spin, cri_mask_all(-1));
    set_arm(r, m);
}

// How a patch parts: at some place, and how that changes along slide and across.
typedef struct tilt {
    cri_lanes speed, u, v;
} tilt;

INLINE cri_lanes speed_at(tilt t, cri_lanes u, cri_lanes v)
{
    return t.speed + u * t.u + v * t.v;
}

// One more end, by how fast it turns about slide and across.
INLINE void add_turning(tilt *t, cri_lanes u, cri_lanes v, cri_lanes slide, cri_lanes across)
{
    t->speed = t->speed + (v * slide - u * across);
    t->u = t->u - across;
    t->v = t->v + slide;
}

// What an end that turns so adds to how the patch parts at the middle.
INLINE void add_swing(tilt *t, const axle *x, cri_lanes3 swing)
{
    add_turning(t, x->u, x->v, cri_lanes3_dot(x->about[SLIDE], swing),
                cri_lanes3_dot(x->about[ACROSS], swing));
}

INLINE void add_spin(tilt *t, const bundle *s, const making *m, int end, cri_lanes3 spin)
{
    const axle *x = &s->ends[end];
    cri_lanes slide = cri_lanes3_dot(spin, s->slide), across = cri_lanes3_dot(spin, m->across);
    add_turning(t, x->u, x->v, end ? slide : -slide, end ? across : -across);
}

// How a patch parts now, how it will, and what of that driven ends do.
typedef struct partings {
    tilt now, next, base;
} partings;

static inline partings find_partings(const bundle *s, const making *m)
{
    cri_lanes zero = cri_lanes_all(0);
    tilt none = {zero, zero, zero};
    partings p = {none, none, none};
    for (int end = 0; end < 2; end++) {
        const body_seen *e = &m->ends[end];
        add_spin(&p.now, s, m, end, e->spin);
        add_swing(&p.next, &s->ends[end], e->swing);
        if (cri_mask_any(e->driven)) {
            add_spin(&p.base, s, m, end, cri_lanes3_keep(e->driven, e->spin));
        }
    }
    cri_lanes3 now = cri_lanes3_sub(m->ends[1].velocity, m->ends[0].velocity);
    p.now.speed = p.now.speed + cri_lanes3_dot(s->normal, now);
    p.next.speed =
        p.next.speed + cri_lanes3_dot(s->normal, cri_lanes3_sub(m->ends[1].next, m->ends[0].next));
    return p;
}

// What is asked of a point: as ask_patch in lanes/visit.h.
static inline void ask_point(const cri_large *w, const making *m, const partings *parts, int i,
                             stud *p, rare *r)
{
    cri_lanes zero = cri_lanes_all(0), gap = m->gap[i];
    cri_lanes base = speed_at(parts->base, p->u, p->v), now = speed_at(parts->now, p->u, p->v);
    cri_lanes next = speed_at(parts->next, p->u, p->v) + base, fastest = lanes_min(now, next);
    cri_mask springs = is_less(zero, m->restitution) & shuts(gap, fastest, cri_lanes_all(w->h));
    cri_mask bounce = m->on[i] & bounces(gap, now, springs);
    float rate = 1 / w->h;
    cri_lanes hit = hit_time(gap, fastest, cri_lanes_all(w->h));
    cri_lanes share = hit * rate, change = next - now;
    cri_lanes back = rebound(now + change * share, change * (1.0f - share), m->restitution);
    back = cri_lanes_pick(bounce, back, cri_lanes_all(-FAR));
    r->hit = cri_lanes_pick(bounce & is_less(zero, gap), lanes_min(r->hit, hit), r->hit);
    r->bounces = r->bounces | bounce;
    r->rest[i] = lanes_max(zero, back) - base;
    cri_lanes undo = cri_lanes_all(OVERLAP_SHARE * rate);
    cri_lanes apart = gap_target(gap, cri_lanes_all(rate), zero, undo, REAL(UNDO_MAX));
    p->target = lanes_max(apart, back) - base;
    p->target = cri_lanes_pick(m->on[i], p->target, cri_lanes_all(-FAR));
}

// What is asked of all points, and of friction by a driven end.
static inline void ask_points(const cri_large *w, bundle *s, const making *m)
{
    cri_lanes zero = cri_lanes_all(0);
    rare r = {.base = {zero, zero, zero}, .hit = cri_lanes_all(w->h), .bounces = cri_mask_all(0)};
    partings parts = find_partings(s, m);
    add_base(s, m, 0, &r);
    add_base(s, m, 1, &r);
    for (int i = 0; i < CRI_LARGE_POINTS; i++) {
        ask_point(w, m, &parts, i, &s->points[i], &r);
    }
    s->is_rare = cri_mask_any(r.bounces | m->ends[0].driven | m->ends[1].driven);
    if (s->is_rare) {
        s->rare = r;
    }
}

INLINE cri_mask is_on(const stud *p)
{
    return is_less(cri_lanes_all(-0.5f * FAR), p->target);
}

// What a unit of even pressure, and of one that grows along slide or across, gives of how a patch
// parts. About a place that lies (u, v) from the middle; of the ends whose lanes are kept.
static inline void find_response(const bundle *s, cri_lanes u, cri_lanes v, const cri_mask keep[2],
                                 cri_lanes mass, cri_lanes out[6])
{
    out[0] = mass;
    out[1] = out[2] = out[3] = out[4] = out[5] = cri_lanes_all(0);
    for (int end = 0; end < 2; end++) {
        const axle *x = &s->ends[end];
        cri_lanes a = x->u + u, b = x->v + v;
        cri_lanes3 slide = cri_lanes3_keep(keep[end], x->about[SLIDE]);
        cri_lanes3 across = cri_lanes3_keep(keep[end], x->about[ACROSS]);
        cri_lanes aa = cri_lanes3_dot(across, across), ab = cri_lanes3_dot(across, slide);
        cri_lanes bb = cri_lanes3_dot(slide, slide);
        cri_lanes one = a * aa - b * ab, two = b * bb - a * ab;
        out[0] = out[0] + (a * one + b * two);
        out[1] = out[1] + one, out[2] = out[2] + two;
        out[3] = out[3] + aa, out[4] = out[4] - ab, out[5] = out[5] + bb;
    }
}

// The same of a unit at (u, v).
INLINE tilt respond(const cri_lanes k[6], cri_lanes u, cri_lanes v)
{
    return (tilt){k[0] + u * k[1] + v * k[2], k[1] + u * k[3] + v * k[4],
                  k[2] + u * k[4] + v * k[5]};
}

// Where points lie, and what they give each other.
static inline void set_points(bundle *s, const making *m)
{
    cri_lanes k[6];
    cri_lanes mass = cri_lanes3_dot(s->normal, times_mass(&m->ends[0], s->normal)) +
                     cri_lanes3_dot(s->normal, times_mass(&m->ends[1], s->normal));
    const cri_mask all[2] = {cri_mask_all(-1), cri_mask_all(-1)};
    find_response(s, cri_lanes_all(0), cri_lanes_all(0), all, mass, k);
    for (int i = 0; i < CRI_LARGE_POINTS; i++) {
        stud *p = &s->points[i];
        cri_lanes3 from = cri_lanes3_sub(m->lever[i], m->middle);
        p->u = cri_lanes_keep(m->on[i], cri_lanes3_dot(from, s->slide));
        p->v = cri_lanes_keep(m->on[i], cri_lanes3_dot(from, m->across));
        tilt t = respond(k, p->u, p->v);
        p->yield = invert(speed_at(t, p->u, p->v), m->on[i]);
        for (int n = 0; n < i; n++) {
            s->cross[TWO[n][i]] = speed_at(t, s->points[n].u, s->points[n].v);
        }
    }
}

// The pairs that they are of: what these remember from now on, and which of them touch now, where
// nobody asks for more than that.
static inline void tell_pairs(const cri_large *w, bundle *s, const making *m)
{
    cri_lanes feature = m->feature, least = cri_lanes_all(CRI_NO_POINT);
    if (s->is_rare) {
        feature = cri_lanes_pick(s->rare.bounces, CRI_BOUNCED - feature, feature);
    }
    for (int i = 0; i < CRI_LARGE_POINTS; i++) {
        least = lanes_min(least, m->gap[i]);
    }
    unsigned near = cri_mask_bits(~is_less(cri_lanes_all(TOUCH_GAP), least));
    s->there = s->still[0] = s->still[1] = s->alone = s->apart = 0;
    for (int i = 0; i < CRI_LANES; i++) {
        cri_large_pair *p = &w->pairs[s->pairs.of[i]];
        s->still[0] |= (unsigned)p->still[0] << i;
        s->still[1] |= (unsigned)p->still[1] << i;
        s->alone |= (unsigned)p->alone << i;
        if (s->pairs.of[i] < w->pair_count) {
            s->there |= 1u << i;
            p->feature = cri_lanes_get(&feature, i);
            p->touched = p->touched || (((near >> i) & 1) && !w->step->contacts);
            s->apart |= (unsigned)(!p->touched && !w->step->contacts) << i;
        }
    }
}

// The impulses that it begins with: those of the last substep, point by point where these are the
// same, else by their shares.
static inline void recall_points(const cri_large *w, bundle *s, const making *m)
{
    cri_lanes one[8], feature = cri_lanes_all(CRI_NO_FEATURE);
    gather(w->kept, CRI_KEPT_ROW, &s->pairs, one);
    for (int i = 0; i < CRI_LANES; i++) {
        cri_lanes_set(&feature, i, w->pairs[s->pairs.of[i]].feature);
    }
    cri_lanes sum = one[0] + one[1] + one[2] + one[3];
    cri_mask same = is_same(feature, m->feature);
    cri_mask lasts = is_less(cri_lanes_all(CRI_BOUNCED), feature);
    for (int i = 0; i < CRI_LARGE_POINTS; i++) {
        cri_lanes impulse = cri_lanes_pick(same, one[i], sum * m->share[i]);
        s->points[i].impulse = cri_lanes_keep(m->on[i] & lasts, impulse);
    }
    cri_lanes3 drag = cri_lanes3_keep(lasts, three_of(&one[4]));
    s->rub.impulse[0] = cri_lanes3_dot(drag, s->slide);
    s->rub.impulse[1] = cri_lanes3_dot(drag, m->across);
    s->rub.twist = cri_lanes_keep(lasts, one[7] * (sum * s->rub.arm));
}

// As spread_patch in lanes/patch.h.
static inline void make_bed(bundle *s, const making *m)
{
    bed *b = &s->bed;
    cri_lanes zero = cri_lanes_all(0), count = cri_lanes_all(1e-6f), uu = zero, uv = zero,
              vv = zero;
    b->u = b->v = zero;
    for (int i = 0; i < CRI_LARGE_POINTS; i++) {
        count = count + cri_lanes_keep(m->on[i], cri_lanes_all(1));
        b->u = b->u + s->points[i].u;
        b->v = b->v + s->points[i].v;
    }
    b->spread[0] = 1.0f / count;
    b->u = b->u * b->spread[0], b->v = b->v * b->spread[0];
    for (int i = 0; i < CRI_LARGE_POINTS; i++) {
        cri_lanes u = cri_lanes_keep(m->on[i], s->points[i].u - b->u);
        cri_lanes v = cri_lanes_keep(m->on[i], s->points[i].v - b->v);
        uu = uu + u * u, uv = uv + u * v, vv = vv + v * v;
    }
    cri_lanes least = (uu + vv) * 1e-3f + 1e-9f;
    uu = uu + least, vv = vv + least;
    cri_lanes det = 1.0f / (uu * vv - uv * uv);
    b->spread[1] = vv * det, b->spread[2] = -(uv * det), b->spread[3] = uu * det;
}

// Eight patches of a lot, or as many as there are lanes.
static inline void prepare_bundle(const cri_large *w, bundle *s, const int *patches)
{
    making m;
    for (int i = 0; i < CRI_LANES; i++) {
        s->pairs.of[i] = patches[i];
        s->movers[0].of[i] = w->pairs[patches[i]].movers[0];
        s->movers[1].of[i] = w->pairs[patches[i]].movers[1];
    }
    load_making(w, s, &m);
    find_shares(&m);
    lay_bundle(w, s, &m);
    set_axle(s, &m, 0);
    set_axle(s, &m, 1);
    make_rub(s, &m);
    set_points(s, &m);
    ask_points(w, s, &m);
    recall_points(w, s, &m);
    tell_pairs(w, s, &m);
    make_bed(s, &m);
}

#endif
