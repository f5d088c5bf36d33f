#include "reach/cache.h"

#include <math.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include "base/file.h"
#include "base/hash.h"
#include "base/number.h"
#include "base/vec.h"
#include "reach/arm.h"

cr_cache_def cr_default_cache_def(cr_cache_kind kind)
{
    if (kind == CR_CACHE_BRED) {
        return (cr_cache_def){.kind = kind, .size = 400, .share = 0.9, .update = 1};
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
        return cri_fail(report, CR_ERR_RANGE, (cri_location){0},
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
    cache->width = def->kind == CR_CACHE_BRED ? 2 * arm->dof_count : arm->dof_count;
    cache->arm = arm_hash(arm);
    cache->values = calloc(size * (size_t)cache->width, sizeof(float));
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
    const double few = 8; // entries that say little
    double trust = cache->def.kind == CR_CACHE_PAPER ? (double)cache->count / cache->def.size
                                                     : cache->count / (cache->count + few);
    return cache->def.share * trust;
}

// ---------------------------------------------------------------------------------------------
// Learning.

// As published: to the end while there is room, then to a random position. Bred: the oldest goes.
static float *new_entry(cr_cache *cache, cr_rng *rng)
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
    return cache->values + (size_t)entry * (size_t)cache->width;
}

// The paper's nodes are "intermediate configurations": where a task starts and ends is its own.
static void learn_nodes(cr_cache *cache, const float *path, int count, cr_rng *rng)
{
    size_t dofs = (size_t)cache->dof_count;
    for (int i = 1; i < count - 1; i++) {
        if (cr_rng_unit(rng) < cache->def.update) {
            memcpy(new_entry(cache, rng), path + (size_t)i * dofs, dofs * sizeof *path);
        }
    }
}

// Most passes go into leaving the two ends, few into joining the trees once both are out: what a
// path is worth to others is how it left its ends.
static void learn_steps(cr_cache *cache, const float *path, int count, cr_rng *rng)
{
    size_t dofs = (size_t)cache->dof_count;
    for (int end = 0; end < 2 && count > 2; end++) {
        if (cr_rng_unit(rng) < cache->def.update) {
            float *entry = new_entry(cache, rng);
            size_t root = end == 0 ? 0 : (size_t)count - 1, step = end == 0 ? 1 : root - 1;
            memcpy(entry, path + step * dofs, dofs * sizeof *path);
            memcpy(entry + dofs, path + root * dofs, dofs * sizeof *path);
        }
    }
}

void cri_cache_learn(cr_cache *cache, const float *path, int count, cr_rng *rng)
{
    switch (cache->def.kind) {
    case CR_CACHE_PAPER:
        learn_nodes(cache, path, count, rng);
        break;
    case CR_CACHE_BRED:
        learn_steps(cache, path, count, rng);
        break;
    }
}

// ---------------------------------------------------------------------------------------------
// Breeding.

// Of a few random entries, the one whose root is the most like ours.
static const float *choose_parent(const cr_cache *cache, const float *root, int rivals, cr_rng *rng)
{
    const float *best = NULL;
    float least = 0;
    for (int i = 0; i < rivals; i++) {
        const float *entry = cri_cache_entry(cache, (int)cr_rng_index(rng, (uint64_t)cache->count));
        float distance = 0;
        for (int d = 0; d < cache->dof_count; d++) {
            float off = entry[cache->dof_count + d] - root[d];
            distance += off * off;
        }
        if (!best || distance < least) {
            best = entry;
            least = distance;
        }
    }
    return best;
}

// Into the ellipses of the swings.
static void keep_swings(const cr_arm *arm, float *q)
{
    for (int d = 0; d < arm->dof_count; d++) {
        const cr_arm_dof *dof = &arm->dofs[d];
        if (dof->swings) {
            double x = (double)q[d] / dof[0].high, y = (double)q[d + 1] / dof[1].high;
            float shrink = (float)fmin(1, 0.999 / fmax(sqrt(x * x + y * y), 1e-9));
            q[d] *= shrink;
            q[d + 1] *= shrink;
        }
    }
}

// The longer a search takes, the less like the others it is: less choice, more noise.
void cri_cache_breed(const cr_cache *cache, const cri_wish *wish, cr_rng *rng, float *q)
{
    const double patience = 10; // passes
    const double noise = 0.03;  // of half the range
    const double lean = 0.3;    // of the way from the parent's root to ours
    const int rivals = 16;
    const cr_arm *arm = wish->arm;
    double doubt = 1 + (double)wish->passes / patience;
    int chosen_from = (int)fmax(rivals / doubt, 1);
    const float *parent = choose_parent(cache, wish->root, chosen_from, rng);
    for (int d = 0; d < arm->dof_count; d++) {
        const cr_arm_dof *dof = &arm->dofs[d];
        double value = (double)parent[d] +
                       lean * (double)(wish->root[d] - parent[cache->dof_count + d]) +
                       cr_rng_normal(rng, 0, doubt * noise * 0.5 * (dof->high - dof->low));
        q[d] = (float)cri_clamp(value, dof->low, dof->high);
    }
    keep_swings(arm, q);
}

// ---------------------------------------------------------------------------------------------
// Files: a line of settings, then one line an entry.
//
//     carom-cache 2 KIND N P R DOFS ARM COUNT
//     q0 q1 ...                                 bred: and those of the root

static const char *const kind_names[] = {"paper", "bred"};

cr_status cr_cache_write(const cr_cache *cache, const char *path, cr_report *report)
{
    cri_text text = {0};
    cri_text_add(&text, "carom-cache 2 %s %d ", kind_names[cache->def.kind], cache->def.size);
    cri_text_add_number(&text, cache->def.share);
    cri_text_add(&text, " ");
    cri_text_add_number(&text, cache->def.update);
    cri_text_add(&text, " %d %016llx %d\n", cache->dof_count, (unsigned long long)cache->arm,
                 cache->count);
    for (int i = 0; i < cache->count; i++) {
        for (int d = 0; d < cache->width; d++) {
            cri_text_add_number(&text, (double)cri_cache_entry(cache, i)[d]);
            cri_text_add(&text, d + 1 < cache->width ? " " : "\n");
        }
    }
    cr_status status =
        text.failed ? cri_fail_memory(report) : cr_file_write(path, text.data, text.length, report);
    cri_text_free(&text);
    return status;
}

// A reader of words with its place. Each line ends where its words do, so that no entry is taken
// from two lines, and nothing is left over.
typedef struct words {
    const char *file, *at, *line_start;
    int line;
    cr_report *report;
} words;

__attribute__((format(printf, 2, 3))) static cr_status fail_here(words *w, const char *format, ...)
{
    char message[240];
    va_list arguments;
    va_start(arguments, format);
    cri_format_list(message, sizeof message, format, arguments);
    va_end(arguments);
    cri_location place = {w->file, w->line, (int)(w->at - w->line_start) + 1};
    return cri_fail(w->report, CR_ERR_SYNTAX, place, "%s", message);
}

static void skip_blanks(words *w)
{
    w->at += strspn(w->at, " ");
}

static bool is_end_of_word(char c)
{
    return c == ' ' || c == '\n' || c == 0;
}

static bool next_number(words *w, double *value)
{
    skip_blanks(w);
    const char *end;
    *value = cri_number_read(w->at, &end);
    if (end == w->at || !is_end_of_word(*end) || !isfinite(*value)) {
        return false;
    }
    w->at = end;
    return true;
}

static bool take(words *w, const char *word)
{
    size_t length = strlen(word);
    skip_blanks(w);
    if (strncmp(w->at, word, length) != 0 || !is_end_of_word(w->at[length])) {
        return false;
    }
    w->at += length;
    return true;
}

static bool next_hash(words *w, uint64_t *hash)
{
    skip_blanks(w);
    size_t digits = strspn(w->at, "0123456789abcdef");
    if (digits < 1 || digits > 16 || !is_end_of_word(w->at[digits])) {
        return false;
    }
    *hash = strtoull(w->at, NULL, 16);
    w->at += digits;
    return true;
}

static bool next_whole(words *w, int low, int high, int *value)
{
    double number;
    if (!next_number(w, &number) || !(number >= low && number <= high) || number != floor(number)) {
        return false;
    }
    *value = (int)number;
    return true;
}

// To the next line; false if this one goes on or is the last.
static bool next_line(words *w)
{
    skip_blanks(w);
    if (*w->at != '\n') {
        return false;
    }
    w->line_start = ++w->at;
    w->line++;
    return true;
}

static bool read_head(words *w, cr_cache_def *def, int *dofs, uint64_t *arm, int *count)
{
    if (!take(w, "carom-cache") || !take(w, "2")) {
        return false;
    }
    bool paper = take(w, kind_names[CR_CACHE_PAPER]);
    if (!paper && !take(w, kind_names[CR_CACHE_BRED])) {
        return false;
    }
    def->kind = paper ? CR_CACHE_PAPER : CR_CACHE_BRED;
    return next_whole(w, 1, 100000, &def->size) && next_number(w, &def->share) &&
           next_number(w, &def->update) && next_whole(w, 1, CR_ARM_MAX_DOFS, dofs) &&
           next_hash(w, arm) && next_whole(w, 0, def->size, count) && next_line(w);
}

// Files have rounded numbers, so a joint at its limit may be a little beyond it.
static cr_status read_entry(words *w, const cr_arm *arm, float *entry, int width)
{
    const double slack = 1e-4;
    for (int i = 0; i < width; i++) {
        const cr_arm_dof *dof = &arm->dofs[i % arm->dof_count];
        const char *before = w->at;
        double value;
        if (!next_number(w, &value)) {
            return fail_here(w, "an entry must be %d numbers", width);
        }
        if (!(value >= dof->low - slack && value <= dof->high + slack)) {
            w->at = before + strspn(before, " ");
            return fail_here(w, "an entry must be within the arm's limits, %g to %g here, got %g",
                             dof->low, dof->high, value);
        }
        entry[i] = (float)value;
    }
    return next_line(w) ? CR_OK : fail_here(w, "an entry must be %d numbers and a line", width);
}

static cr_status read_entries(words *w, const cr_arm *arm, cr_cache *cache, int count)
{
    cr_status status = CR_OK;
    for (int i = 0; i < count && status == CR_OK; i++) {
        status = read_entry(w, arm, cache->values + (size_t)i * (size_t)cache->width, cache->width);
        cache->count = i + 1;
    }
    if (status == CR_OK && *w->at) {
        status =
            fail_here(w, "the cache has %d entries, as its first line says; this is more", count);
    }
    return status;
}

static cr_status parse_cache(words *w, const cr_arm *arm, cr_cache **result)
{
    cr_cache_def def = {0};
    int dofs = 0, count = 0;
    uint64_t hash = 0;
    if (!read_head(w, &def, &dofs, &hash, &count)) {
        return fail_here(
            w, "a cache file must start with \"carom-cache 2 KIND N P R DOFS ARM COUNT\"");
    }
    if (dofs != arm->dof_count || hash != arm_hash(arm)) {
        return cri_fail(w->report, CR_ERR_NAME, (cri_location){w->file, 1, 1},
                        "the cache was made with another arm than \"%s\"", arm->name);
    }
    cr_status status = cr_cache_create(arm, &def, result, w->report);
    if (status == CR_OK) {
        status = read_entries(w, arm, *result, count);
    }
    if (status != CR_OK) {
        cr_cache_destroy(*result);
        *result = NULL;
    }
    return status;
}

cr_status cr_cache_read(const cr_arm *arm, const char *path, cr_cache **result, cr_report *report)
{
    char *text;
    size_t length;
    *result = NULL;
    cr_status status = cri_file_read(path, 64 << 20, &text, &length, report);
    if (status != CR_OK) {
        return status;
    }
    words w = {path, text, text, 1, report};
    status = memchr(text, 0, length)
                 ? fail_here(&w, "a cache is a text file; this one has zero bytes in it")
                 : parse_cache(&w, arm, result);
    free(text);
    return status;
}
