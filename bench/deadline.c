// How well deadlines are kept: a robot's loop in slices. Not a test.
//     build/bench/bench_deadline SCENE.yaml [slices [milliseconds]]
// A slice goes from the call to the best prefix in hand and the tree re-rooted at the end of its
// first branch, and has 10 ms for all of that. Growing stops early by what the rest took at worst
// in the slices before. Twice with 1 and with 2 threads: by processor time, all threads' in growing
// over their number, which other work on the machine does not change; and by the wall's clock.
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

// The branch below the root that the best plan begins with. A prefix of a dead branch is in no
// tree: then any that can be grown from. -1: there is none.
static int64_t first_branch(const cr_planner *planner, const cr_plan *plan)
{
    int64_t branches = cr_planner_branch_count(planner), any = -1;
    int64_t steps = cr_plan_solution(plan, 0).steps;
    for (int64_t b = 1; b < branches; b++) {
        cr_branch one = cr_planner_branch(planner, b);
        any = any < 0 && one.parent == 0 && !one.ended ? b : any;
        if (one.depth == steps) {
            int64_t at = b;
            while (cr_planner_branch(planner, at).parent > 0) {
                at = cr_planner_branch(planner, at).parent;
            }
            return at;
        }
    }
    return any;
}

static bool is_late(void *context)
{
    const loop *l = context;
    return (clock_of(l->clock) - l->begin) / l->share >= l->until;
}

// The robot's frame: grow, take the best prefix, go on below its first branch. Returns its seconds.
static double run_slice(loop *l)
{
    l->begin = clock_of(l->clock);
    l->until = l->deadline - l->rest;
    cr_outcome outcome = cr_planner_grow(l->planner, &(cr_slice){.stop = is_late, .context = l});
    double grown = clock_of(l->clock), grew = (grown - l->begin) / l->share;
    cr_plan *plan = NULL;
    if (cr_plan_create(l->planner, outcome, &plan, NULL) != CR_OK) {
        exit(1);
    }
    l->planned += cr_plan_solution(plan, 0).steps > 0;
    int64_t branch = outcome == CR_OUTCOME_STOPPED ? first_branch(l->planner, plan) : -1;
    if (branch > 0 && cr_planner_reroot(l->planner, branch, NULL) == CR_OK) {
        l->rerooted++;
    } else { // the goal is reached, or the tree is full: the next ball
        cr_planner_restart(l->planner, NULL, NULL);
        l->restarted++;
    }
    cr_plan_destroy(plan);
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

static void measure(const cr_model *model, int threads, clockid_t clock, double *over, int slices,
                    double deadline)
{
    cr_planner_def def = cr_model_planner_def(model);
    bool wall = clock == CLOCK_MONOTONIC;
    loop l = {.clock = clock, .share = wall ? 1 : threads, .deadline = deadline};
    def.threads = threads;
    if (cr_planner_create(model, &def, &l.planner, NULL) != CR_OK) {
        exit(1);
    }
    for (int i = 0; i < slices; i++) {
        over[i] = run_slice(&l) - deadline;
    }
    printf("%d threads, %d slices of %g ms: %lld with a plan, %lld re-rooted, %lld begun anew\n",
           threads, slices, 1e3 * deadline, (long long)l.planned, (long long)l.rerooted,
           (long long)l.restarted);
    print_over(wall ? "wall time" : "processor time", over, slices);
    cr_planner_destroy(l.planner);
}

int main(int argc, char **argv)
{
    if (argc < 2) {
        fprintf(stderr, "usage: bench_deadline SCENE.yaml [slices [milliseconds]]\n");
        return 2;
    }
    cr_model *model = open_model(argv[1]);
    int slices = argc > 2 ? atoi(argv[2]) : 1000;
    double deadline = (argc > 3 ? atof(argv[3]) : 10) / 1e3;
    slices = slices > 0 ? slices : 1;
    double *over = calloc((size_t)slices, sizeof *over);
    for (int threads = 1; threads <= 2 && over; threads++) {
        measure(model, threads, CLOCK_PROCESS_CPUTIME_ID, over, slices, deadline);
        measure(model, threads, CLOCK_MONOTONIC, over, slices, deadline);
    }
    free(over);
    cr_model_destroy(model);
    return 0;
}
