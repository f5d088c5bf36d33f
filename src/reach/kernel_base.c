// The kernel for any machine, and the choice among kernels.
#define KERNEL      cri_kernel_base
#define KERNEL_NAME "8 lanes"
#include "reach/kernel_body.h"

const cri_kernel *cri_kernel_best(void)
{
#if defined(__x86_64__) || defined(__i386__)
    if (__builtin_cpu_supports("avx2") && cri_kernel_avx2.clear) {
        return &cri_kernel_avx2;
    }
#endif
    return &cri_kernel_base;
}
