// Centre lines with widths from CSV files: `x_m,y_m,w_tr_right_m,w_tr_left_m` a line.
#include "drive/track.h"

#include <stdlib.h>
#include <string.h>

#include "base/file.h"
#include "drive/table.h"

// A line takes 8 bytes at least; 160 a line is generous.
#define MAX_BYTES ((size_t)CR_TRACK_MAX_POINTS * 160)

// Points as they are read, and their lines.
typedef struct reader {
    cri_table table;
    cr_track_point *points;
    int *lines;
    int count, capacity;
} reader;

static cr_status add_point(reader *r, cr_track_point point)
{
    cr_report *report = r->table.report;
    if (r->count == CR_TRACK_MAX_POINTS) {
        return cri_fail(report, CR_ERR_RANGE, (cri_location){r->table.file, r->table.line, 1},
                        "a track has at most %d points; this is one more", CR_TRACK_MAX_POINTS);
    }
    if (r->count == r->capacity) {
        int capacity = r->capacity ? 2 * r->capacity : 1024;
        void *points = realloc(r->points, (size_t)capacity * sizeof *r->points);
        r->points = points ? points : r->points;
        void *lines = realloc(r->lines, (size_t)capacity * sizeof *r->lines);
        r->lines = lines ? lines : r->lines;
        if (!points || !lines) {
            return cri_fail_memory(report);
        }
        r->capacity = capacity;
    }
    r->points[r->count] = point;
    r->lines[r->count++] = r->table.line;
    return CR_OK;
}

static cr_status read_points(reader *r)
{
    static const cri_column columns[] = {{"x", -CRI_TRACK_EXTENT, CRI_TRACK_EXTENT},
                                         {"y", -CRI_TRACK_EXTENT, CRI_TRACK_EXTENT},
                                         {"the width to the right", 0, CRI_TRACK_WIDTH},
                                         {"the width to the left", 0, CRI_TRACK_WIDTH}};
    while (cri_table_next(&r->table)) {
        double value[4];
        cr_status status = cri_table_row(&r->table, columns, 4, value);
        status = status ? status
                        : add_point(r, (cr_track_point){value[0], value[1], value[2], value[3]});
        if (status != CR_OK) {
            return status;
        }
    }
    return CR_OK;
}

// The file's name without folders and ending.
static void name_of(const char *path, char *name, size_t size)
{
    const char *slash = strrchr(path, '/');
    const char *base = slash ? slash + 1 : path;
    size_t length = strcspn(base, ".");
    length = length < size - 1 ? length : size - 1;
    memcpy(name, base, length);
    name[length] = 0;
}

cr_status cri_track_parse(const char *text, size_t length, const char *path, bool closed,
                          cr_track **track, cr_report *report)
{
    *track = NULL;
    reader r = {.table = {.file = path,
                          .row = "x, y, right width, left width",
                          .header = CRI_TRACK_HEADER,
                          .report = report}};
    cr_status status = cri_table_begin(&r.table, text, length);
    status = status ? status : read_points(&r);
    if (status == CR_OK) {
        char name[64];
        name_of(path, name, sizeof name);
        cr_track_def def = cr_default_track_def();
        def.name = name;
        def.closed = closed;
        def.point_count = r.count;
        def.points = r.points;
        cri_track_source source = {path, r.lines};
        status = cri_track_make(&def, &source, track, report);
    }
    free(r.points);
    free(r.lines);
    return status;
}

cr_status cr_track_read(const char *path, bool closed, cr_track **track, cr_report *report)
{
    *track = NULL;
    char *text = NULL;
    size_t length = 0;
    cr_status status = cri_file_read(path, MAX_BYTES, &text, &length, report);
    status = status ? status : cri_track_parse(text, length, path, closed, track, report);
    free(text);
    return status;
}
