// The race line: offsets from the centre line that make the way bend as little as possible.
//
// The integral of squared curvature, sum |p[i-1] - 2 p[i] + p[i+1]|^2 / h^3 with h the distance of
// points, is minimised by relaxation, first on every 16th gate, then on ever more, with the offsets
// held within the walls less half a car and a margin.
#include "drive/line.h"

#include <math.h>
#include <stdlib.h>

#include "base/vec.h"

#define ROOM   1.5 // m from the middle of the car to a wall: half its width and some slip
#define SWEEPS 200 // per level
#define RELAX  1.3 // a little more than needed converges sooner

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

static double distance(const cri_line *line, int a, int b)
{
    double dx = line->x[b] - line->x[a], dy = line->y[b] - line->y[a];
    return sqrt(dx * dx + dy * dy);
}

// The second difference at b, scaled by the spacing, as it pulls at a gate's direction: times
// `share`, the weight of the moved point in it.
typedef struct strain {
    double pull, stiffness;
} strain;

static void add_bend(strain *sum, const cri_line *line, const cri_gate *g, const int at[3],
                     int moved)
{
    int a = at[0], b = at[1], c = at[2];
    if (a == b || b == c) {
        return; // past an open end
    }
    double h1 = fmax(distance(line, a, b), 0.1), h2 = fmax(distance(line, b, c), 0.1);
    // Curvature vector: 2 ((c-b)/h2 - (b-a)/h1) / (h1+h2); its square counts with (h1+h2)/2.
    double kx = (line->x[c] - line->x[b]) / h2 - (line->x[b] - line->x[a]) / h1;
    double ky = (line->y[c] - line->y[b]) / h2 - (line->y[b] - line->y[a]) / h1;
    double weight = 2 / (h1 + h2);
    double share = moved == 0 ? 1 / h1 : (moved == 2 ? 1 / h2 : -(1 / h1 + 1 / h2));
    sum->pull += weight * share * (-g->ty * kx + g->tx * ky);
    sum->stiffness += weight * share * share;
}

// Move one point along its gate to where the bending around it is least.
static void relax(const cr_track *track, cri_line *line, int i, int stride)
{
    int at[5];
    for (int k = 0; k < 5; k++) {
        at[k] = wrap(line, i + (k - 2) * stride);
    }
    const cri_gate *g = &track->gates[i];
    strain sum = {0, 0};
    add_bend(&sum, line, g, at, 2);
    add_bend(&sum, line, g, at + 1, 1);
    add_bend(&sum, line, g, at + 2, 0);
    if (sum.stiffness > 0) {
        double offset = line->offset[i] - RELAX * sum.pull / sum.stiffness;
        line->offset[i] = keep_inside(g, offset);
        place(track, line, i);
    }
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
    int end = wrap(line, line->count);
    line->x[line->count] = line->x[end];
    line->y[line->count] = line->y[end];
    line->offset[line->count] = line->offset[end];
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

cr_status cri_line_through(const cr_vec2 *points, int count, cri_line **out, cr_report *report)
{
    cri_line *line = *out = allocate(count, true);
    if (!line) {
        return cri_fail_memory(report);
    }
    for (int i = 0; i < count; i++) {
        line->x[i] = points[i].x;
        line->y[i] = points[i].y;
    }
    measure(line);
    return CR_OK;
}
