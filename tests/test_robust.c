// Robust ranking: an exact world holds every solution, a worse one fewer, the order is by what
// holds, a plan that was put in order replays, and it all repeats.
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <cmocka.h>

#include "scenes.h"

static cr_plan *make_plan(const cr_model *model, int solutions)
{
    cr_planner_def def = cr_model_planner_def(model);
    cr_planner *planner = NULL;
    cr_plan *plan = NULL;
    def.solutions = solutions;
    def.nodes = 200000;
    def.threads = 1;
    assert_int_equal(cr_planner_create(model, &def, &planner, NULL), CR_OK);
    cr_outcome outcome = cr_planner_grow(planner, NULL);
    assert_int_equal(cr_plan_create(planner, outcome, &plan, NULL), CR_OK);
    assert_int_equal(cr_plan_solution_count(plan), solutions);
    cr_planner_destroy(planner);
    return plan;
}

static cr_robustness try(const cr_plan *plan, int solution, const cr_robust_def *def)
{
    cr_robustness result;
    assert_int_equal(cr_plan_try(plan, solution, def, &result, NULL), CR_OK);
    assert_int_equal(result.futures, def->futures);
    assert_true(result.low <= (double)result.held / result.futures &&
                (double)result.held / result.futures <= result.high);
    return result;
}

static void disturbance_costs(void **state)
{
    (void)state;
    cr_model *model = load_scene("minigolf/windmill", NULL);
    cr_plan *plan = make_plan(model, 4);
    int held[3] = {0};
    for (int level = 0; level < 3; level++) {
        for (int i = 0; i < 4; i++) {
            cr_robust_def def = cr_default_robust_def();
            def.futures = 60;
            if (level == 0) {
                def.truth = cr_exact_truth_def();
            } else if (level == 2) {
                def.truth.kick_aim = 0.1;
                def.truth.kick_speed = 0.1;
            }
            cr_robustness result = try(plan, i, &def);
            assert_int_equal(try(plan, i, &def).held, result.held);
            held[level] += result.held;
        }
    }
    assert_int_equal(held[0], 4 * 60); // bit for bit as planned
    assert_true(held[1] < held[0] && held[1] > held[2]);
    cr_plan_destroy(plan);
    cr_model_destroy(model);
}

static void the_order_is_by_what_holds(void **state)
{
    (void)state;
    enum { SOLUTIONS = 8 };
    cr_model *model = load_scene("minigolf/bank", NULL);
    cr_plan *plan = make_plan(model, SOLUTIONS);
    cr_robust_def def = cr_default_robust_def();
    def.futures = 40;
    int held[SOLUTIONS], first = 0;
    uint64_t hashes[SOLUTIONS];
    for (int i = 0; i < SOLUTIONS; i++) {
        held[i] = try(plan, i, &def).held;
        hashes[i] = cr_plan_solution(plan, i).hash;
        first = held[i] > held[first] ? i : first;
    }
    cr_robustness rates[SOLUTIONS];
    assert_int_equal(cr_plan_rank_robust(plan, &def, rates, NULL), CR_OK);
    assert_int_equal(cr_plan_solution(plan, 0).hash, hashes[first]);
    for (int i = 0; i < SOLUTIONS; i++) {
        assert_true(i == 0 || rates[i].held <= rates[i - 1].held);
        assert_int_equal(try(plan, i, &def).held, rates[i].held);
        assert_int_equal(cr_plan_replay(plan, i, NULL, NULL, NULL), CR_OK);
    }
    assert_true(rates[0].held > rates[SOLUTIONS - 1].held);
    cr_plan_destroy(plan);
    cr_model_destroy(model);
}

// Wilson's interval of 20 of 20: 83.9 to 100%.
static void intervals_are_wilsons(void **state)
{
    (void)state;
    cr_model *model = load_scene("minigolf/bank", NULL);
    cr_plan *plan = make_plan(model, 1);
    cr_robust_def def = cr_default_robust_def();
    def.truth = cr_exact_truth_def();
    def.futures = 20;
    cr_robustness all = try(plan, 0, &def);
    assert_true(all.held == 20 && all.high == 1 && fabs(all.low - 0.8389) < 1e-3);
    def.futures = 0;
    assert_int_equal(cr_plan_try(plan, 0, &def, &all, NULL), CR_ERR_RANGE);
    cr_plan_destroy(plan);
    cr_model_destroy(model);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(disturbance_costs),
        cmocka_unit_test(the_order_is_by_what_holds),
        cmocka_unit_test(intervals_are_wilsons),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
