// Trapezoidal motion against its closed forms, and driven to the end as a controller.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include "base/vec.h"
#include "behavior/motion.h"

static void assert_close(double got, double want, double tolerance)
{
    if (!(fabs(got - want) <= tolerance)) {
        fail_msg("%.9g is not %.9g", got, want);
    }
}

static void times_match_closed_forms(void **state)
{
    (void)state;
    double a = 3, top = 2;
    // From rest, too short to reach top speed: 2 sqrt(d / a).
    assert_close(cri_axis_time(1, 0, top, a), 2 * sqrt(1 / a), 1e-12);
    // Long: d / v + v / a.
    assert_close(cri_axis_time(10, 0, top, a), 10 / top + top / a, 1e-12);
    assert_close(cri_axis_time(-10, 0, top, a), 10 / top + top / a, 1e-12);
    // Exactly the braking distance: v / a.
    assert_close(cri_axis_time(top * top / (2 * a), top, top, a), top / a, 1e-12);
    // Moving away at 1 m/s: stop after v / a, then from rest over d + v2 / 2a.
    double d = 0.5 + 1 / (2 * a);
    assert_close(cri_axis_time(0.5, -1, top, a), 1 / a + 2 * sqrt(d / a), 1e-12);
    // Too fast to stop in time: overshoot and come back.
    double back = top * top / (2 * a) - 0.1;
    assert_close(cri_axis_time(0.1, top, top, a), top / a + 2 * sqrt(back / a), 1e-12);
    // Faster than allowed: brake to top speed first.
    double braked = (9 - 4) / (2 * a);
    assert_close(cri_axis_time(10, 3, top, a), 1 / a + (10 - braked - 4 / (2 * a)) / top + top / a,
                 1e-12);
    assert_close(cri_axis_time(0, 0, top, a), 0, 1e-12);
}

static void planar_motion_is_never_slower_than_its_bound(void **state)
{
    (void)state;
    cr_limits limits = {2, 3, 10, 40};
    cr_rng rng = cr_rng_make(1, CR_RNG_USER, 0);
    for (int i = 0; i < 20000; i++) {
        cr_vec3 offset = {cr_rng_uniform(&rng, -4, 4), cr_rng_uniform(&rng, -4, 4), 0};
        cr_vec3 v = {cr_rng_uniform(&rng, -3, 3), cr_rng_uniform(&rng, -3, 3), 0};
        double time = cri_drive_time(offset, v, &limits);
        assert_true(isfinite(time));
        // Distance over the larger of top speed and present speed.
        double bound = cri_length(offset) / fmax(limits.speed, cri_length(v));
        assert_true(bound <= time + 1e-9);
    }
}

// The shares are nearly the best that a search over all of them finds.
static void planar_motion_shares_well(void **state)
{
    (void)state;
    cr_limits limits = {2, 3, 10, 40};
    cr_rng rng = cr_rng_make(3, CR_RNG_USER, 0);
    double sum = 0, worst = 0;
    enum { COUNT = 2000, SHARES = 400 };
    for (int i = 0; i < COUNT; i++) {
        double reach = i % 2 ? 4 : 0.5;
        cr_vec3 offset = {cr_rng_uniform(&rng, -reach, reach), cr_rng_uniform(&rng, -reach, reach),
                          0};
        cr_vec3 v = {cr_rng_uniform(&rng, -2, 2), cr_rng_uniform(&rng, -2, 2), 0};
        double best = HUGE_VAL;
        for (int k = 1; k < SHARES; k++) {
            double x = (double)k / SHARES, y = sqrt(1 - x * x);
            best = fmin(best, fmax(cri_axis_time(offset.x, v.x, 2 * x, 3 * x),
                                   cri_axis_time(offset.y, v.y, 2 * y, 3 * y)));
        }
        double more = cri_drive_time(offset, v, &limits) / best - 1;
        sum += more;
        worst = fmax(worst, more);
    }
    print_message("slower than the best: %.2f%% on average, at most %.1f%%\n", 100 * sum / COUNT,
                  100 * worst);
    assert_true(sum / COUNT < 0.005);
    assert_true(worst < 0.2);
}

// Along an axis the plane must not cost more than the line: the other axis needs next to nothing.
static void straight_motion_gets_nearly_all(void **state)
{
    (void)state;
    cr_limits limits = {2, 3, 10, 40};
    double line = cri_axis_time(3, 0, 2, 3);
    double x = cri_drive_time(cri_vec3(3, 0, 0), cri_vec3(0, 0, 0), &limits);
    double y = cri_drive_time(cri_vec3(0, -3, 0), cri_vec3(0, 0, 0), &limits);
    assert_close(x, line, 0.002);
    assert_close(y, line, 0.002);
}

// Follow the control law with exact integration: it must arrive, keep its limits, and take the
// predicted time.
static void the_controller_arrives_in_time(void **state)
{
    (void)state;
    cr_limits limits = {2, 3, 10, 40};
    cr_rng rng = cr_rng_make(2, CR_RNG_USER, 0);
    double dt = 1.0 / 60;
    for (int i = 0; i < 200; i++) {
        cr_vec3 at = {cr_rng_uniform(&rng, -3, 3), cr_rng_uniform(&rng, -3, 3), 0};
        cr_vec3 v = {cr_rng_uniform(&rng, -1, 1), cr_rng_uniform(&rng, -1, 1), 0};
        double predicted = cri_drive_time(cri_neg(at), v, &limits), t = 0;
        while (cri_length(at) > 0.005 || cri_length(v) > 0.05) {
            cr_vec3 a = cri_drive_acceleration(cri_neg(at), v, &limits, dt);
            assert_true(cri_length(a) <= limits.acceleration + 1e-9);
            at = cri_mad(cri_mad(at, dt, v), dt * dt / 2, a);
            v = cri_mad(v, dt, a);
            t += dt;
            assert_true(t < predicted + 0.25); // steps and the changing shares cost a little
        }
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(times_match_closed_forms),
        cmocka_unit_test(planar_motion_is_never_slower_than_its_bound),
        cmocka_unit_test(planar_motion_shares_well),
        cmocka_unit_test(straight_motion_gets_nearly_all),
        cmocka_unit_test(the_controller_arrives_in_time),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
