// The kernel: forward kinematics and collision tests of CRI_LANES configurations at once. Included
// by one .c file for each instruction set, which names its table KERNEL.
//
// For each group: its bounding ball against every wall; only where one of the lanes comes close,
// its balls and bricks. Then the pairs of groups in the same manner. The first lane that touches
// ends the test, for an edge is as bad as its worst configuration.
#include "reach/checker.h"

#include <math.h>
#include <string.h>

#include "base/lanes3.h"

// Columns are the frame's axes in the world.
typedef struct pose {
    cri_lanes3 x, y, z, at;
} pose;

// One posture a lane. Balls are placed when a group is first looked at closely.
typedef struct posture {
    const cri_checker *checker;
    pose frames[CRI_ARM_MAX_FRAMES];
    cri_lanes3 centres[CRI_MAX_GROUPS];
    bool placed[CRI_MAX_GROUPS];
    cri_lanes3 balls[CRI_MAX_BALLS];
} posture;

static inline __attribute__((always_inline)) cri_lanes3 mix(const pose *p, const float *v)
{
    return (cri_lanes3){p->x.x * v[0] + p->y.x * v[1] + p->z.x * v[2],
                        p->x.y * v[0] + p->y.y * v[1] + p->z.y * v[2],
                        p->x.z * v[0] + p->y.z * v[1] + p->z.z * v[2]};
}

static inline __attribute__((always_inline)) cri_lanes3 place(const pose *p, const float *v)
{
    cri_lanes3 m = mix(p, v);
    return (cri_lanes3){m.x + p->at.x, m.y + p->at.y, m.z + p->at.z};
}

static inline cri_lanes3 minus(cri_lanes3 a, cri_lanes3 b)
{
    return (cri_lanes3){a.x - b.x, a.y - b.y, a.z - b.z};
}

static inline cri_lanes dot(cri_lanes3 a, cri_lanes3 b)
{
    return a.x * b.x + a.y * b.y + a.z * b.z;
}

static inline cri_lanes3 combine(cri_lanes s, cri_lanes3 a, cri_lanes t, cri_lanes3 b)
{
    return (cri_lanes3){s * a.x + t * b.x, s * a.y + t * b.y, s * a.z + t * b.z};
}

static inline cri_lanes3 scaled(cri_lanes s, cri_lanes3 a)
{
    return (cri_lanes3){s * a.x, s * a.y, s * a.z};
}

static inline cri_lanes3 plus(cri_lanes3 a, cri_lanes3 b)
{
    return (cri_lanes3){a.x + b.x, a.y + b.y, a.z + b.z};
}

// The axes of rest, in the world: columns of parent * rest.
static inline __attribute__((always_inline)) void turn_axes(const pose *parent, const float *rows,
                                                            cri_lanes3 *axes)
{
    for (int k = 0; k < 3; k++) {
        const float column[3] = {rows[k], rows[3 + k], rows[6 + k]};
        axes[k] = mix(parent, column);
    }
}

static inline void apply_turn(pose *p, cri_lanes angle)
{
    cri_sincos t = cri_lanes_sincos(angle);
    cri_lanes3 x = combine(t.cos, p->x, t.sin, p->y);
    p->y = combine(t.cos, p->y, -t.sin, p->x);
    p->x = x;
}

// Rodrigues' formula for the axis (x, y, 0): with s = sin(a)/a and c = (1 - cos a)/a^2,
//     [1 - c y^2   c x y      s y ]
//     [c x y       1 - c x^2  -s x]
//     [-s y        s x        cos a]
static inline void apply_swing(pose *p, cri_lanes x, cri_lanes y)
{
    cri_lanes square = x * x + y * y;
    cri_lanes angle = cri_lanes_sqrt(square);
    cri_sincos t = cri_lanes_sincos(angle);
    cri_mask small = cri_lanes_less(angle, cri_lanes_all(1e-3f));
    cri_lanes safe = cri_lanes_pick(small, cri_lanes_all(1.0f), angle);
    cri_lanes s = cri_lanes_pick(small, cri_lanes_all(1.0f), t.sin / safe);
    cri_lanes c = cri_lanes_pick(small, cri_lanes_all(0.5f), (1.0f - t.cos) / (safe * safe));
    pose q = *p;
    cri_lanes cxy = c * x * y;
    p->x = plus(combine(1.0f - c * y * y, q.x, cxy, q.y), scaled(-s * y, q.z));
    p->y = plus(combine(cxy, q.x, 1.0f - c * x * x, q.y), scaled(s * x, q.z));
    p->z = plus(combine(s * y, q.x, -s * x, q.y), scaled(t.cos, q.z));
}

static inline void move_frame(const cri_flat_frame *frame, pose *p, const cri_lanes *q)
{
    cri_lanes value = q[frame->dof] * frame->scale + frame->offset;
    if (frame->motion == CRI_REACH_MOTION_TURN) {
        apply_turn(p, value);
    } else if (frame->motion == CRI_REACH_MOTION_SLIDE) {
        p->at = plus(p->at, scaled(value, p->z));
    } else {
        apply_swing(p, q[frame->dof], q[frame->dof + 1]);
    }
}

static inline void set_posture(posture *a, const cri_checker *c, const cri_lanes *q)
{
    const cri_lanes zero = cri_lanes_all(0), one = cri_lanes_all(1);
    a->checker = c;
    a->frames[0] =
        (pose){{one, zero, zero}, {zero, one, zero}, {zero, zero, one}, {zero, zero, zero}};
    for (int i = 1; i < c->frame_count; i++) {
        const cri_flat_frame *frame = &c->frames[i];
        const pose *parent = &a->frames[frame->parent];
        cri_lanes3 axes[3];
        turn_axes(parent, frame->rotation, axes);
        pose *p = &a->frames[i];
        p->x = axes[0], p->y = axes[1], p->z = axes[2];
        p->at = place(parent, frame->position);
        move_frame(frame, p, q);
    }
    for (int g = 0; g < c->group_count; g++) {
        a->centres[g] = place(&a->frames[c->groups[g].frame], c->groups[g].centre);
        a->placed[g] = false;
    }
}

static inline void place_balls(posture *a, int group)
{
    const cri_group *g = &a->checker->groups[group];
    if (!a->placed[group]) {
        a->placed[group] = true;
        for (int i = g->ball_from; i < g->ball_to; i++) {
            a->balls[i] = place(&a->frames[g->frame], a->checker->balls[i].centre);
        }
    }
}

// ---------------------------------------------------------------------------------------------
// Walls.

static inline cri_lanes outside(cri_lanes coordinate, float half)
{
    return cri_lanes_max(cri_lanes_abs(coordinate) - half, cri_lanes_all(0));
}

static inline cri_lanes along(const float *axis, cri_lanes3 d)
{
    return d.x * axis[0] + d.y * axis[1] + d.z * axis[2];
}

// The squared distance of a point to a wall; 0 inside.
static inline __attribute__((always_inline)) cri_lanes wall_distance2(const cri_reach_wall *w,
                                                                      cri_lanes3 p)
{
    cri_lanes3 d = {p.x - w->centre[0], p.y - w->centre[1], p.z - w->centre[2]};
    cri_lanes x, y, z;
    switch (w->kind) {
    case CRI_REACH_WALL_UPRIGHT_BOX:
        x = outside(d.x * w->axes[0][0] + d.y * w->axes[0][1], w->half[0]);
        y = outside(d.x * w->axes[1][0] + d.y * w->axes[1][1], w->half[1]);
        z = outside(d.z, w->half[2]);
        return x * x + y * y + z * z;
    case CRI_REACH_WALL_BOX:
        x = outside(along(w->axes[0], d), w->half[0]);
        y = outside(along(w->axes[1], d), w->half[1]);
        z = outside(along(w->axes[2], d), w->half[2]);
        return x * x + y * y + z * z;
    case CRI_REACH_WALL_UPRIGHT_CYLINDER:
        x = outside(cri_lanes_sqrt(d.x * d.x + d.y * d.y), w->radius);
        z = outside(d.z, w->half[2]);
        return x * x + z * z;
    case CRI_REACH_WALL_CYLINDER:
        z = along(w->axes[2], d);
        x = cri_lanes_sqrt(cri_lanes_max(dot(d, d) - z * z, cri_lanes_all(0)));
        x = outside(x, w->radius);
        z = outside(z, w->half[2]);
        return x * x + z * z;
    case CRI_REACH_WALL_BALL:
        break;
    }
    x = outside(cri_lanes_sqrt(dot(d, d)), w->radius);
    return x * x;
}

static inline cri_mask nearer(cri_lanes distance2, cri_lanes radius)
{
    return cri_lanes_less(distance2, radius * radius);
}

static inline cri_mask no_lane(void)
{
    return cri_lanes_bits(cri_lanes_all(0));
}

// A brick in the world.
typedef struct block {
    cri_lanes3 axes[3], at;
    cri_lanes half[3];
} block;

static inline cri_lanes3 point_all(const float *v)
{
    return (cri_lanes3){cri_lanes_all(v[0]), cri_lanes_all(v[1]), cri_lanes_all(v[2])};
}

// Grown by `more` to all sides: a little more than all points that far from it.
static inline block place_brick(const posture *a, const cri_group *g, int brick, cri_lanes more)
{
    const cri_brick *b = &a->checker->bricks[brick];
    block result;
    turn_axes(&a->frames[g->frame], b->rotation, result.axes);
    result.at = place(&a->frames[g->frame], b->centre);
    for (int k = 0; k < 3; k++) {
        result.half[k] = more + b->half[k];
    }
    return result;
}

static inline block wall_block(const cri_reach_wall *w)
{
    cri_lanes3 half = point_all(w->half);
    return (block){{point_all(w->axes[0]), point_all(w->axes[1]), point_all(w->axes[2])},
                   point_all(w->centre),
                   {half.x, half.y, half.z}};
}

// Half the width of a block seen along an axis of any length.
static inline cri_lanes reach_along(const block *b, cri_lanes3 axis)
{
    return cri_lanes_abs(dot(b->axes[0], axis)) * b->half[0] +
           cri_lanes_abs(dot(b->axes[1], axis)) * b->half[1] +
           cri_lanes_abs(dot(b->axes[2], axis)) * b->half[2];
}

static inline cri_lanes3 cross(cri_lanes3 a, cri_lanes3 b)
{
    return (cri_lanes3){a.y * b.z - a.z * b.y, a.z * b.x - a.x * b.z, a.x * b.y - a.y * b.x};
}

// Two blocks in the frame of the first: cosines between their axes, the way between their centres.
typedef struct relation {
    cri_lanes cosine[3][3], size[3][3], way[3]; // size: |cosine|, a little larger
} relation;

static inline void relate(relation *r, const block *a, const block *b)
{
    cri_lanes3 d = minus(b->at, a->at);
    for (int i = 0; i < 3; i++) {
        r->way[i] = dot(d, a->axes[i]);
        for (int k = 0; k < 3; k++) {
            r->cosine[i][k] = dot(a->axes[i], b->axes[k]);
            r->size[i][k] = cri_lanes_abs(r->cosine[i][k]) + 1e-6f;
        }
    }
}

// Lanes that a face of either block parts.
static inline cri_mask faces_part(const relation *r, const cri_lanes *a, const cri_lanes *b)
{
    cri_mask apart = no_lane();
    for (int i = 0; i < 3; i++) {
        cri_lanes mine = a[i] + b[0] * r->size[i][0] + b[1] * r->size[i][1] + b[2] * r->size[i][2];
        cri_lanes other = b[i] + a[0] * r->size[0][i] + a[1] * r->size[1][i] + a[2] * r->size[2][i];
        cri_lanes way =
            r->way[0] * r->cosine[0][i] + r->way[1] * r->cosine[1][i] + r->way[2] * r->cosine[2][i];
        apart |= cri_lanes_less(mine, cri_lanes_abs(r->way[i]));
        apart |= cri_lanes_less(other, cri_lanes_abs(way));
    }
    return apart;
}

// Lanes that the cross product of axis i of a with axis k of b parts.
static inline cri_mask edges_part(const relation *r, const cri_lanes *a, const cri_lanes *b, int i,
                                  int k)
{
    int i1 = (i + 1) % 3, i2 = (i + 2) % 3, k1 = (k + 1) % 3, k2 = (k + 2) % 3;
    cri_lanes both = a[i1] * r->size[i2][k] + a[i2] * r->size[i1][k] + b[k1] * r->size[i][k2] +
                     b[k2] * r->size[i][k1];
    cri_lanes way = r->way[i2] * r->cosine[i1][k] - r->way[i1] * r->cosine[i2][k];
    return cri_lanes_less(both, cri_lanes_abs(way));
}

// Separating axes: 3 faces each, 9 pairs of edges.
static cri_mask blocks_touch(const block *a, const block *b)
{
    relation r;
    relate(&r, a, b);
    cri_mask apart = faces_part(&r, a->half, b->half);
    for (int i = 0; i < 9 && cri_mask_any(~apart); i++) {
        apart |= edges_part(&r, a->half, b->half, i / 3, i % 3);
    }
    return ~apart;
}

// The squared distance of a point to a block.
static inline cri_lanes block_distance2(const block *b, cri_lanes3 p)
{
    const cri_lanes zero = cri_lanes_all(0);
    cri_lanes3 d = minus(p, b->at);
    cri_lanes x = cri_lanes_max(cri_lanes_abs(dot(d, b->axes[0])) - b->half[0], zero);
    cri_lanes y = cri_lanes_max(cri_lanes_abs(dot(d, b->axes[1])) - b->half[1], zero);
    cri_lanes z = cri_lanes_max(cri_lanes_abs(dot(d, b->axes[2])) - b->half[2], zero);
    return x * x + y * y + z * z;
}

// Half the width of a cylinder along an axis of any length.
static inline cri_lanes cylinder_reach(const cri_reach_wall *w, cri_lanes3 axis)
{
    cri_lanes z = along(w->axes[2], axis);
    cri_lanes across = cri_lanes_max(dot(axis, axis) - z * z, cri_lanes_all(0));
    return cri_lanes_abs(z) * w->half[2] + cri_lanes_sqrt(across) * w->radius;
}

// Some axes that may part a block from a cylinder: never parts what touches, may miss that corners
// just do not touch.
static cri_mask block_touches_cylinder(const block *b, const cri_reach_wall *w)
{
    cri_lanes3 d = minus(point_all(w->centre), b->at), up = point_all(w->axes[2]);
    cri_lanes3 axes[8] = {b->axes[0], b->axes[1], b->axes[2], up, minus(d, scaled(dot(d, up), up))};
    for (int i = 0; i < 3; i++) {
        axes[5 + i] = cross(b->axes[i], up);
    }
    cri_mask apart = no_lane();
    for (int i = 0; i < 8; i++) {
        apart |= cri_lanes_less(reach_along(b, axes[i]) + cylinder_reach(w, axes[i]),
                                cri_lanes_abs(dot(d, axes[i])));
    }
    return ~apart;
}

static cri_mask block_touches_wall(const block *b, const cri_reach_wall *w)
{
    switch (w->kind) {
    case CRI_REACH_WALL_UPRIGHT_BOX:
    case CRI_REACH_WALL_BOX: {
        block wall = wall_block(w);
        return blocks_touch(b, &wall);
    }
    case CRI_REACH_WALL_UPRIGHT_CYLINDER:
    case CRI_REACH_WALL_CYLINDER:
        return block_touches_cylinder(b, w);
    case CRI_REACH_WALL_BALL:
        break;
    }
    return nearer(block_distance2(b, point_all(w->centre)), cri_lanes_all(w->radius));
}

// Lanes in which a group, grown by `more`, touches a wall.
static cri_mask group_touches_wall(posture *a, int group, const cri_reach_wall *w, cri_lanes more)
{
    const cri_group *g = &a->checker->groups[group];
    cri_mask hit = no_lane();
    cri_mask close = nearer(wall_distance2(w, a->centres[group]), more + g->radius);
    if (!cri_mask_any(close)) {
        return hit;
    }
    place_balls(a, group);
    for (int i = g->ball_from; i < g->ball_to; i++) {
        hit |= nearer(wall_distance2(w, a->balls[i]), more + a->checker->balls[i].radius);
    }
    for (int i = g->brick_from; i < g->brick_to; i++) {
        block b = place_brick(a, g, i, more);
        hit |= block_touches_wall(&b, w);
    }
    return hit & close; // a lane's answer must not depend on the others
}

// ---------------------------------------------------------------------------------------------
// The arm against itself.

// Balls of group g against those of group h, if they come near its bounding ball.
static cri_mask balls_touch_balls(const posture *a, const cri_reach_pair *pair, cri_lanes more)
{
    const cri_group *g = &a->checker->groups[pair->a], *h = &a->checker->groups[pair->b];
    cri_mask hit = no_lane();
    for (int i = g->ball_from; i < g->ball_to; i++) {
        float radius = a->checker->balls[i].radius;
        cri_lanes3 p = a->balls[i], d = minus(a->centres[pair->b], p);
        cri_mask close = nearer(dot(d, d), more + (radius + h->radius));
        if (!cri_mask_any(close)) {
            continue;
        }
        for (int k = h->ball_from; k < h->ball_to; k++) {
            d = minus(a->balls[k], p);
            hit |= close & nearer(dot(d, d), more + (radius + a->checker->balls[k].radius));
        }
    }
    return hit;
}

static cri_mask bricks_touch_balls(const posture *a, const cri_group *g, const cri_group *h,
                                   cri_lanes more)
{
    cri_mask hit = no_lane();
    for (int i = g->brick_from; i < g->brick_to; i++) {
        block b = place_brick(a, g, i, cri_lanes_all(0));
        for (int k = h->ball_from; k < h->ball_to; k++) {
            hit |= nearer(block_distance2(&b, a->balls[k]), more + a->checker->balls[k].radius);
        }
    }
    return hit;
}

static cri_mask bricks_touch_bricks(const posture *a, const cri_group *g, const cri_group *h,
                                    cri_lanes more)
{
    cri_mask hit = no_lane();
    for (int i = g->brick_from; i < g->brick_to; i++) {
        block b = place_brick(a, g, i, more);
        for (int k = h->brick_from; k < h->brick_to; k++) {
            block other = place_brick(a, h, k, cri_lanes_all(0));
            hit |= blocks_touch(&b, &other);
        }
    }
    return hit;
}

// Lanes in which two groups come closer than `more`.
static cri_mask pair_touches(posture *a, const cri_reach_pair *pair, cri_lanes more)
{
    const cri_group *g = &a->checker->groups[pair->a], *h = &a->checker->groups[pair->b];
    cri_lanes3 d = minus(a->centres[pair->a], a->centres[pair->b]);
    cri_mask close = nearer(dot(d, d), more + (g->radius + h->radius));
    if (!cri_mask_any(close)) {
        return no_lane();
    }
    place_balls(a, pair->a);
    place_balls(a, pair->b);
    return close & (balls_touch_balls(a, pair, more) | bricks_touch_balls(a, g, h, more) |
                    bricks_touch_balls(a, h, g, more) | bricks_touch_bricks(a, g, h, more));
}

// ---------------------------------------------------------------------------------------------
// All of it.

enum { NEAR = 64 };

// Walls whose bounding boxes meet the one around a group in all lanes, grown by `more`: the next
// ones from *from on, at most NEAR.
static int near_walls(const posture *a, int group, float more, int *from, int *list)
{
    const cri_checker *c = a->checker;
    cri_lanes3 p = a->centres[group];
    float r = c->groups[group].radius + more;
    cri_lanes low[3] = {cri_lanes_all(cri_lanes_least(p.x) - r),
                        cri_lanes_all(cri_lanes_least(p.y) - r),
                        cri_lanes_all(cri_lanes_least(p.z) - r)};
    cri_lanes high[3] = {cri_lanes_all(r - cri_lanes_least(-p.x)),
                         cri_lanes_all(r - cri_lanes_least(-p.y)),
                         cri_lanes_all(r - cri_lanes_least(-p.z))};
    int count = 0, stride = c->wall_stride, w = *from;
    for (; w < stride && count <= NEAR - CRI_LANES; w += CRI_LANES) {
        cri_mask far = no_lane();
        for (int k = 0; k < 3; k++) {
            far |= cri_lanes_less(high[k], cri_lanes_load(c->bounds + k * stride + w));
            far |= cri_lanes_less(cri_lanes_load(c->bounds + (k + 3) * stride + w), low[k]);
        }
        for (unsigned bits = ~cri_mask_bits(far) & ((1u << CRI_LANES) - 1); bits;
             bits &= bits - 1) {
            list[count++] = w + __builtin_ctz(bits);
        }
    }
    *from = w;
    return count;
}

// Lanes in which a group, grown by `more` (at most `most`), touches a wall; *wall is the last one.
// Stops at the first that touches if `first` is set.
static inline cri_mask group_hits(posture *a, int g, cri_lanes more, float most, bool first,
                                  int *wall)
{
    cri_mask hit = no_lane();
    int list[NEAR];
    for (int from = 0; from < a->checker->wall_count;) {
        int count = near_walls(a, g, most, &from, list);
        for (int i = 0; i < count; i++) {
            hit |= group_touches_wall(a, g, &a->checker->walls[list[i]], more);
            if (first && cri_mask_any(hit)) {
                *wall = list[i];
                return hit;
            }
        }
    }
    return hit;
}

// What does not move is looked at by kernel_clear alone.
static inline bool stands(const cri_checker *c, int group)
{
    return c->groups[group].frame == 0;
}

// True if no lane touches anything; else *touch, if asked for, says what.
static bool posture_clear(posture *a, cri_reach_touch *touch)
{
    const cri_checker *c = a->checker;
    const cri_lanes zero = cri_lanes_all(0);
    for (int g = c->group_count - 1; g >= 0; g--) {
        int wall = 0;
        if (!stands(c, g) && cri_mask_any(group_hits(a, g, zero, 0, true, &wall))) {
            *touch = (cri_reach_touch){g, wall, -1};
            return false;
        }
    }
    for (int i = c->pair_count - 1; i >= 0; i--) {
        if (cri_mask_any(pair_touches(a, &c->pairs[i], zero))) {
            *touch = (cri_reach_touch){c->pairs[i].b, -1, c->pairs[i].a};
            return false;
        }
    }
    return true;
}

static bool kernel_clear(const cri_checker *c, const float *values, cri_reach_touch *touch)
{
    cri_lanes q[CR_ARM_MAX_DOFS];
    for (int d = 0; d < c->dof_count; d++) {
        q[d] = cri_lanes_all(values[d]);
    }
    posture a;
    set_posture(&a, c, q);
    for (int g = 0; g < c->group_count; g++) {
        int wall = 0;
        if (stands(c, g) && cri_mask_any(group_hits(&a, g, cri_lanes_all(0), 0, true, &wall))) {
            *touch = (cri_reach_touch){g, wall, -1};
            return false;
        }
    }
    return posture_clear(&a, touch);
}

// Lanes that touch anything.
static cri_mask posture_hits(posture *a)
{
    const cri_checker *c = a->checker;
    cri_mask hit = no_lane();
    for (int g = c->group_count - 1; g >= 0; g--) {
        int wall;
        hit |= stands(c, g) ? hit : group_hits(a, g, cri_lanes_all(0), 0, false, &wall);
    }
    for (int i = c->pair_count - 1; i >= 0; i--) {
        hit |= pair_touches(a, &c->pairs[i], cri_lanes_all(0));
    }
    return hit;
}

static unsigned kernel_clear8(const cri_checker *c, const float *values)
{
    unsigned bits = 0;
    for (int from = 0; from < 8; from += CRI_LANES) {
        cri_lanes q[CR_ARM_MAX_DOFS];
        for (int d = 0; d < c->dof_count; d++) {
            q[d] = cri_lanes_load(values + d * 8 + from);
        }
        posture a;
        set_posture(&a, c, q);
        bits |= (~cri_mask_bits(posture_hits(&a)) & ((1u << CRI_LANES) - 1)) << from;
    }
    return bits;
}

// The k-th of `count` in an order that halves the gaps: k with its bits mirrored. count: a power of
// two.
static inline int mirrored(int k, int count)
{
    int result = 0;
    for (int bit = 1; bit < count; bit <<= 1) {
        result = (result << 1) | (k & 1);
        k >>= 1;
    }
    return result;
}

static inline void interpolate(const cri_checker *c, const float *a, const float *b, cri_lanes t,
                               posture *result)
{
    cri_lanes q[CR_ARM_MAX_DOFS];
    for (int d = 0; d < c->dof_count; d++) {
        q[d] = t * (b[d] - a[d]) + a[d];
    }
    set_posture(result, c, q);
}

// Points lie at (i + 1) / total for i = 0 .. total-1, total = 8 rows; lane l of row k holds
// i = l rows + k, so one row spans the edge. Row rows-1 holds the end of each span, b among them.
static bool check_row(const cri_checker *c, const float *a, const float *b, int row, int rows)
{
    float step = 1.0f / (float)(8 * rows), at[8];
    for (int l = 0; l < 8; l++) {
        at[l] = (float)(l * rows + row + 1) * step;
    }
    for (int from = 0; from < 8; from += CRI_LANES) {
        posture p;
        cri_reach_touch touch;
        interpolate(c, a, b, cri_lanes_load(at + from), &p);
        if (!posture_clear(&p, &touch)) {
            return false;
        }
    }
    return true;
}

static bool kernel_edge(const cri_checker *c, const float *a, const float *b, int points,
                        int64_t *checks)
{
    int rows = (points + 7) / 8;
    int order = 1;
    while (order < rows) {
        order <<= 1;
    }
    for (int k = order - 1; k >= 0; k--) {
        int row = mirrored(k, order);
        if (row >= rows) {
            continue;
        }
        *checks += 8;
        if (!check_row(c, a, b, row, rows)) {
            return false;
        }
    }
    return true;
}

static void kernel_places(const cri_checker *c, const float *values, float *places)
{
    cri_lanes q[CR_ARM_MAX_DOFS];
    for (int d = 0; d < c->dof_count; d++) {
        q[d] = cri_lanes_all(values[d]);
    }
    posture a;
    set_posture(&a, c, q);
    for (int i = 0; i < c->place_count; i++) {
        cri_lanes3 p = place(&a.frames[c->place_frames[i]], c->place_points[i]);
        memcpy(places + 3 * i, &p.x, sizeof(float));
        memcpy(places + 3 * i + 1, &p.y, sizeof(float));
        memcpy(places + 3 * i + 2, &p.z, sizeof(float));
    }
}

// ---------------------------------------------------------------------------------------------
// Proving an edge. A segment of the edge is checked at its middle with every group grown by as much
// as the group can move from there to the segment's ends; if that is too much, it is halved.

enum { QUEUE = 1024 };

typedef struct segments {
    int head, tail;
    float middle[QUEUE], half[QUEUE]; // along the edge, 0 .. 1
} segments;

// How far groups move over the whole edge, and pairs of groups relative to each other.
typedef struct travel {
    float groups[CRI_MAX_GROUPS];
    float pairs[CRI_MAX_PAIRS];
} travel;

// How much each joint's value changes over the edge.
static void set_change(const cri_checker *c, const float *a, const float *b, float *change)
{
    change[0] = 0;
    for (int f = 1; f < c->frame_count; f++) {
        const cri_flat_frame *frame = &c->frames[f];
        int d = frame->dof;
        bool swings = frame->motion == CRI_REACH_MOTION_SWING;
        change[f] = swings ? fabsf(b[d] - a[d]) + fabsf(b[d + 1] - a[d + 1])
                           : fabsf(frame->scale * (b[d] - a[d]));
    }
}

// Frames that move both groups of a pair, move them alike: they do not count.
static float pair_travel(const cri_checker *c, const cri_reach_pair *pair, const float *change)
{
    float sum = 0;
    for (int f = 1; f < c->frame_count; f++) {
        float a = c->reach[pair->a][f], b = c->reach[pair->b][f];
        sum += a > 0 && b > 0 ? 0 : change[f] * (a + b);
    }
    return sum;
}

static void set_travel(travel *t, const cri_checker *c, const float *a, const float *b)
{
    float change[CRI_ARM_MAX_FRAMES];
    set_change(c, a, b, change);
    for (int g = 0; g < c->group_count; g++) {
        t->groups[g] = 0;
        for (int f = 1; f < c->frame_count; f++) {
            t->groups[g] += c->reach[g][f] * change[f];
        }
    }
    for (int i = 0; i < c->pair_count; i++) {
        t->pairs[i] = pair_travel(c, &c->pairs[i], change);
    }
}

// Lanes that are not proven: something grown touches.
static cri_mask unproven(posture *a, const travel *t, cri_lanes half)
{
    const cri_checker *c = a->checker;
    cri_mask hit = no_lane();
    float longest = -cri_lanes_least(-half);
    for (int g = c->group_count - 1; g >= 0; g--) {
        int wall;
        if (!stands(c, g)) {
            float travel_g = t->groups[g];
            hit |= group_hits(a, g, half * travel_g, longest * travel_g, false, &wall);
        }
    }
    for (int i = c->pair_count - 1; i >= 0; i--) {
        hit |= pair_touches(a, &c->pairs[i], half * t->pairs[i]);
    }
    return hit;
}

// False if the queue is full or the segment as short as floats go.
static bool split(segments *s, float middle, float half)
{
    if (s->tail - s->head > QUEUE - 2 || half < 1e-5f) {
        return false;
    }
    for (int side = -1; side <= 1; side += 2) {
        s->middle[s->tail % QUEUE] = middle + 0.5f * half * (float)side;
        s->half[s->tail % QUEUE] = 0.5f * half;
        s->tail++;
    }
    return true;
}

// The next 8 segments, the last one repeated when there are less. False if one of them touches.
static bool prove_some(const cri_checker *c, const float *ends[2], const travel *t, segments *s)
{
    float middle[8], half[8];
    int count = s->tail - s->head < 8 ? s->tail - s->head : 8;
    for (int i = 0; i < 8; i++) {
        int k = (s->head + (i < count ? i : count - 1)) % QUEUE;
        middle[i] = s->middle[k];
        half[i] = s->half[k];
    }
    s->head += count;
    unsigned open = 0;
    for (int from = 0; from < 8; from += CRI_LANES) {
        posture p;
        cri_reach_touch touch;
        interpolate(c, ends[0], ends[1], cri_lanes_load(middle + from), &p);
        unsigned bits = cri_mask_bits(unproven(&p, t, cri_lanes_load(half + from)));
        if (bits && !posture_clear(&p, &touch)) {
            return false;
        }
        open |= bits << from;
    }
    bool room = true;
    for (int i = 0; i < count && room; i++) {
        room = !(open >> i & 1) || split(s, middle[i], half[i]);
    }
    return room;
}

// True if a comes before b: any order that does not depend on which is called a.
static bool before(const float *a, const float *b, int count)
{
    int d = 0;
    while (d + 1 < count && a[d] == b[d]) {
        d++;
    }
    return a[d] < b[d];
}

// There and back are one edge: always walked the same way, for rounding must not tell them apart. A
// tree's edge is proven from the root outward, and again as part of a path, maybe backwards.
static bool kernel_prove(const cri_checker *c, const float *a, const float *b, int64_t *checks)
{
    bool as_given = before(a, b, c->dof_count);
    const float *ends[2] = {as_given ? a : b, as_given ? b : a};
    travel t;
    set_travel(&t, c, ends[0], ends[1]);
    segments s;
    s.head = 0;
    s.tail = 8;
    for (int i = 0; i < 8; i++) {
        s.middle[i] = ((float)i + 0.5f) / 8;
        s.half[i] = 0.0625f;
    }
    while (s.head < s.tail) {
        *checks += s.tail - s.head < 8 ? s.tail - s.head : 8;
        if (!prove_some(c, ends, &t, &s)) {
            return false;
        }
    }
    return true;
}

// ---------------------------------------------------------------------------------------------
// Nearest neighbours by looking at all: trees stay small, and 8 keys at a time are quick.

static inline cri_lanes key_distance2(const cri_reach_keys *keys, const float *some,
                                      const float *key)
{
    cri_lanes best = cri_lanes_all(0), sum = cri_lanes_all(0);
    for (int d = 0; d < keys->size; d++) {
        cri_lanes difference = cri_lanes_load(some + d * 8) - key[d];
        sum = sum + difference * difference;
        if (keys->triples && d % 3 == 2) {
            best = cri_lanes_max(best, sum);
            sum = cri_lanes_all(0);
        }
    }
    return keys->triples ? best : sum;
}

static int kernel_nearest(const cri_reach_keys *keys, const float *key, float *distance)
{
    cri_lanes best = cri_lanes_all(1e30f), which = cri_lanes_all(0);
    float best_one = 1e30f;
    int nearest = 0;
    for (int i = 0; i < keys->count; i += 8) {
        const float *some = keys->values + (size_t)(i / 8) * (size_t)keys->size * 8;
        for (int from = 0; from < 8; from += CRI_LANES) {
            cri_lanes distance2 = key_distance2(keys, some + from, key);
            cri_mask less = cri_lanes_less(distance2, best);
            if (CRI_LANES == 1 && cri_mask_any(less)) {
                nearest = i + from;
            }
            best = cri_lanes_pick(less, distance2, best);
            which = cri_lanes_pick(less, cri_lanes_all((float)(i / 8)), which);
        }
    }
    float values[CRI_LANES], blocks[CRI_LANES];
    memcpy(values, &best, sizeof values);
    memcpy(blocks, &which, sizeof blocks);
    for (int l = 0; l < CRI_LANES; l++) {
        int index = CRI_LANES == 1 ? nearest : (int)blocks[l] * 8 + l;
        if (values[l] < best_one || (values[l] == best_one && index < nearest)) {
            best_one = values[l];
            nearest = index;
        }
    }
    *distance = sqrtf(best_one);
    return nearest;
}

const cri_kernel KERNEL = {
    .name = KERNEL_NAME,
    .clear = kernel_clear,
    .clear8 = kernel_clear8,
    .edge = kernel_edge,
    .prove = kernel_prove,
    .places = kernel_places,
    .nearest = kernel_nearest,
};
