// Options from a table: reading, checking and help.
#include "cli.h"

#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static void print_help(const usage *usage)
{
    printf("usage: %s\n\n%s\n\noptions:\n", usage->line, usage->about);
    for (int i = 0; i < usage->option_count; i++) {
        const option_row *row = &usage->options[i];
        char left[64];
        snprintf(left, sizeof left, "%c%c%s --%s%s%s", row->letter ? '-' : ' ',
                 row->letter ? row->letter : ' ', row->letter ? "," : " ", row->name,
                 row->value ? " " : "", row->value ? row->value : "");
        printf("  %-28s %s\n", left, row->about);
    }
    printf("  -h, --help                   show this\n");
}

static int usage_error(const usage *usage, const char *message, const char *word)
{
    fprintf(stderr, "carom: %s%s%s%s\nusage: %s\n", message, word ? ": \"" : "", word ? word : "",
            word ? "\"" : "", usage->line);
    return EXIT_USAGE;
}

static const option_row *find_option(const usage *usage, const char *name, size_t length)
{
    for (int i = 0; i < usage->option_count; i++) {
        const option_row *row = &usage->options[i];
        if (strlen(row->name) == length && strncmp(row->name, name, length) == 0) {
            return row;
        }
    }
    return NULL;
}

static const option_row *find_letter(const usage *usage, char letter)
{
    for (int i = 0; i < usage->option_count; i++) {
        if (usage->options[i].letter == letter) {
            return &usage->options[i];
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
        fprintf(stderr, "carom: --%s must be %s, got \"%s\"\n", row->name, sort, value);
    } else {
        fprintf(stderr, "carom: --%s must be %s from %g to %g, got \"%s\"\n", row->name, sort,
                row->min, row->max, value);
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
static int read_option(const usage *usage, const char *word, int argc, char **argv, int *next)
{
    const option_row *row = NULL;
    const char *value = NULL;
    if (word[1] == '-') {
        size_t length = strcspn(word + 2, "=");
        row = find_option(usage, word + 2, length);
        value = word[2 + length] == '=' ? word + 3 + length : NULL;
    } else {
        row = find_letter(usage, word[1]);
        value = word[2] ? word + 2 : NULL;
    }
    if (!row) {
        return usage_error(usage, "unknown option; --help lists them", word);
    }
    if (row->kind == OPTION_FLAG) {
        return value ? usage_error(usage, "this option takes no value", word) : set_option(row, "");
    }
    if (!value) {
        if (*next >= argc) {
            return usage_error(usage, "a value is missing after", word);
        }
        value = argv[(*next)++];
    }
    return set_option(row, value);
}

int options_read(const usage *usage, int argc, char **argv, const char **words, int *word_count)
{
    *word_count = 0;
    bool only_words = false;
    for (int next = 1; next < argc;) {
        const char *word = argv[next++];
        if (!only_words && strcmp(word, "--") == 0) {
            only_words = true;
        } else if (!only_words && (strcmp(word, "--help") == 0 || strcmp(word, "-h") == 0)) {
            print_help(usage);
            return EXIT_DONE;
        } else if (!only_words && word[0] == '-' && word[1]) {
            int code = read_option(usage, word, argc, argv, &next);
            if (code >= 0) {
                return code;
            }
        } else if (*word_count >= usage->words_max) {
            return usage_error(usage, "one argument too many", word);
        } else {
            words[(*word_count)++] = word;
        }
    }
    if (*word_count < usage->words_min) {
        return usage_error(usage, "an argument is missing", NULL);
    }
    return -1;
}
