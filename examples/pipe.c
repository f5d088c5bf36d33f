// What a robot's program needs to start: states come in on stdin, a line of numbers a frame, and
// actions go out on stdout, 60 times a second. Usage: pipe SCENE.yaml [MILLISECONDS]
//
//   in   step, then x y heading vx vy spin of each moving body, in the order of the scene
//   out  step, then force x, force y, torque and the kick's impulse x, y, of each moving body
//
// Each frame the planner restarts at what was seen, grows for as long as the frame allows (10 ms
// unless told otherwise), and the first action of the best prefix goes out: the strategy that the
// thesis plays soccer with (003, 7.2.3). Nothing is planned twice for a line: the planner's memory
// is kept.
#include <carom/carom.h>

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

typedef struct loop {
    const cr_model *model;
    cr_planner *planner;
    cr_state *state;
    cr_action *actions;
    double seconds; // that a search may take
} loop;

// Read one frame; false at the end of the input, or where it makes no sense.
static bool read_frame(loop *l)
{
    long long step = 0;
    if (scanf("%lld", &step) != 1) {
        return false;
    }
    cr_state_start(l->model, l->state); // each search starts with its Tactics at their beginning
    l->state->step = step;
    for (int slot = 0; slot < cr_model_moving_count(l->model); slot++) {
        int body = cr_model_moving_body(l->model, slot);
        double x, y, heading, vx, vy, spin;
        if (scanf("%lf %lf %lf %lf %lf %lf", &x, &y, &heading, &vx, &vy, &spin) != 6) {
            return false;
        }
        double z = cr_state_pose(l->model, l->state, body).position.z;
        cr_pose pose = {{x, y, z}, {0, 0, sin(heading / 2), cos(heading / 2)}};
        cr_state_set_pose(l->model, l->state, body, pose);
        cr_state_set_velocity(l->model, l->state, body, (cr_vec3){vx, vy, 0},
                              (cr_vec3){0, 0, spin});
    }
    return true;
}

// The actions of a plan's first step.
static bool take_first(const cr_replay_step *step, void *context)
{
    loop *l = context;
    for (int slot = 0; step->actions && slot < cr_model_moving_count(l->model); slot++) {
        l->actions[slot] = step->actions[slot];
    }
    return !step->actions;
}

// Plan from the state that was read. Where there is nothing to be done, nothing is.
static void plan_frame(loop *l)
{
    cr_plan *plan = NULL;
    cr_root root = cr_default_root();
    root.state = l->state;
    for (int slot = 0; slot < cr_model_moving_count(l->model); slot++) {
        l->actions[slot] = (cr_action){0};
    }
    if (cr_planner_restart(l->planner, &root, NULL) == CR_OK) {
        cr_slice slice = {.seconds = l->seconds};
        cr_outcome outcome = cr_planner_grow(l->planner, &slice);
        if (cr_plan_create_prefix(l->planner, outcome, 1, &plan, NULL) == CR_OK && plan) {
            cr_plan_replay(plan, 0, take_first, l, NULL);
        }
    }
    cr_plan_destroy(plan);
}

static void write_frame(const loop *l)
{
    printf("%lld", (long long)l->state->step);
    for (int slot = 0; slot < cr_model_moving_count(l->model); slot++) {
        const cr_action *a = &l->actions[slot];
        printf(" %.9g %.9g %.9g %.9g %.9g", a->force.x, a->force.y, a->torque.z, a->impulse.x,
               a->impulse.y);
    }
    printf("\n");
    fflush(stdout); // somebody waits for it
}

static int run(const cr_model *model, double seconds)
{
    cr_planner_def def = cr_model_planner_def(model);
    cr_report report = {0};
    loop l = {.model = model, .seconds = seconds};
    def.threads = 1;
    l.state = cr_state_create(model);
    l.actions = calloc((size_t)cr_model_moving_count(model) + 1, sizeof *l.actions);
    bool made =
        l.state && l.actions && cr_planner_create(model, &def, &l.planner, &report) == CR_OK;
    while (made && read_frame(&l)) {
        plan_frame(&l);
        write_frame(&l);
    }
    cr_planner_destroy(l.planner);
    free(l.state);
    free(l.actions);
    return made ? 0 : 1;
}

int main(int argc, char **argv)
{
    cr_report report = {0};
    cr_scene *scene = NULL;
    cr_model *model = NULL;
    int code = 1;
    if (argc >= 2 && cr_scene_read(argv[1], &scene, &report) == CR_OK &&
        cr_model_create(scene, NULL, 0, &model, &report) == CR_OK) {
        code = run(model, argc > 2 ? strtod(argv[2], NULL) / 1000 : 0.01);
    }
    for (int i = 0; i < report.count && i < CR_REPORT_MAX; i++) {
        fprintf(stderr, "%s\n", report.errors[i].message);
    }
    cr_model_destroy(model);
    cr_scene_destroy(scene);
    return code;
}
