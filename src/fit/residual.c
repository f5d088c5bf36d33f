// How far a prediction is from its recording (003, algorithms 14 and 15, and the position).
//
// The bounce is found in both, to a fraction of a frame, and what follows is compared from there
// on: the two need not happen at the same moment, and the error has no steps where one of them
// moves into another frame.
#include "fit/fit.h"

#include <assert.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/trig.h"
#include "base/vec.h"

#define CLEAR    0.1   // m from a bounce: nearer than this, noise is all there is of an angle
#define STEEP    0.035 // rad: incoming angles are taken for at least so much
#define HOPELESS 1.0   // the residual of what cannot be compared: as far off as can be

// One recording beside its prediction, sampled at the same times.
typedef struct pair {
    const cri_seen *seen;
    cri_passage predicted;
    cr_vec2 normal;
    double slow;
    double *velocity, *angle, *position; // residuals by sample; NULL: not wanted
} pair;

// A mean square under way.
typedef struct sum {
    double squares;
    int count;
} sum;

static void add(sum *s, double *slots, int slot, double residual)
{
    s->squares += residual * residual;
    s->count++;
    if (slots) {
        slots[slot] = residual;
    }
}

static double root(const sum *s)
{
    return s->count > 0 ? sqrt(s->squares / s->count) : 0;
}

// Algorithm 14: speeds, as shares of the recording's own.
static sum compare_velocity(const pair *p)
{
    sum s = {0, 0};
    int last = p->seen->path.count - 1;
    for (int i = p->seen->moving; i <= last; i++) {
        double vx, vy;
        cri_passage_velocity(&p->predicted, i, p->seen->moving, last, &vx, &vy);
        double speed = sqrt(vx * vx + vy * vy);
        add(&s, p->velocity, i, (p->seen->speed[i] - speed) / p->seen->scale_speed);
    }
    return s;
}

// The angle from the normal to a direction.
static double from_normal(cr_vec2 n, double x, double y)
{
    return cri_atan2(n.x * y - n.y * x, n.x * x + n.y * y);
}

// Outgoing over incoming angle, of a point behind the bounce; positive on the far side.
static double ratio(cr_vec2 n, const cri_passage *path, int start, const cri_bounce *b,
                    cr_vec2 point)
{
    double inx = path->x[start] - b->x, iny = path->y[start] - b->y;
    if (n.x * inx + n.y * iny < 0) {
        n = (cr_vec2){-n.x, -n.y};
    }
    double in = from_normal(n, inx, iny), out = from_normal(n, point.x - b->x, point.y - b->y);
    in = in < 0 ? fmin(in, -STEEP) : fmax(in, STEEP);
    return -out / in;
}

// Algorithm 15. A prediction without a bounce is as wrong as can be.
static sum compare_angle(const pair *p)
{
    sum s = {0, 0};
    const cri_seen *seen = p->seen;
    const cri_passage *real = &seen->path;
    cri_bounce hit;
    bool both = cri_passage_bounce(&p->predicted, 0, &hit) &&
                p->normal.x * p->normal.x + p->normal.y * p->normal.y > 0;
    for (int i = seen->bounce.before + 1; i < seen->until && seen->speed[i] >= p->slow; i++) {
        double dx = real->x[i] - seen->bounce.x, dy = real->y[i] - seen->bounce.y;
        if (dx * dx + dy * dy < CLEAR * CLEAR) {
            continue;
        }
        if (!both) {
            add(&s, p->angle, i, HOPELESS);
            continue;
        }
        double time = hit.time + (real->time[i] - seen->bounce.time);
        if (time > p->predicted.time[p->predicted.count - 1]) {
            break;
        }
        cr_vec2 point, there = {real->x[i], real->y[i]};
        cri_passage_at(&p->predicted, time, &point.x, &point.y);
        add(&s, p->angle, i,
            ratio(p->normal, real, seen->moving, &seen->bounce, there) -
                ratio(p->normal, &p->predicted, seen->moving, &hit, point));
    }
    return s;
}

// Distances, as shares of the way; up to where one of the two bounces a second time.
static sum compare_position(const pair *p, sum *metres)
{
    sum s = {0, 0};
    const cri_passage *real = &p->seen->path;
    for (int i = p->seen->moving; i < p->seen->until; i++) {
        double dx = real->x[i] - p->predicted.x[i], dy = real->y[i] - p->predicted.y[i];
        double distance = sqrt(dx * dx + dy * dy);
        add(&s, NULL, 0, distance / p->seen->way);
        add(metres, NULL, 0, distance);
        if (p->position) {
            p->position[i] = dx / p->seen->way;
            p->position[i + real->count] = dy / p->seen->way;
        }
    }
    return s;
}

static void scale_slots(double *slots, int count, double factor)
{
    for (int i = 0; slots && i < count; i++) {
        slots[i] *= factor;
    }
}

static double factor_of(double weight, int recordings, const sum *s)
{
    return s->count > 0 && recordings > 0 ? sqrt(weight / ((double)recordings * s->count)) : 0;
}

// The errors of one pair, added up; its residuals, scaled.
static void compare(const cr_fit *fit, const pair *p, cr_fit_error *error, sum *metres)
{
    int count = p->seen->path.count;
    sum none = {0, 0};
    sum velocity = p->seen->bounces ? none : compare_velocity(p);
    sum angle = p->seen->bounces ? compare_angle(p) : none;
    sum position = compare_position(p, metres);
    error->velocity += root(&velocity);
    error->angle += root(&angle);
    error->position += root(&position);
    scale_slots(p->velocity, count, factor_of(fit->def.velocity, fit->without_bounce, &velocity));
    scale_slots(p->angle, count, factor_of(fit->def.angle, fit->with_bounce, &angle));
    scale_slots(p->position, 2 * count, factor_of(fit->def.position, fit->seen_count, &position));
}

// A world that blew up: every residual is as large as can be.
static void give_up(const cr_fit *fit, const pair *p, cr_fit_error *error)
{
    (void)fit;
    error->velocity += p->seen->bounces ? 0 : HOPELESS;
    error->angle += p->seen->bounces ? HOPELESS : 0;
    error->position += HOPELESS;
    for (int i = 0; p->velocity && i < 4 * p->seen->path.count; i++) {
        p->velocity[i] = HOPELESS;
    }
}

// The prediction at the times of the recording.
static void sample(const cri_prediction *p, int candidate, int index, double *x, double *y)
{
    const cri_seen *seen = &p->fit->seen[index];
    cri_passage path = cri_prediction_path(p, candidate, index);
    for (int i = 0; i < seen->path.count; i++) {
        cri_passage_at(&path, seen->path.time[i], &x[i], &y[i]);
    }
}

static double mean(double total, int count)
{
    return count > 0 ? total / count : 0;
}

void cri_residuals(const cri_prediction *p, int candidate, double *residuals, cr_fit_error *error)
{
    const cr_fit *fit = p->fit;
    sum metres = {0, 0};
    *error = (cr_fit_error){0};
    size_t longest = 1;
    for (int i = 0; i < fit->seen_count; i++) {
        size_t count = (size_t)fit->seen[i].path.count;
        longest = count > longest ? count : longest;
    }
    double *x = malloc(2 * longest * sizeof *x), *y = x ? x + longest : NULL;
    if (residuals) {
        memset(residuals, 0, (size_t)fit->residual_count * sizeof *residuals);
    }
    for (int i = 0; i < fit->seen_count && x; i++) {
        const cri_seen *seen = &fit->seen[i];
        double *slots = residuals ? residuals + seen->first_residual : NULL;
        pair both = {.seen = seen,
                     .predicted = {seen->path.count, seen->path.time, x, y},
                     .normal = p->normal[candidate * fit->seen_count + i],
                     .slow = fit->def.slow,
                     .velocity = slots,
                     .angle = slots ? slots + seen->path.count : NULL,
                     .position = slots ? slots + 2 * seen->path.count : NULL};
        if (p->alive[candidate * fit->recording_count + seen->recording]) {
            sample(p, candidate, i, x, y);
            compare(fit, &both, error, &metres);
        } else {
            give_up(fit, &both, error);
        }
    }
    free(x);
    error->velocity = mean(error->velocity, fit->without_bounce);
    error->angle = mean(error->angle, fit->with_bounce);
    error->position = mean(error->position, fit->seen_count);
    error->metres = root(&metres);
    error->total = x ? sqrt(fit->def.velocity * error->velocity * error->velocity +
                            fit->def.angle * error->angle * error->angle +
                            fit->def.position * error->position * error->position)
                     : HUGE_VAL;
}

int cr_fit_points(cr_fit *fit, int recording, const double *values, cr_fit_point *points)
{
    assert(recording >= 0 && recording < fit->recording_count);
    cri_prediction p;
    int count = 0;
    if (cri_predict(fit, values, 1, &p, NULL) == CR_OK) {
        for (int i = 0; i < fit->seen_count; i++) {
            const cri_seen *seen = &fit->seen[i];
            cri_passage path = cri_prediction_path(&p, 0, i);
            for (int k = 0; seen->recording == recording && k < seen->path.count; k++) {
                cr_fit_point *point = &points[count++];
                point->time = seen->path.time[k];
                point->body = seen->body;
                point->recorded = (cr_vec2){seen->path.x[k], seen->path.y[k]};
                cri_passage_at(&path, point->time, &point->predicted.x, &point->predicted.y);
            }
        }
    }
    cri_prediction_free(&p);
    return count;
}

cr_status cr_fit_evaluate(cr_fit *fit, const double *values, int candidates, cr_fit_error *errors,
                          cr_report *report)
{
    assert(candidates >= 0);
    cr_status status = CR_OK;
    const int most = CR_FIT_PARAMETERS_MAX + 1;
    for (int i = 0; i < candidates && status == CR_OK; i += most) {
        int count = candidates - i < most ? candidates - i : most;
        cri_prediction p;
        status = cri_predict(fit, values + i * fit->parameter_count, count, &p, report);
        for (int k = 0; k < count && status == CR_OK; k++) {
            cri_residuals(&p, k, NULL, &errors[i + k]);
        }
        cri_prediction_free(&p);
    }
    return status;
}
