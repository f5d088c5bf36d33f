// What is run in true worlds again and again: tables of cells, each a scene and words that say how.
//
//     "strategy=actions slip=0.05"   a word is a setting of the run (execute.h), of its truth, of
//     the
//                                    planner, or a parameter of the scene
#ifndef LAB_RUN_CELLS_H
#define LAB_RUN_CELLS_H

#include "lab/trials.h"
#include "terminal/terminal.h"

enum { RUN_CELLS_MAX = 128, RUN_WORDS_MAX = 190 };

// One row of a table, or one point of a figure.
typedef struct run_cell {
    const char *scene;
    char words[RUN_WORDS_MAX];
    char line[32]; // figures: the line that the point is on
    double x;      // and where
    const char *published;
    int against; // tests against the row that stands so many before; 0: none
    int trials;
    bool starts; // each trial begins at another of the scene's random starts
    char key[RUN_KEY_MAX];
    trial *done; // trials of them; index 0: not yet
} run_cell;

typedef struct run_cells {
    run_cell items[RUN_CELLS_MAX];
    int count;
} run_cells;

// What a table tells of its cells.
typedef enum run_columns {
    RUN_HELD,   // how often the goal was reached and no rule broken, and what that cost
    RUN_DETAIL, // collisions, planning, performance (003, 9.2.1)
    RUN_FOLLOW, // steps to a solution, and how the way turns
    RUN_STUCK,  // how often the goal was not reached, and what that cost
} run_columns;

typedef struct run_table_row {
    const char *name, *title, *x_label;
    const char *published_head;
    run_columns columns;
    void (*fill)(bool quick, run_cells *list);
} run_table_row;

extern const run_table_row run_table_rows[];
extern const int run_table_count;

// ---------------------------------------------------------------------------------------------
// Statistics of a cell's trials that are done.

typedef struct estimate {
    double mean, low, high; // the 95% interval
} estimate;

int64_t cell_done(const run_cell *c);
double cell_sum(const run_cell *c, trial_value what);

// The share of trials, or of intervals, in which something happened (Wilson).
estimate cell_share(const run_cell *c, trial_value what, trial_value of);

// The mean over trials of one value, or the sum of one over that of another, with the interval that
// the spread between trials gives (delta method).
estimate cell_mean(const run_cell *c, trial_value what);
estimate cell_ratio(const run_cell *c, trial_value what, trial_value over);

// 003, 9.2.1: (1 - normalised collisions)(1 - normalised steps), each over the largest in the
// scene.
estimate cell_performance(const run_cells *list, const run_cell *c);

// Print whether the published shapes of the table hold, a line each. Needs ten trials a cell.
void run_shapes_print(FILE *out, const run_table_row *row, const run_cells *list);

// Print the table, write its figures to the folder. Returns -1 or an exit code.
int run_table_report(const run_table_row *row, const run_cells *list, const char *folder);

#endif
