/// @file tune.h
/// Tuning a Tactic to its task (003, 11.2): other weights of transitions, other ranges to draw
/// from, another mu, Skills that are left out; judged by how many steps a search simulates until it
/// solves the scene.
///
///     text --edit--> candidate --compile--> models, one a start --search--> steps to solve
///       ^                                                                        |
///       +---- a cloud about the present values, which moves to the best of it <--+
///
/// All candidates of a generation meet the same seeds and starts; others, which no candidate ever
/// met, tell whether what was found holds.
///
/// Threads: a tuning may be read by many threads at once; making one starts threads of its own.
#ifndef CAROM_TUNE_H
#define CAROM_TUNE_H

#include "planner.h"

#ifdef __cplusplus
extern "C" {
#endif

/// How a scene did in some searches. One that finds nothing counts for twice its limit of steps.
typedef struct cr_tune_score {
    double steps;     ///< mean
    double deviation; ///< standard, of the mean
    int solved, runs;
} cr_tune_score;

/// How to tune.
typedef struct cr_tune_def {
    const char *pattern; ///< of names that may change, in which * stands for anything; NULL: all.
                         ///< default NULL
    int runs;            ///< searches that a candidate is judged by, >= 1. default 64
    int held_out;        ///< searches that none is judged by, >= 1. default 100
    int candidates;      ///< that are tried, in generations of 12, >= 0. default 120
    uint64_t seed;       ///< of the candidates. default 1
    bool equal;          ///< begin with all weights 1. default false
    int threads;         ///< 0: as many as there are cores. Changes nothing but time. default 0
    /// Told after each generation: how many candidates there were, the score of its best. False
    /// stops it. NULL: nobody looks.
    bool (*show)(int candidates, const cr_tune_score *best, void *context);
    void *context;
} cr_tune_def;

/// The defaults above.
CR_API cr_tune_def cr_default_tune_def(void);

typedef struct cr_tuning cr_tuning;

/// Tune the Tactics of a scene's controlled bodies. A scene with `start:` is searched from starts
/// 1, 2, ..., others from their start with seeds 1, 2, ... Fails with CR_ERR_NAME where nothing can
/// change, and as cr_model_create does.
CR_API cr_status cr_tune_run(const cr_scene *scene, const cr_tune_def *def, cr_tuning **tuning,
                             cr_report *report);

/// Free it; NULL is allowed.
CR_API void cr_tuning_destroy(cr_tuning *tuning);

/// One number that may have changed: a weight, "attack.next.get.dribble"; an end of a range,
/// "attack.dribble.speed.low"; or "plan.mu".
typedef struct cr_tune_parameter {
    const char *name;
    double before, after; ///< as in the scene; as tuned
} cr_tune_parameter;

/// The parameters, in the order of the file.
CR_API int cr_tuning_parameter_count(const cr_tuning *tuning);
CR_API cr_tune_parameter cr_tuning_parameter(const cr_tuning *tuning, int parameter);

/// What came of it.
typedef struct cr_tune_result {
    int candidates;              ///< that were tried
    cr_tune_score before, after; ///< of the scene as it is, and as tuned; seen while tuning
    cr_tune_score begun;         ///< where it began: `before` unless it began with equal weights
    cr_tune_score held_before, held_begun, held_after; ///< in searches that no candidate met
    bool better; ///< held out, tuned needs fewer steps than before, by more than the deviation of
                 ///< the difference
} cr_tune_result;

/// The scores.
CR_API cr_tune_result cr_tuning_result(const cr_tuning *tuning);

/// The scene's text as tuned: comments are kept, and each line that changes says what stood there.
/// It belongs to the tuning.
CR_API const char *cr_tuning_text(const cr_tuning *tuning, size_t *length);

#ifdef __cplusplus
}
#endif

#endif
