// A program with Skills and the like of its own, and a scene that uses them: `program frog.yaml`.
#include "own.h"

#include <stdio.h>

static cr_outcome plan(const cr_scene *scene, const cr_library *library, cr_report *report)
{
    cr_model *model = NULL;
    cr_planner *planner = NULL;
    cr_outcome outcome = CR_OUTCOME_GROWING;
    if (cr_model_create(scene, library, 0, &model, report) == CR_OK) {
        cr_planner_def def = cr_model_planner_def(model);
        if (cr_planner_create(model, &def, &planner, report) == CR_OK) {
            outcome = cr_planner_grow(planner, NULL);
        }
    }
    cr_planner_destroy(planner);
    cr_model_destroy(model);
    return outcome;
}

int main(int argc, char **argv)
{
    cr_library *library = cr_library_create(); // the built-in ones are in it
    cr_scene *scene = NULL;
    cr_report report = {0};
    cr_outcome outcome = CR_OUTCOME_GROWING;
    if (library && own_add(library, &report) == CR_OK &&
        cr_scene_read(argc > 1 ? argv[1] : "frog.yaml", &scene, &report) == CR_OK) {
        outcome = plan(scene, library, &report);
    }
    printf("%s%s\n", cr_outcome_name(outcome), report.errors[0].message);
    cr_scene_destroy(scene);
    cr_library_destroy(library); // after those who use it
    return outcome != CR_OUTCOME_SOLVED;
}
