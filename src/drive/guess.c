// Guesses (heuristics) of the time to go. All but the race line's are admissible: no car can be
// quicker.
//
// goal: as the crow flies, at top speed, to the thesis's goal at (0, 100 000), or on closed tracks
// to the next lap's end along the track. track: a chain of gates must be crossed, so the sum of the
// smallest distances between them is a lower bound of the way. speed: that way cannot be done in
// less than full throttle from the present speed takes; a car that rolls backwards may stay in
// reverse gear, slowly, or has to stop first.
#include "drive/search.h"

#include <assert.h>
#include <math.h>
#include <string.h>

#include "base/vec.h"

#define GOAL_Y 100000.0

// A car whose nose points more than 90 degrees aside of the way will have to be turned round: about
// 8 s for half a turn on a narrow road. Less is a skid.
#define TURN_ROUND 8.0
#define NOSE_ASIDE 0.0

// m/s: no move is faster in reverse gear.
#define FASTEST_BACK 4.6

static const char *const guess_names[] = {"goal", "track", "speed", "line"};

const char *cr_guess_name(cr_guess guess)
{
    assert(guess <= CR_GUESS_LINE);
    return guess_names[guess];
}

int cr_guess_find(const char *name)
{
    for (int i = 0; i <= CR_GUESS_LINE; i++) {
        if (strcmp(name, guess_names[i]) == 0) {
            return i;
        }
    }
    return -1;
}

// Steps of speed, each with the time and way that full throttle needs for it. The last step ends a
// little below top speed, which is never quite reached.
void cri_launch_fill(const cr_car *car, cri_launch *launch)
{
    double top = cr_car_top_speed(car) * 0.999;
    launch->count = 128;
    launch->step = top / 127;
    launch->time[0] = launch->way[0] = 0;
    for (int i = 1; i < 128; i++) {
        double low = (i - 1) * launch->step, high = i * launch->step;
        double force = 100 * car->pedal - car->resistance * low - car->drag * low * low;
        double time = launch->step * car->mass / force; // the larger force: never too long
        launch->time[i] = launch->time[i - 1] + time;
        launch->way[i] = launch->way[i - 1] + time * high; // the larger speed: never too short
    }
}

static double table(const double *values, double at, int count)
{
    int low = (int)cri_clamp(at, 0, count - 2);
    double t = cri_clamp(at - low, 0, 1);
    return values[low] + t * (values[low + 1] - values[low]);
}

// Time for a way that begins at a speed.
static double launch_time(const cri_launch *launch, double speed, double way, double top)
{
    double begin = cri_clamp(speed / launch->step, 0, launch->count - 1);
    double end_way = table(launch->way, begin, launch->count) + way;
    double begin_time = table(launch->time, begin, launch->count);
    int last = launch->count - 1;
    if (end_way >= launch->way[last]) {
        return launch->time[last] - begin_time + (end_way - launch->way[last]) / top;
    }
    int low = 0, high = last;
    while (high - low > 1) {
        int middle = (low + high) / 2;
        if (launch->way[middle] <= end_way) {
            low = middle;
        } else {
            high = middle;
        }
    }
    double share = (end_way - launch->way[low]) / (launch->way[high] - launch->way[low]);
    return launch->time[low] + share * (launch->time[high] - launch->time[low]) - begin_time;
}

// A lower bound of the way from here to the goal.
static double shortest_way(const cri_drive_task *task, const cri_spot *spot)
{
    const cr_track *track = task->track;
    double done = spot->lap * track->shortest + track->gates[spot->gate + 1].shortest;
    double laps = track->closed ? floor(task->goal / track->length + 0.5) : 0;
    double goal = track->closed ? laps * track->shortest
                                : track->gates[cri_track_spot(track, task->goal).gate].shortest;
    return fmax(goal - done + spot->ahead, 0);
}

// Between the values of two gates.
static double between(const double *values, int gate, double share)
{
    return values[gate] + share * (values[gate + 1] - values[gate]);
}

// How far the car is from the race line, and how fast it moves away from it, as time: what it costs
// to get back. Quadratic, because small errors can be driven out along the way.
static double off_line(const cri_drive_task *task, const cri_drive_step *at,
                       const cri_drive_motion *motion)
{
    const cri_line *line = task->track->line;
    double off = at->spot.aside - between(line->offset, at->spot.gate, at->spot.share);
    double dx = line->x[at->spot.gate + 1] - line->x[at->spot.gate];
    double dy = line->y[at->spot.gate + 1] - line->y[at->spot.gate];
    double vx = at->c * motion->u - at->s * motion->v, vy = at->s * motion->u + at->c * motion->v;
    double length = sqrt(dx * dx + dy * dy);
    double away = (dx * vy - dy * vx) / length;
    double nose = (dx * at->c + dy * at->s) / length;
    return task->pull_place * off * off + task->pull_drift * away * away +
           TURN_ROUND * fmax(NOSE_ASIDE - nose, 0);
}

static double line_time(const cri_drive_task *task, const cri_drive_step *at,
                        const cri_drive_motion *motion)
{
    const cri_togo *togo = task->togo;
    const cr_track *track = task->track;
    int gate = at->spot.gate;
    double speed = motion->u < 0 ? 0 : sqrt(motion->u * motion->u + motion->v * motion->v);
    double place = speed / togo->step - 0.5;
    int low = (int)cri_clamp(place, 0, togo->speeds - 2);
    double t = cri_clamp(place - low, 0, 1);
    const float *row = &togo->time[gate * togo->speeds], *next = row + togo->speeds;
    double here = (double)row[low] + t * (double)(row[low + 1] - row[low]);
    double there = (double)next[low] + t * (double)(next[low + 1] - next[low]);
    double laps = track->closed ? task->goal / track->length - 1 - at->spot.lap : 0;
    return here + at->spot.share * (there - here) + laps * togo->lap + off_line(task, at, motion);
}

double cri_guess_time(const cri_drive_task *task, const cri_drive_step *at,
                      const cri_drive_motion *motion)
{
    switch (task->guess) {
    case CR_GUESS_GOAL: {
        if (task->track->closed) {
            return fmax(task->goal - at->spot.along, 0) / task->top_speed;
        }
        double dy = GOAL_Y - at->y;
        return sqrt(at->x * at->x + dy * dy) / task->top_speed;
    }
    case CR_GUESS_TRACK:
        return shortest_way(task, &at->spot) / task->top_speed;
    case CR_GUESS_SPEED: {
        double speed = sqrt(motion->u * motion->u + motion->v * motion->v);
        double way = shortest_way(task, &at->spot), top = task->top_speed;
        if (motion->u < 0 && speed < FASTEST_BACK) {
            return fmin(way / FASTEST_BACK, launch_time(task->launch, 0, way, top));
        }
        return launch_time(task->launch, speed, way, top);
    }
    case CR_GUESS_LINE:
        return line_time(task, at, motion);
    }
    return 0;
}
