// Quasi-steady-state lap times on a given line.
#include "drive/line.h"

#include <stdlib.h>

#include "base/file.h"
#include "drive/table.h"

#define MAX_BYTES ((size_t)CR_TRACK_MAX_POINTS * 160)
#define SHORTEST  1.0 // m

// A line of points; or a track's, whose centre line is meant: its widths are read, not used.
static cr_status read_point(cri_table *table, double *point)
{
    static const cri_column columns[] = {{"x", -CRI_TRACK_EXTENT, CRI_TRACK_EXTENT},
                                         {"y", -CRI_TRACK_EXTENT, CRI_TRACK_EXTENT}};
    static const cri_column widths[] = {{"the width to the right", 0, CRI_TRACK_WIDTH},
                                        {"the width to the left", 0, CRI_TRACK_WIDTH}};
    double width[2];
    cr_status status = cri_table_values(table, columns, 2, point);
    return status == CR_OK && cri_table_has_more(table) ? cri_table_row(table, widths, 2, width)
                                                        : status;
}

static cr_status read_points(cri_table *table, cr_vec2 *points, int *count)
{
    while (cri_table_next(table)) {
        double value[2];
        cr_status status = read_point(table, value);
        if (status != CR_OK) {
            return status;
        }
        if (*count == CR_TRACK_MAX_POINTS) {
            return cri_fail(table->report, CR_ERR_RANGE,
                            (cri_location){table->file, table->line, 1},
                            "a race line has at most %d points", CR_TRACK_MAX_POINTS);
        }
        points[(*count)++] = (cr_vec2){value[0], value[1]};
    }
    if (*count < 4) {
        return cri_fail(table->report, CR_ERR_RANGE, (cri_location){table->file, 0, 0},
                        "a race line needs at least 4 points, got %d", *count);
    }
    return CR_OK;
}

// Points that are all the same are no line.
static cr_status check_length(cri_line **line, const char *path, cr_report *report)
{
    double length = (*line)->length;
    if (length >= SHORTEST) {
        return CR_OK;
    }
    cri_line_destroy(*line);
    *line = NULL;
    return cri_fail(report, CR_ERR_RANGE, (cri_location){path, 0, 0},
                    "a race line must be at least %g m long, got %g m", SHORTEST, length);
}

cr_status cri_line_parse(const char *text, size_t length, const char *path, cri_line **line,
                         cr_report *report)
{
    cr_vec2 *points = malloc(CR_TRACK_MAX_POINTS * sizeof *points);
    int count = 0;
    cri_table table = {.file = path,
                       .row = "x, y, or x, y, right width, left width",
                       .header = CRI_TRACK_HEADER,
                       .report = report};
    cr_status status = points ? cri_table_begin(&table, text, length) : cri_fail_memory(report);
    status = status ? status : read_points(&table, points, &count);
    status = status ? status : cri_line_through(points, count, line, report);
    free(points);
    return status ? status : check_length(line, path, report);
}

static cr_status lap_time(const cri_line *line, cri_limits_kind kind, double *seconds,
                          cr_report *report)
{
    cr_car car = cr_default_car();
    cri_envelope *envelope = NULL;
    double *speeds = malloc(((size_t)line->count + 2) * sizeof *speeds);
    cr_status status =
        speeds ? cri_envelope_create(&car, kind, &envelope, report) : cri_fail_memory(report);
    if (status == CR_OK) {
        *seconds = cri_line_speeds(line, envelope, 0, speeds);
    }
    cri_envelope_destroy(envelope);
    free(speeds);
    return status;
}

static cr_status bound_line(const cri_line *line, cr_line_bound *bound, cr_report *report)
{
    bound->length = line->length;
    cr_status status = lap_time(line, CRI_LIMITS_POINT, &bound->point_mass, report);
    return status ? status : lap_time(line, CRI_LIMITS_CAR, &bound->car, report);
}

cr_status cr_line_bound_read(const char *path, cr_line_bound *bound, cr_report *report)
{
    char *text = NULL;
    size_t length = 0;
    *bound = (cr_line_bound){0};
    cr_status status = cri_file_read(path, MAX_BYTES, &text, &length, report);
    if (status != CR_OK) {
        return status;
    }
    cri_line *line = NULL;
    status = cri_line_parse(text, length, path, &line, report);
    status = status ? status : bound_line(line, bound, report);
    cri_line_destroy(line);
    free(text);
    return status;
}

cr_status cr_track_bound(const cr_track *track, cr_line_bound *bound, cr_report *report)
{
    *bound = (cr_line_bound){0};
    return bound_line(track->line, bound, report);
}
