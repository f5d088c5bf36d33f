#include "reach/tree.h"

#include <stdlib.h>
#include <string.h>

enum { MAX_KEY = 3 * CRI_MAX_PLACES };

bool cri_reach_tree_create(cri_reach_tree *tree, int capacity)
{
    size_t nodes = ((size_t)capacity + 7) / 8 * 8;
    *tree = (cri_reach_tree){.capacity = capacity};
    // Reserved, not touched: pages that no tree reaches cost nothing.
    tree->values = malloc(nodes * CR_ARM_MAX_DOFS * sizeof(float));
    tree->keys = malloc(nodes * MAX_KEY * sizeof(float));
    tree->parents = malloc(nodes * sizeof(int));
    if (!tree->values || !tree->keys || !tree->parents) {
        cri_reach_tree_free(tree);
        return false;
    }
    return true;
}

void cri_reach_tree_free(cri_reach_tree *tree)
{
    free(tree->values);
    free(tree->keys);
    free(tree->parents);
    *tree = (cri_reach_tree){0};
}

void cri_reach_tree_clear(cri_reach_tree *tree, int dof_count, int key_size)
{
    tree->count = 0;
    tree->dof_count = dof_count;
    tree->key_size = key_size;
}

int cri_reach_tree_add(cri_reach_tree *tree, const cri_grown *grown)
{
    if (tree->count == tree->capacity) {
        return -1;
    }
    int node = tree->count++;
    size_t dofs = (size_t)tree->dof_count;
    memcpy(tree->values + (size_t)node * dofs, grown->q, dofs * sizeof(float));
    tree->parents[node] = grown->parent;
    float *block = tree->keys + (size_t)(node / 8) * (size_t)tree->key_size * 8;
    for (int d = 0; d < tree->key_size; d++) {
        for (int l = node % 8; l < 8 && node % 8 == 0; l++) {
            block[d * 8 + l] = 1e18f; // far from everything
        }
        block[d * 8 + node % 8] = grown->key[d];
    }
    return node;
}
