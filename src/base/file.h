// Whole files, read with a limit, and texts that grow until they are written (cr_file_write).
#ifndef CRI_FILE_H
#define CRI_FILE_H

#include "base/number.h"
#include "base/report.h"

// Read a regular file of at most max bytes. *text is zero-terminated; free it. The size is checked
// before memory is asked for.
cr_status cri_file_read(const char *path, size_t max, char **text, size_t *length,
                        cr_report *report);

// A text that grows. Start with {0}; `failed` is set, and all later calls do nothing, once memory
// runs out.
typedef struct cri_text {
    char *data; // zero-terminated once anything was added
    size_t length, capacity;
    bool failed;
} cri_text;

void cri_text_add(cri_text *text, const char *format, ...) __attribute__((format(printf, 2, 3)));
void cri_text_add_bytes(cri_text *text, const void *data, size_t length);

// A double as cri_number_print has it.
void cri_text_add_number(cri_text *text, double value);

// A JSON string with its quotes.
void cri_text_add_string(cri_text *text, const char *string, size_t length);

void cri_text_free(cri_text *text);

#endif
