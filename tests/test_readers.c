// Nothing is passed over: a key, an item or an entry too many, anywhere in a scene or a plan, is
// reported where it stands.
#include "documents.h"

#include <glob.h>
#include <stdio.h>
#include <unistd.h>

#include "scenes.h"

// ---------------------------------------------------------------------------------------------
// What came of a text.

static cr_status read_scene(const cri_text *text, cr_report *report)
{
    cr_scene *scene = NULL;
    cr_model *model = NULL;
    cr_status status = cr_scene_read_text(text->data, text->length, "t.yaml", &scene, report);
    if (status == CR_OK) {
        status = cr_model_create(scene, NULL, 0, &model, report);
    }
    cr_model_destroy(model);
    cr_scene_destroy(scene);
    return status;
}

static cr_status read_plan(const cri_text *text, cr_report *report)
{
    cr_plan *plan = NULL;
    cr_status status = cr_plan_read_text(text->data, text->length, "t.yaml", NULL, &plan, report);
    if (status == CR_OK) {
        status = cr_plan_replay(plan, 0, NULL, NULL, report);
    }
    cr_plan_destroy(plan);
    return status;
}

typedef cr_status (*reading)(const cri_text *text, cr_report *report);

static bool says(const cr_error *errors, int count, int first, int last)
{
    for (int i = 0; i < count && i < CR_REPORT_MAX; i++) {
        if (strcmp(errors[i].file, "t.yaml") == 0 && errors[i].line >= first &&
            errors[i].line <= last && errors[i].column > 0) {
            return true;
        }
    }
    return false;
}

// The changed document must be refused at one of these lines, or warned of.
static void expect_report(const document *d, change *c, reading read, bool whole_target)
{
    cri_text text = document_write(d, c);
    cr_report report = {0};
    cr_status status = read(&text, &report);
    int first = whole_target ? c->target_line : c->line;
    bool refused = status != CR_OK && says(report.errors, report.count, first, c->line);
    bool warned = status == CR_OK && says(report.warnings, report.warning_count, first, c->line);
    if (!refused && !warned) {
        char line[640];
        print_error("%s\n", text.data);
        print_error("status %s, first: %s\n", cr_status_name(status),
                    cr_error_print(&report.errors[0], line, sizeof line));
        fail_msg("nothing is said of lines %d to %d", first, c->line);
    }
    free(text.data);
}

// ---------------------------------------------------------------------------------------------
// The three generators.

static void unknown_keys(const document *d, reading read)
{
    for (int i = 0; i < d->count; i++) {
        if (d->spots[i].node->kind == CRI_NODE_MAP) {
            change c = {.kind = CHANGE_KEY, .target = d->spots[i].node};
            expect_report(d, &c, read, false);
        }
    }
}

static bool is_among(const char *word, const char *const *words)
{
    for (; *words; words++) {
        if (strcmp(word, *words) == 0) {
            return true;
        }
    }
    return false;
}

// Lists may be longer where each item is a thing of its own; `repeatable` ones may have two of a
// kind. Others have a length: two or three at most are a vector.
static void more_items(const document *d, reading read)
{
    static const char *const repeatable[] = {"parts",     "add",   "multiply", "choose",
                                             "solutions", "marks", "line",     NULL};
    static const char *const lists[] = {"rules",  "pairs",    "points",  "all", "any",
                                        "ignore", "branches", "choices", NULL};
    for (int i = 0; i < d->count; i++) {
        const cri_node *node = d->spots[i].node;
        bool item = node->kind == CRI_NODE_LIST && node->count > 0;
        // `at` of a mark may be a list of places.
        bool places =
            item && strcmp(d->spots[i].under, "at") == 0 && node->items[0].kind == CRI_NODE_LIST;
        if (!item || places || is_among(d->spots[i].under, repeatable)) {
            continue;
        }
        bool vector = !is_among(d->spots[i].under, lists) && node->count < 4;
        change c = {.kind = CHANGE_ITEM, .target = node, .times = vector ? 4 - node->count : 1};
        expect_report(d, &c, read, true);
    }
}

// One key of every mapping; all of them where CAROM_THOROUGH is set.
static void duplicate_keys(const document *d, reading read)
{
    bool thorough = getenv("CAROM_THOROUGH") != NULL;
    for (int i = 0; i < d->count; i++) {
        const cri_node *node = d->spots[i].node;
        for (int k = 0; node->kind == CRI_NODE_MAP && k < node->count; k++) {
            if (thorough || k == i % node->count) {
                change c = {.kind = CHANGE_DUPLICATE, .target = node, .index = k};
                expect_report(d, &c, read, false);
            }
        }
    }
}

static void expect_all(const document *d, reading read)
{
    change nothing = {0};
    cri_text text = document_write(d, &nothing);
    cr_report report = {0};
    if (read(&text, &report) != CR_OK) {
        char line[640];
        fail_msg("%s", cr_error_print(&report.errors[0], line, sizeof line));
    }
    free(text.data);
    unknown_keys(d, read);
    more_items(d, read);
    duplicate_keys(d, read);
}

// ---------------------------------------------------------------------------------------------

static void check_scenes(const char *pattern, int least)
{
    glob_t found = {0};
    assert_int_equal(glob(pattern, 0, NULL, &found), 0);
    assert_true(found.gl_pathc >= (size_t)least);
    for (size_t i = 0; i < found.gl_pathc; i++) {
        if (document_is_large(found.gl_pathv[i])) {
            continue;
        }
        document d = document_open(found.gl_pathv[i]);
        expect_all(&d, read_scene);
        document_close(&d);
    }
    globfree(&found);
}

static void shipped_scenes(void **state)
{
    (void)state;
    check_scenes(CAROM_SCENES "/*/*.yaml", 15);
}

// Scenes with the words that the shipped ones do without.
static void other_scenes(void **state)
{
    (void)state;
    check_scenes(CAROM_SCENES "/../fuzz/corpus/scene/*.yaml", 5);
}

static void check_plan(const char *scene, const char *const *settings)
{
    cr_model *model = load_scene(scene, settings);
    assert_non_null(model);
    cr_planner_def def = cr_model_planner_def(model);
    cr_planner *planner = NULL;
    cr_plan *plan = NULL;
    assert_int_equal(cr_planner_create(model, &def, &planner, NULL), CR_OK);
    cr_outcome outcome = cr_planner_grow(planner, NULL);
    assert_int_equal(cr_plan_create(planner, outcome, &plan, NULL), CR_OK);
    assert_non_null(plan);
    char path[] = "/tmp/carom-plan-XXXXXX";
    close(mkstemp(path));
    assert_int_equal(cr_plan_write(plan, path, NULL), CR_OK);
    document d = document_open(path);
    unlink(path);
    expect_all(&d, read_plan);
    document_close(&d);
    cr_plan_destroy(plan);
    cr_planner_destroy(planner);
    cr_model_destroy(model);
}

static void plans(void **state)
{
    (void)state;
    static const char *const far[] = {"distance", "2.4", NULL};
    static const char *const few[] = {"attempts", "3", NULL};
    check_plan("minigolf/gate", far); // two Tactics, settings, samples
    check_plan("pool/break", few);    // a score and no goal, no sample
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(shipped_scenes),
        cmocka_unit_test(other_scenes),
        cmocka_unit_test(plans),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
