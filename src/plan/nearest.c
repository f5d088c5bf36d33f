#include "plan/nearest.h"

#include <math.h>
#include <stdlib.h>

#include "base/trig.h"
#include "behavior/motion.h"

enum { LEAF = 32 };

// A query and its best answer so far.
typedef struct query {
    const cri_neighbors *neighbors;
    cri_sample sample;
    double time;
    int32_t branch;
} query;

cr_status cri_neighbors_create(cri_neighbors *neighbors, const cr_model *model, int64_t capacity)
{
    size_t n = (size_t)capacity;
    *neighbors = (cri_neighbors){
        .sampling = &model->sampling,
        .limits = model->bodies[model->sampling.body].limits,
        .capacity = (int32_t)capacity,
        .entries = calloc(n, sizeof *neighbors->entries),
        .boxes = calloc(2 * (n / LEAF + 1), sizeof *neighbors->boxes),
    };
    if (!neighbors->entries || !neighbors->boxes) {
        cri_neighbors_free(neighbors);
        return CR_ERR_MEMORY;
    }
    return CR_OK;
}

void cri_neighbors_free(cri_neighbors *neighbors)
{
    free(neighbors->entries);
    free(neighbors->boxes);
    *neighbors = (cri_neighbors){0};
}

// ---------------------------------------------------------------------------------------------
// Building.

static double coordinate(const cri_nearest_entry *e, int axis)
{
    switch (axis) {
    case 0:
        return e->x;
    case 1:
        return e->y;
    case 2:
        return e->vx;
    default:
        return e->vy;
    }
}

static cri_nearest_box box_of(const cri_nearest_entry *entries, int32_t count)
{
    cri_nearest_box box;
    for (int axis = 0; axis < 4; axis++) {
        double low = coordinate(&entries[0], axis), high = low;
        for (int32_t i = 1; i < count; i++) {
            double c = coordinate(&entries[i], axis);
            low = c < low ? c : low;
            high = c > high ? c : high;
        }
        box.low[axis] = low;
        box.high[axis] = high;
    }
    return box;
}

// The axis to split: the widest, with velocities counted as the way they make in the time to reach
// top speed.
static int widest(const cri_nearest_box *box, const cr_limits *limits)
{
    double scale = limits->speed / limits->acceleration;
    int best = 0;
    double most = -1;
    for (int axis = 0; axis < 4; axis++) {
        double width = (box->high[axis] - box->low[axis]) * (axis < 2 ? 1 : scale);
        if (width > most) {
            most = width;
            best = axis;
        }
    }
    return best;
}

static bool before(const cri_nearest_entry *a, const cri_nearest_entry *b, int axis)
{
    double x = coordinate(a, axis), y = coordinate(b, axis);
    return x != y ? x < y : a->branch < b->branch;
}

// Move the `half` first entries along the axis to the front (quickselect with the middle as pivot).
static void split(cri_nearest_entry *e, int32_t count, int32_t half, int axis)
{
    int32_t low = 0, high = count - 1;
    while (low < high) {
        cri_nearest_entry pivot = e[low + (high - low) / 2];
        int32_t i = low, j = high;
        while (i <= j) {
            while (before(&e[i], &pivot, axis)) {
                i++;
            }
            while (before(&pivot, &e[j], axis)) {
                j--;
            }
            if (i <= j) {
                cri_nearest_entry swap = e[i];
                e[i++] = e[j];
                e[j--] = swap;
            }
        }
        if (half <= j) {
            high = j;
        } else if (half >= i) {
            low = i;
        } else {
            return;
        }
    }
}

// node: place in the tree's heap of boxes, from 1.
static void build(const cri_neighbors *n, cri_nearest_entry *entries, int32_t count,
                  cri_nearest_box *boxes, int32_t node)
{
    boxes[node] = box_of(entries, count);
    if (count > LEAF) {
        int32_t half = count / 2;
        split(entries, count, half, widest(&boxes[node], &n->limits));
        build(n, entries, half, boxes, 2 * node);
        build(n, entries + half, half, boxes, 2 * node + 1);
    }
}

static cri_nearest_box *boxes_at(const cri_neighbors *n, int32_t entry)
{
    return &n->boxes[2 * (entry / LEAF)];
}

void cri_neighbors_add(cri_neighbors *n, const cr_body_state *body, int32_t branch)
{
    n->entries[n->count++] = (cri_nearest_entry){
        .x = body->position.x,
        .y = body->position.y,
        .vx = body->velocity.x,
        .vy = body->velocity.y,
        .heading = n->sampling->has_heading ? cri_heading(body->rotation) : 0,
        .spin = body->spin.z,
        .branch = branch,
    };
    if (n->count % LEAF == 0) {
        // The size of the tree that ends here: the lowest bit of the count, as in a binary counter.
        int32_t leaves = n->count / LEAF;
        int32_t size = (leaves & -leaves) * LEAF;
        int32_t begin = n->count - size;
        build(n, n->entries + begin, size, boxes_at(n, begin), 1);
    }
}

// ---------------------------------------------------------------------------------------------
// The metric and its bounds.

static double exact_time(const query *q, const cri_nearest_entry *e)
{
    const cri_neighbors *n = q->neighbors;
    cr_vec3 offset = {q->sample.place.x - e->x, q->sample.place.y - e->y, 0};
    double time = cri_drive_time(offset, cri_vec3(e->vx, e->vy, 0), &n->limits);
    if (n->sampling->has_heading) {
        double error = cri_wrap(q->sample.heading - e->heading);
        double turn =
            cri_axis_time(error, e->spin, n->limits.turn_speed, n->limits.turn_acceleration);
        time = turn > time ? turn : time;
    }
    return time;
}

// A little less than the bound, so that rounding never turns away the nearest.
static double cautious(double bound)
{
    return bound * (1 - 1e-9) - 1e-9;
}

// The least time over a distance that begins with a speed of up to `ahead` along it and up to
// `speed` in all, and ends at rest. With acceleration alone the trapezoid takes t = (sqrt(4 a d + 2
// v2) - v) / a, which is least at v2 = 2 a d, where it is pure braking. An axis that starts above
// its share of the top speed may keep it while the other gets its own share, so the whole is never
// faster than sqrt(top2 + speed2).
static double way_bound(const cr_limits *limits, double distance, double ahead, double speed)
{
    double a = limits->acceleration;
    double best = sqrt(2 * a * distance);
    double v = ahead < best ? ahead : best;
    double ramp = (sqrt(4 * a * distance + 2 * v * v) - v) / a;
    double cruise = distance / sqrt(limits->speed * limits->speed + speed * speed);
    return ramp > cruise ? ramp : cruise;
}

static double entry_bound(const query *q, const cri_nearest_entry *e)
{
    const cr_limits *limits = &q->neighbors->limits;
    double dx = q->sample.place.x - e->x, dy = q->sample.place.y - e->y;
    double distance = sqrt(dx * dx + dy * dy), speed = sqrt(e->vx * e->vx + e->vy * e->vy);
    double ahead = distance > 0 ? (dx * e->vx + dy * e->vy) / distance : 0;
    double way = way_bound(limits, distance, ahead > 0 ? ahead : 0, speed);
    double rest = speed / limits->acceleration;
    return cautious(way > rest ? way : rest);
}

// Distance of a value to an interval.
static double gap(double low, double high, double value)
{
    return value < low ? low - value : (value > high ? value - high : 0);
}

static double box_bound(const query *q, const cri_nearest_box *box)
{
    const cr_limits *limits = &q->neighbors->limits;
    double dx = gap(box->low[0], box->high[0], q->sample.place.x);
    double dy = gap(box->low[1], box->high[1], q->sample.place.y);
    double vx = gap(box->low[2], box->high[2], 0), vy = gap(box->low[3], box->high[3], 0);
    double wx = fmax(-box->low[2], box->high[2]), wy = fmax(-box->low[3], box->high[3]);
    double fastest = sqrt(wx * wx + wy * wy);
    double way = way_bound(limits, sqrt(dx * dx + dy * dy), fastest, fastest);
    double rest = sqrt(vx * vx + vy * vy) / limits->acceleration;
    return cautious(way > rest ? way : rest);
}

// ---------------------------------------------------------------------------------------------
// Searching.

static void consider(query *q, const cri_nearest_entry *e)
{
    double time = exact_time(q, e);
    if (time < q->time || (time == q->time && e->branch < q->branch)) {
        q->time = time;
        q->branch = e->branch;
    }
}

static void search_leaf(query *q, const cri_nearest_entry *entries, int32_t count)
{
    for (int32_t i = 0; i < count; i++) {
        if (entry_bound(q, &entries[i]) <= q->time) {
            consider(q, &entries[i]);
        }
    }
}

static void search(query *q, const cri_nearest_entry *entries, int32_t count,
                   const cri_nearest_box *boxes, int32_t node)
{
    if (count == LEAF) {
        search_leaf(q, entries, count);
        return;
    }
    int32_t half = count / 2;
    double left = box_bound(q, &boxes[2 * node]), right = box_bound(q, &boxes[2 * node + 1]);
    for (int side = 0; side < 2; side++) {
        bool go_left = (side == 0) == (left <= right);
        if ((go_left ? left : right) <= q->time) {
            search(q, entries + (go_left ? 0 : half), half, boxes, 2 * node + (go_left ? 0 : 1));
        }
    }
}

int32_t cri_neighbors_find(const cri_neighbors *n, const cri_sample *sample)
{
    query q = {n, *sample, HUGE_VAL, -1};
    int32_t loose = n->count % LEAF, end = n->count - loose;
    search_leaf(&q, n->entries + end, loose);
    // The trees from the first and largest on: each begins where the one before ends.
    for (int32_t begin = 0; begin < end;) {
        int32_t leaves = (end - begin) / LEAF, size = LEAF;
        while (2 * size <= leaves * LEAF) {
            size *= 2;
        }
        const cri_nearest_box *boxes = boxes_at(n, begin);
        if (box_bound(&q, &boxes[1]) <= q.time) {
            search(&q, n->entries + begin, size, boxes, 1);
        }
        begin += size;
    }
    return q.branch;
}

int32_t cri_neighbors_scan(const cri_neighbors *n, const cri_sample *sample)
{
    query q = {n, *sample, HUGE_VAL, -1};
    for (int32_t i = 0; i < n->count; i++) {
        consider(&q, &n->entries[i]);
    }
    return q.branch;
}
