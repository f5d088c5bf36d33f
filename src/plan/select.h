// Selection: which decision to grow from. A policy sees the tree and answers with a branch; a new
// planner is one more file select_*.c and one row of the table in select.c.
#ifndef CRI_SELECT_H
#define CRI_SELECT_H

#include "plan/nearest.h"
#include "plan/tree.h"

typedef struct cri_selection {
    const cr_model *model;
    const cr_planner_def *def;
    const cri_tree *tree;
    cri_neighbors neighbors; // every decision of the tree, for rrt; empty where nothing is sampled
    // The averages of algorithm 9 over the tree as it stands.
    double mean_leaf_depth, mean_branching;
} cri_selection;

// Choose from the tree's candidates (there is at least one). sample: the attempt's. rng: for this
// choice alone.
typedef int32_t (*cri_select_function)(const cri_selection *selection, const cri_sample *sample,
                                       cr_rng *rng);

int32_t cri_select_uniform(const cri_selection *selection, const cri_sample *sample, cr_rng *rng);
int32_t cri_select_rrt(const cri_selection *selection, const cri_sample *sample, cr_rng *rng);
int32_t cri_select_bgt(const cri_selection *selection, const cri_sample *sample, cr_rng *rng);
int32_t cri_select_hybrid(const cri_selection *selection, const cri_sample *sample, cr_rng *rng);

cri_select_function cri_select_find(cr_select select);

// True for selects that look for nearest neighbours.
bool cri_select_samples(cr_select select);

// Let rrt find the decision at the end of a branch.
void cri_selection_add(cri_selection *selection, int32_t branch);

// Take the averages anew.
void cri_selection_update(cri_selection *selection);

#endif
