// Keeping the part of a tree that is still ahead, once a plan was executed up to one of its
// decisions.
#include "plan/planner.h"

#include <assert.h>
#include <math.h>

#include "behavior/behavior.h"
#include "scene/evaluate.h"

// Solutions below the new root stay; their branches have moved.
static int keep_solutions(cr_planner *planner)
{
    int kept = 0;
    for (int i = 0; i < planner->stats.solutions; i++) {
        int32_t moved = planner->tree.moved[planner->solutions[i]];
        if (moved >= 0) {
            planner->solutions[kept++] = moved;
        }
    }
    return kept;
}

typedef struct best {
    double score;
    int32_t branch;
    int64_t step;
} best;

// The best future of all, if it is below the new root, or the best of the ends: what scores better
// between two decisions is not stored.
static best find_best(const cr_planner *planner, best old)
{
    const cri_tree *tree = &planner->tree;
    if (!planner->model->has_score) {
        return (best){-HUGE_VAL, -1, 0};
    }
    if (old.branch > 0 && tree->moved[old.branch] > 0) {
        return (best){old.score, tree->moved[old.branch], old.step};
    }
    best found = {-HUGE_VAL, -1, 0};
    for (int32_t b = 0; b < tree->count; b++) {
        double score = cri_score_of(planner->model, cri_tree_state(tree, b));
        if (score > found.score) {
            found = (best){score, b, tree->branches[b].steps};
        }
    }
    return found;
}

// Show the select every decision that is left.
static void select_again(cr_planner *planner)
{
    const cri_tree *tree = &planner->tree;
    for (int32_t b = 0; b < tree->count; b++) {
        if (!tree->branches[b].ended) {
            cri_selection_add(&planner->selection, b);
        }
    }
}

// With the lock held.
static void move_root(cr_planner *planner, int32_t branch)
{
    int64_t numbered = planner->numbered + planner->selected;
    best old = {planner->stats.best_score, planner->best_branch, planner->best_step};
    const cr_state *root = cri_tree_state(&planner->tree, branch);
    bool decision = cri_may_grow(planner->model, &planner->def, root);
    cri_tree_reroot(&planner->tree, branch, decision);
    int solutions = keep_solutions(planner);
    cri_planner_forget(planner);
    best now = find_best(planner, old);
    planner->numbered = numbered;
    planner->stats.solutions = solutions;
    planner->stats.best_score = now.score;
    planner->best_branch = now.branch;
    planner->best_step = now.step;
    planner->end_step =
        planner->root.state->step + cri_horizon_steps(planner->model, &planner->def);
    select_again(planner);
    if (solutions >= planner->def.solutions) {
        planner->outcome = CR_OUTCOME_SOLVED;
    }
    cri_planner_select(planner, 0);
}

cr_status cr_planner_reroot(cr_planner *planner, int64_t branch, cr_report *report)
{
    assert(branch >= 0 && branch < planner->tree.count);
    cr_root root = cri_root_view(planner->model, &planner->root);
    root.state = cri_tree_state(&planner->tree, branch);
    if (branch == 0) {
        return CR_OK;
    }
    cr_status status = cri_selection_restart(&planner->selection, report);
    if (status == CR_OK) {
        cri_crew_lock(&planner->crew);
        cri_root_set(planner->model, &planner->root, &root);
        move_root(planner, (int32_t)branch);
        cri_crew_unlock(&planner->crew);
    }
    return status;
}
