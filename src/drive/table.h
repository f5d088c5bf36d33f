// Tables of numbers in text files: one row a line, commas between, lines that begin with # are
// comments. Tracks, race lines and a person's inputs come this way.
#ifndef CRI_DRIVE_TABLE_H
#define CRI_DRIVE_TABLE_H

#include "base/report.h"

typedef struct cri_table {
    const char *file; // named in messages
    const char *row;  // what a row is: "x, y, right width, left width"
    bool more;        // rows may have more columns, which are not looked at
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

// Read the row, one value a column.
cr_status cri_table_row(cri_table *table, const cri_column *columns, int count, double *values);

#endif
