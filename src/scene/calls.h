// What Skills and conditions ask about their parameters and about bodies, without the call: a
// search asks some thirty times a step. The public functions of library.h and state.h are these.
#ifndef CRI_CALLS_H
#define CRI_CALLS_H

#include "scene/evaluate.h"

static inline const cri_value *cri_call_value(const void *values, int count, int param,
                                              cr_param_type type)
{
    const cri_value *value = &((const cri_value *)values)[param];
    cri_trust(param >= 0 && param < count && value->type == type);
    (void)count, (void)type;
    return value;
}

// ---------------------------------------------------------------------------------------------
// Bodies.

// The state of a body that can move.
static inline const cr_body_state *cri_body_state(const cr_model *model, const cr_state *state,
                                                  int body)
{
    return &cri_bodies_const(model, state)[cri_body(model, body)->slot];
}

static inline cr_vec3 cri_position(const cr_model *model, const cr_state *state, int body)
{
    const cr_body *b = cri_body(model, body);
    return b->slot < 0 ? b->pose.position : cri_bodies_const(model, state)[b->slot].position;
}

static inline cr_vec3 cri_velocity(const cr_model *model, const cr_state *state, int body)
{
    const cr_body *b = cri_body(model, body);
    return b->slot < 0 ? (cr_vec3){0, 0, 0} : cri_bodies_const(model, state)[b->slot].velocity;
}

static inline bool cri_region_contains(const cr_region *region, cr_vec3 point)
{
    cr_quat turn = region->pose.rotation;
    cr_vec3 p = cri_sub(point, region->pose.position);
    if (turn.x != 0 || turn.y != 0 || turn.z != 0) { // most regions are not turned
        p = cri_unrotate(turn, p);
    }
    const cr_shape *shape = &region->shape;
    switch (shape->kind) {
    case CR_SHAPE_SPHERE:
        return cri_dot(p, p) <= shape->radius * shape->radius;
    case CR_SHAPE_BOX:
        return fabs(p.x) <= shape->half.x && fabs(p.y) <= shape->half.y &&
               fabs(p.z) <= shape->half.z;
    case CR_SHAPE_CYLINDER:
        return p.x * p.x + p.y * p.y <= shape->radius * shape->radius && fabs(p.z) <= shape->half.z;
    case CR_SHAPE_PLANE:
    case CR_SHAPE_PRISM:
    case CR_SHAPE_CAPSULE:
    case CR_SHAPE_HULL:
        break;
    }
    assert(false && "regions are boxes, cylinders and spheres");
    return false;
}

// How far a body leans from how it stood at the start, in rad: the angle between the direction of
// the body that was up then, and up.
double cri_tilt(const cr_model *model, const cr_state *state, int body);

// Why a body never leans, or NULL.
const char *cri_why_level(const cr_model *model, int body);

// ---------------------------------------------------------------------------------------------
// Skills.

static inline double cri_skill_number(const cr_skill_call *call, int param)
{
    return cri_value_number(cri_call_value(call->values, call->value_count, param, CR_PARAM_NUMBER),
                            call->drawn);
}

static inline cr_vec3 cri_skill_place(const cr_skill_call *call, int param)
{
    return cri_value_place(call->model, call->state,
                           cri_call_value(call->values, call->value_count, param, CR_PARAM_PLACE),
                           call->drawn);
}

static inline int cri_skill_body(const cr_skill_call *call, int param)
{
    return cri_call_value(call->values, call->value_count, param, CR_PARAM_BODY)->index;
}

static inline int cri_skill_region(const cr_skill_call *call, int param)
{
    return cri_call_value(call->values, call->value_count, param, CR_PARAM_REGION)->index;
}

static inline int cri_skill_choice(const cr_skill_call *call, int param)
{
    return cri_call_value(call->values, call->value_count, param, CR_PARAM_CHOICE)->index;
}

// The action on a body that can move.
static inline cr_action *cri_skill_action(const cr_skill_call *call, int body)
{
    int slot = cri_body(call->model, body)->slot;
    cri_trust(slot >= 0);
    return &call->actions[slot];
}

// ---------------------------------------------------------------------------------------------
// Conditions: nothing is drawn for them.

static inline double cri_condition_number(const cr_condition_call *call, int param)
{
    return cri_value_number(cri_call_value(call->values, call->value_count, param, CR_PARAM_NUMBER),
                            NULL);
}

static inline int cri_condition_body(const cr_condition_call *call, int param)
{
    return cri_call_value(call->values, call->value_count, param, CR_PARAM_BODY)->index;
}

static inline int cri_condition_region(const cr_condition_call *call, int param)
{
    return cri_call_value(call->values, call->value_count, param, CR_PARAM_REGION)->index;
}

static inline int cri_condition_choice(const cr_condition_call *call, int param)
{
    return cri_call_value(call->values, call->value_count, param, CR_PARAM_CHOICE)->index;
}

static inline int cri_condition_joint(const cr_condition_call *call, int param)
{
    return cri_call_value(call->values, call->value_count, param, CR_PARAM_JOINT)->index;
}

static inline cr_vec3 cri_condition_where(const cr_condition_call *call, int param)
{
    int thing = cri_call_value(call->values, call->value_count, param, CR_PARAM_THING)->index;
    return thing >= 0 ? cri_position(call->model, call->state, thing)
                      : call->model->regions[-1 - thing].pose.position;
}

#endif
