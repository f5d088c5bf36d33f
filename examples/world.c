// The other end of pipe.c: a world for a robot's program to be tried in, at its own pace, 60 frames
// a second. Usage: world SCENE.yaml FRAMES PROGRAM [ARGUMENT...]
//
// Each frame what is seen goes to the program, a line of numbers, and its answer is carried out, as
// well as a world does that has another engine and the default disturbance, but for latency:
// pipe.c does not know of any. Once the goal is reached, or a rule broken, the next world begins.
// In the end it says how long answers took.
#include <carom/carom.h>

#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

typedef struct arena {
    const cr_model *model;
    cr_truth *truth;
    cr_state *seen;
    cr_action *actions;
    FILE *to, *from; // the program
    int worlds, goals, broken;
} arena;

static double now(void)
{
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

static void sleep_until(double when)
{
    double left = when - now();
    if (left > 0) {
        nanosleep(&(struct timespec){(time_t)left, (long)((left - (double)(time_t)left) * 1e9)},
                  NULL);
    }
}

// Start the program, with a pipe to its input and one from its output.
static pid_t start(char **program, FILE **to, FILE **from)
{
    int in[2], out[2];
    if (pipe(in) != 0 || pipe(out) != 0) {
        return -1;
    }
    pid_t child = fork();
    if (child == 0) {
        dup2(in[0], STDIN_FILENO);
        dup2(out[1], STDOUT_FILENO);
        close(in[1]);
        close(out[0]);
        execv(program[0], program);
        perror(program[0]);
        _exit(127);
    }
    close(in[0]);
    close(out[1]);
    *to = fdopen(in[1], "w");
    *from = fdopen(out[0], "r");
    return *to && *from ? child : -1;
}

// Begin the next world; each has noise of its own.
static bool begin_world(arena *a)
{
    cr_truth_def def = cr_default_truth_def();
    def.seed = (uint64_t)++a->worlds;
    def.engine = "ode";
    def.latency = 0;
    cr_truth_destroy(a->truth);
    a->truth = NULL;
    cr_state_start(a->model, a->seen);
    return cr_truth_create(a->model, &def, NULL, &a->truth, NULL) == CR_OK;
}

static void show_frame(const arena *a)
{
    fprintf(a->to, "%lld", (long long)a->seen->step);
    for (int slot = 0; slot < cr_model_moving_count(a->model); slot++) {
        int body = cr_model_moving_body(a->model, slot);
        cr_vec3 at = cr_state_pose(a->model, a->seen, body).position;
        cr_vec3 v = cr_state_velocity(a->model, a->seen, body);
        cr_vec3 spin = cr_state_spin(a->model, a->seen, body);
        fprintf(a->to, " %.9g %.9g %.9g %.9g %.9g %.9g", at.x, at.y,
                cr_state_heading(a->model, a->seen, body), v.x, v.y, spin.z);
    }
    fprintf(a->to, "\n");
    fflush(a->to);
}

static bool read_answer(arena *a)
{
    long long step;
    bool good = fscanf(a->from, "%lld", &step) == 1 && step == (long long)a->seen->step;
    for (int slot = 0; slot < cr_model_moving_count(a->model) && good; slot++) {
        cr_action *to = &a->actions[slot];
        *to = (cr_action){0};
        good = fscanf(a->from, "%lf %lf %lf %lf %lf", &to->force.x, &to->force.y, &to->torque.z,
                      &to->impulse.x, &to->impulse.y) == 5;
    }
    return good;
}

// One frame: show, wait for the answer, carry it out. Returns the seconds that it took, or -1.
static double run_frame(arena *a)
{
    cr_truth_observe(a->truth, a->seen);
    double begin = now();
    show_frame(a);
    if (!read_answer(a)) {
        return -1;
    }
    double took = now() - begin;
    bool alive = cr_truth_step(a->truth, &(cr_command){a->actions, a->seen, a->seen});
    bool goal = cr_truth_goal(a->truth), broken = cr_truth_rule(a->truth) != NULL;
    a->goals += goal;
    a->broken += broken && !goal;
    if (!alive || goal || broken) {
        took = begin_world(a) ? took : -1;
    }
    return took;
}

static int by_size(const void *x, const void *y)
{
    const double *a = x, *b = y;
    return (*a > *b) - (*a < *b);
}

static void report(const arena *a, double *took, int frames, int late, double dt)
{
    qsort(took, (size_t)frames, sizeof *took, by_size);
    printf("%d answers, ms: median %.2f, 90%% %.2f, 99%% %.2f, worst %.2f\n", frames,
           1e3 * took[frames / 2], 1e3 * took[frames * 9 / 10], 1e3 * took[frames * 99 / 100],
           1e3 * took[frames - 1]);
    printf("%d of %d within a frame of %.1f ms; %d worlds, %d goals, %d broken rules\n",
           frames - late, frames, 1e3 * dt, a->worlds, a->goals, a->broken);
}

// All frames, each at its time; one that comes late is not made up for.
static int run(arena *a, int frames)
{
    double *took = calloc((size_t)frames, sizeof *took), dt = cr_model_dt(a->model);
    int late = 0, i = 0;
    if (!took || !begin_world(a)) {
        free(took);
        return 1;
    }
    for (double due = now(); i < frames; i++) {
        sleep_until(due);
        took[i] = run_frame(a);
        if (took[i] < 0) {
            fprintf(stderr, "world: no answer to frame %d\n", i);
            break;
        }
        late += took[i] > dt;
        due = now() > due + dt ? now() : due + dt;
    }
    if (i == frames) {
        report(a, took, frames, late, dt);
    }
    free(took);
    return i == frames ? 0 : 1;
}

static int try_program(const cr_model *model, int frames, char **program)
{
    arena a = {.model = model, .seen = cr_state_create(model)};
    a.actions = calloc((size_t)cr_model_moving_count(model) + 1, sizeof *a.actions);
    signal(SIGPIPE, SIG_IGN); // a program that ends is one that does not answer
    pid_t child = a.seen && a.actions ? start(program, &a.to, &a.from) : -1;
    int code = child > 0 ? run(&a, frames) : 1;
    if (child > 0) {
        fclose(a.to); // the end of its input ends it
        fclose(a.from);
        waitpid(child, NULL, 0);
    }
    cr_truth_destroy(a.truth);
    free(a.seen);
    free(a.actions);
    return code;
}

int main(int argc, char **argv)
{
    cr_report problems = {0};
    cr_scene *scene = NULL;
    cr_model *model = NULL;
    int code = 1, frames = argc > 3 ? atoi(argv[2]) : 0;
    if (frames < 1) {
        fprintf(stderr, "usage: world SCENE.yaml FRAMES PROGRAM [ARGUMENT...]\n");
        return 2;
    }
    if (cr_scene_read(argv[1], &scene, &problems) == CR_OK &&
        cr_model_create(scene, NULL, 0, &model, &problems) == CR_OK) {
        code = try_program(model, frames, argv + 3);
    }
    for (int i = 0; i < problems.count && i < CR_REPORT_MAX; i++) {
        fprintf(stderr, "%s\n", problems.errors[i].message);
    }
    cr_model_destroy(model);
    cr_scene_destroy(scene);
    return code;
}
