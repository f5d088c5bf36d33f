// The lanes of a large world for any machine.
#define LARGE      cri_large_base
#define LARGE_NAME "8 lanes"
#include "engine/large/lanes.h"
