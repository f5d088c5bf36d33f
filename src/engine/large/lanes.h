// What a large world does in lanes: the file that includes it names the build.

// Points that change with the gaps of a box that rocks keep dice from coming to rest, which have
// 16 mm: here the outermost are picked, and nearer ones among those that are as far out.
#define REACH_SHARE 1.0f
// And one point in the place of four lets what stands on it sway. (In small worlds, which have no
// more than a few bodies on each other, four cost a fifth more than they are worth.)
#define JOIN_EDGES true
#include "engine/large/bodies.h"
#include "engine/large/find.h"
#include "engine/large/near.h"
#include "engine/large/sweep.h"

const cri_large_lanes LARGE = {
    .name = LARGE_NAME,
    .lanes = CRI_LANES,
    .lot_bytes = sizeof(bundle) * (CRI_LOT / CRI_LANES),
    .predict = predict,
    .stand = stand,
    .mark_near = mark_near,
    .find = find,
    .prepare = prepare,
    .recall = recall,
    .open = open_lots,
    .pass = pass_lots,
    .visit = visit_lots,
    .strike = strike,
    .relax = relax_lots,
    .pace = pace,
    .move = move,
    .take = take,
};
