// What the built-in Skills share: steering a body by forces.
#ifndef CRI_SKILLS_H
#define CRI_SKILLS_H

#include "behavior/behavior.h"
#include "behavior/motion.h"
#include "scene/calls.h"

// Tolerances of "arrived": a drive stops being busy within them. The control law reaches 1 mm; the
// rest is slack for bodies that are being pushed.
#define CRI_ARRIVED_SPEED 0.05                   // m/s
#define CRI_ARRIVED_TURN  (3 * 3.14159265 / 180) // rad

// Drive toward a point with the body's limits, with at most the given speed (0: the limits' own).
// Returns true when it has arrived within the given distance and stands.
bool cri_steer_to(const cr_skill_call *call, cr_vec3 place, double speed, double within);

// Turn toward a heading; true when it is reached.
bool cri_steer_heading(const cr_skill_call *call, double heading);

// The same toward where a vector points, seen from above.
bool cri_steer_toward(const cr_skill_call *call, cr_vec3 way);

// Come to rest where it is. Driven bodies stand at once.
void cri_steer_stop(const cr_skill_call *call);

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

double cri_self_heading(const cr_skill_call *call);
cr_vec3 cri_self_ahead(const cr_skill_call *call);

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

// Turn to a heading about the ball, not about the robot itself, and drive forward.
void cri_turn_about_ball(const cr_skill_call *call, const cri_sight *sight, double heading,
                         double forward);

// An impulse on a ball along a level direction, raised by an angle. (kicking.c)
typedef struct cri_hit {
    double speed;     // m/s that it adds
    double elevation; // rad
} cri_hit;

void cri_hit_ball(const cr_skill_call *call, int ball, cr_vec3 aim, cri_hit hit);

#endif
