// How the joints of a model hang together, for the solver: in which order they are eliminated, and
// where their rows stand. It depends on what the scene is alone, and is made once.
//
//      o--1--o--2--o--3--[world]     joints that share a body that forces move are neighbours; an
//                                    island is what hangs together so
//
//      row      1 1 1 2 2 2 3 3 3    the matrix of an island has a block for each joint and for
//      each
//        1  1 [ x                    two neighbours. It is kept by rows, each from its first column
//        2  1 [ x x                  that may not be 0 to the diagonal (an envelope, or skyline):
//        3  1 [ x x x                elimination fills nothing left of it. Joints are numbered
//        4  2 [ x x x x              breadth first from an end, so that neighbours are near each
//        ...      . . . .            other (Cuthill and McKee): for a chain it is a band.
#ifndef CRI_LINKAGE_H
#define CRI_LINKAGE_H

#include "base/arena.h"
#include "scene/model.h"

// A joint, in the order of elimination.
typedef struct cri_tie {
    const cr_joint *joint;
    int index;         // of the joint
    int limbs[2];      // slots of its bodies; where one is fixed, the ground: behind the last slot
    cr_vec3 levers[2]; // from the middle of its body to where it holds, in the body's frame; of the
                       // ground: 0
    cr_vec3 anchors[2]; // of the ground: where it holds, in the world
    cr_quat turns[2];   // of its frame, in the body's; of the ground: in the world
    int row, row_count; // what it holds exactly
    int box, box_count; // what it holds within bounds: limits, motors, friction, ropes
    int island;
    int places[2]; // of its limbs among the island's; -1: forces do not move it
} cri_tie;

typedef struct cri_linkage {
    int count, row_count, box_count, island_count;
    cri_tie *links;
    int ground;                    // the limb behind the last slot
    int *row_start;                // by row: the first column of its envelope
    size_t *row_at;                // by row: where its column 0 would stand
    size_t factor_size;            // of all envelopes
    int *island_row;               // by island, and one behind the last: its first row
    int *island_link;              // the same: its first link
    bool *held;                    // by slot: a joint holds it
    int *limbs;                    // slots that forces move, by island
    int *island_limb;              // by island, and one behind the last: its first of them
    size_t answer_size, move_size; // of all boxes: rows and limbs of their islands
    int *limb_island;              // by slot: the island of what moves it, or -1
} cri_linkage;

enum { CRI_JOINT_ROWS_MAX = 6, CRI_JOINT_BOXES_MAX = 3 };

// Made in the arena; false when memory runs out.
bool cri_linkage_make(cri_linkage *linkage, const cr_model *model, cri_arena *arena);

#endif
