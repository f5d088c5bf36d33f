// Moves: clips, or pieces of clips, as the edges of a move graph.
//
//     node 3 --+--> move 17 (25 frames) --> node 5 --+--> ...
//              |                                     |
//              +--> move 18 -----------> node 3      +--> ...
//
// A node is a way of moving; a way out of it is a move that begins nearly like that, with the jump
// in velocity that taking it costs. Moves know the boxes that the car sweeps, in their own frame.
#ifndef CRI_DRIVE_MOVES_H
#define CRI_DRIVE_MOVES_H

#include "base/report.h"
#include "drive/clip.h"

// A rectangle somewhere: centre, direction of its long axis, half sizes.
typedef struct cri_box {
    double x, y, c, s;
    double half_length, half_width;
} cri_box;

// What the car covers in frames [from, to] of a move.
typedef struct cri_sweep {
    cri_box box;
    int from, to;
} cri_sweep;

typedef struct cri_move {
    int frame;                         // first frame among those of all clips
    int frames;                        // how long it lasts
    int clip;                          // of which it is a piece
    int node;                          // where it ends
    double x, y, c, s, heading;        // the end, seen from the beginning
    double middle_x, middle_y, radius; // a circle around all that it sweeps
    int sweep, sweep_count;
} cri_move;

typedef struct cri_way {
    int move;
    float jump; // distance between the motion at the node and at the beginning of the move
} cri_way;

typedef struct cri_move_node {
    char label[CRI_LABEL_SIZE];
    cri_drive_motion motion;
    int way, way_count;
} cri_move_node;

struct cr_moves {
    cr_move_tree tree;
    cr_car car;
    cri_clips clips;
    int move_count, node_count, way_count, sweep_count;
    cri_move *moves;
    cri_move_node *nodes;
    cri_way *ways;
    cri_sweep *sweeps;
    cr_moves_facts facts;
};

// The node whose motion is nearest to this one.
int cri_moves_nearest(const cr_moves *moves, cri_drive_motion motion);

// A move to be: piece of a clip between two nodes.
typedef struct cri_piece {
    int clip, frame, frames; // frame: within the clip
    int from, to;            // nodes
} cri_piece;

// Fill in moves, ways and sweeps from pieces: every piece may follow at its `from` node.
cr_status cri_moves_build(cr_moves *moves, const cri_piece *pieces, int count, cr_report *report);

// Sweeps and end poses of moves whose frames are set.
cr_status cri_moves_sweep(cr_moves *moves, cr_report *report);

// Fill in what cr_moves_describe tells.
void cri_moves_count(cr_moves *moves);

cr_status cri_move_tree_small(cr_moves *moves, int branches, cr_report *report);
cr_status cri_move_tree_large(cr_moves *moves, cr_report *report);
cr_status cri_move_tree_auto(cr_moves *moves, const cr_moves_def *def, cr_report *report);

#endif
