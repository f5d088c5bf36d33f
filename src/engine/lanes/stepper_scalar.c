// The scalar twin: one lane.
#define CRI_LANES  1
#define PLAIN_STEP cri_step_plain_scalar
#define OWN_STEP   cri_step_own_scalar
#define OWN_NUMBERS
#define STEPPER      cri_stepper_scalar
#define STEPPER_NAME "scalar"
#include "engine/lanes/step.h"
