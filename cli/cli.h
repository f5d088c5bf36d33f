// What the commands share: exit codes, options with help made from one table, errors and progress.
#ifndef CLI_H
#define CLI_H

#include <stdio.h>

#include <carom/carom.h>

enum {
    EXIT_DONE = 0,
    EXIT_NO_PLAN = 1, // no plan within the budget
    EXIT_USAGE = 2,
    EXIT_INPUT = 3,    // bad input: a located message was printed
    EXIT_INTERNAL = 4, // a bug, or memory ran out
};

// A command: one row of the table in main.c.
typedef struct command {
    const char *name;
    const char *about;                 // one line
    int (*run)(int argc, char **argv); // argv[0] is the command's name
} command;

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

// The commands, in order; NULL behind the last.
const command *command_at(int index);

// Print how a command is used if the word asks for it: --help and -h for people; the hidden
// --help=man and --help=bash for the man page and completion. False if it does not ask.
bool help_print(const usage *how, const char *word);

// Print the list of commands.
void help_commands(FILE *file);

// carom help, which is no row of the table that it prints.
int command_help(int argc, char **argv);

// Print all warnings and errors of a report on stderr and empty it, so that nothing is said twice;
// returns the exit code for the status.
int report_print(cr_status status, cr_report *report);

// True once the user asked to stop (Ctrl-C). The first call installs the handler.
bool stop_asked(void *context);

// Progress on stderr: one line that is rewritten on a terminal, a plain line now and then
// elsewhere.
typedef struct progress {
    double last; // s, when something was last shown
    bool shown;
} progress;

double now_seconds(void); // monotonic
bool progress_due(progress *bar);
void progress_show(progress *bar, const char *format, ...) __attribute__((format(printf, 2, 3)));
void progress_end(progress *bar); // clears the line on a terminal

// A file that is written aside and renamed when it is whole. NULL after a message on stderr.
typedef struct outfile {
    FILE *file;
    const char *path;
    char aside[1040];
} outfile;

FILE *outfile_open(outfile *out, const char *path);
bool outfile_close(outfile *out); // false after a message; the file is then as it was before

int command_plan(int argc, char **argv);
int command_replay(int argc, char **argv);
int command_check(int argc, char **argv);
int command_list(int argc, char **argv);
int command_bench(int argc, char **argv);
int command_drive(int argc, char **argv);
int command_experiment(int argc, char **argv);
int command_export(int argc, char **argv);
int command_reach(int argc, char **argv);

#endif
