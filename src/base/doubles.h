// The same arithmetic on several doubles at once, as base/lanes.h has it for floats: vectors of 4
// with CRI_DOUBLES = 4, and plain doubles, the scalar twin, with CRI_DOUBLES = 1. Every operation
// works on each number by itself and rounds once, so both give the same bits.
#ifndef CRI_DOUBLES_H
#define CRI_DOUBLES_H

#include <math.h>
#include <stdbool.h>
#include <stdint.h>
#include <string.h>

#ifndef CRI_DOUBLES
#define CRI_DOUBLES 1
#endif

#if CRI_DOUBLES == 1

typedef double cri_doubles;
typedef int64_t cri_which; // -1: true, 0: false

#else

typedef double cri_doubles __attribute__((vector_size(32)));
typedef int64_t cri_which __attribute__((vector_size(32)));
#ifdef __AVX2__
#include <immintrin.h>
#endif

#endif

static inline cri_doubles cri_doubles_all(double value)
{
#if CRI_DOUBLES == 1
    return value;
#else
    return (cri_doubles){value, value, value, value};
#endif
}

static inline cri_doubles cri_doubles_load(const double *values)
{
    cri_doubles out;
    memcpy(&out, values, sizeof out);
    return out;
}

static inline void cri_doubles_store(double *values, cri_doubles a)
{
    memcpy(values, &a, sizeof a);
}

static inline cri_which cri_doubles_less(cri_doubles a, cri_doubles b)
{
#if CRI_DOUBLES == 1
    return a < b ? -1 : 0;
#else
    return (cri_which)(a < b);
#endif
}

static inline cri_which cri_doubles_same(cri_doubles a, cri_doubles b)
{
#if CRI_DOUBLES == 1
    return a == b ? -1 : 0;
#else
    return (cri_which)(a == b);
#endif
}

static inline cri_doubles cri_doubles_pick(cri_which where, cri_doubles yes, cri_doubles no)
{
#if CRI_DOUBLES == 1
    return where ? yes : no;
#elif defined(__AVX2__)
    return (cri_doubles)_mm256_blendv_pd((__m256d)no, (__m256d)yes, (__m256d)where);
#else
    return (cri_doubles)((where & (cri_which)yes) | (~where & (cri_which)no));
#endif
}

static inline bool cri_which_any(cri_which where)
{
#if CRI_DOUBLES == 1
    return where != 0;
#elif defined(__AVX2__)
    return _mm256_movemask_pd((__m256d)where) != 0;
#else
    return (where[0] | where[1] | where[2] | where[3]) != 0;
#endif
}

static inline cri_doubles cri_doubles_sqrt(cri_doubles a)
{
#if CRI_DOUBLES == 1
    return sqrt(a);
#elif defined(__AVX2__)
    return (cri_doubles)_mm256_sqrt_pd((__m256d)a);
#else
    return (cri_doubles){sqrt(a[0]), sqrt(a[1]), sqrt(a[2]), sqrt(a[3])};
#endif
}

static inline cri_doubles cri_doubles_abs(cri_doubles a)
{
#if CRI_DOUBLES == 1
    return fabs(a);
#else
    return (cri_doubles)((cri_which)a & INT64_MAX);
#endif
}

static inline cri_doubles cri_doubles_clamp(cri_doubles a, cri_doubles low, cri_doubles high)
{
    cri_doubles most = cri_doubles_pick(cri_doubles_less(high, a), high, a);
    return cri_doubles_pick(cri_doubles_less(a, low), low, most);
}

#endif
