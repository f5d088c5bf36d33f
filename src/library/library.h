// The inside of a library: what was added to the built-in types, and where it came from.
#ifndef CRI_LIBRARY_H
#define CRI_LIBRARY_H

#include "carom/extension.h"
#include "library/built_in.h"

// A growing list of pointers.
typedef struct cri_list {
    const void **items;
    int count, capacity;
} cri_list;

// An extension that is in the library.
typedef struct cri_loaded {
    const cr_extension *extension;
    void *handle; // of the shared object that it is in; NULL: the program's own
    char *path;   // of that, or NULL
} cri_loaded;

struct cr_library {
    cri_list added[CRI_SORT_COUNT];
    cri_list loaded; // of cri_loaded
};

// Add to a list; false when memory runs out.
bool cri_list_add(cri_list *list, const void *item);

// Take out of the library what was added behind these counts, one a sort.
void cri_library_cut(cr_library *library, const int counts[CRI_SORT_COUNT]);

// Let go of the shared object, and free it: extension.c.
void cri_loaded_free(cri_loaded *loaded);

#endif
