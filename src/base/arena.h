// An arena: memory that is given out piece by piece and freed all at once.
#ifndef CRI_ARENA_H
#define CRI_ARENA_H

#include <stddef.h>

typedef struct cri_arena {
    struct cri_arena_block *blocks; // newest first; NULL at the start
} cri_arena;

// Zeroed memory for count things of the given size, aligned to 16; NULL when memory runs out or the
// product is too large.
void *cri_arena_alloc(cri_arena *arena, size_t count, size_t size);

// A copy of length bytes with a zero behind them; NULL when memory runs out.
char *cri_arena_text(cri_arena *arena, const char *text, size_t length);

void cri_arena_free(cri_arena *arena);

#endif
