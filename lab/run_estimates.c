// What the trials of a cell say, with 95% intervals.
#include "lab/run_cells.h"

#include <math.h>
#include <string.h>

#include "lab/statistics.h"

static const double Z = 1.959963984540054; // of the normal distribution, 2.5% beyond it

int64_t cell_done(const run_cell *c)
{
    int64_t done = 0;
    for (int i = 0; i < c->trials; i++) {
        done += c->done[i].index > 0;
    }
    return done;
}

double cell_sum(const run_cell *c, trial_value what)
{
    double sum = 0;
    for (int i = 0; i < c->trials; i++) {
        sum += c->done[i].values[what]; // 0 where it is not done
    }
    return sum;
}

estimate cell_share(const run_cell *c, trial_value what, trial_value of)
{
    double hits = cell_sum(c, what);
    double all = of == TRIAL_VALUES ? (double)cell_done(c) : cell_sum(c, of);
    bounds b = share_bounds((int64_t)hits, (int64_t)all);
    return (estimate){all > 0 ? hits / all : 0, b.low, b.high};
}

// The variance of the mean of what each trial is off by: y - ratio x, over the mean of x.
static estimate ratio(const run_cell *c, trial_value what, trial_value over)
{
    double n = (double)cell_done(c), sum = cell_sum(c, what), squares = 0;
    double all = over == TRIAL_VALUES ? n : cell_sum(c, over);
    if (!(all > 0)) {
        return (estimate){0};
    }
    double mean = sum / all;
    for (int i = 0; i < c->trials; i++) {
        const trial *t = &c->done[i];
        double weight = over == TRIAL_VALUES ? 1 : t->values[over];
        double off = t->values[what] - mean * weight;
        squares += t->index > 0 ? off * off : 0;
    }
    double half = n > 1 ? Z * sqrt(squares * n / (n - 1)) / all : 0;
    return (estimate){mean, fmax(0, mean - half), mean + half};
}

estimate cell_mean(const run_cell *c, trial_value what)
{
    return ratio(c, what, TRIAL_VALUES);
}

estimate cell_ratio(const run_cell *c, trial_value what, trial_value over)
{
    return ratio(c, what, over);
}

// The largest collision rate, and the most steps, of a scene's cells.
static void find_most(const run_cells *list, const char *scene, double *hits, double *steps)
{
    *hits = *steps = 1e-9;
    for (int i = 0; i < list->count; i++) {
        const run_cell *c = &list->items[i];
        if (strcmp(c->scene, scene) == 0) {
            *hits = fmax(*hits, cell_ratio(c, TRIAL_COLLIDED, TRIAL_INTERVALS).mean);
            *steps = fmax(*steps, cell_mean(c, TRIAL_STEPS).mean);
        }
    }
}

// What each trial moves the product by, to first order, collisions and steps together: they are
// not independent. What all is normalised by counts as known.
estimate cell_performance(const run_cells *list, const run_cell *c)
{
    double most, longest, n = (double)cell_done(c), intervals = cell_sum(c, TRIAL_INTERVALS);
    find_most(list, c->scene, &most, &longest);
    double rate = cell_ratio(c, TRIAL_COLLIDED, TRIAL_INTERVALS).mean;
    double mean = cell_mean(c, TRIAL_STEPS).mean;
    double safe = 1 - rate / most, fast = 1 - mean / longest, squares = 0;
    for (int i = 0; i < c->trials && intervals > 0; i++) {
        const double *v = c->done[i].values;
        double hits = (v[TRIAL_COLLIDED] - rate * v[TRIAL_INTERVALS]) / (most * intervals);
        double off = fast * hits + safe * (v[TRIAL_STEPS] - mean) / (longest * n);
        squares += c->done[i].index > 0 ? off * off : 0;
    }
    double half = n > 1 ? Z * sqrt(squares * n / (n - 1)) : 0;
    return (estimate){safe * fast, fmax(0, safe * fast - half), safe * fast + half};
}
