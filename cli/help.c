// carom help: all commands as a list, a man page and the tables of the completion for bash. What
// it says of each command that command prints itself (terminal/help.c).
#include "commands.h"

#include <string.h>

// Let a command print its own usage: only it knows its tables.
static int run_help(const command *row, const char *style)
{
    char name[32], word[32];
    snprintf(name, sizeof name, "%s", row->name);
    snprintf(word, sizeof word, "%s", style);
    char *arguments[] = {name, word, NULL};
    return row->run(2, arguments);
}

// ---------------------------------------------------------------------------------------------
void help_commands(FILE *file)
{
    fprintf(file, "carom %s plans motion that goes through collisions.\n\n", cr_version());
    fprintf(file, "usage: carom COMMAND ...\n\ncommands:\n");
    for (int i = 0; command_at(i); i++) {
        fprintf(file, "  %-12s %s\n", command_at(i)->name, command_at(i)->about);
    }
    fprintf(file, "\n`carom COMMAND --help` says more. A first try:\n"
                  "  carom plan windmill -o windmill.json\n  carom replay windmill.json --events\n"
                  "  carom export windmill.json windmill.html\n");
}

// ---------------------------------------------------------------------------------------------
// A man page, in the macros of man(7).

static void man_parameters(void)
{
    printf(".SH PARAMETERS\nWhat \\fB\\-\\-set\\fR \\fINAME=VALUE\\fR and the section\n"
           "\\fBplan\\fR of a scene know, beside the scene's own parameters.\n");
    for (int i = 0; i < cr_parameter_count(); i++) {
        const cr_parameter *p = cr_parameter_at(i);
        printf(".TP\n\\fB%s\\fR (%s", p->name, p->type);
        char words[400];
        bool choice = cr_parameter_words(i, NULL, words, sizeof words)[0] != 0;
        help_man_text(choice || p->unit[0] ? ", " : "");
        help_man_text(choice ? words : p->unit);
        printf("; default %s)\n", p->fallback);
        help_man_text(p->about);
        printf("\n");
    }
}

static void man_page(void)
{
    printf(".\\\" Made by `carom help --man`.\n"
           ".TH CAROM 1 \"\" \"carom %s\" \"User Commands\"\n"
           ".SH NAME\ncarom \\- plan motion that goes through collisions\n"
           ".SH SYNOPSIS\n.B carom\n.I COMMAND\n\\&...\n"
           ".SH DESCRIPTION\n.nh\n.ad l\n"
           "A scene file says what there is, what is wanted and what may be done. carom searches\n"
           "a tree of physically simulated futures until one of them reaches the goal, and writes\n"
           "the way there as a plan that replays bit for bit. Same seed, same plan.\n"
           ".SH COMMANDS\n",
           cr_version());
    for (int i = 0; command_at(i); i++) {
        run_help(command_at(i), "--help=man");
    }
    man_parameters();
    printf(".SH EXIT STATUS\n");
    for (int i = 0; exit_row_at(i); i++) {
        printf(".TP\n.B %d\n", exit_row_at(i)->code);
        help_man_text(exit_row_at(i)->about);
        printf("\n");
    }
    printf(
        ".SH ENVIRONMENT\n.TP\n.B CAROM_SCENES\n"
        "the folder of scenes that are known by name, instead of those that came with carom\n"
        ".SH EXAMPLES\n.nf\ncarom plan windmill \\-o windmill.json\n"
        "carom replay windmill.json \\-\\-events\ncarom export windmill.json windmill.html\n.fi\n");
}

// ---------------------------------------------------------------------------------------------
// Completion for bash.

// The tables that cli/completion.bash completes from.
static void bash_tables(void)
{
    printf(
        "# Completion of carom for bash: tables made by `carom help --bash`, and what reads "
        "them.\n\n"
        "# _carom_command NAME OPTION: the words and options of a command, and what to offer as\n"
        "# the option's value\n_carom_command() {\n    case $1 in\n");
    for (int i = 0; command_at(i); i++) {
        run_help(command_at(i), "--help=bash");
    }
    printf("    esac\n}\n\n_carom_parameters='");
    for (int i = 0; i < cr_parameter_count(); i++) {
        printf(" %s=", cr_parameter_at(i)->name);
    }
    printf("'\n_carom_commands='help");
    for (int i = 0; command_at(i); i++) {
        printf("|%s", command_at(i)->name);
    }
    printf("'\n");
}

// ---------------------------------------------------------------------------------------------

static int help_of(const char *name)
{
    for (int i = 0; command_at(i); i++) {
        if (strcmp(name, command_at(i)->name) == 0) {
            return run_help(command_at(i), "--help");
        }
    }
    return command_unknown(name);
}

int command_help(int argc, char **argv)
{
    bool man = false, bash = false;
    const option_row rows[] = {
        {0, "man", NULL, OPTION_FLAG, &man, "print the man page", 0, 0, NULL},
        {0, "bash", NULL, OPTION_FLAG, &bash, "print the tables of the completion for bash", 0, 0,
         NULL},
    };
    usage how = {"carom help [COMMAND] [options]", "What carom can do.", rows, 2, 0, 1};
    const char *word = NULL;
    int count;
    int code = options_read(&how, argc, argv, &word, &count);
    if (code >= 0) {
        return code;
    }
    if (man) {
        man_page();
    } else if (bash) {
        bash_tables();
    } else if (count > 0) {
        return help_of(word);
    } else {
        help_commands(stdout);
    }
    return EXIT_DONE;
}
