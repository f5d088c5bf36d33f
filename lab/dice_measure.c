#include "lab/dice_measure.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define SLOW 0.02 // m/s
#define G    9.81

typedef struct die {
    int body, slot, cell;
    int since;      // steps since the one with its last contact
    int slow;       // states in a row that it was slow
    bool rested;    // was slow for long enough, once
    cr_vec3 before; // its velocity in the state before
} die;

typedef struct watch {
    dice_result *to;
    die *dice;
    int *die_of; // by body, or -1
    int window, rest;
} watch;

static double length(cr_vec3 v)
{
    return sqrt(v.x * v.x + v.y * v.y + v.z * v.z);
}

double histogram_middle(int bin)
{
    double decades = log10(HIST_MOST / HIST_LEAST);
    return HIST_LEAST * pow(10, decades * (bin + 0.5) / HIST_BINS);
}

static void count(histogram *h, double acceleration)
{
    double g = acceleration / G;
    int bin =
        g > 0 ? (int)floor(log10(g / HIST_LEAST) / log10(HIST_MOST / HIST_LEAST) * HIST_BINS) : -1;
    h->all++;
    if (bin < 0) {
        h->none++;
    } else {
        h->bins[bin < HIST_BINS ? bin : HIST_BINS - 1]++;
    }
}

// ---------------------------------------------------------------------------------------------
// A step.

static void judge_push(watch *w, const die *d, double push)
{
    dice_result *r = w->to;
    if (d->rested) {
        r->late = fmax(r->late, push);
    }
    if (d->since < w->window) {
        r->after_contact = fmax(r->after_contact, push);
    } else {
        r->in_flight = fmax(r->in_flight, push);
    }
}

static void watch_die(watch *w, die *d, const cr_replay_step *step)
{
    cr_vec3 v = cr_state_velocity(step->model, step->state, d->body);
    if (step->actions) {
        const cr_action *a = &step->actions[d->slot];
        double mass = cr_model_body(step->model, d->body)->mass, dt = cr_model_dt(step->model);
        cr_vec3 push = {(a->force.x + a->impulse.x / dt) / mass,
                        (a->force.y + a->impulse.y / dt) / mass,
                        (a->force.z + a->impulse.z / dt) / mass};
        cr_vec3 other = {(v.x - d->before.x) / dt - push.x, (v.y - d->before.y) / dt - push.y,
                         (v.z - d->before.z) / dt - push.z};
        judge_push(w, d, length(push));
        count(&w->to->applied, length(push));
        count(&w->to->natural, length(other));
        d->since++;
    }
    d->before = v;
    d->slow = length(v) < SLOW ? d->slow + 1 : 0;
    d->rested = d->rested || d->slow > w->rest;
}

static bool watch_step(const cr_replay_step *step, void *context)
{
    watch *w = context;
    for (int i = 0; i < w->to->dice; i++) {
        watch_die(w, &w->dice[i], step);
    }
    for (int i = 0; i < step->contact_count; i++) {
        int a = w->die_of[step->contacts[i].a], b = w->die_of[step->contacts[i].b];
        if (a >= 0) {
            w->dice[a].since = 0;
        }
        if (b >= 0) {
            w->dice[b].since = 0;
        }
    }
    return true;
}

// ---------------------------------------------------------------------------------------------
// How deep boxes and balls are inside each other: the least overlap along any of the directions in
// which two boxes may be apart.

typedef struct block {
    cr_vec3 middle, axes[3], half;
    double round; // of a ball, which has no half
} block;

static cr_vec3 turn(cr_quat q, cr_vec3 v)
{
    cr_vec3 u = {q.x, q.y, q.z};
    cr_vec3 t = {2 * (u.y * v.z - u.z * v.y), 2 * (u.z * v.x - u.x * v.z),
                 2 * (u.x * v.y - u.y * v.x)};
    return (cr_vec3){v.x + q.w * t.x + u.y * t.z - u.z * t.y,
                     v.y + q.w * t.y + u.z * t.x - u.x * t.z,
                     v.z + q.w * t.z + u.x * t.y - u.y * t.x};
}

static double dot(cr_vec3 a, cr_vec3 b)
{
    return a.x * b.x + a.y * b.y + a.z * b.z;
}

static double reach(const block *b, cr_vec3 d)
{
    return b->round * length(d) + b->half.x * fabs(dot(d, b->axes[0])) +
           b->half.y * fabs(dot(d, b->axes[1])) + b->half.z * fabs(dot(d, b->axes[2]));
}

static double overlap_along(const block *a, const block *b, cr_vec3 d)
{
    double size = length(d);
    cr_vec3 way = {b->middle.x - a->middle.x, b->middle.y - a->middle.y, b->middle.z - a->middle.z};
    return size > 1e-6 ? (reach(a, d) + reach(b, d) - fabs(dot(way, d))) / size : HUGE_VAL;
}

// The nearest point of a box to the middle of a ball decides of the two.
static double depth_in_box(const block *box, const block *ball)
{
    cr_vec3 way = {ball->middle.x - box->middle.x, ball->middle.y - box->middle.y,
                   ball->middle.z - box->middle.z};
    double off = 0, inside = HUGE_VAL;
    const double half[3] = {box->half.x, box->half.y, box->half.z};
    for (int i = 0; i < 3; i++) {
        double along = fabs(dot(way, box->axes[i])), out = fmax(along - half[i], 0);
        off += out * out;
        inside = fmin(inside, half[i] - along);
    }
    return off > 0 ? ball->round - sqrt(off) : ball->round + inside;
}

static double depth(const block *a, const block *b)
{
    if (a->round > 0 || b->round > 0) {
        return a->round > 0 ? depth_in_box(b, a) : depth_in_box(a, b);
    }
    double least = HUGE_VAL;
    for (int i = 0; i < 3; i++) {
        least = fmin(least, overlap_along(a, b, a->axes[i]));
        least = fmin(least, overlap_along(a, b, b->axes[i]));
        for (int k = 0; k < 3; k++) {
            cr_vec3 p = a->axes[i], q = b->axes[k];
            cr_vec3 cross = {p.y * q.z - p.z * q.y, p.z * q.x - p.x * q.z, p.x * q.y - p.y * q.x};
            least = fmin(least, overlap_along(a, b, cross));
        }
    }
    return least;
}

static block block_of(const cr_model *model, const cr_state *state, int body)
{
    const cr_body *b = cr_model_body(model, body);
    cr_pose pose = cr_state_pose(model, state, body);
    const cr_shape *shape = &b->parts[0].shape;
    block made = {.middle = pose.position, .half = shape->half};
    made.axes[0] = turn(pose.rotation, (cr_vec3){1, 0, 0});
    made.axes[1] = turn(pose.rotation, (cr_vec3){0, 1, 0});
    made.axes[2] = turn(pose.rotation, (cr_vec3){0, 0, 1});
    if (shape->kind == CR_SHAPE_SPHERE) {
        made.half = (cr_vec3){0, 0, 0};
        made.round = shape->radius;
    }
    return made;
}

static bool is_block(const cr_body *body)
{
    cr_shape_kind kind = body->parts[0].shape.kind;
    return body->part_count == 1 && (kind == CR_SHAPE_BOX || kind == CR_SHAPE_SPHERE);
}

static bool are_near(const cr_model *model, const cr_state *state, int a, int b)
{
    cr_vec3 p = cr_state_pose(model, state, a).position,
            q = cr_state_pose(model, state, b).position;
    return length((cr_vec3){p.x - q.x, p.y - q.y, p.z - q.z}) <
           cr_model_body(model, a)->radius + cr_model_body(model, b)->radius;
}

static double deepest(const watch *w, const cr_model *model, const cr_state *state)
{
    double most = 0;
    for (int i = 0; i < w->to->dice; i++) {
        int a = w->dice[i].body;
        block one = block_of(model, state, a);
        for (int b = 0; b < cr_model_body_count(model); b++) {
            bool done = w->die_of[b] >= 0 && w->die_of[b] <= i;
            if (!done && is_block(cr_model_body(model, b)) && are_near(model, state, a, b)) {
                block two = block_of(model, state, b);
                most = fmax(most, depth(&one, &two));
            }
        }
    }
    return most;
}

// ---------------------------------------------------------------------------------------------

typedef struct last {
    watch *watch;
    double half_pitch;
    int64_t left; // steps that are still to come
} last;

static void look_at_end(watch *w, const cr_replay_step *step, double half_pitch)
{
    dice_result *r = w->to;
    r->in_place = 0, r->rest = true;
    r->sum = r->mean = r->worst = 0;
    for (int i = 0; i < r->dice; i++) {
        const die *d = &w->dice[i];
        cr_vec3 at = cr_state_pose(step->model, step->state, d->body).position;
        cr_vec3 cell = cr_model_region(step->model, d->cell)->pose.position;
        cr_vec3 off = {at.x - cell.x, at.y - cell.y, at.z - cell.z};
        double level = hypot(off.x, off.y);
        r->in_place += level <= half_pitch;
        r->sum += dot(off, off);
        r->mean += level / r->dice;
        r->worst = fmax(r->worst, level);
        r->rest = r->rest && d->slow > w->rest;
    }
    r->deepest = deepest(w, step->model, step->state);
}

static bool see(const cr_replay_step *step, void *context)
{
    last *l = context;
    watch_step(step, l->watch);
    if (l->left-- == 0) {
        look_at_end(l->watch, step, l->half_pitch);
    }
    return true;
}

static bool find_dice(const cr_model *model, watch *w)
{
    int bodies = cr_model_body_count(model);
    w->dice = calloc((size_t)bodies, sizeof *w->dice);
    w->die_of = calloc((size_t)bodies, sizeof *w->die_of);
    for (int i = 0; w->dice && w->die_of && i < bodies; i++) {
        const cr_body *body = cr_model_body(model, i);
        const char *dot_at = strrchr(body->name, '.');
        char name[100];
        snprintf(name, sizeof name, "cell%s", dot_at ? dot_at : "");
        int cell = cr_model_find_region(model, name);
        w->die_of[i] = -1;
        if (body->kind == CR_KIND_CONTROLLED && cell >= 0) {
            w->die_of[i] = w->to->dice;
            w->dice[w->to->dice++] =
                (die){.body = i, .slot = body->slot, .cell = cell, .since = 1000000};
        }
    }
    return w->dice && w->die_of;
}

cr_status dice_measure(const cr_plan *plan, int solution, double pitch, dice_result *result,
                       cr_report *report)
{
    const cr_model *model = cr_plan_model(plan);
    double dt = cr_model_dt(model);
    *result = (dice_result){0};
    watch w = {
        .to = result, .window = (int)floor(0.1 / dt + 0.5), .rest = (int)floor(0.2 / dt + 0.5)};
    cr_status status = find_dice(model, &w) ? CR_OK : CR_ERR_MEMORY;
    last l = {&w, pitch / 2, cr_plan_solution(plan, solution).steps};
    status = status == CR_OK ? cr_plan_replay(plan, solution, see, &l, report) : status;
    free(w.dice);
    free(w.die_of);
    return status;
}
