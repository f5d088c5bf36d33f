// Walls in a grid of square cells, and boxes against them.
//
// A cell lists every wall that passes through it, so a box need only look at the cells it covers.
// Before that, one number a cell settles most questions: a box whose circle is smaller than the
// cell's clearance touches nothing.
#include "drive/track.h"

#include <math.h>
#include <stdlib.h>

#include "base/vec.h"

#define CELL_SIZE 2.0     // m, doubled until the cells are few enough
#define MAX_CELLS 4000000 // about 40 MB

void cri_grid_free(cri_grid *grid)
{
    free(grid->first);
    free(grid->walls);
    free(grid->clear);
    *grid = (cri_grid){0};
}

static void size_grid(cri_grid *grid, const cr_track *track)
{
    double low_x = HUGE_VAL, low_y = HUGE_VAL, high_x = -HUGE_VAL, high_y = -HUGE_VAL;
    for (int i = 0; i < track->wall_count; i++) {
        const cri_drive_wall *w = &track->walls[i];
        low_x = fmin(low_x, fmin(w->x0, w->x1));
        high_x = fmax(high_x, fmax(w->x0, w->x1));
        low_y = fmin(low_y, fmin(w->y0, w->y1));
        high_y = fmax(high_y, fmax(w->y0, w->y1));
    }
    grid->size = CELL_SIZE;
    while ((high_x - low_x + 8) / grid->size * ((high_y - low_y + 8) / grid->size) > MAX_CELLS) {
        grid->size *= 2;
    }
    grid->x = low_x - 2 * grid->size;
    grid->y = low_y - 2 * grid->size;
    grid->columns = (int)((high_x - low_x) / grid->size) + 5;
    grid->rows = (int)((high_y - low_y) / grid->size) + 5;
}

static int column_of(const cri_grid *grid, double x)
{
    return (int)cri_clamp((x - grid->x) / grid->size, 0, grid->columns - 1);
}

static int row_of(const cri_grid *grid, double y)
{
    return (int)cri_clamp((y - grid->y) / grid->size, 0, grid->rows - 1);
}

static double point_wall(double px, double py, const cri_drive_wall *w)
{
    double dx = w->x1 - w->x0, dy = w->y1 - w->y0, length2 = dx * dx + dy * dy;
    double t = length2 > 0 ? ((px - w->x0) * dx + (py - w->y0) * dy) / length2 : 0;
    t = cri_clamp(t, 0, 1);
    double ex = px - w->x0 - t * dx, ey = py - w->y0 - t * dy;
    return sqrt(ex * ex + ey * ey);
}

// Cells within reach of a wall.
typedef struct patch {
    int column0, column1, row0, row1;
} patch;

static patch patch_around(const cri_grid *grid, const cri_drive_wall *w, double reach)
{
    return (patch){
        column_of(grid, fmin(w->x0, w->x1) - reach), column_of(grid, fmax(w->x0, w->x1) + reach),
        row_of(grid, fmin(w->y0, w->y1) - reach), row_of(grid, fmax(w->y0, w->y1) + reach)};
}

static double cell_distance(const cri_grid *grid, int column, int row, const cri_drive_wall *w)
{
    double x = grid->x + (column + 0.5) * grid->size, y = grid->y + (row + 0.5) * grid->size;
    return point_wall(x, y, w);
}

// Half the diagonal of a cell, and a little: no point of a cell is farther from its middle.
static double cell_radius(const cri_grid *grid)
{
    return grid->size * 0.70711;
}

static void lower_clearance(cri_grid *grid, const cri_drive_wall *w)
{
    patch p = patch_around(grid, w, CRI_GRID_SEES);
    for (int row = p.row0; row <= p.row1; row++) {
        for (int column = p.column0; column <= p.column1; column++) {
            double d = cell_distance(grid, column, row, w) - cell_radius(grid);
            float *clear = &grid->clear[row * grid->columns + column];
            *clear = (float)fmin((double)*clear, fmax(d, 0) * 0.999999);
        }
    }
}

// Count (list NULL) or list the walls of each cell.
static void visit_cells(cri_grid *grid, const cr_track *track, int *count, int *list)
{
    for (int i = 0; i < track->wall_count; i++) {
        patch p = patch_around(grid, &track->walls[i], 0);
        for (int row = p.row0; row <= p.row1; row++) {
            for (int column = p.column0; column <= p.column1; column++) {
                if (cell_distance(grid, column, row, &track->walls[i]) > cell_radius(grid)) {
                    continue;
                }
                int cell = row * grid->columns + column;
                if (list) {
                    list[count[cell]] = i;
                }
                count[cell]++;
            }
        }
    }
}

// first[] holds counts, then ends, then, filled from behind, beginnings.
static cr_status list_walls(cri_grid *grid, const cr_track *track, cr_report *report)
{
    int cells = grid->columns * grid->rows;
    visit_cells(grid, track, grid->first, NULL);
    int64_t total = 0;
    for (int i = 0; i < cells; i++) {
        int count = grid->first[i];
        grid->first[i] = (int)total;
        total += count;
    }
    if (total > 200000000) {
        return cri_fail(report, CR_ERR_RANGE, (cri_location){0}, "the track's walls are too long");
    }
    grid->walls = malloc(((size_t)total + 1) * sizeof *grid->walls);
    if (!grid->walls) {
        return cri_fail_memory(report);
    }
    visit_cells(grid, track, grid->first, grid->walls);
    for (int i = cells; i > 0; i--) {
        grid->first[i] = grid->first[i - 1];
    }
    grid->first[0] = 0;
    return CR_OK;
}

cr_status cri_grid_build(cr_track *track, cr_report *report)
{
    cri_grid *grid = &track->grid;
    size_grid(grid, track);
    size_t cells = (size_t)grid->columns * (size_t)grid->rows;
    grid->first = calloc(cells + 1, sizeof *grid->first);
    grid->clear = malloc(cells * sizeof *grid->clear);
    if (!grid->first || !grid->clear) {
        return cri_fail_memory(report);
    }
    for (size_t i = 0; i < cells; i++) {
        grid->clear[i] = (float)(CRI_GRID_SEES - cell_radius(grid));
    }
    for (int i = 0; i < track->wall_count; i++) {
        lower_clearance(grid, &track->walls[i]);
    }
    return list_walls(grid, track, report);
}

// ---------------------------------------------------------------------------------------------
// Boxes

// Separating axes: the box's two and the wall's normal.
static bool box_hits_wall(const cri_box *b, const cri_drive_wall *w)
{
    double ax = w->x0 - b->x, ay = w->y0 - b->y, bx = w->x1 - b->x, by = w->y1 - b->y;
    double ua = b->c * ax + b->s * ay, ub = b->c * bx + b->s * by;
    if ((ua > b->half_length && ub > b->half_length) ||
        (ua < -b->half_length && ub < -b->half_length)) {
        return false;
    }
    double va = b->c * ay - b->s * ax, vb = b->c * by - b->s * bx;
    if ((va > b->half_width && vb > b->half_width) ||
        (va < -b->half_width && vb < -b->half_width)) {
        return false;
    }
    double du = ub - ua, dv = vb - va;
    double reach = fabs(dv) * b->half_length + fabs(du) * b->half_width;
    return fabs(ua * dv - va * du) <= reach;
}

// The cells that a box may touch.
static patch patch_of(const cri_grid *grid, const cri_box *b)
{
    double rx = fabs(b->c) * b->half_length + fabs(b->s) * b->half_width;
    double ry = fabs(b->s) * b->half_length + fabs(b->c) * b->half_width;
    return (patch){column_of(grid, b->x - rx), column_of(grid, b->x + rx), row_of(grid, b->y - ry),
                   row_of(grid, b->y + ry)};
}

bool cri_track_hits(const cr_track *track, const cri_box *box)
{
    const cri_grid *grid = &track->grid;
    int home = row_of(grid, box->y) * grid->columns + column_of(grid, box->x);
    double clear = (double)grid->clear[home];
    if (clear * clear > box->half_length * box->half_length + box->half_width * box->half_width) {
        return false;
    }
    patch p = patch_of(grid, box);
    for (int row = p.row0; row <= p.row1; row++) {
        for (int column = p.column0; column <= p.column1; column++) {
            int cell = row * grid->columns + column;
            for (int i = grid->first[cell]; i < grid->first[cell + 1]; i++) {
                if (box_hits_wall(box, &track->walls[grid->walls[i]])) {
                    return true;
                }
            }
        }
    }
    return false;
}

static double box_point(const cri_box *b, double x, double y)
{
    double dx = x - b->x, dy = y - b->y;
    double u = fmax(fabs(b->c * dx + b->s * dy) - b->half_length, 0);
    double v = fmax(fabs(b->c * dy - b->s * dx) - b->half_width, 0);
    return sqrt(u * u + v * v);
}

// Ends of the wall to the box, corners of the box to the wall.
static double box_wall(const cri_box *b, const cri_drive_wall *w)
{
    if (box_hits_wall(b, w)) {
        return 0;
    }
    double best = fmin(box_point(b, w->x0, w->y0), box_point(b, w->x1, w->y1));
    for (int i = 0; i < 4; i++) {
        double u = (i & 1) ? b->half_length : -b->half_length;
        double v = (i & 2) ? b->half_width : -b->half_width;
        best = fmin(best, point_wall(b->x + b->c * u - b->s * v, b->y + b->s * u + b->c * v, w));
    }
    return best;
}

double cri_track_clearance(const cr_track *track, const cri_box *box, double most)
{
    cri_box wide = *box;
    wide.half_length += most;
    wide.half_width += most;
    const cri_grid *grid = &track->grid;
    patch p = patch_of(grid, &wide);
    double best = most;
    for (int row = p.row0; row <= p.row1; row++) {
        for (int column = p.column0; column <= p.column1; column++) {
            int cell = row * grid->columns + column;
            for (int i = grid->first[cell]; i < grid->first[cell + 1]; i++) {
                best = fmin(best, box_wall(box, &track->walls[grid->walls[i]]));
            }
        }
    }
    return best;
}

static bool apart_along(const cri_box *a, const cri_box *b)
{
    double dx = b->x - a->x, dy = b->y - a->y;
    double c = fabs(a->c * b->c + a->s * b->s), s = fabs(a->c * b->s - a->s * b->c);
    double u = fabs(a->c * dx + a->s * dy), v = fabs(a->c * dy - a->s * dx);
    return u > a->half_length + c * b->half_length + s * b->half_width ||
           v > a->half_width + s * b->half_length + c * b->half_width;
}

bool cri_boxes_touch(const cri_box *a, const cri_box *b)
{
    return !apart_along(a, b) && !apart_along(b, a);
}

// ---------------------------------------------------------------------------------------------
// Crossings

static double side(const cri_drive_wall *w, double x, double y)
{
    return (w->x1 - w->x0) * (y - w->y0) - (w->y1 - w->y0) * (x - w->x0);
}

// Strictly: walls that only share an end or touch do not cross.
static bool walls_cross(const cri_drive_wall *a, const cri_drive_wall *b)
{
    return side(a, b->x0, b->y0) * side(a, b->x1, b->y1) < 0 &&
           side(b, a->x0, a->y0) * side(b, a->x1, a->y1) < 0;
}

// A side wall that crosses a step of the centre line, or -1. The wall across the start of an open
// track is none: the line begins on it.
static int wall_across(const cr_track *track, const cri_drive_wall *step)
{
    const cri_grid *grid = &track->grid;
    int sides = track->wall_count - (track->closed ? 0 : 1);
    patch p = patch_around(grid, step, 0);
    for (int row = p.row0; row <= p.row1; row++) {
        for (int column = p.column0; column <= p.column1; column++) {
            int cell = row * grid->columns + column;
            for (int i = grid->first[cell]; i < grid->first[cell + 1]; i++) {
                int wall = grid->walls[i];
                if (wall < sides && walls_cross(step, &track->walls[wall])) {
                    return wall;
                }
            }
        }
    }
    return -1;
}

cri_crossing cri_grid_cut(const cr_track *track)
{
    int steps = track->closed ? track->gate_count : track->gate_count - 1;
    for (int i = 0; i < steps; i++) {
        const cri_gate *a = &track->gates[i], *b = a + 1;
        int wall = wall_across(track, &(cri_drive_wall){a->x, a->y, b->x, b->y});
        if (wall >= 0) {
            return (cri_crossing){i, wall};
        }
    }
    return (cri_crossing){-1, -1};
}

cri_crossing cri_grid_crossing(const cr_track *track)
{
    const cri_grid *grid = &track->grid;
    for (int cell = 0; cell < grid->columns * grid->rows; cell++) {
        for (int i = grid->first[cell]; i < grid->first[cell + 1]; i++) {
            for (int j = grid->first[cell]; j < i; j++) {
                int a = grid->walls[j], b = grid->walls[i];
                if (walls_cross(&track->walls[a], &track->walls[b])) {
                    return (cri_crossing){a, b};
                }
            }
        }
    }
    return (cri_crossing){-1, -1};
}
