// Finite-horizon A* over chains of moves (thesis, sections 3.2 and 3.5).
//
// The open nodes are in a heap by f = time so far + greed * guessed time to go. A node is tested
// for collisions only when it is taken out, since most never are. The first node taken out that
// lies at the horizon, or past the goal, ends the best chain. When the heap runs dry or the node
// limit is reached before, the chain that lasts longest is taken: driving on is better than not.
//
// Nodes that are nearly in the same place, heading and motion at nearly the same time are one: only
// the first, which is the best, is opened. All memory is taken at creation.
#include "drive/search.h"

#include <math.h>
#include <stdlib.h>

#include "base/hash.h"
#include "base/vec.h"

typedef struct node {
    cri_step at;
    int parent, move;
} node;

typedef struct entry {
    double f;
    int node;
} entry;

struct cri_search {
    cri_course course;
    cri_look look;
    int limit; // nodes
    int node_count, node_capacity;
    node *nodes;
    int heap_count;
    entry *heap;
    uint64_t *seen; // keys of opened nodes, 0 where free
    int seen_mask;
    int *used; // places of `seen` to clear before the next search
    int used_count;
};

void cri_search_destroy(cri_search *search)
{
    if (search) {
        free(search->nodes);
        free(search->heap);
        free(search->seen);
        free(search->used);
        free(search);
    }
}

#define MOST_WAYS  48 // on average, for the size of the node pool
#define MOST_NODES 2500000

cr_status cri_search_create(const cri_course *course, int nodes, cri_search **out,
                            cr_report *report)
{
    cri_search *search = *out = calloc(1, sizeof *search);
    if (!search) {
        return cri_fail_memory(report);
    }
    search->course = *course;
    search->limit = nodes;
    double ways = (double)course->moves->way_count / course->moves->node_count + 1;
    double wanted = nodes * fmin(2 * ways, MOST_WAYS) + 1024;
    search->node_capacity = (int)fmin(wanted, MOST_NODES);
    int size = 1024;
    while (size < 4 * nodes) {
        size *= 2;
    }
    search->seen_mask = size - 1;
    search->nodes = malloc((size_t)search->node_capacity * sizeof *search->nodes);
    search->heap = malloc((size_t)search->node_capacity * sizeof *search->heap);
    search->seen = calloc((size_t)size, sizeof *search->seen);
    search->used = malloc((size_t)size * sizeof *search->used);
    if (!search->nodes || !search->heap || !search->seen || !search->used) {
        cri_search_destroy(search);
        *out = NULL;
        return cri_fail_memory(report);
    }
    return CR_OK;
}

// ---------------------------------------------------------------------------------------------
// The heap. Ties go to the newer node: it is as good and, mostly, deeper.

static bool before(entry a, entry b)
{
    return a.f < b.f || (a.f == b.f && a.node > b.node);
}

static void push(cri_search *search, entry e)
{
    int i = search->heap_count++;
    while (i > 0 && before(e, search->heap[(i - 1) / 2])) {
        search->heap[i] = search->heap[(i - 1) / 2];
        i = (i - 1) / 2;
    }
    search->heap[i] = e;
}

static entry pop(cri_search *search)
{
    entry top = search->heap[0], last = search->heap[--search->heap_count];
    int i = 0, n = search->heap_count;
    for (int child = 1; child < n; child = 2 * i + 1) {
        if (child + 1 < n && before(search->heap[child + 1], search->heap[child])) {
            child++;
        }
        if (!before(search->heap[child], last)) {
            break;
        }
        search->heap[i] = search->heap[child];
        i = child;
    }
    search->heap[i] = last;
    return top;
}

// ---------------------------------------------------------------------------------------------
// Steps

cri_step cri_step_move(const cri_course *course, const cri_step *from, int move)
{
    const cri_move *m = &course->moves->moves[move];
    cri_step to;
    to.x = from->x + from->c * m->x - from->s * m->y;
    to.y = from->y + from->s * m->x + from->c * m->y;
    to.c = from->c * m->c - from->s * m->s;
    to.s = from->s * m->c + from->c * m->s;
    to.time = from->time + m->frames;
    to.node = m->node;
    to.spot = cri_track_follow(course->track, from->spot, to.x, to.y);
    return to;
}

static cri_box put_box(const cri_step *from, const cri_box *box)
{
    return (cri_box){from->x + from->c * box->x - from->s * box->y,
                     from->y + from->s * box->x + from->c * box->y,
                     from->c * box->c - from->s * box->s,
                     from->s * box->c + from->c * box->s,
                     box->half_length,
                     box->half_width};
}

// The circle around the move against each car's, over the time of the move.
static int near_cars(const cri_course *course, const cri_step *from, const cri_move *m, int *near)
{
    int count = 0, last = course->frame_count - 1;
    int begin = from->time < last ? from->time : last;
    int end = begin + m->frames < last ? begin + m->frames : last;
    double x = from->x + from->c * m->middle_x - from->s * m->middle_y;
    double y = from->y + from->s * m->middle_x + from->c * m->middle_y;
    for (int i = 0; i < course->car_count; i++) {
        const cri_box *a = &course->cars[begin * course->car_count + i];
        const cri_box *b = &course->cars[end * course->car_count + i];
        double travel = 0.5 * sqrt((b->x - a->x) * (b->x - a->x) + (b->y - a->y) * (b->y - a->y));
        double dx = 0.5 * (a->x + b->x) - x, dy = 0.5 * (a->y + b->y) - y;
        double reach = m->radius + course->car_radius + 1.2 * travel;
        if (dx * dx + dy * dy < reach * reach) {
            near[count++] = i;
        }
    }
    return count;
}

static bool sweep_hits_cars(const cri_course *course, const cri_step *from, const cri_sweep *sweep,
                            const cri_box *box, const int *near, int near_count)
{
    for (int f = sweep->from; f <= sweep->to; f++) {
        int frame = from->time + f;
        frame = frame < course->frame_count ? frame : course->frame_count - 1;
        for (int i = 0; i < near_count; i++) {
            if (cri_boxes_touch(box, &course->cars[frame * course->car_count + near[i]])) {
                return true;
            }
        }
    }
    return false;
}

int cri_step_touches(const cri_course *course, const cri_step *from, int move)
{
    const cri_move *m = &course->moves->moves[move];
    int near[CR_TRACK_MAX_CARS];
    int near_count = course->car_count ? near_cars(course, from, m, near) : 0;
    for (int i = 0; i < m->sweep_count; i++) {
        const cri_sweep *sweep = &course->moves->sweeps[m->sweep + i];
        cri_box box = put_box(from, &sweep->box);
        if (cri_track_hits(course->track, &box) ||
            (near_count && sweep_hits_cars(course, from, sweep, &box, near, near_count))) {
            return sweep->to;
        }
    }
    return -1;
}

// ---------------------------------------------------------------------------------------------
// The search

static uint64_t bin(double value, double size)
{
    return (uint64_t)(int64_t)floor(value / size);
}

// A name for the cell of place, heading, motion and time that the step is in; never 0.
static uint64_t key_of(const cri_search *search, const cri_step *at)
{
    uint64_t hash = CRI_HASH_START;
    hash = cri_hash_word(hash, bin(at->x, 0.5));
    hash = cri_hash_word(hash, bin(at->y, 0.5));
    hash = cri_hash_word(hash, bin(at->c, 0.06));
    hash = cri_hash_word(hash, bin(at->s, 0.06));
    hash = cri_hash_word(hash, (uint64_t)at->node);
    hash = cri_hash_word(hash, search->course.car_count ? bin(at->time, 4) : 0);
    return hash | 1;
}

static bool seen_before(cri_search *search, const cri_step *at)
{
    uint64_t key = key_of(search, at);
    int i = (int)(key >> 20) & search->seen_mask;
    while (search->seen[i]) {
        if (search->seen[i] == key) {
            return true;
        }
        i = (i + 1) & search->seen_mask;
    }
    search->seen[i] = key;
    search->used[search->used_count++] = i;
    return false;
}

static const cri_motion *motion_after(const cri_course *course, int move)
{
    const cri_move *m = &course->moves->moves[move];
    return &course->moves->clips.frames[m->frame + m->frames].motion;
}

static void open_node(cri_search *search, int index)
{
    const cri_course *course = &search->course;
    const cri_node *place = &course->moves->nodes[search->nodes[index].at.node];
    for (int i = 0; i < place->way_count && search->node_count < search->node_capacity; i++) {
        int move = course->moves->ways[place->way + i].move;
        node *next = &search->nodes[search->node_count];
        next->at = cri_step_move(course, &search->nodes[index].at, move);
        if (!cri_track_inside(course->track, &next->at.spot)) {
            continue;
        }
        next->parent = index;
        next->move = move;
        double guess = cri_guess_time(course, &next->at, motion_after(course, move));
        double time = (double)(next->at.time - search->nodes[0].at.time) / CR_DRIVE_RATE;
        push(search, (entry){time + search->look.greed * guess, search->node_count++});
    }
}

static bool is_end(const cri_search *search, const cri_step *at)
{
    return at->time - search->nodes[0].at.time >= search->look.horizon ||
           at->spot.along >= search->course.goal;
}

static void begin(cri_search *search, const cri_step *from)
{
    for (int i = 0; i < search->used_count; i++) {
        search->seen[search->used[i]] = 0;
    }
    search->used_count = 0;
    search->heap_count = 0;
    search->node_count = 1;
    search->nodes[0] = (node){*from, -1, -1};
    open_node(search, 0);
}

static void trace(const cri_search *search, int last, cri_chain *chain)
{
    int count = 0;
    for (int i = last; i > 0; i = search->nodes[i].parent) {
        count++;
    }
    chain->count = count < CRI_CHAIN_MAX ? count : CRI_CHAIN_MAX;
    for (int i = last; i > 0; i = search->nodes[i].parent) {
        count--;
        if (count < CRI_CHAIN_MAX) {
            chain->moves[count] = search->nodes[i].move;
        }
    }
    chain->frames = search->nodes[last].at.time - search->nodes[0].at.time;
}

void cri_search_run(cri_search *search, const cri_step *from, cri_look look, cri_chain *chain)
{
    *chain = (cri_chain){0};
    search->look = look;
    begin(search, from);
    int longest = 0;
    while (search->heap_count > 0 && chain->opened < search->limit) {
        entry best = pop(search);
        const node *n = &search->nodes[best.node];
        if (cri_step_touches(&search->course, &search->nodes[n->parent].at, n->move) >= 0) {
            continue;
        }
        if (n->at.time > search->nodes[longest].at.time) {
            longest = best.node;
            chain->value = best.f;
        }
        if (is_end(search, &n->at)) {
            longest = best.node;
            chain->value = best.f;
            chain->complete = true;
            break;
        }
        if (!seen_before(search, &n->at)) {
            chain->opened++;
            open_node(search, best.node);
        }
    }
    trace(search, longest, chain);
}
