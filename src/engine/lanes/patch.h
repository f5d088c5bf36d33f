// Impulses where a body is free: sequential impulses (projected Gauss-Seidel) over patches (contact
// manifolds), with the load passed down before anything is iterated. In lanes.
//
//         [ c ]   level 3     1  levels   how far above the ground a body rests, by a fixpoint over
//         -----                           the patches; each lane has its own
//         [ b ]   level 2     2  sweep    from the top level down each patch is solved as if what
//         -----                           it rests on stood still, and the whole opposite impulse
//         [ a ]   level 1                 goes to the body below: a stack is right after one sweep,
//       ===========                       and momentum is kept
//         ground  level 0     3  rounds   all patches with true masses, until nothing changes
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
// of its own velocity, and of the common velocity of the two along the patch. What is caught
// between something fixed and a body that is much heavier carries that in the same way, whatever
// way is up.
//
// A mover's spin is stretched in a solve: swing = root spin, where root^2 is its inertia. Then one
// row, unroot (lever x direction), tells both how fast a point is along a direction (row . swing)
// and what a unit of impulse along it does (swing + row), and the energy is half of the swing's
// square.
//
// A patch is six such rows, about a place among its points, and a visit works on its six speeds
// alone (W: what six impulses do to them):
//
//     0 normal   1 tilt   2 roll     a point at (u, v) parts by  x0 + u x1 + v x2
//     3 slide    4 across 5 yaw      and slips by  x3 - v x5  and  x4 + u x5
//
// The impulses of points along the normal are never negative. Friction is that of the patch as a
// whole: a force at the centre of pressure and a torque about it, no more than Coulomb's cone
// allows (an ellipsoid; for a torque alone friction times load times how far points are from the
// centre). A patch first tries to stick: impulses along the normal are found as if friction held
// the three speeds 3 to 5 at nothing whatever they are (a Schur complement of W; a box on a slope,
// or one that tips, is then right after one visit). Where friction cannot hold that, it slips: the
// normals are found with friction as it is, then friction along the slip, with one mobility for all
// directions.
#ifndef CRI_LANES_PATCH_H
#define CRI_LANES_PATCH_H

#include "engine/lanes/solve.h"

// Rounds end where no impulse changes a speed by more than this and a share of how fast the two
// move, or after so many.
#define PATCH_ENOUGH 2e-5f // m/s
#define ENOUGH_SHARE 1e-3f
enum { PATCH_ROUNDS_MAX = 3, RELAX_ROUNDS = 1 };
// A world in which the last visit of some patch changed a speed by more than this, which is nearly
// a millimetre in a substep, goes on: an impact on what lies on the floor takes more rounds.
#define UNSETTLED 0.2f // m/s
enum { UNSETTLED_ROUNDS = 8 };
// Levels beyond this are not told apart.
#define LEVEL_MAX 12.0f
// A solve that adds more energy than this share has gone wrong: rounds alone take its place.
#define GUARD_SHARE 1.02f
#define GUARD_SPEED 1e-5f // J/kg
enum { GUARD_ROUNDS = 10 };

// What impulses of a patch do to its speeds. Symmetric tables: 00, 01, 02, 11, 12, 22.
enum { ROWS = 6 };
typedef struct ease {
    cri_lanes press[6];   // those along the normal to each other
    cri_lanes tie[3][3];  // those of friction to the speeds along the normal, and the reverse
    cri_lanes rub[6];     // those of friction to each other
    cri_lanes stick[6];   // the inverse of that; without yaw where there is one point
    cri_lanes back[3][3]; // tie stick: what friction that sticks gives back
    cri_lanes held[6];    // press, where friction sticks
    cri_lanes even[6], held_even[6]; // for the two: see weigh_points
    bool made;                       // by the first visit that needs it: many are never pressed
} ease;

// A contact point at work.
typedef struct grip {
    cri_mask on;
    cri_lanes u, v; // its place on the patch
    cri_lanes target, impulse;
} grip;

// Which of a patch's two are pushed: neither the ground nor a driven body is.
typedef enum ends { BOTH_ENDS, FIRST_END, SECOND_END } ends;

// The points of one meet. All have one normal.
typedef struct patch {
    const cri_meet *meet;
    int first, count; // of points
    grip *grips;      // theirs
    int movers[2];    // the ground is the one after the last
    ends ends;
    bool driven;                // the other end is a driven body
    bool rests;                 // in some lane an end stands still in the sweep
    cri_mask busy;              // its last visit changed a speed by more than enough
    cri_lanes enough;           // m/s
    cri_lanes moved;            // m/s, by its last visit
    cri_lanes seen[2];          // the counts of its two at that visit
    cri_mask near, on;          // it has a point; one to be solved
    cri_mask below[2], touches; // the end that is below the other; the two touch
    cri_mask still[2];          // what stands still in the sweep
    cri_mask alone;             // what it carries rests on nothing else
    cri_mask swept;             // something rests on one of the two
    cri_mask stands;            // both are slow
    cri_mask slips;             // friction did not hold it in its last visit
    cri_lanes level;
    cri_lanes3 normal, slide, across;
    cri_lanes3 turn[2][ROWS]; // rows of its two ends
    cri_lanes base[ROWS];     // speeds that a driven end has
    cri_lanes spread[4];      // inverse moments of the points: count, uu, uv, vv
    cri_lanes size[2];        // m: the farthest of the points along u and v
    cri_lanes line[2];        // where there are two points: the direction from one to the other
    cri_mask twists, wide;    // it has two points; three
    cri_lanes hold[2];        // inverse coefficients of friction along slide and across
    cri_lanes rub[3];         // impulses of friction: along slide and across, and about the normal
    cri_lanes twist;          // the last about the load's centre, over the load's arm: see visit.h
    ease real, resting;       // resting: what it rests on stands still
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
    cri_mask supported, carries; // carries: something rests on it, and it is not the ground
    cri_lanes level, supports;
    cri_lanes3 velocity, swing; // as it stands in the sweep
    cri_lanes pace;             // m/s, when the piece begins
} rest;

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
            last->near = last->near | p->near;
            last->on = last->on | p->solve;
            continue;
        }
        patch *s = &w->patches[w->patch_count++];
        s->meet = p->meet;
        s->first = i;
        s->count = 1;
        s->grips = &w->grips[i];
        s->near = p->near;
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

// Indices of symmetric tables.
static const int PAIRS[6][2] = {{0, 0}, {0, 1}, {0, 2}, {1, 1}, {1, 2}, {2, 2}};

// The inverse of a symmetric table; nothing where it is next to singular: what turns about one axis
// alone, an upright, makes it singular but for rounding.
INLINE cri_mask invert_sym(const cri_lanes m[6], cri_lanes out[6])
{
    cri_lanes c00 = m[3] * m[5] - m[4] * m[4], c01 = m[2] * m[4] - m[1] * m[5];
    cri_lanes c02 = m[1] * m[4] - m[2] * m[3], det = m[0] * c00 + m[1] * c01 + m[2] * c02;
    cri_mask sound = is_less(m[0] * m[3] * m[5] * 1e-5f, det);
    det = cri_lanes_keep(sound, 1.0f / cri_lanes_pick(sound, det, cri_lanes_all(1)));
    out[0] = c00 * det, out[1] = c01 * det, out[2] = c02 * det;
    out[3] = (m[0] * m[5] - m[2] * m[2]) * det;
    out[4] = (m[1] * m[2] - m[0] * m[4]) * det;
    out[5] = (m[0] * m[3] - m[1] * m[1]) * det;
    return sound;
}

INLINE void times_sym(const cri_lanes m[6], const cri_lanes a[3], cri_lanes out[3])
{
    cri_lanes x = a[0], y = a[1], z = a[2];
    out[0] = m[0] * x + m[1] * y + m[2] * z;
    out[1] = m[1] * x + m[3] * y + m[4] * z;
    out[2] = m[2] * x + m[4] * y + m[5] * z;
}

// From the center of a mover to a point of a meet that is not of two solids one of which is free.
static inline cri_lanes3 lever_to(const batch *w, const patch *s, const point *p, int i)
{
    if (s->meet->kind == CRI_MEET_BALLS || (s->meet->kind == CRI_MEET_SOLID && i == 1)) {
        float radius = w->course->movers[s->movers[i]].radius;
        return cri_lanes3_scale(cri_lanes_all(i ? -radius : radius), p->normal);
    }
    return cri_lanes3_sub(p->place, w->bodies[s->movers[i]].place);
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

// Levers of a patch's points and of its middle.
typedef struct levers {
    cri_lanes3 of[CRI_TOUCH_MAX][2], middle[2];
} levers;

// Those of the points.
static inline void find_levers(const batch *w, const patch *s, levers *l)
{
    const point *points = &w->points[s->first];
    if (s->meet->kind != CRI_MEET_FREE) {
        for (int k = 0; k < s->count; k++) {
            l->of[k][0] = lever_to(w, s, &points[k], 0);
            l->of[k][1] = lever_to(w, s, &points[k], 1);
        }
        return;
    }
    int side = lever_side(w, s->meet);
    cri_lanes3 apart =
        cri_lanes3_sub(w->bodies[s->movers[side]].place, w->bodies[s->movers[1 - side]].place);
    for (int k = 0; k < s->count; k++) {
        l->of[k][side] = points[k].lever;
        l->of[k][1 - side] = cri_lanes3_add(points[k].lever, apart);
    }
}

// The middle of the points; it is as high as the nearest of them, so that friction has the lever of
// what touches.
static inline void take_levers(const batch *w, patch *s, levers *l)
{
    cri_lanes count = cri_lanes_all(1e-6f), nearest_gap = cri_lanes_all(FAR), high = count;
    cri_lanes3 sum[2] = {cri_lanes3_zero(), cri_lanes3_zero()};
    find_levers(w, s, l);
    for (int k = 0; k < s->count; k++) {
        const point *p = &w->points[s->first + k];
        cri_mask on = p->solve;
        sum[0] = cri_lanes3_add(sum[0], cri_lanes3_keep(on, l->of[k][0]));
        sum[1] = cri_lanes3_add(sum[1], cri_lanes3_keep(on, l->of[k][1]));
        count = count + cri_lanes_keep(on, cri_lanes_all(1));
        cri_mask nearer = on & is_less(p->gap, nearest_gap);
        nearest_gap = cri_lanes_pick(nearer, p->gap, nearest_gap);
        high = cri_lanes_pick(nearer, cri_lanes3_dot(l->of[k][1], s->normal), high);
    }
    s->spread[0] = 1.0f / count;
    s->twists = is_less(cri_lanes_all(1.5f), count);
    s->wide = is_less(cri_lanes_all(2.5f), count);
    cri_lanes3 second = cri_lanes3_scale(s->spread[0], sum[1]);
    cri_lanes lift = high - cri_lanes3_dot(second, s->normal);
    l->middle[0] = cri_lanes3_mad(cri_lanes3_scale(s->spread[0], sum[0]), lift, s->normal);
    l->middle[1] = cri_lanes3_mad(second, lift, s->normal);
}

// Rows of the ends about the middle, and the speeds of a driven end.
static inline void make_rows(const batch *w, patch *s, const levers *l)
{
    for (int i = 0; i < 2; i++) {
        cri_lanes3 r = l->middle[i];
        if (has_end(s, i)) {
            s->turn[i][0] = swing_of(w, s, i, cri_lanes3_cross(r, s->normal));
            s->turn[i][1] = swing_of(w, s, i, cri_lanes3_scale(cri_lanes_all(-1), s->across));
            s->turn[i][2] = swing_of(w, s, i, s->slide);
            s->turn[i][3] = swing_of(w, s, i, cri_lanes3_cross(r, s->slide));
            s->turn[i][4] = swing_of(w, s, i, cri_lanes3_cross(r, s->across));
            s->turn[i][5] = swing_of(w, s, i, s->normal);
        } else if (s->driven) {
            const body *b = &w->bodies[s->movers[i]];
            cri_lanes side = cri_lanes_all(i ? 1 : -1);
            cri_lanes3 spin = cri_lanes3_scale(side, b->next_spin);
            cri_lanes3 v = cri_lanes3_mad(cri_lanes3_cross(spin, r), side, b->next_velocity);
            s->base[0] = cri_lanes3_dot(s->normal, v);
            s->base[1] = -cri_lanes3_dot(s->across, spin);
            s->base[2] = cri_lanes3_dot(s->slide, spin);
            s->base[3] = cri_lanes3_dot(s->slide, v);
            s->base[4] = cri_lanes3_dot(s->across, v);
            s->base[5] = cri_lanes3_dot(s->normal, spin);
        }
    }
}

// Where the points lie on the patch, and the inverse of their moments, by which a pressure that
// varies evenly over the patch is found.
static inline void spread_patch(batch *w, patch *s, const levers *l)
{
    cri_lanes uu = cri_lanes_all(0), uv = uu, vv = uu;
    s->size[0] = s->size[1] = uu;
    for (int k = 0; k < s->count; k++) {
        grip *g = &w->grips[s->first + k];
        g->on = w->points[s->first + k].solve;
        cri_lanes3 r = cri_lanes3_sub(l->of[k][1], l->middle[1]);
        g->u = cri_lanes_keep(g->on, cri_lanes3_dot(r, s->slide));
        g->v = cri_lanes_keep(g->on, cri_lanes3_dot(r, s->across));
        s->size[0] = lanes_max(s->size[0], cri_lanes_abs(g->u));
        s->size[1] = lanes_max(s->size[1], cri_lanes_abs(g->v));
        uu = uu + g->u * g->u;
        uv = uv + g->u * g->v;
        vv = vv + g->v * g->v;
    }
    cri_lanes all = lanes_max(uu + vv, cri_lanes_all(1e-12f));
    s->line[0] = cri_lanes_keep(s->twists, cri_lanes_sqrt(uu / all));
    s->line[1] = cri_lanes_keep(s->twists, cri_lanes_sqrt(vv / all) * sign_of(uv));
    // A row of points has no moment in some direction.
    cri_lanes least = (uu + vv) * 1e-3f + 1e-9f;
    uu = uu + least, vv = vv + least;
    cri_lanes det = 1.0f / (uu * vv - uv * uv);
    s->spread[1] = vv * det, s->spread[2] = -(uv * det), s->spread[3] = uu * det;
}

// The inverse of the mobilities of friction.
static inline void invert_rub(const patch *s, ease *e)
{
    const cri_lanes *k = e->rub;
    cri_lanes three[6], zero = cri_lanes_all(0), sum = k[0] + k[3];
    cri_mask whole = s->twists & invert_sym(k, three);
    // Uprights slide in a plane alone.
    cri_mask flat = ~is_less(k[0] * k[3] * 1e-4f, k[0] * k[3] - k[1] * k[1]);
    cri_lanes least = cri_lanes_keep(flat, sum * 1e-3f);
    cri_lanes one = k[0] + least, two = k[3] + least;
    cri_lanes det = invert(one * two - k[1] * k[1], cri_mask_all(-1));
    e->stick[0] = cri_lanes_pick(whole, three[0], two * det);
    e->stick[1] = cri_lanes_pick(whole, three[1], -(k[1] * det));
    e->stick[3] = cri_lanes_pick(whole, three[3], one * det);
    e->stick[2] = cri_lanes_pick(whole, three[2], zero);
    e->stick[4] = cri_lanes_pick(whole, three[4], zero);
    e->stick[5] = cri_lanes_pick(whole, three[5], zero);
}

// What impulses along the normal give speeds that points can have: the inverse of their mobilities,
// among what one point, or two, can do where there are no more.
static inline void invert_press(const patch *s, const cri_lanes m[6], cri_lanes out[6])
{
    cri_lanes three[6], u = s->line[0], v = s->line[1], one = cri_lanes_all(1);
    invert_sym(m, three);
    cri_lanes b = m[1] * u + m[2] * v, c = (m[3] * u + m[4] * v * 2.0f) * u + m[5] * v * v;
    c = cri_lanes_pick(s->twists, c, one);
    cri_lanes det = m[0] * c - b * b;
    cri_mask sound = is_less(m[0] * c * 1e-5f, det);
    det = cri_lanes_keep(sound, 1.0f / cri_lanes_pick(sound, det, one));
    cri_lanes a = m[0] * det;
    b = b * det;
    const cri_lanes two[6] = {c * det, -(b * u), -(b * v), a * u * u, a * u * v, a * v * v};
    for (int k = 0; k < 6; k++) {
        out[k] = cri_lanes_pick(s->wide, three[k], two[k]);
    }
}

// What points miss, summed up as impulses are (S), becomes a pressure that varies evenly over the
// patch, as spread inverse spread S: least squares, the impulses that give these speeds, and the
// pressure that has these impulses.
static inline void weigh_points(const patch *s, const cri_lanes inverse[6], cri_lanes out[6])
{
    const cri_lanes *i = inverse, *a = s->spread;
    cri_lanes t11 = a[1] * i[3] + a[2] * i[4], t12 = a[1] * i[4] + a[2] * i[5];
    cri_lanes t21 = a[2] * i[3] + a[3] * i[4], t22 = a[2] * i[4] + a[3] * i[5];
    out[0] = a[0] * a[0] * i[0];
    out[1] = a[0] * (a[1] * i[1] + a[2] * i[2]);
    out[2] = a[0] * (a[2] * i[1] + a[3] * i[2]);
    out[3] = t11 * a[1] + t12 * a[2];
    out[4] = t11 * a[2] + t12 * a[3];
    out[5] = t21 * a[2] + t22 * a[3];
}

// Let an end that moves in these lanes take part.
INLINE void add_end(const batch *w, const patch *s, int i, cri_mask lanes, ease *e)
{
    const cri_lanes3 *t = s->turn[i];
    cri_lanes3 mass = w->motions[s->movers[i]].mass;
    const cri_lanes3 n = times3(mass, s->normal), along = times3(mass, s->slide);
    const cri_lanes3 across = times3(mass, s->across);
    for (int k = 0; k < 6; k++) {
        cri_lanes press = cri_lanes3_dot(t[PAIRS[k][0]], t[PAIRS[k][1]]);
        cri_lanes rub = cri_lanes3_dot(t[3 + PAIRS[k][0]], t[3 + PAIRS[k][1]]);
        press = k == 0 ? press + cri_lanes3_dot(s->normal, n) : press;
        rub = k == 0 ? rub + cri_lanes3_dot(s->slide, along) : rub;
        rub = k == 1 ? rub + cri_lanes3_dot(s->slide, across) : rub;
        rub = k == 3 ? rub + cri_lanes3_dot(s->across, across) : rub;
        e->press[k] = e->press[k] + cri_lanes_keep(lanes, press);
        e->rub[k] = e->rub[k] + cri_lanes_keep(lanes, rub);
    }
    for (int a = 0; a < 3; a++) {
        for (int b = 0; b < 3; b++) {
            cri_lanes tie = cri_lanes3_dot(t[a], t[3 + b]);
            tie = a == 0 && b == 0 ? tie + cri_lanes3_dot(s->normal, along) : tie;
            tie = a == 0 && b == 1 ? tie + cri_lanes3_dot(s->normal, across) : tie;
            e->tie[a][b] = e->tie[a][b] + cri_lanes_keep(lanes, tie);
        }
    }
}

// Mobilities, with what stands still left out.
static inline void make_ease(const batch *w, const patch *s, const cri_mask moves[2], ease *e)
{
    cri_lanes zero = cri_lanes_all(0);
    for (int k = 0; k < 6; k++) {
        e->press[k] = e->rub[k] = zero;
    }
    for (int k = 0; k < 9; k++) {
        e->tie[k / 3][k % 3] = zero;
    }
    for (int i = 0; i < 2; i++) {
        if (has_end(s, i)) {
            add_end(w, s, i, moves[i], e);
        }
    }
    invert_rub(s, e);
    for (int a = 0; a < 3; a++) {
        times_sym(e->stick, e->tie[a], e->back[a]);
    }
    for (int k = 0; k < 6; k++) {
        const cri_lanes *back = e->back[PAIRS[k][0]], *tie = e->tie[PAIRS[k][1]];
        e->held[k] = e->press[k] - (back[0] * tie[0] + back[1] * tie[1] + back[2] * tie[2]);
    }
    cri_lanes inverse[6];
    invert_press(s, e->press, inverse);
    weigh_points(s, inverse, e->even);
    invert_press(s, e->held, inverse);
    weigh_points(s, inverse, e->held_even);
    e->made = true;
}

static inline void make_patch(batch *w, patch *s, levers *l)
{
    take_levers(w, s, l);
    make_rows(w, s, l);
    spread_patch(w, s, l);
    s->rests = cri_mask_any((s->still[0] | s->still[1]) & s->on);
    s->real.made = s->resting.made = false;
}

// What impulses do, all in all, and where what it rests on stands still.
static inline const ease *real_ease(const batch *w, patch *s)
{
    if (!s->real.made) {
        const cri_mask all[2] = {cri_mask_all(-1), cri_mask_all(-1)};
        make_ease(w, s, all, &s->real);
    }
    return &s->real;
}

static inline const ease *resting_ease(const batch *w, patch *s)
{
    if (!s->resting.made) {
        const cri_mask moves[2] = {~s->still[0], ~s->still[1]};
        make_ease(w, s, moves, &s->resting);
    }
    return &s->resting;
}

#endif
