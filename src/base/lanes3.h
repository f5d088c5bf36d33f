// Vectors in lanes, and access to single lanes.
#ifndef CRI_LANES3_H
#define CRI_LANES3_H

#include "base/lanes.h"

typedef struct cri_lanes3 {
    cri_lanes x, y, z;
} cri_lanes3;

static inline float cri_lanes_get(const cri_lanes *lanes, int lane)
{
    float value;
    memcpy(&value, (const char *)lanes + sizeof value * (size_t)lane, sizeof value);
    return value;
}

static inline void cri_lanes_set(cri_lanes *lanes, int lane, float value)
{
    memcpy((char *)lanes + sizeof value * (size_t)lane, &value, sizeof value);
}

static inline void cri_mask_set(cri_mask *mask, int lane, int32_t value)
{
    memcpy((char *)mask + sizeof value * (size_t)lane, &value, sizeof value);
}

static inline cri_mask cri_mask_all(int32_t value)
{
#if CRI_LANES == 1
    return value;
#else
    return (cri_mask){value, value, value, value, value, value, value, value};
#endif
}

// a where the mask is set, else 0.
static inline cri_lanes cri_lanes_keep(cri_mask mask, cri_lanes a)
{
    return cri_lanes_of_bits(mask & cri_lanes_bits(a));
}

// a with the sign of b.
static inline cri_lanes cri_lanes_signed(cri_lanes a, cri_lanes b)
{
    return cri_lanes_of_bits((cri_lanes_bits(a) & 0x7fffffff) | (cri_lanes_bits(b) & INT32_MIN));
}

static inline cri_lanes3 cri_lanes3_of(cri_lanes x, cri_lanes y, cri_lanes z)
{
    return (cri_lanes3){x, y, z};
}

static inline cri_lanes3 cri_lanes3_zero(void)
{
    cri_lanes zero = cri_lanes_all(0);
    return (cri_lanes3){zero, zero, zero};
}

static inline cri_lanes3 cri_lanes3_add(cri_lanes3 a, cri_lanes3 b)
{
    return (cri_lanes3){a.x + b.x, a.y + b.y, a.z + b.z};
}

static inline cri_lanes3 cri_lanes3_sub(cri_lanes3 a, cri_lanes3 b)
{
    return (cri_lanes3){a.x - b.x, a.y - b.y, a.z - b.z};
}

static inline cri_lanes3 cri_lanes3_scale(cri_lanes s, cri_lanes3 a)
{
    return (cri_lanes3){s * a.x, s * a.y, s * a.z};
}

// a + s b
static inline cri_lanes3 cri_lanes3_mad(cri_lanes3 a, cri_lanes s, cri_lanes3 b)
{
    return (cri_lanes3){a.x + s * b.x, a.y + s * b.y, a.z + s * b.z};
}

static inline cri_lanes cri_lanes3_dot(cri_lanes3 a, cri_lanes3 b)
{
    return a.x * b.x + a.y * b.y + a.z * b.z;
}

static inline cri_lanes3 cri_lanes3_cross(cri_lanes3 a, cri_lanes3 b)
{
    return (cri_lanes3){a.y * b.z - a.z * b.y, a.z * b.x - a.x * b.z, a.x * b.y - a.y * b.x};
}

static inline cri_lanes cri_lanes3_length(cri_lanes3 a)
{
    return cri_lanes_sqrt(cri_lanes3_dot(a, a));
}

static inline cri_lanes3 cri_lanes3_pick(cri_mask mask, cri_lanes3 yes, cri_lanes3 no)
{
    return (cri_lanes3){cri_lanes_pick(mask, yes.x, no.x), cri_lanes_pick(mask, yes.y, no.y),
                        cri_lanes_pick(mask, yes.z, no.z)};
}

#endif
