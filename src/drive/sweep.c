// The driver who records for the automatic graph: sweeps through speeds and corners.
//
// Every clip begins and ends in a steady corner (cri_car_trim) on a grid of speeds and sideways
// accelerations. From each, the driver goes to the neighbouring corners, once with all the throttle
// it can use, once with the brake, once holding its speed, in as few frames as it can. So the clips
// meet again and again in the same ways of moving, and a comparison of frames finds them: nothing
// else tells the graph about the grid.
#include "drive/sweep.h"

#include <math.h>

#include "base/trig.h"

static const double sideways[] = {0, 1, 2.5, 4.5, 7, 10, 13, 16, 19.5, 23.5}; // m/s2

enum {
    LEVELS = sizeof sideways / sizeof sideways[0],
    FEWEST_FRAMES = 5,
    MOST_FRAMES = 18,
    MOST_FRAMES_STRAIGHT = 45, // near top speed a step takes long
    MOST_CHANGE = 3,           // levels of sideways acceleration in one clip
};

// Speeds of the grid: those that full throttle on a straight goes through, STEP_FRAMES apart or
// more where it gains little. So a straight is driven with the pedal all the way down; near top
// speed, where drag takes nearly all of it, two percent less pedal would be a fifth less gain.
#define SLOWEST    1.5 // m/s
#define CLOSE_STEP 0.3 // m/s
#define TOP_MARGIN 0.4 // m/s below top speed, which is never quite reached

enum { STEP_FRAMES = 9 };

typedef struct sweeper {
    cri_driver *driver;
    const cr_car *car;
    const cri_sweep_speeds *speeds;
} sweeper;

// A corner of the grid; side is -(LEVELS-1) .. LEVELS-1.
typedef struct corner {
    int speed, side;
} corner;

static double level(int side)
{
    return side < 0 ? -sideways[-side] : sideways[side];
}

void cri_sweep_lay(const cr_car *car, cri_sweep_speeds *speeds)
{
    double top = cr_car_top_speed(car) - TOP_MARGIN;
    cr_car_state state = {.vx = SLOWEST};
    int frames = 0;
    *speeds = (cri_sweep_speeds){1, {state.vx}};
    while (state.vx < top && speeds->count < CRI_SWEEP_MOST_SPEEDS) {
        state = cr_car_step(car, state, (cr_car_input){0, 100, 0});
        frames++;
        if (frames >= STEP_FRAMES && state.vx >= speeds->at[speeds->count - 1] + CLOSE_STEP) {
            speeds->at[speeds->count++] = state.vx;
            frames = 0;
        }
    }
}

double cri_sweep_nearest(const cri_sweep_speeds *speeds, double speed)
{
    double best = speeds->at[0];
    for (int i = 1; i < speeds->count; i++) {
        best = fabs(speeds->at[i] - speed) < fabs(best - speed) ? speeds->at[i] : best;
    }
    return best;
}

static bool trim_at(const sweeper *w, corner at, cri_trim *trim)
{
    return at.speed >= 0 && at.speed < w->speeds->count && at.side > -LEVELS && at.side < LEVELS &&
           cri_car_trim(w->car, w->speeds->at[at.speed], level(at.side), trim);
}

static cri_target make_target(const cri_trim *to, int frames)
{
    return (cri_target){.motion = to->motion,
                        .any_heading = true,
                        .frames = frames,
                        .quick = true,
                        .knots = 4,
                        .pedals = 1,
                        .steer = to->steer};
}

static const char *label_of(corner from, corner to)
{
    static const char *const labels[3][3] = {
        {"brake right", "brake", "brake left"},
        {"hold right", "hold", "hold left"},
        {"throttle right", "throttle", "throttle left"},
    };
    int gain = (to.speed > from.speed) - (to.speed < from.speed);
    int turn = (to.side > 0) - (to.side < 0);
    return labels[gain + 1][turn + 1];
}

// How fast the speed can change in a steady corner, with full throttle or full brake, m/s2.
static double pull_along(const cr_car *car, const cri_trim *trim, double pedal)
{
    const cri_drive_motion *m = &trim->motion;
    double speed = sqrt(m->u * m->u + m->v * m->v);
    double slip = cri_atan2(m->v, m->u);
    return cri_car_pull(car, speed, slip, m->w * speed, pedal * car->pedal).along;
}

// Whether so many frames may be enough for the change of speed, and not too many: a rough look that
// saves most of the attempts that would fail.
static bool plausible(const cr_car *car, const cri_trim *begin, const cri_trim *end, int frames)
{
    double change = sqrt(end->motion.u * end->motion.u + end->motion.v * end->motion.v) -
                    sqrt(begin->motion.u * begin->motion.u + begin->motion.v * begin->motion.v);
    double time = (double)frames / CR_DRIVE_RATE;
    double most = fmax(pull_along(car, begin, 100), pull_along(car, end, 100)) + 0.5;
    double least = fmin(pull_along(car, begin, -100), pull_along(car, end, -100)) - 2;
    return change <= most * time + 0.1 && change >= least * time - 0.1;
}

// The clip just kept, seen in a mirror.
static void record_mirrored(cri_driver *driver, const char *label)
{
    cri_clips *clips = driver->clips;
    if (clips->failed) {
        return;
    }
    cri_clip original = clips->clips[clips->clip_count - 1];
    cri_drive_motion begin = clips->frames[original.first].motion;
    cri_driver_begin(driver, (cri_drive_motion){begin.u, -begin.v, -begin.w}, label);
    for (int i = 0; i + 1 < original.count && !clips->failed; i++) {
        cr_car_input input = clips->frames[original.first + i].input;
        input.steer = -input.steer;
        cri_driver_input(driver, input);
    }
    cri_driver_keep(driver);
}

// Record one clip, and its mirror image, in the fewest frames that do. False where none do.
static bool record(sweeper *w, corner from, corner to, int fewest)
{
    cri_driver *driver = w->driver;
    cri_trim begin, end;
    if (!trim_at(w, from, &begin) || !trim_at(w, to, &end)) {
        return false;
    }
    cri_driver_begin(driver, begin.motion, label_of(from, to));
    driver->steer = begin.steer;
    bool straight = from.side == 0 && to.side == 0;
    int most = straight ? MOST_FRAMES_STRAIGHT : MOST_FRAMES;
    for (int frames = fewest; frames <= most; frames++) {
        cri_target target = make_target(&end, frames);
        if (plausible(driver->car, &begin, &end, frames) && cri_driver_reach(driver, &target)) {
            cri_driver_keep(driver);
            if (from.side != 0 || to.side != 0) {
                corner mirror_from = {from.speed, -from.side}, mirror_to = {to.speed, -to.side};
                record_mirrored(driver, label_of(mirror_from, mirror_to));
            }
            return true;
        }
    }
    cri_driver_drop(driver);
    return false;
}

// The grid speed that full pedals, throttle or brake, lead to in so many frames, about.
static int speed_reached(const sweeper *w, corner from, int side, int frames, double pedal)
{
    cri_trim begin, end;
    if (!trim_at(w, from, &begin) || !trim_at(w, (corner){from.speed, side}, &end)) {
        return -1;
    }
    double pull = 0.5 * (pull_along(w->car, &begin, pedal) + pull_along(w->car, &end, pedal));
    double speed = w->speeds->at[from.speed] + pull * frames / CR_DRIVE_RATE;
    int best = 0;
    for (int i = 1; i < w->speeds->count; i++) {
        best = fabs(w->speeds->at[i] - speed) < fabs(w->speeds->at[best] - speed) ? i : best;
    }
    return best;
}

// Begin at `speed` and go towards the other limit until a clip is found. Returns its speed.
static int record_next(sweeper *w, corner from, int side, int speed, int step, int fewest)
{
    for (int tries = 0; tries < 4; tries++, speed += step) {
        if (record(w, from, (corner){speed, side}, fewest)) {
            return speed;
        }
    }
    return -1;
}

// With all the throttle there is, with all the brake, and one between.
static void record_to(sweeper *w, corner from, int side, int fewest)
{
    int fast = speed_reached(w, from, side, fewest + 4, 100);
    int slow = speed_reached(w, from, side, fewest + 4, -100);
    if (fast < 0) {
        return;
    }
    fast = record_next(w, from, side, fast + 1, -1, fewest);
    slow = record_next(w, from, side, slow - 1, 1, fewest);
    if (fast - slow >= 2) {
        record(w, from, (corner){(fast + slow) / 2, side}, fewest);
    }
}

// To the corners next to this one, and from one side to the other at once, for chicanes.
static void record_from(sweeper *w, corner from)
{
    int first = from.side == 0 ? 0 : from.side - MOST_CHANGE;
    for (int side = first; side <= from.side + MOST_CHANGE; side++) {
        int change = side > from.side ? side - from.side : from.side - side;
        record_to(w, from, side, FEWEST_FRAMES + change);
    }
    if (-from.side < first) {
        record_to(w, from, -from.side, FEWEST_FRAMES + from.side);
    }
}

int cri_sweep_parts(const cri_sweep_speeds *speeds)
{
    return speeds->count * LEVELS;
}

void cri_sweep_record(cri_driver *driver, const cri_sweep_speeds *speeds, int part)
{
    sweeper w = {driver, driver->car, speeds};
    record_from(&w, (corner){part / LEVELS, part % LEVELS});
}
