// Skills that do nothing for a while: wait, stand, idle, end.
#include "behavior/skills/skills.h"

enum { WAIT_SECONDS };

static const cr_param wait_params[] = {
    {"seconds", CR_PARAM_NUMBER, "s", 0, 3600, NULL, "how long to stand still"},
};

// 003, algorithm 19: busy until the drawn time has passed.
static cr_skill_result wait_act(const cr_skill_call *call)
{
    cri_steer_stop(call);
    double seconds = cri_skill_number(call, WAIT_SECONDS);
    bool up = cri_time_is_up(call, seconds, &call->variables[0]) || seconds <= 0;
    return up ? CR_SKILL_IS_DONE : CR_SKILL_IS_BUSY;
}

const cr_skill_type cri_skill_wait = {
    .name = "wait",
    .about = "stand still for a while, busy until then",
    .param_count = 1,
    .params = wait_params,
    .variables = 1,
    .act = wait_act,
};

static cr_skill_result stand_act(const cr_skill_call *call)
{
    cri_steer_stop(call);
    return CR_SKILL_IS_DONE;
}

const cr_skill_type cri_skill_stand = {
    .name = "stand",
    .about = "stand still; never busy, so a transition may follow at every step",
    .act = stand_act,
};

static cr_skill_result idle_act(const cr_skill_call *call)
{
    (void)call;
    return CR_SKILL_IS_DONE;
}

const cr_skill_type cri_skill_idle = {
    .name = "idle",
    .about = "leave the body to physics; never busy, so a transition may follow at every step",
    .act = idle_act,
};

static cr_skill_result end_act(const cr_skill_call *call)
{
    (void)call;
    return CR_SKILL_IS_END;
}

const cr_skill_type cri_skill_end = {
    .name = "end",
    .about = "end the branch: nothing more can come of this future",
    .act = end_act,
};
