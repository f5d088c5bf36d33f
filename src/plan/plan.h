// The inside of a plan: for each branch of each solution, what was decided at its beginning.
#ifndef CRI_PLAN_H
#define CRI_PLAN_H

#include "behavior/behavior.h"
#include "carom/plan.h"
#include "carom/rank.h"
#include "plan/root.h"
#include "plan/tree.h"

// The most steps of one solution: more than nine hours at 60 steps a second.
enum { CRI_PLAN_STEPS_MAX = 2000000 };

typedef struct cri_plan_branch {
    int64_t attempt, steps;
    cr_sample sample;
    uint64_t hash; // of the state at its end
    int choice_count;
    cri_choice *choices;
} cri_plan_branch;

typedef struct cri_plan_solution {
    cr_solution info;
    int64_t attempt; // that reached it
    cri_plan_branch *branches;
    // While the plan is made: the branch of the tree that it ends with, and what its rank says.
    int32_t last;
    double worth, measures[CR_RANK_MEASURES_MAX];
} cri_plan_solution;

struct cr_plan {
    cri_arena arena;
    cr_model *owned; // the model of a plan that was read; NULL if the caller's is used
    const cr_model *model;
    cr_planner_def def;
    cri_root root;
    cr_outcome outcome;
    int64_t nodes, steps, attempts;
    uint64_t tree_hash;
    const char *repeat;
    int solution_count, left_out;
    cri_plan_solution *solutions;
};

// ---------------------------------------------------------------------------------------------
// Making a plan: plan.c. All return CR_OK or CR_ERR_MEMORY unless they take a report.

// The last branch of a future, and the decision that it starts at; the others follow from the
// tree. parent -1: the root alone.
typedef struct cri_trail {
    int32_t parent;
    int64_t attempt, steps;
} cri_trail;

// A plan of a search, without solutions. Free it also after a failure.
cr_status cri_plan_begin(const cr_planner *planner, cr_outcome outcome, cr_plan **plan);

// The arguments that make it again, once all else but the solutions is known; more: further ones,
// each after a space.
cr_status cri_plan_repeat(cr_plan *plan, const char *more);

// The branches from the root on, with what was decided at the beginning of each and the hash at its
// end: all of it is run again, measured, and must end as info.end says. A rule that it breaks is
// noted where that is CR_END_RULE. trace.c.
cr_status cri_plan_trace(cr_plan *plan, const cri_tree *tree, const cri_trail *trail,
                         cri_plan_solution *solution, cr_report *report);

// Branches as they become known; zero at first, and items to be freed.
typedef struct cri_branches {
    cri_plan_branch *items;
    int count, capacity;
} cri_branches;

// One more, zero, or NULL.
cri_plan_branch *cri_branches_add(cri_branches *list);

// Let the solution have them, in the plan's memory.
cr_status cri_branches_give(const cri_branches *list, cr_plan *plan, cri_plan_solution *solution);

// The stream of an attempt, behind the draws of its sample.
cr_rng cri_attempt_stream(const cr_model *model, const cr_planner_def *def, int64_t attempt,
                          cr_sample *sample);

// What the Tactics decide in the state at the beginning of a branch, whose sample is known, with
// the stream where it stands. scratch and actions are room for one state and its actions.
cr_status cri_find_choices(cr_plan *plan, const cr_state *parent, cr_rng *rng,
                           cri_plan_branch *branch, cr_state *scratch, cr_action *actions);

// ---------------------------------------------------------------------------------------------
// Replay: replay.c.

// Tells what begins from what goes on, while a plan is stepped through from its root.
typedef struct cri_events {
    const cr_model *model;
    int64_t root_step;  // of the root's state: events count from it
    int32_t *skills;    // per Tactic: its Skill in the step before; -1 before the first
    int64_t touch_step; // the last step that was looked at,
    int touch_count;
    uint64_t *touching; // and the pairs that touched in it, sorted
    cr_event *items;    // of the present step
    int count;
} cri_events;

// Free it also after a failure.
cr_status cri_events_create(const cr_model *model, int64_t root_step, cri_events *events,
                            cr_report *report);
void cri_events_free(cri_events *events);

// Find what begins in the step that led to `state`.
void cri_events_step(cri_events *events, const cr_state *state, const cr_contact *contacts,
                     int contact_count);

// What ranking looks at, taken while a solution is replayed.
typedef struct cri_measure {
    const cr_model *model;
    int body; // whose path is measured, or -1
    cr_vec3 way;
    bool moving;
    double turning;
    int contacts;
    const cr_rank_type *rank; // that looks on, or NULL
    double values[CR_RANK_MEASURES_MAX];
} cri_measure;

cri_measure cri_measure_begin(const cr_model *model);
void cri_measure_step(cri_measure *measure, const cr_replay_step *step);

// A world in which a solution is stepped through again.
typedef struct cri_replay {
    const cr_model *model;
    const cri_root *root;
    const cr_planner_def *def;
    cr_engine *engine;
    cr_state *state, *next;
    cr_action *actions;
    cr_contact *contacts;
    cri_events events;
    cri_measure measure;
    cr_replay_function show;
    void *context;
    int64_t branch;         // being replayed
    bool retraces;          // a tree: branches that do not follow each other are not measured
    bool stopped;           // show asked to stop
    bool notes_rules;       // a broken rule is noted, and no failure
    int64_t steps;          // so far
    int64_t attempt;        // whose branch is being replayed: a branch of the search ...
    int64_t since;          // ... and its steps so far
    const cri_rule *broken; // the first rule that was broken, and the step that did it
    int64_t broken_step;
    cr_fault fault; // of the last step
    int fault_body;
} cri_replay;

// What a replay needs to know.
typedef struct cri_replay_def {
    const cr_model *model;
    const cr_planner_def *def;
    const cri_root *root;
    cr_replay_function show; // may be NULL
    void *context;
} cri_replay_def;

// At the root. Free it also after a failure.
cr_status cri_replay_create(const cri_replay_def *def, cri_replay *replay, cr_report *report);
void cri_replay_free(cri_replay *replay);

// One step, with the decisions of the source. CR_END_OPEN: it goes on; CR_END_RULE: also, but a
// rule is broken; CR_END_SKILL and CR_END_ENGINE: there was no step, and the state is to be left
// alone.
cr_end cri_replay_step(cri_replay *replay, const cri_source *source);

// The steps to come are of this attempt.
void cri_replay_attempt(cri_replay *replay, int64_t attempt);

// Look at the state before the first step, and show it.
void cri_replay_start(cri_replay *replay);

// Step on with the choices of a branch until somebody else decides, for at most so many steps,
// which become the branch's.
cr_status cri_replay_on(cri_replay *replay, cri_plan_branch *branch, int64_t most,
                        cr_report *report);

// Step through one branch. Fails with CR_ERR_REPLAY if it dies on the way.
cr_status cri_replay_branch(cri_replay *replay, const cri_plan_branch *branch, cr_report *report);

// See that it ends as the solution says, all branches being stepped through. The state is lost.
cr_status cri_replay_end(cri_replay *replay, const cri_plan_solution *solution, cr_report *report);

// Why a world blew up, as the rest of a sentence: ": body "crate" is faster than 1000 m/s"; nothing
// where that is not known. Returns text.
enum { CRI_FAULT_TEXT = 200 };
const char *cri_fault_print(const cr_model *model, cr_fault fault, int body,
                            char text[CRI_FAULT_TEXT]);

// Order solutions, best first.
void cri_rank(const cr_plan *plan, cri_plan_solution *solutions, int count);

#endif
