// A recursive descent over
//
//     sum      = product { ("+" | "-") product }
//     product  = factor { ("*" | "/") factor }
//     factor   = ("+" | "-") factor | operand [ "deg" ]
//     operand  = number | "pi" | name | "(" sum ")"
//
// The first error ends it. Depth is counted, so a hostile text cannot exhaust the stack.
#include "scene/expression.h"

#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "base/number.h"
#include "base/report.h"
#include "base/trig.h"

enum { DEPTH_MAX = 64, NAME_MAX_SHOWN = 60 };

typedef struct parser {
    const char *text, *at;
    const cri_constants *constants;
    cri_expression_error *error; // status CR_OK while all is well
    int depth;
} parser;

static double sum(parser *p);

__attribute__((format(printf, 4, 5))) static double fail(parser *p, cr_status status,
                                                         const char *where, const char *format, ...)
{
    if (p->error->status == CR_OK) {
        p->error->status = status;
        p->error->offset = (int)(where - p->text);
        va_list arguments;
        va_start(arguments, format);
        cri_format_list(p->error->message, sizeof p->error->message, format, arguments);
        va_end(arguments);
    }
    return 0;
}

// Only ASCII counts: what the C library's classes say depends on the locale.
static bool is_digit(char c)
{
    return c >= '0' && c <= '9';
}

static bool is_letter(char c)
{
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_';
}

static bool failed(const parser *p)
{
    return p->error->status != CR_OK;
}

static void skip_blanks(parser *p)
{
    p->at += strspn(p->at, " \t\r\n");
}

static int word_length(const char *text)
{
    int length = 0;
    while (is_letter(text[length]) || is_digit(text[length])) {
        length++;
    }
    return length;
}

static bool take(parser *p, char c)
{
    skip_blanks(p);
    if (*p->at != c) {
        return false;
    }
    p->at++;
    return true;
}

static bool is_unit(const char *text)
{
    return word_length(text) == 3 && memcmp(text, "deg", 3) == 0;
}

static double number(parser *p)
{
    const char *start = p->at, *end;
    double value = cri_number_read(start, &end);
    p->at = end;
    bool glued = *end == '.' || (is_letter(*end) && !is_unit(end));
    if (end == start || end - start > 300 || glued) {
        return fail(p, CR_ERR_SYNTAX, start, "\"%.40s\" is not a number", start);
    }
    return value;
}

static double name(parser *p)
{
    const char *start = p->at;
    int length = word_length(start);
    p->at += length;
    if (length == 2 && memcmp(start, "pi", 2) == 0) {
        return CRI_PI;
    }
    char word[NAME_MAX_SHOWN + 1];
    snprintf(word, sizeof word, "%.*s", length, start);
    cri_suggestion suggestion = {.word = word};
    for (int i = 0; i < p->constants->count; i++) {
        cri_constant *row = &p->constants->rows[i];
        if (strncmp(row->name, start, (size_t)length) == 0 && row->name[length] == 0) {
            row->used = true;
            return row->value;
        }
        cri_suggest(&suggestion, row->name);
    }
    char hint[100];
    return fail(p, CR_ERR_NAME, start, "unknown name \"%s\"%s", word,
                cri_suggestion_print(&suggestion, hint, sizeof hint));
}

static double operand(parser *p)
{
    skip_blanks(p);
    if (is_digit(*p->at) || *p->at == '.') {
        return number(p);
    }
    if (is_letter(*p->at)) {
        return name(p);
    }
    const char *start = p->at;
    if (!take(p, '(')) {
        return fail(p, CR_ERR_SYNTAX, p->at,
                    *p->at ? "a number is missing before \"%.20s\"" : "a number is missing%.20s",
                    p->at);
    }
    double value = sum(p);
    if (!failed(p) && !take(p, ')')) {
        return fail(p, CR_ERR_SYNTAX, start, "\"(\" without \")\"");
    }
    return value;
}

static double factor(parser *p)
{
    if (p->depth++ > DEPTH_MAX) {
        return fail(p, CR_ERR_RANGE, p->at, "an expression is nested more than %d deep", DEPTH_MAX);
    }
    double value;
    if (take(p, '-')) {
        value = -factor(p);
    } else if (take(p, '+')) {
        value = factor(p);
    } else {
        value = operand(p);
        skip_blanks(p);
        if (is_unit(p->at)) {
            p->at += 3;
            value = value * CRI_PI / 180;
        }
    }
    p->depth--;
    return value;
}

static double product(parser *p)
{
    double value = factor(p);
    while (!failed(p)) {
        if (take(p, '*')) {
            value *= factor(p);
        } else if (take(p, '/')) {
            skip_blanks(p);
            const char *divisor = p->at;
            double by = factor(p);
            value = by == 0 ? fail(p, CR_ERR_RANGE, divisor, "division by zero") : value / by;
        } else {
            break;
        }
    }
    return value;
}

static double sum(parser *p)
{
    double value = product(p);
    while (!failed(p)) {
        if (take(p, '+')) {
            value += product(p);
        } else if (take(p, '-')) {
            value -= product(p);
        } else {
            break;
        }
    }
    return value;
}

bool cri_expression(const char *text, const cri_constants *constants, double *value,
                    cri_expression_error *error)
{
    *error = (cri_expression_error){0};
    parser p = {.text = text, .at = text, .constants = constants, .error = error};
    double result = sum(&p);
    skip_blanks(&p);
    if (!failed(&p) && *p.at) {
        fail(&p, CR_ERR_SYNTAX, p.at, "an operator is missing before \"%.20s\"", p.at);
    }
    if (!failed(&p) && !isfinite(result)) {
        fail(&p, CR_ERR_RANGE, text, "the number is too large");
    }
    if (failed(&p)) {
        return false;
    }
    *value = result;
    return true;
}

bool cri_expression_is_name(const char *word)
{
    return is_letter(word[0]) && word[word_length(word)] == 0 && strcmp(word, "pi") != 0 &&
           strcmp(word, "deg") != 0;
}
