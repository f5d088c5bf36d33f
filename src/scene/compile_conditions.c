// Conditions, and what is made of them: goal, rules, score.
#include "scene/compile.h"

#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "scene/evaluate.h"
#include "scene/lookup.h"

void cri_wish(cri_compiler *c, cri_pair_wish wish, const cri_node *node)
{
    if (c->wish_count == c->wish_capacity) {
        int capacity = c->wish_capacity ? 2 * c->wish_capacity : 32;
        cri_pair_wish *wishes = realloc(c->wishes, (size_t)capacity * sizeof *wishes);
        c->wishes = wishes ? wishes : c->wishes;
        const cri_node **nodes = realloc(c->wish_nodes, (size_t)capacity * sizeof *nodes);
        c->wish_nodes = nodes ? nodes : c->wish_nodes;
        if (!wishes || !nodes) {
            cri_fail_memory(c->report);
            c->status = CR_ERR_MEMORY;
            return;
        }
        c->wish_capacity = capacity;
    }
    c->wish_nodes[c->wish_count] = node;
    c->wishes[c->wish_count++] = wish;
}

// ---------------------------------------------------------------------------------------------
// Lists without repeats.

// An item of a list: what it is about, and whether it asks for the opposite of that.
typedef struct claim {
    const cri_node *node, *core;
    bool opposite;
} claim;

static claim claim_of(const cri_node *node)
{
    claim found = {node, node, false};
    while (found.core->kind == CRI_NODE_MAP && found.core->count == 1) {
        const cri_node *key = cri_node_key(found.core, 0);
        bool turns = cri_node_is(key, "not") || cri_node_is(key, "never");
        if (!turns && !cri_node_is(key, "always")) {
            break;
        }
        found.opposite = found.opposite != turns;
        found.core = cri_node_value(found.core, 0);
    }
    return found;
}

static int compare_claims(const void *a, const void *b)
{
    const claim *x = a, *y = b;
    int order = cri_node_compare(x->core, y->core);
    return order ? order : (x->node < y->node ? -1 : x->node > y->node);
}

static bool compare_neighbors(cri_compiler *c, const claim *claims, int count, const char *what,
                              const char *opposite)
{
    bool good = true;
    for (int i = 1; i < count; i++) {
        const claim *a = &claims[i - 1], *b = &claims[i];
        if (cri_node_compare(a->core, b->core) != 0) {
            continue;
        }
        char text[120];
        good = a->opposite == b->opposite
                   ? cri_compile_fail(c, CR_ERR_NAME, b->node, "%s: %s stands here twice", what,
                                      cri_node_print(b->node, text, sizeof text))
                   : cri_compile_fail(c, CR_ERR_NAME, b->node,
                                      "%s: the opposite of %s stands here too, so it %s", what,
                                      cri_node_print(b->node, text, sizeof text), opposite);
    }
    return good;
}

// Sorted, those about the same are neighbours; the later one in the file is at fault.
bool cri_check_repeats(cri_compiler *c, const cri_node *list, const char *what,
                       const char *opposite)
{
    if (list->count < 2) {
        return true;
    }
    claim *claims = cri_compile_alloc(c, (size_t)list->count, sizeof *claims);
    if (!claims) {
        return false;
    }
    for (int i = 0; i < list->count; i++) {
        claims[i] = claim_of(&list->items[i]);
    }
    qsort(claims, (size_t)list->count, sizeof *claims, compare_claims);
    return compare_neighbors(c, claims, list->count, what, opposite);
}

// ---------------------------------------------------------------------------------------------
// Conditions.

static bool read_children(cri_compiler *c, const cri_node *list, const char *what,
                          cri_condition *condition)
{
    if (!cri_read_list(c, list, what, 1, 10000)) {
        return false;
    }
    cri_condition *children = cri_compile_alloc(c, (size_t)list->count, sizeof *children);
    if (!children) {
        return false;
    }
    bool good = true;
    for (int i = 0; i < list->count; i++) {
        good = cri_read_condition(c, &list->items[i], &children[i]) && good;
    }
    condition->children = children;
    condition->child_count = list->count;
    bool all = condition->op == CRI_CONDITION_ALL;
    return good && cri_check_repeats(c, list, what, all ? "never holds" : "always holds");
}

static bool read_not(cri_compiler *c, const cri_node *node, cri_condition *condition)
{
    cri_condition *child = cri_compile_alloc(c, 1, sizeof *child);
    condition->children = child;
    condition->child_count = 1;
    return child && cri_read_condition(c, node, child);
}

static int find_tactic(cri_compiler *c, const cri_node *node)
{
    if (node->kind != CRI_NODE_SCALAR) {
        cri_compile_fail(c, CR_ERR_TYPE, node, "skill must be [tactic, skill], got %s",
                         cri_node_sort(node));
        return -1;
    }
    cri_suggestion suggestion = {.word = node->text};
    for (int i = 0; i < c->model->tactic_count; i++) {
        const char *name = c->model->tactics[i].info.name;
        if (strcmp(name, node->text) == 0) {
            return i;
        }
        cri_suggest(&suggestion, name);
    }
    cri_compile_unknown(c, node, "Tactic", &suggestion);
    return -1;
}

int cri_read_skill(cri_compiler *c, const cri_node *node, int tactic)
{
    if (node->kind != CRI_NODE_SCALAR) {
        cri_compile_fail(c, CR_ERR_TYPE, node, "a Skill must be named, got %s",
                         cri_node_sort(node));
        return -1;
    }
    cri_suggestion suggestion = {.word = node->text};
    for (int i = 0; i < c->model->tactics[tactic].info.skill_count; i++) {
        const char *name = c->skills[tactic][i].name;
        if (strcmp(name, node->text) == 0) {
            return i;
        }
        cri_suggest(&suggestion, name);
    }
    cri_compile_unknown(c, node, "Skill", &suggestion);
    return -1;
}

static bool read_in_skill(cri_compiler *c, const cri_node *node, cri_condition *condition)
{
    if (!cri_read_list(c, node, "skill", 2, 2)) {
        return false;
    }
    condition->tactic = find_tactic(c, &node->items[0]);
    if (condition->tactic < 0) {
        return false;
    }
    condition->skill = cri_read_skill(c, &node->items[1], condition->tactic);
    return condition->skill >= 0;
}

// What a value names: a body, a region as -1 - region, or, as INT_MAX, neither.
static int thing_of(const cri_value *value)
{
    switch (value->type) {
    case CR_PARAM_BODY:
    case CR_PARAM_THING:
        return value->index;
    case CR_PARAM_REGION:
        return -1 - value->index;
    case CR_PARAM_PLACE:
        return value->place.kind == CRI_PLACE_BODY ? value->place.body : INT_MAX;
    case CR_PARAM_NUMBER:
    case CR_PARAM_CHOICE:
        break;
    }
    return INT_MAX;
}

static const char *thing_name(const cr_model *model, int thing)
{
    return thing >= 0 ? model->bodies[thing].name : model->regions[-1 - thing].name;
}

// To be looked at when there is a start.
static bool add_steady(cri_compiler *c, const cri_node *node, const cri_condition *condition)
{
    cri_steady *steady = cri_compile_alloc(c, 1, sizeof *steady);
    if (steady) {
        *steady = (cri_steady){condition, node, c->steady};
        c->steady = steady;
    }
    return steady != NULL;
}

void cri_check_steady(cri_compiler *c)
{
    const cr_state *start = (const cr_state *)(const void *)c->model->start_state;
    for (const cri_steady *s = c->steady; s; s = s->next) {
        const char *name = s->condition->type->name;
        if (cri_condition_holds(c->model, s->condition, start)) {
            cri_compile_warn(c, s->node, "%s: nothing that it names ever moves; it always holds",
                             name);
        } else {
            cri_compile_fail(c, CR_ERR_TYPE, s->node,
                             "%s: nothing that it names ever moves; it never holds", name);
        }
    }
}

// A condition on a thing and itself, on things that never move, or beyond what can be, does not
// depend on what happens: something else was meant.
static bool check_sense(cri_compiler *c, const cri_node *node, const cri_condition *condition)
{
    const cr_condition_type *type = condition->type;
    bool moves = !type->only_params;
    for (int i = 0; i < type->param_count; i++) {
        int thing = thing_of(&condition->values[i]);
        moves = moves || (thing >= 0 && thing != INT_MAX && cri_body_moves(c, thing));
        for (int j = 0; type->only_params && thing != INT_MAX && j < i; j++) {
            if (thing == thing_of(&condition->values[j])) {
                return cri_compile_fail(c, CR_ERR_NAME, node, "%s: \"%s\" stands here twice",
                                        type->name, thing_name(c->model, thing));
            }
        }
    }
    cr_condition_call call = {.model = c->model,
                              .values = condition->values,
                              .value_count = condition->type->param_count};
    const char *why = type->why_never ? type->why_never(&call) : NULL;
    if (why) {
        return cri_compile_fail(c, CR_ERR_RANGE, node, "%s never holds: %s", type->name, why);
    }
    return moves || add_steady(c, node, condition);
}

// Every pair of the condition's bodies is watched.
static void watch_values(cri_compiler *c, const cri_node *node, const cr_condition_type *type,
                         const cri_value *values)
{
    for (int i = 0; i < type->param_count; i++) {
        for (int j = i + 1; j < type->param_count; j++) {
            if (values[i].type != CR_PARAM_BODY || values[j].type != CR_PARAM_BODY) {
                continue;
            }
            if (values[i].index == values[j].index) {
                cri_compile_fail(c, CR_ERR_NAME, node, "%s: a body does not touch itself",
                                 type->name);
            } else {
                cri_wish(c, (cri_pair_wish){values[i].index, values[j].index, true}, node);
            }
        }
    }
}

static bool check_count(cri_compiler *c, const cri_node *node, const cr_condition_type *type,
                        int count)
{
    int needed = type->param_count;
    while (needed > 0 && type->params[needed - 1].fallback) {
        needed--;
    }
    if (count >= needed && count <= type->param_count) {
        return true;
    }
    char words[160] = "";
    size_t length = 0;
    for (int i = 0; i < type->param_count && length < sizeof words; i++) {
        length += (size_t)snprintf(words + length, sizeof words - length, "%s%s", i > 0 ? ", " : "",
                                   type->params[i].name);
    }
    return cri_compile_fail(c, CR_ERR_RANGE, node, "%s must have the values [%s], got %d of them",
                            type->name, words, count);
}

static bool read_typed(cri_compiler *c, const cri_node *node, const cr_condition_type *type,
                       cri_condition *condition)
{
    // One value may stand without a list.
    bool list = node->kind == CRI_NODE_LIST;
    int count = list ? node->count : 1;
    const cri_node *items = list ? node->items : node;
    if (!check_count(c, node, type, count)) {
        return false;
    }
    cri_value *values = cri_compile_alloc(c, (size_t)type->param_count, sizeof *values);
    if (!values) {
        return false;
    }
    bool good = true;
    int drawn = 0;
    for (int i = 0; i < type->param_count; i++) {
        const cri_node *item = i < count ? &items[i] : NULL;
        good =
            cri_read_value(c, item, &type->params[i], CRI_DRAWS_NONE, &values[i], &drawn) && good;
    }
    condition->type = type;
    condition->values = values;
    if (good && type->asks_touch) {
        watch_values(c, node, type, values);
    }
    return good && check_sense(c, node, condition);
}

static bool fail_condition(cri_compiler *c, const cri_node *key, cri_suggestion *suggestion)
{
    for (int i = 0; i < cri_keys_logic.count; i++) {
        cri_suggest(suggestion, cri_keys_logic.rows[i].name);
    }
    return cri_compile_unknown(c, key, "condition", suggestion);
}

static bool read_logic(cri_compiler *c, const cri_node *value, cri_condition *condition)
{
    switch (condition->op) {
    case CRI_CONDITION_ALL:
    case CRI_CONDITION_ANY:
        return read_children(c, value, cri_keys_logic.rows[condition->op].name, condition);
    case CRI_CONDITION_NOT:
        return read_not(c, value, condition);
    case CRI_CONDITION_SKILL:
        return read_in_skill(c, value, condition);
    case CRI_CONDITION_TYPE:
        break;
    }
    return false;
}

static int find_logic(const char *word)
{
    for (int i = 0; i < CRI_LOGIC_COUNT; i++) {
        if (strcmp(cri_keys_logic.rows[i].name, word) == 0) {
            return i;
        }
    }
    return -1;
}

// Report the keys of a mapping that are no conditions; false if there are none.
static bool fail_unknown(cri_compiler *c, const cri_node *node)
{
    bool any = false;
    for (int i = 0; node->kind == CRI_NODE_MAP && i < node->count; i++) {
        const cri_node *key = cri_node_key(node, i);
        cri_suggestion suggestion = {.word = key->text};
        if (find_logic(key->text) < 0 &&
            !cri_find_condition(c->library, key->text, &suggestion)) {
            fail_condition(c, key, &suggestion);
            any = true;
        }
    }
    return any;
}

bool cri_read_condition(cri_compiler *c, const cri_node *node, cri_condition *condition)
{
    *condition = (cri_condition){.op = CRI_CONDITION_TYPE};
    if (fail_unknown(c, node)) {
        return false;
    }
    if (node->kind != CRI_NODE_MAP || node->count != 1) {
        return cri_compile_fail(c, CR_ERR_TYPE, node,
                                "a condition must be a mapping with one key, as {near: [a, b, 1]}, "
                                "got %s%s",
                                cri_node_sort(node),
                                node->kind == CRI_NODE_MAP ? " with more or less" : "");
    }
    const cri_node *key = cri_node_key(node, 0), *value = cri_node_value(node, 0);
    int logic = find_logic(key->text);
    if (logic >= 0) {
        condition->op = (cri_condition_op)logic;
        return read_logic(c, value, condition);
    }
    return read_typed(c, value, cri_find_condition(c->library, key->text, NULL), condition);
}

// ---------------------------------------------------------------------------------------------
// Scores.

static bool read_score(cri_compiler *c, const cri_node *node, cri_score *score);

static bool keeps_effort(const cr_model *model, int body)
{
    for (int i = 0; i < model->tactic_count; i++) {
        const cri_tactic *tactic = &model->tactics[i];
        for (int j = 0; tactic->info.body == body && j < tactic->info.skill_count; j++) {
            if (tactic->skills[j].type && tactic->skills[j].type->keeps_effort) {
                return true;
            }
        }
    }
    return false;
}

// A quantity that never changes is none.
static bool check_quantity(cri_compiler *c, const cri_node *node, const cri_score *score)
{
    const char *what = cri_keys_quantity.rows[score->quantity].name;
    const int *things = score->things;
    if (score->quantity == CRI_QUANTITY_EFFORT && !keeps_effort(c->model, things[0])) {
        return cri_compile_fail(c, CR_ERR_NAME, node, "effort: no Skill of \"%s\" keeps any",
                                thing_name(c->model, things[0]));
    }
    bool distance = score->quantity == CRI_QUANTITY_DISTANCE;
    if (distance && things[0] == things[1]) {
        return cri_compile_fail(c, CR_ERR_NAME, node, "distance: \"%s\" stands here twice",
                                thing_name(c->model, things[0]));
    }
    bool moves = things[0] >= 0 && cri_body_moves(c, things[0]);
    moves = moves || (distance && things[1] >= 0 && cri_body_moves(c, things[1]));
    return moves ||
           cri_compile_fail(c, CR_ERR_TYPE, node,
                            "%s: nothing that it names ever moves, so it never changes", what);
}

static bool read_quantity(cri_compiler *c, const cri_node *node, cri_score *score)
{
    if (cri_node_is(node, "time")) {
        score->quantity = CRI_QUANTITY_TIME;
        return true;
    }
    const cri_node *value = NULL;
    int row = cri_read_choice(c, node, &cri_keys_quantity, &value);
    if (row < 0) {
        return false;
    }
    score->quantity = (cri_quantity)row;
    if (row != CRI_QUANTITY_KEY_DISTANCE) {
        score->things[0] = cri_read_body(c, value, cri_keys_quantity.rows[row].name);
        return score->things[0] >= 0 && check_quantity(c, value, score);
    }
    return cri_read_list(c, value, "distance", 2, 2) &&
           cri_read_thing(c, &value->items[0], "distance", &score->things[0]) &&
           cri_read_thing(c, &value->items[1], "distance", &score->things[1]) &&
           check_quantity(c, value, score);
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

static bool read_scores(cri_compiler *c, const cri_node *list, const char *what, cri_score *score)
{
    if (!cri_read_list(c, list, what, 1, 10000)) {
        return false;
    }
    cri_score *children = cri_compile_alloc(c, (size_t)list->count, sizeof *children);
    if (!children) {
        return false;
    }
    bool good = true;
    for (int i = 0; i < list->count; i++) {
        good = read_score(c, &list->items[i], &children[i]) && good;
    }
    score->children = children;
    score->child_count = list->count;
    return good;
}

static bool read_score_when(cri_compiler *c, const cri_node *node, cri_score *score)
{
    cri_condition *condition = cri_compile_alloc(c, 1, sizeof *condition);
    score->op = CRI_SCORE_WHEN;
    score->condition = condition;
    return condition && cri_read_condition(c, node, condition);
}

static bool read_score(cri_compiler *c, const cri_node *node, cri_score *score)
{
    *score = (cri_score){.op = CRI_SCORE_CONSTANT};
    if (node->kind == CRI_NODE_SCALAR) {
        return cri_read_number(c, node, "a score", &cri_range_any, &score->a);
    }
    const cri_node *value = NULL;
    switch (cri_read_choice(c, node, &cri_keys_score, &value)) {
    case CRI_SCORE_KEY_RAMP:
        return read_ramp(c, value, score);
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

// ---------------------------------------------------------------------------------------------

static void read_rule(cri_compiler *c, const cri_node *node, cri_rule *rule)
{
    const cri_node *value = NULL;
    int row = cri_read_choice(c, node, &cri_keys_rule, &value);
    if (row < 0) {
        return;
    }
    char text[240];
    cri_node_print(value, text, sizeof text);
    size_t size = strlen(text) + 16;
    char *copy = cri_compile_alloc(c, size, 1);
    if (copy) {
        snprintf(copy, size, "%s %s", cri_keys_rule.rows[row].name, text);
    }
    rule->text = copy;
    rule->line = node->line;
    rule->column = node->column;
    rule->never = row == CRI_RULE_NEVER;
    cri_read_condition(c, value, &rule->condition);
}

static void read_rules(cri_compiler *c, const cri_node *node)
{
    if (!cri_read_list(c, node, "rules", 0, 10000)) {
        return;
    }
    cr_model *model = c->model;
    model->rules = cri_compile_alloc(c, (size_t)node->count, sizeof *model->rules);
    model->rule_count = model->rules ? node->count : 0;
    for (int i = 0; i < model->rule_count; i++) {
        cri_compile_subject(c, "rule %d", i + 1);
        read_rule(c, &node->items[i], &model->rules[i]);
    }
    cri_compile_subject(c, "%s", "");
    if (c->status == CR_OK) {
        cri_check_repeats(c, node, "rules", "can never be kept");
    }
}

void cri_compile_goal(cri_compiler *c)
{
    if (c->top[CRI_TOP_GOAL]) {
        cri_compile_subject(c, "goal");
        c->model->has_goal = true;
        cri_read_condition(c, c->top[CRI_TOP_GOAL], &c->model->goal);
    }
    if (c->top[CRI_TOP_RULES]) {
        cri_compile_subject(c, "%s", "");
        read_rules(c, c->top[CRI_TOP_RULES]);
    }
    if (c->top[CRI_TOP_SCORE]) {
        cri_compile_subject(c, "score");
        c->model->has_score = true;
        read_score(c, c->top[CRI_TOP_SCORE], &c->model->score);
    }
    cri_compile_subject(c, "%s", "");
}
