// Lanes: the same arithmetic on several floats at once. The only place that knows of instruction
// sets.
//
// With CRI_LANES = 8 (default) a cri_lanes is a vector of 8 floats, written with the compilers'
// vector extensions: two SSE registers on any x86-64, one where the file is compiled for AVX2. With
// CRI_LANES = 1 it is a plain float: the scalar twin. Code in this style uses + - * / on lanes and
// the functions below for the rest. Every operation works on each lane by itself and rounds once,
// so all three give the same bits.
#ifndef CRI_LANES_H
#define CRI_LANES_H

#include <math.h>
#include <stdbool.h>
#include <stdint.h>
#include <string.h>

#ifndef CRI_LANES
#define CRI_LANES 8
#endif

#if CRI_LANES == 1

typedef float cri_lanes;
typedef int32_t cri_mask; // -1: true, 0: false

#else

// No vector crosses a file border, so any registers may pass them: files that use lanes without AVX
// are compiled with -Wno-psabi.
typedef float cri_lanes __attribute__((vector_size(32)));
typedef int32_t cri_mask __attribute__((vector_size(32)));
#ifdef __AVX2__
#include <immintrin.h>
#endif

#endif

static inline cri_lanes cri_lanes_all(float value)
{
#if CRI_LANES == 1
    return value;
#else
    return (cri_lanes){value, value, value, value, value, value, value, value};
#endif
}

// 8 floats from anywhere; the scalar twin takes the first.
static inline cri_lanes cri_lanes_load(const float *values)
{
    cri_lanes lanes;
    memcpy(&lanes, values, sizeof lanes);
    return lanes;
}

static inline void cri_lanes_store(float *values, cri_lanes lanes)
{
    memcpy(values, &lanes, sizeof lanes);
}

static inline cri_mask cri_lanes_bits(cri_lanes a)
{
    cri_mask bits;
    memcpy(&bits, &a, sizeof bits);
    return bits;
}

static inline cri_lanes cri_lanes_of_bits(cri_mask bits)
{
    cri_lanes a;
    memcpy(&a, &bits, sizeof a);
    return a;
}

static inline cri_mask cri_lanes_less(cri_lanes a, cri_lanes b)
{
#if CRI_LANES == 1
    return a < b ? -1 : 0;
#else
    return (cri_mask)(a < b);
#endif
}

static inline cri_lanes cri_lanes_pick(cri_mask mask, cri_lanes yes, cri_lanes no)
{
#if CRI_LANES > 1 && defined(__AVX2__)
    return (cri_lanes)_mm256_blendv_ps((__m256)no, (__m256)yes, (__m256)mask);
#else
    return cri_lanes_of_bits((mask & cri_lanes_bits(yes)) | (~mask & cri_lanes_bits(no)));
#endif
}

// a where a < b, else b.
static inline cri_lanes cri_lanes_min(cri_lanes a, cri_lanes b)
{
#if CRI_LANES == 1
    return a < b ? a : b;
#elif defined(__AVX2__)
    return (cri_lanes)_mm256_min_ps((__m256)a, (__m256)b);
#else
    return cri_lanes_pick(cri_lanes_less(a, b), a, b);
#endif
}

// a where a > b, else b.
static inline cri_lanes cri_lanes_max(cri_lanes a, cri_lanes b)
{
#if CRI_LANES == 1
    return a > b ? a : b;
#elif defined(__AVX2__)
    return (cri_lanes)_mm256_max_ps((__m256)a, (__m256)b);
#else
    return cri_lanes_pick(cri_lanes_less(b, a), a, b);
#endif
}

static inline cri_lanes cri_lanes_abs(cri_lanes a)
{
    return cri_lanes_of_bits(cri_lanes_bits(a) & 0x7fffffff);
}

static inline cri_lanes cri_lanes_sqrt(cri_lanes a)
{
#if CRI_LANES == 1
    return sqrtf(a);
#elif defined(__AVX2__)
    return (cri_lanes)_mm256_sqrt_ps((__m256)a);
#else
    for (int i = 0; i < CRI_LANES; i++) {
        a[i] = sqrtf(a[i]);
    }
    return a;
#endif
}

// The least of all lanes.
static inline float cri_lanes_least(cri_lanes a)
{
#if CRI_LANES == 1
    return a;
#elif defined(__AVX2__)
    __m128 m = _mm_min_ps(_mm256_castps256_ps128((__m256)a), _mm256_extractf128_ps((__m256)a, 1));
    m = _mm_min_ps(m, _mm_movehl_ps(m, m));
    m = _mm_min_ss(m, _mm_shuffle_ps(m, m, 1));
    return _mm_cvtss_f32(m);
#else
    float least = a[0];
    for (int i = 1; i < CRI_LANES; i++) {
        least = a[i] < least ? a[i] : least;
    }
    return least;
#endif
}

// One bit a lane.
static inline unsigned cri_mask_bits(cri_mask mask)
{
#if CRI_LANES == 1
    return mask != 0;
#elif defined(__AVX2__)
    return (unsigned)_mm256_movemask_ps((__m256)mask);
#else
    unsigned bits = 0;
    for (int i = 0; i < CRI_LANES; i++) {
        bits |= (mask[i] ? 1u : 0u) << i;
    }
    return bits;
#endif
}

static inline bool cri_mask_any(cri_mask mask)
{
#if CRI_LANES == 1
    return mask != 0;
#elif defined(__AVX2__)
    return _mm256_movemask_ps((__m256)mask) != 0;
#else
    uint64_t words[4];
    memcpy(words, &mask, sizeof words);
    return (words[0] | words[1] | words[2] | words[3]) != 0;
#endif
}

#if CRI_LANES > 1

// Four doubles.
typedef double cri_quad __attribute__((vector_size(32)));
typedef float cri_short_quad __attribute__((vector_size(16)));

static inline cri_quad cri_quad_of(const float *in)
{
    cri_short_quad four;
    memcpy(&four, in, sizeof four);
#ifdef __AVX2__
    return (cri_quad)_mm256_cvtps_pd((__m128)four);
#else
    return __builtin_convertvector(four, cri_quad);
#endif
}

static inline cri_short_quad cri_quad_narrow(const double *in)
{
    cri_quad four;
    memcpy(&four, in, sizeof four);
    return __builtin_convertvector(four, cri_short_quad);
}

// Eight floats of two times four doubles.
static inline cri_lanes cri_lanes_narrow(const double *low, const double *high)
{
    cri_short_quad a = cri_quad_narrow(low), b = cri_quad_narrow(high);
#ifdef __AVX2__
    return (cri_lanes)_mm256_set_m128((__m128)b, (__m128)a);
#else
    return __builtin_shufflevector(a, b, 0, 1, 2, 3, 4, 5, 6, 7);
#endif
}

#endif

// Four floats as doubles.
static inline void cri_floats_widen(const float *in, double *out)
{
#if CRI_LANES == 1
    for (int i = 0; i < 4; i++) {
        out[i] = (double)in[i];
    }
#else
    cri_quad four = cri_quad_of(in);
    memcpy(out, &four, sizeof four);
#endif
}

// Three floats added to doubles. The numbers after them, one each, are read, and the double stays
// what it is, down to the sign of a zero.
static inline void cri_floats_add(const float *in, double *out)
{
#if CRI_LANES == 1
    for (int i = 0; i < 3; i++) {
        out[i] += (double)in[i];
    }
#else
    cri_quad four;
    memcpy(&four, out, sizeof four);
    four = __builtin_shufflevector(four + cri_quad_of(in), four, 0, 1, 2, 7);
    memcpy(out, &four, sizeof four);
#endif
}

typedef struct cri_sincos {
    cri_lanes sin, cos;
} cri_sincos;

// Sine and cosine on [-pi/4, pi/4]: the classic single precision minimax polynomials.
static inline cri_sincos cri_lanes_sincos_small(cri_lanes x)
{
    cri_lanes z = x * x;
    cri_lanes s = x + x * z * (z * (z * -1.9515295891e-4f + 8.3321608736e-3f) - 1.6666654611e-1f);
    cri_lanes c =
        z * z * (z * (z * 2.443315711809948e-5f - 1.388731625493765e-3f) + 4.166664568298827e-2f) -
        z * 0.5f + 1.0f;
    return (cri_sincos){s, c};
}

// Sine and cosine of |angle| up to about 1000, within 2e-7. The quarter is read from the low bits
// of angle * 2/pi + 1.5 * 2^23; where it is the first in all lanes, nothing is left to do.
static inline cri_sincos cri_lanes_sincos(cri_lanes angle)
{
    const float magic = 12582912.0f;
    if (!cri_mask_any(~cri_lanes_less(cri_lanes_abs(angle), cri_lanes_all(0.785f)))) {
        return cri_lanes_sincos_small(angle);
    }
    cri_lanes shifted = angle * 0.63661977236758134f + magic;
    cri_mask quarter = cri_lanes_bits(shifted);
    cri_lanes n = shifted - magic;
    cri_lanes x = angle - n * 1.5703125f;
    x = x - n * 4.837512969970703125e-4f;
    x = x - n * 7.54978995489188216e-8f;
    cri_sincos first = cri_lanes_sincos_small(x);
    cri_lanes s = first.sin, c = first.cos;
    cri_mask swap = -(quarter & 1);
    cri_mask sin_sign = -((quarter >> 1) & 1) & INT32_MIN;
    cri_mask cos_sign = -(((quarter + 1) >> 1) & 1) & INT32_MIN;
    cri_lanes a = cri_lanes_pick(swap, c, s), b = cri_lanes_pick(swap, s, c);
    return (cri_sincos){cri_lanes_of_bits(cri_lanes_bits(a) ^ sin_sign),
                        cri_lanes_of_bits(cri_lanes_bits(b) ^ cos_sign)};
}

#endif
