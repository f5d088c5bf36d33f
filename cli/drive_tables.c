// carom drive tables: the options of lab/drive_tables.c.
#include "drive.h"

#include <stdlib.h>

#include "cluster/journal.h"
#include "lab/drive_tables.h"

int drive_command_tables(int argc, char **argv)
{
    drive_tables_def def = {
        .reference = getenv("CAROM_REFERENCE"), .word_count = argc - 1, .words = argv + 1};
    const option_row options[] = {
        {0, "quick", NULL, OPTION_FLAG, &def.quick, "fewer seeds, no rows of many nodes, one lap",
         0, 0, NULL},
        {0, "seeds", "N", OPTION_INT, &def.seeds, "shifts of the other cars (20, quick 4)", 1, 1000,
         NULL},
        {0, "most-nodes", "N", OPTION_INT, &def.most_nodes, "skip rows with more (quick 20000)", 1,
         10000000, NULL},
        {0, "table", "NAME", OPTION_TEXT, &def.table, "only this one: 4.1 to 4.8 or default", 0, 0,
         NULL},
        {0, "reference", "DIR", OPTION_TEXT, &def.reference,
         "folder with tracks/*.csv (default $CAROM_REFERENCE)", 0, 0, NULL},
        {0, "real", NULL, OPTION_FLAG, &def.only_real, "only the real tracks", 0, 0, NULL},
        journal_option(&def.journal),
    };
    const usage how = {
        .line = "carom drive tables [options]",
        .about = "Drives the published tables 4.1 to 4.8 again and prints both as markdown.",
        .options = options,
        .option_count = sizeof options / sizeof options[0]};
    int code = drive_options(how, argc, argv);
    if (code >= 0) {
        return code;
    }
    return drive_tables(&def);
}
