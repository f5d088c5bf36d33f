// The nearest decision to the sample (003, algorithm 5) under the time metric (5.3.4): how long the
// sampled body would need from the decision's state to the sample with trapezoidal motion, and to
// the sample's heading if it has one.
//
// Exact, by a scan: a decision whose lower bound is no better than the best so far is passed over.
// Ties go to the older branch, whatever the order of the candidates.
#include "plan/select.h"

#include "base/trig.h"
#include "behavior/motion.h"

static double arrival_time(const cri_selection *selection, const cr_body_state *body,
                           const cri_sample *sample)
{
    const cri_sampling *sampling = &selection->model->sampling;
    const cr_limits *limits = &selection->model->bodies[sampling->body].limits;
    cr_vec3 offset = cri_sub(sample->place, body->position);
    double dt = selection->model->dt;
    double time = cri_drive_to(offset, body->velocity, limits, dt).time;
    if (sampling->has_heading) {
        double error = cri_wrap(sample->heading - cri_heading(body->rotation));
        double turn =
            cri_profile_axis(error, body->spin.z, limits->turn_speed, limits->turn_acceleration, dt)
                .time;
        time = turn > time ? turn : time;
    }
    return time;
}

int32_t cri_select_rrt(const cri_selection *selection, const cri_sample *sample, cr_rng *rng)
{
    const cr_model *model = selection->model;
    const cri_tree *tree = selection->tree;
    if (!model->sampling.present) {
        return cri_select_uniform(selection, sample, rng);
    }
    const cr_body *sampled = &model->bodies[model->sampling.body];
    int64_t count = cri_tree_candidates(tree);
    int32_t best = -1;
    double best_time = HUGE_VAL;
    for (int64_t i = 0; i < count; i++) {
        int32_t branch = cri_tree_candidate(tree, i);
        const cr_body_state *body =
            &cri_bodies_const(model, cri_tree_state(tree, branch))[sampled->slot];
        cr_vec3 offset = cri_sub(sample->place, body->position);
        if (cri_drive_bound(offset, body->velocity, &sampled->limits) > best_time) {
            continue;
        }
        double time = arrival_time(selection, body, sample);
        if (time < best_time || (time == best_time && branch < best)) {
            best = branch;
            best_time = time;
        }
    }
    return best;
}
