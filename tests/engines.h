// Conformance tests are run for every built-in engine. A test finds its engine in *state.
#ifndef TESTS_ENGINES_H
#define TESTS_ENGINES_H

#include "carom/library.h"
#include "world.h"

#define RUN_FOR_ENGINES(tests) run_for_engines(#tests, tests, sizeof(tests) / sizeof *(tests))

static inline int run_for_engines(const char *name, struct CMUnitTest *tests, size_t count)
{
    int failed = 0;
    for (int i = 0; i < cr_library_engine_count(NULL); i++) {
        const cr_engine_type *engine = cr_library_engine(NULL, i);
        for (size_t k = 0; k < count; k++) {
            memcpy(&tests[k].initial_state, &engine, sizeof engine);
        }
        // A second of substeps in float: 240 roundings of 6e-8, most of which cancel.
        *near_slack() = strcmp(engine->name, "lanes") == 0 ? 2e-6 : 0;
        print_message("engine %s\n", engine->name);
        failed += _cmocka_run_group_tests(name, tests, count, NULL, NULL);
    }
    return failed;
}

#endif
