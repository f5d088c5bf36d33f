// The planner as a whole: same seed, same tree, whatever the threads and slices; plans that replay;
// outcomes; limits.
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>
#include <cmocka.h>

#include "goldens.h"
#include "scenes.h"

static cr_planner *make_planner(const cr_model *model, const cr_planner_def *def)
{
    cr_report report = {0};
    cr_planner *planner = NULL;
    assert_int_equal(cr_planner_create(model, def, &planner, &report), CR_OK);
    return planner;
}

// Grow a fresh tree and return its hash.
static uint64_t tree_hash(const cr_model *model, const cr_planner_def *def, const cr_slice *slice)
{
    cr_planner *planner = make_planner(model, def);
    while (cr_planner_grow(planner, slice) == CR_OUTCOME_GROWING) {
    }
    uint64_t hash = cr_planner_get_stats(planner).tree_hash;
    cr_planner_destroy(planner);
    return hash;
}

// ---------------------------------------------------------------------------------------------
// Determinism.

// The trees of seed 1 with 3000 steps. They must be the same for every compiler, optimisation level
// and number of threads; they change only with the engine, the scenes or the method.
static const struct {
    const char *scene, *engine;
    uint64_t hashes[4]; // by cr_select
} golden[] = {
#include "golden.h"
};

static void trees_have_golden_hashes(void **state)
{
    (void)state;
    SKIP_WITHOUT_GOLDENS();
    bool print = getenv("CAROM_PRINT_GOLDEN") != NULL;
    for (size_t i = 0; i < sizeof golden / sizeof golden[0]; i++) {
        cr_model *model = load_scene(golden[i].scene, NULL);
        assert_non_null(model);
        cr_planner_def def = cr_model_planner_def(model);
        def.engine = golden[i].engine;
        def.steps = 3000;
        if (print) {
            printf("    {\"%s\", \"%s\", {", golden[i].scene, golden[i].engine);
        }
        for (int s = 0; s < cr_library_select_count(NULL); s++) {
            def.select = cr_library_select(NULL, s)->name;
            uint64_t hash = tree_hash(model, &def, NULL);
            if (print) {
                printf("0x%016llxu%s", (unsigned long long)hash, s < 3 ? ", " : "}},\n");
            } else {
                assert_true(s < 4);
                assert_int_equal(hash, golden[i].hashes[s]);
            }
        }
        cr_model_destroy(model);
    }
}

// A caller who takes his time to say that the slice goes on: the other threads wait for him.
static bool nap(void *context)
{
    (void)context;
    nanosleep(&(struct timespec){.tv_nsec = 400000}, NULL);
    return false;
}

// Grow the same tree with 1 to 8 threads, in slices of one attempt, and in slices of no time.
static void compare_threads_and_slices(const cr_model *model, cr_planner_def def)
{
    cr_slice attempt = {.attempts = 1}, instant = {.seconds = 1e-9}, slow = {.stop = nap};
    def.threads = 1;
    uint64_t one = tree_hash(model, &def, NULL);
    for (int threads = 1; threads <= 8; threads++) {
        def.threads = threads;
        assert_int_equal(tree_hash(model, &def, NULL), one);
        assert_int_equal(tree_hash(model, &def, &attempt), one);
        assert_int_equal(tree_hash(model, &def, &instant), one);
    }
    def.threads = 3;
    assert_int_equal(tree_hash(model, &def, &slow), one);
    def.seed = 2;
    assert_true(tree_hash(model, &def, NULL) != one);
}

static void threads_and_slices_change_nothing(void **state)
{
    (void)state;
    static const char *const scenes[] = {"minigolf/windmill", "navigation/maze", "pool/double"};
    static const char *const engines[] = {"ode", "lanes"};
    for (int i = 0; i < 6; i++) {
        cr_model *model = load_scene(scenes[i % 3], NULL);
        cr_planner_def def = cr_model_planner_def(model);
        def.engine = engines[i / 3];
        def.steps = 800;
        compare_threads_and_slices(model, def);
        def.round = i + 1; // few runners
        compare_threads_and_slices(model, def);
        cr_model_destroy(model);
    }
}

static char *read_whole(const char *path, size_t *length)
{
    FILE *file = fopen(path, "rb");
    assert_non_null(file);
    char *text = malloc(1 << 20);
    *length = fread(text, 1, 1 << 20, file);
    fclose(file);
    return text;
}

static void plan_files_do_not_depend_on_threads(void **state)
{
    (void)state;
    cr_model *model = load_scene("minigolf/bank", NULL);
    char *first = NULL;
    size_t first_length = 0;
    for (int threads = 1; threads <= 8; threads *= 2) {
        cr_planner_def def = cr_model_planner_def(model);
        def.threads = threads;
        cr_planner *planner = make_planner(model, &def);
        cr_outcome outcome = cr_planner_grow(planner, NULL);
        assert_int_equal(outcome, CR_OUTCOME_SOLVED);
        cr_plan *plan = NULL;
        cr_report report = {0};
        assert_int_equal(cr_plan_create(planner, outcome, &plan, &report), CR_OK);
        char path[] = "/tmp/carom-plan-XXXXXX";
        close(mkstemp(path));
        assert_int_equal(cr_plan_write(plan, path, &report), CR_OK);
        size_t length;
        char *text = read_whole(path, &length);
        if (!first) {
            first = text;
            first_length = length;
        } else {
            assert_int_equal(length, first_length);
            assert_memory_equal(text, first, length);
            free(text);
        }
        unlink(path);
        cr_plan_destroy(plan);
        cr_planner_destroy(planner);
    }
    free(first);
    cr_model_destroy(model);
}

// ---------------------------------------------------------------------------------------------
// Plans.

static bool count_steps(const cr_replay_step *step, void *context)
{
    assert_true(isfinite(cr_state_bodies_const(step->model, step->state)[0].position.x));
    ++*(int64_t *)context;
    return true;
}

// Solve a scene with a seed; returns the plan, which outlives its planner.
static cr_plan *solve(const cr_model *model, uint64_t seed, int solutions)
{
    cr_planner_def def = cr_model_planner_def(model);
    def.seed = seed;
    def.solutions = solutions;
    cr_planner *planner = make_planner(model, &def);
    cr_outcome outcome = cr_planner_grow(planner, NULL);
    cr_plan *plan = NULL;
    cr_report report = {0};
    assert_int_equal(cr_plan_create(planner, outcome, &plan, &report), CR_OK);
    cr_planner_destroy(planner);
    return plan;
}

static void plans_replay_and_read_back(void **state)
{
    (void)state;
    static const char *const scenes[] = {"minigolf/bank", "navigation/u-shape"};
    for (int i = 0; i < 2; i++) {
        cr_model *model = load_scene(scenes[i], NULL);
        cr_plan *plan = solve(model, 3, 3);
        cr_report report = {0};
        assert_int_equal(cr_plan_solution_count(plan), 3);
        for (int s = 0; s < 3; s++) {
            int64_t seen = 0;
            assert_int_equal(cr_plan_replay(plan, s, count_steps, &seen, &report), CR_OK);
            assert_int_equal(seen, cr_plan_solution(plan, s).steps + 1);
            assert_true(cr_plan_solution(plan, s).goal);
            // Best first.
            assert_true(s == 0 ||
                        cr_plan_solution(plan, s).score <= cr_plan_solution(plan, s - 1).score);
        }
        char path[] = "/tmp/carom-plan-XXXXXX";
        close(mkstemp(path));
        assert_int_equal(cr_plan_write(plan, path, &report), CR_OK);
        cr_plan *again = NULL;
        assert_int_equal(cr_plan_read(path, NULL, &again, &report), CR_OK);
        for (int s = 0; s < 3; s++) {
            assert_int_equal(cr_plan_replay(again, s, NULL, NULL, &report), CR_OK);
            assert_int_equal(cr_plan_solution(again, s).hash, cr_plan_solution(plan, s).hash);
        }
        assert_string_equal(cr_plan_repeat(again), cr_plan_repeat(plan));
        unlink(path);
        cr_plan_destroy(again);
        cr_plan_destroy(plan);
        cr_model_destroy(model);
    }
}

static double worth(const cr_solution *s, const char *rank)
{
    double sum = 2 * s->score - 0.5 * s->seconds - 0.1 * s->turning - 0.2 * s->contacts;
    const struct {
        const char *rank;
        double worth;
    } rows[] = {{"score", s->score},
                {"time", -s->seconds},
                {"curvature", -s->turning},
                {"contacts", -s->contacts},
                {"sum", sum}};
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        if (strcmp(rows[i].rank, rank) == 0) {
            return rows[i].worth;
        }
    }
    fail_msg("rank %s has no row in this test", rank);
    return 0;
}

static void solutions_are_ranked(void **state)
{
    (void)state;
    static const char *const weights[] = {
        "weight_score",    "2",   "weight_time", "0.5", "weight_curvature", "0.1",
        "weight_contacts", "0.2", NULL};
    cr_model *model = load_scene("minigolf/bank", weights);
    uint64_t firsts = 0;
    for (int rank = 0; rank < cr_library_rank_count(NULL); rank++) {
        cr_planner_def def = cr_model_planner_def(model);
        def.solutions = 6;
        def.nodes = 50000;
        def.rank = cr_library_rank(NULL, rank)->name;
        cr_planner *planner = make_planner(model, &def);
        cr_plan *plan = NULL;
        assert_int_equal(cr_plan_create(planner, cr_planner_grow(planner, NULL), &plan, NULL),
                         CR_OK);
        assert_int_equal(cr_plan_solution_count(plan), 6);
        for (int i = 1; i < 6; i++) {
            cr_solution before = cr_plan_solution(plan, i - 1), after = cr_plan_solution(plan, i);
            assert_true(worth(&before, def.rank) >= worth(&after, def.rank));
            assert_true(cr_plan_worth(plan, i) == worth(&after, def.rank));
            assert_true(after.contacts > 0 && after.turning > 0.5);
        }
        firsts ^= rank < 2 ? cr_plan_solution(plan, 0).hash : 0;
        cr_plan_destroy(plan);
        cr_planner_destroy(planner);
    }
    assert_true(firsts != 0); // the best score and the soonest are not the same
    cr_model_destroy(model);
}

// Change one thing in a plan file and try to read and replay it. Returns the status; the first
// error goes to message.
static cr_status read_changed(const char *text, const char *from, const char *to, cr_error *error)
{
    const char *place = strstr(text, from);
    assert_non_null(place);
    size_t before = (size_t)(place - text);
    char *changed = malloc(strlen(text) + strlen(to) + 1);
    memcpy(changed, text, before);
    strcpy(changed + before, to);
    strcat(changed, place + strlen(from));
    cr_report report = {0};
    cr_plan *plan = NULL;
    cr_status status = cr_plan_read_text(changed, strlen(changed), "changed", NULL, &plan, &report);
    if (status == CR_OK) {
        status = cr_plan_replay(plan, 0, NULL, NULL, &report);
    }
    assert_true(status == CR_OK || report.count > 0);
    *error = report.errors[0];
    cr_plan_destroy(plan);
    free(changed);
    return status;
}

// A plan prints as the text of its file, and so does the plan that is read from it; the latter does
// not know its worth.
static void expect_printed(const cr_plan *plan, const char *text, size_t length)
{
    char *printed = NULL;
    size_t count = 0;
    cr_plan *again = NULL;
    assert_int_equal(cr_plan_print(plan, &printed, &count, NULL), CR_OK);
    assert_int_equal(count, length);
    assert_string_equal(printed, text);
    assert_int_equal(cr_plan_read_text(printed, count, "printed", NULL, &again, NULL), CR_OK);
    free(printed);
    assert_int_equal(cr_plan_print(again, &printed, &count, NULL), CR_OK);
    assert_string_equal(printed, text);
    assert_true(isnan(cr_plan_worth(again, 0)) && !isnan(cr_plan_worth(plan, 0)));
    free(printed);
    cr_plan_destroy(again);
}

static void damaged_plans_are_refused(void **state)
{
    (void)state;
    cr_model *model = load_scene("minigolf/bank", NULL);
    cr_plan *plan = solve(model, 1, 1);
    char path[] = "/tmp/carom-plan-XXXXXX";
    close(mkstemp(path));
    assert_int_equal(cr_plan_write(plan, path, NULL), CR_OK);
    size_t length;
    char *text = read_whole(path, &length);
    text[length] = 0;
    unlink(path);
    expect_printed(plan, text, length);
    cr_error error;
    assert_int_equal(read_changed(text, "carom plan", "carom plan", &error), CR_OK);
    assert_int_equal(read_changed(text, "carom plan", "camel plan", &error), CR_ERR_SYNTAX);
    assert_int_equal(read_changed(text, "\"version\": 1", "\"version\": 2", &error),
                     CR_ERR_VERSION);
    assert_string_equal(error.message, "is a plan of version 2; this program reads version 1");
    assert_int_equal(read_changed(text, "\"drawn\": [", "\"drawn\": [1, ", &error), CR_ERR_RANGE);
    assert_int_equal(read_changed(text, "\"tactic\": \"golfer\"", "\"tactic\": \"x\"", &error),
                     CR_ERR_NAME);
    assert_true(error.line > 1 && error.column > 1);
    assert_int_equal(read_changed(text, "\"drawn\": [-", "\"drawn\": [", &error), CR_ERR_REPLAY);
    assert_int_equal(read_changed(text, "\"goal\": true", "\"goal\": 7", &error), CR_ERR_TYPE);
    for (size_t cut = 0; cut < length - 2; cut += 1 + length / 60) {
        cr_report report = {0};
        cr_plan *none = NULL;
        assert_true(cr_plan_read_text(text, cut, "cut", NULL, &none, &report) != CR_OK);
        assert_true(report.count > 0);
        assert_null(none);
    }
    free(text);
    cr_plan_destroy(plan);
    cr_model_destroy(model);
}

// ---------------------------------------------------------------------------------------------
// The method.

// 003, 5.3.3: one Skill that extends toward the sample makes the search a standard RRT. Every
// branch must start at the decision nearest to its sample and end nearer to it than it started,
// unless it had arrived.
static const char rrt_scene[] =
    "materials: {m: {friction: 0.3, restitution: 0.3}}\n"
    "bodies:\n"
    "  robot: {kind: controlled, shape: {cylinder: {radius: 0.1, height: 0.2}}, mass: 1, material: "
    "m,\n"
    "          upright: true, at: [0, 0]}\n"
    "regions: {room: {box: [6, 6], at: [0, 0]}, goal: {box: [0.1, 0.1], at: [50, 0]}}\n"
    "sample: {body: robot, region: room}\n"
    "tactics: {t: {controls: robot, start: go, skills: {go: {do: drive_to, place: sample, seconds: "
    "0.5}}}}\n"
    "goal: {inside: [robot, goal]}\n"
    "plan: {select: rrt, nodes: 4000, round: 1, horizon: 1000}\n";

static void standard_rrt_is_a_special_case(void **state)
{
    (void)state;
    cr_model *model = load_text(rrt_scene);
    cr_planner_def def = cr_model_planner_def(model);
    cr_planner *planner = make_planner(model, &def);
    assert_int_equal(cr_planner_grow(planner, NULL), CR_OUTCOME_FULL);
    int64_t count = cr_planner_branch_count(planner);
    assert_true(count > 100);
    double reach = 0;
    for (int64_t b = 1; b < count; b++) {
        // The sample is the first draw of the attempt's stream: two uniform numbers.
        cr_branch branch = cr_planner_branch(planner, b);
        cr_rng rng = cr_rng_make(def.seed, CR_RNG_ATTEMPT, (uint64_t)branch.attempt);
        double x = cr_rng_uniform(&rng, -3, 3), y = cr_rng_uniform(&rng, -3, 3);
        cr_vec3 from = cr_state_pose(model, cr_planner_state(planner, branch.parent), 0).position;
        cr_vec3 to = cr_state_pose(model, cr_planner_state(planner, b), 0).position;
        double before = sqrt((from.x - x) * (from.x - x) + (from.y - y) * (from.y - y));
        double after = sqrt((to.x - x) * (to.x - x) + (to.y - y) * (to.y - y));
        cr_vec3 v = cr_state_velocity(model, cr_planner_state(planner, branch.parent), 0);
        // What it moves on before it can have turned round: speed x 0.5 s at most.
        assert_true(after < before + 0.02 + 0.5 * sqrt(v.x * v.x + v.y * v.y));
        reach = fabs(to.x) > reach ? fabs(to.x) : reach;
    }
    assert_true(reach > 2.5); // it has spread through the room
    cr_planner_destroy(planner);
    cr_model_destroy(model);
}

static const char post_scene[] =
    "materials: {m: {friction: 0.3, restitution: 0.3}}\n"
    "bodies:\n"
    "  post: {kind: static, shape: {cylinder: {radius: 0.2, height: 0.5}}, material: m, at: [1, "
    "0]}\n"
    "  robot: {kind: controlled, shape: {cylinder: {radius: 0.1, height: 0.2}}, mass: 1, material: "
    "m,\n"
    "          upright: true, at: [0, 0]}\n"
    "regions: {room: {box: [4, 1], at: [0, 0]}, goal: {box: [0.4, 0.4], at: [1.8, 0]}}\n"
    "sample: {body: robot, region: room}\n"
    "tactics: {t: {controls: robot, start: go, skills: {go: {do: drive_to, place: sample}}}}\n"
    "rules: [{never: {touch: [robot, post]}}]\n"
    "plan: {select: uniform, nodes: 5000, steps: 5000}\n";

// Without RollBack the valid prefix of a dead branch stays; with it nothing of it does.
static void dead_branches_are_kept_on_demand(void **state)
{
    (void)state;
    cr_model *model = load_text(post_scene);
    cr_planner_def def = cr_model_planner_def(model);
    cr_planner *planner = make_planner(model, &def);
    assert_int_equal(cr_planner_grow(planner, NULL), CR_OUTCOME_STEPS);
    cr_planner_stats without = cr_planner_get_stats(planner);
    assert_true(without.dead_rule > 5);
    assert_true(without.nodes < without.steps);
    int64_t branches = cr_planner_branch_count(planner);
    assert_true(branches == without.attempts - without.dead_rule + 1);
    cr_planner_destroy(planner);

    def.keep_dead = true;
    planner = make_planner(model, &def);
    cr_planner_grow(planner, NULL);
    cr_planner_stats with = cr_planner_get_stats(planner);
    assert_true(with.dead_rule > 5);
    // Each dead branch loses just the step that broke the rule.
    assert_int_equal(with.nodes - 1, with.steps - with.dead_rule);
    cr_planner_destroy(planner);
    cr_model_destroy(model);
}

static const char chain_scene[] =
    "materials: {m: {friction: 0.3, restitution: 0.3}}\n"
    "bodies:\n"
    "  robot: {kind: controlled, shape: {cylinder: {radius: 0.1, height: 0.2}}, mass: 1, material: "
    "m,\n"
    "          upright: true, at: [0, 0]}\n"
    "tactics:\n"
    "  t: {controls: robot, start: a,\n"
    "      skills: {a: {do: wait, seconds: 0.1}, b: {do: wait, seconds: 0.1}, c: {do: end}},\n"
    "      next: {a: {b: 1}, b: {c: 1}}}\n"
    "plan: {nodes: 1000}\n";

// Without a choice there is one future; with free Tactics there are many, and none of them ends by
// itself.
static void free_tactics_open_the_machine(void **state)
{
    (void)state;
    cr_model *model = load_text(chain_scene);
    cr_planner_def def = cr_model_planner_def(model);
    cr_planner *planner = make_planner(model, &def);
    assert_int_equal(cr_planner_grow(planner, NULL), CR_OUTCOME_EXHAUSTED);
    cr_planner_stats stats = cr_planner_get_stats(planner);
    assert_int_equal(stats.attempts, 1);
    assert_int_equal(stats.nodes, 13); // the start and twice 0.1 s
    assert_int_equal(stats.ended, 1);
    cr_planner_destroy(planner);

    def.free_tactics = true;
    planner = make_planner(model, &def);
    assert_int_equal(cr_planner_grow(planner, NULL), CR_OUTCOME_FULL);
    assert_int_equal(cr_planner_get_stats(planner).ended, 0);
    cr_planner_destroy(planner);
    cr_model_destroy(model);
}

// A search ends for the reason it should, after no more than it may use.
static void limits_are_kept(void **state)
{
    (void)state;
    cr_model *model = load_scene("minigolf/double-bank", NULL);
    cr_planner_def def = cr_model_planner_def(model);
    def.seed = 5;
    def.attempts = 7;
    cr_planner *planner = make_planner(model, &def);
    assert_int_equal(cr_planner_grow(planner, NULL), CR_OUTCOME_ATTEMPTS);
    assert_int_equal(cr_planner_get_stats(planner).attempts, 7);
    // Asked again, it says the same and does nothing.
    assert_int_equal(cr_planner_grow(planner, NULL), CR_OUTCOME_ATTEMPTS);
    assert_int_equal(cr_planner_get_stats(planner).attempts, 7);
    cr_planner_destroy(planner);
    def.attempts = 0;
    def.steps = 333;
    planner = make_planner(model, &def);
    assert_int_equal(cr_planner_grow(planner, NULL), CR_OUTCOME_STEPS);
    assert_true(cr_planner_get_stats(planner).steps <= 333);
    cr_planner_destroy(planner);
    def.steps = 0;
    def.nodes = 200;
    planner = make_planner(model, &def);
    assert_int_equal(cr_planner_grow(planner, NULL), CR_OUTCOME_FULL);
    assert_true(cr_planner_get_stats(planner).nodes <= 200);
    cr_planner_destroy(planner);
    cr_model_destroy(model);
}

// BGT holds its ratio: the tree of a large mu is deeper and thinner than that of a small one.
static void mu_trades_depth_for_breadth(void **state)
{
    (void)state;
    cr_model *model = load_text(rrt_scene);
    double ratios[2];
    for (int i = 0; i < 2; i++) {
        cr_planner_def def = cr_model_planner_def(model);
        def.select = "bgt";
        def.mu = i == 0 ? 10 : 200;
        cr_planner *planner = make_planner(model, &def);
        cr_planner_grow(planner, NULL);
        int64_t count = cr_planner_branch_count(planner), parents = 0, leaves = 0, depth = 0;
        for (int64_t b = 0; b < count; b++) {
            bool has_child = false;
            for (int64_t c = b + 1; c < count && !has_child; c++) {
                has_child = cr_planner_branch(planner, c).parent == b;
            }
            parents += has_child;
            leaves += !has_child;
            depth += has_child ? 0 : cr_planner_branch(planner, b).depth;
        }
        ratios[i] = (double)depth / (double)leaves / ((double)(count - 1) / (double)parents);
        cr_planner_destroy(planner);
    }
    assert_true(fabs(ratios[0] - 10) < 2);
    assert_true(fabs(ratios[1] - 200) < 40);
    cr_model_destroy(model);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(trees_have_golden_hashes),
        cmocka_unit_test(threads_and_slices_change_nothing),
        cmocka_unit_test(plan_files_do_not_depend_on_threads),
        cmocka_unit_test(plans_replay_and_read_back),
        cmocka_unit_test(solutions_are_ranked),
        cmocka_unit_test(damaged_plans_are_refused),
        cmocka_unit_test(standard_rrt_is_a_special_case),
        cmocka_unit_test(dead_branches_are_kept_on_demand),
        cmocka_unit_test(free_tactics_open_the_machine),
        cmocka_unit_test(limits_are_kept),
        cmocka_unit_test(mu_trades_depth_for_breadth),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
