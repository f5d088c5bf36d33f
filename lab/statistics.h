// What counts of successes say, exactly.
#ifndef LAB_STATISTICS_H
#define LAB_STATISTICS_H

#include <stdint.h>

typedef struct bounds {
    double low, high;
} bounds;

// Where a probability lies of which `hits` of `count` trials were seen, with 95% confidence
// (Wilson's score interval). Without trials: anywhere from 0 to 1.
bounds share_bounds(int64_t hits, int64_t count);

// How often chance alone would make two samples of the same kind differ in their hits by as much as
// these or more (Fisher's exact test, two-sided). 1 if one of them is empty.
double same_share(int hits_a, int count_a, int hits_b, int count_b);

#endif
