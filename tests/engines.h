// The engines under test, and how a conformance test is run for each. A test finds its engine in
// *state.
#ifndef TESTS_ENGINES_H
#define TESTS_ENGINES_H

#include "world.h"

static const cr_engine_type *const ENGINES[] = {&cri_engine_ode};
enum { ENGINE_COUNT = sizeof ENGINES / sizeof *ENGINES };

// Sets the engine of a group of tests; returns 0 as cmocka's setup functions do.
#define RUN_FOR_ENGINES(tests) run_for_engines(#tests, tests, sizeof(tests) / sizeof *(tests))

static inline int run_for_engines(const char *name, struct CMUnitTest *tests, size_t count)
{
    int failed = 0;
    for (int i = 0; i < ENGINE_COUNT; i++) {
        const void *engine = ENGINES[i];
        for (size_t k = 0; k < count; k++) {
            memcpy(&tests[k].initial_state, &engine, sizeof engine);
        }
        print_message("engine %s\n", ENGINES[i]->name);
        failed += _cmocka_run_group_tests(name, tests, count, NULL, NULL);
    }
    return failed;
}

#endif
