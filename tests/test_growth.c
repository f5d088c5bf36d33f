// Where a tree grows from, and who picks the luck of foreign bodies: `grow_from` and `chance`,
// under every select, with plans that replay.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include "behavior/behavior.h"
#include "scene/model.h"
#include "scenes.h"

static cr_planner *grow_scene(const cr_model *model, const cr_planner_def *def)
{
    cr_planner *planner;
    cr_report report = {0};
    assert_int_equal(cr_planner_create(model, def, &planner, &report), CR_OK);
    cr_planner_grow(planner, NULL);
    return planner;
}

static bool is_controlled(const cr_model *model, int tactic)
{
    return model->bodies[model->tactics[tactic].info.body].kind == CR_KIND_CONTROLLED;
}

// By the definitions of the two words, over the Tactics one by one.
static bool may_grow(const cr_model *model, const cr_planner_def *def, const cr_state *state)
{
    bool busy = false, decides = false;
    for (int i = 0; i < model->tactic_count; i++) {
        bool counts = is_controlled(model, i) || def->chance == CR_CHANCE_PLANNER;
        busy |= is_controlled(model, i) &&
                cr_state_tactic_const(model, state, i)->phase == CR_SKILL_BUSY;
        decides |= counts && cri_tactic_decides(model, state, i, def->free_tactics);
    }
    return def->grow_from == CR_GROW_FREE ? !busy : decides;
}

// Every branch that can be grown from ends in a state to grow from, and all plans replay.
static int64_t check_tree(const cr_model *model, const cr_planner_def *def)
{
    cr_planner *planner = grow_scene(model, def);
    int64_t count = cr_planner_branch_count(planner);
    for (int64_t b = 1; b < count; b++) {
        cr_branch branch = cr_planner_branch(planner, b);
        const cr_state *state = cr_planner_state(planner, b);
        assert_true(branch.ended || may_grow(model, def, state));
    }
    cr_plan *plan = NULL;
    cr_report report = {0};
    assert_int_equal(cr_plan_create_failed(planner, CR_OUTCOME_STEPS, &plan, &report), CR_OK);
    assert_non_null(plan);
    for (int i = 0; i < cr_plan_solution_count(plan); i++) {
        assert_int_equal(cr_plan_replay(plan, i, NULL, NULL, &report), CR_OK);
    }
    cr_plan_destroy(plan);
    cr_planner_destroy(planner);
    return count;
}

static const char *const scenes[] = {"minigolf/windmill", "soccer/attack-1v3", "soccer/out-dribble",
                                     "navigation/maze", "pool/trick-shot"};

static void all_ways_of_growing_keep_to_their_words(void **state)
{
    (void)state;
    for (size_t i = 0; i < sizeof scenes / sizeof scenes[0]; i++) {
        cr_model *model = load_scene(scenes[i], NULL);
        assert_non_null(model);
        int64_t free = 0, decisions = 0;
        for (int k = 0; k < 16; k++) {
            cr_planner_def def = cr_model_planner_def(model);
            def.steps = 2500;
            def.select = cr_library_select(NULL, k / 4)->name;
            def.grow_from = k & 1 ? CR_GROW_FREE : CR_GROW_DECISIONS;
            def.chance = k & 2 ? CR_CHANCE_NATURE : CR_CHANCE_PLANNER;
            *(k & 1 ? &free : &decisions) += check_tree(model, &def);
        }
        assert_true(free >= decisions); // there are more such states
        cr_model_destroy(model);
    }
}

// A lottery: the goal is reached if a foreign body draws the lucky Skill, one of ten. The planner
// who picks its luck draws again and again; nature draws once a future, whatever grows from where.
static const char lottery[] =
    "dt: 0.0625\n"
    "bodies:\n"
    "  robot: {kind: controlled, shape: {cylinder: {radius: 0.1, height: 0.2}}, mass: 1,\n"
    "          upright: true, at: [0, 0]}\n"
    "  other: {kind: foreign, shape: {cylinder: {radius: 0.1, height: 0.2}}, mass: 1,\n"
    "          upright: true, at: [1, 0]}\n"
    "tactics:\n"
    "  me: {controls: robot, start: wait, skills: {wait: {do: wait, seconds: 2},\n"
    "       turn: {do: turn, by: {uniform: [-1, 1]}}}, next: {wait: {turn: 1}}}\n"
    "  them: {controls: other, start: wait, skills: {wait: {do: wait, seconds: 1},\n"
    "         luck: {do: wait, seconds: 99}, bad: {do: wait, seconds: 99}},\n"
    "         next: {wait: {luck: 1, bad: 9}}}\n"
    "goal: {skill: [them, luck]}\n"
    "plan: {nodes: 5000, horizon: 4, round: 1}\n";

// Attempts until the lucky one: with the planner's choice they all start where the other decides.
static void nature_is_not_selected_on(void **state)
{
    (void)state;
    cr_model *model = load_text(lottery);
    assert_non_null(model);
    for (int chance = 0; chance < 2; chance++) {
        cr_planner_def def = cr_model_planner_def(model);
        def.chance = (cr_chance)chance;
        int solved = 0;
        for (def.seed = 1; def.seed <= 300; def.seed++) {
            def.attempts = 1 + (def.chance == CR_CHANCE_PLANNER); // to their decision, and beyond
            cr_planner *planner = grow_scene(model, &def);
            solved += cr_planner_get_stats(planner).solutions;
            int64_t depth =
                cr_planner_branch_count(planner) > 1 ? cr_planner_branch(planner, 1).depth : 0;
            // Theirs is at 1 s, step 16; the robot's at 2 s.
            assert_true(chance == CR_CHANCE_PLANNER ? depth == 16 : depth == 17 || depth == 32);
            cr_planner_destroy(planner);
        }
        // One future a search: a tenth of them is lucky under either; four standard errors.
        assert_in_range(solved, 30 - 21, 30 + 21);
    }
    cr_model_destroy(model);
}

// A plan is not one that crosses a decision without saying what was decided there.
static void a_plan_says_all_that_was_drawn(void **state)
{
    (void)state;
    cr_model *model = load_text(lottery);
    cr_planner_def def = cr_model_planner_def(model);
    def.chance = CR_CHANCE_NATURE;
    def.attempts = 0;
    for (def.seed = 1; def.seed <= 20; def.seed++) {
        cr_planner *planner = grow_scene(model, &def);
        cr_plan *plan = NULL;
        assert_int_equal(cr_plan_create_failed(planner, CR_OUTCOME_FULL, &plan, NULL), CR_OK);
        // Theirs is a branch of the plan, though it is none of the tree.
        cr_solution solution = cr_plan_solution(plan, 0);
        assert_true(solution.branches >= 2);
        assert_int_equal(cr_plan_replay(plan, 0, NULL, NULL, NULL), CR_OK);
        cr_plan_destroy(plan);
        cr_planner_destroy(planner);
    }
    cr_model_destroy(model);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(all_ways_of_growing_keep_to_their_words),
        cmocka_unit_test(nature_is_not_selected_on),
        cmocka_unit_test(a_plan_says_all_that_was_drawn),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
