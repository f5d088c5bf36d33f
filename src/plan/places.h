// Branches that end alike. A place is what the metric sees of a state; the branches that end there
// are its members. A thousand of them are one place to search, and any of them is found at once:
//
//   values   hash table: what a place looks like -> its number
//   members  hash table: (place, rank) -> branch, from the second member on
//
// Memory is set aside once.
#ifndef CRI_PLACES_H
#define CRI_PLACES_H

#include <stdbool.h>

#include "carom/base.h"

enum { CRI_PLACE_SIZE = 6 }; // doubles: x, y, vx, vy, heading, spin

typedef struct cri_place {
    double at[CRI_PLACE_SIZE]; // no negative zero
    int32_t first, count;      // members
} cri_place;

typedef struct cri_member {
    int32_t place, rank; // rank 0: nothing is here
    int32_t branch;
} cri_member;

typedef struct cri_places {
    int32_t count, capacity;
    cri_place *items;
    uint64_t mask;   // slots of a table - 1, at least twice the capacity
    int32_t *values; // number + 1; 0: nothing is here
    cri_member *members;
} cri_places;

// Room for so many members, or CR_ERR_MEMORY; free it also then.
cr_status cri_places_create(cri_places *places, int64_t capacity);
void cri_places_free(cri_places *places);
void cri_places_clear(cri_places *places);

// Add a branch at its place, and return the place's number; `fresh`: it has no other member.
int32_t cri_places_add(cri_places *places, const double at[CRI_PLACE_SIZE], int32_t branch,
                       bool *fresh);

// The rank-th member, in the order in which they came.
int32_t cri_places_member(const cri_places *places, int32_t place, int32_t rank);

#endif
