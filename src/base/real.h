// The words that kernels are written in (engine/contact_kernel.h, engine/joints/kernel.h), so that
// a formula stands once for two widths: one world in double, or lanes of floats where a file says
// REAL_IN_LANES.
//
//     real            a number, or one a lane; + - * / work on it
//     real3           a vector
//     real_mask       what is true of it: & | ~ work on it
//     NUMBER(value)   a constant as it stands beside a real
//     REAL(value)     a constant as a real
#ifndef CRI_REAL_H
#define CRI_REAL_H

#ifdef REAL_IN_LANES

#include "base/lanes3.h"

typedef cri_lanes real;
typedef cri_lanes3 real3;
typedef cri_mask real_mask;

// Vectors of vectors travel through memory where a call is not inlined.
#define INLINE static inline __attribute__((always_inline))

#define NUMBER(value) ((float)(value))
#define REAL(value)   cri_lanes_all((float)(value))

#define real_less cri_lanes_less
#define real_any  cri_mask_any
#define real_pick cri_lanes_pick
#define real_keep cri_lanes_keep
#define real_min  cri_lanes_min
#define real_max  cri_lanes_max
#define real_abs  cri_lanes_abs
#define real_sqrt cri_lanes_sqrt

// So much of something in a time: the quotient.
typedef cri_lanes real_rate;

INLINE real real_at(real a, real_rate rate)
{
    return a * rate;
}

INLINE void real_sin_cos(real angle, real *sin, real *cos)
{
    cri_sincos both = cri_lanes_sincos(angle);
    *sin = both.sin, *cos = both.cos;
}

#define real3_of     cri_lanes3_of
#define real3_add    cri_lanes3_add
#define real3_sub    cri_lanes3_sub
#define real3_scale  cri_lanes3_scale
#define real3_mad    cri_lanes3_mad
#define real3_dot    cri_lanes3_dot
#define real3_cross  cri_lanes3_cross
#define real3_length cri_lanes3_length
#define real3_keep   cri_lanes3_keep

#else

#include <math.h>

#include "base/trig.h"
#include "base/vec.h"

typedef double real;
typedef cr_vec3 real3;
typedef int64_t real_mask; // -1: true, 0: false

#define INLINE        static inline
#define NUMBER(value) (value)
#define REAL(value)   ((double)(value))

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

// So much of something in a time, or for something else that many divide by. Double divides last;
// lanes have the quotient at hand.
typedef struct real_rate {
    double share, time;
} real_rate;

static inline real real_at(real a, real_rate rate)
{
    return rate.share * a / rate.time;
}

static inline void real_sin_cos(real angle, real *sin, real *cos)
{
    cri_sin_cos(angle, sin, cos);
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

#endif
