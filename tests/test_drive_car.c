// The car against steps worked out by hand, and what must hold for every car.
//
// The numbers come from this independent calculation (Python, four substeps of 0.01 s):
//
//     for _ in range(4):
//         c, sn = cos(h), sin(h); u = c*vx + sn*vy; v = c*vy - sn*vx; lo = max(abs(u), 1)
//         ss, ra, st = atan2(v, lo), atan2(w, lo), steer * max(-1, min(1, u))
//         load = 1500*9.8*.5
//         ff = load * max(-3, min(3, -4.0*(ss + ra - st)))
//         fr = load * max(-3, min(3, -4.2*(ss - ra)))
//         b = min(100*brake, 1500*abs(u)/.01)
//         fx = 100*throttle - (b if u >= 0 else -b) - sin(steer)*ff - (20*u + 4*u*abs(u))
//         fy = cos(steer)*ff + fr - (20*v + 4*v*abs(v))
//         ax, ay = fx/1500, fy/1500
//         vx += .01*(c*ax - sn*ay); vy += .01*(sn*ax + c*ay); x += .01*vx; y += .01*vy
//         w += .01*(ff - fr)/1500; h += .01*w
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include <math.h>
#include <string.h>

#include "drive/car.h"

#define assert_close(a, b, margin) assert_true(fabs((a) - (b)) <= (margin))

typedef struct example {
    cr_car_state before;
    cr_car_input input;
    cr_car_state after;
} example;

static const example examples[] = {
    // from rest, full throttle
    {{0, 0, 0, 0, 0, 0}, {0, 100, 0}, {0.00666575413862615, 0, 0, 0.266611679264244, 0, 0}},
    // into a left turn
    {{0, 0, 0, 20, 0, 0},
     {0.1, 50, 0},
     {0.801804819834668, 0.00192455808376541, 0.00192174106916848, 20.0721946636254,
      0.0765554856140893, 0.0761108363153697}},
    // the same, elsewhere and turned by half a radian
    {{3, -2, 0.5, 17.5516512378075, 9.58851077208406, 0},
     {0.1, 50, 0},
     {3.70272724563067, -1.61390533378166, 0.501921741069168, 17.578305360743, 9.690306496769,
      0.0761108363153697}},
    // a skid under brakes: the tyres are at the end of their grip
    {{0, 0, 0, 20, -12, 1.5},
     {-0.6, 0, 100},
     {0.790586799350035, -0.468712073353351, 0.0449649306618497, 19.6248798959145,
      -11.5438186202677, 0.903902703164883}},
    // backwards, in reverse gear, steering
    {{0, 0, 1.5707963267948966, 0, -5, 0.2},
     {0.3, -40, 0},
     {0.00518530786230098, -0.200699430080813, 1.57187867963167, 0.200261832734233,
      -5.03064884056336, -0.0658008061588664}},
    // braking while rolling backwards pushes forwards
    {{0, 0, 0, -3, 0, 0}, {0, 0, 80}, {-0.114604234123085, 0, 0, -2.78420055422731, 0, 0}},
};

static void steps_by_hand(void **state)
{
    (void)state;
    cr_car car = cr_default_car();
    for (size_t i = 0; i < sizeof examples / sizeof examples[0]; i++) {
        cr_car_state got = cr_car_step(&car, examples[i].before, examples[i].input);
        const cr_car_state *want = &examples[i].after;
        assert_close(got.x, want->x, 1e-12);
        assert_close(got.y, want->y, 1e-12);
        assert_close(got.heading, want->heading, 1e-12);
        assert_close(got.vx, want->vx, 1e-12);
        assert_close(got.vy, want->vy, 1e-12);
        assert_close(got.spin, want->spin, 1e-12);
    }
}

static void a_car_at_rest_stays(void **state)
{
    (void)state;
    cr_car car = cr_default_car();
    cr_car_state s = {1, 2, 0.3, 0, 0, 0};
    for (int i = 0; i < 100; i++) {
        s = cr_car_step(&car, s, (cr_car_input){i % 2 ? 0.7 : -0.7, 0, 100});
    }
    assert_true(s.x == 1 && s.y == 2 && s.heading == 0.3);
    assert_true(s.vx == 0 && s.vy == 0 && s.spin == 0);
}

static void brakes_stop_and_do_not_push_back(void **state)
{
    (void)state;
    cr_car car = cr_default_car();
    for (double speed = 0.001; speed < 50; speed *= 1.7) {
        cr_car_state s = {0, 0, 0, speed, 0, 0};
        for (int i = 0; i < 300; i++) {
            s = cr_car_step(&car, s, (cr_car_input){0, 0, 100});
            assert_true(s.vx > -1e-3 * speed);
        }
        assert_close(s.vx, 0, 1e-9);
    }
}

// A car thrown about at low speed comes to rest; nothing chatters or grows.
static void low_speeds_are_calm(void **state)
{
    (void)state;
    cr_car car = cr_default_car();
    for (int i = 0; i < 64; i++) {
        cr_car_state s = {0, 0, 0, (i % 4) * 0.3 - 0.45, (i / 4 % 4) * 0.4 - 0.6, i / 16 - 1.5};
        for (int k = 0; k < 250; k++) {
            s = cr_car_step(&car, s, (cr_car_input){0.5, 0, 20});
            assert_true(fabs(s.spin) < 3 && fabs(s.vx) < 3 && fabs(s.vy) < 3);
        }
        assert_close(fabs(s.vx) + fabs(s.vy) + fabs(s.spin), 0, 1e-3);
    }
}

static void left_is_the_mirror_image_of_right(void **state)
{
    (void)state;
    cr_car car = cr_default_car();
    cr_car_state a = {0, 0, 0, 25, 2, 0.4}, b = {0, 0, 0, 25, -2, -0.4};
    for (int i = 0; i < 200; i++) {
        double steer = 0.5 * ((i * 37) % 21 - 10) / 10.0;
        a = cr_car_step(&car, a, (cr_car_input){steer, 60, 0});
        b = cr_car_step(&car, b, (cr_car_input){-steer, 60, 0});
        assert_true(a.x == b.x && a.y == -b.y && a.heading == -b.heading && a.spin == -b.spin);
    }
}

// Grip is 3 g: broadside, both axles pull with three times their load and no more.
static void grip_is_three_g(void **state)
{
    (void)state;
    cr_car car = cr_default_car();
    car.drag = car.resistance = 0;
    cr_car_state s = {0, 0, 0, 0, 30, 0};
    cr_car_state after = cr_car_step(&car, s, (cr_car_input){0, 0, 0});
    assert_close((s.vy - after.vy) * CR_DRIVE_RATE, 3 * 9.8, 1e-9);
}

static void turned_wheels_brake(void **state)
{
    (void)state;
    cr_car car = cr_default_car();
    cr_car_state s = {0, 0, 0, 30, 0, 0};
    cr_car_state straight = cr_car_step(&car, s, (cr_car_input){0, 0, 0});
    cr_car_state turned = cr_car_step(&car, s, (cr_car_input){0.5, 0, 0});
    assert_true(turned.vx < straight.vx - 0.1);
}

static void full_throttle_ends_at_top_speed(void **state)
{
    (void)state;
    cr_car car = cr_default_car();
    cr_car_state s = {0};
    for (int i = 0; i < 4000; i++) {
        s = cr_car_step(&car, s, (cr_car_input){0, 150, -5}); // brought into range
    }
    assert_close(cr_car_top_speed(&car), 47.5625, 1e-3);
    assert_close(s.vx, cr_car_top_speed(&car), 1e-6);
}

// A steady corner stays steady as far as sideways motion goes, for a frame.
static void trims_are_steady(void **state)
{
    (void)state;
    cr_car car = cr_default_car();
    int found = 0;
    for (double speed = 6; speed < 46; speed += 4) {
        for (double sideways = -20; sideways <= 20; sideways += 4) {
            cri_trim trim;
            if (!cri_car_trim(&car, speed, sideways, &trim)) {
                continue;
            }
            cr_car_state s = cri_car_at_origin(trim.motion);
            s = cr_car_step(&car, s, (cr_car_input){trim.steer, 50, 0});
            assert_close(s.spin, trim.motion.w, 0.04 + 0.02 * fabs(trim.motion.w));
            found++;
        }
    }
    assert_true(found > 80);
}

// The motion and heading after a frame.
static void after(const cr_car *car, const double z[CRI_BY_COUNT], double out[4])
{
    cr_car_state state = cri_car_at_origin((cri_drive_motion){z[0], z[1], z[2]});
    state = cr_car_step(car, state, (cr_car_input){z[3], z[4], z[5]});
    cri_drive_motion m = cri_car_motion(&state);
    out[0] = m.u;
    out[1] = m.v;
    out[2] = m.w;
    out[3] = state.heading;
}

// Slopes against differences, in calm driving, slides, at the tyres' limit, braking and reversing.
static void slopes_are_what_differences_say(void **state)
{
    (void)state;
    static const double cases[][CRI_BY_COUNT] = {
        {20, 0.3, 0.2, 0.05, 60, 0}, {35, -6, 1.1, 0.3, 90, 0},    {12, 14, -2, -0.7, 0, 40},
        {5, 0, 0, 0.4, 0, 90},       {-4, 0.2, 0.1, -0.2, -50, 0}, {0.4, 0.05, 0.02, 0.3, 20, 0},
    };
    cr_car car = cr_default_car();
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        const double *z = cases[i];
        cri_car_slopes s;
        cr_car_state begin = cri_car_at_origin((cri_drive_motion){z[0], z[1], z[2]});
        cr_car_input input = {z[3], z[4], z[5]};
        cr_car_state a = cri_car_step_slopes(&car, begin, input, &s);
        cr_car_state b = cr_car_step(&car, begin, input);
        assert_memory_equal(&a, &b, sizeof a);
        const double *rows[4] = {s.u, s.v, s.w, s.heading};
        for (int by = 0; by < CRI_BY_COUNT; by++) {
            if (by == CRI_BY_BRAKE && z[by] == 0) {
                continue; // at its end: no difference can be taken
            }
            double low[CRI_BY_COUNT], high[CRI_BY_COUNT], before[4], behind[4];
            memcpy(low, z, sizeof low);
            memcpy(high, z, sizeof high);
            low[by] -= 1e-5;
            high[by] += 1e-5;
            after(&car, low, before);
            after(&car, high, behind);
            for (int k = 0; k < 4; k++) {
                double difference = (behind[k] - before[k]) / 2e-5;
                if (!(fabs(rows[k][by] - difference) <= 1e-5)) {
                    fail_msg("case %zu: slope %d by %d is %g, the difference %g", i, k, by,
                             rows[k][by], difference);
                }
            }
        }
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(steps_by_hand),
        cmocka_unit_test(a_car_at_rest_stays),
        cmocka_unit_test(brakes_stop_and_do_not_push_back),
        cmocka_unit_test(low_speeds_are_calm),
        cmocka_unit_test(left_is_the_mirror_image_of_right),
        cmocka_unit_test(grip_is_three_g),
        cmocka_unit_test(turned_wheels_brake),
        cmocka_unit_test(full_throttle_ends_at_top_speed),
        cmocka_unit_test(trims_are_steady),
        cmocka_unit_test(slopes_are_what_differences_say),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
