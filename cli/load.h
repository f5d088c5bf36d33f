// --load, for the commands that take it.
#ifndef CLI_LOAD_H
#define CLI_LOAD_H

#include "commands.h"

// The option; *library is NULL until something is loaded, and to be destroyed at the end.
option_row load_option(cr_library **library);

// options_read for a command with that option: what was loaded is let go of where it ends here.
typedef struct load_words {
    cr_library **library;
    const char **words;
    int count;
} load_words;
int load_options(const usage *how, int argc, char **argv, load_words *words);

#endif
