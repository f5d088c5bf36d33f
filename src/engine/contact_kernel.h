// The contact method: what is asked of a point, and what an impulse may be. Each formula stands
// here once, in words that base/real.h gives two widths to; contact.h has the numbers, and
// docs/engines.md says what the field calls them.
//
// Who calls it (structure: lists of points and bodies, orders, what is solved together) is another
// matter, and differs:
//
//     one world in double   rows of points, pass by pass            meet.c, impulses.c, world.c
//     worlds in lanes       balls and uprights, in closed forms     lanes/solve.h
//                           patches of free bodies, six rows each   lanes/visit.h
//     a large world         patches of four points at most          large/prepare.h, solve.h
//
// A share in a time, or a quotient by what many divide by (a time, an inertia), is a real_rate:
// lanes have the quotient at hand and multiply by it, double divides last.
#ifndef CRI_CONTACT_KERNEL_H
#define CRI_CONTACT_KERNEL_H

#include "engine/contact.h"

// ---------------------------------------------------------------------------------------------
// Finding points.

// Within what distance points are looked for, of two that close in at this pace at most.
INLINE real margin_of(real pace, real t)
{
    return real_min(pace * t + MARGIN, REAL(MARGIN_MAX));
}

// It has arrived where a sweep ends.
INLINE real_mask is_there(real gap)
{
    return real_less(gap, REAL(THERE));
}

// A gap that changes at this speed is used up within t.
INLINE real_mask shuts(real gap, real speed, real t)
{
    return real_less(gap + speed * t, REAL(0));
}

// Points beyond MARGIN count only if they will close in this piece.
INLINE real_mask matters(real gap, real speed, real t)
{
    return ~real_less(REAL(MARGIN), gap) | shuts(gap, speed, t);
}

// Two bodies touch if an impulse passes between them, or if they are that near.
INLINE real_mask is_touching(real impulse, real gap)
{
    return real_less(REAL(0), impulse) | ~real_less(REAL(TOUCH_GAP), gap);
}

// ---------------------------------------------------------------------------------------------
// Along the normal.

// The least speed of separation, by the gap alone. A gap may close and no more (a speculative
// contact), an overlap beyond the slop goes at a rate (Baumgarte stabilisation), up to a speed:
//
//     gap >= 0    close (-gap),          close = 1 / t
//     gap <  0    undo (-gap - slop),    undo = share / substep,    between 0 and `most`
//
// Without a relaxation that is SLOP, OVERLAP_SHARE and PUSH_OUT_MAX, with one no slop and UNDO_MAX;
// see contact.h.
INLINE real gap_target(real gap, real_rate close, real slop, real_rate undo, real most)
{
    real apart = real_max(real_min(real_at(-gap - slop, undo), most), REAL(0));
    return real_pick(real_less(gap, REAL(0)), apart, real_at(-gap, close));
}

// A point bounces that closes fast enough (the restitution threshold), if it is there or `springs`:
// it has a restitution, and its gap shuts in this piece. Without one a wide gap closes better by
// anticipation: the bodies end up side by side.
INLINE real_mask bounces(real gap, real closing, real_mask springs)
{
    return (is_there(gap) | springs) & real_less(closing, REAL(-BOUNCE_MIN));
}

// The speed that a bounce leaves at the end of the piece: the impact comes at the speed `hits`
// (negative), and forces change the speed by `gains` after it. Where a piece ends at an impact that
// is all of what they do; where it does not, their share of the time.
INLINE real rebound(real hits, real gains, real restitution)
{
    return gains - hits * restitution;
}

// When a point with a wide gap comes to where sweeps end, closing (> 0) at this speed: the piece is
// cut there. (Points of free bodies cut none: see hit_time.)
INLINE real impact_time(real gap, real closing)
{
    return (gap - IMPACT_GAP) / closing;
}

// When a gap is shut in a piece of t that is not cut, changing at this speed: at its end at the
// latest.
INLINE real hit_time(real gap, real speed, real t)
{
    real slow = real_min(speed, REAL(-CLOSING_MIN));
    return real_min(real_max(gap, REAL(0)) / -slow, t);
}

// The impulse of a point that misses its target by so much, and gives way to a unit of speed by
// `yield` (the effective mass): it never pulls (projected Gauss-Seidel).
INLINE real normal_impulse(real impulse, real miss, real yield)
{
    return real_max(impulse + miss * yield, REAL(0));
}

// ---------------------------------------------------------------------------------------------
// Friction.

// The coefficient that holds at this slip across the normal.
INLINE real holding(real3 slip, real at_rest, real sliding)
{
    real_mask sticks = real_less(real3_dot(slip, slip), REAL(STICK_SPEED * STICK_SPEED));
    return real_pick(sticks, at_rest, sliding);
}

// The share that is kept of a push of this length if there may be so much of it.
INLINE real share_of(real most, real length)
{
    return real_min(most / real_max(length, REAL(TINY)), REAL(1));
}

// The same for friction in two directions, over their coefficients: Coulomb's cone over an ellipse.
// (In double pushes are measured in loads, and `load` is 1: a coefficient may be 0. Lanes have
// inverses of coefficients, of which none is 0.)
INLINE real cone_share(real load, real x, real y)
{
    return share_of(load, real_sqrt(x * x + y * y));
}

// The change of a spin that is braked by `most` at most; it only brakes.
INLINE real3 brake(real3 spin, real most)
{
    real one = REAL(1), rate = real3_length(spin);
    real_mask stops = ~real_less(most, rate);
    real share = real_pick(stops, one, most / real_pick(stops, one, rate));
    return real3_scale(-share, spin);
}

// The lever of rolling resistance: friction has to slow a ball's mass as well as its spin.
// `inertia` is that over mass and the square of the radius.
INLINE real rolling_lever(real radius, real inertia)
{
    return radius * (NUMBER(1) + inertia);
}

// Rolling resistance takes up to `roll` from a ball's spin across the normal, spinning resistance
// up to `twist` from that about it. See roll.c for how much these are.
INLINE real3 resistance(real3 spin, real3 normal, real roll, real twist)
{
    real3 about = real3_scale(real3_dot(spin, normal), normal);
    return real3_add(brake(real3_sub(spin, about), roll), brake(about, twist));
}

// Friction of an upright on the floor that it stands on, of which `most` is friction times gravity
// times the time. Where it slides and spins at once, no point of its foot slips like another; for
// all of them together stands one slip (the ellipsoid for the limit surface of a foot, Howe and
// Cutkosky 1996),
//
//     s = sqrt(v^2 + (r w)^2),   force = mu m g v / s,   torque = mu m g r^2 w / s,
//
// where r is how far the points of the foot are from its middle, on the average. Of a disc that is
// 2/3 R, and its inertia m R^2 / 2: r^2 = 8/9 I / m. (For a square it is 1% less than that.)
// `turn2` is (r w)^2.
INLINE void brake_foot(real3 *v, real *spin, real turn2, real most)
{
    real slip = real_sqrt(v->x * v->x + v->y * v->y + turn2), one = REAL(1);
    real share = most / real_max(slip, REAL(TINY));
    real turn_share = real_min(share * FLOOR_SHARE, one);
    share = real_min(share, one);
    v->x = v->x - share * v->x;
    v->y = v->y - share * v->y;
    *spin = *spin - turn_share * *spin;
}

// ---------------------------------------------------------------------------------------------
// Motion.

// What damping takes of a speed: 1 - exp(-x), for 0 <= x <= 0.1. Lanes only: more than that goes to
// double, which has an exponential.
INLINE real loss_of(real x)
{
    return x * (NUMBER(1) -
                x * (NUMBER(0.5) -
                     x * (NUMBER(1.0 / 6) - x * (NUMBER(1.0 / 24) - x * NUMBER(1.0 / 120)))));
}

// The share of its velocity that what is below keeps in the sweep: see lanes/patch.h.
INLINE real standing_share(real speed2)
{
    return speed2 / (speed2 + SLOW * SLOW);
}

// One turn about one of a body's own axes: its momentum m, in its own frame, turns the other way.
INLINE void turn_about(int k, real angle, real q[4], real m[3])
{
    int i = (k + 1) % 3, j = (k + 2) % 3;
    real sin, cos;
    real_sin_cos(angle * NUMBER(0.5), &sin, &cos);
    // The product of two quaternions, of which the second has but two numbers.
    real along = q[3] * sin + q[k] * cos, w = q[3] * cos - q[k] * sin;
    real first = q[i] * cos + q[j] * sin;
    q[j] = q[j] * cos - q[i] * sin;
    q[i] = first, q[k] = along, q[3] = w;
    real c = cos * cos - sin * sin, s = NUMBER(2) * cos * sin, one = m[i], two = m[j];
    m[i] = c * one + s * two;
    m[j] = c * two - s * one;
}

// A body that tumbles keeps its angular momentum, not its spin. Turns about its own axes, each of
// them exact, there and back (symmetric splitting; see lanes/free.h), gain no energy. A rate is 1
// over an inertia.
INLINE void turn_part(const real_rate rates[3], real t, real q[4], real m[3])
{
    real half = t * NUMBER(0.5);
    turn_about(0, real_at(m[0], rates[0]) * half, q, m);
    turn_about(1, real_at(m[1], rates[1]) * half, q, m);
    turn_about(2, real_at(m[2], rates[2]) * t, q, m);
    turn_about(1, real_at(m[1], rates[1]) * half, q, m);
    turn_about(0, real_at(m[0], rates[0]) * half, q, m);
}

#endif
