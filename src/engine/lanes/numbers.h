// Numbers of the contact method that small and large worlds share. The rest of them stand where
// they are used: lanes/world.h, lanes/patch.h.
#ifndef CRI_LANES_NUMBERS_H
#define CRI_LANES_NUMBERS_H

// A patch supports what is above if its normal is within 66 degrees of up and it is this near.
#define SUPPORT_COS 0.4f
#define SUPPORT_GAP 1e-3f // m
// Bodies slower than this count as standing in the sweep.
#define SLOW 0.2f // m/s
// Overlaps go by OVERLAP_SHARE a substep, all of them (a slop would sink and cycle), no faster
// than:
#define UNDO_MAX 2.0f // m/s

#endif
