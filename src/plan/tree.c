#include "plan/tree.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

#include "base/hash.h"
#include "base/report.h"

static void put(cri_tree *tree, int32_t branch, bool in_leaves)
{
    int32_t *list = in_leaves ? tree->leaves : tree->inners;
    int32_t *count = in_leaves ? &tree->leaf_count : &tree->inner_count;
    tree->branches[branch].in_leaves = in_leaves;
    tree->branches[branch].place = *count;
    list[(*count)++] = branch;
}

// The last of the list takes the free place.
static void take(cri_tree *tree, int32_t branch)
{
    cri_tree_branch *b = &tree->branches[branch];
    int32_t *list = b->in_leaves ? tree->leaves : tree->inners;
    int32_t *count = b->in_leaves ? &tree->leaf_count : &tree->inner_count;
    assert(b->place >= 0 && b->place < *count && list[b->place] == branch);
    int32_t last = list[--*count];
    list[b->place] = last;
    tree->branches[last].place = b->place;
    b->place = -1;
}

static void set_state(cri_tree *tree, int32_t branch, const cr_state *state)
{
    memcpy(tree->states + (size_t)branch * tree->model->state_size, state, tree->model->state_size);
}

static void add_hash(cri_tree *tree, int32_t index)
{
    const cri_tree_branch *b = &tree->branches[index];
    uint64_t words[5] = {(uint64_t)b->parent, (uint64_t)b->attempt, (uint64_t)b->steps,
                         (uint64_t)b->ended * 2 + (uint64_t)b->goal,
                         cr_state_hash(tree->model, cri_tree_state(tree, index))};
    tree->hash = cri_hash_words(tree->hash, words, sizeof words);
}

// Not zeroed: what is never written to costs nothing.
static void *make_room(size_t count, size_t size)
{
    return count <= SIZE_MAX / size ? malloc(count * size) : NULL;
}

cr_status cri_tree_create(const cr_model *model, int64_t nodes, cri_tree *tree, cr_report *report)
{
    size_t n = (size_t)nodes;
    *tree = (cri_tree){.model = model, .capacity = nodes};
    tree->branches = make_room(n, sizeof *tree->branches);
    tree->states = make_room(n, model->state_size);
    tree->leaves = make_room(n, sizeof *tree->leaves);
    tree->inners = make_room(n, sizeof *tree->inners);
    tree->moved = make_room(n, sizeof *tree->moved);
    if (!tree->branches || !tree->states || !tree->leaves || !tree->inners || !tree->moved) {
        size_t bytes = cri_tree_bytes(tree);
        cri_tree_free(tree);
        return cri_fail(report, CR_ERR_MEMORY, (cri_location){0},
                        "no memory for %jd nodes (%zu MB); ask for fewer with --nodes",
                        (intmax_t)nodes, bytes >> 20);
    }
    return CR_OK;
}

void cri_tree_restart(cri_tree *tree, const cr_state *root, bool is_decision)
{
    tree->count = tree->parent_count = tree->leaf_count = tree->inner_count = 0;
    tree->leaf_depth_sum = 0;
    tree->hash = CRI_HASH_START;
    tree->branches[0] = (cri_tree_branch){.parent = -1, .place = -1};
    tree->count = 1;
    tree->node_count = 1;
    set_state(tree, 0, root);
    put(tree, 0, true);
    // A root without a choice is grown from once: with a child it is no candidate any more.
    tree->branches[0].ended = !is_decision;
    add_hash(tree, 0);
}

void cri_tree_free(cri_tree *tree)
{
    free(tree->branches);
    free(tree->states);
    free(tree->leaves);
    free(tree->inners);
    free(tree->moved);
    *tree = (cri_tree){0};
}

size_t cri_tree_bytes(const cri_tree *tree)
{
    return (size_t)tree->capacity *
           (sizeof *tree->branches + tree->model->state_size + 3 * sizeof *tree->leaves);
}

// The parent of a new branch is no leaf any more.
static void gain_child(cri_tree *tree, int32_t parent)
{
    cri_tree_branch *p = &tree->branches[parent];
    if (p->children++ > 0) {
        return;
    }
    tree->parent_count++;
    tree->leaf_depth_sum -= p->depth;
    if (p->place >= 0 && (p->in_leaves || p->ended)) {
        take(tree, parent);
        if (!p->ended) {
            put(tree, parent, false);
        }
    }
}

int32_t cri_tree_add(cri_tree *tree, const cri_new_branch *branch)
{
    assert(branch->parent >= 0 && branch->parent < tree->count);
    assert(branch->steps > 0 && tree->node_count + branch->steps <= tree->capacity);
    int32_t index = tree->count++;
    gain_child(tree, branch->parent);
    tree->branches[index] = (cri_tree_branch){
        .attempt = branch->attempt,
        .parent = branch->parent,
        .steps = (int32_t)branch->steps,
        .depth = tree->branches[branch->parent].depth + (int32_t)branch->steps,
        .place = -1,
        .ended = branch->ended,
        .cut = branch->cut,
        .goal = branch->goal,
    };
    set_state(tree, index, branch->end);
    tree->node_count += branch->steps;
    tree->leaf_depth_sum += tree->branches[index].depth;
    if (!branch->ended) {
        put(tree, index, true);
    }
    add_hash(tree, index);
    return index;
}

// A branch moves to an index that is lower than its own, because the old root goes: what is still
// to be read is never written to.
void cri_tree_reroot(cri_tree *tree, int32_t branch, bool is_decision)
{
    assert(branch > 0 && branch < tree->count);
    int32_t count = tree->count;
    cri_tree_restart(tree, cri_tree_state(tree, branch), is_decision);
    memset(tree->moved, 0xff, (size_t)count * sizeof *tree->moved); // all -1
    tree->moved[branch] = 0;
    for (int32_t b = branch + 1; b < count; b++) {
        const cri_tree_branch old = tree->branches[b];
        int32_t parent = tree->moved[old.parent];
        if (parent >= 0) {
            tree->moved[b] = cri_tree_add(tree, &(cri_new_branch){
                                                    .parent = parent,
                                                    .attempt = old.attempt,
                                                    .steps = old.steps,
                                                    .ended = old.ended,
                                                    .cut = old.cut,
                                                    .goal = old.goal,
                                                    .end = cri_tree_state(tree, b),
                                                });
        }
    }
}

void cri_tree_pick(cri_tree *tree, int32_t branch)
{
    assert(tree->branches[branch].place >= 0);
    tree->branches[branch].picked++;
    if (tree->branches[branch].in_leaves) {
        take(tree, branch);
        put(tree, branch, false);
    }
}

void cri_tree_unpick(cri_tree *tree, int32_t branch)
{
    cri_tree_branch *b = &tree->branches[branch];
    assert(b->picked > 0);
    if (--b->picked == 0 && b->place >= 0 && b->children == 0) {
        take(tree, branch);
        put(tree, branch, true);
    }
}

cr_branch cri_tree_branch_at(const cri_tree *tree, int64_t branch)
{
    assert(branch >= 0 && branch < tree->count);
    const cri_tree_branch *b = &tree->branches[branch];
    return (cr_branch){.parent = b->parent,
                       .attempt = b->attempt,
                       .steps = b->steps,
                       .depth = b->depth,
                       .ended = b->ended,
                       .cut = b->cut,
                       .goal = b->goal,
                       .children = b->children};
}
