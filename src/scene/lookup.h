// Names of a scene, looked up in a library by its public queries: the rooms below know what a type
// is, and only src/library/ above them knows which there are.
#ifndef CRI_LOOKUP_H
#define CRI_LOOKUP_H

#include "base/report.h"
#include "carom/rank.h"
#include "carom/select.h"

// The one with that name, or NULL; then suggestion, unless NULL, knows the nearest. library NULL:
// the built-in ones.
const cr_skill_type *cri_find_skill(const cr_library *library, const char *name,
                                    cri_suggestion *suggestion);
const cr_condition_type *cri_find_condition(const cr_library *library, const char *name,
                                            cri_suggestion *suggestion);
const cr_quantity_type *cri_find_quantity(const cr_library *library, const char *name,
                                          cri_suggestion *suggestion);
const cr_select_type *cri_find_select(const cr_library *library, const char *name,
                                      cri_suggestion *suggestion);
const cr_rank_type *cri_find_rank(const cr_library *library, const char *name,
                                  cri_suggestion *suggestion);
const cr_engine_type *cri_find_engine(const cr_library *library, const char *name,
                                      cri_suggestion *suggestion);

#endif
