// The nearest decision to the sample (003, algorithm 5) under the time metric (5.3.4): how long the
// sampled body would need from the decision's state to the sample with trapezoidal motion, and to
// the sample's heading if it has one. Where the scene samples nothing, any decision is as near as
// any other.
#include "plan/select.h"

int32_t cri_select_rrt(const cri_selection *selection, const cri_sample *sample, cr_rng *rng)
{
    if (selection->neighbours.count == 0) {
        return cri_select_uniform(selection, sample, rng);
    }
    return cri_neighbours_find(&selection->neighbours, sample);
}
