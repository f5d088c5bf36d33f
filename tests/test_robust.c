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

// All in a fifth of the futures, three of eight in half, one in all; what a solution was tried in
// before is not tried again, and counts.
static void many_are_screened(void **state)
{
    (void)state;
    enum { SOLUTIONS = 8 };
    cr_model *model = load_scene("minigolf/bank", NULL);
    cr_plan *plan = make_plan(model, SOLUTIONS);
    cr_robust_def def = cr_default_robust_def();
    def.futures = 60;
    cr_robustness rates[SOLUTIONS];
    assert_int_equal(cr_plan_rank_robust(plan, &def, rates, NULL), CR_OK);
    for (int i = 0; i < SOLUTIONS; i++) {
        def.futures = i == 0 ? 60 : (i < 3 ? 30 : 12);
        cr_robustness again = try(plan, i, &def);
        assert_int_equal(rates[i].futures, def.futures);
        assert_int_equal(again.held, rates[i].held);
        assert_true(again.steps == rates[i].steps && again.low == rates[i].low);
    }
    def.futures = 0;
    assert_int_equal(cr_plan_rank_robust(plan, &def, NULL, NULL), CR_ERR_RANGE);
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

// ---------------------------------------------------------------------------------------------
// Luck. The goal is reached if a foreign body draws the lucky Skill of two, with a probability that
// the scene says.

static cr_model *load_lottery(int lucky, const char *chance)
{
    char text[1000];
    snprintf(
        text, sizeof text,
        "dt: 0.0625\n"
        "bodies:\n"
        "  robot: {kind: controlled, shape: {cylinder: {radius: 0.1, height: 0.2}}, mass: 1,\n"
        "          upright: true, at: [0, 0]}\n"
        "  other: {kind: foreign, shape: {cylinder: {radius: 0.1, height: 0.2}}, at: [1, 0]}\n"
        "tactics:\n"
        "  me: {controls: robot, start: turn, skills: {turn: {do: turn, by: {uniform: [0, 1]}},\n"
        "       wait: {do: wait, seconds: 9}}, next: {turn: {wait: 1}}}\n"
        "  them: {controls: other, start: wait, skills: {wait: {do: wait, seconds: 1},\n"
        "         luck: {do: wait, seconds: 99}, bad: {do: wait, seconds: 99}},\n"
        "         next: {wait: {luck: %d, bad: %d}}}\n"
        "goal: {skill: [them, luck]}\n"
        "plan: {nodes: 5000, horizon: 4, chance: %s}\n",
        lucky, 100 - lucky, chance);
    return load_text(text);
}

// The same plan, executed anew with draws that neither the search nor the prediction has seen.
static int execute_often(const cr_model *model, int times)
{
    int reached = 0;
    for (int i = 0; i < times; i++) {
        cr_run_def def = cr_default_run_def(model);
        cr_run_result result;
        def.planner.threads = 1;
        def.truth = cr_exact_truth_def();
        def.truth.engine = "lanes";
        def.truth.seed = 77000 + (uint64_t)i;
        assert_int_equal(cr_run_execute(model, &def, NULL, &result, NULL), CR_OK);
        reached += result.goal;
    }
    return reached;
}

// With `chance: nature` and with `chance: planner` a plan is found, and what it is worth is what
// the scene says; the search that picks its luck calls certain what is not.
static void luck_is_worth_what_it_is(void **state)
{
    (void)state;
    static const int lucky[] = {10, 35, 80, 100};
    for (size_t i = 0; i < 2 * sizeof lucky / sizeof lucky[0]; i++) {
        double p = lucky[i / 2] / 100.0, slack = 4 * sqrt(p * (1 - p) / 200);
        cr_model *model = load_lottery(lucky[i / 2], i % 2 ? "planner" : "nature");
        assert_non_null(model);
        assert_int_equal(cr_model_tactic(model, 1)->draws, lucky[i / 2] < 100);
        cr_plan *plan = make_plan(model, 1);
        cr_robust_def def = cr_luck_def();
        cr_robustness predicted = try(plan, 0, &def);
        assert_int_equal(predicted.futures, 200);
        double executed = execute_often(model, 200) / 200.0;
        assert_true(fabs(predicted.held / 200.0 - p) <= slack && fabs(executed - p) <= slack);
        // What is executed lies within the interval that was predicted, as far as 200 can tell.
        double wide = 1.96 * sqrt(executed * (1 - executed) / 200);
        assert_true(executed + wide >= predicted.low && executed - wide <= predicted.high);
        cr_plan_destroy(plan);
        cr_model_destroy(model);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(disturbance_costs),        cmocka_unit_test(the_order_is_by_what_holds),
        cmocka_unit_test(many_are_screened),        cmocka_unit_test(intervals_are_wilsons),
        cmocka_unit_test(luck_is_worth_what_it_is),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
