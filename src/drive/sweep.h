// Clips for the automatic graph.
#ifndef CRI_DRIVE_SWEEP_H
#define CRI_DRIVE_SWEEP_H

#include "drive/clip.h"

void cri_sweep_record(cri_driver *driver);

// The speed of the sweep's grid that is nearest to this one, m/s.
double cri_sweep_speed(const cr_car *car, double speed);

#endif
