// Edits of a scene's text: what comes where, and what each line says of it at its end.
#ifndef CRI_EDIT_H
#define CRI_EDIT_H

#include "base/file.h"
#include "scene/scene.h"

typedef struct cri_edit {
    size_t at, length; // bytes that go
    char text[80];     // that come
    char was[120];     // for the end of the line; empty: nothing
} cri_edit;

// The byte at which a node stands in the text.
size_t cri_edit_offset(const cr_scene *scene, const cri_node *node);

// True if a node is a plain scalar that stands in the text as it is.
bool cri_edit_fits(const cr_scene *scene, const cri_node *node);

// The text with the edits in it, which are put in order here. mark: stands before what was, at the
// end of each line; NULL: nothing is said.
void cri_edit_write(const cr_scene *scene, cri_edit *edits, int count, const char *mark,
                    cri_text *out);

#endif
