#include "scene/rewrite.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/vec.h"
#include "scene/scene.h"

// A place in the text where `length` bytes give way to others.
typedef struct edit {
    int offset, length;
    const char *text;
} edit;

typedef struct writer {
    const cr_model *model;
    const cri_groups *groups;
    const cri_change *changes;
    cr_report *report;
    cri_arena arena; // of the new texts
    edit *edits;     // malloc
    int count, capacity;
    bool failed;
} writer;

// ---------------------------------------------------------------------------------------------
// Edits.

static void add_edit(writer *w, int offset, int length, const char *text)
{
    if (w->count == w->capacity) {
        int capacity = 2 * w->capacity + 64;
        edit *edits = realloc(w->edits, (size_t)capacity * sizeof *edits);
        if (!edits) {
            w->failed = true;
            return;
        }
        w->edits = edits;
        w->capacity = capacity;
    }
    const char *copy = cri_arena_text(&w->arena, text, strlen(text));
    w->failed = w->failed || !copy;
    w->edits[w->count++] = (edit){offset, length, copy};
}

static int compare_edits(const void *a, const void *b)
{
    const edit *x = a, *y = b;
    return x->offset < y->offset ? -1 : x->offset > y->offset;
}

static void write_edits(writer *w, cri_text *text)
{
    const cr_scene *scene = w->model->scene;
    size_t at = 0;
    qsort(w->edits, (size_t)w->count, sizeof *w->edits, compare_edits);
    for (int i = 0; i < w->count; i++) {
        const edit *e = &w->edits[i];
        cri_text_add_bytes(text, scene->text + at, (size_t)e->offset - at);
        cri_text_add_bytes(text, e->text, strlen(e->text));
        at = (size_t)e->offset + (size_t)e->length;
    }
    cri_text_add_bytes(text, scene->text + at, scene->length - at);
}

// A number becomes scale * number + shift: a plain one another plain one, an expression a longer
// expression, in which parameters still count.
static void change_number(writer *w, const cri_node *node, double scale, double shift)
{
    const cr_scene *scene = w->model->scene;
    char text[400], factor[40], term[40];
    double value;
    if (node->kind != CRI_NODE_SCALAR || (scale == 1 && shift == 0)) {
        return;
    }
    if (memcmp(scene->text + node->offset, node->text, (size_t)node->count) != 0 ||
        node->count > 300) {
        cri_fail(w->report, CR_ERR_RANGE, (cri_location){scene->path, node->line, node->column},
                 "a number that is varied must stand on one line, of at most 300 bytes");
        w->failed = true;
        return;
    }
    cri_format(factor, sizeof factor, "%.9g", scale);
    cri_format(term, sizeof term, "%.9g", shift);
    if (cri_node_number(node, &value)) {
        cri_format(text, sizeof text, "%.9g", scale * value + shift);
    } else if (shift == 0) {
        snprintf(text, sizeof text, "(%s) * %s", node->text, factor);
    } else {
        snprintf(text, sizeof text, "(%s) * %s + %s", node->text, factor, term);
    }
    add_edit(w, node->offset, node->count, text);
}

// A list of two or three numbers: the third one is along z.
static void change_vector(writer *w, const cri_node *list, const cri_change *k)
{
    const double shift[3] = {k->shift.x, k->shift.y, k->shift.z};
    for (int i = 0; list && list->kind == CRI_NODE_LIST && i < list->count && i < 3; i++) {
        change_number(w, &list->items[i], i < 2 ? k->scale : k->rise, shift[i]);
    }
}

// The same for a size or a place inside of something that moves as a whole.
static void change_size(writer *w, const cri_node *list, const cri_change *k)
{
    cri_change still = {k->scale, k->rise, {0, 0, 0}};
    change_vector(w, list, &still);
}

static void change_length(writer *w, const cri_node *node, double scale)
{
    if (node) {
        change_number(w, node, scale, 0);
    }
}

// One more entry of a map, before its first.
static void add_entry(writer *w, const cri_node *map, const char *entry)
{
    const char *source = w->model->scene->text;
    const cri_node *first = map->count > 0 ? cri_node_key(map, 0) : NULL;
    char text[400];
    if (!first || source[map->offset] == '{') {
        snprintf(text, sizeof text, "%s%s", entry, first ? ", " : "");
        add_edit(w, first ? first->offset : map->offset + 1, 0, text);
    } else {
        snprintf(text, sizeof text, "%s\n%*s", entry, first->column - 1, "");
        add_edit(w, first->offset, 0, text);
    }
}

// How many places stand in `at:`.
static int copies(const cri_node *map)
{
    const cri_node *at = cri_node_get(map, "at");
    bool many =
        at && at->kind == CRI_NODE_LIST && at->count > 0 && at->items[0].kind == CRI_NODE_LIST;
    return many ? at->count : 1;
}

// `at:` of a body or region. Where it is not written, it is [0, 0].
static void change_place(writer *w, const cri_node *map, const cri_change *k)
{
    const cri_node *at = cri_node_get(map, "at");
    bool many = at && copies(map) > 1;
    for (int i = 0; many && i < at->count; i++) {
        change_vector(w, &at->items[i], k);
    }
    if (at && !many) {
        change_vector(w, at->kind == CRI_NODE_LIST && at->count == 1 ? &at->items[0] : at, k);
    }
    if (!at && (k->shift.x != 0 || k->shift.y != 0)) {
        char text[120];
        cri_format(text, sizeof text, "\"at\": [%.9g, %.9g]", k->shift.x, k->shift.y);
        add_entry(w, map, text);
    }
}

// ---------------------------------------------------------------------------------------------
// Things.

static void change_round(writer *w, const cri_node *map, const cri_change *k)
{
    change_length(w, cri_node_get(map, "radius"), k->scale);
    change_length(w, cri_node_get(map, "front"), k->scale);
    change_length(w, cri_node_get(map, "height"), k->rise);
    change_length(w, cri_node_get(map, "length"), k->rise);
    const cri_node *points = cri_node_get(map, "points");
    for (int i = 0; points && points->kind == CRI_NODE_LIST && i < points->count; i++) {
        change_size(w, &points->items[i], k);
    }
}

// What stands under `shape:`, or a region itself: both have one of these keys.
static void change_shape(writer *w, const cri_node *map, const cri_change *k)
{
    change_length(w, cri_node_get(map, "sphere"), k->scale);
    change_size(w, cri_node_get(map, "box"), k);
    change_round(w, cri_node_get(map, "cylinder"), k);
    change_round(w, cri_node_get(map, "prism"), k);
    change_round(w, cri_node_get(map, "capsule"), k);
    change_round(w, cri_node_get(map, "hull"), k);
}

static void change_body(writer *w, const cri_node *map, const cri_change *k)
{
    const cri_node *parts = cri_node_get(map, "parts");
    const cri_node *pitch = cri_node_get(map, "pitch");
    change_place(w, map, k);
    if (pitch && pitch->kind == CRI_NODE_LIST) {
        change_size(w, pitch, k);
    } else {
        change_length(w, pitch, k->scale);
    }
    change_shape(w, cri_node_get(map, "shape"), k);
    change_size(w, cri_node_get(map, "center"), k);
    for (int i = 0; parts && parts->kind == CRI_NODE_LIST && i < parts->count; i++) {
        change_shape(w, cri_node_get(&parts->items[i], "shape"), k);
        change_size(w, cri_node_get(&parts->items[i], "at"), k);
    }
}

// A crowd is one entry, and all of it in one group.
static void change_bodies(writer *w)
{
    const cri_node *map = cri_node_get(w->model->scene->root, "bodies");
    for (int i = 0, body = 0; i < map->count; i++) {
        int crowd = cri_crowd_of(w->model, body), group = w->groups->of[body];
        if (group >= 0) {
            change_body(w, cri_node_value(map, i), &w->changes[group]);
        }
        body += crowd >= 0 ? w->model->crowds[crowd].count : 1;
    }
}

// A joint goes with what it holds. A rope stays at least as long as from end to end.
static void change_joint(writer *w, const cri_node *map, const cr_joint *joint)
{
    int group = -1;
    for (int end = 0; end < 2 && group < 0; end++) {
        group = joint->bodies[end] >= 0 ? w->groups->of[joint->bodies[end]] : -1;
    }
    if (group < 0) {
        return;
    }
    const cri_change *k = &w->changes[group];
    change_vector(w, cri_node_get(map, "at"), k);
    change_vector(w, cri_node_get(map, "from"), k);
    change_vector(w, cri_node_get(map, "to"), k);
    change_length(w, cri_node_get(map, "length"), fmax(k->scale, k->rise));
    const cri_node *limits = joint->kind == CR_JOINT_SLIDER ? cri_node_get(map, "limits") : NULL;
    for (int i = 0; limits && i < limits->count; i++) {
        change_length(w, &limits->items[i], k->scale);
    }
}

static void change_joints(writer *w)
{
    const cri_node *map = cri_node_get(w->model->scene->root, "joints");
    for (int i = 0; map && i < map->count; i++) {
        change_joint(w, cri_node_value(map, i), &w->model->joints[i]);
    }
}

static void change_regions(writer *w)
{
    const cri_node *map = cri_node_get(w->model->scene->root, "regions");
    for (int i = 0; map && i < map->count; i++) {
        int group = w->groups->of[w->model->body_count + i];
        if (group >= 0) {
            change_shape(w, cri_node_value(map, i), &w->changes[group]);
            change_place(w, cri_node_value(map, i), &w->changes[group]);
        }
    }
}

// ---------------------------------------------------------------------------------------------
// Decor. A mark goes with the smallest thing that it stands on, and else with the ground.

static bool stands_on(const cr_model *model, int thing, cr_vec3 at)
{
    static const cr_vec3 axes[] = {{1, 0, 0}, {0, 1, 0}, {-1, 0, 0}, {0, -1, 0}};
    for (size_t i = 0; i < sizeof axes / sizeof axes[0]; i++) {
        if (cri_dot(axes[i], at) > cri_thing_support(model, thing, axes[i])) {
            return false;
        }
    }
    return true;
}

static double extent(const cr_model *model, int thing)
{
    return (cri_thing_support(model, thing, cri_vec3(1, 0, 0)) +
            cri_thing_support(model, thing, cri_vec3(-1, 0, 0))) *
           (cri_thing_support(model, thing, cri_vec3(0, 1, 0)) +
            cri_thing_support(model, thing, cri_vec3(0, -1, 0)));
}

static const cri_change *change_at(const writer *w, cr_vec3 at)
{
    static const cri_change none = {1, 1, {0, 0, 0}};
    const cri_groups *g = w->groups;
    const cri_change *change = &none;
    double least = HUGE_VAL;
    for (int i = 0; i < g->count && least == HUGE_VAL; i++) {
        change = g->items[i].ground ? &w->changes[i] : change;
    }
    for (int i = 0; i < g->thing_count; i++) {
        if (g->of[i] >= 0 && stands_on(w->model, i, at) && extent(w->model, i) < least) {
            least = extent(w->model, i);
            change = &w->changes[g->of[i]];
        }
    }
    return change;
}

// The sizes of a mark, but for the width of its lines and how high it is.
static void change_mark_size(writer *w, const cri_node *map, double scale)
{
    static const char *const sizes[] = {"box", "patch", "block", "post", "circle", "disc"};
    cri_change k = {scale, 1, {0, 0, 0}};
    for (size_t i = 0; i < sizeof sizes / sizeof sizes[0]; i++) {
        const cri_node *size = cri_node_get(map, sizes[i]);
        if (size && size->kind == CRI_NODE_LIST && strcmp(sizes[i], "post") == 0) {
            change_length(w, size->count > 0 ? &size->items[0] : NULL, scale);
        } else if (size && size->kind == CRI_NODE_LIST) {
            change_size(w, size, &k);
        } else {
            change_length(w, size, scale);
        }
    }
}

// Copies of a mark on a list of places stand on things of their own; the first gives their size.
static void change_mark(writer *w, const cri_node *map, const cr_mark *marks)
{
    const cri_node *at = cri_node_get(map, "at"), *line = cri_node_get(map, "line");
    bool many =
        at && at->kind == CRI_NODE_LIST && at->count > 0 && at->items[0].kind == CRI_NODE_LIST;
    for (int i = 0; line && line->kind == CRI_NODE_LIST && i < line->count; i++) {
        cri_change k = *change_at(w, marks->points[i]);
        k.rise = 1, k.shift.z = 0;
        change_vector(w, &line->items[i], &k);
    }
    for (int i = 0; at && i < (many ? at->count : 1); i++) {
        cri_change k =
            marks->body >= 0 ? w->changes[w->groups->of[marks->body]] : *change_at(w, marks[i].at);
        k.rise = 1, k.shift.z = 0;
        k.shift = marks->body >= 0 ? (cr_vec3){0, 0, 0} : k.shift;
        change_vector(w, many ? &at->items[i] : at, &k);
    }
    if (!line) {
        change_mark_size(w, map, change_at(w, marks->at)->scale);
    }
}

static void change_decor(writer *w)
{
    const cri_node *decor = cri_node_get(w->model->scene->root, "decor");
    const cri_node *list = decor ? cri_node_get(decor, "marks") : NULL;
    const cr_mark *mark = w->model->decor.marks;
    for (int i = 0; list && i < list->count; i++) {
        if (mark->body < 0 || w->groups->of[mark->body] >= 0) {
            change_mark(w, &list->items[i], mark);
        }
        mark += copies(&list->items[i]);
    }
}

// ---------------------------------------------------------------------------------------------

bool cri_rewrite(const cr_model *model, const cri_groups *groups, const cri_change *changes,
                 const char *varied, cri_text *text, cr_report *report)
{
    writer w = {.model = model, .groups = groups, .changes = changes, .report = report};
    add_entry(&w, model->scene->root, varied);
    change_bodies(&w);
    change_joints(&w);
    change_regions(&w);
    change_decor(&w);
    if (!w.failed) {
        write_edits(&w, text);
    }
    free(w.edits);
    cri_arena_free(&w.arena);
    return !w.failed && !text->failed;
}
