// A playback and the memory of all that it points to: whoever makes one, plan, drive or reach,
// makes it with these, and cr_playback_destroy frees it.
#ifndef CRI_PLAYBACK_H
#define CRI_PLAYBACK_H

#include "base/arena.h"
#include "carom/playback.h"

// May be the first member of a larger structure of the maker's, allocated by malloc or calloc.
typedef struct cri_playback {
    cr_playback playback; // first, so that a pointer to it is a pointer to the whole
    cri_arena arena;
} cri_playback;

#endif
