#include "scene/pictures.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

// A lattice over a picture: columns and rows, and how dark each cell is, 0 to 9.
// A picture of which less than one in THINNEST is dark is none.
enum { FINEST = 512, THINNEST = 64, NINE = 9 };

typedef struct lattice {
    int columns, rows;
    double *dark; // malloc, FINEST * FINEST at most
    int count;    // of cells that are at least half dark
} lattice;

static double overlap(double a_low, double a_high, double b_low, double b_high)
{
    double low = a_low > b_low ? a_low : b_low, high = a_high < b_high ? a_high : b_high;
    return high > low ? high - low : 0;
}

// The mean over the part of the picture that a cell lies on.
static double darkness(const cri_bitmap *b, const lattice *l, int column, int row)
{
    double wide = (double)b->width / l->columns, high = (double)b->height / l->rows, sum = 0;
    double left = column * wide, top = row * high;
    for (int y = (int)top; y < b->height && y < top + high; y++) {
        for (int x = (int)left; x < b->width && x < left + wide; x++) {
            sum += b->dark[y * b->width + x] * overlap(x, x + 1, left, left + wide) *
                   overlap(y, y + 1, top, top + high);
        }
    }
    return sum / (wide * high);
}

// Half dark, but for rounding.
static bool is_dark(double dark)
{
    return dark >= NINE / 2.0 - 1e-9;
}

static void lay(const cri_bitmap *b, int columns, lattice *l)
{
    int rows = (int)floor((double)columns * b->height / b->width + 0.5);
    l->columns = columns;
    l->rows = rows > 0 ? rows : 1;
    l->count = 0;
    for (int i = 0; i < l->columns * l->rows; i++) {
        l->dark[i] = darkness(b, l, i % columns, i / columns);
        l->count += is_dark(l->dark[i]);
    }
}

// The lattice whose dark cells are nearest to count in number, the coarser of two; 0 if none has
// any.
static int best_columns(const cri_bitmap *b, int count, lattice *l)
{
    int best = 0, off = 0;
    double most = fmin(FINEST * FINEST / 2.0, THINNEST * (count + 64.0));
    for (int columns = 1; columns <= FINEST; columns++) {
        if ((double)columns * columns * b->height / b->width > most) {
            break;
        }
        lay(b, columns, l);
        bool enough = l->columns * l->rows >= count && l->count > 0;
        if (enough && (best == 0 || abs(l->count - count) < off)) {
            best = columns;
            off = abs(l->count - count);
        }
        if (l->count > 2 * count + 100) {
            break;
        }
    }
    return best;
}

// ---------------------------------------------------------------------------------------------

typedef struct candidate {
    double dark;
    uint32_t order; // of those that are alike: spread over the picture
    int index;
} candidate;

static int darker_first(const void *a, const void *b)
{
    const candidate *x = a, *y = b;
    if (fabs(x->dark - y->dark) > 1e-9) {
        return x->dark > y->dark ? -1 : 1;
    }
    return x->order < y->order ? -1 : x->order > y->order;
}

static int by_index(const void *a, const void *b)
{
    const candidate *x = a, *y = b;
    return x->index < y->index ? -1 : x->index > y->index;
}

static cr_status pick_cells(const lattice *l, int count, cr_vec3 *cells)
{
    int all = l->columns * l->rows;
    candidate *c = malloc((size_t)all * sizeof *c);
    if (!c) {
        return CR_ERR_MEMORY;
    }
    for (int i = 0; i < all; i++) {
        c[i] = (candidate){l->dark[i], (uint32_t)i * 2654435761u, i};
    }
    qsort(c, (size_t)all, sizeof *c, darker_first);
    bool good = c[count - 1].dark > 0;
    qsort(c, (size_t)count, sizeof *c, by_index);
    for (int i = 0; i < count; i++) {
        int column = c[i].index % l->columns, row = c[i].index / l->columns;
        cells[i] = cri_vec3(column - (l->columns - 1) / 2.0, (l->rows - 1) / 2.0 - row, 0);
    }
    free(c);
    return good ? CR_OK : CR_ERR_RANGE;
}

cr_status cri_picture_cells(const cri_bitmap *bitmap, int count, cr_vec3 *cells)
{
    lattice l = {.dark = malloc(sizeof(double) * FINEST * FINEST)};
    if (!l.dark) {
        return CR_ERR_MEMORY;
    }
    int columns = best_columns(bitmap, count, &l);
    cr_status status = CR_ERR_RANGE;
    if (columns > 0) {
        lay(bitmap, columns, &l);
        status = pick_cells(&l, count, cells);
    }
    free(l.dark);
    return status;
}

// ---------------------------------------------------------------------------------------------
// The assignment problem, by shortest augmenting paths (Hungarian method): one after the other is
// given a cell; where it is taken, whoever has it looks for another, along the path of least extra
// cost. u and v are the prices of those who go and of the cells: cost - u - v >= 0, and 0 for who
// has what.

typedef struct assignment {
    const cr_vec3 *from, *cells;
    int count;
    double *u, *v, *least; // count + 1 each; row and column 0 stand for nobody
    int *taken, *way;      // by cell: who has it, and the cell before it on the path
    bool *seen;
} assignment;

static double cost(const assignment *a, int who, int cell)
{
    double x = a->from[who - 1].x - a->cells[cell - 1].x;
    double y = a->from[who - 1].y - a->cells[cell - 1].y;
    return x * x + y * y;
}

// From the last cell on the path: what it costs to go on to each that is not on it, and the next.
static int next_cell(assignment *a, int last, double *step)
{
    int who = a->taken[last], next = 0;
    *step = HUGE_VAL;
    for (int j = 1; j <= a->count; j++) {
        if (a->seen[j]) {
            continue;
        }
        double extra = cost(a, who, j) - a->u[who] - a->v[j];
        if (extra < a->least[j]) {
            a->least[j] = extra;
            a->way[j] = last;
        }
        if (a->least[j] < *step) {
            *step = a->least[j];
            next = j;
        }
    }
    return next;
}

static void raise_prices(assignment *a, double step)
{
    for (int j = 0; j <= a->count; j++) {
        if (a->seen[j]) {
            a->u[a->taken[j]] += step;
            a->v[j] -= step;
        } else {
            a->least[j] -= step;
        }
    }
}

static void give_cell(assignment *a, int who)
{
    int last = 0;
    a->taken[0] = who;
    for (int j = 0; j <= a->count; j++) {
        a->least[j] = HUGE_VAL;
        a->seen[j] = false;
    }
    do {
        double step;
        a->seen[last] = true;
        int next = next_cell(a, last, &step);
        raise_prices(a, step);
        last = next;
    } while (a->taken[last] != 0);
    while (last != 0) { // back along the path, everybody moves on by one
        a->taken[last] = a->taken[a->way[last]];
        last = a->way[last];
    }
}

cr_status cri_assign_cells(const cr_vec3 *from, cr_vec3 *cells, int count)
{
    size_t n = (size_t)count + 1;
    assignment a = {.from = from, .count = count};
    double *numbers = calloc(3 * n, sizeof *numbers);
    int *indices = calloc(2 * n, sizeof *indices);
    cr_vec3 *copy = calloc(n, sizeof *copy);
    a.seen = calloc(n, sizeof *a.seen);
    bool good = numbers && indices && copy && a.seen;
    if (good) {
        memcpy(copy, cells, (size_t)count * sizeof *copy);
        a.cells = copy;
        a.u = numbers, a.v = numbers + n, a.least = numbers + 2 * n;
        a.taken = indices, a.way = indices + n;
        for (int i = 1; i <= count; i++) {
            give_cell(&a, i);
        }
        for (int j = 1; j <= count; j++) {
            cells[a.taken[j] - 1] = copy[j - 1];
        }
    }
    free(numbers);
    free(indices);
    free(copy);
    free(a.seen);
    return good ? CR_OK : CR_ERR_MEMORY;
}
