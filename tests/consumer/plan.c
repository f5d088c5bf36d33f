// Plan a scene and print version, outcome and the hash of the tree. Usage: plan_c SCENE.yaml
#include <carom/carom.h>
#include <stdio.h>

int main(int argc, char **argv)
{
    cr_scene *scene = NULL;
    cr_model *model = NULL;
    cr_planner *planner = NULL;
    cr_report report = {0};
    if (argc == 2 && cr_scene_read(argv[1], &scene, &report) == CR_OK &&
        cr_model_create(scene, NULL, 0, &model, &report) == CR_OK) {
        cr_planner_def def = cr_model_planner_def(model);
        if (cr_planner_create(model, &def, &planner, &report) == CR_OK) {
            cr_outcome outcome = cr_planner_grow(planner, NULL);
            printf("%s %s %016llx\n", cr_version(), cr_outcome_name(outcome),
                   (unsigned long long)cr_planner_get_stats(planner).tree_hash);
        }
    }
    cr_planner_destroy(planner);
    cr_model_destroy(model);
    cr_scene_destroy(scene);
    return planner ? 0 : 1;
}
