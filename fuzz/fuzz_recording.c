// Any bytes as a recording. One that is accepted is by time, finite, and reads the same when it is
// written; and a fit of a number to it has an error that is a number.
#include <math.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "base/file.h"
#include "carom/carom.h"
#include "fit/recording.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static const char scene_text[] =
    "bodies:\n"
    "  floor: {kind: static, shape: {plane: [0, 0, 1]}}\n"
    "  ball: {kind: passive, shape: {sphere: 0.1}, mass: 1, at: [0, 0, 0.1]}\n"
    "  robot: {kind: controlled, shape: {sphere: 0.1}, mass: 1, at: [5, 0, 0.1]}\n";

// The same for every recording.
static const cr_model *world(void)
{
    static cr_model *model;
    cr_scene *scene = NULL;
    if (!model && (cr_scene_read_text(scene_text, sizeof scene_text - 1, "t", &scene, NULL) ||
                   cr_model_create(scene, NULL, 0, &model, NULL))) {
        abort();
    }
    cr_scene_destroy(scene);
    return model;
}

static void check(const cr_recording *r)
{
    for (int i = 0; i < r->count; i++) {
        const cr_sighting *s = &r->samples[i];
        if (!isfinite(s->time) || !isfinite(s->pose.position.x + s->pose.position.y) ||
            (i > 0 && s->time < r->samples[i - 1].time)) {
            abort();
        }
    }
}

static void write_and_read(const cr_recording *r)
{
    cri_text text = {0};
    cr_recording *again = NULL;
    cri_recording_print(r, &text);
    cr_status status =
        text.failed ? CR_ERR_MEMORY
                    : cr_recording_read_text(r->model, text.data, text.length, "t", &again, NULL);
    // What is rounded may become an outlier or a duplicate, but never an error of the format.
    if (status != CR_OK && status != CR_ERR_RANGE && status != CR_ERR_MEMORY) {
        abort();
    }
    cr_recording_destroy(again);
    cri_text_free(&text);
}

static void fit_to(const cr_recording *r)
{
    cr_fit *fit = NULL;
    cr_fit_def def = cr_default_fit_def();
    def.threads = 1;
    double span = r->samples[r->count - 1].time - r->samples[0].time;
    if (span < 5 && cr_fit_create(r->model, &r, 1, &def, &fit, NULL) == CR_OK &&
        cr_fit_add(fit, "default.friction", NULL) == CR_OK) {
        double value = 0.3;
        cr_fit_error error;
        if (cr_fit_evaluate(fit, &value, 1, &error, NULL) == CR_OK && isnan(error.total)) {
            abort();
        }
    }
    cr_fit_destroy(fit);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    char *text = malloc(size + 1);
    if (!text) {
        return 0;
    }
    memcpy(text, data, size);
    text[size] = 0;
    cr_report report = {0};
    cr_recording *recording = NULL;
    cr_status status = cr_recording_read_text(world(), text, size, "fuzz.csv", &recording, &report);
    if ((status == CR_OK) != (recording != NULL) || (status != CR_OK && report.count == 0)) {
        abort();
    }
    if (recording) {
        check(recording);
        write_and_read(recording);
        fit_to(recording);
    }
    cr_recording_destroy(recording);
    free(text);
    return 0;
}
