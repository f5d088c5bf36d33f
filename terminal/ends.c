// How the program ends: its exit codes, the signals that ask it to, and stdout, which is a file
// like any other and can be closed, full or gone.
#include "terminal/terminal.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static const exit_row exit_rows[] = {
    {EXIT_DONE, "all that was asked for"},
    {EXIT_PART, "not all of it: no plan within the budget, fewer solutions than asked for, a task "
                "that was not solved, a drive that did not finish"},
    {EXIT_USAGE, "wrong usage"},
    {EXIT_FILE, "a file that cannot be read or written, stdout too: a message says which and why"},
    {EXIT_INTERNAL, "memory ran out, or a bug of carom's"},
    {EXIT_INTERRUPTED, "interrupted (Ctrl-C, SIGTERM, SIGHUP): what there was is saved"},
};

const exit_row *exit_row_at(int index)
{
    return index < (int)(sizeof exit_rows / sizeof exit_rows[0]) ? &exit_rows[index] : NULL;
}

// ---------------------------------------------------------------------------------------------
// Signals.

static volatile sig_atomic_t stopped;

static void on_signal(int number)
{
    (void)number;
    stopped = 1;
}

bool stop_asked(void *context)
{
    (void)context;
    return stopped != 0;
}

// Once: the second Ctrl-C ends the program the usual way. A write that is under way goes on.
static void listen_to(int number)
{
    struct sigaction action = {.sa_handler = on_signal,
                               .sa_flags = (int)(SA_RESETHAND | SA_RESTART)};
    sigemptyset(&action.sa_mask);
    sigaction(number, &action, NULL);
}

static void begin_listening(void)
{
    struct sigaction hangup;
    listen_to(SIGINT);
    listen_to(SIGTERM);
    if (sigaction(SIGHUP, NULL, &hangup) == 0 && hangup.sa_handler != SIG_IGN) { // as under nohup
        listen_to(SIGHUP);
    }
    // A closed pipe and a file that may not grow are errors of the write that meets them.
    signal(SIGPIPE, SIG_IGN);
    signal(SIGXFSZ, SIG_IGN);
}

int interrupted(const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    fputs("carom: interrupted: ", stderr);
    vfprintf(stderr, format, arguments);
    fputc('\n', stderr);
    va_end(arguments);
    return EXIT_INTERRUPTED;
}

// ---------------------------------------------------------------------------------------------
// Stdout.

// A file that is opened later must not become stdin, stdout or stderr. What was closed is taken by
// something that fails as it would: nothing can be written to a stdout that is open for reading.
static void hold_streams(void)
{
    for (int stream = STDIN_FILENO; stream <= STDERR_FILENO; stream++) {
        if (fcntl(stream, F_GETFD) < 0 && errno == EBADF &&
            open("/dev/null", stream == STDERR_FILENO ? O_WRONLY : O_RDONLY) < 0) {
            return;
        }
    }
}

static bool reader_is_gone(void)
{
    struct pollfd out = {.fd = STDOUT_FILENO, .events = POLLOUT};
    return poll(&out, 1, 0) > 0 && (out.revents & (POLLERR | POLLHUP));
}

static char *stdout_buffer; // freed once stdout is closed
static int stdout_error;    // errno of the first write that failed, where it is known

bool stdout_good(void)
{
    errno = 0;
    bool good = fflush(stdout) == 0 && !ferror(stdout);
    if (!good && stdout_error == 0) {
        stdout_error = errno;
    }
    return good;
}

bool goes_on(void)
{
    return !stop_asked(NULL) && stdout_good();
}

// Pages are longer than the usual buffer, and of a write that fails inside of printf the reason is
// lost; one that fails in fflush has it.
static void widen_stdout(void)
{
    enum { BYTES = 1 << 16 };
    stdout_buffer = isatty(STDOUT_FILENO) ? NULL : malloc(BYTES);
    if (stdout_buffer) {
        setvbuf(stdout, stdout_buffer, _IOFBF, BYTES);
    }
}

void ends_begin(void)
{
    hold_streams();
    widen_stdout();
    begin_listening();
}

int ends_finish(int code)
{
    bool good = stdout_good();
    bool gone = !good && reader_is_gone();
    if (fclose(stdout) != 0 && good) { // some file systems say only now that there is no room
        good = false;
        stdout_error = errno;
    }
    free(stdout_buffer);
    if (good || gone) {
        return code;
    }
    const char *why = stdout_error ? strerror(stdout_error) : "an earlier write failed";
    fprintf(stderr, "carom: stdout cannot be written: %s\n", why);
    return code == EXIT_DONE || code == EXIT_PART ? EXIT_FILE : code;
}
