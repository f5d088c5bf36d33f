// The small move trees of section 4.1: one node, 5 or 7 moves of 25 frames each, every one of which
// may follow every other. All begin and end running straight, each at its own speed: sharper turns
// are slower, so the forward speed jumps where two meet, as it did in the thesis.
#include "drive/moves.h"

#include <stdio.h>
#include <stdlib.h>

#include "base/trig.h"

typedef struct turn {
    const char *label;
    double speed;   // m/s at the beginning
    double degrees; // how far it turns
} turn;

static const turn turns[] = {
    {"straight", 30, 0},      {"soft left", 28, 7},    {"soft right", 28, -7},
    {"hard left", 24, 28},    {"hard right", 24, -28}, {"sharp left", 16, 50},
    {"sharp right", 16, -50},
};

enum { MOVE_FRAMES = 25 };

// Try harder and harder steering to begin with, until one leads to the wanted angle.
static bool record(cri_driver *driver, const turn *t)
{
    double angle = t->degrees * CRI_PI / 180, sign = angle < 0 ? -1 : 1;
    for (double lead = 0.1; lead < 0.75; lead += 0.15) {
        cri_driver_begin(driver, (cri_drive_motion){t->speed, 0, 0}, t->label);
        cri_target end = {.motion = {t->speed, 0, 0},
                          .heading = angle,
                          .any_speed = angle != 0, // tyres brake in a turn: as fast as it can
                          .frames = MOVE_FRAMES,
                          .knots = 8,
                          .pedals = 3,
                          .lead = angle != 0 ? sign * lead : 0,
                          .pedal = 100};
        if (cri_driver_reach(driver, &end)) {
            cri_driver_keep(driver);
            return true;
        }
        cri_driver_drop(driver);
    }
    return false;
}

cr_status cri_move_tree_small(cr_moves *moves, int branches, cr_report *report)
{
    cri_driver driver = {.car = &moves->car, .clips = &moves->clips};
    cri_piece pieces[7];
    int count = 0;
    for (int i = 0; i < branches; i++) {
        if (record(&driver, &turns[i])) {
            pieces[count] = (cri_piece){count, 0, MOVE_FRAMES, 0, 0};
            count++;
        }
    }
    moves->nodes = calloc(1, sizeof *moves->nodes);
    moves->node_count = 1;
    if (moves->clips.failed || !moves->nodes) {
        return cri_fail_memory(report);
    }
    snprintf(moves->nodes[0].label, CRI_LABEL_SIZE, "go");
    moves->nodes[0].motion = (cri_drive_motion){turns[0].speed, 0, 0};
    return cri_moves_build(moves, pieces, count, report);
}
