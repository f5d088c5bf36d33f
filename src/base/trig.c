#include "base/trig.h"

#include <math.h>
#include <string.h>

#include "base/atan.h"
#include "base/vec.h"

// The kernels are the classic minimax polynomials of fdlibm on reduced ranges.

static double sin_kernel(double x)
{
    double z = x * x;
    double r = -1.66666666666666324348e-01 +
               z * (8.33333333332248946124e-03 +
                    z * (-1.98412698298579493134e-04 +
                         z * (2.75573137070700676789e-06 +
                              z * (-2.50507602534068634195e-08 + z * 1.58969099521155010221e-10))));
    return x + x * z * r;
}

static double cos_kernel(double x)
{
    double z = x * x;
    double r = 4.16666666666666019037e-02 +
               z * (-1.38888888888741095749e-03 +
                    z * (2.48015872894767294178e-05 +
                         z * (-2.75573143513906633035e-07 +
                              z * (2.08757232129817482790e-09 + z * -1.13596475577881948265e-11))));
    return 1 - (0.5 * z - z * z * r);
}

// angle = quarter * pi/2 + rest, |rest| <= pi/4. pi/2 is subtracted in three parts so that no
// digits are lost.
static double reduce(double angle, int *quarter)
{
    // Farther out the three parts no longer carry the digits: whole turns are taken off first,
    // which is exact. What is not finite has no rest.
    if (!(fabs(angle) < 1e9)) {
        angle = fmod(angle, 2 * CRI_PI);
    }
    if (isnan(angle)) {
        *quarter = 0;
        return angle;
    }
    double n = floor(angle * (2 / CRI_PI) + 0.5);
    double rest = angle - n * 1.57079632673412561417e+00;
    rest -= n * 6.07710050630396597660e-11;
    rest -= n * 2.02226624879595063154e-21;
    *quarter = (int)((long long)n & 3);
    return rest;
}

double cri_sin(double angle)
{
    int quarter;
    double x = reduce(angle, &quarter);
    double s = (quarter & 1) ? cos_kernel(x) : sin_kernel(x);
    return (quarter & 2) ? -s : s;
}

double cri_cos(double angle)
{
    int quarter;
    double x = reduce(angle, &quarter);
    double c = (quarter & 1) ? sin_kernel(x) : cos_kernel(x);
    return (quarter == 1 || quarter == 2) ? -c : c;
}

void cri_sin_cos(double angle, double *sine, double *cosine)
{
    int quarter;
    double x = reduce(angle, &quarter);
    double s = sin_kernel(x), c = cos_kernel(x);
    *sine = (quarter & 1) ? c : s;
    *cosine = (quarter & 1) ? s : c;
    *sine = (quarter & 2) ? -*sine : *sine;
    *cosine = (quarter == 1 || quarter == 2) ? -*cosine : *cosine;
}

double cri_atan2(double y, double x)
{
    return cri_doubles_atan2(y, x);
}

double cri_exp(double x)
{
    if (x > 709) {
        return HUGE_VAL;
    }
    if (x < -745) {
        return 0;
    }
    if (isnan(x)) {
        return x;
    }
    double n = floor(x * 1.44269504088896338700 + 0.5);
    double r = (x - n * 6.93147180369123816490e-01) - n * 1.90821492927058770002e-10;
    double sum = 1;
    for (int k = 14; k >= 1; k--) {
        sum = 1 + sum * r / k;
    }
    return ldexp(sum, (int)n);
}

double cri_log(double x)
{
    int exponent;
    double m = frexp(x, &exponent); // m in [0.5, 1)
    if (m < 0.70710678118654752440) {
        m *= 2;
        exponent--;
    }
    double s = (m - 1) / (m + 1), z = s * s, sum = 0;
    for (int k = 23; k >= 1; k -= 2) {
        sum = 1.0 / k + z * sum;
    }
    return exponent * 6.93147180559945286227e-01 + 2 * s * sum;
}

double cri_wrap(double angle)
{
    double turns = floor(angle / (2 * CRI_PI) + 0.5);
    double rest = angle - turns * (2 * CRI_PI);
    return rest <= -CRI_PI ? rest + 2 * CRI_PI : rest;
}

cr_quat cri_quat_heading(double heading)
{
    return (cr_quat){0, 0, cri_sin(heading / 2), cri_cos(heading / 2)};
}

double cri_heading(cr_quat q)
{
    return cri_atan2(2 * (q.w * q.z + q.x * q.y), 1 - 2 * (q.y * q.y + q.z * q.z));
}

cr_quat cri_quat_axis(cr_vec3 axis, double angle)
{
    cr_vec3 unit = cri_unit(axis, cri_vec3(0, 0, 0));
    double s = cri_sin(angle / 2);
    double c = cri_dot(unit, unit) > 0 ? cri_cos(angle / 2) : 1;
    return (cr_quat){s * unit.x, s * unit.y, s * unit.z, c};
}
