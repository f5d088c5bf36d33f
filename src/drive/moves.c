// Making a move graph's arrays from pieces of clips, and the boxes that moves sweep.
#include "drive/moves.h"

#include <assert.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/trig.h"
#include "base/vec.h"

// m. Between two frames the corners of the car run on arcs, the sweep's box is made of chords; at
// 3 rad/s and 2 m a frame the arc stands out by 2 m * 0.12 / 8.
#define SWEEP_MARGIN 0.03
// m. A sweep grows over frames until the car has moved this far.
#define SWEEP_LENGTH 2.0

static const char *const tree_names[] = {"small5", "small7", "large", "auto"};

const char *cr_move_tree_name(cr_move_tree tree)
{
    assert(tree <= CR_MOVE_TREE_AUTO);
    return tree_names[tree];
}

int cr_move_tree_find(const char *name)
{
    for (int i = 0; i <= CR_MOVE_TREE_AUTO; i++) {
        if (strcmp(name, tree_names[i]) == 0) {
            return i;
        }
    }
    return -1;
}

void cr_moves_destroy(cr_moves *moves)
{
    if (moves) {
        cri_clips_free(&moves->clips);
        free(moves->moves);
        free(moves->nodes);
        free(moves->ways);
        free(moves->sweeps);
        free(moves);
    }
}

cr_moves_facts cr_moves_describe(const cr_moves *moves)
{
    return moves->facts;
}

int cri_moves_nearest(const cr_moves *moves, cri_drive_motion motion)
{
    int best = 0;
    for (int i = 1; i < moves->node_count; i++) {
        if (cri_drive_motion_distance(moves->nodes[i].motion, motion) <
            cri_drive_motion_distance(moves->nodes[best].motion, motion)) {
            best = i;
        }
    }
    return best;
}

typedef struct extent {
    double low_x, high_x, low_y, high_y;
} extent;

// Widen the extent, in the frame of `seat`, by the car's rectangle at `frame`.
static void cover(extent *e, const cr_car *car, const cri_clip_frame *seat,
                  const cri_clip_frame *frame)
{
    double c = cri_cos(seat->heading), s = cri_sin(seat->heading);
    double dx = frame->x - seat->x, dy = frame->y - seat->y;
    double x = c * dx + s * dy, y = c * dy - s * dx;
    double turn = frame->heading - seat->heading;
    double tc = fabs(cri_cos(turn)), ts = fabs(cri_sin(turn));
    double rx = tc * car->half_length + ts * car->half_width;
    double ry = ts * car->half_length + tc * car->half_width;
    e->low_x = fmin(e->low_x, x - rx);
    e->high_x = fmax(e->high_x, x + rx);
    e->low_y = fmin(e->low_y, y - ry);
    e->high_y = fmax(e->high_y, y + ry);
}

// The box around the car from frame `from` to frame `to`, aligned with the car in the middle.
static cri_sweep make_sweep(const cr_car *car, const cri_clip_frame *frames, int from, int to)
{
    const cri_clip_frame *seat = &frames[(from + to) / 2];
    extent e = {HUGE_VAL, -HUGE_VAL, HUGE_VAL, -HUGE_VAL};
    for (int i = from; i <= to; i++) {
        cover(&e, car, seat, &frames[i]);
    }
    double c = cri_cos(seat->heading), s = cri_sin(seat->heading);
    double x = 0.5 * (e.low_x + e.high_x), y = 0.5 * (e.low_y + e.high_y);
    return (cri_sweep){{seat->x + c * x - s * y, seat->y + s * x + c * y, c, s,
                        0.5 * (e.high_x - e.low_x) + SWEEP_MARGIN,
                        0.5 * (e.high_y - e.low_y) + SWEEP_MARGIN},
                       from,
                       to};
}

// The last frame of the sweep that begins at `from`. Frames in which the car turns much get a box
// of their own, because one box around both would be wide.
static int sweep_end(const cri_clip_frame *frames, int from, int last)
{
    int to = from + 1;
    while (to < last) {
        double dx = frames[to + 1].x - frames[from].x, dy = frames[to + 1].y - frames[from].y;
        if (dx * dx + dy * dy > SWEEP_LENGTH * SWEEP_LENGTH ||
            fabs(frames[to + 1].heading - frames[from].heading) > 0.1) {
            break;
        }
        to++;
    }
    return to;
}

// The frames of a move seen from its first one, into out.
static void localise(const cr_moves *moves, const cri_move *move, cri_clip_frame *out)
{
    const cri_clip_frame *frames = &moves->clips.frames[move->frame];
    double c = cri_cos(frames[0].heading), s = cri_sin(frames[0].heading);
    for (int i = 0; i <= move->frames; i++) {
        double dx = frames[i].x - frames[0].x, dy = frames[i].y - frames[0].y;
        out[i] = frames[i];
        out[i].x = c * dx + s * dy;
        out[i].y = c * dy - s * dx;
        out[i].heading = frames[i].heading - frames[0].heading;
    }
}

// The circle around all sweeps, centred at the middle of their extent.
static void bound(cri_move *move, const cri_sweep *sweeps)
{
    extent e = {HUGE_VAL, -HUGE_VAL, HUGE_VAL, -HUGE_VAL};
    for (int i = 0; i < move->sweep_count; i++) {
        e.low_x = fmin(e.low_x, sweeps[i].box.x);
        e.high_x = fmax(e.high_x, sweeps[i].box.x);
        e.low_y = fmin(e.low_y, sweeps[i].box.y);
        e.high_y = fmax(e.high_y, sweeps[i].box.y);
    }
    move->middle_x = 0.5 * (e.low_x + e.high_x);
    move->middle_y = 0.5 * (e.low_y + e.high_y);
    for (int i = 0; i < move->sweep_count; i++) {
        const cri_box *b = &sweeps[i].box;
        double dx = b->x - move->middle_x, dy = b->y - move->middle_y;
        double reach = sqrt(dx * dx + dy * dy) +
                       sqrt(b->half_length * b->half_length + b->half_width * b->half_width);
        move->radius = fmax(move->radius, reach);
    }
}

static void sweep_move(cr_moves *moves, cri_move *move, cri_clip_frame *local)
{
    localise(moves, move, local);
    const cri_clip_frame *end = &local[move->frames];
    move->x = end->x;
    move->y = end->y;
    move->heading = end->heading;
    move->c = cri_cos(end->heading);
    move->s = cri_sin(end->heading);
    move->sweep = moves->sweep_count;
    for (int from = 0; from < move->frames;) {
        int to = sweep_end(local, from, move->frames);
        moves->sweeps[moves->sweep_count++] = make_sweep(&moves->car, local, from, to);
        from = to;
    }
    move->sweep_count = moves->sweep_count - move->sweep;
    bound(move, &moves->sweeps[move->sweep]);
}

cr_status cri_moves_sweep(cr_moves *moves, cr_report *report)
{
    int most = 0;
    size_t total = 0;
    for (int i = 0; i < moves->move_count; i++) {
        most = moves->moves[i].frames > most ? moves->moves[i].frames : most;
        total += (size_t)moves->moves[i].frames;
    }
    cri_clip_frame *local = malloc(((size_t)most + 1) * sizeof *local);
    moves->sweeps = malloc((total + 1) * sizeof *moves->sweeps);
    if (!local || !moves->sweeps) {
        free(local);
        return cri_fail_memory(report);
    }
    moves->sweep_count = 0;
    for (int i = 0; i < moves->move_count; i++) {
        sweep_move(moves, &moves->moves[i], local);
    }
    free(local);
    return CR_OK;
}

static void take_piece(cr_moves *moves, const cri_piece *piece, int index)
{
    const cri_clip *clip = &moves->clips.clips[piece->clip];
    moves->moves[index] = (cri_move){.frame = clip->first + piece->frame,
                                     .frames = piece->frames,
                                     .clip = piece->clip,
                                     .node = piece->to};
    cri_move_node *node = &moves->nodes[piece->from];
    const cri_drive_motion begin = moves->clips.frames[clip->first + piece->frame].motion;
    cri_way *way = &moves->ways[node->way + node->way_count++];
    *way = (cri_way){index, (float)cri_drive_motion_distance(node->motion, begin)};
}

void cri_moves_count(cr_moves *moves)
{
    cr_moves_facts *facts = &moves->facts;
    facts->clips = moves->clips.clip_count;
    facts->frames = moves->clips.frame_count;
    facts->nodes = moves->node_count;
    facts->moves = moves->move_count;
    facts->ways = moves->way_count;
    for (int i = 0; i < moves->way_count; i++) {
        facts->largest_jump = fmax(facts->largest_jump, (double)moves->ways[i].jump);
    }
}

cr_status cri_moves_build(cr_moves *moves, const cri_piece *pieces, int count, cr_report *report)
{
    moves->moves = calloc((size_t)count + 1, sizeof *moves->moves);
    moves->ways = calloc((size_t)count + 1, sizeof *moves->ways);
    if (!moves->moves || !moves->ways) {
        return cri_fail_memory(report);
    }
    for (int i = 0; i < count; i++) {
        moves->nodes[pieces[i].from].way_count++;
    }
    for (int i = 0, way = 0; i < moves->node_count; i++) {
        moves->nodes[i].way = way;
        way += moves->nodes[i].way_count;
        moves->nodes[i].way_count = 0;
    }
    for (int i = 0; i < count; i++) {
        take_piece(moves, &pieces[i], i);
    }
    moves->move_count = moves->way_count = count;
    cri_moves_count(moves);
    return cri_moves_sweep(moves, report);
}

cr_moves_def cr_default_moves_def(void)
{
    return (cr_moves_def){.tree = CR_MOVE_TREE_LARGE, .graph = cr_default_graph_def()};
}

cr_status cr_moves_create(const cr_moves_def *def, cr_moves **out, cr_report *report)
{
    *out = NULL;
    cr_moves *moves = calloc(1, sizeof *moves);
    if (!moves) {
        return cri_fail_memory(report);
    }
    moves->tree = def->tree;
    moves->car = cr_default_car();
    cr_status status = CR_OK;
    switch (def->tree) {
    case CR_MOVE_TREE_SMALL5:
        status = cri_move_tree_small(moves, 5, report);
        break;
    case CR_MOVE_TREE_SMALL7:
        status = cri_move_tree_small(moves, 7, report);
        break;
    case CR_MOVE_TREE_LARGE:
        status = cri_move_tree_large(moves, report);
        break;
    case CR_MOVE_TREE_AUTO:
        status = cri_move_tree_auto(moves, def, report);
        break;
    }
    if (status != CR_OK) {
        cr_moves_destroy(moves);
        return status;
    }
    *out = moves;
    return CR_OK;
}
