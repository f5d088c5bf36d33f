// How well dice lie as a picture, and what was done to get them there: measured from a replay.
#ifndef LAB_DICE_MEASURE_H
#define LAB_DICE_MEASURE_H

#include <carom/carom.h>

// Accelerations of all dice in all steps, by size: bins of equal width in the logarithm.
enum { HIST_BINS = 60 };
#define HIST_LEAST 1e-2 // g; what is less is in no bin
#define HIST_MOST  1e3

typedef struct histogram {
    double bins[HIST_BINS];
    double none, all; // below the least, and counted in all
} histogram;

// The middle of a bin, in g.
double histogram_middle(int bin);

// What came of one future. A push is allowed to be stronger for 0.1 s after a step in which the
// engine had a contact of the die, and none at all once it has been slower than 2 cm/s for 0.2 s.
typedef struct dice_result {
    int dice, in_place;   // within half a pitch of its cell, seen from above
    double sum;           // m2: of the squares of their distances
    double mean, worst;   // m
    bool rest;            // all were slower than 2 cm/s for the last 0.2 s, and are
    double deepest;       // m: two bodies inside each other, at the end
    double in_flight;     // m/s2: the strongest push later than 0.1 s after a contact ...
    double after_contact; // ... before that ...
    double late;          // ... and after it had come to rest
    histogram applied, natural;
} dice_result;

// Measure a solution of a plan whose controlled bodies are NAME.1, NAME.2, ... and have cells
// CELL.1, CELL.2, ... each.
cr_status dice_measure(const cr_plan *plan, int solution, double pitch, dice_result *result,
                       cr_report *report);

#endif
