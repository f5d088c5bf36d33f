#include "lab/run_tables.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "lab/runs.h"
#include "lab/statistics.h"
#include "terminal/scenes.h"

enum { TRIALS = 120, QUICK_TRIALS = 1, POINTS = 128, LIST = 10 };

// One point of a figure: how it was run, and what came of it.
typedef struct point {
    const char *scene;
    double uncertainty, interval, t_lod; // t_lod 0: full detail
    run_totals totals;
} point;

typedef struct table {
    point points[POINTS];
    int count;
} table;

// Lists of values; the first `quick` of each are what --quick takes.
typedef struct values {
    double items[LIST];
    int count, quick;
} values;

static void add_points(table *t, const char *scene, const values *u, const values *interval,
                       const values *t_lod, bool quick)
{
    for (int i = 0; i < (quick ? u->quick : u->count); i++) {
        for (int k = 0; k < (quick ? interval->quick : interval->count); k++) {
            for (int l = 0; l < (quick ? t_lod->quick : t_lod->count); l++) {
                t->points[t->count++] =
                    (point){scene, u->items[i], interval->items[k], t_lod->items[l], {0}};
            }
        }
    }
}

// 003, figure 9.6: full detail, five uncertainties, nine intervals.
static void fill_9_6(table *t, bool quick)
{
    const values u = {{1, 0, 0.25, 0.5, 0.75}, 5, 2};
    const values interval = {{0.5, 2, 0.25, 1, 1.5, 2.5, 3, 3.5, 4}, 9, 2};
    const values full = {{0}, 1, 1};
    add_points(t, "hallway", &u, &interval, &full, quick);
}

// 003, figure 9.7: both domains, t_LOD up to 5.7 s, which is as good as full detail.
static void fill_9_7(table *t, bool quick)
{
    const values hallway = {{0.75}, 1, 1}, maze = {{0.5}, 1, 0};
    const values interval = {{0.5, 0.25, 1, 1.5, 2, 3}, 6, 1};
    const values t_lod = {{0.7, 5.7, 0.3, 0.5, 1.1, 1.7, 2.5, 3.3, 4.5}, 9, 2};
    add_points(t, "hallway", &hallway, &interval, &t_lod, quick);
    add_points(t, "maze", &maze, &interval, &t_lod, quick);
}

bool run_table_is(const char *name)
{
    return strcmp(name, "figure-9.6") == 0 || strcmp(name, "figure-9.7") == 0;
}

// ---------------------------------------------------------------------------------------------

static bool look(const cr_run_frame *frame, void *context)
{
    (void)frame;
    return !stop_asked(context);
}

// One trial: random starts where the scene has them.
static int run_point(point *p, const cr_scene *scene, int trial)
{
    cr_report report = {0};
    cr_model *model = NULL;
    cr_run_result result = {0};
    cr_status status = cr_model_create(scene, NULL, trial, &model, &report);
    if (status == CR_OK) {
        cr_run_def def = cr_default_run_def(model);
        def.planner.threads = 1; // short searches: more would only wait for each other
        def.planner.t_lod = p->t_lod;
        def.planner.seed = def.truth.seed = (uint64_t)trial;
        def.truth.uncertainty = p->uncertainty;
        def.interval = p->interval;
        def.show = look;
        status = cr_run_execute(model, &def, NULL, &result, &report);
    }
    cr_model_destroy(model);
    if (status == CR_OK && !result.stopped) {
        run_totals_add(&p->totals, &result);
    }
    return status == CR_OK ? -1 : report_print(status, &report);
}

static int run_trials(point *p, int64_t trials)
{
    cr_report report = {0};
    cr_scene *scene = NULL;
    char *path = scene_find(p->scene);
    cr_status status = path ? cr_scene_read(path, &scene, &report) : CR_ERR_MEMORY;
    int code = status == CR_OK ? -1 : report_print(status, &report);
    for (int i = 1; i <= trials && code < 0 && goes_on(); i++) {
        code = run_point(p, scene, i);
    }
    cr_scene_destroy(scene);
    free(path);
    return code;
}

// ---------------------------------------------------------------------------------------------
// 003, 9.2.1: performance = (1 - normalised collisions)(1 - normalised time). Time is counted in
// steps planned, which no other program on the machine can change.

static double collisions(const point *p)
{
    return p->totals.plannings > 0 ? (double)p->totals.collided / (double)p->totals.plannings : 0;
}

static double steps(const point *p)
{
    return (double)p->totals.planner_steps / (double)p->totals.trials;
}

// The mean of the normalised values would hide the worst: each is over its largest in the scene.
static double performance(const table *t, const point *p)
{
    double most = 1e-9, longest = 1e-9;
    for (int i = 0; i < t->count; i++) {
        const point *other = &t->points[i];
        if (other->totals.trials > 0 && strcmp(other->scene, p->scene) == 0) {
            most = collisions(other) > most ? collisions(other) : most;
            longest = steps(other) > longest ? steps(other) : longest;
        }
    }
    return (1 - collisions(p) / most) * (1 - steps(p) / longest);
}

static void print_table(const table *t, FILE *file)
{
    fprintf(file, "scene,uncertainty,interval,t_lod,trials,reached,collision_rate,low,high,"
                  "steps_a_trial,planner_seconds_a_trial,performance\n");
    for (int i = 0; i < t->count; i++) {
        const point *p = &t->points[i];
        if (p->totals.trials > 0) {
            bounds s = share_bounds(p->totals.collided, p->totals.plannings);
            fprintf(file, "%s,%g,%g,%g,%lld,%lld,%.4f,%.4f,%.4f,%.0f,%.4f,%.4f\n", p->scene,
                    p->uncertainty, p->interval, p->t_lod, (long long)p->totals.trials,
                    (long long)p->totals.reached, collisions(p), s.low, s.high, steps(p),
                    p->totals.planner_seconds / (double)p->totals.trials, performance(t, p));
        }
    }
}

static int write_table(const table *t, const char *name, const char *folder)
{
    char path[1000];
    mkdir(folder, 0777); // it may be there
    snprintf(path, sizeof path, "%s/%s.csv", folder, name);
    outfile out;
    FILE *file = outfile_open(&out, path);
    if (!file) {
        return EXIT_INTERNAL;
    }
    print_table(t, file);
    return outfile_close(&out);
}

int run_table(const char *name, const run_tables_def *def)
{
    table *t = calloc(1, sizeof *t);
    if (!t) {
        return EXIT_INTERNAL;
    }
    int64_t trials = def->trials > 0 ? def->trials : (def->quick ? QUICK_TRIALS : TRIALS);
    progress bar = {0};
    int code = -1;
    (strcmp(name, "figure-9.6") == 0 ? fill_9_6 : fill_9_7)(t, def->quick);
    for (int i = 0; i < t->count && code < 0 && goes_on(); i++) {
        if (progress_due(&bar)) {
            progress_show(&bar, "point %d of %d", i + 1, t->count);
        }
        code = run_trials(&t->points[i], trials);
    }
    progress_end(&bar);
    code = code >= 0 ? code : write_table(t, name, def->folder);
    print_table(t, stdout);
    free(t);
    if (code < 0 && stop_asked(NULL)) {
        return interrupted("the points that are whole are printed");
    }
    return code < 0 ? EXIT_DONE : code;
}
