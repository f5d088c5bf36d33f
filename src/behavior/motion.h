// How a body with limited speed and acceleration gets somewhere: the trapezoidal motion model
// (003, 5.3.4, figure 5.3).
//
//   speed
//     ^      _________________
//     |     /                 \          accelerate, cruise, brake: the fastest way to stand
//     |    /                   \         still at a place. The same profile gives the time
//     |   /                     \        (metric of rrt) and the acceleration to apply now
//     +--------------------------->      (control of Skills).
//
// In the plane, acceleration and top speed are shared between the axes so that both arrive
// together.
#ifndef CRI_MOTION_H
#define CRI_MOTION_H

#include "base/vec.h"
#include "carom/model.h"

// One axis: the fastest way to come to rest `distance` ahead, starting with `velocity`. Limits > 0.
// How long it takes, and the mean acceleration of its first dt seconds: to the velocity v1 from
// which it can still stop, v1 |v1| / 2a + (v + v1) dt / 2 = distance.
double cri_axis_time(double distance, double velocity, double top_speed, double acceleration);

double cri_axis_acceleration(double distance, double velocity, double top_speed,
                             double acceleration, double dt);

// The fastest way with brakes of their own, and not to rest but to a velocity `target`, which may
// be above the top speed (figure 5.3: deceleration and desired target velocity).
typedef struct cri_axis_limits {
    double top_speed, acceleration, deceleration; // > 0
} cri_axis_limits;
double cri_axis_arrival(double distance, double velocity, double target, cri_axis_limits limits);

// The same in the plane, as well shared as can be.
double cri_arrival_time(cr_vec3 offset, cr_vec3 velocity, cr_vec3 target, cri_axis_limits limits);

// To rest in the plane, braking as it speeds up; z is not looked at.
double cri_drive_time(cr_vec3 offset, cr_vec3 velocity, const cr_limits *limits);
cr_vec3 cri_drive_acceleration(cr_vec3 offset, cr_vec3 velocity, const cr_limits *limits,
                               double dt);

#endif
