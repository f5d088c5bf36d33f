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
// A mover's spin is stretched in a solve: swing = root spin, where root^2 is its inertia. Then one
// row for each direction of a point, unroot (lever x direction), tells both how fast the point is
// along it (row . swing) and what a unit of impulse along it does (swing + row), and the energy is
// half of the swing's square.
//
// A point's three rows: the impulse along the normal is never negative; friction is a vector across
// it, no longer than the coefficient times it (Coulomb's cone, over an ellipse where a surface has
// a grain). While a point sticks, both directions are solved together (a 2 by 2 block); when it
// slips, with one mobility for all directions, so that friction stays along the slip.
#ifndef CRI_LANES_PATCH_H
#define CRI_LANES_PATCH_H

#include "engine/lanes_numbers.h"
#include "engine/lanes_solve.h"

// Rounds end where no impulse changes a speed by more than this and a share of how fast the two
// move, or after so many.
#define PATCH_ENOUGH 2e-5f // m/s
#define ENOUGH_SHARE 2e-4f
enum { PATCH_ROUNDS_MAX = 8, RELAX_ROUNDS = 2 };
// Where a body rests on several, its patches share the load: so many rounds along the normals, then
// one with friction. Friction before that would build arches that are not there.
enum { SHARED_ROUNDS = 3 };
// Levels beyond this are not told apart.
#define LEVEL_MAX 12.0f
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
    cri_lanes3 turn[2][3]; // rows of its two ends: the swing that a unit along each direction gives
    cri_lanes target, impulse, rub[2];
    cri_lanes hold[2];  // inverse coefficients of friction along slide and across
    cri_lanes mobility; // along the normal
    yields real;
    cri_lanes base[3]; // speeds that a driven end has
} grip;

// The rest of what is known of it, for the sweep.
typedef struct spot {
    cri_lanes u, v; // its place on the patch, from the middle of its points
    yields resting; // what the patch rests on stands still
} spot;

// Which of a patch's two are pushed: neither the ground nor a driven body is.
typedef enum ends { BOTH_ENDS, FIRST_END, SECOND_END } ends;

// The points of one meet. All have one normal.
typedef struct patch {
    const cri_meet *meet;
    int first, count;
    int movers[2]; // the ground is the one after the last
    ends ends;
    bool driven;       // the other end is a driven body
    cri_mask busy;     // its last visit changed a speed by more than enough
    cri_lanes enough;  // m/s
    cri_lanes seen[2]; // the counts of its two at that visit
    cri_mask on;
    cri_mask below[2], touches; // the end that is below the other; the two touch
    cri_mask still[2];          // what stands still in the sweep
    cri_mask alone;             // what it carries rests on nothing else
    cri_lanes level;
    cri_lanes3 normal, slide, across;
    // Rows of its two ends, about the middle of its points: along the normal, and for pressures
    // that grow along slide and across.
    cri_lanes3 turn[2][3];
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
typedef struct motion {
    cri_lanes3 velocity, swing;           // swing: root spin
    cri_lanes3 mass;                      // inverse, by direction
    cri_lanes count;                      // of visits that changed its speed
    cri_lanes3 free_velocity, free_swing; // before the solve
    cri_lanes weight;                     // kg, of what counts for the energy
    sym root, unroot;                     // of the inertia, and of its inverse
} motion;

// How it rests on others.
typedef struct rest {
    cri_mask supported;
    cri_lanes level, supports;
    cri_lanes3 velocity, swing; // as it stands in the sweep
    cri_lanes pace;             // m/s, when the piece begins
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

static inline bool is_immovable(const batch *w, int mover)
{
    return mover == w->course->mover_count || w->course->movers[mover].class == CRI_DRIVEN;
}

static inline void set_ends(const batch *w, patch *s)
{
    s->ends = is_immovable(w, s->movers[0])   ? SECOND_END
              : is_immovable(w, s->movers[1]) ? FIRST_END
                                              : BOTH_ENDS;
    int other = s->movers[s->ends == SECOND_END ? 0 : 1];
    s->driven = s->ends != BOTH_ENDS && other != w->course->mover_count;
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
        patch *s = &w->patches[w->patch_count++];
        s->meet = p->meet;
        s->first = i;
        s->count = 1;
        s->on = p->solve;
        for (int k = 0; k < 2; k++) {
            s->movers[k] = mover_or_ground(w, p->meet->movers[k]);
        }
        set_ends(w, s);
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

// 1/a where it is more than next to nothing, and the mask is set.
INLINE cri_lanes invert(cri_lanes a, cri_mask on)
{
    cri_mask some = is_less(cri_lanes_all(1e-12f), a);
    return cri_lanes_keep(on & some, 1.0f / cri_lanes_pick(some, a, cri_lanes_all(1)));
}

// What a unit of impulse along each direction gives along each: 00, 01, 02, 11, 12, 22.
typedef struct ease {
    cri_lanes k[6];
} ease;

static const int PAIRS[6][2] = {{0, 0}, {0, 1}, {0, 2}, {1, 1}, {1, 2}, {2, 2}};

// By the mass of an end.
static inline ease ease_of_mass(const batch *w, const patch *s, int end)
{
    const cri_lanes3 along[3] = {s->normal, s->slide, s->across};
    cri_lanes3 mass = w->motions[s->movers[end]].mass;
    ease e;
    for (int i = 0; i < 6; i++) {
        e.k[i] = cri_lanes3_dot(along[PAIRS[i][0]], times3(mass, along[PAIRS[i][1]]));
    }
    return e;
}

// And by its turning, if it does not stand still.
INLINE void add_ease(ease *sum, const ease *mass, const cri_lanes3 turn[3], cri_mask lanes)
{
    for (int i = 0; i < 6; i++) {
        cri_lanes by = mass->k[i] + cri_lanes3_dot(turn[PAIRS[i][0]], turn[PAIRS[i][1]]);
        sum->k[i] = sum->k[i] + cri_lanes_keep(lanes, by);
    }
}

static inline yields yields_of(const ease *e, cri_mask on)
{
    const cri_lanes *k = e->k;
    cri_lanes half = (k[3] - k[5]) * 0.5f, det = invert(k[3] * k[5] - k[4] * k[4], on);
    // The larger of the two principal mobilities: with it slipping overshoots in no direction.
    cri_lanes most = (k[3] + k[5]) * 0.5f + cri_lanes_sqrt(half * half + k[4] * k[4]);
    return (yields){.normal = invert(k[0], on),
                    .tie = {k[1], k[2]},
                    .block = {k[5] * det, -(k[4] * det), k[3] * det},
                    .slip = invert(most, on)};
}

// From the center of a mover to a point.
static inline cri_lanes3 lever_to(const batch *w, const patch *s, const point *p, int i)
{
    cri_lanes3 center = w->bodies[s->movers[i]].place;
    if (s->meet->kind == CRI_MEET_BALLS || (s->meet->kind == CRI_MEET_SOLID && i == 1)) {
        float radius = w->course->movers[s->movers[i]].radius;
        return cri_lanes3_scale(cri_lanes_all(i ? -radius : radius), p->normal);
    }
    if (s->meet->kind != CRI_MEET_FREE) {
        return cri_lanes3_sub(p->place, center);
    }
    int side = lever_side(w, s->meet);
    if (i == side) {
        return p->lever;
    }
    return cri_lanes3_add(p->lever, cri_lanes3_sub(w->bodies[s->movers[side]].place, center));
}

// The swing that a unit of impulse gives to an end, if it turns that much about its center.
INLINE cri_lanes3 swing_of(const batch *w, const patch *s, int end, cri_lanes3 twist)
{
    cri_lanes3 swing = sym_mul(&w->motions[s->movers[end]].unroot, twist);
    return end ? swing : cri_lanes3_scale(cri_lanes_all(-1), swing);
}

INLINE bool has_end(const patch *s, int end)
{
    return s->ends == BOTH_ENDS || s->ends == (end ? SECOND_END : FIRST_END);
}

// The speeds of a driven end along the three directions.
static inline void set_base(const batch *w, const patch *s, cri_lanes3 lever, grip *g)
{
    int end = s->ends == FIRST_END ? 1 : 0;
    const body *b = &w->bodies[s->movers[end]];
    cri_lanes3 v = cri_lanes3_add(b->next_velocity, cri_lanes3_cross(b->next_spin, lever));
    v = cri_lanes3_scale(cri_lanes_all(end ? 1 : -1), v);
    g->base[0] = cri_lanes3_dot(s->normal, v);
    g->base[1] = cri_lanes3_dot(s->slide, v);
    g->base[2] = cri_lanes3_dot(s->across, v);
}

// Levers of a patch's points.
typedef struct levers {
    cri_lanes3 of[CRI_TOUCH_MAX][2];
    ease mass[2];
} levers;

static inline void make_grip(const batch *w, const patch *s, int number, const levers *l)
{
    grip *g = &w->grips[s->first + number];
    spot *at = &w->spots[s->first + number];
    ease all = {0}, some = {0};
    g->on = w->points[s->first + number].solve;
    for (int i = 0; i < 2; i++) {
        if (has_end(s, i)) {
            cri_lanes3 r = l->of[number][i];
            g->turn[i][0] = swing_of(w, s, i, cri_lanes3_cross(r, s->normal));
            g->turn[i][1] = swing_of(w, s, i, cri_lanes3_cross(r, s->slide));
            g->turn[i][2] = swing_of(w, s, i, cri_lanes3_cross(r, s->across));
            add_ease(&all, &l->mass[i], g->turn[i], cri_mask_all(-1));
            add_ease(&some, &l->mass[i], g->turn[i], ~s->still[i]);
        }
    }
    if (s->driven) {
        set_base(w, s, l->of[number][s->ends == FIRST_END ? 1 : 0], g);
    }
    g->mobility = all.k[0];
    g->real = yields_of(&all, g->on);
    if (cri_mask_any(s->still[0] | s->still[1])) {
        at->resting = yields_of(&some, g->on);
    }
}

static inline void take_levers(const batch *w, const patch *s, levers *l)
{
    for (int i = 0; i < 2; i++) {
        for (int k = 0; k < s->count; k++) {
            l->of[k][i] = lever_to(w, s, &w->points[s->first + k], i);
        }
        if (has_end(s, i)) {
            l->mass[i] = ease_of_mass(w, s, i);
        }
    }
}

// The middle of the points from the centers of the two; the rows of a pressure about it.
static inline void find_middle(const batch *w, patch *s, const levers *l, cri_lanes3 middle[2])
{
    cri_lanes count = cri_lanes_all(1e-6f);
    middle[0] = middle[1] = cri_lanes3_zero();
    for (int k = 0; k < s->count; k++) {
        cri_mask on = w->grips[s->first + k].on;
        count = count + cri_lanes_keep(on, cri_lanes_all(1));
        for (int i = 0; i < 2; i++) {
            middle[i] = cri_lanes3_add(middle[i], cri_lanes3_keep(on, l->of[k][i]));
        }
    }
    s->spread[0] = 1.0f / count;
    for (int i = 0; i < 2; i++) {
        middle[i] = cri_lanes3_scale(s->spread[0], middle[i]);
        if (has_end(s, i)) {
            cri_lanes3 about = cri_lanes3_scale(cri_lanes_all(-1), s->across);
            s->turn[i][0] = swing_of(w, s, i, cri_lanes3_cross(middle[i], s->normal));
            s->turn[i][1] = swing_of(w, s, i, about);
            s->turn[i][2] = swing_of(w, s, i, s->slide);
        }
    }
}

// Where the points lie on the patch, about their middle; and the inverse of their moments, by which
// a pressure that varies evenly over the patch is found.
static inline void spread_patch(const batch *w, patch *s, const levers *l)
{
    cri_lanes uu = cri_lanes_all(0), uv = uu, vv = uu;
    cri_lanes3 middle[2];
    find_middle(w, s, l, middle);
    for (int k = 0; k < s->count; k++) {
        spot *at = &w->spots[s->first + k];
        cri_mask on = w->grips[s->first + k].on;
        cri_lanes3 r = cri_lanes3_sub(l->of[k][1], middle[1]);
        at->u = cri_lanes_keep(on, cri_lanes3_dot(r, s->slide));
        at->v = cri_lanes_keep(on, cri_lanes3_dot(r, s->across));
        uu = uu + at->u * at->u;
        uv = uv + at->u * at->v;
        vv = vv + at->v * at->v;
    }
    // One point, or a row of them, has no moment in some direction.
    cri_lanes least = (uu + vv) * 1e-3f + 1e-9f;
    uu = uu + least, vv = vv + least;
    cri_lanes det = 1.0f / (uu * vv - uv * uv);
    s->spread[1] = vv * det, s->spread[2] = -(uv * det), s->spread[3] = uu * det;
}

// The inverse of the 3 by 3 matrix of mobilities along the normal, about -across and about slide,
// with what stands still left out.
static inline void invert_patch(patch *s, const levers *l)
{
    ease mass, sum = {0};
    for (int i = 0; i < 2; i++) {
        if (has_end(s, i)) {
            mass = (ease){{l->mass[i].k[0]}};
            add_ease(&sum, &mass, s->turn[i], ~s->still[i]);
        }
    }
    const cri_lanes *m = sum.k;
    cri_lanes c00 = m[3] * m[5] - m[4] * m[4], c01 = m[2] * m[4] - m[1] * m[5];
    cri_lanes c02 = m[1] * m[4] - m[2] * m[3], det = m[0] * c00 + m[1] * c01 + m[2] * c02;
    // What turns about one axis alone, an upright, makes it singular but for rounding.
    cri_mask sound = is_less(m[0] * m[3] * m[5] * 1e-5f, det);
    det = cri_lanes_keep(sound, 1.0f / cri_lanes_pick(sound, det, cri_lanes_all(1)));
    s->inverse[0] = c00 * det, s->inverse[1] = c01 * det, s->inverse[2] = c02 * det;
    s->inverse[3] = (m[0] * m[5] - m[2] * m[2]) * det;
    s->inverse[4] = (m[1] * m[2] - m[0] * m[4]) * det;
    s->inverse[5] = (m[0] * m[3] - m[1] * m[1]) * det;
}

#endif
