// Experiments that are no tables of searches: the trees of 003, figure 5.4, and what plans are
// worth against the luck of foreign Tactics.
#ifndef LAB_SIDE_TABLES_H
#define LAB_SIDE_TABLES_H

#include "lab/run_tables.h"

// Trees of up to 8000 nodes, drawn for each mu and size (figure-5.4): a table on stdout
// and in FOLDER/figure-5.4.csv, and a drawing. An exit code.
int tree_figure(const run_tables_def *def);

// Plans of a scene in which a foreign Tactic draws, with `chance: nature` and `chance: planner`:
// what each is predicted to be worth, and what it is in 200 executions with draws that nobody has
// seen (chance): a table on stdout and in FOLDER/chance.csv. An exit code.
int chance_table(const run_tables_def *def);

#endif
