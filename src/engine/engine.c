// Engines by name.
#include "engine/engine.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

#include "base/report.h"
#include "carom/library.h"

struct cr_engine {
    const cr_engine_type *type;
    void *world;
};

static const cr_engine_type *find_type(const cr_library *library, const char *name)
{
    for (int i = 0; i < cr_library_engine_count(library); i++) {
        const cr_engine_type *type = cr_library_engine(library, i);
        if (strcmp(type->name, name) == 0) {
            return type;
        }
    }
    return NULL;
}

static cr_status fail_name(const cr_library *library, const char *name, cr_report *report)
{
    cri_suggestion suggestion = {.word = name};
    char text[64];
    for (int i = 0; i < cr_library_engine_count(library); i++) {
        cri_suggest(&suggestion, cr_library_engine(library, i)->name);
    }
    return cri_fail(report, CR_ERR_NAME, (cri_place){0}, "there is no engine \"%s\"%s", name,
                    cri_suggestion_print(&suggestion, text, sizeof text));
}

cr_status cr_engine_create(const cr_model *model, const char *name, cr_engine **engine,
                           cr_report *report)
{
    const cr_library *library = model->library;
    *engine = NULL;
    const cr_engine_type *type = find_type(library, name);
    if (!type) {
        return fail_name(library, name, report);
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

void cr_engine_step(cr_engine *engine, cr_step *steps, int count)
{
    assert(count >= 0);
    engine->type->step(engine->world, steps, count);
}
