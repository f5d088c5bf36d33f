// Steering: trapezoidal motion as forces and torques (003, algorithm 2 and its motion control
// functions).
#include "behavior/skills/skills.h"

#include "base/trig.h"
#include "geom/geom.h"

double cri_self_heading(const cr_skill_call *call)
{
    return cri_heading(cri_self_state(call)->rotation);
}

// Turn by an angle; true when it is next to nothing.
static bool turn_by(const cr_skill_call *call, double error)
{
    const cr_body *body = cri_self(call);
    const cr_body_state *state = cri_self_state(call);
    double dt = call->model->dt;
    double turn = cri_axis_acceleration(error, state->spin.z, body->limits.turn_speed,
                                        body->limits.turn_acceleration, dt);
    cr_action *action = cri_skill_action(call, call->body);
    if (body->driven) {
        action->spin.z = state->spin.z + turn * dt;
    } else {
        action->torque.z += body->inertia.z * turn;
    }
    return fabs(error) <= CRI_ARRIVED_TURN;
}

bool cri_steer_heading(const cr_skill_call *call, double heading)
{
    return turn_by(call, cri_wrap(heading - cri_self_heading(call)));
}

bool cri_looks_along(const cr_skill_call *call, cr_vec3 way)
{
    cri_bearing b = cri_bearing_of(call, way);
    // Most look elsewhere, which needs no arc tangent: that of 2 x is more than x up to 1.1.
    return fabs(b.aside) <= 2 * CRI_ARRIVED_TURN * b.along &&
           fabs(cri_atan2(b.aside, b.along)) <= CRI_ARRIVED_TURN;
}

// The force that stops v within the step, or as much of it as the limit allows.
static cr_vec3 brake(cr_vec3 v, double limit, double dt)
{
    double speed = sqrt(v.x * v.x + v.y * v.y);
    double scale = speed > limit * dt ? limit / speed : 1 / dt;
    return cri_vec3(-scale * v.x, -scale * v.y, 0);
}

void cri_steer_stop(const cr_skill_call *call)
{
    const cr_body *body = cri_self(call);
    if (body->driven || body->kind == CR_KIND_PASSIVE) {
        return; // a driven body without a velocity stands; a passive one has no drive
    }
    const cr_body_state *state = cri_self_state(call);
    double dt = call->model->dt;
    cr_action *action = cri_skill_action(call, call->body);
    cr_vec3 a = brake(state->velocity, body->limits.acceleration, dt);
    action->force = cri_mad(action->force, body->mass, a);
    double most = body->limits.turn_acceleration;
    action->torque.z += body->inertia.z * cri_clamp(-state->spin.z / dt, -most, most);
}

bool cri_time_is_up(const cr_skill_call *call, double seconds, double *began)
{
    if (call->entered) {
        *began = (double)call->state->step;
    }
    // This step counts as one that has passed.
    double passed = ((double)call->state->step - *began + 1) * call->model->dt;
    return seconds > 0 && passed >= seconds - 1e-9;
}
