// Sequential impulses (projected Gauss-Seidel): each point in turn gets the impulse that gives it
// what it asks for, until nothing changes any more.
//
// A point has three rows: along the normal, along the expected slip, and across both. The normal's
// impulse is never negative; the other two together are no longer than friction times it: Coulomb's
// cone, over an ellipse where a surface has a grain.
// Joints are solved exactly after each pass of points (joints/kernel.h).
// Passes go through all points in their order, so the result depends on the input alone. One point
// that stands alone, the usual case of a ball, is done in one pass.
#include "engine/impulses.h"

#include <math.h>

#include "base/report.h"
#include "engine/contact_kernel.h"
#include "engine/joints/joints.h"

// Passes (iterations) end when no impulse of a pass changes a speed by more than this.
static const double ENOUGH = 1e-11; // m/s
// Contacts and joints take turns, each undoing a part of what the other did; what is left after
// this is far less than what a joint is mended by.
static const double ENOUGH_IN_TURNS = 1e-8; // m/s
// Else after so many passes, or so many visits of points: a heap takes its overlaps away over the
// next substeps anyway.
enum { PASSES_MAX = 400, VISITS_MAX = 30000, PASSES_MIN = 40 };

static bool solve(cri_world *w, double t);

struct cri_row {
    cr_vec3 along;       // unit
    cr_vec3 lever[2];    // lever x along, of a and b
    cr_vec3 response[2]; // change of spin by a unit impulse
    double inverse;      // change of impulse a change of speed asks for: the effective mass
    double speed;        // what is asked for
    double impulse;
};

cr_status cri_impulses_init(cri_impulses *s, const cr_model *model, cr_report *report)
{
    *s = (cri_impulses){0};
    cr_status status = cri_world_init(&s->base, model, report);
    if (status != CR_OK) {
        return status;
    }
    s->rows = cri_arena_alloc(&s->base.arena, 3 * (size_t)s->base.point_max, sizeof *s->rows);
    if (!s->rows) {
        cri_impulses_free(s);
        return cri_fail_memory(report);
    }
    s->base.solve = solve;
    return CR_OK;
}

void cri_impulses_free(cri_impulses *s)
{
    cri_world_free(&s->base);
    *s = (cri_impulses){0};
}

static void make_row(const cri_world *w, const cri_point *p, cr_vec3 along, cri_row *row)
{
    const cri_rigid *bodies[2] = {&w->rigids[p->a], &w->rigids[p->b]};
    double mobility = 0;
    *row = (cri_row){.along = along};
    for (int i = 0; i < 2; i++) {
        const cri_rigid *r = bodies[i];
        if (r->pushed) {
            row->lever[i] = cri_cross(cri_sub(p->point, r->pose.position), along);
            row->response[i] = cri_turn_by(r, row->lever[i]);
            mobility += r->inverse_mass + cri_dot(row->lever[i], row->response[i]);
        }
    }
    row->inverse = 1 / mobility;
}

static void make_rows(cri_world *w, const cri_point *p, cri_row rows[3])
{
    make_row(w, p, p->normal, &rows[0]);
    make_row(w, p, p->slide, &rows[1]);
    make_row(w, p, cri_cross(p->normal, p->slide), &rows[2]);
    rows[0].speed = p->target;
    // Surfaces of bodies that cannot be pushed move as they do.
    const cri_rigid *a = &w->rigids[p->a], *b = &w->rigids[p->b];
    cr_vec3 surface = {0, 0, 0};
    if (!b->pushed) {
        surface = cri_next_velocity_at(b, p->point);
    } else if (!a->pushed) {
        surface = cri_neg(cri_next_velocity_at(a, p->point));
    }
    for (int i = 0; i < 3; i++) {
        rows[i].speed -= cri_dot(surface, rows[i].along);
    }
}

static double speed_of(const cri_rigid *a, const cri_rigid *b, const cri_row *row)
{
    double speed = 0;
    if (a->pushed) {
        speed -= cri_dot(a->next_velocity, row->along) + cri_dot(a->next_spin, row->lever[0]);
    }
    if (b->pushed) {
        speed += cri_dot(b->next_velocity, row->along) + cri_dot(b->next_spin, row->lever[1]);
    }
    return speed;
}

// Change the impulse of a row to a new value. Returns by how much that changes a speed.
static double give(cri_rigid *a, cri_rigid *b, cri_row *row, double impulse)
{
    double change = impulse - row->impulse;
    row->impulse = impulse;
    if (change == 0) {
        return 0;
    }
    if (a->pushed) {
        a->next_velocity = cri_mad(a->next_velocity, -change * a->inverse_mass, row->along);
        a->next_spin = cri_mad(a->next_spin, -change, row->response[0]);
    }
    if (b->pushed) {
        b->next_velocity = cri_mad(b->next_velocity, change * b->inverse_mass, row->along);
        b->next_spin = cri_mad(b->next_spin, change, row->response[1]);
    }
    return fabs(change) / row->inverse;
}

static double miss(const cri_rigid *a, const cri_rigid *b, const cri_row *row)
{
    return row->speed - speed_of(a, b, row);
}

static double wish(const cri_rigid *a, const cri_rigid *b, const cri_row *row)
{
    return row->impulse + miss(a, b, row) * row->inverse;
}

// The share of a push across the normal that friction can hold: an ellipse with those half axes.
static double share(double one, double most_one, double two, double most_two)
{
    double x = one == 0 ? 0 : one / most_one, y = two == 0 ? 0 : two / most_two;
    return cone_share(1, x, y);
}

// One visit of one point. Returns the largest change of a speed.
static double visit(cri_world *w, const cri_point *p, cri_row rows[3])
{
    cri_rigid *a = &w->rigids[p->a], *b = &w->rigids[p->b];
    double press = normal_impulse(rows[0].impulse, miss(a, b, &rows[0]), rows[0].inverse);
    double moved = give(a, b, &rows[0], press);
    if (p->friction == 0 && p->across == 0) {
        return moved;
    }
    double one = wish(a, b, &rows[1]), two = wish(a, b, &rows[2]);
    double most = share(one, p->friction * rows[0].impulse, two, p->across * rows[0].impulse);
    one *= most;
    two *= most;
    moved = fmax(moved, give(a, b, &rows[1], one));
    return fmax(moved, give(a, b, &rows[2], two));
}

static double visit_all(cri_world *w, cri_row *rows)
{
    double moved = 0;
    for (int i = 0; i < w->point_count; i++) {
        if (!w->points[i].silent) {
            moved = fmax(moved, visit(w, &w->points[i], &rows[3 * i]));
        }
    }
    return moved;
}

// One pass over points and joints.
static double pass(cri_world *w, cri_row *rows)
{
    double moved = visit_all(w, rows);
    return w->joints ? fmax(moved, cri_joints_visit(w)) : moved;
}

// What is asked of points knows t.
static bool solve(cri_world *w, double t)
{
    if (w->joints) {
        cri_joints_prepare(w, t);
        cri_joints_swing(w, t);
    }
    cri_row *rows = ((cri_impulses *)(void *)w)->rows;
    for (int i = 0; i < w->point_count; i++) {
        if (!w->points[i].silent) {
            make_rows(w, &w->points[i], &rows[3 * i]);
        }
    }
    int visits = w->point_count > 0 ? VISITS_MAX / w->point_count : VISITS_MAX;
    int passes = (int)cri_clamp(visits, PASSES_MIN, PASSES_MAX);
    double enough = w->joints ? ENOUGH_IN_TURNS : ENOUGH;
    while (passes-- > 0 && pass(w, rows) > enough) {
    }
    for (int i = 0; i < w->point_count; i++) {
        w->points[i].impulse = w->points[i].silent ? 0 : rows[3 * i].impulse;
    }
    return true;
}
