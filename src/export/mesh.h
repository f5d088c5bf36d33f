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

// A car that fills a box of that half size, its nose along x: what is painted, or windows and
// tyres.
typedef enum cri_car_piece { CRI_CAR_PAINT, CRI_CAR_DARK } cri_car_piece;

void cri_mesh_add_car(cri_mesh *mesh, cr_vec3 half, cri_car_piece piece);

void cri_mesh_free(cri_mesh *mesh);

#endif
