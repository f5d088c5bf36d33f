// What makes no sense, and what speaks against a search, is found before it, with its place; and
// what passes is searched.
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
    cr_status status = cr_planner_check(model, &def, &report);
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

#define TACTIC_ONE                                                                                 \
    "tactics:\n"                                                                                   \
    "  t: {controls: robot, skills: {a: {do: wait, seconds: {uniform: [0, 1]}}}}\n"

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

// Who draws, of two foreign Tactics' rest of a line, and whether that is warned of.
static void luck_is_named(void **state)
{
    (void)state;
    static const struct {
        const char *tactic, *plan;
        bool warned;
    } rows[] = {
        {"skills: {a: {do: stand}, b: {do: stand}}, next: {a: {b: 1}}", "", false},
        {"skills: {a: {do: stand}, b: {do: stand}}, next: {a: {b: 1, a: 1}}", "", true},
        {"skills: {a: {do: stand}, b: {do: stand}}, next: {a: {b: 1, a: 1}}", "chance: planner",
         false},
        {"skills: {a: {do: stand}, b: {do: stand}}, next: {a: {b: 1, a: 1}}", "chance: nature",
         false},
        {"skills: {a: {do: stand}, b: {do: stand}}, next: {a: {b: 1, a: 0}}", "", false},
        {"skills: {a: {do: wait, seconds: {uniform: [1, 2]}}}", "", true},
        {"skills: {a: {do: stand}, b: {do: wait, seconds: {uniform: [1, 2]}}}", "", false},
        {"skills: {a: {do: stand}, b: {do: stand}}, next: {a: {b: {when: {after: 1}},"
         " a: {when: {not: {after: 1}}}}}",
         "", false},
        {"skills: {a: {do: stand}, b: {do: stand}}, next: {a: {b: {when: {after: 1}},"
         " a: {when: {not: {after: 2}}}}}",
         "", true},
        {"rest: stay, skills: {a: {do: stand}, b: {do: stand}}, next: {a: {b: 0.5}}", "", true},
        {"rest: share, skills: {a: {do: stand}, b: {do: stand}}, next: {a: {b: 0.5}}", "", false},
    };
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        char text[1200];
        snprintf(text, sizeof text,
                 "bodies:\n"
                 "  robot: {kind: controlled, shape: {sphere: 0.1}, mass: 1, at: [1, 0]}\n"
                 "  other: {kind: foreign, shape: {sphere: 0.1}, at: [2, 0]}\n" TACTIC_ONE
                 "  them: {controls: other, %s}\n"
                 "goal: {after: 1}\n"
                 "plan: {mu: 1, %s}\n",
                 rows[i].tactic, rows[i].plan);
        expect_said(text, !rows[i].warned
                              ? ""
                              : "warning: t.yaml:6:9: tactic \"them\" of the foreign body "
                                "\"other\" draws, so that a plan holds for some of its draws only; "
                                "say \"chance: nature\" if that is meant, or \"chance: planner\" "
                                "if the search may pick its luck\n");
    }
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
    assert_int_equal(cr_planner_check(model, &def, &report), CR_ERR_RANGE);
    assert_int_equal(report.errors[0].line, 0);
    cr_planner *planner = NULL;
    assert_int_equal(cr_planner_create(model, &def, &planner, NULL), CR_ERR_RANGE);
    assert_null(planner);
    cr_model_destroy(model);
}

// ---------------------------------------------------------------------------------------------
// What is well formed and makes no sense.

// Ten lines. The ghost passes through the robot.
#define MORE                                                                                       \
    "bodies:\n"                                                                                    \
    "  floor: {kind: static, shape: {plane: [0, 0, 1]}}\n"                                         \
    "  ball: {kind: passive, shape: {sphere: 0.1}, mass: 1, at: [0, 0]}\n"                         \
    "  robot: {kind: controlled, shape: {sphere: 0.1}, mass: 2, upright: true, at: [1, 0]}\n"      \
    "  ghost: {kind: controlled, shape: {sphere: 0.1}, mass: 2, at: [1, 0], ignore: [robot]}\n"    \
    "  mill: {kind: foreign, shape: {box: [1, 0.1, 0.1]}, at: [5, 5]}\n"                           \
    "  wall: {kind: static, shape: {box: [1, 1, 1]}, at: [9, 9]}\n"                                \
    "regions:\n"                                                                                   \
    "  hole: {box: [1, 1], at: [0, 0]}\n"                                                          \
    "  disc: {cylinder: {radius: 1}, at: [0, 3]}\n"

#define SKILL_A "tactic \"t\", skill \"a\": "

// One Skill of a body; the error is where the word stands in it.
static void expect_skill_error(const char *body, const char *skill, const char *word,
                               const char *error)
{
    char line[400], text[2000], expected[600];
    snprintf(line, sizeof line, "tactics: {t: {controls: %s, skills: {a: %s}}}\n", body, skill);
    snprintf(text, sizeof text, MORE "%s", line);
    const char *at = strstr(strstr(line, "a: {do"), word);
    assert_non_null(at);
    snprintf(expected, sizeof expected, "t.yaml:11:%d: %s\n", (int)(at - line) + 1, error);
    expect_errors(text, expected);
}

// Every Skill that acts on another body, on itself, on a plane, on a wall and on a mill.
static void senseless_targets(void **state)
{
    (void)state;
    static const struct {
        const char *name, *rest;
    } acting[] = {
        {"kick", ", at: [0, 1], speed: 1"},
        {"push", ", to: [0, 1]"},
        {"kick_held", ", at: [0, 1], speed: 1"},
        {"shoot", ", goal: hole, speed: 1"},
        {"get_ball", ""},
        {"dribble", ", to: [0, 1]"},
        {"block", ", goal: [0, 1]"},
    };
    static const struct {
        const char *body, *why;
    } wrong[] = {
        {"robot", SKILL_A "ball must be another body than \"robot\", which has this Skill"},
        {"floor", SKILL_A "ball must be a body that forces move, got static \"floor\""},
        {"wall", SKILL_A "ball must be a body that forces move, got static \"wall\""},
        {"mill", SKILL_A "ball must be a body that forces move, got driven \"mill\""},
    };
    for (size_t i = 0; i < sizeof acting / sizeof acting[0]; i++) {
        for (size_t k = 0; k < sizeof wrong / sizeof wrong[0]; k++) {
            char skill[200];
            snprintf(skill, sizeof skill, "{do: %s, ball: %s%s}", acting[i].name, wrong[k].body,
                     acting[i].rest);
            expect_skill_error("robot", skill, wrong[k].body, wrong[k].why);
        }
    }
}

static void senseless_skills(void **state)
{
    (void)state;
    expect_skill_error("robot", "{do: get_ball, ball: ghost}", "ghost",
                       "bodies \"robot\" and \"ghost\" never touch: both are static, one ignores "
                       "the other, a joint holds them, or one is upright and the other a plane");
    expect_skill_error("robot", "{do: shoot, ball: ball, goal: disc, speed: 1}", "disc",
                       SKILL_A "goal must be a box, \"disc\" is none");
    expect_skill_error("robot", "{do: drive_to, place: {body: robot}}", "{body",
                       SKILL_A "place must not be where \"robot\" is itself");
    expect_skill_error("robot", "{do: push, ball: ball, to: {body: ball, offset: [0, 0]}}", "{body",
                       SKILL_A "to must not be where \"ball\" is itself");
    expect_skill_error("robot", "{do: spin, rate: 1}", "spin",
                       SKILL_A "\"spin\" is for bodies that are driven, \"robot\" is not driven");
    expect_skill_error("mill", "{do: strike, at: [0, 0], speed: 1}", "strike",
                       SKILL_A "\"strike\" is for bodies that forces move, \"mill\" is driven");
    cr_model *m = compile_text(
        MORE "tactics:\n"
             "  t: {controls: robot, skills: {a: {do: push, ball: ball, to: {body: ghost}}}}\n"
             "  m: {controls: mill, skills: {a: {do: drive_to, place: {body: mill, offset: [1, "
             "0]}}}}\n");
    cr_model_destroy(m);
}

static void senseless_conditions(void **state)
{
    (void)state;
    expect_errors(
        MORE "tactics:\n"
             "  t: {controls: robot, skills: {a: {do: stand}, b: {do: stand}},\n"
             "      next: {a: {b: 0, a: {weight: 0}}}}\n"
             "goal: {near: [ball, ball, 1]}\n"
             "rules:\n"
             "- never: {speed: [ball, below, 0]}\n"
             "- never: {all: [{still: ball}, {not: {not: {still: ball}}}]}\n"
             "- never: {all: [{after: 3}, {not: {after: 3}}]}\n"
             "- never: {any: [{still: ball}, {not: {still: ball}}]}\n"
             "- never: {facing: [robot, robot, 1]}\n"
             "score: {add: [{ramp: {of: {distance: [ball, ball]}, from: 0, to: 1}},\n"
             "  {ramp: {of: {distance: [wall, hole]}, from: 0, to: 1}},\n"
             "  {ramp: {of: {speed: wall}, from: 0, to: 1}},\n"
             "  {ramp: {of: {effort: robot}, from: 0, to: 1}}]}\n",
        "t.yaml:13:17: tactic \"t\", after \"a\": weights must not all be 0\n"
        "t.yaml:14:14: goal: near: \"ball\" stands here twice\n"
        "t.yaml:16:18: rule 1: speed never holds: no speed is below 0\n"
        "t.yaml:17:32: rule 2: all: {not: {not: {still: ball}}} stands here twice\n"
        "t.yaml:18:29: rule 3: all: the opposite of {not: {after: 3}} stands here too, so it never "
        "holds\n"
        "t.yaml:19:32: rule 4: any: the opposite of {not: {still: ball}} stands here too, so it "
        "always holds\n"
        "t.yaml:20:19: rule 5: facing: \"robot\" stands here twice\n"
        "t.yaml:21:38: score: distance: \"ball\" stands here twice\n"
        "t.yaml:22:26: score: distance: nothing that it names ever moves, so it never changes\n"
        "t.yaml:23:23: score: speed: nothing that it names ever moves, so it never changes\n"
        "t.yaml:24:24: score: effort: no Skill of the body keeps any, so it never changes\n");
    expect_errors(MORE "rules: [{never: {after: 3}}, {always: {not: {after: 3}}},\n"
                       "  {always: {after: 3}}]\n",
                  "t.yaml:11:30: rules: {always: {not: {after: 3}}} stands here twice\n"
                  "t.yaml:12:3: rules: the opposite of {always: {after: 3}} stands here too, so it "
                  "can never be kept\n");
    expect_errors(MORE "goal: {near: [wall, hole, 1]}\n",
                  "t.yaml:11:14: near: nothing that it names ever moves; it never holds\n");
    // Where a start may move it, it may hold.
    cr_model *m = compile_text(MORE "start: {wall: {at: {region: disc}}}\n"
                                    "goal: {near: [wall, hole, 1]}\n");
    cr_model_destroy(m);
}

static void senseless_rest(void **state)
{
    (void)state;
    expect_errors(
        MORE "start:\n"
             "  ball: {}\n"
             "  robot: {velocity: [0, 0, 1], spin: [0, {uniform: [0, 1]}]}\n"
             "pairs: [{between: [default, default]}]\n",
        "t.yaml:12:9: start of \"ball\": must have one of \"at\", \"heading\", \"rotation\", "
        "\"velocity\", \"spin\"\n"
        "t.yaml:13:21: start of \"robot\": velocity of an upright body must have z = 0\n"
        "t.yaml:13:38: start of \"robot\": spin of an upright body must have x = y = 0\n"
        "t.yaml:14:9: pairs: a pair must have a coefficient beside \"between\"\n");
    expect_errors("bodies:\n"
                  "  a: {kind: passive, shape: {sphere: 1}, mass: 1}\n"
                  "  b: {kind: passive, shape: {sphere: 1}, mass: 1, ignore: [a, a]}\n",
                  "t.yaml:3:63: body \"b\": ignore: a stands here twice\n");
}

// What is used by nobody is no error, and is said.
static void useless_things_are_warned_of(void **state)
{
    (void)state;
    static const char text[] =
        "parameters: {a: 1, b: a, c: 2}\n"
        "materials: {ice: {}, mud: {friction: b}}\n"
        "bodies:\n"
        "  wall: {kind: static, shape: {sphere: 1}, damping: {linear: 1}, limits: {speed: 1}}\n"
        "  mill: {kind: foreign, shape: {sphere: 1}, at: [3, 0], mass: 2, material: ice}\n"
        "  ball: {kind: controlled, shape: {sphere: 1}, at: [6, 0], mass: 2}\n"
        "regions: {r: {sphere: 3}}\n"
        "tactics: {t: {controls: mill, skills: {a: {do: stand}, b: {do: stand}, c: {do: stand}},\n"
        "  next: {a: {c: 1}, b: {a: 1}}}}\n"
        "goal: {inside: [wall, r]}\n";
    static const char *const said[] = {
        "warning: t.yaml:1:26: parameter \"c\" is used nowhere",
        "warning: t.yaml:2:22: no part is of material \"mud\"",
        "warning: t.yaml:4:53: body \"wall\": damping of a static body has no effect",
        "warning: t.yaml:4:74: body \"wall\": limits of a static body have no effect",
        "warning: t.yaml:5:63: body \"mill\": mass of a driven body has no effect",
        "warning: t.yaml:6:3: controlled body \"ball\" has no Tactic",
        "warning: t.yaml:8:56: tactic \"t\": no transition leads to Skill \"b\"",
        "warning: t.yaml:10:16: inside: nothing that it names ever moves; it always holds",
    };
    cr_report report = {0};
    cr_scene *scene = NULL;
    cr_model *model = NULL;
    assert_int_equal(cr_scene_read_text(text, strlen(text), "t.yaml", &scene, &report), CR_OK);
    assert_int_equal(cr_model_create(scene, NULL, 0, &model, &report), CR_OK);
    assert_int_equal(report.warning_count, sizeof said / sizeof said[0]);
    for (int i = 0; i < report.warning_count; i++) {
        char line[640];
        assert_string_equal(cr_error_print(&report.warnings[i], line, sizeof line), said[i]);
    }
    cr_model_destroy(model);
    cr_scene_destroy(scene);
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

// Bodies that tumble: a step of many of them takes long.
static int count_free(const cr_model *model)
{
    int count = 0;
    for (int slot = 0; slot < cr_model_moving_count(model); slot++) {
        const cr_body *body = cr_model_body(model, cr_model_moving_body(model, slot));
        bool ball = body->part_count == 1 && body->parts[0].shape.kind == CR_SHAPE_SPHERE;
        count += !body->driven && !body->upright && !ball;
    }
    return count;
}

// A short search: it must begin, and what it finds must replay.
static void search_model(const cr_model *model, cr_planner_def def, const cri_text *text)
{
    cr_report report = {0};
    cr_planner *planner = NULL;
    cr_plan *plan = NULL;
    def.attempts = def.attempts > 0 && def.attempts < 50 ? def.attempts : 50;
    def.nodes = def.nodes < 1500 ? def.nodes : 1500;
    def.steps = 1 + 1500 / (1 + 4 * count_free(model)); // 0 would be no limit
    def.solutions = 1;
    def.threads = 1;
    cr_status status = cr_planner_create(model, &def, &planner, &report);
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
        if (cr_planner_check(model, &def, &report) == CR_OK) {
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
        if (document_is_large(found.gl_pathv[i])) {
            continue;
        }
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
        cmocka_unit_test(luck_is_named),
        cmocka_unit_test(values_from_elsewhere_have_no_line),
        cmocka_unit_test(senseless_targets),
        cmocka_unit_test(senseless_skills),
        cmocka_unit_test(senseless_conditions),
        cmocka_unit_test(senseless_rest),
        cmocka_unit_test(useless_things_are_warned_of),
        cmocka_unit_test(mutants_of_scenes),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
