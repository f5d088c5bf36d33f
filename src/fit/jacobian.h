// The residuals at a point, and their derivatives by each parameter.
#ifndef CRI_JACOBIAN_H
#define CRI_JACOBIAN_H

#include "fit/fit.h"

typedef struct cri_jacobian {
    const cr_fit *fit;
    int n; // parameters
    double *residuals, *moved;
    double *columns; // n of them, each as long as the residuals, a scale of its parameter each
    cr_fit_error error;
} cri_jacobian;

// Free it also after a failure.
cr_status cri_jacobian_create(const cr_fit *fit, cri_jacobian *j, cr_report *report);
void cri_jacobian_free(cri_jacobian *j);
// side: 1 or -1, to which each parameter is moved.
cr_status cri_jacobian_take(cri_jacobian *j, cr_fit *fit, const double *values, double side,
                            cr_report *report);

// What a parameter is measured in: its value, or a share of its bounds where it is small.
double cri_scale_of(const cri_fit_number *n, double value);

#endif
