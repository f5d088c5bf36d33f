// Any decision, all alike: the uninformed choice of 003, algorithm 1, and the baseline of every
// table.
#include "plan/select.h"

int32_t cri_select_uniform(const cri_selection *selection, const cri_sample *sample, cr_rng *rng)
{
    (void)sample;
    const cri_tree *tree = selection->tree;
    uint64_t count = (uint64_t)cri_tree_candidates(tree);
    return cri_tree_candidate(tree, (int64_t)cr_rng_index(rng, count));
}
