// Motion graphs from clips (thesis, section 3.4 and chapter 5).
//
// Two frames are alike when d = |u1-u2| + |v1-v2| + |w1-w2| is below the threshold: from the one,
// the car may go on as from the other. Frames are kept in a hash of cells as large as the
// threshold, so only neighbours are compared. Two windows keep the graph thin: after a frame that
// has found others, the source_window frames next to it in its clip are not asked; of alike frames
// in another clip that lie within target_window of each other, only the nearest is taken. Clips are
// asked from their end backwards, because the last frame is the one that needs a way on.
//
//     clip A   o----o----x----o----o         x: cuts. The pieces between cuts are the moves.
//                         \.                 A node is the end of a piece; its ways are the piece
//     clip B   o----o----o--x--o----o        that goes on and all pieces that begin at alike
//     frames.
//
// Ends with the same ways are one node. Then ways that do nearly the same as another are dropped,
// and all that is not in the largest strong component, so that the car never gets stuck.
#include "drive/graph.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/hash.h"

#define MOST_LINKS 8000000

typedef struct link {
    int to; // frame
    float jump;
} link;

typedef struct builder {
    cr_moves *moves;
    const cr_graph_def *def;
    int frame_count;
    int *clip_of;    // frame -> clip
    int *cell_first; // hash cell -> first frame, or -1
    int *cell_next;  // frame -> next frame of its cell, or -1
    int cell_mask;
    bool *cut;       // frame -> a piece begins or ends here
    int *link_first; // frame -> its links, or -1
    int *link_count;
    link *links;
    int total, capacity;
    link found[1024]; // alike frames of one source, before the windows
    int found_count;
    int *piece_at; // frame -> the piece that begins here, or -1
    cri_piece *pieces;
    int piece_count;
} builder;

static const cri_clip_frame *frame_of(const builder *b, int frame)
{
    return &b->moves->clips.frames[frame];
}

static uint64_t cell_hash(int64_t u, int64_t v, int64_t w)
{
    uint64_t hash = cri_hash_word(CRI_HASH_START, (uint64_t)u);
    hash = cri_hash_word(hash, (uint64_t)v);
    return cri_hash_word(hash, (uint64_t)w);
}

static int cell_at(const builder *b, cri_drive_motion m, int du, int dv, int dw)
{
    double size = b->def->threshold;
    uint64_t hash = cell_hash((int64_t)floor(m.u / size) + du, (int64_t)floor(m.v / size) + dv,
                              (int64_t)floor(m.w / size) + dw);
    return (int)(hash >> 16) & b->cell_mask;
}

static void fill_cells(builder *b)
{
    for (int i = 0; i <= b->cell_mask; i++) {
        b->cell_first[i] = -1;
    }
    for (int i = b->frame_count - 1; i >= 0; i--) {
        int cell = cell_at(b, frame_of(b, i)->motion, 0, 0, 0);
        b->cell_next[i] = b->cell_first[cell];
        b->cell_first[cell] = i;
    }
}

static int frames_after(const builder *b, int frame)
{
    const cri_clip *clip = &b->moves->clips.clips[b->clip_of[frame]];
    return clip->first + clip->count - 1 - frame;
}

// Whether one may jump from a to c: enough clip left, and not just a little further on.
static bool may_jump(const builder *b, int a, int c)
{
    if (frames_after(b, c) < b->def->shortest) {
        return false;
    }
    int gap = c > a ? c - a : a - c;
    return b->clip_of[a] != b->clip_of[c] || gap > b->def->source_window;
}

static void look_in_cell(builder *b, int source, int cell)
{
    cri_drive_motion m = frame_of(b, source)->motion;
    for (int i = b->cell_first[cell]; i >= 0 && b->found_count < 1024; i = b->cell_next[i]) {
        double d = cri_drive_motion_distance(m, frame_of(b, i)->motion);
        if (d < b->def->threshold && may_jump(b, source, i)) {
            b->found[b->found_count++] = (link){i, (float)d};
        }
    }
}

static int by_frame(const void *a, const void *b)
{
    const link *x = a, *y = b;
    return (x->to > y->to) - (x->to < y->to);
}

// Of alike frames that follow each other closely, keep the nearest. Two cells may share a hash, so
// the same frame may be there twice.
static void thin_found(builder *b)
{
    qsort(b->found, (size_t)b->found_count, sizeof b->found[0], by_frame);
    int kept = 0;
    for (int i = 0; i < b->found_count; i++) {
        link *last = kept > 0 ? &b->found[kept - 1] : NULL;
        bool close = last && b->clip_of[last->to] == b->clip_of[b->found[i].to] &&
                     b->found[i].to - last->to <= b->def->target_window;
        if (!close) {
            b->found[kept++] = b->found[i];
        } else if (b->found[i].jump < last->jump) {
            *last = b->found[i];
        }
    }
    b->found_count = kept;
}

static cr_status keep_found(builder *b, int source, cr_report *report)
{
    if (b->total + b->found_count > b->capacity) {
        int capacity = 2 * (b->total + b->found_count);
        link *grown =
            capacity <= MOST_LINKS ? realloc(b->links, (size_t)capacity * sizeof *grown) : NULL;
        if (!grown) {
            return cri_fail(
                report, CR_ERR_MEMORY, (cri_location){0},
                "the motion graph is too dense: more than %d pairs of frames are alike; "
                "a threshold below %g or wider windows thin it",
                b->total, b->def->threshold);
        }
        b->links = grown;
        b->capacity = capacity;
    }
    b->link_first[source] = b->total;
    b->link_count[source] = b->found_count;
    memcpy(&b->links[b->total], b->found, (size_t)b->found_count * sizeof b->found[0]);
    b->total += b->found_count;
    b->cut[source] = true;
    for (int i = 0; i < b->found_count; i++) {
        b->cut[b->found[i].to] = true;
    }
    return CR_OK;
}

static void find_alike(builder *b, int source)
{
    b->found_count = 0;
    for (int i = 0; i < 27; i++) {
        int cell = cell_at(b, frame_of(b, source)->motion, i % 3 - 1, i / 3 % 3 - 1, i / 9 - 1);
        look_in_cell(b, source, cell);
    }
    thin_found(b);
}

static cr_status link_clip(builder *b, const cri_clip *clip, cr_report *report)
{
    int frame = clip->first + clip->count - 1;
    while (frame - clip->first >= b->def->shortest) {
        find_alike(b, frame);
        if (b->found_count == 0) {
            frame--;
            continue;
        }
        cr_status status = keep_found(b, frame, report);
        if (status != CR_OK) {
            return status;
        }
        frame -= b->def->source_window + 1;
    }
    return CR_OK;
}

// ---------------------------------------------------------------------------------------------
// Pieces and nodes

static void cut_clip(builder *b, int index)
{
    const cri_clip *clip = &b->moves->clips.clips[index];
    int begin = -1;
    for (int f = clip->first; f < clip->first + clip->count; f++) {
        if (!b->cut[f]) {
            continue;
        }
        if (begin >= 0) {
            b->piece_at[begin] = b->piece_count;
            b->pieces[b->piece_count++] =
                (cri_piece){index, begin - clip->first, f - begin, -1, -1};
        }
        begin = f;
    }
}

static int end_of(const builder *b, const cri_piece *piece)
{
    return b->moves->clips.clips[piece->clip].first + piece->frame + piece->frames;
}

// The ways out of a frame into `ways`; returns how many.
static int ways_from(const builder *b, int frame, cri_way *ways)
{
    int count = 0;
    if (b->piece_at[frame] >= 0) {
        ways[count++] = (cri_way){b->piece_at[frame], 0};
    }
    for (int i = 0; i < b->link_count[frame]; i++) {
        const link *l = &b->links[b->link_first[frame] + i];
        if (b->piece_at[l->to] >= 0 && b->piece_at[l->to] != b->piece_at[frame]) {
            ways[count++] = (cri_way){b->piece_at[l->to], l->jump};
        }
    }
    return count;
}

static uint64_t hash_ways(const cri_way *ways, int count)
{
    uint64_t hash = CRI_HASH_START;
    for (int i = 0; i < count; i++) {
        hash = cri_hash_word(hash, (uint64_t)ways[i].move);
    }
    return hash | 1;
}

static bool same_ways(const cr_moves *moves, const cri_move_node *node, const cri_way *ways,
                      int count)
{
    if (node->way_count != count) {
        return false;
    }
    for (int i = 0; i < count; i++) {
        if (moves->ways[node->way + i].move != ways[i].move) {
            return false;
        }
    }
    return true;
}

// Find the node with these ways or make it. table: open addressing, -1 where free.
static int node_with(cr_moves *moves, int *table, int mask, const cri_way *ways, int count)
{
    int place = (int)(hash_ways(ways, count) >> 16) & mask;
    while (table[place] >= 0) {
        if (same_ways(moves, &moves->nodes[table[place]], ways, count)) {
            return table[place];
        }
        place = (place + 1) & mask;
    }
    table[place] = moves->node_count;
    moves->nodes[moves->node_count] = (cri_move_node){.way = moves->way_count, .way_count = count};
    memcpy(&moves->ways[moves->way_count], ways, (size_t)count * sizeof *ways);
    moves->way_count += count;
    return moves->node_count++;
}

static void name_nodes(builder *b, int *table, int mask, cri_way *ways)
{
    cr_moves *moves = b->moves;
    memset(table, -1, ((size_t)mask + 1) * sizeof *table);
    for (int i = 0; i < b->piece_count; i++) {
        int end = end_of(b, &b->pieces[i]);
        int nodes = moves->node_count;
        int node = node_with(moves, table, mask, ways, ways_from(b, end, ways));
        if (node == nodes) {
            moves->nodes[node].motion = frame_of(b, end)->motion;
        }
        b->pieces[i].to = node;
    }
}

static cr_status make_nodes(builder *b, cr_report *report)
{
    cr_moves *moves = b->moves;
    int mask = 1023;
    while (mask < 2 * b->piece_count) {
        mask = 2 * mask + 1;
    }
    size_t pieces = (size_t)b->piece_count + 1;
    int *table = malloc(((size_t)mask + 1) * sizeof *table);
    cri_way *ways = malloc(1100 * sizeof *ways);
    moves->nodes = calloc(pieces, sizeof *moves->nodes);
    moves->moves = calloc(pieces, sizeof *moves->moves);
    moves->ways = malloc(((size_t)b->total + pieces) * sizeof *moves->ways);
    bool enough = table && ways && moves->nodes && moves->moves && moves->ways;
    if (enough) {
        name_nodes(b, table, mask, ways);
        for (int i = 0; i < b->piece_count; i++) {
            const cri_piece *p = &b->pieces[i];
            int first = moves->clips.clips[p->clip].first;
            moves->moves[i] = (cri_move){
                .frame = first + p->frame, .frames = p->frames, .clip = p->clip, .node = p->to};
        }
        moves->move_count = b->piece_count;
    }
    free(table);
    free(ways);
    return enough ? CR_OK : cri_fail_memory(report);
}

// ---------------------------------------------------------------------------------------------
// Redundant ways

// Whether two moves of one node lead to nearly the same place, heading and motion in the same time.
static bool much_alike(const cr_moves *moves, const cr_graph_def *def, int a, int c)
{
    const cri_move *x = &moves->moves[a], *y = &moves->moves[c];
    if (x->frames != y->frames || fabs(x->heading - y->heading) > def->same_heading ||
        fabs(x->x - y->x) + fabs(x->y - y->y) > def->same_place) {
        return false;
    }
    const cri_clip_frame *frames = moves->clips.frames;
    return cri_drive_motion_distance(frames[x->frame + x->frames].motion,
                                     frames[y->frame + y->frames].motion) < def->threshold;
}

static void mark_redundant(cr_moves *moves, const cr_graph_def *def, bool *keep)
{
    for (int n = 0; n < moves->node_count; n++) {
        const cri_move_node *node = &moves->nodes[n];
        for (int i = node->way; i < node->way + node->way_count; i++) {
            for (int j = node->way; j < i && keep[i]; j++) {
                if (keep[j] && much_alike(moves, def, moves->ways[i].move, moves->ways[j].move)) {
                    int worse = moves->ways[i].jump < moves->ways[j].jump ? j : i;
                    keep[worse] = false;
                    moves->facts.redundant++;
                }
            }
        }
    }
}

// ---------------------------------------------------------------------------------------------

static void builder_free(builder *b)
{
    free(b->clip_of);
    free(b->cell_first);
    free(b->cell_next);
    free(b->cut);
    free(b->link_first);
    free(b->link_count);
    free(b->links);
    free(b->piece_at);
    free(b->pieces);
    free(b);
}

static builder *builder_make(cr_moves *moves, const cr_graph_def *def)
{
    builder *b = calloc(1, sizeof *b);
    if (!b) {
        return NULL;
    }
    *b = (builder){.moves = moves, .def = def, .frame_count = moves->clips.frame_count};
    b->cell_mask = 1023;
    while (b->cell_mask < b->frame_count) {
        b->cell_mask = 2 * b->cell_mask + 1;
    }
    size_t frames = (size_t)b->frame_count + 1;
    b->clip_of = calloc(frames, sizeof *b->clip_of);
    b->cell_first = malloc(((size_t)b->cell_mask + 1) * sizeof *b->cell_first);
    b->cell_next = malloc(frames * sizeof *b->cell_next);
    b->cut = calloc(frames, sizeof *b->cut);
    b->link_first = calloc(frames, sizeof *b->link_first);
    b->link_count = calloc(frames, sizeof *b->link_count);
    b->piece_at = malloc(frames * sizeof *b->piece_at);
    b->pieces = malloc(frames * sizeof *b->pieces);
    if (!b->clip_of || !b->cell_first || !b->cell_next || !b->cut || !b->link_first ||
        !b->link_count || !b->piece_at || !b->pieces) {
        builder_free(b);
        return NULL;
    }
    for (int i = 0; i < moves->clips.clip_count; i++) {
        const cri_clip *clip = &moves->clips.clips[i];
        for (int f = 0; f < clip->count; f++) {
            b->clip_of[clip->first + f] = i;
        }
    }
    memset(b->piece_at, -1, frames * sizeof *b->piece_at);
    return b;
}

static cr_status build(builder *b, cr_report *report)
{
    cr_moves *moves = b->moves;
    fill_cells(b);
    for (int i = 0; i < moves->clips.clip_count; i++) {
        cr_status status = link_clip(b, &moves->clips.clips[i], report);
        if (status != CR_OK) {
            return status;
        }
    }
    moves->facts.similar = b->total;
    for (int i = 0; i < moves->clips.clip_count; i++) {
        cut_clip(b, i);
    }
    return make_nodes(b, report);
}

cr_status cri_graph_build(cr_moves *moves, const cr_graph_def *def, cr_report *report)
{
    builder *b = builder_make(moves, def);
    if (!b) {
        return cri_fail_memory(report);
    }
    cr_status status = build(b, report);
    builder_free(b);
    if (status != CR_OK) {
        return status;
    }
    bool *keep = malloc((size_t)moves->way_count + 1);
    status = keep ? cri_moves_sweep(moves, report) : cri_fail_memory(report);
    if (status == CR_OK) {
        memset(keep, true, (size_t)moves->way_count + 1);
        mark_redundant(moves, def, keep);
        status = cri_graph_prune(moves, keep, report);
    }
    free(keep);
    return status;
}
