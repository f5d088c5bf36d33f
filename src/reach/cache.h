// What guides the samples: an entry is a configuration that was of use, and how often.
#ifndef CRI_REACH_CACHE_H
#define CRI_REACH_CACHE_H

#include "carom/reach.h"

typedef struct cri_entry {
    int64_t tries, wins; // hubs: times tried first, times it joined the two ends
    double worth;        // hubs: expected share of wins, fading
} cri_entry;

struct cr_cache {
    cr_cache_def def;
    int dof_count, count;
    uint64_t arm;  // a hash of the arm's name and limits
    float *values; // count times dof_count
    cri_entry *entries;
};

// A path as the planner found it, before smoothing: count configurations of dof_count floats.
typedef struct cri_found {
    const float *values;
    int count;
} cri_found;

static inline const float *cri_cache_entry(const cr_cache *cache, int entry)
{
    return cache->values + (size_t)entry * (size_t)cache->dof_count;
}

// The probability with which a sample comes from the cache: p, and p * s / n while it fills.
double cri_cache_share(const cr_cache *cache);

// Algorithm 2's update: a share r of the path's nodes into random positions.
void cri_cache_learn(cr_cache *cache, cri_found path, cr_rng *rng);

// Hubs. The order in which entries are to be tried: best worth first; returns how many.
int cri_cache_order(const cr_cache *cache, int *order, int max);

// Tell how an entry fared; bad ones fade.
void cri_cache_judge(cr_cache *cache, int entry, bool won);

// Add a configuration that would have joined both ends, in the place of the least worthy.
void cri_cache_add_hub(cr_cache *cache, const float *q, double worth);

#endif
