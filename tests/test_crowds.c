// Crowds: many like bodies from one line, each where the line says, and what is said of each.
#include "texts.h"

#include <math.h>
#include <stdlib.h>

#include "base/trig.h"
#include "base/vec.h"
#include "behavior/behavior.h"
#include "scene/evaluate.h"
#include "scene/memory.h"

static cr_vec3 place(const cr_model *model, const char *name)
{
    int body = cr_model_find_body(model, name);
    if (body < 0) {
        fail_msg("there is no body %s", name);
    }
    return model->bodies[body].pose.position;
}

static void expect_place(const cr_model *model, const char *name, double x, double y, double z)
{
    cr_vec3 at = place(model, name);
    expect_close(at.x, x, 1e-12);
    expect_close(at.y, y, 1e-12);
    expect_close(at.z, z, 1e-12);
}

#define DIE "kind: passive, shape: {box: [0.1, 0.1, 0.2]}, mass: 1"

static void rows_and_grids(void **state)
{
    (void)state;
    cr_model *m =
        compile_text("bodies:\n"
                     "  first: {" DIE ", at: [-5, 0]}\n"
                     "  row: {" DIE ", count: 3, pitch: 0.5, at: [1, 2]}\n"
                     "  turned: {" DIE ", count: 2, pitch: [1, 0.5], at: [0, 4], heading: "
                     "90 deg}\n"
                     "  grid: {" DIE ", grid: [2, 2, 2], pitch: [1, 2, 0.2], at: [8, 8]}\n"
                     "  high: {" DIE ", grid: [1, 2], pitch: [0, 2], at: [20, 8, 7]}\n"
                     "  spots: {" DIE ", at: [[30, 1], [31, 2, 3]]}\n"
                     "  last: {" DIE ", at: [-7, 0]}\n");
    assert_int_equal(cr_model_body_count(m), 1 + 3 + 2 + 8 + 2 + 2 + 1);
    expect_place(m, "first", -5, 0, 0.1);
    for (int i = 0; i < 3; i++) {
        char name[20];
        snprintf(name, sizeof name, "row.%d", i + 1);
        expect_place(m, name, 1 + 0.5 * i, 2, 0.1);
    }
    // A row has no columns: the pitch aside is for grids, and turned with the heading.
    expect_place(m, "turned.1", 0, 4, 0.1);
    expect_place(m, "turned.2", 0, 5, 0.1);
    for (int i = 0; i < 8; i++) {
        char name[20];
        snprintf(name, sizeof name, "grid.%d", i + 1);
        expect_place(m, name, 8 + i % 2, 8 + 2 * (i / 2 % 2), 0.1 + 0.2 * (i / 4));
    }
    expect_place(m, "high.2", 20, 10, 7);
    expect_place(m, "spots.1", 30, 1, 0.1);
    expect_place(m, "spots.2", 31, 2, 3);
    expect_place(m, "last", -7, 0, 0.1);
    cr_model_destroy(m);
}

// A row that bends by b a member over a pitch p lies on a circle of radius p / (2 sin(b / 2)).
static void bends_are_circles(void **state)
{
    (void)state;
    cr_model *m =
        compile_text("bodies: {d: {" DIE ", count: 10, pitch: 0.5, bend: 9 deg, at: [2, 3],"
                     " heading: 30 deg}}\n");
    double b = 9 * CRI_PI / 180, radius = 0.5 / (2 * sin(b / 2)), h = 30 * CRI_PI / 180;
    // The middle is left of the first, which looks along the circle.
    cr_vec3 middle = {2 - radius * sin(h), 3 + radius * cos(h), 0};
    for (int i = 0; i < 10; i++) {
        cr_vec3 at = m->bodies[i].pose.position;
        double angle = h + i * b;
        expect_close(at.x, middle.x + radius * sin(angle), 1e-9);
        expect_close(at.y, middle.y - radius * cos(angle), 1e-9);
        expect_close(cri_wrap(cri_heading(m->bodies[i].pose.rotation) - angle), 0, 1e-9);
    }
    cr_model_destroy(m);
}

// ---------------------------------------------------------------------------------------------
// What is said of each.

#define FIELD                                                                                      \
    "bodies:\n"                                                                                    \
    "  ball: {kind: controlled, shape: {sphere: 0.1}, mass: 1, at: [0, 5]}\n"                      \
    "  pin: {kind: passive, shape: {sphere: 0.1}, mass: 1, count: 4, pitch: 1}\n"                  \
    "  cup: {kind: passive, shape: {sphere: 0.1}, mass: 1, count: 3, pitch: 1, at: [0, 9]}\n"      \
    "regions: {far: {box: [1, 100], at: [50, 0]}}\n"                                               \
    "tactics: {t: {controls: ball, skills: {a: {do: stand}}}}\n"

// Every choice of members that are far away, by its bits: what all, any, count and sum say.
static void groups_are_asked(void **state)
{
    (void)state;
    static const char said[] = "{each: pin, is: {inside: [pin, far]}}";
    char text[3000];
    snprintf(text, sizeof text,
             FIELD
             "goal: {all: %s}\n"
             "rules: [{never: {any: %s}}, {never: {count: {of: %s, least: 2, most: 3}}}]\n"
             "score: {add: {each: pin, is: {multiply: [0.5, {when: {inside: [pin, far]}}]}}}\n",
             said, said, said);
    cr_model *m = compile_text(text);
    cr_state *s = cr_state_create(m);
    for (unsigned bits = 0; bits < 16; bits++) {
        int count = 0;
        for (int i = 0; i < 4; i++) {
            bool out = (bits >> i) & 1;
            int body = m->crowds[0].first + i;
            cr_state_bodies(m, s)[m->bodies[body].slot].position.x = out ? 50 : i;
            count += out;
        }
        assert_int_equal(cri_goal_reached(m, s), count == 4);
        assert_int_equal(cri_rule_is_broken(m, &m->rules[0], s), count > 0);
        assert_int_equal(cri_rule_is_broken(m, &m->rules[1], s), count == 2 || count == 3);
        expect_close(cri_score_of(m, s), 0.5 * count, 1e-12);
    }
    free(s);
    cr_model_destroy(m);
}

// Pairs of two crowds: each of one beside each of the other.
static void groups_nest(void **state)
{
    (void)state;
    cr_model *m = compile_text(
        FIELD "goal: {any: {each: pin, is: {all: {each: cup, is: {near: [pin, cup, 3]}}}}}\n");
    assert_int_equal(m->goal.child_count, 4);
    cr_state *s = cr_state_create(m);
    assert_false(cri_goal_reached(m, s));
    int pin = cr_model_find_body(m, "pin.3");
    cr_state_bodies(m, s)[m->bodies[pin].slot].position = (cr_vec3){1, 8, 0};
    assert_true(cri_goal_reached(m, s));
    free(s);
    cr_model_destroy(m);
}

// Only what is asked about costs memory: a bit for each touch, a word for each memory.
static void what_is_asked_costs(void **state)
{
    (void)state;
    cr_model *bare = compile_text(FIELD);
    cr_model *touch = compile_text(FIELD "goal: {any: {each: pin, is: {touch: [ball, pin]}}}\n");
    cr_model *once =
        compile_text(FIELD "goal: {all: {each: pin, is: {once: {touch: [ball, pin]}}}}\n");
    assert_int_equal(bare->watched_count, 0);
    assert_int_equal(touch->watched_count, 4);
    assert_int_equal(cr_state_size(touch), cr_state_size(bare) + 8);
    assert_int_equal(cr_state_size(once), cr_state_size(bare) + 8 + 4 * 8);
    cr_model_destroy(bare);
    cr_model_destroy(touch);
    cr_model_destroy(once);
}

// ---------------------------------------------------------------------------------------------
// A Tactic a member.

static void each_has_a_tactic(void **state)
{
    (void)state;
    cr_model *m = compile_text(
        "bodies:\n"
        "  target: {kind: passive, shape: {sphere: 0.1}, mass: 1, at: [0, 9]}\n"
        "  bee: {kind: controlled, shape: {sphere: 0.1}, mass: 1, count: 5, pitch: 1}\n"
        "tactics:\n"
        "  queen: {controls: target, skills: {a: {do: stand}}}\n"
        "  fly:\n"
        "    controls: {each: bee}\n"
        "    skills:\n"
        "      rest: {do: stand}\n"
        "      go: {do: drive_to, place: {body: bee, offset: [0, 1]}}\n"
        "    next: {rest: {go: {when: {near: [bee, target, 8.5]}}}}\n"
        "goal: {all: {each: bee, is: {skill: [fly, go]}}}\n"
        "rules: [{never: {skill: [fly.4, go]}}]\n");
    assert_int_equal(cr_model_tactic_count(m), 6);
    assert_string_equal(cr_model_tactic(m, 3)->name, "fly.3");
    assert_string_equal(m->bodies[cr_model_tactic(m, 3)->body].name, "bee.3");
    cr_state *s = cr_state_create(m);
    cr_action actions[8];
    cri_source source = {0};
    for (int step = 0; step < 3; step++) {
        assert_true(cri_act(m, s, false, &source, actions));
        int go = 0;
        for (int i = 1; i < 6; i++) {
            // Each looks at itself: only those that stand near enough leave.
            bool near = sqrt((i - 1) * (i - 1) + 81) <= 8.5;
            assert_int_equal(cr_state_tactic(m, s, i)->skill, near && step > 0);
            go += cr_state_tactic(m, s, i)->skill;
        }
        assert_int_equal(cri_goal_reached(m, s), go == 5);
    }
    // The fourth one comes nearer than the others.
    for (int i = 0; i < 5; i++) {
        cr_state_bodies(m, s)[m->bodies[1 + i].slot].position.y = i == 3 ? 5 : 0;
    }
    assert_true(cri_act(m, s, false, &source, actions));
    assert_int_equal(cr_state_tactic(m, s, 4)->skill, 1);
    assert_int_equal(cr_state_tactic(m, s, 3)->skill, 0);
    assert_true(cri_rule_is_broken(m, &m->rules[0], s));
    free(s);
    cr_model_destroy(m);
}

// ---------------------------------------------------------------------------------------------
// Errors, each once however many members there are.

static void errors_are_located(void **state)
{
    (void)state;
    static const struct {
        const char *text, *errors;
    } rows[] = {
        {"bodies: {d: {" DIE ", count: 3}}\n",
         "t.yaml:1:13: body \"d\": a crowd must have a \"pitch\", or a place for each in \"at\"\n"},
        {"bodies: {d: {" DIE ", pitch: 3}}\n", "t.yaml:1:76: body \"d\": \"pitch\" is for crowds, "
                                               "which have a \"count\" or a \"grid\"\n"},
        {"bodies: {d: {" DIE ", count: 2, grid: [2], pitch: 1}}\n",
         "t.yaml:1:85: body \"d\": a crowd has either a \"count\" or a \"grid\"\n"},
        {"bodies: {d: {" DIE ", count: 3, at: [[0, 0], [1, 1]]}}\n",
         "t.yaml:1:83: body \"d\": at must have 3 places, got 2\n"},
        {"bodies: {d: {" DIE ", grid: [100, 100], pitch: 1}}\n",
         "t.yaml:1:75: body \"d\": a grid must have at most 8192 members\n"},
        {"bodies: {d: {kind: passive, shape: {sphere: 0.1}, count: 3, pitch: 1}}\n",
         "t.yaml:1:13: body \"d\": key \"mass\" is missing; a passive body must have one\n"},
        {"bodies:\n  d: {" DIE ", count: 3, pitch: 1}\n  d.2: {" DIE ", at: [0, 9]}\n",
         "t.yaml:3:3: a member of the crowd \"d\" has this name\n"},
        {FIELD "goal: {touch: [ball, pin]}\n",
         "t.yaml:7:22: goal: \"pin\" is a crowd of 4; name one, as \"pin.1\", or speak of all by "
         "{each: pin, is: ...}\n"},
        {FIELD "goal: {all: {each: pin, is: {inside: [pni, far]}}}\n",
         "t.yaml:7:39: goal: unknown body \"pni\"; did you mean \"pin\"?\n"},
        {FIELD "goal: {all: {each: ball, is: {inside: [ball, far]}}}\n",
         "t.yaml:7:20: goal: each must be a crowd; \"ball\" is one body, without a \"count\" or "
         "\"grid\"\n"},
        {FIELD "goal: {any: {each: pin, is: {any: {each: pin, is: {still: pin}}}}}\n",
         "t.yaml:7:42: goal: each: \"pin\" stands for a member here\n"},
        {FIELD "goal: {count: {of: {each: pin, is: {still: pin}}}}\n",
         "t.yaml:7:15: goal: count must have \"least\" or \"most\"\n"},
        {FIELD "goal: {count: {of: {each: pin, is: {still: pin}}, least: 5}}\n",
         "t.yaml:7:58: goal: least must be at most 4, got 5\n"},
        {FIELD "goal: {count: {of: {each: pin, is: {still: pin}}, least: 3, most: 2}}\n",
         "t.yaml:7:15: goal: count: least must not be more than most, got 3 and 2\n"},
        {FIELD "goal: {fallen: ball}\n",
         "t.yaml:7:16: goal: fallen never holds: a ball has no side that is up\n"},
        {FIELD "goal: {stays: [{still: ball}]}\n",
         "t.yaml:7:15: goal: stays must have 2 values, got 1\n"},
        {FIELD "goal: {stays: [{still: ball}, -1]}\n",
         "t.yaml:7:31: goal: seconds must be at least 0, got -1\n"},
        {FIELD "goal: {once: [{still: ball}, nobody]}\n", "t.yaml:7:30: goal: unknown Tactic "
                                                          "\"nobody\"\n"},
        {FIELD "goal: {times: [{still: ball}, 0]}\n",
         "t.yaml:7:31: goal: times must be at least 1, got 0\n"},
    };
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        expect_errors(rows[i].text, rows[i].errors);
    }
}

// A short text cannot ask for more than a machine has.
static void asking_is_limited(void **state)
{
    (void)state;
    char text[4000] = "bodies:\n";
    for (int i = 0; i < 4; i++) {
        size_t used = strlen(text);
        snprintf(text + used, sizeof text - used,
                 "  c%d: {kind: passive, shape: {sphere: 0.1}, mass: 1, count: 250, pitch: 1, "
                 "at: [0, %d]}\n",
                 i, i);
    }
    size_t used = strlen(text);
    snprintf(
        text + used, sizeof text - used,
        "goal: {all: {each: c0, is: {all: {each: c1, is: {all: {each: c2, is: {all: {each: c3, "
        "is: {near: [c0, c1, 1]}}}}}}}}}\n");
    char errors[32 * 640];
    text_errors(text, strlen(text), errors, sizeof errors);
    assert_non_null(strstr(errors, "more than 100000 things are said of members"));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(rows_and_grids),      cmocka_unit_test(bends_are_circles),
        cmocka_unit_test(groups_are_asked),    cmocka_unit_test(groups_nest),
        cmocka_unit_test(what_is_asked_costs), cmocka_unit_test(each_has_a_tactic),
        cmocka_unit_test(errors_are_located),  cmocka_unit_test(asking_is_limited),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
