// Plan a scene, replay what was found, and write it as a file. Usage: plan_scene SCENE.yaml
// PLAN.json
#include <carom/carom.h>

#include <stdio.h>

static int fail(const cr_report *report)
{
    char text[640];
    for (int i = 0; i < report->count && i < CR_REPORT_MAX; i++) {
        fprintf(stderr, "%s\n", cr_error_print(&report->errors[i], text, sizeof text));
    }
    return 1;
}

// Called once a step: count those at which something touched.
static bool count_contacts(const cr_replay_step *step, void *context)
{
    *(int *)context += step->contact_count > 0;
    return true;
}

static cr_status search(const cr_model *model, cr_plan **plan, cr_report *report)
{
    cr_planner_def def = cr_model_planner_def(model); // what the scene's `plan:` says
    cr_planner *planner = NULL;
    cr_status status = cr_planner_create(model, &def, &planner, report);
    if (status == CR_OK) {
        cr_outcome outcome = cr_planner_grow(planner, NULL); // until a limit or the goal is reached
        printf("%s after %lld nodes\n", cr_outcome_name(outcome),
               (long long)cr_planner_get_stats(planner).nodes);
        status = cr_plan_create(planner, outcome, plan, report);
    }
    cr_planner_destroy(planner);
    return status;
}

int main(int argc, char **argv)
{
    if (argc != 3) {
        fprintf(stderr, "usage: %s SCENE.yaml PLAN.json\n", argv[0]);
        return 2;
    }
    cr_report report = {0};
    cr_scene *scene = NULL;
    cr_model *model = NULL;
    cr_plan *plan = NULL;
    int touching = 0;
    cr_status status = cr_scene_read(argv[1], &scene, &report);
    if (status == CR_OK) {
        status = cr_model_create(scene, NULL, 0, &model, &report);
    }
    if (status == CR_OK) {
        status = search(model, &plan, &report);
    }
    if (status == CR_OK && plan) { // no plan is no error
        status = cr_plan_replay(plan, 0, count_contacts, &touching, &report);
    }
    if (status == CR_OK && plan) {
        status = cr_plan_write(plan, argv[2], &report);
        printf("a plan of %.2f s, with contacts in %d steps\n", cr_plan_solution(plan, 0).seconds,
               touching);
    }
    cr_plan_destroy(plan); // before its model
    cr_model_destroy(model);
    cr_scene_destroy(scene);
    return status == CR_OK ? 0 : fail(&report);
}
