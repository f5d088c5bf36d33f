/// @file rank.h
/// A rank says which of several solutions is better. To add one, fill a cr_rank_type and register
/// it with cr_library_add_rank; scenes, `--rank` and --set know it by its name from then on.
/// docs/adding.md walks through an example.
///
/// Threads: a rank is called by the thread that takes a plan from a search, several at once where
/// several do.
#ifndef CAROM_RANK_H
#define CAROM_RANK_H

#include "plan.h"

#ifdef __cplusplus
extern "C" {
#endif

/// The most numbers that a rank may measure.
#define CR_RANK_MEASURES_MAX 8

/// What a rank sees of a solution. Before it has been replayed its turning, contacts and measures
/// are 0; what a rank says then only decides which ones are replayed first, where time is short.
typedef struct cr_rank_call {
    const cr_model *model;
    const cr_planner_def *def; ///< with the weights of `sum`
    const cr_solution *solution;
    const double *measures; ///< cr_rank_type.measures of them
} cr_rank_call;

/// A rank. It must depend on nothing but what it is given.
struct cr_rank_type {
    const char *name;
    const char *about;
    /// How good a solution is: larger is better. Ties go to the sooner one, then to the one found
    /// earlier.
    double (*worth)(const cr_rank_call *call);
    int measures; ///< numbers that `measure` keeps, 0 .. CR_RANK_MEASURES_MAX
    /// Look at a step of the solution, after each one of its replay. measures: zero before the
    /// first. NULL if measures is 0.
    void (*measure)(const cr_replay_step *step, double *measures);
};

#ifdef __cplusplus
}
#endif

#endif
