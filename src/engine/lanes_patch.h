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

#endif
