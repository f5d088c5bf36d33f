// The engine made for planning: impulses, many worlds at once.
//
// Worlds of balls, uprights, driven and fixed bodies go to a stepper, eight at a time, in float.
// All other models, and worlds in which a driven body tilts or that are larger than floats are
// good for, go one by one to the same method in double (impulses.c). Which way a world goes depends
// on the model, its state and its actions alone.
#include "engine/engine.h"

#include <stdlib.h>
#include <string.h>

#include "base/report.h"
#include "engine/impulses.h"
#include "engine/stepper.h"

// Beyond this place a float is coarser than the gaps of contacts.
static const double PLACE_MAX = 64; // m

enum { LANES_MAX = 8 };

typedef struct lanes_world {
    const cr_model *model;
    cri_impulses general;
    bool has_course;
    cri_course course;
    const cri_stepper *stepper;
    void *scratch; // of the stepper
} lanes_world;

static void lanes_destroy(void *world)
{
    lanes_world *w = world;
    if (w) {
        cri_impulses_free(&w->general);
        cri_course_free(&w->course);
        free(w->scratch);
        free(w);
    }
}

static cr_status open_course(lanes_world *w, cr_report *report)
{
    cr_status status = cri_course_init(&w->course, w->model, report);
    if (status != CR_OK) {
        return status;
    }
    w->stepper = cri_stepper_best();
    w->scratch = aligned_alloc(64, w->stepper->room(&w->course));
    w->has_course = true;
    return w->scratch ? CR_OK : cri_fail_memory(report);
}

static cr_status lanes_create(const cr_model *model, void **world, cr_report *report)
{
    *world = NULL;
    lanes_world *w = calloc(1, sizeof *w);
    if (!w) {
        return cri_fail_memory(report);
    }
    w->model = model;
    cr_status status = cri_impulses_init(&w->general, model, report);
    if (status == CR_OK && cri_course_fits(model)) {
        status = open_course(w, report);
    }
    if (status != CR_OK) {
        lanes_destroy(w);
        return status;
    }
    *world = w;
    return CR_OK;
}

static bool is_small(cr_vec3 v)
{
    return fabs(v.x) < PLACE_MAX && fabs(v.y) < PLACE_MAX && fabs(v.z) < PLACE_MAX;
}

// True if the stepper can take this body as it is.
static bool body_fits(cri_class class, const cr_body_state *s, const cr_action *a)
{
    if (!cri_is_sane(s) || !cri_is_sane_action(a) || !is_small(s->position)) {
        return false;
    }
    bool level = s->rotation.x == 0 && s->rotation.y == 0;
    return class == CRI_BALL ||
           (level && (class == CRI_UPRIGHT || (a->spin.x == 0 && a->spin.y == 0)));
}

static bool fits(const lanes_world *w, const cr_step *step)
{
    const cr_body_state *states = cri_bodies_const(w->model, step->from);
    for (int slot = 0; slot < w->model->moving_count; slot++) {
        if (!body_fits(w->course.movers[slot].class, &states[slot], &step->actions[slot])) {
            return false;
        }
    }
    return w->has_course;
}

// Step the worlds gathered in a batch and give the results back.
static void step_batch(lanes_world *w, cr_step *steps, const int *which, int count)
{
    cr_step batch[LANES_MAX];
    for (int i = 0; i < count; i++) {
        cr_step *step = &steps[which[i]];
        if (step->to != step->from) {
            memcpy(step->to, step->from, w->model->state_size);
        }
        batch[i] = *step;
    }
    w->stepper->step(&w->course, w->scratch, batch, count);
    for (int i = 0; i < count; i++) {
        steps[which[i]].contact_count = batch[i].contact_count;
        steps[which[i]].alive = batch[i].alive;
    }
}

static void lanes_step(void *world, cr_step *steps, int count)
{
    lanes_world *w = world;
    int which[LANES_MAX], gathered = 0;
    for (int i = 0; i < count; i++) {
        if (!w->has_course || !fits(w, &steps[i])) {
            cri_world_step(&w->general.base, &steps[i]);
            continue;
        }
        which[gathered++] = i;
        if (gathered == w->stepper->lanes) {
            step_batch(w, steps, which, gathered);
            gathered = 0;
        }
    }
    if (gathered > 0) {
        step_batch(w, steps, which, gathered);
    }
}

const cr_engine_type cri_engine_lanes = {
    .name = "lanes",
    .about = "impulses, eight worlds at once; made for planning",
    .lanes = LANES_MAX,
    .create = lanes_create,
    .destroy = lanes_destroy,
    .step = lanes_step,
};
