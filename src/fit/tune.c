// Tuning: candidates are edits of the scene's text, judged by searches.
//
// Candidates are raced: a block of searches at a time, all candidates on the same ones, and one
// that is far behind the best after a block is given up. What comes next is the best so far with
// some of its numbers moved.
#include "fit/tune.h"

#include <assert.h>
#include <math.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/report.h"
#include "base/trig.h"
#include "base/vec.h"

enum { CROWD = 12, ELITE = 3, WINDOW = 16 }; // a generation; those that it goes by; their searches

#define LOUD 0.8  // how far weights and mu are spread at first, as powers of e
#define WIDE 0.2  // how far the ends of a range are, as shares of its width
#define GONE -2.5 // as a power of e: a weight that is less is none
#define KEEP 0.3  // share of the old cloud in the new one
#define THIN 0.25 // of the first spread: no cloud is thinner

static const char MARK[] = " # tuned; was: ";

cr_tune_def cr_default_tune_def(void)
{
    return (cr_tune_def){.runs = 64, .held_out = 100, .candidates = 120, .seed = 1};
}

void cr_tuning_destroy(cr_tuning *t)
{
    if (t) {
        cri_text_free(&t->text);
        free(t);
    }
}

int cr_tuning_parameter_count(const cr_tuning *tuning)
{
    return tuning->count;
}

cr_tune_parameter cr_tuning_parameter(const cr_tuning *tuning, int parameter)
{
    assert(parameter >= 0 && parameter < tuning->count);
    const cri_tunable *p = &tuning->parameters[parameter];
    return (cr_tune_parameter){p->name, p->value, tuning->best[parameter]};
}

cr_tune_result cr_tuning_result(const cr_tuning *tuning)
{
    return tuning->result;
}

const char *cr_tuning_text(const cr_tuning *tuning, size_t *length)
{
    *length = tuning->text.length;
    return tuning->text.data;
}

// ---------------------------------------------------------------------------------------------
// Searches, side by side.

typedef struct batch {
    const cr_tuning *t;
    const cr_scene *scene; // the candidate's
    int first, count;      // run numbers, from 1
    double *steps;         // by run
    bool *solved;
    atomic_int next;
    atomic_bool failed;
} batch;

static bool search_once(batch *trial, int index)
{
    int run = trial->first + index;
    cr_model *model = NULL;
    cr_planner *planner = NULL;
    bool starts = trial->t->has_starts;
    cr_status status = cr_model_create(trial->scene, NULL, starts ? run : 0, &model, NULL);
    if (status == CR_OK) {
        cr_planner_def def = cr_model_planner_def(model);
        def.threads = 1;
        def.seed = (uint64_t)run;
        status = cr_planner_create(model, &def, &planner, NULL);
    }
    if (status == CR_OK) {
        trial->solved[index] = cr_planner_grow(planner, NULL) == CR_OUTCOME_SOLVED;
        const cr_planner_def *def = cr_planner_get_def(planner);
        double limit = (double)(def->steps > 0 ? def->steps : 2 * def->nodes);
        trial->steps[index] =
            trial->solved[index] ? (double)cr_planner_get_stats(planner).steps : 2 * limit;
    }
    cr_planner_destroy(planner);
    cr_model_destroy(model);
    return status == CR_OK;
}

static void *serve(void *argument)
{
    batch *trial = argument;
    int index;
    while ((index = atomic_fetch_add(&trial->next, 1)) < trial->count) {
        if (!search_once(trial, index)) {
            atomic_store(&trial->failed, true);
        }
    }
    return NULL;
}

// Run some searches on all threads; false if the scene does not compile or memory runs out.
static bool run_trial(batch *trial)
{
    pthread_t threads[64];
    int started = 1, wanted = trial->t->threads;
    while (started < wanted && started < trial->count &&
           pthread_create(&threads[started], NULL, serve, trial) == 0) {
        started++;
    }
    serve(trial);
    for (int i = 1; i < started; i++) {
        pthread_join(threads[i], NULL);
    }
    return !atomic_load(&trial->failed);
}

static cr_tune_score score_of(const double *steps, const bool *solved, int count)
{
    cr_tune_score s = {.runs = count};
    double squares = 0;
    for (int i = 0; i < count; i++) {
        s.steps += steps[i] / count;
        s.solved += solved[i];
    }
    for (int i = 0; i < count; i++) {
        squares += (steps[i] - s.steps) * (steps[i] - s.steps);
    }
    s.deviation = count > 1 ? sqrt(squares / (count - 1) / count) : 0;
    return s;
}

// ---------------------------------------------------------------------------------------------
// Judging candidates.

// The candidate's scene; NULL if its text is refused.
static cr_scene *make_scene(const cr_tuning *t, const double *values)
{
    cri_text text = {0};
    cr_scene *scene = NULL;
    cri_tuning_write(t, values, NULL, &text);
    bool good = !text.failed &&
                cr_scene_read_text(text.data, text.length, t->scene->path, &scene, NULL) == CR_OK;
    for (int i = 0; good && i < t->scene->setting_count; i++) {
        good = cr_scene_set(scene, t->scene->settings[i].name, t->scene->settings[i].value, NULL) ==
               CR_OK;
    }
    cri_text_free(&text);
    if (!good) {
        cr_scene_destroy(scene);
        return NULL;
    }
    return scene;
}

// How some values do in runs first .. first + count - 1; a score of HUGE_VAL where they are
// refused.
static cr_tune_score judge(const cr_tuning *t, const double *values, int first, int count,
                           double *steps)
{
    cr_tune_score lost = {.steps = HUGE_VAL, .runs = count};
    bool *solved = calloc((size_t)count + 1, sizeof *solved);
    cr_scene *scene = solved ? make_scene(t, values) : NULL;
    batch all = {.t = t, .scene = scene, .first = first, .count = count};
    all.steps = steps;
    all.solved = solved;
    cr_tune_score score = scene && run_trial(&all) ? score_of(steps, solved, count) : lost;
    cr_scene_destroy(scene);
    free(solved);
    return score;
}

// What candidates are compared by: the mean square root. A single long search moves it less than
// the mean, and searches that find nothing count for more than in the mean logarithm.
static double mean_root(const double *steps, int count)
{
    double sum = 0;
    for (int i = 0; i < count; i++) {
        sum += sqrt(steps[i]) / count;
    }
    return sum;
}

// ---------------------------------------------------------------------------------------------
// The cloud. Weights and mu are powers of e, ends of ranges stand in widths from where they were.

typedef struct cloud {
    double middle[CRI_TUNABLES_MAX], spread[CRI_TUNABLES_MAX];
} cloud;

static double first_spread(const cri_tunable *p)
{
    return p->kind == CRI_TUNABLE_LOW || p->kind == CRI_TUNABLE_HIGH ? WIDE : LOUD;
}

static double value_at(const cri_tunable *p, double x)
{
    switch (p->kind) {
    case CRI_TUNABLE_WEIGHT:
        return x < GONE ? 0 : cri_exp(fmin(x, 5));
    case CRI_TUNABLE_LOW:
    case CRI_TUNABLE_HIGH:
        return p->value + cri_clamp(x, -0.5, 0.5) * p->width;
    case CRI_TUNABLE_MU:
        return cri_clamp(cri_exp(cri_clamp(x, -5, 12)), 0.01, 1e5);
    }
    return p->value;
}

static double place_of(const cri_tunable *p, double value)
{
    bool end = p->kind == CRI_TUNABLE_LOW || p->kind == CRI_TUNABLE_HIGH;
    return end ? (value - p->value) / fmax(p->width, 1e-9) : cri_log(fmax(value, 0.05));
}

static cloud open_cloud(const cr_tuning *t)
{
    cloud c;
    for (int i = 0; i < t->count; i++) {
        c.middle[i] = place_of(&t->parameters[i], t->best[i]);
        c.spread[i] = first_spread(&t->parameters[i]);
    }
    return c;
}

// The low end of a range stays below its high end.
static void values_at(const cr_tuning *t, const double *places, double *values)
{
    for (int i = 0; i < t->count; i++) {
        values[i] = value_at(&t->parameters[i], places[i]);
        if (t->parameters[i].kind == CRI_TUNABLE_HIGH && values[i] < values[i - 1]) {
            double low = values[i];
            values[i] = values[i - 1];
            values[i - 1] = low;
        }
    }
}

static void draw(const cr_tuning *t, const cloud *c, int candidate, double *places)
{
    cr_rng rng = cr_rng_make(t->def.seed, CR_RNG_USER, (uint64_t)candidate);
    for (int i = 0; i < t->count; i++) {
        places[i] = cr_rng_normal(&rng, c->middle[i], c->spread[i]);
    }
}

// To the mean and the spread of the elite.
static void move_cloud(const cr_tuning *t, cloud *c, double elite[ELITE][CRI_TUNABLES_MAX])
{
    for (int i = 0; i < t->count; i++) {
        double mean = 0, squares = 0;
        for (int k = 0; k < ELITE; k++) {
            mean += elite[k][i] / ELITE;
        }
        for (int k = 0; k < ELITE; k++) {
            squares += (elite[k][i] - mean) * (elite[k][i] - mean) / (ELITE - 1);
        }
        double least = THIN * first_spread(&t->parameters[i]);
        c->middle[i] = KEEP * c->middle[i] + (1 - KEEP) * mean;
        c->spread[i] = fmax(KEEP * c->spread[i] + (1 - KEEP) * sqrt(squares), least);
    }
}

// A generation: draw, judge all on the same searches, go to the best.
typedef struct generation {
    double elite[ELITE][CRI_TUNABLES_MAX];
    double roots[ELITE]; // rising
    cr_tune_score best;
} generation;

static void offer(generation *g, const double *places, double root, int count)
{
    int at = ELITE;
    while (at > 0 && root < g->roots[at - 1]) {
        at--;
    }
    for (int k = ELITE - 1; k > at; k--) {
        g->roots[k] = g->roots[k - 1];
        memcpy(g->elite[k], g->elite[k - 1], sizeof g->elite[k]);
    }
    if (at < ELITE) {
        g->roots[at] = root;
        memcpy(g->elite[at], places, (size_t)count * sizeof *places);
    }
}

static void breed(const cr_tuning *t, const cloud *c, int number, double *steps, generation *g)
{
    double places[CRI_TUNABLES_MAX], values[CRI_TUNABLES_MAX];
    int window = t->def.runs < WINDOW ? t->def.runs : WINDOW, windows = t->def.runs / window;
    int first = 1 + number % windows * window;
    for (int k = 0; k < ELITE; k++) {
        g->roots[k] = HUGE_VAL;
        memcpy(g->elite[k], c->middle, sizeof g->elite[k]);
    }
    for (int k = 0; k < CROWD; k++) {
        draw(t, c, number * CROWD + k, places);
        values_at(t, places, values);
        cr_tune_score score = judge(t, values, first, window, steps);
        double root = isfinite(score.steps) ? mean_root(steps, window) : HUGE_VAL;
        g->best = root < g->roots[0] ? score : g->best;
        offer(g, places, root, t->count);
    }
}

// Generation after generation; then the cloud's middle, if it is better than where it began.
static void improve(cr_tuning *t, double *steps, double *others)
{
    cloud c = open_cloud(t);
    generation *g = calloc(1, sizeof *g);
    bool on = g != NULL;
    for (int i = 0; on && (i + 1) * CROWD <= t->def.candidates; i++) {
        breed(t, &c, i, others, g);
        move_cloud(t, &c, g->elite);
        t->result.candidates += CROWD;
        on = !t->def.show || t->def.show(t->result.candidates, &g->best, t->def.context);
    }
    free(g);
    double values[CRI_TUNABLES_MAX];
    values_at(t, c.middle, values);
    cr_tune_score s = judge(t, values, 1, t->def.runs, others);
    if (isfinite(s.steps) && mean_root(others, t->def.runs) < mean_root(steps, t->def.runs)) {
        t->result.after = s;
        memcpy(t->best, values, (size_t)t->count * sizeof *values);
    }
}

// The deviation of the mean difference of two series.
static double difference_deviation(const double *a, const double *b, int count)
{
    double mean = 0, squares = 0;
    for (int i = 0; i < count; i++) {
        mean += (a[i] - b[i]) / count;
    }
    for (int i = 0; i < count; i++) {
        squares += (a[i] - b[i] - mean) * (a[i] - b[i] - mean);
    }
    return count > 1 ? sqrt(squares / (count - 1) / count) : HUGE_VAL;
}

// Values as they are in the scene, and where the tuning begins.
static void begin(const cr_tuning *t, double *before, double *start)
{
    for (int i = 0; i < t->count; i++) {
        const cri_tunable *p = &t->parameters[i];
        before[i] = start[i] = p->value;
        if (t->def.equal && p->kind == CRI_TUNABLE_WEIGHT) {
            start[i] = 1;
        }
    }
}

static cr_status tune(cr_tuning *t, double *steps, double *others, cr_report *report)
{
    double before[CRI_TUNABLES_MAX];
    cr_tune_result *r = &t->result;
    int first = t->def.runs + 1, held = t->def.held_out;
    begin(t, before, t->best);
    r->before = judge(t, before, 1, t->def.runs, steps);
    r->held_before = judge(t, before, first, held, others);
    r->begun = r->after = judge(t, t->best, 1, t->def.runs, steps);
    double *here = malloc((size_t)held * sizeof *here);
    if (!here || !isfinite(r->before.steps)) {
        free(here);
        return cri_fail_memory(report);
    }
    r->held_begun = t->def.equal ? judge(t, t->best, first, held, here) : r->held_before;
    memcpy(here, others, (size_t)held * sizeof *here);
    improve(t, steps, others);
    r->held_after = judge(t, t->best, first, held, others);
    r->better =
        r->held_before.steps - r->held_after.steps > difference_deviation(here, others, held);
    free(here);
    cri_tuning_write(t, t->best, MARK, &t->text);
    return t->text.failed ? cri_fail_memory(report) : CR_OK;
}

static cr_status prepare(cr_tuning *t, cr_report *report)
{
    cr_model *model = NULL;
    cr_status status = cr_model_create(t->scene, NULL, 0, &model, report);
    if (status == CR_OK) {
        status = cri_tuning_collect(t, model, report);
    }
    cr_model_destroy(model);
    t->has_starts = cri_node_get(t->scene->root, "start") != NULL;
    int threads = t->def.threads > 0 ? t->def.threads : (int)sysconf(_SC_NPROCESSORS_ONLN);
    t->threads = threads < 1 ? 1 : (threads > 64 ? 64 : threads);
    return status;
}

cr_status cr_tune_run(const cr_scene *scene, const cr_tune_def *def, cr_tuning **tuning,
                      cr_report *report)
{
    *tuning = NULL;
    if (def->runs < 1 || def->held_out < 1 || def->candidates < 0 || def->threads < 0) {
        return cri_fail(report, CR_ERR_RANGE, (cri_location){0},
                        "a tuning needs at least one run and one that is held out");
    }
    cr_tuning *t = calloc(1, sizeof *t);
    size_t most = (size_t)(def->runs > def->held_out ? def->runs : def->held_out);
    double *steps = calloc(most, sizeof *steps), *others = calloc(most, sizeof *others);
    cr_status status = t && steps && others ? CR_OK : cri_fail_memory(report);
    if (status == CR_OK) {
        t->scene = scene;
        t->def = *def;
        status = prepare(t, report);
    }
    status = status ? status : tune(t, steps, others, report);
    free(steps);
    free(others);
    if (status != CR_OK) {
        cr_tuning_destroy(t);
        return status;
    }
    *tuning = t;
    return CR_OK;
}
