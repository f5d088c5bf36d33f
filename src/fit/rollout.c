// Roll-outs (003, algorithm 13): candidates x recordings worlds, stepped together on all threads.
// A world is a candidate's numbers in a recording's start; each thread has a share of them, and
// what it finds depends on no other.
#include "fit/fit.h"

#include <assert.h>
#include <math.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>

#include "base/report.h"
#include "base/vec.h"

// One world under way.
typedef struct world {
    int candidate, recording;
    int at; // steps done
    int deed;
    cr_state *state;
    cr_action *actions;
    cr_contact *contacts;
} world;

// A thread's share.
typedef struct crew_member {
    cr_fit *fit;
    cri_prediction *p;
    int index, first, last; // worlds
    cr_status status;
} crew_member;

// ---------------------------------------------------------------------------------------------
// The room for what comes out.

static cr_status make_room(cr_fit *fit, int candidates, cri_prediction *p, cr_report *report)
{
    *p = (cri_prediction){.candidates = candidates, .fit = fit};
    p->place = calloc((size_t)fit->seen_count + 1, sizeof *p->place);
    p->clock = calloc((size_t)fit->recording_count + 1, sizeof *p->clock);
    if (!p->place || !p->clock) {
        return cri_fail_memory(report);
    }
    size_t clock = 0;
    for (int i = 0; i < fit->recording_count; i++) {
        p->clock[i] = clock;
        clock += (size_t)fit->scripts[i].steps + 1;
    }
    for (int i = 0; i < fit->seen_count; i++) {
        p->place[i] = p->row;
        p->row += (size_t)fit->scripts[fit->seen[i].recording].steps + 1;
    }
    size_t n = (size_t)candidates;
    p->x = calloc(n * p->row + 1, sizeof *p->x);
    p->y = calloc(n * p->row + 1, sizeof *p->y);
    p->time = calloc(clock + 1, sizeof *p->time);
    p->normal = calloc(n * (size_t)fit->seen_count + 1, sizeof *p->normal);
    p->alive = calloc(n * (size_t)fit->recording_count + 1, sizeof *p->alive);
    if (!p->x || !p->y || !p->time || !p->normal || !p->alive) {
        return cri_fail_memory(report);
    }
    double dt = cr_model_dt(fit->model);
    for (int i = 0; i < fit->recording_count; i++) {
        for (int k = 0; k <= fit->scripts[i].steps; k++) {
            p->time[p->clock[i] + (size_t)k] = fit->scripts[i].begin + k * dt;
        }
    }
    return CR_OK;
}

void cri_prediction_free(cri_prediction *p)
{
    free(p->x);
    free(p->y);
    free(p->time);
    free(p->place);
    free(p->clock);
    free(p->normal);
    free(p->alive);
}

cri_passage cri_prediction_path(const cri_prediction *p, int candidate, int seen)
{
    int recording = p->fit->seen[seen].recording;
    size_t at = (size_t)candidate * p->row + p->place[seen];
    return (cri_passage){p->fit->scripts[recording].steps + 1, p->time + p->clock[recording],
                         p->x + at, p->y + at};
}

// ---------------------------------------------------------------------------------------------
// Stepping.

static void note_place(const crew_member *m, const world *w)
{
    const cr_fit *fit = m->fit;
    const cri_script *script = &fit->scripts[w->recording];
    for (int i = script->first_seen; i < script->first_seen + script->seen_count; i++) {
        size_t at = (size_t)w->candidate * m->p->row + m->p->place[i] + (size_t)w->at;
        cr_vec3 place = cr_state_pose(fit->model, w->state, fit->seen[i].body).position;
        m->p->x[at] = place.x;
        m->p->y[at] = place.y;
    }
}

// The normal of the first surface that stands upright and is hit by something seen.
static void note_contact(const crew_member *m, const world *w, const cr_contact *contact)
{
    double flat =
        sqrt(contact->normal.x * contact->normal.x + contact->normal.y * contact->normal.y);
    if (!(flat > 0.5) || !(contact->impulse > 0)) {
        return;
    }
    const cri_script *script = &m->fit->scripts[w->recording];
    for (int i = script->first_seen; i < script->first_seen + script->seen_count; i++) {
        const cri_seen *seen = &m->fit->seen[i];
        if (contact->a == seen->body || contact->b == seen->body) {
            cr_vec2 *normal = &m->p->normal[w->candidate * m->fit->seen_count + i];
            if (!(normal->x * normal->x + normal->y * normal->y > 0)) {
                *normal = (cr_vec2){contact->normal.x / flat, contact->normal.y / flat};
            }
        }
    }
}

// What the script does to the world in this step.
static void act(const cr_fit *fit, world *w)
{
    const cri_script *script = &fit->scripts[w->recording];
    memset(w->actions, 0, (size_t)cr_model_moving_count(fit->model) * sizeof *w->actions);
    for (; w->deed < script->deed_count && script->deeds[w->deed].step <= w->at; w->deed++) {
        const cri_deed *deed = &script->deeds[w->deed];
        cr_action *a = &w->actions[deed->slot];
        a->impulse = cri_add(a->impulse, deed->action.impulse);
        a->force = cri_add(a->force, deed->action.force);
        a->torque = cri_add(a->torque, deed->action.torque);
    }
}

// Put what is led where it was seen.
static void lead(const cr_fit *fit, const world *w)
{
    const cri_script *script = &fit->scripts[w->recording];
    double time = script->begin + w->at * cr_model_dt(fit->model);
    for (int i = 0; i < script->led_count; i++) {
        cri_led_put(&script->led[i], fit->model, time, w->state);
    }
}

// One step of all worlds that go on; returns how many still do.
static int step_all(const crew_member *m, world *worlds, int *going, int count, cr_step *steps)
{
    const cr_fit *fit = m->fit;
    for (int i = 0; i < count; i++) {
        world *w = &worlds[going[i]];
        act(fit, w);
        steps[i] = (cr_step){.from = w->state,
                             .actions = w->actions,
                             .numbers = fit->numbers[w->candidate],
                             .to = w->state,
                             .contacts = w->contacts};
    }
    cr_engine_step(fit->engines[m->index], steps, count);
    int left = 0;
    for (int i = 0; i < count; i++) {
        world *w = &worlds[going[i]];
        for (int k = 0; k < steps[i].contact_count && steps[i].alive; k++) {
            note_contact(m, w, &w->contacts[k]);
        }
        w->at++;
        if (steps[i].alive) {
            note_place(m, w);
            lead(fit, w);
        } else {
            m->p->alive[w->candidate * fit->recording_count + w->recording] = false;
        }
        if (steps[i].alive && w->at < fit->scripts[w->recording].steps) {
            going[left++] = going[i];
        }
    }
    return left;
}

static void free_worlds(world *worlds, int count)
{
    for (int i = 0; worlds && i < count; i++) {
        free(worlds[i].state);
        free(worlds[i].actions);
        free(worlds[i].contacts);
    }
    free(worlds);
}

static bool open_world(const crew_member *m, world *w, int index)
{
    const cr_fit *fit = m->fit;
    w->candidate = index / fit->recording_count;
    w->recording = index % fit->recording_count;
    w->state = cr_state_create(fit->model);
    w->actions = calloc((size_t)cr_model_moving_count(fit->model) + 1, sizeof *w->actions);
    w->contacts = calloc((size_t)cr_model_contact_max(fit->model) + 1, sizeof *w->contacts);
    if (!w->state || !w->actions || !w->contacts) {
        return false;
    }
    cr_state_copy(fit->model, w->state, fit->scripts[w->recording].start);
    m->p->alive[w->candidate * fit->recording_count + w->recording] = true;
    note_place(m, w);
    return true;
}

static void *serve(void *argument)
{
    crew_member *m = argument;
    int count = m->last - m->first;
    world *worlds = calloc((size_t)count + 1, sizeof *worlds);
    int *going = calloc((size_t)count + 1, sizeof *going);
    cr_step *steps = calloc((size_t)count + 1, sizeof *steps);
    bool made = worlds && going && steps;
    int left = 0;
    for (int i = 0; i < count && made; i++) {
        made = open_world(m, &worlds[i], m->first + i);
        if (made && m->fit->scripts[worlds[i].recording].steps > 0) {
            going[left++] = i;
        }
    }
    while (made && left > 0) {
        left = step_all(m, worlds, going, left, steps);
    }
    m->status = made ? CR_OK : CR_ERR_MEMORY;
    free_worlds(worlds, count);
    free(going);
    free(steps);
    return NULL;
}

// Every thread has as many worlds as any other, but for one; the caller's is the first.
static cr_status run_crew(cr_fit *fit, cri_prediction *p, cr_report *report)
{
    crew_member crew[64];
    pthread_t threads[64];
    bool started[64] = {false};
    int worlds = p->candidates * fit->recording_count, n = fit->thread_count;
    for (int i = 0; i < n; i++) {
        crew[i] = (crew_member){
            fit, p, i, (int)((int64_t)worlds * i / n), (int)((int64_t)worlds * (i + 1) / n), CR_OK};
    }
    for (int i = 1; i < n; i++) {
        started[i] = pthread_create(&threads[i], NULL, serve, &crew[i]) == 0;
    }
    serve(&crew[0]);
    cr_status status = crew[0].status;
    for (int i = 1; i < n; i++) {
        if (started[i]) {
            pthread_join(threads[i], NULL);
        } else {
            serve(&crew[i]);
        }
        status = status ? status : crew[i].status;
    }
    return status == CR_OK ? CR_OK : cri_fail_memory(report);
}

cr_status cri_predict(cr_fit *fit, const double *values, int candidates, cri_prediction *p,
                      cr_report *report)
{
    assert(candidates >= 0 && candidates <= CR_FIT_PARAMETERS_MAX + 1);
    cr_status status = make_room(fit, candidates, p, report);
    for (int i = 0; i < candidates && status == CR_OK; i++) {
        if (!fit->numbers[i]) {
            status = cr_numbers_create(fit->model, &fit->numbers[i], report);
        }
        if (status == CR_OK) {
            status = cr_fit_apply(fit, values + i * fit->parameter_count, fit->numbers[i], report);
        }
    }
    return status ? status : run_crew(fit, p, report);
}
