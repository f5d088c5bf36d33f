// Reading plan files. Every mapping is read through a table of its fields: what is not in the table
// is refused, and so is what is missing. `status` keeps the first failure, and nothing is read
// after it.
#include "plan/plan.h"

#include <inttypes.h>
#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/file.h"
#include "base/number.h"
#include "carom/extension.h"
#include "plan/parameters.h"
#include "plan/plan_format.h"
#include "scene/memory.h"
#include "scene/scene.h"

enum {
    PLAN_DEPTH = 12,      // of nested lists and maps
    PLAN_NODES = 4000000, // values in one file
};

typedef struct reader {
    const char *file;
    const cr_library *library;
    cr_plan *plan;
    cr_report *report;
    cr_status status;
} reader;

__attribute__((format(printf, 4, 5))) static void fail(reader *r, const cri_node *node,
                                                       cr_status status, const char *format, ...)
{
    char what[240];
    va_list arguments;
    va_start(arguments, format);
    cri_format_list(what, sizeof what, format, arguments);
    va_end(arguments);
    cri_location place = {r->file, node ? node->line : 0, node ? node->column : 0};
    r->status = cri_fail(r->report, status, place, "not a plan: %s", what);
}

static void fail_memory(reader *r)
{
    r->status = cri_fail_memory(r->report);
}

static void *allocate(reader *r, int count, size_t size)
{
    void *memory = cri_arena_alloc(&r->plan->arena, (size_t)count, size);
    if (!memory) {
        fail_memory(r);
    }
    return memory;
}

typedef struct field {
    const char *name;
    cri_node_kind kind;
    bool optional; // its value is NULL where it is not there
} field;

static int find_field(const field *fields, int count, const char *name, cri_suggestion *suggestion)
{
    for (int i = 0; i < count; i++) {
        if (strcmp(fields[i].name, name) == 0) {
            return i;
        }
        cri_suggest(suggestion, fields[i].name);
    }
    return -1;
}

// The values of a mapping, by field. False after a failure.
static bool take(reader *r, const cri_node *map, const field *fields, int count,
                 const cri_node **values)
{
    static const char *const sorts[] = {"a value", "a list", "a mapping"};
    memset(values, 0, (size_t)count * sizeof *values);
    if (map->kind != CRI_NODE_MAP) {
        fail(r, map, CR_ERR_TYPE, "a mapping is expected here, got %s", cri_node_sort(map));
        return false;
    }
    for (int i = 0; i < map->count; i++) {
        const cri_node *key = cri_node_key(map, i);
        cri_suggestion suggestion = {.word = key->text};
        int row = find_field(fields, count, key->text, &suggestion);
        if (row < 0) {
            char hint[100];
            fail(r, key, CR_ERR_NAME, "unknown key \"%.80s\"%s", key->text,
                 cri_suggestion_print(&suggestion, hint, sizeof hint));
            return false;
        }
        values[row] = cri_node_value(map, i);
    }
    for (int i = 0; i < count; i++) {
        bool missing = !values[i] && !fields[i].optional;
        if (missing || (values[i] && values[i]->kind != fields[i].kind)) {
            fail(r, values[i] ? values[i] : map, CR_ERR_SYNTAX, "\"%s\" must be %s", fields[i].name,
                 sorts[fields[i].kind]);
            return false;
        }
    }
    return true;
}

static int64_t get_count(reader *r, const cri_node *node, int64_t min, int64_t max)
{
    int64_t value = min;
    if (!cri_node_integer(node, &value) || value < min || value > max) {
        fail(r, node, CR_ERR_RANGE,
             "a whole number from %" PRId64 " to %" PRId64 " is expected here", min, max);
        return min;
    }
    return value;
}

static double get_number(reader *r, const cri_node *node)
{
    double value = 0;
    if (!cri_node_number(node, &value)) {
        fail(r, node, CR_ERR_TYPE, "a number is expected here");
    }
    return value;
}

static uint64_t get_hash(reader *r, const cri_node *node)
{
    if (node->count != 16 || strspn(node->text, "0123456789abcdef") != 16) {
        fail(r, node, CR_ERR_TYPE, "a hash has sixteen digits of 0-9 and a-f");
        return 0;
    }
    return strtoull(node->text, NULL, 16);
}

static double *get_numbers(reader *r, const cri_node *list, int count)
{
    double *values = allocate(r, count, sizeof *values);
    if (!values) {
        return NULL;
    }
    if (list->count != count) {
        fail(r, list, CR_ERR_RANGE,
             "this list has the wrong length for what it describes: %d and not %d", list->count,
             count);
        return NULL;
    }
    for (int i = 0; i < count; i++) {
        values[i] = get_number(r, &list->items[i]);
    }
    return values;
}

// ---------------------------------------------------------------------------------------------
// Solutions.

static void find_choice(const cr_model *model, const char *tactic, const char *skill,
                        cri_choice *choice)
{
    choice->tactic = choice->skill = -1;
    for (int i = 0; i < model->tactic_count; i++) {
        choice->tactic = strcmp(model->tactics[i].info.name, tactic) == 0 ? i : choice->tactic;
    }
    const cri_tactic *t = choice->tactic < 0 ? NULL : &model->tactics[choice->tactic];
    for (int i = 0; t && i < t->info.skill_count; i++) {
        choice->skill = strcmp(t->skills[i].name, skill) == 0 ? i : choice->skill;
    }
}

static void read_choice(reader *r, const cri_node *node, cri_choice *choice)
{
    enum { TACTIC, SKILL, DRAWN, COUNT };
    static const field fields[COUNT] = {{"tactic", CRI_NODE_SCALAR, false},
                                        {"skill", CRI_NODE_SCALAR, false},
                                        {"drawn", CRI_NODE_LIST, false}};
    const cr_model *model = r->plan->model;
    const cri_node *values[COUNT];
    if (!take(r, node, fields, COUNT, values)) {
        return;
    }
    find_choice(model, values[TACTIC]->text, values[SKILL]->text, choice);
    if (choice->skill < 0) {
        fail(r, node, CR_ERR_NAME, "its scene has no such Tactic or Skill");
        return;
    }
    const cri_skill *skill = &model->tactics[choice->tactic].skills[choice->skill];
    choice->drawn = get_numbers(r, values[DRAWN], skill->drawn_count);
}

// A Tactic decides once.
static void read_choices(reader *r, const cri_node *list, cri_plan_branch *branch)
{
    branch->choices = allocate(r, list->count, sizeof *branch->choices);
    for (int i = 0; i < list->count && r->status == CR_OK; i++) {
        read_choice(r, &list->items[i], &branch->choices[i]);
        branch->choice_count = i + 1;
        for (int j = 0; j < i && r->status == CR_OK; j++) {
            if (branch->choices[j].tactic == branch->choices[i].tactic) {
                fail(r, &list->items[i], CR_ERR_NAME, "this Tactic has decided already");
            }
        }
    }
}

static void read_sample(reader *r, const cri_node *list, cr_sample *sample)
{
    const double *v = get_numbers(r, list, 4);
    if (v) {
        *sample = (cr_sample){{v[0], v[1], v[2]}, v[3]};
    }
}

static void read_branch(reader *r, const cri_node *node, cri_plan_branch *branch)
{
    enum { ATTEMPT, STEPS, CHOICES, HASH, SAMPLE, COUNT };
    static const field fields[COUNT] = {{"attempt", CRI_NODE_SCALAR, false},
                                        {"steps", CRI_NODE_SCALAR, false},
                                        {"choices", CRI_NODE_LIST, false},
                                        {"hash", CRI_NODE_SCALAR, false},
                                        {"sample", CRI_NODE_LIST, false}};
    bool samples = r->plan->model->sampling.present;
    const cri_node *values[COUNT];
    if (!take(r, node, fields, samples ? COUNT : SAMPLE, values)) {
        return;
    }
    branch->attempt = get_count(r, values[ATTEMPT], 1, INT64_MAX / 2);
    branch->steps = get_count(r, values[STEPS], 0, CRI_PLAN_STEPS_MAX);
    branch->hash = get_hash(r, values[HASH]);
    if (samples) {
        read_sample(r, values[SAMPLE], &branch->sample);
    }
    if (r->status == CR_OK) {
        read_choices(r, values[CHOICES], branch);
    }
}

static void read_branches(reader *r, const cri_node *list, cri_plan_solution *solution)
{
    solution->info.branches = list->count;
    solution->branches = allocate(r, list->count, sizeof *solution->branches);
    int64_t steps = 0;
    for (int i = 0; i < list->count && r->status == CR_OK; i++) {
        read_branch(r, &list->items[i], &solution->branches[i]);
        steps += solution->branches[i].steps;
        if (r->status == CR_OK && solution->branches[i].steps == 0 && i + 1 < list->count) {
            fail(r, &list->items[i], CR_ERR_RANGE, "only the last branch may have no steps");
        }
    }
    if (r->status == CR_OK && (steps != solution->info.steps || steps > CRI_PLAN_STEPS_MAX)) {
        fail(r, list, CR_ERR_RANGE, "the steps of the branches do not add up to the solution's");
    }
}

// How it ended; node: where the solution stands, word: what it says, or NULL.
static void read_end(reader *r, const cri_node *node, const cri_node *word, cr_solution *info)
{
    info->end = info->goal ? CR_END_GOAL : CR_END_BEST;
    bool known = !word;
    for (cr_end end = CR_END_GOAL; word && end <= CR_END_OPEN; end++) {
        if (cri_node_is(word, cr_end_name(end))) {
            info->end = end;
            known = true;
        }
    }
    if (!known || (info->end == CR_END_GOAL && !info->goal)) {
        fail(r, word ? word : node, CR_ERR_NAME, "a future does not end in that way");
    }
}

// The rule must be one of the scene's. broken: NULL if it breaks none.
static void read_broken(reader *r, const cri_node *node, const cri_node *broken, cr_solution *info)
{
    enum { STEP, RULE, COUNT };
    static const field fields[COUNT] = {{"step", CRI_NODE_SCALAR, false},
                                        {"rule", CRI_NODE_SCALAR, false}};
    const cri_node *values[COUNT];
    if (!broken) {
        if (info->end == CR_END_RULE) {
            fail(r, node, CR_ERR_NAME, "\"broken\" must say which rule ended it");
        }
        return;
    }
    if (!take(r, broken, fields, COUNT, values)) {
        return;
    }
    info->broken_step = get_count(r, values[STEP], 0, CRI_PLAN_STEPS_MAX);
    const cr_model *model = r->plan->model;
    for (int i = 0; i < model->rule_count; i++) {
        const char *text = model->rules[i].text;
        info->rule = cri_node_is(values[RULE], text) ? text : info->rule;
    }
    if (r->status == CR_OK && !info->rule) {
        fail(r, values[RULE], CR_ERR_NAME, "its scene has no such rule");
    }
}

// Why it blew up. blown: NULL if the plan does not say, or if it did not.
static void read_blown(reader *r, const cri_node *blown, cr_solution *info)
{
    enum { WHY, BODY, COUNT };
    static const field fields[COUNT] = {{"why", CRI_NODE_SCALAR, false},
                                        {"body", CRI_NODE_SCALAR, true}};
    const cri_node *values[COUNT];
    info->fault_body = -1;
    if (!blown || !take(r, blown, fields, COUNT, values)) {
        return;
    }
    for (cr_fault fault = CR_FAULT_NOT_FINITE; fault <= CR_FAULT_SOLVER; fault++) {
        info->fault = cri_node_is(values[WHY], cr_fault_name(fault)) ? fault : info->fault;
    }
    const cr_model *model = r->plan->model;
    for (int i = 0; i < model->body_count && values[BODY]; i++) {
        info->fault_body = cri_node_is(values[BODY], model->bodies[i].name) ? i : info->fault_body;
    }
    if (info->end != CR_END_ENGINE || info->fault == CR_FAULT_NONE) {
        fail(r, values[WHY], CR_ERR_NAME, "a future does not blow up in that way");
    } else if (values[BODY] && info->fault_body < 0) {
        fail(r, values[BODY], CR_ERR_NAME, "its scene has no such body");
    }
}

// What a solution says of itself twice, or what follows from the rest, must agree.
static void check_solution(reader *r, const cri_node *node, const cri_node *hash,
                           const cri_plan_solution *solution)
{
    const cr_model *model = r->plan->model;
    const cr_solution *info = &solution->info;
    double seconds = (double)info->steps * model->dt;
    if (fabs(info->seconds - seconds) > 1e-9 * (1 + seconds)) {
        fail(r, node, CR_ERR_RANGE, "%" PRId64 " steps take %g s, got %g s", info->steps, seconds,
             info->seconds);
        return;
    }
    uint64_t end = info->branches > 0 ? solution->branches[info->branches - 1].hash
                                      : cr_state_hash(model, r->plan->root.state);
    if (info->hash != end) {
        fail(r, hash, CR_ERR_RANGE, "the solution's hash is not that of its last branch");
    }
}

static void read_solution(reader *r, const cri_node *node, cri_plan_solution *solution)
{
    enum {
        GOAL,
        STEPS,
        SECONDS,
        SCORE,
        TURNING,
        CONTACTS,
        HASH,
        BRANCHES,
        ENDED_BY,
        BROKEN,
        BLOWN,
        COUNT
    };
    static const field fields[COUNT] = {
        {"goal", CRI_NODE_SCALAR, false},    {"steps", CRI_NODE_SCALAR, false},
        {"seconds", CRI_NODE_SCALAR, false}, {"score", CRI_NODE_SCALAR, false},
        {"turning", CRI_NODE_SCALAR, false}, {"contacts", CRI_NODE_SCALAR, false},
        {"hash", CRI_NODE_SCALAR, false},    {"branches", CRI_NODE_LIST, false},
        {"ended_by", CRI_NODE_SCALAR, true}, {"broken", CRI_NODE_MAP, true},
        {"blown", CRI_NODE_MAP, true}};
    const cri_node *values[COUNT];
    if (!take(r, node, fields, COUNT, values)) {
        return;
    }
    if (!cri_node_flag(values[GOAL], &solution->info.goal)) {
        fail(r, values[GOAL], CR_ERR_TYPE, "\"goal\" must be true or false");
    }
    solution->info.steps = get_count(r, values[STEPS], 0, CRI_PLAN_STEPS_MAX);
    solution->info.seconds = get_number(r, values[SECONDS]);
    solution->info.score = get_number(r, values[SCORE]);
    solution->info.turning = get_number(r, values[TURNING]);
    solution->info.contacts = (int)get_count(r, values[CONTACTS], 0, INT32_MAX);
    solution->info.hash = get_hash(r, values[HASH]);
    if (r->status == CR_OK) {
        read_end(r, node, values[ENDED_BY], &solution->info);
        read_broken(r, node, values[BROKEN], &solution->info);
        read_blown(r, values[BLOWN], &solution->info);
    }
    if (r->status == CR_OK) {
        read_branches(r, values[BRANCHES], solution);
    }
    if (r->status == CR_OK) {
        check_solution(r, values[SECONDS], values[HASH], solution);
    }
}

static void read_solutions(reader *r, const cri_node *list)
{
    cr_plan *plan = r->plan;
    if (list->count == 0) {
        fail(r, list, CR_ERR_RANGE, "it has no solution");
        return;
    }
    plan->solutions = allocate(r, list->count, sizeof *plan->solutions);
    plan->solution_count = plan->solutions ? list->count : 0;
    for (int i = 0; i < list->count && r->status == CR_OK; i++) {
        read_solution(r, &list->items[i], &plan->solutions[i]);
    }
}

// ---------------------------------------------------------------------------------------------
// The root.

// The pair of two bodies, or -1 after a failure.
static int read_pair(reader *r, const cri_node *node)
{
    const cr_model *model = r->plan->model;
    int body[2] = {-1, -1};
    for (int i = 0; i < 2 && node->kind == CRI_NODE_LIST && node->count == 2; i++) {
        const cri_node *name = &node->items[i];
        body[i] = name->kind == CRI_NODE_SCALAR ? cr_model_find_body(model, name->text) : -1;
    }
    int pair = body[0] >= 0 && body[1] >= 0 ? cr_model_pair(model, body[0], body[1]) : -1;
    if (pair < 0) {
        fail(r, node, CR_ERR_NAME, "its scene has no such pair of bodies");
    }
    return pair;
}

static void read_bodies(reader *r, const cri_node *map, cr_state *state)
{
    const cr_model *model = r->plan->model;
    bool all = map->count == model->moving_count;
    for (int slot = 0; slot < model->moving_count && all && r->status == CR_OK; slot++) {
        const char *name = model->bodies[model->moving[slot]].name;
        const cri_node *list = cri_node_get(map, name);
        all = list && list->kind == CRI_NODE_LIST;
        const double *v = all ? get_numbers(r, list, CRI_BODY_NUMBERS) : NULL;
        if (v) {
            cri_bodies(model, state)[slot] = (cr_body_state){.position = {v[0], v[1], v[2]},
                                                             .rotation = {v[3], v[4], v[5], v[6]},
                                                             .velocity = {v[7], v[8], v[9]},
                                                             .spin = {v[10], v[11], v[12]}};
        }
    }
    if (!all) {
        fail(r, map, CR_ERR_NAME,
             "the root must have %d numbers for each body that moves, and no others",
             CRI_BODY_NUMBERS);
    }
}

static void read_touched(reader *r, const cri_node *list, cr_state *state)
{
    const cr_model *model = r->plan->model;
    uint64_t *touched = cri_touched(model, state);
    memset(touched, 0, model->tactics_offset - model->touched_offset);
    for (int i = 0; i < list->count && r->status == CR_OK; i++) {
        int pair = read_pair(r, &list->items[i]);
        int bit = pair >= 0 ? cri_pair_at(model, pair).watched : -1;
        if (bit >= 0) {
            touched[bit / 64] |= (uint64_t)1 << (bit % 64);
        } else if (r->status == CR_OK) {
            fail(r, &list->items[i], CR_ERR_NAME, "nothing in its scene asks about this pair");
        }
    }
}

static void read_tactic(reader *r, const cri_node *node, int index, cr_state *state)
{
    enum { SKILL, PHASE, VARIABLES, COUNT };
    static const field fields[COUNT] = {{"skill", CRI_NODE_SCALAR, false},
                                        {"phase", CRI_NODE_SCALAR, false},
                                        {"variables", CRI_NODE_LIST, false}};
    const cri_node *values[COUNT];
    if (!take(r, node, fields, COUNT, values)) {
        return;
    }
    const cri_tactic *tactic = &r->plan->model->tactics[index];
    cr_tactic_state *s = cri_tactic_state(r->plan->model, state, index);
    cri_choice choice;
    find_choice(r->plan->model, tactic->info.name, values[SKILL]->text, &choice);
    s->skill = choice.skill;
    s->phase = -1;
    for (int i = CR_SKILL_ENTER; i <= CR_SKILL_FREE; i++) {
        s->phase = cri_node_is(values[PHASE], cri_phases[i]) ? i : s->phase;
    }
    if (s->skill < 0 || s->phase < 0) {
        fail(r, node, CR_ERR_NAME, "its Tactic has no such Skill, or there is no such phase");
        return;
    }
    const double *v = get_numbers(r, values[VARIABLES], tactic->variable_count);
    for (int i = 0; v && i < tactic->variable_count; i++) {
        cri_variables(r->plan->model, state, index)[i] = v[i];
    }
}

static void read_tactics(reader *r, const cri_node *map, cr_state *state)
{
    const cr_model *model = r->plan->model;
    bool all = map->count == model->tactic_count;
    for (int i = 0; i < model->tactic_count && all && r->status == CR_OK; i++) {
        const cri_node *node = cri_node_get(map, model->tactics[i].info.name);
        all = node != NULL;
        if (node) {
            read_tactic(r, node, i, state);
        }
    }
    if (!all) {
        fail(r, map, CR_ERR_NAME, "the root must say what each Tactic does, and no others");
    }
}

static void read_memory(reader *r, const cri_node *list, cr_state *state)
{
    const cr_model *model = r->plan->model;
    if (!list || list->count != model->memory_count) {
        fail(r, list, CR_ERR_NAME, "the root must have %d numbers in \"memory\"",
             model->memory_count);
        return;
    }
    for (int i = 0; i < list->count && r->status == CR_OK; i++) {
        cri_memory(model, state)[i] =
            get_count(r, &list->items[i], 0, cri_memory_most(model->memories[i]));
    }
}

static void read_joints(reader *r, const cri_node *list, cr_state *state)
{
    const cr_model *model = r->plan->model;
    if (list->count != 2 * model->joint_count) {
        fail(r, list, CR_ERR_NAME, "the root must have two numbers a joint in \"joints\"");
        return;
    }
    for (int i = 0; i < model->joint_count && r->status == CR_OK; i++) {
        cri_joint_states(model, state)[i] = (cr_joint_state){
            .broken = (int32_t)get_count(r, &list->items[2 * i], 0, 1),
            .turns = (int32_t)get_count(r, &list->items[2 * i + 1], INT32_MIN, INT32_MAX)};
    }
}

static void read_traces(reader *r, const cri_node *node, cr_state *state)
{
    const cr_model *model = r->plan->model;
    size_t digits = strspn(node->text, "0123456789abcdef");
    if (node->text[digits] || digits % 2 || digits > 2 * model->traces_size) {
        fail(r, node, CR_ERR_TYPE, "traces are at most %zu bytes, two digits of 0-9 and a-f each",
             model->traces_size);
        return;
    }
    for (size_t i = 0; i < digits; i += 2) {
        const char pair[3] = {node->text[i], node->text[i + 1], 0};
        cri_traces(model, state)[i / 2] = (uint8_t)strtoul(pair, NULL, 16);
    }
}

static void read_far(reader *r, const cri_node *node, cri_root *root)
{
    enum { STEPS, APART, COUNT };
    static const field fields[COUNT] = {{"steps", CRI_NODE_SCALAR, false},
                                        {"apart", CRI_NODE_LIST, false}};
    const cri_node *values[COUNT];
    if (!take(r, node, fields, COUNT, values)) {
        return;
    }
    int pairs = r->plan->model->pair_count;
    memset(root->mask, 0xff, ((size_t)pairs + 63) / 64 * sizeof(uint64_t));
    for (int i = 0; i < values[APART]->count && r->status == CR_OK; i++) {
        int pair = read_pair(r, &values[APART]->items[i]);
        if (pair >= 0) {
            root->mask[pair / 64] &= ~((uint64_t)1 << (pair % 64));
        }
    }
    root->far_step = root->state->step + get_count(r, values[STEPS], 0, INT32_MAX);
}

// The root of the plan, which is at the scene's start; node: NULL if that is where it stays.
static void read_root(reader *r, const cri_node *node)
{
    enum { STEP, HASH, BODIES, TOUCHED, TACTICS, MEMORY, JOINTS, TRACES, FAR, COUNT };
    static const field fields[COUNT] = {
        {"step", CRI_NODE_SCALAR, false}, {"hash", CRI_NODE_SCALAR, false},
        {"bodies", CRI_NODE_MAP, false},  {"touched", CRI_NODE_LIST, false},
        {"tactics", CRI_NODE_MAP, false}, {"memory", CRI_NODE_LIST, true},
        {"joints", CRI_NODE_LIST, true},  {"traces", CRI_NODE_SCALAR, true},
        {"far", CRI_NODE_MAP, true}};
    const cri_node *values[COUNT];
    cri_root *root = &r->plan->root;
    if (!node || !take(r, node, fields, COUNT, values)) {
        return;
    }
    root->state->step = get_count(r, values[STEP], 0, INT32_MAX);
    read_bodies(r, values[BODIES], root->state);
    if (r->status == CR_OK) {
        read_touched(r, values[TOUCHED], root->state);
    }
    if (r->status == CR_OK) {
        read_tactics(r, values[TACTICS], root->state);
    }
    if (r->status == CR_OK && (values[MEMORY] || r->plan->model->memory_count > 0)) {
        read_memory(r, values[MEMORY] ? values[MEMORY] : node, root->state);
    }
    if (r->status == CR_OK && (values[JOINTS] || r->plan->model->joint_count > 0)) {
        read_joints(r, values[JOINTS] ? values[JOINTS] : node, root->state);
    }
    if (r->status == CR_OK && values[TRACES]) {
        read_traces(r, values[TRACES], root->state);
    }
    if (r->status == CR_OK && values[FAR]) {
        read_far(r, values[FAR], root);
    }
    if (r->status == CR_OK) {
        cr_root view = cri_root_view(r->plan->model, root);
        r->status = cri_root_check(r->plan->model, &view, r->report);
    }
    uint64_t hash = r->status == CR_OK ? get_hash(r, values[HASH]) : 0;
    if (r->status == CR_OK && hash != cr_state_hash(r->plan->model, root->state)) {
        fail(r, values[HASH], CR_ERR_RANGE, "the root's hash is not that of its state");
    }
}

// ---------------------------------------------------------------------------------------------
// The scene and the search.

// `settings` are the scene's own parameters, `search` the planner's.
static void apply_settings(reader *r, const cri_node *map, bool planner, cr_scene *scene)
{
    for (int i = 0; i < map->count && r->status == CR_OK; i++) {
        const cri_node *key = cri_node_key(map, i), *value = cri_node_value(map, i);
        cri_suggestion suggestion = {.word = key->text};
        bool known = planner ? cri_parameter_find(key->text, &suggestion) >= 0
                             : cri_node_get(scene->parameters, key->text) ||
                                   cri_scene_has(scene, "pictures", key->text);
        if (!known) {
            char hint[100];
            fail(r, key, CR_ERR_NAME, "%s has no parameter \"%.80s\"%s",
                 planner ? "the planner" : "its scene", key->text,
                 cri_suggestion_print(&suggestion, hint, sizeof hint));
        } else if (value->kind != CRI_NODE_SCALAR) {
            fail(r, value, CR_ERR_TYPE, "a setting must be a text or a number");
        } else { // what a picture was set to needs no file
            r->status = cri_scene_set(scene, key->text, value->text, r->report);
        }
    }
}

// The extension of that name in the library, or NULL.
static const cr_extension *find_extension(const cr_library *library, const char *name)
{
    for (int i = 0; i < cr_library_extension_count(library); i++) {
        if (strcmp(cr_library_extension(library, i)->name, name) == 0) {
            return cr_library_extension(library, i);
        }
    }
    return NULL;
}

static void read_extension(reader *r, const cri_node *node)
{
    enum { NAME, VERSION, COUNT };
    static const field fields[COUNT] = {{"name", CRI_NODE_SCALAR, false},
                                        {"version", CRI_NODE_SCALAR, false}};
    const cri_node *values[COUNT];
    if (!take(r, node, fields, COUNT, values)) {
        return;
    }
    const char *name = values[NAME]->text, *version = values[VERSION]->text;
    const cr_extension *extension = find_extension(r->library, name);
    cri_location place = {r->file, node->line, node->column};
    if (!extension) {
        r->status = cri_fail(r->report, CR_ERR_VERSION, place,
                             "the plan was made with the extension \"%.40s\" %.40s, which is not "
                             "loaded; load its shared object with --load FILE",
                             name, version);
    } else if (strcmp(extension->version, version) != 0) {
        r->status = cri_fail(r->report, CR_ERR_VERSION, place,
                             "the plan was made with version %.40s of the extension \"%.40s\", "
                             "and version %s is loaded",
                             version, name, extension->version);
    }
}

// What the plan was made with must be there: without it its names mean nothing, and with another
// version perhaps something else.
static void read_extensions(reader *r, const cri_node *list)
{
    for (int i = 0; list && i < list->count && r->status == CR_OK; i++) {
        read_extension(r, &list->items[i]);
    }
}

// The scene inside the plan, with its settings and the search's parameters, made a model again.
static void read_model(reader *r, const cri_node *node, const cri_node *search)
{
    enum { NAME, START, SETTINGS, TEXT, COUNT };
    static const field fields[COUNT] = {{"name", CRI_NODE_SCALAR, false},
                                        {"start", CRI_NODE_SCALAR, false},
                                        {"settings", CRI_NODE_MAP, false},
                                        {"text", CRI_NODE_SCALAR, false}};
    const cri_node *values[COUNT];
    if (!take(r, node, fields, COUNT, values)) {
        return;
    }
    int start = (int)get_count(r, values[START], 0, INT32_MAX);
    cr_scene *scene = NULL;
    if (r->status == CR_OK) {
        r->status = cr_scene_read_text(values[TEXT]->text, (size_t)values[TEXT]->count,
                                       values[NAME]->text, &scene, r->report);
    }
    if (r->status == CR_OK) {
        apply_settings(r, values[SETTINGS], false, scene);
        apply_settings(r, search, true, scene);
    }
    if (r->status == CR_OK) {
        r->status = cr_model_create(scene, r->library, start, &r->plan->owned, r->report);
    }
    cr_scene_destroy(scene);
    if (r->status == CR_OK) {
        r->plan->model = r->plan->owned;
        r->plan->def = cr_model_planner_def(r->plan->model);
    }
    if (r->status == CR_OK &&
        cri_root_create(r->plan->model, &r->plan->arena, &r->plan->root) != CR_OK) {
        fail_memory(r);
    }
}

static void read_outcome(reader *r, const cri_node *node, cr_outcome *outcome)
{
    cri_suggestion suggestion = {.word = node->text};
    for (int i = CR_OUTCOME_GROWING; i <= CR_OUTCOME_SIMULATED; i++) {
        const char *name = cr_outcome_name((cr_outcome)i);
        if (strcmp(node->text, name) == 0) {
            *outcome = (cr_outcome)i;
            return;
        }
        cri_suggest(&suggestion, name);
    }
    char hint[100];
    fail(r, node, CR_ERR_NAME, "unknown outcome \"%.80s\"%s", node->text,
         cri_suggestion_print(&suggestion, hint, sizeof hint));
}

// Before all else: another version may have other keys.
static void read_version(reader *r, const cri_node *root)
{
    const cri_node *format = cri_node_get(root, "format"), *version = cri_node_get(root, "version");
    if (!format || !cri_node_is(format, "carom plan") || !version) {
        fail(r, root, CR_ERR_SYNTAX,
             "a plan begins with \"format\": \"carom plan\" and \"version\"");
        return;
    }
    int64_t number = get_count(r, version, 0, INT32_MAX);
    if (r->status == CR_OK && number != CRI_PLAN_VERSION) {
        cri_location place = {r->file, version->line, version->column};
        r->status = cri_fail(r->report, CR_ERR_VERSION, place,
                             "is a plan of version %" PRId64 "; this program reads version %d",
                             number, CRI_PLAN_VERSION);
    }
}

static void read_plan(reader *r, const cri_node *root)
{
    enum {
        FORMAT,
        VERSION,
        REPEAT,
        SCENE,
        SEARCH,
        OUTCOME,
        NODES,
        STEPS,
        ATTEMPTS,
        TREE,
        SOLUTIONS,
        LEFT_OUT,
        EXTENSIONS,
        ROOT,
        COUNT
    };
    static const field fields[COUNT] = {
        {"format", CRI_NODE_SCALAR, false},   {"version", CRI_NODE_SCALAR, false},
        {"repeat", CRI_NODE_SCALAR, false},   {"scene", CRI_NODE_MAP, false},
        {"search", CRI_NODE_MAP, false},      {"outcome", CRI_NODE_SCALAR, false},
        {"nodes", CRI_NODE_SCALAR, false},    {"steps", CRI_NODE_SCALAR, false},
        {"attempts", CRI_NODE_SCALAR, false}, {"tree", CRI_NODE_SCALAR, false},
        {"solutions", CRI_NODE_LIST, false},  {"left_out", CRI_NODE_SCALAR, true},
        {"extensions", CRI_NODE_LIST, true},  {"root", CRI_NODE_MAP, true}};
    const cri_node *values[COUNT];
    if (!take(r, root, fields, COUNT, values)) {
        return;
    }
    cr_plan *plan = r->plan;
    read_outcome(r, values[OUTCOME], &plan->outcome);
    plan->nodes = get_count(r, values[NODES], 0, INT64_MAX / 2);
    plan->steps = get_count(r, values[STEPS], 0, INT64_MAX / 2);
    plan->attempts = get_count(r, values[ATTEMPTS], 0, INT64_MAX / 2);
    plan->tree_hash = get_hash(r, values[TREE]);
    if (values[LEFT_OUT]) {
        plan->left_out = (int)get_count(r, values[LEFT_OUT], 0, INT32_MAX);
    }
    plan->repeat =
        cri_arena_text(&plan->arena, values[REPEAT]->text, (size_t)values[REPEAT]->count);
    if (!plan->repeat) {
        fail_memory(r);
    }
    if (r->status == CR_OK) {
        read_extensions(r, values[EXTENSIONS]);
    }
    if (r->status == CR_OK) {
        read_model(r, values[SCENE], values[SEARCH]);
    }
    if (r->status == CR_OK) {
        read_root(r, values[ROOT]);
    }
    if (r->status == CR_OK) {
        read_solutions(r, values[SOLUTIONS]);
    }
}

cr_status cr_plan_read_text(const char *text, size_t length, const char *name,
                            const cr_library *library, cr_plan **plan, cr_report *report)
{
    *plan = NULL;
    cr_plan *p = calloc(1, sizeof *p);
    if (!p) {
        return cri_fail_memory(report);
    }
    cri_arena nodes = {0};
    const cri_node *root = NULL;
    reader r = {.file = name, .library = library, .plan = p, .report = report};
    cri_node_source source = {text, length, name, PLAN_DEPTH, PLAN_NODES, NULL, 0};
    r.status = cri_node_read(&source, &nodes, &root, report);
    if (r.status == CR_OK) {
        read_version(&r, root);
    }
    if (r.status == CR_OK) {
        read_plan(&r, root);
    }
    cri_arena_free(&nodes);
    if (r.status != CR_OK) {
        cr_plan_destroy(p);
        return r.status;
    }
    *plan = p;
    return CR_OK;
}

cr_status cr_plan_read(const char *path, const cr_library *library, cr_plan **plan,
                       cr_report *report)
{
    *plan = NULL;
    char *text = NULL;
    size_t length = 0;
    cr_status status = cri_file_read(path, CR_PLAN_MAX_BYTES, &text, &length, report);
    if (status == CR_OK) {
        status = cr_plan_read_text(text, length, path, library, plan, report);
    }
    free(text);
    return status;
}
