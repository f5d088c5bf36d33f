// Roots: checked where they come in, copied, and the same for search, plan and replay.
#include "plan/root.h"

#include <assert.h>
#include <math.h>
#include <string.h>

#include "base/report.h"
#include "base/vec.h"
#include "scene/memory.h"

// Steps and times that sums of them stay exact with: more than half a year at 60 steps a second.
static const double STEP_MAX = 1e9;

cr_root cr_default_root(void)
{
    return (cr_root){0};
}

static const cr_state *start_of(const cr_model *model)
{
    return (const cr_state *)(const void *)model->start_state;
}

static size_t mask_bytes(const cr_model *model)
{
    return ((size_t)model->pair_count + 63) / 64 * sizeof(uint64_t);
}

cr_status cri_root_create(const cr_model *model, cri_arena *arena, cri_root *root)
{
    root->state = cri_arena_alloc(arena, 1, model->state_size);
    root->mask = cri_arena_alloc(arena, 1, mask_bytes(model) + 1);
    if (!root->state || !root->mask) {
        return CR_ERR_MEMORY;
    }
    cri_root_set(model, root, &(cr_root){0});
    return CR_OK;
}

// Both may be parts of what they are copied to: a planner restarts from its own root, too.
void cri_root_set(const cr_model *model, cri_root *root, const cr_root *from)
{
    const cr_state *state = from->state ? from->state : start_of(model);
    memmove(root->state, state, model->state_size);
    root->far_step = INT64_MAX;
    if (from->mask && from->t_lod / model->dt < STEP_MAX) {
        memmove(root->mask, from->mask, mask_bytes(model));
        root->far_step = root->state->step + (int64_t)(from->t_lod / model->dt + 0.5);
    }
}

cr_root cri_root_view(const cr_model *model, const cri_root *root)
{
    bool far = root->far_step < INT64_MAX;
    return (cr_root){
        .state = root->state,
        .mask = far ? root->mask : NULL,
        .t_lod = far ? (double)(root->far_step - root->state->step) * model->dt : 0,
    };
}

bool cri_root_is_start(const cr_model *model, const cri_root *root)
{
    return root->far_step == INT64_MAX &&
           memcmp(root->state, model->start_state, model->state_size) == 0;
}

// ---------------------------------------------------------------------------------------------
// Checks.

static bool is_body_state(const cr_body_state *s)
{
    cr_quat q = s->rotation;
    double norm = q.x * q.x + q.y * q.y + q.z * q.z + q.w * q.w;
    return cri_finite3(s->position) && cri_finite3(s->velocity) && cri_finite3(s->spin) &&
           fabs(norm - 1) <= 1e-3; // a NaN fails
}

static cr_status check_bodies(const cr_model *model, const cr_state *state, cr_report *report)
{
    for (int slot = 0; slot < model->moving_count; slot++) {
        if (!is_body_state(&cri_bodies_const(model, state)[slot])) {
            return cri_fail(report, CR_ERR_RANGE, (cri_location){0},
                            "the root's state: body \"%s\" must have finite numbers and a rotation "
                            "of length 1",
                            model->bodies[model->moving[slot]].name);
        }
    }
    return CR_OK;
}

static bool is_tactic_state(const cr_model *model, const cr_state *state, int tactic)
{
    const cr_tactic_state *s = cri_tactic_state_const(model, state, tactic);
    const double *variables = (const double *)(const void *)(s + 1);
    for (int i = 0; i < model->tactics[tactic].variable_count; i++) {
        if (!isfinite(variables[i])) {
            return false;
        }
    }
    return s->skill >= 0 && s->skill < model->tactics[tactic].info.skill_count &&
           s->phase >= CR_SKILL_ENTER && s->phase <= CR_SKILL_FREE;
}

static cr_status check_tactics(const cr_model *model, const cr_state *state, cr_report *report)
{
    for (int i = 0; i < model->tactic_count; i++) {
        if (!is_tactic_state(model, state, i)) {
            return cri_fail(report, CR_ERR_RANGE, (cri_location){0},
                            "the root's state: Tactic \"%s\" must be in one of its Skills, with "
                            "finite variables",
                            model->tactics[i].info.name);
        }
    }
    return CR_OK;
}

static cr_status check_memory(const cr_model *model, const cr_state *state, cr_report *report)
{
    for (int i = 0; i < model->memory_count; i++) {
        int64_t word = cri_memory_const(model, state)[i];
        int64_t most = cri_memory_most(model->memories[i]);
        if (word < 0 || word > most) {
            return cri_fail(report, CR_ERR_RANGE, (cri_location){0},
                            "the root's state: memory %d must be 0 to %jd, got %jd", i,
                            (intmax_t)most, (intmax_t)word);
        }
    }
    return CR_OK;
}

static cr_status check_joints(const cr_model *model, const cr_state *state, cr_report *report)
{
    for (int i = 0; i < model->joint_count; i++) {
        int32_t broken = cri_joint_states_const(model, state)[i].broken;
        if (broken != 0 && broken != 1) {
            return cri_fail(report, CR_ERR_RANGE, (cri_location){0},
                            "the root's state: joint \"%s\" must be broken or not, 1 or 0, got %d",
                            model->joints[i].name, (int)broken);
        }
    }
    return CR_OK;
}

cr_status cri_root_check(const cr_model *model, const cr_root *root, cr_report *report)
{
    if (!(root->t_lod >= 0)) {
        return cri_fail(report, CR_ERR_RANGE, (cri_location){0},
                        "the root's t_lod must be >= 0, got %g", root->t_lod);
    }
    const cr_state *state = root->state ? root->state : start_of(model);
    if (state->step < 0 || (double)state->step > STEP_MAX) {
        return cri_fail(report, CR_ERR_RANGE, (cri_location){0},
                        "the root's step must be 0 to %.0f, got %jd", STEP_MAX,
                        (intmax_t)state->step);
    }
    cr_status status = check_bodies(model, state, report);
    status = status == CR_OK ? check_tactics(model, state, report) : status;
    status = status == CR_OK ? check_joints(model, state, report) : status;
    return status == CR_OK ? check_memory(model, state, report) : status;
}
