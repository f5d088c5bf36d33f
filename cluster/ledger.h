// What the lead knows of the units: which are done, which are to be handed out next, and what is
// still to be taken in order.
#ifndef CLUSTER_LEDGER_H
#define CLUSTER_LEDGER_H

#include "cluster/cluster.h"
#include "terminal/terminal.h"

typedef struct ledger {
    const cluster_work *work;
    struct entry {
        char *text; // owned
        size_t length;
        bool known;
    } * entries;
    int64_t next;  // no unit before it is to be handed out any more
    int64_t taken; // units before it were taken
    int64_t known, recalled;
    double begin;
    progress bar;
} ledger;

// Recall what was done before. Returns CLUSTER_ON or an exit code.
int ledger_begin(ledger *l, const cluster_work *work);
void ledger_end(ledger *l);

// The next unit to do, or -1: there is none left.
int64_t ledger_next(ledger *l);

// A unit is done. The text is the ledger's from here on. Returns CLUSTER_ON or an exit code.
int ledger_add(ledger *l, int64_t unit, char *text, size_t length);

// The line of progress, now and then.
void ledger_show(ledger *l);

#endif
