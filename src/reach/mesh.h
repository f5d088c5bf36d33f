// Meshes as collision shapes: only their bounding box is taken, which is safe.
#ifndef CRI_REACH_MESH_H
#define CRI_REACH_MESH_H

#include "base/report.h"

typedef struct cri_reach_bounds {
    cr_vec3 low, high;
} cri_reach_bounds;

// The bounding box of an .obj or .stl file. place: where the mesh is named.
cr_status cri_mesh_bounds(const char *path, cri_location place, cri_reach_bounds *bounds,
                          cr_report *report);

#endif
