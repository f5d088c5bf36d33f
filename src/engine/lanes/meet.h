// Where bodies meet, in lanes: contact points and sweeps of balls. See meet.c.
//
// Distances between balls and solids are computed in lanes; for two solids see lanes/flat.h.
#ifndef CRI_LANES_MEET_H
#define CRI_LANES_MEET_H

#include "engine/lanes/land.h"

// ---------------------------------------------------------------------------------------------
// Bounds.

// The lanes in which a ball may be nearer to what it meets than `within`.
INLINE cri_mask may_meet(const batch *w, const cri_meet *m, cri_lanes within)
{
    const body *ball = &w->bodies[m->movers[1]];
    within = within + w->course->movers[m->movers[1]].radius;
    if (m->kind == CRI_MEET_SOLID) {
        const cri_solid *s = &w->course->solids[m->solids[0]];
        if (s->shape->kind == CR_SHAPE_PLANE) {
            return cri_mask_all(-1);
        }
        if (s->mover < 0) {
            return is_less(fixed_bound(s, ball->place), within);
        }
        within = within + s->reach;
        return is_less(flat_distance2(w->bodies[s->mover].place, ball->place), within * within);
    }
    within = within + w->course->movers[m->movers[0]].radius;
    cri_lanes3 d = cri_lanes3_sub(ball->place, w->bodies[m->movers[0]].place);
    return is_less(cri_lanes3_dot(d, d), within * within);
}

// The distance to a solid that turns on for t seconds, in a frame that has moved on.
static inline nearest near_after(const batch *w, const cri_meet *m, frame f, cri_lanes3 p,
                                 cri_lanes t)
{
    const cri_solid *s = &w->course->solids[m->solids[0]];
    const body *o = &w->bodies[m->movers[0]];
    if (is_free(w, m->movers[0])) {
        cri_lanes3 by = cri_lanes3_scale(t, o->next_spin);
        cri_lanes3 back = cri_lanes3_scale(cri_lanes_all(-1), by);
        cri_lanes3 d = turned_by(cri_lanes3_sub(p, f.place), back);
        nearest n = near_free(s, w->hefts[m->movers[0]].axes, d);
        n.normal = turned_by(n.normal, by);
        return n;
    }
    cri_sincos turn = cri_lanes_sincos(o->next_spin.z * t);
    f.cos = o->cos * turn.cos - o->sin * turn.sin;
    f.sin = o->sin * turn.cos + o->cos * turn.sin;
    return near_moving(s, f, p);
}

// The gap between a ball and what it meets if both had gone on with these velocities for t seconds.
static inline nearest gap_after(const batch *w, const cri_meet *m, cri_lanes3 velocity,
                                cri_lanes3 other_velocity, cri_lanes t)
{
    const cri_mover *ball = &w->course->movers[m->movers[1]];
    cri_lanes3 p = cri_lanes3_mad(w->bodies[m->movers[1]].place, t, velocity);
    nearest n;
    if (m->movers[0] < 0) {
        n = near_solid(&w->course->solids[m->solids[0]], p);
    } else {
        const body *o = &w->bodies[m->movers[0]];
        frame f = {cri_lanes3_mad(o->place, t, other_velocity), o->cos, o->sin};
        if (m->kind == CRI_MEET_BALLS) {
            n = near_sphere(w->course->movers[m->movers[0]].radius, cri_lanes3_sub(p, f.place));
        } else {
            n = near_after(w, m, f, p, t);
        }
    }
    n.distance = n.distance - ball->radius;
    return n;
}

// The same, now. Nothing moves between the points of a piece and its sweeps, so one look at a solid
// serves both; balls and planes are not worth remembering.
INLINE nearest gap_now(batch *w, int index)
{
    const cri_meet *m = &w->course->meets[index];
    sight *known = &w->sights[index];
    if (known->seen) {
        return known->gap;
    }
    float radius = w->course->movers[m->movers[1]].radius;
    cri_lanes3 p = w->bodies[m->movers[1]].place;
    const body *o = &w->bodies[m->movers[0] < 0 ? 0 : m->movers[0]];
    nearest n;
    if (m->kind == CRI_MEET_BALLS) {
        n = near_sphere(w->course->movers[m->movers[0]].radius, cri_lanes3_sub(p, o->place));
        n.distance = n.distance - radius;
        return n;
    }
    const cri_solid *s = &w->course->solids[m->solids[0]];
    if (is_free(w, s->mover)) {
        n = near_free(s, w->hefts[s->mover].axes, cri_lanes3_sub(p, o->place));
    } else {
        n = s->mover < 0 ? near_solid(s, p) : near_moving(s, (frame){o->place, o->cos, o->sin}, p);
    }
    n.distance = n.distance - radius;
    known->seen = s->shape->kind != CR_SHAPE_PLANE;
    if (known->seen) {
        known->gap = n;
    }
    return n;
}

// solved: those of the piece were set before its solve, which changed bodies that met something.
static inline void set_paces(batch *w, bool solved)
{
    for (int i = 0; i < w->course->mover_count; i++) {
        body *b = &w->bodies[i];
        // Paces bound what balls do; of free bodies they decide, so none may be left from before.
        if (solved && !has_free(w->course) && !cri_mask_any(b->met)) {
            continue;
        }
        cri_lanes now = cri_lanes3_dot(b->velocity, b->velocity);
        cri_lanes next = cri_lanes3_dot(b->next_velocity, b->next_velocity);
        b->pace = cri_lanes_sqrt(lanes_max(now, next));
        if (is_free(w, i)) {
            cri_lanes turn = lanes_max(cri_lanes3_dot(b->spin, b->spin),
                                       cri_lanes3_dot(b->next_spin, b->next_spin));
            b->pace = b->pace + cri_lanes_sqrt(turn) * w->course->movers[i].radius;
        } else if (w->course->movers[i].class != CRI_BALL) {
            cri_lanes turn = lanes_max(cri_lanes_abs(b->spin.z), cri_lanes_abs(b->next_spin.z));
            b->pace = b->pace + turn * w->course->movers[i].radius;
        }
    }
}

// ---------------------------------------------------------------------------------------------
// Neighbours. Most meets are far from happening. The list leaves out what cannot come near as long
// as no body goes farther than its leash, in any lane; it saves time and changes no result.

#define LEASH_MIN 0.01f // m

static inline bool comes_near(const batch *w, const cri_bound *b)
{
    if (b->movers[0] < 0) {
        return true;
    }
    const body *one = &w->bodies[b->movers[0]];
    cri_lanes within = one->leash + b->reach;
    if (b->movers[1] < 0) {
        cri_lanes x = cri_lanes_abs(one->place.x - b->middle[0]) - b->extent[0];
        cri_lanes y = cri_lanes_abs(one->place.y - b->middle[1]) - b->extent[1];
        return cri_mask_any(w->run & is_less(lanes_max(x, y), within));
    }
    const body *two = &w->bodies[b->movers[1]];
    within = within + two->leash;
    return cri_mask_any(w->run & is_less(flat_distance2(one->place, two->place), within * within));
}

static inline bool leashes_hold(const batch *w, cri_lanes t)
{
    cri_mask torn = cri_mask_all(0);
    for (int i = 0; i < w->course->mover_count; i++) {
        const body *b = &w->bodies[i];
        torn = torn | ~is_less(b->gone + b->pace * t, b->leash);
    }
    return !cri_mask_any(torn & w->run);
}

static inline void list_neighbours(batch *w, cri_lanes t)
{
    if (leashes_hold(w, t)) {
        return;
    }
    for (int i = 0; i < w->course->mover_count; i++) {
        body *b = &w->bodies[i];
        b->leash = b->pace * (float)w->course->model->dt + LEASH_MIN;
        b->gone = cri_lanes_all(0);
    }
    w->neighbour_count = 0;
    for (int i = 0; i < w->course->meet_count; i++) {
        bool listed = comes_near(w, &w->course->bounds[i]);
        if (listed) {
            w->neighbours[w->neighbour_count++] = i;
        }
        if (listed && !w->is_neighbour[i]) {
            w->sights[i].held = w->sights[i].spans = cri_mask_all(0);
            w->sights[i].seen = false;
            w->sights[i].gap.distance = cri_lanes_all(FAR);
        }
        w->is_neighbour[i] = listed;
    }
}

// ---------------------------------------------------------------------------------------------
// Points.

// A point of a ball. One that is going to close fast is left to the sweep, and so are balls that do
// not touch: see meet.c.
INLINE void find_ball_point(batch *w, int index)
{
    const cri_meet *m = &w->course->meets[index];
    bool balls = m->kind == CRI_MEET_BALLS;
    cri_lanes within = cri_lanes_all(balls ? TOUCH_GAP : MARGIN);
    w->sights[index].held = cri_mask_all(0);
    w->sights[index].seen = false;
    cri_mask near = open_of(w, m) & may_meet(w, m, within);
    if (!cri_mask_any(near)) {
        return;
    }
    nearest n = gap_now(w, index);
    near = near & is_less(n.distance, within);
    if (!cri_mask_any(near)) {
        return;
    }
    point *p = new_point(w, m);
    p->normal = n.normal;
    p->gap = n.distance;
    p->place = cri_lanes3_mad(w->bodies[m->movers[1]].place,
                              cri_lanes_all(-w->course->movers[m->movers[1]].radius), n.normal);
    p->near = near;
    p->solve = near & is_there(n.distance);
    if (!balls && cri_mask_any(near & ~p->solve)) {
        cri_lanes way = -(closing_of(w, p, true) * w->left);
        p->solve = p->solve | (near & is_less(way, cri_lanes_all(SWEEP_MIN)));
    }
    w->sights[index].held = p->solve;
}

// ---------------------------------------------------------------------------------------------
// Sweeps. See sweep.c for the bound that each pass uses.

enum { SWEEP_PASSES_MAX = 12 };

typedef struct sweep {
    cri_lanes3 velocity, other; // of the ball and of what it meets
    cri_lanes speed;            // m/s, of the one against the other, where that is a moving solid
    cri_lanes turn;             // rad/s, of what it meets
    cri_lanes3 spin;            // the same if it is free
    bool free;
    cri_lanes bend; // m/s2, seen from what it meets
} sweep;

INLINE sweep sweep_of(const batch *w, const cri_meet *m)
{
    sweep s = {.velocity = mean_velocity(&w->bodies[m->movers[1]])};
    if (m->movers[0] < 0) {
        return s;
    }
    const body *o = &w->bodies[m->movers[0]];
    s.other = mean_velocity(o);
    if (m->kind == CRI_MEET_SOLID) {
        s.free = is_free(w, m->movers[0]);
        s.speed = cri_lanes3_length(cri_lanes3_sub(s.velocity, s.other));
        s.turn = s.free ? cri_lanes3_length(o->next_spin) : o->next_spin.z;
        s.spin = o->next_spin;
    }
    return s;
}

// How much a solid that turns bends the way of the ball.
static inline cri_lanes bend_of(const batch *w, const cri_meet *m, const sweep *s)
{
    float reach = w->course->solids[m->solids[0]].reach;
    cri_lanes rate = cri_lanes_abs(s->turn);
    cri_lanes away = s->speed * w->t * 2.0f + (reach + 2 * w->course->movers[m->movers[1]].radius);
    return rate * (s->speed * 2.0f + rate * away * 3.0f);
}

// How fast the gap closes.
static inline cri_lanes closing_speed(const batch *w, const cri_meet *m, const sweep *s,
                                      const nearest *n, cri_lanes t)
{
    cri_lanes3 v = cri_lanes3_sub(s->other, s->velocity);
    if (m->movers[0] >= 0 && m->kind == CRI_MEET_SOLID) {
        cri_lanes3 p = cri_lanes3_sub(w->bodies[m->movers[1]].place, w->bodies[m->movers[0]].place);
        p = cri_lanes3_mad(p, -t, v);
        if (s->free) {
            return cri_lanes3_dot(cri_lanes3_add(v, cri_lanes3_cross(s->spin, p)), n->normal);
        }
        v.x = v.x - s->turn * p.y;
        v.y = v.y + s->turn * p.x;
    }
    return cri_lanes3_dot(v, n->normal);
}

// How far a ball and a solid that moves come nearer to each other in this piece, at most. A ball
// that goes with a robot comes no nearer to the rest of it.
static inline cri_lanes sweep_way(const batch *w, const cri_meet *m, const sweep *s)
{
    return (s->speed + cri_lanes_abs(s->turn) * w->course->solids[m->solids[0]].reach) * w->t;
}

// When the ball comes within IMPACT_GAP, in the lanes given, from the gap at; else t. Leaves the
// gap that it has then.
static inline cri_lanes sweep_meet(const batch *w, const cri_meet *m, const sweep *s, nearest *at,
                                   cri_mask lanes)
{
    nearest n = *at;
    cri_lanes time = cri_lanes_all(0), zero = time;
    cri_mask going = lanes, hit = cri_mask_all(0);
    for (int pass = 0; pass < SWEEP_PASSES_MAX; pass++) {
        cri_mask there = is_there(n.distance);
        // Who begins in the gap has no new impact.
        hit = pass == 0 ? hit : hit | (going & there);
        going = going & ~there;
        cri_lanes closing = closing_speed(w, m, s, &n, time);
        cri_lanes gap = n.distance - IMPACT_GAP;
        cri_lanes root = cri_lanes_sqrt(closing * closing + s->bend * gap * 2.0f);
        going = going & is_less(zero, closing + root);
        cri_lanes later = time + gap * 2.0f / cri_lanes_pick(going, closing + root, w->t + 1.0f);
        going = going & is_less(later, w->t);
        time = cri_lanes_pick(going, later, time);
        if (!cri_mask_any(going)) {
            break;
        }
        n = gap_after(w, m, s->velocity, s->other, time);
    }
    *at = n;
    return cri_lanes_pick(hit | going, time, w->t);
}

// The lanes in which a meet without a point may happen in this piece. The bounds are wider than
// what ends a sweep, by more than rounding takes.
INLINE cri_mask may_happen(const batch *w, int index)
{
    const cri_meet *m = &w->course->meets[index];
    const sight *known = &w->sights[index];
    cri_mask lanes = open_of(w, m) & ~known->held;
    if (!cri_mask_any(lanes)) {
        return lanes;
    }
    cri_lanes pace = w->bodies[m->movers[1]].pace;
    pace = m->movers[0] < 0 ? pace : pace + w->bodies[m->movers[0]].pace;
    cri_lanes within = pace * w->t + 2 * IMPACT_GAP;
    cri_mask near = m->kind == CRI_MEET_SOLID && known->seen ? is_less(known->gap.distance, within)
                                                             : may_meet(w, m, within);
    return lanes & near;
}

// When it happens, in these lanes, or t; the normal there.
INLINE cri_lanes next_impact(batch *w, int index, cri_mask lanes, cri_lanes3 *normal)
{
    const cri_meet *m = &w->course->meets[index];
    sweep s = sweep_of(w, m);
    nearest n = gap_now(w, index);
    bool turns = m->movers[0] >= 0 && m->kind == CRI_MEET_SOLID;
    if (turns) {
        lanes = lanes & is_less(n.distance, sweep_way(w, m, &s) + 2 * IMPACT_GAP);
    }
    *normal = n.normal;
    if (!cri_mask_any(lanes)) {
        return w->t;
    }
    s.bend = turns ? bend_of(w, m, &s) : cri_lanes_all(0);
    cri_lanes when = sweep_meet(w, m, &s, &n, lanes);
    *normal = n.normal;
    return when;
}

// ---------------------------------------------------------------------------------------------
// Balls where a body is free. A piece ends for all bodies of a world, and all its contacts are
// solved anew: impacts of balls cut no piece there. What a ball meets first is solved as it will be
// when they meet, and until then the two go on as before (`hit` and `late`).

// The lanes in which a ball is near enough for a point; sets those that are held.
static inline cri_mask look_near(batch *w, int index)
{
    const cri_meet *m = &w->course->meets[index];
    bool balls = m->kind == CRI_MEET_BALLS;
    cri_lanes within = cri_lanes_all(balls ? TOUCH_GAP : MARGIN);
    sight *known = &w->sights[index];
    known->held = cri_mask_all(0);
    known->seen = false;
    cri_mask near = open_of(w, m) & may_meet(w, m, within);
    if (!cri_mask_any(near)) {
        return near;
    }
    nearest n = gap_now(w, index);
    near = near & is_less(n.distance, within);
    known->gap = n;
    known->held = near & is_there(n.distance);
    if (!balls && cri_mask_any(near & ~known->held)) {
        point p = {.meet = m, .normal = n.normal};
        p.place = cri_lanes3_mad(w->bodies[m->movers[1]].place,
                                 cri_lanes_all(-w->course->movers[m->movers[1]].radius), n.normal);
        cri_lanes way = -(closing_of(w, &p, true) * w->left);
        known->held = known->held | (near & is_less(way, cri_lanes_all(SWEEP_MIN)));
    }
    return near;
}

// When the ball meets it in this piece. Sets `free` of the two to the first such time.
static inline void look_ahead(batch *w, int index)
{
    const cri_meet *m = &w->course->meets[index];
    sight *known = &w->sights[index];
    known->near = look_near(w, index);
    known->hit = w->t;
    cri_mask lanes = may_happen(w, index);
    if (!cri_mask_any(lanes)) {
        return;
    }
    known->hit = next_impact(w, index, lanes, &known->normal);
    for (int i = 0; i < 2; i++) {
        if (m->movers[i] >= 0 && w->course->movers[m->movers[i]].class != CRI_DRIVEN) {
            body *b = &w->bodies[m->movers[i]];
            b->free = lanes_min(b->free, known->hit);
        }
    }
}

// Where a ball will be when it is hit, seen from what it meets, now.
static inline cri_lanes3 place_ahead(const batch *w, const cri_meet *m, cri_lanes t)
{
    cri_lanes3 way = mean_velocity(&w->bodies[m->movers[1]]);
    if (m->movers[0] >= 0) {
        way = cri_lanes3_sub(way, mean_velocity(&w->bodies[m->movers[0]]));
    }
    return cri_lanes3_mad(w->bodies[m->movers[1]].place, t, way);
}

static inline void put_ball_point(batch *w, int index)
{
    const cri_meet *m = &w->course->meets[index];
    sight *known = &w->sights[index];
    cri_lanes first = w->bodies[m->movers[1]].free;
    if (m->movers[0] >= 0) { // of a driven body it is the end of the piece
        first = lanes_min(first, w->bodies[m->movers[0]].free);
    }
    cri_mask hits = w->run & is_less(known->hit, w->t) & ~is_less(first + PIECE_MIN, known->hit);
    if (!cri_mask_any(hits | known->near)) {
        return;
    }
    point *p = new_point(w, m);
    float radius = w->course->movers[m->movers[1]].radius;
    p->near = known->near | hits;
    p->solve = known->held = known->held | hits;
    p->hit = cri_lanes_keep(hits, known->hit);
    p->normal = cri_lanes3_pick(hits, known->normal, known->gap.normal);
    p->normal = cri_lanes3_keep(p->near, p->normal);
    p->gap = cri_lanes_pick(hits, cri_lanes_all(IMPACT_GAP), known->gap.distance);
    p->gap = cri_lanes_keep(p->near, p->gap);
    p->place = cri_lanes3_mad(place_ahead(w, m, p->hit), cri_lanes_all(-radius), p->normal);
}

static inline void find_ball_points(batch *w)
{
    for (int i = 0; i < w->course->mover_count; i++) {
        w->bodies[i].free = w->t;
    }
    for (int k = 0; k < w->neighbour_count; k++) {
        cri_meet_kind kind = w->course->meets[w->neighbours[k]].kind;
        if (kind == CRI_MEET_SOLID || kind == CRI_MEET_BALLS) {
            look_ahead(w, w->neighbours[k]);
        }
    }
}

static inline void set_sure_ways(batch *w)
{
    for (int i = 0; i < w->course->mover_count; i++) {
        w->bodies[i].sure = w->bodies[i].pace * w->left + FREE_MARGIN * 0.5f;
    }
}

static inline void find_points(batch *w)
{
    w->point_count = 0;
    w->margin = FREE_MARGIN;
    set_paces(w, false);
    list_neighbours(w, w->left);
    if (has_free(w->course)) {
        set_stances(w);
        set_sure_ways(w);
        find_ball_points(w);
        find_encounters(w);
    }
    for (int k = 0; k < w->neighbour_count; k++) {
        int i = w->neighbours[k];
        const cri_meet *m = &w->course->meets[i];
        if (m->kind == CRI_MEET_FLAT) {
            find_flat_points(w, m);
        } else if (meets_free(w, m)) {
            find_free_points(w, i);
        } else if (has_free(w->course)) {
            put_ball_point(w, i);
        } else {
            find_ball_point(w, i);
        }
    }
}

// ---------------------------------------------------------------------------------------------
// Free bodies: how far they may go.

static inline float thin_of(const batch *w, const cri_meet *m)
{
    return w->course->solids[m->solids[0]].thin + w->course->solids[m->solids[1]].thin;
}

// How far a box or a cylinder reaches from its middle along a direction of any length.
static inline cri_lanes reach_to(const cri_solid *s, const stance *at, cri_lanes3 d)
{
    cri_lanes along = cri_lanes_abs(cri_lanes3_dot(at->axes[2], d)) * s->half[2];
    if (s->shape->kind == CR_SHAPE_BOX) {
        return cri_lanes_abs(cri_lanes3_dot(at->axes[0], d)) * s->half[0] +
               cri_lanes_abs(cri_lanes3_dot(at->axes[1], d)) * s->half[1] + along;
    }
    cri_lanes3 side = across_of(d, at->axes[2]);
    return along + cri_lanes3_length(side) * s->radius;
}

// How much farther a solid reaches along d when its body has turned for a piece, at most. A point p
// goes, to the first order, by t (spin x p), which is along d
//
//     d (p + t spin x p) = (d + t d x spin) p
//
// so all of them together reach as far as the solid now reaches along a direction that is tilted by
// t d x spin; and no point leaves that by more than half of reach (spin t)^2.
static inline cri_lanes turns_out(const batch *w, int solid, cri_lanes3 d, cri_lanes3 turn)
{
    const cri_solid *s = &w->course->solids[solid];
    const stance *at = &w->stances[solid];
    cri_lanes3 tilt = cri_lanes3_cross(d, turn);
    cri_lanes most = cri_lanes3_length(tilt) * s->reach;
    if (!is_free(w, s->mover) ||
        (s->shape->kind != CR_SHAPE_BOX && s->shape->kind != CR_SHAPE_CYLINDER)) {
        return most;
    }
    cri_lanes3 middle = cri_lanes3_sub(at->place, w->bodies[s->mover].place);
    cri_lanes out = cri_lanes3_dot(middle, tilt) + reach_to(s, at, cri_lanes3_add(d, tilt)) -
                    reach_to(s, at, d);
    return lanes_min(most, out + cri_lanes3_dot(turn, turn) * (0.5f * s->reach));
}

// How far two solids come nearer to each other along a direction in this piece, at most: it
// separates them as long as they have not gone their distance. Each bound it is made of is a convex
// function of the time that has passed, so no part of the piece has more than its share of it, and
// they take at least as much of the piece as their distance is of the way.
// `now`: velocities lie between those of now and the next ones.
static inline cri_lanes closing_way(const batch *w, const cri_meet *m, cri_lanes3 normal, bool now)
{
    cri_lanes way = cri_lanes_all(0);
    for (int i = 0; i < 2; i++) {
        if (m->movers[i] < 0) {
            continue;
        }
        const body *b = &w->bodies[m->movers[i]];
        cri_lanes3 d = cri_lanes3_scale(cri_lanes_all(i ? -1 : 1), normal);
        cri_lanes along = cri_lanes3_dot(b->next_velocity, d);
        if (now) {
            cri_lanes3 change = cri_lanes3_sub(b->next_spin, b->spin);
            float reach = w->course->solids[m->solids[i]].reach;
            along = lanes_max(along, cri_lanes3_dot(b->velocity, d));
            way = way + cri_lanes3_length(change) * w->t * reach;
        }
        way = way + along * w->t +
              turns_out(w, m->solids[i], d, cri_lanes3_scale(w->t, b->next_spin));
    }
    return way;
}

// When they have used up this gap, in the lanes in which they do so in this piece; else t.
static inline cri_lanes when_used_up(const batch *w, cri_lanes gap, cri_lanes way, cri_mask lanes)
{
    lanes = lanes & is_less(gap, way);
    return cri_lanes_pick(lanes, w->t * (gap / cri_lanes_pick(lanes, way, cri_lanes_all(1))), w->t);
}

// The lanes in which the two of a meet may come nearer to each other by more than this.
static inline cri_mask may_pass(const batch *w, const cri_meet *m, float way)
{
    return w->run & is_less(cri_lanes_all(way), both_paces(w, m) * w->t);
}

// Where a corner comes down beside the face that it will meet, no point tells: two that close in by
// more than this go on to where they are near.
#define BLIND_WAY 2e-3f // m

static inline cri_mask may_miss(const batch *w, int index)
{
    const cri_meet *m = &w->course->meets[index];
    return may_pass(w, m, THIN_SHARE * thin_of(w, m)) |
           (may_pass(w, m, BLIND_WAY) & ~w->sights[index].held);
}

// The lanes in which two solids are near enough for their gap to be known. Most are in none.
INLINE cri_mask is_seen(const nearest *gap)
{
    return is_less(gap->distance, cri_lanes_all(0.5f * FAR));
}

// When fast solids come near each other, or t (conservative advancement).
static inline cri_lanes first_near(const batch *w)
{
    cri_lanes first = w->t;
    for (int k = 0; k < w->neighbour_count; k++) {
        const cri_meet *m = &w->course->meets[w->neighbours[k]];
        const nearest *gap = &w->sights[w->neighbours[k]].gap;
        if (!meets_free(w, m) || !cri_mask_any(is_seen(gap))) {
            continue;
        }
        cri_mask lanes = may_miss(w, w->neighbours[k]) & is_seen(gap) &
                         is_less(cri_lanes_all(2 * NEAR_GAP), gap->distance);
        if (!cri_mask_any(lanes)) {
            continue;
        }
        cri_lanes way = closing_way(w, m, gap->normal, true);
        first = lanes_min(first, when_used_up(w, gap->distance - NEAR_GAP, way, lanes));
    }
    return first;
}

// Two faces are not held back as long as they turn by less than this: their points, as many as
// bodies can reach in the piece, have been solved, and nothing between them closes faster.
#define FLAT_TURN 0.25f // rad

static inline cri_mask closes_flat(const batch *w, int index)
{
    const cri_meet *m = &w->course->meets[index];
    cri_lanes turn = cri_lanes_all(0);
    for (int i = 0; i < 2; i++) {
        if (m->movers[i] >= 0) {
            turn = turn + cri_lanes3_length(w->bodies[m->movers[i]].next_spin);
        }
    }
    return w->sights[index].spans & is_less(turn * w->t, cri_lanes_all(FLAT_TURN));
}

// How far two solids come nearer to each other along a direction in this piece if neither turns.
static inline cri_lanes straight_way(const batch *w, const cri_meet *m, cri_lanes3 normal)
{
    cri_lanes along = cri_lanes_all(0);
    for (int i = 0; i < 2; i++) {
        if (m->movers[i] >= 0) {
            cri_lanes3 d = cri_lanes3_scale(cri_lanes_all(i ? -1 : 1), normal);
            along = along + cri_lanes3_dot(w->bodies[m->movers[i]].next_velocity, d);
        }
    }
    return along * w->t;
}

// When two fast solids would overlap by more than they may, with solved velocities, or t. Sets
// `free`. Two faces that turn little are held back only where the solve left them driving into each
// other: what is caught between a wall and something heavy takes more rounds than there are.
static inline cri_lanes hold_back(batch *w, int index)
{
    const cri_meet *m = &w->course->meets[index];
    const nearest *gap = &w->sights[index].gap;
    cri_mask lanes = is_seen(gap);
    if (!cri_mask_any(lanes)) {
        return w->t;
    }
    lanes = lanes & may_pass(w, m, THIN_SHARE * thin_of(w, m));
    if (!cri_mask_any(lanes)) {
        return w->t;
    }
    cri_lanes most = cri_lanes_all(thin_of(w, m) * (0.5f * THIN_SHARE));
    cri_lanes far = lanes_max(gap->distance, cri_lanes_all(0)) + most;
    cri_mask flat = lanes & closes_flat(w, index);
    if (cri_mask_any(flat)) {
        cri_lanes room = lanes_max(gap->distance + most, most * LITTLE_MORE);
        cri_mask drives = flat & is_less(room, straight_way(w, m, gap->normal));
        far = cri_lanes_pick(drives, room, far);
        lanes = lanes & (~flat | drives);
    }
    if (!cri_mask_any(lanes)) {
        return w->t;
    }
    cri_lanes meet = when_used_up(w, far, closing_way(w, m, gap->normal, false), lanes);
    for (int i = 0; i < 2; i++) {
        if (is_free(w, m->movers[i])) {
            body *b = &w->bodies[m->movers[i]];
            b->free = lanes_min(b->free, meet);
        }
    }
    return meet;
}

// A free body that the solve made fast goes no farther than it has been looked for, but for half of
// how thin it is. Returns when that is, or t.
static inline cri_lanes keep_in_sight(batch *w, int slot)
{
    const cri_mover *m = &w->course->movers[slot];
    body *b = &w->bodies[slot];
    if (m->class != CRI_FREE) {
        return w->t;
    }
    cri_lanes way = b->sure + m->thin * THIN_SHARE;
    cri_mask leaves = w->run & is_less(way, b->pace * w->t);
    cri_lanes time = cri_lanes_pick(leaves, way / lanes_max(b->pace, cri_lanes_all(1e-3f)), w->t);
    b->free = lanes_min(b->free, time);
    return time;
}

// The first time in the piece at which a ball meets something, or t. Sets `free` of balls.
static inline cri_lanes first_impact(batch *w)
{
    cri_lanes first = w->t;
    for (int i = 0; i < w->course->mover_count; i++) {
        w->bodies[i].free = w->t;
    }
    set_paces(w, true);
    for (int i = 0; i < w->course->mover_count && has_free(w->course); i++) {
        first = lanes_min(first, keep_in_sight(w, i));
    }
    list_neighbours(w, w->t);
    for (int k = 0; k < w->neighbour_count; k++) {
        int i = w->neighbours[k];
        const cri_meet *m = &w->course->meets[i];
        if (m->kind == CRI_MEET_FLAT) {
            continue;
        }
        if (meets_free(w, m)) {
            first = lanes_min(first, hold_back(w, i));
            continue;
        }
        cri_mask lanes = may_happen(w, i);
        if (!cri_mask_any(lanes)) {
            continue;
        }
        cri_lanes3 normal;
        cri_lanes meet = next_impact(w, i, lanes, &normal);
        first = has_free(w->course) ? first : lanes_min(first, meet);
        w->bodies[m->movers[1]].free = lanes_min(w->bodies[m->movers[1]].free, meet);
        // A free body would go on into the ball that waits for it.
        if (m->kind == CRI_MEET_BALLS || is_free(w, m->movers[0])) {
            w->bodies[m->movers[0]].free = lanes_min(w->bodies[m->movers[0]].free, meet);
        }
    }
    return first;
}

#endif
