// Writing plan files: JSON, complete in themselves (the scene's text is inside), the same bytes for
// the same search. docs/plan-format.md draws the format.
#include "plan/plan.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "base/file.h"
#include "carom/extension.h"
#include "plan/parameters.h"
#include "plan/plan_format.h"

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

static void add_pair(cri_text *text, const cr_model *model, int pair, bool *first)
{
    cri_pair of = cri_pair_at(model, pair);
    const cr_body *a = &model->bodies[of.a], *b = &model->bodies[of.b];
    cri_text_add(text, *first ? "[" : ", [");
    cri_text_add_string(text, a->name, strlen(a->name));
    cri_text_add(text, ", ");
    cri_text_add_string(text, b->name, strlen(b->name));
    cri_text_add(text, "]");
    *first = false;
}

static void add_bodies(cri_text *text, const cr_model *model, const cr_state *state)
{
    cri_text_add(text, "    \"bodies\": {\n");
    for (int slot = 0; slot < model->moving_count; slot++) {
        const cr_body_state *s = &cri_bodies_const(model, state)[slot];
        const double numbers[CRI_BODY_NUMBERS] = {
            s->position.x, s->position.y, s->position.z, s->rotation.x, s->rotation.y,
            s->rotation.z, s->rotation.w, s->velocity.x, s->velocity.y, s->velocity.z,
            s->spin.x,     s->spin.y,     s->spin.z};
        cri_text_add(text, "      ");
        cri_text_add_string(text, model->bodies[model->moving[slot]].name,
                            strlen(model->bodies[model->moving[slot]].name));
        cri_text_add(text, ": ");
        add_numbers(text, numbers, CRI_BODY_NUMBERS);
        cri_text_add(text, slot + 1 < model->moving_count ? ",\n" : "\n");
    }
    cri_text_add(text, "    },\n");
}

static void add_touched(cri_text *text, const cr_model *model, const cr_state *state)
{
    bool first = true;
    cri_text_add(text, "    \"touched\": [");
    for (int bit = 0; bit < model->watched_count; bit++) {
        if ((cri_touched_const(model, state)[bit / 64] >> (bit % 64)) & 1) {
            add_pair(text, model, model->who.watched[bit], &first);
        }
    }
    cri_text_add(text, "],\n");
}

static void add_tactics(cri_text *text, const cr_model *model, const cr_state *state)
{
    cri_text_add(text, "    \"tactics\": {");
    for (int i = 0; i < model->tactic_count; i++) {
        const cri_tactic *tactic = &model->tactics[i];
        const cr_tactic_state *s = cri_tactic_state_const(model, state, i);
        cri_text_add(text, i ? ",\n      " : "\n      ");
        cri_text_add_string(text, tactic->info.name, strlen(tactic->info.name));
        cri_text_add(text, ": {");
        add_name(text, "skill", tactic->skills[s->skill].name);
        cri_text_add(text, ", \"phase\": \"%s\", \"variables\": ", cri_phases[s->phase]);
        add_numbers(text, (const double *)(const void *)(s + 1), tactic->variable_count);
        cri_text_add(text, "}");
    }
    cri_text_add(text, "\n    }");
}

// What conditions remember; nothing where none does.
static void add_memory(cri_text *text, const cr_model *model, const cr_state *state)
{
    for (int i = 0; i < model->memory_count; i++) {
        cri_text_add(text, i ? ", %" PRId64 : ",\n    \"memory\": [%" PRId64,
                     cri_memory_const(model, state)[i]);
    }
    cri_text_add(text, model->memory_count > 0 ? "]" : "");
}

// Which joints are broken, and the whole turns of hinges; nothing where there are no joints.
static void add_joints(cri_text *text, const cr_model *model, const cr_state *state)
{
    for (int i = 0; i < model->joint_count; i++) {
        const cr_joint_state *s = &cri_joint_states_const(model, state)[i];
        cri_text_add(text, i ? ", %d, %d" : ",\n    \"joints\": [%d, %d", (int)s->broken,
                     (int)s->turns);
    }
    cri_text_add(text, model->joint_count > 0 ? "]" : "");
}

// What a large world remembers, byte by byte; nothing where that is nothing.
static void add_traces(cri_text *text, const cr_model *model, const cr_state *state)
{
    const uint8_t *traces = (const uint8_t *)state + model->traces_offset;
    size_t count = model->traces_size;
    while (count > 0 && traces[count - 1] == 0) {
        count--;
    }
    for (size_t i = 0; i < count; i++) {
        cri_text_add(text, i ? "%02x" : ",\n    \"traces\": \"%02x", traces[i]);
    }
    cri_text_add(text, count > 0 ? "\"" : "");
}

// Which pairs pass through each other far ahead, and from which step on.
static void add_far(cri_text *text, const cr_model *model, const cri_root *root)
{
    bool first = true;
    cri_text_add(text, ",\n    \"far\": {\"steps\": %" PRId64 ", \"apart\": [",
                 root->far_step - root->state->step);
    for (int i = 0; i < model->pair_count; i++) {
        uint64_t apart = ~root->mask[i / 64];
        if (apart == 0) {
            i |= 63;
        } else if ((apart >> (i % 64)) & 1) {
            add_pair(text, model, i, &first);
        }
    }
    cri_text_add(text, "]}");
}

// Every number of the root's state, exactly; nothing where it is the scene's start.
static void add_root(cri_text *text, const cr_plan *plan)
{
    const cr_model *model = plan->model;
    const cr_state *state = plan->root.state;
    if (cri_root_is_start(model, &plan->root)) {
        return;
    }
    cri_text_add(text, "  \"root\": {\n    \"step\": %" PRId64 ", \"hash\": \"%016" PRIx64 "\",\n",
                 state->step, cr_state_hash(model, state));
    add_bodies(text, model, state);
    add_touched(text, model, state);
    add_tactics(text, model, state);
    add_memory(text, model, state);
    add_joints(text, model, state);
    add_traces(text, model, state);
    if (plan->root.far_step < INT64_MAX) {
        add_far(text, model, &plan->root);
    }
    cri_text_add(text, "\n  },\n");
}

// What its names stand for, beside what is built in.
static void add_extensions(cri_text *text, const cr_library *library)
{
    int count = cr_library_extension_count(library);
    for (int i = 0; i < count; i++) {
        const cr_extension *extension = cr_library_extension(library, i);
        cri_text_add(text, i ? ", {" : "  \"extensions\": [{");
        add_name(text, "name", extension->name);
        cri_text_add(text, ", ");
        add_name(text, "version", extension->version);
        cri_text_add(text, "}");
    }
    cri_text_add(text, count > 0 ? "],\n" : "");
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

static void add_plan(cri_text *text, const cr_plan *plan)
{
    cri_text_add(text, "{\n  \"format\": \"carom plan\",\n  \"version\": %d,\n  ",
                 CRI_PLAN_VERSION);
    add_name(text, "repeat", plan->repeat);
    cri_text_add(text, ",\n");
    add_extensions(text, plan->model->library);
    add_scene(text, plan->model);
    add_root(text, plan);
    add_search(text, plan);
    cri_text_add(text, "  \"solutions\": [\n");
    for (int i = 0; i < plan->solution_count; i++) {
        add_solution(text, plan->model, &plan->solutions[i]);
        cri_text_add(text, i + 1 < plan->solution_count ? ",\n" : "\n");
    }
    cri_text_add(text, "  ]\n}\n");
}

cr_status cr_plan_print(const cr_plan *plan, char **text, size_t *length, cr_report *report)
{
    cri_text made = {0};
    add_plan(&made, plan);
    if (made.failed) {
        cri_text_free(&made);
        return cri_fail_memory(report);
    }
    *text = made.data;
    *length = made.length;
    return CR_OK;
}

cr_status cr_plan_write(const cr_plan *plan, const char *path, cr_report *report)
{
    char *text;
    size_t length;
    cr_status status = cr_plan_print(plan, &text, &length, report);
    if (status == CR_OK) {
        status = cr_file_write(path, text, length, report);
        free(text);
    }
    return status;
}
