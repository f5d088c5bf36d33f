// Help from the tables that read the arguments: for people, as a man page and for bash. A command
// fills its `usage` and calls options_read, which comes here when its first word asks for help in
// one of these styles; so a new command is in all three without further ado.
#include "json.h"

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
// For people.

static void print_text(const usage *how)
{
    printf("usage: %s\n\n%s\n\noptions:\n", how->line, how->about);
    for (int i = 0; i < how->option_count; i++) {
        const option_row *row = &how->options[i];
        char left[64];
        snprintf(left, sizeof left, "%c%c%s --%s%s%s", row->letter ? '-' : ' ',
                 row->letter ? row->letter : ' ', row->letter ? "," : " ", row->name,
                 row->value ? " " : "", row->value ? row->value : "");
        printf("  %-28s %s\n", left, row->about);
    }
    printf("  -h, --help                   show this\n");
}

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

// Text as it is: a dash stays a dash that can be searched for, and no line is taken for a request.
static void man_text(const char *text)
{
    bool line_begins = true;
    for (const char *c = text; *c; c++) {
        if (line_begins && (*c == '.' || *c == '\'')) {
            printf("\\&");
        }
        if (*c == '-' || *c == '\\') {
            printf(*c == '-' ? "\\-" : "\\e");
        } else {
            putchar(*c);
        }
        line_begins = *c == '\n';
    }
}

static void man_option(const option_row *row)
{
    printf(".TP\n\\fB");
    if (row->letter) {
        printf("\\-%c\\fR, \\fB", row->letter);
    }
    printf("\\-\\-");
    man_text(row->name);
    printf("\\fR");
    if (row->value) {
        printf(" \\fI");
        man_text(row->value);
        printf("\\fR");
    }
    printf("\n");
    man_text(row->about);
    printf("\n");
}

static void print_man(const usage *how)
{
    printf(".SS \"");
    man_text(how->line);
    printf("\"\n");
    man_text(how->about);
    printf("\n");
    for (int i = 0; i < how->option_count; i++) {
        man_option(&how->options[i]);
    }
}

static void man_parameters(void)
{
    printf(".SH PARAMETERS\nWhat \\fB\\-\\-set\\fR \\fINAME=VALUE\\fR and the section\n"
           "\\fBplan\\fR of a scene know, beside the scene's own parameters.\n");
    for (int i = 0; i < cr_parameter_count(); i++) {
        const cr_parameter *p = cr_parameter_at(i);
        printf(".TP\n\\fB%s\\fR (%s", p->name, p->type);
        man_text(p->unit[0] ? ", " : "");
        man_text(p->unit);
        printf("; default %s)\n", p->fallback);
        man_text(p->about);
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
        man_text(exit_row_at(i)->about);
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

// What to offer for an option's value: words between bars, or the kind of thing it is.
static void print_offer(const option_row *row)
{
    char name[64];
    snprintf(name, sizeof name, "%s", row->name);
    for (char *c = name; *c; c++) {
        *c = *c == '-' ? '_' : *c;
    }
    if (strcmp(name, "engine") == 0) {
        for (int i = 0; i < cr_library_engine_count(NULL); i++) {
            printf("%s|", cr_library_engine(NULL, i)->name);
        }
        return;
    }
    for (int i = 0; i < cr_parameter_count(); i++) {
        const cr_parameter *p = cr_parameter_at(i);
        if (strcmp(p->name, name) == 0 && strcmp(p->type, "choice") == 0) {
            printf("%s", p->unit);
            return;
        }
    }
    printf("%s", row->value);
}

// The words of a usage line that are no options: "carom list a|b [SCENE]" has a|b and SCENE. What
// is neither a scene nor one of a few words is a file.
static void print_words(const char *line)
{
    char copy[256];
    snprintf(copy, sizeof copy, "%s", line);
    char *rest = NULL;
    int skip = 2; // "carom" and the command
    for (char *word = strtok_r(copy, " ", &rest); word; word = strtok_r(NULL, " ", &rest)) {
        bool closed = strchr(word, ']') != NULL;
        word += strspn(word, "[");
        word[strcspn(word, "]")] = 0;
        if (skip > 0) {
            skip--;
        } else if (word[0] == '-') {
            skip = closed || strchr(word, '=') ? 0 : 1; // its value
        } else if (strcmp(word, "options") != 0) {
            bool known = strchr(word, '|') || strcmp(word, "SCENE") == 0;
            printf(" %s", known ? word : "FILE");
        }
    }
}

static void print_bash(const usage *how)
{
    const char *name = strchr(how->line, ' ') + 1;
    printf("    %.*s)\n        words='", (int)strcspn(name, " "), name);
    print_words(how->line);
    printf("'\n        options=' --help");
    for (int i = 0; i < how->option_count; i++) {
        const option_row *row = &how->options[i];
        if (row->letter) {
            printf(" -%c%s", row->letter, row->value ? "=" : "");
        }
        printf(" --%s%s", row->name, row->value ? "=" : "");
    }
    printf(" '\n        case $2 in\n");
    for (int i = 0; i < how->option_count; i++) {
        const option_row *row = &how->options[i];
        if (row->value) {
            char letter[4] = {'-', row->letter, '|', 0};
            printf("        %s--%s) offer='", row->letter ? letter : "", row->name);
            print_offer(row);
            printf("' ;;\n");
        }
    }
    printf("        esac ;;\n");
}

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

bool help_print(const usage *how, const char *word)
{
    static const struct {
        const char *word;
        void (*print)(const usage *how);
    } styles[] = {{"--help", print_text},
                  {"-h", print_text},
                  {"--help=man", print_man},
                  {"--help=bash", print_bash}};
    for (size_t i = 0; i < sizeof styles / sizeof styles[0]; i++) {
        if (strcmp(word, styles[i].word) == 0) {
            json_forget();
            styles[i].print(how);
            return true;
        }
    }
    return false;
}

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
