// The parts of carom reach.
#ifndef CLI_REACH_H
#define CLI_REACH_H

#include "cli.h"

#include <carom/reach.h>

// Which experiments, and how large.
typedef struct reach_tables_def {
    uint64_t seed;
    bool quick;         // a tenth of the tests
    const char *figure; // .csv with the data of figures 3 and 4; NULL: none
} reach_tables_def;

// The experiments of the paper and ours, as tables on stdout; an exit code.
int reach_tables(const reach_tables_def *def);

#endif
