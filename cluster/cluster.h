// Work that the processes of an mpirun share. A command that has many units of work (searches,
// rows of a table) gives them to cluster_run:
//
//     one process     run 0, keep 0, take 0, run 1, keep 1, take 1, ...
//
//     mpirun -n 4     0, the lead, hands out units as processes get free, works itself, and alone
//                     keeps and takes;  1 .. 3 run what they are given
//
// Every process runs the same command with the same words up to cluster_run, so that a unit is a
// number and its result a text. What is printed and written is the lead's: stdout of the others
// leads nowhere, their stderr only while they work. Results are taken in the order of the units,
// so that what is printed does not depend on who did what when.
//
// Threads: each process runs its units on one thread; keep, hear, take and say are called by the
// thread that called cluster_run. Without mpirun the two are one.
#ifndef CLUSTER_H
#define CLUSTER_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

enum {
    CLUSTER_ON = -1,     // go on; all is done
    CLUSTER_CUT = -2,    // somebody asked to stop: the unit has no result, the work is not whole
    CLUSTER_ENOUGH = -3, // what is left need not be done
};

// A unit's result: any bytes.
typedef struct cluster_result {
    const char *text;
    size_t length;
} cluster_result;

// Shared work. Functions return CLUSTER_ON, or what ends the work: CLUSTER_ENOUGH, or an exit code.
typedef struct cluster_work {
    int64_t count;    // units 0 .. count - 1
    const char *what; // the units, for progress: "searches"
    bool together;    // hand out nothing before all processes are there: a race

    // Do a unit and print its result; in any process. CLUSTER_CUT if cluster_stop said so.
    int (*run)(int64_t unit, FILE *result, void *context);

    // The rest is the lead's; each may be NULL.
    // The result of a unit that was done before, from a journal; false: it must be run.
    bool (*recall)(int64_t unit, cluster_result *result, void *context);
    // Put a new result on the disk, as soon as it is there.
    int (*keep)(int64_t unit, cluster_result result, void *context);
    // Any result, recalled or new, as soon as it is there: in any order.
    int (*hear)(int64_t unit, cluster_result result, void *context);
    // Any result, in the order of the units.
    int (*take)(int64_t unit, cluster_result result, void *context);
    // More for the line of progress, as ", 3 solved".
    void (*say)(char *text, size_t size, void *context);
    void *context;
} cluster_work;

// Before and after a command. The first finds out whether an mpirun started the process; nothing
// of MPI is touched before cluster_run. The second returns the exit code.
void cluster_begin(void);
int cluster_end(int code);

// How many processes there are, and whether this is the one that prints and writes.
int cluster_size(void);
bool cluster_leads(void);

// How many threads a search gets: as asked for, or for 0 this process's share of the machine.
int cluster_threads(int64_t asked);

// Do the work. Returns CLUSTER_ON when all of it is done, CLUSTER_CUT when it was stopped, or what
// ended it; the same in every process.
int cluster_run(const cluster_work *work);

// True once a unit under way is to end without a result. A stop function for searches.
bool cluster_stop(void *context);

// Make it so. (cluster/share.c)
void cluster_halt(void);

// A number that the lead tells all who work: in hear or take. Who works sees the least that was
// told since cluster_run began, soon; INT64_MAX before.
void cluster_tell(int64_t number);
int64_t cluster_told(void);

#endif
