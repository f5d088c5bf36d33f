// Wheels: they arrive everywhere, go nowhere sideways, and a car's bends are as wide as it says.
#include "texts.h"

#include <math.h>
#include <stdlib.h>

#include "base/trig.h"
#include "base/vec.h"
#include "behavior/behavior.h"
#include "behavior/motion.h"

typedef struct ride {
    cr_model *model;
    cr_state *state;
    cr_engine *engine;
    cr_action action;
} ride;

static ride open_ride(const char *drive, double x, double y, const char *motion)
{
    char text[1000];
    snprintf(text, sizeof text,
             "bodies:\n"
             "  robot: {%s, shape: {cylinder: {radius: 0.1, height: 0.2}}, upright: true,\n"
             "          limits: {speed: 1.5, acceleration: 2, turn_speed: 4, "
             "turn_acceleration: 20}}\n"
             "tactics:\n"
             "  t: {controls: robot, skills: {go: {do: drive_to, place: [%.9g, %.9g], drive: %s,\n"
             "      radius: 0.4, within: 0.03}}}\n",
             motion, x, y, drive);
    ride r = {.model = compile_text(text)};
    r.state = cr_state_create(r.model);
    assert_int_equal(cr_engine_create(r.model, "lanes", &r.engine, NULL), CR_OK);
    return r;
}

static void close_ride(ride *r)
{
    cr_engine_destroy(r->engine);
    free(r->state);
    cr_model_destroy(r->model);
}

static const cr_body_state *ride_step(ride *r)
{
    cri_source source = {0};
    assert_true(cri_act(r->model, r->state, false, &source, &r->action));
    cr_step one = {.from = r->state, .to = r->state, .actions = &r->action};
    cr_engine_step(r->engine, &one, 1);
    assert_true(one.alive);
    return cr_state_bodies_const(r->model, r->state);
}

static bool is_there(const ride *r)
{
    return cr_state_tactic_const(r->model, r->state, 0)->phase == CR_SKILL_FREE;
}

#define PUSHED "kind: controlled, mass: 2"
#define DRIVEN "kind: foreign"

// From the origin, looking along x, to places all round; how long it took, in steps.
static int ride_to(const char *drive, double x, double y, const char *motion, double radius)
{
    ride r = open_ride(drive, x, y, motion);
    int steps = 0;
    double slip = 0, bend = 0;
    while (steps < 1800 && !is_there(&r)) {
        const cr_body_state *b = ride_step(&r);
        double heading = cr_state_heading(r.model, r.state, 0);
        cr_vec3 ahead = {cos(heading), sin(heading), 0};
        double along = cri_dot(ahead, b->velocity);
        double aside = ahead.x * b->velocity.y - ahead.y * b->velocity.x;
        slip = fmax(slip, fabs(aside));
        bend = fmax(bend, fabs(b->spin.z) * radius - fabs(along));
        steps++;
    }
    if (!is_there(&r)) {
        cr_vec3 at = cr_state_bodies(r.model, r.state)[0].position;
        fail_msg("%s to (%g, %g): at (%g, %g) after %d steps", drive, x, y, at.x, at.y, steps);
    }
    cr_vec3 at = cr_state_bodies(r.model, r.state)[0].position;
    assert_true(hypot(at.x - x, at.y - y) <= 0.03 + 0.01);
    // Half a step of turning at most, while it drives: v w dt / 2.
    assert_true(slip <= 1.5 * 4 / 120 + 1e-3);
    if (radius > 0) {
        // The bend of a step begins with the speed that the step ends with.
        assert_true(bend <= 2 / 60.0 + 1e-3);
    }
    close_ride(&r);
    return steps;
}

static void wheels_arrive(void **state)
{
    (void)state;
    for (int degrees = 0; degrees < 360; degrees += 15) {
        for (int d = 0; d < 4; d++) {
            double distance = 0.15 * pow(2.4, d), a = degrees * CRI_PI / 180;
            double x = distance * cos(a), y = distance * sin(a);
            ride_to("differential", x, y, PUSHED, 0);
            ride_to("car", x, y, PUSHED, 0.4);
            ride_to("differential", x, y, DRIVEN, 0);
            ride_to("car", x, y, DRIVEN, 0.4);
        }
    }
}

// Straight ahead it takes as long as trapezoidal motion does, but for the last bit.
static void straight_on_is_trapezoidal(void **state)
{
    (void)state;
    static const char *const drives[] = {"differential", "car"};
    for (int i = 0; i < 2; i++) {
        for (double distance = 0.5; distance < 9; distance *= 2) {
            int steps = ride_to(drives[i], distance, 0, PUSHED, 0);
            double whole = cri_axis_time(distance, 0, 1.5, 2);
            assert_true(steps / 60.0 <= whole + 2 / 60.0);
            assert_true(steps / 60.0 >= whole - sqrt(2 * 0.03 / 2) - 2 / 60.0);
        }
    }
}

// Two wheels turn on the spot; a car cannot, and its middle moves.
static void a_car_does_not_turn_on_the_spot(void **state)
{
    (void)state;
    double moved[2] = {0, 0};
    for (int i = 0; i < 2; i++) {
        ride r = open_ride(i == 0 ? "differential" : "car", -2, 0.01, PUSHED);
        double turned = 0;
        while (turned < 0.5 * CRI_PI) {
            const cr_body_state *b = ride_step(&r);
            turned = fabs(cr_state_heading(r.model, r.state, 0));
            moved[i] = hypot(b->position.x, b->position.y);
        }
        close_ride(&r);
    }
    assert_true(moved[0] < 0.01);
    assert_true(moved[1] > 0.5 * 0.4);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(wheels_arrive),
        cmocka_unit_test(straight_on_is_trapezoidal),
        cmocka_unit_test(a_car_does_not_turn_on_the_spot),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
