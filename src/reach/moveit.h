// MoveIt files from texts, for tests and fuzzing.
#ifndef CRI_REACH_MOVEIT_H
#define CRI_REACH_MOVEIT_H

#include "carom/reach.h"

typedef struct cri_moveit_text {
    const char *text; // a request may be NULL
    size_t length;
    const char *name; // stands for the file in messages
} cri_moveit_text;

// See cr_moveit_read.
cr_status cri_moveit_parse(const cr_arm *arm, cri_moveit_text scene, cri_moveit_text request,
                           cr_reach_tasks **tasks, cr_report *report);

#endif
