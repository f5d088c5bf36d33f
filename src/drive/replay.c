// A drive's table of inputs, driven again: the file alone says where the car begins, what is done
// and where that has to lead.
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/file.h"
#include "base/trig.h"
#include "drive/inputs.h"

#define MAX_BYTES ((size_t)256 << 20)

typedef struct replay {
    cr_car car;
    cr_car_state state;
    int frame;
    cr_drive_deviation most;
} replay;

static void begin(replay *r, const double *row)
{
    r->state = cri_inputs_state(row);
    r->frame = cri_inputs_frame(row);
}

// The larger one; what is no number is farther than any.
static double larger(double most, double value)
{
    return isnan(value) ? HUGE_VAL : fmax(most, value);
}

// Drive by one row until the next, and see how far from it the car is then.
static void follow(replay *r, const double *row, const double *next)
{
    const int until = cri_inputs_frame(next);
    r->state = cri_inputs_jump(row, r->state);
    for (; r->frame < until; r->frame++) {
        r->state = cr_car_step(&r->car, r->state, cri_inputs_input(row));
        r->most.frames++;
    }
    cr_car_state there = cri_inputs_state(next), *here = &r->state;
    double away = hypot(here->x - there.x, here->y - there.y);
    double faster = hypot(here->vx - there.vx, here->vy - there.vy);
    r->most.distance = larger(r->most.distance, away);
    r->most.heading = larger(r->most.heading, fabs(cri_wrap(here->heading - there.heading)));
    r->most.speed = larger(r->most.speed, faster);
}

static cr_status replay_rows(cri_inputs *inputs, replay *r)
{
    cr_status status;
    double last[CRI_INPUTS_WHOLE];
    for (bool any = false; cri_inputs_next(inputs, &status); any = true) {
        if (inputs->columns != CRI_INPUTS_WHOLE) {
            return cri_fail(inputs->table.report, CR_ERR_TYPE,
                            (cri_location){inputs->table.file, inputs->table.line, 1},
                            "a person's table does not say where it leads; a drive's has x, y, "
                            "heading, vx, vy, spin and the jumps as well");
        }
        if (any) {
            follow(r, last, inputs->row);
        } else {
            begin(r, inputs->row);
        }
        memcpy(last, inputs->row, sizeof last);
    }
    if (status == CR_OK && r->most.frames == 0) {
        status =
            cri_fail(inputs->table.report, CR_ERR_SYNTAX, (cri_location){inputs->table.file, 0, 0},
                     "a table of inputs needs at least two rows");
    }
    return status;
}

cr_status cr_drive_replay(const char *path, cr_drive_deviation *deviation, cr_report *report)
{
    *deviation = (cr_drive_deviation){0};
    char *text = NULL;
    size_t length = 0;
    cri_inputs inputs;
    replay r = {.car = cr_default_car()};
    cr_status status = cri_file_read(path, MAX_BYTES, &text, &length, report);
    status = status ? status : cri_inputs_begin(&inputs, text, length, path, report);
    status = status ? status : replay_rows(&inputs, &r);
    free(text);
    if (status == CR_OK) {
        *deviation = r.most;
    }
    return status;
}
