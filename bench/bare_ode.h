// ODE as its manual shows it: spaces, dCollide, contact joints, one world. Nothing of ours is in
// it, neither collision nor prediction nor movement: the yardstick of the benchmarks, and the
// referee of the engines.
//
//   all parts     a geom each, at its place in the body
//   prisms        convex hulls
//   planes        of any normal
//   driven        kinematic bodies, whose velocity is the action's
//   upright       a huge inertia about x and y, no gravity, no planes, z held by hand
//   friction      along the slip (dContactFDir1), bounded by what each point carries; with `cones`
//                 also where the slip begins in the substep, as in an impact on a body at rest
//   damping       v exp(-c h), by hand: ODE's own has thresholds
//
//   joints        ODE's own, with its stops, motors and correction of errors; ropes that are too
//                 long are contacts. Whole turns are not counted
//
// What ODE has no word for, it does not do: a static friction above the sliding one, the floor
// friction of what is upright, which has no load and no floor here, the friction of ball joints,
// what breaks by a torque.
#ifndef BENCH_BARE_ODE_H
#define BENCH_BARE_ODE_H

#include "scene/model.h"

typedef enum bare_solver {
    BARE_QUICK, // dWorldQuickStep, 20 iterations
    BARE_STEP,  // dWorldStep
} bare_solver;

typedef enum bare_space {
    BARE_SIMPLE, // all pairs
    BARE_HASH,
} bare_space;

enum { BARE_CONTACTS = 4, BARE_CONTACTS_MAX = 16 };

typedef struct bare_def {
    bare_solver solver;
    bare_space space;
    int contacts;   // of two geoms, at most; 1 .. BARE_CONTACTS_MAX. default BARE_CONTACTS
    bool cones;     // friction beyond Coulomb's cone is solved again along the slip. default false
    int iterations; // of QuickStep. default 0: 20
} bare_def;

typedef struct bare_ode bare_ode;

// QuickStep in a simple space.
bare_def bare_default_def(void);

// The bodies of a model in an ODE world of their own; nothing falls asleep.
bare_ode *bare_create(const cr_model *model, const bare_def *def);
void bare_destroy(bare_ode *bare);

// Put the bodies where a state has them, and read them back.
void bare_set(bare_ode *bare, const cr_body_state *states);
void bare_get(const bare_ode *bare, cr_body_state *states);

// A step in the model's substeps; actions by slot.
void bare_step(bare_ode *bare, const cr_action *actions);

// The same as engines that roll-outs can run: each step is pure, with contacts and touched bits.
// They are in no library; a model with more substeps gives a finer referee.
//
//   cones   QuickStep, 100 iterations, friction in Coulomb's cone, up to eight points of two geoms,
//           also those that dCollide does not see (bare_geoms.h): what engines are held to
//   quick   QuickStep, 20 iterations: its friction is a pyramid about axes that an impact on a body
//           at rest finds laid at random, up to 1.4 times Coulomb's
//   step    dWorldStep: bounds friction by the load that there is without friction, and its
//           pivoting stops at ties
extern const cr_engine_type bare_engine_cones; // "referee"
extern const cr_engine_type bare_engine_quick; // "referee, QuickStep"
extern const cr_engine_type bare_engine_step;  // "referee, Step"

#endif
