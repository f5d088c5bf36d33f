// Any bytes as a cache file of a small robot; an @ stands for the arm's hash, which no mutation
// would find. A cache that is read can be written and read again, and planned with.
#include <string.h>

#include "base/file.h"
#include "file.h"
#include "reach/cache.h"
#include "robot.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void check(const cr_cache *cache, const cr_cache *again)
{
    if (!again || again->count != cache->count || again->width != cache->width ||
        again->def.kind != cache->def.kind || again->def.size != cache->def.size ||
        again->def.share != cache->def.share || again->def.update != cache->def.update) {
        abort();
    }
    size_t size = (size_t)cache->count * (size_t)cache->width * sizeof *cache->values;
    if (size > 0 && memcmp(again->values, cache->values, size) != 0) {
        abort();
    }
}

static void plan(const cr_arm *arm, cr_cache *cache)
{
    cr_reach_task task = {.arm = arm, .name = "fuzz", .start = {-1, 0.1}, .goal = {1, 0.3}};
    cr_reach_def def = cr_quick_reach_def();
    cr_reach *reach = NULL;
    cr_reach_result result;
    def.nodes = 200;
    def.iterations = 20;
    def.seconds = 0;
    if (cr_reach_create(&def, &reach, NULL) != CR_OK ||
        cr_reach_plan(reach, &task, 1, cache, &result, NULL) != CR_OK) {
        abort();
    }
    cr_reach_destroy(reach);
}

// The bytes with the arm's hash in the place of the first @.
static fuzz_file cache_file(const cr_arm *arm, const uint8_t *data, size_t size)
{
    cr_cache *empty = NULL;
    cr_cache_def def = cr_default_cache_def(CR_CACHE_PAPER);
    cri_text text = {0};
    const uint8_t *mark = size > 0 ? memchr(data, '@', size) : NULL;
    size_t before = mark ? (size_t)(mark - data) : size;
    if (cr_cache_create(arm, &def, &empty, NULL) != CR_OK) {
        abort();
    }
    cri_text_add_bytes(&text, data, before);
    if (mark) {
        cri_text_add(&text, "%016llx", (unsigned long long)empty->arm);
        cri_text_add_bytes(&text, mark + 1, size - before - 1);
    }
    fuzz_file file = file_of((const uint8_t *)text.data, text.length, ".cache");
    cri_text_free(&text);
    cr_cache_destroy(empty);
    return file;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    const cr_arm *arm = robot();
    cr_cache *cache = NULL, *again = NULL;
    cr_report report = {0};
    fuzz_file file = cache_file(arm, data, size);
    cr_status status = cr_cache_read(arm, file.path, &cache, &report);
    if ((status == CR_OK) != (cache != NULL) || (status != CR_OK && report.count == 0)) {
        abort();
    }
    if (cache) {
        if (cr_cache_write(cache, file.path, NULL) != CR_OK) {
            abort();
        }
        cr_cache_read(arm, file.path, &again, NULL);
        check(cache, again);
        plan(arm, cache);
    }
    remove_file(&file);
    cr_cache_destroy(again);
    cr_cache_destroy(cache);
    return 0;
}
