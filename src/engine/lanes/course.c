// A model becomes a course.
#include "engine/lanes/course.h"

#include <math.h>
#include <string.h>

#include "base/report.h"
#include "engine/contact.h"
#include "geom/hull.h"
#include "geom/shape.h"

// ---------------------------------------------------------------------------------------------
// What fits.

static bool is_unturned(cr_quat q)
{
    return q.x == 0 && q.y == 0 && q.z == 0;
}

static bool is_level(cr_quat q)
{
    return q.x == 0 && q.y == 0;
}

static bool has_grain(const cr_model *model, const cr_part *part)
{
    cr_vec3 grain = model->materials[part->material].grain;
    return cri_dot(grain, grain) > 0;
}

static cri_class class_of(const cr_model *model, const cr_body *body)
{
    if (body->slot < 0) {
        return CRI_FIXED;
    }
    if (body->driven || body->upright) {
        return body->driven ? CRI_DRIVEN : CRI_UPRIGHT;
    }
    return cri_body_is_sphere(body) && !has_grain(model, &body->parts[0]) ? CRI_BALL : CRI_FREE;
}

static bool body_fits(const cr_model *model, const cr_body *body)
{
    cri_class class = class_of(model, body);
    if (class == CRI_FIXED || class == CRI_BALL || class == CRI_FREE) {
        return true;
    }
    for (int i = 0; i < body->part_count; i++) {
        cr_shape_kind kind = body->parts[i].shape.kind;
        bool any_way = kind == CR_SHAPE_HULL || kind == CR_SHAPE_CAPSULE;
        if (!any_way && !is_level(body->parts[i].pose.rotation)) {
            return false;
        }
    }
    return true;
}

static size_t count_meets(const cr_model *model)
{
    size_t count = 0;
    for (int i = 0; i < model->pair_count; i++) {
        count += (size_t)model->bodies[model->pairs[i].a].part_count *
                 (size_t)model->bodies[model->pairs[i].b].part_count;
    }
    return count;
}

bool cri_course_fits(const cr_model *model)
{
    if (model->joint_count > 0) {
        return false;
    }
    for (int i = 0; i < model->body_count; i++) {
        if (!body_fits(model, &model->bodies[i])) {
            return false;
        }
    }
    return !cri_model_is_large(model);
}

// ---------------------------------------------------------------------------------------------
// Movers.

// Whether a body of a calm course stands still.
static bool is_still(const cri_course *c, const cr_body *body)
{
    return c->stills && class_of(c->model, body) == CRI_FREE;
}

// Its index among the movers, or -1; the index of a body that stands still among the stills.
static int mover_of(const cri_course *c, const cr_body *body)
{
    int index = body->slot;
    for (int slot = 0; c->stills && slot < body->slot; slot++) {
        const cr_body *before = &c->model->bodies[c->model->moving[slot]];
        index -= is_still(c, before) != is_still(c, body);
    }
    return index;
}

static void make_mover(const cri_course *c, int slot, cri_mover *m)
{
    const cr_model *model = c->model;
    const cr_body *body = &model->bodies[model->moving[slot]];
    *m = (cri_mover){
        .body = model->moving[slot],
        .slot = slot,
        .class = class_of(model, body),
        .weight = c->own->weights[slot],
        .radius = (float)body->radius,
    };
    if (m->class == CRI_BALL || m->class == CRI_FREE) {
        memcpy(m->gravity, c->own->pull.gravity, sizeof m->gravity);
    }
}

// ---------------------------------------------------------------------------------------------
// Solids.

static void to_floats(cr_vec3 v, float out[3])
{
    out[0] = (float)v.x, out[1] = (float)v.y, out[2] = (float)v.z;
}

static void box_in(cri_solid *s)
{
    double low[3], high[3];
    for (int i = 0; i < 3; i++) {
        cr_vec3 axis = {i == 0, i == 1, i == 2};
        high[i] = cri_shape_support(s->shape, s->pose, axis);
        low[i] = -cri_shape_support(s->shape, s->pose, cri_neg(axis));
        s->middle[i] = (float)((low[i] + high[i]) / 2);
        // Rounded up, so that the box holds the solid.
        s->extent[i] = (float)((high[i] - low[i]) / 2) + 1e-6f;
    }
}

static float reach_of(const cri_solid *s)
{
    cr_vec2 points[CRI_OUTLINE_MAX];
    double reach = 0;
    cr_vec3 place = s->pose.position;
    const cr_hull *hull = s->shape->hull;
    if (s->shape->kind == CR_SHAPE_SPHERE || s->shape->kind == CR_SHAPE_CYLINDER) {
        reach = sqrt(place.x * place.x + place.y * place.y) + s->shape->radius;
    } else if (s->shape->kind == CR_SHAPE_CAPSULE) {
        cr_vec3 end = cri_rotate(s->pose.rotation, cri_vec3(0, 0, s->shape->half.z));
        double x = fabs(place.x) + fabs(end.x), y = fabs(place.y) + fabs(end.y);
        reach = sqrt(x * x + y * y) + s->shape->radius;
    } else if (hull) {
        for (int i = 0; i < hull->corner_count; i++) {
            cr_vec3 p = cri_pose_point(s->pose, hull->corners[i]);
            reach = fmax(reach, sqrt(p.x * p.x + p.y * p.y));
        }
    } else {
        int count = cri_outline_polygon(s->shape, points);
        for (int i = 0; i < count; i++) {
            cr_vec3 p = cri_pose_point(s->pose, cri_vec3(points[i].x, points[i].y, 0));
            reach = fmax(reach, sqrt(p.x * p.x + p.y * p.y));
        }
    }
    return (float)reach + 1e-6f;
}

// A hull's as rounded as its faces are.
static float thin_of(const cri_solid *s)
{
    return s->shape->kind == CR_SHAPE_HULL ? s->polytope->inner : (float)cri_shape_thin(s->shape);
}

static bool make_sides(cri_course *c, cri_solid *s)
{
    const cr_shape *shape = s->shape;
    cri_side *sides = cri_arena_alloc(&c->arena, (size_t)shape->point_count, sizeof *sides);
    s->sides = sides;
    s->side_count = shape->point_count;
    for (int i = 0; sides && i < shape->point_count; i++) {
        cr_vec2 a = shape->points[i], b = shape->points[(i + 1) % shape->point_count];
        double x = b.x - a.x, y = b.y - a.y, length = sqrt(x * x + y * y);
        x /= length, y /= length;
        sides[i] = (cri_side){(float)y, (float)-x, (float)(y * a.x - x * a.y),
                              (float)(x * a.x + y * a.y), (float)(x * b.x + y * b.y)};
    }
    return sides;
}

static bool make_outline(cri_course *c, cri_solid *s)
{
    cri_outline *o = cri_arena_alloc(&c->arena, 1, sizeof *o);
    cr_vec2 own[CRI_OUTLINE_MAX];
    cr_pose pose = s->pose;
    s->outline = o;
    if (!o) {
        return false;
    }
    if (s->mover < 0) {
        pose.position = cri_vec3(0, 0, 0);
    }
    o->count = cri_outline_polygon(s->shape, own);
    for (int i = 0; i < CRI_OUTLINE_ROOM; i++) {
        int here = i < o->count ? i : 0, next = (here + 1) % o->count;
        cr_vec3 a = cri_pose_point(pose, cri_vec3(own[here].x, own[here].y, 0));
        cr_vec3 b = cri_pose_point(pose, cri_vec3(own[next].x, own[next].y, 0));
        double x = b.x - a.x, y = b.y - a.y, length = sqrt(x * x + y * y);
        o->x[i] = (float)a.x, o->y[i] = (float)a.y;
        o->normal_x[i] = (float)(y / length), o->normal_y[i] = (float)(-x / length);
        o->offset[i] = i < o->count ? (float)((y * a.x - x * a.y) / length) : 1e30f;
        // Farther apart than they need be, so that rounding does not matter.
        o->outer = fmaxf(o->outer, (float)sqrt(a.x * a.x + a.y * a.y) + 1e-5f);
        o->inner = fminf(i > 0 ? o->inner : HUGE_VALF, o->offset[i] - 1e-5f);
    }
    o->inner = o->inner < 0 ? -o->outer : o->inner;
    return true;
}

static void make_edge(const cr_hull *h, const cr_hull_face *f, int i, cri_edge *e)
{
    const int *ring = &h->ring[f->first];
    cr_vec3 a = h->corners[ring[i]], b = h->corners[ring[(i + 1) % f->count]];
    cr_vec3 way = cri_sub(b, a), along = cri_unit(way, cri_vec3(1, 0, 0));
    to_floats(a, e->from);
    to_floats(along, e->along);
    to_floats(cri_cross(along, f->normal), e->out);
    e->length = (float)cri_length(way);
}

static void fill_polytope(const cr_hull *h, cri_polytope *p)
{
    cr_vec3 middle = {0, 0, 0};
    p->inner = HUGE_VALF;
    for (int i = 0; i < h->corner_count; i++) {
        to_floats(h->corners[i], p->corners[i]);
        middle = cri_mad(middle, 1.0 / h->corner_count, h->corners[i]);
        p->outer = fmaxf(p->outer, (float)cri_length(h->corners[i]) + 1e-6f);
    }
    for (int f = 0; f < h->face_count; f++) {
        const cr_hull_face *from = &h->faces[f];
        p->faces[f] =
            (cri_face){.offset = (float)from->offset, .first = from->first, .count = from->count};
        to_floats(from->normal, p->faces[f].normal);
        p->inner = fminf(p->inner, (float)from->offset - 1e-6f);
        for (int i = 0; i < from->count; i++) {
            make_edge(h, from, i, &p->edges[from->first + i]);
        }
    }
    p->inner = p->inner < 0 ? -p->outer : p->inner;
    to_floats(middle, p->middle);
}

static bool make_polytope(cri_course *c, cri_solid *s)
{
    cr_hull made;
    const cr_hull *h = cri_shape_hull(s->shape, &made);
    const cr_hull_face *last = &h->faces[h->face_count - 1];
    cri_polytope *p = cri_arena_alloc(&c->arena, 1, sizeof *p);
    s->polytope = p;
    if (!p) {
        return false;
    }
    p->corner_count = h->corner_count;
    p->face_count = h->face_count;
    p->corners = cri_arena_alloc(&c->arena, (size_t)h->corner_count, sizeof *p->corners);
    p->faces = cri_arena_alloc(&c->arena, (size_t)h->face_count, sizeof *p->faces);
    p->edges = cri_arena_alloc(&c->arena, (size_t)(last->first + last->count), sizeof *p->edges);
    if (!p->corners || !p->faces || !p->edges) {
        return false;
    }
    fill_polytope(h, p);
    return true;
}

static bool has_polytope(const cri_course *c, const cri_solid *s)
{
    bool flat = s->shape->kind == CR_SHAPE_BOX || s->shape->kind == CR_SHAPE_PRISM;
    return s->shape->kind == CR_SHAPE_HULL || (c->has_free && flat);
}

static bool has_outline(const cri_solid *s)
{
    return s->level && (s->shape->kind == CR_SHAPE_BOX || s->shape->kind == CR_SHAPE_PRISM);
}

static bool make_solid(cri_course *c, const cr_body *body, const cr_part *part)
{
    cri_solid *s = &c->solids[c->solid_count++];
    cr_pose pose = body->slot < 0 ? cri_pose_mul(body->pose, part->pose) : part->pose;
    *s = (cri_solid){.shape = &part->shape,
                     .pose = pose,
                     .mover = mover_of(c, body),
                     .level = is_level(pose.rotation),
                     .floor = part->shape.kind == CR_SHAPE_PLANE && is_unturned(pose.rotation),
                     .radius = (float)part->shape.radius};
    to_floats(pose.position, s->place);
    to_floats(part->shape.half, s->half);
    for (int i = 0; i < 3; i++) {
        cr_vec3 axis = {i == 0, i == 1, i == 2};
        to_floats(cri_rotate(pose.rotation, axis), &s->turn[3 * i]);
    }
    if (part->shape.kind != CR_SHAPE_PLANE) {
        box_in(s);
        bool free = class_of(c->model, body) == CRI_FREE;
        s->reach = free ? (float)cri_shape_radius(s->shape, pose) + 1e-6f : reach_of(s);
    }
    if (has_polytope(c, s) && !make_polytope(c, s)) {
        return false;
    }
    s->thin = thin_of(s);
    if (s->mover >= 0) {
        cri_mover *m = &c->movers[s->mover];
        m->thin = m->thin > 0 ? fminf(m->thin, s->thin) : s->thin;
    }
    return (part->shape.kind != CR_SHAPE_PRISM || make_sides(c, s)) &&
           (!has_outline(s) || make_outline(c, s));
}

// ---------------------------------------------------------------------------------------------
// Meets.

// Balls have no solids, nor have bodies that stand still.
static bool has_solids(const cri_course *c, const cr_body *body)
{
    return class_of(c->model, body) != CRI_BALL && !is_still(c, body);
}

// The number of the first solid of a body.
static int first_solid(const cri_course *c, int body)
{
    int first = 0;
    for (int i = 0; i < body; i++) {
        const cr_body *before = &c->model->bodies[i];
        first += has_solids(c, before) ? before->part_count : 0;
    }
    return first;
}

static void give_grain(const cri_course *c, cri_meet *m, const cr_part *parts[2])
{
    for (int i = 0; i < 2 && !m->grained; i++) {
        int side = m->swapped ? 1 - i : i; // the pair's a comes first
        if (m->solids[side] >= 0 && has_grain(c->model, parts[side])) {
            cr_vec3 grain = c->model->materials[parts[side]->material].grain;
            to_floats(cri_rotate(c->solids[m->solids[side]].pose.rotation, grain), m->grain);
            m->grained = true;
            m->grain_side = side;
        }
    }
}

static bool is_free(const cri_course *c, int mover)
{
    return mover >= 0 && c->movers[mover].class == CRI_FREE;
}

static cri_meet_kind kind_of(const cri_course *c, const cri_meet *m)
{
    if (m->solids[1] < 0) {
        return m->solids[0] >= 0 ? CRI_MEET_SOLID : CRI_MEET_BALLS;
    }
    return is_free(c, m->movers[0]) || is_free(c, m->movers[1]) ? CRI_MEET_FREE : CRI_MEET_FLAT;
}

static cri_finder finder_of(const cri_course *c, const cri_meet *m)
{
    if (m->solids[1] < 0) {
        return CRI_FIND_CONVEX; // of a ball: of no use
    }
    cr_shape_kind one = c->solids[m->solids[0]].shape->kind;
    cr_shape_kind two = c->solids[m->solids[1]].shape->kind;
    if (one == CR_SHAPE_PLANE || two == CR_SHAPE_PLANE) {
        return CRI_FIND_ON_PLANE;
    }
    if (one == CR_SHAPE_BOX) {
        return two == CR_SHAPE_BOX        ? CRI_FIND_BOXES
               : two == CR_SHAPE_CYLINDER ? CRI_FIND_BOX_CYLINDER
                                          : CRI_FIND_CONVEX;
    }
    if (one == CR_SHAPE_CYLINDER) {
        return two == CR_SHAPE_CYLINDER ? CRI_FIND_CYLINDERS
               : two == CR_SHAPE_BOX    ? CRI_FIND_CYLINDER_BOX
                                        : CRI_FIND_CONVEX;
    }
    return CRI_FIND_CONVEX;
}

static void give_mobility(const cri_course *c, cri_meet *m)
{
    m->plain = m->solids[1] < 0 && !m->grained;
    for (int i = 0; i < 2; i++) {
        if (m->movers[i] < 0) {
            continue;
        }
        const cri_mover *mover = &c->movers[m->movers[i]];
        m->plain = m->plain && mover->class != CRI_UPRIGHT && mover->class != CRI_FREE;
        if (mover->class == CRI_BALL) {
            m->mobility += mover->weight.inverse_mass;
            m->cross_mobility += mover->weight.cross_mobility;
        }
    }
    if (m->plain) {
        m->yield = 1 / m->mobility;
        m->cross_yield = 1 / m->cross_mobility;
    }
}

// A little more than how far away a contact point is looked for.
static const float BALL_MARGIN = (float)(1.2 * MARGIN), FLAT_MARGIN = (float)(1.02 * MARGIN_MAX);

static void make_bound(const cri_course *c, const cri_meet *m, cri_bound *b)
{
    *b = (cri_bound){.movers = {-1, -1}, .reach = m->solids[1] >= 0 ? FLAT_MARGIN : BALL_MARGIN};
    for (int i = 0; i < 2; i++) {
        const cri_solid *s = m->solids[i] < 0 ? NULL : &c->solids[m->solids[i]];
        if (s && s->shape->kind == CR_SHAPE_PLANE) {
            b->movers[0] = b->movers[1] = -1;
            return;
        }
        if (m->movers[i] >= 0) {
            b->movers[b->movers[0] < 0 ? 0 : 1] = m->movers[i];
            b->reach += s ? s->reach : c->movers[m->movers[i]].radius;
        } else {
            memcpy(b->middle, s->middle, sizeof b->middle);
            memcpy(b->extent, s->extent, sizeof b->extent);
        }
    }
}

// The place of a meeting in the list of those that can happen.
static int manner_at(cri_course *c, int meeting)
{
    int at = 0;
    while (at < c->manner_count && c->manners[at] != meeting) {
        at++;
    }
    if (at == c->manner_count) {
        c->manners[c->manner_count++] = meeting;
    }
    return at;
}

static void make_meet(cri_course *c, int index, const int bodies[2], const int parts[2])
{
    const cri_pair *pair = &c->model->pairs[index];
    cri_meet *m = &c->meets[c->meet_count++];
    *m = (cri_meet){.pair = index, .swapped = bodies[0] != pair->a, .silent = !pair->responds};
    const cr_part *both[2];
    for (int i = 0; i < 2; i++) {
        const cr_body *body = &c->model->bodies[bodies[i]];
        both[i] = &body->parts[parts[i]];
        m->movers[i] = mover_of(c, body);
        m->classes[i] = class_of(c->model, body);
        m->solids[i] = m->classes[i] == CRI_BALL ? -1 : first_solid(c, bodies[i]) + parts[i];
    }
    m->kind = kind_of(c, m);
    m->finder = finder_of(c, m);
    m->manner = manner_at(c, both[0]->material * c->model->material_count + both[1]->material);
    m->own = c->own->manners[c->manners[m->manner]];
    // As many as one world can have: lanes share points by their number in the meet.
    c->point_max += m->solids[1] >= 0 ? CRI_TOUCH_MAX : 1;
    give_grain(c, m, both);
    give_mobility(c, m);
    make_bound(c, m, &c->bounds[m - c->meets]);
}

// What may meet a body that stands still, part by part where it is fixed.
static void make_beside(cri_course *c, int index)
{
    const cri_pair *pair = &c->model->pairs[index];
    bool first = is_still(c, &c->model->bodies[pair->a]);
    int still = first ? pair->a : pair->b, other = first ? pair->b : pair->a;
    const cr_body *body = &c->model->bodies[other];
    for (int k = 0; k < (body->slot < 0 ? body->part_count : 1); k++) {
        cri_beside *near = &c->beside[c->beside_count++];
        *near = (cri_beside){.still = mover_of(c, &c->model->bodies[still]),
                             .pair = index,
                             .first = first,
                             .silent = !pair->responds,
                             .solid = -1,
                             .mover = -1,
                             .other = -1};
        if (body->slot < 0) {
            near->solid = first_solid(c, other) + k;
        } else if (is_still(c, body)) {
            near->other = mover_of(c, body);
        } else {
            near->mover = mover_of(c, body);
        }
    }
}

static void make_meets(cri_course *c)
{
    for (int i = 0; i < c->model->pair_count; i++) {
        const cri_pair *pair = &c->model->pairs[i];
        if (is_still(c, &c->model->bodies[pair->a]) || is_still(c, &c->model->bodies[pair->b])) {
            make_beside(c, i);
            continue;
        }
        // A ball comes second.
        bool swap = class_of(c->model, &c->model->bodies[pair->a]) == CRI_BALL;
        c->swapped[i] = swap;
        const int bodies[2] = {swap ? pair->b : pair->a, swap ? pair->a : pair->b};
        for (int p = 0; p < c->model->bodies[bodies[0]].part_count; p++) {
            for (int q = 0; q < c->model->bodies[bodies[1]].part_count; q++) {
                make_meet(c, i, bodies, (int[2]){p, q});
            }
        }
    }
}

// ---------------------------------------------------------------------------------------------
// Bodies that stand still.

static bool can_be_still(const cr_body *body)
{
    const cr_part *part = &body->parts[0];
    cr_shape_kind kind = part->shape.kind;
    return body->part_count == 1 && (kind == CR_SHAPE_BOX || kind == CR_SHAPE_CYLINDER) &&
           cri_length(part->pose.position) < 1e-6;
}

static bool can_be_calm(const cr_model *model)
{
    bool all = true;
    for (int i = 0; i < model->body_count; i++) {
        const cr_body *body = &model->bodies[i];
        all = all && (class_of(model, body) != CRI_FREE || can_be_still(body));
    }
    return all;
}

static void make_still(const cr_body *body, cri_still *s)
{
    const cr_part *part = &body->parts[0];
    *s = (cri_still){.slot = body->slot,
                     .round = part->shape.kind == CR_SHAPE_CYLINDER,
                     .radius = (float)part->shape.radius,
                     .reach = (float)body->radius};
    to_floats(part->shape.half, s->half);
    for (int i = 0; i < 3; i++) {
        cr_vec3 axis = {i == 0, i == 1, i == 2};
        to_floats(cri_rotate(part->pose.rotation, axis), &s->turn[3 * i]);
    }
}

// ---------------------------------------------------------------------------------------------

static void fill_movers(cri_course *c)
{
    const cr_model *model = c->model;
    c->own_fit = true;
    for (int i = 0; i < model->moving_count; i++) {
        const cr_body *body = &model->bodies[model->moving[i]];
        if (is_still(c, body)) {
            make_still(body, &c->stills[c->still_count++]);
            continue;
        }
        cri_mover *m = &c->movers[c->mover_count++];
        make_mover(c, i, m);
        c->own_fit = c->own_fit && m->weight.unfit == 0;
        c->has_upright = c->has_upright || m->class == CRI_UPRIGHT;
        c->has_free = c->has_free || m->class == CRI_FREE;
    }
}

static bool fill(cri_course *c)
{
    const cr_model *model = c->model;
    fill_movers(c);
    for (int i = 0; i < model->body_count; i++) {
        const cr_body *body = &model->bodies[i];
        for (int k = 0; k < body->part_count && has_solids(c, body); k++) {
            if (!make_solid(c, body, &body->parts[k])) {
                return false;
            }
        }
    }
    make_meets(c);
    return true;
}

// Room for all that a course of the model holds.
static bool alloc(cri_course *c)
{
    const cr_model *model = c->model;
    size_t solids = 0, materials = (size_t)model->material_count;
    for (int i = 0; i < model->body_count; i++) {
        solids += (size_t)model->bodies[i].part_count;
    }
    c->movers = cri_arena_alloc(&c->arena, (size_t)model->moving_count, sizeof *c->movers);
    c->solids = cri_arena_alloc(&c->arena, solids, sizeof *c->solids);
    c->meets = cri_arena_alloc(&c->arena, count_meets(model), sizeof *c->meets);
    c->bounds = cri_arena_alloc(&c->arena, count_meets(model), sizeof *c->bounds);
    c->swapped = cri_arena_alloc(&c->arena, (size_t)model->pair_count, sizeof *c->swapped);
    c->manners = cri_arena_alloc(&c->arena, materials * materials, sizeof *c->manners);
    return c->manners && c->swapped && c->bounds && c->movers && c->solids && c->meets;
}

// The course of calm worlds, in the arena of the one that it is for.
static bool make_calm(cri_course *c)
{
    const cr_model *model = c->model;
    cri_course *calm = cri_arena_alloc(&c->arena, 1, sizeof *calm);
    if (!calm) {
        return false;
    }
    *calm = (cri_course){.model = model, .h = c->h, .own = c->own};
    calm->stills = cri_arena_alloc(&calm->arena, (size_t)model->moving_count, sizeof *calm->stills);
    calm->beside = cri_arena_alloc(&calm->arena, count_meets(model), sizeof *calm->beside);
    c->calm = calm;
    return calm->stills && calm->beside && alloc(calm) && fill(calm);
}

cr_status cri_course_init(cri_course *c, const cr_model *model, cr_report *report)
{
    *c = (cri_course){.model = model, .h = (float)(model->dt / model->substeps)};
    if (!alloc(c) || cr_numbers_create(model, &c->own, NULL) != CR_OK || !fill(c) ||
        (c->has_free && can_be_calm(model) && !make_calm(c))) {
        cri_course_free(c);
        return cri_fail_memory(report);
    }
    return CR_OK;
}

void cri_course_free(cri_course *c)
{
    if (c->calm) {
        cri_arena_free(&c->calm->arena);
    }
    cri_arena_free(&c->arena);
    cr_numbers_destroy(c->own);
    *c = (cri_course){0};
}
