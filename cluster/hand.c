#include "cluster/hand.h"

#include <assert.h>
#include <stdlib.h>
#include <time.h>

#include "terminal/terminal.h"

hand_result hand_run(const cluster_work *work, int64_t unit)
{
    hand_result r = {.unit = unit, .code = EXIT_INTERNAL};
    FILE *file = open_memstream(&r.text, &r.length);
    if (file) {
        r.code = work->run(unit, file, work->context);
        if (fclose(file) != 0 && r.code == CLUSTER_ON) {
            r.code = EXIT_INTERNAL;
        }
    }
    if (r.code != CLUSTER_ON) {
        free(r.text);
        r.text = NULL;
        r.length = 0;
    }
    return r;
}

static void *work_on(void *context)
{
    hand *h = context;
    pthread_mutex_lock(&h->mutex);
    while (!h->ends) {
        if (h->state != HAND_BUSY) {
            pthread_cond_wait(&h->given, &h->mutex);
            continue;
        }
        pthread_mutex_unlock(&h->mutex);
        hand_result r = hand_run(h->work, h->unit);
        pthread_mutex_lock(&h->mutex);
        h->code = r.code;
        h->text = r.text;
        h->length = r.length;
        h->state = HAND_DONE;
        pthread_cond_signal(&h->done);
    }
    pthread_mutex_unlock(&h->mutex);
    return NULL;
}

bool hand_begin(hand *h, const cluster_work *work)
{
    pthread_condattr_t clock;
    *h = (hand){.work = work};
    pthread_mutex_init(&h->mutex, NULL);
    pthread_condattr_init(&clock);
    pthread_condattr_setclock(&clock, CLOCK_MONOTONIC);
    pthread_cond_init(&h->given, NULL);
    pthread_cond_init(&h->done, &clock);
    pthread_condattr_destroy(&clock);
    if (pthread_create(&h->thread, NULL, work_on, h) == 0) {
        return true;
    }
    pthread_mutex_destroy(&h->mutex);
    pthread_cond_destroy(&h->given);
    pthread_cond_destroy(&h->done);
    return false;
}

void hand_end(hand *h)
{
    pthread_mutex_lock(&h->mutex);
    h->ends = true;
    pthread_cond_signal(&h->given);
    pthread_mutex_unlock(&h->mutex);
    pthread_join(h->thread, NULL);
    pthread_mutex_destroy(&h->mutex);
    pthread_cond_destroy(&h->given);
    pthread_cond_destroy(&h->done);
    free(h->text);
    h->text = NULL;
}

void hand_give(hand *h, int64_t unit)
{
    pthread_mutex_lock(&h->mutex);
    assert(h->state == HAND_IDLE);
    h->unit = unit;
    h->state = HAND_BUSY;
    pthread_cond_signal(&h->given);
    pthread_mutex_unlock(&h->mutex);
}

bool hand_poll(hand *h, hand_result *result)
{
    pthread_mutex_lock(&h->mutex);
    bool done = h->state == HAND_DONE;
    if (done) {
        *result = (hand_result){h->unit, h->code, h->text, h->length};
        h->text = NULL;
        h->state = HAND_IDLE;
    }
    pthread_mutex_unlock(&h->mutex);
    return done;
}

void hand_wait(hand *h, double seconds)
{
    struct timespec until;
    clock_gettime(CLOCK_MONOTONIC, &until);
    until.tv_nsec += (long)(seconds * 1e9);
    until.tv_sec += until.tv_nsec / 1000000000;
    until.tv_nsec %= 1000000000;
    pthread_mutex_lock(&h->mutex);
    if (h->state != HAND_DONE) {
        pthread_cond_timedwait(&h->done, &h->mutex, &until);
    }
    pthread_mutex_unlock(&h->mutex);
}
