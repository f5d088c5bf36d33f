// Bodies: shapes and parts, mass and inertia, where they are and how they move at the start.
//
// A file places a body by its own frame, the one its parts are given in. The model's frame has the
// same axes and its origin at the centre of mass.
#include "scene/compile.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/trig.h"
#include "base/vec.h"
#include "geom/geom.h"

static const cri_range speed_range = {-1e5, 1e5, false};

// ---------------------------------------------------------------------------------------------
// Parts.

// A plane has no size and no middle, so it is a body of its own.
static bool check_plane(cri_compiler *c, const cri_node *node, const cr_body *body, int parts)
{
    if (body->kind != CR_KIND_STATIC) {
        return cri_compile_fail(c, CR_ERR_TYPE, node, "a plane must be part of a static body");
    }
    if (parts > 1) {
        return cri_compile_fail(c, CR_ERR_TYPE, node, "a plane must be the only part of its body");
    }
    return true;
}

static bool read_shape(cri_compiler *c, const cri_node *node, const cr_body *body, int parts,
                       cr_part *part)
{
    cr_pose pose = {{0, 0, 0}, {0, 0, 0, 1}};
    if (!cri_compile_shape(c, node, &part->shape, &pose)) {
        return false;
    }
    part->pose = cri_pose_mul(part->pose, pose);
    return part->shape.kind != CR_SHAPE_PLANE || check_plane(c, node, body, parts);
}

static bool read_part(cri_compiler *c, const cri_node *node, const cr_body *body, int parts,
                      cr_part *part)
{
    const cri_node *values[CRI_PART_COUNT];
    bool good = cri_read_map(c, node, &cri_keys_part, values);
    const cri_node *name = values[CRI_PART_NAME];
    if (name && name->kind == CRI_NODE_SCALAR) {
        part->name = name->text;
    } else if (name) {
        good = cri_compile_fail(c, CR_ERR_TYPE, name, "name must be a word, got %s",
                                cri_node_sort(name));
    }
    if (values[CRI_PART_AT]) {
        good = cri_read_vector(c, values[CRI_PART_AT], "at", 2, NULL, &part->pose.position) && good;
    }
    cr_quat base = {0, 0, 0, 1};
    double heading = 0;
    good = cri_read_rotation(c, values[CRI_PART_HEADING], values[CRI_PART_ROTATION], &base,
                             &heading) &&
           good;
    part->pose.rotation = cri_quat_mul(cri_quat_heading(heading), base);
    if (values[CRI_PART_MATERIAL]) {
        part->material = cri_read_material(c, values[CRI_PART_MATERIAL], "material");
        good = part->material >= 0 && good;
    }
    return values[CRI_PART_SHAPE] && read_shape(c, values[CRI_PART_SHAPE], body, parts, part) &&
           good;
}

static void read_parts(cri_compiler *c, const cri_node *shape, const cri_node *list, int material,
                       cr_body *body)
{
    if (list && !cri_read_list(c, list, "parts", 1, CRI_PARTS_MAX)) {
        return;
    }
    int count = list ? list->count : 1;
    cr_part *parts = cri_compile_alloc(c, (size_t)count, sizeof *parts);
    if (!parts) {
        return;
    }
    bool good = true;
    for (int i = 0; i < count; i++) {
        parts[i] = (cr_part){.pose = {{0, 0, 0}, {0, 0, 0, 1}}, .material = material, .name = ""};
        bool read = list ? read_part(c, &list->items[i], body, count, &parts[i])
                         : read_shape(c, shape, body, count, &parts[i]);
        good = good && read;
    }
    body->parts = parts;
    body->part_count = good ? count : 0;
}

// ---------------------------------------------------------------------------------------------
// Mass.

static cr_vec3 mean_center(const cr_body *body, double *volume)
{
    cr_vec3 sum = {0, 0, 0};
    *volume = 0;
    for (int i = 0; i < body->part_count; i++) {
        cri_mass m = cri_shape_mass(&body->parts[i].shape);
        sum = cri_mad(sum, m.volume, cri_pose_point(body->parts[i].pose, m.center));
        *volume += m.volume;
    }
    return *volume > 0 ? cri_scale(1 / *volume, sum) : (cr_vec3){0, 0, 0};
}

// The diagonal of R diag(i) R^T: the sum of the squared entries of each row, weighed.
static cr_vec3 turned_inertia(cr_quat q, cr_vec3 i)
{
    cr_vec3 x = cri_rotate(q, cri_vec3(1, 0, 0)), y = cri_rotate(q, cri_vec3(0, 1, 0)),
            z = cri_rotate(q, cri_vec3(0, 0, 1));
    return (cr_vec3){x.x * x.x * i.x + y.x * y.x * i.y + z.x * z.x * i.z,
                     x.y * x.y * i.x + y.y * y.y * i.y + z.y * z.y * i.z,
                     x.z * x.z * i.x + y.z * y.z * i.y + z.z * z.z * i.z};
}

// Parallel axes: each part adds its own inertia and its mass times the squared distance from the
// axis. Parts are already given from the centre of mass.
static cr_vec3 inertia_of(const cr_body *body, double density)
{
    cr_vec3 sum = {0, 0, 0};
    for (int i = 0; i < body->part_count; i++) {
        const cr_part *part = &body->parts[i];
        cri_mass m = cri_shape_mass(&part->shape);
        cr_vec3 d = cri_pose_point(part->pose, m.center);
        cr_vec3 own = turned_inertia(part->pose.rotation, m.inertia);
        sum.x += density * (own.x + m.volume * (d.y * d.y + d.z * d.z));
        sum.y += density * (own.y + m.volume * (d.x * d.x + d.z * d.z));
        sum.z += density * (own.z + m.volume * (d.x * d.x + d.y * d.y));
    }
    return sum;
}

static void move_origin(cri_compiler *c, cr_body *body, cr_vec3 center)
{
    cr_part *parts = cri_compile_alloc(c, (size_t)body->part_count, sizeof *parts);
    if (!parts) {
        body->part_count = 0;
        return;
    }
    for (int i = 0; i < body->part_count; i++) {
        parts[i] = body->parts[i];
        parts[i].pose.position = cri_sub(parts[i].pose.position, center);
    }
    body->parts = parts;
}

static bool needs_mass(const cr_body *body)
{
    return body->kind != CR_KIND_STATIC && !body->driven;
}

// Numbers that change nothing for a body of infinite mass, or one that never moves.
static void warn_useless(cri_compiler *c, const cri_node *const *values, const cr_body *body)
{
    bool fixed = body->kind == CR_KIND_STATIC;
    const char *kind = fixed ? "static" : "driven";
    if (values[CRI_BODY_MASS] && body->driven) {
        cri_compile_warn(c, values[CRI_BODY_MASS], "mass of a %s body has no effect", kind);
    }
    if (values[CRI_BODY_DAMPING] && (fixed || body->driven)) {
        cri_compile_warn(c, values[CRI_BODY_DAMPING], "damping of a %s body has no effect", kind);
    }
    if (values[CRI_BODY_LIMITS] && fixed) {
        cri_compile_warn(c, values[CRI_BODY_LIMITS], "limits of a %s body have no effect", kind);
    }
}

static void read_mass(cri_compiler *c, const cri_node *node, const cri_node *mass, bool kind_known,
                      cr_body *body)
{
    static const char *const kinds[] = {"static", "passive", "controlled", "foreign, pushed"};
    if (mass && body->kind == CR_KIND_STATIC) {
        cri_compile_fail(c, CR_ERR_TYPE, mass, "a static body has no mass");
    } else if (mass) {
        cri_read_number(c, mass, "mass", &cri_range_positive, &body->mass);
    } else if (needs_mass(body) && kind_known) {
        cri_compile_fail(c, CR_ERR_NAME, node, "key \"mass\" is missing; a %s body must have one",
                         kinds[body->kind]);
    }
    body->mass = needs_mass(body) ? body->mass : 0;
}

static void read_center(cri_compiler *c, const cri_node *center, cr_body *body,
                        cri_body_source *source)
{
    double volume;
    source->center = mean_center(body, &volume);
    if (center) {
        cri_read_vector(c, center, "center", 3, NULL, &source->center);
    }
    move_origin(c, body, source->center);
    body->inertia = volume > 0 ? inertia_of(body, body->mass / volume) : (cr_vec3){0, 0, 0};
}

// ---------------------------------------------------------------------------------------------
// Where and how.

static double lowest_point(const cr_body *body, cr_quat rotation)
{
    cr_pose pose = {{0, 0, 0}, rotation};
    double lowest = HUGE_VAL;
    for (int i = 0; i < body->part_count; i++) {
        double reach = cri_shape_support(
            &body->parts[i].shape, cri_pose_mul(pose, body->parts[i].pose), cri_vec3(0, 0, -1));
        lowest = fmin(lowest, -reach);
    }
    return lowest;
}

cr_pose cri_body_place(const cri_body_source *source, const cr_body *body, cr_vec3 at,
                       double heading)
{
    cr_quat rotation = cri_quat_mul(cri_quat_heading(heading), source->base);
    cr_pose pose = {cri_add(at, cri_rotate(rotation, source->center)), rotation};
    if (source->rests && body->part_count > 0) {
        pose.position.z = cri_is_plane(body) ? 0 : -lowest_point(body, rotation);
        pose.position.z = source->lift != 0 ? pose.position.z + source->lift : pose.position.z;
    }
    return pose;
}

static bool read_motion(cri_compiler *c, const cri_node *node, const char *what, cr_vec3 *vector)
{
    if (!cri_read_list(c, node, what, 2, 3)) {
        return false;
    }
    double v[3] = {0};
    bool good = true;
    for (int i = 0; i < node->count; i++) {
        good = cri_read_number(c, &node->items[i], what, &speed_range, &v[i]) && good;
    }
    *vector = (cr_vec3){v[0], v[1], v[2]};
    return good;
}

static void check_upright(cri_compiler *c, const cri_node *const *values, const cr_body *body,
                          const cri_body_source *source)
{
    if (!body->upright) {
        return;
    }
    if (body->kind == CR_KIND_STATIC) {
        cri_compile_fail(c, CR_ERR_TYPE, values[CRI_BODY_UPRIGHT], "a static body is not upright");
    }
    if (fabs(source->base.x) + fabs(source->base.y) > 1e-9) {
        cri_compile_fail(c, CR_ERR_RANGE, values[CRI_BODY_ROTATION],
                         "rotation of an upright body must be about z");
    }
    if (body->velocity.z != 0) {
        cri_compile_fail(c, CR_ERR_RANGE, values[CRI_BODY_VELOCITY],
                         "velocity of an upright body must have z = 0, got %g", body->velocity.z);
    }
    if (body->spin.x != 0 || body->spin.y != 0) {
        cri_compile_fail(c, CR_ERR_RANGE, values[CRI_BODY_SPIN],
                         "spin of an upright body must have x = y = 0");
    }
}

static void read_placing(cri_compiler *c, const cri_node *const *values, const cri_rows *rows,
                         cr_body *body, cri_body_source *source)
{
    int numbers = 2;
    if (values[CRI_BODY_AT] && !rows->places) {
        cri_read_vector(c, values[CRI_BODY_AT], "at", 2, &numbers, &source->at);
    }
    cri_read_rotation(c, values[CRI_BODY_HEADING], values[CRI_BODY_ROTATION], &source->base,
                      &source->heading);
    source->rests = numbers == 2;
    if (values[CRI_BODY_VELOCITY]) {
        read_motion(c, values[CRI_BODY_VELOCITY], "velocity", &body->velocity);
    }
    if (values[CRI_BODY_SPIN]) {
        read_motion(c, values[CRI_BODY_SPIN], "spin", &body->spin);
    }
    const cri_node *moves =
        values[CRI_BODY_VELOCITY] ? values[CRI_BODY_VELOCITY] : values[CRI_BODY_SPIN];
    if (body->kind == CR_KIND_STATIC && moves) {
        cri_compile_fail(c, CR_ERR_TYPE, moves, "a static body has no velocity and no spin");
    }
    check_upright(c, values, body, source);
    body->pose = cri_body_place(source, body, source->at, source->heading);
}

static void read_limits(cri_compiler *c, const cri_node *node, cr_limits *limits)
{
    double *const targets[CRI_LIMIT_COUNT] = {
        [CRI_LIMIT_SPEED] = &limits->speed,
        [CRI_LIMIT_ACCELERATION] = &limits->acceleration,
        [CRI_LIMIT_TURN_SPEED] = &limits->turn_speed,
        [CRI_LIMIT_TURN_ACCELERATION] = &limits->turn_acceleration,
    };
    const cri_node *values[CRI_LIMIT_COUNT];
    cri_read_map(c, node, &cri_keys_limits, values);
    for (int i = 0; i < CRI_LIMIT_COUNT; i++) {
        if (values[i]) {
            cri_read_number(c, values[i], cri_keys_limits.rows[i].name, &cri_range_positive,
                            targets[i]);
        }
    }
}

static void read_ignore(cri_compiler *c, const cri_node *node, int self)
{
    if (!cri_read_list(c, node, "ignore", 0, CRI_ENTRIES_MAX)) {
        return;
    }
    for (int i = 0; i < node->count; i++) {
        int first, count;
        if (!cri_read_bodies(c, &node->items[i], "ignore", &first, &count)) {
            continue;
        }
        if (first == self && count == 1) {
            cri_compile_fail(c, CR_ERR_NAME, &node->items[i], "a body cannot ignore itself");
        }
        for (int other = first; other < first + count; other++) {
            if (other != self) {
                cri_wish(c, (cri_pair_wish){self, other, false}, NULL);
            }
        }
    }
    cri_check_repeats(c, node, "ignore", "");
}

// ---------------------------------------------------------------------------------------------
// Colours.

static const struct {
    const char *name;
    uint32_t color;
} colors[] = {
    {"black", 0x202020},  {"blue", 0x2f6fde},  {"brown", 0x8b5a2b},  {"cyan", 0x22b8cf},
    {"gray", 0x8a8f98},   {"green", 0x2f9e44}, {"orange", 0xf28c28}, {"pink", 0xf06595},
    {"purple", 0x8e44ad}, {"red", 0xd03b3b},   {"white", 0xf5f5f5},  {"yellow", 0xf2c037},
};

enum { COLOR_COUNT = sizeof colors / sizeof colors[0] };

static uint32_t default_color(cr_kind kind)
{
    switch (kind) {
    case CR_KIND_STATIC:
        return 0x8a8f98;
    case CR_KIND_PASSIVE:
        return 0xf28c28;
    case CR_KIND_CONTROLLED:
        return 0x2f6fde;
    case CR_KIND_FOREIGN:
        return 0xd03b3b;
    }
    return 0;
}

void cri_read_color(cri_compiler *c, const cri_node *node, uint32_t *color)
{
    if (node->kind != CRI_NODE_SCALAR || cri_node_is_null(node)) {
        cri_compile_fail(c, CR_ERR_TYPE, node,
                         "color must be a name or \"#rrggbb\" in quotes, got %s",
                         cri_node_sort(node));
        return;
    }
    const char *text = node->text;
    if (text[0] == '#' && strlen(text) == 7 && strspn(text + 1, "0123456789abcdefABCDEF") == 6) {
        *color = (uint32_t)strtoul(text + 1, NULL, 16);
        return;
    }
    cri_suggestion suggestion = {.word = text};
    for (int i = 0; i < COLOR_COUNT; i++) {
        if (strcmp(colors[i].name, text) == 0) {
            *color = colors[i].color;
            return;
        }
        cri_suggest(&suggestion, colors[i].name);
    }
    cri_compile_unknown(c, node, "color", &suggestion);
}

// ---------------------------------------------------------------------------------------------

static bool read_kind(cri_compiler *c, const cri_node *const *values, cr_body *body)
{
    int kind = CR_KIND_PASSIVE;
    const cri_node *word = values[CRI_BODY_KIND];
    bool known = word && cri_read_word(c, word, "kind", "static|passive|controlled|foreign", &kind);
    body->kind = (cr_kind)kind;
    int pushed = 0;
    const cri_node *motion = values[CRI_BODY_MOTION];
    if (motion && known && body->kind != CR_KIND_FOREIGN) {
        cri_compile_fail(c, CR_ERR_TYPE, motion, "\"motion\" is for foreign bodies only");
    } else if (motion) {
        cri_read_word(c, motion, "motion", "driven|pushed", &pushed);
    }
    body->driven = body->kind == CR_KIND_FOREIGN && !pushed;
    if (values[CRI_BODY_UPRIGHT]) {
        cri_read_flag(c, values[CRI_BODY_UPRIGHT], "upright", &body->upright);
    }
    return known;
}

static void read_form(cri_compiler *c, const cri_node *node, const cri_node *const *values,
                      cr_body *body)
{
    int material = 0;
    if (values[CRI_BODY_MATERIAL]) {
        material = cri_read_material(c, values[CRI_BODY_MATERIAL], "material");
        material = material < 0 ? 0 : material;
    }
    const cri_node *shape = values[CRI_BODY_SHAPE], *parts = values[CRI_BODY_PARTS];
    if ((shape != NULL) == (parts != NULL)) {
        cri_compile_fail(c, CR_ERR_NAME, node, "a body must have either \"shape\" or \"parts\"");
        return;
    }
    read_parts(c, shape, parts, material, body);
}

static void read_damping(cri_compiler *c, const cri_node *node, cr_body *body)
{
    cri_damping damping = {0, 0};
    if (body->part_count > 0) {
        damping = c->dampings[body->parts[0].material];
    }
    if (node) {
        cri_read_damping(c, node, &damping);
    }
    body->linear_damping = damping.linear;
    body->angular_damping = damping.angular;
}

static void read_floor_friction(cri_compiler *c, const cri_node *node, cr_body *body)
{
    static const cri_range range = {0, 1000, false};
    if (!node) {
        return;
    }
    if (!body->upright || body->driven) {
        cri_compile_fail(c, CR_ERR_TYPE, node,
                         "\"floor_friction\" is for upright bodies that forces move; others have "
                         "the friction of their material");
        return;
    }
    cri_read_number(c, node, "floor_friction", &range, &body->floor_friction);
}

// Where a member stands.
static bool place_member(cri_compiler *c, const cri_rows *rows, int member, cr_body *body,
                         cri_body_source *source)
{
    int numbers = source->rests ? 2 : 3;
    if (rows->places &&
        !cri_read_vector(c, &rows->places->items[member], "at", 2, &numbers, &source->at)) {
        return false;
    }
    cr_vec3 offset = cri_row_offset(rows, member, source->heading);
    source->rests = numbers == 2;
    source->lift = source->rests ? offset.z : 0;
    source->at = cri_add(source->at, offset);
    source->heading += member * rows->bend;
    body->pose = cri_body_place(source, body, source->at, source->heading);
    return true;
}

// All members are as the first, each in its own place.
static void copy_members(cri_compiler *c, const cri_node *node, int first, const cri_rows *rows)
{
    const cr_body like = c->model->bodies[first];
    const cri_body_source base = c->sources[first];
    const cri_node *ignore = cri_node_get(node, "ignore");
    bool good = true;
    for (int i = 0; i < rows->count && good; i++) {
        cr_body *body = &c->model->bodies[first + i];
        const char *name = body->name;
        *body = like;
        body->name = name;
        c->sources[first + i] = base;
        good = place_member(c, rows, i, body, &c->sources[first + i]);
        if (ignore && i > 0) {
            read_ignore(c, ignore, first + i);
        }
    }
}

static void read_body(cri_compiler *c, const cri_node *node, int index, const cri_rows *rows)
{
    cr_body *body = &c->model->bodies[index];
    const cri_node *values[CRI_BODY_COUNT];
    cri_read_map(c, node, &cri_keys_body, values);
    if (node->kind != CRI_NODE_MAP) {
        return;
    }
    cri_body_source *source = &c->sources[index];
    source->kind_known = read_kind(c, values, body);
    warn_useless(c, values, body);
    read_form(c, node, values, body);
    read_mass(c, node, values[CRI_BODY_MASS], source->kind_known, body);
    read_center(c, values[CRI_BODY_CENTER], body, source);
    read_placing(c, values, rows, body, source);
    read_damping(c, values[CRI_BODY_DAMPING], body);
    read_floor_friction(c, values[CRI_BODY_FLOOR_FRICTION], body);
    if (values[CRI_BODY_LIMITS]) {
        read_limits(c, values[CRI_BODY_LIMITS], &body->limits);
    }
    if (values[CRI_BODY_IGNORE]) {
        read_ignore(c, values[CRI_BODY_IGNORE], index);
    }
    body->color = default_color(body->kind);
    if (values[CRI_BODY_COLOR]) {
        cri_read_color(c, values[CRI_BODY_COLOR], &body->color);
    }
}

// ---------------------------------------------------------------------------------------------
// Names: all are entered before anything refers to them.

static void enter_body(cri_compiler *c, const cri_node *key, int index, const char *name)
{
    c->model->bodies[index] = (cr_body){
        .name = name, .slot = -1, .pose = {{0, 0, 0}, {0, 0, 0, 1}}, .limits = {2, 3, 10, 40}};
    c->sources[index] = (cri_body_source){.key = key, .base = {0, 0, 0, 1}};
}

static void enter_crowd(cri_compiler *c, const cri_node *key, int first, int count)
{
    cr_model *model = c->model;
    model->crowds[model->crowd_count++] = (cri_crowd){key->text, first, count};
    for (int i = 0; i < count; i++) {
        enter_body(c, key, first + i, cri_member_name(c, key->text, i));
    }
}

// A body by itself must not be called as a member of a crowd is.
static void check_member_names(cri_compiler *c, const cri_node *map, const cri_rows *rows)
{
    for (int i = 0; i < map->count && c->model->crowd_count > 0; i++) {
        const cri_node *key = cri_node_key(map, i);
        const char *dot = strrchr(key->text, '.');
        int body = dot ? cr_model_find_body(c->model, key->text) : -1;
        if (dot && !rows[i].crowd && c->sources[body].key != key) {
            cri_compile_fail(c, CR_ERR_NAME, key, "a member of the crowd \"%.*s\" has this name",
                             (int)(dot - key->text), key->text);
        }
    }
}

// How many bodies each entry stands for, and in all; 0 after a report.
static int read_all_rows(cri_compiler *c, const cri_node *map, cri_rows *rows)
{
    int total = 0;
    for (int i = 0; i < map->count; i++) {
        const cri_node *node = cri_node_value(map, i);
        cri_compile_subject(c, "body \"%s\"", cri_node_key(map, i)->text);
        rows[i] = (cri_rows){.count = 1, .grid = {1, 1, 1}};
        if (node->kind == CRI_NODE_MAP) {
            cri_read_rows(c, node, &rows[i]);
        }
        total += rows[i].count;
        if (total > CRI_BODIES_MAX) {
            cri_compile_fail(c, CR_ERR_RANGE, node, "bodies must be at most %d in all",
                             CRI_BODIES_MAX);
            return 0;
        }
    }
    cri_compile_subject(c, "%s", "");
    return total;
}

static bool make_room(cri_compiler *c, int entries, int bodies)
{
    cr_model *model = c->model;
    model->bodies = cri_compile_alloc(c, (size_t)bodies, sizeof *model->bodies);
    model->crowds = cri_compile_alloc(c, (size_t)entries, sizeof *model->crowds);
    c->sources = cri_compile_alloc(c, (size_t)bodies, sizeof *c->sources);
    return model->bodies && model->crowds && c->sources;
}

void cri_compile_bodies(cri_compiler *c)
{
    const cri_node *map = c->top[CRI_TOP_BODIES];
    if (!map || !cri_read_names(c, map, "bodies", CRI_ENTRIES_MAX)) {
        return;
    }
    cri_rows *rows = cri_compile_alloc(c, (size_t)map->count, sizeof *rows);
    int total = rows ? read_all_rows(c, map, rows) : 0;
    if (!rows || !make_room(c, map->count, total)) {
        return;
    }
    c->model->body_count = total;
    for (int i = 0, body = 0; total > 0 && i < map->count; body += rows[i++].count) {
        const cri_node *key = cri_node_key(map, i);
        if (rows[i].crowd) {
            enter_crowd(c, key, body, rows[i].count);
        } else {
            enter_body(c, key, body, key->text);
        }
    }
    check_member_names(c, map, rows);
    for (int i = 0, body = 0; total > 0 && i < map->count; body += rows[i++].count) {
        cri_compile_subject(c, "body \"%s\"", cri_node_key(map, i)->text);
        read_body(c, cri_node_value(map, i), body, &rows[i]);
        if (rows[i].crowd) {
            copy_members(c, cri_node_value(map, i), body, &rows[i]);
        }
    }
    cri_compile_subject(c, "%s", "");
}
