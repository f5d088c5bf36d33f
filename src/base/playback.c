#include "base/playback.h"

#include <stdlib.h>

void cr_playback_destroy(cr_playback *playback)
{
    if (playback) {
        cri_playback *whole = (cri_playback *)(void *)playback;
        cri_arena_free(&whole->arena);
        free(whole);
    }
}
