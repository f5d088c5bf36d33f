// The records of searches, as runs.csv has them: a line each, under a line of headings.
//
//     search,seed,start,outcome,nodes,steps,attempts,seconds,select_seconds,...
//     soccer/attack-1v2@58b2f09c nodes=2000,1,3,solved,167,166,1,0.001568,...
#ifndef LAB_RECORDS_H
#define LAB_RECORDS_H

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

enum { KEY_MAX = 160 };

typedef struct record {
    char key[KEY_MAX];
    int64_t seed, start;
    char outcome[16];
    double nodes, steps, attempts, seconds, select, behavior, engine;
} record;

typedef struct records {
    record *items;
    int count, capacity;
} records;

// False if memory runs out.
bool add_record(records *all, const record *r);

// Read all records of a file; lines that are none (the headings, one cut by a kill, foreign ones)
// are passed over. *cut: the last line has no end. False if memory runs out.
bool read_records(FILE *file, records *all, bool *cut);

// The record of a finished search, or NULL.
const record *find_record(const records *all, const char *key, int64_t seed, int64_t start);

// False if it does not arrive.
bool write_record(FILE *file, const record *r);

#endif
