// A scene with a word of it changed: what a sweep varies that is no parameter of the scene.
#ifndef LAB_EDIT_H
#define LAB_EDIT_H

#include <stdbool.h>
#include <stddef.h>

// Every `find` in the text becomes `text`; with `until`, the first one and what follows it up to
// there does. Nothing to find: nothing is changed.
typedef struct edit {
    char find[64], until[16], text[240];
} edit;

// The changed text, for the caller to free. NULL if it has no such place, or memory runs out.
char *edit_text(const edit *e, const char *text);

#endif
