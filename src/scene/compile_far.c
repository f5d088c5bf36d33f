// What is left out far ahead (003, 9.1.1 and algorithm 18). Beyond the level-of-detail horizon a
// controlled body passes through what others move and what may be pushed away: neither is where it
// was predicted by then. `far:` overrides that by pairs.
#include "scene/compile.h"

#include <string.h>

static bool is_moved(cr_kind kind)
{
    return kind == CR_KIND_FOREIGN || kind == CR_KIND_PASSIVE;
}

static void set_pair(cr_model *model, int pair, bool collides)
{
    uint64_t bit = UINT64_C(1) << (pair % 64);
    uint64_t *word = &model->far_mask[pair / 64];
    *word = collides ? *word | bit : *word & ~bit;
}

// A controlled body passes through all that others move.
static void pass_through(cr_model *model, int body)
{
    for (int i = 0; i < model->body_count; i++) {
        int pair = is_moved(model->bodies[i].kind) ? cr_model_pair(model, body, i) : -1;
        if (pair >= 0) {
            set_pair(model, pair, false);
        }
    }
}

static void read_pair(cri_compiler *c, const cri_node *node, bool collides)
{
    if (!cri_read_list(c, node, "a pair of bodies", 2, 2)) {
        return;
    }
    int a = cri_read_body(c, &node->items[0], "far"), b = cri_read_body(c, &node->items[1], "far");
    if (a < 0 || b < 0) {
        return;
    }
    int pair = cr_model_pair(c->model, a, b);
    if (pair < 0) {
        cri_compile_fail(c, CR_ERR_NAME, node, "bodies \"%s\" and \"%s\" never touch",
                         c->model->bodies[a].name, c->model->bodies[b].name);
        return;
    }
    set_pair(c->model, pair, collides);
}

void cri_compile_far(cri_compiler *c)
{
    cr_model *model = c->model;
    model->far_mask = cri_compile_alloc(c, (size_t)model->pair_count / 64 + 1, sizeof(uint64_t));
    if (!model->far_mask) {
        return;
    }
    memset(model->far_mask, 0xff, ((size_t)model->pair_count / 64 + 1) * sizeof(uint64_t));
    for (int i = 0; i < model->body_count; i++) {
        if (model->bodies[i].kind == CR_KIND_CONTROLLED) {
            pass_through(model, i);
        }
    }
    if (!c->top[CRI_TOP_FAR]) {
        return;
    }
    const cri_node *values[CRI_FAR_COUNT];
    cri_compile_subject(c, "far");
    cri_read_map(c, c->top[CRI_TOP_FAR], &cri_keys_far, values);
    for (int row = 0; row < CRI_FAR_COUNT; row++) {
        const cri_node *list = values[row];
        if (list && cri_read_list(c, list, cri_keys_far.rows[row].name, 0, 100000)) {
            for (int i = 0; i < list->count; i++) {
                read_pair(c, &list->items[i], row == CRI_FAR_COLLIDE);
            }
        }
    }
}
