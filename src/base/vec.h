// Vectors, quaternions and poses as small inline functions.
#ifndef CRI_VEC_H
#define CRI_VEC_H

#include <math.h>

#include "carom/base.h"

static inline cr_vec3 cri_vec3(double x, double y, double z)
{
    return (cr_vec3){x, y, z};
}

static inline cr_vec3 cri_add(cr_vec3 a, cr_vec3 b)
{
    return (cr_vec3){a.x + b.x, a.y + b.y, a.z + b.z};
}

static inline cr_vec3 cri_sub(cr_vec3 a, cr_vec3 b)
{
    return (cr_vec3){a.x - b.x, a.y - b.y, a.z - b.z};
}

static inline cr_vec3 cri_scale(double s, cr_vec3 a)
{
    return (cr_vec3){s * a.x, s * a.y, s * a.z};
}

static inline cr_vec3 cri_neg(cr_vec3 a)
{
    return (cr_vec3){-a.x, -a.y, -a.z};
}

// a + s b
static inline cr_vec3 cri_mad(cr_vec3 a, double s, cr_vec3 b)
{
    return (cr_vec3){a.x + s * b.x, a.y + s * b.y, a.z + s * b.z};
}

static inline double cri_dot(cr_vec3 a, cr_vec3 b)
{
    return a.x * b.x + a.y * b.y + a.z * b.z;
}

static inline cr_vec3 cri_cross(cr_vec3 a, cr_vec3 b)
{
    return (cr_vec3){a.y * b.z - a.z * b.y, a.z * b.x - a.x * b.z, a.x * b.y - a.y * b.x};
}

static inline double cri_length(cr_vec3 a)
{
    return sqrt(cri_dot(a, a));
}

// The unit vector along a, or fallback where a is too short to have a direction.
static inline cr_vec3 cri_unit(cr_vec3 a, cr_vec3 fallback)
{
    double length = cri_length(a);
    return length > 1e-12 ? cri_scale(1 / length, a) : fallback;
}

// Of numbers, not of NaN, which fmin and fmax have to be called for.
static inline double cri_min(double a, double b)
{
    return a < b ? a : b;
}

static inline double cri_max(double a, double b)
{
    return a > b ? a : b;
}

static inline double cri_clamp(double value, double low, double high)
{
    return value < low ? low : (value > high ? high : value);
}

static inline bool cri_finite3(cr_vec3 a)
{
    return isfinite(a.x) && isfinite(a.y) && isfinite(a.z);
}

static inline cr_quat cri_quat_mul(cr_quat a, cr_quat b)
{
    return (cr_quat){
        a.w * b.x + a.x * b.w + a.y * b.z - a.z * b.y,
        a.w * b.y - a.x * b.z + a.y * b.w + a.z * b.x,
        a.w * b.z + a.x * b.y - a.y * b.x + a.z * b.w,
        a.w * b.w - a.x * b.x - a.y * b.y - a.z * b.z,
    };
}

static inline cr_quat cri_quat_conj(cr_quat q)
{
    return (cr_quat){-q.x, -q.y, -q.z, q.w};
}

static inline cr_quat cri_quat_unit(cr_quat q)
{
    double s = 1 / sqrt(q.x * q.x + q.y * q.y + q.z * q.z + q.w * q.w);
    return (cr_quat){s * q.x, s * q.y, s * q.z, s * q.w};
}

static inline cr_vec3 cri_rotate(cr_quat q, cr_vec3 v)
{
    cr_vec3 u = {q.x, q.y, q.z};
    cr_vec3 t = cri_scale(2, cri_cross(u, v));
    return cri_add(cri_mad(v, q.w, t), cri_cross(u, t));
}

static inline cr_vec3 cri_unrotate(cr_quat q, cr_vec3 v)
{
    return cri_rotate(cri_quat_conj(q), v);
}

// The rotation after turning with the given spin for t seconds: first order, then made a unit
// again.
static inline cr_quat cri_quat_turn(cr_quat q, cr_vec3 spin, double t)
{
    cr_quat w = {spin.x * t / 2, spin.y * t / 2, spin.z * t / 2, 0};
    cr_quat d = cri_quat_mul(w, q);
    return cri_quat_unit((cr_quat){q.x + d.x, q.y + d.y, q.z + d.z, q.w + d.w});
}

static inline cr_vec3 cri_pose_point(cr_pose pose, cr_vec3 local)
{
    return cri_add(pose.position, cri_rotate(pose.rotation, local));
}

static inline cr_vec3 cri_pose_local(cr_pose pose, cr_vec3 point)
{
    return cri_unrotate(pose.rotation, cri_sub(point, pose.position));
}

// The pose of `inner`, given in the frame of `outer`, in the frame of the world.
static inline cr_pose cri_pose_mul(cr_pose outer, cr_pose inner)
{
    return (cr_pose){cri_pose_point(outer, inner.position),
                     cri_quat_mul(outer.rotation, inner.rotation)};
}

#endif
