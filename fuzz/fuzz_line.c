// Any bytes as a race line. One that is accepted can be measured: every point has a place and a
// curvature, and a lap along it, for a point mass, takes some time.
#include <math.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "carom/carom.h"
#include "drive/line.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

// Slow to make, and the same for every line.
static const cri_envelope *limits(void)
{
    static cri_envelope *envelope;
    cr_car car = cr_default_car();
    if (!envelope && cri_envelope_create(&car, CRI_LIMITS_POINT, &envelope, NULL) != CR_OK) {
        abort();
    }
    return envelope;
}

static void use(const cri_line *line)
{
    for (int i = 0; i < line->count; i++) {
        if (!isfinite(line->along[i]) || !isfinite(line->curvature[i])) {
            abort();
        }
    }
    double *speeds = malloc(((size_t)line->count + 2) * sizeof *speeds);
    if (speeds) {
        double seconds = cri_line_speeds(line, limits(), 0, speeds);
        if (!(seconds > 0) || !isfinite(seconds) || !(line->length > 0)) {
            abort();
        }
    }
    free(speeds);
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
    cri_line *line = NULL;
    cr_status status = cri_line_parse(text, size, "fuzz.csv", &line, &report);
    if ((status == CR_OK) != (line != NULL) || (status != CR_OK && report.count == 0)) {
        abort();
    }
    if (line) {
        use(line);
    }
    cri_line_destroy(line);
    free(text);
    return 0;
}
