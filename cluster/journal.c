#include "cluster/journal.h"

#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "terminal/terminal.h"

enum { CHECK_DIGITS = 16 };

uint64_t journal_check(const char *text, size_t length)
{
    uint64_t hash = 14695981039346656037u;
    for (size_t i = 0; i < length; i++) {
        hash = (hash ^ (unsigned char)text[i]) * 1099511628211u;
    }
    return hash;
}

bool journal_is_whole(const char *line)
{
    char check[20];
    const char *comma = strrchr(line, ',');
    if (!comma) {
        return false;
    }
    snprintf(check, sizeof check, "%016" PRIx64 "\n", journal_check(line, (size_t)(comma - line)));
    return strcmp(comma + 1, check) == 0;
}

// ---------------------------------------------------------------------------------------------
// Reading.

// The digits of a check, as they are printed: small letters, all sixteen.
static bool read_check(const char *line, uint64_t *check)
{
    static const char digits[] = "0123456789abcdef";
    *check = 0;
    for (int i = 0; i < CHECK_DIGITS; i++) {
        const char *digit = line[i] ? strchr(digits, line[i]) : NULL;
        if (!digit) {
            return false;
        }
        *check = *check << 4 | (uint64_t)(digit - digits);
    }
    return line[CHECK_DIGITS] == ' ';
}

// A unit's number and the space behind it; NULL if it is none.
static const char *read_unit(const char *text, int64_t *unit)
{
    size_t digits = strspn(text, "0123456789");
    if (digits == 0 || digits > 15 || text[digits] != ' ') {
        return NULL;
    }
    *unit = strtoll(text, NULL, 10);
    return text + digits + 1;
}

// The text as it was before journal_print, made in memory of its own. NULL: memory ran out.
static char *unescape(const char *from, size_t length, size_t *made)
{
    char *text = malloc(length + 1);
    size_t n = 0;
    for (size_t i = 0; text && i < length; i++) {
        bool marked = from[i] == '\\' && i + 1 < length;
        i += marked;
        text[n++] = marked && from[i] == 'n' ? '\n' : from[i];
    }
    if (text) {
        text[n] = 0;
        *made = n;
    }
    return text;
}

static bool add_entry(journal_entries *all, int64_t unit, const char *from, size_t length)
{
    if (all->count == all->capacity) {
        int64_t capacity = all->capacity ? 2 * all->capacity : 256;
        void *items = realloc(all->items, (size_t)capacity * sizeof *all->items);
        if (!items) {
            return false;
        }
        all->items = items;
        all->capacity = capacity;
    }
    struct journal_entry *e = &all->items[all->count];
    *e = (struct journal_entry){.unit = unit};
    e->text = unescape(from, length, &e->length);
    all->count += e->text != NULL;
    return e->text != NULL;
}

static bool read_work(journal_entries *all, const char *from, size_t length)
{
    size_t made;
    free(all->work);
    all->work = unescape(from, length, &made);
    return all->work != NULL;
}

// One whole line, without its end. False if memory runs out.
static bool read_line(journal_entries *all, const char *line, size_t length, bool first)
{
    uint64_t check;
    int64_t unit;
    const char *rest = line + CHECK_DIGITS + 1, *end = line + length, *text = NULL;
    bool good = length > CHECK_DIGITS && read_check(line, &check) &&
                check == journal_check(rest, (size_t)(end - rest));
    if (good && first && strncmp(rest, "work ", 5) == 0) {
        return read_work(all, rest + 5, (size_t)(end - rest) - 5);
    }
    text = good ? read_unit(rest, &unit) : NULL;
    if (text && text <= end && !first) {
        return add_entry(all, unit, text, (size_t)(end - text));
    }
    all->foreign |= first;
    all->damaged += !first;
    return true;
}

// Whether a torn text is how the first line of a journal begins. What else has no end of a line is
// somebody's file, and stays.
static bool is_head(const char *text, size_t length)
{
    static const char rest[] = " work ";
    size_t digits = strspn(text, "0123456789abcdef");
    if (digits < CHECK_DIGITS) {
        return digits == length;
    }
    size_t more = length - CHECK_DIGITS;
    more = more < sizeof rest - 1 ? more : sizeof rest - 1;
    return strncmp(text + CHECK_DIGITS, rest, more) == 0;
}

bool journal_read(FILE *file, journal_entries *all)
{
    char *line = NULL;
    size_t room = 0;
    ssize_t length;
    bool good = true, first = true;
    *all = (journal_entries){0};
    rewind(file);
    while (good && (length = getline(&line, &room, file)) > 0) {
        all->torn = line[length - 1] != '\n';
        if (!all->torn) {
            line[length - 1] = 0;
            good = read_line(all, line, (size_t)length - 1, first);
            all->end += length;
        } else if (first) {
            all->foreign = !is_head(line, (size_t)length);
        }
        first = false;
    }
    free(line);
    return good && !ferror(file);
}

void journal_forget(journal_entries *all)
{
    for (int64_t i = 0; i < all->count; i++) {
        free(all->items[i].text);
    }
    free(all->items);
    free(all->work);
    *all = (journal_entries){0};
}

// ---------------------------------------------------------------------------------------------
// Writing.

void journal_print(FILE *file, int64_t unit, const char *text, size_t length)
{
    char *line = NULL;
    size_t made = 0;
    FILE *memory = open_memstream(&line, &made);
    if (!memory) {
        return;
    }
    unit < 0 ? (void)fputs("work ", memory) : (void)fprintf(memory, "%lld ", (long long)unit);
    for (size_t i = 0; i < length; i++) {
        if (text[i] == '\n' || text[i] == '\\') {
            fputc('\\', memory);
        }
        fputc(text[i] == '\n' ? 'n' : text[i], memory);
    }
    if (fclose(memory) == 0) {
        fprintf(file, "%016llx ", (unsigned long long)journal_check(line, made));
        fwrite(line, 1, made, file);
        fputc('\n', file);
    }
    free(line);
}

static int fail(const journal *j, const char *why)
{
    fprintf(stderr, "carom: the journal %s %s\n", shown(j->path), why);
    return EXIT_FILE;
}

static int fail_write(const journal *j)
{
    fprintf(stderr, "carom: the journal %s cannot be written: %s\n", shown(j->path),
            strerror(errno));
    return EXIT_FILE;
}

// Whether a word is this option, alone or with its value.
static bool is_option(const char *word, const char *name)
{
    size_t length = strlen(name);
    return strncmp(word, name, length) == 0 && (word[length] == 0 || word[length] == '=');
}

char *journal_work(int argc, char **argv, uint64_t hash)
{
    char *text = NULL;
    size_t length = 0;
    FILE *memory = open_memstream(&text, &length);
    if (!memory) {
        return NULL;
    }
    for (int i = 0; i < argc; i++) {
        if (is_option(argv[i], "--journal") || is_option(argv[i], "--threads")) {
            i += !strchr(argv[i], '=');
        } else {
            fprintf(memory, "%s ", shown_word(argv[i]));
        }
    }
    fprintf(memory, "@%016llx, carom %s", (unsigned long long)hash, cr_version());
    if (fclose(memory) != 0) {
        free(text);
        return NULL;
    }
    return text;
}

option_row journal_option(const char **path)
{
    return (option_row){.name = "journal",
                        .value = "FILE",
                        .kind = OPTION_TEXT,
                        .target = path,
                        .about = "note what is done in FILE; the same command goes on from there"};
}

int journal_lock(FILE *file)
{
    struct flock lock = {.l_type = F_WRLCK, .l_whence = SEEK_SET};
    if (fcntl(fileno(file), F_SETLK, &lock) == 0) {
        return 0;
    }
    return errno == EACCES ? EAGAIN : errno;
}

// Whether what was read is this work's; a file that is somebody else's stays as it is.
static int check_owner(const journal *j, const char *work)
{
    if (j->old.foreign) {
        return fail(j, "is no journal");
    }
    if (j->old.work && strcmp(j->old.work, work) != 0) {
        fprintf(stderr, "carom: the journal %s is that of other work: %s\nand not of: %s\n",
                shown(j->path), shown(j->old.work), shown(work));
        return EXIT_FILE;
    }
    return -1;
}

static int index_entries(journal *j)
{
    j->index = malloc((size_t)(j->units + 1) * sizeof *j->index);
    if (!j->index) {
        return EXIT_INTERNAL;
    }
    for (int64_t i = 0; i < j->units; i++) {
        j->index[i] = -1;
    }
    for (int64_t i = 0; i < j->old.count; i++) {
        if (j->old.items[i].unit < j->units) {
            j->index[j->old.items[i].unit] = i;
        }
    }
    return -1;
}

// Cut off what is torn, and say what is done again.
static int mend(journal *j, const char *work)
{
    if (j->old.torn && (fflush(j->file) != 0 || ftruncate(fileno(j->file), j->old.end) != 0)) {
        return fail_write(j);
    }
    if (j->old.torn || j->old.damaged > 0) {
        fprintf(stderr,
                "carom: the journal %s has %d damaged lines%s; what they said is done again\n",
                shown(j->path), j->old.damaged, j->old.torn ? " and a torn one at its end" : "");
    }
    fseek(j->file, 0, SEEK_END);
    if (!j->old.work) {
        journal_print(j->file, -1, work, strlen(work));
    }
    return fflush(j->file) == 0 ? -1 : fail_write(j);
}

static int open_file(journal *j)
{
    struct stat info;
    j->file = fopen(j->path, "a+");
    if (!j->file) {
        return fail_write(j);
    }
    if (fstat(fileno(j->file), &info) != 0 || !S_ISREG(info.st_mode)) {
        return fail(j, "is not a regular file");
    }
    int error = journal_lock(j->file);
    errno = error;
    return error == 0        ? -1
           : error == EAGAIN ? fail(j, "is in use by another carom")
                             : fail_write(j);
}

int journal_open(journal *j, const char *path, const char *work, int64_t units)
{
    *j = (journal){.path = path, .units = units};
    if (!path) {
        return -1;
    }
    int code = open_file(j);
    if (code < 0 && !journal_read(j->file, &j->old)) {
        code = EXIT_INTERNAL;
    }
    code = code >= 0 ? code : check_owner(j, work);
    code = code >= 0 ? code : index_entries(j);
    code = code >= 0 ? code : mend(j, work);
    return code >= 0 ? journal_close(j, code) : -1;
}

bool journal_recall(const journal *j, int64_t unit, cluster_result *result)
{
    if (!j->path || j->index[unit] < 0) {
        return false;
    }
    const struct journal_entry *e = &j->old.items[j->index[unit]];
    *result = (cluster_result){e->text, e->length};
    return true;
}

bool journal_sync(FILE *file, double *last, double pause)
{
    if (now_seconds() < *last + pause) {
        return true;
    }
    bool good = fsync(fileno(file)) == 0 || errno == EINVAL; // no file to sync, as /dev/stdout
    *last = now_seconds();
    return good;
}

int journal_keep(journal *j, int64_t unit, cluster_result result)
{
    if (!j->path) {
        return CLUSTER_ON;
    }
    journal_print(j->file, unit, result.text, result.length);
    bool good = fflush(j->file) == 0 && !ferror(j->file) &&
                journal_sync(j->file, &j->synced, JOURNAL_PAUSE);
    return good ? CLUSTER_ON : fail_write(j);
}

int journal_close(journal *j, int code)
{
    bool good = true;
    if (j->file) {
        good = journal_sync(j->file, &j->synced, 0);
        good = fclose(j->file) == 0 && good;
    }
    journal_forget(&j->old);
    free(j->index);
    int failed = good || code > EXIT_DONE ? code : fail_write(j);
    *j = (journal){0};
    return failed;
}
