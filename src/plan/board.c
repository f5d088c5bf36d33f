// The board: which lanes wait to be run on, and who runs them.
//
//   FREE -- select --> READY -- take --> RUNNING -- return --> READY    the branch goes on
//    ^                                      |
//    +---------- keep ------- ENDED <-------+                           it has come to its end
//
// A worker takes as many lanes as its engine steps at once, those that are behind first, so that
// what has ended need not wait for long. The lock is held in all of this file.
#include "plan/planner.h"

#include <assert.h>

static bool is_own(const cri_worker *worker, const cri_entry *entry)
{
    return &worker->planner->pool.workers[entry->worker] == worker;
}

// How many lanes the worker may take: an even share, so that no worker falls behind. Finds out as
// well which of its branches waits.
static int plan_turn(cri_worker *worker)
{
    const cr_planner *planner = worker->planner;
    int workers = planner->pool.count, runnable = 0;
    worker->due = INT64_MAX;
    for (int i = 0; i < planner->def.round; i++) {
        const cri_entry *entry = &planner->board[i];
        runnable += entry->phase == CRI_LANE_READY || entry->phase == CRI_LANE_RUNNING;
        if (entry->phase == CRI_LANE_ENDED && is_own(worker, entry)) {
            worker->due = entry->clock < worker->due ? entry->clock : worker->due;
        }
    }
    int share = (runnable + workers - 1) / workers;
    return share < worker->lane_max ? share : worker->lane_max;
}

// The order in which a worker takes lanes: those that are behind first. A lane that another worker
// ran has its memory elsewhere: it must be so many ticks farther behind.
static int64_t order_of(const cri_worker *worker, int lane)
{
    enum { FARTHER = 16 };
    const cri_entry *entry = &worker->planner->board[lane];
    return entry->clock + (is_own(worker, entry) ? 0 : FARTHER);
}

// Put a lane into its place among the first `count`, of which there may be `most`.
static int insert_lane(cri_worker *worker, int lane, int count, int most)
{
    int64_t order = order_of(worker, lane);
    int *lanes = worker->numbers;
    int at = count < most ? count++ : most;
    for (; at > 0 && order_of(worker, lanes[at - 1]) > order; at--) {
        if (at < most) {
            lanes[at] = lanes[at - 1];
        }
    }
    if (at < most) {
        lanes[at] = lane;
    }
    return count;
}

bool cri_lanes_take(cri_worker *worker)
{
    cr_planner *planner = worker->planner;
    assert(worker->lane_count == 0);
    int most = plan_turn(worker);
    int ready = 0, count = 0;
    for (int i = 0; i < planner->def.round; i++) {
        if (planner->board[i].phase == CRI_LANE_READY) {
            ready++;
            count = insert_lane(worker, i, count, most);
        }
    }
    int64_t behind = INT64_MAX;
    for (int i = 0; i < count; i++) {
        int lane = worker->numbers[i];
        int64_t clock = planner->board[lane].clock;
        behind = clock < behind ? clock : behind;
        planner->board[lane].phase = CRI_LANE_RUNNING;
        planner->board[lane].worker = (int)(worker - planner->pool.workers);
        worker->lanes[i] = &planner->lanes[lane];
    }
    worker->lane_count = count;
    atomic_store(&worker->behind, behind);
    if (ready > count) {
        cri_pool_wake(&planner->pool);
    }
    return count > 0;
}

void cri_lanes_return(cri_worker *worker)
{
    for (int i = 0; i < worker->lane_count; i++) {
        cri_entry *entry = &worker->planner->board[worker->lanes[i] - worker->planner->lanes];
        assert(entry->phase == CRI_LANE_RUNNING);
        bool ended = worker->lanes[i]->attempt.ending != CRI_END_NONE;
        entry->phase = ended ? CRI_LANE_ENDED : CRI_LANE_READY;
        entry->clock += worker->ticks;
    }
    worker->lane_count = 0;
}
