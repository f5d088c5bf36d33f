// Which numbers a fit may change, by name, and putting values into a block of numbers.
#include "fit/fit.h"
#include "fit/tune.h"

#include <assert.h>
#include <math.h>
#include <string.h>

#include "base/number.h"
#include "base/report.h"
#include "base/vec.h"
#include "scene/model.h"
#include "scene/scene.h"

// What can be fitted of a material or body, and within which bounds.
static const struct {
    const char *name;
    double low, high; // masses: as a share of the scene's
} table[CRI_FIT_COUNT] = {
    [CRI_FIT_FRICTION] = {"friction", 0, 2},       [CRI_FIT_STATIC] = {"static_friction", 0, 2},
    [CRI_FIT_RESTITUTION] = {"restitution", 0, 1}, [CRI_FIT_ROLLING] = {"rolling", 0, 0.5},
    [CRI_FIT_SPINNING] = {"spinning", 0, 0.5},     [CRI_FIT_LINEAR] = {"damping.linear", 0, 2},
    [CRI_FIT_ANGULAR] = {"damping.angular", 0, 2}, [CRI_FIT_MASS] = {"mass", 0.2, 5},
};

bool cri_body_has_damping(const cr_model *model, int body)
{
    const cri_node *bodies = cri_node_get(cr_model_scene(model)->root, "bodies");
    const cri_node *node = cri_node_get(bodies, cri_body_entry(model, body));
    return node && cri_node_get(node, "damping");
}

// True if the damping of a material is that of the body.
static bool is_damped_by(const cr_model *model, int body, int material)
{
    const cr_body *b = cr_model_body(model, body);
    return b->slot >= 0 && !b->driven && b->part_count > 0 && b->parts[0].material == material &&
           !cri_body_has_damping(model, body);
}

// The value that the model has; < 0 where there is none.
static double model_value(const cr_model *model, cri_fit_kind kind, int thing)
{
    if (kind == CRI_FIT_MASS) {
        const cr_body *body = cr_model_body(model, thing);
        return body->slot >= 0 && !body->driven ? body->mass : -1;
    }
    const cr_material *m = cr_model_material(model, thing);
    for (int i = 0; i < cr_model_body_count(model); i++) {
        if (kind == CRI_FIT_LINEAR && is_damped_by(model, i, thing)) {
            return cr_model_body(model, i)->linear_damping;
        }
        if (kind == CRI_FIT_ANGULAR && is_damped_by(model, i, thing)) {
            return cr_model_body(model, i)->angular_damping;
        }
    }
    const double values[CRI_FIT_COUNT] = {
        [CRI_FIT_FRICTION] = m->friction,
        [CRI_FIT_STATIC] = m->static_friction,
        [CRI_FIT_RESTITUTION] = m->restitution,
        [CRI_FIT_ROLLING] = m->rolling,
        [CRI_FIT_SPINNING] = m->spinning,
        [CRI_FIT_LINEAR] = -1,
        [CRI_FIT_ANGULAR] = -1,
    };
    return values[kind];
}

static const char *thing_name(const cr_model *model, cri_fit_kind kind, int thing)
{
    return kind == CRI_FIT_MASS ? cr_model_body(model, thing)->name
                                : cr_model_material(model, thing)->name;
}

// True if the text is the pattern, in which * stands for anything.
bool cri_is_like(const char *text, const char *pattern)
{
    const char *star = NULL, *from = NULL;
    while (*text) {
        if (*pattern == '*') {
            star = pattern++;
            from = text;
        } else if (*pattern == *text) {
            pattern++;
            text++;
        } else if (star) {
            pattern = star + 1;
            text = ++from;
        } else {
            return false;
        }
    }
    return pattern[strspn(pattern, "*")] == 0;
}

static bool is_there(const cr_fit *fit, const char *name)
{
    for (int i = 0; i < fit->parameter_count; i++) {
        if (strcmp(fit->parameters[i].name, name) == 0) {
            return true;
        }
    }
    return false;
}

static cr_status add_number(cr_fit *fit, const cri_fit_number *number, cr_report *report)
{
    if (is_there(fit, number->name)) {
        return CR_OK;
    }
    if (fit->parameter_count == CR_FIT_PARAMETERS_MAX) {
        return cri_fail(report, CR_ERR_RANGE, (cri_location){0},
                        "a fit has at most %d parameters: choose fewer by name",
                        CR_FIT_PARAMETERS_MAX);
    }
    fit->parameters[fit->parameter_count++] = *number;
    return CR_OK;
}

static bool make_number(const cr_model *model, cri_fit_kind kind, int thing, cri_fit_number *number)
{
    double value = model_value(model, kind, thing);
    if (value < 0) {
        return false;
    }
    double scale = kind == CRI_FIT_MASS ? value : 1;
    *number = (cri_fit_number){.kind = kind,
                               .thing = thing,
                               .value = value,
                               .low = table[kind].low * scale,
                               .high = fmax(table[kind].high * scale, value)};
    cri_format(number->name, sizeof number->name, "%s.%s", thing_name(model, kind, thing),
               table[kind].name);
    return true;
}

// Visit every number that there is, in the order of the file: materials, then masses.
typedef bool (*visitor)(const cri_fit_number *number, void *context);

static void visit_all(const cr_model *model, visitor visit, void *context)
{
    cri_fit_number number;
    for (int i = 0; i < cr_model_material_count(model); i++) {
        for (int kind = 0; kind < CRI_FIT_MASS; kind++) {
            if (make_number(model, (cri_fit_kind)kind, i, &number) && !visit(&number, context)) {
                return;
            }
        }
    }
    for (int i = 0; i < cr_model_body_count(model); i++) {
        if (make_number(model, CRI_FIT_MASS, i, &number) && !visit(&number, context)) {
            return;
        }
    }
}

typedef struct choosing {
    cr_fit *fit;
    const char *pattern; // NULL: those of 8.2.1
    int found;
    cr_status status;
    cr_report *report;
} choosing;

static bool is_of(const cr_body *body, int material)
{
    for (int i = 0; i < body->part_count; i++) {
        if (body->parts[i].material == material) {
            return true;
        }
    }
    return false;
}

// True if a recorded body is of the material; or may touch something that is.
static bool concerns(const cr_fit *fit, int material, bool touch)
{
    for (int i = 0; i < fit->seen_count; i++) {
        int body = fit->seen[i].body;
        if (!touch && is_of(cr_model_body(fit->model, body), material)) {
            return true;
        }
        for (int other = 0; touch && other < cr_model_body_count(fit->model); other++) {
            const cr_body *b = cr_model_body(fit->model, other);
            if (other != body && b->kind == CR_KIND_STATIC && is_of(b, material) &&
                cr_model_pair(fit->model, body, other) >= 0) {
                return true;
            }
        }
    }
    return false;
}

static bool is_usual(const cr_fit *fit, const cri_fit_number *n)
{
    switch (n->kind) {
    case CRI_FIT_FRICTION:
    case CRI_FIT_RESTITUTION:
        return concerns(fit, n->thing, false) || concerns(fit, n->thing, true);
    case CRI_FIT_LINEAR:
    case CRI_FIT_ANGULAR:
        return concerns(fit, n->thing, false);
    case CRI_FIT_STATIC:
    case CRI_FIT_ROLLING:
    case CRI_FIT_SPINNING:
    case CRI_FIT_MASS:
    case CRI_FIT_COUNT:
        break;
    }
    return false;
}

static bool choose(const cri_fit_number *number, void *context)
{
    choosing *c = context;
    bool wanted = c->pattern ? cri_is_like(number->name, c->pattern) : is_usual(c->fit, number);
    c->found += wanted;
    c->status = wanted ? add_number(c->fit, number, c->report) : CR_OK;
    return c->status == CR_OK;
}

static cr_status fail_name(const char *name, cr_report *report)
{
    return cri_fail(report, CR_ERR_NAME, (cri_location){0},
                    "no number of the scene is called \"%s\": they are MATERIAL.friction, "
                    "static_friction, restitution, rolling, spinning, damping.linear, "
                    "damping.angular, and BODY.mass",
                    name);
}

cr_status cr_fit_add(cr_fit *fit, const char *pattern, cr_report *report)
{
    choosing c = {.fit = fit, .pattern = pattern, .report = report};
    visit_all(fit->model, choose, &c);
    if (c.status == CR_OK && c.found == 0) {
        return fail_name(pattern ? pattern : "*", report);
    }
    return c.status;
}

int cr_fit_parameter_count(const cr_fit *fit)
{
    return fit->parameter_count;
}

cr_fit_parameter cr_fit_parameter_at(const cr_fit *fit, int parameter)
{
    assert(parameter >= 0 && parameter < fit->parameter_count);
    const cri_fit_number *n = &fit->parameters[parameter];
    return (cr_fit_parameter){n->name, n->value, n->low, n->high};
}

void cri_fit_clamp(const cr_fit *fit, double *values)
{
    for (int i = 0; i < fit->parameter_count; i++) {
        values[i] = cri_clamp(values[i], fit->parameters[i].low, fit->parameters[i].high);
    }
}

// ---------------------------------------------------------------------------------------------
// Values into numbers.

static bool has_static(const cr_fit *fit, int material)
{
    for (int i = 0; i < fit->parameter_count; i++) {
        const cri_fit_number *n = &fit->parameters[i];
        if (n->kind == CRI_FIT_STATIC && n->thing == material) {
            return true;
        }
    }
    return false;
}

static cr_status apply_damping(const cr_model *model, const cri_fit_number *n, double value,
                               cr_numbers *numbers, cr_report *report)
{
    cr_status status = CR_OK;
    for (int i = 0; i < cr_model_body_count(model) && status == CR_OK; i++) {
        if (is_damped_by(model, i, n->thing)) {
            cr_body_numbers body = cr_numbers_body(numbers, i);
            *(n->kind == CRI_FIT_LINEAR ? &body.linear_damping : &body.angular_damping) = value;
            status = cr_numbers_set_body(numbers, i, &body, report);
        }
    }
    return status;
}

static void put_in(cr_material *m, cri_fit_kind kind, double value)
{
    double *fields[CRI_FIT_COUNT] = {
        [CRI_FIT_FRICTION] = &m->friction,       [CRI_FIT_STATIC] = &m->static_friction,
        [CRI_FIT_RESTITUTION] = &m->restitution, [CRI_FIT_ROLLING] = &m->rolling,
        [CRI_FIT_SPINNING] = &m->spinning,
    };
    assert(fields[kind]);
    *fields[kind] = value;
}

// One value; a material's friction takes its static friction along, in proportion, if tied.
static cr_status apply_one(const cr_model *model, const cri_fit_number *n, double value, bool tied,
                           cr_numbers *numbers, cr_report *report)
{
    if (n->kind == CRI_FIT_MASS) {
        return cr_numbers_set_mass(numbers, n->thing, value, report);
    }
    if (n->kind == CRI_FIT_LINEAR || n->kind == CRI_FIT_ANGULAR) {
        return apply_damping(model, n, value, numbers, report);
    }
    cr_material m = cr_numbers_material(numbers, n->thing);
    const cr_material *was = cr_model_material(model, n->thing);
    put_in(&m, n->kind, value);
    if (n->kind == CRI_FIT_FRICTION && tied) {
        m.static_friction =
            was->friction > 0 ? value * (was->static_friction / was->friction) : value;
    }
    return cr_numbers_set_material(numbers, n->thing, &m, report);
}

cr_status cr_fit_apply(const cr_fit *fit, const double *values, cr_numbers *numbers,
                       cr_report *report)
{
    cr_status status = CR_OK;
    for (int i = 0; i < fit->parameter_count && status == CR_OK; i++) {
        const cri_fit_number *n = &fit->parameters[i];
        status = apply_one(fit->model, n, values[i], !has_static(fit, n->thing), numbers, report);
    }
    return status;
}

// ---------------------------------------------------------------------------------------------
// By name, without a fit.

typedef struct naming {
    const char *name;
    cri_fit_number found;
    bool is_found;
} naming;

static bool find(const cri_fit_number *number, void *context)
{
    naming *n = context;
    if (strcmp(number->name, n->name) == 0) {
        n->found = *number;
        n->is_found = true;
    }
    return !n->is_found;
}

cr_status cr_numbers_set_named(cr_numbers *numbers, const cr_model *model, const char *name,
                               double value, cr_report *report)
{
    naming n = {.name = name};
    visit_all(model, find, &n);
    return n.is_found ? apply_one(model, &n.found, value, true, numbers, report)
                      : fail_name(name, report);
}

cr_status cr_model_number_named(const cr_model *model, const char *name, double *value,
                                cr_report *report)
{
    naming n = {.name = name};
    visit_all(model, find, &n);
    *value = n.found.value;
    return n.is_found ? CR_OK : fail_name(name, report);
}
