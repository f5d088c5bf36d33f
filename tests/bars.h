// What an engine is to get right with free bodies, measured: bench_right prints all of it, and
// test_right holds engines to a small edition. Each figure has a bar, "at most"; closed forms, the
// bare ODE referee and overlap.h are all that an engine is compared with.
#ifndef TESTS_BARS_H
#define TESTS_BARS_H

#include "carom/engine.h"

// How much is run.
typedef struct bar_sizes {
    int piles;         // of eight bodies, for two seconds
    int throws;        // a shape
    int spins;         // free bodies, and as many about their middle axes
    double spin;       // s that they spin
    double rest;       // s that things lie about
    int dominoes;      // of a wave
    int wave_finer;    // the referee's substeps against the engine's
    const char *cases; // folder of the cases
    int draw;          // of piles and throws: other draws are other ones
} bar_sizes;

// As the bars ask for, and in seconds.
bar_sizes bars_full(const char *cases);
bar_sizes bars_quick(const char *cases);

typedef struct figure {
    const char *name, *unit;
    double value, most;
} figure;

enum { FIGURES_MAX = 64 };
typedef struct figures {
    int count;
    figure all[FIGURES_MAX];
} figures;

static inline bool figure_met(const figure *f)
{
    return f->value <= f->most; // false for a NaN
}

// A group of figures that are measured together.
typedef struct bar {
    const char *name;
    void (*measure)(const cr_engine_type *type, const bar_sizes *sizes, figures *out);
} bar;

extern const bar BARS[];
extern const int BAR_COUNT;

#endif
