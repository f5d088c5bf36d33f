// Intervals and tests of counts, against values that are published or follow from counting.
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <cmocka.h>

#include "lab/edit.h"
#include "lab/run_cells.h"
#include "lab/statistics.h"

static void intervals_are_wilsons(void **state)
{
    (void)state;
    // Brown, Cai and DasGupta's formula by hand: 0 of 10 and 5 of 10; 81 of 263 is Newcombe's own.
    static const struct {
        int hits, count;
        double low, high;
    } rows[] = {{0, 10, 0, 0.2775}, {5, 10, 0.2366, 0.7634}, {81, 263, 0.2553, 0.3662}};
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        bounds found = share_bounds(rows[i].hits, rows[i].count);
        assert_true(fabs(found.low - rows[i].low) < 1e-4);
        assert_true(fabs(found.high - rows[i].high) < 1e-4);
    }
    bounds none = share_bounds(0, 0);
    assert_true(none.low == 0 && none.high == 1);
}

static void fisher_tastes_tea(void **state)
{
    (void)state;
    // Three of four cups right on either side: (1 + 16 + 16 + 1) / 70 of the arrangements.
    assert_true(fabs(same_share(3, 4, 1, 4) - 34.0 / 70) < 1e-12);
    // All right: 2 of 70.
    assert_true(fabs(same_share(4, 4, 0, 4) - 2.0 / 70) < 1e-12);
    // Fisher's twins: 2 of 17 and 10 of 13, p = 0.0005367 in his book's table, two-sided.
    assert_true(fabs(same_share(2, 17, 10, 13) - 0.0005367241) < 1e-9);
    assert_true(fabs(same_share(7, 9, 7, 9) - 1) < 1e-12);
    assert_true(fabs(same_share(0, 0, 3, 9) - 1) < 1e-12);
}

// Of samples of the same kind, at most 5% have a p below 5%: counted out over all outcomes.
static void the_test_keeps_its_word(void **state)
{
    (void)state;
    for (double share = 0.1; share < 1; share += 0.2) {
        double wrong = 0;
        for (int a = 0; a <= 20; a++) {
            for (int b = 0; b <= 20; b++) {
                double pa = exp(lgamma(21) - lgamma(a + 1.0) - lgamma(21.0 - a)) * pow(share, a) *
                            pow(1 - share, 20 - a);
                double pb = exp(lgamma(21) - lgamma(b + 1.0) - lgamma(21.0 - b)) * pow(share, b) *
                            pow(1 - share, 20 - b);
                wrong += same_share(a, 20, b, 20) < 0.05 ? pa * pb : 0;
            }
        }
        assert_true(wrong < 0.05);
    }
}

// A sweep changes what it says and nothing else: every word, or one part.
static void edits_change_what_they_say(void **state)
{
    (void)state;
    static const struct {
        edit edit;
        const char *text, *changed;
    } rows[] = {
        {{"", "", ""}, "a b", "a b"},
        {{"ab", "", "x"}, "ab cab b", "x cx b"},
        {{"a", "", "aa"}, "banana", "baanaanaa"},
        {{"a", "", ""}, "banana", "bnn"},
        {{"b:", "goal", "c: 1 "}, "a: b: 2 b: 3 goal: goal", "a: c: 1 goal: goal"},
        {{"x", "", "y"}, "banana", NULL},
        {{"b", "x", "y"}, "banana", NULL},
        {{"z", "a", "y"}, "banana", NULL},
    };
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        char *changed = edit_text(&rows[i].edit, rows[i].text);
        if (rows[i].changed) {
            assert_string_equal(changed, rows[i].changed);
        } else {
            assert_null(changed);
        }
        free(changed);
    }
}

// A figure of two uncertainties and three intervals, with 40 trials a cell. `turn`: more collide in
// long intervals at uncertainty 1 (1), at 0 (-1), or in none (0).
static void fill_figure(run_cells *list, int turn)
{
    enum { TRIALS = 40 };
    static const double intervals[] = {0.25, 0.5, 4};
    cr_rng rng = cr_rng_make(1, CR_RNG_USER, 0);
    for (int i = 0; i < 6; i++) {
        run_cell *c = &list->items[list->count++];
        *c = (run_cell){.scene = "hallway", .x = intervals[i % 3], .trials = TRIALS};
        snprintf(c->line, sizeof c->line, "uncertainty %d", i / 3);
        c->done = calloc(TRIALS, sizeof *c->done);
        bool worse = turn == (i / 3 == 1 ? 1 : -1);
        for (int k = 0; k < TRIALS; k++) {
            double *v = c->done[k].values;
            c->done[k].index = k + 1;
            v[TRIAL_INTERVALS] = 10;
            v[TRIAL_COLLIDED] = floor(cr_rng_uniform(&rng, 1, worse ? 2 + 2 * c->x : 3));
            v[TRIAL_STEPS] = cr_rng_uniform(&rng, 900, 1100) / (worse ? 1 : sqrt(c->x));
        }
    }
}

static void shapes_are_told(int turn, const char *first_line)
{
    static const run_table_row row = {.name = "figure-9.6"};
    run_cells *list = calloc(1, sizeof *list);
    char *text = NULL;
    size_t length = 0;
    FILE *out = open_memstream(&text, &length);
    fill_figure(list, turn);
    run_shapes_print(out, &row, list);
    fclose(out);
    assert_non_null(strstr(text, "| 40 trials a point (95%) |"));
    assert_non_null(strstr(text, first_line));
    for (int i = 0; i < list->count; i++) {
        free(list->items[i].done);
    }
    free(list);
    free(text);
}

static void shapes_hold_or_not(void **state)
{
    (void)state;
    shapes_are_told(1, "slope, s | -3.75 (-3.75 to -3.50) | holds |");
    shapes_are_told(-1, "slope, s | 3.75 (3.50 to 3.75) | does NOT hold |");
    shapes_are_told(0, "slope, s | 0.00 (-3.50 to 3.50) | not told apart |");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(edits_change_what_they_say), cmocka_unit_test(intervals_are_wilsons),
        cmocka_unit_test(fisher_tastes_tea),          cmocka_unit_test(the_test_keeps_its_word),
        cmocka_unit_test(shapes_hold_or_not),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
