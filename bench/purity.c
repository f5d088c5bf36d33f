// The purity gate by hand, on as many models as one has time for:
//
//     build/bench/bench_purity MODELS [SEED [ROUNDS [FIRST]]]
//
// Prints how many steps in batches, and trees, differ from the same ones alone, and which models
// they are of. FIRST: the number of the first model, 0 unless said. Exit code 1: some differ.
#include "purity.h"

#include <stdio.h>
#include <stdlib.h>

static int64_t number_of(int argc, char **argv, int index, int64_t otherwise)
{
    return index < argc ? strtoll(argv[index], NULL, 10) : otherwise;
}

static void print(const purity_counts *c, int64_t models, FILE *to, const char *end)
{
    fprintf(to,
            "%lld of %lld models (%lld refused): %lld steps in batches (%lld with numbers of "
            "their own, %lld of these by steppers; %lld of large worlds), %lld alone (%lld blew "
            "up, %lld contacts), %lld "
            "left to doubles, %lld trees; %lld could not be made; %lld differ%s",
            (long long)(c->models + c->refused), (long long)models, (long long)c->refused,
            (long long)c->batched, (long long)c->own, (long long)c->own_lanes, (long long)c->large,
            (long long)c->alone, (long long)c->dead, (long long)c->touches, (long long)c->exact,
            (long long)c->trees, (long long)c->failed, (long long)c->differ, end);
    fflush(to);
}

int main(int argc, char **argv)
{
    setvbuf(stdout, NULL, _IOLBF, 0); // what differs is told at once
    int64_t models = number_of(argc, argv, 1, 0), rounds = number_of(argc, argv, 3, 8);
    uint64_t seed = (uint64_t)number_of(argc, argv, 2, 1);
    int64_t first = number_of(argc, argv, 4, 0);
    if (models < 1 || rounds < 1 || rounds > 1000 || first < 0) {
        fprintf(stderr, "usage: bench_purity MODELS [SEED [ROUNDS [FIRST]]]\n");
        return 2;
    }
    purity_counts c = {0}, grown = {0};
    for (int64_t i = first; i < first + models; i++) {
        int64_t before = c.differ;
        purity_steps(seed, (uint64_t)i, (int)rounds, &c);
        if (c.differ > before) {
            printf("model %lld differs\n", (long long)i);
        }
        if (i % 100 == 0) {
            purity_trees(seed, (uint64_t)i, &grown);
            c.differ += grown.differ, c.failed += grown.failed, c.trees += grown.trees;
            grown = (purity_counts){0};
            print(&c, models, stderr, "\r");
        }
    }
    print(&c, models, stdout, "\n");
    return c.differ + c.failed > 0;
}
