// What all measuring programs need: clocks, medians, and a verdict.
#ifndef BENCH_MEASURE_H
#define BENCH_MEASURE_H

#include <stdbool.h>
#include <stdlib.h>
#include <time.h>

static inline double clock_of(clockid_t clock)
{
    struct timespec now;
    clock_gettime(clock, &now);
    return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

// Of all threads, s.
static inline double processor_time(void)
{
    return clock_of(CLOCK_PROCESS_CPUTIME_ID);
}

static inline int by_size(const void *a, const void *b)
{
    const double *x = a, *y = b;
    return (*x > *y) - (*x < *y);
}

// Sorts them.
static inline double median(double *values, int count)
{
    qsort(values, (size_t)count, sizeof *values, by_size);
    return (values[(count - 1) / 2] + values[count / 2]) / 2;
}

static inline const char *verdict(bool met)
{
    return met ? "met" : "NOT MET";
}

#endif
