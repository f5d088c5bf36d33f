// Centre lines with widths from CSV files: `x_m,y_m,w_tr_right_m,w_tr_left_m` a line.
#include "drive/track.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/file.h"

// A line takes 8 bytes at least; 160 a line is generous.
#define MAX_BYTES ((size_t)CR_TRACK_MAX_POINTS * 160)

typedef struct reader {
    const char *path, *at; // at: what is to be read next
    int line;
    const char *line_start;
    cr_track_point *points;
    int *lines;
    int count, capacity;
    cr_report *report;
} reader;

static cri_place here(const reader *r)
{
    return (cri_place){r->path, r->line, (int)(r->at - r->line_start) + 1};
}

static void skip_blanks(reader *r)
{
    while (*r->at == ' ' || *r->at == '\t' || *r->at == '\r') {
        r->at++;
    }
}

static cr_status read_number(reader *r, const char *name, double *value)
{
    skip_blanks(r);
    char *end = NULL;
    *value = strtod(r->at, &end);
    if (end == r->at || !isfinite(*value)) {
        int length = (int)strcspn(r->at, ",\r\n");
        return cri_fail(r->report, CR_ERR_SYNTAX, here(r),
                        "%s must be a finite number, got \"%.*s\"", name, length < 40 ? length : 40,
                        r->at);
    }
    r->at = end;
    skip_blanks(r);
    return CR_OK;
}

static cr_status read_comma(reader *r)
{
    if (*r->at != ',') {
        return cri_fail(r->report, CR_ERR_SYNTAX, here(r),
                        "a track line is x, y, right width, left width; a comma is missing here");
    }
    r->at++;
    return CR_OK;
}

static cr_status add_point(reader *r, cr_track_point point)
{
    if (r->count == CR_TRACK_MAX_POINTS) {
        return cri_fail(r->report, CR_ERR_RANGE, (cri_place){r->path, r->line, 1},
                        "a track has at most %d points; this is one more", CR_TRACK_MAX_POINTS);
    }
    if (r->count == r->capacity) {
        int capacity = r->capacity ? 2 * r->capacity : 1024;
        void *points = realloc(r->points, (size_t)capacity * sizeof *r->points);
        r->points = points ? points : r->points;
        void *lines = realloc(r->lines, (size_t)capacity * sizeof *r->lines);
        r->lines = lines ? lines : r->lines;
        if (!points || !lines) {
            return cri_fail_memory(r->report);
        }
        r->capacity = capacity;
    }
    r->points[r->count] = point;
    r->lines[r->count++] = r->line;
    return CR_OK;
}

static cr_status read_point(reader *r)
{
    cr_track_point p;
    double *const values[] = {&p.x, &p.y, &p.right, &p.left};
    static const char *const names[] = {"x", "y", "the width to the right",
                                        "the width to the left"};
    for (int i = 0; i < 4; i++) {
        cr_status status = i > 0 ? read_comma(r) : CR_OK;
        status = status == CR_OK ? read_number(r, names[i], values[i]) : status;
        if (status != CR_OK) {
            return status;
        }
    }
    if (*r->at && *r->at != '\n') {
        return cri_fail(r->report, CR_ERR_SYNTAX, here(r),
                        "a track line is x, y, right width, left width; there is more here");
    }
    return add_point(r, p);
}

static cr_status read_lines(reader *r)
{
    while (*r->at) {
        r->line++;
        r->line_start = r->at;
        skip_blanks(r);
        if (*r->at != '#' && *r->at != '\n' && *r->at) {
            cr_status status = read_point(r);
            if (status != CR_OK) {
                return status;
            }
        }
        r->at += strcspn(r->at, "\n");
        r->at += *r->at == '\n';
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

cr_status cr_track_read(const char *path, bool closed, cr_track **track, cr_report *report)
{
    *track = NULL;
    char *text = NULL;
    size_t length = 0;
    cr_status status = cri_file_read(path, MAX_BYTES, &text, &length, report);
    if (status != CR_OK) {
        return status;
    }
    reader r = {.path = path, .at = text, .line_start = text, .report = report};
    if (memchr(text, 0, length)) {
        status = cri_fail(report, CR_ERR_SYNTAX, (cri_place){path, 0, 0},
                          "a track is a text file; this one has zero bytes in it");
    } else {
        status = read_lines(&r);
    }
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
    free(text);
    return status;
}
