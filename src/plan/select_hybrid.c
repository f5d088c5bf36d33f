// 003, 5.5.3: a coin decides between bgt and rrt at each choice.
#include "plan/select.h"

static int64_t choose(const cr_select_call *call)
{
    bool bgt = cr_rng_unit(call->rng) < call->def->bgt_share;
    return bgt ? cri_choose_bgt(call) : cri_choose_rrt(call);
}

const cr_select_type cri_select_hybrid = {
    .name = "hybrid",
    .about = "bgt with probability bgt_share, else rrt",
    .samples = true,
    .choose = choose,
};
