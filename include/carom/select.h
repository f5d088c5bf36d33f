/// @file select.h
/// A select chooses the decision that the search grows from next: it is what makes one planner
/// different from another (rrt, bgt, ...). To add one, fill a cr_select_type and register it with
/// cr_library_add_select; scenes, `--select` and --set know it by its name from then on.
/// docs/adding.md walks through an example.
///
/// A select sees the tree as it stands. A decision is the end of a branch and known by the branch's
/// number; the start is branch 0. Candidates are the decisions that can be grown from, in two
/// lists:
///
///     leaves   nothing grows from them yet, and no attempt is under way from them
///     inners   the others
///
/// Threads: a planner calls its select from one thread at a time, though not always the same one;
/// several planners call it at once.
#ifndef CAROM_SELECT_H
#define CAROM_SELECT_H

#include "planner.h"

#ifdef __cplusplus
extern "C" {
#endif

/// Where the scene's `sample:` has drawn a point for an attempt; zero without a `sample:`.
typedef struct cr_sample {
    cr_vec3 place;  ///< m
    double heading; ///< rad; 0 unless the scene samples it
} cr_sample;

/// The tree that is searched, and the index of its decisions; for the functions below.
typedef struct cr_selection cr_selection;

/// What a select sees when it is called.
typedef struct cr_select_call {
    const cr_model *model;
    const cr_planner_def *def;
    const cr_selection *selection;
    int64_t branch_count;            ///< in the tree; 1 or more
    int64_t leaf_count, inner_count; ///< candidates
    /// The averages of 003, algorithm 9, as they were when attempts were last selected: steps from
    /// the start to a branch without children, and children per branch that has any (1 if none
    /// has).
    double mean_leaf_depth, mean_branching;
    const cr_sample *sample; ///< of the attempt, in `choose`; else NULL
    cr_rng *rng;             ///< for this choice alone, in `choose`; else NULL
    void *data;              ///< what `create` has made; else NULL
} cr_select_call;

/// The i-th candidate of a list: a branch.
CR_API int64_t cr_select_leaf(const cr_select_call *call, int64_t i);
CR_API int64_t cr_select_inner(const cr_select_call *call, int64_t i);

/// A branch of the tree, 0 .. branch_count-1, and the state at its end.
CR_API cr_branch cr_select_branch(const cr_select_call *call, int64_t branch);
CR_API const cr_state *cr_select_state(const cr_select_call *call, int64_t branch);

/// The decision from which the sampled body arrives first at the sample, under the time metric of
/// 003, 5.3.4; of those that are as near, any. It may be no candidate any more only if it has
/// ended, so it always can be chosen. -1 where the scene has no `sample:`. The type must say
/// `samples`.
CR_API int64_t cr_select_nearest(const cr_select_call *call, const cr_sample *sample);

/// A select. The tree must come out the same from the same calls: no clock, no address, no static,
/// and randomness from call->rng alone.
struct cr_select_type {
    const char *name;
    const char *about;
    bool samples; ///< it asks cr_select_nearest: an index is kept
    /// Choose from the candidates, of which there is at least one. Must not allocate.
    int64_t (*choose)(const cr_select_call *call);
    /// Make what the select keeps during one search; def->nodes bounds the branches. May be NULL;
    /// `destroy` then is too. Called anew when a search starts again.
    cr_status (*create)(const cr_model *model, const cr_planner_def *def, void **data,
                        cr_report *report);
    void (*destroy)(void *data);
    /// An attempt that grew from `parent` is back; branch: what it added to the tree, or -1 if it
    /// was not kept. In the order of the tree, whatever the threads. May be NULL.
    void (*kept)(const cr_select_call *call, int64_t parent, int64_t branch);
};

#ifdef __cplusplus
}
#endif

#endif
