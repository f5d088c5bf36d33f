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

// An opened node.
typedef struct node {
    cri_drive_step at;
    int parent, move;
} node;

// A node that may be opened: the way that leads to it from an opened one. Where it ends is worked
// out again when it is taken out, because for each that is, ten never are.
typedef struct entry {
    double f;
    int parent, way;
} entry;

struct cri_drive_search {
    cri_drive_task task;
    cri_look look;
    int limit; // nodes
    int node_count;
    node *nodes; // limit + 1: the root is not counted
    int heap_count, heap_capacity;
    entry *heap;
    uint64_t *seen; // keys of opened nodes, 0 where free
    int seen_mask;
    int *used; // cells of `seen` to clear before the next search
    int used_count;
};

void cri_drive_search_destroy(cri_drive_search *search)
{
    if (search) {
        free(search->nodes);
        free(search->heap);
        free(search->seen);
        free(search->used);
        free(search);
    }
}

#define MOST_WAYS    48 // on average, for the size of the heap
#define MOST_ENTRIES 16000000
#define ASK_EVERY    16 // nodes from one look at the clock to the next

cr_status cri_drive_search_create(const cri_drive_task *task, int nodes, cri_drive_search **out,
                                  cr_report *report)
{
    cri_drive_search *search = *out = calloc(1, sizeof *search);
    if (!search) {
        return cri_fail_memory(report);
    }
    search->task = *task;
    search->limit = nodes;
    double ways = (double)task->moves->way_count / task->moves->node_count + 1;
    double wanted = nodes * fmin(2 * ways, MOST_WAYS) + 1024;
    search->heap_capacity = (int)fmin(wanted, MOST_ENTRIES);
    int size = 1024;
    while (size < 4 * nodes) {
        size *= 2;
    }
    search->seen_mask = size - 1;
    search->nodes = malloc(((size_t)nodes + 1) * sizeof *search->nodes);
    search->heap = malloc((size_t)search->heap_capacity * sizeof *search->heap);
    search->seen = calloc((size_t)size, sizeof *search->seen);
    search->used = malloc((size_t)size * sizeof *search->used);
    if (!search->nodes || !search->heap || !search->seen || !search->used) {
        cri_drive_search_destroy(search);
        *out = NULL;
        return cri_fail_memory(report);
    }
    return CR_OK;
}

// ---------------------------------------------------------------------------------------------
// The heap, four children a node: half as deep as with two, and they share a cache line. Ties go
// to the newer entry: it is as good and, mostly, deeper.

static bool before(entry a, entry b)
{
    if (a.f != b.f) {
        return a.f < b.f;
    }
    return a.parent > b.parent || (a.parent == b.parent && a.way > b.way);
}

static void push(cri_drive_search *search, entry e)
{
    int i = search->heap_count++;
    while (i > 0 && before(e, search->heap[(i - 1) / 4])) {
        search->heap[i] = search->heap[(i - 1) / 4];
        i = (i - 1) / 4;
    }
    search->heap[i] = e;
}

static int first_child(const entry *heap, int i, int count)
{
    int best = 4 * i + 1;
    int end = best + 4 < count ? best + 4 : count;
    for (int child = best + 1; child < end; child++) {
        best = before(heap[child], heap[best]) ? child : best;
    }
    return best;
}

static entry pop(cri_drive_search *search)
{
    entry *heap = search->heap;
    entry top = heap[0], last = heap[--search->heap_count];
    int i = 0, n = search->heap_count;
    while (4 * i + 1 < n) {
        int child = first_child(heap, i, n);
        if (!before(heap[child], last)) {
            break;
        }
        heap[i] = heap[child];
        i = child;
    }
    heap[i] = last;
    return top;
}

// ---------------------------------------------------------------------------------------------
// Steps

void cri_drive_step_move(const cri_drive_task *task, const cri_drive_step *from, int move,
                         cri_drive_step *to)
{
    const cri_move *m = &task->moves->moves[move];
    to->x = from->x + from->c * m->x - from->s * m->y;
    to->y = from->y + from->s * m->x + from->c * m->y;
    to->c = from->c * m->c - from->s * m->s;
    to->s = from->s * m->c + from->c * m->s;
    to->time = from->time + m->frames;
    to->node = m->node;
    to->spot.gate = from->spot.gate;
    to->spot.lap = from->spot.lap;
    cri_track_follow(task->track, &to->spot, to->x, to->y);
}

static cri_box put_box(const cri_drive_step *from, const cri_box *box)
{
    return (cri_box){from->x + from->c * box->x - from->s * box->y,
                     from->y + from->s * box->x + from->c * box->y,
                     from->c * box->c - from->s * box->s,
                     from->s * box->c + from->c * box->s,
                     box->half_length,
                     box->half_width};
}

// The circle around the move against each car's, over the time of the move.
static int near_cars(const cri_drive_task *task, const cri_drive_step *from, const cri_move *m,
                     int *near)
{
    int count = 0, last = task->frame_count - 1;
    int begin = from->time < last ? from->time : last;
    int end = begin + m->frames < last ? begin + m->frames : last;
    double x = from->x + from->c * m->middle_x - from->s * m->middle_y;
    double y = from->y + from->s * m->middle_x + from->c * m->middle_y;
    // A first look at where the car begins, for the many that are far away: no car gets farther.
    double far = m->radius + task->car_radius + 1.3 * task->car_step * m->frames;
    for (int i = 0; i < task->car_count; i++) {
        const cri_box *a = &task->cars[begin * task->car_count + i];
        const cri_box *b = &task->cars[end * task->car_count + i];
        if (fabs(a->x - x) > far || fabs(a->y - y) > far) {
            continue;
        }
        double travel = 0.5 * sqrt((b->x - a->x) * (b->x - a->x) + (b->y - a->y) * (b->y - a->y));
        double dx = 0.5 * (a->x + b->x) - x, dy = 0.5 * (a->y + b->y) - y;
        double reach = m->radius + task->car_radius + 1.2 * travel;
        if (dx * dx + dy * dy < reach * reach) {
            near[count++] = i;
        }
    }
    return count;
}

static bool sweep_hits_cars(const cri_drive_task *task, const cri_drive_step *from,
                            const cri_sweep *sweep, const cri_box *box, const int *near,
                            int near_count)
{
    for (int f = sweep->from; f <= sweep->to; f++) {
        int frame = from->time + f;
        frame = frame < task->frame_count ? frame : task->frame_count - 1;
        for (int i = 0; i < near_count; i++) {
            if (cri_boxes_touch(box, &task->cars[frame * task->car_count + near[i]])) {
                return true;
            }
        }
    }
    return false;
}

int cri_drive_step_touches(const cri_drive_task *task, const cri_drive_step *from, int move)
{
    const cri_move *m = &task->moves->moves[move];
    int near[CR_TRACK_MAX_CARS];
    int near_count = task->car_count ? near_cars(task, from, m, near) : 0;
    for (int i = 0; i < m->sweep_count; i++) {
        const cri_sweep *sweep = &task->moves->sweeps[m->sweep + i];
        cri_box box = put_box(from, &sweep->box);
        if (cri_track_hits(task->track, &box) ||
            (near_count && sweep_hits_cars(task, from, sweep, &box, near, near_count))) {
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
static uint64_t key_of(const cri_drive_search *search, const cri_drive_step *at)
{
    uint64_t hash = CRI_HASH_START;
    hash = cri_hash_word(hash, bin(at->x, 0.5));
    hash = cri_hash_word(hash, bin(at->y, 0.5));
    hash = cri_hash_word(hash, bin(at->c, 0.06));
    hash = cri_hash_word(hash, bin(at->s, 0.06));
    hash = cri_hash_word(hash, (uint64_t)at->node);
    hash = cri_hash_word(hash, search->task.car_count ? bin(at->time, 4) : 0);
    return hash | 1;
}

// Where in `seen` the step's cell is, or would be.
static int seen_cell(const cri_drive_search *search, const cri_drive_step *at)
{
    uint64_t key = key_of(search, at);
    int i = (int)(key >> 20) & search->seen_mask;
    while (search->seen[i] && search->seen[i] != key) {
        i = (i + 1) & search->seen_mask;
    }
    return i;
}

static const cri_drive_motion *motion_after(const cri_drive_task *task, int move)
{
    const cri_move *m = &task->moves->moves[move];
    return &task->moves->clips.frames[m->frame + m->frames].motion;
}

static void open_node(cri_drive_search *search, int index)
{
    const cri_drive_task *task = &search->task;
    const cri_drive_step *from = &search->nodes[index].at;
    const cri_move_node *junction = &task->moves->nodes[from->node];
    for (int i = junction->way; i < junction->way + junction->way_count; i++) {
        int move = task->moves->ways[i].move;
        cri_drive_step to;
        cri_drive_step_move(task, from, move, &to);
        if (!cri_track_inside(task->track, &to.spot)) {
            continue;
        }
        if (search->heap_count == search->heap_capacity) {
            return;
        }
        double guess = cri_guess_time(task, &to, motion_after(task, move));
        double time = (double)(to.time - search->nodes[0].at.time) / CR_DRIVE_RATE;
        push(search, (entry){time + search->look.greed * guess, index, i});
    }
}

static bool is_end(const cri_drive_search *search, const cri_drive_step *at)
{
    return at->time - search->nodes[0].at.time >= search->look.horizon ||
           at->spot.along >= search->task.goal;
}

static void begin(cri_drive_search *search, const cri_drive_step *from)
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

static void trace(const cri_drive_search *search, const node *last, cri_chain *chain)
{
    int count = 0;
    for (const node *n = last; n->parent >= 0; n = &search->nodes[n->parent]) {
        count++;
    }
    chain->count = count < CRI_CHAIN_MAX ? count : CRI_CHAIN_MAX;
    for (const node *n = last; n->parent >= 0; n = &search->nodes[n->parent]) {
        count--;
        if (count < CRI_CHAIN_MAX) {
            chain->moves[count] = n->move;
        }
    }
    chain->frames = last->at.time - search->nodes[0].at.time;
}

static void make_node(const cri_drive_search *search, const entry *e, node *out)
{
    out->parent = e->parent;
    out->move = search->task.moves->ways[e->way].move;
    cri_drive_step_move(&search->task, &search->nodes[e->parent].at, out->move, &out->at);
}

static void add_node(cri_drive_search *search, const node *n, int cell)
{
    search->seen[cell] = key_of(search, &n->at);
    search->used[search->used_count++] = cell;
    search->nodes[search->node_count] = *n;
    open_node(search, search->node_count++);
}

// Whether the time is over. Asked now and then, because asking costs.
static bool late(const cri_drive_search *search, int opened)
{
    const cri_watch *watch = search->look.watch;
    return watch && opened % ASK_EVERY == ASK_EVERY - 1 &&
           watch->clock(watch->context) > watch->until;
}

void cri_drive_search_run(cri_drive_search *search, const cri_drive_step *from, cri_look look,
                          cri_chain *chain)
{
    *chain = (cri_chain){0};
    search->look = look;
    begin(search, from);
    node last = search->nodes[0];
    while (search->heap_count > 0 && chain->opened < search->limit &&
           !late(search, chain->opened)) {
        entry best = pop(search);
        node n;
        make_node(search, &best, &n);
        int cell = seen_cell(search, &n.at);
        bool seen = search->seen[cell] != 0, end = is_end(search, &n.at);
        bool leads = end || n.at.time > last.at.time;
        if ((seen && !leads) ||
            cri_drive_step_touches(&search->task, &search->nodes[n.parent].at, n.move) >= 0) {
            continue;
        }
        if (leads) {
            last = n;
            chain->value = best.f;
        }
        if (end) {
            chain->complete = true;
            break;
        }
        if (!seen) {
            chain->opened++;
            add_node(search, &n, cell);
        }
    }
    trace(search, &last, chain);
}
