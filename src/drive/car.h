// The car of appendix A, and quantities of it that others need.
#ifndef CRI_DRIVE_CAR_H
#define CRI_DRIVE_CAR_H

#include "carom/drive.h"

#define CRI_GRAVITY 9.8

// Velocities in the car's frame: what moves are compared by.
typedef struct cri_drive_motion {
    double u, v, w; // m/s forward, m/s left, rad/s
} cri_drive_motion;

cri_drive_motion cri_car_motion(const cr_car_state *state);

// A car at the origin that moves like this.
cr_car_state cri_car_at_origin(cri_drive_motion motion);

// |u1-u2| + |v1-v2| + |w1-w2|: the thesis's distance.
double cri_drive_motion_distance(cri_drive_motion a, cri_drive_motion b);

// How motion and heading after a frame change with the motion before it and the input.
enum { CRI_BY_U, CRI_BY_V, CRI_BY_W, CRI_BY_STEER, CRI_BY_THROTTLE, CRI_BY_BRAKE, CRI_BY_COUNT };
typedef struct cri_car_slopes {
    double u[CRI_BY_COUNT], v[CRI_BY_COUNT], w[CRI_BY_COUNT], heading[CRI_BY_COUNT];
} cri_car_slopes;

// cr_car_step, with the same bits, and its slopes.
cr_car_state cri_car_step_slopes(const cr_car *car, cr_car_state state, cr_car_input input,
                                 cri_car_slopes *slopes);

// A steady corner, as far as sideways forces go: the car at this speed whose velocity turns with
// the given sideways acceleration (left positive), with the steering that keeps it there. False if
// the tyres cannot.
typedef struct cri_trim {
    cri_drive_motion motion;
    double steer;
} cri_trim;

bool cri_car_trim(const cr_car *car, double speed, double sideways, cri_trim *trim);

// Along and across the direction of travel, m/s2, for a car at this speed that slides at the angle
// `slip` (left positive) with balanced yaw.
typedef struct cri_pull {
    double along, across;
    double steer; // beyond 45 degrees where no steering does it
} cri_pull;

cri_pull cri_car_pull(const cr_car *car, double speed, double slip, double across, double pedals);

#endif
