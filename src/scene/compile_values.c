// Values: regions, distributions of numbers, the sample, parameters of Skills and conditions.
#include "scene/compile.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/trig.h"

// ---------------------------------------------------------------------------------------------
// Regions.

static bool read_region_box(cri_compiler *c, const cri_node *node, cr_shape *shape)
{
    if (!cri_read_list(c, node, "box", 2, 3)) {
        return false;
    }
    double size[3] = {0, 0, HUGE_VAL};
    bool good = true;
    for (int i = 0; i < node->count; i++) {
        good = cri_read_number(c, &node->items[i], "box size", &cri_range_length, &size[i]) && good;
    }
    *shape = (cr_shape){.kind = CR_SHAPE_BOX, .half = {size[0] / 2, size[1] / 2, size[2] / 2}};
    return good;
}

static bool read_region_cylinder(cri_compiler *c, const cri_node *node, cr_shape *shape)
{
    const cri_node *values[CRI_CYLINDER_COUNT];
    bool good = cri_read_map(c, node, &cri_keys_region_cylinder, values);
    const cri_node *radius = values[CRI_CYLINDER_RADIUS], *height = values[CRI_CYLINDER_HEIGHT];
    *shape = (cr_shape){.kind = CR_SHAPE_CYLINDER};
    double full = HUGE_VAL;
    good =
        radius && cri_read_number(c, radius, "radius", &cri_range_length, &shape->radius) && good;
    good = (!height || cri_read_number(c, height, "height", &cri_range_length, &full)) && good;
    shape->half = (cr_vec3){shape->radius, shape->radius, full / 2};
    return good;
}

static bool read_region_shape(cri_compiler *c, const cri_node *node, const cri_node *const *values,
                              cr_shape *shape)
{
    const cri_node *box = values[CRI_REGION_BOX], *cylinder = values[CRI_REGION_CYLINDER],
                   *sphere = values[CRI_REGION_SPHERE];
    if ((box != NULL) + (cylinder != NULL) + (sphere != NULL) != 1) {
        return cri_compile_fail(c, CR_ERR_NAME, node,
                                "a region must have one of \"box\", \"cylinder\", \"sphere\"");
    }
    if (sphere) {
        *shape = (cr_shape){.kind = CR_SHAPE_SPHERE};
        return cri_read_number(c, sphere, "sphere radius", &cri_range_length, &shape->radius);
    }
    return box ? read_region_box(c, box, shape) : read_region_cylinder(c, cylinder, shape);
}

// Half of the height, for a region that rests on the ground; one without limit lies around z = 0.
static double resting_height(const cr_shape *shape)
{
    double half = shape->kind == CR_SHAPE_SPHERE ? shape->radius : shape->half.z;
    return isfinite(half) ? half : 0;
}

static bool has_shape(const cri_node *const *values)
{
    return values[CRI_REGION_BOX] || values[CRI_REGION_CYLINDER] || values[CRI_REGION_SPHERE];
}

// The cells of a picture may be without a shape.
static void read_region(cri_compiler *c, const cri_node *node, const cri_node *const *values,
                        cr_region *region)
{
    int numbers = 2;
    double heading = 0;
    if (has_shape(values) || !values[CRI_REGION_PICTURE]) {
        read_region_shape(c, node, values, &region->shape);
    }
    if (values[CRI_REGION_AT]) {
        cri_read_vector(c, values[CRI_REGION_AT], "at", 2, &numbers, &region->pose.position);
    }
    if (values[CRI_REGION_HEADING]) {
        cri_read_number(c, values[CRI_REGION_HEADING], "heading", &cri_range_any, &heading);
    }
    region->pose.rotation = cri_quat_heading(heading);
    if (numbers == 2) {
        region->pose.position.z = resting_height(&region->shape);
    }
}

// Keys of a mapping differ, but a region may be called as a cell is.
static void check_names(cri_compiler *c, const cri_node *key, const cri_cells *cells)
{
    for (int i = cells->first; i < cells->first + cells->count; i++) {
        const char *name = c->model->regions[i].name;
        if (cr_model_find_region(c->model, name) != i) {
            cri_compile_fail(c, CR_ERR_NAME, key, "another region is called \"%s\"", name);
            return;
        }
    }
}

static void read_entry(cri_compiler *c, const cri_node *key, const cri_node *node,
                       const cri_cells *cells)
{
    const cri_node *values[CRI_REGION_COUNT];
    cr_region *region = &c->model->regions[cells->first];
    cri_compile_subject(c, "region \"%s\"", key->text);
    if (cr_model_find_body(c->model, key->text) >= 0) {
        cri_compile_fail(c, CR_ERR_NAME, node, "a body has the same name");
    }
    check_names(c, key, cells);
    cri_read_map(c, node, &cri_keys_region, values);
    if (node->kind != CRI_NODE_MAP) {
        return;
    }
    cr_region like = *region;
    read_region(c, node, values, &like);
    *region = like;
    if (values[CRI_REGION_PICTURE]) {
        cri_read_cells(c, node, values, cells, has_shape(values), &like);
    }
}

// Where the regions of each entry are, and how many there are in all.
static int count_regions(cri_compiler *c, const cri_node *map, cri_cells *cells)
{
    int total = 0;
    for (int i = 0; i < map->count; i++) {
        cri_compile_subject(c, "region \"%s\"", cri_node_key(map, i)->text);
        int count = cri_count_cells(c, cri_node_value(map, i), &cells[i]);
        cells[i].name = cri_node_key(map, i)->text;
        cells[i].first = total;
        total += count;
    }
    return total;
}

static void name_regions(cri_compiler *c, const cri_cells *cells)
{
    for (int i = 0; i < cells->count; i++) {
        const char *name = cells->crowd >= 0 ? cri_member_name(c, cells->name, i) : cells->name;
        c->model->regions[cells->first + i] = (cr_region){
            .name = name, .shape = {.kind = CR_SHAPE_SPHERE}, .pose = {{0, 0, 0}, {0, 0, 0, 1}}};
    }
    if (cells->crowd >= 0) {
        c->model->cells[c->model->cells_count++] = *cells;
    }
}

void cri_compile_regions(cri_compiler *c)
{
    const cri_node *node = c->top[CRI_TOP_REGIONS];
    if (!node || !cri_read_names(c, node, "regions", CRI_REGIONS_MAX)) {
        return;
    }
    cr_model *model = c->model;
    cri_cells *cells = cri_compile_alloc(c, (size_t)node->count, sizeof *cells);
    model->cells = cri_compile_alloc(c, (size_t)node->count, sizeof *model->cells);
    int total = cells ? count_regions(c, node, cells) : 0;
    if (total > CRI_REGIONS_MAX) {
        cri_compile_fail(c, CR_ERR_RANGE, node, "at most %d regions, got %d", CRI_REGIONS_MAX,
                         total);
        return;
    }
    model->regions = cri_compile_alloc(c, (size_t)total, sizeof *model->regions);
    if (!cells || !model->cells || !model->regions) {
        return;
    }
    model->region_count = total;
    for (int i = 0; i < node->count; i++) {
        name_regions(c, &cells[i]);
    }
    for (int i = 0; i < node->count; i++) {
        read_entry(c, cri_node_key(node, i), cri_node_value(node, i), &cells[i]);
    }
    cri_compile_subject(c, "%s", "");
}

// ---------------------------------------------------------------------------------------------
// Numbers.

static bool read_uniform(cri_compiler *c, const cri_node *node, const char *what,
                         const cri_range *range, cri_number *number)
{
    if (!cri_read_list(c, node, "uniform", 2, 2) ||
        !cri_read_number(c, &node->items[0], what, range, &number->a) ||
        !cri_read_number(c, &node->items[1], what, range, &number->b)) {
        return false;
    }
    if (number->a > number->b) {
        return cri_compile_fail(c, CR_ERR_RANGE, node, "uniform must go upwards, got [%g, %g]",
                                number->a, number->b);
    }
    return true;
}

static bool read_normal(cri_compiler *c, const cri_node *node, const char *what,
                        const cri_range *range, cri_number *number)
{
    return cri_read_list(c, node, "normal", 2, 2) &&
           cri_read_number(c, &node->items[0], what, range, &number->a) &&
           cri_read_number(c, &node->items[1], "deviation", &cri_range_not_negative, &number->b);
}

static bool read_choices(cri_compiler *c, const cri_node *node, const char *what,
                         const cri_range *range, cri_number *number)
{
    enum { CHOICES_MAX = 10000 };
    if (!cri_read_list(c, node, "choose", 1, CHOICES_MAX)) {
        return false;
    }
    double *choices = cri_compile_alloc(c, (size_t)node->count, sizeof *choices);
    if (!choices) {
        return false;
    }
    bool good = true;
    for (int i = 0; i < node->count; i++) {
        good = cri_read_number(c, &node->items[i], what, range, &choices[i]) && good;
    }
    number->choices = choices;
    number->choice_count = node->count;
    return good;
}

bool cri_check_draws(cri_compiler *c, const cri_node *node, const char *what, cri_draws draws,
                     cri_draws needed)
{
    if (draws >= needed) {
        return true;
    }
    return cri_compile_fail(c, CR_ERR_TYPE, node, "%s must %s here", what,
                            draws == CRI_DRAWS_NONE ? "be constant: nothing is drawn"
                                                    : "not be the sample: there is none");
}

static bool read_sample_heading(cri_compiler *c, const cri_node *node, const char *what,
                                cri_draws draws)
{
    if (!cri_check_draws(c, node, what, draws, CRI_DRAWS_SAMPLE)) {
        return false;
    }
    return c->model->sampling.has_heading ||
           cri_compile_fail(c, CR_ERR_NAME, node,
                            "%s: the scene's \"sample:\" must have a \"heading\"", what);
}

static bool read_drawn_number(cri_compiler *c, const cri_node *node, const char *what,
                              const cri_range *range, cri_number *number)
{
    const cri_node *value = NULL;
    switch (cri_read_choice(c, node, &cri_keys_draw, &value)) {
    case CRI_DRAW_UNIFORM:
        number->kind = CRI_NUMBER_UNIFORM;
        return read_uniform(c, value, what, range, number);
    case CRI_DRAW_NORMAL:
        number->kind = CRI_NUMBER_NORMAL;
        return read_normal(c, value, what, range, number);
    case CRI_DRAW_CHOOSE:
        number->kind = CRI_NUMBER_CHOOSE;
        return read_choices(c, value, what, range, number);
    default:
        return false;
    }
}

bool cri_read_distribution(cri_compiler *c, const cri_node *node, const char *what,
                           const cri_range *range, cri_draws draws, cri_number *number)
{
    *number = (cri_number){.kind = CRI_NUMBER_CONSTANT, .min = range->min, .max = range->max};
    if (cri_node_is(node, "sample")) {
        number->kind = CRI_NUMBER_SAMPLE;
        return read_sample_heading(c, node, what, draws);
    }
    if (node->kind == CRI_NODE_MAP) {
        return cri_check_draws(c, node, what, draws, CRI_DRAWS_START) &&
               read_drawn_number(c, node, what, range, number);
    }
    return cri_read_number(c, node, what, range, &number->a);
}

// ---------------------------------------------------------------------------------------------
// The sample.

// Whose arrival counts: the controlled body's, unless the scene says otherwise (003, 5.3.4).
static int sampled_body(cri_compiler *c, const cri_node *sample, const cri_node *named)
{
    if (named) {
        return cri_read_body(c, named, "body");
    }
    int body = -1, count = 0;
    bool known = true; // all kinds: else it is not said twice
    for (int i = 0; i < c->model->body_count; i++) {
        bool controlled = c->model->bodies[i].kind == CR_KIND_CONTROLLED;
        body = controlled ? i : body;
        count += controlled;
        known = known && c->sources[i].kind_known;
    }
    if (count != 1 && known) {
        cri_compile_fail(c, CR_ERR_NAME, sample,
                         "key \"body\" is missing, and there is not one controlled body but %d",
                         count);
    }
    return count == 1 ? body : -1;
}

static void read_sample_goal(cri_compiler *c, const cri_node *goal, const cri_node *share)
{
    cri_sampling *sampling = &c->model->sampling;
    if ((goal != NULL) != (share != NULL)) {
        cri_compile_fail(c, CR_ERR_NAME, goal ? goal : share,
                         "\"goal\" and \"goal_share\" go together");
    } else if (goal) {
        sampling->goal = cri_read_region(c, goal, "goal");
        cri_read_number(c, share, "goal_share", &cri_range_share, &sampling->goal_share);
    }
}

// What is near: by time, with brakes and a velocity to arrive with, or by distance alone.
static void read_metric(cri_compiler *c, const cri_node *const *values)
{
    static const cri_range brakes = {0, 1e5, true};
    cri_sampling *sampling = &c->model->sampling;
    const cri_node *brake = values[CRI_SAMPLE_DECELERATION];
    const cri_node *velocity = values[CRI_SAMPLE_VELOCITY];
    int word = CRI_METRIC_TIME;
    if (values[CRI_SAMPLE_METRIC]) {
        cri_read_word(c, values[CRI_SAMPLE_METRIC], "metric", "time|distance", &word);
    }
    sampling->metric = (cri_metric)word;
    if (brake) {
        cri_read_number(c, brake, "deceleration", &brakes, &sampling->deceleration);
    }
    if (velocity) {
        cri_read_vector(c, velocity, "velocity", 2, NULL, &sampling->velocity);
    }
    if (sampling->velocity.z != 0) {
        cri_compile_fail(c, CR_ERR_RANGE, velocity, "velocity must have z = 0");
    }
    if (sampling->metric == CRI_METRIC_DISTANCE && (brake || velocity)) {
        cri_compile_fail(c, CR_ERR_NAME, brake ? brake : velocity,
                         "\"deceleration\" and \"velocity\" go with \"metric: time\"");
    }
}

void cri_compile_sample(cri_compiler *c)
{
    const cri_node *node = c->top[CRI_TOP_SAMPLE];
    cri_sampling *sampling = &c->model->sampling;
    *sampling = (cri_sampling){.body = -1, .region = -1, .goal = -1};
    if (!node) {
        return;
    }
    const cri_node *values[CRI_SAMPLE_COUNT];
    cri_compile_subject(c, "sample");
    sampling->present = true;
    if (cri_read_map(c, node, &cri_keys_sample, values)) {
        sampling->body = sampled_body(c, node, values[CRI_SAMPLE_BODY]);
    }
    if (values[CRI_SAMPLE_REGION]) {
        sampling->region = cri_read_region(c, values[CRI_SAMPLE_REGION], "region");
    }
    read_sample_goal(c, values[CRI_SAMPLE_GOAL], values[CRI_SAMPLE_GOAL_SHARE]);
    if (values[CRI_SAMPLE_HEADING]) {
        sampling->has_heading = true;
        cri_read_distribution(c, values[CRI_SAMPLE_HEADING], "heading", &cri_range_any,
                              CRI_DRAWS_START, &sampling->heading);
    }
    read_metric(c, values);
    if (sampling->body >= 0 && c->model->bodies[sampling->body].kind == CR_KIND_STATIC) {
        cri_compile_fail(c, CR_ERR_TYPE, values[CRI_SAMPLE_BODY],
                         "body must be one that moves, got static \"%s\"",
                         c->model->bodies[sampling->body].name);
    }
    cri_compile_subject(c, "%s", "");
}

// ---------------------------------------------------------------------------------------------
// Parameters.

// A default is a text of a scene file like any other; most are one word.
static const cri_node *fallback_node(cri_compiler *c, const cr_param *param)
{
    if (!strpbrk(param->fallback, "{[\"'")) {
        cri_node *node = cri_compile_alloc(c, 1, sizeof *node);
        if (node) {
            *node = cri_node_word(param->fallback);
        }
        return node;
    }
    cri_node_source source = {
        param->fallback, strlen(param->fallback), param->name, 8, 256, NULL, 0};
    const cri_node *root;
    cr_status status = cri_node_read(&source, &c->model->arena, &root, c->report);
    if (status != CR_OK && c->status == CR_OK) {
        c->status = status;
    }
    return root;
}

static bool read_number_value(cri_compiler *c, const cri_node *node, const cr_param *param,
                              cri_draws draws, cri_value *value)
{
    cri_range range = {param->min, param->max, false};
    if (param->min == 0 && param->max == 0) {
        range = cri_range_any;
    }
    return cri_read_distribution(c, node, param->name, &range, draws, &value->number);
}

static int doubles_drawn(const cri_value *value)
{
    if (value->type == CR_PARAM_NUMBER) {
        return value->number.kind == CRI_NUMBER_CONSTANT ? 0 : 1;
    }
    if (value->type == CR_PARAM_PLACE) {
        return cri_place_is_drawn(&value->place) ? 3 : 0;
    }
    return 0;
}

static bool read_by_type(cri_compiler *c, const cri_node *node, const cr_param *param,
                         cri_draws draws, cri_value *value)
{
    switch (param->type) {
    case CR_PARAM_NUMBER:
        return read_number_value(c, node, param, draws, value);
    case CR_PARAM_PLACE:
        return cri_read_place(c, node, param->name, draws, &value->place);
    case CR_PARAM_BODY:
        value->index = cri_read_body(c, node, param->name);
        return value->index >= 0;
    case CR_PARAM_REGION:
        value->index = cri_read_region(c, node, param->name);
        return value->index >= 0;
    case CR_PARAM_THING:
        return cri_read_thing(c, node, param->name, &value->index);
    case CR_PARAM_CHOICE:
        return cri_read_word(c, node, param->name, param->unit, &value->index);
    case CR_PARAM_JOINT:
        value->index = cri_read_joint(c, node, param->name, param->unit);
        return value->index >= 0;
    }
    return false;
}

bool cri_read_value(cri_compiler *c, const cri_node *node, const cr_param *param, cri_draws draws,
                    cri_value *value, int *drawn)
{
    *value = (cri_value){.type = param->type, .drawn = -1};
    if (!node) {
        node = fallback_node(c, param);
    }
    if (!node || !read_by_type(c, node, param, draws, value)) {
        return false;
    }
    int count = doubles_drawn(value);
    if (count > 0) {
        value->drawn = *drawn;
        *drawn += count;
    }
    return true;
}
