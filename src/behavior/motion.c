#include "behavior/motion.h"

#include "behavior/shares.h"

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
// The plane.

double cri_axis_acceleration(double distance, double velocity, double top_speed,
                             double acceleration, double dt)
{
    return cri_doubles_axis(distance, velocity, (cri_doubles_limits){top_speed, acceleration}, dt);
}

double cri_drive_time(cr_vec3 offset, cr_vec3 velocity, const cr_limits *limits)
{
    double speed = limits->speed, a = limits->acceleration;
    cri_doubles_plane to = {offset.x, offset.y, velocity.x, velocity.y};
    cri_doubles_pair s = cri_doubles_shares(&to, (cri_doubles_limits){speed, a});
    double x = cri_axis_time(offset.x, velocity.x, s.x * speed, s.x * a);
    double y = cri_axis_time(offset.y, velocity.y, s.y * speed, s.y * a);
    return x > y ? x : y;
}

cr_vec3 cri_drive_acceleration(cr_vec3 offset, cr_vec3 velocity, const cr_limits *limits, double dt)
{
    cri_doubles_plane to = {offset.x, offset.y, velocity.x, velocity.y};
    cri_doubles_limits most = {limits->speed, limits->acceleration};
    cri_doubles_pair a = cri_doubles_drive(&to, most, dt);
    return cri_vec3(a.x, a.y, 0);
}
