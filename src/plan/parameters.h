// The planner's parameters: one table behind `plan:`, cr_scene_set, cr_parameter_* and the checks.
#ifndef CRI_PARAMETERS_H
#define CRI_PARAMETERS_H

#include "scene/compile.h"

// What a scene is compiled with.
extern const cri_plan_reader cri_plan_parameters;

// The index of a parameter, or -1; then suggestion, unless NULL, knows the nearest.
int cri_parameter_find(const char *name, cri_suggestion *suggestion);

// The value of a parameter as it would stand in a file; 64 bytes are enough. Returns text.
const char *cri_parameter_print(const cr_planner_def *def, int index, char *text, size_t size);

// Check a def that did not come from a scene: every number within its range, every name known.
cr_status cri_planner_def_check(const cr_planner_def *def, const cr_library *library,
                                cr_report *report);

#endif
