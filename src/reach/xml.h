// XML read by tables, through expat.
//
// A table names the elements that may stand inside of another: those that are read, those known to
// have no effect, those that are refused. An element that no row names is reported, and so is an
// attribute that nobody asked for: a misspelling of something that counts is an error, anything
// else a warning, once for each kind.
//
// The rules against hostile texts are here: no document types (so no entities to blow up), limits
// of depth and of attribute length; the size was checked when the file was read.
#ifndef CRI_REACH_XML_H
#define CRI_REACH_XML_H

#include "base/report.h"

enum { CRI_XML_ASKED_MAX = 8 };

// An element: name, and attributes as name, value, name, value, NULL.
typedef struct cri_element {
    const char *name;
    const char **attributes;
    cri_location place;
    const char *asked[CRI_XML_ASKED_MAX]; // attributes that were asked for
    int asked_count;
} cri_element;

typedef enum cri_xml_kind {
    CRI_XML_READ,
    CRI_XML_IDLE,    // known to say nothing about motion; it and what is inside is passed over
    CRI_XML_REFUSED, // an error that says why
} cri_xml_kind;

typedef struct cri_xml_row {
    const char *name; // "*" at the end stands for anything; NULL: the table ends
    cri_xml_kind kind;
    bool once;        // at most one inside of its parent
    const char *idle; // READ: attributes known to have no effect, separated by blanks; or NULL
    // READ: both return false to end the reading after they reported an error; close may be NULL.
    bool (*open)(void *context, cri_element *element);
    bool (*close)(void *context);
    const struct cri_xml_row *inside; // READ: what may stand inside; NULL: nothing
    const char *why;                  // REFUSED
} cri_xml_row;

typedef struct cri_xml_def {
    const char *text;
    size_t length;
    const char *name;        // stands for the file in messages
    const cri_xml_row *root; // a table of one row for the root, and "*" for all others
    void *context;           // of open and close
} cri_xml_def;

cr_status cri_xml_read(const cri_xml_def *def, cr_report *report);

// The value of an attribute, or NULL.
const char *cri_attribute(cri_element *element, const char *name);

// The value of an attribute that must be there; NULL after an error.
const char *cri_attribute_needed(cri_element *element, const char *name, cr_report *report);

// Numbers of an attribute, separated by blanks: exactly count of them. True if the attribute is not
// there (values stay as they are) or good; else an error is reported.
bool cri_attribute_numbers(cri_element *element, const char *name, double *values, int count,
                           cr_report *report);

#endif
