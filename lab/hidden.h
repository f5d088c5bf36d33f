// Hidden worlds: numbers near the published ones, recorded, and fitted from the initial column of
// 003, table 8.1.
#ifndef LAB_HIDDEN_H
#define LAB_HIDDEN_H

#include "terminal/terminal.h"

// The eight parameters of 8.2.1, in the order of the table.
enum {
    HIDDEN_BALL_FRICTION,
    HIDDEN_BALL_RESTITUTION,
    HIDDEN_LINEAR,
    HIDDEN_ANGULAR,
    HIDDEN_WOOD_FRICTION,
    HIDDEN_WOOD_RESTITUTION,
    HIDDEN_CARPET_FRICTION,
    HIDDEN_CARPET_RESTITUTION,
    HIDDEN_COUNT
};

extern const char *const hidden_names[HIDDEN_COUNT];
extern const double hidden_initial[HIDDEN_COUNT], hidden_published[HIDDEN_COUNT];

typedef struct hidden_def {
    uint64_t seed;      // moves each number by up to 10%; 0: not at all
    const char *engine; // that plays the world; lanes predicts
    int every;          // of the 106 shots every so many-th is recorded
    const char *method; // of the search; NULL: the default
    int64_t evaluations;
    bool (*show)(int64_t evaluations, const cr_fit_error *error, const double *values,
                 void *context);
    void *context;
} hidden_def;

typedef struct hidden_fit {
    double values[HIDDEN_COUNT];
    double held_before, held_after; // m, on held-out shots without noise
    int recordings, directions;     // used; ill-determined
    int64_t evaluations;
    double seconds;
} hidden_fit;

// Record a world with 2 mm of noise at 60 Hz, fit, and judge on the held-out shots. Returns -1, or
// an exit code after a message.
int hidden_run(const hidden_def *def, double *truth, hidden_fit *fit);

// A scene's model with these numbers in its text.
cr_status hidden_model(const cr_scene *scene, const double *values, cr_model **model,
                       cr_report *report);

// A block of numbers with them.
cr_status hidden_set(const cr_model *model, const double *values, cr_numbers *numbers,
                     cr_report *report);

#endif
