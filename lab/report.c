// How experiments are shown: Markdown tables on stdout, SVG figures in a folder.
#include "lab/experiment.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "lab/statistics.h"

// ---------------------------------------------------------------------------------------------
// Figures: lines in a frame.

typedef struct series {
    char name[64];
    int count;
    double x[POINTS_MAX], y[POINTS_MAX];
    double low[POINTS_MAX], high[POINTS_MAX]; // the interval of y; both y: none
} series;

typedef struct figure {
    const char *title, *x_label, *y_label;
    bool log_x;
    int count;
    series lines[8];
} figure;

enum { WIDTH = 640, HEIGHT = 400, LEFT = 70, RIGHT = 150, TOP = 40, BOTTOM = 50 };

static double scale_x(const figure *f, double x)
{
    return f->log_x ? log10(x) : x;
}

typedef struct frame {
    double x0, x1, y1;
} frame;

static frame frame_of(const figure *f)
{
    frame r = {HUGE_VAL, -HUGE_VAL, 1e-9};
    for (int i = 0; i < f->count; i++) {
        for (int k = 0; k < f->lines[i].count; k++) {
            r.x0 = fmin(r.x0, scale_x(f, f->lines[i].x[k]));
            r.x1 = fmax(r.x1, scale_x(f, f->lines[i].x[k]));
            r.y1 = fmax(r.y1, f->lines[i].high[k]);
        }
    }
    if (!(r.x1 > r.x0)) {
        r = (frame){0, 1, r.y1};
    }
    return r;
}

static double place_x(const frame *r, double x)
{
    return LEFT + (x - r->x0) / (r->x1 - r->x0) * (WIDTH - LEFT - RIGHT);
}

static double place_y(const frame *r, double y)
{
    return HEIGHT - BOTTOM - y / r->y1 * (HEIGHT - TOP - BOTTOM);
}

static void write_axes(FILE *file, const figure *f, const frame *r)
{
    for (int i = 0; i <= 4; i++) {
        double x = r->x0 + (r->x1 - r->x0) * i / 4, y = r->y1 * i / 4;
        fprintf(file,
                "<text x=\"%.1f\" y=\"%d\" text-anchor=\"middle\">%.3g</text>\n"
                "<text x=\"%d\" y=\"%.1f\" text-anchor=\"end\">%.3g</text>\n"
                "<line x1=\"%d\" x2=\"%d\" y1=\"%.1f\" y2=\"%.1f\" stroke=\"#ddd\"/>\n",
                place_x(r, x), HEIGHT - BOTTOM + 18, f->log_x ? pow(10, x) : x, LEFT - 6,
                place_y(r, y) + 4, y, LEFT, WIDTH - RIGHT, place_y(r, y), place_y(r, y));
    }
    fprintf(file,
            "<text x=\"%d\" y=\"24\" font-size=\"15\">%s</text>\n"
            "<text x=\"%d\" y=\"%d\" text-anchor=\"middle\">%s</text>\n"
            "<text transform=\"translate(16,%d) rotate(-90)\" text-anchor=\"middle\">%s</text>\n",
            LEFT, f->title, (LEFT + WIDTH - RIGHT) / 2, HEIGHT - 12, f->x_label, HEIGHT / 2,
            f->y_label);
}

// A line through its points, with an upright stroke for the interval of each, and its name.
static void write_series(FILE *file, const figure *f, const frame *r, int index, const char *color)
{
    const series *s = &f->lines[index];
    fprintf(file, "<polyline fill=\"none\" stroke=\"%s\" stroke-width=\"2\" points=\"", color);
    for (int k = 0; k < s->count; k++) {
        fprintf(file, "%.1f,%.1f ", place_x(r, scale_x(f, s->x[k])), place_y(r, s->y[k]));
    }
    fprintf(file, "\"/>\n<text x=\"%d\" y=\"%d\" fill=\"%s\">%s</text>\n", WIDTH - RIGHT + 10,
            TOP + 10 + 18 * index, color, s->name);
    for (int k = 0; k < s->count; k++) {
        double x = place_x(r, scale_x(f, s->x[k])) + 2 * index; // beside those of other lines
        if (s->high[k] > s->low[k]) {
            fprintf(file,
                    "<line x1=\"%.1f\" x2=\"%.1f\" y1=\"%.1f\" y2=\"%.1f\" stroke=\"%s\" "
                    "opacity=\"0.5\"/>\n",
                    x, x, place_y(r, s->low[k]), place_y(r, s->high[k]), color);
        }
    }
}

static int write_figure(const figure *f, const char *folder, const char *name)
{
    static const char *const colors[] = {"#1f77b4", "#d62728", "#2ca02c", "#9467bd",
                                         "#ff7f0e", "#8c564b", "#17becf", "#7f7f7f"};
    char path[1024];
    snprintf(path, sizeof path, "%s/%s.svg", folder, name);
    outfile out;
    FILE *file = outfile_open(&out, path);
    if (!file) {
        return EXIT_INTERNAL;
    }
    frame r = frame_of(f);
    fprintf(file,
            "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 %d %d\" "
            "font-family=\"sans-serif\" font-size=\"12\">\n"
            "<rect width=\"100%%\" height=\"100%%\" fill=\"white\"/>\n",
            WIDTH, HEIGHT);
    write_axes(file, f, &r);
    for (int i = 0; i < f->count; i++) {
        write_series(file, f, &r, i, colors[i]);
    }
    fprintf(file, "</svg>\n");
    int code = outfile_close(&out);
    if (code < 0) {
        printf("figure: %s\n", shown(path));
    }
    return code;
}

static series *add_series(figure *f, const char *first, const char *second)
{
    series *s = &f->lines[f->count++];
    s->count = 0;
    snprintf(s->name, sizeof s->name, "%s%s", first, second);
    return s;
}

static void add_point(series *s, double x, double y)
{
    if (s->count < POINTS_MAX) {
        s->low[s->count] = s->high[s->count] = y;
        s->x[s->count] = x;
        s->y[s->count++] = y;
    }
}

// A share of the searches in percent, with its 95% interval.
static void add_share(series *s, double x, const summary *of)
{
    bounds b = share_bounds(of->solved, of->runs);
    add_point(s, x, 100.0 * of->solved / (of->runs ? of->runs : 1));
    s->low[s->count - 1] = 100 * b.low;
    s->high[s->count - 1] = 100 * b.high;
}

// ---------------------------------------------------------------------------------------------
// Tables.

// "41% (32-51)": of the searches, and where the probability lies with 95% confidence.
static void print_solved(const summary *s)
{
    bounds i = share_bounds(s->solved, s->runs);
    printf("%.0f%% (%.0f-%.0f)", s->runs > 0 ? 100.0 * s->solved / s->runs : 0, 100 * i.low,
           100 * i.high);
}

// "+ p 0.003": solved more or less often than the row it is compared with, and how often chance
// alone would make so large a difference.
static void print_test(const summary *s, const summary *other)
{
    if (!other) {
        printf("-");
        return;
    }
    double p = same_share(s->solved, s->runs, other->solved, other->runs);
    double more = (double)s->solved * other->runs - (double)other->solved * s->runs;
    const char *sign = more > 0 ? "more" : (more < 0 ? "fewer" : "as many");
    if (p < 1e-4) {
        printf("%s, p < 0.0001", sign);
    } else {
        printf("%s, p %.2g", sign, p);
    }
}

static void print_row(const cell *c, const summary *s, const summary *other)
{
    printf("| %s | %s | %s | %d | %.2f ± %.2f | %.0f ± %.0f | %.0f ± %.0f | ", c->domain, c->method,
           c->grows, s->runs, s->seconds, s->seconds_spread, s->nodes, s->nodes_spread, s->steps,
           s->steps_spread);
    print_solved(s);
    printf(" | ");
    print_test(s, other);
    printf(" | %s |\n", c->published);
}

static int print_table(const experiment *e, const cells *list, const records *all,
                       const char *extra)
{
    summary rows[CELLS_MAX];
    printf("| domain | method | grows from | searches | processor time (s) | nodes | steps | "
           "solved (95%%) | "
           "%s | %s |\n|---|---|---|---|---|---|---|---|---|---|\n",
           e->test_head, e->published_head);
    for (int i = 0; i < list->count; i++) {
        char key[KEY_MAX];
        const cell *c = &list->items[i];
        if (!cell_key(c, extra, key)) {
            return EXIT_FILE;
        }
        rows[i] = summarize(all, c, key, c->runs);
        print_row(c, &rows[i], c->against > 0 ? &rows[i - c->against] : NULL);
    }
    return -1;
}

// ---------------------------------------------------------------------------------------------
// What each figure shows.

static void grow_series(const records *all, const char *key, double (*value)(const record *),
                        series *s)
{
    for (int i = 0; i < all->count; i++) {
        if (strcmp(all->items[i].key, key) == 0) {
            if (s->count > 0 && all->items[i].nodes < s->x[s->count - 1]) {
                s->count = 0; // a search that was killed began again
            }
            add_point(s, all->items[i].nodes, value(&all->items[i]));
        }
    }
}

static double select_of(const record *r)
{
    return r->select;
}

static double behavior_of(const record *r)
{
    return r->behavior;
}

static double engine_of(const record *r)
{
    return r->engine;
}

static int draw_growth(const experiment *e, const cells *list, const records *all,
                       const char *extra, const char *folder)
{
    figure f = {.title = e->title, .x_label = "nodes in the tree", .y_label = "seconds"};
    char key[KEY_MAX];
    for (int i = 0; i < list->count; i++) {
        if (!cell_key(&list->items[i], extra, key)) {
            return EXIT_FILE;
        }
        grow_series(all, key, select_of, add_series(&f, list->items[i].method, ", selection"));
        if (e->variant == 1) {
            grow_series(all, key, behavior_of, add_series(&f, "Skills and Tactics", ""));
            grow_series(all, key, engine_of, add_series(&f, "engine", ""));
        }
    }
    return write_figure(&f, folder, e->name);
}

// One of the six panels of 003, figure 6.13 but c: time, success or nodes, over mu or over the
// share.
static int draw_sweep(const cells *list, const records *all, const char *extra, const char *folder,
                      int panel)
{
    static const char *const names[] = {"time", "success", "nodes"};
    static const char *const titles[] = {"Time", "Success", "Nodes"};
    static const char *const labels[] = {"processor time, s", "% solved", "nodes"};
    bool shares = panel >= 3;
    char name[64];
    snprintf(name, sizeof name, "figure-6.13-%s-%s", shares ? "share" : "mu", names[panel % 3]);
    figure f = {.title = titles[panel % 3],
                .x_label = shares ? "share of bgt choices" : "mu",
                .y_label = labels[panel % 3],
                .log_x = !shares};
    series *s = NULL;
    for (int i = 0; i < list->count; i++) {
        const cell *c = &list->items[i];
        char key[KEY_MAX];
        if ((strncmp(c->method, "bgt share", 9) == 0) != shares) {
            continue;
        }
        if (!s || strcmp(s->name, c->domain) != 0) {
            s = add_series(&f, c->domain, "");
        }
        if (!cell_key(c, extra, key)) {
            return EXIT_FILE;
        }
        summary sum = summarize(all, c, key, c->runs);
        if (panel % 3 == 1) {
            add_share(s, c->x, &sum);
        } else {
            add_point(s, c->x, panel % 3 ? sum.nodes : sum.seconds);
        }
    }
    return write_figure(&f, folder, name);
}

// The line of that name, a new one if there is none.
static series *line_of(figure *f, const char *name)
{
    for (int i = 0; i < f->count; i++) {
        if (strcmp(f->lines[i].name, name) == 0) {
            return &f->lines[i];
        }
    }
    return add_series(f, name, "");
}

// Success over what a sweep varies, a line a select.
static int draw_lines(const experiment *e, const cells *list, const records *all, const char *extra,
                      const char *folder)
{
    figure f = {.title = e->title, .x_label = e->x_label, .y_label = "% solved", .log_x = e->log_x};
    for (int i = 0; i < list->count; i++) {
        const cell *c = &list->items[i];
        char key[KEY_MAX];
        if (!c->line[0]) {
            continue;
        }
        if (!cell_key(c, extra, key)) {
            return EXIT_FILE;
        }
        summary sum = summarize(all, c, key, c->runs);
        add_share(line_of(&f, c->line), c->x, &sum);
    }
    return write_figure(&f, folder, e->name);
}

static bool is_first_of_scene(const cells *list, int index)
{
    for (int i = 0; i < index; i++) {
        if (strcmp(list->items[i].scene, list->items[index].scene) == 0) {
            return false;
        }
    }
    return true;
}

// The scenes of a table, and whether they are still what they were when they were frozen.
static void print_scenes(const cells *list)
{
    const char *before = "scenes: ";
    for (int i = 0; i < list->count; i++) {
        cell bare = {.scene = list->items[i].scene};
        cr_scene *scene = is_first_of_scene(list, i) ? cell_scene(&bare) : NULL;
        uint32_t frozen = frozen_hash(bare.scene), hash = scene ? scene_hash(scene) : 0;
        if (scene) {
            printf("%s`%s` @%08x", before, bare.scene, hash);
            printf("%s", !frozen || frozen == hash ? "" : ", changed since it was frozen");
            before = "; ";
        }
        cr_scene_destroy(scene);
    }
    printf("\n\n");
}

int experiment_report(const experiment *e, const cells *list, const records *all, const char *extra,
                      const char *folder)
{
    printf("\n### %s\n\n", e->title);
    int code = print_table(e, list, all, extra);
    printf("\n");
    print_scenes(list);
    if (code < 0 && list->items[0].growth) {
        return draw_growth(e, list, all, extra, folder);
    }
    if (code < 0 && e->x_label) {
        return draw_lines(e, list, all, extra, folder);
    }
    for (int panel = 0; panel < 6 && code < 0 && strcmp(e->name, "figure-6.13") == 0; panel++) {
        code = draw_sweep(list, all, extra, folder, panel);
    }
    return code;
}
