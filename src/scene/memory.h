// What conditions remember of the past: `once`, `stays` and `times`. Each has a word of the state,
// which says all that later states need of the earlier ones, so a state still is everything that a
// later one may depend on:
//
//     once    1 from the state on in which its condition held, else 0
//     stays   how many states in a row its condition has held, this one included
//     times   twice how often its condition has begun to hold, and 1 more while it holds
//
// None counts farther than the condition asks about, so that states which are alike stay alike.
#ifndef CRI_MEMORY_H
#define CRI_MEMORY_H

#include "scene/model.h"

// Note what holds in a state that has just come about: after every step, and at the start.
void cri_remember(const cr_model *model, cr_state *state);

// Forget what is counted since the Tactic came to its Skill: it comes to another now.
void cri_forget(const cr_model *model, cr_state *state, int tactic);

// True if the memory holds, in the words of the scene.
bool cri_memory_holds(const cr_model *model, const cri_condition *condition, const cr_state *state);

// The largest value that the memory's word may have.
int64_t cri_memory_most(const cri_condition *condition);

#endif
