// Plan files: JSON, complete in themselves (the scene's text is inside), the same bytes for the
// same search. docs/plan-format.md draws the format.
#include "plan/plan.h"

#include <inttypes.h>
#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/file.h"
#include "base/number.h"
#include "plan/parameters.h"
#include "scene/scene.h"

enum {
    PLAN_VERSION = 1,
    PLAN_DEPTH = 12,      // of nested lists and maps
    PLAN_NODES = 4000000, // values in one file
};

// ---------------------------------------------------------------------------------------------
// Writing.

static void add_name(cri_text *text, const char *key, const char *value)
{
    cri_text_add(text, "\"%s\": ", key);
    cri_text_add_string(text, value, strlen(value));
}

static void add_numbers(cri_text *text, const double *values, int count)
{
    cri_text_add(text, "[");
    for (int i = 0; i < count; i++) {
        cri_text_add(text, i ? ", " : "");
        cri_text_add_number(text, values[i]);
    }
    cri_text_add(text, "]");
}

static void add_scene(cri_text *text, const cr_model *model)
{
    const cr_scene *scene = model->scene;
    cri_text_add(text, "  \"scene\": {\n    ");
    add_name(text, "name", cr_scene_name(scene));
    cri_text_add(text, ",\n    \"start\": %d,\n    \"settings\": {", model->start);
    bool first = true;
    for (int i = 0; i < cr_scene_setting_count(scene); i++) {
        if (cri_parameter_find(cr_scene_setting_name(scene, i), NULL) < 0) {
            cri_text_add(text, first ? "" : ", ");
            add_name(text, cr_scene_setting_name(scene, i), cr_scene_setting_value(scene, i));
            first = false;
        }
    }
    size_t length;
    const char *source = cr_scene_text(scene, &length);
    cri_text_add(text, "},\n    \"text\": ");
    cri_text_add_string(text, source, length);
    cri_text_add(text, "\n  },\n");
}

static void add_search(cri_text *text, const cr_plan *plan)
{
    cri_text_add(text, "  \"search\": {");
    bool first = true;
    for (int i = 0; i < cr_parameter_count(); i++) {
        const char *name = cr_parameter_at(i)->name;
        if (strcmp(name, "threads") != 0) { // changes nothing but time
            char value[64];
            cri_text_add(text, first ? "" : ", ");
            add_name(text, name, cri_parameter_print(&plan->def, i, value, sizeof value));
            first = false;
        }
    }
    cri_text_add(text, "},\n  \"outcome\": \"%s\",\n", cr_outcome_name(plan->outcome));
    cri_text_add(text,
                 "  \"nodes\": %" PRId64 ",\n  \"steps\": %" PRId64 ",\n  \"attempts\": %" PRId64
                 ",\n  \"tree\": \"%016" PRIx64 "\",\n",
                 plan->nodes, plan->steps, plan->attempts, plan->tree_hash);
    if (plan->left_out > 0) {
        cri_text_add(text, "  \"left_out\": %d,\n", plan->left_out);
    }
}

static void add_branch(cri_text *text, const cr_model *model, const cri_plan_branch *branch)
{
    cri_text_add(text, "        {\"attempt\": %" PRId64 ", \"steps\": %" PRId64, branch->attempt,
                 branch->steps);
    if (model->sampling.present) {
        double sample[4] = {branch->sample.place.x, branch->sample.place.y, branch->sample.place.z,
                            branch->sample.heading};
        cri_text_add(text, ", \"sample\": ");
        add_numbers(text, sample, 4);
    }
    cri_text_add(text, ", \"choices\": [");
    for (int i = 0; i < branch->choice_count; i++) {
        const cri_choice *choice = &branch->choices[i];
        const cri_tactic *tactic = &model->tactics[choice->tactic];
        const cri_skill *skill = &tactic->skills[choice->skill];
        cri_text_add(text, i ? ", {" : "{");
        add_name(text, "tactic", tactic->info.name);
        cri_text_add(text, ", ");
        add_name(text, "skill", skill->name);
        cri_text_add(text, ", \"drawn\": ");
        add_numbers(text, choice->drawn, skill->drawn_count);
        cri_text_add(text, "}");
    }
    cri_text_add(text, "], \"hash\": \"%016" PRIx64 "\"}", branch->hash);
}

// How it ends, where "goal" does not say it.
static void add_end(cri_text *text, const cr_model *model, const cr_solution *info)
{
    if (info->end != (info->goal ? CR_END_GOAL : CR_END_BEST)) {
        cri_text_add(text, ", \"ended_by\": \"%s\"", cr_end_name(info->end));
    }
    if (info->rule) {
        cri_text_add(text, ",\n      \"broken\": {\"step\": %" PRId64 ", ", info->broken_step);
        add_name(text, "rule", info->rule);
        cri_text_add(text, "}");
    }
    if (info->end == CR_END_ENGINE && info->fault != CR_FAULT_NONE) {
        cri_text_add(text, ",\n      \"blown\": {\"why\": \"%s\"", cr_fault_name(info->fault));
        if (info->fault_body >= 0) {
            cri_text_add(text, ", ");
            add_name(text, "body", model->bodies[info->fault_body].name);
        }
        cri_text_add(text, "}");
    }
}

static void add_solution(cri_text *text, const cr_model *model, const cri_plan_solution *solution)
{
    const cr_solution *info = &solution->info;
    cri_text_add(text, "    {\n      \"goal\": %s, \"steps\": %" PRId64 ", \"seconds\": ",
                 info->goal ? "true" : "false", info->steps);
    cri_text_add_number(text, info->seconds);
    cri_text_add(text, ", \"score\": ");
    cri_text_add_number(text, info->score);
    cri_text_add(text, ", \"turning\": ");
    cri_text_add_number(text, info->turning);
    cri_text_add(text, ", \"contacts\": %d", info->contacts);
    add_end(text, model, info);
    cri_text_add(text, ", \"hash\": \"%016" PRIx64 "\",\n      \"branches\": [\n", info->hash);
    for (int i = 0; i < info->branches; i++) {
        add_branch(text, model, &solution->branches[i]);
        cri_text_add(text, i + 1 < info->branches ? ",\n" : "\n");
    }
    cri_text_add(text, "      ]\n    }");
}

cr_status cr_plan_write(const cr_plan *plan, const char *path, cr_report *report)
{
    cri_text text = {0};
    cri_text_add(&text, "{\n  \"format\": \"carom plan\",\n  \"version\": %d,\n  ", PLAN_VERSION);
    add_name(&text, "repeat", plan->repeat);
    cri_text_add(&text, ",\n");
    add_scene(&text, plan->model);
    add_search(&text, plan);
    cri_text_add(&text, "  \"solutions\": [\n");
    for (int i = 0; i < plan->solution_count; i++) {
        add_solution(&text, plan->model, &plan->solutions[i]);
        cri_text_add(&text, i + 1 < plan->solution_count ? ",\n" : "\n");
    }
    cri_text_add(&text, "  ]\n}\n");
    cr_status status =
        text.failed ? cri_fail_memory(report) : cr_file_write(path, text.data, text.length, report);
    cri_text_free(&text);
    return status;
}

// ---------------------------------------------------------------------------------------------
// Reading. Every mapping is read through a table of its fields: what is not in the table is
// refused, and so is what is missing. `status` keeps the first failure, and nothing is read after
// it.

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
    cri_place place = {r->file, node ? node->line : 0, node ? node->column : 0};
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
             "this list has the wrong length for its Skill or sample: %d and not %d", list->count,
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

static void read_sample(reader *r, const cri_node *list, cri_sample *sample)
{
    const double *v = get_numbers(r, list, 4);
    if (v) {
        *sample = (cri_sample){{v[0], v[1], v[2]}, v[3]};
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
    const cr_state *start = (const cr_state *)(const void *)model->start_state;
    uint64_t end = info->branches > 0 ? solution->branches[info->branches - 1].hash
                                      : cr_state_hash(model, start);
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
// The scene and the search.

// `settings` are the scene's own parameters, `search` the planner's.
static void apply_settings(reader *r, const cri_node *map, bool planner, cr_scene *scene)
{
    for (int i = 0; i < map->count && r->status == CR_OK; i++) {
        const cri_node *key = cri_node_key(map, i), *value = cri_node_value(map, i);
        cri_suggestion suggestion = {.word = key->text};
        bool known = planner ? cri_parameter_find(key->text, &suggestion) >= 0
                             : cri_node_get(scene->parameters, key->text) != NULL;
        if (!known) {
            char hint[100];
            fail(r, key, CR_ERR_NAME, "%s has no parameter \"%.80s\"%s",
                 planner ? "the planner" : "its scene", key->text,
                 cri_suggestion_print(&suggestion, hint, sizeof hint));
        } else if (value->kind != CRI_NODE_SCALAR) {
            fail(r, value, CR_ERR_TYPE, "a setting must be a text or a number");
        } else {
            r->status = cr_scene_set(scene, key->text, value->text, r->report);
        }
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
    if (r->status == CR_OK && number != PLAN_VERSION) {
        cri_place place = {r->file, version->line, version->column};
        r->status = cri_fail(r->report, CR_ERR_VERSION, place,
                             "is a plan of version %" PRId64 "; this program reads version %d",
                             number, PLAN_VERSION);
    }
}

static void read_root(reader *r, const cri_node *root)
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
        COUNT
    };
    static const field fields[COUNT] = {
        {"format", CRI_NODE_SCALAR, false},   {"version", CRI_NODE_SCALAR, false},
        {"repeat", CRI_NODE_SCALAR, false},   {"scene", CRI_NODE_MAP, false},
        {"search", CRI_NODE_MAP, false},      {"outcome", CRI_NODE_SCALAR, false},
        {"nodes", CRI_NODE_SCALAR, false},    {"steps", CRI_NODE_SCALAR, false},
        {"attempts", CRI_NODE_SCALAR, false}, {"tree", CRI_NODE_SCALAR, false},
        {"solutions", CRI_NODE_LIST, false},  {"left_out", CRI_NODE_SCALAR, true}};
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
        read_model(r, values[SCENE], values[SEARCH]);
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
    cri_node_source source = {text, length, name, PLAN_DEPTH, PLAN_NODES};
    r.status = cri_node_read(&source, &nodes, &root, report);
    if (r.status == CR_OK) {
        read_version(&r, root);
    }
    if (r.status == CR_OK) {
        read_root(&r, root);
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
