// The points of .obj and .stl files: for hulls, and for boxes around meshes.
#ifndef CRI_POINTS_H
#define CRI_POINTS_H

#include <stddef.h>

#include "base/report.h"

typedef struct cri_points {
    cr_vec3 low, high; // of the box around all
    size_t count;
    cr_vec3 *items; // malloc; NULL where they were not kept
} cri_points;

// How many points of a file are kept at most.
enum { CRI_POINTS_MAX = 1000000 };

// Read a file. keep: its points, at most CRI_POINTS_MAX, not the box around them alone. place:
// where the file is named. On failure nothing is kept. Free with cri_points_free.
cr_status cri_points_read(const char *path, cri_location place, bool keep, cri_points *points,
                          cr_report *report);
void cri_points_free(cri_points *points);

#endif
