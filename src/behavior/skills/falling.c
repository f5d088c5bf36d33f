// Skills of bodies that seem to be left to themselves: biased_fall and biased_bounce (003, 6.1.5,
// figure 6.9 and C.3, algorithm 21).
//
// A die falls, bounces and comes to rest, and is pushed a little toward its place all the while:
//
//     biased_fall  --- it touches something --->  biased_bounce  --- 0.1 s later --->  biased_fall
//          |  at most 0.3 g, only in flight           at most 1 g                          ...
//          +--- it lies still ---> idle: nothing more
//
// Pushes are level, and no stronger than the scene allows. They aim at being above the place, and
// going neither way there, when the fall is over: over a time t that is
//
//     a = 6 d / t^2 - 4 v / t
//
// for an offset d and a velocity v, the cubic of least effort. Algorithm 21 has a = bias d; such a
// spring alone arrives with the speed that it gave.
#include "behavior/skills/skills.h"

#include "base/trig.h"

// A step that changes the velocity otherwise than gravity, damping and the push do had a contact in
// it. Less than this is rounding.
#define UNMOVED 1e-3 // m/s

// What both Skills have first.
enum { PUSH_TO, PUSH_STRENGTH, PUSH_MOST, PUSH_SOONEST, PUSH_COUNT };

#define PUSH_PARAMS(most, says)                                                                    \
    {"to", CR_PARAM_PLACE, "", 0, 0, NULL, "where it is to come to lie"},                          \
        {"strength",                                                                               \
         CR_PARAM_NUMBER,                                                                          \
         "",                                                                                       \
         0,                                                                                        \
         10,                                                                                       \
         "{uniform: [0.8, 1.2]}",                                                                  \
         "share of the push that would bring it there"},                                           \
        {"most", CR_PARAM_NUMBER, "m/s2", 0, 1000, most, says},                                    \
    {                                                                                              \
        "soonest", CR_PARAM_NUMBER, "s", 0.01, 100, "0.05",                                        \
            "it need not be there before this time"                                                \
    }

// The time until it has fallen to the height of a place.
static double time_to_fall(const cr_skill_call *call, cr_vec3 place)
{
    const cr_body_state *self = cri_self_state(call);
    double g = -call->model->gravity.z, up = self->velocity.z;
    double drop = fmax(self->position.z - place.z, 0);
    double t = g > 0 ? (up + sqrt(up * up + 2 * g * drop)) / g : 0;
    return fmax(t, cri_skill_number(call, PUSH_SOONEST));
}

// Push it toward its place. Returns the acceleration.
static cr_vec3 push(const cr_skill_call *call)
{
    const cr_body_state *self = cri_self_state(call);
    cr_vec3 place = cri_skill_place(call, PUSH_TO);
    cr_vec3 way = cri_sub(place, self->position), v = self->velocity;
    double t = time_to_fall(call, place), k = cri_skill_number(call, PUSH_STRENGTH) / t;
    cr_vec3 a = cri_vec3(k * (6 * way.x / t - 4 * v.x), k * (6 * way.y / t - 4 * v.y), 0);
    double size = cri_length(a), most = cri_skill_number(call, PUSH_MOST);
    a = size > most ? cri_scale(most / size, a) : a;
    cr_action *action = cri_skill_action(call, call->body);
    action->force = cri_mad(action->force, cri_self(call)->mass, a);
    return a;
}

// ---------------------------------------------------------------------------------------------

enum { FALL_SLOW = PUSH_COUNT, FALL_UNTIL, FALL_COUNT };

static const cr_param fall_params[] = {
    PUSH_PARAMS("2.943", "its acceleration, at most; 0.3 g"),
    {"slow", CR_PARAM_NUMBER, "m/s", 0, 100, "0.02",
     "what touches something and is slower than that lies, and is not busy"},
    {"until", CR_PARAM_CHOICE, "touch|hit", 0, 0, "touch",
     "busy until it touches something, or hits it: touches it after a step in flight"},
};

enum { EXPECTED_X, EXPECTED_Y, EXPECTED_Z, FLIES, FALL_VARIABLES };
enum { UNTIL_TOUCH };

static bool moved_as_expected(const cr_skill_call *call)
{
    cr_vec3 v = cri_self_state(call)->velocity;
    const double *e = call->variables;
    return cri_length(cri_vec3(v.x - e[EXPECTED_X], v.y - e[EXPECTED_Y], v.z - e[EXPECTED_Z])) <
           UNMOVED;
}

static void expect(const cr_skill_call *call, cr_vec3 pushed)
{
    const cr_model *model = call->model;
    const cr_body *self = cri_self(call);
    cr_vec3 v = cri_mad(cri_self_state(call)->velocity, model->dt, cri_add(model->gravity, pushed));
    double kept = self->linear_damping > 0 ? cri_exp(-self->linear_damping * model->dt) : 1;
    call->variables[EXPECTED_X] = kept * v.x;
    call->variables[EXPECTED_Y] = kept * v.y;
    call->variables[EXPECTED_Z] = kept * v.z;
}

// It pushes only after a step in which it flew: whether the first one is such, nobody knows.
static cr_skill_result fall_act(const cr_skill_call *call)
{
    double *flies = &call->variables[FLIES];
    bool flew = *flies != 0, touched = !call->entered && !moved_as_expected(call);
    *flies = !call->entered && !touched;
    expect(call, *flies != 0 ? push(call) : cri_vec3(0, 0, 0));
    bool lies = cri_length(cri_self_state(call)->velocity) < cri_skill_number(call, FALL_SLOW);
    bool done = touched && (lies || flew || cri_skill_choice(call, FALL_UNTIL) == UNTIL_TOUCH);
    return done ? CR_SKILL_IS_DONE : CR_SKILL_IS_BUSY;
}

const cr_skill_type cri_skill_biased_fall = {
    .name = "biased_fall",
    .about = "push the body itself toward a place while it flies, busy until it touches something",
    .param_count = FALL_COUNT,
    .params = fall_params,
    .variables = FALL_VARIABLES,
    .act = fall_act,
    .bodies = CR_FOR_PUSHED,
};

// ---------------------------------------------------------------------------------------------

enum { BOUNCE_SECONDS = PUSH_COUNT, BOUNCE_COUNT };

static const cr_param bounce_params[] = {
    PUSH_PARAMS("9.81", "its acceleration, at most; 1 g"),
    {"seconds", CR_PARAM_NUMBER, "s", 0.01, 3600, "0.1",
     "how long, from the end of the step in which it touched something"},
};

// biased_fall has used up the first step of that time, in which it noticed.
static cr_skill_result bounce_act(const cr_skill_call *call)
{
    push(call);
    double left = cri_skill_number(call, BOUNCE_SECONDS) - call->model->dt;
    return left <= 0 || cri_time_is_up(call, left, &call->variables[0]) ? CR_SKILL_IS_DONE
                                                                        : CR_SKILL_IS_BUSY;
}

const cr_skill_type cri_skill_biased_bounce = {
    .name = "biased_bounce",
    .about = "push the body itself toward a place for a while after it touched something",
    .param_count = BOUNCE_COUNT,
    .params = bounce_params,
    .variables = 1,
    .act = bounce_act,
    .bodies = CR_FOR_PUSHED,
};
