// XML as calls, through expat: element opens with its attributes and its place, element closes.
//
// The rules against hostile texts are here: no document types (so no entities to blow up), limits
// of depth and of attribute length; the size was checked when the file was read.
#ifndef CRI_REACH_XML_H
#define CRI_REACH_XML_H

#include "base/report.h"

typedef struct cri_xml cri_xml;

// An element: name, and attributes as name, value, name, value, NULL.
typedef struct cri_element {
    const char *name;
    const char **attributes;
    cri_place place;
    int depth; // 0 for the root
} cri_element;

typedef struct cri_xml_def {
    const char *text;
    size_t length;
    const char *name; // stands for the file in messages
    // Both return false to end the reading after they reported an error.
    bool (*open)(void *context, const cri_element *element);
    bool (*close)(void *context, const char *name, int depth);
    void *context;
} cri_xml_def;

cr_status cri_xml_read(const cri_xml_def *def, cr_report *report);

// The value of an attribute, or NULL.
const char *cri_attribute(const cri_element *element, const char *name);

// Numbers of an attribute, separated by blanks: exactly count of them. True if the attribute is not
// there (values stay as they are) or good; else an error is reported.
bool cri_attribute_numbers(const cri_element *element, const char *name, double *values, int count,
                           cr_report *report);

#endif
