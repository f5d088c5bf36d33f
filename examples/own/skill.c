// A Skill: wait, then jump.
#include "own.h"

enum { HOP_AFTER, HOP_SPEED };
static const cr_param hop_params[] = {
    {"after", CR_PARAM_NUMBER, "s", 0, 60, NULL, "how long to wait"}, // NULL: must be given
    {"speed", CR_PARAM_NUMBER, "m/s", 0, 10, "2", "speed of the jump"},
};

static cr_skill_result hop(const cr_skill_call *call)
{
    double now = cr_state_time(call->model, call->state);
    if (call->entered) {
        call->variables[0] = now;
    }
    if (now - call->variables[0] < cr_skill_number(call, HOP_AFTER)) {
        return CR_SKILL_IS_BUSY; // called again next step, with the same draws
    }
    double mass = cr_model_body(call->model, call->body)->mass;
    cr_skill_action(call, call->body)->impulse.z = mass * cr_skill_number(call, HOP_SPEED);
    return CR_SKILL_IS_DONE; // the Tactic moves on
}

const cr_skill_type own_hop = {.name = "hop",
                               .about = "wait, then jump",
                               .param_count = 2,
                               .params = hop_params,
                               .variables = 1,
                               .act = hop};
