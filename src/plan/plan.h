// The inside of a plan: for each branch of each solution, what was decided at its beginning.
#ifndef CRI_PLAN_H
#define CRI_PLAN_H

#include "behavior/behavior.h"
#include "carom/plan.h"

typedef struct cri_plan_branch {
    int64_t attempt, steps;
    cri_sample sample;
    uint64_t hash; // of the state at its end
    int choice_count;
    cri_choice *choices;
} cri_plan_branch;

typedef struct cri_plan_solution {
    cr_solution info;
    int64_t attempt; // that reached it
    cri_plan_branch *branches;
} cri_plan_solution;

struct cr_plan {
    cri_arena arena;
    cr_model *owned; // the model of a plan that was read; NULL if the caller's is used
    const cr_model *model;
    const cr_library *library;
    cr_planner_def def;
    cr_outcome outcome;
    int64_t nodes, steps, attempts;
    uint64_t tree_hash;
    const char *repeat;
    int solution_count;
    cri_plan_solution *solutions;
};

// Tells what begins from what goes on, while a plan is stepped through from its start.
typedef struct cri_events {
    const cr_model *model;
    int32_t *skills; // per Tactic: its Skill in the step before; -1 before the first
    int64_t *last;   // per pair: the last step in which it touched
    cr_event *items; // of the present step
    int count;
} cri_events;

// Free it also after a failure.
cr_status cri_events_create(const cr_model *model, cri_events *events, cr_report *report);
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
} cri_measure;

cri_measure cri_measure_begin(const cr_model *model);
void cri_measure_step(cri_measure *measure, const cr_replay_step *step);

// A world in which a solution is stepped through again.
typedef struct cri_replay {
    const cr_model *model;
    bool free_tactics;
    cr_engine *engine;
    cr_state *state, *next;
    cr_action *actions;
    cr_contact *contacts;
    cri_events events;
    cri_measure measure;
    cr_replay_function show;
    void *context;
    int64_t branch; // being replayed
    bool retraces;  // a tree: branches that do not follow each other are not measured
    bool stopped;   // show asked to stop
} cri_replay;

// What a replay needs to know.
typedef struct cri_replay_def {
    const cr_model *model;
    const cr_library *library;
    const cr_planner_def *def;
    cr_replay_function show; // may be NULL
    void *context;
} cri_replay_def;

// At the model's start. Free it also after a failure.
cr_status cri_replay_create(const cri_replay_def *def, cri_replay *replay, cr_report *report);
void cri_replay_free(cri_replay *replay);

// Step through one branch. Fails with CR_ERR_REPLAY if it dies on the way.
cr_status cri_replay_branch(cri_replay *replay, const cri_plan_branch *branch, cr_report *report);

// Order solutions, best first.
void cri_rank(cri_plan_solution *solutions, int count, const cr_planner_def *def);

#endif
