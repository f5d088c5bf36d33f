#include "overlap.h"

#include "base/vec.h"

enum { DIRECTION_MAX = CR_HULL_MAX_RING, REFINE_ROUNDS = 24 };

// A shape at its place.
typedef struct solid {
    const cr_shape *shape;
    cr_pose pose;
} solid;

// The farthest along a direction of the shape's own frame.
static double reach_local(const cr_shape *s, cr_vec3 d)
{
    double most = -HUGE_VAL;
    switch (s->kind) {
    case CR_SHAPE_PLANE:
        return HUGE_VAL;
    case CR_SHAPE_SPHERE:
        return s->radius * cri_length(d);
    case CR_SHAPE_BOX:
        return fabs(d.x) * s->half.x + fabs(d.y) * s->half.y + fabs(d.z) * s->half.z;
    case CR_SHAPE_CYLINDER:
        return s->radius * sqrt(d.x * d.x + d.y * d.y) + fabs(d.z) * s->half.z;
    case CR_SHAPE_PRISM:
        for (int i = 0; i < s->point_count; i++) {
            most = fmax(most, d.x * s->points[i].x + d.y * s->points[i].y);
        }
        return most + fabs(d.z) * s->half.z;
    case CR_SHAPE_CAPSULE:
        return fabs(d.z) * s->half.z + s->radius * cri_length(d);
    case CR_SHAPE_HULL:
        for (int i = 0; i < s->hull->corner_count; i++) {
            most = fmax(most, cri_dot(d, s->hull->corners[i]));
        }
        return most;
    }
    return most;
}

static double reach(const solid *s, cr_vec3 d)
{
    return cri_dot(s->pose.position, d) + reach_local(s->shape, cri_unrotate(s->pose.rotation, d));
}

// f of the heading.
static double overlap_along(const solid *a, const solid *b, cr_vec3 d)
{
    return reach(a, d) + reach(b, cri_neg(d));
}

// The best direction so far.
typedef struct search {
    solid a, b;
    cr_vec3 best;
    double depth;
} search;

static void try_direction(search *s, cr_vec3 d)
{
    double length = cri_length(d);
    if (length < 1e-6) {
        return;
    }
    d = cri_scale(1 / length, d);
    double depth = overlap_along(&s->a, &s->b, d);
    if (depth < s->depth) {
        s->depth = depth;
        s->best = d;
    }
}

static void try_both(search *s, cr_vec3 d)
{
    try_direction(s, d);
    try_direction(s, cri_neg(d));
}

static int list_hull_edges(const solid *s, cr_vec3 *edges)
{
    const cr_hull *h = s->shape->hull;
    int count = 0;
    for (int f = 0; f < h->face_count; f++) {
        for (int i = 0; i < h->faces[f].count; i++) {
            int from = h->ring[h->faces[f].first + i];
            int to = h->ring[h->faces[f].first + (i + 1) % h->faces[f].count];
            if (from < to) { // each edge has two faces
                edges[count++] =
                    cri_rotate(s->pose.rotation, cri_unit(cri_sub(h->corners[to], h->corners[from]),
                                                          cri_vec3(1, 0, 0)));
            }
        }
    }
    return count;
}

// Normals of faces and directions of edges in the world: those of a prism's sides are each other's,
// turned by a right angle.
static int list_edges(const solid *s, cr_vec3 *edges)
{
    int count = 0;
    if (s->shape->kind == CR_SHAPE_SPHERE) {
        return 0;
    }
    if (s->shape->kind == CR_SHAPE_HULL) {
        return list_hull_edges(s, edges);
    }
    edges[count++] = cri_rotate(s->pose.rotation, cri_vec3(0, 0, 1));
    if (s->shape->kind == CR_SHAPE_BOX) {
        edges[count++] = cri_rotate(s->pose.rotation, cri_vec3(1, 0, 0));
        edges[count++] = cri_rotate(s->pose.rotation, cri_vec3(0, 1, 0));
    }
    for (int i = 0; s->shape->kind == CR_SHAPE_PRISM && i < s->shape->point_count; i++) {
        cr_vec2 from = s->shape->points[i], to = s->shape->points[(i + 1) % s->shape->point_count];
        edges[count++] =
            cri_rotate(s->pose.rotation,
                       cri_unit(cri_vec3(to.x - from.x, to.y - from.y, 0), cri_vec3(1, 0, 0)));
    }
    return count;
}

static void try_faces(search *s, const solid *of, const cr_vec3 *edges, int count)
{
    const cr_hull *h = of->shape->hull;
    for (int f = 0; h && f < h->face_count; f++) {
        try_both(s, cri_rotate(of->pose.rotation, h->faces[f].normal));
    }
    for (int i = 0; !h && i < count; i++) {
        bool side = i > 0 && of->shape->kind == CR_SHAPE_PRISM;
        try_both(s, side ? cri_cross(edges[i], edges[0]) : edges[i]);
    }
}

static void try_edges(search *s)
{
    cr_vec3 one[DIRECTION_MAX], two[DIRECTION_MAX];
    int ones = list_edges(&s->a, one), twos = list_edges(&s->b, two);
    try_faces(s, &s->a, one, ones);
    try_faces(s, &s->b, two, twos);
    for (int i = 0; i < ones; i++) {
        for (int k = 0; k < twos; k++) {
            try_both(s, cri_cross(one[i], two[k]));
        }
    }
}

static bool is_round(const solid *s)
{
    return s->shape->kind == CR_SHAPE_SPHERE || s->shape->kind == CR_SHAPE_CYLINDER ||
           s->shape->kind == CR_SHAPE_CAPSULE;
}

// From the best direction in ever smaller steps to the sides, as long as that helps.
static void refine(search *s, int rounds)
{
    double step = 0.3;
    for (int round = 0; round < rounds && s->depth > 0; round++) {
        cr_vec3 from = s->best;
        double before = s->depth;
        cr_vec3 any = fabs(from.z) < 0.7 ? cri_vec3(0, 0, 1) : cri_vec3(1, 0, 0);
        cr_vec3 u = cri_unit(cri_cross(from, any), any), v = cri_cross(from, u);
        for (int k = 0; k < 8; k++) {
            double x = (double[]){1, 0.7, 0, -0.7, -1, -0.7, 0, 0.7}[k];
            double y = (double[]){0, 0.7, 1, 0.7, 0, -0.7, -1, -0.7}[k];
            try_direction(s, cri_mad(cri_mad(from, step * x, u), step * y, v));
        }
        if (s->depth >= before) {
            step /= 2.5;
        }
    }
}

// f has several hollows where a rim is near: one search from each corner of a lattice, and a long
// one from the best of all.
static void search_rounds(search *s)
{
    search best = *s;
    for (int i = 0; i < 27 && best.depth > 0; i++) {
        search start = *s;
        start.depth = HUGE_VAL;
        try_direction(&start, cri_vec3(i % 3 - 1, i / 3 % 3 - 1, i / 9 - 1));
        if (start.depth < HUGE_VAL) {
            refine(&start, REFINE_ROUNDS / 3);
        }
        best = start.depth < best.depth ? start : best;
    }
    *s = best;
    refine(s, REFINE_ROUNDS);
}

static double depth_in_plane(const solid *plane, const solid *other)
{
    cr_vec3 normal = cri_rotate(plane->pose.rotation, cri_vec3(0, 0, 1));
    double lowest = -reach(other, cri_neg(normal));
    return fmax(0, cri_dot(normal, plane->pose.position) - lowest);
}

double overlap_depth(const cr_shape *a, cr_pose pose_a, const cr_shape *b, cr_pose pose_b)
{
    search s = {.a = {a, pose_a}, .b = {b, pose_b}, .depth = HUGE_VAL};
    if (a->kind == CR_SHAPE_PLANE || b->kind == CR_SHAPE_PLANE) {
        bool both = a->kind == b->kind;
        return both                        ? 0
               : a->kind == CR_SHAPE_PLANE ? depth_in_plane(&s.a, &s.b)
                                           : depth_in_plane(&s.b, &s.a);
    }
    try_direction(&s, cri_sub(pose_b.position, pose_a.position));
    if (s.depth > 0) {
        try_edges(&s);
    }
    if (s.depth > 0 && (is_round(&s.a) || is_round(&s.b))) {
        search_rounds(&s);
    }
    return fmax(0, s.depth);
}

static double pair_depth(const cr_model *model, const cr_state *state, int one, int two)
{
    const cr_body *a = cr_model_body(model, one), *b = cr_model_body(model, two);
    cr_pose at = cr_state_pose(model, state, one), bt = cr_state_pose(model, state, two);
    double most = 0;
    if (cri_length(cri_sub(at.position, bt.position)) > a->radius + b->radius) {
        return 0;
    }
    for (int i = 0; i < a->part_count; i++) {
        for (int k = 0; k < b->part_count; k++) {
            most =
                fmax(most, overlap_depth(&a->parts[i].shape, cri_pose_mul(at, a->parts[i].pose),
                                         &b->parts[k].shape, cri_pose_mul(bt, b->parts[k].pose)));
        }
    }
    return most;
}

double overlap_deepest(const cr_model *model, const cr_state *state)
{
    double most = 0;
    for (int i = 0; i < cr_model_body_count(model); i++) {
        for (int k = i + 1; k < cr_model_body_count(model); k++) {
            if (cr_model_pair(model, i, k) >= 0) {
                most = fmax(most, pair_depth(model, state, i, k));
            }
        }
    }
    return most;
}
