// The stepper compiled for AVX2 (the build file says so): 8 lanes are one register.
#ifdef __AVX2__
#define PLAIN_STEP cri_step_plain_avx2
#define OWN_STEP   cri_step_own_avx2
#define OWN_NUMBERS
#define STEPPER      cri_stepper_avx2
#define STEPPER_NAME "8 lanes, AVX2"
#include "engine/lanes/step.h"
#else
#include "engine/lanes/stepper.h"
const cri_stepper cri_stepper_avx2 = {0};
#endif
