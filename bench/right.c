// What an engine is to get right with free bodies (tests/bars.h), in full. Not a test.
//     build/bench/bench_right CASES [engine|large|referee|referee-step [bar ...]]
// CASES: the folder tests/cases. Without an engine: the default one; without bars: all of them.
// BARS_DRAW=N in the environment: other piles and throws.
// Each figure ends in "met" or "NOT MET".
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "bare_ode.h"
#include "bars.h"
#include "carom/carom.h"
#include "engine/engine.h"
#include "world.h"

static const cr_engine_type *find_type(const char *name)
{
    if (strcmp(name, "referee") == 0) {
        return &bare_engine_quick;
    }
    if (strcmp(name, "referee-step") == 0) {
        return &bare_engine_step;
    }
    if (strcmp(name, "large") == 0) {
        return &cri_engine_large;
    }
    for (int i = 0; i < cr_library_engine_count(NULL); i++) {
        if (strcmp(cr_library_engine(NULL, i)->name, name) == 0) {
            return cr_library_engine(NULL, i);
        }
    }
    return NULL;
}

static bool is_asked_for(const char *name, int argc, char **argv)
{
    bool asked = argc <= 3;
    for (int i = 3; i < argc; i++) {
        asked = asked || strcmp(argv[i], name) == 0;
    }
    return asked;
}

static void print(const figures *found)
{
    for (int i = 0; i < found->count; i++) {
        const figure *f = &found->all[i];
        printf("| %s | %.4g %s | %g %s | %s |\n", f->name, f->value, f->unit, f->most, f->unit,
               figure_met(f) ? "met" : "NOT MET");
    }
    fflush(stdout);
}

int main(int argc, char **argv)
{
    const cr_engine_type *type = find_type(argc > 2 ? argv[2] : "lanes");
    if (argc < 2 || !type) {
        fprintf(stderr, "usage: bench_right CASES [engine|large|referee|referee-step [bar ...]]\n");
        return 2;
    }
    bar_sizes sizes = bars_full(argv[1]);
    sizes.draw = getenv("BARS_DRAW") ? atoi(getenv("BARS_DRAW")) : 0;
    printf("| engine %s | figure | at most | |\n|---|---:|---:|---|\n", type->name);
    for (int i = 0; i < BAR_COUNT; i++) {
        figures found = {0};
        if (is_asked_for(BARS[i].name, argc, argv)) {
            clock_t begin = clock();
            BARS[i].measure(type, &sizes, &found);
            print(&found);
            fprintf(stderr, "%s: %.1f s\n", BARS[i].name,
                    (double)(clock() - begin) / CLOCKS_PER_SEC);
        }
    }
    return 0;
}
