// Engines by name.
#include <assert.h>
#include <stdlib.h>

#include "base/report.h"
#include "scene/lookup.h"
#include "scene/memory.h"
#include "scene/model.h"

static const struct {
    const char *name, *about;
} faults[] = {
    [CR_FAULT_NONE] = {"none", "is lost"},
    [CR_FAULT_NOT_FINITE] = {"not_finite", "has a state or an action that is no finite number"},
    [CR_FAULT_ROTATION] = {"rotation", "has a rotation that is no unit quaternion"},
    [CR_FAULT_TOO_FAR] = {"too_far", "is beyond 100 km from the origin"},
    [CR_FAULT_TOO_FAST] = {"too_fast", "is faster than 1000 m/s"},
    [CR_FAULT_SPIN] = {"spin", "spins faster than 100000 rad/s"},
    [CR_FAULT_CROWDED] = {"crowded", "has no room left for its contact points"},
    [CR_FAULT_SOLVER] = {"solver", "is in contacts that the solver finds no impulses for"},
};

const char *cr_fault_name(cr_fault fault)
{
    assert(fault <= CR_FAULT_SOLVER);
    return faults[fault].name;
}

const char *cr_fault_about(cr_fault fault)
{
    assert(fault <= CR_FAULT_SOLVER);
    return faults[fault].about;
}

struct cr_engine {
    const cr_model *model;
    const cr_engine_type *type;
    void *world;
};

cr_status cr_engine_create(const cr_model *model, const char *name, cr_engine **engine,
                           cr_report *report)
{
    *engine = NULL;
    cri_suggestion suggestion = {.word = name};
    char text[64];
    const cr_engine_type *type = cri_find_engine(model->library, name, &suggestion);
    if (!type) {
        return cri_fail(report, CR_ERR_NAME, (cri_location){0}, "there is no engine \"%s\"%s", name,
                        cri_suggestion_print(&suggestion, text, sizeof text));
    }
    if (model->joint_count > 0 && !type->takes_joints) {
        return cri_fail(report, CR_ERR_TYPE, (cri_location){0},
                        "engine \"%s\" holds no joints, and the scene has %d", name,
                        model->joint_count);
    }
    cr_engine *made = malloc(sizeof *made);
    if (!made) {
        return cri_fail_memory(report);
    }
    *made = (cr_engine){.model = model, .type = type};
    cr_status status = type->create(model, &made->world, report);
    if (status != CR_OK) {
        free(made);
        return status;
    }
    *engine = made;
    return CR_OK;
}

void cr_engine_destroy(cr_engine *engine)
{
    if (engine) {
        engine->type->destroy(engine->world);
        free(engine);
    }
}

int cr_engine_lanes(const cr_engine *engine)
{
    return engine->type->lanes;
}

bool cr_engine_takes_numbers(const cr_engine *engine)
{
    return engine->type->takes_numbers;
}

void cr_engine_set_threads(cr_engine *engine, int threads)
{
    assert(threads >= 1);
    if (engine->type->set_threads) {
        engine->type->set_threads(engine->world, threads);
    }
}

void cr_engine_step(cr_engine *engine, cr_step *steps, int count)
{
    assert(count >= 0);
    for (int i = 0; i < count; i++) {
        assert(!steps[i].numbers || engine->type->takes_numbers);
        steps[i].fault = CR_FAULT_NONE;
        steps[i].fault_body = -1;
    }
    engine->type->step(engine->world, steps, count);
    for (int i = 0; engine->model->memory_count > 0 && i < count; i++) {
        if (steps[i].alive) {
            cri_remember(engine->model, steps[i].to);
        }
    }
}
