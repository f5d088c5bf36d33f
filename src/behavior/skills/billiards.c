// Skills of balls on a table: strike, nudge and lob (003, 6.1.4 and figure 6.7; 000, 6.3).
//
// A ball has its own Tactic. The cue ball is struck once; the others take over when they are hit:
// a nudge gives them a little spin across their way, and the cloth bends the way toward a target.
// What a nudge costs is kept as the Skill's effort, so that scenes can score it.
#include "behavior/skills/skills.h"

enum { STRIKE_AT, STRIKE_SPEED, STRIKE_SIDE, STRIKE_FOLLOW };

static const cr_param strike_params[] = {
    {"at", CR_PARAM_PLACE, "", 0, 0, NULL, "where to aim"},
    {"speed", CR_PARAM_NUMBER, "m/s", 0, 20, NULL, "speed that the cue gives"},
    {"side", CR_PARAM_NUMBER, "", -0.6, 0.6, "0",
     "how far right of the middle the tip hits, over the radius: side spin"},
    {"follow", CR_PARAM_NUMBER, "", -0.6, 0.6, "0",
     "how far above the middle the tip hits, over the radius: top spin"},
};

// A level cue: an impulse whose line passes beside the centre. With tip offset e (over the radius)
// the spin is 5/2 e v / r; at e = 2/5 above the middle the ball rolls at once.
static cr_skill_result strike_act(const cr_skill_call *call)
{
    const cr_body *self = cri_body(call->model, call->body);
    cr_vec3 way = cri_sub(cri_skill_place(call, STRIKE_AT), cri_self_position(call));
    way.z = 0;
    cr_vec3 aim = cri_unit(way, cri_vec3(1, 0, 0)), left = {-aim.y, aim.x, 0};
    double impulse = self->mass * cri_skill_number(call, STRIKE_SPEED);
    cr_vec3 tip = cri_scale(-cri_skill_number(call, STRIKE_SIDE) * self->radius, left);
    tip.z = cri_skill_number(call, STRIKE_FOLLOW) * self->radius;
    cr_action *action = cri_skill_action(call, call->body);
    action->impulse = cri_mad(action->impulse, impulse, aim);
    action->twist = cri_add(action->twist, cri_cross(tip, cri_scale(impulse, aim)));
    return CR_SKILL_IS_DONE;
}

const cr_skill_type cri_skill_strike = {
    .name = "strike",
    .about = "strike the ball itself with a cue: speed and spin at once",
    .param_count = 4,
    .params = strike_params,
    .act = strike_act,
    .bodies = CR_FOR_PUSHED,
};

enum { NUDGE_TOWARD, NUDGE_STRENGTH, NUDGE_MOST };

static const cr_param nudge_params[] = {
    {"toward", CR_PARAM_PLACE, "", 0, 0, NULL, "where the ball should go"},
    {"strength", CR_PARAM_NUMBER, "", 0, 5, "{uniform: [0, 1]}",
     "share of the spin that turns the ball's final roll toward there; while the ball still slides "
     "it bends less"},
    {"most", CR_PARAM_NUMBER, "", 0, 10, "0.3", "most spin, over speed / radius"},
};

// The velocity that a ball has once it rolls: sliding friction keeps 5/7 of its velocity and 2/7 of
// its skin's.
static cr_vec3 final_roll(const cr_body_state *ball, double radius)
{
    cr_vec3 skin = cri_cross(ball->spin, cri_vec3(0, 0, radius));
    return cri_scale(1.0 / 7, cri_add(cri_scale(5, ball->velocity), cri_scale(2, skin)));
}

// The change of spin; zero for a ball at rest.
static cr_vec3 nudge_spin(const cr_skill_call *call)
{
    const cr_body *self = cri_body(call->model, call->body);
    const cr_body_state *ball = &cri_bodies_const(call->model, call->state)[self->slot];
    cr_vec3 way = cri_sub(cri_skill_place(call, NUDGE_TOWARD), ball->position);
    cr_vec3 roll = final_roll(ball, self->radius);
    way.z = roll.z = 0;
    cr_vec3 along = cri_unit(roll, cri_vec3(0, 0, 0));
    double ahead = cri_dot(way, along), most = cri_skill_number(call, NUDGE_MOST);
    cr_vec3 across = cri_mad(way, -ahead, along);
    double skin = most * cri_length(ball->velocity);
    if (ahead > 0) {
        skin = fmin(skin, cri_skill_number(call, NUDGE_STRENGTH) * 3.5 * cri_length(roll) *
                              cri_length(across) / ahead);
    }
    cr_vec3 axis = cri_cross(cri_vec3(0, 0, 1), cri_unit(across, cri_vec3(0, 0, 0)));
    return cri_scale(skin / self->radius, axis);
}

// Once, when it is entered; then the ball rolls by itself. The work is that of a change of spin:
// the kinetic energy after it less that before.
static cr_skill_result nudge_act(const cr_skill_call *call)
{
    if (call->entered) {
        const cr_body *self = cri_body(call->model, call->body);
        cr_vec3 change = nudge_spin(call);
        cr_vec3 spin = cri_bodies_const(call->model, call->state)[self->slot].spin;
        cr_action *action = cri_skill_action(call, call->body);
        action->twist = cri_mad(action->twist, self->inertia.x, change);
        double work = self->inertia.x * (cri_dot(spin, change) + cri_dot(change, change) / 2);
        call->variables[0] = fabs(work);
    }
    return CR_SKILL_IS_BUSY;
}

const cr_skill_type cri_skill_nudge = {
    .name = "nudge",
    .about =
        "give the ball itself a little spin that bends its way toward a place, then let it roll",
    .param_count = 3,
    .params = nudge_params,
    .variables = 1,
    .act = nudge_act,
    .keeps_effort = true,
    .bodies = CR_FOR_PUSHED,
};

enum { LOB_AT, LOB_SPEED, LOB_ELEVATION };

static const cr_param lob_params[] = {
    {"at", CR_PARAM_PLACE, "", 0, 0, NULL, "where to aim, seen from above"},
    {"speed", CR_PARAM_NUMBER, "m/s", 0, 50, NULL, "speed that it adds to the body"},
    {"elevation", CR_PARAM_NUMBER, "rad", 0, 1.5, "45 deg", "angle above level"},
};

// An impulse through the centre of mass: the body flies as it was turned.
static cr_skill_result lob_act(const cr_skill_call *call)
{
    cr_vec3 way = cri_sub(cri_skill_place(call, LOB_AT), cri_self_position(call));
    way.z = 0;
    cri_hit_ball(
        call, call->body, cri_unit(way, cri_vec3(1, 0, 0)),
        (cri_hit){cri_skill_number(call, LOB_SPEED), cri_skill_number(call, LOB_ELEVATION)});
    return CR_SKILL_IS_DONE;
}

const cr_skill_type cri_skill_lob = {
    .name = "lob",
    .about = "throw the body itself at a place, upward at an angle",
    .param_count = 3,
    .params = lob_params,
    .act = lob_act,
    .bodies = CR_FOR_PUSHED,
};
