#include "reach/cache.h"

#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/file.h"
#include "base/hash.h"
#include "base/vec.h"
#include "reach/arm.h"

cr_cache_def cr_default_cache_def(cr_cache_kind kind)
{
    if (kind == CR_CACHE_BRED) {
        return (cr_cache_def){.kind = kind, .size = 100, .share = 0.95, .update = 1};
    }
    return (cr_cache_def){.kind = kind, .size = 80, .share = 0.8, .update = 1.0 / 3};
}

// What makes a cache useless for another arm: its name and its limits.
static uint64_t arm_hash(const cr_arm *arm)
{
    uint64_t hash = CRI_HASH_START;
    for (const char *c = arm->name; *c; c++) {
        hash = cri_hash_word(hash, (uint64_t)(unsigned char)*c);
    }
    for (int i = 0; i < arm->dof_count; i++) {
        const double limits[2] = {arm->dofs[i].low, arm->dofs[i].high};
        hash = cri_hash_words(hash, limits, sizeof limits);
    }
    return hash;
}

cr_status cr_cache_create(const cr_arm *arm, const cr_cache_def *def, cr_cache **result,
                          cr_report *report)
{
    *result = NULL;
    if (def->size < 1 || def->size > 100000 || !(def->share >= 0 && def->share <= 1) ||
        !(def->update >= 0 && def->update <= 1)) {
        return cri_fail(report, CR_ERR_RANGE, (cri_place){0},
                        "cache: n must be from 1 to 100000, p and r from 0 to 1, got %d, %g, %g",
                        def->size, def->share, def->update);
    }
    cr_cache *cache = calloc(1, sizeof *cache);
    size_t size = (size_t)def->size;
    if (!cache) {
        return cri_fail_memory(report);
    }
    cache->def = *def;
    cache->dof_count = arm->dof_count;
    cache->arm = arm_hash(arm);
    cache->values = calloc(size * (size_t)arm->dof_count, sizeof(float));
    if (!cache->values) {
        cr_cache_destroy(cache);
        return cri_fail_memory(report);
    }
    *result = cache;
    return CR_OK;
}

void cr_cache_destroy(cr_cache *cache)
{
    if (cache) {
        free(cache->values);
        free(cache);
    }
}

int cr_cache_count(const cr_cache *cache)
{
    return cache->count;
}

const cr_cache_def *cr_cache_get_def(const cr_cache *cache)
{
    return &cache->def;
}

double cri_cache_share(const cr_cache *cache)
{
    return cache->def.share * cache->count / cache->def.size;
}

static void set_entry(cr_cache *cache, int entry, const float *q)
{
    size_t size = (size_t)cache->dof_count;
    memcpy(cache->values + (size_t)entry * size, q, size * sizeof *q);
}

// As published: to the end while there is room, then to a random position. Bred: the oldest goes.
static void store(cr_cache *cache, const float *q, cr_rng *rng)
{
    int entry = cache->count;
    if (cache->count < cache->def.size) {
        cache->count++;
    } else if (cache->def.kind == CR_CACHE_PAPER) {
        entry = (int)cr_rng_index(rng, (uint64_t)cache->def.size);
    } else {
        entry = cache->oldest;
        cache->oldest = (cache->oldest + 1) % cache->def.size;
    }
    set_entry(cache, entry, q);
}

// The paper's nodes are "intermediate configurations": where a task starts and ends is its own.
void cri_cache_learn(cr_cache *cache, cri_found found, cr_rng *rng)
{
    bool paper = cache->def.kind == CR_CACHE_PAPER;
    const float *from = paper ? found.path : found.targets;
    int first = paper ? 1 : 0, end = paper ? found.path_count - 1 : found.target_count;
    for (int i = first; i < end; i++) {
        if (cr_rng_unit(rng) < cache->def.update) {
            store(cache, from + (size_t)i * (size_t)cache->dof_count, rng);
        }
    }
}

// A value near that of a parent. Two thirds come from the first one, so that what belongs together
// mostly stays together; the noise keeps the population from collapsing.
static double inherit(const float *parents[2], int dof, const cr_arm_dof *limits, cr_rng *rng)
{
    const double noise = 0.1; // of the range
    double value = (double)parents[cr_rng_unit(rng) < 0.67 ? 0 : 1][dof];
    value += cr_rng_normal(rng, 0, noise * 0.5 * (limits->high - limits->low));
    return cri_clamp(value, limits->low, limits->high);
}

void cri_cache_breed(const cr_cache *cache, const cr_arm *arm, cr_rng *rng, float *q, int stride)
{
    const float *parents[2];
    for (int i = 0; i < 2; i++) {
        parents[i] = cri_cache_entry(cache, (int)cr_rng_index(rng, (uint64_t)cache->count));
    }
    for (int d = 0; d < arm->dof_count; d++) {
        q[d * stride] = (float)inherit(parents, d, &arm->dofs[d], rng);
    }
    for (int d = 0; d < arm->dof_count; d++) {
        const cr_arm_dof *dof = &arm->dofs[d];
        if (dof->swings) {
            double x = (double)q[d * stride] / dof[0].high,
                   y = (double)q[(d + 1) * stride] / dof[1].high;
            float shrink = (float)fmin(1, 0.999 / fmax(sqrt(x * x + y * y), 1e-9));
            q[d * stride] *= shrink;
            q[(d + 1) * stride] *= shrink;
        }
    }
}

// ---------------------------------------------------------------------------------------------
// Files: a line of settings, then one line an entry.
//
//     carom-cache 1 KIND N P R DOFS ARM COUNT
//     q0 q1 ...

static const char *const kind_names[] = {"paper", "bred"};

cr_status cr_cache_write(const cr_cache *cache, const char *path, cr_report *report)
{
    cri_text text = {0};
    cri_text_add(&text, "carom-cache 1 %s %d ", kind_names[cache->def.kind], cache->def.size);
    cri_text_add_number(&text, cache->def.share);
    cri_text_add(&text, " ");
    cri_text_add_number(&text, cache->def.update);
    cri_text_add(&text, " %d %016llx %d\n", cache->dof_count, (unsigned long long)cache->arm,
                 cache->count);
    for (int i = 0; i < cache->count; i++) {
        for (int d = 0; d < cache->dof_count; d++) {
            cri_text_add_number(&text, (double)cri_cache_entry(cache, i)[d]);
            cri_text_add(&text, d + 1 < cache->dof_count ? " " : "\n");
        }
    }
    cr_status status = text.failed ? cri_fail_memory(report)
                                   : cri_file_write(path, text.data, text.length, report);
    cri_text_free(&text);
    return status;
}

// A reader of words with its place.
typedef struct words {
    const char *at;
    cri_place place;
    bool failed;
} words;

static double next_number(words *w)
{
    while (*w->at == ' ' || *w->at == '\n') {
        w->place.line += *w->at++ == '\n';
    }
    char *end;
    errno = 0;
    double value = strtod(w->at, &end);
    if (end == w->at || !isfinite(value)) {
        w->failed = true;
        return 0;
    }
    w->at = end;
    return value;
}

static bool take(words *w, const char *word)
{
    size_t length = strlen(word);
    while (*w->at == ' ') {
        w->at++;
    }
    if (strncmp(w->at, word, length) != 0 || (w->at[length] != ' ' && w->at[length] != '\n')) {
        return false;
    }
    w->at += length;
    return true;
}

static double whole_within(words *w, double low, double high)
{
    double value = next_number(w);
    if (!(value >= low && value <= high) || value != floor(value)) {
        w->failed = true;
        return low;
    }
    return value;
}

static bool read_head(words *w, cr_cache_def *def, int *dofs, uint64_t *arm, int *count)
{
    if (!take(w, "carom-cache") || !take(w, "1")) {
        return false;
    }
    bool paper = take(w, kind_names[CR_CACHE_PAPER]);
    if (!paper && !take(w, kind_names[CR_CACHE_BRED])) {
        return false;
    }
    def->kind = paper ? CR_CACHE_PAPER : CR_CACHE_BRED;
    def->size = (int)whole_within(w, 1, 100000);
    def->share = next_number(w);
    def->update = next_number(w);
    *dofs = (int)whole_within(w, 1, CR_ARM_MAX_DOFS);
    char *end;
    *arm = strtoull(w->at, &end, 16);
    w->failed = w->failed || end == w->at;
    w->at = end;
    *count = (int)whole_within(w, 0, def->size);
    return !w->failed;
}

static void read_entries(words *w, cr_cache *cache, int count)
{
    for (int i = 0; i < count && !w->failed; i++) {
        for (int d = 0; d < cache->dof_count; d++) {
            double value = next_number(w);
            cache->values[i * cache->dof_count + d] = (float)value;
            w->failed = w->failed || fabs(value) > 1e3;
        }
        cache->count = i + 1;
    }
}

static cr_status parse_cache(words *w, const cr_arm *arm, cr_cache **result, cr_report *report)
{
    cr_cache_def def = {0};
    int dofs = 0, count = 0;
    uint64_t hash = 0;
    if (!read_head(w, &def, &dofs, &hash, &count)) {
        return cri_fail(report, CR_ERR_SYNTAX, w->place,
                        "a cache file must start with \"carom-cache 1 KIND N P R DOFS ARM COUNT\"");
    }
    if (dofs != arm->dof_count || hash != arm_hash(arm)) {
        return cri_fail(report, CR_ERR_NAME, w->place,
                        "the cache was made with another arm than \"%s\"", arm->name);
    }
    cr_status status = cr_cache_create(arm, &def, result, report);
    if (status != CR_OK) {
        return status;
    }
    read_entries(w, *result, count);
    if (w->failed) {
        cr_cache_destroy(*result);
        *result = NULL;
        return cri_fail(report, CR_ERR_SYNTAX, w->place,
                        "an entry must be a configuration: %d numbers", dofs);
    }
    return CR_OK;
}

cr_status cr_cache_read(const cr_arm *arm, const char *path, cr_cache **result, cr_report *report)
{
    char *text;
    size_t length;
    *result = NULL;
    cr_status status = cri_file_read(path, 64 << 20, &text, &length, report);
    if (status == CR_OK) {
        words w = {text, {path, 1, 0}, false};
        status = parse_cache(&w, arm, result, report);
        free(text);
    }
    return status;
}
