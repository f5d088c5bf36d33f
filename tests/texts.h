// Scenes as texts in tests: compile one, or get all its errors as one text.
#ifndef TEXTS_H
#define TEXTS_H

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <cmocka.h>

#include "carom/carom.h"

// All errors of reading and compiling, one a line, into errors; "" if there are none.
static inline void text_errors(const char *text, size_t length, char *errors, size_t size)
{
    cr_report report = {0};
    cr_scene *scene = NULL;
    cr_model *model = NULL;
    cr_status status = cr_scene_read_text(text, length, "t.yaml", &scene, &report);
    assert_true((status == CR_OK) == (scene != NULL));
    if (status == CR_OK) {
        status = cr_model_create(scene, NULL, 0, &model, &report);
        assert_true((status == CR_OK) == (model != NULL));
    }
    assert_true((status == CR_OK) == (report.count == 0));
    errors[0] = 0;
    size_t used = 0;
    for (int i = 0; i < report.count && i < CR_REPORT_MAX; i++) {
        char line[640];
        used += (size_t)snprintf(errors + used, size - used, "%s\n",
                                 cr_error_print(&report.errors[i], line, sizeof line));
        assert_true(used < size);
    }
    cr_model_destroy(model);
    cr_scene_destroy(scene);
}

// The text must have exactly these errors.
static inline void expect_errors(const char *text, const char *errors)
{
    char got[32 * 640];
    text_errors(text, strlen(text), got, sizeof got);
    if (strcmp(got, errors) != 0) {
        print_error("--- scene\n%s\n", text);
        print_error("--- expected\n%s", errors);
        print_error("--- got\n%s", got);
        fail();
    }
}

static inline cr_model *compile_start(const char *text, const cr_library *library, int start)
{
    cr_report report = {0};
    cr_scene *scene = NULL;
    cr_model *model = NULL;
    cr_status status = cr_scene_read_text(text, strlen(text), "t.yaml", &scene, &report);
    if (status == CR_OK) {
        status = cr_model_create(scene, library, start, &model, &report);
    }
    if (status != CR_OK) {
        char line[640];
        fail_msg("%s", cr_error_print(&report.errors[0], line, sizeof line));
    }
    cr_scene_destroy(scene);
    return model;
}

static inline cr_model *compile_text(const char *text)
{
    return compile_start(text, NULL, 0);
}

static inline void expect_close(double got, double want, double tolerance)
{
    double off = got > want ? got - want : want - got;
    if (!(off <= tolerance)) {
        fail_msg("%.12g is not %.12g", got, want);
    }
}

#endif
