// The root of a search, as planners, plans and replays keep it: a copy of the caller's cr_root.
#ifndef CRI_ROOT_H
#define CRI_ROOT_H

#include "carom/planner.h"
#include "scene/model.h"

typedef struct cri_root {
    cr_state *state;
    uint64_t *mask;   // pairs that may collide in steps from states that are as far as far_step
    int64_t far_step; // INT64_MAX: there is no mask
} cri_root;

// Set memory aside, and begin at the model's start. CR_OK or CR_ERR_MEMORY.
cr_status cri_root_create(const cr_model *model, cri_arena *arena, cri_root *root);

// What a search cannot start from: a state that is none of the model's, or a t_lod below 0. Whether
// it breaks a rule is another question.
cr_status cri_root_check(const cr_model *model, const cr_root *root, cr_report *report);

// Copy a root that was checked.
void cri_root_set(const cr_model *model, cri_root *root, const cr_root *from);

// The root as callers see it.
cr_root cri_root_view(const cr_model *model, const cri_root *root);

// True if it is the scene's start, with all pairs that may collide: plans do not store that one.
bool cri_root_is_start(const cr_model *model, const cri_root *root);

// The mask of a step from that state.
static inline const uint64_t *cri_root_mask(const cri_root *root, const cr_state *state)
{
    return state->step >= root->far_step ? root->mask : NULL;
}

#endif
