// What the drive command's files share.
#ifndef CLI_DRIVE_H
#define CLI_DRIVE_H

#include "commands.h"

// Read the options of a part of the command that takes no words: -1 to go on, or the exit code.
int drive_options(usage how, int argc, char **argv);

// Whether that is a tree's name; if not, it is said on stderr.
bool drive_tree_known(const char *name);

int drive_record(int argc, char **argv);         // carom drive record
int drive_replay(int argc, char **argv);         // carom drive replay
int drive_command_tables(int argc, char **argv); // carom drive tables

#endif
