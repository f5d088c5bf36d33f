// Clips for the automatic graph.
#ifndef CRI_DRIVE_SWEEP_H
#define CRI_DRIVE_SWEEP_H

#include "drive/clip.h"

enum { CRI_SWEEP_MOST_SPEEDS = 64 };

// The speeds between which the driver sweeps, m/s.
typedef struct cri_sweep_speeds {
    int count;
    double at[CRI_SWEEP_MOST_SPEEDS];
} cri_sweep_speeds;

void cri_sweep_lay(const cr_car *car, cri_sweep_speeds *speeds);

// The sweep consists of parts that do not depend on each other: how many, and record one.
int cri_sweep_parts(const cri_sweep_speeds *speeds);
void cri_sweep_record(cri_driver *driver, const cri_sweep_speeds *speeds, int part);

// The speed of the sweep that is nearest to this one, m/s.
double cri_sweep_nearest(const cri_sweep_speeds *speeds, double speed);

#endif
