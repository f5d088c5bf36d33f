// Spheres swept against moving shapes: continuous collision detection by conservative advancement.
//
// Seen from the shape, the sphere's center moves along a curve p(t) and the shape is at rest. The
// distance d to a convex shape is a convex function of place, so
//
//     d(p(t + s)) >= d + n p' s - A s^2 / 2,    n the normal at the nearest point, A >= |p''|,
//
// and the first root of the right side is a step that cannot pass the impact. For a shape that does
// not turn A is 0 and this is Newton's method; a turning one has the Coriolis and centrifugal
// terms.
#include "geom/geom.h"

// Each pass goes a little past its estimate, so that the search ends inside of the gap: a second
// sweep from there finds no new impact.
static const double OVERSHOOT = 5e-8; // s
// A head-on impact takes 2 passes, a grazing one 5 to 10. An early end is safe: the impact is then
// found by the next sweep.
enum { PASSES_MAX = 32 };

static cr_pose pose_after(cri_motion of, cr_pose part, double t)
{
    cr_pose pose = {cri_mad(of.pose.position, t, of.velocity), of.pose.rotation};
    if (of.spin.x != 0 || of.spin.y != 0 || of.spin.z != 0) {
        pose.rotation = cri_quat_turn(pose.rotation, of.spin, t);
    }
    return cri_pose_mul(pose, part);
}

// A bound of |p''| for the rest of the sweep. cri_quat_turn slows down a little as it goes, which
// is the last term.
static double bend(double turning, double speed, double lever, double left, double duration)
{
    lever += speed * left;
    return 2 * turning * (speed + turning * lever) + turning * turning * lever +
           turning * turning * turning * duration / 2 * lever;
}

double cri_sweep_sphere(cr_vec3 center, double radius, cr_vec3 velocity, const cr_shape *shape,
                        cr_pose part, cri_motion of, double gap, double duration)
{
    double turning = cri_length(of.spin);
    cr_vec3 relative = cri_sub(velocity, of.velocity);
    double speed = cri_length(relative), t = 0;
    for (int pass = 0; pass < PASSES_MAX && t < duration; pass++) {
        cr_vec3 at = cri_mad(center, t, velocity);
        cri_nearest near = cri_shape_nearest(shape, pose_after(of, part, t), at);
        double room = near.distance - radius - gap;
        if (room <= 0) {
            return pass == 0 ? duration : t;
        }
        cr_vec3 lever = cri_sub(at, cri_mad(of.pose.position, t, of.velocity));
        double slowed = 1 / (1 + turning * turning * t * t / 4); // of cri_quat_turn
        cr_vec3 seen = cri_mad(relative, -slowed, cri_cross(of.spin, lever));
        double closing = -cri_dot(near.normal, seen);
        double most =
            turning > 0 ? bend(turning, speed, cri_length(lever), duration - t, duration) : 0;
        double down = closing + sqrt(closing * closing + 2 * most * room);
        if (down <= 0) {
            return duration;
        }
        t += 2 * room / down + OVERSHOOT;
    }
    return t < duration ? t : duration;
}
