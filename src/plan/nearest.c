#include "plan/nearest.h"

#include <math.h>
#include <stdlib.h>

#include "base/hash.h"
#include "base/trig.h"
#include "behavior/motion.h"

enum { LEAF = 32 };

// A query, its best answer so far, and what whoever is to beat that must keep to (see below).
typedef struct query {
    const cri_neighbours *neighbours;
    cr_sample sample;
    uint64_t ties; // orders places that are as near
    double time;
    int32_t place;                // -1: none yet
    uint64_t key;                 // of the place, under `ties`
    double half;                  // of the time, where it tells how far off a body is
    double time2, reach2, speed2; // squares, a little too large
    double top2;                  // of the top speed, what it starts and ends with apart
} query;

cr_status cri_neighbours_create(cri_neighbours *neighbours, const cr_model *model, int64_t capacity)
{
    size_t n = (size_t)capacity;
    const cri_sampling *s = &model->sampling;
    cr_limits limits = model->bodies[s->body].limits;
    double brake = s->deceleration > 0 ? s->deceleration : limits.acceleration;
    *neighbours = (cri_neighbours){
        .sampling = s,
        .limits = limits,
        .arrival = {limits.speed, limits.acceleration, brake},
        .arrives = s->deceleration > 0 || s->velocity.x != 0 || s->velocity.y != 0,
        .capacity = (int32_t)capacity,
        .entries = calloc(n, sizeof *neighbours->entries),
        .boxes = calloc(2 * (n / LEAF + 1), sizeof *neighbours->boxes),
    };
    cr_status status = cri_places_create(&neighbours->places, capacity);
    if (!neighbours->entries || !neighbours->boxes || status != CR_OK) {
        cri_neighbours_free(neighbours);
        return CR_ERR_MEMORY;
    }
    return CR_OK;
}

void cri_neighbours_free(cri_neighbours *neighbours)
{
    free(neighbours->entries);
    free(neighbours->boxes);
    cri_places_free(&neighbours->places);
    *neighbours = (cri_neighbours){0};
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

// The axis to split: the widest, with velocities counted as the way they make in half the time that
// the nearest may take, say a fifth of the time to reach top speed.
static int widest(const cri_nearest_box *box, const cr_limits *limits)
{
    double scale = 0.2 * limits->speed / limits->acceleration;
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
    return x != y ? x < y : a->place < b->place;
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
static void build(const cri_neighbours *n, cri_nearest_entry *entries, int32_t count,
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

static cri_nearest_box *boxes_at(const cri_neighbours *n, int32_t entry)
{
    return &n->boxes[2 * (entry / LEAF)];
}

void cri_neighbours_add(cri_neighbours *n, const cr_body_state *body, int32_t branch)
{
    double heading = n->sampling->has_heading ? cri_heading(body->rotation) : 0;
    double spin = n->sampling->has_heading ? body->spin.z : 0;
    const double at[CRI_PLACE_SIZE] = {body->position.x, body->position.y, body->velocity.x,
                                       body->velocity.y, heading,          spin};
    bool fresh;
    int32_t place = cri_places_add(&n->places, at, branch, &fresh);
    if (!fresh) {
        return;
    }
    n->entries[n->count++] = (cri_nearest_entry){at[0], at[1], at[2], at[3], place};
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

// The time, or the distance where that is the metric: what the least of is nearest.
static double exact_time(const query *q, const cri_nearest_entry *e)
{
    const cri_neighbours *n = q->neighbours;
    cr_vec3 offset = {q->sample.place.x - e->x, q->sample.place.y - e->y, 0};
    cr_vec3 velocity = {e->vx, e->vy, 0};
    if (n->sampling->metric == CRI_METRIC_DISTANCE) {
        return sqrt(offset.x * offset.x + offset.y * offset.y);
    }
    double time = n->arrives ? cri_arrival_time(offset, velocity, n->sampling->velocity, n->arrival)
                             : cri_drive_time(offset, velocity, &n->limits);
    if (n->sampling->has_heading) {
        const double *at = n->places.items[e->place].at;
        double error = cri_wrap(q->sample.heading - at[4]);
        double turn =
            cri_axis_time(error, at[5], n->limits.turn_speed, n->limits.turn_acceleration);
        time = turn > time ? turn : time;
    }
    return time;
}

// Of places that are as near as each other the one with the least key is found, whatever the order
// in which they are looked at.
static uint64_t key_of(const query *q, int32_t place)
{
    return cri_hash_word(q->ties, (uint64_t)place);
}

// A body that arrives in time T at the offset d, with velocity w, keeps to three bounds, whatever
// shares of the limits its axes have; a is what it speeds up or brakes by, whichever is more:
//
//   |v - w| <= a T                    it can change its velocity
//   |d| <= T sqrt(top2 + v2 + w2)     an axis that starts or ends above its share of the top speed
//                                     may have that speed
//   |d - v T / 2| <= a T2 / 4         where it ends at rest: along any direction u, speeding up to
//                                     a peak and braking goes u.d = a T2 / 4 + u.v T / 2 - (u.v)2 /
//                                     4a at most
//
// They hold for any longer time too: the first two grow with it, and at rest a body could wait
// where it arrives. To compare squares takes no root and no quotient, and turns nine of ten entries
// away. Where the metric is the distance, its own square is all there is to compare.
static const double CAUTION = 1 + 1e-8; // rounding must not turn away the nearest

static void set_time_bounds(query *q, double time)
{
    const cri_neighbours *n = q->neighbours;
    double a = fmax(n->arrival.acceleration, n->arrival.deceleration), top = n->limits.speed;
    double w = cri_length(n->sampling->velocity);
    double reach = a * time * time / 4, speed = a * time + w;
    q->half = w > 0 ? 0 : time / 2;
    q->reach2 = w > 0 ? HUGE_VAL : reach * reach * CAUTION + 1e-18;
    q->speed2 = speed * speed * CAUTION + 1e-18;
    q->top2 = top * top + w * w;
}

static void set_best(query *q, double time, int32_t place)
{
    q->time = time;
    q->place = place;
    q->key = key_of(q, place);
    q->time2 = time * time * CAUTION + 1e-18;
    if (q->neighbours->sampling->metric == CRI_METRIC_TIME) {
        set_time_bounds(q, time);
    }
}

// What is compared with the bounds: squares of the speed, at least and at most, of the distance,
// and of the miss, d - v T / 2.
typedef struct squares {
    double slow, fast, distance, miss;
} squares;

static bool may_beat(const query *q, squares s)
{
    if (q->neighbours->sampling->metric == CRI_METRIC_DISTANCE) {
        return s.distance <= q->time2;
    }
    return s.miss <= q->reach2 && s.slow <= q->speed2 &&
           s.distance <= (q->top2 + s.fast) * q->time2;
}

static bool entry_may_beat(const query *q, const cri_nearest_entry *e)
{
    double dx = q->sample.place.x - e->x, dy = q->sample.place.y - e->y;
    double mx = dx - e->vx * q->half, my = dy - e->vy * q->half;
    double speed2 = e->vx * e->vx + e->vy * e->vy, miss2 = mx * mx + my * my;
    if (!may_beat(q, (squares){speed2, speed2, dx * dx + dy * dy, miss2})) {
        return false;
    }
    if (miss2 == 0 || q->half == 0) {
        return true;
    }
    // The third bound in full, for the few that get here.
    const cri_axis_limits *limits = &q->neighbours->arrival;
    double along = mx * e->vx + my * e->vy;
    double a4 = 4 * fmax(limits->acceleration, limits->deceleration);
    return sqrt(miss2) + along * along / (a4 * miss2) <= sqrt(q->reach2);
}

// Distance of a value to an interval.
static double gap(double low, double high, double value)
{
    return value < low ? low - value : (value > high ? value - high : 0);
}

// Whether something in the box may.
static bool box_may_beat(const query *q, const cri_nearest_box *box)
{
    const double at[2] = {q->sample.place.x, q->sample.place.y};
    squares s = {0};
    for (int i = 0; i < 2; i++) {
        double low = box->low[i], high = box->high[i], v = box->low[i + 2], w = box->high[i + 2];
        double slow = gap(v, w, 0), fast = -v > w ? -v : w;
        double d = gap(low, high, at[i]), m = gap(low + v * q->half, high + w * q->half, at[i]);
        s.slow += slow * slow;
        s.fast += fast * fast;
        s.distance += d * d;
        s.miss += m * m;
    }
    return may_beat(q, s);
}

// ---------------------------------------------------------------------------------------------
// Searching.

static void consider(query *q, const cri_nearest_entry *e)
{
    double time = exact_time(q, e);
    if (time < q->time || (time == q->time && key_of(q, e->place) < q->key)) {
        set_best(q, time, e->place);
    }
}

static void search_leaf(query *q, const cri_nearest_entry *entries, int32_t count)
{
    for (int32_t i = 0; i < count; i++) {
        if (entry_may_beat(q, &entries[i])) {
            consider(q, &entries[i]);
        }
    }
}

// The miss of the middle of a box: the box that misses by less is looked at first.
static double off(const query *q, const cri_nearest_box *box)
{
    double x = box->low[0] + box->high[0] + (box->low[2] + box->high[2]) * q->half;
    double y = box->low[1] + box->high[1] + (box->low[3] + box->high[3]) * q->half;
    double dx = x - 2 * q->sample.place.x, dy = y - 2 * q->sample.place.y;
    return dx * dx + dy * dy;
}

static void search(query *q, const cri_nearest_entry *entries, int32_t count,
                   const cri_nearest_box *boxes, int32_t node)
{
    if (!box_may_beat(q, &boxes[node])) {
        return;
    }
    if (count == LEAF) {
        search_leaf(q, entries, count);
        return;
    }
    int32_t half = count / 2,
            first = off(q, &boxes[2 * node]) <= off(q, &boxes[2 * node + 1]) ? 0 : 1;
    for (int32_t side = first, i = 0; i < 2; i++, side = 1 - side) {
        search(q, entries + side * half, half, boxes, 2 * node + side);
    }
}

// Any member of the place that was found.
static int32_t any_member(const query *q, cr_rng *rng)
{
    const cri_places *places = &q->neighbours->places;
    uint64_t count = (uint64_t)places->items[q->place].count;
    return cri_places_member(places, q->place, (int32_t)cr_rng_index(rng, count));
}

int32_t cri_neighbours_find(const cri_neighbours *n, const cr_sample *sample, cr_rng *rng)
{
    if (n->count == 0) {
        return -1;
    }
    query q = {.neighbours = n, .sample = *sample, .ties = cr_rng_bits(rng)};
    const cri_nearest_entry *last = &n->entries[n->count - 1];
    set_best(&q, exact_time(&q, last), last->place);
    int32_t loose = n->count % LEAF, end = n->count - loose;
    search_leaf(&q, n->entries + end, loose);
    // The trees from the first and largest on: each begins where the one before ends.
    for (int32_t begin = 0; begin < end;) {
        int32_t leaves = (end - begin) / LEAF, size = LEAF;
        while (2 * size <= leaves * LEAF) {
            size *= 2;
        }
        search(&q, n->entries + begin, size, boxes_at(n, begin), 1);
        begin += size;
    }
    return any_member(&q, rng);
}

int32_t cri_neighbours_scan(const cri_neighbours *n, const cr_sample *sample, cr_rng *rng)
{
    query q = {.neighbours = n,
               .sample = *sample,
               .ties = cr_rng_bits(rng),
               .time = HUGE_VAL,
               .place = -1};
    for (int32_t i = 0; i < n->count; i++) {
        consider(&q, &n->entries[i]);
    }
    return q.place < 0 ? -1 : any_member(&q, rng);
}

void cri_neighbours_clear(cri_neighbours *n)
{
    if (n->count > 0) {
        cri_places_clear(&n->places);
    }
    n->count = 0;
}
