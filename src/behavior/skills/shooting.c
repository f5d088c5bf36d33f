// Skills that kick a ball from the dribbler: kick_held at a place, shoot at an opening.
//
// The robot turns about the ball while the dribbler holds it, and kicks once it looks along the
// aim. A ball that gets lost on the way is not kicked.
#include "behavior/skills/skills.h"

#include "base/trig.h"

// Pushing the ball a little while turning keeps it at the bar; one that is faster is braked no
// harder than its backspin does, and followed when a gap opens.
static const double HOLD_SPEED = 0.25; // m/s
static const double HOLD_BRAKE = 1.2;  // m/s2
static const double FOLLOW_RATE = 6;   // 1/s

static double hold_speed(const cr_skill_call *call, const cri_sight *s)
{
    double pace = cri_dot(s->velocity, s->ahead) - HOLD_BRAKE * call->model->dt;
    return cri_max(HOLD_SPEED, pace) + FOLLOW_RATE * cri_max(0, s->gap);
}

static const char torque_text[] = "0.002";

enum { HELD_BALL, HELD_AT, HELD_SPEED, HELD_ELEVATION, HELD_TORQUE, HELD_SECONDS };

static const cr_param held_params[] = {
    {"ball", CR_PARAM_BODY, "pushable", 0, 0, NULL, "the body to kick"},
    {"at", CR_PARAM_PLACE, "", 0, 0, NULL, "where to aim"},
    {"speed", CR_PARAM_NUMBER, "m/s", 0, 50, NULL, "speed that the kick adds to the ball"},
    {"elevation", CR_PARAM_NUMBER, "rad", 0, 1.5, "0",
     "angle above level: more than 0 is a chip kick"},
    {"torque", CR_PARAM_NUMBER, "N m", 0, 1, torque_text, "of the dribbler on the ball"},
    {"seconds", CR_PARAM_NUMBER, "s", 0, 3600, "2",
     "give up when the ball was not kicked by then; 0: never"},
};

// Turn toward the target with the ball; true once it is kicked.
static bool aim_and_hit(const cr_skill_call *call, const cri_sight *s, cr_vec3 target, cri_hit hit)
{
    cr_vec3 way = cri_sub(target, s->place);
    way.z = 0;
    cr_vec3 aim = cri_unit(way, s->ahead);
    double angle = cri_wrap(cri_atan2(aim.y, aim.x) - cri_self_heading(call));
    cri_turn_about_ball(call, s, angle, hold_speed(call, s));
    if (fabs(angle) > CRI_ARRIVED_TURN || !s->in_front || s->gap > CRI_HELD_GAP) {
        return false;
    }
    cri_hit_ball(call, s->ball, aim, hit);
    return true;
}

static cr_skill_result held_act(const cr_skill_call *call)
{
    cri_sight s = cri_look(call, cri_skill_body(call, HELD_BALL));
    cri_drive_bar(call, &s, cri_skill_number(call, HELD_TORQUE));
    cri_hit hit = {cri_skill_number(call, HELD_SPEED), cri_skill_number(call, HELD_ELEVATION)};
    bool done = aim_and_hit(call, &s, cri_skill_place(call, HELD_AT), hit);
    bool up = cri_time_is_up(call, cri_skill_number(call, HELD_SECONDS), &call->variables[0]);
    return done || up || cri_lost_ball(&s) ? CR_SKILL_IS_DONE : CR_SKILL_IS_BUSY;
}

const cr_skill_type cri_skill_kick_held = {
    .name = "kick_held",
    .about = "turn with the ball at the dribbler and kick it toward a place, flat or chipped",
    .param_count = 6,
    .params = held_params,
    .variables = 1,
    .act = held_act,
    .asks_touch = true,
    .bodies = CR_FOR_PUSHED,
};

enum { SHOOT_BALL, SHOOT_GOAL, SHOOT_SPEED, SHOOT_TORQUE, SHOOT_SECONDS };

static const cr_param shoot_params[] = {
    {"ball", CR_PARAM_BODY, "pushable", 0, 0, NULL, "the body to kick"},
    {"goal", CR_PARAM_REGION, "box", 0, 0, NULL, "its mouth is the near side across its x axis"},
    {"speed", CR_PARAM_NUMBER, "m/s", 0, 50, NULL, "speed that the kick adds to the ball"},
    {"torque", CR_PARAM_NUMBER, "N m", 0, 1, torque_text, "of the dribbler on the ball"},
    {"seconds", CR_PARAM_NUMBER, "s", 0, 3600, "2",
     "give up when the ball was not kicked by then; 0: never"},
};

enum { MOUTH_POINTS = 31 };

// How far the way of a ball from here to there keeps from the nearest body that can move.
static double clearance(const cr_skill_call *call, int ball, cr_vec3 from, cr_vec3 to)
{
    double least = 1e3, reach = cri_body(call->model, ball)->radius;
    cr_vec3 way = cri_sub(to, from);
    double length2 = cri_dot(way, way);
    for (int slot = 0; slot < call->model->moving_count; slot++) {
        int index = call->model->moving[slot];
        if (index == ball || index == call->body || length2 <= 0) {
            continue;
        }
        cr_vec3 offset = cri_sub(cri_position(call->model, call->state, index), from);
        offset.z = 0;
        double share = cri_clamp(cri_dot(offset, way) / length2, 0, 1);
        double miss = cri_length(cri_sub(offset, cri_scale(share, way)));
        least = cri_min(least, miss - cri_body(call->model, index)->radius - reach);
    }
    return least;
}

// The middle of the widest opening of the mouth as seen from the ball; where all is blocked, the
// place that is farthest from whoever blocks it.
static cr_vec3 find_opening(const cr_skill_call *call, int ball)
{
    const cr_region *goal = cr_model_region(call->model, cri_skill_region(call, SHOOT_GOAL));
    cr_vec3 from = cri_position(call->model, call->state, ball);
    double side = cri_pose_local(goal->pose, from).x < 0 ? -1 : 1;
    double half = goal->shape.half.y - cri_body(call->model, ball)->radius;
    cr_vec3 best = goal->pose.position, points[MOUTH_POINTS];
    double most = -1e3;
    int run = 0, longest = 0;
    from.z = 0;
    for (int i = 0; i < MOUTH_POINTS; i++) {
        double y = half * (2.0 * i / (MOUTH_POINTS - 1) - 1);
        points[i] = cri_pose_point(goal->pose, cri_vec3(side * goal->shape.half.x, y, 0));
        points[i].z = 0;
        double room = clearance(call, ball, from, points[i]);
        run = room > 0 ? run + 1 : 0;
        if (run > longest) {
            longest = run;
            best = points[i - run / 2];
        } else if (longest == 0 && room > most) {
            most = room;
            best = points[i];
        }
    }
    return best;
}

// What a reactive attacker does (003, 6.2.5): the widest opening, as it is now.
static cr_skill_result shoot_act(const cr_skill_call *call)
{
    int ball = cri_skill_body(call, SHOOT_BALL);
    cri_sight s = cri_look(call, ball);
    cri_drive_bar(call, &s, cri_skill_number(call, SHOOT_TORQUE));
    cri_hit hit = {cri_skill_number(call, SHOOT_SPEED), 0};
    bool done = aim_and_hit(call, &s, find_opening(call, ball), hit);
    bool up = cri_time_is_up(call, cri_skill_number(call, SHOOT_SECONDS), &call->variables[0]);
    return done || up || cri_lost_ball(&s) ? CR_SKILL_IS_DONE : CR_SKILL_IS_BUSY;
}

const cr_skill_type cri_skill_shoot = {
    .name = "shoot",
    .about = "turn with the ball at the dribbler and kick it at the widest opening of a goal",
    .param_count = 5,
    .params = shoot_params,
    .variables = 1,
    .act = shoot_act,
    .asks_touch = true,
    .bodies = CR_FOR_PUSHED,
};
