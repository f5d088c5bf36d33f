// Golden hashes say that something changed, not what is right. CAROM_GOLDEN=off in the environment
// turns their comparison off, so that one can see what the other tests notice (docs/testing.md).
#ifndef TESTS_GOLDENS_H
#define TESTS_GOLDENS_H

#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

static inline bool goldens_are_off(void)
{
    const char *golden = getenv("CAROM_GOLDEN");
    return golden && strcmp(golden, "off") == 0;
}

// At the beginning of a test that compares nothing else.
#define SKIP_WITHOUT_GOLDENS()                                                                     \
    do {                                                                                           \
        if (goldens_are_off()) {                                                                   \
            skip();                                                                                \
        }                                                                                          \
    } while (0)

#endif
