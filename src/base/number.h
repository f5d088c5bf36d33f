// Numbers as text, the same in every locale: a host program may have called setlocale, and then
// strtod and printf of the C library want and write "1,5". Nothing else in the library reads or
// writes a floating point number; tests/numbers.sh looks after that.
#ifndef CRI_NUMBER_H
#define CRI_NUMBER_H

#include <stdarg.h>
#include <stddef.h>

// The decimal number at the start of text, rounded to the nearest double: an optional sign, digits
// with at most one point, an optional exponent. *end is behind it, or at text if there is none: no
// blanks before it, no "inf", no "nan", nothing hexadecimal.
double cri_number_read(const char *text, const char **end);

// A double so that reading it again gives the same bits, as short as %.17g allows. 32 bytes are
// enough.
const char *cri_number_print(double value, char *text, size_t size);

// snprintf and vsnprintf, with a decimal point.
int cri_format(char *text, size_t size, const char *format, ...)
    __attribute__((format(printf, 3, 4)));
int cri_format_list(char *text, size_t size, const char *format, va_list arguments)
    __attribute__((format(printf, 3, 0)));

#endif
