// The nearest decision to the sample (003, algorithm 5) under the time metric (5.3.4): how long the
// sampled body would need from the decision's state to the sample with trapezoidal motion, and to
// the sample's heading if it has one. Where the scene samples nothing, any decision is as near as
// any other.
#include "plan/select.h"

int64_t cri_choose_rrt(const cr_select_call *call)
{
    int64_t nearest = cr_select_nearest(call, call->sample);
    return nearest >= 0 ? nearest : cri_choose_uniform(call);
}

const cr_select_type cri_select_rrt = {
    .name = "rrt",
    .about = "the nearest decision to the sample, by time",
    .samples = true,
    .choose = cri_choose_rrt,
};
