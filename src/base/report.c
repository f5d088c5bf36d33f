#include "base/report.h"

#include <assert.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "base/number.h"
// Two macros, so that what x stands for is quoted and not its name.
#define QUOTE_WORD(x) #x
#define QUOTE(x)      QUOTE_WORD(x)

const char *cr_version(void)
{
    return QUOTE(CR_VERSION_MAJOR) "." QUOTE(CR_VERSION_MINOR) "." QUOTE(CR_VERSION_PATCH);
}

const char *cr_status_name(cr_status status)
{
    switch (status) {
    case CR_OK:
        return "ok";
    case CR_ERR_FILE:
        return "file";
    case CR_ERR_SYNTAX:
        return "syntax";
    case CR_ERR_NAME:
        return "name";
    case CR_ERR_TYPE:
        return "type";
    case CR_ERR_RANGE:
        return "range";
    case CR_ERR_VERSION:
        return "version";
    case CR_ERR_REPLAY:
        return "replay";
    case CR_ERR_MEMORY:
        return "memory";
    }
    return "unknown";
}

// The end of a path, from the beginning of a character.
static const char *path_end(const char *path, size_t most)
{
    size_t length = strlen(path);
    path += length > most ? length - most : 0;
    while (((unsigned char)*path & 0xC0) == 0x80) {
        path++;
    }
    return path;
}

// Fill an error or warning.
static void set_error(cr_error *error, cri_location location, const char *format, va_list arguments)
{
    char text[1024];
    cri_format_list(text, sizeof text, format, arguments);
    error->line = location.line;
    error->column = location.column;
    error->file[0] = 0;
    cr_text_show(text, error->message, sizeof error->message);
    if (location.file) {
        const char *end = path_end(location.file, sizeof error->file - 1);
        cr_text_show(end, error->file, sizeof error->file);
    }
}

cr_status cri_fail(cr_report *report, cr_status status, cri_location location, const char *format,
                   ...)
{
    if (!report) {
        return status;
    }
    if (report->count < CR_REPORT_MAX) {
        cr_error *error = &report->errors[report->count];
        error->status = status;
        va_list arguments;
        va_start(arguments, format);
        set_error(error, location, format, arguments);
        va_end(arguments);
    }
    report->count++;
    return status;
}

cr_status cr_report_fail(cr_report *report, cr_status status, const char *format, ...)
{
    char text[1024];
    va_list arguments;
    va_start(arguments, format);
    cri_format_list(text, sizeof text, format, arguments);
    va_end(arguments);
    return cri_fail(report, status, (cri_location){0}, "%s", text);
}

void cri_warn(cr_report *report, cri_location location, const char *format, ...)
{
    if (!report) {
        return;
    }
    if (report->warning_count < CR_REPORT_MAX) {
        cr_error *warning = &report->warnings[report->warning_count];
        warning->status = CR_OK;
        va_list arguments;
        va_start(arguments, format);
        set_error(warning, location, format, arguments);
        va_end(arguments);
    }
    report->warning_count++;
}

cr_status cri_fail_memory(cr_report *report)
{
    return cri_fail(report, CR_ERR_MEMORY, (cri_location){0}, "memory ran out");
}

const char *cr_error_print(const cr_error *error, char *text, size_t size)
{
    const char *sort = error->status == CR_OK ? "warning: " : "";
    if (!error->file[0]) {
        snprintf(text, size, "%s%s", sort, error->message);
    } else if (error->line == 0) {
        snprintf(text, size, "%s%s: %s", sort, error->file, error->message);
    } else {
        snprintf(text, size, "%s%s:%d:%d: %s", sort, error->file, error->line, error->column,
                 error->message);
    }
    return text;
}

static char small_letter(char c)
{
    return c >= 'A' && c <= 'Z' ? (char)(c - 'A' + 'a') : c;
}

bool cri_word_alike(const char *a, const char *b)
{
    while (*a && small_letter(*a) == small_letter(*b)) {
        a++;
        b++;
    }
    return *a == *b;
}

int cri_word_distance(const char *a, const char *b)
{
    enum { LONGEST = 40 };
    int m = (int)strnlen(a, LONGEST + 1), n = (int)strnlen(b, LONGEST + 1);
    if (m > LONGEST || n > LONGEST) {
        return 1000;
    }
    int row[LONGEST + 1];
    for (int j = 0; j <= n; j++) {
        row[j] = j;
    }
    for (int i = 1; i <= m; i++) {
        int corner = row[0];
        row[0] = i;
        for (int j = 1; j <= n; j++) {
            int change = corner + (a[i - 1] != b[j - 1]);
            corner = row[j];
            int shift = (row[j] < row[j - 1] ? row[j] : row[j - 1]) + 1;
            row[j] = change < shift ? change : shift;
        }
    }
    return row[n];
}

void cri_suggest(cri_suggestion *suggestion, const char *known)
{
    int distance = cri_word_distance(suggestion->word, known);
    int most = 1 + (int)strlen(suggestion->word) / 3;
    if (distance <= most && (!suggestion->best || distance < suggestion->distance)) {
        suggestion->best = known;
        suggestion->distance = distance;
    }
}

const char *cr_nearest_word(const char *word, const char *const *known, int count)
{
    assert(count >= 0);
    cri_suggestion near = {.word = word};
    for (int i = 0; i < count; i++) {
        cri_suggest(&near, known[i]);
    }
    return near.best;
}

const char *cri_suggestion_print(const cri_suggestion *suggestion, char *text, size_t size)
{
    if (suggestion->best) {
        snprintf(text, size, "; did you mean \"%s\"?", suggestion->best);
    } else {
        text[0] = 0;
    }
    return text;
}
