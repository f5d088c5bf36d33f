// The text of a scene with some of its numbers changed, and everything else as it was written:
// comments, names, expressions. What is written is read like any other scene.
#ifndef CRI_REWRITE_H
#define CRI_REWRITE_H

#include "base/file.h"
#include "scene/groups.h"

// What becomes of the things of a group: x is scale * x + shift.x, y likewise, z is rise * z +
// shift.z. Sizes are multiplied by scale, heights by rise.
typedef struct cri_change {
    double scale, rise;
    cr_vec3 shift;
} cri_change;

// Write the scene of a model with a change for each of its groups, and with a line that says what
// share and seed made it. False when memory runs out, or after a report when a number cannot be
// rewritten because it goes over several lines.
bool cri_rewrite(const cr_model *model, const cri_groups *groups, const cri_change *changes,
                 const char *varied, cri_text *text, cr_report *report);

#endif
