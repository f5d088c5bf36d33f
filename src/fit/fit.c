// Making a fit: each recording becomes a script that can be rolled out, and paths to compare with.
#include "fit/fit.h"

#include <assert.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/report.h"
#include "base/vec.h"

enum { START = 15 }; // samples that a start's velocity is estimated from, where no kick is recorded

cr_fit_def cr_default_fit_def(void)
{
    return (cr_fit_def){.velocity = 0.5, .angle = 0.5, .slow = 0.1};
}

static cr_status check(const cr_fit_def *def, cr_report *report)
{
    double sum = def->velocity + def->angle + def->position;
    bool good = def->velocity >= 0 && def->angle >= 0 && def->position >= 0 && sum > 0 &&
                isfinite(sum) && def->slow >= 0 && def->threads >= 0;
    return good ? CR_OK
                : cri_fail(report, CR_ERR_RANGE, (cri_location){0},
                           "the weights of a fit must be >= 0, and one of them above");
}

// ---------------------------------------------------------------------------------------------
// Scripts.

static bool is_deed(const cr_action *a)
{
    return cri_length(a->impulse) > 0 || cri_length(a->force) > 0 || cri_length(a->torque) > 0;
}

static cr_status write_script(cr_fit *fit, int index, cr_report *report)
{
    const cr_recording *r = fit->recordings[index];
    cri_script *script = &fit->scripts[index];
    double dt = cr_model_dt(fit->model), last = r->samples[r->count - 1].time;
    script->begin = r->samples[0].time;
    double steps = ceil((last - script->begin) / dt - 1e-6);
    if (steps > 1e6) {
        return cri_fail(report, CR_ERR_RANGE, (cri_location){.file = r->name},
                        "lasts for %g s: too many steps", last - script->begin);
    }
    size_t moving = (size_t)cr_model_moving_count(fit->model);
    script->steps = (int)steps;
    script->start = cr_state_create(fit->model);
    // Room for what is recorded, and for a kick of each body that was not.
    script->deeds = calloc((size_t)r->count + moving + 1, sizeof *script->deeds);
    script->led = calloc(moving + 1, sizeof *script->led);
    if (!script->start || !script->deeds || !script->led) {
        return cri_fail_memory(report);
    }
    for (int i = 0; i < r->count; i++) {
        const cr_sighting *s = &r->samples[i];
        if (is_deed(&s->action)) {
            script->deeds[script->deed_count++] =
                (cri_deed){(int)((s->time - script->begin) / dt + 0.5),
                           cr_model_body(fit->model, s->body)->slot, s->action};
        }
    }
    return CR_OK;
}

// ---------------------------------------------------------------------------------------------
// What is seen.

static cr_status collect(const cr_fit *fit, cri_seen *seen, cr_report *report)
{
    const cr_recording *r = fit->recordings[seen->recording];
    int count = 0;
    for (int i = 0; i < r->count; i++) {
        count += r->samples[i].body == seen->body;
    }
    double *time = malloc((size_t)count * sizeof *time);
    double *x = malloc((size_t)count * sizeof *x);
    double *y = malloc((size_t)count * sizeof *y);
    seen->speed = calloc((size_t)count, sizeof *seen->speed);
    seen->path = (cri_passage){0, time, x, y};
    if (!time || !x || !y || !seen->speed) {
        return cri_fail_memory(report);
    }
    for (int i = 0; i < r->count; i++) {
        if (r->samples[i].body == seen->body) {
            time[seen->path.count] = r->samples[i].time;
            x[seen->path.count] = r->samples[i].pose.position.x;
            y[seen->path.count++] = r->samples[i].pose.position.y;
        }
    }
    return CR_OK;
}

// The sample at which the body is first acted on; -1: none.
static int first_deed(const cr_recording *r, int body)
{
    for (int i = 0, at = 0; i < r->count; i++) {
        if (r->samples[i].body == body && is_deed(&r->samples[i].action)) {
            return at;
        }
        at += r->samples[i].body == body;
    }
    return -1;
}

// The last sample at which the body still lies where it was first seen.
static int last_at_rest(const cri_passage *path)
{
    int i = 0;
    while (i + 2 < path->count && fabs(path->x[i + 1] - path->x[0]) < 0.01 &&
           fabs(path->y[i + 1] - path->y[0]) < 0.01) {
        i++;
    }
    return i;
}

static void mean_place(const cri_passage *path, int last, double *x, double *y)
{
    *x = *y = 0;
    for (int i = 0; i <= last; i++) {
        *x += path->x[i] / (last + 1);
        *y += path->y[i] / (last + 1);
    }
}

// A parabola through the samples first .. last, at the first: there it is, and so fast.
static void launch(const cri_passage *path, int first, int last, cr_vec3 *place, cr_vec3 *velocity)
{
    double a[9] = {0}, bx[3] = {0}, by[3] = {0};
    for (int i = first; i <= last; i++) {
        double t = path->time[i] - path->time[first], power[3] = {1, t, t * t};
        for (int k = 0; k < 3; k++) {
            for (int l = 0; l < 3; l++) {
                a[3 * k + l] += power[k] * power[l];
            }
            bx[k] += power[k] * path->x[i];
            by[k] += power[k] * path->y[i];
        }
    }
    double b[9];
    memcpy(b, a, sizeof b);
    if (last - first >= 3 && cri_matrix_solve(a, bx, 3) && cri_matrix_solve(b, by, 3)) {
        *place = (cr_vec3){bx[0], by[0], place->z};
        *velocity = (cr_vec3){bx[1], by[1], 0};
        return;
    }
    double span = path->time[last] - path->time[first];
    *place = (cr_vec3){path->x[first], path->y[first], place->z};
    *velocity = (cr_vec3){(path->x[last] - path->x[first]) / span,
                          (path->y[last] - path->y[first]) / span, 0};
}

// A kick that nobody recorded: at the last sample that the body lies still at, as hard as what
// follows needs. Deeds stay in order.
static void add_kick(cr_fit *fit, const cri_seen *seen, cr_vec3 velocity)
{
    cri_script *script = &fit->scripts[seen->recording];
    const cr_body *body = cr_model_body(fit->model, seen->body);
    double since = seen->path.time[seen->moving] - script->begin;
    cri_deed kick = {(int)(since / cr_model_dt(fit->model) + 0.5),
                     body->slot,
                     {.impulse = cri_scale(body->mass, velocity)}};
    int at = script->deed_count++;
    for (; at > 0 && script->deeds[at - 1].step > kick.step; at--) {
        script->deeds[at] = script->deeds[at - 1];
    }
    script->deeds[at] = kick;
}

// The last sample that a start's velocity is estimated from.
static int last_of_start(const cri_seen *seen, int first)
{
    int last = seen->bounces ? seen->bounce.before : seen->path.count - 1;
    return last < first + START ? last : first + START;
}

// Where a roll-out of the body begins, and how fast. A body that is kicked lies still until then:
// the mean of where it was seen is better than any of them.
static void set_start(cr_fit *fit, cri_seen *seen)
{
    cri_script *script = &fit->scripts[seen->recording];
    cr_pose pose = cr_state_pose(fit->model, script->start, seen->body);
    const cr_recording *r = fit->recordings[seen->recording];
    for (int i = 0; i < r->count; i++) {
        if (r->samples[i].body == seen->body) {
            pose = r->samples[i].pose;
            break;
        }
    }
    cr_vec3 velocity = {0}, none = {0};
    int deed = first_deed(r, seen->body), rest = last_at_rest(&seen->path);
    if (deed >= 0 && rest >= deed) {
        seen->moving = deed;
        mean_place(&seen->path, deed, &pose.position.x, &pose.position.y);
    } else if (deed < 0 && rest > 0 && rest < last_of_start(seen, rest)) {
        cr_vec3 unused = pose.position;
        seen->moving = rest;
        launch(&seen->path, rest, last_of_start(seen, rest), &unused, &velocity);
        mean_place(&seen->path, rest, &pose.position.x, &pose.position.y);
        add_kick(fit, seen, velocity);
        velocity = none;
    } else {
        seen->moving = 0;
        launch(&seen->path, 0, last_of_start(seen, 0), &pose.position, &velocity);
    }
    cr_state_set_pose(fit->model, script->start, seen->body, pose);
    cr_state_set_velocity(fit->model, script->start, seen->body, velocity, none);
}

// Speeds, bounces and lengths of the recorded way.
static void measure(cri_seen *seen)
{
    const cri_passage *path = &seen->path;
    double sum = 0;
    int last = path->count - 1, counted = 0;
    for (int i = seen->moving; i <= last; i++) {
        double vx, vy;
        bool after = seen->bounces && i > seen->bounce.before;
        cri_passage_velocity(path, i, after ? seen->bounce.before + 1 : seen->moving,
                             seen->bounces && !after ? seen->bounce.before : last, &vx, &vy);
        seen->speed[i] = sqrt(vx * vx + vy * vy);
        sum += vx * vx + vy * vy;
        counted++;
        if (i > seen->moving) {
            double dx = path->x[i] - path->x[i - 1], dy = path->y[i] - path->y[i - 1];
            seen->way += sqrt(dx * dx + dy * dy);
        }
    }
    seen->scale_speed = fmax(sqrt(sum / counted), 0.05);
    seen->way = fmax(seen->way, 0.05);
}

static void find_bounces(cri_seen *seen)
{
    cri_bounce second;
    seen->until = seen->path.count;
    seen->bounces = cri_passage_bounce(&seen->path, 0, &seen->bounce);
    if (seen->bounces && cri_passage_bounce(&seen->path, seen->bounce.before + 6, &second)) {
        seen->until = second.before + 1;
    }
}

static cr_status look_at(cr_fit *fit, int recording, int body, cr_report *report)
{
    cri_seen *seen = &fit->seen[fit->seen_count++];
    *seen = (cri_seen){.recording = recording, .body = body};
    cr_status status = collect(fit, seen, report);
    if (status != CR_OK) {
        return status;
    }
    find_bounces(seen);
    set_start(fit, seen);
    measure(seen);
    seen->first_residual = fit->residual_count;
    fit->residual_count += 4 * seen->path.count;
    fit->with_bounce += seen->bounces;
    fit->without_bounce += !seen->bounces;
    return CR_OK;
}

static bool is_seen(const cr_recording *r, int body)
{
    for (int i = 0; i < r->count; i++) {
        if (r->samples[i].body == body) {
            return true;
        }
    }
    return false;
}

static cr_status lead(cr_fit *fit, int recording, int body, cr_report *report)
{
    cri_script *script = &fit->scripts[recording];
    cri_led *led = &script->led[script->led_count++];
    cr_status status = cri_led_make(fit->recordings[recording], body, led, report);
    if (status == CR_OK) {
        cri_led_put(led, fit->model, script->begin, script->start);
    }
    return status;
}

// Bodies that somebody moves are led; passive ones are predicted.
static cr_status prepare(cr_fit *fit, int recording, cr_report *report)
{
    const cr_recording *r = fit->recordings[recording];
    cr_status status = write_script(fit, recording, report);
    fit->scripts[recording].first_seen = fit->seen_count;
    for (int slot = 0; slot < cr_model_moving_count(fit->model) && status == CR_OK; slot++) {
        int body = cr_model_moving_body(fit->model, slot);
        if (is_seen(r, body)) {
            bool passive = cr_model_body(fit->model, body)->kind == CR_KIND_PASSIVE;
            status = (passive ? look_at : lead)(fit, recording, body, report);
        }
    }
    fit->scripts[recording].seen_count = fit->seen_count - fit->scripts[recording].first_seen;
    return status;
}

static cr_status fill(cr_fit *fit, cr_report *report)
{
    size_t most = (size_t)fit->recording_count * (size_t)cr_model_moving_count(fit->model);
    fit->scripts = calloc((size_t)fit->recording_count + 1, sizeof *fit->scripts);
    fit->seen = calloc(most + 1, sizeof *fit->seen);
    int threads = fit->def.threads > 0 ? fit->def.threads : (int)sysconf(_SC_NPROCESSORS_ONLN);
    fit->thread_count = threads < 1 ? 1 : (threads > 64 ? 64 : threads);
    fit->engines = calloc((size_t)fit->thread_count, sizeof(cr_engine *));
    if (!fit->scripts || !fit->seen || !fit->engines) {
        return cri_fail_memory(report);
    }
    cr_status status = CR_OK;
    const char *engine = fit->def.engine ? fit->def.engine : "lanes";
    for (int i = 0; i < fit->thread_count && status == CR_OK; i++) {
        status = cr_engine_create(fit->model, engine, &fit->engines[i], report);
    }
    if (status == CR_OK && !cr_engine_takes_numbers(fit->engines[0])) {
        return cri_fail(report, CR_ERR_NAME, (cri_location){0},
                        "engine \"%s\" takes no numbers: it cannot be fitted", engine);
    }
    for (int i = 0; i < fit->recording_count && status == CR_OK; i++) {
        status = prepare(fit, i, report);
    }
    if (status == CR_OK && fit->seen_count == 0) {
        return cri_fail(report, CR_ERR_RANGE, (cri_location){0},
                        "no passive body is recorded: there is nothing to predict");
    }
    return status;
}

cr_status cr_fit_create(const cr_model *model, const cr_recording *const *recordings, int count,
                        const cr_fit_def *def, cr_fit **fit, cr_report *report)
{
    assert(count >= 0);
    *fit = NULL;
    cr_status status = check(def, report);
    if (status != CR_OK) {
        return status;
    }
    cr_fit *made = calloc(1, sizeof *made);
    if (!made) {
        return cri_fail_memory(report);
    }
    made->model = model;
    made->def = *def;
    made->recordings = recordings;
    made->recording_count = count;
    status = fill(made, report);
    if (status != CR_OK) {
        cr_fit_destroy(made);
        return status;
    }
    *fit = made;
    return CR_OK;
}

static void free_seen(cri_seen *seen)
{
    union {
        const double *in;
        double *out;
    } arrays[] = {{seen->path.time}, {seen->path.x}, {seen->path.y}};
    for (int i = 0; i < 3; i++) {
        free(arrays[i].out);
    }
    free(seen->speed);
}

void cr_fit_destroy(cr_fit *fit)
{
    if (!fit) {
        return;
    }
    for (int i = 0; fit->scripts && i < fit->recording_count; i++) {
        free(fit->scripts[i].start);
        free(fit->scripts[i].deeds);
        for (int k = 0; k < fit->scripts[i].led_count; k++) {
            cri_led_free(&fit->scripts[i].led[k]);
        }
        free(fit->scripts[i].led);
    }
    for (int i = 0; i < fit->seen_count; i++) {
        free_seen(&fit->seen[i]);
    }
    for (int i = 0; fit->engines && i < fit->thread_count; i++) {
        cr_engine_destroy(fit->engines[i]);
    }
    for (int i = 0; i <= CR_FIT_PARAMETERS_MAX; i++) {
        cr_numbers_destroy(fit->numbers[i]);
    }
    free(fit->scripts);
    free(fit->seen);
    free(fit->engines);
    free(fit);
}
