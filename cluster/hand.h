// The thread on which a process works, while the process's first thread listens and answers.
#ifndef CLUSTER_HAND_H
#define CLUSTER_HAND_H

#include <pthread.h>

#include "cluster/cluster.h"

typedef enum hand_state { HAND_IDLE, HAND_BUSY, HAND_DONE } hand_state;

typedef struct hand {
    const cluster_work *work;
    pthread_t thread;
    pthread_mutex_t mutex; // of all below
    pthread_cond_t given;  // a unit, or the end
    pthread_cond_t done;
    hand_state state;
    bool ends;
    int64_t unit;
    int code; // what came of the unit: CLUSTER_ON, CLUSTER_CUT or an exit code
    char *text;
    size_t length;
} hand;

// What came of a unit. The text belongs to whoever got it.
typedef struct hand_result {
    int64_t unit;
    int code;
    char *text;
    size_t length;
} hand_result;

// Do a unit on the calling thread.
hand_result hand_run(const cluster_work *work, int64_t unit);

bool hand_begin(hand *h, const cluster_work *work); // false: there is no thread
void hand_end(hand *h);                             // waits for a unit under way

void hand_give(hand *h, int64_t unit); // it must be idle

// True, once, when a unit is done; the hand is idle then.
bool hand_poll(hand *h, hand_result *result);

// Wait until a unit is done, at most so long.
void hand_wait(hand *h, double seconds);

#endif
