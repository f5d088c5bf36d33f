// The records of searches, as runs.csv has them: a line each, under a line of headings.
//
//     search,seed,start,outcome,nodes,steps,attempts,seconds,select_seconds,...,check
//     soccer/attack-1v2@58b2f09c nodes=2000,1,3,solved,167,166,1,0.001568,...,1f6e0d3a9b8c7d21
//
// The last column is the hash of what stands before its comma: a line that was torn by a kill, or
// damaged, is no record.
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
    bool cut;   // the last line that was read has no end
    int passed; // lines that are no records, nor the headings
} records;

// The line of headings.
extern const char records_head[];

// False if memory runs out.
bool add_record(records *all, const record *r);

// Read a record's line, with its end; false if it is none.
bool read_record(const char *line, record *r);

// Read all records of a file; lines that are none are passed over. False if memory runs out.
bool read_records(FILE *file, records *all);

// The record of a finished search, or NULL.
const record *find_record(const records *all, const char *key, int64_t seed, int64_t start);

// Print its line.
void print_record(FILE *file, const record *r);

#endif
