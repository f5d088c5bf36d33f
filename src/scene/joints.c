// The built-in conditions and quantities of joints; src/library/built_in.c lists them.
#include <math.h>
#include <stddef.h>

#include "scene/calls.h"

#define COUNT(array) ((int)(sizeof(array) / sizeof((array)[0])))

static double way_of(const cr_condition_call *call)
{
    return cr_state_joint_way(call->model, call->state, cri_condition_joint(call, 0));
}

// On which side of the limit it is.
static bool way_holds(const cr_condition_call *call)
{
    double way = way_of(call), limit = cri_condition_number(call, 2);
    return cri_condition_choice(call, 1) == 0 ? way < limit : way > limit;
}

// ---------------------------------------------------------------------------------------------

static const cr_param angle_params[] = {
    {"joint", CR_PARAM_JOINT, "hinge", 0, 0, NULL, "a hinge"},
    {"side", CR_PARAM_CHOICE, "below|above", 0, 0, NULL, "which side of the limit"},
    {"limit", CR_PARAM_NUMBER, "rad", -1e6, 1e6, NULL, "from the start as written"},
};

const cr_condition_type cri_condition_angle = {
    .name = "angle",
    .about = "the hinge has turned less or more than that since the start",
    .param_count = COUNT(angle_params),
    .params = angle_params,
    .holds = way_holds,
};

static const cr_param slide_params[] = {
    {"joint", CR_PARAM_JOINT, "slider", 0, 0, NULL, "a slider"},
    {"side", CR_PARAM_CHOICE, "below|above", 0, 0, NULL, "which side of the limit"},
    {"limit", CR_PARAM_NUMBER, "m", -1e6, 1e6, NULL, "from the start as written"},
};

const cr_condition_type cri_condition_slide = {
    .name = "slide",
    .about = "the slider has gone less or more far than that since the start",
    .param_count = COUNT(slide_params),
    .params = slide_params,
    .holds = way_holds,
};

// ---------------------------------------------------------------------------------------------

static const cr_param broken_params[] = {
    {"joint", CR_PARAM_JOINT, "", 0, 0, NULL, "a joint that breaks"},
};

static bool broken_holds(const cr_condition_call *call)
{
    return cr_state_joint_broken(call->model, call->state, cri_condition_joint(call, 0));
}

static const char *broken_why_never(const cr_condition_call *call)
{
    const cr_joint_numbers *n = &call->model->joints[cri_condition_joint(call, 0)].numbers;
    return isinf(n->breaking_force) && isinf(n->breaking_torque)
               ? "the joint has no \"breaks\" and holds for ever"
               : NULL;
}

const cr_condition_type cri_condition_broken = {
    .name = "broken",
    .about = "the joint is broken",
    .param_count = COUNT(broken_params),
    .params = broken_params,
    .holds = broken_holds,
    .why_never = broken_why_never,
};

// ---------------------------------------------------------------------------------------------

const cr_quantity_type cri_quantity_angle = {
    .name = "angle",
    .about = "of a hinge, since the start",
    .unit = "rad",
    .param_count = 1,
    .params = angle_params,
    .value = way_of,
};

const cr_quantity_type cri_quantity_slide = {
    .name = "slide",
    .about = "of a slider, since the start",
    .unit = "m",
    .param_count = 1,
    .params = slide_params,
    .value = way_of,
};
