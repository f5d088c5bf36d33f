// carom experiment: run a published experiment again.
#include "commands.h"

#include <stdio.h>
#include <string.h>

#include "lab/dice_tables.h"
#include "lab/experiment.h"
#include "lab/fit_tables.h"
#include "lab/run_tables.h"
#include "lab/side_tables.h"

static const char about[] =
    "Run a published experiment again and print its table beside the published one:\n"
    "table-6.1, table-6.2, table-6.3, table-6.4, figure-2.4, figure-6.11, "
    "figure-6.12,\n"
    "figure-6.13, 000-table-1, 001-figure-4, 001-figure-6, basic, metric,\n"
    "sweep-extension, sweep-opponents, sweep-aim, sweep-body, all.\n"
    "In a world that does not obey: table-7.3, figure-7.10, strategies, following, robust, "
    "figure-9.6,\n"
    "figure-9.7, figure-9.7-maze, figure-9.7-calm, detail, stuck.\n"
    "Those that `all` leaves out, as FOLDER/NAME.csv: figure-5.4, trees; chance, what "
    "plans are worth\n"
    "against luck; dice, dice-select (003, table 6.1), dice-mu (figure 6.13 c), dice-force and\n"
    "dice-acceleration, four hundred dice; table-8.1, table-8.2, figure-8.2 and figure-8.3, fits "
    "to recordings of hidden\n"
    "worlds and holes in one.\n"
    "Every search is a line of FOLDER/runs.csv, every run in a world one of FOLDER/trials.csv; "
    "what is\n"
    "there is not run again.";

// Those that are no tables of searches.
static int run_aside(const experiment_def *def)
{
    run_tables_def aside = {def->folder, def->quick, def->runs};
    if (strcmp(def->name, "figure-5.4") == 0) {
        return tree_figure(&aside);
    }
    if (strcmp(def->name, "chance") == 0) {
        return chance_table(&aside);
    }
    if (dice_table_is(def->name)) {
        return dice_table(def->name, &aside);
    }
    if (fit_table_is(def->name)) {
        return fit_table(def->name, &aside);
    }
    return run_table_is(def->name) ? run_table(def->name, &aside) : -1;
}

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
    usage how = {"carom experiment NAME [options]", about, rows, 5, 1, 1};
    int words, code = options_read(&how, argc, argv, &def.name, &words);
    if (code >= 0) {
        return code;
    }
    code = run_aside(&def);
    if (code >= 0) {
        return code;
    }
    if (round > 0) {
        snprintf(extra, sizeof extra, "round=%lld", (long long)round);
    }
    code = experiment_run(&def);
    bool all = code == EXIT_DONE && strcmp(def.name, "all") == 0;
    return all ? run_table("all", &(run_tables_def){def.folder, def.quick, def.runs}) : code;
}
