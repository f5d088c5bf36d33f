// A stepper runs the worlds of one course, a world a lane. There are three of them, made from the
// same source, and all give the same bits:
//
//     base    8 lanes, any machine
//     avx2    8 lanes, where the machine has AVX2
//     scalar  1 lane
//
// A world's result does not depend on the other worlds in the lanes: every operation works lane by
// lane, and what is skipped when no lane needs it changes nothing in lanes that do not need it.
#ifndef CRI_STEPPER_H
#define CRI_STEPPER_H

#include "engine/lanes/course.h"

typedef struct cri_stepper {
    const char *name; // NULL: not built for this kind of machine
    int lanes;
    int body_bytes; // of state, for one body of one world
    // Bytes of scratch memory, to be aligned to 64, for one course.
    size_t (*room)(const cri_course *course);
    // Step up to `lanes` worlds; `from` is `to`. Returns a bit for each world that it refuses and
    // leaves as it is: one in which something tilts that should be level, or that is or becomes too
    // large or too fast for floats, or whose numbers are unfit (cri_weight). Which ones depends on
    // each world's own state, actions and numbers alone.
    unsigned (*step)(const cri_course *course, void *scratch, cr_step *steps, int count);
} cri_stepper;

// The steps of the three for plain courses, in which no body is free; `step` calls them.
unsigned cri_step_plain_base(const cri_course *course, void *scratch, cr_step *steps, int count);
unsigned cri_step_plain_avx2(const cri_course *course, void *scratch, cr_step *steps, int count);
unsigned cri_step_plain_scalar(const cri_course *course, void *scratch, cr_step *steps, int count);

// The same for batches in which a world has numbers of its own, or the model's are not fit.
unsigned cri_step_own_base(const cri_course *course, void *scratch, cr_step *steps, int count);
unsigned cri_step_own_avx2(const cri_course *course, void *scratch, cr_step *steps, int count);
unsigned cri_step_own_scalar(const cri_course *course, void *scratch, cr_step *steps, int count);

extern const cri_stepper cri_stepper_base, cri_stepper_avx2, cri_stepper_scalar;

// The fastest stepper on this machine.
const cri_stepper *cri_stepper_best(void);

#endif
