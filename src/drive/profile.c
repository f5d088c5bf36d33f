// How fast a line can be driven: the car's limits as a table, the fastest speeds that keep to them,
// and the time to go.
//
// The limits of the car are those of steady sliding: for each speed and slip angle, balanced yaw
// fixes the steering and so the pull along and across the direction of travel (cri_car_pull). The
// soft tyres make cornering expensive: at 3 g sideways the car stands 40 degrees across its way and
// slows down by 2 g. A point mass with 3 g knows nothing of this and is always faster.
#include "drive/line.h"

#include <math.h>
#include <stdlib.h>

#include "base/trig.h"
#include "base/vec.h"

#define SPEED_STEP    0.5  // m/s
#define SIDEWAYS_STEP 0.25 // m/s2
#define SLIP_STEP     0.01 // rad
#define TIDY_SLIP     0.55 // rad

void cri_envelope_destroy(cri_envelope *envelope)
{
    if (envelope) {
        free(envelope->most);
        free(envelope->least);
        free(envelope);
    }
}

static double row_speed(int row)
{
    return (row + 1) * SPEED_STEP;
}

// The acceleration across that a slip angle gives, where the turning that it causes is counted.
static cri_pull steady_pull(const cr_car *car, double speed, double slip, double pedal)
{
    double across = 0;
    cri_pull pull = {0, 0, 0};
    for (int i = 0; i < 24; i++) {
        pull = cri_car_pull(car, speed, slip, across, pedal);
        across = 0.5 * (across + pull.across);
    }
    return pull;
}

static void note(cri_envelope *e, int row, const cri_pull *pull)
{
    int column = (int)floor(pull->across / e->sideways_step);
    if (pull->across < 0 || column >= e->sideways || fabs(pull->steer) > CR_CAR_MAX_STEER) {
        return;
    }
    int at = row * e->sideways + column;
    e->most[at] = fmaxf(e->most[at], (float)pull->along);
    e->least[at] = fminf(e->least[at], (float)pull->along);
}

// Whoever can turn harder can turn less hard: fill the gaps between the slips that were tried.
static void fill_row(cri_envelope *e, int row)
{
    float *most = &e->most[row * e->sideways], *least = &e->least[row * e->sideways];
    for (int i = e->sideways - 2; i >= 0; i--) {
        most[i] = fmaxf(most[i], most[i + 1]);
        if (least[i] == HUGE_VALF && least[i + 1] != HUGE_VALF) {
            least[i] = least[i + 1];
        }
    }
}

static void sweep_car(cri_envelope *e, const cr_car *car, double most_slip)
{
    for (int row = 0; row < e->speeds; row++) {
        for (int pedal = -100; pedal <= 100; pedal += 25) {
            for (double slip = 0.1; slip > -most_slip; slip -= SLIP_STEP) {
                cri_pull pull = steady_pull(car, row_speed(row), slip, pedal * car->pedal);
                note(e, row, &pull);
            }
        }
        fill_row(e, row);
    }
}

static void sweep_point(cri_envelope *e, const cr_car *car)
{
    double grip = car->grip * CRI_GRAVITY, force = 100 * car->pedal / car->mass;
    for (int row = 0; row < e->speeds; row++) {
        double v = row_speed(row), drag = (car->resistance * v + car->drag * v * v) / car->mass;
        for (int i = 0; i < e->sideways && i * e->sideways_step <= grip; i++) {
            e->most[row * e->sideways + i] = (float)(force - drag);
            e->least[row * e->sideways + i] = (float)(-force - drag);
        }
    }
}

cr_status cri_envelope_create(const cr_car *car, cri_limits_kind kind, cri_envelope **out,
                              cr_report *report)
{
    cri_envelope *e = *out = calloc(1, sizeof *e);
    if (!e) {
        return cri_fail_memory(report);
    }
    e->top = cr_car_top_speed(car);
    e->speed_step = SPEED_STEP;
    e->sideways_step = SIDEWAYS_STEP;
    e->speeds = (int)(e->top / SPEED_STEP) + 1;
    e->sideways = (int)(car->grip * CRI_GRAVITY * 1.2 / SIDEWAYS_STEP);
    size_t cells = (size_t)e->speeds * (size_t)e->sideways;
    e->most = malloc(cells * sizeof *e->most);
    e->least = malloc(cells * sizeof *e->least);
    if (!e->most || !e->least) {
        cri_envelope_destroy(e);
        *out = NULL;
        return cri_fail_memory(report);
    }
    for (size_t i = 0; i < cells; i++) {
        e->most[i] = -HUGE_VALF;
        e->least[i] = HUGE_VALF;
    }
    switch (kind) {
    case CRI_LIMITS_POINT:
        sweep_point(e, car);
        break;
    case CRI_LIMITS_CAR:
        sweep_car(e, car, CRI_PI / 2);
        break;
    case CRI_LIMITS_TIDY:
        sweep_car(e, car, TIDY_SLIP);
        break;
    }
    return CR_OK;
}

// The cell of the table, or -1 where the tyres do not hold.
static int cell(const cri_envelope *e, double speed, double curvature)
{
    int row = (int)cri_clamp(speed / e->speed_step - 0.5, 0, e->speeds - 1);
    int column = (int)(speed * speed * fabs(curvature) / e->sideways_step);
    int at = row * e->sideways + column;
    return column < e->sideways && e->most[at] > -HUGE_VALF ? at : -1;
}

// ---------------------------------------------------------------------------------------------
// Speeds

static double corner_speed(const cri_envelope *e, double curvature)
{
    double low = 0.5, high = e->top;
    if (cell(e, high, curvature) >= 0) {
        return high;
    }
    for (int i = 0; i < 24; i++) {
        double middle = 0.5 * (low + high);
        if (cell(e, middle, curvature) >= 0) {
            low = middle;
        } else {
            high = middle;
        }
    }
    return low;
}

static double gain(const cri_envelope *e, double speed, double curvature, double way)
{
    int at = cell(e, speed, curvature);
    double along = at >= 0 ? (double)e->most[at] : 0;
    return sqrt(fmax(speed * speed + 2 * along * way, 1));
}

static double lose(const cri_envelope *e, double speed, double curvature, double way)
{
    int at = cell(e, speed, curvature);
    double along = at >= 0 ? (double)e->least[at] : 0;
    return sqrt(fmax(speed * speed - 2 * along * way, 1));
}

double cri_line_speeds(const cri_line *line, const cri_envelope *e, double start, double *speeds)
{
    int last = line->closed ? line->count : line->count - 1;
    for (int i = 0; i <= last; i++) {
        speeds[i] = corner_speed(e, line->curvature[i]);
    }
    if (!line->closed) {
        speeds[0] = fmin(speeds[0], fmax(start, 1));
    }
    for (int pass = 0; pass < 2; pass++) { // twice: a closed line has no beginning
        for (int i = 0; i < last; i++) {
            double way = line->along[i + 1] - line->along[i];
            speeds[i + 1] = fmin(speeds[i + 1], gain(e, speeds[i], line->curvature[i], way));
        }
        speeds[0] = line->closed ? fmin(speeds[0], speeds[last]) : speeds[0];
        for (int i = last - 1; i >= 0; i--) {
            double way = line->along[i + 1] - line->along[i];
            speeds[i] = fmin(speeds[i], lose(e, speeds[i + 1], line->curvature[i + 1], way));
        }
        speeds[last] = line->closed ? fmin(speeds[last], speeds[0]) : speeds[last];
    }
    double time = 0;
    for (int i = 0; i < last; i++) {
        time += 2 * (line->along[i + 1] - line->along[i]) / (speeds[i] + speeds[i + 1]);
    }
    return time;
}

// ---------------------------------------------------------------------------------------------
// Time to go

void cri_togo_destroy(cri_togo *togo)
{
    if (togo) {
        free(togo->time);
        free(togo->limit);
        free(togo);
    }
}

// Time from gate i at this speed: hold on to the profile where there, speed up towards it where
// below. Above it the car has to lose the excess first; as a guess, the time of the profile plus
// what braking too late costs.
static double step_time(const cri_togo *togo, const cri_line *line, const cri_envelope *e, int i,
                        double speed)
{
    double way = line->along[i + 1] - line->along[i];
    double held = fmin(speed, (double)togo->limit[i]);
    double next = fmin(gain(e, held, line->curvature[i], way), (double)togo->limit[i + 1]);
    double place = next / togo->step - 0.5;
    int low = (int)cri_clamp(place, 0, togo->speeds - 2);
    double t = cri_clamp(place - low, 0, 1);
    const float *row = &togo->time[(i + 1) * togo->speeds];
    double rest = (double)row[low] + t * (double)(row[low + 1] - row[low]);
    return rest + 2 * way / (held + next);
}

// s per m/s above the profile. Little, because the profile knows only its own line, and the search
// sees the wall that a car too fast would end in. On Norisring 0.04 and more cost lap time.
#define EXCESS_COST 0.015

static void fill_times(cri_togo *togo, const cri_line *line, const cri_envelope *e)
{
    for (int i = togo->gates - 2; i >= 0; i--) {
        for (int k = 0; k < togo->speeds; k++) {
            double speed = (k + 0.5) * togo->step;
            double excess = fmax(speed - (double)togo->limit[i], 0);
            double time = step_time(togo, line, e, i, speed) + EXCESS_COST * excess;
            togo->time[i * togo->speeds + k] = (float)time;
        }
    }
}

// On a closed track the end of a lap is the beginning of another: its times are those of gate 0,
// less the time of a flying lap, which follows from them. A few passes settle it.
static void close_times(cri_togo *togo)
{
    float *end = &togo->time[(togo->gates - 1) * togo->speeds];
    int flying = (int)cri_clamp((double)togo->limit[0] / togo->step - 0.5, 0, togo->speeds - 1);
    float lap = togo->time[flying] - end[flying];
    for (int k = 0; k < togo->speeds; k++) {
        end[k] = togo->time[k] - lap;
    }
    togo->lap = (double)lap;
}

static cr_status fill_togo(cri_togo *togo, const cr_track *track, const cri_envelope *e,
                           cr_report *report)
{
    double *speeds = malloc((size_t)(track->gate_count + 2) * sizeof *speeds);
    if (!speeds) {
        return cri_fail_memory(report);
    }
    cri_line_speeds(track->line, e, e->top, speeds);
    for (int i = 0; i < togo->gates; i++) {
        togo->limit[i] = (float)speeds[i];
    }
    free(speeds);
    for (int pass = 0; pass < (track->closed ? 4 : 1); pass++) {
        fill_times(togo, track->line, e);
        if (track->closed) {
            close_times(togo);
        }
    }
    return CR_OK;
}

cr_status cri_togo_create(const cr_track *track, const cr_car *car, cri_togo **out,
                          cr_report *report)
{
    cri_togo *togo = *out = calloc(1, sizeof *togo);
    cri_envelope *e = NULL;
    cr_status status =
        togo ? cri_envelope_create(car, CRI_LIMITS_TIDY, &e, report) : cri_fail_memory(report);
    if (status == CR_OK) {
        togo->gates = track->closed ? track->gate_count + 1 : track->gate_count;
        togo->step = 0.5;
        togo->speeds = (int)(e->top / togo->step) + 1;
        size_t cells = (size_t)togo->gates * (size_t)togo->speeds;
        togo->time = calloc(cells, sizeof *togo->time);
        togo->limit = calloc((size_t)togo->gates, sizeof *togo->limit);
        status =
            togo->time && togo->limit ? fill_togo(togo, track, e, report) : cri_fail_memory(report);
    }
    cri_envelope_destroy(e);
    if (status != CR_OK) {
        cri_togo_destroy(togo);
        *out = NULL;
    }
    return status;
}
