// Decor: finishes of bodies, and marks. Nothing of it reaches a state or the physics.
#include "scene/compile.h"

#include <assert.h>

#include "base/trig.h"
#include "base/vec.h"

enum { MARKS_MAX = 2000, PLACES_MAX = 400, POINTS_MAX = 2000 };

#define WHITE      0xf5f5f5
#define LINE_WIDTH 0.02 // m
#define FINISHES                                                                                   \
    "plain|carpet|grass|cloth|wood|asphalt|concrete|metal|rubber|gloss|striped|golf|net|robot|"    \
    "car|pin|hidden"

const char *cr_finish_name(cr_finish finish)
{
    static const char *const names[CR_FINISH_COUNT] = {
        "plain", "carpet",  "grass", "cloth", "wood",  "asphalt", "concrete", "metal", "rubber",
        "gloss", "striped", "golf",  "net",   "robot", "car",     "pin",      "hidden"};
    assert((unsigned)finish < CR_FINISH_COUNT);
    return names[finish];
}

const cr_decor *cr_model_decor(const cr_model *model)
{
    return &model->decor;
}

static void read_finish(cri_compiler *c, const cri_node *node, cr_finish *finish)
{
    int index = 0;
    if (cri_read_word(c, node, "finish", FINISHES, &index)) {
        *finish = (cr_finish)index;
    }
}

// ---------------------------------------------------------------------------------------------
// Bodies: a finish, or a mapping with one.

static void read_dress(cri_compiler *c, const cri_node *node, cr_dress *dress)
{
    const cri_node *values[CRI_DRESS_COUNT] = {0};
    if (node->kind == CRI_NODE_SCALAR) {
        read_finish(c, node, &dress->finish);
        return;
    }
    cri_read_map(c, node, &cri_keys_dress, values);
    if (values[CRI_DRESS_FINISH]) {
        read_finish(c, values[CRI_DRESS_FINISH], &dress->finish);
    }
    if (values[CRI_DRESS_NUMBER]) {
        cri_read_count(c, values[CRI_DRESS_NUMBER], "number", 1, 99, &dress->number);
    }
}

static void read_dresses(cri_compiler *c, const cri_node *node)
{
    if (!cri_read_names(c, node, "decor: bodies", CRI_ENTRIES_MAX)) {
        return;
    }
    // A body that stands here by itself and with its crowd has two.
    int most = node->count + c->model->body_count, total = 0;
    cr_dress *dresses = cri_compile_alloc(c, (size_t)most, sizeof *dresses);
    if (!dresses) {
        return;
    }
    for (int i = 0; i < node->count; i++) {
        const cri_node *key = cri_node_key(node, i);
        int first, count;
        cri_compile_subject(c, "decor of body \"%.80s\"", key->text);
        cr_dress dress = {0};
        bool known = cri_read_bodies(c, key, "decor", &first, &count);
        read_dress(c, cri_node_value(node, i), &dress);
        for (int body = first; known && body < first + count; body++) {
            dresses[total] = dress;
            dresses[total++].body = body;
        }
    }
    c->model->decor.dresses = dresses;
    c->model->decor.dress_count = total;
}

// ---------------------------------------------------------------------------------------------
// Marks.

// A mark as it is read: what all of its copies share.
typedef struct mark_source {
    const cri_node *node;
    const cri_node *values[CRI_MARK_COUNT];
    cr_mark mark;
} mark_source;

// Exactly one kind, or -1 after a report.
static int find_kind(cri_compiler *c, const mark_source *s)
{
    int kind = -1, count = 0;
    for (int i = CRI_MARK_LINE; i <= CRI_MARK_POST; i++) {
        if (s->values[i]) {
            kind = i;
            count++;
        }
    }
    if (count != 1) {
        cri_compile_fail(c, CR_ERR_NAME, s->node,
                         "a mark needs one of line, box, circle, disc, patch, block and post, "
                         "got %d of them",
                         count);
    }
    return count == 1 ? kind : -1;
}

static void read_points(cri_compiler *c, const cri_node *node, cr_mark *mark)
{
    if (!cri_read_list(c, node, "line", 2, POINTS_MAX)) {
        return;
    }
    cr_vec3 *points = cri_compile_alloc(c, (size_t)node->count, sizeof *points);
    for (int i = 0; points && i < node->count; i++) {
        cri_read_vector(c, &node->items[i], "line", 2, NULL, &points[i]);
    }
    mark->points = points;
    mark->point_count = points ? node->count : 0;
}

// count positive lengths in a list.
static void read_size(cri_compiler *c, const cri_node *node, const char *what, int count,
                      cr_vec3 *size)
{
    double v[3] = {0};
    if (!cri_read_list(c, node, what, count, count)) {
        return;
    }
    for (int i = 0; i < count; i++) {
        cri_read_number(c, &node->items[i], what, &cri_range_length, &v[i]);
    }
    *size = (cr_vec3){v[0], v[1], v[2]};
}

static void read_kind(cri_compiler *c, int kind, const cri_node *node, cr_mark *mark)
{
    const char *what = cri_keys_mark.rows[kind].name;
    mark->kind = (cr_mark_kind)kind;
    switch (mark->kind) {
    case CR_MARK_LINE:
        read_points(c, node, mark);
        break;
    case CR_MARK_CIRCLE:
    case CR_MARK_DISC:
        cri_read_number(c, node, what, &cri_range_length, &mark->size.x);
        break;
    case CR_MARK_BOX:
    case CR_MARK_PATCH:
    case CR_MARK_POST:
        read_size(c, node, what, 2, &mark->size);
        break;
    case CR_MARK_BLOCK:
        read_size(c, node, what, 3, &mark->size);
        break;
    case CR_MARK_ROAD: // no keys of a scene file
    case CR_MARK_ROPE:
        break;
    }
}

// What has no effect on a mark of that kind is a mistake.
static void check_keys(cri_compiler *c, const mark_source *s, int kind)
{
    bool line = kind == CRI_MARK_LINE, outline = kind <= CRI_MARK_CIRCLE;
    const struct {
        int key;
        bool allowed;
    } rows[] = {{CRI_MARK_AT, !line},
                {CRI_MARK_HEADING, !line && kind != CRI_MARK_DISC && kind != CRI_MARK_POST},
                {CRI_MARK_WIDTH, outline},
                {CRI_MARK_ARC, kind == CRI_MARK_CIRCLE},
                {CRI_MARK_CLOSED, line},
                {CRI_MARK_FINISH, !outline}};
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        const cri_node *value = s->values[rows[i].key];
        if (value && !rows[i].allowed) {
            cri_compile_fail(c, CR_ERR_NAME, value, "\"%s\" has no effect on a %s",
                             cri_keys_mark.rows[rows[i].key].name, cri_keys_mark.rows[kind].name);
        }
    }
}

static void read_looks(cri_compiler *c, const mark_source *s, cr_mark *mark)
{
    if (s->values[CRI_MARK_COLOR]) {
        cri_read_color(c, s->values[CRI_MARK_COLOR], &mark->color);
    }
    if (s->values[CRI_MARK_FINISH]) {
        read_finish(c, s->values[CRI_MARK_FINISH], &mark->finish);
    }
    if (s->values[CRI_MARK_WIDTH]) {
        cri_read_number(c, s->values[CRI_MARK_WIDTH], "width", &cri_range_length, &mark->width);
    }
    if (s->values[CRI_MARK_HEADING]) {
        cri_read_number(c, s->values[CRI_MARK_HEADING], "heading", &cri_range_any, &mark->heading);
    }
    if (s->values[CRI_MARK_CLOSED]) {
        cri_read_flag(c, s->values[CRI_MARK_CLOSED], "closed", &mark->closed);
    }
    const cri_node *arc = s->values[CRI_MARK_ARC];
    if (arc && cri_read_list(c, arc, "arc", 2, 2)) {
        cri_read_number(c, &arc->items[0], "arc", &cri_range_any, &mark->from);
        cri_read_number(c, &arc->items[1], "arc", &cri_range_any, &mark->to);
    }
    if (s->values[CRI_MARK_ON]) {
        mark->body = cri_read_body(c, s->values[CRI_MARK_ON], "on");
    }
}

// `at: [x, y]`, or a list of such places.
static bool has_many_places(const cri_node *at)
{
    return at && at->kind == CRI_NODE_LIST && at->count > 0 && at->items[0].kind == CRI_NODE_LIST;
}

static int copy_count(const cri_node *node)
{
    const cri_node *at = cri_node_get(node, "at");
    return has_many_places(at) ? at->count : 1;
}

// Files give places in a body's own frame, models from its centre of mass.
static cr_vec3 to_model(const cri_compiler *c, int body, cr_vec3 at)
{
    return body >= 0 ? cri_sub(at, c->sources[body].center) : at;
}

static void read_copies(cri_compiler *c, const mark_source *s, cr_mark *marks)
{
    const cri_node *at = s->values[CRI_MARK_AT];
    int count = copy_count(s->node);
    if (count > 1 && !cri_read_list(c, at, "at", 1, PLACES_MAX)) {
        return;
    }
    for (int i = 0; i < count; i++) {
        marks[i] = s->mark;
        if (at) {
            cri_read_vector(c, has_many_places(at) ? &at->items[i] : at, "at", 2, NULL,
                            &marks[i].at);
        }
        marks[i].at = to_model(c, marks[i].body, marks[i].at);
    }
}

static void read_mark(cri_compiler *c, const cri_node *node, cr_mark *marks)
{
    mark_source s = {.node = node,
                     .mark = {.color = WHITE, .body = -1, .width = LINE_WIDTH, .to = 2 * CRI_PI}};
    // A key that is not known may be a mistyped kind: that is said already.
    int kind = cri_read_map(c, node, &cri_keys_mark, s.values) ? find_kind(c, &s) : -1;
    if (kind >= 0) {
        read_kind(c, kind, s.values[kind], &s.mark);
        check_keys(c, &s, kind);
    }
    read_looks(c, &s, &s.mark);
    read_copies(c, &s, marks);
}

static void read_marks(cri_compiler *c, const cri_node *node)
{
    cri_compile_subject(c, "decor");
    if (!cri_read_list(c, node, "marks", 0, MARKS_MAX)) {
        return;
    }
    int count = 0;
    for (int i = 0; i < node->count; i++) {
        count += copy_count(&node->items[i]);
    }
    cr_mark *marks = cri_compile_alloc(c, (size_t)count, sizeof *marks);
    if (!marks) {
        return;
    }
    c->model->decor.marks = marks;
    c->model->decor.mark_count = count;
    for (int i = 0; i < node->count; i++) {
        cri_compile_subject(c, "mark %d", i + 1);
        read_mark(c, &node->items[i], marks);
        marks += copy_count(&node->items[i]);
    }
}

void cri_compile_decor(cri_compiler *c)
{
    const cri_node *node = c->top[CRI_TOP_DECOR];
    const cri_node *values[CRI_DECOR_COUNT] = {0};
    if (!node) {
        return;
    }
    cri_compile_subject(c, "decor");
    cri_read_map(c, node, &cri_keys_decor, values);
    if (values[CRI_DECOR_BODIES]) {
        read_dresses(c, values[CRI_DECOR_BODIES]);
    }
    if (values[CRI_DECOR_MARKS]) {
        read_marks(c, values[CRI_DECOR_MARKS]);
    }
    cri_compile_subject(c, "%s", "");
}
