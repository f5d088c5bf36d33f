// How a free body that spins about its middle axis turns over: the closed form.
#ifndef TESTS_TURNOVER_H
#define TESTS_TURNOVER_H

#include <math.h>

#include "base/trig.h"
#include "carom/base.h"

// The complete elliptic integral of the first kind by the arithmetic-geometric mean:
// K(k) = pi / (2 agm(1, sqrt(1 - k^2))).
static inline double elliptic_k(double k2)
{
    double a = 1, g = sqrt(1 - k2);
    while (fabs(a - g) > 1e-15 * a) {
        double mean = (a + g) / 2;
        g = sqrt(a * g);
        a = mean;
    }
    return CRI_PI / (2 * a);
}

// The time between two turn-overs about the middle axis. With i1 < i2 < i3, energy e and momentum
// m, the spin about that axis is s sn(t r, k) (Landau and Lifshitz, Mechanics, 37):
//
//     m^2 > 2 e i2:  r^2 = (i3 - i2) (m^2 - 2 e i1) / (i1 i2 i3)
//                    k^2 = (i2 - i1) (2 e i3 - m^2) / ((i3 - i2) (m^2 - 2 e i1))
//
// and the same with i1 and i3 exchanged below. sn changes its sign every 2 K(k).
static inline double turnover_time(cr_vec3 inertia, cr_vec3 spin)
{
    double i1 = inertia.x, i2 = inertia.y, i3 = inertia.z;
    double e2 = i1 * spin.x * spin.x + i2 * spin.y * spin.y + i3 * spin.z * spin.z;
    double m2 = i1 * i1 * spin.x * spin.x + i2 * i2 * spin.y * spin.y + i3 * i3 * spin.z * spin.z;
    if (m2 < e2 * i2) {
        double other = i1;
        i1 = i3;
        i3 = other;
    }
    double r2 = (i3 - i2) * (m2 - e2 * i1) / (i1 * i2 * i3);
    double k2 = (i2 - i1) * (e2 * i3 - m2) / ((i3 - i2) * (m2 - e2 * i1));
    return 2 * elliptic_k(k2) / sqrt(r2);
}

#endif
