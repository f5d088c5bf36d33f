// The large move tree of section 4.2 (figure 4.4): three main ways of running straight, Stop,
// Medium and Fast, two speeds between each, and Back for reversing. Every move begins and ends in
// one of them, so velocities never jump.
//
//     Back <-> Stop <-> sm1 <-> sm2 <-> Medium <-> mf1 <-> mf2 <-> Fast      one step up or down
//              each: hold, turns of 4 to 90 degrees, some of which lose speed
//              mf1, mf2, Fast and Medium: skids of 60 to 150 degrees, ending slower
//
// The driver is asked for every turn from every speed in as few frames as it can; what the tyres do
// not allow is not in the tree.
#include "drive/large.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "base/trig.h"
#include "drive/sweep.h"

enum { BACK, STOP, SM1, SM2, MEDIUM, MF1, MF2, FAST, NODES, MOST_PIECES = 1024 };

static const struct {
    const char *label;
    double
        speed; // m/s; the sweep's nearest is taken, so that the automatic graph joins these clips
} places[NODES] = {{"Back", -4.5},   {"Stop", 0},   {"sm1", 4.5},  {"sm2", 10.5},
                   {"Medium", 16.5}, {"mf1", 22.5}, {"mf2", 28.5}, {"Fast", 36}};

typedef struct recorder {
    cri_driver *driver;
    double speed[NODES];
    cri_piece pieces[MOST_PIECES];
    int count;
} recorder;

// A move to ask for.
typedef struct wish {
    const char *label;
    int from, to;
    double heading; // rad
    double lead;    // rad of steering to begin with
    int fewest, step, tries;
} wish;

static bool record_one(recorder *r, const wish *w, int frames, double side)
{
    cri_driver_begin(r->driver, (cri_drive_motion){r->speed[w->from], 0, 0}, w->label);
    cri_target target = {.motion = {r->speed[w->to], 0, 0},
                         .heading = side * w->heading,
                         .frames = frames,
                         .quick = true,
                         .knots = w->heading != 0 ? 7 : 2,
                         .pedals = w->heading != 0 ? 3 : 1,
                         .lead = side * w->lead};
    if (w->from == BACK || w->to == BACK) {
        target.motion.u = fmin(target.motion.u, -1e-12); // reverse gear
    }
    if (!cri_driver_reach(r->driver, &target)) {
        cri_driver_drop(r->driver);
        return false;
    }
    cri_driver_keep(r->driver);
    if (!r->driver->clips->failed && r->count < MOST_PIECES) {
        r->pieces[r->count] =
            (cri_piece){r->driver->clips->clip_count - 1, 0, frames, w->from, w->to};
        r->count++;
    }
    return true;
}

// In the fewest frames that do, to the left and to the right. Returns the frames, 0 if none do.
static int record(recorder *r, const wish *w)
{
    for (int i = 0; i < w->tries; i++) {
        int frames = w->fewest + i * w->step;
        if (record_one(r, w, frames, 1)) {
            if (w->heading != 0) {
                record_one(r, w, frames, -1);
            }
            return frames;
        }
    }
    return 0;
}

// Straight on: holding the speed, one step up, one step down.
static void record_straights(recorder *r)
{
    for (int at = BACK; at < NODES; at++) {
        record(r, &(wish){"hold", at, at, 0, 0, 8, 1, 1});
        if (at + 1 < NODES) {
            record(r, &(wish){at == BACK ? "stop" : "faster", at, at + 1, 0, 0, 6, 1, 60});
            record(r, &(wish){at == BACK ? "back" : "slower", at + 1, at, 0, 0, 6, 1, 60});
        }
    }
}

static const double turn_degrees[] = {2, 5, 10, 18, 28, 40, 60, 90};

enum { TURNS = sizeof turn_degrees / sizeof turn_degrees[0] };

// The frames that a turn takes at least: the path turns with 2 g at most, and coming in and out of
// the slide takes its time.
static int turn_frames(double speed, double heading)
{
    return 7 + (int)(CR_DRIVE_RATE * heading * fabs(speed) / 20);
}

static void record_turns(recorder *r)
{
    for (int at = BACK; at < NODES; at++) {
        for (int i = 0; i < TURNS; i++) {
            double heading = turn_degrees[i] * CRI_PI / 180;
            int fewest = turn_frames(r->speed[at], heading);
            double sign = at == BACK ? -1 : 1;
            for (int to = at; at != STOP && to >= at - 1 && to > BACK; to--) {
                record(r, &(wish){"turn", at, to, heading, sign * 0.3 * heading, fewest, 2, 9});
            }
            if (at == BACK) {
                record(r, &(wish){"back turn", at, at, heading, -0.3, fewest + 6, 3, 8});
            }
            if (at == STOP && turn_degrees[i] >= 10) {
                record(r, &(wish){"off turn", STOP, SM1, heading, 0.5, 18, 3, 10});
            }
        }
    }
}

static const double skid_degrees[] = {60, 75, 90, 105, 120, 150};

enum { SKIDS = sizeof skid_degrees / sizeof skid_degrees[0] };

// Throw the car round: full lock first, then wait for it to come. For each angle the two fastest
// speeds to come out with.
static void record_skids(recorder *r)
{
    for (int at = MEDIUM; at < NODES; at++) {
        for (int i = 0; i < SKIDS; i++) {
            double heading = skid_degrees[i] * CRI_PI / 180;
            int found = 0;
            for (int to = at - 1; to >= STOP && found < 2; to--) {
                int fewest = 14 + (int)(heading * r->speed[at] / 4);
                found += record(r, &(wish){"skid", at, to, heading, 0.6, fewest, 3, 8}) > 0;
            }
        }
    }
}

static void record_all(recorder *r)
{
    cri_sweep_speeds speeds;
    cri_sweep_lay(r->driver->car, &speeds);
    for (int i = 0; i < NODES; i++) {
        double speed = places[i].speed;
        r->speed[i] = speed > 0 ? cri_sweep_nearest(&speeds, speed) : speed;
    }
    record_straights(r);
    record_turns(r);
    record_skids(r);
}

cr_status cri_large_record(cri_driver *driver, cr_report *report)
{
    recorder *r = calloc(1, sizeof *r);
    if (!r) {
        return cri_fail_memory(report);
    }
    r->driver = driver;
    record_all(r);
    free(r);
    return driver->clips->failed ? cri_fail_memory(report) : CR_OK;
}

static cr_status build(cr_moves *moves, recorder *r, cr_report *report)
{
    cri_driver driver = {.car = &moves->car, .clips = &moves->clips};
    r->driver = &driver;
    record_all(r);
    moves->nodes = calloc(NODES, sizeof *moves->nodes);
    moves->node_count = NODES;
    if (moves->clips.failed || !moves->nodes) {
        return cri_fail_memory(report);
    }
    for (int i = 0; i < NODES; i++) {
        snprintf(moves->nodes[i].label, CRI_LABEL_SIZE, "%s", places[i].label);
        moves->nodes[i].motion = (cri_drive_motion){r->speed[i], 0, 0};
    }
    return cri_moves_build(moves, r->pieces, r->count, report);
}

cr_status cri_move_tree_large(cr_moves *moves, cr_report *report)
{
    recorder *r = calloc(1, sizeof *r);
    if (!r) {
        return cri_fail_memory(report);
    }
    cr_status status = build(moves, r, report);
    free(r);
    return status;
}
