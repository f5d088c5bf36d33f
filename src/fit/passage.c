// Ways in the plane: velocities, and bounces in them. Recorded and predicted ones go through the
// same estimators, so that what these smooth away is smoothed away on both sides.
#include "fit/fit.h"

#include <math.h>

#include "base/vec.h"

enum { WINDOW = 4, LEG = 3 }; // samples to either side: of a parabola; of a turn

#define FAST      0.8   // m/s: slower turns are noise, or rolling out
#define SHARP_COS 0.985 // 10 degrees

// Least squares of a parabola about the sample's time; its slope there.
static double slope(const cri_passage *path, const double *value, int sample, int first, int last)
{
    double s0 = 0, s1 = 0, s2 = 0, s3 = 0, s4 = 0, b0 = 0, b1 = 0, b2 = 0;
    for (int i = first; i <= last; i++) {
        double t = path->time[i] - path->time[sample], t2 = t * t;
        double v = value[i] - value[sample];
        s0 += 1, s1 += t, s2 += t2, s3 += t2 * t, s4 += t2 * t2;
        b0 += v, b1 += v * t, b2 += v * t2;
    }
    if (last - first < 2) {
        double d = s2 - s1 * s1 / s0;
        return d > 0 ? (b1 - b0 * s1 / s0) / d : 0;
    }
    // Cramer's rule for the middle unknown.
    double d = s0 * (s2 * s4 - s3 * s3) - s1 * (s1 * s4 - s3 * s2) + s2 * (s1 * s3 - s2 * s2);
    double n = s0 * (b1 * s4 - s3 * b2) - b0 * (s1 * s4 - s3 * s2) + s2 * (s1 * b2 - b1 * s2);
    return fabs(d) > 1e-300 ? n / d : 0;
}

void cri_passage_velocity(const cri_passage *path, int sample, int first, int last, double *vx,
                          double *vy)
{
    int from = sample - WINDOW > first ? sample - WINDOW : first;
    int to = sample + WINDOW < last ? sample + WINDOW : last;
    *vx = slope(path, path->x, sample, from, to);
    *vy = slope(path, path->y, sample, from, to);
}

void cri_passage_at(const cri_passage *path, double time, double *x, double *y)
{
    int low = 0, high = path->count - 1;
    while (high - low > 1) {
        int middle = (low + high) / 2;
        if (path->time[middle] <= time) {
            low = middle;
        } else {
            high = middle;
        }
    }
    double span = path->time[high] - path->time[low];
    double share = span > 0 ? cri_clamp((time - path->time[low]) / span, 0, 1) : 0;
    *x = path->x[low] + share * (path->x[high] - path->x[low]);
    *y = path->y[low] + share * (path->y[high] - path->y[low]);
}

// The cosine of the turn between sample i and the next; 2 where the body is slow.
static double turn_at(const cri_passage *path, int i)
{
    int a = i - LEG, d = i + 1 + LEG;
    double t1 = path->time[i] - path->time[a], t2 = path->time[d] - path->time[i + 1];
    double ux = path->x[i] - path->x[a], uy = path->y[i] - path->y[a];
    double vx = path->x[d] - path->x[i + 1], vy = path->y[d] - path->y[i + 1];
    double u = sqrt(ux * ux + uy * uy), v = sqrt(vx * vx + vy * vy);
    if (!(u > FAST * t1) || !(v > FAST / 4 * t2)) {
        return 2;
    }
    return (ux * vx + uy * vy) / (u * v);
}

// A straight line through the samples first .. last, by least squares: where it is at a time t of
// the path, and how fast.
typedef struct leg {
    double x, y, vx, vy, time;
} leg;

static leg fit_leg(const cri_passage *path, int first, int last)
{
    double n = last - first + 1, t = 0, x = 0, y = 0, tt = 0, tx = 0, ty = 0;
    for (int i = first; i <= last; i++) {
        t += path->time[i] / n, x += path->x[i] / n, y += path->y[i] / n;
    }
    for (int i = first; i <= last; i++) {
        double d = path->time[i] - t;
        tt += d * d, tx += d * (path->x[i] - x), ty += d * (path->y[i] - y);
    }
    return (leg){x, y, tt > 0 ? tx / tt : 0, tt > 0 ? ty / tt : 0, t};
}

// The two legs come nearest to each other at the bounce: minimise |d0 + d1 t|.
static void locate(const cri_passage *path, cri_bounce *bounce)
{
    leg a = fit_leg(path, bounce->before - LEG, bounce->before);
    leg b = fit_leg(path, bounce->before + 1, bounce->before + 1 + LEG);
    double base = path->time[bounce->before], step = path->time[bounce->before + 1] - base;
    double ax = a.x + a.vx * (base - a.time), ay = a.y + a.vy * (base - a.time);
    double bx = b.x + b.vx * (base - b.time), by = b.y + b.vy * (base - b.time);
    double dx = bx - ax, dy = by - ay, ex = b.vx - a.vx, ey = b.vy - a.vy;
    double ee = ex * ex + ey * ey;
    double t = ee > 0 ? cri_clamp(-(dx * ex + dy * ey) / ee, -step, 2 * step) : 0;
    bounce->time = base + t;
    bounce->x = (ax + a.vx * t + bx + b.vx * t) / 2;
    bounce->y = (ay + a.vy * t + by + b.vy * t) / 2;
}

bool cri_passage_bounce(const cri_passage *path, int from, cri_bounce *bounce)
{
    double sharpest = SHARP_COS;
    bounce->before = -1;
    for (int i = from > LEG ? from : LEG; i + 1 + LEG < path->count; i++) {
        double turn = turn_at(path, i);
        if (turn < sharpest) {
            sharpest = turn;
            bounce->before = i;
        }
        if (bounce->before >= 0 && i >= bounce->before + 2 * LEG) {
            break; // the sharpest of this turn is behind
        }
    }
    if (bounce->before < 0) {
        return false;
    }
    locate(path, bounce);
    return true;
}
