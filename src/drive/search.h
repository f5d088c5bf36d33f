// Finite-horizon A* over chains of moves.
#ifndef CRI_DRIVE_SEARCH_H
#define CRI_DRIVE_SEARCH_H

#include "drive/line.h"
#include "drive/track.h"

// Where a chain has got to.
typedef struct cri_drive_step {
    double x, y, c, s;
    cri_spot spot;
    int time; // frames since the drive began
    int node; // of the move graph
} cri_drive_step;

// The fixed part of a drive that searches look at.
typedef struct cri_drive_task {
    const cr_track *track;
    const cr_moves *moves;
    const cri_togo *togo;
    cr_guess guess;
    double top_speed;
    double pull_place, pull_drift; // s/m2, s3/m2: towards the race line
    double goal;                   // m along
    // Other cars, one box each a frame: boxes[frame * car_count + car].
    int car_count, frame_count;
    const cri_box *cars;
    double car_radius;
    double car_step; // m that a car moves in a frame at most
    // Full throttle from rest: time and way by speed.
    const struct cri_launch *launch;
} cri_drive_task;

typedef struct cri_drive_search cri_drive_search;

cr_status cri_drive_search_create(const cri_drive_task *task, int nodes, cri_drive_search **out,
                                  cr_report *report);
void cri_drive_search_destroy(cri_drive_search *search);

#define CRI_CHAIN_MAX 256

// What a search found: the moves of the best chain.
typedef struct cri_chain {
    int count;
    int moves[CRI_CHAIN_MAX];
    int frames;    // its length
    bool complete; // it reaches the horizon or the goal
    double value;  // s: time to its end plus guessed time from there
    int opened;    // nodes
} cri_chain;

// A clock, and when it is too late.
typedef struct cri_watch {
    double (*clock)(void *context); // s
    void *context;
    double until;
} cri_watch;

// How a search looks: frames ahead, weight of the guess, and until when (NULL: the node limit
// alone ends it).
typedef struct cri_look {
    int horizon;
    double greed;
    const cri_watch *watch;
} cri_look;

void cri_drive_search_run(cri_drive_search *search, const cri_drive_step *from, cri_look look,
                          cri_chain *chain);

// The end of a move that begins at `from`.
void cri_drive_step_move(const cri_drive_task *task, const cri_drive_step *from, int move,
                         cri_drive_step *to);

// The first frame of the move in which the car touches something, or -1.
int cri_drive_step_touches(const cri_drive_task *task, const cri_drive_step *from, int move);

// Guessed time to the goal, s.
double cri_guess_time(const cri_drive_task *task, const cri_drive_step *at,
                      const cri_drive_motion *motion);

// Full throttle from rest, on a straight.
typedef struct cri_launch {
    int count;
    double step; // m/s
    double time[128], way[128];
} cri_launch;

void cri_launch_fill(const cr_car *car, cri_launch *launch);

#endif
