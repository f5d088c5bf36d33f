// Tables of runs in true worlds: run what trials.csv does not have yet, and show them.
#ifndef LAB_RUN_TABLES_H
#define LAB_RUN_TABLES_H

#include "terminal/terminal.h"

typedef struct run_tables_def {
    const char *folder; // of trials.csv, the tables as NAME.csv and the figures
    bool quick;         // few points and trials
    int64_t trials;     // of a point, at most; 0: as published
} run_tables_def;

// True for the names of the tables.
bool run_table_is(const char *name);

// Run one, or for "all" all of them, and print its table; an exit code. Every trial that is done is
// in trials.csv; the same command goes on from there.
int run_table(const char *name, const run_tables_def *def);

#endif
