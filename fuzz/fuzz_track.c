// Any bytes as a track: the first says whether it is a loop. A track that is accepted must be fit
// to drive on: points on it are found again, boxes are tested against its walls, its own race line
// has a time.
#include <math.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "carom/carom.h"
#include "drive/line.h"

enum { PLACES = 50 };

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void use(const cr_track *track)
{
    double length = cr_track_length(track);
    cri_spot spot = cri_track_spot(track, 0);
    for (int i = 0; i < PLACES; i++) {
        cri_drive_pose p = cri_track_pose(track, length * i / PLACES, 0.1 * i);
        cri_track_follow(track, &spot, p.x, p.y);
        cri_box box = {p.x, p.y, p.c, p.s, 1.8, 0.85};
        double clearance = cri_track_clearance(track, &box, 2);
        if (!isfinite(spot.along) || !isfinite(spot.aside) ||
            cri_track_hits(track, &box) != (clearance == 0)) {
            abort();
        }
    }
    for (int i = 0; i < track->gate_count; i++) {
        if (!isfinite(track->line->curvature[i]) || !isfinite(track->line->along[i])) {
            abort();
        }
    }
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    if (size == 0) {
        return 0;
    }
    char *text = malloc(size);
    if (!text) {
        return 0;
    }
    memcpy(text, data + 1, size - 1);
    text[size - 1] = 0;
    cr_report report = {0};
    cr_track *track = NULL;
    cr_status status =
        cri_track_parse(text, size - 1, "fuzz.csv", data[0] % 2 == 1, &track, &report);
    if ((status == CR_OK) != (track != NULL) || (status != CR_OK && report.count == 0)) {
        abort();
    }
    if (track) {
        use(track);
    }
    cr_track_destroy(track);
    free(text);
    return 0;
}
