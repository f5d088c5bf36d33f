// One large world: the same bits in every build, on any number of threads and in any order of
// steps, and so the same trees; heaps come to rest, sleep, and wake.
#include <unistd.h>

#include "engine/large/large.h"
#include "engine/large/scratch.h"
#include "heap.h"
#include "overlap.h"
#include "scenes.h"

// ---------------------------------------------------------------------------------------------
// A world at work.

typedef struct job {
    world w;
    cri_large large;
    cr_state *state;
    cr_action *actions;
} job;

static void open_job(job *j, const cri_large_lanes *lanes, int threads)
{
    world_finish(&j->w);
    assert_true(cri_model_is_large(&j->w.model));
    assert_int_equal(cri_large_init(&j->large, &j->w.model, lanes, NULL), CR_OK);
    assert_true(cri_team_resize(&j->large.team, threads));
    j->state = cr_state_create(&j->w.model);
    j->actions = calloc((size_t)j->w.model.moving_count, sizeof *j->actions);
    assert_non_null(j->state);
    assert_non_null(j->actions);
}

static void close_job(job *j)
{
    cri_large_free(&j->large);
    free(j->state);
    free(j->actions);
    world_free(&j->w);
}

static void run_job(job *j, int steps)
{
    for (int i = 0; i < steps; i++) {
        cr_step step = {.from = j->state, .to = j->state, .actions = j->actions};
        assert_true(cri_large_step(&j->large, &step));
        assert_true(step.alive);
    }
}

static uint64_t hash_of(const job *j)
{
    return cr_state_hash(&j->w.model, j->state);
}

// ---------------------------------------------------------------------------------------------
// Bits.

// The hash after some steps from a state, or from the start.
static uint64_t hash_after(const cri_large_lanes *lanes, int threads, const cr_state *from,
                           int steps)
{
    job j = {.w = heap_of(110, 0.05, 5, 5)};
    open_job(&j, lanes, threads);
    if (from) {
        cr_state_copy(&j.w.model, j.state, from);
    }
    for (int i = 0; i < j.w.model.moving_count; i += 7) {
        j.actions[i].force = cri_vec3(0.1 * i, 0, 0.2);
        j.actions[i].twist = cri_vec3(0, 1e-5 * i, 0);
    }
    run_job(&j, steps);
    uint64_t hash = hash_of(&j);
    close_job(&j);
    return hash;
}

static void test_builds(void **state)
{
    (void)state;
    enum { STEPS = 30 };
    uint64_t hash = hash_after(&cri_large_base, 1, NULL, STEPS);
    assert_int_equal(hash_after(&cri_large_scalar, 1, NULL, STEPS), hash);
    assert_int_equal(hash_after(cri_large_best(), 1, NULL, STEPS), hash);
}

// From a heap that has formed, cut into as many slabs and pieces as there can be.
static uint64_t hash_of_slabs(const cr_state *from, int threads)
{
    job j = {.w = heap_of(110, 0.05, 5, 5)};
    open_job(&j, cri_large_best(), threads);
    j.large.slab_patches = 20;
    j.large.finely = true;
    cr_state_copy(&j.w.model, j.state, from);
    run_job(&j, 2);
    assert_true(j.large.slab_count == CRI_SLABS);
    uint64_t hash = hash_of(&j);
    close_job(&j);
    return hash;
}

static void test_threads(void **state)
{
    (void)state;
    job j = {.w = heap_of(110, 0.05, 5, 5)};
    open_job(&j, cri_large_best(), 1);
    run_job(&j, 30);
    uint64_t hash = hash_after(cri_large_best(), 1, j.state, 1);
    assert_int_equal(hash_after(cri_large_best(), 2, j.state, 1), hash);
    assert_int_equal(hash_after(cri_large_best(), 8, j.state, 1), hash);
    hash = hash_of_slabs(j.state, 1);
    assert_int_equal(hash_of_slabs(j.state, 2), hash);
    assert_int_equal(hash_of_slabs(j.state, 3), hash);
    assert_int_equal(hash_of_slabs(j.state, 8), hash);
    close_job(&j);
}

// A step depends on its state alone: not on the steps that the engine made before.
static void test_pure(void **state)
{
    (void)state;
    job j = {.w = heap_of(140, 0.05, 5, 5)}, other = {.w = heap_of(140, 0.05, 5, 5)};
    open_job(&j, cri_large_best(), 1);
    open_job(&other, cri_large_best(), 1);
    run_job(&other, 9);
    for (int i = 0; i < 40; i++) {
        cr_state_copy(&j.w.model, other.state, j.state);
        run_job(&j, 1);
        if (i % 5 == 0) {
            run_job(&other, 1);
            assert_int_equal(hash_of(&other), hash_of(&j));
        }
    }
    close_job(&other);
    close_job(&j);
}

// Nor on when pairs were listed: where few bodies stray their pairs are added to the list, and a
// world that has just been made lists all.
static void test_strays(void **state)
{
    (void)state;
    job j = {.w = heap_of(180, 0.05, 5, 5)};
    int added = 0;
    open_job(&j, cri_large_best(), 1);
    run_job(&j, 60);
    for (int i = 0; i < 16; i++) {
        job fresh = {.w = heap_of(180, 0.05, 5, 5)};
        open_job(&fresh, cri_large_best(), 1);
        cr_state_copy(&j.w.model, fresh.state, j.state);
        j.actions[7 * i].impulse = fresh.actions[7 * i].impulse = cri_vec3(0.02, 0.01, 0.05);
        int before = j.large.scratch->stray_count;
        run_job(&j, 1);
        run_job(&fresh, 1);
        added += j.large.scratch->stray_count > before;
        assert_int_equal(hash_of(&fresh), hash_of(&j));
        j.actions[7 * i].impulse = cri_vec3(0, 0, 0);
        close_job(&fresh);
    }
    assert_true(added >= 3);
    close_job(&j);
}

// A search over a crowd: the same tree on any number of threads, and every plan replays.
#define CROWD_OF(grid, pitch, nodes)                                                               \
    "name: crowd\n"                                                                                \
    "materials: {wood: {friction: 0.5, restitution: 0.1}}\n"                                       \
    "bodies:\n"                                                                                    \
    "  floor: {kind: static, shape: {plane: [0, 0, 1]}, material: wood}\n"                         \
    "  ball: {kind: controlled, shape: {sphere: 0.1}, mass: 5, material: wood, at: [-0.8, 0.2]}\n" \
    "  crate: {kind: passive, shape: {box: [0.1, 0.1, 0.1]}, mass: 0.5, material: wood,\n"         \
    "    grid: " grid ", pitch: " pitch ", at: [0, 0]}\n"                                          \
    "regions: {aim: {box: [0.1, 0.5], at: [0, 0.2]}}\n"                                            \
    "tactics:\n"                                                                                   \
    "  player:\n"                                                                                  \
    "    controls: ball\n"                                                                         \
    "    start: shot\n"                                                                            \
    "    skills:\n"                                                                                \
    "      shot: {do: strike, at: {region: aim}, speed: {uniform: [2, 6]}}\n"                      \
    "      fly: {do: idle}\n"                                                                      \
    "    next: {shot: {fly: 1}, fly: {shot: {when: {after: 0.2}}}}\n"                              \
    "goal: {touch: [ball, crate.60]}\n"                                                            \
    "score: {ramp: {of: time, from: 0, to: 1}}\n"                                                  \
    "plan: {select: bgt, nodes: " nodes ", horizon: 1}\n"

static const char *const CROWD = CROWD_OF("[6, 5, 4]", "[0.11, 0.11, 0.1]", "60");
static const char *const FOUR_HUNDRED = CROWD_OF("[10, 10, 4]", "[0.11, 0.11, 0.1]", "40");

static uint64_t tree_of(const cr_model *model, int threads)
{
    cr_planner_def def = cr_model_planner_def(model);
    cr_planner *planner = NULL;
    def.threads = threads;
    assert_int_equal(cr_planner_create(model, &def, &planner, NULL), CR_OK);
    cr_planner_grow(planner, NULL);
    cr_planner_stats s = cr_planner_get_stats(planner);
    assert_true(s.nodes >= 20);
    cr_planner_destroy(planner);
    return s.tree_hash;
}

static void test_trees(void **state)
{
    (void)state;
    cr_model *model = load_text(CROWD);
    assert_non_null(model);
    assert_true(cri_model_is_large(model));
    assert_true(cr_state_size(model) < 128 * 121 + 256);
    uint64_t one = tree_of(model, 1);
    assert_int_equal(tree_of(model, 2), one);
    assert_int_equal(tree_of(model, 8), one);
    cr_model_destroy(model);
}

static void test_large_trees(void **state)
{
    (void)state;
    cr_model *model = load_text(FOUR_HUNDRED);
    assert_int_equal(model->moving_count, 401);
    uint64_t one = tree_of(model, 1);
    assert_int_equal(tree_of(model, 2), one);
    assert_int_equal(tree_of(model, 8), one);
    cr_model_destroy(model);
}

// A tree from the middle of another: its root holds what presses on what, in memory and in a file,
// so it is the same tree and its plans replay.
static bool look(const cr_replay_step *step, void *context)
{
    ++*(int64_t *)context;
    return step != NULL;
}

static cr_plan *write_and_read(const cr_plan *plan)
{
    char path[] = "/tmp/carom-large-XXXXXX";
    close(mkstemp(path));
    cr_plan *again = NULL;
    assert_int_equal(cr_plan_write(plan, path, NULL), CR_OK);
    assert_int_equal(cr_plan_read(path, NULL, &again, NULL), CR_OK);
    unlink(path);
    return again;
}

static void test_roots(void **state)
{
    (void)state;
    cr_model *model = load_text(CROWD);
    cr_planner_def def = cr_model_planner_def(model);
    cr_planner *planner = NULL;
    cr_plan *plan = NULL;
    int64_t shown = 0;
    assert_int_equal(cr_planner_create(model, &def, &planner, NULL), CR_OK);
    cr_planner_grow(planner, NULL);
    assert_int_equal(cr_planner_reroot(planner, 1, NULL), CR_OK);
    const uint8_t *traces = (const uint8_t *)cr_planner_state(planner, 0) + model->traces_offset;
    assert_true(traces[model->moving_count + 1] > 0); // the second body rests on something
    cr_outcome outcome = cr_planner_grow(planner, NULL);
    assert_int_equal(cr_planner_retrace(planner, look, &shown, NULL), CR_OK);
    assert_true(shown >= cr_planner_get_stats(planner).nodes);
    assert_int_equal(cr_plan_create_failed(planner, outcome, &plan, NULL), CR_OK);
    cr_plan *again = write_and_read(plan);
    assert_memory_equal(cr_plan_root(again).state, cr_plan_root(plan).state, cr_state_size(model));
    assert_int_equal(cr_plan_replay(again, 0, look, &shown, NULL), CR_OK);
    cr_plan_destroy(again);
    cr_plan_destroy(plan);
    cr_planner_destroy(planner);
    cr_model_destroy(model);
}

// ---------------------------------------------------------------------------------------------
// What is right.

static double speed_of(const job *j)
{
    const cr_body_state *s = cr_state_bodies_const(&j->w.model, j->state);
    double most = 0;
    for (int i = 0; i < j->w.model.moving_count; i++) {
        most = fmax(most, cri_length(s[i].velocity));
    }
    return most;
}

static bool is_asleep(const job *j)
{
    return speed_of(j) == 0;
}

// A heap comes to rest with no deep overlaps, sleeps, and costs no step a bit of its state. Awake
// it would have come to rest as well.
static void test_rest(void **state)
{
    (void)state;
    job j = {.w = heap_of(120, 0.05, 5, 0)};
    open_job(&j, cri_large_best(), 1);
    run_job(&j, 300);
    assert_true(is_asleep(&j));
    assert_true(overlap_deepest(&j.w.model, j.state) < 1e-3);
    cr_body_state before = cr_state_bodies_const(&j.w.model, j.state)[0];
    run_job(&j, 30);
    assert_memory_equal(&before, cr_state_bodies_const(&j.w.model, j.state), sizeof before);
    close_job(&j);
}

// Larger heaps do too, within seconds: boxes that rock on an edge, or are kicked by points that
// come and go, would keep them awake. CAROM_HEAPS: of how many it is seen, three unless said.
static void test_heaps_rest(void **state)
{
    (void)state;
    const char *said = getenv("CAROM_HEAPS");
    int heaps = said ? atoi(said) : 3;
    for (int i = 0; i < heaps; i++) {
        job j = {.w = heap_of(200 + 50 * i, 0.1, 5, 0)};
        open_job(&j, cri_large_best(), 1);
        run_job(&j, 600);
        assert_true(is_asleep(&j));
        assert_true(overlap_deepest(&j.w.model, j.state) < 1e-3);
        close_job(&j);
    }
}

// A kick wakes the heap that sleeps, and what is far away sleeps on.
static void test_wake(void **state)
{
    (void)state;
    job j = {.w = heap_of(120, 0.05, 5, 0)};
    int far = world_add(&j.w, box_of(0.1, 0.1, 0.1), 1,
                        (cr_body){.kind = CR_KIND_PASSIVE, .mass = 1, .pose = pose_at(5, 0, 0.05)});
    open_job(&j, cri_large_best(), 1);
    run_job(&j, 300);
    assert_true(is_asleep(&j));
    j.actions[3].impulse = cri_vec3(0, 0, 0.5);
    run_job(&j, 1);
    j.actions[3].impulse = cri_vec3(0, 0, 0);
    assert_true(speed_of(&j) > 0.1);
    run_job(&j, 2);
    int moving = 0, slot = j.w.bodies[far].slot;
    const cr_body_state *s = cr_state_bodies_const(&j.w.model, j.state);
    for (int i = 0; i < j.w.model.moving_count; i++) {
        moving += cri_length(s[i].velocity) > 0;
    }
    assert_true(moving > 60);
    assert_true(cri_length(s[slot].velocity) == 0);
    close_job(&j);
}

// Eight boxes on each other, a little askew, among many others that fall: they stand.
static void test_stack(void **state)
{
    (void)state;
    world w = world_make();
    int material = world_material(&w, 0.5, 0.5, 0), first = 0;
    world_add(&w, plane_of(), material, (cr_body){0});
    for (int i = 0; i < 120; i++) {
        bool stack = i < 8;
        double x = stack ? (i % 2 ? 0.005 : 0) : 0.3 * (i % 11) + 1, y = stack ? 0 : 0.3 * (i / 11);
        cr_body body = {.kind = CR_KIND_PASSIVE,
                        .mass = 1,
                        .pose = pose_at(x, y, stack ? 0.1 * i + 0.0501 : 0.2)};
        int index = world_add(&w, box_of(0.1, 0.1, 0.1), material, body);
        first = i == 0 ? index : first;
    }
    job j = {.w = w};
    open_job(&j, cri_large_best(), 1);
    j.large.sleeps = false;
    run_job(&j, 60);
    cr_body_state top = cr_state_bodies_const(&j.w.model, j.state)[7];
    run_job(&j, 120);
    cr_body_state after = cr_state_bodies_const(&j.w.model, j.state)[7];
    assert_true(cri_length(cri_sub(top.position, after.position)) < 1e-4);
    close_job(&j);
}

// ---------------------------------------------------------------------------------------------
// Who is large.

static bool is_large(int count, cr_shape shape)
{
    world w = world_make();
    int m = world_material(&w, 0.5, 0.5, 0);
    world_add(&w, plane_of(), m, (cr_body){0});
    for (int i = 0; i < count; i++) {
        world_add(&w, shape, m,
                  (cr_body){.kind = CR_KIND_PASSIVE, .mass = 1, .pose = pose_at(i, 0, 0.1)});
    }
    world_finish(&w);
    bool large = cri_model_is_large(&w.model);
    assert_true(large == (w.model.traces_size > 0));
    world_free(&w);
    return large;
}

static void test_size(void **state)
{
    (void)state;
    assert_false(is_large(32, box_of(0.1, 0.1, 0.1)));
    assert_true(is_large(33, box_of(0.1, 0.1, 0.1)));
    assert_false(is_large(33, cylinder_of(0.1, 0.1)));
    assert_false(is_large(33, sphere_of(0.1))); // none is free
    assert_true(is_large(110, cylinder_of(0.1, 0.1)));
}

// ---------------------------------------------------------------------------------------------
// Thin bodies that turn while they fly at a wall. See count_pieces in large/large.c.

enum { RODS = 200 };

static int rods_behind(void)
{
    job j = {.w = world_make()};
    cr_rng rng = cr_rng_make(7, CR_RNG_USER, 0);
    int m = world_material(&j.w, 0.4, 0.4, 0.4), behind = 0;
    j.w.model.gravity = cri_vec3(0, 0, 0);
    world_add(&j.w, box_of(0.01, 60, 60), m, (cr_body){0});
    for (int i = 0; i < RODS; i++) {
        cr_body rod = {.kind = CR_KIND_PASSIVE, .mass = 1, .velocity = {50, 0, 0}};
        rod.pose = pose_at(-0.25 - cr_rng_uniform(&rng, 0, 0.8), 2 * (i % 20) - 20, 2 * (i / 20));
        rod.spin.x = cr_rng_uniform(&rng, -15, 15);
        rod.spin.y = cr_rng_uniform(&rng, -15, 15);
        rod.spin.z = cr_rng_uniform(&rng, -15, 15);
        world_add(&j.w, box_of(0.4, 0.01, 0.01), m, rod);
    }
    open_job(&j, cri_large_best(), 1);
    cr_state_start(&j.w.model, j.state);
    run_job(&j, 10);
    for (int i = 0; i < RODS; i++) {
        behind += cri_bodies_const(&j.w.model, j.state)[i].position.x > 0.005;
    }
    close_job(&j);
    return behind;
}

static void test_rods(void **state)
{
    (void)state;
    assert_in_range(rods_behind(), 0, RODS / 20);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_builds),     cmocka_unit_test(test_threads),
        cmocka_unit_test(test_trees),      cmocka_unit_test(test_large_trees),
        cmocka_unit_test(test_roots),      cmocka_unit_test(test_pure),
        cmocka_unit_test(test_strays),     cmocka_unit_test(test_rest),
        cmocka_unit_test(test_heaps_rest), cmocka_unit_test(test_wake),
        cmocka_unit_test(test_stack),      cmocka_unit_test(test_size),
        cmocka_unit_test(test_rods),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
