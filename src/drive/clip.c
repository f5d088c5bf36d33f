// Clips and the driver. Pools grow by doubling while recording; nothing grows while planning.
#include "drive/clip.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/vec.h"

void cri_clips_free(cri_clips *clips)
{
    free(clips->frames);
    free(clips->clips);
    *clips = (cri_clips){0};
}

// Room for `more` more; the array, or NULL when memory runs out.
static void *grow(void *array, int count, int more, int *capacity, size_t size)
{
    if (count + more <= *capacity) {
        return array;
    }
    int wanted = *capacity ? *capacity * 2 : 256;
    wanted = wanted < count + more ? count + more : wanted;
    void *grown = realloc(array, (size_t)wanted * size);
    if (grown) {
        *capacity = wanted;
    }
    return grown;
}

// Room for so many more clips and frames, or `failed`.
static void make_room(cri_clips *clips, int more_clips, int more_frames)
{
    void *grown = grow(clips->clips, clips->clip_count, more_clips, &clips->clip_capacity,
                       sizeof *clips->clips);
    clips->clips = grown ? grown : clips->clips;
    void *frames = grow(clips->frames, clips->frame_count, more_frames, &clips->frame_capacity,
                        sizeof *clips->frames);
    clips->frames = frames ? frames : clips->frames;
    clips->failed = clips->failed || !grown || !frames;
}

void cri_clips_append(cri_clips *clips, const cri_clips *more)
{
    make_room(clips, more->clip_count, more->frame_count);
    clips->failed = clips->failed || more->failed;
    if (clips->failed || more->clip_count == 0) {
        return;
    }
    memcpy(clips->frames + clips->frame_count, more->frames,
           (size_t)more->frame_count * sizeof *more->frames);
    for (int i = 0; i < more->clip_count; i++) {
        clips->clips[clips->clip_count] = more->clips[i];
        clips->clips[clips->clip_count++].first += clips->frame_count;
    }
    clips->frame_count += more->frame_count;
}

static void add_frame(cri_clips *clips, const cri_clip_frame *frame)
{
    make_room(clips, 0, 1);
    if (!clips->failed) {
        clips->frames[clips->frame_count++] = *frame;
    }
}

static cri_clip_frame make_frame(const cr_car_state *state)
{
    return (cri_clip_frame){state->x, state->y, state->heading, cri_car_motion(state), {0, 0, 0}};
}

void cri_driver_begin(cri_driver *driver, cri_drive_motion motion, const char *label)
{
    cri_clips *clips = driver->clips;
    driver->state = cri_car_at_origin(motion);
    driver->steer = 0;
    make_room(clips, 1, 1);
    if (clips->failed) {
        return;
    }
    cri_clip *clip = &clips->clips[clips->clip_count];
    *clip = (cri_clip){.first = clips->frame_count};
    snprintf(clip->label, sizeof clip->label, "%s", label);
    cri_clip_frame frame = make_frame(&driver->state);
    add_frame(clips, &frame);
}

void cri_driver_keep(cri_driver *driver)
{
    cri_clips *clips = driver->clips;
    if (!clips->failed) {
        cri_clip *clip = &clips->clips[clips->clip_count++];
        clip->count = clips->frame_count - clip->first;
    }
}

void cri_driver_drop(cri_driver *driver)
{
    cri_clips *clips = driver->clips;
    if (!clips->failed) {
        clips->frame_count = clips->clips[clips->clip_count].first;
    }
}

void cri_driver_input(cri_driver *driver, cr_car_input input)
{
    cri_clips *clips = driver->clips;
    if (clips->failed) {
        return;
    }
    clips->frames[clips->frame_count - 1].input = input;
    driver->state = cr_car_step(driver->car, driver->state, input);
    driver->steer = input.steer;
    cri_clip_frame frame = make_frame(&driver->state);
    add_frame(clips, &frame);
}

// What the driver turns to get where it wants: steering at a few knots, straight lines between
// them, and the pedals in equal parts of the time (throttle above zero, brake below, in units of
// full pedal).
enum {
    KNOBS_MAX = CRI_TARGET_MAX_KNOTS + CRI_TARGET_MAX_PEDALS,
    MISSES_MAX = 4,
    TURNS_MAX = 25,
    QUICK_TURNS = 7
};

typedef struct knobs {
    double value[KNOBS_MAX];
} knobs;

static double knob_limit(const cri_target *target, int knob)
{
    return knob < target->knots ? CR_CAR_MAX_STEER : 1;
}

static cr_car_input turn_knobs(const cri_target *target, const knobs *k, int at)
{
    double x = (at + 0.5) / target->frames * (target->knots - 1);
    int knot = (int)x;
    double steer = k->value[knot] + (x - knot) * (k->value[knot + 1] - k->value[knot]);
    double pedal = 100 * k->value[target->knots + at * target->pedals / target->frames];
    if (target->motion.u < 0) {
        return (cr_car_input){steer, pedal > 0 ? -pedal : 0, pedal < 0 ? -pedal : 0};
    }
    return (cr_car_input){steer, pedal > 0 ? pedal : 0, pedal < 0 ? -pedal : 0};
}

typedef struct slopes {
    double column[KNOBS_MAX][MISSES_MAX]; // change of the misses by each knob
} slopes;

// How the input at a frame changes with a knob.
static cr_car_input turn_slope(const cri_target *target, const knobs *k, int at, int knob)
{
    cr_car_input by = {0, 0, 0};
    if (knob < target->knots) {
        double x = (at + 0.5) / target->frames * (target->knots - 1), away = fabs(x - knob);
        by.steer = away < 1 ? 1 - away : 0;
    } else if (knob - target->knots == at * target->pedals / target->frames) {
        by.throttle = k->value[knob] >= 0 ? (target->motion.u < 0 ? -100 : 100) : 0;
        by.brake = k->value[knob] >= 0 ? 0 : -100;
    }
    return by;
}

static double lead(const double *by, const double *column, cr_car_input input)
{
    return by[CRI_BY_U] * column[0] + by[CRI_BY_V] * column[1] + by[CRI_BY_W] * column[2] +
           by[CRI_BY_STEER] * input.steer + by[CRI_BY_THROTTLE] * input.throttle +
           by[CRI_BY_BRAKE] * input.brake;
}

// The slopes after a frame from those before it.
static void lead_on(const cri_target *target, const knobs *k, int at, const cri_car_slopes *frame,
                    slopes *j)
{
    for (int i = 0; i < target->knots + target->pedals; i++) {
        double *column = j->column[i];
        cr_car_input by = turn_slope(target, k, at, i);
        double u = lead(frame->u, column, by), v = lead(frame->v, column, by);
        double w = lead(frame->w, column, by);
        column[3] += lead(frame->heading, column, by);
        column[0] = u;
        column[1] = v;
        column[2] = w;
    }
}

// How far from the target these knobs lead, in motion and, where it matters, heading, and how this
// changes with the knobs. Returns the largest.
static double miss(const cri_driver *driver, const cri_target *target, const knobs *k,
                   double out[MISSES_MAX], slopes *j)
{
    cr_car_state state = driver->state;
    *j = (slopes){0};
    for (int i = 0; i < target->frames; i++) {
        cri_car_slopes frame;
        state = cri_car_step_slopes(driver->car, state, turn_knobs(target, k, i), &frame);
        lead_on(target, k, i, &frame, j);
    }
    cri_drive_motion m = cri_car_motion(&state);
    out[0] = m.u - target->motion.u;
    out[1] = m.v - target->motion.v;
    out[2] = m.w - target->motion.w;
    out[3] = state.heading - driver->state.heading - target->heading;
    double most = 0;
    for (int i = 0; i < MISSES_MAX; i++) {
        if ((i == 0 && target->any_speed) || (i == 3 && target->any_heading)) {
            out[i] = 0;
            for (int knob = 0; knob < KNOBS_MAX; knob++) {
                j->column[knob][i] = 0;
            }
        }
        most = fmax(most, fabs(out[i]));
    }
    return most;
}

// Solve a x = b in place, with pivots; a is symmetric and, thanks to its raised diagonal, regular.
static void solve(double a[MISSES_MAX][MISSES_MAX], double b[MISSES_MAX])
{
    for (int i = 0; i < MISSES_MAX; i++) {
        for (int j = i + 1; j < MISSES_MAX; j++) {
            double factor = a[j][i] / a[i][i];
            for (int k = i; k < MISSES_MAX; k++) {
                a[j][k] -= factor * a[i][k];
            }
            b[j] -= factor * b[i];
        }
    }
    for (int i = MISSES_MAX - 1; i >= 0; i--) {
        for (int k = i + 1; k < MISSES_MAX; k++) {
            b[i] -= a[i][k] * b[k];
        }
        b[i] /= a[i][i];
    }
}

// The smallest turn of the knobs that, by the slopes, removes the misses: x = J' (J J' + d)^-1 r.
static knobs correct(const cri_target *target, const slopes *j, const double at[MISSES_MAX],
                     double damping, const knobs *k)
{
    double a[MISSES_MAX][MISSES_MAX] = {{0}}, b[MISSES_MAX];
    int count = target->knots + target->pedals;
    for (int r = 0; r < MISSES_MAX; r++) {
        b[r] = -at[r];
        for (int c = 0; c < MISSES_MAX; c++) {
            a[r][c] = r == c ? damping : 0;
            for (int i = 0; i < count; i++) {
                a[r][c] += j->column[i][r] * j->column[i][c];
            }
        }
    }
    solve(a, b);
    knobs next = *k;
    for (int i = 0; i < count; i++) {
        double turn = 0;
        for (int r = 0; r < MISSES_MAX; r++) {
            turn += j->column[i][r] * b[r];
        }
        double limit = knob_limit(target, i);
        next.value[i] = cri_clamp(k->value[i] + turn, -limit, limit);
    }
    return next;
}

// Turn the knobs until the target is met. Damping grows while a step makes it worse.
static bool find_knobs(const cri_driver *driver, const cri_target *target, knobs *k)
{
    double at[MISSES_MAX], damping = 1e-3;
    slopes j;
    double worst = miss(driver, target, k, at, &j);
    int turns = target->quick ? QUICK_TURNS : TURNS_MAX;
    for (int i = 0; i < turns && worst > CRI_TARGET_CLOSE; i++) {
        double next_at[MISSES_MAX];
        slopes next_j;
        knobs next = correct(target, &j, at, damping, k);
        double next_worst = miss(driver, target, &next, next_at, &next_j);
        for (int tries = 0; tries < (target->quick ? 2 : 6) && !(next_worst < worst); tries++) {
            damping = damping * 20 + 1e-3;
            next = correct(target, &j, at, damping, k);
            next_worst = miss(driver, target, &next, next_at, &next_j);
        }
        if (!(next_worst < worst) || (target->quick && i >= 2 && next_worst > 0.3 * worst)) {
            return false;
        }
        damping = next_worst < 0.3 * worst ? damping * 1e-3 : damping * 0.3;
        *k = next;
        j = next_j;
        worst = next_worst;
        memcpy(at, next_at, sizeof at);
    }
    return worst <= CRI_TARGET_CLOSE;
}

// The knobs to begin with: steering on a line, the pedal that would do on a straight.
static knobs first_knobs(const cri_driver *driver, const cri_target *target)
{
    const cr_car *car = driver->car;
    double u = cri_car_motion(&driver->state).u;
    double gain = (fabs(target->motion.u) - fabs(u)) * CR_DRIVE_RATE / target->frames;
    double force = gain * car->mass + car->drag * u * u + car->resistance * fabs(u);
    double pedal = target->any_speed ? target->pedal / 100 : force / (100 * car->pedal);
    knobs k = {{0}};
    for (int i = 0; i < target->knots; i++) {
        double x = (double)i / (target->knots - 1);
        double lead = target->lead * (x < 0.5 ? 1 : -1);
        k.value[i] = driver->steer + x * (target->steer - driver->steer) + lead;
        k.value[i] = cri_clamp(k.value[i], -CR_CAR_MAX_STEER, CR_CAR_MAX_STEER);
    }
    for (int i = 0; i < target->pedals; i++) {
        k.value[target->knots + i] = cri_clamp(pedal, -1, 1);
    }
    return k;
}

bool cri_driver_reach(cri_driver *driver, const cri_target *target)
{
    knobs k = first_knobs(driver, target);
    if (driver->clips->failed || !find_knobs(driver, target, &k)) {
        return false;
    }
    for (int i = 0; i < target->frames; i++) {
        cri_driver_input(driver, turn_knobs(target, &k, i));
    }
    return true;
}
