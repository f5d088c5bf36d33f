// Searches that follow one another: a subtree that is kept is the one that was grown, it replays
// and grows on the same on any number of threads; and choices of an old plan are tried first.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <cmocka.h>

#include "plan/plan.h"
#include "scenes.h"

static cr_planner *grown(const cr_model *model, const char *select, int threads, int64_t attempts)
{
    cr_planner_def def = cr_model_planner_def(model);
    def.select = select;
    def.threads = threads;
    def.solutions = 5000;
    cr_planner *planner = NULL;
    assert_int_equal(cr_planner_create(model, &def, &planner, NULL), CR_OK);
    cr_slice slice = {.attempts = attempts};
    cr_planner_grow(planner, &slice);
    return planner;
}

static bool is_below(const cr_planner *planner, int64_t branch, int64_t root)
{
    while (branch > root) {
        branch = cr_planner_branch(planner, branch).parent;
    }
    return branch == root;
}

// The decision with the most below it, but for the root.
static int64_t find_root(const cr_planner *planner, int64_t *below)
{
    int64_t best = 0;
    *below = 0;
    for (int64_t b = 1; b < cr_planner_branch_count(planner); b++) {
        int64_t count = 0;
        for (int64_t k = b + 1; k < cr_planner_branch_count(planner); k++) {
            count += is_below(planner, k, b);
        }
        if (count > *below) {
            best = b;
            *below = count;
        }
    }
    return best;
}

static bool look(const cr_replay_step *step, void *context)
{
    ++*(int64_t *)context;
    return step != NULL;
}

static void the_subtree_is_kept(void **state)
{
    (void)state;
    static const char *const scenes[] = {"minigolf/windmill", "navigation/maze",
                                         "soccer/attack-1v2"};
    for (int i = 0; i < 3; i++) {
        int kept = 0;
        cr_model *model = load_scene(scenes[i], NULL);
        for (int s = 0; s < cr_library_select_count(NULL); s++) {
            const char *select = cr_library_select(NULL, s)->name;
            cr_planner *old = grown(model, select, 1, 150), *new = grown(model, select, 2, 150);
            int64_t below = 0, root = find_root(old, &below), at = 1, steps = 0;
            if (below == 0) { // this select has not come that far
                cr_planner_destroy(old);
                cr_planner_destroy(new);
                continue;
            }
            kept++;
            assert_int_equal(cr_planner_reroot(new, root, NULL), CR_OK);
            assert_int_equal(cr_planner_branch_count(new), below + 1);
            for (int64_t b = root + 1; b < cr_planner_branch_count(old); b++) {
                if (is_below(old, b, root)) {
                    cr_branch was = cr_planner_branch(old, b), is = cr_planner_branch(new, at);
                    assert_int_equal(is.attempt, was.attempt);
                    assert_int_equal(is.depth, was.depth - cr_planner_branch(old, root).depth);
                    assert_int_equal(is.children, was.children);
                    assert_true(is.ended == was.ended && is.goal == was.goal);
                    assert_int_equal(cr_state_hash(model, cr_planner_state(new, at)),
                                     cr_state_hash(model, cr_planner_state(old, b)));
                    steps += is.steps;
                    at++;
                }
            }
            assert_int_equal(cr_planner_get_stats(new).nodes, steps + 1);
            assert_int_equal(cr_planner_get_stats(new).attempts, 0);
            cr_planner_destroy(old);
            cr_planner_destroy(new);
        }
        assert_true(kept >= 2);
        cr_model_destroy(model);
    }
}

// What is grown on below the new root does not depend on threads, has attempts of its own, and
// replays.
static void it_grows_on(void **state)
{
    (void)state;
    cr_model *model = load_scene("minigolf/windmill", NULL);
    uint64_t hashes[2];
    for (int i = 0; i < 2; i++) {
        cr_planner *planner = grown(model, "bgt", 1 + 2 * i, 150);
        int64_t below = 0, shown = 0, before = 0;
        assert_int_equal(cr_planner_reroot(planner, find_root(planner, &below), NULL), CR_OK);
        before = cr_planner_branch_count(planner);
        cr_slice slice = {.attempts = 40};
        cr_planner_grow(planner, &slice);
        assert_int_equal(cr_planner_get_stats(planner).attempts, 40);
        for (int64_t b = before; b < cr_planner_branch_count(planner); b++) {
            assert_true(cr_planner_branch(planner, b).attempt > 150);
        }
        hashes[i] = cr_planner_get_stats(planner).tree_hash;
        assert_int_equal(cr_planner_retrace(planner, look, &shown, NULL), CR_OK);
        assert_true(shown >= cr_planner_get_stats(planner).nodes);
        cr_planner_destroy(planner);
    }
    assert_int_equal(hashes[0], hashes[1]);
    cr_model_destroy(model);
}

// The choices of a solution, tried first from the same root, are the solution again; from a root a
// little beside it they are still tried, and mostly do.
static void choices_are_tried_first(void **state)
{
    (void)state;
    static const char *const scenes[] = {"minigolf/windmill", "minigolf/gate"};
    for (int i = 0; i < 2; i++) {
        cr_model *model = load_scene(scenes[i], NULL);
        cr_planner_def def = cr_model_planner_def(model);
        cr_planner *planner = NULL;
        cr_plan *plan = NULL, *again = NULL;
        assert_int_equal(cr_planner_create(model, &def, &planner, NULL), CR_OK);
        cr_outcome outcome = cr_planner_grow(planner, NULL);
        int64_t steps = cr_planner_get_stats(planner).steps, first[8];
        assert_int_equal(cr_plan_create(planner, outcome, &plan, NULL), CR_OK);
        const cri_plan_solution *solution = &plan->solutions[0];
        assert_true(solution->info.branches <= 8);
        for (int b = 0; b < solution->info.branches; b++) {
            first[b] = solution->branches[b].attempt;
        }
        cr_root root = {.first = first, .first_count = solution->info.branches};
        assert_int_equal(cr_planner_restart(planner, &root, NULL), CR_OK);
        outcome = cr_planner_grow(planner, NULL);
        assert_int_equal(outcome, CR_OUTCOME_SOLVED);
        assert_true(cr_planner_get_stats(planner).steps < steps);
        assert_int_equal(cr_plan_create(planner, outcome, &again, NULL), CR_OK);
        bool same = cr_plan_solution(again, 0).hash == solution->info.hash;
        bool sooner = cr_plan_solution(again, 0).steps < solution->info.steps; // luck of another
        assert_true(same || sooner);
        cr_plan_destroy(again);
        cr_plan_destroy(plan);
        cr_planner_destroy(planner);
        cr_model_destroy(model);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_subtree_is_kept),
        cmocka_unit_test(it_grows_on),
        cmocka_unit_test(choices_are_tried_first),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
