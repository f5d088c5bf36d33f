// Balanced growth (003, algorithm 9): keep mean leaf depth / mean branching factor near mu.
//
// The seeds leave the averages open. Here a leaf's depth is its steps from the start, busy ones
// included, and the branching factor is children per decision that has any. Above mu the tree is
// too thin: grow from a decision that has children already. Else it is too shallow: grow from a
// leaf. If one class has no candidate, the other is taken. All in constant time.
#include "plan/select.h"

int32_t cri_select_bgt(const cri_selection *selection, const cri_sample *sample, cr_rng *rng)
{
    (void)sample;
    const cri_tree *tree = selection->tree;
    bool broaden = selection->mean_leaf_depth / selection->mean_branching > selection->def->mu;
    if ((broaden && tree->inner_count > 0) || tree->leaf_count == 0) {
        return tree->inners[cr_rng_index(rng, (uint64_t)tree->inner_count)];
    }
    return tree->leaves[cr_rng_index(rng, (uint64_t)tree->leaf_count)];
}
