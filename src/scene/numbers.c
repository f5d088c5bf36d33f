// Blocks of numbers beside a model.
#include "scene/numbers.h"

#include <assert.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/report.h"
#include "base/trig.h"
#include "base/vec.h"

cr_body_numbers cri_body_numbers(const cr_body *body)
{
    return (cr_body_numbers){.mass = body->mass,
                             .inertia = body->inertia,
                             .linear_damping = body->linear_damping,
                             .angular_damping = body->angular_damping,
                             .floor_friction = body->floor_friction};
}

// ---------------------------------------------------------------------------------------------
// As steppers read them.

// More damping than this in a substep is beyond a stepper's series of the exponential.
static const double LOSS_MAX = 0.1;

bool cri_body_is_sphere(const cr_body *body)
{
    return body->part_count == 1 && body->parts[0].shape.kind == CR_SHAPE_SPHERE &&
           cri_length(body->parts[0].pose.position) < 1e-9;
}

// Steppers know balls by one moment of inertia.
static bool is_round(cr_vec3 inertia)
{
    return fabs(inertia.x - inertia.z) <= 1e-9 * inertia.z &&
           fabs(inertia.y - inertia.z) <= 1e-9 * inertia.z;
}

static bool is_unfit(const cr_model *model, const cr_body *body, const cr_body_numbers *n)
{
    double h = model->dt / model->substeps;
    if (body->driven) {
        return false; // nothing damps it
    }
    bool ball = cri_body_is_sphere(body) && !body->upright;
    return n->linear_damping * h > LOSS_MAX || n->angular_damping * h > LOSS_MAX ||
           (ball && !is_round(n->inertia));
}

static cri_weight weight_of(const cr_model *model, const cr_body *body, const cr_body_numbers *n)
{
    cri_weight w = {.damping = (float)n->linear_damping,
                    .spin_damping = (float)n->angular_damping,
                    .unfit = is_unfit(model, body, n)};
    if (body->driven) {
        return w;
    }
    const double inertias[3] = {n->inertia.x, n->inertia.y, n->inertia.z};
    for (int i = 0; i < 3; i++) {
        w.inertias[i] = (float)inertias[i];
        w.inverse_inertias[i] = (float)(1 / inertias[i]);
    }
    const float radius = (float)body->radius;
    w.mass = (float)n->mass;
    w.inverse_mass = (float)(1 / n->mass);
    w.inertia = w.inertias[2];
    w.inverse_inertia = w.inverse_inertias[2];
    if (body->upright) {
        w.floor_friction = (float)n->floor_friction;
    } else {
        w.cross_mobility = w.inverse_mass + w.inverse_inertia * radius * radius;
    }
    return w;
}

static cri_manner manner_of(const cr_meeting *m)
{
    return (cri_manner){.friction = (float)m->friction,
                        .static_friction = (float)m->static_friction,
                        .restitution = (float)m->restitution,
                        .rolling = (float)m->rolling,
                        .spinning = (float)m->spinning,
                        .along = (float)m->along};
}

static cri_gravity pull_of(cr_vec3 g)
{
    double length = cri_length(g);
    cri_gravity p = {.gravity = {(float)g.x, (float)g.y, (float)g.z}};
    if (length > 0) {
        p.up[0] = (float)(-g.x / length);
        p.up[1] = (float)(-g.y / length);
        p.up[2] = (float)(-g.z / length);
    }
    return p;
}

// ---------------------------------------------------------------------------------------------

static bool take_room(cr_numbers *n)
{
    const cr_model *model = n->model;
    size_t materials = (size_t)model->material_count;
    n->bodies = cri_arena_alloc(&n->arena, (size_t)model->body_count, sizeof *n->bodies);
    n->materials = cri_arena_alloc(&n->arena, materials, sizeof *n->materials);
    n->given = cri_arena_alloc(&n->arena, materials * materials, sizeof *n->given);
    n->meetings = cri_arena_alloc(&n->arena, materials * materials, sizeof *n->meetings);
    n->weights = cri_arena_alloc(&n->arena, (size_t)model->moving_count, sizeof *n->weights);
    n->manners = cri_arena_alloc(&n->arena, materials * materials, sizeof *n->manners);
    n->kicks = cri_arena_alloc(&n->arena, (size_t)model->moving_count, sizeof *n->kicks);
    n->joints = cri_arena_alloc(&n->arena, (size_t)model->joint_count, sizeof *n->joints);
    return n->joints && n->bodies && n->materials && n->given && n->meetings && n->weights &&
           n->manners && n->kicks;
}

cr_status cr_numbers_create(const cr_model *model, cr_numbers **numbers, cr_report *report)
{
    *numbers = NULL;
    cr_numbers *n = calloc(1, sizeof *n);
    if (!n) {
        return cri_fail_memory(report);
    }
    n->model = model;
    if (!take_room(n)) {
        cr_numbers_destroy(n);
        return cri_fail_memory(report);
    }
    cr_numbers_copy(n, NULL);
    *numbers = n;
    return CR_OK;
}

void cr_numbers_destroy(cr_numbers *numbers)
{
    if (numbers) {
        cri_arena_free(&numbers->arena);
        free(numbers);
    }
}

static const cri_kick NO_ERROR = {.as_set = {.gain = 1}, .cos = 1};

// All that steppers read.
static void work_out(cr_numbers *n)
{
    const cr_model *model = n->model;
    for (int slot = 0; slot < model->moving_count; slot++) {
        int body = model->moving[slot];
        n->weights[slot] = weight_of(model, &model->bodies[body], &n->bodies[body]);
    }
    for (int i = 0; i < model->material_count * model->material_count; i++) {
        n->manners[i] = manner_of(&n->meetings[i]);
    }
    n->pull = pull_of(n->gravity);
}

void cr_numbers_copy(cr_numbers *numbers, const cr_numbers *from)
{
    const cr_model *model = numbers->model;
    size_t materials = (size_t)model->material_count;
    assert(!from || from->model == model);
    numbers->gravity = from ? from->gravity : model->gravity;
    numbers->kicks_err = from && from->kicks_err;
    for (int i = 0; i < model->moving_count; i++) {
        numbers->kicks[i] = from ? from->kicks[i] : NO_ERROR;
    }
    for (int i = 0; i < model->body_count; i++) {
        numbers->bodies[i] = from ? from->bodies[i] : cri_body_numbers(&model->bodies[i]);
    }
    for (int i = 0; i < model->joint_count; i++) {
        numbers->joints[i] = from ? from->joints[i] : model->joints[i].numbers;
    }
    memmove(numbers->materials, from ? from->materials : model->materials,
            materials * sizeof *numbers->materials);
    memmove(numbers->given, from ? from->given : model->given,
            materials * materials * sizeof *numbers->given);
    memmove(numbers->meetings, from ? from->meetings : model->meetings,
            materials * materials * sizeof *numbers->meetings);
    work_out(numbers);
}

// ---------------------------------------------------------------------------------------------
// Bodies.

static const cr_body *pushed_body(const cr_numbers *numbers, int body)
{
    const cr_body *b = cri_body(numbers->model, body);
    assert(b->slot >= 0 && !b->driven);
    return b;
}

cr_body_numbers cr_numbers_body(const cr_numbers *numbers, int body)
{
    pushed_body(numbers, body);
    return numbers->bodies[body];
}

static bool is_positive(double value)
{
    return value > 0 && isfinite(value);
}

static bool is_coefficient(double value)
{
    return value >= 0 && isfinite(value);
}

cr_status cr_numbers_set_body(cr_numbers *numbers, int body, const cr_body_numbers *value,
                              cr_report *report)
{
    const cr_body *b = pushed_body(numbers, body);
    cr_vec3 i = value->inertia;
    if (!is_positive(value->mass) || !is_positive(i.x) || !is_positive(i.y) || !is_positive(i.z)) {
        return cri_fail(report, CR_ERR_RANGE, (cri_location){0},
                        "body \"%s\": mass and inertia must be > 0, got mass %g and inertia %g, "
                        "%g, %g",
                        b->name, value->mass, i.x, i.y, i.z);
    }
    if (!is_coefficient(value->linear_damping) || !is_coefficient(value->angular_damping)) {
        return cri_fail(report, CR_ERR_RANGE, (cri_location){0},
                        "body \"%s\": damping must be >= 0, got %g and %g", b->name,
                        value->linear_damping, value->angular_damping);
    }
    if (!is_coefficient(value->floor_friction) || (value->floor_friction > 0 && !b->upright)) {
        return cri_fail(report, CR_ERR_RANGE, (cri_location){0},
                        "body \"%s\": floor_friction must be >= 0, and 0 unless it is upright, got "
                        "%g",
                        b->name, value->floor_friction);
    }
    numbers->bodies[body] = *value;
    numbers->weights[b->slot] = weight_of(numbers->model, b, value);
    return CR_OK;
}

cr_status cr_numbers_set_mass(cr_numbers *numbers, int body, double mass, cr_report *report)
{
    cr_body_numbers value = cr_numbers_body(numbers, body);
    value.inertia = cri_scale(mass / value.mass, value.inertia);
    value.mass = mass;
    return cr_numbers_set_body(numbers, body, &value, report);
}

cr_kick_numbers cr_numbers_kick(const cr_numbers *numbers, int body)
{
    return numbers->kicks[pushed_body(numbers, body)->slot].as_set;
}

cr_status cr_numbers_set_kick(cr_numbers *numbers, int body, cr_kick_numbers value,
                              cr_report *report)
{
    const cr_body *b = pushed_body(numbers, body);
    if (!is_coefficient(value.gain) || !isfinite(value.turn)) {
        return cri_fail(report, CR_ERR_RANGE, (cri_location){0},
                        "body \"%s\": the gain of kicks must be >= 0 and their turn finite, got %g "
                        "and %g",
                        b->name, value.gain, value.turn);
    }
    numbers->kicks[b->slot] = (cri_kick){.as_set = value,
                                         .cos = value.gain * cri_cos(value.turn),
                                         .sin = value.gain * cri_sin(value.turn)};
    numbers->kicks_err = false;
    for (int i = 0; i < numbers->model->moving_count; i++) {
        const cr_kick_numbers *k = &numbers->kicks[i].as_set;
        numbers->kicks_err = numbers->kicks_err || k->gain != 1 || k->turn != 0;
    }
    return CR_OK;
}

// ---------------------------------------------------------------------------------------------
// Joints.

cr_joint_numbers cr_numbers_joint(const cr_numbers *numbers, int joint)
{
    assert(joint >= 0 && joint < numbers->model->joint_count);
    return numbers->joints[joint];
}

cr_status cr_numbers_set_joint(cr_numbers *numbers, int joint, const cr_joint_numbers *value,
                               cr_report *report)
{
    const cr_joint *j = cr_model_joint(numbers->model, joint);
    if (!is_coefficient(value->friction) || !is_coefficient(value->motor_force) ||
        !isfinite(value->motor_speed)) {
        return cri_fail(report, CR_ERR_RANGE, (cri_location){0},
                        "joint \"%s\": friction and the motor's force must be >= 0 and its speed "
                        "finite, got %g, %g and %g",
                        j->name, value->friction, value->motor_force, value->motor_speed);
    }
    if (!(value->breaking_force > 0 && value->breaking_torque > 0)) {
        return cri_fail(report, CR_ERR_RANGE, (cri_location){0},
                        "joint \"%s\": what breaks it must be > 0, got %g and %g", j->name,
                        value->breaking_force, value->breaking_torque);
    }
    numbers->joints[joint] = *value;
    return CR_OK;
}

// ---------------------------------------------------------------------------------------------
// Materials, and pairs of them.

static cr_status check_surface(const cr_material *m, const char *name, cr_report *report)
{
    const struct {
        const char *name;
        double value, max;
    } rows[] = {
        {"friction", m->friction, HUGE_VAL}, {"static_friction", m->static_friction, HUGE_VAL},
        {"restitution", m->restitution, 1},  {"rolling", m->rolling, HUGE_VAL},
        {"spinning", m->spinning, HUGE_VAL}, {"grain_friction", m->grain_friction, HUGE_VAL}};
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        if (!is_coefficient(rows[i].value) || rows[i].value > rows[i].max) {
            return cri_fail(report, CR_ERR_RANGE, (cri_location){0},
                            "material \"%s\": %s must be %s, got %g", name, rows[i].name,
                            rows[i].max == 1 ? "0 .. 1" : ">= 0", rows[i].value);
        }
    }
    return CR_OK;
}

static size_t meeting_at(const cr_numbers *numbers, int a, int b)
{
    int count = numbers->model->material_count;
    assert(a >= 0 && a < count && b >= 0 && b < count);
    return (size_t)a * (size_t)count + (size_t)b;
}

// Work out what holds where two materials meet.
static void meet(cr_numbers *numbers, int a, int b)
{
    size_t ab = meeting_at(numbers, a, b), ba = meeting_at(numbers, b, a);
    numbers->meetings[ab] =
        cri_meeting_of(&numbers->given[ab], &numbers->materials[a], &numbers->materials[b]);
    numbers->meetings[ba] =
        cri_meeting_of(&numbers->given[ba], &numbers->materials[b], &numbers->materials[a]);
    numbers->manners[ab] = manner_of(&numbers->meetings[ab]);
    numbers->manners[ba] = manner_of(&numbers->meetings[ba]);
}

cr_material cr_numbers_material(const cr_numbers *numbers, int material)
{
    assert(material >= 0 && material < numbers->model->material_count);
    return numbers->materials[material];
}

cr_status cr_numbers_set_material(cr_numbers *numbers, int material, const cr_material *value,
                                  cr_report *report)
{
    assert(material >= 0 && material < numbers->model->material_count);
    cr_material *m = &numbers->materials[material];
    cr_status status = check_surface(value, m->name, report);
    if (status != CR_OK) {
        return status;
    }
    cr_material old = *m;
    *m = *value;
    m->name = old.name;
    m->grain = old.grain;
    for (int other = 0; other < numbers->model->material_count; other++) {
        meet(numbers, material, other);
    }
    return CR_OK;
}

cr_material cr_numbers_pair(const cr_numbers *numbers, int a, int b)
{
    const cr_meeting *m = &numbers->meetings[meeting_at(numbers, a, b)];
    return (cr_material){.name = "",
                         .friction = m->friction,
                         .static_friction = m->static_friction,
                         .restitution = m->restitution,
                         .rolling = m->rolling,
                         .spinning = m->spinning,
                         .grain_friction = m->along};
}

cr_status cr_numbers_set_pair(cr_numbers *numbers, int a, int b, const cr_material *value,
                              cr_report *report)
{
    size_t ab = meeting_at(numbers, a, b), ba = meeting_at(numbers, b, a);
    cr_status status = check_surface(value, numbers->materials[a].name, report);
    if (status != CR_OK) {
        return status;
    }
    numbers->given[ab] = (cr_meeting){.friction = value->friction,
                                      .static_friction = value->static_friction,
                                      .restitution = value->restitution,
                                      .rolling = value->rolling,
                                      .spinning = value->spinning,
                                      .along = value->grain_friction};
    numbers->given[ba] = numbers->given[ab];
    meet(numbers, a, b);
    return CR_OK;
}

// ---------------------------------------------------------------------------------------------

cr_vec3 cr_numbers_gravity(const cr_numbers *numbers)
{
    return numbers->gravity;
}

cr_status cr_numbers_set_gravity(cr_numbers *numbers, cr_vec3 gravity, cr_report *report)
{
    if (!cri_finite3(gravity)) {
        return cri_fail(report, CR_ERR_RANGE, (cri_location){0},
                        "gravity must be finite, got %g, %g, %g", gravity.x, gravity.y, gravity.z);
    }
    numbers->gravity = gravity;
    numbers->pull = pull_of(gravity);
    return CR_OK;
}
