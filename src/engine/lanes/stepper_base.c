// The stepper for any machine, and the choice among steppers.
#define PLAIN_STEP cri_step_plain_base
#define OWN_STEP   cri_step_own_base
#define OWN_NUMBERS
#define STEPPER      cri_stepper_base
#define STEPPER_NAME "8 lanes"
#include "engine/lanes/step.h"

const cri_stepper *cri_stepper_best(void)
{
#if defined(__x86_64__) || defined(__i386__)
    if (__builtin_cpu_supports("avx2") && cri_stepper_avx2.name) {
        return &cri_stepper_avx2;
    }
#endif
    return &cri_stepper_base;
}
