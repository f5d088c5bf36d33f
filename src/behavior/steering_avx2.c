// Steering worked out with AVX2 (the build file says so): four doubles are one register.
#ifdef __AVX2__
#include "behavior/steering_lanes.h"

cri_work_out *const cri_work_out_avx2 = work_out;
#else
#include "behavior/steering.h"

cri_work_out *const cri_work_out_avx2 = NULL;
#endif
