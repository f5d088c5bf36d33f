// Help from the tables that read the arguments: for people, as a man page and for bash. A command
// fills its `usage` and calls options_read, which comes here when its first word asks for help in
// one of these styles; so a new command is in all three without further ado.
#include "terminal/json.h"

#include <string.h>

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

// ---------------------------------------------------------------------------------------------
// A man page, in the macros of man(7).

void help_man_text(const char *text)
{
    bool line_begins = true;
    for (const char *c = text; *c; c++) {
        if (line_begins && (*c == '.' || *c == '\'')) {
            printf("\\&");
        }
        if (*c == '-' || *c == '\\') {
            printf(*c == '-' ? "\\-" : "\\e");
        } else {
            printf(*c == '|' ? "|\\:" : "%c", *c); // long choices may go on in the next line
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
    help_man_text(row->name);
    printf("\\fR");
    if (row->value) {
        printf(" \\fI");
        help_man_text(row->value);
        printf("\\fR");
    }
    printf("\n");
    help_man_text(row->about);
    printf("\n");
}

static void print_man(const usage *how)
{
    printf(".SS \"");
    help_man_text(how->line);
    printf("\"\n");
    help_man_text(how->about);
    printf("\n");
    for (int i = 0; i < how->option_count; i++) {
        man_option(&how->options[i]);
    }
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
    char words[400];
    for (int i = 0; i < cr_parameter_count(); i++) {
        if (strcmp(cr_parameter_at(i)->name, name) == 0 && row->value &&
            cr_parameter_words(i, NULL, words, sizeof words)[0]) {
            printf("%s", words);
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
