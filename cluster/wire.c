#include "cluster/wire.h"

#include <errno.h>
#include <inttypes.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

static void print_word(FILE *file, wire_kind kind, const void *field)
{
    switch (kind) {
    case WIRE_FLAG:
        fprintf(file, "%d ", *(const bool *)field);
        break;
    case WIRE_INT:
        fprintf(file, "%d ", *(const int *)field);
        break;
    case WIRE_COUNT:
        fprintf(file, "%" PRId64 " ", *(const int64_t *)field);
        break;
    case WIRE_HASH:
        fprintf(file, "%" PRIu64 " ", *(const uint64_t *)field);
        break;
    case WIRE_SIZE:
        fprintf(file, "%zu ", *(const size_t *)field);
        break;
    case WIRE_NUMBER:
        fprintf(file, "%a ", *(const double *)field);
        break;
    }
}

void wire_print(FILE *file, const wire_row *rows, int count, const void *object)
{
    for (int i = 0; i < count; i++) {
        print_word(file, rows[i].kind, (const char *)object + rows[i].offset);
    }
}

// The end of the word, or NULL: it is no such value.
static const char *read_word(const char *at, wire_kind kind, void *field)
{
    char *end = NULL;
    errno = 0;
    switch (kind) {
    case WIRE_FLAG:
        *(bool *)field = *at == '1';
        return *at == '0' || *at == '1' ? at + 1 : NULL;
    case WIRE_INT: {
        long value = strtol(at, &end, 10);
        *(int *)field = (int)value;
        return value >= INT32_MIN && value <= INT32_MAX ? end : NULL;
    }
    case WIRE_COUNT:
        *(int64_t *)field = strtoll(at, &end, 10);
        return end;
    case WIRE_HASH:
        *(uint64_t *)field = strtoull(at, &end, 10);
        return end;
    case WIRE_SIZE:
        *(size_t *)field = strtoull(at, &end, 10);
        return end;
    case WIRE_NUMBER:
        *(double *)field = strtod(at, &end);
        errno = 0; // what is nearly zero is out of range for strtod, and right
        return end;
    }
    return NULL;
}

bool wire_read(const char **at, const wire_row *rows, int count, void *object)
{
    for (int i = 0; i < count; i++) {
        const char *end = **at && **at != ' ' && **at != '\n'
                              ? read_word(*at, rows[i].kind, (char *)object + rows[i].offset)
                              : NULL;
        if (!end || end == *at || *end != ' ' || errno == ERANGE) {
            return false;
        }
        *at = end + 1;
    }
    return true;
}
