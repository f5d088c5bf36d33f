// An arm: frames that move, links that hang on them, solids that make up the links.
//
//     frame 0 (base) --rest--> frame 1: turn about z --rest--> frame 2: slide along z --> ...
//                                 |                               |
//                              links, each with a pose         solids, each with a pose
//
// Only joints that move have frames: links behind fixed joints share the frame of the link before
// them. A joint's axis is always z of its frame, which is turned to make it so; a swing turns about
// an axis in the xy plane given by two values (exponential map). Frames are in order: a parent
// comes before its children.
#ifndef CRI_REACH_ARM_H
#define CRI_REACH_ARM_H

#include "carom/reach.h"
#include "base/arena.h"
#include "base/report.h"

enum {
    CRI_ARM_MAX_FRAMES = 64,
    CRI_ARM_MAX_LINKS = 128,
    CRI_ARM_MAX_SOLIDS = 512,
    CRI_ARM_MAX_GROUPS = 64,
};

typedef enum cri_reach_motion {
    CRI_REACH_MOTION_FIXED, // of links, not of frames
    CRI_REACH_MOTION_TURN,
    CRI_REACH_MOTION_SLIDE,
    CRI_REACH_MOTION_SWING, // dof and dof + 1
} cri_reach_motion;

typedef struct cri_reach_frame {
    int parent; // -1 for the base
    cri_reach_motion motion;
    int dof;
    double scale, offset; // the joint's value is scale * q[dof] + offset
    cr_pose rest;         // in the parent, at value 0
} cri_reach_frame;

typedef struct cri_link {
    const char *name;
    int parent; // link, or -1
    int frame;
    cr_pose pose; // in the frame
} cri_link;

typedef enum cri_reach_solid_kind {
    CRI_REACH_SOLID_BALL,
    CRI_REACH_SOLID_CAPSULE, // along z, half.z is half the length between its centres
    CRI_REACH_SOLID_BOX,
    CRI_REACH_SOLID_CYLINDER, // along z
} cri_reach_solid_kind;

typedef struct cri_reach_solid {
    cri_reach_solid_kind kind;
    int link;
    bool bounds; // a box around a mesh
    bool shell;  // a padded copy of a solid, which counts against obstacles only
    double radius;
    cr_vec3 half;
    cr_pose pose; // in the link's frame (not in the link)
} cri_reach_solid;

// A joint of the file that the arm was read from, for what others say about it by name.
typedef struct cri_joint {
    const char *name;
    int link;             // that hangs on it
    int dof;              // -1: it is fixed
    bool follows;         // another joint's degree of freedom: its value is scale * q[dof] + offset
    bool endless;         // the same after each turn
    double scale, offset; // of those that follow
} cri_joint;

// Joints that are planned together.
typedef struct cri_joint_group {
    const char *name;
    uint32_t dofs; // bit d: degree of freedom d
    int tip;       // link at the end of its chain, or -1
} cri_joint_group;

// How the root stands in the world.
typedef enum cri_base {
    CRI_BASE_UNKNOWN, // nobody said
    CRI_BASE_FIXED,
    CRI_BASE_PLANAR,
    CRI_BASE_FLOATING,
} cri_base;

// Lengths that the closed form needs.
typedef struct cri_human {
    bool is;
    int shoulder, elbow, wrist; // first frames of the joints
    double upper, fore, hand;   // shoulder to elbow, elbow to wrist, wrist to tip
} cri_human;

struct cr_arm {
    cri_arena arena;
    const char *name;
    int frame_count, link_count, solid_count, dof_count;
    cri_reach_frame frames[CRI_ARM_MAX_FRAMES];
    cri_link links[CRI_ARM_MAX_LINKS];
    cri_reach_solid solids[CRI_ARM_MAX_SOLIDS];
    cr_arm_dof dofs[CR_ARM_MAX_DOFS];
    double rest[CR_ARM_MAX_DOFS];
    int tip;
    bool allowed[CRI_ARM_MAX_LINKS][CRI_ARM_MAX_LINKS]; // may touch; symmetric
    int joint_count, group_count;
    cri_joint joints[CRI_ARM_MAX_LINKS];
    cri_joint_group groups[CRI_ARM_MAX_GROUPS];
    uint32_t passive; // bit d: degree of freedom d is not driven
    cri_base base;
    const char *base_joint, *base_frame; // of a base that is known: joint to the world, its name
    cri_human human;
    uint64_t hash; // of all that collisions and motion depend on
};

// A link to add: how it hangs on its parent.
typedef struct cri_link_def {
    const char *name;
    int parent;
    cr_pose rest; // in the parent link
    cri_reach_motion motion;
    cr_vec3 axis; // in the link; turns and slides
    int dof;      // of turns, slides and swings
    double scale, offset;
} cri_link_def;

// NULL when memory runs out. It has a base frame and no links.
cr_arm *cri_arm_new(const char *name);

// The index of the new link; -1 when there is no room or memory.
int cri_arm_add_link(cr_arm *arm, const cri_link_def *def);

// -1 when there is no room. pose is in the link.
int cri_arm_add_solid(cr_arm *arm, cri_reach_solid solid, cr_pose in_link);

// -1 when there is no room.
int cri_arm_add_dof(cr_arm *arm, cr_arm_dof dof);

// False when there is no room or memory.
bool cri_arm_add_joint(cr_arm *arm, cri_joint joint);

// The index of a joint or group by its name, or -1.
int cri_arm_find_joint(const cr_arm *arm, const char *name);
int cri_arm_find_group(const cr_arm *arm, const char *name);

// Allow a link to touch its parent.
void cri_arm_allow_neighbours(cr_arm *arm);

void cri_arm_allow(cr_arm *arm, int a, int b);

// The last step of making an arm.
void cri_arm_seal(cr_arm *arm);

// Poses of all frames.
void cri_arm_frames(const cr_arm *arm, const double *q, cr_pose *frames);

#endif
