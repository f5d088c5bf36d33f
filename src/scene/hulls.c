// Hulls of files become points of the scene: where a scene is read from a file, each
//
//     hull: {file: part.obj, scale: 0.001}        is read, and its text becomes
//     hull: {points: [[x, y, z], ...], scale: 0.001}
//
// with the corners of the file's hull, and each picture that is a file becomes its cells. The
// scene's text then says all there is: a plan that embeds it replays without the file. Columns in
// messages stay those of the file that was read.
#include "scene/hulls.h"

#include <stdlib.h>
#include <string.h>

#include "base/bitmap.h"
#include "base/file.h"
#include "geom/hull.h"
#include "geom/points.h"

enum { HULLS_MAX = 4096 };

// A place in the text where `length` bytes give way to others.
typedef struct edit {
    int offset, length;
    size_t from, to; // in the new texts
} edit;

typedef struct taker {
    const cr_scene *scene;
    cr_report *report;
    cri_text texts; // new ones, one after the other
    edit *edits;    // malloc
    int count, capacity;
    cr_status status;
} taker;

static void add_edit(taker *t, const cri_node *node, size_t from)
{
    if (t->count == t->capacity) {
        int capacity = 2 * t->capacity + 16;
        edit *edits = realloc(t->edits, (size_t)capacity * sizeof *edits);
        if (!edits) {
            t->status = cri_fail_memory(t->report);
            return;
        }
        t->edits = edits;
        t->capacity = capacity;
    }
    int quotes = node->quoted ? 2 : 0;
    t->edits[t->count++] = (edit){node->offset, node->count + quotes, from, t->texts.length};
}

// The scalar's text as it stands in the file; false for blocks and what has escapes in it.
static bool stands_plainly(const cr_scene *scene, const cri_node *node)
{
    const char *text = scene->text + node->offset;
    size_t left = scene->length - (size_t)node->offset, size = (size_t)node->count;
    if (node->quoted) {
        return left >= size + 2 && (text[0] == '"' || text[0] == '\'') &&
               memcmp(text + 1, node->text, size) == 0 && text[size + 1] == text[0];
    }
    return left >= size && memcmp(text, node->text, size) == 0;
}

// Beside the scene, unless it begins with a slash.
static bool path_beside(const cr_scene *scene, const char *file, cri_text *path)
{
    const char *slash = strrchr(scene->path, '/');
    if (slash && file[0] != '/') {
        cri_text_add_bytes(path, scene->path, (size_t)(slash - scene->path) + 1);
    }
    cri_text_add(path, "%s", file);
    return !path->failed;
}

static cr_status read_hull(taker *t, const char *path, cri_location place, cr_hull *hull)
{
    cri_points points;
    cr_status status = cri_points_read(path, place, true, &points, t->report);
    if (status != CR_OK) {
        return status;
    }
    status = cri_hull_make(points.items, points.count, hull);
    cri_points_free(&points);
    if (status == CR_ERR_MEMORY) {
        return cri_fail_memory(t->report);
    }
    return status == CR_OK ? CR_OK
                           : cri_fail(t->report, status, place,
                                      "a hull must have a volume, and the points of \"%.200s\" lie "
                                      "in a plane",
                                      path);
}

static void add_corners(cri_text *out, const cr_hull *hull)
{
    for (int i = 0; i < hull->corner_count; i++) {
        char text[100];
        cr_vec3 p = hull->corners[i];
        cri_format(text, sizeof text, "[%.9g, %.9g, %.9g]", p.x, p.y, p.z);
        cri_text_add(out, "%s%s", i ? ", " : "[", text);
    }
    cri_text_add(out, "]");
}

static void take_file(taker *t, const cri_node *key, const cri_node *value)
{
    cri_location place = {t->scene->path, value->line, value->column};
    cri_text path = {0};
    cr_hull hull;
    if (value->kind != CRI_NODE_SCALAR || cri_node_is_null(value) ||
        !stands_plainly(t->scene, value) || !stands_plainly(t->scene, key)) {
        t->status = cri_fail(t->report, CR_ERR_TYPE, place,
                             "file must be the name of an .obj or .stl file, on one line");
        return;
    }
    t->status = path_beside(t->scene, value->text, &path) ? CR_OK : cri_fail_memory(t->report);
    t->status = t->status == CR_OK ? read_hull(t, path.data, place, &hull) : t->status;
    cri_text_free(&path);
    if (t->status == CR_OK) {
        size_t from = t->texts.length;
        cri_text_add(&t->texts, "points");
        add_edit(t, key, from);
        from = t->texts.length;
        add_corners(&t->texts, &hull);
        add_edit(t, value, from);
    }
}

static void take_shape(taker *t, const cri_node *shape)
{
    const cri_node *hull = shape ? cri_node_get(shape, "hull") : NULL;
    for (int i = 0; hull && hull->kind == CRI_NODE_MAP && i < hull->count; i++) {
        bool here = cri_node_is(cri_node_key(hull, i), "file");
        if (here && t->status == CR_OK && t->count < 2 * HULLS_MAX) {
            take_file(t, cri_node_key(hull, i), cri_node_value(hull, i));
        }
    }
}

static void take_bodies(taker *t)
{
    const cri_node *bodies = cri_node_get(t->scene->root, "bodies");
    for (int i = 0; bodies && bodies->kind == CRI_NODE_MAP && i < bodies->count; i++) {
        const cri_node *body = cri_node_value(bodies, i), *parts = cri_node_get(body, "parts");
        take_shape(t, cri_node_get(body, "shape"));
        for (int k = 0; parts && parts->kind == CRI_NODE_LIST && k < parts->count; k++) {
            take_shape(t, cri_node_get(&parts->items[k], "shape"));
        }
    }
}

// A file of a picture becomes the line of text that says the same (base/bitmap.h).
static void take_picture(taker *t, const cri_node *value)
{
    cri_location place = {t->scene->path, value->line, value->column};
    cri_text path = {0};
    cri_bitmap bitmap = {0};
    if (!stands_plainly(t->scene, value)) {
        t->status = cri_fail(t->report, CR_ERR_TYPE, place,
                             "a picture must be the name of a .pbm or .png file, on one line");
        return;
    }
    t->status = path_beside(t->scene, value->text, &path) ? CR_OK : cri_fail_memory(t->report);
    t->status =
        t->status == CR_OK ? cri_bitmap_read(path.data, place, &bitmap, t->report) : t->status;
    cri_text_free(&path);
    if (t->status == CR_OK) {
        size_t from = t->texts.length;
        cri_bitmap_print(&bitmap, &t->texts);
        add_edit(t, value, from);
    }
    cri_bitmap_free(&bitmap);
}

static void take_pictures(taker *t)
{
    const cri_node *pictures = cri_node_get(t->scene->root, "pictures");
    for (int i = 0; pictures && pictures->kind == CRI_NODE_MAP && i < pictures->count; i++) {
        const cri_node *value = cri_node_value(pictures, i);
        bool file = value->kind == CRI_NODE_SCALAR && !cri_node_is_null(value) &&
                    cri_bitmap_is_file(value->text);
        if (file && t->status == CR_OK && i < HULLS_MAX) {
            take_picture(t, value);
        }
    }
}

static int by_offset(const void *a, const void *b)
{
    const edit *x = a, *y = b;
    return x->offset < y->offset ? -1 : x->offset > y->offset;
}

// The text with its edits, and where they are in it.
static void splice(taker *t, cri_text *text, cri_splice *splices)
{
    size_t at = 0;
    qsort(t->edits, (size_t)t->count, sizeof *t->edits, by_offset);
    for (int i = 0; i < t->count; i++) {
        const edit *e = &t->edits[i];
        cri_text_add_bytes(text, t->scene->text + at, (size_t)e->offset - at);
        splices[i] = (cri_splice){(int)text->length, (int)(e->to - e->from), e->length};
        cri_text_add_bytes(text, t->texts.data + e->from, e->to - e->from);
        at = (size_t)e->offset + (size_t)e->length;
    }
    cri_text_add_bytes(text, t->scene->text + at, t->scene->length - at);
}

cr_status cri_scene_take_hulls(const cr_scene *scene, cri_text *text, cri_splices *splices,
                               cr_report *report)
{
    taker t = {.scene = scene, .report = report, .status = CR_OK};
    take_bodies(&t);
    take_pictures(&t);
    if (t.status == CR_OK && t.count > 0) {
        cri_splice *items = calloc((size_t)t.count, sizeof *items);
        *splices = (cri_splices){items, items ? t.count : 0};
        if (items && !t.texts.failed) {
            splice(&t, text, items);
        }
        bool lost = !items || t.texts.failed || text->failed;
        t.status = lost ? cri_fail_memory(report) : CR_OK;
    }
    free(t.edits);
    cri_text_free(&t.texts);
    return t.status;
}
