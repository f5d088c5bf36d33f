// Motion graphs from clips: which frames are alike, where to cut, what to keep.
#ifndef CRI_DRIVE_GRAPH_H
#define CRI_DRIVE_GRAPH_H

#include "drive/moves.h"

// Build moves->moves, nodes and ways from moves->clips.
cr_status cri_graph_build(cr_moves *moves, const cr_graph_def *def, cr_report *report);

// Keep only the ways that are marked, then only the largest strong component. Ways and nodes are
// renumbered; moves that nothing leads to are dropped.
cr_status cri_graph_prune(cr_moves *moves, bool *keep, cr_report *report);

#endif
