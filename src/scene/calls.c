// What Skills and conditions from outside ask about their parameters.
#include "scene/calls.h"

double cr_skill_number(const cr_skill_call *call, int param)
{
    return cri_skill_number(call, param);
}

cr_vec3 cr_skill_place(const cr_skill_call *call, int param)
{
    return cri_skill_place(call, param);
}

int cr_skill_body(const cr_skill_call *call, int param)
{
    return cri_skill_body(call, param);
}

int cr_skill_region(const cr_skill_call *call, int param)
{
    return cri_skill_region(call, param);
}

int cr_skill_choice(const cr_skill_call *call, int param)
{
    return cri_skill_choice(call, param);
}

bool cr_skill_touched(const cr_skill_call *call, int a, int b)
{
    return cri_state_touched(call->model, call->state, a, b);
}

cr_action *cr_skill_action(const cr_skill_call *call, int body)
{
    int slot = cri_body(call->model, body)->slot;
    return slot < 0 ? NULL : &call->actions[slot];
}

double cr_condition_number(const cr_condition_call *call, int param)
{
    return cri_condition_number(call, param);
}

cr_vec3 cr_condition_place(const cr_condition_call *call, int param)
{
    return cri_value_place(call->model, call->state,
                           cri_call_value(call->values, call->value_count, param, CR_PARAM_PLACE),
                           NULL);
}

int cr_condition_body(const cr_condition_call *call, int param)
{
    return cri_condition_body(call, param);
}

int cr_condition_region(const cr_condition_call *call, int param)
{
    return cri_condition_region(call, param);
}

int cr_condition_choice(const cr_condition_call *call, int param)
{
    return cri_condition_choice(call, param);
}

bool cr_condition_touched(const cr_condition_call *call, int a, int b)
{
    return cri_state_touched(call->model, call->state, a, b);
}

cr_vec3 cr_condition_where(const cr_condition_call *call, int param)
{
    return cri_condition_where(call, param);
}
