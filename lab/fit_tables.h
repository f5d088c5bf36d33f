// The experiments of 003, chapter 8: fits to recordings of hidden worlds, and what they are worth
// on the course.
#ifndef LAB_FIT_TABLES_H
#define LAB_FIT_TABLES_H

#include "lab/run_tables.h"

// True for table-8.1, table-8.2, figure-8.2 and figure-8.3.
bool fit_table_is(const char *name);

// Run one and print its table, which is also FOLDER/NAME.csv; an exit code. trials: worlds of
// table-8.1, trials a course of table-8.2.
int fit_table(const char *name, const run_tables_def *def);

#endif
