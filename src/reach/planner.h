// The planner's inner state, shared by search and smoothing.
#ifndef CRI_REACH_PLANNER_H
#define CRI_REACH_PLANNER_H

#include "reach/cache.h"
#include "reach/task.h"
#include "reach/tree.h"

// A path of floats that smoothing edits.
typedef struct cri_path {
    float *values;
    int count, capacity, dof_count;
} cri_path;

static inline float *cri_path_at(const cri_path *path, int index)
{
    return path->values + (size_t)index * (size_t)path->dof_count;
}

struct cr_reach {
    cr_reach_def def;
    const cri_kernel *kernel;
    cri_checker checker;
    cri_reach_tree trees[2]; // from the start, from the goal
    cri_path path, raw;      // as it is smoothed, as it was found
    double *result;          // the path as the caller gets it
    int result_capacity;
    cr_rng rng;
    int64_t checks, edges, iterations, samples;
    double started, work_from; // s, by the wall's clock and by this thread's
    bool strict;               // every edge is proven
    // Random configurations that were checked together and wait for their turn.
    float ready[CR_ARM_MAX_DOFS * 8];
    unsigned ready_bits;
    int ready_next;
};

// The distance that resolution and lengths are measured with: Euclidean.
double cri_config_distance(const float *a, const float *b, int dof_count);

// True if the interpolation is valid at the planner's resolution.
bool cri_edge_clear(cr_reach *reach, const float *a, const float *b);

// Shorten reach->path by linearisation.
void cri_path_smooth(cr_reach *reach, int steps);

#endif
