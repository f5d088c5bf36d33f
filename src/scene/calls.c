// What Skills and conditions from outside ask about their parameters.
#include "scene/calls.h"

#include "base/trig.h"
#include "base/vec.h"

double cri_tilt(const cr_model *model, const cr_state *state, int body)
{
    cr_vec3 up = cri_unrotate(cri_body(model, body)->pose.rotation, cri_vec3(0, 0, 1));
    cr_vec3 now = cri_rotate(cr_state_pose(model, state, body).rotation, up);
    return cri_atan2(sqrt(now.x * now.x + now.y * now.y), now.z);
}

const char *cri_why_level(const cr_model *model, int body)
{
    const cr_body *b = cri_body(model, body);
    return b->upright                  ? "an upright body does not lean"
           : b->kind == CR_KIND_STATIC ? "a static body does not lean"
           : b->part_count == 1 && b->parts[0].shape.kind == CR_SHAPE_SPHERE
               ? "a ball has no side that is up"
               : NULL;
}

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

int cr_condition_joint(const cr_condition_call *call, int param)
{
    return cri_condition_joint(call, param);
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
