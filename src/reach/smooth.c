// Smoothing by linearisation: two points of the path are picked, and what lies between them is
// replaced by the straight interpolation if that is valid. First between nodes, as far as they see
// each other; then between random points.
#include "reach/planner.h"

#include <math.h>
#include <string.h>

// Drop the nodes between from and to.
static void cut(cri_path *path, int from, int to)
{
    size_t rest = (size_t)(path->count - to) * (size_t)path->dof_count;
    memmove(cri_path_at(path, from + 1), cri_path_at(path, to), rest * sizeof(float));
    path->count -= to - from - 1;
}

// From each node to the farthest that it sees, at most `tries` looks.
static void cut_corners(cr_reach *r, int tries)
{
    cri_path *path = &r->path;
    for (int from = 0; from + 2 < path->count && tries > 0; from++) {
        for (int to = path->count - 1; to > from + 1 && tries > 0; to--, tries--) {
            if (cri_edge_clear(r, cri_path_at(path, from), cri_path_at(path, to))) {
                cut(path, from, to);
                break;
            }
        }
    }
}

static double path_length(const cri_path *path)
{
    double length = 0;
    for (int i = 0; i + 1 < path->count; i++) {
        length +=
            cri_config_distance(cri_path_at(path, i), cri_path_at(path, i + 1), path->dof_count);
    }
    return length;
}

// The point at a distance along the path, and the node before it.
static int walk(const cri_path *path, double distance, float *q)
{
    int i = 0;
    double piece = 0;
    for (; i + 1 < path->count; i++) {
        piece =
            cri_config_distance(cri_path_at(path, i), cri_path_at(path, i + 1), path->dof_count);
        if (distance <= piece || i + 2 == path->count) {
            break;
        }
        distance -= piece;
    }
    float t = (float)fmin(distance / fmax(piece, 1e-12), 1);
    const float *a = cri_path_at(path, i), *b = cri_path_at(path, i + 1);
    for (int d = 0; d < path->dof_count; d++) {
        q[d] = a[d] + t * (b[d] - a[d]);
    }
    return i;
}

// Replace what lies between p, behind node i, and q, behind node k, by the two points.
static void replace(cri_path *path, int i, int k, const float *p, const float *q)
{
    size_t node = (size_t)path->dof_count * sizeof(float);
    memmove(cri_path_at(path, i + 3), cri_path_at(path, k + 1),
            (size_t)(path->count - k - 1) * node);
    path->count += i + 2 - k;
    memcpy(cri_path_at(path, i + 1), p, node);
    memcpy(cri_path_at(path, i + 2), q, node);
}

static void linearise(cr_reach *r)
{
    float p[CR_ARM_MAX_DOFS], q[CR_ARM_MAX_DOFS];
    double length = path_length(&r->path);
    double from = cr_rng_uniform(&r->rng, 0, length), to = cr_rng_uniform(&r->rng, 0, length);
    int i = walk(&r->path, fmin(from, to), p), k = walk(&r->path, fmax(from, to), q);
    if (i < k && cri_edge_clear(r, p, q)) {
        replace(&r->path, i, k, p, q);
    }
}

void cri_path_smooth(cr_reach *r, int steps)
{
    if (steps > 0) {
        cut_corners(r, steps);
    }
    for (int i = 0; i < steps && r->path.count > 2; i++) {
        linearise(r);
    }
}
