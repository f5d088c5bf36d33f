// Spheres swept against moving shapes.
//
// Against a shape that does not turn, the distance of the sphere is a convex function of time, so
// Newton's method from the left never passes the first impact and converges in a few rounds. A
// turning shape takes conservative advancement: no point of it comes nearer than the relative speed
// plus its rim speed allow.
#include "geom/geom.h"

// Each round goes a little past its estimate, so that the search ends inside of the gap: a second
// sweep from there finds no new impact.
static const double OVERSHOOT = 5e-8; // s
// Newton needs about 6 rounds, a bar that turns by a degree about 20. An early end is safe: the
// impact is then found by the next sweep.
enum { ROUNDS_MAX = 64 };

static cr_pose pose_after(cri_motion of, cr_pose part, double t)
{
    cr_pose pose = {cri_mad(of.pose.position, t, of.velocity), of.pose.rotation};
    if (of.spin.x != 0 || of.spin.y != 0 || of.spin.z != 0) {
        pose.rotation = cri_quat_turn(pose.rotation, of.spin, t);
    }
    return cri_pose_mul(pose, part);
}

double cri_sweep_sphere(cr_vec3 center, double radius, cr_vec3 velocity, const cr_shape *shape,
                        cr_pose part, cri_motion of, double gap, double duration)
{
    double turning = cri_length(of.spin);
    cr_vec3 relative = cri_sub(velocity, of.velocity);
    double rim = turning > 0 ? turning * cri_shape_radius(shape, part) : 0;
    double t = 0;
    for (int round = 0; round < ROUNDS_MAX; round++) {
        cri_nearest near =
            cri_shape_nearest(shape, pose_after(of, part, t), cri_mad(center, t, velocity));
        double room = near.distance - radius - gap;
        if (room <= 0) {
            return round == 0 ? duration : t;
        }
        double closing = turning > 0 ? cri_length(relative) + rim : -cri_dot(near.normal, relative);
        if (closing <= 0 || room > closing * (duration - t)) {
            return duration;
        }
        t += room / closing + OVERSHOOT;
        if (t >= duration) {
            return duration;
        }
    }
    return t;
}
