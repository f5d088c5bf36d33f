// Conditions, scores, values and draws on states. Nothing here allocates; recursion goes as deep as
// the scene's text is nested, which is limited.
#include "scene/evaluate.h"

#include <assert.h>
#include <math.h>

#include "base/trig.h"
#include "base/vec.h"
#include "scene/memory.h"

// ---------------------------------------------------------------------------------------------
// Conditions.

static bool all_hold(const cr_model *model, const cri_condition *condition, const cr_state *state)
{
    for (int i = 0; i < condition->child_count; i++) {
        if (!cri_condition_holds(model, &condition->children[i], state)) {
            return false;
        }
    }
    return true;
}

static bool any_holds(const cr_model *model, const cri_condition *condition, const cr_state *state)
{
    for (int i = 0; i < condition->child_count; i++) {
        if (cri_condition_holds(model, &condition->children[i], state)) {
            return true;
        }
    }
    return false;
}

// Ends where the answer is known.
static bool count_holds(const cr_model *model, const cri_condition *condition,
                        const cr_state *state)
{
    int count = 0, left = condition->child_count;
    for (int i = 0; i < condition->child_count && count <= condition->most; i++, left--) {
        if (count + left < condition->least ||
            (count >= condition->least && count + left <= condition->most)) {
            break;
        }
        count += cri_condition_holds(model, &condition->children[i], state);
    }
    return count >= condition->least && count <= condition->most;
}

bool cri_compound_holds(const cr_model *model, const cri_condition *condition,
                        const cr_state *state)
{
    switch (condition->op) {
    case CRI_CONDITION_ALL:
        return all_hold(model, condition, state);
    case CRI_CONDITION_ANY:
        return any_holds(model, condition, state);
    case CRI_CONDITION_NOT:
        return !cri_condition_holds(model, &condition->children[0], state);
    case CRI_CONDITION_SKILL:
        return cri_tactic_state_const(model, state, condition->tactic)->skill == condition->skill;
    case CRI_CONDITION_COUNT:
        return count_holds(model, condition, state);
    case CRI_CONDITION_ONCE:
    case CRI_CONDITION_STAYS:
    case CRI_CONDITION_TIMES:
        return cri_memory_holds(model, condition, state);
    case CRI_CONDITION_TYPE:
        break;
    }
    return cri_condition_holds(model, condition, state);
}

bool cri_rule_is_broken(const cr_model *model, const cri_rule *rule, const cr_state *state)
{
    return cri_condition_holds(model, &rule->condition, state) == rule->never;
}

const cri_rule *cri_broken_rule(const cr_model *model, const cr_state *state)
{
    for (int i = 0; i < model->rule_count; i++) {
        if (cri_rule_is_broken(model, &model->rules[i], state)) {
            return &model->rules[i];
        }
    }
    return NULL;
}

bool cri_goal_reached(const cr_model *model, const cr_state *state)
{
    return model->has_goal && cri_condition_holds(model, &model->goal, state);
}

// ---------------------------------------------------------------------------------------------
// Scores.

static double quantity(const cr_model *model, const cri_score *score, const cr_state *state)
{
    cr_condition_call call = {model, state, score->values, score->quantity->param_count};
    return score->quantity->value(&call);
}

double cri_score_value(const cr_model *model, const cri_score *score, const cr_state *state)
{
    double sum = 0, product = 1, value;
    switch (score->op) {
    case CRI_SCORE_CONSTANT:
        return score->a;
    case CRI_SCORE_ADD:
        for (int i = 0; i < score->child_count; i++) {
            sum += cri_score_value(model, &score->children[i], state);
        }
        return sum;
    case CRI_SCORE_MULTIPLY:
        for (int i = 0; i < score->child_count; i++) {
            product *= cri_score_value(model, &score->children[i], state);
        }
        return product;
    case CRI_SCORE_RAMP:
        return cri_clamp((quantity(model, score, state) - score->a) / (score->b - score->a), 0, 1);
    case CRI_SCORE_SQUARE:
        value = quantity(model, score, state);
        return value * value;
    case CRI_SCORE_WHEN:
        return cri_condition_holds(model, score->condition, state) ? 1 : 0;
    }
    return 0;
}

double cri_score_of(const cr_model *model, const cr_state *state)
{
    return model->has_score ? cri_score_value(model, &model->score, state) : 0;
}

// ---------------------------------------------------------------------------------------------
// Draws.

// A normal number within its range. Redrawing keeps the shape of what is left of the bell; a range
// that the bell hardly meets would take for ever, so after a while the number is moved to its edge.
static double draw_normal(const cri_number *number, cr_rng *rng)
{
    enum { DRAWS_MAX = 32 };
    double value = cr_rng_normal(rng, number->a, number->b);
    for (int i = 1; i < DRAWS_MAX && (value < number->min || value > number->max); i++) {
        value = cr_rng_normal(rng, number->a, number->b);
    }
    return cri_clamp(value, number->min, number->max);
}

double cri_draw_number(const cri_number *number, const cr_sample *sample, cr_rng *rng)
{
    switch (number->kind) {
    case CRI_NUMBER_CONSTANT:
        return number->a;
    case CRI_NUMBER_UNIFORM:
        return cr_rng_uniform(rng, number->a, number->b);
    case CRI_NUMBER_NORMAL:
        return draw_normal(number, rng);
    case CRI_NUMBER_CHOOSE:
        return number->choices[cr_rng_index(rng, (uint64_t)number->choice_count)];
    case CRI_NUMBER_SAMPLE:
        return sample->heading;
    }
    return 0;
}

static cr_vec3 draw_box(const cr_shape *shape, cr_rng *rng)
{
    double x = cr_rng_uniform(rng, -shape->half.x, shape->half.x);
    double y = cr_rng_uniform(rng, -shape->half.y, shape->half.y);
    double z = isfinite(shape->half.z) ? cr_rng_uniform(rng, -shape->half.z, shape->half.z) : 0;
    return (cr_vec3){x, y, z};
}

// Evenly over the disc: the square root undoes the growth of the area with the radius.
static cr_vec3 draw_cylinder(const cr_shape *shape, cr_rng *rng)
{
    double r = shape->radius * sqrt(cr_rng_unit(rng));
    double angle = cr_rng_uniform(rng, 0, 2 * CRI_PI);
    double z = isfinite(shape->half.z) ? cr_rng_uniform(rng, -shape->half.z, shape->half.z) : 0;
    return (cr_vec3){r * cri_cos(angle), r * cri_sin(angle), z};
}

// Evenly over the ball: the largest of three uniform numbers is distributed as the cube of the
// radius asks, and the height on a sphere is uniform.
static cr_vec3 draw_sphere(const cr_shape *shape, cr_rng *rng)
{
    double u = cr_rng_unit(rng), v = cr_rng_unit(rng), w = cr_rng_unit(rng);
    double r = shape->radius * fmax(u, fmax(v, w));
    double z = cr_rng_uniform(rng, -1, 1);
    double angle = cr_rng_uniform(rng, 0, 2 * CRI_PI);
    double ring = sqrt(fmax(0, 1 - z * z));
    return (cr_vec3){r * ring * cri_cos(angle), r * ring * cri_sin(angle), r * z};
}

cr_vec3 cri_draw_region(const cr_region *region, cr_rng *rng)
{
    const cr_shape *shape = &region->shape;
    cr_vec3 local = {0, 0, 0};
    switch (shape->kind) {
    case CR_SHAPE_BOX:
        local = draw_box(shape, rng);
        break;
    case CR_SHAPE_CYLINDER:
        local = draw_cylinder(shape, rng);
        break;
    case CR_SHAPE_SPHERE:
        local = draw_sphere(shape, rng);
        break;
    case CR_SHAPE_PLANE:
    case CR_SHAPE_PRISM:
    case CR_SHAPE_CAPSULE:
    case CR_SHAPE_HULL:
        assert(shape->kind == CR_SHAPE_SPHERE); // regions are boxes, cylinders and spheres
    }
    cr_vec3 point = cri_pose_point(region->pose, local);
    if (shape->kind != CR_SHAPE_SPHERE && !isfinite(shape->half.z)) {
        point.z = 0;
    }
    return point;
}

cr_sample cri_draw_sample(const cr_model *model, cr_rng *rng)
{
    const cri_sampling *s = &model->sampling;
    cr_sample sample = {{0, 0, 0}, 0};
    if (!s->present) {
        return sample;
    }
    bool goal = s->goal_share > 0 && cr_rng_unit(rng) < s->goal_share;
    sample.place = cri_draw_region(&model->regions[goal ? s->goal : s->region], rng);
    if (s->has_heading) {
        sample.heading = cri_draw_number(&s->heading, &sample, rng);
    }
    return sample;
}

// Where the middle of ball A is when it touches ball B on the side away from the target C: the two
// middles are a + b apart (the radii), and level with each other but for the difference of their
// heights h, so sqrt((a + b)^2 - h^2) apart as seen from above. B then leaves along the line of the
// middles, toward C. A keeps the height that it has.
//
//        C  <--- (B)(A)
//
static cr_vec3 ghost_of(const cr_model *model, const cri_where *place, const cr_state *state,
                        cr_vec3 target)
{
    cr_vec3 b = cri_thing_position(model, state, place->body);
    double height = cri_thing_position(model, state, place->with).z;
    cr_vec3 line = cri_unit(cri_vec3(target.x - b.x, target.y - b.y, 0), cri_vec3(1, 0, 0));
    double sum = model->bodies[place->body].radius + model->bodies[place->with].radius;
    double apart = sqrt(fmax(0, sum * sum - (height - b.z) * (height - b.z)));
    return cri_vec3(b.x - apart * line.x, b.y - apart * line.y, height);
}

// The image of a point in the vertical side of a box that it is farthest out of. The middle of a
// ball turns back a radius before the wall, so the side is moved out by that much.
static cr_vec3 mirror_of(const cr_model *model, const cri_where *place, cr_vec3 point)
{
    const cr_body *wall = &model->bodies[place->body];
    cr_pose pose = cri_pose_mul(wall->pose, wall->parts[0].pose);
    cr_vec3 half = wall->parts[0].shape.half, local = cri_pose_local(pose, point);
    double radius = place->with >= 0 ? model->bodies[place->with].radius : 0;
    if (fabs(local.x) - half.x > fabs(local.y) - half.y) {
        local.x = copysign(2 * (half.x + radius), local.x) - local.x;
    } else {
        local.y = copysign(2 * (half.y + radius), local.y) - local.y;
    }
    cr_vec3 image = cri_pose_point(pose, local);
    return cri_vec3(image.x, image.y, point.z);
}

// Places that follow from others.
static cr_vec3 derive_place(const cr_model *model, const cri_where *place, const cr_state *state,
                            const cr_sample *sample, cr_rng *rng)
{
    cr_vec3 inner = cri_draw_place(model, place->inner, state, sample, rng);
    cr_vec3 point = place->kind == CRI_PLACE_GHOST ? ghost_of(model, place, state, inner)
                                                   : mirror_of(model, place, inner);
    if (place->spread > 0) {
        cr_shape disc = {.kind = CR_SHAPE_CYLINDER, .radius = place->spread, .half.z = HUGE_VAL};
        point = cri_add(point, draw_cylinder(&disc, rng));
    }
    return point;
}

cr_vec3 cri_draw_place(const cr_model *model, const cri_where *place, const cr_state *state,
                       const cr_sample *sample, cr_rng *rng)
{
    switch (place->kind) {
    case CRI_PLACE_POINT:
        return place->point;
    case CRI_PLACE_BODY:
        return cri_add(cri_thing_position(model, state, place->body), place->point);
    case CRI_PLACE_CENTER:
        return cri_add(model->regions[place->region].pose.position, place->point);
    case CRI_PLACE_REGION:
        return cri_draw_region(&model->regions[place->region], rng);
    case CRI_PLACE_SAMPLE:
        return sample->place;
    case CRI_PLACE_GHOST:
    case CRI_PLACE_MIRROR:
        return derive_place(model, place, state, sample, rng);
    case CRI_PLACE_AROUND:
        break;
    }
    double distance = cri_draw_number(&place->distance, sample, rng);
    double angle = cri_draw_number(&place->angle, sample, rng);
    cr_vec3 offset = {distance * cri_cos(angle), distance * cri_sin(angle), 0};
    return cri_add(cri_thing_position(model, state, place->body), offset);
}

void cri_draw_values(const cr_model *model, const cri_skill *skill, const cr_state *state,
                     const cr_sample *sample, cr_rng *rng, double *drawn)
{
    for (int i = 0; i < skill->type->param_count; i++) {
        const cri_value *value = &skill->values[i];
        if (value->drawn < 0) {
            continue;
        }
        if (value->type == CR_PARAM_NUMBER) {
            drawn[value->drawn] = cri_draw_number(&value->number, sample, rng);
        } else {
            cr_vec3 place = cri_draw_place(model, &value->place, state, sample, rng);
            drawn[value->drawn] = place.x;
            drawn[value->drawn + 1] = place.y;
            drawn[value->drawn + 2] = place.z;
        }
    }
}
