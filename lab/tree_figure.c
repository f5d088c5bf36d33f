// Balanced growth trees under several sizes and mu (003, figure 5.4). Time goes to the right, a
// branch is a line, and branches that end stand below each other in the order in which they hang
// together:
//
//     root ----+---------- leaf          x = steps from the start
//              +----+----- leaf          y = place of the leaf; of others, the middle of what
//                   +----- leaf              hangs on them
#include "lab/side_tables.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "terminal/scenes.h"

enum { PANEL_WIDTH = 240, PANEL_HEIGHT = 170, MARGIN = 24 };

static const double mus[] = {1, 10, 100, 1000};
static const int sizes[] = {500, 2000, 8000};
enum { MUS = sizeof mus / sizeof mus[0], SIZES = sizeof sizes / sizeof sizes[0] };

// A tree as it is drawn: places of its branches, and what bgt balances.
typedef struct drawing {
    int64_t count, leaves;
    double *y;      // by branch
    int64_t *order; // branches, each before what hangs on it, subtree by subtree
    double leaf_depth, branching;
    double deepest; // steps
} drawing;

static void free_drawing(drawing *d)
{
    free(d->y);
    free(d->order);
}

static void count_tree(const cr_planner *planner, drawing *d)
{
    int64_t parents = 0;
    for (int64_t b = 0; b < d->count; b++) {
        cr_branch branch = cr_planner_branch(planner, b);
        double depth = (double)branch.depth;
        bool leaf = branch.children == 0;
        d->leaves += leaf;
        parents += !leaf;
        d->leaf_depth += leaf ? depth : 0;
        d->deepest = depth > d->deepest ? depth : d->deepest;
    }
    d->leaf_depth /= (double)d->leaves;
    d->branching = parents > 0 ? (double)(d->count - 1) / (double)parents : 1;
}

// Depth first, by a walk over all branches for each that has some: trees here are small.
static int64_t walk(const cr_planner *planner, drawing *d, int64_t branch, int64_t at)
{
    d->order[at++] = branch;
    int64_t left = cr_planner_branch(planner, branch).children;
    for (int64_t b = branch + 1; b < d->count && left > 0; b++) {
        if (cr_planner_branch(planner, b).parent == branch) {
            at = walk(planner, d, b, at);
            left--;
        }
    }
    return at;
}

static void place_branches(const cr_planner *planner, drawing *d)
{
    int64_t leaf = 0;
    walk(planner, d, 0, 0);
    for (int64_t i = 0; i < d->count; i++) {
        int64_t b = d->order[i];
        bool ends = cr_planner_branch(planner, b).children == 0;
        d->y[b] = ends ? ((double)leaf++ + 0.5) / (double)d->leaves : 0;
    }
    for (int64_t i = d->count - 1; i > 0; i--) { // what hangs on it has its place by then
        int64_t b = d->order[i], parent = cr_planner_branch(planner, b).parent;
        d->y[parent] += d->y[b] / (double)cr_planner_branch(planner, parent).children;
    }
}

static bool make_drawing(const cr_planner *planner, drawing *d)
{
    size_t count = (size_t)cr_planner_branch_count(planner);
    *d = (drawing){.count = (int64_t)count,
                   .y = calloc(count, sizeof *d->y),
                   .order = calloc(count, sizeof *d->order)};
    if (!d->y || !d->order) {
        return false;
    }
    count_tree(planner, d);
    place_branches(planner, d);
    return true;
}

static void draw(FILE *file, const cr_planner *planner, const drawing *d, int row, int column)
{
    double left = MARGIN + column * (PANEL_WIDTH + MARGIN);
    double top = 2 * MARGIN + row * (PANEL_HEIGHT + 2 * MARGIN);
    const cr_planner_def *def = cr_planner_get_def(planner);
    fprintf(file,
            "<text x=\"%.0f\" y=\"%.0f\">mu %g, %lld nodes: depth %.0f, branching %.2f</text>\n"
            "<path fill=\"none\" stroke=\"#1f77b4\" stroke-width=\"0.6\" d=\"",
            left, top - 6, def->mu, (long long)def->nodes, d->leaf_depth, d->branching);
    for (int64_t b = 1; b < d->count; b++) {
        cr_branch branch = cr_planner_branch(planner, b);
        double to = (double)branch.depth, from = to - (double)branch.steps;
        double scale = PANEL_WIDTH / (d->deepest > 0 ? d->deepest : 1);
        fprintf(file, "M%.1f %.1fL%.1f %.1f", left + from * scale,
                top + d->y[branch.parent] * PANEL_HEIGHT, left + to * scale,
                top + d->y[b] * PANEL_HEIGHT);
    }
    fprintf(file, "\"/>\n");
}

// ---------------------------------------------------------------------------------------------

typedef struct sheet {
    cr_model *model;
    FILE *svg, *csv;
} sheet;

static void print_tree(FILE *file, const cr_planner_def *def, const drawing *d)
{
    fprintf(file, "%g,%lld,%lld,%lld,%.1f,%.3f,%.2f,%.0f\n", def->mu, (long long)def->nodes,
            (long long)d->count, (long long)d->leaves, d->leaf_depth, d->branching,
            d->leaf_depth / d->branching, d->deepest);
}

static int grow_tree(const sheet *s, int row, int column)
{
    cr_report report = {0};
    cr_planner *planner = NULL;
    cr_planner_def def = cr_model_planner_def(s->model);
    def.select = "bgt";
    def.mu = mus[row];
    def.nodes = sizes[column];
    def.round = 1;
    def.threads = 1;
    def.solutions = 100000; // no goal ends it
    cr_status status = cr_planner_create(s->model, &def, &planner, &report);
    drawing d = {0};
    int code = status == CR_OK ? -1 : report_print(status, &report);
    if (code < 0) {
        cr_planner_grow(planner, NULL);
        code = make_drawing(planner, &d) ? -1 : EXIT_INTERNAL;
    }
    if (code < 0) {
        draw(s->svg, planner, &d, row, column);
        print_tree(s->csv, &def, &d);
        print_tree(stdout, &def, &d);
    }
    free_drawing(&d);
    cr_planner_destroy(planner);
    return code;
}

static int grow_trees(const sheet *s, bool quick)
{
    static const char head[] =
        "mu,nodes,branches,leaves,mean_leaf_depth,mean_branching,ratio,deepest\n";
    int code = -1;
    fputs(head, s->csv);
    fputs(head, stdout);
    fprintf(s->svg,
            "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 %d %d\" "
            "font-family=\"sans-serif\" font-size=\"12\">\n"
            "<rect width=\"100%%\" height=\"100%%\" fill=\"white\"/>\n",
            MARGIN + SIZES * (PANEL_WIDTH + MARGIN), MARGIN + MUS * (PANEL_HEIGHT + 2 * MARGIN));
    for (int row = 0; row < (quick ? 2 : MUS); row++) {
        for (int column = 0; column < (quick ? 1 : SIZES) && code < 0; column++) {
            code = grow_tree(s, row, column);
        }
    }
    fprintf(s->svg, "</svg>\n");
    return code;
}

static int load_model(const char *name, cr_model **model)
{
    cr_report report = {0};
    cr_scene *scene = NULL;
    char *path = scene_find(name);
    cr_status status = path ? cr_scene_read(path, &scene, &report) : CR_ERR_MEMORY;
    if (status == CR_OK) {
        status = cr_model_create(scene, NULL, 0, model, &report);
    }
    cr_scene_destroy(scene);
    free(path);
    return status == CR_OK ? -1 : report_print(status, &report);
}

int tree_figure(const run_tables_def *def)
{
    sheet s = {0};
    outfile svg, csv;
    char drawn_path[1000], path[1000];
    int code = load_model("navigation/u-shape", &s.model);
    if (code >= 0) {
        return code;
    }
    mkdir(def->folder, 0777); // it may be there
    snprintf(drawn_path, sizeof drawn_path, "%s/figure-5.4.svg", def->folder);
    s.svg = outfile_open(&svg, drawn_path);
    snprintf(path, sizeof path, "%s/figure-5.4.csv", def->folder);
    s.csv = s.svg ? outfile_open(&csv, path) : NULL;
    code = s.csv ? grow_trees(&s, def->quick) : EXIT_INTERNAL;
    int closed = s.csv ? outfile_close(&csv) : -1;
    int drawn = s.svg ? outfile_close(&svg) : -1;
    cr_model_destroy(s.model);
    code = code >= 0 ? code : closed >= 0 ? closed : drawn;
    return code < 0 ? EXIT_DONE : code;
}
