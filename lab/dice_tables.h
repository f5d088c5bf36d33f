// The many-dice domain (003, 6.1.5; 000, 6.4), run again.
#ifndef LAB_DICE_TABLES_H
#define LAB_DICE_TABLES_H

#include "lab/run_tables.h"

// True for dice, dice-select, dice-mu, dice-force and dice-acceleration.
bool dice_table_is(const char *name);

// Run one: a table on stdout and in FOLDER/NAME.csv, and a drawing for the last three. An exit
// code.
int dice_table(const char *name, const run_tables_def *def);

#endif
