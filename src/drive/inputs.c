// A person's driving as a table, `seconds,steering (degrees),throttle,brake` a line, driven again
// with the car from rest; and clips written as tables.
#include "drive/inputs.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/file.h"
#include "base/trig.h"

#define MAX_BYTES   ((size_t)16 << 20)
#define MAX_SECONDS 3600.0

typedef struct row {
    double seconds, steering, throttle, brake;
} row;

typedef struct reader {
    const char *path, *at, *line_start;
    int line;
    cr_report *report;
    bool any;
    row last; // holds until the next one
    int frames;
} reader;

static cri_place here(const reader *r)
{
    return (cri_place){r->path, r->line, (int)(r->at - r->line_start) + 1};
}

static cr_status read_value(reader *r, const char *name, double low, double high, double *value)
{
    char *end = NULL;
    *value = strtod(r->at, &end);
    if (end == r->at || !(*value >= low && *value <= high)) {
        int length = (int)strcspn(r->at, ",\r\n");
        return cri_fail(r->report, CR_ERR_SYNTAX, here(r),
                        "%s must be a number from %g to %g, got \"%.*s\"", name, low, high,
                        length < 40 ? length : 40, r->at);
    }
    r->at = end + strspn(end, " \t");
    if (*r->at == ',') {
        r->at++;
    }
    return CR_OK;
}

static cr_status read_row(reader *r, row *out)
{
    cr_status status = read_value(r, "the time", 0, MAX_SECONDS, &out->seconds);
    status = status ? status : read_value(r, "the steering angle", -45, 45, &out->steering);
    status = status ? status : read_value(r, "the throttle", -100, 100, &out->throttle);
    status = status ? status : read_value(r, "the brake", 0, 100, &out->brake);
    if (status == CR_OK && r->any && out->seconds <= r->last.seconds) {
        return cri_fail(r->report, CR_ERR_RANGE, (cri_place){r->path, r->line, 1},
                        "times must grow, got %g s after %g s", out->seconds, r->last.seconds);
    }
    return status;
}

// Drive with the last row's input until the time of the next.
static void drive_until(reader *r, cri_driver *driver, double seconds)
{
    cr_car_input input = {r->last.steering * CRI_PI / 180, r->last.throttle, r->last.brake};
    int until = (int)floor(seconds * CR_DRIVE_RATE + 0.5);
    while (r->frames < until && !driver->clips->failed) {
        cri_driver_input(driver, input);
        r->frames++;
    }
}

static cr_status read_rows(reader *r, cri_driver *driver)
{
    while (*r->at) {
        r->line++;
        r->line_start = r->at;
        r->at += strspn(r->at, " \t\r");
        if (*r->at && *r->at != '\n' && *r->at != '#') {
            row next;
            cr_status status = read_row(r, &next);
            if (status != CR_OK) {
                return status;
            }
            if (r->any) {
                drive_until(r, driver, next.seconds);
            }
            r->last = next;
            r->any = true;
        }
        r->at += strcspn(r->at, "\n");
        r->at += *r->at == '\n';
    }
    return CR_OK;
}

cr_status cri_inputs_read(const char *path, cri_driver *driver, cr_report *report)
{
    char *text = NULL;
    size_t length = 0;
    cr_status status = cri_file_read(path, MAX_BYTES, &text, &length, report);
    if (status != CR_OK) {
        return status;
    }
    reader r = {.path = path, .at = text, .line_start = text, .report = report};
    cri_driver_begin(driver, (cri_motion){0, 0, 0}, "driven");
    status = read_rows(&r, driver);
    free(text);
    if (status == CR_OK && r.frames == 0) {
        status = cri_fail(report, CR_ERR_SYNTAX, (cri_place){path, 0, 0},
                          "a table of inputs needs at least two lines of "
                          "seconds,steering,throttle,brake");
    }
    if (status != CR_OK) {
        cri_driver_drop(driver);
        return status;
    }
    cri_driver_keep(driver);
    return driver->clips->failed ? cri_fail_memory(report) : CR_OK;
}

cr_status cr_moves_write_clips(const cr_moves *moves, const char *path, cr_report *report)
{
    const cri_clips *clips = &moves->clips;
    cri_text text = {0};
    cri_text_add(&text, "clip,label,seconds,x,y,heading,u,v,w,steering,throttle,brake\n");
    for (int i = 0; i < clips->clip_count; i++) {
        for (int k = 0; k < clips->clips[i].count; k++) {
            const cri_frame *f = &clips->frames[clips->clips[i].first + k];
            cri_text_add(&text, "%d,%s,%.2f,%.4f,%.4f,%.5f,%.4f,%.4f,%.5f,%.3f,%.1f,%.1f\n", i,
                         clips->clips[i].label, (double)k / CR_DRIVE_RATE, f->x, f->y, f->heading,
                         f->motion.u, f->motion.v, f->motion.w, f->input.steer * 180 / CRI_PI,
                         f->input.throttle, f->input.brake);
        }
    }
    cr_status status = text.failed ? cri_fail_memory(report)
                                   : cri_file_write(path, text.data, text.length, report);
    cri_text_free(&text);
    return status;
}
