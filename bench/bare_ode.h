// ODE as its manual shows it: spaces, dCollide, contact joints, one world, nothing of ours around
// it. The yardstick of the benchmarks.
#ifndef BENCH_BARE_ODE_H
#define BENCH_BARE_ODE_H

#include "scene/model.h"

typedef struct bare_ode bare_ode;

// The bodies of a model in an ODE world. Upright bodies have a huge inertia about x and y and no
// gravity; prisms are cylinders, which ODE collides faster than convex hulls. quick: solve by
// dWorldQuickStep, else dWorldStep.
bare_ode *bare_create(const cr_model *model, bool quick);
void bare_destroy(bare_ode *bare);

// Put the bodies where a state has them.
void bare_set(bare_ode *bare, const cr_body_state *states);

// A step in the model's substeps; forces by slot.
void bare_step(bare_ode *bare, const cr_vec3 *forces);

// Where a body is.
cr_vec3 bare_place(const bare_ode *bare, int slot);

#endif
