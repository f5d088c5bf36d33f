// The search tree. Its unit is the branch: a run of steps from one decision to the next, of which
// only the last state is kept (what lies between is a replay away). Memory is set aside once; a
// branch is an index.
//
//   branches   [ 0: root  | 1 | 2 | ... ]      parent, attempt, steps, depth, children
//   states     [ state 0  | 1 | 2 | ... ]      the state at each branch's end
//   leaves     [ branches to grow from that have no children ]    both lists unordered;
//   inners     [ branches to grow from that have some        ]    place[b] says where b is
//
// Depth and branching averages (003, algorithm 9) follow from three running sums.
#ifndef CRI_TREE_H
#define CRI_TREE_H

#include "scene/model.h"

typedef struct cri_tree_branch {
    int64_t attempt;
    int32_t parent;       // -1 for the root
    int32_t steps;        // length
    int32_t depth;        // steps from the root to its end
    int32_t children;     // kept branches that start at its end
    int32_t place;        // in leaves or inners, or -1 if it cannot be grown from
    unsigned picked : 16; // attempts under way that start at its end
    bool in_leaves : 1;   // which list
    bool ended : 1;       // cannot be grown from
    bool goal : 1;
    bool cut : 1; // ended by the limits of the search
} cri_tree_branch;

typedef struct cri_tree {
    const cr_model *model;
    int64_t capacity; // branches
    int32_t count;
    cri_tree_branch *branches;
    char *states; // state_size bytes each
    int32_t *leaves, *inners;
    int32_t *moved;                  // cri_tree_reroot: where each branch has gone, or -1
    int32_t leaf_count, inner_count; // of the two lists
    int64_t node_count;              // steps kept, and the root
    int32_t parent_count;            // branches with children
    int64_t leaf_depth_sum;          // over all branches without children, ended ones too
    uint64_t hash;
} cri_tree;

// Set memory aside for so many nodes.
cr_status cri_tree_create(const cr_model *model, int64_t nodes, cri_tree *tree, cr_report *report);

// Forget all branches: a tree of the root alone. Allocates nothing.
void cri_tree_restart(cri_tree *tree, const cr_state *root, bool is_decision);
// Make the end of a branch the root: what was grown below it is kept, in its order, and the rest
// forgotten. Allocates nothing. moved[b] says afterwards where branch b has gone.
void cri_tree_reroot(cri_tree *tree, int32_t branch, bool is_decision);
void cri_tree_free(cri_tree *tree);
size_t cri_tree_bytes(const cri_tree *tree);

static inline const cr_state *cri_tree_state(const cri_tree *tree, int64_t branch)
{
    return (const cr_state *)(const void *)(tree->states +
                                            (size_t)branch * tree->model->state_size);
}

// A branch to be added.
typedef struct cri_new_branch {
    int32_t parent;
    int64_t attempt, steps;
    bool ended, goal, cut;
    const cr_state *end;
} cri_new_branch;

// What the public headers say of a branch.
cr_branch cri_tree_branch_at(const cri_tree *tree, int64_t branch);

// Add a branch; there must be room. Returns its index.
int32_t cri_tree_add(cri_tree *tree, const cri_new_branch *branch);

// While an attempt from it is under way, a leaf counts as an inner one, so that a round does not
// pile onto one leaf. When its last attempt is back it is a leaf again unless it got a child.
void cri_tree_pick(cri_tree *tree, int32_t branch);
void cri_tree_unpick(cri_tree *tree, int32_t branch);

// How many branches can be grown from, and the i-th of them.
static inline int64_t cri_tree_candidates(const cri_tree *tree)
{
    return (int64_t)tree->leaf_count + tree->inner_count;
}

static inline int32_t cri_tree_candidate(const cri_tree *tree, int64_t i)
{
    return i < tree->leaf_count ? tree->leaves[i] : tree->inners[i - tree->leaf_count];
}

#endif
