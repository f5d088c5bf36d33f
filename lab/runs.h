// Runs by the dozen: what came of them, with intervals.
#ifndef LAB_RUNS_H
#define LAB_RUNS_H

#include "terminal/terminal.h"

// Summed over trials.
typedef struct run_totals {
    int64_t trials, reached, clean; // clean: reached, and no rule was broken on the way
    int64_t plannings, intervals, collided, helpless, planner_steps;
    int64_t futures, held; // that ranking tried the executed plans in
    double planner_seconds, seconds, turning;
} run_totals;
void run_totals_add(run_totals *totals, const cr_run_result *result);

#endif
