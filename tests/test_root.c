// Searches that start anywhere: a restart is a new planner, horizon and limits count from the root,
// plans carry it exactly and replay from it, and no root that makes no sense is taken.
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

static cr_planner *make_planner(const cr_model *model, const cr_planner_def *def)
{
    cr_planner *planner = NULL;
    assert_int_equal(cr_planner_create(model, def, &planner, NULL), CR_OK);
    return planner;
}

static uint64_t grow_all(cr_planner *planner)
{
    cr_planner_grow(planner, NULL);
    return cr_planner_get_stats(planner).tree_hash;
}

static cr_planner_def small_def(const cr_model *model, const char *select, int threads)
{
    cr_planner_def def = cr_model_planner_def(model);
    def.select = select;
    def.threads = threads;
    def.steps = 3000;
    return def;
}

// ---------------------------------------------------------------------------------------------
// Restarts.

// Wherever the first search was left, the second one is that of a new planner: counts, too.
static void a_restart_is_a_new_planner(void **state)
{
    (void)state;
    static const char *const scenes[] = {"minigolf/windmill", "navigation/maze",
                                         "soccer/attack-1v2"};
    for (int i = 0; i < 3; i++) {
        cr_model *model = load_scene(scenes[i], NULL);
        for (int s = 0; s < cr_library_select_count(NULL); s++) {
            for (int threads = 1; threads <= 3; threads += 2) {
                cr_planner_def def = small_def(model, cr_library_select(NULL, s)->name, threads);
                cr_planner *planner = make_planner(model, &def);
                cr_slice slice = {.attempts = 7};
                cr_planner_grow(planner, &slice);
                assert_int_equal(cr_planner_restart(planner, NULL, NULL), CR_OK);
                assert_int_equal(cr_planner_get_stats(planner).attempts, 0);
                assert_int_equal(cr_planner_branch_count(planner), 1);
                uint64_t again = grow_all(planner);
                int64_t steps = cr_planner_get_stats(planner).steps;
                assert_int_equal(cr_planner_restart(planner, NULL, NULL), CR_OK);
                assert_int_equal(grow_all(planner), again); // after a finished search as well
                cr_planner *fresh = make_planner(model, &def);
                assert_int_equal(grow_all(fresh), again);
                assert_int_equal(cr_planner_get_stats(fresh).steps, steps);
                cr_planner_destroy(fresh);
                cr_planner_destroy(planner);
            }
        }
        cr_model_destroy(model);
    }
}

// The same scene at another random start is the same model but for its start: a planner of the one,
// restarted at the start of the other, grows the other's tree.
static void a_root_is_as_good_as_a_start(void **state)
{
    (void)state;
    cr_model *model = load_scene("soccer/attack-1v2", NULL);
    for (int start = 1; start <= 3; start++) {
        cr_model *other = load_start("soccer/attack-1v2", start, NULL);
        cr_planner_def def = small_def(model, "bgt", 2);
        cr_planner *planner = make_planner(model, &def), *wanted = make_planner(other, &def);
        cr_root root = cr_planner_root(wanted);
        assert_int_equal(cr_state_size(model), cr_state_size(other));
        assert_int_equal(cr_planner_restart(planner, &root, NULL), CR_OK);
        assert_int_equal(grow_all(planner), grow_all(wanted));
        assert_int_equal(
            cr_planner_get_stats(planner).best_score == cr_planner_get_stats(wanted).best_score, 1);
        cr_planner_destroy(planner);
        cr_planner_destroy(wanted);
        cr_model_destroy(other);
    }
    cr_model_destroy(model);
}

// Nothing in `straight` follows the clock: a search an hour later has the same branches. So horizon
// and limits count from the root.
static void limits_count_from_the_root(void **state)
{
    (void)state;
    static const char *const settings[] = {"horizon", "2", NULL};
    cr_model *model = load_scene("minigolf/straight", settings);
    cr_planner_def def = small_def(model, "bgt", 1);
    def.solutions = 1000;
    cr_planner *now = make_planner(model, &def), *later = make_planner(model, &def);
    cr_state *hour = cr_state_create(model);
    hour->step = 3600 * 60;
    cr_root root = {.state = hour};
    assert_int_equal(cr_planner_restart(later, &root, NULL), CR_OK);
    cr_planner_grow(now, NULL);
    cr_planner_grow(later, NULL);
    assert_int_equal(cr_planner_branch_count(now), cr_planner_branch_count(later));
    int64_t deepest = 0;
    for (int64_t b = 0; b < cr_planner_branch_count(now); b++) {
        cr_branch one = cr_planner_branch(now, b), two = cr_planner_branch(later, b);
        assert_int_equal(one.parent, two.parent);
        assert_int_equal(one.depth, two.depth);
        assert_int_equal(one.ended, two.ended);
        assert_int_equal(cr_planner_state(later, b)->step, 3600 * 60 + two.depth);
        deepest = two.depth > deepest ? two.depth : deepest;
    }
    assert_int_equal(deepest, 120); // two seconds of sixty steps
    free(hour);
    cr_planner_destroy(now);
    cr_planner_destroy(later);
    cr_model_destroy(model);
}

// ---------------------------------------------------------------------------------------------
// Plans.

// Search on from a state in the middle of the first search's tree: the deepest decision.
static cr_plan *plan_from_the_middle(cr_planner *planner)
{
    cr_slice slice = {.attempts = 40};
    cr_planner_grow(planner, &slice);
    int64_t deepest = 0;
    for (int64_t b = 0; b < cr_planner_branch_count(planner); b++) {
        cr_branch branch = cr_planner_branch(planner, b);
        bool deeper = branch.depth > cr_planner_branch(planner, deepest).depth;
        deepest = !branch.ended && deeper ? b : deepest;
    }
    cr_root root = {.state = cr_planner_state(planner, deepest)};
    assert_true(root.state->step > 0);
    assert_int_equal(cr_planner_restart(planner, &root, NULL), CR_OK);
    cr_plan *plan = NULL;
    cr_outcome outcome = cr_planner_grow(planner, NULL);
    assert_int_equal(cr_plan_create_failed(planner, outcome, &plan, NULL), CR_OK);
    assert_non_null(plan);
    return plan;
}

typedef struct seen {
    const cr_plan *plan;
    int64_t steps, first;
    bool same; // the first state is the root's
} seen;

static bool look(const cr_replay_step *step, void *context)
{
    seen *s = context;
    if (!step->actions) {
        const cr_state *root = cr_plan_root(s->plan).state;
        s->first = step->state->step;
        s->same = memcmp(step->state, root, cr_state_size(step->model)) == 0;
    }
    for (int i = 0; i < step->event_count; i++) {
        int64_t at = step->events[i].step;
        assert_true(at >= 0 && at <= step->state->step - s->first);
    }
    s->steps = step->state->step - s->first;
    return true;
}

static void check_replay(const cr_plan *plan)
{
    seen s = {.plan = plan};
    cr_report report = {0};
    assert_int_equal(cr_plan_replay(plan, 0, look, &s, &report), CR_OK);
    assert_true(s.same);
    assert_int_equal(s.steps, cr_plan_solution(plan, 0).steps);
    cr_playback *playback = NULL;
    assert_int_equal(cr_plan_playback(plan, NULL, &playback, &report), CR_OK);
    const cr_playback_world *world = &playback->worlds[0];
    assert_int_equal(world->frame_count, s.steps + 1);
    for (int i = 0; i < world->span_count; i++) {
        assert_true(world->spans[i].from >= 0 && world->spans[i].to < world->frame_count);
    }
    cr_playback_destroy(playback);
}

static cr_plan *write_and_read(const cr_plan *plan, char *text, size_t size)
{
    char path[] = "/tmp/carom-root-XXXXXX";
    close(mkstemp(path));
    assert_int_equal(cr_plan_write(plan, path, NULL), CR_OK);
    FILE *file = fopen(path, "r");
    size_t length = fread(text, 1, size - 1, file);
    text[length] = 0;
    fclose(file);
    cr_report report = {0};
    cr_plan *again = NULL;
    if (cr_plan_read(path, NULL, &again, &report) != CR_OK) {
        fail_msg("%s", report.errors[0].message);
    }
    unlink(path);
    return again;
}

static char text[1 << 20];

static void plans_carry_their_root(void **state)
{
    (void)state;
    static const char *const scenes[] = {"minigolf/bank",   "minigolf/windmill",
                                         "navigation/maze", "soccer/attack-1v2",
                                         "pool/double",     "blocks/door"};
    for (int i = 0; i < 6; i++) {
        cr_model *model = load_scene(scenes[i], NULL);
        cr_planner_def def = cr_model_planner_def(model);
        def.nodes = def.nodes < 8000 ? def.nodes : 8000;
        cr_planner *planner = make_planner(model, &def);
        cr_plan *plan = plan_from_the_middle(planner);
        check_replay(plan);
        cr_plan *again = write_and_read(plan, text, sizeof text);
        assert_non_null(strstr(text, "\"root\": {"));
        assert_memory_equal(cr_plan_root(again).state, cr_plan_root(plan).state,
                            cr_state_size(model));
        check_replay(again);
        assert_int_equal(cr_plan_solution(again, 0).hash, cr_plan_solution(plan, 0).hash);
        // The plan's root makes the tree again.
        cr_root root = cr_plan_root(again);
        uint64_t tree = cr_planner_get_stats(planner).tree_hash;
        assert_int_equal(cr_planner_restart(planner, &root, NULL), CR_OK);
        assert_int_equal(grow_all(planner), tree);
        cr_plan_destroy(again);
        cr_plan_destroy(plan);
        cr_planner_destroy(planner);
        cr_model_destroy(model);
    }
}

static void plans_from_the_start_say_nothing_of_it(void **state)
{
    (void)state;
    cr_model *model = load_scene("minigolf/straight", NULL);
    cr_planner_def def = cr_model_planner_def(model);
    cr_planner *planner = make_planner(model, &def);
    cr_state *start = cr_state_create(model);
    cr_root root = {.state = start};
    assert_int_equal(cr_planner_restart(planner, &root, NULL), CR_OK);
    cr_plan *plan = NULL;
    assert_int_equal(cr_plan_create(planner, cr_planner_grow(planner, NULL), &plan, NULL), CR_OK);
    cr_plan_destroy(write_and_read(plan, text, sizeof text));
    assert_null(strstr(text, "\"root\""));
    cr_plan_destroy(plan);
    free(start);
    cr_planner_destroy(planner);
    cr_model_destroy(model);
}

// ---------------------------------------------------------------------------------------------
// Far ahead. A ball falls from 0.5 m onto a board of 0.1 m; the way down is 0.4 m: 0.286 s.

static const char fall_text[] =
    "bodies:\n"
    "  board: {kind: static, shape: {box: [2, 2, 0.1]}, at: [0, 0, 0.05]}\n"
    "  ball:  {kind: passive, shape: {sphere: 0.05}, mass: 1, at: [0, 0, 0.55]}\n"
    "  cube:  {kind: passive, shape: {box: [0.1, 0.1, 0.1]}, mass: 1, at: [0.5, 0, 0.15]}\n"
    "rules: [{never: {touch: [ball, cube]}}]\n"
    "plan: {horizon: 0.5}\n";

static int contacts_of_ball;

static bool count_contacts(const cr_replay_step *step, void *context)
{
    cr_vec3 *place = context;
    int ball = cr_model_find_body(step->model, "ball");
    for (int i = 0; i < step->contact_count; i++) {
        contacts_of_ball += step->contacts[i].a == ball || step->contacts[i].b == ball;
    }
    *place = cr_state_pose(step->model, step->state, ball).position;
    return true;
}

// How low the ball is after half a second if the pair is apart from t_lod on.
static double height_after(const cr_model *model, double t_lod, const char *engine)
{
    uint64_t mask[4] = {0};
    memset(mask, 0xff, sizeof mask);
    int pair =
        cr_model_pair(model, cr_model_find_body(model, "ball"), cr_model_find_body(model, "board"));
    mask[pair / 64] &= ~((uint64_t)1 << (pair % 64));
    cr_planner_def def = cr_model_planner_def(model);
    def.engine = engine;
    cr_simulate_def how = cr_default_simulate_def();
    how.root = (cr_root){.mask = mask, .t_lod = t_lod};
    cr_plan *plan = NULL;
    assert_int_equal(cr_plan_simulate(model, &def, &how, &plan, NULL), CR_OK);
    cr_plan *again = write_and_read(plan, text, sizeof text);
    assert_int_equal(cr_plan_root(again).t_lod == cr_plan_root(plan).t_lod, 1);
    cr_vec3 one = {0}, two = {0};
    contacts_of_ball = 0;
    assert_int_equal(cr_plan_replay(again, 0, count_contacts, &one, NULL), CR_OK);
    contacts_of_ball = 0;
    assert_int_equal(cr_plan_replay(plan, 0, count_contacts, &two, NULL), CR_OK);
    assert_true(one.z == two.z);
    cr_plan_destroy(again);
    cr_plan_destroy(plan);
    return two.z;
}

static void far_ahead_pairs_are_apart(void **state)
{
    (void)state;
    cr_model *model = load_text(fall_text);
    double free_fall = 0.55 - 0.5 * 9.81 * 0.25;
    for (int i = 0; i < cr_library_engine_count(NULL); i++) {
        const char *engine = cr_library_engine(NULL, i)->name;
        // Never looked at: the ball falls through the board and keeps falling.
        assert_float_equal(height_after(model, 0, engine), free_fall, 0.02);
        assert_int_equal(contacts_of_ball, 0);
        assert_float_equal(height_after(model, 0.2, engine), free_fall, 0.02);
        assert_int_equal(contacts_of_ball, 0);
        // Until after the impact, and to the end.
        double bounced = height_after(model, 0.4, engine);
        assert_true(contacts_of_ball > 0 && bounced > 0.05);
        assert_true(height_after(model, HUGE_VAL, engine) > 0.149);
    }
    cr_model_destroy(model);
}

// ---------------------------------------------------------------------------------------------
// What is refused.

static void expect_refused(cr_planner *planner, const cr_root *root, const char *words)
{
    cr_report report = {0};
    uint64_t before = cr_planner_get_stats(planner).tree_hash;
    assert_int_equal(cr_planner_restart(planner, root, &report), CR_ERR_RANGE);
    assert_int_equal(report.count, 1);
    if (!strstr(report.errors[0].message, words)) {
        fail_msg("%s", report.errors[0].message);
    }
    assert_int_equal(cr_planner_get_stats(planner).tree_hash, before); // nothing is changed
}

static void roots_without_sense_are_refused(void **state)
{
    (void)state;
    cr_model *model = load_scene("minigolf/windmill", NULL);
    cr_planner_def def = small_def(model, "bgt", 1);
    cr_planner *planner = make_planner(model, &def);
    cr_state *s = cr_state_create(model);
    cr_root root = {.state = s};
    grow_all(planner);
    int ball = cr_model_find_body(model, "ball");
    cr_pose pose = cr_state_pose(model, s, ball);
    cr_vec3 zero = {0, 0, 0};
    cr_state_set_velocity(model, s, ball, (cr_vec3){NAN, 0, 0}, zero);
    expect_refused(planner, &root, "body \"ball\" must have finite numbers");
    cr_state_set_velocity(model, s, ball, zero, (cr_vec3){0, 0, HUGE_VAL});
    expect_refused(planner, &root, "body \"ball\" must have finite numbers");
    cr_state_set_velocity(model, s, ball, zero, zero);
    cr_state_set_pose(model, s, ball, (cr_pose){pose.position, {0, 0, 0.5, 0.5}});
    expect_refused(planner, &root, "a rotation of length 1");
    cr_state_set_pose(model, s, ball, pose);
    s->step = -1;
    expect_refused(planner, &root, "step must be 0 to 1000000000, got -1");
    s->step = INT64_MAX;
    expect_refused(planner, &root, "step must be 0 to 1000000000");
    s->step = 0;
    cr_state_tactic(model, s, 0)->skill = cr_model_tactic(model, 0)->skill_count;
    expect_refused(planner, &root, "must be in one of its Skills");
    cr_state_tactic(model, s, 0)->skill = 0;
    cr_state_tactic(model, s, 0)->phase = 3;
    expect_refused(planner, &root, "must be in one of its Skills");
    cr_state_start(model, s);
    root.t_lod = NAN;
    expect_refused(planner, &root, "t_lod must be >= 0");
    root.t_lod = -1;
    expect_refused(planner, &root, "t_lod must be >= 0, got -1");
    root.t_lod = 0;
    assert_int_equal(cr_planner_restart(planner, &root, NULL), CR_OK);
    free(s);
    cr_planner_destroy(planner);
    cr_model_destroy(model);
}

static void roots_keep_the_rules(void **state)
{
    (void)state;
    cr_model *model = load_text(
        "bodies: {car: {kind: controlled, upright: true, mass: 1, shape: {box: [1, 1, 1]}, at: [0, "
        "0]}}\n"
        "regions: {yard: {box: [4, 4]}}\n"
        "tactics: {t: {controls: car, skills: {w: {do: wait, seconds: {uniform: [0, 1]}}}}}\n"
        "goal: {after: 3}\n"
        "rules: [{always: {inside: [car, yard]}}]\n");
    cr_planner_def def = small_def(model, "uniform", 1);
    cr_planner *planner = make_planner(model, &def);
    cr_state *s = cr_state_create(model);
    cr_root root = {.state = s};
    cr_pose pose = cr_state_pose(model, s, 0);
    pose.position.x = 2.1;
    cr_state_set_pose(model, s, 0, pose);
    expect_refused(planner, &root, "the root breaks the rule always {inside: [car, yard]}");
    pose.position.x = 1.9;
    cr_state_set_pose(model, s, 0, pose);
    assert_int_equal(cr_planner_restart(planner, &root, NULL), CR_OK);
    free(s);
    cr_planner_destroy(planner);
    cr_model_destroy(model);
}

// Put something else in the place of a part of a plan file, and read it.
static cr_status read_changed(const char *whole, const char *part, const char *other,
                              cr_report *report)
{
    static char changed[1 << 20];
    const char *at = strstr(whole, part);
    assert_non_null(at);
    snprintf(changed, sizeof changed, "%.*s%s%s", (int)(at - whole), whole, other,
             at + strlen(part));
    cr_plan *plan = NULL;
    cr_status status = cr_plan_read_text(changed, strlen(changed), "p.json", NULL, &plan, report);
    assert_int_equal(status == CR_OK, plan != NULL);
    if (plan) {
        status = cr_plan_replay(plan, 0, NULL, NULL, report);
    }
    cr_plan_destroy(plan);
    return status;
}

static void changed_roots_are_refused(void **state)
{
    (void)state;
    static const struct {
        const char *part, *other;
        cr_status status;
        const char *words;
    } rows[] = {
        {"\"step\": 7", "\"step\": 8", CR_ERR_RANGE, "the root's hash is not that of its state"},
        {"\"step\": 7", "\"step\": -7", CR_ERR_RANGE, "a whole number from 0"},
        {"\"step\": 7", "\"step\": 2000000000", CR_ERR_RANGE, "step must be 0 to 1000000000"},
        {"\"ball\": [", "\"bell\": [", CR_ERR_NAME, "for each body that moves, and no others"},
        {"\"ball\": [", "\"ball\": [1, ", CR_ERR_RANGE, "the wrong length"},
        {"\"ball\": [", "\"board\": [1], \"ball\": [", CR_ERR_NAME, "and no others"},
        {"\"ball\": [-0,", "\"ball\": [0,", CR_ERR_RANGE, "hash is not that of its state"},
        {"\"ball\": [-0,", "\"ball\": [1e400,", CR_ERR_TYPE, "a number is expected"},
        {"\"touched\": [", "\"touched\": [[\"ball\", \"board\"]", CR_ERR_NAME, "asks about"},
        {"\"touched\": [", "\"touched\": [[\"ball\", \"ball\"]", CR_ERR_NAME, "no such pair"},
        {"\"touched\": [", "\"touched\": [[\"ball\"]", CR_ERR_NAME, "no such pair"},
        {"\"touched\": [", "\"touched\": [[[], {}]", CR_ERR_NAME, "no such pair"},
        {"\"touched\": [", "\"touched\": [3", CR_ERR_NAME, "no such pair"},
        {"\"touched\": [", "\"touched\": [[\"ball\", \"cube\"]", CR_ERR_RANGE, "hash"},
        {"\"tactics\": {", "\"tactics\": {\"x\": 1,", CR_ERR_NAME, "what each Tactic does, and no"},
        {"\"far\": {\"steps\": 6", "\"far\": {\"steps\": -6", CR_ERR_RANGE, "a whole number"},
        {"\"far\": {", "\"far\": {\"more\": 1, ", CR_ERR_NAME, "unknown key \"more\""},
        {"\"apart\": [", "\"apart\": [[\"floor\", \"ball\"], ", CR_ERR_NAME, "no such pair"},
        {"\"far\": {", "\"near\": {", CR_ERR_NAME, "unknown key \"near\""},
        {"    \"bodies\"", "    \"corpses\"", CR_ERR_NAME, "unknown key \"corpses\""},
    };
    cr_model *model = load_text(fall_text);
    uint64_t mask[1] = {0};
    cr_state *s = cr_state_create(model);
    s->step = 7;
    int ball = cr_model_find_body(model, "ball");
    cr_pose pose = cr_state_pose(model, s, ball);
    pose.position.x = -0.0; // kept exactly, like every other number
    cr_state_set_pose(model, s, ball, pose);
    cr_simulate_def how = cr_default_simulate_def();
    how.root = (cr_root){.state = s, .mask = mask, .t_lod = 0.1};
    cr_planner_def def = cr_model_planner_def(model);
    cr_plan *plan = NULL;
    assert_int_equal(cr_plan_simulate(model, &def, &how, &plan, NULL), CR_OK);
    cr_plan_destroy(write_and_read(plan, text, sizeof text));
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        cr_report report = {0};
        cr_status status = read_changed(text, rows[i].part, rows[i].other, &report);
        bool said = report.count > 0 && strstr(report.errors[0].message, rows[i].words);
        if (status != rows[i].status || !said) {
            fail_msg("row %zu: %s: %s", i, cr_status_name(status), report.errors[0].message);
        }
    }
    // Another t_lod is another future.
    cr_report report = {0};
    assert_int_equal(
        read_changed(text, "\"far\": {\"steps\": 6", "\"far\": {\"steps\": 60", &report),
        CR_ERR_REPLAY);
    cr_plan_destroy(plan);
    free(s);
    cr_model_destroy(model);
}

// ---------------------------------------------------------------------------------------------
// Linear prediction.

// Foreign bodies go on as they move at the root, whatever their Tactics would do: one at 0.2 m/s,
// the others not at all. Controlled ones act.
static bool post_goes_straight(const cr_replay_step *step, void *context)
{
    const cr_state *root = context;
    const cr_model *model = step->model;
    double t = (double)(step->state->step - root->step) * cr_model_dt(model);
    const char *const names[] = {"post_1", "post_2"};
    const double speeds[] = {0.2, 0};
    for (int i = 0; i < 2; i++) {
        int body = cr_model_find_body(model, names[i]);
        double from = cr_state_pose(model, root, body).position.y;
        double to = cr_state_pose(model, step->state, body).position.y;
        assert_true(fabs(to - from - speeds[i] * t) < 1e-9);
    }
    return true;
}

static void foreign_bodies_go_on_as_they_move(void **state)
{
    (void)state;
    cr_model *model = load_scene("navigation/hallway", NULL);
    cr_planner_def def = small_def(model, "rrt", 1);
    def.predict = CR_PREDICT_LINEAR;
    def.steps = 40000;
    cr_planner *planner = make_planner(model, &def);
    cr_state *root = cr_state_create(model);
    cr_state_start(model, root);
    root->step = 77;
    int post = cr_model_find_body(model, "post_1");
    cr_state_set_velocity(model, root, post, (cr_vec3){0, 0.2, 0}, (cr_vec3){0, 0, 0});
    assert_int_equal(cr_planner_restart(planner, &(cr_root){.state = root}, NULL), CR_OK);
    cr_plan *plan = NULL;
    assert_int_equal(cr_planner_grow(planner, NULL), CR_OUTCOME_SOLVED);
    assert_int_equal(cr_plan_create(planner, CR_OUTCOME_SOLVED, &plan, NULL), CR_OK);
    assert_int_equal(cr_plan_replay(plan, 0, post_goes_straight, root, NULL), CR_OK);
    cr_plan_destroy(plan);
    free(root);
    cr_planner_destroy(planner);
    cr_model_destroy(model);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_restart_is_a_new_planner),
        cmocka_unit_test(a_root_is_as_good_as_a_start),
        cmocka_unit_test(limits_count_from_the_root),
        cmocka_unit_test(plans_carry_their_root),
        cmocka_unit_test(plans_from_the_start_say_nothing_of_it),
        cmocka_unit_test(far_ahead_pairs_are_apart),
        cmocka_unit_test(roots_without_sense_are_refused),
        cmocka_unit_test(roots_keep_the_rules),
        cmocka_unit_test(changed_roots_are_refused),
        cmocka_unit_test(foreign_bodies_go_on_as_they_move),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
