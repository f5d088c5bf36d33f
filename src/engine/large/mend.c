// What a step of a large world left, mended before it is stored, as in small worlds (lanes/mend.h):
// overlaps of bodies that were fast, and energy that came from nowhere.
//
//     look      pairs of which one turned or was struck in the last substep, or that overlapped
//               then, are looked at as they lie now
//     deep      where some overlap by more than DEEP, so are all the pairs of their bodies
//     part      rounds of small displacements, by mass, give those points the gaps that they ask
//               for, one after the other in the order of pairs; then they are looked at again,
//               for what is pushed at one end comes down with the other
//
// Heaps at rest have no such pairs. Others have few, and these are far apart from each other: it is
// done by one thread.
#include <math.h>
#include <string.h>

#include "engine/contact.h"
#include "engine/large/large.h"
#include "engine/large/scratch.h"

// Two that leave their straight ways by less than this in a substep do not get that deep.
static const float BLIND_TURN = 1e-3f; // m
// What is deeper than DEEP is taken apart until LEFT of it is left: dominoes that slide down each
// other overlap by up to that, and to take them apart all the way would slow their wave down.
static const float DEEP = 5e-4f, LEFT = 4e-4f; // m
enum { PART_ROUNDS = 8, PARTINGS = 4 };

// ---------------------------------------------------------------------------------------------
// Looking.

// Whether two may overlap too much, by what the last piece found and did.
static bool may_be_deep(const cri_large *w, int pair)
{
    const int *movers = w->pairs[pair].movers;
    return (w->b.pace[movers[0]] + w->b.pace[movers[1]]) * w->span > BLIND_TURN ||
           cri_large_least_gap(w, pair) < -DEEP;
}

static bool is_shoved(const cri_large *w, int pair)
{
    const int *movers = w->pairs[pair].movers;
    return w->scratch->shoved[movers[0]] || w->scratch->shoved[movers[1]];
}

// The near pairs of which one moves; returns how many.
static int list_near(cri_large *w)
{
    int count = 0;
    for (int i = 0; i < w->pair_count; i++) {
        const cri_large_pair *p = &w->pairs[i];
        if (p->near && !p->silent && (w->b.turns[p->movers[0]] || w->b.turns[p->movers[1]])) {
            w->scratch->near[count++] = i;
        }
    }
    return count;
}

// Of these those of some sort; returns how many.
static int list_lying(cri_large *w, int near, bool (*is_one)(const cri_large *w, int pair))
{
    cri_large_scratch *s = w->scratch;
    int count = 0;
    memset(w->near_count, 0, sizeof w->near_count);
    for (int n = 0; n < near; n++) {
        if (is_one(w, s->near[n])) {
            int kind = w->pairs[s->near[n]].kind;
            w->near[kind][w->near_count[kind]++] = s->near[n];
            s->lying[count++] = s->near[n];
        }
    }
    return count;
}

// Points of these pairs as they lie: lots of bodies and solids stand anew where one is an end.
static void find_lying(cri_large *w, int count)
{
    cri_large_scratch *s = w->scratch;
    memset(s->ends, 0, (size_t)w->body_room * sizeof *s->ends);
    for (int n = 0; n < count; n++) {
        s->ends[w->pairs[s->lying[n]].movers[0]] = true;
        s->ends[w->pairs[s->lying[n]].movers[1]] = true;
    }
    s->ends[w->body_count] = false; // the ground stands where it stood
    for (int i = 0; i < w->body_room; i += CRI_LOT) {
        if (memchr(&s->ends[i], true, CRI_LOT)) {
            w->lanes->predict(w, i / CRI_LOT, i / CRI_LOT + 1);
        }
    }
    for (int i = 0, done = 0; i < w->solid_count; i++) {
        if (i >= done && s->ends[w->solid_movers[i]]) {
            w->lanes->stand(w, i / CRI_LOT, i / CRI_LOT + 1);
            done = (i / CRI_LOT + 1) * CRI_LOT;
        }
    }
    cri_large_find_points(w);
}

// Mark the bodies of pairs that overlap too much; true if there are some.
static bool mark_deep(cri_large *w, int count)
{
    cri_large_scratch *s = w->scratch;
    bool any = false;
    memset(s->shoved, 0, (size_t)w->body_room * sizeof *s->shoved);
    for (int n = 0; n < count; n++) {
        const int *movers = w->pairs[s->lying[n]].movers;
        bool deep = cri_large_least_gap(w, s->lying[n]) < -DEEP;
        for (int k = 0; k < 2 && deep; k++) {
            s->shoved[movers[k]] = w->b.pushed[movers[k]] != 0;
            any = any || s->shoved[movers[k]];
        }
    }
    return any;
}

// ---------------------------------------------------------------------------------------------
// Parting.

static cr_vec3 wide(const float v[3])
{
    return cri_vec3((double)v[0], (double)v[1], (double)v[2]);
}

// An end of a pair that is pushed at a point: how a unit moves and turns it, and what gap it gives.
typedef struct push_end {
    cr_vec3 lever, way, turn;
    double yield;
} push_end;

static cr_vec3 unrooted(const float *u, cr_vec3 v)
{
    cr_vec3 one = cri_vec3((double)u[0], (double)u[3], (double)u[4]);
    cr_vec3 two = cri_vec3((double)u[3], (double)u[1], (double)u[5]);
    cr_vec3 three = cri_vec3((double)u[4], (double)u[5], (double)u[2]);
    return cri_vec3(cri_dot(one, v), cri_dot(two, v), cri_dot(three, v));
}

static void answer(const cri_large *w, int mover, cr_vec3 n, push_end *e)
{
    const float *row = &w->body_rows[(size_t)mover * CRI_BODY_ROW];
    cr_vec3 twist = unrooted(row, cri_cross(e->lever, n));
    e->way = cri_vec3((double)row[6] * n.x, (double)row[6] * n.y, (double)row[7] * n.z);
    e->turn = unrooted(row, twist);
    e->yield = cri_dot(n, e->way) + cri_dot(twist, twist);
}

static double parting(const cri_shove *s, cr_vec3 lever, cr_vec3 n)
{
    return cri_dot(cri_add(s->way, cri_cross(s->turn, lever)), n);
}

static void shove(cri_shove *s, double by, const push_end *e)
{
    s->way = cri_mad(s->way, by, e->way);
    s->turn = cri_mad(s->turn, by, e->turn);
}

// Two that are parted: their normal, from the center of the first to that of the second, and how
// they have been moved.
typedef struct parted {
    int pair, movers[2];
    cr_vec3 normal, apart;
    cri_shove *shoves[2];
} parted;

// Returns whether it changed anything to speak of.
static bool part_point(cri_large *w, const parted *p, int i)
{
    float *pushed = &w->old_kept[(size_t)p->pair * CRI_KEPT_ROW + (size_t)i];
    cr_vec3 n = p->normal, arm = wide(&w->arms[(size_t)p->pair * CRI_ARMS_ROW + 3 * (size_t)i]);
    push_end one = {.lever = cri_add(arm, p->apart)}, two = {.lever = arm};
    double gap = (double)(w->found[(size_t)p->pair * CRI_FOUND_ROW + 4 + (size_t)i] + LEFT) +
                 parting(p->shoves[1], two.lever, n) - parting(p->shoves[0], one.lever, n);
    if (gap >= 0 && *pushed == 0) {
        return false;
    }
    answer(w, p->movers[0], n, &one);
    answer(w, p->movers[1], n, &two);
    double more = (double)*pushed - gap / (one.yield + two.yield + 1e-20);
    float push = more > 0 ? (float)more : 0;
    double change = (double)push - (double)*pushed;
    *pushed = push;
    shove(p->shoves[0], -change, &one);
    shove(p->shoves[1], change, &two);
    return fabs(gap) > 0.05 * (double)LEFT;
}

// A pair is due where it is deep, or one of its bodies was moved since it was its turn.
static bool is_due(const cri_large *w, int n)
{
    const cri_large_scratch *s = w->scratch;
    const int *movers = w->pairs[s->lying[n]].movers;
    int when = s->shoves[movers[0]].when, then = s->shoves[movers[1]].when;
    return when > s->turns[n] || then > s->turns[n] ||
           (s->turns[n] == 0 && cri_large_least_gap(w, s->lying[n]) < -LEFT);
}

static void part_pair(cri_large *w, int pair, int now)
{
    const float *found = &w->found[(size_t)pair * CRI_FOUND_ROW];
    const int *movers = w->pairs[pair].movers;
    cri_shove *shoves = w->scratch->shoves;
    parted p = {.pair = pair,
                .movers = {movers[0], movers[1]},
                .normal = wide(found),
                .apart = cri_sub(cri_large_place(w, movers[1]), cri_large_place(w, movers[0])),
                .shoves = {&shoves[movers[0]], &shoves[movers[1]]}};
    bool changed = false;
    for (int i = 0; i < CRI_LARGE_POINTS; i++) {
        bool there = found[4 + i] < CRI_NO_POINT / 2;
        changed = (there && part_point(w, &p, i)) || changed;
    }
    for (int k = 0; k < 2 && changed; k++) {
        shoves[movers[k]].when = w->b.pushed[movers[k]] ? now : 0;
    }
}

static void part(cri_large *w, int count)
{
    cri_large_scratch *s = w->scratch;
    int now = 0;
    memset(s->shoves, 0, (size_t)w->body_room * sizeof *s->shoves);
    memset(s->turns, 0, (size_t)count * sizeof *s->turns);
    for (int n = 0; n < count; n++) {
        memset(&w->old_kept[(size_t)s->lying[n] * CRI_KEPT_ROW], 0, CRI_KEPT_ROW * sizeof(float));
    }
    for (int i = 0; i < PART_ROUNDS * count; i++) {
        int n = i % count;
        if (is_due(w, n)) {
            s->turns[n] = ++now;
            part_pair(w, s->lying[n], now);
        }
    }
}

// q + (0, turn) q / 2.
static void turn_body(cri_large *w, int i, cr_vec3 turn)
{
    float **q = w->b.rotation;
    double x = turn.x / 2, y = turn.y / 2, z = turn.z / 2;
    double a = (double)q[0][i], b = (double)q[1][i], c = (double)q[2][i], d = (double)q[3][i];
    q[0][i] = (float)(a + x * d + y * c - z * b);
    q[1][i] = (float)(b + y * d + z * a - x * c);
    q[2][i] = (float)(c + z * d + x * b - y * a);
    q[3][i] = (float)(d - x * a - y * b - z * c);
}

static void displace(cri_large *w)
{
    for (int i = 0; i < w->body_count; i++) {
        const cri_shove *s = &w->scratch->shoves[i];
        const double way[3] = {s->way.x, s->way.y, s->way.z};
        if (!w->b.pushed[i] || (cri_dot(s->way, s->way) == 0 && cri_dot(s->turn, s->turn) == 0)) {
            continue;
        }
        for (int k = 0; k < 3; k++) {
            w->b.way[k][i] += (float)way[k];
            w->b.place[k][i] = w->b.start[k][i] + w->b.way[k][i];
        }
        turn_body(w, i, s->turn);
    }
}

static void trade(cri_large *w)
{
    cri_large_scratch *s = w->scratch;
    float *found = w->found, *arms = w->arms;
    w->found = s->lying_found, s->lying_found = found;
    w->arms = s->lying_arms, s->lying_arms = arms;
}

// What the last piece found stays: impulses that are remembered are of its points.
void cri_large_mend_overlaps(cri_large *w)
{
    int near = list_near(w), count = list_lying(w, near, may_be_deep);
    trade(w);
    w->h = 0; // nothing moves on
    for (int i = 0; i < PARTINGS && count > 0; i++) {
        find_lying(w, count);
        count = mark_deep(w, count) ? list_lying(w, near, is_shoved) : 0;
        if (count > 0) {
            find_lying(w, count);
            part(w, count);
            displace(w);
        }
    }
    w->h = w->span;
    trade(w);
}

// ---------------------------------------------------------------------------------------------
// Energy.

static bool is_zero(cr_vec3 v)
{
    return v.x == 0 && v.y == 0 && v.z == 0;
}

static double kinetic_energy(const cri_large *w, int i)
{
    const cri_large_bodies *b = &w->b;
    cr_vec3 v =
        cri_vec3((double)b->velocity[0][i], (double)b->velocity[1][i], (double)b->velocity[2][i]);
    cr_vec3 spin = cri_vec3((double)b->spin[0][i], (double)b->spin[1][i], (double)b->spin[2][i]);
    cr_quat q = {(double)b->rotation[0][i], (double)b->rotation[1][i], (double)b->rotation[2][i],
                 (double)b->rotation[3][i]};
    spin = cri_unrotate(q, spin);
    return 0.5 * ((double)b->mass[i] * cri_dot(v, v) + (double)b->inertias[0][i] * spin.x * spin.x +
                  (double)b->inertias[1][i] * spin.y * spin.y +
                  (double)b->inertias[2][i] * spin.z * spin.z);
}

static bool is_driven(const cri_large *w, int i)
{
    return w->natures[i] & CRI_LARGE_DRIVEN;
}

void cri_large_note_energy(cri_large *w)
{
    w->passive = true;
    w->energy = 0;
    for (int i = 0; i < w->body_count && w->passive; i++) {
        const cr_action *a = &w->step->actions[i];
        w->passive = is_zero(a->force) && is_zero(a->torque) &&
                     (!is_driven(w, i) || (is_zero(a->velocity) && is_zero(a->spin)));
        w->energy += is_driven(w, i) ? 0 : kinetic_energy(w, i);
    }
}

// What a step gained, and what it may.
static double gain_of(const cri_large *w, double *mass)
{
    double gain = -w->energy;
    *mass = 0;
    for (int i = 0; i < w->body_count; i++) {
        if (!is_driven(w, i)) {
            cr_vec3 way =
                cri_vec3((double)w->b.way[0][i], (double)w->b.way[1][i], (double)w->b.way[2][i]);
            bool falls = w->b.lift_mass[i] > 0;
            double pull = falls ? cri_dot(w->numbers->gravity, way) : 0;
            gain += kinetic_energy(w, i) - (double)w->b.mass[i] * pull;
            *mass += (double)w->b.mass[i];
        }
    }
    return gain;
}

static void mark_met(const cri_large *w, const int solids[2])
{
    w->scratch->shoved[w->solids[solids[0]].mover] = true;
    w->scratch->shoved[w->solids[solids[1]].mover] = true;
}

// Mark the bodies that met something in the step.
static void find_met(cri_large *w)
{
    memset(w->scratch->shoved, 0, (size_t)w->body_room * sizeof *w->scratch->shoved);
    for (int i = 0; i < w->pair_count; i++) {
        if (w->pairs[i].touched) {
            mark_met(w, w->pairs[i].solids);
        }
    }
    for (int i = 0; i < w->record_count; i++) {
        mark_met(w, w->records[i].solids);
    }
}

void cri_large_mend_energy(cri_large *w)
{
    double mass, gain = w->passive ? gain_of(w, &mass) : 0, met = 0;
    if (!w->passive || gain <= mass * GAIN_MAX) {
        return;
    }
    find_met(w);
    for (int i = 0; i < w->body_count; i++) {
        met += w->scratch->shoved[i] && !is_driven(w, i) ? kinetic_energy(w, i) : 0;
    }
    float left = (float)sqrt(fmax(1 - gain / fmax(met, gain), 0));
    for (int i = 0; i < w->body_count; i++) {
        for (int k = 0; k < 3 && w->scratch->shoved[i] && !is_driven(w, i); k++) {
            w->b.velocity[k][i] *= left;
            w->b.spin[k][i] *= left;
        }
    }
}
