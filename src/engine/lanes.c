// The engine made for planning.
#include "engine/engine.h"

#include <stdlib.h>

#include "base/report.h"
#include "engine/impulses.h"

typedef struct lanes_world {
    cri_impulses general;
} lanes_world;

static void lanes_destroy(void *world)
{
    lanes_world *w = world;
    if (w) {
        cri_impulses_free(&w->general);
        free(w);
    }
}

static cr_status lanes_create(const cr_model *model, void **world, cr_report *report)
{
    *world = NULL;
    lanes_world *w = calloc(1, sizeof *w);
    if (!w) {
        return cri_fail_memory(report);
    }
    cr_status status = cri_impulses_init(&w->general, model, report);
    if (status != CR_OK) {
        lanes_destroy(w);
        return status;
    }
    *world = w;
    return CR_OK;
}

static void lanes_step(void *world, cr_step *steps, int count)
{
    lanes_world *w = world;
    for (int i = 0; i < count; i++) {
        cri_world_step(&w->general.base, &steps[i]);
    }
}

const cr_engine_type cri_engine_lanes = {
    .name = "lanes",
    .about = "impulses, many worlds at once",
    .lanes = 8,
    .create = lanes_create,
    .destroy = lanes_destroy,
    .step = lanes_step,
};
