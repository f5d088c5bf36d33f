// carom: one row per command.
#include "commands.h"

#include <stdio.h>
#include <string.h>

#include "cluster/cluster.h"
#include "terminal/json.h"

static const command commands[] = {
    {"plan", "search a scene for a plan", command_plan, true},
    {"simulate", "run one future of a scene by its seed", command_simulate, false},
    {"run", "execute plans in a world that does not obey", command_run, false},
    {"record", "make recordings of shots, as a camera sees them", command_record, false},
    {"fit", "find the numbers of a scene that agree best with recordings", command_fit, false},
    {"tune", "make a scene's Tactics solve it in fewer steps", command_tune, false},
    {"replay", "step through a plan again and check that it holds", command_replay, false},
    {"export", "turn a plan into a page, an animation, a drawing or a table", command_export,
     false},
    {"check", "look for errors in a scene file", command_check, false},
    {"list", "what there is: scenes, skills, conditions, parameters", command_list, false},
    {"bench", "plan a scene with many seeds, as a table", command_bench, true},
    {"reach", "move books between shelves, or a robot arm among obstacles", command_reach, true},
    {"drive", "drive a car around a track with recorded moves", command_drive, true},
    {"experiment", "run a published experiment again", command_experiment, true},
};

enum { COMMAND_COUNT = sizeof commands / sizeof commands[0] };

const command *command_at(int index)
{
    return index < COMMAND_COUNT ? &commands[index] : NULL;
}

int command_unknown(const char *name)
{
    const char *names[COMMAND_COUNT + 3] = {"help", "--help", "--version"};
    for (int i = 0; i < COMMAND_COUNT; i++) {
        names[i + 3] = commands[i].name;
    }
    fprintf(stderr, "carom: no command \"%s\"", shown(name));
    print_suggestion(name, names, COMMAND_COUNT + 3);
    fprintf(stderr, "`carom --help` lists the commands\n");
    return EXIT_USAGE;
}

static int run(int argc, char **argv)
{
    if (argc < 2) {
        help_commands(stderr);
        return EXIT_USAGE;
    }
    if (strcmp(argv[1], "--help") == 0 || strcmp(argv[1], "-h") == 0) {
        help_commands(stdout);
        return EXIT_DONE;
    }
    if (strcmp(argv[1], "help") == 0) {
        return command_help(argc - 1, argv + 1);
    }
    if (strcmp(argv[1], "--version") == 0) {
        printf("carom %s\n", cr_version());
        return EXIT_DONE;
    }
    for (int i = 0; i < COMMAND_COUNT; i++) {
        if (strcmp(argv[1], commands[i].name) == 0) {
            bool works = cluster_leads() || commands[i].shared;
            return works ? commands[i].run(argc - 1, argv + 1) : EXIT_DONE;
        }
    }
    return command_unknown(argv[1]);
}

int main(int argc, char **argv)
{
    ends_begin();
    cluster_begin();
    int code = run(argc, argv);
    json_end(code);
    return ends_finish(cluster_end(code));
}
