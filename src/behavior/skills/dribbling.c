// Skills with the ball at the dribbler: get_ball and dribble (003, 7.1.2, 7.3 and algorithm 11).
//
// The dribbler is a bar at the front of the robot. It is not simulated as a turning cylinder: while
// the ball touches the robot and lies in front of it, the Skill puts a torque on the ball that
// gives it backspin, and friction with the floor pulls it toward the bar. What the bar itself does
// (little friction along its turn, more across, little bounce) is the material of the bar's part.
#include "behavior/skills/skills.h"

#include "base/trig.h"

// A bar turns so fast that its rubber moves the ball's skin at some metres a second; beyond that
// backspin the torque ends.
static const double SKIN_SPEED_MAX = 3; // m/s
// How far aside of the front's middle, as a cosine, a ball still lies at the bar.
static const double AT_BAR_COSINE = 0.9; // 26 degrees
// How fast a robot turns with a ball at its bar: its front moves sideways at 0.3 m/s.
static const double HOLD_TURN_SPEED = 3, HOLD_TURN_ACCELERATION = 12; // rad/s, rad/s2
// How fast a ball that lies aside is brought back to the middle of the bar.
static const double CENTER_RATE = 6; // 1/s
// How hard a robot runs into a ball that it fetches.
static const double CLOSING_SPEED = 0.1; // m/s
// A ball that is farther from the bar is lost.
static const double LOST_GAP = 0.06; // m

cri_sight cri_look(const cr_skill_call *call, int ball)
{
    const cr_body_state *there = cri_body_state(call->model, call->state, ball);
    cr_vec3 here = cri_self_position(call);
    cri_sight s = {
        .ball = ball,
        .place = there->position,
        .velocity = there->velocity,
        .ahead = cri_self_ahead(call),
        .offset = {there->position.x - here.x, there->position.y - here.y, 0},
    };
    s.distance = cri_length(s.offset);
    double room = cri_self(call)->reach + cri_body(call->model, ball)->radius;
    double along = cri_dot(s.offset, s.ahead);
    s.gap = along - room;
    s.in_front = along > AT_BAR_COSINE * s.distance;
    return s;
}

void cri_drive_bar(const cr_skill_call *call, const cri_sight *s, double torque)
{
    if (!s->in_front || !cri_state_touched(call->model, call->state, call->body, s->ball)) {
        return;
    }
    const cr_body *ball = cri_body(call->model, s->ball);
    cr_vec3 axis = cri_cross(s->ahead, cri_vec3(0, 0, 1)); // to the right: backspin
    cr_vec3 spin = cri_bodies_const(call->model, call->state)[ball->slot].spin;
    double left = SKIN_SPEED_MAX / ball->radius - cri_dot(spin, axis);
    double most = cri_max(0, left) * ball->inertia.x / call->model->dt;
    cr_action *action = cri_skill_action(call, s->ball);
    action->torque = cri_mad(action->torque, cri_min(torque, most), axis);
}

// Drive with a velocity, as far as the limits allow.
static void steer_velocity(const cr_skill_call *call, cr_vec3 wanted)
{
    const cr_body *self = cri_body(call->model, call->body);
    cr_vec3 change = cri_sub(wanted, cri_velocity(call->model, call->state, call->body));
    change.z = 0;
    double most = self->limits.acceleration * call->model->dt, size = cri_length(change);
    double share = size > most ? most / size : 1;
    cr_action *action = cri_skill_action(call, call->body);
    action->force = cri_mad(action->force, share * self->mass / call->model->dt, change);
}

// Turn by an angle, no faster than a ball at the bar follows.
static void turn_gently(const cr_skill_call *call, double angle)
{
    const cr_body *self = cri_body(call->model, call->body);
    double rate = cri_bodies_const(call->model, call->state)[self->slot].spin.z;
    double turn = cri_axis_acceleration(
        angle, rate, cri_min(HOLD_TURN_SPEED, self->limits.turn_speed),
        cri_min(HOLD_TURN_ACCELERATION, self->limits.turn_acceleration), call->model->dt);
    cri_skill_action(call, call->body)->torque.z += self->inertia.z * turn;
}

void cri_turn_about_ball(const cr_skill_call *call, const cri_sight *s, double angle,
                         double forward)
{
    const cr_body *self = cri_body(call->model, call->body);
    double rate = cri_bodies_const(call->model, call->state)[self->slot].spin.z;
    cr_vec3 left = {-s->ahead.y, s->ahead.x, 0};
    double aside = cri_dot(s->velocity, left) + CENTER_RATE * cri_dot(s->offset, left);
    aside -= rate * s->distance;
    steer_velocity(call, cri_mad(cri_scale(forward, s->ahead), aside, left));
    turn_gently(call, angle);
}

bool cri_lost_ball(const cri_sight *s)
{
    return !s->in_front || s->gap > LOST_GAP;
}

enum { GET_BALL, GET_TORQUE, GET_SECONDS };

static const cr_param get_params[] = {
    {"ball", CR_PARAM_BODY, "pushable", 0, 0, NULL, "the ball"},
    {"torque", CR_PARAM_NUMBER, "N m", 0, 1, "0.002", "of the dribbler on the ball"},
    {"seconds", CR_PARAM_NUMBER, "s", 0, 3600, "5", "give up after this time; 0: never"},
};

// The velocity that brings the bar to the ball: the ball's own, and a closing speed from which the
// body can still brake.
static cr_vec3 approach(const cr_skill_call *call, const cri_sight *s)
{
    const cr_limits *limits = &cri_body(call->model, call->body)->limits;
    double room = cri_dot(s->offset, s->ahead) - s->gap;
    double left = cri_max(0, s->distance - room);
    double closing = CLOSING_SPEED + sqrt(2 * 0.7 * limits->acceleration * left);
    cr_vec3 wanted = cri_mad(cri_vec3(s->velocity.x, s->velocity.y, 0),
                             closing / cri_max(s->distance, 1e-9), s->offset);
    double speed = cri_length(wanted);
    return speed > limits->speed ? cri_scale(limits->speed / speed, wanted) : wanted;
}

static cr_skill_result get_act(const cr_skill_call *call)
{
    cri_sight s = cri_look(call, cri_skill_body(call, GET_BALL));
    steer_velocity(call, approach(call, &s));
    cri_steer_toward(call, s.offset);
    cri_drive_bar(call, &s, cri_skill_number(call, GET_TORQUE));
    bool held = s.in_front && s.gap < CRI_HELD_GAP;
    bool up = cri_time_is_up(call, cri_skill_number(call, GET_SECONDS), &call->variables[0]);
    return held || up ? CR_SKILL_IS_DONE : CR_SKILL_IS_BUSY;
}

const cr_skill_type cri_skill_get_ball = {
    .name = "get_ball",
    .about = "drive to a ball, until it lies at the dribbler",
    .param_count = 3,
    .params = get_params,
    .variables = 1,
    .act = get_act,
    .asks_touch = true,
    .bodies = CR_FOR_PUSHED,
};

enum { DRIBBLE_BALL, DRIBBLE_TO, DRIBBLE_SPEED, DRIBBLE_TORQUE, DRIBBLE_WITHIN, DRIBBLE_SECONDS };

static const cr_param dribble_params[] = {
    {"ball", CR_PARAM_BODY, "pushable", 0, 0, NULL, "the ball"},
    {"to", CR_PARAM_PLACE, "", 0, 0, NULL, "where to"},
    {"speed", CR_PARAM_NUMBER, "m/s", 0.01, 50, "1.2",
     "driving speed when the place lies straight ahead; a tenth of it when it lies aside"},
    {"torque", CR_PARAM_NUMBER, "N m", 0, 1, "0.002", "of the dribbler on the ball"},
    {"within", CR_PARAM_NUMBER, "m", 0.001, 100, "0.15", "done when the ball is that near"},
    {"seconds", CR_PARAM_NUMBER, "s", 0, 3600, "3", "stop after this time; 0: never"},
};

// 003, algorithm 11: slower the more the way turns, down to a tenth at a right angle and beyond.
static void dribble_toward(const cr_skill_call *call, const cri_sight *s, cr_vec3 to, double top)
{
    double heading = cri_atan2(to.y - s->place.y, to.x - s->place.x);
    double angle = cri_wrap(heading - cri_self_heading(call));
    cri_turn_about_ball(call, s, angle, top * cri_max(0.1, 1 - fabs(angle) / CRI_PI * 2));
}

static cr_skill_result dribble_act(const cr_skill_call *call)
{
    cri_sight s = cri_look(call, cri_skill_body(call, DRIBBLE_BALL));
    cr_vec3 to = cri_skill_place(call, DRIBBLE_TO);
    dribble_toward(call, &s, to, cri_skill_number(call, DRIBBLE_SPEED));
    cri_drive_bar(call, &s, cri_skill_number(call, DRIBBLE_TORQUE));
    cr_vec3 left = cri_sub(to, s.place);
    double within = cri_skill_number(call, DRIBBLE_WITHIN);
    bool there = left.x * left.x + left.y * left.y <= within * within;
    bool lost = cri_lost_ball(&s);
    bool up = cri_time_is_up(call, cri_skill_number(call, DRIBBLE_SECONDS), &call->variables[0]);
    return there || lost || up ? CR_SKILL_IS_DONE : CR_SKILL_IS_BUSY;
}

const cr_skill_type cri_skill_dribble = {
    .name = "dribble",
    .about = "drive to a place with the ball at the dribbler; done when it is there or lost",
    .param_count = 6,
    .params = dribble_params,
    .variables = 1,
    .act = dribble_act,
    .asks_touch = true,
    .bodies = CR_FOR_PUSHED,
};
