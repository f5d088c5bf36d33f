// Tactics (003, definition 4.3.1): Skills by name with their parameters, and the transitions
// between them. Names of all Tactics and Skills are entered first: conditions may name any of them.
#include "scene/compile.h"

#include <string.h>

#include "base/vec.h"
#include "scene/lookup.h"

typedef struct tactic_nodes {
    const cri_node *values[CRI_TACTIC_COUNT];
    int crowd; // of its body, if all of the crowd have such a Tactic; else -1
} tactic_nodes;

// ---------------------------------------------------------------------------------------------
// Names.

static void check_claim(cri_compiler *c, const cri_node *node, int tactic)
{
    const cr_tactic *info = &c->model->tactics[tactic].info;
    const cr_body *body = &c->model->bodies[info->body];
    int owner = c->model->tactic_of[info->body];
    if (body->kind == CR_KIND_STATIC && c->sources[info->body].kind_known) {
        cri_compile_fail(c, CR_ERR_TYPE, node,
                         "controls must be a body that moves, got static \"%s\"", body->name);
    }
    if (owner >= 0) {
        cri_compile_fail(c, CR_ERR_NAME, node, "body \"%s\" is controlled by \"%s\" already",
                         body->name, c->model->tactics[owner].info.name);
    }
    c->model->tactic_of[info->body] = tactic;
}

static void claim_body(cri_compiler *c, const cri_node *node, int tactic, int crowd)
{
    cr_tactic *info = &c->model->tactics[tactic].info;
    info->body = crowd >= 0 ? c->model->crowds[crowd].first + c->model->tactics[tactic].member
                            : cri_read_body(c, node, "controls");
    if (info->body >= 0) {
        check_claim(c, node, tactic);
    }
}

static void enter_skills(cri_compiler *c, const cri_node *node, int tactic)
{
    if (!cri_read_names(c, node, "skills", CRI_SKILLS_MAX)) {
        return;
    }
    if (node->count == 0) {
        cri_compile_fail(c, CR_ERR_RANGE, node, "skills must be at least one, got none");
        return;
    }
    cri_skill *skills = cri_compile_alloc(c, (size_t)node->count, sizeof *skills);
    if (!skills) {
        return;
    }
    for (int i = 0; i < node->count; i++) {
        skills[i].name = cri_node_key(node, i)->text;
    }
    c->skills[tactic] = skills;
    c->model->tactics[tactic].skills = skills;
    c->model->tactics[tactic].info.skill_count = node->count;
}

// What is wrong with one of a crowd is wrong with all of it, and reported of the first.
static void enter_tactic(cri_compiler *c, const cri_node *node, int tactic, tactic_nodes *nodes)
{
    int errors = c->errors, count = nodes->crowd >= 0 ? c->model->crowds[nodes->crowd].count : 1;
    cri_compile_subject(c, "tactic \"%s\"", c->model->tactics[tactic].entry);
    cri_read_map(c, node, &cri_keys_tactic, nodes->values);
    for (int i = 0; i < count && (i == 0 || c->errors == errors); i++) {
        if (nodes->values[CRI_TACTIC_CONTROLS] && c->model->tactics[tactic].member >= 0) {
            claim_body(c, nodes->values[CRI_TACTIC_CONTROLS], tactic + i, nodes->crowd);
        }
        if (nodes->values[CRI_TACTIC_SKILLS]) {
            enter_skills(c, nodes->values[CRI_TACTIC_SKILLS], tactic + i);
        }
    }
}

// ---------------------------------------------------------------------------------------------
// Skills.

static const cr_skill_type *read_type(cri_compiler *c, const cri_node *node)
{
    const cri_node *name = cri_node_get(node, "do");
    if (!name) {
        cri_compile_fail(c, CR_ERR_NAME, node, "key \"do\" is missing in a Skill");
        return NULL;
    }
    if (name->kind != CRI_NODE_SCALAR) {
        cri_compile_fail(c, CR_ERR_TYPE, name, "do must be the name of a Skill type, got %s",
                         cri_node_sort(name));
        return NULL;
    }
    cri_suggestion suggestion = {.word = name->text};
    const cr_skill_type *type = cri_find_skill(c->library, name->text, &suggestion);
    if (!type) {
        cri_compile_unknown(c, name, "Skill type", &suggestion);
    }
    return type;
}

static void check_params(cri_compiler *c, const cri_node *node, const cr_skill_type *type)
{
    for (int i = 0; i < node->count; i++) {
        const cri_node *key = cri_node_key(node, i);
        cri_suggestion suggestion = {.word = key->text};
        bool known = strcmp(key->text, "do") == 0;
        for (int p = 0; p < type->param_count; p++) {
            known = known || strcmp(type->params[p].name, key->text) == 0;
            cri_suggest(&suggestion, type->params[p].name);
        }
        if (!known) {
            cri_compile_unknown(c, key, "parameter", &suggestion);
        }
    }
}

static bool is_pushable(const cr_param *param)
{
    return param->type == CR_PARAM_BODY && strcmp(param->unit, "pushable") == 0;
}

// A Skill that asks about touches asks about its own body and the bodies it is told of. What it is
// to push, it must be able to touch.
static void watch_bodies(cri_compiler *c, const cri_node *node, int tactic, const cri_skill *skill)
{
    int self = c->model->tactics[tactic].info.body;
    for (int i = 0; self >= 0 && i < skill->type->param_count; i++) {
        const cr_param *param = &skill->type->params[i];
        const cri_value *value = &skill->values[i];
        if (value->type == CR_PARAM_BODY && value->index >= 0 && value->index != self) {
            const cri_node *named = cri_node_get(node, param->name);
            cri_wish(c, (cri_pair_wish){self, value->index, true},
                     is_pushable(param) ? named : NULL);
        }
    }
}

static bool check_pushable(cri_compiler *c, const cri_node *node, int tactic, const cr_param *param,
                           int body)
{
    const cr_body *b = &c->model->bodies[body];
    if (body == c->model->tactics[tactic].info.body) {
        return cri_compile_fail(c, CR_ERR_NAME, node,
                                "%s must be another body than \"%s\", which has this Skill",
                                param->name, b->name);
    }
    bool fixed = b->kind == CR_KIND_STATIC || b->driven;
    if (fixed && c->sources[body].kind_known) {
        return cri_compile_fail(c, CR_ERR_TYPE, node,
                                "%s must be a body that forces move, got %s \"%s\"", param->name,
                                b->driven ? "driven" : "static", b->name);
    }
    return true;
}

// What the table says of a parameter beyond its type.
static bool check_unit(cri_compiler *c, const cri_node *node, int tactic, const cr_param *param,
                       const cri_value *value)
{
    if (is_pushable(param)) {
        return check_pushable(c, node, tactic, param, value->index);
    }
    if (param->type == CR_PARAM_REGION && strcmp(param->unit, "box") == 0 &&
        c->model->regions[value->index].shape.kind != CR_SHAPE_BOX) {
        return cri_compile_fail(c, CR_ERR_TYPE, node, "%s must be a box, \"%s\" is none",
                                param->name, c->model->regions[value->index].name);
    }
    return true;
}

// A place that is where the Skill's own body is, or the one that it pushes, leads nowhere.
static bool check_places(cri_compiler *c, const cri_node *node, int tactic, const cri_skill *skill)
{
    const cr_skill_type *type = skill->type;
    for (int i = 0; i < type->param_count; i++) {
        const cri_where *place = &skill->values[i].place;
        if (type->params[i].type != CR_PARAM_PLACE || place->kind != CRI_PLACE_BODY ||
            cri_dot(place->point, place->point) > 0) {
            continue;
        }
        bool same = place->body == c->model->tactics[tactic].info.body;
        for (int j = 0; j < type->param_count; j++) {
            same = same || (is_pushable(&type->params[j]) && skill->values[j].index == place->body);
        }
        if (same) {
            return cri_compile_fail(c, CR_ERR_NAME, cri_node_get(node, type->params[i].name),
                                    "%s must not be where \"%s\" is itself", type->params[i].name,
                                    c->model->bodies[place->body].name);
        }
    }
    return true;
}

// A Skill must have an effect on the body of its Tactic.
static bool check_owner(cri_compiler *c, const cri_node *node, int tactic,
                        const cr_skill_type *type)
{
    int index = c->model->tactics[tactic].info.body;
    if (index < 0 || type->bodies == CR_FOR_MOVING || !c->sources[index].kind_known) {
        return true;
    }
    const cr_body *body = &c->model->bodies[index];
    bool wants_driven = type->bodies == CR_FOR_DRIVEN;
    return body->kind == CR_KIND_STATIC || body->driven == wants_driven ||
           cri_compile_fail(c, CR_ERR_TYPE, cri_node_get(node, "do"),
                            "\"%s\" is for bodies that %s, \"%s\" is %s", type->name,
                            wants_driven ? "are driven" : "forces move", body->name,
                            body->driven ? "driven" : "not driven");
}

static void read_params(cri_compiler *c, const cri_node *node, int tactic, cri_skill *skill)
{
    const cr_skill_type *type = skill->type;
    cri_value *values = cri_compile_alloc(c, (size_t)type->param_count, sizeof *values);
    if (!values) {
        return;
    }
    check_params(c, node, type);
    c->self = c->model->tactics[tactic].info.body;
    bool good = true;
    for (int i = 0; i < type->param_count; i++) {
        const cr_param *param = &type->params[i];
        const cri_node *value = cri_node_get(node, param->name);
        if (!value && !param->fallback) {
            good = cri_compile_fail(c, CR_ERR_NAME, node,
                                    "parameter \"%s\" is missing; \"%s\" must have it", param->name,
                                    type->name);
            continue;
        }
        good = cri_read_value(c, value, param, CRI_DRAWS_SAMPLE, &values[i], &skill->drawn_count) &&
               (!value || check_unit(c, value, tactic, param, &values[i])) && good;
    }
    c->self = -1;
    skill->values = values;
    good = good && check_places(c, node, tactic, skill);
    if (good && type->asks_touch) {
        watch_bodies(c, node, tactic, skill);
    }
}

static void read_skill(cri_compiler *c, const cri_node *node, int tactic, cri_skill *skill)
{
    cri_tactic *owner = &c->model->tactics[tactic];
    cri_compile_subject(c, "tactic \"%s\", skill \"%s\"", owner->entry, skill->name);
    if (node->kind != CRI_NODE_MAP) {
        cri_compile_fail(c, CR_ERR_TYPE, node, "a Skill must be a mapping, got %s",
                         cri_node_sort(node));
        return;
    }
    skill->type = read_type(c, node);
    if (skill->type) {
        check_owner(c, node, tactic, skill->type);
        read_params(c, node, tactic, skill);
        int needed = skill->drawn_count + skill->type->variables;
        owner->variable_count = needed > owner->variable_count ? needed : owner->variable_count;
    }
}

// ---------------------------------------------------------------------------------------------
// Transitions.

// A number, or a score: its value in the state, and 0 where that is negative.
static void read_weight(cri_compiler *c, const cri_node *node, cri_transition *transition)
{
    static const cri_range range = {0, 1e9, false};
    if (node->kind == CRI_NODE_SCALAR) {
        cri_read_number(c, node, "weight", &range, &transition->weight);
        return;
    }
    cri_score *score = cri_compile_alloc(c, 1, sizeof *score);
    transition->score = score;
    if (score) {
        cri_read_score(c, node, score);
    }
}

static void read_transition(cri_compiler *c, const cri_node *node, cri_transition *transition)
{
    transition->weight = 1;
    if (node->kind == CRI_NODE_SCALAR) {
        read_weight(c, node, transition);
        return;
    }
    const cri_node *values[CRI_NEXT_COUNT];
    cri_read_map(c, node, &cri_keys_next, values);
    if (values[CRI_NEXT_WEIGHT]) {
        read_weight(c, values[CRI_NEXT_WEIGHT], transition);
    }
    if (values[CRI_NEXT_WHEN]) {
        cri_condition *condition = cri_compile_alloc(c, 1, sizeof *condition);
        transition->condition = condition;
        if (condition) {
            cri_read_condition(c, values[CRI_NEXT_WHEN], condition);
        }
    }
}

static void read_transitions(cri_compiler *c, const cri_node *node, int tactic, cri_skill *from)
{
    if (!cri_read_names(c, node, "transitions", CRI_SKILLS_MAX)) {
        return;
    }
    cri_transition *transitions = cri_compile_alloc(c, (size_t)node->count, sizeof *transitions);
    if (!transitions) {
        return;
    }
    double sum = 0;
    for (int i = 0; i < node->count; i++) {
        transitions[i].to = cri_read_skill(c, cri_node_key(node, i), tactic);
        read_transition(c, cri_node_value(node, i), &transitions[i]);
        sum += transitions[i].weight;
    }
    if (node->count > 0 && !(sum > 0)) {
        cri_compile_fail(c, CR_ERR_RANGE, node, "weights must not all be 0");
    }
    from->transitions = transitions;
    from->transition_count = node->count;
}

static void read_next(cri_compiler *c, const cri_node *node, int tactic)
{
    if (!cri_read_names(c, node, "next", CRI_SKILLS_MAX)) {
        return;
    }
    const char *name = c->model->tactics[tactic].entry;
    for (int i = 0; i < node->count; i++) {
        const cri_node *key = cri_node_key(node, i);
        cri_compile_subject(c, "tactic \"%s\", next", name);
        int from = cri_read_skill(c, key, tactic);
        if (from >= 0) {
            cri_compile_subject(c, "tactic \"%s\", after \"%s\"", name, key->text);
            read_transitions(c, cri_node_value(node, i), tactic, &c->skills[tactic][from]);
        }
    }
}

// ---------------------------------------------------------------------------------------------

// Mark what can be reached from a Skill. Each of the at most CRI_SKILLS_MAX Skills is gone through
// once, so the recursion is no deeper than that.
static void mark_reached(const cri_tactic *tactic, int skill, bool *reached)
{
    reached[skill] = true;
    for (int i = 0; i < tactic->skills[skill].transition_count; i++) {
        const cri_transition *t = &tactic->skills[skill].transitions[i];
        if (t->weight > 0 && !reached[t->to]) {
            mark_reached(tactic, t->to, reached);
        }
    }
}

static void warn_skills(cri_compiler *c, const cri_tactic *tactic, const cri_node *skills)
{
    bool reached[CRI_SKILLS_MAX] = {false};
    mark_reached(tactic, tactic->info.start, reached);
    for (int i = 0; i < tactic->info.skill_count; i++) {
        if (!reached[i]) {
            cri_compile_warn(c, cri_node_key(skills, i),
                             "tactic \"%s\": no transition leads to Skill \"%s\"", tactic->entry,
                             tactic->skills[i].name);
        }
    }
}

void cri_warn_unreached(cri_compiler *c)
{
    const cr_model *model = c->model;
    for (int i = 0; i < model->tactic_count; i++) {
        const cri_tactic *tactic = &model->tactics[i];
        bool free_choice =
            model->def.free_tactics && model->bodies[tactic->info.body].kind == CR_KIND_CONTROLLED;
        if (!free_choice && tactic->member == 0) {
            const cri_node *node = cri_node_get(c->top[CRI_TOP_TACTICS], tactic->entry);
            warn_skills(c, tactic, cri_node_get(node, "skills"));
        }
    }
}

// ---------------------------------------------------------------------------------------------
// Chance: whether a Tactic may draw at all.

static const cri_node *condition_node(const cri_node *transitions, int index)
{
    const cri_node *value = cri_node_value(transitions, index);
    return value->kind == CRI_NODE_MAP ? cri_node_get(value, "when") : NULL;
}

// Conditions exclude each other where one is the `not` of the other.
static bool may_both_hold(const cri_node *a, const cri_node *b)
{
    return !a || !b || !cri_are_opposite(a, b);
}

// Two transitions of which both may be possible; or one, and a rest that stays.
static bool may_choose(const cri_tactic *tactic, const cri_skill *from, const cri_node *transitions)
{
    for (int i = 0; i < from->transition_count; i++) {
        const cri_transition *t = &from->transitions[i];
        bool possible = t->weight > 0;
        if (possible && tactic->stays && (t->score || t->weight < 1)) {
            return true;
        }
        for (int j = 0; j < i && possible; j++) {
            if (from->transitions[j].weight > 0 &&
                may_both_hold(condition_node(transitions, i), condition_node(transitions, j))) {
                return true;
            }
        }
    }
    return false;
}

static bool may_draw(const cri_tactic *tactic, const cri_node *next)
{
    bool reached[CRI_SKILLS_MAX] = {false};
    mark_reached(tactic, tactic->info.start, reached);
    for (int i = 0; i < tactic->info.skill_count; i++) {
        const cri_skill *skill = &tactic->skills[i];
        const cri_node *transitions = next ? cri_node_get(next, skill->name) : NULL;
        if (reached[i] && (skill->drawn_count > 0 || may_choose(tactic, skill, transitions))) {
            return true;
        }
    }
    return false;
}

void cri_find_draws(cri_compiler *c)
{
    for (int i = 0; i < c->model->tactic_count; i++) {
        cri_tactic *tactic = &c->model->tactics[i];
        const cri_node *node = cri_node_get(c->top[CRI_TOP_TACTICS], tactic->entry);
        tactic->info.draws = may_draw(tactic, cri_node_get(node, "next"));
    }
}

void cri_warn_idle(cri_compiler *c)
{
    const cr_model *model = c->model;
    for (int i = 0; i < model->body_count; i++) {
        int tactic = model->tactic_of ? model->tactic_of[i] : -1, crowd = cri_crowd_of(model, i);
        bool first = crowd < 0 || model->crowds[crowd].first == i;
        if (model->bodies[i].kind == CR_KIND_CONTROLLED && tactic < 0 && first) {
            cri_compile_warn(c, c->sources[i].key, "controlled body \"%s\" has no Tactic",
                             model->bodies[i].name);
        }
    }
}

static void fill_tactic(cri_compiler *c, int tactic, const tactic_nodes *nodes)
{
    cri_tactic *t = &c->model->tactics[tactic];
    const cri_node *start = nodes->values[CRI_TACTIC_START];
    const cri_node *skills = nodes->values[CRI_TACTIC_SKILLS];
    for (int i = 0; i < t->info.skill_count; i++) {
        read_skill(c, cri_node_value(skills, i), tactic, &c->skills[tactic][i]);
    }
    if (t->info.skill_count == 0) {
        return;
    }
    cri_compile_subject(c, "tactic \"%s\", start", t->entry);
    if (start) {
        t->info.start = cri_read_skill(c, start, tactic);
    }
    cri_compile_subject(c, "tactic \"%s\"", t->entry);
    if (nodes->values[CRI_TACTIC_NEXT]) {
        read_next(c, nodes->values[CRI_TACTIC_NEXT], tactic);
    }
    if (nodes->values[CRI_TACTIC_REST]) {
        int word = 0;
        cri_read_word(c, nodes->values[CRI_TACTIC_REST], "rest", "share|stay", &word);
        t->stays = word == 1;
    }
    t->settled = t->info.skill_count == 1 && c->skills[tactic][0].drawn_count == 0;
}

// The Tactics of a crowd: its name stands for the member that each controls.
static void fill_tactics(cri_compiler *c, int first, const tactic_nodes *nodes)
{
    int errors = c->errors;
    if (nodes->crowd < 0) {
        fill_tactic(c, first, nodes);
        return;
    }
    for (int i = 0; i < c->model->crowds[nodes->crowd].count && c->errors == errors; i++) {
        cri_enter_scope(c, nodes->crowd, i);
        fill_tactic(c, first + i, nodes);
        cri_leave_scope(c);
    }
}

// `controls: {each: crowd}`: the crowd; -1 where it is a body, -2 after a report.
static int read_controls(cri_compiler *c, const cri_node *node)
{
    const cri_node *values[CRI_CONTROLS_COUNT];
    const cri_node *controls = cri_node_get(node, "controls");
    if (!controls || controls->kind != CRI_NODE_MAP) {
        return -1;
    }
    int crowd = -1;
    if (cri_read_map(c, controls, &cri_keys_controls, values)) {
        crowd = cri_read_crowd(c, values[CRI_CONTROLS_EACH], "controls: each");
    }
    return crowd >= 0 ? crowd : -2;
}

// How many Tactics there are in all: a crowd's entry stands for one a member.
static int count_tactics(cri_compiler *c, const cri_node *map, tactic_nodes *nodes)
{
    int total = 0;
    for (int i = 0; i < map->count; i++) {
        cri_compile_subject(c, "tactic \"%s\"", cri_node_key(map, i)->text);
        nodes[i].crowd = read_controls(c, cri_node_value(map, i));
        total += nodes[i].crowd >= 0 ? c->model->crowds[nodes[i].crowd].count : 1;
    }
    return total;
}

static int enter_names(cri_compiler *c, const char *entry, int first, int crowd)
{
    int count = crowd >= 0 ? c->model->crowds[crowd].count : 1;
    for (int i = 0; i < count; i++) {
        cri_tactic *tactic = &c->model->tactics[first + i];
        const char *name = crowd >= 0 ? cri_member_name(c, entry, i) : entry;
        tactic->info = (cr_tactic){.name = name, .body = -1};
        tactic->entry = entry;
        tactic->member = crowd == -2 ? -1 : i;
    }
    return count;
}

static bool make_room(cri_compiler *c, size_t count)
{
    cr_model *model = c->model;
    model->tactics = cri_compile_alloc(c, count, sizeof *model->tactics);
    model->steered = cri_compile_alloc(c, count, sizeof *model->steered);
    c->skills = cri_compile_alloc(c, count, sizeof *c->skills);
    model->tactic_of = cri_compile_alloc(c, (size_t)model->body_count, sizeof(int));
    for (int i = 0; model->tactic_of && i < model->body_count; i++) {
        model->tactic_of[i] = -1;
    }
    return model->tactics && model->steered && c->skills && model->tactic_of;
}

void cri_compile_tactics(cri_compiler *c)
{
    const cri_node *map = c->top[CRI_TOP_TACTICS];
    if (!map || !cri_read_names(c, map, "tactics", CRI_ENTRIES_MAX)) {
        return;
    }
    tactic_nodes *nodes = cri_compile_alloc(c, (size_t)map->count, sizeof *nodes);
    int *first = cri_compile_alloc(c, (size_t)map->count, sizeof *first);
    int total = nodes ? count_tactics(c, map, nodes) : 0;
    if (!nodes || !first || !make_room(c, (size_t)total)) {
        return;
    }
    c->model->tactic_count = total;
    for (int i = 0, at = 0; i < map->count; i++) {
        first[i] = at;
        at += enter_names(c, cri_node_key(map, i)->text, at, nodes[i].crowd);
    }
    for (int i = 0; i < map->count; i++) {
        enter_tactic(c, cri_node_value(map, i), first[i], &nodes[i]);
    }
    for (int i = 0; i < map->count; i++) {
        fill_tactics(c, first[i], &nodes[i]);
    }
    for (int i = 0; i < total; i++) {
        int body = c->model->tactics[i].info.body;
        c->model->steered[i] = body >= 0 && c->model->bodies[body].kind != CR_KIND_FOREIGN;
    }
    cri_compile_subject(c, "%s", "");
}
