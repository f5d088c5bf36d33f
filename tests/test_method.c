// The method, by counting: what the loop keeps and selects and when, whom Tactics choose, when
// branches end and what becomes of them. Every expectation is computed here, from the tree that the
// planner shows and from the scene, never taken from a run.
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <cmocka.h>

#include "scenes.h"

#define ROBOT                                                                                      \
    "bodies:\n"                                                                                    \
    "  robot: {kind: controlled, shape: {cylinder: {radius: 0.1, height: 0.2}}, mass: 1,\n"        \
    "          upright: true, at: [0, 0]}\n"

// As many steps a second as a step has halves, so that times of scenes are exact.
#define CLOCK "dt: 0.0625\n"

static cr_planner *grow(const cr_model *model, const cr_planner_def *def, cr_outcome outcome)
{
    cr_report report = {0};
    cr_planner *planner = NULL;
    assert_non_null(model);
    assert_int_equal(cr_planner_create(model, def, &planner, &report), CR_OK);
    assert_int_equal(cr_planner_grow(planner, NULL), outcome);
    return planner;
}

// A share that was counted lies within five standard errors of the one that is right; streams are
// fixed, so nothing here is chance.
static void expect_share(int64_t counted, int64_t of, double share)
{
    double error = sqrt(share * (1 - share) / (double)of);
    if (fabs((double)counted / (double)of - share) > 5 * error + 1e-12) {
        fail_msg("%lld of %lld, expected a share of %g", (long long)counted, (long long)of, share);
    }
}

// ---------------------------------------------------------------------------------------------
// The loop, played again lane by lane. How long each attempt ran and where it started is read from
// the tree; when it must have been selected and kept, and whether it may have started there, is
// worked out the slow way.

enum { ATTEMPTS = 300, ROUND_MOST = 16 };

typedef struct game {
    const cr_planner *planner;
    const cr_planner_def *def;
    int64_t branch_of[ATTEMPTS + ROUND_MOST + 1]; // by attempt; 0: it was not kept
    int64_t count;                                // of branches so far
    int children[ATTEMPTS + 1], picked[ATTEMPTS + 1];
    int64_t selected;
    bool blind; // an attempt is under way of which the tree knows nothing
    int64_t inner_choices, leaf_choices;
    int64_t places; // uniform: choices seen, and the sum of their places among the candidates
    double place_sum;
} game;

static bool is_leaf(const game *g, int64_t b)
{
    return g->children[b] == 0 && g->picked[b] == 0;
}

// 003, algorithm 9: mean depth of what has no children over mean number of children.
static bool should_broaden(const game *g)
{
    int64_t parents = 0, leaves = 0, depth = 0, inners = 0, free_leaves = 0;
    for (int64_t b = 0; b < g->count; b++) {
        parents += g->children[b] > 0;
        leaves += g->children[b] == 0;
        depth += g->children[b] == 0 ? cr_planner_branch(g->planner, b).depth : 0;
        inners += !is_leaf(g, b);
        free_leaves += is_leaf(g, b);
    }
    double branching = parents > 0 ? (double)(g->count - 1) / (double)parents : 1;
    bool broaden = (double)depth / (double)leaves / branching > g->def->mu;
    return (broaden && inners > 0) || free_leaves == 0;
}

static void check_choice(game *g, int64_t parent)
{
    assert_true(parent < g->count); // it was there
    if (strcmp(g->def->select, "bgt") == 0) {
        assert_int_equal(!is_leaf(g, parent), should_broaden(g));
        g->inner_choices += !is_leaf(g, parent);
        g->leaf_choices += is_leaf(g, parent);
    } else if (g->count > 1) {
        g->places++;
        g->place_sum += ((double)parent + 0.5) / (double)g->count;
    }
}

// The lane's next attempt; returns the tick at which it ends.
static int64_t begin_attempt(game *g, int64_t tick)
{
    int64_t branch = g->branch_of[++g->selected];
    if (branch == 0) {
        g->blind = true;
        return INT64_MAX;
    }
    cr_branch b = cr_planner_branch(g->planner, branch);
    if (!g->blind) {
        check_choice(g, b.parent);
        g->picked[b.parent]++;
    }
    return tick + b.steps;
}

static void play(game *g)
{
    int64_t attempts[ROUND_MOST], ends[ROUND_MOST], total = cr_planner_branch_count(g->planner);
    for (int64_t b = 1; b < total; b++) {
        g->branch_of[cr_planner_branch(g->planner, b).attempt] = b;
    }
    g->count = 1;
    for (int i = 0; i < g->def->round; i++) {
        ends[i] = begin_attempt(g, 0);
        attempts[i] = g->selected;
    }
    while (g->count < total) {
        int first = 0; // of several that end at a tick, the first lane
        for (int i = 1; i < g->def->round; i++) {
            first = ends[i] < ends[first] ? i : first;
        }
        cr_branch kept = cr_planner_branch(g->planner, g->count);
        assert_int_equal(kept.attempt, attempts[first]);
        g->count++;
        g->children[kept.parent]++;
        g->picked[kept.parent]--;
        ends[first] = begin_attempt(g, ends[first]);
        attempts[first] = g->selected;
    }
}

// Waits of 1 to 16 steps, one after the other, for ever: nothing dies.
static const char waiting[] =
    ROBOT "dt: 0.01\n"
          "tactics: {t: {controls: robot, skills: {a: {do: wait, seconds: {uniform: [0.005, "
          "0.16]}}}}}\n"
          "score: 1\n"
          "plan: {horizon: 100000, nodes: 100000}\n";

static void play_search(const cr_model *model, cr_planner_def def, game *sum)
{
    cr_planner *planner = grow(model, &def, CR_OUTCOME_BEST);
    game g = {.planner = planner, .def = &def};
    play(&g);
    assert_int_equal(g.count, ATTEMPTS + 1);
    sum->places += g.places;
    sum->place_sum += g.place_sum;
    sum->inner_choices += g.inner_choices;
    sum->leaf_choices += g.leaf_choices;
    cr_planner_destroy(planner);
}

static void lanes_keep_and_select_in_turn(void **state)
{
    (void)state;
    static const int rounds[] = {1, 2, 3, 7, ROUND_MOST};
    static const double mus[] = {3, 10, 40, 150};
    cr_model *model = load_text(waiting);
    assert_non_null(model);
    game sum = {0};
    for (uint64_t i = 0; i < 40; i++) {
        cr_planner_def def = cr_model_planner_def(model);
        def.attempts = ATTEMPTS;
        def.seed = i;
        def.round = rounds[i % 5];
        def.mu = mus[i % 4];
        def.select = i < 30 ? "bgt" : "uniform";
        play_search(model, def, &sum);
    }
    // Both classes were asked for.
    assert_true(sum.inner_choices > 500 && sum.leaf_choices > 500);
    // All decisions alike: the mean place is the middle.
    double error = 1 / sqrt(12.0 * (double)sum.places);
    assert_true(sum.places > 2000);
    assert_true(fabs(sum.place_sum / (double)sum.places - 0.5) < 5 * error);
    cr_model_destroy(model);
}

// ---------------------------------------------------------------------------------------------
// Tactics.

// Which Skill the branches behind the first are in at their ends.
static void count_skills(const cr_planner *planner, const cr_model *model, int64_t *counts)
{
    for (int64_t b = 2; b < cr_planner_branch_count(planner); b++) {
        counts[cr_state_tactic_const(model, cr_planner_state(planner, b), 0)->skill]++;
    }
}

// Weights are shares of what is possible. The first branch is a step long and comes to the choice;
// the others end for good behind their second step, or are back at the choice.
static void transitions_have_their_weights(void **state)
{
    (void)state;
    static const struct {
        const char *next;
        double shares[4];
    } rows[] = {
        {"{a: {b: 1, c: 3, d: 6}}", {0, 0.1, 0.3, 0.6}},
        {"{a: {b: 20, c: 5, d: 75}}", {0, 0.2, 0.05, 0.75}},
        {"{a: {a: 0.5, d: 0.5}}", {0.5, 0, 0, 0.5}},
        {"{a: {b: 0, c: 2, d: 1}}", {0, 0, 2.0 / 3, 1.0 / 3}},
        // What is not possible now has no share.
        {"{a: {b: {weight: 9, when: {after: 1}}, c: 1, d: {weight: 3, when: {not: {after: 1}}}}}",
         {0, 0, 0.25, 0.75}},
    };
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        char text[1200];
        snprintf(text, sizeof text,
                 ROBOT "tactics: {t: {controls: robot, start: a, skills: {a: {do: stand},\n"
                       "  b: {do: stand}, c: {do: idle}, d: {do: wait, seconds: 1}}, next: %s}}\n"
                       "score: 1\n"
                       "plan: {horizon: 0.0333, attempts: 3001, nodes: 9000, select: uniform}\n",
                 rows[i].next);
        cr_model *model = load_text(text);
        cr_planner_def def = cr_model_planner_def(model);
        cr_planner *planner = grow(model, &def, CR_OUTCOME_BEST);
        int64_t counts[4] = {0};
        count_skills(planner, model, counts);
        for (int k = 0; k < 4; k++) {
            expect_share(counts[k], 3000, rows[i].shares[k]);
        }
        cr_planner_destroy(planner);
        cr_model_destroy(model);
    }
}

// A branch that a Skill ends stands where it stood before: what that Skill and the other Tactics
// did at the step is undone.
static void what_ends_a_branch_is_undone(void **state)
{
    (void)state;
    cr_model *model = load_text(
        CLOCK "bodies:\n"
              "  a: {kind: controlled, mass: 1, shape: {sphere: 0.1}, at: [0, 0, 1]}\n"
              "  b: {kind: controlled, mass: 1, shape: {sphere: 0.1}, at: [1, 0, 1]}\n"
              "tactics:\n"
              "  first: {controls: a, start: wait, skills: {wait: {do: wait, seconds: 0.5},\n"
              "          end: {do: end}}, next: {wait: {end: 1}}}\n"
              "  other: {controls: b, start: short, skills: {short: {do: wait, seconds: 0.5},\n"
              "          long: {do: wait, seconds: 9}}, next: {short: {long: 1}}}\n"
              "score: {ramp: {of: time, from: 0, to: 9}}\n"
              "plan: {nodes: 100}\n");
    cr_planner_def def = cr_model_planner_def(model);
    cr_planner *planner = grow(model, &def, CR_OUTCOME_BEST);
    assert_int_equal(cr_planner_get_stats(planner).ended, 1);
    assert_int_equal(cr_planner_branch_count(planner), 2);
    const cr_state *end = cr_planner_state(planner, 1);
    assert_int_equal(cr_planner_branch(planner, 1).steps, 8);
    assert_true(cr_state_time(model, end) == 0.5);
    for (int tactic = 0; tactic < 2; tactic++) {
        int count;
        const double *v = cr_state_variables(model, end, tactic, &count);
        assert_int_equal(cr_state_tactic_const(model, end, tactic)->skill, 0);
        assert_int_equal(cr_state_tactic_const(model, end, tactic)->phase, CR_SKILL_FREE);
        assert_true(count == 1 && v[0] == 0); // the step at which the wait that is over began
    }
    // It is the state that replay comes to.
    cr_plan *plan = NULL;
    assert_int_equal(cr_plan_create(planner, CR_OUTCOME_BEST, &plan, NULL), CR_OK);
    assert_int_equal(cr_plan_solution(plan, 0).hash, cr_state_hash(model, end));
    cr_plan_destroy(plan);
    cr_planner_destroy(planner);
    cr_model_destroy(model);
}

// ---------------------------------------------------------------------------------------------
// Rules and ends, step by step.

// A rule that is broken at one step alone ends a branch at that step, be it its first or its last.
static void rules_hold_at_every_step_of_a_branch(void **state)
{
    (void)state;
    enum { LENGTH = 8 };
    for (int step = 1; step <= LENGTH + 1; step++) {
        char text[800];
        snprintf(text, sizeof text,
                 CLOCK ROBOT "tactics: {t: {controls: robot, skills: {a: {do: wait, seconds: "
                             "{uniform: [0.45, 0.48]}}}}}\n"
                             "rules: [{never: {all: [{after: %.5f}, {not: {after: %.5f}}]}}]\n"
                             "score: 1\n"
                             "plan: {attempts: 1, nodes: 100, round: 1}\n",
                 (step - 0.5) * 0.0625, (step + 0.5) * 0.0625);
        cr_model *model = load_text(text);
        cr_planner_def def = cr_model_planner_def(model);
        cr_planner *planner = grow(model, &def, CR_OUTCOME_BEST);
        cr_planner_stats stats = cr_planner_get_stats(planner);
        assert_int_equal(stats.dead_rule, step <= LENGTH);
        assert_int_equal(stats.steps, step <= LENGTH ? step : LENGTH);
        assert_int_equal(stats.nodes, step <= LENGTH ? 1 : LENGTH + 1);
        cr_planner_destroy(planner);
        cr_model_destroy(model);
    }
}

// Branches of one step each: a ball is struck anew at every step, and too fast is against the rule.
// No state of the tree breaks it, and as many strikes die as are too fast: 5 of 8 m/s are allowed.
static void first_steps_keep_the_rules(void **state)
{
    (void)state;
    cr_model *model = load_text(
        "bodies: {ball: {kind: controlled, mass: 1, shape: {sphere: 0.1}, at: [0, 0, 1]}}\n"
        "gravity: 0\n"
        "tactics: {t: {controls: ball, skills: {hit: {do: strike, at: [1e6, 0],\n"
        "  speed: {uniform: [0, 8]}}}}}\n"
        "rules: [{never: {speed: [ball, above, 5]}}]\n"
        "score: 1\n"
        "plan: {select: uniform, horizon: 0.0167, attempts: 2000, nodes: 9000}\n");
    cr_planner_def def = cr_model_planner_def(model);
    cr_planner *planner = grow(model, &def, CR_OUTCOME_BEST);
    for (int64_t b = 1; b < cr_planner_branch_count(planner); b++) {
        assert_true(cr_state_velocity(model, cr_planner_state(planner, b), 0).x <= 5);
    }
    expect_share(cr_planner_get_stats(planner).dead_rule, 2000, 3.0 / 8);
    cr_planner_destroy(planner);
    cr_model_destroy(model);
}

// A branch ends at the horizon and not a step later.
static void branches_end_where_they_must(void **state)
{
    (void)state;
    static const struct {
        const char *plan;
        int64_t depth;
    } rows[] = {{"horizon: 0.0625", 1}, {"horizon: 0.5", 8}, {"horizon: 0.52", 8},
                {"horizon: 0.54", 9},   {"horizon: 2", 32},  {"horizon: 20, longest: 1", 320}};
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        char text[600];
        snprintf(text, sizeof text,
                 CLOCK ROBOT "tactics: {t: {controls: robot, skills: {a: {do: wait, seconds: "
                             "3000}}}}\n"
                             "score: 1\n"
                             "plan: {nodes: 1000, %s}\n",
                 rows[i].plan);
        cr_model *model = load_text(text);
        cr_planner_def def = cr_model_planner_def(model);
        cr_planner *planner = grow(model, &def, CR_OUTCOME_BEST);
        assert_int_equal(cr_planner_branch_count(planner), 2);
        cr_branch branch = cr_planner_branch(planner, 1);
        assert_true(branch.ended);
        assert_int_equal(branch.depth, rows[i].depth);
        assert_int_equal(cr_planner_get_stats(planner).nodes, rows[i].depth + 1);
        assert_true(cr_state_time(model, cr_planner_state(planner, 1)) ==
                    (double)rows[i].depth * 0.0625);
        cr_planner_destroy(planner);
        cr_model_destroy(model);
    }
}

// A Skill that is busy for ever is over behind every `longest` steps, and the Tactic goes on: here
// to one of two others, so a branch ends there and can be grown from (003, 5.3.1).
static void a_skill_that_never_ends_times_out(void **state)
{
    (void)state;
    static const int longests[] = {1, 7, 16};
    for (size_t i = 0; i < sizeof longests / sizeof longests[0]; i++) {
        char text[900];
        snprintf(text, sizeof text,
                 CLOCK ROBOT "tactics: {t: {controls: robot, start: a, skills: {\n"
                             "  a: {do: wait, seconds: 3000}, b: {do: wait, seconds: 2000},\n"
                             "  c: {do: wait, seconds: 1000}}, next: {a: {b: 1, c: 1}}}}\n"
                             "goal: {skill: [t, c]}\n"
                             "plan: {nodes: 1000, longest: %d}\n",
                 longests[i]);
        cr_model *model = load_text(text);
        cr_planner_def def = cr_model_planner_def(model);
        cr_planner *planner = grow(model, &def, CR_OUTCOME_SOLVED);
        cr_branch first = cr_planner_branch(planner, 1);
        assert_int_equal(first.steps, longests[i]);
        assert_false(first.ended);
        assert_int_equal(cr_state_tactic_const(model, cr_planner_state(planner, 1), 0)->phase,
                         CR_SKILL_FREE);
        cr_plan *plan;
        assert_int_equal(cr_plan_create(planner, CR_OUTCOME_SOLVED, &plan, NULL), CR_OK);
        assert_int_equal(cr_plan_replay(plan, 0, NULL, NULL, NULL), CR_OK);
        cr_plan_destroy(plan);
        cr_planner_destroy(planner);
        cr_model_destroy(model);
    }
}

// The best future is cut at the first of its best steps, and of several futures it is the first
// that was found. The score of the one here rises until 0.5 s and then stays: step 8.
static void the_best_is_the_first_of_equals(void **state)
{
    (void)state;
    static const struct {
        const char *score;
        int64_t steps;
    } rows[] = {{"{ramp: {of: time, from: 0, to: 0.5}}", 8},
                {"{ramp: {of: time, from: 0, to: 0.0625}}", 1},
                {"{ramp: {of: time, from: 1, to: 0}}", 0},
                {"3", 0}};
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        char text[800];
        snprintf(text, sizeof text,
                 CLOCK ROBOT "tactics: {t: {controls: robot, skills: {a: {do: wait, seconds: "
                             "{uniform: [1, 1.5]}}}}}\n"
                             "score: %s\n"
                             "plan: {nodes: 1000, horizon: 4, round: 1, attempts: 20}\n",
                 rows[i].score);
        cr_model *model = load_text(text);
        cr_planner_def def = cr_model_planner_def(model);
        cr_planner *planner = grow(model, &def, CR_OUTCOME_BEST);
        cr_plan *plan = NULL;
        assert_int_equal(cr_plan_create(planner, CR_OUTCOME_BEST, &plan, NULL), CR_OK);
        cr_solution best = cr_plan_solution(plan, 0);
        assert_int_equal(best.steps, rows[i].steps);
        assert_true(best.score == cr_planner_get_stats(planner).best_score);
        cr_plan_destroy(plan);
        cr_planner_destroy(planner);
        cr_model_destroy(model);
    }
}

// ---------------------------------------------------------------------------------------------
// Streams.

// The sample is to the left, and the robot goes right: rrt always grows from the start. mu is out
// of reach: bgt always grows from a leaf, and the start is one only until it has a child.
static const char two_ways[] = ROBOT
    "regions: {left: {box: [2, 2], at: [-9, 0]}}\n"
    "sample: {body: robot, region: left}\n"
    "tactics: {t: {controls: robot, skills: {go: {do: drive_to, place: [90, 0], speed: 0.02,\n"
    "  seconds: {uniform: [0.4, 0.5]}}}}}\n"
    "score: 1\n"
    "plan: {select: hybrid, mu: 1e6, horizon: 100000, nodes: 200000, round: 1}\n";

// hybrid asks bgt as often as it says, whatever the sample: the coin and the sample come from
// streams of their own. The sample is the first draw of an attempt's stream.
static void hybrid_flips_a_coin_of_its_own(void **state)
{
    (void)state;
    static const double shares[] = {0, 0.25, 0.5, 0.9, 1};
    cr_model *model = load_text(two_ways);
    cr_planner_def def = cr_model_planner_def(model);
    def.attempts = 3000;
    for (size_t i = 0; i < sizeof shares / sizeof shares[0]; i++) {
        def.bgt_share = shares[i];
        cr_planner *planner = grow(model, &def, CR_OUTCOME_BEST);
        int64_t count = cr_planner_branch_count(planner), bgt[2] = {0}, all[2] = {0};
        assert_int_equal(count, 3001);
        for (int64_t b = 2; b < count; b++) {
            cr_branch branch = cr_planner_branch(planner, b);
            cr_rng rng = cr_rng_make(def.seed, CR_RNG_ATTEMPT, (uint64_t)branch.attempt);
            int half = cr_rng_unit(&rng) < 0.5;
            all[half]++;
            bgt[half] += branch.parent > 0;
        }
        expect_share(all[0], 2999, 0.5);
        expect_share(bgt[0], all[0], shares[i]);
        expect_share(bgt[1], all[1], shares[i]);
        cr_planner_destroy(planner);
    }
    cr_model_destroy(model);
}

// No attempt draws what another drew, whatever the seed.
static void attempts_draw_their_own_numbers(void **state)
{
    (void)state;
    enum { SEEDS = 3, EACH = 700 };
    static double drawn[SEEDS * EACH];
    int count = 0;
    cr_model *model =
        load_text(ROBOT "tactics: {t: {controls: robot, skills: {a: {do: wait, seconds: {uniform: "
                        "[1, 2]}}}}}\n"
                        "score: 1\n"
                        "plan: {select: uniform, horizon: 0.0167, nodes: 9000}\n");
    for (uint64_t seed = 1; seed <= SEEDS; seed++) {
        cr_planner_def def = cr_model_planner_def(model);
        def.attempts = EACH;
        def.seed = seed;
        cr_planner *planner = grow(model, &def, CR_OUTCOME_BEST);
        for (int64_t b = 1; b < cr_planner_branch_count(planner); b++) {
            int variables;
            drawn[count] =
                cr_state_variables(model, cr_planner_state(planner, b), 0, &variables)[0];
            for (int i = 0; i < count; i++) {
                assert_true(drawn[i] != drawn[count]);
            }
            count++;
        }
        cr_planner_destroy(planner);
    }
    assert_int_equal(count, SEEDS * EACH);
    cr_model_destroy(model);
}

// Streams that differ in seed, domain or index have nothing in common.
static void streams_do_not_meet(void **state)
{
    (void)state;
    enum { STREAMS = 4 * 3 * 3, DRAWS = 16 };
    uint64_t seen[STREAMS * DRAWS];
    int count = 0;
    for (int s = 0; s < STREAMS; s++) {
        static const cr_rng_domain domains[] = {CR_RNG_SELECT, CR_RNG_ATTEMPT, CR_RNG_USER,
                                                CR_RNG_START};
        cr_rng rng = cr_rng_make((uint64_t)(s / 4 % 3), domains[s % 4], (uint64_t)(s / 12));
        for (int i = 0; i < DRAWS; i++) {
            uint64_t bits = cr_rng_bits(&rng);
            for (int k = 0; k < count; k++) {
                assert_true(seen[k] != bits);
            }
            seen[count++] = bits;
        }
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(lanes_keep_and_select_in_turn),
        cmocka_unit_test(transitions_have_their_weights),
        cmocka_unit_test(what_ends_a_branch_is_undone),
        cmocka_unit_test(rules_hold_at_every_step_of_a_branch),
        cmocka_unit_test(first_steps_keep_the_rules),
        cmocka_unit_test(branches_end_where_they_must),
        cmocka_unit_test(a_skill_that_never_ends_times_out),
        cmocka_unit_test(the_best_is_the_first_of_equals),
        cmocka_unit_test(hybrid_flips_a_coin_of_its_own),
        cmocka_unit_test(attempts_draw_their_own_numbers),
        cmocka_unit_test(streams_do_not_meet),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
