// The inside of a planner: a tree, a round of attempts, and workers that run them.
#ifndef CRI_PLANNER_H
#define CRI_PLANNER_H

#include <pthread.h>
#include <stdatomic.h>

#include "plan/select.h"

// How a branch came to its end.
typedef enum cri_ending {
    CRI_END_NONE,     // still running
    CRI_END_DECISION, // the next decision
    CRI_END_GOAL,
    CRI_END_FINAL,  // `end` Skill, horizon or longest branch: kept, not grown from
    CRI_END_RULE,   // a rule was broken
    CRI_END_ENGINE, // the world blew up
    CRI_END_CUT, // of no use any more: an earlier attempt solved the problem, or the steps are used
                 // up
} cri_ending;

// One attempt of a round, and the branch that it grows.
typedef struct cri_attempt {
    int64_t number; // from 1
    int32_t parent;
    cri_sample sample;
    cr_rng rng;
    cri_ending ending;
    int64_t steps; // simulated
    int64_t kept;  // of these, the ones before a rule was broken
    double best_score;
    int64_t best_step; // steps into the branch
    cr_state *state;   // the last valid state
} cri_attempt;

// A place for one running branch.
typedef struct cri_lane {
    cri_attempt *attempt;
    cr_action *actions;
    cr_contact *contacts;
    cr_state *next; // where the engine writes; changes places with the attempt's state at each step
} cri_lane;

// What one thread needs to run branches: an engine and a batch of lanes.
typedef struct cri_worker {
    struct cr_planner *planner;
    cr_engine *engine;
    int lane_count;
    cri_lane *lanes;
    cr_step *batch;
    pthread_t thread;
    double behavior_seconds, engine_seconds;
} cri_worker;

typedef struct cri_pool {
    int count; // workers; the first runs on the caller's thread
    cri_worker *workers;
    pthread_mutex_t lock;
    pthread_cond_t work, done;
    int64_t round; // raised to start one
    int busy;      // workers still running
    bool quit;
    int started;     // threads to join
    bool ready;      // lock and conditions exist
    atomic_int next; // attempt to run next
    atomic_llong
        winner; // the lowest attempt number that reached the last wanted goal, or INT64_MAX
} cri_pool;

struct cr_planner {
    const cr_model *model;
    const cr_library *library;
    cr_planner_def def;
    cri_tree tree;
    cri_selection selection;
    cri_select_function select;
    cri_pool pool;
    int round_count; // attempts of the present round
    cri_attempt *attempts;
    int64_t step_limit, horizon_steps;
    int64_t steps_left; // at the beginning of the round
    cr_planner_stats stats;
    cr_outcome outcome;
    int32_t *solutions; // branches, in the order found
    int32_t best_branch;
    int64_t best_step; // steps into best_branch
    cri_arena arena;   // of everything but the tree
};

// Make the pool, and end it.
cr_status cri_pool_create(cr_planner *planner, int threads, cr_report *report);
void cri_pool_free(cri_pool *pool);

// Run all attempts of the round, on all threads.
void cri_pool_run(cri_pool *pool);

// Run attempts, lane by lane, until the round has no more: run.c.
void cri_worker_run(cri_worker *worker);

double cri_seconds(void);

#endif
