// Clips: what a driver did with the car, frame by frame, and the driver who records them.
//
// A clip begins at the origin, heading along x. Frame k holds the state at time k/25 s and the
// input from then on:
//
//     frame 0 --input 0--> frame 1 --input 1--> ... --> frame count-1 (its input is not used)
#ifndef CRI_DRIVE_CLIP_H
#define CRI_DRIVE_CLIP_H

#include "drive/car.h"

#define CRI_LABEL_SIZE 20

typedef struct cri_clip_frame {
    double x, y, heading;
    cri_drive_motion motion;
    cr_car_input input;
} cri_clip_frame;

typedef struct cri_clip {
    int first, count; // its frames among those of all clips
    char label[CRI_LABEL_SIZE];
} cri_clip;

// A growing set of clips. Start with {0}; `failed` is set once memory runs out.
typedef struct cri_clips {
    cri_clip_frame *frames;
    cri_clip *clips;
    int frame_count, frame_capacity;
    int clip_count, clip_capacity;
    bool failed;
} cri_clips;

void cri_clips_free(cri_clips *clips);

// Add all clips of another set.
void cri_clips_append(cri_clips *clips, const cri_clips *more);

// The driver: records into clips what happens from `state` on.
typedef struct cri_driver {
    const cr_car *car;
    cri_clips *clips;
    cr_car_state state;
    double steer; // of the last input
} cri_driver;

// Begin a clip with the car moving like this, and end it: kept, or as if it had never begun.
void cri_driver_begin(cri_driver *driver, cri_drive_motion motion, const char *label);
void cri_driver_keep(cri_driver *driver);
void cri_driver_drop(cri_driver *driver);

// Drive one frame.
void cri_driver_input(cri_driver *driver, cr_car_input input);

// Where to get, in how many frames. The steering is found at `knots` times, the pedal for `pedals`
// equal parts; more of them can do more and take longer to find.
typedef struct cri_target {
    cri_drive_motion motion;
    double heading;   // change of heading, rad
    bool any_heading; // the heading does not matter
    bool any_speed;   // the forward speed does not matter; motion.u says only whether it is forward
    int frames;
    bool quick;        // give up early: for those who can try something else
    int knots, pedals; // up to CRI_TARGET_MAX_..; knots >= 2
    // Where to begin looking:
    double steer; // at the end
    double lead;  // added to the first half, taken from the second: turn in, then counter-steer
    double pedal; // percent, with any_speed
} cri_target;

#define CRI_TARGET_MAX_KNOTS  8
#define CRI_TARGET_MAX_PEDALS 4
#define CRI_TARGET_CLOSE      1e-6 // m/s and rad/s: as good as exact

// Drive to the target. False, and nothing driven, where no way there was found.
bool cri_driver_reach(cri_driver *driver, const cri_target *target);

#endif
