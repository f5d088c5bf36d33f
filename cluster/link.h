// Messages between the processes of an mpirun. link_mpi.c has all there is of MPI, and is a shared
// object of its own (carom-mpi.so) that is loaded when it is needed: the program starts as fast as
// without, and runs where there is no MPI.
#ifndef CLUSTER_LINK_H
#define CLUSTER_LINK_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

typedef enum link_tag {
    // To the lead.
    LINK_READY,  // the process waits for a unit; value: of which cluster_run
    LINK_RESULT, // value: the unit, with its result; the process waits for another
    LINK_CUT,    // value: a unit that was stopped; the process waits
    LINK_FAILED, // value: an exit code
    // From the lead.
    LINK_UNIT, // value: the unit to do
    LINK_TELL, // value: cluster_tell
    LINK_HALT, // end the unit under way
    LINK_DONE, // value: what cluster_run returns
    LINK_QUIT, // there will be no more work
} link_tag;

typedef struct link_message {
    int from;
    link_tag tag;
    int64_t value;
    char *text; // any bytes, with a zero behind them; what was received is freed by its reader
    size_t length;
} link_message;

// What carom-mpi.so has, under the name carom_link.
typedef struct link_calls {
    bool (*open)(void); // false after a message
    void (*close)(void);
    void (*send)(int to, const link_message *message);
    bool (*poll)(link_message *message);
} link_calls;

// Load it and begin; false after saying what is missing. The others do nothing before.
bool link_open(void);
void link_close(void);

// Send a message; what is short is on its way when it returns, what is long has arrived.
void link_send(int to, const link_message *message);

// The next message, if there is one.
bool link_poll(link_message *message);

#endif
