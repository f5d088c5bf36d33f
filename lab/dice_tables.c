#include "lab/dice_tables.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "lab/dice_measure.h"
#include "lab/figure.h"
#include "terminal/scenes.h"

#define PITCH 0.0256 // m, from cell to cell
#define G     9.81   // m/s2

static const char *const scenes[] = {"dice/logo", "dice/word"};
enum { SCENES = 2, SETTINGS_MAX = 200 };

typedef struct bench {
    const run_tables_def *def;
    FILE *csv;
    int runs; // of a point
} bench;

// ---------------------------------------------------------------------------------------------
// One future: found by a search, or the first that comes.

typedef struct future {
    const char *scene;
    const char *settings; // "select=bgt mu=100"
    int index;            // start and seed
    bool searched;
    const char *until; // of biased_fall: instead of touch; NULL: as the scene has it
    int threads;       // of a search
} future;

typedef struct outcome {
    dice_result dice;
    cr_planner_stats stats;
    double processor, kilobytes;
} outcome;

// The scene, with a word more for biased_fall where one is asked for.
static cr_scene *read_scene(const future *f, cr_report *report)
{
    char *path = scene_find(f->scene);
    cr_scene *scene = NULL, *changed = NULL;
    cr_status status = path ? cr_scene_read(path, &scene, report) : CR_ERR_MEMORY;
    if (status == CR_OK && f->until) {
        size_t length;
        const char *text = cr_scene_text(scene, &length), *at = strstr(text, "biased_fall,");
        char *longer = malloc(length + 100);
        if (at && longer) {
            int before = (int)(at - text) + (int)strlen("biased_fall,");
            snprintf(longer, length + 100, "%.*s until: %s,%s", before, text, f->until,
                     text + before);
            cr_scene_read_text(longer, strlen(longer), path, &changed, report);
        }
        free(longer);
        cr_scene_destroy(scene);
        scene = changed;
    }
    free(path);
    return scene;
}

static cr_status set_all(cr_scene *scene, const char *settings, cr_report *report)
{
    char text[SETTINGS_MAX], *rest = NULL;
    snprintf(text, sizeof text, "%s", settings);
    cr_status status = CR_OK;
    for (char *word = strtok_r(text, " ", &rest); word && status == CR_OK;
         word = strtok_r(NULL, " ", &rest)) {
        char *equals = strchr(word, '=');
        *equals = 0;
        status = cr_scene_set(scene, word, equals + 1, report);
    }
    return status;
}

static cr_status search(const cr_model *model, const cr_planner_def *def, cr_plan **plan,
                        outcome *o, cr_report *report)
{
    cr_planner *planner = NULL;
    cr_status status = cr_planner_create(model, def, &planner, report);
    if (status == CR_OK) {
        double begin = processor_seconds(NULL);
        cr_slice slice = {.stop = stop_asked};
        cr_outcome end = cr_planner_grow(planner, &slice);
        o->processor = processor_seconds(NULL) - begin;
        o->stats = cr_planner_get_stats(planner);
        status = cr_plan_create(planner, end, plan, report);
    }
    cr_planner_destroy(planner);
    return status;
}

static cr_status measure(const cr_model *model, const future *f, outcome *o, cr_report *report)
{
    cr_plan *plan = NULL;
    cr_planner_def def = cr_model_planner_def(model);
    def.seed = (uint64_t)f->index;
    def.threads = f->threads;
    cr_simulate_def how = cr_default_simulate_def();
    cr_status status = f->searched ? search(model, &def, &plan, o, report)
                                   : cr_plan_simulate(model, &def, &how, &plan, report);
    if (status == CR_OK && plan) {
        char *text = NULL;
        size_t length = 0;
        status = dice_measure(plan, 0, PITCH, &o->dice, report);
        status = status == CR_OK ? cr_plan_print(plan, &text, &length, report) : status;
        o->kilobytes = (double)length / 1000;
        free(text);
    }
    cr_plan_destroy(plan);
    return status;
}

// Returns -1 or an exit code.
static int run_future(const future *f, outcome *o)
{
    cr_report report = {0};
    cr_model *model = NULL;
    *o = (outcome){0};
    cr_scene *scene = read_scene(f, &report);
    cr_status status = scene ? set_all(scene, f->settings, &report) : CR_ERR_FILE;
    status = status == CR_OK ? cr_model_create(scene, NULL, f->index, &model, &report) : status;
    status = status == CR_OK ? measure(model, f, o, &report) : status;
    cr_model_destroy(model);
    cr_scene_destroy(scene);
    return status == CR_OK ? -1 : report_print(status, &report);
}

static double share(const dice_result *d)
{
    return d->dice > 0 ? (double)d->in_place / d->dice : 0;
}

static const char *limits(const bench *b)
{
    return b->def->quick ? "nodes=150 steps=150" : "nodes=15000 steps=15000";
}

// ---------------------------------------------------------------------------------------------
// dice: what the search finds, for each picture and seed.

static void print_dice(const bench *b, const future *f, const outcome *o)
{
    const dice_result *d = &o->dice;
    printf("| `%s` | %d | %.1f | %.1f | %lld | %lld | %.2f%% | %.1f mm | %.4f | %s | %.2f mm | "
           "%.2f g | %.2f g | %.2f g | %.0f kB |\n",
           f->scene, f->index, o->stats.seconds, o->processor, (long long)o->stats.nodes,
           (long long)o->stats.steps, 100 * share(d), 1e3 * d->mean, d->sum, d->rest ? "yes" : "no",
           1e3 * d->deepest, d->in_flight / G, d->after_contact / G, d->late / G, o->kilobytes);
    fprintf(b->csv, "%s,%d,%.2f,%.2f,%lld,%lld,%d,%d,%.5f,%.6f,%d,%.6f,%.4f,%.4f,%.4f,%.1f\n",
            f->scene, f->index, o->stats.seconds, o->processor, (long long)o->stats.nodes,
            (long long)o->stats.steps, d->dice, d->in_place, d->mean, d->sum, d->rest, d->deepest,
            d->in_flight, d->after_contact, d->late, o->kilobytes);
}

static int run_dice(const bench *b)
{
    int code = -1;
    printf("| scene | start, seed | seconds | processor | nodes | steps | in place | off, mean | "
           "sum of squares (m2) | all rest | deepest overlap | strongest push in flight | within "
           "0.1 s of a contact | after rest | plan |\n"
           "|---|---|---|---|---|---|---|---|---|---|---|---|---|---|---|\n");
    fprintf(b->csv, "scene,index,seconds,processor,nodes,steps,dice,in_place,mean,sum,rest,deepest,"
                    "in_flight,after_contact,late,kilobytes\n");
    for (int i = 0; i < SCENES * b->runs && code < 0 && goes_on(); i++) {
        future f = {scenes[i / b->runs], limits(b), i % b->runs + 1, true, NULL, 2};
        outcome o;
        code = run_future(&f, &o);
        if (code < 0 && goes_on()) {
            print_dice(b, &f, &o);
            fflush(stdout);
        }
    }
    return code;
}

// ---------------------------------------------------------------------------------------------
// Means of several futures.

typedef struct means {
    int count, rest;
    double in_place, in_place2, least, sum, sum2, processor, processor2, nodes, steps;
} means;

static void add_mean(means *m, const outcome *o)
{
    double part = share(&o->dice);
    m->least = m->count == 0 ? part : fmin(m->least, part);
    m->count++;
    m->rest += o->dice.rest;
    m->in_place += part, m->in_place2 += part * part;
    m->sum += o->dice.sum, m->sum2 += o->dice.sum * o->dice.sum;
    m->processor += o->processor, m->processor2 += o->processor * o->processor;
    m->nodes += (double)o->stats.nodes, m->steps += (double)o->stats.steps;
}

static double mean_of(double sum, int count)
{
    return count > 0 ? sum / count : 0;
}

static double spread_of(double sum, double squares, int count)
{
    return count > 1 ? sqrt(fmax(0, (squares - sum * sum / count) / (count - 1))) : 0;
}

// Futures of a scene with starts and seeds 1, 2, ...
static int run_means(const bench *b, future f, means *m)
{
    int code = -1;
    *m = (means){0};
    for (int i = 1; i <= b->runs && code < 0 && goes_on(); i++) {
        outcome o;
        f.index = i;
        code = run_future(&f, &o);
        if (code < 0 && goes_on()) {
            add_mean(m, &o);
        }
    }
    return code;
}

// ---------------------------------------------------------------------------------------------
// dice-select: the rows of 003, table 6.1.

static int run_select(const bench *b)
{
    static const char *const rows[][3] = {
        {"uniform", "select=uniform", "-"},
        {"rrt, by one die", "select=rrt", "1278.61 ± 7.03 s, 15000 nodes, 15000 iterations"},
        {"bgt, mu 1000", "select=bgt mu=1000", "304.58 ± 10.08 s, 15000 nodes, 15000 iterations"},
    };
    int code = -1;
    printf(
        "| domain | method | searches | processor time (s) | nodes | steps | sum of squares (m2) "
        "| in place | 003, N = 6 |\n|---|---|---|---|---|---|---|---|---|\n");
    fprintf(b->csv, "method,searches,processor,spread,nodes,steps,sum,sum_spread,in_place\n");
    for (int i = 0; i < 3 && code < 0 && goes_on(); i++) {
        char settings[SETTINGS_MAX];
        means m;
        snprintf(settings, sizeof settings, "%s %s", limits(b), rows[i][1]);
        code = run_means(b, (future){scenes[0], settings, 0, true, NULL, 1}, &m);
        double seconds = spread_of(m.processor, m.processor2, m.count);
        double sums = spread_of(m.sum, m.sum2, m.count);
        printf("| many dice | %s | %d | %.1f ± %.1f | %.0f | %.0f | %.4f ± %.4f | %.1f%% | %s |\n",
               rows[i][0], m.count, mean_of(m.processor, m.count), seconds,
               mean_of(m.nodes, m.count), mean_of(m.steps, m.count), mean_of(m.sum, m.count), sums,
               100 * mean_of(m.in_place, m.count), rows[i][2]);
        fprintf(b->csv, "%s,%d,%.3f,%.3f,%.0f,%.0f,%.6f,%.6f,%.5f\n", rows[i][1], m.count,
                mean_of(m.processor, m.count), seconds, mean_of(m.nodes, m.count),
                mean_of(m.steps, m.count), mean_of(m.sum, m.count), sums,
                mean_of(m.in_place, m.count));
        fflush(stdout);
    }
    return code;
}

// ---------------------------------------------------------------------------------------------
// dice-mu: 003, figure 6.13 c.

static int run_mu(const bench *b)
{
    static const double mus[] = {0.1, 1, 10, 100, 1000, 10000};
    figure *f = calloc(1, sizeof *f);
    if (!f) {
        return EXIT_INTERNAL;
    }
    *f = (figure){.title = "Many dice: best of 15000 nodes over mu",
                  .x_label = "mu",
                  .y_label = "sum of squares (m2), less is better",
                  .log_x = true};
    series *line = add_series(f, scenes[0], "");
    int code = -1, last = b->def->quick ? 2 : 6;
    printf(
        "| mu | searches | sum of squares (m2) | in place | all rest |\n|---|---|---|---|---|\n");
    fprintf(b->csv, "mu,searches,sum,sum_spread,in_place,rest\n");
    for (int i = 0; i < last && code < 0 && goes_on(); i++) {
        char settings[SETTINGS_MAX];
        means m;
        snprintf(settings, sizeof settings, "%s select=bgt mu=%g", limits(b), mus[i]);
        code = run_means(b, (future){scenes[0], settings, 0, true, NULL, 1}, &m);
        double sum = mean_of(m.sum, m.count), wide = spread_of(m.sum, m.sum2, m.count);
        printf("| %g | %d | %.4f ± %.4f | %.1f%% | %d of %d |\n", mus[i], m.count, sum, wide,
               100 * mean_of(m.in_place, m.count), m.rest, m.count);
        fprintf(b->csv, "%g,%d,%.6f,%.6f,%.5f,%d\n", mus[i], m.count, sum, wide,
                mean_of(m.in_place, m.count), m.rest);
        add_barred_point(line, mus[i], sum, fmax(0, sum - wide), sum + wide);
        fflush(stdout);
    }
    code = code < 0 && goes_on() ? write_figure(f, b->def->folder, "dice-mu") : code;
    free(f);
    return code;
}

// ---------------------------------------------------------------------------------------------
// dice-force: what more force buys. One future a start, no search.

typedef struct force_line {
    const char *name;
    int scene;
    bool both;         // the push after contacts is stronger, too, in proportion
    const char *until; // hit: pushes after contacts that begin only
} force_line;

static int run_force_line(const bench *b, const force_line *l, series *line)
{
    static const double forces[] = {0.01, 0.05, 0.1, 0.2, 0.3, 0.5, 0.7, 1, 1.5, 2, 3};
    int code = -1, step = b->def->quick ? 4 : 1;
    for (size_t i = 0; i < sizeof forces / sizeof forces[0] && code < 0 && goes_on();
         i += (size_t)step) {
        char settings[SETTINGS_MAX];
        double bounce = l->both ? forces[i] / 0.3 : 1;
        means m;
        snprintf(settings, sizeof settings, "flight=%.6g bounce=%.6g", forces[i] * G, bounce * G);
        code = run_means(b, (future){scenes[l->scene], settings, 0, false, l->until, 1}, &m);
        double part = mean_of(m.in_place, m.count),
               wide = spread_of(m.in_place, m.in_place2, m.count);
        printf("| %s | %g g | %.3g g | %d | %.1f%% ± %.1f | %.1f%% | %.4f |\n", l->name, forces[i],
               bounce, m.count, 100 * part, 100 * wide, 100 * m.least, mean_of(m.sum, m.count));
        fprintf(b->csv, "%s,%g,%g,%d,%.5f,%.5f,%.5f,%.6f\n", l->name, forces[i], bounce, m.count,
                part, wide, m.least, mean_of(m.sum, m.count));
        add_barred_point(line, forces[i], 100 * part, 100 * (part - wide), 100 * (part + wide));
        fflush(stdout);
    }
    return code;
}

static int run_force(const bench *b)
{
    static const force_line lines[] = {
        {"logo", 0, true, NULL},
        {"word", 1, true, NULL},
        {"logo, bounce 1 g", 0, false, NULL},
        {"logo, hits only", 0, true, "hit"},
    };
    figure *f = calloc(1, sizeof *f);
    if (!f) {
        return EXIT_INTERNAL;
    }
    *f = (figure){.title = "Dice in place over the strongest push in flight, without a search",
                  .x_label = "push in flight (g)",
                  .y_label = "within half a pitch (%)",
                  .log_x = true};
    int code = -1;
    printf(
        "| what | in flight | after a contact | futures | in place | least | sum of squares (m2) "
        "|\n|---|---|---|---|---|---|---|\n");
    fprintf(b->csv, "what,flight_g,bounce_g,futures,in_place,spread,least,sum\n");
    for (int i = 0; i < 4 && code < 0 && goes_on(); i++) {
        code = run_force_line(b, &lines[i], add_series(f, lines[i].name, ""));
    }
    code = code < 0 && goes_on() ? write_figure(f, b->def->folder, "dice-force") : code;
    free(f);
    return code;
}

// ---------------------------------------------------------------------------------------------
// dice-acceleration: pushes beside what gravity and contacts do.

static int write_accelerations(const bench *b, const histogram *applied, const histogram *natural)
{
    figure *f = calloc(1, sizeof *f);
    if (!f) {
        return EXIT_INTERNAL;
    }
    *f = (figure){.title = "Accelerations of dice, all steps",
                  .x_label = "acceleration (g)",
                  .y_label = "share of all (%)",
                  .log_x = true};
    series *ours = add_series(f, "applied", ""), *theirs = add_series(f, "natural", "");
    fprintf(b->csv, "g,applied,natural\n");
    for (int i = 0; i < HIST_BINS; i++) {
        double g = histogram_middle(i);
        double p = applied->bins[i] / applied->all, q = natural->bins[i] / natural->all;
        fprintf(b->csv, "%.5g,%.6f,%.6f\n", g, p, q);
        add_point(ours, g, 100 * p);
        add_point(theirs, g, 100 * q);
    }
    int code = write_figure(f, b->def->folder, "dice-acceleration");
    free(f);
    return code;
}

// The g below which a share of all lies, to the bin: its lower end.
static double quantile(const histogram *h, double part)
{
    double seen = h->none;
    if (seen >= part * h->all) {
        return 0;
    }
    for (int i = 0; i < HIST_BINS; i++) {
        seen += h->bins[i];
        if (seen >= part * h->all) {
            return i > 0 ? sqrt(histogram_middle(i - 1) * histogram_middle(i)) : HIST_LEAST;
        }
    }
    return HIST_MOST;
}

static void add_histogram(histogram *to, const histogram *from)
{
    to->none += from->none;
    to->all += from->all;
    for (int i = 0; i < HIST_BINS; i++) {
        to->bins[i] += from->bins[i];
    }
}

static int run_acceleration(const bench *b)
{
    histogram applied = {0}, natural = {0};
    double flight = 0, after = 0;
    int code = -1;
    for (int i = 0; i < SCENES * b->runs && code < 0 && goes_on(); i++) {
        outcome o;
        future f = {scenes[i / b->runs], "", i % b->runs + 1, false, NULL, 1};
        code = run_future(&f, &o);
        add_histogram(&applied, &o.dice.applied);
        add_histogram(&natural, &o.dice.natural);
        flight = fmax(flight, o.dice.in_flight), after = fmax(after, o.dice.after_contact);
    }
    if (code >= 0 || !goes_on() || applied.all == 0) {
        return code;
    }
    printf("| | none (< 0.01 g) | median | 90%% | 99%% | most in flight | most within 0.1 s of a "
           "contact |\n|---|---|---|---|---|---|---|\n");
    printf("| applied | %.1f%% | %.3g g | %.3g g | %.3g g | %.3g g | %.3g g |\n",
           100 * applied.none / applied.all, quantile(&applied, 0.5), quantile(&applied, 0.9),
           quantile(&applied, 0.99), flight / G, after / G);
    printf("| natural | %.1f%% | %.3g g | %.3g g | %.3g g | | |\n",
           100 * natural.none / natural.all, quantile(&natural, 0.5), quantile(&natural, 0.9),
           quantile(&natural, 0.99));
    return write_accelerations(b, &applied, &natural);
}

// ---------------------------------------------------------------------------------------------

static const struct {
    const char *name;
    int (*run)(const bench *b);
    int runs; // of a point, unless told
} tables[] = {
    {"dice", run_dice, 5},
    {"dice-select", run_select, 6},
    {"dice-mu", run_mu, 3},
    {"dice-force", run_force, 5},
    {"dice-acceleration", run_acceleration, 5},
};
enum { TABLES = sizeof tables / sizeof tables[0] };

static int find_table(const char *name)
{
    int found = -1;
    for (int i = 0; i < TABLES && found < 0; i++) {
        found = strcmp(tables[i].name, name) == 0 ? i : -1;
    }
    return found;
}

bool dice_table_is(const char *name)
{
    return find_table(name) >= 0;
}

int dice_table(const char *name, const run_tables_def *def)
{
    int index = find_table(name);
    char path[1000];
    outfile out;
    mkdir(def->folder, 0777); // it may be there
    snprintf(path, sizeof path, "%s/%s.csv", def->folder, name);
    FILE *file = outfile_open(&out, path);
    if (!file) {
        return EXIT_INTERNAL;
    }
    int runs = def->trials > 0 ? (int)def->trials : def->quick ? 1 : tables[index].runs;
    int code = tables[index].run(&(bench){def, file, runs});
    int closed = outfile_close(&out);
    code = code >= 0 ? code : closed;
    if (code < 0 && stop_asked(NULL)) {
        return interrupted("what is done is in %s", shown(path));
    }
    return code < 0 ? EXIT_DONE : code;
}
