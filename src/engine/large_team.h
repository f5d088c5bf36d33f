// Threads that share the work of one step. They wait between steps, and spin while they wait for
// each other within one: a step meets some hundred times, for a microsecond each.
#ifndef CRI_LARGE_TEAM_H
#define CRI_LARGE_TEAM_H

#include <pthread.h>
#include <stdatomic.h>
#include <stdbool.h>

enum { CRI_TEAM_MAX = 64 };

// A share of the work: me of `all`.
typedef void cri_team_work(void *arg, int me, int all);

typedef struct cri_team {
    int count;   // with the one that calls
    int started; // threads besides
    pthread_t threads[CRI_TEAM_MAX];
    pthread_mutex_t lock;
    pthread_cond_t begin;
    unsigned turn; // of work; under the lock
    bool quit;
    cri_team_work *work;
    void *arg;
    atomic_uint arrived, met; // at a meeting, and how many meetings were
    atomic_int entered;
} cri_team;

// A team of one, which needs no threads and nothing else.
void cri_team_init(cri_team *team);
void cri_team_free(cri_team *team);

// Become a team of so many. False if threads cannot be had: it is as many as could be.
bool cri_team_resize(cri_team *team, int count);

// All of the team do `work`; returns when all are done.
void cri_team_run(cri_team *team, cri_team_work *work, void *arg);

// Within work: wait until all have come here.
void cri_team_meet(cri_team *team);

// The part of `count` things that is mine: first .. end - 1.
static inline void cri_team_share(int count, int me, int all, int *first, int *end)
{
    *first = (int)((long long)count * me / all);
    *end = (int)((long long)count * (me + 1) / all);
}

#endif
