// Threads that share the work of one step.
#include "engine/large_team.h"

#include <assert.h>
#include <sched.h>

// So many looks before a thread lets another one have its processor: some ten microseconds.
enum { SPINS = 4000 };

static void rest_a_moment(void)
{
#if defined(__x86_64__) || defined(__i386__)
    __builtin_ia32_pause();
#endif
}

void cri_team_init(cri_team *team)
{
    *team = (cri_team){.count = 1};
    pthread_mutex_init(&team->lock, NULL);
    pthread_cond_init(&team->begin, NULL);
}

void cri_team_meet(cri_team *team)
{
    if (team->count == 1) {
        return;
    }
    unsigned met = atomic_load_explicit(&team->met, memory_order_relaxed);
    if (atomic_fetch_add(&team->arrived, 1) + 1 == (unsigned)team->count) {
        atomic_store(&team->arrived, 0);
        atomic_store(&team->met, met + 1);
        return;
    }
    for (int i = 0; atomic_load_explicit(&team->met, memory_order_acquire) == met; i++) {
        if (i < SPINS) {
            rest_a_moment();
        } else {
            sched_yield();
        }
    }
}

// A member's life: wait for a turn, work, meet the others at its end.
static void *serve(void *arg)
{
    cri_team *team = arg;
    int me = atomic_fetch_add(&team->entered, 1) + 1;
    pthread_mutex_lock(&team->lock);
    for (unsigned turn = 0;;) {
        while (team->turn == turn && !team->quit) {
            pthread_cond_wait(&team->begin, &team->lock);
        }
        if (team->quit) {
            break;
        }
        turn = team->turn;
        pthread_mutex_unlock(&team->lock);
        team->work(team->arg, me, team->count);
        cri_team_meet(team);
        pthread_mutex_lock(&team->lock);
    }
    pthread_mutex_unlock(&team->lock);
    return NULL;
}

static void dismiss(cri_team *team)
{
    pthread_mutex_lock(&team->lock);
    team->quit = true;
    pthread_cond_broadcast(&team->begin);
    pthread_mutex_unlock(&team->lock);
    for (int i = 0; i < team->started; i++) {
        pthread_join(team->threads[i], NULL);
    }
    team->quit = false;
    team->started = 0;
    team->count = 1;
    team->turn = 0;
    atomic_store(&team->entered, 0);
    atomic_store(&team->arrived, 0);
}

bool cri_team_resize(cri_team *team, int count)
{
    assert(count >= 1);
    count = count < CRI_TEAM_MAX ? count : CRI_TEAM_MAX;
    if (count == team->count) {
        return true;
    }
    dismiss(team);
    while (team->started + 1 < count &&
           pthread_create(&team->threads[team->started], NULL, serve, team) == 0) {
        team->started++;
    }
    team->count = team->started + 1;
    return team->count == count;
}

void cri_team_free(cri_team *team)
{
    dismiss(team);
    pthread_mutex_destroy(&team->lock);
    pthread_cond_destroy(&team->begin);
}

void cri_team_run(cri_team *team, cri_team_work *work, void *arg)
{
    if (team->count == 1) {
        work(arg, 0, 1);
        return;
    }
    pthread_mutex_lock(&team->lock);
    team->work = work;
    team->arg = arg;
    team->turn++;
    pthread_cond_broadcast(&team->begin);
    pthread_mutex_unlock(&team->lock);
    work(arg, 0, team->count);
    cri_team_meet(team);
}
