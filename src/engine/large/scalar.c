// The lanes of a large world one by one: the scalar twin.
#define CRI_LANES  1
#define LARGE      cri_large_scalar
#define LARGE_NAME "scalar"
#include "engine/large/lanes.h"
