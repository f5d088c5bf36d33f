// The inside of a tuning.
#ifndef CRI_TUNE_H
#define CRI_TUNE_H

#include <pthread.h>

#include "carom/tune.h"
#include "fit/edit.h"

#define CRI_TUNABLES_MAX 256

typedef enum cri_tunable_kind {
    CRI_TUNABLE_WEIGHT,
    CRI_TUNABLE_LOW, // of a range; its high end stands behind it
    CRI_TUNABLE_HIGH,
    CRI_TUNABLE_MU,
} cri_tunable_kind;

// A number of the text that may change.
typedef struct cri_tunable {
    char name[120];
    cri_tunable_kind kind;
    const cri_node *node; // the scalar; or a map in front of whose first key `weight: ` is put
    bool insert;
    const char *unit; // what stands behind the number: " deg"
    double value, width;
} cri_tunable;

struct cr_tuning {
    const cr_scene *scene;
    cr_tune_def def;
    cri_tunable parameters[CRI_TUNABLES_MAX];
    int count;
    bool has_starts;
    int threads;
    double best[CRI_TUNABLES_MAX];
    cr_tune_result result;
    cri_text text;
};

// Find what may change (tunables.c).
cr_status cri_tuning_collect(cr_tuning *t, const cr_model *model, cr_report *report);

// The text with these values. mark: as in cri_edit_write.
void cri_tuning_write(const cr_tuning *t, const double *values, const char *mark, cri_text *out);

// True if the text is the pattern, in which * stands for anything.
bool cri_is_like(const char *text, const char *pattern);

#endif
