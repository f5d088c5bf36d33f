// What carom comes with: const tables, NULL at the end.
#ifndef CRI_BUILT_IN_H
#define CRI_BUILT_IN_H

#include "carom/library.h"

extern const cr_skill_type *const cri_built_in_skills[];
extern const cr_condition_type *const cri_built_in_conditions[];
extern const cr_engine_type *const cri_built_in_engines[];

#endif
