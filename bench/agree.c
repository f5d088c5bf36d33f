// How well the lanes engine agrees with ODE. Not a test.
//     build/bench/bench_agree [roll-outs [scene.yaml ...]]
// Without scenes: the courses that benchmarks run.
#include <stdio.h>

#include "rollout.h"

static void print_row(const char *name, const cr_model *model, int rollouts)
{
    agreement a = compare_engines(model, rollouts);
    if (a.count == 0) {
        printf("%-28s     0 no ball, or no roll-out with at most two bounces\n", name);
        return;
    }
    printf("%-28s %5d %9.3f %9.3f %9.3f %9.3f  %s\n", name, a.count, 1e3 * a.error,
           1e3 * a.error_most, 1e3 * a.spread, 1e3 * a.spread_most,
           a.error <= fmax(0.01, a.spread) ? "agrees" : "DIFFERS");
    fflush(stdout);
}

static void measure_course(const course_def *def, int rollouts)
{
    world w = world_make();
    def->make(&w);
    world_finish(&w);
    print_row(def->name, &w.model, rollouts);
    world_free(&w);
}

static void measure_scene(const char *path, int rollouts)
{
    cr_scene *scene = NULL;
    cr_model *model = NULL;
    cr_report report = {0};
    if (cr_scene_read(path, &scene, &report) != CR_OK ||
        cr_model_create(scene, NULL, 0, &model, &report) != CR_OK) {
        printf("%s: %s\n", path, report.errors[0].message);
    } else {
        const char *slash = strrchr(path, '/');
        print_row(slash ? slash + 1 : path, model, rollouts);
    }
    cr_model_destroy(model);
    cr_scene_destroy(scene);
}

int main(int argc, char **argv)
{
    int rollouts = argc > 1 ? atoi(argv[1]) : 200;
    printf("%d steps, at most two bounces; distances of balls in mm\n", ROLLOUT_STEPS);
    printf("%-28s %5s %9s %9s %9s %9s\n", "", "", "lanes-ODE", "", "ODE 1/240-1/960", "");
    printf("%-28s %5s %9s %9s %9s %9s\n", "", "count", "median", "90%", "median", "90%");
    for (int i = 0; argc <= 2 && i < COURSE_COUNT; i++) {
        measure_course(&COURSES[i], rollouts);
    }
    for (int i = 2; i < argc; i++) {
        measure_scene(argv[i], rollouts);
    }
    return 0;
}
