// Places: points, bodies, regions, and places that follow from others.
#include "scene/compile.h"

#include <stdio.h>

#include "base/trig.h"
#include "base/vec.h"

// What goes with which sort of place; a sort is a key that stands alone.
static const struct {
    int key;
    unsigned sorts; // bits of keys
} companions[] = {
    {CRI_PLACE_KEY_OFFSET, 1u << CRI_PLACE_KEY_BODY | 1u << CRI_PLACE_KEY_CENTER},
    {CRI_PLACE_KEY_DISTANCE, 1u << CRI_PLACE_KEY_AROUND},
    {CRI_PLACE_KEY_ANGLE, 1u << CRI_PLACE_KEY_AROUND},
    {CRI_PLACE_KEY_TOWARD, 1u << CRI_PLACE_KEY_GHOST},
    {CRI_PLACE_KEY_IN, 1u << CRI_PLACE_KEY_MIRROR},
    {CRI_PLACE_KEY_WITH, 1u << CRI_PLACE_KEY_GHOST | 1u << CRI_PLACE_KEY_MIRROR},
    {CRI_PLACE_KEY_SPREAD, 1u << CRI_PLACE_KEY_GHOST | 1u << CRI_PLACE_KEY_MIRROR},
};
enum { COMPANION_COUNT = sizeof companions / sizeof companions[0] };

static const int sorts[] = {CRI_PLACE_KEY_BODY,   CRI_PLACE_KEY_CENTER, CRI_PLACE_KEY_REGION,
                            CRI_PLACE_KEY_AROUND, CRI_PLACE_KEY_GHOST,  CRI_PLACE_KEY_MIRROR};
enum { SORT_COUNT = sizeof sorts / sizeof sorts[0] };

// `"ghost" or "mirror"` of a set of keys.
static const char *print_keys(unsigned keys, char *text, size_t size)
{
    size_t length = 0;
    text[0] = 0;
    for (int i = 0; i < SORT_COUNT; i++) {
        if (keys & 1u << sorts[i] && length < size) {
            length +=
                (size_t)snprintf(text + length, size - length, "%s\"%s\"", length > 0 ? " or " : "",
                                 cri_keys_place.rows[sorts[i]].name);
        }
    }
    return text;
}

static bool check_companion(cri_compiler *c, const cri_node *const *values, int index, int sort)
{
    char names[100];
    const cri_node *value = values[companions[index].key];
    return !value || companions[index].sorts & 1u << sort ||
           cri_compile_fail(c, CR_ERR_NAME, value, "\"%s\" goes with %s",
                            cri_keys_place.rows[companions[index].key].name,
                            print_keys(companions[index].sorts, names, sizeof names));
}

static bool check_needed(cri_compiler *c, const cri_node *node, const cri_node *const *values,
                         int sort)
{
    static const int needed[][2] = {{CRI_PLACE_KEY_AROUND, CRI_PLACE_KEY_DISTANCE},
                                    {CRI_PLACE_KEY_GHOST, CRI_PLACE_KEY_TOWARD},
                                    {CRI_PLACE_KEY_MIRROR, CRI_PLACE_KEY_IN}};
    for (size_t i = 0; i < sizeof needed / sizeof needed[0]; i++) {
        if (sort == needed[i][0] && !values[needed[i][1]]) {
            return cri_compile_fail(c, CR_ERR_NAME, node, "key \"%s\" is missing beside \"%s\"",
                                    cri_keys_place.rows[needed[i][1]].name,
                                    cri_keys_place.rows[sort].name);
        }
    }
    return true;
}

// The sort of a place, or -1 after a report.
static int place_sort(cri_compiler *c, const cri_node *node, const char *what,
                      const cri_node *const *values)
{
    int sort = -1, count = 0;
    for (int i = 0; i < SORT_COUNT; i++) {
        sort = values[sorts[i]] ? sorts[i] : sort;
        count += values[sorts[i]] != NULL;
    }
    if (count != 1) {
        cri_compile_fail(c, CR_ERR_NAME, node,
                         "%s must have one of \"body\", \"center\", \"region\", \"around\", "
                         "\"ghost\", \"mirror\"",
                         what);
        return -1;
    }
    for (int i = 0; i < COMPANION_COUNT; i++) {
        if (!check_companion(c, values, i, sort)) {
            return -1;
        }
    }
    return check_needed(c, node, values, sort) ? sort : -1;
}

static bool read_around(cri_compiler *c, const cri_node *const *values, cri_draws draws,
                        cri_where *place)
{
    const cri_node *angle = values[CRI_PLACE_KEY_ANGLE];
    place->kind = CRI_PLACE_AROUND;
    place->body = cri_read_body(c, values[CRI_PLACE_KEY_AROUND], "around");
    place->angle = (cri_number){.kind = CRI_NUMBER_UNIFORM, .a = 0, .b = 2 * CRI_PI};
    bool good =
        cri_check_draws(c, values[CRI_PLACE_KEY_AROUND], "around", draws, CRI_DRAWS_START) &&
        place->body >= 0;
    good = cri_read_distribution(c, values[CRI_PLACE_KEY_DISTANCE], "distance",
                                 &cri_range_not_negative, draws, &place->distance) &&
           good;
    return (!angle ||
            cri_read_distribution(c, angle, "angle", &cri_range_any, draws, &place->angle)) &&
           good;
}

// A body of one sphere in its own middle.
static bool check_ball(cri_compiler *c, const cri_node *node, const char *what, int body)
{
    const cr_body *b = &c->model->bodies[body];
    bool ball = b->part_count == 1 && b->parts[0].shape.kind == CR_SHAPE_SPHERE &&
                cri_length(b->parts[0].pose.position) < 1e-9;
    return ball || cri_compile_fail(c, CR_ERR_TYPE, node, "%s must be a ball, \"%s\" is no sphere",
                                    what, b->name);
}

// `with`: the ball that is to go there. Without it, other or, if that is -1, nothing.
static bool read_with(cri_compiler *c, const cri_node *node, int other, cri_where *place)
{
    place->with = node ? cri_read_body(c, node, "with") : other;
    return node ? place->with >= 0 && check_ball(c, node, "with", place->with) : true;
}

// A place inside of a place. Inside, the ball that goes there is another one.
static const cri_where *read_inner(cri_compiler *c, const cri_node *node, const char *what,
                                   cri_draws draws, int self)
{
    cri_where *inner = cri_compile_alloc(c, 1, sizeof *inner);
    int before = c->self;
    c->self = self;
    bool good = inner && cri_read_place(c, node, what, draws, inner);
    c->self = before;
    return good ? inner : NULL;
}

static bool read_spread(cri_compiler *c, const cri_node *node, cri_draws draws, cri_where *place)
{
    return !node || (cri_check_draws(c, node, "spread", draws, CRI_DRAWS_START) &&
                     cri_read_number(c, node, "spread", &cri_range_not_negative, &place->spread));
}

static bool read_ghost(cri_compiler *c, const cri_node *const *values, cri_draws draws,
                       cri_where *place)
{
    const cri_node *node = values[CRI_PLACE_KEY_GHOST], *toward = values[CRI_PLACE_KEY_TOWARD];
    place->kind = CRI_PLACE_GHOST;
    place->body = cri_read_body(c, node, "ghost");
    if (place->body < 0 || !check_ball(c, node, "ghost", place->body) ||
        !read_with(c, values[CRI_PLACE_KEY_WITH], c->self, place)) {
        return false;
    }
    if (place->with < 0) {
        return cri_compile_fail(c, CR_ERR_NAME, node, "key \"with\" is missing beside \"ghost\"");
    }
    if (!check_ball(c, node, "without \"with\", the Skill's own body", place->with)) {
        return false;
    }
    if (place->with == place->body) {
        return cri_compile_fail(c, CR_ERR_NAME, node, "ghost: \"%s\" cannot meet itself",
                                c->model->bodies[place->body].name);
    }
    place->inner = read_inner(c, toward, "toward", draws, place->body);
    bool same =
        place->inner && place->inner->kind == CRI_PLACE_BODY && place->inner->body == place->body;
    if (same) {
        return cri_compile_fail(c, CR_ERR_NAME, toward, "toward must not be where \"%s\" is itself",
                                c->model->bodies[place->body].name);
    }
    return place->inner && read_spread(c, values[CRI_PLACE_KEY_SPREAD], draws, place);
}

static bool read_mirror(cri_compiler *c, const cri_node *const *values, cri_draws draws,
                        cri_where *place)
{
    const cri_node *wall = values[CRI_PLACE_KEY_IN];
    place->kind = CRI_PLACE_MIRROR;
    place->body = cri_read_body(c, wall, "in");
    if (place->body < 0 || !read_with(c, values[CRI_PLACE_KEY_WITH], -1, place)) {
        return false;
    }
    const cr_body *body = &c->model->bodies[place->body];
    if (body->kind != CR_KIND_STATIC || body->part_count != 1 ||
        body->parts[0].shape.kind != CR_SHAPE_BOX) {
        return cri_compile_fail(c, CR_ERR_TYPE, wall, "in must be a static box, \"%s\" is none",
                                body->name);
    }
    place->inner = read_inner(c, values[CRI_PLACE_KEY_MIRROR], "mirror", draws, c->self);
    return place->inner && read_spread(c, values[CRI_PLACE_KEY_SPREAD], draws, place);
}

static bool read_fixed(cri_compiler *c, const cri_node *const *values, const char *what,
                       cri_draws draws, cri_where *place)
{
    const cri_node *body = values[CRI_PLACE_KEY_BODY], *center = values[CRI_PLACE_KEY_CENTER];
    const cri_node *offset = values[CRI_PLACE_KEY_OFFSET], *region = values[CRI_PLACE_KEY_REGION];
    if (body) {
        place->kind = CRI_PLACE_BODY;
        place->body = cri_read_body(c, body, "body");
    } else {
        place->kind = center ? CRI_PLACE_CENTER : CRI_PLACE_REGION;
        place->region = cri_read_region(c, center ? center : region, center ? "center" : "region");
    }
    bool good = !offset || cri_read_vector(c, offset, "offset", 2, NULL, &place->point);
    return good && (body ? place->body >= 0 : place->region >= 0) &&
           (!region || cri_check_draws(c, region, what, draws, CRI_DRAWS_START));
}

static bool read_place_map(cri_compiler *c, const cri_node *node, const char *what, cri_draws draws,
                           cri_where *place)
{
    const cri_node *values[CRI_PLACE_KEY_COUNT];
    int sort =
        cri_read_map(c, node, &cri_keys_place, values) ? place_sort(c, node, what, values) : -1;
    switch (sort) {
    case -1:
        return false;
    case CRI_PLACE_KEY_AROUND:
        return read_around(c, values, draws, place);
    case CRI_PLACE_KEY_GHOST:
        return read_ghost(c, values, draws, place);
    case CRI_PLACE_KEY_MIRROR:
        return read_mirror(c, values, draws, place);
    default:
        return read_fixed(c, values, what, draws, place);
    }
}

static bool read_sample_place(cri_compiler *c, const cri_node *node, const char *what,
                              cri_draws draws)
{
    if (!cri_check_draws(c, node, what, draws, CRI_DRAWS_SAMPLE)) {
        return false;
    }
    return c->model->sampling.present ||
           cri_compile_fail(c, CR_ERR_NAME, node, "%s: the scene must have a \"sample:\"", what);
}

bool cri_read_place(cri_compiler *c, const cri_node *node, const char *what, cri_draws draws,
                    cri_where *place)
{
    *place = (cri_where){.kind = CRI_PLACE_POINT, .body = -1, .region = -1, .with = -1};
    if (cri_node_is(node, "sample")) {
        place->kind = CRI_PLACE_SAMPLE;
        return read_sample_place(c, node, what, draws);
    }
    if (node->kind == CRI_NODE_LIST) {
        return cri_read_vector(c, node, what, 2, NULL, &place->point);
    }
    if (node->kind == CRI_NODE_MAP) {
        return read_place_map(c, node, what, draws, place);
    }
    char hint[100] = "";
    bool body = cr_model_find_body(c->model, node->text) >= 0;
    if (body || cr_model_find_region(c->model, node->text) >= 0) {
        snprintf(hint, sizeof hint, "; did you mean {%s: %s}?", body ? "body" : "region",
                 node->text);
    }
    return cri_compile_fail(c, CR_ERR_TYPE, node,
                            "%s must be a place ([x, y], {body: ...}, {region: ...}, ... or "
                            "sample), got \"%.80s\"%s",
                            what, node->text, hint);
}

bool cri_place_is_drawn(const cri_where *place)
{
    switch (place->kind) {
    case CRI_PLACE_POINT:
    case CRI_PLACE_BODY:
    case CRI_PLACE_CENTER:
        return false;
    case CRI_PLACE_REGION:
    case CRI_PLACE_AROUND:
    case CRI_PLACE_SAMPLE:
        return true;
    case CRI_PLACE_GHOST:
    case CRI_PLACE_MIRROR:
        return place->spread > 0 || cri_place_is_drawn(place->inner);
    }
    return false;
}
