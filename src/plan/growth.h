// Where the tree may grow on, and what ends a Skill that will not end (003, 5.3.1).
#ifndef CRI_GROWTH_H
#define CRI_GROWTH_H

#include "carom/engine.h"
#include "carom/planner.h"

// Whether a branch ends in this state, to be grown from:
//
//   grow_from: decisions   where somebody draws, because from elsewhere there is one future only;
//                          with `chance: nature`, where a controlled body's Tactic does; with
//                          `predict: linear` too, as no foreign one acts
//   grow_from: free        where no controlled body's Tactic is busy, whether there is something to
//                          draw or not: the published rule (algorithms 5 and 6)
bool cri_may_grow(const cr_model *model, const cr_planner_def *def, const cr_state *state);

// Behind every `longest` steps of a branch the Skills of controlled bodies that are still busy are
// over. steps: of the branch, up to this state.
void cri_time_out(const cr_model *model, const cr_planner_def *def, int64_t steps, cr_state *state);

// Whose Tactics act, by Tactic; NULL: all. With `predict: linear` those of foreign bodies do not.
const bool *cri_acting(const cr_model *model, const cr_planner_def *def);

// True if the choices of this Tactic's are choices of the search's worlds.
bool cri_acts(const cr_model *model, const cr_planner_def *def, int tactic);

// Foreign bodies that nobody acts on go on as they move: those that forces move by themselves, the
// others by this action.
void cri_coast(const cr_model *model, const cr_state *state, cr_action *actions);

#endif
