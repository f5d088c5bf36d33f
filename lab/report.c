// How experiments are shown: Markdown tables on stdout, SVG figures in a folder.
#include "lab/experiment.h"

#include <stdio.h>
#include <string.h>

#include "lab/figure.h"
#include "lab/statistics.h"

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
    printf("| domain | method | grows from | searches | time (s) | nodes | steps | solved (95%%) | "
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

// One of the four panels: success or time, over mu or over the share.
static int draw_sweep(const cells *list, const records *all, const char *extra, const char *folder,
                      int panel)
{
    static const char *const names[] = {"figure-6.13-mu-success", "figure-6.13-mu-nodes",
                                        "figure-6.13-share-success", "figure-6.13-share-nodes"};
    bool shares = panel >= 2, nodes = panel % 2;
    figure f = {.title = nodes ? "Nodes" : "Success",
                .x_label = shares ? "share of bgt choices" : "mu",
                .y_label = nodes ? "nodes" : "% solved",
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
        add_point(s, c->x, nodes ? sum.nodes : 100.0 * sum.solved / (sum.runs ? sum.runs : 1));
    }
    return write_figure(&f, folder, names[panel]);
}

int experiment_report(const experiment *e, const cells *list, const records *all, const char *extra,
                      const char *folder)
{
    printf("\n### %s\n\n", e->title);
    int code = print_table(e, list, all, extra);
    printf("\n");
    if (code < 0 && list->items[0].growth) {
        return draw_growth(e, list, all, extra, folder);
    }
    for (int panel = 0; panel < 4 && code < 0 && strcmp(e->name, "figure-6.13") == 0; panel++) {
        code = draw_sweep(list, all, extra, folder, panel);
    }
    return code;
}
