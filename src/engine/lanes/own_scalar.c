// The scalar twin, for courses in which nothing is free and batches in which a
// world has numbers of its own.
#define CRI_LANES 1
#define OWN_STEP  cri_step_own_scalar
#define OWN_NUMBERS
#include "engine/lanes/step.h"
