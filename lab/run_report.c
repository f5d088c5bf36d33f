// How tables of runs are shown: Markdown on stdout, NAME.csv and SVG figures in a folder.
#include "lab/run_cells.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "lab/figure.h"
#include "lab/statistics.h"

static const double Z = 1.959963984540054; // of the normal distribution, 2.5% beyond it

int64_t cell_done(const run_cell *c)
{
    int64_t done = 0;
    for (int i = 0; i < c->trials; i++) {
        done += c->done[i].index > 0;
    }
    return done;
}

double cell_sum(const run_cell *c, trial_value what)
{
    double sum = 0;
    for (int i = 0; i < c->trials; i++) {
        sum += c->done[i].values[what]; // 0 where it is not done
    }
    return sum;
}

estimate cell_share(const run_cell *c, trial_value what, trial_value of)
{
    double hits = cell_sum(c, what);
    double all = of == TRIAL_VALUES ? (double)cell_done(c) : cell_sum(c, of);
    bounds b = share_bounds((int64_t)hits, (int64_t)all);
    return (estimate){all > 0 ? hits / all : 0, b.low, b.high};
}

// The variance of the mean of what each trial is off by: y - ratio x, over the mean of x.
static estimate ratio(const run_cell *c, trial_value what, trial_value over)
{
    double n = (double)cell_done(c), sum = cell_sum(c, what), squares = 0;
    double all = over == TRIAL_VALUES ? n : cell_sum(c, over);
    if (!(all > 0)) {
        return (estimate){0};
    }
    double mean = sum / all;
    for (int i = 0; i < c->trials; i++) {
        const trial *t = &c->done[i];
        double weight = over == TRIAL_VALUES ? 1 : t->values[over];
        double off = t->values[what] - mean * weight;
        squares += t->index > 0 ? off * off : 0;
    }
    double half = n > 1 ? Z * sqrt(squares * n / (n - 1)) / all : 0;
    return (estimate){mean, fmax(0, mean - half), mean + half};
}

estimate cell_mean(const run_cell *c, trial_value what)
{
    return ratio(c, what, TRIAL_VALUES);
}

estimate cell_ratio(const run_cell *c, trial_value what, trial_value over)
{
    return ratio(c, what, over);
}

double cell_performance(const run_cells *list, const run_cell *c)
{
    double most = 1e-9, longest = 1e-9;
    for (int i = 0; i < list->count; i++) {
        const run_cell *other = &list->items[i];
        if (strcmp(other->scene, c->scene) == 0) {
            most = fmax(most, cell_share(other, TRIAL_COLLIDED, TRIAL_PLANNINGS).mean);
            longest = fmax(longest, cell_mean(other, TRIAL_STEPS).mean);
        }
    }
    double hits = cell_share(c, TRIAL_COLLIDED, TRIAL_PLANNINGS).mean / most;
    return (1 - hits) * (1 - cell_mean(c, TRIAL_STEPS).mean / longest);
}

// ---------------------------------------------------------------------------------------------
// Tables.

static void print_share(estimate e)
{
    printf(" %.1f%% (%.1f-%.1f) |", 100 * e.mean, 100 * e.low, 100 * e.high);
}

static void print_estimate(estimate e, int digits)
{
    printf(" %.*f (%.*f-%.*f) |", digits, e.mean, digits, e.low, digits, e.high);
}

// "apart": the interval does not touch that of the row it is compared with.
static void print_apart(estimate e, estimate other)
{
    const char *word = e.low > other.high ? "above" : (e.high < other.low ? "below" : "overlap");
    printf(" %s |", word);
}

static void print_head(const run_table_row *row)
{
    static const char *const heads[] = {
        "held (95%) | against | reached | steps planned | steps ranked |",
        "reached | collided intervals (95%) | steps planned (95%) | against | performance |",
        ("held (95%) | searches solved | steps a solved search (95%) | against | turning, rad/s "
         "(95%) | against |")};
    static const int columns[] = {5, 5, 6};
    printf("\n### %s\n\n| scene | how | trials | %s %s |\n|---|---|---|", row->title,
           heads[row->columns], row->published_head);
    for (int i = 0; i <= columns[row->columns]; i++) {
        printf("---|");
    }
    printf("\n");
}

static void print_held(const run_cell *c, const run_cell *other)
{
    estimate held = cell_share(c, TRIAL_CLEAN, TRIAL_VALUES);
    print_share(held);
    if (other) {
        print_apart(held, cell_share(other, TRIAL_CLEAN, TRIAL_VALUES));
    } else {
        printf(" - |");
    }
    printf(" %.0f | %.0f | %.0f |", cell_sum(c, TRIAL_GOAL), cell_mean(c, TRIAL_STEPS).mean,
           cell_mean(c, TRIAL_RANKING_STEPS).mean);
}

static void print_detail(const run_cells *list, const run_cell *c, const run_cell *other)
{
    estimate steps = cell_mean(c, TRIAL_STEPS);
    printf(" %.0f |", cell_sum(c, TRIAL_GOAL));
    print_share(cell_share(c, TRIAL_COLLIDED, TRIAL_PLANNINGS));
    print_estimate(steps, 0);
    if (other) {
        print_apart(steps, cell_mean(other, TRIAL_STEPS));
    } else {
        printf(" - |");
    }
    printf(" %.3f |", cell_performance(list, c));
}

static void print_follow(const run_cell *c, const run_cell *other)
{
    print_share(cell_share(c, TRIAL_CLEAN, TRIAL_VALUES));
    printf(" %.0f |", cell_sum(c, TRIAL_SOLVED));
    static const struct {
        trial_value what, over;
        int digits;
    } ratios[] = {{TRIAL_SOLVED_STEPS, TRIAL_SOLVED, 0}, {TRIAL_TURNING, TRIAL_SECONDS, 2}};
    for (int i = 0; i < 2; i++) {
        estimate e = cell_ratio(c, ratios[i].what, ratios[i].over);
        print_estimate(e, ratios[i].digits);
        if (other) {
            print_apart(e, cell_ratio(other, ratios[i].what, ratios[i].over));
        } else {
            printf(" - |");
        }
    }
}

static void print_row(const run_table_row *row, const run_cells *list, int index)
{
    const run_cell *c = &list->items[index];
    const run_cell *other = c->against > 0 ? c - c->against : NULL;
    printf("| %s | `%s` | %lld |", c->scene, c->words, (long long)cell_done(c));
    switch (row->columns) {
    case RUN_HELD:
        print_held(c, other);
        break;
    case RUN_DETAIL:
        print_detail(list, c, other);
        break;
    case RUN_FOLLOW:
        print_follow(c, other);
        break;
    }
    printf(" %s |\n", c->published);
}

static void write_rows(FILE *file, const run_cells *list)
{
    fprintf(file, "scene,how,x,trials,reached,held,held_low,held_high,collided,collided_low,"
                  "collided_high,steps,steps_low,steps_high,performance\n");
    for (int i = 0; i < list->count; i++) {
        const run_cell *c = &list->items[i];
        estimate held = cell_share(c, TRIAL_CLEAN, TRIAL_VALUES);
        estimate hits = cell_share(c, TRIAL_COLLIDED, TRIAL_PLANNINGS);
        estimate steps = cell_mean(c, TRIAL_STEPS);
        fprintf(file, "%s,%s,%g,%lld,%.0f,%.4f,%.4f,%.4f,%.4f,%.4f,%.4f,%.0f,%.0f,%.0f,%.4f\n",
                c->scene, c->words, c->x, (long long)cell_done(c), cell_sum(c, TRIAL_GOAL),
                held.mean, held.low, held.high, hits.mean, hits.low, hits.high, steps.mean,
                steps.low, steps.high, cell_performance(list, c));
    }
}

static int write_csv(const run_table_row *row, const run_cells *list, const char *folder)
{
    char path[1024];
    snprintf(path, sizeof path, "%s/%s.csv", folder, row->name);
    outfile out;
    FILE *file = outfile_open(&out, path);
    if (!file) {
        return EXIT_INTERNAL;
    }
    write_rows(file, list);
    return outfile_close(&out);
}

// ---------------------------------------------------------------------------------------------
// Figures: a panel a scene and quantity.

typedef enum panel { PANEL_COLLISIONS, PANEL_STEPS, PANEL_PERFORMANCE, PANEL_HELD } panel;

static void add_cell(series *s, const run_cells *list, const run_cell *c, panel what)
{
    estimate e = {0};
    switch (what) {
    case PANEL_COLLISIONS:
        e = cell_share(c, TRIAL_COLLIDED, TRIAL_PLANNINGS);
        break;
    case PANEL_STEPS:
        e = cell_mean(c, TRIAL_STEPS);
        break;
    case PANEL_PERFORMANCE:
        add_point(s, c->x, cell_performance(list, c));
        return;
    case PANEL_HELD:
        e = cell_share(c, TRIAL_CLEAN, TRIAL_VALUES);
        break;
    }
    add_barred_point(s, c->x, e.mean, e.low, e.high);
}

static int draw(const run_table_row *row, const run_cells *list, const char *scene, panel what,
                const char *folder)
{
    static const char *const labels[] = {"collided intervals", "steps planned a trial",
                                         "performance", "held"};
    static const char *const files[] = {"collisions", "steps", "performance", "held"};
    figure f = {.title = row->title, .x_label = row->x_label, .y_label = labels[what]};
    char name[96];
    series *s = NULL;
    for (int i = 0; i < list->count; i++) {
        const run_cell *c = &list->items[i];
        if (strcmp(c->scene, scene) != 0) {
            continue;
        }
        if (!s || strcmp(s->name, c->line) != 0) {
            s = f.count < LINES_MAX ? add_series(&f, c->line, "") : s;
        }
        add_cell(s, list, c, what);
    }
    snprintf(name, sizeof name, "%s-%s-%s", row->name, scene, files[what]);
    return write_figure(&f, folder, name);
}

static int draw_all(const run_table_row *row, const run_cells *list, const char *folder)
{
    int code = -1;
    for (int i = 0; i < list->count && code < 0; i++) {
        const char *scene = list->items[i].scene;
        if (i > 0 && strcmp(scene, list->items[i - 1].scene) == 0) {
            continue;
        }
        panel first = row->columns == RUN_DETAIL ? PANEL_COLLISIONS : PANEL_HELD;
        panel last = row->columns == RUN_DETAIL ? PANEL_PERFORMANCE : PANEL_HELD;
        for (panel what = first; what <= last && code < 0; what++) {
            code = draw(row, list, scene, what, folder);
        }
    }
    return code;
}

int run_table_report(const run_table_row *row, const run_cells *list, const char *folder)
{
    print_head(row);
    for (int i = 0; i < list->count; i++) {
        print_row(row, list, i);
    }
    printf("\n");
    int code = write_csv(row, list, folder);
    return code < 0 && *row->x_label ? draw_all(row, list, folder) : code;
}
