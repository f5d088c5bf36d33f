// A search tree: configurations, their parents, and the keys that the nearest-neighbour scan reads
// (8 side by side, see cri_reach_keys).
#ifndef CRI_REACH_TREE_H
#define CRI_REACH_TREE_H

#include "reach/checker.h"

typedef struct cri_reach_tree {
    int count, capacity, dof_count, key_size;
    float *values; // configuration i at i * dof_count
    float *keys;
    int *parents; // -1 for the root
} cri_reach_tree;

// Memory for `capacity` nodes of any arm. False when memory runs out.
bool cri_reach_tree_create(cri_reach_tree *tree, int capacity);
void cri_reach_tree_free(cri_reach_tree *tree);

void cri_reach_tree_clear(cri_reach_tree *tree, int dof_count, int key_size);

// A node to add.
typedef struct cri_grown {
    const float *q, *key;
    int parent;
} cri_grown;

// The new node's index, or -1 when the tree is full.
int cri_reach_tree_add(cri_reach_tree *tree, const cri_grown *grown);

static inline const float *cri_reach_tree_at(const cri_reach_tree *tree, int node)
{
    return tree->values + (size_t)node * (size_t)tree->dof_count;
}

#endif
