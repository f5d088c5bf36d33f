// Tables of numbers in text files: one row a line, commas between, lines that begin with # are
// comments. Tracks, race lines and a person's inputs come this way.
#ifndef CRI_DRIVE_TABLE_H
#define CRI_DRIVE_TABLE_H

#include "base/report.h"

typedef struct cri_table {
    const char *file; // named in messages
    const char *row;  // what a row is: "x, y, right width, left width"
    // The columns as a comment at the head of the file may name them; NULL: comments are not read.
    // One that names others, or the same in another order, is refused.
    const char *header;
    cr_report *report;
    // Where it is:
    const char *at, *line_start;
    int line;
} cri_table;

// A column's name and the values it may have.
typedef struct cri_column {
    const char *name;
    double low, high;
} cri_column;

// Begin to read a text; text[length] is zero.
cr_status cri_table_begin(cri_table *table, const char *text, size_t length);

// Go to the next row; false at the end.
bool cri_table_next(cri_table *table);

// Whether the row goes on behind the columns that were read.
bool cri_table_has_more(const cri_table *table);

// Read the row, one value a column. It must end there.
cr_status cri_table_row(cri_table *table, const cri_column *columns, int count, double *values);

// Read the first values of a row, or after them some more.
cr_status cri_table_values(cri_table *table, const cri_column *columns, int count, double *values);

#endif
