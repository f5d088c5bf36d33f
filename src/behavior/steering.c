#include "behavior/steering.h"

#include <assert.h>

#include "base/vec.h"

static void add_drive(const cri_steered *of, cr_vec3 a, double dt)
{
    if (of->body->driven) {
        of->action->velocity = cri_mad(of->state->velocity, dt, a);
    } else {
        of->action->force = cri_mad(of->action->force, of->body->mass, a);
    }
}

static void add_turn(const cri_steered *of, double turn, double dt)
{
    if (of->body->driven) {
        of->action->spin.z = of->state->spin.z + turn * dt;
    } else {
        of->action->torque.z += of->body->inertia.z * turn;
    }
}

static cri_work_out *best_way(void)
{
#if defined(__x86_64__) || defined(__i386__)
    if (cri_work_out_avx2 && __builtin_cpu_supports("avx2")) {
        return cri_work_out_avx2;
    }
#endif
    return cri_work_out_base;
}

void cri_steering_finish(cri_steering *steering)
{
    cri_drives *d = &steering->drives;
    cri_turns *t = &steering->turns;
    assert(d->count <= CRI_STEERING_ROOM && t->count <= CRI_STEERING_ROOM);
    best_way()(steering);
    for (int i = 0; i < d->count; i++) {
        add_drive(&d->of[i], cri_vec3(d->x[i], d->y[i], 0), steering->dt);
    }
    for (int i = 0; i < t->count; i++) {
        add_turn(&t->of[i], t->aside[i], steering->dt);
    }
    d->count = t->count = 0;
}
