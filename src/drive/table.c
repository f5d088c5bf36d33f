#include "drive/table.h"

#include <math.h>
#include <string.h>

#include "base/number.h"

static cri_location here(const cri_table *table)
{
    return (cri_location){table->file, table->line, (int)(table->at - table->line_start) + 1};
}

static void skip_blanks(cri_table *table)
{
    table->at += strspn(table->at, " \t\r");
}

// The next of some words with commas between, blanks left away, and how long it is.
static const char *next_word(const char **at, int *length)
{
    *at += strspn(*at, " \t,");
    const char *word = *at;
    *length = (int)strcspn(word, ",\r\n");
    *at += *length;
    while (*length > 0 && strchr(" \t", word[*length - 1])) {
        --*length;
    }
    return word;
}

static bool is_column(const char *names, const char *word, int length)
{
    bool found = false;
    while (*names && !found) {
        int size;
        const char *name = next_word(&names, &size);
        found = size == length && memcmp(name, word, (size_t)size) == 0;
    }
    return found;
}

// A comment that begins with the name of a column is a header. One that names fewer or more columns
// than ours is left to the rows, which say what is wrong.
static cr_status check_header(const cri_table *table, const char *comment, int line)
{
    const char *names = table->header, *given = comment + 1, *first = given;
    int expected, got;
    const char *word = next_word(&first, &got);
    bool header = is_column(names, word, got);
    while (header && *names) {
        const char *name = next_word(&names, &expected);
        word = next_word(&given, &got);
        header = got > 0;
        if (header && (expected != got || memcmp(name, word, (size_t)got) != 0)) {
            return cri_fail(table->report, CR_ERR_NAME,
                            (cri_location){table->file, line, (int)(word - comment) + 1},
                            "the columns must be %s; this header has \"%.*s\" for \"%.*s\"",
                            table->header, got < 40 ? got : 40, word, expected, name);
        }
    }
    return CR_OK;
}

// The comments at the head of the file.
static cr_status check_head(const cri_table *table)
{
    const char *at = table->at;
    cr_status status = CR_OK;
    for (int line = 1; *at && strchr("#\r\n", *at) && status == CR_OK; line++) {
        if (*at == '#') {
            status = check_header(table, at, line);
        }
        at += strcspn(at, "\n");
        at += *at == '\n';
    }
    return status;
}

cr_status cri_table_begin(cri_table *table, const char *text, size_t length)
{
    table->at = table->line_start = text;
    table->line = 0;
    if (memchr(text, 0, length)) {
        return cri_fail(table->report, CR_ERR_SYNTAX, (cri_location){table->file, 0, 0},
                        "a table is a text file; this one has zero bytes in it");
    }
    return table->header ? check_head(table) : CR_OK;
}

bool cri_table_next(cri_table *table)
{
    if (table->line > 0) {
        table->at += strcspn(table->at, "\n");
        table->at += *table->at == '\n';
    }
    for (; *table->at; table->at += *table->at == '\n') {
        table->line++;
        table->line_start = table->at;
        skip_blanks(table);
        if (*table->at && *table->at != '\n' && *table->at != '#') {
            return true;
        }
        table->at += strcspn(table->at, "\n");
    }
    return false;
}

static cr_status read_value(cri_table *table, const cri_column *column, double *value)
{
    skip_blanks(table);
    size_t extent = strspn(table->at, "0123456789+-.eE");
    const char *end;
    *value = cri_number_read(table->at, &end);
    bool number = extent > 0 && end == table->at + extent;
    if (!number || !(*value >= column->low && *value <= column->high)) {
        int length = (int)strcspn(table->at, ",\r\n");
        return cri_fail(table->report, number ? CR_ERR_RANGE : CR_ERR_SYNTAX, here(table),
                        "%s must be a number from %g to %g, got \"%.*s\"", column->name,
                        column->low, column->high, length < 40 ? length : 40, table->at);
    }
    table->at = end;
    skip_blanks(table);
    return CR_OK;
}

static cr_status read_comma(cri_table *table)
{
    if (*table->at != ',') {
        return cri_fail(table->report, CR_ERR_SYNTAX, here(table),
                        "a line is %s; a comma is missing here", table->row);
    }
    table->at++;
    return CR_OK;
}

bool cri_table_has_more(const cri_table *table)
{
    return *table->at && *table->at != '\n';
}

cr_status cri_table_values(cri_table *table, const cri_column *columns, int count, double *values)
{
    bool begins = table->at == table->line_start + strspn(table->line_start, " \t\r");
    for (int i = 0; i < count; i++) {
        cr_status status = i > 0 || !begins ? read_comma(table) : CR_OK;
        status = status ? status : read_value(table, &columns[i], &values[i]);
        if (status != CR_OK) {
            return status;
        }
    }
    return CR_OK;
}

cr_status cri_table_row(cri_table *table, const cri_column *columns, int count, double *values)
{
    cr_status status = cri_table_values(table, columns, count, values);
    if (status == CR_OK && cri_table_has_more(table)) {
        return cri_fail(table->report, CR_ERR_SYNTAX, here(table),
                        "a line is %s; there is more here", table->row);
    }
    return status;
}
