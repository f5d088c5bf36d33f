// The published experiments (003, chapter 6; 001, figure 6): what is run, and how it is shown.
//
//     experiment = cells;  cell = scene + settings, run for several seeds or starts
//     a run leaves one record, a line of runs.csv; a growth cell leaves one at every checkpoint
//
// Records are keyed by scene (with a hash of its text), settings, seed and start, so cells that
// stand in several tables are run once, and a killed experiment goes on where it was.
#ifndef LAB_EXPERIMENT_H
#define LAB_EXPERIMENT_H

#include "lab/records.h"
#include "terminal/terminal.h"

enum { CELLS_MAX = 64 };

// One row of a table, or one point of a figure.
typedef struct cell {
    const char *domain; // "soccer"
    const char *scene;
    char method[48];    // "bgt, mu 100"
    char settings[128]; // "select=bgt mu=100"
    const char *grows;  // from which states: "decisions", or "free" ones
    int against;        // an exact test against the row that stands so many before; 0: none
    const char *published;
    int runs;
    bool by_start; // starts 1 .. runs instead of seeds
    bool growth;   // one long search, looked at as it grows
    double x;      // figures: where the point stands
} cell;

typedef struct cells {
    cell items[CELLS_MAX];
    int count;
} cells;

typedef struct experiment {
    const char *name, *title;
    const char *published_head; // what the column of published values holds
    const char *test_head;      // what the column of exact tests compares
    void (*fill)(int variant, bool quick, cells *list);
    int variant;
} experiment;

// Which experiment to run, and how much of it.
typedef struct experiment_def {
    const char *name;   // of one, or "all"
    const char *folder; // of runs.csv and the figures
    const char *extra;  // settings of every search: "round=9", or empty
    bool quick;         // few searches with small limits
    int64_t threads;    // of a search; 0: all cores
    int64_t runs;       // at most, of a cell; 0: as published
} experiment_def;

// Run what is not recorded yet, and print the tables on stdout; an exit code.
int experiment_run(const experiment_def *def);

extern const experiment experiments[];
extern const int experiment_count;

// What the records of a cell come to.
typedef struct summary {
    int runs, solved;
    double nodes, nodes_spread, steps, steps_spread, seconds, seconds_spread;
} summary;

summary summarize(const records *all, const cell *c, const char *key, int runs);

// The key of a cell's records: "scene@hash settings".
bool cell_key(const cell *c, const char *extra, char key[KEY_MAX]);

// Print the table of an experiment, and write its figures to the folder. Returns -1, or an exit
// code after a message.
int experiment_report(const experiment *e, const cells *list, const records *all, const char *extra,
                      const char *folder);

#endif
