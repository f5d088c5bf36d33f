// Engines by name.
#include <assert.h>
#include <stdlib.h>

#include "base/report.h"
#include "scene/lookup.h"
#include "scene/model.h"

struct cr_engine {
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
        return cri_fail(report, CR_ERR_NAME, (cri_place){0}, "there is no engine \"%s\"%s", name,
                        cri_suggestion_print(&suggestion, text, sizeof text));
    }
    cr_engine *made = malloc(sizeof *made);
    if (!made) {
        return cri_fail_memory(report);
    }
    *made = (cr_engine){.type = type};
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

void cr_engine_step(cr_engine *engine, cr_step *steps, int count)
{
    assert(count >= 0);
    for (int i = 0; i < count; i++) {
        assert(!steps[i].numbers || engine->type->takes_numbers);
    }
    engine->type->step(engine->world, steps, count);
}
