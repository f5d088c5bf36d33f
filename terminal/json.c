#include "terminal/json.h"

#include <assert.h>
#include <math.h>
#include <stdlib.h>

enum { DEEPEST = 8 };

// A run has one stdout, and so at most one document; this is where it stands.
static struct {
    bool wanted, begun;
    int depth;
    json_kind kind[DEEPEST];
    bool filled[DEEPEST]; // something stands there already: a comma is due
    cr_report errors;
} document;

// ---------------------------------------------------------------------------------------------
// Letters and brackets.

// The length of the character that a text begins with; 0 if it is none of UTF-8.
static int character_length(const unsigned char *at)
{
    int length = *at < 0x80 ? 1 : *at < 0xE0 ? 2 : *at < 0xF0 ? 3 : 4;
    bool good = *at < 0x80 || (*at >= 0xC2 && *at <= 0xF4);
    for (int i = 1; good && i < length; i++) {
        good = (at[i] & 0xC0) == 0x80;
    }
    // Longer forms than needed, halves of pairs, and what lies beyond Unicode.
    bool odd = good && ((*at == 0xE0 && at[1] < 0xA0) || (*at == 0xED && at[1] > 0x9F) ||
                        (*at == 0xF0 && at[1] < 0x90) || (*at == 0xF4 && at[1] > 0x8F));
    return good && !odd ? length : 0;
}

static void print_string(const char *text)
{
    putchar('"');
    for (const unsigned char *at = (const unsigned char *)text; *at;) {
        int length = character_length(at);
        if (length == 0) {
            fputs("\\ufffd", stdout);
        } else if (*at == '"' || *at == '\\') {
            printf("\\%c", *at);
        } else if (*at < 32 || *at == 127) {
            printf("\\u%04x", *at);
        } else {
            fwrite(at, 1, (size_t)length, stdout);
        }
        at += length > 0 ? length : 1;
    }
    putchar('"');
}

static void open_bracket(int depth, json_kind kind)
{
    assert(depth < DEEPEST);
    document.depth = depth;
    document.kind[depth] = kind;
    document.filled[depth] = false;
    putchar(kind == JSON_OBJECT ? '{' : '[');
}

// What stands before a value: a comma, an indented line, its key. The first value begins the
// document.
static void print_key(const char *key)
{
    if (!document.begun) {
        document.begun = true;
        open_bracket(0, JSON_OBJECT);
        json_text("carom", cr_version());
    }
    assert((key != NULL) == (document.kind[document.depth] == JSON_OBJECT));
    fputs(document.filled[document.depth] ? ",\n" : "\n", stdout);
    document.filled[document.depth] = true;
    printf("%*s", 2 * (document.depth + 1), "");
    if (key) {
        print_string(key);
        fputs(": ", stdout);
    }
}

// ---------------------------------------------------------------------------------------------
// Values.

void json_open(const char *key, json_kind kind)
{
    print_key(key);
    open_bracket(document.depth + 1, kind);
}

void json_close(void)
{
    if (document.filled[document.depth]) {
        printf("\n%*s", 2 * document.depth, "");
    }
    putchar(document.kind[document.depth] == JSON_OBJECT ? '}' : ']');
    document.depth--;
}

void json_text(const char *key, const char *value)
{
    print_key(key);
    if (value) {
        print_string(value);
    } else {
        fputs("null", stdout);
    }
}

void json_count(const char *key, int64_t value)
{
    print_key(key);
    printf("%lld", (long long)value);
}

void json_number(const char *key, double value)
{
    char text[40] = "null";
    for (int digits = 15; isfinite(value) && digits <= 17; digits++) {
        snprintf(text, sizeof text, "%.*g", digits, value);
        if (strtod(text, NULL) == value) {
            break;
        }
    }
    print_key(key);
    fputs(text, stdout);
}

void json_flag(const char *key, bool value)
{
    print_key(key);
    fputs(value ? "true" : "false", stdout);
}

void json_hash(const char *key, uint64_t value)
{
    print_key(key);
    printf("\"%016llx\"", (unsigned long long)value);
}

void json_vector(const char *key, cr_vec3 value)
{
    json_open(key, JSON_LIST);
    json_number(NULL, value.x);
    json_number(NULL, value.y);
    json_number(NULL, value.z);
    json_close();
}

// ---------------------------------------------------------------------------------------------
// The document.

option_row json_option(void)
{
    return (option_row){.name = "json",
                        .kind = OPTION_FLAG,
                        .target = &document.wanted,
                        .about = "results as JSON on stdout, for scripts"};
}

bool json_wanted(void)
{
    return document.wanted;
}

void json_forget(void)
{
    document.wanted = false;
}

void json_keep(const cr_report *report)
{
    int kept = report->count < CR_REPORT_MAX ? report->count : CR_REPORT_MAX;
    for (int i = 0; i < kept && document.errors.count < CR_REPORT_MAX; i++) {
        document.errors.errors[document.errors.count++] = report->errors[i];
    }
}

static void print_error(const cr_error *error)
{
    json_open(NULL, JSON_OBJECT);
    json_text("status", cr_status_name(error->status));
    json_text("file", error->file[0] ? error->file : NULL);
    json_count("line", error->line);
    json_count("column", error->column);
    json_text("message", error->message);
    json_close();
}

void json_end(int code)
{
    if (!document.wanted || (code == EXIT_USAGE && !document.begun)) {
        return;
    }
    while (document.depth > 0) { // where the work was left
        json_close();
    }
    json_count("exit", code);
    json_open("errors", JSON_LIST);
    for (int i = 0; i < document.errors.count; i++) {
        print_error(&document.errors.errors[i]);
    }
    json_close();
    json_close();
    putchar('\n');
}
