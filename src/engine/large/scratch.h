// Room for listing and ordering the pairs of a large world.
#ifndef CRI_LARGE_SCRATCH_H
#define CRI_LARGE_SCRATCH_H

#include "engine/large/large.h"
#include "geom/columns.h"

enum { CRI_LEVELS = 64, CRI_RANKS = (CRI_SLABS + 1) * CRI_LEVELS };

// Near pairs are listed by chunks of so many pairs.
enum { CRI_CHUNK = 1024 };

typedef struct cri_chunk {
    int near[CRI_LARGE_KINDS], patches; // how many
    bool left;                          // something that touched is no longer near
} cri_chunk;

// Of a patch: the mover that rests on the other, or -1, one that touches what does not give way, or
// -1, and how upright the normal is.
typedef struct cri_lean {
    int upper, lower, walled;
    float rise;
} cri_lean;

// How far a body is moved and turned where overlaps are mended, m and rad.
typedef struct cri_shove {
    cr_vec3 way, turn;
    int when; // the last turn of a pair that did so
} cri_shove;

typedef struct cri_large_scratch {
    cri_span *wide;  // by solid, planes aside: when pairs were listed
    uint8_t *astray; // its box is not within the wide one
    float ahead;     // s: how far ahead pairs are listed
    int stray_count; // since all were
    atomic_int key_count;
    cri_columns columns;
    cri_sort_key *order, *order_spare; // by solid or body
    cri_sort_key *keys, *keys_spare;   // by pair
    cri_chunk *chunks;
    uint64_t *used;                  // by slot: colours of its patches
    float *load;                     // by slot: N s to be carried
    bool *supported;                 // by slot
    int *first_below, *below;        // by slot: its patches with what it rests on, in one list
    uint8_t *old_counts, *old_words; // of the state that a step began with
    int *first_word;                 // by slot: its patches that press, in one list
    int *old_first, *new_first;      // by slot: its words, before the step and after it
    float *loads;                    // by patch: N s along the normal
    int *level, *supports;           // by slot: how far above the ground, and on how many it rests
    int *first_wall, *next_wall;     // by slot and by patch: its patches with what is fixed, or -1
    uint8_t *slab;                   // by slot
    cri_lean *leans;                 // by patch
    int *rank, *colour;              // by patch: slab, then level from the top
    int *by_rank;                    // pairs of patches in that order
    int rank_starts[CRI_RANKS + 1], rank_lots[CRI_RANKS];
    cri_large_lot *drafts; // by patch: lots of slabs, with holes
    int *island;           // by slot
    bool *awake;           // by slot: islands, by their first bodies
    // See large/mend.c.
    int *near, *lying;               // near pairs, and those that are looked at
    int *turns;                      // of those: which turn was theirs
    float *lying_found, *lying_arms; // their rows, by pair
    bool *shoved, *ends;             // by slot
    cri_shove *shoves;               // by slot
} cri_large_scratch;

// Whether a box reaches into a plane. (large/pairs.c)
bool cri_large_meets_plane(const cri_large *w, int plane, const float low[3], const float high[3]);

#endif
