/// @file planner.h
/// The search: a tree of simulated futures, grown branch by branch until one of them reaches the
/// goal.
///
///     select a decision -> act (Tactics and Skills) -> step (engine) -> validate (rules) -> keep
///     the branch
///
/// The tree depends on the model and the def alone, but for threads: same seed, same bytes.
#ifndef CAROM_PLANNER_H
#define CAROM_PLANNER_H

#include "library.h"

#ifdef __cplusplus
extern "C" {
#endif

/// How the decision to grow from is chosen.
typedef enum cr_select {
    CR_SELECT_UNIFORM, ///< any decision, all alike (003, algorithm 1)
    CR_SELECT_RRT,     ///< the nearest to a sample (003, algorithm 5)
    CR_SELECT_BGT,     ///< balance depth and breadth (003, algorithm 9)
    CR_SELECT_HYBRID,  ///< bgt with probability bgt_share, else rrt (003, 5.5.3)
} cr_select;

/// The word for it, as in scenes: "bgt".
CR_API const char *cr_select_name(cr_select select);

/// What makes one solution better than another (003, 5.5.2). Ties go to the sooner one, then to the
/// one found earlier.
typedef enum cr_rank {
    CR_RANK_SCORE,     ///< larger score
    CR_RANK_TIME,      ///< sooner
    CR_RANK_CURVATURE, ///< less turning of the path of the sampled body, or of the first controlled
                       ///< one
    CR_RANK_CONTACTS,  ///< fewer contacts between bodies other than planes
    CR_RANK_SUM,       ///< larger weighted sum: weight_score x score - weight_time x seconds - ...
} cr_rank;

/// The word for it, as in scenes: "score".
CR_API const char *cr_rank_name(cr_rank rank);

/// Settings of a planner. Each field is a row of the parameter table, where its range and default
/// are.
typedef struct cr_planner_def {
    const char *engine; ///< name of the engine; owned by the model or library
    cr_select select;
    double mu;        ///< bgt: wanted ratio of mean leaf depth to mean branching factor
    double bgt_share; ///< hybrid: share of bgt choices
    uint64_t seed;    ///< names the random streams
    int64_t nodes;    ///< most nodes in the tree; memory is set aside for them
    int64_t steps;    ///< most steps simulated; 0: twice the nodes
    int64_t attempts; ///< most attempts; 0: no limit
    double horizon;   ///< s; a branch that gets there ends
    int64_t longest;  ///< steps; a branch that gets that long ends
    int round;        ///< lanes that run attempts side by side
    int solutions;    ///< goals to reach before the search counts as solved
    cr_rank rank;     ///< how several solutions are ordered
    double weight_score, weight_time, weight_curvature, weight_contacts; ///< for CR_RANK_SUM
    bool keep_dead;    ///< keep the valid prefix of branches that broke a rule (no RollBack)
    bool free_tactics; ///< controlled bodies: any Skill may follow any Skill (003, 6.2.4)
    int threads;       ///< 0: as many as there are cores. Changes nothing but time
} cr_planner_def;

/// The settings that the model's scene asks for in `plan:` and by cr_scene_set.
CR_API cr_planner_def cr_model_planner_def(const cr_model *model);

/// Why the search stands where it stands.
typedef enum cr_outcome {
    CR_OUTCOME_GROWING,   ///< the slice is used up, the limits are not
    CR_OUTCOME_SOLVED,    ///< as many goals as asked for are reached
    CR_OUTCOME_BEST,      ///< a scene with a score and no goal: the limits are reached, the best is
                          ///< known
    CR_OUTCOME_FULL,      ///< the tree has as many nodes as allowed
    CR_OUTCOME_STEPS,     ///< as many steps as allowed were simulated
    CR_OUTCOME_ATTEMPTS,  ///< as many attempts as allowed were made
    CR_OUTCOME_EXHAUSTED, ///< no decision is left to grow from
    CR_OUTCOME_SECONDS,   ///< the slice's time is up (command line only: a limit in seconds)
    CR_OUTCOME_STOPPED,   ///< the slice's stop function said so
    CR_OUTCOME_SIMULATED, ///< no search: one future by seed (cr_plan_simulate)
} cr_outcome;

/// The word for it: "solved".
CR_API const char *cr_outcome_name(cr_outcome outcome);

/// How long to grow before returning. All zero: until the limits are reached.
typedef struct cr_slice {
    int64_t attempts;            ///< return once this many more attempts were made; 0: no limit
    double seconds;              ///< return after this time; 0: no limit
    bool (*stop)(void *context); ///< asked every few steps, on this thread; NULL: never
    void *context;
} cr_slice;

/// Counts so far. Those of a finished search do not depend on threads, but for the seconds.
typedef struct cr_planner_stats {
    int64_t nodes;     ///< kept steps, the start state included
    int64_t decisions; ///< states to grow from
    int64_t steps;     ///< simulated, those of dead branches too
    int64_t attempts;
    int64_t dead_rule;   ///< branches that broke a rule
    int64_t dead_engine; ///< branches that blew up
    cr_fault fault;      ///< why the last of these did
    int fault_body;      ///< and which body is the cause, or -1
    int64_t ended;       ///< branches that ended for good: `end` Skill, horizon or longest branch
    int solutions;       ///< goals reached
    double best_score;   ///< of any node; -HUGE_VAL without a score
    double seconds;      ///< in cr_planner_grow
    double select_seconds, behavior_seconds, engine_seconds; ///< summed over threads
    uint64_t tree_hash;
    size_t bytes; ///< memory set aside
} cr_planner_stats;

typedef struct cr_planner cr_planner;

/// Report everything that speaks against a search, each error with its place in the scene: settings
/// out of range, a horizon shorter than a step, a start that breaks a rule, which cr_planner_create
/// refuses too; and a scene without a goal or score, or without a Tactic, or whose goal waits for
/// longer than the horizon, which can be grown and simulated, but to no purpose. `carom plan` and
/// `carom check` ask here.
CR_API cr_status cr_planner_check(const cr_model *model, const cr_planner_def *def,
                                  cr_report *report);

/// Create a planner with its tree's memory set aside. The model must outlive it.
CR_API cr_status cr_planner_create(const cr_model *model, const cr_planner_def *def,
                                   cr_planner **planner, cr_report *report);

/// Free it; NULL is allowed.
CR_API void cr_planner_destroy(cr_planner *planner);

/// Grow the tree. Branches under way wait for the next slice: a search cut into slices grows the
/// same tree.
CR_API cr_outcome cr_planner_grow(cr_planner *planner, const cr_slice *slice);

/// How the search stands.
CR_API cr_planner_stats cr_planner_get_stats(const cr_planner *planner);

/// The settings it was created with.
CR_API const cr_planner_def *cr_planner_get_def(const cr_planner *planner);

// ---------------------------------------------------------------------------------------------
// The tree, for pictures and statistics. Branch 0 is the start and has no steps.

typedef struct cr_branch {
    int64_t parent;  ///< branch at whose end it starts; -1 for the start
    int64_t attempt; ///< that grew it
    int64_t steps;   ///< its length
    int64_t depth;   ///< steps from the start to its end
    bool ended;      ///< cannot be grown from
    bool goal;       ///< its end reaches the goal
} cr_branch;

/// The branches in the order they were added.
CR_API int64_t cr_planner_branch_count(const cr_planner *planner);
CR_API cr_branch cr_planner_branch(const cr_planner *planner, int64_t branch);

/// The state at a branch's end.
CR_API const cr_state *cr_planner_state(const cr_planner *planner, int64_t branch);

// ---------------------------------------------------------------------------------------------
// The parameter table: scene files (`plan:`), --set, documentation and range checks all read it.

typedef struct cr_parameter {
    const char *name;
    const char *type; ///< "number", "count", "flag", "choice", "name" (of an engine)
    const char *unit; ///< or the words of a choice: "uniform|rrt|bgt|hybrid"
    double min, max;
    const char *fallback; ///< the default, as text
    const char *about;
} cr_parameter;

/// The rows of the table; at: 0 .. count-1.
CR_API int cr_parameter_count(void);
CR_API const cr_parameter *cr_parameter_at(int index);

#ifdef __cplusplus
}
#endif

#endif
