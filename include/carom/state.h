/// @file state.h
/// A state is everything that a later step may depend on: bodies, touches, Tactics and memories, in
/// one flat block of memory that is copied with memcpy, compared with memcmp and hashed as bytes.
/// Its layout belongs to a model:
///
///     +--------+--------------+----------------+--------------+-----------------+----------------+
///     |  step  | cr_body_     | touched bits,  | cr_joint_    | for each Tactic | for each once, |
///     | 8 byte | state x      | 64 a word, one | state x      | cr_tactic_state | stays and      |
///     |        | slots, 104   | a watched pair | joints,      | and variables,  | times an 8     |
///     |        | bytes each   |                | 8 bytes each | doubles         | byte count     |
///     +--------+--------------+----------------+--------------+-----------------+----------------+
///
/// Large worlds (more than 32 boxes and balls, or a hundred free bodies) have 24 bytes a body more,
/// after the bodies: for how long each has been slow, and what pressed on it in the last step
/// (engines.md).
///
/// A watched pair is a pair of bodies that some condition, rule or Skill asks about; its bit is set
/// if the two touched in any substep of the last step.
///
/// Threads: a state is memory: it may be read by many threads, or written by one.
#ifndef CAROM_STATE_H
#define CAROM_STATE_H

#include "model.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef struct cr_state {
    int64_t step; ///< steps since the start; the rest follows as drawn above
} cr_state;

/// A moving body. Position and velocity are those of its centre of mass.
typedef struct cr_body_state {
    cr_vec3 position; ///< m
    cr_quat rotation;
    cr_vec3 velocity; ///< m/s
    cr_vec3 spin;     ///< rad/s, world frame
} cr_body_state;

/// All that a joint keeps; the rest follows from its two bodies.
typedef struct cr_joint_state {
    int32_t broken; ///< 1: it holds nothing any more; else 0
    int32_t turns; ///< hinge: whole turns; its angle is that of its bodies, in (-pi, pi], and these
} cr_joint_state;

typedef enum cr_skill_phase {
    CR_SKILL_ENTER, ///< the Skill is entered at the next step: only at the start
    CR_SKILL_BUSY,  ///< the Skill goes on; no transition
    CR_SKILL_FREE,  ///< the next step begins with a transition
} cr_skill_phase;

/// What a Tactic is doing. Its Skill's variables follow it in memory.
typedef struct cr_tactic_state {
    int32_t skill; ///< index of the active Skill
    int32_t phase; ///< a cr_skill_phase
} cr_tactic_state;

/// Bytes of a state; a multiple of 8.
CR_API size_t cr_state_size(const cr_model *model);

/// A new state at the model's start, or NULL when memory runs out. Free with free().
CR_API cr_state *cr_state_create(const cr_model *model);

/// Write the model's start into a block of cr_state_size bytes.
CR_API void cr_state_start(const cr_model *model, cr_state *state);

/// Copy cr_state_size bytes.
CR_API void cr_state_copy(const cr_model *model, cr_state *to, const cr_state *from);

/// The hash of all bytes.
CR_API uint64_t cr_state_hash(const cr_model *model, const cr_state *state);

/// Seconds since the start.
CR_API double cr_state_time(const cr_model *model, const cr_state *state);

/// The array of the moving bodies' states, by slot.
/// Who may write moves what others rest on: in a large world all bodies wake.
CR_API cr_body_state *cr_state_bodies(const cr_model *model, cr_state *state);
CR_API const cr_body_state *cr_state_bodies_const(const cr_model *model, const cr_state *state);

/// Where any body is, static ones too.
CR_API cr_pose cr_state_pose(const cr_model *model, const cr_state *state, int body);

/// How fast any body's centre of mass moves; zero for static ones.
CR_API cr_vec3 cr_state_velocity(const cr_model *model, const cr_state *state, int body);

/// How fast any body turns, in rad/s about the axes of the world; zero for static ones.
CR_API cr_vec3 cr_state_spin(const cr_model *model, const cr_state *state, int body);

/// Set where a moving body is and how it moves, as when a camera has seen it. The rotation must be
/// of length 1. A static body does not move: a bug.
CR_API void cr_state_set_pose(const cr_model *model, cr_state *state, int body, cr_pose pose);
CR_API void cr_state_set_velocity(const cr_model *model, cr_state *state, int body,
                                  cr_vec3 velocity, cr_vec3 spin);

/// The angle of a body's x axis about z, in (-pi, pi].
CR_API double cr_state_heading(const cr_model *model, const cr_state *state, int body);

/// Touched bits, which an engine sets: none, then that of each pair (cr_model_pair) that touched in
/// any substep, also of pairs that do not respond. A pair that nobody asks about has none, and
/// setting it does nothing.
CR_API void cr_state_clear_touched(const cr_model *model, cr_state *state);
CR_API void cr_state_set_touched(const cr_model *model, cr_state *state, int pair);

/// True if the bit of that pair is set.
CR_API bool cr_state_touched(const cr_model *model, const cr_state *state, int pair);

/// True if that joint is broken.
CR_API bool cr_state_joint_broken(const cr_model *model, const cr_state *state, int joint);

/// How far it has gone since the start as written: the angle of a hinge in rad, the way of a slider
/// in m; of a rope how far its two points are apart; of the others 0.
CR_API double cr_state_joint_way(const cr_model *model, const cr_state *state, int joint);

/// The array of the joints' states, which an engine sets: a joint may break in a step, and its
/// turns go up by one where the angle passes pi, down where it passes -pi.
CR_API cr_joint_state *cr_state_joints(const cr_model *model, cr_state *state);
CR_API const cr_joint_state *cr_state_joints_const(const cr_model *model, const cr_state *state);

/// A Tactic's Skill and phase, and its variables.
CR_API cr_tactic_state *cr_state_tactic(const cr_model *model, cr_state *state, int tactic);
CR_API const cr_tactic_state *cr_state_tactic_const(const cr_model *model, const cr_state *state,
                                                    int tactic);
CR_API const double *cr_state_variables(const cr_model *model, const cr_state *state, int tactic,
                                        int *count);

#ifdef __cplusplus
}
#endif

#endif
