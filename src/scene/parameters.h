// The planner's parameters: one table behind `plan:`, cr_scene_set, cr_parameter_* and the checks.
#ifndef CRI_PARAMETERS_H
#define CRI_PARAMETERS_H

#include "scene/compile.h"

// The index of a parameter, or -1; then suggestion, unless NULL, knows the nearest.
int cri_parameter_find(const char *name, cri_suggestion *suggestion);

// Check a def that did not come from a scene: every number within its range, the engine known.
cr_status cri_planner_def_check(const cr_planner_def *def, const cr_library *library,
                                cr_report *report);

#endif
