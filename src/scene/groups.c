#include "scene/groups.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/vec.h"
#include "geom/geom.h"

#define TOUCH 0.001 // m: nearer than this is touching, as rounding in files may have it
#define TALL  1e3   // m: half the height of a region that has no limit
#define LEVEL 0.9   // z of a contact's normal above which one lies on the other

static bool is_plane(const cr_model *model, int thing)
{
    return thing < model->body_count && model->bodies[thing].part_count > 0 &&
           model->bodies[thing].parts[0].shape.kind == CR_SHAPE_PLANE;
}

static bool is_static(const cr_model *model, int body)
{
    return model->bodies[body].kind == CR_KIND_STATIC;
}

// A region as a shape that geometry can compute with.
static cr_shape solid(const cr_region *region)
{
    cr_shape shape = region->shape;
    if (shape.kind != CR_SHAPE_SPHERE && !isfinite(shape.half.z)) {
        shape.half.z = TALL;
    }
    return shape;
}

static cr_vec3 place_of(const cr_model *model, int thing)
{
    return thing < model->body_count ? model->bodies[thing].pose.position
                                     : model->regions[thing - model->body_count].pose.position;
}

double cri_thing_support(const cr_model *model, int thing, cr_vec3 direction)
{
    if (thing >= model->body_count) {
        const cr_region *region = &model->regions[thing - model->body_count];
        cr_shape shape = solid(region);
        return cri_shape_support(&shape, region->pose, direction);
    }
    const cr_body *body = &model->bodies[thing];
    double most = -HUGE_VAL;
    for (int i = 0; i < body->part_count; i++) {
        most =
            fmax(most, cri_shape_support(&body->parts[i].shape,
                                         cri_pose_mul(body->pose, body->parts[i].pose), direction));
    }
    return most;
}

// ---------------------------------------------------------------------------------------------
// Inside and touching.

// The farthest that a thing reaches from a region's middle along an axis of the region.
static double reach_along(const cr_model *model, int thing, const cr_region *region, cr_vec3 axis)
{
    cr_vec3 out = cri_rotate(region->pose.rotation, axis);
    double middle = cri_dot(out, region->pose.position);
    return fmax(cri_thing_support(model, thing, out) - middle,
                cri_thing_support(model, thing, cri_neg(out)) + middle);
}

bool cri_thing_inside(const cr_model *model, int thing, int region, double clearance)
{
    const cr_region *r = &model->regions[region];
    double x = reach_along(model, thing, r, cri_vec3(1, 0, 0));
    double y = reach_along(model, thing, r, cri_vec3(0, 1, 0));
    double z = reach_along(model, thing, r, cri_vec3(0, 0, 1));
    switch (r->shape.kind) {
    case CR_SHAPE_BOX:
        return x <= r->shape.half.x - clearance && y <= r->shape.half.y - clearance &&
               (!isfinite(r->shape.half.z) || z <= r->shape.half.z - clearance);
    case CR_SHAPE_CYLINDER:
        return sqrt(x * x + y * y) <= r->shape.radius - clearance &&
               (!isfinite(r->shape.half.z) || z <= r->shape.half.z - clearance);
    case CR_SHAPE_SPHERE:
        return sqrt(x * x + y * y + z * z) <= r->shape.radius - clearance;
    case CR_SHAPE_PLANE:
    case CR_SHAPE_PRISM:
    case CR_SHAPE_CAPSULE:
    case CR_SHAPE_HULL:
        break;
    }
    return false;
}

// How deep two bodies are in each other, or, negative, how wide the gap is; less than -margin is
// not told apart. level: one lies on the other.
static double depth_of(const cr_body *a, const cr_body *b, double margin, bool *level)
{
    double deepest = -HUGE_VAL;
    *level = true;
    double apart = cri_length(cri_sub(a->pose.position, b->pose.position));
    if (apart > a->radius + b->radius + margin) {
        return deepest;
    }
    for (int i = 0; i < a->part_count; i++) {
        for (int j = 0; j < b->part_count; j++) {
            cri_touch touches[CRI_TOUCH_MAX];
            int count = cri_collide(&a->parts[i].shape, cri_pose_mul(a->pose, a->parts[i].pose),
                                    &b->parts[j].shape, cri_pose_mul(b->pose, b->parts[j].pose),
                                    margin, touches);
            for (int k = 0; k < count; k++) {
                deepest = fmax(deepest, touches[k].depth);
                *level = *level && fabs(touches[k].normal.z) > LEVEL;
            }
        }
    }
    return deepest;
}

// A body at a region's edge: near to it, but not inside.
static bool at_edge(const cr_model *model, int body, int region, double margin)
{
    const cr_region *r = &model->regions[region];
    const cr_body *b = &model->bodies[body];
    cr_shape shape = solid(r);
    if (cri_thing_inside(model, body, region, 0)) {
        return false;
    }
    for (int i = 0; i < b->part_count; i++) {
        cri_touch touches[CRI_TOUCH_MAX];
        if (cri_collide(&shape, r->pose, &b->parts[i].shape,
                        cri_pose_mul(b->pose, b->parts[i].pose), margin, touches) > 0) {
            return true;
        }
    }
    return false;
}

bool cri_groups_overlap(const cr_model *model, const cri_groups *groups, double depth)
{
    for (int a = 0; a < model->body_count; a++) {
        for (int b = a + 1; b < model->body_count; b++) {
            bool level, apart = groups->of[a] != groups->of[b];
            if (apart && groups->of[a] >= 0 && groups->of[b] >= 0 &&
                depth_of(&model->bodies[a], &model->bodies[b], 0, &level) > depth) {
                return true;
            }
        }
    }
    return false;
}

// ---------------------------------------------------------------------------------------------
// The area.

static bool plays(const cr_model *model, int body)
{
    cr_kind kind = model->bodies[body].kind;
    return kind == CR_KIND_PASSIVE || kind == CR_KIND_CONTROLLED;
}

static bool holds_all(const cr_model *model, const cr_region *region)
{
    if (region->shape.kind == CR_SHAPE_SPHERE || isfinite(region->shape.half.z)) {
        return false;
    }
    for (int i = 0; i < model->body_count; i++) {
        if (plays(model, i) && !cr_region_contains(region, model->bodies[i].pose.position)) {
            return false;
        }
    }
    return true;
}

static double size_of(const cr_region *region)
{
    const cr_shape *s = &region->shape;
    return s->kind == CR_SHAPE_BOX ? s->half.x * s->half.y : s->radius * s->radius;
}

// The low and high corners of a thing join those of a box.
static void stretch(const cr_model *model, int thing, cr_vec2 *low, cr_vec2 *high)
{
    *high = (cr_vec2){fmax(high->x, cri_thing_support(model, thing, cri_vec3(1, 0, 0))),
                      fmax(high->y, cri_thing_support(model, thing, cri_vec3(0, 1, 0)))};
    *low = (cr_vec2){fmin(low->x, -cri_thing_support(model, thing, cri_vec3(-1, 0, 0))),
                     fmin(low->y, -cri_thing_support(model, thing, cri_vec3(0, -1, 0)))};
}

static void find_area(const cr_model *model, double share, cri_groups *g)
{
    g->area = -1;
    for (int i = 0; i < model->region_count; i++) {
        bool larger =
            g->area < 0 || size_of(&model->regions[i]) > size_of(&model->regions[g->area]);
        g->area = larger && holds_all(model, &model->regions[i]) ? i : g->area;
    }
    g->low = (cr_vec2){HUGE_VAL, HUGE_VAL};
    g->high = (cr_vec2){-HUGE_VAL, -HUGE_VAL};
    for (int i = 0; g->area < 0 && i < model->body_count; i++) {
        if (plays(model, i)) {
            stretch(model, i, &g->low, &g->high);
        }
    }
    if (g->area >= 0) {
        stretch(model, model->body_count + g->area, &g->low, &g->high);
    }
    double side = fmin(g->high.x - g->low.x, g->high.y - g->low.y);
    g->reach = isfinite(side) ? share * side : 0;
}

// ---------------------------------------------------------------------------------------------
// Joining. While it goes on, g->of is a forest: a thing's parent, or itself; the least thing of a
// tree is its root.

typedef struct joiner {
    const cr_model *model;
    cri_groups *g;
    int ground;    // a thing of it, or -1
    bool *settled; // by region: it has been joined with something
    bool *carries; // by body: it is static and others lie on it
    int *counts;   // by body: scratch
} joiner;

static int root_of(const cri_groups *g, int thing)
{
    while (g->of[thing] != thing) {
        thing = g->of[thing];
    }
    return thing;
}

static void join(cri_groups *g, int a, int b)
{
    int x = root_of(g, a), y = root_of(g, b);
    g->of[x < y ? y : x] = x < y ? x : y;
}

static void join_ground(joiner *j, int thing)
{
    if (j->ground >= 0) {
        join(j->g, thing, j->ground);
    }
    j->ground = thing;
}

static void join_pair(joiner *j, int a, int b)
{
    const cr_model *model = j->model;
    bool fixed_a = is_static(model, a), fixed_b = is_static(model, b), level;
    double margin = fixed_a || fixed_b ? TOUCH : fmax(TOUCH, j->g->reach);
    if (depth_of(&model->bodies[a], &model->bodies[b], margin, &level) <= -margin) {
        return;
    }
    if (fixed_a != fixed_b && level) {
        join_ground(j, fixed_a ? a : b);
        j->carries[fixed_a ? a : b] = true;
    } else {
        join(j->g, a, b);
    }
}

// A crowd is one line of the text, and is changed as one.
static void join_crowds(joiner *j)
{
    for (int i = 0; i < j->model->crowd_count; i++) {
        const cri_crowd *crowd = &j->model->crowds[i];
        for (int member = 1; member < crowd->count; member++) {
            join(j->g, crowd->first, crowd->first + member);
        }
    }
}

// A joint's two bodies, unless one of them is a plane, which stays, as the world does.
static void join_joints(joiner *j)
{
    for (int i = 0; i < j->model->joint_count; i++) {
        const int *bodies = j->model->joints[i].bodies;
        if (bodies[0] >= 0 && bodies[1] >= 0 && !is_plane(j->model, bodies[0]) &&
            !is_plane(j->model, bodies[1])) {
            join(j->g, bodies[0], bodies[1]);
        }
    }
}

static void join_bodies(joiner *j)
{
    const cr_model *model = j->model;
    join_crowds(j);
    join_joints(j);
    for (int a = 0; a < model->body_count; a++) {
        for (int b = a + 1; b < model->body_count; b++) {
            if (!is_plane(model, a) && !is_plane(model, b)) {
                join_pair(j, a, b);
            }
        }
        bool border = j->g->area >= 0 && is_static(model, a) && !is_plane(model, a) &&
                      !cri_thing_inside(model, a, j->g->area, TOUCH);
        if (border) {
            join_ground(j, a);
        }
    }
    if (j->g->area >= 0) {
        join_ground(j, model->body_count + j->g->area);
        j->settled[j->g->area] = true;
    }
}

static void settle(joiner *j, int region, int thing)
{
    join(j->g, j->model->body_count + region, thing);
    j->settled[region] = true;
}

// 1. Rules that keep a body inside; recursion: as deep as conditions are nested.
static void join_rule(joiner *j, const cri_condition *condition)
{
    for (int i = 0; condition->op == CRI_CONDITION_ALL && i < condition->child_count; i++) {
        join_rule(j, &condition->children[i]);
    }
    if (condition->op != CRI_CONDITION_TYPE || strcmp(condition->type->name, "inside") != 0) {
        return;
    }
    int body = condition->values[0].index, region = condition->values[1].index;
    const cr_region *r = &j->model->regions[region];
    cr_shape shape = solid(r);
    double out = cri_shape_nearest(&shape, r->pose, j->model->bodies[body].pose.position).distance;
    if (region != j->g->area && out > -j->g->reach) {
        settle(j, region, body);
    }
}

static bool same_middle(const cr_model *model, int a, int b)
{
    cr_vec3 p = place_of(model, a), q = place_of(model, b);
    return fabs(p.x - q.x) < TOUCH && fabs(p.y - q.y) < TOUCH;
}

// 2. What stands in its middle.
static void join_middle(joiner *j, int region)
{
    const cr_model *model = j->model;
    int self = model->body_count + region;
    for (int i = 0; i < model->body_count; i++) {
        if (!is_static(model, i) && same_middle(model, i, self)) {
            settle(j, region, i);
        }
    }
    for (int i = 0; i < model->region_count && !j->settled[region]; i++) {
        if (j->settled[i] && i != j->g->area && same_middle(model, model->body_count + i, self)) {
            settle(j, region, model->body_count + i);
        }
    }
}

// 3. What is at its edge, but for what lies below everything. Bodies of one group are counted at
// the first of them.
static void join_edge(joiner *j, int region, double margin)
{
    const cr_model *model = j->model;
    int best = -1;
    memset(j->counts, 0, (size_t)model->body_count * sizeof *j->counts);
    for (int i = 0; i < model->body_count; i++) {
        if (!is_plane(model, i) && !j->carries[i] && at_edge(model, i, region, margin)) {
            int root = root_of(j->g, i);
            j->counts[root]++;
            best = best < 0 || j->counts[root] > j->counts[best] ? root : best;
        }
    }
    if (best >= 0) {
        settle(j, region, best);
    }
}

static void join_region(joiner *j, int region)
{
    if (region == j->g->area) {
        return;
    }
    join_middle(j, region);
    if (!j->settled[region]) {
        join_edge(j, region, TOUCH);
    }
    if (!j->settled[region]) {
        join_edge(j, region, j->g->reach / 2);
    }
    int self = j->model->body_count + region;
    if (!j->settled[region] && j->g->area >= 0 &&
        !cri_thing_inside(j->model, self, j->g->area, 0)) {
        join_ground(j, self);
        j->settled[region] = true;
    }
}

// The smaller a region, the better it is known what it is about: they come first.
static void join_regions(joiner *j, bool *done)
{
    const cr_model *model = j->model;
    for (int i = 0; i < model->rule_count; i++) {
        if (!model->rules[i].never) {
            join_rule(j, &model->rules[i].condition);
        }
    }
    for (int n = 0; n < model->region_count; n++) {
        int next = -1;
        for (int i = 0; i < model->region_count; i++) {
            bool smaller = next < 0 || size_of(&model->regions[i]) < size_of(&model->regions[next]);
            next = !done[i] && smaller ? i : next;
        }
        done[next] = true;
        join_region(j, next);
    }
}

// ---------------------------------------------------------------------------------------------
// What they come to.

// Roots into numbers, in the order of things; a root stands before the things below it.
static void number_groups(const cr_model *model, cri_groups *g)
{
    g->count = 0;
    for (int i = 0; i < g->thing_count; i++) {
        int root = g->of[i];
        g->of[i] = is_plane(model, i) ? -1 : root == i ? g->count++ : g->of[root];
    }
}

static bool leans(const cr_body *body)
{
    return fabs(body->pose.rotation.x) + fabs(body->pose.rotation.y) > 1e-9;
}

static void measure(const cr_model *model, cri_groups *g, int group)
{
    cr_vec2 low = {HUGE_VAL, HUGE_VAL}, high = {-HUGE_VAL, -HUGE_VAL};
    cri_bundle *item = &g->items[group];
    double lowest = HUGE_VAL;
    for (int i = 0; i < g->thing_count && (i < model->body_count || lowest == HUGE_VAL); i++) {
        if (g->of[i] == group) {
            stretch(model, i, &low, &high);
        }
        if (g->of[i] == group && i < model->body_count) {
            lowest = fmin(lowest, -cri_thing_support(model, i, cri_vec3(0, 0, -1)));
            item->tilted = item->tilted || leans(&model->bodies[i]);
        }
    }
    if (item->ground && g->area >= 0) {
        low = g->low, high = g->high;
    }
    item->middle =
        (cr_vec3){(low.x + high.x) / 2, (low.y + high.y) / 2, lowest < HUGE_VAL ? lowest : 0};
}

bool cri_groups_find(const cr_model *model, double share, cri_arena *arena, cri_groups *g)
{
    *g = (cri_groups){.thing_count = model->body_count + model->region_count};
    find_area(model, share, g);
    size_t things = (size_t)g->thing_count, regions = (size_t)model->region_count;
    g->of = cri_arena_alloc(arena, things, sizeof *g->of);
    g->items = cri_arena_alloc(arena, things, sizeof *g->items);
    bool *done = cri_arena_alloc(arena, regions + 1, sizeof *done);
    joiner j = {.model = model, .g = g, .ground = -1};
    j.settled = cri_arena_alloc(arena, regions + 1, sizeof *j.settled);
    j.carries = cri_arena_alloc(arena, things, sizeof *j.carries);
    j.counts = cri_arena_alloc(arena, things, sizeof *j.counts);
    if (!g->of || !g->items || !done || !j.settled || !j.carries || !j.counts) {
        return false;
    }
    for (int i = 0; i < g->thing_count; i++) {
        g->of[i] = i;
    }
    join_bodies(&j);
    join_regions(&j, done);
    int ground = j.ground >= 0 ? root_of(g, j.ground) : -1;
    for (int i = 0; i < g->thing_count; i++) {
        g->of[i] = root_of(g, i); // a root is the least of its things, so it is found first
    }
    number_groups(model, g);
    if (ground >= 0) {
        g->items[g->of[ground]].ground = true;
    }
    for (int i = 0; i < g->count; i++) {
        measure(model, g, i);
    }
    return true;
}
