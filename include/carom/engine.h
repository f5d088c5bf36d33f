/// @file engine.h
/// An engine computes the next state of a world. A step is a pure function of (state, actions,
/// numbers, mask): the same input gives the same bits after any history, on any thread, in any
/// batch. Whatever an engine keeps between calls is cache.
///
/// Threads: an engine is used by one thread at a time; make one for each. Any number of engines may
/// work on one model.
#ifndef CAROM_ENGINE_H
#define CAROM_ENGINE_H

#include "numbers.h"
#include "state.h"

#ifdef __cplusplus
extern "C" {
#endif

/// What is done to a moving body during one step. All zero: nothing.
typedef struct cr_action {
    cr_vec3 force;    ///< N at the centre of mass, held over the step
    cr_vec3 torque;   ///< N m, held over the step
    cr_vec3 impulse;  ///< N s at the centre of mass, at the start of the step
    cr_vec3 twist;    ///< N m s, angular impulse at the start of the step
    cr_vec3 velocity; ///< driven bodies: m/s held over the step
    cr_vec3 spin;     ///< driven bodies: rad/s held over the step
} cr_action;

/// Two bodies that touched during a step. All substeps and points of a pair are merged into one
/// contact.
typedef struct cr_contact {
    int a, b;       ///< bodies, a < b
    cr_vec3 point;  ///< of the substep with the largest impulse
    cr_vec3 normal; ///< from a to b, of the same substep
    double impulse; ///< N s along the normal, summed over the step
} cr_contact;

/// Why a world blew up, said of one of its bodies.
typedef enum cr_fault {
    CR_FAULT_NONE,       ///< it did not, or the engine does not say
    CR_FAULT_NOT_FINITE, ///< its state or action holds a number that is none
    CR_FAULT_ROTATION,   ///< its rotation is no unit quaternion
    CR_FAULT_TOO_FAR,    ///< beyond 100 km from the origin, along an axis
    CR_FAULT_TOO_FAST,   ///< faster than 1000 m/s, along an axis
    CR_FAULT_SPIN,       ///< spins faster than 100000 rad/s, about an axis
    CR_FAULT_CROWDED,    ///< more contact points than the engine has room for, it at the last
    CR_FAULT_SOLVER,     ///< the solver found no impulses; of no body
} cr_fault;

/// The word for it, as in plan files: "too_fast".
CR_API const char *cr_fault_name(cr_fault fault);

/// What it says of a body: "is faster than 1000 m/s".
CR_API const char *cr_fault_about(cr_fault fault);

/// One world of a batch.
typedef struct cr_step {
    const cr_state *from;
    const cr_action *actions; ///< by slot, cr_model_moving_count of them
    const uint64_t *mask;     ///< a bit for each pair that may collide, by cr_model_pair; NULL: all
    const cr_numbers *numbers; ///< of this world; NULL: the model's. cr_engine_takes_numbers
    cr_state *to;              ///< out; may be from
    /// Out, sorted by (a, b); room for cr_model_contact_max. NULL: they are counted, no more.
    cr_contact *contacts;
    int contact_count; ///< out
    bool alive;        ///< out; false if the world blew up: `to` is then of no use
    cr_fault fault;    ///< out; why it did
    int fault_body;    ///< out; which body, or -1
} cr_step;

/// The way to add an engine: fill one of these and register it in a cr_library.
typedef struct cr_engine_type {
    const char *name;
    const char *about;
    int lanes; ///< worlds that are stepped fastest together, >= 1
    /// True if `step` heeds cr_step.numbers; else it is only asked to step with the model's own.
    bool takes_numbers;
    /// True if `step` holds joints; else models with some are not for it.
    bool takes_joints;
    /// Make a world of that model for use by one thread at a time.
    cr_status (*create)(const cr_model *model, void **world, cr_report *report);
    void (*destroy)(void *world);
    /// Step count worlds. Copies Tactics and memories of a state unchanged (cr_engine_step brings
    /// the memories up to date), sets bodies, touched bits, joints and step. fault and fault_body
    /// are CR_FAULT_NONE and -1 until it says otherwise.
    void (*step)(void *world, cr_step *steps, int count);
    /// Share the work of one step among so many threads, >= 1, with the same result. NULL: it
    /// cannot.
    void (*set_threads)(void *world, int threads);
} cr_engine_type;

/// An engine at work on a model; used by one thread at a time.
typedef struct cr_engine cr_engine;

/// Create an engine by name: one of the built-in ones ("ode", "lanes") or of the library that the
/// model was compiled with. The model must outlive it.
CR_API cr_status cr_engine_create(const cr_model *model, const char *name, cr_engine **engine,
                                  cr_report *report);

/// Free it; NULL is allowed.
CR_API void cr_engine_destroy(cr_engine *engine);

/// How many worlds it steps fastest together: cr_engine_type.lanes.
CR_API int cr_engine_lanes(const cr_engine *engine);

/// True if its steps may have numbers of their own; for others that is a bug. Both built-in engines
/// take them.
CR_API bool cr_engine_takes_numbers(const cr_engine *engine);

/// Let a step of one world be shared by so many threads (default 1), where the engine can: `lanes`
/// does for large worlds (more than 32 boxes and balls, or a hundred free bodies). The result is
/// the same to the bit. A search has threads of its own, a branch each; this is for one world after
/// the other.
CR_API void cr_engine_set_threads(cr_engine *engine, int threads);

/// Step count worlds at once.
CR_API void cr_engine_step(cr_engine *engine, cr_step *steps, int count);

/// The pairs of bodies that may collide, sorted by (a, b); a mask has a bit for each.
CR_API int cr_model_pair_count(const cr_model *model);

/// The index of the pair of two bodies in either order, or -1 if they never collide.
CR_API int cr_model_pair(const cr_model *model, int a, int b);

/// A pair of bodies that may collide.
typedef struct cr_pair {
    int a, b;      ///< bodies, a < b
    bool watched;  ///< the state has a touched bit for it
    bool responds; ///< false: neither can be moved; contacts are reported, and nothing bounces
} cr_pair;

/// The pair of that index.
CR_API cr_pair cr_model_pair_info(const cr_model *model, int pair);

/// The mask of a level of detail (003, algorithm 18): a bit for each pair, 64 a word, that collides
/// far ahead too. Controlled bodies pass through foreign and passive ones there, but for what the
/// scene's `far:` says. It belongs to the model; cr_root takes it.
CR_API const uint64_t *cr_model_far_mask(const cr_model *model);

/// The most contacts one step reports: one a pair, and in a large world no more than 32 a body.
CR_API int cr_model_contact_max(const cr_model *model);

#ifdef __cplusplus
}
#endif

#endif
