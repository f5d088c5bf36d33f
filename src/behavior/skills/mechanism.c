// Skills of machines and of chance: spin, oscillate, random_force.
#include "behavior/skills/skills.h"

#include "base/trig.h"

enum { SPIN_RATE };

static const cr_param spin_params[] = {
    {"rate", CR_PARAM_NUMBER, "rad/s", -1000, 1000, NULL, "turning rate about z"},
};

static cr_skill_result spin_act(const cr_skill_call *call)
{
    cri_skill_action(call, call->body)->spin = cri_vec3(0, 0, cri_skill_number(call, SPIN_RATE));
    return CR_SKILL_IS_DONE;
}

const cr_skill_type cri_skill_spin = {
    .name = "spin",
    .about = "turn about z at a constant rate",
    .param_count = 1,
    .params = spin_params,
    .act = spin_act,
    .bodies = CR_FOR_DRIVEN,
};

enum { SWING_MOVE, SWING_TURN, SWING_PERIOD, SWING_PHASE };

static const cr_param swing_params[] = {
    {"move", CR_PARAM_PLACE, "m", 0, 0, "[0, 0, 0]", "how far to each side, as a vector"},
    {"turn", CR_PARAM_NUMBER, "rad", -100, 100, "0", "how far to turn to each side"},
    {"period", CR_PARAM_NUMBER, "s", 0.01, 3600, NULL, "time of one swing to and fro"},
    {"phase", CR_PARAM_NUMBER, "rad", -100, 100, "0", "where in the swing it starts"},
};

// The velocity held over the step is the one that ends exactly on the sine, so errors do not add
// up.
static cr_skill_result swing_act(const cr_skill_call *call)
{
    double rate = 2 * CRI_PI / cri_skill_number(call, SWING_PERIOD);
    double phase = cri_skill_number(call, SWING_PHASE);
    double dt = call->model->dt, t = (double)call->state->step * dt;
    double speed = (cri_sin(rate * (t + dt) + phase) - cri_sin(rate * t + phase)) / dt;
    cr_action *action = cri_skill_action(call, call->body);
    action->velocity = cri_scale(speed, cri_skill_place(call, SWING_MOVE));
    action->spin = cri_vec3(0, 0, speed * cri_skill_number(call, SWING_TURN));
    return CR_SKILL_IS_DONE;
}

const cr_skill_type cri_skill_oscillate = {
    .name = "oscillate",
    .about = "swing to and fro about the place it starts at",
    .param_count = 4,
    .params = swing_params,
    .act = swing_act,
    .bodies = CR_FOR_DRIVEN,
};

enum { FORCE_FORCE, FORCE_ANGLE, FORCE_TORQUE, FORCE_SECONDS };

static const cr_param force_params[] = {
    {"force", CR_PARAM_NUMBER, "N", 0, 1e6, NULL, "strength; usually a distribution"},
    {"angle", CR_PARAM_NUMBER, "rad", -100, 100, "{uniform: [-180 deg, 180 deg]}",
     "direction in the plane"},
    {"torque", CR_PARAM_NUMBER, "N m", -1e6, 1e6, "0", "about z"},
    {"seconds", CR_PARAM_NUMBER, "s", 0, 3600, "0", "how long to hold it; 0: one step"},
};

// The uninformed action of 003, algorithm 1.
static cr_skill_result force_act(const cr_skill_call *call)
{
    double angle = cri_skill_number(call, FORCE_ANGLE), force = cri_skill_number(call, FORCE_FORCE);
    cr_action *action = cri_skill_action(call, call->body);
    action->force =
        cri_add(action->force, cri_vec3(force * cri_cos(angle), force * cri_sin(angle), 0));
    action->torque.z += cri_skill_number(call, FORCE_TORQUE);
    double seconds = cri_skill_number(call, FORCE_SECONDS);
    bool up = cri_time_is_up(call, seconds, &call->variables[0]) || seconds <= 0;
    return up ? CR_SKILL_IS_DONE : CR_SKILL_IS_BUSY;
}

const cr_skill_type cri_skill_random_force = {
    .name = "random_force",
    .about = "push the body itself with a drawn force for a while",
    .param_count = 4,
    .params = force_params,
    .variables = 1,
    .act = force_act,
    .bodies = CR_FOR_PUSHED,
};
