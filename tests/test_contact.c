// The formulas of the contact method: what they say at points that can be worked out by hand, and
// that both widths say the same.
#define RATE(share, time) ((real_rate){share, time})
#include <carom/carom.h>

#include "contact_ask.h"
#include "texts.h"

static void assert_close(double a, double b, double within)
{
    if (!(fabs(a - b) <= within)) {
        fail_msg("%.9g is not %.9g", a, b);
    }
}

// In a substep of 1/250 s: a gap may close, an overlap goes by a share, less than the slop stays.
static void gaps_ask_for_speeds(void **state)
{
    (void)state;
    static const struct {
        double gap, slow, fast; // m; m/s without a relaxation, and with one
    } rows[] = {{1e-3, -0.25, -0.25}, {0, 0, 0},     {-5e-6, 0, 1e-3}, {-1e-5, 0, 2e-3},
                {-1e-3, 0.0495, 0.2}, {-0.1, 0.5, 2}};
    const real_rate close = RATE(1, 0.004);
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        double gap = rows[i].gap;
        double slow = gap_target(gap, close, SLOP, RATE(OVERLAP_SHARE, 0.004), PUSH_OUT_MAX);
        double fast = gap_target(gap, close, 0, RATE(UNDO_SHARE, 0.004), UNDO_MAX);
        assert_close(slow, rows[i].slow, 1e-12);
        assert_close(fast, rows[i].fast, 1e-12);
    }
}

static void impacts_bounce_from_a_speed_on(void **state)
{
    (void)state;
    static const struct {
        double gap, closing, restitution;
        bool bounces;
    } rows[] = {
        {0, -0.031, 0, true},      {0, -0.029, 0.9, false},    {0, 0.1, 0.9, false},
        {1.4e-5, -0.1, 0, true},   {1.6e-5, -0.1, 0, false},   {1.6e-5, -0.1, 0.5, true},
        {3.9e-4, -0.1, 0.5, true}, {4.1e-4, -0.1, 0.5, false},
    };
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        double gap = rows[i].gap, closing = rows[i].closing;
        real_mask springs = rows[i].restitution > 0 ? shuts(gap, closing, 0.004) : 0;
        assert_int_equal(bounces(gap, closing, springs) != 0, rows[i].bounces);
    }
    // 2 m/s down, gravity adds 0.1: half comes back, less what gravity takes after it.
    assert_close(rebound(-2, -0.1, 0.5), 0.9, 1e-12);
    assert_close(impact_time(0.01001, 2), 0.005, 1e-12);
    assert_close(hit_time(0.01, -2, 1), 0.005, 1e-12);
    assert_close(hit_time(-0.01, -2, 1), 0, 0);
    assert_close(hit_time(0.01, 1, 0.004), 0.004, 0); // it opens: not in this piece
}

static void friction_stays_in_its_cone(void **state)
{
    (void)state;
    assert_close(normal_impulse(1, 0.5, 2), 2, 0);
    assert_close(normal_impulse(1, -0.6, 2), 0, 0); // it never pulls
    assert_close(holding(cri_vec3(0.0059, 0.008, 0), 0.8, 0.5), 0.8, 0);
    assert_close(holding(cri_vec3(0.0061, 0.008, 0), 0.8, 0.5), 0.5, 0);
    assert_close(cone_share(1, 0.3, 0.4), 1, 0);
    assert_close(cone_share(1, 3, 4), 0.2, 1e-15);
    assert_close(cone_share(0, 3, 4), 0, 0);
    assert_close(share_of(0, 0), 0, 0);
    assert_close(cri_length(cri_sub(brake(cri_vec3(3, 4, 0), 1), cri_vec3(-0.6, -0.8, 0))), 0,
                 1e-15);
    assert_close(cri_length(cri_sub(brake(cri_vec3(3, 4, 0), 6), cri_vec3(-3, -4, 0))), 0, 0);
    cr_vec3 lost = resistance(cri_vec3(2, 0, 3), cri_vec3(0, 0, 1), 0.5, 9);
    assert_close(cri_length(cri_sub(lost, cri_vec3(-0.5, 0, -3))), 0, 1e-15);
}

// A foot that only slides loses mu g t, one that only spins 8/9 of that over r, and both stop.
static void feet_slide_and_spin(void **state)
{
    (void)state;
    const double reach = 0.1;
    cr_vec3 v = {0.6, 0.8, 0};
    double spin = 0;
    brake_foot(&v, &spin, 0, 0.25);
    assert_close(cri_length(v), 0.75, 1e-15);
    v = cri_vec3(0, 0, 0), spin = 5;
    brake_foot(&v, &spin, reach * reach * spin * spin, 0.25);
    assert_close(spin, 5 - 0.25 * 8 / 9 / reach, 1e-14);
    v = cri_vec3(0.1, 0, 0), spin = 1;
    brake_foot(&v, &spin, reach * reach * spin * spin, 1);
    assert_close(fabs(v.x) + fabs(spin), 0, 0);
}

// Turns keep the lengths of attitude and momentum; equal inertias make them one turn.
static void turns_keep_momentum(void **state)
{
    (void)state;
    const real_rate rates[3] = {RATE(1, 1), RATE(1, 2), RATE(1, 3)};
    double q[4] = {0, 0, 0, 1}, m[3] = {1, -2, 0.5};
    const cr_vec3 before = {m[0], m[1], m[2]};
    for (int i = 0; i < 1000; i++) {
        turn_part(rates, 0.01, q, m);
    }
    cr_quat turned = {q[0], q[1], q[2], q[3]};
    cr_vec3 after = cri_rotate(cri_quat_unit(turned), cri_vec3(m[0], m[1], m[2]));
    assert_close(cri_length(cri_sub(after, before)), 0, 1e-9);
    double energy = m[0] * m[0] + m[1] * m[1] / 2 + m[2] * m[2] / 3;
    assert_close(energy, 1 + 2 + 0.25 / 3, 1e-3);
}

// Floats may round an answer, and nothing else: the formulas are the same.
static void widths_agree(void **state)
{
    (void)state;
    cr_rng rng = cr_rng_make(1, CR_RNG_USER, 0);
    for (int i = 0; i < 2000; i++) {
        question q;
        for (int k = 0; k < ASKED; k++) {
            q.of[k] = (double)(float)cr_rng_uniform(&rng, -1, 1);
        }
        answers wide = ask_all(&q), narrow = contact_in_lanes(&q);
        assert_int_equal(wide.count, ANSWERS);
        assert_int_equal(narrow.count, ANSWERS);
        for (int k = 0; k < ANSWERS; k++) {
            double within = 4e-6 * (1 + fabs(wide.of[k]));
            if (!(fabs(wide.of[k] - narrow.of[k]) <= within)) {
                fail_msg("question %d, answer %d: %.9g in double, %.9g in floats", i, k, wide.of[k],
                         narrow.of[k]);
            }
        }
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(gaps_ask_for_speeds),
        cmocka_unit_test(impacts_bounce_from_a_speed_on),
        cmocka_unit_test(friction_stays_in_its_cone),
        cmocka_unit_test(feet_slide_and_spin),
        cmocka_unit_test(turns_keep_momentum),
        cmocka_unit_test(widths_agree),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
