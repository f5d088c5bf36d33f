// A quantity, for scores: how much energy a body has, spin left aside.
#include "own.h"

static const cr_param energy_params[] = {
    {"body", CR_PARAM_BODY, "", 0, 0, NULL, "one that forces can move"},
};

static double energy(const cr_condition_call *call)
{
    int body = cr_condition_body(call, 0);
    double mass = cr_model_body(call->model, body)->mass;
    cr_vec3 v = cr_state_velocity(call->model, call->state, body);
    double height = cr_state_pose(call->model, call->state, body).position.z;
    double moving = 0.5 * mass * (v.x * v.x + v.y * v.y + v.z * v.z);
    return moving - mass * cr_model_gravity(call->model).z * height;
}

const cr_quantity_type own_energy = {.name = "energy",
                                     .about = "of a body's motion and height",
                                     .unit = "J",
                                     .param_count = 1,
                                     .params = energy_params,
                                     .value = energy,
                                     .only_params = true};
