// A person's driving as a table, `seconds,steering (degrees),throttle,brake` a line, driven again
// with the car from rest; and clips written as tables.
#include "drive/inputs.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/file.h"
#include "base/trig.h"
#include "drive/table.h"

#define MAX_BYTES   ((size_t)16 << 20)
#define MAX_SECONDS 3600.0

enum { SECONDS, STEERING, THROTTLE, BRAKE, COLUMNS };

static const cri_column columns[COLUMNS] = {{"the time", 0, MAX_SECONDS},
                                            {"the steering angle", -45, 45},
                                            {"the throttle", -100, 100},
                                            {"the brake", 0, 100}};

typedef struct reader {
    cri_table table;
    bool any;
    double last[COLUMNS]; // holds until the next one
    int frames;
} reader;

static cr_status read_row(reader *r, double *values)
{
    cr_status status = cri_table_row(&r->table, columns, COLUMNS, values);
    if (status == CR_OK && r->any && values[SECONDS] <= r->last[SECONDS]) {
        return cri_fail(r->table.report, CR_ERR_RANGE, (cri_place){r->table.file, r->table.line, 1},
                        "times must grow, got %g s after %g s", values[SECONDS], r->last[SECONDS]);
    }
    return status;
}

// Drive with the last row's input until the time of the next.
static void drive_until(reader *r, cri_driver *driver, double seconds)
{
    cr_car_input input = {r->last[STEERING] * CRI_PI / 180, r->last[THROTTLE], r->last[BRAKE]};
    int until = (int)floor(seconds * CR_DRIVE_RATE + 0.5);
    while (r->frames < until && !driver->clips->failed) {
        cri_driver_input(driver, input);
        r->frames++;
    }
}

static cr_status read_rows(reader *r, cri_driver *driver)
{
    while (cri_table_next(&r->table)) {
        double values[COLUMNS];
        cr_status status = read_row(r, values);
        if (status != CR_OK) {
            return status;
        }
        if (r->any) {
            drive_until(r, driver, values[SECONDS]);
        }
        memcpy(r->last, values, sizeof values);
        r->any = true;
    }
    return CR_OK;
}

cr_status cri_inputs_parse(const char *text, size_t length, const char *path, cri_driver *driver,
                           cr_report *report)
{
    reader r = {
        .table = {.file = path, .row = "seconds, steering, throttle, brake", .report = report}};
    cri_driver_begin(driver, (cri_motion){0, 0, 0}, "driven");
    cr_status status = cri_table_begin(&r.table, text, length);
    status = status ? status : read_rows(&r, driver);
    if (status == CR_OK && driver->clips->failed) {
        status = cri_fail_memory(report);
    } else if (status == CR_OK && r.frames == 0) {
        status = cri_fail(report, CR_ERR_SYNTAX, (cri_place){path, 0, 0},
                          "a table of inputs needs at least two lines of "
                          "seconds,steering,throttle,brake");
    }
    if (status != CR_OK) {
        cri_driver_drop(driver);
        return status;
    }
    cri_driver_keep(driver);
    return CR_OK;
}

cr_status cri_inputs_read(const char *path, cri_driver *driver, cr_report *report)
{
    char *text = NULL;
    size_t length = 0;
    cr_status status = cri_file_read(path, MAX_BYTES, &text, &length, report);
    status = status ? status : cri_inputs_parse(text, length, path, driver, report);
    free(text);
    return status;
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
                                   : cr_file_write(path, text.data, text.length, report);
    cri_text_free(&text);
    return status;
}
