// How well deadlines are kept: a robot's loop in slices. Not a test.
//     build/bench/bench_deadline SCENE.yaml [slices [milliseconds]]
// A slice goes from the call to the best prefix in hand and the tree re-rooted at the end of its
// first branch, and has 10 ms for all of that. Growing stops early by what the rest took at worst
// in the slices before. What counts is processor time of the calling thread beyond the deadline,
// which other work on the machine does not change; wall time is printed beside it. 1 and 2 threads.
#include <carom/carom.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

static double clock_of(clockid_t which)
{
    struct timespec now;
    clock_gettime(which, &now);
    return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

static int by_size(const void *a, const void *b)
{
    const double *x = a, *y = b;
    return (*x > *y) - (*x < *y);
}

static cr_model *open_scene(const char *path)
{
    cr_scene *scene = NULL;
    cr_model *model = NULL;
    cr_report report = {0};
    if (cr_scene_read(path, &scene, &report) != CR_OK ||
        cr_model_create(scene, NULL, 0, &model, &report) != CR_OK) {
        fprintf(stderr, "%s: %s\n", path, report.errors[0].message);
        exit(1);
    }
    cr_scene_destroy(scene);
    return model;
}

// What is measured of a slice, in seconds.
typedef struct slice {
    double processor, wall;
} slice;

typedef struct loop {
    const cr_model *model;
    cr_planner *planner;
    double deadline;
    double rest; // s that taking the prefix and re-rooting took at worst
    int64_t rerooted, restarted, planned;
} loop;

// The branch of the tree that a plan begins with: the first branch below the root on the way to
// its end. -1: there is none.
static int64_t first_branch(const cr_planner *planner, const cr_plan *plan)
{
    int64_t branches = cr_planner_branch_count(planner);
    cr_solution s = cr_plan_solution(plan, 0);
    for (int64_t b = 1; b < branches && s.branches > 0; b++) {
        cr_branch one = cr_planner_branch(planner, b);
        if (one.depth == s.steps) {
            int64_t at = b;
            while (cr_planner_branch(planner, at).parent > 0) {
                at = cr_planner_branch(planner, at).parent;
            }
            return at;
        }
    }
    return -1;
}

// The robot's frame: grow, take the best prefix, go on below its first branch.
static void run_slice(loop *l)
{
    double left = l->deadline - l->rest;
    cr_slice grow = {.seconds = left > 1e-4 ? left : 1e-4};
    cr_outcome outcome = cr_planner_grow(l->planner, &grow);
    double grown = clock_of(CLOCK_THREAD_CPUTIME_ID);
    cr_plan *plan = NULL;
    if (cr_plan_create(l->planner, outcome, &plan, NULL) != CR_OK) {
        exit(1);
    }
    l->planned += cr_plan_solution(plan, 0).steps > 0;
    int64_t branch = outcome == CR_OUTCOME_GROWING ? first_branch(l->planner, plan) : -1;
    if (branch > 0 && cr_planner_reroot(l->planner, branch, NULL) == CR_OK) {
        l->rerooted++;
    } else { // the tree is full, or its goal reached: the next ball
        cr_planner_restart(l->planner, NULL, NULL);
        l->restarted++;
    }
    cr_plan_destroy(plan);
    double rest = clock_of(CLOCK_THREAD_CPUTIME_ID) - grown;
    l->rest = fmax(rest, 0.98 * l->rest); // what was worst is forgotten slowly
}

static void print_over(const char *what, double *over, int count)
{
    qsort(over, (size_t)count, sizeof *over, by_size);
    printf("  %s over the deadline, ms: median %.3f, 99%% %.3f, worst %.3f\n", what,
           1e3 * over[count / 2], 1e3 * over[count * 99 / 100], 1e3 * over[count - 1]);
}

static void measure(const cr_model *model, int threads, int slices, double deadline)
{
    cr_planner_def def = cr_model_planner_def(model);
    loop l = {.model = model, .deadline = deadline};
    double *processor = calloc((size_t)slices, sizeof *processor);
    double *wall = calloc((size_t)slices, sizeof *wall);
    def.threads = threads;
    def.solutions = 1000000; // a goal ends no slice
    if (!processor || !wall || cr_planner_create(model, &def, &l.planner, NULL) != CR_OK) {
        exit(1);
    }
    for (int i = 0; i < slices; i++) {
        slice begin = {clock_of(CLOCK_THREAD_CPUTIME_ID), clock_of(CLOCK_MONOTONIC)};
        run_slice(&l);
        processor[i] = clock_of(CLOCK_THREAD_CPUTIME_ID) - begin.processor - deadline;
        wall[i] = clock_of(CLOCK_MONOTONIC) - begin.wall - deadline;
    }
    printf("%d threads, %d slices of %g ms: %lld with a plan, %lld re-rooted, %lld begun anew\n",
           threads, slices, 1e3 * deadline, (long long)l.planned, (long long)l.rerooted,
           (long long)l.restarted);
    print_over("processor time", processor, slices);
    print_over("wall time", wall, slices);
    cr_planner_destroy(l.planner);
    free(processor);
    free(wall);
}

int main(int argc, char **argv)
{
    if (argc < 2) {
        fprintf(stderr, "usage: bench_deadline SCENE.yaml [slices [milliseconds]]\n");
        return 2;
    }
    cr_model *model = open_scene(argv[1]);
    int slices = argc > 2 ? atoi(argv[2]) : 1000;
    double deadline = (argc > 3 ? atof(argv[3]) : 10) / 1e3;
    for (int threads = 1; threads <= 2; threads++) {
        measure(model, threads, slices > 0 ? slices : 1, deadline);
    }
    cr_model_destroy(model);
    return 0;
}
