// The scalar twin of the kernel: one configuration at a time, the same bits.
#define CRI_LANES   1
#define KERNEL      cri_kernel_scalar
#define KERNEL_NAME "scalar"
#include "reach/kernel_body.h"
