// Skills that move another body: kick and push.
//
// Both bring the controlled body behind the ball, on the line from the target through the ball, and
// go round the ball rather than through it. The kick then gives the ball an impulse; the push keeps
// driving.
#include "behavior/skills/skills.h"

#include "base/trig.h"

enum { KICK_BALL, KICK_AT, KICK_SPEED, KICK_SECONDS, KICK_ELEVATION };

static const cr_param kick_params[] = {
    {"ball", CR_PARAM_BODY, "pushable", 0, 0, NULL, "the body to kick"},
    {"at", CR_PARAM_PLACE, "", 0, 0, NULL, "where to aim"},
    {"speed", CR_PARAM_NUMBER, "m/s", 0, 50, NULL, "speed that the kick adds to the ball"},
    {"seconds", CR_PARAM_NUMBER, "s", 0, 3600, "5",
     "give up when the ball was not kicked by then; 0: never"},
    {"elevation", CR_PARAM_NUMBER, "rad", 0, 1.5, "0",
     "angle above level: more than 0 is a chip kick"},
};

// The stand behind the ball: its place, the heading there, and the room the two bodies need.
typedef struct stand {
    cr_vec3 ball;
    cr_vec3 aim; // unit, level, from the ball to the target
    double room; // from centre to centre when they touch
} stand;

static stand find_stand(const cr_skill_call *call, int ball, cr_vec3 target)
{
    cr_vec3 at = cri_position(call->model, call->state, ball);
    cr_vec3 level = cri_sub(target, at);
    level.z = 0;
    return (stand){
        .ball = at,
        .aim = cri_unit(level, cri_vec3(1, 0, 0)),
        .room = cri_body(call->model, call->body)->reach + cri_body(call->model, ball)->radius,
    };
}

// How far the body may be off its stand and still kick.
#define STAND_WITHIN 0.015

// Where to drive to next on the way to the stand: straight to it, or round the ball when it is in
// the way.
static cr_vec3 way_round(const cr_skill_call *call, const stand *s)
{
    cr_vec3 behind = cri_neg(s->aim);
    cr_vec3 from = cri_sub(cri_self_position(call), s->ball);
    from.z = 0;
    cr_vec3 out = cri_unit(from, behind);
    double cosine = cri_dot(out, behind);
    if (cosine > 0.85) { // within about 30 degrees of the stand
        return cri_mad(s->ball, s->room + 0.002, behind);
    }
    // On a circle with room to spare, 60 degrees ahead of where the body is.
    double side = out.x * behind.y - out.y * behind.x < 0 ? -1 : 1;
    double c = 0.5, d = side * 0.8660254037844386;
    cr_vec3 next = {c * out.x - d * out.y, d * out.x + c * out.y, 0};
    const cr_body *self = cri_body(call->model, call->body);
    double clear = self->radius + (s->room - self->reach) + 0.03;
    return cri_mad(s->ball, clear, next);
}

// Drive to the stand; true when the body stands there and looks along the aim.
static bool take_stand(const cr_skill_call *call, const stand *s)
{
    cr_vec3 place = cri_mad(s->ball, -(s->room + 0.002), s->aim);
    cr_vec3 off = cri_sub(place, cri_self_position(call));
    cri_steer_to(call, way_round(call, s), 0, STAND_WITHIN);
    cri_steer_toward(call, s->aim);
    return off.x * off.x + off.y * off.y <= STAND_WITHIN * STAND_WITHIN &&
           cri_looks_along(call, s->aim);
}

void cri_hit_ball(const cr_skill_call *call, int ball, cr_vec3 aim, cri_hit hit)
{
    cr_vec3 along = aim;
    if (hit.elevation > 0) {
        along =
            cri_add(cri_scale(cri_cos(hit.elevation), aim), cri_vec3(0, 0, cri_sin(hit.elevation)));
    }
    cr_action *action = cri_skill_action(call, ball);
    double impulse = cri_body(call->model, ball)->mass * hit.speed;
    action->impulse = cri_mad(action->impulse, impulse, along);
}

// 003, algorithm 20.
static cr_skill_result kick_act(const cr_skill_call *call)
{
    int ball = cri_skill_body(call, KICK_BALL);
    stand s = find_stand(call, ball, cri_skill_place(call, KICK_AT));
    if (take_stand(call, &s)) {
        cri_hit_ball(
            call, ball, s.aim,
            (cri_hit){cri_skill_number(call, KICK_SPEED), cri_skill_number(call, KICK_ELEVATION)});
        return CR_SKILL_IS_DONE;
    }
    bool up = cri_time_is_up(call, cri_skill_number(call, KICK_SECONDS), &call->variables[0]);
    return up ? CR_SKILL_IS_DONE : CR_SKILL_IS_BUSY;
}

const cr_skill_type cri_skill_kick = {
    .name = "kick",
    .about = "get behind a ball and kick it toward a place, flat or chipped",
    .param_count = 5,
    .params = kick_params,
    .variables = 1,
    .act = kick_act,
};

enum { PUSH_BALL, PUSH_TO, PUSH_SPEED, PUSH_WITHIN, PUSH_SECONDS };

static const cr_param push_params[] = {
    {"ball", CR_PARAM_BODY, "pushable", 0, 0, NULL, "the body to push"},
    {"to", CR_PARAM_PLACE, "", 0, 0, NULL, "where to push it"},
    {"speed", CR_PARAM_NUMBER, "m/s", 0.01, 50, "0.5", "driving speed while pushing"},
    {"within", CR_PARAM_NUMBER, "m", 0.001, 100, "0.1", "done when it is that near"},
    {"seconds", CR_PARAM_NUMBER, "s", 0, 3600, "5", "give up after this time; 0: never"},
};

static cr_skill_result push_act(const cr_skill_call *call)
{
    int ball = cri_skill_body(call, PUSH_BALL);
    cr_vec3 target = cri_skill_place(call, PUSH_TO);
    stand s = find_stand(call, ball, target);
    cr_vec3 left = cri_sub(target, s.ball);
    double within = cri_skill_number(call, PUSH_WITHIN);
    if (left.x * left.x + left.y * left.y <= within * within) {
        return CR_SKILL_IS_DONE;
    }
    // Behind the ball and near it: drive on through it. Else: get there.
    cr_vec3 from = cri_sub(s.ball, cri_self_position(call));
    double ahead = cri_dot(from, s.aim), aside = fabs(s.aim.x * from.y - s.aim.y * from.x);
    if (ahead > 0 && ahead < s.room + 0.05 && aside < 0.3 * s.room) {
        cri_steer_to(call, target, cri_skill_number(call, PUSH_SPEED), 0.001);
        cri_steer_toward(call, s.aim);
    } else {
        take_stand(call, &s);
    }
    bool up = cri_time_is_up(call, cri_skill_number(call, PUSH_SECONDS), &call->variables[0]);
    return up ? CR_SKILL_IS_DONE : CR_SKILL_IS_BUSY;
}

const cr_skill_type cri_skill_push = {
    .name = "push",
    .about = "get behind a body and push it to a place",
    .param_count = 5,
    .params = push_params,
    .variables = 1,
    .act = push_act,
};
