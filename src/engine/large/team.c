// Threads that share the work of one step.
#include "engine/large/team.h"

#include <assert.h>
#include <sched.h>

// So many looks before a thread lets others have its processor: longer than the leader is alone
// within a step, some hundred microseconds; and before it sleeps between steps, some ten.
enum { SPINS = 8000, WAKEFUL = 1000 };
// Pieces a thread: who is held up leaves the rest to the others. With four, two threads on a shared
// machine waited for each other a seventh of the time.
enum { PIECES = 12 };

// A ticket: number 32, end 16, next piece 16.
enum { PIECE_BITS = 16 };

static void rest_a_moment(int looks)
{
    if (looks >= SPINS) {
        sched_yield();
        return;
    }
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

static void do_piece(const cri_team *team, int piece)
{
    long long things = team->things;
    int first = (int)(things * piece / team->pieces);
    int end = (int)(things * (piece + 1) / team->pieces);
    team->work(team->arg, first, end);
}

// Take a piece of a ticket and do it. False: none is left.
static bool take_from(cri_team *team, cri_team_ticket *of)
{
    uint_fast64_t ticket = atomic_load_explicit(&of->now, memory_order_acquire);
    for (;;) {
        const uint_fast64_t mask = (1u << PIECE_BITS) - 1;
        uint_fast64_t next = ticket & mask, end = (ticket >> PIECE_BITS) & mask;
        if (next >= end) {
            return false;
        }
        if (atomic_compare_exchange_weak_explicit(&of->now, &ticket, ticket + 1,
                                                  memory_order_acq_rel, memory_order_acquire)) {
            // Until it is done nothing else is handed out.
            do_piece(team, (int)next);
            atomic_fetch_add_explicit(&team->done, 1, memory_order_release);
            return true;
        }
    }
}

// One's own first, then those of the others.
static bool take_piece(cri_team *team, int me)
{
    for (int i = 0; i < team->count; i++) {
        int whose = me + i < team->count ? me + i : me + i - team->count;
        if (take_from(team, &team->tickets[whose])) {
            return true;
        }
    }
    return false;
}

// Look out for work until the step is over, and a little longer.
static void help(cri_team *team, int me)
{
    int looks = 0;
    while (!atomic_load(&team->quit)) {
        if (take_piece(team, me)) {
            looks = 0;
        } else if (!atomic_load_explicit(&team->at_work, memory_order_relaxed) &&
                   looks >= WAKEFUL) {
            return;
        }
        rest_a_moment(looks);
        looks += looks < SPINS;
    }
}

static void *serve(void *arg)
{
    cri_team *team = arg;
    int me = atomic_fetch_add(&team->entered, 1) + 1;
    while (!atomic_load(&team->quit)) {
        pthread_mutex_lock(&team->lock);
        atomic_fetch_add(&team->asleep, 1);
        while (!atomic_load(&team->at_work) && !atomic_load(&team->quit)) {
            pthread_cond_wait(&team->begin, &team->lock);
        }
        atomic_fetch_sub(&team->asleep, 1);
        pthread_mutex_unlock(&team->lock);
        help(team, me);
    }
    return NULL;
}

static void wake(cri_team *team)
{
    pthread_mutex_lock(&team->lock);
    pthread_cond_broadcast(&team->begin);
    pthread_mutex_unlock(&team->lock);
}

static void dismiss(cri_team *team)
{
    atomic_store(&team->quit, true);
    wake(team);
    for (int i = 0; i < team->started; i++) {
        pthread_join(team->threads[i], NULL);
    }
    atomic_store(&team->quit, false);
    atomic_store(&team->entered, 0);
    team->started = 0;
    team->count = 1;
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

void cri_team_begin(cri_team *team)
{
    if (team->count > 1) {
        // A helper that goes to sleep says so before it looks here.
        atomic_store(&team->at_work, true);
        if (atomic_load(&team->asleep) > 0) {
            wake(team);
        }
    }
}

void cri_team_end(cri_team *team)
{
    atomic_store(&team->at_work, false);
}

static void hand_out(cri_team *team, int pieces)
{
    uint_fast64_t number = atomic_load_explicit(&team->tickets[0].now, memory_order_relaxed) >> 32;
    atomic_store_explicit(&team->done, 0, memory_order_relaxed);
    for (int i = team->count - 1; i >= 0; i--) {
        uint_fast64_t first = (uint_fast64_t)(pieces * i / team->count);
        uint_fast64_t end = (uint_fast64_t)(pieces * (i + 1) / team->count);
        uint_fast64_t ticket = (number + 1) << 32 | end << PIECE_BITS | first;
        atomic_store_explicit(&team->tickets[i].now, ticket, memory_order_release);
    }
}

void cri_team_do(cri_team *team, int things, int least, cri_team_work *work, void *arg)
{
    int pieces = things / least, most = PIECES * team->count;
    pieces = pieces < most ? pieces : most;
    if (team->count == 1 || pieces <= 1) {
        work(arg, 0, things);
        return;
    }
    team->work = work;
    team->arg = arg;
    team->things = things;
    team->pieces = pieces;
    hand_out(team, pieces);
    while (take_piece(team, 0)) {
    }
    for (int looks = 0; atomic_load_explicit(&team->done, memory_order_acquire) < pieces;) {
        rest_a_moment(looks);
        looks += looks < SPINS;
    }
}
