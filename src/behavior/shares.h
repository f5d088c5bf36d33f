// Driving in the plane (motion.h), one body or several at once: how the axes share the limits, and
// the acceleration to apply now.
//
// x and y get shares of the limits, whose squares add up to one. More for an axis makes it earlier,
// so the best is where both arrive together. In need_of and guess_time, distances and velocities
// are divided by the acceleration, and top is the time to reach the top speed.
#ifndef CRI_SHARES_H
#define CRI_SHARES_H

#include "base/doubles.h"

typedef struct cri_doubles_limits {
    cri_doubles speed, acceleration;
} cri_doubles_limits;

// How far to go in the plane, and the velocity now.
typedef struct cri_doubles_plane {
    cri_doubles x, y, vx, vy;
} cri_doubles_plane;

typedef struct cri_doubles_pair {
    cri_doubles x, y;
} cri_doubles_pair;

// One axis, as cri_axis_acceleration says.
static inline cri_doubles cri_doubles_axis(cri_doubles distance, cri_doubles velocity,
                                           cri_doubles_limits limits, double dt)
{
    cri_doubles a = limits.acceleration, lead = 2.0 * distance - velocity * dt, half = a * dt / 2.0;
    cri_doubles speed = cri_doubles_sqrt(half * half + a * cri_doubles_abs(lead)) - half;
    speed = cri_doubles_pick(cri_doubles_less(speed, limits.speed), speed, limits.speed);
    cri_which back = cri_doubles_less(lead, cri_doubles_all(0));
    cri_doubles change = cri_doubles_pick(back, -speed, speed) - velocity;
    return cri_doubles_clamp(change / dt, -a, a);
}

// The share of the limits that an axis needs to arrive in time, and its change with the time.
typedef struct need {
    cri_doubles share, slope;
} need;

// It speeds up to a peak and brakes: share * time = 2 peak - v, peak2 = share * distance + v2 / 2.
// Or it brakes, goes too far and comes back: the same the other way round. If its peak is above its
// share of the top speed, it cruises: time = top + (distance / top - v) / share + v2 / (2 top
// share2).
static inline need need_of(cri_doubles distance, cri_doubles velocity, cri_doubles top,
                           cri_doubles time, cri_doubles per_time)
{
    cri_doubles zero = cri_doubles_all(0), lead = 2.0 * distance - velocity * time;
    cri_which back = cri_doubles_less(lead, zero);
    cri_doubles v = cri_doubles_pick(back, -velocity, velocity), run = v * time, room = time - top;
    cri_doubles ahead = cri_doubles_abs(lead), root = cri_doubles_sqrt(lead * lead + run * run);
    cri_doubles share = (ahead + root) * per_time * per_time;
    cri_doubles turn = cri_doubles_pick(cri_doubles_less(zero, root), (run - ahead) / root, zero);
    need n = {share, (v * (turn - 1.0) * per_time - 2.0 * share) * per_time};
    cri_which cruises =
        cri_doubles_less(zero, share * (room - top) + v) & cri_doubles_less(zero, room);
    if (cri_which_any(cruises)) {
        cri_doubles way = cri_doubles_pick(back, -distance, distance);
        cri_doubles curve = v * v / (2.0 * top), line = way / top - v;
        cri_doubles cruise = cri_doubles_sqrt(line * line + 4.0 * curve * room);
        cri_doubles bend = cri_doubles_pick(cri_doubles_less(zero, cruise), curve / cruise, zero);
        share = (line + cruise) / (2.0 * room);
        n.share = cri_doubles_pick(cruises, share, n.share);
        n.slope = cri_doubles_pick(cruises, (bend - share) / room, n.slope);
    }
    return n;
}

// The time straight along the offset with all of the limits; what moves across it has to be stopped
// besides.
static inline cri_doubles guess_time(const cri_doubles_plane *to, cri_doubles top)
{
    cri_doubles zero = cri_doubles_all(0);
    cri_doubles distance = cri_doubles_sqrt(to->x * to->x + to->y * to->y);
    cri_doubles way = cri_doubles_pick(cri_doubles_less(zero, distance), 1.0 / distance, zero);
    cri_doubles along = (to->x * to->vx + to->y * to->vy) * way;
    cri_doubles across = (to->x * to->vy - to->y * to->vx) * way;
    cri_doubles stop = along * along / 2.0;
    cri_which back = cri_doubles_less(zero, along) & cri_doubles_less(distance, stop);
    cri_doubles peak = cri_doubles_sqrt(cri_doubles_pick(back, stop - distance, stop + distance));
    cri_doubles time = 2.0 * peak + cri_doubles_pick(back, along, -along), above = peak - top;
    cri_doubles longer = time + above * above / top;
    time = cri_doubles_pick(cri_doubles_less(zero, above), longer, time);
    return cri_doubles_sqrt(time * time + 3.0 * across * across);
}

// Needs go with the inverse square of the time where no velocity is in the way, so Newton's step is
// on the root of their length, with root 4 of s ~ (3 + 5 s) / (5 + 3 s).
static inline cri_doubles better_time(cri_doubles time, need x, need y, cri_doubles size)
{
    cri_doubles zero = cri_doubles_all(0);
    cri_doubles slope = 2.0 * (x.share * x.slope + y.share * y.slope);
    cri_doubles step = 8.0 * size * (1.0 - size) / ((5.0 + 3.0 * size) * slope);
    step = cri_doubles_pick(cri_doubles_less(slope, zero), step, zero);
    return time + cri_doubles_clamp(step, -time / 2.0, time);
}

// The shares that fill the limits at once. Neither is too near to nothing.
static inline cri_doubles_pair cri_doubles_shares(const cri_doubles_plane *to,
                                                  cri_doubles_limits limits)
{
    enum { STEPS_MAX = 4 }; // of Newton
    const double near = 0.02;
    const cri_doubles least = cri_doubles_all(1.0 / 64);
    const cri_doubles most = cri_doubles_all(0.9998779222353597); // least2 + most2 = 1
    cri_doubles per_a = 1.0 / limits.acceleration, top = limits.speed * per_a;
    cri_doubles_plane d = {to->x * per_a, to->y * per_a, to->vx * per_a, to->vy * per_a};
    cri_doubles time = guess_time(&d, top), size = time;
    cri_which away = cri_doubles_less(cri_doubles_all(1e-9), time), going = away;
    need x = {least, least}, y = x;
    for (int i = 0; cri_which_any(going); i++) {
        cri_doubles per_time = 1.0 / time;
        x = need_of(d.x, d.vx, top, time, per_time);
        y = need_of(d.y, d.vy, top, time, per_time);
        size = x.share * x.share + y.share * y.share;
        going &= ~cri_doubles_less(cri_doubles_abs(size - 1.0), cri_doubles_all(near));
        if (i == STEPS_MAX || !cri_which_any(going)) {
            break;
        }
        time = cri_doubles_pick(going, better_time(time, x, y, size), time);
    }
    cri_doubles per_size = 1.0 / cri_doubles_sqrt(size);
    cri_doubles_pair s = {cri_doubles_clamp(x.share * per_size, least, most),
                          cri_doubles_clamp(y.share * per_size, least, most)};
    // What is there has any shares.
    return (cri_doubles_pair){cri_doubles_pick(away, s.x, cri_doubles_all(0.6)),
                              cri_doubles_pick(away, s.y, cri_doubles_all(0.8))};
}

// The acceleration to apply now.
static inline cri_doubles_pair cri_doubles_drive(const cri_doubles_plane *to,
                                                 cri_doubles_limits limits, double dt)
{
    cri_doubles_pair s = cri_doubles_shares(to, limits);
    cri_doubles_limits x = {s.x * limits.speed, s.x * limits.acceleration};
    cri_doubles_limits y = {s.y * limits.speed, s.y * limits.acceleration};
    return (cri_doubles_pair){cri_doubles_axis(to->x, to->vx, x, dt),
                              cri_doubles_axis(to->y, to->vy, y, dt)};
}

#endif
