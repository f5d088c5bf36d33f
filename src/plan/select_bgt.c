// Balanced growth (003, algorithm 9): keep mean leaf depth / mean branching factor near mu.
//
// The seeds leave the averages open. Here a leaf's depth is its steps from the start, busy ones
// included, and the branching factor is children per decision that has any. Above mu the tree is
// too thin: grow from a decision that has children already. Else it is too shallow: grow from a
// leaf. If one class has no candidate, the other is taken. All in constant time.
#include "plan/select.h"

int64_t cri_choose_bgt(const cr_select_call *call)
{
    bool broaden = call->mean_leaf_depth / call->mean_branching > call->def->mu;
    if ((broaden && call->inner_count > 0) || call->leaf_count == 0) {
        return cr_select_inner(call, (int64_t)cr_rng_index(call->rng, (uint64_t)call->inner_count));
    }
    return cr_select_leaf(call, (int64_t)cr_rng_index(call->rng, (uint64_t)call->leaf_count));
}

const cr_select_type cri_select_bgt = {
    .name = "bgt",
    .about = "a leaf or an inner decision, so that depth over breadth stays near mu",
    .choose = cri_choose_bgt,
};
