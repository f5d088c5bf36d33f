// The table of selects, and the mixture of two of them.
#include "plan/select.h"

#include <assert.h>

typedef struct policy {
    const char *name;
    cri_select_function select;
    bool samples; // looks for the nearest neighbour of the sample
} policy;

static const policy policies[] = {
    [CR_SELECT_UNIFORM] = {"uniform", cri_select_uniform, false},
    [CR_SELECT_RRT] = {"rrt", cri_select_rrt, true},
    [CR_SELECT_BGT] = {"bgt", cri_select_bgt, false},
    [CR_SELECT_HYBRID] = {"hybrid", cri_select_hybrid, true},
};

const char *cr_select_name(cr_select select)
{
    assert(select <= CR_SELECT_HYBRID);
    return policies[select].name;
}

cri_select_function cri_select_find(cr_select select)
{
    assert(select <= CR_SELECT_HYBRID);
    return policies[select].select;
}

bool cri_select_samples(cr_select select)
{
    assert(select <= CR_SELECT_HYBRID);
    return policies[select].samples;
}

void cri_selection_update(cri_selection *selection)
{
    const cri_tree *tree = selection->tree;
    int32_t leaves = tree->count - tree->parent_count;
    selection->mean_leaf_depth = (double)tree->leaf_depth_sum / leaves;
    selection->mean_branching =
        tree->parent_count > 0 ? (double)(tree->count - 1) / tree->parent_count : 1;
}

void cri_selection_add(cri_selection *selection, int32_t branch)
{
    const cr_model *model = selection->model;
    if (selection->neighbors.capacity > 0) {
        int slot = model->bodies[model->sampling.body].slot;
        const cr_state *state = cri_tree_state(selection->tree, branch);
        cri_neighbors_add(&selection->neighbors, &cri_bodies_const(model, state)[slot], branch);
    }
}

// 003, 5.5.3: a coin decides between the two methods at each choice.
int32_t cri_select_hybrid(const cri_selection *selection, const cri_sample *sample, cr_rng *rng)
{
    bool bgt = cr_rng_unit(rng) < selection->def->bgt_share;
    return bgt ? cri_select_bgt(selection, sample, rng) : cri_select_rrt(selection, sample, rng);
}
