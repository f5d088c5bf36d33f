// Crowds: many like bodies from one line, and what is said of each of them.
#include "scene/compile.h"

#include <stdio.h>
#include <string.h>

#include "base/trig.h"
#include "base/vec.h"

// What may be said of members in all, so that a short text cannot fill the memory.
enum { SAID_MAX = 100000 };

// ---------------------------------------------------------------------------------------------
// Rows.

static bool is_places(const cri_node *at)
{
    return at && at->kind == CRI_NODE_LIST && at->count > 0 && at->items[0].kind == CRI_NODE_LIST;
}

static bool read_grid(cri_compiler *c, const cri_node *node, cri_rows *rows)
{
    if (!cri_read_list(c, node, "grid", 1, 3)) {
        return false;
    }
    int count = 1;
    for (int i = 0; i < node->count; i++) {
        if (!cri_read_count(c, &node->items[i], "grid", 1, CRI_BODIES_MAX, &rows->grid[i])) {
            return false;
        }
        if (count > CRI_BODIES_MAX / rows->grid[i]) {
            return cri_compile_fail(c, CR_ERR_RANGE, node, "a grid must have at most %d members",
                                    CRI_BODIES_MAX);
        }
        count *= rows->grid[i];
    }
    rows->count = count;
    return true;
}

// A number goes along the body's own x axis.
static void read_pitch(cri_compiler *c, const cri_node *node, cri_rows *rows)
{
    if (node->kind == CRI_NODE_SCALAR) {
        cri_read_number(c, node, "pitch", &cri_range_any, &rows->pitch.x);
    } else {
        cri_read_vector(c, node, "pitch", 1, NULL, &rows->pitch);
    }
}

// A wrong number of places is as good as one: no more of them are looked at.
static void read_places(cri_compiler *c, const cri_node *at, bool counted, const cri_node *pitch,
                        cri_rows *rows)
{
    int wanted = rows->count;
    rows->places = at;
    rows->count = 1;
    if (pitch) {
        cri_compile_fail(c, CR_ERR_NAME, pitch, "\"pitch\" is for one place in \"at\"");
    }
    if (counted && wanted != at->count) {
        cri_compile_fail(c, CR_ERR_RANGE, at, "at must have %d places, got %d", wanted, at->count);
    } else if (at->count > CRI_BODIES_MAX) {
        cri_compile_fail(c, CR_ERR_RANGE, at, "at must have at most %d places, got %d",
                         CRI_BODIES_MAX, at->count);
    } else {
        rows->count = at->count;
    }
}

static void check_rows(cri_compiler *c, const cri_node *node, const cri_node *const *values,
                       const cri_rows *rows)
{
    const cri_node *pitch = values[CRI_BODY_PITCH], *bend = values[CRI_BODY_BEND];
    if (!rows->crowd && (pitch || bend)) {
        cri_compile_fail(c, CR_ERR_NAME, pitch ? pitch : bend,
                         "\"%s\" is for crowds, which have a \"count\" or a \"grid\"",
                         pitch ? "pitch" : "bend");
    }
    if (rows->crowd && !rows->places && !pitch && rows->count > 1) {
        cri_compile_fail(c, CR_ERR_NAME, node,
                         "a crowd must have a \"pitch\", or a place for each in \"at\"");
    }
    if (rows->crowd && bend && !values[CRI_BODY_MEMBERS]) {
        cri_compile_fail(c, CR_ERR_NAME, bend, "\"bend\" is for a row, which has a \"count\"");
    }
}

// Errors in other keys are the body's own to report.
void cri_read_rows(cri_compiler *c, const cri_node *node, cri_rows *rows)
{
    const cri_node *values[CRI_BODY_COUNT];
    *rows = (cri_rows){.count = 1, .grid = {1, 1, 1}};
    for (int i = 0; i < CRI_BODY_COUNT; i++) {
        values[i] = cri_node_get(node, cri_keys_body.rows[i].name);
    }
    const cri_node *count = values[CRI_BODY_MEMBERS], *grid = values[CRI_BODY_GRID];
    rows->crowd = count || grid || is_places(values[CRI_BODY_AT]);
    if (count && grid) {
        cri_compile_fail(c, CR_ERR_NAME, grid, "a crowd has either a \"count\" or a \"grid\"");
    } else if (count) {
        cri_read_count(c, count, "count", 1, CRI_BODIES_MAX, &rows->count);
        rows->grid[0] = rows->count;
    } else if (grid) {
        read_grid(c, grid, rows);
    }
    if (is_places(values[CRI_BODY_AT])) {
        read_places(c, values[CRI_BODY_AT], count || grid, values[CRI_BODY_PITCH], rows);
    } else if (values[CRI_BODY_PITCH]) {
        read_pitch(c, values[CRI_BODY_PITCH], rows);
    }
    if (values[CRI_BODY_BEND]) {
        cri_read_number(c, values[CRI_BODY_BEND], "bend", &cri_range_any, &rows->bend);
    }
    check_rows(c, node, values, rows);
}

// A row that bends: each stands a pitch from the one before, half of the turn aside, as on a
// circle. A grid is laid along the axes that the heading turns.
cr_vec3 cri_row_offset(const cri_rows *rows, int member, double heading)
{
    const int *n = rows->grid;
    cr_vec3 offset = {0, 0, 0};
    if (rows->places) {
        return offset;
    }
    for (int i = 0; i < member && rows->bend != 0; i++) {
        cr_quat turn = cri_quat_heading(heading + (i + 0.5) * rows->bend);
        offset = cri_add(offset, cri_rotate(turn, rows->pitch));
    }
    if (rows->bend == 0) {
        int x = member % n[0], y = member / n[0] % n[1], z = member / n[0] / n[1];
        offset = cri_vec3(x * rows->pitch.x, y * rows->pitch.y, z * rows->pitch.z);
        offset = cri_rotate(cri_quat_heading(heading), offset);
    }
    return offset;
}

// ---------------------------------------------------------------------------------------------
// What is said of each.

const char *cri_member_name(cri_compiler *c, const char *crowd, int member)
{
    char text[CRI_NAME_MAX + 16];
    int length = snprintf(text, sizeof text, "%.*s.%d", CRI_NAME_MAX, crowd, member + 1);
    char *copy = cri_compile_alloc(c, (size_t)length + 1, 1);
    return copy ? strcpy(copy, text) : "";
}

void cri_enter_scope(cri_compiler *c, int crowd, int member)
{
    c->scopes[c->scope_count++] = (cri_scope){crowd, member};
}

void cri_leave_scope(cri_compiler *c)
{
    c->scope_count--;
}

int cri_read_crowd(cri_compiler *c, const cri_node *node, const char *what)
{
    if (node->kind != CRI_NODE_SCALAR || cri_node_is_null(node)) {
        cri_compile_fail(c, CR_ERR_TYPE, node, "%s must be the name of a crowd, got %s", what,
                         cri_node_sort(node));
        return -1;
    }
    int crowd = cri_find_crowd(c->model, node->text);
    if (crowd < 0 && cr_model_find_body(c->model, node->text) >= 0) {
        cri_compile_fail(c, CR_ERR_NAME, node,
                         "%s must be a crowd; \"%s\" is one body, without a \"count\" or \"grid\"",
                         what, node->text);
    } else if (crowd < 0) {
        cri_suggestion suggestion = {.word = node->text};
        for (int i = 0; i < c->model->crowd_count; i++) {
            cri_suggest(&suggestion, c->model->crowds[i].name);
        }
        cri_compile_unknown(c, node, "crowd", &suggestion);
    }
    return crowd;
}

static bool read_each(cri_compiler *c, const cri_node *node, cri_said *said)
{
    const cri_node *values[CRI_EACH_COUNT];
    if (!cri_read_map(c, node, &cri_keys_each, values)) {
        return false;
    }
    const cri_node *name = values[CRI_EACH_EACH];
    said->crowd = cri_read_crowd(c, name, "each");
    if (said->crowd < 0) {
        return false;
    }
    said->is = values[CRI_EACH_IS];
    said->count = c->model->crowds[said->crowd].count;
    for (int i = 0; i < c->scope_count; i++) {
        if (c->scopes[i].crowd == said->crowd) {
            return cri_compile_fail(c, CR_ERR_NAME, name, "each: \"%s\" stands for a member here",
                                    name->text);
        }
    }
    return c->scope_count < CRI_SCOPES_MAX ||
           cri_compile_fail(c, CR_ERR_RANGE, name, "each: at most %d inside each other",
                            CRI_SCOPES_MAX);
}

bool cri_read_said(cri_compiler *c, const cri_node *node, const char *what, cri_said *said)
{
    *said = (cri_said){.crowd = -1};
    if (node->kind == CRI_NODE_LIST) {
        said->list = node;
        said->count = node->count;
        return cri_read_list(c, node, what, 1, 10000);
    }
    if (node->kind != CRI_NODE_MAP) {
        return cri_compile_fail(c, CR_ERR_TYPE, node,
                                "%s must be a list, or {each: crowd, is: ...}, got %s", what,
                                cri_node_sort(node));
    }
    if (!read_each(c, node, said)) {
        return false;
    }
    c->said += said->count;
    return c->said <= SAID_MAX ||
           cri_compile_fail(c, CR_ERR_RANGE, node, "more than %d things are said of members",
                            SAID_MAX);
}

const cri_node *cri_begin_said(cri_compiler *c, const cri_said *said, int index)
{
    if (said->list) {
        return &said->list->items[index];
    }
    cri_enter_scope(c, said->crowd, index);
    return said->is;
}

void cri_end_said(cri_compiler *c, const cri_said *said)
{
    if (!said->list) {
        cri_leave_scope(c);
    }
}
