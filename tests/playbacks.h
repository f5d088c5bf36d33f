// Playbacks made by formula, for the tests of the writers and of the page. Nothing in them is
// physics; they have the size, the shapes and the smoothness of real ones.
#ifndef TESTS_PLAYBACKS_H
#define TESTS_PLAYBACKS_H

#include "base/arena.h"
#include "carom/playback.h"

// A robot putts a ball off a windmill into a hole. Many worlds: some balls take the windmill, some
// a wall, some neither. 1 <= world_count.
cr_playback golf_playback(cri_arena *arena, int world_count);

// The golf playback with a search tree of node_count nodes of four bodies.
cr_playback tree_playback(cri_arena *arena, int node_count);

// Dice that fall through a grid of balls into a bucket.
cr_playback dice_playback(cri_arena *arena, int dice_count, int frame_count);

// A car on a closed track, with lines and channels.
cr_playback race_playback(cri_arena *arena);

// One frame in which nothing moves, with regions of all sorts.
cr_playback still_playback(cri_arena *arena);

// The golf playback with names that try to break out of every format.
cr_playback hostile_playback(cri_arena *arena);

#endif
