// The built-in engines.
#ifndef CRI_ENGINE_H
#define CRI_ENGINE_H

#include "scene/model.h"

extern const cr_engine_type cri_engine_ode;
extern const cr_engine_type cri_engine_lanes;

// As lanes, with every model taken for a large one: for tests. In no library.
extern const cr_engine_type cri_engine_large;

#endif
