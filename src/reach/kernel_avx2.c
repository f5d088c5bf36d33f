// The kernel compiled for AVX2 (the build file says so): 8 lanes are one register.
#ifdef __AVX2__
#define KERNEL      cri_kernel_avx2
#define KERNEL_NAME "8 lanes, AVX2"
#include "reach/kernel_body.h"
#else
#include "reach/checker.h"
const cri_kernel cri_kernel_avx2 = {0};
#endif
