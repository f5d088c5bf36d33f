// The engine made for planning: impulses, many worlds at once.
//
// Worlds of balls, uprights, free, driven and fixed bodies go to a stepper, eight at a time, in
// float. All other models, and worlds in which a driven body tilts or that are larger than floats
// are good for, or become so in this step, go one by one to sequential impulses in double
// (impulses.c), which also finds out who blows up. Models of more than 32 boxes and balls, or of
// more than a hundred free bodies, go world by world to lanes that share one (large.h). Worlds with
// numbers of their own go the same way. Which one that is depends on what the model is and on the world's state, actions and
// numbers, on nothing else.
#include "engine/engine.h"

#include <stdlib.h>
#include <string.h>

#include "base/report.h"
#include "engine/impulses.h"
#include "engine/large/large.h"
#include "engine/lanes/stepper.h"

enum { LANES_MAX = 8 };

typedef struct lanes_world {
    const cr_model *model;
    cri_impulses general;
    bool has_course;
    cri_course course;
    const cri_stepper *stepper;
    void *scratch; // of the stepper
    bool has_large;
    cri_large large;
} lanes_world;

static void lanes_destroy(void *world)
{
    lanes_world *w = world;
    if (w) {
        cri_impulses_free(&w->general);
        cri_course_free(&w->course);
        cri_large_free(&w->large);
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

static cr_status open_large(lanes_world *w, cr_report *report)
{
    w->has_large = true;
    return cri_large_init(&w->large, w->model, cri_large_best(), report);
}

// large: also where eight worlds abreast would do.
static cr_status create(const cr_model *model, bool large, void **world, cr_report *report)
{
    *world = NULL;
    lanes_world *w = calloc(1, sizeof *w);
    if (!w) {
        return cri_fail_memory(report);
    }
    w->model = model;
    cr_status status = cri_impulses_init(&w->general, model, report);
    if (status == CR_OK && (large || cri_model_is_large(model))) {
        status = open_large(w, report);
    } else if (status == CR_OK && cri_course_fits(model)) {
        status = open_course(w, report);
    }
    if (status != CR_OK) {
        lanes_destroy(w);
        return status;
    }
    *world = w;
    return CR_OK;
}

static cr_status lanes_create(const cr_model *model, void **world, cr_report *report)
{
    return create(model, false, world, report);
}

static cr_status large_create(const cr_model *model, void **world, cr_report *report)
{
    return create(model, true, world, report);
}

static void step_large(lanes_world *w, cr_step *step)
{
    if (step->to != step->from) {
        memcpy(step->to, step->from, w->model->state_size);
    }
    if (!cri_large_step(&w->large, step)) {
        // In double nothing is remembered; what the state holds is of the step before.
        cri_world_step(&w->general.base, step);
        memset(cri_traces(w->model, step->to), 0, w->model->traces_size);
    }
}

// Step up to a batch of worlds.
static void step_batch(lanes_world *w, cr_step *steps, int count)
{
    for (int i = 0; i < count; i++) {
        if (steps[i].to != steps[i].from) {
            memcpy(steps[i].to, steps[i].from, w->model->state_size);
        }
    }
    unsigned refused = w->stepper->step(&w->course, w->scratch, steps, count);
    for (int i = 0; refused >> i; i++) {
        if ((refused >> i) & 1) {
            cri_world_step(&w->general.base, &steps[i]);
        }
    }
}

static void lanes_step(void *world, cr_step *steps, int count)
{
    lanes_world *w = world;
    int lanes = w->has_course ? w->stepper->lanes : 1;
    for (int i = 0; i < count; i += lanes) {
        if (w->has_course) {
            step_batch(w, &steps[i], count - i < lanes ? count - i : lanes);
        } else if (w->has_large) {
            step_large(w, &steps[i]);
        } else {
            cri_world_step(&w->general.base, &steps[i]);
        }
    }
}

// Fewer than asked for where threads cannot be had: that changes no result.
static void lanes_set_threads(void *world, int threads)
{
    lanes_world *w = world;
    if (w->has_large) {
        cri_team_resize(&w->large.team, threads);
    }
}

const cr_engine_type cri_engine_lanes = {
    .name = "lanes",
    .about = "impulses, eight worlds at once; made for planning",
    .lanes = LANES_MAX,
    .takes_numbers = true,
    .takes_joints = true,
    .create = lanes_create,
    .destroy = lanes_destroy,
    .step = lanes_step,
    .set_threads = lanes_set_threads,
};

const cr_engine_type cri_engine_large = {
    .name = "large",
    .about = "the lanes engine for large worlds, whatever the size of the world",
    .lanes = 1,
    .takes_numbers = true,
    .create = large_create,
    .destroy = lanes_destroy,
    .step = lanes_step,
    .set_threads = lanes_set_threads,
};
