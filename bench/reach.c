// The Panda's 40 bookshelf problems with many seeds: how long planning takes on one core.
//
//     CAROM_REFERENCE=folder bench_reach [SEEDS [REPEATS]]
//
// The folder holds arm/panda_spherized.urdf, arm/panda.srdf and arm/bookshelf_small_panda. A run is
// the same each time, so of a few repeats the quickest counts: it was disturbed least. Every path
// is walked again by the independent test.
#include <carom/carom.h>

#include <stdio.h>
#include <stdlib.h>

enum { PROBLEMS = 40 };

typedef struct sample {
    double search, both; // s
    double checks, smooth_checks, length, nodes;
} sample;

typedef struct bench {
    cr_arm *arm;
    cr_reach *reach;
    int seeds, repeats;
    int count, solved, held;
    double clearance;
    sample *samples;
} bench;

static int fail(const cr_report *report)
{
    char text[600];
    fprintf(stderr, "%s\n", cr_error_print(&report->errors[0], text, sizeof text));
    return 1;
}

static int compare(const void *a, const void *b)
{
    double x = *(const double *)a, y = *(const double *)b;
    return x < y ? -1 : x > y;
}

// A quantile of one field of all samples.
static double quantile(const bench *b, size_t field, double share)
{
    double *values = malloc((size_t)b->count * sizeof *values);
    if (!values) {
        return 0;
    }
    for (int i = 0; i < b->count; i++) {
        values[i] = *(const double *)((const char *)&b->samples[i] + field);
    }
    qsort(values, (size_t)b->count, sizeof *values, compare);
    double value = values[(int)(share * (b->count - 1))];
    free(values);
    return value;
}

static int run_one(bench *b, const cr_reach_task *task, uint64_t seed)
{
    cr_report report = {0};
    sample best = {.search = 1e9, .both = 1e9};
    for (int i = 0; i < b->repeats; i++) {
        cr_reach_result r;
        if (cr_reach_plan(b->reach, task, seed, NULL, &r, &report) != CR_OK) {
            return fail(&report);
        }
        double both = r.seconds + r.smooth_seconds;
        best.search = r.seconds < best.search ? r.seconds : best.search;
        best.both = both < best.both ? both : best.both;
        best.checks = (double)r.checks;
        best.smooth_checks = (double)r.smooth_checks;
        best.length = r.length;
        best.nodes = r.nodes;
        if (i == 0 && r.outcome == CR_OUTCOME_SOLVED) {
            cr_reach_proof proof = cr_reach_verify(task, r.path, r.count, 0.01);
            b->solved++;
            b->held += proof.holds;
            b->clearance = proof.clearance < b->clearance ? proof.clearance : b->clearance;
        }
    }
    b->samples[b->count++] = best;
    return 0;
}

static int run_problem(bench *b, const char *folder, int problem)
{
    char scene[512], request[512];
    snprintf(scene, sizeof scene, "%s/arm/bookshelf_small_panda/scene%04d.yaml", folder, problem);
    snprintf(request, sizeof request, "%s/arm/bookshelf_small_panda/request%04d.yaml", folder,
             problem);
    cr_report report = {0};
    cr_reach_tasks *tasks;
    if (cr_moveit_read(b->arm, scene, request, &tasks, &report) != CR_OK) {
        return fail(&report);
    }
    int code = 0;
    for (int seed = 0; seed < b->seeds && code == 0; seed++) {
        code = run_one(b, cr_reach_task_at(tasks, 0), (uint64_t)seed);
    }
    cr_reach_tasks_destroy(tasks);
    return code;
}

static void print_row(const bench *b, const char *name, size_t field, double scale)
{
    printf("| %s | %.1f | %.1f | %.1f | %.1f |\n", name, scale * quantile(b, field, 0.25),
           scale * quantile(b, field, 0.5), scale * quantile(b, field, 0.75),
           scale * quantile(b, field, 0.95));
}

static void print_results(const bench *b)
{
    printf("Panda, %d problems, %d seeds, least of %d repeats: solved %d of %d, held %d of them in "
           "the dense test, least clearance %.3f mm\n\n",
           PROBLEMS, b->seeds, b->repeats, b->solved, b->count, b->held, 1e3 * b->clearance);
    printf("| | 25%% | median | 75%% | 95%% |\n|---|---|---|---|---|\n");
    print_row(b, "search, us", offsetof(sample, search), 1e6);
    print_row(b, "search, smoothing and proof, us", offsetof(sample, both), 1e6);
    print_row(b, "checks of the search", offsetof(sample, checks), 1);
    print_row(b, "checks of smoothing and proof", offsetof(sample, smooth_checks), 1);
    print_row(b, "nodes of both trees", offsetof(sample, nodes), 1);
    print_row(b, "length of the path, rad", offsetof(sample, length), 1);
}

static int run(bench *b, const char *folder)
{
    char urdf[512], srdf[512];
    cr_report report = {0};
    cr_reach_def def = cr_quick_reach_def();
    snprintf(urdf, sizeof urdf, "%s/arm/panda_spherized.urdf", folder);
    snprintf(srdf, sizeof srdf, "%s/arm/panda.srdf", folder);
    if (cr_arm_read(urdf, srdf, &b->arm, &report) != CR_OK ||
        cr_reach_create(&def, &b->reach, &report) != CR_OK) {
        return fail(&report);
    }
    int code = 0;
    for (int problem = 1; problem <= PROBLEMS && code == 0; problem++) {
        code = run_problem(b, folder, problem);
    }
    if (code == 0) {
        print_results(b);
    }
    return code;
}

int main(int argc, char **argv)
{
    const char *folder = getenv("CAROM_REFERENCE");
    if (!folder) {
        fprintf(stderr, "bench_reach: set CAROM_REFERENCE to the folder of the reference data\n");
        return 2;
    }
    bench b = {.seeds = argc > 1 ? atoi(argv[1]) : 100,
               .repeats = argc > 2 ? atoi(argv[2]) : 3,
               .clearance = 1e9};
    if (b.seeds < 1 || b.seeds > 100000 || b.repeats < 1) {
        return 2;
    }
    b.samples = calloc((size_t)(b.seeds * PROBLEMS), sizeof *b.samples);
    int code = b.samples ? run(&b, folder) : 1;
    free(b.samples);
    cr_reach_destroy(b.reach);
    cr_arm_destroy(b.arm);
    return code;
}
