// Steering left for later. What a drive or a turn asks of a body is a chain of roots and quotients
// that wait for each other; for several bodies at once it takes no longer than for one. So Skills
// say where their bodies shall go, and the forces are worked out for all of them together: those
// of one world, or, in a search, those of all worlds that are stepped together.
//
//     Skills of world a  --+
//     Skills of world b  --+-->  drives  [ x | y | vx | vy | ... ]  --> accelerations --> actions
//        ...             --+     turns   [ aside | along | ... ]
//
// Nobody else adds to a body's own drive, so when it is added makes no difference.
#ifndef CRI_STEERING_H
#define CRI_STEERING_H

#include "scene/model.h"

enum { CRI_STEERING_ROOM = 64 };

// Whose drive or turn it is. What it points to stays as it is until it is worked out.
typedef struct cri_steered {
    const cr_body *body;
    const cr_body_state *state;
    cr_action *action;
} cri_steered;

// Rows, so that several are worked out at once. Worked out, x and y are accelerations.
typedef struct cri_drives {
    int count;
    double x[CRI_STEERING_ROOM], y[CRI_STEERING_ROOM]; // m, from where it is
    double vx[CRI_STEERING_ROOM], vy[CRI_STEERING_ROOM];
    double speed[CRI_STEERING_ROOM], acceleration[CRI_STEERING_ROOM]; // limits
    cri_steered of[CRI_STEERING_ROOM];
} cri_drives;

// The direction to turn to, as seen from the body: along where it looks, and aside to the left.
// Worked out, aside is the acceleration.
typedef struct cri_turns {
    int count;
    double aside[CRI_STEERING_ROOM], along[CRI_STEERING_ROOM];
    double rate[CRI_STEERING_ROOM];                                   // rad/s, now
    double speed[CRI_STEERING_ROOM], acceleration[CRI_STEERING_ROOM]; // limits
    cri_steered of[CRI_STEERING_ROOM];
} cri_turns;

typedef struct cri_steering {
    double dt;
    cri_drives drives;
    cri_turns turns;
} cri_steering;

static inline void cri_steering_open(cri_steering *steering, const cr_model *model)
{
    steering->dt = model->dt;
    steering->drives.count = steering->turns.count = 0;
}

// Add what was gathered to the actions, and forget it.
void cri_steering_finish(cri_steering *steering);

// To a place that is `offset` away, no faster than `speed`.
static inline void cri_steering_drive(cri_steering *steering, cri_steered of, cr_vec3 offset,
                                      double speed)
{
    cri_drives *d = &steering->drives;
    if (d->count == CRI_STEERING_ROOM) {
        cri_steering_finish(steering);
    }
    int i = d->count++;
    d->x[i] = offset.x, d->y[i] = offset.y;
    d->vx[i] = of.state->velocity.x, d->vy[i] = of.state->velocity.y;
    d->speed[i] = speed, d->acceleration[i] = of.body->limits.acceleration;
    d->of[i] = of;
}

// Toward a direction.
static inline void cri_steering_turn(cri_steering *steering, cri_steered of, double aside,
                                     double along)
{
    cri_turns *t = &steering->turns;
    if (t->count == CRI_STEERING_ROOM) {
        cri_steering_finish(steering);
    }
    int i = t->count++;
    t->aside[i] = aside, t->along[i] = along;
    t->rate[i] = of.state->spin.z;
    t->speed[i] = of.body->limits.turn_speed;
    t->acceleration[i] = of.body->limits.turn_acceleration;
    t->of[i] = of;
}

// The accelerations of drives and turns: four at once, on any machine and with AVX2 (NULL where it
// was not built). Both give the bits of cri_drive_acceleration and cri_axis_acceleration.
typedef void cri_work_out(cri_steering *steering);
cri_work_out cri_work_out_base;
extern cri_work_out *const cri_work_out_avx2;

#endif
