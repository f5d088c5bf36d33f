// Measures processor time a step of each engine on small worlds. Not a test.
//     build/bench/bench_step [steps [most dice]]
#include <stdio.h>
#include <time.h>

#include "world.h"

static double seconds(void)
{
    struct timespec now;
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &now);
    return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

// A field with eight boards, a robot that drives to and fro, and a ball.
static void minigolf(world *w)
{
    int rough = world_material(w, 0.2, 0.2, 0.7);
    static cr_vec2 outline[ROBOT_POINTS];
    world_add(w, plane_of(), rough, (cr_body){0});
    for (int i = 0; i < 8; i++) {
        double angle = CRI_PI * i / 4;
        cr_pose pose = {{1.5 * cri_cos(angle), 1.5 * cri_sin(angle), 0.05},
                        cri_quat_heading(angle)};
        world_add(w, box_of(0.05, 1.3, 0.1), rough, (cr_body){.pose = pose});
    }
    world_add(w, sphere_of(0.0215), rough,
              (cr_body){.kind = CR_KIND_PASSIVE,
                        .mass = 0.046,
                        .linear_damping = 0.15,
                        .angular_damping = 0.19,
                        .pose = pose_at(0.3, 0, 0.0215),
                        .velocity = {2, 1, 0}});
    world_add(w, prism_of(robot_outline(outline), ROBOT_POINTS, 0.15), rough,
              (cr_body){.kind = CR_KIND_CONTROLLED,
                        .upright = true,
                        .mass = 2.5,
                        .pose = pose_at(-0.5, 0, 0.08)});
}

static void dice(world *w, int count)
{
    int rough = world_material(w, 0.4, 0.4, 0.3);
    world_add(w, plane_of(), rough, (cr_body){0});
    for (int i = 0; i < count; i++) {
        world_add(w, box_of(0.02, 0.02, 0.02), rough,
                  (cr_body){.kind = CR_KIND_PASSIVE,
                            .mass = 0.01,
                            .pose = pose_at(0.021 * (i % 4), 0.021 * (i / 4 % 4),
                                            0.0101 + 0.0215 * (i / 16)),
                            .spin = {i % 3 - 1.0, i % 5 - 2.0, 1}});
    }
}

static void measure(const char *name, world *w, const cr_engine_type *type, int steps)
{
    world_finish(w);
    bench b = bench_open(w, type);
    double start = seconds();
    int done = 0;
    for (; done < steps && b.alive; done++) {
        if (done % 240 == 0) {
            cr_state_start(b.model, b.state);
        }
        for (int i = 0; i < b.model->moving_count; i++) {
            if (b.model->bodies[b.model->moving[i]].kind == CR_KIND_CONTROLLED) {
                b.actions[i].force.x = done % 120 < 60 ? 5 : -5;
            }
        }
        bench_step(&b);
    }
    double took = seconds() - start;
    printf("%-10s %-6s %9.2f us a step, %d steps%s, hash %016llx\n", name, type->name,
           1e6 * took / done, done, b.alive ? "" : " (blew up)",
           (unsigned long long)cr_state_hash(b.model, b.state));
    bench_close(&b);
    world_free(w);
}

int main(int argc, char **argv)
{
    int steps = argc > 1 ? atoi(argv[1]) : 24000;
    int most = argc > 2 ? atoi(argv[2]) : 400;
    world golf = world_make();
    minigolf(&golf);
    measure("minigolf", &golf, &cri_engine_ode, steps);
    const int counts[] = {1, 8, 60, 400};
    for (int i = 0; i < 4 && counts[i] <= most; i++) {
        world heap = world_make();
        char name[16];
        snprintf(name, sizeof name, "dice %d", counts[i]);
        dice(&heap, counts[i]);
        measure(name, &heap, &cri_engine_ode, steps / (10 * counts[i]) + 60);
    }
    return 0;
}
