#include "base/number.h"

#include <locale.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

// The calling thread in the C locale. uselocale is the thread's own: neither other threads nor the
// program's locale notice. With glibc and musl the C locale is a constant, so that entering it
// allocates nothing and does not fail.
typedef struct plain_locale {
    locale_t plain, before;
} plain_locale;

static bool enter(plain_locale *locale)
{
    locale->plain = newlocale(LC_ALL_MASK, "C", (locale_t)0);
    locale->before = locale->plain ? uselocale(locale->plain) : (locale_t)0;
    return locale->plain != (locale_t)0;
}

static void leave(const plain_locale *locale)
{
    uselocale(locale->before);
    freelocale(locale->plain);
}

// Where a decimal number ends; text itself if there is none.
static const char *number_end(const char *text)
{
    const char *const digits = "0123456789";
    const char *at = text + (*text == '+' || *text == '-');
    size_t whole = strspn(at, digits);
    at += whole;
    size_t part = *at == '.' ? strspn(at + 1, digits) : 0;
    if (whole + part == 0) {
        return text;
    }
    at += *at == '.' ? 1 + part : 0;
    if (*at == 'e' || *at == 'E') {
        const char *power = at + 1 + (at[1] == '+' || at[1] == '-');
        size_t length = strspn(power, digits);
        at = length > 0 ? power + length : at;
    }
    return at;
}

double cri_number_read(const char *text, const char **end)
{
    plain_locale locale;
    char *stop = NULL;
    double value = 0;
    *end = number_end(text);
    if (*end != text && enter(&locale)) {
        value = strtod(text, &stop);
        leave(&locale);
    }
    // strtod goes further where a 0 is followed by an x.
    if (stop != *end) {
        *end = text;
        return 0;
    }
    return value;
}

const char *cri_number_print(double value, char *text, size_t size)
{
    for (int digits = 15; digits <= 17; digits++) {
        const char *end;
        cri_format(text, size, "%.*g", digits, value);
        if (cri_number_read(text, &end) == value) {
            break;
        }
    }
    return text;
}

int cri_format(char *text, size_t size, const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    int length = cri_format_list(text, size, format, arguments);
    va_end(arguments);
    return length;
}

int cri_format_list(char *text, size_t size, const char *format, va_list arguments)
{
    plain_locale locale;
    if (!enter(&locale)) {
        if (size > 0) {
            text[0] = 0;
        }
        return -1;
    }
    int length = vsnprintf(text, size, format, arguments);
    leave(&locale);
    return length;
}
