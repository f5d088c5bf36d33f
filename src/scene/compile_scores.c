// Scores: sums and products of ramps of quantities (003, 5.5.2).
#include "scene/compile.h"
#include "scene/lookup.h"

// A quantity that never changes is none.
static bool check_quantity(cri_compiler *c, const cri_node *node, const cri_phrase *phrase,
                           const cri_score *score)
{
    bool moves = true;
    if (!cri_check_things(c, node, phrase, score->values, &moves)) {
        return false;
    }
    const cr_quantity_type *type = score->quantity;
    cr_condition_call call = {
        .model = c->model, .values = score->values, .value_count = type->param_count};
    const char *why = type->why_constant ? type->why_constant(&call) : NULL;
    why = moves ? why : "nothing that it names ever moves";
    return !why ||
           cri_compile_fail(c, CR_ERR_TYPE, node, "%s: %s, so it never changes", type->name, why);
}

// The quantity that a node names; NULL after an error.
static const cr_quantity_type *find_quantity(cri_compiler *c, const cri_node *name)
{
    cri_suggestion suggestion = {.word = name->text};
    const cr_quantity_type *type = cri_find_quantity(c->library, name->text, &suggestion);
    if (!type) {
        cri_compile_unknown(c, name, "quantity", &suggestion);
    }
    return type;
}

// The name of a quantity: by itself, or the one key of a mapping. A key too many is named first.
static const cri_node *name_quantity(cri_compiler *c, const cri_node *node)
{
    if (node->kind == CRI_NODE_SCALAR) {
        return node;
    }
    for (int i = 0; node->kind == CRI_NODE_MAP && i < node->count; i++) {
        if (!find_quantity(c, cri_node_key(node, i))) {
            return NULL;
        }
    }
    if (node->kind != CRI_NODE_MAP || node->count != 1) {
        cri_compile_fail(c, CR_ERR_TYPE, node,
                         "a quantity must be a mapping with one key, as {speed: ball}, got %s%s",
                         cri_node_sort(node),
                         node->kind == CRI_NODE_MAP ? " with more or less" : "");
        return NULL;
    }
    return cri_node_key(node, 0);
}

static bool read_quantity(cri_compiler *c, const cri_node *node, cri_score *score)
{
    const cri_node *name = name_quantity(c, node);
    const cr_quantity_type *type = name ? find_quantity(c, name) : NULL;
    if (!type) {
        return false;
    }
    cri_phrase phrase = {type->name, type->param_count, type->params, type->asks_touch,
                         type->only_params};
    cri_node none = *node; // a name by itself has no values
    none.kind = CRI_NODE_LIST;
    none.count = 0;
    const cri_node *value = name == node ? &none : cri_node_value(node, 0);
    score->quantity = type;
    return cri_read_phrase(c, value, &phrase, &score->values) &&
           check_quantity(c, value, &phrase, score);
}

static bool read_ramp(cri_compiler *c, const cri_node *node, cri_score *score)
{
    const cri_node *values[CRI_RAMP_COUNT];
    score->op = CRI_SCORE_RAMP;
    if (!cri_read_map(c, node, &cri_keys_ramp, values) ||
        !read_quantity(c, values[CRI_RAMP_OF], score) ||
        !cri_read_number(c, values[CRI_RAMP_FROM], "from", &cri_range_any, &score->a) ||
        !cri_read_number(c, values[CRI_RAMP_TO], "to", &cri_range_any, &score->b)) {
        return false;
    }
    if (score->a == score->b) {
        return cri_compile_fail(c, CR_ERR_RANGE, values[CRI_RAMP_TO],
                                "to must differ from \"from\", got %g twice", score->b);
    }
    return true;
}

static bool read_scores(cri_compiler *c, const cri_node *node, const char *what, cri_score *score)
{
    cri_said said;
    if (!cri_read_said(c, node, what, &said)) {
        return false;
    }
    cri_score *children = cri_compile_alloc(c, (size_t)said.count, sizeof *children);
    bool good = children != NULL;
    for (int i = 0; children && i < said.count && (good || said.list); i++) {
        good = cri_read_score(c, cri_begin_said(c, &said, i), &children[i]) && good;
        cri_end_said(c, &said);
    }
    score->children = children;
    score->child_count = children ? said.count : 0;
    return good;
}

static bool read_score_when(cri_compiler *c, const cri_node *node, cri_score *score)
{
    cri_condition *condition = cri_compile_alloc(c, 1, sizeof *condition);
    score->op = CRI_SCORE_WHEN;
    score->condition = condition;
    return condition && cri_read_condition(c, node, condition);
}

bool cri_read_score(cri_compiler *c, const cri_node *node, cri_score *score)
{
    *score = (cri_score){.op = CRI_SCORE_CONSTANT};
    if (node->kind == CRI_NODE_SCALAR) {
        return cri_read_number(c, node, "a score", &cri_range_any, &score->a);
    }
    const cri_node *value = NULL;
    switch (cri_read_choice(c, node, &cri_keys_score, &value)) {
    case CRI_SCORE_KEY_RAMP:
        return read_ramp(c, value, score);
    case CRI_SCORE_KEY_SQUARE:
        score->op = CRI_SCORE_SQUARE;
        return read_quantity(c, value, score);
    case CRI_SCORE_KEY_ADD:
        score->op = CRI_SCORE_ADD;
        return read_scores(c, value, "add", score);
    case CRI_SCORE_KEY_MULTIPLY:
        score->op = CRI_SCORE_MULTIPLY;
        return read_scores(c, value, "multiply", score);
    case CRI_SCORE_KEY_WHEN:
        return read_score_when(c, value, score);
    default:
        return false;
    }
}
