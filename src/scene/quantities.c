// The built-in quantities that scores are made of, cri_quantity_<name> each;
// src/library/built_in.c lists them.
#define CRI_TRUSTED // see base/trust.h

#include "base/vec.h"
#include "scene/calls.h"

#define COUNT(array) ((int)(sizeof(array) / sizeof((array)[0])))

static const cr_param distance_params[] = {
    {"a", CR_PARAM_THING, "", 0, 0, NULL, "a body or region"},
    {"b", CR_PARAM_THING, "", 0, 0, NULL, "another"},
};

// Without the public functions: searches ask for it at every step.
static double distance_value(const cr_condition_call *call)
{
    return cri_length(cri_sub(cri_condition_where(call, 0), cri_condition_where(call, 1)));
}

const cr_quantity_type cri_quantity_distance = {
    .name = "distance",
    .about = "between the centres of two things",
    .unit = "m",
    .param_count = COUNT(distance_params),
    .params = distance_params,
    .value = distance_value,
    .only_params = true,
};

// ---------------------------------------------------------------------------------------------

static const cr_param body_params[] = {
    {"body", CR_PARAM_BODY, "", 0, 0, NULL, "a body"},
};

static double speed_value(const cr_condition_call *call)
{
    return cri_length(cr_state_velocity(call->model, call->state, cr_condition_body(call, 0)));
}

const cr_quantity_type cri_quantity_speed = {
    .name = "speed",
    .about = "of a body's centre of mass",
    .unit = "m/s",
    .param_count = COUNT(body_params),
    .params = body_params,
    .value = speed_value,
    .only_params = true,
};

static double height_value(const cr_condition_call *call)
{
    return cri_thing_position(call->model, call->state, cr_condition_body(call, 0)).z;
}

const cr_quantity_type cri_quantity_height = {
    .name = "height",
    .about = "of a body's centre of mass",
    .unit = "m",
    .param_count = COUNT(body_params),
    .params = body_params,
    .value = height_value,
    .only_params = true,
};

static double tilt_value(const cr_condition_call *call)
{
    return cri_tilt(call->model, call->state, cr_condition_body(call, 0));
}

static const char *tilt_why_constant(const cr_condition_call *call)
{
    return cri_why_level(call->model, cr_condition_body(call, 0));
}

const cr_quantity_type cri_quantity_tilt = {
    .name = "tilt",
    .about = "how far a body leans from how it stood at the start",
    .unit = "rad",
    .param_count = COUNT(body_params),
    .params = body_params,
    .value = tilt_value,
    .only_params = true,
    .why_constant = tilt_why_constant,
};

// ---------------------------------------------------------------------------------------------

// The work that the present Skill of the body's Tactic keeps; 0 if it keeps none.
static double effort_value(const cr_condition_call *call)
{
    const cr_model *model = call->model;
    int body = cr_condition_body(call, 0);
    int tactic = model->tactic_of ? model->tactic_of[body] : -1;
    if (tactic < 0) {
        return 0;
    }
    const cr_tactic_state *ts = cri_tactic_state_const(model, call->state, tactic);
    const cri_skill *skill = &model->tactics[tactic].skills[ts->skill];
    return skill->type->keeps_effort ? ((const double *)(const void *)(ts + 1))[skill->drawn_count]
                                     : 0;
}

static const char *effort_why_constant(const cr_condition_call *call)
{
    const cr_model *model = call->model;
    for (int i = 0; i < model->tactic_count; i++) {
        const cri_tactic *tactic = &model->tactics[i];
        bool own = tactic->info.body == cr_condition_body(call, 0);
        for (int j = 0; own && j < tactic->info.skill_count; j++) {
            if (tactic->skills[j].type && tactic->skills[j].type->keeps_effort) {
                return NULL;
            }
        }
    }
    return "no Skill of the body keeps any";
}

const cr_quantity_type cri_quantity_effort = {
    .name = "effort",
    .about = "the work that the Skill which controls a body has done",
    .unit = "J",
    .param_count = COUNT(body_params),
    .params = body_params,
    .value = effort_value,
    .only_params = true,
    .why_constant = effort_why_constant,
};

// ---------------------------------------------------------------------------------------------

static double time_value(const cr_condition_call *call)
{
    return cr_state_time(call->model, call->state);
}

const cr_quantity_type cri_quantity_time = {
    .name = "time",
    .about = "since the start",
    .unit = "s",
    .value = time_value,
};
