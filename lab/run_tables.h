// The experiments of 003, 9.2: collisions and planning over replanning interval, uncertainty and
// level of detail.
#ifndef LAB_RUN_TABLES_H
#define LAB_RUN_TABLES_H

#include "terminal/terminal.h"

typedef struct run_tables_def {
    const char *folder; // of the table as NAME.csv
    bool quick;         // few points and trials
    int64_t trials;     // of a point; 0: as published
} run_tables_def;

// True for figure-9.6 and figure-9.7.
bool run_table_is(const char *name);

// Run one and print its table; an exit code. What is cut leaves the points that are whole.
int run_table(const char *name, const run_tables_def *def);

#endif
