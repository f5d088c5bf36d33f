// The inside of a fit.
//
//     values --apply--> cr_numbers, one a candidate
//                          |  rollout.c: candidates x recordings worlds, all threads
//                          v
//     recorded paths    predicted paths
//            \            /
//             residual.c          velocity | angle | position, a slot a sample each
//                 |
//         search.c, nlopt.c, determine.c
#ifndef CRI_FIT_H
#define CRI_FIT_H

#include "fit/led.h"
#include "fit/recording.h"

// Where a body was, in the plane, at times; of a recording or of its prediction.
typedef struct cri_passage {
    int count;
    const double *time; // s, rising
    const double *x, *y;
} cri_passage;

// A bounce: where a path turns sharply at speed (003, FindIndexOfCollision).
typedef struct cri_bounce {
    int before; // the last sample before it
    double time;
    double x, y;
} cri_bounce;

// The first bounce at sample `from` or later; false if there is none.
bool cri_passage_bounce(const cri_passage *path, int from, cri_bounce *bounce);

// The velocity at a sample, by a parabola through the samples around it, within [first, last].
void cri_passage_velocity(const cri_passage *path, int sample, int first, int last, double *vx,
                          double *vy);

// Where a path is at a time, on the line between two samples.
void cri_passage_at(const cri_passage *path, double time, double *x, double *y);

// A passive body of a recording, prepared once.
typedef struct cri_seen {
    int recording, body;
    cri_passage path;        // owns its arrays
    int moving;              // first sample that counts: the body is set going there
    double scale_speed, way; // m/s: root of mean square; m: length
    bool bounces;
    cri_bounce bounce;
    int until;          // samples before the second bounce
    double *speed;      // m/s, by sample
    int first_residual; // of 4 x path.count: velocity, angle, position along x and y
} cri_seen;

// Something done to a body in a step of a recording.
typedef struct cri_deed {
    int step, slot;
    cr_action action;
} cri_deed;

// How a recording is rolled out: from a state, by deeds, so many steps.
typedef struct cri_script {
    cr_state *start;
    double begin; // s: time of the start
    int steps;
    cri_deed *deeds; // by step
    int deed_count;
    int first_seen, seen_count; // what is predicted in it
    cri_led *led;               // what is led
    int led_count;
} cri_script;

typedef enum cri_fit_kind {
    CRI_FIT_FRICTION,
    CRI_FIT_STATIC,
    CRI_FIT_RESTITUTION,
    CRI_FIT_ROLLING,
    CRI_FIT_SPINNING,
    CRI_FIT_LINEAR,
    CRI_FIT_ANGULAR,
    CRI_FIT_MASS,
    CRI_FIT_COUNT
} cri_fit_kind;

typedef struct cri_fit_number {
    char name[96];
    cri_fit_kind kind;
    int thing; // a material; a body for masses
    double value, low, high;
} cri_fit_number;

struct cr_fit {
    const cr_model *model;
    cr_fit_def def;
    const cr_recording *const *recordings;
    int recording_count;
    cri_script *scripts; // by recording
    cri_seen *seen;
    int seen_count;
    int residual_count;
    int with_bounce, without_bounce; // of the seen
    cri_fit_number parameters[CR_FIT_PARAMETERS_MAX];
    int parameter_count;
    cr_numbers *numbers[CR_FIT_PARAMETERS_MAX + 1]; // for candidates, made when needed
    cr_engine **engines;                            // by thread
    int thread_count;
};

// Predictions of some candidates: the paths of all that is seen.
typedef struct cri_prediction {
    int candidates;
    const cr_fit *fit;
    double *x, *y;   // [candidate][seen][step]: where each script's steps lead
    double *time;    // [recording][step]
    size_t *place;   // by seen: its first in a candidate's row
    size_t *clock;   // by recording: its first in time
    size_t row;      // of a candidate
    cr_vec2 *normal; // [candidate][seen]: of the first surface that it hits; 0: none
    bool *alive;     // [candidate][recording]
} cri_prediction;

// Roll out all recordings with each candidate's values; at most CR_FIT_PARAMETERS_MAX + 1 of them.
// Free it also after a failure.
cr_status cri_predict(cr_fit *fit, const double *values, int candidates, cri_prediction *p,
                      cr_report *report);
void cri_prediction_free(cri_prediction *p);

// The predicted path of something seen.
cri_passage cri_prediction_path(const cri_prediction *p, int candidate, int seen);

// The residuals of a candidate, weighted so that the sum of their squares is what least squares
// make small; NULL if not wanted. And its errors.
void cri_residuals(const cri_prediction *p, int candidate, double *residuals, cr_fit_error *error);

// A candidate's values in bounds.
void cri_fit_clamp(const cr_fit *fit, double *values);

// The search by NLopt (nlopt.c).
typedef struct cri_trial {
    cr_fit *fit;
    const cr_fit_search *search;
    cr_fit_result *result; // the best of this start
    bool stopped;
    cr_report *report;
    cr_status status;
} cri_trial;

cr_status cri_search_nlopt(cri_trial *trial);

// Told of a candidate: keep it if it is the best.
void cri_trial_note(cri_trial *trial, const double *values, const cr_fit_error *error);

// Symmetric matrices, n x n, rows one after the other (matrix.c). Solve a x = b; false if a is not
// positive definite. a is destroyed.
bool cri_matrix_solve(double *a, double *b, int n);

// Eigenvalues, rising, and eigenvectors (rows of vectors) of a, which is destroyed.
void cri_matrix_eigen(double *a, int n, double *values, double *vectors);

// What was numbers' place in the scene (edit.c uses it): true if the body itself has damping.
bool cri_body_has_damping(const cr_model *model, int body);

#endif
