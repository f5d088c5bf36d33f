// A select at work, and what it may ask about the tree.
#include "plan/select.h"

#include <assert.h>

#include "base/report.h"
#include "scene/lookup.h"

cr_status cri_selection_create(cr_selection *selection, const cri_tree *tree,
                               const cr_planner_def *def, cr_report *report)
{
    const cr_model *model = tree->model;
    const cr_select_type *type = cri_find_select(model->library, def->select, NULL);
    assert(type);
    *selection = (cr_selection){.type = type, .tree = tree};
    selection->call = (cr_select_call){.model = model, .def = def, .selection = selection};
    if (type->samples && model->sampling.present &&
        cri_neighbours_create(&selection->neighbours, model, def->nodes) != CR_OK) {
        return cri_fail_memory(report);
    }
    return type->create ? type->create(model, def, &selection->call.data, report) : CR_OK;
}

void cri_selection_free(cr_selection *selection)
{
    if (selection->call.data) {
        selection->type->destroy(selection->call.data);
    }
    cri_neighbours_free(&selection->neighbours);
    *selection = (cr_selection){0};
}

cr_status cri_selection_restart(cr_selection *selection, cr_report *report)
{
    const cr_select_type *type = selection->type;
    cr_select_call *call = &selection->call;
    void *data = NULL;
    cr_status status = type->create ? type->create(call->model, call->def, &data, report) : CR_OK;
    if (status != CR_OK) {
        return status;
    }
    if (call->data) {
        type->destroy(call->data);
    }
    call->data = data;
    cri_neighbours_clear(&selection->neighbours);
    return CR_OK;
}

void cri_selection_add(cr_selection *selection, int32_t branch)
{
    const cr_model *model = selection->call.model;
    if (selection->neighbours.capacity > 0) {
        int slot = model->bodies[model->sampling.body].slot;
        const cr_state *state = cri_tree_state(selection->tree, branch);
        cri_neighbours_add(&selection->neighbours, &cri_bodies_const(model, state)[slot], branch);
    }
}

void cri_selection_update(cr_selection *selection)
{
    const cri_tree *tree = selection->tree;
    int32_t leaves = tree->count - tree->parent_count;
    selection->call.mean_leaf_depth = (double)tree->leaf_depth_sum / leaves;
    selection->call.mean_branching =
        tree->parent_count > 0 ? (double)(tree->count - 1) / tree->parent_count : 1;
}

static void count_candidates(cr_selection *selection)
{
    selection->call.branch_count = selection->tree->count;
    selection->call.leaf_count = selection->tree->leaf_count;
    selection->call.inner_count = selection->tree->inner_count;
}

int32_t cri_selection_choose(cr_selection *selection, const cr_sample *sample, cr_rng *rng)
{
    count_candidates(selection);
    selection->call.sample = sample;
    selection->call.rng = rng;
    int64_t branch = selection->type->choose(&selection->call);
    selection->call.sample = NULL;
    selection->call.rng = NULL;
    assert(branch >= 0 && branch < selection->tree->count);
    assert(selection->tree->branches[branch].place >= 0); // a candidate
    return (int32_t)branch;
}

void cri_selection_kept(cr_selection *selection, int32_t parent, int32_t branch)
{
    if (selection->type->kept) {
        count_candidates(selection);
        selection->type->kept(&selection->call, parent, branch);
    }
}

// ---------------------------------------------------------------------------------------------
// What a select may ask.

int64_t cr_select_leaf(const cr_select_call *call, int64_t i)
{
    assert(i >= 0 && i < call->selection->tree->leaf_count);
    return call->selection->tree->leaves[i];
}

int64_t cr_select_inner(const cr_select_call *call, int64_t i)
{
    assert(i >= 0 && i < call->selection->tree->inner_count);
    return call->selection->tree->inners[i];
}

cr_branch cr_select_branch(const cr_select_call *call, int64_t branch)
{
    return cri_tree_branch_at(call->selection->tree, branch);
}

const cr_state *cr_select_state(const cr_select_call *call, int64_t branch)
{
    assert(branch >= 0 && branch < call->selection->tree->count);
    return cri_tree_state(call->selection->tree, branch);
}

int64_t cr_select_nearest(const cr_select_call *call, const cr_sample *sample)
{
    assert(call->selection->type->samples);
    const cri_neighbours *neighbours = &call->selection->neighbours;
    return neighbours->count > 0 ? cri_neighbours_find(neighbours, sample, call->rng) : -1;
}
