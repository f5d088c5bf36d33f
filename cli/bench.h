// What a bench gathers, and the formats it is printed in.
#ifndef CLI_BENCH_H
#define CLI_BENCH_H

#include "search.h"

// One search, and what came of it.
typedef struct bench_run {
    cr_planner_def def;
    cr_outcome outcome;
    cr_planner_stats stats;
    int64_t branches;
    bool has_plan;
    bool replayed;        // all solutions of the plan
    int left_out;         // solutions that there was no time to replay
    cr_solution solution; // the plan's best
    int drawn, refused;   // variations of the scene, where each search has its own
} bench_run;

typedef struct bench_table {
    const cr_model *model;
    seed_range seeds;
    const search *asked;
    double limit; // s a search; 0: none
    double began; // now_seconds() at the beginning
    int count, capacity;
    bench_run *runs;
    bool interrupted;          // a table of fewer searches than asked for
    const char *folder;        // for the plans, or NULL
    const cr_planner_def *def; // of every search, but for the seed
} bench_table;

// How many searches the table was to have.
static inline int64_t bench_wanted(const bench_table *table)
{
    return table->seeds.last - table->seeds.first + 1;
}

// A format; what is printed goes to stdout. A function that has nothing to say is NULL.
typedef struct bench_format {
    const char *name;
    void (*begin)(const bench_table *table);
    void (*row)(const bench_run *run); // as soon as the search has ended
    void (*end)(const bench_table *table);
} bench_format;

// OMPL's benchmark log, for ompl_benchmark_statistics.py and Planner Arena.
extern const bench_format bench_ompl;

// JSON, chosen by --json.
extern const bench_format bench_json;

#endif
