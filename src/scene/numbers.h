// The inside of a block of numbers: what a model's own arrays hold, once more; and beside it the
// same as steppers read it (lanes/world.h): in floats, with inverses. That is worked out where a
// number is set, by the same code for a model's own numbers and for any block, so both give the
// same bits, and a step only copies it.
#ifndef CRI_NUMBERS_H
#define CRI_NUMBERS_H

#include "carom/numbers.h"
#include "scene/model.h"

// The numbers of a body that moves, as floats. The first eight are all that balls and uprights
// need.
typedef struct cri_weight {
    float mass, inverse_mass;       // 0: driven
    float inertia, inverse_inertia; // of a ball; of an upright about z
    float damping, spin_damping;    // 1/s
    union {
        float cross_mobility; // of a ball: speed across the normal for a unit of impulse
        float floor_friction; // of an upright
    };
    float unfit; // 1: not for steppers, but for the way in double; else 0
    float inertias[3], inverse_inertias[3]; // about its own axes, kg m2
    float spare[2];
} cri_weight;

// How two materials meet, as floats.
typedef struct cri_manner {
    float friction, static_friction, restitution, rolling, spinning, along;
    float spare[2];
} cri_manner;

// Gravity, and where up is; all 0 without gravity.
typedef struct cri_gravity {
    float gravity[3], up[3];
    float spare[2];
} cri_gravity;

// Kicks of a body, made ready.
typedef struct cri_kick {
    cr_kick_numbers as_set;
    double cos, sin; // of its turn, times the gain
} cri_kick;

struct cr_numbers {
    const cr_model *model;
    cri_arena arena;
    cr_vec3 gravity;
    cr_body_numbers *bodies; // by body
    cr_material *materials;  // by material
    cr_meeting *given,
        *meetings;       // material_count x material_count: as overridden, and as it holds
    cri_kick *kicks;     // by slot
    bool kicks_err;      // some do
    cri_weight *weights; // by slot
    cri_manner *manners; // as meetings
    cri_gravity pull;
    cr_joint_numbers *joints; // by joint
};

// True if it is one sphere about its center.
bool cri_body_is_sphere(const cr_body *body);

// The numbers of a body of the model itself.
cr_body_numbers cri_body_numbers(const cr_body *body);

// The impulse that a body with a slot gets where an action has this one; numbers NULL: the model's.
static inline cr_vec3 cri_kicked(const cr_numbers *numbers, int slot, cr_vec3 impulse)
{
    if (!numbers || !numbers->kicks_err) {
        return impulse;
    }
    const cri_kick *k = &numbers->kicks[slot];
    return (cr_vec3){k->cos * impulse.x - k->sin * impulse.y,
                     k->sin * impulse.x + k->cos * impulse.y, k->as_set.gain * impulse.z};
}

#endif
