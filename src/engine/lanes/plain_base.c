// The stepper for any machine, for courses in which nothing is free.
#define PLAIN_STEP cri_step_plain_base
#include "engine/lanes/step.h"
