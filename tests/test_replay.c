// A plan says what it comes to, and replay holds it to every digit: each hash, each number, each
// step and each end that stands in a plan file is changed in turn, and each time replay says so.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include <cmocka.h>

#include "scenes.h"

enum { TEXT_MOST = 1 << 20 };

static char *plan_text(const char *scene)
{
    cr_model *model = load_scene(scene, NULL);
    assert_non_null(model);
    cr_planner_def def = cr_model_planner_def(model);
    cr_planner *planner = NULL;
    cr_plan *plan = NULL;
    assert_int_equal(cr_planner_create(model, &def, &planner, NULL), CR_OK);
    assert_int_equal(cr_plan_create(planner, cr_planner_grow(planner, NULL), &plan, NULL), CR_OK);
    assert_non_null(plan);
    char path[] = "/tmp/carom-replay-XXXXXX";
    close(mkstemp(path));
    assert_int_equal(cr_plan_write(plan, path, NULL), CR_OK);
    FILE *file = fopen(path, "rb");
    char *text = calloc(1, TEXT_MOST);
    assert_true(file && text && fread(text, 1, TEXT_MOST - 1, file) > 0);
    fclose(file);
    unlink(path);
    cr_plan_destroy(plan);
    cr_planner_destroy(planner);
    cr_model_destroy(model);
    return text;
}

static cr_status read_and_replay(const char *text, cr_report *report)
{
    cr_plan *plan = NULL;
    cr_status status = cr_plan_read_text(text, strlen(text), "changed", NULL, &plan, report);
    if (status == CR_OK) {
        status = cr_plan_replay(plan, 0, NULL, NULL, report);
    }
    cr_plan_destroy(plan);
    return status;
}

enum { HASHES_MOST = 100 };

// Where the hashes stand in the text; the first is that of the whole, then comes one a branch.
static int find_hashes(char *text, char *hashes[HASHES_MOST])
{
    static const char key[] = "\"hash\": \"";
    int count = 0;
    for (char *at = strstr(text, key); at; at = strstr(at, key)) {
        at += strlen(key);
        assert_true(count < HASHES_MOST);
        hashes[count++] = at;
    }
    return count;
}

static void change_digit(char *digit)
{
    *digit = *digit == '7' ? '8' : '7';
}

// Change the same digit of both, see what becomes of the plan, and change it back.
static cr_status replay_changed(const char *text, char *a, char *b, cr_report *report)
{
    char was_a = *a, was_b = *b;
    change_digit(a);
    if (b != a) {
        change_digit(b);
    }
    cr_status status = read_and_replay(text, report);
    *a = was_a;
    *b = was_b;
    return status;
}

static void expect_other_state(const char *text, char *a, char *b)
{
    cr_report report = {0};
    assert_int_equal(replay_changed(text, a, b, &report), CR_ERR_REPLAY);
    assert_non_null(strstr(report.errors[0].message, "ends in state"));
}

static void every_hash_is_compared(void **state)
{
    (void)state;
    static const char *const scenes[] = {"minigolf/bank", "navigation/u-shape", "pool/double"};
    for (int i = 0; i < 3; i++) {
        char *text = plan_text(scenes[i]), *hashes[HASHES_MOST];
        int count = find_hashes(text, hashes), last = count - 1;
        assert_true(count >= 3);
        cr_report report = {0};
        assert_int_equal(read_and_replay(text, &report), CR_OK);
        for (int k = 1; k < last; k++) {
            expect_other_state(text, hashes[k] + k % 16, hashes[k] + k % 16);
        }
        // The last branch ends where the whole does: the two are refused where they differ.
        for (int digit = 0; digit < 16; digit++) {
            expect_other_state(text, hashes[0] + digit, hashes[last] + digit);
        }
        assert_int_not_equal(replay_changed(text, hashes[0], hashes[0], &report), CR_OK);
        assert_int_not_equal(replay_changed(text, hashes[last], hashes[last], &report), CR_OK);
        assert_int_equal(read_and_replay(text, &report), CR_OK); // all is as it was
        free(text);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_hash_is_compared),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
