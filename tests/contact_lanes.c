// The contact method in floats: the scalar twin, which has the bits of lanes (test_stepper.c).
#define CRI_LANES 1
#define REAL_IN_LANES
#define RATE(share, time) REAL((float)(share) / (float)(time))
#include "contact_ask.h"

answers contact_in_lanes(const question *q)
{
    return ask_all(q);
}
