// carom experiment: run a published experiment again.
#include "commands.h"

#include <stdio.h>

#include "lab/experiment.h"
#include "lab/fit_tables.h"
#include "lab/run_tables.h"

int command_experiment(int argc, char **argv)
{
    int64_t round = 0;
    char extra[32] = "";
    experiment_def def = {.folder = "experiments", .extra = extra};
    const option_row rows[] = {
        {0, "quick", NULL, OPTION_FLAG, &def.quick,
         "few searches with small limits: about a minute", 0, 0, NULL},
        {0, "round", "N", OPTION_INT, &round, "attempts side by side (default: the scene's)", 1,
         1024, NULL},
        {0, "runs", "N", OPTION_INT, &def.runs, "at most N searches a row (default: as published)",
         1, 1e6, NULL},
        {'o', "out", "FOLDER", OPTION_TEXT, &def.folder,
         "for runs.csv and the figures (default: experiments)", 0, 0, NULL},
        {0, "threads", "N", OPTION_INT, &def.threads, "0: all cores; changes nothing but time", 0,
         256, NULL},
    };
    usage how = {
        "carom experiment NAME [options]",
        "Run a published experiment again and print its table beside the published one:\n"
        "table-6.1, table-6.2, table-6.3, table-6.4, figure-6.11, figure-6.12, "
        "figure-6.13, all;\n"
        "figure-9.6 and figure-9.7, which `all` leaves out: collisions and planning of "
        "runs in a\n"
        "world that does not obey, as FOLDER/NAME.csv; and likewise table-8.1, table-8.2,\n"
        "figure-8.2 and figure-8.3: fits to recordings of hidden worlds, and holes in one.\n"
        "Every search is a line of FOLDER/runs.csv; what is there is not run again.",
        rows,
        5,
        1,
        1};
    int words, code = options_read(&how, argc, argv, &def.name, &words);
    if (code >= 0) {
        return code;
    }
    if (fit_table_is(def.name)) {
        return fit_table(def.name, &(run_tables_def){def.folder, def.quick, def.runs});
    }
    if (run_table_is(def.name)) {
        return run_table(def.name, &(run_tables_def){def.folder, def.quick, def.runs});
    }
    if (round > 0) {
        snprintf(extra, sizeof extra, "round=%lld", (long long)round);
    }
    return experiment_run(&def);
}
