// The stepper for any machine, for courses in which nothing is free and batches in which a
// world has numbers of its own.
#define OWN_STEP cri_step_own_base
#define OWN_NUMBERS
#include "engine/lanes/step.h"
