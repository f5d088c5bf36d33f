// The inside of a planner: a tree, attempts under way, and workers that run them.
#ifndef CRI_PLANNER_H
#define CRI_PLANNER_H

#include <pthread.h>
#include <stdatomic.h>

#include "plan/growth.h"
#include "plan/root.h"
#include "plan/select.h"

// How a branch came to its end.
typedef enum cri_ending {
    CRI_END_NONE,     // still running
    CRI_END_DECISION, // a state to grow from
    CRI_END_GOAL,
    CRI_END_FINAL,  // `end` Skill or horizon: kept, not grown from
    CRI_END_RULE,   // a rule was broken
    CRI_END_ENGINE, // the world blew up
    CRI_END_CUT,    // the steps are used up
} cri_ending;

// One attempt, and the branch that it grows.
typedef struct cri_attempt {
    int64_t number; // from 1, in the order of selection
    int32_t parent;
    bool leads; // it makes a choice that is tried first
    cr_sample sample;
    cr_rng rng;
    cri_ending ending;
    int64_t steps_left; // the search's when it was selected: no longer branch can be kept
    int64_t steps;      // simulated
    int64_t kept;       // of these, the ones before a rule was broken
    const char *rule;   // CRI_END_RULE: which one
    cr_fault fault;     // CRI_END_ENGINE
    int fault_body;
    double best_score;
    int64_t best_step; // steps into the branch
    cr_state *state;   // the last valid state
} cri_attempt;

// Attempts that broke a rule or blew up: one in `every` is noted. When the list is full, every
// second one is forgotten, so that those left are spread over the whole search.
typedef struct cri_deaths {
    cr_death *items; // CR_DEATHS_MAX
    int64_t count, seen, every;
    cr_death last; // noted or not; attempt 0: there was none
} cri_deaths;

// Choices that are tried first: attempts[at] from the branch `from` on, once that is kept.
typedef struct cri_lead {
    int64_t attempts[CR_ROOT_FIRST_MAX];
    int count, at;
    int32_t from; // -1: an attempt is under way
} cri_lead;

typedef enum cri_phase {
    CRI_RUNNER_FREE,    // without an attempt: nothing to grow from
    CRI_RUNNER_READY,   // to be run on
    CRI_RUNNER_RUNNING, // with a worker, who alone touches it
    CRI_RUNNER_ENDED,   // its branch waits to be kept
} cri_phase;

// What one thread writes is kept a cache line apart from what another reads or writes.
typedef struct cri_gap {
    char bytes[64];
} cri_gap;

// A runner runs one attempt after the other, a step a tick of its clock.
typedef struct cri_runner {
    bool fresh; // the branch is still to be opened
    cri_attempt attempt;
    cr_action *actions;
    int contacts;     // pairs that touched in its last step
    uint64_t touches; // what touches what: worlds that are alike are stepped together
    cr_state *next; // where the engine writes; changes places with the attempt's state at each step
    cri_gap gap;
} cri_runner;

// What workers know of each other's runners. It is apart from the runners, so that looking for work
// does not take memory from under a worker that runs.
typedef struct cri_entry {
    int64_t clock;
    cri_phase phase;
    int worker; // the last one to run it
} cri_entry;

// How many batches of the engine's a worker steps in turn, so that it can choose who shares one.
enum { CRI_WORKER_BATCHES = 2 };

// What one thread needs to run branches: an engine, and the runners that it steps together.
typedef struct cri_worker {
    struct cr_planner *planner;
    cr_engine *engine;
    cri_runner **runners;
    int *numbers; // of these runners
    cr_step *batch;
    int runner_count, runner_max;
    int lanes;   // worlds that the engine steps at once
    int ticks;   // that it ran its runners for in this turn
    int64_t due; // tick at which a branch of its own ended that waits to be kept
    pthread_t thread;
    double behavior_seconds, engine_seconds;
    double turn_seconds; // that its last turn took
    cri_gap gap;
    atomic_llong behind; // the least clock of its runners, seen by the others as it goes on
    cri_gap second_gap;
} cri_worker;

typedef struct cri_crew {
    int count; // workers; the first runs on the caller's thread
    cri_worker *workers;
    pthread_mutex_t lock; // of the tree, the selection, the board, and of what follows
    pthread_cond_t work;  // something to do: attempts to run, or quit
    pthread_cond_t idle;  // no worker runs any more
    int busy;             // threads that run branches, but for the caller's
    int waiting;          // threads that wait for work
    bool away;            // the caller's thread is one of them
    bool quit;
    int started;          // threads to join
    bool ready;           // lock and conditions exist
    atomic_bool paused;   // workers stop after their present step
    _Atomic double asked; // when the caller's thread last saw whether the slice goes on
    atomic_int held;      // threads that wait for it to ask again
} cri_crew;

struct cr_planner {
    const cr_model *model;
    cr_planner_def def;
    cri_root root;
    int64_t step_limit;
    int64_t end_step;    // of states: the horizon, counted from the root
    cri_runner *runners; // def.round of them
    cri_entry *board;    // an entry a runner
    cri_gap gap;         // what comes before it is not written as branches run
    cri_tree tree;
    cr_selection selection;
    cri_crew crew;
    int64_t selected; // attempts so far
    int64_t numbered; // before the first of these: their numbers go on from it
    cri_lead lead;
    int64_t tick;          // of the clocks, at which the last branch was kept
    const cr_slice *slice; // the present one
    double slice_begin;
    bool stopped;     // by the slice's stop function
    int64_t pause_at; // kept attempts at which the slice ends
    cr_planner_stats stats;
    cr_outcome outcome;
    int32_t *solutions; // branches, in the order found
    int32_t best_branch;
    int64_t best_step; // steps into best_branch
    cri_deaths deaths;
    cri_arena arena; // of everything but the tree
};

// What a planner cannot be made with: the part of cr_planner_check without which it makes no sense
// to grow a tree. check.c.
cr_status cri_planner_check(const cr_model *model, const cr_planner_def *def, cr_report *report);

// Report the rules that a root breaks; NULL: the scene's start. CR_ERR_RANGE if there is one.
cr_status cri_check_rules(const cr_model *model, const cr_state *root, cr_report *report);

// The horizon in steps.
int64_t cri_horizon_steps(const cr_model *model, const cr_planner_def *def);

// ---------------------------------------------------------------------------------------------
// The thread through a search: cr_planner_grow (planner.c) -> cri_crew_run (crew.c) -> cri_grow
// (grow.c) -> cri_run (run.c) -> cr_engine_step.

// Run the loop on all threads until the search pauses.
void cri_crew_run(cri_crew *crew);

// The loop, as one worker runs it: select, run, keep, until the search pauses. grow.c.
void cri_grow(cri_worker *worker);

// Run the branches of the worker's runners for a few steps. run.c.
void cri_run(cri_worker *worker);

// Pause the crew if the slice's clock says so, or, on the caller's thread, its stop function.
void cri_ask_slice(const cri_worker *worker);

// ---------------------------------------------------------------------------------------------
// With the lock held.

// As if nothing had been grown yet, but for the tree and its root.
void cri_planner_forget(cr_planner *planner);

// Select for all runners that are free, as far as there is something to grow from. Their clocks go
// on from this tick.
void cri_planner_select(cr_planner *planner, int64_t tick);

// Take the runners whose turn it is; false if there is none. board.c.
bool cri_runners_take(cri_worker *worker);

// Give the worker's runners back, with the ticks that they have run.
void cri_runners_return(cri_worker *worker);

// Wake the threads that wait for work.
void cri_crew_wake(cri_crew *crew);

// Let all workers stop after their present turn.
void cri_crew_pause(cri_crew *crew);

// Wait until there may be work.
void cri_crew_wait(cri_crew *crew);

// Wait for work as one of those who run branches.
void cri_crew_rest(cri_worker *worker);

// True if the worker would go on for too long without anybody having asked the caller.
bool cri_crew_is_unasked(const cri_worker *worker);

// Wait until somebody has.
void cri_crew_hold(cri_worker *worker);

// ---------------------------------------------------------------------------------------------

// Make the crew, and end it.
cr_status cri_crew_create(cr_planner *planner, int threads, cr_report *report);
void cri_crew_free(cri_crew *crew);

// The caller's thread has asked whether the slice goes on. Takes the lock where others wait for it.
void cri_crew_asked(cri_crew *crew);

// Take the crew's lock, and leave it.
void cri_crew_lock(cri_crew *crew);
void cri_crew_unlock(cri_crew *crew);

double cri_seconds(void);

#endif
