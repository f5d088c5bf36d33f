// A scene becomes a model: parameters, then bodies and what refers to them, then the completion of
// the model and checks that need it whole. Errors are collected; only a scene without any is
// completed.
#include "scene/compile.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/report.h"
#include "scene/memory.h"
#include "scene/scene.h"

enum { PARAMETERS_MAX = 1000 };

// ---------------------------------------------------------------------------------------------
// Parameters: each may name those above it.

static bool check_name(cri_compiler *c, const cri_node *key)
{
    // `sample` stands for the heading of the sample wherever a number may be drawn.
    if (!cri_expression_is_name(key->text) || strlen(key->text) > CRI_NAME_MAX ||
        strcmp(key->text, "sample") == 0) {
        return cri_compile_fail(c, CR_ERR_NAME, key,
                                "a parameter's name is a letter and up to %d letters, digits and "
                                "_, and not pi, deg or sample, got \"%.80s\"",
                                CRI_NAME_MAX - 1, key->text);
    }
    if (c->plan->has(key->text)) {
        return cri_compile_fail(c, CR_ERR_NAME, key,
                                "the planner has a parameter \"%s\"; choose another name",
                                key->text);
    }
    return true;
}

static void read_parameter(cri_compiler *c, const cri_node *key, const cri_node *value,
                           cri_constant *constant)
{
    const char *setting = cri_scene_setting(c->model->scene, key->text);
    cri_node set = cri_node_word(setting ? setting : "");
    cri_compile_subject(c, setting ? "setting" : "parameters");
    // A broken one counts as 1, so that what refers to it is not reported as well.
    *constant = (cri_constant){key->text, 1, false};
    if (check_name(c, key)) {
        cri_read_number(c, setting ? &set : value, key->text, &cri_range_any, &constant->value);
    }
}

static void compile_parameters(cri_compiler *c)
{
    const cri_node *node = c->top[CRI_TOP_PARAMETERS];
    if (!node) {
        return;
    }
    if (node->kind != CRI_NODE_MAP || node->count > PARAMETERS_MAX) {
        cri_compile_fail(c, CR_ERR_TYPE, node,
                         "parameters must be a mapping with at most %d entries", PARAMETERS_MAX);
        return;
    }
    cri_constant *rows = cri_compile_alloc(c, (size_t)node->count, sizeof *rows);
    if (!rows) {
        return;
    }
    c->constants.rows = rows;
    for (int i = 0; i < node->count; i++) {
        read_parameter(c, cri_node_key(node, i), cri_node_value(node, i), &rows[i]);
        c->constants.count = i + 1;
    }
    cri_compile_subject(c, "%s", "");
}

// ---------------------------------------------------------------------------------------------

static void read_gravity(cri_compiler *c, const cri_node *node)
{
    static const cri_range range = {-1e5, 1e5, false};
    if (node->kind == CRI_NODE_SCALAR) {
        double down = 0;
        cri_read_number(c, node, "gravity", &range, &down);
        c->model->gravity = (cr_vec3){0, 0, -down};
    } else {
        cri_read_vector(c, node, "gravity", 3, NULL, &c->model->gravity);
    }
}

static void compile_general(cri_compiler *c)
{
    static const cri_range dt_range = {1e-5, 1, false};
    cr_model *model = c->model;
    model->gravity = (cr_vec3){0, 0, -9.81};
    model->dt = 1.0 / 60;
    model->substeps = 4;
    if (c->top[CRI_TOP_GRAVITY]) {
        read_gravity(c, c->top[CRI_TOP_GRAVITY]);
    }
    if (c->top[CRI_TOP_DT]) {
        cri_read_number(c, c->top[CRI_TOP_DT], "dt", &dt_range, &model->dt);
    }
    if (c->top[CRI_TOP_SUBSTEPS]) {
        cri_read_count(c, c->top[CRI_TOP_SUBSTEPS], "substeps", 1, 1000, &model->substeps);
    }
    for (int row = CRI_TOP_NAME; row <= CRI_TOP_ABOUT; row++) {
        const cri_node *text = c->top[row];
        if (text && (text->kind != CRI_NODE_SCALAR || cri_node_is_null(text))) {
            cri_compile_fail(c, CR_ERR_TYPE, text, "%s must be a text, got %s",
                             cri_keys_top.rows[row].name, cri_node_sort(text));
        }
    }
}

// Where its numbers come from has no effect; cr_scene_varied reads it.
static void compile_varied(cri_compiler *c)
{
    static const cri_range shares = {0, 0.5, true}, seeds = {0, 0x1p53, false};
    const cri_node *values[CRI_VARIED_COUNT];
    double number;
    if (!c->top[CRI_TOP_VARIED] ||
        !cri_read_map(c, c->top[CRI_TOP_VARIED], &cri_keys_varied, values)) {
        return;
    }
    cri_compile_subject(c, "varied");
    cri_read_number(c, values[CRI_VARIED_SHARE], "share", &shares, &number);
    cri_read_number(c, values[CRI_VARIED_SEED], "seed", &seeds, &number);
    cri_compile_subject(c, "%s", "");
}

// A condition about a touch that cannot be is a mistake in the scene.
static void check_watched(cri_compiler *c)
{
    for (int i = 0; i < c->wish_count; i++) {
        const cri_pair_wish *w = &c->wishes[i];
        if (c->wish_nodes[i] && cr_model_pair(c->model, w->a, w->b) < 0) {
            cri_compile_fail(c, CR_ERR_NAME, c->wish_nodes[i],
                             "bodies \"%s\" and \"%s\" never touch: both are static, one ignores "
                             "the other, a joint holds them, or one is upright and the other a "
                             "plane",
                             c->model->bodies[w->a].name, c->model->bodies[w->b].name);
        }
    }
}

static void warn_parameters(cri_compiler *c)
{
    const cri_node *node = c->top[CRI_TOP_PARAMETERS];
    for (int i = 0; i < c->constants.count; i++) {
        if (!c->constants.rows[i].used) {
            cri_compile_warn(c, cri_node_key(node, i), "parameter \"%s\" is used nowhere",
                             c->constants.rows[i].name);
        }
    }
}

static void finish(cri_compiler *c)
{
    c->status = cri_model_finish(c->model, c->wishes, c->wish_count, c->report);
    if (c->status != CR_OK) {
        return;
    }
    check_watched(c);
    cri_compile_far(c);
    if (c->model->start > 0) {
        cri_draw_start(c);
    } else {
        cri_check_overlaps(c);
    }
    cri_remember(c->model, (cr_state *)(void *)c->model->start_state);
    cri_check_steady(c);
    cri_find_draws(c);
    warn_parameters(c);
    cri_warn_materials(c);
    cri_warn_unreached(c);
    cri_warn_idle(c);
}

static cr_status compile(cri_compiler *c)
{
    void (*const stages[])(cri_compiler *) = {
        compile_parameters, compile_general,    compile_varied,       cri_compile_materials,
        cri_compile_bodies, cri_compile_joints, cri_compile_pictures, cri_compile_regions,
        cri_compile_sample, cri_compile_start,  cri_compile_tactics,  cri_compile_goal,
        cri_compile_decor,  c->plan->read,
    };
    cri_read_map(c, c->model->scene->root, &cri_keys_top, c->top);
    for (size_t i = 0; i < sizeof stages / sizeof stages[0] && c->status != CR_ERR_MEMORY; i++) {
        stages[i](c);
    }
    if (c->status == CR_OK) {
        finish(c);
    }
    free(c->wishes);
    free(c->wish_nodes);
    return c->status;
}

// Errors are found in the order of the work; readers go through the file from top to bottom.
static void sort_errors(cr_error *errors, int from, int count)
{
    count = count < CR_REPORT_MAX ? count : CR_REPORT_MAX;
    for (int i = from + 1; i < count; i++) {
        cr_error error = errors[i];
        int j = i;
        for (; j > from; j--) {
            const cr_error *before = &errors[j - 1];
            if (before->line < error.line ||
                (before->line == error.line && before->column <= error.column)) {
                break;
            }
            errors[j] = *before;
        }
        errors[j] = error;
    }
}

static cr_status create(cr_model *model, const cr_scene *scene, const cri_plan_reader *plan,
                        cr_report *report)
{
    if (model->start < 0) {
        return cri_fail(report, CR_ERR_RANGE, (cri_location){.file = cr_scene_path(scene)},
                        "start must be at least 0, got %d", model->start);
    }
    cr_status status = cri_scene_copy(scene, &model->scene, report);
    if (status != CR_OK) {
        return status;
    }
    cri_compiler c = {.model = model,
                      .library = model->library,
                      .plan = plan,
                      .file = cr_scene_path(model->scene),
                      .self = -1,
                      .report = report};
    int errors = report ? report->count : 0, warnings = report ? report->warning_count : 0;
    status = compile(&c);
    if (report) {
        sort_errors(report->errors, errors, report->count);
        sort_errors(report->warnings, warnings, report->warning_count);
    }
    return status;
}

cr_status cri_model_compile(const cr_scene *scene, const cr_library *library,
                            const cri_plan_reader *plan, int start, cr_model **model,
                            cr_report *report)
{
    *model = NULL;
    cr_model *made = calloc(1, sizeof *made);
    if (!made) {
        return cri_fail_memory(report);
    }
    made->library = library;
    made->start = start;
    cr_status status = create(made, scene, plan, report);
    if (status != CR_OK) {
        cr_model_destroy(made);
        return status;
    }
    *model = made;
    return CR_OK;
}

void cr_model_destroy(cr_model *model)
{
    if (model) {
        cr_scene_destroy(model->scene);
        cri_arena_free(&model->arena);
        free(model);
    }
}
