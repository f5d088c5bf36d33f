// Joints of one world, in double: what world.c and the engines call. The method is drawn in
// joints/kernel.h.
#ifndef CRI_JOINTS_H
#define CRI_JOINTS_H

#include "engine/world.h"

// Make the world's joints ready; world->joints stays NULL where the model has none. False when
// memory runs out.
bool cri_joints_init(cri_world *world);

// When a step begins, with the bodies loaded; and when it ends.
void cri_joints_load(cri_world *world, const cr_state *from);
void cri_joints_store(const cri_world *world, cr_state *to);

// How long a piece may be, of what is left of the substep: nothing that a joint holds turns far in
// it.
double cri_joints_pace(const cri_world *world, double left, int cuts);

// Before a solve, for a piece of t seconds.
void cri_joints_prepare(cri_world *world, double t);

// Then: what swings freely moves on the parabola of its forces.
void cri_joints_swing(cri_world *world, double t);

// Change the predicted velocities so that every joint holds. Returns by how much a speed was wrong.
double cri_joints_visit(cri_world *world);

// For a solver of its own: what a joint holds by it in this piece, N s and N m s.
void cri_joints_feel(cri_world *world, int joint, cr_vec3 impulse, cr_vec3 twist);

// True if a joint that is not broken holds the body of that slot.
bool cri_joints_hold_body(const cri_world *world, int slot);

// True if a joint holds; what it has gone, and the numbers that it has in this step.
bool cri_joints_hold(const cri_world *world, int joint);
double cri_joints_way(const cri_world *world, int joint);
const cr_joint_numbers *cri_joints_numbers(const cri_world *world, int joint);

// After the move of a piece: put the joints together, and turn the velocities along.
void cri_joints_settle(cri_world *world, double t);

// At the end of a substep of h seconds: what had to hold too much breaks.
void cri_joints_break(cri_world *world, double h);

#endif
