// Driving on wheels: what goes only where it looks, forward and back.
//
//   differential   two wheels side by side: it turns on the spot until the place is ahead, then
//                  drives on, turning as it goes
//   car            its bends are no tighter than a radius: on the arc that leaves along its heading
//                  and passes through the place. A place inside of its two tightest circles, or
//                  behind it, lies on no such arc: it backs up, turning, until one does
//
//            place                 The arc to a place at distance d, an angle e off the heading,
//            has
//           /  .                   the curvature 2 sin(e) / d and the length d e / sin(e).
//        d / e |
//         /    | arc               The speed along it is that of trapezoidal motion over what is
//         left
//        *-----+  heading          of it, and no more than the turn limit allows in the bend.
//
// Wheels hold against sliding sideways, up to one g.
#include "behavior/skills/skills.h"

#include "base/trig.h"

#define GRIP 9.81 // m/s2

// The way to the place as the body sees it.
typedef struct course {
    cr_vec3 ahead;          // unit, level
    double distance, angle; // to the place, off the heading
    double along, aside;    // velocity in its own directions
} course;

static course find_course(const cr_skill_call *call, cr_vec3 place)
{
    const cr_body_state *state = cri_self_state(call);
    cr_vec3 way = cri_sub(place, state->position), ahead = cri_self_ahead(call),
            v = state->velocity;
    double x = ahead.x * way.x + ahead.y * way.y, y = ahead.x * way.y - ahead.y * way.x;
    return (course){.ahead = ahead,
                    .distance = sqrt(x * x + y * y),
                    .angle = cri_atan2(y, x),
                    .along = ahead.x * v.x + ahead.y * v.y,
                    .aside = ahead.x * v.y - ahead.y * v.x};
}

// What wheels can do in a step: a change of speed along the heading, none aside, and of the turn.
static void roll(const cr_skill_call *call, const course *c, double along, double turn)
{
    const cr_body *body = cri_self(call);
    const cr_body_state *state = cri_self_state(call);
    double dt = call->model->dt, most = body->limits.turn_acceleration;
    cr_action *action = cri_skill_action(call, call->body);
    double twist = cri_clamp((turn - state->spin.z) / dt, -most, most);
    // Along the heading of the middle of the step, or it would slide out of every bend.
    double half = (state->spin.z + twist * dt) * dt / 2, speed = c->along + along * dt;
    cr_vec3 left = {-c->ahead.y, c->ahead.x, 0};
    if (body->driven) {
        action->velocity = cri_scale(speed, cri_mad(c->ahead, half, left));
        action->spin.z = state->spin.z + twist * dt;
        return;
    }
    double slip = cri_clamp((speed * half - c->aside) / dt, -GRIP, GRIP);
    cr_vec3 a = cri_add(cri_scale(along, c->ahead), cri_scale(slip, left));
    action->force = cri_mad(action->force, body->mass, a);
    action->torque.z += body->inertia.z * twist;
}

// Turn first; then drive the arc, but not faster than it can be turned in.
static void roll_differential(const cr_skill_call *call, const course *c, const cr_limits *limits)
{
    double dt = call->model->dt, sine = cri_sin(c->angle);
    bool ahead = fabs(c->angle) < CRI_PI / 4;
    double left = ahead && fabs(sine) > 1e-9 ? c->distance * c->angle / sine : c->distance;
    double bend = c->distance > 0 ? 2 * fabs(sine) / c->distance : 0;
    double top = bend * limits->speed > limits->turn_speed / 2 ? limits->turn_speed / 2 / bend
                                                               : limits->speed;
    double along = cri_axis_acceleration(ahead ? left : 0, c->along, ahead ? top : limits->speed,
                                         limits->acceleration, dt);
    double turn = cri_axis_acceleration(c->angle, cri_self_state(call)->spin.z, limits->turn_speed,
                                        limits->turn_acceleration, dt);
    roll(call, c, along, cri_self_state(call)->spin.z + turn * dt);
}

// A place that a car can reach forward: ahead of it, and outside of its tightest circles.
static bool is_in_reach(const course *c, double radius, double slack)
{
    double x = c->distance * cri_cos(c->angle), y = c->distance * fabs(cri_sin(c->angle)) - radius;
    return x > 0 && x * x + y * y > radius * radius * slack;
}

static void roll_car(const cr_skill_call *call, const course *c, const cr_limits *limits,
                     const cri_wheels *w)
{
    double dt = call->model->dt, sine = cri_sin(c->angle), side = c->angle < 0 ? -1 : 1;
    // What goes back goes on with it for a while, so that it does not change to and fro.
    bool backs = !is_in_reach(c, w->radius, c->along < 0 ? 1.2 : 0.98);
    double left = fabs(sine) > 1e-9 ? c->distance * c->angle / sine : c->distance;
    double bend =
        c->distance > 0 ? cri_clamp(2 * sine / c->distance, -1 / w->radius, 1 / w->radius) : 0;
    double along = cri_axis_acceleration(backs ? -w->radius : left, c->along, limits->speed,
                                         limits->acceleration, dt);
    // Going back, the wheels point away from the place, so that the front comes round to it.
    bend = backs ? -side / w->radius : bend;
    double most = limits->turn_speed;
    roll(call, c, along, cri_clamp(bend * (c->along + along * dt), -most, most));
}

bool cri_wheel_to(const cr_skill_call *call, cr_vec3 place, cri_wheels wheels)
{
    const cr_body *body = cri_self(call);
    course c = find_course(call, place);
    cr_limits limits = body->limits;
    limits.speed = wheels.speed > 0 && wheels.speed < limits.speed ? wheels.speed : limits.speed;
    if (c.distance <= wheels.within) {
        double stop =
            cri_axis_acceleration(0, c.along, limits.speed, limits.acceleration, call->model->dt);
        roll(call, &c, stop, 0);
        return fabs(c.along) <= CRI_ARRIVED_SPEED;
    }
    if (wheels.drive == CRI_DRIVE_CAR) {
        roll_car(call, &c, &limits, &wheels);
    } else {
        roll_differential(call, &c, &limits);
    }
    return false;
}
