// SRDF beside URDF.
#ifndef CRI_REACH_URDF_H
#define CRI_REACH_URDF_H

#include "reach/arm.h"

// Allowed collisions, the tip of the first chain and the first group state, from text->srdf.
cr_status cri_srdf_apply(cr_arm *arm, const cr_arm_text *text, cr_report *report);

#endif
