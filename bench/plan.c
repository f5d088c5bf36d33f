// Nodes per second of whole searches: each scene with each engine, on one thread and on all cores,
// in one run, with the share of time that the engine takes. Not a test.
//     build/bench/bench_plan NODES scene.yaml ...
#include <carom/carom.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef struct result {
    double rate, engine, behavior, select; // nodes/s; shares
    uint64_t hash;
} result;

static result search(const cr_model *model, const char *engine, int threads, int nodes)
{
    cr_planner_def def = cr_model_planner_def(model);
    def.engine = engine;
    def.threads = threads;
    def.nodes = nodes;
    def.steps = 0;
    def.solutions = 1000000;
    cr_planner *planner;
    if (cr_planner_create(model, NULL, &def, &planner, NULL) != CR_OK) {
        abort();
    }
    cr_planner_grow(planner, NULL);
    cr_planner_stats s = cr_planner_get_stats(planner);
    double sum = s.engine_seconds + s.behavior_seconds + s.select_seconds;
    result r = {(double)s.nodes / s.seconds, s.engine_seconds / sum, s.behavior_seconds / sum,
                s.select_seconds / sum, s.tree_hash};
    cr_planner_destroy(planner);
    return r;
}

static void measure(const char *name, const cr_model *model, int nodes)
{
    static const char *const engines[] = {"ode", "lanes"};
    double first = 0;
    for (int i = 0; i < 2; i++) {
        result one = search(model, engines[i], 1, nodes), all = search(model, engines[i], 0, nodes);
        first = i ? first : one.rate;
        printf("%-18s %-6s %9.0f %6.1f %9.0f %6.2f %5.0f%% %5.0f%% %5.0f%%  %s\n", name, engines[i],
               one.rate, one.rate / first, all.rate, all.rate / one.rate, 100 * one.engine,
               100 * one.behavior, 100 * one.select,
               one.hash == all.hash ? "same tree" : "ANOTHER TREE");
        fflush(stdout);
    }
}

int main(int argc, char **argv)
{
    int nodes = argc > 1 ? atoi(argv[1]) : 0;
    if (nodes < 1 || argc < 3) {
        fprintf(stderr, "usage: bench_plan NODES scene.yaml ...\n");
        return 2;
    }
    printf("%-18s %-6s %9s %6s %9s %6s %6s %6s %6s\n", "scene", "engine", "nodes/s", "ratio",
           "all cores", "speedup", "engine", "Tactic", "select");
    for (int i = 2; i < argc; i++) {
        cr_scene *scene = NULL;
        cr_model *model = NULL;
        cr_report report = {0};
        if (cr_scene_read(argv[i], &scene, &report) != CR_OK ||
            cr_model_create(scene, NULL, 0, &model, &report) != CR_OK) {
            printf("%s: %s\n", argv[i], report.errors[0].message);
        } else {
            const char *slash = strrchr(argv[i], '/');
            measure(slash ? slash + 1 : argv[i], model, nodes);
        }
        cr_model_destroy(model);
        cr_scene_destroy(scene);
    }
    return 0;
}
