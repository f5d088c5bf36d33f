// How well deadlines are kept: a robot's loop in slices. Not a test.
//     build/bench/bench_deadline SCENE.yaml [slices [milliseconds [solutions]]]
// A slice goes from the call to the best prefix in hand, up to its first decision, and the tree
// re-rooted there, and has 10 ms for all of that. Growing stops early by what the rest took at
// worst in the slices before. Twice with 1 and with 2 threads: by processor time, all threads' in
// growing over their number, which other work on the machine does not change; and by the wall's
// clock.
#include <carom/carom.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

#include "measure.h"

typedef struct loop {
    cr_planner *planner;
    clockid_t clock; // that the deadline is on
    int share;       // threads that this clock adds up while the tree grows
    double deadline;
    double begin; // of the slice
    double until; // when growing stops
    double rest;  // s that taking the prefix and re-rooting took at worst
    int64_t rerooted, restarted, planned;
} loop;

static bool is_late(void *context)
{
    const loop *l = context;
    return (clock_of(l->clock) - l->begin) / l->share >= l->until;
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
    l->begin = clock_of(l->clock);
    l->until = l->deadline - l->rest;
    cr_outcome outcome = cr_planner_grow(l->planner, &(cr_slice){.stop = is_late, .context = l});
    double grown = clock_of(l->clock), grew = (grown - l->begin) / l->share;
    go_on(l, outcome, take_prefix(l, outcome));
    double rest = clock_of(l->clock) - grown;
    l->rest = fmin(fmax(rest, 0.98 * l->rest), 0.9 * l->deadline); // forgotten slowly
    return grew + rest;
}

static void print_over(const char *what, double *over, int count)
{
    qsort(over, (size_t)count, sizeof *over, by_size);
    printf("  %s over the deadline, ms: median %.3f, 99%% %.3f, worst %.3f\n", what,
           1e3 * over[count / 2], 1e3 * over[count * 99 / 100], 1e3 * over[count - 1]);
}

typedef struct task {
    const cr_model *model;
    int slices, solutions;
    double deadline;
    double *over; // by slice
} task;

static void measure(const task *t, int threads, clockid_t clock)
{
    cr_planner_def def = cr_model_planner_def(t->model);
    bool wall = clock == CLOCK_MONOTONIC;
    loop l = {.clock = clock, .share = wall ? 1 : threads, .deadline = t->deadline};
    def.threads = threads;
    def.solutions = t->solutions > 0 ? t->solutions : def.solutions;
    if (cr_planner_create(t->model, &def, &l.planner, NULL) != CR_OK) {
        exit(1);
    }
    for (int i = 0; i < t->slices; i++) {
        t->over[i] = run_slice(&l) - t->deadline;
    }
    printf("%d threads, %d slices of %g ms: %lld with a plan, %lld re-rooted, %lld begun anew\n",
           threads, t->slices, 1e3 * t->deadline, (long long)l.planned, (long long)l.rerooted,
           (long long)l.restarted);
    print_over(wall ? "wall time" : "processor time", t->over, t->slices);
    cr_planner_destroy(l.planner);
}

int main(int argc, char **argv)
{
    if (argc < 2) {
        fprintf(stderr, "usage: bench_deadline SCENE.yaml [slices [milliseconds [solutions]]]\n");
        return 2;
    }
    cr_model *model = open_model(argv[1]);
    int slices = argc > 2 ? atoi(argv[2]) : 1000;
    task t = {.model = model, .slices = slices > 0 ? slices : 1};
    t.deadline = (argc > 3 ? atof(argv[3]) : 10) / 1e3;
    t.solutions = argc > 4 ? atoi(argv[4]) : 0;
    t.over = calloc((size_t)t.slices, sizeof *t.over);
    for (int threads = 1; threads <= 2 && t.over; threads++) {
        measure(&t, threads, CLOCK_PROCESS_CPUTIME_ID);
        measure(&t, threads, CLOCK_MONOTONIC);
    }
    free(t.over);
    cr_model_destroy(model);
    return 0;
}
