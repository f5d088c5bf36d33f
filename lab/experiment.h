// The published experiments (003, chapter 6; 000, table 1; 001, figures 4 and 6): what is run, and
// how it is shown.
//
//     experiment = cells;  cell = scene + settings, run for several seeds or starts
//     a run leaves one record, a line of runs.csv; a growth cell leaves one at every checkpoint
//     a cell may change a word of its scene: the key of its records is then that of another scene
//
// Records are keyed by scene (with a hash of its text), settings, seed and start, so cells that
// stand in several tables are run once, and a killed experiment goes on where it was.
#ifndef LAB_EXPERIMENT_H
#define LAB_EXPERIMENT_H

#include "lab/edit.h"
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
    double x;      // figures: where the point stands ...
    char line[40]; // ... and on which line; empty: on none
    edit edit;     // what is changed of the scene
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
    const char *x_label; // of its figures; NULL: it has none, or some of its own
    bool log_x;
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

// The rows of the sweeps and of what stands beside chapter 6 (more_cells.c).
void fill_paper_table(int variant, bool quick, cells *list);
void fill_paper_starts(int variant, bool quick, cells *list);
void fill_kicks(int variant, bool quick, cells *list);
void fill_corner(int variant, bool quick, cells *list);
void fill_basic(int variant, bool quick, cells *list);
void fill_extension(int variant, bool quick, cells *list);
void fill_opponents(int variant, bool quick, cells *list);
void fill_aim(int variant, bool quick, cells *list);
void fill_body(int variant, bool quick, cells *list);
void fill_metric(int variant, bool quick, cells *list);

// The four domains with a goal, as in table 6.1, and the mu that the thesis gives each.
typedef struct domain {
    const char *name, *scene, *mu;
} domain;
enum { NAVIGATION, MINIGOLF, SOCCER, POOL, DOMAINS };
extern const domain domains[DOMAINS];

// Add a row; its settings are the thesis's limits, or small ones, and those of the format. A row of
// another way of growing: the same again, with growth from any free state.
cell *cell_add(cells *list, const domain *d, int runs, const char *published);
__attribute__((format(printf, 3, 4))) void cell_set(cell *c, bool quick, const char *format, ...);
void cells_add_free(cells *list, int first);

// What the records of a cell come to.
typedef struct summary {
    int runs, solved;
    double nodes, nodes_spread, steps, steps_spread, seconds, seconds_spread;
} summary;

summary summarize(const records *all, const cell *c, const char *key, int runs);

// The scene of a cell, changed as it says; NULL after a message.
cr_scene *cell_scene(const cell *c);

// The key of a cell's records: "scene@hash settings".
bool cell_key(const cell *c, const char *extra, char key[KEY_MAX]);

// The hash of a scene's text, as in the key of a cell.
uint32_t scene_hash(const cr_scene *scene);

// What the scenes of the comparisons were when they were frozen (docs/evaluation.md); 0: it is none
// of these.
uint32_t frozen_hash(const char *scene);

// Print the table of an experiment, and write its figures to the folder. Returns -1, or an exit
// code after a message.
int experiment_report(const experiment *e, const cells *list, const records *all, const char *extra,
                      const char *folder);

#endif
