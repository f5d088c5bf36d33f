// Plan from a measured state: execute part of a plan, look where things really are, restart the
// planner there and get a plan that begins at that moment. Usage: replan SCENE.yaml PLAN.json
#include <carom/carom.h>

#include <stdio.h>
#include <stdlib.h>

typedef struct execution {
    int64_t steps;   // of the plan that are executed
    cr_state *state; // after the last of them
} execution;

static bool execute(const cr_replay_step *step, void *context)
{
    execution *e = context;
    cr_state_copy(step->model, e->state, step->state);
    return e->steps-- > 0;
}

// The camera sees all bodies 2 mm beside where the plan has them; a robot's program writes what it
// has measured; state->step goes on as time does.
static void measure(const cr_model *model, cr_state *state)
{
    for (int slot = 0; slot < cr_model_moving_count(model); slot++) {
        cr_pose pose = cr_state_pose(model, state, cr_model_moving_body(model, slot));
        pose.position.y += 0.002;
        cr_state_set_pose(model, state, cr_model_moving_body(model, slot), pose);
    }
}

static cr_status plan_from_here(cr_planner *planner, cr_plan **plan, cr_report *report)
{
    cr_outcome outcome = cr_planner_grow(planner, NULL);
    cr_status status = cr_plan_create(planner, outcome, plan, report);
    if (status == CR_OK && *plan) {
        printf("%s from step %lld: %.2f s\n", cr_outcome_name(outcome),
               (long long)cr_planner_root(planner).state->step, cr_plan_solution(*plan, 0).seconds);
    }
    return status;
}

static cr_status replan(cr_planner *planner, const cr_plan *old, cr_plan **plan, cr_report *report)
{
    const cr_model *model = cr_plan_model(old);
    execution part = {cr_plan_solution(old, 0).steps / 4, cr_state_create(model)};
    cr_status status = cr_plan_replay(old, 0, execute, &part, report);
    if (status == CR_OK) {
        measure(model, part.state);
        cr_root root = cr_default_root();
        root.state = part.state;
        status = cr_planner_restart(planner, &root, report); // nothing is allocated
    }
    free(part.state);
    return status == CR_OK ? plan_from_here(planner, plan, report) : status;
}

int main(int argc, char **argv)
{
    cr_report report = {0};
    cr_scene *scene = NULL;
    cr_model *model = NULL;
    cr_planner *planner = NULL;
    cr_plan *first = NULL, *second = NULL;
    if (argc == 3 && cr_scene_read(argv[1], &scene, &report) == CR_OK &&
        cr_model_create(scene, NULL, 0, &model, &report) == CR_OK) {
        cr_planner_def def = cr_model_planner_def(model);
        bool done = cr_planner_create(model, &def, &planner, &report) == CR_OK &&
                    plan_from_here(planner, &first, &report) == CR_OK && first &&
                    replan(planner, first, &second, &report) == CR_OK && second &&
                    cr_plan_write(second, argv[2], &report) == CR_OK; // with its root in it
        puts(done ? "written; carom replay begins at its root" : "no plan");
    }
    cr_plan_destroy(first);
    cr_plan_destroy(second);
    cr_planner_destroy(planner);
    cr_model_destroy(model);
    cr_scene_destroy(scene);
    return second && report.count == 0 ? 0 : 1;
}
