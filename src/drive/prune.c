// The largest strong component of a move graph: where one can always go on, and get back.
//
// Tarjan's algorithm over the nodes, with a stack of our own, since chains are long.
#include "drive/graph.h"

#include <stdlib.h>
#include <string.h>

typedef struct tarjan {
    const cr_moves *moves;
    const bool *keep;
    int *order, *low;  // by node; order 0: not seen
    int *stack, *path; // nodes
    int *next;         // by node: the way to look at next
    bool *on_stack;
    int *component; // by node
    int stack_count, path_count, clock, component_count;
} tarjan;

static void tarjan_free(tarjan *t)
{
    free(t->order);
    free(t->low);
    free(t->stack);
    free(t->path);
    free(t->next);
    free(t->on_stack);
    free(t->component);
}

static bool tarjan_make(tarjan *t, const cr_moves *moves, const bool *keep)
{
    size_t n = (size_t)moves->node_count + 1;
    *t = (tarjan){.moves = moves, .keep = keep};
    t->order = calloc(n, sizeof *t->order);
    t->low = calloc(n, sizeof *t->low);
    t->stack = calloc(n, sizeof *t->stack);
    t->path = calloc(n, sizeof *t->path);
    t->next = calloc(n, sizeof *t->next);
    t->on_stack = calloc(n, sizeof *t->on_stack);
    t->component = calloc(n, sizeof *t->component);
    return t->order && t->low && t->stack && t->path && t->next && t->on_stack && t->component;
}

static void enter(tarjan *t, int node)
{
    t->order[node] = t->low[node] = ++t->clock;
    t->next[node] = t->moves->nodes[node].way;
    t->stack[t->stack_count++] = node;
    t->path[t->path_count++] = node;
    t->on_stack[node] = true;
}

static void leave(tarjan *t, int node)
{
    t->path_count--;
    if (t->path_count > 0) {
        int parent = t->path[t->path_count - 1];
        t->low[parent] = t->low[node] < t->low[parent] ? t->low[node] : t->low[parent];
    }
    if (t->low[node] != t->order[node]) {
        return;
    }
    int member;
    do {
        member = t->stack[--t->stack_count];
        t->on_stack[member] = false;
        t->component[member] = t->component_count;
    } while (member != node);
    t->component_count++;
}

static void walk(tarjan *t, int root)
{
    enter(t, root);
    while (t->path_count > 0) {
        int node = t->path[t->path_count - 1];
        const cri_move_node *n = &t->moves->nodes[node];
        if (t->next[node] == n->way + n->way_count) {
            leave(t, node);
            continue;
        }
        int way = t->next[node]++;
        int to = t->moves->moves[t->moves->ways[way].move].node;
        if (!t->keep[way]) {
            continue;
        }
        if (t->order[to] == 0) {
            enter(t, to);
        } else if (t->on_stack[to] && t->order[to] < t->low[node]) {
            t->low[node] = t->order[to];
        }
    }
}

// The component with most ways inside it; ties go to the one found first.
static int largest(const tarjan *t, int *count)
{
    for (int n = 0; n < t->moves->node_count; n++) {
        const cri_move_node *node = &t->moves->nodes[n];
        for (int i = node->way; i < node->way + node->way_count; i++) {
            int to = t->moves->moves[t->moves->ways[i].move].node;
            if (t->keep[i] && t->component[n] == t->component[to]) {
                count[t->component[n]]++;
            }
        }
    }
    int best = 0;
    for (int i = 1; i < t->component_count; i++) {
        best = count[i] > count[best] ? i : best;
    }
    return best;
}

// New numbers for nodes and moves, -1 for those that go.
typedef struct numbers {
    int *node, *move;
} numbers;

static void keep_moves(cr_moves *moves, const numbers *to)
{
    int count = 0;
    for (int i = 0; i < moves->move_count; i++) {
        if (to->move[i] >= 0) {
            to->move[i] = count;
            moves->moves[count] = moves->moves[i];
            moves->moves[count++].node = to->node[moves->moves[i].node];
        }
    }
    moves->facts.unconnected += moves->move_count - count;
    moves->move_count = count;
}

static void keep_nodes(cr_moves *moves, const numbers *to, const bool *keep)
{
    int ways = 0, nodes = 0;
    for (int n = 0; n < moves->node_count; n++) {
        cri_move_node node = moves->nodes[n];
        if (to->node[n] < 0) {
            continue;
        }
        int first = ways;
        for (int i = node.way; i < node.way + node.way_count; i++) {
            if (keep[i] && to->move[moves->ways[i].move] >= 0) {
                moves->ways[ways] = moves->ways[i];
                moves->ways[ways].move = to->move[moves->ways[i].move];
                ways++;
            }
        }
        node.way = first;
        node.way_count = ways - first;
        moves->nodes[nodes++] = node;
    }
    moves->node_count = nodes;
    moves->way_count = ways;
}

static void renumber(cr_moves *moves, const tarjan *t, bool *keep, int component, numbers *to)
{
    int nodes = 0;
    memset(to->move, -1, ((size_t)moves->move_count + 1) * sizeof *to->move);
    for (int n = 0; n < moves->node_count; n++) {
        to->node[n] = t->component[n] == component ? nodes++ : -1;
    }
    for (int n = 0; n < moves->node_count; n++) {
        const cri_move_node *node = &moves->nodes[n];
        for (int i = node->way; i < node->way + node->way_count; i++) {
            int move = moves->ways[i].move;
            keep[i] = keep[i] && to->node[n] >= 0 && to->node[moves->moves[move].node] >= 0;
            if (keep[i]) {
                to->move[move] = 0;
            }
        }
    }
    keep_moves(moves, to);
    keep_nodes(moves, to, keep);
}

cr_status cri_graph_prune(cr_moves *moves, bool *keep, cr_report *report)
{
    tarjan t;
    bool enough = tarjan_make(&t, moves, keep);
    numbers to = {calloc((size_t)moves->node_count + 1, sizeof(int)),
                  calloc((size_t)moves->move_count + 1, sizeof(int))};
    int *count = calloc((size_t)moves->node_count + 1, sizeof *count);
    cr_status status = CR_OK;
    if (!enough || !to.node || !to.move || !count) {
        status = cri_fail_memory(report);
    } else if (moves->node_count == 0) {
        status = cri_fail(report, CR_ERR_RANGE, (cri_location){0},
                          "no two frames of the clips are alike enough for a transition");
    } else {
        for (int n = 0; n < moves->node_count; n++) {
            if (t.order[n] == 0) {
                walk(&t, n);
            }
        }
        renumber(moves, &t, keep, largest(&t, count), &to);
    }
    if (status == CR_OK && moves->way_count == 0) {
        status = cri_fail(report, CR_ERR_RANGE, (cri_location){0},
                          "the clips make no graph in which one can always go on");
    }
    tarjan_free(&t);
    free(to.node);
    free(to.move);
    free(count);
    return status;
}
