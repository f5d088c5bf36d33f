// Loading the scenes that come with carom, for tests.
#ifndef TESTS_SCENES_H
#define TESTS_SCENES_H

#include <stdio.h>

#include <carom/carom.h>

// Compile a scene at its N-th random start, with settings: name, value, name, value, ..., NULL.
static inline cr_model *load_start(const char *name, int start, const char *const *settings)
{
    char path[512], text[640];
    snprintf(path, sizeof path, "%s/%s.yaml", CAROM_SCENES, name);
    cr_report report = {0};
    cr_scene *scene = NULL;
    cr_model *model = NULL;
    cr_status status = cr_scene_read(path, &scene, &report);
    for (int i = 0; status == CR_OK && settings && settings[i]; i += 2) {
        status = cr_scene_set(scene, settings[i], settings[i + 1], &report);
    }
    if (status == CR_OK) {
        status = cr_model_create(scene, NULL, start, &model, &report);
    }
    cr_scene_destroy(scene);
    for (int i = 0; i < report.count && i < CR_REPORT_MAX; i++) {
        fprintf(stderr, "%s\n", cr_error_print(&report.errors[i], text, sizeof text));
    }
    return status == CR_OK ? model : NULL;
}

static inline cr_model *load_scene(const char *name, const char *const *settings)
{
    return load_start(name, 0, settings);
}

// Compile a scene from a text.
static inline cr_model *load_text(const char *text)
{
    cr_report report = {0};
    cr_scene *scene = NULL;
    cr_model *model = NULL;
    char line[640];
    size_t length = 0;
    while (text[length]) {
        length++;
    }
    cr_status status = cr_scene_read_text(text, length, "text", &scene, &report);
    if (status == CR_OK) {
        status = cr_model_create(scene, NULL, 0, &model, &report);
    }
    cr_scene_destroy(scene);
    for (int i = 0; i < report.count && i < CR_REPORT_MAX; i++) {
        fprintf(stderr, "%s\n", cr_error_print(&report.errors[i], line, sizeof line));
    }
    return model;
}

#endif
