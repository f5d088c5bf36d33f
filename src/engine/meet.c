// Where bodies meet: swept balls, contact points, and what is asked of each point.
//
// A ball that moves is stopped IMPACT_GAP before it touches, so a contact with bounce happens at
// the right place and time. All other contacts are anticipated (speculative contacts): a point with
// a gap may close by no more than the gap in the coming piece. If such a point is going to bounce,
// the piece ends there.
#include "engine/world.h"

#include <math.h>

#include "engine/contact_kernel.h"
#include "geom/columns.h"

static bool is_open(const cri_world *w, int pair)
{
    return !w->mask || ((w->mask[pair / 64] >> (pair % 64)) & 1);
}

static bool boxes_apart(const cri_rigid *a, const cri_rigid *b, double margin)
{
    return a->low.x - b->high.x > margin || b->low.x - a->high.x > margin ||
           a->low.y - b->high.y > margin || b->low.y - a->high.y > margin ||
           a->low.z - b->high.z > margin || b->low.z - a->high.z > margin;
}

static bool plane_apart(const cri_rigid *plane, const cri_rigid *other, double margin)
{
    if (plane->body->part_count != 1 || plane->body->parts[0].shape.kind != CR_SHAPE_PLANE) {
        return false;
    }
    cri_nearest near =
        cri_shape_nearest(&plane->body->parts[0].shape, plane->parts[0], other->pose.position);
    return near.distance - other->body->radius > margin;
}

static bool far_apart(const cri_rigid *a, const cri_rigid *b, double margin)
{
    return boxes_apart(a, b, margin) || plane_apart(a, b, margin) || plane_apart(b, a, margin);
}

static void set_paces(cri_world *w)
{
    for (int slot = 0; slot < w->model->moving_count; slot++) {
        cri_rigid *r = &w->rigids[w->model->moving[slot]];
        r->pace = fmax(cri_length(r->velocity), cri_length(r->next_velocity));
        if (!r->ball) {
            r->pace += fmax(cri_length(r->spin), cri_length(r->next_spin)) * r->body->radius;
        }
    }
}

// ---------------------------------------------------------------------------------------------
// Near pairs.

typedef struct cri_world_sieve {
    cri_columns columns;
    cri_span *spans;
    cri_sort_key *keys, *spare;
    int key_count, key_bits;
} cri_world_sieve;

static cri_near near_of(const cri_world *w, int pair, int a, int b)
{
    const cri_rigid *one = &w->rigids[a], *two = &w->rigids[b];
    bool responds = one->pushed || two->pushed;
    return (cri_near){pair, a, b, responds, responds && (one->ball || two->ball)};
}

static void list_all(cri_world *w)
{
    for (int i = 0; i < w->model->pair_count; i++) {
        const cri_pair *pair = &w->model->pairs[i];
        w->near[i] = near_of(w, i, pair->a, pair->b);
        w->any_swept = w->any_swept || w->near[i].swept;
    }
    w->near_count = w->model->pair_count;
}

bool cri_near_init(cri_world *w)
{
    const cr_model *model = w->model;
    size_t bodies = (size_t)model->body_count;
    // Neighbours of a body that spins fast, each of which counts for two.
    w->near_max = model->pairs ? model->pair_count : 192 * model->body_count + 256;
    size_t room = (size_t)w->near_max + 1;
    w->near = cri_arena_alloc(&w->arena, room, sizeof *w->near);
    if (!w->near || model->pairs) {
        if (w->near) {
            list_all(w);
        }
        return w->near;
    }
    cri_world_sieve *s = w->sieve = cri_arena_alloc(&w->arena, 1, sizeof *s);
    if (!s || !cri_columns_init(&s->columns, &w->arena, model->body_count)) {
        return false;
    }
    while ((1 << s->key_bits) < model->body_count) {
        s->key_bits++;
    }
    for (int i = 0; i < model->body_count; i++) {
        w->any_swept = w->any_swept || (w->rigids[i].ball && w->rigids[i].pushed);
    }
    s->spans = cri_arena_alloc(&w->arena, bodies, sizeof *s->spans);
    s->keys = cri_arena_alloc(&w->arena, room, sizeof *s->keys);
    s->spare = cri_arena_alloc(&w->arena, room, sizeof *s->spare);
    return s->spans && s->keys && s->spare;
}

static void add_near(void *arg, int a, int b)
{
    cri_world *w = arg;
    cri_world_sieve *s = w->sieve;
    if (cri_pairs_meet(&w->model->who, a, b) && s->key_count <= w->near_max) {
        int first = a < b ? a : b, second = a < b ? b : a;
        s->keys[s->key_count].key = (uint64_t)first << s->key_bits | (uint64_t)second;
        s->key_count += s->key_count < w->near_max + 1;
    }
}

// A box about a body, as far as it may be looked for in t seconds, rounded out.
static cri_span span_of(const cri_rigid *r, int body, double t)
{
    double room = MARGIN + r->pace * t;
    const double low[3] = {r->low.x, r->low.y, r->low.z};
    const double high[3] = {r->high.x, r->high.y, r->high.z};
    cri_span span = {.solid = body};
    for (int k = 0; k < 3; k++) {
        double slack = room + 1e-6 * (fabs(low[k]) + fabs(high[k]));
        span.low[k] = (float)(low[k] - slack);
        span.high[k] = (float)(high[k] + slack);
    }
    return span;
}

// False: there are too many.
static bool list_near(cri_world *w, double t)
{
    cri_world_sieve *s = w->sieve;
    int count = 0;
    if (!s) {
        return true;
    }
    s->key_count = w->near_count = 0;
    for (int i = 0; i < w->model->body_count; i++) {
        const cri_rigid *r = &w->rigids[i];
        if (r->body->radius < HUGE_VAL) {
            s->spans[count++] = span_of(r, i, t);
            continue;
        }
        for (int k = 0; k < w->model->moving_count; k++) {
            add_near(w, i, w->model->moving[k]); // a plane has no end
        }
    }
    cri_columns_sweep(&s->columns, s->spans, count, add_near, w);
    if (s->key_count > w->near_max) {
        return false;
    }
    cri_sort_keys(s->keys, s->spare, s->key_count, 2 * s->key_bits);
    for (int i = 0; i < s->key_count; i++) {
        int a = (int)(s->keys[i].key >> s->key_bits);
        int b = (int)(s->keys[i].key & ((UINT64_C(1) << s->key_bits) - 1));
        w->near[w->near_count++] = near_of(w, cri_pairs_find(&w->model->who, a, b), a, b);
    }
    return true;
}

// ---------------------------------------------------------------------------------------------
// Sweeps.

// When a ball meets another body.
static double sweep_pair(const cri_rigid *ball, const cri_rigid *other, double t)
{
    cri_motion motion = {other->pose, cri_mean_velocity(other),
                         other->ball ? cri_vec3(0, 0, 0) : other->next_spin};
    double first = t;
    for (int i = 0; i < other->body->part_count; i++) {
        const cr_part *part = &other->body->parts[i];
        first = fmin(first, cri_sweep_sphere(ball->pose.position, ball->body->radius,
                                             cri_mean_velocity(ball), &part->shape, part->pose,
                                             motion, IMPACT_GAP, t));
    }
    return first;
}

double cri_first_impact(cri_world *w, double t)
{
    double first = t;
    if (!w->any_swept) {
        return t;
    }
    set_paces(w);
    list_near(w, t);
    for (int slot = 0; slot < w->model->moving_count; slot++) {
        w->rigids[w->model->moving[slot]].free = t;
    }
    for (int i = 0; i < w->near_count; i++) {
        const cri_near *pair = &w->near[i];
        if (!pair->swept) {
            continue;
        }
        cri_rigid *a = &w->rigids[pair->a], *b = &w->rigids[pair->b];
        double way = (a->pace + b->pace) * t, least = a->ball && b->ball ? 0 : SWEEP_MIN;
        if (way <= least || !is_open(w, pair->pair) || far_apart(a, b, way + IMPACT_GAP)) {
            continue;
        }
        double meet = a->ball ? sweep_pair(a, b, t) : sweep_pair(b, a, t);
        a->free = fmin(a->free, meet);
        b->free = fmin(b->free, meet);
        first = fmin(first, meet);
    }
    return first;
}

// ---------------------------------------------------------------------------------------------
// Points.

// How fast a gap opens at the end of the piece.
static double opening(const cri_rigid *a, const cri_rigid *b, const cri_touch *touch)
{
    cr_vec3 slip =
        cri_sub(cri_next_velocity_at(b, touch->point), cri_next_velocity_at(a, touch->point));
    return cri_dot(slip, touch->normal);
}

// Between two upright bodies one of two points above each other is enough.
static bool repeats(const cri_rigid *a, const cri_rigid *b, const cri_touch *touches, int i)
{
    return i > 0 && a->body->upright && b->body->upright &&
           fabs(touches[i].point.x - touches[i - 1].point.x) < 1e-9 &&
           fabs(touches[i].point.y - touches[i - 1].point.y) < 1e-9;
}

// Where the solver sees a contact: on the surface of a ball, so that the lever of friction is its
// radius, else midway between the surfaces.
static cr_vec3 place_of(const cri_rigid *a, const cri_rigid *b, const cri_touch *touch)
{
    double shift = (b->ball ? -0.5 : 0) + (a->ball ? 0.5 : 0);
    return cri_mad(touch->point, shift * touch->depth, touch->normal);
}

// The grain of a part, or of the other where that has none.
static cr_vec3 grain_of(const cr_model *model, const cr_part *parts[2], const cr_pose poses[2])
{
    for (int i = 0; i < 2; i++) {
        cr_vec3 grain = model->materials[parts[i]->material].grain;
        if (cri_dot(grain, grain) > 0) {
            return cri_rotate(poses[i].rotation, grain);
        }
    }
    return cri_vec3(0, 0, 0);
}

// Balls that do not touch are left to the sweep. Solved together, a rack of them would stop the
// ball that strikes it like a wall, though each of its impacts is over before the next begins.
static bool is_swept(const cri_rigid *a, const cri_rigid *b, double gap)
{
    return a->ball && b->ball && !is_there(gap);
}

// The points of one part against one part.
static bool add_points(cri_world *w, const cri_near *pair, const int parts[2], double margin,
                       double t)
{
    const cri_rigid *a = &w->rigids[pair->a], *b = &w->rigids[pair->b];
    const cr_part *pa = &a->body->parts[parts[0]], *pb = &b->body->parts[parts[1]];
    cri_touch touches[CRI_TOUCH_MAX];
    int count = cri_collide(&pa->shape, a->parts[parts[0]], &pb->shape, b->parts[parts[1]], margin,
                            touches);
    cr_vec3 grain = {0};
    if (count > 0) {
        grain = grain_of(w->model, (const cr_part *[2]){pa, pb},
                         (const cr_pose[2]){a->parts[parts[0]], b->parts[parts[1]]});
    }
    for (int i = 0; i < count; i++) {
        if (!matters(-touches[i].depth, opening(a, b, &touches[i]), t) ||
            repeats(a, b, touches, i)) {
            continue;
        }
        if (w->point_count == w->point_max) {
            return cri_world_fail(w, CR_FAULT_CROWDED, b->body->slot < 0 ? pair->a : pair->b);
        }
        w->points[w->point_count++] = (cri_point){
            .pair = pair->pair,
            .a = pair->a,
            .b = pair->b,
            .point = place_of(a, b, &touches[i]),
            .normal = touches[i].normal,
            .gap = -touches[i].depth,
            .grain = grain,
            .meeting = &w->meetings[pa->material * w->model->material_count + pb->material],
            .silent = !pair->responds || is_swept(a, b, -touches[i].depth),
        };
    }
    return true;
}

bool cri_find_points(cri_world *w, double t)
{
    w->point_count = 0;
    set_paces(w);
    if (!list_near(w, t)) {
        return cri_world_fail(w, CR_FAULT_CROWDED, w->model->moving[0]);
    }
    for (int i = 0; i < w->near_count; i++) {
        const cri_near *pair = &w->near[i];
        const cri_rigid *a = &w->rigids[pair->a], *b = &w->rigids[pair->b];
        double margin = MARGIN;
        if (!a->ball && !b->ball && pair->responds) {
            margin = margin_of(a->pace + b->pace, t);
        }
        if (far_apart(a, b, margin) || !is_open(w, pair->pair)) {
            continue;
        }
        for (int p = 0; p < a->body->part_count; p++) {
            for (int q = 0; q < b->body->part_count; q++) {
                if (!add_points(w, pair, (int[2]){p, q}, margin, t)) {
                    return false;
                }
            }
        }
    }
    return true;
}

// ---------------------------------------------------------------------------------------------
// Asking.

static bool will_bounce(const cri_point *p, double closing, double fastest, double t)
{
    real_mask springs = p->meeting->restitution > 0 ? shuts(p->gap, fastest, t) : 0;
    return bounces(p->gap, closing, springs);
}

// A grain lays the directions of friction: one coefficient along it, one across.
static void follow_grain(cri_point *p)
{
    cr_vec3 level = cri_mad(p->grain, -cri_dot(p->grain, p->normal), p->normal);
    if (cri_dot(level, level) > GRAIN_MIN * GRAIN_MIN) {
        p->slide = cri_unit(level, p->slide);
        p->friction = p->meeting->along;
    }
}

static void ask(const cri_world *w, cri_point *p, double t)
{
    const cri_rigid *a = &w->rigids[p->a], *b = &w->rigids[p->b];
    cr_vec3 now = cri_sub(cri_velocity_at(b, p->point), cri_velocity_at(a, p->point));
    cr_vec3 next = cri_sub(cri_next_velocity_at(b, p->point), cri_next_velocity_at(a, p->point));
    double closing = cri_dot(now, p->normal), next_closing = cri_dot(next, p->normal);
    double h = w->model->dt / w->model->substeps;
    real_rate close = {1, t}, undo = {OVERLAP_SHARE, h};
    p->target = gap_target(p->gap, close, SLOP, undo, PUSH_OUT_MAX);
    if (will_bounce(p, closing, fmin(closing, next_closing), t)) {
        // The impact comes first, then forces act for the rest of the piece.
        double back = rebound(closing, next_closing - closing, p->meeting->restitution);
        p->target = fmax(p->target, back);
    }
    cr_vec3 slip_now = cri_mad(now, -closing, p->normal);
    cr_vec3 slip = cri_mad(next, -next_closing, p->normal);
    // Without slip any direction across the normal does.
    cr_vec3 aside = fabs(p->normal.x) < 0.7 ? cri_vec3(1, 0, 0) : cri_vec3(0, 1, 0);
    p->slide = cri_unit(slip, cri_unit(cri_cross(p->normal, aside), aside));
    p->friction = holding(slip_now, p->meeting->static_friction, p->meeting->friction);
    p->across = p->friction;
    follow_grain(p);
}

double cri_first_bounce(const cri_world *w, double t)
{
    double first = t;
    for (int i = 0; i < w->point_count; i++) {
        const cri_point *p = &w->points[i];
        if (p->gap <= MARGIN || p->silent) {
            continue; // early by less than can be seen
        }
        const cri_rigid *a = &w->rigids[p->a], *b = &w->rigids[p->b];
        cr_vec3 now = cri_sub(cri_velocity_at(b, p->point), cri_velocity_at(a, p->point));
        cr_vec3 next =
            cri_sub(cri_next_velocity_at(b, p->point), cri_next_velocity_at(a, p->point));
        double closing = cri_dot(now, p->normal), fastest = fmin(closing, cri_dot(next, p->normal));
        if (will_bounce(p, closing, fastest, t)) {
            first = fmin(first, impact_time(p->gap, -fastest));
        }
    }
    return first;
}

void cri_ask_points(cri_world *w, double t)
{
    for (int i = 0; i < w->point_count; i++) {
        ask(w, &w->points[i], t);
    }
}
