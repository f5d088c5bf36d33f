/// @file plan.h
/// A plan is what a search found: scene, settings and, per branch, what was decided. States and
/// actions are derived by replay, which must reach the recorded hash. The file is JSON;
/// docs/plan-format.md draws it.
///
/// Threads: a plan never changes once it is made: any number of threads may replay it at once.
#ifndef CAROM_PLAN_H
#define CAROM_PLAN_H

#include "planner.h"
#include "playback.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef struct cr_plan cr_plan;

/// The largest plan file that is read, in bytes.
#define CR_PLAN_MAX_BYTES (64 << 20)

/// Take the plan from a search: its solutions, best first (cr_planner_def.rank), or the
/// best-scoring future if it has none. *plan is NULL with CR_OK when there is neither. outcome:
/// what the last cr_planner_grow returned.
CR_API cr_status cr_plan_create(const cr_planner *planner, cr_outcome outcome, cr_plan **plan,
                                cr_report *report);

/// As cr_plan_create, with an end to the work: every solution is replayed once, and a search may
/// have thousands. Those that the tree tells to be the better ones come first, at least one of
/// them; what is left when the seconds are over is left out, and cr_plan_left_out counts it. 0: no
/// limit.
CR_API cr_status cr_plan_create_within(const cr_planner *planner, cr_outcome outcome,
                                       double seconds, cr_plan **plan, cr_report *report);

/// The first steps of the best future (cr_planner_best), or all of it, if it is not longer: what a
/// robot executes that plans again soon. Nothing behind them is replayed, so what it takes grows
/// neither with the future nor with the number of solutions. *plan is NULL with CR_OK when there is
/// none. steps: >= 1.
CR_API cr_status cr_plan_create_prefix(const cr_planner *planner, cr_outcome outcome, int64_t steps,
                                       cr_plan **plan, cr_report *report);

/// The plan of a search without a solution, so that one can see what goes wrong: a future that is
/// no solution (cr_solution.end says how it ends). Where a score was better than the start's it is
/// that one, as in cr_plan_create; else the last one that broke a rule or blew up; else the
/// longest. With a score that nothing raises, it is the one that ends with the best score.
CR_API cr_status cr_plan_create_failed(const cr_planner *planner, cr_outcome outcome,
                                       cr_plan **plan, cr_report *report);

/// What ends a simulation, beside its time, a Skill `end` and a world that blows up.
typedef struct cr_simulate_def {
    double seconds;              ///< simulated; 0: the def's horizon. default 0
    bool past_goal;              ///< go on behind a reached goal. default false
    bool past_rule;              ///< go on behind a broken rule. default false
    bool (*stop)(void *context); ///< asked at every step; NULL: never
    void *context;
    cr_root root; ///< where it starts. default: the scene's start
} cr_simulate_def;

/// The defaults above.
CR_API cr_simulate_def cr_default_simulate_def(void);

/// Run one future: at each decision the Tactics draw, from the streams that def->seed names. No
/// goal, score or Tactic is needed. The plan has one solution, whose branches are the attempts 1,
/// 2, 3 and so on, and the outcome CR_OUTCOME_SIMULATED; it is written, read and replayed like any
/// other. Of the def, engine, seed, horizon and free_tactics matter.
CR_API cr_status cr_plan_simulate(const cr_model *model, const cr_planner_def *def,
                                  const cr_simulate_def *how, cr_plan **plan, cr_report *report);

/// Free it; NULL is allowed.
CR_API void cr_plan_destroy(cr_plan *plan);

/// Write a plan; the file is complete or not there. Same search, same bytes.
CR_API cr_status cr_plan_write(const cr_plan *plan, const char *path, cr_report *report);

/// The text of its file, with a zero behind it; cr_plan_read_text reads it. Free it with free().
CR_API cr_status cr_plan_print(const cr_plan *plan, char **text, size_t *length, cr_report *report);

/// Read a plan file or a text. library as in cr_model_create: the plan's scene is compiled on
/// reading.
CR_API cr_status cr_plan_read(const char *path, const cr_library *library, cr_plan **plan,
                              cr_report *report);
CR_API cr_status cr_plan_read_text(const char *text, size_t length, const char *name,
                                   const cr_library *library, cr_plan **plan, cr_report *report);

/// How a future ends.
typedef enum cr_end {
    CR_END_GOAL,   ///< the goal is reached
    CR_END_BEST,   ///< it is cut where it scores best
    CR_END_RULE,   ///< its last step breaks a rule
    CR_END_ENGINE, ///< the step after its last one blows up
    CR_END_SKILL,  ///< a Skill ends it
    CR_END_TIME,   ///< the horizon, or the seconds of a simulation
    CR_END_OPEN,   ///< it could go on: the search ended, or the simulation was stopped
} cr_end;

/// The word for it, as in plan files: "rule".
CR_API const char *cr_end_name(cr_end end);

/// One way to the goal, or a future that has to stand for it.
typedef struct cr_solution {
    bool goal;      ///< its last state reaches the goal
    int64_t steps;  ///< from the root
    double seconds; ///< steps x dt
    double score;   ///< of its last state; 0 without a score
    double turning; ///< rad; of the path of the sampled body, or of the first controlled one
    int contacts;   ///< times that two bodies began to touch, planes not counted
    int branches;
    uint64_t hash; ///< of its last state
    cr_end end;
    const char *rule;    ///< the first rule that it breaks; NULL: it keeps all. The model's
    int64_t broken_step; ///< the step that breaks it, from the root; 0: the root does
    cr_fault fault;      ///< CR_END_ENGINE: why; CR_FAULT_NONE: it is not known
    int fault_body;      ///< which body is the cause, or -1
} cr_solution;

/// How many solutions it has, at least 1, and one of them; 0 is the best.
CR_API int cr_plan_solution_count(const cr_plan *plan);
CR_API cr_solution cr_plan_solution(const cr_plan *plan, int solution);

/// How good a solution is by the rank of the plan's search (cr_planner_def.rank): larger is better.
/// Plans of one scene with other seeds can be compared by it. It is known of plans that were taken
/// from a search; of one that was read it is not a number.
CR_API double cr_plan_worth(const cr_plan *plan, int solution);

/// How a solution ends, as a sentence without its full stop: "goal reached", "failed: breaks the
/// rule never ... at 1.233 s", "failed: the world blows up: body "crate" is faster than 1000 m/s at
/// 0.533 s". Returns text.
CR_API const char *cr_plan_print_end(const cr_plan *plan, int solution, char *text, size_t size);

/// How many solutions of the search are not in the plan: cr_plan_create_within.
CR_API int cr_plan_left_out(const cr_plan *plan);

/// What the search came to.
CR_API cr_outcome cr_plan_outcome(const cr_plan *plan);

/// What it was planned in, and how. The model is the planner's, or the plan's own if it was read.
CR_API const cr_model *cr_plan_model(const cr_plan *plan);
CR_API const cr_planner_def *cr_plan_def(const cr_plan *plan);

/// The root that it was planned from and replays from. What it points to belongs to the plan.
CR_API cr_root cr_plan_root(const cr_plan *plan);

/// How many attempts the search had made: a search limited to them grows the same tree.
CR_API int64_t cr_plan_attempts(const cr_plan *plan);

/// The arguments after `carom plan` (`carom simulate` where the outcome is CR_OUTCOME_SIMULATED)
/// that make the plan again: the scene's name and options. A search that a clock or a person ended
/// is repeated by its attempts. Where the root is not the scene's start they are the settings
/// alone: cr_planner_restart with cr_plan_root makes that plan again.
CR_API const char *cr_plan_repeat(const cr_plan *plan);

/// Of these, the options alone, each after a space: for a scene that is known by another name.
CR_API const char *cr_plan_repeat_options(const cr_plan *plan);

/// What happens in a plan. Command line, tables and page all show these events and no others.
typedef enum cr_event_kind {
    CR_EVENT_SKILL,   ///< a Tactic begins a Skill
    CR_EVENT_CONTACT, ///< two bodies begin to touch: they do in this step, not in the one before.
                      ///< Planes do not count: what rolls on the floor touches it all the time
} cr_event_kind;

/// One event. The state at time t is followed by a step that the actions are held over, from t to
/// t + dt. A Skill begins at the t from which on it acts; a contact is noted at the first state
/// after it, so it took place within the dt before.
typedef struct cr_event {
    cr_event_kind kind;
    int64_t step;       ///< of that state, counted from the root
    double time;        ///< s, step x dt
    int tactic, skill;  ///< CR_EVENT_SKILL: who, and which of its Skills; else -1
    cr_contact contact; ///< CR_EVENT_CONTACT: as in the step in which it begins
} cr_event;

/// What a replay shows after each step, and once before the first (no contacts, no events, actions
/// NULL).
typedef struct cr_replay_step {
    const cr_model *model;
    const cr_state *state;      ///< after the step
    const cr_action *actions;   ///< by slot: held from the state before to this one
    const cr_contact *contacts; ///< all of this step, also with planes; sorted by (a, b)
    int contact_count;
    const cr_event *events; ///< in the order of time: Skills that begin with this step, by Tactic,
                            ///< then contacts that begin in it. None in cr_planner_retrace
    int event_count;
    double score;
    int64_t branch;   ///< of the solution, or of the tree in cr_planner_retrace
    bool goal;        ///< the state reaches the goal
    const char *rule; ///< that the state breaks; NULL: none
} cr_replay_step;

/// Called once per step; return false to stop the replay early (it then returns CR_OK).
typedef bool (*cr_replay_function)(const cr_replay_step *step, void *context);

/// Step the engine through a solution again. Fails with CR_ERR_REPLAY if a rule is broken that the
/// solution does not say it breaks, if it does not end as it says, or if anything else that the
/// plan says of it is not so. show may be NULL.
CR_API cr_status cr_plan_replay(const cr_plan *plan, int solution, cr_replay_function show,
                                void *context, cr_report *report);

/// Step through every branch of a search's tree again, in the order they were added: what lies
/// between two decisions is not stored. show is called after each step, and before the first of
/// each branch (actions NULL).
CR_API cr_status cr_planner_retrace(const cr_planner *planner, cr_replay_function show,
                                    void *context, cr_report *report);

/// The same for what died: step through every noted death (cr_planner_death), to the last state
/// that there was. branch in what is shown is the number of the death.
CR_API cr_status cr_planner_retrace_deaths(const cr_planner *planner, cr_replay_function show,
                                           void *context, cr_report *report);

/// Turn a plan into something to look at: one world a solution, with Skills, contacts and, where
/// planner is the search it came from and not NULL, the search tree. Free it with
/// cr_playback_destroy; it does not need the plan any more.
CR_API cr_status cr_plan_playback(const cr_plan *plan, const cr_planner *planner,
                                  cr_playback **playback, cr_report *report);

#ifdef __cplusplus
}
#endif

#endif
