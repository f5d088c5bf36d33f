// What the built-in Skills share: steering a body by forces.
#ifndef CRI_SKILLS_H
#define CRI_SKILLS_H

#include "behavior/behavior.h"
#include "behavior/motion.h"

// Tolerances of "arrived": a drive stops being busy within them. The control law reaches 1 mm; the
// rest is slack for bodies that are being pushed.
#define CRI_ARRIVED_SPEED 0.05                   // m/s
#define CRI_ARRIVED_TURN  (3 * 3.14159265 / 180) // rad

// Drive toward a point with the body's limits, with at most the given speed (0: the limits' own).
// Returns true when it has arrived within the given distance and stands.
bool cri_steer_to(const cr_skill_call *call, cr_vec3 place, double speed, double within);

// Turn toward a heading; true when it is reached.
bool cri_steer_heading(const cr_skill_call *call, double heading);

// Come to rest where it is. Driven bodies stand at once.
void cri_steer_stop(const cr_skill_call *call);

// True once the Skill has run for the given seconds; 0 never ends. Uses one variable, which holds
// the step it began at.
bool cri_time_is_up(const cr_skill_call *call, double seconds, double *began);

// The pose, velocity and heading of the body that the Skill controls.
cr_vec3 cri_self_position(const cr_skill_call *call);
double cri_self_heading(const cr_skill_call *call);

// How far a body reaches ahead (+x of its own frame) from its centre of mass.
double cri_reach_ahead(const cr_model *model, int body);

extern const cr_skill_type cri_skill_wait, cri_skill_stand;
extern const cr_skill_type cri_skill_drive_to, cri_skill_turn;
extern const cr_skill_type cri_skill_kick, cri_skill_push;
extern const cr_skill_type cri_skill_spin, cri_skill_oscillate;
extern const cr_skill_type cri_skill_random_force;

#endif
