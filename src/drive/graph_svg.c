// A move graph as a picture: on the left the nodes by forward speed and yaw rate, with their moves
// as arrows; on the right the way of every move from where it begins.
#include "drive/moves.h"

#include <math.h>

#include "base/file.h"
#include "base/trig.h"

#define WIDTH  620.0 // of one panel, px
#define HEIGHT 620.0
#define BORDER 40.0

typedef struct frame_of_view {
    double left, low_x, low_y, scale_x, scale_y;
} frame_of_view;

static frame_of_view make_view(double left, double low_x, double high_x, double low_y,
                               double high_y)
{
    return (frame_of_view){left + BORDER, low_x, low_y,
                           (WIDTH - 2 * BORDER) / fmax(high_x - low_x, 1e-6),
                           (HEIGHT - 2 * BORDER) / fmax(high_y - low_y, 1e-6)};
}

static double to_x(const frame_of_view *v, double x)
{
    return v->left + (x - v->low_x) * v->scale_x;
}

static double to_y(const frame_of_view *v, double y)
{
    return HEIGHT - BORDER - (y - v->low_y) * v->scale_y;
}

// Moves that turn left are red, right blue, straight grey.
static const char *color_of(const cri_move *move)
{
    return move->heading > 0.02 ? "#c0392b" : (move->heading < -0.02 ? "#2c5aa0" : "#555555");
}

static void add_nodes(cri_text *text, const cr_moves *moves, const frame_of_view *view)
{
    for (int i = 0; i < moves->node_count; i++) {
        const cri_move_node *n = &moves->nodes[i];
        double x = to_x(view, n->motion.u), y = to_y(view, n->motion.w);
        cri_text_add(text, "<circle cx=\"%.1f\" cy=\"%.1f\" r=\"%g\" fill=\"#222\"/>\n", x, y,
                     moves->node_count < 50 ? 5.0 : 1.5);
        if (n->label[0]) {
            cri_text_add(text, "<text x=\"%.1f\" y=\"%.1f\" font-size=\"12\">%s</text>\n", x - 12,
                         y + 22, n->label);
        }
    }
}

// An arrow from node to node, bowed to one side so that both directions are seen.
static void add_arrow(cri_text *text, const cr_moves *moves, const frame_of_view *view, int from,
                      const cri_move *move)
{
    const cri_drive_motion *a = &moves->nodes[from].motion, *b = &moves->nodes[move->node].motion;
    double x0 = to_x(view, a->u), y0 = to_y(view, a->w);
    double x1 = to_x(view, b->u), y1 = to_y(view, b->w);
    double bow = 0.15 * (x1 - x0) + 60 * move->heading;
    cri_text_add(text,
                 "<path d=\"M%.1f %.1fQ%.1f %.1f %.1f %.1f\" fill=\"none\" stroke=\"%s\" "
                 "stroke-width=\"0.6\" opacity=\"0.5\"/>\n",
                 x0, y0, 0.5 * (x0 + x1), 0.5 * (y0 + y1) - bow - (from == move->node ? 25 : 0), x1,
                 y1, color_of(move));
}

static void add_way(cri_text *text, const cr_moves *moves, const frame_of_view *view,
                    const cri_move *move)
{
    const cri_clip_frame *frames = &moves->clips.frames[move->frame];
    double c = cri_cos(frames[0].heading), s = cri_sin(frames[0].heading);
    cri_text_add(text,
                 "<polyline fill=\"none\" stroke=\"%s\" stroke-width=\"0.8\" opacity=\"0.6\" "
                 "points=\"",
                 color_of(move));
    for (int i = 0; i <= move->frames; i++) {
        double dx = frames[i].x - frames[0].x, dy = frames[i].y - frames[0].y;
        cri_text_add(text, "%.1f,%.1f ", to_x(view, c * dy - s * dx) * -1 + 3 * WIDTH,
                     to_y(view, c * dx + s * dy));
    }
    cri_text_add(text, "\"/>\n");
}

static void add_graph(cri_text *text, const cr_moves *moves, int stride)
{
    double low = 0, high = 1, turn = 0.2;
    for (int i = 0; i < moves->node_count; i++) {
        low = fmin(low, moves->nodes[i].motion.u);
        high = fmax(high, moves->nodes[i].motion.u);
        turn = fmax(turn, fabs(moves->nodes[i].motion.w));
    }
    frame_of_view view = make_view(0, low, high, -turn, turn);
    for (int n = 0; n < moves->node_count; n++) {
        for (int i = 0; i < moves->nodes[n].way_count; i++) {
            int way = moves->nodes[n].way + i;
            if (way % stride == 0) {
                add_arrow(text, moves, &view, n, &moves->moves[moves->ways[way].move]);
            }
        }
    }
    add_nodes(text, moves, &view);
    cri_text_add(
        text,
        "<text x=\"%g\" y=\"%g\" font-size=\"12\">forward speed %.1f to %.1f m/s; yaw rate "
        "up to %.2f rad/s</text>\n",
        BORDER, HEIGHT - 8, low, high, turn);
}

static void add_ways(cri_text *text, const cr_moves *moves, int stride)
{
    double reach = 1;
    for (int i = 0; i < moves->move_count; i++) {
        reach = fmax(reach, fmax(fabs(moves->moves[i].x), fabs(moves->moves[i].y)));
    }
    frame_of_view view = make_view(WIDTH, -reach / 2, reach / 2, -reach * 0.1, reach);
    view.scale_x = view.scale_y = fmin(view.scale_x, view.scale_y);
    for (int i = 0; i < moves->move_count; i += stride) {
        add_way(text, moves, &view, &moves->moves[i]);
    }
    cri_text_add(text, "<text x=\"%g\" y=\"%g\" font-size=\"12\">%d moves, up to %.0f m</text>\n",
                 WIDTH + BORDER, HEIGHT - 8, moves->move_count, reach);
}

cr_status cr_moves_write_svg(const cr_moves *moves, const char *path, cr_report *report)
{
    int stride = 1 + moves->way_count / 4000; // a picture of more is only black
    cri_text text = {0};
    cri_text_add(&text,
                 "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 %g %g\" "
                 "font-family=\"sans-serif\">\n<rect width=\"100%%\" height=\"100%%\" "
                 "fill=\"white\"/>\n",
                 2 * WIDTH, HEIGHT);
    add_graph(&text, moves, stride);
    add_ways(&text, moves, stride);
    cri_text_add(&text, "</svg>\n");
    cr_status status =
        text.failed ? cri_fail_memory(report) : cr_file_write(path, text.data, text.length, report);
    cri_text_free(&text);
    return status;
}
