// The race line: offsets from the centre line that make the way bend as little as possible.
//
// The sum of squared second differences of the points is minimised by relaxation, first on every
// 16th gate, then on ever more, with the offsets held within the walls less half a car and a
// margin.
#include "drive/line.h"

#include <math.h>
#include <stdlib.h>

#include "base/vec.h"

#define ROOM   1.5 // m from the middle of the car to a wall: half its width and some slip
#define SWEEPS 120 // per level

void cri_line_destroy(cri_line *line)
{
    if (line) {
        free(line->offset);
        free(line->x);
        free(line->y);
        free(line->along);
        free(line->curvature);
        free(line);
    }
}

static int wrap(const cri_line *line, int i)
{
    if (line->closed) {
        return (i % line->count + line->count) % line->count;
    }
    return i < 0 ? 0 : (i >= line->count ? line->count - 1 : i);
}

static void place(const cr_track *track, cri_line *line, int i)
{
    const cri_gate *g = &track->gates[i];
    line->x[i] = g->x - g->ty * line->offset[i];
    line->y[i] = g->y + g->tx * line->offset[i];
}

static double keep_inside(const cri_gate *g, double offset)
{
    double high = fmax(g->left - ROOM, 0), low = -fmax(g->right - ROOM, 0);
    return cri_clamp(offset, low, high);
}

// Move one point along its gate to where the bending around it is least.
static void relax(const cr_track *track, cri_line *line, int i, int stride)
{
    int a = wrap(line, i - 2 * stride), b = wrap(line, i - stride);
    int d = wrap(line, i + stride), e = wrap(line, i + 2 * stride);
    double bx = line->x[a] - 4 * line->x[b] + 6 * line->x[i] - 4 * line->x[d] + line->x[e];
    double by = line->y[a] - 4 * line->y[b] + 6 * line->y[i] - 4 * line->y[d] + line->y[e];
    const cri_gate *g = &track->gates[i];
    double pull = (-g->ty * bx + g->tx * by) / 6;
    line->offset[i] = keep_inside(g, line->offset[i] - 1.4 * pull);
    place(track, line, i);
}

// Offsets between two points of a level: on a straight line between theirs.
static void fill_between(const cr_track *track, cri_line *line, int from, int stride)
{
    int to = wrap(line, from + stride);
    for (int k = 1; k < stride && from + k < line->count; k++) {
        double t = (double)k / stride;
        double offset = line->offset[from] + t * (line->offset[to] - line->offset[from]);
        line->offset[from + k] = keep_inside(&track->gates[from + k], offset);
        place(track, line, from + k);
    }
}

static void smooth(const cr_track *track, cri_line *line)
{
    for (int stride = line->count > 64 ? 16 : 1; stride >= 1; stride /= 2) {
        for (int sweep = 0; sweep < SWEEPS; sweep++) {
            for (int i = 0; i < line->count; i += stride) {
                relax(track, line, i, stride);
            }
        }
        for (int i = 0; i < line->count; i += stride) {
            fill_between(track, line, i, stride);
        }
    }
}

// Curvature of the circle through three points, left positive.
static double bend(const cri_line *line, int a, int b, int c)
{
    double ux = line->x[b] - line->x[a], uy = line->y[b] - line->y[a];
    double vx = line->x[c] - line->x[b], vy = line->y[c] - line->y[b];
    double wx = line->x[c] - line->x[a], wy = line->y[c] - line->y[a];
    double area = ux * vy - uy * vx;
    double sides = sqrt((ux * ux + uy * uy) * (vx * vx + vy * vy) * (wx * wx + wy * wy));
    return sides > 0 ? 2 * area / sides : 0;
}

static void measure(cri_line *line)
{
    int last = line->closed ? line->count : line->count - 1;
    for (int i = 1; i <= last; i++) {
        int at = wrap(line, i);
        double dx = line->x[at] - line->x[i - 1], dy = line->y[at] - line->y[i - 1];
        line->along[i] = line->along[i - 1] + sqrt(dx * dx + dy * dy);
    }
    line->length = line->along[last];
    for (int i = 0; i < line->count; i++) {
        line->curvature[i] = bend(line, wrap(line, i - 1), i, wrap(line, i + 1));
    }
    line->curvature[line->count] = line->closed ? line->curvature[0] : 0;
}

static cri_line *allocate(int count, bool closed)
{
    cri_line *line = calloc(1, sizeof *line);
    if (!line) {
        return NULL;
    }
    size_t size = (size_t)count + 1;
    line->count = count;
    line->closed = closed;
    line->offset = calloc(size, sizeof *line->offset);
    line->x = calloc(size, sizeof *line->x);
    line->y = calloc(size, sizeof *line->y);
    line->along = calloc(size, sizeof *line->along);
    line->curvature = calloc(size, sizeof *line->curvature);
    if (!line->offset || !line->x || !line->y || !line->along || !line->curvature) {
        cri_line_destroy(line);
        return NULL;
    }
    return line;
}

cr_status cri_line_create(const cr_track *track, cri_line **out, cr_report *report)
{
    cri_line *line = allocate(track->gate_count, track->closed);
    *out = line;
    if (!line) {
        return cri_fail_memory(report);
    }
    for (int i = 0; i < line->count; i++) {
        place(track, line, i);
    }
    smooth(track, line);
    measure(line);
    return CR_OK;
}
