// The trials of runs in a true world, as trials.csv has them: a line each, under a line of
// headings.
//
//     run,trial,goal,clean,plannings,solved,...,check
//     hallway@58b2f09c interval=0.5 uncertainty=1,3,1,0,14,13,...,1f6e0d3a9b8c7d21
//
// The last column is the hash of what stands before its comma: a line that was torn by a kill, or
// damaged, is no trial.
#ifndef LAB_TRIALS_H
#define LAB_TRIALS_H

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

#include <carom/carom.h>

enum { RUN_KEY_MAX = 240 };

// What came of a trial.
typedef enum trial_value {
    TRIAL_GOAL,            // 1: reached
    TRIAL_CLEAN,           // 1: and no rule was broken before
    TRIAL_PLANNINGS,       // searches
    TRIAL_SOLVED,          // of these
    TRIAL_HELPLESS,        // of these: no plan
    TRIAL_INTERVALS,       // of searches that found a plan, up to the next
    TRIAL_COLLIDED,        // of these: a rule was broken
    TRIAL_STEPS,           // planned
    TRIAL_SOLVED_STEPS,    // of the searches that found the goal
    TRIAL_RANKING_STEPS,   // of the futures that solutions were tried in
    TRIAL_SECONDS,         // of the world
    TRIAL_TURNING,         // rad
    TRIAL_MOVING,          // s
    TRIAL_PLANNER_SECONDS, // of the machine
    TRIAL_VALUES,
} trial_value;

typedef struct trial {
    char key[RUN_KEY_MAX]; // how it was run
    int64_t index;         // from 1
    double values[TRIAL_VALUES];
} trial;

// The line of headings.
extern const char trials_head[];

// Take the values of a run.
void trial_take(trial *t, const cr_run_result *result);

// Read a trial's line, with its end; false if it is none.
bool trial_read(const char *line, trial *t);

// Print its line.
void trial_print(FILE *file, const trial *t);

#endif
