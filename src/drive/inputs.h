// Tables of a car's inputs: a person's, from rest, or those of a drive, which also say where they
// lead.
//
//     seconds, steering, throttle, brake
//     seconds, steering, throttle, brake, x, y, heading, vx, vy, spin, jump_vx, jump_vy, jump_spin
//
// A row holds from its time to that of the next. x to spin are the state at its time; the jump is
// added to the velocity before the input acts: what lies between the end of a move and the
// beginning of the next.
#ifndef CRI_DRIVE_INPUTS_H
#define CRI_DRIVE_INPUTS_H

#include "drive/moves.h"
#include "drive/table.h"

enum {
    CRI_INPUTS_SECONDS,
    CRI_INPUTS_STEERING, // degrees
    CRI_INPUTS_THROTTLE,
    CRI_INPUTS_BRAKE,
    CRI_INPUTS_SHORT, // columns of a person's table
    CRI_INPUTS_X = CRI_INPUTS_SHORT,
    CRI_INPUTS_Y,
    CRI_INPUTS_HEADING, // rad
    CRI_INPUTS_VX,
    CRI_INPUTS_VY,
    CRI_INPUTS_SPIN,
    CRI_INPUTS_JUMP_VX,
    CRI_INPUTS_JUMP_VY,
    CRI_INPUTS_JUMP_SPIN,
    CRI_INPUTS_WHOLE // columns of a drive's table
};

extern const char *const cri_inputs_names[CRI_INPUTS_WHOLE];

// A table that is being read.
typedef struct cri_inputs {
    cri_table table;
    int columns; // CRI_INPUTS_SHORT or CRI_INPUTS_WHOLE, as the first row has it; 0 before
    double row[CRI_INPUTS_WHOLE];
} cri_inputs;

// Begin to read a text; text[length] is zero. path is named in messages.
cr_status cri_inputs_begin(cri_inputs *inputs, const char *text, size_t length, const char *path,
                           cr_report *report);

// Read the next row. False at the end, and where *status is not CR_OK.
bool cri_inputs_next(cri_inputs *inputs, cr_status *status);

// The frame that a row begins with, and what it says. A short one has no jump and is at rest.
int cri_inputs_frame(const double *row);
cr_car_input cri_inputs_input(const double *row);
cr_car_state cri_inputs_state(const double *row);

// The state with the row's jump, as seen from the row's heading, added to its velocity.
cr_car_state cri_inputs_jump(const double *row, cr_car_state state);

// Record clips from a table of inputs: one, or more where the motion jumps. Nothing is kept where
// it fails.
cr_status cri_inputs_read(const char *path, cri_driver *driver, cr_report *report);

// The same from a text; text[length] is zero.
cr_status cri_inputs_parse(const char *text, size_t length, const char *path, cri_driver *driver,
                           cr_report *report);

#endif
