// Starts: bodies must not begin inside each other, and `start:` draws other beginnings.
#include "scene/compile.h"

#include <math.h>
#include <stdlib.h>

#include "base/vec.h"
#include "geom/columns.h"
#include "geom/geom.h"
#include "scene/evaluate.h"

// Rounding in files and in resting heights; engines push apart what overlaps less than this
// without a jolt.
#define OVERLAP_MAX 0.001

enum { REDRAWS_MAX = 1000 };

// One entry of `start:`.
struct cri_start_row {
    int body;
    bool has_at, has_heading, any_rotation, has_velocity, has_spin;
    cri_where at;
    cri_number heading, velocity[3], spin[3];
};

// ---------------------------------------------------------------------------------------------
// Overlaps.

static bool far_apart(const cr_body *a, const cr_body *b)
{
    double reach = a->radius + b->radius;
    return cri_length(cri_sub(a->pose.position, b->pose.position)) > reach;
}

static double overlap(const cr_body *a, const cr_body *b)
{
    double deepest = 0;
    for (int i = 0; i < a->part_count; i++) {
        for (int j = 0; j < b->part_count; j++) {
            cri_touch touches[CRI_TOUCH_MAX];
            int count = cri_collide(&a->parts[i].shape, cri_pose_mul(a->pose, a->parts[i].pose),
                                    &b->parts[j].shape, cri_pose_mul(b->pose, b->parts[j].pose), 0,
                                    touches);
            for (int k = 0; k < count; k++) {
                deepest = fmax(deepest, touches[k].depth);
            }
        }
    }
    return deepest;
}

// Two bodies that begin inside each other.
typedef struct clash {
    int a, b; // a < b
    double depth;
} clash;

typedef struct clashes {
    const cr_model *model;
    int count, most; // that are kept
    clash *list;
} clashes;

static void compare(void *arg, int one, int two)
{
    clashes *c = arg;
    int first = one < two ? one : two, second = one < two ? two : one;
    const cr_body *a = &c->model->bodies[first], *b = &c->model->bodies[second];
    bool responds = (a->slot >= 0 && !a->driven) || (b->slot >= 0 && !b->driven);
    if (!responds || far_apart(a, b) || !cri_pairs_meet(&c->model->who, first, second)) {
        return;
    }
    double depth = overlap(a, b);
    if (depth > OVERLAP_MAX && c->count < c->most) {
        c->list[c->count++] = (clash){first, second, depth};
    }
}

static cri_span span_of(const cr_body *body, int index)
{
    cr_vec3 at = body->pose.position;
    const double place[3] = {at.x, at.y, at.z};
    cri_span span = {.solid = index};
    for (int k = 0; k < 3; k++) {
        double reach = body->radius * 1.0001 + 1e-6 * fabs(place[k]);
        span.low[k] = (float)(place[k] - reach);
        span.high[k] = (float)(place[k] + reach);
    }
    return span;
}

// Fill the list; false: no memory.
static bool find_clashes(clashes *c)
{
    const cr_model *model = c->model;
    cri_arena arena = {0};
    cri_columns columns;
    int count = 0;
    cri_span *spans = cri_arena_alloc(&arena, (size_t)model->body_count + 1, sizeof *spans);
    bool good = spans && cri_columns_init(&columns, &arena, model->body_count);
    for (int i = 0; i < model->body_count && good; i++) {
        if (model->bodies[i].radius < HUGE_VAL) {
            spans[count++] = span_of(&model->bodies[i], i);
            continue;
        }
        for (int k = 0; k < model->moving_count; k++) {
            compare(c, i, model->moving[k]);
        }
    }
    if (good) {
        cri_columns_sweep(&columns, spans, count, compare, c);
    }
    cri_arena_free(&arena);
    return good;
}

// Draws go on until nothing overlaps, or memory runs out.
static bool draw_again(cri_compiler *c)
{
    clash one;
    clashes all = {.model = c->model, .most = 1, .list = &one};
    if (!find_clashes(&all)) {
        cri_compile_no_memory(c);
        return false;
    }
    return all.count > 0;
}

static int by_bodies(const void *one, const void *two)
{
    const clash *p = one, *q = two;
    return p->a != q->a ? (p->a > q->a) - (p->a < q->a) : (p->b > q->b) - (p->b < q->b);
}

void cri_check_overlaps(cri_compiler *c)
{
    enum { TOLD = 256 };
    const cr_model *model = c->model;
    clash list[TOLD];
    clashes all = {.model = model, .most = TOLD, .list = list};
    if (!find_clashes(&all)) {
        cri_compile_no_memory(c);
    }
    qsort(list, (size_t)all.count, sizeof *list, by_bodies);
    for (int i = 0; i < all.count; i++) {
        cri_compile_fail(c, CR_ERR_RANGE, c->sources[list[i].b].key,
                         "bodies \"%s\" and \"%s\" must not overlap at the start, got %.3g m",
                         model->bodies[list[i].a].name, model->bodies[list[i].b].name,
                         list[i].depth);
    }
}

// ---------------------------------------------------------------------------------------------
// Reading.

static bool read_numbers(cri_compiler *c, const cri_node *node, const char *what, cri_number *v)
{
    static const cri_range speed_range = {-1e5, 1e5, false};
    if (!cri_read_list(c, node, what, 2, 3)) {
        return false;
    }
    for (int i = 0; i < node->count; i++) {
        cri_read_distribution(c, &node->items[i], what, &speed_range, CRI_DRAWS_START, &v[i]);
    }
    return true;
}

static bool is_zero(const cri_number *number)
{
    return number->kind == CRI_NUMBER_CONSTANT && number->a == 0;
}

// As in `bodies:`, but what is drawn is not known yet.
static void check_upright(cri_compiler *c, const cri_node *const *values,
                          const struct cri_start_row *row)
{
    if (row->has_velocity && !is_zero(&row->velocity[2])) {
        cri_compile_fail(c, CR_ERR_RANGE, values[CRI_START_VELOCITY],
                         "velocity of an upright body must have z = 0");
    }
    if (row->any_rotation) {
        cri_compile_fail(c, CR_ERR_RANGE, values[CRI_START_ROTATION],
                         "an upright body stays upright; give it a \"heading\"");
    }
    if (row->has_spin && !(is_zero(&row->spin[0]) && is_zero(&row->spin[1]))) {
        cri_compile_fail(c, CR_ERR_RANGE, values[CRI_START_SPIN],
                         "spin of an upright body must have x = y = 0");
    }
}

static bool find_row(const cri_compiler *c, int body)
{
    bool found = false;
    for (int i = 0; i < c->start_count && !found && body >= 0; i++) {
        found = c->start_rows[i].body == body;
    }
    return found;
}

bool cri_body_moves(const cri_compiler *c, int body)
{
    return c->model->bodies[body].kind != CR_KIND_STATIC || !c->sources[body].kind_known ||
           find_row(c, body);
}

static void check_kind(cri_compiler *c, const cri_node *const *values, const cr_body *body)
{
    const cri_node *moves =
        values[CRI_START_VELOCITY] ? values[CRI_START_VELOCITY] : values[CRI_START_SPIN];
    if (body->kind == CR_KIND_STATIC && moves) {
        cri_compile_fail(c, CR_ERR_TYPE, moves, "a static body has no velocity and no spin");
    }
}

// A joint is where the file has its bodies.
static void check_joints(cri_compiler *c, const cri_node *const *values, int body)
{
    const cri_node *placed = values[CRI_START_AT]        ? values[CRI_START_AT]
                             : values[CRI_START_HEADING] ? values[CRI_START_HEADING]
                                                         : values[CRI_START_ROTATION];
    for (int i = 0; placed && i < c->model->joint_count; i++) {
        const cr_joint *joint = &c->model->joints[i];
        if (joint->bodies[0] == body || joint->bodies[1] == body) {
            cri_compile_fail(c, CR_ERR_TYPE, placed, "joint \"%s\" holds it where it is",
                             joint->name);
        }
    }
}

// `any` is all that can be said of it.
static bool read_any(cri_compiler *c, const cri_node *node, const cri_node *heading)
{
    int word;
    if (heading) {
        return cri_compile_fail(c, CR_ERR_NAME, heading, "\"heading\" or \"rotation\", not both");
    }
    return cri_read_word(c, node, "rotation", "any", &word);
}

static void read_row(cri_compiler *c, const cri_node *node, struct cri_start_row *row)
{
    const cri_node *values[CRI_START_COUNT];
    cri_read_map(c, node, &cri_keys_start, values);
    row->has_at = values[CRI_START_AT] &&
                  cri_read_place(c, values[CRI_START_AT], "at", CRI_DRAWS_START, &row->at);
    row->has_heading = values[CRI_START_HEADING] &&
                       cri_read_distribution(c, values[CRI_START_HEADING], "heading",
                                             &cri_range_any, CRI_DRAWS_START, &row->heading);
    row->any_rotation = values[CRI_START_ROTATION] &&
                        read_any(c, values[CRI_START_ROTATION], values[CRI_START_HEADING]);
    row->has_velocity = values[CRI_START_VELOCITY] &&
                        read_numbers(c, values[CRI_START_VELOCITY], "velocity", row->velocity);
    row->has_spin =
        values[CRI_START_SPIN] && read_numbers(c, values[CRI_START_SPIN], "spin", row->spin);
    if (node->kind == CRI_NODE_MAP && node->count == 0) {
        cri_compile_fail(c, CR_ERR_NAME, node,
                         "must have one of \"at\", \"heading\", \"rotation\", "
                         "\"velocity\", \"spin\"");
    }
    if (row->body >= 0) {
        check_kind(c, values, &c->model->bodies[row->body]);
        check_joints(c, values, row->body);
    }
    if (row->body >= 0 && c->model->bodies[row->body].upright) {
        check_upright(c, values, row);
    }
}

// A crowd has a row for each of its members, as long as there is nothing wrong with them. A body is
// named once, so there is room for all.
static void read_entry(cri_compiler *c, const cri_node *key, const cri_node *value)
{
    int crowd = cri_find_crowd(c->model, key->text), errors = c->errors;
    int count = crowd >= 0 ? c->model->crowds[crowd].count : 1;
    for (int i = 0; i < count && c->errors == errors; i++) {
        struct cri_start_row *row = &c->start_rows[c->start_count];
        cri_compile_subject(c, "start");
        row->body = crowd >= 0 ? c->model->crowds[crowd].first + i : cri_read_body(c, key, "start");
        if (find_row(c, row->body)) {
            cri_compile_fail(c, CR_ERR_NAME, key, "\"%s\" has a start already",
                             c->model->bodies[row->body].name);
            return;
        }
        c->start_count++;
        cri_compile_subject(c, "start of \"%.64s\"", key->text);
        if (crowd >= 0) {
            cri_enter_scope(c, crowd, i);
        }
        read_row(c, value, row);
        if (crowd >= 0) {
            cri_leave_scope(c);
        }
    }
}

void cri_compile_start(cri_compiler *c)
{
    const cri_node *node = c->top[CRI_TOP_START];
    if (!node) {
        if (c->model->start > 0) {
            cri_compile_fail(c, CR_ERR_NAME, NULL,
                             "the scene has no \"start:\", so start must be 0, got %d",
                             c->model->start);
        }
        return;
    }
    if (!cri_read_names(c, node, "start", CRI_ENTRIES_MAX)) {
        return;
    }
    c->start_rows = cri_compile_alloc(c, (size_t)c->model->body_count + (size_t)node->count,
                                      sizeof *c->start_rows);
    for (int i = 0; c->start_rows && i < node->count; i++) {
        read_entry(c, cri_node_key(node, i), cri_node_value(node, i));
    }
    cri_compile_subject(c, "%s", "");
}

// ---------------------------------------------------------------------------------------------
// Drawing.

static cr_vec3 draw_vector(const cri_number *v, cr_rng *rng)
{
    double x = cri_draw_number(&v[0], NULL, rng);
    double y = cri_draw_number(&v[1], NULL, rng);
    double z = cri_draw_number(&v[2], NULL, rng);
    return (cr_vec3){x, y, z};
}

// All rotations alike: a point of the unit ball in four dimensions, and its direction.
static cr_quat draw_rotation(cr_rng *rng)
{
    for (;;) {
        double v[4], norm = 0;
        for (int i = 0; i < 4; i++) {
            v[i] = 2 * cr_rng_unit(rng) - 1;
            norm += v[i] * v[i];
        }
        if (norm > 0.01 && norm < 1) {
            norm = sqrt(norm);
            return (cr_quat){v[0] / norm, v[1] / norm, v[2] / norm, v[3] / norm};
        }
    }
}

// Places may be relative to bodies of earlier rows, so each is put into the start state at once.
static void draw_row(cri_compiler *c, const struct cri_start_row *row, cr_rng *rng)
{
    cr_model *model = c->model;
    cr_body *body = &model->bodies[row->body];
    cr_state *state = (cr_state *)(void *)model->start_state;
    cri_body_source source = c->sources[row->body];
    cr_vec3 at = row->has_at ? cri_draw_place(model, &row->at, state, NULL, rng) : source.at;
    double heading = row->has_heading ? cri_draw_number(&row->heading, NULL, rng) : source.heading;
    source.base = row->any_rotation ? draw_rotation(rng) : source.base;
    body->pose = cri_body_place(&source, body, at, heading);
    body->velocity = row->has_velocity ? draw_vector(row->velocity, rng) : body->velocity;
    body->spin = row->has_spin ? draw_vector(row->spin, rng) : body->spin;
    if (body->slot >= 0) {
        cri_bodies(model, state)[body->slot] =
            (cr_body_state){body->pose.position, body->pose.rotation, body->velocity, body->spin};
    }
}

void cri_draw_start(cri_compiler *c)
{
    cr_rng rng = cr_rng_make(0, CR_RNG_START, (uint64_t)c->model->start);
    for (int attempt = 0; attempt < REDRAWS_MAX; attempt++) {
        for (int i = 0; i < c->start_count; i++) {
            draw_row(c, &c->start_rows[i], &rng);
        }
        if (!draw_again(c)) {
            return;
        }
    }
    cri_compile_subject(c, "start %d", c->model->start);
    cri_compile_fail(c, CR_ERR_RANGE, c->top[CRI_TOP_START],
                     "bodies must not overlap, but do in all of %d draws", REDRAWS_MAX);
}
