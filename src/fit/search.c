// The search for the values with the least error.
//
// Least squares (Levenberg-Marquardt): the residuals' derivatives are taken by rolling out one
// candidate a parameter, all side by side; then a few dampings of the step are tried, side by side
// too. Directions that change nothing are held where they were by the damping.
#include "fit/fit.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/report.h"
#include "base/vec.h"
#include "fit/jacobian.h"

enum { TRIES = 4, ROUNDS = 40 };

// What a parameter that is twice the scene's costs, in squares of the total error: far less than
// any recording says, but enough to keep what none speaks of near the scene's value.
#define RIDGE 1e-6

cr_fit_search cr_default_fit_search(void)
{
    return (cr_fit_search){.method = "least-squares", .starts = 1, .seed = 1, .evaluations = 2000};
}

void cri_trial_note(cri_trial *trial, const double *values, const cr_fit_error *error)
{
    cr_fit_result *r = trial->result;
    bool better = error->total < r->after.total;
    if (better) {
        r->after = *error;
        memcpy(r->values, values, (size_t)trial->fit->parameter_count * sizeof *values);
    }
    const cr_fit_search *s = trial->search;
    if (better && s->show && !s->show(r->evaluations, error, values, s->context)) {
        trial->stopped = true;
    }
}

// ---------------------------------------------------------------------------------------------
// Derivatives.

double cri_scale_of(const cri_fit_number *n, double value)
{
    return fmax(fabs(value), 0.05 * (n->high - n->low));
}

// How far a parameter is moved: far enough for the difference to be more than the engine's
// rounding, and away from the nearer bound.
static double nudge(const cri_fit_number *n, double value, double side)
{
    double step = side * 0.01 * cri_scale_of(n, value);
    return value + step > n->high || value + step < n->low ? -step : step;
}

cr_status cri_jacobian_create(const cr_fit *fit, cri_jacobian *j, cr_report *report)
{
    int n = fit->parameter_count;
    size_t rows = (size_t)fit->residual_count + 1;
    *j = (cri_jacobian){.fit = fit, .n = n};
    j->residuals = malloc(rows * sizeof *j->residuals);
    j->moved = malloc(rows * sizeof *j->moved);
    j->columns = malloc(rows * (size_t)(n + 1) * sizeof *j->columns);
    bool made = j->residuals && j->moved && j->columns;
    return made ? CR_OK : cri_fail_memory(report);
}

void cri_jacobian_free(cri_jacobian *j)
{
    free(j->residuals);
    free(j->moved);
    free(j->columns);
}

// In units of each parameter's scale, so that no unit matters.
cr_status cri_jacobian_take(cri_jacobian *j, cr_fit *fit, const double *values, double side,
                            cr_report *report)
{
    int n = j->n, rows = fit->residual_count;
    double candidates[(CR_FIT_PARAMETERS_MAX + 1) * CR_FIT_PARAMETERS_MAX];
    double steps[CR_FIT_PARAMETERS_MAX];
    for (int i = 0; i <= n; i++) {
        memcpy(candidates + i * n, values, (size_t)n * sizeof *values);
        if (i > 0) {
            steps[i - 1] = nudge(&fit->parameters[i - 1], values[i - 1], side);
            candidates[i * n + i - 1] += steps[i - 1];
        }
    }
    cri_prediction p;
    cr_status status = cri_predict(fit, candidates, n + 1, &p, report);
    if (status == CR_OK) {
        cri_residuals(&p, 0, j->residuals, &j->error);
    }
    for (int i = 0; i < n && status == CR_OK; i++) {
        cr_fit_error unused;
        cri_residuals(&p, i + 1, j->moved, &unused);
        double scale = cri_scale_of(&fit->parameters[i], values[i]) / steps[i];
        double *column = j->columns + (size_t)i * (size_t)rows;
        for (int k = 0; k < rows; k++) {
            column[k] = (j->moved[k] - j->residuals[k]) * scale;
        }
    }
    cri_prediction_free(&p);
    return status;
}

// ---------------------------------------------------------------------------------------------
// Levenberg-Marquardt.

typedef struct descent {
    cri_jacobian j;
    double values[CR_FIT_PARAMETERS_MAX];
    double squares; // of the residuals at values
    double damping;
    double side; // to which the derivatives' differences are taken: one after the other
} descent;

static double squares_of(const double *residuals, int count)
{
    double sum = 0;
    for (int i = 0; i < count; i++) {
        sum += residuals[i] * residuals[i];
    }
    return sum;
}

static double dot(const double *a, const double *b, int count)
{
    double sum = 0;
    for (int i = 0; i < count; i++) {
        sum += a[i] * b[i];
    }
    return sum;
}

// J^T J and -J^T r.
static void normal_equations(const cri_jacobian *j, double *a, double *b)
{
    int n = j->n, rows = j->fit->residual_count;
    for (int i = 0; i < n; i++) {
        const double *ci = j->columns + (size_t)i * (size_t)rows;
        b[i] = -dot(ci, j->residuals, rows);
        for (int k = 0; k <= i; k++) {
            a[i * n + k] = a[k * n + i] = dot(ci, j->columns + (size_t)k * (size_t)rows, rows);
        }
    }
}

static double strayed(const cri_fit_number *n, double value)
{
    return (value - n->value) / cri_scale_of(n, n->value);
}

static double penalty(const cr_fit *fit, const double *values)
{
    double sum = 0;
    for (int i = 0; i < fit->parameter_count; i++) {
        double far = strayed(&fit->parameters[i], values[i]);
        sum += RIDGE * far * far;
    }
    return sum;
}

// The values that a damping leads to. A value at a bound that would leave it stays there.
static void propose(const descent *d, const cr_fit *fit, double damping, double *values)
{
    int n = d->j.n;
    double a[CR_FIT_PARAMETERS_MAX * CR_FIT_PARAMETERS_MAX], b[CR_FIT_PARAMETERS_MAX];
    normal_equations(&d->j, a, b);
    double trace = 0;
    for (int i = 0; i < n; i++) {
        trace += a[i * n + i];
    }
    for (int i = 0; i < n; i++) {
        const cri_fit_number *p = &fit->parameters[i];
        double unit = cri_scale_of(p, d->values[i]) / cri_scale_of(p, p->value);
        a[i * n + i] += RIDGE * unit * unit;
        b[i] -= RIDGE * strayed(p, d->values[i]) * unit;
        a[i * n + i] += damping * (a[i * n + i] + 1e-3 * trace / n + 1e-30);
    }
    memcpy(values, d->values, (size_t)n * sizeof *values);
    if (cri_matrix_solve(a, b, n)) {
        for (int i = 0; i < n; i++) {
            double step = cri_clamp(b[i], -1, 1);
            values[i] += step * cri_scale_of(&fit->parameters[i], d->values[i]);
        }
    }
    cri_fit_clamp(fit, values);
}

// Try some dampings at once; true if one of them led downwards.
static bool try_steps(descent *d, cri_trial *trial, cr_status *status)
{
    cr_fit *fit = trial->fit;
    int n = fit->parameter_count, best = -1;
    double candidates[TRIES * CR_FIT_PARAMETERS_MAX], least = d->squares, damping = d->damping;
    for (int i = 0; i < TRIES; i++, damping *= 10) {
        propose(d, fit, damping / 10, candidates + i * n);
    }
    cri_prediction p;
    *status = cri_predict(fit, candidates, TRIES, &p, trial->report);
    for (int i = 0; i < TRIES && *status == CR_OK; i++) {
        cr_fit_error error;
        cri_residuals(&p, i, d->j.moved, &error);
        trial->result->evaluations++;
        cri_trial_note(trial, candidates + i * n, &error);
        double squares =
            squares_of(d->j.moved, fit->residual_count) + penalty(fit, candidates + i * n);
        if (squares < least) {
            least = squares;
            best = i;
        }
    }
    cri_prediction_free(&p);
    if (best < 0) {
        d->damping *= 1e3;
        return false;
    }
    static const double factors[TRIES] = {0.1, 1, 10, 100};
    d->damping = fmax(d->damping * factors[best] / 10, 1e-9);
    d->squares = least;
    memcpy(d->values, candidates + best * n, (size_t)n * sizeof *candidates);
    return true;
}

// One round: derivatives, then steps. False at the bottom.
static bool descend(descent *d, cri_trial *trial, cr_status *status)
{
    *status = cri_jacobian_take(&d->j, trial->fit, d->values, d->side, trial->report);
    if (*status != CR_OK) {
        return false;
    }
    trial->result->evaluations += trial->fit->parameter_count + 1;
    cri_trial_note(trial, d->values, &d->j.error);
    double before = d->squares =
        squares_of(d->j.residuals, trial->fit->residual_count) + penalty(trial->fit, d->values);
    while (*status == CR_OK && !trial->stopped && d->damping < 1e6) {
        if (try_steps(d, trial, status)) {
            return d->squares < before * (1 - 1e-4);
        }
    }
    return false;
}

static cr_status search_squares(cri_trial *trial)
{
    descent d = {.damping = 1e-2, .side = 1};
    cr_status status = cri_jacobian_create(trial->fit, &d.j, trial->report);
    memcpy(d.values, trial->result->values, sizeof d.values);
    // Noise makes the bottom rough: it is reached where derivatives to neither side lead on.
    int still = 0;
    for (int i = 0; i < ROUNDS && still < 2 && status == CR_OK && !trial->stopped; i++) {
        still = descend(&d, trial, &status) ? 0 : still + 1;
        d.side = -d.side;
        d.damping = still ? 1e-2 : d.damping;
        if (trial->result->evaluations >= trial->search->evaluations) {
            break;
        }
    }
    cri_jacobian_free(&d.j);
    return status;
}

// ---------------------------------------------------------------------------------------------
// Starts.

static void draw_start(const cr_fit *fit, const cr_fit_search *search, int start, double *values)
{
    cr_rng rng = cr_rng_make(search->seed, CR_RNG_USER, (uint64_t)start);
    for (int i = 0; i < fit->parameter_count; i++) {
        const cri_fit_number *n = &fit->parameters[i];
        double low = fmax(n->low, n->value / 4), high = fmin(n->high, n->value * 4 + 1e-3);
        values[i] = start == 0 ? n->value : cr_rng_uniform(&rng, low, high);
    }
}

static cr_status search_from(cri_trial *trial, int start)
{
    cr_fit_result *r = trial->result;
    *r = (cr_fit_result){.start = start};
    draw_start(trial->fit, trial->search, start, r->values);
    cr_status status = cr_fit_evaluate(trial->fit, r->values, 1, &r->before, trial->report);
    r->after = r->before;
    r->evaluations = 1;
    const cr_fit_search *how = trial->search;
    if (status == CR_OK && how->show && !how->show(1, &r->before, r->values, how->context)) {
        trial->stopped = true;
    }
    if (status != CR_OK || trial->stopped) {
        return status;
    }
    bool squares = strcmp(how->method, "least-squares") == 0;
    return squares ? search_squares(trial) : cri_search_nlopt(trial);
}

cr_status cr_fit_run(cr_fit *fit, const cr_fit_search *search, cr_fit_result *result,
                     cr_report *report)
{
    cr_status status = CR_OK;
    cr_fit_result one;
    if (fit->parameter_count == 0) {
        return cri_fail(report, CR_ERR_NAME, (cri_location){0}, "the fit has no parameters");
    }
    cri_trial trial = {.fit = fit, .search = search, .result = &one, .report = report};
    for (int start = 0; start < (search->starts > 1 ? search->starts : 1); start++) {
        status = search_from(&trial, start);
        if (status != CR_OK || trial.stopped) {
            break;
        }
        cr_fit_error before = start == 0 ? one.before : result->before;
        int64_t evaluations = one.evaluations + (start == 0 ? 0 : result->evaluations);
        if (start == 0 || one.after.total < result->after.total) {
            *result = one;
        }
        result->before = before;
        result->evaluations = evaluations;
    }
    if (status == CR_OK && trial.stopped && one.start == 0) {
        *result = one;
    }
    return status;
}
