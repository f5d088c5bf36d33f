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

bool cri_are_opposite(const cri_node *a, const cri_node *b)
{
    claim x = claim_of(a), y = claim_of(b);
    return x.opposite != y.opposite && cri_node_compare(x.core, y.core) == 0;
}

static int compare_claims(const void *a, const void *b)
{
    const claim *x = a, *y = b;
    int order = cri_node_compare(x->core, y->core);
    return order ? order : (x->node < y->node ? -1 : x->node > y->node);
}

static bool compare_neighbours(cri_compiler *c, const claim *claims, int count, const char *what,
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
    return compare_neighbours(c, claims, list->count, what, opposite);
}

// ---------------------------------------------------------------------------------------------
// Conditions.

// What is wrong with one member of a crowd is wrong with all: the first is reported.
static bool read_children(cri_compiler *c, const cri_node *node, const char *what,
                          cri_condition *condition)
{
    cri_said said;
    if (!cri_read_said(c, node, what, &said)) {
        return false;
    }
    cri_condition *children = cri_compile_alloc(c, (size_t)said.count, sizeof *children);
    bool good = children != NULL;
    for (int i = 0; children && i < said.count && (good || said.list); i++) {
        good = cri_read_condition(c, cri_begin_said(c, &said, i), &children[i]) && good;
        cri_end_said(c, &said);
    }
    condition->children = children;
    condition->child_count = children ? said.count : 0;
    bool all = condition->op == CRI_CONDITION_ALL;
    return good && (!said.list ||
                    cri_check_repeats(c, said.list, what, all ? "never holds" : "always holds"));
}

static bool read_child(cri_compiler *c, const cri_node *node, cri_condition *condition)
{
    cri_condition *child = cri_compile_alloc(c, 1, sizeof *child);
    condition->children = child;
    condition->child_count = child ? 1 : 0;
    return child && cri_read_condition(c, node, child);
}

// How many of its children hold.
static bool read_number_of(cri_compiler *c, const cri_node *node, cri_condition *condition)
{
    const cri_node *values[CRI_NUMBER_COUNT];
    if (!cri_read_map(c, node, &cri_keys_number, values) ||
        !read_children(c, values[CRI_NUMBER_OF], "of", condition)) {
        return false;
    }
    const cri_node *least = values[CRI_NUMBER_LEAST], *most = values[CRI_NUMBER_MOST];
    int all = condition->child_count;
    condition->most = all;
    if (!least && !most) {
        return cri_compile_fail(c, CR_ERR_NAME, node, "count must have \"least\" or \"most\"");
    }
    if ((least && !cri_read_count(c, least, "least", 0, all, &condition->least)) ||
        (most && !cri_read_count(c, most, "most", 0, all, &condition->most))) {
        return false;
    }
    if (condition->least > condition->most) {
        return cri_compile_fail(c, CR_ERR_RANGE, node,
                                "count: least must not be more than most, got %d and %d",
                                condition->least, condition->most);
    }
    return condition->least > 0 || condition->most < all ||
           cri_compile_fail(c, CR_ERR_RANGE, node, "count: 0 to %d always holds", all);
}

// The Tactic of the member that is spoken of, of a crowd's Tactics of which the first is given.
static int find_member_tactic(cri_compiler *c, const cri_node *node, int first)
{
    int crowd = cri_crowd_of(c->model, c->model->tactics[first].info.body);
    for (int i = 0; i < c->scope_count; i++) {
        if (c->scopes[i].crowd == crowd) {
            return first + c->scopes[i].member;
        }
    }
    cri_compile_fail(c, CR_ERR_NAME, node,
                     "\"%s\" is a Tactic of each of a crowd; name one, as \"%s.1\"", node->text,
                     node->text);
    return -1;
}

static int find_tactic(cri_compiler *c, const cri_node *node, const char *what)
{
    if (node->kind != CRI_NODE_SCALAR) {
        cri_compile_fail(c, CR_ERR_TYPE, node, "%s must name a Tactic, got %s", what,
                         cri_node_sort(node));
        return -1;
    }
    cri_suggestion suggestion = {.word = node->text};
    for (int i = 0; i < c->model->tactic_count; i++) {
        const cri_tactic *tactic = &c->model->tactics[i];
        if (strcmp(tactic->info.name, node->text) == 0) {
            return i;
        }
        if (strcmp(tactic->entry, node->text) == 0) {
            return find_member_tactic(c, node, i);
        }
        cri_suggest(&suggestion, tactic->info.name);
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

// ---------------------------------------------------------------------------------------------
// Memories.

// Inner ones come first: they are read before those that ask about them are done.
static bool add_memory(cri_compiler *c, cri_condition *condition)
{
    cr_model *model = c->model;
    if (model->memory_count == c->memory_capacity) {
        int capacity = c->memory_capacity ? 2 * c->memory_capacity : 8;
        const cri_condition **memories =
            cri_compile_alloc(c, (size_t)capacity, sizeof(cri_condition *));
        if (!memories) {
            return false;
        }
        for (int i = 0; i < model->memory_count; i++) {
            memories[i] = model->memories[i];
        }
        model->memories = memories;
        c->memory_capacity = capacity;
    }
    condition->memory = model->memory_count;
    model->memories[model->memory_count++] = condition;
    return true;
}

// The Tactic since whose last Skill is counted.
static bool read_since(cri_compiler *c, const cri_node *node, cri_condition *condition)
{
    condition->since = find_tactic(c, node, condition->op == CRI_CONDITION_ONCE ? "once" : "times");
    if (condition->since >= 0) {
        c->model->tactics[condition->since].awaited = true;
    }
    return condition->since >= 0;
}

// once: [condition, tactic], stays: [condition, seconds], times: [condition, n, tactic].
static bool read_memory(cri_compiler *c, const cri_node *node, cri_condition *condition)
{
    static const cri_range seconds = {0, 1e6, false};
    const char *name = cri_keys_logic.rows[condition->op].name;
    bool once = condition->op == CRI_CONDITION_ONCE, stays = condition->op == CRI_CONDITION_STAYS;
    condition->limit = 1;
    if (once && node->kind == CRI_NODE_MAP) {
        return read_child(c, node, condition) && add_memory(c, condition);
    }
    if (!cri_read_list(c, node, name, once ? 1 : 2, once || stays ? 2 : 3) ||
        !read_child(c, &node->items[0], condition)) {
        return false;
    }
    int times = 1, tactic = once ? 1 : 2;
    double time = 0;
    bool good = stays  ? cri_read_number(c, &node->items[1], "seconds", &seconds, &time)
                : once ? true
                       : cri_read_count(c, &node->items[1], "times", 1, 1000000, &times);
    // To the nearest step: the first state that counts is held for no time yet.
    condition->limit = stays ? (int64_t)(time / c->model->dt + 0.5) + 1 : times;
    return good && (tactic >= node->count || read_since(c, &node->items[tactic], condition)) &&
           add_memory(c, condition);
}

// ---------------------------------------------------------------------------------------------

static bool read_in_skill(cri_compiler *c, const cri_node *node, cri_condition *condition)
{
    if (!cri_read_list(c, node, "skill", 2, 2)) {
        return false;
    }
    condition->tactic = find_tactic(c, &node->items[0], "skill");
    if (condition->tactic < 0) {
        return false;
    }
    condition->skill = cri_read_skill(c, &node->items[1], condition->tactic);
    return condition->skill >= 0;
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
static bool check_sense(cri_compiler *c, const cri_node *node, const cri_phrase *phrase,
                        const cri_condition *condition)
{
    bool moves = true;
    if (!cri_check_things(c, node, phrase, condition->values, &moves)) {
        return false;
    }
    const cr_condition_type *type = condition->type;
    cr_condition_call call = {.model = c->model,
                              .values = condition->values,
                              .value_count = condition->type->param_count};
    const char *why = type->why_never ? type->why_never(&call) : NULL;
    if (why) {
        return cri_compile_fail(c, CR_ERR_RANGE, node, "%s never holds: %s", type->name, why);
    }
    return moves || add_steady(c, node, condition);
}

static bool read_typed(cri_compiler *c, const cri_node *node, const cr_condition_type *type,
                       cri_condition *condition)
{
    cri_phrase phrase = {type->name, type->param_count, type->params, type->asks_touch,
                         type->only_params};
    condition->type = type;
    return cri_read_phrase(c, node, &phrase, &condition->values) &&
           check_sense(c, node, &phrase, condition);
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
        return read_child(c, value, condition);
    case CRI_CONDITION_SKILL:
        return read_in_skill(c, value, condition);
    case CRI_CONDITION_COUNT:
        return read_number_of(c, value, condition);
    case CRI_CONDITION_ONCE:
    case CRI_CONDITION_STAYS:
    case CRI_CONDITION_TIMES:
        return read_memory(c, value, condition);
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
        if (find_logic(key->text) < 0 && !cri_find_condition(c->library, key->text, &suggestion)) {
            fail_condition(c, key, &suggestion);
            any = true;
        }
    }
    return any;
}

bool cri_read_condition(cri_compiler *c, const cri_node *node, cri_condition *condition)
{
    *condition = (cri_condition){.op = CRI_CONDITION_TYPE, .since = -1};
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
        cri_read_score(c, c->top[CRI_TOP_SCORE], &c->model->score);
    }
    cri_compile_subject(c, "%s", "");
}
