// How fast a search is as a whole, and where its time goes. Not a test.
//     build/bench/bench_search SCENE.yaml [nodes [turns]]
// One thread, processor time. Of a tree of so many nodes that is grown in turns: steps a second,
// and microseconds a step in the engine, in Tactics and conditions, and in selecting; the largest
// rate of the turns, because other work on the machine only takes away. Of searches that end with
// their first solution, in as many turns: the median over seeds 1-100 of each seed's least time,
// for the same reason, and of all times, which is what a busy machine makes of it. bench/turns.sh
// runs two builds beside each other.
#include <carom/carom.h>
#include <stdio.h>
#include <stdlib.h>

#include "measure.h"

enum { SEEDS = 100 };

// Processor seconds of a search.
static double grow(const cr_model *model, const cr_planner_def *def, cr_planner_stats *stats)
{
    cr_planner *planner = NULL;
    if (cr_planner_create(model, def, &planner, NULL) != CR_OK) {
        exit(1);
    }
    double begin = processor_time();
    cr_planner_grow(planner, NULL);
    double spent = processor_time() - begin;
    *stats = cr_planner_get_stats(planner);
    cr_planner_destroy(planner);
    return spent;
}

// A search's clocks are the wall's: each gets its share of the processor time, which is worth
// something only on a machine that does nothing else.
static void measure_tree(const cr_model *model, int nodes, int turns)
{
    cr_planner_def def = cr_model_planner_def(model);
    cr_planner_stats stats, best_stats = {0};
    double best = 0;
    def.threads = 1;
    def.nodes = nodes;
    def.steps = 0;
    def.solutions = 1000;
    for (int i = 0; i < turns; i++) {
        double rate = 1 / grow(model, &def, &stats);
        rate *= (double)stats.steps;
        if (rate > best) {
            best = rate;
            best_stats = stats;
        }
    }
    double step = 1e6 / best, all = best_stats.seconds;
    printf(
        "%.0f steps/s; us a step: %.3f engine, %.3f Tactics and conditions, %.3f select, %.3f in "
        "all; tree %016llx\n",
        best, step * best_stats.engine_seconds / all, step * best_stats.behavior_seconds / all,
        step * best_stats.select_seconds / all, step, (unsigned long long)best_stats.tree_hash);
}

// All seeds in turn, so that a while of other work does not meet a seed every time.
static void measure_shots(const cr_model *model, int turns)
{
    cr_planner_def def = cr_model_planner_def(model);
    cr_planner_stats stats;
    double least[SEEDS], *all = malloc((size_t)turns * SEEDS * sizeof *all);
    int count = 0, solved = 0;
    if (!all) {
        exit(1);
    }
    def.threads = 1;
    for (int turn = 0; turn < turns; turn++) {
        for (int i = 0; i < SEEDS; i++) {
            def.seed = (uint64_t)i + 1;
            double time = all[count++] = 1e3 * grow(model, &def, &stats);
            least[i] = turn == 0 || time < least[i] ? time : least[i];
            solved += turn == 0 && stats.solutions > 0;
        }
    }
    printf("single shot, seeds 1-%d: %d solved, median %.2f ms; of all times of %d turns %.2f ms\n",
           SEEDS, solved, median(least, SEEDS), turns, median(all, count));
    free(all);
}

int main(int argc, char **argv)
{
    if (argc < 2) {
        fprintf(stderr, "usage: bench_search SCENE.yaml [nodes [turns]]\n");
        return 2;
    }
    cr_model *model = open_model(argv[1]);
    int turns = argc > 3 && atoi(argv[3]) > 0 ? atoi(argv[3]) : 5;
    measure_tree(model, argc > 2 ? atoi(argv[2]) : 100000, turns);
    measure_shots(model, turns);
    cr_model_destroy(model);
    return 0;
}
