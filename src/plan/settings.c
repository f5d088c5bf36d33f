// What a scene says to the planner comes by here: the names that may be set are those of the
// planner's table and the scene's own, and a scene is compiled with that table.
#include "plan/parameters.h"

#include "base/bitmap.h"
#include "scene/scene.h"

static cr_status check_name(const cr_scene *scene, const char *name, cr_report *report)
{
    cri_suggestion suggestion = {.word = name};
    if (cri_node_get(scene->parameters, name) || cri_scene_has(scene, "pictures", name) ||
        cri_parameter_find(name, &suggestion) >= 0) {
        return CR_OK;
    }
    for (int i = 0; i < cr_scene_parameter_count(scene); i++) {
        cri_suggest(&suggestion, cr_scene_parameter_name(scene, i));
    }
    char hint[100];
    return cri_fail(report, CR_ERR_NAME, (cri_location){.file = scene->path},
                    "unknown parameter \"%.80s\"%s", name,
                    cri_suggestion_print(&suggestion, hint, sizeof hint));
}

// A file is read here and now, so that what was set needs no file later.
static cr_status set_picture(cr_scene *scene, const char *name, const char *value,
                             cr_report *report)
{
    cri_bitmap bitmap;
    cri_text text = {0};
    cr_status status = cri_bitmap_read(value, (cri_location){.file = name}, &bitmap, report);
    if (status != CR_OK) {
        return status;
    }
    cri_bitmap_print(&bitmap, &text);
    status = text.failed ? cri_fail_memory(report) : cri_scene_set(scene, name, text.data, report);
    cri_bitmap_free(&bitmap);
    cri_text_free(&text);
    return status;
}

cr_status cr_scene_set(cr_scene *scene, const char *name, const char *value, cr_report *report)
{
    cr_status status = check_name(scene, name, report);
    if (status == CR_OK && cri_scene_has(scene, "pictures", name) && cri_bitmap_is_file(value)) {
        return set_picture(scene, name, value, report);
    }
    return status == CR_OK ? cri_scene_set(scene, name, value, report) : status;
}

cr_status cr_model_create(const cr_scene *scene, const cr_library *library, int start,
                          cr_model **model, cr_report *report)
{
    return cri_model_compile(scene, library, &cri_plan_parameters, start, model, report);
}
