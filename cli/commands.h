// The commands: one file and one row of the table in main.c each.
#ifndef CLI_COMMANDS_H
#define CLI_COMMANDS_H

#include "terminal/terminal.h"

// A command: one row of the table in main.c.
typedef struct command {
    const char *name;
    const char *about;                 // one line
    int (*run)(int argc, char **argv); // argv[0] is the command's name
    bool shared;                       // the processes of an mpirun all run it; else the lead does
} command;

// The commands, in order; NULL behind the last.
const command *command_at(int index);

// Say that there is no such command; returns the exit code.
int command_unknown(const char *name);

// Print the list of commands.
void help_commands(FILE *file);

// carom help, which is no row of the table that it prints.
int command_help(int argc, char **argv);

int command_plan(int argc, char **argv);
int command_replay(int argc, char **argv);
int command_check(int argc, char **argv);
int command_list(int argc, char **argv);
int command_bench(int argc, char **argv);
int command_drive(int argc, char **argv);
int command_experiment(int argc, char **argv);
int command_export(int argc, char **argv);
int command_reach(int argc, char **argv);
int command_fit(int argc, char **argv);
int command_record(int argc, char **argv);
int command_run(int argc, char **argv);
int command_tune(int argc, char **argv);
int command_simulate(int argc, char **argv);

#endif
