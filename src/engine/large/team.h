// Threads that share the work of one step.
//
// One leads: it goes through the step alone, and hands out in pieces what can be done side by side.
// Each has pieces that are meant for it, the same ones of the same things each time, because what
// it has worked on lies in its cache; when these are done it takes those of others. At the end the
// leader waits only for pieces that others have begun: a helper that the machine has put aside
// between two pieces holds nobody up.
// Within a step helpers look out for work; between steps they sleep.
//
//     leader    ---- alone ----|piece 0|piece 2|-- alone --|piece 0|piece 1| ...
//     helper    .. looks out ..|piece 1|...................|piece 2|........ ...
#ifndef CRI_LARGE_TEAM_H
#define CRI_LARGE_TEAM_H

#include <pthread.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>

enum { CRI_TEAM_MAX = 64 };

// Things first .. end - 1 of what there is to do.
typedef void cri_team_work(void *arg, int first, int end);

// The pieces of one: the number of this hand-out, the next piece, and the end.
typedef struct cri_team_ticket {
    atomic_uint_fast64_t now;
    char room[56]; // a line of the cache for each
} cri_team_ticket;

typedef struct cri_team {
    int count;   // with the leader
    int started; // helpers
    pthread_t threads[CRI_TEAM_MAX];
    pthread_mutex_t lock;
    pthread_cond_t begin;
    atomic_int asleep;   // helpers that wait for `begin`
    atomic_bool at_work; // a step is going on
    atomic_bool quit;
    atomic_int entered; // helpers that have a number
    // What is handed out.
    cri_team_work *work;
    void *arg;
    int things, pieces;
    cri_team_ticket tickets[CRI_TEAM_MAX];
    atomic_int done; // pieces
} cri_team;

// A team of one, which needs no threads and nothing else.
void cri_team_init(cri_team *team);
void cri_team_free(cri_team *team);

// Become a team of so many. False if threads cannot be had: it is as many as could be.
bool cri_team_resize(cri_team *team, int count);

// Before the first hand-out of a step, and after the last.
void cri_team_begin(cri_team *team);
void cri_team_end(cri_team *team);

// Do so many things, in pieces of at least `least`; returns when all are done.
void cri_team_do(cri_team *team, int things, int least, cri_team_work *work, void *arg);

#endif
