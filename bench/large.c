// What one large world costs and gets right, in one run; not a test.
//     build/bench/bench_large [dice|compile|boxes|threads|sleep|pile [STEPS]|all]
//
//   dice     400 dice of 16 mm fall into a bucket of fixed walls; one core, nothing asleep: time a
//            step against bare ODE (QuickStep, 20 iterations, hash space), in turns from the same
//            states, the overlaps of both and their energies
//   compile  reading and compiling 400 and 4000 dice, and making an engine for them
//   boxes    2000 boxes: time a step against that of 400
//   threads  one and two threads inside of a step
//   sleep    400 dice, where what rests may sleep
//   pile     1000 boxes come to rest and stay for a minute, nothing asleep
//   heap     COUNT ROW STEPS [sleep]: so many boxes in a bucket so many wide
//   steps    COUNT ROW STEPS [THREADS]: the same and nothing else, for a profile
#define _GNU_SOURCE // NOLINT: processors of threads

#include <pthread.h>
#include <sched.h>
#include <stdio.h>
#include <unistd.h>

#include "bare_ode.h"
#include "engine/large/large.h"
#include "heap.h"
#include "measure.h"
#include "overlap.h"

// ---------------------------------------------------------------------------------------------
// Scenes.

static world boxes_in_bucket(int count, double edge, int row)
{
    world w = heap_of(count, edge, row, 0);
    world_finish(&w);
    return w;
}

// ---------------------------------------------------------------------------------------------
// What is measured of a state.

static double energy_of(const cr_model *model, const cr_body_state *s)
{
    double sum = 0;
    for (int i = 0; i < model->moving_count; i++) {
        const cr_body *b = &model->bodies[model->moving[i]];
        cr_vec3 w = cri_unrotate(s[i].rotation, s[i].spin);
        sum +=
            0.5 * b->mass * cri_dot(s[i].velocity, s[i].velocity) +
            0.5 * (b->inertia.x * w.x * w.x + b->inertia.y * w.y * w.y + b->inertia.z * w.z * w.z) -
            b->mass * cri_dot(model->gravity, s[i].position);
    }
    return sum;
}

// The fastest body, and the root of the mean square, m/s.
static double speed_of(const cr_model *model, const cr_body_state *s, double *mean)
{
    double most = 0, sum = 0;
    for (int i = 0; i < model->moving_count; i++) {
        double square = cri_dot(s[i].velocity, s[i].velocity);
        most = fmax(most, square);
        sum += square;
    }
    *mean = sqrt(sum / model->moving_count);
    return sqrt(most);
}

// Depths of all pairs that overlap, m; returns how many.
static int depths_of(const cr_model *model, const cr_body_state *s, double *depths, int max)
{
    int count = 0;
    for (int a = 0; a < model->body_count; a++) {
        for (int b = a + 1; b < model->body_count; b++) {
            const cr_body *one = &model->bodies[a], *two = &model->bodies[b];
            if (one->slot < 0 && two->slot < 0) {
                continue;
            }
            cr_pose p =
                one->slot < 0 ? one->pose : (cr_pose){s[one->slot].position, s[one->slot].rotation};
            cr_pose q = {s[two->slot].position, s[two->slot].rotation};
            if (one->slot >= 0 &&
                cri_length(cri_sub(p.position, q.position)) > one->radius + two->radius) {
                continue;
            }
            double deepest = overlap_depth(&one->parts[0].shape, p, &two->parts[0].shape, q);
            if (deepest > 0 && count < max) {
                depths[count++] = deepest;
            }
        }
    }
    return count;
}

typedef struct depth {
    int count;
    double mean, most, nearly_all; // the 99.9th percentile
} depth;

static depth measure_depth(const cr_model *model, const cr_body_state *s)
{
    enum { MAX = 100000 };
    double *all = malloc(MAX * sizeof *all), sum = 0;
    int count = depths_of(model, s, all, MAX);
    qsort(all, (size_t)count, sizeof *all, by_size);
    for (int i = 0; i < count; i++) {
        sum += all[i];
    }
    depth d = {count, count ? sum / count : 0, count ? all[count - 1] : 0,
               count ? all[(int)(0.999 * (count - 1))] : 0};
    free(all);
    return d;
}

static void tell(const char *name, const cr_model *model, const cr_state *state)
{
    const cr_body_state *s = cr_state_bodies_const(model, state);
    depth d = measure_depth(model, s);
    double mean, most = speed_of(model, s, &mean);
    printf("  %-10s %4d overlaps, %.3f mm on average, %.3f at 99.9%%, %.3f at most; energy "
           "%.5f J, speed %.3f mm/s rms, %.2f at most\n",
           name, d.count, 1e3 * d.mean, 1e3 * d.nearly_all, 1e3 * d.most, energy_of(model, s),
           1e3 * mean, 1e3 * most);
}

// ---------------------------------------------------------------------------------------------
// Runners.

typedef struct runner {
    const cr_model *model;
    cri_large large;
    cr_state *state;
    cr_action *actions;
} runner;

static void open_runner(runner *r, const cr_model *model, int threads, bool sleeps)
{
    *r = (runner){.model = model,
                  .state = cr_state_create(model),
                  .actions = calloc((size_t)model->moving_count, sizeof(cr_action))};
    if (cri_large_init(&r->large, model, cri_large_best(), NULL) != CR_OK) {
        exit(1);
    }
    cri_team_resize(&r->large.team, threads);
    r->large.sleeps = sleeps;
}

// Returns seconds a step, of the clock given.
static double run_steps(runner *r, int steps, clockid_t clock)
{
    double from = clock_of(clock);
    for (int i = 0; i < steps; i++) {
        cr_step step = {.from = r->state, .to = r->state, .actions = r->actions};
        if (!cri_large_step(&r->large, &step)) {
            printf("not for floats, or too crowded\n");
            exit(1);
        }
    }
    return (clock_of(clock) - from) / steps;
}

static void close_runner(runner *r)
{
    cri_large_free(&r->large);
    free(r->state);
    free(r->actions);
}

enum { TURNS = 9, SLICE = 20 };

static void tell_bare(const bare_ode *bare, const cr_model *model)
{
    cr_state *other = cr_state_create(model);
    bare_get(bare, cr_state_bodies(model, other));
    tell("bare ODE", model, other);
    free(other);
}

static void compare_dice(void)
{
    world w = boxes_in_bucket(400, 0.016, 6);
    runner r;
    open_runner(&r, &w.model, 1, false);
    bare_def def = bare_default_def();
    def.space = BARE_HASH;
    bare_ode *bare = bare_create(&w.model, &def);
    bare_set(bare, cr_state_bodies_const(&w.model, r.state));
    double ours[TURNS], theirs[TURNS], ratios[TURNS];
    for (int turn = 0; turn < TURNS; turn++) {
        ours[turn] = run_steps(&r, SLICE, CLOCK_PROCESS_CPUTIME_ID);
        double from = processor_time();
        for (int i = 0; i < SLICE; i++) {
            bare_step(bare, r.actions);
        }
        theirs[turn] = (processor_time() - from) / SLICE;
        ratios[turn] = theirs[turn] / ours[turn];
        printf("dice, step %d: lanes %.3f ms, bare ODE %.3f ms, ratio %.2f\n", (turn + 1) * SLICE,
               1e3 * ours[turn], 1e3 * theirs[turn], ratios[turn]);
        tell("lanes", &w.model, r.state);
        tell_bare(bare, &w.model);
    }
    double ratio = median(ratios, TURNS);
    printf("400 dice: lanes %.3f ms a step, bare ODE %.3f, ratio %.2f (bar 3: %s; aim 1.5 ms)\n",
           1e3 * median(ours, TURNS), 1e3 * median(theirs, TURNS), ratio, verdict(ratio >= 3));
    bare_destroy(bare);
    close_runner(&r);
    world_free(&w);
}

// A world by our engine alone.
static void watch(const char *name, world w, int steps, bool sleeps)
{
    enum { LOOKS = 6 };
    runner r;
    open_runner(&r, &w.model, 1, sleeps);
    for (int i = 1; i <= LOOKS; i++) {
        double time = run_steps(&r, steps / LOOKS, CLOCK_PROCESS_CPUTIME_ID);
        printf("%s%s, step %d: %.3f ms a step\n", name, sleeps ? ", sleeping" : "",
               i * (steps / LOOKS), 1e3 * time);
        tell("lanes", &w.model, r.state);
    }
    close_runner(&r);
    world_free(&w);
}

// Steps and nothing else.
static void only_step(int count, int row, int steps, int threads)
{
    world w = boxes_in_bucket(count, 0.1, row);
    runner r;
    open_runner(&r, &w.model, threads, false);
    double time = run_steps(&r, steps, CLOCK_PROCESS_CPUTIME_ID);
    printf("%d boxes: %.3f ms a step; %d pairs, %d patches, %d lots, %d slabs, %d lots between\n",
           count, 1e3 * time, r.large.pair_count, r.large.patch_count, r.large.lot_count,
           r.large.slab_count, r.large.lot_count - r.large.slabs[r.large.slab_count].lot);
    close_runner(&r);
    world_free(&w);
}

// On a machine where others work the threads of a team may find themselves on one processor.
static void spread_threads(const cri_team *team)
{
    int processors = (int)sysconf(_SC_NPROCESSORS_ONLN);
    for (int i = 0; i <= team->started && team->started > 0; i++) {
        cpu_set_t set;
        CPU_ZERO(&set);
        CPU_SET((size_t)(i % processors), &set);
        pthread_t thread = i < team->started ? team->threads[i] : pthread_self();
        pthread_setaffinity_np(thread, sizeof set, &set);
    }
}

// The same heaps in turns: small and large, or with one and with two threads.
static void compare(const char *name, world one, world two, int threads, clockid_t clock)
{
    runner a, b;
    double times[2][TURNS], ratios[TURNS];
    open_runner(&a, &one.model, 1, false);
    open_runner(&b, &two.model, threads, false);
    spread_threads(&b.large.team);
    run_steps(&a, 60, clock);
    run_steps(&b, 60, clock);
    for (int i = 0; i < TURNS; i++) {
        times[0][i] = run_steps(&a, 5, clock);
        times[1][i] = run_steps(&b, 5, clock);
        ratios[i] = times[1][i] / times[0][i];
    }
    double ratio = median(ratios, TURNS), least[2] = {HUGE_VAL, HUGE_VAL};
    for (int i = 0; i < TURNS; i++) {
        least[0] = fmin(least[0], times[0][i]);
        least[1] = fmin(least[1], times[1][i]);
    }
    printf("%s: median %.3f ms and %.3f ms a step, ratio %.2f; least %.3f and %.3f, ratio %.2f\n",
           name, 1e3 * median(times[0], TURNS), 1e3 * median(times[1], TURNS), ratio,
           1e3 * least[0], 1e3 * least[1], least[1] / least[0]);
    close_runner(&a);
    close_runner(&b);
    world_free(&one);
    world_free(&two);
}

// Compiling a crowd of dice, and what follows.
static void compile_dice(int side)
{
    enum { TIMES = 9 };
    char text[512];
    double compile[TIMES], engine[TIMES];
    int length =
        snprintf(text, sizeof text,
                 "name: dice\nbodies:\n"
                 "  floor: {kind: static, shape: {plane: [0, 0, 1]}}\n"
                 "  die: {kind: passive, shape: {box: [0.016, 0.016, 0.016]}, mass: 0.004,\n"
                 "    grid: [20, 20, %d], pitch: [0.03, 0.03, 0.03], at: [0, 0]}\n",
                 side);
    size_t bytes = 0;
    for (int i = 0; i < TIMES; i++) {
        cr_scene *scene = NULL;
        cr_model *model = NULL;
        cr_engine *made = NULL;
        double from = processor_time();
        if (cr_scene_read_text(text, (size_t)length, "dice.yaml", &scene, NULL) != CR_OK ||
            cr_model_create(scene, NULL, 0, &model, NULL) != CR_OK) {
            printf("cannot compile the dice\n");
            exit(1);
        }
        compile[i] = processor_time() - from;
        from = processor_time();
        if (cr_engine_create(model, "lanes", &made, NULL) != CR_OK) {
            exit(1);
        }
        engine[i] = processor_time() - from;
        bytes = cr_state_size(model);
        cr_engine_destroy(made);
        cr_model_destroy(model);
        cr_scene_destroy(scene);
    }
    printf("%d dice: read and compiled in %.2f ms, engine made in %.2f ms, %zu bytes a state\n",
           400 * side, 1e3 * median(compile, TIMES), 1e3 * median(engine, TIMES), bytes);
}

int main(int argc, char **argv)
{
    const char *what = argc > 1 ? argv[1] : "all";
    bool all = strcmp(what, "all") == 0;
    if (all || strcmp(what, "dice") == 0) {
        compare_dice();
    }
    if (all || strcmp(what, "compile") == 0) {
        compile_dice(1);
        compile_dice(10);
    }
    if (all || strcmp(what, "boxes") == 0) {
        compare("400 and 2000 boxes, as deep", boxes_in_bucket(400, 0.1, 6),
                boxes_in_bucket(2000, 0.1, 13), 1, CLOCK_PROCESS_CPUTIME_ID);
        compare("400 and 2000 boxes, twice as deep", boxes_in_bucket(400, 0.1, 6),
                boxes_in_bucket(2000, 0.1, 10), 1, CLOCK_PROCESS_CPUTIME_ID);
    }
    if (all || strcmp(what, "threads") == 0) {
        compare("2000 boxes, one and two threads", boxes_in_bucket(2000, 0.1, 10),
                boxes_in_bucket(2000, 0.1, 10), 2, CLOCK_MONOTONIC);
    }
    if (all || strcmp(what, "sleep") == 0) {
        watch("400 dice", boxes_in_bucket(400, 0.016, 6), argc > 2 ? atoi(argv[2]) : 240, true);
    }
    if (all || strcmp(what, "pile") == 0) {
        watch("1000 boxes", boxes_in_bucket(1000, 0.1, 8), argc > 2 ? atoi(argv[2]) : 3600, false);
    }
    if (strcmp(what, "steps") == 0 && argc > 4) {
        only_step(atoi(argv[2]), atoi(argv[3]), atoi(argv[4]), argc > 5 ? atoi(argv[5]) : 1);
    }
    if (strcmp(what, "heap") == 0 && argc > 4) {
        watch("boxes", boxes_in_bucket(atoi(argv[2]), 0.1, atoi(argv[3])), atoi(argv[4]),
              argc > 5 && strcmp(argv[5], "sleep") == 0);
    }
    return 0;
}
