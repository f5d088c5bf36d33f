// A drive in the making, and what it leaves behind.
#ifndef CRI_DRIVE_DRIVE_H
#define CRI_DRIVE_DRIVE_H

#include "drive/search.h"

// One frame of a drive: the state at its time, and what is done from then on.
//
//     frame 0 --jump, input--> frame 1 --input--> ... --> junction --jump, input--> ...
//
// The next frame is the car's step from here with the input, after the jump has been added to the
// motion. Only at junctions is there a jump.
typedef struct cri_drive_frame {
    double x, y, heading;
    cri_drive_motion motion; // the motion here, before the jump
    cri_drive_motion jump;
    cr_car_input input;
    int move;    // that the input is of
    bool begins; // the move begins here
} cri_drive_frame;

struct cr_drive {
    const cr_track *track; // not owned; alive as long as the drive
    const cr_moves *moves;
    cr_drive_def def;
    cr_drive_result result;
    int frame_count, frame_capacity;
    cri_drive_frame *frames;
    cri_box *cars; // frame_capacity + horizon frames of them
    int car_frames;
};

#endif
