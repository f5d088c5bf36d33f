// Triangles for the shapes of a body.
#ifndef CRI_MESH_H
#define CRI_MESH_H

#include "export/export.h"

// Corners are not shared between faces that meet at an edge, so that edges stay sharp.
typedef struct cri_mesh {
    int corner_count, corner_capacity;
    cr_vec3 *corners, *normals;
    int index_count, index_capacity;
    uint32_t *indices; // three a triangle, counter-clockwise from outside
    bool failed;       // memory ran out
} cri_mesh;

// Add a part in the body's frame. plane_half: half the side of the square that stands for a plane.
void cri_mesh_add_part(cri_mesh *mesh, const cr_part *part, double plane_half);

void cri_mesh_free(cri_mesh *mesh);

#endif
