// Nearest neighbours of reach's trees: the kernel's scan against a k-d tree, at sizes that occur.
//
// Keys are those of the human arm: places (the paper's metric, largest displacement of 3-D points)
// and angles (Euclidean). Trees hold random configurations in the order of their arrival, as a
// search tree does; queries are random configurations. The k-d tree grows by insertion and splits
// one value after the other; a split farther away than the best so far ends a branch, which holds
// in both metrics. Both must find the same distance.
#include <carom/carom.h>

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

#include "reach/checker.h"

enum { SIZES = 8, MOST = 32768, QUERIES = 1000, MAX_KEY = 3 * CRI_MAX_PLACES };
static const int sizes[SIZES] = {8, 32, 128, 512, 2048, 8192, 16384, MOST};

// Nodes are numbers of keys; the split of a node is given by its depth.
typedef struct kd_tree {
    const float *keys; // one after the other
    int size, count;
    bool triples;
    int children[MOST][2];
} kd_tree;

typedef struct kd_best {
    float distance2;
    int node;
} kd_best;

static double seconds(void)
{
    struct timespec now;
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now);
    return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

static float distance2(const kd_tree *t, int node, const float *key)
{
    const float *at = t->keys + (size_t)node * (size_t)t->size;
    float most = 0, sum = 0;
    for (int d = 0; d < t->size; d++) {
        sum += (at[d] - key[d]) * (at[d] - key[d]);
        if (t->triples && d % 3 == 2) {
            most = fmaxf(most, sum);
            sum = 0;
        }
    }
    return t->triples ? most : sum;
}

static void kd_add(kd_tree *t)
{
    int node = t->count++, at = 0;
    const float *key = t->keys + (size_t)node * (size_t)t->size;
    t->children[node][0] = t->children[node][1] = -1;
    for (int depth = 0; node > 0; depth++) {
        int d = depth % t->size;
        int side = key[d] >= t->keys[at * t->size + d];
        if (t->children[at][side] < 0) {
            t->children[at][side] = node;
            return;
        }
        at = t->children[at][side];
    }
}

static void kd_find(const kd_tree *t, int node, int depth, const float *key, kd_best *best)
{
    float distance = distance2(t, node, key);
    if (distance < best->distance2) {
        *best = (kd_best){distance, node};
    }
    int d = depth % t->size;
    float off = key[d] - t->keys[node * t->size + d];
    int near = off >= 0;
    if (t->children[node][near] >= 0) {
        kd_find(t, t->children[node][near], depth + 1, key, best);
    }
    if (t->children[node][1 - near] >= 0 && off * off < best->distance2) {
        kd_find(t, t->children[node][1 - near], depth + 1, key, best);
    }
}

typedef struct bench {
    cri_checker checker;
    kd_tree tree;
    float keys[MOST * MAX_KEY];   // one after the other
    float blocks[MOST * MAX_KEY]; // eight side by side, for the kernel
    float queries[QUERIES][MAX_KEY];
} bench;

static void draw_key(const bench *b, cr_rng *rng, bool places, float *key)
{
    float q[CR_ARM_MAX_DOFS];
    for (int d = 0; d < b->checker.dof_count; d++) {
        const cr_arm_dof *dof = &b->checker.arm->dofs[d];
        q[d] = (float)cr_rng_uniform(rng, dof->low, dof->high);
    }
    if (places) {
        cri_kernel_best()->places(&b->checker, q, key);
    } else {
        for (int d = 0; d < b->checker.dof_count; d++) {
            key[d] = q[d];
        }
    }
}

static void grow(bench *b, cr_rng *rng, int count)
{
    kd_tree *t = &b->tree;
    for (int node = t->count; node < count; node++) {
        float *key = b->keys + (size_t)node * (size_t)t->size;
        draw_key(b, rng, t->triples, key);
        for (int d = 0; d < t->size; d++) {
            b->blocks[(node / 8 * t->size + d) * 8 + node % 8] = key[d];
        }
        kd_add(t);
    }
}

typedef struct answers {
    float scan[QUERIES], tree[QUERIES];
} answers;

static double time_scan(const bench *b, int count, answers *out)
{
    cri_reach_keys keys = {b->blocks, count, b->tree.size, b->tree.triples};
    double from = seconds();
    for (int i = 0; i < QUERIES; i++) {
        cri_kernel_best()->nearest(&keys, b->queries[i], &out->scan[i]);
    }
    return seconds() - from;
}

static double time_tree(const bench *b, answers *out)
{
    double from = seconds();
    for (int i = 0; i < QUERIES; i++) {
        kd_best best = {1e30f, 0};
        kd_find(&b->tree, 0, 0, b->queries[i], &best);
        out->tree[i] = sqrtf(best.distance2);
    }
    return seconds() - from;
}

// One row of the table, the least of a few rounds; false if the two disagree.
static bool measure(bench *b, int count)
{
    answers out;
    double scan = 1e9, tree = 1e9;
    for (int round = 0; round < 5; round++) {
        scan = fmin(scan, time_scan(b, count, &out));
        tree = fmin(tree, time_tree(b, &out));
    }
    printf("| %s | %d | %.3f | %.3f |\n", b->tree.triples ? "places" : "angles", count,
           1e6 * scan / QUERIES, 1e6 * tree / QUERIES);
    bool same = true;
    for (int i = 0; i < QUERIES; i++) {
        same = same && fabsf(out.scan[i] - out.tree[i]) < 1e-4f;
    }
    return same;
}

static bool run(bench *b, bool places)
{
    bool same = true;
    cr_rng rng = cr_rng_make(1, CR_RNG_USER, 0);
    b->tree = (kd_tree){.keys = b->keys,
                        .size = places ? 3 * b->checker.place_count : b->checker.dof_count,
                        .triples = places};
    for (int i = 0; i < QUERIES; i++) {
        draw_key(b, &rng, places, b->queries[i]);
    }
    for (int i = 0; i < SIZES; i++) {
        grow(b, &rng, sizes[i]);
        same = measure(b, sizes[i]) && same;
    }
    return same;
}

int main(void)
{
    cr_report report = {0};
    cr_arm *arm;
    bench *b = calloc(1, sizeof *b);
    if (!b || cr_arm_create_human(&arm, &report) != CR_OK) {
        free(b);
        return 1;
    }
    cr_reach_task task = {.arm = arm, .name = "nothing"};
    bool same = cri_checker_set(&b->checker, &task, &report) == CR_OK;
    printf("| metric | nodes | scan, us | k-d tree, us |\n|---|---|---|---|\n");
    same = same && run(b, true) && run(b, false);
    if (!same) {
        fprintf(stderr, "bench_nearest: the two do not find the same\n");
    }
    cri_checker_free(&b->checker);
    cr_arm_destroy(arm);
    free(b);
    return same ? 0 : 1;
}
