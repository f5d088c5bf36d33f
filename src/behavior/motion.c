#include "behavior/motion.h"

// A profile is at most four stretches of constant acceleration.
typedef struct stretch {
    double acceleration, time;
} stretch;

// Fastest way to rest at distance >= 0 with 0 <= velocity; returns the number of stretches.
static int plan_ahead(double distance, double velocity, double top, double a, stretch *out)
{
    int n = 0;
    double stop = velocity * velocity / (2 * a);
    if (stop > distance) { // too fast: brake, then come back
        out[n++] = (stretch){-a, velocity / a};
        double peak = sqrt(a * (stop - distance));
        peak = peak < top ? peak : top;
        double cruise = (stop - distance) / peak - peak / a;
        out[n++] = (stretch){-a, peak / a};
        out[n++] = (stretch){0, cruise > 0 ? cruise : 0};
        out[n++] = (stretch){a, peak / a};
        return n;
    }
    double peak = sqrt(a * distance + velocity * velocity / 2);
    double brake = velocity > top ? (velocity - top) / a : 0;
    if (brake > 0) {
        distance -= (velocity * velocity - top * top) / (2 * a);
        velocity = peak = top;
        out[n++] = (stretch){-a, brake};
    }
    peak = peak < top ? peak : top;
    double ramps = (2 * peak * peak - velocity * velocity) / (2 * a);
    out[n++] = (stretch){a, (peak - velocity) / a};
    out[n++] = (stretch){0, peak > 0 && distance > ramps ? (distance - ramps) / peak : 0};
    out[n++] = (stretch){-a, peak / a};
    return n;
}

cri_profile cri_profile_axis(double distance, double velocity, double top_speed,
                             double acceleration, double dt)
{
    double sign = distance < 0 ? -1 : 1;
    double d = distance * sign, v = velocity * sign;
    stretch stretches[5];
    int n = 0;
    if (v < 0) { // moving away: stop first
        stretches[n++] = (stretch){acceleration, -v / acceleration};
        d += v * v / (2 * acceleration);
        v = 0;
    }
    n += plan_ahead(d, v, top_speed, acceleration, stretches + n);
    double time = 0, change = 0, left = dt;
    for (int i = 0; i < n; i++) {
        double t = stretches[i].time < left ? stretches[i].time : left;
        change += stretches[i].acceleration * t;
        left -= t;
        time += stretches[i].time;
    }
    return (cri_profile){time, sign * change / dt};
}

cri_drive cri_drive_to(cr_vec3 offset, cr_vec3 velocity, const cr_limits *limits, double dt)
{
    // The share u goes to x and sqrt(1 - u2) to y. More for an axis makes it earlier, so the best
    // is where both arrive together; twelve halvings find it to 1/4096.
    enum { HALVINGS = 12 };
    double low = 0, high = 1;
    cri_profile x = {0}, y = {0};
    for (int i = 0; i < HALVINGS; i++) {
        double u = (low + high) / 2, w = sqrt(1 - u * u);
        x = cri_profile_axis(offset.x, velocity.x, u * limits->speed, u * limits->acceleration, dt);
        y = cri_profile_axis(offset.y, velocity.y, w * limits->speed, w * limits->acceleration, dt);
        if (x.time > y.time) {
            low = u;
        } else {
            high = u;
        }
    }
    return (cri_drive){x.time > y.time ? x.time : y.time, {x.acceleration, y.acceleration, 0}};
}

double cri_drive_bound(cr_vec3 offset, cr_vec3 velocity, const cr_limits *limits)
{
    double distance = sqrt(offset.x * offset.x + offset.y * offset.y);
    double speed = sqrt(velocity.x * velocity.x + velocity.y * velocity.y);
    return distance / (speed > limits->speed ? speed : limits->speed);
}
