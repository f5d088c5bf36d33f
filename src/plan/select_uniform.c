// Any decision, all alike: the uninformed choice of 003, algorithm 1, and the baseline of every
// table.
#include "plan/select.h"

int64_t cri_choose_uniform(const cr_select_call *call)
{
    uint64_t count = (uint64_t)(call->leaf_count + call->inner_count);
    int64_t i = (int64_t)cr_rng_index(call->rng, count);
    return i < call->leaf_count ? cr_select_leaf(call, i)
                                : cr_select_inner(call, i - call->leaf_count);
}

const cr_select_type cri_select_uniform = {
    .name = "uniform",
    .about = "any decision, all alike",
    .choose = cri_choose_uniform,
};
