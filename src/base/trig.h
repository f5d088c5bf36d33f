// Sine, cosine, arc tangent, exponential and logarithm that give the same bits on every machine.
//
// The C library picks its own variants by processor (with or without fused multiply-add) and
// compilers fold constants with other rounding, so none of its transcendental functions may touch a
// state. These use plain additions and multiplications in a fixed order; accuracy is within a few
// units in the last place.
#ifndef CRI_TRIG_H
#define CRI_TRIG_H

#include "carom/base.h"

#define CRI_PI 3.14159265358979323846

// |angle| up to about 1e6; larger angles lose digits.
double cri_sin(double angle);
double cri_cos(double angle);

// Both at once, with the same bits in less time.
void cri_sin_cos(double angle, double *sine, double *cosine);

// In (-pi, pi]; 0 for (0, 0).
double cri_atan2(double y, double x);

double cri_exp(double x);

// x > 0
double cri_log(double x);

// The angle brought into (-pi, pi].
double cri_wrap(double angle);

// A turn about z, and the angle of the x axis about z.
cr_quat cri_quat_heading(double heading);
double cri_heading(cr_quat rotation);

// A turn about an axis of any length; none for a zero axis.
cr_quat cri_quat_axis(cr_vec3 axis, double angle);

#endif
