// The words of the kernels (engine/contact_kernel.h, engine/joints/kernel.h) for one world in
// double: `real` is a number, `real3` a vector, `real_mask` what is true of it. real_lanes.h has
// the same words for lanes.
#ifndef CRI_REAL_DOUBLE_H
#define CRI_REAL_DOUBLE_H

#include <math.h>

#include "base/trig.h"
#include "base/vec.h"

typedef double real;
typedef cr_vec3 real3;
typedef int64_t real_mask; // -1: true, 0: false

#define INLINE      static inline
#define REAL(value) ((double)(value))

static inline real_mask real_less(real a, real b)
{
    return a < b ? -1 : 0;
}

static inline bool real_any(real_mask mask)
{
    return mask != 0;
}

static inline real real_pick(real_mask mask, real yes, real no)
{
    return mask ? yes : no;
}

static inline real real_keep(real_mask mask, real a)
{
    return mask ? a : 0;
}

static inline real real_min(real a, real b)
{
    return a < b ? a : b;
}

static inline real real_max(real a, real b)
{
    return a > b ? a : b;
}

static inline real real_round(real a)
{
    return floor(a + 0.5);
}

#define real_abs   fabs
#define real_sqrt  sqrt
#define real_atan2 cri_atan2

#define real3_of     cri_vec3
#define real3_add    cri_add
#define real3_sub    cri_sub
#define real3_scale  cri_scale
#define real3_mad    cri_mad
#define real3_dot    cri_dot
#define real3_cross  cri_cross
#define real3_length cri_length

static inline real3 real3_keep(real_mask mask, real3 a)
{
    return mask ? a : (real3){0, 0, 0};
}

#endif
