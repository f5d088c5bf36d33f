// What the drive command's files share.
#ifndef CLI_DRIVE_H
#define CLI_DRIVE_H

#include "cli.h"

extern const char *const drive_end_words[]; // by cr_drive_end

double drive_clock(void *context);

int drive_record(int argc, char **argv); // carom drive record
int drive_tables(int argc, char **argv); // carom drive tables

#endif
