// Skills of opponents: block. (A thief is a robot that does get_ball.)
#include "behavior/skills/skills.h"

#include "base/trig.h"

enum { BLOCK_BALL, BLOCK_GOAL, BLOCK_OUT, BLOCK_REACH };

static const cr_param block_params[] = {
    {"ball", CR_PARAM_BODY, "pushable", 0, 0, NULL, "the ball to stop"},
    {"goal", CR_PARAM_PLACE, "", 0, 0, NULL, "what to guard: the middle of the goal's mouth"},
    {"out", CR_PARAM_NUMBER, "m", 0, 100, "0.5",
     "how far from it to stand, if the ball is farther away"},
    {"reach", CR_PARAM_NUMBER, "m", 0, 100, "0.5",
     "go for a ball that will pass that near to the guarded place"},
};

// A slower ball is no shot.
static const double SHOT_SPEED = 0.4; // m/s

static cr_vec3 level(cr_vec3 v)
{
    return cri_vec3(v.x, v.y, 0);
}

// True if the ball is on its way to the goal; then *place is the nearest point of its path.
static bool see_shot(const cr_skill_call *call, const cr_body_state *self,
                     const cr_body_state *ball, cr_vec3 goal, cr_vec3 *place)
{
    cr_vec3 velocity = level(ball->velocity), from = level(ball->position);
    double speed = cri_length(velocity);
    if (speed < SHOT_SPEED) {
        return false;
    }
    cr_vec3 way = cri_scale(1 / speed, velocity);
    double ahead = cri_dot(cri_sub(goal, from), way);
    cr_vec3 miss = cri_sub(cri_mad(from, ahead, way), goal);
    double reach = cri_skill_number(call, BLOCK_REACH);
    double mine = cri_dot(cri_sub(level(self->position), from), way);
    *place = cri_mad(from, mine, way);
    return ahead > 0 && mine > 0 && cri_dot(miss, miss) < reach * reach;
}

// Between ball and goal.
static cr_vec3 place_between(const cr_skill_call *call, const cr_body *self, cr_vec3 ball,
                             cr_vec3 goal)
{
    cr_vec3 to_ball = cri_sub(ball, goal);
    double distance = cri_length(to_ball), room = 2 * self->radius;
    double out = cri_min(cri_skill_number(call, BLOCK_OUT), cri_max(0, distance - room));
    return cri_mad(goal, out / cri_max(distance, 1e-9), to_ball);
}

// Stand between ball and goal, and go for shots.
static cr_skill_result block_act(const cr_skill_call *call)
{
    cri_steered self = cri_steered_self(call);
    int index = cri_skill_body(call, BLOCK_BALL);
    const cr_body_state *state = cri_body_state(call->model, call->state, index);
    cr_vec3 goal = level(cri_skill_place(call, BLOCK_GOAL)), ball = level(state->position), place;
    if (!see_shot(call, self.state, state, goal, &place)) {
        place = place_between(call, self.body, ball, goal);
    }
    cr_vec3 here = self.state->position;
    cri_bearing b = cri_bearing_from(cri_look_of(self.state), cri_sub(ball, here));
    cri_steering_drive(call->steering, self, cri_sub(place, here), self.body->limits.speed);
    cri_steering_turn(call->steering, self, b.aside, b.along);
    return CR_SKILL_IS_DONE;
}

const cr_skill_type cri_skill_block = {
    .name = "block",
    .about = "stand between a ball and a goal, and go for shots; never busy",
    .param_count = 4,
    .params = block_params,
    .act = block_act,
};
