// The tree's books against a plain count: after every change, who can be grown from, who counts as
// a leaf, and the sums that balanced growth asks for are those that a look at all branches gives.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <cmocka.h>

#include "plan/tree.h"
#include "scenes.h"

enum { BRANCHES = 60, CHANGES = 400 };

// What is known of a branch by itself.
typedef struct known {
    int32_t parent, depth, children, picked;
    bool ended;
} known;

typedef struct books {
    cri_tree tree;
    known branches[BRANCHES];
    int32_t count;
    int64_t nodes;
} books;

// A start without a choice can be grown from until it has a child.
static bool is_candidate(const books *b, int32_t i)
{
    return !b->branches[i].ended || (i == 0 && b->branches[i].children == 0);
}

// Leaves that are picked count as inner ones.
static bool is_leaf(const books *b, int32_t i)
{
    return b->branches[i].children == 0 && b->branches[i].picked == 0;
}

static bool holds(const int32_t *list, int32_t count, int32_t branch)
{
    int found = 0;
    for (int32_t i = 0; i < count; i++) {
        found += list[i] == branch;
    }
    assert_true(found <= 1);
    return found == 1;
}

static void compare(const books *b)
{
    const cri_tree *tree = &b->tree;
    int32_t parents = 0;
    int64_t depths = 0, candidates = 0;
    for (int32_t i = 0; i < b->count; i++) {
        const known *k = &b->branches[i];
        parents += k->children > 0;
        depths += k->children == 0 ? k->depth : 0;
        candidates += is_candidate(b, i);
        assert_int_equal(holds(tree->leaves, tree->leaf_count, i),
                         is_candidate(b, i) && is_leaf(b, i));
        assert_int_equal(holds(tree->inners, tree->inner_count, i),
                         is_candidate(b, i) && !is_leaf(b, i));
        assert_int_equal(tree->branches[i].depth, k->depth);
        assert_int_equal(tree->branches[i].children, k->children);
    }
    assert_int_equal(tree->count, b->count);
    assert_int_equal(tree->node_count, b->nodes);
    assert_int_equal(tree->parent_count, parents);
    assert_int_equal(tree->leaf_depth_sum, depths);
    assert_int_equal(cri_tree_candidates(tree), candidates);
}

// Any branch that can be grown from.
static int32_t draw_candidate(const books *b, cr_rng *rng)
{
    uint64_t count = (uint64_t)cri_tree_candidates(&b->tree);
    return count > 0 ? cri_tree_candidate(&b->tree, (int64_t)cr_rng_index(rng, count)) : -1;
}

// An attempt comes back: with a branch, which may be the end of it, or with none.
static void come_back(books *b, int32_t parent, const cr_state *state, cr_rng *rng)
{
    if (cr_rng_unit(rng) < 0.6 && b->count < BRANCHES) {
        int32_t steps = 1 + (int32_t)cr_rng_index(rng, 9);
        bool ended = cr_rng_unit(rng) < 0.2;
        cri_new_branch branch = {.parent = parent, .steps = steps, .ended = ended, .end = state};
        assert_int_equal(cri_tree_add(&b->tree, &branch), b->count);
        b->branches[b->count++] =
            (known){.parent = parent, .depth = b->branches[parent].depth + steps, .ended = ended};
        b->branches[parent].children++;
        b->nodes += steps;
    }
    cri_tree_unpick(&b->tree, parent);
    b->branches[parent].picked--;
}

static void keep_books(const cr_model *model, uint64_t seed, bool start_decides)
{
    static books b;
    int32_t under_way[CHANGES], attempts = 0;
    cr_rng rng = cr_rng_make(seed, CR_RNG_USER, 0);
    cr_state *state = cr_state_create(model);
    b = (books){.count = 1, .nodes = 1, .branches = {{.parent = -1, .ended = !start_decides}}};
    assert_int_equal(cri_tree_create(model, 600, &b.tree, NULL), CR_OK);
    cri_tree_restart(&b.tree, state, start_decides);
    for (int i = 0; i < CHANGES; i++) {
        compare(&b);
        int32_t branch = draw_candidate(&b, &rng);
        if (branch >= 0 && (attempts == 0 || cr_rng_unit(&rng) < 0.5)) {
            cri_tree_pick(&b.tree, branch);
            b.branches[branch].picked++;
            under_way[attempts++] = branch;
        } else if (attempts > 0) {
            int32_t which = (int32_t)cr_rng_index(&rng, (uint64_t)attempts);
            int32_t parent = under_way[which];
            under_way[which] = under_way[--attempts];
            come_back(&b, parent, state, &rng);
        }
    }
    compare(&b);
    assert_true(b.count > 1);
    cri_tree_free(&b.tree);
    free(state);
}

static void lists_and_sums_are_those_of_a_count(void **state)
{
    (void)state;
    cr_model *model =
        load_text("bodies: {a: {kind: passive, mass: 1, shape: {sphere: 1}, at: [0, 0, 1]}}\n");
    assert_non_null(model);
    for (uint64_t seed = 1; seed <= 60; seed++) {
        keep_books(model, seed, seed % 4 != 0);
    }
    cr_model_destroy(model);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(lists_and_sums_are_those_of_a_count),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
