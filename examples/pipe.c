// What a robot's program needs to start: states come in on stdin, a line of numbers a frame, and
// actions go out on stdout, 60 times a second. Usage: pipe SCENE.yaml [MILLISECONDS]
//
//   in   step, then x y heading vx vy spin of each moving body, in the order of the scene
//   out  step, then force x, force y, torque and the kick's impulse x, y, of each moving body
//
// Each frame the planner restarts at what was seen, grows for as long as the frame allows (10 ms
// unless told otherwise), and the first action of the best prefix goes out: the strategy that the
// thesis plays soccer with (003, 7.2.3). What the plan of the frame before had still to choose is
// tried first, with the Tactics where it had them, so a plan that still holds is gone on with at
// once. A step that does not follow the one before begins anew. examples/world.c is a world for it.
#include <carom/carom.h>

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

typedef struct loop {
    const cr_model *model;
    cr_planner *planner;
    cr_state *state; // what is seen, with the Tactics where the plan has them
    cr_action *actions;
    int64_t choices[CR_ROOT_FIRST_MAX]; // that the last plan had still to make
    int choice_count;
    double seconds; // that a search may take
} loop;

// Nothing is planned yet, or what is seen is something else: Tactics at their beginning.
static void begin_anew(loop *l, int64_t step)
{
    cr_state_start(l->model, l->state);
    l->state->step = step;
    l->choice_count = 0;
}

// Draw a body to where it is seen. A camera is noisy: where the plan has it nearby, what is seen
// counts for less than what was predicted. How a ball rolls nobody sees; the prediction knows.
static void draw_body(loop *l, int body, bool follows, const double *seen)
{
    cr_vec3 at = cr_state_pose(l->model, l->state, body).position;
    cr_vec3 v = cr_state_velocity(l->model, l->state, body);
    cr_vec3 spin = cr_state_spin(l->model, l->state, body);
    double heading = cr_state_heading(l->model, l->state, body);
    bool near = hypot(seen[0] - at.x, seen[1] - at.y) < 0.05;
    double trust = follows && near ? 0.3 : 1;
    heading += trust * remainder(seen[2] - heading, 8 * atan(1));
    cr_pose pose = {{at.x + trust * (seen[0] - at.x), at.y + trust * (seen[1] - at.y), at.z},
                    {0, 0, sin(heading / 2), cos(heading / 2)}};
    cr_state_set_pose(l->model, l->state, body, pose);
    cr_state_set_velocity(
        l->model, l->state, body,
        (cr_vec3){v.x + trust * (seen[3] - v.x), v.y + trust * (seen[4] - v.y), v.z},
        (cr_vec3){spin.x, spin.y, spin.z + trust * (seen[5] - spin.z)});
}

// Read one frame; false at the end of the input, or where it makes no sense.
static bool read_frame(loop *l)
{
    long long step = 0;
    if (scanf("%lld", &step) != 1) {
        return false;
    }
    bool follows = step == l->state->step && l->choice_count > 0;
    if (!follows) {
        begin_anew(l, step);
    }
    for (int slot = 0; slot < cr_model_moving_count(l->model); slot++) {
        double seen[6];
        for (int i = 0; i < 6; i++) {
            if (scanf("%lf", &seen[i]) != 1) {
                return false;
            }
        }
        draw_body(l, cr_model_moving_body(l->model, slot), follows, seen);
    }
    return true;
}

// The actions of a plan's first step, and where it leads.
static bool take_first(const cr_replay_step *step, void *context)
{
    loop *l = context;
    for (int slot = 0; step->actions && slot < cr_model_moving_count(l->model); slot++) {
        l->actions[slot] = step->actions[slot];
    }
    cr_state_copy(l->model, l->state, step->state);
    return !step->actions;
}

// What the best future chooses after its first step.
static void note_choices(loop *l)
{
    int64_t steps = 0, last = -1, branch;
    l->choice_count = 0;
    while (l->choice_count < CR_ROOT_FIRST_MAX &&
           (branch = cr_planner_best(l->planner, steps + 1)) > 0 && branch != last) {
        cr_branch b = cr_planner_branch(l->planner, branch);
        steps += b.steps;
        last = branch;
        if (steps > 1) {
            l->choices[l->choice_count++] = b.attempt;
        }
    }
}

// Plan from the state that was read; true if there is something to be done.
static bool plan_frame(loop *l)
{
    cr_plan *plan = NULL;
    cr_root root = cr_default_root();
    root.state = l->state;
    root.first = l->choices;
    root.first_count = l->choice_count;
    if (cr_planner_restart(l->planner, &root, NULL) == CR_OK) {
        cr_slice slice = {.seconds = l->seconds};
        cr_outcome outcome = cr_planner_grow(l->planner, &slice);
        if (cr_plan_create_prefix(l->planner, outcome, 1, &plan, NULL) == CR_OK && plan) {
            note_choices(l);
            cr_plan_replay(plan, 0, take_first, l, NULL);
        }
    }
    bool any = plan != NULL;
    cr_plan_destroy(plan);
    return any;
}

static void write_frame(const loop *l, int64_t step)
{
    printf("%lld", (long long)step);
    for (int slot = 0; slot < cr_model_moving_count(l->model); slot++) {
        const cr_action *a = &l->actions[slot];
        printf(" %.9g %.9g %.9g %.9g %.9g", a->force.x, a->force.y, a->torque.z, a->impulse.x,
               a->impulse.y);
    }
    printf("\n");
    fflush(stdout); // somebody waits for it
}

// Where there is nothing to be done, nothing is.
static void answer_frame(loop *l)
{
    int64_t step = l->state->step;
    for (int slot = 0; slot < cr_model_moving_count(l->model); slot++) {
        l->actions[slot] = (cr_action){0};
    }
    if (!plan_frame(l)) {
        begin_anew(l, step + 1);
    }
    write_frame(l, step);
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
    if (made) {
        begin_anew(&l, 0);
    }
    while (made && read_frame(&l)) {
        answer_frame(&l);
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
