// A step does not depend on its neighbours, nor a tree on threads: some thousands of generated
// steps. bench/purity.c runs millions.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include "purity.h"

static void steps_are_the_same_in_every_batch(void **state)
{
    (void)state;
    enum { MODELS = 36, ROUNDS = 1 };
    purity_counts c = {0};
    for (uint64_t i = 0; i < MODELS; i++) {
        purity_steps(1, i, ROUNDS, &c);
    }
    assert_int_equal(c.differ, 0);
    assert_int_equal(c.failed, 0);
    // And it saw something.
    assert_true(c.refused * 50 <= c.models);
    assert_true(c.batched > 3000);
    assert_true(c.touches > c.alone);
    assert_true(c.dead > 0 && c.dead * 10 < c.alone);
    assert_true(c.exact > 50);
    assert_true(c.own * 4 > c.batched && c.own_lanes > 300); // joints and large worlds have others
    assert_true(c.large > 100);
}

static void trees_are_the_same_with_any_threads(void **state)
{
    (void)state;
    enum { MODELS = 3 };
    purity_counts c = {0};
    for (uint64_t i = 0; i < MODELS; i++) {
        purity_trees(2, i, &c);
    }
    assert_int_equal(c.differ, 0);
    assert_int_equal(c.failed, 0);
    assert_true(c.trees >= 20);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(steps_are_the_same_in_every_batch),
        cmocka_unit_test(trees_are_the_same_with_any_threads),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
