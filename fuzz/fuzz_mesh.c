// Any bytes as a mesh: the first says whether it is an .obj or an .stl. Its bounds are a box, or
// there is a message.
#include <math.h>

#include "carom/carom.h"
#include "file.h"
#include "reach/mesh.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    if (size == 0) {
        return 0;
    }
    fuzz_file file = file_of(data + 1, size - 1, data[0] % 2 ? ".obj" : ".stl");
    cri_reach_bounds b = {{0, 0, 0}, {0, 0, 0}};
    cr_report report = {0};
    cr_status status = cri_mesh_bounds(file.path, (cri_location){"fuzz.urdf", 1, 1}, &b, &report);
    bool box = b.low.x <= b.high.x && b.low.y <= b.high.y && b.low.z <= b.high.z &&
               isfinite(b.low.x + b.low.y + b.low.z + b.high.x + b.high.y + b.high.z);
    if (!box || (status != CR_OK && report.count == 0)) {
        abort();
    }
    remove_file(&file);
    return 0;
}
