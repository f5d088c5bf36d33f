#include "behavior/motion.h"

// A profile is five stretches of constant acceleration, in this order; most of them last no time.
typedef struct stretches {
    double stop;   // a: it moves away
    double brake;  // -a: it is too fast, for the top speed or to stop in time
    double ramp;   // a, or -a where it has to come back
    double cruise; // 0
    double end;    // the opposite of ramp
    bool back;
} stretches;

// Fastest way to rest at distance >= 0 with 0 <= velocity, added to what is there.
static inline void plan_ahead(double distance, double velocity, double top, double a, stretches *s)
{
    double stop = velocity * velocity / (2 * a);
    if (stop > distance) { // too fast: brake, then come back
        double peak = sqrt(a * (stop - distance));
        peak = peak < top ? peak : top;
        double cruise = (stop - distance) / peak - peak / a;
        s->back = true;
        s->brake = velocity / a;
        s->cruise = cruise > 0 ? cruise : 0;
        s->ramp = s->end = peak / a;
        return;
    }
    double peak = sqrt(a * distance + velocity * velocity / 2);
    if (velocity > top) {
        s->brake = (velocity - top) / a;
        distance -= (velocity * velocity - top * top) / (2 * a);
        velocity = peak = top;
    }
    peak = peak < top ? peak : top;
    double ramps = (2 * peak * peak - velocity * velocity) / (2 * a);
    s->ramp = (peak - velocity) / a;
    s->cruise = peak > 0 && distance > ramps ? (distance - ramps) / peak : 0;
    s->end = peak / a;
}

static inline stretches plan_axis(double distance, double velocity, double top, double a)
{
    double sign = distance < 0 ? -1 : 1;
    double d = distance * sign, v = velocity * sign;
    stretches s = {0};
    if (v < 0) { // moving away: stop first
        s.stop = -v / a;
        d += v * v / (2 * a);
        v = 0;
    }
    plan_ahead(d, v, top, a, &s);
    return s;
}

static inline double time_of(const stretches *s)
{
    return s->stop + s->brake + s->ramp + s->cruise + s->end;
}

cri_profile cri_profile_axis(double distance, double velocity, double top_speed,
                             double acceleration, double dt)
{
    stretches s = plan_axis(distance, velocity, top_speed, acceleration);
    double ramp = s.back ? -acceleration : acceleration;
    const double times[] = {s.stop, s.brake, s.ramp, s.cruise, s.end};
    const double rates[] = {acceleration, -acceleration, ramp, 0, -ramp};
    double change = 0, left = dt;
    for (int i = 0; i < 5; i++) {
        double t = times[i] < left ? times[i] : left;
        change += rates[i] * t;
        left -= t;
    }
    return (cri_profile){time_of(&s), (distance < 0 ? -1 : 1) * change / dt};
}

// Limits of an axis and what divides by them, so that a share of them costs one division.
typedef struct axis_limits {
    double top, a, per_top, per_a;
} axis_limits;

// The time of plan_axis with a share of the limits. Whoever moves away or cannot stop in time
// brakes first and goes on from rest; the others go on from their velocity.
static inline double axis_time(double distance, double velocity, double share,
                               const axis_limits *limits)
{
    double more = 1 / share, top = share * limits->top, a = share * limits->a;
    double per_top = more * limits->per_top, per_a = more * limits->per_a;
    double d = fabs(distance), v = distance < 0 ? -velocity : velocity;
    double stop = v * v / 2 * per_a, first = 0;
    if (v < 0 || stop > d) {
        first = fabs(v) * per_a;
        d = v < 0 ? d + stop : stop - d;
        v = stop = 0;
    }
    double peak2 = a * (d + stop);
    if (peak2 <= top * top && v <= top) {
        return first + (2 * sqrt(peak2) - v) * per_a;
    }
    double ramps = v > top ? v * per_a : (2 * top - v) * per_a;
    double cruise = d - (v > top ? stop : top * top * per_a - stop);
    return first + ramps + (cruise > 0 ? cruise * per_top : 0);
}

// How far the axis still has to go once it has braked with all there is: the need that shares are
// guessed from.
static inline double need_of(double distance, double velocity, const axis_limits *limits)
{
    return fabs(distance - velocity * fabs(velocity) / 2 * limits->per_a);
}

// Where the line through two points, one above and one below zero, crosses it; not too near to an
// axis' getting nothing.
static inline double crossing(double low, double at_low, double high, double at_high)
{
    double u = (low * at_high - high * at_low) / (at_high - at_low);
    const double least = 1.0 / 64, most = 0.9998779222353597; // least2 + most2 = 1
    return u < least ? least : u > most ? most : u;
}

// The share u of x; y gets sqrt(1 - u2). More for an axis makes it earlier, so the best is where
// both arrive together. False position from a guess, the end that stays given half its weight
// (Illinois), on the difference over the sum of both times: 1 where x gets nothing, -1 where y gets
// nothing.
static double share_of_x(cr_vec3 offset, cr_vec3 velocity, const axis_limits *limits)
{
    enum { TRIES = 10 };
    static const double enough = 1e-3;
    double x = need_of(offset.x, velocity.x, limits), y = need_of(offset.y, velocity.y, limits);
    double low = 0, at_low = 1, high = 1, at_high = -1;
    double guess = x > 0 || y > 0 ? x / sqrt(x * x + y * y) : 0.5;
    double u = crossing(0, guess, 1, guess - 1);
    for (int i = 0, side = 0; i < TRIES; i++) {
        double time_x = axis_time(offset.x, velocity.x, u, limits);
        double time_y = axis_time(offset.y, velocity.y, sqrt(1 - u * u), limits);
        double difference = time_x - time_y, sum = time_x + time_y;
        if (fabs(difference) <= enough * sum) {
            break;
        }
        if (difference > 0) {
            low = u, at_low = difference / sum;
            at_high = side > 0 ? at_high / 2 : at_high;
            side = 1;
        } else {
            high = u, at_high = difference / sum;
            at_low = side < 0 ? at_low / 2 : at_low;
            side = -1;
        }
        double before = u;
        u = crossing(low, at_low, high, at_high);
        if (u == before) {
            break;
        }
    }
    return u;
}

cri_drive cri_drive_to(cr_vec3 offset, cr_vec3 velocity, const cr_limits *limits, double dt)
{
    double speed = limits->speed, a = limits->acceleration;
    axis_limits axis = {speed, a, 1 / speed, 1 / a};
    double u = share_of_x(offset, velocity, &axis), w = sqrt(1 - u * u);
    cri_profile x = cri_profile_axis(offset.x, velocity.x, u * speed, u * a, dt);
    cri_profile y = cri_profile_axis(offset.y, velocity.y, w * speed, w * a, dt);
    return (cri_drive){x.time > y.time ? x.time : y.time, {x.acceleration, y.acceleration, 0}};
}
