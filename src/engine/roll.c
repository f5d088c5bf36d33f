// Rolling and spinning resistance of balls: what a soft cloth does to a ball that rolls or spins on
// the spot.
//
// Both are torques at a contact point, limited by the load like friction: `rolling` against spin
// across the normal, `spinning` against spin about it. They are applied after the solve, to the
// spins at the end of the piece; the solve of the next piece lets friction pass the loss on to the
// ball's speed. A ball that rolls on a level floor slows by rolling * g: it takes the torque
//
//     rolling * load * radius * (1 + inertia / (mass * radius2))
//
// because friction has to slow its mass as well as its spin. A ball that spins on the spot takes
// spinning * load * radius.
#include "engine/world.h"

#include "engine/contact_kernel.h"

static void resist(const cri_point *p, cri_rigid *ball, const cri_rigid *other)
{
    double radius = ball->body->radius, inertia = ball->numbers.inertia.x;
    double lever = rolling_lever(radius, inertia / (ball->numbers.mass * radius * radius));
    cr_vec3 spin = cri_sub(ball->next_spin, other->next_spin);
    double roll = p->meeting->rolling * p->impulse * lever / inertia;
    double twist = p->meeting->spinning * p->impulse * radius / inertia;
    ball->next_spin = cri_add(ball->next_spin, resistance(spin, p->normal, roll, twist));
}

void cri_resist_rolling(cri_world *w)
{
    for (int i = 0; i < w->point_count; i++) {
        const cri_point *p = &w->points[i];
        if (p->impulse <= 0 || (p->meeting->rolling <= 0 && p->meeting->spinning <= 0)) {
            continue;
        }
        cri_rigid *a = &w->rigids[p->a], *b = &w->rigids[p->b];
        if (a->ball && a->pushed) {
            resist(p, a, b);
        }
        if (b->ball && b->pushed) {
            resist(p, b, a);
        }
    }
}
