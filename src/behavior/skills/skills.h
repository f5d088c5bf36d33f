// What the built-in Skills share: steering a body by forces.
#ifndef CRI_SKILLS_H
#define CRI_SKILLS_H

#define CRI_TRUSTED // see base/trust.h

#include "behavior/behavior.h"
#include "behavior/motion.h"
#include "behavior/steering.h"
#include "scene/calls.h"

// Tolerances of "arrived": a drive stops being busy within them. The control law reaches 1 mm; the
// rest is slack for bodies that are being pushed.
#define CRI_ARRIVED_SPEED 0.05                   // m/s
#define CRI_ARRIVED_TURN  (3 * 3.14159265 / 180) // rad

// Turn toward a heading; true when it is reached.
bool cri_steer_heading(const cr_skill_call *call, double heading);

// Whether it looks where a vector points, seen from above.
bool cri_looks_along(const cr_skill_call *call, cr_vec3 way);

// Come to rest where it is. Driven bodies stand at once.
void cri_steer_stop(const cr_skill_call *call);

// Driving on wheels that hold against going sideways. (wheels.c)
typedef enum cri_drive { CRI_DRIVE_OMNI, CRI_DRIVE_DIFFERENTIAL, CRI_DRIVE_CAR } cri_drive;

typedef struct cri_wheels {
    cri_drive drive;
    double speed;  // m/s at most; 0: the body's limit
    double within; // m: arrived
    double radius; // m, of the tightest bend of a car
} cri_wheels;

// Drive to a point; true when it is there and stands.
bool cri_wheel_to(const cr_skill_call *call, cr_vec3 place, cri_wheels wheels);

// True once the Skill has run for the given seconds; 0 never ends. Uses one variable, which holds
// the step it began at.
bool cri_time_is_up(const cr_skill_call *call, double seconds, double *began);

// Where the body that the Skill controls is, and where it looks: as an angle, and as a level unit
// vector.
static inline const cr_body *cri_self(const cr_skill_call *call)
{
    return cri_body(call->model, call->body);
}

static inline const cr_body_state *cri_self_state(const cr_skill_call *call)
{
    return cri_body_state(call->model, call->state, call->body);
}

static inline cr_vec3 cri_self_position(const cr_skill_call *call)
{
    return cri_self_state(call)->position;
}

// As long as it is level.
static inline cr_vec3 cri_look_of(const cr_body_state *body)
{
    cr_quat q = body->rotation;
    return cri_vec3(1 - 2 * (q.y * q.y + q.z * q.z), 2 * (q.x * q.y + q.w * q.z), 0);
}

static inline cr_vec3 cri_self_look(const cr_skill_call *call)
{
    return cri_look_of(cri_self_state(call));
}

static inline cr_vec3 cri_self_ahead(const cr_skill_call *call)
{
    return cri_unit(cri_self_look(call), cri_vec3(1, 0, 0));
}

double cri_self_heading(const cr_skill_call *call);

// A direction as seen from the body: along where it looks, and aside to the left.
typedef struct cri_bearing {
    double along, aside;
} cri_bearing;

static inline cri_bearing cri_bearing_from(cr_vec3 look, cr_vec3 way)
{
    return (cri_bearing){look.x * way.x + look.y * way.y, look.x * way.y - look.y * way.x};
}

static inline cri_bearing cri_bearing_of(const cr_skill_call *call, cr_vec3 way)
{
    return cri_bearing_from(cri_self_look(call), way);
}

static inline cri_steered cri_steered_self(const cr_skill_call *call)
{
    return (cri_steered){cri_self(call), cri_self_state(call), cri_skill_action(call, call->body)};
}

// Drive toward a point with the body's limits, with at most the given speed (0: the limits' own).
// Returns true when it has arrived within the given distance and stands.
static inline bool cri_steer_to(const cr_skill_call *call, cr_vec3 place, double speed,
                                double within)
{
    cri_steered self = cri_steered_self(call);
    double top = self.body->limits.speed;
    cr_vec3 offset = cri_sub(place, self.state->position), v = self.state->velocity;
    cri_steering_drive(call->steering, self, offset, speed > 0 && speed < top ? speed : top);
    return offset.x * offset.x + offset.y * offset.y <= within * within &&
           v.x * v.x + v.y * v.y <= CRI_ARRIVED_SPEED * CRI_ARRIVED_SPEED;
}

// Turn toward where a vector points, seen from above.
static inline void cri_steer_toward(const cr_skill_call *call, cr_vec3 way)
{
    cri_steered self = cri_steered_self(call);
    cri_bearing b = cri_bearing_from(cri_look_of(self.state), way);
    cri_steering_turn(call->steering, self, b.aside, b.along);
}

// The ball as a robot with a dribbler sees it. (dribbling.c)
typedef struct cri_sight {
    int ball;
    cr_vec3 place, velocity; // of the ball
    cr_vec3 ahead;           // unit, level: where the robot looks
    cr_vec3 offset;          // level, from the robot to the ball
    double distance;         // its length
    double gap;              // from the bar to the ball
    bool in_front;
} cri_sight;

#define CRI_HELD_GAP 0.01 // m: a ball that near lies at the bar

cri_sight cri_look(const cr_skill_call *call, int ball);
bool cri_lost_ball(const cri_sight *sight);

// Backspin on the ball while it touches the bar. The Skill's type must say asks_touch.
void cri_drive_bar(const cr_skill_call *call, const cri_sight *sight, double torque);

// Turn by an angle about the ball, not about the robot itself, and drive forward.
void cri_turn_about_ball(const cr_skill_call *call, const cri_sight *sight, double angle,
                         double forward);

// An impulse on a ball along a level direction, raised by an angle. (kicking.c)
typedef struct cri_hit {
    double speed;     // m/s that it adds
    double elevation; // rad
} cri_hit;

void cri_hit_ball(const cr_skill_call *call, int ball, cr_vec3 aim, cri_hit hit);

#endif
