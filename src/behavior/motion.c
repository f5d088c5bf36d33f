#include "behavior/motion.h"

// Whoever moves away or cannot stop in time brakes first and goes on from rest.
double cri_axis_time(double distance, double velocity, double top_speed, double acceleration)
{
    double d = fabs(distance), v = distance < 0 ? -velocity : velocity;
    double per_a = 1 / acceleration, stop = v * v / 2 * per_a, first = 0;
    if (v < 0 || stop > d) {
        first = fabs(v) * per_a;
        d = v < 0 ? d + stop : stop - d;
        v = stop = 0;
    }
    if (v > top_speed) { // down to the top speed, a stretch of cruise, and a stop
        return first + v * per_a + (d - stop) / top_speed;
    }
    double peak = sqrt(acceleration * (d + stop));
    double time = first + (2 * peak - v) * per_a;
    double above = peak - top_speed;
    return above > 0 ? time + above * above / top_speed * per_a : time;
}

// ---------------------------------------------------------------------------------------------
// Arrivals. The fastest way pushes one way first and then the other: v -> peak -> w. Going from a
// velocity to a higher one by pushing forward takes the way up(to) - up(from), because dx = v dv /
// rate and the rate is the deceleration b as long as the body still goes back; pushing backward,
// down(from) - down(to). So with c = 1 / 2a + 1 / 2b
//
//   distance = c peak2 - up(v) - down(w)       peak >= v, w, 0
//   distance = down(v) + up(w) - c trough2     trough <= v, w, 0: the same, mirrored
//
// and the times are those of the velocities that are gone through, each over its rate.

typedef struct axis {
    double a, b; // to speed up, to brake
} axis;

static double up(const axis *x, double v)
{
    return v * v / (2 * (v > 0 ? x->a : x->b));
}

static double down(const axis *x, double v)
{
    return v * v / (2 * (v > 0 ? x->b : x->a));
}

static double up_time(const axis *x, double from, double to)
{
    return to / (to > 0 ? x->a : x->b) - from / (from > 0 ? x->a : x->b);
}

static double down_time(const axis *x, double from, double to)
{
    return from / (from > 0 ? x->b : x->a) - to / (to > 0 ? x->b : x->a);
}

// By way of a peak, or never where the way is shorter than that of the least peak, the larger of v,
// w and 0. What misses that by rounding alone has it: the other way round takes long. An axis that
// is, or is to be, faster than its share of the top speed may be so all the way; more of the limits
// then never makes it later.
static double peak_time(const axis *x, double distance, double v, double w, double top_speed)
{
    double c = 1 / (2 * x->a) + 1 / (2 * x->b), least = fmax(v, w);
    double cap = fmax(top_speed, least);
    double square = (distance + up(x, v) + down(x, w)) / c;
    if (square < (least > 0 ? least * least * (1 - 1e-12) : 0)) {
        return HUGE_VAL;
    }
    double peak = fmax(sqrt(square), least);
    if (peak <= cap) {
        return up_time(x, v, peak) + down_time(x, peak, w);
    }
    double rest = distance - (up(x, cap) - up(x, v)) - (down(x, cap) - down(x, w));
    return up_time(x, v, cap) + down_time(x, cap, w) + rest / cap;
}

// There may be both a peak and a trough that lead there, and there is always one of them.
double cri_axis_arrival(double distance, double velocity, double target, cri_axis_limits limits)
{
    const axis x = {limits.acceleration, limits.deceleration};
    return fmin(peak_time(&x, distance, velocity, target, limits.top_speed),
                peak_time(&x, -distance, -velocity, -target, limits.top_speed));
}

static double share_time(double distance, double v, double w, cri_axis_limits limits, double share)
{
    return cri_axis_arrival(distance, v, w,
                            (cri_axis_limits){share * limits.top_speed, share * limits.acceleration,
                                              share * limits.deceleration});
}

// What is best for the later of both axes is where they meet: halved until it is found.
double cri_arrival_time(cr_vec3 offset, cr_vec3 velocity, cr_vec3 target, cri_axis_limits limits)
{
    enum { HALVES = 30 };
    double low = 1.0 / 4096, high = 1 - low, time = HUGE_VAL;
    for (int i = 0; i < HALVES; i++) {
        double half = (low + high) / 2; // the square of x's share
        double x = share_time(offset.x, velocity.x, target.x, limits, sqrt(half));
        double y = share_time(offset.y, velocity.y, target.y, limits, sqrt(1 - half));
        time = fmin(time, fmax(x, y));
        *(x > y ? &low : &high) = half;
    }
    return time;
}

// ---------------------------------------------------------------------------------------------
// The plane: x and y get shares of the limits, whose squares add up to one. More for an axis makes
// it earlier, so the best is where both arrive together. Below, distances and velocities are
// divided by the acceleration, and top is the time to reach the top speed.

// The share of the limits that an axis needs to arrive in time, and its change with the time.
typedef struct need {
    double share, slope;
} need;

// It speeds up to a peak and brakes: share * time = 2 peak - v, peak2 = share * distance + v2 / 2.
// Or it brakes, goes too far and comes back: the same the other way round. If its peak is above its
// share of the top speed, it cruises: time = top + (distance / top - v) / share + v2 / (2 top
// share2).
static inline need need_of(double distance, double velocity, double top, double time,
                           double per_time)
{
    double lead = 2 * distance - velocity * time, way = lead < 0 ? -1 : 1;
    double v = way * velocity, run = v * time, room = time - top;
    double root = sqrt(lead * lead + run * run);
    double share = (fabs(lead) + root) * per_time * per_time;
    if (share * (room - top) + v > 0 && room > 0) {
        double curve = v * v / (2 * top), line = way * distance / top - v;
        double cruise = sqrt(line * line + 4 * curve * room);
        share = (line + cruise) / (2 * room);
        return (need){share, ((cruise > 0 ? curve / cruise : 0) - share) / room};
    }
    double turn = root > 0 ? (run - fabs(lead)) / root : 0;
    return (need){share, (v * (turn - 1) * per_time - 2 * share) * per_time};
}

// The time straight along the offset with all of the limits; what moves across it has to be stopped
// besides.
static inline double guess_time(double x, double y, double vx, double vy, double top)
{
    double distance = sqrt(x * x + y * y), way = distance > 0 ? 1 / distance : 0;
    double along = (x * vx + y * vy) * way, across = (x * vy - y * vx) * way;
    double stop = along * along / 2;
    bool back = along > 0 && stop > distance;
    double peak = sqrt(back ? stop - distance : stop + distance);
    double time = 2 * peak + (back ? along : -along), above = peak - top;
    time = above > 0 ? time + above * above / top : time;
    return sqrt(time * time + 3 * across * across);
}

// Needs go with the inverse square of the time where no velocity is in the way, so Newton's step is
// on the root of their length, with root 4 of s ~ (3 + 5 s) / (5 + 3 s).
static inline double better_time(double time, need x, need y, double size)
{
    double slope = 2 * (x.share * x.slope + y.share * y.slope);
    double step = slope < 0 ? 8 * size * (1 - size) / ((5 + 3 * size) * slope) : 0;
    return time + cri_clamp(step, -time / 2, time);
}

typedef struct shares {
    double x, y;
} shares;

// The shares that fill the limits at once. Neither is too near to nothing.
static inline shares share_out(cr_vec3 offset, cr_vec3 velocity, const cr_limits *limits)
{
    enum { STEPS_MAX = 4 }; // of Newton
    static const double NEAR = 0.02;
    const double least = 1.0 / 64, most = 0.9998779222353597; // least2 + most2 = 1
    double per_a = 1 / limits->acceleration, top = limits->speed * per_a;
    double dx = offset.x * per_a, dy = offset.y * per_a;
    double vx = velocity.x * per_a, vy = velocity.y * per_a;
    double time = guess_time(dx, dy, vx, vy, top);
    if (!(time > 1e-9)) {
        return (shares){0.6, 0.8}; // it is there
    }
    need x, y;
    double size;
    for (int i = 0;; i++) {
        double per_time = 1 / time;
        x = need_of(dx, vx, top, time, per_time);
        y = need_of(dy, vy, top, time, per_time);
        size = x.share * x.share + y.share * y.share;
        if (i == STEPS_MAX || fabs(size - 1) < NEAR) {
            break;
        }
        time = better_time(time, x, y, size);
    }
    double per_size = 1 / sqrt(size);
    return (shares){cri_clamp(x.share * per_size, least, most),
                    cri_clamp(y.share * per_size, least, most)};
}

double cri_drive_time(cr_vec3 offset, cr_vec3 velocity, const cr_limits *limits)
{
    double speed = limits->speed, a = limits->acceleration;
    shares s = share_out(offset, velocity, limits);
    double x = cri_axis_time(offset.x, velocity.x, s.x * speed, s.x * a);
    double y = cri_axis_time(offset.y, velocity.y, s.y * speed, s.y * a);
    return x > y ? x : y;
}

cr_vec3 cri_drive_acceleration(cr_vec3 offset, cr_vec3 velocity, const cr_limits *limits, double dt)
{
    double speed = limits->speed, a = limits->acceleration;
    shares s = share_out(offset, velocity, limits);
    return cri_vec3(cri_axis_acceleration(offset.x, velocity.x, s.x * speed, s.x * a, dt),
                    cri_axis_acceleration(offset.y, velocity.y, s.y * speed, s.y * a, dt), 0);
}
