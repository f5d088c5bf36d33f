// Selection: which decision to grow from. What a select sees is public (carom/select.h); a new
// planner is one more file select_*.c and a line in src/library/built_in.c.
#ifndef CRI_SELECT_H
#define CRI_SELECT_H

#include "plan/nearest.h"
#include "plan/tree.h"

struct cr_selection {
    const cr_select_type *type;
    const cri_tree *tree;
    cri_neighbours neighbours; // every decision of the tree; empty where nothing is sampled
    cr_select_call call;       // what the select is shown
};

// For a tree that is made. def stays the caller's. Free it also after a failure.
cr_status cri_selection_create(cr_selection *selection, const cri_tree *tree,
                               const cr_planner_def *def, cr_report *report);
void cri_selection_free(cr_selection *selection);

// As it was when it was made, for a tree that is restarted. On failure it stays as it is.
cr_status cri_selection_restart(cr_selection *selection, cr_report *report);

// Let selects find the decision at the end of a branch.
void cri_selection_add(cr_selection *selection, int32_t branch);

// Take the averages anew.
void cri_selection_update(cr_selection *selection);

// Choose from the tree's candidates, of which there is at least one. rng: for this choice alone.
int32_t cri_selection_choose(cr_selection *selection, const cr_sample *sample, cr_rng *rng);

// An attempt from the parent is back; branch -1: it was not kept.
void cri_selection_kept(cr_selection *selection, int32_t parent, int32_t branch);

// Built-in choices that others are made of.
int64_t cri_choose_uniform(const cr_select_call *call);
int64_t cri_choose_rrt(const cr_select_call *call);
int64_t cri_choose_bgt(const cr_select_call *call);

#endif
