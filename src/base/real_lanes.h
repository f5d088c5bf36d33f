// The words of the kernels for lanes: see real_double.h.
#ifndef CRI_REAL_LANES_H
#define CRI_REAL_LANES_H

#include "base/lanes3.h"

typedef cri_lanes real;
typedef cri_lanes3 real3;
typedef cri_mask real_mask;

// Vectors of vectors travel through memory where a call is not inlined.
#define INLINE static inline __attribute__((always_inline))

#define NUMBER(value) ((float)(value)) // numbers of engine/contact.h
#define REAL(value)   cri_lanes_all((float)(value))

#define real_less cri_lanes_less
#define real_any  cri_mask_any
#define real_pick cri_lanes_pick
#define real_keep cri_lanes_keep
#define real_min  cri_lanes_min
#define real_max  cri_lanes_max
#define real_abs  cri_lanes_abs
#define real_sqrt cri_lanes_sqrt

#define real3_of     cri_lanes3_of
#define real3_add    cri_lanes3_add
#define real3_sub    cri_lanes3_sub
#define real3_scale  cri_lanes3_scale
#define real3_mad    cri_lanes3_mad
#define real3_dot    cri_lanes3_dot
#define real3_cross  cri_lanes3_cross
#define real3_length cri_lanes3_length
#define real3_keep   cri_lanes3_keep

#endif
