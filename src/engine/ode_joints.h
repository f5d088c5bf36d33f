// Joints of the ODE engine: ODE's own, made once where the bodies start. What ODE calls a stop, a
// motor and a joint's feedback is used; its correction of errors is not: world.c has that.
#ifndef CRI_ODE_JOINTS_H
#define CRI_ODE_JOINTS_H

#include <ode/ode.h>

#include "engine/joints/joints.h"

typedef struct cri_ode_joint {
    dJointID joint; // NULL: a rope, which is a contact that pulls, made for each solve
    dJointID rub;   // a ball's friction, or NULL
    double sign;    // of its angle or way, seen by ODE
    dJointFeedback feedback, rope_feedback;
    bool taut; // a rope: it takes part
} cri_ode_joint;

typedef struct cri_ode_joints {
    cri_world *base;
    dWorldID world;
    dBodyID *bodies; // by body; NULL: the environment. Driven ones that a joint holds are in it
    cri_ode_joint *joints;
} cri_ode_joints;

// Make them; bodies as in the engine. False when memory runs out.
bool cri_ode_joints_make(cri_ode_joints *joints, cri_world *base, dWorldID world,
                         dBodyID const *bodies);

// Leave one out of a solve: it is broken, or solved in another way.
void cri_ode_joint_rest(cri_ode_joints *joints, int joint);

// Make one that holds ready for a solve of t seconds; ropes go into the group.
void cri_ode_joint_ready(cri_ode_joints *joints, int joint, dJointGroupID group, double t);

// Tell the world what it held.
void cri_ode_joint_feel(cri_ode_joints *joints, int joint, double t);

#endif
