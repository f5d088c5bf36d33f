// The lanes engine agrees with ODE: over open-loop roll-outs with at most two bounces the median
// distance of the balls is at most 1 cm, or what ODE itself changes with finer substeps.
#include "rollout.h"

static void test_lanes_agree_with_ode(void **state)
{
    (void)state;
    for (int i = 0; i < COURSE_COUNT; i++) {
        world w = world_make();
        COURSES[i].make(&w);
        world_finish(&w);
        int rollouts = w.model.moving_count > 8 ? 20 : 200;
        agreement a = compare_engines(&w.model, rollouts);
        assert_int_equal(a.count, rollouts);
        assert_near(a.error, 0, fmax(0.01, a.spread));
        world_free(&w);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_lanes_agree_with_ode)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
