// Structs as a line of words, and back with all their bits: how results go from process to process
// and into a journal. A table says which fields there are; what is a pointer is not among them.
#ifndef CLUSTER_WIRE_H
#define CLUSTER_WIRE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>

typedef enum wire_kind {
    WIRE_FLAG,   // bool
    WIRE_INT,    // int, and our enums
    WIRE_COUNT,  // int64_t
    WIRE_HASH,   // uint64_t
    WIRE_SIZE,   // size_t
    WIRE_NUMBER, // double, as hexadecimal digits
} wire_kind;

typedef struct wire_row {
    wire_kind kind;
    size_t offset;
} wire_row;

// Each word has a space behind it.
void wire_print(FILE *file, const wire_row *rows, int count, const void *object);

// Read the same rows at *at and go behind them; false if that is not what stands there.
bool wire_read(const char **at, const wire_row *rows, int count, void *object);

#endif
