// What commands and laboratory stand on: exit codes, options with help made from one table, files,
// errors and progress.
#ifndef TERMINAL_H
#define TERMINAL_H

#include <stdio.h>

#include <carom/carom.h>

typedef enum exit_code {
    EXIT_DONE = 0, // all that was asked for
    EXIT_PART = 1, // not all of it
    EXIT_USAGE = 2,
    EXIT_FILE = 3,          // a file that cannot be read or written, stdout too
    EXIT_INTERNAL = 4,      // memory ran out, or a bug of ours
    EXIT_INTERRUPTED = 130, // by a signal
} exit_code;

// What the man page and docs/command-line.md say of each; NULL behind the last.
typedef struct exit_row {
    exit_code code;
    const char *about;
} exit_row;
const exit_row *exit_row_at(int index);

// Before and after a command: signals and standard streams. The second takes the command's exit
// code and returns the program's, which knows whether stdout took everything. A reader that went
// away (`| head -1`) is no error.
void ends_begin(void);
int ends_finish(int code);

// False once stdout does not take what is printed: a long table ends there.
bool stdout_good(void);

// True once a signal asked to stop (Ctrl-C, SIGTERM, SIGHUP).
bool stop_asked(void *context);

// True while nobody asks to stop and stdout takes what is printed: asked before the next row of a
// long table.
bool goes_on(void);

// Say on stderr what came of an interrupted run, and return its exit code.
int interrupted(const char *format, ...) __attribute__((format(printf, 1, 2)));

typedef enum option_kind {
    OPTION_FLAG,   // bool *
    OPTION_TEXT,   // const char **
    OPTION_INT,    // int64_t *
    OPTION_NUMBER, // double *
    OPTION_CALL,   // int (*)(const char *value, void *context): 0 or an exit code
} option_kind;

typedef struct option_row {
    char letter;       // 0: none
    const char *name;  // without dashes
    const char *value; // what stands for the value in the help; NULL for flags
    option_kind kind;
    void *target;
    const char *about;
    double min, max; // numbers; both 0: any
    int (*call)(const char *value, void *context);
} option_row;

// How a command is used.
typedef struct usage {
    const char *line;  // "carom plan SCENE [options]"
    const char *about; // a paragraph
    const option_row *options;
    int option_count;
    int words_min, words_max; // arguments that are no options
} usage;

// Read the arguments. Words go to words (room for words_max). Returns -1 to go on, or the exit code
// to end with (after --help or a usage error, which are printed here). A command does nothing
// before it: this is also where man page and completion learn its options.
int options_read(const usage *how, int argc, char **argv, const char **words, int *word_count);

// End a message about a word that is not known: `; did you mean "x"?` if one of the known words is
// near, and a new line. On stderr.
void print_suggestion(const char *word, const char *const *known, int count);

// Print how a command is used if the word asks for it: --help and -h for people; the hidden
// --help=man and --help=bash for the man page and completion. False if it does not ask.
bool help_print(const usage *how, const char *word);

// Text for a man page as it is: a dash stays a dash that can be searched for, and no line is taken
// for a request.
void help_man_text(const char *text);

// Print all warnings and errors of a report on stderr and empty it, so that nothing is said twice;
// returns the exit code for the status.
int report_print(cr_status status, cr_report *report);

// The same for what the program made itself: if that does not replay, it is a bug of ours.
int report_own(cr_status status, cr_report *report);

// Text of a file, a name or an argument as it is printed: on one line and without anything that a
// terminal obeys (cr_text_show). It lasts for SHOWN_MAX further calls.
enum { SHOWN_MAX = 8 };
const char *shown(const char *text);

// The same as one word of a shell's line, in quotes where it needs them.
const char *shown_word(const char *word);

// Progress on stderr: one line that is rewritten on a terminal, a plain line now and then
// elsewhere.
typedef struct progress {
    double last; // s, when something was last shown
    bool shown;
} progress;

double now_seconds(void); // monotonic

// Processor time of the program: what work costs, however busy the machine is. A clock for defs.
double processor_seconds(void *context);
bool progress_due(progress *bar);
void progress_show(progress *bar, const char *format, ...) __attribute__((format(printf, 2, 3)));
void progress_end(progress *bar); // clears the line on a terminal

// A file that is put together in memory and written when it is whole. NULL if there is no memory.
typedef struct outfile {
    FILE *file;
    const char *path;
    char *data;
    size_t length;
} outfile;

FILE *outfile_open(outfile *out, const char *path);
int outfile_close(outfile *out); // -1, or the exit code after a message

// Whether a file can be written at the end of the work: asked before it starts. NULL: none is
// wanted. Returns -1, or the exit code after a message.
int output_try(const char *path);

// The same for a picture, an animation or a table, whose ending must be known too.
int output_try_playback(const char *path);

#endif
