// The library from outside: what is added, what is refused, and that types of one's own do all that
// the built-in ones do.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <cmocka.h>

#include "../examples/own/own.h"

static const char scene_text[] =
    "gravity: 10\n"
    "materials: {pond: {friction: 0.5, restitution: 0.1}, frog: {friction: 0.1, restitution: "
    "0.1}}\n"
    "pairs: [{between: [pond, frog], restitution: 0.5}]\n"
    "bodies:\n"
    "  floor: {kind: static, shape: {plane: [0, 0, 1]}, material: pond}\n"
    "  frog: {kind: controlled, shape: {sphere: 0.1}, mass: 2, at: [0, 0, 1.1], material: frog}\n"
    "  ghost: {kind: passive, shape: {sphere: 0.1}, mass: 1, at: [5, 0, 1], material: frog}\n"
    "tactics: {t: {controls: frog, skills: {a: {do: hop, after: 1}}}}\n"
    "goal: {all: [{touch: [frog, floor]}, {above: [frog, 3]}]}\n"
    "score: {ramp: {of: {energy: frog}, from: 0, to: 100}}\n"
    "plan: {engine: bouncer, select: least_tried, rank: gentle}\n";

static cr_model *make_model(cr_library *library)
{
    cr_scene *scene = NULL;
    cr_model *model = NULL;
    cr_report report = {0};
    assert_int_equal(own_add(library, &report), CR_OK);
    cr_status status =
        cr_scene_read_text(scene_text, strlen(scene_text), "t.yaml", &scene, &report);
    status = status == CR_OK ? cr_model_create(scene, library, 0, &model, &report) : status;
    if (status != CR_OK) {
        fail_msg("%d: %s", report.errors[0].line, report.errors[0].message);
    }
    cr_scene_destroy(scene);
    return model;
}

// A scene's override of a pair is what an engine of one's own reads, in either order; the rest is
// the mean.
static void engines_read_how_materials_meet(void **state)
{
    (void)state;
    cr_library *library = cr_library_create();
    cr_model *model = make_model(library);
    int pond = cr_model_find_material(model, "pond"), frog = cr_model_find_material(model, "frog");
    for (int i = 0; i < 2; i++) {
        cr_meeting m = cr_model_meeting(model, i ? pond : frog, i ? frog : pond);
        assert_true(m.restitution == 0.5);
        assert_true(fabs(m.friction - 0.3) < 1e-15);
    }
    assert_true(cr_model_meeting(model, frog, frog).restitution == 0.1);
    cr_pair pair = cr_model_pair_info(model, cr_model_pair(model, 1, 0));
    assert_true(pair.a == 0 && pair.b == 1 && pair.watched && pair.responds);
    assert_false(cr_model_pair_info(model, cr_model_pair(model, 2, 0)).watched);
    cr_model_destroy(model);
    cr_library_destroy(library);
}

// Each bit is its own, and a pair that nobody asks about has none.
static void touched_bits_are_set_and_cleared(void **state)
{
    (void)state;
    cr_library *library = cr_library_create();
    cr_model *model = make_model(library);
    cr_state *s = cr_state_create(model);
    uint64_t before = cr_state_hash(model, s);
    int watched = cr_model_pair(model, 0, 1), other = cr_model_pair(model, 0, 2);
    cr_state_set_touched(model, s, other);
    assert_false(cr_state_touched(model, s, other));
    assert_int_equal(cr_state_hash(model, s), before);
    cr_state_set_touched(model, s, watched);
    assert_true(cr_state_touched(model, s, watched));
    assert_int_not_equal(cr_state_hash(model, s), before);
    cr_state_clear_touched(model, s);
    assert_int_equal(cr_state_hash(model, s), before);
    free(s);
    cr_model_destroy(model);
    cr_library_destroy(library);
}

// Dropped from 1 m with restitution e, a ball comes back to e^2 m; at the bounce the bit is set,
// and the contact's impulse is m (1 + e) v. A substep of 1/240 s is what height and speed may be
// off by.
static void an_own_engine_bounces(void **state)
{
    (void)state;
    cr_library *library = cr_library_create();
    cr_model *model = make_model(library);
    cr_engine *engine = NULL;
    assert_int_equal(cr_engine_create(model, "bouncer", &engine, NULL), CR_OK);
    cr_state *s = cr_state_create(model);
    cr_action actions[2] = {0};
    cr_contact contacts[16];
    double fastest = sqrt(2 * 10 * 1.0), top = 0;
    int pair = cr_model_pair(model, 0, 1), touches = 0;
    for (int i = 0; i < 48; i++) { // the fall takes 27 steps, the way up 13
        cr_step step = {.from = s, .actions = actions, .to = s, .contacts = contacts};
        cr_engine_step(engine, &step, 1);
        assert_true(step.alive && s->step == i + 1);
        bool touched = cr_state_touched(model, s, pair);
        for (int k = 0; touched && k < step.contact_count; k++) {
            bool own = contacts[k].a == 0 && contacts[k].b == 1;
            assert_true(!own || fabs(contacts[k].impulse - 2 * 1.5 * fastest) < 0.3);
            assert_true(!own || contacts[k].normal.z == 1);
        }
        touches += touched;
        double height = cr_state_pose(model, s, 1).position.z - 0.1;
        top = touches > 0 && height > top ? height : top;
    }
    assert_int_equal(touches, 1);
    assert_true(fabs(top - 0.25) < 0.03);
    free(s);
    cr_engine_destroy(engine);
    cr_model_destroy(model);
    cr_library_destroy(library);
}

// ---------------------------------------------------------------------------------------------
// What is refused leaves nothing behind.

static cr_status add_two(cr_library *library, cr_report *report)
{
    cr_status status = cr_library_add_skill(library, &own_hop, report);
    status = status == CR_OK ? cr_library_add_rank(library, &own_gentle, report) : status;
    return status == CR_OK ? cr_library_add_skill(library, &own_hop, report) : status;
}

static void a_failed_extension_leaves_nothing(void **state)
{
    (void)state;
    cr_library *library = cr_library_create();
    cr_extension e = {CR_EXTENSION_MARK, CR_VERSION_MAJOR, CR_VERSION_MINOR, "two", "1", add_two};
    cr_report report = {0};
    assert_int_equal(cr_library_add_extension(library, &e, &report), CR_ERR_NAME);
    assert_string_equal(report.errors[0].message, "skill \"hop\": the name is taken");
    assert_int_equal(cr_library_extension_count(library), 0);
    assert_int_equal(cr_library_skill_count(library), cr_library_skill_count(NULL));
    assert_int_equal(cr_library_rank_count(library), cr_library_rank_count(NULL));
    e.add = own_add;
    assert_int_equal(cr_library_add_extension(library, &e, NULL), CR_OK);
    assert_int_equal(cr_library_skill_count(library), cr_library_skill_count(NULL) + 1);
    assert_null(cr_library_extension_path(library, 0));
    assert_int_equal(cr_library_add_extension(library, &e, NULL), CR_ERR_NAME);
    cr_library_destroy(library);
}

static void bad_extensions_and_names(void **state)
{
    (void)state;
    cr_library *library = cr_library_create();
    const cr_extension good = {
        CR_EXTENSION_MARK, CR_VERSION_MAJOR, CR_VERSION_MINOR, "own", "1.0", own_add};
    cr_extension e[] = {good, good, good, good, good, good};
    cr_status expected[] = {CR_ERR_FILE, CR_ERR_VERSION, CR_ERR_VERSION,
                            CR_ERR_NAME, CR_ERR_NAME,    CR_ERR_NAME};
    e[0].mark++;
    e[1].minor++;
    e[2].major++;
    e[3].name = "own skills";
    e[4].version = NULL;
    e[5].add = NULL;
    for (size_t i = 0; i < sizeof e / sizeof e[0]; i++) {
        assert_int_equal(cr_library_add_extension(library, &e[i], NULL), expected[i]);
    }
    static const char *const names[] = {"", "1st", "a b", "a|b", "x=1", "a-b", "all"};
    for (size_t i = 0; i < sizeof names / sizeof names[0]; i++) {
        cr_condition_type type = own_above;
        type.name = names[i];
        assert_int_equal(cr_library_add_condition(library, &type, NULL), CR_ERR_NAME);
    }
    cr_rank_type rank = own_gentle;
    rank.measures = CR_RANK_MEASURES_MAX + 1;
    assert_int_equal(cr_library_add_rank(library, &rank, NULL), CR_ERR_RANGE);
    assert_int_equal(cr_library_load(library, "/", NULL), CR_ERR_FILE);
    cr_library_destroy(library);
}

// What a select can know of the tree from its calls alone.
enum { BOOKS_MOST = 20000 };

typedef struct books {
    int64_t kept, back;                              // branches but the start; attempts
    int under_way[BOOKS_MOST], children[BOOKS_MOST]; // by branch
} books;

static books shown; // as the select left them when its search ended

static cr_status open_books(const cr_model *model, const cr_planner_def *def, void **data,
                            cr_report *report)
{
    (void)model;
    (void)report;
    assert_true(def->nodes < BOOKS_MOST);
    *data = calloc(1, sizeof(books));
    return CR_OK;
}

static void close_books(void *data)
{
    shown = *(books *)data;
    free(data);
}

// Of the branches that have not ended each is in one list: with the leaves if nothing grows from
// it. A start at which there is nothing to choose is grown from once.
static void compare_books(const cr_select_call *call)
{
    const books *b = call->data;
    assert_int_equal(call->branch_count, b->kept + 1);
    int64_t leaves = 0, inners = 0;
    for (int64_t i = 0; i < call->branch_count; i++) {
        bool used = b->children[i] || b->under_way[i];
        bool ended = cr_select_branch(call, i).ended && (i > 0 || b->children[i]);
        leaves += !ended && !used;
        inners += !ended && used;
    }
    assert_int_equal(call->leaf_count, leaves);
    assert_int_equal(call->inner_count, inners);
    for (int64_t i = 0; i < call->leaf_count + call->inner_count; i++) {
        bool leaf = i < call->leaf_count;
        int64_t branch =
            leaf ? cr_select_leaf(call, i) : cr_select_inner(call, i - call->leaf_count);
        assert_int_equal(leaf, !b->children[branch] && !b->under_way[branch]);
    }
}

static int64_t choose_by_books(const cr_select_call *call)
{
    books *b = call->data;
    compare_books(call);
    int64_t i = (int64_t)cr_rng_index(call->rng, (uint64_t)(call->leaf_count + call->inner_count));
    int64_t branch = i < call->leaf_count ? cr_select_leaf(call, i)
                                          : cr_select_inner(call, i - call->leaf_count);
    b->under_way[branch]++;
    return branch;
}

static void enter_branch(const cr_select_call *call, int64_t parent, int64_t branch)
{
    books *b = call->data;
    b->back++;
    b->under_way[parent]--;
    if (branch >= 0) {
        assert_int_equal(branch, ++b->kept);
        assert_int_equal(cr_select_branch(call, branch).parent, parent);
        b->children[parent]++;
    }
    assert_true(call->sample == NULL && call->rng == NULL);
    compare_books(call);
}

static cr_model *make_maze(const cr_library *library)
{
    cr_scene *scene = NULL;
    cr_model *model = NULL;
    assert_int_equal(cr_scene_read(CAROM_SCENES "/navigation/u-shape.yaml", &scene, NULL), CR_OK);
    assert_int_equal(cr_model_create(scene, library, 0, &model, NULL), CR_OK);
    cr_scene_destroy(scene);
    return model;
}

// A select is told of each attempt, and sees the tree as it stands then.
static void selects_see_the_tree_as_it_stands(void **state)
{
    (void)state;
    static const cr_select_type type = {.name = "books",
                                        .about = "any, and keeps books",
                                        .choose = choose_by_books,
                                        .create = open_books,
                                        .destroy = close_books,
                                        .kept = enter_branch};
    for (int round = 1; round <= 16; round *= 4) {
        cr_library *library = cr_library_create();
        assert_int_equal(cr_library_add_select(library, &type, NULL), CR_OK);
        cr_model *model = make_maze(library);
        cr_planner_def def = cr_model_planner_def(model);
        def.select = "books";
        def.nodes = BOOKS_MOST - 1;
        def.attempts = 300;
        def.solutions = 100;
        def.round = round;
        def.threads = 1; // asserts of a test end the thread that they are in
        cr_planner *planner = NULL;
        assert_int_equal(cr_planner_create(model, &def, &planner, NULL), CR_OK);
        cr_planner_grow(planner, &(cr_slice){0});
        int64_t branches = cr_planner_branch_count(planner);
        int64_t attempts = cr_planner_get_stats(planner).attempts;
        cr_planner_destroy(planner);
        assert_int_equal(shown.kept + 1, branches);
        assert_int_equal(shown.back, attempts);
        assert_true(branches > 100 && attempts > 200);
        cr_model_destroy(model);
        cr_library_destroy(library);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(engines_read_how_materials_meet),
        cmocka_unit_test(touched_bits_are_set_and_cleared),
        cmocka_unit_test(an_own_engine_bounces),
        cmocka_unit_test(selects_see_the_tree_as_it_stands),
        cmocka_unit_test(a_failed_extension_leaves_nothing),
        cmocka_unit_test(bad_extensions_and_names),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
