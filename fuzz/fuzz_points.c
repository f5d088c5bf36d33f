// Any bytes as a mesh: the first says whether it is an .obj or an .stl. Its points lie in the box
// around them, or there is a message; their hull, if they have one, holds them all or has as many
// corners as it may.
#include <math.h>

#include "carom/carom.h"
#include "file.h"
#include "geom/hull.h"
#include "geom/points.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static bool has_volume(const cr_hull *h)
{
    cri_mass m = cri_hull_mass(h);
    return h->corner_count >= 4 && h->face_count >= 4 && m.volume > 0 && isfinite(m.inertia.x);
}

static void check_hull(const cri_points *p)
{
    static cr_hull hull;
    if (cri_hull_make(p->items, p->count, &hull) != CR_OK) {
        return;
    }
    double size = cri_length(cri_sub(p->high, p->low)), out = 0;
    for (size_t i = 0; i < p->count; i++) {
        out = fmax(out, cri_hull_nearest(&hull, p->items[i]).distance);
    }
    if (!has_volume(&hull) || (out > 1e-4 * size && hull.corner_count < CR_HULL_MAX_CORNERS / 2)) {
        abort();
    }
    cri_hull_settle(&hull);
    if (!has_volume(&hull)) {
        abort();
    }
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    if (size == 0) {
        return 0;
    }
    fuzz_file file = file_of(data + 1, size - 1, data[0] % 2 ? ".obj" : ".stl");
    cri_points p;
    cr_report report = {0};
    cr_status status =
        cri_points_read(file.path, (cri_location){"fuzz.yaml", 1, 1}, true, &p, &report);
    bool box = p.low.x <= p.high.x && p.low.y <= p.high.y && p.low.z <= p.high.z &&
               isfinite(p.low.x + p.low.y + p.low.z + p.high.x + p.high.y + p.high.z);
    if ((status == CR_OK && !box) || (status != CR_OK && report.count == 0)) {
        abort();
    }
    if (status == CR_OK) {
        check_hull(&p);
    }
    cri_points_free(&p);
    remove_file(&file);
    return 0;
}
