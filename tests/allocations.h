// Counts the library's calls to malloc and its kin, and makes one of them fail. For programs that
// are linked with --wrap for all three (see CMakeLists.txt), in one file of each; calls inside of
// shared libraries are not seen.
#ifndef TESTS_ALLOCATIONS_H
#define TESTS_ALLOCATIONS_H

#include <stdlib.h>

void *__real_malloc(size_t size);
void *__real_calloc(size_t count, size_t size);
void *__real_realloc(void *memory, size_t size);
void *__wrap_malloc(size_t size);
void *__wrap_calloc(size_t count, size_t size);
void *__wrap_realloc(void *memory, size_t size);

static long calls;        // so far
static long failing = -1; // the call that fails, or -1

static int fails(void)
{
    return calls++ == failing;
}

void *__wrap_malloc(size_t size)
{
    return fails() ? NULL : __real_malloc(size);
}

void *__wrap_calloc(size_t count, size_t size)
{
    return fails() ? NULL : __real_calloc(count, size);
}

void *__wrap_realloc(void *memory, size_t size)
{
    return fails() ? NULL : __real_realloc(memory, size);
}

// Fail the n-th allocation of `way`, for every n: it must say that memory ran out.
static inline void fail_every_allocation(cr_status (*way)(const char *), const char *path)
{
    calls = 0;
    assert_int_equal(way(path), CR_OK);
    long total = calls;
    assert_true(total > 10);
    for (long n = 0; n < total; n++) {
        calls = 0;
        failing = n;
        cr_status status = way(path);
        failing = -1;
        if (status != CR_ERR_MEMORY) {
            fail_msg("allocation %ld of %ld: %s", n, total, cr_status_name(status));
        }
    }
}

#endif
