// Plan from a measured state: execute part of a plan, look where things really are, restart the
// planner there and get a plan that begins at that moment. Usage: replan SCENE.yaml PLAN.json
#include <carom/carom.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

// What is executed of a plan: its first steps.
typedef struct execution {
    int64_t steps;
    cr_state *state; // after the last of them
} execution;

static bool execute(const cr_replay_step *step, void *context)
{
    execution *e = context;
    cr_state_copy(step->model, e->state, step->state);
    return e->steps-- > 0;
}

// The camera sees every moving body two millimetres beside the place where the plan has it. A
// robot's program writes what it has measured here; state->step goes on as time does.
static void measure(const cr_model *model, cr_state *state)
{
    for (int slot = 0; slot < cr_model_moving_count(model); slot++) {
        int body = cr_model_moving_body(model, slot);
        cr_pose pose = cr_state_pose(model, state, body);
        pose.position.y += 0.002;
        cr_state_set_pose(model, state, body, pose);
    }
}

static cr_status plan_from_here(cr_planner *planner, cr_plan **plan, cr_report *report)
{
    cr_outcome outcome = cr_planner_grow(planner, NULL);
    cr_status status = cr_plan_create(planner, outcome, plan, report);
    if (status == CR_OK && *plan) {
        const cr_root root = cr_planner_root(planner);
        printf("%s from step %lld: %.2f s\n", cr_outcome_name(outcome), (long long)root.state->step,
               cr_plan_solution(*plan, 0).seconds);
    }
    return status;
}

// A quarter of the old plan, a look, and a new plan from there.
static cr_status replan(cr_planner *planner, const cr_plan *old, cr_plan **plan, cr_report *report)
{
    const cr_model *model = cr_plan_model(old);
    execution part = {cr_plan_solution(old, 0).steps / 4, cr_state_create(model)};
    cr_status status = part.state ? CR_OK : CR_ERR_MEMORY;
    status = status == CR_OK ? cr_plan_replay(old, 0, execute, &part, report) : status;
    if (status == CR_OK) {
        measure(model, part.state);
        cr_root root = cr_default_root();
        root.state = part.state;
        status = cr_planner_restart(planner, &root, report); // nothing is allocated
    }
    free(part.state);
    return status == CR_OK ? plan_from_here(planner, plan, report) : status;
}

// The file has the root in it: whoever reads it replays from there.
static cr_status store(const cr_plan *plan, const char *path, cr_report *report)
{
    cr_plan *again = NULL;
    cr_status status = cr_plan_write(plan, path, report);
    status = status == CR_OK ? cr_plan_read(path, NULL, &again, report) : status;
    status = status == CR_OK ? cr_plan_replay(again, 0, NULL, NULL, report) : status;
    if (status == CR_OK) {
        size_t size = cr_state_size(cr_plan_model(again));
        bool same = memcmp(cr_plan_root(again).state, cr_plan_root(plan).state, size) == 0;
        printf("replays from %s\n", same ? "its root" : "elsewhere");
        status = same ? CR_OK : CR_ERR_REPLAY;
    }
    cr_plan_destroy(again);
    return status;
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
        bool good = cr_planner_create(model, &def, &planner, &report) == CR_OK &&
                    plan_from_here(planner, &first, &report) == CR_OK && first &&
                    replan(planner, first, &second, &report) == CR_OK && second;
        good = good && store(second, argv[2], &report) == CR_OK;
        if (!good) {
            fprintf(stderr, "no plan: %s\n", report.errors[0].message);
        }
    }
    bool done = second && report.count == 0;
    cr_plan_destroy(first);
    cr_plan_destroy(second);
    cr_planner_destroy(planner);
    cr_model_destroy(model);
    cr_scene_destroy(scene);
    return done ? 0 : 1;
}
