// Impulses where a body is free: sequential impulses (projected Gauss-Seidel) over patches (contact
// manifolds), with the load passed down before anything is iterated. In lanes.
//
//         [ c ]   level 3     1  levels   how far above the ground a body rests, by a fixpoint over
//         -----                           the patches; each lane has its own
//         [ b ]   level 2     2  sweep    from the top level down each patch is solved as if what
//         it
//         -----                           rests on stood still, and the whole opposite impulse goes
//         [ a ]   level 1                 to the body below: a stack is right after one sweep, and
//       ===========                       momentum is kept
//         ground  level 0     3  rounds   the same order with true masses, until nothing changes
//                             4  move     with velocities that also undo overlaps (Baumgarte)
//                             5  relax    2 and 3 once more without undoing overlaps, so that these
//                                         velocities do not last
//
// A cold solve cannot hold a stack, let alone a heavy body on a light one: rounds carry a load down
// by one body each, and by a share of mass of the light one. Others remember impulses from step to
// step (warm starting); a step here is a pure function of the state, so the sweep finds them anew.
//
// What is below stands still, in the sweep, as far as it is slow: it has the share
//
//     k = s^2 / (s^2 + SLOW^2),   s^2 = velocity^2 + (radius spin)^2
//
// of its own velocity, and of the common velocity of the two along the patch.
//
// A point's three rows: the impulse along the normal is never negative; friction is a vector across
// it, no longer than the coefficient times it (Coulomb's cone, over an ellipse where a surface has
// a grain). While a point sticks, both directions are solved together (a 2 by 2 block); when it
// slips, with one mobility for all directions, so that friction stays along the slip.
#ifndef CRI_LANES_PATCH_H
#define CRI_LANES_PATCH_H

#include "engine/lanes_solve.h"

// Rounds end where no impulse changes a speed by more than this, or after so many.
#define PATCH_ENOUGH 2e-5f // m/s
enum { PATCH_ROUNDS_MAX = 8, RELAX_ROUNDS = 2 };
// Where a body rests on several, its patches share the load: so many rounds along the normals, then
// one with friction. Friction before that would build arches that are not there.
enum { SHARED_ROUNDS = 3 };
// Levels beyond this are not told apart.
#define LEVEL_MAX 12.0f
// A patch supports what is above if its normal is within 66 degrees of up and it is this near.
#define SUPPORT_COS 0.4f
#define SUPPORT_GAP 1e-3f // m
// Bodies slower than this count as standing in the sweep.
#define SLOW 0.2f // m/s
// Overlaps go by OVERLAP_SHARE a substep, all of them (a slop would sink and cycle), no faster
// than:
#define UNDO_MAX 2.0f // m/s
// A solve that adds more energy than this share has gone wrong: rounds alone take its place.
#define GUARD_SHARE 1.02f
#define GUARD_SPEED 1e-5f // J/kg
enum { GUARD_ROUNDS = 10 };

// What a unit of impulse at a point gives, inverted.
typedef struct yields {
    cri_lanes normal;   // of the speed along the normal
    cri_lanes tie[2];   // speed along slide and across for a unit along the normal
    cri_lanes block[3]; // slide-slide, slide-across, across-across
    cri_lanes slip;     // for all directions across the normal
} yields;

// A contact point at work.
typedef struct grip {
    cri_mask on;
    cri_lanes3 lever[2];
    cri_lanes target, impulse, rub[2];
    cri_lanes hold[2];    // inverse coefficients of friction along slide and across
    cri_lanes u, v;       // its place on the patch, from the middle of its points
    cri_lanes mobility;   // along the normal
    yields real, resting; // resting: what the patch rests on stands still
} grip;

// Which of a patch's two are more than ground, which neither moves nor is moved.
typedef enum ends { BOTH_ENDS, FIRST_END, SECOND_END } ends;

// The points of one meet. All have one normal.
typedef struct patch {
    const cri_meet *meet;
    int first, count;
    int movers[2]; // the ground is the one after the last
    ends ends;
    cri_mask busy;     // its last visit changed a speed
    cri_lanes seen[2]; // the counts of its two at that visit
    cri_mask on;
    cri_mask below[2], touches; // the end that is below the other; the two touch
    cri_mask still[2];          // what stands still in the sweep
    cri_mask alone;             // what it carries rests on nothing else
    cri_lanes level;
    cri_lanes3 normal, slide, across;
    cri_lanes3 arm[2];    // middle x normal
    cri_lanes spread[4];  // inverse moments of the points: count, uu, uv, vv
    cri_lanes inverse[6]; // of the mobilities along the normal and about slide and across
} patch;

// A patch in the lanes where it is of one level.
typedef struct visit {
    patch *patch;
    cri_mask lanes;
    float level;
} visit;

// A mover in a solve.
typedef struct rest {
    cri_mask supported;
    cri_lanes level, supports;
    cri_lanes count;                     // of visits that changed its speed
    cri_lanes3 velocity, spin;           // as it stands in the sweep
    cri_lanes3 free_velocity, free_spin; // before the solve
} rest;

// What pressed on a meet's points in the last piece, as a start for the next solve of this step.
typedef struct memory {
    int count;
    cri_mask on[CRI_TOUCH_MAX];
    cri_lanes feature[CRI_TOUCH_MAX], press[CRI_TOUCH_MAX];
    cri_lanes3 drag[CRI_TOUCH_MAX];
} memory;

INLINE cri_mask is_same(cri_lanes a, cri_lanes b)
{
    return ~is_less(a, b) & ~is_less(b, a);
}

// ---------------------------------------------------------------------------------------------
// Making patches.

static inline int mover_or_ground(const batch *w, int mover)
{
    return mover < 0 ? w->course->mover_count : mover;
}

static inline void set_ends(const batch *w, patch *s)
{
    int ground = w->course->mover_count;
    s->ends = s->movers[0] == ground ? SECOND_END : s->movers[1] == ground ? FIRST_END : BOTH_ENDS;
}

static inline void list_patches(batch *w)
{
    w->patch_count = 0;
    for (int i = 0; i < w->point_count; i++) {
        const point *p = &w->points[i];
        patch *last = w->patch_count ? &w->patches[w->patch_count - 1] : NULL;
        if (last && last->meet == p->meet) {
            last->count++;
            last->on = last->on | p->solve;
            continue;
        }
        w->patches[w->patch_count++] = (patch){
            .meet = p->meet,
            .first = i,
            .count = 1,
            .movers = {mover_or_ground(w, p->meet->movers[0]),
                       mover_or_ground(w, p->meet->movers[1])},
            .on = p->solve,
        };
        set_ends(w, &w->patches[w->patch_count - 1]);
    }
}

// The normal of its points, in each lane, and two directions across it (Duff and others 2017).
static inline void lay_patch(const batch *w, patch *s)
{
    s->normal = cri_lanes3_zero();
    for (int i = s->first; i < s->first + s->count; i++) {
        s->normal = cri_lanes3_pick(w->points[i].solve, w->points[i].normal, s->normal);
    }
    cri_lanes3 n = s->normal;
    cri_lanes one = cri_lanes_all(1), sign = sign_of(n.z), a = -1.0f / (sign + n.z);
    cri_lanes b = n.x * n.y * a;
    s->slide = cri_lanes3_of(one + sign * n.x * n.x * a, sign * b, -(sign * n.x));
    if (s->meet->grained) {
        point grained = {.meet = s->meet, .normal = n, .slide = s->slide};
        grained.grip[0] = grained.grip[1] = one;
        follow_grain(w, &grained);
        s->slide = grained.slide;
    }
    s->across = cri_lanes3_cross(n, s->slide);
}

// The speed that an impulse at a lever makes there: mass - [lever] inertia [lever].
static inline sym answer(const heft *h, cri_lanes3 r)
{
    cri_lanes zero = cri_lanes_all(0);
    cri_lanes3 x = sym_mul(&h->inertia, cri_lanes3_of(zero, r.z, -r.y));
    cri_lanes3 y = sym_mul(&h->inertia, cri_lanes3_of(-r.z, zero, r.x));
    cri_lanes3 z = sym_mul(&h->inertia, cri_lanes3_of(r.y, -r.x, zero));
    x = cri_lanes3_cross(x, r), y = cri_lanes3_cross(y, r), z = cri_lanes3_cross(z, r);
    return (sym){h->mass.x + x.x, h->mass.y + y.y, h->mass.z + z.z, x.y, x.z, y.z};
}

INLINE sym sym_keep(cri_mask mask, sym m)
{
    return (sym){cri_lanes_keep(mask, m.xx), cri_lanes_keep(mask, m.yy),
                 cri_lanes_keep(mask, m.zz), cri_lanes_keep(mask, m.xy),
                 cri_lanes_keep(mask, m.xz), cri_lanes_keep(mask, m.yz)};
}

INLINE sym sym_add(sym a, sym b)
{
    return (sym){a.xx + b.xx, a.yy + b.yy, a.zz + b.zz, a.xy + b.xy, a.xz + b.xz, a.yz + b.yz};
}

// 1/a where it is more than next to nothing, and the mask is set.
INLINE cri_lanes invert(cri_lanes a, cri_mask on)
{
    cri_mask some = is_less(cri_lanes_all(1e-12f), a);
    return cri_lanes_keep(on & some, 1.0f / cri_lanes_pick(some, a, cri_lanes_all(1)));
}

static inline yields yields_of(const patch *s, const sym *k, cri_mask on)
{
    cri_lanes3 kn = sym_mul(k, s->normal), ks = sym_mul(k, s->slide), ka = sym_mul(k, s->across);
    cri_lanes a = cri_lanes3_dot(s->slide, ks), b = cri_lanes3_dot(s->across, ks);
    cri_lanes c = cri_lanes3_dot(s->across, ka), half = (a - c) * 0.5f;
    cri_lanes det = invert(a * c - b * b, on);
    // The larger of the two principal mobilities: with it slipping overshoots in no direction.
    cri_lanes most = (a + c) * 0.5f + cri_lanes_sqrt(half * half + b * b);
    return (yields){.normal = invert(cri_lanes3_dot(s->normal, kn), on),
                    .tie = {cri_lanes3_dot(s->slide, kn), cri_lanes3_dot(s->across, kn)},
                    .block = {c * det, -(b * det), a * det},
                    .slip = invert(most, on)};
}

// From the center of a mover to a point.
static inline cri_lanes3 lever_to(const batch *w, const patch *s, const point *p, int i)
{
    cri_lanes3 center = w->bodies[s->movers[i]].place;
    if (s->meet->kind != CRI_MEET_FREE) {
        return cri_lanes3_sub(p->place, center);
    }
    int side = lever_side(w, s->meet);
    if (i == side) {
        return p->lever;
    }
    return cri_lanes3_add(p->lever, cri_lanes3_sub(w->bodies[s->movers[side]].place, center));
}

static inline void make_grip(const batch *w, const patch *s, const point *p, grip *g)
{
    sym k[2];
    g->on = p->solve;
    for (int i = 0; i < 2; i++) {
        g->lever[i] = lever_to(w, s, p, i);
        k[i] = answer(&w->hefts[s->movers[i]], g->lever[i]);
    }
    sym all = sym_add(k[0], k[1]);
    g->mobility = cri_lanes3_dot(s->normal, sym_mul(&all, s->normal));
    g->real = g->resting = yields_of(s, &all, g->on);
    if (cri_mask_any(s->still[0] | s->still[1])) {
        sym some = sym_add(sym_keep(~s->still[0], k[0]), sym_keep(~s->still[1], k[1]));
        g->resting = yields_of(s, &some, g->on);
    }
}

// Where the points lie on the patch, about their middle; and the inverse of their moments, by which
// a pressure that varies evenly over the patch is found.
static inline void spread_patch(const batch *w, patch *s)
{
    cri_lanes count = cri_lanes_all(1e-6f), uu = cri_lanes_all(0), uv = uu, vv = uu;
    cri_lanes3 middle[2] = {cri_lanes3_zero(), cri_lanes3_zero()};
    grip *grips = &w->grips[s->first];
    for (int i = 0; i < s->count; i++) {
        count = count + cri_lanes_keep(grips[i].on, cri_lanes_all(1));
        for (int k = 0; k < 2; k++) {
            middle[k] = cri_lanes3_add(middle[k], cri_lanes3_keep(grips[i].on, grips[i].lever[k]));
        }
    }
    s->spread[0] = 1.0f / count;
    for (int k = 0; k < 2; k++) {
        middle[k] = cri_lanes3_scale(s->spread[0], middle[k]);
        s->arm[k] = cri_lanes3_cross(middle[k], s->normal);
    }
    for (int i = 0; i < s->count; i++) {
        cri_lanes3 r = cri_lanes3_sub(grips[i].lever[1], middle[1]);
        grips[i].u = cri_lanes_keep(grips[i].on, cri_lanes3_dot(r, s->slide));
        grips[i].v = cri_lanes_keep(grips[i].on, cri_lanes3_dot(r, s->across));
        uu = uu + grips[i].u * grips[i].u;
        uv = uv + grips[i].u * grips[i].v;
        vv = vv + grips[i].v * grips[i].v;
    }
    // One point, or a row of them, has no moment in some direction.
    cri_lanes least = (uu + vv) * 1e-3f + 1e-9f;
    uu = uu + least, vv = vv + least;
    cri_lanes det = 1.0f / (uu * vv - uv * uv);
    s->spread[1] = vv * det, s->spread[2] = -(uv * det), s->spread[3] = uu * det;
}

// The inverse of the 3 by 3 matrix of mobilities along the normal, about -across and about slide,
// with what stands still left out.
static inline void invert_patch(const batch *w, patch *s)
{
    sym inertia = {0};
    cri_lanes3 turn = cri_lanes3_zero(), about = cri_lanes3_scale(cri_lanes_all(-1), s->across);
    cri_lanes m00 = cri_lanes_all(0);
    for (int i = 0; i < 2; i++) {
        const heft *h = &w->hefts[s->movers[i]];
        cri_lanes3 by = sym_mul(&h->inertia, s->arm[i]);
        cri_lanes along = cri_lanes3_dot(s->normal, times3(h->mass, s->normal));
        m00 = m00 + cri_lanes_keep(~s->still[i], along + cri_lanes3_dot(by, s->arm[i]));
        turn = cri_lanes3_add(turn, cri_lanes3_keep(~s->still[i], by));
        inertia = sym_add(inertia, sym_keep(~s->still[i], h->inertia));
    }
    cri_lanes3 one = sym_mul(&inertia, about), two = sym_mul(&inertia, s->slide);
    cri_lanes m01 = cri_lanes3_dot(turn, about), m02 = cri_lanes3_dot(turn, s->slide);
    cri_lanes m11 = cri_lanes3_dot(about, one), m12 = cri_lanes3_dot(about, two);
    cri_lanes m22 = cri_lanes3_dot(s->slide, two);
    cri_lanes c00 = m11 * m22 - m12 * m12, c01 = m02 * m12 - m01 * m22;
    cri_lanes c02 = m01 * m12 - m02 * m11, det = m00 * c00 + m01 * c01 + m02 * c02;
    cri_mask sound = is_less(cri_lanes_all(0), det);
    det = cri_lanes_keep(sound, 1.0f / cri_lanes_pick(sound, det, cri_lanes_all(1)));
    s->inverse[0] = c00 * det, s->inverse[1] = c01 * det, s->inverse[2] = c02 * det;
    s->inverse[3] = (m00 * m22 - m02 * m02) * det;
    s->inverse[4] = (m01 * m02 - m00 * m12) * det;
    s->inverse[5] = (m00 * m11 - m01 * m01) * det;
}

// ---------------------------------------------------------------------------------------------
// Levels.

static inline bool is_ground(const batch *w, int mover)
{
    return mover == w->course->mover_count || w->course->movers[mover].class == CRI_DRIVEN ||
           w->course->movers[mover].class == CRI_UPRIGHT;
}

// Which end of a patch is below the other, and whether they touch.
static inline void find_lean(const batch *w, patch *s)
{
    const cr_vec3 g = w->course->model->gravity;
    double length = cri_length(g);
    cri_lanes up = cri_lanes_all(0);
    if (length > 0) {
        up = s->normal.x * (float)(-g.x / length) + s->normal.y * (float)(-g.y / length) +
             s->normal.z * (float)(-g.z / length);
    }
    s->below[0] = is_less(cri_lanes_all(SUPPORT_COS), up);
    s->below[1] = is_less(up, cri_lanes_all(-SUPPORT_COS));
    s->touches = cri_mask_all(0);
    for (int i = s->first; i < s->first + s->count; i++) {
        const point *p = &w->points[i];
        s->touches = s->touches | (p->solve & is_less(p->gap, cri_lanes_all(SUPPORT_GAP)));
    }
    // The ground rests on nothing.
    for (int i = 0; i < 2; i++) {
        s->below[i] = s->below[i] & cri_mask_all(is_ground(w, s->movers[1 - i]) ? 0 : -1);
    }
}

// What rests on something supported is supported, a level higher. Returns the lanes that changed.
static inline cri_mask lift(batch *w, const patch *s)
{
    cri_mask changed = cri_mask_all(0);
    for (int i = 0; i < 2; i++) {
        const rest *lower = &w->rests[s->movers[i]];
        rest *upper = &w->rests[s->movers[1 - i]];
        cri_lanes level = lanes_min(lower->level + 1.0f, cri_lanes_all(LEVEL_MAX));
        cri_mask higher = s->touches & s->below[i] & lower->supported &
                          (is_less(upper->level, level) | ~upper->supported);
        upper->level = cri_lanes_pick(higher, lanes_max(level, upper->level), upper->level);
        upper->supported = upper->supported | higher;
        changed = changed | higher;
    }
    return changed;
}

static inline void find_levels(batch *w)
{
    int movers = w->course->mover_count;
    for (int i = 0; i <= movers; i++) {
        w->rests[i].supported = cri_mask_all(is_ground(w, i) ? -1 : 0);
        w->rests[i].level = w->rests[i].supports = w->rests[i].count = cri_lanes_all(0);
    }
    bool any = true;
    for (int round = 0; round <= movers && any; round++) {
        any = false;
        for (int i = 0; i < w->patch_count; i++) {
            any = cri_mask_any(lift(w, &w->patches[i])) || any;
        }
    }
}

// Who carries whom: what a supported body carries is solved as if that stood still.
static inline void find_carriers(batch *w)
{
    for (int i = 0; i < w->patch_count; i++) {
        patch *s = &w->patches[i];
        rest *a = &w->rests[s->movers[0]], *b = &w->rests[s->movers[1]];
        cri_mask on_a = s->below[0] & a->supported, on_b = s->below[1] & b->supported;
        s->level = cri_lanes_pick(on_a, b->level,
                                  cri_lanes_pick(on_b, a->level, lanes_max(a->level, b->level)));
        s->still[0] = cri_mask_all(is_ground(w, s->movers[0]) ? 0 : -1) & on_a;
        s->still[1] = cri_mask_all(is_ground(w, s->movers[1]) ? 0 : -1) & on_b;
        b->supports = b->supports + cri_lanes_keep(s->on & on_a, cri_lanes_all(1));
        a->supports = a->supports + cri_lanes_keep(s->on & on_b, cri_lanes_all(1));
    }
    for (int i = 0; i < w->patch_count; i++) {
        patch *s = &w->patches[i];
        const rest *a = &w->rests[s->movers[0]], *b = &w->rests[s->movers[1]];
        cri_mask on_a = s->below[0] & a->supported, on_b = s->below[1] & b->supported;
        // One that carries nothing is solved like one that carries alone.
        cri_lanes count = cri_lanes_pick(on_b, a->supports, cri_lanes_all(1));
        s->alone = is_less(cri_lanes_pick(on_a, b->supports, count), cri_lanes_all(1.5f));
    }
}

// Visits from the top level down, in the order of patches.
static inline void list_visits(batch *w)
{
    cri_lanes top = cri_lanes_all(0);
    for (int i = 0; i < w->patch_count; i++) {
        top = lanes_max(top, cri_lanes_keep(w->patches[i].on & w->run, w->patches[i].level));
    }
    w->visit_count = 0;
    for (float level = -cri_lanes_least(-top); level >= 0; level--) {
        for (int i = 0; i < w->patch_count; i++) {
            patch *s = &w->patches[i];
            cri_mask lanes = s->on & w->run & is_same(s->level, cri_lanes_all(level));
            if (cri_mask_any(lanes)) {
                w->visits[w->visit_count++] = (visit){s, lanes, level};
            }
        }
    }
}

// ---------------------------------------------------------------------------------------------
// Asking.

// m/s of separation that undoes an overlap, or lets a gap close and no more.
static inline cri_lanes undo(const batch *w, cri_lanes gap)
{
    cri_lanes apart = lanes_min(gap * (-OVERLAP_SHARE / w->course->h), cri_lanes_all(UNDO_MAX));
    return cri_lanes_pick(is_less(gap, cri_lanes_all(0)), apart, -gap * w->rate);
}

static inline void ask_patch(batch *w, const patch *s)
{
    for (int i = s->first; i < s->first + s->count; i++) {
        point *p = &w->points[i];
        grip *g = &w->grips[i];
        cri_lanes3 now = tied_slip(w, p, false), next = tied_slip(w, p, true);
        cri_lanes closing = cri_lanes3_dot(now, p->normal);
        cri_lanes next_closing = cri_lanes3_dot(next, p->normal);
        p->bounce = bounces(w, p, closing, lanes_min(closing, next_closing));
        // The impact comes first, then forces act for the rest of the piece.
        p->target =
            cri_lanes_pick(p->bounce, (next_closing - closing) - closing * s->meet->restitution,
                           cri_lanes_all(-FAR));
        g->target = lanes_max(undo(w, p->gap), p->target);
        p->friction = friction_of(s->meet, p, now, closing);
        cri_lanes least = cri_lanes_all(1e-9f), along = p->friction;
        if (s->meet->grained) {
            cri_lanes3 laid = s->slide;
            point grained = {.meet = s->meet, .normal = p->normal, .slide = laid};
            grained.grip[0] = p->friction;
            follow_grain(w, &grained);
            along = grained.grip[0];
        }
        g->hold[0] = 1.0f / lanes_max(along, least);
        g->hold[1] = 1.0f / lanes_max(p->friction, least);
        g->impulse = g->rub[0] = g->rub[1] = cri_lanes_all(0);
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
        cri_lanes share = fast / (fast + SLOW * SLOW);
        r->velocity = cri_lanes3_scale(share, b->velocity);
        r->spin = cri_lanes3_scale(share, b->spin);
    }
}

// ---------------------------------------------------------------------------------------------
// Giving.

// The two of a patch while it is visited.
typedef struct duo {
    cri_lanes3 velocity[2], spin[2];
    const heft *hefts[2];
} duo;

INLINE duo load_duo(const batch *w, const patch *s)
{
    const body *a = &w->bodies[s->movers[0]], *b = &w->bodies[s->movers[1]];
    return (duo){{a->next_velocity, b->next_velocity},
                 {a->next_spin, b->next_spin},
                 {&w->hefts[s->movers[0]], &w->hefts[s->movers[1]]}};
}

INLINE void store_duo(batch *w, const patch *s, const duo *d)
{
    for (int i = 0; i < 2; i++) {
        if (s->movers[i] < w->course->mover_count) {
            w->bodies[s->movers[i]].next_velocity = d->velocity[i];
            w->bodies[s->movers[i]].next_spin = d->spin[i];
        }
    }
}

INLINE cri_lanes3 duo_slip(const duo *d, const grip *g)
{
    cri_lanes3 second = cri_lanes3_add(d->velocity[1], cri_lanes3_cross(d->spin[1], g->lever[1]));
    cri_lanes3 first = cri_lanes3_add(d->velocity[0], cri_lanes3_cross(d->spin[0], g->lever[0]));
    return cri_lanes3_sub(second, first);
}

// What the two get by one visit: an impulse, and its turn about each.
typedef struct gift {
    cri_lanes3 impulse, twist[2];
} gift;

INLINE void give_to(duo *d, int i, cri_lanes sign, cri_lanes3 impulse, cri_lanes3 twist)
{
    const heft *h = d->hefts[i];
    d->velocity[i] = cri_lanes3_mad(d->velocity[i], sign, times3(h->mass, impulse));
    d->spin[i] = cri_lanes3_mad(d->spin[i], sign, sym_mul(&h->inertia, twist));
}

// The change of a point's impulse along the normal, in some lanes.
INLINE cri_lanes press_grip(grip *g, const yields *y, cri_lanes speed, cri_mask lanes)
{
    cri_lanes impulse = lanes_max(g->impulse + (g->target - speed) * y->normal, cri_lanes_all(0));
    cri_lanes change = cri_lanes_keep(lanes, impulse - g->impulse);
    g->impulse = g->impulse + change;
    return change;
}

// The change of its friction, as a vector. speeds: along slide and across.
INLINE cri_lanes3 rub_grip(const patch *s, grip *g, const yields *y, const cri_lanes speeds[2],
                           cri_mask lanes)
{
    cri_lanes one = g->rub[0] - (y->block[0] * speeds[0] + y->block[1] * speeds[1]);
    cri_lanes two = g->rub[1] - (y->block[1] * speeds[0] + y->block[2] * speeds[1]);
    cri_lanes x = one * g->hold[0], z = two * g->hold[1];
    cri_mask sticks = ~is_less(g->impulse * g->impulse, x * x + z * z);
    cri_lanes slip_one = g->rub[0] - y->slip * speeds[0],
              slip_two = g->rub[1] - y->slip * speeds[1];
    x = slip_one * g->hold[0], z = slip_two * g->hold[1];
    cri_lanes share = share_of(g->impulse, cri_lanes_sqrt(x * x + z * z));
    one = cri_lanes_pick(sticks, one, slip_one * share);
    two = cri_lanes_pick(sticks, two, slip_two * share);
    cri_lanes d_one = cri_lanes_keep(lanes, one - g->rub[0]);
    cri_lanes d_two = cri_lanes_keep(lanes, two - g->rub[1]);
    g->rub[0] = g->rub[0] + d_one;
    g->rub[1] = g->rub[1] + d_two;
    return cri_lanes3_mad(cri_lanes3_scale(d_one, s->slide), d_two, s->across);
}

INLINE cri_lanes3 end_velocity(const duo *d, const grip *g, int i)
{
    return cri_lanes3_add(d->velocity[i], cri_lanes3_cross(d->spin[i], g->lever[i]));
}

// duo_slip where an end may be ground.
INLINE cri_lanes3 ends_slip(const duo *d, const grip *g, ends which)
{
    switch (which) {
    case BOTH_ENDS:
        return duo_slip(d, g);
    case FIRST_END:
        return cri_lanes3_sub(cri_lanes3_zero(), end_velocity(d, g, 0));
    case SECOND_END:
        return end_velocity(d, g, 1);
    }
    return cri_lanes3_zero();
}

// One visit with true masses. Returns the largest change of a speed.
INLINE cri_lanes visit_ends(batch *w, const patch *s, cri_mask lanes, ends which)
{
    duo d = load_duo(w, s);
    cri_lanes moved = cri_lanes_all(0), one = cri_lanes_all(1);
    for (int i = s->first; i < s->first + s->count; i++) {
        grip *g = &w->grips[i];
        if (!cri_mask_any(g->on & lanes)) {
            continue;
        }
        const yields *y = &g->real;
        cri_lanes3 slip = ends_slip(&d, g, which);
        cri_lanes change = press_grip(g, y, cri_lanes3_dot(slip, s->normal), lanes);
        cri_lanes speeds[2] = {cri_lanes3_dot(slip, s->slide) + change * y->tie[0],
                               cri_lanes3_dot(slip, s->across) + change * y->tie[1]};
        cri_lanes3 rubbed = rub_grip(s, g, y, speeds, lanes);
        cri_lanes3 impulse = cri_lanes3_mad(rubbed, change, s->normal);
        if (which != FIRST_END) {
            give_to(&d, 1, one, impulse, cri_lanes3_cross(g->lever[1], impulse));
        }
        if (which != SECOND_END) {
            give_to(&d, 0, -one, impulse, cri_lanes3_cross(g->lever[0], impulse));
        }
        cri_lanes most = lanes_max(cri_lanes_abs(impulse.x), cri_lanes_abs(impulse.y));
        most = lanes_max(most, cri_lanes_abs(impulse.z));
        moved = lanes_max(moved, most * g->mobility);
    }
    store_duo(w, s, &d);
    return moved;
}

static inline cri_lanes visit_patch(batch *w, const patch *s, cri_mask lanes)
{
    switch (s->ends) {
    case BOTH_ENDS:
        return visit_ends(w, s, lanes, BOTH_ENDS);
    case FIRST_END:
        return visit_ends(w, s, lanes, FIRST_END);
    case SECOND_END:
        return visit_ends(w, s, lanes, SECOND_END);
    }
    return cri_lanes_all(0);
}

// ---------------------------------------------------------------------------------------------
// The sweep.

// What stands still has a share of its own velocity along the normal, and of the common one across
// it, by mass.
static inline void stand_still(const batch *w, const patch *s, duo *d)
{
    const cri_mover *a = &w->course->movers[s->movers[0]], *b = &w->course->movers[s->movers[1]];
    const rest *rests[2] = {&w->rests[s->movers[0]], &w->rests[s->movers[1]]};
    if (!cri_mask_any(s->still[0] | s->still[1])) {
        return;
    }
    const float share[2] = {a->mass / (a->mass + b->mass), b->mass / (a->mass + b->mass)};
    cri_lanes3 common = cri_lanes3_scale(cri_lanes_all(share[0]), rests[0]->velocity);
    common = cri_lanes3_mad(common, cri_lanes_all(share[1]), rests[1]->velocity);
    common = cri_lanes3_mad(common, -cri_lanes3_dot(common, s->normal), s->normal);
    for (int i = 0; i < 2; i++) {
        cri_lanes along = cri_lanes3_dot(rests[i]->velocity, s->normal) * share[i];
        cri_lanes3 velocity = cri_lanes3_mad(common, along, s->normal);
        cri_lanes3 spin = cri_lanes3_scale(cri_lanes_all(share[i]), rests[i]->spin);
        d->velocity[i] = cri_lanes3_pick(s->still[i], velocity, d->velocity[i]);
        d->spin[i] = cri_lanes3_pick(s->still[i], spin, d->spin[i]);
    }
}

// A gift to what does not stand still; the rest is handed over at the end.
INLINE void give_gift(const patch *s, duo *d, const gift *g)
{
    cri_lanes one = cri_lanes_all(1);
    give_to(d, 1, cri_lanes_keep(~s->still[1], one), g->impulse, g->twist[1]);
    give_to(d, 0, cri_lanes_keep(~s->still[0], -one), g->impulse, g->twist[0]);
}

INLINE void add_gift(gift *sum, const gift *g)
{
    sum->impulse = cri_lanes3_add(sum->impulse, g->impulse);
    sum->twist[0] = cri_lanes3_add(sum->twist[0], g->twist[0]);
    sum->twist[1] = cri_lanes3_add(sum->twist[1], g->twist[1]);
}

// How much the points miss their targets, as an even part and slopes along u and v: the least
// squares.
static inline void missing(const batch *w, const patch *s, const duo *d, cri_lanes out[3])
{
    cri_lanes3 about = cri_lanes3_scale(cri_lanes_all(-1), s->across);
    cri_lanes3 spin = cri_lanes3_sub(d->spin[1], d->spin[0]);
    cri_lanes speed = cri_lanes3_dot(s->normal, cri_lanes3_sub(d->velocity[1], d->velocity[0])) +
                      cri_lanes3_dot(s->arm[1], d->spin[1]) - cri_lanes3_dot(s->arm[0], d->spin[0]);
    cri_lanes tilt = cri_lanes3_dot(about, spin), roll = cri_lanes3_dot(s->slide, spin);
    cri_lanes sum[3] = {cri_lanes_all(0), cri_lanes_all(0), cri_lanes_all(0)};
    for (int i = s->first; i < s->first + s->count; i++) {
        const grip *g = &w->grips[i];
        cri_lanes r = cri_lanes_keep(g->on, speed + g->u * tilt + g->v * roll - g->target);
        sum[0] = sum[0] + r;
        sum[1] = sum[1] + g->u * r;
        sum[2] = sum[2] + g->v * r;
    }
    out[0] = s->spread[0] * sum[0];
    out[1] = s->spread[1] * sum[1] + s->spread[2] * sum[2];
    out[2] = s->spread[2] * sum[1] + s->spread[3] * sum[2];
}

// All points at once, by a pressure that varies evenly over the patch; left out where that would
// pull.
static inline gift press_evenly(batch *w, const patch *s, const duo *d, cri_mask lanes)
{
    const cri_lanes *k = s->inverse;
    cri_lanes a[3], zero = cri_lanes_all(0);
    missing(w, s, d, a);
    cri_lanes y0 = -(k[0] * a[0] + k[1] * a[1] + k[2] * a[2]);
    cri_lanes y1 = -(k[1] * a[0] + k[3] * a[1] + k[4] * a[2]);
    cri_lanes y2 = -(k[2] * a[0] + k[4] * a[1] + k[5] * a[2]);
    cri_lanes x0 = s->spread[0] * y0, x1 = s->spread[1] * y1 + s->spread[2] * y2;
    cri_lanes x2 = s->spread[2] * y1 + s->spread[3] * y2;
    cri_mask pushes = lanes;
    for (int i = s->first; i < s->first + s->count; i++) {
        const grip *g = &w->grips[i];
        pushes = pushes & ~(g->on & is_less(g->impulse + x0 + x1 * g->u + x2 * g->v, zero));
    }
    cri_lanes force = zero, about_u = zero, about_v = zero;
    for (int i = s->first; i < s->first + s->count; i++) {
        grip *g = &w->grips[i];
        cri_lanes change = cri_lanes_keep(g->on & pushes, x0 + x1 * g->u + x2 * g->v);
        g->impulse = g->impulse + change;
        force = force + change;
        about_u = about_u + change * g->u;
        about_v = about_v + change * g->v;
    }
    cri_lanes3 turn = cri_lanes3_mad(cri_lanes3_scale(-about_u, s->across), about_v, s->slide);
    return (gift){cri_lanes3_scale(force, s->normal),
                  {cri_lanes3_mad(turn, force, s->arm[0]), cri_lanes3_mad(turn, force, s->arm[1])}};
}

typedef enum rubs { WITHOUT_FRICTION, WITH_FRICTION } rubs;

static inline gift give_point(const patch *s, duo *d, grip *g, cri_mask lanes, rubs how)
{
    const yields *y = &g->resting;
    cri_lanes3 slip = duo_slip(d, g);
    cri_lanes change = press_grip(g, y, cri_lanes3_dot(slip, s->normal), lanes);
    cri_lanes3 impulse = cri_lanes3_scale(change, s->normal);
    if (how == WITH_FRICTION) {
        cri_lanes speeds[2] = {cri_lanes3_dot(slip, s->slide) + change * y->tie[0],
                               cri_lanes3_dot(slip, s->across) + change * y->tie[1]};
        impulse = cri_lanes3_add(impulse, rub_grip(s, g, y, speeds, lanes));
    }
    gift given = {impulse,
                  {cri_lanes3_cross(g->lever[0], impulse), cri_lanes3_cross(g->lever[1], impulse)}};
    give_gift(s, d, &given);
    return given;
}

// Solve a patch as if what it rests on stood still, then hand that the whole impulse.
static inline void pass_down(batch *w, const patch *s, cri_mask lanes, rubs how)
{
    const duo before = load_duo(w, s);
    duo d = before;
    gift sum = {cri_lanes3_zero(), {cri_lanes3_zero(), cri_lanes3_zero()}};
    stand_still(w, s, &d);
    gift given = press_evenly(w, s, &d, lanes);
    give_gift(s, &d, &given);
    add_gift(&sum, &given);
    for (int i = s->first; i < s->first + s->count; i++) {
        if (cri_mask_any(w->grips[i].on & lanes)) {
            given = give_point(s, &d, &w->grips[i], lanes, how);
            add_gift(&sum, &given);
        }
    }
    duo after = before;
    give_to(&after, 1, cri_lanes_all(1), sum.impulse, sum.twist[1]);
    give_to(&after, 0, cri_lanes_all(-1), sum.impulse, sum.twist[0]);
    for (int i = 0; i < 2; i++) {
        d.velocity[i] = cri_lanes3_pick(s->still[i], after.velocity[i], d.velocity[i]);
        d.spin[i] = cri_lanes3_pick(s->still[i], after.spin[i], d.spin[i]);
    }
    store_duo(w, s, &d);
}

// The visits first .. end - 1, of one level, of bodies that rest on several: they share the load.
static inline void share_load(batch *w, int first, int end)
{
    for (int round = 0; round < SHARED_ROUNDS; round++) {
        rubs how = round + 1 < SHARED_ROUNDS ? WITHOUT_FRICTION : WITH_FRICTION;
        for (int i = first; i < end; i++) {
            const visit *v = &w->visits[i];
            cri_mask lanes = v->lanes & ~v->patch->alone;
            if (cri_mask_any(lanes)) {
                pass_down(w, v->patch, lanes, how);
            }
        }
    }
}

static inline void sweep_down(batch *w)
{
    for (int first = 0; first < w->visit_count;) {
        int end = first;
        cri_mask shared = cri_mask_all(0);
        for (; end < w->visit_count && w->visits[end].level == w->visits[first].level; end++) {
            const visit *v = &w->visits[end];
            cri_mask lanes = v->lanes & v->patch->alone;
            shared = shared | (v->lanes & ~v->patch->alone);
            if (cri_mask_any(lanes)) {
                pass_down(w, v->patch, lanes, WITH_FRICTION);
            }
        }
        if (cri_mask_any(shared)) {
            share_load(w, first, end);
        }
        first = end;
    }
}

// A patch is due where its last visit changed something, or another has changed one of its two
// since.
static inline cri_mask is_due(const batch *w, const patch *s)
{
    return s->busy | ~is_same(s->seen[0], w->rests[s->movers[0]].count) |
           ~is_same(s->seen[1], w->rests[s->movers[1]].count);
}

static inline void visit_due(batch *w, patch *s, cri_mask lanes)
{
    cri_mask changed = lanes & is_less(cri_lanes_all(PATCH_ENOUGH), visit_patch(w, s, lanes));
    s->busy = (s->busy & ~lanes) | changed;
    for (int i = 0; i < 2; i++) {
        rest *r = &w->rests[s->movers[i]];
        if (s->movers[i] < w->course->mover_count) {
            r->count = r->count + cri_lanes_keep(changed, cri_lanes_all(1));
        }
        s->seen[i] = cri_lanes_pick(lanes, r->count, s->seen[i]);
    }
}

// Rounds with true masses, in the lanes given, until nothing is due.
static inline void go_round(batch *w, cri_mask lanes, int rounds)
{
    for (int i = 0; i < w->patch_count; i++) {
        w->patches[i].busy = cri_mask_all(-1);
    }
    bool any = true;
    for (int round = 0; round < rounds && any; round++) {
        any = false;
        for (int i = 0; i < w->visit_count; i++) {
            const visit *v = &w->visits[i];
            cri_mask mine = v->lanes & lanes & is_due(w, v->patch);
            if (cri_mask_any(mine)) {
                visit_due(w, v->patch, mine);
                any = true;
            }
        }
    }
}

// ---------------------------------------------------------------------------------------------
// Guard: contacts take energy from bodies that move freely, or leave it.

static inline cri_lanes kinetic(const batch *w)
{
    cri_lanes sum = cri_lanes_all(0);
    for (int i = 0; i < w->course->mover_count; i++) {
        const cri_mover *m = &w->course->movers[i];
        const body *b = &w->bodies[i];
        if (m->class == CRI_DRIVEN) {
            continue;
        }
        sum = sum + cri_lanes3_dot(b->next_velocity, b->next_velocity) * (0.5f * m->mass);
        for (int k = 0; k < 3 && m->class == CRI_FREE; k++) {
            cri_lanes about = cri_lanes3_dot(w->hefts[i].axes[k], b->next_spin);
            sum = sum + about * about * (0.5f * m->inertias[k]);
        }
        if (m->class == CRI_BALL || m->class == CRI_UPRIGHT) {
            sum = sum + cri_lanes3_dot(b->next_spin, b->next_spin) * (0.5f / m->inverse_inertia);
        }
    }
    return sum;
}

static inline float moving_mass(const batch *w)
{
    float sum = 0;
    for (int i = 0; i < w->course->mover_count; i++) {
        sum += w->course->movers[i].mass;
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
