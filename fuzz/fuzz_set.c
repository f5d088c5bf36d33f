// Any bytes as settings, as `--set` gives them to a scene: name=value, separated by zero bytes. A
// name that is one byte stands for a row of the parameter table, so that mutations of the values
// reach it often. What is accepted must make a planner, or say why not.
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "carom/carom.h"

enum { SETTINGS_MAX = 8, NODES_MAX = 20000 };

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static const char scene_text[] =
    "parameters: {far: 1, wide: far / 2}\n"
    "materials: {m: {friction: 0.3, restitution: 0.3}}\n"
    "bodies:\n"
    "  ball: {kind: controlled, shape: {sphere: 0.1}, mass: 1, material: m, at: [far, wide, 1]}\n"
    "regions: {yard: {box: [2, 2]}}\n"
    "sample: {body: ball, region: yard, heading: {uniform: [0, far]}}\n"
    "tactics: {t: {controls: ball, skills: {a: {do: wait, seconds: {uniform: [0, far]}}}}}\n"
    "goal: {near: [ball, yard, wide]}\n";

static const char *name_of(const char *text)
{
    unsigned char first = (unsigned char)text[0];
    if (text[0] && !text[1]) {
        return cr_parameter_at(first % cr_parameter_count())->name;
    }
    return text;
}

// One setting; text is cut at its "=".
static cr_status set(cr_scene *scene, char *text, cr_report *report)
{
    char *equals = strchr(text, '=');
    if (!equals) {
        return CR_OK;
    }
    *equals = 0;
    cr_status status = cr_scene_set(scene, name_of(text), equals + 1, report);
    if (status != CR_OK && report->count == 0) {
        abort();
    }
    return status;
}

// The planner that the settings ask for, grown a little where that is cheap.
static void use(const cr_model *model)
{
    cr_planner_def def = cr_model_planner_def(model);
    cr_report report = {0};
    cr_planner *planner = NULL;
    if (def.nodes > NODES_MAX) {
        return;
    }
    def.threads = 1;
    cr_status status = cr_planner_create(model, &def, &planner, &report);
    if ((status == CR_OK) != (planner != NULL) || (status != CR_OK && report.count == 0)) {
        abort();
    }
    if (planner && def.round <= 4 && def.longest <= 20) {
        cr_slice slice = {.attempts = 4};
        cr_planner_grow(planner, &slice);
    }
    cr_planner_destroy(planner);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    cr_report report = {0};
    cr_scene *scene = NULL;
    cr_model *model = NULL;
    char *text = malloc(size + 1);
    if (!text || cr_scene_read_text(scene_text, sizeof scene_text - 1, "fuzz", &scene, &report)) {
        abort();
    }
    memcpy(text, data, size);
    text[size] = 0;
    cr_status status = CR_OK;
    size_t at = 0;
    for (int i = 0; i < SETTINGS_MAX && at <= size && status == CR_OK; i++) {
        size_t length = strlen(text + at);
        status = set(scene, text + at, &report);
        at += length + 1;
    }
    if (status == CR_OK) {
        status = cr_model_create(scene, NULL, 0, &model, &report);
    }
    if (model) {
        use(model);
    } else if (report.count == 0) {
        abort();
    }
    cr_model_destroy(model);
    cr_scene_destroy(scene);
    free(text);
    return 0;
}
