// Recordings and fits: what is refused and where, what is mended, velocities and bounces of ways
// whose formula is known, numbers that are found again, and the text that they are written into.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <cmocka.h>

#include "base/file.h"
#include "fit/fit.h"
#include "scenes.h"

static cr_model *model;

static int load(void **state)
{
    (void)state;
    model = load_scene("minigolf/bar", NULL);
    return model ? 0 : -1;
}

static int unload(void **state)
{
    (void)state;
    cr_model_destroy(model);
    return 0;
}

static cr_status read_text(const char *text, cr_recording **recording, cr_report *report)
{
    return cr_recording_read_text(model, text, strlen(text), "r.csv", recording, report);
}

// ---------------------------------------------------------------------------------------------
// Reading.

#define HEAD "time,body,x,y\n"

static const struct {
    const char *text;
    cr_status status;
    int line, column;
    const char *says;
} broken[] = {
    {"", CR_ERR_SYNTAX, 1, 1, "is empty"},
    {"# nothing\n\n", CR_ERR_SYNTAX, 1, 1, "is empty"},
    {"time,body,x\n0,ball,0\n", CR_ERR_NAME, 1, 1, "no column \"y\""},
    {"body,x,y\n", CR_ERR_NAME, 1, 1, "no column \"time\""},
    {"time,body,x,y,hading\n", CR_ERR_NAME, 1, 15, "did you mean \"heading\"?"},
    {"time,body,x,x,y\n", CR_ERR_NAME, 1, 13, "stands twice"},
    {"time,body,x,y,qx,qy\n", CR_ERR_NAME, 1, 1, "orientation"},
    {HEAD, CR_ERR_RANGE, 2, 1, "no samples"},
    {HEAD "0,ball,0,0\n", CR_ERR_RANGE, 2, 1, "one sample of body \"ball\""},
    {HEAD "0,ball,0,0\n1,ball,0,0\n0.5,ball,0,0\n", CR_ERR_RANGE, 4, 1, "backwards"},
    {HEAD "0,ball,0,0\n1,ball,nan,0\n", CR_ERR_TYPE, 3, 8, "x must be a number, got \"nan\""},
    {HEAD "0,ball,0,0\n1,ball,1,inf\n", CR_ERR_TYPE, 3, 10, "y must be a number, got \"inf\""},
    {HEAD "0,ball,0,0\n1,ball,1e9,0\n", CR_ERR_RANGE, 3, 8, "x must be"},
    {HEAD "0,ball,0,0\n1,bqll,1,0\n", CR_ERR_NAME, 3, 3, "did you mean \"ball\"?"},
    {HEAD "0,bar,0,0\n", CR_ERR_NAME, 2, 3, "is static"},
    {HEAD "0,ball,0\n", CR_ERR_SYNTAX, 2, 9, "3 cells where there are 4 columns"},
    {HEAD "0,ball,0,0,7\n", CR_ERR_SYNTAX, 2, 12, "more cells"},
    {HEAD "0,ball,,0\n", CR_ERR_TYPE, 2, 8, "x must be a number"},
    {"time,body,x,y,qx,qy,qz,qw\n0,ball,0,0,1,1,0,0\n", CR_ERR_RANGE, 2, 12, "of length 1"},
};

static void broken_recordings_are_refused_where_they_break(void **state)
{
    (void)state;
    for (size_t i = 0; i < sizeof broken / sizeof broken[0]; i++) {
        cr_report report = {0};
        cr_recording *recording = (cr_recording *)&report;
        cr_status status = read_text(broken[i].text, &recording, &report);
        if (status != broken[i].status || report.errors[0].line != broken[i].line ||
            report.errors[0].column != broken[i].column ||
            !strstr(report.errors[0].message, broken[i].says)) {
            fail_msg("%s: %d at %d:%d: %s", broken[i].text, status, report.errors[0].line,
                     report.errors[0].column, report.errors[0].message);
        }
        assert_null(recording);
        assert_string_equal(report.errors[0].file, "r.csv");
    }
}

// Ten samples at 1 m/s along x, 0.1 s apart, but for what the caller changes.
static cr_recording *read_line(int changed, const char *instead)
{
    cri_text text = {0};
    cr_report report = {0};
    cr_recording *recording = NULL;
    cri_text_add(&text, "time,body,x,y,camera\n");
    for (int i = 0; i < 10; i++) {
        if (i == changed) {
            cri_text_add(&text, "%s", instead);
        } else {
            cri_text_add(&text, "%g,ball,%g,0,1\n", 0.1 * i, 0.1 * i);
        }
    }
    if (read_text(text.data, &recording, &report) != CR_OK) {
        fail_msg("%s", report.errors[0].message);
    }
    cri_text_free(&text);
    return recording;
}

static void what_cameras_get_wrong_is_mended(void **state)
{
    (void)state;
    const struct {
        const char *instead;
        cr_recording_notes notes;
    } rows[] = {
        {"0.5,ball,0.5,0,1\n", {.samples = 10}},
        {"", {.samples = 9, .gaps = 1}},
        {"0.5,ball,0.5,0,1\n0.5,ball,0.7,0,1\n", {.samples = 10, .duplicates = 1}},
        {"0.5,ball,0.5,3,1\n", {.samples = 9, .gaps = 1, .outliers = 1}},
        {"0.5,ball,0.6,0.1,2\n", {.samples = 10, .switches = 2}},
    };
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        cr_recording *r = read_line(5, rows[i].instead);
        cr_recording_notes n = cr_recording_get_notes(r);
        assert_memory_equal(&n, &rows[i].notes, sizeof n);
        for (int k = 0; k < r->count; k++) { // whatever it was, the line is straight again
            cr_sighting s = cr_recording_sample(r, k);
            assert_true(fabs(s.pose.position.x - s.time) < 1e-9);
            assert_true(fabs(s.pose.position.y) < 1e-9);
        }
        cr_recording_destroy(r);
    }
}

static void what_is_written_reads_the_same(void **state)
{
    (void)state;
    cr_report report = {0};
    cr_recording *made = NULL, *again = NULL;
    int ball = cr_model_find_body(model, "ball"), bar = cr_model_find_body(model, "bar");
    cr_shot shots[70];
    assert_int_equal(cr_shot_set(model, "bounces", ball, bar, shots, 70), 70);
    assert_int_equal(cr_shot_set(model, "rolls", ball, bar, NULL, 0), 36);
    assert_int_equal(cr_shot_set(model, "putts", ball, bar, NULL, 0), -1);
    cr_record_def def = cr_default_record_def();
    def.seconds = 0.5;
    assert_int_equal(cr_shot_record(model, &shots[13], 13, &def, &made, &report), CR_OK);
    cri_text text = {0};
    cri_recording_print(made, &text);
    assert_int_equal(read_text(text.data, &again, &report), CR_OK);
    assert_int_equal(again->count, made->count);
    for (int i = 0; i < made->count; i++) {
        assert_true(fabs(made->samples[i].pose.position.x - again->samples[i].pose.position.x) <
                    1e-6);
        assert_true(fabs(made->samples[i].action.impulse.x - again->samples[i].action.impulse.x) <
                    1e-6);
    }
    cri_text_free(&text);
    cr_recording_destroy(made);
    cr_recording_destroy(again);
}

// ---------------------------------------------------------------------------------------------
// Ways.

enum { WAY = 60 };

// A ball that comes in at an angle to the wall y = 0, which it hits at a time between two samples,
// and leaves with some of its speed along the normal and along the wall.
static cri_passage make_way(double when, double keep_y, double keep_x, double *arrays)
{
    double *t = arrays, *x = arrays + WAY, *y = arrays + 2 * WAY;
    for (int i = 0; i < WAY; i++) {
        t[i] = i / 60.0;
        double after = t[i] - when;
        x[i] = after < 0 ? 2 * after : 2 * keep_x * after;
        y[i] = after < 0 ? -3 * after : 3 * keep_y * after;
    }
    return (cri_passage){WAY, t, x, y};
}

static void bounces_are_found_between_samples(void **state)
{
    (void)state;
    double arrays[3 * WAY];
    for (int i = 0; i < 20; i++) {
        double when = 0.3 + i * 0.0013;
        cri_passage way = make_way(when, 0.3 + 0.03 * i, 0.9, arrays);
        cri_bounce bounce;
        assert_true(cri_passage_bounce(&way, 0, &bounce));
        assert_true(fabs(bounce.time - when) < 1e-9);
        assert_true(fabs(bounce.x) < 1e-9 && fabs(bounce.y) < 1e-9);
        assert_false(cri_passage_bounce(&way, bounce.before + 6, &bounce));
    }
    cri_passage straight = make_way(0.4, -1, 1, arrays);
    cri_bounce none;
    assert_false(cri_passage_bounce(&straight, 0, &none));
}

static void velocities_of_parabolas_are_exact(void **state)
{
    (void)state;
    double arrays[3 * WAY];
    for (int i = 0; i < WAY; i++) {
        double t = arrays[i] = i * 0.02 + (i % 3) * 0.003; // frames are not evenly spaced
        arrays[WAY + i] = 1 + 2 * t - 3 * t * t;
        arrays[2 * WAY + i] = -t + 0.5 * t * t;
    }
    cri_passage way = {WAY, arrays, arrays + WAY, arrays + 2 * WAY};
    for (int i = 0; i < WAY; i++) {
        double vx, vy;
        cri_passage_velocity(&way, i, 0, WAY - 1, &vx, &vy);
        assert_true(fabs(vx - (2 - 6 * arrays[i])) < 1e-9);
        assert_true(fabs(vy - (-1 + arrays[i])) < 1e-9);
    }
}

static void small_matrices(void **state)
{
    (void)state;
    double a[9] = {4, 1, 2, 1, 5, 3, 2, 3, 6}, b[3] = {1, 2, 3}, copy[9], values[3], vectors[9];
    memcpy(copy, a, sizeof a);
    double x[3] = {1, 2, 3};
    assert_true(cri_matrix_solve(copy, x, 3));
    for (int i = 0; i < 3; i++) {
        double sum = a[3 * i] * x[0] + a[3 * i + 1] * x[1] + a[3 * i + 2] * x[2];
        assert_true(fabs(sum - b[i]) < 1e-12);
    }
    memcpy(copy, a, sizeof a);
    cri_matrix_eigen(copy, 3, values, vectors);
    assert_true(values[0] <= values[1] && values[1] <= values[2]);
    for (int k = 0; k < 3; k++) {
        const double *v = vectors + 3 * k;
        for (int i = 0; i < 3; i++) {
            double sum = a[3 * i] * v[0] + a[3 * i + 1] * v[1] + a[3 * i + 2] * v[2];
            assert_true(fabs(sum - values[k] * v[i]) < 1e-9);
        }
    }
    double bad[4] = {1, 2, 2, 1}, y[2] = {1, 1};
    assert_false(cri_matrix_solve(bad, y, 2));
}

// ---------------------------------------------------------------------------------------------
// Fits.

enum { SHOTS = 9 };

// Some rolls and bounces, from a world with other numbers.
static void record_world(cr_recording **all, double noise, const cr_numbers *numbers)
{
    static const int rolls[] = {2, 6, 10}, bounces[] = {5, 15, 35, 45, 55, 65};
    int ball = cr_model_find_body(model, "ball"), bar = cr_model_find_body(model, "bar");
    cr_shot set[70];
    cr_record_def def = cr_default_record_def();
    def.noise = noise;
    def.seconds = 1.5;
    def.numbers = numbers;
    cr_shot_set(model, "rolls", ball, bar, set, 70);
    for (int i = 0; i < 3; i++) {
        assert_int_equal(cr_shot_record(model, &set[rolls[i]], i, &def, &all[i], NULL), CR_OK);
    }
    cr_shot_set(model, "bounces", ball, bar, set, 70);
    for (int i = 0; i < 6; i++) {
        assert_int_equal(cr_shot_record(model, &set[bounces[i]], i, &def, &all[3 + i], NULL),
                         CR_OK);
    }
}

typedef struct hidden {
    cr_recording *all[SHOTS];
    cr_fit *fit;
} hidden;

static hidden make_hidden(double noise)
{
    hidden h = {0};
    cr_numbers *numbers;
    assert_int_equal(cr_numbers_create(model, &numbers, NULL), CR_OK);
    assert_int_equal(cr_numbers_set_named(numbers, model, "carpet.friction", 0.6, NULL), CR_OK);
    assert_int_equal(cr_numbers_set_named(numbers, model, "wood.restitution", 0.65, NULL), CR_OK);
    assert_int_equal(cr_numbers_set_named(numbers, model, "nothing.friction", 1, NULL),
                     CR_ERR_NAME);
    record_world(h.all, noise, numbers);
    cr_fit_def def = cr_default_fit_def();
    def.threads = 1;
    assert_int_equal(
        cr_fit_create(model, (const cr_recording *const *)h.all, SHOTS, &def, &h.fit, NULL), CR_OK);
    cr_numbers_destroy(numbers);
    return h;
}

static void free_hidden(hidden *h)
{
    cr_fit_destroy(h->fit);
    for (int i = 0; i < SHOTS; i++) {
        cr_recording_destroy(h->all[i]);
    }
}

static void numbers_are_found_again(void **state)
{
    (void)state;
    hidden h = make_hidden(0.002);
    cr_report report = {0};
    assert_int_equal(cr_fit_add(h.fit, "carpet.friction", &report), CR_OK);
    assert_int_equal(cr_fit_add(h.fit, "wood.rest*", &report), CR_OK);
    assert_int_equal(cr_fit_add(h.fit, "wool.rest*", &report), CR_ERR_NAME);
    assert_int_equal(cr_fit_parameter_count(h.fit), 2);
    cr_fit_search search = cr_default_fit_search();
    cr_fit_result result;
    assert_int_equal(cr_fit_run(h.fit, &search, &result, &report), CR_OK);
    // 2 mm of noise leave the pair's mean, (0.3 + 0.6) / 2, uncertain by some percent.
    assert_true(fabs(result.values[0] - 0.6) < 0.05);
    assert_true(fabs(result.values[1] - 0.65) < 0.05);
    assert_true(result.after.total < 0.7 * result.before.total);
    assert_true(result.after.metres < 0.2 * result.before.metres);
    search.method = "guess";
    assert_int_equal(cr_fit_run(h.fit, &search, &result, &report), CR_ERR_NAME);
    free_hidden(&h);
}

static void an_exact_world_has_no_error(void **state)
{
    (void)state;
    hidden h = make_hidden(0);
    assert_int_equal(cr_fit_add(h.fit, "carpet.friction", NULL), CR_OK);
    assert_int_equal(cr_fit_add(h.fit, "wood.restitution", NULL), CR_OK);
    const double values[] = {0.6, 0.65, 0.8, 0.5};
    cr_fit_error errors[2];
    assert_int_equal(cr_fit_evaluate(h.fit, values, 2, errors, NULL), CR_OK);
    assert_true(errors[0].total < 1e-9 && errors[0].metres < 1e-9);
    assert_true(errors[1].velocity > 0.01 && errors[1].angle > 0.01);
    free_hidden(&h);
}

// A kick that the recording does not tell of is found in what follows, to a few percent.
static void kicks_are_found_without_actions(void **state)
{
    (void)state;
    cr_record_def def = cr_default_record_def();
    def.actions = false;
    def.noise = 0.0005;
    def.seconds = 1;
    cr_shot shot = {cr_model_find_body(model, "ball"), {1, 0, 0.0215}, {4, 1, 0}};
    cr_recording *recording = NULL;
    cr_fit *fit = NULL;
    assert_int_equal(cr_shot_record(model, &shot, 0, &def, &recording, NULL), CR_OK);
    const cr_recording *all[] = {recording};
    cr_fit_def how = cr_default_fit_def();
    how.threads = 1;
    assert_int_equal(cr_fit_create(model, all, 1, &how, &fit, NULL), CR_OK);
    assert_int_equal(cr_fit_add(fit, "carpet.friction", NULL), CR_OK);
    const double value = 0.8;
    cr_fit_error error;
    assert_int_equal(cr_fit_evaluate(fit, &value, 1, &error, NULL), CR_OK);
    assert_true(error.metres < 0.1 && error.velocity < 0.03);
    cr_fit_destroy(fit);
    cr_recording_destroy(recording);
}

// Only the mean of two materials' friction matters: neither is determined, the pair is.
static void what_is_not_determined_is_named(void **state)
{
    (void)state;
    hidden h = make_hidden(0.002);
    assert_int_equal(cr_fit_add(h.fit, "ball.restitution", NULL), CR_OK);
    assert_int_equal(cr_fit_add(h.fit, "wood.restitution", NULL), CR_OK);
    const double values[] = {0.78, 0.65};
    cr_determination *d = calloc(1, sizeof *d);
    assert_int_equal(cr_fit_determine(h.fit, values, d, NULL), CR_OK);
    bool pair = false;
    for (int i = 0; i < d->coefficient_count; i++) {
        const cr_coefficient *c = &d->coefficients[i];
        pair = pair || (strcmp(c->name, "ball-wood restitution") == 0 && c->determined);
        assert_false(c->parameter && c->determined);
    }
    assert_true(pair);
    assert_int_equal(d->direction_count, 1);
    assert_true(d->directions[0].shares[0] * d->directions[0].shares[1] < 0);
    free(d);
    free_hidden(&h);
}

// A robot pushes the ball: it is where it was seen, whatever the ball does.
static void robots_are_led(void **state)
{
    (void)state;
    cri_text text = {0};
    cri_text_add(&text, "time,body,x,y,heading\n");
    for (int i = 0; i < 60; i++) {
        cri_text_add(&text, "%.9g,robot,%.9g,2,0\n", i / 60.0, 2 + 0.5 * i / 60);
        cri_text_add(&text, "%.9g,ball,2.2,2,0\n", i / 60.0);
    }
    cr_recording *recording = NULL;
    cr_fit *fit = NULL;
    cr_fit_point points[120];
    assert_int_equal(read_text(text.data, &recording, NULL), CR_OK);
    cr_fit_def def = cr_default_fit_def();
    def.threads = 1;
    const cr_recording *all[] = {recording};
    assert_int_equal(cr_fit_create(model, all, 1, &def, &fit, NULL), CR_OK);
    assert_int_equal(cr_fit_add(fit, "ball.friction", NULL), CR_OK);
    const double value = 0.3;
    assert_int_equal(cr_fit_points(fit, 0, &value, points), 60);
    // It meets the ball 0.1085 m ahead of it after some 0.22 s and does not fall behind.
    assert_true(fabs(points[10].predicted.x - 2.2) < 1e-3);
    assert_true(points[59].predicted.x > 2 + 0.5 * 59 / 60.0 + 0.06);
    cr_fit_destroy(fit);
    cr_recording_destroy(recording);
    cri_text_free(&text);
}

static void the_text_keeps_all_but_the_numbers(void **state)
{
    (void)state;
    hidden h = make_hidden(0.002);
    assert_int_equal(cr_fit_add(h.fit, NULL, NULL), CR_OK);
    assert_int_equal(cr_fit_parameter_count(h.fit), 8); // 003, 8.2.1
    assert_int_equal(cr_fit_add(h.fit, "wood.rolling", NULL), CR_OK);
    double values[9];
    for (int i = 0; i < 9; i++) {
        values[i] = 0.25 + 0.01 * i;
    }
    cr_report report = {0};
    char *text = NULL;
    size_t length;
    assert_int_equal(cr_fit_scene_text(h.fit, values, &text, &length, &report), CR_OK);
    assert_non_null(strstr(text, "# 003, table 8.1, before fitting\n"));
    assert_non_null(strstr(text, "was: friction 0.3, restitution 0.78, linear 0.1, angular 0.1\n"));
    assert_non_null(strstr(text, "rolling: 0.33, friction: "));
    size_t old_length;
    const char *old = cr_scene_text(cr_model_scene(model), &old_length);
    const char *bodies = strstr(old, "bodies:"), *kept = strstr(text, "bodies:");
    assert_string_equal(bodies, kept);
    cr_model *again = load_text(text);
    double value;
    assert_int_equal(cr_model_number_named(again, "wood.rolling", &value, NULL), CR_OK);
    assert_true(fabs(value - 0.33) < 1e-9);
    cr_model_destroy(again);
    free(text);
    free_hidden(&h);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(broken_recordings_are_refused_where_they_break),
        cmocka_unit_test(what_cameras_get_wrong_is_mended),
        cmocka_unit_test(what_is_written_reads_the_same),
        cmocka_unit_test(bounces_are_found_between_samples),
        cmocka_unit_test(velocities_of_parabolas_are_exact),
        cmocka_unit_test(small_matrices),
        cmocka_unit_test(an_exact_world_has_no_error),
        cmocka_unit_test(numbers_are_found_again),
        cmocka_unit_test(what_is_not_determined_is_named),
        cmocka_unit_test(robots_are_led),
        cmocka_unit_test(kicks_are_found_without_actions),
        cmocka_unit_test(the_text_keeps_all_but_the_numbers),
    };
    return cmocka_run_group_tests(tests, load, unload);
}
