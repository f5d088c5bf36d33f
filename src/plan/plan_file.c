// Plan files: JSON, complete in themselves (the scene's text is inside), the same bytes for the
// same search. docs/plan-format.md draws the format.
#include "plan/plan.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/file.h"
#include "scene/node.h"
#include "scene/parameters.h"

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
static void add_end(cri_text *text, const cr_solution *info)
{
    if (info->end != (info->goal ? CR_END_GOAL : CR_END_BEST)) {
        cri_text_add(text, ", \"ended_by\": \"%s\"", cr_end_name(info->end));
    }
    if (info->rule) {
        cri_text_add(text, ",\n      \"broken\": {\"step\": %" PRId64 ", ", info->broken_step);
        add_name(text, "rule", info->rule);
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
    add_end(text, info);
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
// Reading. Each getter reports what it misses; `status` keeps the first failure.

typedef struct reader {
    const char *file;
    cr_plan *plan;
    cr_report *report;
    cr_status status;
} reader;

static void fail(reader *r, const cri_node *node, cr_status status, const char *what)
{
    cri_place place = {r->file, node ? node->line : 0, node ? node->column : 0};
    r->status = cri_fail(r->report, status, place, "not a plan: %s", what);
}

static void fail_memory(reader *r)
{
    r->status = cri_fail_memory(r->report);
}

static const cri_node *get(reader *r, const cri_node *map, const char *key, cri_node_kind kind)
{
    const cri_node *node = cri_node_get(map, key);
    if (!node || node->kind != kind) {
        static const char *const sorts[] = {"a value", "a list", "a mapping"};
        char what[120];
        snprintf(what, sizeof what, "\"%s\" must be %s", key, sorts[kind]);
        fail(r, node ? node : map, CR_ERR_SYNTAX, what);
        return NULL;
    }
    return node;
}

static const char *get_text(reader *r, const cri_node *map, const char *key)
{
    const cri_node *node = get(r, map, key, CRI_NODE_SCALAR);
    return node ? node->text : "";
}

static int64_t get_count(reader *r, const cri_node *map, const char *key, int64_t max)
{
    const cri_node *node = get(r, map, key, CRI_NODE_SCALAR);
    int64_t value = 0;
    if (node && (!cri_node_integer(node, &value) || value < 0 || value > max)) {
        char what[120];
        snprintf(what, sizeof what, "\"%s\" must be a whole number from 0 to %" PRId64, key, max);
        fail(r, node, CR_ERR_RANGE, what);
        return 0;
    }
    return value;
}

static double get_number(reader *r, const cri_node *map, const char *key)
{
    const cri_node *node = get(r, map, key, CRI_NODE_SCALAR);
    double value = 0;
    if (node && !cri_node_number(node, &value)) {
        fail(r, node, CR_ERR_TYPE, "a number is expected here");
    }
    return value;
}

static uint64_t get_hash(reader *r, const cri_node *map, const char *key)
{
    const cri_node *node = get(r, map, key, CRI_NODE_SCALAR);
    if (!node) {
        return 0;
    }
    if (node->count != 16 || strspn(node->text, "0123456789abcdef") != 16) {
        fail(r, node, CR_ERR_TYPE, "a hash has sixteen digits of 0-9 and a-f");
        return 0;
    }
    return strtoull(node->text, NULL, 16);
}

static double *get_numbers(reader *r, const cri_node *list, int count)
{
    double *values = cri_arena_alloc(&r->plan->arena, (size_t)count, sizeof *values);
    if (!values) {
        fail_memory(r);
        return NULL;
    }
    if (list->count != count) {
        fail(r, list, CR_ERR_RANGE, "this list has the wrong length for its Skill or sample");
        return NULL;
    }
    for (int i = 0; i < count; i++) {
        if (!cri_node_number(&list->items[i], &values[i])) {
            fail(r, &list->items[i], CR_ERR_TYPE, "a number is expected here");
            return NULL;
        }
    }
    return values;
}

static void read_choice(reader *r, const cri_node *node, cri_choice *choice)
{
    const cr_model *model = r->plan->model;
    const char *tactic = get_text(r, node, "tactic"), *skill = get_text(r, node, "skill");
    const cri_node *drawn = get(r, node, "drawn", CRI_NODE_LIST);
    choice->tactic = choice->skill = -1;
    for (int i = 0; i < model->tactic_count; i++) {
        choice->tactic = strcmp(model->tactics[i].info.name, tactic) == 0 ? i : choice->tactic;
    }
    const cri_tactic *t = choice->tactic < 0 ? NULL : &model->tactics[choice->tactic];
    for (int i = 0; t && i < t->info.skill_count; i++) {
        choice->skill = strcmp(t->skills[i].name, skill) == 0 ? i : choice->skill;
    }
    if (choice->skill < 0) {
        fail(r, node, CR_ERR_NAME, "its scene has no such Tactic or Skill");
    } else if (drawn) {
        choice->drawn = get_numbers(r, drawn, t->skills[choice->skill].drawn_count);
    }
}

static void read_sample(reader *r, const cri_node *node, cri_sample *sample)
{
    if (!r->plan->model->sampling.present) {
        return;
    }
    const cri_node *list = get(r, node, "sample", CRI_NODE_LIST);
    const double *v = list ? get_numbers(r, list, 4) : NULL;
    if (v) {
        *sample = (cri_sample){{v[0], v[1], v[2]}, v[3]};
    }
}

static void read_branch(reader *r, const cri_node *node, cri_plan_branch *branch)
{
    branch->attempt = get_count(r, node, "attempt", INT64_MAX / 2);
    branch->steps = get_count(r, node, "steps", CRI_PLAN_STEPS_MAX);
    branch->hash = get_hash(r, node, "hash");
    read_sample(r, node, &branch->sample);
    const cri_node *choices = get(r, node, "choices", CRI_NODE_LIST);
    if (r->status != CR_OK) {
        return;
    }
    branch->choices =
        cri_arena_alloc(&r->plan->arena, (size_t)choices->count, sizeof *branch->choices);
    if (!branch->choices) {
        fail_memory(r);
        return;
    }
    branch->choice_count = choices->count;
    for (int i = 0; i < choices->count && r->status == CR_OK; i++) {
        read_choice(r, &choices->items[i], &branch->choices[i]);
    }
}

static void read_branches(reader *r, const cri_node *list, cri_plan_solution *solution)
{
    solution->info.branches = list->count;
    solution->branches =
        cri_arena_alloc(&r->plan->arena, (size_t)list->count, sizeof *solution->branches);
    if (!solution->branches) {
        fail_memory(r);
        return;
    }
    int64_t steps = 0;
    for (int i = 0; i < list->count && r->status == CR_OK; i++) {
        read_branch(r, &list->items[i], &solution->branches[i]);
        steps += solution->branches[i].steps;
    }
    if (r->status == CR_OK && (steps != solution->info.steps || steps > CRI_PLAN_STEPS_MAX)) {
        fail(r, list, CR_ERR_RANGE, "the steps of the branches do not add up to the solution's");
    }
}

static void read_end(reader *r, const cri_node *node, cr_solution *info)
{
    const cri_node *word = cri_node_get(node, "ended_by");
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

// The rule must be one of the scene's.
static void read_broken(reader *r, const cri_node *node, cr_solution *info)
{
    const cri_node *broken = cri_node_get(node, "broken");
    if (!broken) {
        if (info->end == CR_END_RULE) {
            fail(r, node, CR_ERR_NAME, "\"broken\" must say which rule ended it");
        }
        return;
    }
    info->broken_step = get_count(r, broken, "step", CRI_PLAN_STEPS_MAX);
    const char *text = get_text(r, broken, "rule");
    const cr_model *model = r->plan->model;
    for (int i = 0; i < model->rule_count && r->status == CR_OK; i++) {
        info->rule = strcmp(model->rules[i].text, text) == 0 ? model->rules[i].text : info->rule;
    }
    if (r->status == CR_OK && !info->rule) {
        fail(r, broken, CR_ERR_NAME, "its scene has no such rule");
    }
}

static void read_solution(reader *r, const cri_node *node, cri_plan_solution *solution)
{
    const cri_node *goal = get(r, node, "goal", CRI_NODE_SCALAR);
    if (goal && !cri_node_flag(goal, &solution->info.goal)) {
        fail(r, goal, CR_ERR_TYPE, "\"goal\" must be true or false");
    }
    solution->info.steps = get_count(r, node, "steps", CRI_PLAN_STEPS_MAX);
    solution->info.seconds = get_number(r, node, "seconds");
    solution->info.score = get_number(r, node, "score");
    solution->info.turning = get_number(r, node, "turning");
    solution->info.contacts = (int)get_count(r, node, "contacts", INT32_MAX);
    solution->info.hash = get_hash(r, node, "hash");
    if (r->status == CR_OK) {
        read_end(r, node, &solution->info);
        read_broken(r, node, &solution->info);
    }
    const cri_node *branches = get(r, node, "branches", CRI_NODE_LIST);
    if (r->status == CR_OK) {
        read_branches(r, branches, solution);
    }
}

static void read_solutions(reader *r, const cri_node *root)
{
    cr_plan *plan = r->plan;
    const cri_node *list = get(r, root, "solutions", CRI_NODE_LIST);
    if (!list) {
        return;
    }
    if (list->count == 0) {
        fail(r, list, CR_ERR_RANGE, "it has no solution");
        return;
    }
    plan->solution_count = list->count;
    plan->solutions = cri_arena_alloc(&plan->arena, (size_t)list->count, sizeof *plan->solutions);
    if (!plan->solutions) {
        fail_memory(r);
        return;
    }
    for (int i = 0; i < list->count && r->status == CR_OK; i++) {
        read_solution(r, &list->items[i], &plan->solutions[i]);
    }
}

static void apply_settings(reader *r, const cri_node *map, cr_scene *scene)
{
    for (int i = 0; map && i < map->count && r->status == CR_OK; i++) {
        const cri_node *value = cri_node_value(map, i);
        if (value->kind != CRI_NODE_SCALAR) {
            fail(r, value, CR_ERR_TYPE, "a setting must be a text or a number");
        } else {
            r->status = cr_scene_set(scene, cri_node_key(map, i)->text, value->text, r->report);
        }
    }
}

// The scene inside the plan, with its settings and the search's parameters, made a model again.
static void read_model(reader *r, const cri_node *root)
{
    const cri_node *node = get(r, root, "scene", CRI_NODE_MAP);
    const cri_node *search = get(r, root, "search", CRI_NODE_MAP);
    const cri_node *text = node ? get(r, node, "text", CRI_NODE_SCALAR) : NULL;
    const cri_node *settings = node ? get(r, node, "settings", CRI_NODE_MAP) : NULL;
    int64_t start = node ? get_count(r, node, "start", INT32_MAX) : 0;
    const char *name = node ? get_text(r, node, "name") : "";
    if (r->status != CR_OK) {
        return;
    }
    cr_scene *scene = NULL;
    r->status = cr_scene_read_text(text->text, (size_t)text->count, name, &scene, r->report);
    if (r->status == CR_OK) {
        apply_settings(r, settings, scene);
        apply_settings(r, search, scene);
    }
    if (r->status == CR_OK) {
        r->status =
            cr_model_create(scene, r->plan->library, (int)start, &r->plan->owned, r->report);
    }
    cr_scene_destroy(scene);
    if (r->status == CR_OK) {
        r->plan->model = r->plan->owned;
        r->plan->def = cr_model_planner_def(r->plan->model);
    }
}

static void read_version(reader *r, const cri_node *root)
{
    const cri_node *format = cri_node_get(root, "format");
    if (!format || !cri_node_is(format, "carom plan")) {
        fail(r, root, CR_ERR_SYNTAX, "a plan begins with \"format\": \"carom plan\"");
        return;
    }
    int64_t version = get_count(r, root, "version", INT32_MAX);
    if (r->status == CR_OK && version != PLAN_VERSION) {
        cri_place place = {r->file, 0, 0};
        r->status = cri_fail(r->report, CR_ERR_VERSION, place,
                             "is a plan of version %" PRId64 "; this program reads version %d",
                             version, PLAN_VERSION);
    }
}

static void read_counts(reader *r, const cri_node *root)
{
    cr_plan *plan = r->plan;
    const char *outcome = get_text(r, root, "outcome");
    for (int i = CR_OUTCOME_GROWING; i <= CR_OUTCOME_SIMULATED; i++) {
        if (strcmp(outcome, cr_outcome_name((cr_outcome)i)) == 0) {
            plan->outcome = (cr_outcome)i;
        }
    }
    plan->nodes = get_count(r, root, "nodes", INT64_MAX / 2);
    plan->steps = get_count(r, root, "steps", INT64_MAX / 2);
    plan->attempts = get_count(r, root, "attempts", INT64_MAX / 2);
    plan->tree_hash = get_hash(r, root, "tree");
    if (cri_node_get(root, "left_out")) {
        plan->left_out = (int)get_count(r, root, "left_out", INT32_MAX);
    }
    const cri_node *repeat = get(r, root, "repeat", CRI_NODE_SCALAR);
    if (repeat) {
        plan->repeat = cri_arena_text(&plan->arena, repeat->text, (size_t)repeat->count);
        if (!plan->repeat) {
            fail_memory(r);
        }
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
    p->library = library;
    cri_arena nodes = {0};
    const cri_node *root = NULL;
    reader r = {.file = name, .plan = p, .report = report};
    cri_node_source source = {text, length, name, PLAN_DEPTH, PLAN_NODES};
    r.status = cri_node_read(&source, &nodes, &root, report);
    void (*const parts[])(reader *, const cri_node *) = {read_version, read_counts, read_model,
                                                         read_solutions};
    for (size_t i = 0; i < sizeof parts / sizeof parts[0] && r.status == CR_OK; i++) {
        parts[i](&r, root);
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
