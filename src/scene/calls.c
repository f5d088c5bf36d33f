// What Skills and conditions ask about their parameters.
#include <assert.h>

#include "scene/evaluate.h"

static const cri_value *value_of(const void *values, int count, int param)
{
    assert(param >= 0 && param < count);
    return &((const cri_value *)values)[param];
}

double cr_skill_number(const cr_skill_call *call, int param)
{
    const cri_value *value = value_of(call->values, call->value_count, param);
    assert(value->type == CR_PARAM_NUMBER);
    return cri_value_number(value, call->drawn);
}

cr_vec3 cr_skill_place(const cr_skill_call *call, int param)
{
    const cri_value *value = value_of(call->values, call->value_count, param);
    assert(value->type == CR_PARAM_PLACE);
    return cri_value_place(call->model, call->state, value, call->drawn);
}

int cr_skill_body(const cr_skill_call *call, int param)
{
    assert(value_of(call->values, call->value_count, param)->type == CR_PARAM_BODY);
    return value_of(call->values, call->value_count, param)->index;
}

int cr_skill_region(const cr_skill_call *call, int param)
{
    assert(value_of(call->values, call->value_count, param)->type == CR_PARAM_REGION);
    return value_of(call->values, call->value_count, param)->index;
}

int cr_skill_choice(const cr_skill_call *call, int param)
{
    assert(value_of(call->values, call->value_count, param)->type == CR_PARAM_CHOICE);
    return value_of(call->values, call->value_count, param)->index;
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

// Nothing is drawn for conditions.
double cr_condition_number(const cr_condition_call *call, int param)
{
    const cri_value *value = value_of(call->values, call->value_count, param);
    assert(value->type == CR_PARAM_NUMBER);
    return cri_value_number(value, NULL);
}

cr_vec3 cr_condition_place(const cr_condition_call *call, int param)
{
    const cri_value *value = value_of(call->values, call->value_count, param);
    assert(value->type == CR_PARAM_PLACE);
    return cri_value_place(call->model, call->state, value, NULL);
}

int cr_condition_body(const cr_condition_call *call, int param)
{
    assert(value_of(call->values, call->value_count, param)->type == CR_PARAM_BODY);
    return value_of(call->values, call->value_count, param)->index;
}

int cr_condition_region(const cr_condition_call *call, int param)
{
    assert(value_of(call->values, call->value_count, param)->type == CR_PARAM_REGION);
    return value_of(call->values, call->value_count, param)->index;
}

int cr_condition_choice(const cr_condition_call *call, int param)
{
    assert(value_of(call->values, call->value_count, param)->type == CR_PARAM_CHOICE);
    return value_of(call->values, call->value_count, param)->index;
}

bool cr_condition_touched(const cr_condition_call *call, int a, int b)
{
    return cri_state_touched(call->model, call->state, a, b);
}

cr_vec3 cr_condition_where(const cr_condition_call *call, int param)
{
    const cri_value *value = value_of(call->values, call->value_count, param);
    assert(value->type == CR_PARAM_THING);
    return cri_thing_position(call->model, call->state, value->index);
}
