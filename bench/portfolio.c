// What more processes would gain, on paper: searches are measured, and then drawn from again and
// again. Usage: bench_portfolio SEARCHES FIGURE.svg SCENE.yaml...
//
//     portfolio   each of N processes searches with seeds of its own until one has a solution
//     restarts    the same, and a search is given up after the number of steps that serves best
//     rounds      all N work on one tree, whose round is N times as large: steps / N each, if
//                 nothing is lost between them
//
// Time is counted in steps of one process, which depends on no machine. A search without a solution
// is followed by one with another seed. The first solution of N processes is the least of N draws
// of T, the steps to a solution of one; of M sorted draws t_1 .. t_M with replacement it is
//
//     E min_N = sum_i t_i (((M - i + 1) / M)^N - ((M - i) / M)^N).
//
// With few searches the least of very many draws is the least that was seen: the figure is drawn
// to as many processes as there were searches.
#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "carom/carom.h"
#include "measure.h"

enum { DRAWS = 10000, DEPTHS = 7, RANKS = 11, SCENES_MAX = 40, FIRST_SEED = 100001, ABREAST = 4 };

static const int rounds[DEPTHS] = {18, 36, 72, 144, 288, 576, 1024};

typedef struct run {
    double steps;
    bool solved;
} run;

// The searches of a scene with one round.
typedef struct runs {
    run *items;
    int count, solved;
    double seconds; // of all, of the processor
    double steps;
    size_t bytes; // of a planner
} runs;

typedef struct scene {
    const char *name;
    runs depths[DEPTHS];
    double portfolio[RANKS], restarts[RANKS], deeper[DEPTHS]; // expected steps; 2^i, 2^i, round/18
    double cutoff;                                            // steps, of restarts with one process
} scene;

// ---------------------------------------------------------------------------------------------
// Measuring.

static void die(cr_report *report)
{
    char text[640];
    fprintf(stderr, "%s\n",
            report->count > 0 ? cr_error_print(&report->errors[0], text, sizeof text) : "failed");
    exit(1);
}

static cr_model *load(const char *path)
{
    cr_report report = {0};
    cr_scene *file = NULL;
    cr_model *model = NULL;
    cr_status status = cr_scene_read(path, &file, &report);
    status = status == CR_OK ? cr_model_create(file, NULL, 0, &model, &report) : status;
    cr_scene_destroy(file);
    if (status != CR_OK) {
        die(&report);
    }
    return model;
}

// What work costs, however busy the machine is.
static double processor_seconds(void)
{
    struct timespec now;
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &now);
    return (double)now.tv_sec + (double)now.tv_nsec * 1e-9;
}

static void search(const cr_model *model, int round, uint64_t seed, runs *r)
{
    cr_report report = {0};
    cr_planner *planner = NULL;
    cr_planner_def def = cr_model_planner_def(model);
    def.seed = seed;
    def.round = round;
    def.threads = 1;
    if (cr_planner_create(model, &def, &planner, &report) != CR_OK) {
        die(&report);
    }
    double begin = processor_seconds();
    bool solved = cr_planner_grow(planner, &(cr_slice){0}) == CR_OUTCOME_SOLVED;
    cr_planner_stats s = cr_planner_get_stats(planner);
    r->items[r->count++] = (run){(double)s.steps, solved};
    r->solved += solved;
    r->steps += (double)s.steps;
    r->seconds += processor_seconds() - begin;
    r->bytes = s.bytes;
    cr_planner_destroy(planner);
}

// Deeper rounds need a mean only: fewer searches.
static void measure(scene *s, const char *path, int searches)
{
    cr_model *model = load(path);
    for (int d = 0; d < DEPTHS; d++) {
        int count = d == 0 ? searches : (searches + 3) / 4;
        s->depths[d].items = calloc((size_t)count, sizeof(run));
        for (int i = 0; i < count && s->depths[d].items; i++) {
            search(model, rounds[d], (uint64_t)(FIRST_SEED + i), &s->depths[d]);
        }
    }
    cr_model_destroy(model);
}

// Scenes are measured side by side, each in a process of its own that writes what it has into a
// pipe: the counts of a round, then its searches.
static FILE *begin_measuring(const char *path, int searches)
{
    int ends[2];
    if (pipe(ends) != 0) {
        perror("pipe");
        exit(1);
    }
    if (fork() == 0) {
        scene s = {0};
        FILE *out = fdopen(ends[1], "w");
        close(ends[0]);
        measure(&s, path, searches);
        for (int d = 0; d < DEPTHS; d++) {
            fwrite(&s.depths[d], sizeof s.depths[d], 1, out);
            fwrite(s.depths[d].items, sizeof(run), (size_t)s.depths[d].count, out);
        }
        exit(fclose(out) == 0 ? 0 : 1);
    }
    close(ends[1]);
    return fdopen(ends[0], "r");
}

static void end_measuring(FILE *in, scene *s)
{
    for (int d = 0; d < DEPTHS; d++) {
        runs *r = &s->depths[d];
        size_t read = fread(r, sizeof *r, 1, in);
        r->items = read == 1 ? calloc((size_t)r->count, sizeof(run)) : NULL;
        if (!r->items || fread(r->items, sizeof(run), (size_t)r->count, in) != (size_t)r->count) {
            fprintf(stderr, "%s was not measured\n", s->name);
            exit(1);
        }
    }
    fclose(in);
    wait(NULL);
}

// ---------------------------------------------------------------------------------------------
// Drawing again.

static uint64_t next_random(uint64_t *state) // splitmix64
{
    uint64_t z = *state += 0x9e3779b97f4a7c15u;
    z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9u;
    z = (z ^ (z >> 27)) * 0x94d049bb133111ebu;
    return z ^ (z >> 31);
}

// Sorted draws of the steps to a solution, each search given up after so many steps.
static void draw(const runs *r, double cutoff, double *draws)
{
    uint64_t state = 1;
    for (int i = 0; i < DRAWS; i++) {
        const run *one;
        draws[i] = 0;
        do {
            one = &r->items[next_random(&state) % (uint64_t)r->count];
            draws[i] += fmin(one->steps, cutoff);
        } while (!one->solved || one->steps > cutoff);
    }
    qsort(draws, DRAWS, sizeof *draws, by_size);
}

static double expected_least(const double *draws, double processes)
{
    double sum = 0;
    for (int i = 0; i < DRAWS; i++) {
        sum += draws[i] * (pow((double)(DRAWS - i) / DRAWS, processes) -
                           pow((double)(DRAWS - i - 1) / DRAWS, processes));
    }
    return sum;
}

// The best of all cutoffs at a search's steps, a dozen of them.
static void try_cutoffs(scene *s, double *draws)
{
    const runs *r = &s->depths[0];
    for (int k = 0; k < r->count; k += (r->count + 11) / 12) {
        if (!r->items[k].solved) {
            continue;
        }
        draw(r, r->items[k].steps, draws);
        for (int n = 0; n < RANKS; n++) {
            double least = expected_least(draws, ldexp(1, n));
            if (least < s->restarts[n]) {
                s->restarts[n] = least;
                s->cutoff = n == 0 ? r->items[k].steps : s->cutoff;
            }
        }
    }
}

static void simulate(scene *s)
{
    double *draws = calloc(DRAWS, sizeof *draws);
    if (!draws || s->depths[0].solved == 0) {
        free(draws);
        return;
    }
    draw(&s->depths[0], HUGE_VAL, draws);
    for (int n = 0; n < RANKS; n++) {
        s->portfolio[n] = s->restarts[n] = expected_least(draws, ldexp(1, n));
    }
    s->cutoff = HUGE_VAL;
    try_cutoffs(s, draws);
    for (int d = 0; d < DEPTHS; d++) {
        s->deeper[d] = HUGE_VAL;
        if (s->depths[d].solved > 0) {
            draw(&s->depths[d], HUGE_VAL, draws);
            s->deeper[d] = expected_least(draws, 1) * rounds[0] / rounds[d];
        }
    }
    free(draws);
}

// ---------------------------------------------------------------------------------------------
// Tables.

static void print_portfolio(const scene *scenes, int count)
{
    printf("| scene | searches | solved | steps to a solution | gain of 2 | 4 | 16 | 64 | with "
           "restarts: 1 | 4 | 16 | 64 | given up after |\n"
           "|---|---:|---:|---:|---:|---:|---:|---:|---:|---:|---:|---:|---:|\n");
    for (int i = 0; i < count; i++) {
        const scene *s = &scenes[i];
        const double *p = s->portfolio, *r = s->restarts;
        printf(
            "| %s | %d | %.0f%% | %.0f | %.2f | %.2f | %.2f | %.2f | %.2f | %.2f | %.2f | %.2f |",
            s->name, s->depths[0].count, 100.0 * s->depths[0].solved / s->depths[0].count, p[0],
            p[0] / p[1], p[0] / p[2], p[0] / p[4], p[0] / p[6], p[0] / r[0], p[0] / r[2],
            p[0] / r[4], p[0] / r[6]);
        isinf(s->cutoff) ? printf(" - |\n") : printf(" %.0f |\n", s->cutoff);
    }
}

// The last round whose processes do at least half of what they would do if all were of use: each
// doubling of the round gains a factor of 1.41 or more.
static int last_that_pays(const scene *s)
{
    int last = 0;
    while (last + 1 < DEPTHS && s->deeper[last] / s->deeper[last + 1] >= 1.41) {
        last++;
    }
    return last;
}

static void print_rounds(const scene *scenes, int count)
{
    printf("\n| scene |");
    for (int d = 0; d < DEPTHS; d++) {
        printf(" %d |", rounds[d]);
    }
    printf(" pays to | MB | MB at %d | us a step |\n|---|", rounds[DEPTHS - 1]);
    for (int d = 0; d < DEPTHS + 4; d++) {
        printf("---:|");
    }
    for (int i = 0; i < count; i++) {
        const scene *s = &scenes[i];
        printf("\n| %s |", s->name);
        for (int d = 0; d < DEPTHS; d++) {
            isinf(s->deeper[d]) ? printf(" - |") : printf(" %.2f |", s->deeper[0] / s->deeper[d]);
        }
        printf(" %d | %.1f | %.1f | %.1f |", rounds[last_that_pays(s)],
               (double)s->depths[0].bytes / 1e6, (double)s->depths[DEPTHS - 1].bytes / 1e6,
               1e6 * s->depths[0].seconds / s->depths[0].steps);
    }
    printf("\n");
}

// ---------------------------------------------------------------------------------------------
// The figure: a panel a scene, both axes by powers of two.

enum { COLUMNS = 5, WIDE = 200, HIGH = 170, EDGE = 34 };

typedef struct panel {
    FILE *file;
    double x, y;          // of its lower left corner
    double most;          // steps at the top
    double octaves, down; // that its axes cover
} panel;

static void line_to(const panel *p, double processes, double steps)
{
    double x = p->x + (WIDE - EDGE - 8) * log2(processes) / p->octaves;
    double y = p->y - (HIGH - 2 * EDGE) * (1 - log2(p->most / steps) / p->down);
    fprintf(p->file, "%.1f,%.1f ", x, y);
}

static void begin_line(const panel *p, const char *color, const char *more)
{
    fprintf(p->file, "<polyline fill=\"none\" stroke=\"%s\" stroke-width=\"1.6\"%s points=\"",
            color, more);
}

static void draw_curves(const panel *p, const scene *s)
{
    begin_line(p, "#bbb", " stroke-dasharray=\"2 3\""); // each process gains all it can
    line_to(p, 1, s->portfolio[0]);
    line_to(p, exp2(p->octaves), s->portfolio[0] / exp2(p->octaves));
    fprintf(p->file, "\"/>\n");
    begin_line(p, "#1f6fb4", "");
    for (int n = 0; n <= (int)p->octaves; n++) {
        line_to(p, ldexp(1, n), s->portfolio[n]);
    }
    fprintf(p->file, "\"/>\n");
    begin_line(p, "#2a9d4a", " stroke-dasharray=\"5 2\"");
    for (int n = 0; n <= (int)p->octaves; n++) {
        line_to(p, ldexp(1, n), s->restarts[n]);
    }
    fprintf(p->file, "\"/>\n");
    begin_line(p, "#d1491b", "");
    for (int d = 0; d < DEPTHS && !isinf(s->deeper[d]); d++) {
        line_to(p, (double)rounds[d] / rounds[0], s->deeper[d]);
    }
    fprintf(p->file, "\"/>\n");
}

static void draw_panel(FILE *file, const scene *s, int index, double octaves)
{
    panel p = {.file = file,
               .x = EDGE + 8 + WIDE * (index % COLUMNS),
               .y = 30 + HIGH * (index / COLUMNS + 1) - EDGE,
               .most = fmax(s->portfolio[0], s->deeper[0]) * 1.2,
               .octaves = octaves,
               .down = octaves + 1};
    double width = WIDE - EDGE - 8, height = HIGH - 2 * EDGE;
    fprintf(file,
            "<rect x=\"%.0f\" y=\"%.0f\" width=\"%.0f\" height=\"%.0f\" fill=\"none\" "
            "stroke=\"#999\"/>\n<text x=\"%.0f\" y=\"%.0f\" font-weight=\"bold\">%s</text>\n",
            p.x, p.y - height, width, height, p.x, p.y - height - 6, s->name);
    for (int n = 0; n <= (int)octaves; n += 2) {
        fprintf(file, "<text x=\"%.1f\" y=\"%.0f\" text-anchor=\"middle\">%d</text>\n",
                p.x + width * n / octaves, p.y + 13, 1 << n);
    }
    for (int k = 0; k <= 2; k++) {
        double steps = p.most * exp2(-p.down * k / 2.0);
        fprintf(file, "<text x=\"%.0f\" y=\"%.1f\" text-anchor=\"end\">%.*f%s</text>\n", p.x - 3,
                p.y - height * (1 - k / 2.0) + 4, steps >= 1000 && steps < 1e4,
                steps >= 1000 ? steps / 1000 : steps, steps >= 1000 ? "k" : "");
    }
    fprintf(file,
            "<clipPath id=\"p%d\"><rect x=\"%.0f\" y=\"%.0f\" width=\"%.0f\" "
            "height=\"%.0f\"/></clipPath>\n<g clip-path=\"url(#p%d)\">\n",
            index, p.x, p.y - height, width, height, index);
    draw_curves(&p, s);
    fprintf(file, "</g>\n");
}

static void draw_figure(const char *path, const scene *scenes, int count, int searches)
{
    FILE *file = fopen(path, "w");
    if (!file) {
        perror(path);
        exit(1);
    }
    int lines = (count + COLUMNS - 1) / COLUMNS;
    double octaves = floor(log2(fmin(searches, ldexp(1, RANKS - 1))));
    fprintf(file,
            "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 %d %d\" font-family=\"sans-"
            "serif\" font-size=\"10\">\n<rect width=\"100%%\" height=\"100%%\" fill=\"#fff\"/>\n",
            WIDE * COLUMNS + 10, HIGH * lines + 40);
    fprintf(file,
            "<text x=\"%d\" y=\"18\" font-size=\"12\">Steps of a process until the first "
            "solution, over the number of processes: <tspan fill=\"#1f6fb4\">portfolio"
            "</tspan>, <tspan fill=\"#2a9d4a\">with restarts</tspan>, <tspan "
            "fill=\"#d1491b\">deeper rounds of one search</tspan>, <tspan fill=\"#888\">all "
            "that N could gain</tspan></text>\n",
            EDGE);
    for (int i = 0; i < count; i++) {
        draw_panel(file, &scenes[i], i, octaves);
    }
    fprintf(file, "</svg>\n");
    fclose(file);
}

static const char *name_of(char *path)
{
    char *slash = strrchr(path, '/'), *dot = strrchr(path, '.');
    if (dot) {
        *dot = 0;
    }
    return slash ? slash + 1 : path;
}

int main(int argc, char **argv)
{
    static scene scenes[SCENES_MAX];
    int searches = argc > 3 ? atoi(argv[1]) : 0, count = argc - 3;
    if (searches < 4 || count > SCENES_MAX) {
        fprintf(stderr, "usage: bench_portfolio SEARCHES FIGURE.svg SCENE.yaml...\n");
        return 2;
    }
    FILE *pipes[SCENES_MAX];
    for (int i = 0; i < count + ABREAST; i++) {
        if (i < count) {
            pipes[i] = begin_measuring(argv[i + 3], searches);
        }
        if (i >= ABREAST) {
            scene *s = &scenes[i - ABREAST];
            s->name = name_of(argv[i - ABREAST + 3]);
            end_measuring(pipes[i - ABREAST], s);
            fprintf(stderr, "%s: %d of %d solved\n", s->name, s->depths[0].solved, searches);
            if (s->depths[0].solved == 0) {
                return 1; // there is nothing to draw from
            }
            simulate(s);
        }
    }
    print_portfolio(scenes, count);
    print_rounds(scenes, count);
    draw_figure(argv[2], scenes, count, searches);
    return 0;
}
