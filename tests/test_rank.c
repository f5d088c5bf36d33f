// Which solution comes first: by worth, of equals the sooner one, of equals the one found earlier;
// whatever order they came in.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <cmocka.h>

#include "plan/plan.h"
#include "scenes.h"

enum { MOST = 7 };

static const char *const ranks[] = {"score", "time", "curvature", "contacts", "sum"};
enum { RANKS = sizeof ranks / sizeof ranks[0] };

// What the header promises, as a table of what each rank looks at; the sum has weights 2, 1, 3, 5.
static double worth_of(const cr_solution *s, int rank)
{
    const double worth[RANKS] = {s->score, -s->seconds, -s->turning, -s->contacts,
                                 2 * s->score - s->seconds - 3 * s->turning - 5 * s->contacts};
    return worth[rank];
}

static bool comes_before(const cri_plan_solution *a, const cri_plan_solution *b, int rank)
{
    double x = worth_of(&a->info, rank), y = worth_of(&b->info, rank);
    if (x != y) {
        return x > y;
    }
    return a->info.steps < b->info.steps ||
           (a->info.steps == b->info.steps && a->attempt < b->attempt);
}

// Few values each, so that there are ties of every kind. Attempts are all different.
static cri_plan_solution draw_solution(int64_t attempt, cr_rng *rng)
{
    int64_t steps = 1 + (int64_t)cr_rng_index(rng, 3);
    return (cri_plan_solution){.attempt = attempt,
                               .info = {.steps = steps,
                                        .seconds = (double)steps * 0.5,
                                        .score = (double)cr_rng_index(rng, 2),
                                        .turning = (double)cr_rng_index(rng, 2),
                                        .contacts = (int)cr_rng_index(rng, 2)}};
}

static void shuffle(cri_plan_solution *s, int count, cr_rng *rng)
{
    for (int i = count - 1; i > 0; i--) {
        int k = (int)cr_rng_index(rng, (uint64_t)i + 1);
        cri_plan_solution swap = s[i];
        s[i] = s[k];
        s[k] = swap;
    }
}

static void ranked_by_worth_then_time_then_attempt(void **state)
{
    (void)state;
    cr_rng rng = cr_rng_make(5, CR_RNG_USER, 0);
    for (int i = 0; i < 20000; i++) {
        cri_plan_solution s[MOST];
        int count = i % (MOST + 1);
        cr_model model = {0}; // the built-in library
        cr_plan plan = {.model = &model,
                        .def = {.rank = ranks[i % RANKS],
                                .weight_score = 2,
                                .weight_time = 1,
                                .weight_curvature = 3,
                                .weight_contacts = 5}};
        int64_t sum = 0, sum_before = 0;
        for (int k = 0; k < count; k++) {
            s[k] = draw_solution(k + 1, &rng);
            sum_before += k + 1;
        }
        shuffle(s, count, &rng);
        cri_rank(&plan, s, count);
        for (int k = 0; k < count; k++) {
            sum += s[k].attempt;
            assert_true(k == 0 || comes_before(&s[k - 1], &s[k], i % RANKS));
        }
        assert_int_equal(sum, sum_before); // none is lost
    }
}

// From outside: without a score all are worth the same, so the sooner one comes first, and of two
// that take as long the one that was found earlier. Which one that is its hash tells.
static const char many_ways[] =
    "dt: 0.0625\n"
    "bodies:\n"
    "  robot: {kind: controlled, shape: {cylinder: {radius: 0.1, height: 0.2}}, mass: 1,\n"
    "          upright: true, at: [0, 0]}\n"
    "tactics: {t: {controls: robot, start: first, skills: {first: {do: wait, seconds: {uniform: "
    "[0.1, 0.4]}},\n"
    "  last: {do: stand}}, next: {first: {last: 1}}}}\n"
    "goal: {skill: [t, last]}\n"
    "plan: {solutions: 40, select: uniform, round: 1, nodes: 5000}\n";

static void equals_are_in_the_order_found(void **state)
{
    (void)state;
    cr_model *model = load_text(many_ways);
    assert_non_null(model);
    cr_planner_def def = cr_model_planner_def(model);
    cr_planner *planner = NULL;
    cr_plan *plan = NULL;
    assert_int_equal(cr_planner_create(model, &def, &planner, NULL), CR_OK);
    cr_outcome outcome = cr_planner_grow(planner, NULL);
    assert_int_equal(outcome, CR_OUTCOME_SOLVED);
    assert_int_equal(cr_plan_create(planner, outcome, &plan, NULL), CR_OK);
    assert_int_equal(cr_plan_solution_count(plan), 40);
    int place = 0;
    for (int64_t depth = 1; depth < 20; depth++) {
        for (int64_t b = 1; b < cr_planner_branch_count(planner); b++) {
            cr_branch branch = cr_planner_branch(planner, b);
            if (branch.goal && branch.depth == depth) {
                cr_solution s = cr_plan_solution(plan, place++);
                assert_int_equal(s.steps, depth);
                assert_int_equal(s.hash, cr_state_hash(model, cr_planner_state(planner, b)));
            }
        }
    }
    assert_int_equal(place, 40);
    cr_plan_destroy(plan);
    cr_planner_destroy(planner);
    cr_model_destroy(model);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(ranked_by_worth_then_time_then_attempt),
        cmocka_unit_test(equals_are_in_the_order_found),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
