// A search tree: configurations, their parents, and the keys that the nearest-neighbour scan reads
// (8 side by side, see cri_keys).
#ifndef CRI_REACH_TREE_H
#define CRI_REACH_TREE_H

#include "reach/checker.h"

typedef struct cri_tree {
    int count, capacity, dof_count, key_size;
    float *values; // configuration i at i * dof_count
    float *keys;
    int *parents; // -1 for the root
} cri_tree;

// Memory for `capacity` nodes of any arm. False when memory runs out.
bool cri_tree_create(cri_tree *tree, int capacity);
void cri_tree_free(cri_tree *tree);

void cri_tree_clear(cri_tree *tree, int dof_count, int key_size);

// The new node's index, or -1 when the tree is full.
int cri_tree_add(cri_tree *tree, const float *q, const float *key, int parent);

static inline const float *cri_tree_at(const cri_tree *tree, int node)
{
    return tree->values + (size_t)node * (size_t)tree->dof_count;
}

#endif
