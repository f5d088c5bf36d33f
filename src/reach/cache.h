// What guides the samples: an entry is a configuration that was of use; in a bred cache also the
// end of the path that it was the first step from.
#ifndef CRI_REACH_CACHE_H
#define CRI_REACH_CACHE_H

#include "carom/reach.h"

struct cr_cache {
    cr_cache_def def;
    int dof_count, count;
    int width;     // floats of an entry: a configuration, bred: and the end that it leads away from
    int oldest;    // bred: the next position to be overwritten
    uint64_t arm;  // a hash of the arm's name and limits
    float *values; // count times width
};

static inline const float *cri_cache_entry(const cr_cache *cache, int entry)
{
    return cache->values + (size_t)entry * (size_t)cache->width;
}

// The probability with which a sample comes from the cache: p, and p * s / n while it fills. Bred:
// nearly p as soon as there are some entries.
double cri_cache_share(const cr_cache *cache);

// A path as it was found, before smoothing, into the cache. As published: a share r of its nodes,
// but for its ends, into random positions. Bred: its first step and, walked backwards, its last
// one, in the place of the oldest.
void cri_cache_learn(cr_cache *cache, const float *path, int count, cr_rng *rng);

// What a sample is bred for.
typedef struct cri_wish {
    const cr_arm *arm;
    const float *root; // of the tree that has not left it
    int64_t passes;    // of the search so far
} cri_wish;

// A step that led away from a root like this one, adapted to it and a little off, within limits.
void cri_cache_breed(const cr_cache *cache, const cri_wish *wish, cr_rng *rng, float *q);

#endif
