// Steps per second of each engine beside a bare ODE program, in one run. Not a test.
//     build/bench/bench_speed [seconds a row [course]]
#include <stdio.h>
#include <time.h>

#include "bare_ode.h"
#include "carom/library.h"
#include "courses.h"
#include "engine/stepper.h"

static double seconds(void)
{
    struct timespec now;
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &now);
    return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

// ---------------------------------------------------------------------------------------------
// ODE alone.

static double bare_rate(const cr_model *model, bool quick, double time)
{
    bare_ode *bare = bare_create(model, quick);
    cr_state *state = cr_state_create(model);
    cr_vec3 forces[64] = {{0}};
    double start = seconds();
    int steps = 0;
    for (; steps % EPISODE || seconds() - start < time; steps++) {
        if (steps % EPISODE == 0) {
            begin_episode(model, state, steps / EPISODE);
            bare_set(bare, cri_bodies(model, state));
        }
        for (int slot = 0; slot < model->moving_count; slot++) {
            bool drives = model->bodies[model->moving[slot]].upright;
            forces[slot] = drives ? drive(slot, steps) : cri_vec3(0, 0, 0);
        }
        bare_step(bare, forces);
    }
    double rate = steps / (seconds() - start);
    bare_destroy(bare);
    free(state);
    return rate;
}

// ---------------------------------------------------------------------------------------------
// Engines.

enum { BATCH = 8 };

typedef struct runner {
    const cr_model *model;
    cr_step steps[BATCH];
    cr_action *actions;
    int episode;
} runner;

static runner open_runner(const cr_model *model)
{
    runner r = {.model = model};
    size_t movers = (size_t)model->moving_count;
    r.actions = calloc(movers, sizeof *r.actions);
    for (int i = 0; i < BATCH; i++) {
        cr_state *state = cr_state_create(model);
        cr_contact *contacts = calloc((size_t)model->contact_max + 1, sizeof *contacts);
        if (!state || !contacts || !r.actions) {
            abort();
        }
        r.steps[i] =
            (cr_step){.from = state, .to = state, .actions = r.actions, .contacts = contacts};
    }
    return r;
}

static void close_runner(runner *r)
{
    for (int i = 0; i < BATCH; i++) {
        free(r->steps[i].to);
        free(r->steps[i].contacts);
    }
    free(r->actions);
}

static void run_batch(runner *r, const cr_engine_type *type, void *engine, int step)
{
    for (int i = 0; i < BATCH && step % EPISODE == 0; i++) {
        begin_episode(r->model, r->steps[i].to, r->episode++);
    }
    for (int slot = 0; slot < r->model->moving_count; slot++) {
        if (r->model->bodies[r->model->moving[slot]].upright) {
            r->actions[slot].force = drive(slot, step);
        }
    }
    type->step(engine, r->steps, BATCH);
    for (int i = 0; i < BATCH; i++) {
        if (!r->steps[i].alive) {
            printf("a world blew up\n");
            exit(1);
        }
    }
}

static double engine_rate(const cr_model *model, const cr_engine_type *type, double time)
{
    runner r = open_runner(model);
    void *engine;
    if (type->create(model, &engine, NULL) != CR_OK) {
        abort();
    }
    double start = seconds();
    int steps = 0;
    for (; steps % EPISODE || seconds() - start < time; steps++) {
        run_batch(&r, type, engine, steps);
    }
    double rate = BATCH * (double)steps / (seconds() - start);
    type->destroy(engine);
    close_runner(&r);
    return rate;
}

static void print_row(const char *course, const char *what, double rate, double yardstick)
{
    printf("%-9s %-22s %11.0f %9.3f %8.1f\n", course, what, rate, 1e6 / rate, rate / yardstick);
    fflush(stdout);
}

static void measure(const course_def *def, double time)
{
    world w = world_make();
    def->make(&w);
    world_finish(&w);
    double quick = bare_rate(&w.model, true, time), exact = bare_rate(&w.model, false, time);
    double yardstick = fmax(quick, exact);
    print_row(def->name, "bare ODE, QuickStep", quick, yardstick);
    print_row(def->name, "bare ODE, Step", exact, yardstick);
    for (int i = 0; i < cr_library_engine_count(NULL); i++) {
        const cr_engine_type *type = cr_library_engine(NULL, i);
        char name[32];
        snprintf(name, sizeof name, "engine %s", type->name);
        print_row(def->name, name, engine_rate(&w.model, type, time), yardstick);
    }
    world_free(&w);
}

int main(int argc, char **argv)
{
    double time = argc > 1 ? atof(argv[1]) : 1;
    printf("one core, stepper: %s\n", cri_stepper_best()->name);
    printf("%-9s %-22s %11s %9s %8s\n", "course", "", "steps/s", "us/step", "ratio");
    for (int i = 0; i < COURSE_COUNT; i++) {
        if (argc <= 2 || strcmp(argv[2], COURSES[i].name) == 0) {
            measure(&COURSES[i], time);
        }
    }
    return 0;
}
