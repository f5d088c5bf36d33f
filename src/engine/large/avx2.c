// The lanes of a large world compiled for AVX2 (the build file says so).
#ifdef __AVX2__
#define LARGE      cri_large_avx2
#define LARGE_NAME "8 lanes, AVX2"
#include "engine/large/lanes.h"
#else
#include "engine/large/large.h"
const cri_large_lanes cri_large_avx2 = {0};
#endif
