#include "scene/lookup.h"

#include <string.h>

// A macro, because the sorts of types differ in nothing but their name here.
#define FIND(sort)                                                                                 \
    const cr_##sort##_type *cri_find_##sort(const cr_library *library, const char *name,           \
                                            cri_suggestion *suggestion)                            \
    {                                                                                              \
        int count = cr_library_##sort##_count(library);                                            \
        for (int i = 0; i < count; i++) {                                                          \
            if (strcmp(cr_library_##sort(library, i)->name, name) == 0) {                          \
                return cr_library_##sort(library, i);                                              \
            }                                                                                      \
        }                                                                                          \
        for (int i = 0; suggestion && i < count; i++) {                                            \
            cri_suggest(suggestion, cr_library_##sort(library, i)->name);                          \
        }                                                                                          \
        return NULL;                                                                               \
    }

FIND(skill)
FIND(condition)
FIND(quantity)
FIND(select)
FIND(rank)
FIND(engine)
