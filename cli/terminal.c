// Talking to the user: errors, progress and Ctrl-C.
#include "cli.h"

#include <signal.h>
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
        return EXIT_INPUT;
    }
    return EXIT_INTERNAL;
}

static volatile sig_atomic_t stopped, listening;

static void on_signal(int number)
{
    (void)number;
    stopped = 1;
}

bool stop_asked(void *context)
{
    (void)context;
    if (!listening) {
        listening = 1;
        // Once: a second Ctrl-C ends the program the usual way.
        struct sigaction action = {.sa_handler = on_signal, .sa_flags = (int)SA_RESETHAND};
        sigemptyset(&action.sa_mask);
        sigaction(SIGINT, &action, NULL);
        sigaction(SIGTERM, &action, NULL);
    }
    return stopped != 0;
}

double now_seconds(void)
{
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
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

FILE *outfile_open(outfile *out, const char *path)
{
    out->path = path;
    int length = snprintf(out->aside, sizeof out->aside, "%s.part", path);
    out->file = length < (int)sizeof out->aside ? fopen(out->aside, "w") : NULL;
    if (!out->file) {
        fprintf(stderr, "carom: cannot write \"%s\"\n", path);
    }
    return out->file;
}

bool outfile_close(outfile *out)
{
    bool good = !ferror(out->file);
    good = fclose(out->file) == 0 && good;
    if (!good || rename(out->aside, out->path) != 0) {
        remove(out->aside);
        fprintf(stderr, "carom: cannot write \"%s\"\n", out->path);
        return false;
    }
    return true;
}
