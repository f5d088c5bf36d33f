// Filling a cr_report.
#ifndef CRI_REPORT_H
#define CRI_REPORT_H

#include "carom/base.h"

// Where in a text an error is; {0} for nowhere.
typedef struct cri_location {
    const char *file;
    int line, column;
} cri_location;

// Add an error; returns its status, so that one can `return cri_fail(...)`. report may be NULL.
cr_status cri_fail(cr_report *report, cr_status status, cri_location location, const char *format,
                   ...) __attribute__((format(printf, 4, 5)));

cr_status cri_fail_memory(cr_report *report);

// Add a warning: something has no effect, or another one than might be thought, and nothing fails.
void cri_warn(cr_report *report, cri_location location, const char *format, ...)
    __attribute__((format(printf, 3, 4)));

// True if two words differ in nothing but the case of ASCII letters, in every locale: where I is
// not the large i, strcasecmp tells CYLINDER from cylinder.
bool cri_word_alike(const char *a, const char *b);

// How many letters must change to make b of a, for "did you mean"; large if the words have little
// in common.
int cri_word_distance(const char *a, const char *b);

// A search for the nearest known word. Start with best = NULL, offer all, then print.
typedef struct cri_suggestion {
    const char *word, *best;
    int distance;
} cri_suggestion;

void cri_suggest(cri_suggestion *suggestion, const char *known);

// `; did you mean "x"?` or an empty text, into text.
const char *cri_suggestion_print(const cri_suggestion *suggestion, char *text, size_t size);

#endif
