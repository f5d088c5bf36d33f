// The nearest neighbour under the time metric (003, 5.3.4), exact and in time that hardly grows
// with the tree; or, where the scene says so, under the plain distance.
//
// The metric is asymmetric and not linear, so no ordinary index fits (5.4 names it the bottleneck
// of BK-RRT). But whoever arrives in a given time keeps to simple bounds on distance and velocity
// (nearest.c), which can be looked up for a box of places and velocities as well: a tree of such
// boxes is searched, and what cannot beat the best so far is left out.
//
//   entries  [ tree of 32 * 2^k | tree of 32 * 2^j, j < k | ... | up to 31 loose ones ]
//
// A forest of balanced trees, like the digits of a binary counter: when 32 loose entries are
// together they become a tree, and equal trees are merged and built anew. Depth is bounded whatever
// the order of arrival, nothing is allocated after creation, and each entry is moved O(log n)
// times.
#ifndef CRI_NEAREST_H
#define CRI_NEAREST_H

#include "behavior/motion.h"
#include "carom/state.h"
#include "plan/places.h"
#include "scene/model.h"

typedef struct cri_nearest_entry {
    double x, y, vx, vy;
    int32_t place;
} cri_nearest_entry;

typedef struct cri_nearest_box {
    double low[4], high[4]; // x, y, vx, vy
} cri_nearest_box;

typedef struct cri_neighbours {
    const cri_sampling *sampling;
    cr_limits limits;
    cri_axis_limits arrival; // the same, with what the scene says of braking
    bool arrives;            // the metric is not the plain one: to rest, braking as it speeds up
    int32_t count, capacity; // of entries: one a place
    cri_places places;
    cri_nearest_entry *entries;
    cri_nearest_box *boxes; // of the tree at entry i: from box i / 16, as a heap
} cri_neighbours;

// Room for capacity entries, or CR_ERR_MEMORY.
cr_status cri_neighbours_create(cri_neighbours *neighbours, const cr_model *model,
                                int64_t capacity);
void cri_neighbours_free(cri_neighbours *neighbours);

void cri_neighbours_add(cri_neighbours *neighbours, const cr_body_state *body, int32_t branch);

// Forget all.
void cri_neighbours_clear(cri_neighbours *neighbours);

// The branch whose body arrives first at the sample, or is nearest to it; -1 if there is none. Of
// places that are as near as each other any, and any of the branches that end at it: where bodies
// do not move, as before a shot, the older ones would otherwise get it all.
int32_t cri_neighbours_find(const cri_neighbours *neighbours, const cr_sample *sample, cr_rng *rng);

// The same by looking at every entry: for tests and benchmarks.
int32_t cri_neighbours_scan(const cri_neighbours *neighbours, const cr_sample *sample, cr_rng *rng);

#endif
