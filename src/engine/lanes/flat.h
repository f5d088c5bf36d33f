// Contact points of two solids: upright robots and boards, bars or other robots.
//
// Which lanes come near is found in lanes. Then it goes world by world: two outlines in the plane
// are compared side by side, several sides at once; everything else (round, tilted, caps) is left
// to cri_collide. The method is that of parallel.c.
#ifndef CRI_LANES_FLAT_H
#define CRI_LANES_FLAT_H

#include <assert.h>

#include "engine/lanes/solid.h"

// ---------------------------------------------------------------------------------------------
// Bounds.

static inline cri_lanes flat_distance2(cri_lanes3 a, cri_lanes3 b)
{
    cri_lanes x = a.x - b.x, y = a.y - b.y;
    return x * x + y * y;
}

// The lanes in which two solids may be nearer to each other than the margin.
static inline cri_mask solids_near(const batch *w, const cri_meet *m, cri_lanes margin)
{
    const cri_solid *a = &w->course->solids[m->solids[0]], *b = &w->course->solids[m->solids[1]];
    if (a->mover >= 0 && b->mover >= 0) {
        cri_lanes within = margin + (a->reach + b->reach);
        return is_less(flat_distance2(w->bodies[a->mover].place, w->bodies[b->mover].place),
                       within * within);
    }
    const cri_solid *fixed = a->mover < 0 ? a : b, *moving = a->mover < 0 ? b : a;
    if (fixed->shape->kind == CR_SHAPE_PLANE) {
        return cri_mask_all(-1);
    }
    cri_lanes3 p = w->bodies[moving->mover].place;
    cri_lanes x = cri_lanes_abs(p.x - fixed->middle[0]) - fixed->extent[0];
    cri_lanes y = cri_lanes_abs(p.y - fixed->middle[1]) - fixed->extent[1];
    cri_lanes within = margin + moving->reach;
    cri_mask near = is_less(lanes_max(x, y), within);
    if (fixed->outline && cri_mask_any(near)) {
        p.z = cri_lanes_all(fixed->place[2]);
        near = near & is_less(near_solid(fixed, p).distance, within);
    }
    return near;
}

// ---------------------------------------------------------------------------------------------
// Two outlines in one world. One of them is the reference: a side of it, or a corner, touches.

// Where a frame is, seen from another one.
typedef struct view {
    float x, y, cos, sin;
} view;

static inline view seen_back(view v)
{
    return (view){-(v.cos * v.x + v.sin * v.y), v.sin * v.x - v.cos * v.y, v.cos, -v.sin};
}

typedef struct place2 {
    float x, y;
} place2;

static inline place2 to_frame(view v, float x, float y)
{
    return (place2){v.x + v.cos * x - v.sin * y, v.y + v.sin * x + v.cos * y};
}

// The side with the largest value; the first of them.
typedef struct choice {
    int side;
    float value;
} choice;

static inline void choose(choice *best, int first, cri_lanes values)
{
    float most = -cri_lanes_least(-values);
    if (most > best->value) {
        unsigned there = cri_mask_bits(~is_less(values, cri_lanes_all(most)));
        *best = (choice){first + __builtin_ctz(there), most};
    }
}

// How far sides of p are behind the middle of q's frame.
static inline cri_lanes behind(const cri_outline *p, int first, view v)
{
    cri_lanes x = cri_lanes_load(&p->normal_x[first]), y = cri_lanes_load(&p->normal_y[first]);
    return x * v.x + y * v.y - cri_lanes_load(&p->offset[first]);
}

static inline float most_behind(const cri_outline *p, view v)
{
    cri_lanes most = cri_lanes_all(-1e29f);
    for (int i = 0; i < p->count; i += CRI_LANES) {
        most = lanes_max(most, behind(p, i, v));
    }
    return -cri_lanes_least(-most);
}

// The corners of an outline in the frame of another, rows of them.
typedef struct corner_rows {
    int rows;
    cri_lanes x[CRI_OUTLINE_ROOM / CRI_LANES], y[CRI_OUTLINE_ROOM / CRI_LANES];
} corner_rows;

INLINE void see_corners(const cri_outline *q, view v, corner_rows *out)
{
    out->rows = 0;
    for (int i = 0; i < q->count; i += CRI_LANES) {
        cri_lanes x = cri_lanes_load(&q->x[i]), y = cri_lanes_load(&q->y[i]);
        out->x[out->rows] = x * v.cos - y * v.sin + v.x;
        out->y[out->rows++] = x * v.sin + y * v.cos + v.y;
    }
}

// How far all corners are in front of a side. (Corners that fill up a row repeat the first.)
INLINE float in_front(const cri_outline *p, int side, const corner_rows *c)
{
    cri_lanes x = cri_lanes_all(p->normal_x[side]), y = cri_lanes_all(p->normal_y[side]);
    cri_lanes least = x * c->x[0] + y * c->y[0];
    for (int i = 1; i < c->rows; i++) {
        least = lanes_min(x * c->x[i] + y * c->y[i], least);
    }
    return cri_lanes_least(least) - p->offset[side];
}

// The side of p that q is farthest in front of, and how far, given most_behind.
static inline choice farthest_side(const cri_outline *p, const cri_outline *q, view v, float most)
{
    corner_rows c;
    see_corners(q, v, &c);
    choice best = {0, -1e29f};
    // Sides that are less far behind cannot be the farthest: q lies between two circles.
    cri_lanes enough = cri_lanes_all(most - (q->outer - q->inner));
    for (int i = 0; i < p->count; i += CRI_LANES) {
        unsigned sides = cri_mask_bits(~is_less(behind(p, i, v), enough));
        for (; sides; sides &= sides - 1) {
            int side = i + __builtin_ctz(sides);
            float apart = in_front(p, side, &c);
            best = apart > best.value ? (choice){side, apart} : best;
        }
    }
    return best;
}

// The side of q that looks most against a direction.
static inline int facing_side(const cri_outline *q, place2 against)
{
    choice best = {0, -1e29f};
    for (int i = 0; i < q->count; i += CRI_LANES) {
        cri_lanes x = cri_lanes_load(&q->normal_x[i]), y = cri_lanes_load(&q->normal_y[i]);
        choose(&best, i, -(x * against.x + y * against.y));
    }
    return best.side;
}

// In the frame of the reference: points midway between the surfaces, the normal to the other.
typedef struct flat_touches {
    int count;
    place2 points[2], normal;
    float gaps[2];
} flat_touches;

static inline void add_touch(flat_touches *out, place2 on_other, float gap, float margin)
{
    if (gap <= margin) {
        out->points[out->count] = (place2){on_other.x - gap * 0.5f * out->normal.x,
                                           on_other.y - gap * 0.5f * out->normal.y};
        out->gaps[out->count++] = gap;
    }
}

static inline float clamp(float x, float low, float high)
{
    return x < low ? low : x > high ? high : x;
}

// A corner of the reference against a side of the other: the exact distance where neither lies in
// front of the other's side.
static inline void touch_corner(place2 corner, place2 from, place2 to, float margin,
                                flat_touches *out)
{
    float x = to.x - from.x, y = to.y - from.y;
    float share =
        clamp(((corner.x - from.x) * x + (corner.y - from.y) * y) / (x * x + y * y), 0, 1);
    place2 spot = {from.x + share * x, from.y + share * y};
    float dx = spot.x - corner.x, dy = spot.y - corner.y, gap = sqrtf(dx * dx + dy * dy);
    if (gap > 1e-9f) {
        out->normal = (place2){dx / gap, dy / gap};
        add_touch(out, spot, gap, margin);
    }
}

// The part of the other's side from-to that lies in front of side i of the reference.
static inline flat_touches touch_side(const cri_outline *p, int i, place2 from, place2 to,
                                      float margin)
{
    int next = i + 1 < p->count ? i + 1 : 0;
    flat_touches out = {.normal = {p->normal_x[i], p->normal_y[i]}};
    place2 n = out.normal, first = {p->x[i], p->y[i]}, last = {p->x[next], p->y[next]};
    float end = n.x * (last.y - first.y) - n.y * (last.x - first.x);
    float u[2] = {n.x * (from.y - first.y) - n.y * (from.x - first.x),
                  n.x * (to.y - first.y) - n.y * (to.x - first.x)};
    float gaps[2] = {n.x * (from.x - first.x) + n.y * (from.y - first.y),
                     n.x * (to.x - first.x) + n.y * (to.y - first.y)};
    bool before = u[0] < 0 && u[1]<0, behind = u[0]> end && u[1] > end;
    if (gaps[0] > 0 && gaps[1] > 0 && (before || behind)) {
        touch_corner(before ? first : last, from, to, margin, &out);
        return out;
    }
    float inner[2] = {clamp(u[0], 0, end), clamp(u[1], 0, end)};
    bool short_side = fabsf(inner[1] - inner[0]) < 1e-6f;
    for (int k = 0; k < (short_side ? 1 : 2); k++) {
        float share = u[1] == u[0] ? (float)k : clamp((inner[k] - u[0]) / (u[1] - u[0]), 0, 1);
        place2 spot = {from.x + share * (to.x - from.x), from.y + share * (to.y - from.y)};
        add_touch(&out, spot, gaps[0] + share * (gaps[1] - gaps[0]), margin);
    }
    return out;
}

static inline flat_touches touch_outline(const cri_outline *p, int side, const cri_outline *q,
                                         view v, float margin)
{
    place2 n = {p->normal_x[side], p->normal_y[side]};
    int i = facing_side(q, (place2){v.cos * n.x + v.sin * n.y, v.cos * n.y - v.sin * n.x});
    int next = i + 1 < q->count ? i + 1 : 0;
    return touch_side(p, side, to_frame(v, q->x[i], q->y[i]), to_frame(v, q->x[next], q->y[next]),
                      margin);
}

// ---------------------------------------------------------------------------------------------
// Points.

static inline point *new_point(batch *w, const cri_meet *m)
{
    point *p = &w->points[w->point_count++];
    p->meet = m;
    return p;
}

static inline cri_lanes3 velocity_at(const batch *w, int mover, cri_lanes3 place, bool next);

// The relative speed along the normal if nothing is done.
static inline cri_lanes closing_of(const batch *w, const point *p, bool next)
{
    const int *movers = p->meet->movers;
    cri_lanes3 second = velocity_at(w, movers[1], p->place, next);
    cri_lanes3 first = velocity_at(w, movers[0], p->place, next);
    return cri_lanes3_dot(cri_lanes3_sub(second, first), p->normal);
}

// A point in one lane.
typedef struct lane_point {
    float place[3], normal[3], gap;
} lane_point;

// A meet of two solids at work: its points so far begin at `first`.
typedef struct flat_meet {
    const cri_meet *meet;
    const cri_solid *solids[2];
    frame frames[2];
    cri_lanes x, y, cos, sin; // the second's frame seen from the first's
    cri_lanes above, low;     // the gap between the caps; where the common height begins
    cri_lanes margin;         // how near the solids are to be seen
    int first;
} flat_meet;

// The next point of a lane; false if there is no room.
static inline bool put_point(batch *w, const flat_meet *f, int index, int lane, lane_point value)
{
    if (f->first + index == w->point_count) {
        assert(w->point_count < w->point_max);
        if (w->point_count == w->point_max) {
            cri_mask_set(&w->lost, lane, -1);
            return false;
        }
        point *made = new_point(w, f->meet);
        made->near = cri_mask_all(0);
        made->place = made->normal = made->lever = cri_lanes3_zero();
        made->gap = made->hit = cri_lanes_all(0);
    }
    point *p = &w->points[f->first + index];
    cri_lanes_set(&p->place.x, lane, value.place[0]);
    cri_lanes_set(&p->place.y, lane, value.place[1]);
    cri_lanes_set(&p->place.z, lane, value.place[2]);
    cri_lanes_set(&p->normal.x, lane, value.normal[0]);
    cri_lanes_set(&p->normal.y, lane, value.normal[1]);
    cri_lanes_set(&p->normal.z, lane, value.normal[2]);
    cri_lanes_set(&p->gap, lane, value.gap);
    cri_mask_set(&p->near, lane, -1);
    return true;
}

static inline cr_pose pose_of(const batch *w, const cri_solid *s, int lane)
{
    if (s->mover < 0) {
        return s->pose;
    }
    const body *b = &w->bodies[s->mover];
    cr_quat turn = {0, 0, (double)cri_lanes_get(&b->rotation[2], lane),
                    (double)cri_lanes_get(&b->rotation[3], lane)};
    cr_vec3 place = {(double)cri_lanes_get(&b->place.x, lane),
                     (double)cri_lanes_get(&b->place.y, lane),
                     (double)cri_lanes_get(&b->place.z, lane)};
    return cri_pose_mul((cr_pose){place, cri_quat_unit(turn)}, s->pose);
}

// One of two points above each other is enough: what can be pushed here is upright.
static inline bool repeats(const cri_touch *touches, int i)
{
    return i > 0 && fabs(touches[i].point.x - touches[i - 1].point.x) < 1e-9 &&
           fabs(touches[i].point.y - touches[i - 1].point.y) < 1e-9;
}

// Solids of any shape.
static inline void put_any(batch *w, const flat_meet *f, int lane)
{
    cri_touch touches[CRI_TOUCH_MAX];
    int count = cri_collide(f->solids[0]->shape, pose_of(w, f->solids[0], lane),
                            f->solids[1]->shape, pose_of(w, f->solids[1], lane),
                            (double)cri_lanes_get(&f->margin, lane), touches);
    bool room = true;
    for (int i = 0, used = 0; i < count && room; i++) {
        if (!repeats(touches, i)) {
            cr_vec3 p = touches[i].point, n = touches[i].normal;
            room = put_point(w, f, used++, lane,
                             (lane_point){{(float)p.x, (float)p.y, (float)p.z},
                                          {(float)n.x, (float)n.y, (float)n.z},
                                          (float)-touches[i].depth});
        }
    }
}

// From the frame of the reference, the first solid or the second, into the world.
static inline void put_touches(batch *w, const flat_meet *f, int lane, int reference,
                               const flat_touches *touches)
{
    const frame *at = &f->frames[reference];
    view v = {cri_lanes_get(&at->place.x, lane), cri_lanes_get(&at->place.y, lane),
              cri_lanes_get(&at->cos, lane), cri_lanes_get(&at->sin, lane)};
    place2 n = to_frame((view){0, 0, v.cos, v.sin}, touches->normal.x, touches->normal.y);
    float sign = reference ? -1 : 1, low = cri_lanes_get(&f->low, lane);
    bool room = true;
    for (int i = 0; i < touches->count && room; i++) {
        place2 p = to_frame(v, touches->points[i].x, touches->points[i].y);
        room =
            put_point(w, f, i, lane,
                      (lane_point){{p.x, p.y, low}, {sign * n.x, sign * n.y, 0}, touches->gaps[i]});
    }
}

// Level solids with outlines. The larger separation decides: that of the sides or of the caps.
static inline void put_outlines(batch *w, const flat_meet *f, int lane)
{
    const cri_outline *a = f->solids[0]->outline, *b = f->solids[1]->outline;
    view v = {cri_lanes_get(&f->x, lane), cri_lanes_get(&f->y, lane), cri_lanes_get(&f->cos, lane),
              cri_lanes_get(&f->sin, lane)};
    float margin = cri_lanes_get(&f->margin, lane), above = cri_lanes_get(&f->above, lane);
    view back = seen_back(v);
    float most_a = most_behind(a, v), most_b = most_behind(b, back);
    if (most_a - b->outer > margin || most_b - a->outer > margin) {
        return; // the circle around one is beyond a side of the other
    }
    choice from_a = farthest_side(a, b, v, most_a);
    if (from_a.value > margin) {
        return;
    }
    choice from_b = farthest_side(b, a, back, most_b);
    // A tie goes to a; the slack keeps rounding from flipping the choice.
    bool by_b = from_b.value > from_a.value + 1e-6f;
    float apart = by_b ? from_b.value : from_a.value;
    if (apart > margin || (apart > 0 && above > 0)) {
        return;
    }
    if (above > apart) {
        put_any(w, f, lane);
        return;
    }
    flat_touches touches = by_b ? touch_outline(b, from_b.side, a, back, margin)
                                : touch_outline(a, from_a.side, b, v, margin);
    put_touches(w, f, lane, by_b, &touches);
}

// ---------------------------------------------------------------------------------------------
// Meets.

// No two points of the solids come nearer to each other at more than this speed.
static inline cri_lanes flat_pace(const batch *w, const cri_meet *m)
{
    cri_lanes3 now = cri_lanes3_zero(), next = now;
    cri_lanes turn = cri_lanes_all(0);
    for (int i = 0; i < 2; i++) {
        if (m->movers[i] >= 0) {
            const body *b = &w->bodies[m->movers[i]];
            cri_lanes rate = lanes_max(cri_lanes_abs(b->spin.z), cri_lanes_abs(b->next_spin.z));
            turn = turn + rate * w->course->solids[m->solids[i]].reach;
            cri_lanes sign = cri_lanes_all(i ? 1 : -1);
            now = cri_lanes3_mad(now, sign, b->velocity);
            next = cri_lanes3_mad(next, sign, b->next_velocity);
        }
    }
    return turn + cri_lanes_sqrt(lanes_max(cri_lanes3_dot(now, now), cri_lanes3_dot(next, next)));
}

// How near two solids are to be seen.
static inline cri_lanes flat_margin(const batch *w, const cri_meet *m)
{
    cri_lanes pace = m->silent ? cri_lanes_all(0) : flat_pace(w, m);
    return margin_of(pace, w->left);
}

static inline void keep_what_matters(batch *w, int first)
{
    for (int i = first; i < w->point_count; i++) {
        point *p = &w->points[i];
        p->near = p->near & matters(p->gap, closing_of(w, p, true), w->left);
        p->solve = p->meet->silent ? cri_mask_all(0) : p->near;
    }
}

static inline frame frame_of(const batch *w, const cri_solid *s)
{
    if (s->mover >= 0) {
        const body *b = &w->bodies[s->mover];
        cri_lanes3 place = b->place;
        place.z = place.z + s->place[2];
        return (frame){place, b->cos, b->sin};
    }
    return (frame){
        {cri_lanes_all(s->place[0]), cri_lanes_all(s->place[1]), cri_lanes_all(s->place[2])},
        cri_lanes_all(1),
        cri_lanes_all(0)};
}

static inline void look(const batch *w, flat_meet *f)
{
    frame a = frame_of(w, f->solids[0]), b = frame_of(w, f->solids[1]);
    cri_lanes3 d = cri_lanes3_sub(b.place, a.place);
    float half_a = f->solids[0]->half[2], half_b = f->solids[1]->half[2];
    f->x = a.cos * d.x + a.sin * d.y;
    f->y = a.cos * d.y - a.sin * d.x;
    f->cos = a.cos * b.cos + a.sin * b.sin;
    f->sin = a.cos * b.sin - a.sin * b.cos;
    f->above = cri_lanes_abs(d.z) - (half_a + half_b);
    f->low = lanes_max(a.place.z - half_a, b.place.z - half_b);
    f->frames[0] = a, f->frames[1] = b;
}

// Whether two that move are farther apart, in all lanes, than any margin reaches. Their paces bound
// that of the solids, by more than rounding takes.
static inline bool are_far(const batch *w, const cri_meet *m)
{
    if (m->movers[0] < 0 || m->movers[1] < 0) {
        return false;
    }
    const body *a = &w->bodies[m->movers[0]], *b = &w->bodies[m->movers[1]];
    float reach = w->course->solids[m->solids[0]].reach + w->course->solids[m->solids[1]].reach;
    cri_lanes within = (a->pace + b->pace) * w->left * 1.001f + (reach + 1.1f * MARGIN);
    return !cri_mask_any(w->run & is_less(flat_distance2(a->place, b->place), within * within));
}

static inline void find_flat_points(batch *w, const cri_meet *m)
{
    if (are_far(w, m)) {
        return;
    }
    flat_meet f; // filled as it is looked at
    f.meet = m;
    f.margin = flat_margin(w, m);
    f.first = w->point_count;
    unsigned near = cri_mask_bits(open_of(w, m) & solids_near(w, m, f.margin));
    if (!near) {
        return;
    }
    f.solids[0] = &w->course->solids[m->solids[0]], f.solids[1] = &w->course->solids[m->solids[1]];
    bool outlines = f.solids[0]->outline && f.solids[1]->outline;
    if (outlines) {
        look(w, &f);
        near &= cri_mask_bits(~is_less(f.margin, f.above));
    }
    for (; near; near &= near - 1) {
        int lane = __builtin_ctz(near);
        if (outlines) {
            put_outlines(w, &f, lane);
        } else {
            put_any(w, &f, lane);
        }
    }
    keep_what_matters(w, f.first);
}

#endif
