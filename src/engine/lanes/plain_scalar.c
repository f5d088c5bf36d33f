// The scalar twin, for courses in which nothing is free.
#define CRI_LANES  1
#define PLAIN_STEP cri_step_plain_scalar
#include "engine/lanes/step.h"
