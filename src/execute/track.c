// The plan under way, and the controller that keeps bodies on it (003, 7.2.3 and 5.3.4).
#include "execute/execute.h"

#include <stdlib.h>
#include <string.h>

#include "base/report.h"
#include "base/trig.h"
#include "behavior/motion.h"

cr_status cri_track_create(const cr_model *model, int64_t steps, cri_track *track,
                           cr_report *report)
{
    *track = (cri_track){.model = model, .capacity = steps + 1};
    size_t states = (size_t)track->capacity;
    track->states = malloc(states * model->state_size);
    track->actions = malloc(states * ((size_t)model->moving_count + 1) * sizeof *track->actions);
    return track->states && track->actions ? CR_OK : cri_fail_memory(report);
}

void cri_track_free(cri_track *track)
{
    free(track->states);
    free(track->actions);
}

// The actions that led to a state belong to the step before it.
static bool take_step(const cr_replay_step *step, void *context)
{
    cri_track *track = context;
    const cr_model *model = track->model;
    int64_t at = step->actions ? track->length + 1 : 0;
    memcpy(track->states + (size_t)at * model->state_size, step->state, model->state_size);
    if (step->actions) {
        memcpy(track->actions + track->length * model->moving_count, step->actions,
               (size_t)model->moving_count * sizeof *track->actions);
    }
    track->length = at;
    return at + 1 < track->capacity;
}

cr_status cri_track_take(cri_track *track, const cr_plan *plan, int solution, cr_report *report)
{
    track->at = track->length = 0;
    return cr_plan_replay(plan, solution, take_step, track, report);
}

// ---------------------------------------------------------------------------------------------
// Control. Seen from where the plan has it, a body is a little off and slow; in that frame the
// trapezoidal motion brings it to rest at zero. Half of what a body can do is kept for that.

static void correct(const cr_body *body, const cr_body_state *planned, const cr_body_state *now,
                    double dt, cr_action *action)
{
    cr_limits half = body->limits;
    half.acceleration /= 2;
    half.turn_acceleration /= 2;
    cr_vec3 offset = cri_sub(planned->position, now->position);
    cr_vec3 velocity = cri_sub(now->velocity, planned->velocity);
    cr_vec3 a = cri_drive_acceleration(offset, velocity, &half, dt);
    action->force = cri_mad(action->force, body->mass, a);
    double turn = cri_wrap(cri_heading(planned->rotation) - cri_heading(now->rotation));
    action->torque.z +=
        body->inertia.z * cri_axis_acceleration(turn, now->spin.z - planned->spin.z,
                                                half.turn_speed, half.turn_acceleration, dt);
}

bool cri_is_steered(const cr_body *body)
{
    return body->kind == CR_KIND_CONTROLLED && body->upright && !body->driven;
}

void cri_control(const cri_track *track, const cr_state *believed, cr_action *actions)
{
    const cr_model *model = track->model;
    const cr_body_state *planned = cri_bodies_const(model, cri_track_state(track, track->at));
    const cr_body_state *now = cri_bodies_const(model, believed);
    for (int slot = 0; slot < model->moving_count; slot++) {
        const cr_body *body = &model->bodies[model->moving[slot]];
        if (cri_is_steered(body)) {
            correct(body, &planned[slot], &now[slot], model->dt, &actions[slot]);
        }
    }
}

void cri_brake(const cr_model *model, const cr_state *believed, cr_action *actions)
{
    memset(actions, 0, (size_t)model->moving_count * sizeof *actions);
    for (int slot = 0; slot < model->moving_count; slot++) {
        const cr_body *body = &model->bodies[model->moving[slot]];
        const cr_body_state *now = &cri_bodies_const(model, believed)[slot];
        if (cri_is_steered(body)) {
            cr_vec3 v = {now->velocity.x, now->velocity.y, 0};
            double most = body->limits.acceleration * model->dt, speed = cri_length(v);
            double share = speed > most ? most / speed : 1;
            actions[slot].force = cri_scale(-body->mass * share / model->dt, v);
            double turn = body->limits.turn_acceleration;
            actions[slot].torque.z =
                body->inertia.z * cri_clamp(-now->spin.z / model->dt, -turn, turn);
        }
    }
}
