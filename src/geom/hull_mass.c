// What a hull weighs, and the frame in which its inertia is diagonal.
//
// A polyhedron is the sum of the tetrahedra between a point and the triangles of its faces, those
// behind the point negative. With corners a, b, c seen from that point, s = a + b + c and
// det = a . (b x c), each adds
//
//     volume det / 6,   first moments det s / 24,   second moments det (s s^T + a a^T + ...) / 120.
#include "geom/hull.h"

typedef struct moments {
    double volume;
    cr_vec3 first;
    double second[3][3];
} moments;

static void add_moments(moments *m, cr_vec3 a, cr_vec3 b, cr_vec3 c)
{
    double det = cri_dot(a, cri_cross(b, c));
    cr_vec3 s = cri_add(a, cri_add(b, c));
    const double v[4][3] = {{a.x, a.y, a.z}, {b.x, b.y, b.z}, {c.x, c.y, c.z}, {s.x, s.y, s.z}};
    m->volume += det / 6;
    m->first = cri_mad(m->first, det / 24, s);
    for (int i = 0; i < 3; i++) {
        for (int j = 0; j < 3; j++) {
            for (int k = 0; k < 4; k++) {
                m->second[i][j] += det / 120 * v[k][i] * v[k][j];
            }
        }
    }
}

// Seen from a corner, then about the centre of mass: `first` is that centre.
static moments hull_moments(const cr_hull *hull)
{
    moments m = {0};
    cr_vec3 o = hull->corners[0];
    for (int f = 0; f < hull->face_count; f++) {
        const cr_hull_face *face = &hull->faces[f];
        const int *ring = &hull->ring[face->first];
        for (int i = 1; i + 1 < face->count; i++) {
            add_moments(&m, cri_sub(hull->corners[ring[0]], o), cri_sub(hull->corners[ring[i]], o),
                        cri_sub(hull->corners[ring[i + 1]], o));
        }
    }
    cr_vec3 d = cri_scale(1 / m.volume, m.first);
    const double c[3] = {d.x, d.y, d.z};
    for (int i = 0; i < 3; i++) {
        for (int j = 0; j < 3; j++) {
            m.second[i][j] -= m.volume * c[i] * c[j];
        }
    }
    m.first = cri_add(o, d);
    return m;
}

cri_mass cri_hull_mass(const cr_hull *hull)
{
    moments m = hull_moments(hull);
    double x = m.second[0][0], y = m.second[1][1], z = m.second[2][2];
    return (cri_mass){m.volume, m.first, {y + z, x + z, x + y}};
}

// ---------------------------------------------------------------------------------------------
// Principal axes, by Jacobi's rotations.

// Turn rows p and q of a symmetric matrix so that m[p][q] is 0; axes turn along.
static void turn_pair(double m[3][3], double axes[3][3], int p, int q)
{
    double theta = (m[q][q] - m[p][p]) / (2 * m[p][q]);
    double t = (theta < 0 ? -1 : 1) / (fabs(theta) + sqrt(theta * theta + 1));
    double c = 1 / sqrt(t * t + 1), s = t * c;
    for (int k = 0; k < 3; k++) {
        double one = m[k][p], two = m[k][q];
        m[k][p] = c * one - s * two, m[k][q] = s * one + c * two;
    }
    for (int k = 0; k < 3; k++) {
        double one = m[p][k], two = m[q][k], x = axes[p][k], y = axes[q][k];
        m[p][k] = c * one - s * two, m[q][k] = s * one + c * two;
        axes[p][k] = c * x - s * y, axes[q][k] = s * x + c * y;
    }
}

// The turn whose rows are the axes, given in the old frame: from the new frame into the old one.
static cr_quat quat_of(double a[3][3])
{
    double x = a[0][0], y = a[1][1], z = a[2][2], w = x + y + z;
    cr_quat q;
    if (w >= x && w >= y && w >= z) {
        q = (cr_quat){a[1][2] - a[2][1], a[2][0] - a[0][2], a[0][1] - a[1][0], 1 + w};
    } else if (x >= y && x >= z) {
        q = (cr_quat){1 + x - y - z, a[0][1] + a[1][0], a[2][0] + a[0][2], a[1][2] - a[2][1]};
    } else if (y >= z) {
        q = (cr_quat){a[0][1] + a[1][0], 1 + y - x - z, a[1][2] + a[2][1], a[2][0] - a[0][2]};
    } else {
        q = (cr_quat){a[2][0] + a[0][2], a[1][2] + a[2][1], 1 + z - x - y, a[0][1] - a[1][0]};
    }
    return cri_quat_unit(q);
}

static cr_quat principal(double m[3][3])
{
    double axes[3][3] = {{1, 0, 0}, {0, 1, 0}, {0, 0, 1}};
    double least = 1e-9 * (m[0][0] + m[1][1] + m[2][2]);
    for (int round = 0; round < 12; round++) {
        for (int p = 0; p < 2; p++) {
            for (int q = p + 1; q < 3; q++) {
                if (fabs(m[p][q]) > least) {
                    turn_pair(m, axes, p, q);
                }
            }
        }
    }
    return quat_of(axes);
}

cr_pose cri_hull_settle(cr_hull *hull)
{
    moments m = hull_moments(hull);
    cr_pose pose = {m.first, principal(m.second)};
    for (int i = 0; i < hull->corner_count; i++) {
        hull->corners[i] = cri_pose_local(pose, hull->corners[i]);
    }
    for (int f = 0; f < hull->face_count; f++) {
        cr_hull_face *face = &hull->faces[f];
        face->normal = cri_unrotate(pose.rotation, face->normal);
        face->offset = -HUGE_VAL;
        for (int i = 0; i < hull->corner_count; i++) {
            face->offset = fmax(face->offset, cri_dot(face->normal, hull->corners[i]));
        }
    }
    return pose;
}
