// The arc tangent, for one number (trig.c) or several at once.
#ifndef CRI_ATAN_H
#define CRI_ATAN_H

#include "base/doubles.h"
#include "base/trig.h"

// a in [0, 1]. Split at tan(pi/12) keeps the series short.
static inline cri_doubles cri_atan_kernel(cri_doubles a)
{
    const double split = 0.26794919243112270647; // tan(pi/12)
    const double root3 = 1.73205080756887729353;
    cri_which upper = cri_doubles_less(cri_doubles_all(split), a);
    cri_doubles base = cri_doubles_pick(upper, cri_doubles_all(CRI_PI / 6), cri_doubles_all(0));
    if (cri_which_any(upper)) {
        a = cri_doubles_pick(upper, (a * root3 - 1.0) / (a + root3), a);
    }
    // Spelled out: a loop costs as much again as the sum.
    cri_doubles z = a * a, sum = 1.0 / 25 - z * (1.0 / 27);
    sum = 1.0 / 23 - z * sum;
    sum = 1.0 / 21 - z * sum;
    sum = 1.0 / 19 - z * sum;
    sum = 1.0 / 17 - z * sum;
    sum = 1.0 / 15 - z * sum;
    sum = 1.0 / 13 - z * sum;
    sum = 1.0 / 11 - z * sum;
    sum = 1.0 / 9 - z * sum;
    sum = 1.0 / 7 - z * sum;
    sum = 1.0 / 5 - z * sum;
    sum = 1.0 / 3 - z * sum;
    sum = 1.0 - z * sum;
    return base + a * sum;
}

// Of the angle from the x axis to (x, y); 0 where there is none.
static inline cri_doubles cri_doubles_atan2(cri_doubles y, cri_doubles x)
{
    cri_doubles zero = cri_doubles_all(0), ax = cri_doubles_abs(x), ay = cri_doubles_abs(y);
    cri_which steep = cri_doubles_less(ax, ay);
    cri_doubles large = cri_doubles_pick(steep, ay, ax), small = cri_doubles_pick(steep, ax, ay);
    cri_doubles angle = cri_atan_kernel(small / large);
    angle = cri_doubles_pick(steep, CRI_PI / 2 - angle, angle);
    angle = cri_doubles_pick(cri_doubles_less(x, zero), CRI_PI - angle, angle);
    angle = cri_doubles_pick(cri_doubles_less(y, zero), -angle, angle);
    return cri_doubles_pick(cri_doubles_same(large, zero), zero, angle);
}

#endif
