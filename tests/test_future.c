// Futures that are no solution: what a search without one shows, and what is simulated by seed. All
// of them are plans that are written, read and replayed to the same state and the same end.
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include <cmocka.h>

#include "scenes.h"

static const struct {
    const char *name;
    int start;
} scenes[] = {{"minigolf/windmill", 0}, {"minigolf/gate", 0},     {"navigation/u-shape", 0},
              {"navigation/maze", 0},   {"soccer/attack-1v2", 7}, {"soccer/attack-1v2-reactive", 7},
              {"pool/break", 0},        {"pool/trick-shot", 0}};
enum { SCENES = sizeof scenes / sizeof scenes[0] };

static cr_model *load(int index)
{
    cr_model *model = load_start(scenes[index].name, scenes[index].start, NULL);
    assert_non_null(model);
    return model;
}

typedef struct watcher {
    int64_t steps;
    bool goal;
    const char *rule; // the first
    int64_t broken_step;
    uint64_t hash;
} watcher;

static bool watch(const cr_replay_step *step, void *context)
{
    watcher *w = context;
    w->steps += step->actions != NULL;
    w->goal = step->goal;
    if (step->rule && !w->rule) {
        w->rule = step->rule;
        w->broken_step = w->steps;
    }
    w->hash = cr_state_hash(step->model, step->state);
    return true;
}

// What a plan says of its first solution is what one sees in it.
static void hold_to_its_word(const cr_plan *plan)
{
    cr_solution s = cr_plan_solution(plan, 0);
    watcher w = {0};
    cr_report report = {0};
    assert_int_equal(cr_plan_replay(plan, 0, watch, &w, &report), CR_OK);
    assert_int_equal(w.steps, s.steps);
    assert_int_equal(w.hash, s.hash);
    assert_int_equal(w.goal, s.goal);
    assert_int_equal(w.rule != NULL, s.rule != NULL);
    if (s.rule) {
        assert_string_equal(w.rule, s.rule);
        assert_int_equal(w.broken_step, s.broken_step);
    }
    assert_true(s.end != CR_END_RULE || (s.rule && s.broken_step == s.steps));
    assert_true(s.end != CR_END_GOAL || s.goal);
}

// Write it, read it, and find the same.
static void survive_the_file(const cr_plan *plan)
{
    char path[] = "/tmp/carom-future-XXXXXX";
    close(mkstemp(path));
    cr_plan *again = NULL;
    assert_int_equal(cr_plan_write(plan, path, NULL), CR_OK);
    assert_int_equal(cr_plan_read(path, NULL, &again, NULL), CR_OK);
    cr_solution a = cr_plan_solution(plan, 0), b = cr_plan_solution(again, 0);
    assert_int_equal(a.end, b.end);
    assert_int_equal(a.steps, b.steps);
    assert_int_equal(a.hash, b.hash);
    assert_int_equal(a.goal, b.goal);
    assert_int_equal(a.broken_step, b.broken_step);
    assert_string_equal(a.rule ? a.rule : "", b.rule ? b.rule : "");
    assert_int_equal(cr_plan_outcome(plan), cr_plan_outcome(again));
    assert_string_equal(cr_plan_repeat(plan), cr_plan_repeat(again));
    assert_string_equal(cr_plan_repeat_options(plan), cr_plan_repeat_options(again));
    hold_to_its_word(again);
    cr_plan_destroy(again);
    unlink(path);
}

static cr_plan *simulate(const cr_model *model, uint64_t seed, const cr_simulate_def *how)
{
    cr_plan *plan = NULL;
    cr_report report = {0};
    cr_planner_def def = cr_model_planner_def(model);
    def.seed = seed;
    assert_int_equal(cr_plan_simulate(model, &def, how, &plan, &report), CR_OK);
    return plan;
}

static void every_scene_can_be_simulated(void **state)
{
    (void)state;
    int ends[CR_END_OPEN + 1] = {0};
    for (int i = 0; i < SCENES; i++) {
        cr_model *model = load(i);
        for (uint64_t seed = 1; seed <= 4; seed++) {
            cr_simulate_def how = cr_default_simulate_def();
            how.past_rule = seed == 3;
            how.past_goal = seed == 4;
            how.seconds = seed == 2 ? 1.5 : 0;
            cr_plan *plan = simulate(model, seed, &how);
            cr_solution s = cr_plan_solution(plan, 0);
            ends[s.end]++;
            assert_true(s.end != CR_END_RULE || !how.past_rule);
            assert_true(s.end != CR_END_GOAL || !how.past_goal);
            assert_true(how.past_rule || !s.rule || s.end == CR_END_RULE);
            assert_true(seed != 2 || s.seconds < 1.5 + 1e-9);
            hold_to_its_word(plan);
            survive_the_file(plan);
            cr_plan_destroy(plan);
        }
        cr_model_destroy(model);
    }
    assert_true(ends[CR_END_RULE] > 0 && ends[CR_END_SKILL] > 0 && ends[CR_END_TIME] > 0);
}

// How long each Skill of the first Tactic is at work, in steps. The last may be cut short.
typedef struct stints {
    int count, skill[400], steps[400];
} stints;

static bool watch_skills(const cr_replay_step *step, void *context)
{
    stints *s = context;
    const cr_tactic_state *tactic = cr_state_tactic_const(step->model, step->state, 0);
    if (step->actions) {
        if (s->count == 0 || s->skill[s->count - 1] != tactic->skill) {
            assert_true(s->count < 400);
            s->skill[s->count++] = tactic->skill;
        }
        s->steps[s->count - 1]++;
    }
    return true;
}

// Two Skills that are busy for ever are over behind `longest` steps of their own branch, whatever
// the branches before had: one of them a Skill that ends by itself after three steps.
static void a_simulated_skill_times_out_in_its_own_branch(void **state)
{
    (void)state;
    for (int longest = 4; longest < 20; longest += 3) {
        char text[900];
        snprintf(text, sizeof text,
                 "dt: 0.0625\nbodies:\n"
                 "  robot: {kind: controlled, shape: {cylinder: {radius: 0.1, height: 0.2}},\n"
                 "          mass: 1, upright: true, at: [0, 0]}\n"
                 "tactics: {t: {controls: robot, start: a, skills: {\n"
                 "  a: {do: wait, seconds: 0.1875}, b: {do: wait, seconds: 3000},\n"
                 "  c: {do: wait, seconds: 2000}},\n"
                 "  next: {a: {b: 1, c: 1}, b: {a: 1, c: 1}, c: {a: 1, b: 1}}}}\n"
                 "score: {ramp: {of: time, from: 0, to: 100}}\nplan: {horizon: 20, longest: %d}\n",
                 longest);
        cr_model *model = load_text(text);
        assert_non_null(model);
        for (uint64_t seed = 1; seed <= 10; seed++) {
            cr_simulate_def how = cr_default_simulate_def();
            cr_plan *plan = simulate(model, seed, &how);
            hold_to_its_word(plan);
            stints s = {0};
            assert_int_equal(cr_plan_replay(plan, 0, watch_skills, &s, NULL), CR_OK);
            assert_true(s.count > 5);
            for (int i = 1; i < s.count - 1; i++) {
                assert_int_equal(s.steps[i], s.skill[i] == 0 ? s.steps[0] : longest);
            }
            cr_plan_destroy(plan);
        }
        cr_model_destroy(model);
    }
}

// The first branch of a simulation is the first attempt of a search: one seed, one future.
static void a_simulation_begins_like_the_search(void **state)
{
    (void)state;
    int compared = 0;
    for (int i = 0; i < SCENES; i++) {
        cr_model *model = load(i);
        cr_planner_def def = cr_model_planner_def(model);
        def.attempts = 1;
        cr_planner *planner = NULL;
        assert_int_equal(cr_planner_create(model, &def, &planner, NULL), CR_OK);
        cr_planner_grow(planner, NULL);
        if (cr_planner_branch_count(planner) > 1 && cr_planner_branch(planner, 1).attempt == 1) {
            cr_branch branch = cr_planner_branch(planner, 1);
            cr_simulate_def how = cr_default_simulate_def();
            how.seconds = (double)branch.steps * cr_model_dt(model);
            cr_plan *plan = simulate(model, def.seed, &how);
            assert_int_equal(cr_plan_solution(plan, 0).hash,
                             cr_state_hash(model, cr_planner_state(planner, 1)));
            cr_plan_destroy(plan);
            compared++;
        }
        cr_planner_destroy(planner);
        cr_model_destroy(model);
    }
    assert_true(compared >= SCENES / 2);
}

static bool stop_after(void *context)
{
    return --*(int *)context == 0;
}

static void a_simulation_can_be_stopped(void **state)
{
    (void)state;
    cr_model *model = load_scene("minigolf/windmill", NULL);
    int left = 40;
    cr_simulate_def how = cr_default_simulate_def();
    how.stop = stop_after;
    how.context = &left;
    cr_plan *plan = simulate(model, 1, &how);
    cr_solution s = cr_plan_solution(plan, 0);
    assert_int_equal(s.end, CR_END_OPEN);
    assert_true(s.steps > 30 && s.steps <= 40);
    assert_non_null(strstr(cr_plan_repeat(plan), " --seconds "));
    survive_the_file(plan);
    cr_plan_destroy(plan);
    how = cr_default_simulate_def();
    how.seconds = 1e9;
    cr_planner_def def = cr_model_planner_def(model);
    assert_int_equal(cr_plan_simulate(model, &def, &how, &plan, NULL), CR_ERR_RANGE);
    assert_null(plan);
    cr_model_destroy(model);
}

// ---------------------------------------------------------------------------------------------

static cr_plan *show(const cr_model *model, const cr_planner_def *def, cr_planner_stats *stats)
{
    cr_planner *planner = NULL;
    cr_plan *plan = NULL;
    cr_report report = {0};
    assert_int_equal(cr_planner_create(model, def, &planner, &report), CR_OK);
    cr_outcome outcome = cr_planner_grow(planner, NULL);
    *stats = cr_planner_get_stats(planner);
    assert_int_equal(cr_plan_create_failed(planner, outcome, &plan, &report), CR_OK);
    assert_non_null(plan);
    cr_planner_destroy(planner);
    return plan;
}

// Whatever the budget, there is something to see, the same for any number of threads.
static void a_search_always_shows_something(void **state)
{
    (void)state;
    int failed = 0;
    for (int i = 0; i < SCENES; i++) {
        cr_model *model = load(i);
        for (int k = 0; k < 9; k++) {
            cr_planner_def def = cr_model_planner_def(model);
            def.seed = (uint64_t)k / 3 + 1;
            def.steps = (int64_t[]){1, 60, 900}[k % 3];
            def.keep_dead = k == 8;
            def.threads = 1;
            cr_planner_stats stats;
            cr_plan *plan = show(model, &def, &stats);
            cr_solution s = cr_plan_solution(plan, 0);
            assert_true(s.steps > 0 || s.goal || s.end == CR_END_ENGINE || s.end == CR_END_SKILL);
            assert_true(s.goal == (stats.solutions > 0) || stats.attempts == 0);
            failed += s.end == CR_END_RULE || s.end == CR_END_ENGINE;
            hold_to_its_word(plan);
            survive_the_file(plan);
            def.threads = 3;
            cr_plan *other = show(model, &def, &stats);
            assert_int_equal(cr_plan_solution(other, 0).hash, s.hash);
            assert_int_equal(cr_plan_solution(other, 0).end, s.end);
            cr_plan_destroy(other);
            cr_plan_destroy(plan);
        }
        cr_model_destroy(model);
    }
    assert_true(failed > 0);
}

// The last one that died, and why, where nothing scores.
static void the_last_failure_is_shown(void **state)
{
    (void)state;
    cr_model *model = load_text(
        "materials: {m: {friction: 0.3, restitution: 0.3}}\n"
        "bodies:\n"
        "  robot: {kind: controlled, shape: {cylinder: {radius: 0.1, height: 0.1}}, mass: 1,"
        " material: m, upright: true, at: [0, 0]}\n"
        "regions: {field: {box: [1, 1], at: [0, 0]},"
        " away: {box: [1, 1], at: [50, 0]}}\n"
        "tactics:\n  t:\n    controls: robot\n    start: go\n    skills:\n"
        "      go: {do: drive_to, place: {region: away}}\n"
        "goal: {inside: [robot, away]}\n"
        "rules: [{always: {inside: [robot, field]}}]\n");
    assert_non_null(model);
    cr_planner_def def = cr_model_planner_def(model);
    cr_planner_stats stats;
    char text[200];
    def.nodes = 1000;
    cr_plan *plan = show(model, &def, &stats);
    cr_solution s = cr_plan_solution(plan, 0);
    assert_int_equal(s.end, CR_END_RULE);
    assert_string_equal(s.rule, "always {inside: [robot, field]}");
    assert_int_equal(s.broken_step, s.steps);
    cr_plan_print_end(plan, 0, text, sizeof text);
    assert_non_null(strstr(text, "failed: breaks the rule always {inside: [robot, field]} at "));
    cr_playback *playback = NULL;
    assert_int_equal(cr_plan_playback(plan, NULL, &playback, NULL), CR_OK);
    assert_int_equal(playback->worlds[0].frame_count, s.steps + 1);
    assert_string_equal(playback->worlds[0].failed, text);
    assert_non_null(strstr(playback->title, "failed: breaks the rule"));
    cr_playback_destroy(playback);
    cr_plan_destroy(plan);
    cr_model_destroy(model);
}

// A plan that lies about its end does not replay.
static void a_false_end_is_found(void **state)
{
    (void)state;
    static const struct {
        const char *from, *to;
    } lies[] = {{"\"ended_by\": \"rule\"", "\"ended_by\": \"engine\""},
                {"\"ended_by\": \"rule\"", "\"ended_by\": \"skill\" "},
                {"\"broken\": {\"step\": 1", "\"broken\": {\"step\": 2"},
                {"always {inside: [ball, pitch]}\"}", "always {inside: [bell, pitch]}\"}"},
                {"\"broken\": {", "\"brokem\": {"},
                {"\"goal\": false", "\"goal\": true "}};
    char path[] = "/tmp/carom-future-XXXXXX";
    close(mkstemp(path));
    cr_model *model = load_start("soccer/attack-1v2-reactive", 7, NULL);
    cr_planner_def def = cr_model_planner_def(model);
    cr_planner_stats stats;
    cr_plan *plan = show(model, &def, &stats);
    assert_int_equal(cr_plan_solution(plan, 0).end, CR_END_RULE);
    assert_int_equal(cr_plan_write(plan, path, NULL), CR_OK);
    static char text[100000];
    FILE *file = fopen(path, "r");
    size_t length = fread(text, 1, sizeof text - 1, file);
    fclose(file);
    for (size_t i = 0; i < sizeof lies / sizeof lies[0]; i++) {
        char *copy = strndup(text, length), *at = strstr(copy, lies[i].from);
        cr_plan *again = NULL;
        assert_non_null(at);
        memcpy(at, lies[i].to, strlen(lies[i].to));
        cr_status status = cr_plan_read_text(copy, length, "lie", NULL, &again, NULL);
        status = status ? status : cr_plan_replay(again, 0, NULL, NULL, NULL);
        assert_int_not_equal(status, CR_OK);
        cr_plan_destroy(again);
        free(copy);
    }
    cr_plan_destroy(plan);
    cr_model_destroy(model);
    unlink(path);
}

// ---------------------------------------------------------------------------------------------

// With no time at all there is one solution, and it is the best by score, as it is of all.
static void the_best_is_ranked_first(void **state)
{
    (void)state;
    cr_model *model = load_scene("minigolf/double-bank", NULL);
    cr_planner_def def = cr_model_planner_def(model);
    cr_planner *planner = NULL;
    def.nodes = 200000;
    def.steps = 400000;
    def.solutions = 8;
    assert_int_equal(cr_planner_create(model, &def, &planner, NULL), CR_OK);
    cr_outcome outcome = cr_planner_grow(planner, NULL);
    cr_plan *all = NULL, *one = NULL;
    assert_int_equal(cr_plan_create(planner, outcome, &all, NULL), CR_OK);
    assert_int_equal(cr_plan_create_within(planner, outcome, 1e-9, &one, NULL), CR_OK);
    assert_int_equal(cr_plan_solution_count(all), 8);
    assert_int_equal(cr_plan_left_out(all), 0);
    assert_int_equal(cr_plan_solution_count(one), 1);
    assert_int_equal(cr_plan_left_out(one), 7);
    assert_int_equal(cr_plan_solution(one, 0).hash, cr_plan_solution(all, 0).hash);
    survive_the_file(one);
    cr_plan_destroy(all);
    cr_plan_destroy(one);
    cr_planner_destroy(planner);
    cr_model_destroy(model);
}

typedef struct moment {
    int64_t step; // from the beginning
    uint64_t hash;
} moment;

static bool note_moment(const cr_replay_step *step, void *context)
{
    moment *m = context;
    m->hash = cr_state_hash(step->model, step->state);
    return m->step-- > 0;
}

static cr_solution take_prefix(const cr_planner *planner, int64_t steps)
{
    cr_plan *plan = NULL;
    assert_int_equal(cr_plan_create_prefix(planner, CR_OUTCOME_STOPPED, steps, &plan, NULL), CR_OK);
    assert_int_equal(cr_plan_solution_count(plan), 1);
    assert_int_equal(cr_plan_replay(plan, 0, NULL, NULL, NULL), CR_OK);
    cr_solution solution = cr_plan_solution(plan, 0);
    survive_the_file(plan);
    cr_plan_destroy(plan);
    return solution;
}

// Its first steps are those of the best plan, and behind its first branch the rest goes on.
static void expect_prefixes(cr_planner *planner, cr_end end)
{
    cr_plan *all = NULL;
    assert_int_equal(cr_plan_create(planner, CR_OUTCOME_STOPPED, &all, NULL), CR_OK);
    cr_solution whole = cr_plan_solution(all, 0), last = take_prefix(planner, INT64_MAX);
    assert_true(last.hash == whole.hash && last.steps == whole.steps && last.end == end);
    for (int64_t steps = 1; steps < whole.steps; steps += 7) {
        moment m = {steps, 0};
        cr_plan_replay(all, 0, note_moment, &m, NULL);
        cr_solution prefix = take_prefix(planner, steps);
        assert_true(prefix.steps == steps && prefix.hash == m.hash && prefix.end == CR_END_OPEN);
    }
    int64_t branch = cr_planner_best(planner, 1);
    int64_t steps = cr_planner_branch(planner, branch).steps;
    assert_int_equal(cr_planner_branch(planner, branch).parent, 0);
    assert_int_equal(cr_planner_reroot(planner, branch, NULL), CR_OK);
    cr_solution rest = take_prefix(planner, INT64_MAX);
    assert_true(rest.hash == whole.hash && rest.steps == whole.steps - steps);
    cr_plan_destroy(all);
}

static void a_prefix_begins_the_best_plan(void **state)
{
    (void)state;
    for (int solved = 0; solved < 2; solved++) {
        cr_model *model = load_scene(solved ? "minigolf/bank" : "navigation/hallway", NULL);
        cr_planner_def def = cr_model_planner_def(model);
        def.steps = solved ? def.steps : 2000;
        def.solutions = 3;
        cr_planner *planner = NULL;
        cr_plan *plan = NULL;
        assert_int_equal(cr_planner_create(model, &def, &planner, NULL), CR_OK);
        assert_int_equal(cr_planner_best(planner, 1), -1); // the root
        assert_int_equal(cr_plan_create_prefix(planner, CR_OUTCOME_STOPPED, 1, &plan, NULL), CR_OK);
        assert_null(plan);
        cr_planner_grow(planner, NULL);
        assert_int_equal(cr_planner_get_stats(planner).solutions, solved ? 3 : 0);
        expect_prefixes(planner, solved ? CR_END_GOAL : CR_END_BEST);
        cr_planner_destroy(planner);
        cr_model_destroy(model);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_prefix_begins_the_best_plan),
        cmocka_unit_test(every_scene_can_be_simulated),
        cmocka_unit_test(a_simulated_skill_times_out_in_its_own_branch),
        cmocka_unit_test(a_simulation_begins_like_the_search),
        cmocka_unit_test(a_simulation_can_be_stopped),
        cmocka_unit_test(a_search_always_shows_something),
        cmocka_unit_test(the_last_failure_is_shown),
        cmocka_unit_test(a_false_end_is_found),
        cmocka_unit_test(the_best_is_ranked_first),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
