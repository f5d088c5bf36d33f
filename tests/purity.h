// The purity gate: a step gives the same bits alone and in any batch, in any lane, beside any
// neighbours, with every engine and every build of the stepper; in a large world after any other
// steps and with any number of threads; and so a search grows the same tree
// with any number of threads. Half of the worlds have numbers of their own; alone they are steps of
// a model that was compiled with them. Models, numbers, states and actions are generated.
#ifndef TESTS_PURITY_H
#define TESTS_PURITY_H

#include <stdint.h>

typedef struct purity_counts {
    int64_t models, refused; // by the scene compiler
    int64_t alone, batched;  // steps
    int64_t own;             // of those in batches, with numbers of their own
    int64_t own_lanes;       // of these, by a stepper
    int64_t large;           // of those in batches, of large worlds, by one build of lanes or other
    int64_t dead;            // of those alone, blown up
    int64_t exact;           // of worlds that the stepper could take, those that it left to doubles
    int64_t touches;         // of those alone
    int64_t trees;
    int64_t failed; // engines or planners that could not be made: no memory, no thread
    int64_t differ; // steps in batches, or trees
} purity_counts;

// Step the worlds of model `number` for some rounds and count what differs; prints the first ones.
void purity_steps(uint64_t seed, uint64_t number, int rounds, purity_counts *counts);

// Grow the trees of model `number` with 1 to 8 threads, with both engines. (ode: some of these.)
void purity_trees(uint64_t seed, uint64_t number, purity_counts *counts);

#endif
