// The independent test of a path: nothing of the kernel is used. Poses come from quaternions in
// doubles, solids are what they are (no covers), and distances come from the algorithm of Gilbert,
// Johnson and Keerthi on convex cores: a ball is a point and a radius, a capsule a segment and a
// radius.
#include "reach/arm.h"

#include <assert.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/vec.h"

// A convex solid in the world.
typedef struct core {
    cri_reach_solid_kind kind;
    cr_vec3 half; // box; capsule and cylinder: z
    double radius;
    cr_pose pose;
    double bound; // radius of a ball around it
} core;

static double core_margin(const core *c)
{
    bool rounded = c->kind == CRI_REACH_SOLID_BALL || c->kind == CRI_REACH_SOLID_CAPSULE;
    return rounded ? c->radius : 0;
}

// The farthest point of the core along a direction.
static cr_vec3 support(const core *c, cr_vec3 direction)
{
    cr_vec3 d = cri_unrotate(c->pose.rotation, direction), p = {0, 0, 0};
    switch (c->kind) {
    case CRI_REACH_SOLID_BALL:
        break;
    case CRI_REACH_SOLID_CAPSULE:
        p.z = d.z > 0 ? c->half.z : -c->half.z;
        break;
    case CRI_REACH_SOLID_BOX:
        p = cri_vec3(d.x > 0 ? c->half.x : -c->half.x, d.y > 0 ? c->half.y : -c->half.y,
                     d.z > 0 ? c->half.z : -c->half.z);
        break;
    case CRI_REACH_SOLID_CYLINDER: {
        double across = sqrt(d.x * d.x + d.y * d.y);
        double s = across > 1e-12 ? c->radius / across : 0;
        p = cri_vec3(s * d.x, s * d.y, d.z > 0 ? c->half.z : -c->half.z);
        break;
    }
    }
    return cri_pose_point(c->pose, p);
}

// Up to four points of the difference of two cores.
typedef struct simplex {
    int count;
    cr_vec3 points[4];
} simplex;

// Nearest points to the origin; each reduces the simplex to the face that holds the nearest point.

static cr_vec3 nearest_segment(simplex *s)
{
    cr_vec3 a = s->points[0], b = s->points[1], ab = cri_sub(b, a);
    double t = -cri_dot(a, ab), length = cri_dot(ab, ab);
    if (t <= 0 || length <= 0) {
        s->count = 1;
        return a;
    }
    if (t >= length) {
        *s = (simplex){1, {b}};
        return b;
    }
    return cri_mad(a, t / length, ab);
}

static cr_vec3 better_edge(simplex *s)
{
    simplex best = {0};
    cr_vec3 nearest = {0};
    for (int i = 0; i < 3; i++) {
        simplex edge = {2, {s->points[i], s->points[(i + 1) % 3]}};
        cr_vec3 p = nearest_segment(&edge);
        if (!best.count || cri_dot(p, p) < cri_dot(nearest, nearest)) {
            best = edge;
            nearest = p;
        }
    }
    *s = best;
    return nearest;
}

static cr_vec3 nearest_triangle(simplex *s)
{
    cr_vec3 a = s->points[0], b = s->points[1], c = s->points[2];
    cr_vec3 n = cri_cross(cri_sub(b, a), cri_sub(c, a));
    double square = cri_dot(n, n);
    bool inside = square > 1e-24;
    for (int i = 0; i < 3 && inside; i++) {
        cr_vec3 p = s->points[i], edge = cri_sub(s->points[(i + 1) % 3], p);
        inside = cri_dot(cri_cross(n, edge), p) <= 0; // the origin lies to the edge's inner side
    }
    if (!inside) {
        return better_edge(s);
    }
    return cri_scale(cri_dot(a, n) / square, n);
}

// True if the origin lies on the other side of face (a, b, c) than the fourth point.
static bool outside_face(cr_vec3 a, cr_vec3 b, cr_vec3 c, cr_vec3 fourth)
{
    cr_vec3 n = cri_cross(cri_sub(b, a), cri_sub(c, a));
    double origin = -cri_dot(n, a), side = cri_dot(n, cri_sub(fourth, a));
    return fabs(side) < 1e-18 || origin * side < 0;
}

static cr_vec3 nearest_tetrahedron(simplex *s)
{
    static const int faces[4][4] = {{0, 1, 2, 3}, {0, 1, 3, 2}, {0, 2, 3, 1}, {1, 2, 3, 0}};
    simplex best = {0};
    cr_vec3 nearest = {0};
    for (int i = 0; i < 4; i++) {
        const cr_vec3 *p = s->points;
        const int *f = faces[i];
        if (!outside_face(p[f[0]], p[f[1]], p[f[2]], p[f[3]])) {
            continue;
        }
        simplex face = {3, {p[f[0]], p[f[1]], p[f[2]]}};
        cr_vec3 q = nearest_triangle(&face);
        if (!best.count || cri_dot(q, q) < cri_dot(nearest, nearest)) {
            best = face;
            nearest = q;
        }
    }
    s->count = best.count; // 0: the origin is inside
    if (best.count) {
        *s = best;
    }
    return nearest;
}

static cr_vec3 nearest_simplex(simplex *s)
{
    switch (s->count) {
    case 1:
        return s->points[0];
    case 2:
        return nearest_segment(s);
    case 3:
        return nearest_triangle(s);
    default:
        return nearest_tetrahedron(s);
    }
}

// The distance between two cores; 0 where they overlap.
static double core_distance(const core *a, const core *b)
{
    cr_vec3 v = cri_sub(a->pose.position, b->pose.position);
    simplex s = {0};
    for (int i = 0; i < 100; i++) {
        cr_vec3 w = cri_sub(support(a, cri_neg(v)), support(b, v));
        double square = cri_dot(v, v);
        if (square < 1e-16) {
            return 0;
        }
        if (i > 0 && square - cri_dot(v, w) <= 1e-9 * square) {
            break;
        }
        s.points[s.count++] = w;
        v = nearest_simplex(&s);
        if (s.count == 0) {
            return 0;
        }
    }
    return cri_length(v);
}

// ---------------------------------------------------------------------------------------------

// The solids of the arm, then the held one, then the obstacles.
typedef struct bodies {
    const cr_reach_task *task;
    int moving; // of the arm, and held
    cri_reach_solid solids[CRI_ARM_MAX_SOLIDS + 1];
    core cores[CRI_ARM_MAX_SOLIDS + 1];
} bodies;

static double bound_of(const core *c)
{
    switch (c->kind) {
    case CRI_REACH_SOLID_BALL:
        return c->radius;
    case CRI_REACH_SOLID_CAPSULE:
        return c->half.z + c->radius;
    case CRI_REACH_SOLID_BOX:
        return cri_length(c->half);
    case CRI_REACH_SOLID_CYLINDER:
        return sqrt(c->radius * c->radius + c->half.z * c->half.z);
    }
    return 0;
}

static cri_reach_solid_kind kind_of(cr_shape_kind kind)
{
    return kind == CR_SHAPE_BOX        ? CRI_REACH_SOLID_BOX
           : kind == CR_SHAPE_CYLINDER ? CRI_REACH_SOLID_CYLINDER
                                       : CRI_REACH_SOLID_BALL;
}

static core obstacle_core(const cr_obstacle *o)
{
    core c = {.kind = kind_of(o->shape.kind),
              .half = o->shape.half,
              .radius = o->shape.radius,
              .pose = o->pose};
    c.bound = bound_of(&c);
    return c;
}

static void set_bodies(bodies *b, const cr_reach_task *task)
{
    const cr_arm *arm = task->arm;
    b->task = task;
    b->moving = arm->solid_count;
    memcpy(b->solids, arm->solids, (size_t)arm->solid_count * sizeof *b->solids);
    if (task->holds) {
        cr_pose in_frame = cri_pose_mul(arm->links[arm->tip].pose, task->held.pose);
        b->solids[b->moving++] = (cri_reach_solid){.kind = kind_of(task->held.shape.kind),
                                                   .link = arm->tip,
                                                   .radius = task->held.shape.radius,
                                                   .half = task->held.shape.half,
                                                   .pose = in_frame};
    }
}

static void move_bodies(bodies *b, const double *q)
{
    cr_pose frames[CRI_ARM_MAX_FRAMES];
    cri_arm_frames(b->task->arm, q, frames);
    for (int i = 0; i < b->moving; i++) {
        const cri_reach_solid *solid = &b->solids[i];
        core *c = &b->cores[i];
        *c = (core){.kind = solid->kind, .half = solid->half, .radius = solid->radius};
        c->pose = cri_pose_mul(frames[b->task->arm->links[solid->link].frame], solid->pose);
        c->bound = bound_of(c);
    }
}

// Lower *least to the distance of two solids; those that are farther by their bounds are skipped.
static bool measure(const core *a, const core *b, double *least)
{
    double apart = cri_length(cri_sub(a->pose.position, b->pose.position));
    if (apart - a->bound - b->bound >= *least) {
        return false;
    }
    double distance = core_distance(a, b) - core_margin(a) - core_margin(b);
    if (distance >= *least) {
        return false;
    }
    *least = distance > 0 ? distance : 0;
    return true;
}

static const char *solid_name(const bodies *b, int i)
{
    const cr_arm *arm = b->task->arm;
    return i < arm->solid_count ? arm->links[b->solids[i].link].name : "held object";
}

static void note(cr_reach_proof *proof, const char *a, const char *b)
{
    if (proof->clearance <= 0) {
        snprintf(proof->text, sizeof proof->text, "\"%.60s\" touches \"%.60s\"", a, b);
    }
}

static bool may_touch(const bodies *b, int i, int k)
{
    const cr_arm *arm = b->task->arm;
    int m = b->solids[i].link, n = b->solids[k].link;
    if (b->solids[i].shell || b->solids[k].shell) {
        return true;
    }
    return arm->links[m].frame == arm->links[n].frame || arm->allowed[m][n];
}

static void look_at(bodies *b, const double *q, cr_reach_proof *proof)
{
    move_bodies(b, q);
    for (int i = 0; i < b->moving; i++) {
        for (int k = 0; k < b->task->obstacle_count; k++) {
            core wall = obstacle_core(&b->task->obstacles[k]);
            if (measure(&b->cores[i], &wall, &proof->clearance)) {
                note(proof, solid_name(b, i), b->task->obstacles[k].name);
            }
        }
        for (int k = 0; k < i; k++) {
            if (!may_touch(b, i, k) && measure(&b->cores[i], &b->cores[k], &proof->clearance)) {
                note(proof, solid_name(b, i), solid_name(b, k));
            }
        }
    }
    if (!cr_arm_within(b->task->arm, q)) {
        proof->within = false;
        snprintf(proof->text, sizeof proof->text, "a joint leaves its limits");
    }
    proof->configurations++;
}

static double largest_change(const double *a, const double *b, int dofs)
{
    double largest = 0;
    for (int d = 0; d < dofs; d++) {
        largest = fmax(largest, fabs(b[d] - a[d]));
    }
    return largest;
}

static void walk_edge(bodies *b, const double *from, const double *to, double step,
                      cr_reach_proof *proof)
{
    int dofs = b->task->arm->dof_count;
    int pieces = (int)fmin(ceil(largest_change(from, to, dofs) / step), 1e7) + 1;
    for (int i = 1; i <= pieces; i++) {
        double q[CR_ARM_MAX_DOFS], t = (double)i / pieces;
        for (int d = 0; d < dofs; d++) {
            q[d] = from[d] + t * (to[d] - from[d]);
        }
        look_at(b, q, proof);
    }
}

cr_reach_proof cr_reach_verify(const cr_reach_task *task, const double *path, int count,
                               double step)
{
    assert(count >= 0);
    cr_reach_proof proof = {.ends = count > 0, .within = true, .clearance = 1e9};
    int dofs = task->arm->dof_count;
    size_t size = (size_t)dofs * sizeof *path;
    if (count < 1) {
        snprintf(proof.text, sizeof proof.text, "there is no path");
        return proof;
    }
    bodies b;
    set_bodies(&b, task);
    look_at(&b, path, &proof);
    for (int i = 0; i + 1 < count; i++) {
        walk_edge(&b, path + i * dofs, path + (i + 1) * dofs, step, &proof);
    }
    proof.ends = memcmp(path, task->start, size) == 0 &&
                 memcmp(path + (count - 1) * dofs, task->goal, size) == 0;
    if (!proof.ends) {
        snprintf(proof.text, sizeof proof.text, "the path does not run from start to goal");
    }
    proof.holds = proof.ends && proof.within && proof.clearance > 0;
    return proof;
}
