// Every formula of engine/contact_kernel.h, asked in words: see contact_answers.h. RATE(share,
// time) makes a real_rate.
#include "contact_answers.h"
#include "engine/contact_kernel.h"

static inline void tell(answers *a, real value)
{
    a->of[a->count++] = (double)value;
}

static inline void tell_mask(answers *a, real_mask mask)
{
    tell(a, real_pick(mask, REAL(1), REAL(0)));
}

static inline void tell3(answers *a, real3 v)
{
    tell(a, v.x);
    tell(a, v.y);
    tell(a, v.z);
}

static inline void ask_gaps(const question *q, answers *a)
{
    real gap = REAL(q->of[0] * 2e-3), near = REAL(q->of[0] * 4e-5), speed = REAL(q->of[1] * 0.1);
    real t = REAL(0.004), zero = REAL(0);
    tell(a, margin_of(REAL(20 + 20 * q->of[1]), t));
    tell_mask(a, is_there(near));
    tell_mask(a, shuts(near, speed, t));
    tell_mask(a, matters(gap, speed, t));
    tell_mask(a, is_touching(zero, gap));
    tell_mask(a, is_touching(REAL(q->of[2]), REAL(1)));
    tell(a, gap_target(gap, RATE(1, 0.003), REAL(SLOP), RATE(OVERLAP_SHARE, 0.004),
                       REAL(PUSH_OUT_MAX)));
    tell(a, gap_target(gap * NUMBER(10), RATE(1, 0.003), zero, RATE(UNDO_SHARE, 0.004),
                       REAL(UNDO_MAX)));
    tell_mask(a, bounces(near, speed, shuts(near, zero, t)));
    tell(a, rebound(speed, REAL(q->of[2]), REAL(0.6)));
    tell(a, impact_time(gap, REAL(1.5 + q->of[1])));
    tell(a, hit_time(gap, speed, t));
}

static inline void ask_impulses(const question *q, answers *a)
{
    real3 slip = real3_of(REAL(q->of[3] * 0.015), REAL(q->of[4] * 0.015), REAL(0));
    real3 spin = real3_of(REAL(q->of[3]), REAL(q->of[4]), REAL(q->of[5]));
    real3 up = real3_of(REAL(0.6), REAL(0), REAL(0.8)), v = spin;
    real turn = REAL(q->of[6]), load = REAL(0.5 + 0.5 * q->of[7]);
    tell(a, normal_impulse(REAL(q->of[6]), REAL(q->of[7]), REAL(0.5)));
    tell(a, holding(slip, REAL(0.8), REAL(0.5)));
    tell(a, share_of(load, REAL(1 + q->of[8])));
    tell(a, cone_share(load, REAL(q->of[3]), REAL(q->of[4])));
    tell3(a, brake(spin, load));
    tell3(a, resistance(spin, up, load * NUMBER(0.5), load));
    tell(a, rolling_lever(load, turn));
    brake_foot(&v, &turn, turn * turn * NUMBER(0.3), load);
    tell3(a, v);
    tell(a, turn);
}

static inline void ask_motion(const question *q, answers *a)
{
    real at[4] = {REAL(0.5), REAL(0.5), REAL(-0.5), REAL(0.5)};
    real m[3] = {REAL(q->of[9]), REAL(q->of[10]), REAL(q->of[11])};
    const real_rate rates[3] = {RATE(1, 1), RATE(1, 2), RATE(1, 3)};
    tell(a, loss_of(REAL(0.05 + 0.05 * q->of[9])));
    tell(a, standing_share(REAL(0.04 + 0.04 * q->of[10])));
    turn_part(rates, REAL(0.7), at, m);
    for (int k = 0; k < 4; k++) {
        tell(a, at[k]);
    }
    for (int k = 0; k < 3; k++) {
        tell(a, m[k]);
    }
}

static inline answers ask_all(const question *q)
{
    answers a = {.count = 0};
    ask_gaps(q, &a);
    ask_impulses(q, &a);
    ask_motion(q, &a);
    return a;
}
