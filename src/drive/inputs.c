// Tables of inputs driven again with the car, and clips written as tables.
#include "drive/inputs.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/file.h"
#include "base/trig.h"

#define MAX_BYTES   ((size_t)16 << 20)
#define MAX_SECONDS 3600.0
#define FAR         1e6
#define FAST        100.0 // m/s and rad/s: twice as fast as the car gets

// A larger jump of the motion ends a clip; smaller ones are what Newton's method leaves over.
#define CLIP_JUMP (10 * CRI_TARGET_CLOSE)

const char *const cri_inputs_names[CRI_INPUTS_WHOLE] = {
    "seconds", "steering [deg]", "throttle [%]", "brake [%]", "x",        "y", "heading", "vx",
    "vy",      "spin",           "jump_vx",      "jump_vy",   "jump_spin"};

static const cri_column columns[CRI_INPUTS_WHOLE] = {{"the time", 0, MAX_SECONDS},
                                                     {"the steering angle", -45, 45},
                                                     {"the throttle", -100, 100},
                                                     {"the brake", 0, 100},
                                                     {"x", -FAR, FAR},
                                                     {"y", -FAR, FAR},
                                                     {"the heading", -FAR, FAR},
                                                     {"vx", -FAST, FAST},
                                                     {"vy", -FAST, FAST},
                                                     {"the spin", -FAST, FAST},
                                                     {"the jump of vx", -FAST, FAST},
                                                     {"the jump of vy", -FAST, FAST},
                                                     {"the jump of the spin", -FAST, FAST}};

// ---------------------------------------------------------------------------------------------
// Rows

cr_status cri_inputs_begin(cri_inputs *inputs, const char *text, size_t length, const char *path,
                           cr_report *report)
{
    *inputs = (cri_inputs){.table = {.file = path, .report = report}};
    return cri_table_begin(&inputs->table, text, length);
}

static int frame_at(double seconds)
{
    return (int)floor(seconds * CR_DRIVE_RATE + 0.5);
}

// The first row says how many columns all rows have.
static void count_columns(cri_inputs *inputs)
{
    int commas = 0;
    for (const char *at = inputs->table.at; *at && *at != '\n'; at++) {
        commas += *at == ',';
    }
    bool whole = commas >= CRI_INPUTS_SHORT;
    inputs->columns = whole ? CRI_INPUTS_WHOLE : CRI_INPUTS_SHORT;
    inputs->table.row = whole ? "seconds, steering, throttle, brake, x, y, heading, vx, vy, spin, "
                                "jump_vx, jump_vy, jump_spin"
                              : "seconds, steering, throttle, brake";
}

// Times grow; in a drive's table by a frame at least, so that no two jumps meet.
static cr_status check_time(cri_inputs *inputs, double before)
{
    double now = inputs->row[CRI_INPUTS_SECONDS];
    cri_location place = {inputs->table.file, inputs->table.line, 1};
    if (now <= before) {
        return cri_fail(inputs->table.report, CR_ERR_RANGE, place,
                        "times must grow, got %g s after %g s", now, before);
    }
    if (inputs->columns == CRI_INPUTS_WHOLE && frame_at(now) == frame_at(before)) {
        return cri_fail(inputs->table.report, CR_ERR_RANGE, place,
                        "rows of a drive must be 1/%d s apart, got %g s after %g s", CR_DRIVE_RATE,
                        now, before);
    }
    return CR_OK;
}

bool cri_inputs_next(cri_inputs *inputs, cr_status *status)
{
    *status = CR_OK;
    if (!cri_table_next(&inputs->table)) {
        return false;
    }
    bool first = inputs->columns == 0;
    double before = inputs->row[CRI_INPUTS_SECONDS];
    if (first) {
        count_columns(inputs);
    }
    *status = cri_table_row(&inputs->table, columns, inputs->columns, inputs->row);
    if (*status == CR_OK && !first) {
        *status = check_time(inputs, before);
    }
    return *status == CR_OK;
}

int cri_inputs_frame(const double *row)
{
    return frame_at(row[CRI_INPUTS_SECONDS]);
}

cr_car_input cri_inputs_input(const double *row)
{
    return (cr_car_input){row[CRI_INPUTS_STEERING] * CRI_PI / 180, row[CRI_INPUTS_THROTTLE],
                          row[CRI_INPUTS_BRAKE]};
}

cr_car_state cri_inputs_state(const double *row)
{
    return (cr_car_state){row[CRI_INPUTS_X],  row[CRI_INPUTS_Y],  row[CRI_INPUTS_HEADING],
                          row[CRI_INPUTS_VX], row[CRI_INPUTS_VY], row[CRI_INPUTS_SPIN]};
}

cr_car_state cri_inputs_jump(const double *row, cr_car_state state)
{
    double turn = state.heading - row[CRI_INPUTS_HEADING];
    double c = cri_cos(turn), s = cri_sin(turn);
    state.vx += c * row[CRI_INPUTS_JUMP_VX] - s * row[CRI_INPUTS_JUMP_VY];
    state.vy += s * row[CRI_INPUTS_JUMP_VX] + c * row[CRI_INPUTS_JUMP_VY];
    state.spin += row[CRI_INPUTS_JUMP_SPIN];
    return state;
}

// ---------------------------------------------------------------------------------------------
// Clips

// The motion that a table begins with.
static cri_drive_motion first_motion(const double *row)
{
    cr_car_state state = cri_inputs_jump(row, cri_inputs_state(row));
    return cri_car_motion(&state);
}

// A row's jump, within the clip or as the beginning of the next one.
static void take_jump(const double *row, cri_driver *driver)
{
    cr_car_state after = cri_inputs_jump(row, driver->state);
    cri_drive_motion from = cri_car_motion(&driver->state), to = cri_car_motion(&after);
    if (cri_drive_motion_distance(from, to) > CLIP_JUMP) {
        cri_driver_keep(driver);
        cri_driver_begin(driver, to, "driven");
    } else {
        driver->state = after;
    }
}

// Drive with a row's input up to a frame.
static void hold_row(const double *row, int until, cri_driver *driver)
{
    for (int f = cri_inputs_frame(row); f < until && !driver->clips->failed; f++) {
        cri_driver_input(driver, cri_inputs_input(row));
    }
}

// Say which rows of a person's table hold for less than a frame.
static void warn_of_unused(const cri_inputs *inputs, int unused, int line)
{
    if (unused > 0) {
        cri_warn(inputs->table.report, (cri_location){inputs->table.file, line, 1},
                 "%d lines, this one first, hold for less than a frame of %g s and are not driven",
                 unused, 1.0 / CR_DRIVE_RATE);
    }
}

// Drive all rows, each until the next. Time counts from the first.
static cr_status drive_rows(cri_inputs *inputs, cri_driver *driver)
{
    cr_status status;
    double last[CRI_INPUTS_WHOLE];
    int last_line = 0, unused = 0, unused_line = 0;
    for (int rows = 0; cri_inputs_next(inputs, &status); rows++) {
        if (rows == 1) {
            cri_driver_begin(driver, first_motion(last), "driven");
        } else if (rows > 1) {
            take_jump(last, driver);
        }
        if (rows > 0) {
            hold_row(last, cri_inputs_frame(inputs->row), driver);
        }
        if (rows > 0 && cri_inputs_frame(inputs->row) == cri_inputs_frame(last) && unused++ == 0) {
            unused_line = last_line;
        }
        last_line = inputs->table.line;
        memcpy(last, inputs->row, sizeof last);
    }
    if (status == CR_OK) {
        warn_of_unused(inputs, unused, unused_line);
    }
    return status;
}

cr_status cri_inputs_parse(const char *text, size_t length, const char *path, cri_driver *driver,
                           cr_report *report)
{
    cri_clips *clips = driver->clips;
    const int clip_count = clips->clip_count, frame_count = clips->frame_count;
    cri_inputs inputs;
    cr_status status = cri_inputs_begin(&inputs, text, length, path, report);
    status = status ? status : drive_rows(&inputs, driver);
    if (status == CR_OK && clips->failed) {
        status = cri_fail_memory(report);
    } else if (status == CR_OK && clips->frame_count < frame_count + 2) {
        status = cri_fail(report, CR_ERR_SYNTAX, (cri_location){path, 0, 0},
                          "a table of inputs needs at least two lines of "
                          "seconds,steering,throttle,brake");
    }
    if (status != CR_OK) {
        clips->clip_count = clip_count;
        clips->frame_count = frame_count;
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

static void add_frame(cri_text *text, const cri_clip_frame *f, int k)
{
    const double values[] = {(double)k / CR_DRIVE_RATE,
                             f->x,
                             f->y,
                             f->heading,
                             f->motion.u,
                             f->motion.v,
                             f->motion.w,
                             f->input.steer * 180 / CRI_PI,
                             f->input.throttle,
                             f->input.brake};
    for (size_t i = 0; i < sizeof values / sizeof values[0]; i++) {
        cri_text_add_bytes(text, ",", 1);
        cri_text_add_number(text, values[i]);
    }
    cri_text_add_bytes(text, "\n", 1);
}

cr_status cr_moves_write_clips(const cr_moves *moves, const char *path, cr_report *report)
{
    const cri_clips *clips = &moves->clips;
    cri_text text = {0};
    cri_text_add(&text, "clip,label,seconds,x,y,heading,u,v,w,steering,throttle,brake\n");
    for (int i = 0; i < clips->clip_count; i++) {
        for (int k = 0; k < clips->clips[i].count; k++) {
            cri_text_add(&text, "%d,%s", i, clips->clips[i].label);
            add_frame(&text, &clips->frames[clips->clips[i].first + k], k);
        }
    }
    cr_status status =
        text.failed ? cri_fail_memory(report) : cr_file_write(path, text.data, text.length, report);
    cri_text_free(&text);
    return status;
}
