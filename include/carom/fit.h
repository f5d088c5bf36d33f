/// @file fit.h
/// Fitting the physics to recordings (003, chapter 8). A recording is what a vision system saw:
/// where bodies were, frame by frame, and what was done to them. Each candidate for the scene's
/// numbers is a cr_numbers block; every recording is rolled out with it from the same start by the
/// same actions, and the two are compared.
///
///     recordings (.csv) ----+                      +--> errors: velocity, bounce angle, position
///                           v                      |
///     numbers ---> roll-outs in the engine --> compare --> search: other numbers, again
///                                                  |
///                                                  +--> how far the data determine each number
///
/// docs/fit.md draws the errors and has the format of recordings.
///
/// Threads: recordings may be read by many threads at once; a fit is used by one thread at a time,
/// and starts threads of its own while it computes.
#ifndef CAROM_FIT_H
#define CAROM_FIT_H

#include "engine.h"

#ifdef __cplusplus
extern "C" {
#endif

// ---------------------------------------------------------------------------------------------
// Recordings.

/// One body in one frame.
typedef struct cr_sighting {
    double time;      ///< s
    int body;         ///< of the model; it can move
    int camera;       ///< that saw it; 0 if the file does not say
    cr_pose pose;     ///< of its centre of mass
    cr_action action; ///< on the body, from here on for one step; impulse, force, torque, twist
} cr_sighting;

/// What was not as it should be in a recording, and was mended.
typedef struct cr_recording_notes {
    int samples;    ///< that are left
    int gaps;       ///< places where frames are missing
    int duplicates; ///< a second sample of a body at the same time: the first is taken
    int outliers;   ///< samples far from those before and behind: left out
    int switches;   ///< changes of camera that moved a body: what follows is moved back
} cr_recording_notes;

typedef struct cr_recording cr_recording;

/// The longest recording that is read, in bytes.
#define CR_RECORDING_MAX_BYTES (32 << 20)

/// Read a recording: a table (.csv) whose first line names its columns: time, body, x, y, and of z,
/// heading, qx, qy, qz, qw, camera, ix, iy, iz (impulse), fx, fy, fz (force), tx, ty, tz (torque)
/// those that there are. Lines that begin with # are left out. The model must outlive it. Every
/// error has its line and column: a missing column, an unknown body, a number that is none, time
/// that goes backwards, fewer than two samples of any body.
CR_API cr_status cr_recording_read(const cr_model *model, const char *path,
                                   cr_recording **recording, cr_report *report);

/// The same from memory; name stands for the file in messages.
CR_API cr_status cr_recording_read_text(const cr_model *model, const char *text, size_t length,
                                        const char *name, cr_recording **recording,
                                        cr_report *report);

/// Free it; NULL is allowed.
CR_API void cr_recording_destroy(cr_recording *recording);

/// The name or path given to it; what was mended; the samples, by time.
CR_API const char *cr_recording_name(const cr_recording *recording);
CR_API cr_recording_notes cr_recording_get_notes(const cr_recording *recording);
CR_API int cr_recording_sample_count(const cr_recording *recording);
CR_API cr_sighting cr_recording_sample(const cr_recording *recording, int sample);

/// Write it as a table.
CR_API cr_status cr_recording_write(const cr_recording *recording, const char *path,
                                    cr_report *report);

/// A shot to be recorded: a ball that lies still and is kicked.
typedef struct cr_shot {
    int body;         ///< passive
    cr_vec3 position; ///< m, where it lies
    cr_vec3 velocity; ///< m/s that the kick gives it
} cr_shot;

/// How shots are recorded.
typedef struct cr_record_def {
    const char *engine;        ///< that plays the real world. NULL: "lanes". default NULL
    const cr_numbers *numbers; ///< of that world; NULL: the model's. default NULL
    uint64_t seed;             ///< of all noise. default 1
    double noise;              ///< m, deviation along x and y. default 0.002
    double rate;               ///< frames a second. default 60
    double seconds;            ///< after the kick. default 4
    double slow;               ///< m/s below which the recording ends. default 0.1
    double kick_speed;         ///< share: deviation of the kick's speed from what is recorded as
                               ///< its impulse. default 0
    double kick_aim;           ///< rad, likewise of its direction. default 0
    bool actions;              ///< have columns for the kick. default true
} cr_record_def;

/// The defaults above.
CR_API cr_record_def cr_default_record_def(void);

/// The shots of a set by name (003, 8.2.2), at most `room` of them; returns how many there are, or
/// -1 for an unknown name. `rolls`: 12 speeds, 2 to 7.5 m/s, three times each, away from the bar;
/// `bounces`: 7 angles, 11.25 to 78.75 degrees from the bar's normal, at 10 speeds, 3 to 7.5 m/s;
/// `held-out`: 20 shots with other speeds and angles. The bar's normal is the x axis of its frame.
/// NULL: tells how many.
CR_API int cr_shot_set(const cr_model *model, const char *name, int ball, int bar, cr_shot *shots,
                       int room);

/// Play a shot in an engine and record it. index: of the shot in its series; it names the noise.
CR_API cr_status cr_shot_record(const cr_model *model, const cr_shot *shot, int index,
                                const cr_record_def *def, cr_recording **recording,
                                cr_report *report);

// ---------------------------------------------------------------------------------------------
// Fits.

/// How a fit compares.
typedef struct cr_fit_def {
    const char *engine; ///< that predicts. NULL: "lanes". default NULL
    int threads;        ///< 0: as many as there are cores. Changes nothing but time. default 0
    double velocity;    ///< weight of the velocity profile (algorithm 14). default 0.5
    double angle;       ///< weight of the bounce angle (algorithm 15). default 0.5
    double position;    ///< weight of the position. default 0
    double slow;        ///< m/s below which angles are not compared. default 0.1
} cr_fit_def;

/// The defaults above.
CR_API cr_fit_def cr_default_fit_def(void);

typedef struct cr_fit cr_fit;

/// A fit of a model's numbers to recordings of the model, which must outlive it. At first it has no
/// parameters. Fails with CR_ERR_RANGE where a weight is negative or all are 0, or where no passive
/// body is recorded.
CR_API cr_status cr_fit_create(const cr_model *model, const cr_recording *const *recordings,
                               int count, const cr_fit_def *def, cr_fit **fit, cr_report *report);

/// Free it; NULL is allowed.
CR_API void cr_fit_destroy(cr_fit *fit);

/// One number that may change: a material's friction (its static friction goes along unless it is a
/// parameter itself), static_friction, restitution, rolling, spinning, damping.linear or
/// damping.angular, as "ball.friction"; or a body's mass, as "ball.mass".
typedef struct cr_fit_parameter {
    const char *name;
    double value;     ///< where a search begins: the model's
    double low, high; ///< bounds
} cr_fit_parameter;

/// The most parameters of a fit.
#define CR_FIT_PARAMETERS_MAX 32

/// Set a number of a block by such a name, and ask for that of the model. A material's friction
/// takes its static friction along. Fail with CR_ERR_NAME where there is none, CR_ERR_RANGE where
/// the value is out of range.
CR_API cr_status cr_numbers_set_named(cr_numbers *numbers, const cr_model *model, const char *name,
                                      double value, cr_report *report);
CR_API cr_status cr_model_number_named(const cr_model *model, const char *name, double *value,
                                       cr_report *report);

/// Add parameters: all whose name is the pattern, in which * stands for anything. NULL: those of
/// 003, 8.2.1: friction, restitution and damping of all materials that recorded passive bodies are
/// made of, friction and restitution of those that they may touch. Fails with CR_ERR_NAME where
/// nothing has that name, and with CR_ERR_RANGE where there are too many.
CR_API cr_status cr_fit_add(cr_fit *fit, const char *pattern, cr_report *report);

/// The parameters, in the order of their adding.
CR_API int cr_fit_parameter_count(const cr_fit *fit);
CR_API cr_fit_parameter cr_fit_parameter_at(const cr_fit *fit, int parameter);

/// How far predictions are from recordings.
typedef struct cr_fit_error {
    double total;    ///< sqrt(sum of weight x error^2) over the three: Eval of 003, 8.2.3
    double velocity; ///< mean over recordings without a bounce: share of their speed
    double angle;    ///< mean over recordings with a bounce: of outgoing over incoming angle
    double position; ///< mean over all recordings: share of the way
    double metres;   ///< root of the mean square of all distances, in m
} cr_fit_error;

/// The errors of candidates, all roll-outs side by side. values: cr_fit_parameter_count numbers a
/// candidate; errors: one a candidate.
CR_API cr_status cr_fit_evaluate(cr_fit *fit, const double *values, int candidates,
                                 cr_fit_error *errors, cr_report *report);

/// How a search goes.
typedef struct cr_fit_search {
    /// "least-squares": Levenberg-Marquardt over all residuals; or, where the library was built
    /// with NLopt, "nelder-mead" (003, 8.1), "sbplx" or "bobyqa" over the total error. default
    /// "least-squares"
    const char *method;
    int starts;          ///< the model's numbers, and so many - 1 others within the bounds, drawn
                         ///< by `seed`. default 1
    uint64_t seed;       ///< default 1
    int64_t evaluations; ///< most candidates tried from a start. default 2000
    /// Told of each start and each improvement: candidates tried, their best error, its values.
    /// False stops the search. NULL: nobody looks.
    bool (*show)(int64_t evaluations, const cr_fit_error *error, const double *values,
                 void *context);
    void *context;
} cr_fit_search;

/// The defaults above.
CR_API cr_fit_search cr_default_fit_search(void);

/// True if the library was built with NLopt.
CR_API bool cr_fit_has_nlopt(void);

/// What a search found.
typedef struct cr_fit_result {
    cr_fit_error before, after;
    int64_t evaluations;
    int start; ///< the one that led here, from 0
    double values[CR_FIT_PARAMETERS_MAX];
} cr_fit_result;

/// Search for the values with the least error. Fails with CR_ERR_NAME for a method that is not
/// there.
CR_API cr_status cr_fit_run(cr_fit *fit, const cr_fit_search *search, cr_fit_result *result,
                            cr_report *report);

/// How far the recordings determine a number.
typedef struct cr_coefficient {
    char name[96];    ///< of a parameter; or "ball-wood friction", "ball rolling decay"
    double value;     ///< at the values that were asked about
    double deviation; ///< standard; HUGE_VAL where they say nothing
    bool parameter;   ///< false: follows from several parameters
    bool determined;  ///< the deviation is at most a tenth of the value
} cr_coefficient;

/// A direction in which the values can be changed together, almost without effect.
typedef struct cr_direction {
    double deviation;                     ///< how far, in shares of the values
    double shares[CR_FIT_PARAMETERS_MAX]; ///< of each parameter; of length 1
} cr_direction;

/// The most coefficients that are told of.
#define CR_COEFFICIENTS_MAX 128

typedef struct cr_determination {
    int coefficient_count;
    cr_coefficient coefficients[CR_COEFFICIENTS_MAX]; ///< the parameters first
    int direction_count;                              ///< of those that are ill-determined
    cr_direction directions[CR_FIT_PARAMETERS_MAX];   ///< the worst first
} cr_determination;

/// Ask how far each parameter is determined at these values, and each coefficient that follows from
/// them: friction and restitution where two materials meet, and how fast balls that roll lose
/// speed. From the residuals' derivatives and what is left of them, recording by recording.
CR_API cr_status cr_fit_determine(cr_fit *fit, const double *values,
                                  cr_determination *determination, cr_report *report);

/// Set the numbers of a block of the same model to values.
CR_API cr_status cr_fit_apply(const cr_fit *fit, const double *values, cr_numbers *numbers,
                              cr_report *report);

/// The scene's text with these values in it. All else stays, comments too; each line that changes
/// says at its end what stood there. *text is zero-terminated: free it. Fails where the text cannot
/// hold them, as where a value stands in a place that is no scalar.
CR_API cr_status cr_fit_scene_text(const cr_fit *fit, const double *values, char **text,
                                   size_t *length, cr_report *report);

/// One point of a recording beside its prediction.
typedef struct cr_fit_point {
    double time;
    int body;
    cr_vec2 recorded, predicted;
} cr_fit_point;

/// Recorded and predicted ways of a recording, for pictures. points: room for as many as the
/// recording has samples; returns how many there are.
CR_API int cr_fit_points(cr_fit *fit, int recording, const double *values, cr_fit_point *points);

#ifdef __cplusplus
}
#endif

#endif
