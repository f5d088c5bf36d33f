#include "plan/growth.h"

#include "behavior/behavior.h"

bool cri_may_grow(const cr_model *model, const cr_planner_def *def, const cr_state *state)
{
    if (def->grow_from == CR_GROW_FREE) {
        return !cri_is_busy(model, state);
    }
    return cri_is_decision(model, state, def->free_tactics, def->chance == CR_CHANCE_NATURE);
}

void cri_time_out(const cr_model *model, const cr_planner_def *def, int64_t steps, cr_state *state)
{
    if (steps % def->longest == 0) {
        cri_interrupt(model, state);
    }
}
