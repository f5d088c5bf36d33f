// How tables of runs are shown: Markdown on stdout, NAME.csv and SVG figures in a folder.
#include "lab/run_cells.h"

#include <stdio.h>
#include <string.h>

#include "lab/figure.h"

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
        "reached | collided intervals (95%) | steps planned (95%) | against | performance (95%) |",
        ("held (95%) | searches solved | steps a solved search (95%) | against | turning, rad/s "
         "(95%) | against |"),
        "stuck (95%) | against | collided intervals (95%) | steps planned (95%) |"};
    static const int columns[] = {5, 5, 6, 4};
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
    print_share(cell_ratio(c, TRIAL_COLLIDED, TRIAL_INTERVALS));
    print_estimate(steps, 0);
    if (other) {
        print_apart(steps, cell_mean(other, TRIAL_STEPS));
    } else {
        printf(" - |");
    }
    print_estimate(cell_performance(list, c), 3);
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

static estimate stuck(const run_cell *c)
{
    estimate reached = cell_share(c, TRIAL_GOAL, TRIAL_VALUES);
    return (estimate){1 - reached.mean, 1 - reached.high, 1 - reached.low};
}

static void print_stuck(const run_cell *c, const run_cell *other)
{
    print_share(stuck(c));
    if (other) {
        print_apart(stuck(c), stuck(other));
    } else {
        printf(" - |");
    }
    print_share(cell_ratio(c, TRIAL_COLLIDED, TRIAL_INTERVALS));
    print_estimate(cell_mean(c, TRIAL_STEPS), 0);
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
    case RUN_STUCK:
        print_stuck(c, other);
        break;
    }
    printf(" %s |\n", c->published);
}

static void print_performance(const run_cells *list, const run_cell *c)
{
    estimate e = cell_performance(list, c);
    printf(" %g: %.3f (%.3f-%.3f) |", c->x, e.mean, e.low, e.high);
}

// The cells of one line of a figure begin at `first`; returns the first of the next line.
static int print_line(const run_cells *list, int first)
{
    const run_cell *c = &list->items[first], *best = c;
    int end = first;
    for (; end < list->count && strcmp(list->items[end].line, c->line) == 0 &&
           strcmp(list->items[end].scene, c->scene) == 0;
         end++) {
        const run_cell *other = &list->items[end];
        bool better = cell_performance(list, other).mean > cell_performance(list, best).mean;
        best = better ? other : best;
    }
    printf("| %s | %s |", c->scene, c->line);
    print_performance(list, best);
    print_performance(list, c);
    print_performance(list, &list->items[end - 1]);
    printf("\n");
    return end;
}

// Where the lines of a figure are highest.
static void print_best(const run_table_row *row, const run_cells *list)
{
    printf("| scene | line | best %s: performance (95%%) | first | last |\n|---|---|---|---|---|\n",
           row->x_label);
    for (int at = 0; at < list->count;) {
        at = print_line(list, at);
    }
    printf("\n");
}

static void write_rows(FILE *file, const run_cells *list)
{
    fprintf(file, "scene,how,x,trials,reached,held,held_low,held_high,collided,collided_low,"
                  "collided_high,steps,steps_low,steps_high,performance,performance_low,"
                  "performance_high\n");
    for (int i = 0; i < list->count; i++) {
        const run_cell *c = &list->items[i];
        estimate held = cell_share(c, TRIAL_CLEAN, TRIAL_VALUES);
        estimate hits = cell_ratio(c, TRIAL_COLLIDED, TRIAL_INTERVALS);
        estimate steps = cell_mean(c, TRIAL_STEPS), best = cell_performance(list, c);
        fprintf(file,
                "%s,%s,%g,%lld,%.0f,%.4f,%.4f,%.4f,%.4f,%.4f,%.4f,%.0f,%.0f,%.0f,%.4f,%.4f,%.4f\n",
                c->scene, c->words, c->x, (long long)cell_done(c), cell_sum(c, TRIAL_GOAL),
                held.mean, held.low, held.high, hits.mean, hits.low, hits.high, steps.mean,
                steps.low, steps.high, best.mean, best.low, best.high);
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
        e = cell_ratio(c, TRIAL_COLLIDED, TRIAL_INTERVALS);
        break;
    case PANEL_STEPS:
        e = cell_mean(c, TRIAL_STEPS);
        break;
    case PANEL_PERFORMANCE:
        e = cell_performance(list, c);
        break;
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
    if (row->columns == RUN_DETAIL && *row->x_label) {
        print_best(row, list);
    }
    run_shapes_print(stdout, row, list);
    int code = write_csv(row, list, folder);
    return code < 0 && *row->x_label ? draw_all(row, list, folder) : code;
}
