// The inside of a recording: samples by time, mended.
#ifndef CRI_RECORDING_H
#define CRI_RECORDING_H

#include "carom/fit.h"

struct cr_recording {
    const cr_model *model;
    char *name;
    cr_sighting *samples; // by time; those of one frame in the order of the file
    int count, capacity;
    bool actions; // some sample has one
    cr_recording_notes notes;
};

// An empty one. NULL if there is no memory.
cr_recording *cri_recording_create(const cr_model *model, const char *name);

// Add a sample behind the last. CR_ERR_MEMORY, or CR_OK.
cr_status cri_recording_add(cr_recording *recording, const cr_sighting *sample, cr_report *report);

// Leave out duplicates and outliers, move back what a switched camera moved, count gaps (mend.c).
cr_status cri_recording_mend(cr_recording *recording, cr_report *report);

// The recording as text.
typedef struct cri_text cri_text;
void cri_recording_print(const cr_recording *recording, cri_text *text);

#endif
