// What rrt takes for near: the time that a body needs to be at the sample's place and to have its
// heading. In closed form from rest: an axis with top speed v and acceleration a needs 2 sqrt(d /
// a) for a way d shorter than v2 / a, and d / v + v / a for a longer one.
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <cmocka.h>

#include "base/trig.h"
#include "base/vec.h"
#include "plan/nearest.h"
#include "scenes.h"

static double time_from_rest(double way, double top, double acceleration)
{
    return way < top * top / acceleration ? 2 * sqrt(way / acceleration)
                                          : way / top + top / acceleration;
}

// The shorter way round.
static double turn_between(double a, double b)
{
    double turn = fabs(fmod(a - b, 2 * CRI_PI));
    return turn > CRI_PI ? 2 * CRI_PI - turn : turn;
}

enum { CROWD = 120 };

typedef struct stander {
    double x, heading;
} stander;

// All stand on a line through the sample, so that a way has one axis.
static double time_of(const stander *s, const cr_sample *sample, const cr_limits *limits,
                      bool has_heading)
{
    double drive =
        time_from_rest(fabs(sample->place.x - s->x), limits->speed, limits->acceleration);
    double turn = time_from_rest(turn_between(sample->heading, s->heading), limits->turn_speed,
                                 limits->turn_acceleration);
    return has_heading ? fmax(drive, turn) : drive;
}

static void ask_the_crowd(cr_model *model, double spread, uint64_t seed)
{
    const cr_limits *limits = &model->bodies[0].limits;
    bool has_heading = model->sampling.has_heading;
    stander crowd[CROWD];
    cri_neighbours neighbours;
    cr_rng rng = cr_rng_make(seed, CR_RNG_USER, 0);
    assert_int_equal(cri_neighbours_create(&neighbours, model, CROWD), CR_OK);
    for (int32_t i = 0; i < CROWD; i++) {
        double x = cr_rng_uniform(&rng, -spread, spread);
        crowd[i] = (stander){x, cr_rng_uniform(&rng, -CRI_PI, CRI_PI)};
        cr_body_state body = {.position = {x, 0, 0},
                              .rotation = cri_quat_heading(crowd[i].heading)};
        cri_neighbours_add(&neighbours, &body, i);
        cr_sample sample = {{cr_rng_uniform(&rng, -spread, spread), 0, 0},
                            cr_rng_uniform(&rng, -CRI_PI, CRI_PI)};
        double least = HUGE_VAL;
        for (int32_t k = 0; k <= i; k++) {
            least = fmin(least, time_of(&crowd[k], &sample, limits, has_heading));
        }
        int32_t found = cri_neighbours_find(&neighbours, &sample, &rng);
        assert_true(time_of(&crowd[found], &sample, limits, has_heading) < least + 1e-9);
    }
    cri_neighbours_free(&neighbours);
}

static void the_nearest_is_first_in_place_and_heading(void **state)
{
    (void)state;
    static const double spreads[] = {0, 0.05, 1, 50}; // turning alone, mostly, both, driving
    cr_body body = {.name = "robot", .limits = {2, 3, 10, 40}};
    for (uint64_t i = 0; i < 16; i++) {
        cr_model model = {.bodies = &body,
                          .body_count = 1,
                          .sampling = {.present = true, .has_heading = i % 2 == 0}};
        ask_the_crowd(&model, spreads[i / 4], i);
    }
}

// The same of a whole search: the sample's place is where everybody stands, so the nearest is the
// one that has to turn least. Robots turn where they are, in steps too short to come far.
static const char turning[] =
    "bodies:\n"
    "  robot: {kind: controlled, shape: {cylinder: {radius: 0.1, height: 0.2}}, mass: 1,\n"
    "          upright: true, at: [0, 0]}\n"
    "regions: {here: {box: [0.000001, 0.000001], at: [0, 0]}}\n"
    "sample: {body: robot, region: here, heading: {uniform: [-180 deg, 180 deg]}}\n"
    "tactics: {t: {controls: robot, skills: {turn: {do: turn, by: {uniform: [-170 deg, 170 "
    "deg]}}}}}\n"
    "score: 1\n"
    "plan: {select: rrt, nodes: 20000, horizon: 100000, round: 1, attempts: 150}\n";

static double heading_at(const cr_planner *planner, const cr_model *model, int64_t branch)
{
    return cri_heading(cr_state_pose(model, cr_planner_state(planner, branch), 0).rotation);
}

static void a_search_grows_from_the_right_heading(void **state)
{
    (void)state;
    cr_model *model = load_text(turning);
    assert_non_null(model);
    cr_planner_def def = cr_model_planner_def(model);
    cr_planner *planner = NULL;
    assert_int_equal(cr_planner_create(model, &def, &planner, NULL), CR_OK);
    assert_int_equal(cr_planner_grow(planner, NULL), CR_OUTCOME_BEST);
    int64_t count = cr_planner_branch_count(planner);
    assert_int_equal(count, 151);
    double sum = 0, least_sum = 0;
    for (int64_t b = 1; b < count; b++) {
        // The place takes two draws, then comes the heading.
        cr_branch branch = cr_planner_branch(planner, b);
        cr_rng rng = cr_rng_make(def.seed, CR_RNG_ATTEMPT, (uint64_t)branch.attempt);
        cr_rng_unit(&rng);
        cr_rng_unit(&rng);
        double heading = cr_rng_uniform(&rng, -CRI_PI, CRI_PI), least = CRI_PI;
        for (int64_t k = 0; k < b; k++) {
            least = fmin(least, turn_between(heading_at(planner, model, k), heading));
        }
        sum += turn_between(heading_at(planner, model, branch.parent), heading);
        least_sum += least;
    }
    // Robots that end their turn have still a little spin, which may decide between two that are
    // about as near: not by more than 2 degrees.
    assert_true(sum < least_sum + (double)count * 0.035);
    cr_planner_destroy(planner);
    cr_model_destroy(model);
}

// ---------------------------------------------------------------------------------------------
// What the scene says is near.

typedef struct mover {
    double x, v;
} mover;

// Which of two is nearer to 0 on a line: the first or the second.
static int32_t nearer(const char *sample, const mover *two)
{
    char text[700];
    snprintf(text, sizeof text,
             "bodies:\n"
             "  ball: {kind: passive, shape: {sphere: 0.02}, mass: 1, at: [5, 5]}\n"
             "  robot: {kind: controlled, shape: {cylinder: {radius: 0.1, height: 0.2}},\n"
             "          mass: 1, upright: true, limits: {speed: 2, acceleration: 3}}\n"
             "regions: {here: {box: [1, 1]}}\n"
             "sample: {region: here%s}\n"
             "tactics: {t: {controls: robot, skills: {stand: {do: stand}}}}\n"
             "score: 1\n",
             sample);
    cr_model *model = load_text(text);
    assert_non_null(model);
    assert_int_equal(model->sampling.body, 1); // the controlled one
    cri_neighbours neighbours;
    assert_int_equal(cri_neighbours_create(&neighbours, model, 2), CR_OK);
    for (int32_t k = 0; k < 2; k++) {
        cr_body_state body = {
            .position = {two[k].x, 0, 0}, .rotation = {0, 0, 0, 1}, .velocity = {two[k].v, 0, 0}};
        cri_neighbours_add(&neighbours, &body, k);
    }
    cr_rng rng = cr_rng_make(1, CR_RNG_USER, 0);
    cr_sample here = {{0, 0, 0}, 0};
    int32_t found = cri_neighbours_find(&neighbours, &here, &rng);
    cri_neighbours_free(&neighbours);
    cr_model_destroy(model);
    return found;
}

// Pairs of which the metric of the scene takes the other than the plain one; times in s.
static void scenes_say_what_is_near(void **state)
{
    (void)state;
    static const struct {
        const char *sample;
        mover two[2];
        int32_t plain, nearest;
    } rows[] = {
        // Near, and driving away (2.16), or farther off and at rest (1.42).
        {", metric: distance", {{-1, -2}, {-1.5, 0}}, 1, 0},
        {", metric: time", {{-1, -2}, {-1.5, 0}}, 1, 1},
        // The same with good brakes: 0.90 and 1.10.
        {", deceleration: 60", {{-1, -2}, {-1.5, 0}}, 1, 0},
        // Coming fast (0.83), or at rest (0.89); with bad brakes the first goes far past.
        {", deceleration: 0.5", {{-1, 2}, {-0.6, 0}}, 0, 1},
        // Too fast to stop (1.46), or from rest (1.42); who is to go on arrives in 0.1.
        {", velocity: [-2, 0]", {{0.2, -2}, {-1.5, 0}}, 1, 0},
    };
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        assert_int_equal(nearer("", rows[i].two), rows[i].plain);
        assert_int_equal(nearer(rows[i].sample, rows[i].two), rows[i].nearest);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_nearest_is_first_in_place_and_heading),
        cmocka_unit_test(scenes_say_what_is_near),
        cmocka_unit_test(a_search_grows_from_the_right_heading),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
