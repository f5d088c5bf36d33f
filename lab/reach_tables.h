// The experiments of seed 004, run again.
#ifndef LAB_REACH_TABLES_H
#define LAB_REACH_TABLES_H

#include <stdbool.h>
#include <stdint.h>

// Which experiments, and how large.
typedef struct reach_tables_def {
    uint64_t seed;
    bool quick;          // a tenth of the tests
    const char *figure;  // .csv with the data of figures 3 and 4; NULL: none
    const char *journal; // of tests that are done, or NULL
    int word_count;      // of the command
    char **words;
} reach_tables_def;

// The experiments of the paper and ours, as tables on stdout; an exit code.
int reach_tables(const reach_tables_def *def);

#endif
