// A condition: a body is high up.
#include "own.h"

static const cr_param above_params[] = {
    {"body", CR_PARAM_BODY, "", 0, 0, NULL, "which"},
    {"height", CR_PARAM_NUMBER, "m", -100, 100, NULL, "above this"},
};

static bool above(const cr_condition_call *call)
{
    cr_pose pose = cr_state_pose(call->model, call->state, cr_condition_body(call, 0));
    return pose.position.z > cr_condition_number(call, 1);
}

const cr_condition_type own_above = {.name = "above",
                                     .about = "a body is high up",
                                     .param_count = 2,
                                     .params = above_params,
                                     .holds = above,
                                     .only_params = true};
