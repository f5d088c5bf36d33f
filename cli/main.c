// carom: one row per command.
#include "cli.h"

#include <stdio.h>
#include <string.h>

static const command commands[] = {
    {"plan", "search a scene for a plan", command_plan},
    {"replay", "step through a plan again and check that it holds", command_replay},
    {"export", "turn a plan into a page, an animation, a drawing or a table", command_export},
    {"check", "look for errors in a scene file", command_check},
    {"list", "what there is: scenes, skills, conditions, parameters", command_list},
    {"bench", "plan a scene with many seeds, as a table", command_bench},
};

enum { COMMAND_COUNT = sizeof commands / sizeof commands[0] };

static void print_help(FILE *file)
{
    fprintf(file, "carom %s plans motion that goes through collisions.\n\n", cr_version());
    fprintf(file, "usage: carom COMMAND ...\n\ncommands:\n");
    for (int i = 0; i < COMMAND_COUNT; i++) {
        fprintf(file, "  %-12s %s\n", commands[i].name, commands[i].about);
    }
    fprintf(file, "\n`carom COMMAND --help` says more. A first try:\n"
                  "  carom plan windmill -o windmill.json\n  carom replay windmill.json --events\n"
                  "  carom export windmill.json windmill.html\n");
}

int main(int argc, char **argv)
{
    if (argc < 2) {
        print_help(stderr);
        return EXIT_USAGE;
    }
    if (strcmp(argv[1], "--help") == 0 || strcmp(argv[1], "-h") == 0 ||
        strcmp(argv[1], "help") == 0) {
        print_help(stdout);
        return EXIT_DONE;
    }
    if (strcmp(argv[1], "--version") == 0) {
        printf("carom %s\n", cr_version());
        return EXIT_DONE;
    }
    for (int i = 0; i < COMMAND_COUNT; i++) {
        if (strcmp(argv[1], commands[i].name) == 0) {
            return commands[i].run(argc - 1, argv + 1);
        }
    }
    fprintf(stderr, "carom: no command \"%s\"; `carom --help` lists them\n", argv[1]);
    return EXIT_USAGE;
}
