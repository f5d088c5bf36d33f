// Whether the published shapes hold in a table of runs: each is a number that is measured over the
// table's trials, with the interval that drawing trials again gives (bootstrap, percentiles). A
// trial's start and noise are the same in all cells, so a draw takes a trial in all of them.
#include "lab/run_cells.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { DRAWS = 2000, LINES = 8, TRIALS_MAX = 256, TRIALS_MIN = 10 };

// What a draw of trials makes of a cell.
typedef struct point {
    double hits;  // share of the intervals with a collision
    double steps; // planned, the mean
    double held;  // share of the trials
    double performance;
} point;

// The cells of one line of a figure.
typedef struct line {
    int first, end;
    double value; // the number in its name
} line;

typedef struct sample {
    const run_cells *list;
    line lines[LINES];
    int line_count;
    point points[RUN_CELLS_MAX];
} sample;

// Which side of the bar a number must lie on, with all of its interval.
typedef enum side { ABOVE, BELOW, AROUND } side;

// A number of the whole table, or one of each line, whose mean counts. NAN: not of this line.
typedef struct shape {
    const char *tables; // its name; with * behind it, how their names begin
    const char *text;
    double (*of_all)(const sample *s);
    double (*of_line)(const sample *s, const line *l);
    side side;
    double bar;
    int digits;
} shape;

// ---------------------------------------------------------------------------------------------
// Lines.

static void find_lines(sample *s)
{
    const run_cells *list = s->list;
    for (int i = 0; i < list->count; i++) {
        const char *name = list->items[i].line;
        if (i > 0 && strcmp(name, list->items[i - 1].line) == 0) {
            s->lines[s->line_count - 1].end = i + 1;
        } else if (s->line_count < LINES) {
            const char *number = strpbrk(name, "0123456789");
            s->lines[s->line_count++] = (line){i, i + 1, number ? atof(number) : 0};
        }
    }
}

// The x at which a line is highest.
static double best_x(const sample *s, const line *l)
{
    int best = l->first;
    for (int i = l->first; i < l->end; i++) {
        best = s->points[i].performance > s->points[best].performance ? i : best;
    }
    return s->list->items[best].x;
}

// Of the best x over the line's value, in the lines from this one on.
static double slope_from(const sample *s, int first)
{
    double n = s->line_count - first, x = 0, y = 0, up = 0, down = 0;
    for (int i = first; i < s->line_count; i++) {
        x += s->lines[i].value / n;
        y += best_x(s, &s->lines[i]) / n;
    }
    for (int i = first; i < s->line_count; i++) {
        double off = s->lines[i].value - x;
        up += off * (best_x(s, &s->lines[i]) - y);
        down += off * off;
    }
    return down > 0 ? up / down : NAN;
}

static double slope(const sample *s)
{
    return slope_from(s, 0);
}

// ---------------------------------------------------------------------------------------------
// 003, figure 9.6: a line an uncertainty, over the replanning interval.

static double slope_above_0(const sample *s)
{
    return slope_from(s, 1);
}

static double collisions_grow(const sample *s, const line *l)
{
    return s->points[l->end - 1].hits - s->points[l->first].hits;
}

static double collisions_of_first(const sample *s)
{
    return collisions_grow(s, &s->lines[0]);
}

static double collisions_of_others(const sample *s, const line *l)
{
    return l->value > 0 ? collisions_grow(s, l) : NAN;
}

// How much better half a second is than another point of the line.
static double half_over(const sample *s, const line *l, int other)
{
    for (int i = l->first; i < l->end && l->value > 0; i++) {
        if (s->list->items[i].x == 0.5) {
            return s->points[i].performance - s->points[other].performance;
        }
    }
    return NAN;
}

static double half_over_last(const sample *s, const line *l)
{
    return half_over(s, l, l->end - 1);
}

static double half_over_first(const sample *s, const line *l)
{
    return half_over(s, l, l->first);
}

// ---------------------------------------------------------------------------------------------
// 003, figure 9.7: a line an interval, over t_LOD; the last is full detail.

// The first point whose t_LOD is above the interval.
static int just_above(const sample *s, const line *l)
{
    int at = l->first;
    while (at + 1 < l->end && s->list->items[at].x <= l->value) {
        at++;
    }
    return at;
}

static bool begins_below(const sample *s, const line *l)
{
    return s->list->items[l->first].x < l->value;
}

static double over_full(const sample *s, const line *l)
{
    return s->points[just_above(s, l)].performance - s->points[l->end - 1].performance;
}

static double over_below(const sample *s, const line *l)
{
    double above = s->points[just_above(s, l)].performance;
    return begins_below(s, l) ? above - s->points[l->first].performance : NAN;
}

static double collides_below(const sample *s, const line *l)
{
    double above = s->points[just_above(s, l)].hits;
    return begins_below(s, l) ? s->points[l->first].hits - above : NAN;
}

// Of the best t_LOD over the interval, as a factor.
static double best_ratio(const sample *s, const line *l)
{
    return best_x(s, l) / l->value;
}

// Between full detail and t_LOD at the interval itself, of half a second.
static const point *half_second(const sample *s, const line *l, int *full)
{
    *full = l->end - 1;
    for (int i = l->first; i < l->end && l->value == 0.5; i++) {
        if (s->list->items[i].x == 0.5) {
            return &s->points[i];
        }
    }
    return NULL;
}

static double steps_saved(const sample *s, const line *l)
{
    int full;
    const point *p = half_second(s, l, &full);
    return p ? 1 - p->steps / s->points[full].steps : NAN;
}

static double collisions_added(const sample *s, const line *l)
{
    int full;
    const point *p = half_second(s, l, &full);
    return p ? p->hits - s->points[full].hits : NAN;
}

// The table that has these points alone: full detail first, t_LOD at the interval last.
static double detail_saved(const sample *s)
{
    return 1 - s->points[s->list->count - 1].steps / s->points[0].steps;
}

static double detail_added(const sample *s)
{
    return s->points[s->list->count - 1].hits - s->points[0].hits;
}

// ---------------------------------------------------------------------------------------------
// 003, 7.4: past the bar.

// What the first noise above none costs.
static double noise_costs(const sample *s, const line *l)
{
    return s->points[l->first + 1].held - s->points[l->first].held;
}

static double most_noise_costs(const sample *s, const line *l)
{
    return s->points[l->end - 1].held - s->points[l->first].held;
}

// Of the second half of the table: the robust ones.
static double ranked_held(const sample *s)
{
    int half = s->list->count / 2;
    double sum = 0;
    for (int i = half; i < s->list->count; i++) {
        sum += s->points[i].held;
    }
    return half > 0 ? sum / (s->list->count - half) : NAN;
}

static double ranking_gains(const sample *s)
{
    int half = s->list->count / 2;
    double sum = 0;
    for (int i = 0; i < half; i++) {
        sum += s->points[i].held;
    }
    return half > 0 ? ranked_held(s) - sum / half : NAN;
}

static const shape shapes[] = {
    {"figure-9.6", "the best interval shrinks as uncertainty grows: slope, s", slope, NULL, BELOW,
     0, 2},
    {"figure-9.6", "and among uncertainties above 0: slope, s", slope_above_0, NULL, BELOW, 0, 2},
    {"figure-9.6",
     "without uncertainty the interval does not change collisions: longest - shortest",
     collisions_of_first, NULL, AROUND, 0, 3},
    {"figure-9.6", "with it they grow with the interval: collided, longest - shortest", NULL,
     collisions_of_others, ABOVE, 0, 3},
    {"figure-9.6", "with it half a second is better than the longest: performance, 0.5 s - longest",
     NULL, half_over_last, ABOVE, 0, 3},
    {"figure-9.6", "and than the shortest: performance, 0.5 s - shortest", NULL, half_over_first,
     ABOVE, 0, 3},
    {"figure-9.7*",
     "level of detail pays: performance, t_LOD just above the interval - full detail", NULL,
     over_full, ABOVE, 0, 3},
    {"figure-9.7*", "just above the interval is better than far below: performance, above - 0.3 s",
     NULL, over_below, ABOVE, 0, 3},
    {"figure-9.7*", "the best t_LOD grows with the interval: slope", slope, NULL, ABOVE, 0, 2},
    {"figure-9.7*", "and is a little above it: best t_LOD / interval", NULL, best_ratio, ABOVE, 1,
     2},
    {"figure-9.7*", "below the interval collisions grow: collided, 0.3 s - just above", NULL,
     collides_below, ABOVE, 0, 3},
    {"figure-9.7", "at 0.5 s t_LOD 0.5 saves half of the steps of full detail: share saved", NULL,
     steps_saved, ABOVE, 0.5, 3},
    {"figure-9.7", "and leaves collisions as they are: collided, t_LOD 0.5 - full detail", NULL,
     collisions_added, AROUND, 0, 3},
    {"detail", "t_LOD at the interval saves half of the steps of full detail: share saved",
     detail_saved, NULL, ABOVE, 0.5, 3},
    {"detail", "and leaves collisions as they are: collided, t_LOD 0.5 - full detail", detail_added,
     NULL, AROUND, 0, 3},
    {"figure-7.10", "10% noise on the bar's speed costs successes: held, 10% - none", NULL,
     noise_costs, BELOW, 0, 3},
    {"figure-7.10", "and 30% more: held, 30% - none", NULL, most_noise_costs, BELOW, 0, 3},
    {"table-7.3", "ranked, at least as many hold as on the robot (73%): held", ranked_held, NULL,
     ABOVE, 0.73, 3},
    {"table-7.3", "more than of first solutions: held, ranked - first", ranking_gains, NULL, ABOVE,
     0, 3},
};

enum { SHAPES = sizeof shapes / sizeof shapes[0] };

// ---------------------------------------------------------------------------------------------
// Drawing trials.

static point weigh_cell(const run_cell *c, const int *weights)
{
    double n = 0, intervals = 0, collided = 0, steps = 0, held = 0;
    for (int i = 0; i < c->trials && i < TRIALS_MAX; i++) {
        const double *v = c->done[i].values;
        double w = c->done[i].index > 0 ? weights[i] : 0;
        n += w;
        intervals += w * v[TRIAL_INTERVALS];
        collided += w * v[TRIAL_COLLIDED];
        steps += w * v[TRIAL_STEPS];
        held += w * v[TRIAL_CLEAN];
    }
    n = fmax(n, 1);
    return (point){collided / fmax(intervals, 1), steps / n, held / n, 0};
}

// 003, 9.2.1. All cells of a figure are of one scene.
static void weigh(sample *s, const int *weights)
{
    double most = 1e-9, longest = 1e-9;
    for (int i = 0; i < s->list->count; i++) {
        s->points[i] = weigh_cell(&s->list->items[i], weights);
        most = fmax(most, s->points[i].hits);
        longest = fmax(longest, s->points[i].steps);
    }
    for (int i = 0; i < s->list->count; i++) {
        point *p = &s->points[i];
        p->performance = (1 - p->hits / most) * (1 - p->steps / longest);
    }
}

static int trial_count(const run_cells *list)
{
    int least = TRIALS_MAX;
    for (int i = 0; i < list->count; i++) {
        int done = (int)cell_done(&list->items[i]);
        least = done < least ? done : least;
    }
    return least;
}

// Draw 0 is the trials as they are.
static void draw(int number, int trials, int *weights)
{
    cr_rng rng = cr_rng_make(1, CR_RNG_USER, (uint64_t)number);
    for (int i = 0; i < trials; i++) {
        weights[i] = number == 0;
    }
    for (int i = 0; i < trials && number > 0; i++) {
        weights[cr_rng_index(&rng, (uint64_t)trials)]++;
    }
}

static int by_size(const void *a, const void *b)
{
    const double *x = a, *y = b;
    return (*x > *y) - (*x < *y);
}

// The first value is that of the trials as they are.
static estimate between(double *values)
{
    double mean = values[0];
    qsort(values + 1, DRAWS, sizeof *values, by_size);
    return (estimate){mean, values[1 + DRAWS / 40], values[DRAWS - DRAWS / 40]};
}

// ---------------------------------------------------------------------------------------------
// Telling.

// What a shape comes to in every draw, in all lines together and in each.
typedef struct outcome {
    double all[DRAWS + 1];
    double lines[LINES][DRAWS + 1];
} outcome;

static bool is_of(const shape *h, const run_table_row *row)
{
    size_t length = strcspn(h->tables, "*");
    bool all = h->tables[length] == '*';
    return all ? strncmp(row->name, h->tables, length) == 0 : strcmp(row->name, h->tables) == 0;
}

static void measure(const shape *h, const sample *s, int number, outcome *o)
{
    double sum = 0;
    int counted = 0;
    for (int i = 0; i < s->line_count && h->of_line; i++) {
        double value = o->lines[i][number] = h->of_line(s, &s->lines[i]);
        sum += isnan(value) ? 0 : value;
        counted += !isnan(value);
    }
    o->all[number] = h->of_all ? h->of_all(s) : (counted > 0 ? sum / counted : NAN);
}

static const char *verdict(const shape *h, estimate e)
{
    bool above = e.low > h->bar, below = e.high < h->bar;
    switch (h->side) {
    case ABOVE:
        return above ? "holds" : (below ? "does NOT hold" : "not told apart");
    case BELOW:
        return below ? "holds" : (above ? "does NOT hold" : "not told apart");
    case AROUND:
        return above || below ? "does NOT hold" : "holds";
    }
    return "";
}

static void print_estimate(FILE *out, const shape *h, estimate e)
{
    fprintf(out, "%.*f (%.*f to %.*f)", h->digits, e.mean, h->digits, e.low, h->digits, e.high);
}

// Each line by itself, where there are several.
static void print_lines(FILE *out, const shape *h, const sample *s, outcome *o)
{
    int told = 0;
    for (int i = 0; i < s->line_count && h->of_line; i++) {
        told += !isnan(o->lines[i][0]);
    }
    const char *comma = "";
    for (int i = 0; i < s->line_count && told > 1; i++) {
        if (!isnan(o->lines[i][0])) {
            estimate own = between(o->lines[i]);
            fprintf(out, "%s %s: ", comma, s->list->items[s->lines[i].first].line);
            print_estimate(out, h, own);
            fprintf(out, " %s", verdict(h, own));
            comma = ";";
        }
    }
}

static void print_shape(FILE *out, const shape *h, const sample *s, outcome *o)
{
    if (isnan(o->all[0])) {
        return;
    }
    estimate e = between(o->all);
    fprintf(out, "| %s | ", h->text);
    print_estimate(out, h, e);
    fprintf(out, " | %s |", verdict(h, e));
    print_lines(out, h, s, o);
    fprintf(out, " |\n");
}

static void print_all(FILE *out, const run_table_row *row, sample *s, int trials, outcome *outcomes)
{
    int weights[TRIALS_MAX] = {0};
    for (int number = 0; number <= DRAWS; number++) {
        draw(number, trials, weights);
        weigh(s, weights);
        for (int h = 0; h < SHAPES; h++) {
            if (is_of(&shapes[h], row)) {
                measure(&shapes[h], s, number, &outcomes[h]);
            }
        }
    }
    fprintf(out, "| published shape | %d trials a point (95%%) | | by line |\n|---|---|---|---|\n",
            trials);
    for (int h = 0; h < SHAPES; h++) {
        if (is_of(&shapes[h], row)) {
            print_shape(out, &shapes[h], s, &outcomes[h]);
        }
    }
    fprintf(out, "\n");
}

void run_shapes_print(FILE *out, const run_table_row *row, const run_cells *list)
{
    int trials = trial_count(list);
    bool any = false;
    for (int h = 0; h < SHAPES; h++) {
        any |= is_of(&shapes[h], row);
    }
    outcome *outcomes = any && trials >= TRIALS_MIN ? calloc(SHAPES, sizeof *outcomes) : NULL;
    if (outcomes) {
        sample s = {.list = list};
        find_lines(&s);
        print_all(out, row, &s, trials, outcomes);
        free(outcomes);
    }
}
