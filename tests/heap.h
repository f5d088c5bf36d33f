// Heaps: bodies in layers above a bucket, turned any way, that fall into it.
#ifndef TESTS_HEAP_H
#define TESTS_HEAP_H

#include <math.h>

#include "world.h"

static inline double heap_uniform(uint64_t *seed)
{
    *seed = *seed * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
    return (double)(*seed >> 11) / (double)(UINT64_C(1) << 53);
}

static inline cr_quat heap_turn(uint64_t *seed)
{
    for (;;) {
        double x = 2 * heap_uniform(seed) - 1, y = 2 * heap_uniform(seed) - 1;
        double z = 2 * heap_uniform(seed) - 1, w = 2 * heap_uniform(seed) - 1;
        double norm = sqrt(x * x + y * y + z * z + w * w);
        if (norm > 0.1 && norm < 1) {
            return (cr_quat){x / norm, y / norm, z / norm, w / norm};
        }
    }
}

// Four walls of inner width `wide` on a floor.
static inline void heap_bucket(world *w, int material, double wide, double high)
{
    double t = wide / 4, out = wide / 2 + t / 2;
    world_add(w, plane_of(), material, (cr_body){0});
    for (int i = 0; i < 4; i++) {
        bool x = i < 2;
        double at = i % 2 ? out : -out;
        world_add(w, box_of(x ? t : wide + 2 * t, x ? wide + 2 * t : t, high), material,
                  (cr_body){.pose = pose_at(x ? at : 0, x ? 0 : at, high / 2)});
    }
}

// `count` boxes of that edge above a bucket, in layers of `row` by `row`. other > 0: of each so
// many one is a ball or a cylinder, and of each three one is flat.
static inline world heap_of(int count, double edge, int row, int other)
{
    world w = world_make();
    uint64_t seed = 7;
    int material = world_material(&w, 0.4, 0.4, 0.2);
    double pitch = edge * 1.9, wide = pitch * row;
    heap_bucket(&w, material, wide, count * edge * edge * edge / (wide * wide) * 4 + 10 * edge);
    for (int i = 0; i < count; i++) {
        int layer = i / (row * row), k = i % (row * row);
        cr_body body = {.kind = CR_KIND_PASSIVE, .mass = 1000 * edge * edge * edge};
        cr_shape shape = box_of(edge, edge, edge * (other && i % 3 == 0 ? 0.6 : 1));
        if (other && i % other == 1) {
            shape = i % 2 ? sphere_of(edge / 2) : cylinder_of(edge / 2, edge);
        }
        body.pose = pose_at(pitch * (k % row + 0.5) - wide / 2, pitch * (k / row + 0.5) - wide / 2,
                            pitch * (layer + 0.6));
        body.pose.rotation = heap_turn(&seed);
        world_add(&w, shape, material, body);
    }
    return w;
}

#endif
