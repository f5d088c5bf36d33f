// A journal of finished work: a killed command that is given again does only what is missing.
//
//     94c1f0a3b2d45e77 work bench windmill --seeds 1-100 @58b2f09c
//     1f6e0d3a9b8c7d21 3 solved 10336 10445 ...
//     ^ check          ^ ^ result: a new line is \n, and a backslash is \\ in it
//                      unit
//
// A check is the hash of the rest of its line. The first line says whose work it is. A last line
// that was torn off by a kill is cut off, and lines that were damaged are passed over: both are
// done again. Each line is handed to the system at once, and put on the disk too unless that was
// done within 0.1 s before: a kill costs no line, a power cut those of the last 0.1 s. One process
// has the file at a time: whoever has it open holds its lock.
#ifndef CLUSTER_JOURNAL_H
#define CLUSTER_JOURNAL_H

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

#include "cluster/cluster.h"
#include "terminal/terminal.h"

// The check of a text: 64 bits of FNV-1a.
uint64_t journal_check(const char *text, size_t length);

// Whether a line of a table ends with the check of what it says, and its end.
bool journal_is_whole(const char *line);

// What is read of a journal.
typedef struct journal_entries {
    struct journal_entry {
        int64_t unit;
        char *text; // owned, with a zero behind it
        size_t length;
    } * items;
    int64_t count, capacity;
    char *work;   // whose it is, owned; NULL: the file has no line that says so
    bool foreign; // the first line is whole, and no line of a journal
    long end;     // behind the last whole line, in bytes
    bool torn;    // there is something behind it
    int damaged;  // lines that are not what they were
} journal_entries;

// Read a journal. The last entry of a unit is the one that counts. False if memory runs out.
bool journal_read(FILE *file, journal_entries *all);
void journal_forget(journal_entries *all);

// Print a line of a journal; unit < 0: whose work it is.
void journal_print(FILE *file, int64_t unit, const char *text, size_t length);

// ---------------------------------------------------------------------------------------------

typedef struct journal {
    const char *path; // NULL: there is none, and all functions do nothing
    FILE *file;
    journal_entries old;
    int64_t *index; // of old's items by unit, -1: none
    int64_t units;
    double synced; // now_seconds() of the last fsync
} journal;

// Whose work it is: the words of a command but for --journal and --threads, which change no result;
// the version; and the hash of what it reads, which a file of the same name may change. Free it;
// NULL: memory ran out.
char *journal_work(int argc, char **argv, uint64_t hash);

// The option, for the table of a command.
option_row journal_option(const char **path);

// Open a journal, or begin one; path NULL: none is wanted. Units are 0 .. units - 1. Returns -1, or
// the exit code after a message: it is another work's, or no journal, or in use.
int journal_open(journal *j, const char *path, const char *work, int64_t units);

// Both as cluster_work wants them.
bool journal_recall(const journal *j, int64_t unit, cluster_result *result);
int journal_keep(journal *j, int64_t unit, cluster_result result);

// Put it on the disk; code: -1 or the exit code so far, which is returned if nothing fails.
int journal_close(journal *j, int code);

// A kill costs nothing that the system has, a power cut nothing that the disk has: but a disk takes
// its time. This many seconds of it may be lost.
#define JOURNAL_PAUSE 0.1

// Put a file on the disk, unless that was done within so many seconds; *last: now_seconds() when it
// was. False if it fails.
bool journal_sync(FILE *file, double *last, double pause);

// Take the lock of a file that is open for writing. 0, or errno: EAGAIN if somebody else has it.
int journal_lock(FILE *file);

#endif
