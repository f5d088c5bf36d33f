// The stepper compiled for AVX2, for courses in which nothing is free.
#ifdef __AVX2__
#define PLAIN_STEP cri_step_plain_avx2
#include "engine/lanes/step.h"
#else
typedef int cri_no_avx2; // a file must have something in it
#endif
