// What all measuring programs need: a model, clocks, medians, and a verdict.
#ifndef BENCH_MEASURE_H
#define BENCH_MEASURE_H

#include <carom/carom.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

// Of a scene without settings; leaves the program if it is wrong.
static inline cr_model *open_model(const char *path)
{
    cr_scene *scene = NULL;
    cr_model *model = NULL;
    cr_report report = {0};
    if (cr_scene_read(path, &scene, &report) != CR_OK ||
        cr_model_create(scene, NULL, 0, &model, &report) != CR_OK) {
        fprintf(stderr, "%s: %s\n", path, report.errors[0].message);
        exit(1);
    }
    cr_scene_destroy(scene);
    return model;
}

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
