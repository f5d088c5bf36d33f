// How well deadlines are kept: a robot's loop in slices. Not a test.
//     build/bench/bench_deadline SLICES MILLISECONDS SCENE.yaml...
// A slice goes from the call to the best prefix in hand, up to its first decision, and the tree
// re-rooted there, and has the milliseconds for all of that. Growing stops early by what the rest
// took at worst in the slices before. Each scene with as many solutions as it says and with 1000
// kept, with 1 and with 2 threads, and twice: by processor time, all threads' in growing over their
// number, which other work on the machine does not change; and by the wall's clock.
#include <carom/carom.h>
#include <dirent.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "measure.h"

// ---------------------------------------------------------------------------------------------
// Clocks. That of the process knows of its running threads only what they had used at the last
// tick of the system, 4 ms ago; each thread's own is exact.

enum { THREADS_MAX = 8 };

typedef struct clocks {
    clockid_t items[THREADS_MAX];
    int count;
} clocks;

// The processor time of a thread of this process, by its number (Linux: man 2 clock_getres).
static clockid_t clock_of_thread(long thread)
{
    return (clockid_t)(~(unsigned)thread << 3 | 6U);
}

static clocks find_clocks(bool wall)
{
    clocks c = {{CLOCK_MONOTONIC}, 1};
    DIR *threads = wall ? NULL : opendir("/proc/self/task");
    c.count = wall ? 1 : 0;
    for (struct dirent *d = NULL; threads && (d = readdir(threads)) && c.count < THREADS_MAX;) {
        if (atol(d->d_name) > 0) {
            c.items[c.count++] = clock_of_thread(atol(d->d_name));
        }
    }
    if (threads) {
        closedir(threads);
    }
    return c;
}

static double read_clocks(const clocks *c)
{
    double sum = 0;
    for (int i = 0; i < c->count; i++) {
        sum += clock_of(c->items[i]);
    }
    return sum;
}

// ---------------------------------------------------------------------------------------------
// The robot's loop.

typedef struct loop {
    cr_planner *planner;
    clocks clocks; // that the deadline is on
    double deadline;
    double begin; // of the slice
    double until; // when growing stops
    double rest;  // s that taking the prefix and re-rooting took at worst
    int64_t rerooted, restarted, planned;
} loop;

static bool is_late(void *context)
{
    const loop *l = context;
    return (read_clocks(&l->clocks) - l->begin) / l->clocks.count >= l->until;
}

// Take the best prefix, up to its first decision. Returns the branch to re-root at, or -1.
static int64_t take_prefix(loop *l, cr_outcome outcome)
{
    cr_plan *plan = NULL;
    int64_t branch = cr_planner_best(l->planner, 1);
    int64_t steps = branch > 0 ? cr_planner_branch(l->planner, branch).steps : 1;
    if (cr_plan_create_prefix(l->planner, outcome, steps, &plan, NULL) != CR_OK) {
        exit(1);
    }
    l->planned += plan != NULL;
    cr_plan_destroy(plan);
    return branch;
}

// Go on below the branch. Where nothing is better than the root, the tree stays; where the goal is
// reached, or the tree is full, the next ball is played.
static void go_on(loop *l, cr_outcome outcome, int64_t branch)
{
    if (outcome != CR_OUTCOME_STOPPED) {
        cr_planner_restart(l->planner, NULL, NULL);
        l->restarted++;
    } else if (branch > 0 && cr_planner_reroot(l->planner, branch, NULL) == CR_OK) {
        l->rerooted++;
    }
}

// The robot's frame: grow, take the best prefix, go on below its first branch. Returns its seconds.
static double run_slice(loop *l)
{
    l->begin = read_clocks(&l->clocks);
    l->until = l->deadline - l->rest;
    cr_outcome outcome = cr_planner_grow(l->planner, &(cr_slice){.stop = is_late, .context = l});
    double grown = read_clocks(&l->clocks), grew = (grown - l->begin) / l->clocks.count;
    go_on(l, outcome, take_prefix(l, outcome));
    double rest = read_clocks(&l->clocks) - grown;
    l->rest = fmin(fmax(rest, 0.98 * l->rest), 0.9 * l->deadline); // forgotten slowly
    return grew + rest;
}

// ---------------------------------------------------------------------------------------------

typedef struct task {
    const cr_model *model;
    const char *scene;
    int slices, solutions, threads;
    bool wall;
    double deadline;
    double *over; // by slice
} task;

// The bar is on processor time.
static bool print_row(const task *t, const loop *l)
{
    qsort(t->over, (size_t)t->slices, sizeof *t->over, by_size);
    double most = t->over[t->slices * 99 / 100];
    printf("| %s | %d | %d | %s | %.2f | %.2f | %.2f | %lld, %lld, %lld | %s |\n", t->scene,
           t->solutions, t->threads, t->wall ? "wall" : "processor", 1e3 * t->over[t->slices / 2],
           1e3 * most, 1e3 * t->over[t->slices - 1], (long long)l->planned, (long long)l->rerooted,
           (long long)l->restarted, t->wall ? "-" : verdict(most < 1e-3));
    fflush(stdout);
    return t->wall || most < 1e-3;
}

static bool measure(const task *t)
{
    cr_planner_def def = cr_model_planner_def(t->model);
    loop l = {.deadline = t->deadline};
    def.threads = t->threads;
    def.solutions = t->solutions;
    if (cr_planner_create(t->model, &def, &l.planner, NULL) != CR_OK) {
        exit(1);
    }
    l.clocks = find_clocks(t->wall);
    for (int i = 0; i < t->slices; i++) {
        t->over[i] = run_slice(&l) - t->deadline;
    }
    cr_planner_destroy(l.planner);
    return print_row(t, &l);
}

static bool measure_scene(task t, const char *path)
{
    bool met = true;
    cr_model *model = open_model(path);
    t.model = model;
    t.scene = strrchr(path, '/') ? strrchr(path, '/') + 1 : path;
    for (int i = 0; i < 8; i++) {
        t.solutions = i & 4 ? 1000 : cr_model_planner_def(model).solutions;
        t.threads = i & 2 ? 2 : 1;
        t.wall = i & 1;
        met &= measure(&t);
    }
    cr_model_destroy(model);
    return met;
}

int main(int argc, char **argv)
{
    int slices = argc > 3 ? atoi(argv[1]) : 0;
    double *over = calloc((size_t)(slices > 0 ? slices : 1), sizeof *over);
    task t = {.slices = slices, .deadline = argc > 3 ? atof(argv[2]) / 1e3 : 0, .over = over};
    bool met = true;
    if (slices < 1 || !over) {
        fprintf(stderr, "usage: bench_deadline SLICES MILLISECONDS SCENE.yaml...\n");
        free(over);
        return 2;
    }
    printf("%d slices of %g ms; ms over the deadline:\n\n", slices, 1e3 * t.deadline);
    printf(
        "| scene | solutions kept | threads | time | median | 99%% | worst | slices with a plan, "
        "re-rooted, begun anew | 99%% below 1 ms |\n|---|---|---|---|---|---|---|---|---|\n");
    for (int i = 3; i < argc; i++) {
        met &= measure_scene(t, argv[i]);
    }
    free(over);
    return met ? 0 : 1;
}
