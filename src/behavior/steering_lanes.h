// The accelerations of what was gathered, several at once. The file that includes it names the
// function.
#define CRI_DOUBLES 4
#include "base/atan.h"
#include "behavior/shares.h"
#include "behavior/steering.h"

// The last row is filled up with numbers that are soon worked out.
static void fill(double *row, int count, double value)
{
    for (int i = count; i % CRI_DOUBLES != 0; i++) {
        row[i] = value;
    }
}

static void work_out_drives(cri_drives *d, double dt)
{
    double *rows[] = {d->x, d->y, d->vx, d->vy, d->speed, d->acceleration};
    for (int i = 0; i < 6; i++) {
        fill(rows[i], d->count, i < 4 ? 0 : 1);
    }
    for (int i = 0; i < d->count; i += CRI_DOUBLES) {
        cri_doubles_plane to = {cri_doubles_load(&d->x[i]), cri_doubles_load(&d->y[i]),
                                cri_doubles_load(&d->vx[i]), cri_doubles_load(&d->vy[i])};
        cri_doubles_limits limits = {cri_doubles_load(&d->speed[i]),
                                     cri_doubles_load(&d->acceleration[i])};
        cri_doubles_pair a = cri_doubles_drive(&to, limits, dt);
        cri_doubles_store(&d->x[i], a.x);
        cri_doubles_store(&d->y[i], a.y);
    }
}

static void work_out_turns(cri_turns *t, double dt)
{
    double *rows[] = {t->aside, t->along, t->rate, t->speed, t->acceleration};
    for (int i = 0; i < 5; i++) {
        fill(rows[i], t->count, i < 3 ? 0 : 1);
    }
    for (int i = 0; i < t->count; i += CRI_DOUBLES) {
        cri_doubles error =
            cri_doubles_atan2(cri_doubles_load(&t->aside[i]), cri_doubles_load(&t->along[i]));
        cri_doubles_limits limits = {cri_doubles_load(&t->speed[i]),
                                     cri_doubles_load(&t->acceleration[i])};
        cri_doubles rate = cri_doubles_load(&t->rate[i]);
        cri_doubles_store(&t->aside[i], cri_doubles_axis(error, rate, limits, dt));
    }
}

static void work_out(cri_steering *steering)
{
    work_out_drives(&steering->drives, steering->dt);
    work_out_turns(&steering->turns, steering->dt);
}
