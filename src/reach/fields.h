// Which keys a mapping may have: a table says of each key whether it is used, without effect or
// refused, and what may stand below it. The check walks a whole document, so that no key of any
// mapping is met without a word: what no table names is an error.
#ifndef CRI_REACH_FIELDS_H
#define CRI_REACH_FIELDS_H

#include "base/document.h"

typedef enum cri_field_kind {
    CRI_FIELD_USED,
    CRI_FIELD_HARMLESS, // says nothing about motion: stamps, names
    CRI_FIELD_IDLE,     // has no effect here; one warning names all that are not blank
    CRI_FIELD_REFUSED,  // not supported: an error unless it is blank
} cri_field_kind;

typedef struct cri_field {
    const char *key; // NULL: the table ends
    cri_field_kind kind;
    const struct cri_field *inside; // of the mapping below, or of each one in a list; NULL: none
    const char *why;                // REFUSED: what is not supported
} cri_field;

// Check a document. All errors are reported, with a suggestion where a key is unknown.
cr_status cri_fields_check(const cri_node *root, const char *file, const cri_field *table,
                           cr_report *report);

// True for what says nothing: null, "", 0, false, and lists and mappings of nothing else.
bool cri_field_blank(const cri_node *node);

#endif
