// The planner of algorithm 1: two trees, rooted at the start and the goal, grow towards samples and
// are joined where a straight interpolation between them is valid.
//
// A path that was found and smoothed at the chosen resolution is then proven: every edge must be
// clear between the checked points too. In the rare case that one is not, smoothing is left out, or
// else the search is done again with a proof for every edge. Samples come from a stream named by
// the seed alone.
#include "reach/planner.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "base/vec.h"

static double read_clock(clockid_t which)
{
    struct timespec now;
    clock_gettime(which, &now);
    return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

// For limits: what the caller's watch says.
static double wall_seconds(void)
{
    return read_clock(CLOCK_MONOTONIC);
}

// For statistics: what this thread worked, however busy the machine is.
static double work_seconds(void)
{
    return read_clock(CLOCK_THREAD_CPUTIME_ID);
}

double cri_config_distance(const float *a, const float *b, int dof_count)
{
    float sum = 0;
    for (int d = 0; d < dof_count; d++) {
        sum += (b[d] - a[d]) * (b[d] - a[d]);
    }
    return sqrt((double)sum);
}

bool cri_edge_clear(cr_reach *r, const float *a, const float *b)
{
    double length = cri_config_distance(a, b, r->checker.dof_count);
    int points = (int)fmin(ceil(length / r->def.resolution), 1e6);
    r->edges++;
    return r->kernel->edge(&r->checker, a, b, points > 0 ? points : 1, &r->checks) &&
           (!r->strict || r->kernel->prove(&r->checker, a, b, &r->checks));
}

// ---------------------------------------------------------------------------------------------
// Samples.

// Uniform within limits; uniform in the ellipse of a swing.
static void draw_swing(const cr_arm_dof *dof, cr_rng *rng, float *q, int stride)
{
    double x, y;
    do {
        x = cr_rng_uniform(rng, -1, 1);
        y = cr_rng_uniform(rng, -1, 1);
    } while (x * x + y * y > 1);
    q[0] = (float)(x * dof[0].high);
    q[stride] = (float)(y * dof[1].high);
}

static void draw_uniform(cr_reach *r, float *q, int stride)
{
    const cr_arm *arm = r->checker.arm;
    for (int d = 0; d < arm->dof_count; d++) {
        const cr_arm_dof *dof = &arm->dofs[d];
        if (dof->swings) {
            draw_swing(dof, &r->rng, q + d * stride, stride);
            d++;
        } else {
            q[d * stride] = (float)cr_rng_uniform(&r->rng, dof->low, dof->high);
        }
    }
    if (r->def.flexed && arm->human.is) {
        int elbow = arm->frames[arm->human.elbow].dof;
        q[elbow * stride] = (float)(0.95 * arm->dofs[elbow].high);
    }
}

static void fill_ready(cr_reach *r)
{
    for (int l = 0; l < 8; l++) {
        draw_uniform(r, r->ready + l, 8);
    }
    r->ready_bits = r->kernel->clear8(&r->checker, r->ready);
    r->checks += 8;
    r->ready_next = 0;
}

// The next random configuration that is valid.
static void draw_valid(cr_reach *r, float *q)
{
    while (r->ready_next == 8 || !(r->ready_bits >> r->ready_next & 1)) {
        if (r->ready_next == 8) {
            fill_ready(r);
        } else {
            r->ready_next++;
            r->samples++;
        }
    }
    for (int d = 0; d < r->checker.dof_count; d++) {
        q[d] = r->ready[d * 8 + r->ready_next];
    }
    r->ready_next++;
}

static void draw_entry(cr_reach *r, const cr_cache *cache, float *q)
{
    const cr_arm *arm = r->checker.arm;
    int entry = (int)cr_rng_index(&r->rng, (uint64_t)cache->count);
    const float *values = cri_cache_entry(cache, entry);
    for (int d = 0; d < cache->dof_count; d++) {
        // the task may hold joints that moved when the entry was learnt
        q[d] = (float)cri_clamp((double)values[d], arm->dofs[d].low, arm->dofs[d].high);
    }
}

// For the tree that has not left its root; for the one that grows if neither has.
static void draw_bred(cr_reach *r, const cr_cache *cache, int side, float *q)
{
    bool out[2] = {r->trees[0].count > 1, r->trees[1].count > 1};
    int stuck = out[0] == out[1] ? side : out[0] ? 1 : 0;
    cri_wish wish = {r->checker.arm, cri_reach_tree_at(&r->trees[stuck], 0), r->iterations};
    cri_cache_breed(cache, &wish, &r->rng, q);
}

// Bred samples are steps away from a root; once both trees are out they have done what they can.
static bool cache_helps(const cr_reach *r, const cr_cache *cache)
{
    return cache && cache->count &&
           (cache->def.kind == CR_CACHE_PAPER || r->trees[0].count == 1 || r->trees[1].count == 1);
}

// Algorithm 2, for the tree that grows.
static void sample_configuration(cr_reach *r, const cr_cache *cache, int side, float *q)
{
    r->samples++;
    if (cache_helps(r, cache) && cr_rng_unit(&r->rng) < cri_cache_share(cache)) {
        if (cache->def.kind == CR_CACHE_PAPER) {
            draw_entry(r, cache, q);
        } else {
            draw_bred(r, cache, side, q);
        }
    } else if (r->def.method == CR_REACH_STEP) {
        draw_valid(r, q);
    } else {
        draw_uniform(r, q, 1);
    }
}

// ---------------------------------------------------------------------------------------------
// Trees.

static void make_key(const cr_reach *r, const float *q, float *key)
{
    if (r->def.metric == CR_REACH_PLACES) {
        r->kernel->places(&r->checker, q, key);
    } else {
        memcpy(key, q, (size_t)r->checker.dof_count * sizeof *q);
    }
}

typedef struct near {
    int node;
    float distance; // in the metric
} near;

static near nearest(const cr_reach *r, const cri_reach_tree *tree, const float *key)
{
    near n;
    cri_reach_keys keys = {tree->keys, tree->count, tree->key_size,
                           r->def.metric == CR_REACH_PLACES};
    n.node = r->kernel->nearest(&keys, key, &n.distance);
    return n;
}

static int add_node(cr_reach *r, cri_reach_tree *tree, const float *q, int parent)
{
    float key[3 * CRI_MAX_PLACES];
    make_key(r, q, key);
    return cri_reach_tree_add(tree, &(cri_grown){q, key, parent});
}

// Line 8: a step of epsilon from a node towards the sample, or to the sample if it is nearer. The
// new node, or -1.
static int expand(cr_reach *r, cri_reach_tree *tree, near from, const float *sample)
{
    const double nowhere = 1e-4; // too near to give a direction
    float q[CR_ARM_MAX_DOFS];
    const float *start = cri_reach_tree_at(tree, from.node);
    if ((double)from.distance < nowhere) {
        return -1;
    }
    float t = (float)fmin(r->def.epsilon / (double)from.distance, 1);
    for (int d = 0; d < r->checker.dof_count; d++) {
        q[d] = start[d] + t * (sample[d] - start[d]);
    }
    if (!cri_edge_clear(r, start, q)) {
        return -1;
    }
    return add_node(r, tree, q, from.node);
}

// Where the trees meet: a node of each.
typedef struct bridge {
    int a, b; // of trees[0] and trees[1]
} bridge;

static bool join(cr_reach *r, int side, int mine, int other, bridge *met)
{
    const float *q = cri_reach_tree_at(&r->trees[side], mine);
    if (!cri_edge_clear(r, q, cri_reach_tree_at(&r->trees[1 - side], other))) {
        return false;
    }
    *met = side == 0 ? (bridge){mine, other} : (bridge){other, mine};
    return true;
}

// One pass of algorithm 1's loop, lines 2 to 11.
static bool step_once(cr_reach *r, const cr_cache *cache, int side, bridge *met)
{
    float sample[CR_ARM_MAX_DOFS], key[3 * CRI_MAX_PLACES];
    sample_configuration(r, cache, side, sample);
    make_key(r, sample, key);
    near mine = nearest(r, &r->trees[side], key);
    near other = nearest(r, &r->trees[1 - side], key);
    if (join(r, side, mine.node, other.node, met)) {
        return true;
    }
    int grown = expand(r, &r->trees[side], mine, sample);
    return grown >= 0 && join(r, side, grown, other.node, met);
}

// Steps towards a configuration until it is reached (true) or the way is blocked.
static bool connect(cr_reach *r, int side, const float *target, int *last)
{
    float key[3 * CRI_MAX_PLACES];
    make_key(r, target, key);
    near from = nearest(r, &r->trees[side], key);
    *last = from.node;
    while ((double)from.distance > 1e-4) {
        int grown = expand(r, &r->trees[side], from, target);
        if (grown < 0) {
            return false;
        }
        *last = grown;
        from.node = grown;
        from.distance -= (float)fmin(r->def.epsilon, (double)from.distance);
    }
    return true;
}

static bool connect_once(cr_reach *r, const cr_cache *cache, int side, bridge *met)
{
    float sample[CR_ARM_MAX_DOFS], key[3 * CRI_MAX_PLACES];
    sample_configuration(r, cache, side, sample);
    make_key(r, sample, key);
    int grown = expand(r, &r->trees[side], nearest(r, &r->trees[side], key), sample), reached;
    if (grown < 0) {
        return false;
    }
    float target[CR_ARM_MAX_DOFS];
    memcpy(target, cri_reach_tree_at(&r->trees[side], grown),
           sizeof(float) * (size_t)r->checker.dof_count);
    if (!connect(r, 1 - side, target, &reached)) {
        return false;
    }
    *met = side == 0 ? (bridge){grown, reached} : (bridge){reached, grown};
    return true;
}

static bool limits_reached(const cr_reach *r, cr_outcome *outcome)
{
    const cr_reach_def *def = &r->def;
    if (def->iterations && r->iterations >= def->iterations) {
        *outcome = CR_OUTCOME_ATTEMPTS;
    } else if (r->trees[0].count >= def->nodes || r->trees[1].count >= def->nodes) {
        *outcome = CR_OUTCOME_FULL;
    } else if (r->iterations % 32 == 31 && def->seconds > 0 &&
               wall_seconds() - r->started > def->seconds) {
        *outcome = CR_OUTCOME_SECONDS;
    } else if (r->iterations % 32 == 31 && def->stop && def->stop(def->context)) {
        *outcome = CR_OUTCOME_STOPPED;
    } else {
        return false;
    }
    return true;
}

static cr_outcome search(cr_reach *r, cr_cache *cache, bridge *met)
{
    cr_outcome outcome = CR_OUTCOME_GROWING;
    r->iterations++;
    if (join(r, 0, 0, 0, met)) {
        return CR_OUTCOME_SOLVED;
    }
    for (int side = 0; !limits_reached(r, &outcome); side = 1 - side) {
        r->iterations++;
        bool met_now = r->def.method == CR_REACH_STEP ? step_once(r, cache, side, met)
                                                      : connect_once(r, cache, side, met);
        if (met_now) {
            return CR_OUTCOME_SOLVED;
        }
    }
    return outcome;
}

// ---------------------------------------------------------------------------------------------
// Paths.

static bool path_reserve(cri_path *path, int capacity)
{
    if (capacity > path->capacity) {
        size_t size = (size_t)capacity * CR_ARM_MAX_DOFS * sizeof(float);
        float *values = realloc(path->values, size);
        if (!values) {
            return false;
        }
        path->values = values;
        path->capacity = capacity;
    }
    return true;
}

static int depth(const cri_reach_tree *tree, int node)
{
    int count = 0;
    for (; node >= 0; node = tree->parents[node]) {
        count++;
    }
    return count;
}

// MAKEPATH: from the start to the bridge and on to the goal; a bridge in one point is one node.
static bool make_path(cr_reach *r, bridge met)
{
    const cri_reach_tree *a = &r->trees[0], *b = &r->trees[1];
    int head = depth(a, met.a), tail = depth(b, met.b);
    size_t size = (size_t)r->checker.dof_count * sizeof(float);
    r->path.dof_count = r->checker.dof_count;
    if (!path_reserve(&r->path, head + tail + 2 * r->def.smooth + 2)) {
        return false;
    }
    int node = met.a;
    for (int i = head - 1; i >= 0; i--, node = a->parents[node]) {
        memcpy(cri_path_at(&r->path, i), cri_reach_tree_at(a, node), size);
    }
    r->path.count = head;
    bool same = memcmp(cri_reach_tree_at(a, met.a), cri_reach_tree_at(b, met.b), size) == 0;
    node = same ? b->parents[met.b] : met.b;
    for (; node >= 0; node = b->parents[node]) {
        memcpy(cri_path_at(&r->path, r->path.count++), cri_reach_tree_at(b, node), size);
    }
    return true;
}

static bool prove_path(cr_reach *r, const cri_path *path)
{
    for (int i = 0; i + 1 < path->count; i++) {
        if (!r->kernel->prove(&r->checker, cri_path_at(path, i), cri_path_at(path, i + 1),
                              &r->checks)) {
            return false;
        }
    }
    return true;
}

static bool copy_path(const cri_path *from, cri_path *to)
{
    to->dof_count = from->dof_count;
    if (!path_reserve(to, from->count)) {
        return false;
    }
    memcpy(to->values, from->values, (size_t)(from->count * from->dof_count) * sizeof(float));
    to->count = from->count;
    return true;
}

// Shorten the raw path and prove what comes out, else the raw one. False if neither holds.
static bool finish_path(cr_reach *r)
{
    cri_path_smooth(r, r->def.smooth);
    if (prove_path(r, &r->path)) {
        return true;
    }
    return r->def.smooth > 0 && prove_path(r, &r->raw) && copy_path(&r->raw, &r->path);
}

static void root_trees(cr_reach *r, const cr_reach_task *task)
{
    int keys = r->def.metric == CR_REACH_PLACES ? 3 * r->checker.place_count : r->checker.dof_count;
    for (int side = 0; side < 2; side++) {
        const double *end = side == 0 ? task->start : task->goal;
        float q[CR_ARM_MAX_DOFS];
        for (int d = 0; d < r->checker.dof_count; d++) {
            q[d] = (float)end[d];
        }
        cri_reach_tree_clear(&r->trees[side], r->checker.dof_count, keys);
        add_node(r, &r->trees[side], q, -1);
    }
}

// Hand the path over as doubles, with the ends exactly as asked for; the cache gets the raw one.
static cr_status give_path(cr_reach *r, const cr_reach_task *task, cr_cache *cache,
                           cr_reach_result *result, cr_report *report)
{
    int dofs = r->checker.dof_count, count = r->path.count;
    result->raw_count = r->raw.count;
    if (cache) {
        cri_cache_learn(cache, r->raw.values, r->raw.count, &r->rng);
    }
    if (count > r->result_capacity) {
        double *memory = realloc(r->result, (size_t)count * CR_ARM_MAX_DOFS * sizeof *memory);
        if (!memory) {
            return cri_fail_memory(report);
        }
        r->result = memory;
        r->result_capacity = count;
    }
    for (int i = 0; i < count * dofs; i++) {
        r->result[i] = (double)r->path.values[i];
    }
    memcpy(r->result, task->start, (size_t)dofs * sizeof(double));
    memcpy(r->result + (count - 1) * dofs, task->goal, (size_t)dofs * sizeof(double));
    for (int i = 0; i + 1 < count; i++) {
        result->length +=
            cri_config_distance(cri_path_at(&r->path, i), cri_path_at(&r->path, i + 1), dofs);
    }
    result->path = r->result;
    result->count = count;
    return CR_OK;
}

// Search, shorten and prove; again with strict edges if there is no proof.
static cr_status solve(cr_reach *r, const cr_reach_task *task, cr_cache *cache,
                       cr_reach_result *result, cr_report *report)
{
    for (int pass = 0; pass < 2; pass++) {
        bridge met;
        r->strict = pass > 0;
        double from = pass == 0 ? r->work_from : work_seconds();
        int64_t checks = r->checks;
        root_trees(r, task);
        r->ready_next = 8;
        result->outcome = search(r, cache, &met);
        double found = work_seconds();
        result->seconds += found - from;
        result->checks += r->checks - checks;
        checks = r->checks;
        result->nodes = r->trees[0].count + r->trees[1].count;
        result->iterations = r->iterations;
        result->edges = r->edges;
        result->samples = r->samples;
        if (result->outcome != CR_OUTCOME_SOLVED) {
            return CR_OK;
        }
        if (!make_path(r, met) || !copy_path(&r->path, &r->raw)) {
            return cri_fail_memory(report);
        }
        bool proven = finish_path(r);
        result->smooth_seconds += work_seconds() - found;
        result->smooth_checks += r->checks - checks;
        if (proven) {
            break;
        }
        result->outcome = CR_OUTCOME_EXHAUSTED;
    }
    return result->outcome == CR_OUTCOME_SOLVED ? give_path(r, task, cache, result, report) : CR_OK;
}

cr_status cr_reach_plan(cr_reach *reach, const cr_reach_task *task, uint64_t seed, cr_cache *cache,
                        cr_reach_result *result, cr_report *report)
{
    *result = (cr_reach_result){.outcome = CR_OUTCOME_GROWING};
    reach->started = wall_seconds();
    reach->work_from = work_seconds();
    cr_status status = cri_checker_set(&reach->checker, task, report);
    if (status == CR_OK) {
        status = cri_task_valid(&reach->checker, reach->kernel, task, report);
    }
    if (status != CR_OK) {
        return status;
    }
    reach->rng = cr_rng_make(seed, CR_RNG_ATTEMPT, 0);
    reach->checks = reach->edges = reach->iterations = reach->samples = 0;
    return solve(reach, task, cache, result, report);
}

// ---------------------------------------------------------------------------------------------
// Settings and life.

cr_reach_def cr_default_reach_def(void)
{
    return (cr_reach_def){
        .method = CR_REACH_STEP,
        .metric = CR_REACH_PLACES,
        .epsilon = 0.5,
        .resolution = 0.04,
        .seconds = 5,
        .nodes = 50000,
        .smooth = 64,
    };
}

cr_reach_def cr_quick_reach_def(void)
{
    cr_reach_def def = cr_default_reach_def();
    def.method = CR_REACH_CONNECT;
    def.metric = CR_REACH_ANGLES;
    def.epsilon = 0.32; // 8 points: one row of the kernel
    def.smooth = 12;
    return def;
}

static cr_status check_def(const cr_reach_def *def, cr_report *report)
{
    const cri_location nowhere = {0};
    if (!(def->epsilon > 1e-4 && def->epsilon < 1e4)) {
        return cri_fail(report, CR_ERR_RANGE, nowhere, "epsilon must be > 0.0001, got %g",
                        def->epsilon);
    }
    if (!(def->resolution > 1e-4 && def->resolution < 10)) {
        return cri_fail(report, CR_ERR_RANGE, nowhere,
                        "resolution must be from 0.0001 to 10, got %g", def->resolution);
    }
    if (def->nodes < 2 || def->nodes > 10000000 || def->smooth < 0 || def->smooth > 1000000) {
        return cri_fail(report, CR_ERR_RANGE, nowhere,
                        "nodes must be from 2 to 10000000 and smooth from 0 to 1000000, got %d, %d",
                        def->nodes, def->smooth);
    }
    return CR_OK;
}

cr_status cr_reach_create(const cr_reach_def *def, cr_reach **result, cr_report *report)
{
    *result = NULL;
    cr_status status = check_def(def, report);
    if (status != CR_OK) {
        return status;
    }
    cr_reach *reach = calloc(1, sizeof *reach);
    if (!reach) {
        return cri_fail_memory(report);
    }
    reach->def = *def;
    reach->kernel = def->scalar ? &cri_kernel_scalar : cri_kernel_best();
    if (!cri_reach_tree_create(&reach->trees[0], def->nodes) ||
        !cri_reach_tree_create(&reach->trees[1], def->nodes)) {
        cr_reach_destroy(reach);
        return cri_fail_memory(report);
    }
    *result = reach;
    return CR_OK;
}

void cr_reach_destroy(cr_reach *reach)
{
    if (reach) {
        cri_reach_tree_free(&reach->trees[0]);
        cri_reach_tree_free(&reach->trees[1]);
        cri_checker_free(&reach->checker);
        free(reach->path.values);
        free(reach->raw.values);
        free(reach->result);
        free(reach);
    }
}
