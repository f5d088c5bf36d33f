// The inside of a block of numbers: what a model's own arrays hold, once more.
#ifndef CRI_NUMBERS_H
#define CRI_NUMBERS_H

#include "carom/numbers.h"
#include "scene/model.h"

struct cr_numbers {
    const cr_model *model;
    cri_arena arena;
    cr_vec3 gravity;
    cr_body_numbers *bodies; // by body
    cr_material *materials;  // by material
    cr_meeting *given,
        *meetings; // material_count x material_count: as overridden, and as it holds
};

// The numbers of a body of the model itself.
cr_body_numbers cri_body_numbers(const cr_body *body);

#endif
