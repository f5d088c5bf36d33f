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
    {"straight", 32, 0},      {"soft left", 29, 15},   {"soft right", 29, -15},
    {"hard left", 24, 35},    {"hard right", 24, -35}, {"sharp left", 18, 60},
    {"sharp right", 18, -60},
};

enum { MOVE_FRAMES = 25 };

static bool record(cri_driver *driver, const turn *t)
{
    double angle = t->degrees * CRI_PI / 180;
    cri_driver_begin(driver, (cri_motion){t->speed, 0, 0}, t->label);
    cri_target end = {.motion = {t->speed, 0, 0},
                      .heading = angle,
                      .any_speed = angle != 0, // tyres brake in a turn: it ends as fast as it can
                      .frames = MOVE_FRAMES,
                      .knots = 7,
                      .pedals = 2,
                      .lead = 0.5 * angle,
                      .pedal = 100};
    if (!cri_driver_reach(driver, &end)) {
        cri_driver_drop(driver);
        return false;
    }
    cri_driver_keep(driver);
    return true;
}

cr_status cri_tree_small(cr_moves *moves, int branches, cr_report *report)
{
    cri_driver driver = {.car = &moves->car, .clips = &moves->clips};
    cri_piece pieces[7];
    int count = 0;
    for (int i = 0; i < branches; i++) {
        if (record(&driver, &turns[i])) {
            pieces[count] = (cri_piece){count, 0, 25, 0, 0};
            count++;
        }
    }
    moves->nodes = calloc(1, sizeof *moves->nodes);
    moves->node_count = 1;
    if (moves->clips.failed || !moves->nodes) {
        return cri_fail_memory(report);
    }
    snprintf(moves->nodes[0].label, CRI_LABEL_SIZE, "go");
    moves->nodes[0].motion = (cri_motion){turns[0].speed, 0, 0};
    return cri_moves_build(moves, pieces, count, report);
}
