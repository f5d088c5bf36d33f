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

// One axis: how long it takes, and the mean acceleration of the first dt seconds.
typedef struct cri_profile {
    double time;         // s
    double acceleration; // m/s2 or rad/s2
} cri_profile;

// The fastest way to come to rest `distance` ahead, starting with `velocity`. Limits > 0.
cri_profile cri_profile_axis(double distance, double velocity, double top_speed,
                             double acceleration, double dt);

// The same in the plane; z is not looked at. The acceleration is a vector.
typedef struct cri_drive {
    double time;
    cr_vec3 acceleration;
} cri_drive;

cri_drive cri_drive_to(cr_vec3 offset, cr_vec3 velocity, const cr_limits *limits, double dt);

#endif
