// What a fit found, and how it is shown.
#ifndef CLI_FIT_H
#define CLI_FIT_H

#include "terminal/terminal.h"

// The recordings of a fit: all of them, those it is made from, those kept back.
typedef struct fit_data {
    cr_recording **all;
    int count;
    const cr_recording **used, **held;
    int used_count, held_count;
} fit_data;

typedef struct fit_summary {
    const cr_model *model;
    cr_fit *fit;
    cr_fit_result result;
    cr_fit_error held_before, held_after;
    cr_determination determination;
    const char *output;
    double started; // now_seconds
} fit_summary;

// On stdout, as text or JSON.
void fit_print(const fit_summary *s, const fit_data *data);

// Recordings and predictions seen from above, before and after. Returns -1, or an exit code after
// a message.
int fit_picture(const fit_summary *s, const fit_data *data, const char *path);

#endif
