// What guides the samples: an entry is a configuration that was of use.
#ifndef CRI_REACH_CACHE_H
#define CRI_REACH_CACHE_H

#include "carom/reach.h"

struct cr_cache {
    cr_cache_def def;
    int dof_count, count;
    int oldest;    // bred: the next position to be overwritten
    uint64_t arm;  // a hash of the arm's name and limits
    float *values; // count times dof_count
};

// What a search found, before smoothing: the path, and the samples that led to it.
typedef struct cri_found {
    const float *path, *targets;
    int path_count, target_count;
} cri_found;

static inline const float *cri_cache_entry(const cr_cache *cache, int entry)
{
    return cache->values + (size_t)entry * (size_t)cache->dof_count;
}

// The probability with which a sample comes from the cache: p, and p * s / n while it fills.
double cri_cache_share(const cr_cache *cache);

// The path into the cache. As published: a share r of its nodes, but for its ends, into random
// positions. Bred: a
// share r of the samples that led to it, in the place of the oldest.
void cri_cache_learn(cr_cache *cache, cri_found found, cr_rng *rng);

// A child of two entries: each joint from one of them, a little off, within limits.
void cri_cache_breed(const cr_cache *cache, const cr_arm *arm, cr_rng *rng, float *q, int stride);

#endif
