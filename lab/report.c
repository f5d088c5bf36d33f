// How experiments are shown: Markdown tables on stdout, SVG figures in a folder.
#include "lab/experiment.h"

#include <stdio.h>
#include <string.h>

#include "lab/figure.h"
#include "lab/statistics.h"

// ---------------------------------------------------------------------------------------------
// A share of the searches in percent, with its 95% interval.
static void add_share(series *s, double x, const summary *of)
{
    bounds b = share_bounds(of->solved, of->runs);
    double share = 100.0 * of->solved / (of->runs ? of->runs : 1);
    add_barred_point(s, x, share, 100 * b.low, 100 * b.high);
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
