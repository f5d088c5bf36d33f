// Soccer and pool, as the evaluation uses them: solved by search, honest opponents and attackers,
// and a trick shot that is one shot.
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <cmocka.h>

#include "scenes.h"

// Search a model; the caller frees the planner.
static cr_planner *search(const cr_model *model, uint64_t seed, cr_outcome *outcome)
{
    cr_report report = {0};
    cr_planner *planner = NULL;
    cr_planner_def def = cr_model_planner_def(model);
    def.seed = seed;
    assert_int_equal(cr_planner_create(model, &def, &planner, &report), CR_OK);
    *outcome = cr_planner_grow(planner, NULL);
    return planner;
}

static int count_solved(const char *scene, int starts, const char *const *settings)
{
    int solved = 0;
    for (int start = 1; start <= starts; start++) {
        cr_outcome outcome;
        cr_model *model = load_start(scene, start, settings);
        assert_non_null(model);
        cr_planner_destroy(search(model, 1, &outcome));
        cr_model_destroy(model);
        solved += outcome == CR_OUTCOME_SOLVED;
    }
    return solved;
}

// The attacker that table 6.4 compares with is no straw man: it scores when nobody is in the way,
// and not always when somebody is.
static void reactive_attacker_is_honest(void **state)
{
    (void)state;
    enum { STARTS = 20 };
    const char *const empty[] = {"absent", "1", NULL};
    assert_true(count_solved("soccer/attack-1v2-reactive", STARTS, empty) >= STARTS * 8 / 10);
    assert_true(count_solved("soccer/attack-1v2-reactive", STARTS, NULL) < STARTS / 2);
}

// With 2500 nodes the planner scores from more starts than the reactive attacker.
static void planning_beats_reacting(void **state)
{
    (void)state;
    enum { STARTS = 12 };
    const char *const small[] = {"nodes", "2500", NULL};
    assert_true(count_solved("soccer/attack-1v2", STARTS, small) >
                count_solved("soccer/attack-1v2-reactive", STARTS, NULL));
}

static void bgt_solves(const char *scene, int but)
{
    enum { SEEDS = 8 };
    cr_model *model = load_scene(scene, NULL);
    assert_non_null(model);
    int solved = 0;
    for (uint64_t seed = 1; seed <= SEEDS; seed++) {
        cr_outcome outcome;
        cr_planner_destroy(search(model, seed, &outcome));
        solved += outcome == CR_OUTCOME_SOLVED;
    }
    assert_true(solved >= SEEDS - but);
    cr_model_destroy(model);
}

static void soccer_is_solved(void **state)
{
    (void)state;
    bgt_solves("soccer/attack-1v3", 0);
    bgt_solves("soccer/flat-only", 0);
    bgt_solves("soccer/out-dribble", 1); // 198 of 200 are solved; of these eight, seed 3 is not
}

// A chip kick of 3 m/s at 45 degrees rises by v2 sin2 / 2g = 0.229 m, a flat one not at all.
static void chips_fly(void **state)
{
    (void)state;
    static const char *const format =
        "bodies:\n"
        "  floor: {kind: static, shape: {plane: [0, 0, 1]}, at: [0, 0, 0]}\n"
        "  ball: {kind: passive, shape: {sphere: 0.0215}, mass: 0.046, at: [0.2, 0]}\n"
        "  robot: {kind: controlled, shape: {prism: {radius: 0.09, front: 0.07, height: 0.15}}, "
        "mass: 2.5, upright: true, at: [0, 0]}\n"
        "tactics: {t: {controls: robot, skills: {get: {do: get_ball, ball: ball}, kick: {do: "
        "kick_held, ball: ball, at: [3, 0], speed: 3, elevation: %s deg}, watch: {do: stand}}, "
        "next: {get: {kick: 1}, kick: {watch: 1}}}}\n"
        "score: {ramp: {of: {height: ball}, from: 0.0215, to: 1.0215}}\n"
        "plan: {horizon: 2, nodes: 500}\n";
    const char *const elevations[] = {"0", "45"};
    const double heights[] = {0, 0.229};
    for (int i = 0; i < 2; i++) {
        char text[1200];
        cr_outcome outcome;
        snprintf(text, sizeof text, format, elevations[i]);
        cr_model *model = load_text(text);
        assert_non_null(model);
        cr_planner *planner = search(model, 1, &outcome);
        assert_true(fabs(cr_planner_get_stats(planner).best_score - heights[i]) < 0.01);
        cr_planner_destroy(planner);
        cr_model_destroy(model);
    }
}

// ---------------------------------------------------------------------------------------------
// Pool.

// Work of all impulses on a solution, the first apart from the rest.
typedef struct work {
    cr_state *before;
    double first, rest; // J
} work;

static double work_of(const cr_body *body, const cr_body_state *s, const cr_action *a)
{
    // Zero momentum, zero work; all bodies here are balls.
    double j2 =
        a->impulse.x * a->impulse.x + a->impulse.y * a->impulse.y + a->impulse.z * a->impulse.z;
    double l2 = a->twist.x * a->twist.x + a->twist.y * a->twist.y + a->twist.z * a->twist.z;
    double jv =
        a->impulse.x * s->velocity.x + a->impulse.y * s->velocity.y + a->impulse.z * s->velocity.z;
    double lw = a->twist.x * s->spin.x + a->twist.y * s->spin.y + a->twist.z * s->spin.z;
    return fabs(jv + j2 / (2 * body->mass)) + fabs(lw + l2 / (2 * body->inertia.x));
}

static bool add_work(const cr_replay_step *step, void *context)
{
    work *w = context;
    const cr_model *model = step->model;
    for (int slot = 0; step->actions && slot < cr_model_moving_count(model); slot++) {
        const cr_body *body = cr_model_body(model, cr_model_moving_body(model, slot));
        const cr_action *a = &step->actions[slot];
        assert_true(a->force.x == 0 && a->force.y == 0 && a->force.z == 0 && a->torque.x == 0 &&
                    a->torque.y == 0 && a->torque.z == 0);
        double done = work_of(body, &cr_state_bodies_const(model, w->before)[slot], a);
        *(step->state->step == 1 ? &w->first : &w->rest) += done;
    }
    cr_state_copy(model, w->before, step->state);
    return true;
}

// The balls get one shot, and on their way less than 5% of its energy. That no striped ball is
// touched is a rule of the scene, and every replay checks the rules.
static void trick_shot_is_one_shot(void **state)
{
    (void)state;
    cr_model *model = load_scene("pool/trick-shot", NULL);
    assert_non_null(model);
    for (uint64_t seed = 1; seed <= 10; seed++) {
        cr_outcome outcome;
        cr_report report = {0};
        cr_plan *plan = NULL;
        cr_planner *planner = search(model, seed, &outcome);
        assert_int_equal(outcome, CR_OUTCOME_SOLVED);
        assert_int_equal(cr_plan_create(planner, outcome, &plan, &report), CR_OK);
        work w = {.before = cr_state_create(model)};
        assert_int_equal(cr_plan_replay(plan, 0, add_work, &w, &report), CR_OK);
        assert_true(w.first > 0.1 && w.rest > 0);
        assert_true(w.rest < 0.05 * w.first);
        free(w.before);
        cr_plan_destroy(plan);
        cr_planner_destroy(planner);
    }
    cr_model_destroy(model);
}

// A ball of 0.2 kg that slides at 1 m/s without spin is nudged toward a place that lies 0.1 aside
// of 1 ahead. Its final roll would be 5/7 m/s, so full strength asks for a skin of 7/2 x 5/7 x 0.1
// = 0.25 m/s, and no more than 0.3 times the ball's speed is allowed. The work is I w2 / 2 = m
// skin2 / 5.
static double nudge_work(double strength)
{
    double skin = fmin(0.3, 0.25 * strength);
    return 0.2 / 5 * skin * skin;
}

typedef struct nudges {
    int count;
    double least, most; // strength
} nudges;

static bool compare_effort(const cr_replay_step *step, void *context)
{
    nudges *n = context;
    if (step->actions) {
        int count;
        double strength = cr_state_variables(step->model, step->state, 0, &count)[0];
        double expected = 1 - nudge_work(strength) / 0.004;
        assert_true(fabs(step->score - expected) < 1e-9);
        n->count++;
        n->least = fmin(n->least, strength);
        n->most = fmax(n->most, strength);
    } else {
        assert_true(step->score == 1); // nothing is spent at the start
    }
    return true;
}

// A ball that is nudged less scores more: the score falls from 1 at no work to 0 at 4 mJ.
static void effort_lowers_the_score(void **state)
{
    (void)state;
    static const char *const text =
        "bodies:\n"
        "  floor: {kind: static, shape: {plane: [0, 0, 1]}, material: cloth, at: [0, 0, 0]}\n"
        "  ball: {kind: controlled, shape: {sphere: 0.03}, mass: 0.2, velocity: [1, 0, 0]}\n"
        "materials: {cloth: {friction: 0.2}}\n"
        "tactics: {t: {controls: ball, skills: {n: {do: nudge, toward: [1, 0.1], strength: "
        "{uniform: [0, 2]}}}}}\n"
        "score: {ramp: {of: {effort: ball}, from: 0.004, to: 0}}\n"
        "plan: {select: uniform, horizon: 0.1, attempts: 20, nodes: 500, round: 1}\n";
    cr_model *model = load_text(text);
    assert_non_null(model);
    cr_outcome outcome;
    cr_planner *planner = search(model, 1, &outcome);
    assert_int_equal(outcome, CR_OUTCOME_BEST);
    nudges n = {.least = 9};
    assert_int_equal(cr_planner_retrace(planner, compare_effort, &n, NULL), CR_OK);
    // Twenty branches of six steps; with and without the limit of the spin.
    assert_int_equal(n.count, 20 * 6);
    assert_true(n.least < 0.5 && n.most > 1.5);
    cr_planner_destroy(planner);
    cr_model_destroy(model);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(reactive_attacker_is_honest),
        cmocka_unit_test(planning_beats_reacting),
        cmocka_unit_test(soccer_is_solved),
        cmocka_unit_test(chips_fly),
        cmocka_unit_test(trick_shot_is_one_shot),
        cmocka_unit_test(effort_lowers_the_score),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
