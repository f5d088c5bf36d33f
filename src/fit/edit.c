// The user's text with other numbers in it. Every number of a material stands at a place that the
// reader knows, by line and column; what is not there yet is put in front of its map. Everything
// else, comments too, stays byte for byte; each line that changes says at its end what stood there.
//
//     ball: {friction: 0.3, restitution: 0.78}
//     ball: {friction: 0.104, restitution: 0.833} # fitted; was: friction 0.3, restitution 0.78
#include "fit/edit.h"
#include "fit/fit.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/file.h"
#include "base/report.h"
#include "scene/model.h"
#include "scene/scene.h"

static const char MARK[] = " # fitted; was: ";

typedef struct editor {
    const cr_fit *fit;
    const cr_scene *scene;
    cri_edit edits[2 * CR_FIT_PARAMETERS_MAX];
    int count;
    bool marks;
    cr_report *report;
} editor;

// ---------------------------------------------------------------------------------------------
// Finding.

// The byte at a line and column of the text.
size_t cri_edit_offset(const cr_scene *scene, const cri_node *node)
{
    size_t at = 0;
    for (int line = 1; line < node->line && at < scene->length; at++) {
        line += scene->text[at] == '\n';
    }
    for (int column = 1; column < node->column && at < scene->length; at++) {
        unsigned char next = (unsigned char)scene->text[at + 1];
        column += (next & 0xc0) != 0x80; // columns are characters
    }
    return at;
}

bool cri_edit_fits(const cr_scene *scene, const cri_node *node)
{
    size_t at = cri_edit_offset(scene, node), length = (size_t)node->count;
    return node->kind == CRI_NODE_SCALAR && !node->quoted && at + length <= scene->length &&
           memcmp(scene->text + at, node->text, length) == 0;
}

static cr_status fail_at(const editor *e, const cri_node *node, const char *name)
{
    cri_location place = {e->scene->path, node ? node->line : 1, node ? node->column : 1};
    return cri_fail(e->report, CR_ERR_TYPE, place,
                    "\"%s\" stands here in a way that cannot be edited: it must be a plain number",
                    name);
}

static cr_status replace(editor *e, const cri_node *node, const char *name, double value)
{
    if (!cri_edit_fits(e->scene, node)) {
        return fail_at(e, node, name);
    }
    size_t at = cri_edit_offset(e->scene, node), length = (size_t)node->count;
    cri_edit *made = &e->edits[e->count++];
    *made = (cri_edit){.at = at, .length = length};
    cri_format(made->text, sizeof made->text, "%.6g", value);
    cri_format(made->was, sizeof made->was, "%s %.40s", name, node->text);
    return CR_OK;
}

// Put `key: value` in front of the first key of a map.
static cr_status insert(editor *e, const cri_node *map, const char *key, double value)
{
    if (!map || map->kind != CRI_NODE_MAP || map->count == 0) {
        return fail_at(e, map, key);
    }
    const cri_node *first = cri_node_key(map, 0);
    size_t at = cri_edit_offset(e->scene, first);
    // A block map has its first key behind blanks alone; a flow map behind its bracket.
    size_t line = at;
    while (line > 0 && e->scene->text[line - 1] == ' ') {
        line--;
    }
    bool block = line == 0 || e->scene->text[line - 1] == '\n';
    cri_edit *made = &e->edits[e->count++];
    *made = (cri_edit){.at = at};
    cri_format(made->text, sizeof made->text, block ? "%s: %.6g\n%*s" : "%s: %.6g, %*s", key, value,
               block ? (int)(at - line) : 0, "");
    cri_format(made->was, sizeof made->was, block ? "%s" : "%s by default", block ? "" : key);
    return CR_OK;
}

static const char *const keys[CRI_FIT_COUNT] = {
    [CRI_FIT_FRICTION] = "friction",       [CRI_FIT_STATIC] = "static_friction",
    [CRI_FIT_RESTITUTION] = "restitution", [CRI_FIT_ROLLING] = "rolling",
    [CRI_FIT_SPINNING] = "spinning",       [CRI_FIT_LINEAR] = "linear",
    [CRI_FIT_ANGULAR] = "angular",         [CRI_FIT_MASS] = "mass",
};

static cr_status set_in(editor *e, const cri_node *map, cri_fit_kind kind, double value)
{
    const cri_node *node = map ? cri_node_get(map, keys[kind]) : NULL;
    return node ? replace(e, node, keys[kind], value) : insert(e, map, keys[kind], value);
}

// Damping that is not there: both of it, in one go.
static cr_status insert_damping(editor *e, const cri_node *map, int thing, const double *values)
{
    double both[2] = {0, 0};
    for (int i = 0; i < e->fit->parameter_count; i++) {
        const cri_fit_number *n = &e->fit->parameters[i];
        if (n->thing == thing && n->kind == CRI_FIT_LINEAR) {
            both[0] = values[i];
        } else if (n->thing == thing && n->kind == CRI_FIT_ANGULAR) {
            both[1] = values[i];
        }
    }
    cr_status status = insert(e, map, "damping", 0);
    if (status == CR_OK) {
        cri_edit *made = &e->edits[e->count - 1];
        char rest[40], *end = strstr(made->text, "0");
        cri_format(rest, sizeof rest, "%s", end + 1);
        *end = 0;
        cri_format(end, sizeof made->text - (size_t)(end - made->text),
                   "{linear: %.6g, angular: %.6g}%s", both[0], both[1], rest);
    }
    return status;
}

static bool is_second_damping(const cr_fit *fit, int parameter)
{
    const cri_fit_number *n = &fit->parameters[parameter];
    for (int i = 0; i < parameter; i++) {
        if (fit->parameters[i].thing == n->thing && fit->parameters[i].kind == CRI_FIT_LINEAR) {
            return n->kind == CRI_FIT_ANGULAR;
        }
    }
    return false;
}

static cr_status set_number(editor *e, int parameter, const double *values)
{
    const cri_fit_number *n = &e->fit->parameters[parameter];
    const cr_model *model = e->fit->model;
    bool mass = n->kind == CRI_FIT_MASS;
    const cri_node *all = cri_node_get(e->scene->root, mass ? "bodies" : "materials");
    const cri_node *map = cri_node_get(all, mass ? cri_body_entry(model, n->thing)
                                                 : cr_model_material(model, n->thing)->name);
    if (n->kind == CRI_FIT_LINEAR || n->kind == CRI_FIT_ANGULAR) {
        const cri_node *damping = map ? cri_node_get(map, "damping") : NULL;
        if (!damping) {
            return is_second_damping(e->fit, parameter) ? CR_OK
                                                        : insert_damping(e, map, n->thing, values);
        }
        map = damping;
    }
    return set_in(e, map, n->kind, values[parameter]);
}

// ---------------------------------------------------------------------------------------------
// Writing.

static int compare_edits(const void *a, const void *b)
{
    const cri_edit *x = a, *y = b;
    return (x->at > y->at) - (x->at < y->at);
}

// The end of a line: without an older mark, and with the new one.
static void end_line(cri_text *out, size_t line, const char *mark, const char *was)
{
    const char *old = NULL;
    cri_text_add(out, "%s", "");
    for (const char *at = out->data + line; (at = strstr(at, mark)); at++) {
        old = at;
    }
    if (old) {
        out->length = (size_t)(old - out->data);
        out->data[out->length] = 0;
    }
    cri_text_add(out, "%s%s", mark, was);
}

void cri_edit_write(const cr_scene *scene, cri_edit *edits, int count, const char *mark,
                    cri_text *out)
{
    char was[1600] = "";
    size_t line = 0;
    int next = 0;
    qsort(edits, (size_t)count, sizeof edits[0], compare_edits);
    for (size_t at = 0; at <= scene->length && !out->failed; at++) {
        for (; next < count && edits[next].at == at; next++) {
            const cri_edit *made = &edits[next];
            size_t used = strlen(was);
            cri_text_add(out, "%s", made->text);
            if (*made->was) {
                cri_format(was + used, sizeof was - used, "%s%s", used ? ", " : "", made->was);
            }
            at += made->length;
        }
        bool end = at == scene->length, line_end = end || scene->text[at] == '\n';
        if (line_end && mark && *was) {
            end_line(out, line, mark, was);
        }
        if (!end) {
            cri_text_add_bytes(out, &scene->text[at], 1);
        }
        line = line_end ? out->length : line;
        was[0] = line_end ? 0 : was[0];
    }
}

// The new text must say what was meant.
static bool is_right(const editor *e, const cri_text *out, const double *values)
{
    cr_scene *scene = NULL;
    cr_model *model = NULL;
    cr_fit again = *e->fit;
    bool right = cr_scene_read_text(out->data, out->length, e->scene->path, &scene, NULL) == CR_OK;
    for (int i = 0; right && i < e->scene->setting_count; i++) {
        right = cr_scene_set(scene, e->scene->settings[i].name, e->scene->settings[i].value,
                             NULL) == CR_OK;
    }
    right = right && cr_model_create(scene, NULL, 0, &model, NULL) == CR_OK;
    again.model = model;
    again.parameter_count = 0;
    for (int i = 0; right && i < e->fit->parameter_count; i++) {
        right = cr_fit_add(&again, e->fit->parameters[i].name, NULL) == CR_OK &&
                fabs(again.parameters[i].value - values[i]) <= 1e-5 * fabs(values[i]) + 1e-9;
    }
    cr_model_destroy(model);
    cr_scene_destroy(scene);
    return right;
}

static cr_status compose(editor *e, const double *values, char **text, size_t *length)
{
    cri_text out = {0};
    e->count = 0;
    cr_status status = CR_OK;
    for (int i = 0; i < e->fit->parameter_count && status == CR_OK; i++) {
        status = set_number(e, i, values);
    }
    if (status != CR_OK) {
        return status;
    }
    cri_edit_write(e->scene, e->edits, e->count, e->marks ? MARK : NULL, &out);
    if (out.failed) {
        cri_text_free(&out);
        return cri_fail_memory(e->report);
    }
    if (!is_right(e, &out, values)) {
        cri_text_free(&out);
        return CR_ERR_SYNTAX;
    }
    *text = out.data;
    *length = out.length;
    return CR_OK;
}

cr_status cr_fit_scene_text(const cr_fit *fit, const double *values, char **text, size_t *length,
                            cr_report *report)
{
    *text = NULL;
    *length = 0;
    editor *e = calloc(1, sizeof *e);
    if (!e) {
        return cri_fail_memory(report);
    }
    *e = (editor){.fit = fit, .scene = cr_model_scene(fit->model), .marks = true, .report = report};
    cr_status status = compose(e, values, text, length);
    if (status == CR_ERR_SYNTAX) { // JSON has no comments, nor has the inside of a text
        e->marks = false;
        status = compose(e, values, text, length);
    }
    if (status == CR_ERR_SYNTAX) {
        status = cri_fail(report, CR_ERR_SYNTAX, (cri_location){e->scene->path, 1, 1},
                          "the values cannot be put into this text");
    }
    free(e);
    return status;
}
