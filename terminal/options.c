// Options from a table: reading and checking.
#include "terminal/terminal.h"

#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static int usage_error(const usage *how, const char *message, const char *word)
{
    fprintf(stderr, "carom: %s%s%s%s\nusage: %s\n", message, word ? ": \"" : "",
            word ? shown(word) : "", word ? "\"" : "", how->line);
    return EXIT_USAGE;
}

void print_suggestion(const char *word, const char *const *known, int count)
{
    const char *near = cr_nearest_word(word, known, count);
    if (near) {
        fprintf(stderr, "; did you mean \"%s\"?", shown(near));
    }
    fputc('\n', stderr);
}

// An option that the command does not have.
static int unknown_option(const usage *how, const char *word)
{
    enum { MOST = 64 };
    const char *known[MOST] = {"help"};
    int count = 1;
    char name[64];
    const char *bare = word + strspn(word, "-");
    snprintf(name, sizeof name, "%.*s", (int)strcspn(bare, "="), bare);
    for (int i = 0; i < how->option_count && count < MOST; i++) {
        known[count++] = how->options[i].name;
    }
    const char *near = cr_nearest_word(name, known, count);
    fprintf(stderr, "carom: no option \"%s\"%s%s%s\nusage: %s; --help lists the options\n",
            shown(word), near ? "; did you mean \"--" : "", near ? near : "", near ? "\"?" : "",
            how->line);
    return EXIT_USAGE;
}

static const option_row *find_option(const usage *how, const char *name, size_t length)
{
    for (int i = 0; i < how->option_count; i++) {
        const option_row *row = &how->options[i];
        if (strlen(row->name) == length && strncmp(row->name, name, length) == 0) {
            return row;
        }
    }
    return NULL;
}

static const option_row *find_letter(const usage *how, char letter)
{
    for (int i = 0; i < how->option_count; i++) {
        if (how->options[i].letter == letter) {
            return &how->options[i];
        }
    }
    return NULL;
}

static bool in_range(const option_row *row, double value)
{
    return (row->min == 0 && row->max == 0) || (value >= row->min && value <= row->max);
}

static int range_error(const option_row *row, const char *value, const char *sort)
{
    if (row->min == 0 && row->max == 0) {
        fprintf(stderr, "carom: --%s must be %s, got \"%s\"\n", row->name, sort, shown(value));
    } else {
        fprintf(stderr, "carom: --%s must be %s from %g to %g, got \"%s\"\n", row->name, sort,
                row->min, row->max, shown(value));
    }
    return EXIT_USAGE;
}

static int set_option(const option_row *row, const char *value)
{
    char *end = NULL;
    errno = 0;
    switch (row->kind) {
    case OPTION_FLAG:
        *(bool *)row->target = true;
        return -1;
    case OPTION_TEXT:
        *(const char **)row->target = value;
        return -1;
    case OPTION_INT: {
        long long number = strtoll(value, &end, 10);
        if (end == value || *end || errno || !in_range(row, (double)number)) {
            return range_error(row, value, "a whole number");
        }
        *(int64_t *)row->target = number;
        return -1;
    }
    case OPTION_NUMBER: {
        double number = strtod(value, &end);
        if (end == value || *end || !isfinite(number) || !in_range(row, number)) {
            return range_error(row, value, "a number");
        }
        *(double *)row->target = number;
        return -1;
    }
    case OPTION_CALL: {
        int code = row->call(value, row->target);
        return code == 0 ? -1 : code;
    }
    }
    return EXIT_INTERNAL;
}

// One argument that starts with a dash; *next is moved on when a value follows it. -1: go on.
static int read_option(const usage *how, const char *word, int argc, char **argv, int *next)
{
    const option_row *row = NULL;
    const char *value = NULL;
    if (word[1] == '-') {
        size_t length = strcspn(word + 2, "=");
        row = find_option(how, word + 2, length);
        value = word[2 + length] == '=' ? word + 3 + length : NULL;
    } else {
        row = find_letter(how, word[1]);
        value = word[2] ? word + 2 : NULL;
    }
    if (!row) {
        return unknown_option(how, word);
    }
    if (row->kind == OPTION_FLAG) {
        return value ? usage_error(how, "this option takes no value", word) : set_option(row, "");
    }
    if (!value) {
        if (*next >= argc) {
            return usage_error(how, "a value is missing after", word);
        }
        value = argv[(*next)++];
    }
    return set_option(row, value);
}

int options_read(const usage *how, int argc, char **argv, const char **words, int *word_count)
{
    *word_count = 0;
    bool only_words = false;
    for (int next = 1; next < argc;) {
        const char *word = argv[next++];
        if (!only_words && strcmp(word, "--") == 0) {
            only_words = true;
        } else if (!only_words && help_print(how, word)) {
            return EXIT_DONE;
        } else if (!only_words && word[0] == '-' && word[1]) {
            int code = read_option(how, word, argc, argv, &next);
            if (code >= 0) {
                return code;
            }
        } else if (*word_count >= how->words_max) {
            return usage_error(how, "one argument too many", word);
        } else {
            words[(*word_count)++] = word;
        }
    }
    if (*word_count < how->words_min) {
        return usage_error(how, "an argument is missing", NULL);
    }
    return -1;
}
