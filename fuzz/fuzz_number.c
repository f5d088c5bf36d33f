// Any bytes as a number, and as an expression. What is read agrees with strtod, and what is written
// is read again to the same bits.
#include <math.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "base/number.h"
#include "scene/expression.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void check_number(const char *text)
{
    const char *end;
    char *stop, again[40];
    double value = cri_number_read(text, &end), other = strtod(text, &stop);
    if (end == text) {
        if (value != 0) {
            abort();
        }
        return;
    }
    if (stop != end || value != other || signbit(value) != signbit(other)) {
        abort();
    }
    const char *written = cri_number_print(value, again, sizeof again);
    if (isfinite(value) && (cri_number_read(written, &end) != value || *end)) {
        abort();
    }
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    char *text = malloc(size + 1);
    if (!text) {
        return 0;
    }
    memcpy(text, data, size);
    text[size] = 0;
    check_number(text);
    cri_constant rows[] = {{.name = "far", .value = 1.5}, {.name = "wide", .value = -2}};
    cri_constants constants = {rows, 2};
    cri_expression_error error = {0};
    double value = 0;
    bool read = cri_expression(text, &constants, &value, &error);
    if (read != (error.status == CR_OK) || (read && !isfinite(value)) ||
        (!read && !error.message[0])) {
        abort();
    }
    free(text);
    return 0;
}
