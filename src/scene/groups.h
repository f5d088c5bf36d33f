// What belongs together in a scene, so that a variation of it is still that scene: a ball at a
// robot's dribbler, the boards of a hole and the region between them, a tower of crates.
//
// A thing is a body (its index) or a region (the number of bodies and its index). Every thing but a
// plane is in one group; a group is moved and resized as one.
//
//     the area    the largest region without a height in which all controlled and passive bodies
//                 start, or, where there is none, the box round those bodies
//     the ground  what bounds or carries the rest: static bodies at or outside the edge of the
//                 area, static bodies that others rest on, what touches these, and the area itself.
//                 It stays where it is and changes its size about the area's middle
//
// Bodies are together if they are of one crowd, or touch; bodies that move also if they are nearer
// to each other than the largest move (a row of dominoes). Lying on a static body is no touch. A
// region goes with
//   1. a body that a rule keeps inside of it, if the largest move could break the rule;
//   2. bodies that move and stand in its middle, and else another region with the same middle;
//   3. the group of which most bodies touch or cross its edge, or are nearer to it than half a
//   move;
//   4. the ground, if it reaches out of the area; and else with nothing.
#ifndef CRI_GROUPS_H
#define CRI_GROUPS_H

#include "base/arena.h"
#include "scene/model.h"

typedef struct cri_bundle {
    bool ground;
    bool tilted;    // a body of it leans: it keeps its proportions, or its size
    cr_vec3 middle; // of the box round its bodies, or round its regions; z: of its lowest point
} cri_bundle;

typedef struct cri_groups {
    int area;          // region, or -1
    cr_vec2 low, high; // of the area
    double reach;      // m, the largest move
    int thing_count;   // bodies and regions
    int *of;           // the group of each thing; -1: of a plane
    int count;         // of groups; ordered by their first thing
    cri_bundle *items;
} cri_groups;

// Find them, for moves of up to that share of the shorter side of the area. All of it lives in the
// arena. False when memory runs out.
bool cri_groups_find(const cr_model *model, double share, cri_arena *arena, cri_groups *groups);

// How far a thing reaches along a direction (unit): max of dot(direction, p) over its points p.
double cri_thing_support(const cr_model *model, int thing, cr_vec3 direction);

// True if bodies of two different groups overlap by more than depth; planes are no such bodies.
bool cri_groups_overlap(const cr_model *model, const cri_groups *groups, double depth);

// True if a thing lies in the region in every direction that the region is limited in, and is at
// least so far from its edge.
bool cri_thing_inside(const cr_model *model, int thing, int region, double clearance);

#endif
