// Arms, kernels, inverse kinematics, the search and its caches, on the built-in human.
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <cmocka.h>

#include "base/file.h"
#include "base/hash.h"
#include "base/trig.h"
#include "base/vec.h"
#include "carom/carom.h"
#include "goldens.h"
#include "reach/arm.h"
#include "reach/cache.h"
#include "reach/checker.h"

static void assert_near(double value, double want, double tolerance)
{
    if (!(fabs(value - want) <= tolerance)) {
        fail_msg("%.12g is not within %g of %.12g", value, tolerance, want);
    }
}

// An arm, book relocations and a planner.
typedef struct world {
    cr_arm *arm;
    cr_reach_tasks *tasks;
    cr_reach *reach;
} world;

static cr_reach_def counted_def(void)
{
    cr_reach_def def = cr_default_reach_def();
    def.seconds = 0; // attempts are counted, not seconds
    def.iterations = 20000;
    return def;
}

static world make_world(uint64_t seed, int tasks)
{
    world w;
    cr_reach_def def = counted_def();
    assert_int_equal(cr_arm_create_human(&w.arm, NULL), CR_OK);
    assert_int_equal(cr_books_create(w.arm, seed, tasks, &w.tasks, NULL), CR_OK);
    assert_int_equal(cr_reach_create(&def, &w.reach, NULL), CR_OK);
    return w;
}

static void free_world(world *w)
{
    cr_reach_destroy(w->reach);
    cr_reach_tasks_destroy(w->tasks);
    cr_arm_destroy(w->arm);
}

static void draw(const cr_arm *arm, cr_rng *rng, double *q)
{
    do {
        for (int d = 0; d < arm->dof_count; d++) {
            q[d] = cr_rng_uniform(rng, arm->dofs[d].low, arm->dofs[d].high);
        }
    } while (!cr_arm_within(arm, q));
}

static void test_legs_keep_the_torso_upright(void **state)
{
    (void)state;
    cr_arm *arm;
    assert_int_equal(cr_arm_create_human(&arm, NULL), CR_OK);
    assert_int_equal(cr_arm_dof_count(arm), 10);
    double q[CR_ARM_MAX_DOFS] = {0};
    int torso = cr_arm_find_link(arm, "torso"), legs = cr_arm_find_dof(arm, "legs");
    cr_pose high = cr_arm_link_pose(arm, q, torso);
    q[legs] = 0.5;
    cr_pose low = cr_arm_link_pose(arm, q, torso);
    assert_near(high.position.z - low.position.z, 2 * 0.44 * (1 - cos(0.5)), 1e-9);
    assert_near(low.position.x, high.position.x, 1e-9);
    assert_near(fabs(low.rotation.w), 1, 1e-9);
    cr_arm_destroy(arm);
}

// Float kinematics of all kernels against quaternions in doubles.
static void test_kernels_agree_with_doubles(void **state)
{
    (void)state;
    world w = make_world(1, 1);
    cri_checker *c = calloc(1, sizeof *c);
    assert_int_equal(cri_checker_set(c, cr_reach_task_at(w.tasks, 0), NULL), CR_OK);
    cr_rng rng = cr_rng_make(1, CR_RNG_USER, 0);
    for (int i = 0; i < 200; i++) {
        double q[CR_ARM_MAX_DOFS];
        float f[CR_ARM_MAX_DOFS], places[3 * CRI_MAX_PLACES], twin[3 * CRI_MAX_PLACES];
        draw(w.arm, &rng, q);
        for (int d = 0; d < w.arm->dof_count; d++) {
            f[d] = (float)q[d];
        }
        cri_kernel_base.places(c, f, places);
        cri_kernel_scalar.places(c, f, twin);
        assert_memory_equal(places, twin, (size_t)c->place_count * 3 * sizeof(float));
        cr_vec3 tip = cr_arm_link_pose(w.arm, q, cr_arm_tip(w.arm)).position;
        const float *last = places + 3 * (c->place_count - 1);
        assert_near(tip.x, (double)last[0], 5e-6);
        assert_near(tip.y, (double)last[1], 5e-6);
        assert_near(tip.z, (double)last[2], 5e-6);
    }
    cri_checker_free(c);
    free(c);
    free_world(&w);
}

// All kernels see the same; what they call clear, the exact test calls clear too.
static void test_kernels_are_conservative(void **state)
{
    (void)state;
    world w = make_world(2, 1);
    const cr_reach_task *task = cr_reach_task_at(w.tasks, 0);
    cri_checker *c = calloc(1, sizeof *c);
    assert_int_equal(cri_checker_set(c, task, NULL), CR_OK);
    cr_rng rng = cr_rng_make(2, CR_RNG_USER, 0);
    int clear = 0, exact_clear = 0;
    for (int i = 0; i < 100; i++) {
        float block[CR_ARM_MAX_DOFS * 8];
        double q[8][CR_ARM_MAX_DOFS];
        for (int l = 0; l < 8; l++) {
            draw(w.arm, &rng, q[l]);
            for (int d = 0; d < c->dof_count; d++) {
                block[d * 8 + l] = (float)q[l][d];
            }
        }
        unsigned bits = cri_kernel_base.clear8(c, block);
        assert_int_equal(bits, cri_kernel_scalar.clear8(c, block));
        assert_int_equal(bits, cri_kernel_best()->clear8(c, block));
        for (int l = 0; l < 8; l++) {
            bool exact = cr_reach_verify(task, q[l], 1, 1).clearance > 0;
            clear += (bits >> l & 1) != 0;
            exact_clear += exact;
            assert_true(exact || !(bits >> l & 1));
        }
    }
    assert_in_range(clear, 50, 750);                    // neither all nor nothing
    assert_true(clear > exact_clear - exact_clear / 8); // and the covers are tight
    cri_checker_free(c);
    free(c);
    free_world(&w);
}

static void test_edges_and_proofs_agree(void **state)
{
    (void)state;
    world w = make_world(3, 1);
    cri_checker *c = calloc(1, sizeof *c);
    assert_int_equal(cri_checker_set(c, cr_reach_task_at(w.tasks, 0), NULL), CR_OK);
    cr_rng rng = cr_rng_make(3, CR_RNG_USER, 0);
    int proven = 0, refused = 0;
    for (int i = 0; i < 300; i++) {
        double a[CR_ARM_MAX_DOFS], b[CR_ARM_MAX_DOFS], path[2 * CR_ARM_MAX_DOFS];
        float fa[CR_ARM_MAX_DOFS], fb[CR_ARM_MAX_DOFS];
        draw(w.arm, &rng, a);
        draw(w.arm, &rng, b);
        for (int d = 0; d < c->dof_count; d++) {
            fa[d] = (float)a[d];
            fb[d] = fa[d] + 0.2f * (float)(b[d] - a[d]);
            path[d] = (double)fa[d];
            path[c->dof_count + d] = (double)fb[d];
        }
        int64_t checks[3] = {0};
        bool yes = cri_kernel_base.prove(c, fa, fb, &checks[0]);
        assert_int_equal(yes, cri_kernel_scalar.prove(c, fa, fb, &checks[1]));
        assert_int_equal(checks[0], checks[1]);
        bool edge = cri_kernel_base.edge(c, fa, fb, 24, &checks[2]);
        assert_int_equal(edge, cri_kernel_scalar.edge(c, fa, fb, 24, &checks[2]));
        assert_true(edge || !yes); // what is proven has no point that touches
        if (yes) {
            assert_true(cr_reach_verify(cr_reach_task_at(w.tasks, 0), path, 2, 0.002).clearance >
                        0);
        }
        proven += yes;
        refused += !yes;
    }
    assert_true(proven > 20 && refused > 20);
    cri_checker_free(c);
    free(c);
    free_world(&w);
}

static void test_nearest_is_the_nearest(void **state)
{
    (void)state;
    enum { COUNT = 75, SIZE = 6 };
    float keys[80 * SIZE], key[SIZE];
    cr_rng rng = cr_rng_make(4, CR_RNG_USER, 0);
    for (int i = 0; i < 80 * SIZE; i++) {
        int lane = i % 8, block = i / 8 / SIZE;
        keys[i] = block * 8 + lane < COUNT ? (float)cr_rng_unit(&rng) : 1e18f;
    }
    for (int round = 0; round < 200; round++) {
        bool triples = round % 2;
        cri_reach_keys all = {keys, COUNT, SIZE, triples};
        for (int d = 0; d < SIZE; d++) {
            key[d] = (float)cr_rng_unit(&rng);
        }
        float best = 1e30f, distance, twin;
        int want = -1;
        for (int i = 0; i < COUNT; i++) {
            float sum[2] = {0, 0};
            for (int d = 0; d < SIZE; d++) {
                float x = keys[i / 8 * SIZE * 8 + d * 8 + i % 8] - key[d];
                sum[triples && d > 2] += x * x;
            }
            float far = sum[1] > sum[0] ? sum[1] : sum[0];
            if (far < best) {
                best = far;
                want = i;
            }
        }
        assert_int_equal(cri_kernel_base.nearest(&all, key, &distance), want);
        assert_int_equal(cri_kernel_scalar.nearest(&all, key, &twin), want);
        assert_memory_equal(&distance, &twin, sizeof twin);
    }
}

static void test_closed_form_reaches(void **state)
{
    (void)state;
    cr_arm *arm;
    assert_int_equal(cr_arm_create_human(&arm, NULL), CR_OK);
    cr_reach_task task = {.arm = arm};
    cr_rng rng = cr_rng_make(5, CR_RNG_USER, 0);
    int found = 0;
    for (int i = 0; i < 100; i++) {
        double q[CR_ARM_MAX_DOFS], back[CR_ARM_MAX_DOFS];
        draw(arm, &rng, q);
        cr_pose target = cr_arm_link_pose(arm, q, cr_arm_tip(arm));
        if (cr_arm_solve(&task, target, 1, back) != CR_IK_FOUND) {
            continue; // the body is in the way
        }
        found++;
        cr_pose there = cr_arm_link_pose(arm, back, cr_arm_tip(arm));
        assert_true(cr_arm_within(arm, back));
        assert_near(cri_length(cri_sub(there.position, target.position)), 0, 1e-9);
        cr_quat turn = cri_quat_mul(there.rotation, cri_quat_conj(target.rotation));
        assert_near(fabs(turn.w), 1, 1e-9);
    }
    assert_in_range(found, 40, 100);
    double q[CR_ARM_MAX_DOFS];
    cr_pose far = {{3, 0, 1}, {0, 0, 0, 1}};
    assert_int_equal(cr_arm_solve(&task, far, 1, q), CR_IK_UNREACHABLE);
    cr_arm_destroy(arm);
}

static void test_book_tasks_are_valid_and_repeat(void **state)
{
    (void)state;
    world w = make_world(6, 20);
    cr_reach_tasks *again;
    assert_int_equal(cr_books_create(w.arm, 6, 5, &again, NULL), CR_OK);
    for (int i = 0; i < 20; i++) {
        const cr_reach_task *task = cr_reach_task_at(w.tasks, i);
        assert_int_equal(cr_reach_task_check(task, NULL), CR_OK);
        assert_true(task->holds && task->obstacle_count > 6);
        if (i < 5) {
            assert_memory_equal(task->start, cr_reach_task_at(again, i)->start, sizeof task->start);
            assert_memory_equal(task->goal, cr_reach_task_at(again, i)->goal, sizeof task->goal);
        }
    }
    cr_reach_tasks_destroy(again);
    free_world(&w);
}

// Every path of 30 relocations holds in the independent test; the scalar twin finds the same ones.
static void test_paths_hold(void **state)
{
    (void)state;
    world w = make_world(7, 30);
    cr_reach_def def = counted_def();
    def.scalar = true;
    cr_reach *twin;
    assert_int_equal(cr_reach_create(&def, &twin, NULL), CR_OK);
    for (int i = 0; i < 30; i++) {
        const cr_reach_task *task = cr_reach_task_at(w.tasks, i);
        cr_reach_result r, s;
        assert_int_equal(cr_reach_plan(w.reach, task, 1, NULL, &r, NULL), CR_OK);
        assert_int_equal(r.outcome, CR_OUTCOME_SOLVED);
        cr_reach_proof proof = cr_reach_verify(task, r.path, r.count, 0.005);
        if (!proof.holds) {
            fail_msg("task %d: %s", i, proof.text);
        }
        if (i < 6) {
            assert_int_equal(cr_reach_plan(twin, task, 1, NULL, &s, NULL), CR_OK);
            assert_int_equal(r.iterations, s.iterations);
            assert_int_equal(r.checks, s.checks);
            assert_int_equal(r.count, s.count);
            size_t size = (size_t)(r.count * cr_arm_dof_count(w.arm)) * sizeof(double);
            assert_memory_equal(r.path, s.path, size);
        }
    }
    cr_reach_destroy(twin);
    free_world(&w);
}

// Start and goal nearly see each other: whether the straight line between them is clear depends on
// rounding. Whatever the answer, it must be the same from both ends, or no path is ever proven.
static void test_a_grazing_edge_is_the_same_both_ways(void **state)
{
    (void)state;
    world w = make_world(910036, 17);
    const cr_reach_task *task = cr_reach_task_at(w.tasks, 16);
    for (uint64_t seed = 16; seed < 24; seed++) {
        cr_reach_result r;
        assert_int_equal(cr_reach_plan(w.reach, task, seed, NULL, &r, NULL), CR_OK);
        assert_int_equal(r.outcome, CR_OUTCOME_SOLVED);
        assert_true(cr_reach_verify(task, r.path, r.count, 0.005).holds);
    }
    free_world(&w);
}

static void test_methods_and_metrics_solve(void **state)
{
    (void)state;
    world w = make_world(8, 4);
    for (int k = 0; k < 4; k++) {
        cr_reach_def def = counted_def();
        def.method = k & 1 ? CR_REACH_CONNECT : CR_REACH_STEP;
        def.metric = k & 2 ? CR_REACH_ANGLES : CR_REACH_PLACES;
        cr_reach *reach;
        assert_int_equal(cr_reach_create(&def, &reach, NULL), CR_OK);
        for (int i = 0; i < 4; i++) {
            const cr_reach_task *task = cr_reach_task_at(w.tasks, i);
            cr_reach_result r;
            assert_int_equal(cr_reach_plan(reach, task, 2, NULL, &r, NULL), CR_OK);
            assert_int_equal(r.outcome, CR_OUTCOME_SOLVED);
            assert_true(cr_reach_verify(task, r.path, r.count, 0.01).holds);
        }
        cr_reach_destroy(reach);
    }
    free_world(&w);
}

static void test_smoothing_shortens(void **state)
{
    (void)state;
    world w = make_world(9, 10);
    cr_reach_def def = counted_def();
    def.smooth = 0;
    cr_reach *raw;
    assert_int_equal(cr_reach_create(&def, &raw, NULL), CR_OK);
    double lengths[2] = {0, 0};
    for (int i = 0; i < 10; i++) {
        cr_reach_result r;
        assert_int_equal(cr_reach_plan(raw, cr_reach_task_at(w.tasks, i), 3, NULL, &r, NULL),
                         CR_OK);
        lengths[0] += r.length;
        assert_int_equal(cr_reach_plan(w.reach, cr_reach_task_at(w.tasks, i), 3, NULL, &r, NULL),
                         CR_OK);
        lengths[1] += r.length;
    }
    assert_true(lengths[1] < 0.9 * lengths[0]);
    cr_reach_destroy(raw);
    free_world(&w);
}

static void test_limits_end_the_search(void **state)
{
    (void)state;
    world w = make_world(10, 8);
    cr_reach_def def = counted_def();
    def.iterations = 2;
    cr_reach *reach;
    assert_int_equal(cr_reach_create(&def, &reach, NULL), CR_OK);
    int ended = 0;
    for (int i = 0; i < 8; i++) {
        cr_reach_result r;
        assert_int_equal(cr_reach_plan(reach, cr_reach_task_at(w.tasks, i), 1, NULL, &r, NULL),
                         CR_OK);
        assert_true(r.iterations <= 2);
        ended += r.outcome == CR_OUTCOME_ATTEMPTS && r.count == 0;
    }
    assert_true(ended > 0);
    cr_reach_destroy(reach);
    free_world(&w);
}

static bool holds_entry(const cr_cache *cache, const double *q)
{
    for (int i = 0; i < cr_cache_count(cache); i++) {
        const float *entry = cri_cache_entry(cache, i);
        bool same = true;
        for (int d = 0; d < cache->dof_count; d++) {
            same = same && entry[d] == (float)q[d];
        }
        if (same) {
            return true;
        }
    }
    return false;
}

// What comes after a task learns from its way, not from its ends.
static void test_ends_are_not_cached(void **state)
{
    (void)state;
    world w = make_world(12, 20);
    cr_cache_def def = cr_default_cache_def(CR_CACHE_PAPER);
    def.size = 400;
    def.update = 1;
    cr_cache *cache;
    assert_int_equal(cr_cache_create(w.arm, &def, &cache, NULL), CR_OK);
    int nodes = 0;
    for (int i = 0; i < 20; i++) {
        cr_reach_result r;
        const cr_reach_task *task = cr_reach_task_at(w.tasks, i);
        assert_int_equal(cr_reach_plan(w.reach, task, 1, cache, &r, NULL), CR_OK);
        assert_int_equal(r.outcome, CR_OUTCOME_SOLVED);
        assert_false(holds_entry(cache, task->start));
        assert_false(holds_entry(cache, task->goal));
        nodes += r.raw_count - 2;
    }
    assert_true(nodes > 20 && nodes < 400);
    assert_int_equal(cr_cache_count(cache), nodes); // r = 1: all the others
    cr_cache_destroy(cache);
    free_world(&w);
}

// The published update: a full cache, the warm-up, and the same run twice.
static void test_caches_learn_and_repeat(void **state)
{
    (void)state;
    world w = make_world(11, 30);
    for (int kind = CR_CACHE_PAPER; kind <= CR_CACHE_BRED; kind++) {
        int64_t iterations[2] = {0, 0};
        for (int round = 0; round < 2; round++) {
            cr_cache_def def = cr_default_cache_def((cr_cache_kind)kind);
            def.size = 20;
            cr_cache *cache;
            assert_int_equal(cr_cache_create(w.arm, &def, &cache, NULL), CR_OK);
            for (int i = 0; i < 30; i++) {
                cr_reach_result r;
                const cr_reach_task *task = cr_reach_task_at(w.tasks, i);
                assert_int_equal(cr_reach_plan(w.reach, task, 1, cache, &r, NULL), CR_OK);
                assert_int_equal(r.outcome, CR_OUTCOME_SOLVED);
                iterations[round] += r.iterations;
            }
            assert_int_equal(cr_cache_count(cache), 20);
            cr_cache_destroy(cache);
        }
        assert_int_equal(iterations[0], iterations[1]);
    }
    free_world(&w);
}

// What one task came to: the path, bit for bit, and the effort.
static uint64_t hash_result(uint64_t hash, const cr_reach_result *r, int dofs)
{
    hash = cri_hash_word(hash, (uint64_t)r->iterations);
    hash = cri_hash_word(hash, (uint64_t)r->checks);
    return cri_hash_words(hash, r->path, (size_t)(r->count * dofs) * sizeof(double));
}

// Twelve tasks in a row; way: plain, then the kinds of caches.
static uint64_t hash_tasks(const world *w, cr_reach *reach, int way)
{
    cr_cache *cache = NULL;
    if (way > 0) {
        cr_cache_def def = cr_default_cache_def((cr_cache_kind)(way - 1));
        def.size = 20;
        assert_int_equal(cr_cache_create(w->arm, &def, &cache, NULL), CR_OK);
    }
    uint64_t hash = CRI_HASH_START;
    for (int i = 0; i < cr_reach_task_count(w->tasks); i++) {
        cr_reach_result r;
        const cr_reach_task *task = cr_reach_task_at(w->tasks, i);
        assert_int_equal(cr_reach_plan(reach, task, 5, cache, &r, NULL), CR_OK);
        assert_int_equal(r.outcome, CR_OUTCOME_SOLVED);
        hash = hash_result(hash, &r, cr_arm_dof_count(w->arm));
    }
    cr_cache_destroy(cache);
    return hash;
}

// The same for every compiler, optimisation level and machine; they change only with the human, the
// shelf or the method. CAROM_PRINT_GOLDEN prints them.
static void test_paths_have_golden_hashes(void **state)
{
    (void)state;
    SKIP_WITHOUT_GOLDENS();
    static const uint64_t golden[2][3] = {
        {0x95a976293fc1cff5u, 0xf224d0b429e34d08u, 0xdf985af213e7539eu},
        {0xe35ef041935d6842u, 0x0f98a3c9e312e2b1u, 0x3c8e4babb8a89dafu},
    };
    bool print = getenv("CAROM_PRINT_GOLDEN") != NULL;
    world w = make_world(14, 12);
    for (int method = 0; method < 2; method++) {
        cr_reach_def def = method == 0 ? counted_def() : cr_quick_reach_def();
        def.seconds = 0;
        cr_reach *reach;
        assert_int_equal(cr_reach_create(&def, &reach, NULL), CR_OK);
        for (int way = 0; way < 3; way++) {
            uint64_t hash = hash_tasks(&w, reach, way);
            if (print) {
                printf("0x%016llxu\n", (unsigned long long)hash);
            } else {
                assert_int_equal(hash, golden[method][way]);
            }
        }
        cr_reach_destroy(reach);
    }
    free_world(&w);
}

// Write a text with a part replaced, and read it as a cache.
static cr_status read_damaged(const world *w, const char *text, const char *from, const char *to,
                              cr_error *error)
{
    const char *path = "test_reach_damaged.cache", *at = strstr(text, from);
    assert_non_null(at);
    FILE *file = fopen(path, "w");
    fprintf(file, "%.*s%s%s", (int)(at - text), text, to, at + strlen(from));
    fclose(file);
    cr_report report = {0};
    cr_cache *cache = NULL;
    cr_status status = cr_cache_read(w->arm, path, &cache, &report);
    assert_int_equal(status == CR_OK, cache != NULL);
    assert_int_equal(status != CR_OK, report.count);
    *error = report.errors[0];
    cr_cache_destroy(cache);
    remove(path);
    return status;
}

// Everything that is too much or too little is refused at its line.
static void damage_cache(const world *w, const char *path, int count)
{
    char *text = NULL, head[40], less[40], more[40], *second, *last, *third;
    size_t length;
    assert_int_equal(cri_file_read(path, 1 << 20, &text, &length, NULL), CR_OK);
    sprintf(head, " %d\n", count);
    sprintf(less, " %d\n", count - 1);
    sprintf(more, " %d\n", count + 1);
    second = strndup(strchr(text, '\n') + 1, strcspn(strchr(text, '\n') + 1, "\n") + 1);
    last = strndup(second, strcspn(second, " ") + 1);
    third = malloc(strlen(second) + 20);
    sprintf(third, "%.*s 0.1\n", (int)strlen(second) - 1, second);
    const struct {
        const char *from, *to;
        int line;
    } damages[] = {
        {head, less, count + 1},  // an entry more than said
        {head, more, count + 2},  // one less
        {second, third, 2},       // a number more
        {second, "0.1 0.2\n", 2}, // some less
        {second, "\n", 2},        // an empty line
        {last, "0.1\n", 2},       // an entry on two lines
        {last, "0.1x ", 2},       // a number with a tail
        {last, "nan ", 2},
        {last, "900 ", 2}, // beyond any joint
        {"carom-cache 2", "carom-cache 3", 1},
        {"carom-cache 2 bred", "carom-cache 2 bled", 1},
        {head, " x\n", 1},
    };
    cr_error error;
    assert_int_equal(read_damaged(w, text, "carom", "carom", &error), CR_OK);
    for (size_t i = 0; i < sizeof damages / sizeof damages[0]; i++) {
        assert_int_equal(read_damaged(w, text, damages[i].from, damages[i].to, &error),
                         CR_ERR_SYNTAX);
        assert_int_equal(error.line, damages[i].line);
        assert_true(error.column > 0);
    }
    free(text);
    free(second);
    free(last);
    free(third);
}

static void test_cache_files(void **state)
{
    (void)state;
    world w = make_world(12, 10);
    cr_cache_def def = cr_default_cache_def(CR_CACHE_BRED);
    cr_cache *cache, *copy;
    assert_int_equal(cr_cache_create(w.arm, &def, &cache, NULL), CR_OK);
    cr_reach_result r, s;
    for (int i = 0; i < 9; i++) {
        assert_int_equal(cr_reach_plan(w.reach, cr_reach_task_at(w.tasks, i), 1, cache, &r, NULL),
                         CR_OK);
    }
    const char *path = "test_reach.cache";
    assert_int_equal(cr_cache_write(cache, path, NULL), CR_OK);
    assert_int_equal(cr_cache_read(w.arm, path, &copy, NULL), CR_OK);
    assert_int_equal(cr_cache_count(copy), cr_cache_count(cache));
    const cr_reach_task *task = cr_reach_task_at(w.tasks, 9);
    assert_int_equal(cr_reach_plan(w.reach, task, 1, cache, &r, NULL), CR_OK);
    assert_int_equal(cr_reach_plan(w.reach, task, 1, copy, &s, NULL), CR_OK);
    assert_int_equal(r.iterations, s.iterations);
    FILE *file = fopen(path, "w");
    fputs("carom-cache 2 bred 20 0.9 1 10 0123456789abcdef 5\n1 2 x\n", file);
    fclose(file);
    cr_report report = {0};
    cr_cache *bad;
    assert_int_not_equal(cr_cache_read(w.arm, path, &bad, &report), CR_OK);
    assert_null(bad);
    assert_non_null(strstr(report.errors[0].message, "another arm"));
    assert_int_equal(cr_cache_write(cache, path, NULL), CR_OK);
    damage_cache(&w, path, cr_cache_count(cache));
    remove(path);
    cr_cache_destroy(cache);
    cr_cache_destroy(copy);
    free_world(&w);
}

// A cache file with one thing changed must be refused, with its line.
static void expect_bad_cache(const cr_arm *arm, const char *text, size_t length, const char *what)
{
    const char *path = "test_reach_bad.cache";
    FILE *file = fopen(path, "w");
    fwrite(text, 1, length, file);
    fclose(file);
    cr_cache *cache;
    cr_report report = {0};
    if (cr_cache_read(arm, path, &cache, &report) == CR_OK || report.errors[0].line == 0) {
        fail_msg("a cache with %s is accepted", what);
    }
    assert_null(cache);
    remove(path);
}

// Put a text before the n-th byte, in the place of `gone` bytes.
static void splice(const cr_arm *arm, const char *text, size_t at, size_t gone, const char *with)
{
    char changed[8192];
    int length =
        snprintf(changed, sizeof changed, "%.*s%s%s", (int)at, text, with, text + at + gone);
    expect_bad_cache(arm, changed, (size_t)length, with);
}

// Nothing stands in a cache file that is not used: words too many or too few on any line, lines too
// many or too few, values that the arm cannot have.
static void test_cache_files_hold_nothing_else(void **state)
{
    (void)state;
    world w = make_world(12, 4);
    for (int kind = CR_CACHE_PAPER; kind <= CR_CACHE_BRED; kind++) {
        cr_cache_def def = cr_default_cache_def((cr_cache_kind)kind);
        cr_cache *cache;
        cr_reach_result r;
        assert_int_equal(cr_cache_create(w.arm, &def, &cache, NULL), CR_OK);
        for (int i = 0; i < 4; i++) {
            assert_int_equal(
                cr_reach_plan(w.reach, cr_reach_task_at(w.tasks, i), 1, cache, &r, NULL), CR_OK);
        }
        assert_true(cr_cache_count(cache) >= 2);
        const char *path = "test_reach.cache";
        assert_int_equal(cr_cache_write(cache, path, NULL), CR_OK);
        char text[8192] = "";
        FILE *file = fopen(path, "r");
        size_t length = fread(text, 1, sizeof text - 1, file);
        fclose(file);
        remove(path);
        for (size_t at = 0; at < length; at++) {
            if (text[at] == ' ') {
                splice(w.arm, text, at, strcspn(text + at + 1, " \n") + 1, "");
                splice(w.arm, text, at, 0, " 7");
                splice(w.arm, text, at, 0, " word");
            } else if (text[at] == '\n') {
                splice(w.arm, text, at, 0, " 7");
                splice(w.arm, text, at, 0, "\n");
                splice(w.arm, text, at, 1, "");
            }
        }
        splice(w.arm, text, length, 0, "more");
        splice(w.arm, text, (size_t)(strchr(text, '\n') - text) + 1, 1, "9"); // beyond a limit
        cr_cache_destroy(cache);
    }
    free_world(&w);
}

// ---------------------------------------------------------------------------------------------
// What the header says.

// The end of the next declaration: a semicolon with a comment behind it. NULL if there is none.
static const char *next_field(const char *at)
{
    for (; (at = strstr(at, "; ")); at++) {
        if (strncmp(at + 1 + strspn(at + 1, " "), "///<", 4) == 0) {
            return at;
        }
    }
    return NULL;
}

// The value that the header gives a field of a struct behind a word ("default ", "quick: ").
static bool documented(const char *body, const char *field, const char *word, char *value)
{
    char name[40];
    snprintf(name, sizeof name, strcmp(field, "stop") == 0 ? "(*%s)" : "%s;", field);
    const char *line = strstr(body, name);
    assert_non_null(line);
    const char *next = next_field(next_field(line) + 1), *at = strstr(line, word);
    if (!at || (next && at > next)) {
        return false;
    }
    at += strlen(word);
    snprintf(value, 40, "%.*s", (int)strcspn(at, " ,\n"), at);
    return true;
}

static char *struct_body(const char *name)
{
    char path[512], end[80];
    snprintf(path, sizeof path, "%s/../include/carom/reach.h", CAROM_SCENES);
    snprintf(end, sizeof end, "} %s;", name);
    FILE *file = fopen(path, "r");
    assert_non_null(file);
    static char text[65536];
    text[fread(text, 1, sizeof text - 1, file)] = 0;
    fclose(file);
    char *from = strstr(text, end);
    assert_non_null(from);
    *from = 0;
    while (strncmp(from, "typedef struct", 14) != 0) {
        from--;
    }
    return from;
}

typedef struct field_row {
    const char *name;
    double plain, other; // by default, and by the other function
} field_row;

// Numbers are compared as such, names of constants by their values.
static double value_of(const char *text)
{
    static const struct {
        const char *name;
        double value;
    } names[] = {
        {"CR_REACH_STEP", CR_REACH_STEP},
        {"CR_REACH_CONNECT", CR_REACH_CONNECT},
        {"CR_REACH_PLACES", CR_REACH_PLACES},
        {"CR_REACH_ANGLES", CR_REACH_ANGLES},
        {"CR_CACHE_PAPER", CR_CACHE_PAPER},
        {"CR_CACHE_BRED", CR_CACHE_BRED},
        {"false", 0},
        {"NULL", 0},
        {"1/3", 1.0 / 3},
    };
    for (size_t i = 0; i < sizeof names / sizeof names[0]; i++) {
        if (strcmp(text, names[i].name) == 0) {
            return names[i].value;
        }
    }
    return atof(text);
}

static void check_fields(const char *name, const char *word, const field_row *rows, int count)
{
    const char *body = struct_body(name);
    int fields = 0;
    for (const char *at = next_field(body); at; at = next_field(at + 1)) {
        fields++;
    }
    assert_int_equal(fields, count); // every field has a row
    for (int i = 0; i < count; i++) {
        char value[40];
        if (!documented(body, rows[i].name, "default ", value)) {
            fail_msg("%s: %s has no default", name, rows[i].name);
        }
        if (value_of(value) != rows[i].plain) {
            fail_msg("%s: %s is %g, not %s", name, rows[i].name, rows[i].plain, value);
        }
        documented(body, rows[i].name, word, value); // else the same
        if (value_of(value) != rows[i].other) {
            fail_msg("%s: %s%s is %g, not %s", name, word, rows[i].name, rows[i].other, value);
        }
    }
}

static void test_header_has_the_defaults(void **state)
{
    (void)state;
    cr_reach_def a = cr_default_reach_def(), b = cr_quick_reach_def();
    const field_row reach[] = {
        {"method", a.method, b.method},
        {"metric", a.metric, b.metric},
        {"epsilon", a.epsilon, b.epsilon},
        {"resolution", a.resolution, b.resolution},
        {"seconds", a.seconds, b.seconds},
        {"iterations", (double)a.iterations, (double)b.iterations},
        {"nodes", a.nodes, b.nodes},
        {"smooth", a.smooth, b.smooth},
        {"flexed", a.flexed, b.flexed},
        {"scalar", a.scalar, b.scalar},
        {"stop", a.stop != NULL, b.stop != NULL},
        {"context", a.context != NULL, b.context != NULL},
    };
    check_fields("cr_reach_def", "quick: ", reach, (int)(sizeof reach / sizeof reach[0]));
    cr_cache_def c = cr_default_cache_def(CR_CACHE_PAPER), d = cr_default_cache_def(CR_CACHE_BRED);
    const field_row cache[] = {
        {"kind", c.kind, d.kind},
        {"size", c.size, d.size},
        {"share", c.share, d.share},
        {"update", c.update, d.update},
    };
    check_fields("cr_cache_def", "bred: ", cache, (int)(sizeof cache / sizeof cache[0]));
}

static void test_ends_in_collision_are_named(void **state)
{
    (void)state;
    world w = make_world(13, 1);
    cr_reach_task task = *cr_reach_task_at(w.tasks, 0);
    cr_obstacle ball = {
        .name = "big ball",
        .shape = {.kind = CR_SHAPE_SPHERE, .radius = 0.05},
        .pose = {cr_arm_link_pose(w.arm, task.goal, cr_arm_tip(w.arm)).position, {0, 0, 0, 1}}};
    task.obstacles = &ball;
    task.obstacle_count = 1;
    cr_report report = {0};
    cr_reach_result r;
    assert_int_equal(cr_reach_plan(w.reach, &task, 1, NULL, &r, &report), CR_ERR_RANGE);
    assert_non_null(strstr(report.errors[0].message, "the goal is in collision"));
    assert_non_null(strstr(report.errors[0].message, "big ball"));
    task.obstacle_count = 0;
    task.goal[0] = 99;
    report = (cr_report){0};
    assert_int_equal(cr_reach_plan(w.reach, &task, 1, NULL, &r, &report), CR_ERR_RANGE);
    assert_non_null(strstr(report.errors[0].message, "root_x"));
    free_world(&w);
}

static void test_playback_moves_the_book(void **state)
{
    (void)state;
    world w = make_world(14, 1);
    const cr_reach_task *task = cr_reach_task_at(w.tasks, 0);
    cr_reach_result r;
    cr_playback *p;
    assert_int_equal(cr_reach_plan(w.reach, task, 1, NULL, &r, NULL), CR_OK);
    assert_int_equal(cr_reach_playback(task, r.path, r.count, "books", &p, NULL), CR_OK);
    assert_int_equal(p->world_count, 1);
    assert_true(p->worlds[0].frame_count > 10);
    assert_int_equal(p->worlds[0].channel_count, 10);
    const cr_playback_body *held = &p->bodies[p->body_count - 1];
    assert_string_equal(held->name, "held book");
    int last = p->worlds[0].frame_count - 1;
    cr_pose end = p->worlds[0].frames[last * p->track_count + held->track];
    cr_pose tip = cr_arm_link_pose(w.arm, task->goal, cr_arm_tip(w.arm));
    cr_vec3 middle = cri_pose_point(end, held->parts[0].pose.position);
    cr_vec3 want = cri_pose_point(tip, task->held.pose.position);
    assert_near(cri_length(cri_sub(middle, want)), 0, 1e-9);
    cr_playback_destroy(p);
    free_world(&w);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_legs_keep_the_torso_upright),
        cmocka_unit_test(test_kernels_agree_with_doubles),
        cmocka_unit_test(test_kernels_are_conservative),
        cmocka_unit_test(test_edges_and_proofs_agree),
        cmocka_unit_test(test_nearest_is_the_nearest),
        cmocka_unit_test(test_closed_form_reaches),
        cmocka_unit_test(test_book_tasks_are_valid_and_repeat),
        cmocka_unit_test(test_paths_hold),
        cmocka_unit_test(test_a_grazing_edge_is_the_same_both_ways),
        cmocka_unit_test(test_methods_and_metrics_solve),
        cmocka_unit_test(test_smoothing_shortens),
        cmocka_unit_test(test_limits_end_the_search),
        cmocka_unit_test(test_ends_are_not_cached),
        cmocka_unit_test(test_caches_learn_and_repeat),
        cmocka_unit_test(test_paths_have_golden_hashes),
        cmocka_unit_test(test_cache_files),
        cmocka_unit_test(test_cache_files_hold_nothing_else),
        cmocka_unit_test(test_header_has_the_defaults),
        cmocka_unit_test(test_ends_in_collision_are_named),
        cmocka_unit_test(test_playback_moves_the_book),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
