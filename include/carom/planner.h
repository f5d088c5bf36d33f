/// @file planner.h
/// The search: a tree of simulated futures, grown branch by branch until one of them reaches the
/// goal.
///
///     select a decision -> act (Tactics and Skills) -> step (engine) -> validate (rules) -> keep
///     the branch
///
/// The tree depends on the model and the def alone, but for threads: same seed, same bytes.
///
/// Threads: a planner is used by one thread at a time; while it grows it starts threads of its own
/// and waits for them. Between two slices it may be asked, and plans be taken from it, by many at
/// once.
#ifndef CAROM_PLANNER_H
#define CAROM_PLANNER_H

#include "library.h"

#ifdef __cplusplus
extern "C" {
#endif

/// Which states a tree may grow from.
typedef enum cr_grow_from {
    CR_GROW_DECISIONS = 0, ///< those where somebody draws: elsewhere there is one future only
    CR_GROW_FREE = 1,      ///< those where no controlled body's Tactic is busy, as published
} cr_grow_from;

/// Who chooses what the Tactics of foreign bodies draw.
typedef enum cr_chance {
    CR_CHANCE_PLANNER = 0, ///< the search: it grows from their decisions, and so picks their luck
    CR_CHANCE_NATURE = 1,  ///< nobody: they draw as a branch runs, and it does not end there
} cr_chance;

/// How foreign bodies go on in the worlds of a search.
typedef enum cr_predict {
    CR_PREDICT_TACTICS = 0, ///< as their Tactics say
    CR_PREDICT_LINEAR = 1, ///< as they move at the root: what is known of bodies that are only seen
} cr_predict;

/// Settings of a planner. Each field is a row of the parameter table, where its range and default
/// are.
typedef struct cr_planner_def {
    /// How steps are computed and how the decision to grow from is chosen: names of an engine and
    /// of a select, owned by the library.
    const char *engine, *select;
    double mu;        ///< bgt: wanted ratio of mean leaf depth to mean branching factor
    double bgt_share; ///< hybrid: share of bgt choices
    uint64_t seed;    ///< names the random streams
    int64_t nodes;    ///< most nodes in the tree; memory is set aside for them
    int64_t steps;    ///< most steps simulated; 0: twice the nodes
    int64_t attempts; ///< most attempts; 0: no limit
    double horizon;   ///< s from the root; a branch that gets there ends
    double t_lod;     ///< s; VLOD: what begins so long after the root is looked at with the model's
                      ///< far mask, unless the root has one. 0: all in full detail
    int64_t longest;  ///< steps of a branch behind which Skills that are still busy are over
    int round;        ///< attempts that are made side by side
    int solutions;    ///< goals to reach before the search counts as solved
    const char *rank; ///< how several solutions are ordered; a name, as above
    double weight_score, weight_time, weight_curvature, weight_contacts; ///< for rank sum
    bool keep_dead; ///< keep the valid prefix of branches that broke a rule (no RollBack)
    cr_grow_from grow_from;
    cr_chance chance;
    cr_predict predict;
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
    int64_t nodes;     ///< kept steps, the root included
    int64_t decisions; ///< states to grow from
    int64_t steps;     ///< simulated, those of dead branches too
    int64_t attempts;
    int64_t dead_rule;   ///< branches that broke a rule
    int64_t dead_engine; ///< branches that blew up
    cr_fault fault;      ///< why the last of these did
    int fault_body;      ///< and which body is the cause, or -1
    int64_t ended;       ///< branches that ended for good: `end` Skill or horizon
    int solutions;       ///< goals reached
    double best_score;   ///< of any node; -HUGE_VAL without a score
    double seconds;      ///< in cr_planner_grow
    double select_seconds, behavior_seconds, engine_seconds; ///< summed over threads
    uint64_t tree_hash;
    size_t bytes; ///< memory set aside
} cr_planner_stats;

/// Where a search starts. The scene's start is one such value, a measured state another (state.h
/// sets bodies), a state of the last plan a third. Time goes on from state->step: `after`, scores
/// by time and Skills that follow the clock look at it. Horizon and limits count from the root.
typedef struct cr_root {
    const cr_state *state; ///< of the planner's model. NULL: the scene's start. default NULL
    const uint64_t *mask;  ///< far ahead: a bit for each pair that may collide there, by
                           ///< cr_model_pair, 64 a word; the others pass through each other and
                           ///< are not reported. NULL: all may collide. default NULL
    double t_lod;          ///< s, >= 0: what begins so long after the root is far ahead. default 0
    const int64_t
        *first;      ///< attempts of an earlier search of the same seed, whose choices are
                     ///< tried first: one after the other, from the root on, for as long as
                     ///< they lead to decisions. Neither view nor plan shows them. default NULL
    int first_count; ///< of these; at most CR_ROOT_FIRST_MAX are tried. default 0
} cr_root;

/// The most choices that are tried first.
#define CR_ROOT_FIRST_MAX 64

/// The scene's start.
CR_API cr_root cr_default_root(void);

typedef struct cr_planner cr_planner;

/// Report everything that speaks against a search, each error with its place in the scene: settings
/// out of range, a horizon shorter than a step, a start that breaks a rule, which cr_planner_create
/// refuses too; and a scene without a goal or score, or without a Tactic, or whose goal waits for
/// longer than the horizon, which can be grown and simulated, but to no purpose. `carom plan` and
/// `carom check` ask here.
CR_API cr_status cr_planner_check(const cr_model *model, const cr_planner_def *def,
                                  cr_report *report);

/// Create a planner with its tree's memory set aside, at the scene's start. The model must outlive
/// it.
CR_API cr_status cr_planner_create(const cr_model *model, const cr_planner_def *def,
                                   cr_planner **planner, cr_report *report);

/// Free it; NULL is allowed.
CR_API void cr_planner_destroy(cr_planner *planner);

/// Forget the tree and begin another one at a root; NULL: the scene's start. Memory is kept and
/// nothing is allocated; all counts begin again. The tree is the one that a new planner grows from
/// there. The root is copied; it may be a state of the old tree. Fails with CR_ERR_RANGE, and
/// changes nothing, if it breaks a rule or its state is none of the model's: numbers that are not
/// finite, a rotation that is not of length 1, a Skill that its Tactic does not have.
CR_API cr_status cr_planner_restart(cr_planner *planner, const cr_root *root, cr_report *report);

/// Make the end of a branch the root, and keep what was grown below it: for a plan that is executed
/// up to there, in a world that is where it should be. Solutions below it stay solutions; what the
/// old horizon ended stays ended. Attempts are counted anew, but numbered on; those under way are
/// given up. Allocates nothing. branch: 0 .. cr_planner_branch_count-1. Fails as
/// cr_planner_restart does, where a select of one's own cannot begin anew.
CR_API cr_status cr_planner_reroot(cr_planner *planner, int64_t branch, cr_report *report);

/// The root of the tree. What it points to belongs to the planner.
CR_API cr_root cr_planner_root(const cr_planner *planner);

/// Grow the tree. Branches under way wait for the next slice: a search cut into slices grows the
/// same tree.
CR_API cr_outcome cr_planner_grow(cr_planner *planner, const cr_slice *slice);

/// How the search stands.
CR_API cr_planner_stats cr_planner_get_stats(const cr_planner *planner);

/// The settings it was created with.
CR_API const cr_planner_def *cr_planner_get_def(const cr_planner *planner);

// ---------------------------------------------------------------------------------------------
// The tree, for pictures and statistics. Branch 0 is the root and has no steps.

typedef struct cr_branch {
    int64_t parent;   ///< branch at whose end it starts; -1 for the root
    int64_t attempt;  ///< that grew it
    int64_t steps;    ///< its length
    int64_t depth;    ///< steps from the root to its end
    bool ended;       ///< cannot be grown from
    bool goal;        ///< its end reaches the goal
    bool cut;         ///< it ended because the search had no more steps
    int64_t children; ///< kept branches that start at its end
} cr_branch;

/// The branches in the order they were added.
CR_API int64_t cr_planner_branch_count(const cr_planner *planner);
CR_API cr_branch cr_planner_branch(const cr_planner *planner, int64_t branch);

/// Of the best future so far, the branch that step `step` of it lies in, counted from 1 at the
/// root; behind its end, the last one. The best future is the solution that scores best, of equal
/// ones the first; without solutions what cr_planner_stats.best_score is the score of. -1: there is
/// none, or it is the root. With step 1 it is what to re-root at once it is executed. Takes as long
/// as the future has branches, and there are solutions.
CR_API int64_t cr_planner_best(const cr_planner *planner, int64_t step);

/// An attempt that died, and why: it broke a rule or blew up.
typedef struct cr_death {
    int64_t parent;  ///< branch at whose end it started
    int64_t attempt; ///< that died
    int64_t steps; ///< that can be shown: the one that breaks a rule too, not the one that blows up
    int64_t branches; ///< that the tree had when it died
    const char *rule; ///< that it broke, as in the scene; NULL: it blew up
    cr_fault fault;   ///< why it did that
    int fault_body;   ///< and which body is the cause, or -1
} cr_death;

/// The deaths that are noted for pictures, in the order in which they happened: all, up to
/// CR_DEATHS_MAX, and of more every second, fourth, ... of the whole search, so that they are
/// spread over it. cr_planner_stats counts them all.
#define CR_DEATHS_MAX 512
CR_API int64_t cr_planner_death_count(const cr_planner *planner);
CR_API cr_death cr_planner_death(const cr_planner *planner, int64_t death);

/// The state at a branch's end.
CR_API const cr_state *cr_planner_state(const cr_planner *planner, int64_t branch);

// ---------------------------------------------------------------------------------------------
// The parameter table: scene files (`plan:`), --set, documentation and range checks all read it.

typedef struct cr_parameter {
    const char *name;
    const char *type; ///< "number", "count", "flag", "name"
    const char *unit; ///< for flags the words, "false|true"; for names the sort of what is named in
                      ///< a library: "engine", "select" or "rank"
    double min, max;
    const char *fallback; ///< the default, as text
    const char *about;
} cr_parameter;

/// The rows of the table; at: 0 .. count-1.
CR_API int cr_parameter_count(void);
CR_API const cr_parameter *cr_parameter_at(int index);

/// The words that may stand for a parameter, "uniform|rrt|bgt": the names in a library (NULL: the
/// built-in ones), or "false|true"; cut where they do not fit. Empty for numbers. Returns text.
CR_API const char *cr_parameter_words(int index, const cr_library *library, char *text,
                                      size_t size);

#ifdef __cplusplus
}
#endif

#endif
