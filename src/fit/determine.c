// How far recordings determine the numbers (003, 8: parameters "are not fully independent").
//
// With J the derivatives of the residuals r at the optimum and J^T J = sum l v v^T, a step of
// length d along v changes the squares by l d^2. What is left of the residuals says how large d may
// be:
//
//     d^2 = max(NEIGHBOURS s^2 / l,  sum over recordings (v . J^T r)^2 / l^2)
//
// The first takes residuals for independent, but for those that one window smooths together; the
// second only whole recordings. A coefficient with gradient g deviates by sum (g . v)^2 d^2.
#include "fit/jacobian.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/number.h"
#include "base/report.h"
#include "base/vec.h"

#define NEIGHBOURS 9     // samples that a velocity is made of
#define LEAST      1e-3  // an error that is taken for granted, also in recordings without noise
#define ENOUGH     0.1   // of its value: a number is determined
#define VANISHED   1e-13 // of the largest eigenvalue: rounding

typedef struct spectrum {
    int n;
    double values[CR_FIT_PARAMETERS_MAX]; // rising
    double vectors[CR_FIT_PARAMETERS_MAX * CR_FIT_PARAMETERS_MAX];
    double deviations[CR_FIT_PARAMETERS_MAX]; // along each
} spectrum;

// Derivatives by differences to both sides.
static cr_status take_both(cr_fit *fit, const double *values, cri_jacobian *j, cr_report *report)
{
    cri_jacobian back;
    cr_status status = cri_jacobian_create(fit, &back, report);
    status = status ? status : cri_jacobian_take(j, fit, values, 1, report);
    status = status ? status : cri_jacobian_take(&back, fit, values, -1, report);
    size_t cells = (size_t)fit->residual_count * (size_t)j->n;
    for (size_t i = 0; i < cells && status == CR_OK; i++) {
        j->columns[i] = (j->columns[i] + back.columns[i]) / 2;
    }
    cri_jacobian_free(&back);
    return status;
}

static double slope_along(const cri_jacobian *j, const double *v, int row)
{
    double sum = 0;
    for (int i = 0; i < j->n; i++) {
        sum += v[i] * j->columns[(size_t)i * (size_t)j->fit->residual_count + (size_t)row];
    }
    return sum;
}

// sum over recordings (v . J^T r)^2
static double pull_along(const cri_jacobian *j, const double *v)
{
    double total = 0;
    for (int s = 0; s < j->fit->seen_count; s++) {
        const cri_seen *seen = &j->fit->seen[s];
        double pull = 0;
        for (int k = 0; k < 4 * seen->path.count; k++) {
            int row = seen->first_residual + k;
            pull += slope_along(j, v, row) * j->residuals[row];
        }
        total += pull * pull;
    }
    return total;
}

// The mean square of a residual, of those that there are.
static double variance(const cri_jacobian *j)
{
    double sum = 0;
    int count = 0;
    for (int i = 0; i < j->fit->residual_count; i++) {
        sum += j->residuals[i] * j->residuals[i];
        count += j->residuals[i] != 0;
    }
    const cr_fit_def *def = &j->fit->def;
    sum = fmax(sum, LEAST * LEAST * (def->velocity + def->angle + def->position));
    return count > 0 ? sum / count : sum;
}

static void decompose(const cri_jacobian *j, spectrum *s)
{
    int n = s->n = j->n, rows = j->fit->residual_count;
    double a[CR_FIT_PARAMETERS_MAX * CR_FIT_PARAMETERS_MAX];
    for (int i = 0; i < n; i++) {
        for (int k = 0; k < n; k++) {
            double sum = 0;
            for (int row = 0; row < rows; row++) {
                sum += j->columns[(size_t)i * (size_t)rows + (size_t)row] *
                       j->columns[(size_t)k * (size_t)rows + (size_t)row];
            }
            a[i * n + k] = sum;
        }
    }
    cri_matrix_eigen(a, n, s->values, s->vectors);
    double noise = NEIGHBOURS * variance(j), most = s->values[n - 1];
    for (int i = 0; i < n; i++) {
        double l = s->values[i];
        bool gone = !(l > VANISHED * most) || !(l > 0);
        double pull = gone ? 0 : pull_along(j, s->vectors + i * n);
        s->deviations[i] = gone ? HUGE_VAL : sqrt(fmax(noise / l, pull / (l * l)));
    }
}

// ---------------------------------------------------------------------------------------------
// Coefficients.

typedef enum coefficient_kind { PARAMETER, FRICTION, RESTITUTION, DECAY } coefficient_kind;

typedef struct coefficient {
    coefficient_kind kind;
    int a, b; // parameter; materials; body
    double radius;
} coefficient;

static double value_of(const coefficient *c, const double *values, const cr_numbers *numbers)
{
    if (c->kind == PARAMETER) {
        return values[c->a];
    }
    if (c->kind != DECAY) {
        cr_material pair = cr_numbers_pair(numbers, c->a, c->b);
        return c->kind == FRICTION ? pair.friction : pair.restitution;
    }
    // A ball that rolls: both dampings brake the two motions, which are one.
    cr_body_numbers body = cr_numbers_body(numbers, c->a);
    double turning = body.inertia.x / (c->radius * c->radius);
    return (body.mass * body.linear_damping + turning * body.angular_damping) /
           (body.mass + turning);
}

static void name_it(const cr_fit *fit, const coefficient *c, char *name, size_t size)
{
    if (c->kind == PARAMETER) {
        cri_format(name, size, "%s", fit->parameters[c->a].name);
    } else if (c->kind == DECAY) {
        cri_format(name, size, "%s rolling decay", cr_model_body(fit->model, c->a)->name);
    } else {
        cri_format(name, size, "%s-%s %s", cr_model_material(fit->model, c->a)->name,
                   cr_model_material(fit->model, c->b)->name,
                   c->kind == FRICTION ? "friction" : "restitution");
    }
}

// The gradient in units of the parameters' scales; false where nothing changes.
static bool gradient_of(cr_fit *fit, const coefficient *c, const double *values, double *gradient)
{
    double moved[CR_FIT_PARAMETERS_MAX];
    bool any = false;
    cr_numbers *numbers = fit->numbers[0];
    cr_fit_apply(fit, values, numbers, NULL);
    double here = value_of(c, values, numbers);
    memcpy(moved, values, (size_t)fit->parameter_count * sizeof *values);
    for (int i = 0; i < fit->parameter_count; i++) {
        double scale = cri_scale_of(&fit->parameters[i], values[i]), step = 1e-4 * scale;
        step = values[i] + step > fit->parameters[i].high ? -step : step;
        moved[i] = values[i] + step;
        cr_fit_apply(fit, moved, numbers, NULL);
        gradient[i] = (value_of(c, moved, numbers) - here) / step * scale;
        any = any || fabs(gradient[i]) > 1e-9;
        moved[i] = values[i];
    }
    cr_fit_apply(fit, values, numbers, NULL);
    return any;
}

static double deviation_of(const spectrum *s, const double *gradient)
{
    double sum = 0;
    for (int i = 0; i < s->n; i++) {
        double along = 0;
        for (int k = 0; k < s->n; k++) {
            along += gradient[k] * s->vectors[i * s->n + k];
        }
        // What rounding leaves of a right angle is no share of a direction.
        if (fabs(along) > 1e-6) {
            sum += along * along * s->deviations[i] * s->deviations[i];
        }
    }
    return sqrt(sum);
}

static void tell(cr_fit *fit, const coefficient *c, const double *values, const spectrum *s,
                 cr_determination *d)
{
    double gradient[CR_FIT_PARAMETERS_MAX];
    if (d->coefficient_count == CR_COEFFICIENTS_MAX || !gradient_of(fit, c, values, gradient)) {
        return;
    }
    cr_coefficient *out = &d->coefficients[d->coefficient_count++];
    name_it(fit, c, out->name, sizeof out->name);
    out->value = value_of(c, values, fit->numbers[0]);
    out->deviation = deviation_of(s, gradient);
    out->parameter = c->kind == PARAMETER;
    out->determined = out->deviation <= ENOUGH * fmax(fabs(out->value), 1e-3);
}

static bool is_made_of(const cr_body *body, int material)
{
    for (int i = 0; i < body->part_count; i++) {
        if (body->parts[i].material == material) {
            return true;
        }
    }
    return false;
}

// True if something of material a that is seen may touch something of material b.
static bool may_meet(const cr_fit *fit, int a, int b)
{
    for (int i = 0; i < fit->seen_count; i++) {
        int body = fit->seen[i].body;
        if (!is_made_of(cr_model_body(fit->model, body), a)) {
            continue;
        }
        for (int k = 0; k < cr_model_body_count(fit->model); k++) {
            if (k != body && is_made_of(cr_model_body(fit->model, k), b) &&
                cr_model_pair(fit->model, body, k) >= 0) {
                return true;
            }
        }
    }
    return false;
}

static void tell_pairs(cr_fit *fit, const double *values, const spectrum *s, cr_determination *d)
{
    int count = cr_model_material_count(fit->model);
    for (int a = 0; a < count; a++) {
        for (int b = 0; b < count; b++) {
            if (may_meet(fit, a, b) && !(b < a && may_meet(fit, b, a))) {
                tell(fit, &(coefficient){FRICTION, a, b, 0}, values, s, d);
                tell(fit, &(coefficient){RESTITUTION, a, b, 0}, values, s, d);
            }
        }
    }
}

static void tell_decays(cr_fit *fit, const double *values, const spectrum *s, cr_determination *d)
{
    for (int i = 0; i < cr_model_body_count(fit->model); i++) {
        const cr_body *body = cr_model_body(fit->model, i);
        bool seen = false;
        for (int k = 0; k < fit->seen_count; k++) {
            seen = seen || fit->seen[k].body == i;
        }
        if (seen && body->part_count == 1 && body->parts[0].shape.kind == CR_SHAPE_SPHERE) {
            double radius = body->parts[0].shape.radius;
            tell(fit, &(coefficient){DECAY, i, 0, radius}, values, s, d);
        }
    }
}

static void tell_directions(const spectrum *s, cr_determination *d)
{
    for (int i = 0; i < s->n; i++) {
        if (s->deviations[i] > ENOUGH) {
            cr_direction *out = &d->directions[d->direction_count++];
            out->deviation = s->deviations[i];
            memcpy(out->shares, s->vectors + i * s->n, (size_t)s->n * sizeof(double));
        }
    }
}

cr_status cr_fit_determine(cr_fit *fit, const double *values, cr_determination *determination,
                           cr_report *report)
{
    cr_determination *d = determination;
    *d = (cr_determination){0};
    spectrum *s = calloc(1, sizeof *s);
    cri_jacobian j = {0};
    cr_status status = s ? cri_jacobian_create(fit, &j, report) : cri_fail_memory(report);
    status = status ? status : take_both(fit, values, &j, report);
    if (status == CR_OK && fit->parameter_count > 0) {
        decompose(&j, s);
        for (int i = 0; i < fit->parameter_count; i++) {
            tell(fit, &(coefficient){PARAMETER, i, 0, 0}, values, s, d);
        }
        tell_pairs(fit, values, s, d);
        tell_decays(fit, values, s, d);
        tell_directions(s, d);
    }
    cri_jacobian_free(&j);
    free(s);
    return status;
}
