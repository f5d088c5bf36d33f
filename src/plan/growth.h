// Where the tree may grow on, and what ends a Skill that will not end (003, 5.3.1).
#ifndef CRI_GROWTH_H
#define CRI_GROWTH_H

#include "carom/planner.h"

// Whether a branch ends in this state, to be grown from:
//
//   grow_from: decisions   where somebody draws, because from elsewhere there is one future only;
//                          with `chance: nature`, where a controlled body's Tactic does
//   grow_from: free        where no controlled body's Tactic is busy, whether there is something to
//                          draw or not: the published rule (algorithms 5 and 6)
bool cri_may_grow(const cr_model *model, const cr_planner_def *def, const cr_state *state);

// Behind every `longest` steps of a branch the Skills of controlled bodies that are still busy are
// over. steps: of the branch, up to this state.
void cri_time_out(const cr_model *model, const cr_planner_def *def, int64_t steps, cr_state *state);

#endif
