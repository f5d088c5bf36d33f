#include "plan/growth.h"

#include "behavior/behavior.h"

bool cri_may_grow(const cr_model *model, const cr_planner_def *def, const cr_state *state)
{
    if (def->grow_from == CR_GROW_FREE) {
        return !cri_is_busy(model, state);
    }
    bool own = def->chance == CR_CHANCE_NATURE || def->predict == CR_PREDICT_LINEAR;
    return cri_is_decision(model, state, def->free_tactics, own);
}

void cri_time_out(const cr_model *model, const cr_planner_def *def, int64_t steps, cr_state *state)
{
    if (steps % def->longest == 0) {
        cri_interrupt(model, state);
    }
}

const bool *cri_acting(const cr_model *model, const cr_planner_def *def)
{
    return def->predict == CR_PREDICT_LINEAR ? model->steered : NULL;
}

bool cri_acts(const cr_model *model, const cr_planner_def *def, int tactic)
{
    const bool *acting = cri_acting(model, def);
    return !acting || acting[tactic];
}

void cri_coast(const cr_model *model, const cr_state *state, cr_action *actions)
{
    const cr_body_state *bodies = cri_bodies_const(model, state);
    for (int slot = 0; slot < model->moving_count; slot++) {
        const cr_body *body = &model->bodies[model->moving[slot]];
        if (body->kind == CR_KIND_FOREIGN && body->driven) {
            actions[slot].velocity = bodies[slot].velocity;
            actions[slot].spin = bodies[slot].spin;
        }
    }
}
