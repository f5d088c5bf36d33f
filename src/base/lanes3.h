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

// Rows and columns of a table change places: out[i] has element i of each row, a row a lane.
enum { CRI_ROW = 16 };

#if CRI_LANES == 1

static inline void cri_rows_to_lanes(const float rows[][CRI_ROW], cri_lanes *out, int count)
{
    memcpy(out, rows[0], sizeof *out * (size_t)count);
}

static inline void cri_lanes_to_rows(const cri_lanes *lanes, float rows[][CRI_ROW], int count)
{
    memcpy(rows[0], lanes, sizeof *lanes * (size_t)count);
}

#else

#define EVEN(a, b)       __builtin_shufflevector(a, b, 0, 8, 2, 10, 4, 12, 6, 14)
#define ODD(a, b)        __builtin_shufflevector(a, b, 1, 9, 3, 11, 5, 13, 7, 15)
#define LOW_TWOS(a, b)   __builtin_shufflevector(a, b, 0, 1, 8, 9, 4, 5, 12, 13)
#define HIGH_TWOS(a, b)  __builtin_shufflevector(a, b, 2, 3, 10, 11, 6, 7, 14, 15)
#define LOW_FOURS(a, b)  __builtin_shufflevector(a, b, 0, 1, 2, 3, 8, 9, 10, 11)
#define HIGH_FOURS(a, b) __builtin_shufflevector(a, b, 4, 5, 6, 7, 12, 13, 14, 15)

// 8 by 8, in three rounds of swaps; written out, because compilers do not unroll it.
static inline void cri_lanes_transpose(cri_lanes m[8])
{
    cri_lanes a0 = EVEN(m[0], m[1]), a1 = ODD(m[0], m[1]);
    cri_lanes a2 = EVEN(m[2], m[3]), a3 = ODD(m[2], m[3]);
    cri_lanes a4 = EVEN(m[4], m[5]), a5 = ODD(m[4], m[5]);
    cri_lanes a6 = EVEN(m[6], m[7]), a7 = ODD(m[6], m[7]);
    cri_lanes b0 = LOW_TWOS(a0, a2);
    cri_lanes b1 = LOW_TWOS(a1, a3);
    cri_lanes b2 = HIGH_TWOS(a0, a2);
    cri_lanes b3 = HIGH_TWOS(a1, a3);
    cri_lanes b4 = LOW_TWOS(a4, a6);
    cri_lanes b5 = LOW_TWOS(a5, a7);
    cri_lanes b6 = HIGH_TWOS(a4, a6);
    cri_lanes b7 = HIGH_TWOS(a5, a7);
    m[0] = LOW_FOURS(b0, b4);
    m[1] = LOW_FOURS(b1, b5);
    m[2] = LOW_FOURS(b2, b6);
    m[3] = LOW_FOURS(b3, b7);
    m[4] = HIGH_FOURS(b0, b4);
    m[5] = HIGH_FOURS(b1, b5);
    m[6] = HIGH_FOURS(b2, b6);
    m[7] = HIGH_FOURS(b3, b7);
}

#undef EVEN
#undef ODD
#undef LOW_TWOS
#undef HIGH_TWOS
#undef LOW_FOURS
#undef HIGH_FOURS

static inline void cri_rows_to_lanes(const float rows[][CRI_ROW], cri_lanes *out, int count)
{
    for (int block = 0; block < count; block += 8) {
        cri_lanes m[8];
        for (int i = 0; i < 8; i++) {
            m[i] = cri_lanes_load(&rows[i][block]);
        }
        cri_lanes_transpose(m);
        for (int i = 0; i < 8 && block + i < count; i++) {
            out[block + i] = m[i];
        }
    }
}

static inline void cri_lanes_to_rows(const cri_lanes *lanes, float rows[][CRI_ROW], int count)
{
    for (int block = 0; block < count; block += 8) {
        cri_lanes m[8];
        for (int i = 0; i < 8; i++) {
            m[i] = block + i < count ? lanes[block + i] : cri_lanes_all(0);
        }
        cri_lanes_transpose(m);
        cri_lanes_store(&rows[0][block], m[0]);
        cri_lanes_store(&rows[1][block], m[1]);
        cri_lanes_store(&rows[2][block], m[2]);
        cri_lanes_store(&rows[3][block], m[3]);
        cri_lanes_store(&rows[4][block], m[4]);
        cri_lanes_store(&rows[5][block], m[5]);
        cri_lanes_store(&rows[6][block], m[6]);
        cri_lanes_store(&rows[7][block], m[7]);
    }
}

#endif

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

static inline cri_lanes3 cri_lanes3_keep(cri_mask mask, cri_lanes3 a)
{
    return (cri_lanes3){cri_lanes_keep(mask, a.x), cri_lanes_keep(mask, a.y),
                        cri_lanes_keep(mask, a.z)};
}

static inline cri_lanes3 cri_lanes3_pick(cri_mask mask, cri_lanes3 yes, cri_lanes3 no)
{
    return (cri_lanes3){cri_lanes_pick(mask, yes.x, no.x), cri_lanes_pick(mask, yes.y, no.y),
                        cri_lanes_pick(mask, yes.z, no.z)};
}

#endif
