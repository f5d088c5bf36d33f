// Looking things up in a library; library NULL: the built-in tables.
#ifndef CRI_LIBRARY_H
#define CRI_LIBRARY_H

#include "base/report.h"
#include "carom/library.h"

extern const cr_condition_type *const cri_condition_types[]; // built-in, NULL at the end

// The one with that name, or NULL; then suggestion, unless NULL, knows the nearest.
const cr_skill_type *cri_library_find_skill(const cr_library *library, const char *name,
                                            cri_suggestion *suggestion);
const cr_condition_type *cri_library_find_condition(const cr_library *library, const char *name,
                                                    cri_suggestion *suggestion);
const cr_engine_type *cri_library_find_engine(const cr_library *library, const char *name,
                                              cri_suggestion *suggestion);

#endif
