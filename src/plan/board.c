// The board: which runners wait to be run on, and who runs them.
//
//   FREE -- select --> READY -- take --> RUNNING -- return --> READY    the branch goes on
//    ^                                      |
//    +---------- keep ------- ENDED <-------+                           it has come to its end
//
// A worker takes as many runners as its engine steps at once, or twice as many where there are
// enough, those that are behind first, so that what has ended need not wait for long. The lock is
// held in all of this file.
#include "plan/planner.h"

#include <assert.h>

static bool is_own(const cri_worker *worker, const cri_entry *entry)
{
    return &worker->planner->crew.workers[entry->worker] == worker;
}

// How many runners the worker may take: an even share, so that no worker falls behind, and whole
// batches of its engine's. Finds out as well which of its branches waits.
static int plan_turn(cri_worker *worker)
{
    const cr_planner *planner = worker->planner;
    int workers = planner->crew.count, runnable = 0;
    worker->due = INT64_MAX;
    for (int i = 0; i < planner->def.round; i++) {
        const cri_entry *entry = &planner->board[i];
        runnable += entry->phase == CRI_RUNNER_READY || entry->phase == CRI_RUNNER_RUNNING;
        if (entry->phase == CRI_RUNNER_ENDED && is_own(worker, entry)) {
            worker->due = entry->clock < worker->due ? entry->clock : worker->due;
        }
    }
    int share = (runnable + workers - 1) / workers;
    int whole = share / worker->lanes * worker->lanes;
    share = whole > 0 ? whole : share;
    return share < worker->runner_max ? share : worker->runner_max;
}

// The order in which a worker takes runners: those that are behind first. A runner that another
// worker ran has its memory elsewhere: it must be so many ticks farther behind.
static int64_t order_of(const cri_worker *worker, int runner)
{
    enum { FARTHER = 16 };
    const cri_entry *entry = &worker->planner->board[runner];
    return entry->clock + (is_own(worker, entry) ? 0 : FARTHER);
}

// Put a runner into its place among the first `count`, of which there may be `most`.
static int insert_runner(cri_worker *worker, int runner, int count, int most)
{
    int64_t order = order_of(worker, runner);
    int *runners = worker->numbers;
    int at = count < most ? count++ : most;
    for (; at > 0 && order_of(worker, runners[at - 1]) > order; at--) {
        if (at < most) {
            runners[at] = runners[at - 1];
        }
    }
    if (at < most) {
        runners[at] = runner;
    }
    return count;
}

bool cri_runners_take(cri_worker *worker)
{
    cr_planner *planner = worker->planner;
    assert(worker->runner_count == 0);
    int most = plan_turn(worker);
    int ready = 0, count = 0;
    for (int i = 0; i < planner->def.round; i++) {
        if (planner->board[i].phase == CRI_RUNNER_READY) {
            ready++;
            count = insert_runner(worker, i, count, most);
        }
    }
    int64_t behind = INT64_MAX;
    for (int i = 0; i < count; i++) {
        int runner = worker->numbers[i];
        int64_t clock = planner->board[runner].clock;
        behind = clock < behind ? clock : behind;
        planner->board[runner].phase = CRI_RUNNER_RUNNING;
        planner->board[runner].worker = (int)(worker - planner->crew.workers);
        worker->runners[i] = &planner->runners[runner];
    }
    assert(count <= most && (count == 0 || behind + 1 >= planner->tick)); // invariant 3
    worker->runner_count = count;
    atomic_store(&worker->behind, behind);
    if (ready > count) {
        cri_crew_wake(&planner->crew);
    }
    return count > 0;
}

void cri_runners_return(cri_worker *worker)
{
    for (int i = 0; i < worker->runner_count; i++) {
        cri_entry *entry = &worker->planner->board[worker->runners[i] - worker->planner->runners];
        assert(entry->phase == CRI_RUNNER_RUNNING);
        bool ended = worker->runners[i]->attempt.ending != CRI_END_NONE;
        entry->phase = ended ? CRI_RUNNER_ENDED : CRI_RUNNER_READY;
        entry->clock += worker->ticks;
    }
    worker->runner_count = 0;
}
