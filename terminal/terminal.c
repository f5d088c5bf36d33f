// Talking to the user: errors, names and progress.
#include "terminal/json.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

static void print_all(const cr_error *errors, int count, const char *sort)
{
    char text[640];
    int kept = count < CR_REPORT_MAX ? count : CR_REPORT_MAX;
    for (int i = 0; i < kept; i++) {
        fprintf(stderr, "%s\n", cr_error_print(&errors[i], text, sizeof text));
    }
    if (count > kept) {
        fprintf(stderr, "... and %d more %s\n", count - kept, sort);
    }
}

int report_print(cr_status status, cr_report *report)
{
    print_all(report->warnings, report->warning_count, "warnings");
    print_all(report->errors, report->count, "errors");
    json_keep(report);
    report->warning_count = report->count = 0;
    switch (status) {
    case CR_OK:
        return EXIT_DONE;
    case CR_ERR_MEMORY:
        return EXIT_INTERNAL;
    case CR_ERR_FILE:
    case CR_ERR_SYNTAX:
    case CR_ERR_NAME:
    case CR_ERR_TYPE:
    case CR_ERR_RANGE:
    case CR_ERR_VERSION:
    case CR_ERR_REPLAY:
        return EXIT_FILE;
    }
    return EXIT_INTERNAL;
}

int report_own(cr_status status, cr_report *report)
{
    int code = report_print(status, report);
    if (status == CR_ERR_REPLAY) {
        fprintf(stderr, "carom: this is a bug of carom; please report it with the line above\n");
        return EXIT_INTERNAL;
    }
    return code;
}

const char *shown(const char *text)
{
    static char texts[SHOWN_MAX][2048];
    static int last;
    last = (last + 1) % SHOWN_MAX;
    return cr_text_show(text, texts[last], sizeof texts[last]);
}

const char *shown_word(const char *word)
{
    static const char plain[] = "0123456789.+-_:/=,@%abcdefghijklmnopqrstuvwxyz"
                                "ABCDEFGHIJKLMNOPQRSTUVWXYZ";
    char quoted[1024];
    size_t used = 0;
    if (word[0] && !word[strspn(word, plain)]) {
        return shown(word);
    }
    quoted[used++] = '\'';
    for (const char *c = word; *c && used < sizeof quoted - 8; c++) {
        used += (size_t)snprintf(quoted + used, 8, *c == '\'' ? "'\\''" : "%c", *c);
    }
    memcpy(quoted + used, "'", 2);
    return shown(quoted);
}

double now_seconds(void)
{
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (double)now.tv_sec + (double)now.tv_nsec * 1e-9;
}

double processor_seconds(void *context)
{
    (void)context;
    struct timespec now;
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &now);
    return (double)now.tv_sec + (double)now.tv_nsec * 1e-9;
}

bool progress_due(progress *bar)
{
    double pause = isatty(STDERR_FILENO) ? 0.1 : 5;
    double now = now_seconds();
    if (bar->last == 0) {
        bar->last = now;
    }
    return now - bar->last >= pause;
}

void progress_show(progress *bar, const char *format, ...)
{
    bar->last = now_seconds();
    bar->shown = true;
    bool terminal = isatty(STDERR_FILENO);
    if (terminal) {
        fputs("\r\033[K", stderr);
    }
    va_list arguments;
    va_start(arguments, format);
    vfprintf(stderr, format, arguments);
    va_end(arguments);
    if (!terminal) {
        fputc('\n', stderr);
    }
    fflush(stderr);
}

void progress_end(progress *bar)
{
    if (bar->shown && isatty(STDERR_FILENO)) {
        fputs("\r\033[K", stderr);
    }
    bar->shown = false;
}
