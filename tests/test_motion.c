// Trapezoidal motion against its closed forms, and driven to the end as a controller.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include "base/trig.h"
#include "base/vec.h"
#include "behavior/motion.h"
#include "behavior/steering.h"

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

// ---------------------------------------------------------------------------------------------
// Arrivals: brakes of their own, and a velocity at the end.

static void arrivals_match_closed_forms(void **state)
{
    (void)state;
    cri_axis_limits l = {2, 3, 6};
    // From rest to rest: a peak p with d = p2 / 2a + p2 / 2b, or a cruise.
    double p = sqrt(0.5 / (1.0 / 6 + 1.0 / 12));
    assert_close(cri_axis_arrival(0.5, 0, 0, l), p / 3 + p / 6, 1e-12);
    double ramps = 4.0 / 6 + 4.0 / 12;
    assert_close(cri_axis_arrival(-10, 0, 0, l), 2.0 / 3 + 2.0 / 6 + (10 - ramps) / 2, 1e-12);
    // A way that is just enough to get as fast, or to brake as far, as is wanted.
    assert_close(cri_axis_arrival(1.5 * 1.5 / 6, 0, 1.5, l), 1.5 / 3, 1e-9);
    assert_close(cri_axis_arrival((4 - 1) / 12.0, 2, 1, l), 1 / 6.0, 1e-9);
    // Nothing to do: it drives through the place at the velocity that is wanted.
    assert_close(cri_axis_arrival(0, 1.3, 1.3, l), 0, 1e-12);
    // Through the place and back through it: out to where it stops, v2 / 2b, and as far back, which
    // is more or less than a run-up of v2 / 2a.
    cri_axis_limits same = {2, 3, 3};
    assert_close(cri_axis_arrival(0, 1, -1, same), 2 / 3.0, 1e-12);
    // Standing where it should be, and to pass there at w: back by w2 / 2a from rest to rest, then
    // up to w.
    double back = 1.0 / 6, q = sqrt(back / (1.0 / 6 + 1.0 / 12));
    assert_close(cri_axis_arrival(0, 0, 1, l), q / 3 + q / 6 + 1 / 3.0, 1e-12);
}

// The way and the time from one velocity to another by a push, in closed form by halves: while the
// body goes against the push it brakes.
static void push(double *way, double *time, double from, double to, const cri_axis_limits *l)
{
    double sign = to > from ? 1 : -1, zero = sign * from < 0 && sign * to > 0 ? 0 : to;
    double rate = sign * (from + zero) > 0 ? l->acceleration : l->deceleration;
    double seconds = fabs(zero - from) / rate;
    *time += seconds;
    *way += (from + zero) / 2 * seconds;
    if (zero != to) {
        push(way, time, zero, to, l);
    }
}

// Motions are made up, forward or backward first, with and without a cruise: what is found is as
// fast.
static void arrivals_are_the_motions_they_should_be(void **state)
{
    (void)state;
    cr_rng rng = cr_rng_make(4, CR_RNG_USER, 0);
    for (int i = 0; i < 100000; i++) {
        cri_axis_limits l = {2, cr_rng_uniform(&rng, 0.5, 5), cr_rng_uniform(&rng, 0.5, 5)};
        double v = cr_rng_uniform(&rng, -2, 2), w = cr_rng_uniform(&rng, -2, 2), way = 0, time = 0;
        double least = fmax(fmax(v, w), 0);
        double peak = i % 3 == 0 ? 2 : cr_rng_uniform(&rng, least, 2);
        push(&way, &time, v, peak, &l);
        push(&way, &time, peak, w, &l);
        double cruise = i % 3 == 0 ? cr_rng_uniform(&rng, 0, 3) : 0;
        way += 2 * cruise;
        time += cruise;
        double sign = i % 2 ? 1 : -1;
        double found = cri_axis_arrival(sign * way, sign * v, sign * w, l);
        assert_true(found <= time * (1 + 1e-7));
        if (v < 0 && w < 0) {
            continue; // to go on backward may be faster than to turn twice
        }
        assert_close(found, time, 1e-7 * (1 + time));
        // Played backward it is the same motion, with speeding up and braking exchanged.
        cri_axis_limits turned = {2, l.deceleration, l.acceleration};
        assert_close(cri_axis_arrival(way, w, v, turned), time, 1e-7 * (1 + time));
        // To rest, with brakes as good as the motor, it is the plain profile.
        double d = cr_rng_uniform(&rng, -4, 4);
        assert_close(cri_axis_arrival(d, v, 0, (cri_axis_limits){2, 3, 3}),
                     cri_axis_time(d, v, 2, 3), 1e-9);
    }
}

// In the plane nobody shares better than by halving; the plain one is not far from it.
static void planar_arrivals_share_best(void **state)
{
    (void)state;
    cr_limits limits = {2, 3, 10, 40};
    cri_axis_limits l = {2, 3, 3};
    cr_rng rng = cr_rng_make(5, CR_RNG_USER, 0);
    double sum = 0;
    for (int i = 0; i < 5000; i++) {
        cr_vec3 offset = {cr_rng_uniform(&rng, -4, 4), cr_rng_uniform(&rng, -4, 4), 0};
        cr_vec3 v = {cr_rng_uniform(&rng, -2, 2), cr_rng_uniform(&rng, -2, 2), 0};
        cr_vec3 w = {cr_rng_uniform(&rng, -2, 2), cr_rng_uniform(&rng, -2, 2), 0};
        double rest = cri_arrival_time(offset, v, cri_vec3(0, 0, 0), l);
        double plain = cri_drive_time(offset, v, &limits);
        assert_true(rest <= plain * (1 + 1e-6));
        sum += plain / rest;
        double moving = cri_arrival_time(offset, v, w, l);
        for (int k = 1; k < 20; k++) {
            double x = k / 20.0, y = sqrt(1 - x * x);
            double one =
                cri_axis_arrival(offset.x, v.x, w.x, (cri_axis_limits){2 * x, 3 * x, 3 * x});
            double two =
                cri_axis_arrival(offset.y, v.y, w.y, (cri_axis_limits){2 * y, 3 * y, 3 * y});
            assert_true(moving <= fmax(one, two) * (1 + 1e-6) + 1e-9);
        }
    }
    // The plain one brakes to its shares of the top speed at once.
    assert_true(sum / 5000 < 1.1);
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

// Numbers of all sizes, and some that are nothing.
static double some_number(cr_rng *rng, double size)
{
    double x = cr_rng_unit(rng);
    return x < 0.1 ? 0 : cr_rng_uniform(rng, -size, size) * (x < 0.4 ? 0.01 : 1);
}

static void gather(cr_rng *rng, int count, cri_steering *s)
{
    *s = (cri_steering){.dt = 1.0 / 60, .drives.count = count, .turns.count = count};
    for (int i = 0; i < count; i++) {
        s->drives.x[i] = some_number(rng, 5), s->drives.y[i] = some_number(rng, 5);
        s->drives.vx[i] = some_number(rng, 3), s->drives.vy[i] = some_number(rng, 3);
        s->drives.speed[i] = cr_rng_uniform(rng, 0.1, 3);
        s->drives.acceleration[i] = cr_rng_uniform(rng, 0.5, 5);
        s->turns.aside[i] = some_number(rng, 2), s->turns.along[i] = some_number(rng, 2);
        s->turns.rate[i] = some_number(rng, 10);
        s->turns.speed[i] = cr_rng_uniform(rng, 1, 20);
        s->turns.acceleration[i] = cr_rng_uniform(rng, 1, 50);
    }
}

static void assert_worked_out(const cri_steering *asked, const cri_steering *got)
{
    const cri_drives *d = &asked->drives;
    const cri_turns *t = &asked->turns;
    for (int i = 0; i < d->count; i++) {
        cr_limits limits = {.speed = d->speed[i], .acceleration = d->acceleration[i]};
        cr_vec3 a = cri_drive_acceleration(cri_vec3(d->x[i], d->y[i], 0),
                                           cri_vec3(d->vx[i], d->vy[i], 0), &limits, asked->dt);
        double turn = cri_axis_acceleration(cri_atan2(t->aside[i], t->along[i]), t->rate[i],
                                            t->speed[i], t->acceleration[i], asked->dt);
        assert_memory_equal(&got->drives.x[i], &a.x, sizeof a.x);
        assert_memory_equal(&got->drives.y[i], &a.y, sizeof a.y);
        assert_memory_equal(&got->turns.aside[i], &turn, sizeof turn);
    }
}

// Each by itself, whoever is beside it, on any machine.
static void many_are_steered_as_one(void **state)
{
    (void)state;
    cr_rng rng = cr_rng_make(7, CR_RNG_USER, 0);
    for (int turn = 0; turn < 500; turn++) {
        cri_steering asked, got;
        gather(&rng, 1 + turn % CRI_STEERING_ROOM, &asked);
        got = asked;
        cri_work_out_base(&got);
        assert_worked_out(&asked, &got);
#if defined(__x86_64__) || defined(__i386__)
        if (cri_work_out_avx2 && __builtin_cpu_supports("avx2")) {
            got = asked;
            cri_work_out_avx2(&got);
            assert_worked_out(&asked, &got);
        }
#endif
    }
}

// More than there is room for; driven bodies get velocities, others forces.
static void no_steering_is_lost(void **state)
{
    (void)state;
    enum { COUNT = 2 * CRI_STEERING_ROOM + 3 };
    cr_model model = {.dt = 0.02};
    cr_body bodies[2] = {{.mass = 2, .inertia = {0, 0, 0.5}, .limits = {1, 3, 4, 5}},
                         {.driven = true, .limits = {1, 3, 4, 5}}};
    cr_body_state now = {.velocity = {0.1, 0.2, 0}, .spin = {0, 0, 0.3}};
    cr_action actions[COUNT] = {{.force = {0, 0, 0}}};
    cri_steering steering;
    cri_steering_open(&steering, &model);
    for (int i = 0; i < COUNT; i++) {
        cri_steered of = {&bodies[i % 2], &now, &actions[i]};
        cri_steering_drive(&steering, of, cri_vec3(i, 1, 0), 1);
        cri_steering_turn(&steering, of, i, 1);
    }
    cri_steering_finish(&steering);
    for (int i = 0; i < COUNT; i++) {
        const cr_limits *l = &bodies[i % 2].limits;
        cr_vec3 a = cri_drive_acceleration(cri_vec3(i, 1, 0), now.velocity, l, model.dt);
        double turn = cri_axis_acceleration(cri_atan2(i, 1), now.spin.z, l->turn_speed,
                                            l->turn_acceleration, model.dt);
        double force = i % 2 ? 0 : 2 * a.x, torque = i % 2 ? 0 : 0.5 * turn;
        assert_true(actions[i].force.x == force && actions[i].torque.z == torque);
        assert_true(actions[i].velocity.x == (i % 2 ? 0.1 + model.dt * a.x : 0));
        assert_true(actions[i].spin.z == (i % 2 ? 0.3 + turn * model.dt : 0));
    }
    assert_int_equal(steering.drives.count + steering.turns.count, 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(times_match_closed_forms),
        cmocka_unit_test(arrivals_match_closed_forms),
        cmocka_unit_test(arrivals_are_the_motions_they_should_be),
        cmocka_unit_test(planar_arrivals_share_best),
        cmocka_unit_test(planar_motion_is_never_slower_than_its_bound),
        cmocka_unit_test(planar_motion_shares_well),
        cmocka_unit_test(straight_motion_gets_nearly_all),
        cmocka_unit_test(the_controller_arrives_in_time),
        cmocka_unit_test(many_are_steered_as_one),
        cmocka_unit_test(no_steering_is_lost),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
