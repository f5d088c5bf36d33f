#include "lab/hidden.h"

#include <stdlib.h>
#include <string.h>

#include "terminal/scenes.h"

enum { SHOTS = 106, HELD = 20 };

const char *const hidden_names[HIDDEN_COUNT] = {
    "ball.friction", "ball.restitution", "ball.damping.linear", "ball.damping.angular",
    "wood.friction", "wood.restitution", "carpet.friction",     "carpet.restitution"};
const double hidden_initial[HIDDEN_COUNT] = {0.3, 0.78, 0.1, 0.1, 0.3, 0.5, 0.8, 0.2};
const double hidden_published[HIDDEN_COUNT] = {0.103, 0.835, 0.145, 0.191,
                                               0.336, 0.570, 0.759, 0.196};

static const char dummy[] = "time,body,x,y\n0,ball,0,0\n1,ball,0,0\n";

cr_status hidden_set(const cr_model *model, const double *values, cr_numbers *numbers,
                     cr_report *report)
{
    cr_status status = CR_OK;
    for (int i = 0; i < HIDDEN_COUNT && status == CR_OK; i++) {
        status = cr_numbers_set_named(numbers, model, hidden_names[i], values[i], report);
    }
    return status;
}

static cr_status add_names(cr_fit *fit, cr_report *report)
{
    cr_status status = CR_OK;
    for (int i = 0; i < HIDDEN_COUNT && status == CR_OK; i++) {
        status = cr_fit_add(fit, hidden_names[i], report);
    }
    return status;
}

static cr_status make_fit(const cr_model *model, cr_recording **recordings, int count, cr_fit **fit,
                          cr_report *report)
{
    cr_fit_def def = cr_default_fit_def();
    cr_status status =
        cr_fit_create(model, (const cr_recording *const *)recordings, count, &def, fit, report);
    return status ? status : add_names(*fit, report);
}

// ---------------------------------------------------------------------------------------------
// Another scene with the same materials.

static cr_status copy_settings(const cr_scene *from, cr_scene *to, cr_report *report)
{
    cr_status status = CR_OK;
    for (int i = 0; i < cr_scene_setting_count(from) && status == CR_OK; i++) {
        status = cr_scene_set(to, cr_scene_setting_name(from, i), cr_scene_setting_value(from, i),
                              report);
    }
    return status;
}

cr_status hidden_model(const cr_scene *scene, const double *values, cr_model **model,
                       cr_report *report)
{
    cr_model *old = NULL;
    cr_recording *still = NULL;
    cr_fit *fit = NULL;
    cr_scene *edited = NULL;
    char *text = NULL;
    size_t length = 0;
    cr_status status = cr_model_create(scene, NULL, 0, &old, report);
    status = status ? status
                    : cr_recording_read_text(old, dummy, strlen(dummy), "still", &still, report);
    status = status ? status : make_fit(old, &still, 1, &fit, report);
    status = status ? status : cr_fit_scene_text(fit, values, &text, &length, report);
    status =
        status ? status : cr_scene_read_text(text, length, cr_scene_path(scene), &edited, report);
    status = status ? status : copy_settings(scene, edited, report);
    status = status ? status : cr_model_create(edited, NULL, 0, model, report);
    cr_fit_destroy(fit);
    cr_recording_destroy(still);
    cr_model_destroy(old);
    cr_scene_destroy(edited);
    free(text);
    return status;
}

// ---------------------------------------------------------------------------------------------
// A world.

typedef struct world {
    const hidden_def *def;
    cr_model *model;
    cr_numbers *numbers;
    cr_recording *seen[SHOTS], *held[HELD];
    int seen_count;
    cr_fit *fit, *judge;
} world;

static cr_status load(world *w, cr_report *report)
{
    cr_scene *scene = NULL;
    char *path = scene_find("bar");
    cr_status status = path ? cr_scene_read(path, &scene, report) : CR_ERR_MEMORY;
    status = status ? status : cr_model_create(scene, NULL, 0, &w->model, report);
    status = status ? status : cr_numbers_create(w->model, &w->numbers, report);
    cr_scene_destroy(scene);
    free(path);
    return status;
}

static void draw(const hidden_def *def, double *truth)
{
    cr_rng rng = cr_rng_make(def->seed, CR_RNG_USER, 0);
    for (int i = 0; i < HIDDEN_COUNT; i++) {
        double factor = cr_rng_uniform(&rng, 0.9, 1.1);
        truth[i] = hidden_published[i] * (def->seed > 0 ? factor : 1);
    }
}

static cr_status record(world *w, cr_report *report)
{
    int ball = cr_model_find_body(w->model, "ball"), bar = cr_model_find_body(w->model, "bar");
    cr_shot shots[SHOTS], held[HELD];
    int rolls = cr_shot_set(w->model, "rolls", ball, bar, shots, SHOTS);
    cr_shot_set(w->model, "bounces", ball, bar, shots + rolls, SHOTS - rolls);
    cr_shot_set(w->model, "held-out", ball, bar, held, HELD);
    cr_record_def def = cr_default_record_def();
    def.engine = w->def->engine;
    def.numbers = w->numbers;
    def.seed = w->def->seed + 1;
    cr_status status = CR_OK;
    for (int i = 0; i < SHOTS && status == CR_OK; i += w->def->every) {
        status = cr_shot_record(w->model, &shots[i], i, &def, &w->seen[w->seen_count++], report);
    }
    def.noise = 0;
    for (int i = 0; i < HELD && status == CR_OK; i++) {
        status = cr_shot_record(w->model, &held[i], i, &def, &w->held[i], report);
    }
    return status;
}

static cr_status search(world *w, hidden_fit *fit, cr_report *report)
{
    cr_fit_search how = cr_default_fit_search();
    how.method = w->def->method ? w->def->method : how.method;
    how.evaluations = w->def->evaluations > 0 ? w->def->evaluations : how.evaluations;
    how.show = w->def->show;
    how.context = w->def->context;
    cr_fit_result result;
    double began = now_seconds();
    cr_status status = cr_fit_run(w->fit, &how, &result, report);
    fit->seconds = now_seconds() - began;
    fit->evaluations = result.evaluations;
    memcpy(fit->values, result.values, sizeof fit->values);
    return status;
}

static cr_status judge(world *w, hidden_fit *fit, cr_report *report)
{
    double both[2 * HIDDEN_COUNT];
    cr_fit_error errors[2];
    memcpy(both, hidden_initial, sizeof hidden_initial);
    memcpy(both + HIDDEN_COUNT, fit->values, sizeof fit->values);
    cr_status status = cr_fit_evaluate(w->judge, both, 2, errors, report);
    fit->held_before = errors[0].metres;
    fit->held_after = errors[1].metres;
    cr_determination *d = calloc(1, sizeof *d);
    if (status == CR_OK && d) {
        status = cr_fit_determine(w->fit, fit->values, d, report);
        fit->directions = d->direction_count;
    }
    free(d);
    return status;
}

static void free_world(world *w)
{
    cr_fit_destroy(w->fit);
    cr_fit_destroy(w->judge);
    for (int i = 0; i < SHOTS; i++) {
        cr_recording_destroy(w->seen[i]);
    }
    for (int i = 0; i < HELD; i++) {
        cr_recording_destroy(w->held[i]);
    }
    cr_numbers_destroy(w->numbers);
    cr_model_destroy(w->model);
}

int hidden_run(const hidden_def *def, double *truth, hidden_fit *fit)
{
    cr_report report = {0};
    world w = {.def = def};
    *fit = (hidden_fit){0};
    draw(def, truth);
    cr_status status = load(&w, &report);
    status = status ? status : hidden_set(w.model, truth, w.numbers, &report);
    status = status ? status : record(&w, &report);
    fit->recordings = w.seen_count;
    status = status ? status : make_fit(w.model, w.seen, w.seen_count, &w.fit, &report);
    status = status ? status : make_fit(w.model, w.held, HELD, &w.judge, &report);
    status = status ? status : search(&w, fit, &report);
    status = status ? status : judge(&w, fit, &report);
    free_world(&w);
    return status == CR_OK ? -1 : report_print(status, &report);
}
