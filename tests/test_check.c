// What speaks against a search is found before it, with its place; and what passes is searched.
#include "documents.h"

#include <glob.h>
#include <stdio.h>

#include "texts.h"

// All errors and warnings of a check, as `carom check` has it, one a line.
static void check_text(const char *text, char *said, size_t size)
{
    cr_model *model = compile_text(text);
    cr_planner_def def = cr_model_planner_def(model);
    cr_report report = {0};
    cr_status status = cr_planner_check(model, NULL, &def, &report);
    assert_int_equal(status == CR_OK, report.count == 0);
    size_t used = 0;
    said[0] = 0;
    char line[640];
    for (int i = 0; i < report.warning_count; i++) {
        used += (size_t)snprintf(said + used, size - used, "%s\n",
                                 cr_error_print(&report.warnings[i], line, sizeof line));
    }
    for (int i = 0; i < report.count; i++) {
        used += (size_t)snprintf(said + used, size - used, "%s\n",
                                 cr_error_print(&report.errors[i], line, sizeof line));
    }
    cr_model_destroy(model);
}

static void expect_said(const char *text, const char *expected)
{
    char said[4000];
    check_text(text, said, sizeof said);
    assert_string_equal(said, expected);
}

#define BODIES                                                                                     \
    "bodies:\n"                                                                                    \
    "  ball: {kind: passive, shape: {sphere: 0.1}, mass: 1, at: [0, 0]}\n"                         \
    "  robot: {kind: controlled, shape: {sphere: 0.1}, mass: 1, at: [1, 0]}\n"                     \
    "regions: {hole: {box: [1, 1], at: [0, 0]}}\n"
#define TACTIC                                                                                     \
    "tactics: {t: {controls: robot, skills: {a: {do: wait, seconds: {uniform: [0, 1]}}}}}\n"

static void a_search_needs_a_purpose(void **state)
{
    (void)state;
    expect_said(BODIES TACTIC "goal: {after: 1}\n", "");
    expect_said(BODIES TACTIC "score: {ramp: {of: time, from: 0, to: 1}}\n", "");
    expect_said(BODIES TACTIC, "t.yaml:1:1: a search needs a \"goal:\" or a \"score:\"; `carom "
                               "simulate` runs a scene that has neither\n");
    expect_said(BODIES "goal: {after: 1}\n",
                "t.yaml:1:1: a search needs somebody to act: one of \"tactics:\" at least; `carom "
                "simulate` runs a scene that has none\n");
    expect_said(BODIES "tactics: {}\ngoal: {after: 1}\n",
                "t.yaml:5:10: a search needs somebody to act: one of \"tactics:\" at least; `carom "
                "simulate` runs a scene that has none\n");
}

static void the_start_keeps_the_rules(void **state)
{
    (void)state;
    expect_said(BODIES TACTIC "goal: {after: 1}\n"
                              "rules:\n"
                              "- never: {inside: [robot, hole]}\n"
                              "- never: {inside: [ball, hole]}\n"
                              "- always: {near: [ball, robot, 0.5]}\n",
                "t.yaml:9:3: the start breaks the rule never {inside: [ball, hole]}\n"
                "t.yaml:10:3: the start breaks the rule always {near: [ball, robot, 0.5]}\n");
}

static void settings_must_fit(void **state)
{
    (void)state;
    expect_said(BODIES TACTIC "goal: {after: 1}\ndt: 0.1\nplan: {mu: 3, horizon: 0.04}\n",
                "t.yaml:8:24: horizon must be at least a step of 0.1 s, got 0.04 s\n"
                "t.yaml:6:7: the goal cannot be reached before 1 s, and the horizon is 0.04 s\n");
    expect_said(BODIES TACTIC "goal: {any: [{all: [{after: 9}, {inside: [ball, hole]}]}, "
                              "{after: 8}]}\nplan: {horizon: 7}\n",
                "t.yaml:6:7: the goal cannot be reached before 8 s, and the horizon is 7 s\n");
    expect_said(BODIES TACTIC "goal: {not: {after: 9}}\nplan: {horizon: 7}\n", "");
    expect_said(BODIES TACTIC "goal: {after: 1}\nplan: {select: rrt}\n",
                "warning: t.yaml:7:16: select rrt without a \"sample:\" in the scene chooses like "
                "uniform\n");
}

// A value that came from outside the file has no place in it.
static void values_from_elsewhere_have_no_line(void **state)
{
    (void)state;
    cr_model *model = compile_text(BODIES TACTIC "goal: {inside: [ball, hole]}\n"
                                                 "plan: {horizon: 3, select: bgt}\n");
    cr_planner_def def = cr_model_planner_def(model);
    def.horizon = 0.001;
    cr_report report = {0};
    assert_int_equal(cr_planner_check(model, NULL, &def, &report), CR_ERR_RANGE);
    assert_int_equal(report.errors[0].line, 0);
    cr_planner *planner = NULL;
    assert_int_equal(cr_planner_create(model, NULL, &def, &planner, NULL), CR_ERR_RANGE);
    assert_null(planner);
    cr_model_destroy(model);
}

// ---------------------------------------------------------------------------------------------
// Mutants of scenes.

typedef struct tally {
    int made, compiled, checked;
} tally;

static const cri_node *any_spot(const document *d, cr_rng *rng, bool scalar, const char *under)
{
    const cri_node *found = d->root;
    for (int i = 0; i < 200; i++) {
        const spot *s = &d->spots[cr_rng_index(rng, (uint64_t)d->count)];
        bool fits = (s->node->kind == CRI_NODE_SCALAR) == scalar;
        if (fits && (!under || strcmp(s->under, under) == 0)) {
            return s->node;
        }
        found = s->node;
    }
    return found;
}

static const char *any_number(cr_rng *rng)
{
    static const char *const words[] = {"0",    "-1",   "1",    "2",     "0.5",   "1e-3", "1000",
                                        "1e9",  "-0.2", "1e-9", "3 deg", "1e5",   "0.02", "17",
                                        "true", "x",    "null", "[]",    "sample"};
    return words[cr_rng_index(rng, sizeof words / sizeof words[0])];
}

static change any_change(const document *d, cr_rng *rng)
{
    const spot *s = &d->spots[cr_rng_index(rng, (uint64_t)d->count)];
    change c = {.target = s->node};
    bool empty = s->node->kind == CRI_NODE_SCALAR || s->node->count == 0;
    switch (cr_rng_index(rng, 6)) {
    case 0:
        c.kind = CHANGE_WORD;
        c.target = any_spot(d, rng, true, NULL);
        c.word = any_number(rng);
        break;
    case 1: // a name or number of the same sort from elsewhere
    case 2:
        c.kind = CHANGE_SUBTREE;
        c.other = any_spot(d, rng, s->node->kind == CRI_NODE_SCALAR, s->under);
        break;
    case 3:
        c.kind = CHANGE_SUBTREE;
        c.other = any_spot(d, rng, true, NULL);
        break;
    case 4:
        c.kind = empty ? CHANGE_NOTHING : CHANGE_DROP;
        c.index = empty ? 0 : (int)cr_rng_index(rng, (uint64_t)s->node->count);
        break;
    default:
        c.kind = s->node->kind == CRI_NODE_LIST && !empty ? CHANGE_ITEM : CHANGE_NOTHING;
        c.times = 1;
        break;
    }
    return c;
}

static void expect_places(const cr_report *report, const cri_text *text)
{
    for (int i = 0; i < report->count && i < CR_REPORT_MAX; i++) {
        if (report->errors[i].line == 0 || report->errors[i].column == 0) {
            fail_msg("no place: %s\n%s", report->errors[i].message, text->data);
        }
    }
}

// A short search: it must begin, and what it finds must replay.
static void search_model(const cr_model *model, cr_planner_def def, const cri_text *text)
{
    cr_report report = {0};
    cr_planner *planner = NULL;
    cr_plan *plan = NULL;
    def.attempts = def.attempts > 0 && def.attempts < 50 ? def.attempts : 50;
    def.nodes = def.nodes < 1500 ? def.nodes : 1500;
    def.steps = 1500;
    def.solutions = 1;
    def.threads = 1;
    cr_status status = cr_planner_create(model, NULL, &def, &planner, &report);
    if (status == CR_OK) {
        status = cr_plan_create(planner, cr_planner_grow(planner, NULL), &plan, &report);
    }
    if (status != CR_OK) {
        fail_msg("check passes, plan refuses: %s\n%s", report.errors[0].message, text->data);
    }
    cr_plan_destroy(plan);
    cr_planner_destroy(planner);
}

static void try_text(const cri_text *text, tally *t)
{
    cr_report report = {0};
    cr_scene *scene = NULL;
    cr_model *model = NULL;
    t->made++;
    if (cr_scene_read_text(text->data, text->length, "t.yaml", &scene, &report) == CR_OK &&
        cr_model_create(scene, NULL, 0, &model, &report) == CR_OK) {
        t->compiled++;
        cr_planner_def def = cr_model_planner_def(model);
        if (cr_planner_check(model, NULL, &def, &report) == CR_OK) {
            t->checked++;
            search_model(model, def, text);
        }
    }
    expect_places(&report, text);
    cr_model_destroy(model);
    cr_scene_destroy(scene);
}

// `check` accepts what `plan` accepts, and nothing else; every refusal has a place. CAROM_MUTANTS
// asks for another number of mutants a scene.
static void mutants_of_scenes(void **state)
{
    (void)state;
    const char *wish = getenv("CAROM_MUTANTS");
    int each = wish ? atoi(wish) : 25;
    tally t = {0};
    glob_t found = {0};
    assert_int_equal(glob(CAROM_SCENES "/*/*.yaml", 0, NULL, &found), 0);
    for (size_t i = 0; i < found.gl_pathc; i++) {
        document d = document_open(found.gl_pathv[i]);
        for (int k = 0; k < each; k++) {
            cr_rng rng = cr_rng_make(i, CR_RNG_USER, (uint64_t)k);
            change c = any_change(&d, &rng);
            cri_text text = document_write(&d, &c);
            try_text(&text, &t);
            free(text.data);
        }
        document_close(&d);
    }
    globfree(&found);
    print_message("%d mutants, %d compile, %d pass the check\n", t.made, t.compiled, t.checked);
    assert_true(t.checked > t.made / 10 && t.compiled < t.made * 9 / 10);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_search_needs_a_purpose),
        cmocka_unit_test(the_start_keeps_the_rules),
        cmocka_unit_test(settings_must_fit),
        cmocka_unit_test(values_from_elsewhere_have_no_line),
        cmocka_unit_test(mutants_of_scenes),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
