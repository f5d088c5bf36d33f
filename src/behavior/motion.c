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

static inline double axis_time(double distance, double velocity, double share,
                               const cr_limits *limits)
{
    stretches s =
        plan_axis(distance, velocity, share * limits->speed, share * limits->acceleration);
    return time_of(&s);
}

cri_drive cri_drive_to(cr_vec3 offset, cr_vec3 velocity, const cr_limits *limits, double dt)
{
    // The share u goes to x and sqrt(1 - u2) to y. More for an axis makes it earlier, so the best
    // is where both arrive together; twelve halvings find it to 1/4096.
    enum { HALVINGS = 12 };
    double low = 0, high = 1, u = 0, w = 0;
    for (int i = 0; i < HALVINGS; i++) {
        u = (low + high) / 2, w = sqrt(1 - u * u);
        if (axis_time(offset.x, velocity.x, u, limits) >
            axis_time(offset.y, velocity.y, w, limits)) {
            low = u;
        } else {
            high = u;
        }
    }
    double speed = limits->speed, a = limits->acceleration;
    cri_profile x = cri_profile_axis(offset.x, velocity.x, u * speed, u * a, dt);
    cri_profile y = cri_profile_axis(offset.y, velocity.y, w * speed, w * a, dt);
    return (cri_drive){x.time > y.time ? x.time : y.time, {x.acceleration, y.acceleration, 0}};
}
