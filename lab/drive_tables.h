// The published tables of cars that skid (seed 005, tables 4.1 to 4.8), driven again.
#ifndef LAB_DRIVE_TABLES_H
#define LAB_DRIVE_TABLES_H

#include <stdbool.h>
#include <stdint.h>

// Which tables, and how large.
typedef struct drive_tables_def {
    bool quick;            // fewer seeds, no rows of many nodes, one lap
    bool only_real;        // only the real tracks
    int64_t seeds;         // shifts of the other cars; 0: 20, quick 4
    int64_t most_nodes;    // rows with more are skipped; 0: none is, quick 20000
    const char *table;     // the one wanted, or NULL
    const char *reference; // folder with tracks/, or NULL: no real tracks
    const char *journal;   // of rows that are done, or NULL
    int word_count;        // of the command, for the heading
    char **words;
} drive_tables_def;

// The tables as markdown on stdout; an exit code.
int drive_tables(const drive_tables_def *def);

#endif
