// Any bytes as a journal, as they are and with the check of each line made right, so that what
// stands behind a check is reached too. Every entry that is read is printed as a line that reads
// the same, and the end of the last whole line is where one can go on.
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "cluster/journal.h"
#include "cluster/wire.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

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
        fprintf(out, "%016llx ", (unsigned long long)journal_check(line, end - i));
        fwrite(line, 1, end - i, out);
        if (next) {
            fputc('\n', out);
        }
    }
    fclose(out);
    return text;
}

static journal_entries read_bytes(char *text, size_t length)
{
    journal_entries all = {0};
    FILE *file = length > 0 ? fmemopen(text, length, "r") : NULL;
    if (file && !journal_read(file, &all)) {
        abort();
    }
    if (file) {
        fclose(file);
    }
    return all;
}

static void compare(const journal_entries *a, const journal_entries *b)
{
    if (a->count != b->count || b->torn || b->damaged || b->foreign) {
        abort();
    }
    for (int64_t i = 0; i < a->count; i++) {
        const struct journal_entry *x = &a->items[i], *y = &b->items[i];
        if (x->unit != y->unit || x->length != y->length ||
            memcmp(x->text, y->text, x->length) != 0) {
            abort();
        }
    }
}

static void print_and_read(const journal_entries *all)
{
    char *text = NULL;
    size_t length = 0;
    FILE *out = open_memstream(&text, &length);
    const char *work = all->work ? all->work : "";
    journal_print(out, -1, work, strlen(work));
    for (int64_t i = 0; i < all->count; i++) {
        journal_print(out, all->items[i].unit, all->items[i].text, all->items[i].length);
    }
    fclose(out);
    journal_entries again = read_bytes(text, length);
    compare(all, &again);
    journal_forget(&again);
    free(text);
}

// A result is words of a table's kinds, or none.
static void read_words(const journal_entries *all)
{
    static const wire_row rows[] = {{WIRE_INT, 0},   {WIRE_COUNT, 8}, {WIRE_FLAG, 16},
                                    {WIRE_HASH, 24}, {WIRE_SIZE, 32}, {WIRE_NUMBER, 40}};
    for (int64_t i = 0; i < all->count; i++) {
        int64_t fields[6] = {0};
        const char *at = all->items[i].text;
        if (wire_read(&at, rows, 6, fields) && at > all->items[i].text + all->items[i].length) {
            abort();
        }
    }
}

static void look(char *text, size_t length)
{
    journal_entries all = read_bytes(text, length);
    if (all.end < 0 || (size_t)all.end > length || (all.end > 0 && text[all.end - 1] != '\n')) {
        abort();
    }
    print_and_read(&all);
    read_words(&all);
    journal_forget(&all);
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
