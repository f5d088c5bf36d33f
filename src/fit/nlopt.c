// Searches by NLopt: the simplex of Nelder and Mead, as in 003, 8.1, and two others that need no
// derivatives. All of them are deterministic: NLopt's random numbers are not used.
#include "fit/fit.h"

#include <string.h>

#include "base/report.h"

#ifdef CAROM_NLOPT

#include <nlopt.h>

bool cr_fit_has_nlopt(void)
{
    return true;
}

static const struct {
    const char *name;
    nlopt_algorithm algorithm;
} methods[] = {
    {"nelder-mead", NLOPT_LN_NELDERMEAD}, {"sbplx", NLOPT_LN_SBPLX}, {"bobyqa", NLOPT_LN_BOBYQA}};

typedef struct asking {
    cri_trial *trial;
    nlopt_opt search;
} asking;

static double ask(unsigned n, const double *values, double *gradient, void *context)
{
    (void)n;
    (void)gradient;
    asking *a = context;
    cri_trial *trial = a->trial;
    cr_fit_error error = {.total = 1e9};
    trial->status = cr_fit_evaluate(trial->fit, values, 1, &error, trial->report);
    trial->result->evaluations++;
    if (trial->status == CR_OK) {
        cri_trial_note(trial, values, &error);
    }
    if (trial->stopped || trial->status != CR_OK) {
        nlopt_force_stop(a->search);
    }
    return error.total;
}

static void set_up(nlopt_opt search, const cri_trial *trial, asking *a)
{
    const cr_fit *fit = trial->fit;
    double low[CR_FIT_PARAMETERS_MAX], high[CR_FIT_PARAMETERS_MAX], step[CR_FIT_PARAMETERS_MAX];
    for (int i = 0; i < fit->parameter_count; i++) {
        const cri_fit_number *n = &fit->parameters[i];
        low[i] = n->low;
        high[i] = n->high;
        double size = 0.2 * trial->result->values[i] + 0.01 * (n->high - n->low);
        step[i] = trial->result->values[i] + size > n->high ? -size : size;
    }
    nlopt_set_lower_bounds(search, low);
    nlopt_set_upper_bounds(search, high);
    nlopt_set_initial_step(search, step);
    nlopt_set_min_objective(search, ask, a);
    nlopt_set_maxeval(search, (int)trial->search->evaluations);
    nlopt_set_ftol_rel(search, 1e-5);
    nlopt_set_xtol_rel(search, 1e-4);
}

cr_status cri_search_nlopt(cri_trial *trial)
{
    const char *name = trial->search->method;
    for (size_t i = 0; i < sizeof methods / sizeof methods[0]; i++) {
        if (strcmp(methods[i].name, name) == 0) {
            nlopt_opt search =
                nlopt_create(methods[i].algorithm, (unsigned)trial->fit->parameter_count);
            if (!search) {
                return cri_fail_memory(trial->report);
            }
            asking a = {trial, search};
            double values[CR_FIT_PARAMETERS_MAX], least;
            memcpy(values, trial->result->values, sizeof values);
            set_up(search, trial, &a);
            nlopt_result outcome = nlopt_optimize(search, values, &least);
            nlopt_destroy(search);
            return outcome == NLOPT_OUT_OF_MEMORY ? cri_fail_memory(trial->report) : trial->status;
        }
    }
    return cri_fail(trial->report, CR_ERR_NAME, (cri_location){0},
                    "no method is called \"%s\"; there are least-squares, nelder-mead, sbplx and "
                    "bobyqa",
                    name);
}

#else

bool cr_fit_has_nlopt(void)
{
    return false;
}

cr_status cri_search_nlopt(cri_trial *trial)
{
    return cri_fail(trial->report, CR_ERR_NAME, (cri_location){0},
                    "the method \"%s\" is not there: carom was built without NLopt (Debian: "
                    "libnlopt-dev); \"least-squares\" needs none",
                    trial->search->method);
}

#endif
