#include "reach/cache.h"

#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/file.h"
#include "base/hash.h"
#include "reach/arm.h"

cr_cache_def cr_default_cache_def(cr_cache_kind kind)
{
    if (kind == CR_CACHE_HUBS) {
        return (cr_cache_def){.kind = kind, .size = 80, .share = 0.5, .update = 1.0 / 3};
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
    cache->entries = calloc(size, sizeof *cache->entries);
    if (!cache->values || !cache->entries) {
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
        free(cache->entries);
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

static void set_entry(cr_cache *cache, int entry, const float *q, double worth)
{
    size_t size = (size_t)cache->dof_count;
    memcpy(cache->values + (size_t)entry * size, q, size * sizeof *q);
    cache->entries[entry] = (cri_entry){.worth = worth};
}

// A new entry goes to the end while there is room, then to a random position.
static void store(cr_cache *cache, const float *q, cr_rng *rng)
{
    int entry = cache->count < cache->def.size ? cache->count++
                                               : (int)cr_rng_index(rng, (uint64_t)cache->def.size);
    set_entry(cache, entry, q, 0);
}

static void learn_as_published(cr_cache *cache, cri_found path, cr_rng *rng)
{
    for (int i = 0; i < path.count; i++) {
        if (cr_rng_unit(rng) < cache->def.update) {
            store(cache, path.values + (size_t)i * (size_t)cache->dof_count, rng);
        }
    }
}

void cri_cache_learn(cr_cache *cache, cri_found path, cr_rng *rng)
{
    switch (cache->def.kind) {
    case CR_CACHE_PAPER:
        learn_as_published(cache, path, rng);
        break;
    case CR_CACHE_HUBS:
        // The middle of a path that took a search is seen from both of its ends, or nearly so.
        if (path.count > 3) {
            cri_cache_add_hub(
                cache, path.values + (size_t)(path.count / 2) * (size_t)cache->dof_count, 0.3);
        }
        break;
    }
}

// Insertion keeps the best `max`, ties to the lower index.
int cri_cache_order(const cr_cache *cache, int *order, int max)
{
    int count = 0;
    for (int i = 0; i < cache->count; i++) {
        int at = count;
        while (at > 0 && cache->entries[order[at - 1]].worth < cache->entries[i].worth) {
            at--;
        }
        if (at == max) {
            continue;
        }
        int last = count < max ? count++ : max - 1;
        memmove(order + at + 1, order + at, (size_t)(last - at) * sizeof *order);
        order[at] = i;
    }
    return count;
}

void cri_cache_judge(cr_cache *cache, int entry, bool won)
{
    const double fade = 0.05; // about the last 20 tries count
    cri_entry *e = &cache->entries[entry];
    e->tries++;
    e->wins += won;
    e->worth += fade * ((won ? 1 : 0) - e->worth);
}

void cri_cache_add_hub(cr_cache *cache, const float *q, double worth)
{
    int entry = cache->count;
    if (cache->count < cache->def.size) {
        cache->count++;
    } else {
        entry = 0;
        for (int i = 1; i < cache->count; i++) {
            if (cache->entries[i].worth < cache->entries[entry].worth) {
                entry = i;
            }
        }
    }
    set_entry(cache, entry, q, worth);
}

// ---------------------------------------------------------------------------------------------
// Files: a line of settings, then one line an entry: worth, tries, wins, values.
//
//     carom-cache 1 KIND N P R DOFS ARM COUNT
//     0.3 0 0 q0 q1 ...

static const char *const kind_names[] = {"paper", "hubs"};

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
        const cri_entry *entry = &cache->entries[i];
        cri_text_add_number(&text, entry->worth);
        cri_text_add(&text, " %lld %lld", (long long)entry->tries, (long long)entry->wins);
        for (int d = 0; d < cache->dof_count; d++) {
            cri_text_add(&text, " ");
            cri_text_add_number(&text, (double)cri_cache_entry(cache, i)[d]);
        }
        cri_text_add(&text, "\n");
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
    if (!paper && !take(w, kind_names[CR_CACHE_HUBS])) {
        return false;
    }
    def->kind = paper ? CR_CACHE_PAPER : CR_CACHE_HUBS;
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
        cri_entry entry = {.worth = next_number(w)};
        entry.tries = (int64_t)whole_within(w, 0, 1e15);
        entry.wins = (int64_t)whole_within(w, 0, 1e15);
        for (int d = 0; d < cache->dof_count; d++) {
            double value = next_number(w);
            cache->values[i * cache->dof_count + d] = (float)value;
            w->failed = w->failed || fabs(value) > 1e3;
        }
        cache->entries[i] = entry;
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
                        "an entry must be %d numbers: worth, tries, wins and a configuration",
                        dofs + 3);
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
