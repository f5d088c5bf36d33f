/// @file numbers.h
/// What a scene is (bodies, shapes, pairs, Tactics) is compiled once, into a model. What its
/// numbers are (masses, materials, damping, gravity, errors of kicks) can be another block for each
/// world of a batch: a cr_numbers, beside the model. A step with a block gives what a step in a
/// model that was compiled with these numbers gives. Fitting to recordings, futures under doubt and
/// a true world that differs from the planned one need that.
///
///     model ---- bodies, shapes, pairs, start        shared
///       |
///       +------- its own numbers                     cr_step.numbers NULL
///       +------- numbers A, numbers B, ...           one a world, if one wants
///
/// Both built-in engines take blocks at nearly their usual speed and give the bits of a model that
/// was compiled with the same numbers, whatever the other worlds of the batch have. Setting a
/// number works out what engines need of it; a step copies that and allocates nothing. Worlds that
/// are to have the same numbers may share a block. Skills and scores go on to see the model's
/// numbers: a robot does not know what its ball really weighs.
///
/// Threads: a block may be read by any number of threads at once; who sets something in it must be
/// alone with it.
#ifndef CAROM_NUMBERS_H
#define CAROM_NUMBERS_H

#include "model.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef struct cr_numbers cr_numbers;

/// The numbers of a body.
typedef struct cr_body_numbers {
    double mass;            ///< kg, > 0
    cr_vec3 inertia;        ///< kg m2, > 0: the diagonal in the body's frame
    double linear_damping;  ///< 1/s, >= 0
    double angular_damping; ///< 1/s, >= 0
    double floor_friction;  ///< >= 0, of an upright body; others have none
} cr_body_numbers;

/// A copy of the model's numbers. The model must outlive it. Fails with CR_ERR_MEMORY.
CR_API cr_status cr_numbers_create(const cr_model *model, cr_numbers **numbers, cr_report *report);

/// Free it; NULL is allowed.
CR_API void cr_numbers_destroy(cr_numbers *numbers);

/// Make all of them those of another block of the same model; NULL: the model's own.
CR_API void cr_numbers_copy(cr_numbers *numbers, const cr_numbers *from);

/// A body that forces can move: neither static nor driven. Others have no numbers: asking for them
/// is a bug. Setting fails with CR_ERR_RANGE.
CR_API cr_body_numbers cr_numbers_body(const cr_numbers *numbers, int body);
CR_API cr_status cr_numbers_set_body(cr_numbers *numbers, int body, const cr_body_numbers *value,
                                     cr_report *report);

/// Another mass of the same shape: the inertia changes in proportion.
CR_API cr_status cr_numbers_set_mass(cr_numbers *numbers, int body, double mass, cr_report *report);

/// A material, as cr_model_material has it. Setting leaves its name and the direction of its grain
/// as they are, and works out every pair that it is part of, but for what the scene's `pairs:` or
/// cr_numbers_set_pair gives. Coefficients are >= 0, restitution 0 .. 1; else CR_ERR_RANGE.
CR_API cr_material cr_numbers_material(const cr_numbers *numbers, int material);
CR_API cr_status cr_numbers_set_material(cr_numbers *numbers, int material,
                                         const cr_material *value, cr_report *report);

/// Where two materials meet: friction, static_friction, restitution, rolling, spinning, and
/// grain_friction along a grain of either. The order of the two does not matter. Ranges as above.
CR_API cr_material cr_numbers_pair(const cr_numbers *numbers, int a, int b);
CR_API cr_status cr_numbers_set_pair(cr_numbers *numbers, int a, int b, const cr_material *value,
                                     cr_report *report);

/// What becomes of an impulse that an action gives to a body: a kick that is harder or softer than
/// it was meant to be, and goes astray. Models have none of that.
typedef struct cr_kick_numbers {
    double gain; ///< >= 0, times the impulse. default 1
    double turn; ///< rad, about z, counter-clockwise. default 0
} cr_kick_numbers;

/// Kicks of a body; which bodies have them, and ranges, as with cr_numbers_body. A step gives what
/// it gives without a block for an action with that impulse.
CR_API cr_kick_numbers cr_numbers_kick(const cr_numbers *numbers, int body);
CR_API cr_status cr_numbers_set_kick(cr_numbers *numbers, int body, cr_kick_numbers value,
                                     cr_report *report);

/// What a joint resists, drives and holds. Setting fails with CR_ERR_RANGE, and changes nothing,
/// where friction or the motor's force is negative, what breaks it is not more than 0, or a number
/// is not finite; HUGE_VAL stands for a joint that does not break. Where it has a motor, friction
/// has no effect; of welds and ropes what breaks them alone has one, of balls friction and that.
CR_API cr_joint_numbers cr_numbers_joint(const cr_numbers *numbers, int joint);
CR_API cr_status cr_numbers_set_joint(cr_numbers *numbers, int joint, const cr_joint_numbers *value,
                                      cr_report *report);

/// Gravity in m/s2; finite, else CR_ERR_RANGE.
CR_API cr_vec3 cr_numbers_gravity(const cr_numbers *numbers);
CR_API cr_status cr_numbers_set_gravity(cr_numbers *numbers, cr_vec3 gravity, cr_report *report);

#ifdef __cplusplus
}
#endif

#endif
