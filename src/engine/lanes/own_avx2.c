// The stepper compiled for AVX2, for courses in which nothing is free and batches in which a
// world has numbers of its own.
#ifdef __AVX2__
#define OWN_STEP cri_step_own_avx2
#define OWN_NUMBERS
#include "engine/lanes/step.h"
#else
typedef int cri_no_own_avx2; // a file must have something in it
#endif
