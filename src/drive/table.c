#include "drive/table.h"

#include <math.h>
#include <string.h>

#include "base/number.h"

static cri_place here(const cri_table *table)
{
    return (cri_place){table->file, table->line, (int)(table->at - table->line_start) + 1};
}

static void skip_blanks(cri_table *table)
{
    table->at += strspn(table->at, " \t\r");
}

cr_status cri_table_begin(cri_table *table, const char *text, size_t length)
{
    table->at = table->line_start = text;
    table->line = 0;
    if (memchr(text, 0, length)) {
        return cri_fail(table->report, CR_ERR_SYNTAX, (cri_place){table->file, 0, 0},
                        "a table is a text file; this one has zero bytes in it");
    }
    return CR_OK;
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

cr_status cri_table_row(cri_table *table, const cri_column *columns, int count, double *values)
{
    for (int i = 0; i < count; i++) {
        cr_status status = i > 0 ? read_comma(table) : CR_OK;
        status = status ? status : read_value(table, &columns[i], &values[i]);
        if (status != CR_OK) {
            return status;
        }
    }
    bool ended = !*table->at || *table->at == '\n' || (table->more && *table->at == ',');
    if (!ended) {
        return cri_fail(table->report, CR_ERR_SYNTAX, here(table),
                        "a line is %s; there is more here", table->row);
    }
    return CR_OK;
}
