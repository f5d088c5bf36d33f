// An arm as one task needs it: standing elsewhere, with joints that do not move, with padding.
#ifndef CRI_REACH_VARIANT_H
#define CRI_REACH_VARIANT_H

#include "reach/arm.h"

// A copy to change and then to seal; it lives in the arena, and its names in the arm. NULL when
// memory runs out.
cr_arm *cri_arm_copy(const cr_arm *arm, cri_arena *arena);

// Put the root there.
void cri_arm_stand(cr_arm *arm, cr_pose base);

// Keep a degree of freedom at a value.
void cri_arm_hold(cr_arm *arm, int dof, double value);

// Keep obstacles farther from a link: its solids are scaled about their middles, then padded by so
// many metres. Between links it changes nothing. What is wrong with it, or NULL.
const char *cri_arm_pad(cr_arm *arm, int link, double scale, double padding);

#endif
