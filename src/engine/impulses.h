// Sequential impulses: a contact solver of our own, in double, for bodies of any shape.
#ifndef CRI_IMPULSES_H
#define CRI_IMPULSES_H

#include "engine/world.h"

typedef struct cri_row cri_row; // of one direction of one point

typedef struct cri_impulses {
    cri_world base; // base.solve is set
    cri_row *rows;  // three a point
} cri_impulses;

// A world solved by sequential impulses. On failure it is empty.
cr_status cri_impulses_init(cri_impulses *solver, const cr_model *model, cr_report *report);
void cri_impulses_free(cri_impulses *solver);

#endif
