// Any bytes as the runs.csv or trials.csv of an experiment, as they are and with a right check
// behind each line, so that what stands before it is reached. Every record that is read is written
// as a line that reads the same, so that a table made of a file agrees with the table made of its
// copy.
#include <math.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "cluster/journal.h"
#include "lab/records.h"
#include "lab/trials.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static records read_bytes(void *data, size_t size)
{
    records all = {0};
    FILE *file = size > 0 ? fmemopen(data, size, "r") : NULL;
    if (file && !read_records(file, &all)) {
        abort();
    }
    if (file) {
        fclose(file);
    }
    return all;
}

static records write_and_read(const records *all)
{
    char *text = NULL;
    size_t length = 0;
    FILE *out = open_memstream(&text, &length);
    for (int i = 0; out && i < all->count; i++) {
        print_record(out, &all->items[i]);
    }
    if (!out || fclose(out) != 0) {
        abort();
    }
    records again = read_bytes(text, length);
    free(text);
    return again;
}

// Counts are written whole, seconds to a microsecond.
static bool same_counts(const record *a, const record *b)
{
    return a->seed == b->seed && a->start == b->start && fabs(a->nodes - b->nodes) <= 0.5 &&
           fabs(a->steps - b->steps) <= 0.5 && fabs(a->attempts - b->attempts) <= 0.5;
}

static bool same_seconds(const record *a, const record *b)
{
    return fabs(a->seconds - b->seconds) <= 1e-6 && fabs(a->select - b->select) <= 1e-6 &&
           fabs(a->behavior - b->behavior) <= 1e-6 && fabs(a->engine - b->engine) <= 1e-6;
}

static void compare(const record *a, const record *b)
{
    if (strcmp(a->key, b->key) != 0 || strcmp(a->outcome, b->outcome) != 0 || !same_counts(a, b) ||
        !same_seconds(a, b)) {
        abort();
    }
}

// Give each line a check.
static char *seal(const uint8_t *data, size_t size, size_t *sealed)
{
    char *text = NULL;
    FILE *out = open_memstream(&text, sealed);
    if (!out) {
        abort();
    }
    for (size_t i = 0, end; i < size; i = end + 1) {
        const uint8_t *next = memchr(data + i, '\n', size - i);
        end = next ? (size_t)(next - data) : size;
        const char *line = (const char *)data + i;
        fwrite(line, 1, end - i, out);
        fprintf(out, ",%016llx\n", (unsigned long long)journal_check(line, end - i));
    }
    fclose(out);
    return text;
}

static void print_to(const trial *t, char line[600])
{
    FILE *out = fmemopen(line, 600, "w");
    if (!out) {
        abort();
    }
    trial_print(out, t);
    fclose(out);
}

// Each line as a trial: what is printed of one reads and prints the same.
static void look_at_trials(const char *text, size_t size)
{
    char line[600], first[600], second[600];
    for (size_t i = 0, end; i < size; i = end + 1) {
        const char *next = memchr(text + i, '\n', size - i);
        end = next ? (size_t)(next - text) : size;
        trial t, again;
        snprintf(line, 512, "%.*s\n", (int)(end - i), text + i);
        if (!trial_read(line, &t)) {
            continue;
        }
        print_to(&t, first);
        if (!trial_read(first, &again)) {
            abort();
        }
        print_to(&again, second);
        if (strcmp(first, second) != 0) {
            abort();
        }
    }
}

static void look(char *text, size_t size)
{
    look_at_trials(text, size);
    records all = read_bytes(text, size), again = write_and_read(&all);
    if (all.count != again.count || again.passed > 0 || again.cut) {
        abort();
    }
    for (int i = 0; i < all.count; i++) {
        compare(&all.items[i], &again.items[i]);
    }
    if (all.count > 0) {
        find_record(&all, all.items[0].key, all.items[0].seed, all.items[0].start);
    }
    free(all.items);
    free(again.items);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    size_t sealed;
    char *text = seal(data, size, &sealed);
    look(text, sealed);
    free(text);
    text = malloc(size + 1);
    if (text) {
        memcpy(text, data, size);
        look(text, size);
        free(text);
    }
    return 0;
}
