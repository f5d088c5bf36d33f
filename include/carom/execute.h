/// @file execute.h
/// Executing plans in a world that does not obey (003, 7.2, 7.4 and chapter 9). The planned world
/// is a model; the true world is that model with another engine, other numbers, actions that are
/// not carried out as commanded and foreign bodies that do not keep to their Tactics; and it is
/// seen late and with noise.
///
///        +---- observe ---- true world (cr_truth) <--- actions ---+
///        v                                                        |
///     what is believed of now ---> plan (planner.h, plan.h) ---> strategy
///        ^   again after an interval, at the plan's end, and after a collision
///
/// All chance comes from streams that the seeds name: a run repeats bit for bit, on any machine.
///
/// Threads: a true world is used by one thread at a time; runs share nothing but their model.
#ifndef CAROM_EXECUTE_H
#define CAROM_EXECUTE_H

#include "plan.h"

#ifdef __cplusplus
extern "C" {
#endif

/// How the true world differs from the planned one. Deviations are those of normal draws about
/// what is planned or true; 0: none.
typedef struct cr_truth_def {
    const char *engine;      ///< by name, as in cr_engine_create. NULL: "ode". default NULL
    uint64_t seed;           ///< names all its chance. default 1
    double numbers;          ///< share: of each mass, damping and coefficient of friction and
                             ///< restitution, drawn once. default 0
    const cr_numbers *given; ///< what `numbers` deviates from; of the same model, read while a
                             ///< truth is made. NULL: the model's own. default NULL
    // What is seen.
    double position; ///< m, along x and y, of every body in every frame. default 0.002
    double angle;    ///< rad, about z, likewise. default 0.5 deg
    double velocity; ///< m/s along x and y, and rad/s about z. default 0
    double latency;  ///< s from a state to its being seen, in whole steps. default 0.1
    // What is done.
    double kick_speed; ///< share: of the speed of each impulse. default 0.03
    double kick_aim;   ///< rad: of the direction of each impulse. default 0.5 deg
    double drive;      ///< share: of the forces and torques of each controlled body, drawn once:
                       ///< a robot that is out of tune. default 0
    double slip;       ///< share: likewise, along them and across, but changing: what is drawn
                       ///< forgets within half a second. Wheels that slip. default 0
    // What foreign bodies do.
    double rate;        ///< share: of the speed and spin of each foreign body, drawn once: a bar
                        ///< that is measured badly. default 0
    double uncertainty; ///< 0 .. 1: how far they stray from what their Tactics say; at 1 a body
                        ///< strays as fast as it moves (003, 9.2). default 0
} cr_truth_def;

/// The defaults above.
CR_API cr_truth_def cr_default_truth_def(void);

/// The same world, undisturbed, at once: all deviations and the latency 0.
CR_API cr_truth_def cr_exact_truth_def(void);

/// A true world.
typedef struct cr_truth cr_truth;

/// Create one that stands at a state; NULL: the model's start. The model must outlive it. Fails
/// with CR_ERR_RANGE where a number of the def is negative or not finite, or the uncertainty
/// above 1.
CR_API cr_status cr_truth_create(const cr_model *model, const cr_truth_def *def,
                                 const cr_state *start, cr_truth **truth, cr_report *report);

/// Free it; NULL is allowed.
CR_API void cr_truth_destroy(cr_truth *truth);

/// What one is told to do for a step.
typedef struct cr_command {
    const cr_action *actions; ///< by slot; those on foreign bodies are left out
    const cr_state *meant;    ///< the state that they are meant in: a kick is meant as seen from
                              ///< its kicker, and turns with it; one that is out of reach misses
    const cr_state *next;     ///< the state that they should lead to, for what its Tactics then do
} cr_command;

/// One step: foreign Tactics act, all commands are carried out as well as they are here. False if
/// the world blew up; it then stands where it stood.
CR_API bool cr_truth_step(cr_truth *truth, const cr_command *command);

/// The true state, which no robot knows. It belongs to the truth.
CR_API const cr_state *cr_truth_state(const cr_truth *truth);

/// The rule that the true state breaks, as in the scene, or NULL.
CR_API const char *cr_truth_rule(const cr_truth *truth);

/// True if the true state reaches the goal.
CR_API bool cr_truth_goal(const cr_truth *truth);

/// What is seen at this moment: the moving bodies as they were a latency ago, with noise, and
/// which step that was. The rest of *seen, touches and Tactics, nobody sees: it stays. Before the
/// latency has passed, the state that the world began with.
CR_API void cr_truth_observe(const cr_truth *truth, cr_state *seen);

// ---------------------------------------------------------------------------------------------
// Runs: plan, execute, look, plan again (003, algorithm 16).

/// How a plan is executed (003, 7.2.3).
typedef enum cr_strategy {
    CR_STRATEGY_ACTIONS, ///< its actions, whatever comes of them
    CR_STRATEGY_STATES,  ///< its states: to the plan's forces a trapezoidal controller adds what
                         ///< brings each upright controlled body back to where the plan has it
} cr_strategy;

/// The word for it: "states".
CR_API const char *cr_strategy_name(cr_strategy strategy);

/// How a search follows the one before it.
typedef enum cr_follow {
    CR_FOLLOW_COLD,    ///< from nothing
    CR_FOLLOW_CHOICES, ///< what the last plan had still to choose is tried first
    CR_FOLLOW_TREE,    ///< the plan is executed up to a decision. Where the world is then as near
                       ///< to it as `near` says, the tree below that decision is kept; else its
                       ///< choices are tried first
} cr_follow;

/// The word for it: "tree".
CR_API const char *cr_follow_name(cr_follow follow);

/// A frame of a run: the world before a step, and what is about to be done.
typedef struct cr_run_frame {
    const cr_model *model;
    const cr_state *truth;    ///< as it is
    const cr_state *believed; ///< as it is believed to be now: seen a latency ago, and predicted on
    const cr_state *planned;  ///< as the plan has it now; NULL: there is no plan
    const cr_action *actions; ///< commanded, by slot; NULL in the last frame
    const cr_plan *plan;      ///< that begins in this frame; NULL: none does
    int64_t attempts;         ///< of the search in this frame; -1: there was none
    const char *rule;         ///< that the true state breaks; NULL: none
    bool goal;                ///< the true state reaches the goal
} cr_run_frame;

/// Settings of a run.
typedef struct cr_run_def {
    cr_planner_def planner;  ///< how each search is made; its `steps` are the budget of one
    cr_truth_def truth;      ///< default: cr_default_truth_def
    const cr_model *world;   ///< what the true world is made of: the same scene, with parameters of
                             ///< its own. NULL: the model that is planned with. default NULL
    cr_strategy strategy;    ///< default CR_STRATEGY_STATES
    double interval;         ///< s of a plan that are executed before the next search begins, in
                             ///< whole steps; a plan that is shorter is executed to its end. 0:
                             ///< there is one plan, executed to its end. default 0
    cr_follow follow;        ///< default CR_FOLLOW_COLD
    double near;             ///< m: CR_FOLLOW_TREE, for every body; rad and, tenfold, m/s and rad/s
                             ///< likewise. default 0.02
    double deadline;         ///< s that a search may take; 0: its limits alone. default 0
    const int64_t *attempts; ///< how many attempts each search makes, as cr_run_frame told of a run
                             ///< with a deadline: repeats that run. NULL: no limit. default NULL
    int attempts_count;      ///< of these; a search after the last is made as if there were none
    double seconds;          ///< most that the world runs for; 0: the planner's horizon. default 0
    double trust;            ///< 0 .. 1: weight of what is seen against what was predicted.
                             ///< default 0.3
    double watch;            ///< s that the world is watched before the first search. default 0
    double think;            ///< s of the world that the first search takes. default 0
    double wait;             ///< s: a periodic world. The first plan begins within so long after it
                             ///< was thought out, when foreign bodies come nearest to where it has
                             ///< them (003, 7.4.2). default 0: at once
    bool abort;              ///< a broken rule ends the interval: plan again at once. default true
    int futures; ///< > 0: of a search's solutions the one that holds in most of so many futures
                 ///< with the truth's disturbance is executed. default 0: the one that is ranked
                 ///< first
    bool (*show)(const cr_run_frame *frame, void *context); ///< each frame, and the last; false
                                                            ///< stops the run. NULL: nobody looks
    void *context;
} cr_run_def;

/// The defaults above, with the planner's settings that the model's scene asks for.
CR_API cr_run_def cr_default_run_def(const cr_model *model);

/// What came of a run.
typedef struct cr_run_result {
    bool goal;        ///< reached, in the true world
    bool stopped;     ///< by `show`
    bool blown;       ///< the true world blew up, or flung the first controlled body out at more
                      ///< than ten times its top speed; that ends the run
    const char *rule; ///< the first that was broken; NULL: all were kept. The model's
    int64_t steps;    ///< of the true world
    double seconds;   ///< steps x dt
    int rerooted;     ///< plannings that kept a part of the tree before
    int plannings;    ///< searches
    int intervals;    ///< of the first search, and of each that found a plan, up to the next
    int solved;       ///< of these, those that reached the goal
    int pinned;       ///< of these, those that began in a touch that no braking ends
    int helpless;     ///< of these, those without any plan: bodies then brake
    int collided;     ///< intervals in which a rule was broken
    int collisions;   ///< times that one was
    int64_t planner_steps, planner_attempts; ///< summed over the searches
    double planner_seconds;
    int64_t solved_steps;  ///< of those searches that reached the goal
    int64_t ranking_steps; ///< of the futures that solutions were tried in
    int64_t futures, held; ///< of the plans that were ranked first: those that they were tried in,
                           ///< and those that they held in; summed over the searches
    double waited;         ///< s that the first plan waited for the world to come round
    double turning;        ///< rad, that the way of the first controlled body turns by
    double moving;         ///< s that it was on its way
    uint64_t hash;         ///< of all true states
} cr_run_result;

/// Run a model's world until its goal is reached or its time is over. Each search starts with the
/// Tactics of controlled bodies at their beginning. Where even braking breaks a rule at once, the
/// search passes over what touches then: nothing can be done about it. After a search that finds
/// nothing bodies brake for 0.1 s. start: NULL for the true
/// world's. Fails as cr_planner_create and cr_truth_create do.
CR_API cr_status cr_run_execute(const cr_model *model, const cr_run_def *def, const cr_state *start,
                                cr_run_result *result, cr_report *report);

// ---------------------------------------------------------------------------------------------
// Robust plans: how often a solution holds, if the world is a little other than planned.

/// Which futures a solution is tried in.
typedef struct cr_robust_def {
    cr_truth_def truth;   ///< how they are disturbed; its engine is NULL for the plan's. default:
                          ///< cr_default_truth_def, without latency
    cr_strategy strategy; ///< how the solution is executed in them. default CR_STRATEGY_STATES
    int futures;          ///< >= 1. default 100
    double root;          ///< 0 .. 1: share of the observation's noise that the plan's root has:
                          ///< less, if it was watched for a while. default 1
} cr_robust_def;

/// The defaults above.
CR_API cr_robust_def cr_default_robust_def(void);

/// Nothing differs but what the Tactics of foreign bodies draw: an exact world with the plan's
/// engine, and 200 futures. What a solution is worth against luck: with `chance: planner` the
/// search has picked draws that suit it, with `chance: nature` it has seen but one future of each
/// choice.
CR_API cr_robust_def cr_luck_def(void);

/// What came of a solution in its futures.
typedef struct cr_robustness {
    int futures;
    int held;         ///< of these, those that reach the goal and break no rule before
    int64_t steps;    ///< simulated for that
    double low, high; ///< the 95% interval (Wilson) of their share
} cr_robustness;

/// Try a solution in disturbed futures, all side by side. Each begins with the plan's root as a
/// camera might have misread it; bodies see at once, with the noise that is left when observations
/// are weighted with 0.3. Every solution of a plan meets the same disturbances.
CR_API cr_status cr_plan_try(const cr_plan *plan, int solution, const cr_robust_def *def,
                             cr_robustness *result, cr_report *report);

/// Order a plan's solutions by how often they hold, best first; of equal ones the one that was
/// first stays first. Six and more are all tried in a fifth of the futures, the better third of
/// them in half, and the better third of these in all; each stands behind those that got farther.
/// Before other threads see the plan. results: NULL, or room for one a solution, in the new order.
CR_API cr_status cr_plan_rank_robust(cr_plan *plan, const cr_robust_def *def,
                                     cr_robustness *results, cr_report *report);

#ifdef __cplusplus
}
#endif

#endif
